//! Rule `spec`.

use super::{book::Book, stage::guarded};
use crate::{
    game::Game,
    options::Options,
    space::{Dtype, Space},
    spec::{Dynamics, Luck, Spec},
};
use std::collections::BTreeSet;

/// Largest row that is taken seriously, in bytes.
const LARGEST_ROW: usize = 16 << 20;

/// The spec, when it is sane enough to go on with.
pub(super) fn check(book: &mut Book, game: &Game, options: &Options) -> Option<Spec> {
    let mut specs = Vec::new();
    for _ in 0..2 {
        match guarded(|| (game.make)(options).map(|mut env| (env.spec().clone(), env.as_chance().is_some())))
        {
            Ok(Ok(made)) => specs.push(made),
            Ok(Err(error)) => book.trouble("making an environment", error.into()),
            Err(trouble) => book.trouble("making an environment", trouble),
        }
    }
    let [(spec, chance), (again, _)] = &specs[..] else { return None };
    if spec != again {
        book.find("spec", None, "two environments of the same options have different specs");
    }
    if (spec.game.as_str(), spec.version) != (game.name, game.version) {
        book.find("spec", None, format!("the spec is of {}, the game of {}", spec.id(), game.id()));
    }
    if *chance != (spec.luck == Luck::Explicit) {
        let detail =
            format!("luck is {:?}, but as_chance gives {}", spec.luck, if *chance { "one" } else { "none" });
        book.find("spec", None, detail);
    }
    rewards_and_metrics(book, spec);
    let mut usable = (1..=64).contains(&spec.seats);
    if !usable {
        book.find("spec", None, format!("{} seats: 1 to 64 are possible", spec.seats));
    }
    if (spec.dynamics == Dynamics::SingleAgent) != (spec.seats == 1) {
        book.find("spec", None, format!("{:?} with {} seats", spec.dynamics, spec.seats));
    }
    usable &= space(book, "observation", &spec.obs);
    usable &= space(book, "action", &spec.action);
    if spec.masked && spec.action.mask_bits() == 0 {
        book.find("spec", None, "masked, but the action space has no mask");
    }
    usable.then(|| spec.clone())
}

fn rewards_and_metrics(book: &mut Book, spec: &Spec) {
    let (low, high) = spec.reward;
    if !(low.is_finite() && high.is_finite() && low <= high) {
        book.find("spec", None, format!("rewards from {low} to {high} are no finite range"));
    }
    if spec.max_steps == Some(0) {
        book.find("spec", None, "max_steps is 0: no step could be made");
    }
    names(book, "metric", spec.metrics.iter());
}

fn names<'a>(book: &mut Book, what: &str, names: impl Iterator<Item = &'a String>) {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.trim().is_empty() {
            book.find("spec", None, format!("a {what} has no name"));
        } else if !seen.insert(name) {
            book.find("spec", None, format!("two {what}s are called \"{name}\""));
        }
    }
}

fn space(book: &mut Book, what: &str, space: &Space) -> bool {
    let empty_part = match space {
        Space::Discrete { n } => *n == 0,
        Space::MultiDiscrete { n } => n.contains(&0),
        Space::Fields { .. } => false,
    };
    if empty_part || space.is_empty() {
        book.find("spec", None, format!("the {what} space is empty"));
        return false;
    }
    if space.row_bytes() > LARGEST_ROW {
        let detail =
            format!("a row of the {what} space has {} bytes, more than {LARGEST_ROW}", space.row_bytes());
        book.find("spec", None, detail);
        return false;
    }
    if let Space::Fields { dtype, fields } = space {
        names(book, "field", fields.iter().map(|field| &field.name));
        let real = matches!(dtype, Dtype::F32 | Dtype::F64);
        for field in fields {
            let finite = field.low.is_finite() && field.high.is_finite();
            let sound = field.low <= field.high && (real || finite);
            if !sound {
                let detail =
                    format!("field {} of {dtype:?} from {} to {}", field.name, field.low, field.high);
                book.find("spec", None, format!("{detail} has no sound bounds"));
                return false;
            }
        }
    }
    true
}
