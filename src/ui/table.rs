//! The table: board, seats, pot, what comes next, and the controls for it.
//!
//! Reads like a table looks: the board on one side; on the other the seat across, the middle with the
//! pot and what is to be done, and the seat below.

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
use tabiya_engine::table::{Audience, By, Common};
use tabiya_types::{Card, Color, Square};

use self::betting::RaiseDraft;
use super::board::{BoardLook, BoardState, board_ui};
use super::cx::Cx;
use super::keys::Command;

/// What the table's screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct TableState {
    board: BoardState,
    raise: RaiseDraft,
    /// The piece that the open card shall become, where there is a choice.
    piece: Option<Card>,
    /// A pawn that has reached the last rank and waits for its new piece: from, to.
    promotion: Option<(Square, Square)>,
    /// The line that is typed.
    typed: String,
    /// Whether the typed line gets the keyboard in the next frame.
    focus_typed: bool,
    /// Something that has to be said twice, and how many lines the record had when it was asked.
    sure: Option<(Sure, usize)>,
}

/// What has to be said twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sure {
    /// Folding with nothing to call.
    Fold(Color),
    /// Resigning.
    Resign(Color),
}

/// The distance between groups.
const GAP: f32 = 8.0;
/// The board takes at most so much of the width.
const BOARD_SHARE: f32 = 0.60;
/// The part of the height that a seat takes, and its bounds.
const SEAT_SHARE: f32 = 0.19;
const SEAT_BOUNDS: (f32, f32) = (124.0, 230.0);
/// The height of a seat in one row, and the least height of what lies between the seats.
const COMPACT_SEAT: f32 = 84.0;
const MIDDLE: f32 = 300.0;

/// Draws the whole table into what is left of the window.
pub(super) fn table_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let area = ui.available_rect_before_wrap();
    // Large words need room more than a large board does.
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
    // Between the seats there has to be room for what is to be done: where words are large and the window
    // is small, the seats become one row each.
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
    let lights = touch::lights(view, state);
    let refused = cx.snapshot.refused.clone();
    let wrong = refused.as_ref().filter(|refused| refused.to == Audience::Players || !view.is_event());
    // At events what is wrong with the board can betray a false move: the arbiter reads it in his drawer.
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

/// What keys do wherever there is a clock.
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

/// What keys do at the table, whatever stage it is at.
fn keys(cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    clock_keys(cx, view);
    let take_back = Common::Undo { by: None, reason: None };
    for (command, common) in [(Command::Undo, take_back), (Command::Redo, Common::Redo { by: None })] {
        if cx.takes(command) {
            if view.is_event() {
                cx.open_drawer = true;
            } else {
                cx.enter(common);
            }
        }
    }
    if cx.takes(Command::Next) && view.may_go_on() {
        cx.enter(Common::Next(Group::new()));
    }
    if cx.takes(Command::Type) {
        state.focus_typed = true;
    }
    // The arbiter's questions are answered where they are shown.
    let asked = cx.snapshot.question.as_ref().filter(|asked| asked.to == Audience::Players || cx.drawer);
    if asked.is_some() && state.sure.is_none() {
        if cx.takes(Command::Yes) {
            cx.wish(Wish::Yes);
        }
        if cx.takes(Command::No) {
            cx.wish(Wish::No);
        }
    }
}

/// Stops the clocks, or lets them go on. At events that is the arbiter's, with a reason: his drawer is
/// opened for it.
pub(super) fn pause(cx: &mut Cx<'_>, view: &TableView) {
    if view.is_event() {
        cx.open_drawer = true;
    } else {
        pause_now(cx, view);
    }
}

/// The same, by whoever may.
pub(super) fn pause_now(cx: &mut Cx<'_>, view: &TableView) {
    let by = By::Arbiter;
    cx.enter(if view.clock.paused() { Common::Resume(by) } else { Common::Pause(by) });
}
