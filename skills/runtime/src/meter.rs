//! The budget of safepoints: once spent, every further safepoint fails, so that no `pcall` outlives it.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// Counts safepoints. Shared with the interrupt of the machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter(Arc<Counters>);

#[derive(Debug, Default)]
struct Counters {
    used: AtomicU64,
    limit: AtomicU64,
}

impl Meter {
    /// Counts `n` safepoints; false once the budget is spent.
    #[inline]
    pub(crate) fn spend(&self, n: u64) -> bool {
        let used = self.0.used.load(Ordering::Relaxed).saturating_add(n);
        self.0.used.store(used, Ordering::Relaxed);
        used <= self.0.limit.load(Ordering::Relaxed)
    }

    /// Allows `limit` safepoints from now on.
    pub(crate) fn allow(&self, limit: u64) {
        self.0.used.store(0, Ordering::Relaxed);
        self.0.limit.store(limit, Ordering::Relaxed);
    }

    /// Safepoints since the last [`Meter::allow`].
    pub(crate) fn used(&self) -> u64 {
        self.0.used.load(Ordering::Relaxed)
    }

    /// Whether more was asked for than allowed.
    pub(crate) fn is_spent(&self) -> bool {
        self.used() > self.0.limit.load(Ordering::Relaxed)
    }
}
