//! CartPole equals Gymnasium's recorded episodes, and a batch of it Gymnasium's three autoreset modes
//! (tests/oracle/gymnasium, recorded with gymnasium 1.4.0).

use flate2::read::GzDecoder;
use rl_gym::{Autoreset, Batch, BatchConfig, BatchEnv, EpisodeSeed, Flags, Game, LaneReset, Seeding, VecEnv};
use serde_json::Value;
use std::{
    fs::File,
    io::{BufRead, BufReader},
};

/// Stored observations are float32 and computed in float64 on both sides.
const TOLERANCE: f64 = 1e-6;

fn lines(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/oracle/gymnasium/{name}", env!("CARGO_MANIFEST_DIR"));
    let file = File::open(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    BufReader::new(GzDecoder::new(file))
        .lines()
        .map(|line| serde_json::from_str(&line.expect("text")).expect("json"))
        .collect()
}

fn list(v: &Value) -> &[Value] {
    v.as_array().expect("a list")
}

/// A flag, recorded as 0/1 or as a truth value.
fn flag(v: &Value) -> bool {
    v.as_bool().unwrap_or_else(|| v.as_u64().expect("0 or 1") == 1)
}

fn close(ours: &[u8], theirs: &Value, place: &str) {
    let ours: &[f32] = bytemuck::cast_slice(ours);
    assert_eq!(ours.len(), list(theirs).len(), "{place}");
    for (i, (a, b)) in ours.iter().zip(list(theirs)).enumerate() {
        let b = b.as_f64().expect("a number");
        assert!((f64::from(*a) - b).abs() <= TOLERANCE, "{place}: obs[{i}] is {a}, Gymnasium has {b}");
    }
}

/// A batch under the options of a recording: its time limit, its `kwargs` and the `options` of its reset.
fn batch(game: &Game, recorded: &Value, config: BatchConfig) -> VecEnv {
    let mut given = vec![("max_steps", recorded["max_episode_steps"].to_string())];
    for source in [&recorded["kwargs"], &recorded["options"]] {
        let pairs = source.as_object().into_iter().flatten();
        given.extend(pairs.map(|(name, value)| (name.as_str(), value.to_string())));
    }
    let options = game.resolve(given.iter().map(|(k, v)| (*k, v.as_str()))).expect("options");
    VecEnv::new(&game.factory(options), config).expect("a batch")
}

fn ends(flags: Flags) -> (bool, bool) {
    (flags.contains(Flags::TERMINATED), flags.contains(Flags::TRUNCATED))
}

#[test]
fn every_recorded_episode_is_repeated() {
    let game = agon_classic::cartpole();
    let episodes = lines("CartPole-v1.jsonl.gz");
    assert_eq!(episodes.len(), 18);
    let mut longest = 0;
    for episode in &episodes {
        let seed = episode["seed"].as_u64().expect("seed");
        let config = BatchConfig { autoreset: Autoreset::Disabled, ..BatchConfig::lanes(1) };
        let mut batch = batch(&game, episode, config);
        batch.reset(0);
        let first = batch.reset_lanes(&[LaneReset { lane: 0, seed: Some(EpisodeSeed::plain(seed)) }]);
        close(first.obs(0), &episode["init_obs"], &format!("seed {seed} at reset"));
        for (t, action) in list(&episode["actions"]).iter().enumerate() {
            let place = format!("seed {seed} step {t}");
            batch.parts().1.set(0, action.as_u64().expect("action") as u32);
            let now = batch.step();
            close(now.obs(0), &episode["obs"][t], &place);
            assert_eq!(Some(f64::from(now.reward(0))), episode["rewards"][t].as_f64(), "{place}");
            let theirs = (flag(&episode["terminated"][t]), flag(&episode["truncated"][t]));
            assert_eq!(ends(now.flags(0)), theirs, "{place}");
            longest = longest.max(t + 1);
        }
    }
    assert_eq!(longest, 500, "the time limit is among the recordings");
}

#[test]
fn the_three_autoreset_modes_are_repeated() {
    let runs = lines("vector_autoreset.jsonl.gz");
    assert_eq!(runs.len(), 3);
    for run in &runs {
        let mode = run["mode"].as_str().expect("mode");
        let autoreset = match mode {
            "NextStep" => Autoreset::NextStep,
            "SameStep" => Autoreset::SameStep,
            _ => Autoreset::Disabled,
        };
        let config = BatchConfig { autoreset, seeding: Seeding::Gymnasium, ..BatchConfig::lanes(3) };
        let mut batch = batch(&agon_classic::cartpole(), run, config);
        all_close(batch.reset(run["seed"].as_u64().expect("seed")), &run["init_obs"], mode);
        assert_eq!(list(&run["steps"]).len(), 70);
        let mut finals = 0;
        for (t, step) in list(&run["steps"]).iter().enumerate() {
            finals += compare(&mut batch, step, &format!("{mode} step {t}"));
        }
        assert!(finals > 6, "{mode}: {finals} episodes ended");
    }
}

fn all_close(now: Batch<'_>, theirs: &Value, place: &str) {
    (0..3).for_each(|lane| close(now.obs(lane), &theirs[lane], &format!("{place} lane {lane}")));
}

/// Plays one recorded step and gives the number of episodes that ended in it.
fn compare(batch: &mut VecEnv, step: &Value, place: &str) -> usize {
    for lane in 0..3 {
        let action = step["action"][lane].as_u64().expect("action") as u32;
        batch.parts().1.set(lane, action);
    }
    let now = batch.step();
    all_close(now, &step["obs"], place);
    for lane in 0..3 {
        assert_eq!(Some(f64::from(now.reward(lane))), step["reward"][lane].as_f64(), "{place} lane {lane}");
        let theirs = (flag(&step["terminated"][lane]), flag(&step["truncated"][lane]));
        assert_eq!(ends(now.flags(lane)), theirs, "{place} lane {lane}");
    }
    let finals: Vec<usize> = now.finals().map(|(f, _)| f.lane as usize).collect();
    if let Some(theirs) = step["final_obs"].as_array() {
        let marked: Vec<usize> = (0..3).filter(|&lane| flag(&step["_final_obs"][lane])).collect();
        assert_eq!(finals, marked, "{place}");
        for (end, obs) in now.finals() {
            close(obs, &theirs[end.lane as usize], &format!("{place} final of lane {}", end.lane));
        }
    }
    let ended = finals.len();
    if let Some(mask) = step["reset_mask"].as_array() {
        let due: Vec<LaneReset> = (0..3u32)
            .filter(|&lane| flag(&mask[lane as usize]))
            .map(|lane| LaneReset { lane, seed: None })
            .collect();
        all_close(batch.reset_lanes(&due), &step["obs_after_reset"], place);
    }
    ended
}
