//! Who plays whom: tables of players on a seed, each played in every seat rotation.

use crate::matches::{Match, MatchKind, MatchSeed, rotations};

/// Tables of a generation are numbered through; games of one number share a seed.
const TABLES_PER_GENERATION: i64 = 1 << 20;
/// Match ids of a generation follow on each other.
const MATCHES_PER_GENERATION: i64 = 1 << 32;

/// Collects the matches of one generation.
///
/// Ids and seeds depend on the order of the calls only, so a resumed generation makes the same list again.
#[derive(Debug)]
pub struct Schedule {
    root: u64,
    generation: u32,
    tables: u32,
    taken: usize,
    matches: Vec<Match>,
}

impl Schedule {
    /// An empty schedule of `generation` under the run's root seed.
    pub const fn new(root: u64, generation: u32) -> Self {
        Self { root, generation, tables: 0, taken: 0, matches: Vec::new() }
    }

    /// A new seed; games of all groups added until the next call share it.
    pub const fn next_table(&mut self) {
        self.tables += 1;
    }

    /// Adds the group `players`, one a seat, in every rotation on the current seed. Of a group that is not for
    /// training, the first game is kept as a replay.
    pub fn add(&mut self, kind: MatchKind, players: &[i64]) {
        let table = self.tables;
        let first =
            i64::from(self.generation) * MATCHES_PER_GENERATION + (self.taken + self.matches.len()) as i64;
        let block = i64::from(self.generation) * TABLES_PER_GENERATION + i64::from(table);
        let seed = MatchSeed { root: self.root, generation: self.generation, table };
        let games = rotations(players).enumerate().map(|(i, seats)| Match {
            id: first + i as i64,
            kind,
            generation: self.generation,
            block,
            seed,
            seats,
            record: kind != MatchKind::Train && i == 0,
        });
        self.matches.extend(games);
    }

    /// The matches added since the last call, by id. What is added later goes on with ids and seeds.
    pub fn take_matches(&mut self) -> Vec<Match> {
        self.taken += self.matches.len();
        std::mem::take(&mut self.matches)
    }
}

/// `games` rounded up to whole tables of `seats` rotations, at least one.
pub const fn tables_for(games: usize, seats: usize) -> usize {
    let tables = games.div_ceil(seats);
    if tables == 0 { 1 } else { tables }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_of_a_table_share_its_seed_and_block_and_ids_are_unique() {
        let mut schedule = Schedule::new(9, 3);
        for group in [[1, 2], [3, 4]] {
            schedule.next_table();
            schedule.add(MatchKind::Train, &group);
        }
        let matches = schedule.take_matches();
        assert_eq!(matches.len(), 4);
        assert_eq!(matches[0].seed, matches[1].seed);
        assert_ne!(matches[0].block, matches[2].block);
        assert_eq!(matches[1].seats, [2, 1]);
        assert!(matches.windows(2).all(|w| w[0].id + 1 == w[1].id));
    }
}
