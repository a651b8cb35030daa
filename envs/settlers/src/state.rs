//! The whole game as plain data: copied, compared and saved without a heap.

use crate::action::ActionId;
use crate::board::Board;
use crate::chance::{Outcome, Pending};
use crate::counts::{Counts, DevCard, Resource};
use crate::mask::LegalMask;
use crate::options::{BoardSize, Config, ConfigError};
use crate::topology::{EDGES, MAX_SEATS, NODES, NodeId, Seat, TileId};
use rl_gym::{Pcg64, SeedSequence};
use serde::{Deserialize, Serialize};

/// Cost of a road.
pub const ROAD_COST: Counts = Counts::new([1, 1, 0, 0, 0]);
/// Cost of a settlement.
pub const SETTLEMENT_COST: Counts = Counts::new([1, 1, 1, 1, 0]);
/// Cost of a city, on top of the settlement.
pub const CITY_COST: Counts = Counts::new([0, 0, 0, 2, 3]);
/// Cost of a development card.
pub const DEV_COST: Counts = Counts::new([0, 0, 1, 1, 1]);
/// The development deck of a new game: knights, plenty, monopoly, roads, points.
pub const DECK: Counts = Counts::new([14, 2, 2, 2, 5]);
/// Cards of each resource in the bank of a new game.
pub const BANK_EACH: u8 = 19;
/// Roads of a seat.
pub const ROAD_PIECES: u8 = 15;
/// Settlements of a seat.
pub const SETTLEMENT_PIECES: u8 = 5;
/// Cities of a seat.
pub const CITY_PIECES: u8 = 4;
/// Most cards on one side of an offer; the rulebook has no limit, this one keeps drafts short.
pub const MAX_SIDE: u8 = 4;
/// Entries kept by [`State::recent`].
pub const LOG: usize = 16;

/// Who may do what now; with [`State::actor`] the whole prompt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Place a free settlement.
    SetupSettlement,
    /// Place a free road at the settlement just placed.
    SetupRoad,
    /// Roll, or play a development card first.
    BeforeRoll,
    /// Build, buy, trade, play a card, end the turn.
    Main,
    /// Place the free roads of road building.
    FreeRoads,
    /// Give half the hand to the bank, a card a step.
    Discard,
    /// Move the robber.
    MoveRobber,
    /// The seat on turn composes an offer.
    Draft,
    /// A responder accepts, rejects or counters.
    Answer,
    /// A responder composes a counter offer.
    CounterDraft,
    /// The seat on turn chooses a partner or nobody.
    Confirm,
    /// Won or truncated.
    Over,
}

/// What belongs to one seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SeatState {
    /// Own roads, a bit an edge.
    pub roads: u128,
    /// Cache: free edges where this seat may put a road (pieces and cards aside).
    pub open_roads: u128,
    /// Own settlements, a bit a node.
    pub settlements: u64,
    /// Own cities, a bit a node.
    pub cities: u64,
    /// Cache: nodes touched by own roads.
    pub road_nodes: u64,
    /// Cache: nodes from which roads may go on: own buildings and road ends not taken by an opponent.
    pub reach: u64,
    /// Nodes that were ever in `reach`; an opponent's later building does not take them out (for switch 6).
    pub joined: u64,
    /// Resource cards (hidden from others except for the total).
    pub hand: Counts,
    /// Development cards not played, points included (hidden from others except for the total).
    pub dev: Counts,
    /// Cache: tiles next to own buildings.
    pub tiles: u32,
    /// Development cards played: knights, plenty, monopoly, roads.
    pub played: [u8; 4],
    /// Visible points: buildings and awards.
    pub points: u8,
    /// Length of the longest road of this seat.
    pub road_length: u8,
    /// Roads left to place.
    pub roads_left: u8,
    /// Settlements left to place.
    pub settlements_left: u8,
    /// Cities left to place.
    pub cities_left: u8,
    /// Cache: harbours, bit `r` for 2:1 of resource `r`, bit 5 for 3:1.
    pub ports: u8,
}

impl SeatState {
    const NEW: Self = Self {
        roads: 0,
        open_roads: 0,
        settlements: 0,
        cities: 0,
        road_nodes: 0,
        reach: 0,
        joined: 0,
        hand: Counts::ZERO,
        dev: Counts::ZERO,
        tiles: 0,
        played: [0; 4],
        points: 0,
        road_length: 0,
        roads_left: ROAD_PIECES,
        settlements_left: SETTLEMENT_PIECES,
        cities_left: CITY_PIECES,
        ports: 0,
    };

    /// Settlements and cities.
    #[inline]
    pub const fn buildings(&self) -> u64 {
        self.settlements | self.cities
    }

    /// Visible points plus hidden point cards.
    #[inline]
    pub const fn true_points(&self) -> u8 {
        self.points + self.dev.get(DevCard::VictoryPoint as usize)
    }

    /// Cards this seat gives the bank for one, by resource, with its best harbour.
    pub fn rate(&self, give: Resource) -> u8 {
        match (self.ports >> give.index() & 1, self.ports >> 5 & 1) {
            (1, _) => 2,
            (_, 1) => 3,
            _ => 4,
        }
    }
}

/// An offer: what the one who makes it gives and wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Offer {
    /// Cards the maker gives.
    pub give: Counts,
    /// Cards the maker wants.
    pub want: Counts,
}

/// Everything about player trade; `Default` outside the trade phases.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Trade {
    /// The draft of the acting seat (phases Draft, CounterDraft).
    pub draft: Offer,
    /// The offer of the seat on turn (phases Answer, CounterDraft, Confirm).
    pub offer: Offer,
    /// Counter offers by seat, from the view of the countering seat.
    pub counters: [Offer; MAX_SEATS],
    /// Seats that accepted, a bit a seat.
    pub accepted: u8,
    /// Seats that sent a counter offer, a bit a seat.
    pub countered: u8,
    /// The responder asked now has used its one counter draft.
    pub counter_used: bool,
}

/// One decision with what chance added; for logs and text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Who decided.
    pub seat: Seat,
    /// What; [`Record::HIDDEN`] where the seat for which the state was redrawn may not know.
    pub action: ActionId,
    /// What chance added. Drawn and stolen cards are secret: show them to those who may know.
    pub outcome: Outcome,
}

impl Record {
    /// Stands for a card of a draft that only its author saw; outside the action table.
    pub const HIDDEN: ActionId = ActionId(u16::MAX);
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum GameOutcome {
    /// This seat won by the rules.
    Winner(Seat),
    /// Cut by the turn cap.
    Truncated,
}

/// The game. `Copy`, about a kilobyte, no heap; equal states behave equally for ever.
///
/// Truth except for the fields called cache and the legal mask, which are kept up to date by every step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct State {
    pub(crate) seats: [SeatState; MAX_SEATS],
    pub(crate) roads: u128,
    pub(crate) rng: Pcg64,
    pub(crate) occupied: u64,
    pub(crate) settleable: u64,
    pub(crate) legal: LegalMask,
    pub(crate) bank: Counts,
    pub(crate) deck: Counts,
    pub(crate) bought: Counts,
    pub(crate) trade: Trade,
    pub(crate) board: Board,
    pub(crate) config: Config,
    pub(crate) steps: u32,
    pub(crate) turns: u32,
    pub(crate) pending: Option<Pending>,
    pub(crate) outcome: Option<GameOutcome>,
    pub(crate) phase: Phase,
    pub(crate) turn: Seat,
    pub(crate) actor: Seat,
    pub(crate) robber: TileId,
    pub(crate) road_holder: Option<Seat>,
    pub(crate) army_holder: Option<Seat>,
    pub(crate) rolled: bool,
    pub(crate) card_played: bool,
    pub(crate) dice: [u8; 2],
    pub(crate) free_roads: u8,
    pub(crate) discards: [u8; MAX_SEATS],
    pub(crate) offers_made: u8,
    pub(crate) placed: u8,
    pub(crate) last_node: NodeId,
    pub(crate) log: [Record; LOG],
}

impl State {
    /// A new game on a board laid as `config` says; `seed` feeds the board, then the dice and cards.
    ///
    /// # Errors
    /// An option outside its range.
    pub fn new(config: &Config, seed: SeedSequence) -> Result<Self, ConfigError> {
        Self::with_rng(config, seed.rng())
    }

    /// As [`State::new`] from a generator that may have been used before.
    ///
    /// # Errors
    /// An option outside its range.
    pub fn with_rng(config: &Config, mut rng: Pcg64) -> Result<Self, ConfigError> {
        let board = Board::new(config, &mut rng);
        Self::on_board(config, board, rng)
    }

    /// A new game on a given board; `config.layout` and `config.board` follow from it and are not read.
    ///
    /// # Errors
    /// An option outside its range.
    pub fn on_board(config: &Config, board: Board, rng: Pcg64) -> Result<Self, ConfigError> {
        config.check()?;
        let mut state = Self {
            seats: [SeatState::NEW; MAX_SEATS],
            roads: 0,
            rng,
            occupied: 0,
            settleable: board.node_set(),
            legal: LegalMask::EMPTY,
            bank: Counts::splat(BANK_EACH),
            deck: DECK,
            bought: Counts::ZERO,
            trade: Trade::default(),
            board,
            config: Config { board: board.size(), ..*config },
            steps: 0,
            turns: 0,
            pending: None,
            outcome: None,
            phase: Phase::SetupSettlement,
            turn: 0,
            actor: 0,
            robber: board.desert(),
            road_holder: None,
            army_holder: None,
            rolled: false,
            card_played: false,
            dice: [0; 2],
            free_roads: 0,
            discards: [0; MAX_SEATS],
            offers_made: 0,
            placed: 0,
            last_node: 0,
            log: [Record { seat: 0, action: ActionId(0), outcome: Outcome::Certain }; LOG],
        };
        state.refresh();
        Ok(state)
    }

    /// The seat that decides; `None` while chance is pending and when the game is over.
    #[inline]
    pub fn actor(&self) -> Option<Seat> {
        if self.pending.is_some() || self.phase == Phase::Over { None } else { Some(self.actor) }
    }

    /// What kind of decision is due.
    #[inline]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Legal actions of the actor; empty while chance is pending and when the game is over.
    #[inline]
    pub const fn legal(&self) -> &LegalMask {
        &self.legal
    }

    /// The chance event that must be resolved first (only seen between [`State::decide`] and
    /// [`State::resolve`]).
    #[inline]
    pub const fn pending(&self) -> Option<Pending> {
        self.pending
    }

    /// Winner or truncation, `None` while the game goes on.
    #[inline]
    pub const fn outcome(&self) -> Option<GameOutcome> {
        self.outcome
    }

    /// Options of this game.
    #[inline]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The board of this game.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Number of seats, 2 to 4.
    #[inline]
    pub const fn num_seats(&self) -> usize {
        self.config.seats as usize
    }

    /// What belongs to `seat` (below four; unused seats are empty).
    #[inline]
    pub const fn seat(&self, seat: Seat) -> &SeatState {
        &self.seats[seat as usize]
    }

    /// Resource cards in the bank.
    #[inline]
    pub const fn bank(&self) -> Counts {
        self.bank
    }

    /// Development cards left by kind. Hidden: seats know the total only.
    #[inline]
    pub const fn deck(&self) -> Counts {
        self.deck
    }

    /// Development cards that the seat on turn bought this turn, by kind (hidden from others).
    #[inline]
    pub const fn bought(&self) -> Counts {
        self.bought
    }

    /// The seat whose turn it is (in the setup: that places).
    #[inline]
    pub const fn turn_seat(&self) -> Seat {
        self.turn
    }

    /// Completed turns, the setup not counted.
    #[inline]
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// Decisions taken so far.
    #[inline]
    pub const fn steps(&self) -> u32 {
        self.steps
    }

    /// The tile with the robber.
    #[inline]
    pub const fn robber(&self) -> TileId {
        self.robber
    }

    /// Holder of the longest road card.
    #[inline]
    pub const fn road_holder(&self) -> Option<Seat> {
        self.road_holder
    }

    /// Holder of the largest army card.
    #[inline]
    pub const fn army_holder(&self) -> Option<Seat> {
        self.army_holder
    }

    /// Whether the seat on turn has rolled.
    #[inline]
    pub const fn has_rolled(&self) -> bool {
        self.rolled
    }

    /// Whether the seat on turn has played its development card.
    #[inline]
    pub const fn has_played_card(&self) -> bool {
        self.card_played
    }

    /// The last dice, zeros before the first roll.
    #[inline]
    pub const fn dice(&self) -> [u8; 2] {
        self.dice
    }

    /// Free roads still to place.
    #[inline]
    pub const fn free_roads(&self) -> u8 {
        self.free_roads
    }

    /// Cards still to discard, by seat.
    #[inline]
    pub const fn discards(&self) -> &[u8; MAX_SEATS] {
        &self.discards
    }

    /// Offers started this turn.
    #[inline]
    pub const fn offers_made(&self) -> u8 {
        self.offers_made
    }

    /// Draft, offer, answers and counter offers.
    #[inline]
    pub const fn trade(&self) -> &Trade {
        &self.trade
    }

    /// All settlements and cities, a bit a node.
    #[inline]
    pub const fn occupied(&self) -> u64 {
        self.occupied
    }

    /// Nodes that keep the distance rule, a bit a node.
    #[inline]
    pub const fn settleable(&self) -> u64 {
        self.settleable
    }

    /// All roads, a bit an edge.
    #[inline]
    pub const fn roads(&self) -> u128 {
        self.roads
    }

    /// The settlement that the setup road must touch (phase SetupRoad only).
    #[inline]
    pub const fn last_node(&self) -> NodeId {
        self.last_node
    }

    /// Setup road-and-settlement pairs placed so far, up to twice the seats.
    #[inline]
    pub const fn setup_placed(&self) -> u8 {
        self.placed
    }

    /// The generator of this game's chance; secret.
    #[inline]
    pub const fn rng(&self) -> &Pcg64 {
        &self.rng
    }

    /// Replaces the generator, as search does before it rolls its own dice.
    #[inline]
    pub fn set_rng(&mut self, rng: Pcg64) {
        self.rng = rng;
    }

    /// Owner of the building on `node` and whether it is a city.
    pub fn building_at(&self, node: NodeId) -> Option<(Seat, bool)> {
        let owner = self.seats.iter().position(|s| s.buildings() >> node & 1 == 1)?;
        Some((owner as Seat, self.seats[owner].cities >> node & 1 == 1))
    }

    /// Owner of the road on `edge`.
    pub fn road_at(&self, edge: u8) -> Option<Seat> {
        self.seats.iter().position(|s| s.roads >> edge & 1 == 1).map(|s| s as Seat)
    }

    /// Points that everyone sees.
    #[inline]
    pub const fn public_points(&self, seat: Seat) -> u8 {
        self.seats[seat as usize].points
    }

    /// Points with hidden point cards.
    #[inline]
    pub const fn true_points(&self, seat: Seat) -> u8 {
        self.seats[seat as usize].true_points()
    }

    /// Road length as it is shown: the length, except under switch 5, where the recorded engine shows 0 until
    /// the first road or settlement after the setup.
    pub fn shown_road_length(&self, seat: Seat) -> u8 {
        let built = |s: &SeatState| s.roads_left < ROAD_PIECES - 2 || s.buildings().count_ones() > 2;
        let stale = self.config.compat.lr_len_setup_stale && !self.seats.iter().any(built);
        if stale { 0 } else { self.seats[usize::from(seat)].road_length }
    }

    /// The last `n` decisions (at most [`LOG`], fewer at the start), oldest first.
    pub fn recent(&self, n: usize) -> impl Iterator<Item = Record> + '_ {
        let steps = self.steps as usize;
        let n = n.min(LOG).min(steps);
        (steps - n..steps).map(|i| self.log[i % LOG])
    }

    /// Whether the board is the small one.
    pub const fn is_mini(&self) -> bool {
        matches!(self.board.size(), BoardSize::Mini)
    }
}

const _: () = assert!(NODES <= 64 && EDGES <= 128);
