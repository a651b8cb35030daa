//! `agon skills` by the built binary: from play to drafts, gates, use, files, players and pages; bad input of every kind.

mod common;

use common::{agon, told, train};
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("folder"))
    }

    /// With a bank `b` whose one skill is active for `random` at tic-tac-toe.
    fn with_bank() -> Self {
        let place = Self::new();
        place.write("by_hand", FINISH, FINISH_CODE);
        place.expect(0, &["skills", "add", "b", "by_hand"]);
        place.expect(0, &["skills", "gate", "b", "--base", "random", "--opponents", "random", "-q"]);
        place
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    /// Writes the folder of a skill.
    fn write(&self, name: &str, record: &str, code: &str) {
        fs::create_dir_all(self.path(name)).expect("folder");
        fs::write(self.path(name).join("skill.json"), record).expect("record");
        fs::write(self.path(name).join("main.luau"), code).expect("code");
    }

    /// Runs and expects an exit code; a failure shows command, folder and both streams.
    fn expect(&self, code: i32, args: &[&str]) -> (String, String) {
        let out = agon(self.0.path(), args).output().expect("started");
        let stdout = String::from_utf8_lossy(&out.stdout).into_owned();
        let (status, stderr) = told(&out);
        let files: Vec<_> =
            fs::read_dir(self.0.path()).expect("folder").flatten().map(|e| e.path()).collect();
        assert_eq!(
            status,
            Some(code),
            "agon {args:?}\nfiles {files:?}\n-- stdout\n{stdout}\n-- stderr\n{stderr}"
        );
        assert!(!stderr.contains("panicked"), "agon {args:?} panicked: {stderr}");
        for line in stdout.lines() {
            assert!(line.chars().count() <= 100 || args.contains(&"--json"), "agon {args:?} is wide: {line}");
        }
        (stdout, stderr)
    }

    fn json(&self, args: &[&str]) -> Value {
        let (stdout, _) = self.expect(0, &[args, &["--json"]].concat());
        let doc = serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("agon {args:?}: {e}\n{stdout}"));
        documented(&doc, &args[..2].join(" "));
        doc
    }
}

/// Every key of a document stands in docs/CLI.md, but those below keys whose own keys are data.
fn documented(doc: &Value, what: &str) {
    const DATA: &[&str] = &["record"];
    let page = include_str!("../docs/CLI.md");
    match doc {
        Value::Object(fields) => {
            for (key, value) in fields {
                assert!(page.contains(&format!("`{key}`")), "{what} --json: docs/CLI.md lacks \"{key}\"");
                if !DATA.contains(&key.as_str()) {
                    documented(value, what);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| documented(item, what)),
        _ => {}
    }
}

/// A skill that nobody mined: it wins wherever one stone does.
const FINISH: &str = r#"{"format": "skill/1", "name": "finish_row", "version": 1, "game": "tic-tac-toe-v1",
"vocabulary": 1, "kind": "option", "doc": "Completes three in a row where it can: a < b & \"c\".", "contract":
{"pre": [{"fact": "can_win", "is": ">=", "to": 1.0}], "effect": [{"fact": "has_won", "is": ">=", "to": 1.0}],
"invariant": [], "within": 1, "rate": 0.95}, "provenance": {"proposer": "human"}}"#;
const FINISH_CODE: &str = r#"-- Completes three in a row where it can, <b>not</b> elsewhere.
return {
    run = function(ctx, args)
        local action = ctx.pick("place", { wins = true }, {})
        if action then coroutine.yield(action) end
    end,
}
"#;

/// One of Settlers.
const CITY: &str = r#"{"format": "skill/1", "name": "city", "version": 1, "game": "settlers-v1", "vocabulary": 1,
"kind": "option", "doc": "Builds a city.", "contract": {"pre": [{"fact": "can_build_city", "is": ">=", "to": 1.0}],
"effect": [], "invariant": [], "within": 1, "rate": 0.0}, "provenance": {"proposer": "human"}}"#;
const CITY_CODE: &str = r#"return {
    run = function(ctx, args)
        local action = ctx.pick("build_city", {}, {})
        if action then coroutine.yield(action) end
    end,
}
"#;

#[test]
fn a_skill_by_hand_goes_through_the_gates_and_lifts_its_player_on_seeds_of_reports() {
    let place = Place::with_bank();
    let list = place.json(&["skills", "list", "b"]);
    assert_eq!(list["skills"][0]["state"], "active", "{list}");
    let admitted = &list["skills"][0]["gain"];
    assert!(admitted["low"].as_f64() > Some(0.0), "{list}");
    assert!(
        place.json(&["skills", "list", "b", "--state", "draft,rejected"])["skills"] == Value::Array(vec![])
    );
    // Everything about it, by name and by the beginning of its hash.
    let shown = place.json(&["skills", "show", "b", "finish_row"]);
    let hash = shown["hash"].as_str().expect("hash");
    assert_eq!(shown, place.json(&["skills", "show", "b", &hash[..8]]));
    assert_eq!(shown["code"], FINISH_CODE);
    let gates: Vec<&str> =
        shown["pieces"].as_array().expect("pieces").iter().filter_map(|p| p["gate"].as_str()).collect();
    for gate in ["static", "replay", "contract", "uplift", "multiple", "regression", "shadow", "probation"] {
        assert!(gates.contains(&gate), "{gates:?}");
    }
    let (text, _) = place.expect(0, &["skills", "show", "b", "finish_row@1"]);
    for word in ["can_win >= 1", "provisional to active on probation", "e-value", "coroutine.yield"] {
        assert!(text.contains(word), "\"{word}\" is not in\n{text}");
    }
    let sound = place.json(&["skills", "verify", "b"]);
    assert!(sound["sound"] == true && sound["replays"].as_u64() > Some(20), "{sound}");
    // Use, with what the gates kept as settings, by all three choosers; equal commands give equal figures.
    let used = place.json(&["skills", "use", "b", "--episodes", "200", "--workers", "1"]);
    let gain = &used["comparison"]["gain"];
    assert!(gain["low"].as_f64() > Some(0.05), "{used}");
    assert!(used["overhead"]["running_us"].as_f64() > Some(0.0), "{used}");
    let again = place.json(&["skills", "use", "b", "--episodes", "200", "--workers", "3"]);
    assert_eq!(used["comparison"], again["comparison"]);
    for chooser in ["bandit", "search"] {
        let used =
            place.json(&["skills", "use", "b", "--episodes", "60", "--chooser", chooser, "--learn", "80"]);
        assert!(used["comparison"]["gain"]["low"].as_f64() > Some(0.0), "{used}");
    }
}

#[test]
fn a_bank_travels_as_a_file_to_other_banks_and_other_players() {
    let place = Place::with_bank();
    place.expect(0, &["skills", "export", "b", "b.agonbank"]);
    let came = place.json(&["skills", "import", "b.agonbank", "c"]);
    assert_eq!(came["added"][0]["state"], "candidate", "{came}");
    assert_eq!(place.json(&["skills", "import", "b.agonbank", "c"])["already"][0], "finish_row");
    // What another bank says of it counts for nothing here: it takes all gates.
    let gated = place.json(&["skills", "gate", "c", "--base", "random"]);
    assert_eq!(gated["rounds"][0]["moved"][0]["to"], "shadow", "{gated}");
    assert_eq!(gated["states"][0][0], "active", "{gated}");
    let used = place.json(&["skills", "use", "b.agonbank", "--base", "random", "--episodes", "60"]);
    assert!(used["comparison"]["gain"]["low"].as_f64() > Some(0.0), "{used}");
    let moved = place.json(&["skills", "transfer", "b", "e", "--base", "random", "--episodes", "60"]);
    assert!(moved["use"]["comparison"]["gain"]["low"].as_f64() > Some(0.0), "{moved}");
    // Out of use and back.
    let (text, _) = place.expect(0, &["skills", "retire", "c", "finish_row", "--reason", "a test"]);
    assert_eq!(text.trim(), "finish_row@1: active to retired");
    let snapshots = place.json(&["skills", "snapshots", "c"]);
    assert_eq!(snapshots[0]["active"][0], "finish_row@1", "{snapshots}");
    assert!(snapshots[0]["gain_since"].is_null());
    let again = place.json(&["skills", "snapshots", "c", "--again", "200"]);
    let gain = &again[0]["gain_since"];
    assert!(gain["high"].as_f64() < Some(0.0), "the bank of now is empty, that one was good: {again}");
    place.expect(0, &["skills", "rollback", "c", "1", "--reason", "it was good"]);
    assert_eq!(place.json(&["skills", "list", "c"])["skills"][0]["state"], "active");
    place.expect(0, &["skills", "verify", "c"]);
}

#[test]
fn a_player_with_a_bank_is_a_player_like_any_other() {
    let place = Place::with_bank();
    place.expect(0, &["skills", "export", "b", "b.agonbank"]);
    let ladder = ["ladder", "tic-tac-toe", "--games", "300", "--json", "--agents"];
    let rated = |agents: &str| {
        let (stdout, _) = place.expect(0, &[&ladder[..], &[agents]].concat());
        serde_json::from_str::<Value>(&stdout).expect("document")
    };
    let doc = rated("random,random+b");
    assert_eq!(doc["rows"][0]["name"], "random+b", "{doc}");
    assert!(doc["rows"][0]["los_next"].as_f64() > Some(0.95), "{doc}");
    // The hash covers the skills and not the place that they come from.
    let (_, said) = place.expect(2, &[&ladder[..], &["random+b,random+b.agonbank"]].concat());
    assert!(said.contains("named twice"), "{said}");
    let hash = |doc: &Value| doc["rows"][0]["hash"].clone();
    assert_ne!(hash(&doc), hash(&rated("perfect,perfect+b")));
    let (verdict, _) =
        place.expect(0, &["duel", "tic-tac-toe", "random+b.agonbank", "random", "--elo1", "60"]);
    assert!(verdict.starts_with("yes: random+b.agonbank is better"), "{verdict}");
    // As somebody else's opponent, and as the one that more skills are added to.
    let used = ["skills", "use", "b", "--base", "random", "--opponents", "random+b", "--episodes", "40"];
    assert!(place.json(&used)["comparison"]["pairs"].as_u64() == Some(40));
    for (agents, words) in [
        ("random,random+nowhere", &["nowhere", "holds no bank", "banks nearby: b"][..]),
        ("random,randm+b", &["unknown player \"randm\"", "nearest: \"random\""]),
    ] {
        let (_, said) = place.expect(2, &[&ladder[..], &[agents]].concat());
        words.iter().for_each(|word| assert!(said.contains(word), "{said}"));
    }
    let (_, said) = place.expect(2, &["ladder", "settlers", "--agents", "random,random+b"]);
    assert!(said.contains("the bank is for tic-tac-toe-v1, not for settlers-v1"), "{said}");
}

#[test]
fn teachers_at_play_and_stored_matches_become_drafts() {
    let place = Place::new();
    let taught = ["skills", "distill", "tic-tac-toe", "--episodes", "150", "--lists"];
    let doc = place.json(&taught);
    let proposed = doc["proposed"].as_array().expect("skills");
    assert!(
        proposed.iter().any(|p| p["proposer"] == "mined") && proposed.iter().any(|p| p["proposer"] == "tree"),
        "{doc}"
    );
    assert_eq!(doc["rollouts"]["players"][0], "perfect");
    assert!(proposed.iter().all(|p| p["is_new"] == true));
    // The same again is known, whatever the number of threads.
    let again = place.json(&[&taught[..], &["--workers", "3"]].concat());
    assert_eq!(again["known"].as_u64(), Some(proposed.len() as u64), "{again}");
    let list = place.json(&["skills", "list", "banks/tic-tac-toe"]);
    assert_eq!(list["skills"].as_array().map(Vec::len), Some(proposed.len()));
    // Other numbers for one of them; nothing but a draft comes of it.
    let tree = proposed.iter().find(|p| p["proposer"] == "tree").expect("there");
    let hash = tree["hash"].as_str().expect("a hash");
    let tune = ["skills", "tune", "banks/tic-tac-toe", hash, "--base", "random"];
    let small = ["--opponents", "random", "--variants", "4", "--budget", "10"];
    let tuned = place.json(&[&tune[..], &small].concat());
    assert_eq!((&tuned["hash"], &tuned["base"]), (&tree["hash"], &"random".into()), "{tuned}");
    assert!(tuned["score"][1].as_f64() >= tuned["score"][0].as_f64() && tuned["episodes"].as_u64() > Some(0));
    let unknown = ["skills", "tune", "banks/tic-tac-toe", "nothing_of_that", "--base", "random"];
    let (_, said) = place.expect(2, &unknown);
    assert!(said.contains("nothing_of_that"), "{said}");
    // What becomes of them has a reason each.
    let gated = place.json(&["skills", "gate", "banks/tic-tac-toe", "--base", "random", "--rounds", "2"]);
    let moved = gated["rounds"][1]["moved"].as_array().expect("moves");
    assert!(
        !moved.is_empty() && moved.iter().all(|m| m["reason"].as_str().is_some_and(|r| r.contains(": "))),
        "{gated}"
    );
    // A run: its matches, without its exams.
    place.expect(0, &train("run", "2gen", &[]));
    let doc = place.json(&["skills", "distill", "run", "--matches", "30", "--from", "greedy,champion-0"]);
    assert_eq!((&doc["bank"], &doc["rollouts"]["traces"]), (&"run/skills".into(), &120.into()), "{doc}");
    assert!(!doc["proposed"].as_array().expect("skills").is_empty(), "{doc}");
    place.expect(0, &["report", "run", "--html", "page.html"]);
    let page = fs::read_to_string(place.path("page.html")).expect("page");
    assert!(page.contains("<h2>Skills</h2>") && page.contains("draft"));
    let (_, said) = place.expect(2, &["skills", "distill", "run", "--from", "gredy"]);
    assert!(said.contains("no player \"gredy\"") && said.contains("nearest: \"greedy\""), "{said}");
    let (_, said) = place.expect(2, &["skills", "distill", "run", "-o", "seats=3"]);
    assert!(said.contains("are those of the run's matches"), "{said}");
}

#[test]
fn upkeep_makes_one_of_two_and_tells_a_broken_contract_anew() {
    let place = Place::with_bank();
    let nothing = place.json(&["skills", "upkeep", "b"]);
    assert_eq!((&nothing["merged"], &nothing["tried"]), (&Value::Array(vec![]), &Value::Array(vec![])));
    let (text, _) = place.expect(0, &["skills", "upkeep", "b"]);
    assert!(text.contains("nothing to do"), "{text}");
    // It promises to win wherever it has a stone, and is refused.
    let hope = FINISH.replace("finish_row", "hope").replace("can_win", "my_stones");
    place.write("hope", &hope, &FINISH_CODE.replace("{ wins = true }, {}", "nil, { wins = 1 }"));
    place.expect(0, &["skills", "add", "b", "hope"]);
    place.expect(0, &["skills", "gate", "b", "--rounds", "2", "-q"]);
    // The same as the active one under another name, which waits for its gates.
    place.write(
        "again",
        &FINISH.replace("finish_row", "finish_again").replace("0.95", "0.9"),
        &FINISH_CODE.replace("-- Completes", "-- Makes"),
    );
    place.expect(0, &["skills", "add", "b", "again"]);
    let parts = |doc: &Value| doc["split"].as_array().expect("drafts").len();
    let doc = place.json(&["skills", "upkeep", "b", "--episodes", "200", "--workers", "1"]);
    assert_eq!((&doc["tried"][0]["name"], parts(&doc)), (&"hope".into(), 1), "{doc}");
    assert_eq!(doc["split"][0]["added"], "winning_cells >= 1");
    assert_eq!(doc["merged"], Value::Array(vec![]), "a draft is no skill yet: {doc}");
    // One round makes candidates of both, one of which goes.
    place.expect(0, &["skills", "gate", "b", "--rounds", "1", "-q"]);
    let (text, _) = place.expect(0, &["skills", "upkeep", "b"]);
    assert!(text.contains("finish_again") && text.contains("does what finish_row does"), "{text}");
    let list = place.json(&["skills", "list", "b", "--state", "active,rejected"]);
    let names: Vec<&str> =
        list["skills"].as_array().expect("skills").iter().filter_map(|s| s["name"].as_str()).collect();
    assert!(names.contains(&"finish_row") && names.contains(&"finish_again"), "{names:?}");
    let (_, said) = place.expect(2, &["skills", "upkeep", "b", "--base", "randm"]);
    assert!(said.contains("unknown player \"randm\""), "{said}");
    place.expect(0, &["skills", "verify", "b"]);
}

#[test]
fn play_and_chains_fill_banks_of_their_own() {
    let place = Place::new();
    let play = ["skills", "play", "tic-tac-toe", "--passes", "1", "--episodes", "60", "--report", "20"];
    let doc = place.json(&play);
    assert!(
        doc["goals"].as_array().is_some_and(|goals| goals.iter().any(|g| g["fact"] == "has_won")),
        "{doc}"
    );
    assert_eq!(doc["report"]["none"]["pairs"], 20);
    place.expect(0, &["skills", "list", "banks/tic-tac-toe-play"]);
    let chain = [
        "skills",
        "chain",
        "tic-tac-toe",
        "--base",
        "random",
        "--blocks",
        "2",
        "--tasks",
        "40",
        "--rounds",
        "1",
    ];
    let doc = place.json(&chain);
    assert_eq!(doc["blocks"].as_array().map(Vec::len), Some(2), "{doc}");
    place.expect(0, &[&chain[..], &["--number", "1"]].concat());
    let (_, said) = place.expect(2, &["skills", "fade", "banks/tic-tac-toe-chain"]);
    assert!(said.contains("holds no active skill"), "{said}");
    // Fading needs a game with a player that learns.
    place.write("city", CITY, CITY_CODE);
    place.expect(0, &["skills", "add", "s", "city"]);
    let mini = ["-o", "board=mini", "-o", "victory_points=5", "-o", "trade=false", "-o", "turn_cap=150"];
    let few =
        ["--shares", "1,0", "--generations", "1", "--population", "4", "--judged", "8", "--episodes", "40"];
    let doc = place.json(&[&["skills", "fade", "s", "--skill", "city"][..], &mini, &few].concat());
    assert_eq!(doc["stages"].as_array().map(Vec::len), Some(2), "{doc}");
    assert!(doc["start"]["uses"][0]["decisions"].as_u64() > Some(0), "{doc}");
    assert_eq!(doc["residue"]["pairs"], 40);
}

#[test]
fn pages_hold_code_evidence_and_lineage_and_escape_what_skills_say() {
    let place = Place::with_bank();
    place.write(
        "other",
        &FINISH.replace("finish_row", "gives_up").replace("0.95", "0.96"),
        "return { run = 1 ",
    );
    place.expect(0, &["skills", "add", "b", "other"]);
    place.expect(0, &["skills", "gate", "b", "--rounds", "1"]);
    place.expect(0, &["skills", "report", "b", "--html", "b.html"]);
    let page = fs::read_to_string(place.path("b.html")).expect("page");
    for word in [
        "&lt;b&gt;not&lt;&#x2f;b&gt;",
        "a &lt; b &amp; &quot;c&quot;",
        "can_win &gt;= 1",
        "e-value",
        "regression",
        "Lineage",
        "Not in use",
        "gives_<wbr/>up<wbr/>",
        "rejected",
    ] {
        assert!(page.contains(word), "\"{word}\" is not in\n{page}");
    }
    assert!(
        !page.contains("<b>not</b>") && !page.contains("https://") && !page.contains("<script"),
        "{page}"
    );
    place.expect(0, &["skills", "report", "b", "--html", "again.html"]);
    assert_eq!(page, fs::read_to_string(place.path("again.html")).expect("page"));
}

#[test]
fn a_changed_bank_is_found_out() {
    let place = Place::with_bank();
    let evidence = place.path("b/skills/finish_row/v1/evidence");
    let piece =
        fs::read_dir(&evidence).expect("evidence").flatten().map(|e| e.path()).min().expect("a piece");
    let whole = fs::read_to_string(&piece).expect("text");
    fs::write(&piece, whole.replace("true", "false")).expect("written");
    let (text, _) = place.expect(1, &["skills", "verify", "b"]);
    assert!(text.contains("FAIL") && text.contains("it was changed"), "{text}");
    let (one, _) = place.expect(1, &["skills", "verify", "b", "finish_row"]);
    assert!(one.contains("FAIL finish_row@1"), "{one}");
    fs::write(&piece, whole).expect("mended");
    place.expect(0, &["skills", "verify", "b"]);
    // Code that was edited is another skill: it is left out here, and can be proposed.
    let code = place.path("b/skills/finish_row/v1/main.luau");
    fs::write(&code, FINISH_CODE.replace("wins = true", "wins = true, is_corner = true")).expect("edited");
    let (text, said) = place.expect(1, &["skills", "verify", "b"]);
    assert!(text.contains("FAIL finish_row@1") && said.contains("it was edited"), "{text}{said}");
    let (text, _) = place.expect(0, &["skills", "add", "b", "b/skills/finish_row/v1"]);
    assert!(text.starts_with("finish_row@2") && text.contains("a draft"), "{text}");
    let record = place.json(&["skills", "show", "b", "finish_row"])["record"].clone();
    assert_eq!(record["provenance"]["proposer"], "human");
    assert_eq!(record["provenance"]["parents"].as_array().map(Vec::len), Some(1));
    // A line of the log that was changed.
    let log = place.path("b/log.jsonl");
    let text = fs::read_to_string(&log).expect("log").replacen("\"draft\"", "\"active\"", 1);
    fs::write(&log, text).expect("changed");
    let (text, _) = place.expect(1, &["skills", "verify", "b"]);
    assert!(text.contains("log.jsonl, line 2"), "{text}");
    let (_, said) = place.expect(2, &["skills", "list", "b"]);
    assert!(said.contains("log.jsonl, line 2"), "{said}");
}

#[test]
fn bad_input_says_what_was_wrong_and_how_to_mend_it() {
    let place = Place::with_bank();
    fs::create_dir(place.path("empty")).expect("folder");
    fs::create_dir(place.path("torn")).expect("folder");
    fs::write(place.path("torn/bank.json"), "{\"format\": \"agon-b").expect("file");
    fs::write(place.path("text.agonbank"), "not a bank").expect("file");
    place.write("bad_word", &FINISH.replace("has_won", "has_wun"), FINISH_CODE);
    place.write("bad_json", "{", FINISH_CODE);
    place.write("other_game", &FINISH.replace("tic-tac-toe-v1", "settlers-v1"), FINISH_CODE);
    let cases: &[(&[&str], &[&str])] = &[
        (&["list", "nowhere"], &["nowhere: is not there", "banks nearby: b", "distill"]),
        (&["list", "empty"], &["empty: holds no bank"]),
        (&["list", "torn"], &["torn", "take them from a copy"]),
        (&["list", "b", "--state", "actve"], &["unknown state \"actve\"", "nearest: \"active\""]),
        (&["show", "b", "finish_rwo"], &["no skill finish_rwo", "did you mean finish_row?"]),
        (&["show", "b", "zzz"], &["no skill zzz", "it has finish_row"]),
        (&["gate", "b", "--base", "randm"], &["unknown player \"randm\"", "nearest: \"random\""]),
        (&["gate", "b", "--opponents", "perfct"], &["unknown player \"perfct\"", "nearest: \"perfect\""]),
        (&["gate", "b", "-o", "seats=3"], &["no option \"seats\""]),
        (&["gate", "b", "--measure", "wins"], &["unknown measure \"wins\"", "nearest: \"win\"", "points/N"]),
        (&["gate", "b", "--measure", "points/0"], &["unknown measure \"points/0\""]),
        (&["gate", "b", "--suite", "3"], &["3", "40..=1000000"]),
        (&["use", "b", "--skill", "finish_rwo"], &["did you mean finish_row?"]),
        (&["use", "b.agonbank"], &["b.agonbank", "is not there"]),
        (&["use", "text.agonbank"], &["this is no exported bank"]),
        (&["use", "b", "--chooser", "egger"], &["egger", "eager"]),
        (&["export", "b", "x.agonbank", "--state", "draft"], &["holds no skill that is draft"]),
        (&["import", "absent.agonbank", "c"], &["there is no such file"]),
        (&["import", "text.agonbank", "b"], &["this is no exported bank"]),
        (&["add", "b", "empty"], &["skill.json", "cannot be read"]),
        (&["add", "b", "bad_word"], &["\"has_wun\" is no fact", "did you mean \"has_won\"?"]),
        (&["add", "b", "bad_json"], &["bad_json/skill.json", "EOF"]),
        (&["add", "b", "other_game"], &["it is for settlers-v1"]),
        (&["rollback", "b", "9"], &["no snapshot 9", "it has 1"]),
        (&["retire", "b", "finish_row", "--reason", " "], &["order"]),
        (&["distill", "tic-tac-to"], &["unknown game \"tic-tac-to\"", "nearest: \"tic-tac-toe\""]),
        (&["distill", "cartpole"], &["cartpole-v1 has no words for skills", "tic-tac-toe"]),
        (&["distill", "empty"], &["empty: holds no run to mine"]),
        (&["distill", "tic-tac-toe", "--from", "perfct"], &["unknown player \"perfct\""]),
        (&["distill", "tic-tac-toe", "--teach", "advice=on"], &["no option \"advice\""]),
        (&["play", "kuhn-poker"], &["no words for skills"]),
        (&["chain", "tic-tac-toe"], &["which player are the skills for?", "--base", "perfect"]),
        (&["fade", "b"], &["tic-tac-toe-v1 has no parametric player"]),
        (&["fade", "b", "--shares", "1,2"], &["--shares has 2"]),
        (&["transfer", "b", "f"], &["which player are the skills for?"]),
        (&["report", "b", "--html", "no/such/b.html"], &["name a file in a folder that exists"]),
    ];
    for (args, words) in cases {
        let (stdout, stderr) = place.expect(2, &[&["skills"], *args].concat());
        assert!(stdout.is_empty(), "agon skills {args:?} printed a result: {stdout}");
        for word in *words {
            assert!(stderr.contains(word), "agon skills {args:?}: \"{word}\" is not in\n{stderr}");
        }
    }
    // None of it has hurt the bank.
    place.expect(0, &["skills", "verify", "b"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_gates_with_130_and_a_sound_bank() {
    let place = Place::with_bank();
    place.write("slow", &FINISH.replace("finish_row", "slow").replace("0.95", "0.9"), FINISH_CODE);
    place.expect(0, &["skills", "add", "c", "slow"]);
    let args = ["skills", "gate", "c", "--base", "random", "--suite", "1000000"];
    let child =
        agon(place.0.path(), &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    // It is in the suite of its second round when the first has been written down.
    let begun = Instant::now();
    let rounds = |path: &Path| fs::read_to_string(path).unwrap_or_default().matches("{\"round\":").count();
    while rounds(&place.path("c/log.jsonl")) < 2 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no second round in a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
    // Nobody else has it open at the same time.
    let (_, said) = place.expect(2, &["skills", "list", "c"]);
    assert!(said.contains("the bank is open in another process"), "{said}");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    let out = child.wait_with_output().expect("ended");
    let (status, stderr) = told(&out);
    assert_eq!(status, Some(130), "{stderr}");
    assert!(stderr.contains("stopped; the rounds that were finished stand"), "{stderr}");
    let list = place.json(&["skills", "list", "c"]);
    assert_eq!(list["skills"][0]["state"], "candidate", "{list}");
    // The same command goes on, here with a suite of usual size.
    place.expect(0, &["skills", "gate", "c", "-q"]);
    assert_eq!(place.json(&["skills", "list", "c"])["skills"][0]["state"], "active");
}
