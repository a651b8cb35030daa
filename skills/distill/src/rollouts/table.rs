//! Rows of features of arguments, each different one stored once.

use rl_gym::Vocabulary;
use std::collections::HashMap;

/// Rows by kind of argument. An entity that stays as it is costs nothing at its second decision.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    kinds: Vec<KindRows>,
}

#[derive(Debug, Default)]
struct KindRows {
    width: usize,
    values: Vec<f32>,
    /// Looked up, never walked: its order is nobody's concern.
    at: HashMap<Vec<u32>, u32>,
}

impl Rows {
    pub(crate) fn new(words: &dyn Vocabulary) -> Self {
        let kinds = words.kinds().iter();
        Self { kinds: kinds.map(|k| KindRows { width: k.features.len(), ..KindRows::default() }).collect() }
    }

    /// The number of a row, which is stored if it is new.
    pub(crate) fn intern(&mut self, kind: usize, row: &[f32]) -> u32 {
        let table = &mut self.kinds[kind];
        let key: Vec<u32> = row.iter().map(|x| x.to_bits()).collect();
        if let Some(id) = table.at.get(&key) {
            return *id;
        }
        let id = table.at.len() as u32;
        table.values.extend_from_slice(row);
        table.at.insert(key, id);
        id
    }

    /// Row number `id` of a kind.
    pub(crate) fn row(&self, kind: usize, id: u32) -> &[f32] {
        let table = &self.kinds[kind];
        &table.values[id as usize * table.width..(id as usize + 1) * table.width]
    }

    /// Different rows of all kinds.
    pub(crate) fn len(&self) -> usize {
        self.kinds.iter().map(|k| k.at.len()).sum()
    }
}
