//! The controls for turning over cards, for choosing a card's piece, and for promoting a pawn.

use egui::{Align2, Button, Color32, Rect, RichText, Role as Kind, Sense, Ui, pos2, vec2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, PlayAction, Reveal, Verb};
use tabiya_types::{Card, Color, Square};

use super::{TableState, touch};
use crate::cx::Cx;
use crate::keys::{Command, FACES};
use crate::widgets::name;

/// Draws the five faces, if a player has to turn a card over. Otherwise draws the pieces that the open card can become,
/// if there are several.
pub(super) fn cards_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    // After a placement the five faces are not drawn until the press. The rules allow the opponent to turn a card over
    // at once, but the table would then count this as the missing press.
    let by = view.by(Verb::Reveal).filter(|by| view.mover() == Some(*by));
    if let Some(by) = by {
        state.piece = None;
        ui.label(cx.words.with("turn-over", &[("color", cx.words.color(by).into())]));
        ui.horizontal(|ui| {
            for (card, command) in FACES {
                let reveal = Reveal { by, card, read: None, copy: None };
                let can = view.accepts(&Action::Reveal(reveal));
                if face_ui(ui, cx, card, by, command, can) || cx.takes(command) {
                    cx.enter(Action::Reveal(Reveal { read: Some(false), ..reveal }));
                }
            }
        });
        return;
    }
    let options = touch::options(view);
    if options.len() > 1 {
        let now = touch::piece(view, state);
        ui.horizontal(|ui| {
            ui.label(cx.t("place-as"));
            for option in &options {
                let text = RichText::new(cx.words.card(option.piece)).font(cx.bold(15.0));
                if ui.selectable_label(now == Some(option.piece), text).clicked() {
                    state.piece = Some(option.piece);
                }
            }
        });
    }
}

/// Draws a card face as a button. A face that would be refused can be clicked as well: a message then says why it is
/// refused.
fn face_ui(ui: &mut Ui, cx: &Cx<'_>, card: Card, by: Color, command: Command, can: bool) -> bool {
    let size = vec2(52.0, 72.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let lifted = if response.hovered() { vec2(0.0, -2.0) } else { vec2(0.0, 0.0) };
    let place = Rect::from_min_size(rect.min + lifted, size);
    let letter = cx.words.letter(card.role());
    cx.art.card(ui.painter(), place, card, by, &letter);
    if let Some(key) = cx.keys.of(command).map(|key| key.to_string()).filter(|key| *key != letter) {
        // In some languages the card's letter is not the letter of its key, so the key is shown too.
        let at = pos2(place.center().x, place.bottom() - 2.0);
        let font = egui::FontId::proportional(11.0);
        ui.painter().text(at, Align2::CENTER_BOTTOM, format!("[{key}]"), font, Color32::from_gray(60));
    }
    if !can {
        ui.painter().rect_filled(place, 6.0, crate::widgets::translucent(cx.theme.panel, 190));
    }
    let text = cx.words.with("reveal", &[("card", cx.words.card(card).into())]) + &cx.hint(command);
    name(&response, Kind::Button, true, &text);
    response.on_hover_text(text).clicked()
}

/// Draws the choice of a pawn's new piece.
pub(super) fn promotion_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    from: Square,
    to: Square,
) {
    let choices = touch::promotions(view, from, to);
    if choices.is_empty() {
        state.promotion = None;
        return;
    }
    ui.label(RichText::new(cx.t("promote-to")).font(cx.bold(15.0)));
    ui.horizontal(|ui| {
        for (by, card, uci) in choices {
            let text = RichText::new(cx.words.card(card)).font(cx.bold(15.0));
            if ui.add(Button::new(text).min_size(vec2(64.0, 38.0))).clicked() {
                cx.enter(PlayAction::Move { by, uci, stands: None });
                state.promotion = None;
            }
        }
    });
}
