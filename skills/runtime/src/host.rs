//! What a skill can call: the `ctx` table. Wrong names are errors that list the right ones, never silent zeros.

use crate::{
    meter::Meter,
    select::{Ranges, Weights},
    view::{Aspect, View},
};
use mlua::{BorrowedStr, Error, Lua, LuaString, Table, Value};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The view, shared between the machine and its functions. Only one of them runs at a time.
pub(crate) type Shared = Arc<Mutex<View>>;

/// The view of `shared`. A panic while it was held changes nothing about what it is for.
pub(crate) fn see(shared: &Shared) -> MutexGuard<'_, View> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Safepoints that a host call costs for every legal action that it looks at.
const PER_ACTION: u64 = 1;

fn wrong(what: String) -> Error {
    Error::runtime(what)
}

fn text(word: &LuaString) -> mlua::Result<String> {
    Ok(word.to_str()?.to_owned())
}

/// What `ctx` offers.
pub(crate) const CTX: &[&str] = &[
    "fact", "has", "start", "legal", "count", "find", "verb", "arg", "feature", "best", "least", "pick",
    "random", "decision",
];

/// Builds the `ctx` table.
pub(crate) fn ctx(lua: &Lua, shared: &Shared, meter: &Meter) -> mlua::Result<Table> {
    let ctx = lua.create_table()?;
    facts(lua, &ctx, shared)?;
    actions(lua, &ctx, shared, meter)?;
    selectors(lua, &ctx, shared, meter)?;
    let view = shared.clone();
    ctx.set(
        "random",
        lua.create_function(move |_, n: f64| {
            if !(1.0..=4_294_967_295.0).contains(&n) {
                return Err(wrong(format!(
                    "ctx.random({n}): it draws from 1 to n, with n a whole number from 1"
                )));
            }
            Ok(f64::from(see(&view).rng.below(n as u32)) + 1.0)
        })?,
    )?;
    let view = shared.clone();
    ctx.set("decision", lua.create_function(move |_, ()| Ok(see(&view).decision))?)?;
    ctx.set_readonly(true);
    debug_assert!(ctx.pairs::<String, mlua::Value>().flatten().all(|(k, _)| CTX.contains(&k.as_str())));
    debug_assert!(CTX.iter().all(|k| ctx.contains_key(*k).unwrap_or(false)));
    Ok(ctx)
}

fn facts(lua: &Lua, ctx: &Table, shared: &Shared) -> mlua::Result<()> {
    let at = |view: &View, name: &LuaString| {
        let name = name.to_str()?;
        view.fact(&name).ok_or_else(|| wrong(format!("\"{}\" is no fact of this game", &*name)))
    };
    let view = shared.clone();
    ctx.set(
        "fact",
        lua.create_function(move |_, name: LuaString| {
            let view = see(&view);
            let at = at(&view, &name)?;
            Ok(view.value(at))
        })?,
    )?;
    let view = shared.clone();
    ctx.set(
        "has",
        lua.create_function(move |_, name: LuaString| {
            let view = see(&view);
            let at = at(&view, &name)?;
            Ok(view.value(at) >= 0.5)
        })?,
    )?;
    let view = shared.clone();
    ctx.set(
        "start",
        lua.create_function(move |_, name: LuaString| {
            let view = see(&view);
            let at = at(&view, &name)?;
            Ok(view.at_start(at))
        })?,
    )
}

/// The index of a verb, or an error.
fn verb(view: &View, name: &LuaString) -> mlua::Result<u16> {
    let name = text(name)?;
    view.verb(&name).ok_or_else(|| wrong(format!("\"{name}\" is no verb of this game")))
}

fn arg(value: Option<f64>) -> mlua::Result<Option<u16>> {
    value
        .map(|x| {
            let whole = (0.0..=65_535.0).contains(&x) && x.fract() == 0.0;
            if whole {
                Ok(x as u16)
            } else {
                Err(wrong(format!("{x} is no argument: it is a whole number from 0")))
            }
        })
        .transpose()
}

fn pay(meter: &Meter, view: &mut View) -> mlua::Result<()> {
    if meter.spend(PER_ACTION * view.legal().len() as u64) {
        Ok(())
    } else {
        Err(wrong(OUT_OF_BUDGET.into()))
    }
}

/// What a spent budget says.
pub(crate) const OUT_OF_BUDGET: &str = "the budget of safepoints is spent";

fn actions(lua: &Lua, ctx: &Table, shared: &Shared, meter: &Meter) -> mlua::Result<()> {
    let (view, count) = (shared.clone(), meter.clone());
    ctx.set(
        "legal",
        lua.create_function(move |_, name: Option<LuaString>| {
            let mut view = see(&view);
            pay(&count, &mut view)?;
            match name {
                None => Ok(view.legal().to_vec()),
                Some(name) => {
                    let verb = verb(&view, &name)?;
                    Ok(view.matching(verb, [None; 3]).collect::<Vec<u32>>())
                }
            }
        })?,
    )?;
    let (view, count) = (shared.clone(), meter.clone());
    ctx.set(
        "count",
        lua.create_function(move |_, name: LuaString| {
            let mut view = see(&view);
            pay(&count, &mut view)?;
            let verb = verb(&view, &name)?;
            Ok(view.matching(verb, [None; 3]).count())
        })?,
    )?;
    let (view, count) = (shared.clone(), meter.clone());
    ctx.set(
        "find",
        lua.create_function(
            move |_, (name, a, b, c): (LuaString, Option<f64>, Option<f64>, Option<f64>)| {
                let mut view = see(&view);
                pay(&count, &mut view)?;
                let verb = verb(&view, &name)?;
                Ok(view.matching(verb, [arg(a)?, arg(b)?, arg(c)?]).next())
            },
        )?,
    )?;
    let view = shared.clone();
    ctx.set(
        "verb",
        lua.create_function(move |_, action: u32| {
            let mut view = see(&view);
            Ok(view.term(action).map(|t| view.verb_name(t.verb)))
        })?,
    )?;
    let view = shared.clone();
    ctx.set(
        "arg",
        lua.create_function(move |_, (action, k): (u32, usize)| {
            let mut view = see(&view);
            Ok(view.term(action).and_then(|t| t.args.get(k.wrapping_sub(1)).copied()))
        })?,
    )
}

/// What `name` says of the arguments of a verb, or an error.
fn aspect(view: &View, verb: u16, name: &str) -> mlua::Result<Aspect> {
    view.named(verb, name).map_err(wrong)
}

fn selectors(lua: &Lua, ctx: &Table, shared: &Shared, meter: &Meter) -> mlua::Result<()> {
    let view = shared.clone();
    ctx.set(
        "feature",
        lua.create_function(move |_, (action, name): (u32, LuaString)| {
            let mut view = see(&view);
            let Some(term) = view.term(action) else { return Ok(None) };
            let aspect = aspect(&view, term.verb, &name.to_str()?)?;
            Ok(Some(view.look_at(term, aspect)))
        })?,
    )?;
    for (key, sign) in [("best", 1.0), ("least", -1.0)] {
        let (view, count) = (shared.clone(), meter.clone());
        ctx.set(
            key,
            lua.create_function(move |_, (name, feature): (LuaString, LuaString)| {
                let mut view = see(&view);
                pay(&count, &mut view)?;
                let verb = verb(&view, &name)?;
                let aspect = aspect(&view, verb, &feature.to_str()?)?;
                Ok(view.pick(verb, &[], &[(aspect, sign)]))
            })?,
        )?;
    }
    let (view, count) = (shared.clone(), meter.clone());
    ctx.set(
        "pick",
        lua.create_function(move |_, (name, want, weigh): (LuaString, Value, Value)| {
            let mut view = see(&view);
            let verb = verb(&view, &name)?;
            let ranges: Ranges = match &want {
                Value::String(text) => view.ranges(verb, &selector(text)?).map_err(wrong)?,
                other => entries(&view, verb, other, range)?.into(),
            };
            let weights: Weights = match &weigh {
                Value::String(text) => view.weights(verb, &selector(text)?).map_err(wrong)?,
                other => {
                    let weight = |key: &str, value| {
                        number(value).ok_or_else(|| wrong(format!("the weight of \"{key}\" is no number")))
                    };
                    entries(&view, verb, other, weight)?.into()
                }
            };
            for _ in 0..=ranges.len() + weights.len() {
                pay(&count, &mut view)?;
            }
            Ok(view.pick(verb, &ranges, &weights))
        })?,
    )
}

/// Bytes of a selector as text at most: it is compiled, and kept, outside the memory of the machine.
const LONGEST: usize = 2048;

/// The text of a selector.
fn selector(text: &LuaString) -> mlua::Result<BorrowedStr> {
    let bytes = text.as_bytes().len();
    if bytes > LONGEST {
        return Err(wrong(format!("a selector of {bytes} bytes: at most {LONGEST}, or give a table")));
    }
    text.to_str()
}

/// The entries of a table whose keys are features of a verb, in the order of the features: sums do not depend on how
/// the table was made.
fn entries<T>(
    view: &View,
    verb: u16,
    table: &Value,
    read: impl Fn(&str, Value) -> mlua::Result<T>,
) -> mlua::Result<Vec<(Aspect, T)>> {
    let mut entries = Vec::new();
    let table = match table {
        Value::Nil => return Ok(entries),
        Value::Table(table) => table,
        other => {
            return Err(wrong(format!("a {} is no selector: give a text or a table", other.type_name())));
        }
    };
    table.for_each(|key: Value, value: Value| {
        let Value::String(key) = key else {
            return Err(wrong(format!("a {} is no feature: keys are names", key.type_name())));
        };
        let key = key.to_str()?;
        entries.push((aspect(view, verb, &key)?, read(&key, value)?));
        Ok(())
    })?;
    entries.sort_by_key(|(aspect, _)| *aspect);
    Ok(entries)
}

fn number(value: Value) -> Option<f32> {
    match value {
        Value::Integer(x) => Some(x as f32),
        Value::Number(x) => Some(x as f32).filter(|x| x.is_finite()),
        _ => None,
    }
}

/// What a value of `want` allows: a number (to half a unit), yes or no, or a least and a greatest.
fn range(key: &str, value: Value) -> mlua::Result<(f32, f32)> {
    let near = |x: f32| (x - 0.5, x + 0.5);
    match value {
        Value::Boolean(yes) => Ok(if yes { (0.5, f32::MAX) } else { (f32::MIN, 0.49) }),
        Value::Table(pair) => {
            let (low, high): (Option<f32>, Option<f32>) = (pair.get(1)?, pair.get(2)?);
            Ok((low.unwrap_or(f32::MIN), high.unwrap_or(f32::MAX)))
        }
        other => number(other).map(near).ok_or_else(|| {
            wrong(format!("\"{key}\" is compared with a number, true, false or {{low, high}}"))
        }),
    }
}
