//! The batch leaderboard fit: Luce strengths with anchors, seat terms and honest intervals.

use nalgebra::DVector;
use serde::{Deserialize, Serialize};

use crate::design::{Design, Layout, Pattern};
use crate::game::check_games;
use crate::newton::{Derivatives, Factor, maximise};
use crate::robust::{BlockItems, count_blocks, sandwich};
use crate::scale::Meetings;
use crate::table::{ELO_PER_THETA, Fit};
use crate::{GameResult, RatingError};

/// Seat terms further apart than this (natural log) count as running to infinity.
const MAX_SEAT_SPREAD: f64 = 12.0;

/// A player whose strength is given, not fitted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Anchor {
    /// Player index.
    pub player: usize,
    /// Strength, natural log.
    pub theta: f64,
}

impl Anchor {
    /// The anchor that reads `elo` in a table without an [`EloOrigin`].
    pub fn from_elo(player: usize, elo: f64) -> Self {
        Self { player, theta: elo / ELO_PER_THETA }
    }
}

/// Names the Elo of one player; everyone else's number is shifted with it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EloOrigin {
    /// Player index.
    pub player: usize,
    /// The Elo this player reads.
    pub elo: f64,
}

/// How to fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FitOptions {
    /// Players held at a given strength; intervals are then relative to them. Empty (default): the
    /// strengths of the reference scale sum to zero.
    pub anchors: Vec<Anchor>,
    /// Which player has which Elo. `None` (default): Elo is theta x 400 / ln 10 without a shift. It
    /// moves the numbers only; to measure intervals from that player, anchor it as well.
    pub elo_origin: Option<EloOrigin>,
    /// Virtual wins for each side of every pair of players that shared a game, as a two-seat game
    /// without seat terms (default 0.5 = one virtual draw per pair, BayesElo's idea; 0 = none).
    ///
    /// It keeps perfect scores finite and pulls pairs together a little. In games of n seats every
    /// pair at the table gets it once, so with few games among many players its pull grows: P players
    /// that all met hold P(P-1)/2 virtual games. Compare that with the games played, and lower it if
    /// it is not small. When seat terms are fitted, each pair of seats gets the same virtual draw.
    pub prior_half_games: f64,
    /// Whether to fit one additive term per seat index (natural log, sum zero). Default `false`.
    pub seat_terms: bool,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { anchors: Vec::new(), elo_origin: None, prior_half_games: 0.5, seat_terms: false }
    }
}

/// Fits strengths to all results at once.
///
/// The model is Luce's choice: the next place goes to seat s with probability e^x_s over the sum of
/// e^x of the seats not yet placed, x = theta of the player plus the seat term. Two seats make it
/// Bradley-Terry with draws as half wins. [`Placing::WinnerOnly`](crate::Placing) uses the first
/// choice only, each of k tied winners with weight 1/k. [`Placing::Full`](crate::Placing) uses all
/// places; a tie group contributes the mean log-likelihood over its orders, exactly for every group
/// size (at most 255 subsets). Newton with line search; the likelihood is concave.
///
/// Infinite and undefined differences do not fail: see [`Fit::standing`].
/// # Errors
/// [`RatingError`] for results, anchors or options that are not well formed.
/// # Source
/// Luce 1959; Plackett 1975; Hunter 2004 (existence and concavity); Coulom's BayesElo (prior).
pub fn fit(players: usize, games: &[GameResult], options: &FitOptions) -> Result<Fit, RatingError> {
    check_games(players, games)?;
    check_options(players, options)?;
    let (patterns, game_rows) = aggregate(games, options.seat_terms);
    let meetings = meetings(players, &patterns, options);
    let (component, scale) = (meetings.components(), meetings.scales());
    let games_of = count_games(players, games);
    let reference = reference_scale(&scale, &games_of, options);
    let standing = meetings.standings(&scale, reference);

    let layout = layout(&scale, games, options);
    let gauge = gauge(&layout, &scale, options);
    let mut design = Design::new(&patterns, &scale);
    if options.prior_half_games > 0.0 {
        design.push_prior(&meetings.pairs(), layout.seat_terms, options.prior_half_games);
    }
    let split = |at: &DVector<f64>| (layout.theta(at), at.as_slice()[layout.seat_offset..].to_vec());
    let value = |at: &DVector<f64>| {
        let (theta, seat_terms) = split(at);
        let (real, virtual_games) = design.log_likelihood(&theta, &seat_terms);
        real + virtual_games
    };
    let derivatives = |at: &DVector<f64>| -> Derivatives {
        let (theta, seat_terms) = split(at);
        design.derivatives(&layout, &theta, &seat_terms)
    };
    let maximum = maximise(start(&layout), &gauge, value, derivatives);

    let (theta, seat_terms) = split(&maximum.at);
    let factor = Factor::new(derivatives(&maximum.at).information, &gauge);
    let fisher = factor.covariance(&gauge);
    let fitted = layout.parameters().saturating_sub(gauge.len() + factor.deficiency());
    let scores = design.scores(&theta, &seat_terms);
    let robust =
        sandwich(&fisher, fitted, &game_rows, |row, total| design.add_score(row, &layout, &scores, total));
    // The terms sum to zero, so the widest gap is at most twice the largest of them.
    let seat_spread = 2.0 * seat_terms.iter().fold(0.0f64, |widest, term| widest.max(term.abs()));
    let elo_offset =
        options.elo_origin.map_or(0.0, |origin| origin.elo - theta[origin.player] * ELO_PER_THETA);
    let elo_origin_is_apart = options.elo_origin.is_some_and(|origin| scale[origin.player] != reference);
    Ok(Fit {
        log_likelihood: design.log_likelihood(&theta, &seat_terms).0,
        theta,
        seat_terms,
        standing,
        scale,
        component,
        games: games_of,
        blocks: count_blocks(&game_rows),
        iterations: maximum.iterations,
        converged: maximum.converged && seat_spread < MAX_SEAT_SPREAD,
        unidentified: factor.deficiency(),
        reference,
        elo_offset: if elo_origin_is_apart { f64::NAN } else { elo_offset },
        free: layout.free,
        fisher,
        robust,
    })
}

fn check_options(players: usize, options: &FitOptions) -> Result<(), RatingError> {
    let named = options.anchors.iter().map(|anchor| anchor.player);
    for player in named.chain(options.elo_origin.map(|origin| origin.player)) {
        if player >= players {
            return Err(RatingError::AnchorOutOfRange { player, players });
        }
    }
    for (index, &Anchor { player, theta }) in options.anchors.iter().enumerate() {
        if !theta.is_finite() {
            return Err(RatingError::AnchorNotFinite { player, theta });
        }
        if options.anchors[..index].iter().any(|earlier| earlier.player == player) {
            return Err(RatingError::AnchorTwice { player });
        }
    }
    if let Some(EloOrigin { elo, .. }) = options.elo_origin.filter(|origin| !origin.elo.is_finite()) {
        return Err(RatingError::NotFinite { name: "elo_origin.elo", value: elo });
    }
    if !(options.prior_half_games >= 0.0 && options.prior_half_games.is_finite()) {
        return Err(RatingError::Prior { value: options.prior_half_games });
    }
    Ok(())
}

/// Distinct games with their counts in canonical order, and `(block, distinct game)` of every game,
/// sorted: the order of the input is gone.
fn aggregate(games: &[GameResult], with_seat_terms: bool) -> (Vec<(Pattern, u64)>, BlockItems) {
    let pattern = |game: &GameResult| (Pattern::new(game, with_seat_terms), game.block);
    let mut all: Vec<_> = games.iter().map(pattern).collect();
    all.sort_unstable();
    let mut distinct: Vec<(Pattern, u64)> = Vec::new();
    let mut rows = Vec::with_capacity(all.len());
    for (pattern, block) in all {
        match distinct.last_mut() {
            Some((last, count)) if *last == pattern => *count += 1,
            _ => distinct.push((pattern, 1)),
        }
        rows.push((block, distinct.len() - 1));
    }
    rows.sort_unstable();
    (distinct, rows)
}

fn meetings(players: usize, patterns: &[(Pattern, u64)], options: &FitOptions) -> Meetings {
    let mut meetings = Meetings::new(players);
    patterns.iter().for_each(|(pattern, _)| pattern.record(&mut meetings));
    if options.prior_half_games > 0.0 {
        meetings.tie_met_pairs();
    }
    let anchored: Vec<usize> = options.anchors.iter().map(|anchor| anchor.player).collect();
    meetings.tie_together(&anchored);
    meetings
}

fn count_games(players: usize, games: &[GameResult]) -> Vec<u64> {
    let mut count = vec![0; players];
    for game in games {
        for (seat, &player) in game.seats.iter().enumerate() {
            count[player] += u64::from(!game.seats[..seat].contains(&player));
        }
    }
    count
}

fn reference_scale(scale: &[usize], games: &[u64], options: &FitOptions) -> usize {
    let named = options.anchors.first().map(|anchor| anchor.player);
    if let Some(player) = named.or(options.elo_origin.map(|origin| origin.player)) {
        return scale[player];
    }
    let mut weight = vec![(0, 0); scale.len()];
    for (player, &group) in scale.iter().enumerate() {
        weight[group].0 += 1;
        weight[group].1 += games[player];
    }
    (0..weight.len()).rev().max_by_key(|&group| weight[group]).unwrap_or(0)
}

/// The search starts at 0, and at the anchors' mean on their scale.
fn layout(scale: &[usize], games: &[GameResult], options: &FitOptions) -> Layout {
    let centre =
        options.anchors.iter().map(|anchor| anchor.theta).sum::<f64>() / options.anchors.len().max(1) as f64;
    let with_anchors = options.anchors.first().map(|anchor| scale[anchor.player]);
    let mut start: Vec<f64> =
        scale.iter().map(|&s| if Some(s) == with_anchors { centre } else { 0.0 }).collect();
    let mut anchored = vec![false; scale.len()];
    for anchor in &options.anchors {
        start[anchor.player] = anchor.theta;
        anchored[anchor.player] = true;
    }
    let mut next = 0;
    let mut number = |anchored: &bool| {
        next += usize::from(!anchored);
        (!anchored).then(|| next - 1)
    };
    let free: Vec<_> = anchored.iter().map(&mut number).collect();
    let most_seats = games.iter().map(|game| game.seats.len()).max().unwrap_or(0);
    Layout { free, start, seat_offset: next, seat_terms: if options.seat_terms { most_seats } else { 0 } }
}

/// The groups of parameters whose common shift changes nothing.
fn gauge(layout: &Layout, scale: &[usize], options: &FitOptions) -> Vec<Vec<usize>> {
    let anchored = options.anchors.first().map(|anchor| scale[anchor.player]);
    let mut groups = vec![Vec::new(); scale.len()];
    for (player, free) in
        layout.free.iter().enumerate().filter(|&(player, _)| Some(scale[player]) != anchored)
    {
        groups[scale[player]].extend(*free);
    }
    groups.push((layout.seat_offset..layout.parameters()).collect());
    groups.retain(|group: &Vec<usize>| !group.is_empty());
    groups
}

/// The parameter vector where the search starts; seat terms 0.
fn start(layout: &Layout) -> DVector<f64> {
    let mut start = DVector::zeros(layout.parameters());
    for (free, theta) in layout.free.iter().zip(&layout.start) {
        if let Some(index) = free {
            start[*index] = *theta;
        }
    }
    start
}
