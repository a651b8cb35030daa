//! Errors of runs: what was wrong, the value seen, the mend.

use rl_gym::GymError;
use std::path::PathBuf;

/// Why a run cannot be made, opened, continued or reported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LeagueError {
    /// A game, option or player was refused.
    #[error(transparent)]
    Gym(#[from] GymError),
    /// There is no run in that folder.
    #[error("no run in {}: it has no {}{}", .run.display(), crate::store::STORE_FILE, hint(.near))]
    NoRun {
        /// The folder.
        run: PathBuf,
        /// Runs beside it.
        near: Vec<String>,
    },
    /// There is a run in that folder already.
    #[error("{} holds a run already: add --resume to continue it, or name another folder with --run", .run.display())]
    RunExists {
        /// The folder.
        run: PathBuf,
    },
    /// The run belongs to another process at the moment.
    #[error("another process is training this run ({} is locked): wait for it or stop it first", .path.display())]
    RunBusy {
        /// The lock file.
        path: PathBuf,
    },
    /// A folder that cannot be made or written.
    #[error("cannot write {}: {why}; name another folder with --run", .path.display())]
    Folder {
        /// The path.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// The store cannot be read or written.
    #[error("run store {}: {why}; what was acknowledged before is still in it", .path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// What the database said.
        why: String,
    },
    /// The disk takes no more of the store.
    #[error(
        "no room for run store {}: {why}; free space on its disk (or raise the limit on file sizes) and continue with --resume: everything saved before is in it",
        .path.display()
    )]
    NoSpace {
        /// The file.
        path: PathBuf,
        /// What the database said.
        why: String,
    },
    /// A run has no such match.
    #[error("run store {} has no match {id}{}", .path.display(), numbers(.range))]
    NoMatch {
        /// The file.
        path: PathBuf,
        /// The number asked for.
        id: i64,
        /// Lowest and highest number there is.
        range: Option<(i64, i64)>,
    },
    /// Nothing was kept to play a match again.
    #[error(
        "no replay of match {id} was kept: runs made by agon before store version 2 kept those of first games of ladder and exam tables alone"
    )]
    NoReplay {
        /// The match.
        id: i64,
    },
    /// A match that is played again goes another way than it went.
    #[error(
        "match {id}: {field} is {ours} when it is played again, stored is {theirs}; play it with the build that made the run"
    )]
    Differs {
        /// The match.
        id: i64,
        /// What differs.
        field: &'static str,
        /// What this build gives.
        ours: String,
        /// What the store holds.
        theirs: String,
    },
    /// The file is not a sound store.
    #[error("{} is not a sound run store: {why}; restore it from a copy or begin a new run", .path.display())]
    BrokenStore {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A newer build made the store.
    #[error("{} was made by a newer build (store v{theirs}, this build reads up to v{ours}): update agon", .path.display())]
    NewerStore {
        /// The file.
        path: PathBuf,
        /// Version in the file.
        theirs: i64,
        /// Newest version known here.
        ours: i64,
    },
    /// The store's file is there and cannot be read.
    #[error("cannot read {}: {why}; make the file and its folder readable for you, or read a copy of it", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// The newest games lie in a log that cannot be merged where it is.
    #[error(
        "{} cannot be read in place ({why}): its newest games are still in {}, which cannot be merged there; copy the folder to a place that can be written and has room, and read that",
        .path.display(), .log.display()
    )]
    UnmergedLog {
        /// The file.
        path: PathBuf,
        /// The log beside it.
        log: PathBuf,
        /// What the database said.
        why: String,
    },
    /// The game of this build plays otherwise than the one that the run was made with.
    #[error(
        "the run in {} was made by {made_by} under rules with hash {theirs}, those of this build have {ours}: continue it with the build that made it or begin a new run",
        .run.display()
    )]
    OtherRules {
        /// The folder.
        run: PathBuf,
        /// The build that made the run.
        made_by: String,
        /// Hash of the rules in the run.
        theirs: String,
        /// Hash of the rules of this build.
        ours: String,
    },
    /// The run was made under other settings than those asked for.
    #[error("the run in {} was made with {what} {theirs}, now {ours} is asked for: continue it as it is or begin a new run", .run.display())]
    OtherSettings {
        /// The folder.
        run: PathBuf,
        /// Which setting.
        what: String,
        /// Value in the run.
        theirs: String,
        /// Value asked for.
        ours: String,
    },
    /// A request that makes no sense.
    #[error("{what}")]
    Request {
        /// What was wrong, the value seen, the mend.
        what: String,
    },
    /// A fit that cannot be made.
    #[error("ratings: {0}")]
    Ratings(String),
    /// A broken invariant of ours.
    #[error("internal error: {what}; please report it")]
    Internal {
        /// What broke.
        what: String,
    },
}

fn numbers(range: &Option<(i64, i64)>) -> String {
    match range {
        None => ": it has none yet".into(),
        Some((first, last)) => format!(": its numbers go from {first} to {last}, not all of them are taken"),
    }
}

fn hint(near: &[String]) -> String {
    if near.is_empty() {
        "; `agon train GAME` makes one".into()
    } else {
        format!("; runs nearby: {}", near.join(", "))
    }
}
