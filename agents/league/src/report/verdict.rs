//! The outcome in plain words.

use super::{
    exam::{Exam, Verdict},
    text::{clean, range_pct},
};

/// What the exams say about the best champion.
pub(crate) fn verdict(exams: &[Exam], best: Option<&str>, seats: usize) -> String {
    let Some(best) = best else {
        return "No generation has frozen a champion yet, so there is nothing to judge.".into();
    };
    if exams.is_empty() {
        return format!("{} leads the champions of this run; no exam has been played yet.", clean(best));
    }
    let mut sentences: Vec<String> = exams.iter().map(|e| sentence(e, seats)).collect();
    if exams.iter().any(|e| e.player != best) {
        sentences
            .push(format!("The ladder now puts {} first; it has not taken every exam yet.", clean(best)));
    }
    sentences.join(" ")
}

fn sentence(exam: &Exam, seats: usize) -> String {
    let against = match seats {
        0..=2 => clean(&exam.opponent),
        n => format!("{} copies of {}", n - 1, clean(&exam.opponent)),
    };
    let (Some(rate), Some(verdict)) = (exam.win_rate, exam.verdict) else {
        return format!("The exam of {} against {against} has no valid game.", clean(&exam.player));
    };
    let judged = match verdict {
        Verdict::AbovePar => "it is better",
        Verdict::Unclear => "no difference is shown",
        Verdict::BelowPar => "it is worse",
    };
    format!(
        "Against {against}, {} won {:.1} % of {:.0} games (95 % interval {}) where an equal player would win {:.1} %: \
         {judged}.",
        clean(&exam.player),
        100.0 * rate.interval.estimate,
        rate.of,
        range_pct(&rate.interval),
        100.0 * exam.par,
    )
}
