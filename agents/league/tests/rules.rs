//! The hash of the rules: it covers whole games and what is said at their ends, and nothing that is no rule.

use agon_league::fingerprint;
use rl_gym::{
    BitsMut, Dtype, Dynamics, Env, EpisodeSeed, Fault, Game, GymError, Information, Luck, OptionDef, Options,
    Outcome as Signals, Pcg64, Placing, Space, Spec, Utility,
};

const LENGTH: u32 = 9000;

/// Two seats take turns for nine thousand steps; an option changes one thing late in the game.
struct Long {
    spec: Spec,
    rng: Pcg64,
    step: u32,
    change: String,
}

impl Long {
    fn changes(&self, what: &str) -> bool {
        self.change == what
    }
}

impl Env for Long {
    type Obs = u8;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Signals<'_>) -> Result<(), Fault> {
        seed.apply(&mut self.rng);
        self.step = 0;
        out.turn(0);
        Ok(())
    }

    fn step(&mut self, _: &[u32], mut out: Signals<'_>) -> Result<(), Fault> {
        self.step += 1;
        let late = self.step > LENGTH - 3;
        if late && self.changes("fault") {
            return Err(Fault::new("out of cards"));
        }
        if late && self.changes("reward") {
            out.reward[1] = 1.0;
        }
        if self.changes("metrics") {
            out.metrics[0] = 7.0;
        }
        match self.step {
            LENGTH if self.changes("truncated") => out.truncate(),
            LENGTH => out.terminate(),
            step => out.turn((step + u32::from(late && self.changes("turn"))) as usize % 2),
        }
        Ok(())
    }

    fn observe(&self, _seat: usize, obs: &mut [u8], mut mask: BitsMut<'_>) {
        let late = self.step == LENGTH - 2;
        obs[0] = self.step as u8 ^ u8::from(late && self.changes("observation"));
        mask.fill(true);
        mask.set(0, !(late && self.changes("mask")));
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        ranks.copy_from_slice(if self.changes("ranks") { &[1, 0] } else { &[0, 1] });
        !self.changes("unplaced")
    }

    fn points(&self, points: &mut [f32]) -> bool {
        assert!(!self.changes("panic"), "no points");
        points.copy_from_slice(if self.changes("points") { &[9.0, 1.0] } else { &[9.0, 2.0] });
        true
    }
}

const CHANGES: &[&str] = &[
    "nothing",
    "metrics",
    "reward",
    "turn",
    "observation",
    "mask",
    "truncated",
    "ranks",
    "unplaced",
    "points",
    "fault",
    "panic",
];

fn hash(change: &str) -> String {
    let game = Game {
        name: "long",
        version: 1,
        summary: "for tests",
        options: vec![OptionDef::choice("change", CHANGES, "what is other than it was")],
        make: |options: &Options| -> Result<_, GymError> {
            let spec = Spec {
                game: "long".into(),
                version: 1,
                seats: 2,
                obs: Space::boxed(Dtype::U8, &[1], 0.0, 255.0),
                action: Space::Discrete { n: 3 },
                masked: true,
                dynamics: Dynamics::TurnBased,
                information: Information::Perfect,
                luck: Luck::Deterministic,
                utility: Utility::GeneralSum,
                placing: Placing::Full,
                reward: (0.0, 1.0),
                metrics: vec!["nothing".into()],
                max_steps: None,
            };
            let change = options.text("change").into();
            Ok(Box::new(Long { spec, rng: Pcg64::default(), step: 0, change }))
        },
        bots: Vec::new(),
        genome: None,
        traces: None,
        vocabulary: None,
    };
    fingerprint(&game, &game.resolve([("change", change)]).expect("options")).expect("hash")
}

/// Symptom: a change behind step 1500 of a game kept the hash, a change of a metric moved it.
#[test]
fn late_changes_move_the_hash_and_metrics_do_not() {
    let base = hash("nothing");
    assert_eq!(base.len(), 16);
    assert_eq!(hash("nothing"), base);
    assert_eq!(hash("metrics"), base);
    let mut hashes = vec![base];
    for change in &CHANGES[2..] {
        let hash = hash(change);
        assert!(!hashes.contains(&hash), "{change}");
        hashes.push(hash);
    }
}
