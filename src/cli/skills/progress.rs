//! Progress of episodes on standard error: a bar on a terminal, a line now and then elsewhere.

use crate::cli::{args::Loudness, output};
use agon_skill_agent::PlayConfig;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::IsTerminal,
    sync::{
        atomic::Ordering,
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// Lines are at least so far apart where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// How often the bar looks at what was played.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Shows how many episodes have ended, until it is dropped.
pub(super) struct Shown {
    bar: ProgressBar,
    end: Option<Sender<()>>,
    looker: Option<JoinHandle<()>>,
    loudness: Loudness,
    lines: bool,
}

impl Shown {
    /// Looks at `play`, of which `total` episodes are wanted (0: nobody knows).
    pub(super) fn new(loudness: Loudness, what: &str, total: u64, play: &PlayConfig) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if total == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(total) };
        if loudness == Loudness::Quiet || !terminal {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = match total {
            0 => "{spinner} {prefix} {pos} games {msg} [{elapsed}]",
            _ => "{spinner} {wide_bar:.cyan/dim} {pos}/{len} games {prefix} {msg} [{elapsed}<{eta}]",
        };
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_prefix(what.to_owned());
        let lines = loudness != Loudness::Quiet && !terminal;
        let (end, ended) = channel();
        let (shown, count, what) = (bar.clone(), play.ended.clone(), what.to_owned());
        let begun = count.load(Ordering::Relaxed);
        let looker = std::thread::spawn(move || {
            let start = Instant::now();
            let mut last_line = start;
            while ended.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
                let played = (count.load(Ordering::Relaxed) - begun) as u64;
                let rate = played as f64 / start.elapsed().as_secs_f64().max(1e-3);
                shown.set_position(played);
                shown.set_message(format!("{rate:.0} games/s"));
                shown.tick();
                if lines && last_line.elapsed() >= LINE_EVERY {
                    last_line = Instant::now();
                    let of = if total == 0 { String::new() } else { format!(" of {total}") };
                    output::note(&format!("{what}: {played}{of} games, {rate:.0} games/s"));
                }
            }
        });
        Self { bar, end: Some(end), looker: Some(looker), loudness, lines }
    }

    /// Says something on the way.
    pub(super) fn say(&self, text: &str) {
        if self.lines {
            output::note(text);
        } else if self.loudness != Loudness::Quiet {
            self.bar.suspend(|| output::note(text));
        }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        // The looker ends when nobody can tell it anything any more.
        self.end = None;
        if let Some(looker) = self.looker.take() {
            _ = looker.join();
        }
        self.bar.finish_and_clear();
    }
}
