//! Why an action was refused.

use crate::action::ActionId;
use crate::mask::LegalMask;
use crate::state::Phase;
use crate::topology::Seat;
use std::fmt;

/// An action that is not legal now; the state is as before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalAction {
    /// The index as given.
    pub action: ActionId,
    /// Who was to decide, if anybody.
    pub actor: Option<Seat>,
    /// What was to be decided.
    pub phase: Phase,
    /// Decisions taken before.
    pub step: u32,
    /// Why not.
    pub reason: Reason,
    /// What was legal.
    pub legal: LegalMask,
}

/// The first rule that an action breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// Not in the table.
    #[error("the action table ends at {}", crate::action::ACTIONS - 1)]
    OutsideTable,
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// A chance event must be resolved first.
    #[error("a chance outcome is pending")]
    ChancePending,
    /// Another kind of decision is due.
    #[error("it does not belong to the phase {0:?}")]
    WrongPhase(Phase),
    /// The hand does not cover the price.
    #[error("the hand does not cover it")]
    NotAffordable,
    /// No piece of the kind is left.
    #[error("no such piece is left")]
    NoPiece,
    /// Somebody's building or road is there.
    #[error("it is taken by seat {0}")]
    Taken(Seat),
    /// A building stands on a neighbouring node.
    #[error("a building stands next to it")]
    TooClose,
    /// No own road or building leads there.
    #[error("no own road or building leads there")]
    NotConnected,
    /// Not on this board.
    #[error("it is not on this board")]
    OffBoard,
    /// No own settlement there.
    #[error("no own settlement stands there")]
    NoSettlement,
    /// The bank or the deck cannot pay.
    #[error("the bank or deck has not enough cards")]
    BankEmpty,
    /// No playable card of the kind (none owned, or bought this turn).
    #[error("no such development card, or only one bought this turn")]
    NoCard,
    /// One development card a turn.
    #[error("a development card was played this turn")]
    CardPlayed,
    /// No place for a free road.
    #[error("there is no place for a free road")]
    NoPlace,
    /// No harbour for that rate, or not the best rate where only that is allowed.
    #[error("the rate is not available")]
    NoRate,
    /// The robber must move, to a tile on the board, and steal from a legal victim when there is one.
    #[error("the robber must move to another allowed tile and rob one of the victims there, if any")]
    Robber,
    /// Player trade is off or its limits are reached.
    #[error("player trade is off, or the limit of offers is reached")]
    TradeLimit,
    /// The draft must grow in ascending order, within the cards held or possible, and keep its sides apart.
    #[error("the draft allows no such card now")]
    Draft,
    /// That seat has no open acceptance or counter offer that both sides can pay.
    #[error("that seat has nothing to confirm")]
    NothingToConfirm,
}

/// How many legal actions the message lists.
const LISTED: usize = 12;

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "action {}", self.action.0)?;
        if let Some(name) = self.action.name() {
            write!(f, " ({name})")?;
        }
        f.write_str(" is illegal")?;
        if let Some(seat) = self.actor {
            write!(f, " for seat {seat}")?;
        }
        write!(f, " at step {}: {}.", self.step, self.reason)?;
        let count = self.legal.count();
        if count == 0 {
            return f.write_str(" No action is legal.");
        }
        write!(f, " {count} legal action{}: ", if count == 1 { "" } else { "s" })?;
        for (i, a) in self.legal.iter().take(LISTED).enumerate() {
            write!(f, "{}{}", if i > 0 { ", " } else { "" }, a.0)?;
        }
        f.write_str(if count as usize > LISTED { ", .." } else { "." })
    }
}

impl std::error::Error for IllegalAction {}
