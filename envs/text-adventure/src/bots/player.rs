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
            let done = self.answer(&mut ask).and_then(|action| choose(&mut ask, action));
            if let Err(why) = done {
                decisions.give_up(i, why);
            }
        }
        Ok(())
    }
}

/// Writes the listed action with this index into the row of its interface.
fn choose(ask: &mut Ask<'_>, index: u32) -> Result<(), Fault> {
    match ask.action.len() {
        4 => ask.choose(index),
        12 => {
            let view = View::read(ask.obs);
            let choice = view.choices().find(|c| c.index == index);
            let choice =
                choice.ok_or_else(|| Fault::new(format!("the observation lists no action {index}")))?;
            let parts = [choice.verb as u32, view.object(choice.a), view.object(choice.b)];
            for (cell, part) in ask.action.chunks_exact_mut(4).zip(parts) {
                cell.copy_from_slice(&part.to_ne_bytes());
            }
        }
        _ => {
            return Err(Fault::new(
                "this player does not write text: play with actions=id or actions=triple",
            ));
        }
    }
    Ok(())
}

/// Follows the planner's advice in the row.
pub struct Planner;

impl Policy for Planner {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            let lacks =
                || Fault::new("the planner follows the advice in the observation: play it with advice=on");
            let done =
                View::read(ask.obs).advice().ok_or_else(lacks).and_then(|action| choose(&mut ask, action));
            if let Err(why) = done {
                decisions.give_up(i, why);
            }
        }
        Ok(())
    }
}
