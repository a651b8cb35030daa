//! No skill gets anywhere without evidence.

mod common;

use agon_skill_bank::{
    BankError, Evidence, Gate, State,
    evidence::{Contract, Figures, Monitor, MonitorRule, Outcome, Replay, ReplayRun, Source, Static},
    lifecycle::{MOVES, next},
};
use common::{activate, again, create, skill};
use proptest::prelude::*;
use std::collections::BTreeSet;

const SKILL: &str = "00000000000000aa";

/// Evidence of a gate with a decision.
fn evidence(gate: Gate, passes: bool) -> Evidence {
    use agon_skill_bank::{evidence as e, stats::Plan};
    let outcomes = |sign| vec![sign; 200];
    let monitor = Monitor {
        episodes: 1000,
        offered: 200,
        outcomes: outcomes(if passes { Outcome::Effect } else { Outcome::NoEffect }),
        changes: vec![0.0; 50],
        ..Monitor::new(0.8, MonitorRule::default())
    };
    let plan = Plan::default();
    let differences = vec![if passes { 1.0 } else { -1.0 }; 30];
    let pairs = e::Uplift { plan, differences };
    let own = pairs.e().expect("e");
    let reason = if passes { "why not".to_owned() } else { String::new() };
    let figures = match gate {
        Gate::Static => Figures::Static(Static { findings: vec!["x".into(); usize::from(!passes)] }),
        Gate::Replay => {
            let second = if passes { "a" } else { "b" }.into();
            Figures::Replay(Replay {
                runs: vec![ReplayRun { first: "a".into(), second, effect: true }],
                claim: 0.8,
            })
        }
        Gate::Contract => Figures::Contract(Contract {
            successes: if passes { 95 } else { 60 },
            uses: 100,
            planned: 100,
            claim: 0.8,
            least: 0.6,
            slack: 0.1,
        }),
        Gate::Uplift => Figures::Uplift(pairs),
        Gate::Multiple => Figures::Multiple(e::Multiple {
            e_values: [(SKILL.to_owned(), own)].into(),
            fdr: 0.1,
            least: 20.0,
        }),
        Gate::Regression => Figures::Regression(e::Regression {
            families: [("all".to_owned(), vec![if passes { 0.5 } else { -0.5 }; 50])].into(),
            duel: vec![],
            rule: e::RegressionRule::default(),
        }),
        Gate::Shadow => Figures::Shadow(e::Shadow {
            chances: vec![e::Chance { predicted: 0.9, happened: passes, without: false }; 50],
            rule: e::ShadowRule::default(),
        }),
        Gate::Probation => Figures::Probation(monitor),
        Gate::Watch => Figures::Watch(monitor),
        Gate::Version => {
            Figures::Version { from: "toy 1".into(), to: if passes { "toy 2" } else { "toy 1" }.into() }
        }
        Gate::Retirement => {
            Figures::Retirement(e::Retirement::Unused { rounds: if passes { 10 } else { 3 }, most: 10 })
        }
        Gate::Rollback => Figures::Rollback { snapshot: 1, reason },
        Gate::Restore => Figures::Restore { snapshot: 1, reason },
        Gate::Order => Figures::Order { reason },
    };
    let evidence = Evidence::new(SKILL, Source::default(), figures).expect("figures");
    assert_eq!((evidence.gate(), evidence.passed()), (gate, passes));
    evidence
}

const GATES: [Gate; 14] = [
    Gate::Static,
    Gate::Replay,
    Gate::Contract,
    Gate::Uplift,
    Gate::Multiple,
    Gate::Regression,
    Gate::Shadow,
    Gate::Probation,
    Gate::Watch,
    Gate::Version,
    Gate::Retirement,
    Gate::Rollback,
    Gate::Restore,
    Gate::Order,
];

#[test]
fn every_move_of_the_table_happens_on_its_evidence_and_on_nothing_less() {
    for rule in MOVES {
        let whole: Vec<Evidence> = rule.gates.iter().map(|gate| evidence(*gate, rule.passed)).collect();
        let given = if rule.passed { &whole[..] } else { &whole[..1] };
        assert_eq!(next(rule.from, SKILL, given).expect("moves"), rule.to, "{rule}");
        if rule.passed {
            for left_out in 0..whole.len() {
                let mut less = whole.clone();
                less.remove(left_out);
                assert!(next(rule.from, SKILL, &less).is_err(), "{rule} without number {left_out}");
            }
        }
        assert!(next(rule.from, SKILL, &[]).is_err());
    }
}

#[test]
fn one_failed_gate_outweighs_all_that_passed() {
    let admission = [Gate::Replay, Gate::Contract, Gate::Uplift, Gate::Multiple, Gate::Regression];
    for bad in admission {
        // The round compares the e-value of the pairs: both pass or fail.
        let fails = |gate: Gate| gate == bad || (bad == Gate::Uplift && gate == Gate::Multiple);
        let given: Vec<Evidence> = admission
            .into_iter()
            .filter(|gate| !(bad == Gate::Multiple && *gate == Gate::Uplift))
            .map(|gate| evidence(gate, !fails(gate)))
            .collect();
        assert_eq!(next(State::Candidate, SKILL, &given).expect("moves"), State::Rejected, "{bad}");
    }
}

#[test]
fn evidence_about_another_skill_or_with_another_decision_is_refused() {
    let piece = evidence(Gate::Static, true);
    let error =
        next(State::Draft, "another", std::slice::from_ref(&piece)).expect_err("another's").to_string();
    assert_eq!(
        error,
        format!("evidence static about another: it is about {SKILL}: give evidence about this skill")
    );
    // A decision that somebody has turned over in the file.
    let text = serde_json::to_string(&evidence(Gate::Contract, false)).expect("text");
    let forged: Evidence =
        serde_json::from_str(&text.replace("\"passed\":false", "\"passed\":true")).expect("reads");
    assert!(forged.passed());
    assert!(matches!(forged.verify(), Err(BankError::Evidence { .. })));
    assert!(next(State::Candidate, SKILL, &[forged]).is_err());
    // An e-value of the round that is not the one of the pairs.
    let text = serde_json::to_string(&evidence(Gate::Multiple, true)).expect("text");
    let value: serde_json::Value = serde_json::from_str(&text).expect("reads");
    let mut better = value.clone();
    better["figures"]["e_values"][SKILL] = serde_json::json!(1e30);
    let better: Evidence = serde_json::from_value(better).expect("reads");
    let given = [evidence(Gate::Uplift, true), better];
    assert!(
        next(State::Candidate, SKILL, &given)
            .expect_err("round")
            .to_string()
            .contains("it gives the e-value 1000")
    );
    // What no gate can have measured.
    let text = serde_json::to_string(&evidence(Gate::Uplift, true)).expect("text").replace("[1.0,", "[1.5,");
    let odd: Evidence = serde_json::from_str(&text).expect("reads");
    assert!(matches!(odd.verify(), Err(BankError::Number { .. })));
}

#[test]
fn a_refusal_says_what_would_move_it() {
    let error =
        next(State::Shadow, SKILL, &[evidence(Gate::Probation, true)]).expect_err("too early").to_string();
    assert_eq!(
        error,
        "skill 00000000000000aa is shadow and cannot move on probation passed: it moves to provisional with shadow \
         passed; to rejected with shadow failed; to rejected with version passed; to rejected with order passed"
    );
    let error = next(State::Rejected, SKILL, &[evidence(Gate::Order, true)]).expect_err("final").to_string();
    assert!(error.ends_with("that is final"), "{error}");
}

#[test]
fn a_suspended_skill_needs_new_evidence() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let hash = activate(&mut bank, skill("fetch", 0));
    let watch =
        Monitor { outcomes: vec![Outcome::NoEffect; 200], ..Monitor::new(0.8, MonitorRule::default()) };
    let alarm = Evidence::new(&hash, Source::default(), Figures::Watch(watch)).expect("figures");
    assert_eq!(bank.present(&hash, &[alarm]).expect("moves"), State::Suspended);
    let old = bank.present(&hash, &again(&hash, 0)).expect_err("shown before").to_string();
    assert!(old.contains("it was presented before: run the gate again, on fresh seeds"), "{old}");
    assert_eq!(bank.present(&hash, &again(&hash, 1)).expect("moves"), State::Active);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_path_leads_to_active_without_its_evidence(
        from_suspended in any::<bool>(),
        offers in proptest::collection::vec(
            (0_usize..8, proptest::collection::vec((0..GATES.len(), 0_u8..6), 0..7)),
            0..40,
        ),
    ) {
        // Random evidence, and now and then what the next stage asks for, so that paths get far.
        let mut state = if from_suspended { State::Suspended } else { State::Draft };
        let mut passed: BTreeSet<Gate> = BTreeSet::new();
        for (kind, random) in offers {
            let ways: Vec<_> = MOVES.iter().filter(|rule| rule.from == state && rule.passed).collect();
            let offer: Vec<Evidence> = match ways.first() {
                Some(rule) if kind > 2 => rule.gates.iter().map(|gate| evidence(*gate, true)).collect(),
                _ => random.iter().map(|(gate, luck)| evidence(GATES[*gate], *luck > 0)).collect(),
            };
            let before = state;
            let Ok(to) = next(state, SKILL, &offer) else { continue };
            prop_assert!(MOVES.iter().any(|rule| (rule.from, rule.to) == (before, to)));
            prop_assert!(!offer.is_empty());
            state = to;
            passed.extend(offer.iter().filter(|e| e.passed()).map(Evidence::gate));
            if to == State::Suspended {
                // Whatever was shown before counts no more.
                passed.clear();
            }
            if to == State::Active && before != State::RolledBack && before != State::Retired {
                for gate in [Gate::Replay, Gate::Contract, Gate::Uplift] {
                    prop_assert!(passed.contains(&gate), "active without {gate}");
                }
                if before == State::Provisional {
                    let rest =
                        [Gate::Static, Gate::Multiple, Gate::Regression, Gate::Shadow, Gate::Probation];
                    for gate in rest {
                        prop_assert!(passed.contains(&gate), "active without {gate}");
                    }
                }
            }
        }
    }
}

#[test]
fn random_walks_do_reach_active() {
    // The property above would hold for a table that leads nowhere.
    let mut state = State::Draft;
    for gates in [
        &[Gate::Static][..],
        &[Gate::Replay, Gate::Contract, Gate::Uplift, Gate::Multiple, Gate::Regression],
        &[Gate::Shadow],
        &[Gate::Probation],
    ] {
        let offer: Vec<Evidence> = gates.iter().map(|gate| evidence(*gate, true)).collect();
        state = next(state, SKILL, &offer).expect("moves");
    }
    assert_eq!(state, State::Active);
    for state in State::ALL {
        assert_eq!(serde_json::to_value(state).expect("word"), state.word());
    }
}

#[test]
fn evidence_says_in_a_line_what_it_found() {
    let line = |gate, passes| evidence(gate, passes).to_string();
    for gate in GATES {
        for passes in [true, false] {
            let line = line(gate, passes);
            assert!(line.starts_with(gate.word()) && line.lines().count() <= 1, "{line}");
        }
    }
    assert_eq!(
        line(Gate::Contract, true),
        "contract passed: effect in 95 of 100 uses (89 to 98 %), 80 % claimed"
    );
    assert_eq!(
        line(Gate::Watch, false),
        "watch alarm: effect in 0 of 200 uses, 80 % claimed; mean change +0.000 in 50 episodes; alarm"
    );
    assert!(
        line(Gate::Uplift, false).starts_with("uplift failed: gain -1.000 (-1.000 to -"),
        "{}",
        line(Gate::Uplift, false)
    );
    assert!(line(Gate::Multiple, true).contains("among 1 candidates, 10 % false discoveries"));
    assert_eq!(line(Gate::Retirement, true), "retirement passed: not used in 10 rounds");
}

#[test]
fn a_probation_takes_episodes_and_not_uses_alone() {
    use agon_skill_bank::evidence as e;
    let passes = |changes: usize, rule: e::MonitorRule| {
        let mut monitor = e::Monitor::new(0.8, rule);
        monitor.outcomes = vec![e::Outcome::Effect; 400];
        (monitor.episodes, monitor.offered) = (1000, 200);
        monitor.changes = vec![0.0; changes];
        Evidence::new(SKILL, Source::default(), Figures::Probation(monitor)).expect("figures").passed()
    };
    let rule = e::MonitorRule::default();
    assert!(!passes(49, rule) && passes(50, rule), "400 uses of a few long games are few games");
    // Evidence from before the least was there keeps its verdict.
    let old: e::MonitorRule =
        serde_json::from_str(r#"{"slack":0.1,"alarm":20.0,"uses":200,"cap":0.2,"patience":2000.0}"#)
            .expect("reads");
    assert_eq!(old.least, 0);
    assert!(!passes(0, old) && passes(1, old));
}
