//! What a player weighs in an action: the one table of features, from the row and its own memory.

use super::mind::{FAR, Mind};
use crate::{
    action::Verb,
    observe::{Choice, Seen, View, at, col},
};

/// One feature of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    /// Name, `snake_case`.
    pub name: &'static str,
    /// What it is, with its unit.
    pub meaning: &'static str,
}

macro_rules! features {
    ($($key:ident $meaning:literal;)*) => {
        #[expect(non_camel_case_types, reason = "each variant bears the name of its feature")]
        #[derive(Clone, Copy)]
        pub(super) enum F { $($key),* }

        /// Every feature in order.
        pub const FEATURES: &[Feature] = &[$(Feature { name: stringify!($key), meaning: $meaning }),*];
    };
}

features! {
    take_treasure "take a treasure: worth / 16";
    raid "take a treasure out of another seat's vault: worth / 16";
    bank "put a treasure into the own vault: worth / 16 + 1";
    unbank "take a treasure out of the own vault: 1";
    misplace "put a treasure anywhere else: 1";
    take_thing "take something that is no treasure, for the first time: 1";
    drop_thing "put down something that is no treasure: 1";
    go_new "walk towards an exit never walked: 1 beside it, less from afar";
    go_home "walk home: worth carried / 16, twice that when time runs out";
    go_loot "walk to a treasure that was seen: 1 beside it, less from afar";
    go_back "walk back where one came from: 1";
    go "walk: 1";
    open "open something: 1";
    unlock "unlock something: 1";
    search "search something for the first time: 1";
    light "light or switch on: 1, in the dark 2";
    look_into "examine or read something for the first time: 1";
    machine "push, pull or turn for the first time: 1";
    shut "close, lock or put out: 1";
    prepare "cook, cut or combine: 1";
    talk "ask, tell or show for the first time: 1";
    give "give something away: 1";
    offer_gain "offer: (worth wanted - worth given) / 16";
    offer "offer for the first time: 1";
    accept_gain "accept: (worth got - worth given) / 16";
    decline "decline: 1";
    steal "steal a treasure: worth / 16";
    idle "wait, look, count one's things: 1";
    tries "how often it was done before, at most 3, / 3";
    noise "a uniform draw from 0..1";
}

/// Number of features.
pub(super) const COUNT: usize = FEATURES.len();

/// Worth that counts as 1.
const UNIT: f32 = 16.0;

/// The features of one action; `noise` is left to the caller.
pub(super) fn of(view: View<'_>, mind: &Mind, choice: &Choice) -> [f32; COUNT] {
    let mut f = [0.0; COUNT];
    let mut set = |feature: F, value: f32| f[feature as usize] = value;
    let (a, b) = (view.entity(choice.a), view.entity(choice.b));
    let worth = |e: Option<Seen<'_>>| e.map_or(0.0, |e| f32::from(e.worth()) / UNIT);
    let tries = mind.tries(view, choice);
    let is_new = f32::from(tries == 0);
    let vault = |e: Option<Seen<'_>>| e.map_or(0, |e| e.get(col::vault));
    let holder_vault = vault(a.and_then(|a| view.entity(a.get(col::holder))));
    match choice.verb {
        Verb::Take if worth(a) > 0.0 => match holder_vault {
            1 => set(F::unbank, 1.0),
            2 => set(F::raid, worth(a)),
            _ => set(F::take_treasure, worth(a)),
        },
        Verb::Take => set(F::take_thing, is_new),
        Verb::PutIn | Verb::PutOn if worth(a) > 0.0 && vault(b) == 1 => set(F::bank, worth(a) + 1.0),
        Verb::Drop | Verb::PutIn | Verb::PutOn | Verb::Give if worth(a) > 0.0 => set(F::misplace, 1.0),
        Verb::Drop | Verb::PutIn | Verb::PutOn => set(F::drop_thing, 1.0),
        Verb::Go => {
            set(F::go, 1.0);
            if let Some(dir) = choice.dir() {
                set(F::go_new, mind.to_frontier(dir));
                let hurry = mind.home.is_some_and(|home| {
                    let steps = mind.steps_to(home);
                    steps != FAR && view.get(at::turns_left) <= steps.saturating_add(3)
                });
                let load = f32::from(mind.carried) / UNIT * if hurry { 2.0 } else { 1.0 };
                set(F::go_home, mind.to_home(dir) * load);
                set(F::go_loot, mind.to_loot(dir));
                set(F::go_back, f32::from(mind.is_back(dir)));
            }
        }
        Verb::Open => set(F::open, 1.0),
        Verb::Unlock => set(F::unlock, 1.0),
        Verb::Search => set(F::search, is_new),
        Verb::Light => set(F::light, if view.get(at::lit) == 0 { 2.0 } else { is_new }),
        Verb::Examine | Verb::Read => set(F::look_into, is_new),
        Verb::Push | Verb::Pull | Verb::Turn => set(F::machine, is_new),
        Verb::Close | Verb::Lock | Verb::Extinguish => set(F::shut, 1.0),
        Verb::Slice | Verb::Dice | Verb::Chop | Verb::Cook | Verb::Combine => set(F::prepare, 1.0),
        Verb::Wear | Verb::Remove | Verb::Eat | Verb::Drink | Verb::Attack => {}
        Verb::Ask | Verb::Tell | Verb::Show => set(F::talk, is_new),
        Verb::Give => set(F::give, 1.0),
        Verb::Offer => {
            set(F::offer_gain, worth(b) - worth(a));
            set(F::offer, is_new);
        }
        Verb::Accept => {
            let [give, want] = [1, 2].map(|i| worth(view.entity(view.get(at::deal + i))));
            set(F::accept_gain, give - want);
        }
        Verb::Decline => set(F::decline, 1.0),
        Verb::Steal => set(F::steal, worth(a)),
        Verb::Look | Verb::Inventory | Verb::Wait => set(F::idle, 1.0),
    }
    set(F::tries, f32::from(tries) / 3.0);
    f
}
