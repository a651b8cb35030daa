//! A warm step allocates nothing: rules, mask, observation, ends of episodes and new games; nor do snapshots, the
//! relational form and the words for skills.

use agon_counting_allocator::{Counting, during};
use agon_settlers::observe::{self, OBS_LEN, Relational, Table};
use agon_settlers::words::Words;
use agon_settlers::{ACTIONS, Config, State, game};
use rl_gym::{
    BatchConfig, BatchEnv, Bits, BitsMut, DynEnv, EpisodeSeed, Flags, Outcome, Pcg64, Rows, SeedSequence,
    VecEnv, Vocabulary, words_for,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Random play of a batch, one illegal action in fifty.
fn play(batch: &mut VecEnv, rng: &mut Pcg64, steps: usize, ends: &mut usize) {
    for _ in 0..steps {
        let (view, mut actions) = batch.parts();
        for row in 0..view.shape().rows() {
            if view.flags(row).contains(Flags::TO_ACT) {
                let mask = view.mask(row);
                let legal = mask.nth(rng.below(mask.count() as u32) as usize).unwrap_or(0) as u32;
                actions.set(row, if rng.below(50) == 0 { rng.below(400) } else { legal });
            }
        }
        *ends += batch.step().finals().count();
    }
}

#[test]
fn a_warm_step_allocates_nothing() {
    let sets: [&[(&str, &str)]; 4] = [
        &[("turn_cap", "60")],
        &[("turn_cap", "40"), ("seats", "3"), ("trade", "off"), ("layout", "random")],
        &[
            ("turn_cap", "40"),
            ("seats", "2"),
            ("board", "mini"),
            ("auto_advance", "on"),
            ("victory_points", "5"),
        ],
        &[
            ("turn_cap", "50"),
            ("friendly_robber", "on"),
            ("compat_proposer_answers", "on"),
            ("max_offers", "20"),
        ],
    ];
    for set in sets {
        for rows in [Rows::Acting, Rows::All] {
            let options = game().resolve(set.iter().copied()).expect("valid options");
            let config = BatchConfig { rows, ..BatchConfig::lanes(16) };
            let mut batch = VecEnv::new(&game().factory(options), config).expect("a batch");
            batch.reset(1);
            let (mut rng, mut ends) = (Pcg64::seed(1), 0);
            play(&mut batch, &mut rng, 1500, &mut ends);
            ends = 0;
            let count = during(|| play(&mut batch, &mut rng, 4000, &mut ends));
            assert!(ends > 64, "{set:?}: {ends} ends of episodes");
            assert_eq!(count, 0, "{set:?}, {rows:?}");
        }
    }
}

/// One environment with the rows that it writes.
struct Solo {
    env: Box<dyn DynEnv>,
    reward: [f32; 4],
    flags: [Flags; 4],
    metrics: Vec<f32>,
    obs: [u8; OBS_LEN],
    mask: [u64; words_for(ACTIONS)],
}

impl Solo {
    /// Resets with a seed, or steps by a random legal action; then looks.
    fn go(&mut self, seed: Option<u64>, rng: &mut Pcg64) {
        let bits = Bits::new(&self.mask, ACTIONS);
        let legal = bits.nth(rng.below(bits.count().max(1) as u32) as usize).unwrap_or(0) as u32;
        self.reward.fill(0.0);
        self.flags.fill(Flags::empty());
        let out = Outcome { reward: &mut self.reward, flags: &mut self.flags, metrics: &mut self.metrics };
        match seed {
            Some(seed) => self.env.reset(EpisodeSeed::plain(seed), out),
            None => self.env.step(bytemuck::cast_slice(&[legal; 4]), out),
        }
        .expect("no fault");
        if let Some(seat) = self.actor() {
            self.env.observe(seat, &mut self.obs, BitsMut::new(&mut self.mask, ACTIONS));
        }
    }

    fn actor(&self) -> Option<usize> {
        self.flags.iter().position(|f| f.contains(Flags::TO_ACT))
    }
}

#[test]
fn snapshots_and_tables_allocate_nothing() {
    let env = (game().make)(&game().defaults()).expect("valid options");
    let mut solo = Solo {
        metrics: vec![0.0; env.spec().metrics.len()],
        env,
        reward: [0.0; 4],
        flags: [Flags::empty(); 4],
        obs: [0; OBS_LEN],
        mask: [0; words_for(ACTIONS)],
    };
    // A slot is warm once it has held a state with as long a memory of cards: the second pass plays the same games.
    let mut slot = solo.env.as_snapshot().expect("snapshots").save_any();
    let passes = [0, 1].map(|_| {
        let (mut rng, mut dense) = (Pcg64::seed(1), [0; OBS_LEN]);
        solo.go(Some(1), &mut rng);
        let (mut pips, mut games) = (0, 0);
        let count = during(|| {
            for step in 0..12_000 {
                let over = solo.actor().is_none();
                games += u32::from(over);
                solo.go(over.then_some(step), &mut rng);
                let hash = solo.env.state_hash();
                solo.env.as_snapshot().expect("snapshots").save_any_into(&mut slot);
                solo.go(None, &mut rng);
                solo.env.as_snapshot().expect("snapshots").load_any(&slot).expect("a state of this game");
                assert_eq!(solo.env.state_hash(), hash);
                solo.flags.fill(Flags::empty());
                let tables = Relational::of(&solo.obs);
                tables.write_into(&mut dense);
                pips += tables.table(Table::Tile).iter().map(u64::from).sum::<u64>();
                // The mask of a seat that is not to act is all ones.
                let actor = (0..4).find(|&s| {
                    solo.env.observe(s, &mut solo.obs, BitsMut::new(&mut solo.mask, ACTIONS));
                    Bits::new(&solo.mask, ACTIONS).count() < ACTIONS
                });
                if let Some(seat) = actor {
                    solo.flags[seat] = Flags::TO_ACT;
                }
            }
        });
        assert!(pips > 0 && games > 1, "{games} further games");
        count
    });
    assert_eq!(passes[1], 0);
}

#[test]
fn words_allocate_nothing() {
    let mut state = State::new(&Config::default(), SeedSequence::new(5)).expect("valid options");
    let (mut rng, mut row) = (Pcg64::seed(5), [0; OBS_LEN]);
    let mut values = vec![0.0; Words.facts().len()];
    let (mut sum, mut terms) = (0.0, 0);
    for _ in 0..600 {
        let Some(seat) = state.actor() else { break };
        observe::write(&state, seat, &mut row);
        let count = during(|| {
            Words.read(&row, &mut values);
            sum += (0..values.len()).map(|i| Words.fact(&row, i)).sum::<f32>();
            for action in state.legal().iter() {
                let Some(term) = Words.term(&row, action.0.into()) else { continue };
                terms += 1;
                for (&kind, arg) in Words.verbs()[usize::from(term.verb)].args.iter().zip(term.args) {
                    let features = 0..Words.kinds()[kind].features.len();
                    sum += features.map(|f| Words.feature(&row, kind, arg, f)).sum::<f32>();
                }
            }
        });
        assert_eq!(count, 0);
        let k = rng.below(state.legal().count());
        state.step(state.legal().nth(k).expect("legal")).expect("legal");
    }
    assert!(sum > 0.0 && terms > 1000, "{terms} terms");
}

/// The counter counts.
#[test]
fn the_counter_sees_a_box() {
    assert_eq!(during(|| drop(std::hint::black_box(Box::new(1u8)))), 1);
}
