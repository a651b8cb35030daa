//! What is wrong with a story that loads: it cannot be won, something in it is never reached or never used.

use super::Loaded;
use crate::{
    condition::{Cond, Pred},
    effect::Effect,
    entity::Attr,
    lexicon::Words,
    parser::{Outcome, Session, Settings},
    planner::{self, Budget},
    set::{Ent, NONE, Set},
    story::{Story, Trigger},
    world::End,
};

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Worth a look.
    Hint,
    /// The story does not work.
    Error,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong and what would mend it.
    pub what: String,
}

/// Longest description in bytes that reads well in a terminal.
const LONGEST: usize = 600;

/// Everything wrong with a story for the player for whom it was loaded. Winnability is proven by a plan.
pub fn lint(loaded: &Loaded) -> Vec<Finding> {
    let story = &*loaded.story;
    let mut out = Findings(Vec::new());
    rooms(story, &mut out);
    things(story, &mut out);
    names(story, &mut out);
    facts(story, &mut out);
    texts(story, &mut out);
    points(story, &mut out);
    solution(loaded, &mut out);
    proof(story, &mut out);
    out.0.sort_by_key(|f| std::cmp::Reverse(f.severity));
    out.0
}

struct Findings(Vec<Finding>);

impl Findings {
    fn error(&mut self, what: String) {
        self.0.push(Finding { severity: Severity::Error, what });
    }

    fn hint(&mut self, what: String) {
        self.0.push(Finding { severity: Severity::Hint, what });
    }
}

fn name(story: &Story, e: Ent) -> String {
    story.entity(e).name.phrase()
}

/// Rooms that no exit leads to.
fn rooms(story: &Story, out: &mut Findings) {
    let mut met = Set::one(story.start.outermost(story.seats[0]));
    let mut queue: Vec<Ent> = met.iter().collect();
    while let Some(room) = queue.pop() {
        let Some(exits) = story.exits.get(usize::from(room)) else { continue };
        for exit in exits.iter().filter(|x| x.to != NONE) {
            if !met.has(exit.to) {
                met.insert(exit.to);
                queue.push(exit.to);
            }
        }
    }
    for room in (0..story.rooms).filter(|r| !met.has(*r)) {
        out.error(format!("no way leads to the {}: give a room an exit to it", name(story, room)));
    }
}

/// Every effect of the story.
fn effects(story: &Story) -> impl Iterator<Item = Effect> {
    let rules = story.rules.iter().flat_map(|r| &r.effects);
    rules.chain(story.topics.iter().flat_map(|t| &t.effects)).copied()
}

/// Every condition of the story.
fn conds(story: &Story) -> impl Iterator<Item = Cond> {
    story.rules.iter().flat_map(|r| &r.when).chain(story.topics.iter().flat_map(|t| &t.when)).copied()
}

/// Things that are out of play and stay there.
fn things(story: &Story, out: &mut Findings) {
    use crate::condition::Term;
    for e in story.rooms..story.len() as Ent {
        let term = Term::Ent(e);
        let comes =
            effects(story).any(|x| matches!(x, Effect::Move(t, _) | Effect::Replace(_, t) if t == term));
        let is_made = story.recipes.iter().any(|r| r.makes == e);
        if story.start.parent(e) == NONE && !story.is(e, Attr::Door) && !comes && !is_made {
            out.error(format!("the {} never comes into play: say where it is (`at`)", name(story, e)));
        }
    }
}

/// Things of one name that cannot stand for each other.
fn names(story: &Story, out: &mut Findings) {
    for e in story.twins {
        let first = story.entity(e).twin;
        let differs = Attr::ALL.iter().any(|a| story.is(e, *a) != story.is(first, *a));
        if first != e && (differs || story.entity(e).text != story.entity(first).text) {
            out.error(format!(
                "two different things are called {}: give one of them an adjective",
                name(story, e)
            ));
        }
    }
}

/// Flags and counters that nothing reads or nothing changes.
fn facts(story: &Story, out: &mut Findings) {
    let mut told = |kind: &str, name: &str, is_read: bool, is_written: bool| match (is_read, is_written) {
        (true, true) => {}
        (false, _) => out.hint(format!("the {kind} {name} is never read: leave it out")),
        (true, false) => {
            out.error(format!("the {kind} {name} is read and never changes: some rule must change it"))
        }
    };
    for (i, flag) in story.flags.iter().enumerate() {
        let i = i as u8;
        let is_read = conds(story).any(|c| c.pred == Pred::Flag(i));
        told("flag", flag, is_read, effects(story).any(|e| matches!(e, Effect::Flag(f, _) if f == i)));
    }
    for (i, counter) in story.counters.iter().enumerate() {
        let i = i as u8;
        let burns = story.entities.iter().any(|e| e.fuel == Some(i));
        let is_read = conds(story).any(|c| matches!(c.pred, Pred::AtLeast(x, _) if x == i));
        let is_written =
            effects(story).any(|e| matches!(e, Effect::Count(x, _) | Effect::Add(x, _) if x == i));
        told("counter", counter, is_read || burns, is_written || burns);
    }
}

fn texts(story: &Story, out: &mut Findings) {
    for e in 0..story.len() as Ent {
        let text = &story.entity(e).text;
        if text.is_empty() && e != story.seats[0] {
            out.hint(format!("the {} has no text", name(story, e)));
        }
        if text.len() > LONGEST {
            out.hint(format!(
                "the text of the {} has {} bytes: more than {LONGEST} are hard to read",
                name(story, e),
                text.len()
            ));
        }
        if story.is(e, Attr::Readable) && story.entity(e).writing.is_empty() {
            out.error(format!("the {} can be read and says nothing: give it a `writing`", name(story, e)));
        }
    }
}

/// Points that can be had, against the points that are promised.
fn points(story: &Story, out: &mut Findings) {
    let me = story.seats[0];
    let can_fire = |when: &[Cond]| !when.iter().any(|c| planner::is_never(*c, story, me));
    let rules = story.rules.iter().filter(|r| can_fire(&r.when) && !matches!(r.trigger, Trigger::Forbid(_)));
    let sum: i16 =
        rules.flat_map(|r| &r.effects).map(|e| if let Effect::Score(n) = e { (*n).max(0) } else { 0 }).sum();
    if sum < story.max_score {
        out.error(format!(
            "the rules give {sum} points and max_score is {}: they must agree",
            story.max_score
        ));
    } else if sum > story.max_score {
        out.hint(format!(
            "the rules give up to {sum} points and max_score is {}: fine only if some exclude each other",
            story.max_score
        ));
    }
}

/// The author's commands, through the parser.
fn solution(loaded: &Loaded, out: &mut Findings) {
    if loaded.solution.is_empty() {
        return out
            .hint(format!("there is no solution for {}: write one, it is the best test", loaded.player));
    }
    let words = Words::new(loaded.story.clone());
    let mut world = loaded.story.start;
    let mut session = Session::new(0, Settings::default());
    let mut told = String::new();
    for line in &loaded.solution {
        told.clear();
        let reply = session.command(&words, &mut world, line, &mut told);
        if !matches!(reply.outcome, Outcome::Ok { .. }) {
            return out.error(format!("the solution stops at \"{line}\": {}", told.trim()));
        }
    }
    let (end, score) = (world.end(), world.score(0));
    if end != End::Won || score < loaded.story.max_score {
        out.error(format!(
            "the solution ends {end:?} with {score} of {} points: it must win with all of them",
            loaded.story.max_score
        ));
    }
}

/// A plan, or why there is none.
fn proof(story: &Story, out: &mut Findings) {
    match planner::plan(story, &story.start, 0, &Budget::default()) {
        Ok(plan) if plan.actions.len() > usize::from(story.cap) => {
            out.error(format!(
                "a plan takes {} turns and the cap is {}: raise it",
                plan.actions.len(),
                story.cap
            ));
        }
        Ok(_) => {}
        Err(why) => out.error(format!("no plan wins with every point: {why}")),
    }
}
