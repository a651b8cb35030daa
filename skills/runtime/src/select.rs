//! Conditions and weights of a selector, written as text: compiled once, then known by their text.

use crate::view::{Aspect, View};
use std::sync::Arc;

/// Ranges that the aspects of an action must be in.
pub(crate) type Ranges = Arc<[(Aspect, (f32, f32))]>;
/// Weights of aspects.
pub(crate) type Weights = Arc<[(Aspect, f32)]>;

/// Texts that are known at most. A skill has a few; one that makes up ever new ones gains nothing.
const MOST: usize = 64;

/// What texts were compiled to, by verb and text.
pub(crate) struct Known<T>(Vec<(u16, String, Arc<[T]>)>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Known<T> {
    fn find(&self, verb: u16, text: &str) -> Option<Arc<[T]>> {
        self.0.iter().find(|(v, t, _)| *v == verb && t == text).map(|(.., compiled)| compiled.clone())
    }

    fn keep(&mut self, verb: u16, text: &str, compiled: Vec<T>) -> Arc<[T]> {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        let compiled: Arc<[T]> = compiled.into();
        self.0.push((verb, text.to_owned(), compiled.clone()));
        compiled
    }
}

/// The least number above any that a condition "below" allows, as the tables of `ctx.pick` have it.
const NOT: (f32, f32) = (f32::MIN, 0.49);
const YES: (f32, f32) = (0.5, f32::MAX);

impl View {
    /// What `text` wants: `portable, not fixed, worth >= 2, 1 <= size <= 3, kind = 4`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn ranges(&mut self, verb: u16, text: &str) -> Result<Ranges, String> {
        if let Some(known) = self.wants.find(verb, text) {
            return Ok(known);
        }
        let parts = text.split(',').map(|part| self.range(verb, part)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.wants.keep(verb, text, sorted(parts)))
    }

    /// How `text` weighs: `worth - 0.5 size + 2 2.near`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn weights(&mut self, verb: u16, text: &str) -> Result<Weights, String> {
        if let Some(known) = self.weighs.find(verb, text) {
            return Ok(known);
        }
        let mut weights = Vec::new();
        let (mut sign, mut number, mut has_sign) = (1.0, None, true);
        for token in text.split_whitespace() {
            match token {
                "+" | "-" if !has_sign && number.is_none() || weights.is_empty() && number.is_none() => {
                    sign = if token == "-" { -sign } else { sign };
                    has_sign = true;
                }
                _ if !has_sign => {
                    return Err(format!("\"{token}\" in \"{text}\" stands where + or - belongs"));
                }
                _ => match (token.parse::<f32>(), number) {
                    (Ok(x), None) if x.is_finite() => number = Some(x),
                    _ => {
                        let weight = sign * number.take().unwrap_or(1.0);
                        weights.push((self.named(verb, token)?, weight));
                        (sign, has_sign) = (1.0, false);
                    }
                },
            }
        }
        if has_sign || number.is_some() {
            return Err(format!("\"{text}\" ends where a feature belongs: say \"worth - 0.5 size\""));
        }
        Ok(self.weighs.keep(verb, text, sorted(weights)))
    }

    fn range(&self, verb: u16, part: &str) -> Result<(Aspect, (f32, f32)), String> {
        let tokens: Vec<&str> = part.split_whitespace().collect();
        let number = |text: &str| {
            text.parse::<f32>()
                .ok()
                .filter(|x| x.is_finite())
                .ok_or_else(|| format!("\"{text}\" is no number"))
        };
        let (name, range) = match tokens[..] {
            [name] => (name, YES),
            ["not", name] => (name, NOT),
            [name, ">=", x] => (name, (number(x)?, f32::MAX)),
            [name, "<=", x] => (name, (f32::MIN, number(x)?)),
            [name, "=", x] => (name, (number(x)? - 0.5, number(x)? + 0.5)),
            [low, "<=", name, "<=", high] => (name, (number(low)?, number(high)?)),
            _ => {
                return Err(format!(
                    "\"{}\" is no condition: say \"portable\", \"not portable\", \"worth >= 2\", \"worth = 2\" or \
                     \"1 <= size <= 3\", with commas between",
                    part.trim()
                ));
            }
        };
        Ok((self.named(verb, name)?, range))
    }

    /// What `name` says of the arguments of a verb.
    ///
    /// # Errors
    /// When it says nothing.
    pub(crate) fn named(&self, verb: u16, name: &str) -> Result<Aspect, String> {
        self.aspect(verb, name).ok_or_else(|| {
            let verb = self.verb_name(verb);
            format!(
                "\"{name}\" is no feature of \"{verb}\": say \"worth\", or \"2.worth\" of a second argument"
            )
        })
    }
}

/// In the order of the features: sums do not depend on how they were written.
fn sorted<T>(mut parts: Vec<(Aspect, T)>) -> Vec<(Aspect, T)> {
    parts.sort_by_key(|(aspect, _)| *aspect);
    parts
}
