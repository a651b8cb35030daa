//! The table of verbs: complete, exact, and harmless when it refuses.

mod common;

use agon_text_adventure::{
    Action, Bit, DIR_BASE, Dir, End, Ent, Log, NONE, Scope, Story, Verb, World,
    rules::{Refusal, admissible, apply, check, end_turn},
};
use common::{act, cellar};
use rl_gym::Pcg64;
use std::collections::BTreeSet;

/// Every action that passes [`check`], by trying all verbs with all objects.
fn brute_force(story: &Story, world: &World, scope: &Scope) -> BTreeSet<Action> {
    let slots: Vec<Ent> = (0..story.len() as Ent).chain(DIR_BASE..=NONE).collect();
    let mut found = BTreeSet::new();
    for &verb in Verb::ALL {
        for &a in &slots {
            for &b in &slots {
                let action = Action { verb, a, b };
                if check(story, world, scope, action).is_ok() {
                    found.insert(action);
                }
            }
        }
    }
    found
}

/// Each twin in the place of its lowest brother.
fn by_name(story: &Story, action: Action) -> (Verb, Ent, Ent) {
    let name = |e: Ent| story.entities.get(usize::from(e)).map_or(e, |x| x.twin);
    let is_topic = matches!(action.verb, Verb::Ask | Verb::Tell);
    (action.verb, name(action.a), if is_topic { action.b } else { name(action.b) })
}

#[test]
fn the_list_is_complete_sorted_and_says_each_thing_once() {
    let (story, _) = cellar();
    let mut listed = Vec::new();
    for seed in 0..12 {
        let mut world = story.start;
        let mut rng = Pcg64::seed(seed);
        for _ in 0..40 {
            let scope = Scope::of(&story, &world, story.seats[0]);
            admissible(&story, &world, &scope, &mut listed);
            let brute = brute_force(&story, &world, &scope);
            assert!(listed.is_sorted() && listed.iter().all(|a| brute.contains(a)), "{listed:?}");
            let names: Vec<_> = listed.iter().map(|a| by_name(&story, *a)).collect();
            let brute_names: BTreeSet<_> = brute.iter().map(|a| by_name(&story, *a)).collect();
            assert_eq!(names.iter().copied().collect::<BTreeSet<_>>(), brute_names);
            assert_eq!(names.len(), brute_names.len(), "said twice: {listed:?}");
            if listed.is_empty() {
                assert_ne!(world.end(), End::Open);
                break;
            }
            let action = listed[rng.below(listed.len() as u32) as usize];
            act(&story, &mut world, action).expect("listed");
            assert_eq!(world.hash(), world.recomputed_hash(), "{action:?}");
        }
    }
}

#[test]
fn a_refused_action_touches_nothing() {
    let (story, _) = cellar();
    let mut rng = Pcg64::seed(3);
    let mut world = story.start;
    let mut refused = 0;
    for _ in 0..200_000 {
        let action = Action {
            verb: Verb::ALL[rng.below(Verb::COUNT as u32) as usize],
            a: rng.below(256) as Ent,
            b: if rng.below(2) == 0 { NONE } else { rng.below(40) as Ent },
        };
        let (before, mut log) = (world, Log::default());
        let scope = Scope::of(&story, &world, story.seats[0]);
        let listed = check(&story, &world, &scope, action);
        match apply(&story, &mut world, &scope, action, &mut log) {
            Ok(()) => end_turn(&story, &mut world, &mut log),
            Err(why) => {
                assert_eq!((Err(why), world, log.notes().len()), (listed, before, 0));
                refused += 1;
            }
        }
        if world.end() != End::Open {
            world = story.start;
        }
    }
    assert!(refused > 100_000, "{refused}");
}

#[test]
fn the_cellar_is_won() {
    let (story, c) = cellar();
    let mut world = story.start;
    let chest = c.door + 1;
    let walk = [
        Action::on(Verb::Open, chest),
        Action::on(Verb::Take, c.key),
        Action::on(Verb::Take, c.lamp),
        Action::on(Verb::Light, c.lamp),
        Action::with(Verb::Unlock, c.door, c.key),
        Action::on(Verb::Open, c.door),
        Action::go(Dir::Down),
        Action::on(Verb::Search, world.parent(c.salt)),
        Action::on(Verb::Take, c.salt),
        Action::go(Dir::Up),
        Action::go(Dir::East),
        Action::with(Verb::Give, c.salt, c.cook),
    ];
    for action in walk {
        act(&story, &mut world, action).unwrap_or_else(|why| panic!("{action:?}: {why:?}"));
    }
    assert_eq!((world.end(), world.score(0), world.turn()), (End::Won, 3, 12));
    assert_eq!(act(&story, &mut world, Action::bare(Verb::Wait)), Err(Refusal::GameOver));
}

#[test]
fn light_decides_what_is_seen() {
    let (story, c) = cellar();
    let mut world = story.start;
    world.place(c.you, c.cellar);
    let dark = Scope::of(&story, &world, c.you);
    assert!(!dark.is_lit && !dark.seen.has(world.parent(c.salt)) && dark.seen.has(c.door));
    world.place(c.lamp, c.you);
    world.put(c.lamp, Bit::On, true);
    assert!(Scope::of(&story, &world, c.you).seen.has(world.parent(c.salt)));
    // The lamp burns 40 turns.
    for turn in 1..=40 {
        act(&story, &mut world, Action::bare(Verb::Wait)).expect("wait");
        assert_eq!(world.is(c.lamp, Bit::On), turn < 40);
    }
    assert_eq!(act(&story, &mut world, Action::on(Verb::Light, c.lamp)), Err(Refusal::NoFuel));
    assert!(!Scope::of(&story, &world, c.you).is_lit && c.hall != c.cellar);
}

/// Temper: the curious come to look at what is loud, the timid leave what is violent, the loyal stay.
#[test]
fn people_hear_what_is_loud() {
    let story = |persona: &str, verb: &str| {
        let text = format!(
            r#"(title: "Noise", objective: "-", cap: 9, max_score: 0, players: ["you"],
            rooms: {{"hall": (name: "hall", text: "-", exits: {{"east": (to: "den")}}),
                    "den": (name: "den", text: "-", exits: {{"west": (to: "hall")}})}},
            things: {{"vase": (name: "vase", is: ["fragile", "push"], at: "hall")}},
            actors: {{"you": (name: "you", at: "hall"), "near": (name: "near", at: "hall", persona: {persona}),
                     "far": (name: "far", at: "den", persona: {persona})}},
            rules: [(after: (verb: "{verb}", a: "vase"), do: [])])"#
        );
        agon_text_adventure::loader::load("noise.ron", &text, None).expect("sound").story
    };
    for (persona, verb, near, far) in [
        ("(timid: 80)", Verb::Attack, 1, 1),
        ("(timid: 80, loyal: 90)", Verb::Attack, 0, 1),
        ("(timid: 80)", Verb::Push, 0, 1),
        ("(curious: 80)", Verb::Push, 0, 0),
        ("(curious: 80, loyal: 80)", Verb::Push, 0, 1),
        ("(curious: 50)", Verb::Attack, 0, 1),
    ] {
        let story = story(persona, verb.name());
        let mut world = story.start;
        act(&story, &mut world, Action::on(verb, 2)).expect("works");
        assert_eq!((world.parent(4), world.parent(5)), (near, far), "{persona} {verb:?}");
    }
}
