//! The checker finds every flaw by the right rule, and nothing in an honest environment.
mod common;

use agon_counting_allocator::{Counting, on_this_thread};
use common::{
    duel::{self, Flaw},
    stairs::stairs,
};
use rl_gym::{CheckConfig, RULES, Report, Severity, check};
use std::collections::BTreeSet;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn run(flaw: Flaw) -> Report {
    let config = CheckConfig {
        allocations: Some(on_this_thread),
        episodes: 5,
        max_steps: 150,
        ..CheckConfig::default()
    };
    check(&duel::duel(), &duel::options(flaw), config)
}

/// Each flaw with the rules that must find it, and those that may complain besides, because the flaw shows
/// there too (a state that cannot be trusted breaks more than one promise).
#[rustfmt::skip]
const EXPECTED: &[(Flaw, &[&str], &[&str])] = &[
    (Flaw::BadBounds, &["spec"], &[]),
    (Flaw::NoActions, &["spec"], &[]),
    (Flaw::DriftingSpec, &["spec"], &[]),
    (Flaw::WrongVersion, &["spec"], &[]),
    (Flaw::ChanceUndeclared, &["spec"], &[]),
    (Flaw::Panics, &["panic"], &[]),
    (Flaw::PanicsInObserve, &["panic"], &[]),
    (Flaw::PanicsInReset, &["panic"], &[]),
    (Flaw::Fails, &["fault"], &[]),
    (Flaw::Endless, &["ends"], &[]),
    (Flaw::Stuck, &["ends", "flags"], &[]),
    (Flaw::GlobalState, &["same-seed"], &["batch", "replay"]),
    (Flaw::Leaks, &["leak"], &[]),
    (Flaw::IgnoresSeed, &["other-seed"], &[]),
    (Flaw::OutsideSpace, &["obs-space"], &[]),
    (Flaw::PartialRow, &["obs-written"], &[]),
    (Flaw::PartialMask, &["obs-written"], &["batch"]),
    (Flaw::EmptyMask, &["mask"], &["illegal-refused", "text"]),
    (Flaw::MaskTail, &["mask"], &["legal-accepted", "state-hash", "text"]),
    (Flaw::ActsDead, &["flags"], &[]),
    (Flaw::BothAct, &["flags"], &["illegal-refused", "text"]),
    (Flaw::AliveAndEnded, &["flags"], &["ends", "ranks"]),
    (Flaw::Vanishes, &["flags", "rewards"], &[]),
    (Flaw::RefusesLegal, &["legal-accepted"], &["state-hash"]),
    (Flaw::AcceptsIllegal, &["illegal-refused"], &[]),
    (Flaw::PunishesIllegal, &["illegal-refused"], &[]),
    (Flaw::RollsOnIllegal, &["illegal-refused"], &[]),
    (Flaw::ReadsOtherRows, &["ignored-rows"], &["replay"]),
    (Flaw::RewardTooLarge, &["rewards"], &[]),
    (Flaw::RewardNan, &["rewards"], &[]),
    (Flaw::NotZeroSum, &["utility"], &[]),
    (Flaw::NoRanks, &["ranks"], &[]),
    (Flaw::EarlyRanks, &["ranks"], &[]),
    (Flaw::RanksFromOne, &["ranks"], &[]),
    (Flaw::PartialRanks, &["ranks"], &["batch"]),
    (Flaw::ForgetsGenerator, &["snapshot"], &["leak"]),
    (Flaw::SavesNothing, &["snapshot"], &[]),
    (Flaw::ConstantHash, &["state-hash"], &["resample"]),
    (Flaw::ImprobableDie, &["chance"], &[]),
    (Flaw::HidesDraws, &["chance"], &[]),
    (Flaw::TakesAnyOutcome, &["chance"], &[]),
    (Flaw::ShowsAnotherHand, &["resample"], &[]),
    (Flaw::ResamplesNothing, &["resample"], &[]),
    (Flaw::TwinNames, &["text"], &[]),
    (Flaw::ParsesWrong, &["text"], &[]),
    (Flaw::Nameless, &["text"], &[]),
    (Flaw::Rambles, &["text"], &[]),
    (Flaw::KnowsItsThread, &["batch"], &[]),
    (Flaw::CountsLooks, &["replay"], &["illegal-refused", "leak", "resample", "snapshot"]),
    (Flaw::Allocates, &["allocations"], &[]),
];

#[test]
fn honest_games_are_clean() {
    let report = run(Flaw::Honest);
    assert!(report.is_clean(), "{report}");
    let report = check(&stairs(), &stairs().defaults(), CheckConfig::default());
    assert!(report.is_clean(), "{report}");
}

#[test]
fn every_flaw_is_found_by_its_rule_and_every_rule_finds_one() {
    let listed: Vec<Flaw> = EXPECTED.iter().map(|(flaw, ..)| *flaw).collect();
    assert_eq!(listed, Flaw::ALL[1..]);
    let mut wrong = Vec::new();
    for (flaw, required, besides) in EXPECTED {
        let report = run(*flaw);
        let found: BTreeSet<&str> = report.findings.iter().map(|finding| finding.rule).collect();
        let missing = required.iter().any(|rule| !found.contains(rule));
        let foreign = found.iter().any(|rule| !required.contains(rule) && !besides.contains(rule));
        if missing || foreign {
            wrong.push(format!("{flaw:?} should be found by {required:?}:\n{report}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let finders: BTreeSet<&str> =
        EXPECTED.iter().flat_map(|(_, required, _)| required.iter().copied()).collect();
    assert_eq!(finders, RULES.iter().map(|(name, _)| *name).collect());
}

#[test]
fn a_finding_says_where_and_what() {
    let report = run(Flaw::OutsideSpace);
    let text = report.findings[0].to_string();
    assert!(text.starts_with("error[obs-space] seed 1/0/0 step "), "{text}");
    assert!(text.ends_with(" is outside -20..=20"), "{text}");
    // Everything is counted, also what is not listed.
    assert!(report.findings.len() == 12 && report.suppressed > 0, "{report}");
    assert_eq!(run(Flaw::Rambles).findings[0].severity, Severity::Warning);
    assert!(!run(Flaw::Rambles).has_errors());
}
