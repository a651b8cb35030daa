//! Trials that are played: matched episodes of the skill-using agent.

use super::{Pair, SeedRange, Trials, Tried, uplift::joined};
use crate::{
    BankError,
    evidence::{Outcome, ReplayRun},
};
use agon_skill::{Gate, Purpose, Seed, Seeds, Skill, Train};
use agon_skill_agent::{
    Arm, Chooser, Ended, Episode, Kit, MakePolicy, Measure, PlayConfig, SkillUser, Status, Task, TrialError,
    UserConfig, Watch, play, play_watched,
};
use rl_gym::{Bits, Placing, Policy};
use std::{collections::BTreeMap, sync::Arc, sync::atomic::Ordering};

/// Plays trials of tasks with a base policy, with skills and without.
///
/// Seeds go round the tasks, so that each is a family of scenarios with its share of the pairs.
pub struct Played {
    tasks: Vec<Task>,
    base: MakePolicy,
    user: UserConfig,
    play: PlayConfig,
    starts: Vec<Seed<Train>>,
    identity: String,
    /// Seats of the largest task: the learner goes round the seats with the seed's number, and the tasks only then.
    seats: u32,
    /// Scores of the skills that were played last as those before, which many candidates share.
    known: BTreeMap<String, BTreeMap<u32, Scored>>,
}

/// What an episode gave.
#[derive(Clone)]
struct Scored {
    episode: Episode,
    family: usize,
}

impl Played {
    /// Trials of `tasks`, all of one game, with `base` as the policy that skills are added to, `user` saying how
    /// they are chosen, and `starts` seeds of training to run skills twice from. `name` says what cannot be read
    /// from these (the base policy, the opponents): trials of different names are of different configurations.
    ///
    /// # Errors
    /// Without a task, or what a game says about its options.
    pub fn new(
        name: &str,
        tasks: Vec<Task>,
        base: MakePolicy,
        user: UserConfig,
        play: PlayConfig,
        starts: (Seeds<Train>, u32),
    ) -> Result<Self, BankError> {
        let mut seats = 0;
        let mut parts = vec![name.to_owned(), format!("{user:?}")];
        for task in &tasks {
            seats = seats.max(task.spec().map_err(|e| trial("the bank", &e))?.seats as u32);
            let options: Vec<String> =
                task.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
            parts.push(format!("{} {} {} {}", task.game.id(), task.family, task.measure, options.join(" ")));
        }
        if tasks.is_empty() {
            return Err(trial("the bank", &"there is no task: give at least one"));
        }
        let identity = blake3::hash(parts.join("\n").as_bytes()).to_hex()[..16].to_owned();
        let starts = starts.0.range(0, starts.1).collect();
        Ok(Self { tasks, base, user, play, starts, identity, seats: seats.max(1), known: BTreeMap::new() })
    }

    /// The policy with `skills`, for a task.
    fn user(&self, task: &Task, skills: &[Skill], config: UserConfig) -> Result<MakeUser, BankError> {
        let about = skills.first().map_or("the bank", |s| s.name.as_str());
        let spec = task.spec().map_err(|e| trial(about, &e))?;
        let kit = Kit::new(&task.game, &spec, skills.iter().cloned()).map_err(|e| trial(about, &e))?;
        let base = self.base.clone();
        Ok(Arc::new(move |spec| SkillUser::new(base(spec), kit.clone(), config.clone())))
    }

    /// Plays each seed with `skills` in the task that is its turn. By number of the seed.
    fn episodes<P: Purpose>(
        &self,
        skills: &[Skill],
        config: &UserConfig,
        seeds: impl Iterator<Item = Seed<P>>,
    ) -> Result<BTreeMap<u32, Scored>, BankError> {
        let seeds: Vec<Seed<P>> = seeds.collect();
        self.each_task(&seeds, skills, |task, seeds| {
            let make = self.user(task, skills, config.clone())?;
            let arm: Arm = Arc::new(move |spec| Box::new(make(spec)));
            play(task, &arm, seeds, &self.play).map_err(|e| trial("the bank", &e))
        })
    }

    /// Lets `run` play the seeds of each task.
    fn each_task<P: Purpose>(
        &self,
        seeds: &[Seed<P>],
        skills: &[Skill],
        mut run: impl FnMut(&Task, &[Seed<P>]) -> Result<Vec<Episode>, BankError>,
    ) -> Result<BTreeMap<u32, Scored>, BankError> {
        let mut all = BTreeMap::new();
        for (family, task) in self.tasks.iter().enumerate() {
            let turn = |seed: &&Seed<P>| (seed.number() / self.seats) as usize % self.tasks.len() == family;
            let own: Vec<Seed<P>> = seeds.iter().filter(turn).copied().collect();
            if own.is_empty() {
                continue;
            }
            let episodes = run(task, &own)?;
            self.check_stop(skills.first().map_or("the bank", |s| s.name.as_str()))?;
            all.extend(episodes.into_iter().map(|episode| (episode.number, Scored { episode, family })));
        }
        Ok(all)
    }

    /// A trial that was stopped in the middle says nothing: it must not become evidence.
    fn check_stop(&self, about: &str) -> Result<(), BankError> {
        if self.play.stop.load(Ordering::Relaxed) { Err(trial(about, &"it was stopped")) } else { Ok(()) }
    }

    /// [`Played::episodes`] on gate seeds, kept for the next candidate.
    fn before(&mut self, skills: &[Skill], seeds: SeedRange) -> Result<BTreeMap<u32, Scored>, BankError> {
        let hashes: Vec<&str> = skills.iter().map(|s| s.hash.as_str()).collect();
        let key = format!("{} {seeds}", hashes.join(" "));
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let scored = self.episodes(skills, &self.user, seeds.iter())?;
        // One block is played by all candidates before the next.
        self.known = BTreeMap::from([(key, scored.clone())]);
        Ok(scored)
    }

    /// A skill alone, used wherever it may be.
    fn eager(&self) -> UserConfig {
        UserConfig { chooser: Chooser::Eager, share: 1.0, shares: Vec::new(), ..self.user.clone() }
    }

    /// Score of `skills` against the skills `before`, as the share of opponents beaten.
    fn against(
        &self,
        skills: &[Skill],
        before: &[Skill],
        seeds: &[Seed<Gate>],
    ) -> Result<BTreeMap<u32, Scored>, BankError> {
        self.each_task(seeds, skills, |task, seeds| {
            let spec = task.spec().map_err(|e| trial("the bank", &e))?;
            if spec.seats < 2 || spec.placing == Placing::None {
                return Ok(Vec::new());
            }
            let make = self.user(task, skills, self.user.clone())?;
            let arm: Arm = Arc::new(move |spec| Box::new(make(spec)));
            let rival = self.user(task, before, self.user.clone())?;
            let rival: MakePolicy = Arc::new(move |spec| Box::new(rival(spec)) as Box<dyn Policy>);
            let task = Task { opponents: vec![rival], measure: Measure::Place, ..task.clone() };
            play(&task, &arm, seeds, &self.play).map_err(|e| trial("the bank", &e))
        })
    }
}

/// Makes the policy that uses skills.
type MakeUser = Arc<dyn Fn(&rl_gym::Spec) -> SkillUser + Send + Sync>;

/// Hashes the actions of an episode.
#[derive(Default)]
struct Actions(blake3::Hasher);

impl Watch for Actions {
    fn decision(&mut self, _: &[u8], _: Bits<'_>, action: u32) {
        self.0.update(&action.to_le_bytes());
    }
    fn reward(&mut self, _: f32) {}
    fn end(&mut self, _: Option<&[u8]>, _: &Episode) {}
}

impl Trials for Played {
    fn config(&self) -> String {
        self.identity.clone()
    }

    fn replays(&mut self, skill: &Skill, tools: &[Skill]) -> Result<Vec<ReplayRun>, BankError> {
        let skills = joined(skill, tools, &[]);
        let mut runs = Vec::new();
        // In different company the second time: none of it may show.
        let again = PlayConfig { lanes: self.play.lanes / 2 + 1, ..self.play.clone() };
        for task in &self.tasks {
            let make = self.user(task, &skills, self.eager())?;
            let arm: Arm = Arc::new(move |spec| Box::new(make(spec)));
            let run = |config: &PlayConfig| {
                play_watched(task, &arm, &self.starts, config, |_| Actions::default())
                    .map_err(|e| trial(&skill.name, &e))
            };
            let (once, twice) = (run(&self.play)?, run(&again)?);
            self.check_stop(&skill.name)?;
            for ((episode, first), (other, second)) in once.into_iter().zip(twice) {
                let Some(effect) = first_use(&episode) else { continue };
                let hash = |actions: Actions| actions.0.finalize().to_hex()[..16].to_owned();
                let effect = effect && first_use(&other) == Some(true);
                runs.push(ReplayRun { first: hash(first), second: hash(second), effect });
            }
        }
        Ok(runs)
    }

    fn uses(&mut self, skill: &Skill, tools: &[Skill], seeds: SeedRange) -> Result<Vec<bool>, BankError> {
        // The first use of an episode alone: the later ones of one game are not independent.
        let played = self.episodes(&joined(skill, tools, &[]), &self.eager(), seeds.iter())?;
        Ok(played.values().filter(|s| counts(&s.episode)).filter_map(|s| first_use(&s.episode)).collect())
    }

    fn pairs(&mut self, before: &[Skill], after: &[Skill], seeds: SeedRange) -> Result<Vec<Pair>, BankError> {
        let before = self.before(before, seeds)?;
        let after = self.episodes(after, &self.user, seeds.iter())?;
        let both = before.iter().filter_map(|(number, before)| Some((before, after.get(number)?)));
        Ok(both
            .filter(|(before, after)| counts(&before.episode) && counts(&after.episode))
            .map(|(before, after)| Pair {
                before: before.episode.score,
                after: after.episode.score,
                family: self.tasks[before.family].family.clone(),
            })
            .collect())
    }

    fn duels(&mut self, before: &[Skill], after: &[Skill], seeds: SeedRange) -> Result<Vec<f64>, BankError> {
        let seeds: Vec<Seed<Gate>> = seeds.iter().collect();
        let (own, other) = (self.against(before, before, &seeds)?, self.against(after, before, &seeds)?);
        let both = own.iter().filter_map(|(number, own)| Some((own, other.get(number)?)));
        Ok(both
            .filter(|(own, other)| counts(&own.episode) && counts(&other.episode))
            .map(|(own, other)| other.episode.score - own.episode.score)
            .collect())
    }

    fn shadow(
        &mut self,
        skill: &Skill,
        bank: &[Skill],
        seeds: SeedRange,
    ) -> Result<Vec<(bool, bool)>, BankError> {
        // The same seed twice: both games are one until the skill would begin, so the one in which it does is the
        // fork of the one in which it does not.
        let skills = joined(skill, &[], bank);
        let never = UserConfig { shares: vec![(0, 0.0)], ..self.eager() };
        let without = self.episodes(&skills, &never, seeds.iter())?;
        let with = self.episodes(&skills, &self.eager(), seeds.iter())?;
        let mut chances = Vec::new();
        for (number, tried) in with.iter().filter(|(_, s)| counts(&s.episode)) {
            let Some(happened) = first_use(&tried.episode) else { continue };
            let passed = without.get(number).and_then(|s| {
                s.episode.uses.iter().filter(|u| u.skill == 0).min_by_key(|u| u.at).map(|u| u.ended.clone())
            });
            chances.push((happened, passed == Some(Ended::Passed { came_about: true })));
        }
        Ok(chances)
    }

    fn probation(
        &mut self,
        skill: &Skill,
        bank: &[Skill],
        share: f64,
        seeds: SeedRange,
    ) -> Result<Tried, BankError> {
        // A stream of numbers that no seat has.
        let offered: Vec<Seed<Gate>> = seeds.iter().filter(|seed| seed.rng(1 << 20).unit() < share).collect();
        let with = self.episodes(&joined(skill, &[], bank), &self.user, offered.iter().copied())?;
        let without = self.episodes(bank, &self.user, offered.iter().copied())?;
        let mut tried =
            Tried { episodes: seeds.count.into(), offered: offered.len() as u64, ..Tried::default() };
        for (number, with) in with.iter().filter(|(_, s)| counts(&s.episode)) {
            let outcomes: Vec<Outcome> = outcomes(&with.episode).collect();
            let Some(without) = without.get(number).filter(|s| counts(&s.episode)) else { continue };
            if !outcomes.is_empty() {
                tried.changes.push(with.episode.score - without.episode.score);
                tried.outcomes.extend(outcomes);
            }
        }
        Ok(tried)
    }
}

/// Whether an episode says something about its learner.
fn counts(episode: &Episode) -> bool {
    !matches!(episode.status, Status::Void(_))
}

/// How the uses of the first skill of the kit ended, in the order in which they began.
fn outcomes(episode: &Episode) -> impl Iterator<Item = Outcome> {
    let mut uses: Vec<_> = episode.uses.iter().filter(|u| u.skill == 0).collect();
    uses.sort_by_key(|u| u.at);
    uses.into_iter().filter_map(|u| match &u.ended {
        Ended::Done => Some(Outcome::Effect),
        Ended::Cut => Some(Outcome::NoEffect),
        Ended::Aborted(_) => Some(Outcome::Abort),
        Ended::Passed { .. } => None,
    })
}

/// Whether the first use of the first skill brought about its effect; `None` without a use.
fn first_use(episode: &Episode) -> Option<bool> {
    outcomes(episode).next().map(|outcome| outcome == Outcome::Effect)
}

fn trial(skill: &str, why: &dyn std::fmt::Display) -> BankError {
    BankError::Trial { skill: skill.into(), what: why.to_string() }
}

impl From<TrialError> for BankError {
    fn from(error: TrialError) -> Self {
        trial("the bank", &error)
    }
}
