//! Rule `chance`: the same game with nature's moves applied from outside.

use super::{
    book::Book,
    episode::Trace,
    stage::{Stage, Trouble},
    state::{self, Before},
};
use crate::{seed::EpisodeSeed, spec::Spec};

/// Outcomes of one step after which nature counts as never done.
const MOST: usize = 10_000;

/// Plays a recorded episode again in explicit mode, forcing the recorded outcomes.
pub(super) fn check(
    book: &mut Book,
    stage: &mut Stage,
    spec: &Spec,
    seed: EpisodeSeed,
    trace: &Trace,
) -> Result<(), Trouble> {
    let offered = stage.ask(|env| env.as_chance().map(|chance| chance.set_explicit(true)).is_some())?;
    if !offered {
        return Ok(());
    }
    let result = play(book, stage, spec, seed, trace);
    stage.ask(|env| env.as_chance().map(|chance| chance.set_explicit(false)))?;
    result
}

fn play(
    book: &mut Book,
    stage: &mut Stage,
    spec: &Spec,
    seed: EpisodeSeed,
    trace: &Trace,
) -> Result<(), Trouble> {
    for (i, moment) in trace.moments.iter().enumerate() {
        book.step = i as u32;
        let before = stage.signals.flags.clone();
        match &moment.acts {
            None => stage.reset(seed)?,
            Some(acts) => stage.step(acts)?,
        }
        let before = if moment.acts.is_some() { Before::Step(&before) } else { Before::Reset };
        let mut rewards = stage.signals.reward.clone();
        if !deal(book, stage, spec, &moment.drawn, &before, &mut rewards)? {
            return Ok(());
        }
        stage.signals.reward = rewards;
        if stage.visible()? != moment.print.visible {
            let detail = "with the drawn outcomes applied from outside, rows, flags or rewards are not those of play that drew them";
            book.find("chance", None, detail);
            return Ok(());
        }
        misuse(book, stage)?;
    }
    Ok(())
}

/// Applies the recorded outcomes; false when they do not fit.
fn deal(
    book: &mut Book,
    stage: &mut Stage,
    spec: &Spec,
    drawn: &[u32],
    before: &Before<'_>,
    rewards: &mut [f32],
) -> Result<bool, Trouble> {
    let mut rest = drawn.iter();
    for _ in 0..MOST {
        let mut outcomes = Vec::new();
        let pending =
            stage.ask(|env| env.as_chance().is_some_and(|chance| chance.outcomes(&mut outcomes)))?;
        if !pending {
            let left = rest.len();
            if left > 0 {
                book.find(
                    "chance",
                    None,
                    format!("{left} drawn outcomes are left, but nature is not to move"),
                );
            }
            return Ok(left == 0);
        }
        state::check(book, stage, spec, before, true)?;
        listed(book, &outcomes);
        let Some(&outcome) = rest.next() else {
            book.find("chance", None, format!("nature is to move, but play drew only {drawn:?} here"));
            return Ok(false);
        };
        if !outcomes.iter().any(|(listed, p)| *listed == outcome && *p > 0.0) {
            book.find("chance", None, format!("outcome {outcome} was drawn but is not among {outcomes:?}"));
        }
        if refuse_unlisted(book, stage, &outcomes)? {
            return Ok(false);
        }
        stage.call(|env, out| env.as_chance().map_or(Ok(()), |chance| chance.apply_outcome(outcome, out)))?;
        rewards.iter_mut().zip(&stage.signals.reward).for_each(|(sum, r)| *sum += r);
        if stage.drawn()? != [outcome] {
            book.find(
                "chance",
                None,
                format!("after outcome {outcome} was applied, drawn gives {:?}", stage.drawn()?),
            );
        }
    }
    book.find("chance", None, format!("nature moved {MOST} times in one step and is not done"));
    Ok(false)
}

fn listed(book: &mut Book, outcomes: &[(u32, f64)]) {
    let sum: f64 = outcomes.iter().map(|(_, p)| p).sum();
    let odd = |(_, p): &(u32, f64)| p.is_nan() || *p < 0.0;
    if (sum - 1.0).abs() > 1e-9 || outcomes.iter().any(odd) {
        book.find("chance", None, format!("the probabilities of {outcomes:?} sum to {sum}"));
    }
    let mut numbers: Vec<u32> = outcomes.iter().map(|(outcome, _)| *outcome).collect();
    numbers.sort_unstable();
    if numbers.windows(2).any(|pair| pair[0] == pair[1]) {
        book.find("chance", None, format!("an outcome is listed twice in {outcomes:?}"));
    }
}

/// Offers an outcome that is not listed; whether it moved anything.
fn refuse_unlisted(book: &mut Book, stage: &mut Stage, outcomes: &[(u32, f64)]) -> Result<bool, Trouble> {
    let Some(absent) = (0..=u32::MAX).rev().find(|o| outcomes.iter().all(|(listed, _)| listed != o)) else {
        return Ok(false);
    };
    let (signals, hash) = (stage.signals.clone(), stage.state_hash()?);
    let taken = stage.call(|env, out| {
        Ok(env.as_chance().is_some_and(|chance| chance.apply_outcome(absent, out).is_ok()))
    })?;
    let moved = stage.state_hash()? != hash;
    if taken {
        book.find("chance", None, format!("outcome {absent} is not listed and was taken"));
    } else if moved {
        book.find("chance", None, format!("refusing outcome {absent} changed the state"));
    }
    stage.signals = signals;
    Ok(taken || moved)
}

/// An outcome when nature is not to move must be refused.
fn misuse(book: &mut Book, stage: &mut Stage) -> Result<(), Trouble> {
    let signals = stage.signals.clone();
    let taken = stage
        .call(|env, out| Ok(env.as_chance().is_some_and(|chance| chance.apply_outcome(0, out).is_ok())))?;
    stage.signals = signals;
    if taken {
        book.find("chance", None, "an outcome was taken although nature is not to move");
    }
    Ok(())
}
