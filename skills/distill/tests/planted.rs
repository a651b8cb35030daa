//! A routine that is planted in noisy rollouts is found, reads well, and works where it was never seen.

#![allow(clippy::print_stdout, reason = "`--nocapture` shows the code that was found")]

mod common;

use agon_skill_distill::{Config, Ir, Until, distill};
use common::{Who, rollouts, try_out};

#[test]
fn a_planted_routine_is_found_and_runs() {
    let found = distill(&rollouts(Who::Planted, 1, 60), &Config::default()).expect("it can be mined");
    println!("{:#?}", found.summary);
    for candidate in &found.candidates {
        let (successes, uses, aborts) = try_out(candidate, 9, 60);
        println!("{}\n{}: {successes} of {uses} {:?}", candidate.skill.code, candidate.skill.name, aborts.first());
        println!("{:?} {:?}", candidate.skill.contract, candidate.evidence.link);
        println!("acc {:?} blind {:?} imitated {}/{}\n", candidate.evidence.accuracy, candidate.evidence.blind, candidate.evidence.imitated, candidate.evidence.instances);
    }
    let verbs = |ir: &Ir| ir.selectors().iter().map(|s| s.verb.clone()).collect::<Vec<_>>();
    let whole = found
        .candidates
        .iter()
        .find(|c| verbs(&c.ir) == ["go", "open", "take"])
        .expect("the whole routine is among the finds");
    let Ir::Seq(parts) = &whole.ir else { panic!("{:?}", whole.ir) };
    assert!(matches!(&parts[0], Ir::Repeat { until: Until::Can(open), .. } if open.verb == "open"), "{parts:?}");
}
