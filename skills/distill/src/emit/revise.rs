//! A skill under another contract.

use super::{PROMISES, head, promises};
use crate::ir::Ir;
use agon_skill::{Contract, Proposer, Skill};
use rl_gym::vocabulary::Vocabulary;

/// Lines on how to use a skill at most.
const MAX_LINES: usize = 8;

/// `skill` under another contract, as its child: what it says about itself is said anew, in the comment of its code too
/// where that was printed from `ir`. Code that somebody wrote or changed stays as it is.
pub fn with_contract(skill: &Skill, ir: Option<&Ir>, contract: Contract, words: &dyn Vocabulary) -> Skill {
    let mut new = skill.clone();
    new.provenance.proposer = Proposer::Tuned;
    new.provenance.parents = vec![skill.content_hash()];
    new.stats.clear();
    let rest = skill.how_to.iter().filter(|line| !PROMISES.iter().any(|start| line.starts_with(start)));
    new.how_to = promises(&contract, words).into_iter().chain(rest.cloned()).take(MAX_LINES).collect();
    new.contract = contract;
    if let Some(ir) = ir.filter(|ir| print_of(ir, skill, words) == skill.code) {
        new.code = print_of(ir, &new, words);
    }
    new.hash = new.content_hash();
    new
}

fn print_of(ir: &Ir, skill: &Skill, words: &dyn Vocabulary) -> String {
    super::print(ir, &head(skill), words)
}
