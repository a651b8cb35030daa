//! Index, triple and text say the same thing.

use crate::{
    common::cellar,
    fixture::{arena_env, typed},
    stage::Stage,
};
use agon_text_adventure::{NONE, Over, TextAdventure, Verdict, World, prose::command_text};
use rl_gym::{Env, Pcg64, TextEnv};

fn cellar_stage(actions: &str) -> Stage {
    let config = typed(&[("mode", "solo"), ("actions", actions), ("implicit", "off")]);
    Stage::new(TextAdventure::of_story(&config, cellar().0, None).expect("an environment"), 1)
}

const fn part(e: u8) -> u32 {
    if e == NONE { 0 } else { e as u32 + 1 }
}

#[test]
fn the_same_action_has_the_same_successor_in_all_three() {
    let [mut id, mut triple, mut text] = ["id", "triple", "text"].map(cellar_stage);
    let mut rng = Pcg64::seed(5);
    let mut steps = 0u32;
    while steps < 400 {
        if id.is_over() {
            [&mut id, &mut triple, &mut text].into_iter().for_each(|s| s.reset(u64::from(steps)));
        }
        let list = id.env.actions().to_vec();
        assert_eq!(list, triple.env.actions());
        let k = rng.below(list.len() as u32);
        let action = list[k as usize];
        let mut line = String::new();
        command_text(id.env.state().story(), action, &mut line);
        id.send(&[k]);
        triple.send(&[action.verb as u32, part(action.a), part(action.b)]);
        text.say(&line);
        let worlds: [&World; 3] = [&id, &triple, &text].map(|s| s.env.state().world());
        assert_eq!(worlds[0], worlds[1], "{line}");
        assert_eq!(worlds[0], worlds[2], "{line}");
        assert_eq!((&id.reward, &id.flags), (&triple.reward, &triple.flags), "{line}");
        assert_eq!((&id.reward, &id.flags), (&text.reward, &text.flags), "{line}");
        steps += 1;
    }
}

#[test]
fn a_text_that_is_not_understood_costs_no_turn_and_moves_nothing() {
    let mut stage = cellar_stage("text");
    let before = *stage.env.state().world();
    for line in
        ["", "xyzzy", "take the moon", "open chest with", "put lamp", "take all except everything", "undo"]
    {
        stage.say(line);
        assert_eq!(*stage.env.state().world(), before, "{line}");
        let verdict = stage.env.state().verdict(0);
        assert!(
            !matches!(verdict, Verdict::Nothing | Verdict::Done | Verdict::NoEffect),
            "{line}: {verdict:?}"
        );
        let mut told = String::new();
        stage.env.state().feedback(0, &mut told);
        assert!(!told.is_empty(), "{line:?} is answered");
    }
    // Understood, and not possible.
    stage.say("unlock door with key");
    assert_eq!(*stage.env.state().world(), before);
    stage.say("open chest. take key then unlock oak door with it");
    assert_eq!(stage.env.state().world().turn(), 3);
    let (invalid, questions) = (stage.metrics[4] * 11.0, stage.metrics[8]);
    assert!(
        (invalid + questions - 8.0).abs() < 1e-4,
        "8 of 11 commands came to nothing: {invalid}, {questions}"
    );
}

#[test]
fn illegal_indices_move_nothing_and_babble_ends() {
    let mut stage = cellar_stage("id");
    let (hash, row) = (stage.env.state_hash(), stage.row(0));
    stage.send(&[stage.env.actions().len() as u32]);
    assert!(stage.flags[0].contains(rl_gym::Flags::ILLEGAL));
    assert!(stage.env.state_hash() == hash && stage.row(0) == row, "something moved");
    let mut text = cellar_stage("text");
    let cap = text.env.state().story().cap;
    let mut lines = 0;
    while !text.is_over() {
        text.say("mumble");
        lines += 1;
        assert!(lines <= 4 * u32::from(cap));
    }
    assert_eq!((text.env.state().over(), lines), (Over::Cut, 4 * u32::from(cap)));
}

#[test]
fn rivals_can_play_by_text_and_talk_where_it_is_allowed() {
    let mut stage = Stage::new(arena_env(&[("actions", "text"), ("chat", "on")]), 3);
    let told = |s: &Stage, seat| {
        let mut text = String::new();
        s.env.state().feedback(seat, &mut text);
        text
    };
    assert_eq!(stage.env.state().asked(), Some(0));
    stage.say("take lamp. go south");
    assert_eq!(
        (stage.env.state().asked(), stage.env.state().world().turn()),
        (Some(0), 0),
        "one command a round"
    );
    stage.say("south");
    stage.say("north");
    assert_eq!((stage.env.state().asked(), stage.env.state().world().turn()), (Some(0), 1));
    // Both are in the hub now.
    assert!(told(&stage, 0).to_lowercase().contains("blue player"), "{}", told(&stage, 0));
    stage.say("say hello there");
    assert!(told(&stage, 0).contains("hello there"));
    stage.say("wait");
    assert!(told(&stage, 1).contains("hello there"), "{}", told(&stage, 1));
    // Whoever babbles on waits, so that the other one can play.
    for _ in 0..8 {
        assert_eq!(stage.env.state().asked(), Some(1));
        stage.say("mumble");
    }
    assert_eq!((stage.env.state().asked(), stage.env.state().world().turn()), (Some(0), 2));
}

#[test]
fn every_listed_name_is_read_back_and_what_is_not_listed_is_explained() {
    let stage = cellar_stage("id");
    let mut count = 0;
    stage.env.legal_text(0, &mut |index, name| {
        assert_eq!(stage.env.parse(0, name).ok(), Some(index), "{name}");
        count += 1;
    });
    assert_eq!(count, stage.env.actions().len());
    let error = stage.env.parse(0, "unlock oak door with brass key").expect_err("the key is not in sight");
    assert!(error.to_string().contains("Now: "), "{error}");
    let mut seen = String::new();
    stage.env.observe_text(0, &mut seen);
    assert!(seen.contains("Hall") && seen.contains("Score 0 of 3") && seen.len() < 2048, "{seen}");
}
