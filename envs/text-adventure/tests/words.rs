//! The words of skills: bounds, truth, and that they come from the row alone.

#[allow(dead_code, reason = "this test uses a part of it")]
#[path = "fixture/mod.rs"]
mod fixture;
#[allow(dead_code, reason = "this test uses a part of it")]
#[path = "env/stage.rs"]
mod stage;

use agon_text_adventure::{
    Action, Attr, Bit, Dir, Ent, Entity, NO_DEAL, NONE, SkillWords, Slot, Story, TextAdventure, Topic, Verb,
    bots, game, observe, predicates::Query, rules, skill_words_markdown,
};
use fixture::typed;
use rl_gym::{
    BatchConfig, BatchEnv, Decisions, Flags, Pcg64, VecEnv, Vocabulary,
    vocabulary::{Fact, MAX_ARGS, Term, fact},
};
use stage::Stage;
use std::collections::BTreeSet;

const THING: usize = 0;
const DIRECTION: usize = 1;
const TOPIC: usize = 2;

/// Options of games that between them have everything.
const GAMES: [&[(&str, &str)]; 13] = [
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
    let i = fact(SkillWords.facts(), name).unwrap_or_else(|| panic!("no fact {name}"));
    SkillWords.fact(row, i)
}

fn feature(row: &[u8], kind: usize, arg: u16, name: &str) -> f32 {
    let features = SkillWords.kinds()[kind].features;
    let i = fact(features, name).unwrap_or_else(|| panic!("no feature {name}"));
    SkillWords.feature(row, kind, arg, i)
}

/// Every kind of argument with every argument of the terms of a row.
fn arguments(row: &[u8]) -> Vec<(usize, u16)> {
    let terms = (0..).map_while(|action| SkillWords.term(row, action));
    let mut all: BTreeSet<(usize, u16)> = (0..Dir::COUNT as u16).map(|d| (DIRECTION, d)).collect();
    for term in terms {
        let kinds = SkillWords.verbs()[usize::from(term.verb)].args;
        all.extend(kinds.iter().zip(term.args).map(|(kind, arg)| (*kind, arg)));
    }
    all.into_iter().collect()
}

#[test]
fn names_are_unique_and_there_are_enough() {
    let words = SkillWords;
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

/// What neither the generator nor a bundled story has: something to drink and to break, somebody to tell.
fn bar() -> Story {
    let mut story = Story::new("The Bar");
    let room = story.add_room(Entity::new("bar"), &[]);
    let you = story.add(Entity::new("yourself"), &[Attr::Actor, Attr::Seat, Attr::Proper]);
    story.seats.push(you);
    let cider = story.add(Entity::new("cider"), &[Attr::Portable, Attr::Drinkable]);
    let vase = story.add(Entity::new("vase"), &[Attr::Fragile]);
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
    [you, cider, vase, keeper].into_iter().for_each(|e| story.start.place(e, room));
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
    let words = SkillWords;
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

#[test]
fn every_listed_action_has_the_term_of_the_action() {
    let mut terms = 0;
    play(2, 40, |stage, _, row| {
        let list = stage.env.actions();
        for (i, action) in list.iter().enumerate() {
            let term = SkillWords.term(row, i as u32).unwrap_or_else(|| panic!("{action:?} has no term"));
            let part = |slot: Slot, e: Ent| match slot {
                Slot::None => 0,
                Slot::Thing => u16::from(e) + 1,
                Slot::Dir => Dir::of_slot(e).map_or(u16::MAX, |d| d as u16),
                Slot::Topic => u16::from(e),
            };
            let entry = rules::entry(action.verb);
            let want = [part(entry.a, action.a), part(entry.b, action.b), 0];
            assert_eq!(term, Term { verb: action.verb as u16, args: want }, "{action:?}");
            assert_eq!(SkillWords.verbs()[usize::from(term.verb)].name, action.verb.name());
            terms += 1;
        }
        for past in [list.len() as u32, 511, 512, u32::MAX] {
            assert_eq!(SkillWords.term(row, past), None, "nothing is listed at {past}");
        }
    });
    assert!(terms > 5_000, "{terms}");
}

/// The whole of what the words say of a row.
fn all(row: &[u8]) -> Vec<f32> {
    let words = SkillWords;
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
            for (i, f) in SkillWords.kinds()[kind].features.iter().enumerate() {
                let value = SkillWords.feature(row, kind, arg, i);
                let is_exit = kind == DIRECTION && usize::from(arg) < Dir::COUNT;
                let is_there = arguments(row).contains(&(kind, arg));
                assert!(value == 0.0 || is_exit || is_there, "{} of {kind} {arg} is {value}", f.name);
            }
        }
    }
}

fn truth(holds: bool) -> f32 {
    f32::from(u8::from(holds))
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
    let mut met = [0; 5];
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
    assert!(include_str!("../README.md").contains("docs/words.md"));
    let has_words = game().vocabulary.is_some_and(|make| {
        let env = (game().make)(&game().defaults()).expect("an environment");
        make(env.spec()).facts().len() == SkillWords.facts().len()
    });
    assert!(has_words, "the game offers them");
    assert_eq!(observe::COLUMNS.len(), 35, "the page knows these columns");
}
