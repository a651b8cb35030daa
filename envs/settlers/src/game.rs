//! Everything about settlers that a registry holds.

use crate::bots;
use crate::env::{NAME, SettlersEnv, VERSION};
use crate::options::{BoardSize, Compat, Config, Layout};
use crate::trace::replay_trace;
use crate::words::Words;
use rl_gym::{Game, OptionDef, OptionKind, OptionValue, Options, TraceReport};
use std::{io::BufRead, sync::Arc};

/// The game as the registry holds it.
pub fn game() -> Game {
    Game {
        name: NAME,
        version: VERSION,
        summary: "settle an island: build, trade and race to ten points (base game, two to four seats)",
        options: options(),
        make: |options| Ok(Box::new(SettlersEnv::new(&config(options))?)),
        bots: bots::bots(),
        genome: Some(bots::genome()),
        traces: Some(replay),
        vocabulary: Some(|_| Arc::new(Words)),
    }
}

/// Most columns of the rules of a replay in words.
const RULES_WIDTH: usize = 60;

/// Replays a recorded game and says under which switches.
fn replay(name: &str, lines: &mut dyn BufRead) -> Result<TraceReport, String> {
    let summary = replay_trace(name, lines).map_err(|e| e.to_string())?;
    Ok(TraceReport { steps: summary.steps as usize, rules: rules_in_words(&summary.compat) })
}

/// The switches that are on: by name where all fit into [`RULES_WIDTH`] columns, else by their numbers in the
/// README. Mappings (1 to 3) change the shape of the steps only.
fn rules_in_words(compat: &Compat) -> String {
    let all = compat.switches();
    let on = |mapping: bool| all.iter().filter(move |(n, _, on)| *on && (*n <= 3) == mapping);
    let words = |named: bool| {
        let list = |mapping| {
            let one =
                |(n, name, _): &(u8, &str, bool)| if named { (*name).to_owned() } else { n.to_string() };
            on(mapping).map(one).collect::<Vec<_>>().join(", ")
        };
        let rules = match (on(false).count(), named) {
            (0, _) => "rulebook".to_owned(),
            (1, false) => format!("compat switch {}", list(false)),
            (_, false) => format!("compat switches {}", list(false)),
            (_, true) => format!("compat {}", list(false)),
        };
        match on(true).count() {
            0 => rules,
            1 => format!("{rules}; mapping {}", list(true)),
            _ => format!("{rules}; mappings {}", list(true)),
        }
    };
    let named = words(true);
    if named.len() <= RULES_WIDTH { named } else { words(false) }
}

/// The declared options; [`config`] turns their values into a [`Config`].
pub fn options() -> Vec<OptionDef> {
    let d = Config::default();
    let int = |name, default: u32, low, high, help| OptionDef::int(name, default.into(), low, high, help);
    let flag = OptionDef::flag;
    vec![
        int("seats", d.seats.into(), 2, 4, "players"),
        int("victory_points", d.victory_points.into(), 3, 20, "points that win on one's own turn"),
        int("discard_limit", d.discard_limit.into(), 0, 95, "most cards a hand may hold when a seven falls"),
        flag(
            "friendly_robber",
            d.friendly_robber,
            "the robber spares seats with fewer than 3 visible points",
        ),
        flag("trade", d.player_trade, "offers between seats"),
        int("max_offers", d.max_offers.into(), 0, 20, "offers that a seat may start in one turn"),
        flag("counter_offers", d.counter_offers, "an offer may be answered with another one"),
        int(
            "turn_cap",
            d.turn_cap,
            1,
            100_000,
            "turns of all seats together after which the game is truncated",
        ),
        OptionDef::choice("layout", &["spiral", "random", "beginner"], "how terrain and numbers are laid"),
        OptionDef::choice("board", &["full", "mini"], "19 tiles with harbours, or 7 tiles without"),
        flag("auto_advance", d.auto_advance, "decisions with one legal action are taken inside the step"),
        flag("compat_discard_one_by_one", false, "discarders go in seat order from seat 0"),
        flag("compat_best_rate_only", false, "bank trades are listed at the best rate only"),
        flag("compat_offers_not_listed", false, "offers are not part of the action list"),
        flag(
            "compat_lr_len_setup_stale",
            false,
            "road lengths show 0 until the first building after the setup",
        ),
        flag("compat_lr_blocked_end_uncounted", false, "a road into an opponent's building does not count"),
        flag("compat_lr_holder_after_cut", false, "a cut gives the road card to the first longest seat"),
        flag("compat_road_through_blocked_end", false, "roads may go on past an opponent's later building"),
        flag("compat_bank_all_or_nothing", false, "a short bank pays nobody, a single due seat included"),
        flag("compat_yop_single", false, "one-card year of plenty whenever some pair cannot be paid"),
        flag("compat_win_any_time", false, "points win at any time"),
        flag("compat_proposer_answers", false, "the proposer is asked too"),
        flag("compat_turn_limit_1000", false, "no winner after 1000 turns, setup included"),
    ]
}

/// The typed options of checked values.
pub fn config(options: &Options) -> Config {
    let flag = |name| options.flag(name);
    // Ranges are those of the schema, so the conversions lose nothing.
    let byte = |name| options.int(name) as u8;
    Config {
        seats: byte("seats"),
        victory_points: byte("victory_points"),
        discard_limit: byte("discard_limit"),
        friendly_robber: flag("friendly_robber"),
        player_trade: flag("trade"),
        max_offers: byte("max_offers"),
        counter_offers: flag("counter_offers"),
        turn_cap: options.int("turn_cap") as u32,
        layout: match options.text("layout") {
            "beginner" => Layout::Beginner,
            "random" => Layout::Random,
            _ => Layout::Spiral,
        },
        board: if options.text("board") == "mini" { BoardSize::Mini } else { BoardSize::Full },
        auto_advance: flag("auto_advance"),
        compat: Compat {
            discard_one_by_one: flag("compat_discard_one_by_one"),
            best_rate_only: flag("compat_best_rate_only"),
            offers_not_listed: flag("compat_offers_not_listed"),
            lr_len_setup_stale: flag("compat_lr_len_setup_stale"),
            lr_blocked_end_uncounted: flag("compat_lr_blocked_end_uncounted"),
            lr_holder_after_cut: flag("compat_lr_holder_after_cut"),
            road_through_blocked_end: flag("compat_road_through_blocked_end"),
            bank_all_or_nothing: flag("compat_bank_all_or_nothing"),
            yop_single: flag("compat_yop_single"),
            win_any_time: flag("compat_win_any_time"),
            proposer_answers: flag("compat_proposer_answers"),
            turn_limit_1000: flag("compat_turn_limit_1000"),
        },
    }
}

/// The declared options as the table of the README.
pub fn options_markdown() -> String {
    let mut out = "| option | values | default | meaning |\n|---|---|---|---|\n".to_owned();
    let word = |on: bool| if on { "on" } else { "off" };
    for def in options() {
        let values = match &def.kind {
            OptionKind::Bool => "on, off".to_owned(),
            OptionKind::Int { min, max } => format!("{min} to {max}"),
            OptionKind::Float { min, max } => format!("{min} to {max}"),
            OptionKind::Choice(words) => {
                words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
            }
        };
        let default = match &def.default {
            OptionValue::Bool(on) => word(*on).to_owned(),
            OptionValue::Text(text) => format!("`{text}`"),
            number => number.to_string(),
        };
        out.push_str(&format!("| `{}` | {values} | {default} | {} |\n", def.name, def.help));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_defaults_are_those_of_the_rules() {
        assert_eq!(config(&game().defaults()), Config::default());
    }

    #[test]
    fn every_switch_is_an_option_under_its_name() {
        let names: Vec<&str> = options().iter().filter_map(|d| d.name.strip_prefix("compat_")).collect();
        assert_eq!(names, Compat::NONE.switches().map(|(_, name, _)| name));
        for (k, name) in names.iter().enumerate() {
            let option = format!("compat_{name}");
            let set = config(&game().resolve([(option.as_str(), "on")]).expect("valid")).compat;
            let on: Vec<usize> = (0..12).filter(|&i| set.switches()[i].2).collect();
            assert_eq!(on, [k], "{option}");
        }
    }

    #[test]
    fn the_rules_of_a_replay_are_short_words() {
        assert_eq!(rules_in_words(&Compat::NONE), "rulebook");
        let one = Compat { best_rate_only: true, ..Compat::NONE };
        assert_eq!(rules_in_words(&one), "rulebook; mapping best_rate_only");
        assert_eq!(rules_in_words(&Compat::MAPPING), "rulebook; mappings 1, 2, 3");
        let late = Compat { win_any_time: true, yop_single: true, ..Compat::NONE };
        assert_eq!(rules_in_words(&late), "compat yop_single, win_any_time");
        let more = Compat { lr_len_setup_stale: true, lr_holder_after_cut: true, ..Compat::MAPPING };
        assert_eq!(rules_in_words(&more), "compat switches 5, 7; mappings 1, 2, 3");
        let on = Compat::NONE.switches().map(|(_, name, _)| (format!("compat_{name}"), "on"));
        let all = game().resolve(on.iter().map(|(name, on)| (name.as_str(), *on))).expect("valid");
        let words = rules_in_words(&config(&all).compat);
        assert_eq!(words, "compat switches 5, 6, 7, 8, 9, 10, 11, 12, 13; mappings 1, 2, 3");
    }
}
