//! Quests about making things: cook after a recipe, put together from parts.

use crate::{
    action::Verb,
    condition::{Cond, Pred, Term},
    entity::{Attr, Bit, Name},
    generate::{
        knobs::{Fold, Quest},
        names::digest,
        plot::{Failure, Plot},
        theme::Noun,
    },
    set::Ent,
    story::{Pattern, Recipe, Rule, Trigger},
};

/// How an ingredient is prepared: nothing, three ways of cutting, three of cooking.
const WAYS: [Option<Bit>; 7] = [
    None,
    Some(Bit::Sliced),
    Some(Bit::Diced),
    Some(Bit::Chopped),
    Some(Bit::Fried),
    Some(Bit::Roasted),
    Some(Bit::Grilled),
];
const CUTS: [(Verb, Bit); 3] =
    [(Verb::Slice, Bit::Sliced), (Verb::Dice, Bit::Diced), (Verb::Chop, Bit::Chopped)];

impl Plot<'_> {
    pub(super) fn cook(&mut self, is_last: bool) -> Result<(), Failure> {
        let theme = self.theme;
        let n = usize::from(self.knobs.pieces.max(2));
        let (dish, foods, ways) = self.recipe(n)?;
        let last = self.last_stage();
        let mut things = Vec::new();
        for (&food, &way) in foods.iter().zip(&ways) {
            let noun = &theme.foods[food];
            let any: &[String] = &[];
            let more = theme.adjectives.get(&noun.of).map_or(any, Vec::as_slice);
            let name = self
                .names
                .with(&noun.name, more, &theme.adjectives["any"], &mut self.rng)
                .ok_or_else(|| Failure::new("fold", "no name is left for an ingredient"))?;
            let mut attrs = vec![Attr::Portable, Attr::Part, Attr::Cookable, Attr::Cuttable, Attr::Edible];
            if self.knobs.dead_end_free {
                let is_cut = way.is_some_and(|b| CUTS.iter().any(|c| c.1 == b));
                attrs.retain(|a| match a {
                    Attr::Edible => false,
                    Attr::Cuttable => is_cut,
                    Attr::Cookable => way.is_some() && !is_cut,
                    _ => true,
                });
            }
            let e = self.add_noun(noun, name, &attrs);
            self.needed.push(e);
            let room = self.far_room(last, |_, _| true).unwrap_or(0);
            self.put(e, room);
            things.push(e);
        }
        self.tools(&ways)?;
        if self.knobs.dead_end_free {
            things.iter().zip(&ways).try_for_each(|(e, way)| self.spare(*e, *way))?;
        }
        let bits: Vec<Option<Bit>> = ways;
        let made = self.chain(&theme.dishes[dish], &things, &bits)?;
        let book = self.draw("cookbooks", &theme.cookbooks, &[Attr::Portable, Attr::Readable])?;
        let room = self.far_room(last, |_, _| true).unwrap_or(0);
        self.put(book, room);
        let mut listed = Vec::new();
        for (e, bit) in things.iter().zip(&bits) {
            let name = self.the(*e);
            listed.push(match bit {
                Some(bit) => self.plain("cook.as", &[("x", &name), ("how", bit.name())]),
                None => self.plain("cook.raw", &[("x", &name)]),
            });
        }
        let (name, book_name) = (self.the(made), self.the(book));
        let list = self.listed(&listed);
        let page = self.sentence("cook.page", &[("x", &name), ("list", &list)]);
        self.story.entities[usize::from(book)].writing = page;
        let slots = [("x", name.as_str()), ("y", book_name.as_str())];
        let done = self.say("cook.done", &slots);
        self.point(vec![Self::held(made)], vec![], Some(done))?;
        self.tell(Quest::Cook, is_last, &slots);
        Ok(())
    }

    /// A sentence that is part of another.
    fn plain(&mut self, key: &str, slots: &[(&str, &str)]) -> String {
        crate::generate::words::fill(self.lines.pick(&mut self.rng, key), slots)
    }

    /// A dish, ingredients and how they are prepared, of the recipes of the fold.
    #[allow(clippy::type_complexity, reason = "used once")]
    fn recipe(&mut self, n: usize) -> Result<(usize, Vec<usize>, Vec<Option<Bit>>), Failure> {
        let theme = self.theme;
        for _ in 0..200 {
            let dish = self.rng.below(theme.dishes.len() as u32) as usize;
            let mut foods: Vec<usize> = (0..theme.foods.len()).collect();
            self.rng.shuffle(&mut foods);
            foods.truncate(n);
            let mut ways: Vec<Option<Bit>> =
                (0..n).map(|_| WAYS[self.rng.below(WAYS.len() as u32) as usize]).collect();
            if ways.iter().all(Option::is_none) {
                ways[0] = Some(Bit::Chopped);
            }
            let mut words: Vec<String> = foods
                .iter()
                .zip(&ways)
                .map(|(f, w)| format!("{} {}", theme.foods[*f].name, w.map_or("raw", Bit::name)))
                .collect();
            words.sort();
            words.push(theme.dishes[dish].name.clone());
            if Fold::of(digest(words.iter().map(String::as_str))) == self.knobs.fold {
                return Ok((dish, foods, ways));
            }
        }
        Err(Failure::new("fold", "no recipe of the fold was drawn"))
    }

    /// Something sharp and the appliances that `ways` ask for.
    fn tools(&mut self, ways: &[Option<Bit>]) -> Result<(), Failure> {
        let theme = self.theme;
        let last = self.last_stage();
        let cuts = ways.iter().flatten().any(|b| CUTS.iter().any(|c| c.1 == *b));
        if cuts && self.story.all(Attr::Sharp).is_empty() {
            let knife = self.draw("blades", &theme.blades, &[Attr::Portable, Attr::Sharp])?;
            self.needed.push(knife);
            let room = self.far_room(last, |_, _| true).unwrap_or(0);
            self.put(knife, room);
        }
        let room = self.far_room(last, Self::is_lit).unwrap_or(0);
        for (noun, heat) in &theme.stoves {
            let Some(bit) = Bit::named(heat) else { continue };
            let is_there = self.story.all(Attr::Heat).iter().any(|h| self.story.entity(h).heat == bit);
            if ways.contains(&Some(bit)) && !is_there {
                let name = self.names.plain(&noun.name);
                let name = name.ok_or_else(|| Failure::new("quest_count", "two stoves of one name"))?;
                let stove = self.add_noun(noun, name, &[Attr::Heat]);
                self.story.entities[usize::from(stove)].heat = bit;
                self.story.start.place(stove, room);
            }
        }
        Ok(())
    }

    /// Forbids what would spoil an ingredient for good.
    fn spare(&mut self, e: Ent, way: Option<Bit>) -> Result<(), Failure> {
        let forbid = |plot: &mut Self, verb, b, when| {
            let text = Some(plot.say("spoil", &[]));
            let trigger = Trigger::Forbid(Pattern { verb, a: Some(e), b });
            plot.rule(Rule { trigger, when, once: false, effects: vec![], text })
        };
        let Some(way) = way else { return Ok(()) };
        if CUTS.iter().any(|c| c.1 == way) {
            for (verb, _) in CUTS.iter().filter(|c| c.1 != way) {
                forbid(self, *verb, None, vec![])?;
            }
            return Ok(());
        }
        // Cooked twice is burned.
        forbid(self, Verb::Cook, None, vec![Cond::yes(Pred::Has(Term::Ent(e), way))])?;
        for stove in *self.story.all(Attr::Heat) {
            if self.story.entity(stove).heat != way {
                forbid(self, Verb::Cook, Some(stove), vec![])?;
            }
        }
        Ok(())
    }

    /// Recipes that put `parts` together one by one into a thing of `noun`.
    fn chain(&mut self, noun: &'static Noun, parts: &[Ent], bits: &[Option<Bit>]) -> Result<Ent, Failure> {
        let bit = |i: usize| bits.get(i).copied().flatten();
        let mut whole = parts[0];
        for i in 1..parts.len() {
            let is_done = i + 1 == parts.len();
            let name = match is_done {
                true => self.names.plain(&noun.name),
                false => {
                    let adjective = self.plain("begun", &[]);
                    let stage = ["", "twice ", "three times "].get(i - 1).copied().unwrap_or("nearly ");
                    Some(Name {
                        adjectives: format!("{stage}{adjective}").split(' ').map(str::to_owned).collect(),
                        noun: noun.name.clone(),
                        synonyms: vec![],
                    })
                }
            };
            let name = name.ok_or_else(|| Failure::new("quest_count", "two quests make the same thing"))?;
            let attrs: &[Attr] = if is_done { &[Attr::Portable] } else { &[Attr::Portable, Attr::Part] };
            let makes = self.add_noun(noun, name, attrs);
            self.needed.push(makes);
            let first = if i == 1 { bit(0) } else { None };
            self.story.recipes.push(Recipe { a: whole, b: parts[i], makes, bits: [first, bit(i)] });
            whole = makes;
        }
        Ok(whole)
    }

    pub(super) fn assemble(&mut self, is_last: bool) -> Result<(), Failure> {
        let theme = self.theme;
        let first = self.rng.below(theme.assemblies.len() as u32) as usize;
        let around =
            (0..theme.assemblies.len()).map(|i| &theme.assemblies[(first + i) % theme.assemblies.len()]);
        let free = around.clone().find(|a| !self.names.has_noun(&a.makes.name));
        let assembly =
            free.ok_or_else(|| Failure::new("quest_count", "the theme has nothing more to put together"))?;
        let n = usize::from(self.knobs.pieces).clamp(2, assembly.parts.len());
        let last = self.last_stage();
        let mut parts = Vec::new();
        for noun in &assembly.parts[..n] {
            let part = self.draw("assemblies", std::slice::from_ref(noun), &[Attr::Portable, Attr::Part])?;
            self.needed.push(part);
            let room = self.far_room(last, |_, _| true).unwrap_or(0);
            self.put(part, room);
            parts.push(part);
        }
        let made = self.chain(&assembly.makes, &parts, &[])?;
        let names: Vec<String> = parts.iter().map(|p| self.the(*p)).collect();
        let (name, hint, list) = (self.the(made), self.hint(made), self.listed(&names));
        let slots = [("x", name.as_str()), ("hint", hint.as_str()), ("list", list.as_str())];
        let done = self.say("assemble.done", &slots);
        self.point(vec![Self::held(made)], vec![], Some(done))?;
        self.tell(Quest::Assemble, is_last, &slots);
        Ok(())
    }
}
