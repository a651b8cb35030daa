//! Rule `resample`.

use super::{
    book::Book,
    stage::{Stage, Trouble},
};
use crate::{rng::Pcg64, spec::Spec};

/// Resamples for each viewer and plays a step, from a saved state that is loaded again at the end.
pub(super) fn check(book: &mut Book, stage: &mut Stage, spec: &Spec, rng: &mut Pcg64) -> Result<(), Trouble> {
    if !stage.ask(|env| env.as_resample().is_some())? {
        return Ok(());
    }
    let Some(here) = stage.save()? else { return Ok(()) };
    for viewer in 0..spec.seats {
        let seen = stage.look(viewer, 0)?;
        let seed = rng.next_u64();
        let mut hashes = Vec::new();
        for draw in [seed, seed, seed ^ 1] {
            stage.load(&here)?;
            let mut dice = Pcg64::seed(draw);
            stage.ask(|env| env.as_resample().map(|ability| ability.resample(viewer, &mut dice)))?;
            if stage.look(viewer, 0)? != seen {
                book.find("resample", Some(viewer), "resampling changed what the viewer itself sees");
            }
            hashes.push((stage.state_hash()?, stage.visible()?));
        }
        if hashes[0] != hashes[1] {
            book.find("resample", Some(viewer), "the same generator gives different states");
        }
        if hashes[0].0.is_some() && hashes[0].0 == hashes[2].0 {
            let detail =
                "another generator gives the same state: at least the episode's generator must be redrawn";
            book.find("resample", Some(viewer), detail);
        }
        if !stage.acting().is_empty() {
            let acts = stage.draw_actions(&spec.action, rng)?;
            if let Err(trouble) = stage.step(&acts) {
                book.trouble(&format!("a step after resampling for seat {viewer}"), trouble);
            }
        }
        stage.load(&here)?;
    }
    Ok(())
}
