//! Finding skills by words: BM25 over name, line of description, tags and what a skill brings about.

use agon_skill::Skill;
use std::collections::BTreeMap;

/// How fast repetitions of a word stop counting. The usual value.
const K1: f64 = 1.2;
/// How much the length of a text counts. The usual value.
const B: f64 = 0.75;

/// The words of a text: runs of letters and digits, small. `_` parts words, since names are `snake_case`.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase)
}

/// An index of skills.
///
/// # Source
/// S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the weight
/// `ln(1 + (N - n + 0.5) / (n + 0.5))` for a word that `n` of `N` texts hold, which is never negative.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// By word: the texts that hold it and how often.
    postings: BTreeMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
}

impl Index {
    /// An index of `skills`, which are numbered in this order.
    pub fn new<'a>(skills: impl IntoIterator<Item = &'a Skill>) -> Self {
        let mut index = Self::default();
        for (i, skill) in skills.into_iter().enumerate() {
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            let effects = skill.contract.effect.iter().map(|l| l.fact.as_str());
            let texts = [skill.name.as_str(), skill.doc.as_str()]
                .into_iter()
                .chain(skill.tags.iter().map(String::as_str))
                .chain(effects);
            texts.flat_map(words).for_each(|word| *counts.entry(word).or_default() += 1.0);
            index.lengths.push(counts.values().sum());
            for (word, count) in counts {
                index.postings.entry(word).or_default().push((i, count));
            }
        }
        index
    }

    /// How well each skill fits `query`, one number a skill; 0 for those that share no word with it.
    pub fn scores(&self, query: &str) -> Vec<f64> {
        let total = self.lengths.len() as f64;
        let mean = (self.lengths.iter().sum::<f64>() / total.max(1.0)).max(1.0);
        let mut scores = vec![0.0; self.lengths.len()];
        let mut asked: Vec<String> = words(query).collect();
        asked.sort();
        asked.dedup();
        for word in asked {
            let Some(found) = self.postings.get(&word) else { continue };
            let holding = found.len() as f64;
            let weight = (1.0 + (total - holding + 0.5) / (holding + 0.5)).ln();
            for (i, count) in found {
                let length = 1.0 - B + B * self.lengths[*i] / mean;
                scores[*i] += weight * count * (K1 + 1.0) / (count + K1 * length);
            }
        }
        scores
    }

    /// The best `count` skills for `query` that share a word with it, best first; of equals the lower number.
    pub fn search(&self, query: &str, count: usize) -> Vec<usize> {
        let scores = self.scores(query);
        let mut found: Vec<usize> = (0..scores.len()).filter(|i| scores[*i] > 0.0).collect();
        found.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        found.truncate(count);
        found
    }
}
