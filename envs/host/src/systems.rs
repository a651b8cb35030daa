//! The host's systems: each walks the lanes once and calls one stage of [`rl_gym::Lane`].

use crate::{
    components::{HostArena, HostedGame, LanePlan, LaneState, Lanes},
    walk::{LaneQuery, walk},
};
use bevy_ecs::change_detection::{Res, ResMut};
use rl_gym::{Arena, DynEnv, Lane, Plan};

/// Decides what each lane does.
pub(crate) fn apply_actions(mut query: LaneQuery<'_, '_>, lanes: Res<Lanes>, mut arena: ResMut<HostArena>) {
    arena.0.begin_step();
    walk(&mut query, &lanes.0, 0..lanes.0.len(), &mut arena.0, |lane, _, plan, _| {
        plan.0 = Some(lane.0.plan())
    });
}

/// Plays the actions.
pub(crate) fn simulate(query: LaneQuery<'_, '_>, lanes: Res<Lanes>, arena: ResMut<HostArena>) {
    stage(query, &lanes, arena, Lane::simulate);
}

/// Sums returns and decides which episodes are over.
pub(crate) fn score(query: LaneQuery<'_, '_>, lanes: Res<Lanes>, arena: ResMut<HostArena>) {
    stage(query, &lanes, arena, Lane::score);
}

/// Writes the observation and mask rows and records ended episodes.
pub(crate) fn observe(query: LaneQuery<'_, '_>, lanes: Res<Lanes>, arena: ResMut<HostArena>) {
    stage(query, &lanes, arena, |lane, plan, env, arena| lane.observe(plan, env, arena));
}

/// Begins the next episodes.
pub(crate) fn reset(query: LaneQuery<'_, '_>, lanes: Res<Lanes>, arena: ResMut<HostArena>) {
    stage(query, &lanes, arena, Lane::reset_if_due);
}

#[inline]
fn stage(
    mut query: LaneQuery<'_, '_>,
    lanes: &Lanes,
    mut arena: ResMut<HostArena>,
    work: impl Fn(&mut Lane, Plan, &mut dyn DynEnv, &mut Arena),
) {
    let one = |lane: &mut LaneState, game: &mut HostedGame, plan: &mut LanePlan, arena: &mut Arena| {
        if let Some(plan) = plan.0 {
            work(&mut lane.0, plan, game.env(), arena);
        }
    };
    walk(&mut query, &lanes.0, 0..lanes.0.len(), &mut arena.0, one);
}
