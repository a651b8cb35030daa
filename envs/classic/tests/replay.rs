//! Replays of all four games: recorded, saved, loaded, verified; and what happens to broken ones.

use proptest::prelude::*;
use rl_gym::{
    Autoreset, BatchConfig, BatchEnv, EpisodeSeed, Flags, Game, GymError, LaneReset, OnIllegal, Options,
    Pcg64, RecordConfig, Recorder, Replay, VecEnv,
};
use std::ops::ControlFlow;

fn config(autoreset: Autoreset, on_illegal: OnIllegal) -> BatchConfig {
    BatchConfig { autoreset, on_illegal, ..BatchConfig::lanes(2) }
}

fn act_randomly(batch: &mut VecEnv, rng: &mut Pcg64) {
    let space = batch.spec().action.clone();
    let (view, mut actions) = batch.parts();
    for row in 0..view.shape().rows() {
        if view.flags(row).contains(Flags::TO_ACT) {
            space.sample(view.mask(row), rng, actions.row_mut(row));
        }
    }
}

/// Random play on lane 1 of two, recorded.
fn record(game: &Game, number: u32, every: u32) -> Replay {
    record_with(game, game.defaults(), number, every)
}

fn record_with(game: &Game, options: Options, number: u32, every: u32) -> Replay {
    let mut batch =
        VecEnv::new(&game.factory(options.clone()), config(Autoreset::Disabled, OnIllegal::Report))
            .expect("batch");
    batch.reset(0);
    let seed = EpisodeSeed::tree(9, 1, number);
    batch.reset_lanes(&[LaneReset { lane: 1, seed: Some(seed) }]);
    let labels = (0..batch.spec().seats).map(|seat| format!("random-{seat}")).collect();
    let config = RecordConfig { every, ..RecordConfig::new(labels, seed) };
    let mut recorder = Recorder::begin(game, &options, config, &mut batch, 1).expect("a recorder");
    let mut rng = Pcg64::seed(u64::from(number));
    loop {
        act_randomly(&mut batch, &mut rng);
        recorder.before_step(&mut batch);
        batch.step();
        if recorder.after_step(&mut batch).expect("no reset") {
            recorder.annotate(Some(0), "the end");
            return recorder.finish(&mut batch);
        }
    }
}

#[test]
fn every_game_is_recorded_saved_loaded_and_verified() {
    for game in agon_classic::games() {
        for (number, every) in [(0, 1), (1, 3), (2, 64)] {
            let replay = record(&game, number, every);
            let back = Replay::load(&replay.save().expect("bytes")).expect("a replay");
            assert_eq!(back, replay);
            let report = back.verify(&game).expect("the same rules");
            assert_eq!((report.steps, &report.divergence), (replay.steps(), &None), "{report}");
            assert_eq!(report.checkpoints as usize, replay.checkpoints().count());
            assert_eq!(replay.annotations[0].step, replay.steps());
        }
    }
}

#[test]
fn playing_shows_actions_chance_and_rows_of_all_seats() {
    let game = agon_classic::kuhn_poker();
    let replay = record(&game, 3, 1);
    let mut seen = Vec::new();
    replay
        .play(&game, |moment| {
            let rows: Vec<f32> = (0..2).map(|seat| moment.view().reward(seat)).collect();
            let both_see_cards = (0..2).all(|seat| moment.view().obs(seat).iter().any(|b| *b != 0));
            assert!(both_see_cards);
            seen.push((moment.step, moment.acted.to_vec(), moment.chance.len(), rows));
            ControlFlow::Continue(())
        })
        .expect("a whole game");
    assert_eq!(seen.len() as u32, replay.steps() + 1);
    assert_eq!((seen[0].1.as_slice(), seen[0].2), ([false, false].as_slice(), 2));
    assert_eq!((seen[1].1.as_slice(), seen[1].2), ([true, false].as_slice(), 0));
    assert!(seen.last().expect("states").3.iter().any(|r| *r != 0.0));
}

#[test]
fn a_difference_is_named_with_its_step() {
    let game = agon_classic::tic_tac_toe();
    let mut other = record(&game, 1, 2);
    assert_eq!(other.verify(&game).expect("report").divergence, None);
    other.ranks = vec![7, 7];
    let found = other.verify(&game).expect("report").divergence.expect("a difference");
    assert_eq!((found.field.as_str(), found.step), ("ranks", other.steps()));

    // Another start is another game from the first state on.
    let game = agon_classic::cartpole();
    let mut other = record(&game, 1, 4);
    other.seed = rl_gym::SeedSequence::new(77);
    let report = other.verify(&game).expect("report");
    let found = report.divergence.clone().expect("a difference");
    assert_eq!((found.field.as_str(), found.step, found.agreed), ("state hash", 0, 0));
    assert!(report.to_string().starts_with("step 0: state hash is "), "{report}");

    let game = agon_classic::kuhn_poker();
    let mut other = record(&game, 1, 4);
    other.seed = rl_gym::SeedSequence::new(5);
    let found = other.verify(&game).expect("report").divergence.expect("a difference");
    assert_eq!(found.field, "chance outcomes");
}

#[test]
fn other_rules_and_other_options_are_refused() {
    let game = agon_classic::rock_paper_scissors();
    let replay = record(&game, 0, 1);
    let newer = Game { version: 2, ..game.clone() };
    let error = replay.verify(&newer).expect_err("other rules");
    assert_eq!(
        error.to_string(),
        "the replay was made with rock-paper-scissors v1, this build has v2: its actions may mean something \
         else now; use a build with v1"
    );
    let narrower = Game { options: Vec::new(), ..game };
    assert!(matches!(replay.verify(&narrower), Err(GymError::UnknownOption { .. })));
    assert!(matches!(replay.verify(&agon_classic::cartpole()), Err(GymError::Corrupt { .. })));
}

#[test]
fn a_forfeit_is_played_again() {
    let game = agon_classic::tic_tac_toe();
    let options = game.defaults();
    let mut batch =
        VecEnv::new(&game.factory(options.clone()), config(Autoreset::Disabled, OnIllegal::Forfeit))
            .expect("batch");
    batch.reset(4);
    let config = RecordConfig {
        on_illegal: OnIllegal::Forfeit,
        ..RecordConfig::new(vec!["a".into(), "b".into()], EpisodeSeed::tree(4, 0, 0))
    };
    let mut recorder = Recorder::begin(&game, &options, config, &mut batch, 0).expect("a recorder");
    for action in [4, 4] {
        (0..4).for_each(|row| batch.parts().1.set(row, action));
        recorder.before_step(&mut batch);
        batch.step();
        recorder.after_step(&mut batch).expect("recorded");
    }
    let replay = recorder.finish(&mut batch);
    assert_eq!(replay.ranks, [0, 1]);
    assert_eq!(replay.verify(&game).expect("report").divergence, None);
}

#[test]
fn a_lane_that_resets_itself_is_refused() {
    let game = agon_classic::rock_paper_scissors();
    let options = game.resolve([("rounds", "1")]).expect("options");
    let mut batch =
        VecEnv::new(&game.factory(options.clone()), config(Autoreset::SameStep, OnIllegal::Report))
            .expect("batch");
    batch.reset(4);
    let config = RecordConfig::new(vec!["a".into(), "b".into()], EpisodeSeed::tree(4, 0, 0));
    let mut recorder = Recorder::begin(&game, &options, config, &mut batch, 0).expect("a recorder");
    recorder.before_step(&mut batch);
    batch.step();
    let error = recorder.after_step(&mut batch).expect_err("it was reset").to_string();
    assert!(error.contains("Autoreset::Disabled or NextStep"), "{error}");
}

#[test]
fn a_file_costs_two_hundred_bytes_and_less_than_one_a_step() {
    // 36 bytes of header, names, options, two or more hashes of 8 bytes; then the actions, compressed.
    let long = agon_classic::rock_paper_scissors().resolve([("rounds", "1000")]).expect("options");
    let mut cases: Vec<(Game, Options)> =
        agon_classic::games().into_iter().map(|game| (game.clone(), game.defaults())).collect();
    cases.push((agon_classic::rock_paper_scissors(), long));
    for (game, options) in cases {
        let replay = record_with(&game, options, 2, 64);
        let (bytes, steps) = (replay.save().expect("bytes").len(), replay.steps() as usize);
        assert!(bytes < 200 + steps * 3 / 4, "{}: {bytes} bytes for {steps} steps", game.name);
    }
}

fn is_corrupt(bytes: &[u8]) -> bool {
    matches!(Replay::load(bytes), Err(GymError::Corrupt { .. }))
}

fn saved() -> Vec<u8> {
    record(&agon_classic::kuhn_poker(), 5, 1).save().expect("bytes")
}

proptest! {
    #[test]
    fn flipped_bits_are_found(at in 0usize..10_000, bit in 0u8..8) {
        let mut bytes = saved();
        let at = at % bytes.len();
        bytes[at] ^= 1 << bit;
        prop_assert!(is_corrupt(&bytes), "byte {at} bit {bit}");
    }

    #[test]
    fn cut_and_lengthened_files_are_found(keep in 0usize..10_000, more in proptest::collection::vec(any::<u8>(), 1..40)) {
        let bytes = saved();
        let cut = &bytes[..keep % bytes.len()];
        prop_assert!(is_corrupt(cut));
        let longer = [bytes.clone(), more].concat();
        prop_assert!(is_corrupt(&longer));
    }

    #[test]
    fn noise_is_no_replay(noise in proptest::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(is_corrupt(&noise));
    }
}

#[test]
fn a_file_says_what_is_wrong_with_it() {
    let text = |bytes: &[u8]| Replay::load(bytes).expect_err("broken").to_string();
    let bytes = saved();
    assert_eq!(
        text(b"PK\x03\x04 something else"),
        "the replay cannot be read: it does not begin with AGONRPLY, so it is not a replay (19 bytes); give a \
         file saved by agon"
    );
    assert!(text(&bytes[..20]).ends_with("it ends inside the header, after 20 of 36 bytes; copy it again"));
    let cut = text(&bytes[..bytes.len() - 5]);
    assert!(cut.contains(&format!("promises {} bytes, it has {}", bytes.len(), bytes.len() - 5)), "{cut}");
    let folder = std::env::temp_dir().join(format!("agon-replay-{}", std::process::id()));
    let file = folder.join("one.replay");
    assert!(Replay::load_file(&file).expect_err("missing").to_string().contains("one.replay"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let replay = record(&agon_classic::kuhn_poker(), 5, 1);
    replay.save_file(&file).expect("written");
    assert_eq!(Replay::load_file(&file).expect("read"), replay);
    std::fs::remove_dir_all(&folder).expect("cleaned");
}
