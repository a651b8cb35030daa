//! Where findings are written down.

use super::{CheckConfig, Finding, RULES, Report, Severity, stage::Trouble};
use crate::{game::Game, seed::EpisodeSeed};

/// Findings so far, and the place at which the check is now.
pub(super) struct Book {
    pub(super) config: CheckConfig,
    pub(super) seed: Option<EpisodeSeed>,
    pub(super) step: u32,
    pub(super) episodes: u64,
    pub(super) steps: u64,
    findings: Vec<Finding>,
    suppressed: u64,
}

impl Book {
    pub(super) const fn new(config: CheckConfig) -> Self {
        Self { config, seed: None, step: 0, episodes: 0, steps: 0, findings: Vec::new(), suppressed: 0 }
    }

    /// What follows belongs to this episode.
    pub(super) const fn enter(&mut self, seed: EpisodeSeed) {
        (self.seed, self.step) = (Some(seed), 0);
    }

    /// What follows belongs to no episode.
    pub(super) const fn elsewhere(&mut self) {
        (self.seed, self.step) = (None, 0);
    }

    pub(super) fn find(&mut self, rule: &'static str, seat: Option<usize>, detail: impl Into<String>) {
        self.add(Severity::Error, rule, seat, detail.into());
    }

    pub(super) fn warn(&mut self, rule: &'static str, seat: Option<usize>, detail: impl Into<String>) {
        self.add(Severity::Warning, rule, seat, detail.into());
    }

    fn add(&mut self, severity: Severity, rule: &'static str, seat: Option<usize>, detail: String) {
        debug_assert!(RULES.iter().any(|(name, _)| *name == rule), "{rule} is not in the table of rules");
        if self.findings.iter().filter(|f| f.rule == rule).count() >= self.config.per_rule {
            self.suppressed += 1;
            return;
        }
        self.findings.push(Finding { rule, severity, seed: self.seed, step: self.step, seat, detail });
    }

    /// Writes a failed call down under its own rule.
    pub(super) fn trouble(&mut self, doing: &str, trouble: Trouble) {
        match trouble {
            Trouble::Panic(text) => self.find("panic", None, format!("{doing} panicked: {text}")),
            Trouble::Fault(text) => self.find("fault", None, format!("{doing} failed: {text}")),
        }
    }

    pub(super) fn report(self, game: &Game) -> Report {
        Report {
            game: game.id(),
            rules: RULES,
            findings: self.findings,
            suppressed: self.suppressed,
            episodes: self.episodes,
            steps: self.steps,
        }
    }
}
