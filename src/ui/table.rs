//! The table: board, seats, pot, prompt, and the controls for the next action.
//!
//! The layout follows a real table: the board on one side; on the other side the opposite seat, the prompt with its
//! controls in the middle, and the near seat. Every part has its place; nothing that appears moves another part.

pub(super) mod acts;
mod answer;
mod armed;
mod betting;
mod calm;
mod cards;
mod chess;
pub(super) mod clock_look;
mod compact;
mod course;
mod flights;
mod foot;
mod hands;
mod head;
pub(super) mod joker;
mod laid;
mod middle;
mod own_cards;
mod promotion;
pub(super) mod questions;
mod repair;
mod result;
mod said;
pub(super) mod seat;
pub(super) mod seat_cards;
mod sheet;
mod simulated;
mod sizes;
pub(super) mod state;
mod stopped;
mod study;
mod touch;

use egui::layers::ShapeIdx;
use egui::{Rect, Ui, UiBuilder, pos2, vec2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Group, Phase, Verb};
use tabiya_engine::table::{Audience, Common};
use tabiya_types::{Board, ByColor, Color, Piece, Square};

use self::acts::{clock_keys, go_on, is_open, take_back, waits_for_press};
use self::calm::is_held;
use self::promotion::Promotion;
use self::state::TableState;
use super::arbiter::ArbiterState;
use super::board::{BoardLook, Dim, board_ui};
use super::cx::Cx;
use super::fixes::{Fix, Repair, fixes, follow};
use super::focus::Focus;
use super::keys::Command;
use super::kit::panel;
use super::landmarks::jump;
use super::theme::{DRAWER_SLIDES, MARK, ON_PILL, bold_font};
use super::widgets::{name, translucent};

/// The least width of the column beside the board, in rem; and with large words.
const COLUMN: f32 = 22.0;
const LARGE_COLUMN: f32 = 25.0;
/// A window that is narrower than this, in rem, is small: the prompt stands under the board, and a seat has its cards
/// beside the name.
const SMALL: f32 = 60.0;
/// The share of the height that a seat takes: in a usual window, in a small one, and with large words.
const SEAT: f32 = 0.2555;
const SMALL_SEAT: f32 = 0.28;
const LARGE_SEAT: f32 = 0.30;
/// With large words in a low window (of fewer rem than this) the seats leave more room to the controls.
const LOW_WINDOW: f32 = 28.0;
const LOW_SEAT: f32 = 0.245;
/// The height of a seat beside the arbiter's drawer, for a rem of 16 points.
const COMPACT_SEAT: f32 = 74.0;
/// In a high window (of more rem than this) the clocks are larger, as the plates are wider there.
const HIGH_TABLE: f32 = 47.0;
const HIGH_SEAT: f32 = 0.29;
/// In a low window (of fewer rem than this) with usual words the seats leave more room to the controls.
const LOW_TABLE: f32 = 42.0;
const LOW_TABLE_SEAT: f32 = 0.24;
const LOW_ROWS_SEAT: f32 = 0.215;
/// The share of a seat where the middle has to show cards.
const CARDS_SEAT: f32 = 0.17;
/// With large words, while the middle has little to show: the clocks grow with the words.
const CALM_SEAT: f32 = 0.398;
/// From this factor on, words are large.
const LARGE: f32 = 1.3;

/// How much the middle has to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MiddleNeeds {
    /// The press and the moves.
    Little,
    /// Controls.
    Controls,
    /// Controls in several rows: bets, hands, or a result.
    Rows,
    /// Cards.
    Cards,
}

/// Where the parts stand.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Places {
    board: Rect,
    /// The place of the prompt under the board; `None` if it stands in the middle.
    below_board: Option<Rect>,
    far: Rect,
    middle: Rect,
    near: Rect,
    small: bool,
}

impl Places {
    /// The column beside the board.
    fn column(&self) -> Rect {
        self.far.union(self.near)
    }

    /// The places in an area, for words of this size (in points) and this factor of the setting.
    fn of(area: Rect, rem: f32, words: f32, needs: MiddleNeeds) -> Self {
        let gap = (0.75 * rem).round();
        let small = area.width() / rem < SMALL;
        let large = words >= LARGE;
        let column = rem * if large { LARGE_COLUMN } else { COLUMN };
        let room = (area.width() - gap - column).max(area.width() * 0.32);
        // A small window keeps room for the prompt under the board.
        let below = if small { rem * 4.6 } else { 0.0 };
        let side = (area.height() - below).min(room).max(8.25 * 12.0);
        let board = Rect::from_min_size(area.min, vec2(side, side));
        let left = board.right() + gap;
        let share = match (small, large) {
            _ if needs == MiddleNeeds::Cards => CARDS_SEAT,
            (_, true) if needs == MiddleNeeds::Little => CALM_SEAT,
            (_, true) if area.height() / rem < LOW_WINDOW => LOW_SEAT,
            (_, true) => LARGE_SEAT,
            (true, false) => SMALL_SEAT,
            (false, false) if area.height() / rem < LOW_TABLE => {
                if needs == MiddleNeeds::Rows {
                    LOW_ROWS_SEAT
                } else {
                    LOW_TABLE_SEAT
                }
            }
            (false, false) if area.height() / rem > HIGH_TABLE => HIGH_SEAT,
            (false, false) => SEAT,
        };
        let seat = (area.height() * share).round();
        let far = Rect::from_min_max(pos2(left, area.top()), pos2(area.right(), area.top() + seat));
        let near = Rect::from_min_max(pos2(left, area.bottom() - seat), area.max);
        let middle = Rect::from_min_max(pos2(left, far.bottom() + gap), pos2(area.right(), near.top() - gap));
        let under = Rect::from_min_max(
            pos2(area.left(), board.bottom() + gap * 0.5),
            pos2(board.right(), area.bottom()),
        );
        Self { board, below_board: small.then_some(under), far, middle, near, small }
    }
}

/// Draws the whole table into the remaining area of the window.
pub(super) fn table_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    arbiter: &mut ArbiterState,
) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    cx.holds = state.pointer.moves_over_controls(cx);
    keys(cx, view, state);
    answer::follow(cx, view, state);
    let lists = cx.drawer || state.take_back.is_some();
    if lists != cx.snapshot.last_actions.is_some() {
        cx.wish(Wish::ListActions(lists));
    }
    let differs = differs(cx, view);
    let misplaced = misplaced(cx, view, state, differs.as_ref());
    let differs = differs.filter(|_| misplaced.is_none());
    let asks = cx.snapshot.question.as_ref().is_some_and(|asked| is_held(cx, asked));
    if cx.holds && (asks || differs.is_some() == state.repairs.is_empty()) {
        state.pointer.waits(cx);
    }
    let differs = differs.filter(|_| !cx.holds || !state.repairs.is_empty());
    let now = differs.map(|seen| fixes(&seen, &view.physical)).unwrap_or_default();
    if now.is_empty() && cx.holds {
        state.repairs.iter_mut().for_each(|line| line.done = true);
    } else {
        follow(&mut state.repairs, &now);
    }
    let fixes = state.repairs.clone();
    state.cards_at_seats = own_cards::at_seats(view) && has_high_seats(area, cx);
    let needs = middle_needs(cx, view, state, &fixes);
    let places = Places::of(area, cx.sizes.rem, cx.scale(), needs);
    state.pointer.controls_at(places.middle);
    if view.clock_alone {
        clock_alone_ui(ui, cx, view, arbiter, (area, places));
        return;
    }
    ui.scope_builder(UiBuilder::new().max_rect(places.board), |ui| {
        let back = if cx.drawer { arbiter.takes_back() } else { state.takes_back(cx) };
        let differs = differs.as_ref().map(|seen| (seen, fixes.as_slice()));
        board_part(ui, cx, view, state, Wrong { differs, misplaced, takes_back: back });
    });
    let below = cx.below();
    if cx.drawer {
        drawer_ui(ui, cx, view, arbiter, places);
    } else {
        seat::seat_ui(ui, cx, view, below.other(), places.far, places.small);
        let (mut below_board, mut quiet) = (places.below_board, None);
        if let Some(below) =
            below_board.as_mut().filter(|_| cx.scale() >= LARGE && view.phase == Phase::Chess)
        {
            quiet = middle::quiet_place(cx, below);
        }
        let parts = middle::Parts { middle: places.middle, below_board, quiet, fixes: &fixes };
        middle::middle_ui(ui, cx, view, state, &parts);
        if std::mem::take(&mut state.wants_clocks) {
            arbiter.turn_to_clocks();
            cx.open_drawer = true;
        }
        seat::seat_ui(ui, cx, view, below, places.near, places.small);
        drawer_closes(ui, cx, places.column());
    }
    let (near, far) = (places.near, places.far);
    let seats = ByColor { white: near, black: far };
    let seats = if below == Color::White { seats } else { ByColor { white: far, black: near } };
    state.flights.follow(ui.painter(), cx, view, &seats);
}

/// Whether the seats have room for a card with its words.
fn has_high_seats(area: Rect, cx: &Cx<'_>) -> bool {
    let rem = cx.sizes.rem;
    area.width() / rem >= SMALL && area.height() / rem >= LOW_TABLE && cx.scale() < LARGE
}

/// How much the middle has to show now.
fn middle_needs(cx: &Cx<'_>, view: &TableView, state: &TableState, fixes: &[Repair]) -> MiddleNeeds {
    let asks = state.take_back.is_some() || cx.snapshot.question.is_some() || view.clock.paused();
    if own_cards::are_there(view) && !state.cards_at_seats {
        MiddleNeeds::Cards
    } else if view.bet.is_some() || view.poker.is_some() || view.outcome.is_some() {
        MiddleNeeds::Rows
    } else if view.phase != Phase::Chess || asks || !fixes.is_empty() || cx.drawer {
        MiddleNeeds::Controls
    } else {
        MiddleNeeds::Little
    }
}

/// How far the drawer is open, 0 to 1.
fn drawer_share(cx: &Cx<'_>) -> f32 {
    cx.motion.toward("drawer", if cx.drawer { 1.0 } else { 0.0 }, DRAWER_SLIDES, cx.now)
}

/// The part of the column that a drawer covers which is open to this share. It comes from the right.
fn covered(column: Rect, share: f32) -> Rect {
    column.with_min_x(column.right() - column.width() * share)
}

/// Draws the drawer while it closes: its ground slides away over what can be used again already.
fn drawer_closes(ui: &Ui, cx: &Cx<'_>, column: Rect) {
    let share = drawer_share(cx);
    if share > 0.0 {
        panel::ground(ui.painter(), cx.theme, covered(column, share));
    }
}

/// Draws the drawer while it opens: its edge slides over what stands where it will stay.
fn drawer_opens(ui: &Ui, cx: &Cx<'_>, column: Rect, from: ShapeIdx) {
    let share = drawer_share(cx);
    if share >= 1.0 {
        return;
    }
    let covered = covered(column, share);
    ui.ctx().graphics_mut(|layers| {
        let list = layers.entry(ui.layer_id());
        for shape in from.0..list.next_idx().0 {
            // Only what is seen is cut: everything can be used from the first frame.
            list.mutate_shape(ShapeIdx(shape), |drawn| drawn.clip_rect = drawn.clip_rect.intersect(covered));
        }
    });
    let edge = egui::Stroke::new(2.0, cx.theme.line);
    ui.painter().vline(covered.left(), covered.y_range(), edge);
}

/// Draws the arbiter's drawer between the seats, which shrink; the board does not move.
fn drawer_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, arbiter: &mut ArbiterState, places: Places) {
    let from = ui.ctx().graphics_mut(|layers| layers.entry(ui.layer_id()).next_idx());
    let high = cx.sizes.px(COMPACT_SEAT).min(places.far.height());
    let gap = cx.sizes.px(8.0);
    let far = Rect::from_min_max(places.far.min, pos2(places.far.right(), places.far.top() + high));
    let near = Rect::from_min_max(pos2(places.near.left(), places.near.bottom() - high), places.near.max);
    for (color, place) in [(cx.below().other(), far), (cx.below(), near)] {
        if let Some(ms) = compact::seat_ui(ui, cx, view, color, place) {
            super::arbiter::gain(cx, view, arbiter, color, ms);
        }
    }
    let drawer =
        Rect::from_min_max(pos2(far.left(), far.bottom() + gap), pos2(far.right(), near.top() - gap));
    super::arbiter::arbiter_ui(ui, cx, view, arbiter, drawer);
    drawer_opens(ui, cx, places.column(), from);
}

/// Draws a clock without a board; the arbiter's drawer stands beside it.
fn clock_alone_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    arbiter: &mut ArbiterState,
    (area, places): (Rect, Places),
) {
    let mut face = area;
    if cx.drawer {
        face.max.x = places.far.left() - cx.sizes.px(12.0);
        let column = Places {
            far: area.with_min_x(places.far.left()),
            near: area.with_min_x(places.far.left()),
            ..places
        };
        drawer_ui(ui, cx, view, arbiter, column);
    }
    ui.scope_builder(UiBuilder::new().max_rect(face), |ui| {
        ui.shrink_clip_rect(face);
        super::face::face_ui(ui, cx, view);
    });
    if !cx.drawer {
        drawer_closes(ui, cx, area.with_min_x(places.far.left()));
    }
}

/// The board, if it differs from the table's position in a way that people have to put right and may see. At events a
/// fault on the board can reveal a wrong move, so only the arbiter sees it.
fn differs(cx: &Cx<'_>, view: &TableView) -> Option<Board> {
    cx.snapshot.differs.filter(|_| view.outcome.is_none() && (!view.is_event() || cx.drawer))
}

/// What is to be changed on the board.
#[derive(Clone, Copy)]
struct Wrong<'a> {
    /// The board that has to be put right, and how.
    differs: Option<(&'a Board, &'a [Repair])>,
    /// The piece that was put where it may not stand.
    misplaced: Option<(Piece, Square)>,
    /// How many of the last actions are to be taken back.
    takes_back: Option<usize>,
}

fn board_part(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    Wrong { differs, misplaced, takes_back }: Wrong<'_>,
) {
    let asked = cx.snapshot.question.as_ref().filter(|asked| asked.to == Audience::Players);
    let asked = asked.map(|asked| asked.squares.clone()).filter(|squares| !squares.is_empty());
    let placing = view.may(Verb::Place);
    let lights = asked.unwrap_or_else(|| touch::lights(view, state));
    // What stands right on the board waits for the press alone.
    let lights = if placing && waits_for_press(view) { Vec::new() } else { lights };
    let refused = cx.snapshot.refused.clone();
    let wrong = refused.as_ref().filter(|refused| refused.to == Audience::Players || !view.is_event());
    let betting = view.has_chips() && matches!(view.phase, Phase::Deal | Phase::Bet);
    let seen = view.seen_action.as_ref().filter(|_| !view.is_event());
    // On a simulated board people move the pieces with the mouse, and the table sees them through its port.
    let simulated = cx.snapshot.board.simulated.as_ref().map(|simulated| simulated.board);
    let lit = placing && !lights.is_empty();
    let dim = if differs.is_some() { Dim::Nothing } else { dim(betting, lit) };
    let card_marks = if differs.is_some() { Vec::new() } else { own_cards::marks(view, state) };
    // While a use of a card is chosen, the board shows what was chosen so far.
    let chosen = own_cards::board(view, state).filter(|_| simulated.is_none());
    let stands = chosen.as_ref().or(simulated.as_ref()).unwrap_or(&view.board);
    let misplaced = misplaced.filter(|_| takes_back.is_none());
    let promotion = Promotion::waiting(view, state).filter(|_| differs.is_none());
    let with_it = with_pieces(stands, misplaced, promotion.as_ref());
    let stands = &with_it;
    let dim = if promotion.is_some() { Dim::All } else { dim };
    let back = if differs.is_some() { Vec::new() } else { goes_back(cx, takes_back, stands) };
    let mut marked = wrong.map(|refused| refused.squares.clone()).unwrap_or_default();
    marked.extend(misplaced.map(|(_, at)| at).filter(|at| !marked.contains(at)));
    let look = BoardLook {
        board: differs.map_or(stands, |(seen, _)| seen),
        below: cx.below(),
        lights: if differs.is_some() { &[] } else { &lights },
        last: seen.map_or(&view.last_move, |seen| &seen.squares),
        open: is_open(view) || seen.is_some(),
        check: view.check,
        wrong: &marked,
        stand_ins: &view.stand_ins,
        under: &view.under,
        card_marks: &card_marks,
        fixes: differs.map_or(&[], |(_, fixes)| fixes),
        goes_back: &back,
        dim,
        live: promotion.is_none(),
    };
    let side = ui.available_width().min(ui.available_height());
    let corner = ui.available_rect_before_wrap().min;
    if let Some(touched) = board_ui(ui, cx, side, &look, &mut state.board) {
        touch::on_board(cx, view, state, (simulated.as_ref(), touched));
    }
    let squares = super::board::Geometry::new(ui, corner, side, cx.below());
    if let Some(promotion) = promotion {
        promotion.choose_ui(ui, cx, state, &squares);
    }
    // What has to be put right is seen whole.
    if betting && differs.is_none() {
        state.flights.pot_at(pot_on_board(ui, cx, view, squares.squares()));
    }
}

/// The board with a piece on the square where it was refused, and with a pawn on the last rank while its new piece is chosen.
fn with_pieces(stands: &Board, refused: Option<(Piece, Square)>, promotion: Option<&Promotion>) -> Board {
    let mut board = *stands;
    if let Some((piece, at)) = refused {
        board[at] = Some(piece);
    }
    promotion.map_or(board, |promotion| promotion.board(&board))
}

/// What of the board is dimmed: all of it during the betting, and what is not lit while some squares are.
fn dim(betting: bool, lit: bool) -> Dim {
    match (betting, lit) {
        (true, _) => Dim::All,
        (false, true) => Dim::Unlit,
        (false, false) => Dim::Nothing,
    }
}

/// The piece that was put on a square where it may not stand, before any press, and that square: a click that was refused, or what
/// a connected board shows. The rest of the board stands right, so the player only has to put this piece elsewhere.
fn misplaced(
    cx: &Cx<'_>,
    view: &TableView,
    state: &TableState,
    differs: Option<&Board>,
) -> Option<(Piece, Square)> {
    // At events only the arbiter sees what the board shows, and sees all of it.
    let told = !view.is_event() || differs.is_none();
    let by = view.mover().filter(|_| told && view.may(Verb::Place) && view.waiting_press.is_none())?;
    let zone = touch::lights(view, state);
    let role = touch::piece(view, state).filter(|_| !zone.is_empty())?.role();
    if let Some(seen) = differs {
        let mut wrong = seen.differences(&view.physical);
        let (at, None) = (wrong.next()?, wrong.next()) else { return None };
        let piece = seen[at].filter(|piece| piece.color == by && view.physical[at].is_none())?;
        return Some((piece, at));
    }
    let refused = cx.snapshot.refused.as_ref();
    let [at] = refused.filter(|refused| refused.to == Audience::Players || !view.is_event())?.squares[..]
    else {
        return None;
    };
    let free = view.board[at].is_none() && !zone.contains(&at);
    free.then_some((Piece { color: by, role }, at))
}

/// What changes on the board if so many of the last actions are taken back.
fn goes_back(cx: &Cx<'_>, count: Option<usize>, stands: &Board) -> Vec<Fix> {
    let actions = cx.snapshot.last_actions.as_deref();
    let oldest = count.and_then(|count| actions?.get(count.checked_sub(1)?));
    oldest.map(|action| fixes(stands, &action.board)).unwrap_or_default()
}

/// Draws the pot on the board, and what each player has bet on this street before its owner. Returns where the pot is.
fn pot_on_board(ui: &Ui, cx: &Cx<'_>, view: &TableView, board: Rect) -> Rect {
    let square = board.width() / 8.0;
    let pot = view.stakes.pot().0;
    let put = |color: Color| view.bet.map_or(0, |bet| bet.put[color].0);
    let place =
        Rect::from_center_size(board.center() + vec2(0.0, square * 0.16), vec2(square * 5.0, square * 2.05));
    panel::pot_on_board(ui.painter(), cx, place, &cx.t("pot-word"), pot);
    let response = ui.interact(place, ui.scope_id().with("pot"), egui::Sense::hover());
    name(&response, egui::Role::Label, true, &cx.words.with("pot-is", &[("count", pot.into())]));
    for color in Color::ALL {
        let amount = put(color);
        if amount == 0 {
            continue;
        }
        let below = color == cx.below();
        let y = if below { place.bottom() + square * 0.46 } else { place.top() - square * 0.46 };
        let text =
            cx.words.with("bets", &[("name", view.names[color].clone().into()), ("count", amount.into())]);
        let (font, ink) = (bold_font(square * 0.24), ON_PILL);
        let width = ui.painter().layout_no_wrap(text.clone(), font.clone(), ink).size().x.min(square * 5.0);
        let pill =
            Rect::from_center_size(pos2(board.center().x, y), vec2(width + square * 0.7, square * 0.46));
        let corner = egui::CornerRadius::same(panel::round(pill.height() / 2.0));
        ui.painter().rect_filled(pill, corner, translucent(MARK, 215));
        super::kit::write(
            ui.painter(),
            pill.center(),
            egui::Align2::CENTER_CENTER,
            &text,
            (font, ink),
            square * 5.2,
        );
        let response = ui.interact(pill, ui.scope_id().with(("bets", color)), egui::Sense::hover());
        name(&response, egui::Role::Label, true, &text);
    }
    place
}

/// Handles the keys that work at the table at every stage.
fn keys(cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    if view.clock.paused() && cx.takes(Command::Pause) {
        go_on(cx, view, state);
    }
    clock_keys(cx, view);
    state.armed.follow(cx);
    take_back_keys(cx, view, state);
    if cx.takes(Command::Redo) {
        if view.is_event() {
            cx.open_drawer = true;
        } else {
            cx.enter(Common::Redo { by: None });
        }
    }
    if cx.takes(Command::Next) && view.can_start_next() {
        cx.enter(Common::Next(Group::new()));
    }
    if cx.takes(Command::Jump) {
        jump(&cx.ctx);
    }
    if cx.takes(Command::Type) {
        state.focus_typed = true;
    }
    // Keys answer a question only while it is shown. A question to the arbiter is shown only while the drawer
    // is open.
    let asked = cx.snapshot.question.as_ref().filter(|asked| asked.to == Audience::Players || cx.drawer);
    if asked.is_some_and(|asked| !is_held(cx, asked)) {
        if cx.takes(Command::Yes) {
            cx.wish(Wish::Yes);
        }
        if cx.takes(Command::No) {
            cx.wish(Wish::No);
            // Something else was played than what is offered.
            state.focus_typed |= view.waiting_press.is_some();
        }
    }
}

/// The first press of the key asks what is to be taken back, each further press reaches one action further back, and Enter
/// takes back what the question names.
fn take_back_keys(cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let asked = cx.snapshot.question.is_some();
    let gone = (state.take_back_asked && !asked) || cx.snapshot.refused.is_some();
    state.take_back = state.take_back.filter(|_| !gone);
    state.take_back_asked = asked && state.take_back.is_some();
    if cx.takes(Command::Undo) {
        take_back(cx, view, state);
    } else if state.take_back.is_some() && asked {
        let enter = |input: &egui::InputState| input.key_pressed(egui::Key::Enter);
        if cx.focus == Focus::Nothing && cx.ctx.input(enter) {
            cx.wish(Wish::Yes);
            state.take_back = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDS: [MiddleNeeds; 4] =
        [MiddleNeeds::Little, MiddleNeeds::Controls, MiddleNeeds::Rows, MiddleNeeds::Cards];

    fn places_for((width, height): (f32, f32), words: f32, needs: MiddleNeeds) -> Places {
        let rem = crate::theme::rem(vec2(width, height), 100) * words;
        let area = Rect::from_min_max(pos2(12.0, 60.0), pos2(width - 12.0, height - 12.0));
        Places::of(area, rem, words, needs)
    }

    fn places(width: f32, height: f32, words: f32) -> Places {
        places_for((width, height), words, MiddleNeeds::Controls)
    }

    #[test]
    fn no_part_covers_another_and_none_is_cut_in_any_window() {
        for (width, height) in [
            (800.0, 480.0),
            (800.0, 600.0),
            (1024.0, 640.0),
            (1280.0, 800.0),
            (1920.0, 1080.0),
            (3840.0, 2160.0),
        ] {
            for (words, needs) in
                [1.0, 1.5, 2.0].into_iter().flat_map(|words| NEEDS.map(|needs| (words, needs)))
            {
                let places = places_for((width, height), words, needs);
                let parts = [places.board, places.far, places.middle, places.near];
                for (nth, part) in parts.iter().enumerate() {
                    let told = format!("{width}×{height} at {words}: part {nth} of {places:?}");
                    assert!(part.width() >= 90.0 && part.height() >= 30.0, "{told}");
                    assert!(part.right() <= width && part.bottom() <= height, "{told}");
                    let covers = |other: &Rect| part != other && part.intersect(*other).is_positive();
                    assert!(!parts.iter().any(covers), "{told}");
                }
            }
        }
    }

    #[test]
    fn clocks_grow_with_the_words() {
        for size in [(1024.0, 640.0), (1280.0, 800.0), (1920.0, 1080.0)] {
            let seat = |words| places_for(size, words, MiddleNeeds::Little).near.height();
            // The name's row takes two and a quarter rem of it.
            let plate = |words: f32| seat(words) - 2.25 * words * crate::theme::rem(size.into(), 100);
            assert!(
                plate(1.5) > plate(1.0) && plate(2.0) > plate(1.0),
                "{size:?}: {} {}",
                plate(1.0),
                plate(2.0)
            );
        }
    }

    #[test]
    fn the_board_is_as_large_as_it_was_drawn() {
        let square = |width: f32, height: f32| (places(width, height, 1.0).board.width() / 8.25).floor();
        assert!((86.0..=89.0).contains(&square(1280.0, 800.0)), "{}", square(1280.0, 800.0));
        assert!((53.0..=57.0).contains(&square(800.0, 600.0)), "{}", square(800.0, 600.0));
        assert!((115.0..=122.0).contains(&square(1920.0, 1080.0)), "{}", square(1920.0, 1080.0));
    }
}
