//! What a running skill costs, in CPU time. The only clock of these commands.

use agon_skill::{Report, Seed};
use agon_skill_agent::{Arm, Episode, Kit, PlayConfig, Task, Watch, play_watched};
use agon_skill_runtime::{Decision, Machine, Prepared};
use cpu_time::ThreadTime;
use rl_gym::{Bits, Pcg64};
use serde::Serialize;
use std::{sync::Arc, time::Duration};

/// Episodes that are recorded.
const EPISODES: usize = 32;
/// Decisions that are recorded of one episode at most.
const DECISIONS: usize = 2000;
/// Each figure is measured for so long at least.
const LEAST: Duration = Duration::from_millis(30);

/// Microseconds of CPU time.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Overhead {
    /// A decision of a running skill, with its share of the beginning and end of the use.
    pub(super) running_us: Option<f64>,
    /// A look at all preconditions, at a decision that no skill makes.
    pub(super) looking_us: Option<f64>,
    /// Decisions of skills that were timed.
    pub(super) decisions: u64,
}

/// One episode as its learner saw it.
#[derive(Default)]
struct Tape(Vec<(Vec<u8>, Vec<u64>, usize)>);

impl Watch for Tape {
    fn decision(&mut self, obs: &[u8], mask: Bits<'_>, _: u32) {
        if self.0.len() < DECISIONS {
            self.0.push((obs.to_vec(), mask.words().to_vec(), mask.len()));
        }
    }
    fn reward(&mut self, _: f32) {}
    fn end(&mut self, _: Option<&[u8]>, _: &Episode) {}
}

/// A use: where it begins, and how many decisions are asked of the machine.
struct Use {
    skill: usize,
    tape: usize,
    from: usize,
    asked: usize,
}

/// Measures the skills of `kit` over episodes that `arm` plays.
pub(super) fn measure(
    task: &Task,
    arm: &Arm,
    kit: &Kit,
    seeds: &[Seed<Report>],
    play: &PlayConfig,
) -> Result<Overhead, crate::cli::CliError> {
    let seeds = &seeds[..seeds.len().min(EPISODES)];
    let tapes: Vec<Tape> = play_watched(task, arm, seeds, play, |_| Tape::default())?
        .into_iter()
        .map(|(_, tape)| tape)
        .collect();
    let uses: Vec<Use> = (0..kit.len()).flat_map(|skill| uses(skill, &kit.skills()[skill], &tapes)).collect();
    let (acted, running) = time_uses(kit, &tapes, &uses);
    let rows: usize = tapes.iter().map(|tape| tape.0.len()).sum();
    Ok(Overhead {
        running_us: (acted > 0).then_some(running),
        looking_us: (rows > 0 && !kit.is_empty()).then(|| time_looking(kit, &tapes, rows)),
        decisions: acted,
    })
}

fn applies(prepared: &Arc<Prepared>, args: &[f32], obs: &[u8]) -> bool {
    let now = |fact| prepared.words().fact(obs, fact);
    prepared.applies(now, args) && !prepared.is_pointless(now, args)
}

/// Where a skill would be used on the tapes, one use behind the other.
fn uses(skill: usize, prepared: &Arc<Prepared>, tapes: &[Tape]) -> Vec<Use> {
    let args = prepared.defaults();
    let mut machine = Machine::new(prepared.clone());
    let mut found = Vec::new();
    for (tape, rows) in tapes.iter().enumerate() {
        let mut at = 0;
        while at < rows.0.len() {
            if !applies(prepared, &args, &rows.0[at].0) || machine.begin(&args, Pcg64::seed(0)).is_err() {
                at += 1;
                continue;
            }
            let from = at;
            let mut asked = 0;
            while let Some((obs, mask, bits)) = rows.0.get(at) {
                asked += 1;
                if !matches!(machine.decide(obs, Bits::new(mask, *bits)), Decision::Act(_)) {
                    break;
                }
                at += 1;
            }
            machine.end();
            found.push(Use { skill, tape, from, asked });
            at = at.max(from + 1);
        }
    }
    found
}

/// Decisions made and microseconds each.
fn time_uses(kit: &Kit, tapes: &[Tape], uses: &[Use]) -> (u64, f64) {
    if uses.is_empty() {
        return (0, 0.0);
    }
    let args: Vec<Vec<f32>> = kit.skills().iter().map(|s| s.defaults()).collect();
    let mut machines: Vec<Machine> = kit.skills().iter().map(|s| Machine::new(s.clone())).collect();
    let (mut acted, mut once) = (0_u64, 0);
    let begun = ThreadTime::now();
    loop {
        for u in uses {
            let machine = &mut machines[u.skill];
            if machine.begin(&args[u.skill], Pcg64::seed(0)).is_err() {
                continue;
            }
            for (obs, mask, bits) in tapes[u.tape].0[u.from..].iter().take(u.asked) {
                let decision = machine.decide(obs, Bits::new(mask, *bits));
                acted += u64::from(matches!(decision, Decision::Act(_)));
            }
            machine.end();
        }
        if once == 0 {
            once = acted;
        }
        let spent = begun.elapsed();
        if spent >= LEAST || acted == 0 {
            return (once, 1e6 * spent.as_secs_f64() / acted.max(1) as f64);
        }
    }
}

/// Microseconds of a look at every precondition.
fn time_looking(kit: &Kit, tapes: &[Tape], rows: usize) -> f64 {
    let args: Vec<Vec<f32>> = kit.skills().iter().map(|s| s.defaults()).collect();
    let (mut looked, mut open) = (0_usize, 0_usize);
    let begun = ThreadTime::now();
    loop {
        for (obs, _, _) in tapes.iter().flat_map(|tape| &tape.0) {
            open += kit.skills().iter().zip(&args).filter(|(s, args)| applies(s, args, obs)).count();
        }
        looked += rows;
        let spent = begun.elapsed();
        if spent >= LEAST {
            std::hint::black_box(open);
            return 1e6 * spent.as_secs_f64() / looked as f64;
        }
    }
}
