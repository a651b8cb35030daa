//! The arguments, as typed.

use crate::cli::{budget::BudgetArg, skills::args::SkillsArgs};
use agon_league::{Pairing, SearchKind};
use clap::{Args as ClapArgs, Parser, Subcommand};
use std::{path::PathBuf, time::Duration};

/// Agon: games in which agents get better by playing each other.
///
/// Begin with `agon train settlers`: a population of players evolves by self-play for two or three minutes,
/// then the ladder shows how far it got. `agon report RUN --html report.html` makes a page of it.
#[derive(Parser)]
#[command(version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print results only.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print more on the way.
    #[arg(short, long, global = true)]
    verbose: bool,
}

/// How much is said on the way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Loudness {
    /// Results only.
    Quiet,
    /// Progress.
    Normal,
    /// Progress and figures of every generation.
    Verbose,
}

impl Args {
    pub(crate) const fn loudness(&self) -> Loudness {
        match (self.quiet, self.verbose) {
            (true, _) => Loudness::Quiet,
            (_, true) => Loudness::Verbose,
            _ => Loudness::Normal,
        }
    }
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// List the games, or describe one: seats, options, spaces, players.
    Games(GamesArgs),
    /// Evolve a population of players by self-play with Elo matchmaking.
    Train(TrainArgs),
    /// Rate named players against each other.
    Ladder(LadderArgs),
    /// Test whether one player is better than another, with no more games than it takes.
    Duel(DuelArgs),
    /// Let a foreign program take a seat, one JSON line a decision.
    Seat(SeatArgs),
    /// Show the leaderboard and figures of a run.
    Report(ReportArgs),
    /// Play matches of a run again: count, list, show, export or verify them.
    Replay(ReplayArgs),
    /// Check that a game keeps the rules of the step API, or replays recorded games.
    Check(CheckArgs),
    /// Measure how fast a game steps.
    Bench(BenchArgs),
    /// Play in the terminal.
    Play(AdventureArgs),
    /// Generated text adventures and the lint of stories.
    Text(TextArgs),
    /// Skills: mined from play, let through gates, kept in a bank, used by players.
    Skills(SkillsArgs),
}

#[derive(ClapArgs)]
pub(crate) struct GamesArgs {
    /// Describe this game only.
    pub(crate) game: Option<String>,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which game, configured how.
#[derive(ClapArgs)]
pub(crate) struct GameArgs {
    /// The game, as `settlers` or `settlers-v1`; `agon games` lists them.
    pub(crate) game: String,
    /// An option of the game; may be repeated. `agon games GAME` lists them.
    #[arg(short, long = "option", id = "option", value_name = "NAME=VALUE", value_parser = pair)]
    pub(crate) option: Vec<(String, String)>,
}

pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .ok_or_else(|| "write NAME=VALUE, for example seats=3".to_owned())
}

#[derive(ClapArgs)]
pub(crate) struct PlayArgs {
    /// Worker threads; the results do not depend on it. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) workers: Option<u16>,
    /// Games in flight on each worker; the results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) lanes: u16,
    /// Step the environments in a plain loop instead of Bevy worlds; the results do not depend on it.
    #[arg(long)]
    pub(crate) bare: bool,
}

#[derive(ClapArgs)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    /// Root of all randomness: the same seed and budget in generations give the same run.
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// When to stop: 40gen (generations of the whole run), 5000games (games of the whole run), or 90s, 10m, 2h
    /// (of this session). The generation begun last is finished and the exam is played besides.
    #[arg(long, value_name = "BUDGET", default_value = "150gen")]
    pub(crate) budget: BudgetArg,
    /// Folder of the run. Default: the next free `runs/GAME-N`.
    #[arg(long, value_name = "DIR")]
    pub(crate) run: Option<PathBuf>,
    /// Continue the run in --run, or the newest one of this game.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Candidates in a generation.
    #[arg(long, value_name = "N")]
    pub(crate) population: Option<usize>,
    /// Rounds of a generation in which the population sits at full tables among itself.
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<usize>,
    /// Tables of a generation that every candidate plays against anchors and champions.
    #[arg(long, value_name = "N")]
    pub(crate) tables: Option<usize>,
    /// Games against each anchor in the closing exam.
    #[arg(long, value_name = "N")]
    pub(crate) exam_games: Option<usize>,
    /// Newest champions that candidates meet besides the anchors; 0 for the anchors alone.
    #[arg(long, value_name = "N")]
    pub(crate) pool: Option<usize>,
    /// How opponents are drawn: elo (of about one's own strength) or uniform.
    #[arg(long, value_name = "RULE")]
    pub(crate) pairing: Option<Pairing>,
    /// How candidates follow from those before them: cma, plain (evolution with one step size) or pbt (the worse half
    /// becomes changed copies of the better half).
    #[arg(long, value_name = "KIND")]
    pub(crate) search: Option<SearchKind>,
}

#[derive(ClapArgs)]
pub(crate) struct LadderArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    /// Players: names, RUN:NAME and RUN:best for players of a run, PLAYER+BANK for one with the active skills of a
    /// bank, or cmd:PROGRAM for a foreign program (docs/SEAT.md). `agon games GAME` lists the names.
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', required = true)]
    pub(crate) agents: Vec<String>,
    /// Seconds that a cmd: player may take for a decision.
    #[arg(long, value_name = "S", default_value = "30")]
    pub(crate) time_limit: LimitArg,
    /// Games to play, rounded up to whole tables of all seat rotations.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) games: u32,
    /// Root of all randomness.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct DuelArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// The player that may be better: a name, RUN:NAME, RUN:best, PLAYER+BANK, or cmd:PROGRAM.
    pub(crate) a: String,
    /// The player it is compared with.
    pub(crate) b: String,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    /// H0: A is at most so much stronger, in Elo.
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) elo0: f64,
    /// H1: A is at least so much stronger, in Elo. The nearer to --elo0, the more games it takes.
    #[arg(long, value_name = "ELO", default_value_t = 20.0, allow_negative_numbers = true)]
    pub(crate) elo1: f64,
    /// How often H1 may be accepted where H0 holds.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// How often H0 may be accepted where H1 holds.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub(crate) beta: f64,
    /// Games after which it stays undecided, rounded up to mirrored pairs.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) max_games: u32,
    /// Root of all randomness.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Seconds that a cmd: player may take for a decision.
    #[arg(long, value_name = "S", default_value = "30")]
    pub(crate) time_limit: LimitArg,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct SeatArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Speak the seat protocol on standard output and input (docs/SEAT.md).
    #[arg(long, required = true)]
    pub(crate) stdio: bool,
    /// The seat taken in every game, from 0. Default: all in turn, on one seed a round.
    #[arg(long, value_name = "N")]
    pub(crate) seat: Option<usize>,
    /// Players of the other seats in order, or one for all of them.
    #[arg(long, value_name = "A,B,..", value_delimiter = ',', default_value = "random")]
    pub(crate) opponents: Vec<String>,
    /// Games to play.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) games: u32,
    /// Root of all randomness.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Seconds for a decision; whoever takes longer forfeits the game.
    #[arg(long, value_name = "S", default_value = "30")]
    pub(crate) time_limit: LimitArg,
}

/// A time limit as typed, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LimitArg(pub(crate) Duration);

impl std::str::FromStr for LimitArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds = text.parse().ok().filter(|s| (0.001..=86_400.0).contains(s));
        seconds
            .map(|s| Self(Duration::from_secs_f64(s)))
            .ok_or_else(|| "write seconds from 0.001 to 86400".to_owned())
    }
}

#[derive(ClapArgs)]
pub(crate) struct ReportArgs {
    /// Folder of the run.
    pub(crate) run: PathBuf,
    /// Write one self-contained page to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the leaderboard as CSV to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Every match of a run is kept move by move. Without more, this says how many there are and what they take.
#[derive(ClapArgs)]
pub(crate) struct ReplayArgs {
    /// Folder of the run, or a replay file that --out wrote.
    pub(crate) path: PathBuf,
    /// Play match N again and show every action. --list tells the numbers.
    #[arg(long = "match", value_name = "N", conflicts_with_all = ["kind", "player"])]
    pub(crate) number: Option<i64>,
    /// Write match N as a replay file instead of showing it.
    #[arg(long, value_name = "FILE", requires = "number")]
    pub(crate) out: Option<PathBuf>,
    /// List the matches: number, kind, end, who sat where, places and points.
    #[arg(long, conflicts_with = "number")]
    pub(crate) list: bool,
    /// Play the matches again and compare steps, last state, places and points with what is stored.
    #[arg(long, conflicts_with_all = ["list", "out"])]
    pub(crate) verify: bool,
    /// Only matches of this kind.
    #[arg(long, value_name = "KIND", value_parser = ["train", "ladder", "exam"])]
    pub(crate) kind: Option<String>,
    /// Only matches in which this player sat, by name.
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// Worker threads of --verify. Default: all cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) workers: Option<u16>,
    /// One JSON document on standard output.
    #[arg(long, conflicts_with = "out")]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Episodes of random play to look at.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) episodes: u32,
    /// Root of all randomness.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Replay recorded games of another implementation (*.jsonl or *.jsonl.gz) instead.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["option", "episodes", "seed"])]
    pub(crate) traces: Option<PathBuf>,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Batch sizes.
    #[arg(long, value_name = "N,N,..", value_delimiter = ',', default_value = "1,64,1024",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) lanes: Vec<u32>,
    /// CPU seconds for each row.
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    pub(crate) seconds: f64,
    /// Root of all randomness.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// One JSON document on standard output.
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }
}

#[derive(ClapArgs)]
pub(crate) struct AdventureArgs {
    /// The game: text-adventure.
    pub(crate) game: String,
    /// A bundled story by name (`agon text lint` names them), or a file.
    #[arg(long, value_name = "NAME|FILE", conflicts_with = "level")]
    pub(crate) story: Option<String>,
    /// Whom to play in a story that leaves the choice.
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// Level of a generated game, 1 to 30.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=30))]
    pub(crate) level: u8,
    /// Which of the level's games; the public benchmark has 1000 x level to 1000 x level + 99.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Write everything that is said to this file, behind what it holds.
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
}

#[derive(ClapArgs)]
pub(crate) struct TextArgs {
    #[command(subcommand)]
    pub(crate) command: TextCommand,
}

#[derive(Subcommand)]
pub(crate) enum TextCommand {
    /// Write a pack of generated games with their walkthroughs, no two of one structure.
    Generate(TextGenerateArgs),
    /// Prove stories winnable and find what is wrong with them.
    Lint(TextLintArgs),
}

#[derive(ClapArgs)]
pub(crate) struct TextGenerateArgs {
    /// Games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) n: u32,
    /// Folder of the pack: one JSON file a game, and index.csv.
    #[arg(long, value_name = "DIR")]
    pub(crate) pack: PathBuf,
    /// Level, 1 to 30.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=30))]
    pub(crate) level: u8,
    /// The first seed that is tried.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(ClapArgs)]
pub(crate) struct TextLintArgs {
    /// Stories by name or file; all bundled ones when none is named.
    pub(crate) story: Vec<String>,
}
