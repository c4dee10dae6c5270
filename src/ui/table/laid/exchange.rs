//! The exchange of a neutral card: the menu of what it may go for, and which card came where all see it.

use egui::{RichText, Ui, vec2};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::CardPlace;
use tabiya_engine::rules::pokerdrez::{DrezAction, DrezOffer, SwapWith};
use tabiya_types::Color;

use super::super::state::TableState;
use super::deal::nth_place;
use super::{drez_side, enter, offers, place};
use crate::cx::Cx;
use crate::kit::card::{CardEdge, CardSide, card_at};
use crate::widgets::button;

/// The width of a card that can be chosen, at a rem of 16 points.
const CARD: f32 = 50.0;

/// Draws the exchanges of a neutral card. One whose card all see asks for that card next.
pub(in crate::table) fn menu_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let swaps: Vec<(Color, CardPlace, SwapWith, bool)> = offers(view)
        .filter_map(|offer| match offer {
            DrezOffer::Swap { by, from, with, cards } => Some((*by, *from, *with, cards.is_empty())),
            _ => None,
        })
        .collect();
    for (by, from, with, hidden) in swaps {
        let other = match with {
            SwapWith::Stock => cx.t("exchange-stock"),
            SwapWith::Common => cx.t("exchange-open"),
            SwapWith::Opponent => cx.words.with("exchange-opponent", &[("name", cx.who(by.other()).into())]),
        };
        if ui.button(exchange_words(cx, from, other)).clicked() {
            if hidden {
                enter(cx, DrezAction::Swap { by, from, with, card: None });
            } else {
                state.picked.exchange = Some((from, with));
            }
            ui.close();
        }
    }
}

/// Draws the cards that may come for a neutral one, after an exchange was chosen whose card all see.
pub(super) fn came_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView, state: &mut TableState) {
    let chosen = offers(view).find_map(|offer| match offer {
        DrezOffer::Swap { by, from, with, cards } if state.picked.exchange == Some((*from, *with)) => {
            Some((*by, *from, *with, cards.clone()))
        }
        _ => None,
    });
    let Some((by, from, with, cards)) = chosen else { return };
    let mut came = None;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(cx.t("exchange-which")).color(cx.theme.text));
        if button(ui, &cx.t("card-back"), true).clicked() {
            state.picked.exchange = None;
        }
    });
    let most = cx.sizes.px(CARD);
    #[expect(clippy::cast_precision_loss, reason = "a handful of cards")]
    let wide = (ui.available_width() / cards.len().max(1) as f32 - cx.sizes.px(10.0)).min(most);
    let size = vec2(wide, wide / CardSide::Back.shape());
    let row = place(ui, size.y + cx.sizes.px(6.0)).shrink(cx.sizes.px(3.0));
    for (nth, card) in cards.into_iter().enumerate() {
        let facts = [("card", cx.face(card).into()), ("with", with.word().into())];
        let text = exchange_words(cx, from, cx.words.with("exchange-card", &facts));
        let at = nth_place(row, size, (nth, cx.sizes.px(10.0)));
        if card_at(ui, cx, at, ("exchange", card), (&drez_side(card, by), CardEdge::Now, &text)) {
            came = Some(card);
        }
    }
    if came.is_some() {
        enter(cx, DrezAction::Swap { by, from, with, card: came });
    }
}

/// Which neutral card goes, and for what.
fn exchange_words(cx: &Cx<'_>, from: CardPlace, other: String) -> String {
    cx.words.with("exchange-of", &[("from", from.word().into()), ("card", other.into())])
}
