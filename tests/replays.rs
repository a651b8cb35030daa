//! What keeping the moves of every match costs. A measurement, so it runs when asked for:
//!
//!     cargo test --release --test replays -- --ignored --nocapture

#![allow(clippy::print_stdout, reason = "figures for whoever asked for them")]
use agon::league::{
    Kept, Maker, Match, MatchKind, MatchSeed, Outcome, Player, Rerun, Runner, RunnerConfig, Store,
};
use agon::policy::Players;
use cpu_time::ProcessTime;
use std::collections::BTreeMap;

/// Matches of one measurement.
const MATCHES: u32 = 1500;
/// Measurements with and without, in turn.
const ROUNDS: usize = 7;

fn matches(record: bool) -> Vec<Match> {
    let one = |table: u32| Match {
        id: table.into(),
        kind: MatchKind::Train,
        generation: 0,
        block: table.into(),
        seed: MatchSeed { root: 1, generation: 0, table },
        seats: vec![0; 4],
        record,
    };
    (1..=MATCHES).map(one).collect()
}

#[test]
#[ignore = "a minute of measuring: see the head of this file"]
fn keeping_the_moves_of_every_match_costs_little_time_and_space() {
    let games = agon::bundled();
    let game = games.find("settlers").expect("bundled");
    let options = game.resolve([]).expect("defaults");
    let players = Players::of(game);
    let greedy = players.find("greedy").expect("an anchor");
    let makers = BTreeMap::from([(0, Maker::of(&Player::bot(game, greedy), game).expect("known"))]);
    let config = RunnerConfig { workers: 1, ..RunnerConfig::default() };
    let mut runner = Runner::new(game, &options, &config).expect("runner");
    let folder = tempfile::tempdir().expect("folder");
    let mut costs: [Vec<f64>; 2] = Default::default();
    let mut kept: Vec<Outcome> = Vec::new();
    for round in 0..2 * ROUNDS + 2 {
        let record = round % 2 == 1;
        let mut store = Store::create(&folder.path().join(round.to_string()), |_| Ok(())).expect("store");
        let (begun, mut outcomes) = (ProcessTime::now(), Vec::new());
        let done = |o| {
            outcomes.push(o);
            Ok(())
        };
        runner.play(&matches(record), &makers, done).expect("played");
        store.transaction(|s| s.add_matches(&outcomes)).expect("stored");
        // The first of each warms up.
        if round >= 2 {
            costs[usize::from(record)].push(begun.elapsed().as_secs_f64());
        }
        if record {
            kept = outcomes;
        }
    }
    let median = |of: &mut Vec<f64>| {
        of.sort_by(f64::total_cmp);
        of[of.len() / 2]
    };
    let [without, with] = &mut costs;
    let (without, with) = (median(without), median(with));
    let bytes: usize = kept.iter().filter_map(|o| o.replay_bytes.as_ref()).map(Vec::len).sum();
    let decisions: u32 = kept.iter().map(|o| o.decisions).sum();
    let mut rerun = Rerun::new(game, &options).expect("rerun");
    let begun = ProcessTime::now();
    for o in &kept {
        rerun.check(o, &Kept::Moves(o.replay_bytes.clone().expect("recorded"))).expect("goes as it went");
    }
    let again = begun.elapsed().as_secs_f64();
    println!(
        "{MATCHES} games of four greedy players, {:.0} decisions each: {:.1} bytes a game ({:.2} bits a decision); CPU \
         {without:.3} s without and {with:.3} s with moves kept (medians of {ROUNDS}): {:+.1} %; played again in {again:.3} s",
        f64::from(decisions) / f64::from(MATCHES),
        bytes as f64 / f64::from(MATCHES),
        8.0 * bytes as f64 / f64::from(decisions),
        100.0 * (with / without - 1.0)
    );
    // Generous, for machines that do other work at the same time.
    assert!(with < 1.15 * without, "{with} s with, {without} s without");
    assert!(bytes < 400 * MATCHES as usize, "{bytes} bytes");
}
