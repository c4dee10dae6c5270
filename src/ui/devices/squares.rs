//! The sensor test: every square as the board reports it, how often each has changed, which are still to be felt, and
//! squares that change by themselves.

use egui::{Align2, Color32, CornerRadius, Rect, Role, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use tabiya_app::desk::BoardWish;
use tabiya_app::snapshot::LinkState;
use tabiya_types::{Board, Square};

use crate::board::{BoardLook, BoardState, Geometry, board_ui};
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::{fitting, panel, write};
use crate::theme::{MARK, STANDS_WRONG, bold_font};
use crate::widgets::{hint, label, name, translucent};

/// A square that changed at least this often is suspect, if that is far more often than the others.
const OFTEN: u32 = 8;

/// The squares that change by themselves: far more often than the usual square.
fn restless(changes: &[u32; 64]) -> Vec<(Square, u32)> {
    let mut sorted = *changes;
    sorted.sort_unstable();
    // Three quarters of the squares change at most this often.
    let usual = sorted.get(48).copied().unwrap_or(0).max(1);
    let often = |(_, count): &(Square, u32)| *count >= OFTEN && *count >= 3 * usual;
    Square::all().zip(changes.iter().copied()).filter(often).collect()
}

/// Draws the test.
pub(super) fn test_ui(ui: &mut Ui, cx: &mut Cx<'_>, side: f32) {
    let sizes = cx.sizes;
    let on = cx.snapshot.board.changes.is_some();
    let there = cx.snapshot.board.link == LinkState::Connected;
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), sizes.px(40.0)), Sense::hover());
    let title = cx.t("sensor-test");
    let text = cx.t(if on { "sensor-anew" } else { "sensor-on" });
    let font = egui::FontId::proportional(sizes.rem);
    let width = ui.painter().layout_no_wrap(text.clone(), font, Color32::WHITE).size().x + sizes.px(28.0);
    let place = Rect::from_min_max(pos2(row.right() - width, row.top()), row.max);
    let room = row.width() - width - sizes.px(8.0);
    let largest = fitting(ui.painter(), &title, &bold_font, sizes.name(), room);
    let font = (bold_font(largest), cx.theme.text);
    write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &title, font, row.width() - width);
    label(ui, row, "sensor-test", &title);
    let face = ButtonFace::new(Kind::Plain, &text).enabled(there);
    if button_at(ui, cx, place, "sensor", &face).clicked() {
        cx.board(BoardWish::Test(true));
    }
    hint(ui, &cx.t(if there { "sensor-line" } else { "sensor-no-board" }));
    let empty = Board::EMPTY;
    let snapshot = cx.snapshot;
    let board = snapshot.board.seen.as_ref().unwrap_or(&empty);
    let look = BoardLook::plain(board, cx.below());
    let corner = ui.cursor().min;
    board_ui(ui, cx, side, &look, &mut BoardState::default());
    let Some(changes) = snapshot.board.changes.clone() else { return };
    let restless = restless(&changes);
    counts_ui(ui, cx, Geometry::new(ui, corner, side, cx.below()), board, &changes, &restless);
    felt_ui(ui, cx, &changes, side);
    for (square, count) in restless {
        let facts = [("square", square.to_string().into()), ("count", count.into())];
        let text = cx.words.with("restless", &facts);
        let words = panel::lay_out_reason(ui.painter(), cx, side, &text);
        let height = words.size().y + sizes.px(14.0);
        let (place, _) = ui.allocate_exact_size(vec2(side, height), Sense::hover());
        panel::reason(ui.painter(), cx, place, words);
        label(ui, place, &format!("restless-{square}"), &text);
    }
}

/// Draws how many squares have been felt.
fn felt_ui(ui: &mut Ui, cx: &Cx<'_>, changes: &[u32; 64], width: f32) {
    let sizes = cx.sizes;
    let felt = changes.iter().filter(|count| **count > 0).count();
    let text = cx.words.with("squares-felt", &[("count", felt.into())]);
    let (row, _) = ui.allocate_exact_size(vec2(width, sizes.px(28.0)), Sense::hover());
    let font = (bold_font(sizes.rem), cx.theme.text);
    let words = write(ui.painter(), row.left_center(), Align2::LEFT_CENTER, &text, font, row.width() * 0.7);
    let left = words.right() + sizes.px(12.0);
    let whole = Rect::from_min_max(
        pos2(left, row.center().y - sizes.px(5.0)),
        pos2(row.right(), row.center().y + sizes.px(5.0)),
    );
    #[expect(clippy::cast_precision_loss, reason = "64 squares")]
    let share = felt as f32 / 64.0;
    let done = Rect::from_min_size(whole.min, vec2(whole.width() * share, whole.height()));
    ui.painter().rect_filled(whole, CornerRadius::same(3), cx.theme.raised);
    ui.painter().rect_filled(done, CornerRadius::same(3), cx.theme.ivory);
    label(ui, row, "squares-felt", &text);
}

/// Draws the number of changes on every empty square that changed, a ring on every one that has not, and a frame around
/// those that change by themselves.
fn counts_ui(
    ui: &Ui,
    cx: &Cx<'_>,
    geometry: Geometry,
    board: &Board,
    changes: &[u32; 64],
    restless: &[(Square, u32)],
) {
    let dark = MARK;
    for (square, count) in Square::all().zip(changes) {
        let place = geometry.square(square);
        let wrong = restless.iter().any(|(other, _)| *other == square);
        if wrong {
            ui.painter().rect_filled(place, CornerRadius::ZERO, translucent(STANDS_WRONG, 90));
            let frame = Stroke::new(place.width() * 0.05, STANDS_WRONG);
            ui.painter().rect_stroke(place, CornerRadius::ZERO, frame, StrokeKind::Inside);
        }
        let free = board[square].is_none();
        if *count == 0 {
            if free {
                ui.painter().circle_stroke(
                    place.center(),
                    place.width() * 0.1,
                    Stroke::new(1.5, translucent(dark, 140)),
                );
            }
            continue;
        }
        if free || wrong {
            let ink = if wrong { dark } else { translucent(dark, 170) };
            let font = bold_font(place.width() * 0.34);
            ui.painter().text(place.center(), Align2::CENTER_CENTER, count, font, ink);
        }
        let response = ui.interact(place, ui.scope_id().with(("heat", square.index())), Sense::hover());
        let facts = [("square", square.to_string().into()), ("count", (*count).into())];
        name(&response, Role::Label, true, &cx.words.with("changed-times", &facts));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_square_that_changes_far_more_often_than_the_others_is_suspect() {
        let mut changes = [2; 64];
        assert_eq!(restless(&changes), []);
        changes[42] = 9;
        let told: Vec<(String, u32)> =
            restless(&changes).into_iter().map(|(square, count)| (square.to_string(), count)).collect();
        assert_eq!(told, [("c6".to_owned(), 9)]);
        changes = [9; 64];
        assert_eq!(restless(&changes), [], "after a long test all squares have changed often");
    }
}
