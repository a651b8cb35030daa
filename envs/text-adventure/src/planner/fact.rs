//! Ground facts of a story and the tasks made of them: what an optimist believes that the rules say.

use crate::{
    action::Action,
    entity::Bit,
    set::{Ent, NONE},
    story::Story,
    world::{End, World},
};

/// Something that holds or does not hold in a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fact {
    /// The planner's figure is in this room.
    Room(Ent),
    /// It holds this directly.
    Held(Ent),
    /// The first lies directly in, on or with the second.
    At(Ent, Ent),
    /// The first lies within the second at any depth.
    Within(Ent, Ent),
    /// One could touch it.
    Touch(Ent),
    /// One could see it.
    See(Ent),
    /// There is light in this dark room.
    Light(Ent),
    /// A bit is true.
    Is(Bit, Ent),
    /// A bit is false.
    Not(Bit, Ent),
    /// A flag is raised, or lowered.
    Flag(u8, bool),
    /// A counter is high enough.
    AtLeast(u8, i16),
    /// A topic was spoken of.
    Learned(u8),
    /// A rule that fires once has fired.
    Fired(u8),
    /// The game is won.
    Won,
}

/// One way in which a fact comes about: an action, or a consequence that costs nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Op {
    /// What is done; `None` for a consequence.
    pub(super) action: Option<Action>,
    /// First of its preconditions in [`Task::pre`].
    pub(super) begin: u32,
    /// One past the last.
    pub(super) end: u32,
    /// The fact that it brings about.
    pub(super) add: u16,
}

/// Everything that bears on one goal, grounded: scratch of the planner, its memory used again from task to task.
#[derive(Default, Debug)]
pub(super) struct Task {
    /// The planner's figure.
    pub(super) me: Ent,
    /// Facts by index.
    pub(super) facts: Vec<Fact>,
    /// Facts and their indices, sorted.
    index: Vec<(Fact, u16)>,
    /// The ways in which they come about.
    pub(super) ops: Vec<Op>,
    /// Preconditions of all ops.
    pub(super) pre: Vec<u16>,
    /// What must hold in the end.
    pub(super) goals: Vec<u16>,
    /// Facts [`Fact::Touch`] and [`Fact::See`], which depend on where a thing lies now.
    pub(super) access: Vec<u16>,
    /// Ops that need a fact: start of its run in [`Task::uses`].
    pub(super) first_use: Vec<u32>,
    /// Ops by the facts that they need.
    pub(super) uses: Vec<u16>,
}

impl Task {
    pub(super) fn clear(&mut self, me: Ent) {
        self.me = me;
        self.facts.clear();
        self.index.clear();
        self.ops.clear();
        self.pre.clear();
        self.goals.clear();
        self.access.clear();
        self.first_use.clear();
        self.uses.clear();
    }

    /// The index of `fact`, which is made if it is new.
    pub(super) fn id(&mut self, fact: Fact) -> u16 {
        match self.index.binary_search_by_key(&fact, |x| x.0) {
            Ok(at) => self.index[at].1,
            Err(at) => {
                let id = self.facts.len() as u16;
                self.facts.push(fact);
                self.index.insert(at, (fact, id));
                if matches!(fact, Fact::Touch(_) | Fact::See(_)) {
                    self.access.push(id);
                }
                id
            }
        }
    }

    /// The index of `fact` if anything bears on it.
    pub(super) fn find(&self, fact: Fact) -> Option<u16> {
        self.index.binary_search_by_key(&fact, |x| x.0).ok().map(|at| self.index[at].1)
    }

    /// Adds a way to `add`; `pre` are its preconditions.
    pub(super) fn op(&mut self, action: Option<Action>, pre: &[u16], add: u16) {
        let begin = self.pre.len() as u32;
        self.pre.extend_from_slice(pre);
        self.ops.push(Op { action, begin, end: self.pre.len() as u32, add });
    }

    /// Preconditions of an op.
    pub(super) fn pre_of(&self, op: usize) -> &[u16] {
        let op = &self.ops[op];
        &self.pre[op.begin as usize..op.end as usize]
    }

    /// Indexes ops by what they need. Call it once all ops are there.
    pub(super) fn seal(&mut self) {
        self.first_use.clear();
        self.first_use.resize(self.facts.len() + 1, 0);
        for &p in &self.pre {
            self.first_use[usize::from(p) + 1] += 1;
        }
        for f in 0..self.facts.len() {
            self.first_use[f + 1] += self.first_use[f];
        }
        let mut next = self.first_use.clone();
        self.uses.clear();
        self.uses.resize(self.pre.len(), 0);
        for (o, op) in self.ops.iter().enumerate() {
            for &p in &self.pre[op.begin as usize..op.end as usize] {
                let at = &mut next[usize::from(p)];
                self.uses[*at as usize] = o as u16;
                *at += 1;
            }
        }
    }

    /// Whether a fact holds. [`Fact::Touch`] and [`Fact::See`] follow from others and count as false here.
    pub(super) fn holds(&self, fact: Fact, story: &Story, world: &World) -> bool {
        match fact {
            Fact::Room(r) => world.outermost(self.me) == r,
            Fact::Held(x) => world.parent(x) == self.me,
            Fact::At(x, p) => world.parent(x) == p,
            Fact::Within(x, p) => world.is_within(x, p),
            Fact::Touch(_) | Fact::See(_) => false,
            Fact::Light(r) => {
                let lamps = *story.all(crate::entity::Attr::Lamp) & *world.set(Bit::On);
                lamps.iter().any(|l| world.outermost(l) == r)
            }
            Fact::Is(bit, x) => world.is(x, bit),
            Fact::Not(bit, x) => !world.is(x, bit),
            Fact::Flag(f, value) => world.flag(f) == value,
            Fact::AtLeast(c, n) => world.counter(c) >= n,
            Fact::Learned(t) => world.has_learned(t),
            Fact::Fired(r) => world.has_fired(r),
            Fact::Won => world.end() == End::Won,
        }
    }
}

/// What stands between one's hands (or eyes) and `x` where it lies now: calls `need` for each fact. `false` when it is
/// out of play or in somebody else's hands.
pub(super) fn way_to(
    story: &Story,
    world: &World,
    me: Ent,
    x: Ent,
    touch: bool,
    mut need: impl FnMut(Fact),
) -> bool {
    use crate::entity::Attr;
    if world.is(x, Bit::Hidden) {
        need(Fact::Not(Bit::Hidden, x));
    }
    if story.is(x, Attr::Door) {
        return true;
    }
    let mut at = world.parent(x);
    loop {
        if at == me {
            return true;
        }
        if at == NONE {
            return false;
        }
        if story.is_room(at) {
            need(Fact::Room(at));
            if story.is(at, Attr::Dark) {
                need(Fact::Light(at));
            }
            return true;
        }
        if world.is(at, Bit::Hidden) {
            need(Fact::Not(Bit::Hidden, at));
        }
        if story.is(at, Attr::Actor) {
            if touch {
                return false;
            }
        } else if !story.is(at, Attr::Supporter)
            && story.is(at, Attr::Openable)
            && (touch || !story.is(at, Attr::Transparent))
        {
            need(Fact::Is(Bit::Open, at));
        }
        at = world.parent(at);
    }
}
