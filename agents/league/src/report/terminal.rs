//! The report for a terminal: aligned text of at most 100 columns.

use super::{
    drift::{drift_words, shift_words},
    exam::Exam,
    grid::{Table, line, wrap},
    pairs::Alarm,
    pick::{pick, strongest},
    rating::Gauge,
    run::Report,
    speed::Throughput,
    standings::{Counts, Standings},
    text::{
        NONE, clean, count, grouped, limits, los, mean, p_value, pct, rank, share, short, sparkline, whole,
    },
};
use crate::{evolve::SearchKind, matchmaking::Pairing};
use agon_ratings::Interval;

/// Most columns of a name.
const NAME: usize = 18;
/// Most columns of a name beside a verdict.
const EXAM_NAME: usize = 14;
/// Most champions in the ladder table.
const CHAMPIONS: usize = 12;
/// Most champions in the table of win shares by seat.
const SEATED: usize = 3;
/// Seats in one table of win rates by seat.
const SEATS_A_TABLE: usize = 4;
/// Most players of a pairwise table.
const PAIRWISE: usize = 7;
/// Bars of the rating curve.
const BARS: usize = 60;

/// The report of a run as text.
pub fn terminal(report: &Report) -> String {
    let mut out = String::new();
    head(&mut out, report);
    wrap(&mut out, "", &report.verdict);
    exams(&mut out, &report.exams);
    out.push_str("\nLADDER\n");
    standings(&mut out, &report.standings, report.best, "--json, --csv and --html have");
    curve(&mut out, report);
    speed(&mut out, &report.throughput);
    out
}

/// A leaderboard as text.
pub fn standings_text(s: &Standings) -> String {
    let mut out = String::new();
    standings(&mut out, s, None, "--json has");
    out
}

/// `complete` says what shows the rows that are left out here.
fn standings(out: &mut String, s: &Standings, best: Option<i64>, complete: &str) {
    let shown = pick(s, best, CHAMPIONS);
    leaderboard(out, s, &shown);
    let hidden = s.rows.len() - shown.len();
    let next = if hidden > 0 { "the next of all players" } else { "the next" };
    if hidden > 0 {
        let champions = count(hidden as u64, "more champion");
        wrap(
            out,
            "  ",
            &format!("{champions} left out between the best, the first and the newest; {complete} all."),
        );
    }
    wrap(out, "  ", &format!("{} LOS: likelihood of being stronger than {next}.", scale(s)));
    by_seat(out, s);
    pairwise(out, s);
    alarm(out, s.alarm.as_ref());
    if let Some(d) = &s.drift {
        wrap(out, "", &drift_words(d));
        shift_words(d).iter().take(5).for_each(|shift| wrap(out, "  ", shift));
    }
    counts(out, &s.counts);
}

fn head(out: &mut String, report: &Report) {
    let (run, p) = (&report.run, &report.progress);
    line(out, &format!("{}  seed {}  rules {}  by {}", run.game, run.seed, run.rules, clean(&run.made_by)));
    let is_set = |name: &str| run.options_set.iter().any(|n| n == name);
    let set = run.options.iter().filter(|(name, _)| is_set(name));
    let set: Vec<String> = set.map(|(name, value)| format!("{name}={value}")).collect();
    if !set.is_empty() {
        wrap(out, "", &clean(&format!("options {}; all others default", set.join(" "))));
    } else if run.options.iter().next().is_some() {
        line(out, "default options");
    }
    let (pairing, search) = (run.config.pairing, run.config.search);
    if (pairing, search) != (Pairing::default(), SearchKind::default()) {
        line(out, &format!("pairing {pairing}  search {search}"));
    }
    let text = format!(
        "{}, {}: {} of training, {} of ladder, {} of exams{}",
        count(p.generations.into(), "generation"),
        count(p.champions, "champion"),
        count(p.train, "game"),
        grouped(p.ladder),
        grouped(p.exam),
        if p.pending > 0 {
            format!("; {} of an unfinished generation left out", grouped(p.pending))
        } else {
            String::new()
        },
    );
    wrap(out, "", &text);
    if p.train_forfeits + p.train_void + p.train_truncated > 0 {
        let (f, v, t) = (grouped(p.train_forfeits), grouped(p.train_void), grouped(p.train_truncated));
        wrap(out, "", &format!("training games: {f} forfeited, {v} void, {t} cut by a limit"));
    }
    out.push('\n');
}

fn exams(out: &mut String, exams: &[Exam]) {
    if exams.is_empty() {
        return;
    }
    out.push_str("\nEXAM (one seat against copies of the opponent, fresh seeds)\n");
    let heads = ["<Player", "<Against", ">Games", ">W", ">D", ">Win share %", ">Par", "<Verdict"];
    let mut table = Table::new(&heads).names(&[0, 1]).droppable(&[6]);
    for e in exams {
        table.row([
            short(&e.player, EXAM_NAME),
            short(&e.opponent, EXAM_NAME),
            e.games.to_string(),
            e.wins.to_string(),
            e.draws.to_string(),
            share(e.win_rate.as_ref()),
            pct(e.par),
            e.verdict.map_or(NONE, |v| v.words()).into(),
        ]);
    }
    table.write(out);
    let told = |e: &Exam| format!("{} against {}", mean(e.points.as_ref()), clean(&e.opponent));
    let points: Vec<String> = exams.iter().filter(|e| e.points.is_some()).map(told).collect();
    if !points.is_empty() {
        wrap(out, "  ", &format!("Mean points: {}.", points.join(", ")));
    }
    for e in exams.iter().filter(|e| e.games < e.planned || e.void + e.forfeits + e.truncated > 0) {
        let text = format!(
            "against {}: {} of {} games played; {} forfeited, {} void, {} cut by a limit",
            clean(&e.opponent),
            grouped(e.games),
            grouped(e.planned),
            grouped(e.forfeits),
            grouped(e.void),
            grouped(e.truncated)
        );
        wrap(out, "  ", &text);
    }
}

fn leaderboard(out: &mut String, s: &Standings, shown: &[usize]) {
    let heads = [
        ">Rank",
        "<Player",
        ">Gen",
        ">Elo",
        ">95 % interval",
        ">Seats",
        ">W",
        ">D",
        ">L",
        ">Win share %",
        ">LOS %",
        ">Points",
    ];
    // Losses follow from the columns before them, and most names tell the generation.
    let mut table = Table::new(&heads).names(&[1]).droppable(&[8, 2, 11, 10, 7]);
    let mut marks = Vec::new();
    for row in shown.iter().map(|i| &s.rows[*i]) {
        let mark = if row.flags.is_empty() { "" } else { "*" };
        marks.extend(row.flags.iter().map(|f| format!("* {}: {}", short(&row.name, NAME), f.words())));
        table.row([
            rank(row.rank),
            format!("{}{mark}", short(&row.name, NAME)),
            row.generation.map_or(NONE.into(), |g| g.to_string()),
            row.elo.map_or(NONE.into(), |e| whole(e.estimate)),
            row.elo.map_or(NONE.into(), |e| limits(&e)),
            row.played.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            share(row.win_rate.as_ref()),
            los(row.los_next),
            mean(row.points.as_ref()),
        ]);
    }
    if s.rows.iter().all(|r| r.points.is_none()) {
        table.drop_column(11);
    }
    table.write(out);
    marks.iter().for_each(|m| wrap(out, "  ", m));
}

/// What the numbers of a leaderboard mean.
pub(crate) fn scale(s: &Standings) -> String {
    let gauge = match &s.gauge {
        Gauge::Anchors { origin, reference } => format!(
            "Elo {} is {}, and intervals are relative to {}",
            whole(super::rating::ORIGIN),
            clean(origin),
            clean(reference)
        ),
        Gauge::Mean => format!("Elo {} is the mean of these players", whole(super::rating::ORIGIN)),
        Gauge::Nothing => "No game to rate yet".into(),
    };
    let fit = s.fit.map_or(String::new(), |f| {
        let blocks = count(f.blocks as u64, "block");
        let spread = if f.robust { "cluster-robust" } else { "the wider of cluster-robust and model" };
        let search = if f.converged { "" } else { "; THE FIT DID NOT CONVERGE" };
        format!(
            " ({spread}, {blocks} of games that share a seed, {} virtual draws over all pairs{search})",
            super::text::decimals(f.virtual_draws)
        )
    });
    format!("{gauge}{fit}. Par is {} %.", pct(s.par))
}

fn by_seat(out: &mut String, s: &Standings) {
    for from in (0..s.seats).step_by(SEATS_A_TABLE) {
        let seats: Vec<usize> = (from..s.seats.min(from + SEATS_A_TABLE)).collect();
        let mut heads = vec!["<Win share % by seat".to_owned()];
        heads.extend(seats.iter().map(|seat| format!(">seat {seat}")));
        let mut table = Table::new(&heads.iter().map(String::as_str).collect::<Vec<_>>()).names(&[0]);
        for row in strongest(s, SEATED).iter().map(|i| &s.rows[*i]).filter(|r| r.played > 0) {
            let cells = seats.iter().map(|seat| share(row.by_seat.get(*seat).and_then(Option::as_ref)));
            table.row(std::iter::once(short(&row.name, NAME)).chain(cells));
        }
        if !table.rows.is_empty() {
            out.push('\n');
            table.write(out);
        }
    }
}

fn pairwise(out: &mut String, s: &Standings) {
    if s.rows.len() > PAIRWISE || s.pairs.is_empty() {
        return;
    }
    out.push('\n');
    let mut table =
        Table::new(&["<Score % of", "<against", ">Games", ">Score %", ">Expected %"]).names(&[0, 1]);
    for pair in &s.pairs {
        table.row([
            short(&s.rows[pair.a].name, NAME),
            short(&s.rows[pair.b].name, NAME),
            pair.games.to_string(),
            share(pair.score.as_ref()),
            pair.expected.map_or(NONE.into(), pct),
        ]);
    }
    table.write(out);
}

fn alarm(out: &mut String, alarm: Option<&Alarm>) {
    let Some(a) = alarm else { return };
    out.push('\n');
    wrap(out, "", &alarm_words(a));
    for odd in a.flagged.iter().take(5) {
        wrap(out, "  ", &odd_words(odd));
    }
}

/// What the alarm says, in words.
pub(crate) fn alarm_words(a: &Alarm) -> String {
    let verdict = if a.rings {
        "CYCLES: ratings alone do not explain who beats whom"
    } else {
        "No cycles found: ratings explain who beats whom"
    };
    format!(
        "{verdict} ({} % of the variation between pairs; {}, {} degrees of freedom; {} beyond {:.1} sigma).",
        pct(a.explained),
        p_value(a.p_value),
        a.degrees_of_freedom,
        count(a.flagged.len() as u64, "pair"),
        a.threshold_sigma,
    )
}

/// What is odd about a pair, in words.
pub(crate) fn odd_words(odd: &super::pairs::OddPair) -> String {
    format!(
        "{} takes {} % from {} where {} % are expected ({:.0} encounters, {:.1} sigma)",
        clean(&odd.better),
        pct(odd.seen),
        clean(&odd.worse),
        pct(odd.expected),
        odd.of,
        odd.sigma
    )
}

fn counts(out: &mut String, c: &Counts) {
    wrap(out, "", &counts_words(c));
    for note in &c.notes {
        let text = format!("{} {}: {}", grouped(note.games), note.status, short(&note.text, 160));
        wrap(out, "  ", &text);
    }
}

/// What became of the games, in words.
pub(crate) fn counts_words(c: &Counts) -> String {
    format!(
        "{}: {} rated; {} forfeited, {} void (not rated), {} cut by a limit.",
        count(c.games, "game"),
        grouped(c.rated),
        grouped(c.forfeits),
        grouped(c.void),
        grouped(c.truncated)
    )
}

fn curve(out: &mut String, report: &Report) {
    let rated: Vec<(&str, Interval)> =
        report.curve.iter().filter_map(|p| Some((p.name.as_str(), p.elo?))).collect();
    let (Some(first), Some(last)) = (rated.first(), rated.last()) else { return };
    if rated.len() < 2 {
        return;
    }
    let step = rated.len().div_ceil(BARS);
    let shown: Vec<f64> = rated.iter().rev().step_by(step).rev().map(|p| p.1.estimate).collect();
    out.push_str("\nRATING OF THE CHAMPIONS, oldest to newest\n");
    let end = |(name, elo): &(&str, Interval)| {
        format!("{} {} ({})", short(name, NAME), whole(elo.estimate), limits(elo))
    };
    line(out, &format!("  {}", sparkline(&shown)));
    wrap(out, "  ", &format!("{} to {}", end(first), end(last)));
}

fn speed(out: &mut String, rows: &[Throughput]) {
    if rows.is_empty() {
        return;
    }
    out.push_str("\nSPEED (wall time)\n");
    let mut table = Table::new(&[
        ">Workers",
        ">Time s",
        ">Games",
        ">Games/s",
        ">95 % interval",
        ">Env steps/s",
        ">95 % interval",
    ]);
    let interval = |i: Option<Interval>| i.map_or(NONE.into(), |i| limits(&i));
    for t in rows {
        table.row([
            t.workers.to_string(),
            format!("{:.1}", t.wall_s),
            grouped(t.games.max(0) as u64),
            whole(t.games_per_s),
            interval(t.games_per_s_interval),
            whole(t.steps_per_s),
            interval(t.steps_per_s_interval),
        ]);
    }
    table.write(out);
}
