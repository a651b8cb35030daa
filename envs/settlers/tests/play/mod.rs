//! A small match runner for tests: policies by seat, many lanes, every action checked.

use agon_settlers::game;
use rl_gym::{BatchConfig, BatchEnv, Decisions, Flags, Options, Pcg64, Policy, VecEnv};

/// How one game ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table {
    /// Winner by player number, `None` when cut.
    pub(crate) winner: Option<usize>,
    /// Decisions.
    pub(crate) steps: u32,
}

/// Uniform over the legal actions.
pub(crate) struct Random;

impl Policy for Random {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), rl_gym::Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            let k = ask.rng.below(ask.mask.count() as u32) as usize;
            let action = ask.mask.nth(k).expect("a legal action") as u32;
            ask.choose(action);
        }
        Ok(())
    }
}

/// Plays `games` games over `lanes` lanes: player 0 has one seat, which moves on with lane and episode, player 1
/// all others. Calls `watch` with every decision (row of the batch, action).
pub(crate) fn play(
    options: &Options,
    players: &mut [Box<dyn Policy>; 2],
    games: usize,
    lanes: usize,
    seed: u64,
    mut watch: impl FnMut(u32, u32),
) -> Vec<Table> {
    let mut env = VecEnv::new(&game().factory(options.clone()), BatchConfig::lanes(lanes)).expect("batch");
    let seats = env.spec().seats;
    env.reset(seed);
    let mut rngs: Vec<Pcg64> = (0..lanes * seats).map(|r| Pcg64::seed(seed * 1000 + r as u64)).collect();
    let mut episode = vec![0; lanes];
    let mut tables = Vec::new();
    let mut given_up = Vec::new();
    while tables.len() < games {
        let mut rows = [Vec::new(), Vec::new()];
        let (batch, _) = env.parts();
        for row in (0..lanes * seats).filter(|&r| batch.flags(r).contains(Flags::TO_ACT)) {
            let hero = (row / seats + episode[row / seats]) % seats;
            rows[usize::from(row % seats != hero)].push(row as u32);
        }
        for (player, rows) in players.iter_mut().zip(&rows) {
            let (batch, actions) = env.parts();
            player
                .act(&mut Decisions::new(batch, actions, rows, &mut rngs, &mut given_up))
                .expect("no fault");
        }
        let (batch, mut actions) = env.parts();
        for &row in rows.iter().flatten() {
            let action = rl_gym::discrete(actions.row_mut(row as usize));
            assert!(
                batch.mask(row as usize).get(action as usize),
                "row {row} chose {action}, which is not legal"
            );
            watch(row, action);
        }
        let batch = env.step();
        assert!(batch.faults().next().is_none() && given_up.is_empty());
        let finals: Vec<_> = batch.finals().map(|(f, _)| *f).collect();
        for ended in finals.chunks(seats) {
            let lane = ended[0].lane as usize;
            let hero = (lane + episode[lane]) % seats;
            let cut = ended[0].flags.contains(Flags::TRUNCATED);
            let winner = ended.iter().position(|f| f.rank == 0).filter(|_| !cut);
            tables.push(Table { winner: winner.map(|s| usize::from(s != hero)), steps: ended[0].steps });
            episode[lane] += 1;
        }
    }
    tables
}
