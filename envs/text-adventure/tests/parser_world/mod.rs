//! A fair made by hand, with whatever makes names and commands hard: twins apart from each other, names within names,
//! people of every pronoun, things in things, darkness, trade, two seats.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use Attr::*;
use agon_text_adventure::{
    Attr, Bit, Dir, Effect, Ent, Entity, NONE, Name, Pattern, Recipe, Rule, Story, Topic, Trigger, Verb,
};

struct Maker {
    story: Story,
}

impl Maker {
    fn put(&mut self, phrase: &str, attrs: &[Attr], place: Ent) -> Ent {
        let e = self.story.add(Entity::new(phrase), attrs);
        self.story.start.place(e, place);
        e
    }

    fn of(&mut self, e: Ent) -> &mut Entity {
        &mut self.story.entities[usize::from(e)]
    }

    fn topic(&mut self, actor: Ent, is_told: bool, words: &[&str], answer: &str) {
        let answer = self.story.add_text(answer);
        let words = words.iter().map(|w| (*w).to_owned()).collect();
        self.story.topics.push(Topic { actor, words, is_told, when: vec![], answer, effects: vec![] });
    }

    fn after(&mut self, verb: Verb, a: Option<Ent>, text: &str, effects: Vec<Effect>) {
        let text = Some(self.story.add_text(text));
        let trigger = Trigger::After(Pattern { verb, a, b: None });
        self.story.rules.push(Rule { trigger, when: vec![], once: true, effects, text });
    }
}

/// The fair. Seat 0 is Ada, seat 1 is Bob.
pub fn fair() -> Story {
    let mut m = Maker { story: Story::new("The Fair") };
    let square = m.story.add_room(Entity::new("market square"), &[]);
    let shop = m.story.add_room(Entity::new("shop"), &[]);
    let attic = m.story.add_room(Entity::new("attic"), &[Dark]);
    let lane = m.story.add_room(Entity::new("lane"), &[]);
    m.of(square).text = "Stalls stand in the sun.".into();
    m.of(lane).text = "A quiet lane.".into();
    let ada = m.put("Ada", &[Actor, Seat, Proper, Female], square);
    let bob = m.put("Bob", &[Actor, Seat, Proper, Male], square);
    m.of(ada).capacity = 12;
    m.of(bob).capacity = 2;
    m.story.seats = vec![ada, bob];
    m.story.join(square, Dir::North, shop, NONE);
    m.story.join(shop, Dir::Up, attic, NONE);
    let gate = m.put("iron gate", &[Door, Openable, Lockable], NONE);
    let side = m.put("side gate", &[Door, Openable], NONE);
    m.story.join(square, Dir::West, lane, gate);
    m.story.join(shop, Dir::Southwest, lane, side);
    m.story.start.put(gate, Bit::Locked, true);

    // The square.
    let fountain = m.put("stone fountain", &[Supporter, Scenery], square);
    m.of(fountain).text = "Water runs over mossy stones.".into();
    let bench = m.put("bench", &[Supporter], square);
    m.put("red ball", &[Portable], square);
    m.put("blue ball", &[Portable], square);
    m.put("ball of string", &[Portable], bench);
    let iron = m.put("iron key", &[Portable], square);
    m.put("rusty key", &[Portable], square);
    m.of(gate).key = iron;
    let chest = m.put("wooden box", &[Container, Openable, Portable], square);
    m.of(chest).capacity = 3;
    m.put("silver ring", &[Portable, Wearable], chest);
    let case = m.put("glass case", &[Container, Openable, Transparent], square);
    m.put("pearl", &[Portable], case);
    let vault = m.put("strong box", &[Container, Openable, Lockable], shop);
    m.of(vault).key = iron;
    m.story.start.put(vault, Bit::Locked, true);
    let anvil = m.put("anvil", &[Portable], square);
    m.of(anvil).size = 20;
    for place in [square, bench, chest, fountain] {
        let coin = m.put("gold coin", &[Portable], place);
        m.of(coin).value = 3;
    }
    let board = m.put("notice board", &[Readable], square);
    m.of(board).writing = "Fair today.".into();
    let geese = m.put("grey geese", &[Plural, Scenery], square);
    m.of(geese).text = "They hiss.".into();
    let boots = m.put("leather boots", &[Portable, Wearable, Plural], square);
    m.of(boots).name.synonyms = vec!["shoes".into(), "pair of boots".into()];
    let ann = m.put("Ann", &[Actor, Proper, Female], square);
    let apple = m.put("apple", &[Portable, Edible], square);
    m.of(apple).first = "A ripe apple has rolled under a stall.".into();
    m.of(ann).wants.insert(apple);
    m.put("flask of water", &[Portable, Drinkable], square);

    // The shop.
    let smith = m.put("smith", &[Actor, Male], shop);
    let sword = m.put("short sword", &[Portable, Sharp], smith);
    m.of(sword).value = 3;
    m.of(smith).sells.insert(sword);
    let lantern = m.put("lantern", &[Portable, Lamp, Switch], shop);
    m.of(lantern).fuel = Some(0);
    m.story.start.count(0, 12);
    let fan = m.put("fan", &[Switch], shop);
    m.story.start.put(fan, Bit::Broken, true);
    m.put("radio", &[Switch], shop);
    m.put("lever", &[Pull], shop);
    m.put("up button", &[Push], shop);
    m.put("wheel", &[Turn], shop);
    m.put("saw", &[Portable, Sharp], shop);
    let plank = m.put("plank", &[Portable, Cuttable, Part], shop);
    let oven = m.put("oven", &[Heat, Container, Openable], shop);
    m.of(oven).heat = Bit::Roasted;
    m.put("pan", &[Heat, Portable], shop);
    m.put("dough", &[Portable, Cookable, Edible, Mass], shop);
    m.put("vase", &[Portable, Fragile], shop);
    let rope = m.put("rope", &[Portable, Part], shop);
    let hook = m.put("hook", &[Portable, Part], attic);
    let grapnel = m.put("grapnel", &[Portable], NONE);
    m.story.recipes.push(Recipe { a: rope, b: hook, makes: grapnel, bits: [None, None] });
    let raft = m.put("raft", &[Portable], NONE);
    m.story.recipes.push(Recipe { a: plank, b: rope, makes: raft, bits: [Some(Bit::Sliced), None] });
    let sack = m.put("sack", &[Portable, Container], shop);
    let pouch = m.put("small sack", &[Portable, Container], sack);
    m.put("salt", &[Portable, Mass], pouch);
    let cellar = m.put("salt cellar", &[Portable], shop);
    m.of(cellar).name = Name { adjectives: vec![], noun: "salt cellar".into(), synonyms: vec![] };
    let note = m.put("note", &[Portable, Readable], lane);
    m.of(note).name.noun = "note with numbers".into();
    m.put("marble", &[Portable], lane);
    let hidden = m.put("marble", &[Portable], attic);
    m.story.start.put(hidden, Bit::Hidden, true);
    let beam = m.put("beam", &[Supporter], attic);
    m.story.start.place(hidden, beam);

    m.topic(ann, false, &["fair", "the market"], "\"It is the best fair of the year,\" says Ann.");
    m.topic(ann, false, &["smith", "blacksmith"], "\"He likes gold,\" says Ann.");
    m.topic(ann, true, &["sword"], "\"A sword! Take care,\" says Ann.");
    m.topic(smith, false, &["short sword", "sword"], "\"Three in gold,\" says the smith.");
    m.topic(smith, false, &["swords of old"], "\"All rust now,\" says the smith.");
    m.after(Verb::Show, Some(sword), "\"Sharp!\"", vec![]);
    m.after(Verb::Steal, None, "That was not kind.", vec![Effect::Score(-1)]);
    m.after(Verb::Give, Some(apple), "Ann smiles.", vec![Effect::Score(2)]);
    m.after(Verb::Attack, None, "What a mess.", vec![]);
    m.after(Verb::Take, Some(hidden), "The last marble!", vec![Effect::Score(3), Effect::Win]);
    m.after(Verb::Eat, None, "You should not have done that.", vec![Effect::Lose]);
    m.story.max_score = 5;
    m.story.seal();
    m.story
}
