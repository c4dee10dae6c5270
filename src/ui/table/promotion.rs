//! The choice of a pawn's new piece: on the board, on the squares from the last rank on along the pawn's file. The queen comes first,
//! as it is what most pawns become.

use egui::{Align2, Color32, CornerRadius, Key, Rect, Role, Sense, Stroke, StrokeKind, Ui, vec2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{PlayAction, Uci};
use tabiya_types::{Board, Card, Color, Piece, Square};

use super::state::TableState;
use super::touch;
use crate::board::Geometry;
use crate::cx::Cx;
use crate::focus::Focus;
use crate::keys::{Command, FACES};
use crate::kit::write;
use crate::theme::{MARK, ON_PILL, PAPER, bold_font};
use crate::widgets::name;

/// The pieces in the order of their squares.
const ORDER: [Card; 4] = [Card::Queen, Card::Knight, Card::Rook, Card::Bishop];

/// A move that waits for its piece.
pub(super) struct Promotion {
    from: Square,
    to: Square,
    choices: Vec<(Color, Card, Uci)>,
}

impl Promotion {
    /// The move that waits; what waits for a move that cannot be made any more is forgotten.
    pub(super) fn waiting(view: &TableView, state: &mut TableState) -> Option<Self> {
        let (from, to) = state.promotion?;
        let mut choices = touch::promotions(view, from, to);
        choices.sort_by_key(|(_, card, _)| ORDER.iter().position(|of| of == card));
        if choices.is_empty() {
            state.promotion = None;
            return None;
        }
        Some(Self { from, to, choices })
    }

    /// The board with the pawn on the last rank.
    pub(super) fn board(&self, stands: &Board) -> Board {
        let mut board = *stands;
        board[self.to] = board[self.from].take();
        board
    }

    /// The move as people write it, up to the piece: `bxa8=`.
    pub(super) fn written(view: &TableView, (from, to): (Square, Square)) -> String {
        let takes = view.board[to].is_some() || from.file() != to.file();
        let file = char::from(b'a' + from.file());
        if takes { format!("{file}x{to}=") } else { format!("{to}=") }
    }

    /// Draws the pieces to choose from, and takes the choice. A click elsewhere puts the pawn back.
    pub(super) fn choose_ui(self, ui: &Ui, cx: &mut Cx<'_>, state: &mut TableState, geometry: &Geometry) {
        let back = ui.interact(geometry.squares(), ui.scope_id().with("promotion"), Sense::click());
        name(&back, Role::Button, true, &cx.t("promotion-back"));
        let free = cx.focus != Focus::Field;
        let enter = free && cx.focus != Focus::Control && ui.input(|input| input.key_pressed(Key::Enter));
        let mut chosen = None;
        for (nth, (by, card, uci)) in self.choices.iter().enumerate() {
            let first = nth == 0;
            let place = geometry.square(along(self.to, nth));
            let command = FACES.into_iter().find(|(face, _)| face == card).map(|(_, command)| command);
            let clicked = piece_ui(ui, cx, place, (*card, *by), (command, first));
            let key = command.is_some_and(|command| cx.takes(command));
            if clicked || key || (first && enter) {
                chosen = Some((*by, *uci));
            }
        }
        if let Some((by, uci)) = chosen {
            cx.enter(PlayAction::Move { by, uci, stands: None });
            state.promotion = None;
        } else if back.clicked() || cx.takes(Command::No) {
            state.promotion = None;
        }
    }
}

/// The square so many steps from the last rank towards the middle.
fn along(to: Square, nth: usize) -> Square {
    let step = i8::try_from(nth).unwrap_or_default();
    to.offset(0, if to.rank() == 7 { -step } else { step }).unwrap_or(to)
}

/// Draws a piece to choose on its square, with its key. Returns whether it was clicked.
fn piece_ui(
    ui: &Ui,
    cx: &Cx<'_>,
    square: Rect,
    (card, color): (Card, Color),
    (command, first): (Option<Command>, bool),
) -> bool {
    let [light, _] = cx.theme.squares(cx.settings.board_colors);
    let response = ui.interact(square, ui.scope_id().with(("promote", card.role().word())), Sense::click());
    let text = cx.words.card(card);
    name(&response, Role::Button, true, &text);
    let painter = ui.painter();
    let width = (square.width() * 0.036).max(2.0);
    let place = square.shrink(width);
    let fill = if first || response.hovered() { PAPER } else { light };
    let edge = if first { cx.theme.gold } else { MARK };
    let round = CornerRadius::same(8);
    painter.rect(place, round, fill, Stroke::new(if first { width } else { 1.0 }, edge), StrokeKind::Outside);
    let piece = Piece { color, role: card.role() };
    cx.art.piece(painter, place.shrink(place.width() * 0.04), piece, Color32::WHITE);
    if response.has_focus() {
        crate::kit::panel::ring(painter, cx.theme, place.shrink(width));
    }
    let key = command.map(|command| cx.key(command)).unwrap_or_default();
    if !key.is_empty() {
        let side = square.width() * 0.25;
        let cap = Rect::from_min_size(place.max - vec2(side, side), vec2(side, side));
        painter.rect_filled(cap, CornerRadius::same(5), MARK);
        let font = (bold_font(side * 0.62), ON_PILL);
        write(painter, cap.center(), Align2::CENTER_CENTER, &key, font, side * 2.0);
    }
    response.clicked()
}
