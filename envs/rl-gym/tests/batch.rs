//! The batch: workers change nothing, lanes are reset and fail one by one, rows mean what their docs say.

mod common;

use common::{
    act,
    duel::{self, Flaw},
    stairs::stairs,
};
use rl_gym::{
    Autoreset, BatchConfig, BatchEnv, EpisodeSeed, Flags, Game, GymError, LaneReset, OnIllegal, Options,
    Registry, Rows, Seeding, VecEnv,
};

const ALIVE: Flags = Flags::ALIVE;
const TO_ACT: Flags = Flags::TO_ACT;
const FIRST: Flags = Flags::FIRST;

fn batch(game: &Game, options: Options, config: BatchConfig) -> VecEnv {
    VecEnv::new(&game.factory(options), config).expect("a batch")
}

fn duels(flaw: Flaw, config: BatchConfig) -> VecEnv {
    batch(&duel::duel(), duel::options(flaw), config)
}

#[test]
fn any_number_of_workers_gives_the_same_bytes() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        for rows in [Rows::Acting, Rows::All] {
            for seeding in [Seeding::Tree, Seeding::Gymnasium] {
                let run = |workers: usize| -> Vec<u64> {
                    let config = BatchConfig { workers, autoreset, rows, seeding, ..BatchConfig::lanes(7) };
                    let mut batch = duels(Flaw::Honest, config);
                    let mut prints = vec![batch.reset(3).fingerprint()];
                    for step in 0..40 {
                        act(&mut batch, step);
                        prints.push(batch.step().fingerprint());
                    }
                    prints
                };
                let alone = run(1);
                assert!(alone.windows(2).filter(|pair| pair[0] != pair[1]).count() >= 10);
                for workers in [0, 2, 4, 50] {
                    assert_eq!(
                        run(workers),
                        alone,
                        "{workers} workers, {autoreset:?}, {rows:?}, {seeding:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_lane_does_not_depend_on_its_neighbours() {
    let row_of = |lanes: usize| {
        let mut batch = duels(Flaw::Honest, BatchConfig::lanes(lanes));
        batch.reset(5);
        let mut seen = Vec::new();
        for step in 0..30 {
            act(&mut batch, step);
            let view = batch.step();
            seen.push((view.obs(0).to_vec(), view.obs(1).to_vec(), view.flags(0), view.reward(1)));
        }
        seen
    };
    assert_eq!(row_of(1), row_of(9));
}

#[test]
fn resetting_some_lanes_leaves_the_others_alone() {
    for workers in [1, 3] {
        let mut batch = duels(Flaw::Honest, BatchConfig { workers, ..BatchConfig::lanes(6) });
        batch.reset(1);
        (0..3).for_each(|step| {
            act(&mut batch, step);
            batch.step();
        });
        let rows = |batch: &VecEnv, lane: usize| {
            let view = batch.view();
            [2 * lane, 2 * lane + 1].map(|row| (view.obs(row).to_vec(), view.flags(row), view.reward(row)))
        };
        let before: Vec<_> = (0..6).map(|lane| rows(&batch, lane)).collect();
        let seed = EpisodeSeed::tree(1, 5, 0);
        batch.reset_lanes(&[LaneReset { lane: 1, seed: Some(seed) }, LaneReset { lane: 4, seed: None }]);
        for lane in [0, 2, 3, 5] {
            assert_eq!(rows(&batch, lane), before[lane], "lane {lane}");
        }
        for lane in [1, 4] {
            assert_eq!(batch.view().flags(2 * lane), ALIVE | TO_ACT | FIRST);
            assert_eq!(batch.view().reward(2 * lane), 0.0);
        }
        // The chosen seed is the one of lane 5's first episode.
        let fresh = duels_at_start(1, 5);
        assert_eq!(batch.view().obs(2), fresh);
        // The lane's own sequence goes on: episode 1 of lane 4.
        let mut solo = duels(Flaw::Honest, BatchConfig::lanes(1));
        solo.reset(0);
        let next = solo.reset_lanes(&[LaneReset { lane: 0, seed: Some(EpisodeSeed::tree(1, 4, 1)) }]);
        assert_eq!(batch.view().obs(8), next.obs(0));
    }
}

fn duels_at_start(root: u64, lane: usize) -> Vec<u8> {
    let mut batch = duels(Flaw::Honest, BatchConfig::lanes(lane + 1));
    batch.reset(root).obs(2 * lane).to_vec()
}

#[test]
#[should_panic(expected = "lane 2 does not exist: the batch has 2 lanes")]
fn a_lane_that_does_not_exist_cannot_be_reset() {
    duels(Flaw::Honest, BatchConfig::lanes(2)).reset_lanes(&[LaneReset { lane: 2, seed: None }]);
}

#[test]
fn a_reset_on_its_own_repeats_neither_reward_nor_end() {
    let config = BatchConfig { autoreset: Autoreset::Disabled, ..BatchConfig::lanes(1) };
    let mut batch = batch(&stairs(), Options::default(), config);
    batch.reset(1);
    for step in 0..4 {
        act(&mut batch, step);
        batch.step();
    }
    assert_eq!((batch.view().flags(2), batch.view().reward(2)), (Flags::TERMINATED, 1.0));
    let view = batch.reset_lanes(&[LaneReset { lane: 0, seed: None }]);
    assert_eq!(
        [0, 1, 2].map(|row| view.flags(row)),
        [ALIVE | TO_ACT | FIRST, ALIVE | TO_ACT | FIRST, ALIVE | FIRST]
    );
    assert_eq!([0, 1, 2].map(|row| view.reward(row)), [0.0; 3]);
}

#[test]
fn first_means_what_its_mode_says() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        let config = BatchConfig { autoreset, ..BatchConfig::lanes(1) };
        let mut batch = duels(Flaw::Honest, config);
        assert_eq!(batch.reset(2).flags(0), ALIVE | TO_ACT | FIRST);
        let mut flags = Vec::new();
        let mut returns = 0.0;
        for step in 0..12 {
            act(&mut batch, step);
            let view = batch.step();
            flags.push((view.flags(0), view.flags(1)));
            if step < 10 {
                returns += f64::from(view.reward(0));
            }
            let finals: Vec<_> = view.finals().map(|(end, _)| (end.seat, end.steps, end.episode)).collect();
            let wanted = if step == 9 { vec![(0, 10, 0), (1, 10, 0)] } else { vec![] };
            assert_eq!(finals, wanted, "{autoreset:?} step {step}");
            if let Some((end, _)) = view.finals().next() {
                assert_eq!(end.episode_return, returns);
            }
        }
        assert!(flags[..9].iter().all(|pair| !(pair.0 | pair.1).contains(FIRST)));
        let ended = Flags::TERMINATED;
        let start = (ALIVE | TO_ACT | FIRST, ALIVE | FIRST);
        let wanted = match autoreset {
            Autoreset::SameStep => [(start.0 | ended, start.1 | ended), (ALIVE, ALIVE | TO_ACT)],
            Autoreset::NextStep => [(ended, ended), start],
            Autoreset::Disabled => [(ended, ended), (Flags::empty(), Flags::empty())],
        };
        assert_eq!(flags[9..11], wanted, "{autoreset:?}");
    }
}

#[test]
fn rows_that_are_not_written_keep_their_content_and_a_reset_zeroes_them() {
    let config = BatchConfig { autoreset: Autoreset::NextStep, ..BatchConfig::lanes(1) };
    let mut batch = batch(&stairs(), Options::default(), config);
    let obs = |batch: &VecEnv| [0, 1, 2].map(|row| batch.view().obs(row)[0]);
    batch.reset(1);
    // Seat 2 rests at the start: its row is zero after the reset.
    assert_eq!(obs(&batch), [1, 2, 0]);
    let mut seen = Vec::new();
    for step in 0..5 {
        act(&mut batch, step);
        batch.step();
        seen.push(obs(&batch));
    }
    // Seat 0 leaves in step 2, seat 1 in step 3: their last rows stay while the others go on.
    assert_eq!(seen, [[2, 3, 4], [3, 4, 5], [3, 5, 6], [3, 5, 7], [1, 2, 0]]);
    // Masks of seats that are not to act are all ones.
    assert_eq!([0, 1, 2].map(|row| batch.view().mask(row).count()), [3, 3, 4]);
}

#[test]
fn seats_that_leave_early_keep_their_own_end() {
    let config = BatchConfig { autoreset: Autoreset::Disabled, ..BatchConfig::lanes(1) };
    let mut batch = batch(&stairs(), Options::default(), config);
    batch.reset(1);
    for step in 0..4 {
        assert_eq!(batch.view().finals().count(), 0);
        act(&mut batch, step);
        batch.step();
    }
    let ends: Vec<_> =
        batch.view().finals().map(|(end, _)| (end.episode_return, end.rank, end.flags)).collect();
    let ended = Flags::TERMINATED;
    assert_eq!(ends, [(2.0, 2, ended), (3.0, 1, ended), (4.0, 0, ended)]);
    assert_eq!(batch.view().metrics(0), [4.0]);
}

#[test]
fn an_ending_step_shows_the_metrics_of_the_ended_episode() {
    let mut batch = batch(&stairs(), Options::default(), BatchConfig::lanes(1));
    batch.reset(1);
    for step in 0..4 {
        act(&mut batch, step);
        batch.step();
    }
    assert!(batch.view().flags(2).contains(Flags::FIRST | Flags::TERMINATED));
    assert_eq!(batch.view().metrics(0), [4.0]);
    act(&mut batch, 0);
    batch.step();
    assert_eq!(batch.view().metrics(0), [1.0]);
}

#[test]
fn a_broken_lane_costs_the_others_nothing() {
    for (flaw, says) in [
        (Flaw::Fails, "the die fell off the table"),
        (Flaw::Panics, "the environment panicked: move 5 is too much"),
        (Flaw::PanicsInObserve, "the environment panicked: nothing to see"),
    ] {
        for workers in [1, 2] {
            let mut broken = duels(flaw, BatchConfig { workers, ..BatchConfig::lanes(3) });
            broken.reset(1);
            let mut faults = Vec::new();
            // A lane that panicked is reset in the next step, one that failed politely in the same one.
            for step in 0..16 {
                act(&mut broken, step);
                let view = broken.step();
                assert_eq!(view.finals().count(), 0, "a void episode has no result");
                for fault in view.faults() {
                    faults.push((step, fault.lane, fault.episode));
                    assert_eq!(fault.fault.to_string(), says);
                    assert_eq!(view.reward(2 * fault.lane as usize), 0.0);
                    assert_eq!(fault.seed, EpisodeSeed::tree(1, fault.lane, fault.episode));
                }
            }
            let first: Vec<_> = faults.iter().filter(|(_, _, episode)| *episode == 0).collect();
            assert_eq!(first.len(), 3, "{flaw:?}: {faults:?}");
            assert!(faults.iter().any(|(_, _, episode)| *episode == 1), "{flaw:?} goes on: {faults:?}");
        }
    }
}

#[test]
fn a_failed_reset_is_a_fault_and_is_tried_again() {
    let mut broken = duels(Flaw::PanicsInReset, BatchConfig::lanes(2));
    assert_eq!(broken.reset(1).faults().count(), 0);
    let mut faults = 0;
    for step in 0..14 {
        act(&mut broken, step);
        let view = broken.step();
        faults += view.faults().count();
        for fault in view.faults() {
            assert_eq!(view.flags(2 * fault.lane as usize), Flags::empty());
            assert!(view.obs(2 * fault.lane as usize).iter().all(|byte| *byte == 0));
        }
    }
    // From the tenth step on every step tries both lanes again.
    assert_eq!(faults, 2 * 5);
}

#[test]
fn an_illegal_action_is_reported_or_forfeits() {
    let mut reported = duels(Flaw::Honest, BatchConfig::lanes(1));
    reported.reset(1);
    let before = reported.view().obs(0).to_vec();
    reported.parts().1.set(0, 77);
    let view = reported.step();
    assert_eq!(view.flags(0), ALIVE | TO_ACT | Flags::ILLEGAL);
    assert_eq!((view.flags(1), view.reward(0), view.obs(0)), (ALIVE, 0.0, before.as_slice()));

    let config = BatchConfig {
        on_illegal: OnIllegal::Forfeit,
        autoreset: Autoreset::Disabled,
        ..BatchConfig::lanes(1)
    };
    let mut forfeited = duels(Flaw::Honest, config);
    forfeited.reset(1);
    forfeited.parts().1.set(0, 77);
    let view = forfeited.step();
    assert_eq!(view.flags(0), Flags::TERMINATED | Flags::ILLEGAL);
    assert_eq!((view.flags(1), view.reward(0), view.reward(1)), (Flags::TERMINATED, -2.0, 0.0));
    let ends: Vec<_> = view.finals().map(|(end, _)| (end.rank, end.episode_return)).collect();
    assert_eq!(ends, [(1, -2.0), (0, 0.0)]);
}

#[test]
fn a_batch_of_nothing_is_refused() {
    let factory = duel::duel().factory(duel::options(Flaw::Honest));
    let error = VecEnv::new(&factory, BatchConfig::default()).err().expect("refused");
    assert_eq!(error.to_string(), "a batch of 0 lanes has nothing to step: ask for at least 1");
}

#[test]
fn the_registry_helps_with_near_misses() {
    let named = |name: &'static str| Game { name, ..duel::duel() };
    let registry = Registry::new()
        .with(named("cartpole"))
        .with(named("settlers"))
        .with(named("tic-tac-toe"))
        .with(Game { version: 3, ..named("cartpole") });
    assert_eq!(registry.games().len(), 3);
    assert_eq!(registry.find("cartpole").expect("by name").version, 3);
    assert_eq!(registry.find("tic-tac-toe-v1").expect("by id").name, "tic-tac-toe");
    let text = |id: &str| registry.find(id).expect_err("unknown").to_string();
    assert_eq!(
        text("cartpol"),
        "unknown game \"cartpol\"; nearest: \"cartpole\"; known games: settlers, tic-tac-toe, cartpole"
    );
    assert_eq!(text("catan-v1"), "unknown game \"catan-v1\"; known games: settlers, tic-tac-toe, cartpole");
    assert!(text("Tic-Tac-To").contains("nearest: \"tic-tac-toe\""));
    assert_eq!(
        text("cartpole-v1"),
        "game \"cartpole\" has no version 1; this build has v3 (write \"cartpole\" or \"cartpole-v3\")"
    );
    assert!(matches!(registry.find(""), Err(GymError::UnknownGame { .. })));
}
