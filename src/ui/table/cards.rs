//! The controls for turning over cards, and for choosing a card's piece.

use egui::{Align2, FontId, Rect, Role as Kind, Sense, Ui, pos2, vec2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, Reveal, Verb};
use tabiya_types::{Card, Color};

use super::sizes::GAP;
use super::state::TableState;
use super::touch;
use crate::cx::Cx;
use crate::keys::{Command, FACES};
use crate::kit::button::{ButtonFace, Kind as ButtonKind, button_at, key_cap};
use crate::kit::card::{self, CardEdge, CardSide};
use crate::kit::{cut_top, split, write};
use crate::theme::PRINT_WEAK;
use crate::widgets::label;
use crate::widgets::name;

/// Draws the five faces, if a player has to turn a card over. Otherwise draws the pieces that the open card can become,
/// if there are several.
pub(super) fn cards_ui(
    ui: &mut Ui,
    cx: &mut Cx<'_>,
    view: &TableView,
    state: &mut TableState,
    body: &mut Rect,
) {
    let sizes = cx.sizes;
    let px = move |points: f32| sizes.px(points);
    let gap = px(GAP);
    // After a placement the five faces are not drawn until the press. The rules allow the opponent to turn a card over
    // at once, but the table would then count this as the missing press.
    let by = view.by(Verb::Reveal).filter(|by| view.mover() == Some(*by));
    if let Some(by) = by {
        state.piece = None;
        let height = px(104.0).min(body.height());
        let row = cut_top(body, height, gap);
        faces_ui(ui, cx, view, by, (row, height));
        return;
    }
    let options = touch::options(view);
    let open = view.mover().and_then(|by| Some((by, view.cards[by].last()?)));
    let Some((by, shown)) = open.filter(|(_, shown)| shown.piece.is_none()) else { return };
    let height = px(118.0).min(body.height());
    let mut row = cut_top(body, height, gap);
    let side = CardSide::Piece(shown.card, by);
    let place = Rect::from_min_size(row.min, side.of_height(height));
    // The card turns over together with the small one at the player's seat.
    let turned = cx.turned(by, view.cards[by].len().saturating_sub(1), true);
    card::draw_turning(ui.painter(), cx, (place, turned), &side);
    card::draw_edge(ui.painter(), cx, place, CardEdge::Now);
    row.min.x = place.right() + px(16.0);
    if options.len() < 2 {
        return;
    }
    let line = cut_top(&mut row, px(22.0), px(4.0));
    let text = cx.t("place-as");
    let font = (FontId::proportional(cx.sizes.small()), cx.theme.muted);
    write(ui.painter(), line.left_center(), Align2::LEFT_CENTER, &text, font, line.width());
    label(ui, line, "place-as", &text);
    let now = touch::piece(view, state);
    let shares: Vec<f32> = options.iter().map(|_| 1.0).collect();
    for (place, option) in split(row, &shares, gap).into_iter().zip(&options) {
        let place = Rect::from_min_size(place.min, vec2(place.width().min(px(150.0)), place.height()));
        let text = cx.words.card(option.piece);
        let command = FACES.into_iter().find(|(card, _)| *card == option.piece).map(|(_, command)| command);
        let key = command.map(|command| cx.key(command)).unwrap_or_default();
        let chosen = now == Some(option.piece);
        let face = ButtonFace::new(ButtonKind::Choice(chosen), &text).key(key);
        let clicked = button_at(ui, cx, place, ("place-as", option.piece.role().word()), &face).clicked();
        if clicked || command.is_some_and(|command| cx.takes(command)) {
            state.piece = Some(option.piece);
        }
    }
}

/// Draws the five faces in a row.
fn faces_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, by: Color, (row, height): (Rect, f32)) {
    let gap = cx.sizes.px(GAP);
    for (nth, (card, command)) in FACES.into_iter().enumerate() {
        let shape = CardSide::Piece(card, by).shape();
        let width = ((row.width() - 4.0 * gap) / 5.0).min(height * shape);
        #[expect(clippy::cast_precision_loss, reason = "five cards")]
        let left = row.left() + (width + gap) * nth as f32;
        let place = Rect::from_min_size(pos2(left, row.top()), vec2(width, width / shape));
        let reveal = Reveal { by, card, read: None, copy: None };
        let can = view.accepts(&Action::Reveal(reveal));
        if face_ui(ui, cx, card, by, command, (place, can)) || cx.takes(command) {
            cx.enter(Action::Reveal(Reveal { read: Some(false), ..reveal }));
        }
    }
}

/// Draws a card face as a button. A face that would be refused can be clicked as well: a message then says why it is
/// refused.
fn face_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    card: Card,
    by: Color,
    command: Command,
    (rect, can): (Rect, bool),
) -> bool {
    let response = ui.interact(rect, ui.scope_id().with(("face", command.word())), Sense::click());
    let place = if response.hovered() { rect.translate(vec2(0.0, -2.0)) } else { rect };
    card::draw(ui.painter(), cx, place, &CardSide::Piece(card, by));
    let key = cx.key(command);
    if key != cx.words.letter(card.role()) {
        // A key that the user has chosen is not the letter on the card, so it is shown too.
        let at = pos2(place.left() + 4.0, place.bottom() - cx.sizes.small());
        key_cap(ui.painter(), cx, at, &key, PRINT_WEAK);
    }
    if !can {
        ui.painter().rect_filled(place, 6.0, crate::widgets::translucent(cx.theme.panel, 190));
    }
    let text = cx.words.with("reveal", &[("card", cx.words.card(card).into())]) + &cx.hint(command);
    name(&response, Kind::Button, true, &text);
    response.on_hover_text(text).clicked()
}
