//! The one flat action table: typed actions, indices and names.
//!
//! Indices depend on nothing but the kind of the move and the ids of the board's geometry: not on colours,
//! terrain, number of seats or board size. Other seats appear by *offset* from the acting seat (1 = next in
//! turn order), because observations are rotated so that the viewer is seat 0: one policy then reads and
//! writes the same numbers whatever seat it sits on.

use crate::counts::Resource;
use crate::topology::{EDGE_NODES, EDGES, EdgeId, NODES, NodeId, TILES, TileId, edge_between};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Index into the action table, `0..`[`ACTIONS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ActionId(pub u16);

/// First index of each block of the table.
pub mod at {
    /// Settlement on node `i - SETTLEMENT` (54; the setup uses the same).
    pub const SETTLEMENT: u16 = 0;
    /// City on node `i - CITY` (54).
    pub const CITY: u16 = 54;
    /// Road on edge `i - ROAD` (72; setup and free roads use the same).
    pub const ROAD: u16 = 108;
    /// Roll the dice.
    pub const ROLL: u16 = 180;
    /// End the turn.
    pub const END_TURN: u16 = 181;
    /// Buy a development card.
    pub const BUY_DEV: u16 = 182;
    /// Play a knight.
    pub const KNIGHT: u16 = 183;
    /// Play road building.
    pub const ROAD_BUILDING: u16 = 184;
    /// Year of plenty for two cards: pairs r <= s in lexical order (15).
    pub const PLENTY: u16 = 185;
    /// Year of plenty for the bank's last card (5).
    pub const PLENTY_ONE: u16 = 200;
    /// Monopoly (5).
    pub const MONOPOLY: u16 = 205;
    /// Robber: `offset * 19 + tile`, offset 0 = steal from nobody, else that seat after the actor (76).
    pub const ROBBER: u16 = 210;
    /// Discard one card of a resource (5).
    pub const DISCARD: u16 = 286;
    /// Bank trades at 4, 3 and 2 for one, 20 pairs each: `give * 4 + want`, want counted without give (60).
    pub const BANK: u16 = 291;
    /// Put one card of a resource on the giving side of the draft (5).
    pub const OFFER_GIVE: u16 = 351;
    /// Put one card of a resource on the wanted side of the draft (5).
    pub const OFFER_WANT: u16 = 356;
    /// Send the draft.
    pub const OFFER_SEND: u16 = 361;
    /// Drop the draft.
    pub const OFFER_DROP: u16 = 362;
    /// Accept the offer.
    pub const ACCEPT: u16 = 363;
    /// Reject the offer.
    pub const REJECT: u16 = 364;
    /// Answer with a draft of one's own.
    pub const COUNTER: u16 = 365;
    /// Trade with the seat at offset 1, 2, 3 (3).
    pub const CONFIRM: u16 = 366;
    /// Trade with nobody.
    pub const CANCEL_TRADE: u16 = 369;
}

/// Size of the action table.
pub const ACTIONS: usize = at::CANCEL_TRADE as usize + 1;

/// A move in typed form; [`Action::id`] and [`ActionId::action`] are inverse.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Place a settlement.
    Settlement(NodeId),
    /// Turn a settlement into a city.
    City(NodeId),
    /// Place a road.
    Road(EdgeId),
    /// Roll the dice.
    Roll,
    /// End the turn.
    EndTurn,
    /// Buy a development card.
    BuyDev,
    /// Play a knight.
    Knight,
    /// Play road building.
    RoadBuilding,
    /// Play year of plenty for two cards, lower resource first.
    YearOfPlenty(Resource, Resource),
    /// Play year of plenty for the last card of the bank.
    YearOfPlentyOne(Resource),
    /// Play monopoly.
    Monopoly(Resource),
    /// Move the robber to a tile and steal from the seat `victim` places after the actor (0 = nobody).
    Robber {
        /// Where to.
        tile: TileId,
        /// Offset of the victim, 0..=3.
        victim: u8,
    },
    /// Give one card to the bank after a seven.
    Discard(Resource),
    /// Give `rate` of one resource to the bank for one of another.
    Bank {
        /// 4, 3 or 2.
        rate: u8,
        /// Resource given.
        give: Resource,
        /// Resource taken.
        want: Resource,
    },
    /// Draft: one more card to give.
    OfferGive(Resource),
    /// Draft: one more card to want.
    OfferWant(Resource),
    /// Send the draft.
    OfferSend,
    /// Drop the draft.
    OfferDrop,
    /// Accept the offer.
    Accept,
    /// Reject the offer.
    Reject,
    /// Start a counter offer.
    Counter,
    /// Trade with the seat at this offset, 1..=3.
    Confirm(u8),
    /// Trade with nobody.
    CancelTrade,
}

/// The table itself.
static TABLE: [Action; ACTIONS] = {
    let mut table = [Action::Roll; ACTIONS];
    let mut i = 0;
    while i < ACTIONS {
        table[i] = decode(i as u16);
        i += 1;
    }
    table
};

/// Index of the pair `r <= s` among the 15 pairs.
pub(crate) const fn pair_index(r: usize, s: usize) -> u16 {
    (r * (11 - r) / 2 + s - r) as u16
}

const fn decode(i: u16) -> Action {
    use at::*;
    const R: [Resource; 5] = Resource::ALL;
    match i {
        SETTLEMENT..CITY => Action::Settlement((i - SETTLEMENT) as u8),
        CITY..ROAD => Action::City((i - CITY) as u8),
        ROAD..ROLL => Action::Road((i - ROAD) as u8),
        ROLL => Action::Roll,
        END_TURN => Action::EndTurn,
        BUY_DEV => Action::BuyDev,
        KNIGHT => Action::Knight,
        ROAD_BUILDING => Action::RoadBuilding,
        PLENTY..PLENTY_ONE => {
            let (mut r, mut left) = (0, (i - PLENTY) as usize);
            while left >= 5 - r {
                left -= 5 - r;
                r += 1;
            }
            Action::YearOfPlenty(R[r], R[r + left])
        }
        PLENTY_ONE..MONOPOLY => Action::YearOfPlentyOne(R[(i - PLENTY_ONE) as usize]),
        MONOPOLY..ROBBER => Action::Monopoly(R[(i - MONOPOLY) as usize]),
        ROBBER..DISCARD => {
            let k = (i - ROBBER) as usize;
            Action::Robber { tile: (k % TILES) as u8, victim: (k / TILES) as u8 }
        }
        DISCARD..BANK => Action::Discard(R[(i - DISCARD) as usize]),
        BANK..OFFER_GIVE => {
            let k = (i - BANK) as usize;
            let (give, want) = (k % 20 / 4, k % 4);
            let want = if want < give { want } else { want + 1 };
            Action::Bank { rate: 4 - (k / 20) as u8, give: R[give], want: R[want] }
        }
        OFFER_GIVE..OFFER_WANT => Action::OfferGive(R[(i - OFFER_GIVE) as usize]),
        OFFER_WANT..OFFER_SEND => Action::OfferWant(R[(i - OFFER_WANT) as usize]),
        OFFER_SEND => Action::OfferSend,
        OFFER_DROP => Action::OfferDrop,
        ACCEPT => Action::Accept,
        REJECT => Action::Reject,
        COUNTER => Action::Counter,
        CONFIRM..CANCEL_TRADE => Action::Confirm((i - CONFIRM) as u8 + 1),
        _ => Action::CancelTrade,
    }
}

impl Action {
    /// Index of this action.
    ///
    /// # Panics
    /// When an id inside is outside its range (node 54, offset 4, trading a resource for itself, ..).
    pub fn id(self) -> ActionId {
        use at::*;
        let within = |x: u8, n: usize| {
            assert!(usize::from(x) < n, "{self:?} is not in the action table");
            u16::from(x)
        };
        ActionId(match self {
            Self::Settlement(n) => SETTLEMENT + within(n, NODES),
            Self::City(n) => CITY + within(n, NODES),
            Self::Road(e) => ROAD + within(e, EDGES),
            Self::Roll => ROLL,
            Self::EndTurn => END_TURN,
            Self::BuyDev => BUY_DEV,
            Self::Knight => KNIGHT,
            Self::RoadBuilding => ROAD_BUILDING,
            Self::YearOfPlenty(r, s) => PLENTY + pair_index(r.min(s).index(), r.max(s).index()),
            Self::YearOfPlentyOne(r) => PLENTY_ONE + r as u16,
            Self::Monopoly(r) => MONOPOLY + r as u16,
            Self::Robber { tile, victim } => ROBBER + within(victim, 4) * TILES as u16 + within(tile, TILES),
            Self::Discard(r) => DISCARD + r as u16,
            Self::Bank { rate, give, want } => {
                assert!((2..=4).contains(&rate) && give != want, "{self:?} is not in the action table");
                let want = want as u16 - u16::from(want > give);
                BANK + u16::from(4 - rate) * 20 + give as u16 * 4 + want
            }
            Self::OfferGive(r) => OFFER_GIVE + r as u16,
            Self::OfferWant(r) => OFFER_WANT + r as u16,
            Self::OfferSend => OFFER_SEND,
            Self::OfferDrop => OFFER_DROP,
            Self::Accept => ACCEPT,
            Self::Reject => REJECT,
            Self::Counter => COUNTER,
            Self::Confirm(k) => CONFIRM + within(k.wrapping_sub(1), 3),
            Self::CancelTrade => CANCEL_TRADE,
        })
    }
}

impl ActionId {
    /// The typed action, or `None` outside the table.
    #[inline]
    pub fn action(self) -> Option<Action> {
        TABLE.get(usize::from(self.0)).copied()
    }

    /// The canonical name, or `None` outside the table.
    pub fn name(self) -> Option<String> {
        self.action().map(|a| a.to_string())
    }

    /// The action with this canonical name; spaces around and letter case do not matter.
    pub fn parse(name: &str) -> Option<Self> {
        Action::parse(name).map(Action::id)
    }
}

impl From<Action> for ActionId {
    fn from(action: Action) -> Self {
        action.id()
    }
}

/// The canonical name, as listed in the crate's README; stable within an environment version.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Settlement(n) => write!(f, "build settlement {n}"),
            Self::City(n) => write!(f, "build city {n}"),
            Self::Road(e) => {
                let [a, b] = EDGE_NODES[usize::from(e)];
                write!(f, "build road {a}-{b}")
            }
            Self::Roll => f.write_str("roll dice"),
            Self::EndTurn => f.write_str("end turn"),
            Self::BuyDev => f.write_str("buy development card"),
            Self::Knight => f.write_str("play knight"),
            Self::RoadBuilding => f.write_str("play road building"),
            Self::YearOfPlenty(r, s) => write!(f, "play year of plenty {}+{}", r.name(), s.name()),
            Self::YearOfPlentyOne(r) => write!(f, "play year of plenty {}", r.name()),
            Self::Monopoly(r) => write!(f, "play monopoly {}", r.name()),
            Self::Robber { tile, victim: 0 } => write!(f, "move robber {tile}"),
            Self::Robber { tile, victim } => write!(f, "move robber {tile} steal +{victim}"),
            Self::Discard(r) => write!(f, "discard {}", r.name()),
            Self::Bank { rate, give, want } => write!(f, "bank {rate} {} for {}", give.name(), want.name()),
            Self::OfferGive(r) => write!(f, "offer give {}", r.name()),
            Self::OfferWant(r) => write!(f, "offer want {}", r.name()),
            Self::OfferSend => f.write_str("offer send"),
            Self::OfferDrop => f.write_str("offer drop"),
            Self::Accept => f.write_str("accept"),
            Self::Reject => f.write_str("reject"),
            Self::Counter => f.write_str("counter"),
            Self::Confirm(k) => write!(f, "confirm +{k}"),
            Self::CancelTrade => f.write_str("cancel trade"),
        }
    }
}

impl Action {
    /// The action with this canonical name; letter case and the number of spaces do not matter.
    pub fn parse(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let resource = |w: &str| Resource::ALL.into_iter().find(|r| r.name() == w);
        let below = |w: &str, n: usize| w.parse::<u8>().ok().filter(|&x| usize::from(x) < n);
        let offset = |w: &str| w.strip_prefix('+').and_then(|k| below(k, 4)).filter(|&k| k > 0);
        Some(match *words.as_slice() {
            ["build", "settlement", n] => Self::Settlement(below(n, NODES)?),
            ["build", "city", n] => Self::City(below(n, NODES)?),
            ["build", "road", pair] => {
                let (a, b) = pair.split_once('-')?;
                Self::Road(edge_between(below(a, NODES)?, below(b, NODES)?)?)
            }
            ["roll", "dice"] => Self::Roll,
            ["end", "turn"] => Self::EndTurn,
            ["buy", "development", "card"] => Self::BuyDev,
            ["play", "knight"] => Self::Knight,
            ["play", "road", "building"] => Self::RoadBuilding,
            ["play", "year", "of", "plenty", what] => match what.split_once('+') {
                Some((r, s)) => {
                    let (r, s) = (resource(r)?, resource(s)?);
                    Self::YearOfPlenty(r.min(s), r.max(s))
                }
                None => Self::YearOfPlentyOne(resource(what)?),
            },
            ["play", "monopoly", r] => Self::Monopoly(resource(r)?),
            ["move", "robber", t] => Self::Robber { tile: below(t, TILES)?, victim: 0 },
            ["move", "robber", t, "steal", k] => Self::Robber { tile: below(t, TILES)?, victim: offset(k)? },
            ["discard", r] => Self::Discard(resource(r)?),
            ["bank", rate, give, "for", want] => {
                let (give, want) = (resource(give)?, resource(want)?);
                let rate = below(rate, 5).filter(|&k| k >= 2 && give != want)?;
                Self::Bank { rate, give, want }
            }
            ["offer", "give", r] => Self::OfferGive(resource(r)?),
            ["offer", "want", r] => Self::OfferWant(resource(r)?),
            ["offer", "send"] => Self::OfferSend,
            ["offer", "drop"] => Self::OfferDrop,
            ["accept"] => Self::Accept,
            ["reject"] => Self::Reject,
            ["counter"] => Self::Counter,
            ["confirm", k] => Self::Confirm(offset(k)?),
            ["cancel", "trade"] => Self::CancelTrade,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn index_name_and_typed_form_round_trip_for_the_whole_table() {
        let mut names = HashSet::new();
        for i in 0..ACTIONS as u16 {
            let action = ActionId(i).action().unwrap();
            assert_eq!(action.id(), ActionId(i), "{action:?}");
            let name = ActionId(i).name().unwrap();
            assert_eq!(ActionId::parse(&name), Some(ActionId(i)), "{name}");
            assert!(names.insert(name));
        }
        assert_eq!(ActionId(ACTIONS as u16).action(), None);
        // 54 + 54 + 72 + 5 single + 20 plenty + 5 + 76 robber + 5 + 60 bank + 19 player trade.
        assert_eq!(ACTIONS, 370);
    }

    #[test]
    fn names_are_read_leniently_and_nonsense_is_refused() {
        assert_eq!(Action::parse("  Build ROAD 13-12 "), Some(Action::Road(edge_between(12, 13).unwrap())));
        for bad in [
            "",
            "build road 0-53",
            "build city 54",
            "bank 4 ore for ore",
            "bank 1 ore for wood",
            "confirm +0",
        ] {
            assert_eq!(Action::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_table_is_stable() {
        let spot = |i: u16| ActionId(i).name().unwrap();
        assert_eq!(spot(108), "build road 0-1");
        assert_eq!(spot(199), "play year of plenty ore+ore");
        assert_eq!(spot(210 + 19 + 4), "move robber 4 steal +1");
        assert_eq!(spot(291 + 40 + 19), "bank 2 ore for wheat");
        assert_eq!(spot(369), "cancel trade");
    }
}
