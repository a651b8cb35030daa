//! Runs on media that cannot be written. A test of its own: it starts a process, which must inherit no lock.
#![cfg(unix)]

mod common;

use agon_league::{LeagueError, STORE_FILE, Store};
use common::store::{count, made, outcomes};
use std::{
    fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::Path,
    process::Command,
};

const AT: &str = "AGON_TEST_READ_ONLY";

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("mode");
}

fn close(run: &Path) {
    for file in fs::read_dir(run).expect("folder").flatten() {
        mode(&file.path(), 0o444);
    }
    mode(run, 0o555);
}

fn told(opened: Result<Store, LeagueError>) -> String {
    opened.err().expect("refused").to_string()
}

/// Symptom: a run on a read-only medium was called broken.
fn check(folder: &Path) {
    let whole = folder.join("it's 100% a run?");
    assert_eq!(count(&Store::open_read(&whole).expect("readable")), 1);
    let written = told(Store::open(&whole));
    assert!(written.starts_with("cannot write") && written.contains(STORE_FILE), "{written}");
    let live = told(Store::open_read(&folder.join("live")));
    assert!(live.contains("its newest games are still in") && live.contains("copy the folder"), "{live}");
    let hidden = told(Store::open_read(&folder.join("hidden")));
    assert!(hidden.starts_with("cannot read") && hidden.contains("Permission denied"), "{hidden}");
}

#[test]
fn a_run_in_a_read_only_folder_is_read_or_told_why_not() {
    if let Some(folder) = std::env::var_os(AT) {
        return check(Path::new(&folder));
    }
    let folder = tempfile::tempdir().expect("folder");
    let at = |name: &str| folder.path().join(name);
    mode(folder.path(), 0o755);
    made(&at("it's 100% a run?"));
    // A folder copied while its run goes on: the newest games are in the log alone.
    made(&at("source"));
    let mut writer = Store::open(&at("source")).expect("store");
    writer.transaction(|s| s.add_matches(&outcomes(1..5))).expect("stored");
    fs::create_dir(at("live")).expect("folder");
    for file in ["run.sqlite", "run.sqlite-wal"] {
        fs::copy(at("source").join(file), at("live").join(file)).expect("copied");
    }
    made(&at("hidden"));
    for run in ["it's 100% a run?", "live", "hidden"] {
        close(&at(run));
    }
    mode(&at("hidden").join(STORE_FILE), 0o000);
    if fs::write(at("live").join("probe"), "").is_err() {
        check(folder.path());
    } else {
        // No mode keeps root out: the check runs as nobody, from a copy that nobody can start.
        fs::remove_file(at("live").join("probe")).expect("removed");
        let program = at("program");
        fs::copy(std::env::current_exe().expect("path"), &program).expect("copied");
        mode(&program, 0o755);
        let ran = Command::new(&program)
            .args(["--exact", "a_run_in_a_read_only_folder_is_read_or_told_why_not"])
            .env(AT, folder.path())
            .current_dir("/")
            .uid(65534)
            .gid(65534)
            .output()
            .expect("started");
        let text = String::from_utf8_lossy(&ran.stdout);
        assert!(ran.status.success() && text.contains("1 passed"), "{text}");
    }
    for run in ["it's 100% a run?", "live", "hidden"] {
        mode(&at(run), 0o755);
    }
}
