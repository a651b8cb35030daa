//! Nature's moves as numbers: dice 2..=12 by their sum, the card drawn as 16 + kind, the card stolen as
//! 32 + resource. The laying of the board belongs to the seed and is not offered.

use super::SettlersEnv;
use crate::chance::{Outcome as Luck, Pending};
use crate::counts::{DevCard, Resource};
use rl_gym::{Chance, Fault, Outcome};

/// First number of the development cards.
const DRAWN: u32 = 16;
/// First number of the stolen cards.
const STOLEN: u32 = 32;

fn code(outcome: Luck) -> u32 {
    match outcome {
        Luck::Certain | Luck::Hidden => 0,
        Luck::Dice(a, b) => u32::from(a + b),
        Luck::Drawn(card) => DRAWN + card.index() as u32,
        Luck::Stolen(resource) => STOLEN + resource.index() as u32,
    }
}

/// Dice with this sum: play depends on nothing else, so one pair of faces stands for all.
fn dice(sum: u8) -> Luck {
    let low = sum.saturating_sub(6).max(1);
    Luck::Dice(low, sum - low)
}

fn decode(code: u32) -> Luck {
    match code {
        2..=12 => dice(code as u8),
        16..=20 => Luck::Drawn(DevCard::ALL[(code - DRAWN) as usize]),
        32..=36 => Luck::Stolen(Resource::ALL[(code - STOLEN) as usize]),
        _ => Luck::Certain,
    }
}

impl SettlersEnv {
    /// Draws the pending move of nature from the game's generator and applies it.
    #[inline]
    pub(super) fn draw(&mut self) -> Result<(), Fault> {
        let outcome = match self.state.sample() {
            Luck::Dice(a, b) => dice(a + b),
            other => other,
        };
        self.happen(outcome)
    }

    fn happen(&mut self, outcome: Luck) -> Result<(), Fault> {
        let pending = self.state.pending();
        self.state.resolve(outcome).map_err(|e| Fault::new(e.to_string()))?;
        if let (Some(Pending::Steal { victim }), Luck::Stolen(card)) = (pending, outcome) {
            self.belief.stolen(&self.state, victim, card, &mut self.filter);
        }
        self.drawn.push(code(outcome));
        Ok(())
    }
}

impl Chance for SettlersEnv {
    fn set_explicit(&mut self, explicit: bool) {
        self.explicit = explicit;
    }

    fn outcomes(&self, outcomes: &mut Vec<(u32, f64)>) -> bool {
        outcomes.clear();
        outcomes.extend(self.state.outcomes().as_slice().iter().map(|&(outcome, p)| (code(outcome), p)));
        !outcomes.is_empty()
    }

    fn apply_outcome(&mut self, outcome: u32, mut out: Outcome<'_>) -> Result<(), Fault> {
        let kind = match self.state.pending() {
            None => {
                return Err(Fault::new(format!(
                    "outcome {outcome} came when nature is not to move: step instead"
                )));
            }
            Some(Pending::Roll) => "dice are 2..=12",
            Some(Pending::DevDraw) => "cards of the deck are 16..=20",
            Some(Pending::Steal { .. }) => "cards of the victim are 32..=36",
        };
        self.drawn.clear();
        self.happen(decode(outcome)).map_err(|_| {
            Fault::new(format!(
                "outcome {outcome} is impossible now: {kind}; ask Chance::outcomes for the list"
            ))
        })?;
        self.settle()?;
        self.conclude(&mut out);
        Ok(())
    }

    fn drawn(&self) -> &[u32] {
        &self.drawn
    }
}
