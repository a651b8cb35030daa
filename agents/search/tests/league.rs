//! The simulator that the match runner lends: its hidden facts are redrawn, and workers change no outcome.

use agon_league::{Maker, Match, MatchKind, MatchSeed, Outcome, Player, Runner, RunnerConfig, Status};
use rl_gym::{BitsMut, Bot, Decisions, DynEnv, Fault, Game, Policy};
use std::collections::BTreeMap;
use std::sync::Mutex;

fn play(
    game: &Game,
    given: &[(&str, &str)],
    seats: &[i64],
    tables: u32,
    config: (usize, usize, bool),
) -> Vec<Outcome> {
    let options = game.resolve(given.iter().copied()).expect("options");
    let (workers, lanes, hosted) = config;
    let config = RunnerConfig { workers, lanes, hosted, ..RunnerConfig::default() };
    let mut runner = Runner::new(game, &options, &config).expect("a runner");
    let makers: BTreeMap<i64, Maker> = (0..)
        .zip(&game.bots)
        .map(|(i, bot)| (i, Maker::of(&Player::bot(game, bot), game).expect("known")))
        .collect();
    let matches: Vec<Match> = (0..tables)
        .map(|table| Match {
            id: table.into(),
            kind: MatchKind::Ladder,
            generation: 0,
            block: table.into(),
            seed: MatchSeed { root: 3, generation: 0, table },
            seats: seats.to_vec(),
            record: false,
        })
        .collect();
    let mut outcomes = Vec::new();
    let done = |outcome| {
        outcomes.push(outcome);
        Ok(())
    };
    runner.play(&matches, &makers, done).expect("played");
    outcomes.sort_by_key(|o| o.game.id);
    outcomes
}

/// Seat, own card, and the other seat's card in the simulator.
static SEEN: Mutex<Vec<(usize, usize, usize)>> = Mutex::new(Vec::new());

/// Looks at the other card in the simulator, and passes.
struct Spy;

fn card(env: &dyn DynEnv, seat: usize) -> usize {
    let (mut row, mut mask) = ([0f32; 11], [0; 1]);
    env.observe(seat, bytemuck::cast_slice_mut(&mut row), BitsMut::new(&mut mask, 2));
    row[2..5].iter().position(|&x| x > 0.5).expect("a card")
}

impl Policy for Spy {
    fn wants_simulator(&self) -> bool {
        true
    }

    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            let env = ask.simulator.as_deref_mut().expect("a simulator");
            let seen = (ask.seat, card(env, ask.seat), card(env, 1 - ask.seat));
            SEEN.lock().expect("one thread").push(seen);
            ask.choose(0);
        }
        Ok(())
    }
}

/// In Kuhn poker two cards may be the other's: a redrawn one is the true one half of the time.
#[test]
fn the_lent_simulator_holds_a_redrawn_card() {
    let spy = Bot { name: "spy", version: 1, summary: "", anchor: false, make: |_| Box::new(Spy) };
    let game = Game { bots: vec![spy], ..agon_classic::kuhn_poker() };
    let outcomes = play(&game, &[], &[0, 0], 400, (1, 1, false));
    assert!(outcomes.iter().all(|o| o.status == Status::Won), "{:?}", outcomes[0]);
    let seen = SEEN.lock().expect("one thread");
    assert_eq!(seen.len(), 800, "both seats pass once a game");
    let mut right = 0;
    for game in seen.chunks(2) {
        let [(0, first, second_seen), (1, second, first_seen)] = *game else { panic!("{game:?}") };
        assert!(first != second && second_seen != first && first_seen != second);
        right += u32::from(second_seen == second) + u32::from(first_seen == first);
    }
    // 800 even draws: 400, standard deviation 14.
    assert!((330..470).contains(&right), "{right} of 800 cards in the simulator were the true ones");
}

#[test]
fn workers_and_lanes_change_no_outcome_of_search() {
    let base = agon_settlers::game();
    let bots =
        agon_search::bots().into_iter().chain(base.bots.iter().copied().filter(|b| b.name == "greedy"));
    let game = Game { bots: bots.collect(), ..base };
    let options = [("seats", "3"), ("turn_cap", "16"), ("board", "mini")];
    let seats = [0, 2, 0];
    let one = play(&game, &options, &seats, 4, (1, 1, false));
    assert!(one.iter().all(|o| matches!(o.status, Status::Won | Status::Truncated)), "{:?}", one[0]);
    for config in [(2, 2, true), (3, 1, false)] {
        assert_eq!(play(&game, &options, &seats, 4, config), one, "{config:?}");
    }
}
