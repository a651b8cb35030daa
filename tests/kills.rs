//! A training that is killed again and again ends as one that never was. Long, so it runs when asked for:
//!
//!     AGON_KILLS=100 cargo test --release --test kills -- --ignored --nocapture
//!
//! Every second kill waits for an open write: the training is stopped (SIGSTOP), the kernel's list of locks says
//! whether it holds the write lock of its store just then, and it is killed if so and goes on if not.
#![allow(clippy::print_stdout, reason = "figures for whoever asked for them")]
#![cfg(target_os = "linux")]

mod common;

use agon::gym::Pcg64;
use common::{agon, dump, train};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    os::unix::{fs::MetadataExt, process::ExitStatusExt},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

/// Generations of a run.
const BUDGET: &str = "80gen";
/// Looks at a training until one finds it writing.
const LOOKS: u32 = 400;

/// A shell that sends signals: what is built into it takes microseconds, a process for each takes milliseconds.
struct Signals {
    shell: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Signals {
    fn new() -> Self {
        let mut shell = Command::new("sh")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let commands = shell.stdin.take().expect("piped");
        let answers = BufReader::new(shell.stdout.take().expect("piped"));
        Self { shell, commands, answers }
    }

    fn send(&mut self, signal: &str, to: &Child) {
        writeln!(self.commands, "kill -{signal} {}; echo", to.id()).expect("said");
        self.answers.read_line(&mut String::new()).expect("answered");
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        _ = self.shell.kill();
        _ = self.shell.wait();
    }
}

/// Waits until a process that was sent SIGSTOP stands still; false when it has ended.
fn is_still(child: &Child) -> bool {
    loop {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        match stat.rsplit(") ").next().and_then(|rest| rest.chars().next()) {
            Some('T') => return true,
            None | Some('Z' | 'X') => return false,
            Some(_) => std::thread::yield_now(),
        }
    }
}

/// Whether the process holds the write lock of the store: SQLite locks byte 120 of the file beside the log from the
/// begin of a write transaction to its end.
fn is_writing(child: &Child, run: &Path) -> bool {
    let Ok(shared) = fs::metadata(run.join("run.sqlite-shm")) else { return false };
    let locks = fs::read_to_string("/proc/locks").expect("the kernel lists locks");
    locks.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "POSIX", _, "WRITE", pid, file, from, to] = words[..] else { return false };
        let inode = file.rsplit(':').next().and_then(|inode| inode.parse::<u64>().ok());
        pid == child.id().to_string() && inode == Some(shared.ino()) && (from, to) == ("120", "120")
    })
}

/// Matches in the store of a run, none before there is one.
fn stored(run: &Path) -> i64 {
    if !run.join("run.sqlite").exists() {
        return 0;
    }
    let db = rusqlite::Connection::open(run.join("run.sqlite")).expect("store");
    let sound: String = db.query_row("PRAGMA integrity_check(1)", [], |r| r.get(0)).expect("checked");
    assert_eq!(sound, "ok");
    db.query_row("SELECT count(*) FROM matches", [], |r| r.get(0)).expect("count")
}

#[test]
#[ignore = "a minute or more: see the head of this file"]
fn a_training_that_is_killed_a_hundred_times_ends_as_one_that_never_was() {
    let wanted: u32 = std::env::var("AGON_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(100);
    let folder = tempfile::tempdir().expect("folder");
    let whole = folder.path().join("whole");
    assert!(agon(folder.path(), &train("whole", BUDGET, &[])).output().expect("started").status.success());
    let whole = dump(&whole);
    let (mut rng, mut signals) = (Pcg64::seed(9), Signals::new());
    let (mut kills, mut unborn, mut writing, mut runs) = (0, 0, 0, 0);
    while kills < wanted {
        runs += 1;
        let name = format!("killed-{runs}");
        let run = folder.path().join(&name);
        let mut had = 0;
        loop {
            let resume: &[&str] = if run.join("run.sqlite").exists() { &["--resume"] } else { &[] };
            let mut command = agon(folder.path(), &train(&name, BUDGET, resume));
            let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("started");
            let mut caught = false;
            if kills < wanted {
                std::thread::sleep(Duration::from_micros(rng.below(150_000).into()));
                let hunts = kills % 2 == 1;
                for _ in 0..if hunts { LOOKS } else { 0 } {
                    signals.send("STOP", &child);
                    if !is_still(&child) {
                        break;
                    }
                    caught = is_writing(&child, &run);
                    if caught {
                        break;
                    }
                    signals.send("CONT", &child);
                    std::thread::sleep(Duration::from_micros(rng.below(2000).into()));
                }
                signals.send("KILL", &child);
            }
            let out = child.wait_with_output().expect("ended");
            if out.status.signal() == Some(9) {
                kills += 1;
                unborn += u32::from(!run.join("run.sqlite").exists());
                writing += u32::from(caught);
                // What was in the store stays in it.
                let has = stored(&run);
                assert!(has >= had, "{has} matches after kill {kills}, {had} before");
                had = has;
            } else {
                let said = String::from_utf8_lossy(&out.stderr);
                assert!(out.status.success(), "after {kills} kills: {:?} {said}", out.status);
                break;
            }
        }
        assert_eq!(dump(&run), whole, "run {runs}, after {kills} kills in all");
    }
    println!(
        "{kills} kills over {runs} runs of {BUDGET}: {writing} in an open write transaction, {unborn} before there was a \
         store; every run ended equal to the one that was never killed"
    );
    assert!(writing >= wanted / 4, "only {writing} of {kills} kills met an open write");
}
