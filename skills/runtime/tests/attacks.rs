//! Skills that mean harm: every one ends in time, in bounds, the same way each time, and leaves the process healthy.

mod common;

use agon_skill_runtime::{Abort, Decision, lint};
use common::{body, decide, first, machine, skill};
use rl_gym::Pcg64;

/// The abort of a body, which must be the same in a second machine.
fn abort(lines: &str) -> Abort {
    let (one, two) = (first(lines), first(lines));
    assert_eq!(one, two, "{lines}");
    match one {
        Decision::Aborted(abort) => abort,
        other => panic!("{lines}: {other:?}"),
    }
}

#[test]
fn endless_work_ends() {
    for lines in [
        "while true do end",
        "repeat until false",
        "for i = 1, math.huge do end",
        "while true do pcall(function() while true do end end) end",
        "pcall(function() while true do end end); coroutine.yield(8)",
        "xpcall(function() while true do end end, function() while true do end end); coroutine.yield(8)",
        "while true do pcall(error) end",
        "local co = coroutine.wrap(function() while true do coroutine.yield() end end); while true do co() end",
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}); while true do pcall(function() return t[1] end) end",
        "string.find(string.rep('a', 30), string.rep('a?', 30) .. string.rep('a', 30))",
        "('x'):rep(20000):find('.-.-.-.-.-.-.-.-y')",
        "while true do ctx.legal() end",
        "table.sort(table.create(3000, 1), function(a, b) return a < b end); while true do end",
        "local s = ''; for i = 1, 1e9 do s = 'x' .. i end",
    ] {
        assert_eq!(abort(lines), Abort::Safepoints, "{lines}");
    }
}

#[test]
fn memory_ends() {
    for lines in [
        "local t = {}; for i = 1, 1e9 do t[i] = {i} end",
        "string.rep('x', 2^30)",
        "local s = 'x'; while true do s = s .. s end",
        "table.create(1e8, 0)",
        "local t = {}; while true do pcall(function() t[#t + 1] = string.rep('x', 1e6) end) end",
        "string.rep('x', 1e6):rep(1e4)",
        "('x'):rep(1e6):gsub('.', string.rep('y', 1e6))",
        "table.concat(table.create(1e6, 'xxxxxxxxxxxxxxxx'))",
    ] {
        let abort = abort(lines);
        assert!(matches!(abort, Abort::Memory | Abort::Safepoints | Abort::Error(_)), "{lines}: {abort}");
    }
    // The machine works again after it ran out.
    let mut m =
        machine(skill(&body("if ctx.fact('gold') > 5 then string.rep('x', 2^30) end; coroutine.yield(8)")));
    for _ in 0..3 {
        m.begin(&[], Pcg64::seed(1)).expect("loads");
        assert_eq!(decide(&mut m, [9, 0, 0, 0]), Decision::Aborted(Abort::Memory));
        m.begin(&[], Pcg64::seed(1)).expect("loads again");
        assert_eq!(decide(&mut m, [1, 0, 0, 0]), Decision::Act(8));
    }
}

#[test]
fn deep_recursion_ends() {
    for lines in [
        "local function f(n) return 1 + f(n + 1) end; f(1)",
        "local function f() return f() end; f()",
        "local t = {}; for i = 1, 1e5 do t = {t} end; local function d(x) return d(x[1]) .. '' end; d(t)",
        "local s = setmetatable({}, {__tostring = function(s) return tostring(s) end}); tostring(s)",
        "local t = setmetatable({}, {}); getmetatable(t).__index = t; return t.x.y",
        "local f; f = function() return pcall(f) end; f(); while true do end",
        "string.gsub('x', 'x', function() return string.gsub('x', 'x', function() error('deep') end) end)",
    ] {
        let abort = abort(lines);
        assert!(matches!(abort, Abort::Error(_) | Abort::Safepoints | Abort::Memory), "{lines}: {abort}");
    }
}

#[test]
fn nothing_outside_can_be_reached() {
    for name in [
        "io",
        "os",
        "require",
        "dofile",
        "loadstring",
        "load",
        "debug",
        "getfenv",
        "setfenv",
        "collectgarbage",
        "print",
        "newproxy",
        "gcinfo",
        "package",
        "ffi",
        "jit",
        "math.random",
        "math.randomseed",
        "next",
        "buffer",
        "string.dump",
        "coroutine.running_outside",
    ] {
        assert_eq!(first(&format!("coroutine.yield({name} == nil and 1 or 2)")), Decision::Act(1), "{name}");
    }
    // Libraries, texts' methods and other uses' globals cannot be changed.
    for lines in [
        "string.rep = nil",
        "math.huge = 1",
        "getmetatable('').__index = {}",
        "ctx.legal = function() return {} end",
        "table.insert(ctx, 1)",
        "setmetatable(ctx, {})",
        "rawset(ctx, 'x', 1)",
        "rawset(string, 'x', 1)",
        "setmetatable(_G, {__index = function() return 1 end}).x = 1; error('a global was made')",
    ] {
        assert!(matches!(abort(lines), Abort::Error(_)), "{lines}");
    }
}

#[test]
fn nothing_that_differs_between_runs_can_be_seen() {
    for lines in [
        "tostring({})",
        "tostring(function() end)",
        "tostring(ctx)",
        "tostring(coroutine.create(function() end))",
        "string.format('%s', {})",
        "string.format('%*', ctx)",
        "local t = {[{}] = 1}; for k in pairs(t) do end",
        "local t = {[function() end] = 1}; for k in sorted(t) do end",
        "return '' .. {}",
    ] {
        assert!(matches!(abort(lines), Abort::Error(_)), "{lines}");
    }
    let order = "local s = ''; for k in pairs({b = 1, [2] = 1, a = 1, [1] = 1, [true] = 1}) do s = s .. tostring(k) end; coroutine.yield(s == '12abtrue' and 1 or 2)";
    assert_eq!(first(order), Decision::Act(1));
}

#[test]
fn a_use_leaves_nothing_for_the_next_one() {
    // No global can be made, and what a module remembers is gone with the use.
    assert!(matches!(abort("leak = 1"), Abort::Error(why) if why.contains("readonly")));
    let code = "local count = 0\nreturn { run = function(ctx) count += 1; coroutine.yield(count) end }";
    let mut m = machine(skill(code));
    for _ in 0..3 {
        m.begin(&[], Pcg64::seed(1)).expect("loads");
        assert_eq!(decide(&mut m, [0; 4]), Decision::Act(1));
    }
}

#[test]
fn the_lint_finds_what_can_be_seen() {
    for (code, line, part) in [
        (body("os.exit()"), 2, "`os` does not exist"),
        (body("\nlocal x = math.random()"), 3, "ctx.random"),
        (body("for k, v in t do end"), 2, "no fixed order"),
        (body("ctx.glance()"), 2, "ctx.glance does not exist"),
        (body("while true do local x = 1 end"), 2, "endless loop"),
        ("return {}".to_owned(), 1, "there is no `run`"),
    ] {
        let found = lint(&code);
        assert!(found.iter().any(|f| f.line == line && f.what.contains(part)), "{code}: {found:?}");
    }
    let good = body(
        "-- os.exit() in a comment, \"require\"\n--[[ io ]] local t = {os = 1, print = 2}\nfor _, a in ipairs(ctx.legal('go')) do coroutine.yield(a) end\nlocal s = 'load' .. [[next]]\nwhile true do coroutine.yield(8) end",
    );
    assert_eq!(lint(&good), []);
}
