//! A game in the making: rooms, doors and furniture from skeleton and theme, and where things are put.

use super::{
    knobs::Knobs,
    names::Names,
    skeleton::Skeleton,
    theme::{HostKind, Noun, Theme},
    words::{self, Lines, fill, the},
};
use crate::{
    condition::{Cond, Pred, Term},
    effect::Effect,
    entity::{Attr, Bit, Entity, Name},
    set::{Ent, NONE},
    story::{Rule, Story, TextId, Trigger},
};
use rl_gym::Pcg64;

/// Why an attempt came to nothing, and the knob that it ran into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    pub(super) knob: &'static str,
    pub(super) why: String,
}

impl Failure {
    pub(super) fn new(knob: &'static str, why: impl Into<String>) -> Self {
        Self { knob, why: why.into() }
    }
}

/// Furniture that was set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    pub(super) e: Ent,
    pub(super) room: Ent,
    pub(super) kind: HostKind,
}

/// A game in the making.
#[derive(Debug)]
pub(super) struct Plot<'k> {
    pub(super) knobs: &'k Knobs,
    pub(super) theme: &'static Theme,
    pub(super) lines: &'static Lines,
    pub(super) rng: Pcg64,
    pub(super) story: Story,
    pub(super) skeleton: Skeleton,
    pub(super) names: Names,
    pub(super) spots: Vec<Spot>,
    pub(super) me: Ent,
    /// How far the things of quests are put, in percent of the farthest.
    pub(super) reach: u32,
    /// What the objective says, one sentence a quest.
    pub(super) sentences: Vec<String>,
    /// Rules that give points.
    pub(super) scored: Vec<u8>,
    /// Things that the player needs, so that nothing may make away with them.
    pub(super) needed: Vec<Ent>,
    /// Rooms by the kind that each is of.
    pub(super) kinds: Vec<usize>,
    /// Seats beside the first one. Each begins behind a gate that it alone can open.
    pub(super) partners: u8,
    /// Doors that partners open, with the seat that does.
    pub(super) opened: Vec<(usize, Ent)>,
}

impl Plot<'_> {
    /// Adds the rooms with their connections, doors and furniture, and the player.
    pub(super) fn set_up(&mut self) -> Result<(), Failure> {
        self.add_rooms()?;
        self.me = self.story.add(Entity::new("yourself"), &[Attr::Actor, Attr::Seat, Attr::Proper]);
        let me = &mut self.story.entities[usize::from(self.me)];
        me.capacity = self.knobs.capacity;
        me.text = self.lines.pick(&mut self.rng, "yourself").to_owned();
        self.story.seats.push(self.me);
        self.story.start.place(self.me, 0);
        for name in self.lines.all("partners").iter().take(self.partners.into()) {
            let text = self.lines.pick(&mut self.rng, "yourself").to_owned();
            let entity = Entity { text, capacity: self.knobs.capacity, ..Entity::new(name) };
            let partner = self.story.add(entity, &[Attr::Actor, Attr::Seat]);
            self.story.seats.push(partner);
            self.story.start.place(partner, 0);
        }
        self.add_exits()?;
        self.furnish();
        Ok(())
    }

    fn add_rooms(&mut self) -> Result<(), Failure> {
        let rooms = usize::from(self.knobs.rooms);
        let mut dark: Vec<usize> = (1..rooms).collect();
        self.rng.shuffle(&mut dark);
        dark.truncate(self.knobs.dark.into());
        for room in 0..rooms {
            let kind = &self.theme.rooms[self.kinds[room]];
            let name = self
                .names
                .plain(&kind.name)
                .or_else(|| self.names.with(&kind.name, &self.theme.room_adjectives, &[], &mut self.rng))
                .ok_or_else(|| Failure::new("rooms", "the theme has no more names of rooms in this fold"))?;
            let text = &kind.texts[self.rng.below(kind.texts.len() as u32) as usize];
            let detail = &self.theme.details[self.rng.below(self.theme.details.len() as u32) as usize];
            let text = match self.rng.below(2) {
                0 => format!("{text} {detail}"),
                _ => text.clone(),
            };
            let attrs: &[Attr] = if dark.contains(&room) { &[Attr::Dark] } else { &[] };
            self.story.add_room(Entity { name, text, ..Entity::new("") }, attrs);
        }
        Ok(())
    }

    fn add_exits(&mut self) -> Result<(), Failure> {
        for edge in self.skeleton.edges.clone() {
            if edge.one_way {
                let exit = crate::story::Exit { to: edge.to, door: NONE };
                self.story.exits[usize::from(edge.from)][edge.dir as usize] = exit;
                continue;
            }
            let is_gate = edge.gate > 0;
            if !is_gate && self.rng.below(100) >= u32::from(self.knobs.doors) {
                self.story.join(edge.from, edge.dir, edge.to, NONE);
                continue;
            }
            let attrs: &[Attr] = match is_gate {
                true => &[Attr::Door, Attr::Openable, Attr::Lockable],
                false => &[Attr::Door, Attr::Openable],
            };
            let theme = self.theme;
            let door = self.draw("doors", &theme.doors, attrs)?;
            self.story.join(edge.from, edge.dir, edge.to, door);
            if is_gate {
                self.story.start.put(door, Bit::Locked, true);
            }
        }
        Ok(())
    }

    /// Puts one or two pieces of furniture into every room, as many as entities are left for.
    fn furnish(&mut self) {
        let rooms = usize::from(self.knobs.rooms);
        let most = if rooms <= 24 { 2 } else { 1 };
        for room in 0..rooms as Ent {
            let kind = &self.theme.rooms[self.kinds[usize::from(room)]];
            let mut hosts: Vec<&String> = kind.hosts.iter().collect();
            self.rng.shuffle(&mut hosts);
            let count = 1 + self.rng.below(most);
            for host in hosts.into_iter().take(count as usize) {
                self.host(host, room);
            }
        }
    }

    /// Sets up a piece of furniture in `room`; `None` when no name is left for it.
    pub(super) fn host(&mut self, name: &str, room: Ent) -> Option<Spot> {
        let host = &self.theme.hosts[name];
        let any = &self.theme.adjectives["any"];
        let full = self.names.plain(name).or_else(|| self.names.with(name, any, &[], &mut self.rng))?;
        let mut attrs: Vec<Attr> = match host.kind {
            HostKind::Top => vec![Attr::Supporter],
            HostKind::Box => vec![Attr::Container, Attr::Openable],
            HostKind::Nook => vec![],
        };
        attrs.extend(host.plural.then_some(Attr::Plural));
        attrs.extend(host.mass.then_some(Attr::Mass));
        let e = self.story.add(Entity { name: full, text: host.text.clone(), ..Entity::new("") }, &attrs);
        self.story.start.place(e, room);
        let spot = Spot { e, room, kind: host.kind };
        self.spots.push(spot);
        Some(spot)
    }

    /// How many more entities there is room for.
    pub(super) fn left(&self) -> usize {
        crate::set::MAX_ENTITIES - 4 - self.story.len()
    }

    /// Adds one of `nouns` out of play; the caller places it.
    pub(super) fn draw(
        &mut self,
        list: &'static str,
        nouns: &'static [Noun],
        attrs: &[Attr],
    ) -> Result<Ent, Failure> {
        let theme = self.theme;
        let (noun, name) = self
            .names
            .draw(theme, nouns, &mut self.rng)
            .ok_or_else(|| Failure::new("fold", format!("no name is left among {list} of the theme")))?;
        Ok(self.add_noun(noun, name, attrs))
    }

    /// Adds a thing of this name out of play.
    pub(super) fn add_noun(&mut self, noun: &'static Noun, name: Name, attrs: &[Attr]) -> Ent {
        let phrase = the(&name.phrase());
        let text = fill(&noun.text, &[("the", &phrase)]);
        let mut all = attrs.to_vec();
        all.extend(noun.plural.then_some(Attr::Plural));
        all.extend(noun.mass.then_some(Attr::Mass));
        self.story.add(Entity { name, text, ..Entity::new("") }, &all)
    }

    /// What somebody calls `e` who does not name it.
    pub(super) fn hint(&self, e: Ent) -> String {
        let noun = &self.story.entity(e).name.noun;
        self.theme.hint(noun).map_or_else(|| self.the(e), str::to_owned)
    }

    /// `the small brass key`.
    pub(super) fn the(&self, e: Ent) -> String {
        the(&self.story.entity(e).name.phrase())
    }

    /// After how many gates `room` can be reached.
    pub(super) fn stage(&self, room: Ent) -> u8 {
        self.skeleton.stage[usize::from(room)]
    }

    /// A room that can be reached after `stage` gates, about as far off as [`Plot::reach`] says.
    pub(super) fn far_room(&mut self, stage: u8, ok: impl Fn(&Self, Ent) -> bool) -> Option<Ent> {
        let mut rooms: Vec<(u16, Ent)> = (0..self.knobs.rooms)
            .filter(|r| self.stage(*r) <= stage && ok(self, *r))
            .map(|r| (self.skeleton.far[usize::from(r)] + 2 * u16::from(self.stage(r)), r))
            .collect();
        rooms.sort_unstable();
        let n = rooms.len() as u32;
        let at = (self.reach * n / 100 + self.rng.below(n.div_ceil(4).max(1))).min(n.max(1) - 1);
        rooms.get(at as usize).map(|r| r.1)
    }

    /// Any room that can be reached after `stage` gates.
    pub(super) fn any_room(&mut self, stage: u8, ok: impl Fn(&Self, Ent) -> bool) -> Option<Ent> {
        let rooms: Vec<Ent> =
            (0..self.knobs.rooms).filter(|r| self.stage(*r) <= stage && ok(self, *r)).collect();
        (!rooms.is_empty()).then(|| rooms[self.rng.below(rooms.len() as u32) as usize])
    }

    pub(super) fn is_lit(&self, room: Ent) -> bool {
        !self.story.is(room, Attr::Dark)
    }

    /// The number of gates: after as many every room can be reached.
    pub(super) const fn last_stage(&self) -> u8 {
        self.knobs.gates
    }

    /// Puts `e` somewhere in `room`: on the floor, on or in furniture, hidden, as the knobs say.
    pub(super) fn put(&mut self, e: Ent, room: Ent) {
        let roll = self.rng.below(100);
        let (hidden, boxed) = (u32::from(self.knobs.hidden), u32::from(self.knobs.containers));
        let kind = match roll {
            _ if roll < hidden => HostKind::Nook,
            _ if roll < hidden + boxed => HostKind::Box,
            _ if self.rng.below(2) == 0 => HostKind::Top,
            _ => return self.story.start.place(e, room),
        };
        match self.spot(kind, room) {
            Some(spot) => {
                self.story.start.place(e, spot.e);
                if kind == HostKind::Nook {
                    self.story.start.put(e, Bit::Hidden, true);
                }
            }
            None => self.story.start.place(e, room),
        }
    }

    /// Furniture of this kind in `room`, set up if need be.
    fn spot(&mut self, kind: HostKind, room: Ent) -> Option<Spot> {
        let here: Vec<Spot> =
            self.spots.iter().filter(|s| s.room == room && s.kind == kind).copied().collect();
        if !here.is_empty() {
            return Some(here[self.rng.below(here.len() as u32) as usize]);
        }
        if kind == HostKind::Top || self.left() < 40 {
            return None;
        }
        let theme = self.theme;
        let own = theme.rooms[self.kinds[usize::from(room)]].hosts.iter();
        let mut names: Vec<&String> = own.filter(|h| theme.hosts[*h].kind == kind).collect();
        if names.is_empty() {
            names.extend(theme.hosts.iter().filter(|(_, h)| h.kind == kind).map(|(name, _)| name));
        }
        let name = names[self.rng.below(names.len() as u32) as usize];
        self.host(name, room)
    }

    /// Adds a text, a variant of the line of this key.
    pub(super) fn say(&mut self, key: &str, slots: &[(&str, &str)]) -> TextId {
        let text = fill(self.lines.pick(&mut self.rng, key), slots);
        self.story.add_text(&words::capital(&text))
    }

    /// Adds a rule and returns its index.
    pub(super) fn rule(&mut self, rule: Rule) -> Result<u8, Failure> {
        if self.story.rules.len() + 1 >= crate::world::MAX_RULES {
            return Err(Failure::new("quest_count", "the quests need more rules than a story has"));
        }
        self.story.rules.push(rule);
        Ok((self.story.rules.len() - 1) as u8)
    }

    /// Gives a point when all of `when` hold, tells `text` and does `effects`.
    pub(super) fn point(
        &mut self,
        when: Vec<Cond>,
        effects: Vec<Effect>,
        text: Option<TextId>,
    ) -> Result<u8, Failure> {
        let effects = [vec![Effect::Score(1)], effects].concat();
        let index = self.rule(Rule { trigger: Trigger::Always, when, once: true, effects, text })?;
        self.story.max_score += 1;
        self.scored.push(index);
        Ok(index)
    }

    /// The last rule: won once every point is made.
    pub(super) fn victory(&mut self) -> Result<(), Failure> {
        let when = self.scored.iter().map(|r| Cond::yes(Pred::Fired(*r))).collect();
        let text = Some(self.say("victory", &[]));
        let effects = vec![Effect::Win];
        self.rule(Rule { trigger: Trigger::Always, when, once: true, effects, text }).map(|_| ())
    }

    /// `x` lies with the player.
    pub(super) const fn held(x: Ent) -> Cond {
        Cond::yes(Pred::At(Term::Ent(x), Term::Me))
    }

    /// `x` lies at `place`.
    pub(super) const fn lies(x: Ent, place: Ent) -> Cond {
        Cond::yes(Pred::At(Term::Ent(x), Term::Ent(place)))
    }
}
