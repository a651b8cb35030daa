//! One step API for games with any number of seats.
//!
//! [`Env`] is what an author writes, [`DynEnv`] what everybody else holds, [`BatchEnv`] many of them behind
//! one call, [`Policy`] whoever decides. A single agent, a board game and six agents at once are the same
//! step: each takes one action row per seat and says in [`Flags`] who acts next and who is done. The caller
//! owns all rows; a warm step allocates nothing. Seeds are a tree, so results never depend on threads.
//!
//! Not here: any game, any Bevy type, any clock, file format of a run, or learning.

mod arena;
mod batch;
mod bits;
mod check;
mod env;
mod error;
mod flags;
mod game;
mod lane;
mod options;
mod policy;
mod replay;
pub mod rng;
pub mod seed;
mod sharded;
mod simulator;
mod space;
mod spec;
pub mod vocabulary;

pub use arena::{Arena, Final, LaneFault, Shape};
pub use batch::{Actions, Autoreset, Batch, BatchConfig, BatchEnv, LaneReset, OnIllegal, Seeding};
pub use bits::{Bits, BitsMut, words_for};
pub use check::{CheckConfig, Finding, RULES, Report, Severity, check};
pub use env::{
    AnyState, Chance, DynEnv, DynSnapshot, Env, Frame, Heuristic, Outcome, ParseError, Resample, Rows,
    Snapshot, TextEnv, discrete,
};
pub use error::{Fault, GymError, suggest};
pub use flags::{Flags, Row};
pub use game::{Bot, Game, Gene, Genome, MakeVocabulary, Registry, TraceCheck, TraceReport};
pub use lane::{Lane, Plan};
pub use options::{OptionDef, OptionKind, OptionValue, Options};
pub use policy::{Ask, Decisions, Policy};
pub use replay::{
    Annotation, Divergence, Moment, MoveReader, MoveRecorder, Moves, RecordConfig, Recorder, Replay,
    VerifyReport,
};
pub use rng::Pcg64;
pub use seed::{EpisodeSeed, SeedSequence};
pub use sharded::{Factory, Plain, Shard, Sharded, VecEnv, each_guarded, guarded, panic_text};
pub use simulator::Simulator;
pub use space::{Dtype, Field, OutOfSpace, Space};
pub use spec::{Dynamics, Information, Luck, Placing, Spec, Utility};
pub use vocabulary::Vocabulary;
