//! A fingerprint of the rules as played, so that a run is never continued or compared under others unawares.

use crate::error::LeagueError;
use rl_gym::{
    Autoreset, BatchConfig, BatchEnv, EpisodeSeed, Flags, Game, LaneReset, Options, Pcg64, VecEnv, panic_text,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Whole episodes of random play behind a fingerprint: ends, places and late phases are part of the rules.
const EPISODES: u32 = 12;
/// Env steps at most, for games that take long to end: about 0.3 s in a release build.
const MOST_STEPS: u32 = 200_000;
const SEED: u64 = 2026;

/// A hash over seeded random play of what the environment says to its players: 16 hex digits. That is, after every
/// reset and step: who is to act with observation and mask, rewards, flags; at the end places and points.
///
/// Any change of rules, observations, masks or seeds changes it; a change of speed or of the batch does not.
///
/// # Errors
/// What the game says about its options.
pub fn fingerprint(game: &Game, options: &Options) -> Result<String, LeagueError> {
    let config = BatchConfig { autoreset: Autoreset::Disabled, ..BatchConfig::lanes(1) };
    let mut batch = VecEnv::new(&game.factory(options.clone()), config)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(game.id().as_bytes());
    let mut rng = Pcg64::seed(SEED);
    let mut steps = 0;
    for episode in 0..EPISODES {
        let seed = Some(EpisodeSeed::tree(SEED, 0, episode));
        batch.reset_lanes(&[LaneReset { lane: 0, seed }]);
        let mut going = hear(&batch, &mut hasher);
        while going && steps < MOST_STEPS {
            act(&mut batch, &mut rng);
            batch.step();
            steps += 1;
            going = hear(&batch, &mut hasher);
        }
        hear_end(&mut batch, &mut hasher);
    }
    Ok(hasher.finalize().to_hex()[..16].to_owned())
}

/// Random legal actions for the seats to act.
fn act(batch: &mut dyn BatchEnv, rng: &mut Pcg64) {
    let (view, mut actions) = batch.parts();
    for row in (0..view.shape().rows()).filter(|r| view.flags(*r).contains(Flags::TO_ACT)) {
        view.spec().action.sample(view.mask(row), rng, actions.row_mut(row));
    }
}

/// Hashes what the last call told the seats; whether anybody plays on.
fn hear(batch: &dyn BatchEnv, hasher: &mut blake3::Hasher) -> bool {
    let view = batch.view();
    let mut alive = false;
    for row in 0..view.shape().rows() {
        // That a row begins an episode is a word of the batch.
        let flags = view.flags(row) - Flags::FIRST;
        alive |= flags.contains(Flags::ALIVE);
        hasher.update(&[flags.bits()]);
        hasher.update(&view.reward(row).to_le_bytes());
        if flags.contains(Flags::TO_ACT) {
            hasher.update(view.obs(row));
            let mask = view.mask(row);
            mask.words().iter().for_each(|w| _ = hasher.update(&w.to_le_bytes()));
        }
    }
    for fault in view.faults() {
        hasher.update(fault.fault.to_string().as_bytes());
    }
    alive
}

/// Hashes places and points as they stand.
fn hear_end(batch: &mut VecEnv, hasher: &mut blake3::Hasher) {
    let seats = batch.shape().seats;
    let env = batch.env(0);
    let told = catch_unwind(AssertUnwindSafe(|| {
        let (mut ranks, mut points) = (vec![u8::MAX; seats], vec![f32::NAN; seats]);
        let (placed, counted) = (env.ranks(&mut ranks), env.points(&mut points));
        (placed.then_some(ranks), counted.then_some(points))
    }));
    match told {
        Ok((ranks, points)) => {
            hasher.update(&ranks.unwrap_or_default());
            points.unwrap_or_default().iter().for_each(|p| _ = hasher.update(&p.to_le_bytes()));
        }
        Err(panic) => _ = hasher.update(panic_text(&*panic).as_bytes()),
    }
}
