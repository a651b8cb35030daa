//! `agon skills play`: a bank is filled by play before any task is given.

use super::{
    args::PlayAroundArgs,
    place,
    progress::Shown,
    setup::{Setup, is_stopped, play_config, say_stopped},
    table::{Table, count, gain, percent},
};
use crate::cli::{CliError, Ending, args::Loudness, output};
use agon_skill::Skill;
use agon_skill_practice::{
    Comparison, ExploreConfig, Explored, Goal, LearnConfig, PlayReport, explore, play_report, propose,
};
use rl_gym::Registry;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Serialize)]
struct Doc {
    bank: PathBuf,
    game: String,
    base: String,
    /// Train episodes of play.
    episodes: u64,
    goals: Vec<Goal>,
    proposed: usize,
    known: usize,
    /// Against no play, and against undirected play, where that was asked for.
    report: Option<PlayReport>,
}

pub(super) fn run(games: &Registry, args: &PlayAroundArgs, loudness: Loudness) -> Result<Ending, CliError> {
    let game = place::find_game(games, &args.game)?;
    let folder = args.bank.as_ref().map_or_else(|| place::usual(game, "-play"), |bank| place::folder(bank));
    let resolved = Setup::new(game).with(&args.task, Some(&args.base)).resolve(game)?;
    let play = play_config(args.work.workers);
    let config = ExploreConfig {
        passes: args.passes,
        episodes: args.episodes,
        goals: args.goals,
        root: args.work.seed,
        ..ExploreConfig::default()
    };
    let shown = Shown::new(loudness, "play", 0, &play);
    let found = explore(&resolved.task, &resolved.make, &config, &play)?;
    shown.say(&format!("{} of {} goals gave skills", with_skills(&found), found.goals.len()));
    let report = match args.report {
        0 => None,
        _ if is_stopped(&play.stop) => None,
        report => {
            let control = ExploreConfig { is_directed: false, ..config };
            let control = explore(&resolved.task, &resolved.make, &control, &play)?;
            let [own, other] = [&found, &control].map(skills);
            let learning = LearnConfig { root: args.work.seed, ..LearnConfig::default() };
            Some(play_report(&resolved.task, &resolved.make, [&own, &other], learning, report, &play)?)
        }
    };
    drop(shown);
    let mut bank = place::open_or_create(&folder, game, &game.defaults())?;
    if !folder.join("task.json").exists() {
        resolved.setup.write(&folder)?;
    }
    let lesson = propose(&mut bank, &found.skills)?;
    let interrupted = is_stopped(&play.stop);
    let doc = Doc {
        bank: folder,
        game: game.id(),
        base: resolved.base.clone(),
        episodes: found.episodes,
        goals: found.goals,
        proposed: lesson.proposed.len(),
        known: lesson.known,
        report: report.filter(|_| !interrupted),
    };
    if args.json {
        output::json(&doc)?;
    } else {
        output::result(&text(&doc))?;
    }
    if interrupted {
        say_stopped("what was found till then is in the bank");
        return Ok(Ending::Interrupted);
    }
    Ok(Ending::Done)
}

fn skills(found: &Explored) -> Vec<Skill> {
    found.skills.iter().map(|c| c.skill.clone()).collect()
}

fn with_skills(found: &Explored) -> usize {
    found.goals.iter().filter(|goal| !goal.kept.is_empty()).count()
}

fn text(doc: &Doc) -> String {
    let mut table = Table::new(&["goal", ">pass", ">by itself", ">mined", ">kept"]);
    for goal in &doc.goals {
        let verified: Vec<String> =
            goal.verified.iter().map(|(name, done, uses)| format!("{name} {done} of {uses}")).collect();
        let beneath = match (verified.is_empty(), goal.kept.is_empty()) {
            (true, true) => String::new(),
            (_, true) => format!("verified: {}; none kept", verified.join(", ")),
            _ => format!("verified: {}; kept: {}", verified.join(", "), goal.kept.join(", ")),
        };
        let cells = [
            goal.fact.clone(),
            (goal.pass + 1).to_string(),
            percent(goal.rate),
            goal.mined.to_string(),
            goal.kept.len().to_string(),
        ];
        table.row(cells, &beneath);
    }
    let mut out = format!(
        "{} played by {}: {} without regard to the score\n",
        doc.game,
        doc.base,
        count(doc.episodes as usize, "train episode")
    );
    out += &table.text();
    out += &format!(
        "{} new in {} as drafts, {} known\n",
        count(doc.proposed, "skill"),
        doc.bank.display(),
        doc.known
    );
    if let Some(report) = &doc.report {
        let line = |what: &str, c: &Comparison| {
            format!(
                "{what:<26}{:.3} to {:.3}, gain {} over {} report seeds\n",
                c.score[0],
                c.score[1],
                gain(c.gain.mean, c.gain.low, c.gain.high),
                c.pairs
            )
        };
        out += &line("no play to play", &report.none);
        out += &line("undirected play to play", &report.random);
    }
    out
}
