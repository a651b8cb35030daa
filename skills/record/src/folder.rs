//! A skill as a folder: `skill.json` and `main.luau`.

use crate::{Skill, SkillError};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

const RECORD: &str = "skill.json";
const CODE: &str = "main.luau";

/// Writes a skill into `folder`, which is made if need be. Each file replaces its old self in one step.
///
/// # Errors
/// When a file cannot be written.
pub fn save(folder: &Path, skill: &Skill) -> Result<(), SkillError> {
    let skill = Skill { hash: skill.content_hash(), ..skill.clone() };
    let mut record = serde_json::to_string_pretty(&skill).map_err(|e| form(folder.join(RECORD), &e))?;
    record.push('\n');
    let file = |path: PathBuf| move |source: io::Error| SkillError::File { path, source };
    fs::create_dir_all(folder).map_err(file(folder.into()))?;
    for (name, text) in [(CODE, &skill.code), (RECORD, &record)] {
        let (path, fresh) = (folder.join(name), folder.join(format!("{name}.new")));
        fs::write(&fresh, text).map_err(file(fresh.clone()))?;
        fs::rename(&fresh, &path).map_err(file(path))?;
    }
    Ok(())
}

/// Reads the skill in `folder`. The hash must be that of the contents.
///
/// # Errors
/// When a file is missing or is not what it should be, with the place.
pub fn load(folder: &Path) -> Result<Skill, SkillError> {
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read_to_string(&path).map_err(|source| SkillError::File { path, source })
    };
    let mut skill: Skill = serde_json::from_str(&read(RECORD)?).map_err(|e| form(folder.join(RECORD), &e))?;
    skill.code = read(CODE)?;
    let found = skill.content_hash();
    if skill.hash != found {
        return Err(SkillError::Hash { skill: skill.name, stated: skill.hash, found });
    }
    Ok(skill)
}

fn form(path: PathBuf, error: &serde_json::Error) -> SkillError {
    let mend = "compare it with a skill that loads, or write it anew with the program".into();
    SkillError::Form { path, what: error.to_string(), mend }
}
