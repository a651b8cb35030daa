//! A ladder of named players: everybody meets everybody on shared seeds in all seats.

use crate::{
    error::LeagueError,
    matches::{MatchKind, Outcome},
    player::{Maker, Player},
    runner::{Runner, RunnerConfig},
    schedule::{LADDER_GENERATION, Schedule, tables_for},
    train::Progress,
};
use rl_gym::{Game, Options, Pcg64, SeedSequence};
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

/// Plays at least `games` games among `players` (each with its maker), on seeds that no run shares. Everybody plays
/// and everybody meets everybody about equally often; a table has copies where there are more seats than players.
///
/// # Errors
/// With fewer than two players or no games, and what the game says.
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
    if games == 0 {
        return Err(LeagueError::Request {
            what: "a ladder of 0 games rates nobody: play at least 1".into(),
        });
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
    let mut schedule = Schedule::new(seed, LADDER_GENERATION);
    let draws = SeedSequence::new(seed).child(LADDER_GENERATION).child(0).rng();
    let mut seating = Seating::new(players.len(), draws);
    for _ in 0..tables_for(games, seats) {
        let table = seating.next(seats).into_iter().map(|p| p as i64).collect();
        schedule.seat(MatchKind::Ladder, table);
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

/// Who comes to the next table: those who sat least so far, among equals those who met the table least.
struct Seating {
    /// Seats taken so far, by player.
    seated: Vec<u32>,
    /// Tables shared so far, by pair of players.
    met: Vec<Vec<u32>>,
    rng: Pcg64,
}

impl Seating {
    fn new(players: usize, rng: Pcg64) -> Self {
        Self { seated: vec![0; players], met: vec![vec![0; players]; players], rng }
    }

    /// The players of a table of `seats`, each as often as any other or once more.
    fn next(&mut self, seats: usize) -> Vec<usize> {
        let players = self.seated.len();
        // More seats than players: everybody sits down in full rounds, the rest is picked.
        let mut table: Vec<usize> = (0..seats - seats % players).map(|seat| seat % players).collect();
        let mut waiting: Vec<usize> = (0..players).collect();
        self.rng.shuffle(&mut waiting);
        let rounds = table.len();
        while table.len() < seats {
            let met = |p: usize| table[rounds..].iter().map(|q| self.met[p][*q]).sum::<u32>();
            let Some(at) = (0..waiting.len()).min_by_key(|i| (self.seated[waiting[*i]], met(waiting[*i])))
            else {
                break;
            };
            table.push(waiting.swap_remove(at));
        }
        for (at, &p) in table.iter().enumerate() {
            self.seated[p] += 1;
            for &q in table[..at].iter().filter(|q| **q != p) {
                self.met[p][q] += 1;
                self.met[q][p] += 1;
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Least and most seats of a player, least and most meetings of a pair, over `tables` tables.
    fn counts(players: usize, seats: usize, tables: usize) -> [u32; 4] {
        let mut seating = Seating::new(players, Pcg64::seed(7));
        for _ in 0..tables {
            let table = seating.next(seats);
            assert_eq!(table.len(), seats);
            let copies = (0..players).map(|p| table.iter().filter(|q| **q == p).count());
            let (least, most) = (copies.clone().min(), copies.max());
            assert!(most <= least.map(|n| n + 1), "{table:?}");
        }
        let pairs = (0..players).flat_map(|p| (0..p).map(move |q| (p, q))).map(|(p, q)| seating.met[p][q]);
        let seats = seating.seated.iter().copied();
        let of = |o: Option<u32>| o.expect("players");
        [of(seats.clone().min()), of(seats.max()), of(pairs.clone().min()), of(pairs.max())]
    }

    #[test]
    fn everybody_plays_and_meets_everybody_about_equally() {
        for (players, seats, tables) in [
            (11, 4, 50),
            (11, 4, 500),
            (2, 2, 9),
            (3, 2, 30),
            (7, 2, 210),
            (40, 4, 400),
            (5, 4, 25),
            (9, 8, 30),
        ] {
            let [least, most, rarest, commonest] = counts(players, seats, tables);
            assert!(most - least <= 1, "{players} at {seats}: seats {least} to {most}");
            let per_pair = tables * seats * (seats - 1) / (players * (players - 1));
            let slack = 2 + per_pair as u32 / 20;
            assert!(
                commonest - rarest <= 2 * slack && rarest + slack >= per_pair as u32,
                "{players} at {seats}: pairs {rarest} to {commonest}, mean {per_pair}"
            );
        }
        // Two at four seats sit twice each and meet four times a table; of three, each sits twice in turn.
        assert_eq!(counts(2, 4, 10), [20, 20, 40, 40]);
        assert_eq!(counts(3, 4, 30)[..2], [40, 40]);
    }
}
