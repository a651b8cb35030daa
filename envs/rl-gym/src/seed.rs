//! Seeds as a tree: a root, a lane and an episode number name one stream, whatever thread runs it.

use crate::rng::Pcg64;
use serde::{Deserialize, Serialize};
use std::fmt;

const POOL: usize = 4;
const MAX_KEY: usize = 4;
const INIT_A: u32 = 0x43b0_d7e5;
const MULT_A: u32 = 0x931e_8875;
const INIT_B: u32 = 0x8b51_f9dd;
const MULT_B: u32 = 0x58f3_8ded;
const MIX_L: u32 = 0xca01_f9dd;
const MIX_R: u32 = 0x4973_f715;

/// Entropy and a path below it; hashes to generator states exactly as `numpy.random.SeedSequence` does.
///
/// Plain data of 28 bytes; making one costs nothing, [`SeedSequence::pool`] does the hashing.
/// # Source
/// M. E. O'Neill, "Developing a seed_seq alternative"; NumPy's documentation of `SeedSequence`. Checked
/// bit for bit against recorded NumPy output in `tests/numpy.rs`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SeedSequence {
    entropy: u64,
    key: [u32; MAX_KEY],
    depth: u8,
}

impl SeedSequence {
    /// The root sequence of `entropy`, as `SeedSequence(entropy)` in NumPy.
    pub const fn new(entropy: u64) -> Self {
        Self { entropy, key: [0; MAX_KEY], depth: 0 }
    }

    /// The child number `key`; the same as NumPy's `SeedSequence(entropy, spawn_key=(.., key))`.
    ///
    /// # Panics
    /// Below a depth of four, which no part of Agon reaches.
    #[must_use]
    pub const fn child(mut self, key: u32) -> Self {
        assert!((self.depth as usize) < MAX_KEY, "a seed path has at most four parts below its root");
        self.key[self.depth as usize] = key;
        self.depth += 1;
        self
    }

    /// The root that this path starts from.
    pub const fn entropy(&self) -> u64 {
        self.entropy
    }

    /// The path below the root.
    pub fn path(&self) -> &[u32] {
        &self.key[..usize::from(self.depth)]
    }

    /// The mixed pool of four words.
    pub fn pool(&self) -> [u32; POOL] {
        let low = self.entropy as u32;
        let high = (self.entropy >> 32) as u32;
        let mut constant = INIT_A;
        let mut hash = |mut value: u32| {
            value ^= constant;
            constant = constant.wrapping_mul(MULT_A);
            value = value.wrapping_mul(constant);
            value ^ (value >> 16)
        };
        let mix = |x: u32, y: u32| {
            let r = MIX_L.wrapping_mul(x).wrapping_sub(MIX_R.wrapping_mul(y));
            r ^ (r >> 16)
        };
        let mut pool = [hash(low), hash(high), hash(0), hash(0)];
        for src in 0..POOL {
            for dst in 0..POOL {
                if src != dst {
                    pool[dst] = mix(pool[dst], hash(pool[src]));
                }
            }
        }
        for &word in self.path() {
            for slot in &mut pool {
                *slot = mix(*slot, hash(word));
            }
        }
        pool
    }

    /// Fills `out` with the words that seed a generator (`generate_state` with 32-bit words).
    pub fn generate(&self, out: &mut [u32]) {
        let pool = self.pool();
        let mut constant = INIT_B;
        for (i, word) in out.iter_mut().enumerate() {
            let mut value = pool[i % POOL] ^ constant;
            constant = constant.wrapping_mul(MULT_B);
            value = value.wrapping_mul(constant);
            *word = value ^ (value >> 16);
        }
    }

    /// A fresh generator of this path, equal to NumPy's `PCG64(SeedSequence(..))`.
    pub fn rng(&self) -> Pcg64 {
        let mut w = [0u32; 8];
        self.generate(&mut w);
        let u64_at = |i: usize| u128::from(w[2 * i]) | (u128::from(w[2 * i + 1]) << 32);
        Pcg64::from_parts((u64_at(0) << 64) | u64_at(1), (u64_at(2) << 64) | u64_at(3))
    }
}

impl fmt::Display for SeedSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.entropy)?;
        self.path().iter().try_for_each(|k| write!(f, "/{k}"))
    }
}

/// What a reset does to the environment's generator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum EpisodeSeed {
    /// Start the stream of this path anew. The default everywhere: an episode depends on nothing before it.
    Fresh(SeedSequence),
    /// Go on with the generator as it is, as Gymnasium does after the first reset. For parity tests;
    /// the episode then depends on all before it.
    Continue,
}

impl EpisodeSeed {
    /// The stream of episode `episode` of lane `lane` under `root`.
    pub const fn tree(root: u64, lane: u32, episode: u32) -> Self {
        Self::Fresh(SeedSequence::new(root).child(lane).child(episode))
    }

    /// The stream that Gymnasium's `reset(seed=seed)` starts.
    pub const fn plain(seed: u64) -> Self {
        Self::Fresh(SeedSequence::new(seed))
    }

    /// Applies the seed to `rng`.
    pub fn apply(&self, rng: &mut Pcg64) {
        if let Self::Fresh(sequence) = self {
            *rng = sequence.rng();
        }
    }
}

impl fmt::Display for EpisodeSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fresh(s) => s.fmt(f),
            Self::Continue => f.write_str("continued"),
        }
    }
}
