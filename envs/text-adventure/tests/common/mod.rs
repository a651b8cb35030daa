//! A small world with a bit of everything, made by hand.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use agon_text_adventure::{
    Action, Attr, Bit, Cond, Dir, Effect, Ent, Entity, NONE, Pattern, Pred, Recipe, Rule, Scope, Story, Term,
    Topic, Trigger, Verb, rules,
};

/// Entities of [`cellar`].
pub struct Cast {
    pub hall: Ent,
    pub cellar: Ent,
    pub you: Ent,
    pub lamp: Ent,
    pub key: Ent,
    pub door: Ent,
    pub cook: Ent,
    pub salt: Ent,
}

/// Hall, kitchen and a dark, locked cellar; a cook who wants salt and sells stew.
pub fn cellar() -> (Story, Cast) {
    let mut s = Story::new("The Salt Cellar");
    let hall = s.add_room(Entity::new("hall"), &[]);
    let kitchen = s.add_room(Entity::new("kitchen"), &[]);
    let cellar = s.add_room(Entity::new("cellar"), &[Attr::Dark]);
    let you = s.add(Entity::new("yourself"), &[Attr::Actor, Attr::Seat, Attr::Proper]);
    s.seats.push(you);
    let at = |s: &mut Story, phrase: &str, attrs: &[Attr], place: Ent| {
        let e = s.add(Entity::new(phrase), attrs);
        s.start.place(e, place);
        e
    };
    s.start.place(you, hall);
    s.join(hall, Dir::East, kitchen, NONE);
    let door = at(&mut s, "oak door", &[Attr::Door, Attr::Openable, Attr::Lockable], NONE);
    s.join(hall, Dir::Down, cellar, door);
    s.start.put(door, Bit::Locked, true);
    let chest = at(&mut s, "iron chest", &[Attr::Container, Attr::Openable], hall);
    let key = at(&mut s, "brass key", &[Attr::Portable], chest);
    s.entities[usize::from(door)].key = key;
    let table = at(&mut s, "long table", &[Attr::Supporter], hall);
    let lamp = at(&mut s, "lamp", &[Attr::Portable, Attr::Lamp, Attr::Switch], table);
    s.entities[usize::from(lamp)].fuel = Some(0);
    s.start.count(0, 40);
    let jar = at(
        &mut s,
        "glass jar",
        &[Attr::Container, Attr::Openable, Attr::Transparent, Attr::Portable],
        kitchen,
    );
    at(&mut s, "pearl", &[Attr::Portable], jar);
    let stove = at(&mut s, "stove", &[Attr::Heat, Attr::Supporter], kitchen);
    at(&mut s, "red carrot", &[Attr::Portable, Attr::Cookable, Attr::Cuttable, Attr::Edible], kitchen);
    at(&mut s, "sharp knife", &[Attr::Portable, Attr::Sharp], stove);
    at(&mut s, "wool cap", &[Attr::Portable, Attr::Wearable], hall);
    for _ in 0..2 {
        let coin = at(&mut s, "copper coin", &[Attr::Portable], hall);
        s.entities[usize::from(coin)].value = 3;
    }
    let handle = at(&mut s, "broom handle", &[Attr::Portable, Attr::Part], hall);
    let head = at(&mut s, "broom head", &[Attr::Portable, Attr::Part], kitchen);
    let broom = at(&mut s, "broom", &[Attr::Portable], NONE);
    s.recipes.push(Recipe { a: handle, b: head, makes: broom, bits: [None, None] });
    let salt = at(&mut s, "salt", &[Attr::Portable, Attr::Mass], cellar);
    s.start.put(salt, Bit::Hidden, true);
    let rock = at(&mut s, "rough rock", &[], cellar);
    s.start.place(salt, rock);
    let cook = at(&mut s, "cook", &[Attr::Actor], kitchen);
    let stew = at(&mut s, "stew", &[Attr::Portable, Attr::Edible], cook);
    s.entities[usize::from(stew)].value = 2;
    let answer = s.add_text("Nobody goes down there without a light.");
    let c = &mut s.entities[usize::from(cook)];
    c.wants.insert(salt);
    c.sells.insert(stew);
    c.persona.greedy = 20;
    s.topics.push(Topic {
        actor: cook,
        words: vec!["cellar".into()],
        is_told: false,
        when: vec![],
        answer,
        effects: vec![Effect::Flag(0, true)],
    });
    s.flags.push("warned".into());
    let dark = s.add_text("You would break your neck.");
    s.rules.push(Rule {
        trigger: Trigger::Forbid(Pattern { verb: Verb::Go, a: Some(Dir::Down.slot()), b: None }),
        when: vec![Cond::no(Pred::Has(Term::Ent(lamp), Bit::On))],
        once: false,
        effects: vec![],
        text: Some(dark),
    });
    s.rules.push(Rule {
        trigger: Trigger::Always,
        when: vec![Cond::yes(Pred::At(Term::Ent(salt), Term::Ent(cook)))],
        once: true,
        effects: vec![Effect::Score(3), Effect::Win],
        text: None,
    });
    s.max_score = 3;
    s.seal();
    (s, Cast { hall, cellar, you, lamp, key, door, cook, salt })
}

/// Carries out `action` of the first seat, or says why not.
pub fn act(
    story: &Story,
    world: &mut agon_text_adventure::World,
    action: Action,
) -> Result<(), rules::Refusal> {
    let mut log = agon_text_adventure::Log::default();
    let scope = Scope::of(story, world, story.seats[0]);
    rules::apply(story, world, &scope, action, &mut log)?;
    rules::end_turn(story, world, &mut log);
    Ok(())
}
