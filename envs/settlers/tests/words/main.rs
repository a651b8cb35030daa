//! The words for skills: well-formed, within their bounds, and true of the state that the row shows.

mod facts;
mod features;
mod moves;

use agon_settlers::words::Words;
use agon_settlers::{ACTIONS, BoardSize, Config, Layout, State, bots, game, observe};
use rl_gym::vocabulary::{Fact, MAX_ARGS, Vocabulary, fact};
use rl_gym::{Bits, Pcg64, SeedSequence};

fn configs() -> Vec<Config> {
    let base = Config { turn_cap: 400, ..Config::default() };
    vec![
        base,
        Config { seats: 3, layout: Layout::Random, max_offers: 20, ..base },
        Config { seats: 2, discard_limit: 4, layout: Layout::Beginner, ..base },
        Config { board: BoardSize::Mini, seats: 3, victory_points: 7, ..base },
        Config { board: BoardSize::Mini, layout: Layout::Random, victory_points: 6, ..base },
        Config { player_trade: false, victory_points: 14, friendly_robber: true, ..base },
    ]
}

/// Plays `rounds` games of each table by random play and as many by the greedy player that errs now and then; shows
/// every state at which somebody decides, and its row.
fn positions(rounds: u64, mut each: impl FnMut(&State, &[u8])) {
    let player = bots::Player::new(&bots::GREEDY);
    let mut row = vec![0; observe::OBS_LEN];
    for (i, config) in configs().iter().enumerate() {
        for round in 0..2 * rounds {
            let mut state = State::new(config, SeedSequence::new(100 * round + i as u64)).expect("valid");
            let mut rng = Pcg64::seed(round);
            while let Some(seat) = state.actor() {
                observe::write(&state, seat, &mut row);
                each(&state, &row);
                let legal = state.legal();
                let action = if round % 2 == 0 || rng.below(10) == 0 {
                    legal.nth(rng.below(legal.count())).expect("a legal action")
                } else {
                    let mask = Bits::new(legal.words(), ACTIONS);
                    agon_settlers::ActionId(player.decide(&row, mask, &mut rng) as u16)
                };
                state.step(action).expect("legal");
            }
        }
    }
}

/// The value of the fact of a name.
fn value(row: &[u8], name: &str) -> f32 {
    Words.fact(row, fact(Words.facts(), name).unwrap_or_else(|| panic!("no fact {name}")))
}

/// The value of the feature of a name.
fn feature(row: &[u8], kind: &str, arg: u8, name: &str) -> f32 {
    let k = Words.kinds().iter().position(|k| k.name == kind).unwrap_or_else(|| panic!("no kind {kind}"));
    let f = fact(Words.kinds()[k].features, name).unwrap_or_else(|| panic!("no feature {name} of {kind}"));
    Words.feature(row, k, arg.into(), f)
}

fn is_one(yes: bool) -> f32 {
    u8::from(yes).into()
}

fn check_list(list: &[Fact], what: &str) {
    for (i, f) in list.iter().enumerate() {
        let is_snake = f.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        assert!(is_snake && f.low < f.high && !f.meaning.is_empty(), "{what}: {f:?}");
        assert!(list[..i].iter().all(|g| g.name != f.name), "{what}: {} is there twice", f.name);
    }
}

#[test]
fn names_are_unique_and_every_index_is_one_of_its_list() {
    let made = (game().vocabulary.expect("words"))(
        &(game().make)(&game().defaults()).expect("valid").spec().clone(),
    );
    assert_eq!((made.version(), made.facts()), (Words.version(), Words.facts()));
    assert!(Words.facts().len() >= 45);
    check_list(Words.facts(), "facts");
    let (kinds, verbs) = (Words.kinds(), Words.verbs());
    for (i, kind) in kinds.iter().enumerate() {
        check_list(kind.features, kind.name);
        assert!(kinds[..i].iter().all(|k| k.name != kind.name));
    }
    for (i, verb) in verbs.iter().enumerate() {
        assert!(verb.args.len() <= MAX_ARGS && verb.args.iter().all(|k| *k < kinds.len()), "{verb:?}");
        assert!(verbs[..i].iter().all(|v| v.name != verb.name));
    }
}

/// Number of arguments of each kind.
const SIZES: [u16; 6] = [54, 72, 19, 5, 4, 5];

#[test]
fn every_value_stays_within_its_bounds_and_depends_on_the_row_alone() {
    let mut range = vec![(f32::INFINITY, f32::NEG_INFINITY); Words.facts().len()];
    let mut spread: Vec<Vec<_>> =
        Words.kinds().iter().map(|k| vec![(f32::INFINITY, f32::NEG_INFINITY); k.features.len()]).collect();
    let mut values = vec![0.0; Words.facts().len()];
    let mut count = 0;
    let see = |(low, high): &mut (f32, f32), f: &Fact, x: f32| {
        assert!((f.low..=f.high).contains(&x), "{f:?} is {x}");
        (*low, *high) = (low.min(x), high.max(x));
    };
    positions(2, |_, row| {
        count += 1;
        if count % 7 == 0 {
            let copy = row.to_vec();
            Words.read(row, &mut values);
            for (i, f) in Words.facts().iter().enumerate() {
                see(&mut range[i], f, values[i]);
                assert_eq!(values[i].to_bits(), Words.fact(&copy, i).to_bits(), "{}", f.name);
            }
        }
        if count % 97 == 0 {
            for (k, kind) in Words.kinds().iter().enumerate() {
                for (i, f) in kind.features.iter().enumerate() {
                    (0..SIZES[k]).for_each(|arg| see(&mut spread[k][i], f, Words.feature(row, k, arg, i)));
                }
            }
        }
    });
    // Every word says something: it takes two values at least.
    let lists =
        std::iter::once((Words.facts(), &range)).chain(Words.kinds().iter().map(|k| k.features).zip(&spread));
    for (list, ranges) in lists {
        for (f, (low, high)) in list.iter().zip(ranges) {
            assert!(low < high, "{} is always {low}", f.name);
        }
    }
}

#[test]
fn nonsense_is_answered_without_a_panic() {
    for row in [vec![], vec![0; 7], vec![0; observe::OBS_LEN], vec![255; observe::OBS_LEN]] {
        (0..Words.facts().len()).for_each(|i| assert!(Words.fact(&row, i).is_finite()));
        for (k, kind) in Words.kinds().iter().enumerate() {
            for (i, f) in kind.features.iter().enumerate() {
                for arg in [0, 1, SIZES[k], 1000, u16::MAX] {
                    let x = Words.feature(&row, k, arg, i);
                    assert!(x.is_finite(), "{} of {} {arg}", f.name, kind.name);
                }
            }
        }
        for action in [ACTIONS as u32, 65_536, u32::MAX] {
            assert_eq!(Words.term(&row, action), None);
        }
    }
}
