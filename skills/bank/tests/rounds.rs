//! Rounds on drawn trials: the lives of skills.

#![allow(clippy::print_stdout, reason = "the figures of the docs, with --nocapture")]

mod common;

use agon_skill::{Gate as ForGates, Seeds};
use agon_skill_bank::{
    Bank, Gate, State,
    bank::{PruneRule, Uses},
    evidence::{Alarm, Figures, Outcome, Retirement, Source},
    gates::{SeedRange, Settings, reevaluate, run_round},
};
use common::{Drawn, Worth, activate, activate_with, create, settings, skill};

fn seeds(stream: u32) -> Seeds<ForGates> {
    Seeds::new(5, stream)
}

fn good() -> Worth {
    Worth { points: 12.0, ..Worth::default() }
}

/// Plays rounds until nothing moves any more, ten at most.
fn rounds(bank: &mut Bank, trials: &mut Drawn, settings: &Settings) -> Vec<(String, State, State)> {
    let mut moved = Vec::new();
    for _ in 0..10 {
        let account = run_round(bank, trials, 1, settings).expect("round");
        if account.moved.is_empty() {
            break;
        }
        moved.extend(account.moved);
    }
    moved
}

fn state(bank: &Bank, name: &str) -> State {
    bank.find(name).expect("there").state
}

#[test]
fn a_good_skill_goes_all_the_way_with_its_evidence() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let mut trials = Drawn { is_duel: true, ..Drawn::with(&[("fetch", good())]) };
    let hash = bank.propose(skill("fetch", 0), Some("{}")).expect("proposed").hash().to_owned();
    assert!(!bank.is_at_rest());
    let moved = rounds(&mut bank, &mut trials, &settings());
    assert!(bank.is_at_rest());
    let states: Vec<State> = moved.iter().map(|(_, _, to)| *to).collect();
    assert_eq!(states, [State::Candidate, State::Shadow, State::Provisional, State::Active]);
    let gates: Vec<Gate> = bank.evidence(&hash).expect("evidence").iter().map(|e| e.gate()).collect();
    let all = [
        Gate::Static,
        Gate::Replay,
        Gate::Contract,
        Gate::Uplift,
        Gate::Multiple,
        Gate::Regression,
        Gate::Shadow,
        Gate::Probation,
    ];
    assert_eq!(gates, all);
    for piece in bank.evidence(&hash).expect("evidence") {
        assert!(piece.verify().expect("figures"));
        let sources = match piece.figures() {
            Figures::Probation(monitor) => monitor.sources.clone(),
            _ => vec![piece.source().clone()],
        };
        let is_played = !matches!(piece.gate(), Gate::Static | Gate::Multiple | Gate::Replay);
        let is_told = |s: &Source| s.seeds.starts_with("gate 1/") && s.config == "drawn";
        assert!(!is_played || (!sources.is_empty() && sources.iter().all(is_told)), "{sources:?}");
    }
    let gain = bank.entry(&hash).expect("there").gain.expect("measured");
    assert!(gain.low < 0.12 && 0.12 < gain.high, "{gain:?}");
    assert_eq!(bank.snapshots().collect::<Vec<_>>(), [1]);
    assert_eq!(bank.skills_at(State::Active).len(), 1);
}

#[test]
fn a_contract_that_stops_holding_demotes_and_a_harm_too() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let uses = |done: usize, of: usize, change: f64| Uses {
        context: "play".into(),
        source: Source::default(),
        episodes: of as u64,
        offered: of as u64,
        outcomes: (0..of).map(|i| if i % of < done { Outcome::Effect } else { Outcome::NoEffect }).collect(),
        changes: (0..of).map(|i| if i % 3 == 0 { change } else { 0.0 }).collect(),
    };
    let cases = [("stale", 3, 0.0, Alarm::Contract), ("worn", 9, -1.0, Alarm::Harm)];
    for (turn, (name, done, change, alarm)) in (0..).zip(cases) {
        let hash = activate(&mut bank, skill(name, turn));
        for _ in 0..40 {
            assert_eq!(bank.record(&hash, uses(9, 10, 0.5)).expect("written"), None);
        }
        // Now the game has changed.
        let after =
            (1..=30).find(|_| bank.record(&hash, uses(done, 10, change)).expect("written") == Some(alarm));
        println!("{name}: {alarm:?} after {after:?} times ten uses");
        assert!(after.is_some_and(|n| n <= 12), "{name}: {after:?}");
        assert_eq!(state(&bank, name), State::Suspended);
        let evidence = bank.evidence(&hash).expect("evidence");
        let Figures::Watch(monitor) = evidence[evidence.len() - 1].figures() else { panic!() };
        assert_eq!(monitor.watch().expect("numbers"), Some(alarm));
        assert!(bank.record(&hash, uses(1, 1, 0.0)).is_err(), "it is not in use");
    }
    // A round tries them again: the one is as good as ever, the other is not.
    let mut trials = Drawn::with(&[("stale", good()), ("worn", Worth { points: -5.0, ..Worth::default() })]);
    run_round(&mut bank, &mut trials, 2, &settings()).expect("round");
    assert_eq!((state(&bank, "stale"), state(&bank, "worn")), (State::Active, State::Retired));
}

#[test]
fn probation_ends_a_skill_that_harms_and_goes_on_over_rounds() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let mut trials = Drawn::with(&[("fetch", good())]);
    bank.propose(skill("fetch", 0), None).expect("proposed");
    // 300 episodes a round, a fifth of them with it: 200 uses take four rounds or so.
    let few = Settings { seeds: 300, ..settings() };
    for _ in 0..3 {
        run_round(&mut bank, &mut trials, 1, &few).expect("round");
    }
    assert_eq!(state(&bank, "fetch"), State::Provisional);
    run_round(&mut bank, &mut trials, 1, &few).expect("round");
    let seen = bank.find("fetch").expect("there").monitor.clone();
    assert!((30..110).contains(&seen.outcomes.len()) && seen.episodes == 300, "{}", seen.outcomes.len());
    let gone = bank.find("fetch").expect("there").hash.clone();
    trials.worth.insert("fetch".into(), Worth { points: -18.0, ..Worth::default() });
    for _ in 0..4 {
        run_round(&mut bank, &mut trials, 1, &few).expect("round");
    }
    assert_eq!(state(&bank, "fetch"), State::Rejected);
    let evidence = bank.evidence(&gone).expect("evidence");
    let Figures::Probation(monitor) = evidence[evidence.len() - 1].figures() else { panic!() };
    assert_eq!(monitor.probation().expect("numbers"), Some(Alarm::Harm));
}

#[test]
fn needless_skills_are_retired() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let uses = |n: usize| Uses {
        context: "play".into(),
        source: Source::default(),
        episodes: 1,
        offered: 1,
        outcomes: vec![Outcome::Effect; n],
        changes: vec![0.0],
    };
    let old = activate(&mut bank, skill("old", 0));
    let used = activate(&mut bank, skill("used", 1));
    for _ in 0..10 {
        assert_eq!(bank.prune(PruneRule::default()).expect("pruned"), []);
        bank.begin_round().expect("round");
        bank.record(&used, uses(3)).expect("written");
    }
    let gone = bank.prune(PruneRule::default()).expect("pruned");
    assert_eq!(gone, [(old, Retirement::Unused { rounds: 10, most: 10 })]);
    // Over the budget: of equal gains, the one that needs most uses for it.
    let rare = activate(&mut bank, skill("rare", 2));
    bank.record(&rare, uses(1)).expect("written");
    let gone = bank.prune(PruneRule { most: 1, ..PruneRule::default() }).expect("pruned");
    assert_eq!(gone.len(), 1);
    assert!(
        gone[0].0 == used && matches!(gone[0].1, Retirement::Budget { skills: 2, most: 1, .. }),
        "{gone:?}"
    );
    assert_eq!((state(&bank, "used"), state(&bank, "rare")), (State::Retired, State::Active));
}

#[test]
fn a_skill_that_another_does_better_wherever_it_may_begin_is_retired() {
    use agon_skill::{Compare, Literal, Operand};
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let mut weak = skill("weak", 0);
    let gold = Literal { fact: "gold".into(), is: Compare::AtLeast, to: Operand::Number(2.0) };
    weak.contract.pre.push(gold.clone());
    weak.hash = weak.content_hash();
    let strong = skill("strong", 1);
    // Begins only with more gold than the weak one needs: it does not replace it.
    let mut rich = skill("rich", 2);
    rich.contract.pre.push(Literal { to: Operand::Number(3.0), ..gold });
    rich.hash = rich.content_hash();
    let weak = activate_with(&mut bank, weak, vec![0.1; 300]);
    activate(&mut bank, rich);
    assert_eq!(bank.prune(PruneRule::default()).expect("pruned"), []);
    let strong = activate(&mut bank, strong);
    let gone = bank.prune(PruneRule::default()).expect("pruned");
    let Retirement::Dominated { by, other_low, own_high } = &gone[0].1 else { panic!("{gone:?}") };
    assert!(gone.len() == 1 && gone[0].0 == weak && *by == strong && other_low > own_high, "{gone:?}");
}

#[test]
fn old_snapshots_are_played_again() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let mut trials = Drawn::with(&[("boon", good()), ("bane", Worth { points: -12.0, ..Worth::default() })]);
    activate(&mut bank, skill("boon", 0));
    let before = bank.snapshot("before").expect("written");
    activate(&mut bank, skill("bane", 1));
    let suite = SeedRange { seeds: seeds(3), first: 0, count: 800 };
    let seen = reevaluate(&bank, &mut trials, suite).expect("plays");
    assert!(seen.len() == 1 && seen[0].1.high < 0.0, "{seen:?}");
    assert_eq!(bank.go_back(before, "the bank now is worse").expect("back"), Vec::<String>::new());
    assert_eq!((state(&bank, "boon"), state(&bank, "bane")), (State::Active, State::RolledBack));
}

#[test]
fn a_round_watches_active_skills_and_leaves_out_what_cannot_run() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let hash = activate(&mut bank, skill("fetch", 0));
    let mut trials = Drawn::with(&[("fetch", good())]);
    for _ in 0..4 {
        let account = run_round(&mut bank, &mut trials, 1, &settings()).expect("round");
        assert_eq!((account.moved, account.retired), (vec![], vec![]));
    }
    let seen = bank.entry(&hash).expect("there");
    assert_eq!((seen.monitor.outcomes.len(), seen.stats["watch"].uses, seen.round), (400, 400, 4));
    // The game turns; the next round sees it, and the one after finds that it does not pass any more.
    trials.worth.insert("fetch".into(), Worth { rate: 0.3, ..Worth::default() });
    let account = run_round(&mut bank, &mut trials, 1, &settings()).expect("round");
    assert_eq!(account.moved, [(hash.clone(), State::Active, State::Suspended)]);
    assert!(account.snapshot.is_some(), "what is active has changed");
    let account = run_round(&mut bank, &mut trials, 1, &settings()).expect("round");
    assert_eq!(account.moved, [(hash, State::Suspended, State::Retired)]);
    // In new words, the old skill stays as it is and the round goes on with the new one.
    let other = tempfile::tempdir().expect("folder");
    let mut bank = create(other.path());
    activate(&mut bank, skill("fetch", 0));
    drop(bank);
    let words = std::sync::Arc::new(common::Toy(2));
    let mut bank = Bank::open(other.path(), common::GAME, words).expect("opens");
    let mut trials = Drawn::with(&[("fetch", good())]);
    run_round(&mut bank, &mut trials, 1, &settings()).expect("round");
    assert_eq!(
        (bank.find("fetch@2").expect("there").state, state(&bank, "fetch@1")),
        (State::Active, State::Retired)
    );
    assert_eq!(bank.audit(), Vec::<String>::new());
}

#[test]
fn the_same_bank_and_trials_give_the_same_log() {
    let run = || {
        let place = tempfile::tempdir().expect("folder");
        let mut bank = create(place.path());
        let mut trials =
            Drawn::with(&[("fetch", good()), ("lure", Worth { points: -8.0, ..Worth::default() })]);
        for (i, name) in (0..).zip(["fetch", "lure", "copy"]) {
            bank.propose(skill(name, i), None).expect("proposed");
        }
        rounds(&mut bank, &mut trials, &settings());
        std::fs::read(place.path().join("log.jsonl")).expect("log")
    };
    assert_eq!(run(), run());
}

#[test]
fn a_skill_that_hurts_on_gate_seeds_is_refused_whatever_it_did_on_train_seeds() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    // It keeps its contract, on train and gate seeds; games are lost by it.
    let mut trials = Drawn::with(&[("lure", Worth { points: -8.0, ..Worth::default() })]);
    let hash = bank.propose(skill("lure", 0), None).expect("proposed").hash().to_owned();
    let moved = rounds(&mut bank, &mut trials, &settings());
    assert_eq!(moved[1], (hash.clone(), State::Candidate, State::Rejected));
    let evidence = bank.evidence(&hash).expect("evidence");
    let Figures::Uplift(pairs) = evidence[3].figures() else { panic!("{evidence:?}") };
    let gain = pairs.gain().expect("gain");
    assert!(gain.high < 0.06 && gain.estimate < 0.0 && pairs.e().expect("e") < 1.0, "{gain:?}");
    assert!(pairs.differences.len() < 400, "{} pairs until it was given up", pairs.differences.len());
}
