//! People, and quests about them: trade and escort.

use crate::{
    action::Verb,
    condition::{Cond, Pred, Term},
    effect::Effect,
    entity::{Attr, Bit, Entity, Persona},
    generate::{
        knobs::Quest,
        plot::{Failure, Plot},
        words::{capital, fill},
    },
    set::{Ent, NONE},
    story::{Pattern, Rule, Topic, Trigger},
};

/// From this much kindness on somebody tells what they have seen, for nothing.
const KIND: u8 = 50;

impl Plot<'_> {
    /// Somebody, in a lit room that passes `ok`.
    pub(in crate::generate) fn person(&mut self, ok: impl Fn(&Self, Ent) -> bool) -> Result<Ent, Failure> {
        let theme = self.theme;
        let first = self.rng.below(theme.people.len() as u32) as usize;
        let around = (0..theme.people.len()).map(|i| &theme.people[(first + i) % theme.people.len()]);
        let fresh = around.clone().find(|p| !self.names.has_noun(&p.name));
        let (kind, name) = match fresh {
            Some(kind) => (kind, self.names.plain(&kind.name)),
            None => {
                let kind = &theme.people[first];
                let list = &theme.person_adjectives;
                (kind, self.names.with(&kind.name, list, &[], &mut self.rng))
            }
        };
        let name = name.ok_or_else(|| Failure::new("people", "the theme has no more people in this fold"))?;
        let mut attrs = vec![Attr::Actor];
        match kind.sex.as_str() {
            "she" => attrs.push(Attr::Female),
            "he" => attrs.push(Attr::Male),
            _ => {}
        }
        let [kindness, greedy, curious, timid, loyal] = kind.persona;
        let persona = Persona { kind: kindness, greedy, curious, timid, loyal };
        let e = self.story.add(Entity { name, text: kind.text.clone(), persona, ..Entity::new("") }, &attrs);
        let last = self.last_stage();
        let room = self
            .far_room(last, |p, r| p.is_lit(r) && ok(p, r))
            .ok_or_else(|| Failure::new("dark", "no lit room is left for somebody"))?;
        self.story.start.place(e, room);
        let line = &kind.lines[self.rng.below(kind.lines.len() as u32) as usize];
        let who = self.the(e);
        let answer = self.say("greeting", &[("who", &who), ("line", line)]);
        self.topic(e, &["news", "weather", "day"], answer, vec![])?;
        Ok(e)
    }

    /// Something that `actor` can be asked about.
    pub(in crate::generate) fn topic(
        &mut self,
        actor: Ent,
        words: &[&str],
        answer: crate::story::TextId,
        effects: Vec<Effect>,
    ) -> Result<u8, Failure> {
        if self.story.topics.len() >= 64 {
            return Err(Failure::new("people", "there are more topics than a story has"));
        }
        let words = words.iter().map(|w| (*w).to_owned()).collect();
        self.story.topics.push(Topic { actor, words, is_told: false, when: vec![], answer, effects });
        Ok((self.story.topics.len() - 1) as u8)
    }

    pub(super) fn trade(&mut self, is_last: bool) -> Result<(), Failure> {
        let theme = self.theme;
        let first = self.draw("goods", &theme.goods, &[Attr::Portable])?;
        self.story.entities[usize::from(first)].value = 100;
        self.needed.push(first);
        let last = self.last_stage();
        let room = self.far_room(last, |_, _| true).unwrap_or(0);
        self.put(first, room);
        let mut chain = vec![first];
        let mut sellers = Vec::new();
        for _ in 0..self.knobs.pieces.min(4) {
            let who = self.person(|_, _| true)?;
            let want = chain[chain.len() - 1];
            let good = self.draw("goods", &theme.goods, &[Attr::Portable])?;
            self.needed.push(good);
            self.story.start.place(good, who);
            let paid = u32::from(self.story.entity(want).value);
            let greedy = &mut self.story.entities[usize::from(who)].persona.greedy;
            *greedy = (*greedy).min(90);
            let asked = paid * 100 / (100 + u32::from(*greedy));
            self.story.entities[usize::from(who)].sells.insert(good);
            self.story.entities[usize::from(good)].value = asked as u8;
            let (x, y, person) = (self.the(want), self.the(good), self.the(who));
            let slots = [("x", x.as_str()), ("y", y.as_str()), ("who", person.as_str())];
            let answer = self.say("trade.offer", &slots);
            let word = self.lines.pick(&mut self.rng, "trade.topic");
            self.topic(who, &[word], answer, vec![])?;
            // What comes earlier in the chain is worth more, but is not what this trader wants.
            for &early in &chain[..chain.len() - 1] {
                let text = Some(self.say("trade.not_that", &slots));
                let pattern = Pattern { verb: Verb::Offer, a: Some(early), b: Some(good) };
                let trigger = Trigger::Forbid(pattern);
                self.rule(Rule { trigger, when: vec![], once: false, effects: vec![], text })?;
            }
            chain.push(good);
            sellers.push(who);
        }
        let x = chain[chain.len() - 1];
        let (name, hint) = (self.the(x), self.hint(x));
        let done = self.say("trade.done", &[("x", &name)]);
        self.point(vec![Self::held(x)], vec![], Some(done))?;
        self.tell(Quest::Trade, is_last, &[("x", &name), ("hint", &hint)]);
        Ok(())
    }

    pub(super) fn escort(&mut self, is_last: bool) -> Result<(), Failure> {
        let who = self.person(|_, _| true)?;
        let from = self.story.start.parent(who);
        let last = self.last_stage();
        let to = self
            .far_room(last, |_, r| r != from)
            .ok_or_else(|| Failure::new("rooms", "there is no other room to lead somebody to"))?;
        let (room, person) = (self.the(to), self.the(who));
        let slots = [("who", person.as_str()), ("room", room.as_str())];
        let come = self.say("escort.come", &slots);
        let word = self.lines.pick(&mut self.rng, "escort.topic");
        let topic = self.topic(who, &[word], come, vec![Effect::Set(Bit::Following, Term::Ent(who))])?;
        let done = self.say("escort.done", &slots);
        let rule = self.point(
            vec![Self::lies(who, to)],
            vec![Effect::Clear(Bit::Following, Term::Ent(who))],
            Some(done),
        )?;
        // Whoever has arrived stays.
        self.story.topics[usize::from(topic)].when = vec![Cond::no(Pred::Fired(rule))];
        self.tell(Quest::Escort, is_last, &slots);
        Ok(())
    }

    /// People without a quest. The kind ones have seen something that is needed and can be asked about it.
    pub(in crate::generate) fn bystanders(&mut self) -> Result<(), Failure> {
        for _ in 0..self.knobs.people {
            if self.left() <= 8 || self.story.topics.len() >= 60 {
                break;
            }
            let who = self.person(|_, _| true)?;
            let lying: Vec<Ent> =
                self.needed.iter().copied().filter(|x| self.story.start.parent(*x) != NONE).collect();
            if self.story.entity(who).persona.kind < KIND || lying.is_empty() {
                continue;
            }
            let x = lying[self.rng.below(lying.len() as u32) as usize];
            let room = self.story.start.outermost(x);
            let place = format!("in {}", self.the(room));
            let (name, person) = (self.the(x), self.the(who));
            let slots = [("x", name.as_str()), ("who", person.as_str()), ("place", place.as_str())];
            let answer = self.say("seen", &slots);
            let noun = self.story.entity(x).name.noun.clone();
            self.topic(who, &[&noun], answer, vec![])?;
        }
        Ok(())
    }

    /// A sentence with its slots filled.
    pub(in crate::generate) fn sentence(&mut self, key: &str, slots: &[(&str, &str)]) -> String {
        capital(&fill(self.lines.pick(&mut self.rng, key), slots))
    }
}
