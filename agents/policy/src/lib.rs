//! Named players of every game in one registry.
//!
//! A game brings its own scripted bots; `random` exists for every game. [`Players`] finds both by name and
//! makes them for an environment's spec. Players that a run has evolved are numbers in that run's store: the
//! league crate makes them through the game's [`rl_gym::Genome`]. Foreign programs take a seat through [`stdio`].
//!
//! ```
//! # fn show(game: &rl_gym::Game) -> Result<(), rl_gym::GymError> {
//! let players = agon_policy::Players::of(game);
//! for p in players.iter() {
//!     println!("{} v{}: {}", p.name, p.version, p.summary);
//! }
//! let spec = (game.make)(&game.defaults())?.spec().clone();
//! let policy = (players.find("random")?.make)(&spec);
//! # let _ = policy; Ok(())
//! # }
//! ```

mod random;
pub mod stdio;

pub use random::Random;
use rl_gym::{Bot, Game, GymError};

/// The random player, as every game lists it.
pub const RANDOM: Bot = Bot {
    name: "random",
    version: 1,
    summary: "uniform over the legal actions",
    anchor: true,
    make: |spec| Box::new(Random::new(spec)),
};

/// The named players of one game, weakest first.
#[derive(Clone)]
pub struct Players {
    game: &'static str,
    bots: Vec<Bot>,
}

impl Players {
    /// `random` and the bots that `game` brings along. A game's own `random` takes the place of ours.
    pub fn of(game: &Game) -> Self {
        let own = game.bots.iter().any(|b| b.name == RANDOM.name);
        let bots = (!own).then_some(RANDOM).into_iter().chain(game.bots.iter().copied()).collect();
        Self { game: game.name, bots }
    }

    /// All players, weakest first.
    pub fn iter(&self) -> impl Iterator<Item = &Bot> {
        self.bots.iter()
    }

    /// The frozen ones, by which ladders of different runs are compared.
    pub fn anchors(&self) -> impl Iterator<Item = &Bot> {
        self.iter().filter(|b| b.anchor)
    }

    /// A player by name.
    ///
    /// # Errors
    /// [`GymError::UnknownPolicy`] with the nearest name and all names.
    pub fn find(&self, name: &str) -> Result<&Bot, GymError> {
        self.iter().find(|b| b.name == name).ok_or_else(|| GymError::UnknownPolicy {
            game: self.game.into(),
            asked: name.into(),
            known: self.iter().map(|b| b.name.to_owned()).collect(),
        })
    }
}
