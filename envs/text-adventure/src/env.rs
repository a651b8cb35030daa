//! The game behind the step API of `rl-gym`.

mod advice;
mod config;
mod frame;
mod game;
mod judge;
mod library;
mod regress;
mod reward;
mod round;
mod seat;
mod speak;
mod state;
mod tell;
mod text;

pub use config::{Config, Interface, Mode, Reward, config, options, options_markdown};
pub use game::game;
pub use reward::METRICS;
pub use state::{Over, State, Verdict};

use crate::{
    action::{Action, Verb},
    modes::Stakes,
    observe,
    planner::Planner,
    rules,
    scope::Scope,
    set::NONE,
    story::Story,
};
use library::Library;
use rl_gym::{
    BitsMut, DynSnapshot, Env, EpisodeSeed, Fault, GymError, Heuristic, Outcome, Pcg64, Snapshot, Spec,
    TextEnv,
};

/// Registry name.
pub(crate) const NAME: &str = "text-adventure";
/// Rules version: a change of behaviour raises it.
pub(crate) const VERSION: u32 = 1;

/// One text adventure, alone, together or against rivals.
///
/// Observations are rows of bytes ([`observe::PARTS`]); an action is what [`Config::actions`] says. Seats are asked
/// one after the other, but no seat learns of a command before all of the round are given; see `round`.
pub struct TextAdventure {
    config: Config,
    library: Library,
    state: State,
    /// The asked seat's surroundings and what it can do, worked out after each change.
    scope: Scope,
    list: Vec<Action>,
    advice: u16,
    planner: Planner,
    spec: Box<Spec>,
}

impl TextAdventure {
    /// An environment of these options; reset it before the first step.
    ///
    /// # Errors
    /// Options that the generator cannot fulfil.
    pub fn new(config: &Config) -> Result<Self, GymError> {
        Self::with(config, Library::of(config)?)
    }

    /// An environment that plays one story. `stakes` says what its seats are rivals for ([`Mode::Rival`]).
    ///
    /// # Errors
    /// A story with another number of seats than the options, or without room for what the options add to it.
    pub fn of_story(config: &Config, story: Story, stakes: Option<Stakes>) -> Result<Self, GymError> {
        Self::with(config, Library::single(config, story, stakes)?)
    }

    fn with(config: &Config, mut library: Library) -> Result<Self, GymError> {
        let rng = Pcg64::seed(0);
        let game = library.any()?;
        let state = State::new(game, rng);
        let scope = Scope::of(state.story(), &state.world, state.figure(0));
        let list = Vec::with_capacity(2 * observe::ACTIONS);
        let spec = Box::new(game::spec(config, library.is_varied()));
        Ok(Self {
            config: config.clone(),
            library,
            state,
            scope,
            list,
            advice: 0,
            planner: Planner::default(),
            spec,
        })
    }

    /// The options.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The episode as it stands: everything, hidden parts included.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// What the asked seat can do now, in ascending order; empty once the episode is over.
    pub fn actions(&self) -> &[Action] {
        &self.list
    }

    /// What a seat sees and can touch.
    pub fn scope(&self, seat: usize) -> Scope {
        if self.state.asked() == Some(seat) {
            return self.scope;
        }
        Scope::of(self.state.story(), &self.state.world, self.state.figure(seat))
    }

    /// Works out what the asked seat sees and can do.
    fn refresh(&mut self) -> Result<(), Fault> {
        let state = &mut self.state;
        let story = &*state.game.story;
        self.list.clear();
        self.advice = 0;
        if state.over != Over::No {
            return Ok(());
        }
        let seat = usize::from(state.asked);
        self.scope = Scope::of(story, &state.world, story.seats[seat]);
        state.world.see(seat, self.scope.noticed());
        rules::admissible(story, &state.world, &self.scope, &mut self.list);
        if self.list.len() > observe::ACTIONS {
            return Err(Fault::new(format!(
                "{} actions work at turn {} of \"{}\", more than the {} that an action index reaches: play it with \
                 actions=text, or with fewer things in one room",
                self.list.len(),
                state.world.turn(),
                story.title,
                observe::ACTIONS
            )));
        }
        if self.config.advice {
            let next = self.plan(seat).first().and_then(|a| self.listed(*a));
            // Who has nothing left to do waits.
            let wait = self.list.iter().position(|a| a.verb == Verb::Wait);
            self.advice = next.map_or(wait.map_or(0, |i| i as u16 + 1), |i| i as u16 + 1);
        }
        Ok(())
    }

    /// What the planner would do next for `seat`, and after that, from full information; empty when it finds nothing.
    pub fn plan(&mut self, seat: usize) -> Vec<Action> {
        self.state.advise(&mut self.planner, seat, &self.config)
    }

    /// Writes flags, metrics and ranks' signals of the state as it is.
    fn signal(&self, out: &mut Outcome<'_>) {
        self.state.metrics(&self.config, out.metrics);
        match self.state.over {
            Over::No => out.turn(self.state.asked.into()),
            Over::Cut => out.truncate(),
            Over::Won | Over::Lost | Over::Settled => out.terminate(),
        }
    }

    /// Carries out an action of the asked seat, or says why it does not work.
    fn try_action(&mut self, action: Action) {
        match rules::check(self.state.story(), &self.state.world, &self.scope, action) {
            Ok(()) => self.state.commit(action, &self.config),
            Err(why) => self.state.turn_down(Verdict::Refused(action, why), &self.config),
        }
    }
}

impl Env for TextAdventure {
    type Obs = u8;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        let mut rng = self.state.rng;
        seed.apply(&mut rng);
        let game = self.library.draw(&mut rng)?;
        let (flip, luck) = (rng.below(self.spec.seats as u32) as u8, rng.next_u64());
        self.state.begin(game, rng, flip, luck, &self.config);
        self.refresh()?;
        self.signal(&mut out);
        Ok(())
    }

    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        let Some(seat) = self.state.asked() else {
            self.signal(&mut out);
            return Ok(());
        };
        let width = acts.len() / self.spec.seats;
        let row = &acts[seat * width..(seat + 1) * width];
        let invalid = self.state.tally.invalid;
        let is_taken = match self.config.actions {
            // What is listed works.
            Interface::Id => {
                self.list.get(row[0] as usize).copied().map(|a| self.state.commit(a, &self.config)).is_some()
            }
            Interface::Triple => self.triple(row).map(|a| self.try_action(a)).is_some(),
            Interface::Text => {
                self.speak(seat, row);
                true
            }
        };
        if !is_taken {
            self.signal(&mut out);
            out.refuse(seat);
            return Ok(());
        }
        let is_invalid = self.state.tally.invalid > invalid;
        self.state.pay(is_invalid, &self.config, out.reward);
        self.refresh()?;
        self.signal(&mut out);
        Ok(())
    }

    fn observe(&self, seat: usize, obs: &mut [u8], mut mask: BitsMut<'_>) {
        let is_asked = self.state.asked() == Some(seat);
        let list: &[Action] = if is_asked { &self.list } else { &[] };
        let advice = if is_asked { self.advice } else { 0 };
        observe::write(&self.state, &self.config, seat, &self.scope(seat), list, advice, obs);
        match self.config.actions {
            _ if !is_asked => mask.fill(true),
            Interface::Id => observe::mask_list(self.list.len(), &mut mask),
            Interface::Triple => observe::mask_triple(&self.list, &mut mask),
            Interface::Text => {}
        }
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        if self.config.mode != Mode::Rival || self.state.over == Over::No {
            return false;
        }
        self.state.game.stakes.places(&self.state.world, ranks);
        true
    }

    fn points(&self, points: &mut [f32]) -> bool {
        for (seat, points) in points.iter_mut().enumerate() {
            *points = self.state.world.score(seat).into();
        }
        true
    }

    fn state_hash(&self) -> Option<u64> {
        Some(self.state.hash())
    }

    fn as_snapshot(&mut self) -> Option<&mut dyn DynSnapshot> {
        Some(self)
    }

    fn as_text(&self) -> Option<&dyn TextEnv> {
        Some(self)
    }

    fn as_heuristic(&self) -> Option<&dyn Heuristic> {
        Some(self)
    }
}

impl TextAdventure {
    /// The action that a row of verb and two objects means; `None` when a part is outside its mask.
    fn triple(&self, row: &[u32]) -> Option<Action> {
        let [verb, a, b] = *row else { return None };
        let part = |get: fn(&Action) -> u32, value: u32| self.list.iter().any(|x| get(x) == value);
        let is_listed = part(|x| x.verb as u32, verb)
            && part(|x| observe::object(x.a), a)
            && part(|x| observe::object(x.b), b);
        if !is_listed {
            return None;
        }
        let entity = |part: u32| if part == 0 { NONE } else { (part - 1) as u8 };
        Some(Action { verb: Verb::ALL[verb as usize], a: entity(a), b: entity(b) })
    }
}

impl Snapshot for TextAdventure {
    type State = State;

    fn save(&self) -> State {
        self.state.clone()
    }

    fn save_into(&self, state: &mut State) {
        state.clone_from(&self.state);
    }

    fn load(&mut self, state: &State) {
        self.state.clone_from(state);
        // It was played here or in an environment like this one, so its list is short enough.
        _ = self.refresh();
    }
}
