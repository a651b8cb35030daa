//! The player that needs to know nothing: uniform over the legal actions of any game.

use rl_gym::{Decisions, Fault, Policy, Space, Spec};

/// Uniform over the mask where there is one, over the action space elsewhere. An anchor of every ladder.
pub struct Random {
    action: Space,
}

impl Random {
    /// The random player of games with this spec.
    pub fn new(spec: &Spec) -> Self {
        Self { action: spec.action.clone() }
    }
}

impl Policy for Random {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            let ask = decisions.ask(i);
            self.action.sample(ask.mask, ask.rng, ask.action);
        }
        Ok(())
    }
}
