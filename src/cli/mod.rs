//! The commands: arguments as typed, then resolved and checked, then one library call.

mod args;
mod bench;
mod budget;
mod check;
mod duel;
mod error;
mod games;
mod ladder;
mod output;
mod play;
mod players;
mod progress;
mod replay;
mod report;
mod seat;
mod skills;
mod text;
mod train;

use args::{Args, Command};
use clap::Parser;
pub use error::CliError;
use rl_gym::{Game, Registry};
use std::process::ExitCode;

/// Exit code of a test that ended without an answer.
const UNDECIDED: u8 = 3;
/// Exit code after Ctrl-C: everything finished is saved, the command is not complete.
const INTERRUPTED: u8 = 130;

/// How a command ended.
enum Ending {
    /// It did what was asked.
    Done,
    /// It did, and what it looked at is not in order (findings, divergences).
    Unsound,
    /// It did, and the games allowed do not answer the question.
    Undecided,
    /// It was interrupted and saved what was finished.
    Interrupted,
}

/// The command line over a set of games.
#[derive(Default)]
pub struct Cli {
    games: Registry,
}

impl Cli {
    /// Without any game.
    pub const fn new() -> Self {
        Self { games: Registry::new() }
    }

    /// Adds the games of this repository.
    #[must_use]
    pub fn bundled_games(mut self) -> Self {
        self.games = crate::bundled().games().iter().cloned().fold(self.games, Registry::with);
        self
    }

    /// Adds a game; one of the same name is replaced.
    #[must_use]
    pub fn game(mut self, game: Game) -> Self {
        self.games = self.games.with(game);
        self
    }

    /// Reads the arguments of the process and runs the command.
    ///
    /// Exit codes: 0 done, 1 the checked thing is not in order, 2 bad input or a failure (one message on
    /// standard error), 3 a test without an answer, 130 interrupted with everything finished saved.
    pub fn run(self) -> ExitCode {
        let args = Args::parse();
        let loudness = args.loudness();
        let games = &self.games;
        let ending = match args.command {
            Command::Games(a) => games::run(games, &a),
            Command::Train(a) => train::run(games, &a, loudness),
            Command::Ladder(a) => ladder::run(games, &a, loudness),
            Command::Duel(a) => duel::run(games, &a, loudness),
            Command::Seat(a) => seat::run(games, &a, loudness),
            Command::Report(a) => report::run(games, &a),
            Command::Replay(a) => replay::run(games, &a),
            Command::Check(a) => check::run(games, &a, loudness),
            Command::Bench(a) => bench::run(games, &a, loudness),
            Command::Play(a) => play::run(games, &a, loudness),
            Command::Text(a) => text::run(&a, loudness),
            Command::Skills(a) => skills::run(games, &a.command, loudness),
        };
        match ending {
            Ok(Ending::Done) => ExitCode::SUCCESS,
            Ok(Ending::Unsound) => ExitCode::from(1),
            Ok(Ending::Undecided) => ExitCode::from(UNDECIDED),
            Ok(Ending::Interrupted) => ExitCode::from(INTERRUPTED),
            // Whoever reads has gone: nothing to say and nothing wrong.
            Err(CliError::Output(e)) if e.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => {
                output::note(&format!("error: {error}"));
                ExitCode::from(2)
            }
        }
    }
}
