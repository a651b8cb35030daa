//! The game in words: observing, naming and reading actions.

use super::TextAdventure;
use crate::{
    action::{Action, Slot},
    observe,
    parser::{self, ParseError as Fault},
    prose, rules,
};
use rl_gym::{ParseError, TextEnv, suggest};

impl TextAdventure {
    /// The canonical command of an action.
    pub fn command(&self, action: Action, out: &mut String) {
        prose::command_text(self.state.story(), action, out);
    }

    /// The listed action that says the same as `action`: itself, or one of a thing of the same name.
    pub(super) fn listed(&self, action: Action) -> Option<u32> {
        let story = self.state.story();
        let is_topic = rules::entry(action.verb).b == Slot::Topic;
        let name = |e: u8| story.entities.get(usize::from(e)).map_or(e, |x| x.twin);
        let same = |x: &Action| {
            let b = if is_topic { x.b == action.b } else { name(x.b) == name(action.b) };
            x.verb == action.verb && name(x.a) == name(action.a) && b
        };
        self.list
            .iter()
            .position(|x| *x == action)
            .or_else(|| self.list.iter().position(same))
            .map(|i| i as u32)
    }
}

impl TextEnv for TextAdventure {
    fn observe_text(&self, seat: usize, out: &mut String) {
        let mut text = String::new();
        self.state.describe(seat, &self.config, &mut text);
        out.push_str(&text);
    }

    fn legal_text(&self, seat: usize, each: &mut dyn FnMut(u32, &str)) {
        if self.state.asked() != Some(seat) {
            return;
        }
        let mut name = String::new();
        for (i, action) in self.list.iter().enumerate() {
            name.clear();
            self.command(*action, &mut name);
            each(i as u32, &name);
        }
    }

    fn action_name(&self, action: u32) -> Option<String> {
        if action as usize >= observe::ACTIONS {
            return None;
        }
        let mut name = String::new();
        match self.list.get(action as usize) {
            Some(action) => self.command(*action, &mut name),
            None => name = format!("action {action}"),
        }
        Some(name)
    }

    fn parse(&self, seat: usize, text: &str) -> Result<u32, ParseError> {
        let refuse = |mend: String, nearest: Option<String>| ParseError { text: text.into(), nearest, mend };
        if self.state.asked() != Some(seat) {
            return Err(refuse(format!("seat {seat} is not asked now"), None));
        }
        let (story, world, scope) = (self.state.story(), &self.state.world, &self.scope);
        let mut why = String::new();
        match parser::parse_action(&self.state.game.words, world, scope, text) {
            Ok(action) => match self.listed(action) {
                Some(index) => return Ok(index),
                None => why.push_str("it does not work now"),
            },
            Err(Fault::Refused(action, reason)) => {
                prose::refused(story, world, scope, action, reason, &mut why)
            }
            Err(Fault::Error(kind)) => prose::error(story, kind, "", "", &mut why),
            Err(Fault::Meta(meta)) => why = format!("{} is no action of the game", meta.name()),
        }
        let mut names = Vec::new();
        self.legal_text(seat, &mut |_, name| names.push(name.to_owned()));
        let nearest = suggest(text, &names).cloned();
        Err(refuse(format!("{} Now: {}", why.trim(), names.join(", ")), nearest))
    }
}
