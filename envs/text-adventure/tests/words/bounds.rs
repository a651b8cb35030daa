//! Every word keeps its bounds, and none is always the same.

use crate::fixture::typed;
use crate::{GAMES, arguments, play, stage::Stage};
use agon_text_adventure::{Attr, Entity, SkillWords, Story, TextAdventure, Topic, Verb, bots, game};
use rl_gym::{BatchConfig, BatchEnv, Decisions, Flags, Pcg64, VecEnv, Vocabulary, vocabulary::Fact};
use std::collections::BTreeSet;

/// What neither the generator nor a bundled story has: something to drink and to break, somebody to tell, and a goal
/// that goes on once the thing that it names lies in its place.
fn bar() -> Story {
    let mut story = Story::new("The Bar");
    let room = story.add_room(Entity::new("bar"), &[]);
    let you = story.add(Entity::new("yourself"), &[Attr::Actor, Attr::Seat, Attr::Proper]);
    story.seats.push(you);
    let cider = story.add(Entity::new("cider"), &[Attr::Portable, Attr::Drinkable]);
    let vase = story.add(Entity::new("vase"), &[Attr::Fragile]);
    let counter = story.add(Entity::new("counter"), &[Attr::Supporter]);
    story.objective = "Put the cider on the counter.".into();
    let keeper = story.add(Entity::new("keeper"), &[Attr::Actor]);
    let answer = story.add_text("So it is.");
    story.topics.push(Topic {
        actor: keeper,
        words: vec!["rain".into()],
        is_told: true,
        when: vec![],
        answer,
        effects: vec![],
    });
    [you, cider, vase, counter, keeper].into_iter().for_each(|e| story.start.place(e, room));
    story.cap = 60;
    story.seal();
    story.verbs = story.verbs.with(Verb::Attack).with(Verb::Show);
    story
}

/// What was seen of each number of a list.
struct Seen {
    low: Vec<f32>,
    high: Vec<f32>,
}

impl Seen {
    fn of(facts: &[Fact]) -> Self {
        Self { low: vec![f32::INFINITY; facts.len()], high: vec![f32::NEG_INFINITY; facts.len()] }
    }

    fn add(&mut self, fact: &Fact, i: usize, value: f32) {
        assert!(value >= fact.low && value <= fact.high, "{} is {value}", fact.name);
        assert!(!fact.is_predicate() || value == 0.0 || value == 1.0, "{} is {value}", fact.name);
        (self.low[i], self.high[i]) = (self.low[i].min(value), self.high[i].max(value));
    }

    /// Names of what never changed.
    fn still<'a>(&self, facts: &'a [Fact]) -> Vec<&'a str> {
        (0..facts.len()).filter(|i| self.low[*i] >= self.high[*i]).map(|i| facts[i].name).collect()
    }
}

#[test]
fn every_word_keeps_its_bounds_and_says_something() {
    let words = SkillWords::LISTED;
    let mut facts = Seen::of(words.facts());
    let mut features: Vec<Seen> = words.kinds().iter().map(|k| Seen::of(k.features)).collect();
    let mut verbs = BTreeSet::new();
    let mut values = vec![0.0; words.facts().len()];
    let mut take_in = |row: &[u8]| {
        words.read(row, &mut values);
        for (i, fact) in words.facts().iter().enumerate() {
            facts.add(fact, i, values[i]);
        }
        for (kind, arg) in arguments(row) {
            for (i, fact) in words.kinds()[kind].features.iter().enumerate() {
                features[kind].add(fact, i, words.feature(row, kind, arg, i));
            }
        }
        verbs.extend((0..).map_while(|action| words.term(row, action)).map(|t| t.verb));
    };
    play(6, 60, |_, _, row| take_in(row));
    explore(&mut take_in);
    let mut rng = Pcg64::seed(4);
    let config = typed(&[("mode", "solo")]);
    let mut stage = Stage::new(TextAdventure::of_story(&config, bar(), None).expect("an environment"), 1);
    for _ in 0..40 {
        take_in(&stage.row(0).0);
        stage.random(&mut rng);
    }
    // These two come of text alone.
    assert_eq!(facts.still(words.facts()), ["refused", "not_understood", "asks"]);
    for (kind, seen) in words.kinds().iter().zip(&features) {
        assert_eq!(seen.still(kind.features), [""; 0], "features of a {}", kind.name);
    }
    let unheard: Vec<&str> =
        Verb::ALL.iter().filter(|v| !verbs.contains(&(**v as u16))).map(|v| v.name()).collect();
    assert_eq!(unheard, [""; 0], "verbs that no game listed");
}

/// Shows the decisions of explorers.
fn explore(see: &mut impl FnMut(&[u8])) {
    for given in [GAMES[2], GAMES[5], GAMES[6]] {
        let options = game().resolve([given, &[("games", "8")]].concat()).expect("valid options");
        let mut batch = VecEnv::new(&game().factory(options), BatchConfig::lanes(2)).expect("a batch");
        let spec = batch.spec().clone();
        let bot = bots::bots().into_iter().find(|b| b.name == "explorer").expect("the explorer");
        let mut player = (bot.make)(&spec);
        batch.reset(3);
        let rows = 2 * spec.seats;
        let mut rngs: Vec<Pcg64> = (0..rows as u64).map(Pcg64::seed).collect();
        let mut given_up = Vec::new();
        for _ in 0..120 {
            let (view, actions) = batch.parts();
            let asked: Vec<u32> =
                (0..rows).filter(|r| view.flags(*r).contains(Flags::TO_ACT)).map(|r| r as u32).collect();
            asked.iter().for_each(|r| see(view.obs(*r as usize)));
            player
                .act(&mut Decisions::new(view, actions, &asked, &mut rngs, &mut given_up))
                .expect("it decides");
            assert!(given_up.is_empty(), "it found nothing to do");
            batch.step();
        }
    }
}
