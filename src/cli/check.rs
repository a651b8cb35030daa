//! `agon check`: the conformance rules, or recorded games of another implementation.

use crate::cli::{
    CliError, Ending,
    args::{CheckArgs, Loudness},
    output,
};
use rl_gym::{CheckConfig, Game, Registry, Severity, TraceCheck};
use serde::Serialize;
use std::{
    fmt::Write,
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

pub(crate) fn run(games: &Registry, args: &CheckArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let game = games.find(&args.game.game)?;
    match &args.traces {
        Some(folder) => traces(game, folder, args.json, loudness),
        None => conformance(game, args),
    }
}

#[derive(Serialize)]
struct FindingDoc<'a> {
    rule: &'a str,
    severity: &'static str,
    seed: Option<String>,
    step: u32,
    seat: Option<usize>,
    detail: &'a str,
}

#[derive(Serialize)]
struct ConformanceDoc<'a> {
    game: &'a str,
    sound: bool,
    rules: Vec<RuleDoc>,
    findings: Vec<FindingDoc<'a>>,
    suppressed: u64,
    episodes: u64,
    steps: u64,
}

#[derive(Serialize)]
struct RuleDoc {
    rule: &'static str,
    meaning: &'static str,
}

fn conformance(game: &Game, args: &CheckArgs) -> Result<Ending, CliError> {
    let options = game.resolve(args.game.option.iter().map(|(k, v)| (k.as_str(), v.as_str())))?;
    let config = CheckConfig { episodes: args.episodes, seed: args.seed, ..CheckConfig::default() };
    let report = rl_gym::check(game, &options, config);
    if args.json {
        let findings = report.findings.iter().map(|f| FindingDoc {
            rule: f.rule,
            severity: if f.severity == Severity::Error { "error" } else { "warning" },
            seed: f.seed.map(|s| s.to_string()),
            step: f.step,
            seat: f.seat,
            detail: &f.detail,
        });
        output::json(&ConformanceDoc {
            game: &report.game,
            sound: !report.has_errors(),
            rules: report.rules.iter().map(|(rule, meaning)| RuleDoc { rule, meaning }).collect(),
            findings: findings.collect(),
            suppressed: report.suppressed,
            episodes: report.episodes,
            steps: report.steps,
        })?;
    } else {
        output::result(&report.to_string())?;
    }
    Ok(if report.has_errors() { Ending::Unsound } else { Ending::Done })
}

#[derive(Serialize)]
struct TraceDoc {
    file: String,
    passed: bool,
    steps: usize,
    rules: Option<String>,
    divergence: Option<String>,
}

#[derive(Serialize)]
struct TracesDoc {
    game: String,
    folder: PathBuf,
    passed: usize,
    failed: usize,
    traces: Vec<TraceDoc>,
}

fn traces(game: &Game, folder: &Path, json: bool, loudness: Loudness) -> Result<Ending, CliError> {
    let Some(replay) = game.traces else {
        let why = format!("{} has no replayer for recorded games: leave --traces out", game.id());
        return Err(CliError::Request(why));
    };
    let files = trace_files(folder)?;
    let mut traces = Vec::with_capacity(files.len());
    for file in files {
        let doc = replay_file(replay, &file)?;
        if loudness == Loudness::Verbose {
            output::note(&line(&doc));
        }
        traces.push(doc);
    }
    let passed = traces.iter().filter(|t| t.passed).count();
    let failed = traces.len() - passed;
    let doc = TracesDoc { game: game.id(), folder: folder.into(), passed, failed, traces };
    if json {
        output::json(&doc)?;
    } else {
        let mut text: String = doc.traces.iter().map(|t| line(t) + "\n").collect();
        // Writing to a String cannot fail.
        _ = write!(text, "{passed} of {} recorded games replay step by step", doc.traces.len());
        output::result(&text)?;
    }
    Ok(if failed > 0 { Ending::Unsound } else { Ending::Done })
}

fn line(t: &TraceDoc) -> String {
    match (&t.rules, &t.divergence) {
        (Some(rules), _) => format!("ok   {:<30} {:>5} steps  {rules}", t.file, t.steps),
        (None, Some(why)) => format!("FAIL {why}"),
        (None, None) => format!("FAIL {}", t.file),
    }
}

fn trace_files(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let error = |why: String| CliError::File { path: folder.into(), why };
    let entries =
        std::fs::read_dir(folder).map_err(|e| error(format!("{e}; name a folder of *.jsonl[.gz] files")))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|p| p.to_string_lossy().ends_with(".jsonl") || p.to_string_lossy().ends_with(".jsonl.gz"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(error("holds no *.jsonl or *.jsonl.gz file".into()));
    }
    Ok(files)
}

/// A file that cannot be read is a failed trace, not the end of the others.
fn replay_file(replay: TraceCheck, file: &Path) -> Result<TraceDoc, CliError> {
    let name = file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let outcome = File::open(file).map_err(|e| format!("{name}: {e}")).and_then(|f| {
        let mut reader: Box<dyn BufRead> = if name.ends_with(".gz") {
            Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(f)))
        } else {
            Box::new(BufReader::new(f))
        };
        replay(&name, &mut reader)
    });
    Ok(match outcome {
        Ok(r) => {
            TraceDoc { file: name, passed: true, steps: r.steps, rules: Some(r.rules), divergence: None }
        }
        Err(why) => TraceDoc { file: name, passed: false, steps: 0, rules: None, divergence: Some(why) },
    })
}
