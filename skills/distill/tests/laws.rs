//! Laws of the small parts: Re-Pair against brute force, anti-unification as the least general generalisation.

use agon_skill_distill::{Slot, anti_unify, re_pair};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The greatest number of places without overlap where a pair stands, by trying every subset of places from the left.
fn most_places(sequences: &[Vec<u32>], pair: (u32, u32)) -> usize {
    fn most(s: &[u32], pair: (u32, u32)) -> usize {
        match s {
            [a, b, rest @ ..] => {
                let skip = most(&s[1..], pair);
                if (*a, *b) == pair { skip.max(1 + most(rest, pair)) } else { skip }
            }
            _ => 0,
        }
    }
    sequences.iter().map(|s| most(s, pair)).sum()
}

fn expand(rules: &[(u32, u32)], terminals: u32, symbol: u32) -> Vec<u32> {
    match symbol.checked_sub(terminals) {
        None => vec![symbol],
        Some(i) => {
            let (a, b) = rules[i as usize];
            [expand(rules, terminals, a), expand(rules, terminals, b)].concat()
        }
    }
}

proptest! {
    #[test]
    fn re_pair_takes_the_most_frequent_pair_and_loses_nothing(
        sequences in prop::collection::vec(prop::collection::vec(0u32..3, 0..14), 1..6),
        min_uses in 2usize..5,
    ) {
        let grammar = re_pair(sequences.clone(), 3, 20, min_uses);
        // Nothing is lost.
        for (before, after) in sequences.iter().zip(&grammar.sequences) {
            let back: Vec<u32> = after.iter().flat_map(|s| expand(&grammar.rules, 3, *s)).collect();
            prop_assert_eq!(before, &back);
            prop_assert_eq!(after.iter().flat_map(|s| grammar.expand(*s)).collect::<Vec<u32>>(), back);
        }
        // Every rule was the most frequent pair when it was made, as brute force counts.
        let mut now = sequences;
        for (i, (rule, uses)) in grammar.rules.iter().zip(&grammar.uses).enumerate() {
            let mut pairs: BTreeMap<(u32, u32), usize> = BTreeMap::new();
            for s in &now {
                for w in s.windows(2) {
                    pairs.insert((w[0], w[1]), 0);
                }
            }
            pairs.iter_mut().for_each(|(pair, count)| *count = most_places(&now, *pair));
            let most = pairs.values().copied().max().unwrap_or(0);
            prop_assert_eq!(pairs[rule], most);
            prop_assert_eq!(*uses, most);
            prop_assert!(most >= min_uses);
            now = now.iter().map(|s| replace(s, *rule, 3 + i as u32)).collect();
        }
        prop_assert_eq!(now, grammar.sequences);
    }

    #[test]
    fn anti_unification_covers_every_instance_and_is_least(
        instances in prop::collection::vec(prop::collection::vec(0u16..3, 5), 1..6),
        sorts in prop::collection::vec(0usize..2, 5),
    ) {
        let slots = anti_unify(&instances, &sorts, 1.0);
        // It covers: each instance comes of it by putting one argument for each variable.
        for instance in &instances {
            let mut bound: BTreeMap<usize, u16> = BTreeMap::new();
            for (slot, arg) in slots.iter().zip(instance) {
                match slot {
                    Slot::Constant(x) => prop_assert_eq!(x, arg),
                    Slot::Variable(v) => prop_assert_eq!(bound.entry(*v).or_insert(*arg), arg),
                }
            }
        }
        // It is least: whatever holds of all instances it says. A place that is always the same is constant, and two
        // places of a kind that always agree are one variable.
        for a in 0..5 {
            let is_constant = instances.iter().all(|i| i[a] == instances[0][a]);
            prop_assert_eq!(matches!(slots[a], Slot::Constant(_)), is_constant);
            for b in 0..a {
                let agree = instances.iter().all(|i| i[a] == i[b]);
                if agree && !is_constant && sorts[a] == sorts[b] {
                    prop_assert_eq!(slots[a], slots[b]);
                }
                if let (Slot::Variable(x), Slot::Variable(y)) = (slots[a], slots[b]) {
                    prop_assert!(x != y || (agree && sorts[a] == sorts[b]));
                }
            }
        }
        // Numbers of variables come in order of appearance, and order of the instances is nobody's concern.
        let mut next = 0;
        for slot in &slots {
            if let Slot::Variable(v) = slot {
                prop_assert!(*v <= next);
                next = next.max(v + 1);
            }
        }
        let reversed: Vec<Vec<u16>> = instances.iter().rev().cloned().collect();
        prop_assert_eq!(anti_unify(&reversed, &sorts, 1.0), slots);
    }
}

fn replace(s: &[u32], pair: (u32, u32), name: u32) -> Vec<u32> {
    let (mut out, mut i) = (Vec::new(), 0);
    while i < s.len() {
        if i + 1 < s.len() && (s[i], s[i + 1]) == pair {
            out.push(name);
            i += 2;
        } else {
            out.push(s[i]);
            i += 1;
        }
    }
    out
}

#[test]
fn a_rule_must_pay_for_itself() {
    // Three uses save three symbols and cost three: no gain. Four do.
    assert_eq!(re_pair(vec![vec![0, 1, 2, 0, 1, 2, 0, 1]], 3, 9, 2).rules, []);
    assert_eq!(re_pair(vec![vec![0, 1, 2, 0, 1, 0, 1, 2, 2, 0, 1]], 3, 9, 2).rules, [(0, 1)]);
}

#[test]
fn with_tolerance_an_outlier_does_not_hide_what_is_common() {
    let mut instances = vec![vec![7, 1, 1]; 10];
    (0..10).for_each(|i| (instances[i][1], instances[i][2]) = (i as u16, i as u16));
    instances.extend(vec![vec![7, 3, 3]; 9]);
    instances.push(vec![8, 2, 4]);
    assert_eq!(
        anti_unify(&instances, &[0, 1, 1], 0.95),
        [Slot::Constant(7), Slot::Variable(0), Slot::Variable(0)]
    );
    assert_eq!(anti_unify(&instances, &[0, 1, 1], 1.0), [0, 1, 2].map(Slot::Variable));
    assert_eq!(anti_unify(&instances, &[0, 1, 2], 0.95)[1..], [0, 1].map(Slot::Variable));
}
