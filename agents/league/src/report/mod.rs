//! Reports: folds over what happened.
//!
//! [`Standings`] is the fold over finished games of any players, [`Report`] the one over a whole run. Both are
//! values without a clock or a random number in them, so the same games give the same bytes, and every
//! estimate carries its 95 % interval. [`terminal()`], [`standings_text`], [`html()`], [`json`] and [`csv()`]
//! only write them down.

mod anchors;
mod best;
mod cells;
mod drift;
mod exam;
mod fold;
mod grid;
mod html;
mod live;
mod pairs;
mod pick;
mod plain;
mod rating;
mod run;
mod share;
mod speed;
mod standings;
mod svg;
mod terminal;
mod text;
mod verdict;

pub use anchors::{Across, Gap, anchor_gaps, anchors_across};
pub use best::best_champion;
pub use drift::{Drift, DriftRow, Period, Shift};
pub use exam::{Exam, Verdict};
pub use html::{Section, html, html_with, page_of};
pub(crate) use live::Live;
pub use pairs::{Alarm, OddPair, Pair};
pub use plain::{csv, json};
pub use rating::{Flag, Gauge};
pub use run::{CurvePoint, GenerationRow, Identity, Opponent, Report, RunProgress};
pub use share::{Mean, Method, Share};
pub use speed::Throughput;
pub use standings::{Counts, FitFacts, Note, Row, Standings};
pub use terminal::{standings_text, terminal};
