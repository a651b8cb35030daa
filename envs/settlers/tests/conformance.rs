//! The step API of settlers: batches, snapshots, explicit chance, illegal actions, every option set.

use agon_settlers::{ACTIONS, game, observe};
use rl_gym::{BatchConfig, BatchEnv, DynEnv, EpisodeSeed, Flags, Options, Outcome, Pcg64, VecEnv};

/// Option sets that together reach every rule.
fn option_sets() -> Vec<Options> {
    let sets: [&[(&str, &str)]; 9] = [
        &[],
        &[("seats", "2"), ("layout", "random")],
        &[("seats", "3"), ("layout", "beginner"), ("friendly_robber", "on")],
        &[("board", "mini"), ("seats", "3"), ("victory_points", "6")],
        &[("board", "mini"), ("seats", "2"), ("victory_points", "5"), ("auto_advance", "on")],
        &[("trade", "off"), ("auto_advance", "on")],
        &[("counter_offers", "off"), ("max_offers", "20"), ("discard_limit", "3")],
        &[("turn_cap", "40")],
        &[("compat_best_rate_only", "on"), ("compat_win_any_time", "on"), ("compat_proposer_answers", "on")],
    ];
    sets.iter().map(|set| game().resolve(set.iter().copied()).expect("valid options")).collect()
}

/// A single environment with rows of its own.
struct Solo {
    env: Box<dyn DynEnv>,
    reward: Vec<f32>,
    flags: Vec<Flags>,
    metrics: Vec<f32>,
}

impl Solo {
    fn new(options: &Options, seed: u64) -> Self {
        let env = (game().make)(options).expect("valid options");
        let seats = env.spec().seats;
        let metrics = vec![0.0; env.spec().metrics.len()];
        let mut solo = Self { env, reward: vec![0.0; seats], flags: vec![Flags::empty(); seats], metrics };
        let (env, out) = solo.parts();
        env.reset(EpisodeSeed::plain(seed), out).expect("reset");
        solo
    }

    fn parts(&mut self) -> (&mut dyn DynEnv, Outcome<'_>) {
        self.reward.fill(0.0);
        self.flags.fill(Flags::empty());
        let out = Outcome { reward: &mut self.reward, flags: &mut self.flags, metrics: &mut self.metrics };
        (&mut *self.env, out)
    }

    fn actor(&self) -> Option<usize> {
        self.flags.iter().position(|f| f.contains(Flags::TO_ACT))
    }

    fn look(&self, seat: usize) -> (Vec<u8>, Vec<u64>) {
        let mut obs = vec![255; observe::OBS_LEN];
        let mut mask = vec![0; rl_gym::words_for(ACTIONS)];
        self.env.observe(seat, &mut obs, rl_gym::BitsMut::new(&mut mask, ACTIONS));
        (obs, mask)
    }

    fn step(&mut self, action: u32) {
        let acts = vec![action; self.flags.len()];
        let (env, out) = self.parts();
        env.step(bytemuck_bytes(&acts), out).expect("no fault");
    }

    /// A random legal action; false when nobody is to act.
    fn play(&mut self, rng: &mut Pcg64) -> bool {
        let Some(seat) = self.actor() else { return false };
        let (_, mask) = self.look(seat);
        let bits = rl_gym::Bits::new(&mask, ACTIONS);
        let action = bits.nth(rng.below(bits.count() as u32) as usize).expect("a legal action");
        self.step(action as u32);
        true
    }
}

fn bytemuck_bytes(acts: &[u32]) -> &[u8] {
    bytemuck::cast_slice(acts)
}

#[test]
fn random_games_end_with_rewards_and_ranks_that_agree() {
    for (i, options) in option_sets().iter().enumerate() {
        let mut env = VecEnv::new(&game().factory(options.clone()), BatchConfig::lanes(8)).expect("batch");
        let seats = env.spec().seats;
        env.reset(i as u64);
        let mut rng = Pcg64::seed(i as u64);
        let mut ended = 0;
        while ended < 8 {
            let (batch, mut actions) = env.parts();
            for row in (0..8 * seats).filter(|&r| batch.flags(r).contains(Flags::TO_ACT)) {
                let mask = batch.mask(row);
                assert!(batch.spec().obs.contains(batch.obs(row)).is_ok());
                actions.set(row, mask.nth(rng.below(mask.count() as u32) as usize).expect("legal") as u32);
            }
            let batch = env.step();
            assert_eq!(batch.faults().count(), 0);
            let finals: Vec<_> = batch.finals().map(|(f, _)| *f).collect();
            for table in finals.chunks(seats) {
                ended += 1;
                let sum: f64 = table.iter().map(|f| f.episode_return).sum();
                assert!(sum.abs() < 1e-6, "{table:?}");
                let won = table.iter().filter(|f| f.rank == 0).count();
                if table[0].flags.contains(Flags::TRUNCATED) {
                    assert_eq!(won, seats);
                } else {
                    assert_eq!(won, 1);
                    assert!(table.iter().all(|f| (f.episode_return == 1.0) == (f.rank == 0)), "{table:?}");
                }
            }
        }
    }
}

#[test]
fn an_illegal_action_is_flagged_and_changes_nothing() {
    let mut rng = Pcg64::seed(3);
    for options in option_sets() {
        let mut solo = Solo::new(&options, 5);
        for _ in 0..300 {
            let Some(seat) = solo.actor() else { break };
            let (obs, mask) = solo.look(seat);
            let bits = rl_gym::Bits::new(&mask, ACTIONS);
            let before = solo.env.state_hash();
            let bad = (0..ACTIONS as u32).filter(|&a| !bits.get(a as usize));
            let far = [ACTIONS as u32, 65_535, 65_536, 65_536 + 180, u32::MAX];
            for action in bad.step_by(17).chain(far) {
                solo.step(action);
                assert_eq!(
                    solo.flags[seat],
                    Flags::ALIVE | Flags::TO_ACT | Flags::ILLEGAL,
                    "action {action}"
                );
                assert_eq!((solo.env.state_hash(), solo.look(seat)), (before, (obs.clone(), mask.clone())));
            }
            solo.play(&mut rng);
        }
    }
}

#[test]
fn a_loaded_snapshot_goes_on_as_the_original() {
    for (i, options) in option_sets().iter().enumerate() {
        let mut solo = Solo::new(options, i as u64);
        let mut rng = Pcg64::seed(9);
        for _ in 0..150 {
            solo.play(&mut rng);
        }
        let saved = solo.env.as_snapshot().expect("snapshots").save_any();
        let trail = |solo: &mut Solo| {
            let mut rng = Pcg64::seed(10);
            let mut hashes = Vec::new();
            while hashes.len() < 400 && solo.play(&mut rng) {
                hashes.push((solo.env.state_hash(), solo.reward.clone(), solo.flags.clone()));
            }
            hashes
        };
        let first = trail(&mut solo);
        let mut other = Solo::new(options, 77);
        other.env.as_snapshot().expect("snapshots").load_any(&saved).expect("same kind");
        other.flags.fill(Flags::empty());
        let acting = other.env.as_snapshot().expect("snapshots").save_any();
        let saved = acting.downcast_ref::<agon_settlers::Saved>().expect("a saved table");
        if let Some(seat) = saved.state().actor() {
            other.flags[usize::from(seat)] = Flags::TO_ACT;
        }
        assert_eq!(trail(&mut other), first);
    }
}

#[test]
fn forced_outcomes_replay_a_sampled_game() {
    for (i, options) in option_sets().iter().enumerate() {
        let mut sampled = Solo::new(options, 40 + i as u64);
        let mut forced = Solo::new(options, 40 + i as u64);
        forced.env.as_chance().expect("chance").set_explicit(true);
        let mut rng = Pcg64::seed(8);
        let mut listed = Vec::new();
        for _ in 0..600 {
            let Some(seat) = sampled.actor() else { break };
            let (_, mask) = sampled.look(seat);
            let bits = rl_gym::Bits::new(&mask, ACTIONS);
            let action = bits.nth(rng.below(bits.count() as u32) as usize).expect("legal") as u32;
            sampled.step(action);
            forced.step(action);
            let drawn = sampled.env.as_chance().expect("chance").drawn().to_vec();
            for outcome in drawn {
                assert_eq!(forced.actor(), None, "nature is to move");
                let chance = forced.env.as_chance().expect("chance");
                assert!(chance.outcomes(&mut listed));
                assert!((listed.iter().map(|o| o.1).sum::<f64>() - 1.0).abs() < 1e-12);
                assert!(listed.iter().any(|o| o.0 == outcome), "{outcome} is not among {listed:?}");
                forced.reward.fill(0.0);
                let Solo { env, reward, flags, metrics } = &mut forced;
                let out = Outcome { reward, flags, metrics };
                let chance = env.as_chance().expect("chance");
                assert!(
                    chance
                        .apply_outcome(99, Outcome { reward: &mut [], flags: &mut [], metrics: &mut [] })
                        .is_err()
                );
                chance.apply_outcome(outcome, out).expect("possible");
                assert_eq!(chance.drawn()[0], outcome);
            }
            assert_eq!(forced.flags, sampled.flags);
            for seat in 0..sampled.flags.len() {
                assert_eq!(forced.look(seat), sampled.look(seat));
            }
        }
    }
}

#[test]
fn auto_advance_leaves_only_real_choices() {
    let options = game().resolve([("auto_advance", "on")]).expect("valid");
    let mut solo = Solo::new(&options, 1);
    let mut rng = Pcg64::seed(2);
    while let Some(seat) = solo.actor() {
        let (_, mask) = solo.look(seat);
        assert!(rl_gym::Bits::new(&mask, ACTIONS).count() > 1);
        solo.play(&mut rng);
    }
}

#[test]
fn lanes_equal_solo_runs_whatever_the_batch() {
    let options = game().resolve([("turn_cap", "120")]).expect("valid");
    let run = |lanes: usize, workers: usize| {
        let config = BatchConfig { workers, ..BatchConfig::lanes(lanes) };
        let mut env = VecEnv::new(&game().factory(options.clone()), config).expect("batch");
        env.reset(6);
        let mut prints = Vec::new();
        for step in 0..400u32 {
            let (batch, mut actions) = env.parts();
            for row in (0..lanes * 4).filter(|&r| batch.flags(r).contains(Flags::TO_ACT)) {
                let mask = batch.mask(row);
                let k = step.wrapping_mul(2_654_435_761) >> 7;
                actions.set(row, mask.nth(k as usize % mask.count()).expect("legal") as u32);
            }
            let batch = env.step();
            prints.push((0..4).map(|row| (batch.obs(row).to_vec(), batch.flags(row))).collect::<Vec<_>>());
        }
        (prints, env.view().fingerprint())
    };
    assert_eq!(run(1, 1).0, run(6, 1).0);
    assert_eq!(run(6, 1), run(6, 3));
}
