//! The memory of states that were met.

/// States that were met, by hash, with the cheapest way to each: open addressing.
#[derive(Default, Debug)]
pub(super) struct Seen {
    table: Vec<(u64, u32)>,
    used: usize,
}

impl Seen {
    pub(super) fn clear(&mut self) {
        self.table.fill((0, 0));
        self.used = 0;
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut at = key as usize & mask;
        while self.table[at].0 != 0 && self.table[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// Whether `hash` is new; it is known from now on.
    pub(super) fn insert(&mut self, hash: u64) -> bool {
        let key = hash.max(1);
        if self.used * 2 >= self.table.len() {
            let bigger = vec![(0, 0); (self.table.len() * 2).max(256)];
            for entry in std::mem::replace(&mut self.table, bigger) {
                if entry.0 != 0 {
                    let at = self.slot(entry.0);
                    self.table[at] = entry;
                }
            }
        }
        let at = self.slot(key);
        let is_new = self.table[at].0 == 0;
        if is_new {
            self.table[at] = (key, 0);
            self.used += 1;
        }
        is_new
    }

    /// The cheapest way to `hash`.
    pub(super) fn cost(&self, hash: u64) -> Option<u32> {
        let entry = self.table[self.slot(hash.max(1))];
        (entry.0 != 0).then_some(entry.1)
    }

    /// Whether `cost` is the cheapest way to `hash` so far; it is remembered then.
    pub(super) fn lower(&mut self, hash: u64, cost: u32) -> bool {
        let is_new = self.insert(hash);
        let at = self.slot(hash.max(1));
        let is_lower = is_new || cost < self.table[at].1;
        if is_lower {
            self.table[at].1 = cost;
        }
        is_lower
    }
}
