//! The order of a step: five named sets in a chain.

use crate::systems;
use bevy_ecs::schedule::{
    IntoScheduleConfigs, LogLevel, Schedule, ScheduleBuildSettings, ScheduleLabel, SingleThreadedExecutor,
    SystemSet,
};

/// The schedule of one step of all lanes of a world: add systems to it, ordered by [`HostSystems`].
///
/// It builds only without ambiguities: systems that conflict must say which goes first.
#[derive(ScheduleLabel, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HostStep;

/// The stages of [`HostStep`], in this order; each is over for all lanes before the next begins.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HostSystems {
    /// Reads the batch's actions: what each lane does in this step.
    ApplyActions,
    /// The rules move.
    Simulate,
    /// Rewards become returns, limits and forfeits apply; after it one knows which episodes are over.
    Score,
    /// Rows are written and ended episodes recorded. After it and before `Reset` an ended game shows its end.
    Observe,
    /// The next episodes begin.
    Reset,
}

/// Systems of the host in [`HostStep`].
pub(crate) const OWN_SYSTEMS: usize = 5;

pub(crate) fn host_step() -> Schedule {
    let mut schedule = Schedule::new(HostStep);
    schedule.set_executor(SingleThreadedExecutor::new()).set_build_settings(ScheduleBuildSettings {
        ambiguity_detection: LogLevel::Error,
        hierarchy_detection: LogLevel::Error,
        ..ScheduleBuildSettings::default()
    });
    schedule.configure_sets(
        (
            HostSystems::ApplyActions,
            HostSystems::Simulate,
            HostSystems::Score,
            HostSystems::Observe,
            HostSystems::Reset,
        )
            .chain(),
    );
    schedule.add_systems((
        systems::apply_actions.in_set(HostSystems::ApplyActions),
        systems::simulate.in_set(HostSystems::Simulate),
        systems::score.in_set(HostSystems::Score),
        systems::observe.in_set(HostSystems::Observe),
        systems::reset.in_set(HostSystems::Reset),
    ));
    schedule
}
