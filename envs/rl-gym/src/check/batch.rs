//! Rules `batch`, `replay` and `allocations`: the same environments inside a batch.

use super::{
    book::Book,
    stage::{Stage, Trouble, guarded},
};
use crate::{
    batch::{Autoreset, Batch, BatchConfig, BatchEnv, LaneReset},
    flags::Flags,
    game::Game,
    options::Options,
    replay::{RecordConfig, Recorder, Replay},
    rng::Pcg64,
    seed::{EpisodeSeed, SeedSequence},
    sharded::{Factory, VecEnv},
    spec::Spec,
};

const LANES: usize = 5;
/// Longest recorded episode.
const RECORDED: u32 = 2000;

pub(super) fn check(book: &mut Book, game: &Game, options: &Options, spec: &Spec) {
    let factory = game.factory(options.clone());
    for mode in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        let mut reference: Option<Vec<u64>> = None;
        for workers in 1..=4 {
            // A broken environment was reported by the episodes already; here it only ends the comparison.
            let Ok(Ok(prints)) = guarded(|| run(book, &factory, spec, mode, workers)) else { break };
            match &reference {
                None => reference = Some(prints),
                Some(first) => {
                    if let Some(step) = first.iter().zip(&prints).position(|(a, b)| a != b) {
                        let detail =
                            format!("{mode:?}: {workers} workers and 1 differ from batch step {step} on");
                        book.find("batch", None, detail);
                    }
                }
            }
        }
    }
    match guarded(|| replay(game, options, book.config.seed)) {
        Ok(Ok(None)) | Err(_) => {}
        Ok(Ok(Some(detail))) => book.find("replay", None, detail),
        Ok(Err(trouble)) => book.trouble("recording a replay", trouble),
    }
    if let Some(counter) = book.config.allocations
        && let Ok(Ok((count, steps))) = guarded(|| allocations(&factory, spec, book.config.seed, counter))
        && count > 0
    {
        book.find("allocations", None, format!("{count} allocations in {steps} warm batch steps"));
    }
}

/// The row's own draw of an action: the same whoever steps it.
fn act(batch: &mut VecEnv, spec: &Spec, step: u32) {
    let (view, mut actions) = batch.parts();
    for row in 0..view.shape().rows() {
        let mut rng = SeedSequence::new(u64::from(step)).child(row as u32).rng();
        let bits = if view.flags(row).contains(Flags::TO_ACT) {
            view.mask(row)
        } else {
            crate::bits::Bits::new(&[], 0)
        };
        spec.action.sample(bits, &mut rng, actions.row_mut(row));
    }
}

/// Steps a batch; with one worker each lane is compared with its solo run. Gives a fingerprint a step.
fn run(
    book: &mut Book,
    factory: &Factory,
    spec: &Spec,
    mode: Autoreset,
    workers: usize,
) -> Result<Vec<u64>, Trouble> {
    let root = book.config.seed;
    let config = BatchConfig { workers, autoreset: mode, ..BatchConfig::lanes(LANES) };
    let mut batch = VecEnv::new(factory, config)?;
    let mut prints = vec![batch.reset(root).fingerprint()];
    let mut solos = Vec::new();
    if workers == 1 {
        for lane in 0..LANES {
            solos.push(Solo::new(factory, spec, root, lane as u32)?);
        }
    }
    for step in 0..book.config.batch_steps {
        act(&mut batch, spec, step);
        let rows = batch.shape().seats * batch.shape().act_bytes;
        let acts: Vec<u8> = batch.parts().1.as_slice_mut::<u8>().to_vec();
        let view = batch.step();
        book.steps += LANES as u64;
        for solo in &mut solos {
            let mine = &acts[solo.lane as usize * rows..][..rows];
            for detail in solo.compare(view, mine, spec, mode)? {
                book.find(
                    "batch",
                    None,
                    format!("{mode:?}, lane {}, batch step {step}: {detail}", solo.lane),
                );
            }
        }
        prints.push(view.fingerprint());
        if mode == Autoreset::Disabled {
            let due: Vec<LaneReset> = (0..LANES)
                .filter(|lane| over(&view, *lane))
                .map(|lane| LaneReset { lane: lane as u32, seed: None })
                .collect();
            let view = batch.reset_lanes(&due);
            for solo in solos.iter_mut().filter(|solo| due.iter().any(|reset| reset.lane == solo.lane)) {
                solo.next_episode()?;
                for detail in solo.rows(view)? {
                    book.find(
                        "batch",
                        None,
                        format!("Disabled, lane {}, reset after batch step {step}: {detail}", solo.lane),
                    );
                }
            }
            prints.push(view.fingerprint());
        }
    }
    Ok(prints)
}

fn over(view: &Batch<'_>, lane: usize) -> bool {
    let seats = view.shape().seats;
    (0..seats).all(|seat| !view.flags(lane * seats + seat).contains(Flags::ALIVE))
}

/// One environment stepped by hand, as the batch should step it.
struct Solo {
    stage: Stage,
    lane: u32,
    root: u64,
    episode: u32,
    steps: u32,
    returns: Vec<f64>,
    /// Flags of the ending step that stay visible beside those of the new episode.
    ended: Vec<Flags>,
    first: bool,
}

impl Solo {
    fn new(factory: &Factory, spec: &Spec, root: u64, lane: u32) -> Result<Self, Trouble> {
        let mut stage = Stage::new(factory, spec)?;
        stage.reset(EpisodeSeed::tree(root, lane, 0))?;
        let (returns, ended) = (vec![0.0; spec.seats], vec![Flags::empty(); spec.seats]);
        Ok(Self { stage, lane, root, episode: 0, steps: 0, returns, ended, first: true })
    }

    fn next_episode(&mut self) -> Result<(), Trouble> {
        self.episode += 1;
        self.steps = 0;
        self.returns.fill(0.0);
        self.ended.fill(Flags::empty());
        self.first = true;
        self.stage.reset(EpisodeSeed::tree(self.root, self.lane, self.episode))
    }

    /// Steps as the batch has just done and lists what differs.
    fn compare(
        &mut self,
        view: Batch<'_>,
        acts: &[u8],
        spec: &Spec,
        mode: Autoreset,
    ) -> Result<Vec<String>, Trouble> {
        if self.stage.is_over() {
            self.next_episode()?;
            return self.rows(view);
        }
        self.first = false;
        self.ended.fill(Flags::empty());
        self.stage.step(acts)?;
        self.steps += 1;
        let signals = &mut self.stage.signals;
        if spec.max_steps.is_some_and(|most| self.steps >= most) {
            for flags in signals.flags.iter_mut().filter(|flags| flags.contains(Flags::ALIVE)) {
                *flags = (*flags - Flags::ALIVE - Flags::TO_ACT) | Flags::TRUNCATED;
            }
        }
        self.returns.iter_mut().zip(&signals.reward).for_each(|(sum, r)| *sum += f64::from(*r));
        let mut wrong = Vec::new();
        if self.stage.is_over() {
            self.finals(view, &mut wrong)?;
            if mode == Autoreset::SameStep {
                let (reward, flags) = (self.stage.signals.reward.clone(), self.stage.signals.flags.clone());
                self.next_episode()?;
                self.ended = flags;
                self.stage.signals.reward = reward;
            }
        }
        wrong.extend(self.rows(view)?);
        Ok(wrong)
    }

    /// Rows as they should be now.
    fn rows(&mut self, view: Batch<'_>) -> Result<Vec<String>, Trouble> {
        let seats = self.stage.seats();
        let mut wrong = Vec::new();
        for seat in 0..seats {
            let row = self.lane as usize * seats + seat;
            let mut flags = self.stage.signals.flags[seat] | self.ended[seat];
            let fresh = self.first && self.stage.has(seat, Flags::ALIVE);
            flags.set(Flags::FIRST, fresh);
            if view.flags(row) != flags {
                wrong.push(format!("seat {seat} has flags {:?}, alone {flags:?}", view.flags(row)));
            }
            let reward = self.stage.signals.reward[seat];
            if view.reward(row).to_bits() != reward.to_bits() {
                wrong.push(format!("seat {seat} has reward {}, alone {reward}", view.reward(row)));
            }
            if self.stage.signals.flags[seat].intersects(Flags::WRITTEN) {
                let (obs, mask) = self.stage.look(seat, 0)?;
                if view.obs(row) != obs {
                    wrong.push(format!("seat {seat} has another observation than alone"));
                }
                if self.stage.has(seat, Flags::TO_ACT) && view.mask(row).words() != mask {
                    wrong.push(format!("seat {seat} has another mask than alone"));
                }
            }
        }
        Ok(wrong)
    }

    fn finals(&mut self, view: Batch<'_>, wrong: &mut Vec<String>) -> Result<(), Trouble> {
        let mine: Vec<_> = view.finals().filter(|(end, _)| end.lane == self.lane).collect();
        if mine.len() != self.stage.seats() {
            wrong.push(format!("{} seats are among the finals", mine.len()));
            return Ok(());
        }
        let ranks = self.stage.ranks(0)?.unwrap_or_else(|| vec![u8::MAX; mine.len()]);
        for (seat, (end, obs)) in mine.into_iter().enumerate() {
            let theirs = (end.steps, end.episode, end.episode_return, end.rank);
            // NaN equals itself here: that it is no reward is another rule.
            let ours = (self.steps, self.episode, self.returns[seat], ranks[seat]);
            let equal = end.episode_return.to_bits() == self.returns[seat].to_bits()
                && (theirs.0, theirs.1, theirs.3) == (ours.0, ours.1, ours.3);
            if !equal {
                wrong.push(format!(
                    "seat {seat} ends with (steps, episode, return, rank) {theirs:?}, alone {ours:?}"
                ));
            }
            if self.stage.signals.flags[seat].intersects(Flags::ENDED) && self.stage.look(seat, 0)?.0 != obs {
                wrong.push(format!("seat {seat} has another final observation than alone"));
            }
        }
        Ok(())
    }
}

/// Records an episode, saves, loads and verifies it; what went wrong, if anything.
fn replay(game: &Game, options: &Options, root: u64) -> Result<Option<String>, Trouble> {
    let config = BatchConfig { autoreset: Autoreset::Disabled, ..BatchConfig::lanes(1) };
    let mut batch = VecEnv::new(&game.factory(options.clone()), config)?;
    let spec = batch.spec().clone();
    batch.reset(root);
    let labels = (0..spec.seats).map(|seat| format!("random-{seat}")).collect();
    let config = RecordConfig { every: 4, ..RecordConfig::new(labels, EpisodeSeed::tree(root, 0, 0)) };
    let mut recorder = Recorder::begin(game, options, config, &mut batch, 0)?;
    for step in 0..RECORDED {
        act(&mut batch, &spec, step);
        recorder.before_step(&mut batch);
        batch.step();
        if recorder.after_step(&mut batch)? {
            break;
        }
    }
    let replay = recorder.finish(&mut batch);
    let back = Replay::load(&replay.save()?)?;
    if back != replay {
        return Ok(Some("the loaded replay is not the saved one".into()));
    }
    let report = back.verify(game)?;
    Ok(report.divergence.map(|found| found.to_string()))
}

/// Allocations during warm steps of a batch.
fn allocations(
    factory: &Factory,
    spec: &Spec,
    root: u64,
    counter: fn() -> u64,
) -> Result<(u64, u32), Trouble> {
    let mut batch = VecEnv::new(factory, BatchConfig::lanes(2))?;
    batch.reset(root);
    let (warm, measured) = (400, 200);
    let mut rng = Pcg64::seed(root);
    let mut total = 0;
    for step in 0..warm + measured {
        let (view, mut actions) = batch.parts();
        for row in 0..view.shape().rows() {
            spec.action.sample(view.mask(row), &mut rng, actions.row_mut(row));
        }
        let before = counter();
        let failed = batch.step().faults().next().is_some();
        // A failing lane may allocate: its fault has a text.
        if step >= warm && !failed {
            total += counter() - before;
        }
    }
    Ok((total, measured))
}
