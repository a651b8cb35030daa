//! Prints intermediate form as Luau that a person would write.

use crate::ir::{Bound, Ir, Range, Rule, Selector, Until, Weight};
use agon_skill::{Compare, Literal, Operand};
use rl_gym::vocabulary::{Vocabulary, fact};
use std::fmt::Write;

/// The module that `ir` stands for, under a comment of `head` lines. The same form gives the same bytes.
pub fn print(ir: &Ir, head: &[String], words: &dyn Vocabulary) -> String {
    let mut printer = Printer { out: String::new(), words, names: Vec::new() };
    for line in head {
        for line in wrap(line) {
            _ = writeln!(printer.out, "-- {line}");
        }
    }
    printer.out += "return {\n    run = function(ctx, args)\n";
    // A name that is set inside a block is needed outside of it.
    let hoisted = inner_names(ir, false);
    if !hoisted.is_empty() {
        printer.line(2, &format!("local {}", hoisted.join(", ")));
        printer.names.extend(hoisted);
    }
    printer.part(ir, 2);
    printer.out += "    end,\n}\n";
    printer.out
}

/// Breaks a line of a comment where it gets longer than a screen is wide.
fn wrap(line: &str) -> Vec<String> {
    const WIDTH: usize = 100;
    let mut lines = vec![String::new()];
    for word in line.split_whitespace() {
        let last = lines.last().map_or(0, String::len);
        if last > 0 && last + 1 + word.len() > WIDTH {
            lines.push(String::new());
        }
        if let Some(last) = lines.last_mut() {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

/// Names that are kept inside of blocks.
fn inner_names(ir: &Ir, is_inner: bool) -> Vec<String> {
    let mut names = match ir {
        Ir::Seq(parts) => parts.iter().flat_map(|p| inner_names(p, is_inner)).collect(),
        Ir::Act { keep, .. } if is_inner => keep.iter().map(|(_, name)| name.clone()).collect(),
        Ir::Act { .. } | Ir::Choose(_) => Vec::new(),
        Ir::Repeat { body, .. } => inner_names(body, true),
        Ir::If { then, otherwise, .. } => [inner_names(then, true), inner_names(otherwise, true)].concat(),
    };
    names.sort();
    names.dedup();
    names
}

struct Printer<'a> {
    out: String,
    words: &'a dyn Vocabulary,
    /// Names that are declared already.
    names: Vec<String>,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        _ = writeln!(self.out, "{}{text}", "    ".repeat(depth));
    }

    fn part(&mut self, ir: &Ir, depth: usize) {
        match ir {
            Ir::Seq(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        self.out.push('\n');
                    }
                    self.part(part, depth);
                }
            }
            Ir::Act { pick, keep } => self.act(pick, keep, depth),
            Ir::Repeat { body, until, most } => self.repeat(body, until, *most, depth),
            Ir::If { when, then, otherwise } => {
                self.line(depth, &format!("if {} then", self.all(when)));
                self.part(then, depth + 1);
                self.line(depth, "else");
                self.part(otherwise, depth + 1);
                self.line(depth, "end");
            }
            Ir::Choose(rules) => self.choose(rules, depth),
        }
    }

    fn act(&mut self, pick: &Selector, keep: &[(usize, String)], depth: usize) {
        let name = local_name(&pick.verb);
        // Not declared twice in one function: the second use of a verb assigns.
        let local = if self.names.contains(&name) { "" } else { "local " };
        if depth == 2 {
            self.names.push(name.clone());
        }
        self.line(depth, &format!("{local}{name} = {}", self.pick(pick)));
        self.line(depth, &format!("if not {name} then return end"));
        for (k, kept) in keep {
            let local = if self.names.contains(kept) { "" } else { "local " };
            if depth == 2 {
                self.names.push(kept.clone());
            }
            self.line(depth, &format!("{local}{kept} = ctx.arg({name}, {})", k + 1));
        }
        self.line(depth, &format!("coroutine.yield({name})"));
    }

    fn repeat(&mut self, body: &Ir, until: &Until, most: u32, depth: usize) {
        self.line(depth, &format!("for _ = 1, {most} do"));
        match until {
            Until::Effect => {}
            Until::Can(pick) => self.line(depth + 1, &format!("if {} then break end", self.pick(pick))),
            Until::Holds(literal) => {
                self.line(depth + 1, &format!("if {} then break end", self.literal(literal)));
            }
        }
        self.part(body, depth + 1);
        self.line(depth, "end");
    }

    fn choose(&mut self, rules: &[Rule], depth: usize) {
        self.line(depth, "local action");
        for (i, rule) in rules.iter().enumerate() {
            let pick = self.pick(&rule.pick);
            let say = if rule.when.is_empty() {
                match i {
                    0 => format!("action = {pick}"),
                    _ => format!("action = action or {pick}"),
                }
            } else {
                let open = if i == 0 { String::new() } else { "not action and ".into() };
                format!("if {open}{} then action = {pick} end", self.all(&rule.when))
            };
            self.line(depth, &say);
        }
        self.line(depth, "if not action then return end");
        self.line(depth, "coroutine.yield(action)");
    }

    fn pick(&self, pick: &Selector) -> String {
        if pick.is_plain() {
            return format!("ctx.find(\"{}\")", pick.verb);
        }
        let bound = |(k, bound): (usize, &Bound)| match bound {
            Bound::Any => None,
            Bound::Constant(x) => Some((k, x.to_string())),
            Bound::Same(name) => Some((k, name.clone())),
            Bound::Param(name) => Some((k, format!("args.{name}"))),
        };
        let bound: Vec<(usize, String)> = pick.args.iter().enumerate().filter_map(bound).collect();
        if pick.want.is_empty() && pick.weigh.is_empty() {
            let last = bound.last().map_or(0, |(k, _)| *k);
            let all: Vec<String> = (0..=last)
                .map(|k| bound.iter().find(|(at, _)| *at == k).map_or("nil".into(), |(_, text)| text.clone()))
                .collect();
            return format!("ctx.find(\"{}\", {})", pick.verb, all.join(", "));
        }
        // Texts are compiled once. What depends on variables needs a table.
        let want = if !bound.is_empty() {
            let mut parts: Vec<String> =
                bound.iter().map(|(k, text)| format!("[\"{}\"] = {text}", k + 1)).collect();
            parts.extend(
                pick.want.iter().map(|(name, range)| format!("{} = {}", key(name), range_text(*range))),
            );
            format!("{{ {} }}", parts.join(", "))
        } else if pick.want.is_empty() {
            "nil".to_owned()
        } else {
            let parts: Vec<String> = pick.want.iter().map(|(name, range)| condition(name, *range)).collect();
            format!("\"{}\"", parts.join(", "))
        };
        if pick.weigh.is_empty() {
            return format!("ctx.pick(\"{}\", {want})", pick.verb);
        }
        if let ("nil", [only]) = (want.as_str(), &*pick.weigh) {
            let call = if only.weight > 0.0 { "best" } else { "least" };
            return format!("ctx.{call}(\"{}\", \"{}\")", pick.verb, only.of);
        }
        format!("ctx.pick(\"{}\", {want}, \"{}\")", pick.verb, weighing(&pick.weigh))
    }

    fn all(&self, literals: &[Literal]) -> String {
        match literals {
            [] => "true".into(),
            _ => literals.iter().map(|l| self.literal(l)).collect::<Vec<_>>().join(" and "),
        }
    }

    fn literal(&self, literal: &Literal) -> String {
        let name = &literal.fact;
        let facts = self.words.facts();
        let is_predicate = fact(facts, name).is_some_and(|i| facts[i].is_predicate());
        match (&literal.to, literal.is) {
            (Operand::Number(x), Compare::AtLeast) if is_predicate && *x > 0.0 => {
                format!("ctx.has(\"{name}\")")
            }
            (Operand::Number(x), Compare::AtMost) if is_predicate && *x < 1.0 => {
                format!("not ctx.has(\"{name}\")")
            }
            (to, Compare::Equal) => format!("math.abs(ctx.fact(\"{name}\") - {}) < 0.5", operand(to, name)),
            (to, Compare::AtLeast) => format!("ctx.fact(\"{name}\") >= {}", operand(to, name)),
            (to, Compare::AtMost) => format!("ctx.fact(\"{name}\") <= {}", operand(to, name)),
        }
    }
}

fn operand(to: &Operand, name: &str) -> String {
    match to {
        Operand::Number(x) => number(*x),
        Operand::Param(param) => format!("args.{param}"),
        Operand::Change { start_plus } if *start_plus < 0.0 => {
            format!("ctx.start(\"{name}\") - {}", number(-start_plus))
        }
        Operand::Change { start_plus } => format!("ctx.start(\"{name}\") + {}", number(*start_plus)),
    }
}

fn range_text(range: Range) -> String {
    match range {
        Range::Is(yes) => yes.to_string(),
        Range::AtLeast(low) => format!("{{ {} }}", number(low)),
        Range::AtMost(high) => format!("{{ nil, {} }}", number(high)),
        Range::Between(low, high) => format!("{{ {}, {} }}", number(low), number(high)),
    }
}

/// The shortest text that reads back as the same number.
pub(crate) fn number(x: f32) -> String {
    format!("{x}")
}

/// A condition of a selector, as text.
fn condition(name: &str, range: Range) -> String {
    match range {
        Range::Is(true) => name.to_owned(),
        Range::Is(false) => format!("not {name}"),
        Range::AtLeast(low) => format!("{name} >= {}", number(low)),
        Range::AtMost(high) => format!("{name} <= {}", number(high)),
        Range::Between(low, high) => format!("{} <= {name} <= {}", number(low), number(high)),
    }
}

/// Weights of a selector, as text.
fn weighing(weights: &[Weight]) -> String {
    let mut text = String::new();
    for (i, w) in weights.iter().enumerate() {
        let sign = match (i, w.weight < 0.0) {
            (0, false) => "",
            (0, true) => "- ",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        let factor =
            if w.weight.abs() == 1.0 { String::new() } else { format!("{} ", number(w.weight.abs())) };
        text += &format!("{sign}{factor}{}", w.of);
    }
    text
}

/// A key of a table: a name, or a text in brackets.
fn key(name: &str) -> String {
    let is_name = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !KEYWORDS.contains(&name);
    if is_name { name.to_owned() } else { format!("[\"{name}\"]") }
}

/// A name of a local variable that is no word of the language and no name that the code uses.
pub(crate) fn local_name(verb: &str) -> String {
    if KEYWORDS.contains(&verb) || TAKEN.contains(&verb) { format!("{verb}_it") } else { verb.to_owned() }
}

const TAKEN: &[&str] =
    &["ctx", "args", "coroutine", "math", "action", "load", "next", "print", "debug", "os", "io", "require"];
const KEYWORDS: &[&str] = &[
    "and", "break", "continue", "do", "else", "elseif", "end", "export", "false", "for", "function", "if",
    "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "type", "until", "while",
];
