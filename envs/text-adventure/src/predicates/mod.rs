//! Named predicates over a state: one table that text, contracts of skills and reports share.
//!
//! [`PREDICATES`] says of each predicate its name, its arguments, what a seat may know of it and what it means.
//! [`Query`] is one predicate with its arguments, read from text such as `in(brass key, iron chest)`.
//! [`Query::holds`] answers from the whole truth; [`Query::known_to`] answers from what a seat may know, or not at all.

mod query;
mod table;

pub use query::{Query, QueryError};
pub use table::{Arg, Knowledge, PREDICATES, Predicate};

/// The table as Markdown, as the README holds it.
pub fn predicates_markdown() -> String {
    let mut out = String::from("| predicate | known to a seat | meaning |\n|---|---|---|\n");
    for p in PREDICATES {
        let args: Vec<&str> = p.args.iter().map(|a| a.words()).collect();
        let call =
            if args.is_empty() { p.name.to_owned() } else { format!("{}({})", p.name, args.join(", ")) };
        out += &format!("| `{call}` | {} | {} |\n", p.knowledge.words(), p.meaning);
    }
    out
}
