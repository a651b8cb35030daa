//! What one round says twice: two proposers that look at the same play often find the same.

use crate::Candidate;
use agon_skill::Literal;
use std::collections::BTreeSet;

/// Adds to `kept` those of `found` that say something new, and frees the names of the others.
pub(super) fn keep(
    kept: &mut Vec<Candidate>,
    found: impl IntoIterator<Item = Candidate>,
    taken: &mut BTreeSet<String>,
) {
    for candidate in found {
        if kept.iter().any(|before| says_the_same(before, &candidate)) {
            taken.remove(&candidate.skill.name);
        } else {
            kept.push(candidate);
        }
    }
}

/// Whether two candidates do the same, and one may begin wherever the other may. The effect ends a use, so code of
/// several decisions does the same only where it is after the same.
fn says_the_same(a: &Candidate, b: &Candidate) -> bool {
    let (pre_a, pre_b) = (&a.skill.contract.pre, &b.skill.contract.pre);
    let ends_alike = a.ir.longest() <= 1 || a.skill.contract.effect == b.skill.contract.effect;
    a.ir == b.ir && ends_alike && (implies(pre_a, pre_b) || implies(pre_b, pre_a))
}

/// Whether all of `wide` holds wherever all of `narrow` does.
fn implies(narrow: &[Literal], wide: &[Literal]) -> bool {
    wide.iter().all(|w| narrow.iter().any(|n| n.implies(w)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evidence, Ir, Selector};
    use agon_skill::{Budget, Compare, Contract, FORMAT, Kind, Operand, Proposer, Provenance, Skill};

    fn at_least(fact: &str, x: f32) -> Literal {
        Literal { fact: fact.into(), is: Compare::AtLeast, to: Operand::Number(x) }
    }

    fn candidate(name: &str, ir: Ir, pre: &[Literal], effect: &[Literal]) -> Candidate {
        let provenance =
            Provenance { proposer: Proposer::Mined, parents: vec![], replays: vec![], miner: String::new() };
        let skill = Skill {
            format: FORMAT.into(),
            name: name.into(),
            version: 1,
            game: "toy-v1".into(),
            vocabulary: 1,
            kind: Kind::Option,
            doc: String::new(),
            how_to: vec![],
            tags: vec![],
            params: vec![],
            tools: Default::default(),
            contract: Contract { pre: pre.into(), effect: effect.into(), ..Contract::default() },
            budget: Budget::default(),
            provenance,
            stats: Default::default(),
            hash: String::new(),
            code: String::new(),
        };
        Candidate { skill, ir, evidence: Evidence::default() }
    }

    #[test]
    fn the_first_of_those_that_say_the_same_stays_and_names_of_the_others_are_free() {
        let act = |verb: &str| Ir::Act { pick: Selector::of(verb), keep: vec![] };
        let twice = || Ir::Seq(vec![act("take"), act("take")]);
        let (one, two, lit) = (at_least("gold", 1.0), at_least("gold", 2.0), at_least("lit", 1.0));
        let cases = [
            // Name, code, precondition, effect, whether it is new.
            ("first", act("take"), vec![two.clone()], vec![lit.clone()], true),
            ("equal", act("take"), vec![two.clone()], vec![lit.clone()], false),
            ("wider", act("take"), vec![one.clone()], vec![], false),
            ("narrower", act("take"), vec![two.clone(), lit.clone()], vec![], false),
            ("elsewhere", act("take"), vec![lit.clone()], vec![], true),
            ("other_code", act("drop"), vec![two.clone()], vec![lit.clone()], true),
            ("longer", twice(), vec![one.clone()], vec![two.clone()], true),
            ("longer_for_more", twice(), vec![one.clone()], vec![lit], true),
            ("longer_again", twice(), vec![one], vec![two], false),
        ];
        let mut taken: BTreeSet<String> = cases.iter().map(|c| c.0.to_owned()).collect();
        let new: Vec<&str> = cases.iter().filter(|c| c.4).map(|c| c.0).collect();
        let mut kept = Vec::new();
        let found = cases.iter().map(|(name, ir, pre, effect, _)| candidate(name, ir.clone(), pre, effect));
        keep(&mut kept, found, &mut taken);
        assert_eq!(kept.iter().map(|c| c.skill.name.as_str()).collect::<Vec<_>>(), new);
        assert!(taken.iter().map(String::as_str).eq(new.iter().copied().collect::<BTreeSet<_>>()));
    }
}
