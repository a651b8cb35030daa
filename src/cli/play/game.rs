//! One game of text adventure in progress, with what is about the game and not in it: score, save, map.

use super::{keep, map};
use crate::cli::{CliError, text::Chosen};
use agon_text_adventure::{
    Dir, End, Scope, Words, World,
    parser::{Meta, Outcome, Session, Settings, Typos},
    prose,
};
use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
};

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    Go,
    Quit,
}

/// A game and everything that its player can do with it.
pub(super) struct Play {
    chosen: Chosen,
    words: Words,
    world: World,
    session: Session,
    /// Every line that was given to the game, in order: a kept game is these.
    lines: Vec<String>,
    transcript: Option<(PathBuf, File)>,
}

/// What `help` says.
const HELP: &str = "Say what you want to do, as in: look; go north (or n); take lamp; open chest; unlock door with key; \
put coin in box; ask cook about cellar; give stew to cook; search bench; read note; inventory (or i); wait (or z). \
Several commands go on one line with a full stop or \"then\" between them; \"all\", \"all except\", \"it\", \"again\" \
and \"oops WORD\" are understood.\n\
About the game: score, undo, save NAME, restore NAME, restart, map, transcript FILE, brief, verbose, quit.";

impl Play {
    pub(super) fn new(chosen: Chosen) -> Result<Self, CliError> {
        let words = Words::new(chosen.story.clone());
        let world = chosen.story.start;
        let session = Session::new(0, settings());
        Ok(Self { chosen, words, world, session, lines: Vec::new(), transcript: None })
    }

    pub(super) fn title(&self) -> &str {
        &self.words.story().title
    }

    /// What is told before the first command.
    pub(super) fn opening(&self) -> String {
        let story = self.words.story();
        let mut out = String::new();
        for part in [&story.intro, &story.objective] {
            if !part.is_empty() {
                out.push_str(part);
                out.push_str("\n\n");
            }
        }
        prose::room(story, &self.world, &self.scope(), &mut out);
        out
    }

    fn scope(&self) -> Scope {
        Scope::of(self.words.story(), &self.world, self.words.story().seats[0])
    }

    /// Room, score and turn.
    pub(super) fn status(&self) -> (String, String) {
        let story = self.words.story();
        let scope = self.scope();
        let room = if scope.is_lit { story.entity(scope.room).name.phrase() } else { "in the dark".into() };
        let score = if story.max_score > 0 {
            format!("score {} of {}   ", self.world.score(0), story.max_score)
        } else {
            String::new()
        };
        (room, format!("{score}turn {} of {}", self.world.turn(), story.cap))
    }

    /// Words that the player has met.
    pub(super) fn known_words(&self) -> Vec<String> {
        let story = self.words.story();
        let names = self.world.known(0).iter().filter(|e| !story.is_room(*e)).flat_map(|e| {
            let name = &story.entity(e).name;
            name.adjectives.iter().chain([&name.noun]).chain(&name.synonyms)
        });
        let verbs = story.verbs.iter().filter_map(|v| v.name().split('_').next());
        let dirs = Dir::ALL.iter().map(|d| d.name());
        let mut words: Vec<String> =
            names.map(String::as_str).chain(verbs).chain(dirs).map(str::to_lowercase).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    /// Answers one line.
    pub(super) fn line(&mut self, line: &str) -> (String, Next) {
        let mut out = String::new();
        if self.is_over() && !self.is_about_the_game(line) {
            return ("The game is over. Say undo, restart, restore NAME or quit.".into(), Next::Go);
        }
        let reply = self.session.command(&self.words, &mut self.world, line, &mut out);
        let Outcome::Meta(meta) = reply.outcome else {
            self.lines.push(line.into());
            if self.world.end() == End::Open && self.world.turn() >= self.words.story().cap {
                out.push_str("\n\nYour time is up.");
            }
            if self.is_over() {
                out.push_str("\n\nSay undo, restart, restore NAME or quit.");
            }
            return (out, Next::Go);
        };
        if meta == Meta::Undo {
            self.lines.push(line.into());
            if !out.is_empty() {
                out.push('\n');
            }
            prose::room(self.words.story(), &self.world, &self.scope(), &mut out);
            return (out, Next::Go);
        }
        let name = self.session.words_after().trim().to_owned();
        match self.about(meta, &name) {
            Ok(answer) => (answer, if meta == Meta::Quit { Next::Quit } else { Next::Go }),
            Err(error) => (error.to_string(), Next::Go),
        }
    }

    fn is_over(&self) -> bool {
        self.world.end() != End::Open || self.world.turn() >= self.words.story().cap
    }

    /// Whether a line would not play on: tried on copies.
    fn is_about_the_game(&self, line: &str) -> bool {
        let (mut session, mut world) = (self.session.clone(), self.world);
        let reply = session.command(&self.words, &mut world, line, &mut String::new());
        matches!(reply.outcome, Outcome::Meta(_))
    }

    fn about(&mut self, meta: Meta, name: &str) -> Result<String, CliError> {
        Ok(match meta {
            Meta::Score => self.score(),
            Meta::Help => HELP.into(),
            Meta::Save => {
                let path = keep::path(name)?;
                keep::save(&path, &self.chosen, &self.lines, self.world.full_hash())?;
                format!("Kept as {}. Say \"restore {name}\" to come back here.", path.display())
            }
            Meta::Restore => self.restore(name)?,
            Meta::Restart => {
                self.begin_again();
                self.opening()
            }
            Meta::Verbose | Meta::Brief => {
                self.session.settings.verbose = meta == Meta::Verbose;
                let how =
                    if meta == Meta::Verbose { "each time you enter them" } else { "only the first time" };
                format!("Rooms are described in full {how}.")
            }
            Meta::Transcript => self.transcribe(name)?,
            Meta::Map => map::draw(self.words.story(), &self.world, self.scope().room),
            Meta::Say => {
                "There is nobody here who would answer that. Try asking somebody about something.".into()
            }
            Meta::Quit => "Goodbye.".into(),
            Meta::Undo => String::new(),
        })
    }

    fn score(&self) -> String {
        let story = self.words.story();
        let (score, turn) = (self.world.score(0), self.world.turn());
        format!(
            "You have {score} of {} points, in {turn} of {} turns.\n{}",
            story.max_score, story.cap, story.objective
        )
    }

    fn begin_again(&mut self) {
        self.world = self.chosen.story.start;
        self.session.reset();
        self.lines.clear();
    }

    fn restore(&mut self, name: &str) -> Result<String, CliError> {
        let kept = keep::load(&keep::path(name)?, &self.chosen)?;
        let before = (self.world, self.session.clone(), std::mem::take(&mut self.lines));
        self.begin_again();
        let mut out = String::new();
        for line in &kept.lines {
            out.clear();
            self.session.command(&self.words, &mut self.world, line, &mut out);
        }
        if self.world.full_hash() != kept.hash() {
            (self.world, self.session, self.lines) = before;
            let what = format!("{name} was kept by other rules and leads elsewhere now: nothing was changed");
            return Err(CliError::Request(what));
        }
        self.lines = kept.lines;
        out.clear();
        prose::room(self.words.story(), &self.world, &self.scope(), &mut out);
        Ok(format!("Restored.\n\n{out}"))
    }

    fn transcribe(&mut self, name: &str) -> Result<String, CliError> {
        if let Some((path, _)) = self.transcript.take() {
            return Ok(format!("The transcript in {} ends here.", path.display()));
        }
        if name.is_empty() {
            return Ok("Name a file: transcript my-game.txt".into());
        }
        self.record(Path::new(name))?;
        Ok(format!("From here on everything is written to {name}."))
    }

    /// Writes everything that is said from here on to a file, behind what it holds already.
    pub(super) fn record(&mut self, path: &Path) -> Result<(), CliError> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|e| CliError::File { path: path.into(), why: e.to_string() })?;
        self.transcript = Some((path.into(), file));
        Ok(())
    }

    /// Adds to the transcript, if there is one.
    pub(super) fn note(&mut self, text: &str) -> Result<(), CliError> {
        match &mut self.transcript {
            Some((path, file)) => writeln!(file, "{text}")
                .map_err(|e| CliError::File { path: path.clone(), why: e.to_string() }),
            None => Ok(()),
        }
    }
}

fn settings() -> Settings {
    Settings { typos: Typos::Correct, verbose: false, ..Settings::default() }
}
