//! The world of a skill's code: the safe half of the standard library, without anything that differs between runs.

use crate::{host::OUT_OF_BUDGET, meter::Meter, work};
use mlua::{
    Error, Function, Lua, LuaOptions, LuaString, MultiValue, StdLib, Table, Value, VmState, chunk::Compiler,
};
use std::{cmp::Ordering, collections::VecDeque};

/// Globals that reach outside, run text as code, show addresses, or draw from a generator of their own.
pub(crate) const REMOVED: &[&str] = &[
    "loadstring",
    "load",
    "dofile",
    "require",
    "getfenv",
    "setfenv",
    "collectgarbage",
    "gcinfo",
    "newproxy",
    "debug",
    "os",
    "io",
    "print",
    "next",
    "rawlen",
    "_VERSION",
];

/// A machine without a skill yet.
pub(crate) fn machine(memory: usize, meter: &Meter) -> mlua::Result<Lua> {
    let libs = StdLib::COROUTINE
        | StdLib::TABLE
        | StdLib::STRING
        | StdLib::BIT
        | StdLib::MATH
        | StdLib::UTF8
        | StdLib::VECTOR;
    let lua = Lua::new_with(libs, LuaOptions::default().catch_rust_panics(false))?;
    lua.set_compiler(Compiler::new().set_optimization_level(2).set_debug_level(1));
    let globals = lua.globals();
    for name in REMOVED {
        globals.raw_remove(*name)?;
    }
    let math: Table = globals.get("math")?;
    math.raw_remove("random")?;
    math.raw_remove("randomseed")?;
    dear_protection(&lua, &globals, meter)?;
    work::dear(&lua, &globals, meter)?;
    without_addresses(&lua, &globals)?;
    in_order(&lua, &globals, meter)?;
    lua.sandbox(true)?;
    // No global can be made either: it would outlive its use.
    lua.globals().set_readonly(true);
    let count = meter.clone();
    lua.set_interrupt(move |_| {
        if count.spend(1) { Ok(VmState::Continue) } else { Err(Error::runtime(OUT_OF_BUDGET)) }
    });
    lua.set_memory_limit(memory)?;
    Ok(lua)
}

/// Safepoints that a protected call or a coroutine costs. Errors are slow (a traceback, a collection of garbage): a loop
/// that does nothing but raise and catch them would take seconds in the budget of a decision.
const PROTECTION: u64 = 500;

/// Wraps everything that can catch an error so that it costs [`PROTECTION`]. The wrappers are Luau, so that a skill can
/// yield through them.
fn dear_protection(lua: &Lua, globals: &Table, meter: &Meter) -> mlua::Result<()> {
    let count = meter.clone();
    let charge = lua.create_function(move |_, ()| {
        if count.spend(PROTECTION) { Ok(()) } else { Err(Error::runtime(OUT_OF_BUDGET)) }
    })?;
    let wrap: Function = lua
        .load("local charge, inner = ... return function(...) charge() return inner(...) end")
        .set_name("=protection")
        .into_function()?;
    let coroutine: Table = globals.get("coroutine")?;
    for (table, name) in [
        (globals, "pcall"),
        (globals, "xpcall"),
        (&coroutine, "create"),
        (&coroutine, "wrap"),
        (&coroutine, "resume"),
    ] {
        let inner: Function = table.get(name)?;
        let wrapped: Function = wrap.call((charge.clone(), inner))?;
        table.set(name, wrapped)?;
    }
    Ok(())
}

/// Printing a table or function would show where it lies, which differs between runs.
fn without_addresses(lua: &Lua, globals: &Table) -> mlua::Result<()> {
    let plain: Function = globals.get("tostring")?;
    let tostring = lua.create_function(move |_, value: Value| -> mlua::Result<Value> {
        match value {
            Value::Nil | Value::Boolean(_) | Value::Integer(_) | Value::Number(_) | Value::String(_) => {
                plain.call(value)
            }
            other => Err(no_text(&other)),
        }
    })?;
    globals.set("tostring", tostring)?;
    let string: Table = globals.get("string")?;
    let plain: Function = string.get("format")?;
    let format =
        lua.create_function(move |_, (form, values): (LuaString, MultiValue)| -> mlua::Result<Value> {
            for value in &values {
                if !matches!(
                    value,
                    Value::Nil | Value::Boolean(_) | Value::Integer(_) | Value::Number(_) | Value::String(_)
                ) {
                    return Err(no_text(value));
                }
            }
            plain.call((form, values))
        })?;
    string.set("format", format)
}

fn no_text(value: &Value) -> Error {
    Error::runtime(format!("a {} has no text: name what of it you mean", value.type_name()))
}

/// `pairs` and `sorted` go through keys in order: numbers, then texts, then booleans. Other keys have no order that
/// would be the same in every run, and are refused.
///
/// Each key costs a safepoint: the keys that wait for their turn lie outside the memory of the machine.
fn in_order(lua: &Lua, globals: &Table, meter: &Meter) -> mlua::Result<()> {
    let count = meter.clone();
    let sorted = lua.create_function(move |lua, table: Table| {
        let mut keys: Vec<(Key, Value)> = Vec::new();
        for pair in table.pairs::<Value, Value>() {
            if !count.spend(1) {
                return Err(Error::runtime(OUT_OF_BUDGET));
            }
            let (key, value) = pair?;
            keys.push((Key::of(&key)?, value));
        }
        // Numbers as keys are never NaN.
        keys.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal));
        let mut rest = keys.into_iter().collect::<VecDeque<_>>();
        lua.create_function_mut(move |lua, _: MultiValue| match rest.pop_front() {
            Some((key, value)) => Ok((key.into_value(lua)?, value)),
            None => Ok((Value::Nil, Value::Nil)),
        })
    })?;
    globals.set("pairs", sorted.clone())?;
    globals.set("sorted", sorted)
}

/// A key that has an order.
#[derive(PartialEq, PartialOrd)]
enum Key {
    Number(f64),
    Text(Vec<u8>),
    Truth(bool),
}

impl Key {
    fn of(value: &Value) -> mlua::Result<Self> {
        Ok(match value {
            Value::Integer(x) => Self::Number(*x as f64),
            Value::Number(x) => Self::Number(*x),
            Value::String(x) => Self::Text(x.as_bytes().to_vec()),
            Value::Boolean(x) => Self::Truth(*x),
            other => {
                let what =
                    format!("a {} as a key has no order: use numbers or texts as keys", other.type_name());
                return Err(Error::runtime(what));
            }
        })
    }

    fn into_value(self, lua: &Lua) -> mlua::Result<Value> {
        Ok(match self {
            Self::Number(x) => Value::Number(x),
            Self::Text(x) => Value::String(lua.create_string(x)?),
            Self::Truth(x) => Value::Boolean(x),
        })
    }
}
