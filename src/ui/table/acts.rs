//! What keys and buttons do wherever there is a table or a clock: stop the clocks, let them go on, take back.

use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::Turn;
use tabiya_engine::table::{Author, Common, PressMode, Ruling};
use tabiya_types::Color;

use super::state::TableState;
use crate::cx::Cx;
use crate::keys::Command;

/// Whether the present turn has an action that was not pressed yet.
pub(crate) fn is_open(view: &TableView) -> bool {
    matches!(view.turn, Turn::Timed { acted: true, .. }) && view.outcome.is_none()
}

/// Whether the player to move has acted and not pressed: in the table's record, or on a board that has told it. At events
/// nobody is told what a board shows.
pub(crate) fn waits_for_press(view: &TableView) -> bool {
    let told = !view.is_event() && view.agreement.terms.press == PressMode::Clock;
    let seen = view.seen_action.is_some() && view.waiting_press.is_none() && view.board_press.is_some();
    is_open(view) || told && seen
}

/// Whose press waits for the board and does not count meanwhile, so that it can be taken back. At events the clocks stay as
/// pressed, and the arbiter decides.
pub(crate) fn press_to_take_back(view: &TableView) -> Option<Color> {
    let (by, _) = view.waiting_press?;
    (!view.is_event() && view.clock.turn() == Some(by)).then_some(by)
}

/// Presses the clock, of this side or of the one that runs. A second press takes back the first, if that one waits for the
/// board.
pub(crate) fn press(cx: &mut Cx<'_>, view: &TableView, by: Option<Color>) {
    let waits = press_to_take_back(view).filter(|waits| by.is_none_or(|by| by == *waits));
    cx.wish(if waits.is_some() { Wish::TakeBack(1) } else { Wish::Press(by) });
}

/// Handles the keys that work wherever there is a clock.
pub(crate) fn clock_keys(cx: &mut Cx<'_>, view: &TableView) {
    if cx.takes(Command::Press) {
        press(cx, view, None);
    }
    if cx.takes(Command::Pause) {
        pause(cx, view);
    }
    if cx.takes(Command::Turn) {
        cx.set(|settings| settings.black_below = !settings.black_below);
    }
}

/// Asks about the next action to take back. At events only the arbiter takes back, in the drawer.
pub(super) fn take_back(cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    if view.is_event() {
        cx.open_drawer = true;
        return;
    }
    // A press that waits is taken back at once, without a question.
    if view.waiting_press.is_some() && state.take_back.is_none() {
        cx.wish(Wish::TakeBack(1));
        return;
    }
    let open = state.take_back.filter(|_| cx.snapshot.question.is_some());
    let count = open.map_or(1, |count| count + 1);
    state.take_back = Some(count);
    cx.wish(Wish::TakeBack(count));
}

/// Stops the clocks, or lets them go on, at once. The reason may follow, and goes into the record with *Go on*.
pub(crate) fn pause(cx: &mut Cx<'_>, view: &TableView) {
    let by = Author::Arbiter;
    cx.enter(if view.clock.paused() { Common::Resume(by) } else { Common::Pause(by) });
}

/// Lets the clocks go on. A reason that was given goes into the record first.
pub(super) fn go_on(cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let reason = std::mem::take(&mut state.reason);
    state.other_reason = false;
    if !reason.trim().is_empty() {
        cx.enter(Ruling::because(reason.trim()));
    }
    pause(cx, view);
}
