//! The arguments of `agon skills`, as typed.

mod practice;

pub(crate) use practice::{ChainArgs, DistillArgs, FadeArgs, PlayAroundArgs, TuneArgs, UpkeepArgs};

use crate::cli::args::pair;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Skills are short programs in the words of a game, mined from play. A bank (a folder, or RUN/skills of a run) holds
/// them with a contract and evidence each; gates on matched games decide which become active, and only active ones
/// are used. Begin with `agon skills distill tic-tac-toe`, then `gate`, `list` and `use`.
#[derive(ClapArgs)]
pub(crate) struct SkillsArgs {
    #[command(subcommand)]
    pub(crate) command: SkillsCommand,
}

#[derive(Subcommand)]
pub(crate) enum SkillsCommand {
    /// Mine skills from the matches of a run, or from players at play, into a bank.
    Distill(DistillArgs),
    /// Propose a skill that somebody wrote or edited: a folder with skill.json and main.luau.
    Add(AddArgs),
    /// Let a bank's skills go through the gates, as far as matched games carry them.
    Gate(GateArgs),
    /// Make one skill of two that do the same, and tell broken contracts anew, as drafts.
    Upkeep(UpkeepArgs),
    /// Try other numbers in the code of a skill, by successive halving on train seeds.
    Tune(TuneArgs),
    /// List the skills of a bank.
    List(ListArgs),
    /// Show a skill: contract, code, evidence, lineage, what happened to it.
    Show(ShowArgs),
    /// Check hashes, log, evidence, code and replays of a bank, or of one skill.
    Verify(VerifyArgs),
    /// Compare a player with the same player and a bank, on seeds that nothing was chosen by.
    Use(UseArgs),
    /// Let a player play around before any task is given: goals are proposed, tried, verified and distilled.
    Play(PlayAroundArgs),
    /// Play a sequence of tasks with a bank that grows, and the same tasks without.
    Chain(ChainArgs),
    /// Take skills away from a player that learns, and measure what remains.
    Fade(FadeArgs),
    /// Write skills with their evidence into one file.
    Export(ExportArgs),
    /// Take skills from a file; they need this bank's gates.
    Import(ImportArgs),
    /// Give the skills of one bank to another player: import, gates, comparison.
    Transfer(TransferArgs),
    /// Take a skill out of use.
    Retire(RetireArgs),
    /// List what was active after each round.
    Snapshots(SnapshotsArgs),
    /// Make active what was active at a snapshot, and nothing else.
    Rollback(RollbackArgs),
    /// Write a page about a bank.
    Report(PageArgs),
}

/// What is played. What is not given is as in the bank's `task.json`, if it has one.
#[derive(ClapArgs, Clone, Default)]
pub(crate) struct TaskArgs {
    /// An option of the game; may be repeated.
    #[arg(short, long = "option", visible_alias = "set", id = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) option: Vec<(String, String)>,
    /// Players of the other seats, in turn. Default: the one that is given skills; for teachers the teacher itself, or
    /// random where there is one other seat.
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    pub(crate) opponents: Vec<String>,
    /// What counts: win, place, points/N (points as a share of N), or a metric of the game. Default: wins, or the
    /// share of the score in games without places.
    #[arg(long, value_name = "MEASURE")]
    pub(crate) measure: Option<String>,
}

/// How much is done at once, and from which numbers.
#[derive(ClapArgs, Clone)]
pub(crate) struct WorkArgs {
    /// Root of all randomness. Seeds of training, gates and reports never meet, whatever it is.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Worker threads; the results do not depend on it. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) workers: Option<u16>,
}

/// How skills are chosen at play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum ChooserArg {
    /// The first one that applies, always.
    #[default]
    Eager,
    /// The one, or the base player, that did best in like contexts (see --learn).
    Bandit,
    /// The one, or the base player, that comes out best when played ahead.
    Search,
}

#[derive(ClapArgs)]
pub(crate) struct AddArgs {
    /// Folder of the bank, or of a run; it is made if need be.
    pub(crate) bank: PathBuf,
    /// Folder of the skill. A changed one is a new version; its hash is made anew.
    pub(crate) folder: PathBuf,
}

/// How the gates go.
#[derive(ClapArgs, Clone)]
pub(crate) struct GatesArgs {
    /// The player that skills are added to: a name, or RUN:NAME.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) base: Option<String>,
    /// Rounds at most; a skill goes one stage a round, and needs four from draft to active.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) rounds: u32,
    /// Pairs of games at most that a skill's gain is tested by.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) pairs: u32,
    /// Pairs of games by which it is tested that the whole bank is nowhere worse. Fewer than some hundreds prove
    /// nothing, and then nothing is admitted.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(40..=1_000_000))]
    pub(crate) suite: u32,
    /// Uses of a probation.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(40..=1_000_000))]
    pub(crate) uses: u64,
}

#[derive(ClapArgs)]
pub(crate) struct GateArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    #[command(flatten)]
    pub(crate) gates: GatesArgs,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct ListArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    /// Only skills in these states.
    #[arg(long, value_name = "STATE,..", value_delimiter = ',')]
    pub(crate) state: Vec<String>,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct ShowArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    /// The skill: a name, NAME@VERSION, or the beginning of its hash.
    pub(crate) id: String,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct VerifyArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    /// This skill only. Default: all of them.
    pub(crate) id: Option<String>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

/// How skills are used and compared.
#[derive(ClapArgs, Clone)]
pub(crate) struct CompareArgs {
    /// Report seeds that are played with the bank and without it.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(crate) episodes: u32,
    /// Which of the skills that apply is used.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) chooser: ChooserArg,
    /// What the player is after, in words: a bandit and a search look first at the skills that fit them.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) goal: String,
    /// Train episodes that a bandit learns from before.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) learn: u32,
}

#[derive(ClapArgs)]
pub(crate) struct UseArgs {
    /// Folder of the bank, or of a run, or an exported file.
    pub(crate) bank: PathBuf,
    /// The player that skills are added to: a name, or RUN:NAME.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) base: Option<String>,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    #[command(flatten)]
    pub(crate) compare: CompareArgs,
    /// These skills, whatever their state, in this order; may be repeated. Default: all active ones.
    #[arg(long, value_name = "ID")]
    pub(crate) skill: Vec<String>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct ExportArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    /// The file to write, NAME.agonbank.
    pub(crate) file: PathBuf,
    /// Skills in these states.
    #[arg(long, value_name = "STATE,..", value_delimiter = ',', default_value = "active")]
    pub(crate) state: Vec<String>,
}

#[derive(ClapArgs)]
pub(crate) struct ImportArgs {
    /// The file that `export` wrote.
    pub(crate) file: PathBuf,
    /// The bank that takes the skills; it is made if need be.
    pub(crate) bank: PathBuf,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct TransferArgs {
    /// The bank that gives, as a folder, a run or an exported file.
    pub(crate) from: PathBuf,
    /// The bank that takes; it is made if need be.
    pub(crate) bank: PathBuf,
    #[command(flatten)]
    pub(crate) gates: GatesArgs,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    #[command(flatten)]
    pub(crate) compare: CompareArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct RetireArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    /// The skill: a name, NAME@VERSION, or the beginning of its hash.
    pub(crate) id: String,
    /// Why, for the log.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}

#[derive(ClapArgs)]
pub(crate) struct SnapshotsArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    /// Play what was active then against what is active now, on so many gate seeds each.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(crate) again: Option<u32>,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct RollbackArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    /// The snapshot; `agon skills snapshots` lists them.
    pub(crate) number: u64,
    /// Why, for the log.
    #[arg(long, value_name = "TEXT", default_value = "asked for")]
    pub(crate) reason: String,
}

#[derive(ClapArgs)]
pub(crate) struct PageArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    /// The page to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: PathBuf,
}
