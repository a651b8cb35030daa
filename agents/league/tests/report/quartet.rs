//! A game that is only described.

use rl_gym::{
    BitsMut, Dtype, Dynamics, Env, EpisodeSeed, Fault, Field, Game, Information, Luck, Placing, Space, Spec,
    Utility,
};

/// Seats of a game.
pub(crate) const SEATS: usize = 4;

/// A game of four seats that only the winner counts in; it is never played here.
pub(crate) fn quartet() -> Game {
    Game {
        name: "quartet",
        version: 3,
        summary: "four seats, one winner",
        options: Vec::new(),
        make: |_| Ok(Box::new(Quartet(quartet_spec()))),
        bots: Vec::new(),
        genome: None,
        traces: None,
        vocabulary: None,
    }
}

pub(crate) struct Quartet(Spec);

pub(crate) fn quartet_spec() -> Spec {
    Spec {
        game: "quartet".into(),
        version: 3,
        seats: SEATS,
        obs: Space::Fields {
            dtype: Dtype::F32,
            fields: vec![Field::new("nothing", &[1], 0.0, 1.0, "nothing")],
        },
        action: Space::Discrete { n: 2 },
        masked: false,
        dynamics: Dynamics::TurnBased,
        information: Information::Perfect,
        luck: Luck::Deterministic,
        utility: Utility::ZeroSum,
        placing: Placing::WinnerOnly,
        reward: (-1.0, 1.0),
        metrics: Vec::new(),
        max_steps: None,
    }
}

impl Env for Quartet {
    type Obs = f32;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.0
    }

    fn reset(&mut self, _seed: EpisodeSeed, _out: rl_gym::Outcome<'_>) -> Result<(), Fault> {
        Err(Fault::new("this game is a description only"))
    }

    fn step(&mut self, _acts: &[u32], _out: rl_gym::Outcome<'_>) -> Result<(), Fault> {
        Err(Fault::new("this game is a description only"))
    }

    fn observe(&self, _seat: usize, obs: &mut [f32], _mask: BitsMut<'_>) {
        obs.fill(0.0);
    }
}
