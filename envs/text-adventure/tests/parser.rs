//! The parser's promises one by one, beside what the transcripts show.

mod common;
mod parser_world;

use agon_text_adventure::{
    Action, Bit, Dir, Ent, NONE, Scope, Story, Verb, Words, World,
    parser::{Ambiguity, ErrorKind, Meta, Outcome, ParseError, Session, Settings, Typos, parse_action},
    rules::Refusal,
};
use std::sync::Arc;

fn named(story: &Story, phrase: &str) -> Ent {
    let found = story.entities.iter().position(|e| e.name.phrase() == phrase);
    found.unwrap_or_else(|| panic!("no \"{phrase}\"")) as Ent
}

struct Fair {
    words: Words,
    world: World,
    session: Session,
}

impl Fair {
    fn new(settings: Settings) -> Self {
        let words = Words::new(Arc::new(parser_world::fair()));
        Self { world: words.story().start, session: Session::new(0, settings), words }
    }

    fn say(&mut self, line: &str) -> (Outcome, String) {
        let mut out = String::new();
        let reply = self.session.command(&self.words, &mut self.world, line, &mut out);
        (reply.outcome, out)
    }

    fn read(&self, line: &str) -> Result<Action, ParseError> {
        let scope = Scope::of(self.words.story(), &self.world, self.words.story().seats[0]);
        parse_action(&self.words, &self.world, &scope, line)
    }
}

#[test]
fn the_pure_function_reads_what_is_in_sight() {
    let fair = Fair::new(Settings::default());
    let story = fair.words.story();
    let e = |phrase| named(story, phrase);
    for (line, want) in [
        ("take red ball", Ok(Action::on(Verb::Take, e("red ball")))),
        ("Pick up the RED ball.", Ok(Action::on(Verb::Take, e("red ball")))),
        ("red", Err(ParseError::Error(ErrorKind::UnknownVerb))),
        ("go north", Ok(Action::go(Dir::North))),
        ("n", Ok(Action::go(Dir::North))),
        ("enter gate", Err(ParseError::Refused(Action::go(Dir::West), Refusal::DoorClosed))),
        ("ask ann about market", Ok(Action::with(Verb::Ask, e("Ann"), 0))),
        ("ask ann about pigs", Err(ParseError::Refused(Action::on(Verb::Ask, e("Ann")), Refusal::NoTopic))),
        ("drop red ball", Err(ParseError::Refused(Action::on(Verb::Drop, e("red ball")), Refusal::NotHeld))),
        ("take all", Err(ParseError::Error(ErrorKind::MultiNotAllowed))),
        ("take it", Err(ParseError::Error(ErrorKind::PronounUnset))),
        ("score", Err(ParseError::Meta(Meta::Score))),
        ("", Err(ParseError::Error(ErrorKind::Empty))),
    ] {
        assert_eq!(fair.read(line), want, "\"{line}\"");
    }
    // Several things that work are several actions; the pure function asks nothing, and does not choose.
    assert_eq!(fair.read("take key"), Err(ParseError::Error(ErrorKind::Ambiguous)));
}

#[test]
fn what_is_unseen_is_answered_like_what_does_not_exist() {
    // The sword, the salt and the hook exist elsewhere, the ring in a closed box; nobody has seen them yet.
    for typos in [Typos::Correct, Typos::Suggest, Typos::Off] {
        for unseen in ["sword", "salt", "hook", "ring", "lantern", "grapnel"] {
            for line in
                ["take @", "x @", "put @ in box", "unlock gate with @", "ask ann about @", "drop all but @"]
            {
                let mut fair = Fair::new(Settings { typos, ..Settings::default() });
                let of_unseen = fair.say(&line.replace('@', unseen));
                let of_nothing = fair.say(&line.replace('@', "qqqqqq"));
                let masked = of_nothing.1.replace("qqqqqq", unseen);
                assert_eq!(of_unseen, (of_nothing.0, masked), "\"{line}\" with \"{unseen}\"");
                let read = |word: &str| fair.read(&line.replace('@', word));
                assert_eq!(read(unseen), read("qqqqqq"), "\"{line}\" with \"{unseen}\"");
            }
        }
    }
}

#[test]
fn what_works_is_preferred() {
    let mut fair = Fair::new(Settings::default());
    let story = fair.words.story();
    let (wooden, strong) = (named(story, "wooden box"), named(story, "strong box"));
    fair.world.place(strong, fair.world.outermost(story.seats[0]));
    // Both can be opened by name; only one is not locked.
    assert_eq!(fair.read("open box"), Ok(Action::on(Verb::Open, wooden)));
    fair.world.put(wooden, Bit::Open, true);
    // Now one is open already and the other locked: what is the case already comes before what cannot be.
    assert_eq!(
        fair.read("open box"),
        Err(ParseError::Refused(Action::on(Verb::Open, wooden), Refusal::AlreadyOpen))
    );
    // Closing means the open one.
    assert_eq!(fair.read("close box"), Ok(Action::on(Verb::Close, wooden)));
}

#[test]
fn a_question_takes_an_answer_or_a_new_command() {
    let mut fair = Fair::new(Settings::default());
    assert_eq!(fair.say("take key").0, Outcome::Question);
    let story = fair.words.story();
    let keys = [named(story, "iron key"), named(story, "rusty key")];
    assert_eq!(fair.session.choices().collect::<Vec<_>>(), keys);
    // A line that is no answer and no command leaves the question open.
    assert_eq!(fair.say("hmm").0, Outcome::ParseError(ErrorKind::UnknownVerb));
    assert!(fair.session.is_asked());
    assert_eq!(fair.say("the rusty one").0, Outcome::Ok { changed: true });
    assert!(!fair.session.is_asked());
    assert_eq!(fair.say("put it onto").0, Outcome::ParseError(ErrorKind::MissingNoun));
    assert_eq!(fair.say("look").0, Outcome::Ok { changed: false });
    assert!(!fair.session.is_asked());
    // Missing things are asked for one after the other.
    assert_eq!(fair.say("put").0, Outcome::ParseError(ErrorKind::MissingNoun));
    assert_eq!(fair.say("rusty key").1, "You would have to say what to put the rusty key in.");
    assert_eq!(fair.say("wooden box").0, Outcome::Ok { changed: true });
}

#[test]
fn ambiguity_can_be_settled_or_refused() {
    let mut first = Fair::new(Settings { ambiguity: Ambiguity::First, ..Settings::default() });
    assert_eq!(first.say("take key"), (Outcome::Ok { changed: true }, "You take the iron key.".into()));
    let mut never = Fair::new(Settings { ambiguity: Ambiguity::Error, ..Settings::default() });
    assert_eq!(never.say("take key").0, Outcome::ParseError(ErrorKind::Ambiguous));
}

#[test]
fn a_turn_a_clause_and_none_for_errors() {
    let mut fair = Fair::new(Settings::default());
    fair.say("take red ball. wait then wait");
    assert_eq!(fair.world.turn(), 3);
    fair.say("dance");
    fair.say("take red ball");
    fair.say("take key");
    fair.say("score");
    assert_eq!(fair.world.turn(), 3);
    // A list is one clause, what goes without saying costs nothing.
    fair.say("take blue ball and iron key");
    fair.say("put all in box");
    assert_eq!(fair.world.turn(), 5);
    // The first clause that fails ends the line.
    let before = fair.world;
    fair.say("take nothing. take rusty key");
    assert_eq!(fair.world, before);
}

#[test]
fn sixteen_turns_can_be_taken_back() {
    let mut fair = Fair::new(Settings::default());
    for _ in 0..20 {
        fair.say("wait");
    }
    for left in (4..20).rev() {
        fair.say("undo");
        assert_eq!(fair.world.turn(), left);
    }
    assert_eq!(fair.say("undo"), (Outcome::Meta(Meta::Undo), "There is nothing to take back.".into()));
    assert_eq!(fair.world.turn(), 4);
    // A session may be denied it.
    let mut fair = Fair::new(Settings { undo_depth: 0, ..Settings::default() });
    fair.say("wait");
    fair.say("undo");
    assert_eq!(fair.world.turn(), 1);
}

#[test]
fn what_goes_without_saying_is_undone_when_it_does_not_help() {
    let mut fair = Fair::new(Settings::default());
    let before = fair.world;
    // The box could be opened, but the anvil is too heavy to be taken first.
    assert_eq!(fair.say("put anvil in box").0, Outcome::Refused(Refusal::NotHeld));
    assert_eq!(fair.world, before);
    let (outcome, told) = fair.say("put red ball in box");
    assert_eq!(outcome, Outcome::Ok { changed: true });
    let want = "(first taking the red ball)\n(first opening the wooden box)\nYou put the red ball into the wooden box.";
    assert_eq!(told, want);
}

#[test]
fn words_of_meta_commands_are_kept_for_the_caller() {
    let mut fair = Fair::new(Settings::default());
    for (line, meta, words) in [
        ("save My Game 2", Meta::Save, "my game 2"),
        ("restore", Meta::Restore, ""),
        ("say hello, Bob", Meta::Say, "hello bob"),
        ("verbose", Meta::Verbose, ""),
        ("help", Meta::Help, ""),
        ("q", Meta::Quit, ""),
    ] {
        assert_eq!(fair.say(line).0, Outcome::Meta(meta), "{line}");
        assert_eq!(fair.session.words_after(), words, "{line}");
    }
}

#[test]
fn pronouns_follow_what_was_spoken_of_and_what_comes_to_light() {
    let mut fair = Fair::new(Settings::default());
    let story = fair.words.story();
    let (pearl, ring) = (named(story, "pearl"), named(story, "silver ring"));
    let coins: Vec<Ent> = (0..story.len() as Ent).filter(|e| story.entity(*e).name.noun == "coin").collect();
    fair.world.place(coins[2], NONE);
    fair.say("open box");
    // The ring alone came to light, so it is the ring.
    fair.say("take it");
    let me = fair.words.story().seats[0];
    assert_eq!(fair.world.parent(ring), me);
    fair.say("take pearl");
    assert_eq!(fair.world.parent(pearl), me);
    fair.say("take keys. drop them");
    assert_eq!(fair.world.parent(named(fair.words.story(), "iron key")), fair.world.outermost(me));
}
