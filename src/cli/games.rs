//! `agon games`.

use crate::cli::{CliError, Ending, args::GamesArgs, output};
use agon_policy::Players;
use rl_gym::{Game, OptionDef, Registry, Spec};
use serde::Serialize;
use std::fmt::Write;

/// Columns of what is printed for people.
const WIDTH: usize = 100;

/// One game, as `--json` prints it.
#[derive(Serialize)]
struct GameDoc<'a> {
    id: String,
    summary: &'a str,
    spec: Spec,
    options: &'a [OptionDef],
    players: Vec<PlayerDoc>,
    genes: Vec<&'static str>,
    trainable: bool,
    traces: bool,
}

#[derive(Serialize)]
struct PlayerDoc {
    name: &'static str,
    version: u32,
    summary: &'static str,
    anchor: bool,
}

fn doc(game: &Game) -> Result<GameDoc<'_>, CliError> {
    let spec = (game.make)(&game.defaults())?.spec().clone();
    let players = Players::of(game)
        .iter()
        .map(|b| PlayerDoc { name: b.name, version: b.version, summary: b.summary, anchor: b.anchor })
        .collect();
    Ok(GameDoc {
        id: game.id(),
        summary: game.summary,
        spec,
        options: &game.options,
        players,
        genes: game.genome.iter().flat_map(|g| g.genes.iter().map(|g| g.name)).collect(),
        trainable: game.genome.is_some(),
        traces: game.traces.is_some(),
    })
}

pub(crate) fn run(games: &Registry, args: &GamesArgs) -> Result<Ending, CliError> {
    let chosen: Vec<&Game> = match &args.game {
        Some(name) => vec![games.find(name)?],
        None => games.games().iter().collect(),
    };
    let docs = chosen.into_iter().map(doc).collect::<Result<Vec<_>, _>>()?;
    if args.json {
        output::json(&docs)?;
    } else if args.game.is_some() {
        output::result(&docs.iter().map(describe).collect::<String>())?;
    } else {
        output::result(&list(&docs))?;
    }
    Ok(Ending::Done)
}

fn list(docs: &[GameDoc<'_>]) -> String {
    let mut text = String::new();
    for d in docs {
        let seats = if d.spec.seats == 1 { "1 seat".to_owned() } else { format!("{} seats", d.spec.seats) };
        let train = if d.trainable { "trainable" } else { "" };
        // Writing to a String cannot fail.
        _ = writeln!(text, "{:<24} {seats:<8} {train}", d.id);
        wrapped(&mut text, "    ", d.summary);
    }
    text.push_str(
        "\n`agon games GAME` describes one; `agon train GAME` trains it where it says trainable.\n",
    );
    text
}

fn describe(d: &GameDoc<'_>) -> String {
    let mut text = format!("{}: {}\n\n", d.id, d.summary);
    let s = &d.spec;
    let mut line = |what: &str, value: String| _ = writeln!(text, "  {what:<12} {value}");
    line("seats", s.seats.to_string());
    line("turns", format!("{:?}, {:?} information, {:?} luck", s.dynamics, s.information, s.luck));
    line("actions", format!("{} ({} mask bits)", brief(&s.action), s.mask_bits()));
    line("observation", format!("{} x {:?} a seat", s.obs.len(), s.obs.dtype()));
    line("reward", format!("{} to {} a step, {:?}", s.reward.0, s.reward.1, s.utility));
    text.push_str("\nOptions (-o NAME=VALUE):\n");
    for o in d.options {
        _ = writeln!(text, "  {} [{}; default {}]", o.name, o.kind, o.default);
        wrapped(&mut text, "      ", o.help);
    }
    text.push_str("\nPlayers:\n");
    for p in &d.players {
        let anchor = if p.anchor { " (anchor)" } else { "" };
        _ = writeln!(text, "  {} v{}{anchor}", p.name, p.version);
        wrapped(&mut text, "      ", p.summary);
    }
    if d.trainable {
        _ = writeln!(text, "\nTrainable: {} genes.", d.genes.len());
        wrapped(&mut text, "  ", &d.genes.join(", "));
    }
    text.push_str("\nObservation fields (offset, shape, range, meaning):\n");
    for (at, f) in s.obs.offsets() {
        _ = writeln!(text, "  {at:>5} {} {:?} {} to {}", f.name, f.shape, f.low, f.high);
        wrapped(&mut text, "          ", &f.meaning);
    }
    text
}

/// Adds a paragraph of lines of at most [`WIDTH`] columns.
fn wrapped(text: &mut String, indent: &str, paragraph: &str) {
    let mut line = String::new();
    for word in paragraph.split_whitespace() {
        if !line.is_empty() && indent.len() + line.len() + 1 + word.len() > WIDTH {
            _ = writeln!(text, "{indent}{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        _ = writeln!(text, "{indent}{line}");
    }
}

fn brief(space: &rl_gym::Space) -> String {
    match space {
        rl_gym::Space::Discrete { n } => format!("Discrete({n})"),
        rl_gym::Space::MultiDiscrete { n } => format!("MultiDiscrete({n:?})"),
        rl_gym::Space::Fields { dtype, .. } => format!("{} x {dtype:?}", space.len()),
    }
}
