//! Rule `text`.

use super::{
    book::Book,
    stage::{Stage, Trouble},
};
use crate::{bits::Bits, env::TextEnv, flags::Flags, space::Space, spec::Spec};
use std::collections::BTreeSet;

/// Longest description that fits a model's prompt well, in bytes.
const LONGEST: usize = 2048;
/// Action names asked for at most.
const NAMES: u32 = 4096;

/// Reads a state as text and parses every legal name back.
pub(super) fn check(book: &mut Book, stage: &mut Stage, spec: &Spec) -> Result<(), Trouble> {
    for seat in 0..spec.seats {
        let legal = stage.has(seat, Flags::TO_ACT).then(|| stage.look(seat, 0)).transpose()?;
        let bits = stage.mask_bits();
        let wanted = legal.and_then(|(_, mask)| match spec.action {
            Space::Discrete { n } if spec.masked && bits > 0 => {
                debug_assert_eq!(bits, n as usize);
                Some(Bits::new(&mask, bits).ones().map(|bit| bit as u32).collect::<Vec<_>>())
            }
            Space::Discrete { n } => Some((0..n).collect()),
            _ => None,
        });
        let details = stage.ask(|env| env.as_text().map(|text| read(text, seat, wanted.as_deref())))?;
        for (severe, detail) in details.into_iter().flatten() {
            if severe {
                book.find("text", Some(seat), detail);
            } else {
                book.warn("text", Some(seat), detail);
            }
        }
    }
    Ok(())
}

fn read(text: &dyn TextEnv, seat: usize, wanted: Option<&[u32]>) -> Vec<(bool, String)> {
    let mut wrong = Vec::new();
    let mut seen = String::from("before ");
    text.observe_text(seat, &mut seen);
    if !seen.starts_with("before ") {
        wrong.push((true, "observe_text does not append".to_owned()));
    }
    if seen.len() > LONGEST {
        wrong.push((false, format!("observe_text gives {} bytes, more than {LONGEST}", seen.len())));
    }
    // Whatever a model says must be answered, not crash.
    for noise in ["", " ", "\u{1f3b2}", "0", "no such action at all"] {
        _ = text.parse(seat, noise);
    }
    let Some(wanted) = wanted else { return wrong };
    let mut legal = Vec::new();
    text.legal_text(seat, &mut |action, name| legal.push((action, name.to_owned())));
    let actions: Vec<u32> = legal.iter().map(|(action, _)| *action).collect();
    if actions != wanted {
        wrong.push((true, format!("legal_text lists {actions:?}, the mask {wanted:?}")));
    }
    let mut names = BTreeSet::new();
    for (action, name) in &legal {
        if !names.insert(name) {
            wrong.push((true, format!("two legal actions are called \"{name}\"")));
        }
        if text.parse(seat, name).ok() != Some(*action) {
            wrong.push((true, format!("\"{name}\" does not parse back to action {action}")));
        }
        if text.action_name(*action).as_deref() != Some(name) {
            let other = text.action_name(*action);
            wrong.push((
                true,
                format!("action {action} is \"{name}\" in legal_text, {other:?} in action_name"),
            ));
        }
    }
    wrong
}

/// Names of the whole action space: total inside, none outside. Once an episode is enough.
pub(super) fn check_names(book: &mut Book, stage: &mut Stage, spec: &Spec) -> Result<(), Trouble> {
    let Space::Discrete { n } = spec.action else { return Ok(()) };
    let missing = stage.ask(|env| {
        let text = env.as_text()?;
        let nameless = (0..n.min(NAMES)).find(|&action| text.action_name(action).is_none());
        Some((nameless, text.action_name(n)))
    })?;
    if let Some((Some(action), _)) = missing {
        book.find("text", None, format!("action {action} of {n} has no name"));
    }
    if let Some((_, Some(name))) = missing {
        book.find("text", None, format!("action {n} is outside the space, yet it is called \"{name}\""));
    }
    Ok(())
}
