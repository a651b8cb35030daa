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

/// Symptom: `while true do table.find(t, 2) end` over 100,000 items took 32 seconds in the budget of one decision.
/// Property: calls that go through much cost much.
#[test]
fn long_work_in_one_call_costs_what_it_takes() {
    let many = "local t = table.create(20000, 1); local s = string.rep('x', 20000);";
    for (call, least) in [
        ("table.find(t, 2)", 2500),
        ("table.concat(t)", 2500),
        ("table.clone(t)", 2500),
        ("table.insert(t, 1, 1)", 2500),
        ("table.remove(t, 1)", 2500),
        ("table.sort(t)", 40_000),
        ("table.clear(t)", 3000),
        ("table.move(t, 1, 1e6, 2)", 50_000),
        ("pairs(t)", 20_000),
        ("sorted(t)", 20_000),
        ("string.find(s, 'y', 1, true)", 78),
        ("s:find('y', 1, true)", 78),
        ("s:find(string.rep('x', 9999) .. 'y', 1, true)", 50_000),
        ("s:match('[' .. string.rep('y', 9999) .. ']')", 50_000),
        ("s:split('y')", 78),
        ("utf8.len(s)", 78),
    ] {
        let mut m = machine(skill(&body(&format!("{many} {call}; coroutine.yield(8)"))));
        m.begin(&[], Pcg64::seed(1)).expect("loads");
        let decision = decide(&mut m, [0; 4]);
        assert!(m.safepoints() >= least, "{call}: {} safepoints, {decision:?}", m.safepoints());
    }
    // What is small stays cheap.
    let mut m = machine(skill(&body("local t = {3, 1}; table.sort(t); coroutine.yield(t[1])")));
    m.begin(&[], Pcg64::seed(1)).expect("loads");
    assert_eq!(decide(&mut m, [0; 4]), Decision::Act(1));
    assert!(m.safepoints() < 20, "{}", m.safepoints());
}

/// Symptom: 64 texts of megabytes each were compiled and kept outside the memory of the machine. Property: a long
/// selector is refused.
#[test]
fn selectors_are_short() {
    let long = "string.rep('is_key, ', 300) .. 'is_key'";
    for lines in [format!("ctx.pick('take', {long}, nil)"), format!("ctx.pick('take', nil, {long})")] {
        assert!(matches!(abort(&lines), Abort::Error(why) if why.contains("at most 2048")), "{lines}");
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
        "args.x = 1",
        "rawset(args, 'x', 1)",
        "setmetatable(args, {__index = {x = 1}})",
        "table.move({1}, 1, 1, 1, args)",
        "getmetatable(vector.create(1, 2, 3)).x = 1",
        "local _, e = pcall(ctx.fact, 'zzz'); getmetatable(e).x = 1",
        "_G.x = 1",
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

/// The coroutine is one for all uses: nothing that a use did to it, or left on it, may show in the next.
#[test]
fn the_coroutine_of_a_use_is_wiped() {
    let code = "
        local function dirty(ctx)
            local own = coroutine.running()
            local inner = coroutine.create(function() coroutine.yield(own) end)
            coroutine.resume(inner)
            pcall(coroutine.resume, own)
            pcall(function() coroutine.yield(1); error(own) end)
            coroutine.yield(2)
            error('broken')
        end
        return { run = function(ctx, ...)
            if ctx.fact('gold') > 0 then dirty(ctx) end
            coroutine.yield(select('#', ...) + (coroutine.isyieldable() and 5 or 0))
        end }";
    let mut fresh = machine(skill(code));
    fresh.begin(&[], Pcg64::seed(1)).expect("loads");
    let clean = decide(&mut fresh, [0; 4]);
    assert!(matches!(clean, Decision::Act(_)), "{clean:?}");
    for decisions in 1..4 {
        let mut m = machine(skill(code));
        for _ in 0..3 {
            m.begin(&[], Pcg64::seed(1)).expect("loads");
            for _ in 0..decisions {
                if m.is_running() {
                    decide(&mut m, [1, 0, 0, 0]);
                }
            }
            m.begin(&[], Pcg64::seed(1)).expect("loads");
            assert_eq!(decide(&mut m, [0; 4]), clean, "after {decisions} decisions");
        }
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
