//! The players that come with the game.
#![allow(clippy::print_stdout, reason = "a figure for people")]

use agon_text_adventure::{bots, game};
use rl_gym::{BatchConfig, BatchEnv, Decisions, Flags, Pcg64, Policy, VecEnv};

/// Uniform over the mask.
struct Random;

impl Policy for Random {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), rl_gym::Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            let k = ask.rng.below(ask.mask.count() as u32) as usize;
            let action = ask.mask.nth(k).unwrap_or(0) as u32;
            ask.choose(action);
        }
        Ok(())
    }
}

pub(crate) fn player(name: &str, spec: &rl_gym::Spec) -> Box<dyn Policy> {
    match bots::bots().iter().find(|b| b.name == name) {
        Some(bot) => (bot.make)(spec),
        None => Box::new(Random),
    }
}

/// Points of the first player (1 a win, a half a tie) and games, both seats taken in turn on each seed.
pub(crate) fn duel(names: [&str; 2], given: &[(&str, &str)], games: usize, root: u64) -> (f64, f64) {
    let mut points = 0.0;
    for seats in [[0, 1], [1, 0]] {
        let options = game().resolve(given.iter().copied()).expect("valid options");
        let mut batch = VecEnv::new(&game().factory(options), BatchConfig::lanes(games)).expect("a batch");
        let spec = batch.spec().clone();
        let mut players = names.map(|n| player(n, &spec));
        batch.reset(root);
        let mut rngs: Vec<Pcg64> = (0..games * 2).map(|r| Pcg64::seed(root ^ r as u64)).collect();
        let mut given_up = Vec::new();
        let mut done = vec![false; games];
        let (mut rows, mut left) = (Vec::new(), games);
        for row in 0..games * 2 {
            players[seats[row % 2]].begin(row, row % 2);
        }
        while left > 0 {
            for (p, player) in players.iter_mut().enumerate() {
                let (view, actions) = batch.parts();
                rows.clear();
                rows.extend(
                    (0..games * 2)
                        .filter(|r| seats[r % 2] == p)
                        .map(|r| r as u32)
                        .filter(|r| view.flags(*r as usize).contains(Flags::TO_ACT)),
                );
                player
                    .act(&mut Decisions::new(view, actions, &rows, &mut rngs, &mut given_up))
                    .expect("it decides");
                assert!(given_up.is_empty(), "{}: {}", names[p], given_up[0].1);
            }
            let view = batch.step();
            assert!(view.faults().next().is_none(), "{:?}", view.faults().next());
            let ends: Vec<_> = view.finals().map(|f| (f.0.lane, f.0.seat, f.0.rank)).collect();
            for (lane, done) in done.iter_mut().enumerate() {
                let ranks: Vec<u8> = ends.iter().filter(|e| e.0 as usize == lane).map(|e| e.2).collect();
                if ranks.len() < 2 || *done {
                    continue;
                }
                *done = true;
                left -= 1;
                let mine = seats.iter().position(|p| *p == 0).unwrap_or(0);
                points += match ranks[mine].cmp(&ranks[1 - mine]) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
            }
            for lane in 0..games {
                for seat in 0..2 {
                    let row = lane * 2 + seat;
                    if ends.iter().any(|e| e.0 as usize == lane) {
                        players[seats[seat]].begin(row, seat);
                    }
                }
            }
        }
    }
    (points, 2.0 * games as f64)
}

#[test]
fn each_is_stronger_than_the_one_before() {
    let ladder = ["random", "greedy", "explorer", "planner"];
    for pair in ladder.windows(2) {
        let given: &[(&str, &str)] =
            if pair[1] == "planner" { &[("advice", "on"), ("games", "8")] } else { &[("games", "16")] };
        let games = if pair[1] == "planner" { 6 } else { 20 };
        let (points, games) = duel([pair[1], pair[0]], given, games, 5);
        assert!(points > 0.6 * games, "{} against {}: {points} of {games}", pair[1], pair[0]);
    }
}

#[test]
fn they_play_verbs_with_objects_too() {
    let (points, games) = duel(["explorer", "greedy"], &[("games", "8"), ("actions", "triple")], 6, 11);
    assert!(points > 0.5 * games, "{points} of {games}");
}

/// Share of unpaired games that seat 0 wins, ties as halves.
fn seat_zero(games: usize, root: u64) -> f64 {
    let (mut points, mut ended) = (0.0, 0);
    let lanes = 64;
    let options = game().resolve([("games", "200")]).expect("valid options");
    let mut batch = VecEnv::new(&game().factory(options), BatchConfig::lanes(lanes)).expect("a batch");
    batch.reset(root);
    let mut rng = Pcg64::seed(root);
    while ended < games {
        let (view, mut actions) = batch.parts();
        for row in 0..lanes * 2 {
            if view.flags(row).contains(Flags::TO_ACT) {
                let mask = view.mask(row);
                let k = rng.below(mask.count() as u32) as usize;
                actions.set(row, mask.nth(k).unwrap_or(0) as u32);
            }
        }
        let view = batch.step();
        let ends: Vec<_> = view.finals().map(|f| (f.0.seat, f.0.rank)).collect();
        for pair in ends.chunks_exact(2) {
            assert_eq!((pair[0].0, pair[1].0), (0, 1));
            ended += 1;
            points += match pair[0].1.cmp(&pair[1].1) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
        }
    }
    points / ended as f64
}

#[test]
fn no_seat_is_better_than_the_other_one() {
    // 300 games: a standard deviation of at most 0.029.
    let share = seat_zero(300, 21);
    assert!((0.41..=0.59).contains(&share), "{share}");
}

#[test]
#[ignore = "thousands of games: cargo test --release -p agon-text-adventure --test env -- --ignored seats"]
fn seats_are_even_over_thousands_of_games() {
    let share = seat_zero(6_000, 22);
    println!("seat 0: {share:.4} of 6,000 games");
    assert!((0.48..=0.52).contains(&share), "{share}");
}

#[test]
#[ignore = "figures of the README: cargo test --release -p agon-text-adventure --test env -- --ignored duels --nocapture"]
fn table_of_duels() {
    let pairs = [
        ["greedy", "random"],
        ["explorer", "greedy"],
        ["explorer", "random"],
        ["trader", "explorer"],
        ["blocker", "explorer"],
    ];
    for [one, other] in pairs {
        let (points, games) = duel([one, other], &[("games", "50")], 50, 77);
        println!("{one} against {other}: {points} of {games}");
        assert!(points > 0.35 * games, "{one} against {other}: {points} of {games}");
    }
    let (points, games) = duel(["planner", "explorer"], &[("games", "16"), ("advice", "on")], 16, 78);
    println!("planner against explorer: {points} of {games}");
    assert!(points > 0.6 * games);
}
