//! What can be chosen before a game starts.

use crate::topology::MAX_SEATS;
use serde::{Deserialize, Serialize};

/// All options of a game; plain data, part of the state.
///
/// Missing keys take their default when deserialised, unknown keys are refused.
/// The defaults stand in [`Config::default`] alone; the schema of [`crate::options`] and the README follow them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Seats, 2 to 4 (default 4).
    pub seats: u8,
    /// Points that win on one's own turn, 3 to 20 (default 10).
    pub victory_points: u8,
    /// Most cards that a hand may hold when a seven falls, 0 to 95 (default 7).
    pub discard_limit: u8,
    /// House rule: the robber may not touch an opponent with fewer than 3 *visible* points, unless no other
    /// tile is left (default off).
    pub friendly_robber: bool,
    /// Offers between seats (default on).
    pub player_trade: bool,
    /// Offers that a seat may start in one turn (default 3; 0 = as good as no player trade).
    pub max_offers: u8,
    /// A responder may answer an offer with one of its own (default on).
    pub counter_offers: bool,
    /// Turns (end-of-turn actions) after which the game is truncated; 0 = none (default 1000).
    pub turn_cap: u32,
    /// How terrain, tokens and harbours are laid (default spiral).
    pub layout: Layout,
    /// Full or small board (default full).
    pub board: BoardSize,
    /// Decisions with one legal action are taken at once (default off).
    pub auto_advance: bool,
    /// Departures of the recorded engine from the rulebook (default none).
    pub compat: Compat,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seats: 4,
            victory_points: 10,
            discard_limit: 7,
            friendly_robber: false,
            player_trade: true,
            max_offers: 3,
            counter_offers: true,
            turn_cap: 1000,
            layout: Layout::Spiral,
            board: BoardSize::Full,
            auto_advance: false,
            compat: Compat::NONE,
        }
    }
}

/// How the board is laid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// A fixed beginner board with the official counts. On the small board: the fixed small board.
    Beginner,
    /// Terrain and harbours shuffled, tokens A..R along the official spiral from a random corner in a random
    /// direction.
    #[default]
    Spiral,
    /// Terrain, harbours and tokens shuffled, no two of 6 and 8 side by side.
    Random,
}

/// Which tiles are in play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardSize {
    /// 19 tiles, 54 nodes, 72 edges, 9 harbours.
    #[default]
    Full,
    /// 7 tiles, 24 nodes, 30 edges, no harbours; same ids as the middle of the full board.
    Mini,
}

/// Switches that reproduce the recorded engine (`tests/oracle/catan/README.md`, points 1 to 13).
///
/// Point 4 (`rb_forced`) needs no switch: free roads are forced here too. All off by default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Compat {
    /// 1: discarders go in seat order from seat 0 instead of in turn order from the roller.
    pub discard_one_by_one: bool,
    /// 2: bank trades are listed at the best rate only.
    pub best_rate_only: bool,
    /// 3: draft actions are never legal; offers come through [`crate::State::propose`] and are not counted.
    pub offers_not_listed: bool,
    /// 5: [`crate::State::shown_road_length`] is 0 until the first road or settlement after the setup.
    pub lr_len_setup_stale: bool,
    /// 6: a road that ends at an opponent's building does not count.
    pub lr_blocked_end_uncounted: bool,
    /// 7: after a cut the card goes to the first longest seat, tied or short as it may be.
    pub lr_holder_after_cut: bool,
    /// 8: roads may go on past an opponent's building that was put on their end later.
    pub road_through_blocked_end: bool,
    /// 9: a resource that the bank cannot pay in full is paid to nobody, a single due seat included.
    pub bank_all_or_nothing: bool,
    /// 10: one-card Year of Plenty is listed whenever a pair with that card cannot be paid.
    pub yop_single: bool,
    /// 11: the game ends as soon as any seat has the points; of two, the later seat wins.
    pub win_any_time: bool,
    /// 12: responders are asked in seat order from seat 0, the proposer too unless it is seat 0.
    pub proposer_answers: bool,
    /// 13: no winner after 1000 turns, setup turns included.
    pub turn_limit_1000: bool,
}

impl Compat {
    /// Rulebook play.
    pub const NONE: Self = Self {
        discard_one_by_one: false,
        best_rate_only: false,
        offers_not_listed: false,
        lr_len_setup_stale: false,
        lr_blocked_end_uncounted: false,
        lr_holder_after_cut: false,
        road_through_blocked_end: false,
        bank_all_or_nothing: false,
        yop_single: false,
        win_any_time: false,
        proposer_answers: false,
        turn_limit_1000: false,
    };

    /// Switches 1 to 3: another shape of the steps, the same rules.
    pub const MAPPING: Self =
        Self { discard_one_by_one: true, best_rate_only: true, offers_not_listed: true, ..Self::NONE };

    /// Number, name and value of every switch, in order of the numbers.
    pub const fn switches(&self) -> [(u8, &'static str, bool); 12] {
        [
            (1, "discard_one_by_one", self.discard_one_by_one),
            (2, "best_rate_only", self.best_rate_only),
            (3, "offers_not_listed", self.offers_not_listed),
            (5, "lr_len_setup_stale", self.lr_len_setup_stale),
            (6, "lr_blocked_end_uncounted", self.lr_blocked_end_uncounted),
            (7, "lr_holder_after_cut", self.lr_holder_after_cut),
            (8, "road_through_blocked_end", self.road_through_blocked_end),
            (9, "bank_all_or_nothing", self.bank_all_or_nothing),
            (10, "yop_single", self.yop_single),
            (11, "win_any_time", self.win_any_time),
            (12, "proposer_answers", self.proposer_answers),
            (13, "turn_limit_1000", self.turn_limit_1000),
        ]
    }
}

/// An option outside its range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("option `{name}` is {value}, allowed are {low} to {high}")]
pub struct ConfigError {
    /// Field of [`Config`].
    pub name: &'static str,
    /// What it was.
    pub value: u32,
    /// Least allowed value.
    pub low: u32,
    /// Greatest allowed value.
    pub high: u32,
}

impl Config {
    /// Checks every range.
    ///
    /// # Errors
    /// The first option outside its range.
    pub fn check(&self) -> Result<(), ConfigError> {
        let within = |name, value: u8, low, high| {
            let value = u32::from(value);
            if (low..=high).contains(&value) { Ok(()) } else { Err(ConfigError { name, value, low, high }) }
        };
        within("seats", self.seats, 2, MAX_SEATS as u32)?;
        within("victory_points", self.victory_points, 3, 20)?;
        within("discard_limit", self.discard_limit, 0, 95)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_the_base_game_and_bad_values_are_named() {
        assert!(Config::default().check().is_ok());
        let bad = Config { seats: 5, ..Config::default() };
        assert_eq!(bad.check().unwrap_err().to_string(), "option `seats` is 5, allowed are 2 to 4");
        let part: Config = serde_json::from_str(r#"{"seats":3,"layout":"random"}"#).unwrap();
        assert_eq!(part, Config { seats: 3, layout: Layout::Random, ..Config::default() });
        assert!(serde_json::from_str::<Config>(r#"{"seat":3}"#).is_err());
    }
}
