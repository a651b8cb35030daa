//! Cleaned rollouts: what had no effect is gone, clocks are known, returns are summed.

use super::{Choice, Rollouts, Trace};
use crate::DistillError;
use rl_gym::vocabulary::Fact;

/// A fact that moves one way in at least this share of decisions is a clock: no skill brings it about.
const CLOCK_SHARE: f64 = 0.5;
/// Random states that are looked at, at most.
const MAX_STATES: usize = 2_000;

/// A decision: number of its run, and of its step there. The step past the last is the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub(crate) run: usize,
    pub(crate) step: usize,
}

/// What is left of a trace.
#[derive(Debug)]
struct Run {
    trace: usize,
    steps: Vec<u32>,
    to_go: Vec<f32>,
}

/// Cleaned rollouts, for reading.
pub(crate) struct Corpus<'a> {
    pub(crate) rollouts: &'a Rollouts,
    /// Facts that only tell that time passes.
    pub(crate) clocks: Vec<bool>,
    /// Decisions left out because they changed nothing.
    pub(crate) dropped: usize,
    /// Whether any reward was ever paid; else the final score stands for the return.
    pub(crate) is_paid: bool,
    runs: Vec<Run>,
}

impl<'a> Corpus<'a> {
    /// The ended traces of `rollouts` whose player `who` accepts.
    pub(crate) fn new(rollouts: &'a Rollouts, who: impl Fn(&str) -> bool) -> Result<Self, DistillError> {
        let traces: Vec<usize> = (0..rollouts.traces.len())
            .filter(|t| rollouts.traces[*t].score.is_some() && who(&rollouts.traces[*t].player))
            .filter(|t| !rollouts.traces[*t].decisions.is_empty())
            .collect();
        if traces.is_empty() {
            let what = format!("no trace of {} has ended with a decision in it", rollouts.game);
            return Err(DistillError::Empty { what, mend: "play episodes to their end first" });
        }
        let mut corpus = Self { rollouts, clocks: Vec::new(), dropped: 0, is_paid: false, runs: Vec::new() };
        corpus.clocks = corpus.find_clocks(&traces);
        corpus.is_paid = traces.iter().any(|t| rollouts.traces[*t].decisions.iter().any(|d| d.reward != 0.0));
        for trace in traces {
            let run = corpus.clean(trace);
            corpus.dropped += rollouts.traces[trace].decisions.len() - run.steps.len();
            corpus.runs.push(run);
        }
        Ok(corpus)
    }

    /// Number of facts.
    pub(crate) fn width(&self) -> usize {
        self.rollouts.words.facts().len()
    }

    pub(crate) fn fact_list(&self) -> &'static [Fact] {
        self.rollouts.words.facts()
    }

    /// Facts that contracts and conditions may name: no clocks, and no labels.
    pub(crate) fn told(&self) -> impl Iterator<Item = (usize, &'static Fact)> + '_ {
        let facts = self.fact_list().iter().enumerate();
        facts.filter(|(f, fact)| !self.clocks[*f] && !fact.is_label)
    }

    fn find_clocks(&self, traces: &[usize]) -> Vec<bool> {
        let width = self.width();
        let (mut up, mut down, mut pairs) = (vec![0usize; width], vec![0usize; width], 0usize);
        for trace in traces {
            let facts = &self.rollouts.traces[*trace].facts;
            let rows = facts.len().checked_div(width).unwrap_or_default();
            for row in 1..rows {
                pairs += 1;
                for f in 0..width {
                    let (was, is) = (facts[(row - 1) * width + f], facts[row * width + f]);
                    up[f] += usize::from(is > was);
                    down[f] += usize::from(is < was);
                }
            }
        }
        let enough = (CLOCK_SHARE * pairs as f64).max(1.0);
        (0..width).map(|f| up[f].min(down[f]) == 0 && up[f].max(down[f]) as f64 >= enough).collect()
    }

    /// Drops decisions after which the seat saw the same facts, could do the same and got nothing.
    fn clean(&self, trace: usize) -> Run {
        let (t, width) = (&self.rollouts.traces[trace], self.width());
        let count = t.decisions.len();
        let terms = |i: usize| {
            let (from, to) = t.decisions[i].choices;
            t.choices[from as usize..to as usize].iter().map(|c| c.term)
        };
        let is_same = |i: usize| {
            let (now, next) =
                (&t.facts[i * width..(i + 1) * width], &t.facts[(i + 1) * width..(i + 2) * width]);
            t.decisions[i].reward == 0.0
                && now.iter().zip(next).zip(&self.clocks).all(|((a, b), clock)| *clock || a == b)
                && terms(i).eq(terms(i + 1))
        };
        let steps: Vec<u32> =
            (0..count).filter(|i| i + 1 == count || !is_same(*i)).map(|i| i as u32).collect();
        let mut to_go = vec![0.0; steps.len()];
        let mut sum = if self.is_paid { 0.0 } else { t.score.unwrap_or_default() };
        let mut end = count;
        for (i, step) in steps.iter().enumerate().rev() {
            sum += t.decisions[*step as usize..end].iter().map(|d| d.reward).sum::<f32>();
            (to_go[i], end) = (sum, *step as usize);
        }
        Run { trace, steps, to_go }
    }

    pub(crate) fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Decisions of a run.
    pub(crate) fn len(&self, run: usize) -> usize {
        self.runs[run].steps.len()
    }

    /// Decisions of all runs.
    pub(crate) fn decisions(&self) -> usize {
        self.runs.iter().map(|r| r.steps.len()).sum()
    }

    pub(crate) fn trace(&self, run: usize) -> &'a Trace {
        &self.rollouts.traces[self.runs[run].trace]
    }

    /// The facts at a place; `None` past the last decision where nobody saw the end.
    pub(crate) fn facts(&self, at: Place) -> Option<&'a [f32]> {
        let (run, trace, width) = (&self.runs[at.run], self.trace(at.run), self.width());
        let row = match run.steps.get(at.step) {
            Some(step) => *step as usize,
            None => trace.decisions.len(),
        };
        trace.facts.get(row * width..(row + 1) * width)
    }

    /// The legal actions at a decision that have words.
    pub(crate) fn choices(&self, at: Place) -> &'a [Choice] {
        let trace = self.trace(at.run);
        let (from, to) = trace.decisions[self.runs[at.run].steps[at.step] as usize].choices;
        &trace.choices[from as usize..to as usize]
    }

    /// Which of [`Corpus::choices`] was chosen.
    pub(crate) fn chosen_at(&self, at: Place) -> Option<usize> {
        let decision = self.trace(at.run).decisions[self.runs[at.run].steps[at.step] as usize];
        decision.chosen.map(|c| (c - decision.choices.0) as usize)
    }

    pub(crate) fn chosen(&self, at: Place) -> Option<&'a Choice> {
        self.chosen_at(at).map(|i| &self.choices(at)[i])
    }

    /// Sum of rewards from here on; the final score where no rewards are paid.
    pub(crate) fn to_go(&self, at: Place) -> f32 {
        self.runs[at.run].to_go[at.step]
    }

    /// Reward between a decision and the next one.
    pub(crate) fn reward(&self, at: Place) -> f32 {
        if !self.is_paid {
            return 0.0;
        }
        let to_go = &self.runs[at.run].to_go;
        to_go[at.step] - to_go.get(at.step + 1).copied().unwrap_or_default()
    }

    /// The feature of an argument of a choice.
    pub(crate) fn feature(&self, choice: &Choice, k: usize, feature: usize) -> f32 {
        let kind = self.rollouts.words.verbs()[usize::from(choice.term.verb)].args[k];
        self.rollouts.rows.row(kind, choice.rows[k])[feature]
    }

    /// Decisions spread evenly over all of them, at most [`MAX_STATES`].
    pub(crate) fn sample(&self) -> Vec<Place> {
        let all = self.decisions();
        let every = all.div_ceil(MAX_STATES).max(1);
        let places = (0..self.runs()).flat_map(|run| (0..self.len(run)).map(move |step| Place { run, step }));
        places.step_by(every).collect()
    }

    /// Every decision.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> + '_ {
        (0..self.runs()).flat_map(|run| (0..self.len(run)).map(move |step| Place { run, step }))
    }
}
