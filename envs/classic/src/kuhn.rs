//! Kuhn poker: three cards, one of them hidden from each seat. The smallest game with bluffing.

use crate::common::{Each, parse_name, stable_hash};
use rl_gym::{
    Ask, BitsMut, Bot, Chance, Dtype, DynSnapshot, Dynamics, Env, EpisodeSeed, Fault, Field, Game, Heuristic,
    Information, Luck, Outcome, ParseError, Pcg64, Placing, Resample, Snapshot, Space, Spec, TextEnv,
    Utility,
};

/// Check or fold.
const PASS: u32 = 0;
/// Bet or call.
const BET: u32 = 1;
/// Action names.
const NAMES: [&str; 2] = ["pass", "bet"];
/// Card names, weakest first.
const CARDS: [&str; 3] = ["jack", "queen", "king"];

/// The game as the registry holds it.
pub fn kuhn_poker() -> Game {
    Game {
        name: "kuhn-poker",
        version: 1,
        summary: "one card each out of three, one bet: the smallest game with bluffing",
        options: Vec::new(),
        make: |_| Ok(Box::new(Kuhn::new())),
        bots: vec![Bot {
            name: "equilibrium",
            version: 1,
            summary: "plays a Nash equilibrium: no rival wins more than 1/18 against it on average",
            anchor: true,
            make: |_| {
                let decide = |ask: &mut Ask<'_>| u32::from(ask.rng.unit() < equilibrium_bet(ask.obs_as()));
                Box::new(Each(decide))
            },
        }],
        genome: None,
        traces: None,
        vocabulary: None,
    }
}

/// Probability of betting in the equilibrium whose first seat bluffs as often as it may (alpha = 1/3),
/// from an observation row of the seat to act.
///
/// # Source
/// H. W. Kuhn, "Simplified two-person poker" (1950).
pub fn equilibrium_bet(obs: &[f32]) -> f64 {
    let card = obs[2..5].iter().position(|&x| x > 0.5).unwrap_or(0);
    let bet_before = obs[6] > 0.5 || obs[8] > 0.5;
    match (obs[0] > 0.5, bet_before) {
        (true, false) => [1.0 / 3.0, 0.0, 1.0][card],
        (true, true) => [0.0, 2.0 / 3.0, 1.0][card],
        (false, false) => [1.0 / 3.0, 0.0, 1.0][card],
        (false, true) => [0.0, 1.0 / 3.0, 1.0][card],
    }
}

/// Everything that changes during an episode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Hand {
    cards: [Option<u8>; 2],
    moves: [u8; 3],
    len: u8,
    rng: Pcg64,
}

impl Hand {
    fn moves(&self) -> &[u8] {
        &self.moves[..usize::from(self.len)]
    }

    /// Chips that seat 0 wins, once the betting is over.
    fn result(&self) -> Option<f32> {
        let showdown = if self.cards[0] > self.cards[1] { 1.0 } else { -1.0 };
        match self.moves() {
            [0, 0] => Some(showdown),
            [1, 0] => Some(1.0),
            [0, 1, 0] => Some(-1.0),
            [1, 1] | [0, 1, 1] => Some(2.0 * showdown),
            _ => None,
        }
    }

    /// The seat whose card nature deals next.
    fn undealt(&self) -> Option<usize> {
        self.cards.iter().position(Option::is_none)
    }

    fn acting(&self) -> Option<usize> {
        (self.undealt().is_none() && self.result().is_none()).then_some(usize::from(self.len % 2))
    }

    fn free_cards(&self) -> impl Iterator<Item = u8> + use<> {
        let taken = self.cards;
        (0..3).filter(move |&card| !taken.contains(&Some(card)))
    }
}

/// The environment.
pub struct Kuhn {
    hand: Hand,
    explicit: bool,
    drawn: Vec<u32>,
    spec: Box<Spec>,
}

impl Kuhn {
    /// An environment; reset it before the first step.
    pub fn new() -> Self {
        Self { hand: Hand::default(), explicit: false, drawn: Vec::with_capacity(2), spec: Box::new(spec()) }
    }

    fn signal(&self, out: &mut Outcome<'_>) {
        match (self.hand.acting(), self.hand.result()) {
            (Some(seat), _) => out.turn(seat),
            (None, Some(_)) => out.terminate(),
            (None, None) => out.flags.fill(rl_gym::Flags::ALIVE),
        }
    }

    fn deal(&mut self, seat: usize, card: u8) {
        self.hand.cards[seat] = Some(card);
        self.drawn.push(u32::from(card));
    }
}

impl Default for Kuhn {
    fn default() -> Self {
        Self::new()
    }
}

fn spec() -> Spec {
    let field = |name, shape: &[usize], meaning| Field::new(name, shape, 0.0, 1.0, meaning);
    Spec {
        game: "kuhn-poker".into(),
        version: 1,
        seats: 2,
        obs: Space::Fields {
            dtype: Dtype::F32,
            fields: vec![
                field("seat", &[2], "one-hot: the viewer's seat"),
                field("card", &[3], "one-hot: the viewer's card (jack, queen, king)"),
                field("moves", &[3, 2], "one-hot by move of the hand: pass, bet; zero when not yet made"),
            ],
        },
        action: Space::Discrete { n: 2 },
        masked: true,
        dynamics: Dynamics::TurnBased,
        information: Information::Imperfect,
        luck: Luck::Explicit,
        utility: Utility::ZeroSum,
        placing: Placing::Full,
        reward: (-2.0, 2.0),
        metrics: Vec::new(),
        max_steps: None,
    }
}

/// A card drawn evenly from `free`.
fn pick(free: impl Iterator<Item = u8> + Clone, rng: &mut Pcg64) -> u8 {
    let draw = rng.below(free.clone().count() as u32);
    free.clone().nth(draw as usize).unwrap_or(0)
}

impl Env for Kuhn {
    type Obs = f32;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        seed.apply(&mut self.hand.rng);
        self.hand = Hand { rng: self.hand.rng, ..Hand::default() };
        self.drawn.clear();
        while !self.explicit
            && let Some(seat) = self.hand.undealt()
        {
            let taken = self.hand.cards;
            let free = (0..3u8).filter(|&card| !taken.contains(&Some(card)));
            let card = pick(free, &mut self.hand.rng);
            self.deal(seat, card);
        }
        self.signal(&mut out);
        Ok(())
    }

    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        self.drawn.clear();
        let Some(seat) = self.hand.acting() else {
            self.signal(&mut out);
            return Ok(());
        };
        if acts[seat] > BET {
            self.signal(&mut out);
            out.refuse(seat);
            return Ok(());
        }
        self.hand.moves[usize::from(self.hand.len)] = acts[seat] as u8;
        self.hand.len += 1;
        if let Some(chips) = self.hand.result() {
            out.reward[0] = chips;
            out.reward[1] = -chips;
        }
        self.signal(&mut out);
        Ok(())
    }

    fn observe(&self, seat: usize, obs: &mut [f32], mut mask: BitsMut<'_>) {
        obs.fill(0.0);
        obs[seat] = 1.0;
        if let Some(card) = self.hand.cards[seat] {
            obs[2 + usize::from(card)] = 1.0;
        }
        for (i, &action) in self.hand.moves().iter().enumerate() {
            obs[5 + 2 * i + usize::from(action)] = 1.0;
        }
        mask.fill(true);
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        let Some(chips) = self.hand.result() else { return false };
        ranks.copy_from_slice(if chips > 0.0 { &[0, 1] } else { &[1, 0] });
        true
    }

    fn state_hash(&self) -> Option<u64> {
        Some(stable_hash(&self.hand))
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

    fn as_heuristic(&self) -> Option<&dyn Heuristic> {
        Some(self)
    }
}

impl Heuristic for Kuhn {
    /// Chips won, from -2..=2 to 0..=1; even before the end.
    fn values(&self, values: &mut [f32]) {
        let chips = self.hand.result().unwrap_or(0.0);
        values.copy_from_slice(&[0.5 + chips / 4.0, 0.5 - chips / 4.0]);
    }
}

/// The saved hand, opaque.
#[derive(Clone, Copy, Debug)]
pub struct KuhnState(Hand);

impl Snapshot for Kuhn {
    type State = KuhnState;

    fn save(&self) -> KuhnState {
        KuhnState(self.hand)
    }

    fn load(&mut self, state: &KuhnState) {
        self.hand = state.0;
        self.drawn.clear();
    }
}

impl Chance for Kuhn {
    fn set_explicit(&mut self, explicit: bool) {
        self.explicit = explicit;
    }

    fn outcomes(&self, outcomes: &mut Vec<(u32, f64)>) -> bool {
        outcomes.clear();
        if self.hand.undealt().is_none() {
            return false;
        }
        let chance = 1.0 / self.hand.free_cards().count() as f64;
        outcomes.extend(self.hand.free_cards().map(|card| (u32::from(card), chance)));
        true
    }

    fn apply_outcome(&mut self, outcome: u32, mut out: Outcome<'_>) -> Result<(), Fault> {
        let Some(seat) = self.hand.undealt() else {
            return Err(Fault::new(format!(
                "outcome {outcome} came when no card is to be dealt: step instead"
            )));
        };
        let Some(card) = self.hand.free_cards().find(|&card| u32::from(card) == outcome) else {
            let free: Vec<_> = self.hand.free_cards().collect();
            return Err(Fault::new(format!("card {outcome} cannot be dealt: the deck holds {free:?}")));
        };
        self.drawn.clear();
        self.deal(seat, card);
        self.signal(&mut out);
        Ok(())
    }

    fn drawn(&self) -> &[u32] {
        &self.drawn
    }
}

impl Resample for Kuhn {
    fn resample(&mut self, viewer: usize, rng: &mut Pcg64) {
        let own = self.hand.cards[viewer];
        if self.hand.cards[1 - viewer].is_some() {
            // Betting tells nothing for certain, so every card but the viewer's own agrees with it.
            let free = (0..3u8).filter(|&card| Some(card) != own);
            self.hand.cards[1 - viewer] = Some(pick(free, rng));
        }
        self.hand.rng = Pcg64::from_parts(u128::from(rng.next_u64()), u128::from(rng.next_u64()));
        self.drawn.clear();
    }
}

impl TextEnv for Kuhn {
    fn observe_text(&self, seat: usize, out: &mut String) {
        let card = self.hand.cards[seat].map_or("not dealt yet", |card| CARDS[usize::from(card)]);
        out.push_str("Your card: ");
        out.push_str(card);
        out.push_str(". Ante 1 each, a bet is 1.");
        for (i, &action) in self.hand.moves().iter().enumerate() {
            out.push_str(if i % 2 == seat { " You: " } else { " Rival: " });
            out.push_str(NAMES[usize::from(action)]);
            out.push('.');
        }
    }

    fn legal_text(&self, seat: usize, each: &mut dyn FnMut(u32, &str)) {
        if self.hand.acting() == Some(seat) {
            each(PASS, NAMES[0]);
            each(BET, NAMES[1]);
        }
    }

    fn action_name(&self, action: u32) -> Option<String> {
        NAMES.get(action as usize).map(|&name| name.to_owned())
    }

    fn parse(&self, seat: usize, text: &str) -> Result<u32, ParseError> {
        let mut legal = Vec::new();
        self.legal_text(seat, &mut |action, name| legal.push((action, name.to_owned())));
        parse_name(text, &legal)
    }
}
