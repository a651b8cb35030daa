//! One-step greedy play over a linear value function: `greedy` and every genome.

use super::features::{self, After, COUNT, F, Values, unseen_cards};
use super::genes::{Style, split};
use super::view::View;
use crate::action::{Action, ActionId, at};
use crate::counts::Counts;
use crate::longest_road::longest_through;
use crate::rules::{LEAST_ARMY, LEAST_ROAD};
use crate::state::{CITY_COST, DEV_COST, Phase, ROAD_COST, SETTLEMENT_COST};
use crate::topology::{EDGE_NODES, NODE_NEAR, NODE_TILES, TILES};
use rl_gym::{Bits, Decisions, Fault, Pcg64, Policy};

/// Value of a position that wins at once.
const WIN: f32 = 1000.0;

/// Values the position after each legal action and takes the best; equal ones by lot.
///
/// Decides from the row and the mask alone, with no memory. Chance is taken as its expectation where it is
/// small (a development card) and left out where it is not (dice, the card stolen).
#[derive(Clone, Debug)]
pub struct Player {
    weights: [f32; COUNT],
    style: Style,
}

impl Player {
    /// The player with these genes, one value each in the order of [`super::GENES`], clamped to their ranges.
    pub fn new(values: &[f32]) -> Self {
        let (weights, style) = split(values);
        Self { weights, style }
    }

    /// The action for this row and mask. `rng` breaks ties only.
    pub fn decide(&self, row: &[u8], mask: Bits<'_>, rng: &mut Pcg64) -> u32 {
        if mask.count() <= 1 {
            return mask.nth(0).unwrap_or(0) as u32;
        }
        let view = View::read(row);
        let now = After::now(&view);
        let base = features::all(&view, &now);
        let base_value = value(&self.weights, &base);
        let decider = Decider {
            view: &view,
            row,
            mask,
            weights: &self.weights,
            style: &self.style,
            now,
            base,
            base_value,
        };
        decider.decide(rng)
    }
}

impl Policy for Player {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            let action = self.decide(ask.obs, ask.mask, ask.rng);
            ask.choose(action);
        }
        Ok(())
    }
}

/// The value of a position.
#[inline]
pub(super) fn value(weights: &[f32; COUNT], x: &Values) -> f32 {
    // Eight running sums, so that the compiler may use wide registers; the order of addition is fixed.
    let mut sums = [0.0f32; 8];
    let (groups, rest) = (weights.chunks_exact(8), weights.chunks_exact(8).remainder());
    for (w, x) in groups.zip(x.chunks_exact(8)) {
        for i in 0..8 {
            sums[i] += w[i] * x[i];
        }
    }
    let tail: f32 = rest.iter().zip(x.chunks_exact(8).remainder()).map(|(w, x)| w * x).sum();
    sums.iter().sum::<f32>() + tail
}

/// Groups of features that an action moves.
#[derive(Clone, Copy, Default)]
struct Moved {
    board: bool,
    hand: bool,
    races: bool,
    robber: bool,
}

/// One decision.
pub(super) struct Decider<'a> {
    pub(super) view: &'a View,
    pub(super) row: &'a [u8],
    pub(super) mask: Bits<'a>,
    pub(super) weights: &'a [f32; COUNT],
    pub(super) style: &'a Style,
    /// The position as it is, its features and its value.
    pub(super) now: After,
    pub(super) base: Values,
    pub(super) base_value: f32,
}

impl Decider<'_> {
    fn decide(&self, rng: &mut Pcg64) -> u32 {
        const DRAFT: usize = Phase::Draft as usize;
        const ANSWER: usize = Phase::Answer as usize;
        const COUNTER: usize = Phase::CounterDraft as usize;
        const CONFIRM: usize = Phase::Confirm as usize;
        match self.view.phase {
            DRAFT => return self.draft(),
            ANSWER => return self.answer(),
            COUNTER => return self.counter_draft(),
            CONFIRM => return self.confirm(),
            _ => {}
        }
        let best = self.best(rng);
        // Other seats may give for less what the bank would, or what would end the turn.
        let idle = best == u32::from(at::END_TURN)
            || (u32::from(at::BANK)..u32::from(at::OFFER_GIVE)).contains(&best);
        if idle { self.open_offer().unwrap_or(best) } else { best }
    }

    pub(super) fn first_legal(&self) -> u32 {
        self.mask.nth(0).unwrap_or(0) as u32
    }

    /// The legal action of the highest value, offers left out.
    fn best(&self, rng: &mut Pcg64) -> u32 {
        let (mut best, mut choice, mut ties) = (f32::NEG_INFINITY, self.first_legal(), 0);
        for id in self.mask.ones() {
            let Some(action) = ActionId(id as u16).action() else { continue };
            if matches!(action, Action::OfferGive(_)) {
                continue;
            }
            let score = self.score(action);
            if score > best {
                (best, choice, ties) = (score, id as u32, 1);
            } else if score == best {
                ties += 1;
                if rng.below(ties) == 0 {
                    choice = id as u32;
                }
            }
        }
        choice
    }

    fn score(&self, action: Action) -> f32 {
        let mut after = self.now;
        let mut x = self.base;
        let moved = self.apply(action, &mut after, &mut x);
        if moved.board {
            features::board(self.view, &after, &mut x);
        }
        if moved.hand {
            features::hand(self.view, &after, &mut x);
        }
        if moved.races {
            features::races(self.view, &after, &mut x);
        }
        if moved.robber {
            features::robber(self.view, &after, &mut x);
        }
        let wins = after.points >= f32::from(self.view.target);
        value(self.weights, &x) + if wins { WIN } else { 0.0 }
    }

    /// Changes the position as the action would, sets the features of the action itself, and says what moved.
    fn apply(&self, action: Action, after: &mut After, x: &mut Values) -> Moved {
        let mut set = |feature: F, value: f32| x[feature as usize] = value;
        let hand = Moved { hand: true, ..Moved::default() };
        match action {
            Action::Settlement(node) => {
                set(F::deny, self.denied(node.into()));
                self.settle(node.into(), after);
                Moved { board: true, hand: true, ..Moved::default() }
            }
            Action::City(node) => {
                after.settlements &= !(1 << node);
                after.cities |= 1 << node;
                after.points += 1.0;
                after.hand = after.hand.minus(CITY_COST);
                Moved { board: true, hand: true, ..Moved::default() }
            }
            Action::Road(edge) => {
                self.road(edge, after);
                Moved { board: true, hand: true, races: true, ..Moved::default() }
            }
            Action::BuyDev => {
                set(F::buy_dev, 1.0);
                after.hand = after.hand.minus(DEV_COST);
                after.draw_card(unseen_cards(self.row, self.view.dev));
                // A point that may come does not win for certain.
                let most = f32::from(self.view.target) - 0.01;
                after.points = after.points.min(most.max(self.now.points));
                Moved { board: true, hand: true, races: true, ..Moved::default() }
            }
            Action::Knight => {
                set(F::play_knight, 1.0);
                set(F::play_knight_blocked, self.base[F::blocked as usize]);
                self.knight(after);
                Moved { board: true, hand: true, races: true, robber: true }
            }
            Action::RoadBuilding => {
                set(F::play_roads, 1.0);
                set(F::play_roads_stuck, f32::from(u8::from(self.base[F::spot_now as usize] == 0.0)));
                after.cards_held -= 1.0;
                hand
            }
            Action::YearOfPlenty(r, s) => {
                set(F::play_plenty, 1.0);
                after.cards_held -= 1.0;
                after.hand = after.hand.plus(Counts::one(r.index())).plus(Counts::one(s.index()));
                hand
            }
            Action::YearOfPlentyOne(r) => {
                set(F::play_plenty, 1.0);
                after.cards_held -= 1.0;
                after.hand = after.hand.plus(Counts::one(r.index()));
                hand
            }
            Action::Monopoly(r) => {
                let gain = self.view.held_by_others().get(r.index());
                set(F::play_monopoly, f32::from(gain) / 5.0);
                after.cards_held -= 1.0;
                after.hand = after.hand.plus(Counts::of(r.index(), gain));
                hand
            }
            Action::Robber { tile, victim } => {
                if victim > 0 {
                    let victim = &self.view.seats[usize::from(victim)];
                    set(F::steal_cards, f32::from(victim.hand) / 7.0);
                    set(F::steal_leader, f32::from(victim.points) / f32::from(self.view.target));
                }
                after.robber = tile.into();
                Moved { robber: true, ..Moved::default() }
            }
            Action::Discard(r) => {
                after.hand = after.hand.minus(Counts::one(r.index()));
                hand
            }
            Action::Bank { rate, give, want } => {
                set(F::bank_trade, 1.0);
                after.hand = after.hand.minus(Counts::of(give.index(), rate)).plus(Counts::one(want.index()));
                hand
            }
            _ => Moved::default(),
        }
    }

    /// Rivals whose road touches a node.
    fn denied(&self, node: usize) -> f32 {
        let touches = |roads: u128| roads & crate::topology::NODE_EDGE_SET[node] != 0;
        self.view.rivals().iter().filter(|s| touches(s.roads)).count() as f32
    }

    fn settle(&self, node: usize, after: &mut After) {
        after.settlements |= 1 << node;
        after.settleable &= !(1 << node | NODE_NEAR[node]);
        after.points += 1.0;
        if self.view.phase != Phase::SetupSettlement as usize {
            after.hand = after.hand.minus(SETTLEMENT_COST);
        } else if usize::from(self.view.setup_placed) >= self.view.num_seats {
            let tiles = NODE_TILES[node];
            for t in (0..TILES).filter(|t| tiles >> t & 1 == 1) {
                let kind = usize::from(self.view.tile_kind[t]);
                if kind < 5 {
                    after.hand = after.hand.plus(Counts::one(kind));
                }
            }
        }
    }

    fn road(&self, edge: u8, after: &mut After) {
        let [a, b] = EDGE_NODES[usize::from(edge)];
        let own = &self.view.seats[0];
        after.road_nodes |= 1 << a | 1 << b;
        after.roads_left = after.roads_left.saturating_sub(1);
        if self.view.phase == Phase::Main as usize {
            after.hand = after.hand.minus(ROAD_COST);
        }
        let length = longest_through(own.roads | 1 << edge, self.view.foreign(), edge);
        after.road_length = after.road_length.max(length);
        let rival = self.view.rivals().iter().map(|s| s.road_length).max().unwrap_or(0);
        if !after.road_card && after.road_length >= LEAST_ROAD && after.road_length > rival {
            after.road_card = true;
            after.points += 2.0;
        }
    }

    fn knight(&self, after: &mut After) {
        after.knights_held -= 1.0;
        after.knights += 1;
        after.robber = usize::MAX;
        let rival = self.view.rivals().iter().filter(|s| s.army_card).map(|s| s.knights).max().unwrap_or(0);
        if !after.army_card && after.knights >= LEAST_ARMY && after.knights > rival {
            after.army_card = true;
            after.points += 2.0;
        }
    }
}
