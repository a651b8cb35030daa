//! What a world for rivals is built of.

use super::{
    names::Names,
    plot::Failure,
    rival::{RivalKnobs, Treasure},
    theme::{HostKind, Noun, Theme},
    words::{Lines, fill, the},
};
use crate::{
    action::{Dir, Verb},
    condition::{Cond, Pred, Term},
    entity::{Attr, Bit, Entity},
    set::{Ent, NONE},
    story::{Pattern, Rule, Story, Trigger},
    world::MAX_SEATS,
};
use rl_gym::Pcg64;

/// A world in the making.
#[derive(Debug)]
pub(super) struct Builder<'k> {
    pub(super) knobs: &'k RivalKnobs,
    pub(super) theme: &'static Theme,
    pub(super) lines: &'static Lines,
    pub(super) rng: Pcg64,
    pub(super) story: Story,
    pub(super) names: Names,
    /// Rooms of each wing; the first is where its seat begins.
    pub(super) wings: Vec<Vec<Ent>>,
    pub(super) vaults: Vec<Ent>,
    pub(super) treasures: Vec<Treasure>,
}

/// A connection inside a wing, as seen from the first wing: from room to room (0 is the hub, then the wing's), in a
/// direction of the compass.
type Link = (usize, usize, usize);

impl Builder<'_> {
    pub(super) fn build(&mut self) -> Result<(), Failure> {
        let intro = &self.theme.intros[self.rng.below(self.theme.intros.len() as u32) as usize];
        self.story.intro.clone_from(intro);
        let (hub, cellar, gallery) = (self.room(&[])?, self.room(&[Attr::Dark])?, self.room(&[])?);
        let (links, longer) = self.shape();
        self.add_wings(hub, &links, longer)?;
        self.story.join(hub, Dir::Down, cellar, NONE);
        self.story.join(hub, Dir::Up, gallery, NONE);
        for (seat, name) in self.lines.all("rivals").iter().take(self.knobs.seats.into()).enumerate() {
            let text = self.lines.pick(&mut self.rng, "rival_text").to_owned();
            let entity = Entity { text, capacity: self.knobs.capacity, ..Entity::new(name) };
            let figure = self.put(entity, &[Attr::Actor, Attr::Seat], self.wings[seat][0]);
            self.story.seats.push(figure);
        }
        for (seat, name) in self.lines.all("vaults").iter().take(self.knobs.seats.into()).enumerate() {
            let text = self.lines.pick(&mut self.rng, "vault_text").to_owned();
            let entity = Entity { text, ..Entity::new(name) };
            let vault = self.put(entity, &[Attr::Supporter], self.wings[seat][0]);
            self.vaults.push(vault);
        }
        let theme = self.theme;
        let lamps = self.twins(&theme.lamps, &[Attr::Portable, Attr::Lamp, Attr::Switch], 0)?;
        let last = self.wings[0].len() - 1;
        let keys = self.twins(&theme.keys, &[Attr::Portable], last)?;
        let coins = self.twins(&theme.goods, &[Attr::Portable], (last).div_ceil(2))?;
        coins.iter().for_each(|c| self.story.entities[usize::from(*c)].value = 40);
        self.fill(hub, cellar, gallery, keys[0], &coins)?;
        self.multiply();
        for wing in 0..self.wings.len() {
            for _ in 0..self.knobs.distractors {
                let x = self.noun(&theme.things)?;
                let at = self.rng.below(self.wings[wing].len() as u32) as usize;
                self.put(x, &[Attr::Portable], self.wings[wing][at]);
            }
        }
        self.rules(&[lamps, keys])?;
        self.story.objective = self.lines.pick(&mut self.rng, "rival.goal").to_owned();
        self.story.verbs = self.story.verbs.with(Verb::Accept).with(Verb::Decline);
        self.story.seal();
        Ok(())
    }

    /// The connections of a wing, a random tree whose last room is the first one of its seat's, and which wing is a room
    /// longer.
    fn shape(&mut self) -> (Vec<Link>, Option<usize>) {
        let n = usize::from(self.knobs.wing);
        let mut links: Vec<Link> = vec![(0, 1, 0)];
        for room in 2..=n {
            // On from the newest room or from any; never back into the hub.
            let from =
                if self.rng.below(2) == 0 { room - 1 } else { 1 + self.rng.below(room as u32 - 1) as usize };
            let taken = |dir: usize| {
                links.iter().any(|l| (l.0 == from && l.2 == dir) || (l.1 == from && (l.2 + 4) % 8 == dir))
            };
            let free: Vec<usize> = (0..8).filter(|d| !taken(*d)).collect();
            links.push((from, room, free[self.rng.below(free.len() as u32) as usize]));
        }
        let longer = (!self.knobs.strict).then(|| self.rng.below(self.knobs.seats.into()) as usize);
        (links, longer)
    }

    fn add_wings(&mut self, hub: Ent, links: &[Link], longer: Option<usize>) -> Result<(), Failure> {
        let seats = usize::from(self.knobs.seats);
        let closed: Vec<bool> = links.iter().map(|_| self.rng.below(3) == 0).collect();
        let mut doors = Vec::new();
        for seat in 0..seats {
            let turn = seat * 8 / seats;
            let mut rooms = vec![hub];
            for _ in links {
                rooms.push(self.room(&[])?);
            }
            let mut joins: Vec<(Ent, Dir, Ent, bool)> = Vec::new();
            for (link, closed) in links.iter().zip(&closed) {
                let dir = Dir::ALL[(link.2 + turn) % 8];
                if link.0 == 0 && longer == Some(seat) {
                    let between = self.room(&[])?;
                    joins.push((hub, dir, between, false));
                    joins.push((between, dir, rooms[link.1], *closed));
                } else {
                    joins.push((rooms[link.0], dir, rooms[link.1], *closed));
                }
            }
            doors.extend(joins);
            // One begins at the far end, or not far from it.
            rooms.remove(0);
            rooms.reverse();
            self.wings.push(rooms);
        }
        // Doors are no rooms, so they come after the last room.
        for (from, dir, to, closed) in doors {
            let door = if closed {
                let theme = self.theme;
                let entity = self.noun(&theme.doors)?;
                self.put(entity, &[Attr::Door, Attr::Openable], NONE)
            } else {
                NONE
            };
            self.story.join(from, dir, to, door);
        }
        Ok(())
    }

    fn room(&mut self, attrs: &[Attr]) -> Result<Ent, Failure> {
        let kinds = &self.theme.rooms;
        let fresh: Vec<usize> = (0..kinds.len()).filter(|k| !self.names.has_noun(&kinds[*k].name)).collect();
        let kind = match fresh.len() as u32 {
            0 => &kinds[self.rng.below(kinds.len() as u32) as usize],
            n => &kinds[fresh[self.rng.below(n) as usize]],
        };
        let name = match self.names.plain(&kind.name) {
            Some(name) => Some(name),
            None => self.names.with(&kind.name, &self.theme.room_adjectives, &[], &mut self.rng),
        };
        let name = name.ok_or_else(|| Failure::new("wing", "the theme has no more names of rooms"))?;
        let text = kind.texts[self.rng.below(kind.texts.len() as u32) as usize].clone();
        Ok(self.story.add_room(Entity { name, text, ..Entity::new("") }, attrs))
    }

    fn noun(&mut self, nouns: &'static [Noun]) -> Result<Entity, Failure> {
        let drawn = self.names.draw(self.theme, nouns, &mut self.rng);
        let (noun, name) = drawn.ok_or_else(|| Failure::new("fold", "the theme has no more names"))?;
        let text = fill(&noun.text, &[("the", &the(&name.phrase()))]);
        Ok(Entity { name, text, ..Entity::new("") })
    }

    fn the(&self, e: Ent) -> String {
        the(&self.story.entity(e).name.phrase())
    }

    fn put(&mut self, entity: Entity, attrs: &[Attr], place: Ent) -> Ent {
        let e = self.story.add(entity, attrs);
        self.story.start.place(e, place);
        e
    }

    /// One thing of the same name in every wing, in its room `at`.
    fn twins(&mut self, nouns: &'static [Noun], attrs: &[Attr], at: usize) -> Result<Vec<Ent>, Failure> {
        let entity = self.noun(nouns)?;
        let rooms: Vec<Ent> = self.wings.iter().map(|w| w[at]).collect();
        Ok(rooms.into_iter().map(|room| self.put(entity.clone(), attrs, room)).collect())
    }

    /// Puts the treasures where they are hard to get in different ways: in every wing, in the dark, behind a lock, with
    /// somebody who trades, and openly.
    fn fill(&mut self, hub: Ent, cellar: Ent, gallery: Ent, key: Ent, coins: &[Ent]) -> Result<(), Failure> {
        let theme = self.theme;
        let base = 2 + self.rng.below(3) as u8;
        for wing in 0..self.wings.len() {
            let at = self.wings[wing][self.wings[wing].len() / 2];
            self.treasure(0, base, at)?;
        }
        let is_box = |name: &&String| theme.hosts[*name].kind == HostKind::Box;
        let home =
            theme.homes.iter().find(is_box).ok_or_else(|| Failure::new("theme", "no home is a box"))?;
        let name = self.names.with(home, &theme.adjectives["any"], &[], &mut self.rng);
        let name = name.ok_or_else(|| Failure::new("fold", "the theme has no name left for a case"))?;
        let case = Entity { key, name, text: theme.hosts[home].text.clone(), ..Entity::new("") };
        let attrs = [Attr::Container, Attr::Openable, Attr::Lockable];
        let case = self.put(case, &attrs, gallery);
        self.story.start.put(case, Bit::Locked, true);
        let kind = &theme.people[self.rng.below(theme.people.len() as u32) as usize];
        let name = self.names.plain(&kind.name);
        let name = name.ok_or_else(|| Failure::new("theme", "the trader's name is taken"))?;
        let mut person = Entity { name, text: kind.text.clone(), ..Entity::new("") };
        person.persona.greedy = kind.persona[1];
        let attrs: &[Attr] = match kind.sex.as_str() {
            "she" => &[Attr::Actor, Attr::Female],
            "he" => &[Attr::Actor, Attr::Male],
            _ => &[Attr::Actor],
        };
        let trader = self.put(person, attrs, hub);
        let places = [case, trader, cellar, gallery, hub];
        let middle = usize::from(self.knobs.treasures) - self.wings.len();
        for (class, place) in (1..).zip(places.into_iter().take(middle)) {
            let value = base + self.rng.below(3) as u8 + u8::from(place == case);
            let t = self.treasure(class, value, place)?;
            if place == trader {
                self.story.entities[usize::from(trader)].sells.insert(t);
                let who = the(&kind.name);
                let (x, y) = (self.the(coins[0]), self.the(t));
                let line = self.lines.pick(&mut self.rng, "trade.offer");
                let text = fill(line, &[("x", &x), ("y", &y), ("who", &who)]);
                let answer = self.story.add_text(&super::words::capital(&text));
                let words = vec![self.lines.pick(&mut self.rng, "trade.topic").to_owned()];
                let topic = crate::story::Topic {
                    actor: trader,
                    words,
                    is_told: false,
                    when: vec![],
                    answer,
                    effects: vec![],
                };
                self.story.topics.push(topic);
            }
        }
        Ok(())
    }

    fn treasure(&mut self, class: u8, base: u8, place: Ent) -> Result<Ent, Failure> {
        let theme = self.theme;
        let entity = self.noun(&theme.treasures)?;
        let thing = self.put(Entity { value: base, size: 2, ..entity }, &[Attr::Portable], place);
        self.treasures.push(Treasure { thing, class, base, worth: [0; MAX_SEATS] });
        Ok(thing)
    }

    /// Draws the multipliers: every seat has the same numbers, 0 to 3, in another order.
    fn multiply(&mut self) {
        let classes = self.treasures.iter().map(|t| usize::from(t.class) + 1).max().unwrap_or(0);
        let mut numbers: Vec<u8> = [3, 1, 2, 0, 3, 1, 2].into_iter().take(classes).collect();
        // Drawn again while some treasure is worth nothing to anybody.
        for _ in 0..32 {
            for seat in 0..usize::from(self.knobs.seats) {
                self.rng.shuffle(&mut numbers);
                for t in &mut self.treasures {
                    t.worth[seat] = t.base * numbers[usize::from(t.class)];
                }
            }
            if self.treasures.iter().all(|t| t.worth != [0; MAX_SEATS]) {
                break;
            }
        }
    }

    /// Nobody takes from another's vault, keeps two of what every seat needs one of, or locks anything up for good.
    fn rules(&mut self, needed: &[Vec<Ent>]) -> Result<(), Failure> {
        let forbid = |builder: &mut Self, verb, a, b, when, line: &str| {
            let text = Some(builder.story.add_text(builder.lines.pick(&mut builder.rng, line)));
            let trigger = Trigger::Forbid(Pattern { verb, a, b });
            builder.story.rules.push(Rule { trigger, when, once: false, effects: vec![], text });
        };
        let figures = self.story.seats.clone();
        for (vault, figure) in self.vaults.clone().into_iter().zip(figures) {
            let when = vec![
                Cond::yes(Pred::Within(Term::A, Term::Ent(vault))),
                Cond::no(Pred::Same(Term::Me, Term::Ent(figure))),
            ];
            forbid(self, Verb::Take, None, None, when, "banked");
        }
        for twins in needed {
            for &x in twins {
                for &other in twins.iter().filter(|o| **o != x) {
                    let when = vec![Cond::yes(Pred::At(Term::Ent(other), Term::Me))];
                    forbid(self, Verb::Take, Some(x), None, when, "one_each");
                }
                for vault in self.vaults.clone() {
                    forbid(self, Verb::PutOn, Some(x), Some(vault), vec![], "kept_out");
                }
            }
        }
        forbid(self, Verb::Lock, None, None, vec![], "no_lock");
        let traded = self.story.entities.iter().fold(crate::set::Set::EMPTY, |all, e| all | e.sells);
        for sold in traded {
            for t in self.treasures.clone() {
                if t.thing != sold {
                    forbid(self, Verb::Offer, Some(t.thing), Some(sold), vec![], "no_bargain");
                }
            }
        }
        match self.story.rules.len() < crate::world::MAX_RULES {
            true => Ok(()),
            false => Err(Failure::new("treasures", "the world needs more rules than a story has")),
        }
    }
}
