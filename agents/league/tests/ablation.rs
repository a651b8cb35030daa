//! Every way to train that can be chosen: equal on any number of threads, exact after stops, and different from the
//! default in what it says it is.

mod common;

use agon_league::{
    Budget, Ended, MatchKind, Outcome, Pairing, PlayerKind, RunnerConfig, SearchKind, Store, TrainConfig,
    Training,
};
use common::{Count, config, game, runner};
use std::{collections::BTreeMap, path::Path};

const GENERATIONS: u32 = 6;

/// The settings that change one part of training each.
fn arms() -> Vec<(&'static str, TrainConfig)> {
    let base = || config(3);
    vec![
        ("default", base()),
        ("uniform", TrainConfig { pairing: Pairing::Uniform, ..base() }),
        ("anchors", TrainConfig { pool: 0, ..base() }),
        ("no-self", TrainConfig { rounds: 0, ..base() }),
        ("plain", TrainConfig { search: SearchKind::Plain, ..base() }),
        ("pbt", TrainConfig { search: SearchKind::Pbt, ..base() }),
    ]
}

fn train(run: &Path, config: TrainConfig, runner: &RunnerConfig) {
    let mut training = Training::create(run, &game(), config, runner).expect("run");
    let ended = training.run(Budget::Generations(GENERATIONS), &mut Count::default()).expect("trained");
    assert_eq!(ended, Ended::Done);
}

/// Players, matches and events of a store.
fn contents(run: &Path) -> (Vec<String>, Vec<Outcome>, Vec<String>) {
    let store = Store::open(run).expect("store");
    let mut matches = Vec::new();
    store.each_match(|o| matches.push(o)).expect("matches");
    let players = store.players().expect("players").into_iter().map(|p| format!("{p:?}")).collect();
    let events = store.events().expect("events").into_iter().map(|e| format!("{e:?}")).collect();
    (players, matches, events)
}

#[test]
fn every_arm_is_one_run_on_any_threads_and_over_any_stops() {
    let folder = tempfile::tempdir().expect("folder");
    let mut runs = Vec::new();
    for (name, config) in arms() {
        let at = |what: &str| folder.path().join(format!("{name}-{what}"));
        train(&at("whole"), config.clone(), &runner(1, 5, false));
        train(&at("threads"), config.clone(), &runner(3, 64, true));
        let whole = contents(&at("whole"));
        assert!(whole == contents(&at("threads")), "{name}: other threads, other run");
        let mut stops = 0;
        for session in 0.. {
            let quick = runner(2, 2, true);
            let mut training = match session {
                0 => Training::create(&at("broken"), &game(), config.clone(), &quick),
                _ => Training::resume(&at("broken"), &game(), &[], &quick),
            }
            .expect("run");
            let stop_after = Some((90, quick.stop.clone()));
            let mut count = Count { stop_after, ..Count::default() };
            match training.run(Budget::Generations(GENERATIONS), &mut count).expect("trained") {
                Ended::Stopped => stops += 1,
                Ended::Done => break,
            }
        }
        assert!(stops >= 4, "{name}: {stops}");
        assert!(whole == contents(&at("broken")), "{name}: stopped {stops} times, another run");
        runs.push((name, whole.1));
    }
    for (i, (name, matches)) in runs.iter().enumerate() {
        for (other, theirs) in &runs[..i] {
            assert!(matches != theirs, "{name} plays as {other}");
        }
    }
}

#[test]
fn anchors_alone_and_no_self_tables_are_what_they_say() {
    let folder = tempfile::tempdir().expect("folder");
    for (name, config) in arms() {
        let run = folder.path().join(name);
        train(&run, config, &runner(2, 16, true));
        let store = Store::open(&run).expect("store");
        let players: BTreeMap<i64, _> = store.players().expect("players").into_iter().collect();
        let events = store.events().expect("events");
        let champions: Vec<i64> =
            events.iter().filter(|e| e.what == "snapshot").filter_map(|e| e.player).collect();
        let (mut with_champion, mut with_two, mut games) = (0, 0, 0);
        store
            .each_match(|o| {
                if o.game.kind != MatchKind::Train {
                    return;
                }
                let is_champion = |id: &i64| champions.contains(id);
                let is_candidate =
                    |id: &&i64| matches!(players[*id].kind, PlayerKind::Evolved { .. }) && !is_champion(id);
                games += 1;
                with_champion += usize::from(o.game.seats.iter().any(is_champion));
                with_two += usize::from(o.game.seats.iter().filter(is_candidate).count() > 1);
            })
            .expect("matches");
        assert_eq!(with_champion == 0, name == "anchors", "{name}: {with_champion} of {games}");
        assert_eq!(with_two == 0, name == "no-self", "{name}: {with_two} of {games}");
    }
}

/// Members that stay are one player over all their generations: born once, retired at most once.
#[test]
fn members_of_a_trained_population_live_over_generations() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("pbt");
    train(&run, TrainConfig { search: SearchKind::Pbt, ..config(1) }, &runner(2, 16, true));
    let store = Store::open(&run).expect("store");
    let mut lives: BTreeMap<i64, Vec<(String, u32)>> = BTreeMap::new();
    for event in store.events().expect("events").into_iter().filter(|e| e.what != "snapshot") {
        lives.entry(event.player.expect("a player")).or_default().push((event.what, event.generation));
    }
    // 8 in the first generation, then the worse 4 are replaced.
    assert_eq!(lives.len(), 8 + 4 * (GENERATIONS as usize - 1));
    for life in lives.values() {
        let words: Vec<&str> = life.iter().map(|(what, _)| what.as_str()).collect();
        assert!(words == ["birth"] || words == ["birth", "retirement"], "{life:?}");
    }
    let retired = |life: &&Vec<(String, u32)>| life.len() == 2;
    assert_eq!(lives.values().filter(retired).count(), 4 * GENERATIONS as usize);
    assert!(lives.values().filter(retired).any(|life| life[1].1 > life[0].1), "nobody stayed");
}

/// What a store of an older build holds: no word of how opponents and candidates are made.
#[test]
fn an_older_store_goes_on_as_the_default() {
    let folder = tempfile::tempdir().expect("folder");
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    train(&new, config(5), &runner(2, 16, true));
    let half = {
        let mut training = Training::create(&old, &game(), config(5), &runner(2, 16, true)).expect("run");
        training.run(Budget::Generations(3), &mut Count::default()).expect("trained");
        training.store().meta::<serde_json::Value>("config").expect("config")
    };
    let mut config = half;
    let fields = config.as_object_mut().expect("an object");
    assert!(fields.remove("pairing").is_some() && fields.remove("search").is_some());
    Store::open(&old).expect("store").set_meta("config", &config).expect("stored");
    let mut training = Training::resume(
        &old,
        &game(),
        &[("pairing", "elo".into()), ("search", "cma".into())],
        &runner(2, 16, true),
    )
    .expect("resumed");
    training.run(Budget::Generations(GENERATIONS), &mut Count::default()).expect("trained");
    drop(training);
    // The exam that the old run took after three generations is extra.
    let played = |run: &Path| -> Vec<Outcome> {
        contents(run).1.into_iter().filter(|o| o.game.kind != MatchKind::Exam).collect()
    };
    assert!(played(&old) == played(&new));
}

#[test]
fn other_settings_are_told() {
    let folder = tempfile::tempdir().expect("folder");
    let run = folder.path().join("run");
    let quick = runner(1, 4, false);
    let made = TrainConfig { exam_games: 0, ..config(1) };
    drop(Training::create(&run, &game(), made, &quick).expect("run"));
    for (name, text, told) in [
        ("pairing", "uniform", "was made with pairing elo, now uniform is asked for"),
        ("search", "pbt", "was made with search cma, now pbt is asked for"),
        ("search", "hill", "search = hill is none of cma, plain, pbt"),
        ("pairing", "luck", "pairing = luck is none of elo, uniform"),
    ] {
        match Training::resume(&run, &game(), &[(name, text.into())], &quick) {
            Ok(_) => panic!("{name}={text} was taken"),
            Err(error) => assert!(error.to_string().contains(told), "{error}"),
        }
    }
}
