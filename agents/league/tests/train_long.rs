//! A long run: what it tells on its way is what its report says, and telling it does not slow it down.

mod common;

use agon_league::{
    Budget, Ended, MatchKind, Outcome, Progress, Standing, Store, Summary, TrainConfig, Training,
    report::Report,
};
use common::{Count, config, game, runner};
use cpu_time::ProcessTime;
use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A champion every generation, few games.
fn hasty(seed: u64) -> TrainConfig {
    TrainConfig {
        population: 4,
        tables: 1,
        rounds: 1,
        snapshot_every: 1,
        ladder_tables: 20,
        exam_games: 0,
        ..config(seed)
    }
}

/// Compares every standing with the report of the run at that moment, and stops now and then.
struct Compares {
    run: PathBuf,
    stop: Arc<AtomicBool>,
    generations: u32,
    told: usize,
}

impl Progress for Compares {
    fn begin(&mut self, _: u32, _: MatchKind, _: usize) {}

    fn game(&mut self, _: &Outcome) {}

    fn generation(&mut self, _: &Summary) {
        self.generations += 1;
        if self.generations.is_multiple_of(3) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn champion(&mut self, standing: &Standing) {
        let report = Report::of_run(&Store::open_read(&self.run).expect("store"), &game()).expect("report");
        let row = |name: &str| report.standings.rows.iter().find(|r| r.name == name).expect("a row");
        assert_eq!(report.curve.last().map(|p| &p.name), Some(&standing.champion));
        assert_eq!(row(&standing.champion).elo, Some(standing.elo));
        let anchor = report.standings.rows.iter().find(|r| r.kind == "bot").expect("an anchor");
        assert_eq!(anchor.name, standing.anchor);
        assert_eq!(anchor.elo.map(|e| e.estimate), Some(standing.anchor_elo));
        self.told += 1;
    }
}

#[test]
fn what_is_told_on_the_way_is_what_the_report_says() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("run");
    let (mut told, mut sessions) = (0, 0);
    loop {
        let quick = runner(2, 16, true);
        let mut training = match sessions {
            0 => Training::create(&run, &game(), hasty(4), &quick),
            _ => Training::resume(&run, &game(), &[], &quick),
        }
        .expect("run");
        let stop = quick.stop.clone();
        let mut compares = Compares { run: run.clone(), stop, generations: 0, told: 0 };
        let ended = training.run(Budget::Generations(20), &mut compares).expect("trained");
        (told, sessions) = (told + compares.told, sessions + 1);
        if ended == Ended::Done {
            break;
        }
    }
    assert!(told == 20 && sessions > 5, "{told} told in {sessions} sessions");
}

/// CPU seconds of every hundred generations of a run, with a champion in each of the first hundred:
/// `cargo test --release -p agon-league --test train_long -- --ignored --nocapture`.
#[test]
#[ignore = "measures for a minute: see the line above"]
#[allow(clippy::print_stderr, reason = "a measurement for people")]
fn cpu_time_of_a_hundred_generations() {
    let folder = tempfile::tempdir().expect("folder");
    let mut training =
        Training::create(&folder.path().join("run"), &game(), hasty(1), &runner(1, 64, false)).expect("run");
    for hundred in 1..=6 {
        let begun = ProcessTime::now();
        training.run(Budget::Generations(100 * hundred), &mut Count::default()).expect("trained");
        eprintln!("{:>4} generations: {:.2} s", 100 * hundred, begun.elapsed().as_secs_f64());
    }
}
