//! The legal actions in few words: one line a kind, each action with its number.

use super::push;
use crate::action::{Action, ActionId, at};
use crate::counts::Resource;
use crate::mask::LegalMask;
use crate::topology::EDGE_NODES;

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Every action with its number.
    Full,
    /// Kinds with many members by their pattern; [`rl_gym::TextEnv::legal_text`] has them all.
    Short,
    /// Only how many there are: for positions that no game reaches.
    Count,
}

/// Legal members of a block of the table, as offsets.
fn block(legal: &LegalMask, from: u16, to: u16) -> Vec<u16> {
    (from..to).filter(|&i| legal.contains(ActionId(i))).map(|i| i - from).collect()
}

fn listed(out: &mut String, head: std::fmt::Arguments<'_>, members: &[u16]) {
    if !members.is_empty() {
        push(out, head);
        members.iter().for_each(|m| push(out, format_args!(" {m}")));
        out.push('\n');
    }
}

/// Writes the legal actions; `#` goes before a number of the action table.
pub(super) fn write(legal: &LegalMask, form: Form, out: &mut String) {
    push(out, format_args!("You may ({}; # is the action's number):\n", legal.count()));
    if form == Form::Count {
        return;
    }
    listed(out, format_args!("build settlement n (#n):"), &block(legal, at::SETTLEMENT, at::CITY));
    listed(out, format_args!("build city n (#{}+n):", at::CITY), &block(legal, at::CITY, at::ROAD));
    roads(legal, form, out);
    for offset in 0..4u16 {
        let from = at::ROBBER + 19 * offset;
        let tiles = block(legal, from, from + 19);
        match offset {
            0 => listed(out, format_args!("move robber t (#{from}+t):"), &tiles),
            k => listed(out, format_args!("move robber t steal +{k} (#{from}+t):"), &tiles),
        }
    }
    bank(legal, form, out);
    let single = [
        at::ROLL..at::PLENTY,
        at::PLENTY..at::MONOPOLY,
        at::MONOPOLY..at::ROBBER,
        at::DISCARD..at::BANK,
        at::OFFER_GIVE..at::CANCEL_TRADE + 1,
    ];
    for range in single {
        named(legal, form, range.start, range.end, out);
    }
}

fn roads(legal: &LegalMask, form: Form, out: &mut String) {
    let edges = block(legal, at::ROAD, at::ROLL);
    if edges.is_empty() {
        return;
    }
    out.push_str("build road");
    for e in edges {
        let [a, b] = EDGE_NODES[usize::from(e)];
        match form {
            Form::Full => push(out, format_args!(" {a}-{b}#{}", at::ROAD + e)),
            Form::Short | Form::Count => push(out, format_args!(" {a}-{b}")),
        }
    }
    out.push('\n');
}

fn bank(legal: &LegalMask, form: Form, out: &mut String) {
    let count = block(legal, at::BANK, at::OFFER_GIVE).len();
    if form == Form::Short && count > 12 {
        push(out, format_args!("bank RATE GIVE for WANT: {count} trades\n"));
        return;
    }
    for rate in [4u8, 3, 2] {
        for give in Resource::ALL {
            let wants: Vec<_> = Resource::ALL
                .into_iter()
                .filter(|&want| want != give)
                .map(|want| (want, Action::Bank { rate, give, want }.id()))
                .filter(|(_, id)| legal.contains(*id))
                .collect();
            if wants.is_empty() {
                continue;
            }
            push(out, format_args!("bank {rate} {} for", give.name()));
            wants.iter().for_each(|(want, id)| push(out, format_args!(" {}#{}", want.name(), id.0)));
            out.push('\n');
        }
    }
}

/// Actions by their whole name, on one line.
fn named(legal: &LegalMask, form: Form, from: u16, to: u16, out: &mut String) {
    let members = block(legal, from, to);
    if members.is_empty() {
        return;
    }
    if form == Form::Short && from == at::PLENTY && members.len() > 5 {
        push(out, format_args!("play year of plenty A+B: {} pairs\n", members.len()));
        return;
    }
    // A shared beginning is written once: "play monopoly wood#205, brick#206".
    let mut before = String::new();
    for (i, &m) in members.iter().enumerate() {
        let Some(name) = ActionId(from + m).name() else { continue };
        let (head, tail) = name.rsplit_once(' ').map_or(("", name.as_str()), |(head, tail)| (head, tail));
        out.push_str(if i > 0 { ", " } else { "" });
        let is_repeated = !head.is_empty() && head == before;
        push(out, format_args!("{}#{}", if is_repeated { tail } else { &name }, from + m));
        before.replace_range(.., head);
    }
    out.push('\n');
}
