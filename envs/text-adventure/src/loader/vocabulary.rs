//! Conditions and effects of a story file in the vocabulary of the rules.

use super::{
    build::{Builder, Outcome},
    file::{CondFile, EffectFile},
};
use crate::{
    condition::{Cond, Pred, Term},
    effect::Effect,
};

impl Builder<'_> {
    pub(super) fn topic(&self, path: &[&str], name: &str) -> Outcome<u8> {
        self.index(path, "topic", name, self.topics.iter().map(String::as_str).collect())
    }

    fn term(&self, path: &[&str], word: &str) -> Outcome<Term> {
        Ok(match word {
            "me" => Term::Me,
            "here" => Term::Here,
            "a" => Term::A,
            "b" => Term::B,
            "nowhere" => Term::Nowhere,
            key => Term::Ent(self.entity(path, key)?),
        })
    }

    pub(super) fn conds(&self, path: &[&str], conds: &[CondFile]) -> Outcome<Vec<Cond>> {
        conds.iter().map(|c| self.cond(path, c)).collect()
    }

    fn cond(&self, path: &[&str], cond: &CondFile) -> Outcome<Cond> {
        let term = |word: &str| self.term(path, word);
        let pred = match cond {
            CondFile::Not(inner) => {
                let inner = self.cond(path, inner)?;
                return Ok(Cond { want: !inner.want, ..inner });
            }
            CondFile::Held(x) => Pred::At(term(x)?, Term::Me),
            CondFile::Here(x) => Pred::At(Term::Me, term(x)?),
            CondFile::At(x, y) => Pred::At(term(x)?, term(y)?),
            CondFile::Within(x, y) => Pred::Within(term(x)?, term(y)?),
            CondFile::Is(x, attr) => Pred::Is(term(x)?, self.attr(path, attr)?),
            CondFile::Has(x, bit) => Pred::Has(term(x)?, self.bit(path, bit)?),
            CondFile::Flag(name) => Pred::Flag(self.flag(path, name)?),
            CondFile::AtLeast(name, n) => Pred::AtLeast(self.counter(path, name)?, *n),
            CondFile::Learned(name) => Pred::Learned(self.topic(path, name)?),
            CondFile::Visible(x) => Pred::Visible(term(x)?),
            CondFile::Reachable(x) => Pred::Reachable(term(x)?),
            CondFile::Lit => Pred::Lit,
            CondFile::Same(x, y) => Pred::Same(term(x)?, term(y)?),
            CondFile::Turn(n) => Pred::Turn(*n),
            CondFile::Score(n) => Pred::Score(*n),
        };
        Ok(Cond::yes(pred))
    }

    pub(super) fn effects(&self, path: &[&str], effects: &[EffectFile]) -> Outcome<Vec<Effect>> {
        effects.iter().map(|e| self.effect(path, e)).collect()
    }

    fn effect(&self, path: &[&str], effect: &EffectFile) -> Outcome<Effect> {
        let term = |word: &str| self.term(path, word);
        Ok(match effect {
            EffectFile::Move(x, y) => Effect::Move(term(x)?, term(y)?),
            EffectFile::Vanish(x) => Effect::Vanish(term(x)?),
            EffectFile::Replace(x, y) => Effect::Replace(term(x)?, term(y)?),
            EffectFile::Set(bit, x) => Effect::Set(self.bit(path, bit)?, term(x)?),
            EffectFile::Clear(bit, x) => Effect::Clear(self.bit(path, bit)?, term(x)?),
            EffectFile::Reveal(x) => Effect::Reveal(term(x)?),
            EffectFile::Raise(flag) => Effect::Flag(self.flag(path, flag)?, true),
            EffectFile::Lower(flag) => Effect::Flag(self.flag(path, flag)?, false),
            EffectFile::Count(counter, n) => Effect::Count(self.counter(path, counter)?, *n),
            EffectFile::Add(counter, n) => Effect::Add(self.counter(path, counter)?, *n),
            EffectFile::Score(n) => Effect::Score(*n),
            EffectFile::Win => Effect::Win,
            EffectFile::Lose => Effect::Lose,
        })
    }
}
