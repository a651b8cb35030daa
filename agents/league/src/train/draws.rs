//! Who meets whom in a generation: tables drawn from candidates, champions and anchors.

use super::TrainConfig;
use crate::{
    matches::{Match, MatchKind},
    matchmaking::{Elo, draw},
    schedule::{EXAM_GENERATION, Schedule, tables_for},
};
use rl_gym::{Pcg64, SeedSequence};

/// What the tables of one generation are drawn from. Equal fields draw equal tables.
pub(super) struct Draws<'a> {
    pub(super) config: &'a TrainConfig,
    pub(super) generation: u32,
    pub(super) seats: usize,
    pub(super) anchors: &'a [i64],
    /// Earlier champions, oldest first.
    pub(super) champions: &'a [i64],
}

impl Draws<'_> {
    /// Stream `number` of the draws: those below table 0, at which nobody plays.
    pub(super) fn rng(&self, number: u32) -> Pcg64 {
        SeedSequence::new(self.config.seed).child(self.generation).child(0).child(number).rng()
    }

    /// Two kinds of tables. Among itself the population is compared a full table a game; against opponents drawn
    /// by Elo around it, every candidate meets the same opponents on the same seeds, so that progress within the
    /// population is progress outside it too. Only these tables follow `pairing`: ladders and exams measure, and
    /// measure all runs alike.
    pub(super) fn training(&self, candidates: &[i64], own_elo: f64, elo: &Elo) -> Schedule {
        let mut rng = self.rng(2);
        let mut pool = self.anchors.to_vec();
        pool.extend(self.champions.iter().rev().take(self.config.pool));
        let mut schedule = Schedule::new(self.config.seed, self.generation);
        let mut order: Vec<i64> = candidates.to_vec();
        for _ in 0..self.config.rounds {
            rng.shuffle(&mut order);
            for group in order.chunks(self.seats) {
                let missing =
                    self.config.pairing.draw(own_elo, &pool, elo, self.seats - group.len(), &mut rng);
                schedule.seat(MatchKind::Train, group.iter().copied().chain(missing).collect());
            }
        }
        for _ in 0..self.config.tables {
            schedule.next_table();
            // Drawn one by one, they sit in any order; every candidate finds them in the same.
            let others = self.config.pairing.draw(own_elo, &pool, elo, self.seats - 1, &mut rng);
            for candidate in candidates {
                let table: Vec<i64> = std::iter::once(*candidate).chain(others.iter().copied()).collect();
                schedule.add(MatchKind::Train, &table);
            }
        }
        schedule
    }

    /// The new champion among anchors and earlier champions. Every second table seats an anchor, each in turn; then
    /// one opponent is drawn from everybody, old champions included, so that progress in a circle shows on the
    /// ladder; the rest are of about the champion's strength.
    pub(super) fn ladder(&self, champion: i64, elo: &Elo, mut schedule: Schedule) -> Vec<Match> {
        let mut rng = self.rng(3);
        let all: Vec<i64> = self.anchors.iter().chain(self.champions).copied().collect();
        for table in 0..self.config.ladder_tables {
            let mut players = vec![champion];
            if table.is_multiple_of(2) {
                players.push(self.anchors[table / 2 % self.anchors.len()]);
            }
            if players.len() < self.seats {
                players.push(all[rng.below(all.len() as u32) as usize]);
            }
            players.extend(draw(elo.rating(champion), &all, elo, self.seats - players.len(), &mut rng));
            schedule.seat(MatchKind::Ladder, players);
        }
        schedule.take_matches()
    }

    /// The best champion on one seat against copies of each anchor, on seeds of this length of the run.
    pub(super) fn exam(&self, best: i64) -> Vec<Match> {
        let mut schedule = Schedule::new(self.config.seed, EXAM_GENERATION + self.generation);
        for anchor in self.anchors {
            for _ in 0..tables_for(self.config.exam_games, self.seats) {
                schedule.next_table();
                let mut table = vec![*anchor; self.seats];
                table[0] = best;
                schedule.add(MatchKind::Exam, &table);
            }
        }
        schedule.take_matches()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rl_gym::Options;
    use std::collections::BTreeSet;

    fn config() -> TrainConfig {
        TrainConfig {
            game: "any-v1".into(),
            options: Options::default(),
            seed: 1,
            population: 10,
            tables: 2,
            rounds: 5,
            snapshot_every: 1,
            ladder_tables: 60,
            pool: 6,
            exam_games: 10,
            pairing: crate::matchmaking::Pairing::Elo,
            search: crate::evolve::SearchKind::Cma,
        }
    }

    const ANCHORS: [i64; 2] = [1, 2];
    const CHAMPIONS: [i64; 3] = [11, 12, 13];

    fn draws(config: &TrainConfig, seats: usize) -> Draws<'_> {
        Draws { config, generation: 3, seats, anchors: &ANCHORS, champions: &CHAMPIONS }
    }

    fn ladder(seats: usize) -> Vec<Match> {
        draws(&config(), seats).ladder(99, &Elo::default(), Schedule::new(1, 3))
    }

    #[test]
    fn champions_meet_anchors_and_champions_at_any_number_of_seats() {
        for seats in 2..=5 {
            let matches = ladder(seats);
            assert_eq!(matches.len(), 60 * seats);
            let tables: Vec<&Match> = matches.iter().step_by(seats).collect();
            let seating =
                |of: &[i64]| tables.iter().filter(|m| m.seats.iter().any(|p| of.contains(p))).count();
            for anchor in ANCHORS {
                assert!(seating(&[anchor]) >= 15, "anchor {anchor} at {seats} seats");
            }
            for champion in CHAMPIONS {
                assert!(seating(&[champion]) >= 2, "champion {champion} at {seats} seats");
            }
            assert!(seating(&CHAMPIONS) >= 10, "{seats} seats");
            assert!(tables.iter().all(|m| m.seats.iter().filter(|p| **p == 99).count() == 1));
        }
    }

    #[test]
    fn nobody_sits_behind_the_same_neighbour_all_the_time() {
        let matches = ladder(4);
        let behind = matches.iter().step_by(4).filter(|m| {
            let at = m.seats.iter().position(|p| *p == 99).unwrap_or(0);
            ANCHORS.contains(&m.seats[(at + 1) % 4])
        });
        // An anchor directly behind the champion: about half the tables (2 of 5 members are anchors, and every
        // second table has one more).
        let share = behind.count() as f64 / 60.0;
        assert!((0.25..0.75).contains(&share), "{share}");
    }

    #[test]
    fn candidates_meet_the_same_opponents_in_the_same_order_on_the_same_seeds() {
        let config = config();
        let candidates: Vec<i64> = (20..30).collect();
        let mut schedule = draws(&config, 4).training(&candidates, 1000.0, &Elo::default());
        let matches = schedule.take_matches();
        // 5 rounds of 3 tables of ten candidates, two places filled up; then 2 tables a candidate.
        assert_eq!(matches.len(), (5 * 3 + 2 * 10) * 4);
        let pool_tables = &matches[5 * 3 * 4..];
        for table in pool_tables.chunks(10 * 4) {
            let others: BTreeSet<&[i64]> = table.iter().step_by(4).map(|m| &m.seats[1..]).collect();
            let seeds: BTreeSet<String> = table.iter().map(|m| m.seed.to_string()).collect();
            assert_eq!((others.len(), seeds.len()), (1, 1));
        }
    }

    #[test]
    fn an_exam_has_whole_tables_or_none() {
        let mut config = config();
        let exam = draws(&config, 4).exam(99);
        assert_eq!(exam.len(), 2 * 12, "10 games against each of two anchors, in rotations of four");
        assert!(exam.iter().all(|m| m.generation == EXAM_GENERATION + 3));
        config.exam_games = 0;
        assert!(draws(&config, 4).exam(99).is_empty());
    }
}
