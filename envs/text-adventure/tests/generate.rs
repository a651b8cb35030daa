//! Generated games: certified, deterministic, of their fold, alike in nothing.

use agon_text_adventure::{
    Action, Attr, Bit, End, Ent, NONE, Scope, Story, World,
    generate::{
        Fold, Generated, Hints, Knobs, LEVELS, Quest, ThemeName, benchmark, digest, fingerprint, generate,
        generate_with, level, pack, parse, theme,
    },
    planner::{Planner, act},
    rules,
};
use rl_gym::Pcg64;
use std::collections::BTreeSet;

/// Plays `plan` and checks that it wins exactly at its end, with every point.
fn check_plan(story: &Story, plan: &[Action]) {
    let mut world = story.start;
    for &action in plan {
        assert_eq!(world.end(), End::Open, "won before the end of the plan");
        act(story, &mut world, story.seats[0], action).unwrap_or_else(|e| panic!("{action:?}: {e:?}"));
    }
    assert_eq!((world.end(), world.score(0)), (End::Won, story.max_score));
    assert!(story.cap as usize >= plan.len());
}

/// Rooms that one can get to at all.
fn reachable(story: &Story) -> usize {
    let mut rooms: BTreeSet<Ent> = BTreeSet::from([story.start.outermost(story.seats[0])]);
    loop {
        let next: BTreeSet<Ent> = rooms
            .iter()
            .flat_map(|r| story.exits[usize::from(*r)].iter().map(|e| e.to))
            .filter(|r| *r != NONE)
            .chain(rooms.iter().copied())
            .collect();
        if next.len() == rooms.len() {
            return rooms.len();
        }
        rooms = next;
    }
}

fn check_game(game: &Generated) {
    let story = &game.story;
    check_plan(story, &game.plan);
    assert_eq!(reachable(story), usize::from(story.rooms), "a room is cut off");
    let [low, high] = game.knobs.choice_bits;
    assert!((low..=high).contains(&game.choice_bits));
    assert!(!game.skills.is_empty() || game.plan.len() < 10, "{:?}", game.quests);
    let names: BTreeSet<String> = story.entities.iter().map(|e| e.name.phrase()).collect();
    assert_eq!(names.len(), story.entities.len(), "two things have one name: {names:?}");
    for e in &story.entities {
        assert!(
            !e.text.contains('{') && !e.writing.contains('{'),
            "a slot is open: {} {}",
            e.text,
            e.writing
        );
    }
    assert!(story.texts.iter().chain([&story.objective]).all(|t| !t.contains('{') && !t.is_empty()));
}

#[test]
fn a_sample_of_every_level_is_won_and_made_alike_again() {
    let mut planner = Planner::default();
    for n in 1..=LEVELS {
        for seed in benchmark(n).take(4) {
            let game = generate(&level(n), seed).unwrap_or_else(|e| panic!("level {n}: {e}"));
            check_game(&game);
            let again = generate_with(&mut planner, &level(n), seed).expect("made before");
            assert_eq!((digest(&game.story), &game), (digest(&again.story), &again));
        }
    }
}

#[test]
#[ignore = "a thousand games: cargo test --release -p agon-text-adventure --test generate -- --ignored"]
fn a_thousand_games_over_all_levels_are_won() {
    let mut planner = Planner::default();
    for n in 1..=LEVELS {
        let mut prints = BTreeSet::new();
        for seed in benchmark(n).take(40).chain(500_000..500_004) {
            let game =
                generate_with(&mut planner, &level(n), seed).unwrap_or_else(|e| panic!("level {n}: {e}"));
            check_game(&game);
            prints.insert(game.fingerprint);
        }
        assert!(n < 5 || prints.len() >= 40, "level {n}: {} kinds of 44", prints.len());
    }
}

#[test]
fn every_quest_comes_in_every_theme_and_with_every_hint() {
    let mut planner = Planner::default();
    let mut at = 0;
    for &quest in Quest::ALL {
        for &theme in ThemeName::ALL {
            let hints = Hints::ALL[at % Hints::COUNT];
            let (dark, capacity) = ((at % 3) as u8, if at % 5 == 0 { 3 } else { 20 });
            at += 1;
            let knobs = Knobs {
                theme: Some(theme),
                quests: vec![quest],
                hints,
                rooms: 9,
                gates: 2,
                nesting: 2,
                dark,
                capacity,
                hidden: 20,
                one_way: 50,
                loops: 30,
                pieces: 3,
                people: 2,
                dead_end_free: at % 2 == 0,
                ..Knobs::default()
            };
            let game =
                generate_with(&mut planner, &knobs, at as u64).unwrap_or_else(|e| panic!("{quest:?}: {e}"));
            check_game(&game);
            assert_eq!((game.theme, &game.quests[..]), (theme, &[quest][..]));
        }
    }
}

#[test]
fn the_largest_world_is_made_too() {
    let knobs = Knobs {
        rooms: 64,
        loops: 50,
        one_way: 100,
        doors: 100,
        gates: 8,
        nesting: 8,
        dark: 20,
        containers: 50,
        hidden: 30,
        distractors: 60,
        quest_count: 6,
        pieces: 5,
        people: 8,
        capacity: 5,
        ..Knobs::default()
    };
    check_game(&generate(&knobs, 1).expect("a game"));
}

/// Names of two words or more and recipes of a game.
fn words_of(story: &Story, names: &mut BTreeSet<(String, String)>) {
    for e in &story.entities {
        // Made things and figures have names that no adjective of the fold is drawn for.
        if let [adjective] = &e.name.adjectives[..] {
            names.insert((adjective.clone(), e.name.noun.clone()));
        }
    }
}

#[test]
fn folds_have_no_name_in_common() {
    let mut planner = Planner::default();
    let [mut train, mut dev, mut test] = [(); 3].map(|()| BTreeSet::new());
    for (fold, names) in [(Fold::Train, &mut train), (Fold::Dev, &mut dev), (Fold::Test, &mut test)] {
        for seed in 0..12 {
            let knobs =
                Knobs { fold, quests: vec![Quest::Fetch, Quest::Place, Quest::Deliver], ..Knobs::default() };
            let game = generate_with(&mut planner, &knobs, seed).unwrap_or_else(|e| panic!("{fold:?}: {e}"));
            words_of(&game.story, names);
        }
        assert!(names.iter().all(|(a, n)| Fold::of_name(a, n) == fold), "{fold:?} {names:?}");
    }
    assert!(train.len() > 100 && dev.len() > 20 && test.len() > 20);
    assert!(train.is_disjoint(&dev) && dev.is_disjoint(&test) && train.is_disjoint(&test));
}

#[test]
fn folds_have_no_layout_and_no_recipe_in_common() {
    let mut planner = Planner::default();
    let folds = [Fold::Train, Fold::Dev, Fold::Test].map(|fold| {
        let (mut layouts, mut recipes) = (BTreeSet::new(), BTreeSet::new());
        for seed in 0..25 {
            let knobs = Knobs {
                fold,
                theme: Some(ThemeName::House),
                rooms: 2,
                gates: 0,
                doors: 0,
                distractors: 0,
                quests: vec![Quest::Cook],
                ..Knobs::default()
            };
            let game = generate_with(&mut planner, &knobs, seed).unwrap_or_else(|e| panic!("{fold:?}: {e}"));
            let story = &game.story;
            let room = |e: Ent| story.entity(e).name.noun.clone();
            let exit = story.exits[0].iter().position(|e| e.to == 1);
            layouts.insert((room(0), room(1), exit));
            let recipe = &story.recipes[0];
            let part = |e: Ent, bit: Option<Bit>| (story.entity(e).name.noun.clone(), bit.map(Bit::name));
            let mut parts = [part(recipe.a, recipe.bits[0]), part(recipe.b, recipe.bits[1])];
            parts.sort();
            recipes.insert((parts, story.entity(recipe.makes).name.noun.clone()));
        }
        (layouts, recipes)
    });
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        assert!(folds[i].0.is_disjoint(&folds[j].0), "a layout of two folds");
        assert!(folds[i].1.is_disjoint(&folds[j].1), "a recipe of two folds");
    }
    assert!(folds.iter().all(|f| f.0.len() > 5 && f.1.len() > 5));
}

#[test]
fn a_pack_has_no_two_games_of_one_build_and_its_sheets_make_them_again() {
    let knobs = Knobs { rooms: 4, ..level(6) };
    let games = pack(30, &knobs, 7).expect("a pack");
    let prints: BTreeSet<u64> = games.iter().map(|g| g.fingerprint).collect();
    assert_eq!((games.len(), prints.len()), (30, 30));
    let sheet = games[3].sheet();
    let text = ron::to_string(&sheet).expect("plain data");
    let read: agon_text_adventure::generate::Sheet = ron::from_str(&text).expect("written so");
    assert_eq!(read, sheet);
    let again = generate(&read.knobs, read.seed).expect("made before");
    assert_eq!((digest(&again.story), again.sheet()), (read.digest, sheet));
    // One room, one thing, one place for it: nothing to differ in.
    let bare = Knobs {
        rooms: 1,
        gates: 0,
        distractors: 0,
        containers: 0,
        quests: vec![Quest::Fetch],
        theme: Some(ThemeName::House),
        ..Knobs::default()
    };
    let error = pack(500, &bare, 0).expect_err("too many").to_string();
    assert!(error.contains("are built differently") && error.contains("`rooms`"), "{error}");
}

#[test]
fn a_fingerprint_forgets_words_and_nothing_else() {
    let game = generate(&level(12), 1).expect("a game");
    let mut other = (*game.story).clone();
    for e in &mut other.entities {
        e.name.noun.push('x');
        e.text.clear();
    }
    other.title.clear();
    assert_eq!(fingerprint(&other), fingerprint(&game.story));
    assert_ne!(digest(&other), digest(&game.story));
    let portable = game.story.all(Attr::Portable).first().expect("something to carry");
    other.start.put(portable, Bit::Broken, true);
    assert_ne!(fingerprint(&other), fingerprint(&game.story));
}

#[test]
fn bad_knobs_are_refused_by_name() {
    let error = |knobs: Knobs| generate(&knobs, 1).expect_err("refused").to_string();
    let base = Knobs::default;
    assert_eq!(error(Knobs { rooms: 65, ..base() }), "knob `rooms` is 65, but must be 1 to 64");
    assert_eq!(error(Knobs { rooms: 3, gates: 3, ..base() }), "knob `gates` is 3, but must be 0 to 2");
    assert_eq!(error(Knobs { dark: 6, ..base() }), "knob `dark` is 6, but must be 0 to 5");
    assert_eq!(
        error(Knobs { plan_length: [9, 3], ..base() }),
        "knob `plan_length` is [9, 3], but must be [least, greatest] with least <= greatest"
    );
    assert!(error(Knobs { quests: vec![], ..base() }).contains("knob `quests` is empty"));
    let never = error(Knobs { plan_length: [300, 400], ..base() });
    assert!(
        never.contains("in 64 attempts")
            && never.contains("`plan_length` (64 times)")
            && never.contains("below 300"),
        "{never}"
    );
}

#[test]
fn themes_load_and_errors_name_file_and_key() {
    for &name in ThemeName::ALL {
        let theme = theme(name).unwrap_or_else(|e| panic!("{e}"));
        assert!(theme.rooms.len() >= 12 && theme.things.len() >= 12 && theme.people.len() >= 6, "{name:?}");
    }
    let error = parse("cave.ron", "(\n    titles: [1],\n)").expect_err("no text").to_string();
    assert!(error.starts_with("theme cave.ron: line 2, column"), "{error}");
    let text = include_str!("../../../assets/text/themes/house.ron");
    let error =
        |from: &str, to: &str| parse("x.ron", &text.replacen(from, to, 1)).expect_err("bad").to_string();
    assert_eq!(
        error("near: [\"pantry\", \"dining room\"]", "near: [\"moon\"]"),
        "theme x.ron: rooms.kitchen.near: \"moon\" is no kind of room"
    );
    assert_eq!(
        error("\"roasted\"", "\"boiled\""),
        "theme x.ron: stoves.oven: \"boiled\" is no way of cooking; write fried, roasted or grilled"
    );
    assert!(
        error("hosts: [\"table\"", "hosts: [\"throne\"")
            .contains("rooms.kitchen.hosts: \"throne\" is not in")
    );
    assert!(error("of: \"cloth\"", "of: \"felt\"").contains("\"felt\" is no material of `adjectives`"));
}

/// Whether random play wins within the cap.
fn random_wins(story: &Story, seed: u64, listed: &mut Vec<Action>) -> bool {
    let (mut world, mut rng): (World, Pcg64) = (story.start, Pcg64::seed(seed));
    for _ in 0..story.cap {
        rules::admissible(story, &world, &Scope::of(story, &world, story.seats[0]), listed);
        let action = listed[rng.below(listed.len() as u32) as usize];
        act(story, &mut world, story.seats[0], action).expect("listed");
        if world.end() != End::Open {
            return world.end() == End::Won;
        }
    }
    false
}

#[test]
#[ignore = "the table of docs/levels.md: cargo test --release -p agon-text-adventure --test generate -- --ignored --nocapture"]
#[allow(clippy::print_stdout, reason = "a table for people")]
fn the_first_levels_are_won_by_chance_and_the_last_is_not() {
    let mut listed = Vec::new();
    println!(
        "| level | plan | choice bits | rooms | cap | random wins | builds of 100 |\n|---|---|---|---|---|---|---|"
    );
    for n in 1..=LEVELS {
        let (mut plan, mut bits, mut rooms, mut cap, mut won, mut runs) = (0, 0, 0, 0, 0, 0);
        let mut prints = BTreeSet::new();
        for seed in benchmark(n) {
            let game = generate(&level(n), seed).unwrap_or_else(|e| panic!("level {n}: {e}"));
            plan += game.plan.len();
            bits += usize::from(game.choice_bits);
            rooms += usize::from(game.story.rooms);
            cap += usize::from(game.story.cap);
            prints.insert(game.fingerprint);
            for run in 0..10 {
                won += u32::from(random_wins(&game.story, run, &mut listed));
                runs += 1;
            }
        }
        let mean = |x: usize| x as f64 / 100.0;
        let rate = f64::from(won) / f64::from(runs);
        println!(
            "| {n} | {:.1} | {:.1} | {:.1} | {:.0} | {:.1} % | {} |",
            mean(plan),
            mean(bits),
            mean(rooms),
            mean(cap),
            100.0 * rate,
            prints.len()
        );
        assert!(n > 3 || rate > 0.2, "level {n} is won by chance in {rate} of runs");
        assert!(n < 30 || rate < 0.01, "level {n} is won by chance in {rate} of runs");
    }
}
