//! The life of a skill: where it may go, and what must be shown for it.

use crate::{
    BankError,
    evidence::{Evidence, Figures, Gate},
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a skill stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Proposed, not yet looked at.
    Draft,
    /// It compiles; waits for its gates.
    Candidate,
    /// Admitted; proposed but not carried out.
    Shadow,
    /// Carried out at some of its chances.
    Provisional,
    /// In use.
    Active,
    /// Out of use until it passes its gates again.
    Suspended,
    /// Out of use for good, unless the bank goes back.
    Retired,
    /// It failed a gate.
    Rejected,
    /// Out of use because the bank went back to a time before it.
    RolledBack,
}

impl State {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Draft,
        Self::Candidate,
        Self::Shadow,
        Self::Provisional,
        Self::Active,
        Self::Suspended,
        Self::Retired,
        Self::Rejected,
        Self::RolledBack,
    ];

    /// Its word, as in the files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Candidate => "candidate",
            Self::Shadow => "shadow",
            Self::Provisional => "provisional",
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Retired => "retired",
            Self::Rejected => "rejected",
            Self::RolledBack => "rolled_back",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One move: `from` to `to` when every gate of `gates` has the decision `passed` (any of them, for a failure).
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// From where.
    pub from: State,
    /// To where.
    pub to: State,
    /// What must be shown.
    pub gates: &'static [Gate],
    /// Whether the gates are passed or failed.
    pub passed: bool,
}

const fn pass(from: State, gates: &'static [Gate], to: State) -> Move {
    Move { from, to, gates, passed: true }
}

const fn fail(from: State, gates: &'static [Gate], to: State) -> Move {
    Move { from, to, gates, passed: false }
}

const ADMISSION: &[Gate] = &[Gate::Replay, Gate::Contract, Gate::Uplift, Gate::Multiple, Gate::Regression];
const AGAIN: &[Gate] = &[Gate::Replay, Gate::Contract, Gate::Uplift];

/// Every move that there is.
pub const MOVES: &[Move] = &{
    use State::{Active, Candidate, Draft, Provisional, Rejected, Retired, RolledBack, Suspended};
    [
        pass(Draft, &[Gate::Static], Candidate),
        pass(Candidate, ADMISSION, State::Shadow),
        pass(State::Shadow, &[Gate::Shadow], Provisional),
        pass(Provisional, &[Gate::Probation], Active),
        pass(Suspended, AGAIN, Active),
        fail(Draft, &[Gate::Static], Rejected),
        fail(Candidate, ADMISSION, Rejected),
        fail(State::Shadow, &[Gate::Shadow], Rejected),
        fail(Provisional, &[Gate::Probation], Rejected),
        fail(Active, &[Gate::Watch], Suspended),
        fail(Suspended, AGAIN, Retired),
        // Its words mean something else now. What was not active yet begins anew, as a new version.
        pass(Active, &[Gate::Version], Suspended),
        pass(Draft, &[Gate::Version], Rejected),
        pass(Candidate, &[Gate::Version], Rejected),
        pass(State::Shadow, &[Gate::Version], Rejected),
        pass(Provisional, &[Gate::Version], Rejected),
        pass(Active, &[Gate::Retirement], Retired),
        pass(Suspended, &[Gate::Retirement], Retired),
        pass(Active, &[Gate::Rollback], RolledBack),
        pass(RolledBack, &[Gate::Restore], Active),
        pass(Retired, &[Gate::Restore], Active),
        pass(Draft, &[Gate::Order], Rejected),
        pass(Candidate, &[Gate::Order], Rejected),
        pass(State::Shadow, &[Gate::Order], Rejected),
        pass(Provisional, &[Gate::Order], Rejected),
        pass(Active, &[Gate::Order], Retired),
        pass(Suspended, &[Gate::Order], Retired),
    ]
};

/// Where the skill with this content hash goes from `state` on this evidence. Decisions are made again from the
/// figures, and all of it must be about this skill. There is no other way to a new state.
///
/// # Errors
/// [`BankError::Move`] when the table has no such move, with those that it has; [`BankError::Evidence`] for evidence
/// about another skill, or that contradicts itself.
pub fn next(state: State, skill: &str, evidence: &[Evidence]) -> Result<State, BankError> {
    let mut passed = Vec::new();
    let mut failed = Vec::new();
    for piece in evidence {
        if piece.skill() != skill {
            let what = format!("it is about {}", piece.skill());
            return Err(wrong(piece, skill, what, "give evidence about this skill"));
        }
        let list = if piece.verify()? { &mut passed } else { &mut failed };
        list.push(piece.gate());
    }
    same_e_value(skill, evidence)?;
    let fits = |rule: &&Move| {
        rule.from == state
            && if rule.passed {
                failed.is_empty() && rule.gates.iter().all(|gate| passed.contains(gate))
            } else {
                rule.gates.iter().any(|gate| failed.contains(gate))
            }
    };
    if let Some(rule) = MOVES.iter().find(fits) {
        return Ok(rule.to);
    }
    let ways: Vec<String> = MOVES.iter().filter(|rule| rule.from == state).map(Move::to_string).collect();
    let list =
        |gates: &[Gate], what: &str| gates.iter().map(|gate| format!("{gate} {what}")).collect::<Vec<_>>();
    let seen = [list(&passed, "passed"), list(&failed, "failed")].concat();
    Err(BankError::Move {
        skill: skill.into(),
        state: state.to_string(),
        evidence: if seen.is_empty() { "no evidence".into() } else { seen.join(", ") },
        mend: if ways.is_empty() { "that is final".into() } else { format!("it moves {}", ways.join("; ")) },
    })
}

/// The e-value that was compared with those of the round is the one of the pairs.
fn same_e_value(skill: &str, evidence: &[Evidence]) -> Result<(), BankError> {
    let find = |gate| evidence.iter().find(|piece| piece.gate() == gate);
    let (Some(uplift), Some(multiple)) = (find(Gate::Uplift), find(Gate::Multiple)) else { return Ok(()) };
    let (Figures::Uplift(pairs), Figures::Multiple(round)) = (uplift.figures(), multiple.figures()) else {
        return Ok(());
    };
    let (own, said) = (pairs.e()?, round.e_values.get(skill).copied().unwrap_or_default());
    if (own - said).abs() <= 1e-6 * own.abs().max(1.0) {
        return Ok(());
    }
    let what = format!("it gives the e-value {said}, the pairs give {own}");
    Err(wrong(multiple, skill, what, "run the round again"))
}

fn wrong(piece: &Evidence, skill: &str, what: String, mend: &str) -> BankError {
    BankError::Evidence { gate: piece.gate().to_string(), skill: skill.into(), what, mend: mend.into() }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gates: Vec<&str> = self.gates.iter().map(|gate| gate.word()).collect();
        let (join, what) = if self.passed { (" and ", "passed") } else { (" or ", "failed") };
        write!(f, "to {} with {} {what}", self.to, gates.join(join))
    }
}
