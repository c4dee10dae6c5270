//! What experts need of a board: its address, what it reports about itself, the text of an error, and its raw bytes.

use egui::{Grid, RichText, ScrollArea, Ui};
use tabiya_app::desk::{BoardWish, makers};
use tabiya_app::snapshot::{BoardFact, LinkState, RawLine};
use tabiya_types::Millis;

use super::DevicesState;
use crate::cx::Cx;
use crate::file_use::FileUse;
use crate::widgets::{button, field_below, filled, heading, hint};

/// Draws the part for experts: a row that opens it, and what is in it.
pub(super) fn experts_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    ui.add_space(cx.sizes.px(8.0));
    let mark = if state.experts { "−" } else { "+" };
    let text = format!("{mark}  {}: {}", cx.t("for-experts"), cx.t("for-experts-line"));
    let row = egui::Button::new(text).wrap().min_size(egui::vec2(ui.available_width(), cx.sizes.px(40.0)));
    let response = filled(ui, true, row);
    crate::widgets::name(&response, egui::Role::Button, true, &cx.t("for-experts"));
    if response.clicked() {
        state.experts = !state.experts;
    }
    if !state.experts {
        return;
    }
    address_ui(ui, cx, state);
    facts_ui(ui, cx);
    monitor_ui(ui, cx, state);
}

fn address_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    let address =
        state.address.get_or_insert_with(|| cx.settings.board.clone().unwrap_or_else(|| "auto".to_owned()));
    field_below(ui, &cx.t("address"), address, cx.sizes.px(260.0));
    let address = address.trim().to_owned();
    let text = cx.words.with("connect-to", &[("what", address.clone().into())]);
    if button(ui, &text, !address.is_empty()).clicked() {
        cx.set(|settings| settings.board = Some(address.clone()));
        cx.board(BoardWish::Connect(address));
    }
    let words = makers().iter().map(|maker| maker.prefix).collect::<Vec<_>>().join(", ");
    hint(ui, &cx.words.with("address-line", &[("makers", words.into())]));
}

fn facts_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let board = &cx.snapshot.board;
    if let LinkState::Lost(why) = &board.link {
        ui.label(
            RichText::new(cx.words.with("lost-because", &[("why", why.clone().into())])).color(cx.theme.bad),
        );
    }
    Grid::new("facts").spacing([24.0, 4.0]).show(ui, |ui| {
        let mut fact = |name: &str, value: &str| {
            ui.label(RichText::new(cx.t(name)).color(cx.theme.muted));
            ui.label(value);
            ui.end_row();
        };
        if let Some(address) = &board.address {
            fact("fact-address", address);
        }
        for (what, value) in &board.facts {
            let name = match what {
                BoardFact::Maker => "fact-maker",
                BoardFact::Version => "fact-version",
                BoardFact::Serial => "fact-serial",
                BoardFact::Clock => "fact-clock",
            };
            fact(name, value);
        }
    });
}

fn monitor_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    heading(ui, &cx.t("monitor"));
    let mut on = cx.snapshot.board.bytes.is_some();
    if ui.checkbox(&mut on, cx.t("monitor-on")).changed() {
        cx.board(BoardWish::Watch(on));
    }
    field_below(ui, &cx.t("capture-file"), &mut state.capture, cx.sizes.px(260.0));
    if let Some(path) = cx.snapshot.board.capture.clone() {
        let text = cx.words.with("stop-capture", &[("path", path.into())]);
        if button(ui, &text, true).clicked() {
            cx.board(BoardWish::Capture(None));
        }
    } else {
        let name = state.capture.trim();
        if button(ui, &cx.t("start-capture"), cx.chooser || !name.is_empty()).clicked() {
            cx.with_file(FileUse::Capture, name, !name.is_empty());
        }
    }
    let Some(bytes) = cx.snapshot.board.bytes.clone() else { return };
    let scroll = ScrollArea::vertical().id_salt("bytes").max_height(cx.sizes.px(180.0));
    scroll.auto_shrink(false).stick_to_bottom(true).show(ui, |ui| {
        for RawLine { at, from_board, hex } in bytes.iter() {
            let arrow = if *from_board { "<" } else { ">" };
            let time = Millis(at.millis());
            ui.label(RichText::new(format!("{time} {arrow} {hex}")).monospace());
        }
    });
}
