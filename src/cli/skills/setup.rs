//! What a bank's skills are tried in: `task.json` beside them, and what is typed over it.

use super::args::TaskArgs;
use crate::cli::{CliError, output, players};
use agon_skill_agent::{MakePolicy, Measure, PlayConfig, Task};
use rl_gym::{Game, OptionKind, Options, Spec, suggest};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs, path::Path, sync::Arc, sync::atomic::AtomicBool};

/// The option of games that draw their episodes from a stock.
const STOCK: &str = "games";

/// The file in the folder of a bank.
const FILE: &str = "task.json";
/// Its format.
const FORMAT: &str = "agon-bank-task/1";
/// Episodes in flight on a worker.
const LANES: usize = 16;

/// The settings, as text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setup {
    format: String,
    /// Id of the game.
    pub(super) game: String,
    /// Every option of the game.
    #[serde(default)]
    pub(super) options: BTreeMap<String, String>,
    /// The player that skills are added to.
    #[serde(default)]
    pub(super) base: Option<String>,
    /// The players of the other seats.
    #[serde(default)]
    pub(super) opponents: Vec<String>,
    /// What counts.
    #[serde(default)]
    pub(super) measure: Option<String>,
}

impl Setup {
    /// Nothing chosen yet.
    pub(super) fn new(game: &Game) -> Self {
        Self {
            format: FORMAT.into(),
            game: game.id(),
            options: BTreeMap::new(),
            base: None,
            opponents: Vec::new(),
            measure: None,
        }
    }

    /// What the bank in `folder` says, or nothing chosen yet.
    pub(super) fn read(folder: &Path, game: &Game) -> Result<Self, CliError> {
        let path = folder.join(FILE);
        let Ok(text) = fs::read_to_string(&path) else { return Ok(Self::new(game)) };
        let wrong = |what: String| CliError::File {
            path: path.clone(),
            why: format!("{what}: delete it and name --base, --opponents and options again"),
        };
        let setup: Self = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
        if setup.format != FORMAT {
            return Err(wrong(format!("the format is \"{}\", this program reads {FORMAT}", setup.format)));
        }
        Ok(setup)
    }

    /// Keeps it beside the bank.
    pub(super) fn write(&self, folder: &Path) -> Result<(), CliError> {
        let mut text = serde_json::to_string_pretty(self).map_err(std::io::Error::from)?;
        text.push('\n');
        let path = folder.join(FILE);
        let part = folder.join("task.json.new");
        fs::write(&part, text).and_then(|()| fs::rename(&part, &path)).map_err(|e| CliError::File {
            path,
            why: format!("cannot be written ({e}): free space there, or make the folder yours"),
        })
    }

    /// With what was typed over it.
    pub(super) fn with(mut self, typed: &TaskArgs, base: Option<&str>) -> Self {
        self.options.extend(typed.option.iter().cloned());
        if let Some(base) = base {
            self.base = Some(base.trim().to_owned());
        }
        if !typed.opponents.is_empty() {
            self.opponents = typed.opponents.iter().map(|name| name.trim().to_owned()).collect();
        }
        if typed.measure.is_some() {
            self.measure.clone_from(&typed.measure);
        }
        self
    }

    /// Its options, checked. Where a game draws its episodes from a stock of generated ones (an option `games`, 0 for a new one
    /// each), every seed gets one of its own unless something else is asked for: seeds that share a game are not independent,
    /// and all intervals take them to be.
    pub(super) fn options(&self, game: &Game) -> Result<Options, CliError> {
        let is_stock =
            |o: &rl_gym::OptionDef| o.name == STOCK && matches!(o.kind, OptionKind::Int { min: 0, .. });
        let fresh = game.options.iter().any(is_stock) && !self.options.contains_key(STOCK);
        let given = self.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Ok(game.resolve(given.chain(fresh.then_some((STOCK, "0"))))?)
    }

    /// The task, with `lead` at the seats that nobody is named for.
    pub(super) fn task(&self, game: &Game, lead: &str) -> Result<(Task, Vec<String>), CliError> {
        let options = self.options(game)?;
        let spec = (game.make)(&options)?.spec().clone();
        let names: Vec<String> = match (&self.opponents[..], spec.seats) {
            (_, 1) => Vec::new(),
            ([], _) => vec![lead.to_owned()],
            (named, _) => named.to_vec(),
        };
        let mut hashes = Vec::new();
        let mut opponents = Vec::new();
        for name in &names {
            let (hash, make) = player(game, &options, name)?;
            hashes.push(hash);
            opponents.push(make);
        }
        let mut task = Task::new(game, options, opponents)?;
        if let Some(text) = &self.measure {
            task.measure = measure(text, &spec)?;
        }
        Ok((task, hashes))
    }

    /// The task with the base player, for trials.
    pub(super) fn resolve(&self, game: &Game) -> Result<Resolved, CliError> {
        let Some(base) = &self.base else {
            let known = agon_policy::Players::of(game);
            let names: Vec<&str> = known.iter().map(|bot| bot.name).collect();
            return Err(CliError::Request(format!(
                "which player are the skills for? Name it with --base; {} has {}",
                game.id(),
                names.join(", ")
            )));
        };
        let options = self.options(game)?;
        let (hash, make) = player(game, &options, base)?;
        let (task, others) = self.task(game, base)?;
        let identity = format!("{hash} against {} for {}", others.join(" "), task.measure);
        Ok(Resolved { setup: self.filled(&task), base: base.clone(), make, task, identity })
    }

    /// With every option and the measure written out, so that later versions of the game play the same.
    fn filled(&self, task: &Task) -> Self {
        let options = task.options.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect();
        Self { game: task.game.id(), options, measure: Some(task.measure.to_string()), ..self.clone() }
    }
}

/// A task with the player that skills are added to.
pub(super) struct Resolved {
    /// The settings, written out.
    pub(super) setup: Setup,
    /// Name of the base player.
    pub(super) base: String,
    /// Makes it.
    pub(super) make: MakePolicy,
    /// What is played.
    pub(super) task: Task,
    /// What cannot be read from the task: hashes of the players.
    pub(super) identity: String,
}

impl Resolved {
    /// The opponents, in words.
    pub(super) fn against(&self) -> String {
        match &self.setup.opponents[..] {
            _ if self.task.opponents.is_empty() => "alone".into(),
            [] => format!("against {}", self.base),
            named => format!("against {}", named.join(", ")),
        }
    }
}

/// A player by name: its hash, and how it is made.
pub(super) fn player(game: &Game, options: &Options, name: &str) -> Result<(String, MakePolicy), CliError> {
    let (player, maker) = players::resolve(game, options, name)?;
    Ok((player.hash, Arc::new(move |spec| maker.make(spec))))
}

/// A measure as typed.
fn measure(text: &str, spec: &Spec) -> Result<Measure, CliError> {
    let known = |more: &[String]| {
        let all = ["win", "place", "points/N"].iter().map(|s| (*s).to_owned());
        all.chain(more.iter().cloned()).collect::<Vec<String>>()
    };
    match text {
        "win" => Ok(Measure::Win),
        "place" => Ok(Measure::Place),
        _ if spec.metrics.iter().any(|m| m == text) => Ok(Measure::Metric(text.into())),
        _ => match text.strip_prefix("points/").map(str::parse::<f32>) {
            Some(Ok(full)) if full > 0.0 && full.is_finite() => Ok(Measure::Points { full }),
            _ => {
                let names = known(&spec.metrics);
                let near = suggest(text, &names).map_or_else(String::new, |n| format!("; nearest: \"{n}\""));
                Err(CliError::Request(format!(
                    "unknown measure \"{text}\"{near}; known measures of {}: {}",
                    spec.id(),
                    names.join(", ")
                )))
            }
        },
    }
}

/// How episodes are played, with the stop flag wired to Ctrl-C.
pub(super) fn play_config(workers: Option<u16>) -> PlayConfig {
    let mut config = PlayConfig {
        lanes: LANES,
        stop: players::stop_flag("\nstopping: games in flight are finished (again to stop at once)"),
        ..PlayConfig::default()
    };
    if let Some(workers) = workers {
        config.workers = workers.into();
    }
    config
}

/// Whether Ctrl-C was pressed.
pub(super) fn is_stopped(stop: &AtomicBool) -> bool {
    stop.load(std::sync::atomic::Ordering::Relaxed)
}

/// Says how to go on after Ctrl-C.
pub(super) fn say_stopped(what: &str) {
    output::note(&format!("stopped; {what}"));
}
