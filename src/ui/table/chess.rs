//! The chess phase: the list of moves, draw offers and resignation.

use egui::{Grid, RichText, Ui};
use tabiya_app::snapshot::TableView;
use tabiya_engine::rules::{Action, PlayAction, Verb};
use tabiya_engine::table::LegalInput;
use tabiya_types::Color;

use crate::cx::Cx;
use crate::keys::Command;
use crate::widgets::{button, grave_button};

/// Draws the moves in two columns, with the piece letters of the user's language.
pub(crate) fn moves_ui(ui: &mut Ui, cx: &Cx<'_>, view: &TableView) {
    let black_first = view.first_mover == Color::Black;
    let mut cells: Vec<Option<String>> = Vec::new();
    if black_first {
        cells.push(None);
    }
    cells.extend(view.moves.iter().map(|san| Some(cx.words.san(san))));
    let last = cells.len();
    Grid::new("moves").num_columns(3).spacing([18.0, 3.0]).min_col_width(44.0).show(ui, |ui| {
        for (pair, number) in cells.chunks(2).zip(view.first_number..) {
            ui.label(RichText::new(format!("{number}.")).color(cx.theme.muted));
            for (nth, cell) in pair.iter().enumerate() {
                let index = (number - view.first_number) as usize * 2 + nth + 1;
                let text = RichText::new(cell.as_deref().unwrap_or("…"));
                ui.label(if index == last { text.strong().font(cx.bold(15.0)) } else { text });
            }
            ui.end_row();
        }
    });
}

/// Draws the buttons for draw offers, answers to draw offers, claims and resignation.
pub(super) fn offers_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    if let Some(color) = view.by(Verb::AcceptDraw) {
        let text = cx.t("accept-draw") + &cx.hint(Command::Draw);
        if button(ui, &text, true).clicked() || cx.takes(Command::Draw) {
            cx.enter(PlayAction::AcceptDraw(color));
        }
    }
    if let Some(color) = view.by(Verb::DeclineDraw) {
        let text = cx.t("decline-draw");
        if button(ui, &text, true).clicked() {
            cx.enter(PlayAction::DeclineDraw(color));
        }
    } else if let Some(color) = view.by(Verb::OfferDraw) {
        let mover = view.mover().filter(|mover| view.accepts(&Action::Play(PlayAction::OfferDraw(*mover))));
        let color = mover.unwrap_or(color);
        let text =
            cx.words.with("offer-draw", &[("color", cx.words.color(color).into())]) + &cx.hint(Command::Draw);
        if button(ui, &text, true).clicked() || cx.takes(Command::Draw) {
            cx.enter(PlayAction::OfferDraw(color));
        }
    }
    // At events, players must notice without help that a draw can be claimed. So this screen shows no button for the
    // claim; the button is in the arbiter's drawer.
    if let Some(color) = view.draw_claimant().filter(|_| !view.is_event()) {
        let text = cx.words.with("claim-draw", &[("color", cx.words.color(color).into())]);
        if button(ui, &text, true).clicked() {
            cx.enter(PlayAction::ClaimDraw { by: color, uci: None });
        }
    }
    let resigners: Vec<Color> = view.legal_of(Verb::Resign).filter_map(LegalInput::by).collect();
    if !view.may(Verb::Bet) && !resigners.is_empty() {
        ui.menu_button(RichText::new(cx.t("give-up")).color(cx.theme.bad), |ui| {
            for color in resigners {
                let text = cx.words.with("resign", &[("color", cx.words.color(color).into())]);
                if grave_button(ui, cx.theme, &text, true).clicked() {
                    cx.enter(PlayAction::Resign(color));
                    ui.close();
                }
            }
        });
    }
}
