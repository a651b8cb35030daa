//! What is wrong with a skill.

use std::path::PathBuf;

/// What is wrong with a skill, where, and what mends it.
#[derive(Debug, thiserror::Error)]
pub enum SkillError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}: {what}: {mend}")]
    Form {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the value seen.
        what: String,
        /// What to do.
        mend: String,
    },
    /// A contract or parameter says something that the game's words do not cover.
    #[error("skill {skill}: {field}: {what}: {mend}")]
    Words {
        /// Name of the skill.
        skill: String,
        /// The field, as a path.
        field: String,
        /// What is wrong, with the value seen.
        what: String,
        /// What to do.
        mend: String,
    },
    /// A skill calls a tool that is not there.
    #[error("skill {skill}: its tool \"{name}\" (hash {hash}) {why}: put that tool into the same bank")]
    Tool {
        /// Name of the skill.
        skill: String,
        /// The name by which it calls the tool.
        name: String,
        /// Hash of the tool.
        hash: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The hash in `skill.json` is not that of the contents.
    #[error(
        "skill {skill}: its contents hash to {found}, skill.json says {stated}: it was edited; gate it as a new version"
    )]
    Hash {
        /// Name of the skill.
        skill: String,
        /// The hash in the file.
        stated: String,
        /// The hash of the contents.
        found: String,
    },
}
