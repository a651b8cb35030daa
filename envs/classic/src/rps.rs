//! Rock-paper-scissors over several rounds: both seats move at once.

use crate::common::{Each, parse_name, stable_hash};
use rl_gym::{
    BitsMut, Bot, Dtype, DynSnapshot, Dynamics, Env, EpisodeSeed, Fault, Field, Game, Information, Luck,
    OptionDef, Options, Outcome, ParseError, Placing, Snapshot, Space, Spec, TextEnv, Utility,
};
use std::fmt::Write;

/// Action names; each beats the one before it, the first beats the last.
const NAMES: [&str; 3] = ["rock", "paper", "scissors"];

/// The game as the registry holds it.
pub fn rock_paper_scissors() -> Game {
    Game {
        name: "rock-paper-scissors",
        version: 1,
        summary: "both seats show a hand at once; the better of several rounds wins",
        options: vec![OptionDef::int("rounds", 10, 1, 1000, "rounds of an episode")],
        make: |options| Ok(Box::new(RockPaperScissors::new(options))),
        bots: vec![
            Bot {
                name: "rock",
                version: 1,
                summary: "always rock",
                anchor: true,
                make: |_| Box::new(Each(|_: &mut rl_gym::Ask<'_>| 0)),
            },
            Bot {
                name: "beat-last",
                version: 1,
                summary: "beats the rival's last hand; begins with paper",
                anchor: true,
                make: |_| Box::new(Each(|ask: &mut rl_gym::Ask<'_>| beat_last(ask.obs_as()))),
            },
        ],
        genome: None,
        traces: None,
        vocabulary: None,
    }
}

fn beat_last(obs: &[f32]) -> u32 {
    let last = obs[3..6].iter().position(|&x| x > 0.5).unwrap_or(0);
    (last as u32 + 1) % 3
}

/// What has happened so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Score {
    played: u32,
    /// Rounds won by seat 0 less rounds won by seat 1.
    lead: i32,
    ties: u32,
    last: Option<[u8; 2]>,
}

/// The environment.
pub struct RockPaperScissors {
    score: Score,
    rounds: u32,
    spec: Box<Spec>,
}

impl RockPaperScissors {
    /// An environment of checked options; reset it before the first step.
    pub fn new(options: &Options) -> Self {
        let rounds = u32::try_from(options.int("rounds")).unwrap_or(1).max(1);
        Self { score: Score::default(), rounds, spec: Box::new(spec()) }
    }

    const fn is_over(&self) -> bool {
        self.score.played >= self.rounds
    }

    fn signal(&self, out: &mut Outcome<'_>) {
        out.metrics[0] = self.score.ties as f32;
        if self.is_over() {
            out.terminate();
        } else {
            out.everyone();
        }
    }
}

fn spec() -> Spec {
    Spec {
        game: "rock-paper-scissors".into(),
        version: 1,
        seats: 2,
        obs: Space::Fields {
            dtype: Dtype::F32,
            fields: vec![
                Field::new("mine", &[3], 0.0, 1.0, "one-hot: the viewer's last hand; zero before the first"),
                Field::new("theirs", &[3], 0.0, 1.0, "one-hot: the rival's last hand"),
                Field::new("progress", &[], 0.0, 1.0, "rounds played / rounds"),
                Field::new("lead", &[], -1.0, 1.0, "(rounds won - rounds lost) / rounds"),
            ],
        },
        action: Space::Discrete { n: 3 },
        masked: false,
        dynamics: Dynamics::Simultaneous,
        information: Information::Perfect,
        luck: Luck::Deterministic,
        utility: Utility::ZeroSum,
        placing: Placing::Full,
        reward: (-1.0, 1.0),
        metrics: vec!["ties".into()],
        max_steps: None,
    }
}

impl Env for RockPaperScissors {
    type Obs = f32;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, _seed: EpisodeSeed, mut out: Outcome<'_>) -> Result<(), Fault> {
        self.score = Score::default();
        self.signal(&mut out);
        Ok(())
    }

    fn step(&mut self, acts: &[u32], mut out: Outcome<'_>) -> Result<(), Fault> {
        let legal = acts.iter().all(|&act| act < 3);
        if self.is_over() || !legal {
            self.signal(&mut out);
            for (seat, _) in acts.iter().enumerate().filter(|(_, act)| **act > 2) {
                out.refuse(seat);
            }
            return Ok(());
        }
        let lead = [0, 1, -1][((acts[0] + 3 - acts[1]) % 3) as usize];
        self.score.last = Some([acts[0] as u8, acts[1] as u8]);
        self.score.lead += lead;
        self.score.ties += u32::from(lead == 0);
        self.score.played += 1;
        out.reward[0] = lead as f32;
        out.reward[1] = -lead as f32;
        self.signal(&mut out);
        Ok(())
    }

    fn observe(&self, seat: usize, obs: &mut [f32], _mask: BitsMut<'_>) {
        obs.fill(0.0);
        if let Some(last) = self.score.last {
            obs[usize::from(last[seat])] = 1.0;
            obs[3 + usize::from(last[1 - seat])] = 1.0;
        }
        let lead = if seat == 0 { self.score.lead } else { -self.score.lead };
        obs[6] = self.score.played as f32 / self.rounds as f32;
        obs[7] = lead as f32 / self.rounds as f32;
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        ranks.copy_from_slice(&[u8::from(self.score.lead < 0), u8::from(self.score.lead > 0)]);
        self.is_over()
    }

    fn state_hash(&self) -> Option<u64> {
        Some(stable_hash(&self.score))
    }

    fn as_snapshot(&mut self) -> Option<&mut dyn DynSnapshot> {
        Some(self)
    }

    fn as_text(&self) -> Option<&dyn TextEnv> {
        Some(self)
    }
}

/// The saved score, opaque.
#[derive(Clone, Copy, Debug)]
pub struct RockPaperScissorsState(Score);

impl Snapshot for RockPaperScissors {
    type State = RockPaperScissorsState;

    fn save(&self) -> RockPaperScissorsState {
        RockPaperScissorsState(self.score)
    }

    fn load(&mut self, state: &RockPaperScissorsState) {
        self.score = state.0;
    }
}

impl TextEnv for RockPaperScissors {
    fn observe_text(&self, seat: usize, out: &mut String) {
        let lead = if seat == 0 { self.score.lead } else { -self.score.lead };
        // Writing into a String cannot fail.
        _ = write!(out, "Round {} of {}, your lead is {lead}.", self.score.played, self.rounds);
        if let Some(last) = self.score.last {
            let [mine, theirs] = [last[seat], last[1 - seat]].map(|hand| NAMES[usize::from(hand)]);
            _ = write!(out, " Last round: you {mine}, rival {theirs}.");
        }
    }

    fn legal_text(&self, _seat: usize, each: &mut dyn FnMut(u32, &str)) {
        if !self.is_over() {
            (0..).zip(NAMES).for_each(|(action, name)| each(action, name));
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
