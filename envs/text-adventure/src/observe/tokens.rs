//! Words as numbers, the same in every story, so that a network needs no tokenizer.

use super::fields::{COLUMNS, WORDS, col};
use crate::{
    action::Verb,
    entity::{Attr, Bit},
    rules::Refusal,
    set::Ent,
    story::{Story, TextId},
};

/// The id of a word, 1 to [`WORDS`]: FNV-1a of its lower-case ASCII letters and digits. Two words may share an id.
pub const fn word_id(word: &str) -> u8 {
    let (bytes, mut hash, mut i) = (word.as_bytes(), 0x811c_9dc5_u32, 0);
    while i < bytes.len() {
        if bytes[i].is_ascii_alphanumeric() {
            hash = (hash ^ bytes[i].to_ascii_lowercase() as u32).wrapping_mul(0x0100_0193);
        }
        i += 1;
    }
    // The high bits are mixed best.
    (1 + ((hash as u64 * WORDS as u64) >> 32)) as u8
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty())
}

/// Lists of word ids behind each other.
#[derive(Clone, PartialEq, Debug, Default)]
struct Lists {
    ids: Vec<u8>,
    ends: Vec<u32>,
}

impl Lists {
    fn push(&mut self, texts: &[&str]) {
        self.ids.extend(texts.iter().flat_map(|t| words(t)).map(word_id));
        self.ends.push(self.ids.len() as u32);
    }

    #[inline]
    fn get(&self, i: usize) -> &[u8] {
        let end = |i: usize| self.ends[i] as usize;
        let start = if i == 0 { 0 } else { end(i - 1) };
        &self.ids[start..end(i)]
    }
}

/// What the numeric observation knows of a story before anything happens in it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tokens {
    names: Lists,
    texts: Lists,
    writings: Lists,
    /// How often each word occurs in the objective.
    goal: Vec<u8>,
    /// Entity rows with everything that never changes and is plain to see.
    rows: Vec<[u8; COLUMNS.len()]>,
    verbs: [u8; Verb::COUNT],
    refusals: [u8; Refusal::COUNT],
}

impl Tokens {
    pub(crate) fn of(story: &Story) -> Self {
        let [mut names, mut texts, mut writings] = std::array::from_fn(|_| Lists::default());
        for entity in &story.entities {
            let words: Vec<&str> =
                entity.name.adjectives.iter().chain([&entity.name.noun]).map(String::as_str).collect();
            names.push(&words);
            writings.push(&[&entity.writing]);
        }
        let objective: Vec<String> = words(&story.objective).map(str::to_ascii_lowercase).collect();
        let mut goal = vec![0u8; WORDS + 1];
        for id in objective.iter().map(|w| usize::from(word_id(w))) {
            goal[id] = goal[id].saturating_add(1);
        }
        story.texts.iter().for_each(|t| texts.push(&[t]));
        let rows = (0..story.len() as Ent).map(|e| row(story, e, &objective)).collect();
        let word = |name: &str| word_id(name.split('_').next().unwrap_or(name));
        Self {
            names,
            texts,
            writings,
            goal,
            rows,
            verbs: std::array::from_fn(|i| word(Verb::ALL[i].name())),
            refusals: std::array::from_fn(|i| word_id(Refusal::ALL[i].name())),
        }
    }

    /// Words of an entity's name.
    #[inline]
    pub(crate) fn name(&self, e: Ent) -> &[u8] {
        self.names.get(e.into())
    }

    /// Words of a text of the story.
    #[inline]
    pub(crate) fn text(&self, text: TextId) -> &[u8] {
        self.texts.get(text.into())
    }

    /// Words of what is written on an entity.
    #[inline]
    pub(crate) fn writing(&self, e: Ent) -> &[u8] {
        self.writings.get(e.into())
    }

    /// By word id: how often it occurs in the objective.
    #[inline]
    pub(crate) fn goal(&self) -> &[u8] {
        &self.goal
    }

    /// The row of an entity, its changing columns still zero.
    #[inline]
    pub(crate) fn row(&self, e: Ent) -> &[u8; COLUMNS.len()] {
        &self.rows[usize::from(e)]
    }

    #[inline]
    pub(crate) const fn verb(&self, verb: Verb) -> u8 {
        self.verbs[verb as usize]
    }

    #[inline]
    pub(crate) const fn refusal(&self, refusal: Refusal) -> u8 {
        self.refusals[refusal as usize]
    }
}

/// Whether the words of `parts`, one behind the other, stand together in `text`, which is lower-case words.
fn says<'a>(text: &[String], parts: impl Iterator<Item = &'a String>) -> bool {
    let name: Vec<String> = parts.flat_map(|p| words(p)).map(str::to_ascii_lowercase).collect();
    !name.is_empty() && text.windows(name.len()).any(|at| at == name)
}

fn row(story: &Story, e: Ent, objective: &[String]) -> [u8; COLUMNS.len()] {
    let entity = story.entity(e);
    let is = |attr| u8::from(story.is(e, attr));
    let mut row = [0; COLUMNS.len()];
    row[col::id] = e + 1;
    row[col::kind] = if story.is_room(e) {
        1
    } else if story.is(e, Attr::Door) {
        3
    } else if story.is(e, Attr::Seat) {
        5
    } else if story.is(e, Attr::Actor) {
        4
    } else {
        2
    };
    row[col::noun] = entity.name.noun.split(' ').next_back().map_or(0, word_id);
    row[col::adjective] = entity.name.adjectives.last().map_or(0, |w| word_id(w));
    let plain = [
        (col::portable, Attr::Portable),
        (col::container, Attr::Container),
        (col::supporter, Attr::Supporter),
        (col::openable, Attr::Openable),
        (col::lockable, Attr::Lockable),
        (col::wearable, Attr::Wearable),
        (col::readable, Attr::Readable),
        (col::lamp, Attr::Lamp),
        (col::switch, Attr::Switch),
        (col::sharp, Attr::Sharp),
        (col::cookable, Attr::Cookable),
        (col::cuttable, Attr::Cuttable),
        (col::part, Attr::Part),
    ];
    plain.iter().for_each(|(column, attr)| row[*column] = is(*attr));
    row[col::edible] = is(Attr::Edible) | is(Attr::Drinkable) << 1;
    row[col::machine] = is(Attr::Push) | is(Attr::Pull) << 1 | is(Attr::Turn) << 2;
    let heats = [Bit::Fried, Bit::Roasted, Bit::Grilled];
    if story.is(e, Attr::Heat) {
        row[col::heat] = heats.iter().position(|h| *h == entity.heat).map_or(0, |i| i as u8 + 1);
    }
    row[col::size] = entity.size;
    row[col::value] = entity.value;
    let name = &entity.name;
    row[col::asked] = if says(objective, name.adjectives.iter().chain([&name.noun])) {
        2
    } else {
        says(objective, [&name.noun].into_iter()).into()
    };
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_ids_are_stable_and_never_zero() {
        // FNV-1a of "key" is 0x6fc4_83ad or so: what matters is that it never changes.
        assert_eq!(
            (word_id("key"), word_id("KEY"), word_id("key.")),
            (word_id("key"), word_id("key"), word_id("key"))
        );
        assert!(["", "a", "lamp", "oak", "copper"].iter().all(|w| word_id(w) > 0));
        let mut seen: Vec<u8> = (0..26).map(|i| word_id(&char::from(b'a' + i).to_string())).collect();
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() > 10, "{seen:?}");
    }
}
