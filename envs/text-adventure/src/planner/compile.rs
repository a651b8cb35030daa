//! Goal regression: from the goal back through the table of verbs and the story's rules to everything that bears on it.

use super::{
    fact::{Fact, Task, way_to},
    need::Need as Wanted,
};
use crate::{
    action::{Action, Dir, Slot, Verb},
    condition::Term,
    effect::{COOKED, Effect},
    entity::{Attr, Bit},
    rules::{TABLE, entry},
    set::{Ent, NONE},
    story::Story,
    world::World,
};

/// Grounds `task` from its goals, which are there already, in the state `world`.
pub(super) fn compile(task: &mut Task, story: &Story, world: &World) {
    let mut c = Compiler { task, story, world, pre: Vec::new() };
    let mut next = 0;
    while next < c.task.facts.len() {
        let fact = c.task.facts[next];
        c.achievers(fact, next as u16);
        next += 1;
    }
    task.seal();
}

pub(super) struct Compiler<'a> {
    pub(super) task: &'a mut Task,
    pub(super) story: &'a Story,
    pub(super) world: &'a World,
    /// Preconditions of the op in the making.
    pub(super) pre: Vec<u16>,
}

/// What terms stand for in one grounded action.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    pub(super) me: Ent,
    pub(super) a: Ent,
    pub(super) b: Ent,
}

impl Bound {
    pub(super) fn get(self, term: Term) -> Ent {
        match term {
            Term::Ent(e) => e,
            Term::A => self.a,
            Term::B => self.b,
            Term::Me => self.me,
            _ => NONE,
        }
    }
}

impl Compiler<'_> {
    pub(super) fn want(&mut self, fact: Fact) {
        let id = self.task.id(fact);
        if !self.pre.contains(&id) {
            self.pre.push(id);
        }
    }

    /// Ends an op whose preconditions lie in `pre`.
    pub(super) fn done(&mut self, action: Option<Action>, add: u16) {
        let pre = std::mem::take(&mut self.pre);
        if !pre.contains(&add) {
            self.task.op(action, &pre, add);
        }
        self.pre = pre;
        self.pre.clear();
    }

    /// All ways to `fact`.
    fn achievers(&mut self, fact: Fact, id: u16) {
        match fact {
            Fact::Room(r) => self.walks(r, id),
            Fact::Touch(x) | Fact::See(x) => self.access(fact, x, id),
            Fact::Light(_) => {
                for lamp in *self.story.all(Attr::Lamp) {
                    self.want(Fact::Held(lamp));
                    self.want(Fact::Is(Bit::On, lamp));
                    self.done(None, id);
                }
            }
            Fact::Within(x, p) => {
                self.want(Fact::At(x, p));
                self.done(None, id);
            }
            _ => {}
        }
        if let Fact::At(x, r) = fact
            && self.story.is_room(r)
            && self.story.is(x, Attr::Actor)
        {
            if self.story.entity(x).patrol.contains(&r) {
                self.done(None, id);
            }
            self.want(Fact::Is(Bit::Following, x));
            self.want(Fact::Room(r));
            self.done(None, id);
        }
        self.verbs(fact, id);
        self.rules(fact, id);
    }

    fn walks(&mut self, room: Ent, id: u16) {
        for from in 0..self.story.rooms {
            for &dir in Dir::ALL {
                let exit = self.story.exit(from, dir);
                if exit.to != room {
                    continue;
                }
                self.want(Fact::Room(from));
                if exit.door != NONE {
                    self.want(Fact::Is(Bit::Open, exit.door));
                    if self.world.is(exit.door, Bit::Hidden) {
                        self.want(Fact::Not(Bit::Hidden, exit.door));
                    }
                }
                let action = Action::go(dir);
                if self.not_forbidden(action, Some(from)) {
                    self.done(Some(action), id);
                }
                self.pre.clear();
            }
        }
    }

    /// Ways to touch or see `x`. Where it lies in a state is looked at anew in each; these are the places to which it
    /// may come, and what the first state says is in the way.
    fn access(&mut self, fact: Fact, x: Ent, id: u16) {
        let touch = matches!(fact, Fact::Touch(_));
        let (story, world, me) = (self.story, self.world, self.task.me);
        if story.is(x, Attr::Door) {
            for side in story.entity(x).sides {
                if world.is(x, Bit::Hidden) {
                    self.want(Fact::Not(Bit::Hidden, x));
                }
                self.want(Fact::Room(side));
                self.done(None, id);
            }
            return;
        }
        let mut wants = Vec::new();
        if way_to(story, world, me, x, touch, |f| wants.push(f)) {
            wants.into_iter().for_each(|f| {
                self.task.id(f);
            });
        }
        if story.is(x, Attr::Portable) {
            self.want(Fact::Held(x));
            self.done(None, id);
        }
        for &room in &story.entity(x).patrol {
            self.want(Fact::Room(room));
            self.done(None, id);
        }
        if story.is(x, Attr::Actor) && world.parent(x) != NONE {
            self.want(Fact::Is(Bit::Following, x));
            self.done(None, id);
        }
        for place in self.arrivals(x) {
            self.want(Fact::At(x, place));
            if story.is_room(place) {
                self.want(Fact::Room(place));
            } else {
                self.want(if touch { Fact::Touch(place) } else { Fact::See(place) });
            }
            self.done(None, id);
        }
    }

    /// Places to which rules and topics move `x`.
    fn arrivals(&self, x: Ent) -> Vec<Ent> {
        let rules = self.story.rules.iter().flat_map(|r| &r.effects);
        let topics = self.story.topics.iter().flat_map(|t| &t.effects);
        let mut places = Vec::new();
        for effect in rules.chain(topics) {
            match *effect {
                Effect::Move(Term::Ent(e), Term::Ent(place)) if e == x && place != self.task.me => {
                    places.push(place)
                }
                Effect::Replace(Term::Ent(old), Term::Ent(e)) if e == x => {
                    places.push(self.world.parent(old));
                }
                _ => {}
            }
        }
        places.retain(|p| *p != NONE);
        places
    }

    /// Actions whose entry in the table brings `fact` about.
    fn verbs(&mut self, fact: Fact, id: u16) {
        for verb in self.story.verbs.iter() {
            for &effect in TABLE[verb as usize].effects {
                self.by_effect(verb, effect, fact, id);
            }
        }
        if let Fact::Learned(t) = fact {
            let topic = &self.story.topics[usize::from(t)];
            let verb = if topic.is_told { Verb::Tell } else { Verb::Ask };
            self.act(Action::with(verb, topic.actor, t), None, id);
        }
    }

    fn by_effect(&mut self, verb: Verb, effect: Effect, fact: Fact, id: u16) {
        let (story, me) = (self.story, self.task.me);
        let one = |x: Ent| Action::on(verb, x);
        match (effect, fact) {
            (Effect::Move(Term::A, Term::Me), Fact::Held(x)) => self.act(one(x), None, id),
            (Effect::Move(Term::A, Term::Here), Fact::At(x, room)) if story.is_room(room) => {
                self.act(one(x), Some(room), id);
            }
            (Effect::Move(Term::A, Term::B), Fact::At(x, place))
                if !story.is_room(place) && place != NONE =>
            {
                self.act(Action::with(verb, x, place), None, id);
            }
            (Effect::Vanish(Term::A), Fact::At(x, NONE)) => self.act(one(x), None, id),
            (Effect::Set(bit, Term::A), Fact::Is(b, x)) | (Effect::Clear(bit, Term::A), Fact::Not(b, x))
                if bit == b && bit != Bit::Moved =>
            {
                self.seconds(verb, x, id);
            }
            (Effect::Reveal(Term::A), Fact::Not(Bit::Hidden, x)) if self.world.parent(x) != NONE => {
                self.act(one(self.world.parent(x)), None, id);
            }
            (Effect::Cook(..), Fact::Is(bit, x)) if COOKED.contains(&bit) && bit != Bit::Burned => {
                for h in *story.all(Attr::Heat) {
                    if story.entity(h).heat == bit {
                        COOKED.iter().for_each(|c| self.want(Fact::Not(*c, x)));
                        self.act(Action::with(verb, x, h), None, id);
                    }
                }
            }
            (Effect::Assemble(..), Fact::Held(x)) => {
                for r in story.recipes.iter().filter(|r| r.makes == x) {
                    self.act(Action::with(verb, r.a, r.b), None, id);
                }
            }
            (Effect::Assemble(..), Fact::At(x, NONE)) => {
                for r in story.recipes.iter().filter(|r| r.a == x || r.b == x) {
                    self.act(Action::with(verb, r.a, r.b), None, id);
                }
            }
            (Effect::Trade(..), Fact::Held(x)) => {
                for give in *story.all(Attr::Portable) {
                    if give != x && story.entity(give).value > 0 {
                        self.act(Action::with(verb, give, x), None, id);
                    }
                }
            }
            (Effect::Trade(..), Fact::At(give, who))
                if who != me && who != NONE && story.is(who, Attr::Actor) =>
            {
                for x in story.entity(who).sells {
                    self.act(Action::with(verb, give, x), None, id);
                }
            }
            _ => {}
        }
    }

    /// All actions of `verb` on `x`, with every second object that the table lets pass.
    fn seconds(&mut self, verb: Verb, x: Ent, id: u16) {
        if entry(verb).b == Slot::None {
            return self.act(Action::on(verb, x), None, id);
        }
        if matches!(verb, Verb::Unlock | Verb::Lock) {
            let story = self.story;
            let fits = |k: &Ent| story.opens(x, *k);
            for key in (story.rooms..story.len() as Ent).filter(fits) {
                self.act(Action::with(verb, x, key), None, id);
            }
            return;
        }
        for b in self.story.fitting[verb as usize][1] {
            self.act(Action::with(verb, x, b), None, id);
        }
    }

    /// Adds `action` as a way to `add`, unless it can never work. It may be wanted in a certain room. What `pre` holds
    /// already is kept.
    pub(super) fn act(&mut self, action: Action, room: Option<Ent>, add: u16) {
        if let Some(room) = room {
            self.want(Fact::Room(room));
        }
        if self.action_pre(action) && self.not_forbidden(action, room) {
            self.done(Some(action), add);
        }
        self.pre.clear();
    }

    /// What `action` needs. `false` when the story lets it never work.
    fn action_pre(&mut self, action: Action) -> bool {
        if !self.story.verbs.has(action.verb) {
            return false;
        }
        let entry = entry(action.verb);
        let mut wanted = Wanted { story: self.story, me: self.task.me, facts: Vec::new() };
        let works = (entry.a != Slot::Thing || wanted.object(entry.need_a, action.a))
            && (entry.b != Slot::Thing || wanted.object(entry.need_b, action.b))
            && entry.pairs.iter().all(|p| wanted.pair(*p, action));
        let facts = wanted.facts;
        if works {
            facts.into_iter().for_each(|f| self.want(f));
        }
        if works && matches!(action.verb, Verb::Ask | Verb::Tell) {
            let bound = Bound { me: self.task.me, a: action.a, b: NONE };
            let when = &self.story.topics[usize::from(action.b)].when;
            return self.conds(when, bound);
        }
        works
    }
}
