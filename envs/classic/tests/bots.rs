//! The bots keep their promises.

use rl_gym::{BatchConfig, BatchEnv, Decisions, Fault, Flags, Game, Pcg64, Policy, VecEnv};

/// Any legal action, evenly.
struct Uniform;

impl Policy for Uniform {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        let action = decisions.batch().spec().action.clone();
        for i in 0..decisions.len() {
            let ask = decisions.ask(i);
            action.sample(ask.mask, ask.rng, ask.action);
        }
        Ok(())
    }
}

/// (episode return, rank) of every seat of `episodes` episodes between two players.
fn play(game: &Game, seats: &mut [&mut dyn Policy], episodes: usize) -> Vec<Vec<(f64, u8)>> {
    let lanes = 16;
    let mut batch = VecEnv::new(&game.factory(game.defaults()), BatchConfig::lanes(lanes)).expect("batch");
    batch.reset(5);
    let rows = batch.shape().rows();
    let mut rngs: Vec<Pcg64> = (0..rows).map(|row| Pcg64::seed(row as u64)).collect();
    let mut results = Vec::new();
    while results.len() < episodes {
        for (seat, policy) in seats.iter_mut().enumerate() {
            let (view, actions) = batch.parts();
            let asked: Vec<u32> = (0..rows)
                .filter(|row| row % view.shape().seats == seat && view.flags(*row).contains(Flags::TO_ACT))
                .map(|row| row as u32)
                .collect();
            let mut given_up = Vec::new();
            let mut decisions = Decisions::new(view, actions, &asked, &mut rngs, &mut given_up);
            policy.act(&mut decisions).expect("decisions");
            assert!(given_up.is_empty());
        }
        let now = batch.step();
        for row in 0..rows {
            assert!(!now.flags(row).contains(Flags::ILLEGAL), "row {row} was refused");
        }
        let ends: Vec<(f64, u8)> = now.finals().map(|(f, _)| (f.episode_return, f.rank)).collect();
        results.extend(ends.chunks(seats.len()).map(<[_]>::to_vec));
    }
    results
}

fn bot(game: &Game, name: &str) -> Box<dyn Policy> {
    let env = (game.make)(&game.defaults()).expect("environment");
    (game.bots.iter().find(|b| b.name == name).expect("bot").make)(env.spec())
}

#[test]
fn balance_holds_the_pole_to_the_limit() {
    let game = agon_classic::cartpole();
    let results = play(&game, &mut [&mut *bot(&game, "balance")], 64);
    assert!(results.iter().all(|r| r[0].0 == 500.0), "{results:?}");
}

#[test]
fn perfect_never_loses_and_draws_with_itself() {
    let game = agon_classic::tic_tac_toe();
    let results = play(&game, &mut [&mut *bot(&game, "perfect"), &mut *bot(&game, "perfect")], 60);
    assert!(results.iter().all(|r| r[0] == (0.0, 0) && r[1] == (0.0, 0)));
    for seat in 0..2 {
        let (mut perfect, mut uniform) = (bot(&game, "perfect"), Uniform);
        let mut seats: [&mut dyn Policy; 2] = [&mut *perfect, &mut uniform];
        seats.rotate_left(seat);
        let results = play(&game, &mut seats, 300);
        assert!(results.iter().all(|r| r[seat].0 >= 0.0 && r[seat].1 == 0));
        // Ties between equal moves are drawn, so that the second seat wins about four games in five.
        let wins = results.iter().filter(|r| r[seat].0 > 0.0).count();
        assert!(wins > 210, "seat {seat} won {wins} of 300");
    }
}

#[test]
fn beat_last_beats_rock_in_every_round() {
    let game = agon_classic::rock_paper_scissors();
    let results = play(&game, &mut [&mut *bot(&game, "beat-last"), &mut *bot(&game, "rock")], 16);
    assert!(results.iter().all(|r| r[0] == (10.0, 0) && r[1] == (-10.0, 1)));
}

#[test]
fn equilibrium_wins_against_random_play_from_both_seats() {
    let game = agon_classic::kuhn_poker();
    let first = play(&game, &mut [&mut *bot(&game, "equilibrium"), &mut Uniform], 2000);
    let second = play(&game, &mut [&mut Uniform, &mut *bot(&game, "equilibrium")], 2000);
    let gained: f64 = first.iter().map(|r| r[0].0).chain(second.iter().map(|r| r[1].0)).sum();
    // Exactly 1/6 a hand from either seat: 667 of 4000 hands expected, standard deviation below 100.
    assert!(gained > 300.0, "{gained}");
}
