//! Bevy host: one World per worker, environments as entities, behind the batch API of `rl-gym`.
//!
//! [`HostEnv`] is a [`rl_gym::BatchEnv`] like [`rl_gym::VecEnv`] and gives the same bytes in every call. Each
//! shard is a [`Hosted`] world: a lane is an entity of [`LaneState`], [`HostedGame`] and [`LanePlan`], the
//! batch's rows are the resource [`HostArena`] for the time of a step, and [`HostStep`] runs the sets
//! [`HostSystems`] on the thread that holds the shard. A watcher adds systems ordered by these sets:
//!
//! ```
//! use agon_host::{HostArena, HostEnv, HostSystems};
//! use bevy_ecs::{schedule::IntoScheduleConfigs, system::Res};
//! use rl_gym::{BatchConfig, Factory, GymError};
//!
//! fn print_ends(arena: Res<HostArena>) {
//!     arena.finals().for_each(|(f, _)| println!("lane {} ended with {}", f.lane, f.episode_return));
//! }
//!
//! fn watched(factory: &Factory) -> Result<HostEnv, GymError> {
//!     let mut batch = HostEnv::new(factory, BatchConfig::lanes(64))?;
//!     for world in batch.shards_mut() {
//!         world.add_systems(print_ends.after(HostSystems::Observe).before(HostSystems::Reset))?;
//!     }
//!     Ok(batch)
//! }
//! ```
//!
//! # One walk or five
//! [`HostStep`] walks the lanes once a stage, five times a step. While no foreign system looks between the
//! stages nobody can tell, so a world without any walks its lanes once, all stages of a lane behind each
//! other; the first foreign system of [`HostStep`] brings the schedule in. Lanes share nothing, so both give
//! the same bytes (`tests/equality.rs`). The README has the measured price of each.
//!
//! Not here: any game, any rule, drawing, a clock, Bevy's `App` or its multi-threaded executor. Parallelism
//! comes from one world a worker.

mod components;
mod hosted;
mod schedule;
mod systems;
mod walk;

pub use components::{HostArena, HostedGame, LanePlan, LaneState, Lanes};
pub use hosted::{HostEnv, Hosted};
pub use schedule::{HostStep, HostSystems};
