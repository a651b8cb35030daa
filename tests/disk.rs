//! Disks that take no more: a training ends with one message, loses nothing, and goes on when there is room again.
#![cfg(target_os = "linux")]
#![allow(clippy::print_stdout, reason = "says what is left out")]
mod common;

use common::{agon, dump, told, train};
use std::{
    fs::{self, File},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const BUDGET: &str = "60gen";

fn whole(folder: &Path) -> Vec<String> {
    let out = agon(folder, &train("whole", BUDGET, &[])).output().expect("started");
    assert!(out.status.success(), "{}", told(&out).1);
    dump(&folder.join("whole"))
}

/// One message with what was wrong, where and the mend; exit code 2.
fn refused(out: &Output) {
    let (code, text) = told(out);
    assert_eq!(code, Some(2), "{text}");
    assert!(!text.contains("panicked"), "{text}");
    let last = text.lines().last().unwrap_or_default();
    for word in ["error: no room for run store", "run.sqlite", "free space on its disk", "--resume"] {
        assert!(last.contains(word), "\"{word}\" is not in: {text}");
    }
}

/// What is saved can be read, reported and verified, on the full disk itself.
fn readable(folder: &Path, run: &str) {
    for args in [&["report", run, "--json"][..], &["replay", run, "--verify"]] {
        let out = agon(folder, args).output().expect("started");
        assert!(out.status.success(), "agon {args:?}: {}", told(&out).1);
    }
}

/// A small disk in memory, gone with this value.
struct Disk(PathBuf);

impl Disk {
    /// `None`, with a word about it, where the system does not allow to mount one.
    fn new(at: PathBuf, size: &str) -> Option<Self> {
        fs::create_dir(&at).expect("folder");
        let size = format!("size={size}");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&at).output();
        match mount {
            Ok(out) if out.status.success() => Some(Self(at)),
            other => {
                println!("left out: a small disk cannot be mounted here ({other:?}); it needs root");
                None
            }
        }
    }

    fn grow(&self, size: &str) {
        let size = format!("remount,size={size}");
        let out = Command::new("mount").args(["-o", &size]).arg(&self.0).output().expect("mount");
        assert!(out.status.success(), "{}", told(&out).1);
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_ends_a_training_with_a_message_and_it_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().expect("folder");
    let Some(disk) = Disk::new(folder.path().join("disk"), "700k") else { return };
    let whole = whole(folder.path());
    fs::write(disk.0.join("page.html"), "old").expect("room as yet");
    let begin = train("disk/run", BUDGET, &[]);
    let resume = train("disk/run", BUDGET, &["--resume"]);
    refused(&agon(folder.path(), &begin).output().expect("started"));
    // As long as there is no room the answer stays the same.
    refused(&agon(folder.path(), &resume).output().expect("started"));
    // Exports to the full disk leave nothing behind and change nothing that is there.
    let ballast =
        std::io::copy(&mut std::io::repeat(1), &mut File::create(disk.0.join("ballast")).expect("file"));
    assert!(ballast.is_err(), "the disk is full to the brim");
    let page = ["report", "disk/run", "--html", "disk/page.html"];
    let (code, text) = told(&agon(folder.path(), &page).output().expect("started"));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("disk/page.html: cannot be written (No space left on device"), "{text}");
    assert!(text.contains("free space there or name a file elsewhere"), "{text}");
    assert_eq!(fs::read_to_string(disk.0.join("page.html")).expect("file"), "old");
    assert!(!disk.0.join("page.html.part").exists());
    readable(folder.path(), "disk/run");
    disk.grow("64m");
    let out = agon(folder.path(), &resume).output().expect("started");
    assert!(out.status.success(), "{}", told(&out).1);
    assert_eq!(dump(&disk.0.join("run")), whole);
}

/// A disk without room for a store at all: the message, and no half store.
#[test]
fn a_disk_without_room_for_a_store_holds_no_run_afterwards() {
    let folder = tempfile::tempdir().expect("folder");
    let Some(disk) = Disk::new(folder.path().join("disk"), "16k") else { return };
    let out = agon(folder.path(), &train("disk/run", "1gen", &[])).output().expect("started");
    let (code, text) = told(&out);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("no room for run store") || text.contains("cannot write"), "{text}");
    let left = fs::read_dir(disk.0.join("run")).map_or(0, |files| {
        files.flatten().filter(|f| f.path().extension().is_some_and(|e| e != "lock")).count()
    });
    assert_eq!(left, 0, "half a store was left");
    disk.grow("64m");
    let out = agon(folder.path(), &train("disk/run", "1gen", &[])).output().expect("started");
    assert!(out.status.success(), "{}", told(&out).1);
}

/// A training under a limit on the size of files, in blocks of 512 bytes.
fn limited(folder: &Path, trap: &str, args: &[&str]) -> Output {
    let script = format!("{trap} ulimit -c 0; ulimit -f 600; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_agon")]).args(args).current_dir(folder);
    command.output().expect("started")
}

/// Needs no root. With the signal ignored a write beyond the limit is an error; without, the signal is a kill.
#[test]
fn a_limit_on_the_size_of_files_is_a_full_disk() {
    let folder = tempfile::tempdir().expect("folder");
    let whole = whole(folder.path());
    for (run, trap, is_killed) in [("told", "trap '' XFSZ;", false), ("killed", "", true)] {
        let out = limited(folder.path(), trap, &train(run, BUDGET, &[]));
        if is_killed {
            assert_eq!(out.status.signal(), Some(25), "SIGXFSZ: {}", told(&out).1);
        } else {
            refused(&out);
        }
        readable(folder.path(), run);
        let out = agon(folder.path(), &train(run, BUDGET, &["--resume"])).output().expect("started");
        assert!(out.status.success(), "{}", told(&out).1);
        assert_eq!(dump(&folder.path().join(run)), whole, "{run}");
    }
}

#[test]
fn what_cannot_be_printed_or_exported_is_told() {
    let folder = tempfile::tempdir().expect("folder");
    let out = agon(folder.path(), &train("run", "1gen", &[])).output().expect("started");
    assert!(out.status.success(), "{}", told(&out).1);
    let full = || File::options().write(true).open("/dev/full").expect("a device");
    for args in [&["report", "run"][..], &["report", "run", "--json"], &["replay", "run", "--list"]] {
        let out = agon(folder.path(), args).stdout(full()).output().expect("started");
        let (code, text) = told(&out);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("standard output cannot be written (No space left on device"), "{text}");
        assert!(text.contains("free space where it goes"), "{text}");
    }
    for option in ["--html", "--csv"] {
        let out = agon(folder.path(), &["report", "run", option, "/dev/full"]).output().expect("started");
        let (code, text) = told(&out);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("/dev/full: cannot be written (No space left on device"), "{text}");
    }
    assert!(Path::new("/dev/full").exists(), "the device was not replaced by a file");
}
