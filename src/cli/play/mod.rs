//! `agon play`: a person plays in the terminal, or a script through a pipe.

mod game;
mod keep;
mod map;
mod terminal;

use crate::cli::{
    CliError, Ending,
    args::{AdventureArgs, Loudness},
    text,
};
use game::{Next, Play};
use rl_gym::Registry;
use terminal::{Read, Terminal};

pub(crate) fn run(games: &Registry, args: &AdventureArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let game = games.find(&args.game)?;
    if game.name != "text-adventure" {
        return Err(CliError::Request(format!(
            "{} cannot be played in the terminal yet: play text-adventure, or let a program take a seat with `agon seat {}`",
            game.name, game.name
        )));
    }
    let mut play = Play::new(text::choose(args)?)?;
    if let Some(path) = &args.transcript {
        play.record(path)?;
    }
    let mut terminal = Terminal::new(loudness == Loudness::Quiet)?;
    let opening = play.opening();
    play.note(&opening)?;
    terminal.title(play.title())?;
    terminal.say(&opening)?;
    loop {
        terminal.status(&play.status())?;
        let line = match terminal.read(|| play.known_words())? {
            Read::Line(line) => line,
            Read::Interrupted => return Ok(Ending::Interrupted),
            Read::Ended => return Ok(Ending::Done),
        };
        let (answer, next) = play.line(&line);
        play.note(&format!("\n> {line}\n{answer}"))?;
        terminal.say(&answer)?;
        if next == Next::Quit {
            return Ok(Ending::Done);
        }
    }
}
