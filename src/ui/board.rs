//! The board: squares, pieces, marks, and input by pointer and keyboard.
//!
//! Every square is a button with a name (`e4 white knight`). The whole board is one stop in the order of keyboard
//! focus. It has a cursor: the arrow keys move it, and Enter clicks its square.

mod cards;
mod marks;

use egui::{
    Align2, Color32, CornerRadius, EventFilter, FontId, Key, Painter, Pos2, Rect, Role as Kind, Sense, Shape,
    Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use tabiya_app::snapshot::TableView;
use tabiya_text::Words;
use tabiya_types::{Board, Color, Piece, Square};

pub(super) use self::cards::{CardMark, StepMeaning};
use super::cx::Cx;
use super::fixes::{Fix, Repair};
use super::focus::board_focus_id;
use super::kit::card::{rank_text, suit_ink};
use super::theme::{CHOSEN, LAST_MOVE, MARK, STANDS_WRONG, Theme, bold_font};
use super::widgets::{name_with, translucent};

/// The width of the gutter with the coordinates, in squares.
const GUTTER: f32 = 0.25;
/// The height of the strip that names the card under a square, in squares.
const STRIP: f32 = 0.21;

/// What a board shows: the pieces and their marks.
#[derive(Clone, Debug)]
pub(super) struct BoardLook<'a> {
    /// The pieces on the board.
    pub(super) board: &'a Board,
    /// The side that is shown at the bottom.
    pub(super) below: Color,
    /// The squares to which the open card's piece or the chosen piece may go.
    pub(super) lights: &'a [Square],
    /// The squares of the last move.
    pub(super) last: &'a [Square],
    /// The square of the king in check.
    pub(super) check: Option<Square>,
    /// The squares of the last refused input.
    pub(super) wrong: &'a [Square],
    /// The squares with stand-ins: pieces that represent other pieces.
    pub(super) stand_ins: &'a [Square],
    /// The cards that lie under squares.
    pub(super) under: &'a [(Square, String)],
    /// What the cards of Chess Joker do or could do.
    pub(super) card_marks: &'a [CardMark],
    /// Whether the last move has not been pressed yet.
    pub(super) open: bool,
    /// What has to be put right on the real board, whose pieces are then the ones that are drawn.
    pub(super) fixes: &'a [Repair],
    /// What changes on the board if the chosen actions are taken back.
    pub(super) goes_back: &'a [Fix],
    /// What is darkened.
    pub(super) dim: Dim,
    /// Whether the user can click squares and drag pieces.
    pub(super) live: bool,
}

impl<'a> BoardLook<'a> {
    /// A board for display only, with pieces and without marks.
    pub(super) fn plain(board: &'a Board, below: Color) -> Self {
        Self {
            board,
            below,
            lights: &[],
            last: &[],
            check: None,
            wrong: &[],
            stand_ins: &[],
            under: &[],
            card_marks: &[],
            open: false,
            fixes: &[],
            goes_back: &[],
            dim: Dim::Nothing,
            live: false,
        }
    }

    /// The board of a table for display only: the pieces, the last move, and the king in check.
    pub(super) fn of_view(view: &'a TableView, below: Color) -> Self {
        Self {
            last: &view.last_move,
            check: view.check,
            under: &view.under,
            ..Self::plain(&view.board, below)
        }
    }
}

/// What is darkened, so that the eye goes elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dim {
    /// Nothing.
    Nothing,
    /// All squares: nothing on the board counts now.
    All,
    /// All squares but the lit ones, which get one outline.
    Unlit,
}

/// What a board remembers between frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BoardState {
    /// The square of the keyboard's cursor.
    pub(super) cursor: Option<Square>,
    /// The square that was clicked first, as the start of a move from square to square.
    pub(super) chosen: Option<Square>,
    /// The square from which a piece is being dragged.
    dragged: Option<Square>,
}

/// What a user did on a drawn board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Touch {
    /// A square was clicked, or chosen with the keyboard.
    Click(Square),
    /// A piece was dragged from one square to another.
    Drag(Square, Square),
}

/// The positions of the squares on the screen.
#[derive(Clone, Copy)]
pub(super) struct Geometry {
    rect: Rect,
    below: Color,
}

impl Geometry {
    /// A board with its gutters: the coordinates stand to its left and below it. The upper left corner of the whole is at
    /// `corner`. Each square is a whole number of pixels, which keeps the lines sharp.
    pub(super) fn new(ui: &Ui, corner: Pos2, side: f32, below: Color) -> Self {
        let pixels = ui.ctx().pixels_per_point();
        let square = ((side / (8.0 + GUTTER) * pixels).floor() / pixels).max(8.0);
        let corner = corner + vec2((square * GUTTER).round(), 0.0);
        Self { rect: Rect::from_min_size(corner, Vec2::splat(square * 8.0)), below }
    }

    /// The area of the board with its gutters.
    pub(super) fn whole(&self) -> Rect {
        let gutter = (self.side() * GUTTER).round();
        Rect::from_min_max(self.rect.min - vec2(gutter, 0.0), self.rect.max + vec2(0.0, gutter))
    }

    /// The area of the squares.
    pub(super) fn squares(&self) -> Rect {
        self.rect
    }

    fn side(&self) -> f32 {
        self.rect.width() / 8.0
    }

    pub(super) fn square(&self, square: Square) -> Rect {
        let (file, rank) = match self.below {
            Color::White => (square.file(), 7 - square.rank()),
            Color::Black => (7 - square.file(), square.rank()),
        };
        let at = self.rect.min + vec2(f32::from(file), f32::from(rank)) * self.side();
        Rect::from_min_size(at, Vec2::splat(self.side()))
    }

    fn at(&self, pos: Pos2) -> Option<Square> {
        Square::all().find(|square| self.square(*square).contains(pos))
    }

    fn left_file(&self) -> u8 {
        if self.below == Color::White { 0 } else { 7 }
    }

    fn bottom_rank(&self) -> u8 {
        if self.below == Color::White { 0 } else { 7 }
    }

    /// The square that is `right` squares to the right of `from` and `up` squares above it on the screen; `from` itself
    /// if that is outside the board.
    fn step(&self, from: Square, right: i8, up: i8) -> Square {
        let sign = if self.below == Color::White { 1 } else { -1 };
        from.offset(right * sign, up * sign).unwrap_or(from)
    }
}

/// Draws the board into a square area that is `side` wide. Returns what the user did on the board, if anything.
pub(super) fn board_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    side: f32,
    look: &BoardLook<'_>,
    state: &mut BoardState,
) -> Option<Touch> {
    let wanted = Geometry::new(ui, Pos2::ZERO, side, look.below);
    let (rect, _) = ui.allocate_exact_size(wanted.whole().size(), Sense::hover());
    let geometry = Geometry::new(ui, rect.min, side, look.below);
    draw_squares(ui.painter(), cx, &geometry, look, *state);
    draw_coordinates(ui.painter(), cx, &geometry);
    draw_pieces(ui.painter(), cx, &geometry, look, *state);
    draw_cards(ui.painter(), &geometry, look);
    let focus = focus(ui, &geometry, *state);
    cards::draw_card_marks(ui.painter(), cx, &geometry, look.card_marks, focus);
    let open = look.fixes.iter().filter(|line| !line.done);
    let numbered: Vec<_> = open.map(|line| (Some(line.number), line.fix)).collect();
    marks::draw_fixes(ui.painter(), cx, &geometry, &numbered);
    let back: Vec<_> = look.goes_back.iter().map(|fix| (None, *fix)).collect();
    marks::draw_fixes(ui.painter(), cx, &geometry, &back);
    if !look.live {
        name_squares(ui, cx, &geometry, look);
        return None;
    }
    let touch = touches_ui(ui, cx, &geometry, look, state);
    touch.or_else(|| keyboard_ui(ui, cx, &geometry, look, state))
}

/// The square under the pointer, or that of the keyboard's cursor while the board has the focus.
fn focus(ui: &Ui, geometry: &Geometry, state: BoardState) -> Option<Square> {
    let pointer = ui.input(|input| input.pointer.hover_pos()).and_then(|pos| geometry.at(pos));
    let by_keys = ui.memory(|memory| memory.has_focus(board_focus_id()));
    pointer.or(state.cursor.filter(|_| by_keys))
}

/// Draws a small board for display only: its squares fill the area, without coordinates and without names of their own.
pub(super) fn small_board(ui: &Ui, cx: &Cx<'_>, area: Rect, look: &BoardLook<'_>) {
    let pixels = ui.ctx().pixels_per_point();
    let square = (area.width().min(area.height()) / 8.0 * pixels).floor() / pixels;
    let rect = Rect::from_center_size(area.center(), Vec2::splat(square * 8.0));
    let geometry = Geometry { rect, below: look.below };
    let state = BoardState::default();
    draw_squares(ui.painter(), cx, &geometry, look, state);
    draw_pieces(ui.painter(), cx, &geometry, look, state);
}

fn draw_squares(
    painter: &Painter,
    cx: &Cx<'_>,
    geometry: &Geometry,
    look: &BoardLook<'_>,
    state: BoardState,
) {
    let [light, dark] = cx.theme.squares(cx.settings.board_colors);
    for square in Square::all() {
        let rect = geometry.square(square);
        let lit = look.lights.contains(&square);
        let own = if square.is_light() { light } else { dark };
        let dim = look.dim == Dim::All || (look.dim == Dim::Unlit && !lit);
        painter.rect_filled(rect, CornerRadius::ZERO, if dim { Theme::dimmed(own) } else { own });
        let last = look.last.contains(&square);
        if last && !look.open {
            painter.rect_filled(rect, CornerRadius::ZERO, translucent(LAST_MOVE, 150));
        }
        if (last && !look.open) || state.chosen == Some(square) {
            draw_corner(painter, rect, state.chosen == Some(square));
        }
        if last && look.open {
            marks::draw_open(painter, cx, rect);
        }
        if state.chosen == Some(square) {
            painter.rect_filled(rect, CornerRadius::ZERO, translucent(CHOSEN, 150));
        }
        if look.check == Some(square) {
            painter.rect_filled(rect, CornerRadius::ZERO, translucent(STANDS_WRONG, 110));
            let frame = Stroke::new(rect.width() * 0.05, STANDS_WRONG);
            painter.rect_stroke(rect, CornerRadius::ZERO, frame, StrokeKind::Inside);
        }
        if lit {
            draw_light(painter, rect, look.board[square].is_some());
        }
    }
    if look.dim == Dim::Unlit {
        marks::draw_outline(painter, cx, geometry, look.lights);
    }
}

/// Draws a dark corner in a square, as a mark that is visible without colours: the upper corner for the last move, the
/// lower corner for the chosen square.
fn draw_corner(painter: &Painter, rect: Rect, chosen: bool) {
    let size = rect.width() * 0.17;
    let (corner, down) = if chosen { (rect.right_bottom(), -1.0) } else { (rect.right_top(), 1.0) };
    let points = vec![corner, corner + vec2(-size, 0.0), corner + vec2(0.0, size * down)];
    painter.add(Shape::convex_polygon(points, MARK, Stroke::new(1.0, Color32::WHITE)));
}

/// Writes the coordinates beside the board, so that nothing on the squares hides them.
fn draw_coordinates(painter: &Painter, cx: &Cx<'_>, geometry: &Geometry) {
    let side = geometry.side();
    let font = FontId::proportional((side * 0.19).clamp(9.0, 22.0));
    let (file, rank) = (geometry.left_file(), geometry.bottom_rank());
    for nth in 0..8_u8 {
        let row = Square::from_coords(file, nth).map(|square| (square, (nth + 1).to_string()));
        if let Some((square, text)) = row {
            let at = pos2(geometry.whole().left() + side * GUTTER * 0.5, geometry.square(square).center().y);
            painter.text(at, Align2::CENTER_CENTER, text, font.clone(), cx.theme.muted);
        }
        let column = Square::from_coords(nth, rank).map(|square| (square, char::from(b'a' + nth)));
        if let Some((square, text)) = column {
            let at =
                pos2(geometry.square(square).center().x, geometry.whole().bottom() - side * GUTTER * 0.5);
            painter.text(at, Align2::CENTER_CENTER, text, font.clone(), cx.theme.muted);
        }
    }
}

/// Marks a square that a piece may go to: with a dot, or with a ring around the piece that stands there.
fn draw_light(painter: &Painter, rect: Rect, taken: bool) {
    let ink = translucent(MARK, 150);
    if taken {
        painter.circle_stroke(rect.center(), rect.width() * 0.43, Stroke::new(rect.width() * 0.07, ink));
    } else {
        painter.circle_filled(rect.center(), rect.width() * 0.10, ink);
    }
}

fn draw_pieces(painter: &Painter, cx: &Cx<'_>, geometry: &Geometry, look: &BoardLook<'_>, state: BoardState) {
    for (square, piece) in look.board.pieces() {
        let rect = geometry.square(square);
        let tint = if state.dragged == Some(square) { Color32::from_white_alpha(70) } else { Color32::WHITE };
        let dark = look.dim == Dim::All || (look.dim == Dim::Unlit && !look.lights.contains(&square));
        if dark && piece.color == Color::Black {
            // A black piece on a darkened square needs a light ground to be seen.
            painter.circle_filled(rect.center(), rect.width() * 0.40, Color32::from_white_alpha(34));
        }
        cx.art.piece(painter, stands_at(rect, look), piece, tint);
        if look.stand_ins.contains(&square) {
            draw_stand_in(painter, cx, rect);
        }
    }
    for square in look.wrong {
        let rect = geometry.square(*square);
        marks::draw_wrong(painter, rect, "");
    }
}

/// Where a piece stands on its square: where cards lie under squares, above the strip that names them.
fn stands_at(square: Rect, look: &BoardLook<'_>) -> Rect {
    if look.under.is_empty() {
        return square.shrink(square.width() * 0.03);
    }
    let side = square.width() * (1.0 - STRIP);
    Rect::from_min_size(pos2(square.center().x - side / 2.0, square.top()), Vec2::splat(side))
}

/// Draws the cards that lie under squares, each small in the square's lower left corner: the rank and the sign of the suit.
fn draw_cards(painter: &Painter, geometry: &Geometry, look: &BoardLook<'_>) {
    for (square, card) in look.under {
        let rect = geometry.square(*square);
        let side = rect.width();
        let (rank, suit) = card.split_at(card.len().saturating_sub(1));
        let ink = suit_ink(suit);
        let height = side * STRIP;
        let font = bold_font((side * 0.18).clamp(8.0, 22.0));
        let words = painter.layout_no_wrap(rank_text(rank).to_owned(), font, ink);
        let (pad, sign) = (side * 0.03, side * 0.14);
        let width = pad + words.size().x + pad + sign + pad;
        let at = Rect::from_min_size(pos2(rect.left(), rect.bottom() - height), vec2(width, height));
        painter.rect_filled(at.shrink(side * 0.01), CornerRadius::same(3), translucent(Color32::WHITE, 225));
        painter.galley(pos2(at.left() + pad, at.center().y - words.size().y / 2.0), words, ink);
        let place =
            Rect::from_center_size(pos2(at.right() - pad - sign / 2.0, at.center().y), Vec2::splat(sign));
        crate::art::suit(painter, place, suit, ink);
    }
}

/// A card as people know it: `K♥` for the record's `Kh`, `10♠` for `Ts`.
pub(super) fn card_text(card: &str) -> String {
    let text = |letter: char| match letter {
        'h' => "♥".to_owned(),
        'd' => "♦".to_owned(),
        's' => "♠".to_owned(),
        'c' => "♣".to_owned(),
        other => rank_text(&other.to_string()).to_owned(),
    };
    card.chars().map(text).collect()
}

/// Draws a small `=` beside a stand-in.
fn draw_stand_in(painter: &Painter, cx: &Cx<'_>, rect: Rect) {
    let at = Rect::from_center_size(
        rect.right_top() + vec2(-0.16, 0.16) * rect.width(),
        Vec2::splat(rect.width() * 0.26),
    );
    painter.circle_filled(at.center(), at.width() * 0.5, cx.theme.panel);
    painter.text(at.center(), Align2::CENTER_CENTER, "=", bold_font(at.width() * 0.8), cx.theme.text);
}

/// The name of a square with its piece: `e4 white knight`, or `e4`.
pub(super) fn square_words(words: &Words, square: Square, piece: Option<Piece>) -> String {
    match piece {
        Some(piece) => format!("{square} {}", words.piece(piece)),
        None => square.to_string(),
    }
}

/// The name of a square with its piece and its marks, so that screen readers announce the marks too.
fn square_name(cx: &Cx<'_>, look: &BoardLook<'_>, chosen: Option<Square>, square: Square) -> String {
    let mut name = square_words(cx.words, square, look.board[square]);
    if let Some((_, card)) = look.under.iter().find(|(at, _)| *at == square) {
        name = format!("{name}, {}", card_text(card));
    }
    let marks = [
        (chosen == Some(square), "mark-chosen"),
        (look.lights.contains(&square), "mark-lit"),
        (look.last.contains(&square), "mark-last"),
        (look.check == Some(square), "mark-check"),
        (look.wrong.contains(&square), "mark-wrong"),
        (look.stand_ins.contains(&square), "mark-stand-in"),
    ];
    let marks = marks.into_iter().filter(|(marked, _)| *marked).map(|(_, mark)| mark);
    // What a card means is said once for a square, even if many of its steps lead there.
    let mut cards: Vec<&str> = look.card_marks.iter().filter_map(|mark| mark.word_on(square)).collect();
    cards.sort_unstable();
    cards.dedup();
    for mark in marks.chain(cards) {
        name = format!("{name}, {}", cx.t(mark));
    }
    name
}

fn name_squares(ui: &Ui, cx: &Cx<'_>, geometry: &Geometry, look: &BoardLook<'_>) {
    for square in Square::all() {
        let id = ui.scope_id().with(("board-view", square.index()));
        let response = ui.interact(geometry.square(square), id, Sense::hover());
        name_with(&response, Kind::Label, || square_name(cx, look, None, square));
    }
}

fn touches_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    geometry: &Geometry,
    look: &BoardLook<'_>,
    state: &mut BoardState,
) -> Option<Touch> {
    let mut touch = None;
    for square in Square::all() {
        let id = ui.scope_id().with(("square", square.index()));
        // A square gets no keyboard focus: 64 stops in the order of focus would be too many.
        let response = ui.interact(geometry.square(square), id, Sense::CLICK | Sense::DRAG);
        let chosen = state.chosen;
        name_with(&response, Kind::Button, || square_name(cx, look, chosen, square));
        if response.clicked() {
            touch = Some(Touch::Click(square));
        }
        if response.drag_started() && look.board[square].is_some() {
            state.dragged = Some(square);
        }
    }
    let pointer = ui.input(|input| input.pointer.latest_pos());
    if let (Some(from), Some(pos)) = (state.dragged, pointer) {
        if let Some(piece) = look.board[from] {
            let rect = Rect::from_center_size(pos, Vec2::splat(geometry.side() * 1.1));
            cx.art.piece(ui.painter(), rect, piece, Color32::WHITE);
        }
        if ui.input(|input| input.pointer.any_released()) {
            state.dragged = None;
            touch = geometry.at(pos).filter(|to| *to != from).map(|to| Touch::Drag(from, to)).or(touch);
        }
    }
    touch
}

fn keyboard_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    geometry: &Geometry,
    look: &BoardLook<'_>,
    state: &mut BoardState,
) -> Option<Touch> {
    let id = board_focus_id();
    let response = ui.interact(geometry.rect, id, Sense::focusable_noninteractive());
    let cursor = state.cursor.unwrap_or_else(|| {
        Square::from_coords(4, if look.below == Color::White { 0 } else { 7 }).unwrap_or_else(first)
    });
    let chosen = state.chosen;
    name_with(&response, Kind::Group, || {
        cx.words.with("board-cursor", &[("square", square_name(cx, look, chosen, cursor).into())])
    });
    response.ctx.accesskit_node_builder(id, |node| node.set_role(egui::accesskit::Role::Grid));
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    let ring = Stroke::new(3.0, cx.theme.focus);
    ui.painter().rect_stroke(geometry.rect, CornerRadius::ZERO, ring, StrokeKind::Outside);
    let mut cursor = cursor;
    for (key, right, up) in
        [(Key::ArrowLeft, -1, 0), (Key::ArrowRight, 1, 0), (Key::ArrowUp, 0, 1), (Key::ArrowDown, 0, -1)]
    {
        for _ in 0..ui.input(|input| input.num_presses(key)) {
            cursor = geometry.step(cursor, right, up);
        }
    }
    state.cursor = Some(cursor);
    let rect = geometry.square(cursor);
    ui.painter().rect_stroke(rect, CornerRadius::ZERO, Stroke::new(4.0, cx.theme.focus), StrokeKind::Inside);
    ui.painter().rect_stroke(
        rect.shrink(4.0),
        CornerRadius::ZERO,
        Stroke::new(1.5, Color32::BLACK),
        StrokeKind::Inside,
    );
    ui.input(|input| input.key_pressed(Key::Enter)).then_some(Touch::Click(cursor))
}

fn first() -> Square {
    Square::all().next().expect("a board has squares")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_lie_where_each_side_sees_them() {
        let rect = Rect::from_min_size(Pos2::ZERO, Vec2::splat(80.0));
        let a1: Square = "a1".parse().expect("a square");
        for (below, corner) in [(Color::White, pos2(5.0, 75.0)), (Color::Black, pos2(75.0, 5.0))] {
            let geometry = Geometry { rect, below };
            assert_eq!(geometry.at(corner), Some(a1), "{below} below");
            assert_eq!(geometry.square(a1).center(), corner);
        }
    }

    #[test]
    fn arrows_move_as_the_screen_shows_it_and_stay_on_the_board() {
        let rect = Rect::from_min_size(Pos2::ZERO, Vec2::splat(80.0));
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let black = Geometry { rect, below: Color::Black };
        assert_eq!(black.step(square("e4"), 1, 0), square("d4"));
        assert_eq!(black.step(square("e4"), 0, 1), square("e3"));
        assert_eq!(black.step(square("a1"), 1, 1), square("a1"));
    }
}
