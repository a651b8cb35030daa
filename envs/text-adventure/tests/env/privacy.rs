//! What a seat is shown does not change with what it may not know.

use crate::{common::cellar, fixture, stage::Stage};
use agon_text_adventure::{
    Action, Attr, Bit, Dir, Ent, MAX_SEATS, Mode, NONE, Scope, Set, Stakes, Story, TextAdventure, Verb,
    observe::{View, WORDS, at, col, word_id},
    predicates::{PREDICATES, Query},
};
use rl_gym::{Pcg64, TextEnv};

/// Everything that a seat is shown: its row and its text.
fn shown(stage: &Stage, seat: usize) -> (Vec<u8>, String) {
    let mut text = String::new();
    stage.env.observe_text(seat, &mut text);
    (stage.row(seat).0, text)
}

/// The story with everything that `seat` does not see or carry put elsewhere and changed.
fn scrambled(story: &Story, seat: usize, rng: &mut Pcg64) -> Story {
    let mut other = story.clone();
    let scope = Scope::of(story, &story.start, story.seats[seat]);
    let shut_away = |e: Ent| {
        // A closed thing in sight keeps its secret: what is in it may be anything.
        let mut at = story.start.parent(e);
        while at != NONE && !story.is_room(at) {
            if scope.seen.has(at) {
                return true;
            }
            at = story.start.parent(at);
        }
        false
    };
    for e in story.rooms..story.len() as Ent {
        // Nobody has read anything yet.
        other.entities[usize::from(e)].writing = format!("secret {}", rng.below(1000));
        let is_seat = story.seats.contains(&e);
        if scope.seen.has(e) || e == scope.me || is_seat || story.start.parent(e) == NONE {
            continue;
        }
        other.start.put(e, Bit::Open, rng.below(2) == 0);
        other.start.put(e, Bit::On, false);
        if !shut_away(e) {
            let rooms: Vec<Ent> = (0..story.rooms).filter(|r| *r != scope.room).collect();
            other.start.place(e, rooms[rng.below(rooms.len() as u32) as usize]);
        }
    }
    other
}

#[test]
fn hidden_things_and_other_rooms_change_nothing() {
    let mut rng = Pcg64::seed(9);
    for seats in [2, 3] {
        let (story, stakes) = fixture::arena(seats);
        let count = seats.to_string();
        let make = |story: Story| {
            let config = fixture::typed(&[("seats", &count)]);
            Stage::new(
                TextAdventure::of_story(&config, story, Some(stakes.clone())).expect("an environment"),
                4,
            )
        };
        let plain = make(story.clone());
        for seat in 0..seats {
            for _ in 0..20 {
                let other = make(scrambled(&story, seat, &mut rng));
                assert_ne!(other.env.state().world(), plain.env.state().world());
                assert!(shown(&other, seat) == shown(&plain, seat), "seat {seat} of {seats}");
            }
        }
    }
    let (story, _) = cellar();
    let config = fixture::typed(&[("mode", "solo")]);
    let make = |story: Story| Stage::new(TextAdventure::of_story(&config, story, None).expect("one"), 4);
    let plain = make(story.clone());
    for _ in 0..20 {
        let other = make(scrambled(&story, 0, &mut rng));
        assert!(shown(&other, 0) == shown(&plain, 0), "it is shown");
    }
}

#[test]
fn what_treasures_are_worth_to_others_is_never_shown() {
    // Two games in which seat 1 values everything otherwise; seat 0 sees the same rows all the way.
    let stakes = |story: &Story, other: u8| {
        let vaults: Vec<Ent> = ["red vault", "blue vault"].iter().map(|n| find(story, n)).collect();
        let worth = |mine: u8| {
            let mut worth = [0; MAX_SEATS];
            (worth[0], worth[1]) = (mine, other);
            worth
        };
        let names = ["red gem", "blue gem", "gold statue", "black pearl"];
        let treasures: Vec<_> =
            names.iter().zip([2, 6, 4, 4]).map(|(n, w)| (find(story, n), worth(w))).collect();
        Stakes::new(story, &vaults, &treasures)
    };
    let config = fixture::typed(&[]);
    assert_eq!(config.mode, Mode::Rival);
    let make = |other| {
        let (story, _) = fixture::arena(2);
        let stakes = stakes(&story, other);
        Stage::new(TextAdventure::of_story(&config, story, Some(stakes)).expect("an environment"), 4)
    };
    let (mut one, mut two) = (make(1), make(9));
    let mut rng = Pcg64::seed(2);
    while !one.is_over() {
        let k = rng.below(one.env.actions().len() as u32);
        one.send(&[k]);
        two.send(&[k]);
        assert!(shown(&one, 0) == shown(&two, 0), "it is shown");
    }
}

/// A column of the row of an entity, 0 when it is not in sight.
fn cell(row: &[u8], e: Ent, column: usize) -> u8 {
    let view = View::read(row);
    view.entities().find(|seen| seen.id() == e).map_or(0, |seen| seen.get(column))
}

#[test]
fn what_others_took_and_put_back_shows_no_trace() {
    let mut stage = Stage::new(fixture::arena_env(&[]), 6);
    let red_lamp = find(stage.env.state().story(), "red lamp");
    let act = |stage: &mut Stage, seat: usize, action: Action| {
        // The other seat waits.
        for _ in 0..2 {
            match stage.env.state().asked() {
                Some(asked) if asked == seat => stage.act(action),
                _ => stage.act(Action::bare(Verb::Wait)),
            }
        }
    };
    let go = |d: Dir| Action::on(Verb::Go, d.slot());
    act(&mut stage, 0, Action::on(Verb::Take, red_lamp));
    act(&mut stage, 0, Action::on(Verb::Drop, red_lamp));
    assert!(stage.env.state().world().is(red_lamp, Bit::Moved));
    assert_eq!(cell(&stage.row(0).0, red_lamp, col::moved), 1, "whoever took it knows");
    // The other one comes from its study through the hub.
    act(&mut stage, 1, go(Dir::North));
    act(&mut stage, 1, go(Dir::North));
    let row = stage.row(1).0;
    assert_eq!(cell(&row, red_lamp, col::id), red_lamp + 1, "it is in sight");
    assert_eq!(cell(&row, red_lamp, col::moved), 0, "nobody else does");
    act(&mut stage, 1, Action::on(Verb::Take, red_lamp));
    assert_eq!(cell(&stage.row(1).0, red_lamp, col::moved), 1);
}

#[test]
fn what_is_written_is_told_to_its_reader_alone() {
    let config = fixture::typed(&[]);
    let (mut story, stakes) = fixture::arena(2);
    let statue = find(&story, "gold statue");
    story.entities[usize::from(statue)].writing = "Beware of zealous zebras.".into();
    story.mark(statue, Attr::Readable);
    story.seal();
    let mut stage =
        Stage::new(TextAdventure::of_story(&config, story, Some(stakes)).expect("an environment"), 4);
    let round = |stage: &mut Stage, actions: [Action; 2]| {
        while let Some(seat) = stage.env.state().asked() {
            stage.act(actions[seat]);
            if seat == 1 {
                break;
            }
        }
    };
    round(&mut stage, [Action::on(Verb::Go, Dir::South.slot()), Action::on(Verb::Go, Dir::North.slot())]);
    round(&mut stage, [Action::on(Verb::Read, statue), Action::bare(Verb::Wait)]);
    let news = |seat: usize, word: &str| stage.row(seat).0[at::news_words + usize::from(word_id(word))];
    for word in ["zealous", "zebras"] {
        assert_eq!((news(0, word), news(1, word)), (1, 0), "{word}");
    }
    assert!(news(1, "statue") > 0, "it was seen that somebody reads it");
}

#[test]
fn the_objective_is_in_the_row_as_it_is_told() {
    for given in [
        &[("mode", "solo"), ("level", "10"), ("hints", "steps")][..],
        &[("mode", "solo"), ("level", "10"), ("hints", "riddle")],
        &[("mode", "coop"), ("level", "12")],
        &[("mode", "rival")],
    ] {
        let options = [given, &[("games", "4")]].concat();
        let mut stage = Stage::new(TextAdventure::new(&fixture::typed(&options)).expect("games"), 0);
        for episode in 0..4 {
            stage.reset(episode);
            for seat in 0..stage.reward.len() {
                let (row, text) = shown(&stage, seat);
                let objective = stage.env.state().story().objective.clone();
                assert!(!objective.is_empty() && text.contains(&objective), "{text}");
                let mut want = vec![0u8; WORDS + 1];
                objective
                    .split(|c: char| !c.is_ascii_alphanumeric())
                    .filter(|w| !w.is_empty())
                    .for_each(|w| want[usize::from(word_id(w))] += 1);
                assert!(row[at::goal_words..] == want[..], "{objective}");
            }
        }
    }
}

fn find(story: &Story, name: &str) -> Ent {
    story.entities.iter().position(|e| e.name.phrase() == name).unwrap_or_else(|| panic!("no {name}")) as Ent
}

#[test]
fn a_command_is_unknown_to_the_others_until_the_round_is_carried_out() {
    let mut rng = Pcg64::seed(3);
    let mut stage = Stage::new(fixture::arena_env(&[]), 6);
    for _ in 0..60 {
        let before = shown(&stage, 1);
        let list = stage.env.actions().len() as u32;
        if stage.is_over() || stage.env.state().asked() != Some(0) {
            break;
        }
        let turn = stage.env.state().world().turn();
        stage.send(&[rng.below(list)]);
        if stage.env.state().world().turn() == turn {
            // Only what seat 1 itself can do is new: it is asked now.
            let (mut row, text) = shown(&stage, 1);
            let actions = agon_text_adventure::observe::at::actions;
            row[actions..actions + 3 * agon_text_adventure::observe::ACTIONS].fill(0);
            assert!(row == before.0, "the row has changed");
            assert_eq!(text, before.1);
        }
        while stage.env.state().asked() == Some(1) {
            stage.random(&mut rng);
        }
    }
}

#[test]
fn predicates_known_to_a_seat_do_not_depend_on_what_is_out_of_sight() {
    let mut rng = Pcg64::seed(11);
    let (story, _) = fixture::arena(2);
    for _ in 0..10 {
        let other = scrambled(&story, 0, &mut rng);
        let mut answered = 0;
        for p in PREDICATES.iter().filter(|p| p.args.len() <= 2) {
            for (i, e) in story.entities.iter().enumerate() {
                let text = match p.args {
                    [agon_text_adventure::predicates::Arg::Entity] => {
                        format!("{}({})", p.name, e.name.phrase())
                    }
                    [
                        agon_text_adventure::predicates::Arg::Entity,
                        agon_text_adventure::predicates::Arg::Entity,
                    ] => {
                        let second = &story.entities[(i * 7 + 3) % story.len()];
                        format!("{}({}, {})", p.name, e.name.phrase(), second.name.phrase())
                    }
                    [] if i == 0 => p.name.to_owned(),
                    _ => continue,
                };
                let query = Query::parse(&story, &text).expect("a predicate");
                let known = query.known_to(&story, &story.start, 0);
                answered += usize::from(known.is_some());
                assert_eq!(known, query.known_to(&other, &other.start, 0), "{text}");
                if let Some(known) = known {
                    assert_eq!(known, query.holds(&story, &story.start, 0), "{text}");
                }
            }
        }
        assert!(answered > 100, "{answered}");
    }
    assert!(Set::EMPTY.is_empty());
}
