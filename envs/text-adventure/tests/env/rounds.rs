//! Rounds of rivals: order, collisions, offers, theft, the end.

use crate::{fixture::arena_env, stage::Stage};
use agon_text_adventure::{Action, Dir, Ent, Over, Verb, Verdict};
use rl_gym::Env;

fn ent(stage: &Stage, name: &str) -> Ent {
    let entities = &stage.env.state().story().entities;
    entities.iter().position(|e| e.name.phrase() == name).unwrap_or_else(|| panic!("no {name}")) as Ent
}

/// Both seats in the hub, seat 0 to be asked.
fn both_in_the_hub(given: &[(&str, &str)], seed: u64) -> Stage {
    let mut stage = Stage::new(arena_env(given), seed);
    stage.act(Action::go(Dir::South));
    assert_eq!(stage.env.state().world().turn(), 0, "nothing happens before all have spoken");
    stage.act(Action::go(Dir::North));
    assert_eq!(stage.env.state().world().turn(), 1);
    stage
}

#[test]
fn the_seat_without_initiative_comes_too_late_and_chooses_again_in_the_same_round() {
    let mut first = [0; 2];
    for seed in 0..12 {
        let mut stage = both_in_the_hub(&[], seed);
        let take = Action::on(Verb::Take, ent(&stage, "gold statue"));
        stage.act(take);
        stage.act(take);
        let state = stage.env.state();
        let late = state.asked().expect("it goes on");
        let holder = state.world().parent(take.a);
        assert_eq!(holder, state.story().seats[1 - late]);
        first[1 - late] += 1;
        assert!(matches!(state.verdict(late), Verdict::TakenFirst(..)));
        assert_eq!((state.world().turn(), stage.metrics[9]), (1, 1.0), "the round goes on");
        stage.act(Action::go(Dir::Down));
        assert_eq!(stage.env.state().world().turn(), 2);
    }
    assert!(first[0] > 1 && first[1] > 1, "the first round's initiative follows from the seed: {first:?}");
}

#[test]
fn initiative_changes_from_round_to_round() {
    let mut stage = Stage::new(arena_env(&[]), 1);
    let first = agon_text_adventure::observe::at::first;
    let mut order = Vec::new();
    for _ in 0..6 {
        order.push(stage.row(0).0[first]);
        assert_eq!(stage.row(0).0[first] + stage.row(1).0[first], 1);
        stage.act(Action::bare(Verb::Wait));
        stage.act(Action::bare(Verb::Wait));
    }
    assert!(order.windows(2).all(|w| w[0] != w[1]), "{order:?}");
}

#[test]
fn offers_are_made_declined_accepted_and_counted() {
    let mut stage = both_in_the_hub(&[], 2);
    let (statue, wait) = (ent(&stage, "gold statue"), Action::bare(Verb::Wait));
    stage.act(Action::on(Verb::Take, statue));
    stage.act(Action::go(Dir::South));
    stage.act(wait);
    let lamp = ent(&stage, "blue lamp");
    stage.act(Action::on(Verb::Take, lamp));
    stage.act(wait);
    stage.act(Action::go(Dir::North));
    let (zero, one) = (stage.env.state().story().seats[0], stage.env.state().story().seats[1]);
    stage.act(Action::with(Verb::Offer, statue, lamp));
    stage.act(wait);
    assert_eq!(stage.env.state().world().deal(1).from, zero);
    let deal = agon_text_adventure::observe::at::deal;
    assert!(stage.row(1).0[deal..deal + 3].iter().all(|x| *x > 0) && stage.row(0).0[deal] == 0);
    stage.act(wait);
    stage.act(Action::on(Verb::Accept, zero));
    let world = stage.env.state().world();
    assert_eq!((world.parent(statue), world.parent(lamp), stage.metrics[10]), (one, zero, 1.0));
}

#[test]
fn theft_is_possible_only_where_allowed_and_once_in_five_rounds() {
    let steals = |s: &Stage| s.env.actions().iter().any(|a| a.verb == Verb::Steal);
    for theft in ["off", "on"] {
        let mut stage = both_in_the_hub(&[("theft", theft)], 2);
        let wait = Action::bare(Verb::Wait);
        let statue = ent(&stage, "gold statue");
        stage.act(Action::on(Verb::Take, statue));
        stage.act(wait);
        stage.act(wait);
        assert_eq!(steals(&stage), theft == "on");
        if theft == "off" {
            continue;
        }
        stage.act(Action::on(Verb::Steal, statue));
        assert_eq!(stage.env.state().world().parent(statue), stage.env.state().story().seats[1]);
        // Seat 0 is told, and takes it back: its own pause has not begun.
        assert!(stage.env.state().news(0).count() > 0);
        stage.act(Action::on(Verb::Steal, statue));
        stage.act(wait);
        let mut rounds = 0;
        loop {
            rounds += 1;
            stage.act(wait);
            if steals(&stage) {
                break;
            }
            stage.act(wait);
        }
        assert_eq!(rounds, 4, "stolen in one round, again in the fifth after it");
    }
}

#[test]
fn banked_value_decides_and_ties_share_the_first_place() {
    let mut stage = Stage::new(arena_env(&[]), 7);
    let wait = Action::bare(Verb::Wait);
    let mut ranks = [9; 2];
    assert!(!stage.env.ranks(&mut ranks), "it goes on");
    let statue = ent(&stage, "gold statue");
    let vault = ent(&stage, "red vault");
    for action in [
        Action::go(Dir::South),
        Action::on(Verb::Take, statue),
        Action::go(Dir::North),
        Action::with(Verb::PutOn, statue, vault),
    ] {
        stage.act(action);
        stage.act(wait);
    }
    let mut points = [0.0; 2];
    stage.env.points(&mut points);
    assert_eq!((points, stage.env.state().world().score(0)), ([4.0, 0.0], 4));
    let mut paid = 0.0;
    while !stage.is_over() {
        stage.act(wait);
        paid += stage.reward[0];
        assert_eq!(stage.reward[0], -stage.reward[1]);
    }
    assert_eq!((stage.env.state().over(), stage.env.state().world().turn(), paid), (Over::Settled, 60, 1.0));
    assert!(stage.env.ranks(&mut ranks) && ranks == [0, 1]);
    assert!(stage.flags.iter().all(|f| f.contains(rl_gym::Flags::TERMINATED)));
    stage.reset(8);
    while !stage.is_over() {
        stage.act(wait);
    }
    assert!(stage.env.ranks(&mut ranks) && ranks == [0, 0] && stage.reward == [0.0, 0.0]);
}
