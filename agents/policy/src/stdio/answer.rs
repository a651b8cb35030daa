//! Answers of foreign players, and everything that can be wrong with them.

use super::Protocol;
use rl_gym::{Bits, suggest};
use serde_json::Value;

/// Why a foreign player forfeits its match. The text is made from the fields.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Foul {
    /// Not a JSON object.
    #[error("the answer {answer} is not a JSON object ({why}): answer one line such as {{\"action\": 0}}")]
    NotJson {
        /// The line, shortened.
        answer: String,
        /// What the parser said.
        why: String,
    },
    /// An object without an action.
    #[error(
        "the answer {answer} names no action: give \"action\" the index or the name of a legal action, \
         such as {{\"action\": 0}}"
    )]
    NoAction {
        /// The line, shortened.
        answer: String,
    },
    /// An action that is not in the game at all.
    #[error("no action is called {action}{}: use an index or a name of \"legal\"", hint(.nearest))]
    Unknown {
        /// The action as given.
        action: String,
        /// The most similar legal name.
        nearest: Option<String>,
    },
    /// An action that is illegal now.
    #[error("action {action} ({name}) is illegal here. {} legal actions: {}", .legal.len(), shown(.legal))]
    Illegal {
        /// Index.
        action: u32,
        /// Name.
        name: String,
        /// What would be legal.
        legal: Vec<usize>,
    },
    /// An answer to a decision that was not asked for.
    #[error(
        "the answer is to decision {id}, asked was {asked}: leave \"id\" out or repeat that of the decision"
    )]
    OtherDecision {
        /// Id in the answer.
        id: u64,
        /// Id of the decision.
        asked: u64,
    },
    /// A line without end.
    #[error("the answer is longer than {most} bytes: answer one short line")]
    TooLong {
        /// Most bytes of a line.
        most: usize,
    },
    /// No answer in time.
    #[error("no answer within {seconds} s: answer sooner or allow more with --time-limit")]
    Late {
        /// The limit.
        seconds: f64,
    },
    /// No more lines will come.
    #[error("the player has closed its side: keep reading until the input ends")]
    Closed,
    /// The program cannot be run.
    #[error("{program} cannot be started ({why}): name a program that is there and may be run")]
    NotStarted {
        /// The program.
        program: String,
        /// What the system said.
        why: String,
    },
}

fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |n| format!(" (nearest legal: \"{n}\")"))
}

fn shown(legal: &[usize]) -> String {
    const MOST: usize = 12;
    let mut text: Vec<String> = legal.iter().take(MOST).map(ToString::to_string).collect();
    if legal.len() > MOST {
        text.push("..".into());
    }
    text.join(", ")
}

/// An answer, understood as far as its form goes.
pub(super) struct Answer {
    /// The decision that it is to, where it says so.
    pub(super) id: Option<u64>,
    action: Value,
}

impl Answer {
    /// # Errors
    /// [`Foul::NotJson`] and [`Foul::NoAction`].
    pub(super) fn read(line: &str) -> Result<Self, Foul> {
        let not_json = |why: String| Foul::NotJson { answer: short(line), why };
        let value: Value = serde_json::from_str(line).map_err(|e| not_json(e.to_string()))?;
        let Value::Object(mut fields) = value else { return Err(not_json("it is another value".into())) };
        let id = fields.get("id").and_then(Value::as_u64);
        match fields.remove("action") {
            Some(action @ (Value::Number(_) | Value::String(_))) => Ok(Self { id, action }),
            _ => Err(Foul::NoAction { answer: short(line) }),
        }
    }
}

/// The line as a quoted string of at most 60 characters.
fn short(line: &str) -> String {
    let mut text: String = line.chars().take(60).collect();
    if text.len() < line.len() {
        text.push_str("..");
    }
    format!("{text:?}")
}

impl Protocol {
    /// The action that an answer line means under `mask`.
    ///
    /// # Errors
    /// The [`Foul`] by which the seat forfeits.
    pub fn read(&self, line: &str, mask: Bits<'_>) -> Result<u32, Foul> {
        self.choose(&Answer::read(line)?, mask)
    }

    pub(super) fn choose(&self, answer: &Answer, mask: Bits<'_>) -> Result<u32, Foul> {
        let index = match &answer.action {
            Value::String(name) => self.names.iter().position(|n| n == name),
            number => number.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n < self.names.len()),
        };
        let legal: Vec<usize> = self.legal(mask).collect();
        let Some(index) = index else {
            let names: Vec<String> = legal.iter().map(|i| self.names[*i].clone()).collect();
            let nearest = answer.action.as_str().and_then(|name| suggest(name, &names)).cloned();
            return Err(Foul::Unknown { action: answer.action.to_string(), nearest });
        };
        if !legal.contains(&index) {
            return Err(Foul::Illegal { action: index as u32, name: self.names[index].clone(), legal });
        }
        Ok(index as u32)
    }
}
