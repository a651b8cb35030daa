//! Theft as rules of the story: engine, admissible list and planner read it there.

use crate::{
    action::Verb,
    condition::{Cond, Pred, Term},
    effect::Effect,
    story::{Pattern, Rule, Story, Trigger},
    world::{MAX_COUNTERS, MAX_RULES},
};
use rl_gym::Fault;

/// Rounds from one attempt to the next.
const PAUSE: i16 = 5;

/// Lets seats steal from each other, each once in five rounds. Call it on a sealed story.
///
/// # Errors
/// A story without room for a counter a seat and three rules a seat.
pub(crate) fn allow_theft(story: &mut Story) -> Result<(), Fault> {
    let seats = story.seats.clone();
    let counters = story.counters.len();
    if counters + seats.len() > MAX_COUNTERS || story.rules.len() + 3 * seats.len() > MAX_RULES {
        return Err(Fault::new(format!(
            "theft needs {} counters and {} rules, but \"{}\" has {counters} of {MAX_COUNTERS} counters and {} of \
             {MAX_RULES} rules in use: play it with theft=off",
            seats.len(),
            3 * seats.len(),
            story.title,
            story.rules.len(),
        )));
    }
    let steal = Pattern { verb: Verb::Steal, a: None, b: None };
    for (seat, &figure) in seats.iter().enumerate() {
        let counter = (counters + seat) as u8;
        story.counters.push(format!("theft {seat}"));
        let mine = Cond::yes(Pred::Same(Term::Me, Term::Ent(figure)));
        let waits = Cond::yes(Pred::AtLeast(counter, 1));
        let rule = |trigger, when, effects| Rule { trigger, when, once: false, effects, text: None };
        story.rules.push(rule(Trigger::Forbid(steal), vec![mine, waits], vec![]));
        story.rules.push(rule(Trigger::After(steal), vec![mine], vec![Effect::Count(counter, PAUSE)]));
        story.rules.push(rule(Trigger::EachTurn, vec![mine, waits], vec![Effect::Add(counter, -1)]));
    }
    story.verbs = story.verbs.with(Verb::Steal);
    story.forbids = story.forbids.with(Verb::Steal);
    Ok(())
}
