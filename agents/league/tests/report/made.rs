//! Synthetic games and runs whose truth is known.

use crate::quartet::{SEATS, quartet};
use agon_league::{
    EXAM_GENERATION, Event, LeagueError, Match, MatchKind, MatchSeed, Outcome, Player, PlayerKind,
    STORE_FILE, Status, Store, Summary, Timing, TrainConfig,
};
use rl_gym::{Options, Pcg64};
use std::collections::BTreeMap;

pub(crate) fn bots(names: &[&str]) -> Vec<(i64, Player)> {
    names.iter().enumerate().map(|(i, name)| (i as i64, bot(name))).collect()
}

pub(crate) fn bot(name: &str) -> Player {
    Player { hash: format!("bot-{name}"), name: name.into(), version: 1, kind: PlayerKind::Bot }
}

pub(crate) fn champion(name: &str, generation: u32) -> Player {
    let kind = PlayerKind::Evolved { generation, parent: None, genes: vec![0.5] };
    Player { hash: format!("hash-{name}"), name: name.into(), version: 1, kind }
}

/// A finished ladder game in a block of its own.
pub(crate) fn game(id: i64, seats: &[i64], ranks: &[u8]) -> Outcome {
    let seed = MatchSeed { root: 1, generation: 0, table: id as u32 };
    let game = Match {
        id,
        kind: MatchKind::Ladder,
        generation: 0,
        block: id,
        seed,
        seats: seats.to_vec(),
        record: false,
    };
    Outcome {
        game,
        ranks: ranks.to_vec(),
        points: Vec::new(),
        status: Status::Won,
        steps: 80,
        decisions: 80,
        note: None,
        replay: None,
        replay_bytes: None,
    }
}

/// The seat that wins by Luce's rule.
pub(crate) fn winner(theta: &[f64], rng: &mut Pcg64) -> usize {
    let weights: Vec<f64> = theta.iter().map(|t| t.exp()).collect();
    rng.weighted(&weights)
}

pub(crate) fn ranks(winner: usize) -> Vec<u8> {
    (0..SEATS).map(|s| u8::from(s != winner)).collect()
}

/// `tables` tables of four different players, each in four rotations.
pub(crate) fn simulate(theta: &[f64], tables: i64, seed: u64) -> Vec<Outcome> {
    let mut rng = Pcg64::seed(seed);
    let mut games = Vec::new();
    for block in 0..tables {
        let mut all: Vec<i64> = (0..theta.len() as i64).collect();
        rng.shuffle(&mut all);
        all.truncate(SEATS);
        for _ in 0..SEATS {
            all.rotate_left(1);
            let strengths: Vec<f64> = all.iter().map(|p| theta[*p as usize]).collect();
            let mut o = game(games.len() as i64, &all, &ranks(winner(&strengths, &mut rng)));
            o.game.block = block;
            games.push(o);
        }
    }
    games
}

/// A synthetic run: strengths rise with the generation.
pub(crate) struct Run {
    pub(crate) generations: u32,
    pub(crate) anchors: [String; 3],
    pub(crate) population: usize,
    pub(crate) train_tables: usize,
    pub(crate) ladder_tables: usize,
    /// After how many generations, against which anchor, with which share of wins.
    pub(crate) exams: Vec<(u32, usize, f64)>,
    /// A champion every so many generations.
    pub(crate) every: u32,
    /// Beginning of their names.
    pub(crate) champion: String,
    /// Whether games end with 10 points for winners and 4 for all others.
    pub(crate) points: bool,
    pub(crate) options: Options,
    /// Strengths of the anchors.
    pub(crate) strengths: [f64; 3],
    /// Luck of its games.
    pub(crate) seed: u64,
}

pub(crate) const ANCHOR_THETA: [f64; 3] = [0.0, 1.4, 2.3];
pub(crate) const EXAM_GAMES: usize = 400;

impl Run {
    pub(crate) fn new(generations: u32) -> Self {
        Self {
            generations,
            anchors: ["random", "greedy", "veteran"].map(String::from),
            population: 6,
            train_tables: 3,
            ladder_tables: 40,
            exams: (0..3)
                .map(|a| (generations, a, [0.86, 0.47, 0.2675][a]))
                .filter(|_| generations > 0)
                .collect(),
            every: 4,
            champion: "champion".into(),
            points: false,
            options: Options::default(),
            strengths: ANCHOR_THETA,
            seed: 42,
        }
    }

    pub(crate) fn store(&self) -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().expect("folder");
        let mut store = Store::create(&dir.path().join("run"), |_| Ok(())).expect("store");
        assert!(store.path().ends_with(STORE_FILE));
        let options = self.options.clone();
        let config = TrainConfig {
            exam_games: EXAM_GAMES,
            population: self.population,
            ..TrainConfig::new(&quartet(), options, 7)
        };
        store.set_meta("config", &config).expect("meta");
        store.set_meta("rules", &"00c0ffee00c0ffee").expect("meta");
        store.set_meta("made_by", &"agon 0.1.0").expect("meta");
        let anchors: Vec<i64> =
            self.anchors.iter().map(|a| store.add_player(&bot(a)).expect("player")).collect();
        let mut theta: BTreeMap<i64, f64> = anchors.iter().copied().zip(self.strengths).collect();
        let mut champions: Vec<i64> = Vec::new();
        let mut rng = Pcg64::seed(self.seed);
        for g in 0..self.generations {
            store
                .transaction(|s| self.generation(s, g, &anchors, &mut champions, &mut theta, &mut rng))
                .expect("stored");
        }
        for (after, anchor, share) in &self.exams {
            let best = *champions.last().expect("an exam needs a champion");
            let mut games = exam(*after, best, anchors[*anchor], *anchor, *share);
            self.count_points(&mut games);
            store.transaction(|s| s.add_matches(&games)).expect("stored");
        }
        (dir, store)
    }

    fn count_points(&self, games: &mut [Outcome]) {
        for o in games.iter_mut().filter(|o| self.points && o.status == Status::Won) {
            o.points = o.ranks.iter().map(|r| if *r == 0 { 10.0 } else { 4.0 }).collect();
        }
    }

    fn generation(
        &self,
        s: &Store,
        g: u32,
        anchors: &[i64],
        champions: &mut Vec<i64>,
        theta: &mut BTreeMap<i64, f64>,
        rng: &mut Pcg64,
    ) -> Result<(), LeagueError> {
        let strength = 2.6 * (1.0 - (-f64::from(g) / 12.0).exp());
        let mut games = Vec::new();
        let mut table = 0;
        let play = |games: &mut Vec<Outcome>,
                    kind,
                    table: i64,
                    group: &[i64],
                    theta: &BTreeMap<i64, f64>,
                    rng: &mut Pcg64| {
            for r in 0..SEATS {
                let seats: Vec<i64> = (0..SEATS).map(|i| group[(i + r) % SEATS]).collect();
                let strengths: Vec<f64> = seats.iter().map(|p| theta[p]).collect();
                let mut o =
                    game((i64::from(g) << 32) + games.len() as i64, &seats, &ranks(winner(&strengths, rng)));
                (o.game.kind, o.game.generation, o.game.block) = (kind, g, (i64::from(g) << 20) + table);
                match rng.below(2000) {
                    0 => {
                        (o.status, o.note) =
                            (Status::Void, Some("lane 3: the bank ran out of a resource".into()))
                    }
                    1 => {
                        (o.status, o.note) = (Status::Forfeit, Some("seat 2 chose an illegal action".into()))
                    }
                    2..6 => (o.status, o.ranks) = (Status::Truncated, vec![0; SEATS]),
                    _ => {}
                }
                games.push(o);
            }
        };
        let candidates: Vec<i64> = (0..self.population)
            .map(|i| {
                let id = s.add_player(&champion(&format!("g{g}-{i}"), g)).expect("player");
                theta.insert(id, strength - 0.4 + 0.3 * rng.normal());
                id
            })
            .collect();
        for _ in 0..self.train_tables {
            table += 1;
            let pool: Vec<i64> = anchors.iter().chain(champions.iter().rev().take(6)).copied().collect();
            let others: Vec<i64> =
                (0..SEATS - 1).map(|_| pool[rng.below(pool.len() as u32) as usize]).collect();
            for c in &candidates {
                let group: Vec<i64> = std::iter::once(*c).chain(others.iter().copied()).collect();
                play(&mut games, MatchKind::Train, table, &group, theta, rng);
            }
        }
        let snapshot = g == 0 || (g + 1).is_multiple_of(self.every);
        if snapshot {
            let id = s.add_player(&champion(&format!("{}-{g}", self.champion), g))?;
            theta.insert(id, strength);
            let all: Vec<i64> = anchors.iter().chain(champions.iter()).copied().collect();
            for t in 0..self.ladder_tables {
                table += 1;
                let mut group = vec![id, anchors[t % anchors.len()]];
                (0..2).for_each(|_| group.push(all[rng.below(all.len() as u32) as usize]));
                play(&mut games, MatchKind::Ladder, table, &group, theta, rng);
            }
            champions.push(id);
            let detail = "{\"sigma\":0.25}".into();
            s.add_event(&Event { generation: g, what: "snapshot".into(), player: Some(id), detail })?;
        }
        self.count_points(&mut games);
        s.add_matches(&games)?;
        let steps = games.iter().map(|o| i64::from(o.steps)).sum();
        let wall_ms = games.len() as i64 * 2 + i64::from(rng.below(40)) + 1;
        s.add_timing(&Timing {
            generation: g,
            wall_ms,
            cpu_ms: 0,
            games: games.len() as i64,
            steps,
            workers: 2,
        })?;
        let broken = games.iter().filter(|o| matches!(o.status, Status::Void | Status::Forfeit)).count();
        let summary = Summary {
            generation: g,
            games: games.len(),
            mean_wins: 0.25,
            best_wins: 0.4,
            sigma: 0.25 * 0.97f64.powi(g as i32),
            broken,
        };
        s.finish_generation(g, &"state", &summary)
    }
}

/// An exam with exactly this share of wins.
pub(crate) fn exam(after: u32, player: i64, anchor: i64, number: usize, share: f64) -> Vec<Outcome> {
    let generation = EXAM_GENERATION + after;
    let won = (share * EXAM_GAMES as f64).round() as usize;
    let first = (i64::from(generation) << 32) + (number * EXAM_GAMES) as i64;
    // Wins are spread over the tables by a step that has no factor in common with their number.
    let is_win = |i: usize| (i * 141) % EXAM_GAMES < won;
    (0..EXAM_GAMES)
        .map(|i| {
            let seat = i % SEATS;
            let mut seats = vec![anchor; SEATS];
            seats[seat] = player;
            let place = if is_win(i) { seat } else { (seat + 1) % SEATS };
            let mut o = game(first + i as i64, &seats, &ranks(place));
            let block = (i64::from(generation) << 20) + (number * EXAM_GAMES + i / SEATS) as i64;
            (o.game.kind, o.game.generation, o.game.block) = (MatchKind::Exam, generation, block);
            o
        })
        .collect()
}
