//! The row of open cards on its felt, and the stock beside it.

use egui::{Align2, FontId, Rect, Ui, vec2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{CardPlace, HeapPlace};
use tabiya_types::Color;

use super::deal::nth_place;
use super::{BETWEEN, PAD, ROW, card_width, drez_side, enter, faces, lay_of, place};
use crate::cx::Cx;
use crate::kit::card::{CardEdge, CardSide, card_at, draw};
use crate::kit::{cut_top, panel, write};
use crate::theme::bold_font;
use crate::widgets::label;

/// Draws the felt. A card that may be laid has a gold edge, and a click lays it.
pub(super) fn row_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let Some(row) = view.heaps.iter().find(|heap| heap.place == HeapPlace::Middle) else { return };
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let cards = faces(row);
    let (pad, gap) = (px(PAD), px(BETWEEN));
    let width = card_width(cx, view, ui.available_width());
    let shape = CardSide::Back.shape();
    let size = vec2(width, width / shape);
    let mut felt = place(ui, size.y + px(46.0));
    panel::felt(ui.painter(), cx.theme, felt);
    felt = felt.shrink2(vec2(pad, px(9.0)));
    let head = cut_top(&mut felt, px(20.0), px(6.0));
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.on_felt);
    write(ui.painter(), head.left_center(), Align2::LEFT_CENTER, &cx.t("row-of-cards"), font, head.width());
    let mut laid = None;
    for nth in 0..ROW.max(cards.len()) {
        let at = nth_place(felt, size, (nth, gap));
        let Some(card) = cards.get(nth) else {
            draw(ui.painter(), cx, at, &CardSide::Empty);
            continue;
        };
        let lay = lay_of(view, CardPlace::Common, *card);
        let text = cx.words.with("lay-open", &[("card", cx.face(*card).into())]);
        let edge = if lay.is_some() { CardEdge::Now } else { CardEdge::Paper };
        // The row is nobody's: its pieces are printed in black.
        if card_at(ui, cx, at, ("row", nth), (&drez_side(*card, Color::Black), edge, &text)) {
            laid = lay;
        }
    }
    let at = Rect::from_min_size(egui::pos2(felt.right() - size.x, felt.top()), size);
    stock_ui(ui, cx, view, at);
    if let Some(lay) = laid {
        enter(cx, lay);
    }
}

/// Draws the stock: a back, and below it how many cards are left.
fn stock_ui(ui: &Ui, cx: &Cx<'_>, view: &TableView, place: Rect) {
    let left = view.heaps.iter().find(|heap| heap.place == HeapPlace::Stock).map_or(0, |heap| heap.down);
    let mut card = place;
    let number = crate::kit::cut_bottom(&mut card, cx.sizes.small() * 1.2, cx.sizes.px(2.0));
    let side = if left == 0 { CardSide::Empty } else { CardSide::Back };
    let back = Rect::from_center_size(card.center(), side.of_height(card.height()));
    draw(ui.painter(), cx, back, &side);
    let font = (bold_font(cx.sizes.small()), cx.theme.on_felt);
    write(ui.painter(), number.center(), Align2::CENTER_CENTER, &left.to_string(), font, place.width());
    label(ui, place, "stock", &cx.words.with("stock-is", &[("count", left.into())]));
}
