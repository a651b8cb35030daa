//! Generated worlds for several seats: fair for rivals, impossible alone for partners.

use agon_text_adventure::{
    Bit, Cond, End, Pred, Term, Verb,
    generate::{Knobs, Quest, RivalKnobs, ThemeName, coop, digest, level, rival},
    planner::{Budget, Goal, NoPlan, Planner, act},
};

#[test]
fn rivals_have_equal_plans_for_every_class_and_the_same_sum_of_values() {
    let mut planner = Planner::default();
    for seed in 0..18 {
        let seats = 2 + (seed % 3) as u8;
        let knobs = RivalKnobs {
            seats,
            wing: 2 + (seed % 4) as u8,
            treasures: (seats + 1 + (seed % 3) as u8).clamp(4, 7),
            theme: Some(ThemeName::ALL[seed as usize % 6]),
            ..RivalKnobs::default()
        };
        let world = rival(&knobs, seed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let story = &world.story;
        assert_eq!((story.seats.len(), world.vaults.len()), (seats.into(), seats.into()));
        assert_eq!(world.treasures.len(), usize::from(knobs.treasures));
        let budget = Budget::default();
        let lengths = |planner: &mut Planner, seat: usize| {
            let mut all: Vec<(u8, usize)> = Vec::new();
            for t in &world.treasures {
                let lies = Cond::yes(Pred::At(Term::Ent(t.thing), Term::Ent(world.vaults[seat])));
                let plan =
                    planner.plan(story, &story.start, seat, &Goal::All(vec![lies]), &budget).expect("a plan");
                all.push((t.class, plan.actions.len()));
            }
            all.sort_unstable();
            all
        };
        let first = lengths(&mut planner, 0);
        for seat in 1..usize::from(seats) {
            assert_eq!(lengths(&mut planner, seat), first, "seed {seed}, seat {seat}");
        }
        // One multiplier a class, 0 to 3, the same ones for all seats.
        let multipliers = |seat: usize| {
            let mut of: Vec<(u8, u8)> =
                world.treasures.iter().map(|t| (t.class, t.worth[seat] / t.base)).collect();
            of.dedup();
            let mut m: Vec<u8> = of.into_iter().map(|x| x.1).collect();
            m.sort_unstable();
            m
        };
        assert!(
            multipliers(0).iter().all(|m| *m <= 3)
                && (1..seats.into()).all(|s| multipliers(s) == multipliers(0))
        );
        assert_eq!(digest(story), digest(&rival(&knobs, seed).expect("made before").story));
    }
}

#[test]
fn a_twin_key_opens_and_nobody_keeps_both() {
    let world = rival(&RivalKnobs::default(), 3).expect("a world");
    let story = &world.story;
    let case = (0..story.len() as u8).find(|e| story.start.is(*e, Bit::Locked)).expect("a locked case");
    let keys: Vec<u8> = (0..story.len() as u8).filter(|k| story.opens(case, *k)).collect();
    assert_eq!(keys.len(), 2);
    let mut planner = Planner::default();
    for (seat, key) in keys.iter().enumerate() {
        let mut state = story.start;
        let open = Goal::All(vec![Cond::yes(Pred::Has(Term::Ent(case), Bit::Open))]);
        let plan = planner.plan(story, &state, seat, &open, &Budget::default()).expect("a plan");
        plan.actions.iter().for_each(|a| act(story, &mut state, story.seats[seat], *a).expect("it works"));
        assert!(plan.actions.iter().any(|a| a.verb == Verb::Unlock && a.b == *key), "{seat}: {plan:?}");
        let both = keys.iter().map(|k| Cond::yes(Pred::At(Term::Ent(*k), Term::Me))).collect();
        let none = planner.plan(
            story,
            &story.start,
            seat,
            &Goal::All(both),
            &Budget { nodes: 300, ..Budget::default() },
        );
        assert!(none.is_err(), "{none:?}");
    }
}

#[test]
fn bad_rival_knobs_are_refused_by_name() {
    let error = |knobs: RivalKnobs| rival(&knobs, 1).expect_err("refused").to_string();
    let base = RivalKnobs::default;
    assert_eq!(error(RivalKnobs { seats: 5, ..base() }), "knob `seats` is 5, but must be 2 to 4");
    assert_eq!(
        error(RivalKnobs { seats: 4, treasures: 4, ..base() }),
        "knob `treasures` is 4, but must be 5 to 7"
    );
    let loose = rival(&RivalKnobs { strict: false, ..base() }, 1).expect("a world");
    let strict = rival(&base(), 1).expect("a world");
    assert_eq!(loose.story.rooms, strict.story.rooms + 1);
}

#[test]
fn partners_win_together_and_nobody_alone() {
    let mut planner = Planner::default();
    for seed in 0..8 {
        let seats = 2 + (seed % 3) as u8;
        let knobs = Knobs {
            rooms: 10,
            gates: 4,
            nesting: 2,
            dark: 1,
            quests: vec![Quest::Fetch, Quest::Deliver, Quest::Assemble, Quest::Cook],
            ..level(15)
        };
        let knobs = Knobs { choice_bits: [0, 1000], ..knobs };
        let game = coop(&knobs, seats, seed).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let story = &game.story;
        assert_eq!(story.seats.len(), usize::from(seats));
        let alone = planner.plan(story, &story.start, 0, &Goal::Win, &Budget::default());
        assert!(matches!(alone, Err(NoPlan::Impossible { .. })), "{alone:?}");
        let mut world = story.start;
        for &(seat, action) in &game.script {
            act(story, &mut world, story.seats[seat], action).unwrap_or_else(|e| panic!("{action:?}: {e:?}"));
        }
        let points: i16 = (0..story.seats.len()).map(|s| world.score(s)).sum();
        assert_eq!((world.end(), points), (End::Won, story.max_score));
        let busy = (0..story.seats.len()).filter(|s| game.script.iter().any(|x| x.0 == *s)).count();
        assert_eq!(busy, story.seats.len(), "somebody has nothing to do");
    }
    let error = coop(&Knobs { gates: 1, ..Knobs::default() }, 3, 1).expect_err("refused").to_string();
    assert!(error.starts_with("knob `gates` is 1, but must be 2 at least"), "{error}");
}
