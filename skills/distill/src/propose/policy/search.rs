//! The search for a decision list, on classes and conditions as numbers.

use crate::contract::Line;

/// Classes at most: they are the bits of a word.
pub(super) const MAX_CLASSES: usize = 24;
/// Rounds of Luce's fit. Weights only order the rules, and that settles early.
const ROUNDS: usize = 40;

/// A decision: which classes could be chosen (a bit each), and which was.
pub(super) struct Case {
    pub(super) open: u64,
    pub(super) chosen: usize,
}

/// A rule: a class, and a condition by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ListRule {
    pub(super) class: usize,
    pub(super) line: Option<usize>,
}

/// What a list is looked for in.
pub(super) struct Search<'a> {
    pub(super) cases: &'a [Case],
    /// For each class how often its selector picks what was chosen.
    pub(super) accuracy: Vec<f64>,
    /// Conditions, and in which cases they hold.
    pub(super) lines: &'a [(Line, Vec<bool>)],
    /// What a wrong decision costs.
    pub(super) cost: f64,
    /// Share of cases that a condition costs.
    pub(super) min_gain: f64,
}

impl Search<'_> {
    /// The best list of at most `most` rules that steps of improvement find.
    pub(super) fn list(&self, most: usize) -> Vec<ListRule> {
        let classes = self.accuracy.len();
        let weights = luce(self.cases, classes);
        let mut order: Vec<usize> = (0..classes).collect();
        order.sort_by(|a, b| weights[*b].total_cmp(&weights[*a]).then(a.cmp(b)));
        let mut rules: Vec<ListRule> =
            order.into_iter().map(|class| ListRule { class, line: None }).collect();
        let mut now = self.worth(&rules);
        loop {
            let mut best: Option<(f64, Vec<ListRule>)> = None;
            for next in neighbours(&rules, self.lines.len()) {
                let worth = self.worth(&next);
                if worth > best.as_ref().map_or(now, |b| b.0) + 1e-9 {
                    best = Some((worth, next));
                }
            }
            match best {
                Some((worth, next)) => (now, rules) = (worth, next),
                None => break,
            }
        }
        // What takes a rule but decides nothing goes.
        loop {
            let without = |i: usize| {
                let mut rules = rules.clone();
                rules.remove(i);
                (self.worth(&rules), rules)
            };
            let best = (0..rules.len()).map(without).max_by(|a, b| a.0.total_cmp(&b.0));
            let is_long = rules.len() > most;
            match best {
                Some((worth, next)) if is_long || worth >= now - 1e-9 => (now, rules) = (worth, next),
                _ => return rules,
            }
        }
    }

    /// Decisions that a list gets right, less the cost of wrong ones and the price of its conditions: each must win its
    /// share of the cases, and at least the nats that it takes to name it among all.
    fn worth(&self, rules: &[ListRule]) -> f64 {
        let names = (self.lines.len().max(1) * self.accuracy.len().max(1)) as f64;
        let price = (self.min_gain * self.cases.len() as f64).max(names.ln());
        let of = |(i, case): (usize, &Case)| match self.decide(rules, i, case) {
            Some(class) if class == case.chosen => {
                let right = self.accuracy[class];
                right - self.cost * (1.0 - right)
            }
            Some(_) => -self.cost,
            None => 0.0,
        };
        let sum: f64 = self.cases.iter().enumerate().map(of).sum();
        sum - price * rules.iter().filter(|r| r.line.is_some()).count() as f64
    }

    /// The class that the first rule that fits stands for.
    fn decide(&self, rules: &[ListRule], case: usize, of: &Case) -> Option<usize> {
        let fits =
            |r: &&ListRule| of.open >> r.class & 1 == 1 && r.line.is_none_or(|l| self.lines[l].1[case]);
        rules.iter().find(fits).map(|r| r.class)
    }
}

/// Lists that are one step away: a condition more, less or other; a rule moved; a rule with a condition put first.
fn neighbours(rules: &[ListRule], lines: usize) -> impl Iterator<Item = Vec<ListRule>> + '_ {
    let with = move |i: usize, line: Option<usize>| {
        let mut next = rules.to_vec();
        next[i].line = line;
        next
    };
    let conditions = (0..rules.len()).flat_map(move |i| {
        let all = (0..lines).map(Some).chain([None]);
        all.filter(move |line| *line != rules[i].line).map(move |line| with(i, line))
    });
    let moves = (0..rules.len()).flat_map(move |from| {
        (0..rules.len()).filter(move |to| from != *to).map(move |to| {
            let mut next = rules.to_vec();
            let rule = next.remove(from);
            next.insert(to, rule);
            next
        })
    });
    conditions.chain(moves)
}

/// Weights under which what was chosen is likeliest, if each class is chosen with its share of the weights of those that
/// could be (Luce). Minorisation and maximisation after Hunter (2004); half a choice is added to each.
fn luce(cases: &[Case], classes: usize) -> Vec<f64> {
    let mut weights = vec![1.0; classes];
    let mut wins = vec![0.5; classes];
    cases.iter().for_each(|c| wins[c.chosen] += 1.0);
    for _ in 0..ROUNDS {
        let mut shares = vec![1e-9; classes];
        for case in cases {
            let open = || (0..classes).filter(|c| case.open >> c & 1 == 1);
            let sum: f64 = open().map(|c| weights[c]).sum();
            open().for_each(|c| shares[c] += 1.0 / sum);
        }
        weights = wins.iter().zip(&shares).map(|(w, s)| w / s).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|w| *w /= sum);
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Line;

    #[test]
    fn the_order_is_that_of_preference_not_of_frequency() {
        // Class 2 is seldom there, and always taken; 0 is there always and taken where 1 is not.
        let case = |open, chosen| Case { open, chosen };
        let cases: Vec<Case> = (0..60)
            .map(|i| match i % 6 {
                0 => case(0b111, 2),
                1 | 2 => case(0b011, 1),
                _ => case(0b001, 0),
            })
            .collect();
        let search =
            |cost| Search { cases: &cases, accuracy: vec![1.0; 3], lines: &[], cost, min_gain: 0.01 };
        let order = |rules: Vec<ListRule>| rules.iter().map(|r| r.class).collect::<Vec<usize>>();
        assert_eq!(order(search(0.0).list(9)), [2, 1, 0]);
        // With room for two the rule that decides least goes.
        assert_eq!(order(search(0.0).list(2)), [1, 0]);
        // A selector that is mostly wrong gets no rule where that costs and nothing stands behind it.
        let poor = |cost| Search { accuracy: vec![0.2, 1.0, 1.0], ..search(cost) };
        assert_eq!(order(poor(1.0).list(9)), [2, 1]);
        assert_eq!(order(poor(0.0).list(9)), [2, 1, 0]);
    }

    #[test]
    fn a_condition_is_found_and_no_needless_one() {
        let cases: Vec<Case> = (0..40).map(|i| Case { open: 0b11, chosen: i % 2 }).collect();
        let holds = |f: &dyn Fn(usize) -> bool| (0..40).map(f).collect::<Vec<bool>>();
        let lines = vec![
            (Line::at_least(0, 1.0), holds(&|i| i % 3 == 0)),
            (Line::at_least(1, 1.0), holds(&|i| i % 2 == 0)),
        ];
        let search =
            Search { cases: &cases, accuracy: vec![1.0; 2], lines: &lines, cost: 0.0, min_gain: 0.01 };
        let rules = search.list(9);
        assert_eq!(rules, [ListRule { class: 0, line: Some(1) }, ListRule { class: 1, line: None }]);
    }
}
