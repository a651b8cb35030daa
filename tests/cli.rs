//! The built binary in a fresh folder: what a newcomer types, what a script reads, and bad input of every kind.

mod common;

use common::{QUICK, dump, train};
use serde_json::Value;
use std::{
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("folder"))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("started")
    }

    /// Runs and expects an exit code; a failure shows command, folder and both streams.
    fn expect(&self, code: i32, args: &[&str]) -> (String, String) {
        let out = self.run(args);
        let (stdout, stderr) = (
            String::from_utf8_lossy(&out.stdout).into_owned(),
            String::from_utf8_lossy(&out.stderr).into_owned(),
        );
        let files: Vec<_> =
            std::fs::read_dir(self.0.path()).expect("folder").flatten().map(|e| e.path()).collect();
        assert_eq!(
            out.status.code(),
            Some(code),
            "agon {args:?}\nfiles {files:?}\n-- stdout\n{stdout}\n-- stderr\n{stderr}"
        );
        (stdout, stderr)
    }

    fn json(&self, args: &[&str]) -> Value {
        let (stdout, _) = self.expect(0, args);
        serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("agon {args:?}: {e}\n{stdout}"))
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }
}

/// Every key of a document stands in docs/CLI.md, but those below keys whose own keys are data.
fn documented(doc: &Value, what: &str) {
    const DATA: &[&str] =
        &["options", "default", "kind", "config", "generations", "opponents", "throughput", "notes"];
    let page = include_str!("../docs/CLI.md");
    match doc {
        Value::Object(fields) => {
            for (key, value) in fields {
                assert!(
                    page.contains(&format!("`{key}`")),
                    "{what} --json has a key \"{key}\" that docs/CLI.md lacks"
                );
                if !DATA.contains(&key.as_str()) {
                    documented(value, what);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| documented(item, what)),
        _ => {}
    }
}

/// What is printed for people fits into 100 columns.
fn narrow(text: &str, what: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{what} prints {} columns: {line}", line.chars().count());
    }
}

#[test]
fn help_and_games_tell_a_newcomer_what_there_is() {
    let place = Place::new();
    let (help, _) = place.expect(0, &["--help"]);
    for word in ["agon train settlers", "ladder", "report", "check", "bench", "games"] {
        assert!(help.contains(word), "{word} is not in\n{help}");
    }
    let (list, _) = place.expect(0, &["games"]);
    for game in ["settlers-v1", "cartpole-v1", "tic-tac-toe-v1", "kuhn-poker-v1", "rock-paper-scissors-v1"] {
        assert!(list.contains(game), "{game} is not in\n{list}");
    }
    let (one, _) = place.expect(0, &["games", "settlers"]);
    for word in ["victory_points", "greedy", "anchor", "Trainable", "default 10"] {
        assert!(one.contains(word), "{word} is not in\n{one}");
    }
    narrow(&help, "help");
    narrow(&list, "games");
    narrow(&one, "games settlers");
    let doc = place.json(&["games", "settlers-v1", "--json"]);
    assert_eq!(doc[0]["spec"]["seats"], 4);
    assert_eq!(doc[0]["trainable"], true);
    // Every game, bundled ones only, can be made and described.
    assert!(place.json(&["games", "--json"]).as_array().expect("list").len() >= 5);
}

#[test]
fn bad_input_says_what_was_wrong_and_how_to_mend_it() {
    let place = Place::new();
    std::fs::create_dir(place.path("broken")).expect("folder");
    std::fs::write(place.path("broken/run.sqlite"), "this is not a store, whatever its name says")
        .expect("file");
    std::fs::create_dir(place.path("empty")).expect("folder");
    let cases: &[(&[&str], &[&str])] = &[
        (&["train", "setlers"], &["unknown game \"setlers\"", "nearest: \"settlers\"", "known games"]),
        (&["train", "settlers-v9"], &["no version 9", "this build has v1"]),
        (&["train", "settlers", "-o", "seat=3"], &["no option \"seat\"", "nearest: \"seats\""]),
        (&["train", "settlers", "-o", "seats=9"], &["seats=9", "a whole number from 2 to 4"]),
        (&["train", "settlers", "-o", "seats"], &["NAME=VALUE"]),
        (&["train", "settlers", "--budget", "soon"], &["soon", "90s", "5000games", "40gen"]),
        (&["train", "settlers", "--population", "1"], &["population = 1 is not from 4 to 1000"]),
        (&["train", "kuhn-poker"], &["no trainable player"]),
        (&["train", "settlers", "--workers", "0"], &["0", "1..=1024"]),
        (&["train", "settlers", "--resume"], &["no run of settlers", "--run DIR"]),
        (&["train", "settlers", "--resume", "--run", "nowhere"], &["no run in nowhere"]),
        (&["report", "nowhere"], &["no run in nowhere", "runs nearby", "broken"]),
        (&["report", "broken"], &["is not a sound run store"]),
        (
            &["ladder", "settlers", "--agents", "random,gredy"],
            &["unknown player \"gredy\"", "nearest: \"greedy\""],
        ),
        (&["ladder", "settlers", "--agents", "random"], &["at least 2 players"]),
        (&["ladder", "settlers", "--agents", "random,random"], &["named twice"]),
        (&["ladder", "settlers", "--agents", "random,nowhere:best"], &["no run in nowhere"]),
        (&["ladder", "cartpole", "--agents", "random,balance"], &["cannot be rated"]),
        (&["check", "settlers", "--traces", "empty"], &["holds no *.jsonl"]),
        (&["check", "settlers", "--traces", "absent"], &["absent", "name a folder"]),
        (&["check", "cartpole", "--traces", "empty"], &["no replayer"]),
        (&["bench", "settlers", "--lanes", "0"], &["0", "1..=1000000"]),
        (&["bench", "settlers", "--seconds", "-1"], &["-1"]),
        (&["dance"], &["dance"]),
    ];
    for (args, words) in cases {
        let (stdout, stderr) = place.expect(2, args);
        assert!(stdout.is_empty(), "agon {args:?} printed a result: {stdout}");
        assert!(!stderr.contains("panicked"), "agon {args:?} panicked: {stderr}");
        for word in *words {
            assert!(stderr.contains(word), "agon {args:?}: \"{word}\" is not in\n{stderr}");
        }
    }
}

#[test]
fn a_run_trains_is_reported_in_four_forms_and_seats_its_champion_on_a_ladder() {
    let place = Place::new();
    let (table, _) = place.expect(0, &train("run", "2gen", &[]));
    assert!(table.contains("champion") && table.contains("greedy"), "{table}");
    narrow(&table, "train");
    let (again, _) = place.expect(0, &["report", "run"]);
    // What training printed is the report of its store (but for nothing).
    assert_eq!(table, again);
    let doc = place.json(&["report", "run", "--json"]);
    documented(&doc, "report");
    let (_, said) = place.expect(0, &["report", "run", "--html", "page.html", "--csv", "table.csv"]);
    assert!(said.contains("wrote page.html"), "{said}");
    let page = std::fs::read_to_string(place.path("page.html")).expect("page");
    assert!(page.contains("<title>") && !page.contains("<script src") && !page.contains("https://"));
    let csv = std::fs::read_to_string(place.path("table.csv")).expect("csv");
    assert!(csv.lines().count() >= 5, "{csv}");
    let (_, refused) = place.expect(2, &["report", "run", "--html", "no/such/folder/page.html"]);
    assert!(refused.contains("name a file in a folder that exists"), "{refused}");
    let mini = ["-o", "board=mini", "-o", "victory_points=5", "-o", "trade=false", "-o", "turn_cap=150"];
    let ladder =
        [&["ladder", "settlers", "--agents", "random,greedy,run:best", "--games", "24", "--json"], &mini[..]];
    let doc = place.json(&ladder.concat());
    assert!(doc.to_string().contains("run:champion"), "{doc}");
}

#[test]
fn matches_of_a_run_are_counted_listed_shown_exported_and_verified() {
    let place = Place::new();
    place.expect(0, &train("run", "2gen", &[]));
    let (counts, _) = place.expect(0, &["replay", "run"]);
    assert!(counts.contains("train") && counts.contains("ladder") && counts.contains("exam"), "{counts}");
    let doc = place.json(&["replay", "run", "--json"]);
    documented(&doc, "replay");
    let games: i64 = doc.as_array().expect("kinds").iter().filter_map(|k| k["games"].as_i64()).sum();
    assert!(doc.as_array().expect("kinds").iter().all(|k| k["kept"] == k["games"]), "{doc}");
    let (all, _) = place.expect(0, &["replay", "run", "--verify"]);
    assert_eq!(all.trim(), format!("{games} of {games} matches go as stored"));
    documented(&place.json(&["replay", "run", "--verify", "--kind", "exam", "--json"]), "replay");
    let list = place.json(&["replay", "run", "--list", "--kind", "exam", "--player", "greedy", "--json"]);
    documented(&list, "replay");
    assert_eq!(list.as_array().expect("matches").len(), 8);
    let number = list[0]["match"].to_string();
    let (text, _) = place.expect(0, &["replay", "run", "--match", &number]);
    assert!(text.contains("seat 0:") && text.contains("roll") && text.contains("greedy"), "{text}");
    let shown = place.json(&["replay", "run", "--match", &number, "--json"]);
    documented(&shown, "replay");
    assert_eq!(
        shown["moves"].as_array().expect("steps").len() as u64,
        shown["steps"].as_u64().expect("steps") + 1
    );
    place.expect(0, &["replay", "run", "--match", &number, "--out", "game.replay"]);
    let (proof, _) = place.expect(0, &["replay", "game.replay", "--verify"]);
    assert!(proof.contains("steps equal") && proof.contains("state hashes compared"), "{proof}");
    let of_file = place.json(&["replay", "game.replay", "--json"]);
    assert_eq!(of_file["moves"], shown["moves"]);
    // Damage is found and named, and the rest is still verified.
    let db = rusqlite::Connection::open(place.path("run/run.sqlite")).expect("store");
    let cut = "UPDATE moves SET bytes = substr(bytes, 1, length(bytes) - 1) WHERE match = ?1";
    assert_eq!(db.execute(cut, [number.parse::<i64>().expect("number")]).expect("cut"), 1);
    drop(db);
    let (text, _) = place.expect(1, &["replay", "run", "--verify"]);
    assert!(text.contains(&format!("FAIL match {number} cannot be read")), "{text}");
    assert!(text.contains(&format!("{} of {games} matches go as stored", games - 1)), "{text}");
    for (args, words) in [
        (&["replay", "run", "--match", "77777"][..], &["has no match 77777", "numbers go from 0"][..]),
        (&["replay", "run", "--match", &number], &["do not match their checksum"]),
        (&["replay", "run", "--list", "--player", "gredy"], &["no player \"gredy\"", "nearest: \"greedy\""]),
        (&["replay", "game.replay", "--list"], &["is a file", "folder of a run"]),
        (&["replay", "nowhere"], &["no run in nowhere"]),
        (&["replay", "run/run.sqlite"], &["not a replay"]),
    ] {
        let (_, said) = place.expect(2, args);
        words.iter().for_each(|word| assert!(said.contains(word), "agon {args:?}: {said}"));
    }
}

#[test]
fn standard_output_holds_one_document_and_equal_commands_print_equal_ones() {
    let place = Place::new();
    let ladder = |workers: &'static str| {
        place.json(&[
            "ladder",
            "tic-tac-toe",
            "--agents",
            "random,perfect",
            "--games",
            "60",
            "--workers",
            workers,
            "--json",
        ])
    };
    assert_eq!(ladder("1"), ladder("3"));
    documented(&ladder("2"), "ladder");
    let check = place.json(&["check", "kuhn-poker", "--episodes", "3", "--json"]);
    assert_eq!((&check["sound"], &check["findings"]), (&true.into(), &Value::Array(Vec::new())));
    documented(&check, "check");
    let bench = place.json(&["bench", "cartpole", "--lanes", "1,16", "--seconds", "0.05", "--json"]);
    documented(&bench, "bench");
    documented(&place.json(&["games", "cartpole", "--json"]), "games");
    assert_eq!(bench["rows"].as_array().expect("rows").len(), 6);
    assert!(bench["rows"][0]["env_steps_per_s"].as_f64().expect("rate") > 0.0);
}

#[test]
fn recorded_games_replay_and_a_fault_in_one_is_named() {
    let place = Place::new();
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/catan");
    let doc = place.json(&["check", "settlers", "--traces", oracle.to_str().expect("utf-8"), "--json"]);
    assert_eq!((&doc["passed"], &doc["failed"]), (&23.into(), &0.into()));
    std::fs::create_dir(place.path("bad")).expect("folder");
    std::fs::write(place.path("bad/a.jsonl"), "{\"format\":\"something else\"}\n").expect("file");
    std::fs::copy(oracle.join("g03_uniform_s3.jsonl.gz"), place.path("bad/b.jsonl.gz")).expect("copy");
    let (text, _) = place.expect(1, &["check", "settlers", "--traces", "bad"]);
    assert!(text.contains("FAIL a.jsonl") && text.contains("ok   b.jsonl.gz"), "{text}");
    assert!(text.contains("1 of 2 recorded games"), "{text}");
}

#[test]
fn runs_in_the_default_place_are_numbered_and_the_newest_is_resumed() {
    let place = Place::new();
    let default: Vec<&str> = QUICK.iter().copied().chain(["--budget", "1gen"]).collect();
    place.expect(0, &default);
    place.expect(0, &default);
    assert!(
        place.path("runs/settlers-1/run.sqlite").exists()
            && place.path("runs/settlers-2/run.sqlite").exists()
    );
    let (_, said) = place.expect(0, &["train", "settlers", "--resume", "--budget", "2gen"]);
    assert!(said.contains("runs/settlers-2 from generation 1"), "{said}");
    let (_, refused) = place.expect(2, &train("runs/settlers-1", "1gen", &[]));
    assert!(refused.contains("holds a run already") && refused.contains("--resume"), "{refused}");
    let (_, other) = place.expect(2, &train("runs/settlers-1", "1gen", &["--resume", "--seed", "5"]));
    assert!(other.contains("was made with seed 1, now 5 is asked for"), "{other}");
}

#[test]
fn a_killed_run_resumes_to_the_state_of_an_unkilled_one() {
    let place = Place::new();
    place.expect(0, &train("whole", "60gen", &[]));
    let mut kills = 0;
    // Kills fall everywhere, also before the store exists and while it writes.
    for delay_ms in [20, 60, 110, 170, 230, 300, 90, 140, 200, 260] {
        let resume: &[&str] = if place.path("killed/run.sqlite").exists() { &["--resume"] } else { &[] };
        let mut child = place
            .command(&train("killed", "60gen", resume))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(delay_ms) && child.try_wait().expect("wait").is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        kills += i32::from(child.try_wait().expect("wait").is_none());
        _ = child.kill();
        child.wait().expect("gone");
    }
    assert!(kills >= 3, "only {kills} kills met a running training");
    let resume: &[&str] = if place.path("killed/run.sqlite").exists() { &["--resume"] } else { &[] };
    place.expect(0, &train("killed", "60gen", resume));
    assert_eq!(dump(&place.path("whole")), dump(&place.path("killed")));
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_what_is_finished_and_exits_with_130() {
    let place = Place::new();
    let args: Vec<&str> = ["train", "settlers", "--budget", "50gen", "--run", "run"].to_vec();
    let child = place.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    // Begin only when the first games are in the store.
    let begun = Instant::now();
    let stored = || {
        let db = rusqlite::Connection::open(place.path("run/run.sqlite")).ok()?;
        db.query_row("SELECT count(*) FROM matches", [], |r| r.get::<_, i64>(0)).ok()
    };
    while !place.path("run/run.sqlite").exists() || stored().unwrap_or(0) == 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no game was stored in a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    let out = child.wait_with_output().expect("ended");
    let stderr = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("agon train settlers --resume --run 'run' --budget 50gen"), "{stderr}");
    let db = rusqlite::Connection::open(place.path("run/run.sqlite")).expect("store");
    let games: i64 = db.query_row("SELECT count(*) FROM matches", [], |r| r.get(0)).expect("count");
    assert!(games > 0, "nothing was saved");
}
