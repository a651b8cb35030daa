//! Search at small games whose truth is known, and at settlers.

mod common;

use agon_search::{Breadth, Expectimax, Mcts, Rounds, Searcher, bots};
use common::Lane;
use rl_gym::{BatchEnv, Decisions, Game, Pcg64, Policy};

const WHOLE: Breadth = Breadth { work: u32::MAX, deals: 1, depth: 9, width: 9, inner_width: 9, ahead: 0 };

fn expectimax() -> Box<dyn Policy> {
    Box::new(Searcher::new(Expectimax::new(WHOLE)))
}

fn mcts(rounds: u32) -> Box<dyn Policy> {
    let limits = Rounds { work: u32::MAX, rounds, explore: 1.0, trust: 0.3, ahead: 0 };
    Box::new(Searcher::new(Mcts::new(limits)))
}

/// Places of both seats after a game of tic-tac-toe, `searcher` at `place` against random play.
fn against_random(lane: &mut Lane, searcher: &mut dyn Policy, place: usize, seed: u64) -> [f32; 2] {
    lane.reset(seed);
    let mut rng = Pcg64::seed(seed);
    while let Some(seat) = lane.acting() {
        let action = if seat == place {
            lane.ask(searcher, seat, Pcg64::seed(seed)).expect("a decision")
        } else {
            let mask = lane.batch.view().mask(seat);
            mask.nth(rng.below(mask.count() as u32) as usize).expect("a legal action") as u32
        };
        lane.take(seat, action);
    }
    [lane.batch.view().reward(0), lane.batch.view().reward(1)]
}

#[test]
fn whole_trees_of_tic_tac_toe_are_played_without_a_loss_and_mostly_won() {
    let mut lane = Lane::new(&agon_classic::tic_tac_toe());
    for (mut searcher, games) in [(expectimax(), 12), (mcts(3000), 6)] {
        let mut sum = 0.0;
        for seed in 0..games {
            let place = (seed % 2) as usize;
            let reward = against_random(&mut lane, &mut *searcher, place, seed)[place];
            assert!(reward >= 0.0, "lost the game of seed {seed}");
            sum += reward;
        }
        assert!(sum > games as f32 / 2.0, "won {sum} of {games}");
    }
}

#[test]
fn perfect_play_on_both_sides_draws_and_a_corner_is_answered_in_the_centre() {
    let mut lane = Lane::new(&agon_classic::tic_tac_toe());
    for mut searcher in [expectimax(), mcts(6000)] {
        lane.reset(1);
        lane.take(0, 0);
        let answer = lane.ask(&mut *searcher, 1, Pcg64::seed(1)).expect("a decision");
        assert_eq!(answer, 4, "every other answer to a corner loses");
        lane.take(1, answer);
        while let Some(seat) = lane.acting() {
            let action = lane.ask(&mut *searcher, seat, Pcg64::seed(2)).expect("a decision");
            lane.take(seat, action);
        }
        assert_eq!(lane.batch.view().reward(0), 0.0);
    }
}

/// Decisions of seat 0 in Kuhn poker by own card and hidden card, under one generator.
fn kuhn(search: &mut dyn Policy, seed: u64) -> [[Option<u32>; 3]; 3] {
    let mut lane = Lane::new(&agon_classic::kuhn_poker());
    let mut found = [[None; 3]; 3];
    for deal in 0..60 {
        lane.reset(deal);
        // A batch writes the row of the acting seat; the test looks at the other one too.
        let mut card = |seat: usize| {
            let (mut row, mut mask) = ([0f32; 11], [0; 1]);
            let bits = rl_gym::BitsMut::new(&mut mask, 2);
            lane.batch.env(0).observe(seat, bytemuck::cast_slice_mut(&mut row), bits);
            row[2..5].iter().position(|&x| x > 0.5).expect("a card")
        };
        let (own, hidden) = (card(0), card(1));
        found[own][hidden] = Some(lane.ask(search, 0, Pcg64::seed(seed)).expect("a decision"));
    }
    found
}

#[test]
fn a_hidden_card_never_changes_a_decision() {
    let deals = Breadth { deals: 4, ..WHOLE };
    let makers: [fn(Breadth) -> Box<dyn Policy>; 2] =
        [|b| Box::new(Searcher::new(Expectimax::new(b))), |_| mcts(200)];
    for make in makers {
        for seed in 0..20 {
            for (own, row) in kuhn(&mut *make(deals), seed).into_iter().enumerate() {
                let seen: Vec<u32> = row.into_iter().flatten().collect();
                assert_eq!(seen.len(), 2, "card {own} met both others");
                assert_eq!(seen[0], seen[1], "card {own}, seed {seed}");
            }
        }
    }
}

#[test]
fn games_without_judgement_are_refused_with_the_reason() {
    let ask = |game: &Game| {
        let mut lane = Lane::new(game);
        lane.reset(1);
        lane.ask(&mut *expectimax(), 0, Pcg64::seed(1)).expect_err("refused").to_string()
    };
    let cartpole = ask(&agon_classic::cartpole());
    assert!(cartpole.contains("search cannot play cartpole-v1"), "{cartpole}");
    let rps = ask(&agon_classic::rock_paper_scissors());
    assert!(rps.contains("its seats do not move one at a time"), "{rps}");
}

#[test]
fn without_a_simulator_the_row_is_given_up() {
    let game = agon_classic::tic_tac_toe();
    let mut lane = Lane::new(&game);
    lane.reset(1);
    let (mut rngs, mut given_up) = (vec![Pcg64::seed(1); 2], Vec::new());
    let (view, actions) = lane.batch.parts();
    let mut ask = Decisions::new(view, actions, &[0], &mut rngs, &mut given_up);
    expectimax().act(&mut ask).expect("the row alone is given up");
    assert!(given_up[0].1.to_string().contains("wants_simulator"), "{}", given_up[0].1);
}

#[test]
fn search_fast_plays_legal_settlers_and_equal_seeds_decide_equally() {
    let game = agon_settlers::game();
    let mut lane = Lane::new(&game);
    let spec = lane.batch.spec().clone();
    let fast = bots().into_iter().find(|b| b.name == "search-fast").expect("listed");
    let (mut one, mut two) = ((fast.make)(&spec), (fast.make)(&spec));
    let mut quick = (game.bots.iter().find(|b| b.name == "greedy").expect("listed").make)(&spec);
    lane.reset(3);
    let mut decided = 0;
    for step in 0..400 {
        let Some(seat) = lane.acting() else { break };
        let rng = Pcg64::seed(step);
        let action = if seat == 1 && decided < 40 {
            let action = lane.ask(&mut *one, seat, rng).expect("a decision");
            assert!(lane.batch.view().mask(seat).get(action as usize), "action {action} at step {step}");
            assert_eq!(lane.ask(&mut *two, seat, rng).expect("a decision"), action, "step {step}");
            decided += 1;
            action
        } else {
            lane.ask(&mut *quick, seat, rng).expect("a decision")
        };
        lane.take(seat, action);
    }
    assert!(decided > 10, "{decided} decisions");
}
