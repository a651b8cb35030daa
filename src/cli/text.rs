//! `agon text`: packs of generated games, and the lint of stories; and which game `agon play` plays.

use crate::cli::{
    CliError, Ending,
    args::{AdventureArgs, Loudness, TextArgs, TextCommand, TextGenerateArgs, TextLintArgs},
    output,
};
use agon_text_adventure::{
    Story,
    generate::{self, Sheet},
    loader::{self, Loaded, STORIES},
};
use serde::Serialize;
use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

pub(crate) fn run(args: &TextArgs, loudness: Loudness) -> Result<Ending, CliError> {
    match &args.command {
        TextCommand::Generate(a) => generate(a, loudness),
        TextCommand::Lint(a) => lint(a),
    }
}

/// A game that was chosen to be played.
pub(crate) struct Chosen {
    /// The game.
    pub(crate) story: Arc<Story>,
    /// How it was chosen: two equal texts mean the same game.
    pub(crate) source: String,
}

/// The game that `agon play` was asked for.
pub(crate) fn choose(args: &AdventureArgs) -> Result<Chosen, CliError> {
    if let Some(name) = &args.story {
        let loaded = read(name, args.player.as_deref())?;
        let source = format!("story {name} as {}", loaded.player);
        return Ok(Chosen { story: loaded.story, source });
    }
    if args.player.is_some() {
        let what = "--as chooses whom to play in a story: name one with --story";
        return Err(CliError::Request(what.into()));
    }
    let made = generate::generate(&generate::level(args.level), args.seed)
        .map_err(|e| CliError::Request(e.to_string()))?;
    Ok(Chosen { story: made.story, source: format!("level {} seed {}", args.level, args.seed) })
}

/// A bundled story by name, or one from a file.
fn read(name: &str, player: Option<&str>) -> Result<Loaded, CliError> {
    if let Some(story) = STORIES.iter().find(|s| s.name == name) {
        return compile(story.file, story.text, player);
    }
    let path = Path::new(name);
    let known: Vec<&str> = STORIES.iter().map(|s| s.name).collect();
    let text = fs::read_to_string(path).map_err(|e| CliError::File {
        path: path.into(),
        why: format!("{e}; bundled stories are {}", known.join(", ")),
    })?;
    compile(name, &text, player)
}

fn compile(file: &str, text: &str, player: Option<&str>) -> Result<Loaded, CliError> {
    loader::load(file, text, player).map_err(|e| CliError::Request(format!("{:?}", miette::Report::new(*e))))
}

/// Lints stories: every finding is a line on standard output.
fn lint(args: &TextLintArgs) -> Result<Ending, CliError> {
    let names: Vec<String> = if args.story.is_empty() {
        STORIES.iter().map(|s| s.name.to_owned()).collect()
    } else {
        args.story.clone()
    };
    let mut errors = 0;
    for name in &names {
        let usual = read(name, None)?;
        for player in &usual.players {
            let loaded = read(name, Some(player))?;
            let found = loader::lint(&loaded);
            errors += found.iter().filter(|f| f.severity == loader::Severity::Error).count();
            for finding in &found {
                let kind = if finding.severity == loader::Severity::Error { "error" } else { "hint" };
                output::result(&format!("{name} as {player}: {kind}: {}", finding.what))?;
            }
            if found.is_empty() {
                output::result(&format!(
                    "{name} as {player}: sound, {} commands win",
                    loaded.solution.len()
                ))?;
            }
        }
    }
    Ok(if errors == 0 { Ending::Done } else { Ending::Unsound })
}

/// A game of a pack, as its file says it.
#[derive(Serialize)]
struct GameDoc {
    format: &'static str,
    level: u8,
    #[serde(flatten)]
    sheet: Sheet,
}

/// Writes a pack: a file a game and an index. No two games of it are structurally equal.
fn generate(args: &TextGenerateArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let wrong = |path: &Path, e: &std::io::Error| CliError::File { path: path.into(), why: e.to_string() };
    let games = generate::pack(args.n as usize, &generate::level(args.level), args.seed)
        .map_err(|e| CliError::Request(e.to_string()))?;
    fs::create_dir_all(&args.pack).map_err(|e| wrong(&args.pack, &e))?;
    let mut index = String::from("file,level,seed,theme,skills,rooms,plan,choice_bits,fingerprint\n");
    for game in &games {
        let sheet = game.sheet();
        let name = format!("level-{:02}-seed-{}.json", args.level, sheet.seed);
        let skills: Vec<&str> = sheet.skills.iter().map(|s| s.name()).collect();
        index.push_str(&format!(
            "{name},{},{},{},{},{},{},{},{:016x}\n",
            args.level,
            sheet.seed,
            sheet.theme.name(),
            skills.join(" "),
            game.story.rooms,
            sheet.plan.len(),
            sheet.choice_bits,
            sheet.fingerprint
        ));
        let doc = GameDoc { format: "agon-text-game/1", level: args.level, sheet };
        let text = serde_json::to_string_pretty(&doc).map_err(std::io::Error::from)? + "\n";
        let path: PathBuf = args.pack.join(&name);
        fs::write(&path, text).map_err(|e| wrong(&path, &e))?;
    }
    let path = args.pack.join("index.csv");
    fs::write(&path, index).map_err(|e| wrong(&path, &e))?;
    if loudness != Loudness::Quiet {
        output::note(&format!("{} games of level {} in {}", games.len(), args.level, args.pack.display()));
    }
    Ok(Ending::Done)
}
