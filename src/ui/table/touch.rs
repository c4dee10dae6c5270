//! Turns clicks and drags on the drawn board into placements or moves, depending on the stage of the game.

use tabiya_app::desk::{BoardWish, SimulatedMove};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, Offer, Place, PlayAction, Uci, Verb};
use tabiya_engine::table::LegalInput;
use tabiya_types::{Board, Card, Color, Piece, Role, Square};

use super::state::TableState;
use super::{hands, own_cards};
use crate::board::Touch;
use crate::cx::Cx;

/// The squares to mark: those that the open card or the chosen piece may go to.
pub(super) fn lights(view: &TableView, state: &TableState) -> Vec<Square> {
    if view.may(Verb::Place) {
        if view.announced.is_some() || !placed_nothing(view) {
            return Vec::new();
        }
        let piece = piece(view, state);
        return options(view)
            .into_iter()
            .filter(|option| Some(option.piece) == piece)
            .flat_map(|option| option.at)
            .collect();
    }
    if let Some(hand) = hands::picked(view, state).or_else(|| own_cards::lights(view, state)) {
        return hand;
    }
    match state.board.chosen {
        Some(from) => moves(view).filter(|(_, uci)| uci.from == from).map(|(_, uci)| uci.to).collect(),
        None => Vec::new(),
    }
}

/// Whether the open card's piece has not been placed yet.
fn placed_nothing(view: &TableView) -> bool {
    view.mover().is_some_and(|by| view.cards[by].last().is_some_and(|card| card.piece.is_none()))
}

/// A piece that the open card can become, and the squares for it.
pub(super) struct Choice {
    pub(super) by: Color,
    pub(super) piece: Card,
    pub(super) at: Vec<Square>,
}

/// All pieces that the open card can become.
pub(super) fn options(view: &TableView) -> Vec<Choice> {
    let option = |legal: &LegalInput| match legal {
        LegalInput::Game(Offer::Place { by, piece, at }) => {
            Some(Choice { by: *by, piece: *piece, at: at.clone() })
        }
        LegalInput::Game(_) | LegalInput::Press(_) | LegalInput::ClaimFlag(_) | LegalInput::Next => None,
    };
    view.legal.iter().filter_map(option).collect()
}

/// The piece that the open card becomes: the piece that the user chose, or else the card's own face, or else the first
/// possible piece.
pub(super) fn piece(view: &TableView, state: &TableState) -> Option<Card> {
    let options = options(view);
    let face = view.mover().and_then(|by| view.cards[by].last()).map(|open| open.card);
    let of = |piece: Option<Card>| options.iter().find(|option| Some(option.piece) == piece);
    of(state.piece).or(of(face)).or(options.first()).map(|option| option.piece)
}

fn moves(view: &TableView) -> impl Iterator<Item = (Color, Uci)> + '_ {
    view.legal.iter().filter_map(|legal| match legal.action()? {
        Action::Play(PlayAction::Move { by, uci, .. }) => Some((*by, *uci)),
        _ => None,
    })
}

/// Takes a click or drag: on the simulated board if there is one, else on the table's.
pub(super) fn on_board(
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    (simulated, touch): (Option<&Board>, Touch),
) {
    match simulated {
        Some(board) => by_hand(cx, view, state, (board, touch)),
        None => touched(cx, view, state, touch),
    }
}

/// Turns a click or drag on the board into a placement or a move, or into the choice of a piece to move.
fn touched(cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, touch: Touch) {
    if view.may(Verb::Place) {
        place(cx, view, state, touch);
        return;
    }
    if own_cards::touched(cx, view, state, touch) {
        return;
    }
    if let Some(sets) = view.poker.as_ref().and_then(|poker| poker.choices.as_ref()?.piece_sets()) {
        if let Touch::Click(square) = touch {
            hands::pick(sets, state, square);
        }
        return;
    }
    match touch {
        Touch::Drag(from, to) => go(cx, view, state, from, to),
        Touch::Click(square) => match state.board.chosen.take() {
            Some(from) if from == square => {}
            Some(from) if !can_start(view, square) => go(cx, view, state, from, square),
            Some(_) | None => state.board.chosen = Some(square).filter(|square| can_start(view, *square)),
        },
    }
}

/// Turns a click or drag on the simulated board into what a hand does with its pieces. While a piece is to be placed, a
/// click on an empty square puts it there, as it does with a piece from the box; a second click on a chosen piece takes it off.
fn by_hand(cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, (board, touch): (&Board, Touch)) {
    let what = match touch {
        Touch::Drag(from, to) => Some(SimulatedMove::Carry(from, to)),
        Touch::Click(square) => match (state.board.chosen.take(), to_put(view, state)) {
            (Some(from), _) if from == square => Some(SimulatedMove::Take(square)),
            (Some(from), _) => Some(SimulatedMove::Carry(from, square)),
            (None, Some(piece)) if board[square].is_none() => Some(SimulatedMove::Put(square, piece)),
            (None, _) => {
                state.board.chosen = Some(square).filter(|square| board[*square].is_some());
                None
            }
        },
    };
    if let Some(what) = what {
        (state.board.chosen, state.from_box) = (None, None);
        cx.board(BoardWish::Move(what));
    }
}

/// The piece that is in the player's hand: one from the box, or the one that is to be placed now.
fn to_put(view: &TableView, state: &TableState) -> Option<Piece> {
    if state.from_box.is_some() {
        return state.from_box;
    }
    let (by, card) = (view.mover()?, piece(view, state).filter(|_| view.may(Verb::Place))?);
    Some(Piece { color: by, role: card.role() })
}

fn can_start(view: &TableView, square: Square) -> bool {
    moves(view).any(|(_, uci)| uci.from == square)
}

/// Enters a placement on the clicked square even if it is illegal: the table then says what is wrong with it.
fn place(cx: &mut Cx<'_>, view: &TableView, state: &TableState, touch: Touch) {
    let at = match touch {
        Touch::Click(at) | Touch::Drag(_, at) => at,
    };
    let chosen = piece(view, state);
    let Some(option) = options(view).into_iter().find(|option| Some(option.piece) == chosen) else { return };
    cx.enter(Action::Place(Place::new(option.by, option.piece, at)));
}

/// Enters a move from square to square. For a promotion, the user is first asked for the piece. At events only legal
/// moves are entered, because a slip of the mouse must not count as an illegal move of the player.
fn go(cx: &mut Cx<'_>, view: &TableView, state: &mut TableState, from: Square, to: Square) {
    state.board.chosen = None;
    let fitting: Vec<(Color, Uci)> = between(view, from, to).collect();
    match fitting.as_slice() {
        [(by, uci)] => enter(cx, *by, *uci),
        [] => {
            let Some(piece) = view.board[from] else { return };
            if let Some(uci) =
                Uci::parse(&format!("{from}{to}")).filter(|_| !view.is_event() && view.may(Verb::Move))
            {
                enter(cx, piece.color, uci);
            }
        }
        _ => state.promotion = Some((from, to)),
    }
}

fn between(view: &TableView, from: Square, to: Square) -> impl Iterator<Item = (Color, Uci)> + '_ {
    moves(view).filter(move |(_, uci)| uci.from == from && uci.to == to)
}

fn enter(cx: &mut Cx<'_>, by: Color, uci: Uci) {
    cx.enter(PlayAction::Move { by, uci, stands: None });
}

/// The pieces that a pawn can become with a move to the last rank, and the move for each piece.
pub(super) fn promotions(view: &TableView, from: Square, to: Square) -> Vec<(Color, Card, Uci)> {
    let becomes = |uci: Uci| uci.promotion.and_then(|role: Role| Card::from_role(role));
    between(view, from, to).filter_map(|(by, uci)| Some((by, becomes(uci)?, uci))).collect()
}
