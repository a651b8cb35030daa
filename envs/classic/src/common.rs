//! What the four games share: stable state hashes and reading an action's name.

use rl_gym::{Decisions, Fault, ParseError, Policy, suggest};
use std::hash::{Hash, Hasher};

/// Feeds `Hash` values to BLAKE3, so that a state hash is the same in every build and on every machine.
struct Stable(blake3::Hasher);

impl Hasher for Stable {
    fn finish(&self) -> u64 {
        let mut first = [0; 8];
        first.copy_from_slice(&self.0.finalize().as_bytes()[..8]);
        u64::from_le_bytes(first)
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
}

/// A hash that depends on the value alone.
pub(crate) fn stable_hash(state: &impl Hash) -> u64 {
    let mut hasher = Stable(blake3::Hasher::new());
    state.hash(&mut hasher);
    hasher.finish()
}

/// The action among `legal` that `text` names; upper case and blanks around it do not matter.
pub(crate) fn parse_name(text: &str, legal: &[(u32, String)]) -> Result<u32, ParseError> {
    let wanted = text.trim().to_lowercase();
    if let Some((action, _)) = legal.iter().find(|(_, name)| *name == wanted) {
        return Ok(*action);
    }
    let names: Vec<String> = legal.iter().map(|(_, name)| name.clone()).collect();
    let mend = if names.is_empty() {
        "this seat is not to act now".to_owned()
    } else {
        format!("say one of: {}", names.join(", "))
    };
    Err(ParseError { text: text.into(), nearest: suggest(&wanted, &names).cloned(), mend })
}

/// A policy that decides each row by itself, from its observation and its generator.
pub(crate) struct Each<F>(pub(crate) F);

impl<F: FnMut(&mut rl_gym::Ask<'_>) -> u32 + Send> Policy for Each<F> {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            let action = (self.0)(&mut ask);
            ask.choose(action);
        }
        Ok(())
    }
}
