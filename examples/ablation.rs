//! What do the parts of training contribute? Trains every arm on every seed with equal games, then tells the closing
//! exam and the ladder of each run, the mean of each arm with its 95 % interval, and its difference to the default
//! paired by seed.
//!
//!     cargo run --release --example ablation -- --out runs/ablation
//!
//! Every run is a store in `OUT/ARM-SEED`; one that is there is taken up where it stands, so the command can be
//! stopped and repeated, and more seeds added later. `OUT/runs.csv` has a line a run, `OUT/table.md` the table.
#![allow(clippy::print_stdout, reason = "a program for people")]

use agon::{
    gym::Game,
    league::{
        Budget, MatchKind, Outcome, Pairing, Progress, RunnerConfig, STORE_FILE, SearchKind, Standing,
        Summary, TrainConfig, Training,
        report::{Exam, Report},
    },
    ratings::{Interval, Level, interval::clustered_mean},
};
use clap::Parser;
use std::{error::Error, fmt::Write, path::PathBuf};

/// What to train, and on what.
#[derive(Parser)]
struct Args {
    /// Folder of the runs and of the results.
    #[arg(long)]
    out: PathBuf,
    /// Game with a trainable player.
    #[arg(long, default_value = "settlers")]
    game: String,
    /// The anchor of the exam that is told.
    #[arg(long, default_value = "greedy")]
    opponent: String,
    /// Root seeds 1 to this.
    #[arg(long, default_value_t = 5)]
    seeds: u64,
    /// Generations of every run.
    #[arg(long, default_value_t = 48)]
    generations: u32,
    /// Exam games against each anchor.
    #[arg(long, default_value_t = 1600)]
    exam_games: usize,
    /// Worker threads.
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Only these arms; all without.
    #[arg(long, value_delimiter = ',')]
    arms: Vec<String>,
}

/// One way to train.
struct Arm {
    name: &'static str,
    what: &'static str,
    change: fn(&mut TrainConfig),
}

/// The default first: all others are compared with it. Each changes one part. All play the same number of games a
/// generation: without rounds among itself, the population plays as many more tables against drawn opponents.
const ARMS: [Arm; 6] = [
    Arm { name: "default", what: "Elo pairing, champions in the pool, self-tables, CMA", change: |_| {} },
    Arm {
        name: "uniform",
        what: "opponents drawn evenly from the pool",
        change: |c| c.pairing = Pairing::Uniform,
    },
    Arm { name: "anchors", what: "no champions in the pool: anchors alone", change: |c| c.pool = 0 },
    Arm {
        name: "no-self",
        what: "no self-tables: as many games against drawn opponents",
        // A round seats everybody once, a seat each; a table seats one candidate a game.
        change: |c| (c.tables, c.rounds) = (c.tables + c.rounds / 4, 0),
    },
    Arm {
        name: "plain",
        what: "(mu, lambda) evolution without a covariance",
        change: |c| c.search = SearchKind::Plain,
    },
    Arm {
        name: "pbt",
        what: "population based training: copy the better half and change it",
        change: |c| c.search = SearchKind::Pbt,
    },
];

/// What is compared of a finished run.
struct Finding {
    seed: u64,
    games: u64,
    cpu_s: f64,
    /// Win share of the best champion in the exam against the opponent, with the run's own interval.
    exam: Interval,
    /// Elo of the best champion less that of the opponent, on the ladder of the run.
    lead: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let games = agon::bundled();
    let game = games.find(&args.game)?;
    let is_asked = |arm: &&Arm| args.arms.is_empty() || args.arms.iter().any(|name| name == arm.name);
    let mut found: Vec<(&Arm, Vec<Finding>)> =
        ARMS.iter().filter(is_asked).map(|a| (a, Vec::new())).collect();
    // Seed by seed, so that what is there can be compared at any moment.
    for seed in 1..=args.seeds {
        for (arm, findings) in &mut found {
            let finding = train(game, arm, seed, &args)?;
            println!(
                "{} seed {seed}: {} games, exam {:.1} %, lead {:.0} Elo, {:.0} s of CPU",
                arm.name,
                finding.games,
                100.0 * finding.exam.estimate,
                finding.lead,
                finding.cpu_s
            );
            findings.push(finding);
        }
        std::fs::write(args.out.join("runs.csv"), csv(&found))?;
        std::fs::write(args.out.join("table.md"), table(&found)?)?;
    }
    println!("\n{}", table(&found)?);
    Ok(())
}

/// Trains one arm on one seed, or takes the run that is there to its end.
fn train(game: &Game, arm: &Arm, seed: u64, args: &Args) -> Result<Finding, Box<dyn Error>> {
    let run = args.out.join(format!("{}-{seed}", arm.name));
    let mut config = TrainConfig::new(game, game.defaults(), seed);
    config.exam_games = args.exam_games;
    (arm.change)(&mut config);
    let runner = RunnerConfig { workers: args.workers, ..RunnerConfig::default() };
    let mut training = if run.join(STORE_FILE).exists() {
        Training::resume(&run, game, &[], &runner)?
    } else {
        Training::create(&run, game, config.clone(), &runner)?
    };
    if *training.config() != config {
        return Err(format!("{} was made with other settings: name another --out", run.display()).into());
    }
    training.run(Budget::Generations(args.generations), &mut Silent)?;
    let cpu_ms: i64 = training.store().timings()?.iter().map(|t| t.cpu_ms).sum();
    let report = Report::of_run(training.store(), game)?;
    let absent = || format!("{} has no rated {}", run.display(), args.opponent);
    let exam = report.exams.iter().find(|e: &&Exam| e.opponent == args.opponent).ok_or_else(absent)?;
    let elo = |name: &str| {
        report.standings.rows.iter().find(|r| r.name == name).and_then(|r| r.elo).map(|e| e.estimate)
    };
    let best = report.best_name.as_deref().and_then(elo).ok_or_else(absent)?;
    Ok(Finding {
        seed,
        games: report.progress.train + report.progress.ladder,
        cpu_s: cpu_ms as f64 / 1e3,
        exam: exam.win_rate.ok_or_else(absent)?.interval,
        lead: best - elo(&args.opponent).ok_or_else(absent)?,
    })
}

fn csv(found: &[(&Arm, Vec<Finding>)]) -> String {
    let mut out = String::from("arm,seed,games,cpu_s,exam,exam_low95,exam_high95,elo_lead\n");
    for (arm, findings) in found {
        for f in findings {
            let Interval { low, estimate, high, .. } = f.exam;
            // Writing to a string cannot fail.
            _ = writeln!(
                out,
                "{},{},{},{:.1},{estimate:.4},{low:.4},{high:.4},{:.1}",
                arm.name, f.seed, f.games, f.cpu_s, f.lead
            );
        }
    }
    out
}

/// Student's interval of a mean.
fn mean(values: impl Iterator<Item = f64>, level: Level) -> Result<Interval, Box<dyn Error>> {
    let blocks: Vec<(u64, f64)> = values.enumerate().map(|(i, x)| (i as u64, x)).collect();
    Ok(clustered_mean(&blocks, level)?)
}

fn table(found: &[(&Arm, Vec<Finding>)]) -> Result<String, Box<dyn Error>> {
    let mut out = String::from(
        "| arm | what is different | exam, % | against default | Elo lead | against default |\n|---|---|---|---|---|---|\n",
    );
    let Some((_, base)) = found.first() else { return Ok(out) };
    let text = |i: Interval, digits: usize| {
        format!("{:.digits$} ({:.digits$} to {:.digits$})", i.estimate, i.low, i.high)
    };
    // Differences are called clear when they stand although several were looked at.
    let compared = found.len().saturating_sub(1).max(1) as f64;
    let strict = Level::new(1.0 - 0.05 / compared)?;
    for (arm, findings) in found {
        if findings.len() < 2 {
            continue;
        }
        let cells = |value: fn(&Finding) -> f64, digits| -> Result<[String; 2], Box<dyn Error>> {
            let own = text(mean(findings.iter().map(value), Level::P95)?, digits);
            let gaps = || findings.iter().zip(base).map(|(f, b)| value(f) - value(b));
            if std::ptr::eq(findings, base) {
                return Ok([own, "-".into()]);
            }
            let mark = if mean(gaps(), strict)?.contains(0.0) { "" } else { " *" };
            Ok([own, text(mean(gaps(), Level::P95)?, digits) + mark])
        };
        let [exam, exam_gap] = cells(|f| 100.0 * f.exam.estimate, 1)?;
        let [lead, lead_gap] = cells(|f| f.lead, 0)?;
        _ = writeln!(out, "| {} | {} | {exam} | {exam_gap} | {lead} | {lead_gap} |", arm.name, arm.what);
    }
    _ = writeln!(
        out,
        "\nMeans over {} seeds with 95 % t-intervals; differences are paired by seed, and * marks one that excludes 0 \
         at {:.1} % too (Bonferroni over {compared} arms).",
        base.len(),
        100.0 * strict.get()
    );
    Ok(out)
}

/// Tells nothing.
struct Silent;

impl Progress for Silent {
    fn begin(&mut self, _: u32, _: MatchKind, _: usize) {}

    fn game(&mut self, _: &Outcome) {}

    fn generation(&mut self, _: &Summary) {}

    fn champion(&mut self, _: &Standing) {}
}
