//! `agon seat` and `cmd:` players: a client in Rust, the clients of docs/SEAT.md, and clients that misbehave.

use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Output, Stdio},
    time::Duration,
};
use tempfile::TempDir;

/// A running `agon seat` and the client's ends of its pipes.
struct Seat {
    child: Child,
    input: Option<ChildStdin>,
    lines: BufReader<std::process::ChildStdout>,
}

impl Seat {
    fn begin(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
            .arg("seat")
            .args(args)
            .args(["--stdio", "-q"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        let input = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, input, lines }
    }

    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        let n = self.lines.read_line(&mut line).expect("a line");
        (n > 0).then(|| serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}")))
    }

    fn say(&mut self, line: &str) {
        if let Some(input) = &mut self.input {
            writeln!(input, "{line}").expect("said");
        }
    }

    /// Plays to the end with an answer to every decision; `None` says nothing. All lines, in order.
    fn play(mut self, mut answer: impl FnMut(&mut Self, &Value) -> Option<String>) -> Vec<Value> {
        let mut heard = Vec::new();
        while let Some(message) = self.next() {
            if message["type"] == "decision"
                && let Some(line) = answer(&mut self, &message)
            {
                self.say(&line);
            }
            heard.push(message);
        }
        assert!(self.child.wait().expect("ended").success());
        heard
    }
}

fn of_type<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|l| l["type"] == kind).collect()
}

/// The legal action in the middle.
fn middle(decision: &Value) -> String {
    let legal = decision["legal"].as_array().expect("legal");
    format!("{{\"action\": {}}}", legal[legal.len() / 2]["index"])
}

const MINI: &[&str] = &["-o", "board=mini", "-o", "victory_points=5", "-o", "turn_cap=40"];

#[test]
fn a_client_in_rust_plays_every_game_by_numbers_text_and_names() {
    for game in ["tic-tac-toe", "kuhn-poker", "rock-paper-scissors", "cartpole", "settlers"] {
        let mini = if game == "settlers" { MINI } else { &[] };
        let lines = || {
            Seat::begin(&[&[game, "--games", "3", "--seed", "7"], mini].concat())
                .play(|_, decision| Some(middle(decision)))
        };
        let heard = lines();
        assert_eq!(heard, lines(), "{game} is not repeatable");
        let hello = &heard[0];
        assert_eq!((&hello["type"], &hello["protocol"]), (&"hello".into(), &1.into()), "{game}");
        for decision in of_type(&heard, "decision") {
            for field in hello["observation"].as_array().expect("fields") {
                let size: u64 =
                    field["shape"].as_array().expect("shape").iter().filter_map(Value::as_u64).product();
                let name = field["name"].as_str().expect("name");
                match &decision["observation"][name] {
                    Value::Array(numbers) => assert_eq!(numbers.len() as u64, size, "{game}: {name}"),
                    number => assert!(number.is_number() && size == 1, "{game}: {name} is {number}"),
                }
            }
            assert!(!decision["text"].as_str().expect("text").is_empty());
            for legal in decision["legal"].as_array().expect("legal") {
                let index = legal["index"].as_u64().expect("index") as usize;
                assert_eq!(legal["name"], hello["actions"][index], "{game}");
            }
            // Actions of others are told where everybody sees everything only.
            assert_eq!(decision["events"].is_array(), game != "kuhn-poker" && game != "settlers", "{game}");
        }
        let ends = of_type(&heard, "end");
        assert_eq!(ends.len(), 3, "{game}");
        assert!(ends.iter().all(|e| e["status"] == "won" || e["status"] == "truncated"), "{game}: {ends:?}");
        let seats = hello["seats"].as_u64().expect("seats");
        assert!(ends.iter().zip(0u64..).all(|(e, i)| e["seat"] == i % seats && e["match"] == i), "{game}");
        let last = heard.last().expect("lines");
        assert_eq!(
            (&last["type"], &last["games"], &last["forfeits"]),
            (&"result".into(), &3.into(), &0.into())
        );
    }
}

#[test]
fn events_are_the_actions_since_the_own_last_one_and_names_are_answers_too() {
    let heard = Seat::begin(&["tic-tac-toe", "--seat", "1", "--opponents", "perfect"]).play(|_, decision| {
        let name = &decision["legal"][0]["name"];
        Some(format!("{{\"id\": {}, \"action\": {name}}}", decision["id"]))
    });
    let decisions = of_type(&heard, "decision");
    assert_eq!(decisions[0]["events"].as_array().map(Vec::len), Some(1));
    let second = decisions[1]["events"].as_array().expect("events");
    assert_eq!(second.iter().map(|e| e["seat"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(0)]);
    assert_eq!(second[0]["name"], decisions[0]["legal"][0]["name"]);
    assert_eq!(of_type(&heard, "end")[0]["places"], serde_json::json!([0, 1]), "perfect lost");
}

#[test]
fn nonsense_forfeits_the_match_and_the_next_one_goes_on() {
    let fouls = [
        ("not json", "is not a JSON object"),
        ("[1]", "is not a JSON object"),
        ("{\"move\": 1}", "names no action"),
        ("{\"action\": 99}", "no action is called 99"),
        ("{\"action\": -1}", "no action is called -1"),
        ("{\"action\": 1.5}", "no action is called 1.5"),
        ("{\"action\": \"a11\"}", "no action is called \"a11\" (nearest legal: \"a1\")"),
        ("{\"action\": 0, \"id\": 10000}", "is to decision 10000"),
    ];
    let games = (fouls.len() + 2).to_string();
    let heard = Seat::begin(&["tic-tac-toe", "--seat", "0", "--games", &games]).play(|_, decision| {
        let number = decision["match"].as_u64().expect("match") as usize;
        Some(fouls.get(number).map_or_else(|| middle(decision), |(line, _)| (*line).to_owned()))
    });
    let errors = of_type(&heard, "error");
    for (error, (line, words)) in errors.iter().zip(&fouls) {
        let why = error["why"].as_str().expect("why");
        assert!(why.contains(words), "{line}: \"{words}\" is not in {why}");
    }
    let ends = of_type(&heard, "end");
    assert_eq!((errors.len(), ends.len()), (fouls.len(), fouls.len() + 2));
    for end in &ends[..fouls.len()] {
        assert_eq!((&end["status"], &end["places"]), (&"forfeit".into(), &serde_json::json!([1, 0])));
    }
    assert!(ends[fouls.len()..].iter().all(|e| e["status"] == "won"), "{ends:?}");
    let result = heard.last().expect("result");
    assert_eq!(result["forfeits"], fouls.len());
}

#[test]
fn an_illegal_action_is_named_with_what_would_be_legal() {
    // The first stone lies on a1 when the same seat answers a1 again.
    let heard = Seat::begin(&["tic-tac-toe", "--seat", "0"]).play(|_, _| Some("{\"action\": \"a1\"}".into()));
    let why = of_type(&heard, "error")[0]["why"].as_str().expect("why").to_owned();
    assert!(why.starts_with("action 0 (a1) is illegal here. 7 legal actions: "), "{why}");
}

#[test]
fn a_late_answer_forfeits_and_is_not_taken_for_the_next() {
    let heard = Seat::begin(&["tic-tac-toe", "--seat", "0", "--games", "2", "--time-limit", "1"]).play(
        |seat, decision| {
            if decision["id"] == 1 {
                std::thread::sleep(Duration::from_millis(1400));
                // Illegal nowhere, but nonsense for whoever takes it for an answer to decision 2.
                seat.say("{\"action\": \"late\"}");
                return None;
            }
            Some(middle(decision))
        },
    );
    let errors = of_type(&heard, "error");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0]["why"].as_str().is_some_and(|w| w.starts_with("no answer within 1 s")), "{errors:?}");
    let status: Vec<&Value> = of_type(&heard, "end").into_iter().map(|e| &e["status"]).collect();
    assert_eq!(status, ["forfeit", "won"]);
}

#[test]
fn a_closed_input_forfeits_what_is_left_and_the_others_share_the_first_place() {
    let heard = Seat::begin(&[&["settlers", "--games", "3"], MINI].concat()).play(|seat, decision| {
        if decision["match"] == 1 {
            seat.input = None;
            return None;
        }
        Some(middle(decision))
    });
    let ends = of_type(&heard, "end");
    assert_ne!(ends[0]["status"], "forfeit");
    assert_eq!(ends[1]["places"], serde_json::json!([0, 1, 0, 0]));
    assert_eq!(ends[2]["places"], serde_json::json!([0, 0, 1, 0]));
    assert_eq!(heard.last().expect("result")["forfeits"], 2);
}

fn agon(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .expect("started")
}

fn ladder(folder: &Path, player: &str, more: &[&str]) -> Value {
    let agents = format!("random,{player}");
    let args = [&["ladder", "tic-tac-toe", "--agents", &agents, "--json", "-q"], more].concat();
    let out = agon(folder, &args);
    assert!(out.status.success(), "agon {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("a document")
}

/// The first code block of `language` in docs/SEAT.md.
fn from_the_page(language: &str) -> &'static str {
    let page = include_str!("../docs/SEAT.md");
    let begin = format!("```{language}\n");
    let (_, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("docs/SEAT.md has no {language}"));
    rest.split_once("```").expect("an end").0
}

fn with_script(name: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join(name), text).expect("written");
    folder
}

fn plays_well(folder: &Path, player: &str) {
    let one = ladder(folder, player, &["--games", "60", "--workers", "1"]);
    assert_eq!(one["counts"]["forfeits"], 0, "{one}");
    assert_eq!(one["counts"]["rated"], 60);
    assert_eq!(one, ladder(folder, player, &["--games", "60", "--workers", "2", "--lanes", "5"]), "{player}");
}

#[cfg(unix)]
#[test]
fn the_shell_client_of_the_page_sits_on_a_ladder() {
    let folder = with_script("client.sh", from_the_page("sh"));
    plays_well(folder.path(), "cmd:sh client.sh");
}

#[test]
fn the_python_client_of_the_page_sits_on_a_ladder() {
    let python =
        Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        // Said rather than failed: the page's client is checked wherever there is a Python.
        return eprintln_skip();
    }
    let folder = with_script("client.py", from_the_page("python"));
    plays_well(folder.path(), "cmd:python3 client.py");
}

#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn eprintln_skip() {
    eprintln!("skipped: there is no python3 here");
}

#[cfg(unix)]
#[test]
fn a_program_that_crashes_or_babbles_forfeits_those_matches_only() {
    // Ends after twenty answers, in the middle of whatever goes on.
    let crash = "n=0\nwhile read -r line; do case $line in *'\"resumed\":true'*) echo x >>resumed;;\n\
                 *'\"type\":\"decision\"'*)\n\
                 n=$((n+1)); [ $n -gt 20 ] && exit 1\n\
                 index=${line#*'\"legal\":[{\"index\":'}; echo \"{\\\"action\\\":${index%%,*}}\";; esac; done\n";
    let folder = with_script("crash.sh", crash);
    let doc = ladder(folder.path(), "cmd:sh crash.sh", &["--games", "40", "--workers", "1", "--lanes", "4"]);
    let forfeits = doc["counts"]["forfeits"].as_u64().expect("count");
    // 40 games of three to five decisions make six to ten times twenty.
    assert!((4..=12).contains(&forfeits), "{forfeits} forfeits: {doc}");
    let resumed = std::fs::read_to_string(folder.path().join("resumed")).expect("games in flight went on");
    assert!((forfeits as usize..=3 * forfeits as usize).contains(&resumed.lines().count()), "{resumed}");
    let folder = with_script("babble.sh", "while read -r line; do echo hello; done\n");
    let doc = ladder(folder.path(), "cmd:sh babble.sh", &["--games", "20", "--workers", "1"]);
    assert_eq!(doc["counts"]["forfeits"], 20, "{doc}");
    let text = doc["counts"]["notes"].to_string();
    assert!(text.contains("is not a JSON object") || text.contains("not started again"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_program_that_sleeps_is_late_and_is_gone_afterwards() {
    let folder = with_script("sleep.sh", "while read -r line; do :; done\n");
    let begun = std::time::Instant::now();
    let doc =
        ladder(folder.path(), "cmd:sh sleep.sh", &["--games", "10", "--workers", "1", "--time-limit", "0.2"]);
    assert_eq!(doc["counts"]["forfeits"], 10, "{doc}");
    assert!(doc["counts"]["notes"].to_string().contains("no answer within 0.2 s"), "{doc}");
    // Three times too late, and not asked again.
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
fn bad_input_says_what_was_wrong() {
    let folder = tempfile::tempdir().expect("folder");
    let cases: &[(&[&str], &[&str])] = &[
        (&["settlers"], &["--stdio"]),
        (&["setlers", "--stdio"], &["nearest: \"settlers\""]),
        (&["settlers", "--stdio", "--seat", "4"], &["--seat 4 is not from 0 to 3"]),
        (&["settlers", "--stdio", "--opponents", "random,greedy"], &["names 2 players", "3 other seats"]),
        (&["settlers", "--stdio", "--opponents", "gredy"], &["nearest: \"greedy\""]),
        (&["settlers", "--stdio", "--time-limit", "0"], &["seconds from 0.001 to 86400"]),
    ];
    for (args, words) in cases {
        let out = agon(folder.path(), &[&["seat"], *args].concat());
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "agon seat {args:?}: {said}");
        assert!(out.stdout.is_empty());
        for word in *words {
            assert!(said.contains(word), "agon seat {args:?}: \"{word}\" is not in\n{said}");
        }
    }
}
