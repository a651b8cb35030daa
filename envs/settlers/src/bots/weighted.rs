//! Random play with a taste for building.

use crate::action::at;
use rl_gym::{Bits, Decisions, Fault, Pcg64, Policy};

/// Draws among the legal actions: a city weighs 10000, a settlement 1000, a development card 100, everything
/// else 1.
///
/// The weights are those of Catanatron's weighted random bot, from its documentation. Steps of a trade with
/// other seats weigh 1 like the rest, so it offers, answers and drops drafts as often as uniform play would.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weighted;

/// Weight of a city.
const CITY: u32 = 10_000;
/// Weight of a settlement.
const SETTLEMENT: u32 = 1_000;
/// Weight of buying a development card.
const DEV: u32 = 100;

/// Bits `from..to` of the mask that lie in word `word`.
const fn range(from: u16, to: u16, word: usize) -> u64 {
    let (mut out, mut i) = (0, from as usize);
    while i < to as usize {
        if i / 64 == word {
            out |= 1 << (i % 64);
        }
        i += 1;
    }
    out
}

/// Index of the set bit number `k` among those of `mask` that `of` keeps.
fn pick(mask: Bits<'_>, mut k: u32, of: impl Fn(usize) -> u64) -> u32 {
    for (i, &word) in mask.words().iter().enumerate() {
        let mut rest = word & of(i);
        let here = rest.count_ones();
        if k < here {
            for _ in 0..k {
                rest &= rest - 1;
            }
            return i as u32 * 64 + rest.trailing_zeros();
        }
        k -= here;
    }
    u32::from(at::END_TURN)
}

fn settlements(word: usize) -> u64 {
    const WORDS: [u64; 2] = [range(at::SETTLEMENT, at::CITY, 0), range(at::SETTLEMENT, at::CITY, 1)];
    WORDS.get(word).copied().unwrap_or(0)
}

fn cities(word: usize) -> u64 {
    const WORDS: [u64; 2] = [range(at::CITY, at::ROAD, 0), range(at::CITY, at::ROAD, 1)];
    WORDS.get(word).copied().unwrap_or(0)
}

fn dev(word: usize) -> u64 {
    const WORD: usize = at::BUY_DEV as usize / 64;
    if word == WORD { 1 << (at::BUY_DEV % 64) } else { 0 }
}

fn rest(word: usize) -> u64 {
    !(settlements(word) | cities(word) | dev(word))
}

impl Weighted {
    /// The action drawn for this mask.
    pub fn decide(mask: Bits<'_>, rng: &mut Pcg64) -> u32 {
        let count = |of: &dyn Fn(usize) -> u64| -> u32 {
            mask.words().iter().enumerate().map(|(i, w)| (w & of(i)).count_ones()).sum()
        };
        let groups: [(&dyn Fn(usize) -> u64, u32); 4] =
            [(&settlements, SETTLEMENT), (&cities, CITY), (&dev, DEV), (&rest, 1)];
        let total: u32 = groups.iter().map(|(of, weight)| count(of) * weight).sum();
        if total == 0 {
            return u32::from(at::END_TURN);
        }
        let mut draw = rng.below(total);
        for (of, weight) in groups {
            let share = count(of) * weight;
            if draw < share {
                return pick(mask, draw / weight, of);
            }
            draw -= share;
        }
        u32::from(at::END_TURN)
    }
}

impl Policy for Weighted {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            let action = Self::decide(ask.mask, ask.rng);
            ask.choose(action);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_settlement_is_a_thousand_times_as_likely_as_ending_the_turn() {
        let mut words = [0u64; 6];
        let mut mask = rl_gym::BitsMut::new(&mut words, crate::ACTIONS);
        for i in [10, usize::from(at::END_TURN), usize::from(at::BUY_DEV)] {
            mask.set(i, true);
        }
        let mut rng = Pcg64::seed(1);
        let mut seen = [0u32; 3];
        for _ in 0..110_100 {
            match Weighted::decide(Bits::new(&words, crate::ACTIONS), &mut rng) {
                10 => seen[0] += 1,
                a if a == u32::from(at::END_TURN) => seen[1] += 1,
                _ => seen[2] += 1,
            }
        }
        // Expected 100_000, 100 and 10_000.
        assert!((98_000..102_000).contains(&seen[0]) && (60..145).contains(&seen[1]), "{seen:?}");
        assert_eq!(Weighted::decide(Bits::new(&[0; 6], crate::ACTIONS), &mut rng), u32::from(at::END_TURN));
    }
}
