//! Conformance: what every environment must do, as data, and a run that reports every breach it meets.
//!
//! Written for hostile environments: a panic, a fault or an endless episode is a finding, never the end of
//! the run. Only an environment that never returns from a call can hold it up.

mod batch;
mod book;
mod chance;
mod episode;
mod hidden;
mod moves;
mod snapshot;
mod spec;
mod stage;
mod state;
mod text;

use crate::{game::Game, options::Options, seed::EpisodeSeed};
use book::Book;
use std::fmt;

/// The rules by name, with what each means.
pub const RULES: &[(&str, &str)] = &[
    ("spec", "the spec is sane, the same in every environment of these options, and never changes"),
    ("panic", "no call panics"),
    ("fault", "no reset or step of legal play fails"),
    ("ends", "an episode ends by itself or by the spec's max_steps"),
    ("same-seed", "the same seed and actions give the same bytes"),
    ("leak", "an episode does not depend on the episodes before it"),
    ("other-seed", "where there is luck or something hidden, another seed gives another game"),
    ("obs-space", "every observation row lies inside its space"),
    ("obs-written", "observe replaces every byte of the row and every bit of the mask"),
    ("flags", "flags agree with each other, with the seats alive before and with the spec's dynamics"),
    ("mask", "a seat to act has a legal action; bits past the end are zero"),
    ("legal-accepted", "every action inside the mask is accepted"),
    (
        "illegal-refused",
        "an illegal action sets ILLEGAL and changes nothing: no reward, same state, same seat asked",
    ),
    ("ignored-rows", "action rows of seats that are not to act change nothing"),
    ("rewards", "rewards are finite, within the spec's range, and zero at a reset and for dead seats"),
    ("utility", "rewards relate as the spec says: zero-sum, cooperative"),
    ("ranks", "ranks come exactly at the end, complete, from 0, as the spec's placing says"),
    ("snapshot", "a loaded state is the saved one and goes on as it did, also in another environment"),
    ("state-hash", "the state hash changes when something visible changes"),
    (
        "chance",
        "explicit luck: probabilities sum to 1, drawn outcomes lead to the same states, misuse is refused",
    ),
    (
        "resample",
        "resampling keeps what the viewer sees, depends on the generator alone and leaves a playable state",
    ),
    ("text", "legal names are those of the mask, unique, and parse back; texts are total and short"),
    ("batch", "a lane equals its solo run in all autoreset modes, with any number of workers"),
    ("replay", "a recorded episode is saved, loaded and verified"),
    ("allocations", "a warm step allocates nothing (checked when the caller counts allocations)"),
];

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Works, but somebody will be surprised.
    Warning,
    /// The rule is broken.
    Error,
}

/// One breach of a rule, with where it was met.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Rule, one of [`RULES`].
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Seed of the episode; `None` outside of episodes.
    pub seed: Option<EpisodeSeed>,
    /// Env step of the episode, 0 at its start.
    pub step: u32,
    /// The seat concerned.
    pub seat: Option<usize>,
    /// What was wrong, with the values seen.
    pub detail: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = if self.severity == Severity::Error { "error" } else { "warning" };
        write!(f, "{severity}[{}]", self.rule)?;
        if let Some(seed) = self.seed {
            write!(f, " seed {seed} step {}", self.step)?;
        }
        if let Some(seat) = self.seat {
            write!(f, " seat {seat}")?;
        }
        write!(f, ": {}", self.detail)
    }
}

/// The choices of a check.
#[derive(Clone, Copy, Debug)]
pub struct CheckConfig {
    /// Episodes of random play, each played four times over (default 8).
    pub episodes: u32,
    /// Root of all seeds.
    pub seed: u64,
    /// Steps looked at of one episode (default 5000). One that is not over then counts as endless where its spec
    /// has no `max_steps`.
    pub max_steps: u32,
    /// Batch steps of each autoreset mode and number of workers (default 64).
    pub batch_steps: u32,
    /// Findings kept of each rule; the rest is counted (default 12).
    pub per_rule: usize,
    /// Counter of all allocations so far, when the caller's allocator counts them.
    pub allocations: Option<fn() -> u64>,
}

impl Default for CheckConfig {
    fn default() -> Self {
        Self { episodes: 8, seed: 1, max_steps: 5000, batch_steps: 64, per_rule: 12, allocations: None }
    }
}

/// What a check found.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Game and version.
    pub game: String,
    /// The rules, as in [`RULES`].
    pub rules: &'static [(&'static str, &'static str)],
    /// All findings in the order in which they were met, up to [`CheckConfig::per_rule`] of each rule.
    pub findings: Vec<Finding>,
    /// Findings beyond that.
    pub suppressed: u64,
    /// Episodes begun, repetitions included.
    pub episodes: u64,
    /// Steps played, probes and repetitions included.
    pub steps: u64,
}

impl Report {
    /// Whether nothing was found.
    pub const fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether a rule was broken (warnings aside).
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// The findings of one rule.
    pub fn of<'a>(&'a self, rule: &'a str) -> impl Iterator<Item = &'a Finding> {
        self.findings.iter().filter(move |finding| finding.rule == rule)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.findings.iter().try_for_each(|finding| writeln!(f, "{finding}"))?;
        write!(
            f,
            "{}: {} rules, {} episodes, {} steps, {} findings",
            self.game,
            self.rules.len(),
            self.episodes,
            self.steps,
            self.findings.len() as u64 + self.suppressed
        )
    }
}

/// Checks a game under `options` against all [`RULES`].
pub fn check(game: &Game, options: &Options, config: CheckConfig) -> Report {
    let mut book = Book::new(config);
    if let Some(spec) = spec::check(&mut book, game, options) {
        let factory = game.factory(options.clone());
        episode::check(&mut book, &factory, &spec);
        book.elsewhere();
        batch::check(&mut book, game, options, &spec);
    }
    book.report(game)
}
