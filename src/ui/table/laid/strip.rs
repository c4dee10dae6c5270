//! Below the row: the card that lies for this turn, the cards of the hand that may be used now, and the die.

use egui::{Align2, FontId, Rect, Role, Sense, Ui, pos2, vec2};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::pokerdrez::{DrezAction, DrezOffer};
use tabiya_engine::rules::{CardPlace, DieOnTable};
use tabiya_types::Color;

use super::deal::nth_place;
use super::{actions, awaited, card_width, drez_side, enter, lying, offers, place};
use crate::cx::Cx;
use crate::kit::card::{CardEdge, CardSide, card_at, draw_edge};
use crate::kit::{cut_top, die, write};
use crate::theme::bold_font;
use crate::widgets::{label, name};

/// The widths of the die and of its words, at a rem of 16 points.
const DIE: f32 = 70.0;
const DIE_WORDS: f32 = 168.0;
/// In less room than this for a card the die has a row of its own.
const LEAST_CARD: f32 = 44.0;

/// A card of the strip.
struct StripCard {
    side: CardSide,
    edge: CardEdge,
    text: String,
    /// What a click on it enters.
    action: Option<DrezAction>,
}

/// Draws the strip.
pub(super) fn strip_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let (owner, cards) = cards_of(cx, view);
    let gap = px(10.0);
    let most = card_width(cx, view, ui.available_width());
    let die_width = if view.die.is_some() { px(DIE + DIE_WORDS) + gap } else { 0.0 };
    #[expect(clippy::cast_precision_loss, reason = "a handful of cards")]
    let width = |room: f32| ((room - px(6.0) + gap) / cards.len().max(1) as f32 - gap).min(most);
    let whole = ui.available_width();
    let beside = cards.is_empty() || width(whole - die_width) >= px(LEAST_CARD).min(most);
    let card = width(if beside { whole - die_width } else { whole });
    let size = vec2(card, card / CardSide::Back.shape());
    let height = if cards.is_empty() { 0.0 } else { px(22.0) + size.y + px(6.0) };
    let die_height = if view.die.is_some() { px(DIE) } else { 0.0 };
    if !cards.is_empty() || die_height > 0.0 {
        let row = place(ui, if beside { height.max(die_height) } else { height });
        hand_ui(ui, cx, (owner, cards), (row, size));
        if let Some(thrown) = view.die {
            let at = if beside {
                let top = if height > die_height {
                    row.bottom() - px(3.0) - f32::midpoint(size.y, die_height)
                } else {
                    row.top()
                };
                Rect::from_min_size(
                    pos2(row.right() - px(DIE + DIE_WORDS), top),
                    vec2(px(DIE + DIE_WORDS), die_height),
                )
            } else {
                place(ui, die_height)
            };
            die_ui(ui, cx, view, (thrown, at));
        }
    }
}

/// Whose hand it is, and the cards: the one that lies for this turn, then those that the player can lay or put into the row.
fn cards_of(cx: &Cx<'_>, view: &TableView) -> (Option<Color>, Vec<StripCard>) {
    let mut cards = Vec::new();
    if let Some((color, card)) = lying(view) {
        let facts = [("name", cx.who(color).into()), ("card", cx.face(card).into())];
        let text = cx.words.with("card-laid", &facts);
        cards.push(StripCard { side: drez_side(card, color), edge: CardEdge::Chosen, text, action: None });
    }
    let mut owner = None;
    for action in actions(view).chain(awaited(view)) {
        let (by, card, id) = match action {
            DrezAction::Return { by, card, .. } => (*by, *card, "put-into-row"),
            DrezAction::Reveal { by, card, from: CardPlace::Own, .. } => (*by, *card, "lay-own"),
            _ => continue,
        };
        owner = Some(by);
        let text = cx.words.with(id, &[("card", cx.face(card).into())]);
        let action = Some(action.clone());
        cards.push(StripCard { side: drez_side(card, by), edge: CardEdge::Now, text, action });
    }
    (owner, cards)
}

/// Draws the cards below the name of the hand.
fn hand_ui(
    ui: &Ui,
    cx: &mut Cx<'_>,
    (owner, cards): (Option<Color>, Vec<StripCard>),
    (mut row, size): (Rect, egui::Vec2),
) {
    if cards.is_empty() {
        return;
    }
    let head = cut_top(&mut row, cx.sizes.px(18.0), cx.sizes.px(4.0));
    let text = match owner {
        Some(owner) => cx.words.with("hand-of-cards", &[("name", cx.who(owner).into())]),
        None => cards.first().map(|card| card.text.clone()).unwrap_or_default(),
    };
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    write(ui.painter(), head.left_center(), Align2::LEFT_CENTER, &text, font, head.width());
    label(ui, head, "hand-of-cards", &text);
    let row = row.translate(vec2(cx.sizes.px(3.0), cx.sizes.px(2.0)));
    let mut chosen = None;
    for (nth, StripCard { side, edge, text, action }) in cards.into_iter().enumerate() {
        let at = nth_place(row, size, (nth, cx.sizes.px(10.0)));
        if card_at(ui, cx, at, ("hand", nth), (&side, edge, &text)) {
            chosen = action;
        }
    }
    if let Some(action) = chosen {
        enter(cx, action);
    }
}

/// Draws the die with its owner's name. While it is to be thrown, a click on it throws it here; the small dice say what was thrown
/// at the table.
fn die_ui(ui: &Ui, cx: &mut Cx<'_>, view: &TableView, (thrown, area): (DieOnTable, Rect)) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let roll = offers(view).find_map(|offer| match offer {
        DrezOffer::Roll { by } => Some(*by),
        _ => None,
    });
    let square = Rect::from_min_size(area.min, vec2(area.height(), area.height())).shrink(px(3.0));
    die::draw(ui.painter(), square, thrown.thrown);
    let state = match thrown.thrown {
        Some(pips) => cx.words.with("die-shows", &[("pips", u32::from(pips).into())]),
        None => cx.t("die-waits"),
    };
    // A die that was thrown belongs to the other player already.
    let owner = thrown.thrown.and_then(|_| view.mover()).unwrap_or(thrown.owner);
    let owner = cx.words.with("die-of", &[("name", cx.who(owner).into())]);
    if let Some(by) = roll {
        draw_edge(ui.painter(), cx, square, CardEdge::Now);
        let response = ui.interact(square, ui.scope_id().with("throw"), Sense::click());
        let text = cx.t("throw-the-die");
        name(&response, Role::Button, true, &text);
        if response.has_focus() {
            crate::kit::panel::ring(ui.painter(), cx.theme, square);
        }
        if response.clicked() {
            cx.wish(Wish::Throw(by));
        }
        response.on_hover_text(text);
    }
    let words = area.with_min_x(square.right() + px(12.0));
    let line = pos2(words.left(), words.top() + words.height() * 0.30);
    write(
        ui.painter(),
        line,
        Align2::LEFT_CENTER,
        &owner,
        (bold_font(cx.sizes.small()), cx.theme.text),
        words.width(),
    );
    label(ui, words, "die", &format!("{owner}: {state}"));
    let low = pos2(words.left(), words.top() + words.height() * 0.70);
    if let Some(by) = roll {
        let row = words.with_min_y(low.y - words.height() * 0.2).with_max_y(low.y + words.height() * 0.2);
        pips_ui(ui, cx, by, row);
    } else {
        let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
        write(ui.painter(), low, Align2::LEFT_CENTER, &state, font, words.width());
    }
}

/// Draws a small die for each number that may have been thrown at the table.
fn pips_ui(ui: &Ui, cx: &mut Cx<'_>, by: Color, row: Rect) {
    let gap = cx.sizes.px(4.0);
    let side = ((row.width() + gap) / 6.0 - gap).min(cx.sizes.px(26.0));
    let row = row.with_min_y(row.center().y - side / 2.0);
    for pips in 1..=6_u8 {
        let at = nth_place(row, vec2(side, side), (usize::from(pips) - 1, gap));
        die::draw(ui.painter(), at, Some(pips));
        let response = ui.interact(at, ui.scope_id().with(("pips", pips)), Sense::click());
        let text = cx.words.with("throw-was", &[("pips", u32::from(pips).into())]);
        name(&response, Role::Button, true, &text);
        if response.hovered() || response.has_focus() {
            draw_edge(ui.painter(), cx, at, CardEdge::Chosen);
        }
        if response.clicked() {
            enter(cx, DrezAction::Roll { by, pips });
        }
        response.on_hover_text(text);
    }
}
