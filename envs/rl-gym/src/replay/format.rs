//! The file: 8 bytes of magic, format number, lengths and a checksum, then the compressed body.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0..8 | `AGONRPLY` |
//! | 8..12 | format, now 1 |
//! | 12..16 | bytes of the body before compression |
//! | 16..20 | bytes of the body as stored |
//! | 20..36 | first half of the BLAKE3 hash of bytes 8..20 and the stored body |
//! | 36.. | the body: postcard, compressed by zstd |
//!
//! Numbers are little-endian. The body's type is private to this file, so that the format can stay while
//! [`Replay`] changes.

use super::{Annotation, Replay};
use crate::{batch::OnIllegal, error::GymError, options::Options, seed::SeedSequence};
use serde::{Deserialize, Serialize};
use std::path::Path;

const MAGIC: &[u8; 8] = b"AGONRPLY";
const FORMAT: u32 = 1;
const HEADER: usize = 36;
/// Largest body that is unpacked, in bytes: 64 million one-byte actions, far above any real episode.
const LARGEST: usize = 64 << 20;
const LEVEL: i32 = 19;

#[derive(Serialize, Deserialize)]
struct Body {
    game: String,
    version: u32,
    /// JSON: option values carry their kind in their spelling.
    options: String,
    entropy: u64,
    path: Vec<u32>,
    on_illegal: OnIllegal,
    seats: Vec<String>,
    ranks: Vec<u8>,
    annotations: Vec<Annotation>,
    steps: u32,
    every: u32,
    hashes: Vec<[u8; 8]>,
    acts: Vec<u8>,
    chance: Option<Vec<u8>>,
}

fn corrupt(what: &str, why: impl Into<String>) -> GymError {
    GymError::Corrupt { what: what.into(), why: why.into() }
}

fn checksum(header: &[u8], stored: &[u8]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(header).update(stored);
    let mut half = [0; 16];
    half.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    half
}

/// Wraps a body: compression, lengths, checksum.
fn seal(body: &[u8]) -> Result<Vec<u8>, GymError> {
    let failed = |e: std::io::Error| corrupt("the replay", format!("it cannot be compressed ({e})"));
    let stored = zstd::bulk::compress(body, LEVEL).map_err(failed)?;
    let mut bytes = MAGIC.to_vec();
    for number in [FORMAT, body.len() as u32, stored.len() as u32] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    let sum = checksum(&bytes[8..20], &stored);
    bytes.extend_from_slice(&sum);
    bytes.extend_from_slice(&stored);
    Ok(bytes)
}

/// Checks the wrapping and gives the body.
fn open(bytes: &[u8], what: &str) -> Result<Vec<u8>, GymError> {
    let len = bytes.len();
    if len < 8 || &bytes[..8] != MAGIC {
        let why = format!(
            "it does not begin with AGONRPLY, so it is not a replay ({len} bytes); give a file saved by agon"
        );
        return Err(corrupt(what, why));
    }
    if len < HEADER {
        return Err(corrupt(
            what,
            format!("it ends inside the header, after {len} of {HEADER} bytes; copy it again"),
        ));
    }
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let (format, raw, stored) = (number(8), number(12) as usize, number(16) as usize);
    if format != FORMAT {
        let why = format!(
            "it has format {format}, this build reads {FORMAT}; use a build that knows format {format}"
        );
        return Err(corrupt(what, why));
    }
    if len - HEADER != stored {
        let why = format!("its header promises {} bytes, it has {len}; copy it again", HEADER + stored);
        return Err(corrupt(what, why));
    }
    if bytes[20..HEADER] != checksum(&bytes[8..20], &bytes[HEADER..]) {
        return Err(corrupt(
            what,
            "its checksum does not match its content: some byte was changed; copy it again",
        ));
    }
    if raw > LARGEST {
        return Err(corrupt(
            what,
            format!("it claims {raw} bytes of content, more than the {LARGEST} allowed"),
        ));
    }
    zstd::bulk::decompress(&bytes[HEADER..], raw)
        .map_err(|e| corrupt(what, format!("its content cannot be unpacked ({e})")))
}

impl Replay {
    /// The bytes of a replay file.
    ///
    /// # Errors
    /// [`GymError::Corrupt`] when the replay is too large to write.
    pub fn save(&self) -> Result<Vec<u8>, GymError> {
        let failed = |e: String| corrupt("the replay", format!("it cannot be written ({e})"));
        let body = Body {
            game: self.game.clone(),
            version: self.version,
            options: serde_json::to_string(&self.options).map_err(|e| failed(e.to_string()))?,
            entropy: self.seed.entropy(),
            path: self.seed.path().to_vec(),
            on_illegal: self.on_illegal,
            seats: self.seats.clone(),
            ranks: self.ranks.clone(),
            annotations: self.annotations.clone(),
            steps: self.steps,
            every: self.every,
            hashes: self.hashes.iter().map(|hash| hash.to_le_bytes()).collect(),
            acts: self.acts.clone(),
            chance: self.chance.clone(),
        };
        let body = postcard::to_stdvec(&body).map_err(|e| failed(e.to_string()))?;
        if body.len() > LARGEST {
            return Err(failed(format!("{} bytes, at most {LARGEST} are allowed", body.len())));
        }
        seal(&body)
    }

    /// Reads the bytes of a replay file.
    ///
    /// # Errors
    /// [`GymError::Corrupt`], which says what is wrong with them.
    pub fn load(bytes: &[u8]) -> Result<Self, GymError> {
        Self::load_named(bytes, "the replay")
    }

    fn load_named(bytes: &[u8], what: &str) -> Result<Self, GymError> {
        let content = open(bytes, what)?;
        let wrong = |why: String| corrupt(what, format!("its content is not a replay: {why}"));
        let (body, rest): (Body, _) =
            postcard::take_from_bytes(&content).map_err(|e| wrong(e.to_string()))?;
        if !rest.is_empty() {
            return Err(wrong(format!("{} bytes follow its end", rest.len())));
        }
        if body.path.len() > 4 {
            return Err(wrong(format!("its seed has {} parts, at most 4 exist", body.path.len())));
        }
        let options: Options =
            serde_json::from_str(&body.options).map_err(|e| wrong(format!("options: {e}")))?;
        let seed = body.path.iter().fold(SeedSequence::new(body.entropy), |seed, key| seed.child(*key));
        Ok(Self {
            game: body.game,
            version: body.version,
            options,
            seed,
            on_illegal: body.on_illegal,
            seats: body.seats,
            ranks: body.ranks,
            annotations: body.annotations,
            steps: body.steps,
            every: body.every,
            hashes: body.hashes.into_iter().map(u64::from_le_bytes).collect(),
            acts: body.acts,
            chance: body.chance,
        })
    }

    /// Writes a replay file.
    ///
    /// # Errors
    /// [`GymError::Corrupt`] with the path and what the system said.
    pub fn save_file(&self, path: &Path) -> Result<(), GymError> {
        let failed = |e| corrupt(&path.display().to_string(), format!("it cannot be written ({e})"));
        std::fs::write(path, self.save()?).map_err(failed)
    }

    /// Reads a replay file.
    ///
    /// # Errors
    /// [`GymError::Corrupt`] with the path and what is wrong.
    pub fn load_file(path: &Path) -> Result<Self, GymError> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|e| corrupt(&name, e.to_string()))?;
        Self::load_named(&bytes, &name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Pcg64;

    /// Past the checksum: bytes that were sealed again after a change, as a malicious file would be.
    #[test]
    fn a_forged_body_is_refused_or_read_but_never_panics() {
        let replay = Replay {
            game: "none".into(),
            version: 1,
            options: Options::default(),
            seed: SeedSequence::new(7).child(1).child(2),
            on_illegal: OnIllegal::Report,
            seats: vec!["a".into(), "b".into()],
            ranks: vec![0, 1],
            annotations: vec![Annotation { step: 1, seat: None, text: "so".into() }],
            steps: 3,
            every: 2,
            hashes: vec![1, u64::MAX, 3],
            acts: vec![1, 2, 0x80, 1],
            chance: Some(vec![0, 1, 2, 0, 0]),
        };
        let saved = replay.save().expect("bytes");
        assert_eq!(Replay::load(&saved).expect("back"), replay);
        let body = open(&saved, "it").expect("a body");
        let mut rng = Pcg64::seed(4);
        let mut refused = 0;
        for _ in 0..2000 {
            let mut forged = body.clone();
            for _ in 0..=rng.below(3) {
                let at = rng.below(forged.len() as u32) as usize;
                forged[at] = rng.next_u32() as u8;
            }
            forged.truncate(forged.len() - (rng.below(4) / 3) as usize);
            match Replay::load(&seal(&forged).expect("sealed")) {
                Ok(odd) => assert!(odd.checkpoints().count() <= 300),
                Err(GymError::Corrupt { .. }) => refused += 1,
                Err(other) => panic!("{other}"),
            }
        }
        assert!(refused > 200, "{refused}");
    }
}
