//! The lines of a `catan-trace/1` file as data.

use serde::Deserialize;
use std::collections::BTreeMap;

/// First line.
#[derive(Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) players: u8,
    pub(super) discard_limit: u8,
    pub(super) friendly_robber: bool,
    pub(super) vps_to_win: u8,
    pub(super) dev_deck: [u8; 5],
    pub(super) robber: u8,
    pub(super) offers: String,
    pub(super) tiles: Vec<TileRow>,
    pub(super) ports: Vec<PortRow>,
    pub(super) edges: Vec<[u8; 2]>,
    pub(super) clean: bool,
    pub(super) tags: BTreeMap<String, u32>,
}

/// One tile of the header.
#[derive(Deserialize)]
pub(super) struct TileRow {
    pub(super) id: usize,
    pub(super) xyz: [i8; 3],
    pub(super) res: Option<usize>,
    pub(super) num: Option<u8>,
    pub(super) nodes: Corners,
}

/// Nodes of a tile by corner.
#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Corners {
    north: u8,
    northeast: u8,
    southeast: u8,
    south: u8,
    southwest: u8,
    northwest: u8,
}

impl Corners {
    pub(super) fn array(&self) -> [u8; 6] {
        [self.north, self.northeast, self.southeast, self.south, self.southwest, self.northwest]
    }
}

/// One harbour of the header.
#[derive(Deserialize)]
pub(super) struct PortRow {
    pub(super) id: usize,
    pub(super) res: Option<usize>,
    pub(super) nodes: [u8; 2],
}

/// Hand, unplayed and played cards, pieces left, public and true points, engine road length.
#[derive(Deserialize)]
pub(super) struct PlayerRow(
    pub(super) [u8; 5],
    pub(super) [u8; 5],
    pub(super) [u8; 4],
    pub(super) [u8; 3],
    pub(super) u8,
    pub(super) u8,
    pub(super) u8,
);

/// One decision and the state after it.
#[derive(Deserialize)]
pub(super) struct StepRow {
    pub(super) i: u32,
    pub(super) p: u8,
    pub(super) t: u32,
    pub(super) q: String,
    pub(super) la: Vec<String>,
    pub(super) a: String,
    #[serde(default)]
    pub(super) o: Option<OutcomeRow>,
    #[serde(default)]
    pub(super) bad: Vec<String>,
    #[serde(rename = "P")]
    pub(super) players: Vec<PlayerRow>,
    pub(super) bank: [u8; 5],
    pub(super) dd: u8,
    pub(super) lr: Option<u8>,
    pub(super) army: Option<u8>,
    pub(super) lro: Vec<u8>,
    pub(super) lrh: Option<u8>,
    pub(super) rob: u8,
    #[serde(default)]
    pub(super) free: u8,
    pub(super) next: Option<(u8, String)>,
}

/// A chance outcome: dice or a card index.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(untagged)]
pub(super) enum OutcomeRow {
    Dice([u8; 2]),
    Card(usize),
}

/// Last line.
#[derive(Deserialize)]
pub(super) struct Footer {
    pub(super) steps: u32,
    pub(super) turns: u32,
    pub(super) winner: Option<u8>,
}
