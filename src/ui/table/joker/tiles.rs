//! The card before each player, check, and the piles.

use egui::text::{LayoutJob, TextFormat};
use egui::{Button, FontId, Frame, Margin, RichText, Stroke, Ui, vec2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::chess_joker::{JokerCard, JokerSight};
use tabiya_engine::rules::{Heap, HeapPlace};
use tabiya_types::Color;

use super::super::seat_cards::SeatCard;
use super::turn::CardTurn;
use super::words::{card_title, effect_text, effect_words, sight};
use crate::cx::Cx;
use crate::kit::card::CardSide;
use crate::theme::{BUTTON_RADIUS, bold_font};
use crate::widgets::hint;

/// A middle that is narrower than this, in rem, has the cards one below the other.
const ONE_COLUMN: f32 = 24.0;

fn heap(view: &TableView, place: HeapPlace) -> Option<&Heap> {
    view.heaps.iter().find(|heap| heap.place == place)
}

/// Draws the card before each player, where the seats have no room for its words.
pub(super) fn tiles_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, sight: &JokerSight) {
    if ui.available_width() / cx.sizes.rem < ONE_COLUMN {
        for color in [cx.below().other(), cx.below()] {
            tile_ui(ui, cx, view, sight, color);
        }
        return;
    }
    ui.columns(2, |columns| {
        for (ui, color) in columns.iter_mut().zip(Color::ALL) {
            tile_ui(ui, cx, view, sight, color);
        }
    });
}

fn tile_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, sight: &JokerSight, color: Color) {
    let edge = Stroke::new(1.0, cx.theme.line);
    let frame = Frame::new().fill(cx.theme.raised).stroke(edge).corner_radius(BUTTON_RADIUS);
    frame.inner_margin(Margin::same(8)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 2.0;
        // The columns would spread the words over the whole width.
        ui.vertical(|ui| {
            let card = sight.cards[color].as_ref();
            ui.label(head(cx, color, card));
            let Some(card) = card else { return };
            effect_words(ui, cx, card);
            if let Some(text) = &view.card_texts[color] {
                ui.label(RichText::new(text).size(cx.sizes.small()).color(cx.theme.muted));
            }
        });
    });
}

/// Draws for the card of each player who is not to move whether the board shows what it could do.
pub(super) fn other_uses_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    view: &TableView,
    sight: &JokerSight,
    turn: &mut CardTurn,
) {
    for color in Color::ALL.into_iter().filter(|color| view.mover() != Some(*color)) {
        let Some(card) = sight.cards[color].as_ref().filter(|_| sight.uses[color].is_some()) else {
            continue;
        };
        let looked_at = turn.looked_at == Some(color);
        let text = cx.words.with("show-uses", &[("code", card.word().into())]);
        let words = Button::new(text).selected(looked_at).min_size(vec2(0.0, 38.0));
        if ui.add(words).clicked() {
            turn.looked_at = if looked_at { None } else { Some(color) };
            turn.could = None;
        }
    }
    if turn.could.as_ref().is_some_and(|could| could.cut_short) {
        hint(ui, &cx.t("card-uses-cut-short"));
    }
}

/// The card that lies before a player, with all that is known of it as its name.
pub(in crate::table) fn seat_cards(cx: &Cx<'_>, view: &TableView, color: Color) -> Vec<SeatCard> {
    let Some(sight) = sight(view) else { return Vec::new() };
    let card = sight.cards[color].as_ref();
    let owner = cx.who(color);
    let Some(card) = card else {
        let said = cx.words.with("card-before-none", &[("name", owner.into())]);
        return vec![SeatCard::of(CardSide::Empty, Some(said))];
    };
    let printed = view.card_texts[color].as_ref().map(|text| format!(" {text}")).unwrap_or_default();
    let text = format!("{}{printed}", effect_text(cx, card));
    let title = card_title(cx, card);
    let said = cx
        .words
        .with("card-before", &[("name", owner.into()), ("card", title.into()), ("text", text.into())]);
    let side = match card.code {
        Some(code) => CardSide::Coded(code.to_string(), card.star == Some(true), card.elo),
        None => CardSide::Back,
    };
    vec![SeatCard::of(side, Some(said))]
}

/// Whose card it is, and its head.
fn head(cx: &Cx<'_>, color: Color, card: Option<&JokerCard>) -> LayoutJob {
    let mut job = LayoutJob::default();
    let small = TextFormat::simple(FontId::proportional(cx.sizes.small()), cx.theme.muted);
    job.append(&format!("{}  ", cx.who(color)), 0.0, small.clone());
    match card {
        Some(card) => {
            let title = TextFormat::simple(bold_font(cx.sizes.lead()), cx.theme.text);
            job.append(&card_title(cx, card), 0.0, title);
        }
        None => job.append(&cx.t("no-card"), 0.0, small),
    }
    job
}

/// Says which bold kinds of piece the player may replace now, because he has none of them.
fn mask_line(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, color: Color, card: &JokerCard) {
    let Some(effect) = &card.effect else { return };
    let has = |role| view.board.pieces().any(|(_, piece)| piece.color == color && piece.role == role);
    let missing: Vec<String> = tabiya_types::Role::ALL
        .into_iter()
        .filter(|role| effect.is_bold(*role) && !has(*role))
        .map(|role| cx.words.role(role))
        .collect();
    if !missing.is_empty() {
        let text = cx.words.with("may-masquerade", &[("pieces", missing.join(", ").into())]);
        ui.label(RichText::new(text).size(cx.sizes.small()).color(cx.theme.gold_ink));
    }
}

/// Says that a player is in check, and by what, and who makes a Last Stand.
pub(super) fn notes_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView, sight: &JokerSight) {
    if let Some(check) = &sight.check {
        let id = match (check.pieces.is_empty(), check.card.is_some() || check.claimed) {
            (true, _) => "check-by-card",
            (false, true) => "check-by-both",
            (false, false) => "check-by-piece",
        };
        let text = cx.words.with(id, &[("name", cx.who(check.of).into())]);
        ui.label(RichText::new(text).font(bold_font(cx.sizes.rem)).color(cx.theme.bad));
    }
    if sight.check_cut_short {
        hint(ui, &cx.t("check-cut-short"));
    }
    for (color, card) in sight.cards.iter() {
        if let Some(card) = card.as_ref().filter(|_| view.mover() == Some(color)) {
            mask_line(ui, cx, view, color, card);
        }
    }
    for (color, _) in sight.last_stand.iter().filter(|(_, few)| **few) {
        let text = cx.words.with("last-stand", &[("name", cx.who(color).into())]);
        ui.label(RichText::new(text).size(cx.sizes.small()).color(cx.theme.gold_ink));
    }
}

/// Draws how many cards are left, and what each player has scored.
pub(super) fn piles_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let left = heap(view, HeapPlace::Stock).map_or(0, |heap| heap.down);
    let small = |text: String| RichText::new(text).size(cx.sizes.small()).color(cx.theme.muted);
    ui.label(small(cx.words.with("deck-left", &[("count", left.into())])));
    for color in Color::ALL {
        let Some(Heap { up, down, .. }) = heap(view, HeapPlace::Won(color)) else { continue };
        if up.is_empty() && *down == 0 {
            continue;
        }
        let up = if up.is_empty() { "–".to_owned() } else { up.join(" ") };
        let facts = [("name", cx.who(color).into()), ("up", up.into()), ("down", (*down).into())];
        ui.label(small(cx.words.with("card-pile", &facts)));
    }
}
