//! Who plays whom: tables of players on a seed, each played in every seat rotation.

use crate::matches::{Match, MatchKind, MatchSeed, rotations};

/// Ids and blocks of a generation follow on each other within this range.
const NUMBERS_PER_GENERATION: i64 = 1 << 32;
/// Exams are kept apart from generations by their number: this plus the generations behind them.
pub const EXAM_GENERATION: u32 = 1 << 24;
/// The generation of ladders outside any run, so that their games share no seed with a run of the same root.
pub const LADDER_GENERATION: u32 = 2 * EXAM_GENERATION;

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

    /// A new seed; games of all groups added until the next call share it. The first table is number 1: the
    /// streams of table 0 belong to whoever draws the groups.
    pub const fn next_table(&mut self) {
        self.tables += 1;
    }

    /// Seats `players` at a table of their own, in an order drawn by the table, so that nobody always sits behind
    /// the same neighbour. (Rotations alone keep the order round the table.)
    pub fn seat(&mut self, kind: MatchKind, mut players: Vec<i64>) {
        self.next_table();
        let mut rng = self.seed().order();
        let mixed = players.iter().any(|p| *p != players[0]);
        loop {
            rng.shuffle(&mut players);
            // Of copies, an order that repeats itself round the table would make equal games of its rotations.
            if !mixed || !rotations(&players).skip(1).any(|turned| turned == players) {
                break;
            }
        }
        self.add(kind, &players);
    }

    const fn seed(&self) -> MatchSeed {
        MatchSeed { root: self.root, generation: self.generation, table: self.tables }
    }

    /// Adds the group `players`, one a seat, in every rotation on the current seed. The moves of all of them are
    /// kept, but on ladders outside runs, which have no store.
    pub fn add(&mut self, kind: MatchKind, players: &[i64]) {
        let base = i64::from(self.generation) * NUMBERS_PER_GENERATION;
        let first = base + (self.taken + self.matches.len()) as i64;
        let block = base + i64::from(self.tables);
        let seed = self.seed();
        let games = rotations(players).enumerate().map(|(i, seats)| Match {
            id: first + i as i64,
            kind,
            generation: self.generation,
            block,
            seed,
            seats,
            record: self.generation != LADDER_GENERATION,
        });
        self.matches.extend(games);
    }

    /// The matches added since the last call, by id. What is added later goes on with ids and seeds.
    pub fn take_matches(&mut self) -> Vec<Match> {
        self.taken += self.matches.len();
        std::mem::take(&mut self.matches)
    }
}

/// `games` rounded up to whole tables of `seats` rotations; none for none.
pub const fn tables_for(games: usize, seats: usize) -> usize {
    games.div_ceil(seats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

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

    #[test]
    fn numbers_and_seeds_of_all_generations_are_disjoint() {
        let (mut ids, mut blocks) = (BTreeSet::new(), BTreeSet::new());
        let (mut streams, mut tables) = (BTreeSet::new(), 0);
        let last_exam = EXAM_GENERATION + (EXAM_GENERATION - 1);
        for generation in [0, 1, EXAM_GENERATION - 1, EXAM_GENERATION, last_exam, LADDER_GENERATION] {
            let mut schedule = Schedule::new(1, generation);
            for _ in 0..50 {
                schedule.seat(MatchKind::Ladder, vec![1, 2, 3, 4]);
                tables += 1;
                let seed = schedule.seed();
                streams.insert(format!("{}", seed.episode()));
                streams.extend((0..4).map(|seat| format!("{:?}", seed.seat(seat))));
                streams.insert(format!("{:?}", seed.order()));
            }
            // The streams that draw candidates and tables.
            streams.extend((0..4).map(|k| {
                format!("{:?}", rl_gym::SeedSequence::new(1).child(generation).child(0).child(k).rng())
            }));
            for game in schedule.take_matches() {
                assert!(ids.insert(game.id));
                blocks.insert(game.block);
            }
        }
        assert_eq!((blocks.len(), ids.len()), (tables, 4 * tables));
        assert_eq!(streams.len(), 6 * tables + 6 * 4);
    }

    #[test]
    fn the_order_round_the_table_varies_and_repeats_no_game() {
        let mut schedule = Schedule::new(1, 0);
        let mut behind = std::collections::BTreeMap::<i64, usize>::new();
        for _ in 0..600 {
            schedule.seat(MatchKind::Ladder, vec![1, 2, 3, 4]);
            schedule.seat(MatchKind::Ladder, vec![1, 1, 2, 2]);
        }
        let matches = schedule.take_matches();
        for games in matches.chunks(4) {
            let seatings: BTreeSet<&[i64]> = games.iter().map(|g| g.seats.as_slice()).collect();
            assert_eq!(seatings.len(), 4, "{seatings:?}");
            let seats = &games[0].seats;
            if seats.contains(&4) {
                let at = seats.iter().position(|p| *p == 1).expect("seated");
                *behind.entry(seats[(at + 1) % 4]).or_default() += 1;
            }
        }
        // 200 each, standard deviation 11.5.
        assert!(behind.len() == 3 && behind.values().all(|n| (150..250).contains(n)), "{behind:?}");
    }

    #[test]
    fn no_games_need_no_tables() {
        assert_eq!([0, 1, 4, 5].map(|games| tables_for(games, 4)), [0, 1, 1, 2]);
    }
}
