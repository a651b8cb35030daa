//! Every hidden history of a game, played out with the rules themselves.
//!
//! A world is a whole state. At a steal that the viewer takes no part in, each world splits into one a card of
//! the victim, weighted by its share of the hand; a move that a world does not allow, and a world that looks
//! different from the viewer's seat than the true one does, ends it.

use crate::play::{Table, lively};
use agon_settlers::{Action, ActionId, Config, Counts, Outcome, Pending, Phase, State, observe};
use rl_gym::Pcg64;
use std::collections::BTreeMap;

/// All worlds of one viewer.
struct Histories {
    viewer: u8,
    worlds: Vec<(State, f64)>,
    /// The draft of another seat, which nobody sees before it is sent.
    draft: Vec<ActionId>,
}

fn row(state: &State, viewer: u8) -> Vec<u8> {
    let mut row = vec![0; observe::OBS_LEN];
    observe::write(state, viewer, &mut row);
    row
}

impl Histories {
    fn decide(&mut self, actor: u8, action: ActionId) {
        let typed = action.action().expect("of the table");
        let drafts = matches!(typed, Action::OfferGive(_) | Action::OfferWant(_) | Action::Counter);
        if actor != self.viewer && drafts {
            return self.draft.push(action);
        }
        self.draft.push(action);
        for action in self.draft.drain(..) {
            self.worlds.retain_mut(|(state, _)| state.decide(action).is_ok());
        }
    }

    fn happen(&mut self, pending: Pending, outcome: Outcome, thief: u8) {
        let mut next = Vec::new();
        for (state, weight) in &self.worlds {
            let hidden = match pending {
                Pending::Steal { victim } => thief != self.viewer && victim != self.viewer,
                _ => false,
            };
            let luck = state.outcomes();
            for &(possible, p) in luck.as_slice() {
                let dice = matches!((possible, outcome), (Outcome::Dice(a, b), Outcome::Dice(c, d)) if a + b == c + d);
                if hidden || possible == outcome || dice {
                    let mut state = *state;
                    state.resolve(possible).expect("possible");
                    next.push((state, weight * p));
                }
            }
        }
        self.worlds = next;
    }

    /// Ends worlds that look different, joins equal ones.
    fn look(&mut self, truth: &State) {
        if !self.draft.is_empty() {
            return;
        }
        let seen = row(truth, self.viewer);
        self.worlds.retain(|(state, _)| row(state, self.viewer) == seen);
        let mut joined: Vec<(State, f64)> = Vec::new();
        for &(state, weight) in &self.worlds {
            match joined.iter_mut().find(|(other, _)| hands(other) == hands(&state)) {
                Some((_, sum)) => *sum += weight,
                None => joined.push((state, weight)),
            }
        }
        self.worlds = joined;
    }

    fn posterior(&self) -> BTreeMap<[[u8; 5]; 4], f64> {
        let sum: f64 = self.worlds.iter().map(|w| w.1).sum();
        let mut out = BTreeMap::new();
        for (state, weight) in &self.worlds {
            *out.entry(hands(state)).or_insert(0.0) += weight / sum;
        }
        out
    }
}

fn hands(state: &State) -> [[u8; 5]; 4] {
    std::array::from_fn(|s| state.seat(s as u8).hand.array())
}

/// Plays a game and compares the deals of every viewer at every step; counts comparisons with more than one deal.
fn compare(config: &Config, seed: u64) -> (u32, usize) {
    let mut table = Table::new(config, seed, true);
    let mut rng = Pcg64::seed(seed);
    let mut all: Vec<Histories> = (0..config.seats)
        .map(|viewer| Histories { viewer, worlds: vec![(*table.state(), 1.0)], draft: Vec::new() })
        .collect();
    let (mut several, mut most) = (0, 0);
    for step in 0..1200 {
        if let Some(pending) = table.state().pending() {
            let thief = table.state().turn_seat();
            table.happen(&mut rng);
            let outcome = table.state().recent(1).next().expect("a decision").outcome;
            all.iter_mut().for_each(|h| h.happen(pending, outcome, thief));
        } else if let Some(actor) = table.state().actor() {
            let action = lively(table.state(), &mut rng);
            table.step(action);
            all.iter_mut().for_each(|h| h.decide(actor, action));
        } else {
            break;
        }
        for histories in &mut all {
            histories.look(table.state());
            if !histories.draft.is_empty() || table.state().phase() == Phase::Over {
                continue;
            }
            let wanted = histories.posterior();
            let found = table.env.possible_hands(histories.viewer.into()).expect("a counted game");
            let what = format!("seed {seed}, step {step}, viewer {}", histories.viewer);
            assert_eq!(found.len(), wanted.len(), "{what}: {found:?} for {wanted:?}");
            for (deal, chance) in &found {
                let want = wanted.get(&deal.map(Counts::array)).unwrap_or_else(|| panic!("{what}: {deal:?}"));
                assert!((want - chance).abs() < 1e-9, "{what}: {deal:?} has {chance}, not {want}");
            }
            several += u32::from(wanted.len() > 1);
            most = most.max(wanted.len());
        }
    }
    (several, most)
}

#[test]
fn the_deals_are_those_of_all_hidden_histories() {
    let four = Config { turn_cap: 120, max_offers: 2, ..Config::default() };
    let three = Config { seats: 3, discard_limit: 3, counter_offers: false, ..four };
    let rich = Config { discard_limit: 95, max_offers: 1, ..four };
    let (mut several, mut most) = (0, 0);
    for (config, seeds) in [(four, 0..12), (three, 20..30), (rich, 40..48)] {
        for seed in seeds {
            let (count, widest) = compare(&config, seed);
            several += count;
            most = most.max(widest);
        }
    }
    assert!(several > 3000 && most > 12, "{several} comparisons of several deals, at most {most}");
}
