//! What a state is worth to each seat, for search.

use super::{TextAdventure, config::Mode, state::Over};
use crate::world::MAX_SEATS;
use rl_gym::Heuristic;

impl Heuristic for TextAdventure {
    /// Rivals: at the end the win, shared by those who are ahead; before, an even share moved by the lead in banked
    /// value. Quests: the share of the points.
    fn values(&self, values: &mut [f32]) {
        let state = self.state();
        if self.config.mode != Mode::Rival {
            let most = f32::from(state.story().max_score.max(1));
            let points: i32 = (0..state.num_seats()).map(|s| i32::from(state.world.score(s))).sum();
            values.fill(if state.over == Over::Won { 1.0 } else { (points as f32 / most).clamp(0.0, 1.0) });
            return;
        }
        let seats = values.len();
        if state.over == Over::No {
            let lead: [f32; MAX_SEATS] = state.game.stakes.lead(&state.world, seats);
            for (value, lead) in values.iter_mut().zip(lead) {
                *value = (1.0 + lead) / seats as f32;
            }
            return;
        }
        let mut places = [0; MAX_SEATS];
        state.game.stakes.places(&state.world, &mut places[..seats]);
        let winners = places[..seats].iter().filter(|p| **p == 0).count() as f32;
        for (value, place) in values.iter_mut().zip(places) {
            *value = if place == 0 { 1.0 / winners } else { 0.0 };
        }
    }

    fn stage(&self) -> u32 {
        self.state().world.turn().into()
    }
}
