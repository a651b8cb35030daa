//! Facts of a row.

use super::goal::{Deal, missing, on_turn, spare_trades};
use super::row::{Row, each, holds};
use crate::Phase;
use crate::counts::Counts;
use crate::observe::at;
use crate::rules::{LEAST_ARMY, LEAST_ROAD};
use crate::state::{CITY_COST, DEV_COST, ROAD_COST, SETTLEMENT_COST};

words! {
    // Whose move it is, and which.
    setup_settlement 0..=1 "a settlement of the setup is due", |row, _| holds(row.is_phase(Phase::SetupSettlement));
    setup_road 0..=1 "a road of the setup is due", |row, _| holds(row.is_phase(Phase::SetupRoad));
    before_roll 0..=1 "the seat on turn has to roll, and may play a card before", |row, _| holds(row.is_phase(Phase::BeforeRoll));
    main_phase 0..=1 "the seat on turn may build, buy and trade", |row, _| holds(row.is_phase(Phase::Main));
    placing_free_roads 0..=1 "roads of a road building card are due", |row, _| holds(row.is_phase(Phase::FreeRoads));
    discarding 0..=1 "hands over the limit are halved", |row, _| holds(row.is_phase(Phase::Discard));
    moving_robber 0..=1 "the robber has to move", |row, _| holds(row.is_phase(Phase::MoveRobber));
    drafting_offer 0..=1 "the seat on turn composes an offer", |row, _| holds(row.is_phase(Phase::Draft));
    answering_offer 0..=1 "an offer waits for an answer", |row, _| holds(row.is_phase(Phase::Answer));
    drafting_counter 0..=1 "a counter offer is composed", |row, _| holds(row.is_phase(Phase::CounterDraft));
    confirming_trade 0..=1 "the seat on turn chooses among those who took its offer", |row, _| holds(row.is_phase(Phase::Confirm));
    own_turn 0..=1 "it is the viewer's turn", |row, _| row.n(at::turn_seat);
    card_played 0..=1 "the seat on turn has played a development card this turn", |row, _| row.n(at::card_played);
    last_roll 0..=12 "sum of the last dice, 0 before the first roll", |row, _| row.n(at::last_roll);
    rounds 0..=255 "completed turns divided by the number of seats", |row, _| row.n(at::rounds);
    num_seats 0..=4 "seats of the game", |row, _| row.seats() as f32;
    setup_placed 0..=8 "settlements placed by all in the setup", |row, _| row.n(at::setup_placed);
    // Own hand.
    own_wood 0..=19 "wood cards in hand", |row, _| row.n(at::hand);
    own_brick 0..=19 "brick cards in hand", |row, _| row.n(at::hand + 1);
    own_sheep 0..=19 "sheep cards in hand", |row, _| row.n(at::hand + 2);
    own_wheat 0..=19 "wheat cards in hand", |row, _| row.n(at::hand + 3);
    own_ore 0..=19 "ore cards in hand", |row, _| row.n(at::hand + 4);
    hand_size 0..=95 "resource cards in hand", |row, _| row.n(at::hand_size);
    hand_kinds 0..=5 "different resources in hand", |row, _| row.hand().iter().filter(|n| **n > 0).count() as f32;
    cards_over_limit 0..=95 "cards above the most that a seven leaves whole", |row, _| (row.n(at::hand_size) - row.n(at::discard_limit)).max(0.0);
    cards_to_limit 0..=95 "cards that may still come before a seven halves the hand", |row, _| (row.n(at::discard_limit) - row.n(at::hand_size)).max(0.0);
    discards_left 0..=47 "cards that the viewer still has to discard", |row, _| row.n(at::discards_left);
    // What the hand buys.
    missing_road 0..=2 "cards missing for a road", |row, _| missing(row.hand(), ROAD_COST);
    missing_settlement 0..=4 "cards missing for a settlement", |row, _| missing(row.hand(), SETTLEMENT_COST);
    missing_city 0..=5 "cards missing for a city", |row, _| missing(row.hand(), CITY_COST);
    missing_card 0..=3 "cards missing for a development card", |row, _| missing(row.hand(), DEV_COST);
    can_build_road 0..=1 "the hand suffices for a road: cards, a piece and an edge", |row, _| holds(affords(row, ROAD_COST) && row.get(at::roads_left) > 0 && has_open_edge(row));
    can_build_settlement 0..=1 "the hand suffices for a settlement: cards, a piece and an open node on own roads", |row, _| holds(affords(row, SETTLEMENT_COST) && row.get(at::settlements_left) > 0 && row.spots() != 0);
    can_build_city 0..=1 "the hand suffices for a city: cards, a piece and a settlement", |row, _| holds(affords(row, CITY_COST) && row.get(at::cities_left) > 0 && row.settlements() != 0);
    can_buy_card 0..=1 "the hand suffices for a development card: cards, and one in the deck", |row, _| holds(affords(row, DEV_COST) && row.get(at::deck) > 0);
    missing_goal 0..=5 "cards missing for the nearest purchase", |row, _| missing(row.hand(), row.goal());
    goal_is_settlement 0..=1 "the nearest purchase is a settlement", |row, _| holds(row.goal() == SETTLEMENT_COST);
    goal_is_city 0..=1 "the nearest purchase is a city", |row, _| holds(row.goal() == CITY_COST);
    goal_is_road 0..=1 "the nearest purchase is a road", |row, _| holds(row.goal() == ROAD_COST);
    goal_by_bank 0..=1 "bank trades of cards that it does not need complete the nearest purchase, for which something is missing", |row, _| holds(goal_by_bank(row));
    can_bank_trade 0..=1 "the hand suffices for some bank trade", |row, _| holds((0..5).any(|r| row.get(at::hand + r) >= row.rate(r)));
    best_rate 2..=4 "cards for one at the bank, by the best own harbour", |row, _| (0..5).map(|r| row.rate(r)).min().unwrap_or(4).into();
    harbour_any 0..=1 "an own 3:1 harbour", |row, _| row.n(at::ports + 5);
    harbour_wood 0..=1 "an own 2:1 harbour for wood", |row, _| row.n(at::ports);
    harbour_brick 0..=1 "an own 2:1 harbour for brick", |row, _| row.n(at::ports + 1);
    harbour_sheep 0..=1 "an own 2:1 harbour for sheep", |row, _| row.n(at::ports + 2);
    harbour_wheat 0..=1 "an own 2:1 harbour for wheat", |row, _| row.n(at::ports + 3);
    harbour_ore 0..=1 "an own 2:1 harbour for ore", |row, _| row.n(at::ports + 4);
    // The race.
    own_points 0..=40 "own points, hidden ones included", |row, _| row.n(at::own_points);
    points_to_win 0..=20 "points that the viewer lacks to win", |row, _| (row.n(at::target_points) - row.n(at::own_points)).max(0.0);
    rival_points 0..=40 "the most visible points of a rival", |row, _| row.rival_max(at::points).into();
    rival_points_to_win 0..=20 "visible points that the foremost rival lacks to win", |row, _| (row.n(at::target_points) - f32::from(row.rival_max(at::points))).max(0.0);
    lead -40..=40 "own points less the most visible ones of a rival", |row, _| row.n(at::own_points) - f32::from(row.rival_max(at::points));
    is_leader 0..=1 "no rival has more visible points than the viewer has points", |row, _| holds(row.get(at::own_points) >= row.rival_max(at::points));
    // Pieces and places.
    settlements_built 0..=5 "own settlements on the board", |row, _| row.settlements().count_ones() as f32;
    cities_built 0..=4 "own cities on the board", |row, _| row.cities().count_ones() as f32;
    roads_built 0..=15 "own roads on the board", |row, _| row.roads().count_ones() as f32;
    settlements_left 0..=5 "own settlement pieces left", |row, _| row.n(at::settlements_left);
    cities_left 0..=4 "own city pieces left", |row, _| row.n(at::cities_left);
    roads_left 0..=15 "own road pieces left", |row, _| row.n(at::roads_left);
    open_spots 0..=54 "open nodes on own roads", |row, _| row.spots().count_ones() as f32;
    open_spots_one 0..=54 "open nodes on own roads or one road away", |row, _| row.spots_one().count_ones() as f32;
    best_spot 0..=21 "greatest worth of an open node on own roads, 0 for none", |row, _| row.best(row.spots());
    best_spot_one 0..=21 "greatest worth of an open node on own roads or one road away, 0 for none", |row, _| row.best(row.spots_one());
    best_city 0..=15 "most pips of an own settlement", |row, _| best_city(row);
    // Longest road and largest army.
    road_length 0..=15 "own longest road", |row, _| row.n(at::road_length);
    rival_road_length 0..=15 "the longest road of a rival", |row, _| row.rival_max(at::road_length).into();
    road_lead -15..=15 "own longest road less the longest of a rival", |row, _| row.n(at::road_length) - f32::from(row.rival_max(at::road_length));
    has_longest_road 0..=1 "the viewer holds the longest road card", |row, _| row.n(at::longest_road);
    rival_has_longest_road 0..=1 "a rival holds the longest road card", |row, _| row.rival_max(at::longest_road).into();
    roads_to_longest_road 0..=16 "by how much the own longest road has to grow to take the card, 0 for its holder", |row, _| roads_to_card(row);
    knights_played 0..=14 "own knights played", |row, _| row.n(at::dev_played);
    rival_knights 0..=14 "the most knights played by a rival", |row, _| rival_knights(row);
    has_largest_army 0..=1 "the viewer holds the largest army card", |row, _| row.n(at::largest_army);
    rival_has_largest_army 0..=1 "a rival holds the largest army card", |row, _| row.rival_max(at::largest_army).into();
    knights_to_largest_army 0..=15 "knights that the viewer has to play to take the card, 0 for its holder", |row, _| knights_to_card(row);
    // Development cards.
    knights_held 0..=14 "knights held, unplayed", |row, _| row.n(at::dev_cards);
    year_of_plenty_held 0..=14 "year of plenty cards held, unplayed", |row, _| row.n(at::dev_cards + 1);
    monopoly_held 0..=14 "monopoly cards held, unplayed", |row, _| row.n(at::dev_cards + 2);
    road_building_held 0..=14 "road building cards held, unplayed", |row, _| row.n(at::dev_cards + 3);
    point_cards_held 0..=14 "point cards held, unplayed", |row, _| row.n(at::dev_cards + 4);
    knight_playable 0..=1 "a knight may be played this turn: not bought in it, no card played", |row, _| holds(is_playable(row, 0));
    card_playable 0..=1 "some development card may be played this turn", |row, _| holds((0..4).any(|card| is_playable(row, card)));
    deck 0..=25 "development cards left to buy", |row, _| row.n(at::deck);
    // Income.
    income_wood 0..=120 "own wood pips: cards in 36 rolls, a city counted twice, the robber left out", |row, _| row.income().get(0).into();
    income_brick 0..=120 "own brick pips: cards in 36 rolls, a city counted twice, the robber left out", |row, _| row.income().get(1).into();
    income_sheep 0..=120 "own sheep pips: cards in 36 rolls, a city counted twice, the robber left out", |row, _| row.income().get(2).into();
    income_wheat 0..=120 "own wheat pips: cards in 36 rolls, a city counted twice, the robber left out", |row, _| row.income().get(3).into();
    income_ore 0..=120 "own ore pips: cards in 36 rolls, a city counted twice, the robber left out", |row, _| row.income().get(4).into();
    income 0..=180 "all own pips", |row, _| row.income().total().into();
    resources_produced 0..=5 "resources that own buildings produce", |row, _| row.income().at_least(1).count_ones() as f32;
    evenness 0..=30 "sum of the square roots of the own pips of each resource", |row, _| evenness(row.income());
    robbed_pips 0..=30 "own pips under the robber", |row, _| robbed(row);
    rival_income 0..=180 "the most pips of a rival", |row, _| row.rivals().map(|k| row.pips_of(k)).fold(0.0, f32::max);
    // Bank and rivals' cards.
    bank_wood 0..=19 "wood cards in the bank", |row, _| row.n(at::bank);
    bank_brick 0..=19 "brick cards in the bank", |row, _| row.n(at::bank + 1);
    bank_sheep 0..=19 "sheep cards in the bank", |row, _| row.n(at::bank + 2);
    bank_wheat 0..=19 "wheat cards in the bank", |row, _| row.n(at::bank + 3);
    bank_ore 0..=19 "ore cards in the bank", |row, _| row.n(at::bank + 4);
    rivals_wood 0..=19 "wood cards that the rivals hold between them", |row, _| row.held_by_rivals(0);
    rivals_brick 0..=19 "brick cards that the rivals hold between them", |row, _| row.held_by_rivals(1);
    rivals_sheep 0..=19 "sheep cards that the rivals hold between them", |row, _| row.held_by_rivals(2);
    rivals_wheat 0..=19 "wheat cards that the rivals hold between them", |row, _| row.held_by_rivals(3);
    rivals_ore 0..=19 "ore cards that the rivals hold between them", |row, _| row.held_by_rivals(4);
    best_monopoly 0..=19 "the most cards that a monopoly takes", |row, _| (0..5).map(|r| row.held_by_rivals(r)).fold(0.0, f32::max);
    rival_hand 0..=95 "resource cards of the fullest rival hand", |row, _| row.rival_max(at::hand_size).into();
    rival_cards 0..=25 "the most unplayed development cards of a rival", |row, _| row.rival_max(at::dev_count).into();
    // Trade.
    offers_made 0..=20 "offers started this turn", |row, _| row.n(at::offers_made);
    offers_left 0..=20 "offers that may still be started this turn", |row, _| row.n(at::offers_left);
    draft_gives 0..=4 "cards given in the own draft", |row, _| total(row.five(at::draft_give));
    draft_wants 0..=4 "cards wanted in the own draft", |row, _| total(row.five(at::draft_want));
    draft_gain -4..=4 "by how many cards the own draft brings the nearest purchase nearer", |row, _| draft(row).gain(row);
    deal_gives 0..=4 "cards that the viewer, asked for an answer, would give; 0 where it is not asked", |row, _| asked(row).map_or(0.0, |deal| deal.gives());
    deal_gets 0..=4 "cards that it would get", |row, _| asked(row).map_or(0.0, |deal| deal.gets());
    deal_gain -4..=4 "by how many cards that brings its nearest purchase nearer", |row, _| asked(row).map_or(0.0, |deal| deal.gain(row));
    proposer_points 0..=40 "visible points of the rival on turn, 0 on one's own turn", |row, _| proposer_points(row);
    takers 0..=3 "rivals that accepted the offer or made a counter offer", |row, _| row.rivals().filter(|k| row.get(at::accepted + k) + row.get(at::countered + k) > 0).count() as f32;
}

fn affords(row: &Row<'_>, cost: Counts) -> bool {
    missing(row.hand(), cost) == 0.0
}

/// Whether a free edge touches the own network where roads may go on.
fn has_open_edge(row: &Row<'_>) -> bool {
    row.step(row.network()) != 0
}

fn goal_by_bank(row: &Row<'_>) -> bool {
    let lacking = missing(row.hand(), row.goal());
    let trades: f32 = (0..5).map(|r| f32::from(spare_trades(row, r))).sum();
    lacking > 0.0 && trades >= lacking
}

fn best_city(row: &Row<'_>) -> f32 {
    let mut best = 0;
    each(row.settlements(), |n| best = best.max(row.pips(n).total()));
    best.into()
}

/// The card moves to whoever is longer than all others and has five.
fn roads_to_card(row: &Row<'_>) -> f32 {
    if row.get(at::longest_road) == 1 {
        return 0.0;
    }
    let longest = f32::from(row.rival_max(at::road_length));
    ((longest + 1.0).max(LEAST_ROAD.into()) - row.n(at::road_length)).max(0.0)
}

fn rival_knights(row: &Row<'_>) -> f32 {
    row.rivals().map(|k| row.n(at::dev_played + 4 * k)).fold(0.0, f32::max)
}

/// The card moves to whoever has played more knights than its holder, three at least.
fn knights_to_card(row: &Row<'_>) -> f32 {
    if row.get(at::largest_army) == 1 {
        return 0.0;
    }
    let held =
        if row.rival_max(at::largest_army) == 1 { rival_knights(row) + 1.0 } else { LEAST_ARMY.into() };
    (held - row.n(at::dev_played)).max(0.0)
}

fn is_playable(row: &Row<'_>, card: usize) -> bool {
    let has_one = row.get(at::dev_cards + card) > row.get(at::dev_bought + card);
    has_one && row.get(at::turn_seat) == 1 && row.get(at::card_played) == 0
}

/// Sum of the square roots of five counts.
pub(super) fn evenness(pips: Counts) -> f32 {
    pips.array().iter().map(|p| f32::from(*p).sqrt()).sum()
}

fn robbed(row: &Row<'_>) -> f32 {
    let tile = row.robber();
    row.n(at::tile_pips + tile) * f32::from(row.cards_of(0, tile))
}

fn total(cards: [u8; 5]) -> f32 {
    cards.iter().map(|n| f32::from(*n)).sum()
}

/// The draft as if it were taken.
fn draft(row: &Row<'_>) -> Deal {
    Deal { give: row.five(at::draft_give), get: row.five(at::draft_want) }
}

/// The offer to which the viewer is asked for an answer.
fn asked(row: &Row<'_>) -> Option<Deal> {
    let is_asked = row.is_phase(Phase::Answer) && row.get(at::actor) == 1;
    Deal::with(row, on_turn(row)).filter(|_| is_asked)
}

fn proposer_points(row: &Row<'_>) -> f32 {
    match on_turn(row) {
        0 => 0.0,
        k => row.n(at::points + k),
    }
}
