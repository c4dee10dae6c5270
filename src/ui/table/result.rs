//! The result card: who won, why, who gets the pot, and what comes next.

use egui::{CornerRadius, Frame, Margin, RichText, Stroke, Ui};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, DealtCards, Group, Verb};
use tabiya_engine::table::Common;
use tabiya_types::Color;

use crate::cx::Cx;
use crate::keys::Command;
use crate::widgets::main_button;

/// Draws the result card of a finished game.
pub(super) fn result_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let Some(outcome) = view.outcome else { return };
    let edge = Stroke::new(2.0, cx.theme.accent);
    Frame::new().stroke(edge).corner_radius(CornerRadius::same(8)).inner_margin(Margin::same(12)).show(
        ui,
        |ui| {
            let who = cx.winner(view, outcome);
            ui.label(RichText::new(who).font(cx.bold(24.0)).color(cx.theme.accent));
            ui.label(cx.reason(outcome.reason));
            if view.has_chips() {
                for color in Color::ALL {
                    let got = view.stakes.awarded[color].0;
                    if got > 0 {
                        let facts = [("name", view.names[color].clone().into()), ("count", got.into())];
                        ui.label(cx.words.with("takes", &facts));
                    }
                }
            }
            if view.match_over {
                ui.label(RichText::new(cx.t("match-over")).strong());
            }
        },
    );
    consents_ui(ui, cx, view);
    ui.horizontal_wrapped(|ui| {
        if view.can_start_next() {
            let text = cx.t("next-game") + &cx.hint(Command::Next);
            if main_button(ui, cx.theme, &text, true).clicked() {
                cx.enter(Common::Next(Group::new()));
            }
        }
        if view.match_over && main_button(ui, cx.theme, &cx.t("another-match"), true).clicked() {
            cx.wish(Wish::Leave);
        }
        if view.may(Verb::Deal) {
            let text = cx.t("deal-again") + &cx.hint(Command::Deal);
            if main_button(ui, cx.theme, &text, true).clicked() || cx.takes(Command::Deal) {
                cx.enter(Action::Deal(DealtCards::default()));
            }
        }
    });
}

/// After a match with sealed cards: draws the buttons with which each player agrees that all cards may be shown.
fn consents_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let Some(consents) = view.consents else { return };
    if Color::ALL.into_iter().all(|color| consents[color]) {
        ui.label(cx.t("cards-may-be-shown"));
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for color in Color::ALL.into_iter().filter(|color| !consents[*color]) {
            let text = cx.words.with("agree-to-show", &[("name", view.names[color].clone().into())]);
            if ui.button(text).clicked() {
                cx.enter(Common::Consent(color));
            }
        }
    });
}
