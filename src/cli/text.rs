//! `agon text`: packs of generated games, and the lint of stories; and which game `agon play` plays.

use crate::cli::{
    CliError, Ending,
    args::{AdventureArgs, Loudness, TextArgs, TextCommand, TextGenerateArgs, TextLintArgs},
    output,
};
use agon_text_adventure::{
    Story, World,
    generate::{self, Generated},
    loader::{self, Loaded, STORIES},
    prose,
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
    seed: u64,
}

impl Chosen {
    /// The world at the start.
    pub(crate) fn start(&self) -> World {
        let mut world = self.story.start;
        world.set_seed(self.seed);
        world
    }
}

/// The game that `agon play` was asked for.
pub(crate) fn choose(args: &AdventureArgs) -> Result<Chosen, CliError> {
    if let Some(name) = &args.story {
        let loaded = read(name, args.player.as_deref())?;
        let source = format!("story {name} as {}", loaded.player);
        return Ok(Chosen { story: loaded.story, source, seed: args.seed });
    }
    if args.player.is_some() {
        let what = "--as chooses whom to play in a story: name one with --story";
        return Err(CliError::Request(what.into()));
    }
    let made = make(args.level, args.seed)?;
    Ok(Chosen {
        story: made.story,
        source: format!("level {} seed {}", args.level, args.seed),
        seed: args.seed,
    })
}

fn make(level: u8, seed: u64) -> Result<Generated, CliError> {
    generate::generate(&generate::level(level), seed).map_err(|e| CliError::Request(e.to_string()))
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

/// One game of a pack, as its file says it.
#[derive(Serialize)]
struct GameDoc<'a> {
    format: &'static str,
    level: u8,
    seed: u64,
    title: &'a str,
    objective: &'a str,
    theme: String,
    quests: Vec<String>,
    skills: Vec<String>,
    rooms: u8,
    entities: usize,
    max_score: i16,
    cap: u16,
    choice_bits: u16,
    fingerprint: String,
    walkthrough: Vec<String>,
}

/// Writes a pack: a file a game and an index. No two games of it are structurally equal.
fn generate(args: &TextGenerateArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let wrong = |path: &Path, e: &std::io::Error| CliError::File { path: path.into(), why: e.to_string() };
    fs::create_dir_all(&args.pack).map_err(|e| wrong(&args.pack, &e))?;
    let mut prints: Vec<u64> = Vec::new();
    let mut index = String::from("file,level,seed,theme,skills,rooms,plan,choice_bits,fingerprint\n");
    let mut seed = args.seed;
    let most = args.seed + u64::from(args.n) * 64;
    while prints.len() < args.n as usize {
        if seed >= most {
            let what = format!(
                "{} different games were found at level {} and no more: ask for fewer, or raise --level",
                prints.len(),
                args.level
            );
            return Err(CliError::Request(what));
        }
        let game = make(args.level, seed)?;
        seed += 1;
        if prints.contains(&game.fingerprint) {
            continue;
        }
        prints.push(game.fingerprint);
        let name = format!("level-{:02}-seed-{}.json", args.level, game.seed);
        let doc = document(args.level, &game);
        let path: PathBuf = args.pack.join(&name);
        let text = serde_json::to_string_pretty(&doc).map_err(std::io::Error::from)? + "\n";
        fs::write(&path, text).map_err(|e| wrong(&path, &e))?;
        index.push_str(&format!(
            "{name},{},{},{},{},{},{},{},{}\n",
            args.level,
            game.seed,
            doc.theme,
            doc.skills.join(" "),
            doc.rooms,
            game.plan.len(),
            game.choice_bits,
            doc.fingerprint
        ));
    }
    let path = args.pack.join("index.csv");
    fs::write(&path, index).map_err(|e| wrong(&path, &e))?;
    if loudness != Loudness::Quiet {
        output::note(&format!("{} games of level {} in {}", prints.len(), args.level, args.pack.display()));
    }
    Ok(Ending::Done)
}

fn document(level: u8, game: &Generated) -> GameDoc<'_> {
    let story = &*game.story;
    let walkthrough = game.plan.iter().map(|action| {
        let mut text = String::new();
        prose::command_text(story, *action, &mut text);
        text
    });
    GameDoc {
        format: "agon-text-game/1",
        level,
        seed: game.seed,
        title: &story.title,
        objective: &story.objective,
        theme: game.theme.name().into(),
        quests: game.quests.iter().map(|q| q.name().to_owned()).collect(),
        skills: game.skills.iter().map(|s| s.name().to_owned()).collect(),
        rooms: story.rooms,
        entities: story.len(),
        max_score: story.max_score,
        cap: story.cap,
        choice_bits: game.choice_bits,
        fingerprint: format!("{:016x}", game.fingerprint),
        walkthrough: walkthrough.collect(),
    }
}
