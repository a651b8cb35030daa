//! The printed code of every form, letter by letter, and that it loads.

mod common;

use agon_skill::{Compare, Literal, Operand};
use agon_skill_distill::{Bound, Ir, Range, Rule, Selector, Until, Weight, print};
use agon_skill_runtime::lint;
use common::Words;

fn literal(fact: &str, is: Compare, to: Operand) -> Literal {
    Literal { fact: fact.into(), is, to }
}

fn take() -> Selector {
    let mut take = Selector::of("take");
    take.want = vec![("size".into(), Range::Between(1.0, 3.5)), ("worth".into(), Range::AtLeast(1.0))];
    take.weigh =
        vec![Weight { of: "worth".into(), weight: 1.0 }, Weight { of: "size".into(), weight: -0.25 }];
    take
}

#[test]
fn every_form_prints_as_it_should() {
    let mut open = Selector::of("open");
    open.want = vec![("is_closed".into(), Range::Is(true))];
    let mut again = Selector::of("take");
    again.args = vec![Bound::Same("thing".into())];
    let mut given = take();
    given.args = vec![Bound::Param("what".into())];
    let has = |fact: &str| literal(fact, Compare::AtLeast, Operand::Number(1.0));
    let not = |fact: &str| literal(fact, Compare::AtMost, Operand::Number(0.0));
    let ir = Ir::Seq(vec![
        Ir::Act { pick: open, keep: vec![(0, "thing".into())] },
        Ir::Act { pick: again, keep: Vec::new() },
        Ir::Repeat {
            body: Box::new(Ir::Act { pick: given, keep: vec![(0, "thing2".into())] }),
            until: Until::Can(Selector::of("go")),
            most: 4,
        },
        Ir::Repeat {
            body: Box::new(Ir::Act { pick: Selector::of("wait"), keep: Vec::new() }),
            until: Until::Holds(has("rested")),
            most: 2,
        },
        Ir::If {
            when: vec![not("loud"), literal("gold", Compare::AtLeast, Operand::Change { start_plus: 2.0 })],
            then: Box::new(Ir::Act { pick: Selector::of("shout"), keep: Vec::new() }),
            otherwise: Box::new(Ir::Choose(vec![
                Rule { when: vec![literal("pebbles", Compare::AtMost, Operand::Number(2.5))], pick: take() },
                Rule { when: Vec::new(), pick: Selector::of("wait") },
            ])),
        },
    ]);
    let code = print(&ir, &["Does everything, to show how it looks.".into()], &Words);
    let golden = r#"-- Does everything, to show how it looks.
return {
    run = function(ctx, args)
        local thing2
        local open = ctx.pick("open", "is_closed")
        if not open then return end
        local thing = ctx.arg(open, 1)
        coroutine.yield(open)

        local take = ctx.find("take", thing)
        if not take then return end
        coroutine.yield(take)

        for _ = 1, 4 do
            if ctx.find("go") then break end
            take = ctx.pick("take", { ["1"] = args.what, size = { 1, 3.5 }, worth = { 1 } }, "worth - 0.25 size")
            if not take then return end
            thing2 = ctx.arg(take, 1)
            coroutine.yield(take)
        end

        for _ = 1, 2 do
            if ctx.has("rested") then break end
            local wait = ctx.find("wait")
            if not wait then return end
            coroutine.yield(wait)
        end

        if not ctx.has("loud") and ctx.fact("gold") >= ctx.start("gold") + 2 then
            local shout = ctx.find("shout")
            if not shout then return end
            coroutine.yield(shout)
        else
            local action
            if ctx.fact("pebbles") <= 2.5 then action = ctx.pick("take", "1 <= size <= 3.5, worth >= 1", "worth - 0.25 size") end
            action = action or ctx.find("wait")
            if not action then return end
            coroutine.yield(action)
        end
    end,
}
"#;
    assert_eq!(code, golden, "{code}");
    assert_eq!(lint(&code), []);
}

#[test]
fn forms_survive_being_written_and_read() {
    let ir = Ir::Repeat {
        body: Box::new(Ir::Choose(vec![Rule { when: Vec::new(), pick: take() }])),
        until: Until::Effect,
        most: 12,
    };
    let text = serde_json::to_string(&ir).expect("writes");
    assert_eq!(serde_json::from_str::<Ir>(&text).expect("reads"), ir, "{text}");
    assert!(print(&ir, &[], &Words).contains("for _ = 1, 12 do"));
}
