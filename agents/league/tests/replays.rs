//! Every match of a run can be played again from the store, and what is damaged or differs is named.

mod common;

use agon_league::{
    Budget, Kept, LeagueError, Maker, MatchKind, Outcome, Player, Rerun, Runner, STORE_FILE, Status, Store,
    Training, verify,
};
use common::{Count, SEATS, config, game, matches, options, runner};
use rl_gym::Replay;
use std::{collections::BTreeMap, path::Path};

fn trained(run: &Path, generations: u32) -> Store {
    let mut training = Training::create(run, &game(), config(4), &runner(2, 8, true)).expect("run");
    training.run(Budget::Generations(generations), &mut Count::default()).expect("trained");
    Store::open_read(run).expect("store")
}

fn outcomes(store: &Store) -> Vec<Outcome> {
    let mut found = Vec::new();
    store.each_match(|o| found.push(o)).expect("matches");
    found
}

fn kept(store: &Store, id: i64) -> Kept {
    store.kept(id).expect("readable").expect("kept")
}

#[test]
fn every_match_of_a_run_goes_as_stored_and_becomes_a_whole_replay() {
    let folder = tempfile::tempdir().expect("folder");
    let store = trained(&folder.path().join("run"), 2);
    let all = outcomes(&store);
    for workers in [1, 3] {
        let verified = verify(&store, &game(), &options(&[]), workers, |_| true).expect("verified");
        assert_eq!((verified.equal, verified.unkept, verified.failed.len()), (all.len() as u64, 0, 0));
    }
    let some =
        verify(&store, &game(), &options(&[]), 2, |o| o.game.kind == MatchKind::Exam).expect("verified");
    assert_eq!(some.equal, 180, "60 games against each of random, low and high");
    let sizes = store.kept_sizes().expect("sizes");
    let kinds: Vec<MatchKind> = sizes.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, [MatchKind::Train, MatchKind::Ladder, MatchKind::Exam]);
    // Three bids among 64 are 18 bits at most, behind 6 bytes of format, checksum and length.
    assert!(sizes.iter().all(|(_, s)| s.kept == s.games && s.bytes <= 10 * s.games), "{sizes:?}");
    let mut rerun = Rerun::new(&game(), &options(&[])).expect("rerun");
    for o in all.iter().step_by(17) {
        let labels = o.game.seats.iter().map(ToString::to_string).collect();
        let replay = rerun.replay(o, &kept(&store, o.game.id), labels).expect("replayed");
        let back = Replay::load(&replay.save().expect("saved")).expect("loaded");
        assert_eq!((back.ranks.as_slice(), back.steps()), (o.ranks.as_slice(), o.steps));
        assert_eq!(back.verify(&game()).expect("same game").divergence, None);
    }
}

/// Ends of all kinds: by the rules, by giving up, by an illegal action, by a failing environment.
#[test]
fn games_that_were_broken_off_go_as_stored_too() {
    let makers: BTreeMap<i64, Maker> = game()
        .bots
        .iter()
        .enumerate()
        .map(|(i, bot)| (i as i64, Maker::of(&Player::bot(&game(), bot), &game()).expect("known")))
        .collect();
    let mut seen = BTreeMap::new();
    for (seats, given) in [
        ([0, 1, 1], &[][..]),
        ([0, 2, 1], &[]),
        ([0, 3, 1], &[]),
        ([0, 4, 1], &[]),
        ([4, 4, 4], &[]),
        ([0, 1, 1], &[("faulty", "0.5")]),
        ([0, 1, 1], &[("end", "headless")]),
    ] {
        let options = options(given);
        let mut played = matches(30, seats);
        played.iter_mut().for_each(|m| m.record = true);
        let mut rerun = Rerun::new(&game(), &options).expect("rerun");
        let mut runner = Runner::new(&game(), &options, &runner(2, 4, true)).expect("runner");
        let done = |o: Outcome| {
            *seen.entry(o.status.word()).or_insert(0) += 1;
            let kept = Kept::Moves(o.replay_bytes.clone().expect("recorded"));
            rerun.check(&o, &kept).expect("goes as it went");
            let replay = rerun.replay(&o, &kept, vec![String::new(); SEATS]).expect("replayed");
            assert_eq!(replay.verify(&game()).expect("same game").divergence, None, "{o:?}");
            Ok(())
        };
        runner.play(&played, &makers, done).expect("played");
    }
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), ["forfeit", "void", "won"]);
}

#[test]
fn bytes_that_were_cut_flipped_or_exchanged_are_refused_with_the_match_named() {
    let folder = tempfile::tempdir().expect("folder");
    let store = trained(&folder.path().join("run"), 1);
    let all = outcomes(&store);
    let mut rerun = Rerun::new(&game(), &options(&[])).expect("rerun");
    let mut told = |o: &Outcome, bytes: Vec<u8>| {
        let error = rerun.check(o, &Kept::Moves(bytes)).expect_err("refused").to_string();
        assert!(error.contains(&format!("match {}", o.game.id)), "{error}");
        error
    };
    let o = &all[3];
    let Kept::Moves(bytes) = kept(&store, o.game.id) else { panic!("moves") };
    assert!(told(o, Vec::new()).contains("not one byte of it"));
    for cut in 1..bytes.len() {
        let error = told(o, bytes[..cut].into());
        let word = if cut < 5 { "end inside the header" } else { "do not match their checksum" };
        assert!(error.contains(word), "cut at {cut}: {error}");
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            let error = told(o, flipped);
            let word = if at == 0 { "this build reads 1" } else { "do not match their checksum" };
            assert!(error.contains(word), "bit {bit} of byte {at}: {error}");
        }
    }
    // Moves of a game on another seed.
    let other = all.iter().find(|x| x.game.seed != o.game.seed).expect("another table");
    let Kept::Moves(theirs) = kept(&store, other.game.id) else { panic!("moves") };
    assert!(told(o, theirs).contains("those of another match"));
    // An outcome that was changed in the store.
    let mut changed = o.clone();
    changed.ranks.rotate_left(1);
    changed.ranks[0] ^= 1;
    let error = told(&changed, bytes.clone());
    assert!(error.contains("the order of the places is") && error.contains("stored is"), "{error}");
    let longer = Outcome { steps: 2, ..o.clone() };
    assert!(told(&longer, bytes).contains("the number of steps is 1"));
}

#[test]
fn a_match_that_is_not_there_is_named_with_the_numbers_that_are() {
    let folder = tempfile::tempdir().expect("folder");
    let store = trained(&folder.path().join("run"), 1);
    assert_eq!(store.match_of(0).expect("the first").game.id, 0);
    let error = store.match_of(77_777).expect_err("none").to_string();
    assert!(error.contains("has no match 77777: its numbers go from 0 to "), "{error}");
}

/// A store as version 1 made it: whole replays of some matches under their hashes.
fn turned_back(run: &Path, whole: &[(i64, Vec<u8>)]) {
    let db = rusqlite::Connection::open(run.join(STORE_FILE)).expect("open");
    db.execute_batch(
        "DROP TABLE moves; ALTER TABLE matches ADD COLUMN replay TEXT;
         CREATE TABLE replays (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT; PRAGMA user_version = 1;",
    )
    .expect("turned back");
    for (id, bytes) in whole {
        let hash = format!("hash-{id}");
        db.execute("INSERT INTO replays VALUES (?1, ?2)", rusqlite::params![hash, bytes]).expect("kept");
        db.execute("UPDATE matches SET replay = ?1 WHERE id = ?2", rusqlite::params![hash, id])
            .expect("named");
    }
}

#[test]
fn a_store_of_version_1_is_read_continued_and_brought_up() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("run");
    let store = trained(&run, 2);
    let all = outcomes(&store);
    let mut rerun = Rerun::new(&game(), &options(&[])).expect("rerun");
    let mut whole = Vec::new();
    for o in all.iter().filter(|o| o.game.kind == MatchKind::Exam && o.status == Status::Won).take(5) {
        let replay = rerun.replay(o, &kept(&store, o.game.id), vec![String::new(); SEATS]).expect("replayed");
        whole.push((o.game.id, replay.save().expect("saved")));
    }
    drop(store);
    turned_back(&run, &whole);
    let old = |store: &Store| {
        let verified = verify(store, &game(), &options(&[]), 2, |_| true).expect("verified");
        (verified.equal, verified.unkept, verified.failed.len())
    };
    assert_eq!(old(&Store::open_read(&run).expect("read")), (5, all.len() as u64 - 5, 0));
    let mut training = Training::resume(&run, &game(), &[], &runner(2, 8, true)).expect("resumed");
    training.run(Budget::Generations(3), &mut Count::default()).expect("trained");
    drop(training);
    let store = Store::open_read(&run).expect("read");
    let now = outcomes(&store).len();
    assert!(now > all.len());
    assert_eq!(old(&store), ((now - all.len()) as u64 + 5, all.len() as u64 - 5, 0));
    assert!(matches!(kept(&store, whole[0].0), Kept::Whole(_)));
}

/// Other rules than those that the match was played under.
#[test]
fn a_game_that_goes_another_way_is_told_apart_from_damage() {
    let folder = tempfile::tempdir().expect("folder");
    let store = trained(&folder.path().join("run"), 1);
    let headless = options(&[("end", "headless")]);
    let verified = verify(&store, &game(), &headless, 2, |_| true).expect("verified");
    assert_eq!(verified.equal, 0);
    assert!(verified.failed.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert!(verified.failed.iter().all(|(_, e)| matches!(e, LeagueError::Differs { .. })));
}
