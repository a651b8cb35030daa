//! Random legal play under all options mixed, every state held against the laws of the game.
//!
//! The usual run is short and looks closely. `AGON_FUZZ` names a number of games for a long one, in which the slow
//! checks look at a share of the states only:
//!
//!     AGON_FUZZ=100000 cargo test --release -p agon-settlers --test fuzz -- --nocapture
#![allow(clippy::print_stderr, reason = "a long run says what it has done")]

mod awards;
mod invariants;
mod slow;

use agon_settlers::observe::{self, OBS_LEN};
use agon_settlers::testing::recompute_legal;
use agon_settlers::topology::NODE_NEAR;
use agon_settlers::{
    ACTIONS, Action, ActionId, BoardSize, Compat, Config, Layout, LegalMask, Phase, Seat, SettlersEnv, State,
};
use awards::History;
use cpu_time::ProcessTime;
use rl_gym::{Env, EpisodeSeed, Flags, Outcome, Pcg64, Resample, SeedSequence, Snapshot};
use slow::Facts;
use std::collections::{BTreeMap, BTreeSet};

/// How many games, and how rare the slow checks are: one in so many states.
struct Effort {
    games: u64,
    /// The legal set of the slow rules.
    legal: u32,
    /// Road lengths of the slow search, of those states in which roads or buildings have changed.
    roads: u32,
    /// Redraws of what a seat cannot know.
    hidden: u32,
}

impl Effort {
    fn wanted() -> Self {
        match std::env::var("AGON_FUZZ").ok().map(|n| n.parse().expect("AGON_FUZZ is a number of games")) {
            None => Self { games: 400, legal: 8, roads: 2, hidden: 40 },
            Some(games) => Self { games, legal: 25, roads: 4, hidden: 100 },
        }
    }
}

/// What a run has looked at.
#[derive(Default, Debug)]
struct Seen {
    games: u64,
    steps: u64,
    won: u64,
    slow_legal: u64,
    slow_roads: u64,
    /// Redraws, and those of them that changed the position.
    redrawn: u64,
    moved: u64,
    refused: u64,
    /// Decisions by place of the phase in [`Phase`].
    phases: BTreeMap<usize, u64>,
    options: BTreeSet<String>,
}

/// Options drawn at random: one game in four departs from the rulebook by compat switches.
fn some_config(rng: &mut Pcg64) -> Config {
    let mut coin = || rng.below(2) == 1;
    let mini = coin() && coin();
    let mut compat = Compat::NONE;
    if coin() && coin() {
        compat = Compat {
            discard_one_by_one: coin(),
            best_rate_only: coin(),
            offers_not_listed: coin() && coin(),
            lr_len_setup_stale: coin(),
            lr_blocked_end_uncounted: coin(),
            lr_holder_after_cut: coin(),
            road_through_blocked_end: coin(),
            bank_all_or_nothing: coin(),
            yop_single: coin(),
            win_any_time: coin(),
            proposer_answers: coin(),
            turn_limit_1000: coin(),
        };
    }
    Config {
        friendly_robber: coin(),
        player_trade: coin(),
        counter_offers: coin(),
        auto_advance: coin() && coin() && coin(),
        board: if mini { BoardSize::Mini } else { BoardSize::Full },
        victory_points: if mini { 5 + rng.below(4) as u8 } else { 8 + rng.below(4) as u8 },
        seats: 2 + rng.below(3) as u8,
        discard_limit: 5 + rng.below(4) as u8,
        max_offers: rng.below(4) as u8,
        turn_cap: 300,
        layout: [Layout::Beginner, Layout::Spiral, Layout::Random][rng.below(3) as usize],
        compat,
    }
}

fn start(config: &Config, seed: u64) -> State {
    State::new(config, SeedSequence::new(seed)).expect("valid options")
}

#[test]
fn every_law_holds_in_every_state() {
    let effort = Effort::wanted();
    let (mut seen, clock) = (Seen::default(), ProcessTime::now());
    for seed in 0..effort.games {
        one_game(seed, &effort, &mut seen);
        if seed % 10_000 == 9_999 {
            eprintln!("{} games, {:.0} s CPU", seed + 1, clock.elapsed().as_secs_f64());
        }
    }
    eprintln!("{seen:?}, {:.0} s CPU", clock.elapsed().as_secs_f64());
    assert_eq!(seen.phases.len(), 12, "every phase was met");
    assert!(seen.moved * 3 > seen.redrawn && seen.won * 2 > seen.games, "{seen:?}");
    assert!(seen.slow_legal > 500 && seen.slow_roads > 500 && seen.refused == seen.steps, "{seen:?}");
}

/// Symptom: four seats on the small board could block all nodes before the last had placed, and the game stood
/// still without a legal action (rare in random setups). Property: the setup is then over, and seat 0
/// begins. The seats here settle where they block most.
#[test]
fn a_full_small_board_ends_the_setup() {
    let config = Config { board: BoardSize::Mini, ..Config::default() };
    let mut short = 0;
    for seed in 0..200 {
        let (mut state, mut rng) = (start(&config, seed), Pcg64::seed(seed));
        while matches!(state.phase(), Phase::SetupSettlement | Phase::SetupRoad) {
            let mut blocked = |id: ActionId| match id.action() {
                Some(Action::Settlement(n)) => {
                    (NODE_NEAR[usize::from(n)] & state.settleable()).count_ones() * 64 + rng.below(64)
                }
                _ => rng.below(64),
            };
            let action = state.legal().iter().max_by_key(|&id| blocked(id)).expect("a legal action");
            state.step(action).expect("legal");
        }
        assert_eq!((state.phase(), state.actor(), state.setup_placed()), (Phase::BeforeRoll, Some(0), 8));
        let placed = state.occupied().count_ones();
        assert!(placed == 8 || placed >= 6 && state.settleable() == 0, "{placed} settlements");
        short += u32::from(placed < 8);
    }
    assert!(short > 10, "{short} short setups");
}

/// Every law is able to fail: each fault, planted into a sound state, is named.
#[test]
fn planted_faults_are_found() {
    let config = Config { player_trade: false, ..Config::default() };
    let (mut state, mut rng) = (start(&config, 5), Pcg64::seed(5));
    while state.road_holder().is_none() || state.phase() != Phase::Main {
        let action = state.legal().nth(rng.below(state.legal().count())).expect("a legal action");
        state.step(action).expect("legal");
    }
    assert_eq!(invariants::broken(&state), None);
    let (holder, other) = (state.road_holder().expect("a holder"), (state.turn_seat() + 1) % 4);
    let free_node = state.settleable().trailing_zeros();
    let legal_of_nobody = serde_json::to_string(&LegalMask::EMPTY).expect("serialisable");
    let faults = [
        ("bank", 0, "[19,19,19,19,19]".to_owned(), "cards of resource 0"),
        ("deck", 0, "[14,2,2,2,5]".into(), "development cards of kind 0"),
        ("bought", 0, "[0,0,25,0,0]".into(), "bought cards"),
        ("occupied", 0, "0".into(), "unions"),
        ("settleable", 0, (state.settleable() ^ 1 << free_node).to_string(), "settleable"),
        ("points", 0, "9".into(), "seat 0 has"),
        ("roads_left", 1, "15".into(), "seat 1 has"),
        ("ports", 2, (state.seat(2).ports ^ 1).to_string(), "seat 2 has"),
        ("tiles", 3, "0".into(), "seat 3 keeps"),
        ("road_nodes", 1, "0".into(), "seat 1 keeps"),
        ("road_length", holder, "4".into(), "holds the road card with length 4"),
        ("outcome", 0, format!("{{\"Winner\":{other}}}"), "the game ended as"),
        ("legal", 0, legal_of_nobody, "nobody can move"),
        ("victory_points", 0, "3".into(), "the game goes on"),
    ];
    let text = serde_json::to_string(&state).expect("serialisable");
    for (name, nth, value, says) in faults {
        let planted: State = serde_json::from_str(&with(&text, name, nth, &value)).expect("readable");
        let found = invariants::broken(&planted);
        assert!(found.as_ref().is_some_and(|f| f.contains(says)), "{name}: {found:?}");
    }
}

/// The JSON `text` with the value behind the key `name`, met for time number `nth`, replaced.
fn with(text: &str, name: &str, nth: Seat, value: &str) -> String {
    let key = format!("\"{name}\":");
    let start = text.match_indices(&key).nth(nth.into()).unwrap_or_else(|| panic!("no {name}")).0 + key.len();
    let mut depth = 0;
    let ends = |c: char| {
        depth += i32::from("[{".contains(c)) - i32::from("]}".contains(c));
        depth < 0 || depth == 0 && c == ','
    };
    let end = start + text[start..].find(ends).expect("an end");
    format!("{}{value}{}", &text[..start], &text[end..])
}

fn one_game(seed: u64, effort: &Effort, seen: &mut Seen) {
    let mut rng = Pcg64::seed(1000 + seed);
    let config = some_config(&mut rng);
    let mut env = Played::new(&config, seed);
    let mut state = *env.env.state();
    let (first, mut history, mut actions) = (state, History::default(), Vec::new());
    loop {
        let at = || format!("game {seed}, step {}, phase {:?}, {config:?}", state.steps(), state.phase());
        if let Some(law) = invariants::broken(&state) {
            panic!("game {seed}: {law}");
        }
        assert_eq!(*state.legal(), recompute_legal(&state), "{}", at());
        if config.compat == Compat::NONE {
            let count = &mut seen.slow_roads;
            history.follow(&state, effort.roads, &mut rng, count).unwrap_or_else(|e| panic!("{e}; {}", at()));
            if rng.below(effort.legal) == 0 {
                seen.slow_legal += 1;
                slow_legal(&state).unwrap_or_else(|e| panic!("{e}; {}", at()));
            }
        }
        if rng.below(effort.hidden) == 0 {
            hidden(&mut env.env, &mut rng, seen).unwrap_or_else(|e| panic!("{e}; {}", at()));
        }
        if state.outcome().is_some() {
            break;
        }
        *seen.phases.entry(state.phase() as usize).or_default() += 1;
        refused(&state, &mut rng, seen).unwrap_or_else(|e| panic!("{e}; {}", at()));
        let action = state.legal().nth(rng.below(state.legal().count())).expect("a legal action");
        env.step(action);
        state.step(action).expect("legal");
        assert!(
            same(env.env.state(), &state),
            "game {seed}: the environment has {:?}, the rules {state:?}",
            env.env.state()
        );
        actions.push(action);
        seen.steps += 1;
    }
    *seen.phases.entry(Phase::Over as usize).or_default() += 1;
    seen.options.insert(format!("{} seats, {:?}", config.seats, config.board));
    seen.games += 1;
    seen.won += u64::from(matches!(state.outcome(), Some(agon_settlers::GameOutcome::Winner(_))));
    let mut again = first;
    for &action in &actions {
        again.step(action).expect("legal before");
    }
    assert_eq!(again, state, "game {seed}: the same actions make the same game");
}

/// Whether two states are equal but for the faces of the dice: the environment knows their sum alone.
fn same(a: &State, b: &State) -> bool {
    let facts = |s: &State| {
        (
            s.position_hash(),
            *s.rng(),
            (s.steps(), s.turns()),
            s.dice()[0] + s.dice()[1],
            *s.legal(),
            s.outcome(),
        )
    };
    facts(a) == facts(b)
}

/// An environment with what a step writes.
struct Played {
    env: SettlersEnv,
    reward: [f32; 4],
    flags: [Flags; 4],
    metrics: Vec<f32>,
}

impl Played {
    fn new(config: &Config, seed: u64) -> Self {
        let env = SettlersEnv::new(config).expect("valid options");
        let metrics = vec![0.0; Env::spec(&env).metrics.len()];
        let mut played = Self { env, reward: [0.0; 4], flags: [Flags::empty(); 4], metrics };
        let n = usize::from(config.seats);
        let out = Outcome {
            reward: &mut played.reward[..n],
            flags: &mut played.flags[..n],
            metrics: &mut played.metrics,
        };
        Env::reset(&mut played.env, EpisodeSeed::plain(seed), out).expect("a game");
        played
    }

    fn step(&mut self, action: ActionId) {
        let n = self.env.state().num_seats();
        let out = Outcome {
            reward: &mut self.reward[..n],
            flags: &mut self.flags[..n],
            metrics: &mut self.metrics,
        };
        Env::step(&mut self.env, &[action.0.into(); 4][..n], out).expect("no fault");
    }
}

/// A random illegal index, inside the table or just past its end, is refused and moves no byte.
fn refused(state: &State, rng: &mut Pcg64, seen: &mut Seen) -> Result<(), String> {
    let id = loop {
        let id = ActionId(rng.below(ACTIONS as u32 + 4) as u16);
        if !state.legal().contains(id) {
            break id;
        }
    };
    let mut copy = *state;
    if copy.step(id).is_ok() || copy.decide(id).is_ok() {
        return Err(format!("{id:?} is illegal and was taken"));
    }
    seen.refused += 1;
    if copy == *state { Ok(()) } else { Err(format!("{id:?} is illegal and changed the state")) }
}

fn slow_legal(state: &State) -> Result<(), String> {
    let ours: BTreeSet<u16> = state.legal().iter().map(|a| a.0).collect();
    let theirs = Facts::new(state).legal();
    if ours == theirs {
        return Ok(());
    }
    let name = |ids: Vec<&u16>| ids.iter().filter_map(|&&i| ActionId(i).name()).collect::<Vec<_>>();
    let (only_ours, only_slow) = (ours.difference(&theirs).collect(), theirs.difference(&ours).collect());
    Err(format!("only ours {:?}, only slow {:?}", name(only_ours), name(only_slow)))
}

/// Redrawing whatever `viewer` cannot know after all that it has seen moves neither its row nor, when it is to act,
/// its legal set; and every row stays inside its bounds.
fn hidden(env: &mut SettlersEnv, rng: &mut Pcg64, seen: &mut Seen) -> Result<(), String> {
    let (saved, state) = (env.save(), *env.state());
    let viewer = rng.below(state.num_seats() as u32) as usize;
    let mut rows = [[255; OBS_LEN]; 2];
    observe::write(&state, viewer as Seat, &mut rows[0]);
    observe::space().contains(&rows[0]).map_err(|e| e.to_string())?;
    env.resample(viewer, rng);
    let redrawn = *env.state();
    env.load(&saved);
    observe::write(&redrawn, viewer as Seat, &mut rows[1]);
    seen.redrawn += 1;
    seen.moved += u64::from(redrawn.position_hash() != state.position_hash());
    if let Some(i) = (0..OBS_LEN).find(|&i| rows[0][i] != rows[1][i]) {
        return Err(format!("element {i} of the row of seat {viewer} tells what is hidden"));
    }
    if state.actor() == Some(viewer as Seat) && redrawn.legal() != state.legal() {
        return Err(format!("the legal set of seat {viewer} tells what is hidden"));
    }
    Ok(())
}
