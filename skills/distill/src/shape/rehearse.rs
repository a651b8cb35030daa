//! Plays code over recorded runs: as long as it would do what was done, what came of it is what it would have brought
//! about. Where it would do something else nobody knows, and the use does not count.

use super::Pick;
use crate::{
    contract::{Line, To},
    ir::{Bound, Ir, Selector, Until},
    rollouts::{Choice, Corpus, Place},
};
use agon_skill::{Contract, Literal, Operand, Param};
use rl_gym::vocabulary::{MAX_ARGS, fact};
use std::collections::BTreeMap;

/// Uses that are rehearsed, at most.
const MAX_USES: usize = 4_000;

/// How uses went whose end is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Rehearsal {
    /// The effect came about.
    pub(crate) good: usize,
    /// It did not, or something could not be done.
    pub(crate) bad: usize,
    /// The player did something else.
    pub(crate) unknown: usize,
}

/// How a use, or a part of one, goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Good,
    Bad,
    Unknown,
}

/// Begins a use at every decision where the precondition holds.
pub(crate) fn rehearse(corpus: &Corpus<'_>, ir: &Ir, params: &[Param], contract: &Contract) -> Rehearsal {
    let lines = |literals: &[Literal]| literals.iter().filter_map(|l| line(corpus, l)).collect::<Vec<Line>>();
    let (pre, effect, invariant) =
        (lines(&contract.pre), lines(&contract.effect), lines(&contract.invariant));
    let mut stage =
        Stage { corpus, picks: BTreeMap::new(), effect, invariant, within: contract.within as usize };
    let starts: Vec<Place> = corpus
        .places()
        .filter(|at| corpus.facts(*at).is_some_and(|f| pre.iter().all(|l| l.holds(f, f))))
        .collect();
    let mut sum = Rehearsal::default();
    for start in starts.iter().step_by(starts.len().div_ceil(MAX_USES).max(1)) {
        let mut take = Use { at: *start, start: *start, names: BTreeMap::new() };
        for param in params {
            // A parameter is whatever makes the first action that has it the one that was chosen.
            take.names.insert(param.name.clone(), None);
        }
        let end = match stage.run(ir, &mut take) {
            Flow::Next => stage.end(&take),
            end => end,
        };
        match end {
            Flow::Good => sum.good += 1,
            Flow::Unknown => sum.unknown += 1,
            Flow::Bad | Flow::Next => sum.bad += 1,
        }
    }
    sum
}

/// A literal without names; `None` for one about a parameter.
fn line(corpus: &Corpus<'_>, literal: &Literal) -> Option<Line> {
    let to = match literal.to {
        Operand::Number(x) => To::Number(x),
        Operand::Change { start_plus } => To::Change(start_plus),
        Operand::Param(_) => return None,
    };
    Some(Line { fact: fact(corpus.fact_list(), &literal.fact)?, is: literal.is, to })
}

/// Whether literals hold at a place; those about a start or a parameter do not.
pub(crate) fn holds(corpus: &Corpus<'_>, literals: &[Literal], at: Place) -> bool {
    let number = |l: &&Literal| matches!(l.to, Operand::Number(_));
    corpus.facts(at).is_some_and(|facts| {
        let resolved = |l: &Literal| line(corpus, l).is_some_and(|l| l.holds(facts, facts));
        literals.iter().all(|l| number(&l) && resolved(l))
    })
}

struct Stage<'a, 'c> {
    corpus: &'c Corpus<'a>,
    /// Selectors with their names resolved, by what they say.
    picks: BTreeMap<String, Option<Pick>>,
    effect: Vec<Line>,
    invariant: Vec<Line>,
    within: usize,
}

struct Use {
    start: Place,
    at: Place,
    /// What variables and parameters hold.
    names: BTreeMap<String, Option<u16>>,
}

impl Stage<'_, '_> {
    fn run(&mut self, ir: &Ir, take: &mut Use) -> Flow {
        match ir {
            Ir::Seq(parts) => {
                for part in parts {
                    match self.run(part, take) {
                        Flow::Next => {}
                        end => return end,
                    }
                }
                Flow::Next
            }
            Ir::Act { pick, keep } => self.act(pick, keep, take),
            Ir::Repeat { body, until, most } => {
                for _ in 0..*most {
                    if take.at.step >= self.corpus.len(take.at.run) {
                        return self.end(take);
                    }
                    let over = match until {
                        Until::Effect => false,
                        Until::Can(pick) => self.pick(pick, take).is_some(),
                        Until::Holds(literal) => self.holds(std::slice::from_ref(literal), take),
                    };
                    if over {
                        break;
                    }
                    match self.run(body, take) {
                        Flow::Next => {}
                        end => return end,
                    }
                }
                Flow::Next
            }
            Ir::If { when, then, otherwise } => {
                let part = if self.holds(when, take) { then } else { otherwise };
                self.run(part, take)
            }
            Ir::Choose(rules) => {
                for rule in rules {
                    if self.holds(&rule.when, take) && self.pick(&rule.pick, take).is_some() {
                        return self.act(&rule.pick, &[], take);
                    }
                }
                Flow::Bad
            }
        }
    }

    fn holds(&self, literals: &[Literal], take: &Use) -> bool {
        let Some((start, now)) = self.corpus.facts(take.start).zip(self.corpus.facts(take.at)) else {
            return false;
        };
        literals.iter().all(|l| line(self.corpus, l).is_some_and(|l| l.holds(start, now)))
    }

    /// What ends a use before its code is asked, as in the runtime.
    fn before(&self, take: &Use) -> Option<Flow> {
        if take.at == take.start {
            return None;
        }
        let Some((start, now)) = self.corpus.facts(take.start).zip(self.corpus.facts(take.at)) else {
            return Some(Flow::Unknown);
        };
        if !self.effect.is_empty() && self.effect.iter().all(|l| l.holds(start, now)) {
            return Some(Flow::Good);
        }
        if self.invariant.iter().any(|l| !l.holds(start, now)) {
            return Some(Flow::Bad);
        }
        let is_late = self.within > 0 && take.at.step - take.start.step >= self.within;
        is_late.then_some(if self.effect.is_empty() { Flow::Good } else { Flow::Bad })
    }

    fn act(&mut self, pick: &Selector, keep: &[(usize, String)], take: &mut Use) -> Flow {
        if let Some(end) = self.before(take) {
            return end;
        }
        if take.at.step >= self.corpus.len(take.at.run) {
            // The episode is over, and nobody failed.
            return Flow::Unknown;
        }
        let Some(picked) = self.pick(pick, take) else { return Flow::Bad };
        let Some(chosen) = self.corpus.chosen(take.at) else { return Flow::Unknown };
        let looks_alike = picked.rows == chosen.rows
            && picked.term.verb == chosen.term.verb
            && !has_bare(self.corpus, chosen);
        if picked.term != chosen.term && !looks_alike {
            return Flow::Unknown;
        }
        for (k, bound) in pick.args.iter().enumerate() {
            if let Bound::Param(name) = bound {
                take.names.insert(name.clone(), Some(chosen.term.args[k]));
            }
        }
        for (k, name) in keep {
            take.names.insert(name.clone(), Some(chosen.term.args[*k]));
        }
        take.at.step += 1;
        Flow::Next
    }

    /// The code has returned.
    fn end(&self, take: &Use) -> Flow {
        match self.before(take) {
            Some(end) => end,
            None if self.effect.is_empty() => Flow::Good,
            None => Flow::Bad,
        }
    }

    fn pick(&mut self, pick: &Selector, take: &Use) -> Option<Choice> {
        if take.at.step >= self.corpus.len(take.at.run) {
            return None;
        }
        let mut given = [None; MAX_ARGS];
        for (k, bound) in pick.args.iter().enumerate().take(MAX_ARGS) {
            given[k] = match bound {
                Bound::Same(name) => Some(take.names.get(name).copied().flatten()?),
                Bound::Param(name) => match take.names.get(name).copied().flatten() {
                    Some(arg) => Some(arg),
                    None => self.corpus.chosen(take.at).map(|c| c.term.args[k]),
                },
                _ => None,
            };
        }
        let key = serde_json::to_string(pick).unwrap_or_default();
        let corpus = self.corpus;
        let resolved = self.picks.entry(key).or_insert_with(|| Pick::new(corpus, pick)).as_ref()?;
        resolved.pick(corpus, take.at, &given).copied()
    }
}

/// Whether some argument of an action has no features to be told by.
fn has_bare(corpus: &Corpus<'_>, choice: &Choice) -> bool {
    let words = corpus.rollouts.words();
    words.verbs()[usize::from(choice.term.verb)].args.iter().any(|k| words.kinds()[*k].features.is_empty())
}
