//! Facts and features agree with the world.

use crate::{DIRECTION, THING, TOPIC, feature, play, value};
use agon_text_adventure::{
    Action, Attr, Bit, Dir, Ent, NO_DEAL, NONE, Story, Verb, observe::word_id, predicates::Query,
};

fn truth(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// Ids of the words of a text.
fn words_of(text: &str) -> Vec<u8> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    words.map(word_id).collect()
}

/// Whether the noun of an entity stands in the objective, and whether its whole name does.
fn names_in(story: &Story, e: Ent) -> (bool, bool) {
    let plain = |text: &str| {
        let kept = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
        let text: String = text.chars().map(kept).collect();
        format!(" {} ", text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    let (goal, name) = (plain(&story.objective), &story.entity(e).name);
    (goal.contains(&plain(&name.noun)), goal.contains(&plain(&name.phrase())))
}

#[test]
fn facts_agree_with_the_world() {
    let mut checked = 0;
    play(4, 50, |stage, seat, row| {
        let (env, state) = (&stage.env, stage.env.state());
        let (story, world, scope) = (state.story(), state.world(), env.scope(seat));
        let holds = |text: &str| {
            truth(
                Query::parse(story, text).unwrap_or_else(|e| panic!("{text}: {e}")).holds(story, world, seat),
            )
        };
        for (name, query) in [("lit", "light"), ("full", "full")] {
            assert_eq!(value(row, name), holds(query), "{name}");
        }
        let deal = world.deal(seat);
        let is_near = deal != NO_DEAL && scope.seen.has(deal.from);
        assert_eq!(value(row, "offer_waits"), holds("offered") * truth(is_near));
        let dirs = |of: &str| Dir::ALL.iter().map(|d| holds(&format!("{of}({})", d.name()))).sum::<f32>();
        assert_eq!(value(row, "exits"), dirs("exit"));
        assert_eq!(value(row, "can_go"), truth(dirs("passable") > 0.0));
        for (name, query) in [("rooms_known", "rooms_visited"), ("turn", "turn")] {
            let n = value(row, name) as i32;
            assert_eq!(
                (holds(&format!("{query}({n})")), holds(&format!("{query}({})", n + 1))),
                (1.0, 0.0),
                "{name} is {n}"
            );
        }
        assert_eq!(value(row, "room"), f32::from(scope.room) + 1.0);
        assert_eq!(value(row, "held"), scope.held.len() as f32);
        let in_sight =
            |is: &dyn Fn(Ent) -> bool| scope.seen.iter().filter(|e| *e != scope.me && is(*e)).count() as f32;
        let bit = |e: Ent, bit: Bit| world.is(e, bit);
        let is_door = |e: Ent| story.is(e, Attr::Door);
        let in_hands = |e: Ent| world.parent(e) != NONE && story.is(world.parent(e), Attr::Actor);
        assert_eq!(
            value(row, "loose"),
            in_sight(&|e| story.is(e, Attr::Portable) && scope.reach.has(e) && !in_hands(e))
        );
        assert_eq!(value(row, "locked_here"), in_sight(&|e| scope.reach.has(e) && bit(e, Bit::Locked)));
        let has_locked = in_sight(&|e| is_door(e) && scope.reach.has(e) && bit(e, Bit::Locked)) > 0.0;
        assert_eq!(value(row, "door_locked"), truth(has_locked));
        let is_seat = |e: Ent| story.is(e, Attr::Seat);
        assert_eq!(value(row, "people_here"), in_sight(&|e| story.is(e, Attr::Actor) && !is_seat(e)));
        assert_eq!(value(row, "seats_here"), in_sight(&is_seat));
        let lamp = |e: Ent| story.is(e, Attr::Lamp);
        assert_eq!(value(row, "lamp_on"), truth(in_sight(&|e| lamp(e) && bit(e, Bit::On)) > 0.0));
        assert_eq!(value(row, "lamp_held"), truth(scope.held.iter().any(lamp)));
        assert_eq!(value(row, "goods_in_hands"), in_sight(&|e| in_hands(e) && world.parent(e) != scope.me));
        let cap = (value(row, "turn"), value(row, "turns_left"));
        assert_eq!(value(row, "time_used"), (100.0 * cap.0 / (cap.0 + cap.1)).floor());
        // What is asked for, from the text of the objective.
        let goal: Vec<u8> = words_of(&story.objective);
        let asked = |e: Ent| names_in(story, e).1;
        assert_eq!(value(row, "goal_length"), goal.len().min(255) as f32);
        assert_eq!(value(row, "room_asked"), truth(scope.is_lit && asked(scope.room)));
        assert_eq!(value(row, "asked_here"), in_sight(&asked));
        assert_eq!(value(row, "asked_held"), in_sight(&|e| scope.held.has(e) && asked(e)));
        let is_near = |e: Ent| asked(e) && scope.reach.has(e) && !scope.held.has(e);
        assert_eq!(value(row, "asked_in_reach"), in_sight(&is_near));
        for (name, words) in [
            ("goal_says_go", &["go"][..]),
            ("goal_says_put", &["put", "belong", "belongs"]),
            ("goal_says_unlock", &["unlock"]),
            ("goal_says_cook", &["cook", "recipe"]),
        ] {
            let is_said = words.iter().any(|w| goal.contains(&word_id(w)));
            assert_eq!(value(row, name), truth(is_said), "{name}: {}", story.objective);
        }
        // Rivals.
        let stakes = state.stakes();
        let worth = |e: Ent| u32::from(stakes.worth(e, seat));
        assert_eq!(value(row, "worth_held"), scope.held.iter().map(worth).sum::<u32>() as f32);
        let list = env.actions();
        let is_loot = |a: &&Action| {
            a.verb == Verb::Take && worth(a.a) > 0 && stakes.vault_of(world.parent(a.a)) != Some(seat)
        };
        assert_eq!(value(row, "loot"), list.iter().filter(is_loot).count() as f32);
        let is_banked = |a: &Action| {
            matches!(a.verb, Verb::PutIn | Verb::PutOn) && worth(a.a) > 0 && a.b == stakes.vault(seat)
        };
        assert_eq!(value(row, "can_bank"), truth(list.iter().copied().any(|a| is_banked(&a))));
        assert_eq!(value(row, "actions"), list.len() as f32);
        for (name, verbs) in [
            ("can_take", &[Verb::Take][..]),
            ("can_open", &[Verb::Open]),
            ("can_unlock", &[Verb::Unlock]),
            ("can_cut", &[Verb::Slice, Verb::Dice, Verb::Chop]),
            ("can_work", &[Verb::Push, Verb::Pull, Verb::Turn]),
            ("can_talk", &[Verb::Ask, Verb::Tell]),
            ("can_give", &[Verb::Give]),
            ("can_combine", &[Verb::Combine]),
            ("can_wear", &[Verb::Wear]),
        ] {
            assert_eq!(value(row, name), truth(list.iter().any(|a| verbs.contains(&a.verb))), "{name}");
        }
        checked += 1;
    });
    assert!(checked > 1_000, "{checked}");
}

#[test]
fn features_agree_with_the_world() {
    let mut met = [0; 8];
    play(4, 50, |stage, seat, row| {
        let (env, state) = (&stage.env, stage.env.state());
        let (story, world, scope) = (state.story(), state.world(), env.scope(seat));
        for e in scope.seen.iter().filter(|e| *e != scope.me) {
            let is = |name: &str| feature(row, THING, u16::from(e) + 1, name);
            let attrs = [
                ("portable", Attr::Portable),
                ("container", Attr::Container),
                ("supporter", Attr::Supporter),
                ("is_door", Attr::Door),
                ("food", Attr::Edible),
                ("drink", Attr::Drinkable),
                ("push", Attr::Push),
                ("pull", Attr::Pull),
                ("turn", Attr::Turn),
            ];
            attrs.iter().for_each(|(name, attr)| assert_eq!(is(name), truth(story.is(e, *attr)), "{name}"));
            let bits = [("open", Bit::Open), ("locked", Bit::Locked), ("on", Bit::On), ("worn", Bit::Worn)];
            bits.iter().for_each(|(name, bit)| assert_eq!(is(name), truth(world.is(e, *bit)), "{name}"));
            assert_eq!(is("shut"), truth(story.is(e, Attr::Openable) && !world.is(e, Bit::Open)));
            assert_eq!(is("held"), truth(scope.held.has(e)));
            assert_eq!(is("reach"), truth(scope.reach.has(e)));
            assert_eq!(is("worth"), f32::from(state.stakes().worth(e, seat)));
            let vault = state.stakes().vault_of(world.parent(e));
            assert_eq!(
                (is("banked"), is("guarded")),
                (truth(vault == Some(seat)), truth(vault.is_some_and(|owner| owner != seat)))
            );
            let inside = scope.seen.iter().filter(|x| *x != scope.me && world.parent(*x) == e).count();
            assert_eq!(is("holds"), inside as f32);
            let (is_noun, is_asked) = names_in(story, e);
            assert_eq!((is("asked_noun"), is("asked")), (truth(is_noun), truth(is_asked)));
            let at = world.parent(e);
            let is_on = at != NONE && (story.is(at, Attr::Container) || story.is(at, Attr::Supporter));
            let is_placed = is_on && scope.seen.has(at) && names_in(story, at).1;
            assert_eq!(is("in_asked"), truth(is_placed), "{e} in {at}");
            // Alone, nobody else takes anything.
            if story.seats.len() == 1 {
                assert_eq!(is("moved"), truth(world.is(e, Bit::Moved)));
            }
            met[5] += usize::from(is_asked);
            met[6] += usize::from(is_placed);
            met[7] += usize::from(is("moved") > 0.0);
            if is("has_key") > 0.0 {
                assert!(scope.held.iter().any(|key| story.opens(e, key)), "the key of {e} is not held");
                met[0] += 1;
            }
            if is("is_key") > 0.0 {
                assert!(scope.held.has(e) && scope.seen.iter().any(|x| story.opens(x, e)));
                met[1] += 1;
            }
            if is("wanted") > 0.0 {
                let taker = |x: Ent| story.is(x, Attr::Actor) && scope.reach.has(x);
                assert!(scope.held.has(e) && scope.seen.iter().any(taker), "nobody wants {e}");
                met[2] += 1;
            }
            if is("leads_new") > 0.0 {
                assert!(story.is(e, Attr::Door) && is("leads_known") == 0.0);
                met[3] += 1;
            }
        }
        let walked: Vec<(Dir, Ent)> =
            state.map(seat).filter(|w| w.0 == scope.room).map(|(_, d, to)| (d, to)).collect();
        for dir in Dir::ALL {
            let is = |name: &str| feature(row, DIRECTION, *dir as u16, name);
            let to = walked.iter().find(|w| w.0 == *dir).map(|w| w.1);
            let way = state.ways(seat, &scope).find(|w| w.0 == *dir);
            assert_eq!(is("open") + is("shut"), truth(way.is_some()), "{dir:?}");
            assert_eq!(is("open"), truth(way.is_some_and(|w| w.1)));
            assert_eq!(is("room"), to.map_or(0.0, |to| f32::from(to) + 1.0));
            assert_eq!(is("fresh"), truth(way.is_some_and(|w| w.1 && w.2.is_none())));
            assert_eq!(is("opposite"), f32::from(dir.opposite() as u8));
            let goal = words_of(&story.objective);
            assert_eq!(is("asked"), truth(goal.contains(&word_id(dir.name()))));
        }
        let topics: Vec<Action> =
            env.actions().iter().copied().filter(|a| matches!(a.verb, Verb::Ask | Verb::Tell)).collect();
        for topic in &topics {
            let is = |name: &str| feature(row, TOPIC, topic.b.into(), name);
            let others: Vec<&Action> = topics.iter().filter(|t| t.a == topic.a && t.b != topic.b).collect();
            assert_eq!(is("told"), truth(topic.verb == Verb::Tell));
            assert_eq!(is("others"), others.len() as f32);
            assert_eq!(is("rank"), others.iter().filter(|t| t.b < topic.b).count() as f32);
            assert_eq!(is("last"), truth(others.iter().all(|t| t.b < topic.b)));
            met[4] += 1;
        }
    });
    assert!(met.iter().all(|n| *n > 20), "too few of some: {met:?}");
}
