//! Worlds for rivals: a hub, and a wing of the same shape for every seat.

use super::Stakes;
use crate::action::Verb;
use crate::{
    action::Dir,
    condition::{Cond, Pred, Term},
    entity::{Attr, Bit, Entity, Name},
    env::Config,
    generate::{Noun, Theme, ThemeName, theme},
    planner::{Budget, Goal, Planner},
    set::{Ent, NONE},
    story::{Pattern, Rule, Story, Trigger},
    world::MAX_SEATS,
};
use rl_gym::{Fault, Pcg64, SeedSequence};
use std::sync::Arc;

/// What a treasure's value is multiplied by for one seat: these, shuffled, one a class. The sum is the same for all.
const MULTIPLIERS: [u8; MAX_SEATS + 3] = [3, 2, 1, 0, 2, 3, 1];

/// Builds one world.
struct Builder {
    story: Story,
    theme: &'static Theme,
    rng: Pcg64,
    /// Nouns that are taken, so that every name is said of one thing.
    taken: Vec<String>,
}

impl Builder {
    /// A noun that is not taken yet, with one of the theme's adjectives before it.
    fn entity(&mut self, from: &[Noun]) -> Entity {
        let free: Vec<&Noun> = from.iter().filter(|n| !self.taken.contains(&n.name)).collect();
        let adjectives: Vec<&String> = self.theme.adjectives.values().flatten().collect();
        let adjective = adjectives[self.rng.below(adjectives.len() as u32) as usize].clone();
        let noun = match free.len() {
            0 => &from[self.rng.below(from.len() as u32) as usize],
            n => free[self.rng.below(n as u32) as usize],
        };
        self.taken.push(noun.name.clone());
        let name = Name { adjectives: vec![adjective], noun: noun.name.clone(), synonyms: Vec::new() };
        Entity { text: noun.text.clone(), name, ..Entity::new("") }
    }

    fn room(&mut self, attrs: &[Attr]) -> Ent {
        let free: Vec<usize> = (0..self.theme.rooms.len())
            .filter(|r| !self.taken.contains(&self.theme.rooms[*r].name))
            .collect();
        let kind = match free.len() {
            0 => self.rng.below(self.theme.rooms.len() as u32) as usize,
            n => free[self.rng.below(n as u32) as usize],
        };
        let kind = &self.theme.rooms[kind];
        self.taken.push(kind.name.clone());
        let adjectives = &self.theme.room_adjectives;
        let adjective = adjectives[self.rng.below(adjectives.len() as u32) as usize].clone();
        let text = kind.texts[self.rng.below(kind.texts.len() as u32) as usize].clone();
        let name = Name { adjectives: vec![adjective], noun: kind.name.clone(), synonyms: Vec::new() };
        self.story.add_room(Entity { text, name, ..Entity::new("") }, attrs)
    }

    fn put(&mut self, entity: Entity, attrs: &[Attr], place: Ent) -> Ent {
        let e = self.story.add(entity, attrs);
        self.story.start.place(e, place);
        e
    }

    fn treasure(&mut self, value: u8, place: Ent) -> Ent {
        let entity = self.entity(&self.theme.treasures);
        self.put(Entity { value, size: 2, ..entity }, &[Attr::Portable], place)
    }
}

/// Rooms of one wing.
#[derive(Clone, Copy)]
struct Wing {
    start: Ent,
    store: Ent,
    /// Where the store lies from the start.
    way: Dir,
}

/// The world of a seed, with what its seats are rivals for.
///
/// Every wing has the same rooms in the same order, the same things and the same value in it, so that all distances from
/// a start to the treasures of the hub, of the own wing and of another wing are equal. With `fair=loose` one wing is a
/// room longer. The planner proves that each treasure can be banked; the round cap is a multiple of its longest plan.
///
/// # Errors
/// A theme that does not load, or a world in which some treasure cannot be banked.
pub(crate) fn rival_world(config: &Config, seed: u64) -> Result<(Arc<Story>, Stakes), Fault> {
    let mut rng = SeedSequence::new(seed).child(0x21A1).rng();
    let all = ThemeName::ALL;
    let drawn = all[rng.below(all.len() as u32) as usize];
    let theme = theme(config.theme.unwrap_or(drawn)).map_err(|e| Fault::new(e.to_string()))?;
    let title = theme.titles[rng.below(theme.titles.len() as u32) as usize].clone();
    let mut b = Builder { story: Story::new(&title), theme, rng, taken: Vec::new() };
    b.story.intro = theme.intros[b.rng.below(theme.intros.len() as u32) as usize].clone();
    let seats = usize::from(config.seats);
    let (hub, cellar) = (b.room(&[]), b.room(&[Attr::Dark]));
    b.story.join(hub, Dir::Down, cellar, NONE);
    let corridor = b.rng.below(3);
    let is_beside = b.rng.below(2) == 0;
    let longer = if config.is_strict { seats } else { b.rng.below(seats as u32) as usize };
    let ways: Vec<usize> = (0..seats).map(|i| i * 8 / seats).collect();
    let mut links = Vec::new();
    let mut wings = Vec::new();
    for (i, &way) in ways.iter().enumerate() {
        let (out, side) = (Dir::ALL[way], Dir::ALL[(way + 2) % 8]);
        let mut at = hub;
        for _ in 0..corridor + u32::from(i == longer) {
            let next = b.room(&[]);
            links.push((at, out, next));
            at = next;
        }
        let start = b.room(&[]);
        links.push((at, out, start));
        let store = b.room(&[]);
        wings.push(Wing { start, store, way: if is_beside { side } else { out } });
    }
    links.iter().for_each(|(from, dir, to)| b.story.join(*from, *dir, *to, NONE));
    let (vaults, goods) = furnish(&mut b, &wings);
    let trader = trader(&mut b, hub, &goods);
    let mut treasures: Vec<Ent> = goods.iter().map(|g| g.gem).collect();
    let value = 2 + b.rng.below(3) as u8;
    treasures.push(b.treasure(value, hub));
    treasures.push(b.treasure(value + 1, cellar));
    let sold = b.treasure(value, trader);
    treasures.push(sold);
    b.story.entities[usize::from(trader)].sells.insert(sold);
    let worth = worth(&mut b, &treasures, seats);
    keep_vaults_safe(&mut b.story, &vaults);
    b.story.objective =
        "Bring treasures to your own vault. Each is worth something else to each of you; the greater sum wins.".into();
    b.story.verbs = b.story.verbs.with(Verb::Accept).with(Verb::Decline);
    b.story.seal();
    let stakes = Stakes::new(&b.story, &vaults, &worth);
    certify(config, &mut b.story, &vaults, &treasures)?;
    Ok((Arc::new(b.story), stakes))
}

/// What matters in a wing.
struct Goods {
    gem: Ent,
    coin: Ent,
}

/// Fills the wings, all alike: a vault and a lamp at the start, a door, a locked case with a treasure, its key, a coin.
fn furnish(b: &mut Builder, wings: &[Wing]) -> (Vec<Ent>, Vec<Goods>) {
    let names = ["first", "second", "third", "fourth"];
    for (wing, name) in wings.iter().zip(names) {
        let entity = Entity { capacity: 8, ..Entity::new(&format!("{name} rival")) };
        let figure = b.put(entity, &[Attr::Actor, Attr::Seat], wing.start);
        b.story.seats.push(figure);
    }
    let (value, is_locked) = (2 + b.rng.below(3) as u8, b.rng.below(2) == 0);
    let (mut vaults, mut goods) = (Vec::new(), Vec::new());
    for (wing, name) in wings.iter().zip(names) {
        vaults.push(b.put(Entity::new(&format!("{name} vault")), &[Attr::Supporter], wing.start));
        let lamp = b.entity(&b.theme.lamps);
        b.put(lamp, &[Attr::Portable, Attr::Lamp, Attr::Switch], wing.start);
        let door = b.entity(&b.theme.doors);
        let door = b.put(door, &[Attr::Door, Attr::Openable], NONE);
        b.story.join(wing.start, wing.way, wing.store, door);
        let case = Entity::new(&format!("{name} case"));
        let case = b.put(case, &[Attr::Container, Attr::Openable, Attr::Lockable], wing.store);
        let key = b.entity(&b.theme.keys);
        let key = b.put(key, &[Attr::Portable], wing.store);
        b.story.entities[usize::from(case)].key = key;
        b.story.start.put(case, Bit::Locked, is_locked);
        let gem = b.treasure(value, case);
        let coin = Entity { value: 9, ..Entity::new(&format!("{name} coin")) };
        goods.push(Goods { gem, coin: b.put(coin, &[Attr::Portable], wing.store) });
        let thing = b.entity(&b.theme.things);
        b.put(thing, &[Attr::Portable], wing.start);
    }
    (vaults, goods)
}

/// Somebody in the hub who takes a coin of any wing for a treasure.
fn trader(b: &mut Builder, hub: Ent, goods: &[Goods]) -> Ent {
    let person = &b.theme.people[b.rng.below(b.theme.people.len() as u32) as usize];
    let mut entity = Entity { text: person.text.clone(), ..Entity::new(&person.name) };
    entity.wants = goods.iter().map(|g| g.coin).collect();
    let sex = match person.sex.as_str() {
        "she" | "female" => Attr::Female,
        _ => Attr::Male,
    };
    b.put(entity, &[Attr::Actor, sex], hub)
}

/// Private values: every seat multiplies the classes by a shuffle of the same numbers.
fn worth(b: &mut Builder, treasures: &[Ent], seats: usize) -> Vec<(Ent, [u8; MAX_SEATS])> {
    let mut worth: Vec<(Ent, [u8; MAX_SEATS])> = treasures.iter().map(|t| (*t, [0; MAX_SEATS])).collect();
    for seat in 0..seats {
        let mut multipliers = MULTIPLIERS;
        let classes = &mut multipliers[..treasures.len()];
        b.rng.shuffle(classes);
        for ((treasure, worth), multiplier) in worth.iter_mut().zip(classes) {
            worth[seat] = b.story.entity(*treasure).value * *multiplier;
        }
    }
    worth
}

/// Nobody takes anything out of another seat's vault.
fn keep_vaults_safe(story: &mut Story, vaults: &[Ent]) {
    let text = story.add_text("What is banked is banked.");
    for (&vault, &figure) in vaults.iter().zip(&story.seats.clone()) {
        story.rules.push(Rule {
            trigger: Trigger::Forbid(Pattern { verb: Verb::Take, a: None, b: None }),
            when: vec![
                Cond::yes(Pred::Within(Term::A, Term::Ent(vault))),
                Cond::no(Pred::Same(Term::Me, Term::Ent(figure))),
            ],
            once: false,
            effects: Vec::new(),
            text: Some(text),
        });
    }
}

/// Proves that every seat can bank every treasure, and sets the round cap.
fn certify(config: &Config, story: &mut Story, vaults: &[Ent], treasures: &[Ent]) -> Result<(), Fault> {
    let mut planner = Planner::default();
    let budget = Budget { nodes: 4000, ..Budget::default() };
    let mut longest = 0;
    for (seat, vault) in vaults.iter().enumerate() {
        for treasure in treasures {
            let goal = Goal::All(vec![Cond::yes(Pred::At(Term::Ent(*treasure), Term::Ent(*vault)))]);
            let plan = planner.plan(story, &story.start, seat, &goal, &budget).map_err(|e| {
                let name = story.entity(*treasure).name.phrase();
                Fault::new(format!(
                    "seat {seat} cannot bank the {name} of \"{}\": {e}; take another game",
                    story.title
                ))
            })?;
            longest = longest.max(plan.actions.len());
        }
    }
    story.cap = (longest * usize::from(config.cap_factor)).max(20) as u16;
    Ok(())
}
