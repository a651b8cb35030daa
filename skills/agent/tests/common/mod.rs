//! Skills of tic-tac-toe, and who plays.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use agon_skill::{Budget, Compare, Contract, Kind, Literal, Operand, Proposer, Provenance, Skill};
use agon_skill_agent::{Arm, Kit, Learner, MakePolicy, SkillUser, Task, UserConfig};
use rl_gym::Game;
use std::sync::Arc;

pub fn literal(fact: &str, is: Compare, to: Operand) -> Literal {
    Literal { fact: fact.into(), is, to }
}

/// A skill of tic-tac-toe that promises nothing.
pub fn skill(name: &str, body: &str) -> Skill {
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
        contract: Contract::default(),
        budget: Budget::default(),
        provenance: Provenance {
            proposer: Proposer::Human,
            parents: vec![],
            replays: vec![],
            miner: String::new(),
        },
        stats: Default::default(),
        hash: String::new(),
        code: format!("return {{ run = function(ctx, args)\n{body}\nend }}"),
    };
    skill.hash = skill.content_hash();
    skill
}

/// Wins where it can, else blocks.
pub fn win_or_block() -> Skill {
    let pick = "ctx.pick('place', nil, { wins = 2, blocks = 1 })";
    let mut skill = skill("win_or_block", &format!("while true do coroutine.yield({pick}) end"));
    skill.contract = Contract {
        pre: vec![literal("free_cells", Compare::AtLeast, Operand::Number(1.0))],
        effect: vec![literal("has_won", Compare::Equal, Operand::Number(1.0))],
        within: 5,
        ..Contract::default()
    };
    skill.hash = skill.content_hash();
    skill
}

pub fn game() -> Game {
    agon_classic::games().into_iter().find(|g| g.name == "tic-tac-toe").expect("there")
}

pub fn bot(name: &'static str) -> MakePolicy {
    let game = game();
    Arc::new(move |spec| (agon_policy::Players::of(&game).find(name).expect("known").make)(spec))
}

/// Tic-tac-toe against a bot.
pub fn task(opponent: &'static str) -> Task {
    Task::new(&game(), game().defaults(), vec![bot(opponent)]).expect("a task")
}

/// Random play with these skills.
pub fn with_skills(skills: Vec<Skill>, config: UserConfig) -> Arm {
    let game = game();
    Arc::new(move |spec| -> Box<dyn Learner> {
        let kit = Kit::new(&game, spec, skills.clone()).expect("fits");
        Box::new(SkillUser::new(bot("random")(spec), kit, config.clone()))
    })
}
