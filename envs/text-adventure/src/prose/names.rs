//! Names with articles, pronouns, endings, numbers, plurals and lists.

use super::{
    sentences::Prose,
    template::{Fill, Form, is_plural},
};
use crate::{
    action::Dir,
    entity::Attr,
    set::{Ent, NONE},
    story::Story,
};

/// Appends the plain name of an entity: `small brass key`.
pub(crate) fn push_bare(story: &Story, e: Ent, out: &mut String) {
    let name = &story.entity(e).name;
    for adjective in &name.adjectives {
        out.push_str(adjective);
        out.push(' ');
    }
    out.push_str(&name.noun);
}

/// Appends a name with its definite article.
pub(crate) fn push_the(story: &Story, e: Ent, out: &mut String) {
    if !story.is(e, Attr::Proper) {
        out.push_str(&Prose::get().raw.the);
    }
    push_bare(story, e, out);
}

/// Appends a name with its indefinite article.
pub(crate) fn push_a(story: &Story, e: Ent, out: &mut String) {
    let prose = Prose::get();
    let raw = &prose.raw;
    if story.is(e, Attr::Plural) || story.is(e, Attr::Mass) {
        out.push_str(&raw.some);
    } else if !story.is(e, Attr::Proper) {
        let name = &story.entity(e).name;
        let first = name.adjectives.first().unwrap_or(&name.noun);
        out.push_str(if prose.sounds_open(first) { &raw.an } else { &raw.a });
    }
    push_bare(story, e, out);
}

/// Makes the character at `begin` a capital.
pub(crate) fn capitalise(begin: usize, out: &mut String) {
    let Some(first) = out[begin..].chars().next() else { return };
    if first.is_ascii() {
        out[begin..begin + 1].make_ascii_uppercase();
    } else {
        let upper: String = first.to_uppercase().collect();
        out.replace_range(begin..begin + first.len_utf8(), &upper);
    }
}

/// Appends one form of an object.
pub(crate) fn push_form(fill: &Fill<'_>, form: Form, e: Ent, is_capital: bool, out: &mut String) {
    let story = fill.story;
    let begin = out.len();
    if usize::from(e) >= story.len() {
        return;
    }
    let raw = &Prose::get().raw;
    let is_reader = e == fill.reader && e != NONE;
    match form {
        Form::The | Form::A | Form::It | Form::They if is_reader => out.push_str(&raw.you),
        Form::The => push_the(story, e, out),
        Form::A => push_a(story, e, out),
        Form::Bare => push_bare(story, e, out),
        Form::It => out.push_str(pick(story, e, &raw.it)),
        Form::They => out.push_str(pick(story, e, &raw.they)),
        _ => push_agreement(form, is_reader || is_plural(story, e), out),
    }
    if is_capital {
        capitalise(begin, out);
    }
}

/// The pronoun for an entity: for a thing, for several or somebody, for a man, for a woman.
fn pick<'a>(
    story: &Story,
    e: Ent,
    (thing, many, man, woman): &'a (String, String, String, String),
) -> &'a str {
    match () {
        () if is_plural(story, e) => many,
        () if story.is(e, Attr::Male) => man,
        () if story.is(e, Attr::Female) => woman,
        () if story.is(e, Attr::Actor) => many,
        () => thing,
    }
}

/// Appends a word or ending that agrees with one or with several.
pub(crate) fn push_agreement(form: Form, is_many: bool, out: &mut String) {
    let raw = &Prose::get().raw;
    let (one, many) = match form {
        Form::Is => &raw.is,
        Form::Has => &raw.has,
        Form::Does => &raw.does,
        Form::Es => &raw.es,
        Form::S => &raw.s,
        _ => return,
    };
    out.push_str(if is_many { many } else { one });
}

/// Appends a number, in words when it is small.
pub(crate) fn push_number(n: i32, out: &mut String) {
    match usize::try_from(n).ok().and_then(|n| Prose::get().raw.numbers.get(n)) {
        Some(word) => out.push_str(word),
        None => push_digits(n, out),
    }
}

/// Appends a number in digits.
pub(crate) fn push_digits(n: i32, out: &mut String) {
    use std::fmt::Write;
    // Writing to a string cannot fail.
    let _ = write!(out, "{n}");
}

/// The word for a direction.
pub(crate) fn direction(dir: Dir) -> &'static str {
    crate::grammar::Grammar::get().direction(dir)
}

/// Appends the plural of a noun.
pub(crate) fn plural(noun: &str, out: &mut String) {
    for (ending, many) in &Prose::get().raw.plurals {
        if let Some(stem) = noun.strip_suffix(ending.as_str()) {
            out.push_str(stem);
            out.push_str(many);
            return;
        }
    }
    out.push_str(noun);
}

/// Appends several of one name: `two copper coins`.
pub(crate) fn push_several(story: &Story, e: Ent, n: usize, out: &mut String) {
    let name = &story.entity(e).name;
    push_number(n as i32, out);
    out.push(' ');
    for adjective in &name.adjectives {
        out.push_str(adjective);
        out.push(' ');
    }
    if is_plural(story, e) || story.is(e, Attr::Mass) {
        out.push_str(&name.noun);
    } else {
        plural(&name.noun, out);
    }
}

/// Writes the separators of a list of `count` items while its items are written by `item`.
pub(crate) fn push_list(
    count: usize,
    last: &str,
    out: &mut String,
    mut item: impl FnMut(usize, &mut String),
) {
    let raw = &Prose::get().raw;
    for i in 0..count {
        if i > 0 {
            out.push_str(if i + 1 == count { last } else { &raw.comma });
        }
        item(i, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::Entity;

    #[test]
    fn articles_plurals_and_numbers() {
        let mut story = Story::new("");
        for (phrase, attrs, want) in [
            ("old lamp", &[][..], "an old lamp"),
            ("lamp", &[], "a lamp"),
            ("hourglass", &[], "an hourglass"),
            ("uniform", &[], "a uniform"),
            ("salt", &[Attr::Mass], "some salt"),
            ("scissors", &[Attr::Plural], "some scissors"),
            ("Ann", &[Attr::Proper], "Ann"),
        ] {
            let e = story.add(Entity::new(phrase), attrs);
            let mut out = String::new();
            push_a(&story, e, &mut out);
            assert_eq!(out, want);
        }
        for (one, many) in [
            ("coin", "coins"),
            ("box", "boxes"),
            ("berry", "berries"),
            ("key", "keys"),
            ("knife", "knives"),
            ("glass", "glasses"),
        ] {
            let mut out = String::new();
            plural(one, &mut out);
            assert_eq!(out, many);
        }
        let mut out = String::new();
        push_number(2, &mut out);
        push_number(40, &mut out);
        assert_eq!(out, "two40");
    }
}
