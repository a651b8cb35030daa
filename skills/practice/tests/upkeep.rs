//! Upkeep of banks of tic-tac-toe: what is one becomes one, what broke its contract is told anew.

use agon_skill::{
    Budget, Compare, Contract, Kind, Literal, Operand, Proposer, Provenance, Seed, Seeds, Skill, Train,
};
use agon_skill_agent::{MakePolicy, PlayConfig, Task, UserConfig, arm};
use agon_skill_bank::{
    Bank, State,
    bank::Uses,
    evidence::{Figures, Outcome},
    gates::{Played, Settings, contract_gate, run_round, static_gate},
};
use agon_skill_distill::{Config, print, with_contract};
use agon_skill_practice::{UpkeepConfig, collect, upkeep};
use rl_gym::Game;
use std::sync::Arc;
use tempfile::TempDir;

fn bot(game: &Game, name: &'static str) -> MakePolicy {
    let game = game.clone();
    Arc::new(move |spec| (agon_policy::Players::of(&game).find(name).expect("known").make)(spec))
}

/// Tic-tac-toe against random play.
fn task() -> Task {
    let game = agon_classic::games().into_iter().find(|g| g.name == "tic-tac-toe").expect("there");
    Task::new(&game, game.defaults(), vec![bot(&game, "random")]).expect("a task")
}

fn workers(workers: usize) -> PlayConfig {
    PlayConfig { workers, ..PlayConfig::default() }
}

fn at_least(fact: &str, x: f32) -> Literal {
    Literal { fact: fact.into(), is: Compare::AtLeast, to: Operand::Number(x) }
}

/// Picks a cell so, once.
fn skill(name: &str, pick: &str, pre: &[Literal], effect: &[Literal], rate: f32) -> Skill {
    let provenance =
        Provenance { proposer: Proposer::Human, parents: vec![], replays: vec![], miner: String::new() };
    let contract =
        Contract { pre: pre.into(), effect: effect.into(), within: 1, rate, ..Contract::default() };
    let mut skill = Skill {
        format: agon_skill::FORMAT.into(),
        name: name.into(),
        version: 1,
        game: "tic-tac-toe-v1".into(),
        vocabulary: 1,
        kind: Kind::Option,
        doc: "a test".into(),
        how_to: vec!["Use it when: it fits.".into(), "It is quick.".into()],
        tags: vec![],
        params: vec![],
        tools: Default::default(),
        contract,
        budget: Budget::default(),
        provenance,
        stats: Default::default(),
        hash: String::new(),
        code: format!(
            "-- {name}\nreturn {{ run = function(ctx, args)\n    local action = ctx.pick(\"place\", {pick})\n    \
             if action then coroutine.yield(action) end\nend }}\n"
        ),
    };
    skill.hash = skill.content_hash();
    skill
}

/// A stone that wins, or any.
const ANY: &str = "nil, { wins = 1 }";
const WIN: &str = "{ wins = true }, nil";

fn win(name: &str, rate: f32) -> Skill {
    skill(name, WIN, &[at_least("can_win", 1.0)], &[at_least("has_won", 1.0)], rate)
}

struct Place {
    task: Task,
    base: MakePolicy,
    bank: Bank,
    _folder: TempDir,
}

impl Place {
    /// A bank with these skills, as candidates.
    fn with(skills: &[Skill]) -> Self {
        let task = task();
        let base = bot(&task.game, "random");
        let folder = tempfile::tempdir().expect("folder");
        let bank =
            Bank::create(folder.path(), &task.game.id(), task.words().expect("words")).expect("a bank");
        let mut place = Self { task, base, bank, _folder: folder };
        skills.iter().for_each(|skill| place.add(skill));
        place
    }

    fn add(&mut self, skill: &Skill) {
        let bank = &mut self.bank;
        let hash = bank.propose(skill.clone(), None).expect("proposed").hash().to_owned();
        let evidence = static_gate(bank, bank.skill(&hash).expect("there")).expect("looked at");
        assert_eq!(bank.present(&hash, &[evidence]).expect("moves"), State::Candidate);
    }

    fn trials(&self) -> Played {
        let (tasks, base, starts) = (vec![self.task.clone()], self.base.clone(), (Seeds::new(1, 1), 60));
        Played::new("random", tasks, base, UserConfig::default(), workers(2), starts).expect("trials")
    }

    /// One round of the gates, which refuses what breaks its contract.
    fn gate(&mut self) {
        self.round(40);
    }

    fn round(&mut self, suite: u32) {
        let mut trials = self.trials();
        let settings = Settings { uses: 60, suite, seeds: 400, ..Settings::default() };
        run_round(&mut self.bank, &mut trials, 1, &settings).expect("a round");
    }

    fn upkeep(&mut self, threads: usize) -> agon_skill_practice::Upkeep {
        let config = UpkeepConfig::default();
        upkeep(&mut self.bank, &self.task, &self.base, &config, &workers(threads)).expect("kept up")
    }

    fn state(&self, name: &str) -> State {
        self.bank.find(name).expect(name).state
    }

    /// Whether the gate of the contract passes a skill, and the rate that it measured.
    fn keeps_contract(&self, hash: &str) -> (bool, f64) {
        let skill = self.bank.skill(hash).expect("there");
        let settings = Settings { uses: 80, ..Settings::default() };
        let evidence =
            contract_gate(&mut self.trials(), skill, &[], Seeds::new(5, 5), &settings).expect("played");
        let Figures::Contract(figures) = evidence.figures() else { panic!("{evidence:?}") };
        (evidence.passed(), figures.rate().expect("uses").estimate)
    }
}

#[test]
fn two_equal_skills_under_two_names_become_one() {
    let quiet = |name: &str, pick: &str| skill(name, pick, &[at_least("must_block", 1.0)], &[], 1.0);
    let mut place = Place::with(&[
        win("win", 0.9),
        // The same by another way, found later: it goes, since it stands no better.
        skill("win_too", ANY, &[at_least("winning_cells", 1.0)], &[at_least("has_won", 1.0)], 0.8),
        // Other things: another effect, and none.
        skill("win_for_corners", WIN, &[at_least("can_win", 1.0)], &[at_least("free_corners", 1.0)], 0.5),
        quiet("block", "{ blocks = true }, nil"),
        quiet("block_too", "nil, { blocks = 1 }"),
        quiet("centre", "nil, { is_centre = 1 }"),
        // As `block`, but at fewer places, and at many more: where nothing is promised, that is another skill.
        skill(
            "block_late",
            "nil, { blocks = 1 }",
            &[at_least("must_block", 1.0), at_least("my_stones", 3.0)],
            &[],
            1.0,
        ),
        skill("block_or_any", "nil, { blocks = 1 }", &[], &[], 1.0),
    ]);
    let told = place.upkeep(2);
    let gone: Vec<(&str, &str, bool)> =
        told.merged.iter().map(|m| (m.name.as_str(), m.into.as_str(), m.effect.is_some())).collect();
    assert_eq!(gone, [("win_too", "win", true), ("block_too", "block", false)], "{told:?}");
    assert!(told.merged.iter().all(|m| m.agreement >= 0.9 && m.shared >= 20), "{told:?}");
    assert_eq!((told.compared, told.tried.len()), (8, 0));
    for (name, state) in
        [("win", State::Candidate), ("win_too", State::Rejected), ("block_or_any", State::Candidate)]
    {
        assert_eq!(place.state(name), state, "{name}");
    }
    // The reason names the other, and says how alike they are.
    let pieces = place.bank.evidence(&told.merged[0].hash).expect("evidence");
    let Some(Figures::Order { reason }) = pieces.last().map(|p| p.figures()) else { panic!("{pieces:?}") };
    assert!(reason.contains(&format!("win ({})", told.merged[0].into_hash)), "{reason}");
    assert!(reason.contains("effects alike to 1.00") && reason.contains("shared probes"), "{reason}");
    // Taken out by order: there is no contract to mend, and no more to do.
    let events = place.bank.events();
    let again = place.upkeep(1);
    assert!(again.merged.is_empty() && again.tried.is_empty() && place.bank.events() == events, "{again:?}");
}

#[test]
fn a_skill_that_works_where_a_predicate_holds_is_split_into_one_that_passes() {
    let broken = skill("hope", ANY, &[at_least("my_stones", 1.0)], &[at_least("has_won", 1.0)], 0.9);
    let mut place = Place::with(std::slice::from_ref(&broken));
    assert!(!place.keeps_contract(&broken.hash).0, "it wins only where it can");
    place.gate();
    assert_eq!(place.state("hope"), State::Rejected);
    let told = place.upkeep(2);
    assert_eq!((told.tried.len(), told.refined.len(), told.split.len()), (1, 0, 1), "{told:?}");
    let (tried, part) = (&told.tried[0], &told.split[0]);
    assert!((tried.successes as f64) < 0.7 * tried.uses as f64, "{tried:?}");
    assert_eq!(part.added, Some(at_least("winning_cells", 1.0)), "the same as can_win, and named before it");
    assert_eq!(
        (part.name.as_str(), part.parent_hash.as_str()),
        ("hope_at_high_winning_cells", &*broken.hash)
    );
    assert!(part.successes == part.uses && part.rate >= 0.8 && part.dropped.is_empty(), "{part:?}");
    let child = place.bank.skill(&part.hash).expect("there").clone();
    assert_eq!(child.provenance.parents, std::slice::from_ref(&broken.hash));
    assert_eq!(child.provenance.proposer, Proposer::Tuned);
    assert_eq!(child.how_to[0], "Use it when: my_stones >= 1, winning_cells >= 1.");
    assert_eq!(child.how_to[2], "It is quick.");
    assert_eq!(child.code, broken.code, "nobody printed it, so it stays as it is");
    let (passes, rate) = place.keeps_contract(&part.hash);
    assert!(passes && rate == 1.0, "{rate}");
    // It is told anew once.
    assert_eq!(place.state(&part.name), State::Draft);
    let again = place.upkeep(2);
    assert!(again.tried.is_empty() && again.split.is_empty(), "{again:?}");
}

#[test]
fn a_promise_that_fails_in_part_is_dropped_and_a_claim_that_is_too_high_is_lowered() {
    let both = [at_least("has_won", 1.0), at_least("free_corners", 4.0)];
    // It wins four times of five.
    let mut proud = win("proud", 0.99);
    proud.code = proud.code.replace("local action =", "local action = ctx.random(5) > 1 and");
    proud.hash = proud.content_hash();
    let greedy = skill("win_and_corners", WIN, &[at_least("can_win", 1.0)], &both, 0.9);
    let mut place = Place::with(&[greedy, proud.clone()]);
    place.gate();
    for name in ["win_and_corners", "proud"] {
        assert_eq!(place.state(name), State::Rejected);
    }
    let told = place.upkeep(1);
    let [refined, humble] = &told.refined[..] else { panic!("{told:?}") };
    assert_eq!((refined.name.as_str(), &*refined.dropped), ("win_and_corners_refined", &both[1..]));
    assert!(refined.added.is_none() && refined.rate > 0.9, "{refined:?}");
    assert_eq!(place.bank.skill(&refined.hash).expect("there").contract.effect, both[..1]);
    assert_eq!((humble.parent_hash.as_str(), humble.dropped.len()), (&*proud.hash, 0));
    assert!((0.6..0.85).contains(&humble.rate), "{humble:?}");
    assert!(!place.keeps_contract(&proud.hash).0);
    for hash in [&refined.hash, &humble.hash] {
        assert!(place.keeps_contract(hash).0);
    }
}

#[test]
fn what_the_watch_suspended_is_played_again() {
    let mut place = Place::with(&[win("win", 0.9)]);
    for _ in 0..6 {
        place.round(400);
    }
    assert_eq!(place.state("win"), State::Active);
    let hash = place.bank.find("win").expect("there").hash.clone();
    assert!(place.upkeep(1).tried.is_empty(), "an active skill keeps its contract");
    let failures =
        Uses { episodes: 60, offered: 60, outcomes: vec![Outcome::NoEffect; 60], ..Uses::default() };
    assert!(place.bank.record(&hash, failures).expect("written").is_some());
    assert_eq!(place.state("win"), State::Suspended);
    let told = place.upkeep(1);
    let [tried] = &told.tried[..] else { panic!("{told:?}") };
    assert_eq!((&tried.hash, tried.state), (&hash, State::Suspended));
    // It keeps its contract where it is played: there is nothing to tell anew, and the gates may take it back.
    assert!(tried.successes == tried.uses && told.refined.is_empty() && told.split.is_empty(), "{told:?}");
}

#[test]
fn a_healthy_bank_is_left_alone() {
    let mut place = Place::with(&[win("win", 0.9)]);
    place.gate();
    assert_ne!(place.state("win"), State::Rejected);
    let events = place.bank.events();
    let told = place.upkeep(2);
    assert!(told.merged.is_empty() && told.tried.is_empty() && told.refined.is_empty(), "{told:?}");
    assert_eq!(place.bank.events(), events, "nothing was written");
}

#[test]
fn threads_do_not_show() {
    let run = |threads: usize| {
        let hope = skill("hope", ANY, &[at_least("my_stones", 1.0)], &[at_least("has_won", 1.0)], 0.9);
        let mut place = Place::with(&[hope]);
        place.gate();
        place.add(&win("win", 0.9));
        let too = skill("win_too", ANY, &[at_least("winning_cells", 1.0)], &[at_least("has_won", 1.0)], 0.8);
        place.add(&too);
        let told = place.upkeep(threads);
        let all: Vec<(String, State)> = place.bank.entries().map(|e| (e.hash.clone(), e.state)).collect();
        (told, all)
    };
    let (told, bank) = run(1);
    assert_eq!((told.merged.len(), told.split.len()), (1, 1), "{told:?}");
    assert_eq!((told, bank), run(2));
}

#[test]
fn printed_code_says_what_its_new_contract_says_and_edited_code_stays() {
    let task = task();
    let words = task.words().expect("words");
    let seeds: Vec<Seed<Train>> = Seeds::new(9, 0).range(0, 80).collect();
    let (rollouts, _) =
        collect(&task, &arm(bot(&task.game, "perfect")), "perfect", &seeds, &workers(2)).expect("plays");
    let config = Config { permutations: 99, ..Config::default() };
    let mined = agon_skill_distill::distill(&rollouts, &config).expect("mines").candidates.remove(0);
    let mut contract = mined.skill.contract.clone();
    contract.pre = vec![at_least("must_block", 1.0)];
    let child = with_contract(&mined.skill, Some(&mined.ir), contract.clone(), &*words);
    assert!(child.code.contains("-- Use it when: must_block.\n"), "{}", child.code);
    let body = |code: &str| code.split_once("return {").expect("a module").1.to_owned();
    assert_eq!(body(&child.code), body(&mined.skill.code));
    assert_eq!(child.hash, child.content_hash());
    let edited = Skill { code: mined.skill.code.replace("return {", "return  {"), ..mined.skill.clone() };
    assert_eq!(with_contract(&edited, Some(&mined.ir), contract, &*words).code, edited.code);
    assert_ne!(edited.code, print(&mined.ir, &[], &*words));
}
