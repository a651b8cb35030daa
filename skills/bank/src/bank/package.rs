//! A bank as one file, and what another bank takes from it.

use super::{Arrival, Bank, Proposal, files};
use crate::{
    BankError,
    evidence::{Evidence, Gate},
    gates::static_gate,
    lifecycle::State,
};
use agon_skill::{Kind, Proposer, Skill};
use serde::{Deserialize, Serialize};
use std::{fs, io::Read, path::Path};

/// First bytes of a file.
const MAGIC: &[u8] = b"agonbank1\n";
/// Length of the hash that follows them.
const HASH: usize = 32;
/// Bytes of contents that are read at most.
const MOST: u64 = 256 << 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Package {
    game: String,
    vocabulary: u32,
    skills: Vec<Packed>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Packed {
    skill: Skill,
    code: String,
    ir: Option<String>,
    state: State,
    evidence: Vec<Evidence>,
}

/// What became of the skills of a file, by name; each list in the order of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Imported {
    /// Content hashes of those that are new here, with where they stand.
    pub added: Vec<(String, State)>,
    /// Names of those that were here already.
    pub known: Vec<String>,
    /// Names of those that cannot be used here, and why.
    pub refused: Vec<(String, String)>,
}

impl Bank {
    /// Writes the skills that stand at one of `states` with their evidence into one file, and tells how many they
    /// are.
    ///
    /// # Errors
    /// When evidence is missing or was changed, or the file cannot be written.
    pub fn export(&self, path: &Path, states: &[State]) -> Result<usize, BankError> {
        let is_wanted = |e: &&super::Entry| states.contains(&e.state);
        let wanted =
            self.with_tools(self.entries().filter(is_wanted).filter_map(|e| e.skill.clone()).collect());
        let mut skills = Vec::new();
        // Tools first: whoever calls them is checked with them.
        let is_tool = |skill: &&Skill| skill.kind == Kind::Tool;
        for skill in wanted.iter().filter(is_tool).chain(wanted.iter().filter(|s| !is_tool(s))) {
            let entry = self.entry(&skill.hash)?;
            let ir = fs::read_to_string(self.place(entry).join("ir.json")).ok();
            let skill = Skill { stats: entry.stats.clone(), ..skill.clone() };
            let code = skill.code.clone();
            let evidence = self.evidence(&entry.hash)?;
            skills.push(Packed { skill, code, ir, state: entry.state, evidence });
        }
        let count = skills.len();
        let package = Package { game: self.facts.game.clone(), vocabulary: self.facts.vocabulary, skills };
        let text = serde_json::to_vec(&package).map_err(|e| files::form(path, e, "report this"))?;
        let body = zstd::encode_all(text.as_slice(), 9).map_err(files::file(path))?;
        files::write(path, &[MAGIC, blake3::hash(&body).as_bytes(), &body].concat())?;
        Ok(count)
    }

    /// Takes the skills of a file. They arrive as candidates that have passed G0. With `keep`, those that were active
    /// there with evidence that holds arrive suspended instead, evidence and all: G1 to G3 here make them active.
    ///
    /// A skill that is here already is left out; a name that is taken gives a new version.
    /// # Errors
    /// When the file is none of these, was changed, is for another game, or a file here cannot be written.
    pub fn import(&mut self, path: &Path, keep: bool) -> Result<Imported, BankError> {
        let package = read(path)?;
        if package.game != self.facts.game {
            let what = format!("it holds skills for {}", package.game);
            return Err(files::form(path, what, &format!("give a file for {}", self.facts.game)));
        }
        let mut out = Imported::default();
        for packed in package.skills {
            let Packed { mut skill, code, ir, state, evidence } = packed;
            skill.code = code;
            let name = skill.name.clone();
            let old = skill.content_hash();
            if let Err(why) = sound(&skill, &old, &evidence) {
                out.refused.push((name, why.to_string()));
                continue;
            }
            if let Err(why) = skill.check(&self.facts.game, &*self.words) {
                out.refused.push((name, why.to_string()));
                continue;
            }
            if let Some((tool, hash)) = skill.tools.iter().find(|(_, hash)| self.tool(hash).is_none()) {
                out.refused.push((name, format!("its tool {tool} ({hash}) is neither here nor in the file")));
                continue;
            }
            skill.provenance.proposer = Proposer::Transfer;
            skill.provenance.parents = vec![old];
            let passed = |gate: Gate| evidence.iter().any(|piece| piece.gate() == gate && piece.passed());
            let was_active = state == State::Active
                && [Gate::Replay, Gate::Contract, Gate::Uplift].into_iter().all(passed);
            let (here, kept) =
                if keep && was_active { (State::Suspended, evidence) } else { (State::Draft, Vec::new()) };
            let hashes = kept.iter().map(Evidence::hash).collect();
            let how = Arrival::Imported { state, evidence: hashes };
            match self.arrive(skill.clone(), ir.as_deref(), here, how, &kept)? {
                Proposal::Known(_) => out.known.push(name),
                Proposal::New(hash) if here == State::Draft => {
                    let evidence = static_gate(self, self.skill(&hash)?)?;
                    let state = self.present(&hash, &[evidence])?;
                    out.added.push((hash, state));
                }
                Proposal::New(hash) => out.added.push((hash, here)),
            }
        }
        Ok(out)
    }
}

/// Whether a packed skill is what it says.
fn sound(skill: &Skill, hash: &str, evidence: &[Evidence]) -> Result<(), BankError> {
    if skill.hash != hash {
        let (skill, stated, found) = (skill.name.clone(), skill.hash.clone(), hash.to_owned());
        return Err(agon_skill::SkillError::Hash { skill, stated, found }.into());
    }
    for piece in evidence {
        piece.verify()?;
        if piece.skill() != hash {
            return Err(BankError::Evidence {
                gate: piece.gate().to_string(),
                skill: hash.into(),
                what: format!("it is about {}", piece.skill()),
                mend: "export the skill again".into(),
            });
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Package, BankError> {
    let bytes = fs::read(path).map_err(files::file(path))?;
    let wrong = |what: String| files::form(path, what, "export the bank again, or take the file from a copy");
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| wrong("this is no exported bank".into()))?;
    let (hash, body) = rest.split_at_checked(HASH).ok_or_else(|| wrong("it ends too early".into()))?;
    if blake3::hash(body).as_bytes() != hash {
        return Err(wrong("its contents are not what was written: it was cut or changed".into()));
    }
    let decoder = zstd::Decoder::new(body).map_err(files::file(path))?;
    let mut text = Vec::new();
    decoder.take(MOST + 1).read_to_end(&mut text).map_err(files::file(path))?;
    if text.len() as u64 > MOST {
        return Err(wrong(format!("its contents exceed {MOST} bytes")));
    }
    serde_json::from_slice(&text).map_err(|e| wrong(e.to_string()))
}
