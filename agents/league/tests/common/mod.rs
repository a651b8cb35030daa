//! A tiny game for league tests: three seats bid a number at once, the highest bid wins, equal bids share.
//! A bidder's strength is the sum of its genes plus luck, so training must raise the genes.
#![allow(dead_code, reason = "each test binary uses its own part of this")]

pub(crate) mod store;

use agon_league::{
    Match, MatchKind, MatchSeed, Outcome, Progress, RunnerConfig, Standing, Summary, TrainConfig,
};
use rl_gym::{
    BitsMut, Bot, Decisions, Dtype, Dynamics, Env, EpisodeSeed, Fault, Game, Gene, Genome, GymError,
    Information, Luck, OptionDef, Options, Outcome as Signals, Pcg64, Placing, Policy, Space, Spec, Utility,
};

pub(crate) const SEATS: usize = 3;
const BIDS: u32 = 64;

pub(crate) struct Auction {
    spec: Spec,
    rng: Pcg64,
    bids: Option<[u32; SEATS]>,
    /// Fails on seeds whose first draw is below this share.
    faulty: f64,
    /// What goes wrong at the end of a game.
    end: End,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Sound,
    /// Places nobody.
    Unplaced,
    /// Places nobody first.
    Headless,
    PanicsAtRanks,
    PanicsAtPoints,
}

const ENDS: &[&str] = &["sound", "unplaced", "headless", "panics-at-ranks", "panics-at-points"];

impl Auction {
    fn new(options: &Options) -> Self {
        let spec = Spec {
            game: "auction".into(),
            version: 1,
            seats: SEATS,
            obs: Space::boxed(Dtype::U8, &[1], 0.0, 255.0),
            action: Space::Discrete { n: BIDS },
            masked: true,
            dynamics: Dynamics::Simultaneous,
            information: Information::Imperfect,
            luck: Luck::Sampled,
            utility: Utility::GeneralSum,
            placing: Placing::WinnerOnly,
            reward: (0.0, 1.0),
            metrics: Vec::new(),
            max_steps: None,
        };
        let end = match options.text("end") {
            "unplaced" => End::Unplaced,
            "headless" => End::Headless,
            "panics-at-ranks" => End::PanicsAtRanks,
            "panics-at-points" => End::PanicsAtPoints,
            _ => End::Sound,
        };
        Self { spec, rng: Pcg64::default(), bids: None, faulty: options.float("faulty"), end }
    }
}

impl Env for Auction {
    type Obs = u8;
    type Act = u32;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn reset(&mut self, seed: EpisodeSeed, mut out: Signals<'_>) -> Result<(), Fault> {
        seed.apply(&mut self.rng);
        self.bids = None;
        out.everyone();
        Ok(())
    }

    fn step(&mut self, acts: &[u32], mut out: Signals<'_>) -> Result<(), Fault> {
        if self.rng.unit() < self.faulty {
            return Err(Fault::new("the hammer broke"));
        }
        if let Some(seat) = acts.iter().position(|a| *a >= BIDS) {
            out.everyone();
            out.refuse(seat);
            return Ok(());
        }
        let mut bids = [0; SEATS];
        bids.copy_from_slice(acts);
        self.bids = Some(bids);
        out.terminate();
        Ok(())
    }

    fn observe(&self, _seat: usize, obs: &mut [u8], mut mask: BitsMut<'_>) {
        obs.fill(0);
        mask.fill(true);
    }

    fn ranks(&self, ranks: &mut [u8]) -> bool {
        let Some(bids) = self.bids else { return false };
        match self.end {
            End::Unplaced => return false,
            End::Headless => {
                ranks.fill(1);
                return true;
            }
            End::PanicsAtRanks => panic!("the list is lost"),
            End::Sound | End::PanicsAtPoints => {}
        }
        let best = bids.iter().max();
        for (rank, bid) in ranks.iter_mut().zip(&bids) {
            *rank = u8::from(Some(bid) != best);
        }
        true
    }

    fn points(&self, _: &mut [f32]) -> bool {
        assert!(self.end != End::PanicsAtPoints, "the purse is lost");
        false
    }
}

/// Bids a level plus luck.
pub(crate) struct Bidder(pub f32);

impl Policy for Bidder {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            let mut ask = decisions.ask(i);
            let bid = self.0 * 30.0 + ask.rng.unit_f32() * 20.0;
            ask.choose((bid as u32).min(BIDS - 1));
        }
        Ok(())
    }
}

struct Panics;

impl Policy for Panics {
    fn act(&mut self, _: &mut Decisions<'_>) -> Result<(), Fault> {
        panic!("no idea what to bid");
    }
}

struct GivesUp;

impl Policy for GivesUp {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            decisions.ask(i).choose(0);
            decisions.give_up(i, Fault::new("too rich for me"));
        }
        Ok(())
    }
}

struct Cheats;

impl Policy for Cheats {
    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        for i in 0..decisions.len() {
            decisions.ask(i).choose(BIDS + 7);
        }
        Ok(())
    }
}

/// Bids low, and cannot begin on one seat.
struct PanicsAtBegin;

impl Policy for PanicsAtBegin {
    fn begin(&mut self, _: usize, seat: usize) {
        assert!(seat != 1, "not on this chair");
    }

    fn act(&mut self, decisions: &mut Decisions<'_>) -> Result<(), Fault> {
        Bidder(0.0).act(decisions)
    }
}

const fn bot(name: &'static str, anchor: bool, make: fn(&Spec) -> Box<dyn Policy>) -> Bot {
    Bot { name, version: 1, summary: "for tests", anchor, make }
}

pub(crate) fn game() -> Game {
    const GENES: &[Gene] = &[
        Gene { name: "greed", low: -1.0, high: 1.0, meaning: "bid level" },
        Gene { name: "fear", low: -1.0, high: 1.0, meaning: "bid level, negative" },
    ];
    Game {
        name: "auction",
        version: 1,
        summary: "for tests",
        options: vec![
            OptionDef::float("faulty", 0.0, 0.0, 1.0, "share of games that fail"),
            OptionDef::flag("gala", false, "nothing, but with more noise"),
            OptionDef::choice("end", ENDS, "what goes wrong at the end"),
        ],
        make: |options| -> Result<_, GymError> { Ok(Box::new(Auction::new(options))) },
        bots: vec![
            bot("low", true, |_| Box::new(Bidder(0.0))),
            bot("high", true, |_| Box::new(Bidder(0.5))),
            bot("panics", false, |_| Box::new(Panics)),
            bot("gives-up", false, |_| Box::new(GivesUp)),
            bot("cheats", false, |_| Box::new(Cheats)),
            bot("unmade", false, |_| panic!("out of memory")),
            bot("shy", false, |_| Box::new(PanicsAtBegin)),
        ],
        genome: Some(Genome {
            genes: GENES,
            version: 1,
            make: |_, genes| Box::new(Bidder((genes[0] - genes[1]) * 0.5)),
        }),
        traces: None,
        vocabulary: None,
    }
}

pub(crate) fn options(given: &[(&str, &str)]) -> Options {
    game().resolve(given.iter().copied()).expect("options")
}

pub(crate) fn config(seed: u64) -> TrainConfig {
    TrainConfig {
        population: 8,
        tables: 4,
        rounds: 3,
        snapshot_every: 4,
        ladder_tables: 12,
        exam_games: 60,
        ..TrainConfig::new(&game(), options(&[]), seed)
    }
}

pub(crate) fn runner(workers: usize, lanes: usize, hosted: bool) -> RunnerConfig {
    RunnerConfig { workers, lanes, hosted, ..RunnerConfig::default() }
}

/// Matches of players `seats` on consecutive tables.
pub(crate) fn matches(tables: u32, seats: [i64; SEATS]) -> Vec<Match> {
    (0..tables)
        .map(|table| Match {
            id: i64::from(table),
            kind: MatchKind::Ladder,
            generation: 0,
            block: i64::from(table),
            seed: MatchSeed { root: 5, generation: 0, table },
            seats: seats.to_vec(),
            record: table % 5 == 0,
        })
        .collect()
}

/// Progress that counts, and can act after every game.
#[derive(Default)]
pub(crate) struct Count {
    pub games: usize,
    pub generations: u32,
    pub stop_after: Option<(usize, std::sync::Arc<std::sync::atomic::AtomicBool>)>,
}

impl Progress for Count {
    fn begin(&mut self, _: u32, _: MatchKind, _: usize) {}

    fn game(&mut self, _: &Outcome) {
        self.games += 1;
        if let Some((after, flag)) = &self.stop_after
            && self.games >= *after
        {
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }

    fn generation(&mut self, _: &Summary) {
        self.generations += 1;
    }

    fn champion(&mut self, standing: &Standing) {
        assert!(standing.elo.low < standing.elo.high && standing.anchor_elo.is_finite(), "{standing:?}");
    }
}
