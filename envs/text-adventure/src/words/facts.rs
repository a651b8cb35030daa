//! What can be said of a whole row.

use super::row::{Thing, actions, can, goal_says, listed, objects, thing, things, yes};
use crate::{
    action::{Dir, Verb},
    observe::{COLUMNS, View, WORDS, at, col, word_id},
};

readings! { FACTS, VALUES, View<'_>;
    // The game and its time.
    rival 0.0 1.0 "treasures against rivals" |v| number(v, at::mode);
    solo 0.0 1.0 "a quest alone" |v| number(v, at::mode + 1);
    coop 0.0 1.0 "a quest together" |v| number(v, at::mode + 2);
    turn 0.0 255.0 "turns passed, at most 255" |v| number(v, at::turn);
    turns_left 0.0 255.0 "turns until the cap, at most 255" |v| number(v, at::turns_left);
    time_used 0.0 100.0 "turns passed, percent of the cap" |v| {
        percent(v.get(at::turn), v.get(at::turn).saturating_add(v.get(at::turns_left)))
    };
    first 0.0 1.0 "the viewer's command is carried out first this round" |v| number(v, at::first);
    score 0.0 255.0 "points of the viewer or its team; rivals: banked private value" |v| number(v, at::score);
    scored 0.0 1.0 "there are points already" |v| yes(v.get(at::score) > 0);
    score_percent 0.0 100.0 "points, percent of those that can be had; 0 between rivals" |v| {
        percent(v.get(at::score), v.get(at::max_score))
    };
    points_left 0.0 255.0 "points still to be had; 0 between rivals" |v| {
        v.get(at::max_score).saturating_sub(v.get(at::score)).into()
    };
    // Light and strength.
    lit 0.0 1.0 "there is light" |v| number(v, at::lit);
    load 0.0 255.0 "size of what the viewer carries, worn things aside" |v| number(v, at::load);
    strength_left 0.0 255.0 "size that it can carry besides" |v| {
        v.get(at::strength).saturating_sub(v.get(at::load)).into()
    };
    full 0.0 1.0 "it cannot carry a thing of size 1 besides" |v| yes(v.get(at::load) >= v.get(at::strength));
    // Where it is.
    room #label 0.0 255.0 "id + 1 of the room, only to be compared with itself and with what lies behind directions" |v| {
        v.entity(1).map_or(0.0, |r| r.get(col::id).into())
    };
    rooms_known 0.0 255.0 "rooms that the viewer has seen" |v| number(v, at::rooms_known);
    exits 0.0 12.0 "exits in sight" |v| exits(v, |state, _| state > 0);
    exits_open 0.0 12.0 "exits without a closed door" |v| exits(v, |state, _| state == 1);
    exits_shut 0.0 12.0 "exits behind closed doors" |v| exits(v, |state, _| state == 2);
    exits_fresh 0.0 12.0 "open exits that the viewer never walked through from here" |v| {
        exits(v, |state, room| state == 1 && room == 0)
    };
    exits_walked 0.0 12.0 "exits that the viewer has walked through from here" |v| exits(v, |_, room| room > 0);
    dead_end 0.0 1.0 "there is one exit in sight" |v| yes(exits(v, |state, _| state > 0) == 1.0);
    heard 0.0 1.0 "somebody walked in a room next door since the last command" |v| {
        yes((0..Dir::COUNT).any(|d| v.get(at::heard + d) > 0))
    };
    // What is there.
    things 0.0 62.0 "things in sight, doors and people aside" |v| count(v, |t| t.get(col::kind) == 2);
    loose 0.0 62.0 "things that can be carried and touched and that nobody holds" |v| count(v, Thing::is_loose);
    plain_loose 0.0 62.0 "of these, things without a use that can be seen: keys, goods, treasures" |v| {
        count(v, |t| t.is_loose() && t.is_plain())
    };
    held 0.0 62.0 "things in the viewer's hands" |v| count(v, Thing::is_held);
    plain_held 0.0 62.0 "things in its hands without a use that can be seen" |v| count(v, |t| t.is_held() && t.is_plain());
    shut_here 0.0 62.0 "containers and doors in reach that open, are not open and not locked" |v| {
        count(v, |t| t.is_shut() && t.is(col::reach) && !t.is(col::locked))
    };
    box_shut 0.0 1.0 "a container in reach is shut and not locked" |v| {
        any(v, |t| t.is(col::container) && t.is_shut() && t.is(col::reach) && !t.is(col::locked))
    };
    locked_here 0.0 62.0 "locked things in reach" |v| count(v, |t| t.is(col::locked) && t.is(col::reach));
    door_locked 0.0 1.0 "a door in reach is locked" |v| {
        any(v, |t| t.get(col::kind) == 3 && t.is(col::locked) && t.is(col::reach))
    };
    holder_here 0.0 1.0 "a supporter or a container that is not shut is in reach" |v| {
        any(v, |t| (t.is(col::supporter) || t.is(col::container) && !t.is_shut()) && t.is(col::reach))
    };
    lamp_held 0.0 1.0 "a lamp in its hands" |v| any(v, |t| t.is(col::lamp) && t.is_held());
    lamp_on 0.0 1.0 "a lamp in sight is on" |v| any(v, |t| t.is(col::lamp) && t.is(col::on));
    sharp_held 0.0 1.0 "something sharp in its hands" |v| any(v, |t| t.is(col::sharp) && t.is_held());
    food_held 0.0 1.0 "something to eat or drink in its hands" |v| any(v, |t| t.is(col::edible) && t.is_held());
    raw_held 0.0 62.0 "things in its hands that can be cooked and are not" |v| {
        count(v, |t| t.is(col::cookable) && !t.is(col::cooked) && t.is_held())
    };
    uncut_held 0.0 62.0 "things in its hands that can be cut and are not" |v| {
        count(v, |t| t.is(col::cuttable) && !t.is(col::cut) && t.is_held())
    };
    stove_here 0.0 1.0 "something that cooks is in reach" |v| any(v, |t| t.is(col::heat) && t.is(col::reach));
    parts_held 0.0 62.0 "parts of an assembly in its hands" |v| count(v, |t| t.is(col::part) && t.is_held());
    parts_loose 0.0 62.0 "parts of an assembly that lie about" |v| count(v, |t| t.is(col::part) && t.is_loose());
    writing_here 0.0 62.0 "things in sight that something is written on" |v| count(v, |t| t.is(col::readable));
    machine_here 0.0 62.0 "things in reach to push, pull or turn" |v| count(v, |t| t.is(col::machine) && t.is(col::reach));
    mentioned 0.0 62.0 "things, doors and people in sight whose noun occurs in the news" |v| {
        count(v, |t| v.get(at::news_words + usize::from(t.get(col::noun))) > 0)
    };
    // What is asked for.
    goal_length 0.0 255.0 "words of the objective, at most 255" |v| {
        goal(v).iter().map(|n| u32::from(*n)).sum::<u32>().min(255) as f32
    };
    asked_here 0.0 62.0 "things, doors and people in sight whose whole name occurs in the objective" |v| count(v, Thing::is_asked);
    asked_in_reach 0.0 62.0 "of these, those that can be touched and that the viewer does not hold" |v| {
        count(v, |t| t.is_asked() && t.is(col::reach) && !t.is_held())
    };
    asked_loose 0.0 62.0 "of these, those that can be carried too and that nobody holds" |v| count(v, |t| t.is_asked() && t.is_loose());
    asked_held 0.0 62.0 "things in the viewer's hands that the objective names" |v| count(v, |t| t.is_asked() && t.is_held());
    asked_placed 0.0 62.0 "things in sight that the objective names and that lie in or on such a thing" |v| {
        count(v, |t| t.is_asked() && t.is_in_asked())
    };
    asked_person 0.0 1.0 "somebody in sight is named by the objective" |v| any(v, |t| t.get(col::kind) == 4 && t.is_asked());
    room_asked 0.0 1.0 "the objective names the room" |v| yes(thing(v, 1).is_some_and(Thing::is_asked));
    goal_says_go 0.0 1.0 "the objective says go" |v| goal_says(v, &[GO]);
    goal_says_take 0.0 1.0 "it says take, find, missing or hold" |v| goal_says(v, &TAKE);
    goal_says_bring 0.0 1.0 "it says bring, lead, give, gets or waiting" |v| goal_says(v, &BRING);
    goal_says_put 0.0 1.0 "it says put, belong or belongs" |v| goal_says(v, &PUT);
    goal_says_open 0.0 1.0 "it says open" |v| goal_says(v, &[OPEN]);
    goal_says_unlock 0.0 1.0 "it says unlock" |v| goal_says(v, &[UNLOCK]);
    goal_says_ask 0.0 1.0 "it says ask or way" |v| goal_says(v, &ASK);
    goal_says_trade 0.0 1.0 "it says trade or part" |v| goal_says(v, &TRADE);
    goal_says_make 0.0 1.0 "it says make, together, combine or parts" |v| goal_says(v, &MAKE);
    goal_says_cook 0.0 1.0 "it says cook or recipe" |v| goal_says(v, &COOK);
    goal_says_read 0.0 1.0 "it says read, follow or instructions" |v| goal_says(v, &READ);
    // Who is there.
    people_here 0.0 62.0 "people in sight who are no seats" |v| count(v, |t| t.get(col::kind) == 4);
    seats_here 0.0 62.0 "other seats in sight" |v| count(v, |t| t.get(col::kind) == 5);
    followed 0.0 1.0 "somebody in sight goes where a seat goes" |v| any(v, |t| t.is(col::following));
    goods_in_hands 0.0 62.0 "things in sight in somebody else's hands" |v| count(v, |t| t.get(col::place) == 4);
    // Rivals.
    vault_here 0.0 1.0 "the viewer's vault is in reach" |v| any(v, |t| t.get(col::vault) == 1 && t.is(col::reach));
    other_vault_here 0.0 1.0 "another seat's vault is in reach" |v| {
        any(v, |t| t.get(col::vault) == 2 && t.is(col::reach))
    };
    worth_held 0.0 15810.0 "private value of the treasures in its hands" |v| {
        things(v).filter(|t| t.is_held()).map(|t| f32::from(t.get(col::worth))).sum()
    };
    loot 0.0 62.0 "treasures that can be taken now, those in the own vault aside" |v| loot(v).count() as f32;
    loot_best 0.0 255.0 "the greatest private value among them" |v| loot(v).map(|t| t.get(col::worth)).max().unwrap_or(0).into();
    banked_here 0.0 62.0 "treasures in sight in or on the viewer's vault" |v| {
        count(v, |t| t.is(col::worth) && t.holder_vault() == 1)
    };
    offer_waits 0.0 1.0 "an offer of somebody in sight waits for the viewer" |v| yes(v.get(at::deal) > 0);
    offer_gain -255.0 255.0 "private value of what is offered less that of what is wanted for it" |v| {
        let worth = |k: usize| v.entity(v.get(at::deal + k)).map_or(0.0, |e| f32::from(e.worth()));
        worth(1) - worth(2)
    };
    // What came of the last command.
    done 0.0 1.0 "the last command was carried out and changed something" |v| number(v, at::outcome);
    no_effect 0.0 1.0 "it was carried out and changed nothing" |v| number(v, at::outcome + 1);
    refused 0.0 1.0 "it was understood and does not work" |v| number(v, at::outcome + 2);
    not_understood 0.0 1.0 "it was not understood" |v| number(v, at::outcome + 3);
    asks 0.0 1.0 "it could mean several things" |v| number(v, at::outcome + 4);
    taken_first 0.0 1.0 "another seat was quicker" |v| number(v, at::outcome + 5);
    news 0.0 255.0 "words of what happened in sight since the last command, at most 255" |v| {
        news(v).iter().map(|n| u32::from(*n)).sum::<u32>().min(255) as f32
    };
    news_unseen 0.0 255.0 "different words of the news that occur in no name in sight" |v| {
        let pairs = news(v).iter().zip(&v.bytes()[at::place_words..at::news_words]);
        pairs.map(|(n, p)| u32::from(*n > 0 && *p == 0)).sum::<u32>().min(255) as f32
    };
    // What works now.
    actions 0.0 512.0 "actions that work now" |v| actions(v).into();
    can_go 0.0 1.0 "one can walk somewhere" |v| yes(can(v, Verb::Go));
    can_take 0.0 1.0 "something can be taken" |v| yes(can(v, Verb::Take));
    can_put 0.0 1.0 "something can be put into or on something" |v| yes(can(v, Verb::PutIn) || can(v, Verb::PutOn));
    can_bank 0.0 1.0 "a treasure can be put into or on the viewer's vault" |v| {
        yes([Verb::PutIn, Verb::PutOn].into_iter().any(|verb| {
            pairs(v, verb).any(|(a, b)| a.is(col::worth) && b.get(col::vault) == 1)
        }))
    };
    can_open 0.0 1.0 "something can be opened" |v| yes(can(v, Verb::Open));
    can_unlock 0.0 1.0 "something locked is in reach and its key held" |v| yes(can(v, Verb::Unlock));
    can_light 0.0 1.0 "something can be lit or switched on" |v| yes(can(v, Verb::Light));
    can_light_lamp 0.0 1.0 "a lamp can be lit" |v| {
        yes(pairs(v, Verb::Light).any(|(a, _)| a.is(col::lamp)))
    };
    can_read 0.0 1.0 "something can be read" |v| yes(can(v, Verb::Read));
    can_search 0.0 1.0 "something can be searched" |v| yes(can(v, Verb::Search));
    can_cut 0.0 1.0 "something can be sliced, diced or chopped" |v| {
        yes(can(v, Verb::Slice) || can(v, Verb::Dice) || can(v, Verb::Chop))
    };
    can_cook 0.0 1.0 "something can be cooked" |v| yes(can(v, Verb::Cook));
    can_combine 0.0 1.0 "two parts go together now" |v| yes(can(v, Verb::Combine));
    can_work 0.0 1.0 "something can be pushed, pulled or turned" |v| {
        yes(can(v, Verb::Push) || can(v, Verb::Pull) || can(v, Verb::Turn))
    };
    can_give 0.0 1.0 "somebody here gladly takes something that is held" |v| yes(can(v, Verb::Give));
    can_talk 0.0 1.0 "somebody can be asked or told about something" |v| yes(can(v, Verb::Ask) || can(v, Verb::Tell));
    topics 0.0 128.0 "things that somebody can be asked or told about" |v| {
        (listed(v, Verb::Ask).len() + listed(v, Verb::Tell).len()).min(128) as f32
    };
    can_offer 0.0 1.0 "something can be offered for something" |v| yes(can(v, Verb::Offer));
    can_accept 0.0 1.0 "the offer that waits can be accepted" |v| yes(can(v, Verb::Accept));
    can_steal 0.0 1.0 "something can be taken out of another seat's hands" |v| yes(can(v, Verb::Steal));
    can_eat 0.0 1.0 "something can be eaten or drunk" |v| yes(can(v, Verb::Eat) || can(v, Verb::Drink));
    can_wear 0.0 1.0 "something can be put on" |v| yes(can(v, Verb::Wear));
}

const GO: u8 = word_id("go");
const TAKE: [u8; 4] = [word_id("take"), word_id("find"), word_id("missing"), word_id("hold")];
const BRING: [u8; 5] =
    [word_id("bring"), word_id("lead"), word_id("give"), word_id("gets"), word_id("waiting")];
const PUT: [u8; 3] = [word_id("put"), word_id("belong"), word_id("belongs")];
const OPEN: u8 = word_id("open");
const UNLOCK: u8 = word_id("unlock");
const ASK: [u8; 2] = [word_id("ask"), word_id("way")];
const TRADE: [u8; 2] = [word_id("trade"), word_id("part")];
const MAKE: [u8; 4] = [word_id("make"), word_id("together"), word_id("combine"), word_id("parts")];
const COOK: [u8; 2] = [word_id("cook"), word_id("recipe")];
const READ: [u8; 3] = [word_id("read"), word_id("follow"), word_id("instructions")];

fn number(view: View<'_>, at: usize) -> f32 {
    view.get(at).into()
}

/// Whole percent, so that no share of it is taken for a predicate.
fn percent(part: u8, whole: u8) -> f32 {
    if whole == 0 { 0.0 } else { (100 * u32::from(part) / u32::from(whole)).min(100) as f32 }
}

/// Exits of which `is` holds, given their state and the room + 1 behind them.
fn exits(view: View<'_>, is: impl Fn(u8, u8) -> bool) -> f32 {
    let cell = |d: usize, k: usize| view.get(at::exits + 3 * d + k);
    (0..Dir::COUNT).map(|d| yes(is(cell(d, 0), cell(d, 1)))).sum()
}

fn count<'a>(view: View<'a>, is: impl Fn(Thing<'a>) -> bool) -> f32 {
    things(view).map(|t| yes(is(t))).sum()
}

fn any<'a>(view: View<'a>, is: impl Fn(Thing<'a>) -> bool) -> f32 {
    yes(things(view).any(is))
}

fn goal<'a>(view: View<'a>) -> &'a [u8] {
    &view.bytes()[at::goal_words..=at::goal_words + WORDS]
}

fn news<'a>(view: View<'a>) -> &'a [u8] {
    &view.bytes()[at::news_words..=at::news_words + WORDS]
}

/// First and second object of the listed actions of a verb; a verb of one object has it twice.
fn pairs(view: View<'_>, verb: Verb) -> impl Iterator<Item = (Thing<'_>, Thing<'_>)> {
    listed(view, verb).filter_map(move |i| {
        let [a, b] = objects(view, i);
        Some((thing(view, a)?, thing(view, if b == 0 { a } else { b })?))
    })
}

/// Treasures that a listed action takes, those in the own vault aside.
fn loot(view: View<'_>) -> impl Iterator<Item = Thing<'_>> {
    pairs(view, Verb::Take).map(|(a, _)| a).filter(|t| t.is(col::worth) && t.holder_vault() != 1)
}

const _: () = assert!(COLUMNS.len() == 37, "new columns want words");
