//! The table: board, seats, pot, prompt, and the controls for the next action.
//!
//! The layout follows a real table: the board on one side; on the other side the opposite seat, the pot with prompt and
//! controls in the middle, and the near seat.

mod betting;
mod cards;
mod chess;
pub(super) mod middle;
mod result;
pub(super) mod seat;
mod touch;

use egui::{Rect, Ui, UiBuilder, pos2, vec2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::Group;
use tabiya_engine::table::{Audience, Author, Common};
use tabiya_types::{Card, Square};

use self::betting::RaiseDraft;
use super::board::{BoardLook, BoardState, board_ui};
use super::cx::Cx;
use super::keys::Command;

/// What the screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct TableState {
    board: BoardState,
    raise: RaiseDraft,
    /// The piece that the user has chosen for the open card, if the card can become several pieces.
    piece: Option<Card>,
    /// A pawn's move to the last rank (from, to) that waits until the user has chosen the new piece.
    promotion: Option<(Square, Square)>,
    /// The text in the input line.
    typed: String,
    /// Whether the input line gets the keyboard focus in the next frame.
    focus_typed: bool,
}

/// The distance between the parts of the screen.
const GAP: f32 = 8.0;
/// The largest share of the width that the board takes.
const BOARD_SHARE: f32 = 0.60;
/// The share of the height that a seat takes, and the bounds of a seat's height.
const SEAT_SHARE: f32 = 0.19;
const SEAT_BOUNDS: (f32, f32) = (124.0, 230.0);
/// The height of a seat that is drawn in one row, and the least height of the part between the seats.
const COMPACT_SEAT: f32 = 84.0;
const MIDDLE: f32 = 300.0;

/// Draws the whole table into the remaining area of the window.
pub(super) fn table_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let area = ui.available_rect_before_wrap();
    // With large text the words need more room, so the board gets less.
    let large = cx.scale().max(1.0);
    let side = area.height().min(area.width() * BOARD_SHARE / large.sqrt()).max(200.0);
    let board = Rect::from_min_size(area.min, vec2(side, side));
    let right = Rect::from_min_max(pos2(board.right() + GAP, area.top()), area.max);
    keys(cx, view, state);
    if view.clock_alone {
        super::face::face_ui(ui, cx, view);
        return;
    }
    ui.scope_builder(UiBuilder::new().max_rect(board), |ui| board_part(ui, cx, view, state));
    let below = cx.below();
    let seat = (area.height() * SEAT_SHARE).clamp(SEAT_BOUNDS.0, SEAT_BOUNDS.1);
    // The part between the seats needs room for prompt and controls: with large text in a small window each seat
    // becomes one row.
    let left = area.height() - 2.0 * (seat + GAP);
    let seat = if left < MIDDLE * large.min(1.4) { COMPACT_SEAT } else { seat };
    let top = Rect::from_min_size(right.min, vec2(right.width(), seat));
    let bottom = Rect::from_min_max(pos2(right.left(), right.bottom() - seat), right.max);
    let middle =
        Rect::from_min_max(pos2(right.left(), top.bottom() + GAP), pos2(right.right(), bottom.top() - GAP));
    ui.scope_builder(UiBuilder::new().max_rect(top), |ui| seat::seat_ui(ui, cx, view, below.other()));
    ui.scope_builder(UiBuilder::new().max_rect(middle), |ui| middle::middle_ui(ui, cx, view, state));
    ui.scope_builder(UiBuilder::new().max_rect(bottom), |ui| seat::seat_ui(ui, cx, view, below));
}

fn board_part(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let asked = cx.snapshot.question.as_ref().filter(|asked| asked.to == Audience::Players);
    let asked = asked.map(|asked| asked.squares.clone()).filter(|squares| !squares.is_empty());
    let lights = asked.unwrap_or_else(|| touch::lights(view, state));
    let refused = cx.snapshot.refused.clone();
    let wrong = refused.as_ref().filter(|refused| refused.to == Audience::Players || !view.is_event());
    // At events a fault on the board can reveal a wrong move, so only the arbiter's drawer shows the fault.
    let differs = cx.snapshot.board.seen.filter(|_| cx.snapshot.trouble.is_some() && !view.is_event());
    let look = BoardLook {
        board: &view.board,
        below: cx.below(),
        lights: &lights,
        last: &view.last_move,
        check: view.check,
        wrong: wrong.map_or(&[], |refused| &refused.squares),
        stand_ins: &view.stand_ins,
        seen: differs.as_ref().map(|seen| (&view.physical, seen)),
        live: true,
    };
    let side = ui.available_width().min(ui.available_height());
    if let Some(touched) = board_ui(ui, cx, side, &look, &mut state.board) {
        touch::touched(cx, view, state, touched);
    }
}

/// Handles the keys that work wherever there is a clock.
pub(super) fn clock_keys(cx: &mut Cx<'_>, view: &TableView) {
    if cx.takes(Command::Press) {
        cx.wish(Wish::Press(None));
    }
    if cx.takes(Command::Pause) {
        pause(cx, view);
    }
    if cx.takes(Command::Turn) {
        cx.set(|settings| settings.black_below = !settings.black_below);
    }
}

/// Handles the keys that work at the table at every stage.
fn keys(cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    clock_keys(cx, view);
    let take_back = Common::TAKE_BACK;
    for (command, common) in [(Command::Undo, take_back), (Command::Redo, Common::Redo { by: None })] {
        if cx.takes(command) {
            if view.is_event() {
                cx.open_drawer = true;
            } else {
                cx.enter(common);
            }
        }
    }
    if cx.takes(Command::Next) && view.can_start_next() {
        cx.enter(Common::Next(Group::new()));
    }
    if cx.takes(Command::Type) {
        state.focus_typed = true;
    }
    // Keys answer a question only while it is shown. A question to the arbiter is shown only while the drawer
    // is open.
    let asked = cx.snapshot.question.as_ref().filter(|asked| asked.to == Audience::Players || cx.drawer);
    if asked.is_some() {
        if cx.takes(Command::Yes) {
            cx.wish(Wish::Yes);
        }
        if cx.takes(Command::No) {
            cx.wish(Wish::No);
        }
    }
}

/// Pauses or resumes the clocks. At events only the arbiter may do this, and must give a reason, so this opens the
/// arbiter's drawer.
pub(super) fn pause(cx: &mut Cx<'_>, view: &TableView) {
    if view.is_event() {
        cx.open_drawer = true;
    } else {
        pause_now(cx, view);
    }
}

/// Pauses or resumes the clocks at once, without asking for a reason.
pub(super) fn pause_now(cx: &mut Cx<'_>, view: &TableView) {
    let by = Author::Arbiter;
    cx.enter(if view.clock.paused() { Common::Resume(by) } else { Common::Pause(by) });
}
