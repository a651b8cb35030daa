//! Short trainings by the built binary, for the tests of the whole program.
#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

/// The command, in `folder`, with nothing to read.
pub(crate) fn agon(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command
}

/// Exit code (none after a signal) and standard error.
pub(crate) fn told(out: &Output) -> (Option<i32>, String) {
    (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
}

/// A short training of the mini board: seconds, not minutes.
pub(crate) const QUICK: &[&str] = &[
    "train",
    "settlers",
    "-o",
    "board=mini",
    "-o",
    "victory_points=5",
    "-o",
    "trade=false",
    "-o",
    "turn_cap=150",
    "--population",
    "4",
    "--rounds",
    "1",
    "--tables",
    "1",
    "--exam-games",
    "8",
    "-q",
];

pub(crate) fn train<'a>(run: &'a str, budget: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    QUICK.iter().copied().chain(["--run", run, "--budget", budget]).chain(more.iter().copied()).collect()
}

/// Everything in a run store but the clock.
pub(crate) fn dump(run: &Path) -> Vec<String> {
    let db = rusqlite::Connection::open(run.join("run.sqlite")).expect("store");
    let mut rows = Vec::new();
    for table in ["meta", "players", "events", "matches", "moves", "generations", "state"] {
        let mut select = db.prepare(&format!("SELECT * FROM {table} ORDER BY 1")).expect("table");
        let columns = select.column_count();
        let found = select
            .query_map([], |r| {
                (0..columns).map(|i| r.get::<_, rusqlite::types::Value>(i)).collect::<Result<Vec<_>, _>>()
            })
            .expect("rows");
        rows.extend(found.map(|r| format!("{table} {:?}", r.expect("row"))));
    }
    rows
}
