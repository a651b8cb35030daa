//! The report for programs: JSON and CSV.

use super::{run::Report, share::Share};
use crate::error::LeagueError;
use agon_ratings::Interval;

/// The whole report as JSON; it reads back into an equal [`Report`].
///
/// # Errors
/// Never in practice: all its values have a JSON form.
pub fn json(report: &Report) -> Result<String, LeagueError> {
    serde_json::to_string_pretty(report).map_err(|e| broken("JSON", &e))
}

/// The leaderboard as CSV, one line a player, shares from 0 to 1.
///
/// Names that a spreadsheet would take for a formula get a leading apostrophe.
///
/// # Errors
/// Never in practice: it is written to memory.
pub fn csv(report: &Report) -> Result<String, LeagueError> {
    let failed = |e: csv::Error| broken("CSV", &e);
    let mut out = csv::Writer::from_writer(Vec::new());
    let fixed = [
        "rank_best",
        "rank_worst",
        "name",
        "kind",
        "generation",
        "hash",
        "elo",
        "elo_low95",
        "elo_high95",
        "games",
        "seats_played",
        "wins",
        "draws",
        "losses",
        "win_rate",
        "win_rate_low95",
        "win_rate_high95",
        "par",
        "los_next",
        "points_mean",
        "points_low95",
        "points_high95",
    ];
    let seats = (0..report.standings.seats)
        .flat_map(|s| ["", "_low95", "_high95"].map(|limit| format!("seat{s}_win_rate{limit}")));
    out.write_record(fixed.iter().map(ToString::to_string).chain(seats).chain(["flags".into()]))
        .map_err(failed)?;
    for row in &report.standings.rows {
        let mut line = vec![
            text(row.rank.map(|r| r.0)),
            text(row.rank.map(|r| r.1)),
            harmless(&row.name),
            row.kind.clone(),
            text(row.generation),
            row.hash.clone(),
        ];
        line.extend(limits(row.elo));
        line.extend([row.games, row.played, row.wins, row.draws, row.losses].map(|n| n.to_string()));
        line.extend(share(row.win_rate));
        line.extend([report.standings.par.to_string(), text(row.los_next)]);
        let points = row.points.and_then(|p| p.interval);
        line.extend([
            text(row.points.map(|p| p.mean)),
            text(points.map(|i| i.low)),
            text(points.map(|i| i.high)),
        ]);
        row.by_seat.iter().for_each(|s| line.extend(share(*s)));
        line.push(row.flags.iter().map(|f| f.words()).collect::<Vec<_>>().join("; "));
        out.write_record(&line).map_err(failed)?;
    }
    let bytes = out.into_inner().map_err(|e| broken("CSV", e.error()))?;
    String::from_utf8(bytes).map_err(|e| broken("CSV", &e))
}

fn broken(form: &str, why: &dyn std::fmt::Display) -> LeagueError {
    LeagueError::Internal { what: format!("a report cannot be {form}: {why}") }
}

fn text<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |v| v.to_string())
}

fn limits(interval: Option<Interval>) -> [String; 3] {
    [text(interval.map(|i| i.estimate)), text(interval.map(|i| i.low)), text(interval.map(|i| i.high))]
}

fn share(share: Option<Share>) -> [String; 3] {
    limits(share.map(|s| s.interval))
}

fn harmless(name: &str) -> String {
    let name = super::text::clean(name);
    if name.starts_with(['=', '+', '-', '@']) { format!("'{name}") } else { name }
}
