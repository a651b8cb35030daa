//! `agon duel`: is A better than B? Paired seeds, balanced seats, and no more games than the answer needs.
//!
//! A table is a seed with a drawn split of the seats between A and B, played in that seating and in its mirror
//! image: each seat is once A's and once B's, and an equal player scores 1/2. The mean score of both games is one
//! observation of the sequential test, which looks at whole batches of tables only. Batches depend on the number of
//! tables alone, so the answer does not depend on workers or lanes.

use crate::cli::{
    CliError, Ending,
    args::{DuelArgs, Loudness},
    output, players,
    progress::Shown,
};
use agon_league::{LeagueError, Maker, Match, MatchKind, MatchSeed, Outcome, Progress, Runner, Status};
use agon_ratings::{Interval, RatingError, Sprt, SprtReport, Verdict};
use rl_gym::Registry;
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write};

/// The generation of duels: their games share no seed with runs, exams and ladders of the same root.
const GENERATION: u32 = 3 << 24;
/// Tables of the first batch; later ones are an eighth of the tables so far if that is more.
const BATCH: usize = 8;
/// Games of a table: a seating and its mirror image.
const GAMES: usize = 2;
const A: i64 = 0;
const B: i64 = 1;

pub(crate) fn run(games: &Registry, args: &DuelArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let game = games.find(&args.game.game)?;
    let options = game.resolve(args.game.option.iter().map(|(k, v)| (k.as_str(), v.as_str())))?;
    let (a, make_a) = players::resolve_timed(game, &options, &args.a, args.time_limit.0)?;
    let (b, make_b) = players::resolve_timed(game, &options, &args.b, args.time_limit.0)?;
    if a.hash == b.hash && loudness != Loudness::Quiet {
        output::note(&format!("note: {} and {} are the same player", a.name, b.name));
    }
    let config =
        players::runner(&args.play, "\nstopping: games in flight are finished (again to stop at once)");
    let mut runner = Runner::new(game, &options, &config)?;
    let seats = runner.spec().seats;
    if seats < 2 {
        return Err(CliError::Request(format!("{} has one seat: nobody to play against", game.id())));
    }
    let test = test(args, seats)?;
    let most = (args.max_games as usize).div_ceil(GAMES);
    let makers = BTreeMap::from([(A, make_a), (B, make_b)]);
    let mut shown = Shown::games(loudness);
    let mut duel = Duel { seed: args.seed, seats, outcomes: Vec::new(), scores: Vec::new(), tables: 0 };
    let mut stopped = false;
    let seen = loop {
        let batch = BATCH.max(duel.tables / 8).min(most - duel.tables);
        stopped = stopped || !duel.play(batch, &mut runner, &makers, &mut shown)?;
        let seen = test.report(&duel.scores).map_err(refused)?;
        if stopped || seen.verdict != Verdict::Continue || duel.tables == most {
            break seen;
        }
    };
    shown.finish();
    // What an interrupted test has seen depends on when it was interrupted, and so would its verdict.
    let verdict = if stopped { Verdict::Continue } else { seen.verdict };
    let doc = Doc::new(args, game.id(), [a.name, b.name], &duel, &test, &seen, verdict, stopped);
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&text(&doc))?;
    }
    Ok(match verdict {
        _ if stopped => Ending::Interrupted,
        Verdict::AcceptH1 => Ending::Done,
        Verdict::AcceptH0 => Ending::Unsound,
        Verdict::Continue => Ending::Undecided,
    })
}

fn refused(error: RatingError) -> CliError {
    CliError::Request(error.to_string())
}

fn test(args: &DuelArgs, seats: usize) -> Result<Sprt, CliError> {
    for (name, elo) in [("--elo0", args.elo0), ("--elo1", args.elo1)] {
        if !(-2000.0..=2000.0).contains(&elo) {
            return Err(CliError::Request(format!("{name} {elo} is not from -2000 to 2000 Elo")));
        }
    }
    if args.elo0 >= args.elo1 {
        return Err(CliError::Request(format!(
            "--elo0 {} is not below --elo1 {}: H0 says that A is at most elo0 stronger, H1 that it is at least elo1",
            args.elo0, args.elo1
        )));
    }
    let score = |elo| score_of(elo, seats);
    Sprt::new(score(args.elo0), score(args.elo1), args.alpha, args.beta).map_err(refused)
}

/// Mean score over a table of a player `elo` points stronger than the other.
///
/// k seats of strength x and n - k of strength 1 win with probability k x / (k x + n - k) (Luce). With an even number
/// of seats k is n / 2 and this is the Elo formula; with an odd number it is the mean over both splits.
fn score_of(elo: f64, seats: usize) -> f64 {
    let x = 10f64.powf(elo / 400.0);
    let few = (seats / 2) as f64;
    let many = seats as f64 - few;
    0.5 * (few * x / (few * x + many) + many * x / (many * x + few))
}

/// The strength at which [`score_of`] gives `score`; infinite at 0 and 1.
fn elo_of(score: f64, seats: usize) -> f64 {
    if score <= 0.0 || score >= 1.0 {
        return if score <= 0.0 { f64::NEG_INFINITY } else { f64::INFINITY };
    }
    // The score grows with Elo; 6000 points are more than a double can tell from certainty.
    let (mut low, mut high) = (-6000.0, 6000.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if score_of(middle, seats) < score { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

struct Duel {
    seed: u64,
    seats: usize,
    /// Games that count, by id.
    outcomes: Vec<Outcome>,
    /// Mean score of A over each table that counts, in the order of tables.
    scores: Vec<f64>,
    /// Tables begun.
    tables: usize,
}

impl Duel {
    /// Plays a batch of tables; false when it was stopped in between. Tables that are not whole do not count.
    fn play(
        &mut self,
        batch: usize,
        runner: &mut Runner,
        makers: &BTreeMap<i64, Maker>,
        progress: &mut dyn Progress,
    ) -> Result<bool, LeagueError> {
        let matches: Vec<Match> = (self.tables..self.tables + batch)
            .flat_map(|table| table_of(self.seed, self.seats, table))
            .collect();
        self.tables += batch;
        let mut played: BTreeMap<i64, Outcome> = BTreeMap::new();
        progress.begin(0, MatchKind::Ladder, matches.len());
        runner.play(&matches, makers, |outcome| {
            progress.game(&outcome);
            played.insert(outcome.game.id, outcome);
            Ok(())
        })?;
        for pair in matches.chunks(GAMES) {
            let games: Vec<Outcome> = pair.iter().filter_map(|game| played.remove(&game.id)).collect();
            let scores: Vec<f64> = games.iter().filter_map(score).collect();
            if scores.len() == GAMES {
                self.scores.push(scores.iter().sum::<f64>() / GAMES as f64);
            }
            self.outcomes.extend(games);
        }
        Ok(self.outcomes.len() == self.tables * GAMES)
    }

    /// Games in which A scored as `test` says.
    fn count(&self, test: impl Fn(f64) -> bool) -> usize {
        self.outcomes.iter().filter_map(score).filter(|s| test(*s)).count()
    }

    fn with(&self, status: Status) -> impl Iterator<Item = &Outcome> {
        self.outcomes.iter().filter(move |o| o.status == status)
    }
}

/// The two games of a table: a drawn split of the seats, as even as can be, and its mirror image.
fn table_of(root: u64, seats: usize, table: usize) -> impl Iterator<Item = Match> {
    let seed = MatchSeed { root, generation: GENERATION, table: table as u32 };
    let mut split: Vec<i64> = (0..seats).map(|seat| if seat < seats / 2 { A } else { B }).collect();
    seed.order().shuffle(&mut split);
    let mirror = split.iter().map(|p| A + B - p).collect();
    (0..).zip([split, mirror]).map(move |(i, seats)| Match {
        id: (table * GAMES) as i64 + i,
        kind: MatchKind::Ladder,
        generation: GENERATION,
        block: table as i64,
        seed,
        seats,
        record: false,
    })
}

/// What A scored: its share of the win. A player whose seat forfeits loses the game, whatever its other seats did;
/// `None` for a void game.
fn score(outcome: &Outcome) -> Option<f64> {
    let seats = || outcome.game.seats.iter().enumerate();
    match outcome.status {
        Status::Void => None,
        Status::Forfeit => {
            let gave_up = |player| seats().any(|(seat, p)| *p == player && outcome.ranks[seat] > 0);
            Some(0.5 + 0.5 * (f64::from(gave_up(B)) - f64::from(gave_up(A))))
        }
        Status::Won | Status::Truncated => {
            Some(seats().filter(|(_, p)| **p == A).map(|(seat, _)| outcome.win_share(seat)).sum())
        }
    }
}

/// An interval whose ends may be infinite, which JSON calls `null`.
#[derive(Serialize)]
struct Range {
    low: Option<f64>,
    estimate: Option<f64>,
    high: Option<f64>,
    level: f64,
}

impl Range {
    fn new(interval: Interval, map: impl Fn(f64) -> f64) -> Self {
        let [low, estimate, high] =
            [interval.low, interval.estimate, interval.high].map(|x| Some(map(x)).filter(|x| x.is_finite()));
        Self { low, estimate, high, level: interval.level.get() }
    }
}

#[derive(Serialize)]
struct Hypotheses {
    elo0: f64,
    elo1: f64,
    score0: f64,
    score1: f64,
    alpha: f64,
    beta: f64,
}

#[derive(Serialize)]
struct Doc {
    game: String,
    a: String,
    b: String,
    seats: usize,
    seed: u64,
    hypotheses: Hypotheses,
    verdict: &'static str,
    text: String,
    llr: f64,
    bounds: [f64; 2],
    games: usize,
    max_games: usize,
    tables: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    score: Option<Range>,
    elo: Option<Range>,
    forfeits: [usize; 2],
    void: usize,
    truncated: usize,
    notes: Vec<String>,
    interrupted: bool,
}

impl Doc {
    #[expect(clippy::too_many_arguments, reason = "one caller, and every value is a part of the document")]
    fn new(
        args: &DuelArgs,
        game: String,
        [a, b]: [String; 2],
        duel: &Duel,
        test: &Sprt,
        seen: &SprtReport,
        verdict: Verdict,
        interrupted: bool,
    ) -> Self {
        let (score0, score1) = test.scores();
        let bounds = test.bounds();
        let forfeits = |player: i64| {
            let of =
                |o: &Outcome| o.game.seats.iter().zip(&o.ranks).any(|(p, rank)| *p == player && *rank > 0);
            duel.with(Status::Forfeit).filter(|o| of(o)).count()
        };
        let mut notes: Vec<String> = Vec::new();
        for note in duel.outcomes.iter().filter_map(|o| o.note.as_ref()) {
            if notes.len() < 5 && !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        Self {
            text: words(verdict, args, &a, &b, interrupted),
            game,
            a,
            b,
            seats: duel.seats,
            seed: args.seed,
            hypotheses: Hypotheses {
                elo0: args.elo0,
                elo1: args.elo1,
                score0,
                score1,
                alpha: args.alpha,
                beta: args.beta,
            },
            verdict: match verdict {
                Verdict::AcceptH1 => "h1",
                Verdict::AcceptH0 => "h0",
                Verdict::Continue => "undecided",
            },
            llr: seen.llr,
            bounds: [bounds.0, bounds.1],
            games: duel.outcomes.len(),
            max_games: (args.max_games as usize).div_ceil(GAMES) * GAMES,
            tables: duel.scores.len(),
            wins: duel.count(|s| s > 0.5 + 1e-9),
            draws: duel.count(|s| (s - 0.5).abs() <= 1e-9),
            losses: duel.count(|s| s < 0.5 - 1e-9),
            score: seen.score.map(|s| Range::new(s, |x| x)),
            elo: seen.score.map(|s| Range::new(s, |x| elo_of(x, duel.seats))),
            forfeits: [forfeits(A), forfeits(B)],
            void: duel.with(Status::Void).count(),
            truncated: duel.with(Status::Truncated).count(),
            notes,
            interrupted,
        }
    }
}

fn words(verdict: Verdict, args: &DuelArgs, a: &str, b: &str, interrupted: bool) -> String {
    let (elo0, elo1) = (args.elo0, args.elo1);
    match verdict {
        Verdict::AcceptH1 if elo0 == 0.0 => {
            format!("yes: {a} is better than {b} (at least {elo1} Elo rather than none)")
        }
        Verdict::AcceptH1 => {
            format!("yes: {a} is at least {elo1} Elo better than {b}, rather than at most {elo0}")
        }
        Verdict::AcceptH0 if elo0 == 0.0 => {
            format!("no: {a} is not better than {b} (no difference or a worse one rather than {elo1} Elo)")
        }
        Verdict::AcceptH0 => {
            format!("no: {a} is at most {elo0} Elo better than {b}, rather than at least {elo1}")
        }
        Verdict::Continue if interrupted => {
            format!("undecided: interrupted before {a} and {b} were told apart")
        }
        Verdict::Continue => {
            format!("undecided: the games allowed do not tell {a} and {b} apart; allow more with --max-games")
        }
    }
}

fn text(doc: &Doc) -> String {
    let h = &doc.hypotheses;
    let mut text = format!("{}\n\n", doc.text);
    let mut row = |name: &str, value: String| {
        // Writing to a String cannot fail.
        _ = writeln!(text, "{name:<11} {value}");
    };
    row("game", format!("{}, {} seats, seed {}", doc.game, doc.seats, doc.seed));
    row(
        "played",
        format!(
            "{} games of at most {}: {} tables, each a seed played in mirrored seats",
            doc.games, doc.max_games, doc.tables
        ),
    );
    row("result", format!("{} wins, {} draws, {} losses of {}", doc.wins, doc.draws, doc.losses, doc.a));
    let range = |r: &Range, show: fn(f64) -> String| {
        let end = |x: Option<f64>, none: &str| x.map_or_else(|| none.to_owned(), show);
        format!(
            "{} (95 % interval {} to {})",
            end(r.estimate, "beyond measure"),
            end(r.low, "-inf"),
            end(r.high, "inf")
        )
    };
    if let (Some(score), Some(elo)) = (&doc.score, &doc.elo) {
        row("score", format!("{}, 0.5 is par", range(score, |x| format!("{x:.3}"))));
        // Adding zero takes the sign off a rounded -0.
        row("Elo", range(elo, |x| format!("{:+.0}", x.round() + 0.0)));
    }
    row(
        "test",
        format!(
            "{:+} against {:+} Elo, errors {} and {}: llr {:.2} in {:.2} to {:.2}",
            h.elo0, h.elo1, h.alpha, h.beta, doc.llr, doc.bounds[0], doc.bounds[1]
        ),
    );
    if doc.forfeits != [0, 0] || doc.void > 0 || doc.truncated > 0 {
        let [a, b] = doc.forfeits;
        row("broken", format!("{a} forfeits of A, {b} of B, {} void, {} truncated", doc.void, doc.truncated));
    }
    doc.notes.iter().for_each(|note| row("note", note.clone()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seat_is_once_of_each_and_all_splits_come_up() {
        for seats in 2..=6 {
            let mut splits = BTreeMap::<Vec<i64>, usize>::new();
            for table in 0..600 {
                let games: Vec<Match> = table_of(3, seats, table).collect();
                assert_eq!(games[0].seed, games[1].seed);
                assert!((0..seats).all(|s| games[0].seats[s] + games[1].seats[s] == A + B));
                assert_eq!(games[0].seats.iter().filter(|p| **p == A).count(), seats / 2);
                *splits.entry(games[0].seats.clone()).or_default() += 1;
            }
            // n choose n/2 of them: 2, 3, 6, 10, 20.
            assert_eq!(splits.len(), [2, 3, 6, 10, 20][seats - 2]);
        }
    }

    #[test]
    fn elo_is_the_elo_formula_at_even_tables_and_par_is_a_half_everywhere() {
        for seats in 2..=8 {
            assert!((score_of(0.0, seats) - 0.5).abs() < 1e-12, "{seats}");
            for elo in [-700.0, -20.0, 0.0, 35.0, 400.0] {
                assert!((elo_of(score_of(elo, seats), seats) - elo).abs() < 1e-6, "{seats} at {elo}");
            }
        }
        // 400 points are ten to one.
        assert!((score_of(400.0, 4) - 10.0 / 11.0).abs() < 1e-12);
        // One of three against two: 10/12; two of three: 20/21.
        assert!((score_of(400.0, 3) - 0.5 * (10.0 / 12.0 + 20.0 / 21.0)).abs() < 1e-12);
        assert_eq!(elo_of(1.0, 4), f64::INFINITY);
    }

    #[test]
    fn a_forfeit_loses_whatever_the_other_seats_of_the_player_did() {
        let game = table_of(1, 4, 0).next().map(|g| Match { seats: vec![A, A, B, B], ..g }).expect("a game");
        let outcome = |status, ranks: [u8; 4]| Outcome {
            game: game.clone(),
            ranks: ranks.to_vec(),
            points: Vec::new(),
            status,
            steps: 0,
            decisions: 0,
            note: None,
            replay: None,
            replay_bytes: None,
        };
        assert_eq!(score(&outcome(Status::Won, [1, 0, 1, 1])), Some(1.0));
        assert_eq!(score(&outcome(Status::Won, [1, 1, 0, 1])), Some(0.0));
        assert_eq!(score(&outcome(Status::Truncated, [0; 4])), Some(0.5));
        assert_eq!(score(&outcome(Status::Forfeit, [1, 0, 0, 0])), Some(0.0));
        assert_eq!(score(&outcome(Status::Forfeit, [0, 0, 0, 1])), Some(1.0));
        assert_eq!(score(&outcome(Status::Forfeit, [1, 0, 0, 1])), Some(0.5));
        assert_eq!(score(&outcome(Status::Void, [0; 4])), None);
    }
}
