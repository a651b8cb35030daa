//! The policy around a search: one row, one simulator, one decision.

use crate::{
    Search,
    table::{Desk, Table},
};
use rl_gym::{Ask, Decisions, Fault, Policy};

/// Seats a search at a game.
///
/// It looks at nothing but its mask and the simulator that the caller lends with each decision, which holds a
/// state redrawn for its seat. Forced decisions are taken without a look.
pub struct Searcher<S> {
    search: S,
    desk: Option<Desk>,
}

impl<S: Search> Searcher<S> {
    /// A player that decides by `search`.
    pub const fn new(search: S) -> Self {
        Self { search, desk: None }
    }

    fn decide(&mut self, ask: &mut Ask<'_>) -> Result<u32, Fault> {
        if let (1, Some(only)) = (ask.mask.count(), ask.mask.nth(0)) {
            return Ok(only as u32);
        }
        let Some(env) = ask.simulator.as_deref_mut() else {
            return Err(Fault::new(
                "a search player was asked without a simulator: its caller must serve wants_simulator()",
            ));
        };
        let desk = match &mut self.desk {
            Some(desk) => desk,
            None => self.desk.insert(Desk::new(env.spec())?),
        };
        self.search.decide(&mut Table::new(env, desk)?, ask.seat, ask.mask, ask.rng)
    }
}

impl<S: Search> Policy for Searcher<S> {
    fn wants_simulator(&self) -> bool {
        true
    }

    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            match self.decide(&mut ask) {
                Ok(action) => ask.choose(action),
                Err(why) => decisions.give_up(i, why),
            }
        }
        Ok(())
    }
}
