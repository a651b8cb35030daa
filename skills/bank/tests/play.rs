//! The gates on a real game: tic-tac-toe, random play with skills.

#![allow(clippy::print_stdout, reason = "the figures of the docs, with --nocapture")]

use agon_skill::{
    Budget, Compare, Contract, Gate as ForGates, Kind, Literal, Operand, Proposer, Provenance, Seeds, Skill,
    Train,
};
use agon_skill_agent::{MakePolicy, PlayConfig, Task, UserConfig};
use agon_skill_bank::{
    Bank, Gate, State,
    evidence::Figures,
    gates::{Played, SeedRange, Settings, Trials, run_round, uplift_gates},
    stats::Plan,
};
use rl_gym::Game;
use std::{path::Path, sync::Arc};

fn literal(fact: &str, to: Operand) -> Literal {
    Literal { fact: fact.into(), is: Compare::AtLeast, to }
}

/// A skill of tic-tac-toe that takes an action at each decision, and promises a stone on the board.
fn skill(name: &str, action: &str) -> Skill {
    let mut skill = Skill {
        format: agon_skill::FORMAT.into(),
        name: name.into(),
        version: 1,
        game: "tic-tac-toe-v1".into(),
        vocabulary: 1,
        kind: Kind::Option,
        doc: "a test".into(),
        how_to: Vec::new(),
        tags: Vec::new(),
        params: Vec::new(),
        tools: Default::default(),
        contract: Contract {
            pre: vec![literal("free_cells", Operand::Number(1.0))],
            effect: vec![literal("my_stones", Operand::Change { start_plus: 1.0 })],
            within: 1,
            rate: 0.9,
            ..Contract::default()
        },
        budget: Budget::default(),
        provenance: Provenance {
            proposer: Proposer::Human,
            parents: vec![],
            replays: vec![],
            miner: String::new(),
        },
        stats: Default::default(),
        hash: String::new(),
        code: format!("return {{ run = function(ctx, args)\n    coroutine.yield({action})\nend }}\n"),
    };
    skill.hash = skill.content_hash();
    skill
}

/// Plays as the base policy does: any legal cell. `turn` gives each copy numbers of its own.
fn copy(turn: u32) -> Skill {
    let mut skill = skill("copy", "ctx.legal()[1 + (ctx.random(#ctx.legal()) + OWN) % #ctx.legal()]");
    skill.code = skill.code.replace("OWN", &turn.to_string());
    skill.hash = skill.content_hash();
    skill
}

fn game() -> Game {
    agon_classic::games().into_iter().find(|g| g.name == "tic-tac-toe").expect("there")
}

fn bot(name: &'static str) -> MakePolicy {
    let game = game();
    Arc::new(move |spec| (agon_policy::Players::of(&game).find(name).expect("known").make)(spec))
}

/// Random play against rivals, each of which is a family.
fn trials(workers: usize, rivals: &[&'static str]) -> Played {
    let task = |rival| Task {
        family: format!("against {rival}"),
        ..Task::new(&game(), game().defaults(), vec![bot(rival)]).expect("a task")
    };
    let play = PlayConfig { workers, lanes: 4, ..PlayConfig::default() };
    let tasks = rivals.iter().map(|rival| task(rival)).collect();
    let starts = (Seeds::<Train>::new(1, 0), 20);
    Played::new("random", tasks, bot("random"), UserConfig::default(), play, starts).expect("tasks")
}

const BOTH: &[&str] = &["random", "perfect"];

fn settings() -> Settings {
    let plan = Plan { cap: 300, ..Plan::default() };
    Settings { uses: 60, plan, suite: 300, seeds: 1500, ..Settings::default() }
}

fn create(folder: &Path) -> Bank {
    let words =
        Task::new(&game(), game().defaults(), vec![bot("random")]).expect("a task").words().expect("words");
    Bank::create(folder, "tic-tac-toe-v1", words).expect("a new bank")
}

fn seeds(stream: u32) -> Seeds<ForGates> {
    Seeds::new(3, stream)
}

#[test]
fn copies_of_random_play_are_admitted_at_most_at_the_nominal_rate() {
    const COUNT: u32 = 200;
    let mut trials = trials(2, &["random"]);
    let settings = Settings { plan: Plan::default(), ..settings() };
    let (mut admitted, mut pairs, mut differ) = (0, 0, 0);
    for i in 0..COUNT {
        let out = uplift_gates(&mut trials, &[], &[(copy(i), vec![])], seeds(i), &settings).expect("plays");
        let Figures::Uplift(figures) = out[0].0.figures() else { panic!() };
        pairs += figures.differences.len();
        differ += figures.differences.iter().filter(|d| **d != 0.0).count();
        admitted += u32::from(out[0].0.passed() && out[0].1.passed());
    }
    println!("{admitted} of {COUNT} copies admitted; {pairs} pairs, {differ} of them differ");
    assert!(differ * 4 > pairs, "a copy must not play the same games: {differ} of {pairs}");
    // 5 % of 200 and three standard deviations.
    assert!(admitted <= 10 + 9, "{admitted} of {COUNT} admitted");
}

#[test]
fn a_good_skill_becomes_active_and_a_bad_one_is_refused_although_both_keep_their_contracts() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let mut trials = trials(2, BOTH);
    let good = skill("win_or_block", "ctx.pick('place', nil, { wins = 2, blocks = 1 })");
    let bad = skill("spoil", "ctx.pick('place', nil, { wins = -2, blocks = -1, is_centre = -0.1 })");
    let [good, bad] = [good, bad].map(|s| bank.propose(s, None).expect("proposed").hash().to_owned());
    for _ in 0..5 {
        let account = run_round(&mut bank, &mut trials, 11, &settings()).expect("round");
        println!("{account:?}");
    }
    assert_eq!(bank.entry(&good).expect("there").state, State::Active);
    assert_eq!(bank.entry(&bad).expect("there").state, State::Rejected);
    let gain = bank.entry(&good).expect("there").gain.expect("measured");
    println!("gain {gain:?}");
    assert!(gain.low > 0.0, "{gain:?}");
    let evidence = bank.evidence(&bad).expect("evidence");
    let passed: Vec<(Gate, bool)> = evidence.iter().map(|e| (e.gate(), e.passed())).collect();
    let (kept, refused) = passed.split_at(3);
    assert!(kept.iter().all(|(_, is_passed)| *is_passed), "{passed:?}");
    assert_eq!(refused[0], (Gate::Uplift, false), "{passed:?}");
    let Figures::Regression(figures) = bank.evidence(&good).expect("evidence")[5].figures().clone() else {
        panic!()
    };
    assert_eq!(figures.families.keys().collect::<Vec<_>>(), ["against perfect", "against random"]);
    assert_eq!(figures.duel.len(), 300);
    let Figures::Probation(monitor) = bank.evidence(&good).expect("evidence")[7].figures().clone() else {
        panic!()
    };
    assert!(monitor.offered * 4 < monitor.episodes, "{} of {}", monitor.offered, monitor.episodes);
}

#[test]
fn a_contract_that_stops_holding_when_rivals_get_better_suspends_and_retires() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let mut winner = skill("winner", "0");
    winner.code = "return { run = function(ctx, args)\n    while true do\n        \
                   coroutine.yield(ctx.pick('place', nil, { wins = 9, blocks = 5, threats = 1 }))\n    end\nend }\n"
        .into();
    winner.contract = Contract {
        pre: vec![literal("free_cells", Operand::Number(8.0))],
        effect: vec![literal("has_won", Operand::Number(1.0))],
        within: 5,
        rate: 0.8,
        ..Contract::default()
    };
    let hash = bank.propose(winner, None).expect("proposed").hash().to_owned();
    let state = |bank: &Bank| bank.entry(&hash).expect("there").state;
    let mut easy = trials(2, &["random"]);
    for _ in 0..8 {
        if !bank.is_at_rest() {
            run_round(&mut bank, &mut easy, 12, &settings()).expect("round");
        }
    }
    assert_eq!(state(&bank), State::Active);
    // Against perfect play nobody wins.
    let mut hard = trials(2, &["perfect"]);
    let account = run_round(&mut bank, &mut hard, 12, &settings()).expect("round");
    assert_eq!(account.moved, [(hash.clone(), State::Active, State::Suspended)]);
    run_round(&mut bank, &mut hard, 12, &settings()).expect("round");
    assert_eq!(state(&bank), State::Retired);
    for piece in bank.evidence(&hash).expect("evidence") {
        println!("{piece}");
    }
}

#[test]
fn trials_depend_on_skills_and_seeds_alone() {
    let range = SeedRange { seeds: seeds(0), first: 10, count: 40 };
    let (mut one, mut two) = (trials(1, BOTH), trials(2, BOTH));
    let good = skill("win_or_block", "ctx.pick('place', nil, { wins = 2, blocks = 1 })");
    let kit = [good.clone()];
    let pairs = one.pairs(&[], &kit, range).expect("plays");
    assert_eq!(two.pairs(&[], &kit, range).expect("plays"), pairs);
    // The skills before were remembered; whatever was played in between changes nothing.
    one.uses(&good, &[], range).expect("plays");
    one.pairs(&kit, &kit, range).expect("plays");
    assert_eq!(one.pairs(&[], &kit, range).expect("plays"), pairs);
    assert!(one.pairs(&kit, &kit, range).expect("plays").iter().all(|p| p.change() == 0.0));
    assert!(one.duels(&kit, &kit, range).expect("plays").iter().all(|d| *d == 0.0));
    let families: Vec<&str> = pairs.iter().map(|p| p.family.as_str()).collect();
    assert_eq!(families.iter().filter(|f| **f == "against random").count(), 20);
    // Both seats of both families occur.
    assert_eq!(
        (families[0], families[1], families[2]),
        ("against perfect", "against perfect", "against random")
    );
    let shadow = one.shadow(&good, &[], range).expect("plays");
    assert_eq!(shadow, two.shadow(&good, &[], range).expect("plays"));
    assert!(shadow.len() == 40 && shadow.iter().all(|(with, _)| *with));
    let again = Played::new(
        "other rivals",
        vec![Task::new(&game(), game().defaults(), vec![bot("random")]).expect("a task")],
        bot("random"),
        UserConfig::default(),
        PlayConfig::default(),
        (Seeds::new(1, 0), 5),
    );
    assert_ne!(again.expect("tasks").config(), one.config());
}

#[test]
fn what_cannot_be_played_is_told() {
    let mut trials = trials(1, BOTH);
    let range = SeedRange { seeds: seeds(0), first: 0, count: 4 };
    let mut odd = skill("odd", "1");
    odd.contract.pre[0].fact = "free_cell".into();
    let error = trials.pairs(&[], &[odd], range).expect_err("no such fact").to_string();
    assert!(
        error.contains("the trial of odd could not be played") && error.contains("free_cells"),
        "{error}"
    );
    let play = PlayConfig::default();
    play.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let task = Task::new(&game(), game().defaults(), vec![bot("random")]).expect("a task");
    let starts = (Seeds::new(1, 0), 5);
    let stopped = Played::new("x", vec![task], bot("random"), UserConfig::default(), play, starts);
    let error = stopped.expect("a task").pairs(&[], &[], range).expect_err("stopped").to_string();
    assert!(error.contains("it was stopped"), "{error}");
}

/// Symptom: Ctrl-C during the first gate rejected the skill for good. Property: a trial that was stopped is no evidence.
#[test]
fn a_stop_during_the_first_gate_refuses_nothing() {
    let place = tempfile::tempdir().expect("folder");
    let mut bank = create(place.path());
    let task = Task::new(&game(), game().defaults(), vec![bot("random")]).expect("a task");
    let play = PlayConfig { workers: 1, lanes: 4, ..PlayConfig::default() };
    let starts = (Seeds::<Train>::new(1, 0), 20);
    let user = UserConfig::default();
    let mut trials =
        Played::new("random", vec![task], bot("random"), user, play.clone(), starts).expect("tasks");
    let hash = bank.propose(skill("first", "ctx.legal()[1]"), None).expect("proposed").hash().to_owned();
    run_round(&mut bank, &mut trials, 11, &settings()).expect("round");
    assert_eq!(bank.entry(&hash).expect("there").state, State::Candidate);
    play.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let error = run_round(&mut bank, &mut trials, 11, &settings()).expect_err("stopped").to_string();
    assert!(error.contains("stopped"), "{error}");
    assert_eq!(bank.entry(&hash).expect("there").state, State::Candidate);
}
