//! A toy game's words, skills in them, and trials that are drawn instead of played.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use agon_skill::{
    Budget, Compare, Contract, Gate, Kind as SkillKind, Literal, Operand, Proposer, Provenance, Seed, Skill,
};
use agon_skill_bank::{
    Bank, BankError, Evidence, State,
    evidence::{Chance, Figures, Multiple, Outcome, Replay, ReplayRun, Source, Uplift},
    gates::{Pair, SeedRange, Settings, Trials, Tried},
    stats::Plan,
};
use rl_gym::{
    Pcg64, Vocabulary,
    vocabulary::{Fact, Kind, Term, Verb},
};
use std::{collections::BTreeMap, path::Path, sync::Arc};

pub const GAME: &str = "toy-v1";

/// The words of the toy game, of a version; from version 3 on there is no gold.
pub struct Toy(pub u32);

const FACTS: &[Fact] = &[Fact::holds("lit", "whether one sees"), Fact::number("gold", 0.0, 9.0, "coins")];

impl Vocabulary for Toy {
    fn version(&self) -> u32 {
        self.0
    }
    fn facts(&self) -> &'static [Fact] {
        if self.0 < 3 { FACTS } else { &FACTS[..1] }
    }
    fn fact(&self, obs: &[u8], fact: usize) -> f32 {
        f32::from(obs[fact])
    }
    fn verbs(&self) -> &'static [Verb] {
        &[]
    }
    fn kinds(&self) -> &'static [Kind] {
        &[]
    }
    fn term(&self, _: &[u8], _: u32) -> Option<Term> {
        None
    }
    fn feature(&self, _: &[u8], _: usize, _: u16, _: usize) -> f32 {
        0.0
    }
}

/// A skill of the toy game; `turn` makes its code, and so its hash, different.
pub fn skill(name: &str, turn: u32) -> Skill {
    let literal = |fact: &str, to| Literal { fact: fact.into(), is: Compare::AtLeast, to };
    let mut skill = Skill {
        format: agon_skill::FORMAT.into(),
        name: name.into(),
        version: 1,
        game: GAME.into(),
        vocabulary: 1,
        kind: SkillKind::Option,
        doc: "a toy".into(),
        how_to: Vec::new(),
        tags: Vec::new(),
        params: Vec::new(),
        tools: BTreeMap::new(),
        contract: Contract {
            pre: vec![literal("lit", Operand::Number(1.0))],
            effect: vec![literal("gold", Operand::Change { start_plus: 1.0 })],
            within: 5,
            rate: 0.8,
            ..Contract::default()
        },
        budget: Budget::default(),
        provenance: Provenance {
            proposer: Proposer::Human,
            parents: vec![],
            replays: vec![],
            miner: String::new(),
        },
        stats: BTreeMap::new(),
        hash: String::new(),
        code: format!("return {{ run = function(ctx, args) coroutine.yield({turn}) end }}"),
    };
    skill.hash = skill.content_hash();
    skill
}

pub fn create(folder: &Path) -> Bank {
    Bank::create(folder, GAME, Arc::new(Toy(1))).expect("a new bank")
}

pub fn open(folder: &Path) -> Result<Bank, BankError> {
    Bank::open(folder, GAME, Arc::new(Toy(1)))
}

/// What a skill is worth in drawn trials.
#[derive(Clone, Debug)]
pub struct Worth {
    /// Probability of its effect.
    pub rate: f64,
    /// Points of a hundred that it gains, of twenty that differ.
    pub points: f64,
    /// The same in the family "caves"; `None` as elsewhere.
    pub in_caves: Option<f64>,
    /// Whether it acts alike twice.
    pub is_steady: bool,
}

impl Default for Worth {
    fn default() -> Self {
        Self { rate: 0.85, points: 0.0, in_caves: None, is_steady: true }
    }
}

/// Trials that are drawn: every skill, by name, has a worth; unknown ones have none.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    pub worth: BTreeMap<String, Worth>,
    /// Seeds played, in all.
    pub played: u64,
    /// Whether there are opponents.
    pub is_duel: bool,
}

impl Drawn {
    pub fn with(names: &[(&str, Worth)]) -> Self {
        let worth = names.iter().map(|(name, worth)| ((*name).to_owned(), worth.clone())).collect();
        Self { worth, ..Self::default() }
    }

    fn of(&self, skill: &Skill) -> Worth {
        self.worth.get(&skill.name).cloned().unwrap_or_default()
    }

    /// What skills gain at a seed: a fifth of the seeds differ, in favour of the better.
    fn change(&self, skills: &[Skill], seed: Seed<Gate>) -> f64 {
        let mut sum = 0.0;
        for skill in skills {
            let worth = self.of(skill);
            let points =
                if family(seed) == "caves" { worth.in_caves.unwrap_or(worth.points) } else { worth.points };
            let mut rng = rng_of(seed, skill);
            let u = rng.unit();
            let gain = 0.1 + 0.005 * points;
            sum += if u < gain { 1.0 } else { -f64::from(u < 0.2) };
        }
        sum
    }
}

fn family(seed: Seed<Gate>) -> &'static str {
    ["woods", "caves"][seed.number() as usize % 2]
}

/// Numbers for a skill at a seed.
fn rng_of(seed: Seed<Gate>, skill: &Skill) -> Pcg64 {
    let (state, _) = seed.rng(0).state();
    let own = u64::from_str_radix(&skill.hash, 16).expect("a hash");
    Pcg64::from_parts(state ^ u128::from(own), 7)
}

impl Trials for Drawn {
    fn config(&self) -> String {
        "drawn".into()
    }

    fn replays(&mut self, skill: &Skill, _: &[Skill]) -> Result<Vec<ReplayRun>, BankError> {
        let worth = self.of(skill);
        let mut runs = Vec::new();
        for i in 0..20_u32 {
            let second = if worth.is_steady || i != 13 { i } else { 99 };
            let effect = f64::from(i) < 20.0 * worth.rate.max(0.8);
            runs.push(ReplayRun { first: i.to_string(), second: second.to_string(), effect });
        }
        Ok(runs)
    }

    fn uses(&mut self, skill: &Skill, _: &[Skill], seeds: SeedRange) -> Result<Vec<bool>, BankError> {
        self.played += u64::from(seeds.count);
        let rate = self.of(skill).rate;
        Ok(seeds.iter().map(|seed| rng_of(seed, skill).unit() < rate).collect())
    }

    fn pairs(&mut self, before: &[Skill], after: &[Skill], seeds: SeedRange) -> Result<Vec<Pair>, BankError> {
        self.played += 2 * u64::from(seeds.count);
        let pair = |seed| {
            let (before, after) = (self.change(before, seed), self.change(after, seed));
            // One skill more is worth its own change, whatever the others do.
            let change = (after - before).clamp(-1.0, 1.0);
            let before = if change > 0.0 { 0.0 } else { 1.0 };
            Pair { before, after: before + change, family: family(seed).into() }
        };
        Ok(seeds.iter().map(pair).collect())
    }

    fn duels(&mut self, before: &[Skill], after: &[Skill], seeds: SeedRange) -> Result<Vec<f64>, BankError> {
        if !self.is_duel {
            return Ok(Vec::new());
        }
        Ok(self.pairs(before, after, seeds)?.iter().map(Pair::change).collect())
    }

    fn shadow(
        &mut self,
        skill: &Skill,
        _: &[Skill],
        seeds: SeedRange,
    ) -> Result<Vec<(bool, bool)>, BankError> {
        let rate = self.of(skill).rate;
        Ok(seeds.iter().map(|seed| (rng_of(seed, skill).unit() < rate, false)).collect())
    }

    fn probation(
        &mut self,
        skill: &Skill,
        _: &[Skill],
        share: f64,
        seeds: SeedRange,
    ) -> Result<Tried, BankError> {
        let mut tried = Tried::default();
        for seed in seeds.iter() {
            tried.episodes += 1;
            let mut rng = rng_of(seed, skill);
            if rng.unit() >= share {
                continue;
            }
            tried.offered += 1;
            let is_done = rng.unit() < self.of(skill).rate;
            tried.outcomes.push(if is_done { Outcome::Effect } else { Outcome::NoEffect });
            tried.changes.push(self.change(std::slice::from_ref(skill), seed));
        }
        Ok(tried)
    }
}

/// Settings with which tests are quick.
pub fn settings() -> Settings {
    Settings { uses: 100, ..Settings::default() }
}

/// Evidence of G1, G2 and G3 that passes, different for each `turn`.
pub fn again(hash: &str, turn: u32) -> Vec<Evidence> {
    let make = |figures| Evidence::new(hash, Source::default(), figures).expect("figures");
    let run = ReplayRun { first: "a".into(), second: "a".into(), effect: true };
    let contract = agon_skill_bank::evidence::Contract {
        successes: 90 + u64::from(turn % 10),
        uses: 100,
        planned: 100,
        claim: 0.8,
        least: 0.6,
        slack: 0.1,
    };
    vec![
        make(Figures::Replay(Replay { runs: vec![run], claim: 0.8 })),
        make(Figures::Contract(contract)),
        make(Figures::Uplift(Uplift { plan: Plan::default(), differences: vec![1.0; 30 + turn as usize] })),
    ]
}

/// Takes a skill to `Active` on made evidence.
pub fn activate(bank: &mut Bank, skill: Skill) -> String {
    activate_with(bank, skill, vec![1.0; 30])
}

/// Takes a skill to `Active` on made evidence with these differences of its pairs.
pub fn activate_with(bank: &mut Bank, skill: Skill, differences: Vec<f64>) -> String {
    use agon_skill_bank::evidence::{
        Monitor, MonitorRule, Regression, RegressionRule, Shadow, ShadowRule, Static,
    };
    let hash = bank.propose(skill, None).expect("proposed").hash().to_owned();
    let make = |figures| Evidence::new(&hash, Source::default(), figures).expect("figures");
    bank.present(&hash, &[make(Figures::Static(Static { findings: vec![] }))]).expect("G0");
    let pairs = Uplift { plan: Plan::default(), differences };
    let mut admission = again(&hash, 0);
    admission[2] = make(Figures::Uplift(pairs.clone()));
    let e_values = BTreeMap::from([(hash.clone(), pairs.e().expect("e"))]);
    admission.push(make(Figures::Multiple(Multiple { e_values, fdr: 0.1, least: 20.0 })));
    let families = BTreeMap::from([("woods".to_owned(), vec![0.5; 50])]);
    let regression = Regression { families, duel: vec![], rule: RegressionRule::default() };
    admission.push(make(Figures::Regression(regression)));
    assert_eq!(bank.present(&hash, &admission).expect("G1 to G5"), State::Shadow);
    let chances = (0..50).map(|i| Chance { predicted: 0.8, happened: i % 5 != 0, without: false }).collect();
    bank.present(&hash, &[make(Figures::Shadow(Shadow { chances, rule: ShadowRule::default() }))])
        .expect("G6");
    let mut monitor = Monitor::new(0.8, MonitorRule::default());
    (monitor.episodes, monitor.offered) = (1000, 200);
    monitor.outcomes =
        (0..200).map(|i| if i % 5 == 0 { Outcome::NoEffect } else { Outcome::Effect }).collect();
    monitor.changes = vec![0.1; 200];
    assert_eq!(bank.present(&hash, &[make(Figures::Probation(monitor))]).expect("G7"), State::Active);
    hash
}

/// A bank with an active skill, a draft and a snapshot; the hashes of the two.
pub fn filled(folder: &Path) -> [String; 2] {
    let mut bank = create(folder);
    let active = activate(&mut bank, skill("fetch", 0));
    bank.snapshot("one skill").expect("written");
    let draft = bank.propose(skill("carry", 1), Some("{\"form\": 1}")).expect("proposed").hash().to_owned();
    [active, draft]
}
