//! The sheet of the rulings that no alert proposes: a number chooses one, then it asks for what it needs and for the reason.

use egui::{Key, Ui};
use tabiya_app::hall::{OtherRuling, ReasonedOrder};

use super::super::state::DeskState;
use super::{Sheet, reason_ui};
use crate::cx::Cx;
use crate::widgets::{choice_below, field_below, heading, hint, main_button};

/// Draws the sheet. Returns whether it stays.
pub(super) fn other_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut DeskState, sheet: &mut Sheet) -> bool {
    let Sheet::Other { table, ruling, value, reason } = sheet else { return false };
    heading(ui, &cx.words.with("hall-other-at", &[("table", u32::from(*table).into())]));
    let named = |(nth, ruling): (usize, OtherRuling)| {
        (Some(ruling), format!("{}  [{}]", cx.t(ruling.label()), nth + 1))
    };
    let options: Vec<_> = OtherRuling::ALL.into_iter().enumerate().map(named).collect();
    choice_below(ui, ruling, &options);
    let Some(ruling) = *ruling else {
        hint(ui, &cx.t("hall-other-choose"));
        return true;
    };
    let mut entered = false;
    if let Some(asks) = ruling.asks() {
        let field = field_below(ui, &cx.t(asks), value, ui.available_width() - 20.0);
        if value.is_empty() && reason.is_empty() && !ui.ctx().text_edit_focused() {
            field.request_focus();
        }
        entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    }
    let missing = ruling.asks().filter(|_| value.trim().is_empty());
    let ordered = if ruling.needs_reason() {
        reason_ui(ui, cx, ReasonedOrder::Other(ruling), reason, missing)
    } else {
        main_button(ui, cx.theme, &cx.t("hall-order"), missing.is_none()).clicked()
            || (entered && missing.is_none())
    };
    let words = ruling.order(value, reason).filter(|_| ordered);
    let stays = words.is_none();
    if let Some(words) = words {
        state.order(*table, words);
    }
    stays
}
