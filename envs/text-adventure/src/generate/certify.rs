//! The proof that a game can be won, and what is known of it thereby.

use super::{
    Draft,
    knobs::{Hints, Knobs, Quest, ThemeName, by_name},
    plot::Failure,
    words,
};
use crate::{
    action::{Action, Verb},
    entity::{Attr, named},
    lexicon::Words,
    parser::{Session, Settings},
    planner::{Budget, Goal, Planner, act},
    prose::command_text,
    rules::admissible,
    scope::Scope,
    set::Ent,
    story::Story,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt::Write, sync::Arc};

named! {
    /// What a game asks of a player.
    Skill {
        /// Finding the way.
        Navigation = "navigation",
        /// Carrying light.
        Light = "light",
        /// Finding keys.
        Keys = "keys",
        /// Opening things.
        Containers = "containers",
        /// Cutting and cooking.
        Cooking = "cooking",
        /// Trading.
        Trade = "trade",
        /// Talking and giving.
        Dialogue = "dialogue",
        /// Putting together.
        Assembly = "assembly",
        /// Searching.
        Hidden = "hidden",
        /// Remembering what was read.
        Memory = "memory",
    }
}

by_name! { Skill }

/// A certified game.
#[derive(Clone, PartialEq, Debug)]
pub struct Generated {
    /// The game.
    pub story: Arc<Story>,
    /// A way to win it with every point.
    pub plan: Vec<Action>,
    /// What it was made from.
    pub knobs: Knobs,
    /// The seed that it was made from.
    pub seed: u64,
    /// Where it takes place.
    pub theme: ThemeName,
    /// What it asks for, in the order of the objective.
    pub quests: Vec<Quest>,
    /// What it asks of a player.
    pub skills: Vec<Skill>,
    /// Sum of log2 of the admissible actions along the plan, rounded down.
    pub choice_bits: u16,
    /// Equal for games that differ in words alone.
    pub fingerprint: u64,
    /// Attempts that it took.
    pub attempts: u32,
}

/// Plans `draft` and plays the plan.
pub(super) fn certify(
    planner: &mut Planner,
    knobs: &Knobs,
    seed: u64,
    draft: Draft,
) -> Result<Generated, Failure> {
    let Draft { theme, quests, mut story, lines, .. } = draft;
    let budget = Budget { nodes: 4000, ..Budget::default() };
    let plan = planner
        .plan(&story, &story.start, 0, &Goal::Win, &budget)
        .map_err(|e| Failure::new("capacity", format!("the planner fails: {e}")))?
        .actions;
    let bits = replay(&story, &plan)?;
    window("plan_length", plan.len() as u16, knobs.plan_length)?;
    window("choice_bits", bits, knobs.choice_bits)?;
    story.cap = (plan.len() as u16 * u16::from(knobs.cap_factor)).max(knobs.cap_floor);
    if knobs.hints == Hints::Steps {
        let list = commands(&story, &plan).join(", ");
        let mut rng = rl_gym::Pcg64::seed(seed);
        story.objective = words::fill(lines.pick(&mut rng, "steps"), &[("list", &list)]);
    }
    let story = Arc::new(story);
    let script: Vec<(usize, Action)> = plan.iter().map(|a| (0, *a)).collect();
    type_in(&story, &script)?;
    let skills = skills(&plan, &quests);
    let fingerprint = fingerprint(&story);
    Ok(Generated {
        story,
        plan,
        knobs: knobs.clone(),
        seed,
        theme,
        quests,
        skills,
        choice_bits: bits,
        fingerprint,
        attempts: 1,
    })
}

pub(super) fn window(knob: &'static str, value: u16, [least, greatest]: [u16; 2]) -> Result<(), Failure> {
    let (low, high) = match knob {
        "plan_length" => ("plan_length.least", "plan_length.greatest"),
        _ => ("choice_bits.least", "choice_bits.greatest"),
    };
    match value {
        _ if value < least => Err(Failure::new(low, format!("{knob} came out as {value}, below {least}"))),
        _ if value > greatest => {
            Err(Failure::new(high, format!("{knob} came out as {value}, above {greatest}")))
        }
        _ => Ok(()),
    }
}

/// Plays `plan` and returns the choice bits along it; it must win with every point.
fn replay(story: &Story, plan: &[Action]) -> Result<u16, Failure> {
    let me = story.seats[0];
    let mut world = story.start;
    let mut listed = Vec::new();
    let mut bits = 0.0;
    for &action in plan {
        admissible(story, &world, &Scope::of(story, &world, me), &mut listed);
        bits += (listed.len().max(1) as f64).log2();
        act(story, &mut world, me, action)
            .map_err(|why| Failure::new("capacity", format!("{action:?} of the plan is refused: {why:?}")))?;
    }
    match Goal::Win.is_met(story, &world, me) {
        true => Ok(bits as u16),
        false => Err(Failure::new("quests", "the plan does not win with every point")),
    }
}

/// The commands of `plan`, as one would type them.
pub(super) fn commands(story: &Story, plan: &[Action]) -> Vec<String> {
    let command = |action: &Action| {
        let mut text = String::new();
        command_text(story, *action, &mut text);
        text
    };
    plan.iter().map(command).collect()
}

/// Types a script of seats and actions into the parser: each command must be read as its action and take one turn, and
/// the game be won.
pub(super) fn type_in(story: &Arc<Story>, script: &[(usize, Action)]) -> Result<(), Failure> {
    let words = Words::new(Arc::clone(story));
    let settings = Settings { undo_depth: 0, verbose: false, ..Settings::default() };
    let mut sessions: Vec<Session> =
        (0..story.seats.len()).map(|seat| Session::new(seat, settings)).collect();
    let mut world = story.start;
    let (mut command, mut told) = (String::new(), String::new());
    for &(seat, action) in script {
        command.clear();
        told.clear();
        command_text(story, action, &mut command);
        let reply = sessions[seat].command(&words, &mut world, &command, &mut told);
        if reply.action != Some(action) || reply.turns != 1 {
            let why = format!("\"{command}\" is read as {:?} ({:?})", reply.action, reply.outcome);
            return Err(Failure::new("theme", why));
        }
    }
    match Goal::Win.is_met(story, &world, story.seats[0]) {
        true => Ok(()),
        false => Err(Failure::new("theme", "the plan typed in does not win with every point")),
    }
}

fn skills(plan: &[Action], quests: &[Quest]) -> Vec<Skill> {
    let count = |verbs: &[Verb]| plan.iter().filter(|a| verbs.contains(&a.verb)).count();
    let asks = |skill: Skill| match skill {
        Skill::Navigation => count(&[Verb::Go]) >= 4,
        Skill::Light => count(&[Verb::Light]) > 0,
        Skill::Keys => count(&[Verb::Unlock]) > 0,
        Skill::Containers => count(&[Verb::Open]) > count(&[Verb::Unlock]),
        Skill::Cooking => count(&[Verb::Cook, Verb::Slice, Verb::Dice, Verb::Chop]) > 0,
        Skill::Trade => count(&[Verb::Offer]) > 0,
        Skill::Dialogue => count(&[Verb::Ask, Verb::Tell, Verb::Give]) > 0,
        Skill::Assembly => count(&[Verb::Combine]) > 0,
        Skill::Hidden => count(&[Verb::Search]) > 0,
        Skill::Memory => quests.iter().any(|q| matches!(q, Quest::Return | Quest::Obey)),
    };
    Skill::ALL.iter().copied().filter(|s| asks(*s)).collect()
}

/// FNV-1a over whatever is written to it.
struct Digest(u64);

impl Write for Digest {
    fn write_str(&mut self, s: &str) -> std::fmt::Result {
        self.0 = s.bytes().fold(self.0, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01B3));
        Ok(())
    }
}

/// A number that two stories share only when they are equal in every word and number.
pub fn digest(story: &Story) -> u64 {
    let mut digest = Digest(0xCBF2_9CE4_8422_2325);
    // Writing to a digest does not fail.
    let _ = write!(digest, "{story:?}");
    crate::world::mix(digest.0 ^ story.start.full_hash())
}

/// A number that two stories share when they differ in words alone: names, descriptions, texts, title.
pub fn fingerprint(story: &Story) -> u64 {
    let mut h = u64::from(story.rooms);
    let mut add = |x: u64| h = crate::world::mix(h.rotate_left(5) ^ x);
    for exits in &story.exits {
        exits.iter().for_each(|e| add(u64::from(e.to) << 8 | u64::from(e.door)));
    }
    for (e, entity) in story.entities.iter().enumerate() {
        add(u64::from(entity.key) << 16 | u64::from(entity.value) << 8 | u64::from(entity.size));
        add(entity.wants.words().iter().chain(entity.sells.words()).fold(0, |x, w| crate::world::mix(x ^ w)));
        add(Attr::ALL
            .iter()
            // Grammar of a name is of its words.
            .filter(|a| !matches!(a, Attr::Proper | Attr::Plural | Attr::Mass | Attr::Female | Attr::Male))
            .filter(|a| story.is(e as Ent, **a))
            .fold(0, |x, a| x | 1 << *a as u64));
    }
    add(story.start.hash());
    let mut digest = Digest(h);
    for rule in &story.rules {
        let _ = write!(digest, "{:?}{:?}{}{:?}", rule.trigger, rule.when, rule.once, rule.effects);
    }
    for topic in &story.topics {
        let _ = write!(digest, "{}{:?}{:?}", topic.actor, topic.when, topic.effects);
    }
    let _ = write!(digest, "{:?}", story.recipes);
    crate::world::mix(digest.0)
}
