//! A duel with hidden numbers and a die: honest, or broken in one way by its option `flaw`.

use rl_gym::{
    BitsMut, Chance, Dtype, DynSnapshot, Dynamics, Env, EpisodeSeed, Fault, Field, Flags, Game, Information,
    Luck, OptionDef, Options, Outcome, ParseError, Pcg64, Placing, Resample, Snapshot, Space, Spec, TextEnv,
    Utility,
};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::atomic::{AtomicU32, Ordering},
};

/// Moves of an episode.
const MOVES: u8 = 10;
/// Chance of each face of the die.
const DIE: [f64; 3] = [0.5, 0.25, 0.25];
/// Shared by all environments of the process: what no honest environment has.
static GLOBAL: AtomicU32 = AtomicU32::new(0);

macro_rules! flaws {
    ($($name:ident),* $(,)?) => {
        /// One way in which an environment can be wrong.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Flaw { $($name),* }
        impl Flaw {
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

flaws! {
    Honest, BadBounds, NoActions, DriftingSpec, WrongVersion, ChanceUndeclared, Panics, PanicsInObserve,
    PanicsInReset, Fails, Endless, Stuck, GlobalState, Leaks, IgnoresSeed, OutsideSpace, PartialRow,
    PartialMask, EmptyMask, MaskTail, ActsDead, BothAct, AliveAndEnded, Vanishes, RefusesLegal,
    AcceptsIllegal, PunishesIllegal, RollsOnIllegal, ReadsOtherRows, RewardTooLarge, RewardNan, NotZeroSum,
    NoRanks, EarlyRanks, RanksFromOne, PartialRanks, ForgetsGenerator, SavesNothing, ConstantHash,
    ImprobableDie, HidesDraws, TakesAnyOutcome, ShowsAnotherHand, ResamplesNothing, TwinNames, ParsesWrong,
    Nameless, Rambles, KnowsItsThread, CountsLooks, Allocates,
}

/// The game; option `flaw` is an index into [`Flaw::ALL`], 0 is honest.
pub fn duel() -> Game {
    let flaws = Flaw::ALL.len() as i64;
    Game {
        name: "duel",
        version: 1,
        summary: "hidden numbers and a die",
        options: vec![OptionDef::int("flaw", 0, 0, flaws - 1, "what is wrong with it")],
        make: |options| Ok(Box::new(Duel::new(options))),
        bots: Vec::new(),
        genome: None,
        traces: None,
        vocabulary: None,
    }
}

/// Options of the duel with this flaw.
pub fn options(flaw: Flaw) -> Options {
    duel().resolve([("flaw", (flaw as usize).to_string().as_str())]).expect("a listed flaw")
}

#[derive(Clone, PartialEq, Hash, Debug, Default)]
struct State {
    secret: [u8; 2],
    lead: i32,
    last: Option<u8>,
    moves: u8,
    /// Action whose die is still to be rolled.
    pending: Option<u8>,
    rng: Pcg64,
}

struct Duel {
    flaw: Flaw,
    state: State,
    explicit: bool,
    drawn: Vec<u32>,
    looks: AtomicU32,
    spec: Spec,
}

fn spec(flaw: Flaw) -> Spec {
    let high = if flaw == Flaw::BadBounds { -50.0 } else { 20.0 };
    let drift = if flaw == Flaw::DriftingSpec { GLOBAL.fetch_add(1, Ordering::Relaxed) } else { 0 };
    Spec {
        game: "duel".into(),
        version: if flaw == Flaw::WrongVersion { 2 } else { 1 },
        seats: 2,
        obs: Space::Fields {
            dtype: Dtype::F32,
            fields: vec![
                Field::new("secret", &[4], 0.0, 1.0, "the viewer's number, one-hot"),
                Field::new("last", &[5], 0.0, 1.0, "the last action, one-hot"),
                Field::new("lead", &[], -20.0, high, "points ahead of the rival"),
                Field::new("moves", &[], 0.0, 1.0, "moves made / 10"),
            ],
        },
        action: Space::Discrete { n: if flaw == Flaw::NoActions { 0 } else { 5 } },
        masked: true,
        dynamics: Dynamics::TurnBased,
        information: Information::Imperfect,
        luck: if flaw == Flaw::ChanceUndeclared { Luck::Sampled } else { Luck::Explicit },
        utility: Utility::ZeroSum,
        placing: Placing::Full,
        reward: (-2.0, 2.0),
        metrics: vec!["moves".into()],
        max_steps: (drift > 0).then_some(1000 + drift),
    }
}

impl Duel {
    fn new(options: &Options) -> Self {
        let flaw = Flaw::ALL[options.int("flaw") as usize];
        Self {
            flaw,
            state: State::default(),
            explicit: false,
            drawn: Vec::with_capacity(4),
            looks: AtomicU32::new(0),
            spec: spec(flaw),
        }
    }

    fn is(&self, flaw: Flaw) -> bool {
        self.flaw == flaw
    }

    fn seat(&self) -> usize {
        usize::from(self.state.moves % 2)
    }

    fn over(&self) -> bool {
        self.state.moves >= MOVES && !self.is(Flaw::Endless)
    }

    fn legal(&self, action: u32) -> bool {
        action < 5 && self.state.last.map(u32::from) != Some(action)
    }

    fn signal(&self, out: &mut Outcome<'_>) {
        let moves = self.state.moves;
        out.metrics[0] = f32::from(moves);
        if self.over() {
            out.terminate();
            if self.is(Flaw::AliveAndEnded) {
                out.flags[0] |= Flags::ALIVE;
            }
            return;
        }
        if self.state.pending.is_some() || self.is(Flaw::Stuck) && moves == 6 {
            out.flags.fill(Flags::ALIVE);
            return;
        }
        out.turn(self.seat());
        match self.flaw {
            Flaw::ActsDead if moves == 3 => out.flags[self.seat()] = Flags::TO_ACT,
            Flaw::BothAct if moves == 3 => out.everyone(),
            Flaw::Vanishes if moves > 3 => out.flags[1 - self.seat()] = Flags::empty(),
            _ => {}
        }
    }

    /// Ends a move with the die's face.
    fn roll(&mut self, face: u32, out: &mut Outcome<'_>) {
        let (Some(action), seat) = (self.state.pending.take(), self.seat()) else { return };
        let mut gain = if (action + self.state.secret[seat]).is_multiple_of(2) { face as i32 } else { 0 };
        if self.is(Flaw::KnowsItsThread)
            && std::thread::current().name().is_some_and(|name| name.starts_with("batch-"))
        {
            gain = 0;
        }
        let sign = if seat == 0 { 1 } else { -1 };
        self.state.lead += sign * gain;
        self.state.moves += u8::from(self.state.moves < 200);
        if !self.is(Flaw::HidesDraws) {
            self.drawn.push(face);
        }
        out.reward[seat] = gain as f32;
        out.reward[1 - seat] = -gain as f32;
        match self.flaw {
            Flaw::RewardTooLarge if gain == 2 => (out.reward[seat], out.reward[1 - seat]) = (9.0, -9.0),
            Flaw::RewardNan if gain == 2 => out.reward.fill(f32::NAN),
            Flaw::NotZeroSum if gain == 2 => out.reward[1 - seat] = 0.0,
            _ => {}
        }
        self.signal(out);
    }
}

impl Env for Duel {
    type Obs = f32;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        assert!(
            !self.is(Flaw::PanicsInReset) || self.state.moves == 0,
            "reset after {} moves",
            self.state.moves
        );
        let mut rng = self.state.rng;
        seed.apply(&mut rng);
        if self.is(Flaw::IgnoresSeed) {
            rng = Pcg64::seed(1);
        }
        let last = if self.is(Flaw::Leaks) { self.state.last } else { None };
        let mut secret = [rng.below(4) as u8, rng.below(4) as u8];
        if self.is(Flaw::GlobalState) {
            secret[0] = (GLOBAL.fetch_add(1, Ordering::Relaxed) % 4) as u8;
        }
        self.state = State { secret, last, rng, ..State::default() };
        self.drawn.clear();
        self.signal(&mut out);
        Ok(())
    }

    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        self.drawn.clear();
        let seat = self.seat();
        if self.over() || self.state.pending.is_some() {
            self.signal(&mut out);
            return Ok(());
        }
        let action = acts[seat];
        let takes = self.is(Flaw::AcceptsIllegal) && action < 5;
        if !self.legal(action) && !takes || self.is(Flaw::RefusesLegal) && action == 3 {
            self.signal(&mut out);
            out.refuse(seat);
            match self.flaw {
                Flaw::PunishesIllegal => out.reward.copy_from_slice(&[-1.0, 1.0]),
                Flaw::RollsOnIllegal => _ = self.state.rng.next_u64(),
                _ => {}
            }
            return Ok(());
        }
        assert!(!self.is(Flaw::Panics) || self.state.moves < 5, "move {} is too much", self.state.moves);
        if self.is(Flaw::Fails) && self.state.moves == 5 {
            return Err(Fault::new("the die fell off the table"));
        }
        if self.is(Flaw::ReadsOtherRows) && acts[1 - seat].is_multiple_of(2) {
            self.state.secret[1 - seat] ^= 1;
        }
        if self.is(Flaw::Allocates) {
            self.drawn = Vec::with_capacity(4);
        }
        self.state.last = Some(action as u8);
        self.state.pending = Some(action as u8);
        if self.explicit {
            self.signal(&mut out);
        } else {
            let face = self.state.rng.weighted(&DIE) as u32;
            self.roll(face, &mut out);
        }
        Ok(())
    }

    fn observe(&self, seat: usize, obs: &mut [f32], mut mask: BitsMut<'_>) {
        assert!(!self.is(Flaw::PanicsInObserve) || self.state.moves < 5, "nothing to see");
        self.looks.fetch_add(1, Ordering::Relaxed);
        let moves = obs[10];
        obs.fill(0.0);
        obs[usize::from(self.state.secret[seat])] = 1.0;
        if let Some(last) = self.state.last {
            obs[4 + usize::from(last)] = 1.0;
        }
        let lead = if seat == 0 { self.state.lead } else { -self.state.lead };
        obs[9] = lead as f32 * if self.is(Flaw::OutsideSpace) { 100.0 } else { 1.0 };
        obs[10] = if self.is(Flaw::PartialRow) {
            moves
        } else {
            f32::from(self.state.moves.min(MOVES)) / f32::from(MOVES)
        };
        if self.is(Flaw::EmptyMask) && self.state.moves == 7 {
            mask.fill(false);
            return;
        }
        for action in 0..5 {
            let legal = self.legal(action);
            if legal || !self.is(Flaw::PartialMask) {
                mask.set(action as usize, legal);
            }
        }
        if self.is(Flaw::MaskTail) {
            let bits = mask.as_bits().words()[0];
            mask.copy_from(&[bits | 1 << 40]);
        }
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        let lead = self.state.lead;
        let best = u8::from(self.is(Flaw::RanksFromOne));
        ranks[0] = best + u8::from(lead < 0);
        if !self.is(Flaw::PartialRanks) {
            ranks[1] = best + u8::from(lead > 0);
        }
        (self.over() || self.is(Flaw::EarlyRanks)) && !self.is(Flaw::NoRanks)
    }

    fn state_hash(&self) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        if !self.is(Flaw::ConstantHash) {
            self.state.hash(&mut hasher);
        }
        if self.is(Flaw::CountsLooks) {
            self.looks.load(Ordering::Relaxed).hash(&mut hasher);
        }
        Some(hasher.finish())
    }

    fn as_snapshot(&mut self) -> Option<&mut dyn DynSnapshot> {
        Some(self)
    }

    fn as_chance(&mut self) -> Option<&mut dyn Chance> {
        Some(self)
    }

    fn as_resample(&mut self) -> Option<&mut dyn Resample> {
        Some(self)
    }

    fn as_text(&self) -> Option<&dyn TextEnv> {
        Some(self)
    }
}

impl Snapshot for Duel {
    type State = Saved;

    fn save(&self) -> Self::State {
        Saved(self.state.clone())
    }

    fn save_into(&self, state: &mut Self::State) {
        if !self.is(Flaw::SavesNothing) {
            *state = self.save();
        }
    }

    fn load(&mut self, state: &Self::State) {
        let rng = self.state.rng;
        self.state = state.0.clone();
        if self.is(Flaw::ForgetsGenerator) {
            self.state.rng = rng;
        }
        self.drawn.clear();
    }
}

/// The saved state, opaque.
#[derive(Clone)]
pub struct Saved(State);

impl Chance for Duel {
    fn set_explicit(&mut self, explicit: bool) {
        self.explicit = explicit;
    }

    fn outcomes(&self, outcomes: &mut Vec<(u32, f64)>) -> bool {
        outcomes.clear();
        if self.state.pending.is_none() {
            return false;
        }
        let scale = if self.is(Flaw::ImprobableDie) { 0.9 } else { 1.0 };
        outcomes.extend((0..3).map(|face| (face, DIE[face as usize] * scale)));
        true
    }

    fn apply_outcome(&mut self, outcome: u32, mut out: Outcome<'_>) -> Result<(), Fault> {
        if self.state.pending.is_none() || outcome > 2 && !self.is(Flaw::TakesAnyOutcome) {
            return Err(Fault::new(format!("face {outcome} cannot come now")));
        }
        self.drawn.clear();
        self.roll(outcome.min(2), &mut out);
        Ok(())
    }

    fn drawn(&self) -> &[u32] {
        &self.drawn
    }
}

impl Resample for Duel {
    fn resample(&mut self, viewer: usize, rng: &mut Pcg64) {
        if self.is(Flaw::ResamplesNothing) {
            return;
        }
        let hidden = if self.is(Flaw::ShowsAnotherHand) { viewer } else { 1 - viewer };
        self.state.secret[hidden] = rng.below(4) as u8;
        self.state.rng = Pcg64::seed(rng.next_u64());
    }
}

impl TextEnv for Duel {
    fn observe_text(&self, seat: usize, out: &mut String) {
        out.push_str("Your number is ");
        out.push(char::from(b'0' + self.state.secret[seat]));
        if self.is(Flaw::Rambles) {
            out.push_str(&" and so on".repeat(300));
        }
    }

    fn legal_text(&self, seat: usize, each: &mut dyn FnMut(u32, &str)) {
        if self.over() || self.state.pending.is_some() || seat != self.seat() {
            return;
        }
        for action in (0..5).filter(|&action| self.legal(action)) {
            each(action, &self.name(action));
        }
    }

    fn action_name(&self, action: u32) -> Option<String> {
        (action < 5 && !(self.is(Flaw::Nameless) && action == 4)).then(|| self.name(action))
    }

    fn parse(&self, _seat: usize, text: &str) -> Result<u32, ParseError> {
        let found = (0..5).filter(|&action| self.legal(action)).find(|&action| self.name(action) == text);
        match found {
            Some(action) if self.is(Flaw::ParsesWrong) => Ok((action + 1) % 5),
            Some(action) => Ok(action),
            None => Err(ParseError { text: text.into(), nearest: None, mend: "say stance-N".into() }),
        }
    }
}

impl Duel {
    fn name(&self, action: u32) -> String {
        let action = if self.is(Flaw::TwinNames) { action / 2 } else { action };
        format!("stance-{action}")
    }
}
