//! Moves: any kind of action, masked or not, comes back from a recording of several lanes at once.

mod common;

use common::{act, duel::duel};
use rl_gym::{
    Autoreset, BatchConfig, BatchEnv, BitsMut, Dtype, Dynamics, Env, EpisodeSeed, Fault, Flags, Game,
    GymError, Information, LaneReset, Luck, MoveRecorder, Moves, OnIllegal, OptionDef, Options, Outcome,
    Pcg64, Placing, Space, Spec, Utility, VecEnv,
};
use std::hash::{DefaultHasher, Hash, Hasher};

const SPACES: &[&str] = &["small", "wide", "huge", "parts", "fields"];

fn space(name: &str) -> Space {
    match name {
        "small" => Space::Discrete { n: 70 },
        "wide" => Space::Discrete { n: 5000 },
        "huge" => Space::Discrete { n: 3_000_000 },
        "parts" => Space::MultiDiscrete { n: vec![3, 1, 300] },
        _ => Space::boxed(Dtype::F32, &[3], -1.0, 1.0),
    }
}

/// Two seats act at once without masks for up to 40 steps; the state is a hash of everything that happened.
struct Free {
    spec: Spec,
    rng: Pcg64,
    state: u64,
    left: u32,
}

macro_rules! env {
    ($name:ident, $act:ty, $bytes:expr) => {
        struct $name(Free);
        impl Env for $name {
            type Obs = u8;
            type Act = $act;
            fn spec(&self) -> &Spec {
                &self.0.spec
            }
            fn reset(&mut self, seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
                seed.apply(&mut self.0.rng);
                self.0.state = self.0.rng.next_u64();
                self.0.left = 1 + self.0.rng.below(40);
                out.everyone();
                Ok(())
            }
            fn step(&mut self, acts: &[$act], mut out: Outcome<'_>) -> Result<(), Fault> {
                let mut hasher = DefaultHasher::new();
                let bytes: fn(&[$act]) -> Vec<u8> = $bytes;
                (self.0.state, self.0.rng.next_u64(), bytes(acts)).hash(&mut hasher);
                self.0.state = hasher.finish();
                self.0.left -= 1;
                if self.0.left == 0 {
                    out.terminate()
                } else {
                    out.everyone()
                }
                Ok(())
            }
            fn observe(&self, _: usize, obs: &mut [u8], _: BitsMut<'_>) {
                obs.fill(0);
            }
            fn state_hash(&self) -> Option<u64> {
                Some(self.0.state)
            }
        }
    };
}
env!(Numbers, u32, |acts| acts.iter().flat_map(|a| a.to_le_bytes()).collect());
env!(Reals, f32, |acts| acts.iter().flat_map(|a| a.to_le_bytes()).collect());

fn free() -> Game {
    let make = |options: &Options| -> Result<Box<dyn rl_gym::DynEnv>, GymError> {
        let action = space(options.text("space"));
        let real = action.dtype() == Dtype::F32;
        let spec = Spec {
            game: "free".into(),
            version: 1,
            seats: 2,
            obs: Space::boxed(Dtype::U8, &[1], 0.0, 255.0),
            action,
            masked: false,
            dynamics: Dynamics::Simultaneous,
            information: Information::Imperfect,
            luck: Luck::Sampled,
            utility: Utility::GeneralSum,
            placing: Placing::None,
            reward: (0.0, 1.0),
            metrics: Vec::new(),
            max_steps: None,
        };
        let free = Free { spec, rng: Pcg64::default(), state: 0, left: 0 };
        Ok(if real { Box::new(Reals(free)) } else { Box::new(Numbers(free)) })
    };
    Game {
        name: "free",
        version: 1,
        summary: "for tests",
        options: vec![OptionDef::choice("space", SPACES, "what an action is")],
        make,
        bots: Vec::new(),
        genome: None,
        traces: None,
        vocabulary: None,
    }
}

fn batch(game: &Game, options: &Options, lanes: usize) -> VecEnv {
    let config = BatchConfig {
        autoreset: Autoreset::Disabled,
        on_illegal: OnIllegal::Forfeit,
        ..BatchConfig::lanes(lanes)
    };
    VecEnv::new(&game.factory(options.clone()), config).expect("batch")
}

fn seed(episode: u32) -> EpisodeSeed {
    EpisodeSeed::tree(5, 0, episode)
}

/// Plays `lanes` episodes at once and records them all; `meddle` may change the actions of a step.
fn recorded(
    game: &Game,
    options: &Options,
    lanes: usize,
    mut meddle: impl FnMut(u64, &mut VecEnv),
) -> Vec<(Vec<u8>, Option<u64>)> {
    let mut batch = batch(game, options, lanes);
    let action = batch.spec().action.clone();
    let resets: Vec<LaneReset> =
        (0..lanes as u32).map(|lane| LaneReset { lane, seed: Some(seed(lane)) }).collect();
    batch.reset_lanes(&resets);
    let mut recorders: Vec<MoveRecorder> = (0..lanes).map(|_| MoveRecorder::new(&action)).collect();
    recorders.iter_mut().for_each(|r| r.begin(&action));
    let mut done: Vec<Option<(Vec<u8>, Option<u64>)>> = vec![None; lanes];
    for step in 0.. {
        act(&mut batch, step);
        meddle(step, &mut batch);
        let (view, mut actions) = batch.parts();
        for lane in (0..lanes).filter(|lane| done[*lane].is_none()) {
            recorders[lane].before_step(lane, &view, &mut actions);
        }
        batch.step();
        for lane in 0..lanes {
            let view = batch.view();
            let over = !(0..2).any(|seat| view.flags(lane * 2 + seat).contains(Flags::ALIVE));
            if over && done[lane].is_none() {
                let state = batch.env(lane).state_hash();
                done[lane] = Some((recorders[lane].finish(&game.id(), seed(lane as u32), state), state));
            }
        }
        if done.iter().all(Option::is_some) {
            break;
        }
    }
    done.into_iter().flatten().collect()
}

fn again(game: &Game, options: &Options, bytes: &[u8], episode: u32) -> Result<Option<u64>, GymError> {
    let moves = Moves::load(bytes, "it", &game.id(), seed(episode))?;
    let mut batch = batch(game, options, 1);
    batch.reset_lanes(&[LaneReset { lane: 0, seed: Some(seed(episode)) }]);
    let mut reader = moves.reader("it", 0, &batch);
    while reader.act(&mut batch)? {
        batch.step();
    }
    reader.check_end(&mut batch)?;
    Ok(batch.env(0).state_hash())
}

#[test]
fn actions_of_every_kind_come_back() {
    let games = SPACES.iter().map(|name| (free(), free().resolve([("space", *name)]).expect("options")));
    for (game, options) in games.chain([(duel(), duel().resolve([]).expect("options"))]) {
        let played = recorded(&game, &options, 50, |_, _| {});
        for (episode, (bytes, state)) in (0..).zip(&played) {
            assert_eq!(
                again(&game, &options, bytes, episode).as_ref(),
                Ok(state),
                "{} {options:?}",
                game.id()
            );
        }
    }
}

/// An illegal action ends its episode; the others go on and nobody's moves are mixed up.
#[test]
fn an_illegal_action_is_kept_as_it_was() {
    let (game, options) = (duel(), duel().resolve([]).expect("options"));
    let odd = |step: u64, batch: &mut VecEnv| {
        // Seat 0 moves in even steps.
        if step == 4 {
            (0..10).step_by(4).for_each(|row| batch.parts().1.set(row, 77));
        }
    };
    let played = recorded(&game, &options, 5, odd);
    let mut early = 0;
    for (episode, (bytes, state)) in (0..).zip(&played) {
        early += u32::from(Moves::load(bytes, "it", &game.id(), seed(episode)).expect("sound").steps() == 5);
        assert_eq!(again(&game, &options, bytes, episode).as_ref(), Ok(state));
    }
    assert_eq!(early, 3, "lanes 0, 2 and 4");
}

#[test]
fn a_game_that_goes_on_otherwise_is_noticed_at_its_end() {
    let (game, options) = (duel(), duel().resolve([]).expect("options"));
    let (bytes, state) = recorded(&game, &options, 1, |_, _| {}).remove(0);
    let action = Space::Discrete { n: 5 };
    // Records what it plays again, with the hash of some state.
    let copied = |state: Option<u64>| {
        let moves = Moves::load(&bytes, "it", &game.id(), seed(0)).expect("sound");
        let mut batch = batch(&game, &options, 1);
        batch.reset_lanes(&[LaneReset { lane: 0, seed: Some(seed(0)) }]);
        let mut recorder = MoveRecorder::new(&action);
        recorder.begin(&action);
        let mut reader = moves.reader("it", 0, &batch);
        while reader.act(&mut batch).expect("moves") {
            let (view, mut actions) = batch.parts();
            recorder.before_step(0, &view, &mut actions);
            batch.step();
        }
        recorder.finish(&game.id(), seed(0), state)
    };
    assert_eq!(copied(state), bytes);
    let other = copied(state.map(|s| s ^ 1));
    let error = again(&game, &options, &other, 0).expect_err("another state").to_string();
    assert!(error.contains("the state's hash is") && error.contains("another way"), "{error}");
}
