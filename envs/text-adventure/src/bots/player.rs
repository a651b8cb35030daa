//! The player behind the scripted players and the genome: a linear scorer of actions.

use super::{
    features::{COUNT, F, of},
    mind::Mind,
};
use crate::observe::View;
use rl_gym::{Ask, Decisions, Fault, Pcg64, Policy};

/// One weight a feature.
pub type Weights = [f32; COUNT];

/// Takes the action with the greatest weighted sum of features. It sees observation rows and remembers its own
/// episodes, nothing else.
pub struct Player {
    weights: Weights,
    minds: Vec<Mind>,
}

impl Player {
    /// A player with these weights; missing ones are 0.
    pub fn new(weights: &[f32]) -> Self {
        let weight = |i: usize| weights.get(i).copied().filter(|w| w.is_finite()).unwrap_or(0.0);
        Self { weights: std::array::from_fn(weight), minds: Vec::new() }
    }

    fn decide(weights: &Weights, mind: &mut Mind, view: View<'_>, rng: &mut Pcg64) -> Option<u32> {
        mind.look(view);
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        for choice in view.choices() {
            let mut features = of(view, mind, &choice);
            features[F::noise as usize] = rng.unit_f32();
            let score: f32 = features.iter().zip(weights).map(|(f, w)| f * w).sum();
            if score > most {
                (most, best) = (score, Some(choice));
            }
        }
        let best = best?;
        mind.choose(view, &best);
        Some(best.index)
    }

    fn answer(&mut self, ask: &mut Ask<'_>) -> Result<u32, Fault> {
        if self.minds.len() <= ask.row {
            self.minds.resize_with(ask.row + 1, Mind::default);
        }
        let view = View::read(ask.obs);
        Self::decide(&self.weights, &mut self.minds[ask.row], view, ask.rng)
            .ok_or_else(|| Fault::new("the observation lists no action"))
    }
}

impl Policy for Player {
    fn begin(&mut self, row: usize, _seat: usize) {
        if let Some(mind) = self.minds.get_mut(row) {
            mind.forget();
        }
    }

    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            match self.answer(&mut ask) {
                Ok(action) => choose(&mut ask, action),
                Err(why) => decisions.give_up(i, why),
            }
        }
        Ok(())
    }
}

/// Writes the action with this index into the row of its interface.
pub(super) fn choose(ask: &mut Ask<'_>, index: u32) {
    ask.choose(index);
}

/// Follows the planner's advice in the row.
pub struct Planner;

impl Policy for Planner {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            match View::read(ask.obs).advice() {
                Some(action) => choose(&mut ask, action),
                None => decisions.give_up(
                    i,
                    Fault::new("the planner follows the advice in the observation: play it with advice=on"),
                ),
            }
        }
        Ok(())
    }
}
