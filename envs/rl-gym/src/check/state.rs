//! What one state must show: flags, rows, masks, rewards, ranks.

use super::{
    book::Book,
    stage::{Stage, Trouble},
};
use crate::{
    bits::{Bits, words_for},
    flags::Flags,
    spec::{Dynamics, Placing, Spec, Utility},
};

/// What was so before the reset or step that led to a state.
pub(super) enum Before<'a> {
    Reset,
    /// Flags of the state before.
    Step(&'a [Flags]),
}

/// Checks everything that one state shows. `waiting`: nature is to move.
pub(super) fn check(
    book: &mut Book,
    stage: &mut Stage,
    spec: &Spec,
    before: &Before<'_>,
    waiting: bool,
) -> Result<(), Trouble> {
    flags(book, stage, spec, before, waiting);
    rewards(book, stage, spec, before);
    (0..spec.seats).try_for_each(|seat| rows(book, stage, spec, seat))?;
    ranks(book, stage, spec)
}

fn flags(book: &mut Book, stage: &Stage, spec: &Spec, before: &Before<'_>, waiting: bool) {
    for seat in 0..spec.seats {
        let now = stage.signals.flags[seat];
        let (alive, ended) = (now.contains(Flags::ALIVE), now.intersects(Flags::ENDED));
        let was_alive = match before {
            Before::Reset => true,
            Before::Step(flags) => flags[seat].contains(Flags::ALIVE),
        };
        let wrong = if now.contains(Flags::TO_ACT) && !alive {
            "TO_ACT without ALIVE"
        } else if alive && ended {
            "alive and ended at once"
        } else if now.contains(Flags::FIRST) {
            "FIRST belongs to the batch"
        } else if !was_alive && (alive || ended) {
            "it was dead and is back"
        } else if matches!(before, Before::Reset) && ended {
            "ended by a reset"
        } else if matches!(before, Before::Step(_)) && was_alive && !alive && !ended {
            "it vanished: neither alive, terminated nor truncated"
        } else if now.contains(Flags::ILLEGAL) && matches!(before, Before::Reset) {
            "ILLEGAL after a reset"
        } else {
            continue;
        };
        book.find("flags", Some(seat), format!("{wrong} ({now:?})"));
    }
    let alive = (0..spec.seats).filter(|&seat| stage.has(seat, Flags::ALIVE)).count();
    let acting = stage.acting().len();
    if matches!(before, Before::Reset) && alive == 0 {
        book.find("flags", None, "nobody is alive after a reset");
    }
    if waiting && acting > 0 {
        book.find("flags", None, format!("nature is to move, yet {acting} seats are to act"));
    }
    if waiting || alive == 0 {
        return;
    }
    let fits = match spec.dynamics {
        Dynamics::SingleAgent | Dynamics::TurnBased => acting == 1,
        Dynamics::Simultaneous => acting == alive,
        Dynamics::Mixed => acting > 0,
    };
    if !fits {
        let detail = format!("{acting} of {alive} living seats are to act in a {:?} game", spec.dynamics);
        book.find("flags", None, detail);
    }
}

fn rewards(book: &mut Book, stage: &Stage, spec: &Spec, before: &Before<'_>) {
    let reward = &stage.signals.reward;
    let (low, high) = spec.reward;
    for (seat, &r) in reward.iter().enumerate() {
        let dead = match before {
            Before::Reset => true,
            Before::Step(flags) => !flags[seat].contains(Flags::ALIVE),
        };
        if !r.is_finite() {
            book.find("rewards", Some(seat), format!("reward {r} is not finite"));
        } else if r != 0.0 && !(low..=high).contains(&r) {
            book.find("rewards", Some(seat), format!("reward {r} is outside {low}..={high}"));
        } else if r != 0.0 && dead {
            let when = if matches!(before, Before::Reset) { "at a reset" } else { "for a dead seat" };
            book.find("rewards", Some(seat), format!("reward {r} {when} reaches nobody"));
        }
    }
    let size = reward.iter().fold(1.0f32, |size, r| size.max(r.abs()));
    let sum: f32 = reward.iter().sum();
    match spec.utility {
        Utility::ZeroSum if sum.abs() > 1e-4 * size * spec.seats as f32 => {
            book.find("utility", None, format!("zero-sum rewards {reward:?} sum to {sum}"));
        }
        Utility::Cooperative if reward.iter().any(|r| *r != reward[0]) => {
            book.find("utility", None, format!("cooperative rewards {reward:?} differ"));
        }
        _ => {}
    }
}

fn rows(book: &mut Book, stage: &mut Stage, spec: &Spec, seat: usize) -> Result<(), Trouble> {
    let (obs, mask) = stage.look(seat, 0x54)?;
    let (other_obs, other_mask) = stage.look(seat, 0xab)?;
    let element = spec.obs.dtype().size();
    if let Some(at) = (0..obs.len()).find(|&i| obs[i] != other_obs[i]) {
        let field = spec.obs.offsets().into_iter().rfind(|(start, _)| *start <= at / element);
        let name = field.map_or("value", |(_, field)| field.name.as_str());
        book.find(
            "obs-written",
            Some(seat),
            format!("element {} ({name}) keeps what was there before", at / element),
        );
    } else if let Err(outside) = spec.obs.contains(&obs) {
        book.find("obs-space", Some(seat), outside.to_string());
    }
    if !spec.masked || !stage.has(seat, Flags::TO_ACT) {
        return Ok(());
    }
    let bits = stage.mask_bits();
    debug_assert_eq!(mask.len(), words_for(bits));
    if !bits.is_multiple_of(64) && mask.last().is_some_and(|last| last >> (bits % 64) != 0) {
        book.find("mask", Some(seat), format!("bits past the end ({bits}) are set"));
    } else if mask != other_mask {
        book.find("obs-written", Some(seat), "the mask keeps bits that were there before");
    }
    if Bits::new(&mask, bits).count() == 0 {
        book.find("mask", Some(seat), "it is to act, but no action is legal");
    }
    Ok(())
}

fn ranks(book: &mut Book, stage: &mut Stage, spec: &Spec) -> Result<(), Trouble> {
    let (ranks, again) = (stage.ranks(0x54)?, stage.ranks(0xab)?);
    // A limit may cut an episode before there is anything to rank.
    let rules_ended = stage.signals.flags.iter().any(|flags| flags.contains(Flags::TERMINATED));
    match ranks {
        Some(_) if !stage.is_over() => book.find("ranks", None, "ranks are given while the game goes on"),
        Some(_) if spec.placing == Placing::None => {
            book.find("ranks", None, "ranks are given, but the spec's placing is None");
        }
        None if stage.is_over() && rules_ended && spec.placing != Placing::None => {
            book.find("ranks", None, format!("no ranks at the end; placing is {:?}", spec.placing));
        }
        Some(ranks) if again.as_ref() != Some(&ranks) => {
            book.find("ranks", None, "some seat's rank is not written");
        }
        Some(ranks) => {
            let worst = ranks.iter().copied().max().unwrap_or(0);
            let losers_differ = ranks.iter().any(|&rank| rank != 0 && rank != worst);
            if !ranks.contains(&0) || usize::from(worst) >= spec.seats {
                book.find("ranks", None, format!("{ranks:?} are no places of {} seats from 0", spec.seats));
            } else if spec.placing == Placing::WinnerOnly && losers_differ {
                book.find("ranks", None, format!("{ranks:?} order the losers; placing is WinnerOnly"));
            }
        }
        None => {}
    }
    Ok(())
}
