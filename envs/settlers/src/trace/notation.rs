//! Actions in the canonical notation of the traces.

use crate::action::{Action, ActionId};
use crate::state::{Phase, State};
use crate::topology::EDGE_NODES;

/// The prompt of a phase as the traces call it.
pub(super) fn prompt(phase: Phase) -> &'static str {
    match phase {
        Phase::SetupSettlement => "BUILD_INITIAL_SETTLEMENT",
        Phase::SetupRoad => "BUILD_INITIAL_ROAD",
        Phase::BeforeRoll | Phase::Main | Phase::FreeRoads | Phase::Draft => "PLAY_TURN",
        Phase::Discard => "DISCARD",
        Phase::MoveRobber => "MOVE_ROBBER",
        Phase::Answer | Phase::CounterDraft => "DECIDE_TRADE",
        Phase::Confirm => "DECIDE_ACCEPTEES",
        Phase::Over => "OVER",
    }
}

/// Every legal action with its trace notation, sorted by notation.
///
/// Under switch 12 a proposer that accepted its own offer may confirm itself; nothing changes hands, so that
/// is our `cancel trade`.
pub(super) fn legal(state: &State) -> Vec<(String, ActionId)> {
    let mut out: Vec<_> = state.legal().iter().map(|id| (notation(state, id), id)).collect();
    if state.phase() == Phase::Confirm && state.trade().accepted >> state.turn_seat() & 1 == 1 {
        out.push((format!("CONFIRM:{}", state.turn_seat()), Action::CancelTrade.id()));
    }
    out.sort();
    out
}

fn notation(state: &State, id: ActionId) -> String {
    let seat_at = |offset: u8| (state.turn_seat() + offset) % state.config().seats;
    match id.action() {
        None => format!("?{}", id.0),
        Some(action) => match action {
            Action::Settlement(n) => format!("SET:{n}"),
            Action::City(n) => format!("CITY:{n}"),
            Action::Road(e) => {
                let [a, b] = EDGE_NODES[usize::from(e)];
                format!("ROAD:{a}-{b}")
            }
            Action::Roll => "ROLL".into(),
            Action::EndTurn => "END".into(),
            Action::BuyDev => "DEV".into(),
            Action::Knight => "KNIGHT".into(),
            Action::RoadBuilding => "RB".into(),
            Action::YearOfPlenty(r, s) => format!("YOP:{},{}", r.index(), s.index()),
            Action::YearOfPlentyOne(r) => format!("YOP:{}", r.index()),
            Action::Monopoly(r) => format!("MONO:{}", r.index()),
            Action::Robber { tile, victim: 0 } => format!("ROB:{tile}:-"),
            Action::Robber { tile, victim } => format!("ROB:{tile}:{}", seat_at(victim)),
            Action::Discard(r) => format!("DISCARD:{}", r.index()),
            Action::Bank { rate, give, want } => format!("TRADE:{}x{rate}>{}", give.index(), want.index()),
            Action::Accept => "ACCEPT".into(),
            Action::Reject => "REJECT".into(),
            Action::Confirm(offset) => format!("CONFIRM:{}", seat_at(offset)),
            Action::CancelTrade => "CANCEL".into(),
            // Never legal under switch 3; the name makes a divergence readable.
            Action::OfferGive(_)
            | Action::OfferWant(_)
            | Action::OfferSend
            | Action::OfferDrop
            | Action::Counter => action.to_string(),
        },
    }
}

/// The two sides of `OFFER:g0,..,g4>w0,..,w4`.
pub(super) fn parse_offer(text: &str) -> Option<([u8; 5], [u8; 5])> {
    let side = |part: &str| -> Option<[u8; 5]> {
        let counts: Vec<u8> =
            part.split(',').map(|c| c.parse().ok().filter(|&n| n < 20)).collect::<Option<_>>()?;
        counts.try_into().ok()
    };
    let (give, want) = text.strip_prefix("OFFER:")?.split_once('>')?;
    Some((side(give)?, side(want)?))
}
