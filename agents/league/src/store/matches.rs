//! Matches and what is kept to play them again.

use super::Store;
use crate::{
    error::LeagueError,
    matches::{Match, MatchKind, MatchSeed, Outcome, Status},
};
use rusqlite::{OptionalExtension, params, params_from_iter};
use std::str::FromStr;

impl Store {
    /// Adds finished matches and their moves. One that is there already stays as it is, so that a repeat counts once.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn add_matches(&self, outcomes: &[Outcome]) -> Result<(), LeagueError> {
        self.sql(|db| {
            let mut insert = db.prepare_cached(
                "INSERT OR IGNORE INTO matches
                 (id, kind, generation, block, seed, seats, ranks, points, status, steps, decisions, note)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?;
            let mut keep = db.prepare_cached("INSERT OR IGNORE INTO moves (match, bytes) VALUES (?1, ?2)")?;
            for o in outcomes {
                let m = &o.game;
                if let Some(bytes) = &o.replay_bytes {
                    keep.execute(params![m.id, bytes])?;
                }
                insert.execute(params![
                    m.id,
                    m.kind.word(),
                    m.generation,
                    m.block,
                    m.seed.to_string(),
                    join(&m.seats),
                    join(&o.ranks),
                    join(&o.points),
                    o.status.word(),
                    o.steps,
                    o.decisions,
                    o.note
                ])?;
            }
            Ok(())
        })
    }

    /// All matches in order of their ids, handed to `each`.
    ///
    /// # Errors
    /// When a row is not what it should be.
    pub fn each_match(&self, mut each: impl FnMut(Outcome)) -> Result<(), LeagueError> {
        self.matches_where("", None, &mut each)
    }

    /// The match number `id`.
    ///
    /// # Errors
    /// When there is none, or its row is not what it should be.
    pub fn match_of(&self, id: i64) -> Result<Outcome, LeagueError> {
        let mut found = None;
        self.matches_where("WHERE id = ?1", Some(id), &mut |o| found = Some(o))?;
        let range = || {
            self.sql(|db| {
                db.query_row("SELECT min(id), max(id) FROM matches", [], |r| {
                    Ok(r.get::<_, Option<i64>>(0)?.zip(r.get(1)?))
                })
            })
        };
        match found {
            Some(outcome) => Ok(outcome),
            None => Err(LeagueError::NoMatch { path: self.path.clone(), id, range: range()? }),
        }
    }

    /// The matches of one generation, in order of their ids.
    ///
    /// # Errors
    /// When a row is not what it should be.
    pub fn matches_of(&self, generation: u32) -> Result<Vec<Outcome>, LeagueError> {
        let mut found = Vec::new();
        self.matches_where("WHERE generation = ?1", Some(generation.into()), &mut |o| found.push(o))?;
        Ok(found)
    }

    fn matches_where(
        &self,
        filter: &str,
        value: Option<i64>,
        each: &mut impl FnMut(Outcome),
    ) -> Result<(), LeagueError> {
        let whole = if self.has_whole { "replay" } else { "NULL" };
        let query = format!(
            "SELECT id, kind, generation, block, seed, seats, ranks, points, status, steps, decisions, note, {whole}
             FROM matches {filter} ORDER BY id"
        );
        let bad = self.sql(|db| {
            let mut select = db.prepare(&query)?;
            let mut rows = select.query(params_from_iter(value))?;
            while let Some(r) = rows.next()? {
                let text = |i: usize| r.get::<_, String>(i);
                let row = parse_row(&text(1)?, &text(4)?, &text(5)?, &text(6)?, &text(7)?, &text(8)?);
                let Some((kind, seed, seats, ranks, points, status)) = row else {
                    return Ok(Some(r.get::<_, i64>(0)?));
                };
                let replay: Option<String> = r.get(12)?;
                let record = self.version > 1 || replay.is_some();
                let game = Match {
                    id: r.get(0)?,
                    kind,
                    generation: r.get(2)?,
                    block: r.get(3)?,
                    seed,
                    seats,
                    record,
                };
                each(Outcome {
                    game,
                    ranks,
                    points,
                    status,
                    steps: r.get(9)?,
                    decisions: r.get(10)?,
                    note: r.get(11)?,
                    replay,
                    replay_bytes: None,
                });
            }
            Ok(None)
        })?;
        match bad {
            None => Ok(()),
            Some(id) => Err(self.broken(format!("match {id} has a field of the wrong form"))),
        }
    }

    /// What there is to play a match again; `None` where nothing was kept of it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn kept(&self, id: i64) -> Result<Option<Kept>, LeagueError> {
        const WHOLE: &str =
            "SELECT bytes FROM replays JOIN matches ON matches.replay = replays.hash WHERE matches.id = ?1";
        self.sql(|db| {
            let bytes = |query| db.prepare_cached(query)?.query_row([id], |r| r.get(0)).optional();
            if self.version > 1
                && let Some(moves) = bytes("SELECT bytes FROM moves WHERE match = ?1")?
            {
                return Ok(Some(Kept::Moves(moves)));
            }
            Ok(if self.has_whole { bytes(WHOLE)?.map(Kept::Whole) } else { None })
        })
    }

    /// How many matches can be played again and how many bytes that takes, by kind.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn kept_sizes(&self) -> Result<Vec<(MatchKind, KeptSize)>, LeagueError> {
        let mut parts = Vec::new();
        if self.version > 1 {
            parts.push("SELECT match AS id, length(bytes) AS bytes FROM moves");
        }
        if self.has_whole {
            parts.push("SELECT m.id AS id, length(r.bytes) AS bytes FROM matches m JOIN replays r ON m.replay = r.hash");
        }
        let query = format!(
            "SELECT kind, count(*), count(kept.id), coalesce(sum(kept.bytes), 0), coalesce(sum(matches.decisions), 0)
             FROM matches LEFT JOIN ({}) kept ON kept.id = matches.id GROUP BY kind",
            parts.join(" UNION ALL ")
        );
        let rows: Vec<(String, KeptSize)> = self.sql(|db| {
            db.prepare(&query)?
                .query_map([], |r| {
                    let size = KeptSize {
                        games: r.get(1)?,
                        kept: r.get(2)?,
                        bytes: r.get(3)?,
                        decisions: r.get(4)?,
                    };
                    Ok((r.get(0)?, size))
                })?
                .collect()
        })?;
        let mut sizes = rows
            .into_iter()
            .map(|(word, size)| {
                let kind = MatchKind::parse(&word);
                kind.map(|k| (k, size)).ok_or_else(|| self.broken(format!("a match has the kind \"{word}\"")))
            })
            .collect::<Result<Vec<_>, _>>()?;
        sizes.sort_by_key(|(kind, _)| *kind);
        Ok(sizes)
    }
}

/// What is kept of a match to play it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// Its moves: [`rl_gym::Moves`].
    Moves(Vec<u8>),
    /// A whole replay file, of which stores of version 1 kept some: [`rl_gym::Replay`].
    Whole(Vec<u8>),
}

/// How much is kept of the matches of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KeptSize {
    /// Matches.
    pub games: i64,
    /// Matches that can be played again.
    pub kept: i64,
    /// Bytes that are kept of them.
    pub bytes: i64,
    /// Decisions of players in all matches.
    pub decisions: i64,
}

type ParsedRow = (MatchKind, MatchSeed, Vec<i64>, Vec<u8>, Vec<f32>, Status);

fn parse_row(
    kind: &str,
    seed: &str,
    seats: &str,
    ranks: &str,
    points: &str,
    status: &str,
) -> Option<ParsedRow> {
    Some((
        MatchKind::parse(kind)?,
        seed.parse().ok()?,
        split(seats)?,
        split(ranks)?,
        split(points)?,
        Status::parse(status)?,
    ))
}

fn split<T: FromStr>(text: &str) -> Option<Vec<T>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split(',').map(|x| x.parse().ok()).collect()
}

fn join<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
