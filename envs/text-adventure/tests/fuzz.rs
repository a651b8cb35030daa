//! Whatever is typed: no panic, and what is not carried out changes nothing.

mod common;
mod parser_world;

use agon_text_adventure::{
    End, Scope, Story, Words, World,
    parser::{Ambiguity, Outcome, ParseError, Session, Settings, Typos, parse_action},
    rules,
};
use rl_gym::Pcg64;
use std::sync::Arc;

/// Words of commands, besides those of the story.
const SALAD: &[&str] = &[
    "take",
    "drop",
    "put",
    "in",
    "on",
    "open",
    "close",
    "unlock",
    "lock",
    "with",
    "go",
    "north",
    "s",
    "up",
    "look",
    "at",
    "x",
    "i",
    "wait",
    "and",
    ",",
    ".",
    "then",
    "all",
    "except",
    "but",
    "it",
    "them",
    "him",
    "her",
    "me",
    "my",
    "again",
    "g",
    "oops",
    "undo",
    "give",
    "to",
    "ask",
    "about",
    "offer",
    "for",
    "buy",
    "from",
    "floor",
    "the",
    "a",
    "of",
    "turn",
    "off",
    "push",
    "eat",
    "wear",
    "say",
    "save",
    "read",
    "search",
    "cut",
    "cook",
    "combine",
    "enter",
    "'",
    "\"",
    "-",
    "xyzzy",
    "tkae",
    "lampp",
    "é",
    "ÿ",
    "дом",
    "\u{1F600}",
    "\0",
];

/// One line: a salad of words, a mangled one, or noise.
fn line(rng: &mut Pcg64, story_words: &[&str], out: &mut String) {
    out.clear();
    match rng.below(8) {
        0 => {
            for _ in 0..rng.below(300) {
                out.push(char::from_u32(rng.below(0x500)).unwrap_or('?'));
            }
        }
        1 => {
            let bytes: Vec<u8> = (0..rng.below(40)).map(|_| rng.below(256) as u8).collect();
            out.push_str(&String::from_utf8_lossy(&bytes));
        }
        _ => {
            for _ in 0..=rng.below(12) {
                let pick =
                    |list: &[&str], rng: &mut Pcg64| list[rng.below(list.len() as u32) as usize].to_owned();
                let mut word = if rng.below(2) == 0 { pick(SALAD, rng) } else { pick(story_words, rng) };
                if rng.below(20) == 0 && word.pop().is_none() {
                    word.push('z');
                }
                out.push_str(&word);
                if rng.below(30) != 0 {
                    out.push(' ');
                }
            }
        }
    }
}

fn hold(story: Story, lines: usize, seed: u64) {
    let words = Words::new(Arc::new(story));
    let story = words.story();
    let mut story_words: Vec<&str> = words.known_words().collect();
    story_words.sort_unstable();
    let mut rng = Pcg64::seed(seed);
    let mut sessions: Vec<Session> = Vec::new();
    for ambiguity in [Ambiguity::Ask, Ambiguity::First, Ambiguity::Error] {
        for typos in [Typos::Correct, Typos::Suggest, Typos::Off] {
            let settings =
                Settings { ambiguity, typos, implicit: typos != Typos::Off, ..Settings::default() };
            sessions.push(Session::new(0, settings));
        }
    }
    let mut worlds: Vec<World> = vec![story.start; sessions.len()];
    let (mut text, mut told) = (String::new(), String::new());
    let (mut done, mut asked, mut wrong) = (0, 0, 0);
    for i in 0..lines {
        line(&mut rng, &story_words, &mut text);
        let which = i % sessions.len();
        let (session, world) = (&mut sessions[which], &mut worlds[which]);
        let before = *world;
        let scope = Scope::of(story, world, story.seats[0]);
        match parse_action(&words, world, &scope, &text) {
            Ok(action) => assert_eq!(rules::check(story, world, &scope, action), Ok(()), "\"{text}\""),
            Err(ParseError::Refused(action, why)) => {
                assert_eq!(rules::check(story, world, &scope, action), Err(why), "\"{text}\"");
            }
            Err(_) => {}
        }
        told.clear();
        let reply = session.command(&words, world, &text, &mut told);
        match reply.outcome {
            _ if reply.turns > 0 => done += 1,
            Outcome::Meta(_) => {}
            Outcome::Question => asked += 1,
            _ => wrong += 1,
        }
        let may_change = reply.turns > 0 || text.to_lowercase().contains("undo");
        assert!(may_change || *world == before, "\"{text}\" changed the world: {reply:?}");
        assert!(
            reply.turns > 0 || world.hash() == before.hash() || may_change,
            "\"{text}\" changed the hash: {reply:?}"
        );
        assert_eq!(world.hash(), world.recomputed_hash(), "\"{text}\"");
        if world.end() != End::Open || rng.below(400) == 0 {
            *world = story.start;
            session.reset();
        }
    }
    assert!(
        done > lines / 200 && (asked > 0 || story.seats.len() == 1) && wrong > lines / 10,
        "{done} {asked} {wrong}"
    );
}

#[test]
fn thirty_thousand_lines_of_nonsense_do_no_harm() {
    hold(common::cellar().0, 15_000, 1);
    hold(parser_world::fair(), 15_000, 2);
}

#[test]
#[ignore = "a million lines: cargo test --release -p agon-text-adventure --test fuzz -- --ignored"]
fn a_million_lines_of_nonsense_do_no_harm() {
    hold(common::cellar().0, 500_000, 3);
    hold(parser_world::fair(), 500_000, 4);
}
