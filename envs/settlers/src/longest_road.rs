//! Length of the longest road: the longest trail (no edge twice, nodes as often as you like) that does not go
//! on through an opponent's building; it may end there.

use crate::topology::{EDGE_NODES, EdgeId, NODE_EDGE_SET, NODE_LINKS, NodeId};

/// Longest trail over `roads` that contains edge `through`, in edges; `blocked` are opponents' buildings.
///
/// Adding a road can only make trails through it, so the new length is the larger of the old one and this.
pub fn longest_through(roads: u128, blocked: u64, through: EdgeId) -> u8 {
    debug_assert!(roads >> through & 1 == 1, "the trail must run over own roads");
    let [a, b] = EDGE_NODES[usize::from(through)];
    let mut search = Search { blocked, best: 1 };
    search.first_side(a, b, roads & !(1 << through), 1);
    search.best
}

/// Longest trail over `roads`, in edges.
///
/// Every trail is found at the first of its edges in ascending order, with the edges before it taken away.
pub fn longest(roads: u128, blocked: u64) -> u8 {
    let (mut left, mut best) = (roads, 0);
    while left != 0 && best < left.count_ones() as u8 {
        best = best.max(longest_through(left, blocked, left.trailing_zeros() as EdgeId));
        left &= left - 1;
    }
    best
}

/// Length as the recorded engine recomputes it: trails start at `starts` and never enter a blocked node, so
/// that a segment into an opponent's building is lost (switch 6).
pub(crate) fn longest_from(roads: u128, blocked: u64, starts: u64) -> u8 {
    let mut search = Search { blocked, best: 0 };
    let mut left = starts;
    while left != 0 {
        search.unblocked(left.trailing_zeros() as NodeId, roads, 0);
        left &= left - 1;
    }
    search.best
}

struct Search {
    blocked: u64,
    best: u8,
}

impl Search {
    #[inline]
    fn is_blocked(&self, node: NodeId) -> bool {
        self.blocked >> node & 1 == 1
    }

    /// Grows the trail at `node`; wherever it may stop, grows it at the other end `other`.
    ///
    /// Stopping before a dead end only pays when the other side can use the edges left over, that is on a
    /// ring; trying every stop covers that too.
    fn first_side(&mut self, node: NodeId, other: NodeId, left: u128, length: u8) {
        self.second_side(other, left, length);
        if self.is_blocked(node) || NODE_EDGE_SET[usize::from(node)] & left == 0 {
            return;
        }
        for (edge, far) in NODE_LINKS[usize::from(node)] {
            if left >> (edge & 127) & 1 == 1 {
                self.first_side(far, other, left & !(1 << edge), length + 1);
            }
        }
    }

    fn second_side(&mut self, node: NodeId, left: u128, length: u8) {
        self.best = self.best.max(length);
        if self.is_blocked(node) || NODE_EDGE_SET[usize::from(node)] & left == 0 {
            return;
        }
        for (edge, far) in NODE_LINKS[usize::from(node)] {
            if left >> (edge & 127) & 1 == 1 {
                self.second_side(far, left & !(1 << edge), length + 1);
            }
        }
    }

    fn unblocked(&mut self, node: NodeId, left: u128, length: u8) {
        self.best = self.best.max(length);
        for (edge, far) in NODE_LINKS[usize::from(node)] {
            if left >> (edge & 127) & 1 == 1 && !self.is_blocked(far) {
                self.unblocked(far, left & !(1 << edge), length + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::edge_between;

    fn roads(pairs: &[(u8, u8)]) -> u128 {
        pairs.iter().fold(0, |m, &(a, b)| m | 1 << edge_between(a, b).unwrap())
    }

    #[test]
    fn rings_figures_and_branches() {
        let ring = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)];
        let mut figure_eight = ring.to_vec();
        figure_eight.extend([(1, 6), (6, 7), (7, 8), (8, 9), (2, 9)]);
        let star = [(0, 1), (0, 5), (0, 20)];
        let cases: [(&[(u8, u8)], u8); 5] =
            [(&[], 0), (&star, 2), (&ring, 6), (&figure_eight, 11), (&[(0, 1), (30, 31)], 1)];
        for (pairs, length) in cases {
            assert_eq!(longest(roads(pairs), 0), length, "{pairs:?}");
        }
        // A spur on a ring: in over the spur, once around.
        let mut spur = ring.to_vec();
        spur.push((0, 20));
        assert_eq!(longest(roads(&spur), 0), 7);
        assert_eq!(longest_through(roads(&spur), 0, edge_between(0, 20).unwrap()), 7);
    }

    #[test]
    fn blocked_nodes_end_a_trail_but_count() {
        let path = roads(&[(0, 1), (1, 2), (2, 3), (3, 4)]);
        assert_eq!(longest(path, 1 << 2), 2);
        assert_eq!(longest(path, 1 << 1), 3);
        assert_eq!(longest(path, 1 << 0 | 1 << 4), 4);
        let ring = roads(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)]);
        assert_eq!(longest(ring, 1 << 3), 6);
        assert_eq!(longest_from(path, 1 << 4, 0b1111), 3);
    }

    /// Every trail from every node, with nothing clever.
    fn brute(roads: u128, blocked: u64, node: NodeId, is_start: bool) -> u8 {
        if !is_start && blocked >> node & 1 == 1 {
            return 0;
        }
        let links = NODE_LINKS[usize::from(node)].iter().filter(|l| l.0 < 72 && roads >> l.0 & 1 == 1);
        links.map(|&(e, far)| 1 + brute(roads & !(1 << e), blocked, far, false)).max().unwrap_or(0)
    }

    #[test]
    fn dense_random_networks_agree_with_brute_force() {
        let mut rng = rl_gym::Pcg64::seed(6);
        let mut longest_seen = 0;
        for _ in 0..1500 {
            // Crowd the network into a corner so that rings are common.
            let nodes = 7 + rng.below(17) as u8;
            let (mut all, mut length) = (0u128, 0);
            let blocked = (0..nodes).filter(|_| rng.below(8) == 0).fold(0u64, |m, n| m | 1 << n);
            for _ in 0..80 {
                let node = rng.below(nodes.into()) as u8;
                let (edge, far) = NODE_LINKS[usize::from(node)][rng.below(3) as usize];
                if far >= nodes || all >> edge & 1 == 1 || all.count_ones() == 15 {
                    continue;
                }
                all |= 1 << edge;
                length = length.max(longest_through(all, blocked, edge));
                let expect = (0..nodes).map(|n| brute(all, blocked, n, true)).max().unwrap();
                assert_eq!((length, longest(all, blocked)), (expect, expect), "{all:x} blocked {blocked:x}");
                longest_seen = longest_seen.max(expect);
            }
        }
        assert!(longest_seen >= 12, "the networks were not dense enough: {longest_seen}");
    }
}
