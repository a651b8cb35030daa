//! The quest of reading instructions and following them.

use crate::{
    action::{Action, Verb},
    condition::{Cond, Pred},
    effect::Effect,
    entity::Attr,
    generate::{
        knobs::Quest,
        plot::{Failure, Plot},
    },
    story::{Pattern, Rule, Trigger},
};

impl Plot<'_> {
    pub(super) fn obey(&mut self, is_last: bool) -> Result<(), Failure> {
        let theme = self.theme;
        let last = self.last_stage();
        let note = self.draw("notes", &theme.notes, &[Attr::Portable, Attr::Readable])?;
        let room = self.far_room(last, |_, _| true).unwrap_or(0);
        self.put(note, room);
        let mut machines: Vec<usize> = (0..theme.machines.len()).collect();
        self.rng.shuffle(&mut machines);
        machines.truncate(self.knobs.pieces.max(2).into());
        let mut acts = Vec::new();
        for m in machines {
            let machine = &theme.machines[m];
            let (verb, attr) = match machine.verb.as_str() {
                "push" => (Verb::Push, Attr::Push),
                "pull" => (Verb::Pull, Attr::Pull),
                _ => (Verb::Turn, Attr::Turn),
            };
            let e = self.draw("machines", std::slice::from_ref(&machine.noun), &[attr])?;
            let room = self.far_room(last, Self::is_lit).unwrap_or(0);
            self.story.start.place(e, room);
            acts.push(Action::on(verb, e));
        }
        let first = self.story.flags.len() as u8;
        if usize::from(first) + acts.len() + 1 > crate::world::MAX_FLAGS {
            return Err(Failure::new("quest_count", "the quests need more flags than a story has"));
        }
        for i in 0..=acts.len() {
            self.story.flags.push(format!("order {} step {i}", first));
        }
        let after = |a: Action| {
            let b = if a.b == crate::set::NONE { None } else { Some(a.b) };
            Trigger::After(Pattern { verb: a.verb, a: Some(a.a), b })
        };
        let read = Rule {
            trigger: after(Action::on(Verb::Read, note)),
            when: vec![],
            once: false,
            effects: vec![Effect::Flag(first, true)],
            text: None,
        };
        self.rule(read)?;
        for (i, act) in acts.iter().enumerate() {
            let before = first + i as u8;
            if i > 0 {
                // Out of order: from the beginning.
                let text = Some(self.say("obey.reset", &[]));
                let when = vec![Cond::no(Pred::Flag(before)), Cond::yes(Pred::Flag(first + 1))];
                let effects = (1..=i as u8).map(|k| Effect::Flag(first + k, false)).collect();
                self.rule(Rule { trigger: after(*act), when, once: false, effects, text })?;
            }
            let when = vec![Cond::yes(Pred::Flag(before))];
            let effects = vec![Effect::Flag(before + 1, true)];
            self.rule(Rule { trigger: after(*act), when, once: false, effects, text: None })?;
        }
        let how: Vec<String> = acts.iter().map(|a| format!("{} {}", a.verb.name(), self.the(a.a))).collect();
        let (list, name) = (how.join(", "), self.the(note));
        let page = self.sentence("obey.page", &[("list", &list)]);
        self.story.entities[usize::from(note)].writing = page;
        let done = self.say("obey.done", &[]);
        self.point(vec![Cond::yes(Pred::Flag(first + acts.len() as u8))], vec![], Some(done))?;
        let end = acts.last().map_or((String::new(), ""), |a| (self.the(a.a), a.verb.name()));
        self.tell(Quest::Obey, is_last, &[("x", &name), ("y", &end.0), ("how", end.1)]);
        Ok(())
    }
}
