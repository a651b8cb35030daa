//! The outcome in plain words.

use super::{
    exam::{Exam, Verdict},
    text::{clean, count, grouped, pct, range_pct},
};

/// What the exams say about the best champion.
pub(crate) fn verdict(exams: &[Exam], best: Option<&str>, seats: usize) -> String {
    let Some(best) = best else {
        return "No generation has frozen a champion yet, so there is nothing to judge.".into();
    };
    if exams.is_empty() {
        return format!("{} leads the champions of this run; no exam has been played yet.", clean(best));
    }
    let mut players: Vec<&str> = exams.iter().map(|e| e.player.as_str()).collect();
    players.sort_unstable();
    players.dedup();
    let mut sentences: Vec<String> = players.iter().map(|p| sentence(p, exams, seats)).collect();
    if exams.iter().any(|e| e.player != best) {
        sentences
            .push(format!("The ladder now puts {} first; it has not taken every exam yet.", clean(best)));
    }
    sentences.join(" ")
}

fn sentence(player: &str, exams: &[Exam], seats: usize) -> String {
    let own: Vec<&Exam> = exams.iter().filter(|e| e.player == player).collect();
    let with = |verdict: Option<Verdict>| -> Option<String> {
        let names: Vec<String> = own.iter().filter(|e| e.verdict == verdict).map(|e| opponent(e)).collect();
        (!names.is_empty()).then(|| names.join(" and "))
    };
    let parts: Vec<String> = [
        (Some(Verdict::AbovePar), "is better than "),
        (Some(Verdict::BelowPar), "is worse than "),
        (Some(Verdict::Unclear), "shows no difference from "),
        (None, "has no valid game against "),
    ]
    .into_iter()
    .filter_map(|(verdict, words)| Some(format!("{words}{}", with(verdict)?)))
    .collect();
    let table = match seats {
        0..=2 => String::new(),
        n => format!("On one seat against {} copies of an opponent, ", n - 1),
    };
    let par = own.first().map_or(0.0, |e| e.par);
    format!(
        "{table}{} {}. An equal player's win share is {} %.",
        clean(player),
        parts.join(", and "),
        pct(par)
    )
}

/// Outright wins and draws as they were, then the share on which the verdict rests: draws split among the winners.
fn opponent(exam: &Exam) -> String {
    let name = clean(&exam.opponent);
    exam.win_rate.map_or_else(
        || name.clone(),
        |rate| {
            let i = &rate.interval;
            format!(
                "{name} ({} won and {} drawn of {}; win share {} %, 95 % interval {})",
                grouped(exam.wins),
                grouped(exam.draws),
                count(exam.wins + exam.draws + exam.losses, "game"),
                pct(i.estimate),
                range_pct(i)
            )
        },
    )
}
