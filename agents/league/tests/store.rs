//! The store: one maker wins, and a reader sees one state.

mod common;

use agon_league::{LeagueError, STORE_FILE, Store};
use common::store::{count, made, outcomes};
use std::{path::PathBuf, sync::Barrier};

/// Symptom: two processes began in one folder, and the second replaced the store of the first.
#[test]
fn of_those_who_begin_in_one_folder_one_wins() {
    let folder = tempfile::tempdir().expect("folder");
    for round in 0..20 {
        let run = folder.path().join(round.to_string());
        let barrier = Barrier::new(4);
        let begin = |who: usize| {
            barrier.wait();
            let made = Store::create(&run, |s| s.set_meta("who", &who));
            // The winner trains for a while; nobody may begin meanwhile or afterwards.
            let again = Store::create(&run, |s| s.set_meta("who", &who)).err();
            (who, made, again)
        };
        let ended: Vec<_> = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..4).map(|who| scope.spawn(move || begin(who))).collect();
            handles.into_iter().map(|h| h.join().expect("no panic")).collect()
        });
        let refused =
            |e: &LeagueError| matches!(e, LeagueError::RunExists { .. } | LeagueError::RunBusy { .. });
        let winners: Vec<usize> = ended.iter().filter(|(_, m, _)| m.is_ok()).map(|(who, ..)| *who).collect();
        assert_eq!(winners.len(), 1, "round {round}");
        assert!(ended.iter().all(|(_, made, _)| made.as_ref().err().is_none_or(refused)));
        assert!(ended.iter().all(|(_, _, again)| again.as_ref().is_some_and(refused)));
        let mut other = Store::open_read(&run).expect("store");
        assert_eq!(other.meta::<usize>("who").expect("meta"), winners[0]);
        assert!(matches!(other.lock(), Err(LeagueError::RunBusy { .. })), "the winner holds it");
        drop(ended);
        other.lock().expect("free with its holder gone");
    }
}

/// Symptom: a report on a live run folded players of one moment with games of another.
#[test]
fn a_reader_sees_one_state_of_a_run_that_goes_on() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("run");
    made(&run);
    let mut writer = Store::open(&run).expect("store");
    let reader = Store::open_read(&run).expect("reader");
    writer.transaction(|s| s.add_matches(&outcomes(1..5))).expect("stored");
    assert_eq!(count(&reader), 1);
    assert_eq!(count(&Store::open_read(&run).expect("reader")), 5);
    let refused = reader.set_meta("config", &2).expect_err("only reads").to_string();
    assert!(refused.contains("readonly"), "{refused}");
    assert_eq!(count(&reader), 1);
}

#[test]
fn what_is_no_store_is_refused_to_readers_too() {
    let folder = tempfile::tempdir().expect("folder");
    let at = |name: &str, bytes: &[u8]| {
        let run = folder.path().join(name);
        std::fs::create_dir_all(&run).expect("folder");
        std::fs::write(run.join(STORE_FILE), bytes).expect("file");
        run
    };
    let told = |run: PathBuf| match Store::open_read(&run) {
        Ok(_) => panic!("{} was opened", run.display()),
        Err(error) => error.to_string(),
    };
    for (name, bytes) in [("empty", &b""[..]), ("text", b"not a database at all, but long enough to look at")]
    {
        let error = told(at(name, bytes));
        assert!(error.contains("is not a sound run store"), "{error}");
    }
    let none = told(folder.path().join("none"));
    assert!(none.contains("no run in") && none.contains("runs nearby"), "{none}");
    let newer = folder.path().join("newer");
    made(&newer);
    let db = rusqlite::Connection::open(newer.join(STORE_FILE)).expect("open");
    db.pragma_update(None, "user_version", 99).expect("set");
    drop(db);
    let error = told(newer);
    assert!(error.contains("newer build (store v99"), "{error}");
}
