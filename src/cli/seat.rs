//! `agon seat`: a foreign program takes a seat, one JSON line a decision on standard output and input.

use crate::cli::{
    CliError, Ending,
    args::{Loudness, SeatArgs},
    output, players,
};
use agon_league::{MatchSeed, Status};
use agon_policy::stdio::{Decision, End, Event, Foul, Protocol, Wire};
use rl_gym::{
    Autoreset, BatchConfig, BatchEnv, Decisions, Fault, Flags, Game, Information, LaneReset, OnIllegal,
    Options, Pcg64, Placing, Policy, Registry, VecEnv, discrete, panic_text,
};
use serde::Serialize;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

/// The generation of foreign seats: their games share no seed with runs, ladders and duels of the same root.
const GENERATION: u32 = 4 << 24;

pub(crate) fn run(games: &Registry, args: &SeatArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let game = games.find(&args.game.game)?;
    let options = game.resolve(args.game.option.iter().map(|(k, v)| (k.as_str(), v.as_str())))?;
    let mut table = Table::new(game, &options, args)?;
    let mut foreign = Foreign {
        wire: Wire::new(std::io::stdin(), std::io::stdout())?,
        limit: args.time_limit.0,
        asked: 0,
        events: Vec::new(),
    };
    foreign.wire.tell(table.protocol.hello(foreign.limit));
    let mut total = Total::default();
    for number in 0..u64::from(args.games) {
        let seats = table.seats as u64;
        let (seat, table_number) = match args.seat {
            Some(seat) => (seat, number),
            None => ((number % seats) as usize, number / seats),
        };
        let seed = MatchSeed { root: args.seed, generation: GENERATION, table: table_number as u32 };
        let end = table.play(number, seat, seed, &mut foreign);
        foreign.wire.tell(table.protocol.end(&end));
        total.count(&end);
    }
    foreign.wire.tell(total.line());
    foreign.wire.close(Duration::from_secs(5));
    if loudness != Loudness::Quiet {
        output::note(&total.words());
    }
    Ok(Ending::Done)
}

/// The foreign player of this process.
struct Foreign {
    wire: Wire,
    limit: Duration,
    asked: u64,
    /// What was played since its last decision.
    events: Vec<Event>,
}

/// One environment and the players of the other seats.
struct Table {
    protocol: Protocol,
    batch: VecEnv,
    seats: usize,
    /// One for every seat but that of the foreigner, in order.
    opponents: Vec<Box<dyn Policy>>,
    rngs: Vec<Pcg64>,
    /// Whether every seat may see every action.
    open: bool,
}

/// How a seat lost its game before the end, and which.
type Forfeits = Vec<(usize, String)>;

impl Table {
    fn new(game: &Game, options: &Options, args: &SeatArgs) -> Result<Self, CliError> {
        let config = BatchConfig {
            autoreset: Autoreset::Disabled,
            on_illegal: OnIllegal::Forfeit,
            ..BatchConfig::lanes(1)
        };
        let mut batch = VecEnv::new(&game.factory(options.clone()), config)?;
        let spec = batch.spec().clone();
        let seats = spec.seats;
        if let Some(seat) = args.seat.filter(|seat| *seat >= seats) {
            return Err(CliError::Request(format!("--seat {seat} is not from 0 to {}", seats - 1)));
        }
        let protocol = Protocol::of(batch.env(0)).map_err(rl_gym::GymError::from)?;
        let names: Vec<&str> = match args.opponents.as_slice() {
            [all] => vec![all.as_str(); seats - 1],
            several if several.len() == seats - 1 => several.iter().map(String::as_str).collect(),
            several => {
                return Err(CliError::Request(format!(
                    "--opponents names {} players, {} has {} other seats: name one for each, or one for all",
                    several.len(),
                    game.id(),
                    seats - 1
                )));
            }
        };
        let opponents = names
            .into_iter()
            .map(|name| {
                let (_, maker) = players::resolve_timed(game, options, name.trim(), args.time_limit.0)?;
                Ok(maker.make(&spec))
            })
            .collect::<Result<_, CliError>>()?;
        let open = spec.information == Information::Perfect;
        Ok(Self { protocol, batch, seats, opponents, rngs: vec![Pcg64::default(); seats], open })
    }

    /// Plays a match to its end, with the foreigner in `seat`.
    fn play(&mut self, number: u64, seat: usize, seed: MatchSeed, foreign: &mut Foreign) -> End {
        let end =
            |status, places| End { game: number, seat, status: Some(status), places, points: Vec::new() };
        let seats = self.seats;
        let void = || end(Status::Void.word(), vec![0; seats]);
        self.batch.reset_lanes(&[LaneReset { lane: 0, seed: Some(seed.episode()) }]);
        if self.batch.view().faults().next().is_some() {
            return void();
        }
        for row in 0..self.seats {
            self.rngs[row] = seed.seat(row);
        }
        for (policy, row) in self.opponents.iter_mut().zip((0..self.seats).filter(|row| *row != seat)) {
            policy.begin(row, row);
        }
        foreign.events.clear();
        let own_seed = self.rngs[seat].next_u32();
        foreign.wire.tell(self.protocol.start(number, seat, own_seed, false));
        loop {
            let forfeits = self.decide(number, seat, foreign);
            if !forfeits.is_empty() {
                let mut places = vec![0; self.seats];
                for (seat, why) in &forfeits {
                    places[*seat] = 1;
                    output::note(&format!("game {number}: seat {seat} forfeits: {why}"));
                }
                return end(Status::Forfeit.word(), places);
            }
            self.batch.step();
            let view = self.batch.view();
            if let Some(fault) = view.faults().next() {
                output::note(&format!("game {number} is void: {fault}"));
                return void();
            }
            let (mut places, mut flags) = (Vec::new(), Flags::empty());
            for (entry, _) in view.finals() {
                places.push(entry.rank);
                flags |= entry.flags;
            }
            if places.is_empty() {
                continue;
            }
            let status = if flags.contains(Flags::ILLEGAL) {
                Status::Forfeit
            } else if flags.contains(Flags::TERMINATED) {
                Status::Won
            } else {
                places.fill(0);
                Status::Truncated
            };
            if view.spec().placing == Placing::None {
                places.clear();
            }
            let mut points = vec![0.0; self.seats];
            if status == Status::Forfeit || !self.batch.env(0).points(&mut points) {
                points.clear();
            }
            return End { points, ..end(status.word(), places) };
        }
    }

    /// Fills the action row of every seat that is to act.
    fn decide(&mut self, number: u64, own: usize, foreign: &mut Foreign) -> Forfeits {
        let mut forfeits = Forfeits::new();
        let acting: Vec<usize> =
            (0..self.seats).filter(|row| self.batch.view().flags(*row).contains(Flags::TO_ACT)).collect();
        for row in &acting {
            if *row == own {
                match self.ask(number, own, foreign) {
                    Ok(action) => self.batch.parts().1.set(own, action),
                    Err(foul) => {
                        foreign.wire.tell(self.protocol.error(number, &foul));
                        forfeits.push((own, foul.to_string()));
                    }
                }
                continue;
            }
            let mut given_up = Vec::new();
            let rows = [*row as u32];
            let (view, actions) = self.batch.parts();
            let mut ask = Decisions::new(view, actions, &rows, &mut self.rngs, &mut given_up);
            let policy = &mut self.opponents[row - usize::from(*row > own)];
            let failed = match catch_unwind(AssertUnwindSafe(|| policy.act(&mut ask))) {
                Ok(answer) => answer.err(),
                Err(panic) => Some(Fault::new(format!("the player panicked: {}", panic_text(&*panic)))),
            };
            forfeits.extend(
                failed.into_iter().chain(given_up.into_iter().map(|g| g.1)).map(|f| (*row, f.to_string())),
            );
        }
        if self.open && forfeits.is_empty() {
            let (_, mut actions) = self.batch.parts();
            for row in acting {
                let action = discrete(actions.row_mut(row));
                let name = self.protocol.names().get(action as usize).cloned().unwrap_or_default();
                foreign.events.push(Event { seat: row, action, name });
            }
        }
        forfeits
    }

    fn ask(&mut self, number: u64, seat: usize, foreign: &mut Foreign) -> Result<u32, Foul> {
        let text = self.batch.env(0).as_text().map(|env| {
            let mut text = String::new();
            env.observe_text(seat, &mut text);
            text
        });
        let view = self.batch.view();
        let events = std::mem::take(&mut foreign.events);
        foreign.asked += 1;
        let decision = Decision {
            game: number,
            id: foreign.asked,
            seat,
            obs: view.obs(seat),
            mask: view.mask(seat),
            text: text.as_deref(),
            events: self.open.then_some(&events),
            limit: foreign.limit,
        };
        foreign.wire.ask(&self.protocol, &decision)
    }
}

/// The last line: what became of all games.
#[derive(Default, Serialize)]
struct Total {
    r#type: &'static str,
    games: u32,
    /// Games in which the seat was first alone, shared the first place, and the others.
    wins: u32,
    draws: u32,
    losses: u32,
    /// Games that the seat itself forfeited; they are among the losses.
    forfeits: u32,
    void: u32,
}

impl Total {
    fn count(&mut self, end: &End) {
        self.games += 1;
        if end.status == Some(Status::Void.word()) {
            self.void += 1;
            return;
        }
        let first = |seat: usize| end.places.get(seat) == Some(&0);
        let shared = (0..end.places.len()).filter(|s| first(*s)).count() > 1;
        match (first(end.seat), shared) {
            (true, false) => self.wins += 1,
            (true, true) => self.draws += 1,
            // A game that places nobody has neither winners nor losers.
            (false, _) => self.losses += u32::from(!end.places.is_empty()),
        }
        self.forfeits += u32::from(end.status == Some(Status::Forfeit.word()) && !first(end.seat));
    }

    fn line(&self) -> String {
        let line = Self { r#type: "result", ..*self };
        // Numbers and plain names: nothing that JSON refuses.
        serde_json::to_string(&line).unwrap_or_default()
    }

    fn words(&self) -> String {
        format!(
            "{} games: {} wins, {} draws, {} losses ({} by forfeit), {} void",
            self.games, self.wins, self.draws, self.losses, self.forfeits, self.void
        )
    }
}
