//! The words of every bundled game that brings some, held to their contract by random play.

use agon::bundled;
use rl_gym::{BatchConfig, BatchEnv, EpisodeSeed, Flags, LaneReset, Pcg64, VecEnv};
use std::collections::BTreeSet;

/// Decisions of one game that are looked at.
const DECISIONS: usize = 300;

#[test]
fn words_keep_to_their_contract() {
    let mut seen = 0;
    for game in bundled().games() {
        let Some(make) = game.vocabulary else { continue };
        seen += 1;
        let mut batch = VecEnv::new(&game.factory(game.defaults()), BatchConfig::lanes(1)).expect("a batch");
        let words = make(batch.spec());
        let id = game.id();
        names(&id, words.facts().iter().map(|f| f.name));
        names(&id, words.verbs().iter().map(|v| v.name));
        names(&id, words.kinds().iter().map(|k| k.name));
        words.kinds().iter().for_each(|k| names(&id, k.features.iter().map(|f| f.name)));
        let mut rng = Pcg64::seed(11);
        batch.reset_lanes(&[LaneReset { lane: 0, seed: Some(EpisodeSeed::plain(3)) }]);
        let mut values = vec![f32::NAN; words.facts().len()];
        let mut looked = 0;
        while looked < DECISIONS {
            let (view, mut actions) = batch.parts();
            for row in (0..view.shape().rows()).filter(|r| view.flags(*r).contains(Flags::TO_ACT)) {
                looked += 1;
                let obs = view.obs(row).to_vec();
                words.read(&obs, &mut values);
                for (i, fact) in words.facts().iter().enumerate() {
                    assert!(
                        (fact.low..=fact.high).contains(&values[i]),
                        "{id}: {} is {}",
                        fact.name,
                        values[i]
                    );
                    assert_eq!(values[i], words.fact(&obs, i), "{id}: {}", fact.name);
                }
                let legal: Vec<u32> = view.mask(row).ones().map(|a| a as u32).collect();
                let mut args: Vec<Vec<u16>> = vec![Vec::new(); words.kinds().len()];
                for action in &legal {
                    let term =
                        words.term(&obs, *action).unwrap_or_else(|| panic!("{id}: {action} has no words"));
                    let verb = words.verbs()[usize::from(term.verb)];
                    assert!(term.args[verb.args.len()..].iter().all(|a| *a == 0), "{id}: {term:?}");
                    verb.args.iter().zip(term.args).for_each(|(kind, arg)| args[*kind].push(arg));
                }
                for (kind, args) in args.iter().enumerate().filter(|(_, args)| !args.is_empty()) {
                    let mut each = vec![f32::NAN; args.len()];
                    for (i, feature) in words.kinds()[kind].features.iter().enumerate() {
                        words.feature_of_each(&obs, kind, args, i, &mut each);
                        for (value, arg) in each.iter().zip(args) {
                            let name = feature.name;
                            assert_eq!(*value, words.feature(&obs, kind, *arg, i), "{id}: {name} of {arg}");
                            assert!(
                                (feature.low..=feature.high).contains(value),
                                "{id}: {name} of {arg} is {value}"
                            );
                        }
                    }
                }
                actions.set(row, legal[rng.below(legal.len() as u32) as usize]);
            }
            batch.step();
        }
    }
    assert!(seen >= 3, "only {seen} games bring words");
}

fn names(id: &str, names: impl Iterator<Item = &'static str>) {
    let mut seen = BTreeSet::new();
    for name in names {
        let is_snake = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        assert!(is_snake && seen.insert(name), "{id}: {name}");
    }
}
