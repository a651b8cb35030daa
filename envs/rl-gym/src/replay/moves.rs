//! The choices of an episode and nothing else, in as few bytes as they are worth: for whoever keeps every game.
//!
//! Nature's moves and states are not kept: the same seed under the same rules gives them again. A choice is kept as
//! a share among the legal ones, and forced ones cost nothing. A hash of the last state proves at the end of
//! playing again that everything was the same.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0 | format, now 1 |
//! | 1..5 | first bytes of the BLAKE3 hash of game, seed and all bytes from 5 on |
//! | then | env steps times 4, plus 2 with a state hash, plus 1 with an illegal step; seven bits a byte |
//! | then | first 4 bytes of the last state's hash, if any |
//! | then | length and actions of an illegal last step, if any |
//! | rest | the choices, range coded |

use super::{
    habits::{Habits, read_even, write_even},
    pack::{self, Unpack},
    range::{Decoder, Encoder},
};
use crate::{
    batch::{Actions, Batch, BatchEnv},
    bits::Bits,
    error::GymError,
    flags::Flags,
    seed::EpisodeSeed,
    space::Space,
};

const FORMAT: u8 = 1;
const HEADER: usize = 5;
/// Unmasked discrete choices up to this size are weighted by habit; in larger ones hardly any comes twice.
const HABITUAL: usize = 1 << 12;
/// Masked choices up to this size are weighted: the weights of all actions must not reach the coder's limit.
const WIDEST: usize = 1 << 16;

fn checksum(game: &str, seed: EpisodeSeed, payload: &[u8]) -> [u8; 4] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(game.as_bytes());
    if let EpisodeSeed::Fresh(seed) = seed {
        hasher.update(&seed.entropy().to_le_bytes());
        seed.path().iter().for_each(|key| _ = hasher.update(&key.to_le_bytes()));
    }
    let mut first = [0; 4];
    first.copy_from_slice(&hasher.update(payload).finalize().as_bytes()[..4]);
    first
}

/// Notes the choices of one episode after another of one lane. Once warm it allocates the finished bytes alone.
///
/// [`MoveRecorder::begin`] at the start of an episode, [`MoveRecorder::before_step`] with the actions of every step,
/// [`MoveRecorder::finish`] at the end. An illegal action must end the episode (`OnIllegal::Forfeit`).
#[derive(Debug)]
pub struct MoveRecorder {
    steps: u32,
    habits: Habits,
    coder: Encoder,
    /// A mask of all actions, for games without masks.
    all: Vec<u64>,
    /// Actions of the last step when one of them is illegal.
    illegal: Vec<u8>,
}

impl MoveRecorder {
    /// A recorder for episodes of a game with these actions.
    pub fn new(action: &Space) -> Self {
        Self {
            steps: 0,
            habits: Habits::default(),
            coder: Encoder::new(),
            all: all_of(action),
            illegal: Vec::new(),
        }
    }

    /// Begins an episode.
    pub fn begin(&mut self, action: &Space) {
        self.steps = 0;
        self.habits.begin(habitual(action));
        self.coder.begin();
        self.illegal.clear();
    }

    /// Notes the actions of the acting seats of `lane`, as written for the step to come.
    #[inline]
    pub fn before_step(&mut self, lane: usize, view: &Batch<'_>, actions: &mut Actions<'_>) {
        let (seats, action) = (view.shape().seats, &view.spec().action);
        let rows = || (lane * seats..(lane + 1) * seats).filter(|r| view.flags(*r).contains(Flags::TO_ACT));
        debug_assert!(self.illegal.is_empty(), "the episode goes on after an illegal action");
        self.steps += 1;
        for row in rows() {
            if !self.note(action, view.mask(row), actions.row_mut(row)) {
                // All of this step is kept as it is: what its earlier seats have noted is never read.
                self.illegal.clear();
                rows().for_each(|row| pack::push_action(&mut self.illegal, action, actions.row_mut(row)));
                return;
            }
        }
    }

    /// Notes one action row; false for an illegal one.
    #[inline]
    fn note(&mut self, action: &Space, mask: Bits<'_>, row: &[u8]) -> bool {
        match action {
            Space::Discrete { n } => {
                let choice: u32 = bytemuck::pod_read_unaligned(row);
                match legal(mask, &self.all) {
                    Some(legal) => self.habits.write(legal, choice as usize, &mut self.coder),
                    None if choice < *n => {
                        write_even(choice, *n, &mut self.coder);
                        true
                    }
                    None => false,
                }
            }
            Space::MultiDiscrete { n } => {
                let mut first = 0;
                let parts = row.chunks_exact(4).map(bytemuck::pod_read_unaligned::<u32>);
                parts.zip(n).all(|(choice, n)| {
                    let allowed = choice < *n && (mask.is_empty() || mask.get(first + choice as usize));
                    first += *n as usize;
                    if allowed {
                        write_even(choice, *n, &mut self.coder);
                    }
                    allowed
                })
            }
            // Whatever the bytes say, they are what was played.
            Space::Fields { .. } => {
                row.iter().for_each(|byte| write_even(u32::from(*byte), 256, &mut self.coder));
                true
            }
        }
    }

    /// The bytes of the episode of `game` (`name-vN`) from `seed`, to the step noted last. `state` is the hash of
    /// the state after it, where the game offers one.
    pub fn finish(&mut self, game: &str, seed: EpisodeSeed, state: Option<u64>) -> Vec<u8> {
        let coded = self.coder.finish();
        let mut bytes = Vec::with_capacity(HEADER + 14 + self.illegal.len() + coded.len());
        bytes.extend_from_slice(&[FORMAT, 0, 0, 0, 0]);
        let marks = 2 * u64::from(state.is_some()) + u64::from(!self.illegal.is_empty());
        pack::push_varint(&mut bytes, 4 * u64::from(self.steps) + marks);
        if let Some(state) = state {
            bytes.extend_from_slice(&state.to_le_bytes()[..4]);
        }
        if !self.illegal.is_empty() {
            pack::push_varint(&mut bytes, self.illegal.len() as u64);
            bytes.extend_from_slice(&self.illegal);
        }
        bytes.extend_from_slice(coded);
        let sum = checksum(game, seed, &bytes[HEADER..]);
        bytes[1..HEADER].copy_from_slice(&sum);
        bytes
    }
}

/// The actions that are weighted by habit.
fn habitual(action: &Space) -> usize {
    match action {
        Space::Discrete { n } => *n as usize,
        Space::MultiDiscrete { .. } | Space::Fields { .. } => 0,
    }
}

/// A mask of all actions of a small discrete space.
fn all_of(action: &Space) -> Vec<u64> {
    let bits = habitual(action);
    if bits > HABITUAL {
        return Vec::new();
    }
    let mut words = vec![0; crate::bits::words_for(bits)];
    crate::bits::BitsMut::new(&mut words, bits).fill(true);
    words
}

/// The legal actions as bits, the row's own or all; `None` where they are too many to weigh.
fn legal<'a>(mask: Bits<'a>, all: &'a [u64]) -> Option<Bits<'a>> {
    if mask.len() > WIDEST {
        return None;
    }
    if !mask.is_empty() {
        return Some(mask);
    }
    (!all.is_empty()).then(|| Bits::new(all, all.len() * 64))
}

/// The recorded choices of one episode, checked to be whole and to belong to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moves {
    steps: u32,
    state: Option<[u8; 4]>,
    illegal: Vec<u8>,
    coded: Vec<u8>,
}

impl Moves {
    /// Reads what [`MoveRecorder::finish`] gave for an episode of `game` (`name-vN`) from `seed`; `what` names it in
    /// errors.
    ///
    /// # Errors
    /// [`GymError::Corrupt`], which says what is wrong with the bytes.
    pub fn load(bytes: &[u8], what: &str, game: &str, seed: EpisodeSeed) -> Result<Self, GymError> {
        let corrupt = |why: String| GymError::Corrupt { what: what.into(), why };
        match bytes.first() {
            None => return Err(corrupt("there is not one byte of it; restore the store from a copy".into())),
            Some(&FORMAT) => {}
            Some(format) => {
                return Err(corrupt(format!(
                    "its moves have format {format}, this build reads {FORMAT}; use a build that knows format {format}"
                )));
            }
        }
        let (header, payload) = bytes.split_at_checked(HEADER).ok_or_else(|| {
            let len = bytes.len();
            corrupt(format!("its moves end inside the header, after {len} of {HEADER} bytes; restore the store from a copy"))
        })?;
        if header[1..] != checksum(game, seed, payload) {
            return Err(corrupt(format!(
                "its {} bytes of moves do not match their checksum: they were changed or cut, or are those of another \
                 match; restore the store from a copy",
                bytes.len()
            )));
        }
        Self::parse(payload).ok_or_else(|| corrupt("its moves have no sound beginning".into()))
    }

    fn parse(payload: &[u8]) -> Option<Self> {
        let mut unpack = Unpack(payload);
        let marks = unpack.varint64()?;
        let mut state = None;
        if marks & 2 != 0 {
            state = Some(*unpack.0.split_off(..4)?.first_chunk()?);
        }
        let mut illegal: &[u8] = &[];
        if marks & 1 != 0 {
            let length = unpack.varint64()?;
            illegal = unpack.0.split_off(..usize::try_from(length).ok()?)?;
        }
        let steps = u32::try_from(marks >> 2).ok()?;
        Some(Self { steps, state, illegal: illegal.into(), coded: unpack.0.into() })
    }

    /// Env steps.
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// Begins to play the episode again on lane `lane` of a batch, which must just have been reset to the episode's
    /// seed. The batch must not reset the lane by itself, and treat illegal actions as the recorded one did.
    pub fn reader<'a>(&'a self, what: &'a str, lane: usize, batch: &dyn BatchEnv) -> MoveReader<'a> {
        let action = batch.spec().action.clone();
        let mut habits = Habits::default();
        habits.begin(habitual(&action));
        MoveReader {
            moves: self,
            what,
            lane,
            done: 0,
            habits,
            decoder: Decoder::new(&self.coded),
            all: all_of(&action),
            action,
        }
    }
}

/// Plays recorded choices again: [`MoveReader::act`] before every step of the batch, until it says that all are made;
/// then [`MoveReader::check_end`].
#[derive(Debug)]
pub struct MoveReader<'a> {
    moves: &'a Moves,
    what: &'a str,
    lane: usize,
    done: u32,
    habits: Habits,
    decoder: Decoder<'a>,
    all: Vec<u64>,
    action: Space,
}

impl MoveReader<'_> {
    fn corrupt(&self, why: String) -> GymError {
        GymError::Corrupt { what: self.what.into(), why }
    }

    /// Writes the actions of the next step; false when all steps are made.
    ///
    /// # Errors
    /// When nobody is to act although choices are left: the game goes another way than it went.
    pub fn act(&mut self, batch: &mut dyn BatchEnv) -> Result<bool, GymError> {
        if self.done == self.moves.steps {
            return Ok(false);
        }
        let (view, mut actions) = batch.parts();
        let seats = view.shape().seats;
        let rows = self.lane * seats..(self.lane + 1) * seats;
        if rows.clone().all(|row| !view.flags(row).contains(Flags::ALIVE)) {
            return Err(self.corrupt(format!(
                "the game is over after {} of its {} steps: it goes another way under the rules of this build",
                self.done, self.moves.steps
            )));
        }
        self.done += 1;
        let refused = self.done == self.moves.steps && !self.moves.illegal.is_empty();
        let mut kept = Unpack(&self.moves.illegal);
        for row in rows.filter(|row| view.flags(*row).contains(Flags::TO_ACT)) {
            let into = actions.row_mut(row);
            let read =
                if refused { kept.action(&self.action, into) } else { self.read(view.mask(row), into) };
            read.ok_or_else(|| self.corrupt(format!("it holds no action for step {}", self.done)))?;
        }
        Ok(true)
    }

    /// Reads one action row; `None` where nothing is legal.
    fn read(&mut self, mask: Bits<'_>, row: &mut [u8]) -> Option<()> {
        match &self.action {
            Space::Discrete { n } => {
                let choice = match legal(mask, &self.all) {
                    Some(legal) => self.habits.read(legal, &mut self.decoder)? as u32,
                    None => read_even(*n, &mut self.decoder),
                };
                row.copy_from_slice(&choice.to_ne_bytes());
            }
            Space::MultiDiscrete { n } => {
                for (part, n) in row.chunks_exact_mut(4).zip(n) {
                    part.copy_from_slice(&read_even(*n, &mut self.decoder).to_ne_bytes());
                }
            }
            Space::Fields { .. } => {
                row.iter_mut().for_each(|byte| *byte = read_even(256, &mut self.decoder) as u8);
            }
        }
        Some(())
    }

    /// Compares the state after the last step with the recorded one.
    ///
    /// # Errors
    /// When they differ: the game went another way than it went.
    pub fn check_end(&self, batch: &mut dyn BatchEnv) -> Result<(), GymError> {
        let ours = batch.env(self.lane).state_hash();
        if let (Some(theirs), Some(ours)) = (self.moves.state, ours)
            && ours.to_le_bytes()[..4] != theirs
        {
            let (ours, theirs) = (ours as u32, u32::from_le_bytes(theirs));
            return Err(self.corrupt(format!(
                "after {} steps the state's hash is {ours:08x}, recorded is {theirs:08x}: it goes another way under \
                 the rules of this build",
                self.done
            )));
        }
        Ok(())
    }
}
