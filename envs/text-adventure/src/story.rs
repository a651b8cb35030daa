//! A story: everything about a game that never changes, shared by all environments that play it.

use crate::{
    action::{Action, Dir, Verb, Verbs},
    condition::Cond,
    effect::Effect,
    entity::{Attr, Entity},
    rules::{Need, What},
    set::{Ent, NONE, Set},
    world::{MAX_SEATS, World},
};

/// Index of a text of the story.
pub type TextId = u16;

/// Where one can go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit {
    /// The room that it leads to; [`NONE`] for no exit.
    pub to: Ent,
    /// The door in between; [`NONE`] without one.
    pub door: Ent,
}

/// No exit.
pub const NO_EXIT: Exit = Exit { to: NONE, door: NONE };

/// Something that one can ask or tell somebody about.
#[derive(Clone, PartialEq, Debug)]
pub struct Topic {
    /// With whom.
    pub actor: Ent,
    /// Words for it, the first as shown: `cellar`, `salt`.
    pub words: Vec<String>,
    /// Whether it is told ([`Verb::Tell`]) and not asked ([`Verb::Ask`]).
    pub is_told: bool,
    /// When it can come up.
    pub when: Vec<Cond>,
    /// The answer.
    pub answer: TextId,
    /// What else it does.
    pub effects: Vec<Effect>,
}

/// Two parts that make one thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// One part; both are used up.
    pub a: Ent,
    /// The other part.
    pub b: Ent,
    /// What they become, in the hands of whoever combines them.
    pub makes: Ent,
    /// How `a` and `b` must have been cut or cooked, if they must.
    pub bits: [Option<crate::entity::Bit>; 2],
}

/// Which actions a rule is about. An open slot means any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The verb.
    pub verb: Verb,
    /// The first object.
    pub a: Option<Ent>,
    /// The second object.
    pub b: Option<Ent>,
}

impl Pattern {
    /// Whether it is about `action`.
    #[inline]
    pub fn fits(&self, action: Action) -> bool {
        self.verb == action.verb
            && self.a.is_none_or(|a| a == action.a)
            && self.b.is_none_or(|b| b == action.b)
    }
}

/// When a rule is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// After every action.
    Always,
    /// At the end of every turn.
    EachTurn,
    /// After such an action.
    After(Pattern),
    /// Before such an action, which it forbids while its conditions hold.
    Forbid(Pattern),
}

/// One rule of a story: when something holds, something happens. A closed vocabulary: engine, planner, admissible
/// list and lint read the same rules.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// When it is looked at.
    pub trigger: Trigger,
    /// What must hold, all of it.
    pub when: Vec<Cond>,
    /// Whether it fires only once in a game.
    pub once: bool,
    /// What happens.
    pub effects: Vec<Effect>,
    /// What is told: to those who see it, or why an action is forbidden.
    pub text: Option<TextId>,
}

/// A game as it begins, and everything about it that never changes.
#[derive(Clone, PartialEq, Debug)]
pub struct Story {
    /// Its title.
    pub title: String,
    /// What is told before the first turn.
    pub intro: String,
    /// What is to be done, as the player is told.
    pub objective: String,
    /// Turns after which the game is cut.
    pub cap: u16,
    /// Points that can be had: of a seat, or of all seats together in a cooperative story.
    pub max_score: i16,
    /// Rooms are entities `0..rooms`.
    pub rooms: u8,
    /// Every entity, rooms first.
    pub entities: Vec<Entity>,
    /// Exits of each room, by direction.
    pub exits: Vec<[Exit; Dir::COUNT]>,
    /// Entities by attribute.
    pub attrs: [Set; Attr::COUNT],
    /// Entities that share their name with another one.
    pub twins: Set,
    /// Doors by the rooms that they join.
    pub doors: Vec<Set>,
    /// Verbs that some rule may forbid.
    pub forbids: Verbs,
    /// Per verb the entities whose attributes let them be its first and its second object.
    pub fitting: Vec<[Set; 2]>,
    /// Verbs that do something here. Others are understood and politely refused.
    pub verbs: Verbs,
    /// The figure of each seat, 1 to [`MAX_SEATS`].
    pub seats: Vec<Ent>,
    /// What can be talked about, at most 64.
    pub topics: Vec<Topic>,
    /// What can be put together.
    pub recipes: Vec<Recipe>,
    /// The rules, at most [`crate::world::MAX_RULES`].
    pub rules: Vec<Rule>,
    /// Names of the flags.
    pub flags: Vec<String>,
    /// Names of the counters.
    pub counters: Vec<String>,
    /// Texts of rules and topics.
    pub texts: Vec<String>,
    /// The state at the start.
    pub start: World,
}

impl Story {
    /// A story without anything in it yet.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.into(),
            intro: String::new(),
            objective: String::new(),
            cap: 100,
            max_score: 0,
            rooms: 0,
            entities: Vec::new(),
            exits: Vec::new(),
            attrs: [Set::EMPTY; Attr::COUNT],
            twins: Set::EMPTY,
            doors: Vec::new(),
            forbids: Verbs::NONE,
            fitting: Vec::new(),
            verbs: Verbs::BASE,
            seats: Vec::new(),
            topics: Vec::new(),
            recipes: Vec::new(),
            rules: Vec::new(),
            flags: Vec::new(),
            counters: Vec::new(),
            texts: Vec::new(),
            start: World::default(),
        }
    }

    /// Number of entities.
    #[inline]
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether it has no entities yet.
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// An entity.
    #[inline]
    pub fn entity(&self, e: Ent) -> &Entity {
        &self.entities[usize::from(e)]
    }

    /// Whether `e` is a room.
    #[inline]
    pub const fn is_room(&self, e: Ent) -> bool {
        e < self.rooms
    }

    /// Whether `attr` is true of `e`.
    #[inline]
    pub const fn is(&self, e: Ent, attr: Attr) -> bool {
        self.attrs[attr as usize].has(e)
    }

    /// Entities of which `attr` is true.
    #[inline]
    pub const fn all(&self, attr: Attr) -> &Set {
        &self.attrs[attr as usize]
    }

    /// Makes `attr` true of `e`.
    pub const fn mark(&mut self, e: Ent, attr: Attr) {
        self.attrs[attr as usize].insert(e);
    }

    /// The exit of `room` in a direction.
    #[inline]
    pub fn exit(&self, room: Ent, dir: Dir) -> Exit {
        self.exits[usize::from(room)][dir as usize]
    }

    /// The seat whose figure `e` is.
    #[inline]
    pub fn seat_of(&self, e: Ent) -> Option<usize> {
        self.seats.iter().position(|s| *s == e)
    }

    /// A text.
    pub fn text(&self, id: TextId) -> &str {
        &self.texts[usize::from(id)]
    }

    /// What `a` and `b` make together in this order.
    pub fn recipe(&self, a: Ent, b: Ent) -> Option<&Recipe> {
        self.recipes.iter().find(|r| (r.a, r.b) == (a, b))
    }

    /// Whether `key` fits the lock of `lock`: it is its key, or of the same name.
    pub fn opens(&self, lock: Ent, key: Ent) -> bool {
        let own = self.entity(lock).key;
        own == key || (own != NONE && self.twins.has(own) && self.entity(own).twin == self.entity(key).twin)
    }

    /// Adds an entity; rooms must come first.
    pub fn add(&mut self, entity: Entity, attrs: &[Attr]) -> Ent {
        let e = self.entities.len() as Ent;
        debug_assert!(usize::from(e) < crate::set::MAX_ENTITIES, "too many entities");
        self.entities.push(Entity { twin: e, ..entity });
        attrs.iter().for_each(|a| self.mark(e, *a));
        e
    }

    /// Adds a room.
    pub fn add_room(&mut self, entity: Entity, attrs: &[Attr]) -> Ent {
        debug_assert_eq!(usize::from(self.rooms), self.entities.len(), "rooms come first");
        self.rooms += 1;
        self.exits.push([NO_EXIT; Dir::COUNT]);
        self.add(entity, attrs)
    }

    /// Joins two rooms, both ways.
    pub fn join(&mut self, from: Ent, dir: Dir, to: Ent, door: Ent) {
        self.exits[usize::from(from)][dir as usize] = Exit { to, door };
        self.exits[usize::from(to)][dir.opposite() as usize] = Exit { to: from, door };
        if door != NONE {
            self.entities[usize::from(door)].sides = [from, to];
        }
    }

    /// Adds a text.
    pub fn add_text(&mut self, text: &str) -> TextId {
        self.texts.push(text.into());
        (self.texts.len() - 1) as TextId
    }

    /// Puts equal names together as twins, and allows the verbs that the entities call for. Call it once everything
    /// is added.
    pub fn seal(&mut self) {
        debug_assert!((1..=MAX_SEATS).contains(&self.seats.len()), "a story has 1 to {MAX_SEATS} seats");
        for e in usize::from(self.rooms)..self.len() {
            let name = &self.entities[e].name;
            let first = self
                .entities
                .iter()
                .skip(usize::from(self.rooms))
                .position(|o| o.name.noun == name.noun && o.name.adjectives == name.adjectives);
            let twin = first.map_or(e as Ent, |i| i as Ent + self.rooms);
            self.entities[e].twin = twin;
            if usize::from(twin) != e {
                self.twins.insert(twin);
                self.twins.insert(e as Ent);
            }
        }
        let forbidden = self.rules.iter().filter_map(|r| match r.trigger {
            Trigger::Forbid(p) => Some(p.verb),
            _ => None,
        });
        self.forbids = forbidden.fold(Verbs::NONE, Verbs::with);
        self.fitting = Verb::ALL
            .iter()
            .map(|v| {
                let entry = crate::rules::entry(*v);
                [entry.need_a, entry.need_b].map(|needs| self.fitting(needs))
            })
            .collect();
        self.verbs = Verb::ALL.iter().copied().filter(|v| self.calls_for(*v)).fold(self.verbs, Verbs::with);
        let joins = |room: Ent, door: &Ent| self.entity(*door).sides.contains(&room);
        let doors = *self.all(Attr::Door);
        self.doors = (0..self.rooms).map(|r| doors.iter().filter(|d| joins(r, d)).collect()).collect();
        let seen: Vec<Set> =
            self.seats.iter().map(|s| crate::scope::Scope::of(self, &self.start, *s).noticed()).collect();
        seen.into_iter().enumerate().for_each(|(seat, set)| self.start.see(seat, set));
    }

    /// Entities whose attributes pass these needs.
    fn fitting(&self, needs: &[Need]) -> Set {
        needs.iter().fold(Set::below(self.len()), |left, need| match need.what {
            What::Attr(attr) if need.want => left & *self.all(attr),
            What::Attr(attr) => left - *self.all(attr),
            _ => left,
        })
    }

    /// Whether any entity calls for a verb.
    fn calls_for(&self, verb: Verb) -> bool {
        let any = |attr| !self.all(attr).is_empty();
        let others = !(*self.all(Attr::Actor) - *self.all(Attr::Seat)).is_empty();
        match verb {
            Verb::Take | Verb::Drop => any(Attr::Portable),
            Verb::PutIn => any(Attr::Container) && any(Attr::Portable),
            Verb::PutOn => any(Attr::Supporter) && any(Attr::Portable),
            Verb::Open | Verb::Close => any(Attr::Openable),
            Verb::Unlock | Verb::Lock => any(Attr::Lockable),
            Verb::Read => any(Attr::Readable),
            Verb::Search => !self.start.set(crate::entity::Bit::Hidden).is_empty(),
            Verb::Wear | Verb::Remove => any(Attr::Wearable),
            Verb::Eat => any(Attr::Edible),
            Verb::Drink => any(Attr::Drinkable),
            Verb::Light | Verb::Extinguish => any(Attr::Switch),
            Verb::Slice | Verb::Dice | Verb::Chop => any(Attr::Cuttable) && any(Attr::Sharp),
            Verb::Cook => any(Attr::Cookable) && any(Attr::Heat),
            Verb::Combine => !self.recipes.is_empty(),
            Verb::Push => any(Attr::Push),
            Verb::Pull => any(Attr::Pull),
            Verb::Turn => any(Attr::Turn),
            Verb::Give => self.entities.iter().any(|e| !e.wants.is_empty()) || self.seats.len() > 1,
            Verb::Ask => self.topics.iter().any(|t| !t.is_told),
            Verb::Tell => self.topics.iter().any(|t| t.is_told),
            Verb::Offer => {
                (others && self.entities.iter().any(|e| !e.sells.is_empty())) || self.seats.len() > 1
            }
            Verb::Accept | Verb::Decline => self.seats.len() > 1,
            // What these do is a matter of rules alone: the story that has such rules allows them.
            Verb::Show | Verb::Attack | Verb::Steal => {
                self.rules.iter().any(|r| matches!(r.trigger, Trigger::After(p) if p.verb == verb))
            }
            Verb::Go | Verb::Look | Verb::Examine | Verb::Inventory | Verb::Wait => true,
        }
    }
}
