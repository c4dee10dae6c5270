//! Before the first move: pawns that are taken off, and the five open cards; and the two cards that a player shows.

use egui::{Align2, FontId, Rect, Ui, pos2, vec2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::pokerdrez::{DrezAction, DrezCard, DrezOffer};
use tabiya_types::{ByColor, Color};

use super::super::sizes::{LOW, TALL};
use super::super::state::TableState;
use super::{HAND, ROW, actions, drez_side, enter, offers, place};
use crate::cx::Cx;
use crate::kit::button::{ButtonFace, Kind, button_at};
use crate::kit::card::{CardEdge, CardSide, card_at, draw};
use crate::kit::{cut_top, panel, write};
use crate::theme::bold_font;
use crate::widgets::{button, hint, label};

/// The height of a card that can be picked, at a rem of 16 points.
const CARD: f32 = 76.0;

/// Draws the choice of a pawn before the deal. Returns whether there is one.
pub(super) fn pawns_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) -> bool {
    let keep = actions(view).find(|action| matches!(action, DrezAction::Remove { at: None, .. })).cloned();
    let Some(keep) = keep else { return false };
    let row = place(ui, cx.sizes.px(LOW));
    let text = cx.t("keep-pawns");
    let words = ui.painter().layout_no_wrap(text.clone(), bold_font(cx.sizes.rem), cx.theme.text);
    let width = (words.size().x + cx.sizes.px(48.0)).min(row.width());
    let keep_all = row.with_max_x(row.left() + width);
    if button_at(ui, cx, keep_all, "keep-pawns", &ButtonFace::new(Kind::Plain, &text)).clicked() {
        enter(cx, keep);
    }
    hint(ui, &cx.t("remove-hint"));
    true
}

/// Draws the deal: the open cards are picked one by one. Returns whether a deal is due.
pub(super) fn deal_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) -> bool {
    if !offers(view).any(|offer| matches!(offer, DrezOffer::Deal)) {
        return false;
    }
    pick_ui(ui, cx, state, ("pick-row", ROW), Color::Black);
    let enough = state.picked.cards.len() == ROW;
    let off = cx.why_off(&[(enough, "off-row")]);
    let row = place(ui, cx.sizes.px(if enough { TALL } else { LOW }));
    let text = cx.t("deal-these");
    let face = ButtonFace::new(if enough { Kind::Gold } else { Kind::Plain }, &text).off(off);
    if button_at(ui, cx, row, "deal-these", &face).clicked() && enough {
        let common = Some(state.picked.cards.clone());
        enter(cx, DrezAction::Deal { common, own: ByColor::default() });
    }
    true
}

/// Draws the choice of both own cards, if they have to be shown.
pub(super) fn show_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let show = offers(view).find_map(|offer| match offer {
        DrezOffer::Show { by } => Some(*by),
        _ => None,
    });
    let Some(by) = show else { return };
    pick_ui(ui, cx, state, ("show-both", HAND), by);
    if let [one, other] = state.picked.cards.as_slice() {
        let face = cx.t("show-these");
        if button(ui, &face, true).clicked() {
            enter(cx, DrezAction::Show { by, cards: [*one, *other] });
        }
    }
}

/// Draws the places of the cards that are picked on felt, and below them all cards from which up to `most` are picked; a click
/// with a full list begins it anew.
fn pick_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut TableState, (text, most): (&str, usize), of: Color) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let picked: Vec<String> = state.picked.cards.iter().map(|card| cx.face(*card)).collect();
    let said = if picked.is_empty() { cx.t("picked-none") } else { picked.join(", ") };
    let said = cx.words.with(text, &[("cards", said.into())]);
    let all = DrezCard::ALL;
    let card = |ui: &Ui, many: usize, pad: f32| {
        #[expect(clippy::cast_precision_loss, reason = "a handful of cards")]
        let room = (ui.available_width() - 2.0 * pad) / many as f32 - px(8.0);
        let shape = CardSide::Back.shape();
        vec2(room.min(px(CARD) * shape), room.min(px(CARD) * shape) / shape)
    };
    let size = card(ui, most.max(ROW), px(16.0));
    let mut felt = place(ui, size.y + px(46.0));
    panel::felt(ui.painter(), cx.theme, felt);
    felt = felt.shrink2(vec2(px(16.0), px(9.0)));
    let head = cut_top(&mut felt, px(20.0), px(6.0));
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.on_felt);
    let short = cx.t(&format!("{text}-short"));
    write(ui.painter(), head.left_center(), Align2::LEFT_CENTER, &short, font, head.width());
    label(ui, head, text, &said);
    for nth in 0..most {
        let picked = state.picked.cards.get(nth).map_or(CardSide::Empty, |card| drez_side(*card, of));
        draw(ui.painter(), cx, nth_place(felt, size, (nth, px(8.0))), &picked);
    }
    let size = card(ui, all.len(), px(2.0));
    let row = place(ui, size.y + px(6.0)).shrink(px(3.0));
    for (nth, card) in all.into_iter().enumerate() {
        let at = nth_place(row, size, (nth, px(8.0)));
        let look = (&drez_side(card, of), CardEdge::Choice, cx.face(card));
        if card_at(ui, cx, at, (text, card), (look.0, look.1, &look.2)) {
            if state.picked.cards.len() >= most {
                state.picked.cards.clear();
            }
            state.picked.cards.push(card);
        }
    }
}

/// The place of the card of this number in a row of cards.
pub(super) fn nth_place(row: Rect, size: egui::Vec2, (nth, gap): (usize, f32)) -> Rect {
    #[expect(clippy::cast_precision_loss, reason = "a handful of cards")]
    let left = row.left() + (size.x + gap) * nth as f32;
    Rect::from_min_size(pos2(left, row.top()), size)
}
