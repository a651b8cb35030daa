//! Upkeep of a bank, as pure functions: which skills are one, which are two, which promise too much.

use agon_skill::{Compare, Contract, Literal, Operand};
use agon_skill_runtime::{Decision, Machine, Prepared};
use rl_gym::{
    Bits, Pcg64,
    vocabulary::{Fact, fact},
};
use std::{collections::BTreeSet, sync::Arc};

/// Shares from which two skills are one: of what they bring about, and of decisions that they make alike.
const SAME_EFFECT: f64 = 0.85;
const SAME_ACTIONS: f64 = 0.9;
/// A skill that succeeds less often than this is split, into parts that succeed at least so often.
const SPLIT_BELOW: f64 = 0.7;
const PART_ABOVE: f64 = 0.8;
/// Uses of a part at least.
const MIN_PART: usize = 5;
/// A literal that holds in a smaller share of uses is dropped.
const RELIABLE: f64 = 0.7;

/// How alike two effects are: shared changes (fact and direction) over all of them, 0 to 1; 0 where neither has any.
pub fn effect_jaccard(a: &Contract, b: &Contract) -> f64 {
    let changes = |c: &Contract| -> BTreeSet<(String, bool)> {
        c.effect.iter().map(|l| (l.fact.clone(), l.is == Compare::AtMost)).collect()
    };
    let (a, b) = (changes(a), changes(b));
    let all = a.union(&b).count();
    if all == 0 { 0.0 } else { a.intersection(&b).count() as f64 / all as f64 }
}

/// What a skill does first at each probe (observation row, mask words, bits of the mask); `None` where it does not apply
/// or does nothing. Probes are of one game.
pub fn first_actions(skill: &Arc<Prepared>, probes: &[(Vec<u8>, Vec<u64>, usize)]) -> Vec<Option<u32>> {
    let mut machine = Machine::new(skill.clone());
    let (words, args) = (skill.words().clone(), skill.defaults());
    let mut first = |(obs, mask, bits): &(Vec<u8>, Vec<u64>, usize)| {
        if !skill.applies(|f| words.fact(obs, f), &args) {
            return None;
        }
        machine.begin(&args, Pcg64::seed(0)).ok()?;
        let decision = machine.decide(obs, Bits::new(mask, *bits));
        machine.end();
        match decision {
            Decision::Act(action) => Some(action),
            Decision::Done | Decision::Aborted(_) => None,
        }
    };
    probes.iter().map(&mut first).collect()
}

/// Share of probes on which two skills do the same, among those where both act; `None` where they never both act.
pub fn agreement(a: &[Option<u32>], b: &[Option<u32>]) -> Option<f64> {
    let both: Vec<bool> = a.iter().zip(b).filter_map(|(a, b)| Some((*a)? == (*b)?)).collect();
    (!both.is_empty()).then(|| both.iter().filter(|same| **same).count() as f64 / both.len() as f64)
}

/// Whether two skills are one: their effects are alike to 0.85 and they act alike on 0.9 of shared probes.
pub fn should_merge(effect_jaccard: f64, agreement: Option<f64>) -> bool {
    effect_jaccard >= SAME_EFFECT && agreement.is_some_and(|a| a >= SAME_ACTIONS)
}

/// Splits a skill that succeeds in less than 0.7 of its uses: what must hold besides for it to succeed in 0.8 of them.
/// Each use is the facts that it began with and whether it succeeded. Gives the literals of all parts that are that
/// good, the larger part first; nothing where no predicate and no bound of a number tells.
pub fn split(uses: &[(Vec<f32>, bool)], facts: &[Fact]) -> Vec<Literal> {
    let rate =
        |part: &[&(Vec<f32>, bool)]| part.iter().filter(|u| u.1).count() as f64 / part.len().max(1) as f64;
    let all: Vec<&(Vec<f32>, bool)> = uses.iter().filter(|u| u.0.len() == facts.len()).collect();
    if all.len() < 2 * MIN_PART || rate(&all) >= SPLIT_BELOW {
        return Vec::new();
    }
    let mut best: Option<(usize, Vec<Literal>)> = None;
    for (f, what) in facts.iter().enumerate() {
        let mut values: Vec<f32> = all.iter().map(|u| u.0[f]).collect();
        values.sort_by(f32::total_cmp);
        values.dedup();
        for pair in values.windows(2) {
            let (low, high): (Vec<_>, Vec<_>) = all.iter().copied().partition(|u| u.0[f] <= pair[0]);
            let literal = |is, x| Literal { fact: what.name.into(), is, to: Operand::Number(x) };
            let parts =
                [(low, literal(Compare::AtMost, pair[0])), (high, literal(Compare::AtLeast, pair[1]))];
            let mut good: Vec<(usize, Literal)> = parts
                .into_iter()
                .filter(|(part, _)| part.len() >= MIN_PART && rate(part) >= PART_ABOVE)
                .map(|(part, literal)| (part.len(), literal))
                .collect();
            good.sort_by_key(|g| std::cmp::Reverse(g.0));
            let covered = good.iter().map(|g| g.0).sum();
            if covered > best.as_ref().map_or(0, |b| b.0) {
                best = Some((covered, good.into_iter().map(|g| g.1).collect()));
            }
        }
    }
    best.map_or_else(Vec::new, |b| b.1)
}

/// A contract without the literals of effect and invariant that uses bear out in less than 0.7 of the cases. Each use is
/// the facts at its start and at its end, with `args` for its parameters. An effect is not dropped whole: where no
/// literal is reliable the best one stays, and the skill is one to retire.
pub fn refine(
    contract: &Contract,
    uses: &[(Vec<f32>, Vec<f32>)],
    facts: &[Fact],
    args: &[(String, f32)],
) -> Contract {
    let share = |literal: &Literal| {
        let Some(f) = fact(facts, &literal.fact) else { return 0.0 };
        let holds = |(start, end): &&(Vec<f32>, Vec<f32>)| {
            let to = match &literal.to {
                Operand::Number(x) => Some(*x),
                Operand::Param(name) => args.iter().find(|a| a.0 == *name).map(|a| a.1),
                Operand::Change { start_plus } => start.get(f).map(|x| x + start_plus),
            };
            to.zip(end.get(f)).is_some_and(|(to, now)| literal.holds(*now, to))
        };
        uses.iter().filter(holds).count() as f64 / uses.len().max(1) as f64
    };
    if uses.is_empty() {
        return contract.clone();
    }
    let reliable = |literals: &[Literal]| -> Vec<Literal> {
        literals.iter().filter(|l| share(l) >= RELIABLE).cloned().collect()
    };
    let mut refined = contract.clone();
    refined.effect = reliable(&contract.effect);
    refined.invariant = reliable(&contract.invariant);
    if refined.effect.is_empty() {
        let best = contract.effect.iter().reduce(|a, b| if share(b) > share(a) { b } else { a });
        refined.effect = best.into_iter().cloned().collect();
    }
    refined
}
