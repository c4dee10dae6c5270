//! The simulated board at the table: how to use it, its lever, and a way to set it up as the table stands. The drawn board is the
//! simulated one meanwhile.

use egui::{CornerRadius, FontId, Rect, Role as Kind, Sense, Stroke, StrokeKind, Ui, Vec2};
use tabiya_app::desk::{BoardWish, SimulatedMove};
use tabiya_types::{Color, Piece, Role};

use super::sizes::{FOOT, GAP};
use super::state::TableState;
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind as ButtonKind, button_at};
use crate::kit::{cut_top, rows, split};
use crate::widgets::{label, name};

/// The height of the box of pieces, at a rem of 16 points.
const BOX: f32 = 40.0;

/// Draws what can be done with the simulated board.
pub(super) fn simulated_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut TableState, mut area: Rect) {
    let Some(simulated) = cx.snapshot.board.simulated else { return };
    let gap = cx.sizes.px(GAP);
    let text = cx.t(if simulated.lever { "simulated-at-table" } else { "simulated-no-lever" });
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    let words = rows(ui.painter(), &text, font, area.width(), 2);
    let place = cut_top(&mut area, words.size().y, gap);
    ui.painter().galley(place.min, words, cx.theme.muted);
    label(ui, place, "simulated-at-table", &text);
    if area.height() >= cx.sizes.px(FOOT + BOX) + gap {
        let row = cut_top(&mut area, cx.sizes.px(BOX), gap);
        box_ui(ui, cx, state, row);
    }
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
        let face = ButtonFace::new(ButtonKind::Plain, &text).off(off);
        if button_at(ui, cx, place, ("simulated", nth), &face).clicked() && face.enabled {
            cx.board(BoardWish::Move(what));
        }
    }
}

/// Draws the box of pieces beside the board. A click takes a piece into the hand, and the next click on an empty square puts it there.
fn box_ui(ui: &Ui, cx: &Cx<'_>, state: &mut TableState, row: Rect) {
    let round = CornerRadius::same(8);
    ui.painter().rect_filled(row, round, cx.theme.squares(cx.settings.board_colors)[1]);
    let roles = Role::ALL.iter().rev();
    let pieces: Vec<Piece> = Color::ALL
        .into_iter()
        .flat_map(|color| roles.clone().map(move |role| Piece { color, role: *role }))
        .collect();
    for (place, piece) in split(row.shrink(3.0), &vec![1.0; pieces.len()], 0.0).into_iter().zip(pieces) {
        let response = ui.interact(place, ui.scope_id().with(("box", piece.letter())), Sense::click());
        let text = cx.words.with("from-box", &[("piece", cx.words.piece(piece).into())]);
        name(&response, Kind::Button, true, &text);
        if state.from_box == Some(piece) {
            let edge = Stroke::new(2.0, cx.theme.ivory);
            ui.painter().rect(place, round, cx.theme.hover, edge, StrokeKind::Inside);
        }
        let side = place.width().min(place.height());
        let picture = Rect::from_center_size(place.center(), Vec2::splat(side));
        cx.art.piece(ui.painter(), picture, piece, egui::Color32::WHITE);
        if response.on_hover_text(&text).clicked() {
            state.from_box = Some(piece).filter(|piece| state.from_box != Some(*piece));
        }
    }
}
