//! Distils skills from rollouts.
//!
//! [`Rollouts`] take in what seats saw, could do and did, in the words of their game ([`rl_gym::Vocabulary`]).
//! [`distill`] cuts them where something happened, finds sequences of actions that recur and pay, turns what differs
//! between their instances into selectors, mines a contract, and prints readable Luau. [`pick_rules`] and [`policy`]
//! fit decision lists to a strong player, [`tune`] varies the numbers of a skill. Everything that leaves this crate
//! compiles, passes the lint and fits its game; whether it helps is for gates to find out on other seeds.
//!
//! ```
//! use agon_skill_distill::{Config, DistillError, Rollouts, distill};
//! use rl_gym::{Game, Replay, Spec};
//!
//! /// The code of what recurs and pays in these replays.
//! fn mine(game: &Game, spec: &Spec, replays: &[Replay]) -> Result<Vec<String>, DistillError> {
//!     let mut rollouts = Rollouts::new(game, spec)?;
//!     for (replay, episode) in replays.iter().zip(0..) {
//!         rollouts.replay(game, replay, episode)?;
//!     }
//!     let found = distill(&rollouts, &Config::default())?;
//!     Ok(found.candidates.into_iter().map(|c| c.skill.code).collect())
//! }
//! ```
//!
//! All of it is deterministic: the same rollouts and settings give the same bytes.
//!
//! Not here: playing, judging by fresh games, storing.

mod config;
mod contract;
mod distill;
mod emit;
mod error;
mod ir;
mod link;
mod maintain;
mod mine;
mod propose;
mod rollouts;
mod segment;
mod shape;
mod variants;

pub use config::Config;
pub use distill::{Distilled, Summary, distill};
pub use emit::{Candidate, Evidence, Link, Source, print, with_contract};
pub use error::DistillError;
pub use ir::{Bound, Ir, Number, Range, Rule, Selector, Until, Weight};
pub use maintain::{agreement, effect_jaccard, first_actions, refine, should_merge, split};
pub use mine::{Grammar, re_pair};
pub use propose::{Ladder, PickConfig, PolicyConfig, Proposers, Tuned, pick_rules, policy, propose, tune};
pub use rollouts::{Rollouts, TraceId};
pub use shape::{Slot, anti_unify};
