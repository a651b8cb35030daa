//! The simulator that whoever plays matches lends to players that search.

use crate::{
    batch::BatchEnv,
    env::{AnyState, DynEnv},
    error::Fault,
    game::Game,
    options::Options,
    policy::{Decisions, Policy},
    rng::Pcg64,
    sharded::guarded,
    spec::Information,
};

/// One environment beside the batch; a player sees states in it that were redrawn for its seat, never a real one.
pub struct Simulator {
    env: Result<Box<dyn DynEnv>, Fault>,
    state: AnyState,
}

impl Simulator {
    /// A simulator of the game that the batch plays.
    pub fn new(game: &Game, options: &Options) -> Self {
        let made = guarded("the environment", || (game.make)(options).map_err(|e| Fault::new(e.to_string())));
        Self { env: made.flatten(), state: Box::new(()) }
    }

    /// Asks `policy` about one row.
    ///
    /// # Errors
    /// Why the row is given up: the game cannot be saved, hides something that it cannot redraw, or the player
    /// failed.
    pub fn ask(
        &mut self,
        policy: &mut dyn Policy,
        row: u32,
        batch: &mut dyn BatchEnv,
        rngs: &mut [Pcg64],
        given_up: &mut Vec<(u32, Fault)>,
    ) -> Result<(), Fault> {
        let env = self.env.as_deref_mut().map_err(|fault| fault.clone())?;
        guarded("the player", || {
            let seats = batch.shape().seats;
            let (lane, seat) = (row as usize / seats, row as usize % seats);
            let lacks =
                |what| Fault::new(format!("players that search need {what}, which this game does not offer"));
            let is_hidden = batch.spec().information != Information::Perfect;
            let real = batch.env(lane).as_snapshot().ok_or_else(|| lacks("snapshots"))?;
            real.save_any_into(&mut self.state);
            env.as_snapshot().ok_or_else(|| lacks("snapshots"))?.load_any(&self.state)?;
            match env.as_resample() {
                Some(env) => env.resample(seat, &mut rngs[row as usize]),
                None if is_hidden => return Err(lacks("redrawing of what is hidden")),
                None => {}
            }
            let (view, actions) = batch.parts();
            let rows = [row];
            policy.act(&mut Decisions::new(view, actions, &rows, rngs, given_up).with_simulator(env))
        })
        .flatten()
    }
}
