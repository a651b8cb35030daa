//! Thirty levels, and the games of each that everybody is measured on.

use super::knobs::{Fold, Hints, Knobs, Quest};

/// Levels: 1 to this.
pub const LEVELS: u8 = 30;
/// Games of a level in the public benchmark.
pub const BENCHMARK_SEEDS: u64 = 100;

/// Steps of the sum of log2 of the admissible actions along the plan: level `n` lies between step `n - 1` (from 21 on
/// `n - 2`) and step `n + 1`, so that neighbours overlap.
const BITS: [u16; LEVELS as usize + 2] = [
    0, 0, 7, 8, 9, 11, 13, 16, 18, 21, 24, 27, 30, 33, 36, 40, 44, 48, 52, 56, 60, 66, 72, 80, 88, 96, 104,
    113, 122, 131, 140, 150,
];

/// The knobs of a level, 1 to 30 (others count as the nearest): more rooms, gates, darkness, hidden things and
/// distractors, more kinds of quests and more of them, longer plans with more to choose.
pub fn level(n: u8) -> Knobs {
    let n = n.clamp(1, LEVELS);
    let at = u16::from(n);
    let scale = |from: u16, low: u16, high: u16, to: u16| -> u8 {
        // `low` up to level `from`, `high` at level 30 and `to` as a limit.
        let step = at.saturating_sub(from) * (high - low) / (30 - from);
        (low + step).min(to) as u8
    };
    let quests: &[Quest] = match n {
        1..=2 => &[Quest::Fetch],
        3..=4 => &[Quest::Fetch, Quest::Deliver, Quest::Escort],
        5..=7 => &[Quest::Fetch, Quest::Deliver, Quest::Place, Quest::Escort],
        8..=10 => &[Quest::Fetch, Quest::Deliver, Quest::Place, Quest::Escort, Quest::Trade, Quest::Assemble],
        11..=13 => &[Quest::Deliver, Quest::Place, Quest::Trade, Quest::Assemble, Quest::Obey, Quest::Return],
        _ => Quest::ALL,
    };
    let hints = match n {
        1..=3 | 6 => Hints::Steps,
        18 | 22 | 25 => Hints::Last,
        20 | 24 | 27..=30 => Hints::Riddle,
        _ => Hints::Goal,
    };
    Knobs {
        theme: None,
        fold: Fold::Train,
        rooms: scale(1, 2, 16, 24),
        loops: scale(6, 0, 30, 30),
        one_way: scale(12, 0, 40, 40),
        doors: scale(3, 0, 25, 25),
        gates: scale(5, 0, 3, 3),
        nesting: scale(10, 1, 3, 3),
        dark: scale(11, 0, 5, 5),
        containers: scale(2, 0, 50, 50),
        hidden: scale(9, 0, 30, 30),
        distractors: scale(1, 1, 20, 30),
        quests: quests.to_vec(),
        quest_count: 1 + u8::from(n >= 21),
        pieces: 1 + u8::from(n >= 14),
        people: scale(8, 0, 4, 4),
        capacity: if n < 16 { 20 } else { 36 - n },
        hints,
        plan_length: [1, 400],
        choice_bits: [
            BITS[usize::from(n.saturating_sub(if n > 20 { 2 } else { 1 }))],
            BITS[usize::from(n) + 1],
        ],
        cap_factor: 4,
        cap_floor: 40,
        dead_end_free: n <= 20,
    }
}

/// The seeds of a level's games in the public benchmark: the same for ever.
pub fn benchmark(level: u8) -> impl Iterator<Item = u64> {
    let first = u64::from(level.clamp(1, LEVELS)) * 1000;
    first..first + BENCHMARK_SEEDS
}
