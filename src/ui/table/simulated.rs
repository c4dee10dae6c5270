//! The simulated board at the table: how to use it, its lever, and a way to set it up as the table stands. The drawn board is the
//! simulated one meanwhile.

use egui::{FontId, Rect, Ui};
use tabiya_app::desk::{BoardWish, SimulatedMove};
use tabiya_types::Color;

use super::sizes::{FOOT, GAP};
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::{cut_top, rows, split};
use crate::widgets::label;

/// Draws what can be done with the simulated board.
pub(super) fn simulated_ui(ui: &mut Ui, cx: &mut Cx<'_>, mut area: Rect) {
    let Some(simulated) = cx.snapshot.board.simulated else { return };
    let gap = cx.sizes.px(GAP);
    let text = cx.t(if simulated.lever { "simulated-at-table" } else { "simulated-no-lever" });
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let words = rows(ui.painter(), &text, font, area.width(), 2);
    let place = cut_top(&mut area, words.size().y, gap);
    ui.painter().galley(place.min, words, cx.theme.muted);
    label(ui, place, "simulated-at-table", &text);
    let row = cut_top(&mut area, cx.sizes.px(FOOT), gap);
    let mut wishes: Vec<(String, SimulatedMove, Option<String>)> = Vec::new();
    for color in Color::ALL.into_iter().filter(|_| simulated.lever) {
        let text = cx.words.with("presses-lever", &[("name", cx.who(color).into())]);
        wishes.push((text, SimulatedMove::Press(color), None));
    }
    if let Some(physical) = cx.snapshot.table.as_ref().map(|view| view.physical) {
        let off = cx.why_off(&[(physical != simulated.board, "off-stands-right")]);
        wishes.push((cx.t("set-as-table"), SimulatedMove::Set(physical), off));
    }
    let shares = vec![1.0; wishes.len()];
    for (nth, (place, (text, what, off))) in split(row, &shares, gap).into_iter().zip(wishes).enumerate() {
        let face = ButtonFace::new(Kind::Plain, &text).off(off);
        if button_at(ui, cx, place, ("simulated", nth), &face).clicked() && face.enabled {
            cx.board(BoardWish::Move(what));
        }
    }
}
