//! Longest road, largest army, and who has won.

use crate::longest_road::{longest, longest_from, longest_through};
use crate::state::{GameOutcome, State};
use crate::topology::{EdgeId, NODE_EDGE_SET, NodeId, Seat};

/// Least length that earns the longest road card.
pub(crate) const LEAST_ROAD: u8 = 5;
/// Least number of knights that earns the largest army card.
pub(crate) const LEAST_ARMY: u8 = 3;
/// Points of either card.
pub(crate) const AWARD_POINTS: u8 = 2;

impl State {
    /// Length and holder after `seat` placed `edge`.
    pub(super) fn settle_roads_after_road(&mut self, seat: Seat, edge: EdgeId) {
        let (blocked, s) = (self.blocked(seat), usize::from(seat));
        let own = &self.seats[s];
        let candidate = if self.config.compat.lr_blocked_end_uncounted {
            longest_from(own.roads, blocked, own.joined)
        } else {
            longest_through(own.roads, blocked, edge)
        };
        self.seats[s].road_length = own.road_length.max(candidate);
        if self.config.compat.lr_holder_after_cut {
            let best = self.road_holder.map_or(0, |h| self.seats[usize::from(h)].road_length);
            if candidate >= LEAST_ROAD && candidate > best {
                self.give_road(Some(seat));
            }
        } else {
            self.award_road();
        }
    }

    /// Lengths and holder after `seat` built on `node`; only a road that ran through the node can get shorter.
    pub(super) fn settle_roads_after_building(&mut self, seat: Seat, node: NodeId) {
        let edges = NODE_EDGE_SET[usize::from(node)];
        let through = |s: &crate::SeatState| (s.roads & edges).count_ones() > 1;
        let Some(cut) = (0..self.num_seats()).find(|&s| s != usize::from(seat) && through(&self.seats[s]))
        else {
            return;
        };
        self.measure(cut as Seat);
        if self.config.compat.lr_holder_after_cut {
            let n = self.num_seats();
            let best = self.seats[..n].iter().map(|s| s.road_length).max().unwrap_or(0);
            let first = self.seats[..n].iter().position(|s| s.road_length == best);
            self.give_road(first.map(|s| s as Seat));
        } else {
            self.award_road();
        }
    }

    /// Measures the roads of `seat` from scratch.
    pub(crate) fn measure(&mut self, seat: Seat) {
        let blocked = self.blocked(seat);
        let own = &mut self.seats[usize::from(seat)];
        own.road_length = if self.config.compat.lr_blocked_end_uncounted {
            longest_from(own.roads, blocked, own.joined)
        } else {
            longest(own.roads, blocked)
        };
    }

    /// The holder keeps the card while nobody is longer and it has five; else a single longest seat with five
    /// takes it; else it lies aside.
    pub(crate) fn award_road(&mut self) {
        let length = |s: usize| self.seats[s].road_length;
        let n = self.num_seats();
        let best = (0..n).map(length).max().unwrap_or(0);
        if best < LEAST_ROAD {
            return self.give_road(None);
        }
        if self.road_holder.is_some_and(|h| length(usize::from(h)) == best) {
            return;
        }
        let mut longest = (0..n).filter(|&s| length(s) == best);
        let holder = longest.next().filter(|_| longest.next().is_none());
        self.give_road(holder.map(|s| s as Seat));
    }

    fn give_road(&mut self, holder: Option<Seat>) {
        if let Some(old) = self.road_holder {
            self.seats[usize::from(old)].points -= AWARD_POINTS;
        }
        if let Some(new) = holder {
            self.seats[usize::from(new)].points += AWARD_POINTS;
        }
        self.road_holder = holder;
    }

    /// After the seat on turn played a knight: three take the card, more than the holder's move it.
    pub(crate) fn award_army(&mut self) {
        let knights = |s: Seat| self.seats[usize::from(s)].played[0];
        let (seat, holder) = (self.turn, self.army_holder);
        let best = holder.map_or(LEAST_ARMY - 1, knights);
        if holder != Some(seat) && knights(seat) > best {
            if let Some(old) = holder {
                self.seats[usize::from(old)].points -= AWARD_POINTS;
            }
            self.seats[usize::from(seat)].points += AWARD_POINTS;
            self.army_holder = Some(seat);
        }
    }

    /// The seat on turn wins with enough points, hidden ones included; nobody else can.
    #[inline]
    pub(super) fn check_winner(&mut self) {
        let goal = self.config.victory_points;
        if self.outcome.is_some() {
            return;
        }
        if self.config.compat.win_any_time {
            let n = self.num_seats();
            if let Some(seat) = self.seats[..n].iter().rposition(|s| s.true_points() >= goal) {
                self.finish(GameOutcome::Winner(seat as Seat));
            }
        } else if self.seats[usize::from(self.turn)].true_points() >= goal {
            self.finish(GameOutcome::Winner(self.turn));
        }
    }
}
