//! Population based training over the unit box: members, not a distribution.
//!
//! # Source
//! M. Jaderberg et al., "Population Based Training of Neural Networks" (2017): truncation selection (exploit), then
//! a change of the copy (explore). There members learn between the two; here a genome has nothing that learns, so
//! the change is the whole of the search.

use super::{best_first, inside, uniform};
use rl_gym::Pcg64;
use serde::{Deserialize, Serialize};

/// Standard deviations of a change, in box widths; every copy draws one. Several at once, since no step size is
/// learnt.
const STEPS: [f64; 4] = [0.025, 0.05, 0.1, 0.2];
/// Weight of the newest generation in a member's score: one alone is mostly luck.
const NEWEST: f64 = 0.3;

/// Members with their scores.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pbt {
    members: Vec<Member>,
    dimensions: usize,
}

/// One place in the population.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Member {
    /// In the unit box; empty before the first generation.
    point: Vec<f64>,
    /// Running mean of its fitness above that of its generation; copies begin with that of their original.
    score: f64,
    /// Whether the next generation puts a copy of a better one in its place.
    leaves: bool,
}

impl Pbt {
    /// A search over `dimensions` numbers with `population` members.
    pub fn new(dimensions: usize, population: usize) -> Self {
        let member = Member { point: Vec::new(), score: 0.0, leaves: true };
        Self { members: vec![member; population], dimensions }
    }

    /// The members of this generation: those that stay, and changed copies of them for those that leave.
    pub fn ask(&mut self, rng: &mut Pcg64) -> Vec<Vec<f64>> {
        let staying: Vec<usize> = (0..self.members.len()).filter(|i| !self.members[*i].leaves).collect();
        if staying.is_empty() {
            let points = uniform(self.members.len(), self.dimensions, rng);
            for (member, point) in self.members.iter_mut().zip(points) {
                (member.point, member.leaves) = (point, false);
            }
        }
        for i in 0..self.members.len() {
            if !self.members[i].leaves {
                continue;
            }
            let original = &self.members[staying[rng.below(staying.len() as u32) as usize]];
            let step = STEPS[rng.below(STEPS.len() as u32) as usize];
            let point = original.point.iter().map(|x| inside(x + step * rng.normal())).collect();
            self.members[i] = Member { point, leaves: false, score: original.score };
        }
        self.members.iter().map(|m| m.point.clone()).collect()
    }

    /// Learns from the fitness (greater is better) of the members, in their order.
    pub fn tell(&mut self, fitness: &[f64]) {
        let mean = fitness.iter().sum::<f64>() / fitness.len().max(1) as f64;
        for (member, fitness) in self.members.iter_mut().zip(fitness) {
            member.score += NEWEST * (fitness - mean - member.score);
        }
        for i in self.order().into_iter().skip(self.members.len().div_ceil(2)) {
            self.members[i].leaves = true;
        }
    }

    /// Mean of the better half. The best single member is mostly the luckiest one.
    pub fn steady(&self) -> Vec<f64> {
        let half = self.members.len().div_ceil(2);
        let mut mean = vec![0.0; self.dimensions];
        for i in self.order().into_iter().take(half) {
            mean.iter_mut().zip(&self.members[i].point).for_each(|(m, x)| *m += x / half as f64);
        }
        mean
    }

    /// Root mean square distance of the members from their centre, a number.
    pub fn spread(&self) -> f64 {
        let count = self.members.len() as f64;
        let variance = |k: usize| {
            let mean = self.members.iter().map(|m| m.point[k]).sum::<f64>() / count;
            self.members.iter().map(|m| (m.point[k] - mean).powi(2)).sum::<f64>() / count
        };
        ((0..self.dimensions).map(variance).sum::<f64>() / self.dimensions.max(1) as f64).sqrt()
    }

    /// Whether member `i` of the coming generation is a new one.
    pub fn is_new(&self, i: usize) -> bool {
        self.members[i].leaves
    }

    fn order(&self) -> Vec<usize> {
        best_first(&self.members.iter().map(|m| m.score).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_half_stays_as_it_is_and_the_worse_half_becomes_copies_near_it() {
        let mut search = Pbt::new(3, 8);
        assert!((0..8).all(|i| search.is_new(i)));
        let first = search.ask(&mut Pcg64::seed(1));
        // Number 0 is the best, number 7 the worst.
        search.tell(&[8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
        assert_eq!((0..8).map(|i| search.is_new(i)).collect::<Vec<_>>(), [[false; 4], [true; 4]].concat());
        let second = search.ask(&mut Pcg64::seed(2));
        assert_eq!(second[..4], first[..4]);
        for copy in &second[4..] {
            let distance = |p: &Vec<f64>| p.iter().zip(copy).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let nearest = first[..4].iter().map(distance).fold(1.0, f64::min);
            // Four and a half standard deviations of the widest step.
            assert!(nearest > 0.0 && nearest < 0.9, "{nearest}");
            assert!(copy.iter().all(|x| (0.0..=1.0).contains(x)));
        }
        assert!((0..8).all(|i| !search.is_new(i)));
    }

    #[test]
    fn one_lucky_generation_does_not_outweigh_a_long_record() {
        let mut search = Pbt::new(1, 4);
        search.ask(&mut Pcg64::seed(1));
        for g in 0..6 {
            search.tell(&[1.0, 0.9, 0.1, 0.0]);
            search.ask(&mut Pcg64::seed(g));
        }
        // Number 0 has a bad day: it stays ahead of all but number 1.
        search.tell(&[0.4, 0.9, 0.6, 0.6]);
        assert!(!search.is_new(0) && !search.is_new(1));
    }
}
