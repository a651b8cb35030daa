//! Probes of one state: every legal action is taken, every illegal one refused.

use super::{
    book::Book,
    stage::{Stage, Trouble},
};
use crate::{bits::Bits, flags::Flags, rng::Pcg64, space::Space, spec::Spec};

/// Legal actions tried from one state.
const MOST: usize = 24;

/// Tries the legal actions of each seat to act, one by one, from a saved state.
pub(super) fn legal(book: &mut Book, stage: &mut Stage, spec: &Spec, rng: &mut Pcg64) -> Result<(), Trouble> {
    let Some(here) = stage.save()? else { return Ok(()) };
    for seat in stage.acting() {
        let Space::Discrete { n } = spec.action else { return Ok(()) };
        let (_, mask) = stage.look(seat, 0)?;
        let bits = Bits::new(&mask, stage.mask_bits());
        let mut actions: Vec<u32> = if spec.masked {
            bits.ones().map(|bit| bit as u32).collect()
        } else {
            (0..n.min(4096)).collect()
        };
        rng.shuffle(&mut actions);
        for &action in actions.iter().take(MOST) {
            let mut acts = stage.draw_actions(&spec.action, rng)?;
            put(&mut acts, stage.act_bytes(), seat, 0, action);
            let result = stage.step(&acts);
            let refused = stage.has(seat, Flags::ILLEGAL);
            if let Err(trouble) = result {
                book.trouble(&format!("legal action {action} of seat {seat}"), trouble);
            } else if refused {
                book.find(
                    "legal-accepted",
                    Some(seat),
                    format!("action {action} is in the mask and was refused"),
                );
            }
            stage.load(&here)?;
        }
    }
    Ok(())
}

fn put(acts: &mut [u8], row: usize, seat: usize, part: usize, action: u32) {
    acts[seat * row + part * 4..seat * row + part * 4 + 4].copy_from_slice(&action.to_ne_bytes());
}

/// (part of the action row, value) pairs that are illegal for a seat with this mask.
fn outsiders(spec: &Spec, mask: Bits<'_>, rng: &mut Pcg64) -> Vec<(usize, u32)> {
    let parts: Vec<u32> = match &spec.action {
        Space::Discrete { n } => vec![*n],
        Space::MultiDiscrete { n } => n.clone(),
        Space::Fields { .. } => return Vec::new(),
    };
    let mut found = Vec::new();
    let mut first = 0;
    for (part, n) in parts.into_iter().enumerate() {
        found.extend([(part, n), (part, u32::MAX)]);
        if spec.masked {
            let mut unset: Vec<u32> = (0..n).filter(|i| !mask.get(first + *i as usize)).collect();
            rng.shuffle(&mut unset);
            found.extend(unset.into_iter().take(2).map(|action| (part, action)));
        }
        first += n as usize;
    }
    found
}

/// Tries illegal actions of each seat to act. False when one was accepted and could not be undone.
pub(super) fn illegal(
    book: &mut Book,
    stage: &mut Stage,
    spec: &Spec,
    rng: &mut Pcg64,
) -> Result<bool, Trouble> {
    let saved = stage.save()?;
    for seat in stage.acting() {
        let (_, mask) = stage.look(seat, 0)?;
        for (part, action) in outsiders(spec, Bits::new(&mask, stage.mask_bits()), rng) {
            let mut acts = stage.draw_actions(&spec.action, rng)?;
            put(&mut acts, stage.act_bytes(), seat, part, action);
            let broken = try_one(book, stage, seat, action, &acts)?;
            match &saved {
                Some(here) if broken => stage.load(here)?,
                None if broken => return Ok(false),
                _ => {}
            }
        }
    }
    Ok(true)
}

/// Sends one illegal action; whether anything moved.
fn try_one(
    book: &mut Book,
    stage: &mut Stage,
    seat: usize,
    action: u32,
    acts: &[u8],
) -> Result<bool, Trouble> {
    let (before, hash) = (stage.signals.clone(), stage.state_hash()?);
    let rows = all_rows(stage)?;
    stage.step(acts)?;
    let now = stage.signals.clone();
    let mut wrong = Vec::new();
    if !stage.has(seat, Flags::ILLEGAL) {
        wrong.push("it was not refused (no ILLEGAL)".to_owned());
    }
    if now.reward.iter().any(|r| *r != 0.0) {
        wrong.push(format!("rewards {:?} were given", now.reward));
    }
    let kept = |flags: &[Flags]| -> Vec<Flags> { flags.iter().map(|f| *f - Flags::ILLEGAL).collect() };
    if kept(&now.flags) != kept(&before.flags) {
        wrong.push(format!("flags went from {:?} to {:?}", before.flags, now.flags));
    }
    if let Some(other) = (0..now.flags.len()).find(|&i| i != seat && now.flags[i].contains(Flags::ILLEGAL)) {
        wrong.push(format!("seat {other} was refused too, though its own action was not illegal"));
    }
    if stage.state_hash()? != hash {
        wrong.push("the state hash changed".to_owned());
    }
    if all_rows(stage)? != rows {
        wrong.push("observations or masks changed".to_owned());
    }
    for detail in &wrong {
        book.find("illegal-refused", Some(seat), format!("illegal action {action}: {detail}"));
    }
    // The signals of the state stay as they were: only the refusal is new.
    stage.signals = before;
    Ok(!wrong.is_empty())
}

type Rows = Vec<(Vec<u8>, Vec<u64>)>;

fn all_rows(stage: &mut Stage) -> Result<Rows, Trouble> {
    (0..stage.seats()).map(|seat| stage.look(seat, 0)).collect()
}
