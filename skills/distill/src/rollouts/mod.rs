//! What seats saw, could do and did, in words: taken in decision by decision or from replays.

mod corpus;
mod replay;
mod table;

pub(crate) use corpus::{Corpus, Place};
use table::Rows;

use crate::DistillError;
use agon_skill::{Seed, Train};
use rl_gym::{
    Bits, Game, Spec,
    vocabulary::{MAX_ARGS, Term, Vocabulary},
};
use std::{collections::BTreeMap, fmt, sync::Arc};

/// Legal actions of one decision that are kept; of longer lists each verb keeps its share.
const MAX_CHOICES: usize = 128;

/// A legal action in words: its term and the rows that held the features of its arguments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Choice {
    pub(crate) term: Term,
    pub(crate) rows: [u32; MAX_ARGS],
}

/// One decision of a seat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    /// Its choices within the trace: first, and one past the last.
    pub(crate) choices: (u32, u32),
    /// Which of them was chosen; `None` for an action without words.
    pub(crate) chosen: Option<u32>,
    /// Reward until the next decision.
    pub(crate) reward: f32,
}

/// The decisions of one seat in one episode.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    pub(crate) episode: u64,
    pub(crate) seed: u32,
    pub(crate) seat: usize,
    pub(crate) player: String,
    /// Hash of the replay, or the seed.
    pub(crate) source: String,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) choices: Vec<Choice>,
    /// A row of facts for each decision, and one more after the end where it was seen.
    pub(crate) facts: Vec<f32>,
    /// Final score, once it has ended.
    pub(crate) score: Option<f32>,
}

/// The number of a trace of these rollouts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TraceId(usize);

/// What seats saw, could do and did, in the words of their game. Train seeds only: played episodes name theirs by
/// type, and replays belong to a training run, whose matches have seeds of their own (see [`Rollouts::replay`]).
///
/// About 1 kB a decision of the text adventure (60 facts, 40 legal actions).
pub struct Rollouts {
    game: String,
    words: Arc<dyn Vocabulary>,
    rows: Rows,
    traces: Vec<Trace>,
    /// Texts of seeds, in the order in which they were met.
    seeds: Vec<String>,
    seed_of: BTreeMap<String, u32>,
}

impl fmt::Debug for Rollouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rollouts({}: {} traces, {} decisions)", self.game, self.traces.len(), self.decisions())
    }
}

impl Rollouts {
    /// Empty ones of `game` in environments of `spec`.
    ///
    /// # Errors
    /// When the game has no vocabulary.
    pub fn new(game: &Game, spec: &Spec) -> Result<Self, DistillError> {
        let words = game.vocabulary.ok_or_else(|| DistillError::NoWords { game: game.id() })?;
        Ok(Self::in_words(&game.id(), words(spec)))
    }

    /// Empty ones in these words; `game` is an id, `name-vN`.
    pub fn in_words(game: &str, words: Arc<dyn Vocabulary>) -> Self {
        let rows = Rows::new(&*words);
        Self {
            game: game.into(),
            words,
            rows,
            traces: Vec::new(),
            seeds: Vec::new(),
            seed_of: BTreeMap::new(),
        }
    }

    /// Id of the game, `name-vN`.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The words.
    pub fn words(&self) -> &Arc<dyn Vocabulary> {
        &self.words
    }

    /// Traces that have ended.
    pub fn len(&self) -> usize {
        self.traces.iter().filter(|t| t.score.is_some()).count()
    }

    /// Whether no trace has ended.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Decisions of all traces.
    pub fn decisions(&self) -> usize {
        self.traces.iter().map(|t| t.decisions.len()).sum()
    }

    /// Bytes that the decisions take, without their feature rows.
    pub fn bytes(&self) -> usize {
        let of = |t: &Trace| size_of_val(&*t.decisions) + size_of_val(&*t.choices) + size_of_val(&*t.facts);
        self.traces.iter().map(of).sum()
    }

    /// Different rows of features that were met.
    pub fn feature_rows(&self) -> usize {
        self.rows.len()
    }

    /// The names of the players, in order.
    pub fn players(&self) -> Vec<String> {
        let names: std::collections::BTreeSet<&String> = self.traces.iter().map(|t| &t.player).collect();
        names.into_iter().cloned().collect()
    }

    /// `player` begins to decide for `seat` of an episode. Seats of the same episode share its number.
    pub fn begin(&mut self, episode: u64, seed: Seed<Train>, seat: usize, player: &str) -> TraceId {
        let seed = seed.to_string();
        self.open(episode, &seed, &seed, seat, player)
    }

    fn open(&mut self, episode: u64, seed: &str, source: &str, seat: usize, player: &str) -> TraceId {
        let next = self.seeds.len() as u32;
        let number = *self.seed_of.entry(seed.to_owned()).or_insert(next);
        if number == next {
            self.seeds.push(seed.to_owned());
        }
        self.traces.push(Trace {
            episode,
            seed: number,
            seat,
            player: player.into(),
            source: source.into(),
            decisions: Vec::new(),
            choices: Vec::new(),
            facts: Vec::new(),
            score: None,
        });
        TraceId(self.traces.len() - 1)
    }

    fn is_open(&self, id: TraceId) -> Result<(), DistillError> {
        match self.traces.get(id.0) {
            Some(trace) if trace.score.is_none() => Ok(()),
            _ => Err(DistillError::Closed { trace: id.0 }),
        }
    }

    /// What the seat saw, what was legal, and what it chose.
    ///
    /// # Errors
    /// When the trace is not open, the action is not in the mask, or a fact or feature is no number. The decision is
    /// then not taken in.
    pub fn decision(
        &mut self,
        id: TraceId,
        obs: &[u8],
        mask: Bits<'_>,
        action: u32,
    ) -> Result<(), DistillError> {
        self.is_open(id)?;
        let decision = self.traces[id.0].decisions.len();
        if !mask.is_empty() && !mask.get(action as usize) {
            return Err(DistillError::Illegal { action, decision });
        }
        let facts = self.read(obs)?;
        let mut legal: Vec<(u32, Term)> = if mask.is_empty() {
            self.words.term(obs, action).map(|t| (action, t)).into_iter().collect()
        } else {
            mask.ones().filter_map(|a| Some((a as u32, self.words.term(obs, a as u32)?))).collect()
        };
        thin(&mut legal, action);
        let choices = self.choices(obs, &legal)?;
        let chosen = legal.iter().position(|(a, _)| *a == action);
        let trace = &mut self.traces[id.0];
        let from = trace.choices.len() as u32;
        trace.choices.extend(choices);
        trace.facts.extend(facts);
        let choices = (from, trace.choices.len() as u32);
        trace.decisions.push(Decision { choices, chosen: chosen.map(|c| from + c as u32), reward: 0.0 });
        Ok(())
    }

    fn read(&self, obs: &[u8]) -> Result<Vec<f32>, DistillError> {
        let mut facts = vec![0.0; self.words.facts().len()];
        self.words.read(obs, &mut facts);
        match facts.iter().position(|x| !x.is_finite()) {
            None => Ok(facts),
            Some(i) => Err(DistillError::Number {
                what: format!("fact {}", self.words.facts()[i].name),
                value: facts[i].into(),
                mend: "mend the game's words: a fact is a finite number",
            }),
        }
    }

    /// The legal actions with their rows of features. An argument that several actions share is read once.
    fn choices(&mut self, obs: &[u8], legal: &[(u32, Term)]) -> Result<Vec<Choice>, DistillError> {
        let (verbs, kinds) = (self.words.verbs(), self.words.kinds());
        let mut met: BTreeMap<(usize, u16), u32> = BTreeMap::new();
        let mut row = Vec::new();
        let mut out = Vec::with_capacity(legal.len());
        for (_, term) in legal {
            let mut rows = [0; MAX_ARGS];
            for (k, kind) in verbs[usize::from(term.verb)].args.iter().enumerate().take(MAX_ARGS) {
                let arg = term.args[k];
                if let Some(id) = met.get(&(*kind, arg)) {
                    rows[k] = *id;
                    continue;
                }
                row.clear();
                row.extend((0..kinds[*kind].features.len()).map(|f| self.words.feature(obs, *kind, arg, f)));
                if let Some(f) = row.iter().position(|x| !x.is_finite()) {
                    return Err(DistillError::Number {
                        what: format!("feature {} of a {}", kinds[*kind].features[f].name, kinds[*kind].name),
                        value: row[f].into(),
                        mend: "mend the game's words: a feature is a finite number",
                    });
                }
                rows[k] = self.rows.intern(*kind, &row);
                met.insert((*kind, arg), rows[k]);
            }
            out.push(Choice { term: *term, rows });
        }
        Ok(out)
    }

    /// The seat got this reward since its last decision.
    ///
    /// # Errors
    /// When the trace is not open, has no decision yet, or the reward is no number.
    pub fn reward(&mut self, id: TraceId, reward: f32) -> Result<(), DistillError> {
        self.is_open(id)?;
        if !reward.is_finite() {
            let mend = "a reward is a finite number";
            return Err(DistillError::Number { what: "a reward".into(), value: reward.into(), mend });
        }
        if let Some(last) = self.traces[id.0].decisions.last_mut() {
            last.reward += reward;
        }
        Ok(())
    }

    /// The episode has ended with this score of the seat, 0 to 1. `last` is what it saw then, where it saw something:
    /// without it nobody knows what its last action brought about.
    ///
    /// # Errors
    /// When the trace is not open or the score is not from 0 to 1.
    pub fn end(&mut self, id: TraceId, last: Option<&[u8]>, score: f64) -> Result<(), DistillError> {
        self.is_open(id)?;
        if !(0.0..=1.0).contains(&score) {
            let mend = "a score is a share from 0 to 1";
            return Err(DistillError::Number { what: "a score".into(), value: score, mend });
        }
        if let Some(obs) = last {
            let facts = self.read(obs)?;
            self.traces[id.0].facts.extend(facts);
        }
        self.traces[id.0].score = Some(score as f32);
        Ok(())
    }

    /// Adds all traces of `other` behind these. Episodes keep their numbers: give each worker numbers of its own.
    ///
    /// # Errors
    /// When `other` is of another game or of other words.
    pub fn absorb(&mut self, other: Self) -> Result<(), DistillError> {
        let id = |r: &Self| format!("{} in words {}", r.game, r.words.version());
        if id(self) != id(&other) {
            return Err(DistillError::OtherGame { ours: id(self), theirs: id(&other) });
        }
        let verbs = self.words.verbs();
        for mut trace in other.traces {
            for choice in &mut trace.choices {
                let kinds = verbs[usize::from(choice.term.verb)].args;
                for (row, kind) in choice.rows.iter_mut().zip(kinds) {
                    *row = self.rows.intern(*kind, other.rows.row(*kind, *row));
                }
            }
            let seed = &other.seeds[trace.seed as usize];
            let TraceId(at) = self.open(trace.episode, seed, &trace.source, trace.seat, &trace.player);
            trace.seed = self.traces[at].seed;
            self.traces[at] = trace;
        }
        Ok(())
    }
}

/// Leaves at most [`MAX_CHOICES`] actions, the chosen one among them; each verb keeps its share, evenly spread.
fn thin(legal: &mut Vec<(u32, Term)>, action: u32) {
    if legal.len() <= MAX_CHOICES {
        return;
    }
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    legal.iter().for_each(|(_, t)| *counts.entry(t.verb).or_default() += 1);
    let all = legal.len();
    let mut met: BTreeMap<u16, usize> = BTreeMap::new();
    legal.retain(|(a, t)| {
        let i = met.entry(t.verb).or_default();
        let count = counts[&t.verb];
        let share = (count * MAX_CHOICES / all).max(1);
        // Of `count` every one at which the share ticks over.
        let stays = *i * share / count != (*i + 1) * share / count;
        *i += 1;
        stays || *a == action
    });
}
