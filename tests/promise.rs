//! What the README promises of the main job, on the built binary: three minutes of both cores, so not in every run.
//!
//!     cargo test --release --test promise -- --ignored

use serde_json::Value;
use std::process::Command;

#[test]
#[ignore = "trains for minutes; run it in release as the header says"]
fn the_default_training_overtakes_the_anchors() {
    let folder = tempfile::tempdir().expect("folder");
    let agon = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(args)
            .current_dir(folder.path())
            .output()
            .expect("run");
        assert!(out.status.success(), "agon {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        out.stdout
    };
    agon(&["train", "settlers", "--run", "run", "-q"]);
    let report: Value = serde_json::from_slice(&agon(&["report", "run", "--json"])).expect("json");
    let low = |opponent: &str| {
        let exams = report["exams"].as_array().expect("exams");
        let exam =
            exams.iter().find(|e| e["opponent"] == opponent).unwrap_or_else(|| panic!("no {opponent}"));
        exam["win_rate"]["interval"]["low"].as_f64().expect("low")
    };
    // One seat of four: par is 0.25.
    assert!(low("random") > 0.90, "{}", low("random"));
    assert!(low("weighted") > 0.70, "{}", low("weighted"));
    assert!(low("greedy") > 0.25, "{}", low("greedy"));
    // The curve rises: the last third of the champions above the first, by more than their intervals.
    let curve = report["curve"].as_array().expect("curve");
    let elo = |i: usize, end: &str| curve[i]["elo"][end].as_f64().expect("elo");
    assert!(elo(curve.len() - 1, "low") > elo(0, "high"), "{curve:?}");
}
