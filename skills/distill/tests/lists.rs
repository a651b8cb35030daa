//! Decision lists, tuning and upkeep: known weights, rules and optima are found again.

#![allow(clippy::print_stdout, reason = "`--nocapture` shows what was fitted")]

mod common;

use agon_skill::{Compare, Contract, Literal, Operand, Proposer, Seeds, Train};
use agon_skill_distill::{
    Config, Ir, Ladder, PickConfig, PolicyConfig, Proposers, Rollouts, agreement, distill, effect_jaccard,
    first_actions, pick_rules, policy, propose, refine, should_merge, split, tune,
};
use common::{Who, Words, World, prepared, rollouts};
use rl_gym::{
    Bits,
    vocabulary::{Fact, Kind, Term, Verb, Vocabulary},
};
use std::sync::Arc;

/// Six things with three features each, one of two moods. Action `i` takes thing `i`.
struct Market;

const FEATURES: &[Fact] = &[
    Fact::number("shine", 0.0, 10.0, "how it shines"),
    Fact::number("weight", 0.0, 10.0, "how heavy it is"),
    Fact::number("smell", 0.0, 10.0, "how it smells"),
];

impl Vocabulary for Market {
    fn version(&self) -> u32 {
        1
    }
    fn facts(&self) -> &'static [Fact] {
        const { &[Fact::holds("hurry", "little time is left"), Fact::number("coins", 0.0, 9.0, "coins held")] }
    }
    fn fact(&self, obs: &[u8], fact: usize) -> f32 {
        f32::from(obs[fact])
    }
    fn verbs(&self) -> &'static [Verb] {
        const { &[Verb { name: "buy", args: &[0] }] }
    }
    fn kinds(&self) -> &'static [Kind] {
        const { &[Kind { name: "ware", features: FEATURES }] }
    }
    fn term(&self, _: &[u8], action: u32) -> Option<Term> {
        Some(Term { verb: 0, args: [action as u16, 0, 0] })
    }
    fn feature(&self, obs: &[u8], _: usize, arg: u16, feature: usize) -> f32 {
        f32::from(obs[2 + usize::from(arg) * 3 + feature])
    }
}

/// Decisions by weights on the three features, which depend on the hurry.
fn market(weights: impl Fn(bool) -> [f64; 3], noise: f64) -> Rollouts {
    market_of("trader", 0, weights, noise)
}

/// [`market`] with a trader of this name, from seeds that begin at `first`.
fn market_of(trader: &str, first: u32, weights: impl Fn(bool) -> [f64; 3], noise: f64) -> Rollouts {
    let mut rollouts = Rollouts::in_words("market-v1", Arc::new(Market));
    for seed in Seeds::<Train>::new(8, 0).range(first, 40) {
        let id = rollouts.begin(seed.number().into(), seed, 0, trader);
        let mut rng = seed.rng(0);
        for _ in 0..10 {
            let mut obs = vec![rng.below(2) as u8, rng.below(10) as u8];
            obs.extend((0..18).map(|_| rng.below(11) as u8));
            let w = weights(obs[0] == 1);
            let score = |i: usize| (0..3).map(|f| w[f] * f64::from(obs[2 + i * 3 + f])).sum::<f64>();
            let scores: Vec<f64> = (0..6).map(|i| score(i) + noise * rng.normal()).collect();
            let best = (0..6).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).expect("six");
            rollouts.decision(id, &obs, Bits::new(&[0x3f], 6), best as u32).expect("legal");
        }
        rollouts.end(id, None, 0.5).expect("open");
    }
    rollouts
}

#[test]
fn a_known_weighting_is_found_again() {
    let found = pick_rules(&market(|_| [1.0, -0.5, 0.0], 0.5), &PickConfig::default(), &Config::default());
    let found = found.expect("it can be fitted");
    println!("{}\n{:?}", found[0].skill.code, found[0].evidence);
    let [pick] = found[0].ir.selectors()[..] else { panic!("{:?}", found[0].ir) };
    let weight = |of: &str| pick.weigh.iter().find(|w| w.of == of).map(|w| w.weight);
    // Weights are told in units of the greatest; smell says nothing and is left out.
    assert_eq!(weight("shine"), Some(1.0));
    assert!(weight("weight").is_some_and(|w| (-0.6..=-0.4).contains(&w)), "{pick:?}");
    assert_eq!(weight("smell"), None);
    assert!(found[0].evidence.accuracy[0] > 0.8 && found[0].evidence.blind[0] < 0.18);
    assert_eq!(found[0].skill.provenance.proposer, Proposer::Tree);
}

#[test]
fn each_teacher_has_its_list_and_nothing_is_said_twice() {
    let mut rollouts = market_of("vain", 0, |_| [1.0, 0.0, 0.0], 0.3);
    rollouts.absorb(market_of("lazy", 40, |_| [0.0, -1.0, 0.0], 0.3)).expect("the same words");
    let of = |player: Option<&str>| PickConfig { player: player.map(Into::into), ..PickConfig::default() };
    let names = |picks: Vec<PickConfig>| -> Vec<String> {
        let proposers = Proposers { picks, ..Proposers::default() };
        let found = propose(&rollouts, &proposers).expect("it can be mined").candidates;
        let lists = found.iter().filter(|c| c.skill.provenance.proposer == Proposer::Tree);
        lists.map(|c| c.skill.name.clone()).collect()
    };
    let apart = ["buy_most_shine", "buy_least_weight"];
    assert_eq!(names(vec![of(Some("vain")), of(Some("lazy"))]), apart);
    assert_eq!(names(vec![of(Some("vain")), of(Some("lazy")), of(Some("vain"))]), apart, "known by now");
    // One list for both is another one, under a name of its own.
    let all = names(vec![of(Some("vain")), of(Some("lazy")), of(None)]);
    assert_eq!((all.len(), &all[..2]), (3, &apart.map(String::from)[..]), "{all:?}");
    assert!(!apart.contains(&all[2].as_str()), "{all:?}");
}

#[test]
fn a_choice_that_turns_on_a_fact_becomes_a_question() {
    let weights = |hurry: bool| if hurry { [0.0, -1.0, 0.0] } else { [1.0, 0.0, 0.0] };
    let found = pick_rules(&market(weights, 0.3), &PickConfig::default(), &Config::default()).expect("fits");
    println!("{}", found[0].skill.code);
    let Ir::If { when, .. } = &found[0].ir else { panic!("{:?}", found[0].ir) };
    assert_eq!(when[0].fact, "hurry");
    let picks: Vec<(&str, bool)> =
        found[0].ir.selectors().iter().map(|p| (p.weigh[0].of.as_str(), p.weigh[0].weight > 0.0)).collect();
    assert_eq!(picks, [("weight", false), ("shine", true)]);
}

#[test]
fn no_weights_are_fitted_to_blind_choice() {
    let found = pick_rules(&market(|_| [0.0; 3], 1.0), &PickConfig::default(), &Config::default());
    assert_eq!(found.expect("it can be fitted"), []);
}

#[test]
fn a_strong_player_becomes_a_list_of_rules_that_plays_like_it() {
    let settings = PolicyConfig { decisions: 40, ..PolicyConfig::default() };
    let found =
        policy(&rollouts(Who::Greedy, 3, 40), &settings, &Config::default()).expect("it can be fitted");
    let found = found.expect("it is telling");
    println!("{}\n{:?}", found.skill.code, found.evidence);
    assert!(found.evidence.imitated * 10 >= found.evidence.instances * 9, "{:?}", found.evidence);
    // It plays as well as the player that it was fitted to, and far better than chance.
    let prepared = prepared(&found);
    let gold = |plays: &mut dyn FnMut(&World, &mut rl_gym::Pcg64) -> u32| -> u32 {
        let seeds = Seeds::<Train>::new(50, 2).range(0, 30);
        let one = |seed: agon_skill::Seed<Train>| {
            let (mut world, mut rng) = (World::new(seed.rng(0)), seed.rng(1));
            for _ in 0..40 {
                let action = plays(&world, &mut rng);
                world.step(action);
            }
            u32::from(world.gold)
        };
        seeds.map(one).sum()
    };
    let player = gold(&mut |world, _| world.planted().unwrap_or(15));
    let chance = gold(&mut |world, rng| {
        let legal: Vec<u32> = (0..17).filter(|a| world.mask() >> a & 1 == 1).collect();
        legal[rng.below(legal.len() as u32) as usize]
    });
    let mut machine = agon_skill_runtime::Machine::new(prepared);
    let skill = gold(&mut |world, _| {
        if !machine.is_running() {
            machine.begin(&[], rl_gym::Pcg64::seed(0)).expect("loads");
        }
        match machine.decide(&world.obs(), Bits::new(&[world.mask()], 17)) {
            agon_skill_runtime::Decision::Act(action) => action,
            _ => 15,
        }
    });
    println!("gold: player {player}, skill {skill}, chance {chance}");
    assert!(skill * 10 >= player * 8 && skill > chance * 3 / 2, "{player} {skill} {chance}");
}

#[test]
fn halving_finds_a_known_optimum() {
    let found = pick_rules(&market(|_| [1.0, -0.5, 0.0], 0.5), &PickConfig::default(), &Config::default());
    let start = found.expect("it can be fitted").remove(0);
    let words: Arc<dyn Vocabulary> = Arc::new(Market);
    // The score is best where the second weight is 0.9 of the first, other way.
    let ratio = |code: &str| -> f64 {
        let text = code.split("nil, \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
        let tokens: Vec<&str> = text.split(' ').collect();
        let read = |name: &str| -> Option<f64> {
            let at = tokens.iter().position(|t| *t == name)?;
            let number = at.checked_sub(1).and_then(|i| tokens[i].parse::<f64>().ok());
            let sign = at.checked_sub(1 + usize::from(number.is_some())).map(|i| tokens[i]);
            Some(if sign == Some("-") { -1.0 } else { 1.0 } * number.unwrap_or(1.0))
        };
        read("weight").unwrap_or(0.0) / read("shine").unwrap_or(1.0)
    };
    let ladder = Ladder { variants: 64, ..Ladder::default() };
    let mut calls = 0;
    let tuned = tune(&start, &words, &ladder, |skill, budget| {
        calls += 1;
        let noise = (f64::from(calls * 37 % 11) - 5.0) / (50.0 * f64::from(budget));
        -(ratio(&skill.code) + 0.9).abs() + noise
    });
    let tuned = tuned.expect("variants work");
    println!("{} -> {}, spent {}", start.skill.code, tuned.candidate.skill.code, tuned.spent);
    assert!(tuned.is_new && (ratio(&tuned.candidate.skill.code) + 0.9).abs() < 0.1);
    let skill = &tuned.candidate.skill;
    assert_eq!((skill.version, skill.provenance.proposer), (2, Proposer::Tuned));
    assert_eq!(skill.provenance.parents, [start.skill.content_hash()]);
    // Where nothing is better the skill stays as it was, also where every score is no number.
    for score in [0.0, f64::NAN] {
        let same = tune(&start, &words, &ladder, |_, _| score).expect("variants work");
        assert!(!same.is_new && same.candidate == start);
    }
    // And it is the same each time.
    let mut evaluate = |skill: &agon_skill::Skill, _: u32| -(ratio(&skill.code) + 0.9).abs();
    let again = |evaluate: &mut dyn FnMut(&agon_skill::Skill, u32) -> f64| {
        tune(&start, &words, &ladder, |s, b| evaluate(s, b)).expect("variants work")
    };
    assert_eq!(again(&mut evaluate), again(&mut evaluate));
}

#[test]
fn a_longer_list_gets_the_decisions_that_it_takes() {
    let settings = PolicyConfig { decisions: 5, ..PolicyConfig::default() };
    let list =
        policy(&rollouts(Who::Greedy, 3, 20), &settings, &Config::default()).expect("it can be fitted");
    let list = list.expect("it is telling");
    let times = |code: &str| -> u32 {
        let from = code.find("for _ = 1, ").expect("a loop") + 11;
        code[from..].split(' ').next().expect("a number").parse().expect("a number")
    };
    assert_eq!((times(&list.skill.code), list.skill.budget.decisions), (5, 6));
    // More is better here: the winner repeats more often, and may.
    let words: Arc<dyn Vocabulary> = Arc::new(Words);
    let tuned = tune(&list, &words, &Ladder::default(), |skill, _| f64::from(times(&skill.code)));
    let skill = tuned.expect("variants work").candidate.skill;
    assert!(times(&skill.code) > 5);
    assert_eq!(skill.budget.decisions, times(&skill.code) + 1);
}

fn literal(fact: &str, is: Compare, to: f32) -> Literal {
    Literal { fact: fact.into(), is, to: Operand::Number(to) }
}

#[test]
fn contracts_with_a_known_rule_are_mined() {
    // Opening a chest: a chest is here before, none after. Known from the rules of the toy game.
    let settings = PickConfig { verbs: vec!["take".into()], min_decisions: 10, ..PickConfig::default() };
    let found =
        pick_rules(&rollouts(Who::Planted, 5, 40), &settings, &Config::default()).expect("it can be fitted");
    let contract = &found[0].skill.contract;
    println!("{}", found[0].skill.code);
    // Some takes are of pebbles: gold rises in most, not in all.
    assert_eq!(found.len(), 1);
    assert!(contract.within == 1 && contract.pre.len() <= 4, "{contract:?}");
    let mined = distill(&rollouts(Who::Planted, 5, 40), &Config::default()).expect("it can be mined");
    let open = mined.candidates.iter().find(|c| c.ir.selectors()[0].verb == "open").expect("open, then take");
    assert_eq!(open.skill.contract.pre, [literal("chest_here", Compare::AtLeast, 1.0)]);
    assert_eq!(open.skill.contract.within, 2);
}

#[test]
fn alike_skills_are_known_by_effect_and_deeds() {
    let found =
        distill(&rollouts(Who::Planted, 5, 40), &Config::default()).expect("it can be mined").candidates;
    let find = |verb: &str| found.iter().find(|c| c.ir.selectors()[0].verb == verb).expect("found");
    let (open, go) = (find("open"), find("go"));
    let probes: Vec<(Vec<u8>, Vec<u64>, usize)> = Seeds::<Train>::new(4, 4)
        .range(0, 200)
        .map(|seed| {
            let (mut world, mut rng) = (World::new(seed.rng(0)), seed.rng(1));
            for _ in 0..rng.below(9) {
                let action = world.noise(&mut rng);
                world.step(action);
            }
            (world.obs(), vec![world.mask()], 17)
        })
        .collect();
    let deeds = |c: &agon_skill_distill::Candidate| first_actions(&prepared(c), &probes);
    let (a, b) = (deeds(open), deeds(go));
    // Where the first applies (a chest is in sight) both open it.
    assert_eq!(agreement(&a, &b), Some(1.0));
    assert_eq!(agreement(&a, &vec![None; a.len()]), None);
    let jaccard = effect_jaccard(&open.skill.contract, &go.skill.contract);
    assert_eq!(jaccard, 1.0);
    assert!(
        should_merge(jaccard, agreement(&a, &b)) && !should_merge(0.8, Some(1.0)) && !should_merge(1.0, None)
    );
    assert_eq!(effect_jaccard(&Contract::default(), &Contract::default()), 0.0);
}

#[test]
fn a_skill_that_works_in_half_of_its_uses_is_split_where_a_fact_tells() {
    let facts = &Words.facts()[..4];
    // It succeeds where there is treasure; gold says nothing.
    let uses: Vec<(Vec<f32>, bool)> =
        (0..40).map(|i| (vec![(i % 7) as f32, 0.0, 1.0, (i % 2) as f32], i % 2 == 1 && i != 7)).collect();
    assert_eq!(split(&uses, facts), [literal("treasure_here", Compare::AtLeast, 1.0)]);
    // One that works is left alone, and one that fails everywhere is not mended by a split.
    let all = |success: bool| uses.iter().map(|u| (u.0.clone(), success)).collect::<Vec<_>>();
    assert_eq!((split(&all(true), facts), split(&all(false), facts)), (vec![], vec![]));
    assert_eq!(split(&[], facts), []);
    assert_eq!(split(&[(vec![], false), (vec![1.0], true)], facts), []);
}

#[test]
fn literals_that_fail_are_dropped() {
    let facts = &Words.facts()[..4];
    let contract = Contract {
        effect: vec![
            Literal { fact: "gold".into(), is: Compare::AtLeast, to: Operand::Change { start_plus: 2.0 } },
            literal("treasure_here", Compare::AtMost, 0.0),
        ],
        invariant: vec![literal("turn", Compare::AtLeast, 0.0)],
        within: 3,
        ..Contract::default()
    };
    let uses: Vec<(Vec<f32>, Vec<f32>)> =
        (0..10).map(|i| (vec![5.0, 0.0, 0.0, 1.0], vec![8.0, 1.0, 0.0, (i % 2) as f32])).collect();
    let refined = refine(&contract, &uses, facts, &[]);
    assert_eq!(refined.effect, contract.effect[..1]);
    assert_eq!(refined.invariant, contract.invariant);
    // The last one is not dropped.
    let none: Vec<(Vec<f32>, Vec<f32>)> = uses.iter().map(|u| (u.0.clone(), u.0.clone())).collect();
    assert_eq!(refine(&contract, &none, facts, &[]).effect.len(), 1);
    assert_eq!(refine(&contract, &[], facts, &[]), contract);
}
