//! Rule `snapshot`.

use super::{
    book::Book,
    stage::{Print, Stage, Trouble},
};
use crate::{env::AnyState, rng::Pcg64, spec::Spec};

/// Steps played on from a saved state.
const AHEAD: usize = 6;

/// Memory of earlier probes: an old state to overwrite, and another environment to load into.
pub(super) struct Spare {
    pub(super) stale: Option<AnyState>,
    pub(super) other: Stage,
}

/// Saves, plays on, loads, plays the same again; then the same in another environment.
pub(super) fn check(
    book: &mut Book,
    stage: &mut Stage,
    spec: &Spec,
    spare: &mut Spare,
    rng: &mut Pcg64,
) -> Result<(), Trouble> {
    let Some(here) = stage.save()? else { return Ok(()) };
    let print = stage.print()?;
    let mut ahead: Vec<(Vec<u8>, Print)> = Vec::new();
    while ahead.len() < AHEAD && !stage.is_over() && !stage.acting().is_empty() {
        let acts = stage.draw_actions(&spec.action, rng)?;
        stage.step(&acts)?;
        ahead.push((acts, stage.print()?));
    }
    stage.load(&here)?;
    if !stage.print()?.same_state(&print) {
        book.find(
            "snapshot",
            None,
            "the loaded state is not the saved one (observation, mask or state hash)",
        );
    }
    if let Some(step) = first_difference(stage, &ahead)? {
        book.find("snapshot", None, format!("play from the loaded state differs after {step} steps"));
    }
    stage.load(&here)?;

    let mut state = match spare.stale.take() {
        Some(stale) => stale,
        None => Box::new(()) as AnyState,
    };
    stage.ask(|env| env.as_snapshot().map(|ability| ability.save_any_into(&mut state)))?;
    let reused = (state, here.1.clone());
    spare.other.load(&reused)?;
    if !spare.other.print()?.same_state(&print) {
        book.find("snapshot", None, "save_any_into, loaded by another environment, is not the saved state");
    } else if let Some(step) = first_difference(&mut spare.other, &ahead)? {
        let detail = format!("play from save_any_into in another environment differs after {step} steps");
        book.find("snapshot", None, detail);
    }
    spare.stale = Some(reused.0);

    let foreign: AnyState = Box::new("not a state");
    let taken = stage.ask(|env| env.as_snapshot().map(|ability| ability.load_any(&foreign).is_ok()))?;
    if taken == Some(true) {
        book.find("snapshot", None, "load_any takes a state that is not its own");
        stage.load(&here)?;
    }
    Ok(())
}

fn first_difference(stage: &mut Stage, ahead: &[(Vec<u8>, Print)]) -> Result<Option<usize>, Trouble> {
    for (i, (acts, print)) in ahead.iter().enumerate() {
        stage.step(acts)?;
        if stage.print()? != *print {
            return Ok(Some(i + 1));
        }
    }
    Ok(None)
}
