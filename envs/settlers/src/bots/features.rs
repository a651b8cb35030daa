//! What the value function looks at: one list of features, each scaled so that a usual value lies in 0..=1.
//!
//! Features fall into groups; an action recomputes only the groups that it moves.

use super::view::{View, each_bit};
use crate::counts::{Counts, DevCard};
use crate::state::{
    CITY_COST, CITY_PIECES, DECK, DEV_COST, ROAD_COST, ROAD_PIECES, SETTLEMENT_COST, SETTLEMENT_PIECES,
};

/// One feature of the value function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    /// Name; the gene that weighs it has the same.
    pub name: &'static str,
    /// What it measures, with its scale.
    pub meaning: &'static str,
}

macro_rules! features {
    ($($key:ident $meaning:expr;)*) => {
        #[expect(non_camel_case_types, reason = "each variant bears the name of its feature")]
        #[derive(Clone, Copy)]
        pub(super) enum F { $($key),* }

        /// Every feature in order.
        pub const FEATURES: &[Feature] = &[$(Feature { name: stringify!($key), meaning: $meaning }),*];
    };
}

features! {
    points "own points with hidden ones, over the target";
    points_squared "the square of that: points grow dearer towards the end";
    wood "own wood pips a roll, over 10 (a city counts double)";
    brick "own brick pips, over 10";
    sheep "own sheep pips, over 10";
    wheat "own wheat pips, over 10";
    ore "own ore pips, over 10";
    production_early "own pips over 40, times what is missing to the target";
    production_late "own pips over 40, times the share of the target reached";
    production_scarce "own pips times the scarcity of their resource on this board, over 40";
    evenness "mean square root of pips over 10 of the five resources";
    kinds "resources produced, over 5";
    road_pair "the lesser of wood and brick pips, over 10";
    city_pair "the lesser of half wheat and a third of ore pips, over 3";
    dev_trio "the least of sheep, wheat and ore pips, over 10";
    numbers "different number tokens covered, over 8";
    blocked "own pips under the robber, over 10";
    spot_now "best open node that own roads reach: pips, new resources and harbour, over 15";
    spot_one "best open node within one more road";
    spot_two "best open node within two more roads";
    spots "open nodes within two more roads, over 8";
    port_special "pips of resources with an own 2:1 harbour, over 10";
    port_any "all pips over 40 with an own 3:1 harbour";
    ready_road "share of a road in hand, squared; only while no node can be settled";
    ready_settlement "share of a settlement in hand, squared; only while a node can be settled";
    ready_city "share of a city in hand, squared; only with a settlement to upgrade";
    ready_dev "share of a development card in hand, squared; only while cards are left";
    ready_best "the largest share of settlement and city in hand";
    hand_cards "cards in hand up to the discard limit, over 7";
    hand_excess "cards in hand above the discard limit, over 7";
    hand_kinds "different resources in hand, over 5";
    hand_rare "cards in hand (three of a kind at most) of resources with little own production, over 7";
    knights_held "knights in hand, expected ones included, over 3";
    cards_held "other playable development cards in hand, over 3";
    road_length "own longest road, over 10";
    road_lead "own longest road less the longest of others, -5 to 5, over 5";
    road_card "whether the longest road card is held";
    army_played "knights played, over 5";
    army_lead "knights played and held less the most played by another, -3 to 3, over 3";
    army_card "whether the largest army card is held";
    roads_left "road pieces left, over 15";
    settlements_left "settlement pieces left, over 5";
    cities_out "cities on the board, over 4";
    robber_block "pips of others under the robber, over 10";
    robber_leader "the same, each seat weighed by its share of the target";
    steal_cards "hand of the seat to be robbed, over 7";
    steal_leader "share of the target of the seat to be robbed";
    deny "1 for each rival whose road touches the node settled";
    buy_dev "1 for buying a development card";
    play_knight "1 for playing a knight";
    play_knight_blocked "own pips under the robber over 10, for playing a knight";
    play_monopoly "cards that a monopoly brings, over 5";
    play_plenty "1 for playing year of plenty";
    play_roads "1 for playing road building";
    play_roads_stuck "1 for playing road building while no node can be settled";
    bank_trade "1 for trading with the bank";
}

/// Number of features.
pub(super) const COUNT: usize = FEATURES.len();

/// Values of all features.
pub(super) type Values = [f32; COUNT];

/// A position after an action, as far as the viewer's own side goes.
#[derive(Clone, Copy)]
pub(super) struct After {
    pub(super) settlements: u64,
    pub(super) cities: u64,
    pub(super) road_nodes: u64,
    pub(super) settleable: u64,
    pub(super) hand: Counts,
    /// Points, with the chance of a point card as a fraction.
    pub(super) points: f32,
    pub(super) knights_held: f32,
    pub(super) cards_held: f32,
    pub(super) knights: u8,
    pub(super) road_length: u8,
    pub(super) road_card: bool,
    pub(super) army_card: bool,
    pub(super) roads_left: u8,
    /// Where the robber stands; a number past the board where it left for nowhere in particular.
    pub(super) robber: usize,
}

impl After {
    /// The position as it is.
    pub(super) fn now(view: &View) -> Self {
        let own = &view.seats[0];
        let held = |card: DevCard| f32::from(view.dev.get(card.index()));
        Self {
            settlements: own.settlements,
            cities: own.cities,
            road_nodes: view.road_nodes,
            settleable: view.settleable,
            hand: view.hand,
            points: view.points.into(),
            knights_held: held(DevCard::Knight),
            cards_held: held(DevCard::YearOfPlenty) + held(DevCard::Monopoly) + held(DevCard::RoadBuilding),
            knights: own.knights,
            road_length: own.road_length,
            road_card: own.road_card,
            army_card: own.army_card,
            roads_left: own.roads_left,
            robber: view.robber,
        }
    }

    /// Adds the card on top of the deck as its expected kinds: the unseen cards are alike.
    pub(super) fn draw_card(&mut self, unseen: Counts) {
        let total = f32::from(unseen.total().max(1));
        let share = |card: DevCard| f32::from(unseen.get(card.index())) / total;
        self.points += share(DevCard::VictoryPoint);
        self.knights_held += share(DevCard::Knight);
        self.cards_held += 1.0 - share(DevCard::VictoryPoint) - share(DevCard::Knight);
    }
}

/// Development cards that the viewer has not seen.
pub(super) fn unseen_cards(row: &[u8], own: Counts) -> Counts {
    use crate::observe::at;
    let mut unseen = DECK.array();
    for (k, left) in unseen.iter_mut().enumerate() {
        let played: u8 = if k < 4 { (0..4).map(|s| row[at::dev_played + 4 * s + k]).sum() } else { 0 };
        *left = left.saturating_sub(played + own.get(k));
    }
    Counts::new(unseen)
}

/// Sum of the five counts as a float.
fn total(pips: Counts) -> f32 {
    f32::from(pips.total())
}

/// Value of an open node: pips, what it adds in kinds, harbours; about 0 to 1.
#[inline]
fn node_value(view: &View, node: usize, lacking: u32, ports: u64) -> f32 {
    let pips = view.pips[node];
    let fresh = (pips.at_least(1) & lacking).count_ones() as f32;
    (total(pips) + 1.5 * fresh + (ports >> node & 1) as f32) / 15.0
}

/// Buildings, production, harbours and room to grow.
pub(super) fn board(view: &View, after: &After, x: &mut Values) {
    let progress = after.points / f32::from(view.target);
    x[F::points as usize] = progress;
    x[F::points_squared as usize] = progress * progress;
    let mut pips = Counts::ZERO;
    let mut numbers = 0u16;
    each_bit(after.settlements | after.cities, |n| {
        pips = pips.plus(view.pips[n]);
        numbers |= view.numbers[n];
    });
    each_bit(after.cities, |n| pips = pips.plus(view.pips[n]));
    production(view, pips, numbers, progress, x);
    let owned = after.settlements | after.cities;
    let mut special = 0.0;
    for r in 0..5 {
        if view.port_nodes[r] & owned != 0 {
            special += f32::from(pips.get(r)) / 10.0;
        }
    }
    x[F::port_special as usize] = special;
    x[F::port_any as usize] = if view.port_nodes[5] & owned != 0 { total(pips) / 40.0 } else { 0.0 };
    room(view, after, pips, x);
    let settlements_out = after.settlements.count_ones() as f32;
    let cities_out = after.cities.count_ones() as f32;
    x[F::settlements_left as usize] = 1.0 - settlements_out / f32::from(SETTLEMENT_PIECES);
    x[F::cities_out as usize] = cities_out / f32::from(CITY_PIECES);
    x[F::roads_left as usize] = f32::from(after.roads_left) / f32::from(ROAD_PIECES);
}

fn production(view: &View, pips: Counts, numbers: u16, progress: f32, x: &mut Values) {
    let each = pips.array().map(|p| f32::from(p) / 10.0);
    let sum = total(pips) / 40.0;
    let [wood, brick, sheep, wheat, ore] = each;
    let kinds = [F::wood, F::brick, F::sheep, F::wheat, F::ore];
    kinds.into_iter().zip(each).for_each(|(kind, pips)| x[kind as usize] = pips);
    x[F::production_early as usize] = sum * (1.0 - progress);
    x[F::production_late as usize] = sum * progress;
    x[F::production_scarce as usize] = each.iter().zip(view.scarcity).map(|(p, s)| p * s).sum::<f32>() / 4.0;
    x[F::evenness as usize] = each.iter().map(|p| p.sqrt()).sum::<f32>() / 5.0;
    x[F::kinds as usize] = pips.at_least(1).count_ones() as f32 / 5.0;
    x[F::road_pair as usize] = wood.min(brick);
    x[F::city_pair as usize] = (wheat / 2.0).min(ore / 3.0) * (10.0 / 3.0);
    x[F::dev_trio as usize] = sheep.min(wheat).min(ore);
    x[F::numbers as usize] = numbers.count_ones() as f32 / 8.0;
}

fn room(view: &View, after: &After, pips: Counts, x: &mut Values) {
    let foreign = view.foreign();
    let step = |from: u64| {
        let mut reach = from;
        each_bit(from & !foreign, |n| reach |= view.open[n]);
        reach
    };
    let start = after.road_nodes | after.settlements | after.cities;
    let one = step(start);
    let two = step(one);
    let (now, one, two) =
        (after.road_nodes & after.settleable, one & after.settleable, two & after.settleable);
    let lacking = !pips.at_least(1) & 31;
    let ports = view.port_nodes.iter().fold(0, |all, nodes| all | nodes);
    let (mut best_now, mut best_one, mut best_two) = (0.0f32, 0.0f32, 0.0f32);
    each_bit(two, |n| {
        let value = node_value(view, n, lacking, ports);
        best_two = best_two.max(value);
        if one >> n & 1 == 1 {
            best_one = best_one.max(value);
        }
        if now >> n & 1 == 1 {
            best_now = best_now.max(value);
        }
    });
    let pieces = if after.settlements.count_ones() < u32::from(SETTLEMENT_PIECES) { 1.0 } else { 0.0 };
    x[F::spot_now as usize] = best_now * pieces;
    x[F::spot_one as usize] = best_one * pieces;
    x[F::spot_two as usize] = best_two * pieces;
    x[F::spots as usize] = two.count_ones() as f32 / 8.0 * pieces;
}

/// Share of `cost` that lies in `hand`.
#[inline]
fn share(hand: [u8; 5], cost: Counts) -> f32 {
    let cost_of = cost.array();
    let have: u8 = (0..5).map(|r| hand[r].min(cost_of[r])).sum();
    f32::from(have) / f32::from(cost.total())
}

/// Resource and development cards in hand. Reads what [`board`] wrote.
pub(super) fn hand(view: &View, after: &After, x: &mut Values) {
    let cards = after.hand.array();
    let can_settle = x[F::spot_now as usize] > 0.0;
    let square = |yes: bool, s: f32| if yes { s * s } else { 0.0 };
    let has_cities_left = after.cities.count_ones() < u32::from(CITY_PIECES);
    let can_upgrade = after.settlements != 0 && has_cities_left;
    let settlement = if can_settle { share(cards, SETTLEMENT_COST) } else { 0.0 };
    let city = if can_upgrade { share(cards, CITY_COST) } else { 0.0 };
    x[F::ready_road as usize] = square(!can_settle && after.roads_left > 0, share(cards, ROAD_COST));
    x[F::ready_settlement as usize] = settlement * settlement;
    x[F::ready_city as usize] = city * city;
    x[F::ready_dev as usize] = square(view.deck > 0, share(cards, DEV_COST));
    x[F::ready_best as usize] = settlement.max(city);
    let size = f32::from(after.hand.total());
    let limit = f32::from(view.discard_limit);
    x[F::hand_cards as usize] = size.min(limit) / 7.0;
    x[F::hand_excess as usize] = (size - limit).max(0.0) / 7.0;
    x[F::hand_kinds as usize] = after.hand.at_least(1).count_ones() as f32 / 5.0;
    let rare = |r: usize| f32::from(cards[r].min(3)) / (1.0 + 5.0 * x[F::wood as usize + r]);
    x[F::hand_rare as usize] = (0..5).map(rare).sum::<f32>() / 7.0;
    x[F::knights_held as usize] = after.knights_held / 3.0;
    x[F::cards_held as usize] = after.cards_held / 3.0;
}

/// The races for the two cards.
pub(super) fn races(view: &View, after: &After, x: &mut Values) {
    let longest = view.rivals().iter().map(|s| s.road_length).max().unwrap_or(0);
    let army = view.rivals().iter().map(|s| s.knights).max().unwrap_or(0);
    let length = f32::from(after.road_length);
    x[F::road_length as usize] = length / 10.0;
    x[F::road_lead as usize] = (length - f32::from(longest)).clamp(-5.0, 5.0) / 5.0;
    x[F::road_card as usize] = f32::from(u8::from(after.road_card));
    x[F::army_played as usize] = f32::from(after.knights) / 5.0;
    let strength = f32::from(after.knights) + after.knights_held;
    x[F::army_lead as usize] = (strength - f32::from(army)).clamp(-3.0, 3.0) / 3.0;
    x[F::army_card as usize] = f32::from(u8::from(after.army_card));
}

/// The robber.
pub(super) fn robber(view: &View, after: &After, x: &mut Values) {
    let (mut own, mut block, mut leader) = (0.0, 0.0, 0.0);
    if let Some(&pips) = view.tile_pips.get(after.robber) {
        own = view.seats[0].blocked(after.robber, pips) / 10.0;
        for rival in view.rivals() {
            let pips = rival.blocked(after.robber, pips) / 10.0;
            block += pips;
            leader += pips * f32::from(rival.points) / f32::from(view.target);
        }
    }
    x[F::blocked as usize] = own;
    x[F::robber_block as usize] = block;
    x[F::robber_leader as usize] = leader;
}

/// All features of the position as it is; those of actions are zero.
pub(super) fn all(view: &View, after: &After) -> Values {
    let mut x = [0.0; COUNT];
    board(view, after, &mut x);
    hand(view, after, &mut x);
    races(view, after, &mut x);
    robber(view, after, &mut x);
    x
}
