//! Two ways to the same end become one skill where a predicate tells when which was taken.

use crate::{
    contract::Line,
    distill::Find,
    ir::Ir,
    rollouts::{Corpus, Place},
    shape,
};

/// Bits that the predicate must tell of the one bit that the choice between two ways is worth.
const MIN_BITS: f64 = 0.5;

/// Joins pairs of finds, each find once at most, the first that goes with it.
pub(crate) fn join_all(corpus: &Corpus<'_>, found: &[Find], min_rate: f32) -> Vec<Find> {
    let mut is_taken = vec![false; found.len()];
    let mut joined = Vec::new();
    for a in 0..found.len() {
        for b in a + 1..found.len() {
            if !is_taken[a]
                && !is_taken[b]
                && let Some(joint) = join(corpus, &found[a], &found[b], min_rate)
            {
                (is_taken[a], is_taken[b]) = (true, true);
                joined.push(joint);
            }
        }
    }
    joined
}

/// Joins `a` and `b`, two ways of the same length with the same first effect, into one find that asks a predicate first.
/// `None` where none tells well enough, or the joint skill is less sure than its parts.
fn join(corpus: &Corpus<'_>, a: &Find, b: &Find, min_rate: f32) -> Option<Find> {
    let first = |f: &Find| f.mined.contract.effect.first().cloned();
    let verbs = |f: &Find| f.shaped.ir.selectors().iter().map(|s| s.verb.clone()).collect::<Vec<String>>();
    let (verbs_a, verbs_b) = (verbs(a), verbs(b));
    let (effect_a, effect_b) = (first(a)?, first(b)?);
    if (&effect_a.fact, effect_a.is) != (&effect_b.fact, effect_b.is)
        || verbs_a == verbs_b
        || verbs_a.len() != verbs_b.len()
        || !a.shaped.params.is_empty()
        || !b.shaped.params.is_empty()
    {
        return None;
    }
    let starts = |f: &Find| f.shaped.instances.iter().map(|i| i.from()).collect::<Vec<Place>>();
    let line = question(corpus, &starts(a), &starts(b))?;
    let mut joint = a.clone();
    joint.shaped.ir = Ir::If {
        when: vec![line.literal(corpus)],
        then: Box::new(a.shaped.ir.clone()),
        otherwise: Box::new(b.shaped.ir.clone()),
    };
    joint.shaped.fits.extend(b.shaped.fits.iter().cloned());
    joint.shaped.instances.extend(b.shaped.instances.iter().cloned());
    joint.shaped.imitated.extend(&b.shaped.imitated);
    let contract = &mut joint.mined.contract;
    let other = &b.mined.contract;
    contract.pre.retain(|l| other.pre.contains(l));
    contract.invariant.retain(|l| other.invariant.contains(l));
    // What both bring about: the lesser change.
    contract.effect.truncate(1);
    if amount(&effect_b.to) < amount(&effect_a.to) {
        contract.effect = vec![effect_b];
    }
    contract.within = contract.within.max(other.within);
    joint.mined.successes += b.mined.successes;
    joint.mined.uses += b.mined.uses;
    joint.rehearse(corpus);
    let rate = joint.mined.contract.rate;
    let sure = rate >= min_rate && rate + 0.02 >= a.mined.contract.rate.min(b.mined.contract.rate);
    sure.then_some(joint)
}

fn amount(to: &agon_skill::Operand) -> f32 {
    match to {
        agon_skill::Operand::Number(x) | agon_skill::Operand::Change { start_plus: x } => x.abs(),
        agon_skill::Operand::Param(_) => 0.0,
    }
}

/// The predicate that holds where `a` starts and not where `b` does, or the other way round turned.
fn question(corpus: &Corpus<'_>, a: &[Place], b: &[Place]) -> Option<Line> {
    let share = |line: Line, places: &[Place]| {
        let holds = |at: &&Place| corpus.facts(**at).is_some_and(|f| line.holds(f, f));
        places.iter().filter(holds).count() as f64 / places.len().max(1) as f64
    };
    let mut best: Option<(f64, Line)> = None;
    for (fact, _) in corpus.told().filter(|(_, f)| f.is_predicate()) {
        for line in [Line::at_least(fact, 1.0), Line::at_most(fact, 0.0)] {
            let (in_a, in_b) = (share(line, a), share(line, b));
            let bits = bits(in_a, in_b);
            if in_a > in_b && bits >= MIN_BITS && best.is_none_or(|(most, _)| bits > most + 1e-9) {
                best = Some((bits, line));
            }
        }
    }
    best.map(|(_, line)| line)
}

/// What a question with these shares of yes tells of an even choice between two.
fn bits(in_a: f64, in_b: f64) -> f64 {
    let entropy =
        |p: f64| if p <= 0.0 || p >= 1.0 { 0.0 } else { -p * p.log2() - (1.0 - p) * (1.0 - p).log2() };
    entropy(f64::midpoint(in_a, in_b)) - f64::midpoint(entropy(in_a), entropy(in_b))
}

impl Find {
    /// Sets the claimed rate to what recorded play bears out. Instances alone would flatter: those that came to nothing are
    /// no instances.
    pub(crate) fn rehearse(&mut self, corpus: &Corpus<'_>) {
        let contract = &mut self.mined.contract;
        self.rehearsal = shape::rehearse(corpus, &self.shaped.ir, &self.shaped.params, contract);
        contract.rate =
            crate::contract::wilson_low(self.rehearsal.good, self.rehearsal.good + self.rehearsal.bad);
    }
}
