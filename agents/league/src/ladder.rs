//! A ladder of named players: everybody meets everybody on shared seeds in all seats.

use crate::{
    error::LeagueError,
    matches::{MatchKind, Outcome},
    player::{Maker, Player},
    runner::{Runner, RunnerConfig},
    schedule::{Schedule, tables_for},
    train::Progress,
};
use rl_gym::{Game, Options};
use std::collections::BTreeMap;

/// What a ladder was and what came of it; [`crate::report::Standings`] is the fold over it.
pub struct Ladder {
    /// The players; their ids in outcomes are indices here.
    pub players: Vec<Player>,
    /// All games, by id.
    pub outcomes: Vec<Outcome>,
    /// Whether it was stopped before its end.
    pub stopped: bool,
}

/// Plays at least `games` games among `players` (each with its maker). Every table seats each choice of players
/// about equally often; a table has copies where there are more seats than players.
///
/// # Errors
/// With fewer than two players, and what the game says.
pub fn play_ladder(
    game: &Game,
    options: &Options,
    players: Vec<(Player, Maker)>,
    seed: u64,
    games: usize,
    config: &RunnerConfig,
    progress: &mut dyn Progress,
) -> Result<Ladder, LeagueError> {
    if players.len() < 2 {
        let what =
            format!("a ladder needs at least 2 players, got {}: name more with --agents a,b", players.len());
        return Err(LeagueError::Request { what });
    }
    let mut runner = Runner::new(game, options, config)?;
    let seats = runner.spec().seats;
    if seats < 2 {
        return Err(LeagueError::Request {
            what: format!("{} has one seat: nobody to rate against", game.id()),
        });
    }
    let makers: BTreeMap<i64, Maker> =
        players.iter().enumerate().map(|(i, (_, maker))| (i as i64, maker.clone())).collect();
    let mut schedule = Schedule::new(seed, 0);
    let groups = groups(players.len(), seats);
    for table in 0..tables_for(games, seats) {
        schedule.next_table();
        let group = &groups[table % groups.len()];
        schedule.add(MatchKind::Ladder, &group.iter().map(|p| *p as i64).collect::<Vec<_>>());
    }
    let matches = schedule.take_matches();
    progress.begin(0, MatchKind::Ladder, matches.len());
    let mut outcomes = Vec::with_capacity(matches.len());
    runner.play(&matches, &makers, |outcome| {
        progress.game(&outcome);
        outcomes.push(outcome);
        Ok(())
    })?;
    outcomes.sort_by_key(|o| o.game.id);
    let stopped = outcomes.len() < matches.len();
    Ok(Ladder { players: players.into_iter().map(|(p, _)| p).collect(), outcomes, stopped })
}

/// Balanced choices of `seats` players out of `players`: every unordered choice with repetition that seats at
/// least two different players and is as even as can be, in lexical order.
fn groups(players: usize, seats: usize) -> Vec<Vec<usize>> {
    let most = seats.div_ceil(players.min(seats));
    let mut found = Vec::new();
    let mut group = Vec::with_capacity(seats);
    extend(&mut found, &mut group, 0, players, seats, most);
    found
}

fn extend(
    found: &mut Vec<Vec<usize>>,
    group: &mut Vec<usize>,
    from: usize,
    players: usize,
    seats: usize,
    most: usize,
) {
    if group.len() == seats {
        found.push(group.clone());
        return;
    }
    for player in from..players {
        if group.iter().filter(|p| **p == player).count() < most {
            group.push(player);
            extend(found, group, player, players, seats, most);
            group.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_even_and_complete() {
        assert_eq!(groups(2, 2), [[0, 1]]);
        assert_eq!(groups(3, 2), [[0, 1], [0, 2], [1, 2]]);
        // Two players at four seats sit twice each; three players: one of them twice.
        assert_eq!(groups(2, 4), [[0, 0, 1, 1]]);
        let three = groups(3, 4);
        let mut seen = [0; 3];
        three.iter().flatten().for_each(|p| seen[*p] += 1);
        assert!(three.len() == 6 && seen == [8; 3], "{three:?}");
        assert_eq!(groups(5, 4).len(), 5);
    }
}
