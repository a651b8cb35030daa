//! The words of skills: bounds, truth, that they come from the row alone, and that they are enough to play.
#![allow(clippy::print_stdout, reason = "figures for people")]

#[path = "../fixture/mod.rs"]
mod fixture;
#[allow(dead_code, reason = "this test uses a part of it")]
#[path = "../env/stage.rs"]
mod stage;

mod bounds;
mod player;
mod truth;

use agon_text_adventure::{
    Dir, Ent, SkillWords, Slot, TextAdventure, Verb, game, observe, rules, skill_words_markdown,
};
use fixture::typed;
use rl_gym::{
    BatchConfig, BatchEnv, Flags, Pcg64, VecEnv, Vocabulary,
    vocabulary::{MAX_ARGS, Term, fact},
};
use stage::Stage;
use std::collections::BTreeSet;

const THING: usize = 0;
const DIRECTION: usize = 1;
const TOPIC: usize = 2;

/// Options of games that between them have everything.
const GAMES: [&[(&str, &str)]; 15] = [
    &[("mode", "solo"), ("level", "3")],
    &[("mode", "solo"), ("level", "10")],
    &[("mode", "solo"), ("level", "18"), ("fold", "test")],
    &[("mode", "solo"), ("level", "25")],
    &[("mode", "solo"), ("level", "30"), ("fold", "dev")],
    &[("mode", "rival"), ("theft", "on")],
    &[("mode", "rival"), ("seats", "4"), ("level", "20")],
    &[("mode", "coop"), ("level", "12")],
    &[("mode", "solo"), ("story", "salt_cellar")],
    &[("mode", "solo"), ("story", "lighthouse")],
    &[("mode", "solo"), ("story", "orchard")],
    &[("mode", "solo"), ("story", "galley")],
    &[("mode", "solo"), ("story", "founders_supper")],
    &[("mode", "solo"), ("level", "6")],
    &[("mode", "solo"), ("level", "15")],
];

/// Plays every game of [`GAMES`], by turns at random and by the planner's advice, and shows each decision.
fn play(episodes: u64, steps: usize, mut see: impl FnMut(&Stage, usize, &[u8])) {
    let mut rng = Pcg64::seed(17);
    for given in GAMES {
        let options = [given, &[("games", "8")]].concat();
        let mut stage = Stage::new(TextAdventure::new(&typed(&options)).expect("games"), 0);
        for episode in 0..episodes {
            stage.reset(episode);
            for _ in 0..steps {
                let Some(seat) = stage.env.state().asked() else { break };
                let (row, _) = stage.row(seat);
                see(&stage, seat, &row);
                let plan = if episode % 2 == 1 && rng.below(8) > 0 { stage.env.plan(seat) } else { vec![] };
                match plan.first().filter(|a| stage.env.actions().contains(a)) {
                    Some(action) => stage.act(*action),
                    None => stage.random(&mut rng),
                }
            }
        }
    }
}

fn value(row: &[u8], name: &str) -> f32 {
    let i = fact(SkillWords::LISTED.facts(), name).unwrap_or_else(|| panic!("no fact {name}"));
    SkillWords::LISTED.fact(row, i)
}

fn feature(row: &[u8], kind: usize, arg: u16, name: &str) -> f32 {
    let features = SkillWords::LISTED.kinds()[kind].features;
    let i = fact(features, name).unwrap_or_else(|| panic!("no feature {name}"));
    SkillWords::LISTED.feature(row, kind, arg, i)
}

/// Every kind of argument with every argument of the terms of a row.
fn arguments(row: &[u8]) -> Vec<(usize, u16)> {
    let terms = (0..).map_while(|action| SkillWords::LISTED.term(row, action));
    let mut all: BTreeSet<(usize, u16)> = (0..Dir::COUNT as u16).map(|d| (DIRECTION, d)).collect();
    for term in terms {
        let kinds = SkillWords::LISTED.verbs()[usize::from(term.verb)].args;
        all.extend(kinds.iter().zip(term.args).map(|(kind, arg)| (*kind, arg)));
    }
    all.into_iter().collect()
}

#[test]
fn names_are_unique_and_there_are_enough() {
    let words = SkillWords::LISTED;
    assert!(words.facts().len() >= 45, "{} facts", words.facts().len());
    let mut lists = vec![words.facts()];
    lists.extend(words.kinds().iter().map(|k| k.features));
    for list in lists {
        let names: BTreeSet<&str> = list.iter().map(|f| f.name).collect();
        assert_eq!(names.len(), list.len(), "a name is there twice");
        assert!(names.iter().all(|n| n.chars().all(|c| c.is_ascii_lowercase() || c == '_')), "{names:?}");
        assert!(list.iter().all(|f| f.low < f.high && !f.meaning.is_empty()));
    }
    let entry = |v: Verb| rules::entry(v);
    for (verb, does) in words.verbs().iter().zip(Verb::ALL) {
        let slots: Vec<usize> = [entry(*does).a, entry(*does).b]
            .into_iter()
            .filter_map(|slot| match slot {
                Slot::None => None,
                Slot::Thing => Some(THING),
                Slot::Dir => Some(DIRECTION),
                Slot::Topic => Some(TOPIC),
            })
            .collect();
        assert_eq!((verb.name, verb.args), (does.name(), &slots[..]));
        assert!(verb.args.len() <= MAX_ARGS);
    }
    assert_eq!(words.verbs().len(), Verb::COUNT);
}

#[test]
fn every_listed_action_has_the_term_of_the_action() {
    let mut terms = 0;
    play(2, 40, |stage, _, row| {
        let list = stage.env.actions();
        for (i, action) in list.iter().enumerate() {
            let term =
                SkillWords::LISTED.term(row, i as u32).unwrap_or_else(|| panic!("{action:?} has no term"));
            let part = |slot: Slot, e: Ent| match slot {
                Slot::None => 0,
                Slot::Thing => u16::from(e) + 1,
                Slot::Dir => Dir::of_slot(e).map_or(u16::MAX, |d| d as u16),
                Slot::Topic => u16::from(e),
            };
            let entry = rules::entry(action.verb);
            let want = [part(entry.a, action.a), part(entry.b, action.b), 0];
            assert_eq!(term, Term { verb: action.verb as u16, args: want }, "{action:?}");
            assert_eq!(SkillWords::LISTED.verbs()[usize::from(term.verb)].name, action.verb.name());
            terms += 1;
        }
        for past in [list.len() as u32, 511, 512, u32::MAX] {
            assert_eq!(SkillWords::LISTED.term(row, past), None, "nothing is listed at {past}");
        }
    });
    assert!(terms > 5_000, "{terms}");
}

/// The whole of what the words say of a row.
fn all(row: &[u8]) -> Vec<f32> {
    let words = SkillWords::LISTED;
    let mut out: Vec<f32> = (0..words.facts().len()).map(|i| words.fact(row, i)).collect();
    for (kind, arg) in arguments(row) {
        out.extend((0..words.kinds()[kind].features.len()).map(|i| words.feature(row, kind, arg, i)));
    }
    out
}

#[test]
fn they_are_read_from_a_copied_row_alone() {
    let mut kept: Vec<(Vec<u8>, Vec<f32>)> = Vec::new();
    play(1, 10, |_, _, row| kept.push((row.to_vec(), all(row))));
    assert!(kept.len() > 100);
    // The games are gone.
    for (row, values) in &kept {
        assert_eq!(all(row), *values);
    }
    // What is not in sight has no features, and nothing is too strange to be asked about.
    let row = &kept[0].0;
    for kind in [THING, DIRECTION, TOPIC] {
        for arg in [0, 64, 241, 255, 256, u16::MAX] {
            for (i, f) in SkillWords::LISTED.kinds()[kind].features.iter().enumerate() {
                let value = SkillWords::LISTED.feature(row, kind, arg, i);
                let is_exit = kind == DIRECTION && usize::from(arg) < Dir::COUNT;
                let is_there = arguments(row).contains(&(kind, arg));
                assert!(value == 0.0 || is_exit || is_there, "{} of {kind} {arg} is {value}", f.name);
            }
        }
    }
}

#[test]
fn what_happened_is_in_the_news() {
    let config = typed(&[("mode", "solo"), ("level", "6"), ("games", "1")]);
    let mut stage = Stage::new(TextAdventure::new(&config).expect("games"), 1);
    let row = stage.row(0).0;
    assert_eq!((value(&row, "news"), value(&row, "mentioned"), value(&row, "done")), (0.0, 0.0, 0.0));
    let examine = stage.env.actions().iter().copied().find(|a| a.verb == Verb::Examine).expect("something");
    stage.act(examine);
    let row = stage.row(0).0;
    let is = |name: &str| feature(&row, THING, u16::from(examine.a) + 1, name);
    assert!(value(&row, "news") >= 2.0 && value(&row, "mentioned") >= 1.0);
    assert!(is("mentions") >= 1.0 && is("named") == 1.0);
    assert_eq!((value(&row, "done"), value(&row, "no_effect")), (0.0, 1.0), "looking changes nothing");
}

#[test]
fn the_page_is_the_tables() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/words.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let head = page.split_once("Version ").expect("the tables begin with their version").0;
    let expected = format!("{head}{}", skill_words_markdown());
    if page != expected {
        // UPDATE_README=1 writes the tables anew; read the difference before you keep it.
        assert!(std::env::var_os("UPDATE_README").is_some(), "docs/words.md is out of date:\n{expected}");
        std::fs::write(path, &expected).expect("the page is written");
    }
    assert!(include_str!("../../README.md").contains("docs/words.md"));
    assert_eq!(observe::COLUMNS.len(), 37, "the page knows these columns");
}

#[test]
fn the_game_offers_them_and_only_listed_actions_have_terms() {
    for (actions, has_terms) in [("id", true), ("triple", false), ("text", false)] {
        let options = game().resolve([("actions", actions), ("games", "2")]).expect("valid options");
        let mut batch = VecEnv::new(&game().factory(options), BatchConfig::lanes(1)).expect("a batch");
        let words = (game().vocabulary.expect("words"))(batch.spec());
        batch.reset(1);
        let view = batch.view();
        let row = (0..2).find(|r| view.flags(*r).contains(Flags::TO_ACT)).expect("a seat is asked");
        assert_eq!(words.term(view.obs(row), 0).is_some(), has_terms, "actions={actions}");
        assert!(words.fact(view.obs(row), fact(words.facts(), "actions").expect("a fact")) > 3.0);
    }
}
