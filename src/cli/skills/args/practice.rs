//! The arguments of the commands that find skills, or do without them again.

use super::{GatesArgs, TaskArgs, WorkArgs};
use crate::cli::args::pair;
use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(ClapArgs)]
pub(crate) struct DistillArgs {
    /// Folder of a run, whose stored matches are mined, or a game, which is then played on train seeds.
    pub(crate) source: String,
    /// The bank that takes the skills, as drafts; it is made if need be. Default: RUN/skills, or banks/GAME.
    #[arg(long, value_name = "DIR")]
    pub(crate) bank: Option<PathBuf>,
    /// Of a game: the teachers that play, each in turn with seeds of its own. Of a run: only matches in which one of
    /// these sat. Default: the strongest player of the game that does not search; all matches.
    #[arg(long, value_name = "A,B,..", value_delimiter = ',')]
    pub(crate) from: Vec<String>,
    /// Episodes that each teacher plays.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) episodes: u32,
    /// Of a run: so many of the newest training and ladder matches.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) matches: u32,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    /// An option for the teachers' games alone, such as advice=on for planner; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) teach: Vec<(String, String)>,
    /// Mine decision lists too: for every verb with enough choice how it is picked, and what is done when. Of a game
    /// with several teachers, from each of them apart.
    #[arg(long)]
    pub(crate) lists: bool,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct PlayAroundArgs {
    /// The game.
    pub(crate) game: String,
    /// The bank that takes the skills, as drafts; it is made if need be. Default: banks/GAME-play.
    #[arg(long, value_name = "DIR")]
    pub(crate) bank: Option<PathBuf>,
    /// The player that plays.
    #[arg(long, value_name = "PLAYER", default_value = "random")]
    pub(crate) base: String,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    /// Passes; later ones play with the skills of earlier ones.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) passes: u32,
    /// Train episodes of a pass.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) episodes: u32,
    /// Goals of a pass that are to give a skill.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) goals: usize,
    /// Compare what was found with no play and with undirected play, on so many report seeds; 0 for no comparison.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) report: u32,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct UpkeepArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    /// The player that skills are added to: a name, or RUN:NAME. Default: as at the gates.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) base: Option<String>,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    /// Train episodes that a skill which broke its contract is played in.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(crate) episodes: u32,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct TuneArgs {
    /// Folder of the bank, or of a run.
    pub(crate) bank: PathBuf,
    /// The skill: NAME, NAME@VERSION or the beginning of its hash.
    pub(crate) id: String,
    /// The player that skills are added to: a name, or RUN:NAME. Default: as at the gates.
    #[arg(long, value_name = "PLAYER")]
    pub(crate) base: Option<String>,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    /// Variants at the start, the skill as it is among them.
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u32).range(2..=4096))]
    pub(crate) variants: u32,
    /// Train seeds of the first round; they double whenever half of the variants are gone.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) budget: u32,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct ChainArgs {
    /// The game.
    pub(crate) game: String,
    /// The bank that grows; it is made if need be. Default: banks/GAME-chain.
    #[arg(long, value_name = "DIR")]
    pub(crate) bank: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) gates: GatesArgs,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    /// Blocks of tasks; after each but the last, what was played is learned from.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) blocks: u32,
    /// Tasks of a block.
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) tasks: u32,
    /// Number of the chain: chains of different numbers play different tasks.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) number: u32,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct FadeArgs {
    /// Folder of the bank, or of a run, or an exported file.
    pub(crate) bank: PathBuf,
    #[command(flatten)]
    pub(crate) task: TaskArgs,
    /// These skills, whatever their state; may be repeated. Default: all active ones.
    #[arg(long, value_name = "ID")]
    pub(crate) skill: Vec<String>,
    /// Shares of chances at which skills are offered, stage by stage.
    #[arg(long, value_name = "S,S,..", value_delimiter = ',', default_value = "1,0.75,0.5,0.25,0")]
    pub(crate) shares: Vec<f64>,
    /// Generations of the learner in a stage.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) generations: u32,
    /// Learners of a generation.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(4..=10_000))]
    pub(crate) population: u32,
    /// Train episodes that a learner is judged by.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) judged: u32,
    /// Report seeds.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    pub(crate) episodes: u32,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}
