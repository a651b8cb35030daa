//! The skills that an agent has at hand.

use crate::TrialError;
use agon_skill::{Kind, Skill};
use agon_skill_runtime::Prepared;
use rl_gym::{Game, Spec, Vocabulary};
use std::{collections::BTreeMap, sync::Arc};

/// Skills at hand, in the order in which they are offered, with the words that they are written in.
#[derive(Clone)]
pub struct Kit {
    skills: Vec<Arc<Prepared>>,
    words: Arc<dyn Vocabulary>,
}

impl std::fmt::Debug for Kit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.skills).finish()
    }
}

impl Kit {
    /// The options and policies among `skills`, with the tools among them that they call. Values do not act and are left
    /// out.
    ///
    /// # Errors
    /// A skill that does not fit the game; a tool that is missing; a game without words.
    pub fn new(
        game: &Game,
        spec: &Spec,
        skills: impl IntoIterator<Item = Skill>,
    ) -> Result<Self, TrialError> {
        let words = game
            .vocabulary
            .ok_or_else(|| TrialError::Request(format!("{} has no words for skills", game.id())))?(
            spec
        );
        let id = game.id();
        let skills: Vec<Skill> = skills.into_iter().collect();
        let tools: BTreeMap<String, Arc<Skill>> = skills
            .iter()
            .filter(|s| s.kind == Kind::Tool)
            .map(|s| (s.content_hash(), Arc::new(s.clone())))
            .collect();
        let skills = skills
            .into_iter()
            .filter(|s| matches!(s.kind, Kind::Option | Kind::Policy))
            .map(|s| {
                Ok(Arc::new(Prepared::with_tools(s, &id, words.clone(), |hash| tools.get(hash).cloned())?))
            })
            .collect::<Result<_, TrialError>>()?;
        Ok(Self { skills, words })
    }

    /// The skills.
    pub fn skills(&self) -> &[Arc<Prepared>] {
        &self.skills
    }

    /// Their words.
    pub fn words(&self) -> &Arc<dyn Vocabulary> {
        &self.words
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.skills.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.skills.is_empty()
    }

    /// The same kit with one more skill, which is offered first.
    #[must_use]
    pub fn with(&self, skill: Arc<Prepared>) -> Self {
        let skills = std::iter::once(skill).chain(self.skills.iter().cloned()).collect();
        Self { skills, words: self.words.clone() }
    }

    /// The same kit without the skill of this hash.
    #[must_use]
    pub fn without(&self, hash: &str) -> Self {
        let skills = self.skills.iter().filter(|s| s.skill().hash != hash).cloned().collect();
        Self { skills, words: self.words.clone() }
    }
}
