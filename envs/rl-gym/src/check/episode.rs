//! Episodes of random play, each played again and again.

use super::{
    book::Book,
    chance, hidden, moves,
    snapshot::{self, Spare},
    stage::{Print, Stage, Trouble},
    state::{self, Before},
    text,
};
use crate::{
    flags::Flags,
    rng::Pcg64,
    seed::{EpisodeSeed, SeedSequence},
    sharded::Factory,
    spec::{Information, Luck, Spec},
};

/// Steps at the start of an episode that are probed; later ones are probed now and then.
const PROBED: u32 = 24;

/// One state of a recorded episode.
pub(super) struct Moment {
    /// Action rows that led to it; `None` at the start.
    pub(super) acts: Option<Vec<u8>>,
    pub(super) acted: Vec<bool>,
    pub(super) print: Print,
    pub(super) drawn: Vec<u32>,
}

/// A recorded episode.
#[derive(Default)]
pub(super) struct Trace {
    pub(super) moments: Vec<Moment>,
}

/// All rules that need no batch.
pub(super) fn check(book: &mut Book, factory: &Factory, spec: &Spec) {
    let mut played: Vec<(EpisodeSeed, Trace)> = Vec::new();
    let mut stage = None;
    for number in 0..book.config.episodes {
        let seed = EpisodeSeed::tree(book.config.seed, 0, number);
        book.enter(seed);
        let mut trace = Trace::default();
        // The same environment plays all episodes, unless it broke down in the last one.
        let result = ready(&mut stage, factory, spec)
            .and_then(|stage| explore(book, stage, factory, spec, seed, &mut trace));
        if let Err(trouble) = result {
            book.trouble("random play", trouble);
            stage = None;
        } else {
            played.push((seed, trace));
        }
    }
    count(book, stage.as_ref());
    // Backwards, so that each episode has others before it than the first time.
    let mut stage = None;
    for (seed, trace) in played.iter().rev() {
        book.enter(*seed);
        let result = ready(&mut stage, factory, spec)
            .and_then(|stage| again(book, stage, factory, spec, *seed, trace));
        if let Err(trouble) = result {
            book.trouble("playing the episode again", trouble);
            stage = None;
        }
    }
    count(book, stage.as_ref());
    book.elsewhere();
    if let Err(trouble) = other_seeds(book, factory, spec) {
        book.trouble("play under several seeds", trouble);
    }
}

fn count(book: &mut Book, stage: Option<&Stage>) {
    book.steps += stage.map_or(0, |stage| stage.calls);
}

fn ready<'a>(stage: &'a mut Option<Stage>, factory: &Factory, spec: &Spec) -> Result<&'a mut Stage, Trouble> {
    match stage {
        Some(stage) => Ok(stage),
        None => Ok(stage.insert(Stage::new(factory, spec)?)),
    }
}

/// Plays one episode at random with all probes, and records it.
fn explore(
    book: &mut Book,
    stage: &mut Stage,
    factory: &Factory,
    spec: &Spec,
    seed: EpisodeSeed,
    trace: &mut Trace,
) -> Result<(), Trouble> {
    let mut rng = SeedSequence::new(book.config.seed).child(1).child(book.episodes as u32).rng();
    let mut spare = Spare { stale: None, other: Stage::new(factory, spec)? };
    book.episodes += 1;
    stage.reset(seed)?;
    state::check(book, stage, spec, &Before::Reset, false)?;
    note(stage, trace, None, vec![false; spec.seats])?;
    text::check_names(book, stage, spec)?;
    let limit = book.config.max_steps.min(spec.max_steps.unwrap_or(u32::MAX));
    for step in 0..limit {
        book.step = step;
        if step < PROBED || rng.below(16) == 0 {
            probe(book, stage, spec, &mut spare, &mut rng)?;
        }
        if stage.acting().is_empty() {
            return finished(book, stage, spec);
        }
        let before = stage.signals.flags.clone();
        let acts = stage.draw_actions(&spec.action, &mut rng)?;
        let acted: Vec<bool> = before.iter().map(|flags| flags.contains(Flags::TO_ACT)).collect();
        stage.step(&acts)?;
        book.step = step + 1;
        for seat in (0..spec.seats).filter(|&seat| stage.has(seat, Flags::ILLEGAL)) {
            let what = if acted[seat] { "a legal action was refused" } else { "refused without being asked" };
            book.find("legal-accepted", Some(seat), what);
        }
        state::check(book, stage, spec, &Before::Step(&before), false)?;
        note(stage, trace, Some(acts), acted)?;
        hash_moves(book, trace);
    }
    if !stage.is_over() && spec.max_steps.is_none() {
        book.find("ends", None, format!("the episode is not over after {limit} steps of random play"));
    }
    Ok(())
}

/// Nobody is to act: fine at the end, else somebody was forgotten (a finding of `flags`).
fn finished(book: &mut Book, stage: &mut Stage, spec: &Spec) -> Result<(), Trouble> {
    if stage.is_over() {
        let now = stage.ask(|env| env.spec() == spec)?;
        if !now {
            book.find("spec", None, "the spec changed during the episode");
        }
    } else {
        book.find("ends", None, "seats are alive, but none is ever asked again");
    }
    Ok(())
}

fn note(
    stage: &mut Stage,
    trace: &mut Trace,
    acts: Option<Vec<u8>>,
    acted: Vec<bool>,
) -> Result<(), Trouble> {
    trace.moments.push(Moment { acts, acted, print: stage.print()?, drawn: stage.drawn()? });
    Ok(())
}

fn hash_moves(book: &mut Book, trace: &Trace) {
    let [.., before, now] = &trace.moments[..] else { return };
    let equal = now.print.hash.is_some() && now.print.hash == before.print.hash;
    if equal && now.print.visible != before.print.visible {
        book.find("state-hash", None, "rows or flags changed, the state hash did not");
    }
}

fn probe(
    book: &mut Book,
    stage: &mut Stage,
    spec: &Spec,
    spare: &mut Spare,
    rng: &mut Pcg64,
) -> Result<(), Trouble> {
    text::check(book, stage, spec)?;
    if !moves::illegal(book, stage, spec, rng)? {
        return Err(Trouble::Fault("an illegal action moved the game and cannot be undone".into()));
    }
    moves::legal(book, stage, spec, rng)?;
    snapshot::check(book, stage, spec, spare, rng)?;
    hidden::check(book, stage, spec, rng)
}

/// Plays a recorded episode again: in new environments and in `used`, which has played others before; with
/// other rows for seats that are not asked; with explicit luck.
fn again(
    book: &mut Book,
    used: &mut Stage,
    factory: &Factory,
    spec: &Spec,
    seed: EpisodeSeed,
    trace: &Trace,
) -> Result<(), Trouble> {
    let mut fresh = |blank: bool| -> Result<Vec<Print>, Trouble> {
        let mut stage = Stage::new(factory, spec)?;
        let prints = replay(&mut stage, seed, trace, blank)?;
        book.episodes += 1;
        book.steps += stage.calls;
        Ok(prints)
    };
    let (first, second, blank) = (fresh(false)?, fresh(false)?, fresh(true)?);
    let recorded: Vec<Print> = trace.moments.iter().map(|moment| moment.print).collect();
    if differ(book, "same-seed", "in two new environments", &first, &second)
        || differ(book, "leak", "in a new environment", &recorded, &first)
        || differ(book, "leak", "after other episodes", &recorded, &replay(used, seed, trace, false)?)
    {
        return Ok(());
    }
    book.episodes += 2;
    differ(book, "ignored-rows", "with zeros in rows of seats that are not asked", &first, &blank);
    let mut stage = Stage::new(factory, spec)?;
    let result = chance::check(book, &mut stage, spec, seed, trace);
    count(book, Some(&stage));
    result
}

/// Writes down the first state in which two runs of an episode differ.
fn differ(book: &mut Book, rule: &'static str, how: &str, one: &[Print], other: &[Print]) -> bool {
    let Some(step) = one.iter().zip(other).position(|(a, b)| a != b) else { return false };
    let (a, b) = (one[step], other[step]);
    let what = if a.visible != b.visible {
        "rows, flags, rewards or metrics"
    } else if a.hash != b.hash {
        "state hashes"
    } else {
        "chance outcomes or ranks"
    };
    book.step = step as u32;
    book.find(rule, None, format!("played again {how}, {what} differ"));
    true
}

/// Prints of all states of a recorded episode, played again; `blank`: with zeros in the rows of seats that
/// were not asked.
fn replay(stage: &mut Stage, seed: EpisodeSeed, trace: &Trace, blank: bool) -> Result<Vec<Print>, Trouble> {
    let row = stage.act_bytes();
    let mut prints = Vec::with_capacity(trace.moments.len());
    for moment in &trace.moments {
        match &moment.acts {
            None => stage.reset(seed)?,
            Some(acts) => {
                let mut acts = acts.clone();
                for (seat, _) in moment.acted.iter().enumerate().filter(|(_, acted)| blank && !**acted) {
                    acts[seat * row..(seat + 1) * row].fill(0);
                }
                stage.step(&acts)?;
            }
        }
        prints.push(stage.print()?);
    }
    Ok(prints)
}

/// Where luck or hidden things are declared, several seeds must show more than one game.
fn other_seeds(book: &mut Book, factory: &Factory, spec: &Spec) -> Result<(), Trouble> {
    if spec.luck == Luck::Deterministic && spec.information == Information::Perfect {
        return Ok(());
    }
    let mut stage = Stage::new(factory, spec)?;
    let mut prints = Vec::new();
    for number in 0..12 {
        stage.reset(EpisodeSeed::tree(book.config.seed, 1, number))?;
        book.episodes += 1;
        // The same draws of actions under every seed.
        let mut rng = SeedSequence::new(book.config.seed).child(2).rng();
        let mut hasher = blake3::Hasher::new();
        for _ in 0..40 {
            hasher.update(&stage.visible()?.to_le_bytes());
            if stage.acting().is_empty() {
                break;
            }
            let acts = stage.draw_actions(&spec.action, &mut rng)?;
            stage.step(&acts)?;
        }
        prints.push(super::stage::first_word(&hasher));
    }
    count(book, Some(&stage));
    if prints.iter().all(|print| *print == prints[0]) {
        let detail = format!(
            "12 seeds give one and the same game ({:?} luck, {:?} information)",
            spec.luck, spec.information
        );
        book.find("other-seed", None, detail);
    }
    Ok(())
}
