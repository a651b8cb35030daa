//! The report as one page that needs nothing else: style, pictures and text in one file.

use super::{
    cells::{Cell, HeatRow, heat, seat_cell},
    drift::{DriftRow, Shift, drift_words, shift_words},
    exam::{Exam, Verdict},
    pick::pick,
    run::Report,
    share::{Mean, Share},
    speed::Throughput,
    standings::Row,
    svg::{Axis, bar, curve, elo_words, share_words},
    terminal::{alarm_words, counts_words, odd_words, scale},
    text::{NONE, clean, count, decimals, grouped, los, pct, range_pct, rank, whole},
};
use crate::error::LeagueError;
use agon_ratings::Interval;
use minijinja::{Environment, Value, value::Serde};
use serde::Serialize;

const PAGE: &str = include_str!("../../templates/page.html");
const REPORT: &str = include_str!("../../templates/report.html");
/// Most champions in the table of pairs, and in the table of win rates by seat.
const MOST_CHAMPIONS: usize = 12;
/// A section of a page that somebody else made. `body` is HTML as it stands there: whoever makes it escapes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Its heading, as plain text.
    pub title: String,
    /// HTML under the heading.
    pub body: String,
}

/// The report as a page.
///
/// # Errors
/// Never in practice: the template is part of the program.
pub fn html(report: &Report) -> Result<String, LeagueError> {
    html_with(report, &[])
}

/// The report as a page, with more sections behind those on games.
///
/// # Errors
/// Never in practice: the template is part of the program.
pub fn html_with(report: &Report, more: &[Section]) -> Result<String, LeagueError> {
    render("report.html", &page(report, more))
}

/// A page of these sections in the dress of a report: title, the main thing in a sentence, and facts with their names.
///
/// # Errors
/// Never in practice: the template is part of the program.
pub fn page_of(
    title: &str,
    lead: &str,
    facts: &[(String, String)],
    sections: &[Section],
) -> Result<String, LeagueError> {
    #[derive(Serialize)]
    struct Plain<'a> {
        title: &'a str,
        lead: &'a str,
        facts: &'a [(String, String)],
        sections: Vec<SectionView>,
    }
    let sections = sections.iter().map(SectionView::of).collect();
    render("page.html", &Plain { title, lead, facts, sections })
}

fn render(name: &str, what: &impl Serialize) -> Result<String, LeagueError> {
    let failed =
        |e: minijinja::Error| LeagueError::Internal { what: format!("a report cannot be a page: {e:#}") };
    let mut templates = Environment::new();
    // The ending of the name turns escaping on.
    templates.add_template("page.html", PAGE).map_err(failed)?;
    templates.add_template("report.html", REPORT).map_err(failed)?;
    templates.get_template(name).map_err(failed)?.render(Serde(what)).map_err(failed)
}

#[derive(Serialize)]
struct SectionView {
    title: String,
    body: Value,
}

impl SectionView {
    fn of(section: &Section) -> Self {
        Self { title: section.title.clone(), body: Value::from_safe_string(section.body.clone()) }
    }
}

/// What the template shows; all figures are text already.
#[derive(Serialize)]
struct Page {
    game: String,
    summary: String,
    verdict: String,
    facts: Vec<(&'static str, String)>,
    exams: Vec<ExamRow>,
    leaders: Vec<Leader>,
    scale: String,
    counts: String,
    notes: Vec<String>,
    curve: Option<Value>,
    drift: Option<String>,
    shifts: Vec<String>,
    drift_heads: Vec<String>,
    drift_rows: Vec<DriftLine>,
    alarm: Option<String>,
    odd: Vec<String>,
    heads: Vec<String>,
    heat: Vec<HeatRow>,
    pair_meaning: &'static str,
    thinned: bool,
    seats: Vec<String>,
    seat_rows: Vec<(String, Vec<Cell>)>,
    generations: Vec<[String; 6]>,
    opponents: Vec<[String; 3]>,
    speed: Vec<[String; 7]>,
    config: Vec<(String, String)>,
    par: String,
    full_ranks: bool,
    /// Whether the game counts points.
    has_points: bool,
    sections: Vec<SectionView>,
}

/// A player's Elo by period: the figure, its interval with the shift, whether that is beyond chance.
#[derive(Serialize)]
struct DriftLine {
    name: String,
    whole: String,
    cells: Vec<(String, String, bool)>,
}

#[derive(Serialize)]
struct ExamRow {
    player: String,
    opponent: String,
    games: String,
    score: String,
    rate: String,
    limits: String,
    bar: Option<Value>,
    points: String,
    points_limits: String,
    par: String,
    verdict: &'static str,
    class: &'static str,
    note: String,
}

#[derive(Serialize)]
struct Leader {
    rank: String,
    name: String,
    flags: String,
    origin: String,
    elo: String,
    limits: String,
    bar: Option<Value>,
    played: String,
    score: String,
    rate: String,
    rate_limits: String,
    points: String,
    points_limits: String,
    los: String,
    best: bool,
}

fn page(report: &Report, more: &[Section]) -> Page {
    let s = &report.standings;
    // Every anchor, and champions evenly from first to last, the best among them.
    let shown = pick(s, report.best, MOST_CHAMPIONS);
    let axis = Axis::over(s.rows.iter().filter_map(|r| r.elo));
    let anchors: Vec<(String, Interval)> = s
        .rows
        .iter()
        .filter(|r| r.generation.is_none())
        .filter_map(|r| Some((r.name.clone(), r.elo?)))
        .collect();
    Page {
        game: report.run.game.clone(),
        summary: report.run.summary.clone(),
        verdict: report.verdict.clone(),
        facts: facts(report),
        exams: report.exams.iter().map(exam).collect(),
        leaders: s.rows.iter().map(|r| leader(r, axis, report.best)).collect(),
        scale: scale(s),
        counts: counts_words(&s.counts),
        notes: s
            .counts
            .notes
            .iter()
            .map(|n| format!("{} {}: {}", grouped(n.games), n.status, clean(&n.text)))
            .collect(),
        curve: curve(&report.curve, &anchors).map(Value::from_safe_string),
        drift: s.drift.as_ref().map(drift_words),
        shifts: s.drift.as_ref().map_or_else(Vec::new, shift_words),
        drift_heads: s
            .drift
            .iter()
            .flat_map(|d| d.periods.iter().map(|p| format!("generations {} to {}", p.from, p.to)))
            .collect(),
        drift_rows: s.drift.iter().flat_map(|d| d.rows.iter().map(drift_line)).collect(),
        alarm: s.alarm.as_ref().map(alarm_words),
        odd: s.alarm.iter().flat_map(|a| a.flagged.iter().map(odd_words)).collect(),
        heads: shown.iter().map(|i| clean(&s.rows[*i].name)).collect(),
        heat: shown.iter().map(|i| heat(s, *i, &shown)).collect(),
        pair_meaning: match s.placing {
            rl_gym::Placing::Full => {
                "the share of games in which the row's player was placed above the column's, ties half"
            }
            _ => "of the games that one of the two won, the share that the row's player won",
        },
        thinned: shown.len() < s.rows.len(),
        seats: (0..s.seats).map(|seat| format!("seat {seat}")).collect(),
        seat_rows: shown
            .iter()
            .map(|i| &s.rows[*i])
            .filter(|r| r.played > 0)
            .map(|r| {
                (clean(&r.name), r.by_seat.iter().map(|share| seat_cell(share.as_ref(), s.par)).collect())
            })
            .collect(),
        generations: generations(report),
        opponents: opponents(report),
        speed: report.throughput.iter().map(speed).collect(),
        config: config(report),
        par: pct(s.par),
        full_ranks: s.placing == rl_gym::Placing::Full,
        has_points: s.rows.iter().any(|r| r.points.is_some())
            || report.exams.iter().any(|e| e.points.is_some()),
        sections: more.iter().map(SectionView::of).collect(),
    }
}

fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let (run, p) = (&report.run, &report.progress);
    let games = format!(
        "{} ({} training, {} ladder, {} exam)",
        grouped(p.games),
        grouped(p.train),
        grouped(p.ladder),
        grouped(p.exam)
    );
    let mut facts = vec![
        ("Generations", grouped(p.generations.into())),
        ("Champions", grouped(p.champions)),
        ("Games", games),
        ("Root seed", run.seed.to_string()),
        ("Rules", run.rules.clone()),
        ("Made by", clean(&run.made_by)),
    ];
    if p.pending > 0 {
        facts.push(("Left out", count(p.pending, "game") + " of an unfinished generation"));
    }
    if p.train_forfeits + p.train_void + p.train_truncated > 0 {
        let (f, v, t) = (grouped(p.train_forfeits), grouped(p.train_void), grouped(p.train_truncated));
        facts.push(("Irregular training games", format!("{f} forfeited, {v} void, {t} cut by a limit")));
    }
    facts
}

fn exam(e: &Exam) -> ExamRow {
    let rate = e.win_rate.map(|r| r.interval);
    let title = |i: &Interval| {
        format!(
            "{} against {}: {}; par {} %",
            clean(&e.player),
            clean(&e.opponent),
            share_words(i),
            pct(e.par)
        )
    };
    let mut notes = Vec::new();
    if e.games < e.planned {
        notes.push(format!("{} of {} games played", grouped(e.games), grouped(e.planned)));
    }
    for (n, what) in [(e.forfeits, "forfeited"), (e.void, "void"), (e.truncated, "cut by a limit")] {
        if n > 0 {
            notes.push(format!("{} {what}", grouped(n)));
        }
    }
    ExamRow {
        player: clean(&e.player),
        opponent: clean(&e.opponent),
        games: grouped(e.games),
        score: format!("{} / {} / {}", e.wins, e.draws, e.losses),
        rate: rate.map_or(NONE.into(), |i| pct(i.estimate)),
        limits: rate.map_or_else(String::new, |i| range_pct(&i)),
        bar: rate.map(|i| Value::from_safe_string(bar(&title(&i), &i, Axis::shares(), Some(e.par)))),
        points: points(e.points.as_ref()),
        points_limits: points_limits(e.points.as_ref()),
        par: pct(e.par),
        verdict: e.verdict.map_or("no valid game", Verdict::words),
        class: match e.verdict {
            Some(Verdict::AbovePar) => "good",
            Some(Verdict::BelowPar) => "bad",
            _ => "open",
        },
        note: notes.join("; "),
    }
}

fn leader(row: &Row, axis: Axis, best: Option<i64>) -> Leader {
    let title = |i: &Interval| format!("{}: {}", clean(&row.name), elo_words(i));
    Leader {
        rank: rank(row.rank).replace('-', "–"),
        name: clean(&row.name),
        flags: row.flags.iter().map(|f| f.words()).collect::<Vec<_>>().join("; "),
        origin: row.generation.map_or_else(|| "anchor".into(), |g| format!("generation {g}")),
        elo: row.elo.map_or("–".into(), |e| whole(e.estimate)),
        limits: row.elo.map_or("–".into(), |e| format!("{} to {}", whole(e.low), whole(e.high))),
        bar: row.elo.map(|e| Value::from_safe_string(bar(&title(&e), &e, axis, None))),
        played: grouped(row.played),
        score: format!("{} / {} / {}", row.wins, row.draws, row.losses),
        rate: row.win_rate.map_or("–".into(), |s| pct(s.interval.estimate)),
        rate_limits: row.win_rate.map_or_else(String::new, |s| range_pct(&s.interval)),
        points: points(row.points.as_ref()),
        points_limits: points_limits(row.points.as_ref()),
        los: los(row.los_next),
        best: best == Some(row.id),
    }
}

fn drift_line(row: &DriftRow) -> DriftLine {
    let cell = |shift: &Option<Shift>| match shift {
        None => (NONE.into(), String::new(), false),
        Some(s) => (
            whole(s.elo.estimate),
            format!(
                "{} to {}, shift {} ({:.1} sigma)",
                whole(s.elo.low),
                whole(s.elo.high),
                whole(s.shift.estimate),
                s.sigma
            ),
            s.flagged,
        ),
    };
    DriftLine {
        name: clean(&row.name),
        whole: row.whole.map_or(NONE.into(), |e| whole(e.estimate)),
        cells: row.periods.iter().map(cell).collect(),
    }
}

fn points(mean: Option<&Mean>) -> String {
    mean.map_or("–".into(), |m| decimals(m.mean))
}

fn points_limits(mean: Option<&Mean>) -> String {
    let interval = mean.and_then(|m| m.interval);
    interval.map_or_else(String::new, |i| format!("{} to {}", decimals(i.low), decimals(i.high)))
}

fn rate_text(share: Option<&Share>) -> String {
    share.map_or("–".into(), |s| {
        format!("{} ({} to {})", pct(s.interval.estimate), pct(s.interval.low), pct(s.interval.high))
    })
}

fn generations(report: &Report) -> Vec<[String; 6]> {
    let champion = |g: u32| report.curve.iter().find(|p| p.generation == g);
    let row = |g: &super::run::GenerationRow| {
        let s = &g.summary;
        let elo = champion(s.generation).map_or(String::new(), |p| {
            p.elo.map_or("not rated".into(), |e| {
                format!("{} ({} to {})", whole(e.estimate), whole(e.low), whole(e.high))
            })
        });
        let (games, broken) = (grouped(s.games as u64), grouped(s.broken as u64));
        [
            s.generation.to_string(),
            games,
            rate_text(g.win_rate.as_ref()),
            format!("{:.3}", s.sigma),
            elo,
            broken,
        ]
    };
    report.generations.iter().map(row).collect()
}

fn opponents(report: &Report) -> Vec<[String; 3]> {
    let row = |o: &super::run::Opponent| [clean(&o.name), grouped(o.games), rate_text(o.candidates.as_ref())];
    report.opponents.iter().map(row).collect()
}

fn speed(t: &Throughput) -> [String; 7] {
    let limits = |i: Option<Interval>| {
        i.map_or("one stretch".into(), |i| format!("{} to {}", whole(i.low), whole(i.high)))
    };
    [
        t.workers.to_string(),
        format!("{:.1}", t.wall_s),
        grouped(t.games.max(0) as u64),
        whole(t.games_per_s),
        limits(t.games_per_s_interval),
        whole(t.steps_per_s),
        limits(t.steps_per_s_interval),
    ]
}

fn config(report: &Report) -> Vec<(String, String)> {
    let c = &report.run.config;
    let mut rows: Vec<(String, String)> = [
        ("game", c.game.clone()),
        ("rules fingerprint", report.run.rules.clone()),
        ("made by", clean(&report.run.made_by)),
        ("root seed", c.seed.to_string()),
        ("candidates a generation", c.population.to_string()),
        ("search", c.search.to_string()),
        ("training tables a generation", c.tables.to_string()),
        ("rounds of the population among itself", c.rounds.to_string()),
        ("opponents of training tables drawn by", c.pairing.to_string()),
        ("a champion every … generations (rarer from a hundred on)", c.snapshot_every.to_string()),
        ("ladder tables a champion", c.ladder_tables.to_string()),
        ("newest champions among the opponents", c.pool.to_string()),
        ("exam games against each anchor", c.exam_games.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    rows.extend(c.options.iter().map(|(name, value)| (format!("option {name}"), clean(&value.to_string()))));
    rows
}

#[cfg(test)]
mod tests {
    use super::{super::cells::DEEPEST, *};

    /// Red, green and blue of a variable of the style sheet, in the light (0) or dark (1) scheme.
    fn colour(name: &str, scheme: usize) -> [f64; 3] {
        let text = PAGE
            .match_indices(&format!("--{name}: "))
            .nth(scheme)
            .map(|(at, found)| &PAGE[at + found.len()..]);
        let text = text.expect("a colour").split(';').next().expect("its value");
        let parts: Vec<f64> = match text.strip_prefix('#') {
            Some(hex) => (0..3)
                .map(|i| f64::from(u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex")))
                .collect(),
            None => text.split(", ").map(|x| x.parse().expect("a number")).collect(),
        };
        [parts[0], parts[1], parts[2]]
    }

    /// Contrast ratio as WCAG 2.1 defines it.
    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let linear = |c: f64| if c <= 10.31 { c / 3294.6 } else { ((c / 255.0 + 0.055) / 1.055).powf(2.4) };
        let luminance = |c: [f64; 3]| 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn all_text_has_a_contrast_of_at_least_four_and_a_half() {
        for scheme in 0..2 {
            let of = |name| colour(name, scheme);
            let paper = of("paper");
            let cell = |name| {
                let ink = of(name);
                [0, 1, 2].map(|i| DEEPEST * ink[i] + (1.0 - DEEPEST) * paper[i])
            };
            let plain = ["ink", "soft", "accent", "good", "bad", "open"].map(|name| (name, of(name), paper));
            let more = [
                ("lead", of("ink"), of("card")),
                ("best cell", of("ink"), cell("up")),
                ("worst cell", of("ink"), cell("down")),
            ];
            for (name, text, ground) in plain.into_iter().chain(more) {
                let seen = contrast(text, ground);
                assert!(seen >= 4.5, "{name}, scheme {scheme}: {seen:.2}");
            }
        }
    }
}
