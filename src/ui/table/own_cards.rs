//! The views of cards that only one kind of game has. Which one is drawn follows from what the table shows, never from the
//! name of the game.

use egui::Ui;
use tabiya_app::snapshot::TableView;
use tabiya_types::{Board, Color, Square};

use super::seat_cards::SeatCard;
use super::{TableState, joker, laid};
use crate::board::{CardMark, Touch};
use crate::cx::Cx;

/// A view of cards, in the middle and on the board.
struct CardView {
    /// Whether the table has what this view draws.
    is_there: fn(&TableView) -> bool,
    /// Whether high seats have room for all that is told of the cards, so that the middle need not show them.
    at_seats: bool,
    /// The cards at a player's seat.
    seat: fn(&Cx<'_>, &TableView, Color) -> Vec<SeatCard>,
    /// Whether the turn lacks something that only a card can do, such as a card that goes back.
    owes: fn(&TableView) -> bool,
    /// The text of a button among the quieter actions, if there is one now.
    quiet: fn(&TableView) -> Option<&'static str>,
    /// Draws the menu of that button.
    quiet_ui: fn(&mut Ui, &mut Cx<'_>, &TableView, &mut TableState),
    /// Draws the cards and what may be done with them.
    cards_ui: fn(&mut Ui, &mut Cx<'_>, &TableView, &mut TableState),
    /// The squares to mark; `None` if this view marks none now.
    lights: fn(&TableView, &TableState) -> Option<Vec<Square>>,
    /// Takes a click or drag on the board. Returns `false` if it means something else.
    touched: fn(&mut Cx<'_>, &TableView, &mut TableState, Touch) -> bool,
    /// What the cards do or could do, drawn over the squares.
    marks: fn(&TableView, &mut TableState) -> Vec<CardMark>,
    /// The board while a use of a card is chosen; `None` otherwise.
    board: fn(&TableView, &TableState) -> Option<Board>,
}

/// All views. At most one of them is there.
static VIEWS: [CardView; 2] = [
    CardView {
        is_there: joker::is_played,
        at_seats: true,
        seat: joker::tiles::seat_cards,
        owes: |_| false,
        quiet: |_| None,
        quiet_ui: |_, _, _, _| {},
        cards_ui: joker::cards_ui,
        lights: joker::lights,
        touched: |_, view, state, touch| joker::touched(view, state, touch),
        marks: joker::marks,
        board: joker::board,
    },
    CardView {
        is_there: laid::has_cards,
        at_seats: false,
        seat: laid::seat_cards,
        owes: laid::owes,
        quiet: laid::exchanges,
        quiet_ui: laid::menu_ui,
        cards_ui: laid::cards_ui,
        lights: |_, _| None,
        touched: |cx, view, _, touch| laid::touched(cx, view, touch),
        marks: |_, _| Vec::new(),
        board: |_, _| None,
    },
];

/// Whether the table has cards that one of the views draws.
pub(super) fn are_there(view: &TableView) -> bool {
    VIEWS.iter().any(|cards| (cards.is_there)(view))
}

/// Whether high seats show all that is told of the cards.
pub(super) fn at_seats(view: &TableView) -> bool {
    VIEWS.iter().any(|cards| cards.at_seats && (cards.is_there)(view))
}

/// The cards at a player's seat; `None` in a game without such cards.
pub(super) fn seat(cx: &Cx<'_>, view: &TableView, color: Color) -> Option<Vec<SeatCard>> {
    VIEWS.iter().find(|cards| (cards.is_there)(view)).map(|cards| (cards.seat)(cx, view, color))
}

/// Whether the turn lacks something that only a card can do.
pub(super) fn owes(view: &TableView) -> bool {
    VIEWS.iter().any(|cards| (cards.owes)(view))
}

/// The text of a button among the quieter actions, if the cards have one now.
pub(super) fn quiet(view: &TableView) -> Option<&'static str> {
    VIEWS.iter().find_map(|cards| (cards.quiet)(view))
}

/// Draws the menu of that button.
pub(super) fn quiet_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    if let Some(cards) = VIEWS.iter().find(|cards| (cards.quiet)(view).is_some()) {
        (cards.quiet_ui)(ui, cx, view, state);
    }
}

/// Draws the cards and what may be done with them.
pub(super) fn cards_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    if let Some(cards) = VIEWS.iter().find(|cards| (cards.is_there)(view)) {
        (cards.cards_ui)(ui, cx, view, state);
    }
}

/// The squares that a card marks on the board; `None` if none does now.
pub(super) fn lights(view: &TableView, state: &TableState) -> Option<Vec<Square>> {
    VIEWS.iter().find_map(|cards| (cards.lights)(view, state))
}

/// Takes a click or drag on the board that means a card. Returns `false` if it means something else.
pub(super) fn touched(cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, touch: Touch) -> bool {
    VIEWS.iter().any(|cards| (cards.touched)(cx, view, state, touch))
}

/// What the cards do or could do, drawn over the squares.
pub(super) fn marks(view: &TableView, state: &mut TableState) -> Vec<CardMark> {
    VIEWS.iter().flat_map(|cards| (cards.marks)(view, state)).collect()
}

/// The board while a use of a card is chosen; `None` otherwise.
pub(super) fn board(view: &TableView, state: &TableState) -> Option<Board> {
    VIEWS.iter().find_map(|cards| (cards.board)(view, state))
}
