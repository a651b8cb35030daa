//! The words of one story: which words mean which entities and topics.

use crate::{
    grammar::NO_WORD,
    parser::tokens::each_word,
    prose::plural,
    set::{Ent, Set},
    story::Story,
};
use std::sync::Arc;

/// FNV-1a (Fowler, Noll and Vo), 64 bits, of a word as the parser sees it.
#[inline]
pub(crate) fn hash_word(word: &str) -> u64 {
    word.bytes().fold(FNV_START, hash_byte)
}

pub(crate) const FNV_START: u64 = 0xCBF2_9CE4_8422_2325;

#[inline]
pub(crate) const fn hash_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0100_0000_01B3)
}

/// Adds a word to the hash of a phrase.
#[inline]
pub(crate) const fn hash_phrase(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Ids by hash: open addressing, at most half full.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    slots: Vec<(u64, u16)>,
    len: usize,
}

impl Table {
    #[inline]
    pub(crate) fn get(&self, hash: u64) -> Option<u16> {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some(&(key, id)) = self.slots.get(at) {
            if id == NO_WORD {
                return None;
            }
            if key == hash {
                return Some(id);
            }
            at = (at + 1) & mask;
        }
        None
    }

    pub(crate) fn insert(&mut self, hash: u64, id: u16) {
        if (self.len + 1) * 2 > self.slots.len() {
            let bigger = vec![(0, NO_WORD); (self.slots.len() * 2).max(64)];
            let old = std::mem::replace(&mut self.slots, bigger);
            old.into_iter().filter(|s| s.1 != NO_WORD).for_each(|(h, i)| self.fill(h, i));
        }
        self.fill(hash, id);
        self.len += 1;
    }

    fn fill(&mut self, hash: u64, id: u16) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at].1 != NO_WORD {
            at = (at + 1) & mask;
        }
        self.slots[at] = (hash, id);
    }
}

/// What one word of a story means.
#[derive(Clone, Debug)]
pub(crate) struct StoryWord {
    pub(crate) text: String,
    /// Entities in whose names or synonyms it stands.
    pub(crate) any: Set,
    /// Entities of which it is the noun.
    pub(crate) noun: Set,
    /// Entities of which it is the plural of the noun.
    pub(crate) plural: Set,
    /// Topics for which it stands, a bit each.
    pub(crate) topics: u64,
}

/// A story together with its words. Make it once with the story and share it.
#[derive(Clone, Debug)]
pub struct Words {
    story: Arc<Story>,
    table: Table,
    words: Vec<StoryWord>,
    /// Hash of the whole name of each entity.
    names: Vec<u64>,
    /// Per topic the hashes of its phrases.
    topics: Vec<Vec<u64>>,
}

impl Words {
    /// The words of a sealed story.
    pub fn new(story: Arc<Story>) -> Self {
        let mut words = Self {
            table: Table::default(),
            words: Vec::new(),
            names: Vec::with_capacity(story.len()),
            topics: Vec::with_capacity(story.topics.len()),
            story: Arc::clone(&story),
        };
        for (e, entity) in story.entities.iter().enumerate() {
            let e = e as Ent;
            let mut name = FNV_START;
            for adjective in &entity.name.adjectives {
                each_word(adjective, |w, hash| {
                    words.add(w, hash).any.insert(e);
                    name = hash_phrase(name, hash);
                });
            }
            name = words.noun(&entity.name.noun, e, name);
            for synonym in &entity.name.synonyms {
                words.noun(synonym, e, FNV_START);
            }
            words.names.push(name);
        }
        for (t, topic) in story.topics.iter().enumerate().take(64) {
            let mut phrases = Vec::with_capacity(topic.words.len());
            for phrase in &topic.words {
                let mut whole = FNV_START;
                each_word(phrase, |w, hash| {
                    words.add(w, hash).topics |= 1 << t;
                    whole = hash_phrase(whole, hash);
                });
                phrases.push(whole);
            }
            words.topics.push(phrases);
        }
        words
    }

    /// Adds the words of a noun phrase of `e`, of which the last one is the noun. Its hash is added to `name`.
    fn noun(&mut self, phrase: &str, e: Ent, mut name: u64) -> u64 {
        let mut last = None;
        each_word(phrase, |w, hash| {
            let word = self.add(w, hash);
            word.any.insert(e);
            last = Some(hash);
            name = hash_phrase(name, hash);
        });
        if let Some(id) = last.and_then(|hash| self.table.get(hash)) {
            self.words[usize::from(id)].noun.insert(e);
            let mut many = String::new();
            plural(&self.words[usize::from(id)].text, &mut many);
            each_word(&many, |w, hash| {
                self.add(w, hash).plural.insert(e);
            });
        }
        name
    }

    fn add(&mut self, text: &str, hash: u64) -> &mut StoryWord {
        let id = self.table.get(hash).unwrap_or_else(|| {
            let id = self.words.len() as u16;
            let (any, topics) = (Set::EMPTY, 0);
            self.words.push(StoryWord { text: text.into(), any, noun: any, plural: any, topics });
            self.table.insert(hash, id);
            id
        });
        debug_assert_eq!(self.words[usize::from(id)].text, text, "two words of one hash");
        &mut self.words[usize::from(id)]
    }

    /// The story.
    #[inline]
    pub fn story(&self) -> &Story {
        &self.story
    }

    /// The story, to be shared.
    pub const fn shared(&self) -> &Arc<Story> {
        &self.story
    }

    /// Every word that the story knows, in no particular order: those of its names and topics.
    pub fn known_words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|w| w.text.as_str())
    }

    pub(crate) fn all(&self) -> &[StoryWord] {
        &self.words
    }

    #[inline]
    pub(crate) fn find(&self, hash: u64) -> u16 {
        self.table.get(hash).unwrap_or(NO_WORD)
    }

    #[inline]
    pub(crate) fn word(&self, id: u16) -> Option<&StoryWord> {
        self.words.get(usize::from(id))
    }

    /// Hash of the whole name of an entity.
    #[inline]
    pub(crate) fn name_hash(&self, e: Ent) -> u64 {
        self.names[usize::from(e)]
    }

    /// Whether a phrase of this hash is all of a phrase of a topic.
    pub(crate) fn is_topic_phrase(&self, topic: u8, hash: u64) -> bool {
        self.topics[usize::from(topic)].contains(&hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        entity::{Entity, Name},
        story::Topic,
    };

    #[test]
    fn words_know_what_they_mean() {
        let mut story = Story::new("");
        let key = story.add(Entity::new("small Brass key"), &[]);
        let knife = story.add(Entity::new("knife"), &[]);
        story.entities[usize::from(knife)].name = Name {
            adjectives: vec!["Cook's".into()],
            noun: "bread knife".into(),
            synonyms: vec!["sharp blade".into()],
        };
        let words = vec!["the old cellar".into()];
        let (when, effects) = (vec![], vec![]);
        story.topics.push(Topic { actor: key, words, is_told: false, when, answer: 0, effects });
        let words = Words::new(Arc::new(story));
        let get = |w: &str| words.word(words.find(hash_word(w))).cloned();
        let sets = |w: &str| get(w).map(|w| (w.any, w.noun, w.plural));
        let (of_key, of_knife, none) = (Set::one(key), Set::one(knife), Set::EMPTY);
        assert_eq!(sets("brass"), Some((of_key, none, none)));
        assert_eq!(sets("key"), Some((of_key, of_key, none)));
        assert_eq!(sets("keys"), Some((none, none, of_key)));
        assert_eq!(sets("cooks"), Some((of_knife, none, none)));
        assert_eq!(sets("bread"), Some((of_knife, none, none)));
        assert_eq!(sets("knives"), Some((none, none, of_knife)));
        assert_eq!(sets("blade"), Some((of_knife, of_knife, none)));
        assert_eq!((get("old").map(|w| w.topics), get("the").is_none()), (Some(1), true));
        let phrase = ["old", "cellar"].iter().fold(FNV_START, |h, w| hash_phrase(h, hash_word(w)));
        assert!(words.is_topic_phrase(0, phrase) && !words.is_topic_phrase(0, hash_word("cellar")));
        assert!(get("bras").is_none());
    }

    #[test]
    fn tables_find_what_was_put_in() {
        let mut table = Table::default();
        assert_eq!(table.get(7), None);
        // All in one place of the table, so that they move on.
        let keys: Vec<u64> = (0..500).map(|i| i << 32).collect();
        keys.iter().enumerate().for_each(|(i, k)| table.insert(*k, i as u16));
        assert!(keys.iter().enumerate().all(|(i, k)| table.get(*k) == Some(i as u16)));
        assert_eq!(table.get(1), None);
    }
}
