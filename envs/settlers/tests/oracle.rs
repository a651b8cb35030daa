//! Replays of the recorded games, and proof that a wrong field would be found.

use agon_settlers::{TraceError, TraceSummary, replay_trace};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/oracle/catan"))
}

fn read(name: &str) -> String {
    let file = File::open(folder().join(format!("{name}.jsonl.gz"))).expect("the recorded game is there");
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    text
}

fn replay(name: &str, text: &str) -> Result<TraceSummary, TraceError> {
    replay_trace(name, &mut BufReader::new(text.as_bytes()))
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the recorded games are there")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".jsonl.gz").map(str::to_owned))
        .collect();
    names.sort();
    names
}

#[test]
fn all_recorded_games_replay_without_a_difference() {
    let names = names();
    assert_eq!(names.len(), 23);
    let mut steps = 0;
    let mut failures = Vec::new();
    for name in &names {
        match replay(name, &read(name)) {
            Ok(summary) => steps += summary.steps,
            Err(e) => failures.push(e.to_string()),
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} games differ:\n{}",
        failures.len(),
        names.len(),
        failures.join("\n")
    );
    assert_eq!(steps, 28_293);
}

/// Rows of `text` from the first that `found` accepts, changed by `edit`, replayed; the error text.
fn planted(text: &str, found: impl Fn(&Value) -> bool, edit: impl Fn(&mut Value)) -> String {
    let mut rows: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    let at = rows.iter().position(&found).expect("the game has such a step");
    edit(&mut rows[at]);
    let changed: Vec<String> = rows.iter().map(Value::to_string).collect();
    match replay("planted", &changed.join("\n")) {
        Ok(_) => "not found".into(),
        Err(e) => e.to_string(),
    }
}

fn bump(value: &mut Value) {
    *value = match value.as_i64() {
        Some(n) if n > 0 => json!(n - 1),
        _ => json!(1),
    };
}

type Edit = fn(&mut Value);

#[test]
fn every_planted_fault_is_found_and_named() {
    let text = read("g01_uniform_s1");
    let is = |step: u64| move |row: &Value| row["i"] == step && row.get("a").is_some();
    // Field edited at step 400, and the field that the error has to name.
    let edits: [(Edit, &str); 17] = [
        (|r| bump(&mut r["p"]), "p is"),
        (|r| r["q"] = json!("DISCARD"), "q is"),
        (
            |r| r["la"].as_array_mut().unwrap().push(json!("SET:53")),
            "la (what only one side lists) is [] here but [\"SET:53\"]",
        ),
        (|r| r["la"] = json!([]), "la (what only one side lists)"),
        (|r| r["a"] = json!("CITY:53"), "a is"),
        (|r| bump(&mut r["P"][1][0][2]), "P[1] hand is"),
        (|r| bump(&mut r["P"][2][1][0]), "P[2] dev is"),
        (|r| bump(&mut r["P"][3][2][0]), "P[3] played is"),
        (|r| bump(&mut r["P"][0][3][0]), "P[0] left is"),
        (|r| bump(&mut r["P"][0][4]), "P[0] public points is"),
        (|r| bump(&mut r["P"][0][5]), "P[0] true points is"),
        (|r| bump(&mut r["bank"][4]), "bank is"),
        (|r| bump(&mut r["dd"]), "dd is"),
        (|r| r["lr"] = if r["lr"].is_null() { json!(1) } else { Value::Null }, "lr is"),
        (|r| bump(&mut r["lro"][3]), "lro is"),
        (|r| r["lrh"] = if r["lrh"].is_null() { json!(1) } else { Value::Null }, "lrh is"),
        (|r| r["army"] = if r["army"].is_null() { json!(1) } else { Value::Null }, "army is"),
    ];
    let more: [(Edit, &str); 4] = [
        (|r| bump(&mut r["rob"]), "rob is"),
        (|r| bump(&mut r["t"]), "t is"),
        (|r| r["free"] = json!(2), "free is"),
        (|r| bump(&mut r["next"][0]), "next is"),
    ];
    for (edit, field) in edits.into_iter().chain(more) {
        let error = planted(&text, is(400), edit);
        assert!(error.starts_with(&format!("planted, step 400: {field}")), "{field}: {error}");
    }
}

#[test]
fn planted_faults_of_chance_header_and_footer_are_found() {
    let text = read("g01_uniform_s1");
    let action =
        |name: &'static str| move |row: &Value| row["a"].as_str().is_some_and(|a| a.starts_with(name));
    let error = planted(&text, action("ROLL"), |r| r["o"] = json!([7, 1]));
    assert!(error.contains("o is") && error.contains("impossible"), "{error}");
    let error = planted(&text, action("ROLL"), |r| r["o"] = json!([1, 1]));
    assert!(error.contains("hand is") || error.contains("bank is"), "other dice pay other cards: {error}");
    let error = planted(&text, action("DEV"), |r| r["o"] = json!((r["o"].as_i64().unwrap() + 1) % 5));
    assert!(error.contains("dev is"), "{error}");
    let robbed =
        |row: &Value| row["a"].as_str().is_some_and(|a| a.starts_with("ROB:")) && row["o"].is_number();
    let error = planted(&text, robbed, |r| r["o"] = json!((r["o"].as_i64().unwrap() + 1) % 5));
    assert!(error.contains("hand is") || error.contains("o is"), "{error}");

    let header = |row: &Value| row.get("tiles").is_some();
    let error = planted(&text, header, |r| r["tiles"][4]["nodes"]["SOUTH"] = json!(3));
    assert!(error.contains("header or footer: tiles[4].nodes is"), "{error}");
    let error = planted(&text, header, |r| r["ports"][2]["nodes"] = json!([0, 1]));
    assert!(error.contains("ports[2].nodes is"), "{error}");
    let error = planted(&text, header, |r| r["format"] = json!("catan-trace/2"));
    assert!(error.contains("format is"), "{error}");
    let error = planted(&text, header, |r| r["robber"] = json!(0));
    assert!(error.contains("robber is"), "{error}");
    let footer = |row: &Value| row.get("end").is_some();
    let error = planted(&text, footer, |r| r["winner"] = json!(3));
    assert_eq!(error, "planted, header or footer: winner is Some(2) here but Some(3) in the trace");
    let error = planted(&text, footer, |r| bump(&mut r["turns"]));
    assert!(error.contains("turns is"), "{error}");
}

#[test]
fn engine_lengths_are_compared_in_games_that_are_not_clean() {
    let text = read("g16_dev_lr_s10");
    let step = |row: &Value| row["i"] == 500 && row.get("a").is_some();
    let error = planted(&text, step, |r| bump(&mut r["P"][2][6]));
    assert!(error.starts_with("planted, step 500: P[2] road length is"), "{error}");
}

/// The rulebook does not reproduce the games that are not clean: each needs the switches that its header names.
#[test]
fn games_that_are_not_clean_fail_by_the_rulebook() {
    for name in names() {
        let text = read(&name);
        if text
            .lines()
            .next()
            .is_some_and(|l| l.contains("\"clean\":false") || l.contains("\"clean\": false"))
        {
            let error = planted(&text, |row| row.get("tiles").is_some(), |r| r["clean"] = json!(true));
            assert_ne!(error, "not found", "{name} needs no switch");
        }
    }
}

#[test]
fn broken_files_are_refused_with_the_line() {
    let text = read("g06_builder_s1");
    let cut: String = text.lines().take(30).map(|l| format!("{l}\n")).collect();
    let error = replay("cut", &cut).unwrap_err().to_string();
    assert!(error.starts_with("cut, line 30: missing field"), "{error}");
    assert!(replay("empty", "").is_err());
    let garbled = text.replacen("\"i\"", "\"I\"", 3);
    let error = replay("garbled", &garbled).unwrap_err().to_string();
    assert!(error.starts_with("garbled, line"), "{error}");
}
