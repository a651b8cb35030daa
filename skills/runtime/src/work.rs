//! Library functions whose work grows with what they are given cost safepoints by it: one call could otherwise go
//! through megabytes for the price of one.

use crate::{host::OUT_OF_BUDGET, meter::Meter};
use mlua::{Error, Function, Lua, MultiValue, Table, Value};

/// Items of a table that are gone through for one safepoint.
const ITEMS: u64 = 8;
/// Pairs of a byte of a text and a byte of a pattern that are compared for one safepoint.
const BYTES: u64 = 256;
/// Safepoints for clearing a table, whose keys nobody has counted.
const CLEAR: u64 = 500;

/// What the arguments of a call cost.
type Cost = fn(&MultiValue) -> u64;

/// Functions of tables that go through all of it.
const TABLE: &[(&str, Cost)] = &[
    ("find", items),
    ("concat", items),
    ("clone", items),
    ("insert", items),
    ("remove", items),
    ("unpack", items),
    ("sort", |given| items(given).saturating_mul(16)),
    ("clear", |given| items(given).saturating_add(CLEAR)),
    ("move", moved),
];
/// Functions of texts that compare all of it with a pattern.
const STRING: &[(&str, Cost)] =
    &[("find", compared), ("match", compared), ("gmatch", compared), ("gsub", compared), ("split", compared)];
/// Functions of texts that read all of it.
const UTF8: &[(&str, Cost)] = &[("len", compared), ("codepoint", compared), ("offset", compared)];
/// Old names that go through a table, keys and all, and that nobody needs.
const OLD: &[&str] = &["maxn", "foreach", "foreachi", "getn"];

/// Wraps them. The wrappers are Luau, so that a skill can yield through them.
pub(crate) fn dear(lua: &Lua, globals: &Table, meter: &Meter) -> mlua::Result<()> {
    let wrap: Function = lua
        .load("local charge, inner = ... return function(...) charge(...) return inner(...) end")
        .set_name("=work")
        .into_function()?;
    for (library, functions) in [("table", TABLE), ("string", STRING), ("utf8", UTF8)] {
        let library: Table = globals.get(library)?;
        for (name, cost) in functions {
            let (count, cost) = (meter.clone(), *cost);
            let charge = lua.create_function(move |_, given: MultiValue| {
                if count.spend(cost(&given)) { Ok(()) } else { Err(Error::runtime(OUT_OF_BUDGET)) }
            })?;
            let inner: Function = library.get(*name)?;
            let wrapped: Function = wrap.call((charge, inner))?;
            library.set(*name, wrapped)?;
        }
    }
    let table: Table = globals.get("table")?;
    OLD.iter().try_for_each(|name| table.raw_remove(*name))
}

fn length(value: Option<&Value>) -> u64 {
    match value {
        Some(Value::Table(table)) => table.raw_len() as u64,
        Some(Value::String(text)) => text.as_bytes().len() as u64,
        _ => 0,
    }
}

fn items(given: &MultiValue) -> u64 {
    length(given.front()) / ITEMS
}

/// Bytes of the text times bytes of the pattern, which is what the slowest search takes.
fn compared(given: &MultiValue) -> u64 {
    length(given.front()).saturating_mul(length(given.get(1)).max(1)) / BYTES
}

/// Items from the second argument to the third, whether they are there or not.
fn moved(given: &MultiValue) -> u64 {
    let number = |k: usize| match given.get(k) {
        Some(Value::Integer(x)) => *x as f64,
        Some(Value::Number(x)) => *x,
        _ => 0.0,
    };
    // A float beyond the range becomes the greatest number.
    (number(2) - number(1) + 1.0).max(0.0) as u64 / ITEMS
}
