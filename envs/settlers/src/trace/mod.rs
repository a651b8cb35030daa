//! Replays recorded games of an independent engine (`catan-trace/1`) with forced chance and compares seat,
//! prompt, legal set and whole state at every step.
//!
//! Clean games are replayed by the rulebook; only the shape of the steps is mapped (switches 1, 2, 3). The
//! others get those, the display switches 5 and 6, and what their header names:
//!
//! | header | switch |
//! |---|---|
//! | tag `lr_holder_differs` | 7 `lr_holder_after_cut` |
//! | tag `bad_road` or `played_bad` | 8 `road_through_blocked_end` |
//! | tag `bank_short_single` | 9 `bank_all_or_nothing` |
//! | tag `bad_yop` | 10 `yop_single` |
//! | tag `win_out_of_turn` | 11 `win_any_time` |
//! | `"offers": "any"` | 12 `proposer_answers` |
//! | tag `truncated` | 13 `turn_limit_1000` |

mod format;
mod notation;

use crate::action::ActionId;
use crate::board::{Board, Port};
use crate::chance::Outcome;
use crate::counts::{Counts, DevCard, Resource};
use crate::longest_road::longest;
use crate::options::{BoardSize, Compat, Config};
use crate::state::{DECK, GameOutcome, Offer, Phase, State};
use crate::topology::{EDGE_NODES, PORT_NODES, PORTS, Seat, TILE_NODES, TILE_XYZ, TILES};
use format::{Footer, Header, OutcomeRow, PlayerRow, StepRow};
use rl_gym::Pcg64;
use std::fmt::Debug;
use std::io::BufRead;

/// What a replay went through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceSummary {
    /// Decisions compared.
    pub steps: u32,
    /// Turns, setup included, as the traces count them.
    pub turns: u32,
    /// Who won.
    pub winner: Option<Seat>,
    /// Switches that the header asked for.
    pub compat: Compat,
    /// The last state.
    pub last: State,
}

/// Why a replay stopped.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file could not be read.
    #[error("{file}: {source}")]
    Io {
        /// Name as given.
        file: String,
        /// Cause.
        source: std::io::Error,
    },
    /// A line is not what the format says.
    #[error("{file}, line {line}: {message}")]
    Format {
        /// Name as given.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// Our state and theirs differ.
    #[error("{file}, {}: {field} is {ours} here but {theirs} in the trace", step.map_or("header or footer".into(), |s| format!("step {s}")))]
    Diverges {
        /// Name as given.
        file: String,
        /// Step number, `None` in header and footer.
        step: Option<u32>,
        /// What differs, as the trace calls it.
        field: String,
        /// Our value.
        ours: String,
        /// The recorded value.
        theirs: String,
    },
}

/// Replays one trace; `reader` yields the decompressed lines, `name` is used in errors.
///
/// # Errors
/// An unreadable file, a malformed line, or the first difference.
pub fn replay_trace(name: &str, reader: &mut dyn BufRead) -> Result<TraceSummary, TraceError> {
    let mut lines = Vec::new();
    for line in reader.lines() {
        lines.push(line.map_err(|source| TraceError::Io { file: name.into(), source })?);
    }
    let at = Place { file: name, step: None };
    let [first, steps @ .., last] = lines.as_slice() else {
        return Err(at.format(lines.len(), "a trace has a header and a footer"));
    };
    let header: Header = at.parse(first, 1)?;
    let mut replay = Replay::start(&at, &header)?;
    for (k, line) in steps.iter().enumerate() {
        let row: StepRow = at.parse(line, k + 2)?;
        at.same("i", &(k as u32), &row.i)?;
        replay.step(&Place { file: name, step: Some(row.i) }, &row)?;
    }
    let footer: Footer = at.parse(last, lines.len())?;
    replay.finish(&at, &footer)
}

/// Where we are, for errors.
struct Place<'a> {
    file: &'a str,
    step: Option<u32>,
}

impl Place<'_> {
    fn format(&self, line: usize, message: &str) -> TraceError {
        TraceError::Format { file: self.file.into(), line, message: message.into() }
    }

    fn parse<'t, T: serde::Deserialize<'t>>(&self, text: &'t str, line: usize) -> Result<T, TraceError> {
        serde_json::from_str(text).map_err(|e| self.format(line, &e.to_string()))
    }

    fn differs(&self, field: &str, ours: impl Debug, theirs: impl Debug) -> TraceError {
        TraceError::Diverges {
            file: self.file.into(),
            step: self.step,
            field: field.into(),
            ours: format!("{ours:?}"),
            theirs: format!("{theirs:?}"),
        }
    }

    fn same<T: PartialEq + Debug>(&self, field: &str, ours: &T, theirs: &T) -> Result<(), TraceError> {
        if ours == theirs { Ok(()) } else { Err(self.differs(field, ours, theirs)) }
    }
}

/// The switches for a game, from its header (table in the module's documentation).
fn compat(header: &Header) -> Compat {
    if header.clean {
        return Compat::MAPPING;
    }
    let tag = |name: &str| header.tags.contains_key(name);
    Compat {
        lr_len_setup_stale: true,
        lr_blocked_end_uncounted: true,
        lr_holder_after_cut: tag("lr_holder_differs"),
        road_through_blocked_end: tag("bad_road") || tag("played_bad"),
        bank_all_or_nothing: tag("bank_short_single"),
        yop_single: tag("bad_yop"),
        win_any_time: tag("win_out_of_turn"),
        proposer_answers: header.offers == "any",
        turn_limit_1000: tag("truncated"),
        ..Compat::MAPPING
    }
}

fn board(at: &Place<'_>, header: &Header) -> Result<Board, TraceError> {
    at.same("edges", &EDGE_NODES.as_slice(), &header.edges.as_slice())?;
    at.same("number of tiles", &TILES, &header.tiles.len())?;
    at.same("number of ports", &PORTS, &header.ports.len())?;
    let resource = |index: usize| {
        Resource::ALL.get(index).copied().ok_or_else(|| at.differs("resource index", "0..5", index))
    };
    let (mut tiles, mut numbers, mut ports) = ([None; TILES], [0; TILES], [Port::None; PORTS]);
    for (t, row) in header.tiles.iter().enumerate() {
        at.same("tile id", &t, &row.id)?;
        at.same(&format!("tiles[{t}].xyz"), &TILE_XYZ[t], &row.xyz)?;
        at.same(&format!("tiles[{t}].nodes"), &TILE_NODES[t], &row.nodes.array())?;
        tiles[t] = row.res.map(resource).transpose()?;
        numbers[t] = row.num.unwrap_or(0);
    }
    for (k, row) in header.ports.iter().enumerate() {
        at.same("port id", &k, &row.id)?;
        at.same(&format!("ports[{k}].nodes"), &PORT_NODES[k], &row.nodes)?;
        ports[k] = row.res.map(resource).transpose()?.map_or(Port::Any, Port::Of);
    }
    Ok(Board::from_parts(BoardSize::Full, tiles, numbers, ports))
}

struct Replay {
    state: State,
    is_clean: bool,
}

impl Replay {
    fn start(at: &Place<'_>, header: &Header) -> Result<Self, TraceError> {
        at.same("format", &"catan-trace/1", &header.format.as_str())?;
        at.same("dev_deck", &DECK.array(), &header.dev_deck)?;
        let config = Config {
            seats: header.players,
            victory_points: header.vps_to_win,
            discard_limit: header.discard_limit,
            friendly_robber: header.friendly_robber,
            turn_cap: 0,
            compat: compat(header),
            ..Config::default()
        };
        let board = board(at, header)?;
        let state =
            State::on_board(&config, board, Pcg64::seed(0)).map_err(|e| at.format(1, &e.to_string()))?;
        at.same("robber", &state.robber(), &header.robber)?;
        Ok(Self { state, is_clean: header.clean })
    }

    fn step(&mut self, at: &Place<'_>, row: &StepRow) -> Result<(), TraceError> {
        at.same("p", &self.state.actor(), &Some(row.p))?;
        at.same("q", &notation::prompt(self.state.phase()), &row.q.as_str())?;
        let legal = notation::legal(&self.state);
        self.compare_legal(at, row, &legal)?;
        self.apply(at, row, &legal)?;
        self.compare_state(at, row)
    }

    /// Their list less what the rulebook (or a switch that is off) does not allow.
    fn compare_legal(
        &self,
        at: &Place<'_>,
        row: &StepRow,
        legal: &[(String, ActionId)],
    ) -> Result<(), TraceError> {
        let compat = &self.state.config().compat;
        let excused = |a: &String| {
            let reproduced = compat.road_through_blocked_end && a.starts_with("ROAD:")
                || compat.yop_single && a.starts_with("YOP:");
            !reproduced && row.bad.contains(a)
        };
        let mut theirs: Vec<&String> = row.la.iter().filter(|a| !excused(a)).collect();
        theirs.sort();
        let ours: Vec<&String> = legal.iter().map(|(text, _)| text).collect();
        if ours == theirs {
            return Ok(());
        }
        let only = |a: &[&String], b: &[&String]| -> Vec<String> {
            a.iter().filter(|x| !b.contains(x)).map(|x| x.to_string()).collect()
        };
        let both = (only(&ours, &theirs), only(&theirs, &ours));
        Err(at.differs("la (what only one side lists)", both.0, both.1))
    }

    fn apply(
        &mut self,
        at: &Place<'_>,
        row: &StepRow,
        legal: &[(String, ActionId)],
    ) -> Result<(), TraceError> {
        if row.a.starts_with("OFFER:") {
            let Some((give, want)) = notation::parse_offer(&row.a) else {
                return Err(at.differs("a", "an offer", &row.a));
            };
            let offer = Offer { give: Counts::new(give), want: Counts::new(want) };
            return self.state.propose(offer).map_err(|e| at.differs("a", e.to_string(), &row.a));
        }
        let Some((_, id)) = legal.iter().find(|(text, _)| *text == row.a) else {
            return Err(at.differs("a", "illegal", &row.a));
        };
        let pending = self.state.decide(*id).map_err(|e| at.differs("a", e.to_string(), &row.a))?;
        let forced = match row.o {
            None => Outcome::Certain,
            Some(OutcomeRow::Dice([a, b])) => Outcome::Dice(a, b),
            Some(OutcomeRow::Card(k)) if row.a == "DEV" && k < 5 => Outcome::Drawn(DevCard::ALL[k]),
            Some(OutcomeRow::Card(k)) if k < 5 => Outcome::Stolen(Resource::from_index(k)),
            Some(other) => return Err(at.differs("o", "a card index below 5", other)),
        };
        match (pending, forced) {
            (None, Outcome::Certain) => Ok(()),
            _ => self.state.resolve(forced).map_err(|e| at.differs("o", e.to_string(), forced)),
        }
    }

    fn compare_state(&self, at: &Place<'_>, row: &StepRow) -> Result<(), TraceError> {
        let state = &self.state;
        at.same("number of seats in P", &state.num_seats(), &row.players.len())?;
        for (s, theirs) in row.players.iter().enumerate() {
            self.compare_seat(at, s as Seat, theirs)?;
        }
        at.same("bank", &state.bank().array(), &row.bank)?;
        at.same("dd", &state.deck().total(), &row.dd)?;
        at.same("lr", &state.road_holder(), &row.lr)?;
        let lengths: Vec<u8> = (0..state.num_seats() as Seat).map(|s| self.rulebook_length(s)).collect();
        at.same("lro", &lengths, &row.lro)?;
        if self.is_clean {
            at.same("lrh", &state.road_holder(), &row.lrh)?;
            let kept: Vec<u8> = (0..state.num_seats()).map(|s| state.seat(s as Seat).road_length).collect();
            at.same("lro", &kept, &row.lro)?;
        }
        at.same("army", &state.army_holder(), &row.army)?;
        at.same("rob", &state.robber(), &row.rob)?;
        at.same("free", &state.free_roads(), &row.free)?;
        at.same("t", &self.trace_turns(), &row.t)?;
        let theirs = row.next.as_ref().map(|(seat, prompt)| (*seat, prompt.as_str()));
        at.same("next", &self.next(), &theirs)
    }

    fn compare_seat(&self, at: &Place<'_>, s: Seat, theirs: &PlayerRow) -> Result<(), TraceError> {
        let own = self.state.seat(s);
        let same =
            |name: &str, ours: &[u8], theirs: &[u8]| at.same(&format!("P[{s}] {name}"), &ours, &theirs);
        same("hand", &own.hand.array(), &theirs.0)?;
        same("dev", &own.dev.array(), &theirs.1)?;
        same("played", &own.played, &theirs.2)?;
        same("left", &[own.roads_left, own.settlements_left, own.cities_left], &theirs.3)?;
        same("public points", &[own.points], &[theirs.4])?;
        same("true points", &[own.true_points()], &[theirs.5])?;
        if !self.is_clean {
            same("road length", &[self.state.shown_road_length(s)], &[theirs.6])?;
        }
        Ok(())
    }

    /// By the rulebook and from scratch, whatever the switches keep in the state.
    fn rulebook_length(&self, s: Seat) -> u8 {
        longest(self.state.seat(s).roads, self.state.blocked(s))
    }

    /// Turns as the traces count them: each pass to another seat, setup included.
    fn trace_turns(&self) -> u32 {
        let (n, k) = (u32::from(self.state.config().seats), u32::from(self.state.setup_placed()));
        let passes = k - u32::from(k >= n) - u32::from(k == 2 * n);
        passes + self.state.turns()
    }

    fn next(&self) -> Option<(Seat, &'static str)> {
        match self.state.outcome() {
            None => self.state.actor().map(|seat| (seat, notation::prompt(self.state.phase()))),
            Some(GameOutcome::Winner(_)) => None,
            // The recorder writes who would go on.
            Some(GameOutcome::Truncated) => {
                Some((self.state.turn_seat(), notation::prompt(Phase::BeforeRoll)))
            }
        }
    }

    fn finish(self, at: &Place<'_>, footer: &Footer) -> Result<TraceSummary, TraceError> {
        let winner = match self.state.outcome() {
            Some(GameOutcome::Winner(seat)) => Some(seat),
            _ => None,
        };
        at.same("is over", &self.state.outcome().is_some(), &true)?;
        at.same("winner", &winner, &footer.winner)?;
        at.same("turns", &self.trace_turns(), &footer.turns)?;
        let compat = self.state.config().compat;
        Ok(TraceSummary { steps: footer.steps, turns: footer.turns, winner, compat, last: self.state })
    }
}
