//! Random lives of whole banks: whatever happens, the disk says the same as the memory, every decision can be made
//! again, and nothing is active without its evidence.

#![allow(clippy::print_stdout, reason = "the figures of the docs, with --nocapture")]

mod common;

use agon_skill_bank::{
    Bank, Evidence, Gate, State,
    bank::{Entry, PruneRule, Uses},
    evidence::{Figures, Outcome, Source},
    gates::{Trials, run_round},
};
use common::{Drawn, GAME, Toy, Worth, activate, again, create, settings, skill};
use proptest::prelude::*;
use std::{fs, sync::Arc};

#[derive(Clone, Debug)]
enum Act {
    Propose(u32),
    Activate(u32),
    Round,
    Record(usize, bool),
    Again(usize, u32),
    Offer(usize, usize),
    Snapshot,
    GoBack(u64),
    Dismiss(usize),
    Prune,
    Reopen,
    /// A crash in the middle of a line.
    Tear,
    Words,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (0_u32..9).prop_map(Act::Propose),
        3 => (0_u32..9).prop_map(Act::Activate),
        2 => Just(Act::Round),
        3 => (0_usize..9, any::<bool>()).prop_map(|(i, well)| Act::Record(i, well)),
        2 => (0_usize..9, 0_u32..9).prop_map(|(i, turn)| Act::Again(i, turn)),
        2 => (0_usize..9, 0_usize..6).prop_map(|(i, what)| Act::Offer(i, what)),
        2 => Just(Act::Snapshot),
        2 => (1_u64..5).prop_map(Act::GoBack),
        1 => (0_usize..9).prop_map(Act::Dismiss),
        1 => Just(Act::Prune),
        1 => Just(Act::Reopen),
        1 => Just(Act::Tear),
        1 => Just(Act::Words),
    ]
}

/// Does it, if it can be done.
fn perform(bank: &mut Bank, trials: &mut dyn Trials, act: &Act) {
    let nth = |bank: &Bank, i: usize| bank.entries().nth(i).map(|e| e.hash.clone());
    let in_words = |bank: &Bank, turn: u32| {
        let mut skill = skill(&format!("s{turn}"), turn);
        skill.vocabulary = bank.words().version();
        skill.hash = skill.content_hash();
        skill
    };
    match *act {
        Act::Propose(turn) => {
            bank.propose(in_words(bank, turn), None).expect("proposed");
        }
        Act::Activate(turn) => {
            let new = in_words(bank, turn);
            if bank.entry(&new.hash).is_err() {
                activate(bank, new);
            }
        }
        Act::Round => {
            run_round(bank, trials, 7, &settings()).expect("round");
        }
        Act::Record(i, well) => {
            if let Some(hash) = nth(bank, i) {
                let outcome = if well { Outcome::Effect } else { Outcome::Abort };
                let uses = Uses { outcomes: vec![outcome; 40], changes: vec![0.0; 3], ..Uses::default() };
                let _ = bank.record(&hash, uses);
            }
        }
        Act::Again(i, turn) => {
            if let Some(hash) = nth(bank, i) {
                let _ = bank.present(&hash, &again(&hash, turn));
            }
        }
        Act::Offer(i, what) => {
            if let Some(hash) = nth(bank, i) {
                let all = again(&hash, 5);
                let offer: Vec<Evidence> = match what {
                    0..3 => vec![all[what].clone()],
                    3 => all[..2].to_vec(),
                    _ => {
                        let figures = Figures::Restore { snapshot: 1, reason: "I say so".into() };
                        vec![Evidence::new(&hash, Source::default(), figures).expect("figures")]
                    }
                };
                let _ = bank.present(&hash, &offer);
            }
        }
        Act::Snapshot => {
            bank.snapshot("a walk").expect("written");
        }
        Act::GoBack(number) => {
            let _ = bank.go_back(number, "a walk");
        }
        Act::Dismiss(i) => {
            if let Some(hash) = nth(bank, i) {
                let _ = bank.dismiss(&hash, "a walk");
            }
        }
        Act::Prune => {
            bank.prune(PruneRule { rounds: 3, most: 2 }).expect("pruned");
        }
        Act::Reopen | Act::Tear | Act::Words => {}
    }
}

/// What passed before an entry last became active, since it was suspended last.
fn shown(bank: &Bank, entry: &Entry) -> Vec<Gate> {
    let evidence = bank.evidence(&entry.hash).expect("evidence");
    let mut gates = Vec::new();
    for step in &entry.history {
        if step.from == State::Suspended {
            gates.clear();
        }
        let of_step = evidence.iter().filter(|piece| step.evidence.contains(&piece.hash()));
        gates.extend(of_step.filter(|piece| piece.verify().expect("holds")).map(Evidence::gate));
    }
    gates
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_bank_survives_its_life(acts in proptest::collection::vec(act(), 1..30)) {
        let place = tempfile::tempdir().expect("folder");
        let mut bank = create(place.path());
        let mut words = 1;
        let mut trials = Drawn::with(&[
            ("s0", Worth { points: 15.0, ..Worth::default() }),
            ("s1", Worth { points: 15.0, ..Worth::default() }),
            ("s2", Worth { points: -9.0, ..Worth::default() }),
        ]);
        for act in &acts {
            perform(&mut bank, &mut trials, act);
            if matches!(act, Act::Reopen | Act::Tear | Act::Words) {
                let before: Vec<Entry> = bank.entries().cloned().collect();
                drop(bank);
                if matches!(act, Act::Tear) {
                    let path = place.path().join("log.jsonl");
                    let text = fs::read_to_string(&path).expect("log");
                    fs::write(&path, text + "{\"n\":99,\"prev\":").expect("written");
                }
                if matches!(act, Act::Words) && words == 1 {
                    words = 2;
                    bank = Bank::open(place.path(), GAME, Arc::new(Toy(words))).expect("opens");
                    prop_assert_eq!(bank.skills_at(State::Active), vec![]);
                    continue;
                }
                bank = Bank::open(place.path(), GAME, Arc::new(Toy(words))).expect("opens");
                let after: Vec<Entry> = bank.entries().cloned().collect();
                // Figures reach skill.json at snapshots alone; all else is as it was.
                let plain = |all: &[Entry]| -> Vec<Entry> {
                    let mut all = all.to_vec();
                    all.iter_mut().filter_map(|e| e.skill.as_mut()).for_each(|s| s.stats.clear());
                    all
                };
                prop_assert_eq!(plain(&before), plain(&after));
                prop_assert_eq!(bank.notices().len(), usize::from(matches!(act, Act::Tear)), "{:?}", bank.notices());
            }
            prop_assert_eq!(bank.audit(), Vec::<String>::new());
            for entry in bank.entries().filter(|e| e.state == State::Active) {
                let gates = shown(&bank, entry);
                for gate in [Gate::Replay, Gate::Contract, Gate::Uplift] {
                    prop_assert!(gates.contains(&gate), "{} is active without {gate}", entry.name);
                }
            }
        }
    }
}

#[test]
#[ignore = "a minute where disks are slow: cargo test -p agon-skill-bank --test walks -- --ignored big_bank --nocapture"]
fn a_big_bank_opens_quickly() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    for turn in 0..200 {
        activate(&mut bank, skill(&format!("s{turn}"), turn));
    }
    let hashes: Vec<String> = bank.entries().map(|e| e.hash.clone()).collect();
    for i in 0..4000 {
        let uses = Uses { outcomes: vec![Outcome::Effect; 20], ..Uses::default() };
        bank.record(&hashes[i % 200], uses).expect("written");
    }
    let lines = bank.events();
    drop(bank);
    let begin = std::time::Instant::now();
    let bank = common::open(place.path()).expect("opens");
    let took = begin.elapsed();
    let begin = std::time::Instant::now();
    assert_eq!(bank.audit(), Vec::<String>::new());
    println!(
        "{lines} lines, 200 skills: opened in {took:?}, every decision made again in {:?}",
        begin.elapsed()
    );
    assert!(lines > 5000 && took.as_secs() < 10);
}
