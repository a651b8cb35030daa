//! The options: declared once, resolved once, refused with the mend.

use super::NAME;
use crate::{
    generate::{Fold, Hints, ThemeName},
    loader::STORIES,
    parser::{Ambiguity, Typos},
};
use rl_gym::{GymError, OptionDef, OptionKind, Options};

/// Who plays with or against whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Two to four seats bring treasures into their own vaults.
    Rival,
    /// One seat and a quest.
    Solo,
    /// Two to four seats and one quest; the score is the team's.
    Coop,
}

/// How a seat says what it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interface {
    /// An index into the list of actions that work now.
    Id,
    /// A verb and two objects, each with its own mask.
    Triple,
    /// A line of text.
    Text,
}

/// What rewards are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// Points, or the result of a game against rivals.
    Sparse,
    /// Besides, the difference of a potential.
    Shaped,
}

/// The typed options.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Who plays with or against whom.
    pub mode: Mode,
    /// Seats, 1 in [`Mode::Solo`], 2 to 4 elsewhere.
    pub seats: u8,
    /// Difficulty of generated games, 1 to 30.
    pub level: u8,
    /// A bundled story by name; `None` for generated games.
    pub story: Option<&'static str>,
    /// Whom to play in a story with several figures, by number.
    pub player: u8,
    /// Theme of generated games; `None` for the seed's choice.
    pub theme: Option<ThemeName>,
    /// Part of the generated games.
    pub fold: Fold,
    /// Different games that episodes choose from; 0 for a new one each.
    pub games: u32,
    /// Number of the first of them.
    pub first_game: u32,
    /// How a seat says what it does.
    pub actions: Interface,
    /// What rewards are made of.
    pub reward: Reward,
    /// Discount of the potential.
    pub gamma: f32,
    /// What an action that is not understood or does not work costs.
    pub invalid_penalty: f32,
    /// What a turn costs.
    pub step_penalty: f32,
    /// Whether losing pays -1.
    pub loss_penalty: bool,
    /// What happens with mistyped words.
    pub typo: Typos,
    /// What happens with commands of several meanings.
    pub ambiguity: Ambiguity,
    /// Whether small steps are taken without being asked for (opening before going).
    pub implicit: bool,
    /// How much the objective tells; `None` as the level has it.
    pub hints: Option<Hints>,
    /// Whether seats can talk freely (text only).
    pub chat: bool,
    /// Whether steps in the next room are heard.
    pub hearing: bool,
    /// Whether a seat may take from another seat's hands.
    pub theft: bool,
    /// Whether rival worlds are exactly symmetric.
    pub is_strict: bool,
    /// Turn cap as a multiple of the certified plan.
    pub cap_factor: u8,
    /// Whether observations tell the planner's next command.
    pub advice: bool,
}

/// `first`, then names.
fn choices(first: &'static str, names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    std::iter::once(first).chain(names).collect()
}

/// The declared options; [`config`] turns their values into a [`Config`].
pub fn options() -> Vec<OptionDef> {
    let (flag, int, float, choice) = (OptionDef::flag, OptionDef::int, OptionDef::float, OptionDef::choice);
    vec![
        choice(
            "mode",
            &["rival", "solo", "coop"],
            "treasures against rivals, a quest alone, a quest together",
        ),
        int("seats", 0, 0, 4, "players; 0 as the mode needs (1 alone, else 2)"),
        int("level", 5, 1, 30, "difficulty of generated quests, size of worlds for rivals"),
        choice(
            "story",
            &choices("generated", STORIES.iter().map(|s| s.name)),
            "generated games, or a story by name",
        ),
        int("player", 0, 0, 15, "whom to play in a story with several figures, by number"),
        choice(
            "theme",
            &choices("any", ThemeName::ALL.iter().map(|t| t.name())),
            "where generated games take place",
        ),
        choice(
            "fold",
            &["train", "dev", "test"],
            "which part of all generated games; the parts share no names",
        ),
        int("games", 100, 0, 1_000_000, "different games that episodes choose from; 0 for a new one each"),
        int("first_game", 0, 0, 1_000_000, "number of the first of them"),
        choice(
            "actions",
            &["id", "triple", "text"],
            "index of a listed action, verb and two objects, or a line",
        ),
        choice(
            "reward",
            &["sparse", "shaped"],
            "points or result alone, or with the difference of a potential",
        ),
        float("gamma", 1.0, 0.0, 1.0, "discount of the potential"),
        float("invalid_penalty", 0.0, 0.0, 0.01, "cost of a command that is not understood or does not work"),
        float("step_penalty", 0.0, 0.0, 0.01, "cost of a turn"),
        flag("loss_penalty", false, "a lost quest costs 1"),
        choice("typo", &["suggest", "correct", "off"], "what happens to an unknown word (text)"),
        choice(
            "ambiguity",
            &["ask", "first", "error"],
            "what happens to a command with several meanings (text)",
        ),
        flag("implicit", true, "small steps are taken by themselves, such as opening before going (text)"),
        choice(
            "hints",
            &choices("level", Hints::ALL.iter().map(|h| h.name())),
            "how much the objective of a generated quest tells",
        ),
        flag("chat", false, "seats can talk freely in the same room (text)"),
        flag("hearing", true, "steps in the next room are heard"),
        flag("theft", false, "a seat may take from another seat's hands, once in five rounds (rival)"),
        choice(
            "fair",
            &["strict", "loose"],
            "worlds for rivals: all distances equal, or one wing a room longer",
        ),
        int("cap_factor", 4, 1, 50, "turns of a generated game as a multiple of its certified plan"),
        flag("advice", false, "observations tell the planner's next command: full information, for training"),
    ]
}

fn refuse(option: &str, value: impl ToString, expected: &str) -> GymError {
    GymError::OptionValue {
        game: NAME.into(),
        option: option.into(),
        value: value.to_string(),
        expected: expected.into(),
    }
}

/// The typed options of checked values.
///
/// # Errors
/// [`GymError::OptionValue`] for values that do not go together, with what would.
pub fn config(options: &Options) -> Result<Config, GymError> {
    let mode = match options.text("mode") {
        "solo" => Mode::Solo,
        "coop" => Mode::Coop,
        _ => Mode::Rival,
    };
    let seats = match (options.int("seats") as u8, mode) {
        (0 | 1, Mode::Solo) => 1,
        (0, _) => 2,
        (1, _) => return Err(refuse("seats", 1, "2 to 4, or mode=solo for one seat")),
        (n, Mode::Solo) => return Err(refuse("seats", n, "1 with mode=solo; mode=coop or rival for more")),
        (n, _) => n,
    };
    let actions = match options.text("actions") {
        "triple" => Interface::Triple,
        "text" => Interface::Text,
        _ => Interface::Id,
    };
    let number = |name: &str| options.float(name) as f32;
    let config = Config {
        mode,
        seats,
        level: options.int("level") as u8,
        story: STORIES.iter().map(|s| s.name).find(|n| *n == options.text("story")),
        player: options.int("player") as u8,
        theme: ThemeName::named(options.text("theme")),
        fold: Fold::named(options.text("fold")).unwrap_or(Fold::Train),
        games: options.int("games") as u32,
        first_game: options.int("first_game") as u32,
        actions,
        reward: if options.text("reward") == "shaped" { Reward::Shaped } else { Reward::Sparse },
        gamma: number("gamma"),
        invalid_penalty: number("invalid_penalty"),
        step_penalty: number("step_penalty"),
        loss_penalty: options.flag("loss_penalty"),
        typo: match options.text("typo") {
            "correct" => Typos::Correct,
            "off" => Typos::Off,
            _ => Typos::Suggest,
        },
        ambiguity: match options.text("ambiguity") {
            "first" => Ambiguity::First,
            "error" => Ambiguity::Error,
            _ => Ambiguity::Ask,
        },
        implicit: options.flag("implicit"),
        hints: Hints::named(options.text("hints")),
        chat: options.flag("chat"),
        hearing: options.flag("hearing"),
        theft: options.flag("theft"),
        is_strict: options.text("fair") == "strict",
        cap_factor: options.int("cap_factor") as u8,
        advice: options.flag("advice"),
    };
    config.check()?;
    Ok(config)
}

impl Config {
    fn check(&self) -> Result<(), GymError> {
        if self.chat && self.actions != Interface::Text {
            return Err(refuse("chat", true, "off, or actions=text: other interfaces have no words"));
        }
        if self.chat && self.mode == Mode::Solo {
            return Err(refuse("chat", true, "off with mode=solo: nobody is there to talk to"));
        }
        if let (Some(story), true) = (self.story, self.mode != Mode::Solo) {
            return Err(refuse("story", story, "generated, or mode=solo: bundled stories have one seat"));
        }
        if self.theft && self.mode != Mode::Rival {
            return Err(refuse("theft", true, "off, or mode=rival: others have nothing to steal"));
        }
        if self.mode == Mode::Rival {
            let costs = [
                ("invalid_penalty", self.invalid_penalty > 0.0),
                ("step_penalty", self.step_penalty > 0.0),
                ("loss_penalty", self.loss_penalty),
            ];
            if let Some((name, _)) = costs.iter().find(|(_, given)| *given) {
                return Err(refuse(name, "given", "none with mode=rival: rewards of rivals sum to zero"));
            }
        }
        Ok(())
    }
}

impl Default for Config {
    /// The options as declared.
    fn default() -> Self {
        let defaults = Options::resolve(NAME, &options(), []).unwrap_or_default();
        config(&defaults).unwrap_or_else(|e| unreachable!("declared options go together: {e}"))
    }
}

/// The declared options as the table of the README.
pub fn options_markdown() -> String {
    let mut out = "| option | values | default | meaning |\n|---|---|---|---|\n".to_owned();
    for def in options() {
        let values = match &def.kind {
            OptionKind::Bool => "on, off".to_owned(),
            OptionKind::Int { min, max } => format!("{min} to {max}"),
            OptionKind::Float { min, max } => format!("{min} to {max}"),
            OptionKind::Choice(words) => words.join(", "),
        };
        let default = match def.default.to_string().as_str() {
            "true" => "on".to_owned(),
            "false" => "off".to_owned(),
            other => other.to_owned(),
        };
        out += &format!("| `{}` | {values} | {default} | {} |\n", def.name, def.help);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(given: &[(&str, &str)]) -> String {
        let options = Options::resolve(NAME, &options(), given.iter().copied()).expect("each is valid alone");
        config(&options).expect_err("they do not go together").to_string()
    }

    #[test]
    fn what_does_not_go_together_is_refused_with_the_mend() {
        assert_eq!(
            error(&[("mode", "solo"), ("seats", "3")]),
            "option seats=3 of game \"text-adventure\" is not valid: expected 1 with mode=solo; mode=coop or rival \
             for more"
        );
        assert_eq!(
            error(&[("chat", "on")]),
            "option chat=true of game \"text-adventure\" is not valid: expected off, or actions=text: other \
             interfaces have no words"
        );
        assert!(error(&[("seats", "1")]).contains("mode=solo"));
        assert!(error(&[("step_penalty", "0.01")]).contains("sum to zero"));
        assert!(error(&[("mode", "coop"), ("theft", "on")]).contains("mode=rival"));
        assert_eq!((Config::default().seats, Config::default().mode), (2, Mode::Rival));
    }
}
