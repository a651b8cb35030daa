//! The longest road and the largest army, by the rule as a sentence and the history of a game.

use crate::slow::Facts;
use agon_settlers::{Seat, State};
use rl_gym::Pcg64;

/// What the holders of both cards follow from.
#[derive(Default)]
pub(crate) struct History {
    pieces: (u32, u32),
    road: Option<Seat>,
    army: Option<Seat>,
}

impl History {
    /// Road lengths are those of the slow search (looked at in one of `every` changes); both cards are where the
    /// rules put them, change by change. Forced steps hide changes, so those games are not followed.
    pub(crate) fn follow(
        &mut self,
        state: &State,
        every: u32,
        rng: &mut Pcg64,
        count: &mut u64,
    ) -> Result<(), String> {
        let pieces = (state.roads().count_ones(), state.occupied().count_ones());
        let seats = 0..state.num_seats() as Seat;
        let kept: Vec<u8> = seats.clone().map(|s| state.seat(s).road_length).collect();
        if pieces != self.pieces && rng.below(every) == 0 {
            *count += 1;
            let facts = Facts::new(state);
            let lengths: Vec<u8> = seats.clone().map(|s| facts.longest_road(s)).collect();
            if kept != lengths {
                return Err(format!("road lengths {kept:?}, slow search {lengths:?}"));
            }
        }
        if state.config().auto_advance {
            return Ok(());
        }
        if pieces != self.pieces {
            self.road = road_rule(self.road, &kept);
            self.pieces = pieces;
        }
        self.army = army_rule(self.army, &seats.map(|s| state.seat(s).played[0]).collect::<Vec<_>>());
        if (self.road, self.army) == (state.road_holder(), state.army_holder()) {
            return Ok(());
        }
        Err(format!(
            "road and army cards at {:?} and {:?}, by the rule at {:?} and {:?}",
            state.road_holder(),
            state.army_holder(),
            self.road,
            self.army
        ))
    }
}

/// The rule as a sentence: the holder stays while it is longest with five or more; else the only longest
/// takes it; else nobody.
fn road_rule(holder: Option<Seat>, lengths: &[u8]) -> Option<Seat> {
    let best = *lengths.iter().max().expect("seats");
    let longest: Vec<Seat> =
        (0..lengths.len() as Seat).filter(|&s| lengths[usize::from(s)] == best && best >= 5).collect();
    match (holder, longest.as_slice()) {
        (Some(h), many) if many.contains(&h) => Some(h),
        (_, &[only]) => Some(only),
        _ => None,
    }
}

fn army_rule(holder: Option<Seat>, knights: &[u8]) -> Option<Seat> {
    let level = holder.map_or(2, |h| knights[usize::from(h)]);
    (0..knights.len() as Seat).find(|&s| knights[usize::from(s)] > level).or(holder)
}
