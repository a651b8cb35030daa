//! The frozen weights of `greedy`.

use super::genes::GENE_COUNT;

/// One value a gene, written by hand. Frozen: a ladder stands on it, and a test pins its digest. Another
/// behaviour gets another name.
pub const GREEDY: [f32; GENE_COUNT] = [
    0.8,   // points
    0.5,   // points_squared
    0.25,  // wood
    0.25,  // brick
    0.2,   // sheep
    0.35,  // wheat
    0.35,  // ore
    0.6,   // production_early
    0.3,   // production_late
    0.2,   // production_scarce
    0.2,   // evenness
    0.25,  // kinds
    0.1,   // road_pair
    0.15,  // city_pair
    0.05,  // dev_trio
    0.1,   // numbers
    -0.3,  // blocked
    0.3,   // spot_now
    0.1,   // spot_one
    0.05,  // spot_two
    0.02,  // spots
    0.15,  // port_special
    0.1,   // port_any
    0.03,  // ready_road
    0.12,  // ready_settlement
    0.12,  // ready_city
    0.0,   // ready_dev
    0.05,  // ready_best
    0.02,  // hand_cards
    -0.1,  // hand_excess
    0.03,  // hand_kinds
    0.02,  // hand_rare
    0.25,  // knights_held
    0.25,  // cards_held
    0.05,  // road_length
    0.05,  // road_lead
    0.05,  // road_card
    0.05,  // army_played
    0.08,  // army_lead
    0.05,  // army_card
    0.05,  // roads_left
    0.02,  // settlements_left
    0.05,  // cities_out
    0.1,   // robber_block
    0.3,   // robber_leader
    0.05,  // steal_cards
    0.1,   // steal_leader
    0.05,  // deny
    0.02,  // buy_dev
    0.02,  // play_knight
    0.3,   // play_knight_blocked
    0.2,   // play_monopoly
    0.0,   // play_plenty
    0.08,  // play_roads
    0.1,   // play_roads_stuck
    -0.01, // bank_trade
    0.02,  // accept_gain
    0.05,  // offer_gain
    1.0,   // offer_two
    1.0,   // offer_eager
    0.1,   // leader_aversion
];
