//! Quests: each adds what it needs to the plot, the rule that rewards it, and its sentence of the objective.

mod craft;
mod goods;
mod orders;
mod people;

use super::{
    knobs::{Hints, Quest},
    plot::{Failure, Plot},
};
use crate::set::Ent;

impl Plot<'_> {
    /// Adds a quest; `is_last` when no other comes after it.
    pub(super) fn add_quest(&mut self, quest: Quest, is_last: bool) -> Result<(), Failure> {
        match quest {
            Quest::Fetch => self.fetch(is_last),
            Quest::Deliver => self.deliver(is_last),
            Quest::Place => self.place(is_last),
            Quest::Return => self.bring_back(is_last),
            Quest::Cook => self.cook(is_last),
            Quest::Assemble => self.assemble(is_last),
            Quest::Trade => self.trade(is_last),
            Quest::Escort => self.escort(is_last),
            Quest::Obey => self.obey(is_last),
        }
    }

    /// Adds what the objective says of a quest.
    fn tell(&mut self, quest: Quest, is_last: bool, slots: &[(&str, &str)]) {
        let part = match self.knobs.hints {
            Hints::Goal | Hints::Steps => "goal",
            Hints::Riddle => "riddle",
            Hints::Last if is_last => "last",
            Hints::Last => return,
        };
        let key = format!("{}.{part}", quest.name());
        let text = super::words::fill(self.lines.pick(&mut self.rng, &key), slots);
        self.sentences.push(super::words::capital(&text));
    }

    /// `in the kitchen`, `on the shelf in the kitchen` is left to the parser's prose; quests name one place.
    fn in_the(&self, e: Ent) -> String {
        let top = self.story.is(e, crate::entity::Attr::Supporter);
        format!("{} {}", if top { "on" } else { "in" }, self.the(e))
    }

    /// `a, b and c`.
    fn listed(&self, things: &[String]) -> String {
        match things {
            [] => String::new(),
            [one] => one.clone(),
            [all @ .., last] => format!("{} and {last}", all.join(", ")),
        }
    }
}
