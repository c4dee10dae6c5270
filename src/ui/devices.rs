//! The page of the devices: the boards that are connected or were found, card readers, the players' keypads, keys that are levers of the
//! clock, simulated boards, and beside
//! them a test of the connected board's squares or the simulated board. Addresses and raw bytes are for experts.

mod boards;
mod experts;
mod keypads;
mod levers;
mod simulated;
mod squares;

use egui::{Rect, ScrollArea, Ui, UiBuilder, pos2};
use tabiya_types::Piece;

use super::board::BoardState;
use super::cx::Cx;
use super::levers::Lever;

/// What the screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct DevicesState {
    address: Option<String>,
    capture: String,
    board: BoardState,
    /// The piece that a click puts on the simulated board.
    box_piece: Option<Piece>,
    pulled: bool,
    /// Whether the part for experts is open.
    experts: bool,
    /// The lever for which the user is about to press a key.
    lever: Option<Lever>,
    /// Why the last key became no lever's.
    lever_refused: Option<String>,
}

impl DevicesState {
    /// Whether the next pressed key becomes a lever's. That key press must have no other effect.
    pub(super) fn takes_keys(&self) -> bool {
        self.lever.is_some()
    }

    /// Stops waiting for a key, because another screen is shown.
    pub(super) fn forget_keys(&mut self) {
        (self.lever, self.lever_refused) = (None, None);
    }
}

/// A page that is narrower than this, in rem, has one column.
const ONE_COLUMN: f32 = 50.0;
/// The share of the page that boards and readers take.
const LEFT: f32 = 0.58;

/// Draws the screen.
pub(super) fn devices_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    if area.width() / cx.sizes.rem < ONE_COLUMN {
        column(ui, area, "devices", |ui| {
            left_ui(ui, cx, state);
            let side = ui.available_width().min(cx.sizes.px(420.0));
            right_ui(ui, cx, state, side);
        });
        return;
    }
    let cut = area.left() + area.width() * LEFT;
    let gap = cx.sizes.px(10.0);
    let left = Rect::from_min_max(area.min, pos2(cut - gap, area.bottom()));
    column(ui, left, "devices", |ui| left_ui(ui, cx, state));
    let right = Rect::from_min_max(pos2(cut + gap, area.top()), area.max);
    column(ui, right, "squares", |ui| {
        // The board leaves room for what stands above and below it.
        let side = (right.height() - cx.sizes.px(250.0)).min(right.width() - cx.sizes.px(12.0));
        right_ui(ui, cx, state, side.max(cx.sizes.px(180.0)));
    });
}

/// Draws a column that scrolls if it has to.
fn column(ui: &mut Ui, area: Rect, id: &str, draw: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
        ScrollArea::vertical().id_salt(id).auto_shrink(false).show(ui, draw);
    });
}

fn left_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    boards::boards_ui(ui, cx);
    super::readers::readers_ui(ui, cx);
    keypads::keypads_ui(ui, cx);
    levers::levers_ui(ui, cx, state);
    simulated::choose_ui(ui, cx, state);
    experts::experts_ui(ui, cx, state);
}

fn right_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState, side: f32) {
    match cx.snapshot.board.simulated {
        Some(simulated) => simulated::simulator_ui(ui, cx, state, &simulated, side),
        None => squares::test_ui(ui, cx, side),
    }
}
