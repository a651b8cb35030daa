//! Visiting the lanes of a world in lane order, with panics kept to the lane that had them.

use crate::components::{HostedGame, LanePlan, LaneState};
use bevy_ecs::{change_detection::DetectChangesMut, entity::Entity, system::Query};
use rl_gym::{Arena, panic_text};
use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The parts of a lane.
pub(crate) type LaneParts = (&'static mut LaneState, &'static mut HostedGame, &'static mut LanePlan);

/// All lanes of a world.
pub(crate) type LaneQuery<'w, 's> = Query<'w, 's, LaneParts>;

/// Calls `work` for the lanes of `range` in lane order; `lanes` are the entities of all lanes.
///
/// Lanes are spawned in order into one table, which a query walks from front to back. A foreign system that
/// gives some lanes a component more moves them to another table and breaks that order; so each lane's number
/// is compared, and from the first surprise on the lanes are fetched one by one by their entities: slower,
/// with the same bytes. A range of less than all lanes is fetched so from the start.
///
/// A lane that panics is reported, taken out of the rest of the step, and the walk goes on behind it. The
/// guard is entered once a walk, not once a lane: without panics it costs a lane nothing.
#[inline]
pub(crate) fn walk(
    query: &mut LaneQuery<'_, '_>,
    lanes: &[Entity],
    range: Range<usize>,
    arena: &mut Arena,
    mut work: impl FnMut(&mut LaneState, &mut HostedGame, &mut LanePlan, &mut Arena),
) {
    let mut by_entity = range.len() < lanes.len();
    let (mut next, mut lost) = (range.start, false);
    while next < range.end {
        let run = catch_unwind(AssertUnwindSafe(|| {
            if !by_entity {
                in_tables(query, &mut next, arena, &mut work);
                by_entity = true;
            }
            while next < range.end && !lost {
                match query.get_mut(lanes[next]) {
                    Ok((mut lane, mut game, mut plan)) => {
                        next += 1;
                        let (lane, game) = (lane.bypass_change_detection(), game.bypass_change_detection());
                        work(lane, game, plan.bypass_change_detection(), arena);
                    }
                    Err(_) => lost = true,
                }
            }
        }));
        let mend = "systems must not despawn lanes or take their components";
        assert!(!lost, "the world lost its lane {next}: {mend}");
        if let Err(payload) = run
            && let Ok((mut lane, _, mut plan)) = query.get_mut(lanes[next - 1])
        {
            plan.0 = None;
            lane.0.panicked(panic_text(&*payload), arena);
        }
    }
}

/// Visits lane `next` and those behind it while the tables list them in order. Tables come as slices, so that
/// this is a plain loop over three arrays.
#[inline]
fn in_tables(
    query: &mut LaneQuery<'_, '_>,
    next: &mut usize,
    arena: &mut Arena,
    work: &mut impl FnMut(&mut LaneState, &mut HostedGame, &mut LanePlan, &mut Arena),
) {
    let Ok(tables) = query.contiguous_iter_mut() else { return };
    let mut first = 0;
    for (mut lanes, mut games, mut plans) in tables {
        // Behind a panic the walk starts in the middle.
        let here = lanes.len();
        let skip = (*next - first).min(here);
        let lanes = &mut lanes.bypass_change_detection()[skip..];
        let games = &mut games.bypass_change_detection()[skip..];
        let plans = &mut plans.bypass_change_detection()[skip..];
        for ((lane, game), plan) in lanes.iter_mut().zip(games).zip(plans) {
            if lane.0.local() != *next {
                return;
            }
            *next += 1;
            work(lane, game, plan, arena);
        }
        first += here;
    }
}
