//! Progress on standard error: a bar on a terminal, a line now and then elsewhere.

use crate::cli::{args::Loudness, output};
use agon_league::{Budget, MatchKind, Outcome, Progress, Standing, Summary};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::IsTerminal,
    time::{Duration, Instant},
};

/// Lines are at least so far apart where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows how far a run is.
pub(crate) struct Shown {
    bar: ProgressBar,
    loudness: Loudness,
    lines: bool,
    budget: Option<Budget>,
    begun: Instant,
    last_line: Instant,
    /// Games of this session.
    games: u64,
    /// Games of the present stretch: played, all.
    stretch: (usize, usize),
    generation: u32,
    champion: Option<Standing>,
}

impl Shown {
    /// Progress of a training run that has `generations` and `games` behind it.
    pub(crate) fn training(loudness: Loudness, budget: Budget, generations: u32, games: u64) -> Self {
        let length = match budget {
            Budget::Generations(n) => u64::from(n),
            Budget::Seconds(s) => s.ceil() as u64,
            Budget::Games(n) => n,
        };
        let mut shown = Self::new(loudness, length, Some(budget));
        shown.generation = generations;
        shown.bar.set_position(match budget {
            Budget::Generations(_) => u64::from(generations),
            Budget::Games(_) => games,
            Budget::Seconds(_) => 0,
        });
        shown.bar.reset_eta();
        shown
    }

    /// Progress of a plain list of games.
    pub(crate) fn games(loudness: Loudness) -> Self {
        Self::new(loudness, 0, None)
    }

    fn new(loudness: Loudness, length: u64, budget: Option<Budget>) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::new(length);
        if loudness == Loudness::Quiet || !terminal {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = "{spinner} {wide_bar:.cyan/dim} {pos}/{len}{prefix} {msg} [{elapsed}<{eta}]";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_prefix(match budget {
            Some(Budget::Generations(_)) => " gen",
            Some(Budget::Seconds(_)) => " s",
            Some(Budget::Games(_)) | None => " games",
        });
        let now = Instant::now();
        Self {
            bar,
            loudness,
            lines: loudness != Loudness::Quiet && !terminal,
            budget,
            begun: now,
            last_line: now,
            games: 0,
            stretch: (0, 0),
            generation: 0,
            champion: None,
        }
    }

    fn rate(&self) -> f64 {
        self.games as f64 / self.begun.elapsed().as_secs_f64().max(1e-3)
    }

    fn message(&self) -> String {
        let elo = self.champion.as_ref().map_or_else(String::new, |s| {
            format!(" {} {:.0} ({} {:.0})", s.champion, s.elo.estimate, s.anchor, s.anchor_elo)
        });
        format!("{:.0} games/s{elo}", self.rate())
    }

    fn line(&mut self, text: &str) {
        self.last_line = Instant::now();
        output::note(text);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Shown {
    fn begin(&mut self, generation: u32, what: MatchKind, games: usize) {
        self.stretch = (0, games);
        self.generation = generation;
        if self.budget.is_none() {
            self.bar.set_length(games as u64);
        }
        if what == MatchKind::Exam {
            self.bar.set_length(games as u64);
            self.bar.set_position(0);
            self.bar.reset_eta();
            self.bar.set_prefix(" exam games");
            self.budget = None;
            if self.lines && games > 0 {
                self.line(&format!("exam: {games} games of the best champion against the anchors"));
            }
        }
    }

    fn game(&mut self, outcome: &Outcome) {
        self.games += 1;
        self.stretch.0 += 1;
        if let Some(note) = &outcome.note
            && self.loudness == Loudness::Verbose
        {
            self.bar.suspend(|| output::note(&format!("match {}: {note}", outcome.game.id)));
        }
        match self.budget {
            None => self.bar.inc(1),
            Some(Budget::Games(_)) => self.bar.inc(1),
            Some(Budget::Seconds(_)) => self.bar.set_position(self.begun.elapsed().as_secs()),
            Some(Budget::Generations(_)) => {}
        }
        if self.games.is_multiple_of(32) {
            self.bar.set_message(self.message());
            self.bar.tick();
        }
        if self.lines && self.last_line.elapsed() >= LINE_EVERY {
            let (played, all) = self.stretch;
            self.line(&format!("{played} of {all} games of this stretch, {}", self.message()));
        }
    }

    fn generation(&mut self, s: &Summary) {
        if matches!(self.budget, Some(Budget::Generations(_))) {
            self.bar.set_position(u64::from(s.generation) + 1);
        }
        self.bar.set_message(self.message());
        let text = format!(
            "generation {:>3}: {} games, candidates win {:.1} % (best {:.1} %), step {:.3}",
            s.generation,
            s.games,
            100.0 * s.mean_wins,
            100.0 * s.best_wins,
            s.sigma
        );
        if self.loudness == Loudness::Verbose {
            self.bar.suspend(|| output::note(&text));
        } else if self.lines && self.last_line.elapsed() >= LINE_EVERY {
            self.line(&text);
        }
    }

    fn champion(&mut self, standing: &Standing) {
        let Standing { champion, elo, anchor, anchor_elo } = standing;
        let text = format!(
            "{champion}: Elo {:.0} (95 % interval {:.0} to {:.0}), {anchor} {anchor_elo:.0}",
            elo.estimate, elo.low, elo.high
        );
        self.champion = Some(standing.clone());
        self.bar.set_message(self.message());
        if self.lines {
            self.line(&text);
        } else if self.loudness == Loudness::Verbose {
            self.bar.suspend(|| output::note(&text));
        }
    }
}
