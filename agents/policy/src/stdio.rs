//! Foreign players: a program that reads one JSON line a decision and writes one back.
//!
//! [`Protocol`] makes the lines and reads the answers, [`Wire`] carries them with a time limit, [`Program`] is a
//! player on a ladder: a child process behind the policy interface. `docs/SEAT.md` describes the lines.
//!
//! Observations come as named numbers. The environment's text is not visible to a policy, so only whoever holds
//! the environment (`agon seat`) can add it to a [`Decision`].

mod answer;
mod program;
mod wire;

pub use answer::Foul;
pub use program::Program;
pub use wire::Wire;

use rl_gym::{Bits, Dtype, DynEnv, Fault, Space, Spec};
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::time::Duration;

/// Version of the protocol. Keys are only ever added within a version.
pub const PROTOCOL: u32 = 1;
/// Time for a decision unless told otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The lines of one configured game.
#[derive(Clone, Debug)]
pub struct Protocol {
    spec: Spec,
    names: Vec<String>,
}

/// One decision to be asked for.
pub struct Decision<'a> {
    /// Match id.
    pub game: u64,
    /// Number of the decision, counting up over all matches of a connection.
    pub id: u64,
    /// The seat that decides.
    pub seat: usize,
    /// Its observation row.
    pub obs: &'a [u8],
    /// Its legal actions; empty without masks.
    pub mask: Bits<'a>,
    /// What it sees in words, where somebody knows.
    pub text: Option<&'a str>,
    /// What was played since its last decision, where everybody may see it.
    pub events: Option<&'a [Event]>,
    /// Time for the answer.
    pub limit: Duration,
}

/// An action that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Event {
    /// By whom.
    pub seat: usize,
    /// Its index.
    pub action: u32,
    /// Its name.
    pub name: String,
}

/// The end of a match.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct End {
    /// Match id.
    #[serde(rename = "match")]
    pub game: u64,
    /// The seat that is told.
    pub seat: usize,
    /// `won`, `truncated`, `forfeit` or `void`; absent where the teller does not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<&'static str>,
    /// Place of every seat, 0 best, equal numbers tied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<u8>,
    /// Points of every seat, where the game counts any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<f32>,
}

impl Protocol {
    /// The lines for the game of `env`, with the action names of its text form (indices where it has none).
    ///
    /// # Errors
    /// For an action that is not one choice of a list.
    pub fn of(env: &dyn DynEnv) -> Result<Self, Fault> {
        let Space::Discrete { n } = env.spec().action else {
            return Err(Fault::new(format!(
                "an action of {} is not one choice of a list, which is all that a foreign player can answer: \
                 seat a player of `agon games {}`",
                env.spec().id(),
                env.spec().game
            )));
        };
        let text = env.as_text();
        let name = |i| text.and_then(|t| t.action_name(i)).unwrap_or_else(|| i.to_string());
        Ok(Self { spec: env.spec().clone(), names: (0..n).map(name).collect() })
    }

    /// The first line of a connection: everything that does not change.
    pub fn hello(&self, limit: Duration) -> String {
        let parts = match &self.spec.obs {
            Space::Fields { fields, .. } => serde_json::to_value(fields),
            space => {
                serde_json::to_value([rl_gym::Field::new("value", &[space.len()], 0.0, most(space), "")])
            }
        };
        line(&serde_json::json!({
            "type": "hello",
            "protocol": PROTOCOL,
            "game": self.spec.id(),
            "seats": self.spec.seats,
            "observation": parts.unwrap_or_default(),
            "actions": self.names,
            "time_limit_s": limit.as_secs_f64(),
        }))
    }

    /// A match begins, or goes on at a program that was started anew. `seed` belongs to match and seat: a player
    /// that draws from it plays the same game again.
    pub fn start(&self, game: u64, seat: usize, seed: u32, resumed: bool) -> String {
        #[derive(Serialize)]
        struct Line {
            r#type: &'static str,
            r#match: u64,
            seat: usize,
            seats: usize,
            seed: u32,
            resumed: bool,
        }
        line(&Line { r#type: "start", r#match: game, seat, seats: self.spec.seats, seed, resumed })
    }

    /// A decision is due.
    pub fn decision(&self, asked: &Decision<'_>) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            r#type: &'static str,
            game: String,
            r#match: u64,
            id: u64,
            seat: usize,
            observation: Numbers<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            text: Option<&'a str>,
            legal: Vec<Legal<'a>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            events: Option<&'a [Event]>,
            time_limit_s: f64,
        }
        #[derive(Serialize)]
        struct Legal<'a> {
            index: usize,
            name: &'a str,
        }
        let legal = self.legal(asked.mask).map(|index| Legal { index, name: &self.names[index] }).collect();
        line(&Line {
            r#type: "decision",
            game: self.spec.id(),
            r#match: asked.game,
            id: asked.id,
            seat: asked.seat,
            observation: Numbers { space: &self.spec.obs, row: asked.obs },
            text: asked.text,
            legal,
            events: asked.events,
            time_limit_s: asked.limit.as_secs_f64(),
        })
    }

    /// A match is over.
    pub fn end(&self, end: &End) -> String {
        #[derive(Serialize)]
        struct Line<'a> {
            r#type: &'static str,
            #[serde(flatten)]
            end: &'a End,
        }
        line(&Line { r#type: "end", end })
    }

    /// The seat has forfeited a match, and why.
    pub fn error(&self, game: u64, why: &Foul) -> String {
        line(&serde_json::json!({ "type": "error", "match": game, "why": why.to_string() }))
    }

    /// Names of all actions, by index.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn legal<'a>(&self, mask: Bits<'a>) -> impl Iterator<Item = usize> + use<'a> {
        let all = if mask.is_empty() { self.names.len() } else { 0 };
        (0..all).chain(mask.ones())
    }
}

fn most(space: &Space) -> f64 {
    match space {
        Space::Discrete { n } => f64::from(n.saturating_sub(1)),
        Space::MultiDiscrete { n } => n.iter().map(|n| f64::from(n.saturating_sub(1))).fold(0.0, f64::max),
        Space::Fields { .. } => f64::INFINITY,
    }
}

/// One line of JSON, without its end.
fn line<T: Serialize>(value: &T) -> String {
    // Our own keys are strings and our numbers finite or null: nothing that JSON refuses.
    serde_json::to_string(value).unwrap_or_default()
}

/// An observation row as numbers by field name, each flat in row-major order.
struct Numbers<'a> {
    space: &'a Space,
    row: &'a [u8],
}

impl Serialize for Numbers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let dtype = self.space.dtype();
        let part = |start: usize, size: usize, single: bool| {
            let bytes = &self.row[start * dtype.size()..(start + size) * dtype.size()];
            Part { dtype, bytes, single }
        };
        let mut map = serializer.serialize_map(None)?;
        if let Space::Fields { .. } = self.space {
            for (start, field) in self.space.offsets() {
                map.serialize_entry(&field.name, &part(start, field.size(), field.shape.is_empty()))?;
            }
        } else {
            map.serialize_entry("value", &part(0, self.space.len(), false))?;
        }
        map.end()
    }
}

struct Part<'a> {
    dtype: Dtype,
    bytes: &'a [u8],
    single: bool,
}

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn some<S: Serializer, T: Serialize + Copy, const N: usize>(
            part: &Part<'_>,
            read: fn([u8; N]) -> T,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            let (chunks, _) = part.bytes.as_chunks::<N>();
            match chunks {
                [only] if part.single => read(*only).serialize(serializer),
                _ => serializer.collect_seq(chunks.iter().map(|c| read(*c))),
            }
        }
        match self.dtype {
            Dtype::U8 => some(self, u8::from_ne_bytes, serializer),
            Dtype::I32 => some(self, i32::from_ne_bytes, serializer),
            Dtype::U32 => some(self, u32::from_ne_bytes, serializer),
            Dtype::F32 => some(self, f32::from_ne_bytes, serializer),
            Dtype::F64 => some(self, f64::from_ne_bytes, serializer),
        }
    }
}
