//! Effects of actions and rules: a closed vocabulary, so that planner and lint know what can happen.

use crate::{
    condition::{Binding, Term},
    entity::Bit,
    set::{Ent, NONE},
    story::Story,
    world::{Deal, End, NO_DEAL, World},
};

/// Something that happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The first comes to lie in, on or with the second.
    Move(Term, Term),
    /// The first leaves the game.
    Vanish(Term),
    /// The second takes the place of the first, which leaves the game.
    Replace(Term, Term),
    /// A bit becomes true.
    Set(Bit, Term),
    /// A bit becomes false.
    Clear(Bit, Term),
    /// Everything hidden directly in or on it is found.
    Reveal(Term),
    /// The first is cooked by the second: as its heat does it, burned when it was cooked before.
    Cook(Term, Term),
    /// Both parts leave the game and what they make comes into the hands of whoever acts.
    Assemble(Term, Term),
    /// The first goes to whoever holds the second, and the second to whoever acts; when a seat holds it, this is an
    /// offer that the seat may accept.
    Trade(Term, Term),
    /// The offer of this actor to whoever acts is carried out.
    Settle(Term),
    /// The offer to whoever acts is gone.
    Refuse,
    /// A flag is raised or lowered.
    Flag(u8, bool),
    /// A counter is set.
    Count(u8, i16),
    /// A counter grows.
    Add(u8, i16),
    /// Whoever acts gets points.
    Score(i16),
    /// A topic counts as spoken of.
    Learn(u8),
    /// The game is won.
    Win,
    /// The game is lost.
    Lose,
}

/// What every way of cooking leaves.
pub(crate) const COOKED: [Bit; 4] = [Bit::Fried, Bit::Roasted, Bit::Grilled, Bit::Burned];
/// What every way of cutting leaves.
pub(crate) const CUT: [Bit; 3] = [Bit::Sliced, Bit::Diced, Bit::Chopped];

/// Makes one effect happen. One about a slot that holds no entity does nothing.
pub fn happen(effect: Effect, story: &Story, world: &mut World, binding: &Binding) {
    let get = |world: &World, term| binding.resolve(world, term);
    let known = |e: u8| usize::from(e) < story.len();
    match effect {
        Effect::Move(x, place) => {
            let (x, place) = (get(world, x), get(world, place));
            if known(x) && place != x && !(known(place) && world.is_within(place, x)) {
                world.place(x, place);
                world.put(x, Bit::Worn, false);
            }
        }
        Effect::Vanish(x) => {
            let x = get(world, x);
            if known(x) {
                world.place(x, NONE);
                world.put(x, Bit::Worn, false);
            }
        }
        Effect::Replace(x, y) => {
            let (x, y) = (get(world, x), get(world, y));
            if known(x) && known(y) {
                let place = world.parent(x);
                world.place(x, NONE);
                world.put(x, Bit::Worn, false);
                world.place(y, place);
            }
        }
        Effect::Set(bit, x) | Effect::Clear(bit, x) => {
            let x = get(world, x);
            if known(x) {
                world.put(x, bit, matches!(effect, Effect::Set(..)));
            }
        }
        Effect::Reveal(place) => {
            let place = get(world, place);
            for e in *world.set(Bit::Hidden) {
                if world.parent(e) == place {
                    world.put(e, Bit::Hidden, false);
                }
            }
        }
        Effect::Cook(food, appliance) => {
            let (food, appliance) = (get(world, food), get(world, appliance));
            if known(food) && known(appliance) {
                let was_cooked = COOKED.iter().any(|b| world.is(food, *b));
                world.put(food, if was_cooked { Bit::Burned } else { story.entity(appliance).heat }, true);
            }
        }
        Effect::Assemble(a, b) => {
            let (a, b) = (get(world, a), get(world, b));
            if let Some(recipe) = story.recipe(a, b) {
                world.place(a, NONE);
                world.place(b, NONE);
                world.place(recipe.makes, binding.me);
            }
        }
        Effect::Trade(a, b) => {
            let (give, want) = (get(world, a), get(world, b));
            if known(give) && known(want) {
                let holder = world.parent(want);
                match story.seat_of(holder) {
                    Some(seat) => world.propose(seat, Deal { from: binding.me, give, want }),
                    None => exchange(world, give, holder, want, binding.me),
                }
            }
        }
        Effect::Settle(from) => {
            let from = get(world, from);
            if let Some(seat) = story.seat_of(binding.me) {
                let deal = world.deal(seat);
                if deal.from == from && known(deal.give) && known(deal.want) {
                    world.propose(seat, NO_DEAL);
                    exchange(world, deal.give, binding.me, deal.want, from);
                }
            }
        }
        Effect::Refuse => {
            if let Some(seat) = story.seat_of(binding.me) {
                world.propose(seat, NO_DEAL);
            }
        }
        Effect::Flag(flag, value) => world.raise(flag, value),
        Effect::Count(counter, n) => world.count(counter, n),
        Effect::Add(counter, n) => world.count(counter, world.counter(counter).saturating_add(n)),
        Effect::Score(points) => {
            if let Some(seat) = story.seat_of(binding.me) {
                world.award(seat, points);
            }
        }
        Effect::Learn(topic) => world.learn(topic),
        Effect::Win => world.finish(End::Won),
        Effect::Lose => world.finish(End::Lost),
    }
}

/// `x` goes to `to_x` and `y` to `to_y`, unworn.
const fn exchange(world: &mut World, x: Ent, to_x: Ent, y: Ent, to_y: Ent) {
    world.place(x, to_x);
    world.put(x, Bit::Worn, false);
    world.place(y, to_y);
    world.put(y, Bit::Worn, false);
}
