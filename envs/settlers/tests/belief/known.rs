//! Laws of the redrawn hands, and single cases worked out by hand.

use crate::play::{Table, lively};
use agon_settlers::{Action, Config, Counts, Outcome, Record, SettlersEnv, State};
use rl_gym::{Pcg64, Resample, Snapshot};

/// Whether the card of a decision was stolen between two seats other than `viewer`.
fn is_secret(record: &Record, viewer: u8, seats: u8) -> bool {
    match (record.action.action(), record.outcome) {
        (Some(Action::Robber { victim, .. }), Outcome::Stolen(_)) => {
            record.seat != viewer && (record.seat + victim) % seats != viewer
        }
        _ => false,
    }
}

/// Games with trade: redrawn hands are possible, the true ones among them, and exact as long as nothing was
/// stolen behind the viewer's back.
#[test]
fn redrawn_hands_agree_with_the_whole_game() {
    let (mut exact, mut drawn, mut moved) = (0, 0, 0);
    for (seats, seed) in [(2, 1), (3, 2), (3, 3), (4, 4), (4, 5), (4, 6)] {
        let config = Config { seats, turn_cap: 150, ..Config::default() };
        let mut table = Table::new(&config, seed, false);
        let mut scratch = SettlersEnv::new(&config).expect("valid");
        let mut rng = Pcg64::seed(seed);
        let mut secrets = [false; 4];
        while table.state().outcome().is_none() {
            let action = if rng.below(3) == 0 {
                table.state().legal().nth(rng.below(table.state().legal().count())).expect("legal")
            } else {
                lively(table.state(), &mut rng)
            };
            table.step(action);
            let record = table.state().recent(1).next().expect("a decision");
            for viewer in 0..seats {
                secrets[usize::from(viewer)] |= is_secret(&record, viewer, seats);
                let possible = table.env.possible_hands(viewer.into()).expect("a counted game");
                let sum: f64 = possible.iter().map(|p| p.1).sum();
                assert!((sum - 1.0).abs() < 1e-9 && possible.iter().all(|p| p.1 > 0.0));
                assert!(possible.iter().any(|p| p.0 == table.hands()), "the true hands are possible");
                if rng.below(8) > 0 {
                    continue;
                }
                scratch.load(&table.env.save());
                scratch.resample(viewer.into(), &mut rng);
                let hands = |s: &State| -> [Counts; 4] { std::array::from_fn(|i| s.seat(i as u8).hand) };
                assert!(possible.iter().any(|p| p.0 == hands(scratch.state())), "seed {seed}");
                if !secrets[usize::from(viewer)] {
                    assert_eq!(hands(scratch.state()), table.hands(), "seed {seed}, viewer {viewer}");
                    exact += 1;
                }
                drawn += 1;
                moved += u32::from(hands(scratch.state()) != table.hands());
                // What the viewer has counted survives: the same deals from the redrawn state.
                assert_eq!(scratch.possible_hands(viewer.into()), Some(possible));
            }
        }
    }
    assert!(exact > 300 && drawn > 2 * exact && moved > 100, "{exact}, {drawn}, {moved}");
}

/// States that differ in hidden cards alone become one, memory included, and the memory keeps nothing else.
#[test]
fn tables_that_look_alike_become_one() {
    let mut pairs = 0;
    for seed in 0..10 {
        let config = Config { turn_cap: 80, ..Config::default() };
        let mut table = Table::new(&config, seed, true);
        let mut other = None::<Table>;
        let mut rng = Pcg64::seed(seed);
        let viewer = (seed % 4) as u8;
        while table.state().outcome().is_none() {
            if table.state().pending().is_none() {
                let action = lively(table.state(), &mut rng);
                if other.as_ref().is_some_and(|o| !o.state().legal().contains(action)) {
                    other = None;
                }
                table.step(action);
                other.iter_mut().for_each(|o| o.step(action));
            } else {
                let pending = table.state().pending();
                let mut lucks = Vec::new();
                rl_gym::Chance::outcomes(&table.env, &mut lucks);
                let before = table.env.save();
                let outcome = table.happen(&mut rng);
                let record = table.state().recent(1).next().expect("a decision");
                if let Some(o) = &mut other {
                    let mut possible = Vec::new();
                    rl_gym::Chance::outcomes(&o.env, &mut possible);
                    match possible.iter().any(|l| l.0 == outcome) {
                        true => o.force(outcome),
                        false => other = None,
                    }
                } else if is_secret(&record, viewer, 4) && lucks.len() > 1 {
                    // The same game with another card stolen.
                    let card = lucks.iter().find(|l| l.0 != outcome).expect("another card").0;
                    let mut twin = Table::new(&config, seed, true);
                    twin.env.load(&before);
                    assert_eq!(twin.state().pending(), pending);
                    twin.force(card);
                    other = Some(twin);
                }
            }
            // While both look alike, so do their redraws; afterwards the viewer knows which it is.
            let Some(twin) = &other else { continue };
            let look = |table: &Table| {
                let mut row = vec![0; agon_settlers::observe::OBS_LEN];
                agon_settlers::observe::write(table.state(), viewer, &mut row);
                row
            };
            if look(twin) != look(&table) {
                other = None;
                continue;
            }
            let redrawn = |table: &Table| {
                let mut env = SettlersEnv::new(&config).expect("valid");
                env.load(&table.env.save());
                env.resample(viewer.into(), &mut Pcg64::seed(seed));
                env.save()
            };
            assert_ne!(table.hands(), twin.hands());
            assert_eq!(redrawn(&table), redrawn(twin), "seed {seed}, step {}", table.state().steps());
            pairs += 1;
        }
    }
    assert!(pairs > 300, "{pairs}");
}

/// A table after `steps` lively decisions.
fn after(steps: u32, seed: u64) -> Table {
    let mut table = Table::new(&Config { turn_cap: 150, ..Config::default() }, seed, false);
    let mut rng = Pcg64::seed(seed);
    while table.state().steps() < steps && table.state().outcome().is_none() {
        table.step(lively(table.state(), &mut rng));
    }
    table
}

/// Where all hands have been counted, a draw from the present sight alone mostly gets them wrong.
#[test]
fn counting_knows_what_the_present_sight_does_not() {
    let (mut known, mut wrong, mut draws) = (0, 0, 0);
    for seed in 0..20 {
        let mut table = after(60 + 10 * seed as u32, seed);
        let mut scratch = SettlersEnv::new(table.state().config()).expect("valid");
        for viewer in 0..4 {
            if table.env.possible_hands(viewer).expect("a counted game").len() > 1 {
                continue;
            }
            known += 1;
            for draw in 0..10 {
                scratch.load(&table.env.save());
                scratch.resample(viewer, &mut Pcg64::seed(draw));
                assert_eq!(scratch.state().seat(0).hand, table.state().seat(0).hand);
                assert!((0..4).all(|s| scratch.state().seat(s).hand == table.state().seat(s).hand));
                scratch.set_state(table.state());
                assert_eq!(scratch.possible_hands(viewer), None, "a position put in by hand has no past");
                scratch.resample(viewer, &mut Pcg64::seed(draw));
                wrong +=
                    u32::from((0..4).any(|s| scratch.state().seat(s).hand != table.state().seat(s).hand));
                draws += 1;
            }
        }
    }
    assert!(known > 20 && wrong > draws * 3 / 4, "{known} known hands, {wrong} of {draws} draws wrong");
}

/// Each deal comes as often as its probability says: chi-square over the deals of five positions.
#[test]
fn redraws_follow_the_probabilities() {
    const DRAWS: u32 = 4000;
    let (mut statistic, mut freedom, mut positions) = (0.0, 0.0, 0);
    for seed in 0.. {
        let mut table = after(150, seed);
        let deals = table.env.possible_hands(1).expect("a counted game");
        if deals.len() < 4 {
            continue;
        }
        let mut counts = vec![0u32; deals.len()];
        let mut scratch = SettlersEnv::new(table.state().config()).expect("valid");
        let saved = table.env.save();
        let mut rng = Pcg64::seed(seed);
        for _ in 0..DRAWS {
            scratch.load(&saved);
            scratch.resample(1, &mut rng);
            let hands: [Counts; 4] = std::array::from_fn(|s| scratch.state().seat(s as u8).hand);
            counts[deals.iter().position(|d| d.0 == hands).expect("a possible deal")] += 1;
        }
        for (count, (_, chance)) in counts.iter().zip(&deals) {
            let expected = chance * f64::from(DRAWS);
            statistic += (f64::from(*count) - expected).powi(2) / expected;
        }
        freedom += deals.len() as f64 - 1.0;
        positions += 1;
        if positions == 5 {
            break;
        }
    }
    // Mean `freedom`, standard deviation the root of twice that; four of them are never passed by luck.
    assert!(statistic < freedom + 4.0 * (2.0 * freedom).sqrt(), "{statistic} with {freedom} degrees");
}
