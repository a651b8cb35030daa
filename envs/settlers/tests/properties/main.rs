//! Random legal play with all options mixed: refusals, seeds, chance, forced moves, records. The laws of the game
//! itself are in `tests/fuzz`.

use agon_settlers::{ACTIONS, Action, ActionId, BoardSize, Compat, Config, Layout, Outcome, Phase, State};
use rl_gym::{Pcg64, SeedSequence};
use std::collections::BTreeSet;

/// Options drawn at random; small boards want fewer points.
fn some_config(rng: &mut Pcg64) -> Config {
    let mut coin = || rng.below(2) == 1;
    let mini = coin() && coin();
    Config {
        friendly_robber: coin(),
        player_trade: coin(),
        counter_offers: coin(),
        auto_advance: false,
        board: if mini { BoardSize::Mini } else { BoardSize::Full },
        victory_points: if mini { 7 } else { 10 },
        seats: 2 + rng.below(if mini { 2 } else { 3 }) as u8,
        discard_limit: 5 + rng.below(4) as u8,
        max_offers: rng.below(4) as u8,
        turn_cap: 300,
        layout: [Layout::Beginner, Layout::Spiral, Layout::Random][rng.below(3) as usize],
        compat: Compat::NONE,
    }
}

fn start(config: &Config, seed: u64) -> State {
    State::new(config, SeedSequence::new(seed)).expect("valid options")
}

fn choose(state: &State, policy: &mut Pcg64) -> ActionId {
    let count = state.legal().count();
    assert!(count > 0, "no legal action in phase {:?} at step {}", state.phase(), state.steps());
    state.legal().nth(policy.below(count)).expect("a legal action")
}

/// Runs `check` before every decision of some games.
fn games(count: u64, mut check: impl FnMut(&State, &mut Pcg64)) {
    for seed in 0..count {
        let mut policy = Pcg64::seed(1000 + seed);
        let mut state = start(&some_config(&mut policy), seed);
        while state.outcome().is_none() {
            check(&state, &mut policy);
            let action = choose(&state, &mut policy);
            state.step(action).expect("a legal action");
        }
        check(&state, &mut policy);
        assert!(state.turns() <= 300);
    }
}

#[test]
fn an_illegal_action_leaves_every_byte_and_says_why() {
    games(12, |state, policy| {
        if policy.below(40) > 0 && state.outcome().is_none() {
            return;
        }
        for i in 0..ACTIONS as u16 + 4 {
            let id = ActionId(i);
            let mut copy = *state;
            if state.legal().contains(id) {
                continue;
            }
            let error = copy.step(id).expect_err("not in the mask");
            assert_eq!(copy, *state);
            assert_eq!((error.action, error.legal), (id, *state.legal()));
            let text = error.to_string();
            assert!(text.starts_with(&format!("action {i}")) && text.contains("illegal"), "{text}");
            assert!(copy.decide(id).is_err());
            assert_eq!(copy, *state);
        }
    });
}

#[test]
fn the_text_of_a_refusal_is_complete() {
    let mut state = start(&Config { layout: Layout::Beginner, ..Config::default() }, 9);
    let settle = |n: u8| ActionId(u16::from(n));
    state.step(settle(0)).unwrap();
    assert_eq!(
        state.step(settle(20)).unwrap_err().to_string(),
        "action 20 (build settlement 20) is illegal for seat 0 at step 1: it does not belong to the phase SetupRoad. \
         3 legal actions: 108, 109, 110."
    );
    state.step(ActionId(108)).unwrap();
    let error = state.step(settle(20)).unwrap_err().to_string();
    assert!(error.starts_with("action 20 (build settlement 20) is illegal for seat 1 at step 2: a building stands next to it. 50 legal"), "{error}");
    let error = state.step(settle(0)).unwrap_err().to_string();
    assert!(error.contains("it is taken by seat 0"), "{error}");
    assert_eq!(
        state.step(ActionId(400)).unwrap_err().to_string().split(" 50 legal").next().unwrap(),
        "action 400 is illegal for seat 1 at step 2: the action table ends at 369."
    );
}

#[test]
fn one_seed_one_game_and_another_seed_another() {
    let mut digests = BTreeSet::new();
    for seed in 0..20 {
        let play = || {
            let mut policy = Pcg64::seed(seed);
            let mut state = start(&some_config(&mut policy), seed);
            let mut all = vec![state.hash()];
            while state.outcome().is_none() {
                let action = choose(&state, &mut policy);
                state.step(action).unwrap();
                all.push(state.hash());
            }
            (state, all)
        };
        let (first, second) = (play(), play());
        assert_eq!(first, second);
        digests.insert(first.0.hash());
        let distinct: BTreeSet<_> = first.1.iter().collect();
        assert_eq!(distinct.len(), first.1.len(), "every state of a game has its own digest");
    }
    assert_eq!(digests.len(), 20);
}

#[test]
fn stopping_at_chance_is_the_same_game() {
    for seed in 0..20 {
        let mut policy = Pcg64::seed(seed);
        let mut state = start(&some_config(&mut policy), seed);
        while state.outcome().is_none() {
            let action = choose(&state, &mut policy);
            let mut explicit = state;
            state.step(action).unwrap();
            if explicit.decide(action).unwrap().is_some() {
                assert!(explicit.actor().is_none() && explicit.legal().is_empty());
                let outcomes = explicit.outcomes();
                let total: f64 = outcomes.as_slice().iter().map(|o| o.1).sum();
                assert!((total - 1.0).abs() < 1e-12, "{total}");
                let mut same = 0;
                for &(outcome, _) in outcomes.as_slice() {
                    let mut branch = explicit;
                    branch.resolve(outcome).expect("a listed outcome is possible");
                    same += u32::from(branch.position_hash() == state.position_hash());
                }
                let sampled = explicit.sample();
                assert!(explicit.resolve(Outcome::Certain).is_err());
                explicit.resolve(sampled).unwrap();
                let is_roll = matches!(sampled, Outcome::Dice(..));
                assert!(is_roll || same == 1, "{sampled:?} is one of {same} equal branches");
            }
            assert_eq!(explicit, state);
        }
    }
}

#[test]
fn dice_outcomes_stand_for_all_faces() {
    let mut state = start(&Config::default(), 1);
    while state.phase() != Phase::BeforeRoll {
        state.step(state.legal().nth(0).unwrap()).unwrap();
    }
    state.decide(ActionId::parse("roll dice").unwrap()).unwrap();
    let outcomes = state.outcomes();
    let ways: Vec<u8> = outcomes.as_slice().iter().map(|o| (o.1 * 36.0).round() as u8).collect();
    assert_eq!(ways, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
    for (sum, &(outcome, _)) in (2..).zip(outcomes.as_slice()) {
        let Outcome::Dice(a, b) = outcome else { panic!("dice") };
        assert_eq!(a + b, sum);
    }
    for bad in [Outcome::Dice(0, 3), Outcome::Dice(1, 7), Outcome::Drawn(agon_settlers::DevCard::Knight)] {
        let before = state;
        assert!(state.resolve(bad).is_err());
        assert_eq!(state, before);
    }
}

#[test]
fn forced_decisions_can_be_taken_at_once() {
    for seed in 0..20 {
        let mut policy = Pcg64::seed(seed);
        let config = Config { auto_advance: true, ..some_config(&mut policy) };
        let (mut quick, mut plain) =
            (start(&config, seed), start(&Config { auto_advance: false, ..config }, seed));
        while quick.outcome().is_none() {
            assert!(quick.legal().count() > 1, "a forced decision is left");
            let action = choose(&quick, &mut policy);
            let events = quick.step(action).unwrap();
            plain.step(action).unwrap();
            for _ in 1..events.decisions {
                plain.step(plain.legal().only().expect("forced")).unwrap();
            }
            assert_eq!(events.is_over, quick.outcome().is_some());
            assert_eq!(quick.seat(0), plain.seat(0));
            assert_eq!((quick.steps(), quick.rng()), (plain.steps(), plain.rng()));
        }
    }
}

#[test]
fn states_survive_serialisation() {
    let mut seen = 0;
    games(6, |state, policy| {
        if policy.below(60) == 0 {
            let text = serde_json::to_string(state).expect("serialisable");
            let back: State = serde_json::from_str(&text).expect("readable");
            assert_eq!(back, *state);
            seen += 1;
        }
    });
    assert!(seen > 20, "{seen} states");
}

#[test]
fn the_record_tells_who_did_what() {
    games(10, |state, policy| {
        let Some(actor) = state.actor() else { return };
        let mut next = *state;
        let action = choose(&next, policy);
        next.step(action).unwrap();
        let last = next.recent(1).next().expect("a record");
        assert_eq!((last.seat, last.action), (actor, action));
        assert_eq!(next.recent(100).count(), (next.steps() as usize).min(agon_settlers::LOG));
        if let Outcome::Dice(a, b) = last.outcome {
            assert_eq!(next.dice(), [a, b]);
        }
    });
}

/// The step limit of the spec cuts no game: turns full of offers, drafts and counters stay below its share.
#[test]
fn no_turn_is_longer_than_the_step_limit_allows() {
    for seats in 2..=4u32 {
        for max_offers in [3u8, 20] {
            let compat = Compat { proposer_answers: true, ..Compat::NONE };
            let config = Config { seats: seats as u8, max_offers, turn_cap: 60, compat, ..Config::default() };
            let spec = agon_settlers::SettlersEnv::new(&config).expect("valid");
            let limit = rl_gym::Env::spec(&spec).max_steps.expect("a turn cap");
            let a_turn = (limit - 4 * seats) / config.turn_cap;
            let mut state = start(&config, seats.into());
            let mut policy = Pcg64::seed(seats.into());
            let (mut begun, mut turns, mut longest) = (0, 0, 0);
            while state.outcome().is_none() {
                let action = talkative(&state).unwrap_or_else(|| choose(&state, &mut policy));
                state.step(action).expect("legal");
                if state.turns() != turns {
                    longest = longest.max(state.steps() - begun);
                    (begun, turns) = (state.steps(), state.turns());
                }
            }
            assert!(longest <= a_turn && longest > 20 * u32::from(max_offers) / 3, "{longest} of {a_turn}");
            assert!(state.steps() < limit);
        }
    }
    let spec = |turn_cap| {
        let env = agon_settlers::SettlersEnv::new(&Config { turn_cap, ..Config::default() }).expect("valid");
        rl_gym::Env::spec(&env).max_steps
    };
    // 1000 turns of 160 + 3 offers x (10 + 4 x 11), and four decisions of setup a seat.
    assert_eq!((spec(0), spec(1000), spec(u32::MAX)), (None, Some(322_016), Some(u32::MAX)));
}

/// The action that spins a trade out: offers, drafts, counters before anything that ends the turn.
fn talkative(state: &State) -> Option<ActionId> {
    let rank = |id: ActionId| match id.action()? {
        Action::OfferGive(_) | Action::OfferWant(_) => Some(0),
        Action::Counter => Some(1),
        Action::OfferSend => Some(2),
        _ => None,
    };
    state.legal().iter().filter_map(|id| Some((rank(id)?, id))).min().map(|(_, id)| id)
}
