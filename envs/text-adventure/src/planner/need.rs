//! What the table of verbs asks of the objects of an action, as facts.

use super::fact::Fact;
use crate::{
    action::Action,
    effect::CUT,
    entity::{Attr, Bit},
    rules::{self, Pair, What},
    set::{Ent, NONE},
    story::Story,
};

/// Collects what one action needs.
pub(super) struct Need<'a> {
    pub(super) story: &'a Story,
    pub(super) me: Ent,
    pub(super) facts: Vec<Fact>,
}

impl Need<'_> {
    /// What one object needs. `false` when it can never be the object.
    pub(super) fn object(&mut self, needs: &[rules::Need], x: Ent) -> bool {
        if usize::from(x) >= self.story.len() {
            return false;
        }
        let asks = |what| needs.iter().any(|n| n.what == what && n.want);
        let stronger = asks(What::Reach) || asks(What::Held);
        for need in needs {
            let fact = match (need.what, need.want) {
                (What::Attr(attr), want) if self.story.is(x, attr) != want => return false,
                (What::Me, want) if (x == self.me) != want => return false,
                (What::Bit(bit), true) => Fact::Is(bit, x),
                (What::Bit(bit), false) => Fact::Not(bit, x),
                (What::Seen, true) if !stronger => Fact::See(x),
                (What::Reach, true) if !asks(What::Held) => Fact::Touch(x),
                (What::Held, true) => Fact::Held(x),
                (What::Access, true) if self.story.is(x, Attr::Openable) => Fact::Is(Bit::Open, x),
                (What::Cut, false) => {
                    self.facts.extend(CUT.iter().map(|c| Fact::Not(*c, x)));
                    continue;
                }
                _ => continue,
            };
            self.facts.push(fact);
        }
        true
    }

    /// What both objects need together. `false` when the story lets them never go together.
    pub(super) fn pair(&mut self, pair: Pair, action: Action) -> bool {
        let (story, a, b) = (self.story, action.a, action.b);
        match pair {
            Pair::Apart | Pair::Distinct => a != b,
            Pair::Key => story.opens(a, b),
            Pair::Recipe => match story.recipe(a, b) {
                Some(recipe) => {
                    for (x, bit) in [(a, recipe.bits[0]), (b, recipe.bits[1])] {
                        if let Some(bit) = bit {
                            self.facts.push(Fact::Is(bit, x));
                            if bit != Bit::Burned {
                                self.facts.push(Fact::Not(Bit::Burned, x));
                            }
                        }
                    }
                    true
                }
                None => false,
            },
            Pair::Wants => story.is(b, Attr::Seat) || story.entity(b).wants.has(a),
            Pair::Asked => story.topics.get(usize::from(b)).is_some_and(|t| t.actor == a && !t.is_told),
            Pair::Told => story.topics.get(usize::from(b)).is_some_and(|t| t.actor == a && t.is_told),
            Pair::Trade => match self.seller(a, b) {
                Some(seller) => {
                    self.facts.extend([Fact::At(b, seller), Fact::Touch(seller)]);
                    true
                }
                None => false,
            },
            Pair::Pending | Pair::Theft => false,
            Pair::Way | Pair::Strength | Pair::Space | Pair::Light | Pair::Fuel => true,
        }
    }

    /// Who would give `want` for `give`.
    fn seller(&self, give: Ent, want: Ent) -> Option<Ent> {
        let story = self.story;
        let paid = u32::from(story.entity(give).value) * 100;
        (*story.all(Attr::Actor) - *story.all(Attr::Seat)).iter().find(|&n| {
            let seller = story.entity(n);
            let asked = u32::from(story.entity(want).value) * (100 + u32::from(seller.persona.greedy));
            n != NONE && seller.sells.has(want) && paid >= asked
        })
    }
}
