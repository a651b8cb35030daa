//! Everything about the game that a registry holds.

use super::{
    NAME, TextAdventure, VERSION,
    config::{Config, Interface, Mode, Reward, config, options},
    reward::METRICS,
};
use crate::{SkillWords, action::Verb, bots, observe};
use rl_gym::{Dtype, Dynamics, Game, Information, Luck, Placing, Space, Spec, Utility};
use std::sync::Arc;

/// Bytes of a line of text, as an action row.
pub(crate) const LINE: usize = 256;

/// The game as the registry holds it.
pub fn game() -> Game {
    Game {
        name: NAME,
        version: VERSION,
        summary: "explore, solve and trade by commands: generated quests alone or together, treasures against rivals",
        options: options(),
        make: |options| Ok(Box::new(TextAdventure::new(&config(options)?)?)),
        bots: bots::bots(),
        genome: Some(bots::genome()),
        traces: None,
        vocabulary: Some(|spec| Arc::new(SkillWords::of(spec))),
    }
}

/// What an environment of these options is. `is_varied`: whether episodes may be different games.
pub(super) fn spec(config: &Config, is_varied: bool) -> Spec {
    let seats = usize::from(config.seats);
    let action = match config.actions {
        Interface::Id => Space::Discrete { n: observe::ACTIONS as u32 },
        Interface::Triple => {
            let object = observe::OBJECTS as u32;
            Space::MultiDiscrete { n: vec![Verb::COUNT as u32, object, object] }
        }
        Interface::Text => Space::boxed(Dtype::U8, &[LINE], 0.0, 255.0),
    };
    let is_rival = config.mode == Mode::Rival;
    let shaped = if config.reward == Reward::Shaped { 1.0 } else { 0.0 };
    // A line of text is at most four turns.
    let costs = config.invalid_penalty + 4.0 * config.step_penalty;
    let reward = if is_rival {
        // The lead is within -1..=1, and so is the result.
        (-1.0 - 2.0 * shaped, 1.0 + 2.0 * shaped)
    } else {
        (-1.0 - shaped - costs - f32::from(config.loss_penalty), 1.0 + shaped)
    };
    Spec {
        game: NAME.into(),
        version: VERSION,
        seats,
        obs: observe::space(),
        action,
        masked: config.actions != Interface::Text,
        dynamics: if seats == 1 { Dynamics::SingleAgent } else { Dynamics::TurnBased },
        // With one and the same quest in every episode nothing is left to be found out in the next one.
        information: if is_varied || seats > 1 { Information::Imperfect } else { Information::Perfect },
        luck: if is_varied || seats > 1 { Luck::Sampled } else { Luck::Deterministic },
        utility: match config.mode {
            Mode::Rival => Utility::ZeroSum,
            Mode::Coop => Utility::Cooperative,
            Mode::Solo => Utility::GeneralSum,
        },
        placing: if is_rival { Placing::Full } else { Placing::None },
        reward,
        metrics: METRICS.iter().map(|(name, _)| (*name).into()).collect(),
        max_steps: None,
    }
}
