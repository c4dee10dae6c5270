//! The sheet of a table that joins: the digits that it shows, its number, and who waits, without digits.

use egui::{Align, Frame, Layout, Margin, RichText, TextEdit, Ui, vec2};
use tabiya_app::hall::{HallView, HallWish, RowLink};
use tabiya_app::view::reading_with_tenths;
use tabiya_types::Millis;

use super::super::state::DeskState;
use crate::cx::Cx;
use crate::theme::bold_font;
use crate::widgets::{button, describe, heading, hint, main_button};

/// How many digits a table shows.
const DIGITS: usize = 6;
/// From how much time on the digits of a table are nearly over, in ms.
const SHORT: u64 = 20_000;

/// Draws the sheet. Returns whether it stays.
pub(super) fn joining_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    view: &HallView,
    state: &mut DeskState,
    (digits, table): (&mut String, &mut String),
) -> bool {
    let mut stays = true;
    ui.horizontal(|ui| {
        heading(ui, &cx.t("hall-joins"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            stays = !button(ui, &format!("{}  [{}]", cx.t("hall-back"), cx.t("key-escape")), true).clicked();
        });
    });
    let width = ui.available_width();
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.set_width(width * 0.54);
            typed_ui(ui, cx, view, state, (digits, table));
        });
        ui.add_space(width * 0.03);
        ui.vertical(|ui| {
            ui.set_width(width * 0.40);
            waiting_ui(ui, cx, view, state);
        });
    });
    stays
}

fn typed_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    view: &HallView,
    state: &mut DeskState,
    (digits, table): (&mut String, &mut String),
) {
    let label = ui.label(RichText::new(cx.t("hall-digits")).font(bold_font(cx.sizes.rem)));
    let large = TextEdit::singleline(digits)
        .char_limit(DIGITS)
        .font(bold_font(cx.sizes.figure()))
        .desired_width(ui.available_width() - 8.0);
    let field = ui.add(large).labelled_by(label.id);
    if digits.is_empty() && !ui.ctx().text_edit_focused() {
        field.request_focus();
    }
    digits.retain(|letter| letter.is_ascii_digit());
    let number = ui
        .horizontal(|ui| crate::widgets::field(ui, &cx.t("hall-column-table"), table, cx.sizes.px(90.0)))
        .inner;
    table.retain(|letter| letter.is_ascii_digit());
    let wanted = table.parse::<u16>().ok().filter(|table| (1..=9_999).contains(table));
    if let Some(row) = wanted.and_then(|table| view.row(table)).and_then(|row| row.playing.as_ref()) {
        hint(ui, &format!("{} – {}", row.names.white, row.names.black));
    }
    let entered = number.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    let ready = view.joining.may_admit && digits.len() == DIGITS && wanted.is_some();
    let text = match wanted {
        Some(table) => cx.words.with("hall-admit-as", &[("table", u32::from(table).into())]),
        None => cx.t("hall-admit"),
    };
    let taken = wanted.filter(|table| view.row(*table).is_some_and(|row| row.link == RowLink::Here));
    if let Some(table) = taken {
        hint(ui, &cx.words.with("hall-number-taken", &[("table", u32::from(table).into())]));
        let text = cx.words.with("hall-replace", &[("table", u32::from(table).into())]);
        if button(ui, &text, ready).clicked() || (entered && ready) {
            state.wishes.push(HallWish::Replace(digits.clone(), table));
        }
    } else {
        let clicked = main_button(ui, cx.theme, &text, ready).clicked();
        if let Some(table) = wanted.filter(|_| ready && (clicked || entered)) {
            state.wishes.push(HallWish::Admit(digits.clone(), table));
        }
    }
    if let Some((answer, failed)) = &view.joining.answer {
        let ink = if *failed { cx.theme.bad } else { cx.theme.good };
        ui.label(RichText::new(crate::widgets::capital(&cx.words.said(answer))).color(ink));
    }
    if !view.joining.may_admit {
        hint(ui, &cx.t("hall-no-authority"));
    }
    hint(ui, &cx.t("hall-both-confirm"));
}

/// Draws who waits: without the digits, which must come from the table itself.
fn waiting_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState) {
    let joining = &view.joining;
    let text = cx.words.with("hall-waiting", &[("count", joining.waiting.len().into())]);
    ui.label(RichText::new(text).font(bold_font(cx.sizes.rem)));
    for one in &joining.waiting {
        let frame = Frame::new().fill(cx.theme.raised).corner_radius(8).inner_margin(Margin::same(10));
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width() - 8.0);
            ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
            ui.horizontal(|ui| {
                ui.label(RichText::new(&one.name).font(bold_font(cx.sizes.rem)));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let refuse = button(ui, &cx.t("hall-refuse"), view.joining.may_admit);
                    let said = cx.words.with("hall-refuse-one", &[("name", one.name.clone().into())]);
                    describe(&refuse, &said);
                    if refuse.clicked() {
                        state.wishes.push(HallWish::Refuse(one.join.clone()));
                    }
                    let left = reading_with_tenths(Some(Millis(one.left)), Millis::ZERO);
                    let ink = if one.left < SHORT { cx.theme.bad } else { cx.theme.muted };
                    ui.label(RichText::new(left).color(ink));
                });
            });
            let agreed = cx.t(if one.agreed { "hall-agreed" } else { "hall-not-agreed" });
            hint(ui, &format!("{} · {agreed}", one.from));
        });
    }
    hint(ui, &cx.t("hall-digits-not-here"));
    hint(ui, &cx.words.with("hall-wrong-digits", &[("count", joining.wrong.into())]));
}
