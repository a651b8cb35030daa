//! `agon replay`: matches of a run, played again from what is kept of them.

use crate::cli::{CliError, Ending, args::ReplayArgs, output};
use agon_league::{Kept, KeptSize, MatchKind, Outcome, Rerun, Store, TrainConfig};
use rl_gym::{Game, GymError, Registry, Replay, Space};
use serde::Serialize;
use std::{collections::BTreeMap, fmt::Write, ops::ControlFlow};

/// Differences that are told one by one.
const SHOWN: usize = 20;

pub(crate) fn run(games: &Registry, args: &ReplayArgs) -> Result<Ending, CliError> {
    if args.path.is_file() {
        return file(games, args);
    }
    let store = Store::open_read(&args.path)?;
    let config: TrainConfig = store.meta("config")?;
    let game = games.find(&config.game)?;
    let run = Run {
        names: store.players()?.into_iter().map(|(id, p)| (id, p.name)).collect(),
        store,
        config,
        game,
    };
    match args.number {
        Some(number) => run.one(number, args),
        None if args.verify => run.verify(args),
        None if args.list => run.list(args),
        None => run.count(args),
    }
}

struct Run<'a> {
    store: Store,
    config: TrainConfig,
    game: &'a Game,
    names: BTreeMap<i64, String>,
}

#[derive(Serialize)]
struct KindDoc {
    kind: &'static str,
    games: i64,
    kept: i64,
    bytes: i64,
    bytes_per_game: Option<f64>,
    bits_per_decision: Option<f64>,
}

#[derive(Serialize)]
struct MatchDoc {
    #[serde(rename = "match")]
    number: i64,
    kind: &'static str,
    generation: u32,
    seed: String,
    status: &'static str,
    players: Vec<String>,
    places: Vec<u8>,
    points: Vec<f32>,
    steps: u32,
    decisions: u32,
    note: Option<String>,
}

#[derive(Serialize)]
struct ShownDoc {
    game: String,
    #[serde(flatten)]
    of: Option<MatchDoc>,
    seats: Vec<String>,
    moves: Vec<StepDoc>,
}

#[derive(Serialize)]
struct StepDoc {
    step: u32,
    acts: Vec<ActDoc>,
    /// Nature's moves in this step.
    chance: Vec<u32>,
}

#[derive(Serialize)]
struct ActDoc {
    seat: usize,
    action: Vec<u32>,
    name: Option<String>,
}

#[derive(Serialize)]
struct VerifiedDoc {
    equal: u64,
    unkept: u64,
    failed: usize,
    errors: Vec<String>,
}

impl Run<'_> {
    /// Whether a match is one of those chosen.
    fn choice(&self, args: &ReplayArgs) -> Result<impl Fn(&Outcome) -> bool + use<>, CliError> {
        let kind = args.kind.as_deref().and_then(MatchKind::parse);
        let player = match &args.player {
            None => None,
            Some(name) => {
                let known = self.names.iter().find(|(_, n)| *n == name).map(|(id, _)| *id);
                Some(known.ok_or_else(|| self.unknown(name))?)
            }
        };
        Ok(move |o: &Outcome| {
            kind.is_none_or(|k| k == o.game.kind) && player.is_none_or(|p| o.game.seats.contains(&p))
        })
    }

    fn unknown(&self, name: &str) -> CliError {
        let names: Vec<String> = self.names.values().cloned().collect();
        let near = rl_gym::suggest(name, &names).map_or_else(String::new, |n| format!("; nearest: \"{n}\""));
        CliError::Request(format!(
            "no player \"{name}\" in this run{near}; `agon report` names anchors and champions, candidates are \
             g<generation>-<number>"
        ))
    }

    fn describe(&self, o: &Outcome) -> MatchDoc {
        let name = |id: &i64| self.names.get(id).cloned().unwrap_or_else(|| format!("player {id}"));
        MatchDoc {
            number: o.game.id,
            kind: o.game.kind.word(),
            generation: o.game.generation,
            seed: o.game.seed.to_string(),
            status: o.status.word(),
            players: o.game.seats.iter().map(name).collect(),
            places: o.ranks.clone(),
            points: o.points.clone(),
            steps: o.steps,
            decisions: o.decisions,
            note: o.note.clone(),
        }
    }

    fn count(&self, args: &ReplayArgs) -> Result<Ending, CliError> {
        let wanted = |kind: MatchKind| args.kind.as_deref().is_none_or(|word| word == kind.word());
        let rows: Vec<KindDoc> = self
            .store
            .kept_sizes()?
            .into_iter()
            .filter(|(kind, _)| wanted(*kind))
            .map(|(kind, size)| kind_doc(kind, &size))
            .collect();
        if args.json {
            output::json(&rows)?;
            return Ok(Ending::Done);
        }
        let mut text = format!(
            "{:<8}{:>10}{:>10}{:>14}{:>13}{:>19}\n",
            "kind", "games", "kept", "bytes", "bytes/game", "bits/decision"
        );
        for r in &rows {
            let number = |x: Option<f64>, digits| x.map_or_else(|| "-".into(), |x| format!("{x:.digits$}"));
            // Writing to a String cannot fail.
            _ = writeln!(
                text,
                "{:<8}{:>10}{:>10}{:>14}{:>13}{:>19}",
                r.kind,
                r.games,
                r.kept,
                r.bytes,
                number(r.bytes_per_game, 1),
                number(r.bits_per_decision, 2)
            );
        }
        output::result(&text)?;
        Ok(Ending::Done)
    }

    fn list(&self, args: &ReplayArgs) -> Result<Ending, CliError> {
        let wanted = self.choice(args)?;
        let mut rows = Vec::new();
        self.store.each_match(|o| {
            if wanted(&o) {
                rows.push(self.describe(&o));
            }
        })?;
        if args.json {
            output::json(&rows)?;
        } else {
            output::result(&rows.iter().map(|m| head(m) + "\n").collect::<String>())?;
        }
        Ok(Ending::Done)
    }

    fn one(&self, number: i64, args: &ReplayArgs) -> Result<Ending, CliError> {
        let outcome = self.store.match_of(number)?;
        let kept = self.store.kept(number)?.ok_or(agon_league::LeagueError::NoReplay { id: number })?;
        let replay = self.again(&outcome, &kept)?;
        if let Some(file) = &args.out {
            output::file(file, &replay.save()?)?;
            return Ok(Ending::Done);
        }
        if args.verify {
            output::result(&format!("match {number} goes as stored: {} steps", replay.steps()))?;
            return Ok(Ending::Done);
        }
        show(self.game, &replay, Some(self.describe(&outcome)), args.json)
    }

    fn again(&self, outcome: &Outcome, kept: &Kept) -> Result<Replay, CliError> {
        let options = self.config.options.recheck(self.game.name, &self.game.options)?;
        let labels = self.describe(outcome).players;
        Ok(Rerun::new(self.game, &options)?.replay(outcome, kept, labels)?)
    }

    fn verify(&self, args: &ReplayArgs) -> Result<Ending, CliError> {
        let options = self.config.options.recheck(self.game.name, &self.game.options)?;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let workers = args.workers.map_or_else(cores, usize::from);
        let verified = agon_league::verify(&self.store, self.game, &options, workers, self.choice(args)?)?;
        let failed = verified.failed.len();
        let doc = VerifiedDoc {
            equal: verified.equal,
            unkept: verified.unkept,
            failed,
            errors: verified.failed.iter().take(SHOWN).map(|(_, e)| e.to_string()).collect(),
        };
        if args.json {
            output::json(&doc)?;
        } else {
            let mut text: String = doc.errors.iter().map(|e| format!("FAIL {e}\n")).collect();
            if failed > SHOWN {
                _ = writeln!(text, "and {} more", failed - SHOWN);
            }
            _ = write!(text, "{} of {} matches go as stored", doc.equal, doc.equal + failed as u64);
            if doc.unkept > 0 {
                _ = write!(text, ", of {} nothing was kept", doc.unkept);
            }
            output::result(&text)?;
        }
        Ok(if failed > 0 { Ending::Unsound } else { Ending::Done })
    }
}

fn kind_doc(kind: MatchKind, size: &KeptSize) -> KindDoc {
    let per = |total: f64, count: i64| (count > 0).then(|| total / count as f64);
    let all = size.kept == size.games;
    KindDoc {
        kind: kind.word(),
        games: size.games,
        kept: size.kept,
        bytes: size.bytes,
        bytes_per_game: per(size.bytes as f64, size.kept),
        bits_per_decision: per(8.0 * size.bytes as f64, size.decisions).filter(|_| all),
    }
}

/// A match in a line.
fn head(m: &MatchDoc) -> String {
    let seat = |seat: usize| {
        let points = m.points.get(seat).map_or_else(String::new, |p| format!(", {p} points"));
        let place = m.places.get(seat).map_or_else(|| "?".into(), |p| (p + 1).to_string());
        format!("{} ({place}{points})", m.players[seat])
    };
    let seats: Vec<String> = (0..m.players.len()).map(seat).collect();
    format!("{} {:<6} {:<9} {:>5} steps  {}", m.number, m.kind, m.status, m.steps, seats.join("  "))
}

/// A replay file on its own: it proves itself by its state hashes.
fn file(games: &Registry, args: &ReplayArgs) -> Result<Ending, CliError> {
    let path = &args.path;
    if args.number.is_some() || args.list || args.kind.is_some() || args.player.is_some() {
        let why = "is a file, so it holds one replay: --match, --list, --kind and --player are for the folder of a run";
        return Err(CliError::File { path: path.clone(), why: why.into() });
    }
    let replay = Replay::load_file(path)?;
    let game = games.find(&replay.game)?;
    let report = replay.verify(game)?;
    if report.divergence.is_some() || args.verify {
        output::result(&format!("{}: {report}", path.display()))?;
        return Ok(if report.divergence.is_some() { Ending::Unsound } else { Ending::Done });
    }
    show(game, &replay, None, args.json)
}

/// Shows every action of a replay.
fn show(game: &Game, replay: &Replay, of: Option<MatchDoc>, json: bool) -> Result<Ending, CliError> {
    let moves = moves(game, replay)?;
    if json {
        output::json(&ShownDoc { game: game.id(), of, seats: replay.seats.clone(), moves })?;
        return Ok(Ending::Done);
    }
    let mut text = format!("{} from seed {}\n", game.id(), replay.seed);
    for (seat, label) in replay.seats.iter().enumerate() {
        _ = writeln!(text, "seat {seat}: {label}");
    }
    for step in moves.iter().filter(|s| s.step > 0 || !s.chance.is_empty()) {
        let acts: Vec<String> = step.acts.iter().map(act).collect();
        let chance =
            if step.chance.is_empty() { String::new() } else { format!("  chance {:?}", step.chance) };
        _ = writeln!(text, "{:>5}  {}{chance}", step.step, acts.join("; "));
    }
    match of {
        Some(m) => _ = writeln!(text, "{}", head(&m)),
        None => _ = writeln!(text, "places {:?}", replay.ranks),
    }
    output::result(&text)?;
    Ok(Ending::Done)
}

fn act(a: &ActDoc) -> String {
    let name = a.name.clone().unwrap_or_else(|| format!("{:?}", a.action));
    format!("seat {} {name}", a.seat)
}

fn moves(game: &Game, replay: &Replay) -> Result<Vec<StepDoc>, GymError> {
    let mut steps = Vec::new();
    replay.play(game, |moment| {
        let (row, seats) = (moment.acts.len() / moment.acted.len(), moment.acted.len());
        let is_discrete =
            matches!(moment.view().spec().action, Space::Discrete { .. } | Space::MultiDiscrete { .. });
        let mut acts = Vec::new();
        for seat in (0..seats).filter(|seat| moment.acted[*seat]) {
            let bytes = &moment.acts[seat * row..(seat + 1) * row];
            // Numbers of discrete parts; the bytes of anything else.
            let action: Vec<u32> = match is_discrete {
                true => bytes.chunks_exact(4).map(|c| u32::from_ne_bytes([c[0], c[1], c[2], c[3]])).collect(),
                false => bytes.iter().map(|b| u32::from(*b)).collect(),
            };
            let name = match action[..] {
                [only] if is_discrete => moment.env().as_text().and_then(|t| t.action_name(only)),
                _ => None,
            };
            acts.push(ActDoc { seat, action, name });
        }
        steps.push(StepDoc { step: moment.step, acts, chance: moment.chance.to_vec() });
        ControlFlow::Continue(())
    })?;
    Ok(steps)
}
