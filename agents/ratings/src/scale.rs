//! Which players are comparable at all: connected components, and groups with finite differences.

use serde::{Deserialize, Serialize};

/// Where a player stands with respect to the reference scale of a fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Standing {
    /// On the reference scale: the rating is finite and comparable.
    Finite,
    /// Beat players of the reference scale and never lost back: the estimate is plus infinity.
    Above,
    /// Lost to players of the reference scale and never won back: the estimate is minus infinity.
    Below,
    /// Has played, but neither path leads to the reference scale: not comparable with it.
    Apart,
    /// Has not met another player, is not anchored, and is not the reference scale on its own.
    NoGames,
}

/// Who beat whom and who met whom, as dense tables over players.
pub(crate) struct Meetings {
    players: usize,
    beat: Vec<bool>,
    met: Vec<bool>,
}

impl Meetings {
    pub(crate) fn new(players: usize) -> Self {
        Self { players, beat: vec![false; players * players], met: vec![false; players * players] }
    }

    /// `winner` was placed above `loser` with some weight (a tie is recorded both ways).
    pub(crate) fn record_beat(&mut self, winner: usize, loser: usize) {
        self.beat[winner * self.players + loser] = true;
    }

    pub(crate) fn record_met(&mut self, a: usize, b: usize) {
        self.met[a * self.players + b] = true;
        self.met[b * self.players + a] = true;
    }

    /// Pairs of different players that shared a game, `(low, high)` in ascending order.
    pub(crate) fn pairs(&self) -> Vec<(usize, usize)> {
        let all = (0..self.players).flat_map(|i| (i + 1..self.players).map(move |j| (i, j)));
        all.filter(|&(i, j)| self.met[i * self.players + j]).collect()
    }

    /// Anchored players stand at known distances, as if each had beaten and lost to the next.
    pub(crate) fn tie_together(&mut self, anchored: &[usize]) {
        for pair in anchored.windows(2) {
            self.record_beat(pair[0], pair[1]);
            self.record_beat(pair[1], pair[0]);
            self.record_met(pair[0], pair[1]);
        }
    }

    /// Counts virtual draws between all pairs that met.
    pub(crate) fn tie_met_pairs(&mut self) {
        for (i, j) in self.pairs() {
            self.record_beat(i, j);
            self.record_beat(j, i);
        }
    }

    /// Groups of players connected by games, numbered in order of their lowest player.
    pub(crate) fn components(&self) -> Vec<usize> {
        self.classes(|from| self.reach(&self.met, from, false))
    }

    /// Groups of players with finite differences: strongly connected by wins (Ford's condition).
    pub(crate) fn scales(&self) -> Vec<usize> {
        self.classes(|from| {
            let below = self.reach(&self.beat, from, false);
            let above = self.reach(&self.beat, from, true);
            below.iter().zip(&above).map(|(&b, &a)| a && b).collect()
        })
    }

    /// Standing of each player with respect to the scale `reference`.
    pub(crate) fn standings(&self, scales: &[usize], reference: usize) -> Vec<Standing> {
        let member = scales.iter().position(|&scale| scale == reference).unwrap_or(0);
        let below = self.reach(&self.beat, member, false);
        let above = self.reach(&self.beat, member, true);
        let standing = |player: usize| match (scales[player] == reference, above[player], below[player]) {
            (true, ..) => Standing::Finite,
            (_, true, _) => Standing::Above,
            (_, _, true) => Standing::Below,
            _ if self.met[player * self.players..][..self.players].contains(&true) => Standing::Apart,
            _ => Standing::NoGames,
        };
        (0..self.players).map(standing).collect()
    }

    fn classes(&self, members: impl Fn(usize) -> Vec<bool>) -> Vec<usize> {
        let mut class = vec![usize::MAX; self.players];
        let mut next = 0;
        for player in 0..self.players {
            if class[player] == usize::MAX {
                for (other, _) in members(player).iter().enumerate().filter(|(_, inside)| **inside) {
                    class[other] = next;
                }
                next += 1;
            }
        }
        class
    }

    /// Players reachable from `from` along `edges` (against them when `backward`), itself included.
    fn reach(&self, edges: &[bool], from: usize, backward: bool) -> Vec<bool> {
        let mut seen = vec![false; self.players];
        let mut open = vec![from];
        seen[from] = true;
        while let Some(at) = open.pop() {
            for (to, seen) in seen.iter_mut().enumerate() {
                let edge = if backward { to * self.players + at } else { at * self.players + to };
                if edges[edge] && !*seen {
                    *seen = true;
                    open.push(to);
                }
            }
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_of_wins_splits_into_scales_but_not_into_components() {
        // 0 beat 1; 1 and 2 beat each other; 2 beat 3; 4 never met anyone.
        let mut meetings = Meetings::new(5);
        for (winner, loser) in [(0, 1), (1, 2), (2, 1), (2, 3)] {
            meetings.record_beat(winner, loser);
            meetings.record_met(winner, loser);
        }
        assert_eq!(meetings.components(), [0, 0, 0, 0, 1]);
        let scales = meetings.scales();
        assert_eq!(scales, [0, 1, 1, 2, 3]);
        use Standing::*;
        assert_eq!(meetings.standings(&scales, 1), [Above, Finite, Finite, Below, NoGames]);
        assert_eq!(meetings.standings(&scales, 3)[0], Apart);
    }
}
