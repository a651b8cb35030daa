//! What a skill can do: ask, choose, yield, end.

mod common;

use agon_skill::{Compare, Kind, Operand, Param, ParamKind, Skill};
use agon_skill_runtime::{Abort, Decision, Machine, Prepared};
use common::{Toy, body, decide, decide_in, first, literal, machine, skill};
use rl_gym::{Bits, Pcg64};
use std::sync::Arc;

#[test]
fn it_asks_and_chooses() {
    let cases = [
        ("coroutine.yield(ctx.find('take', 2))", 2),
        ("coroutine.yield(ctx.best('take', 'worth'))", 1),
        ("coroutine.yield(ctx.least('take', 'worth'))", 3),
        ("coroutine.yield(ctx.legal('go')[ctx.count('go')])", 7),
        ("coroutine.yield(ctx.fact('gold'))", 7),
        ("if ctx.has('has_key') then coroutine.yield(0) else coroutine.yield(8) end", 8),
        ("coroutine.yield(#ctx.legal() - 1)", 8),
        (
            "local a = ctx.find('go'); coroutine.yield(ctx.verb(a) == 'go' and ctx.arg(a, 1) == 0 and a or 0)",
            4,
        ),
        ("coroutine.yield(ctx.feature(5, 'steps'))", 3),
        ("coroutine.yield(ctx.pick('take', { is_key = true }))", 3),
        ("coroutine.yield(ctx.pick('take', { is_key = 0 }, { worth = -1 }))", 0),
        ("coroutine.yield(ctx.pick('take', { worth = { 4 } }, { ['1'] = 2, worth = 0.5 }))", 2),
        ("coroutine.yield(ctx.pick('go', { ['1'] = { nil, 2 } }, { steps = 1 }))", 6),
        ("coroutine.yield(ctx.pick('take', 'is_key'))", 3),
        ("coroutine.yield(ctx.pick('take', 'not is_key, worth >= 2', '- worth'))", 0),
        ("coroutine.yield(ctx.pick('take', nil, '0.1 worth - is_key'))", 1),
        ("coroutine.yield(ctx.pick('go', '3 <= steps <= 4', 'steps'))", 6),
        ("coroutine.yield(ctx.pick('go', 'steps = 3', { steps = 1 }))", 5),
        ("coroutine.yield(ctx.pick('take', { worth = 5 }, '- 2 worth + 0.5 is_key'))", 1),
        (
            "local t = {}; for k in pairs({b = 1, a = 2}) do t[#t + 1] = k end; coroutine.yield(t[1] == 'a' and 1 or 0)",
            1,
        ),
        ("local n = ctx.random(9); coroutine.yield(n >= 1 and n <= 9 and 5 or 0)", 5),
    ];
    for (lines, action) in cases {
        assert_eq!(first(lines), Decision::Act(action), "{lines}");
    }
}

#[test]
fn it_yields_and_is_resumed_with_the_next_observation() {
    let mut m = machine(skill(&body(
        "while ctx.fact('place') < 5 do coroutine.yield(ctx.best('go', 'steps')) end\ncoroutine.yield(8)",
    )));
    m.begin(&[], Pcg64::seed(1)).expect("loads");
    assert_eq!(decide(&mut m, [0, 0, 0, 1]), Decision::Act(7));
    assert_eq!(decide_in(&mut m, [0, 0, 0, 4], 0x1f), Decision::Act(4));
    assert_eq!(decide(&mut m, [0, 0, 0, 5]), Decision::Act(8));
    assert!(m.is_running());
    assert_eq!(decide(&mut m, [0, 0, 0, 5]), Decision::Done);
    assert!(!m.is_running());
    // The machine can be used again, and starts anew.
    m.begin(&[], Pcg64::seed(1)).expect("loaded");
    assert_eq!(decide(&mut m, [0, 0, 0, 6]), Decision::Act(8));
}

#[test]
fn contracts_end_a_use() {
    let mut s = skill(&body("while true do coroutine.yield(8) end"));
    s.params = vec![Param {
        name: "enough".into(),
        kind: ParamKind::Number { low: 0.0, high: 99.0 },
        default: 3.0,
        doc: String::new(),
    }];
    s.contract.pre = vec![literal("has_key", Compare::AtLeast, Operand::Number(1.0))];
    s.contract.effect = vec![literal("gold", Compare::AtLeast, Operand::Change { start_plus: 2.0 })];
    s.contract.invariant = vec![literal("place", Compare::AtMost, Operand::Param("enough".into()))];
    s.contract.within = 4;
    let prepared = Arc::new(Prepared::new(s, "toy-v1", Arc::new(Toy)).expect("fits"));
    assert!(
        prepared.applies(|i| [0.0, 1.0, 0.0, 0.0][i], &[3.0])
            && !prepared.applies(|i| [9.0, 0.0, 1.0, 0.0][i], &[3.0])
    );
    let mut m = Machine::new(prepared.clone());
    let mut run = |observations: &[[u8; 4]]| {
        m.begin(&prepared.defaults(), Pcg64::seed(1)).expect("loads");
        observations.iter().map(|o| decide(&mut m, *o)).collect::<Vec<_>>().pop()
    };
    assert_eq!(run(&[[5, 1, 0, 0], [6, 1, 0, 0], [7, 1, 0, 0]]), Some(Decision::Done));
    assert_eq!(run(&[[5, 1, 0, 0], [6, 1, 0, 4]]), Some(Decision::Aborted(Abort::Invariant("place".into()))));
    assert_eq!(run(&[[5, 1, 0, 0]; 4]), Some(Decision::Act(8)));
    assert_eq!(run(&[[5, 1, 0, 0]; 5]), Some(Decision::Aborted(Abort::Decisions)));
}

#[test]
fn a_use_that_goes_wrong_says_why() {
    let abort = |lines: &str| match first(lines) {
        Decision::Aborted(abort) => abort,
        other => panic!("{lines}: {other:?}"),
    };
    assert_eq!(abort("coroutine.yield('north')"), Abort::NoAction("a string".into()));
    assert_eq!(abort("coroutine.yield()"), Abort::NoAction("nothing".into()));
    assert_eq!(abort("coroutine.yield(9)"), Abort::Illegal(9.0));
    assert_eq!(abort("coroutine.yield(-1)"), Abort::Illegal(-1.0));
    assert_eq!(abort("coroutine.yield(1.5)"), Abort::Illegal(1.5));
    assert_eq!(abort("coroutine.yield(0/0)").kind(), "illegal");
    for (lines, part) in [
        ("ctx.fact('glod')", "\"glod\" is no fact of this game"),
        ("ctx.find('grab')", "\"grab\" is no verb of this game"),
        ("ctx.pick('take', { price = 1 })", "\"price\" is no feature of \"take\""),
        (
            "ctx.pick('take', { worth = 'much' })",
            "\"worth\" is compared with a number, true, false or {low, high}",
        ),
        ("ctx.pick('take', nil, { worth = 0/0 })", "the weight of \"worth\" is no number"),
        ("ctx.pick('take', { 5 })", "keys are names"),
        ("ctx.pick('take', 5)", "is no selector: give a text or a table"),
        ("ctx.pick('take', 'price')", "\"price\" is no feature of \"take\""),
        ("ctx.pick('take', '')", "\"\" is no condition"),
        ("ctx.pick('take', 'worth > 2')", "\"worth > 2\" is no condition: say"),
        ("ctx.pick('take', 'worth >= much')", "\"much\" is no number"),
        (
            "ctx.pick('take', nil, 'worth is_key')",
            "\"is_key\" in \"worth is_key\" stands where + or - belongs",
        ),
        ("ctx.pick('take', nil, 'worth + 2')", "ends where a feature belongs"),
        ("ctx.pick('take', nil, '')", "ends where a feature belongs"),
        ("ctx.pick('take', nil, '2 3 worth')", "\"3\" is no feature of \"take\""),
        ("ctx.best('take', 'price')", "\"price\" is no feature of \"take\""),
        ("ctx.find('take', 1.5)", "1.5 is no argument"),
        ("ctx.random(0)", "it draws from 1 to n"),
        ("error('so')", "so"),
        ("ctx.nothing()", "nil"),
        ("ctx.fact = nil", "readonly"),
    ] {
        let Abort::Error(why) = abort(lines) else { panic!("{lines}") };
        assert!(why.contains(part), "{lines}: {why}");
    }
    for code in ["return 5", "return {}", "return { run = 5 }", "local x =", "error('at load')", "return nil"]
    {
        let mut m = machine(skill(code));
        let abort = m.begin(&[], Pcg64::seed(1)).expect_err(code);
        assert_eq!(abort.kind(), "load", "{code}: {abort}");
    }
}

#[test]
fn the_same_seed_gives_the_same_decisions_whatever_came_before() {
    let code = body("while true do coroutine.yield(ctx.random(8)) end");
    let run = |m: &mut Machine, seed| {
        m.begin(&[], Pcg64::seed(seed)).expect("loads");
        (0..20).map(|_| decide(m, [0; 4])).collect::<Vec<_>>()
    };
    let (mut fresh, mut used) = (machine(skill(&code)), machine(skill(&code)));
    run(&mut used, 7);
    assert_eq!(run(&mut fresh, 5), run(&mut used, 5));
    assert_ne!(run(&mut fresh, 5), run(&mut fresh, 6));
    assert_eq!(fresh.safepoints(), used.safepoints());
}

#[test]
fn a_policy_is_called_anew_at_each_decision() {
    let mut skill = skill(
        "local calls = 0
        return { run = function(ctx) calls = calls + 1; if ctx.has('door_open') then return nil end return calls end }",
    );
    skill.kind = Kind::Policy;
    let mut machine = machine(skill);
    for _ in 0..2 {
        machine.begin(&[], Pcg64::seed(1)).expect("loads");
        assert_eq!(decide(&mut machine, [0, 0, 0, 0]), Decision::Act(1));
        assert_eq!(decide(&mut machine, [0, 0, 0, 0]), Decision::Act(2));
        assert_eq!(decide(&mut machine, [0, 0, 1, 0]), Decision::Done, "nothing more to do");
    }
}

#[test]
fn a_value_is_a_number_or_an_abort() {
    let value = |body: &str| {
        let mut skill = skill(&common::body(body));
        skill.kind = Kind::Value;
        machine(skill).value(&[7, 0, 0, 2], Bits::new(&[0x1ff], 9), Pcg64::seed(1))
    };
    assert_eq!(value("return ctx.fact('gold') / 10"), Ok(0.7));
    assert_eq!(value("return 0/0").map_err(|a| a.kind()), Err("no_action"));
    assert_eq!(value("return 'much'").map_err(|a| a.kind()), Err("no_action"));
    assert_eq!(value("while true do end").map_err(|a| a.kind()), Err("safepoints"));
}

#[test]
fn tools_are_found_by_hash_called_by_name_and_run_anew() {
    let mut tool = skill("local n = 0\nreturn { double = function(x) n = n + 1; return 2 * x + n end }");
    tool.kind = Kind::Tool;
    tool.name = "arithmetic".into();
    let mut user =
        skill("return { run = function(ctx, args, tools) coroutine.yield(tools.maths.double(3)) end }");
    user.tools.insert("maths".into(), tool.content_hash());
    let tool = Arc::new(tool);
    let prepare = |user: &Skill, tool: &Arc<Skill>| {
        let tool = tool.clone();
        Prepared::with_tools(user.clone(), "toy-v1", Arc::new(common::Toy), move |hash| {
            (hash == tool.content_hash()).then(|| tool.clone())
        })
    };
    let mut machine = Machine::new(Arc::new(prepare(&user, &tool).expect("fits")));
    for _ in 0..2 {
        machine.begin(&[], Pcg64::seed(1)).expect("loads");
        assert_eq!(decide(&mut machine, [0; 4]), Decision::Act(7));
    }
    let other = Arc::new(Skill { code: "return {}".into(), ..(*tool).clone() });
    let error = prepare(&user, &other).expect_err("another tool").to_string();
    assert!(error.contains("tool \"maths\"") && error.contains("is missing"), "{error}");
    let mut option = (*tool).clone();
    option.kind = Kind::Option;
    user.tools.insert("maths".into(), option.content_hash());
    let error = prepare(&user, &Arc::new(option)).expect_err("no tool").to_string();
    assert!(error.contains("is a skill of another kind"), "{error}");
}

#[test]
fn a_skill_that_promises_nothing_has_done_well_when_its_time_is_over() {
    let mut endless = skill(&body("while true do coroutine.yield(8) end"));
    endless.contract.within = 2;
    let ends = |skill: Skill| {
        let mut machine = machine(skill);
        machine.begin(&[], Pcg64::seed(1)).expect("loads");
        (0..3).map(|_| decide(&mut machine, [0; 4])).collect::<Vec<_>>()
    };
    assert_eq!(ends(endless.clone()), [Decision::Act(8), Decision::Act(8), Decision::Done]);
    endless.contract.effect = vec![literal("has_key", Compare::AtLeast, Operand::Number(1.0))];
    assert_eq!(ends(endless.clone())[2], Decision::Aborted(Abort::Decisions));
    // The end of an episode keeps no promise by itself, and breaks none that was not made.
    let finish = |skill: Skill, last: [u8; 4]| {
        let mut machine = machine(skill);
        machine.begin(&[], Pcg64::seed(1)).expect("loads");
        decide(&mut machine, [0; 4]);
        machine.finish(&last)
    };
    assert!(!finish(endless.clone(), [0; 4]) && finish(endless.clone(), [0, 1, 0, 0]));
    endless.contract.effect.clear();
    assert!(finish(endless, [0; 4]));
}

#[test]
fn a_pick_is_the_first_best_of_those_that_fit_whatever_is_shared() {
    // By hand: all legal actions, each feature asked alone.
    let mut rng = Pcg64::seed(7);
    for _ in 0..200 {
        let mask = u64::from(rng.below(512));
        let (low, weight, other) =
            (rng.below(6), f64::from(rng.below(5)) - 2.0, f64::from(rng.below(5)) - 2.0);
        let picked =
            format!("ctx.pick('take', {{ worth = {{ {low} }} }}, {{ worth = {weight}, ['1'] = {other} }})");
        let by_hand = format!(
            "local best, most
            for _, a in ipairs(ctx.legal('take')) do
                local worth = ctx.feature(a, 'worth')
                local score = {other} * ctx.arg(a, 1) + {weight} * worth
                if worth >= {low} and (not most or score > most) then best, most = a, score end
            end"
        );
        let code = format!("{by_hand}\nlocal picked = {picked}\nassert(picked == best)\ncoroutine.yield(8)");
        let mut machine = machine(skill(&body(&code)));
        machine.begin(&[], Pcg64::seed(1)).expect("loads");
        assert_eq!(decide_in(&mut machine, [0; 4], mask | 0x100), Decision::Act(8), "{mask:b} {picked}");
    }
}

/// Symptom: a skill that took a quarter of its memory was broken off at every fifth use, on the garbage of the four
/// before. Property: whether memory is enough depends on the use alone.
#[test]
fn memory_is_counted_for_each_use_alone() {
    for kib in [500, 2000, 5000, 7000] {
        let code = body(&format!("local t = table.create({}, 1); coroutine.yield(8)", kib * 64));
        let mut m = machine(skill(&code));
        for turn in 0..20 {
            m.begin(&[], Pcg64::seed(1)).expect("loads");
            assert_eq!(decide(&mut m, [0; 4]), Decision::Act(8), "{kib} KiB, use {turn}");
        }
    }
    // What is too much is so at the first use and at each that follows small ones.
    let code = "for i = 1, ctx.fact('gold') do table.create(64000, 1) end; coroutine.yield(8)";
    let mut m = machine(skill(&body(code)));
    for gold in [3, 1, 9, 1, 1, 1, 9, 7, 7, 9] {
        m.begin(&[], Pcg64::seed(1)).expect("loads");
        let is_enough = decide(&mut m, [gold, 0, 0, 0]) == Decision::Act(8);
        assert_eq!(is_enough, gold < 9, "{gold}");
    }
}
