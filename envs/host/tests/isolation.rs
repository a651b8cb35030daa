//! One lane that errs or panics is reported; the others never notice.

mod common;

use agon_host::{HostEnv, HostSystems};
use bevy_ecs::schedule::IntoScheduleConfigs;
use common::{Driver, Saboteur, by_lane, mute_saboteurs};
use rl_gym::{Autoreset, Batch, BatchConfig, BatchEnv};

const LANES: usize = 8;
const BAD: usize = 2;

fn rows(batch: Batch<'_>, lane: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in lane * 2..lane * 2 + 2 {
        bytes.extend_from_slice(batch.obs(row));
        bytes.extend_from_slice(&batch.reward(row).to_le_bytes());
        bytes.push(batch.flags(row).bits());
        batch.mask(row).words().iter().for_each(|w| bytes.extend_from_slice(&w.to_le_bytes()));
    }
    for (f, obs) in batch.finals().filter(|(f, _)| f.lane as usize == lane) {
        bytes.extend_from_slice(format!("{f:?}").as_bytes());
        bytes.extend_from_slice(obs);
    }
    bytes
}

fn batch(bad: bool, workers: usize, autoreset: Autoreset, watched: bool) -> Box<dyn BatchEnv> {
    let factory =
        if bad { by_lane(|i| Saboteur::new(u32::from(i == BAD))) } else { by_lane(|_| Saboteur::new(0)) };
    let config = BatchConfig { workers, autoreset, ..BatchConfig::lanes(LANES) };
    let mut batch = HostEnv::new(&factory, config).expect("a batch is made");
    for shard in batch.shards_mut().filter(|_| watched) {
        shard.add_systems((|| {}).after(HostSystems::Reset)).expect("ordered");
    }
    Box::new(batch)
}

#[test]
fn the_other_lanes_play_as_if_nothing_happened() {
    mute_saboteurs();
    let mut faults = Vec::new();
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep, Autoreset::Disabled] {
        for (workers, watched) in [(1, false), (1, true), (2, false), (4, true)] {
            let mut driver = Driver::new(11);
            // The honest batch leads: the actions come from its masks.
            let mut batches =
                vec![batch(false, 1, autoreset, false), batch(true, workers, autoreset, watched)];
            batches.iter_mut().for_each(|b| _ = b.reset(5));
            for call in 0..600 {
                driver.advance(&mut batches);
                let (honest, broken) = (batches[0].view(), batches[1].view());
                assert_eq!(honest.faults().count(), 0);
                for lane in (0..LANES).filter(|l| *l != BAD) {
                    let same = rows(honest, lane) == rows(broken, lane);
                    assert!(same, "lane {lane} after call {call}, {workers} workers, {autoreset:?}");
                }
                assert!(broken.faults().all(|f| f.lane as usize == BAD));
                faults.extend(broken.faults().map(|f| f.fault.to_string()));
            }
        }
    }
    let crimes = [
        "no rule for this at",
        "the environment panicked: the rules fell over at",
        "the environment panicked: seat 1 went blind at",
        "the environment panicked: nobody counted the points at",
        "no board today",
        "the environment panicked: the board fell over",
    ];
    for crime in crimes {
        assert!(faults.iter().any(|f| f.starts_with(crime)), "never seen: {crime}");
    }
}

#[test]
fn a_broken_lane_is_reset_and_plays_on() {
    mute_saboteurs();
    let mut batch = batch(true, 1, Autoreset::SameStep, false);
    batch.reset(5);
    let (mut episodes, mut played) = (Vec::new(), 0);
    for _ in 0..300 {
        let view = batch.step();
        episodes.extend(view.faults().map(|f| f.episode));
        played += view.flags(BAD * 2).contains(rl_gym::Flags::TO_ACT) as usize;
    }
    assert!(episodes.len() > 50, "{} faults", episodes.len());
    assert!(episodes.is_sorted() && episodes.last() > episodes.first(), "each fault is of its own episode");
    assert!(played > 100, "the lane played in {played} of 300 steps");
}
