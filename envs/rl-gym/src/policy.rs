//! The deciding side of a step: one call decides for all lanes of a policy.

use crate::{
    batch::{Actions, Batch},
    bits::Bits,
    env::DynEnv,
    error::Fault,
    flags::Flags,
    rng::Pcg64,
};

/// Whoever decides: a scripted bot, a network, a search, a model. Batch-first, so that a network sees one
/// matrix and a remote model one request.
pub trait Policy: Send {
    /// An episode begins in which this policy decides for `row`; forget what was remembered about it.
    ///
    /// Rows are numbers below `lanes * seats`, stable for the whole episode.
    fn begin(&mut self, _row: usize, _seat: usize) {}

    /// Whether this policy searches: it is then asked one row at a time, each with a [`Ask::simulator`]. Must
    /// always answer the same. The others pay nothing.
    fn wants_simulator(&self) -> bool {
        false
    }

    /// Chooses an action for every row that is asked.
    ///
    /// Must depend on the rows, on memory of their own episodes and on their generators only: never on
    /// which other rows share the call. Then results do not depend on batch size or thread count.
    ///
    /// # Errors
    /// A [`Fault`] forfeits every row of the call. To give up a single row use [`Decisions::give_up`].
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault>;
}

/// One decision: what the seat sees, its legal actions, its generator and the action row to fill.
pub struct Ask<'a> {
    /// Row of the batch.
    pub row: usize,
    /// Seat within the environment.
    pub seat: usize,
    /// Observation row.
    pub obs: &'a [u8],
    /// Legal actions; empty without masks.
    pub mask: Bits<'a>,
    /// State of the row.
    pub flags: Flags,
    /// The seat's own generator, seeded by the match.
    pub rng: &'a mut Pcg64,
    /// The action row.
    pub action: &'a mut [u8],
    /// For policies that ask for it: an environment of its own kind that holds this row's state with all that is
    /// hidden from the seat already redrawn. The policy may play on in it, and redraw again.
    pub simulator: Option<&'a mut (dyn DynEnv + 'static)>,
}

impl Ask<'_> {
    /// Chooses a discrete action.
    #[inline]
    pub fn choose(&mut self, action: u32) {
        self.action.copy_from_slice(&action.to_ne_bytes());
    }

    /// Observation elements.
    #[inline]
    pub fn obs_as<T: crate::flags::Row>(&self) -> &[T] {
        bytemuck::cast_slice(self.obs)
    }
}

/// The decisions of one call, over borrowed rows of a batch. Making it allocates nothing.
pub struct Decisions<'a> {
    batch: Batch<'a>,
    actions: Actions<'a>,
    rows: &'a [u32],
    rngs: &'a mut [Pcg64],
    given_up: &'a mut Vec<(u32, Fault)>,
    simulator: Option<&'a mut (dyn DynEnv + 'static)>,
}

impl<'a> Decisions<'a> {
    /// The decisions for `rows` of `batch`. `rngs` holds one generator a row of the whole batch;
    /// rows that the policy cannot answer are added to `given_up`.
    pub const fn new(
        batch: Batch<'a>,
        actions: Actions<'a>,
        rows: &'a [u32],
        rngs: &'a mut [Pcg64],
        given_up: &'a mut Vec<(u32, Fault)>,
    ) -> Self {
        Self { batch, actions, rows, rngs, given_up, simulator: None }
    }

    /// Lends a simulator to the only decision of this call. It must hold the state of that row after
    /// [`crate::Resample::resample`] for its seat: no policy may meet what its seat cannot know.
    #[must_use]
    pub fn with_simulator(mut self, simulator: &'a mut (dyn DynEnv + 'static)) -> Self {
        debug_assert_eq!(self.rows.len(), 1, "a simulator holds the state of one row");
        self.simulator = Some(simulator);
        self
    }

    /// The same call for some of its rows only, to hand on to another policy.
    pub const fn only<'b>(&'b mut self, rows: &'b [u32]) -> Decisions<'b> {
        Decisions {
            batch: self.batch,
            actions: self.actions.reborrow(),
            rows,
            rngs: &mut *self.rngs,
            given_up: &mut *self.given_up,
            simulator: match &mut self.simulator {
                Some(simulator) => Some(&mut **simulator),
                None => None,
            },
        }
    }

    /// How many decisions are asked for.
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether none is asked for.
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The batch behind the rows.
    pub const fn batch(&self) -> Batch<'a> {
        self.batch
    }

    /// Decision number `i`.
    #[inline]
    pub fn ask(&mut self, i: usize) -> Ask<'_> {
        let row = self.rows[i] as usize;
        Ask {
            row,
            seat: row % self.batch.shape().seats,
            obs: self.batch.obs(row),
            mask: self.batch.mask(row),
            flags: self.batch.flags(row),
            rng: &mut self.rngs[row],
            action: self.actions.row_mut(row),
            simulator: self.simulator.as_deref_mut(),
        }
    }

    /// Gives up decision number `i`: its seat forfeits by rule, the others play on.
    pub fn give_up(&mut self, i: usize, why: Fault) {
        self.given_up.push((self.rows[i], why));
    }
}
