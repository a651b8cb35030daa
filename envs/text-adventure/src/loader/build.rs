//! Compiles a story file: names become entities, words become rules.

use super::{
    Loaded,
    error::{Source, StoryError, advice},
    file::{ActorFile, PatternFile, RuleFile, StoryFile, ThingFile},
};
use crate::{
    action::{Dir, Slot, Verb},
    entity::{Attr, Bit, Entity, Persona},
    rules::entry,
    set::{Ent, MAX_ENTITIES, NONE, Set},
    story::{Exit, Pattern, Recipe, Rule, Story, Topic, Trigger},
    world::{MAX_COUNTERS, MAX_FLAGS, MAX_RULES},
};
use std::sync::Arc;

pub(super) type Outcome<T> = Result<T, Box<StoryError>>;

/// Topics of one story at most: they are bits of the state.
const MAX_TOPICS: usize = 64;

/// Compiles `file` with `player` as the one who is played.
pub(super) fn build(source: Source<'_>, file: &StoryFile, player: Option<&str>) -> Outcome<Loaded> {
    let mut builder = Builder::new(source, file)?;
    let player = builder.player(player)?;
    builder.rooms()?;
    builder.things()?;
    builder.actors()?;
    builder.topics()?;
    builder.recipes()?;
    builder.rules()?;
    builder.story.seats = vec![builder.entity(&["players"], &player)?];
    builder.story.mark(builder.story.seats[0], Attr::Seat);
    builder.story.seal();
    let solution = file.solutions.iter().find(|(who, _)| *who == player).map(|(_, lines)| lines.clone());
    Ok(Loaded {
        story: Arc::new(builder.story),
        players: file.players.clone(),
        player,
        solution: solution.unwrap_or_default(),
    })
}

pub(super) struct Builder<'a> {
    source: Source<'a>,
    file: &'a StoryFile,
    /// Keys of all entities in their order.
    keys: Vec<&'a str>,
    /// `actor.topic` of all topics in their order.
    pub(super) topics: Vec<String>,
    story: Story,
}

impl<'a> Builder<'a> {
    fn new(source: Source<'a>, file: &'a StoryFile) -> Outcome<Self> {
        let mut story = Story::new(&file.title);
        story.intro.clone_from(&file.intro);
        story.objective.clone_from(&file.objective);
        story.cap = file.cap;
        story.max_score = file.max_score;
        story.flags.clone_from(&file.flags);
        story.counters = file.counters.iter().map(|(name, _)| name.to_owned()).collect();
        let keys: Vec<&str> = (file.rooms.iter().map(|x| x.0))
            .chain(file.doors.iter().map(|x| x.0))
            .chain(file.things.iter().map(|x| x.0))
            .chain(file.actors.iter().map(|x| x.0))
            .collect();
        let topics = file
            .actors
            .iter()
            .flat_map(|(who, a)| a.topics.iter().map(move |(t, _)| format!("{who}.{t}")))
            .collect();
        let builder = Self { source, file, keys, topics, story };
        builder.limits()?;
        Ok(builder)
    }

    fn limits(&self) -> Outcome<()> {
        let most = |what: &str, seen: usize, most: usize| {
            if seen <= most {
                return Ok(());
            }
            let mend = Some(format!("a story may have {most}"));
            Err(self.source.about(&[], what, format!("{seen} {what}"), mend))
        };
        most("rooms", self.file.rooms.0.len(), 64)?;
        most("things", self.keys.len(), MAX_ENTITIES)?;
        most("rules", self.file.rules.len(), MAX_RULES)?;
        most("flags", self.file.flags.len(), MAX_FLAGS)?;
        most("counters", self.file.counters.0.len(), MAX_COUNTERS)?;
        most("topics", self.topics.len(), MAX_TOPICS)?;
        if self.file.rooms.0.is_empty() {
            return Err(self.source.about(&[], "rooms", "a story without rooms".into(), None));
        }
        for (i, key) in self.keys.iter().enumerate() {
            if self.keys[..i].contains(key) {
                let mend = "rooms, doors, things and actors share one list of keys: give it another one";
                return Err(self.source.about(
                    &[key],
                    key,
                    format!("two things have the key \"{key}\""),
                    Some(mend.into()),
                ));
            }
            if ["me", "here", "a", "b", "nowhere"].contains(key) {
                let mend = "me, here, a, b and nowhere have meanings of their own: give it another key";
                return Err(self.source.about(
                    &[],
                    key,
                    format!("\"{key}\" cannot be a key"),
                    Some(mend.into()),
                ));
            }
        }
        Ok(())
    }

    fn player(&self, asked: Option<&str>) -> Outcome<String> {
        let players = &self.file.players;
        let Some(first) = players.first() else {
            return Err(self.source.about(
                &[],
                "players",
                "nobody can be played".into(),
                Some("name an actor".into()),
            ));
        };
        for who in players {
            if self.file.actors.position(who).is_none() {
                let mend = advice(who, self.file.actors.iter().map(|x| x.0));
                return Err(self.source.about(
                    &["players"],
                    who,
                    format!("\"{who}\" is no actor"),
                    Some(mend),
                ));
            }
        }
        let player = asked.unwrap_or(first);
        if !players.iter().any(|p| p == player) {
            let mend = advice(player, players.iter().map(String::as_str));
            return Err(self.source.about(
                &[],
                "players",
                format!("\"{player}\" cannot be played"),
                Some(mend),
            ));
        }
        Ok(player.into())
    }

    /// The entity with this key.
    pub(super) fn entity(&self, path: &[&str], key: &str) -> Outcome<Ent> {
        self.keys.iter().position(|k| *k == key).map(|i| i as Ent).ok_or_else(|| {
            let mend = advice(key, self.keys.iter().copied());
            self.source.about(path, key, format!("nothing has the key \"{key}\""), Some(mend))
        })
    }

    fn entities(&self, path: &[&str], keys: &[String]) -> Outcome<Set> {
        keys.iter().map(|k| self.entity(path, k)).collect()
    }

    /// Finds `word` by name, or says which names there are.
    fn named<T>(
        &self,
        path: &[&str],
        kind: &str,
        word: &str,
        found: Option<T>,
        known: impl IntoIterator<Item = &'static str>,
    ) -> Outcome<T> {
        found.ok_or_else(|| {
            self.source.about(path, word, format!("\"{word}\" is no {kind}"), Some(advice(word, known)))
        })
    }

    pub(super) fn attr(&self, path: &[&str], word: &str) -> Outcome<Attr> {
        self.named(path, "attribute", word, Attr::named(word), Attr::ALL.iter().map(|a| a.name()))
    }

    pub(super) fn bit(&self, path: &[&str], word: &str) -> Outcome<Bit> {
        self.named(path, "state", word, Bit::named(word), Bit::ALL.iter().map(|b| b.name()))
    }

    fn dir(&self, path: &[&str], word: &str) -> Outcome<Dir> {
        self.named(path, "direction", word, Dir::named(word), Dir::ALL.iter().map(|d| d.name()))
    }

    pub(super) fn flag(&self, path: &[&str], name: &str) -> Outcome<u8> {
        let flags = self.file.flags.iter().map(String::as_str);
        self.index(path, "flag", name, flags.collect())
    }

    pub(super) fn counter(&self, path: &[&str], name: &str) -> Outcome<u8> {
        self.index(path, "counter", name, self.file.counters.iter().map(|x| x.0).collect())
    }

    pub(super) fn index(&self, path: &[&str], kind: &str, name: &str, known: Vec<&str>) -> Outcome<u8> {
        known.iter().position(|k| *k == name).map(|i| i as u8).ok_or_else(|| {
            let mend = advice(name, known);
            self.source.about(path, name, format!("there is no {kind} \"{name}\""), Some(mend))
        })
    }

    fn rooms(&mut self) -> Outcome<()> {
        for (index, (_, value)) in self.file.counters.iter().enumerate() {
            self.story.start.count(index as u8, *value);
        }
        for (_, room) in self.file.rooms.iter() {
            let entity = Entity { text: room.text.clone(), ..Entity::new(&room.name) };
            self.story.add_room(entity, if room.dark { &[Attr::Dark] } else { &[] });
        }
        for (key, room) in self.file.rooms.iter() {
            let from = self.entity(&["rooms"], key)?;
            for (dir, exit) in room.exits.iter() {
                let path = ["rooms", key, "exits", dir];
                let dir = self.dir(&path[..3], dir)?;
                let to = self.room(&path, &exit.to)?;
                let door = exit.door.as_ref().map_or(Ok(NONE), |d| self.door(&path, d))?;
                self.story.exits[usize::from(from)][dir as usize] = Exit { to, door };
            }
        }
        Ok(())
    }

    fn room(&self, path: &[&str], key: &str) -> Outcome<Ent> {
        let found = self.file.rooms.position(key).map(|i| i as Ent);
        found.ok_or_else(|| {
            let mend = advice(key, self.file.rooms.iter().map(|x| x.0));
            self.source.about(path, key, format!("there is no room \"{key}\""), Some(mend))
        })
    }

    fn door(&self, path: &[&str], key: &str) -> Outcome<Ent> {
        let found = self.file.doors.position(key).map(|i| (i + self.file.rooms.0.len()) as Ent);
        found.ok_or_else(|| {
            let mend = advice(key, self.file.doors.iter().map(|x| x.0));
            self.source.about(path, key, format!("there is no door \"{key}\""), Some(mend))
        })
    }

    fn things(&mut self) -> Outcome<()> {
        for (key, door) in self.file.doors.iter() {
            let e = self.thing("doors", key, door)?;
            self.story.mark(e, Attr::Door);
            let sides: Set = self
                .story
                .exits
                .iter()
                .enumerate()
                .flat_map(|(room, exits)| {
                    exits.iter().filter(move |x| x.door == e).flat_map(move |x| [room as Ent, x.to])
                })
                .collect();
            let sides: Vec<Ent> = sides.iter().collect();
            let [a, b] = sides[..] else {
                let what = format!("the door \"{key}\" joins {} rooms", sides.len());
                let mend = "name it in the exits between two rooms".to_owned();
                return Err(self.source.about(&["doors"], key, what, Some(mend)));
            };
            self.story.entities[usize::from(e)].sides = [a, b];
        }
        for (key, thing) in self.file.things.iter() {
            self.thing("things", key, thing)?;
        }
        Ok(())
    }

    fn thing(&mut self, list: &str, key: &str, t: &ThingFile) -> Outcome<Ent> {
        let path = [list, key];
        let mut entity = Entity {
            text: t.text.clone(),
            writing: t.writing.clone(),
            first: t.first.clone(),
            capacity: t.capacity.unwrap_or(20),
            size: t.size.unwrap_or(1),
            value: t.value,
            ..Entity::new(&t.name)
        };
        entity.name.synonyms.clone_from(&t.synonyms);
        if let Some(key) = &t.key {
            entity.key = self.entity(&path, key)?;
        }
        if let Some(fuel) = &t.fuel {
            entity.fuel = Some(self.counter(&path, fuel)?);
        }
        if let Some(heat) = &t.heat {
            entity.heat = self.bit(&path, heat)?;
        }
        self.enter(&path, entity, &t.is, &t.starts, t.at.as_deref())
    }

    /// Adds an entity with its attributes, bits and place.
    fn enter(
        &mut self,
        path: &[&str],
        entity: Entity,
        attrs: &[String],
        starts: &[String],
        at: Option<&str>,
    ) -> Outcome<Ent> {
        let attrs = attrs.iter().map(|a| self.attr(path, a)).collect::<Outcome<Vec<_>>>()?;
        let bits = starts.iter().map(|b| self.bit(path, b)).collect::<Outcome<Vec<_>>>()?;
        let place = at.map_or(Ok(NONE), |at| self.entity(path, at))?;
        let e = self.story.add(entity, &attrs);
        self.story.start.place(e, place);
        bits.into_iter().for_each(|b| self.story.start.put(e, b, true));
        if place != NONE && self.story.start.is_within(place, e) {
            let at = at.unwrap_or_default();
            return Err(self.source.about(path, at, "a thing cannot lie within itself".into(), None));
        }
        Ok(e)
    }

    fn actors(&mut self) -> Outcome<()> {
        for (key, a) in self.file.actors.iter() {
            let e = self.actor(key, a)?;
            self.story.mark(e, Attr::Actor);
        }
        Ok(())
    }

    fn actor(&mut self, key: &str, a: &ActorFile) -> Outcome<Ent> {
        let path = ["actors", key];
        let p = a.persona;
        let mut entity = Entity {
            text: a.text.clone(),
            first: a.first.clone(),
            capacity: a.capacity.unwrap_or(12),
            wants: self.entities(&path, &a.wants)?,
            sells: self.entities(&path, &a.sells)?,
            patrol: a.patrol.iter().map(|r| self.room(&path, r)).collect::<Outcome<_>>()?,
            pace: a.pace,
            persona: Persona {
                kind: p.kind,
                greedy: p.greedy,
                curious: p.curious,
                timid: p.timid,
                loyal: p.loyal,
            },
            ..Entity::new(&a.name)
        };
        entity.name.synonyms.clone_from(&a.synonyms);
        self.enter(&path, entity, &a.is, &a.starts, a.at.as_deref())
    }

    fn topics(&mut self) -> Outcome<()> {
        for (who, actor) in self.file.actors.iter() {
            for (key, t) in actor.topics.iter() {
                let path = ["actors", who, "topics", key];
                let topic = Topic {
                    actor: self.entity(&path, who)?,
                    words: [key.to_owned()].into_iter().chain(t.words.iter().cloned()).collect(),
                    is_told: t.told,
                    when: self.conds(&path, &t.when)?,
                    answer: self.story.add_text(&t.say),
                    effects: self.effects(&path, &t.effects)?,
                };
                self.story.topics.push(topic);
            }
        }
        Ok(())
    }

    fn recipes(&mut self) -> Outcome<()> {
        for r in &self.file.recipes {
            let path = ["recipes"];
            let (a, b) = (self.entity(&path, &r.a)?, self.entity(&path, &r.b)?);
            let makes = self.entity(&path, &r.makes)?;
            let bit = |word: &Option<String>| word.as_ref().map(|w| self.bit(&path, w)).transpose();
            let bits = [bit(&r.a_is)?, bit(&r.b_is)?];
            [a, b].into_iter().for_each(|e| self.story.mark(e, Attr::Part));
            self.story.recipes.push(Recipe { a, b, makes, bits });
        }
        Ok(())
    }

    fn rules(&mut self) -> Outcome<()> {
        for (index, rule) in self.file.rules.iter().enumerate() {
            let path = ["rules"];
            let trigger = self.trigger(&path, index, rule)?;
            let text = rule.say.as_ref().map(|t| self.story.add_text(t));
            let compiled = Rule {
                trigger,
                when: self.conds(&path, &rule.when)?,
                once: !rule.repeat && !matches!(trigger, Trigger::Forbid(_)),
                effects: self.effects(&path, &rule.effects)?,
                text,
            };
            self.story.rules.push(compiled);
        }
        Ok(())
    }

    fn trigger(&self, path: &[&str], index: usize, rule: &RuleFile) -> Outcome<Trigger> {
        Ok(match (&rule.after, &rule.forbid, rule.each_turn) {
            (Some(p), None, false) => Trigger::After(self.pattern(path, p)?),
            (None, Some(p), false) => Trigger::Forbid(self.pattern(path, p)?),
            (None, None, true) => Trigger::EachTurn,
            (None, None, false) => Trigger::Always,
            _ => {
                let what = format!("rule {} has several triggers", index + 1);
                let mend = "give a rule one of after, forbid and each_turn, or none".to_owned();
                return Err(self.source.about(path, "rules", what, Some(mend)));
            }
        })
    }

    fn pattern(&self, path: &[&str], p: &PatternFile) -> Outcome<Pattern> {
        let verb =
            self.named(path, "verb", &p.verb, Verb::named(&p.verb), Verb::ALL.iter().map(|v| v.name()))?;
        let slots = [(entry(verb).a, &p.a), (entry(verb).b, &p.b)];
        let [a, b] =
            slots.map(|(slot, word)| word.as_ref().map(|w| self.slot(path, &p.verb, slot, w)).transpose());
        Ok(Pattern { verb, a: a?, b: b? })
    }

    fn slot(&self, path: &[&str], verb: &str, slot: Slot, word: &str) -> Outcome<Ent> {
        match slot {
            Slot::Thing => self.entity(path, word),
            Slot::Dir => self.dir(path, word).map(Dir::slot),
            Slot::Topic => self.topic(path, word),
            Slot::None => {
                let what = format!("\"{verb}\" takes no such object: \"{word}\"");
                Err(self.source.about(path, word, what, Some("leave it out".into())))
            }
        }
    }
}
