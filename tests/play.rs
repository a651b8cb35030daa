//! `agon play` and `agon text` on the built binary, through a pipe.

use std::{
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
};

/// Exit code, standard output and standard error of a command with these lines typed.
fn agon(folder: &Path, args: &[&str], typed: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    // A command that ends early closes its end: that is no failure here.
    _ = child.stdin.take().expect("piped").write_all(typed.as_bytes());
    let out = child.wait_with_output().expect("ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (out.status.code().unwrap_or(-1), text(out.stdout), text(out.stderr))
}

fn play(folder: &Path, more: &[&str], typed: &str) -> String {
    let args = [&["play", "text-adventure"], more].concat();
    let (code, out, err) = agon(folder, &args, typed);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    out
}

const SALT: &[&str] = &["--story", "salt_cellar"];

#[test]
fn a_story_is_won_line_by_line() {
    let folder = tempfile::tempdir().expect("folder");
    let typed = "e\nopen box\nget key\nw. n. w\nn\nopen cupboard then take lamp\ns\nlight it\nunlock door with key\n\
                 open door\nd\nsearch barrel\ntake salt\nu\ngive salt to cook\ne\ngive stew to steward\nscore\nquit\n";
    let out = play(folder.path(), SALT, typed);
    assert!(out.contains("Forty guests breathe in."), "{out}");
    assert!(out.contains("You have 5 of 5 points, in 20 of 80 turns."), "{out}");
}

#[test]
fn a_kept_game_comes_back_and_a_foreign_one_does_not() {
    let folder = tempfile::tempdir().expect("folder");
    let out = play(folder.path(), SALT, "n\nw\nsave here\ntake ladle\nrestore here\ni\nmap\nquit\n");
    assert!(out.contains("Kept as here.save.json"), "{out}");
    let after = out.split("> restore here").nth(1).expect("restored");
    assert!(after.contains("Restored.") && after.contains("You are carrying nothing."), "{after}");
    assert!(after.contains("<kitchen"), "{after}");
    let file = folder.path().join("here.save.json");
    for (change, what) in [
        (None, "it is of story salt_cellar as scullion, and story lighthouse as mate is played here"),
        (Some(("\"w\"", "\"e\"")), "leads elsewhere now: nothing was changed"),
        (Some(("agon-save/1", "agon-save/9")), "its format is agon-save/9"),
        (Some(("{", "")), "it is no kept game"),
    ] {
        let whole = fs::read_to_string(&file).expect("kept");
        if let Some((from, to)) = change {
            assert!(whole.contains(from), "{from}");
            fs::write(&file, whole.replacen(from, to, 1)).expect("written");
        }
        let story = if change.is_none() { "lighthouse" } else { "salt_cellar" };
        let out = play(folder.path(), &["--story", story], "restore here\nlook\n");
        let unwrapped = out.replace('\n', " ");
        assert!(unwrapped.contains(what), "{what}: {out}");
        fs::write(&file, whole).expect("written");
    }
    let out = play(folder.path(), SALT, "save ../there\nrestore nothing\nsave\n");
    assert!(out.contains("cannot be the name of a kept game") && out.contains("nothing.save.json"), "{out}");
    assert!(!folder.path().join("../there.save.json").exists());
}

#[test]
fn undo_transcripts_and_the_end() {
    let folder = tempfile::tempdir().expect("folder");
    let more = [SALT, &["--transcript", "t.txt"]].concat();
    let out = play(folder.path(), &more, "n\nundo\nundo\ntranscript\nn\n");
    assert!(
        out.contains("You take back your last turn.") && out.contains("There is nothing to take back."),
        "{out}"
    );
    let kept = fs::read_to_string(folder.path().join("t.txt")).expect("transcript");
    assert!(kept.starts_with("The guests are at the table") && kept.contains("> undo"), "{kept}");
    assert!(!kept.contains("Great hall\n\n> n"), "it went on after it was stopped: {kept}");
    // A lost game takes nothing but what is about the game.
    let typed = "w\nopen larder\ntake sausage\neat sausage\nlook\nundo\nlook\nquit\n";
    let out = play(folder.path(), &["--story", "orchard"], typed);
    let after = out.split("> eat sausage").nth(1).expect("eaten");
    assert!(after.contains("the game is lost") && after.contains("The game is over. Say undo"), "{after}");
    assert!(after.split("> undo").nth(1).expect("undone").contains("Farm kitchen"), "{after}");
}

#[test]
fn generated_games_are_the_same_for_a_seed() {
    let folder = tempfile::tempdir().expect("folder");
    let game = |seed: &str| play(folder.path(), &["--level", "9", "--seed", seed], "look\ni\n");
    assert_eq!(game("9004"), game("9004"));
    assert_ne!(game("9004"), game("9005"));
}

#[test]
fn wrong_requests_say_what_and_the_mend() {
    let folder = tempfile::tempdir().expect("folder");
    for (args, parts) in [
        (
            &["play", "settlers"][..],
            &["settlers cannot be played in the terminal yet", "agon seat settlers"][..],
        ),
        (&["play", "text-advent"], &["unknown game", "text-adventure"]),
        (
            &["play", "text-adventure", "--story", "nowhere.ron"],
            &["nowhere.ron", "bundled stories are salt_cellar"],
        ),
        (
            &["play", "text-adventure", "--story", "founders_supper", "--as", "marra"],
            &["cannot be played", "mara"],
        ),
        (&["play", "text-adventure", "--as", "mara"], &["--as", "--story"]),
        (&["play", "text-adventure", "--level", "31"], &["31", "1..=30"]),
        (&["text", "generate"], &["--pack"]),
    ] {
        let (code, out, err) = agon(folder.path(), args, "");
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(parts.iter().all(|p| err.contains(p)), "{args:?}: {err}");
    }
}

#[test]
fn packs_hold_different_certified_games() {
    let folder = tempfile::tempdir().expect("folder");
    let args = ["text", "generate", "--n", "12", "--level", "10", "--pack", "pack"];
    assert_eq!(agon(folder.path(), &args, "").0, 0);
    let index = fs::read_to_string(folder.path().join("pack/index.csv")).expect("index");
    let lines: Vec<&str> = index.lines().skip(1).collect();
    let mut prints: Vec<&str> = lines.iter().map(|l| l.rsplit(',').next().expect("column")).collect();
    prints.sort_unstable();
    prints.dedup();
    assert_eq!((lines.len(), prints.len()), (12, 12));
    // The walkthrough of the file wins the game of its seed.
    let name = lines[3].split(',').next().expect("file");
    let text = fs::read_to_string(folder.path().join("pack").join(name)).expect("game");
    let game: serde_json::Value = serde_json::from_str(&text).expect("json");
    let commands: Vec<&str> =
        game["plan"].as_array().expect("list").iter().map(|c| c.as_str().expect("text")).collect();
    let seed = game["seed"].to_string();
    let out = play(folder.path(), &["--level", "10", "--seed", &seed], &(commands.join("\n") + "\nscore\n"));
    assert!(out.contains("the game is won!"), "{out}");
    assert!(out.contains(&format!("You have {0} of {0} points", game["max_score"])), "{out}");
}

#[test]
fn the_lint_proves_stories_and_refuses_broken_ones() {
    let folder = tempfile::tempdir().expect("folder");
    let (code, out, _) = agon(folder.path(), &["text", "lint"], "");
    assert_eq!(code, 0, "{out}");
    assert!(out.lines().count() >= 8 && out.lines().all(|l| l.contains("sound")), "{out}");
    let story = include_str!("../assets/text/stories/salt_cellar.ron");
    let write = |name: &str, from: &str, to: &str| {
        assert!(story.contains(from), "{from}");
        fs::write(folder.path().join(name), story.replacen(from, to, 1)).expect("written");
    };
    write("unwinnable.ron", "at: \"box\"", "at: \"barrel\"");
    let (code, out, _) = agon(folder.path(), &["text", "lint", "unwinnable.ron"], "");
    assert!(code == 1 && out.contains("error: no plan wins"), "{out}");
    write("broken.ron", "at: \"pantry\"", "at: \"pantri\"");
    let (code, _, err) = agon(folder.path(), &["text", "lint", "broken.ron"], "");
    assert!(code == 2 && err.contains("broken.ron") && err.contains("did you mean \"pantry\"?"), "{err}");
}
