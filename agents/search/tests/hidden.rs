//! Search at settlers decides alike in games that its seat cannot tell apart.
//!
//! The second game of a pair is no redraw of the first: it is played beside it with the same public moves, and
//! nature's hidden moves (cards stolen between two others, development cards that others buy) come out otherwise
//! in it. Hands, development cards and the deck differ, and so does what was counted of them.

mod common;

use agon_search::bots;
use agon_settlers::{Config, DevCard, Pending, SettlersEnv, game, observe};
use common::Lane;
use rl_gym::{AnyState, Arena, BatchEnv, Chance, DynEnv, Env, EpisodeSeed, Pcg64, Shape, Snapshot};

/// A table whose luck the test decides.
struct Table {
    env: SettlersEnv,
    rows: Arena,
}

impl Table {
    fn new(seed: u64) -> Self {
        let mut env = SettlersEnv::new(&Config::default()).expect("valid");
        let mut rows = Arena::new(Shape::new(Env::spec(&env), 1));
        env.set_explicit(true);
        Env::reset(&mut env, EpisodeSeed::plain(seed), rows.lane(0).1.out).expect("a reset");
        Self { env, rows }
    }

    fn step(&mut self, seat: usize, action: u32) {
        let mut acts = [0; 4];
        acts[seat] = action;
        Env::step(&mut self.env, &acts, self.rows.lane(0).1.out).expect("a step");
    }

    fn outcomes(&self) -> Vec<(u32, f64)> {
        let mut outcomes = Vec::new();
        self.env.outcomes(&mut outcomes);
        outcomes
    }

    fn force(&mut self, outcome: u32) {
        self.env.apply_outcome(outcome, self.rows.lane(0).1.out).expect("possible");
    }

    fn row(&self, viewer: u8) -> Vec<u8> {
        let mut row = vec![0; observe::OBS_LEN];
        observe::write(self.env.state(), viewer, &mut row);
        row
    }
}

/// Two games that look alike, right before `seat` takes `action`, which brings the viewer to a decision.
struct Pair {
    states: [AnyState; 2],
    seat: usize,
    action: u32,
}

/// Pairs from one game of `greedy` players; says how many differ in hands and how many in the deck.
fn pairs(viewer: u8, seed: u64) -> (Vec<Pair>, [u32; 2]) {
    let (mut table, mut rng) = (Table::new(seed), Pcg64::seed(seed));
    let mut twin = None::<Table>;
    let (mut found, mut differ) = (Vec::new(), [0; 2]);
    while let Some(seat) = table.env.state().actor() {
        let action = DynEnv::as_heuristic(&table.env).expect("a judge").suggest(seat.into(), &mut rng);
        let action = action.expect("greedy decides everything");
        let before = table.env.save();
        let twin_before = twin.as_ref().map(|t| t.env.save());
        twin = twin.filter(|t| t.env.state().legal().contains(agon_settlers::ActionId(action as u16)));
        table.step(seat.into(), action);
        twin.iter_mut().for_each(|t| t.step(seat.into(), action));
        let mut is_lucky = false;
        while let Some(pending) = table.env.state().pending() {
            is_lucky = true;
            let outcomes = table.outcomes();
            let here = outcomes[rng.weighted(&outcomes.iter().map(|o| o.1).collect::<Vec<_>>())].0;
            let turn = table.env.state().turn_seat();
            let is_hidden = match pending {
                Pending::Roll => false,
                Pending::DevDraw => turn != viewer,
                Pending::Steal { victim } => turn != viewer && victim != viewer,
            };
            if is_hidden && twin.is_none() {
                let mut other = Table::new(seed);
                other.env.load(&table.env.save());
                twin = Some(other);
            }
            if let Some(t) = &mut twin {
                let possible = t.outcomes();
                let other = possible.iter().find(|o| is_hidden && o.0 != here);
                match other.or_else(|| possible.iter().find(|o| o.0 == here)) {
                    Some(&(outcome, _)) => t.force(outcome),
                    None => twin = None,
                }
            }
            table.force(here);
        }
        twin = twin.filter(|t| t.row(viewer) == table.row(viewer));
        let state = table.env.state();
        if let (Some(t), Some(twin_before)) = (&twin, twin_before)
            && state.actor() == Some(viewer)
            && state.legal().count() > 1
            && !is_lucky
        {
            let other = t.env.state();
            differ[0] += u32::from((0..4).any(|s| state.seat(s).hand != other.seat(s).hand));
            let points = DevCard::VictoryPoint.index();
            differ[1] += u32::from(state.deck().get(points) != other.deck().get(points));
            found.push(Pair { states: [Box::new(before), Box::new(twin_before)], seat: seat.into(), action });
        }
    }
    (found, differ)
}

/// What the player `name` decides in both games of each pair.
fn compare(name: &str, seeds: std::ops::Range<u64>, every: usize) -> (u32, [u32; 2]) {
    let mut lane = Lane::new(&game());
    let spec = lane.batch.spec().clone();
    let mut player = (bots().into_iter().find(|b| b.name == name).expect("listed").make)(&spec);
    let (mut count, mut differ) = (0, [0; 2]);
    for seed in seeds {
        let viewer = (seed % 4) as u8;
        let (found, differing) = pairs(viewer, seed);
        differ.iter_mut().zip(differing).for_each(|(sum, d)| *sum += d);
        for (i, pair) in found.iter().enumerate().step_by(every) {
            let decisions = pair.states.each_ref().map(|state| {
                lane.reset(seed);
                let env = lane.batch.env(0);
                env.as_snapshot().expect("snapshots").load_any(state).expect("a table of settlers");
                lane.take(pair.seat, pair.action);
                assert_eq!(lane.acting(), Some(usize::from(viewer)));
                lane.ask(&mut *player, viewer.into(), Pcg64::seed(i as u64)).expect("a decision")
            });
            assert_eq!(decisions[0], decisions[1], "{name}, seed {seed}, pair {i}");
            count += 1;
        }
    }
    (count, differ)
}

#[test]
fn hidden_cards_never_change_a_decision_of_search_fast() {
    let (count, [hands, decks]) = compare("search-fast", 0..6, 3);
    assert!(count > 40 && hands > 20 && decks > 20, "{count}, {hands}, {decks}");
}

#[test]
fn hidden_cards_never_change_a_decision_of_search() {
    let (count, _) = compare("search", 6..8, 16);
    assert!(count >= 4, "{count}");
}
