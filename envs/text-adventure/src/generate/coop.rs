//! Games for two to four seats that win together: every partner begins behind a locked gate with the key to it, so that
//! nobody gets anywhere alone.

use super::{
    GenerateError, MAX_ATTEMPTS, certify,
    knobs::{Knobs, Quest, ThemeName},
    plot as draw,
    plot::Failure,
    words,
};
use crate::{
    action::Action,
    condition::{Cond, Pred, Term},
    entity::Bit,
    planner::{Budget, Goal, Planner, act},
    story::Story,
    world::MAX_SEATS,
};
use rl_gym::SeedSequence;
use std::sync::Arc;

/// A certified game for several seats with one score.
#[derive(Clone, PartialEq, Debug)]
pub struct Coop {
    /// The game. Its points are of all seats together.
    pub story: Arc<Story>,
    /// A way to win it with every point: seats and what they do, in order.
    pub script: Vec<(usize, Action)>,
    /// What it was made from.
    pub knobs: Knobs,
    /// The seed that it was made from.
    pub seed: u64,
    /// Where it takes place.
    pub theme: ThemeName,
    /// What it asks for.
    pub quests: Vec<Quest>,
}

/// Makes the game of these knobs and this seed for `seats` seats. `plan_length` counts the actions of all seats;
/// `choice_bits` is not looked at.
///
/// # Errors
/// As [`super::generate`]; `seats` must be 2 to 4 and `gates` one less at least.
pub fn coop(knobs: &Knobs, seats: u8, seed: u64) -> Result<Coop, GenerateError> {
    knobs.check()?;
    if !(2..=MAX_SEATS as u8).contains(&seats) {
        let range = format!("2 to {MAX_SEATS}");
        return Err(GenerateError::Knob { knob: "seats", value: seats.to_string(), range });
    }
    if knobs.gates + 1 < seats {
        let range = format!("{} at least, one for each partner to wait behind", seats - 1);
        return Err(GenerateError::Knob { knob: "gates", value: knobs.gates.to_string(), range });
    }
    let mut planner = Planner::default();
    let mut failures = Vec::new();
    let mut reach = 50u32;
    for attempt in 0..MAX_ATTEMPTS {
        let mut rng = SeedSequence::new(seed).child(0xC009).child(attempt).rng();
        let draft = draw(knobs, &mut rng, reach, seats - 1)?;
        match draft.and_then(|draft| certified(&mut planner, knobs, seed, draft)) {
            Ok(game) => return Ok(game),
            Err(failure) => {
                match failure.knob {
                    "plan_length.least" => reach = (reach + 15).min(100),
                    "plan_length.greatest" => reach = reach.saturating_sub(15),
                    _ => {}
                }
                failures.push(failure);
            }
        }
    }
    Err(super::given_up(seed, failures))
}

/// Plans seat by seat: every partner opens its gate, then the first seat wins.
fn certified(planner: &mut Planner, knobs: &Knobs, seed: u64, draft: super::Draft) -> Result<Coop, Failure> {
    let super::Draft { theme, quests, mut story, lines, opened } = draft;
    let budget = Budget { nodes: 4000, ..Budget::default() };
    let goals = opened
        .iter()
        .map(|&(seat, door)| (seat, Goal::All(vec![Cond::yes(Pred::Has(Term::Ent(door), Bit::Open))])));
    let goals: Vec<(usize, Goal)> = goals.chain([(0, Goal::Win)]).collect();
    if planner.plan(&story, &story.start, 0, &Goal::Win, &budget).is_ok() {
        return Err(Failure::new("gates", "the first seat can win alone"));
    }
    let mut script = Vec::new();
    let mut world = story.start;
    for (seat, goal) in &goals {
        let plan = planner
            .plan(&story, &world, *seat, goal, &budget)
            .map_err(|e| Failure::new("gates", format!("seat {seat} has no plan: {e}")))?;
        for action in plan.actions {
            act(&story, &mut world, story.seats[*seat], action).map_err(|why| {
                Failure::new("gates", format!("{action:?} of the plan is refused: {why:?}"))
            })?;
            script.push((*seat, action));
        }
    }
    certify::window("plan_length", script.len() as u16, knobs.plan_length)?;
    story.cap = (script.len() as u16 * u16::from(knobs.cap_factor)).max(knobs.cap_floor);
    let mut rng = rl_gym::Pcg64::seed(seed);
    story.objective = words::fill(lines.pick(&mut rng, "team"), &[("goal", &story.objective)]);
    let story = Arc::new(story);
    certify::type_in(&story, &script)?;
    Ok(Coop { story, script, knobs: knobs.clone(), seed, theme, quests })
}
