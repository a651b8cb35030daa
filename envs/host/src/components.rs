//! What a host's world holds: components of a lane, resources of the shard.

use bevy_ecs::{component::Component, entity::Entity, resource::Resource};
use bevy_platform::cell::SyncCell;
use rl_gym::{Arena, DynEnv, Lane, Plan};
use std::{ops::Deref, sync::Arc};

/// The bookkeeping of one lane: episode, seed, returns, limits. Read it through [`Deref`]; only the host writes.
///
/// Every lane changes in every step, so the host bypasses change detection: read lanes in each step rather
/// than through `Changed` filters, which see nothing.
#[derive(Component, Debug)]
pub struct LaneState(pub(crate) Lane);

impl Deref for LaneState {
    type Target = Lane;

    fn deref(&self) -> &Lane {
        &self.0
    }
}

/// The environment of one lane.
///
/// A [`DynEnv`] may be sent to a thread but not shared, so the cell hands it out for exclusive access only:
/// a watcher asks for `&mut HostedGame` and then [reads](Self::read).
#[derive(Component)]
pub struct HostedGame(pub(crate) SyncCell<Box<dyn DynEnv>>);

impl HostedGame {
    /// The environment, to look at: its text, spec, ranks and state hash.
    pub fn read(&mut self) -> &dyn DynEnv {
        &**self.0.get()
    }

    #[inline]
    pub(crate) fn env(&mut self) -> &mut dyn DynEnv {
        &mut **self.0.get()
    }
}

/// What a lane does in this step; written in [`HostSystems::ApplyActions`](crate::HostSystems).
///
/// `None` takes the lane out of the rest of the step: its environment panicked in an earlier stage.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct LanePlan(pub(crate) Option<Plan>);

impl LanePlan {
    /// What the lane does, or `None` after a panic in this step.
    pub const fn get(self) -> Option<Plan> {
        self.0
    }
}

/// The rows of all lanes, for the time of a step: a watcher reads observations, rewards, flags and masks here.
///
/// The batch owns the memory; a step moves it in and out, so between two steps this arena has no lanes.
#[derive(Resource)]
pub struct HostArena(pub(crate) Arena);

impl Deref for HostArena {
    type Target = Arena;

    fn deref(&self) -> &Arena {
        &self.0
    }
}

/// The entities of the lanes, in lane order.
#[derive(Resource, Clone, Debug)]
pub struct Lanes(pub(crate) Arc<[Entity]>);

impl Lanes {
    /// The lane entities; the position is the lane's number within this world.
    pub fn entities(&self) -> &[Entity] {
        &self.0
    }
}
