//! The page of the words.

use super::verbs::{KINDS, MEANINGS, VERBS};
use rl_gym::vocabulary::Fact;

/// The tables as Markdown, as `docs/words.md` holds them.
pub fn markdown() -> String {
    let mut out = format!("### Facts ({})\n\n", super::facts::WORDS.len());
    facts(super::facts::WORDS, &mut out);
    out += &format!("\n### Verbs ({})\n\n| verb | arguments | meaning |\n|---|---|---|\n", VERBS.len());
    for (verb, meaning) in VERBS.iter().zip(MEANINGS) {
        let args: Vec<&str> = verb.args.iter().map(|kind| KINDS[*kind].name).collect();
        out += &format!("| `{}` | {} | {meaning} |\n", verb.name, args.join(", "));
    }
    for kind in KINDS {
        out += &format!("\n### Kind `{}`: {} features\n\n", kind.name, kind.features.len());
        facts(kind.features, &mut out);
    }
    out
}

fn facts(list: &[Fact], out: &mut String) {
    *out += "| name | range | meaning |\n|---|---|---|\n";
    for fact in list {
        *out += &format!("| `{}` | {}..={} | {} |\n", fact.name, fact.low, fact.high, fact.meaning);
    }
}
