//! CartPole: keep a pole upright on a cart. Equal to Gymnasium's `CartPole-v1`.

use crate::common::{Each, parse_name, stable_hash};
use rl_gym::{
    BitsMut, Bot, Dtype, DynSnapshot, Dynamics, Env, EpisodeSeed, Fault, Field, Flags, Game, Information,
    Luck, OptionDef, Options, Outcome, ParseError, Pcg64, Placing, Snapshot, Space, Spec, TextEnv, Utility,
};
use std::fmt::Write;

/// Gravity, m/s².
const GRAVITY: f64 = 9.8;
/// Mass of the pole, kg.
const POLE_MASS: f64 = 0.1;
/// Mass of cart and pole, kg.
const TOTAL_MASS: f64 = 1.0 + POLE_MASS;
/// Half the pole's length, m.
const HALF_LENGTH: f64 = 0.5;
/// Mass times half length, kg·m.
const POLE_MASS_LENGTH: f64 = POLE_MASS * HALF_LENGTH;
/// Force of a push, N.
const FORCE: f64 = 10.0;
/// Seconds of a step.
const TAU_S: f64 = 0.02;
/// The pole has fallen beyond this angle, rad (12 degrees).
const THETA_LIMIT: f64 = 12.0 * 2.0 * std::f64::consts::PI / 360.0;
/// The cart has left the track beyond this position, m.
const X_LIMIT: f64 = 2.4;
/// Names of the two actions.
const NAMES: [&str; 2] = ["left", "right"];

/// The game as the registry holds it.
pub fn cartpole() -> Game {
    Game {
        name: "cartpole",
        version: 1,
        summary: "push a cart left or right so that the pole on it stays upright",
        options: vec![
            OptionDef::int("max_steps", 500, 1, 1_000_000, "steps after which the episode is truncated"),
            OptionDef::float("low", -0.05, -0.2, 0.0, "least start value of all four numbers"),
            OptionDef::float("high", 0.05, 0.0, 0.2, "greatest start value of all four numbers"),
            OptionDef::flag(
                "sutton_barto_reward",
                false,
                "reward -1 for the fall and 0 before it, in place of 1 a step",
            ),
        ],
        make: |options| Ok(Box::new(CartPole::new(options))),
        bots: vec![Bot {
            name: "balance",
            version: 1,
            summary: "pushes to the side to which a weighted sum of the four numbers leans",
            anchor: true,
            make: |_| Box::new(Each(|ask: &mut rl_gym::Ask<'_>| balance(ask.obs_as()))),
        }],
        genome: None,
        traces: None,
        vocabulary: None,
    }
}

/// A linear controller that holds the pole for all 500 steps from every recorded start.
fn balance(obs: &[f32]) -> u32 {
    u32::from(0.1 * obs[0] + 0.3 * obs[1] + 2.0 * obs[2] + obs[3] > 0.0)
}

/// Position, speed, angle and angular speed in double precision, and the stream of the resets.
///
/// # Source
/// Barto, Sutton and Anderson, "Neuronlike adaptive elements that can solve difficult learning control
/// problems" (1983), with the constants and the Euler step of Gymnasium's `CartPole-v1`. Checked against
/// recorded episodes in `tests/gymnasium.rs`.
pub struct CartPole {
    state: [f64; 4],
    rng: Pcg64,
    /// Reward of a step that keeps the pole up, and of the step in which it falls.
    rewards: [f32; 2],
    /// Range of the start values.
    start: [f64; 2],
    spec: Box<Spec>,
}

impl CartPole {
    /// An environment of checked options; reset it before the first step.
    pub fn new(options: &Options) -> Self {
        let rewards = if options.flag("sutton_barto_reward") { [0.0, -1.0] } else { [1.0, 1.0] };
        let start = [options.float("low"), options.float("high")];
        let spec = Box::new(spec(options, rewards));
        Self { state: [0.0; 4], rng: Pcg64::default(), rewards, start, spec }
    }

    /// Position (m), speed (m/s), angle (rad) and angular speed (rad/s) in full precision.
    pub const fn state(&self) -> [f64; 4] {
        self.state
    }

    #[inline]
    fn is_over(&self) -> bool {
        let [x, _, theta, _] = self.state;
        x.abs() > X_LIMIT || theta.abs() > THETA_LIMIT
    }

    /// Signals the state, and the reward of the step that led to it.
    // A fall is a branch, not a select: the processor then guesses "still up", which is right 19 times in 20,
    // and goes on with the next environment while this one's physics is still being computed.
    #[inline]
    fn signal(&self, rewards: [f32; 2], out: &mut Outcome<'_>) {
        if self.is_over() {
            return fallen(rewards[1], out);
        }
        out.flags[0] = Flags::ALIVE | Flags::TO_ACT;
        out.reward[0] = rewards[0];
    }
}

#[cold]
#[inline(never)]
fn fallen(reward: f32, out: &mut Outcome<'_>) {
    out.flags[0] = Flags::TERMINATED;
    out.reward[0] = reward;
}

fn spec(options: &Options, rewards: [f32; 2]) -> Spec {
    let inf = f64::INFINITY;
    Spec {
        game: "cartpole".into(),
        version: 1,
        seats: 1,
        obs: Space::Fields {
            dtype: Dtype::F32,
            fields: vec![
                Field::new("x", &[], -2.0 * X_LIMIT, 2.0 * X_LIMIT, "position of the cart, m"),
                Field::new("x_speed", &[], -inf, inf, "speed of the cart, m/s"),
                Field::new("angle", &[], -2.0 * THETA_LIMIT, 2.0 * THETA_LIMIT, "angle of the pole, rad"),
                Field::new("angle_speed", &[], -inf, inf, "angular speed of the pole, rad/s"),
            ],
        },
        action: Space::Discrete { n: 2 },
        masked: false,
        dynamics: Dynamics::SingleAgent,
        information: Information::Perfect,
        luck: Luck::Deterministic,
        utility: Utility::GeneralSum,
        placing: Placing::None,
        reward: (rewards[1].min(0.0), rewards[0]),
        metrics: Vec::new(),
        max_steps: u32::try_from(options.int("max_steps")).ok(),
    }
}

/// Sine and cosine for angles within the pole's limits: exact to the last bit or the one before, and the
/// same on every machine, which the mathematics library of the system is not.
///
/// Taylor terms up to x^11 and x^12; the first one left out is below 3e-19 at 0.21 rad.
#[inline]
fn sin_cos(x: f64) -> (f64, f64) {
    let q = x * x;
    let (q2, q4) = (q * q, q * q * q * q);
    // In pairs, not nested: half as long a chain of operations that wait for each other.
    let sine = (1.0 / 6.0 - q * (1.0 / 120.0))
        + q2 * (1.0 / 5_040.0 - q * (1.0 / 362_880.0))
        + q4 * (1.0 / 39_916_800.0);
    let cosine = (0.5 - q * (1.0 / 24.0))
        + q2 * (1.0 / 720.0 - q * (1.0 / 40_320.0))
        + q4 * (1.0 / 3_628_800.0 - q * (1.0 / 479_001_600.0));
    (x - x * q * sine, 1.0 - q * cosine)
}

/// One Euler step of the physics.
#[inline]
fn advance([x, x_dot, theta, theta_dot]: [f64; 4], right: bool) -> [f64; 4] {
    let force = if right { FORCE } else { -FORCE };
    let (sin, cos) = sin_cos(theta);
    let temp = (force + POLE_MASS_LENGTH * (theta_dot * theta_dot) * sin) / TOTAL_MASS;
    let theta_acc =
        (GRAVITY * sin - cos * temp) / (HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * (cos * cos) / TOTAL_MASS));
    let x_acc = temp - POLE_MASS_LENGTH * theta_acc * cos / TOTAL_MASS;
    [x + TAU_S * x_dot, x_dot + TAU_S * x_acc, theta + TAU_S * theta_dot, theta_dot + TAU_S * theta_acc]
}

impl Env for CartPole {
    type Obs = f32;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        seed.apply(&mut self.rng);
        self.state = std::array::from_fn(|_| self.rng.uniform(self.start[0], self.start[1]));
        self.signal([0.0; 2], &mut out);
        Ok(())
    }

    #[inline]
    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        let action = acts[0];
        if action > 1 || self.is_over() {
            self.signal([0.0; 2], &mut out);
            if action > 1 {
                out.refuse(0);
            }
            return Ok(());
        }
        self.state = advance(self.state, action == 1);
        self.signal(self.rewards, &mut out);
        Ok(())
    }

    #[inline]
    fn observe(&self, _seat: usize, obs: &mut [f32], _mask: BitsMut<'_>) {
        obs.copy_from_slice(&self.state.map(|v| v as f32));
    }

    fn state_hash(&self) -> Option<u64> {
        Some(stable_hash(&(self.state.map(f64::to_bits), self.rng)))
    }

    fn as_snapshot(&mut self) -> Option<&mut dyn DynSnapshot> {
        Some(self)
    }

    fn as_text(&self) -> Option<&dyn TextEnv> {
        Some(self)
    }
}

impl Snapshot for CartPole {
    type State = ([f64; 4], Pcg64);

    fn save(&self) -> Self::State {
        (self.state, self.rng)
    }

    fn load(&mut self, state: &Self::State) {
        (self.state, self.rng) = *state;
    }
}

impl TextEnv for CartPole {
    fn observe_text(&self, _seat: usize, out: &mut String) {
        let [x, x_dot, theta, theta_dot] = self.state;
        // Writing into a String cannot fail.
        _ = write!(
            out,
            "The cart is at {x:.3} m, moving at {x_dot:.3} m/s. The pole leans {:.2} degrees, turning at {:.2} degrees/s.",
            theta.to_degrees(),
            theta_dot.to_degrees()
        );
    }

    fn legal_text(&self, _seat: usize, each: &mut dyn FnMut(u32, &str)) {
        if !self.is_over() {
            each(0, NAMES[0]);
            each(1, NAMES[1]);
        }
    }

    fn action_name(&self, action: u32) -> Option<String> {
        NAMES.get(action as usize).map(|&name| name.to_owned())
    }

    fn parse(&self, seat: usize, text: &str) -> Result<u32, ParseError> {
        let mut legal = Vec::new();
        self.legal_text(seat, &mut |action, name| legal.push((action, name.to_owned())));
        parse_name(text, &legal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_series_is_exact_within_the_limits() {
        for i in -2100..=2100 {
            let x = f64::from(i) * 1e-4;
            let (sin, cos) = sin_cos(x);
            assert!((sin - x.sin()).abs() <= x.abs() * f64::EPSILON, "sine of {x}");
            assert!((cos - x.cos()).abs() <= f64::EPSILON, "cosine of {x}");
        }
    }
}
