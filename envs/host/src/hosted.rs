//! A shard of a batch that lives in a Bevy world.

use crate::{
    components::{HostArena, HostedGame, LanePlan, LaneState, Lanes},
    schedule::{HostStep, OWN_SYSTEMS, host_step},
    walk::{LaneParts, walk},
};
use bevy_ecs::{
    query::QueryState,
    schedule::{IntoScheduleConfigs, Schedules},
    system::ScheduleSystem,
    world::World,
};
use bevy_platform::cell::SyncCell;
use rl_gym::{Arena, BatchConfig, DynEnv, Factory, Fault, GymError, Lane, LaneReset, Shard, Sharded};
use std::ops::Range;

/// A batch whose environments live in Bevy worlds, one world a worker. Use it as any other
/// [`BatchEnv`](rl_gym::BatchEnv); [`Sharded::shards_mut`] leads to the worlds.
pub type HostEnv = Sharded<Hosted>;

/// A Bevy world of lanes, stepped on whatever thread holds it.
pub struct Hosted {
    world: World,
    query: QueryState<LaneParts>,
    lanes: Lanes,
    passes: Passes,
}

/// How a step walks the lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passes {
    /// One walk, all stages of a lane behind each other: nobody looks between the stages.
    One,
    /// The schedule, a walk a stage: foreign systems run between them.
    Staged,
    /// The world was lent out: look for foreign systems before the next step.
    Unknown,
}

impl Hosted {
    /// The world, to look at.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The world, to query, or to add entities, resources and systems of [`HostStep`] to. Prefer
    /// [`Self::add_systems`], which reports a system without an order at once; the next step panics about it.
    pub const fn world_mut(&mut self) -> &mut World {
        self.passes = Passes::Unknown;
        &mut self.world
    }

    /// Adds systems to [`HostStep`], ordered by [`HostSystems`](crate::HostSystems). From then on the stages
    /// run one after the other for all lanes, so that the systems see the world between them.
    ///
    /// # Errors
    /// A schedule that cannot be built, above all a system that touches what another one writes without
    /// saying which goes first. The host cannot step afterwards: drop it.
    pub fn add_systems<M>(
        &mut self,
        systems: impl IntoScheduleConfigs<ScheduleSystem, M>,
    ) -> Result<(), GymError> {
        self.world.resource_mut::<Schedules>().add_systems(HostStep, systems);
        self.choose_passes()
    }

    /// Whether foreign systems run between the stages.
    pub fn is_watched(&self) -> bool {
        self.passes == Passes::Staged
    }

    fn choose_passes(&mut self) -> Result<(), GymError> {
        self.passes = Passes::Unknown;
        let (built, systems) = self.world.schedule_scope(HostStep, |world, schedule| {
            let built = schedule.initialize(world).map(drop);
            (built.map_err(|e| e.to_string(schedule.graph(), world)), schedule.systems_len())
        });
        built.map_err(|e| {
            Fault::new(format!(
                "{}\norder the system by HostSystems (before, after or in a set)",
                e.trim_end()
            ))
        })?;
        self.passes = if systems == OWN_SYSTEMS { Passes::One } else { Passes::Staged };
        Ok(())
    }

    fn swap(&mut self, arena: &mut Arena) {
        std::mem::swap(&mut self.world.resource_mut::<HostArena>().0, arena);
    }

    /// Calls `work` for some lanes, outside the schedule.
    #[inline]
    fn each(
        &mut self,
        range: Range<usize>,
        arena: &mut Arena,
        mut work: impl FnMut(&mut Lane, &mut dyn DynEnv, &mut Arena),
    ) {
        let mut query = self.query.query_mut(&mut self.world);
        walk(&mut query, &self.lanes.0, range, arena, |lane, game, _, arena| {
            work(&mut lane.0, game.env(), arena);
        });
    }
}

impl Shard for Hosted {
    fn build(factory: &Factory, config: BatchConfig, first: usize, lanes: usize) -> Result<Self, GymError> {
        let mut world = World::new();
        let mut entities = Vec::with_capacity(lanes);
        for local in 0..lanes {
            let env = factory()?;
            let lane = LaneState(Lane::new((first + local) as u32, local, &*env, config));
            entities.push(world.spawn((lane, HostedGame(SyncCell::new(env)), LanePlan(None))).id());
        }
        let lanes = Lanes(entities.into());
        world.insert_resource(lanes.clone());
        world.insert_resource(HostArena(Arena::hollow()));
        world.add_schedule(host_step());
        let query = world.query();
        let mut hosted = Self { world, query, lanes, passes: Passes::Unknown };
        hosted.choose_passes()?;
        Ok(hosted)
    }

    fn step(&mut self, arena: &mut Arena) {
        if self.passes == Passes::Unknown
            && let Err(error) = self.choose_passes()
        {
            panic!("{error}");
        }
        if self.passes == Passes::One {
            arena.begin_step();
            self.each(0..self.lanes.0.len(), arena, Lane::advance);
        } else {
            self.swap(arena);
            self.world.run_schedule(HostStep);
            self.swap(arena);
        }
    }

    fn restart(&mut self, root: u64, arena: &mut Arena) {
        arena.begin_step();
        self.each(0..self.lanes.0.len(), arena, |lane, env, arena| lane.restart(root, env, arena));
    }

    fn reset_lanes(&mut self, lanes: &[LaneReset], arena: &mut Arena) {
        arena.begin_step();
        for reset in lanes {
            let local = reset.lane as usize;
            self.each(local..local + 1, arena, |lane, env, arena| match reset.seed {
                Some(seed) => lane.reset_to(seed, env, arena),
                None => lane.reset_next(env, arena),
            });
        }
    }

    fn env(&mut self, lane: usize) -> &mut dyn DynEnv {
        match self.world.get_mut::<HostedGame>(self.lanes.0[lane]) {
            Some(game) => game.into_inner().env(),
            None => panic!("the world lost its lane {lane}: systems must not despawn lanes"),
        }
    }
}
