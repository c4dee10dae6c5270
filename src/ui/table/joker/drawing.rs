//! The draw of a card: its code, and what the players' file does not know of it.

use egui::{DragValue, Key, RichText, Ui};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::chess_joker::{Code, DrawCard, JokerAction, JokerCard, JokerOffer, MOST_ELO};
use tabiya_types::Color;

use super::words::{card_title, effect_words, enter, offers};
use crate::cx::Cx;
use crate::widgets::{because, button, field, main_button};

/// What is typed of a card that is drawn.
#[derive(Clone, Debug, Default)]
pub(in crate::table) struct DrawFields {
    code: String,
    /// The points, if they are said.
    elo: Option<u32>,
    star: bool,
}

impl DrawFields {
    fn code(&self) -> Option<Code> {
        self.code.trim().to_uppercase().parse().ok()
    }

    /// The card with this code, as far as it was said.
    fn said(&self, code: Code) -> JokerCard {
        JokerCard { code: Some(code), elo: self.elo, star: self.star.then_some(true), effect: None }
    }
}

/// Enters the draw of a card that a person has typed.
fn draw(cx: &mut Cx<'_>, by: Color, card: JokerCard) {
    enter(cx, JokerAction::Draw(DrawCard { by, card, read: Some(false) }));
}

/// Draws the fields for the card that is drawn, if one is to be drawn.
pub(super) fn draw_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, fields: &mut DrawFields) {
    let drawer = offers(view).find_map(|offer| match offer {
        JokerOffer::Draw(by) => Some(*by),
        JokerOffer::Uses { .. } | JokerOffer::Unwritten(_) => None,
    });
    let Some(by) = drawer else { return };
    let cards = cx.snapshot.own_cards.clone();
    let code = fields.code();
    let known = code.and_then(|code| cards.file.card(code));
    let mut entered = false;
    ui.horizontal_wrapped(|ui| {
        let typed = field(ui, &cx.t("card-code"), &mut fields.code, cx.sizes.px(48.0));
        entered = typed.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if known.is_none() {
            let mut said = fields.elo.is_some();
            if ui.checkbox(&mut said, cx.t("card-elo")).changed() {
                fields.elo = said.then_some(0);
            }
            if let Some(elo) = &mut fields.elo {
                let range = DragValue::new(elo).range(0..=MOST_ELO);
                let named = ui.add(range);
                crate::widgets::name(&named, egui::Role::SpinButton, true, &cx.t("card-elo-number"));
            }
            ui.checkbox(&mut fields.star, cx.t("card-star"));
        }
        let text = match code {
            Some(code) => cx.words.with("draw-card", &[("code", code.to_string().into())]),
            None => cx.t("draw-a-card"),
        };
        let off = cx.why_off(&[(code.is_some(), "off-card")]);
        let clicked = because(main_button(ui, cx.theme, &text, off.is_none()), off.as_ref()).clicked();
        if let Some(code) = code.filter(|_| clicked || entered) {
            let card = match known {
                Some(owned) => owned.card.clone().in_its_words(),
                None => fields.said(code),
            };
            draw(cx, by, card);
        }
        if button(ui, &cx.t("draw-unknown"), true).clicked() {
            draw(cx, by, JokerCard::default());
        }
        if code.is_some() && known.is_none() && button(ui, &cx.t("write-card"), true).clicked() {
            cx.write_card = Some(fields.code.trim().to_uppercase());
        }
    });
    match (known, code) {
        (Some(owned), _) => {
            ui.label(RichText::new(card_title(cx, &owned.card)).font(cx.bold(15.0)));
            effect_words(ui, cx, &owned.card);
        }
        (None, Some(_)) => {
            ui.label(RichText::new(cx.t("card-not-in-file")).color(cx.theme.muted));
        }
        (None, None) => {}
    }
}
