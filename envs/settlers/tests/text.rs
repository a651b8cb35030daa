//! The game in words: short, complete, and readable back.

use agon_settlers::{ActionId, Config, Layout, MAX_TEXT, SettlersEnv, State, write_text};
use rl_gym::{Pcg64, SeedSequence, TextEnv};

/// Positions of random play over several tables.
fn positions(mut each: impl FnMut(&State)) {
    for (i, seats) in [2u8, 3, 4, 4].into_iter().enumerate() {
        let layout = [Layout::Spiral, Layout::Random, Layout::Beginner, Layout::Spiral][i];
        let board = if i == 1 { agon_settlers::BoardSize::Mini } else { agon_settlers::BoardSize::Full };
        let config =
            Config { seats, layout, board, discard_limit: 20 * i as u8, turn_cap: 300, ..Config::default() };
        let mut state = State::new(&config, SeedSequence::new(i as u64)).expect("valid");
        let mut rng = Pcg64::seed(i as u64);
        while state.outcome().is_none() {
            let k = rng.below(state.legal().count());
            let action = state.legal().nth(k).expect("legal");
            state.step(action).expect("legal");
            each(&state);
        }
    }
}

fn env(state: &State) -> SettlersEnv {
    let mut env = SettlersEnv::new(state.config()).expect("valid");
    env.set_state(state);
    env
}

#[test]
fn texts_stay_below_two_kilobytes_and_list_every_action_by_number() {
    let mut longest = 0;
    let mut out = String::new();
    positions(|state| {
        for seat in 0..state.num_seats() as u8 {
            out.clear();
            out.push_str("kept");
            write_text(state, seat, &mut out);
            assert!(out.starts_with("kept"));
            let text = &out[4..];
            longest = longest.max(text.len());
            assert!(text.len() <= MAX_TEXT, "{} bytes:\n{text}", text.len());
            assert_eq!(text.contains("You may"), state.actor() == Some(seat));
        }
    });
    assert!(longest > 1000, "the longest text had {longest} bytes");
}

#[test]
fn a_hand_full_of_everything_still_fits() {
    use agon_settlers::{Board, DevCard, testing::Position};
    // Four seats with every road, all rates, all cards: the worst list of actions that can be made.
    let ring: Vec<u8> = (24..=38).collect();
    let mut position = Position::new(&Config::default(), Board::beginner()).roads(0, &ring);
    for (seat, path) in
        [(1u8, vec![0u8, 1, 2, 3, 4, 5, 0]), (2, vec![40, 44, 43, 47, 45, 46, 48, 49, 50, 51])]
    {
        position = position.roads(seat, &path);
    }
    for node in [25, 28, 32, 35, 38] {
        position = position.settlement(0, node);
    }
    let state = position
        .hand(0, [12, 12, 12, 12, 12])
        .hand(1, [2, 2, 2, 2, 2])
        .dev(0, DevCard::YearOfPlenty, 2)
        .dev(0, DevCard::Monopoly, 2)
        .dev(0, DevCard::RoadBuilding, 1)
        .dev(0, DevCard::Knight, 3)
        .rolled()
        .build();
    let mut out = String::new();
    write_text(&state, 0, &mut out);
    assert!(out.len() <= MAX_TEXT, "{}", out.len());
    assert!(out.contains("end turn#181"), "{out}");
}

#[test]
fn names_and_numbers_read_back() {
    let mut count = 0;
    positions(|state| {
        count += 1;
        if count % 23 != 0 {
            return;
        }
        let env = env(state);
        let Some(seat) = state.actor().map(usize::from) else { return };
        let mut listed = Vec::new();
        env.legal_text(seat, &mut |action, name| {
            assert_eq!(env.parse(seat, name), Ok(action));
            assert_eq!(env.parse(seat, &format!("  {} ", name.to_uppercase())), Ok(action));
            assert_eq!(env.parse(seat, &action.to_string()), Ok(action));
            assert_eq!(env.parse(seat, &format!("#{action}")), Ok(action));
            assert_eq!(env.action_name(action).as_deref(), Some(name));
            listed.push(ActionId(action as u16));
        });
        assert_eq!(listed, state.legal().iter().collect::<Vec<_>>());
        env.legal_text((seat + 1) % state.num_seats(), &mut |_, _| panic!("not to act"));
    });
    let env = env(&State::new(&Config::default(), SeedSequence::new(1)).expect("valid"));
    assert_eq!(env.action_name(370), None);
    assert_eq!(env.action_name(u32::MAX), None);
}

#[test]
fn a_slip_gets_the_nearest_name_and_a_refusal_its_reason() {
    let state = State::new(&Config::default(), SeedSequence::new(1)).expect("valid");
    let env = env(&state);
    let slip = env.parse(0, "biuld settlement 12").expect_err("a slip");
    assert_eq!(slip.nearest.as_deref(), Some("build settlement 12"));
    assert_eq!(
        slip.to_string(),
        "\"biuld settlement 12\" is not a legal action (nearest: \"build settlement 12\"): name one of the 54 \
         legal actions or give its number, such as \"build settlement 0\""
    );
    let early = env.parse(0, "roll dice").expect_err("not now");
    assert!(early.mend.contains("phase SetupSettlement"), "{early}");
    let other = env.parse(1, "build settlement 12").expect_err("not its turn");
    assert!(other.mend.contains("not to act"), "{other}");
    for junk in ["", "#", "999", "-1", "\u{1f3b2}", "build road 1-", "99999999999999999999"] {
        assert!(env.parse(0, junk).is_err(), "{junk:?}");
    }
}

#[test]
fn a_text_to_read() {
    let mut state =
        State::new(&Config { layout: Layout::Beginner, ..Config::default() }, SeedSequence::new(2))
            .expect("valid");
    let mut rng = Pcg64::seed(5);
    while state.turns() < 30 || state.phase() != agon_settlers::Phase::Main {
        let k = rng.below(state.legal().count());
        let action = state.legal().nth(k).expect("legal");
        state.step(action).expect("legal");
    }
    let mut out = String::new();
    write_text(&state, state.actor().expect("somebody"), &mut out);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts/position.txt");
    // UPDATE_TRANSCRIPTS=1 writes the text anew; read the difference before you keep it.
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        std::fs::create_dir_all(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts")).expect("a folder");
        std::fs::write(path, &out).expect("a file");
    }
    assert_eq!(out, std::fs::read_to_string(path).expect("a transcript"));
}
