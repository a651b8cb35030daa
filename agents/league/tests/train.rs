//! Training: it improves, it repeats, it resumes to where an unbroken run would be.

mod common;

use agon_league::{
    Budget, Ended, LeagueError, MatchKind, Outcome, Progress, RunnerConfig, STORE_FILE, Standing, Store,
    Summary, Training,
};
use common::{Count, config, game, runner};
use std::{
    collections::BTreeSet,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

fn train(run: &Path, seed: u64, generations: u32, runner: &RunnerConfig) -> Ended {
    let mut training = Training::create(run, &game(), config(seed), runner).expect("run");
    training.run(Budget::Generations(generations), &mut Count::default()).expect("trained")
}

/// Everything in a store but the clock: players, matches, summaries, history.
type Contents = (Vec<String>, Vec<Outcome>, Vec<(u32, Summary)>, Vec<String>);

fn contents(run: &Path) -> Contents {
    let store = Store::open(run).expect("store");
    let mut matches = Vec::new();
    store.each_match(|o| matches.push(o)).expect("matches");
    let players = store.players().expect("players").into_iter().map(|p| format!("{p:?}")).collect();
    let events = store.events().expect("events").into_iter().map(|e| format!("{e:?}")).collect();
    (players, matches, store.summaries().expect("summaries"), events)
}

#[test]
fn candidates_get_better_and_the_champion_beats_the_anchors() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("run");
    assert_eq!(train(&run, 1, 25, &runner(2, 32, true)), Ended::Done);
    let (_, matches, summaries, events) = contents(&run);
    assert_eq!(summaries.len(), 25);
    let exam: Vec<&Outcome> = matches.iter().filter(|o| o.game.kind == MatchKind::Exam).collect();
    assert_eq!(exam.len(), 180, "60 games against each of random, low and high");
    let champion = exam[0].game.seats.iter().copied().max().expect("seats");
    let wins: f64 = exam
        .iter()
        .map(|o| o.win_share(o.game.seats.iter().position(|p| *p == champion).expect("seated")))
        .sum();
    assert!(wins > 120.0, "{wins} of 180 where 60 is par");
    assert!(events.iter().filter(|e| e.contains("snapshot")).count() >= 6);
}

#[test]
fn equal_seeds_give_equal_runs_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("folder");
    let at = |name: &str| folder.path().join(name);
    train(&at("a"), 7, 6, &runner(1, 5, false));
    train(&at("b"), 7, 6, &runner(3, 64, true));
    train(&at("c"), 8, 6, &runner(3, 64, true));
    assert_eq!(contents(&at("a")), contents(&at("b")));
    assert_ne!(contents(&at("a")).1, contents(&at("c")).1);
}

#[test]
fn a_stopped_run_resumes_to_the_unbroken_one() {
    let folder = tempfile::tempdir().expect("folder");
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    train(&whole, 3, 6, &runner(2, 8, true));
    // Stops fall into generations, ladders and the exam.
    let mut stops = 0;
    for session in 0.. {
        let config = runner(2, 2, true);
        let mut training = if session == 0 {
            Training::create(&broken, &game(), common::config(3), &config).expect("run")
        } else {
            Training::resume(&broken, &game(), &[], &config).expect("run")
        };
        let mut count = Count { stop_after: Some((25, config.stop.clone())), ..Count::default() };
        match training.run(Budget::Generations(6), &mut count).expect("trained") {
            Ended::Stopped => stops += 1,
            Ended::Done => break,
        }
    }
    assert!(stops >= 2, "{stops}");
    assert_eq!(contents(&whole), contents(&broken));
}

/// Symptom: a stop inside the ladder came after the search had learned, and a second call learned twice.
#[test]
fn a_stopped_training_goes_on_in_the_same_process() {
    let folder = tempfile::tempdir().expect("folder");
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    train(&whole, 3, 6, &runner(2, 8, true));
    let config = runner(2, 2, true);
    let mut training = Training::create(&broken, &game(), common::config(3), &config).expect("run");
    let mut stopper = StopAtEachStretch { flag: config.stop.clone(), seen: BTreeSet::new() };
    let mut stops = 0;
    loop {
        config.stop.store(false, Ordering::Relaxed);
        match training.run(Budget::Generations(6), &mut stopper).expect("trained") {
            Ended::Stopped => stops += 1,
            Ended::Done => break,
        }
    }
    assert_eq!(stops, 6 + 2 + 1, "generations, the ladders of 0 and 3, the exam");
    assert_eq!(contents(&whole), contents(&broken));
}

/// Stops once when a stretch of games begins.
struct StopAtEachStretch {
    flag: Arc<AtomicBool>,
    seen: BTreeSet<(u32, MatchKind)>,
}

impl Progress for StopAtEachStretch {
    fn begin(&mut self, generation: u32, what: MatchKind, _: usize) {
        self.flag.store(self.seen.insert((generation, what)), Ordering::Relaxed);
    }

    fn game(&mut self, _: &Outcome) {}

    fn generation(&mut self, _: &Summary) {}

    fn champion(&mut self, _: &Standing) {}
}

/// SQL on a store behind the back of the library.
fn sql(run: &Path, text: &str) -> Vec<String> {
    let db = rusqlite::Connection::open(run.join(STORE_FILE)).expect("open");
    let mut statement = db.prepare(text).expect("prepared");
    let mut rows = statement.query([]).expect("asked");
    let mut found = Vec::new();
    while let Some(row) = rows.next().expect("row") {
        found.push(format!("{:?}", row.get::<_, rusqlite::types::Value>(0).expect("value")));
    }
    found
}

/// Symptom: 86 KB of search state for every generation that ever was.
#[test]
fn a_long_run_keeps_one_state_and_forgets_retired_candidates() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("run");
    let runner = runner(2, 8, true);
    let size = |run: &Path| {
        let [state] = &sql(run, "SELECT state FROM state")[..] else { panic!("one state") };
        state.matches("],[").count()
    };
    train(&run, 1, 4, &runner);
    let young = size(&run);
    let mut training = Training::resume(&run, &game(), &[], &runner).expect("run");
    training.run(Budget::Generations(12), &mut Count::default()).expect("trained");
    drop(training);
    // 8 candidates a generation were born, two champions entered.
    assert_eq!(size(&run), young + 2);
    assert_eq!(sql(&run, "SELECT count(*) FROM generations"), ["Integer(12)"]);
    // How long they took is a matter of the machine, and may be nothing in whole milliseconds.
    let timings = Store::open(&run).expect("store").timings().expect("timings");
    assert!(!timings.is_empty() && timings.iter().all(|t| t.cpu_ms >= 0), "{timings:?}");
    // Nobody needs to know how retired candidates played; anchors and champions are needed.
    sql(&run, "UPDATE players SET version = 9 WHERE name LIKE 'g%'");
    assert!(Training::resume(&run, &game(), &[], &runner).is_ok());
    sql(&run, "UPDATE players SET version = 9 WHERE name = 'champion-3'");
    let error = error(Training::resume(&run, &game(), &[], &runner));
    assert!(error.contains("seats champion-3 v9, which this build cannot play"), "{error}");
}

#[test]
fn an_exam_of_no_games_is_none() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("run");
    let config = agon_league::TrainConfig { exam_games: 0, ..config(1) };
    let mut training = Training::create(&run, &game(), config, &runner(2, 8, true)).expect("run");
    let ended = training.run(Budget::Generations(1), &mut Count::default()).expect("trained");
    drop(training);
    assert_eq!(ended, Ended::Done);
    assert!(contents(&run).1.iter().all(|o| o.game.kind != MatchKind::Exam));
}

#[test]
fn settings_typed_on_resuming_are_compared_by_value() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("run");
    let quick = runner(1, 4, false);
    train(&run, 1, 1, &quick);
    let resume = |name: &str, text: &str| Training::resume(&run, &game(), &[(name, text.into())], &quick);
    for (name, text) in [
        ("gala", "off"),
        ("gala", "0"),
        ("faulty", "0.000"),
        ("end", "sound"),
        ("seed", "01"),
        ("population", "8"),
        ("tables", "4"),
        ("rounds", "3"),
        ("exam_games", "60"),
    ] {
        assert!(resume(name, text).is_ok(), "{name}={text}");
    }
    for (name, text, told) in [
        ("gala", "on", "was made with gala false, now true is asked for"),
        ("faulty", "0.5", "was made with faulty 0, now 0.5 is asked for"),
        ("exam_games", "61", "was made with exam_games 60, now 61 is asked for"),
        ("population", "9", "was made with population 8, now 9 is asked for"),
        ("tables", "5", "was made with tables 4, now 5 is asked for"),
        ("rounds", "4", "was made with rounds 3, now 4 is asked for"),
        ("faulty", "2", "option faulty=2 of game \"auction\" is not valid"),
        ("galas", "on", "has no option \"galas\"; nearest: \"gala\""),
        ("seed", "x", "seed = x is not a whole number from 0"),
    ] {
        let error = error(resume(name, text));
        assert!(error.contains(told), "{error}");
    }
    sql(&run, "UPDATE meta SET value = '\"0123456789abcdef\"' WHERE key = 'rules'");
    let other = error(Training::resume(&run, &game(), &[], &quick));
    let ours = agon_league::fingerprint(&game(), &common::options(&[])).expect("hash");
    let told = format!(
        "the run in {} was made by agon {} under rules with hash 0123456789abcdef, those of this build have {ours}: \
         continue it with the build that made it or begin a new run",
        run.display(),
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(other, told);
}

fn error(result: Result<Training, LeagueError>) -> String {
    match result {
        Ok(_) => panic!("expected an error"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn refusals_say_what_is_wrong_and_how_to_mend_it() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("run");
    let quick = runner(1, 4, false);
    train(&run, 1, 1, &quick);
    let again = error(Training::create(&run, &game(), config(1), &quick));
    assert!(again.contains("holds a run already") && again.contains("--resume"), "{again}");
    let none = error(Training::resume(&folder.path().join("other"), &game(), &[], &quick));
    assert!(none.contains("no run in") && none.contains("runs nearby") && none.contains("run"), "{none}");
    let seed = error(Training::resume(&run, &game(), &[("seed", "2".into())], &quick));
    assert!(seed.contains("was made with seed 1, now 2 is asked for"), "{seed}");
    let mut held = Store::open(&run).expect("store");
    held.lock().expect("free");
    let busy = error(Training::resume(&run, &game(), &[], &quick));
    assert!(busy.contains("another process"), "{busy}");
}

#[test]
fn broken_and_newer_stores_are_refused() {
    let folder = tempfile::tempdir().expect("folder");
    let file = |name: &str, bytes: &[u8]| {
        let run = folder.path().join(name);
        std::fs::create_dir_all(&run).expect("folder");
        std::fs::write(run.join(STORE_FILE), bytes).expect("file");
        run
    };
    for (name, bytes) in [("empty", &b""[..]), ("text", b"not a database at all, but long enough to look at")]
    {
        let Err(error) = Store::open(&file(name, bytes)) else { panic!("{name} was opened") };
        assert!(error.to_string().contains("is not a sound run store"), "{error}");
    }
    let run = folder.path().join("cut");
    train(&run, 1, 2, &runner(1, 4, false));
    let bytes = std::fs::read(run.join(STORE_FILE)).expect("bytes");
    std::fs::write(run.join(STORE_FILE), &bytes[..bytes.len() / 2]).expect("cut");
    assert!(Store::open(&run).is_err(), "a truncated store must not open");
    let newer = folder.path().join("newer");
    train(&newer, 1, 1, &runner(1, 4, false));
    let db = rusqlite::Connection::open(newer.join(STORE_FILE)).expect("open");
    db.pragma_update(None, "user_version", 99).expect("set");
    drop(db);
    let Err(error) = Store::open(&newer) else { panic!("a newer store was opened") };
    assert!(error.to_string().contains("newer build (store v99"), "{error}");
}
