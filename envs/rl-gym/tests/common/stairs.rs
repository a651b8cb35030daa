//! Three seats on a stair: seat `i` leaves after step `2 + i`. Everybody acts at once; rows stay readable.

use rl_gym::{
    BitsMut, Dtype, Dynamics, Env, EpisodeSeed, Fault, Flags, Game, Information, Luck, Outcome, Placing,
    Space, Spec, Utility,
};

pub fn stairs() -> Game {
    Game {
        name: "stairs",
        version: 1,
        summary: "seats leave one after another",
        options: Vec::new(),
        make: |_| Ok(Box::new(Stairs { steps: 0, spec: spec() })),
        bots: Vec::new(),
        genome: None,
        traces: None,
        vocabulary: None,
    }
}

struct Stairs {
    steps: u8,
    spec: Spec,
}

fn spec() -> Spec {
    Spec {
        game: "stairs".into(),
        version: 1,
        seats: 3,
        obs: Space::boxed(Dtype::U8, &[1], 0.0, 9.0),
        action: Space::Discrete { n: 4 },
        masked: true,
        dynamics: Dynamics::Mixed,
        information: Information::Perfect,
        luck: Luck::Deterministic,
        utility: Utility::GeneralSum,
        placing: Placing::Full,
        reward: (0.0, 1.0),
        metrics: vec!["steps".into()],
        max_steps: None,
    }
}

impl Stairs {
    /// All living seats act, but seat 2 rests in the first step.
    fn signal(&self, out: &mut Outcome<'_>) {
        out.metrics[0] = f32::from(self.steps);
        for (seat, flags) in out.flags.iter_mut().enumerate() {
            let last = 2 + seat as u8;
            *flags = match self.steps {
                0 if seat == 2 => Flags::ALIVE,
                steps if steps < last => Flags::ALIVE | Flags::TO_ACT,
                steps if steps == last => Flags::TERMINATED,
                _ => Flags::empty(),
            };
        }
    }
}

impl Env for Stairs {
    type Obs = u8;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, _seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        self.steps = 0;
        self.signal(&mut out);
        Ok(())
    }

    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        let mut now = [Flags::empty(); 3];
        let mut metrics = [0.0];
        self.signal(&mut Outcome { reward: &mut [0.0; 3], flags: &mut now, metrics: &mut metrics });
        let bad = |seat: usize| now[seat].contains(Flags::TO_ACT) && (acts[seat] > 3 || acts[seat] == 2);
        if (0..3).any(bad) {
            self.signal(&mut out);
            (0..3).filter(|&seat| bad(seat)).for_each(|seat| out.refuse(seat));
            return Ok(());
        }
        self.steps += 1;
        self.signal(&mut out);
        out.reward
            .iter_mut()
            .zip(now)
            .for_each(|(r, before)| *r = f32::from(u8::from(before.contains(Flags::ALIVE))));
        Ok(())
    }

    fn observe(&self, seat: usize, obs: &mut [u8], mut mask: BitsMut<'_>) {
        obs[0] = 1 + self.steps + seat as u8;
        mask.fill(true);
        mask.set(2, false);
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        ranks.copy_from_slice(&[2, 1, 0]);
        self.steps >= 4
    }

    fn state_hash(&self) -> Option<u64> {
        Some(u64::from(self.steps))
    }
}
