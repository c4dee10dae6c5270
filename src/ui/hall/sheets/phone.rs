//! The sheet of the arbiters' telephones: a code for one of them, the page's address and its six words, and who is signed in.

use egui::{RichText, Ui};
use tabiya_app::hall::{HallView, HallWish, PhonesView};
use tabiya_app::view::reading_with_tenths;
use tabiya_types::Millis;

use super::super::state::DeskState;
use crate::cx::Cx;
use crate::theme::bold_font;
use crate::widgets::{button, field_below, heading, hint, main_button};

/// Draws the sheet. Returns whether it stays.
pub(super) fn phone_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    view: &HallView,
    state: &mut DeskState,
    (name, tables): (&mut String, &mut String),
) -> bool {
    let Some(phones) = &view.phones else { return false };
    heading(ui, &cx.t("hall-phone-code"));
    let width = ui.available_width() - 20.0;
    let field = field_below(ui, &cx.t("hall-phone-for"), name, width);
    if name.is_empty() && !ui.ctx().text_edit_focused() {
        field.request_focus();
    }
    let which = field_below(ui, &cx.t("hall-phone-tables"), tables, width);
    let enter = ui.input(|input| input.key_pressed(egui::Key::Enter));
    let entered = (field.lost_focus() || which.lost_focus()) && enter;
    let ready = !name.trim().is_empty();
    if main_button(ui, cx.theme, &cx.t("hall-phone-give"), ready).clicked() || (entered && ready) {
        state.wishes.push(HallWish::Phone(name.trim().to_owned(), tables.trim().to_owned()));
    }
    given_ui(ui, cx, phones);
    !button(ui, &cx.t("hall-back"), true).clicked()
}

/// Draws the code that was given last, and what the telephone must show.
fn given_ui(ui: &mut Ui, cx: &Cx<'_>, phones: &PhonesView) {
    if let Some((name, code, left)) = &phones.code {
        let (first, second) = code.split_at_checked(code.len() / 2).unwrap_or((code, ""));
        let left = reading_with_tenths(Some(Millis(*left)), Millis::ZERO);
        let says = cx.words.with("hall-phone-holds", &[("name", name.clone().into()), ("left", left.into())]);
        ui.label(RichText::new(says).font(bold_font(cx.sizes.rem)));
        ui.label(RichText::new(format!("{first} {second}")).font(bold_font(cx.sizes.figure())));
    }
    for address in &phones.addresses {
        ui.label(RichText::new(address).font(bold_font(cx.sizes.rem)));
    }
    hint(ui, &cx.t("hall-phone-words"));
    ui.label(RichText::new(phones.words.join(" ")).font(bold_font(cx.sizes.rem)));
    let signed_in = match phones.signed_in.as_slice() {
        [] => cx.t("hall-phone-nobody"),
        names => cx.words.with("hall-phone-signed-in", &[("names", names.join(", ").into())]),
    };
    hint(ui, &signed_in);
}
