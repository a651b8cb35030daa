//! Bad input is `Err`, and the text says what was wrong, the value seen and the mend.

use agon_ratings::elo::update_game;
use agon_ratings::interval::{binomial_test, clopper_pearson, clustered_mean, clustered_proportion, wilson};
use agon_ratings::{
    Alternative, Anchor, DavidsonOptions, Duel, DuelOutcome, EloOrigin, FitOptions, GameResult, Level,
    Placing, RatingError, cycle_alarm, davidson, fit,
};

fn says<T>(result: Result<T, RatingError>, text: &str) {
    assert_eq!(result.err().expect("an error").to_string(), text);
}

fn game(seats: &[usize], ranks: &[u8]) -> GameResult {
    GameResult::new(seats.to_vec(), ranks.to_vec(), 0, Placing::Full)
}

fn duel(first: usize, second: usize, outcome: DuelOutcome) -> Duel {
    Duel { first, second, outcome, block: 0 }
}

#[test]
fn malformed_games_are_named() {
    let good = game(&[0, 1], &[0, 1]);
    let rate = |bad: GameResult| fit(3, &[good.clone(), bad], &FitOptions::default());
    says(
        fit(3, &[], &FitOptions::default()),
        "no games: 0 results were given. Pass at least one finished game",
    );
    says(
        rate(game(&[0, 3], &[0, 1])),
        "game 1: seat 1 holds player 3, but there are 3 players. Number players 0..3, or raise `players`",
    );
    says(
        rate(game(&[0, 1, 2], &[0, 1])),
        "game 1: 3 seats but 2 ranks. Give one rank per seat, 0 = best, equal = tie",
    );
    says(rate(game(&[0; 9], &[0; 9])), "game 1: 9 seats. A rated game has 2 to 8 seats");
    says(rate(game(&[0], &[0])), "game 1: 1 seats. A rated game has 2 to 8 seats");
    says(
        rate(game(&[0, 1], &[2, 1])),
        "game 1: the best rank is 1. Count ranks from 0 (best); all seats 0 is a draw",
    );
    let table = fit(2, std::slice::from_ref(&good), &FitOptions::default()).unwrap();
    says(
        cycle_alarm(&table, &[game(&[0, 2], &[0, 1])], 3.0),
        "game 0: seat 1 holds player 2, but there are 2 players. Number players 0..2, or raise `players`",
    );
    says(cycle_alarm(&table, &[good], f64::NAN), "threshold_sigma is NaN. Give a finite number");
}

#[test]
fn malformed_options_are_named() {
    let rate = |options: FitOptions| fit(2, &[game(&[0, 1], &[0, 1])], &options);
    let anchor = |player, theta| Anchor { player, theta };
    says(
        rate(FitOptions { anchors: vec![anchor(1, f64::NAN)], ..FitOptions::default() }),
        "anchor for player 1 is NaN. Give a finite strength in natural-log units",
    );
    says(
        rate(FitOptions { anchors: vec![anchor(2, 0.0)], ..FitOptions::default() }),
        "anchor or Elo origin names player 2, but there are 2 players. Number players 0..2",
    );
    says(
        rate(FitOptions { anchors: vec![anchor(1, 0.0), anchor(1, 0.5)], ..FitOptions::default() }),
        "player 1 is anchored twice. Keep one anchor per player",
    );
    says(
        rate(FitOptions {
            elo_origin: Some(EloOrigin { player: 0, elo: f64::INFINITY }),
            ..FitOptions::default()
        }),
        "elo_origin.elo is inf. Give a finite number",
    );
    says(
        rate(FitOptions { prior_half_games: -0.5, ..FitOptions::default() }),
        "prior_half_games is -0.5. Give a finite number >= 0; 0.5 is one virtual draw per played pair",
    );
}

#[test]
fn malformed_duels_are_named() {
    use DuelOutcome::{Draw, FirstWins};
    let options = DavidsonOptions { prior_half_games: 0.0, ..DavidsonOptions::default() };
    says(
        davidson(2, &[duel(1, 1, Draw)], &options),
        "duel 0: player 1 sits in both seats. Leave self-play out of this fit, or use `fit`",
    );
    says(
        davidson(2, &[duel(0, 1, Draw); 3], &options),
        "all 3 duels are draws, so the draw parameter is infinite. Add decisive games, or use `fit`",
    );
    says(
        davidson(2, &[duel(0, 1, FirstWins)], &options),
        "the duels split the players into 2 groups without finite differences between them. Add games between the \
         groups, set prior_half_games > 0, or use `fit`, which reports the groups",
    );
}

#[test]
fn malformed_proportions_are_named() {
    says(
        Level::new(95.0),
        "confidence level 95. Give a number between 0 and 1, both excluded, for example 0.95",
    );
    says(
        wilson(3.5, 3.0, Level::P95),
        "3.5 successes in 3 trials. Give 0 <= successes <= trials and trials > 0",
    );
    says(
        clopper_pearson(0, 0, Level::P95),
        "0 successes in 0 trials. Give 0 <= successes <= trials and trials > 0",
    );
    says(binomial_test(1, 2, 25.0, Alternative::Greater), "null is 25. Give a probability from 0 to 1");
    says(
        clustered_proportion(&[(0, 0.5), (1, 1.5)], Level::P95),
        "value is 1.5. Give a probability from 0 to 1",
    );
    says(clustered_mean(&[(0, f64::NAN)], Level::P95), "value is NaN. Give a finite number");
    says(
        clustered_mean(&[(7, 1.0), (7, 0.0)], Level::P95),
        "1 block: a variance between blocks needs at least 2. Play more seeds, or give every game its own block",
    );
    says(clustered_mean(&[], Level::P95), "no games: 0 results were given. Pass at least one finished game");
}

#[test]
fn a_refused_elo_update_changes_nothing() {
    let mut ratings = [1500.0, 1600.0];
    says(
        update_game(&mut ratings, &[0, 1], &[0, 1], Placing::Full, f64::NAN),
        "k is NaN. Give a finite number",
    );
    says(
        update_game(&mut ratings, &[0, 2], &[0, 1], Placing::Full, 32.0),
        "game 0: seat 1 holds player 2, but there are 2 players. Number players 0..2, or raise `players`",
    );
    assert_eq!(ratings, [1500.0, 1600.0]);
}
