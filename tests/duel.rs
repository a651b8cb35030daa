//! `agon duel`: plain answers, exit codes, early stops, and the same result on any number of workers.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn agon(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agon")).args(args).stdin(Stdio::null()).output().expect("started")
}

/// Runs and expects an exit code; standard output and error.
fn expect(code: i32, args: &[&str]) -> (String, String) {
    let out = agon(args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&out.stdout), text(&out.stderr));
    assert_eq!(out.status.code(), Some(code), "agon {args:?}\n-- stdout\n{stdout}\n-- stderr\n{stderr}");
    (stdout, stderr)
}

fn json(code: i32, args: &[&str]) -> Value {
    let (stdout, _) = expect(code, &[args, &["--json"]].concat());
    serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("agon {args:?}: {e}\n{stdout}"))
}

const MINI: &[&str] =
    &["-o", "board=mini", "-o", "victory_points=5", "-o", "trade=false", "-o", "turn_cap=150", "-q"];

fn documented(doc: &Value) {
    let page = include_str!("../docs/CLI.md");
    match doc {
        Value::Object(fields) => {
            for (key, value) in fields {
                assert!(page.contains(&format!("`{key}`")), "docs/CLI.md lacks the key \"{key}\"");
                documented(value);
            }
        }
        Value::Array(items) => items.iter().for_each(documented),
        _ => {}
    }
}

#[test]
fn a_clear_difference_is_seen_early_in_both_directions() {
    let (yes, _) = expect(0, &["duel", "tic-tac-toe", "perfect", "random", "-q"]);
    assert!(yes.starts_with("yes: perfect is better than random"), "{yes}");
    assert!(yes.lines().all(|line| line.chars().count() <= 100), "{yes}");
    let (no, _) = expect(1, &["duel", "tic-tac-toe", "random", "perfect", "-q"]);
    assert!(no.starts_with("no: random is not better than perfect"), "{no}");
    let doc = json(0, &["duel", "tic-tac-toe", "perfect", "random", "-q"]);
    documented(&doc);
    assert_eq!((&doc["verdict"], &doc["max_games"]), (&"h1".into(), &20_000.into()));
    assert!(doc["games"].as_u64().expect("games") <= 128, "{doc}");
    assert!(doc["elo"]["low"].as_f64().expect("low") > 100.0, "{doc}");
}

#[test]
fn four_seats_are_shared_two_and_two_and_greedy_beats_random() {
    let doc = json(0, &[&["duel", "settlers", "greedy", "random"], MINI].concat());
    documented(&doc);
    let games = doc["games"].as_u64().expect("games");
    let sum: u64 = ["wins", "draws", "losses"].iter().map(|k| doc[*k].as_u64().expect("count")).sum();
    assert_eq!((sum, doc["tables"].as_u64()), (games, Some(games / 2)));
    assert!(games <= 128 && doc["score"]["estimate"].as_f64() > Some(0.8), "{doc}");
    // Three seats cannot be shared evenly; par is a half all the same.
    let three = [&["duel", "settlers", "greedy", "random", "-o", "seats=3"], MINI].concat();
    assert_eq!(json(0, &three)["verdict"], "h1");
}

#[test]
fn a_player_is_not_better_than_itself_and_few_games_leave_it_open() {
    let same = json(1, &["duel", "tic-tac-toe", "random", "random", "--elo1", "50", "-q"]);
    assert_eq!((&same["verdict"], same["score"]["estimate"].as_f64()), (&"h0".into(), Some(0.5)));
    let open =
        json(3, &["duel", "kuhn-poker", "equilibrium", "random", "--max-games", "51", "--elo1", "5", "-q"]);
    assert_eq!(
        (&open["verdict"], &open["games"], &open["max_games"]),
        (&"undecided".into(), &52.into(), &52.into())
    );
    let (text, said) = expect(3, &["duel", "kuhn-poker", "random", "random", "--max-games", "20"]);
    assert!(text.contains("undecided") && text.contains("--max-games"), "{text}");
    assert!(said.contains("are the same player"), "{said}");
}

#[test]
fn workers_lanes_and_hosts_do_not_change_the_result_and_seeds_do() {
    let duel = |more: &[&str]| {
        let out = agon(&[&["duel", "kuhn-poker", "equilibrium", "random", "-q", "--json"], more].concat());
        assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
        (out.status.code(), String::from_utf8(out.stdout).expect("text"))
    };
    let one = duel(&["--workers", "1"]);
    assert_eq!(one, duel(&["--workers", "3", "--lanes", "5"]));
    assert_eq!(one, duel(&["--workers", "2", "--bare"]));
    assert_ne!(one, duel(&["--seed", "2"]));
}

#[test]
fn bad_input_says_what_was_wrong() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["perfect", "randon"], &["unknown player \"randon\"", "nearest: \"random\""]),
        (&["perfect", "random", "--elo0", "20"], &["--elo0 20 is not below --elo1 20"]),
        (&["perfect", "random", "--elo1", "1e9"], &["--elo1 1000000000 is not from -2000 to 2000"]),
        (&["perfect", "random", "--alpha", "0.7"], &["alpha is 0.7", "below 0.5"]),
        (&["perfect", "random", "--max-games", "0"], &["0 is not in 1.."]),
        (&["perfect", "nowhere:best"], &["no run in nowhere"]),
        (&["perfect", "cmd:./no-such-program"], &["./no-such-program cannot be started"]),
        (&["perfect", "cmd:'open"], &["a quote is not closed"]),
    ];
    for (args, words) in cases {
        let (stdout, stderr) = expect(2, &[&["duel", "tic-tac-toe"], *args].concat());
        assert!(stdout.is_empty(), "{stdout}");
        for word in *words {
            assert!(stderr.contains(word), "agon duel {args:?}: \"{word}\" is not in\n{stderr}");
        }
    }
    let (_, alone) = expect(2, &["duel", "cartpole", "random", "balance"]);
    assert!(alone.contains("cannot be rated"), "{alone}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_finishes_games_in_flight_and_leaves_it_undecided() {
    // Equal players a hair's breadth apart, without end.
    let args =
        ["duel", "settlers", "random", "weighted", "--elo1", "0.01", "--json", "--max-games", "10000000"];
    let child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(args)
        .args(["--elo0", "-0.01", "--workers", "1", "--lanes", "4"])
        .args(["-o", "board=mini", "-o", "victory_points=4", "-o", "trade=false", "-o", "turn_cap=100"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    std::thread::sleep(std::time::Duration::from_millis(700));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    let out = child.wait_with_output().expect("ended");
    let said = String::from_utf8_lossy(&out.stderr);
    assert_eq!(out.status.code(), Some(130), "{said}");
    assert!(said.contains("games in flight are finished"), "{said}");
    let doc: Value = serde_json::from_slice(&out.stdout).expect("a document");
    assert_eq!((&doc["verdict"], &doc["interrupted"]), (&"undecided".into(), &true.into()));
}
