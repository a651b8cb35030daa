//! Golden playthroughs: one readable game of each kind, compared with `tests/playthroughs/<game>.txt`.
//!
//! A change of rules, observation or text shows as a diff of these files. To write them anew:
//! `AGON_UPDATE_PLAYTHROUGHS=1 cargo test -p agon-classic --test playthrough`, then read the diff.

use rl_gym::{BitsMut, DynEnv, EpisodeSeed, Flags, Game, Outcome, Pcg64, Space, Spec};
use std::fmt::Write;

/// Steps written of a long episode.
const LONGEST: usize = 12;

struct Transcript {
    env: Box<dyn DynEnv>,
    reward: Vec<f32>,
    flags: Vec<Flags>,
    metrics: Vec<f32>,
    text: String,
}

fn transcript(game: &Game) -> String {
    let env = (game.make)(&game.defaults()).expect("an environment");
    let spec = env.spec().clone();
    let mut t = Transcript {
        env,
        reward: vec![0.0; spec.seats],
        flags: vec![Flags::empty(); spec.seats],
        metrics: vec![0.0; spec.metrics.len()],
        text: head(&spec),
    };
    let out = Outcome { reward: &mut t.reward, flags: &mut t.flags, metrics: &mut t.metrics };
    t.env.reset(EpisodeSeed::tree(3, 0, 0), out).expect("a reset");
    let mut rng = Pcg64::seed(3);
    for step in 0.. {
        t.show(step, &spec);
        if step == LONGEST || t.flags.iter().all(|f| !f.contains(Flags::ALIVE)) {
            break;
        }
        t.play(&spec, &mut rng);
    }
    let mut ranks = vec![0; spec.seats];
    if t.env.ranks(&mut ranks) {
        writeln!(t.text, "\nranks {ranks:?}").expect("text");
    }
    t.text
}

fn head(spec: &Spec) -> String {
    let mut text = format!(
        "{}: {} seat(s), {:?}, {:?}, {:?}, {:?}, rewards {:?}\nactions {:?}, masked {}\n",
        spec.id(),
        spec.seats,
        spec.dynamics,
        spec.information,
        spec.luck,
        spec.utility,
        spec.reward,
        spec.action,
        spec.masked
    );
    for (start, f) in spec.obs.offsets() {
        let shape = &f.shape;
        writeln!(text, "obs {start:>2} {} {shape:?} {}..={}: {}", f.name, f.low, f.high, f.meaning)
            .expect("text");
    }
    text
}

impl Transcript {
    fn show(&mut self, step: usize, spec: &Spec) {
        let hash = self.env.state_hash().expect("a hash");
        writeln!(self.text, "\nstep {step}, state {hash:016x}").expect("text");
        for seat in 0..spec.seats {
            let mut obs = vec![0.0f32; spec.obs.len()];
            let mut mask = vec![0u64; spec.mask_bits().div_ceil(64)];
            let bits = BitsMut::new(&mut mask, spec.mask_bits());
            self.env.observe(seat, bytemuck::cast_slice_mut(&mut obs), bits);
            let reward = self.reward[seat];
            let flags: Vec<_> = self.flags[seat].iter_names().map(|(name, _)| name).collect();
            writeln!(self.text, "seat {seat}: reward {reward}, {}", flags.join(" ")).expect("text");
            writeln!(self.text, "  obs {obs:?}").expect("text");
            if self.flags[seat].contains(Flags::TO_ACT) && spec.masked {
                writeln!(self.text, "  mask {:b}", mask[0]).expect("text");
            }
            let mut words = String::new();
            self.env.as_text().expect("text").observe_text(seat, &mut words);
            words.lines().for_each(|line| writeln!(self.text, "  | {line}").expect("text"));
        }
    }

    fn play(&mut self, spec: &Spec, rng: &mut Pcg64) {
        let text = self.env.as_text().expect("text");
        let mut acts = vec![0u32; spec.seats];
        for (seat, act) in acts.iter_mut().enumerate().filter(|(i, _)| self.flags[*i].contains(Flags::TO_ACT))
        {
            let mut legal = Vec::new();
            text.legal_text(seat, &mut |action, name| legal.push((action, name.to_owned())));
            let (action, name) = &legal[rng.below(legal.len() as u32) as usize];
            writeln!(self.text, "seat {seat} plays {action} ({name})").expect("text");
            *act = *action;
        }
        assert!(matches!(spec.action, Space::Discrete { .. }));
        self.reward.fill(0.0);
        self.flags.fill(Flags::empty());
        let out = Outcome { reward: &mut self.reward, flags: &mut self.flags, metrics: &mut self.metrics };
        self.env.step(bytemuck::cast_slice(&acts), out).expect("a step");
    }
}

#[test]
fn playthroughs_are_as_committed() {
    for game in agon_classic::games() {
        let path = format!("{}/tests/playthroughs/{}.txt", env!("CARGO_MANIFEST_DIR"), game.name);
        let now = transcript(&game);
        if std::env::var_os("AGON_UPDATE_PLAYTHROUGHS").is_some() {
            std::fs::write(&path, &now).expect("the playthrough file");
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let line = committed.lines().zip(now.lines()).position(|(a, b)| a != b);
        assert!(
            committed == now,
            "{path} differs from line {:?} on; AGON_UPDATE_PLAYTHROUGHS=1 writes it anew",
            line.map(|n| n + 1)
        );
    }
}
