//! Games that episodes are played in: made once, kept, and shared by all environments of the program.

use super::{
    config::{Config, Mode},
    regress::Milestones,
    seat::MAX_ROOMS,
};
use crate::{
    action::Action,
    generate::{self, Fold, GenerateError, Hints, RivalKnobs, ThemeName, generate_with},
    lexicon::Words,
    loader,
    modes::{Stakes, allow_theft},
    observe::Tokens,
    planner::Planner,
    story::Story,
};
use rl_gym::{Fault, GymError, Pcg64};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Games that the program keeps at most; beyond that all are forgotten and made anew when they are wanted.
const KEPT: usize = 4096;

/// Seats and what they do, in order.
pub(crate) type Script = Vec<(usize, Action)>;

/// One game with everything that is worked out once.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    pub(crate) story: Arc<Story>,
    /// The words of the story, for everything that is text.
    pub(crate) words: Words,
    /// Seats and what they do, in order, so that the quest is won, where that is known.
    pub(crate) plan: Script,
    pub(crate) stakes: Stakes,
    pub(crate) tokens: Tokens,
    pub(crate) milestones: Milestones,
}

impl Loaded {
    /// A game ready to be played under `config`.
    fn new(
        config: &Config,
        mut story: Arc<Story>,
        plan: Script,
        stakes: Option<Stakes>,
    ) -> Result<Self, Fault> {
        if story.seats.len() != usize::from(config.seats) {
            return Err(Fault::new(format!(
                "\"{}\" has {} seats, the options {}: play it with seats={} (mode=solo for one)",
                story.title,
                story.seats.len(),
                config.seats,
                story.seats.len()
            )));
        }
        if usize::from(story.rooms) > MAX_ROOMS {
            return Err(Fault::new(format!(
                "\"{}\" has {} rooms, more than the {MAX_ROOMS} that a map holds: leave some out",
                story.title, story.rooms
            )));
        }
        if config.mode == Mode::Rival && stakes.is_none() {
            return Err(Fault::new(format!(
                "\"{}\" has no treasures to be rivals for: play it alone",
                story.title
            )));
        }
        if config.theft {
            allow_theft(Arc::make_mut(&mut story))?;
        }
        let stakes = stakes.unwrap_or_else(|| Stakes::none(&story));
        let tokens = Tokens::of(&story);
        let milestones = Milestones::of(&story, &plan);
        Ok(Self { words: Words::new(story.clone()), story, plan, stakes, tokens, milestones })
    }

    /// Length of the known plan, at least 1.
    pub(crate) fn plan_len(&self) -> usize {
        self.plan.len().max(1)
    }
}

/// What a generated game follows from, besides its number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    mode: u8,
    seats: u8,
    level: u8,
    theme: Option<u8>,
    fold: u8,
    hints: Option<u8>,
    cap_factor: u8,
    theft: bool,
    is_strict: bool,
}

impl Key {
    fn of(config: &Config) -> Self {
        Self {
            mode: config.mode as u8,
            seats: config.seats,
            level: config.level,
            theme: config.theme.map(|t: ThemeName| t as u8),
            fold: config.fold as u8,
            hints: config.hints.map(|h: Hints| h as u8),
            cap_factor: config.cap_factor,
            theft: config.theft,
            is_strict: config.is_strict,
        }
    }
}

type Kept = BTreeMap<(Key, u64), Arc<Loaded>>;

/// Games made so far. A game follows from its key alone, so it does not matter who made it.
static GAMES: Mutex<Kept> = Mutex::new(BTreeMap::new());

/// The games of one set of options.
pub(super) struct Library {
    config: Config,
    key: Key,
    /// The only game, where there is one.
    single: Option<Arc<Loaded>>,
    /// Games by number, as far as they were played here: found without a lock.
    at_hand: Vec<Option<Arc<Loaded>>>,
    planner: Planner,
}

impl Library {
    fn new(config: &Config, single: Option<Arc<Loaded>>) -> Self {
        let games = if single.is_some() { 0 } else { KEPT.min(config.games as usize) };
        let (key, planner) = (Key::of(config), Planner::default());
        Self { config: config.clone(), key, single, at_hand: vec![None; games], planner }
    }

    /// The games of these options.
    pub(super) fn of(config: &Config) -> Result<Self, GymError> {
        match config.story {
            None => Ok(Self::new(config, None)),
            Some(name) => {
                let (story, plan) = bundled(config, name)?;
                let game = Loaded::new(config, story, plan, None)?;
                Ok(Self::new(config, Some(Arc::new(game))))
            }
        }
    }

    /// One story.
    pub(super) fn single(config: &Config, story: Story, stakes: Option<Stakes>) -> Result<Self, GymError> {
        let game = Loaded::new(config, Arc::new(story), Vec::new(), stakes)?;
        Ok(Self::new(config, Some(Arc::new(game))))
    }

    /// Whether episodes may be different games.
    pub(super) const fn is_varied(&self) -> bool {
        self.single.is_none() && self.config.games != 1
    }

    /// The game that an environment holds before its first reset.
    pub(super) fn any(&mut self) -> Result<Arc<Loaded>, GymError> {
        Ok(self.numbered(0)?)
    }

    /// The game of an episode.
    pub(super) fn draw(&mut self, rng: &mut Pcg64) -> Result<Arc<Loaded>, Fault> {
        match self.config.games {
            _ if self.single.is_some() => self.numbered(0),
            0 => {
                let seed = rng.next_u64();
                self.make(seed)
            }
            games => self.numbered(rng.below(games)),
        }
    }

    /// Game number `n` of these options.
    fn numbered(&mut self, n: u32) -> Result<Arc<Loaded>, Fault> {
        if let Some(game) = &self.single {
            return Ok(game.clone());
        }
        if let Some(Some(game)) = self.at_hand.get(n as usize) {
            return Ok(game.clone());
        }
        // The public benchmark of a level is its first hundred numbers.
        let seed = u64::from(self.config.level) * 1000 + u64::from(self.config.first_game) + u64::from(n);
        let at = (self.key.clone(), seed);
        let known = GAMES.lock().unwrap_or_else(PoisonError::into_inner).get(&at).cloned();
        let game = match known {
            Some(game) => game,
            None => {
                let game = self.make(seed)?;
                let mut games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
                if games.len() >= KEPT {
                    games.clear();
                }
                games.insert(at, game.clone());
                game
            }
        };
        if let Some(slot) = self.at_hand.get_mut(n as usize) {
            *slot = Some(game.clone());
        }
        Ok(game)
    }

    /// Makes the generated game of a seed.
    fn make(&mut self, seed: u64) -> Result<Arc<Loaded>, Fault> {
        let config = &self.config;
        let fault = |e: GenerateError| Fault::new(e.to_string());
        let mut knobs = generate::level(config.level);
        (knobs.theme, knobs.fold, knobs.cap_factor) = (config.theme, config.fold, config.cap_factor);
        knobs.hints = config.hints.unwrap_or(knobs.hints);
        if config.fold != Fold::Train {
            // A tenth of the names leaves less room for a narrow window of difficulty.
            knobs.choice_bits = [0, knobs.choice_bits[1] * 2];
        }
        let game = match config.mode {
            Mode::Rival => {
                let made = generate::rival(&rivals(config), seed).map_err(fault)?;
                let treasures: Vec<_> = made.treasures.iter().map(|t| (t.thing, t.worth)).collect();
                let stakes = Stakes::new(&made.story, &made.vaults, &treasures);
                Loaded::new(config, made.story, Vec::new(), Some(stakes))?
            }
            Mode::Coop => {
                knobs.gates = knobs.gates.max(config.seats - 1);
                knobs.rooms = knobs.rooms.max(2 + 2 * config.seats);
                let made = generate::coop(&knobs, config.seats, seed).map_err(fault)?;
                Loaded::new(config, made.story, made.script, None)?
            }
            Mode::Solo => {
                let made = generate_with(&mut self.planner, &knobs, seed).map_err(fault)?;
                Loaded::new(config, made.story, alone(made.plan), None)?
            }
        };
        Ok(Arc::new(game))
    }
}

/// The knobs of worlds for rivals: wings and clutter grow with the level.
fn rivals(config: &Config) -> RivalKnobs {
    RivalKnobs {
        theme: config.theme,
        fold: config.fold,
        seats: config.seats,
        wing: 2 + config.level / 8,
        strict: config.is_strict,
        distractors: config.level / 5,
        cap_factor: config.cap_factor,
        treasures: 3 + config.seats,
        ..RivalKnobs::default()
    }
}

/// A plan of the first seat.
fn alone(plan: Vec<Action>) -> Script {
    plan.into_iter().map(|a| (0, a)).collect()
}

/// A bundled story with its author's solution as actions, where the file has one.
fn bundled(config: &Config, name: &str) -> Result<(Arc<Story>, Script), Fault> {
    let file = loader::STORIES.iter().find(|s| s.name == name);
    let file = file.ok_or_else(|| Fault::new(format!("there is no story \"{name}\"")))?;
    let load = |player: Option<&str>| {
        loader::load(file.file, file.text, player).map_err(|e| Fault::new(format!("story \"{name}\": {e}")))
    };
    let mut loaded = load(None)?;
    if config.player > 0 {
        let key = loaded.players.get(usize::from(config.player)).cloned().ok_or_else(|| {
            Fault::new(format!(
                "player {} of story \"{name}\" does not exist: 0 to {} are {}",
                config.player,
                loaded.players.len().saturating_sub(1),
                loaded.players.join(", ")
            ))
        })?;
        loaded = load(Some(&key))?;
    }
    let plan =
        crate::planner::plan(&loaded.story, &loaded.story.start, 0, &crate::planner::Budget::default());
    Ok((loaded.story, plan.map_or_else(|_| Vec::new(), |p| alone(p.actions))))
}
