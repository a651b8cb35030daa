//! The real games: what is mined from their own players reads as a person would write it, and works on other seeds.

#![allow(clippy::print_stdout, reason = "`--nocapture` shows the code that was found")]

mod table;

use agon_skill_distill::{Candidate, Config, PickConfig, PolicyConfig, distill, pick_rules, policy};
use table::Table;

fn show(candidate: &Candidate) {
    let (e, rate) = (&candidate.evidence, candidate.skill.contract.rate);
    println!("-- [{}] {:?} rate {rate}", candidate.skill.name, e.link);
    println!("-- accuracy {:.2?} blind {:.2?}", e.accuracy, e.blind);
    println!("-- imitated {} of {}, rehearsed {}+{}", e.imitated, e.instances, e.rehearsed_good, e.rehearsed_bad);
    println!("{}", candidate.skill.code);
}

#[test]
fn text_adventures_of_the_planner_give_skills() {
    let rollouts = Table::solo("8", "planner").rollouts(1, 100);
    println!("{rollouts:?} {} bytes, {} rows of features", rollouts.bytes(), rollouts.feature_rows());
    let found = distill(&rollouts, &Config::default()).expect("it can be mined");
    println!("{:?}", found.summary);
    found.candidates.iter().for_each(show);
    // What ends these quests is found, and said to pay.
    let combine = found.candidates.iter().find(|c| c.ir.selectors()[0].verb == "combine").expect("found");
    assert!(combine.evidence.link.expect("tested").pays);
    assert_eq!(combine.skill.contract.pre[0].fact, "can_combine");
    assert_eq!(combine.skill.contract.effect[0].fact, "score");
    // It works in games that it was not mined from.
    let (_, good, uses) = Table::solo("8", "explorer").with_skill(Some(combine), 2, 60, 9);
    println!("combine: {good} of {uses}");
}

#[test]
fn a_weak_player_wins_more_with_what_the_planner_does() {
    let rollouts = Table::solo("8", "planner").rollouts(1, 100);
    let list = policy(&rollouts, &PolicyConfig::default(), &Config::default()).expect("it can be fitted");
    let list = list.expect("it is telling");
    show(&list);
    let weak = Table::solo("8", "greedy");
    let (alone, _, _) = weak.with_skill(None, 2, 100, 0);
    let (with, _, uses) = weak.with_skill(Some(&list), 2, 100, u32::MAX);
    println!("greedy alone {alone:.2}, with the list {with:.2} ({uses} uses)");
}

#[test]
fn settlers_give_openings() {
    let table = Table::new(agon_settlers::game(), &[], &["greedy"]);
    let rollouts = table.rollouts(1, 12);
    println!("{rollouts:?} {} bytes, {} rows of features", rollouts.bytes(), rollouts.feature_rows());
    let picks = pick_rules(&rollouts, &PickConfig::default(), &Config::default()).expect("it can be fitted");
    picks.iter().for_each(show);
    let found = distill(&rollouts, &Config::default()).expect("it can be mined");
    println!("{:?}", found.summary);
    found.candidates.iter().for_each(show);
}
