//! What can be wrong with the input, and how to mend it.

use thiserror::Error;

use crate::MAX_SEATS;

/// Input that cannot be rated. The text names the fault, the value seen and the mend.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RatingError {
    /// The slice of results was empty.
    #[error("no games: 0 results were given. Pass at least one finished game")]
    NoGames,
    /// A seat names a player that the table does not have.
    #[error(
        "game {game}: seat {seat} holds player {player}, but there are {players} players. \
         Number players 0..{players}, or raise `players`"
    )]
    PlayerOutOfRange {
        /// Index of the game in the slice.
        game: usize,
        /// Index of the seat in the game.
        seat: usize,
        /// The player seen.
        player: usize,
        /// Number of players in the table.
        players: usize,
    },
    /// `ranks` and `seats` differ in length.
    #[error("game {game}: {seats} seats but {ranks} ranks. Give one rank per seat, 0 = best, equal = tie")]
    RanksLength {
        /// Index of the game in the slice.
        game: usize,
        /// Number of seats seen.
        seats: usize,
        /// Number of ranks seen.
        ranks: usize,
    },
    /// Fewer than two seats, or more than [`MAX_SEATS`].
    #[error("game {game}: {seats} seats. A rated game has 2 to {} seats", MAX_SEATS)]
    SeatCount {
        /// Index of the game in the slice.
        game: usize,
        /// Number of seats seen.
        seats: usize,
    },
    /// No seat has rank 0.
    #[error("game {game}: the best rank is {best}. Count ranks from 0 (best); all seats 0 is a draw")]
    NoFirstPlace {
        /// Index of the game in the slice.
        game: usize,
        /// The smallest rank seen.
        best: u8,
    },
    /// An anchor's strength is NaN or infinite.
    #[error("anchor for player {player} is {theta}. Give a finite strength in natural-log units")]
    AnchorNotFinite {
        /// The anchored player.
        player: usize,
        /// The strength seen.
        theta: f64,
    },
    /// An anchor or the Elo origin names a player that the table does not have.
    #[error(
        "anchor or Elo origin names player {player}, but there are {players} players. Number players 0..{players}"
    )]
    AnchorOutOfRange {
        /// The player seen.
        player: usize,
        /// Number of players in the table.
        players: usize,
    },
    /// A player is anchored twice.
    #[error("player {player} is anchored twice. Keep one anchor per player")]
    AnchorTwice {
        /// The player seen twice.
        player: usize,
    },
    /// The prior is negative, NaN or infinite.
    #[error(
        "prior_half_games is {value}. Give a finite number >= 0; 0.5 is one virtual draw per played pair"
    )]
    Prior {
        /// The value seen.
        value: f64,
    },
    /// A parameter that must be finite is not.
    #[error("{name} is {value}. Give a finite number")]
    NotFinite {
        /// Which parameter.
        name: &'static str,
        /// The value seen.
        value: f64,
    },
    /// A standard error that is not a finite number above 0.
    #[error("standard error is {value}. Give a finite number above 0")]
    StandardError {
        /// The value seen.
        value: f64,
    },
    /// Both seats of a duel hold the same player.
    #[error("duel {game}: player {player} sits in both seats. Leave self-play out of this fit, or use `fit`")]
    SelfDuel {
        /// Index of the duel in the slice.
        game: usize,
        /// The player in both seats.
        player: usize,
    },
    /// Every duel was drawn, so strengths and the draw parameter have no scale.
    #[error(
        "all {draws} duels are draws, so the draw parameter is infinite. Add decisive games, or use `fit`"
    )]
    NoDecisiveDuel {
        /// Number of duels, all drawn.
        draws: usize,
    },
    /// Some differences are infinite or undefined.
    #[error(
        "the duels split the players into {scales} groups without finite differences between them. \
         Add games between the groups, set prior_half_games > 0, or use `fit`, which reports the groups"
    )]
    NotConnected {
        /// Number of groups.
        scales: usize,
    },
    /// A confidence level outside the open interval (0, 1).
    #[error("confidence level {level}. Give a number between 0 and 1, both excluded, for example 0.95")]
    Level {
        /// The value seen.
        level: f64,
    },
    /// A count of successes that does not fit the number of trials.
    #[error("{successes} successes in {trials} trials. Give 0 <= successes <= trials and trials > 0")]
    Trials {
        /// Successes seen; draws may count as half.
        successes: f64,
        /// Trials seen.
        trials: f64,
    },
    /// A probability outside [0, 1].
    #[error("{name} is {value}. Give a probability from 0 to 1")]
    Probability {
        /// Which parameter.
        name: &'static str,
        /// The value seen.
        value: f64,
    },
    /// Hypotheses of a sequential test that are not apart, or certain.
    #[error(
        "hypotheses: score0 is {score0} and score1 is {score1}. Give 0 < score0 < score1 < 1, in Elo elo0 < elo1"
    )]
    Hypotheses {
        /// Mean score under H0.
        score0: f64,
        /// Mean score under H1.
        score1: f64,
    },
    /// An error rate of a sequential test outside (0, 0.5).
    #[error("{name} is {value}. Give an error rate above 0 and below 0.5, for example 0.05")]
    ErrorRate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// The value seen.
        value: f64,
    },
    /// Too few blocks for a variance between blocks.
    #[error(
        "{blocks} block: a variance between blocks needs at least 2. Play more seeds, or give every game its own block"
    )]
    Blocks {
        /// Number of distinct blocks seen.
        blocks: usize,
    },
}
