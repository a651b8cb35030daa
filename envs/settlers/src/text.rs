//! The game in words: what a seat sees in at most [`MAX_TEXT`] bytes, and actions by name.
//!
//! Other seats are called `+1`, `+2`, `+3` by their place after the reader, as in action names. Tiles, nodes and
//! edges have the ids of [`crate::topology`]; a road is named by its two nodes.

mod legal;

use crate::action::{Action, ActionId};
use crate::board::Port;
use crate::chance::Outcome;
use crate::counts::{Counts, DevCard, Resource};
use crate::env::SettlersEnv;
use crate::state::{GameOutcome, Offer, Phase, Record, State};
use crate::topology::{EDGE_NODES, PORT_NODES, Seat};
use rl_gym::{ParseError, TextEnv, suggest};
use std::fmt::Write;

/// Most bytes of an observation text.
pub const MAX_TEXT: usize = 2048;
/// Most events told.
const EVENTS: usize = 8;

impl TextEnv for SettlersEnv {
    fn observe_text(&self, seat: usize, out: &mut String) {
        write_text(self.state(), seat as Seat, out);
    }

    fn legal_text(&self, seat: usize, each: &mut dyn FnMut(u32, &str)) {
        if self.state().actor() != Some(seat as Seat) {
            return;
        }
        let mut name = String::new();
        for id in self.state().legal().iter() {
            if let Some(action) = id.action() {
                name.clear();
                push(&mut name, format_args!("{action}"));
                each(id.0.into(), &name);
            }
        }
    }

    fn action_name(&self, action: u32) -> Option<String> {
        u16::try_from(action).ok().and_then(|id| ActionId(id).name())
    }

    fn parse(&self, seat: usize, text: &str) -> Result<u32, ParseError> {
        let state = self.state();
        let trimmed = text.trim();
        let number = trimmed.trim_start_matches('#').parse().ok().map(ActionId);
        let id = number.filter(|id| id.action().is_some()).or_else(|| ActionId::parse(trimmed));
        let is_to_act = state.actor() == Some(seat as Seat);
        match id {
            Some(id) if is_to_act && state.legal().contains(id) => Ok(id.0.into()),
            _ => Err(refuse(state, text, id, is_to_act)),
        }
    }
}

/// What was wrong with a text, and what would be right.
fn refuse(state: &State, text: &str, id: Option<ActionId>, is_to_act: bool) -> ParseError {
    if !is_to_act {
        let mend = "this seat is not to act; wait for its turn".into();
        return ParseError { text: text.into(), nearest: None, mend };
    }
    let names: Vec<String> = state.legal().iter().filter_map(ActionId::name).collect();
    let mut copy = *state;
    let mend = match id.map(|id| copy.decide(id)) {
        Some(Err(refusal)) => format!("{}; choose one of the {} legal actions", refusal.reason, names.len()),
        _ => format!(
            "name one of the {} legal actions or give its number, such as \"{}\"",
            names.len(),
            names[0]
        ),
    };
    ParseError { text: text.into(), nearest: suggest(text.trim(), &names).cloned(), mend }
}

/// Appends to a string, which cannot fail.
fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    _ = out.write_fmt(text);
}

/// Writes what `viewer` sees: at most [`MAX_TEXT`] bytes. Older events are left out first, then the list of
/// legal actions is shortened.
pub fn write_text(state: &State, viewer: Seat, out: &mut String) {
    let start = out.len();
    write_head(state, viewer, out);
    write_board(state, out);
    write_own(state, viewer, out);
    out.push_str("Seats (p points, c cards, d development cards, S settlement, C city):\n");
    for k in 0..state.config.seats {
        write_seat(state, viewer, k, out);
    }
    write_trade(state, viewer, out);
    let actions = actions(state, viewer, MAX_TEXT.saturating_sub(out.len() - start));
    let room = MAX_TEXT.saturating_sub(out.len() - start + actions.len());
    write_events(state, viewer, room, out);
    out.push_str(&actions);
}

/// The legal actions in the longest form that fits; empty when the seat is not to act.
fn actions(state: &State, viewer: Seat, room: usize) -> String {
    let mut text = String::new();
    if state.actor() != Some(viewer) {
        return text;
    }
    for form in [legal::Form::Full, legal::Form::Short, legal::Form::Count] {
        text.clear();
        legal::write(state.legal(), form, &mut text);
        if text.len() <= room {
            break;
        }
    }
    text
}

/// How `viewer` calls `seat`.
fn called(state: &State, viewer: Seat, seat: Seat) -> &'static str {
    let n = state.config.seats;
    ["you", "+1", "+2", "+3"][usize::from((seat + n - viewer) % n)]
}

fn phase(state: &State) -> &'static str {
    match state.phase() {
        Phase::SetupSettlement => "place a settlement",
        Phase::SetupRoad => "place a road at the new settlement",
        Phase::BeforeRoll => "before the roll",
        Phase::Main => "main",
        Phase::FreeRoads => "place free roads",
        Phase::Discard => "discard",
        Phase::MoveRobber => "move the robber",
        Phase::Draft => "compose an offer",
        Phase::Answer => "answer the offer",
        Phase::CounterDraft => "compose a counter offer",
        Phase::Confirm => "choose a partner",
        Phase::Over => "over",
    }
}

fn write_head(state: &State, viewer: Seat, out: &mut String) {
    let n = state.config.seats;
    push(out, format_args!("Settlers for {n}. You are seat {viewer}"));
    for k in 1..n {
        push(out, format_args!(", +{k} is seat {}", (viewer + k) % n));
    }
    let config = state.config();
    push(
        out,
        format_args!(
            ". {} points win; a seven halves hands over {}.\n",
            config.victory_points, config.discard_limit
        ),
    );
    let turn = called(state, viewer, state.turn_seat());
    push(out, format_args!("Turn {} of {turn}", state.turns() + 1));
    match state.dice() {
        [0, 0] => {}
        [a, b] if state.has_rolled() => push(out, format_args!(", rolled {}", a + b)),
        [a, b] => push(out, format_args!(", last roll {}", a + b)),
    }
    match (state.outcome(), state.actor()) {
        (Some(GameOutcome::Winner(s)), _) => {
            push(out, format_args!("; over, winner: {}", called(state, viewer, s)))
        }
        (Some(GameOutcome::Truncated), _) => out.push_str("; over, no winner"),
        (None, Some(s)) => push(out, format_args!("; {} to act: {}", called(state, viewer, s), phase(state))),
        (None, None) => out.push_str("; chance is to move"),
    }
    if state.free_roads() > 0 {
        push(out, format_args!(", {} free", state.free_roads()));
    }
    if state.has_played_card() {
        out.push_str("; a card was played");
    }
    out.push('\n');
}

fn write_board(state: &State, out: &mut String) {
    let board = state.board();
    out.push_str("Tiles:");
    for t in 0..board.tile_count() as u8 {
        match board.resource(t) {
            Some(r) => push(out, format_args!(" {t}:{}{}", r.name(), board.number(t))),
            None => push(out, format_args!(" {t}:desert")),
        }
    }
    push(out, format_args!("; robber on {}\n", state.robber()));
    if state.is_mini() {
        return;
    }
    out.push_str("Harbours:");
    for (port, [a, b]) in board.ports().iter().zip(PORT_NODES) {
        match port {
            Port::None => {}
            Port::Any => push(out, format_args!(" {a}-{b}:3")),
            Port::Of(r) => push(out, format_args!(" {a}-{b}:{}", r.name())),
        }
    }
    out.push('\n');
}

fn cards(out: &mut String, cards: Counts) {
    if cards.is_empty() {
        out.push_str(" none");
    }
    for r in Resource::ALL.into_iter().filter(|r| cards.get(r.index()) > 0) {
        push(out, format_args!(" {} {}", cards.get(r.index()), r.name()));
    }
}

fn write_own(state: &State, viewer: Seat, out: &mut String) {
    let own = state.seat(viewer);
    out.push_str("Your hand:");
    cards(out, own.hand);
    out.push_str("; cards:");
    if own.dev.is_empty() {
        out.push_str(" none");
    }
    for card in DevCard::ALL.into_iter().filter(|c| own.dev.get(c.index()) > 0) {
        push(out, format_args!(" {} {}", own.dev.get(card.index()), card.name()));
        let new = if state.turn_seat() == viewer { state.bought().get(card.index()) } else { 0 };
        if new > 0 {
            push(out, format_args!(" ({new} new)"));
        }
    }
    push(out, format_args!("; points {}\nBank:", own.true_points()));
    cards(out, state.bank());
    push(out, format_args!("; deck {}\n", state.deck().total()));
}

fn write_seat(state: &State, viewer: Seat, k: u8, out: &mut String) {
    let s = (viewer + k) % state.config.seats;
    let seat = state.seat(s);
    push(
        out,
        format_args!(
            "{}: {}p {}c {}d",
            called(state, viewer, s),
            seat.points,
            seat.hand.total(),
            seat.dev.total()
        ),
    );
    for (card, n) in ["knight", "plenty", "monopoly", "roads"].iter().zip(seat.played).filter(|x| x.1 > 0) {
        push(out, format_args!(" {n}x{card}"));
    }
    if state.road_holder() == Some(s) {
        out.push_str(" longest-road");
    }
    if state.army_holder() == Some(s) {
        out.push_str(" largest-army");
    }
    if state.discards()[usize::from(s)] > 0 {
        push(out, format_args!(" discards {}", state.discards()[usize::from(s)]));
    }
    for (name, nodes) in [("S", seat.settlements), ("C", seat.cities)] {
        let mut left = nodes;
        while left != 0 {
            push(out, format_args!(" {name}{}", left.trailing_zeros()));
            left &= left - 1;
        }
    }
    push(out, format_args!(" road {}:", state.shown_road_length(s)));
    let mut left = seat.roads;
    while left != 0 {
        let [a, b] = EDGE_NODES[left.trailing_zeros() as usize];
        push(out, format_args!(" {a}-{b}"));
        left &= left - 1;
    }
    out.push('\n');
}

fn write_offer(out: &mut String, who: &str, offer: &Offer) {
    push(out, format_args!("{who} gives"));
    cards(out, offer.give);
    out.push_str(" for");
    cards(out, offer.want);
}

fn write_trade(state: &State, viewer: Seat, out: &mut String) {
    let trade = state.trade();
    let name = |s| called(state, viewer, s);
    if matches!(state.phase(), Phase::Draft | Phase::CounterDraft) && state.actor() == Some(viewer) {
        write_offer(out, "Draft: you", &trade.draft);
        out.push('\n');
    }
    if trade.offer == Offer::default() {
        return;
    }
    out.push_str("Offer: ");
    write_offer(out, name(state.turn_seat()), &trade.offer);
    for s in 0..state.config.seats {
        if trade.accepted >> s & 1 == 1 {
            push(out, format_args!("; {} accepts", name(s)));
        }
        if trade.countered >> s & 1 == 1 {
            out.push_str("; ");
            write_offer(out, name(s), &trade.counters[usize::from(s)]);
        }
    }
    out.push('\n');
}

/// The latest events that fit into `room`, oldest first.
fn write_events(state: &State, viewer: Seat, room: usize, out: &mut String) {
    let told: Vec<String> = state.recent(crate::state::LOG).filter_map(|r| event(state, viewer, r)).collect();
    const FRAME: usize = "Last: \n".len();
    let (mut used, mut from) = (FRAME, told.len());
    while from > 0 && told.len() - from < EVENTS && used + told[from - 1].len() + 2 <= room {
        from -= 1;
        used += told[from].len() + 2;
    }
    if from < told.len() {
        push(out, format_args!("Last: {}\n", told[from..].join("; ")));
    }
}

/// One event as `viewer` may know it; `None` for the drafts of others.
fn event(state: &State, viewer: Seat, record: Record) -> Option<String> {
    let n = state.config.seats;
    let who = called(state, viewer, record.seat);
    let after = |offset: u8| (record.seat + offset) % n;
    let mut text = match record.action.action()? {
        Action::OfferGive(_) | Action::OfferWant(_) | Action::OfferDrop | Action::Counter => {
            return None;
        }
        Action::Robber { tile, victim: 0 } => format!("{who} move robber {tile}"),
        Action::Robber { tile, victim } => {
            format!("{who} move robber {tile} steal from {}", called(state, viewer, after(victim)))
        }
        Action::Confirm(offset) => format!("{who} trade with {}", called(state, viewer, after(offset))),
        action => format!("{who} {action}"),
    };
    match (record.outcome, record.action.action()?) {
        (Outcome::Dice(a, b), _) => push(&mut text, format_args!(" {}", a + b)),
        (Outcome::Drawn(card), _) if record.seat == viewer => {
            push(&mut text, format_args!(" ({})", card.name()))
        }
        (Outcome::Stolen(r), Action::Robber { victim, .. })
            if record.seat == viewer || after(victim) == viewer =>
        {
            push(&mut text, format_args!(" ({})", r.name()));
        }
        _ => {}
    }
    Some(text)
}
