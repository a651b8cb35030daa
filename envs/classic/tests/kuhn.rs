//! Game values of Kuhn poker by walking the whole tree through the public abilities alone.

use agon_classic::equilibrium_bet;
use rl_gym::{BitsMut, DynEnv, EpisodeSeed, Flags, Outcome};
use std::collections::BTreeMap;

/// Chance of betting, from the observation of the seat to act.
type Strategy<'a> = &'a dyn Fn(usize, &[f32]) -> f64;

struct Walk {
    env: Box<dyn DynEnv>,
    reward: [f32; 2],
    flags: [Flags; 2],
    terminals: usize,
}

fn walk() -> Walk {
    let game = agon_classic::kuhn_poker();
    let mut env = (game.make)(&game.defaults()).expect("an environment");
    env.as_chance().expect("chance").set_explicit(true);
    Walk { env, reward: [0.0; 2], flags: [Flags::empty(); 2], terminals: 0 }
}

impl Walk {
    /// Expected reward of seat 0 from a fresh deal.
    fn value(&mut self, strategy: Strategy<'_>) -> f64 {
        let out = Outcome { reward: &mut self.reward, flags: &mut self.flags, metrics: &mut [] };
        self.env.reset(EpisodeSeed::plain(1), out).expect("a deal");
        self.terminals = 0;
        self.below(strategy)
    }

    fn below(&mut self, strategy: Strategy<'_>) -> f64 {
        if self.flags.iter().all(|f| !f.contains(Flags::ALIVE)) {
            self.terminals += 1;
            return f64::from(self.reward[0]);
        }
        let here = (self.env.as_snapshot().expect("snapshot").save_any(), self.flags);
        let mut outcomes = Vec::new();
        let branches: Vec<(u32, f64)> = if self.env.as_chance().expect("chance").outcomes(&mut outcomes) {
            outcomes.clone()
        } else {
            let seat = self.flags.iter().position(|f| f.contains(Flags::TO_ACT)).expect("someone acts");
            let mut obs = [0.0f32; 11];
            self.env.observe(seat, bytemuck::cast_slice_mut(&mut obs), BitsMut::new(&mut [0], 2));
            let bet = strategy(seat, &obs);
            vec![(0, 1.0 - bet), (1, bet)]
        };
        let mut value = 0.0;
        for (branch, chance) in branches {
            self.env.as_snapshot().expect("snapshot").load_any(&here.0).expect("its own state");
            (self.reward, self.flags) = ([0.0; 2], [Flags::empty(); 2]);
            let out = Outcome { reward: &mut self.reward, flags: &mut self.flags, metrics: &mut [] };
            if outcomes.is_empty() {
                self.env.step(bytemuck::cast_slice(&[branch, branch]), out).expect("a legal move");
            } else {
                self.env.as_chance().expect("chance").apply_outcome(branch, out).expect("a listed card");
            }
            value += chance * self.below(strategy);
        }
        value
    }
}

fn assert_near(ours: f64, wanted: f64) {
    assert!((ours - wanted).abs() < 1e-12, "value {ours}, wanted {wanted}");
}

#[test]
fn uniform_play_is_worth_an_eighth_to_the_first_seat() {
    let mut walk = walk();
    // tests/oracle/games/game_values.json: uniform kuhn_poker.
    assert_near(walk.value(&|_, _| 0.5), 0.125);
    // 30 = 6 deals x 5 betting lines.
    assert_eq!(walk.terminals, 30);
}

#[test]
fn the_equilibrium_bot_gets_the_value_of_the_game() {
    assert_near(walk().value(&|_, obs| equilibrium_bet(obs)), -1.0 / 18.0);
}

#[test]
fn no_pure_strategy_beats_the_equilibrium() {
    let mut walk = walk();
    for responder in 0..2 {
        let mut best = f64::NEG_INFINITY;
        // Six information sets a seat, two actions each: 64 pure strategies.
        for plan in 0..64u32 {
            let sets = std::cell::RefCell::new(BTreeMap::<Vec<u32>, u32>::new());
            let value = walk.value(&|seat, obs| {
                if seat != responder {
                    return equilibrium_bet(obs);
                }
                let mut sets = sets.borrow_mut();
                let key = obs.iter().map(|x| x.to_bits()).collect();
                let fresh = sets.len() as u32;
                f64::from(plan >> *sets.entry(key).or_insert(fresh) & 1)
            });
            assert_eq!(sets.borrow().len(), 6);
            best = best.max(if responder == 0 { value } else { -value });
        }
        assert_near(best, if responder == 0 { -1.0 / 18.0 } else { 1.0 / 18.0 });
    }
}
