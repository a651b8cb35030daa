//! Everything about settlers that a registry holds.

use crate::bots;
use crate::env::{NAME, SettlersEnv, VERSION};
use crate::options::{BoardSize, Compat, Config, Layout};
use crate::trace::replay_trace;
use rl_gym::{Game, OptionDef, Options, TraceReport};
use std::io::BufRead;

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
    }
}

/// Replays a recorded game and says under which switches.
fn replay(name: &str, lines: &mut dyn BufRead) -> Result<TraceReport, String> {
    let summary = replay_trace(name, lines).map_err(|e| e.to_string())?;
    let rules =
        if summary.compat == Compat::NONE { "rulebook".into() } else { format!("{:?}", summary.compat) };
    Ok(TraceReport { steps: summary.steps as usize, rules })
}

/// The declared options; [`config`] turns their values into a [`Config`].
pub fn options() -> Vec<OptionDef> {
    let (int, flag) = (OptionDef::int, OptionDef::flag);
    vec![
        int("seats", 4, 2, 4, "players"),
        int("victory_points", 10, 3, 20, "points that win on one's own turn"),
        int("discard_limit", 7, 0, 95, "most cards a hand may hold when a seven falls"),
        flag("friendly_robber", false, "the robber spares seats with fewer than 3 visible points"),
        flag("trade", true, "offers between seats"),
        int("max_offers", 3, 0, 20, "offers that a seat may start in one turn"),
        flag("counter_offers", true, "an offer may be answered with another one"),
        int("turn_cap", 1000, 1, 100_000, "turns of all seats together after which the game is truncated"),
        OptionDef::choice("layout", &["spiral", "random", "beginner"], "how terrain and numbers are laid"),
        OptionDef::choice("board", &["full", "mini"], "19 tiles with harbours, or 7 tiles without"),
        flag("auto_advance", false, "decisions with one legal action are taken inside the step"),
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
