//! Regression through the rules and topics of a story.

use super::{
    compile::{Bound, Compiler},
    fact::Fact,
};
use crate::{
    action::{Action, Dir, Slot, Verb},
    condition::{Cond, Pred, Term},
    effect::Effect,
    entity::Bit,
    rules::entry,
    set::{Ent, NONE},
    story::{Pattern, Trigger},
};

impl Compiler<'_> {
    /// Wants what undoes every rule that would forbid `action`. A rule with several conditions of which none is plainly
    /// false is passed over: an optimist hopes.
    pub(super) fn not_forbidden(&mut self, action: Action, room: Option<Ent>) -> bool {
        if !self.story.forbids.has(action.verb) {
            return true;
        }
        let bound = Bound { me: self.task.me, a: action.a, b: action.b };
        let story = self.story;
        for rule in &story.rules {
            if !matches!(rule.trigger, Trigger::Forbid(p) if p.fits(action)) {
                continue;
            }
            let mut open = Vec::new();
            let mut never = false;
            for cond in &rule.when {
                match (cond.pred, room) {
                    (Pred::At(Term::Me, Term::Ent(r)), Some(here)) => never |= (r == here) != cond.want,
                    (Pred::Same(x, y), _) => never |= (bound.get(x) == bound.get(y)) != cond.want,
                    (Pred::Is(x, attr), _) => never |= story.is(bound.get(x), attr) != cond.want,
                    _ => open.push(*cond),
                }
            }
            match open[..] {
                _ if never => {}
                [] => return false,
                [cond] if !self.conds(&[Cond { want: !cond.want, ..cond }], bound) => return false,
                _ => {}
            }
        }
        true
    }

    /// Wants all of `conds`. `false` when one can never hold.
    pub(super) fn conds(&mut self, conds: &[Cond], bound: Bound) -> bool {
        let me = self.task.me;
        for cond in conds {
            let get = |t| bound.get(t);
            let known = |e: Ent| usize::from(e) < self.story.len();
            match (cond.pred, cond.want) {
                (Pred::At(x, Term::Here), true) if known(get(x)) => self.want(Fact::Touch(get(x))),
                (Pred::At(x, y) | Pred::Within(x, y), true) if known(get(x)) => {
                    let (x, y) = (get(x), get(y));
                    let within = matches!(cond.pred, Pred::Within(..));
                    match () {
                        () if x == me && self.story.is_room(y) => self.want(Fact::Room(y)),
                        () if y == me => self.want(Fact::Held(x)),
                        () if within => self.want(Fact::Within(x, y)),
                        () => self.want(Fact::At(x, y)),
                    }
                }
                (Pred::Is(x, attr), want) if known(get(x)) && self.story.is(get(x), attr) != want => {
                    return false;
                }
                (Pred::Has(x, bit), true) if known(get(x)) => self.want(Fact::Is(bit, get(x))),
                (Pred::Has(x, bit), false) if known(get(x)) => self.want(Fact::Not(bit, get(x))),
                (Pred::Flag(f), want) => self.want(Fact::Flag(f, want)),
                (Pred::AtLeast(c, n), true) => self.want(Fact::AtLeast(c, n)),
                (Pred::Learned(t), true) => self.want(Fact::Learned(t)),
                (Pred::Fired(r), true) => self.want(Fact::Fired(r)),
                (Pred::Visible(x), true) if known(get(x)) => self.want(Fact::See(get(x))),
                (Pred::Reachable(x), true) if known(get(x)) => self.want(Fact::Touch(get(x))),
                (Pred::Same(x, y), want) if known(get(x)) && known(get(y)) && (get(x) == get(y)) != want => {
                    return false;
                }
                _ => {}
            }
        }
        true
    }

    /// Rules and topics that bring `fact` about.
    pub(super) fn rules(&mut self, fact: Fact, id: u16) {
        let story = self.story;
        for (r, rule) in story.rules.iter().enumerate() {
            let fired = fact == Fact::Fired(r as u8) && rule.once;
            match rule.trigger {
                Trigger::Forbid(_) => {}
                Trigger::Always | Trigger::EachTurn => {
                    let bound = Bound { me: self.task.me, a: NONE, b: NONE };
                    if fired || rule.effects.iter().any(|e| self.brings(*e, fact, bound)) {
                        if self.conds(&rule.when, bound) {
                            self.done(None, id);
                        }
                        self.pre.clear();
                    }
                }
                Trigger::After(pattern) => {
                    for (action, room) in self.instances(pattern) {
                        let bound = Bound { me: self.task.me, a: action.a, b: action.b };
                        if (fired || rule.effects.iter().any(|e| self.brings(*e, fact, bound)))
                            && self.conds(&rule.when, bound)
                        {
                            self.act(action, room, id);
                        }
                        self.pre.clear();
                    }
                }
            }
        }
        for (t, topic) in story.topics.iter().enumerate() {
            let bound = Bound { me: self.task.me, a: topic.actor, b: NONE };
            if topic.effects.iter().any(|e| self.brings(*e, fact, bound)) {
                let verb = if topic.is_told { Verb::Tell } else { Verb::Ask };
                self.act(Action::with(verb, topic.actor, t as Ent), None, id);
            }
        }
    }

    /// Actions that fit `pattern`; walks come with the room where they begin.
    fn instances(&self, pattern: Pattern) -> Vec<(Action, Option<Ent>)> {
        let story = self.story;
        let entry = entry(pattern.verb);
        let fill = |slot: Slot, given: Option<Ent>, i: usize| match (slot, given) {
            (Slot::Thing, None) => story.fitting[pattern.verb as usize][i].iter().collect(),
            (Slot::Dir, None) => Dir::ALL.iter().map(|d| d.slot()).collect(),
            (Slot::Topic, None) => (0..story.topics.len() as Ent).collect(),
            (_, given) => vec![given.unwrap_or(NONE)],
        };
        let mut found = Vec::new();
        for a in fill(entry.a, pattern.a, 0) {
            for b in fill(entry.b, pattern.b, 1) {
                let action = Action { verb: pattern.verb, a, b };
                match Dir::of_slot(a) {
                    Some(dir) if pattern.verb == Verb::Go => {
                        let has_exit = |r: &Ent| story.exit(*r, dir).to != NONE;
                        found.extend((0..story.rooms).filter(has_exit).map(|r| (action, Some(r))));
                    }
                    _ => found.push((action, None)),
                }
            }
        }
        found
    }

    /// Whether an effect of a rule or topic makes `fact` true.
    fn brings(&self, effect: Effect, fact: Fact, bound: Bound) -> bool {
        let me = self.task.me;
        let get = |t| bound.get(t);
        match (effect, fact) {
            (Effect::Move(x, p), Fact::Held(y)) => get(x) == y && get(p) == me,
            (Effect::Move(x, p), Fact::At(y, q)) => {
                get(x) == y && (get(p) == q && (q != NONE || p == Term::Nowhere))
            }
            (Effect::Move(x, Term::Here), Fact::Touch(y) | Fact::See(y)) => get(x) == y,
            (Effect::Move(x, p), Fact::Room(r)) => get(x) == me && get(p) == r,
            (Effect::Vanish(x), Fact::At(y, NONE)) => get(x) == y,
            (Effect::Replace(x, _), Fact::At(y, NONE)) => get(x) == y,
            (Effect::Replace(x, y), Fact::At(z, p)) => get(y) == z && self.world.parent(get(x)) == p,
            (Effect::Replace(x, y), Fact::Held(z)) => get(y) == z && self.world.parent(get(x)) == me,
            (Effect::Set(bit, x), Fact::Is(b, y)) => bit == b && get(x) == y,
            (Effect::Clear(bit, x), Fact::Not(b, y)) => bit == b && get(x) == y,
            (Effect::Reveal(p), Fact::Not(Bit::Hidden, x)) => self.world.parent(x) == get(p),
            (Effect::Flag(f, v), Fact::Flag(g, w)) => f == g && v == w,
            (Effect::Count(c, n), Fact::AtLeast(d, m)) => c == d && n >= m,
            (Effect::Add(c, n), Fact::AtLeast(d, _)) => c == d && n > 0,
            (Effect::Learn(t), Fact::Learned(u)) => t == u,
            (Effect::Win, Fact::Won) => true,
            _ => false,
        }
    }
}
