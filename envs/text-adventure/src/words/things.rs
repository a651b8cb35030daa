//! What can be said of a thing in sight.

use super::row::{Thing, listed, objects, things, yes};
use crate::{
    action::{Dir, Verb},
    observe::{WORDS, at, col},
};

readings! { FEATURES, VALUES, Thing<'_>;
    is_thing 0.0 1.0 "a thing: no door, nobody" |t| yes(t.get(col::kind) == 2);
    is_door 0.0 1.0 "a door" |t| yes(t.get(col::kind) == 3);
    is_person 0.0 1.0 "somebody who is no seat" |t| yes(t.get(col::kind) == 4);
    is_seat 0.0 1.0 "another seat" |t| yes(t.get(col::kind) == 5);
    held 0.0 1.0 "in the viewer's hands" |t| yes(t.is_held());
    in_room 0.0 1.0 "lies or stands in the room itself" |t| yes(is_with(t) && t.get(col::place) == 0);
    inside 0.0 1.0 "inside something" |t| yes(t.get(col::place) == 1);
    on_top 0.0 1.0 "on top of something" |t| yes(t.get(col::place) == 2);
    in_hands 0.0 1.0 "in somebody else's hands" |t| yes(t.get(col::place) == 4);
    reach 0.0 1.0 "can be touched" |t| yes(t.is(col::reach));
    loose 0.0 1.0 "can be carried and touched, and nobody holds it" |t| yes(t.is_loose());
    portable 0.0 1.0 "can be carried" |t| yes(t.is(col::portable));
    plain 0.0 1.0 "can be carried and has no use that can be seen, as a key, a good, a treasure" |t| yes(t.is_plain());
    container 0.0 1.0 "holds things inside" |t| yes(t.is(col::container));
    supporter 0.0 1.0 "holds things on top" |t| yes(t.is(col::supporter));
    openable 0.0 1.0 "opens and closes" |t| yes(t.is(col::openable));
    open 0.0 1.0 "is open" |t| yes(t.is(col::open));
    shut 0.0 1.0 "opens and is not open" |t| yes(t.is_shut());
    lockable 0.0 1.0 "has a lock" |t| yes(t.is(col::lockable));
    locked 0.0 1.0 "is locked" |t| yes(t.is(col::locked));
    wearable 0.0 1.0 "can be worn" |t| yes(t.is(col::wearable));
    worn 0.0 1.0 "is worn" |t| yes(t.is(col::worn));
    readable 0.0 1.0 "something is written on it" |t| yes(t.is(col::readable));
    food 0.0 1.0 "can be eaten" |t| yes(t.get(col::edible) & 1 > 0);
    drink 0.0 1.0 "can be drunk" |t| yes(t.get(col::edible) & 2 > 0);
    lamp 0.0 1.0 "gives light while on" |t| yes(t.is(col::lamp));
    switch 0.0 1.0 "is lit or switched" |t| yes(t.is(col::switch));
    on 0.0 1.0 "is lit or runs" |t| yes(t.is(col::on));
    sharp 0.0 1.0 "cuts" |t| yes(t.is(col::sharp));
    heat 0.0 3.0 "cooks: 1 fries, 2 roasts, 3 grills" |t| t.get(col::heat).into();
    cookable 0.0 1.0 "can be cooked" |t| yes(t.is(col::cookable));
    cooked 0.0 4.0 "1 fried, 2 roasted, 3 grilled, 4 burned" |t| t.get(col::cooked).into();
    cuttable 0.0 1.0 "can be cut" |t| yes(t.is(col::cuttable));
    cut 0.0 3.0 "1 sliced, 2 diced, 3 chopped" |t| t.get(col::cut).into();
    part 0.0 1.0 "goes together with another part" |t| yes(t.is(col::part));
    push 0.0 1.0 "can be pushed" |t| yes(t.get(col::machine) & 1 > 0);
    pull 0.0 1.0 "can be pulled" |t| yes(t.get(col::machine) & 2 > 0);
    turn 0.0 1.0 "can be turned" |t| yes(t.get(col::machine) & 4 > 0);
    broken 0.0 1.0 "is broken" |t| yes(t.is(col::broken));
    following 0.0 1.0 "goes where a seat goes" |t| yes(t.is(col::following));
    size 0.0 255.0 "how much strength it takes" |t| t.get(col::size).into();
    value 0.0 255.0 "public value" |t| t.get(col::value).into();
    worth 0.0 255.0 "rivals: private value once banked" |t| t.get(col::worth).into();
    own_vault 0.0 1.0 "the viewer's vault" |t| yes(t.get(col::vault) == 1);
    other_vault 0.0 1.0 "another seat's vault" |t| yes(t.get(col::vault) == 2);
    banked 0.0 1.0 "lies in or on the viewer's vault" |t| yes(t.holder_vault() == 1);
    guarded 0.0 1.0 "lies in or on another seat's vault" |t| yes(t.holder_vault() == 2);
    holds 0.0 64.0 "things in sight directly in, on or with it" |t| count(t, |other| other.get(col::holder) == t.code);
    alike 0.0 64.0 "other things in sight of the same noun" |t| {
        count(t, |other| other.get(col::noun) == t.get(col::noun) && other.code != t.code)
    };
    mentions 0.0 255.0 "how often its noun occurs in the news, the viewer's own command included" |t| {
        news(t, t.get(col::noun)).into()
    };
    named 0.0 1.0 "its noun and its adjective, if it has one, occur in the news" |t| {
        let adjective = t.get(col::adjective);
        yes(news(t, t.get(col::noun)) > 0 && (adjective == 0 || news(t, adjective) > 0))
    };
    asked_noun 0.0 1.0 "its noun occurs in the objective" |t| yes(t.is(col::asked));
    asked 0.0 1.0 "its whole name occurs in the objective" |t| yes(t.is_asked());
    in_asked 0.0 1.0 "lies in or on a thing whose whole name occurs in the objective" |t| yes(t.is_in_asked());
    moved 0.0 1.0 "the viewer has taken it before" |t| yes(t.is(col::moved));
    leads_new 0.0 1.0 "the door of an exit that the viewer never walked through from here" |t| {
        yes(exit_behind(t).is_some_and(|walked| !walked))
    };
    leads_known 0.0 1.0 "the door of an exit that the viewer has walked through from here" |t| {
        yes(exit_behind(t).is_some_and(|walked| walked))
    };
    has_key 0.0 1.0 "the viewer holds its key: unlocking or locking it is listed" |t| {
        yes(t.is_listed(Verb::Unlock, 0) || t.is_listed(Verb::Lock, 0))
    };
    is_key 0.0 1.0 "in the viewer's hands and the key of a lock in reach: unlocking or locking with it is listed" |t| {
        yes(t.is_listed(Verb::Unlock, 1) || t.is_listed(Verb::Lock, 1))
    };
    wanted 0.0 1.0 "somebody here gladly takes it: giving it is listed" |t| yes(t.is_listed(Verb::Give, 0));
    wants 0.0 64.0 "somebody: how many things in the viewer's hands can be given to them" |t| {
        t.times_listed(Verb::Give, 1).min(64).into()
    };
    trades 0.0 1.0 "an offer of it or for it is listed" |t| {
        yes(t.is_listed(Verb::Offer, 0) || t.is_listed(Verb::Offer, 1))
    };
    combines 0.0 1.0 "putting it together with something is listed" |t| {
        yes(listed(t.view, Verb::Combine).any(|i| objects(t.view, i).contains(&t.code)))
    };
    topics 0.0 64.0 "somebody: things that they can be asked or told about" |t| {
        (t.times_listed(Verb::Ask, 0) + t.times_listed(Verb::Tell, 0)).min(64).into()
    };
}

/// Whether it stands in the room as things and people do: doors lie between rooms, and the room is not in itself.
fn is_with(t: Thing<'_>) -> bool {
    matches!(t.get(col::kind), 2 | 4..=6)
}

fn count<'a>(t: Thing<'a>, is: impl Fn(Thing<'a>) -> bool) -> f32 {
    things(t.view).map(|other| yes(is(other))).sum()
}

/// How often a word occurs in the news.
fn news(t: Thing<'_>, word: u8) -> u8 {
    const { assert!(WORDS < 256, "a word id is a byte") };
    t.view.get(at::news_words + usize::from(word))
}

/// Of a door: whether the viewer has walked through it from this side. `None` for what is no door of an exit here.
fn exit_behind(t: Thing<'_>) -> Option<bool> {
    let cell = |d: usize, k: usize| t.view.get(at::exits + 3 * d + k);
    (0..Dir::COUNT).find(|d| cell(*d, 2) == t.code).map(|d| cell(d, 1) > 0)
}
