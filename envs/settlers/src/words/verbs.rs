//! Verbs, kinds of arguments, and the terms of actions. Distinct legal actions have distinct terms.

use super::goal::on_turn;
use super::row::Row;
use super::{edge, node, resource, rival, tile};
use crate::Phase;
use crate::action::{Action, ActionId};
use crate::topology::{EDGES, NODES, TILES};
use rl_gym::vocabulary::{Fact, Kind, Term, Verb};

const NODE: usize = 0;
const EDGE: usize = 1;
const TILE: usize = 2;
const RESOURCE: usize = 3;
const RIVAL: usize = 4;
const RATE: usize = 5;

/// The kinds in the order of their indices.
pub(super) const KINDS: &[Kind] = &[
    Kind { name: "node", features: node::WORDS },
    Kind { name: "edge", features: edge::WORDS },
    Kind { name: "tile", features: tile::WORDS },
    Kind { name: "resource", features: resource::WORDS },
    Kind { name: "rival", features: rival::WORDS },
    Kind { name: "rate", features: RATE_WORDS },
];

const RATE_WORDS: &[Fact] = &[Fact::number("cards", 2.0, 4.0, "cards given for one")];

/// The value of a feature; the least one for an argument that the kind does not have.
pub(super) fn feature(row: &Row<'_>, kind: usize, arg: usize, feature: usize) -> f32 {
    let (read, size) = match kind {
        NODE => (&node::READ[..], NODES),
        EDGE => (&edge::READ[..], EDGES),
        TILE => (&tile::READ[..], TILES),
        RESOURCE => (&resource::READ[..], 5),
        RIVAL => return rival::read(row, arg, feature),
        _ => return arg.clamp(2, 4) as f32,
    };
    if arg < size { read[feature](row, arg) } else { KINDS[kind].features[feature].low }
}

macro_rules! verbs {
    ($($key:ident($($kind:ident),*) $meaning:literal;)*) => {
        #[expect(non_camel_case_types, reason = "each variant bears the name of its verb")]
        enum V { $($key),* }

        /// The verbs.
        pub(super) const VERBS: &[Verb] = &[$(Verb { name: stringify!($key), args: &[$($kind),*] }),*];

        /// What each verb does.
        pub(super) const MEANINGS: [&str; VERBS.len()] = [$($meaning),*];
    };
}

verbs! {
    place_settlement(NODE) "place a settlement of the setup";
    place_road(EDGE) "place a road of the setup";
    build_settlement(NODE) "build a settlement";
    build_city(NODE) "turn a settlement into a city";
    build_road(EDGE) "build a road, paid or free";
    roll() "roll the dice";
    end_turn() "end the turn";
    buy_card() "buy a development card";
    play_knight() "play a knight";
    play_road_building() "play road building";
    play_year_of_plenty(RESOURCE, RESOURCE) "play year of plenty for two cards, the lower resource first";
    play_year_of_plenty_one(RESOURCE) "play year of plenty for one card, the last of the bank";
    play_monopoly(RESOURCE) "play monopoly";
    move_robber(TILE, RIVAL) "move the robber and steal from a rival, 0 for nobody";
    discard(RESOURCE) "discard a card";
    bank_trade(RESOURCE, RESOURCE, RATE) "give the bank cards of the first for one of the second, as many as the rate";
    offer_give(RESOURCE) "draft: one more card to give; the first one starts an offer";
    offer_want(RESOURCE) "draft: one more card to want";
    send_offer() "send the draft";
    drop_offer() "drop the draft";
    accept_offer(RIVAL) "accept the offer of the rival on turn";
    reject_offer(RIVAL) "reject the offer of the rival on turn";
    counter_offer(RIVAL) "start a counter offer to the rival on turn";
    confirm_trade(RIVAL) "trade with a rival that accepted or made a counter offer";
    cancel_trade() "trade with nobody";
}

/// The action as it is meant in this row; `None` outside the action table.
pub(super) fn term(row: &Row<'_>, action: u32) -> Option<Term> {
    let action = ActionId(u16::try_from(action).ok()?).action()?;
    let (verb, args) = match action {
        Action::Settlement(n) if row.is_phase(Phase::SetupSettlement) => (V::place_settlement, [n, 0, 0]),
        Action::Settlement(n) => (V::build_settlement, [n, 0, 0]),
        Action::City(n) => (V::build_city, [n, 0, 0]),
        Action::Road(e) if row.is_phase(Phase::SetupRoad) => (V::place_road, [e, 0, 0]),
        Action::Road(e) => (V::build_road, [e, 0, 0]),
        Action::Roll => (V::roll, [0; 3]),
        Action::EndTurn => (V::end_turn, [0; 3]),
        Action::BuyDev => (V::buy_card, [0; 3]),
        Action::Knight => (V::play_knight, [0; 3]),
        Action::RoadBuilding => (V::play_road_building, [0; 3]),
        Action::YearOfPlenty(r, s) => (V::play_year_of_plenty, [r as u8, s as u8, 0]),
        Action::YearOfPlentyOne(r) => (V::play_year_of_plenty_one, [r as u8, 0, 0]),
        Action::Monopoly(r) => (V::play_monopoly, [r as u8, 0, 0]),
        Action::Robber { tile, victim } => (V::move_robber, [tile, victim, 0]),
        Action::Discard(r) => (V::discard, [r as u8, 0, 0]),
        Action::Bank { rate, give, want } => (V::bank_trade, [give as u8, want as u8, rate]),
        Action::OfferGive(r) => (V::offer_give, [r as u8, 0, 0]),
        Action::OfferWant(r) => (V::offer_want, [r as u8, 0, 0]),
        Action::OfferSend => (V::send_offer, [0; 3]),
        Action::OfferDrop => (V::drop_offer, [0; 3]),
        Action::Accept => (V::accept_offer, [proposer(row), 0, 0]),
        Action::Reject => (V::reject_offer, [proposer(row), 0, 0]),
        Action::Counter => (V::counter_offer, [proposer(row), 0, 0]),
        Action::Confirm(k) => (V::confirm_trade, [k, 0, 0]),
        Action::CancelTrade => (V::cancel_trade, [0; 3]),
    };
    Some(Term { verb: verb as u16, args: args.map(u16::from) })
}

/// The place of the seat on turn.
fn proposer(row: &Row<'_>) -> u8 {
    on_turn(row) as u8
}
