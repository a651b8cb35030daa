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
        options: vec![OptionDef::int(
            "max_steps",
            500,
            1,
            1_000_000,
            "steps after which the episode is truncated",
        )],
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
    spec: Box<Spec>,
}

impl CartPole {
    /// An environment of checked options; reset it before the first step.
    pub fn new(options: &Options) -> Self {
        Self { state: [0.0; 4], rng: Pcg64::default(), spec: Box::new(spec(options)) }
    }

    /// Position (m), speed (m/s), angle (rad) and angular speed (rad/s) in full precision.
    pub const fn state(&self) -> [f64; 4] {
        self.state
    }

    fn is_over(&self) -> bool {
        let [x, _, theta, _] = self.state;
        // One test without branches: both limits are rarely near, so two compares beat four jumps.
        (x.abs() > X_LIMIT) | (theta.abs() > THETA_LIMIT)
    }

    fn signal(&self, out: &mut Outcome<'_>) {
        out.flags[0] = if self.is_over() { Flags::TERMINATED } else { Flags::ALIVE | Flags::TO_ACT };
    }
}

fn spec(options: &Options) -> Spec {
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
        reward: (0.0, 1.0),
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
    let sine = 1.0 / 39_916_800.0;
    let sine = 1.0 / 362_880.0 - q * sine;
    let sine = 1.0 / 5_040.0 - q * sine;
    let sine = 1.0 / 120.0 - q * sine;
    let sine = 1.0 / 6.0 - q * sine;
    let cosine = 1.0 / 479_001_600.0;
    let cosine = 1.0 / 3_628_800.0 - q * cosine;
    let cosine = 1.0 / 40_320.0 - q * cosine;
    let cosine = 1.0 / 720.0 - q * cosine;
    let cosine = 1.0 / 24.0 - q * cosine;
    let cosine = 0.5 - q * cosine;
    (x - x * q * sine, 1.0 - q * cosine)
}

/// One Euler step of the physics.
#[inline]
fn advance([x, x_dot, theta, theta_dot]: [f64; 4], right: bool) -> [f64; 4] {
    let force = if right { FORCE } else { -FORCE };
    let (sin, cos) = sin_cos(theta);
    let temp = (force + POLE_MASS_LENGTH * (theta_dot * theta_dot) * sin) / TOTAL_MASS;
    let theta_acc = (GRAVITY * sin - cos * temp)
        / (HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * (cos * cos) / TOTAL_MASS));
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
        self.state = std::array::from_fn(|_| self.rng.uniform(-0.05, 0.05));
        self.signal(&mut out);
        Ok(())
    }

    #[inline]
    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        let action = acts[0];
        if action > 1 || self.is_over() {
            self.signal(&mut out);
            if action > 1 {
                out.refuse(0);
            }
            return Ok(());
        }
        self.state = advance(self.state, action == 1);
        out.reward[0] = 1.0;
        self.signal(&mut out);
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
