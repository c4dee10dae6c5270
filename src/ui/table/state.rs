//! What the table's screen remembers between frames.

use tabiya_types::{Card, Piece, Square};

use super::armed::Arming;
use super::betting::RaiseDraft;
use super::calm::PointerRest;
use super::flights::Flights;
use super::joker::turn::CardTurn;
use super::laid::PickedCards;
use super::sheet::SheetTab;
use crate::board::BoardState;
use crate::cx::Cx;
use crate::fixes::Repair;

/// What the screen remembers between frames.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is asked for or open")]
#[derive(Clone, Debug, Default)]
pub(crate) struct TableState {
    pub(super) board: BoardState,
    pub(super) raise: RaiseDraft,
    /// The grave action that a second key or click does.
    pub(super) armed: Arming,
    /// How many actions the open question would take back; `None` if it is about something else.
    pub(super) take_back: Option<usize>,
    /// Whether that question has been seen.
    pub(super) take_back_asked: bool,
    /// Why the clocks were stopped, as chosen or typed.
    pub(super) reason: String,
    /// Whether the reason is being typed.
    pub(super) other_reason: bool,
    /// The piece that the user has taken from the box beside a simulated board, to put it on a square.
    pub(super) from_box: Option<Piece>,
    /// The piece that the user has chosen for the open card, if the card can become several pieces.
    pub(super) piece: Option<Card>,
    /// A pawn's move to the last rank (from, to) that waits until the user has chosen the new piece.
    pub(super) promotion: Option<(Square, Square)>,
    /// The pieces that the user has picked for a poker hand, besides those that belong to every hand.
    pub(super) hand: Vec<Square>,
    /// The cards that the user has picked for a deal, or to be shown.
    pub(super) picked: PickedCards,
    /// What the user does with the cards of Chess Joker.
    pub(super) turn: CardTurn,
    /// The number of the last long answer that was closed.
    pub(super) answers_read: u64,
    /// The number of the long answer that is open, and the number of inputs in the record when it came.
    pub(super) answer_since: Option<(u64, usize)>,
    /// The chips on their way.
    pub(super) flights: Flights,
    /// The text in the input line.
    pub(super) typed: String,
    /// Whether the input line gets the keyboard focus in the next frame.
    pub(super) focus_typed: bool,
    /// Whether the input line had the keyboard focus in the last frame.
    pub(super) line_focused: bool,
    /// Whether the seats show all that is told of the cards.
    pub(super) cards_at_seats: bool,
    /// The height that the cards in the middle took in the last frame, if they were drawn.
    pub(super) cards_height: Option<f32>,
    /// What stands below the controls while chess is played.
    pub(super) tab: SheetTab,
    /// What has to be put right on the real board, and what was put right since it differs.
    pub(super) repairs: Vec<Repair>,
    /// Where the pointer is, and whether it moves over the controls.
    pub(super) pointer: PointerRest,
    /// Whether somebody asked to set the clocks, which is done in the arbiter's drawer.
    pub(super) wants_clocks: bool,
}

impl TableState {
    /// How many of the last actions are chosen to be taken back, while that is asked.
    pub(super) fn takes_back(&self, cx: &Cx<'_>) -> Option<usize> {
        self.take_back.filter(|_| cx.snapshot.question.is_some())
    }
}
