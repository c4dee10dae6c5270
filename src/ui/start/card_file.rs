//! The user's card file in the form for a match: which one it is, and how to choose another.

use egui::{RichText, Ui};
use tabiya_app::desk::Wish;
use tabiya_types::harmless;

use crate::cx::Cx;
use crate::file_use::FileUse;
use crate::widgets::{button, hint};

/// How many faults of a file are listed.
const FAULTS: usize = 4;

/// Draws the card file, and the way to write a card.
pub(super) fn card_file_ui(ui: &mut Ui, cx: &mut Cx<'_>) {
    card_file_line(ui, cx);
    if button(ui, &cx.t("write-card"), true).clicked() {
        cx.write_card = Some(String::new());
    }
}

/// Draws the card file in use with what is wrong in it, and the ways to another one.
pub(crate) fn card_file_line(ui: &mut Ui, cx: &mut Cx<'_>) {
    let cards = cx.snapshot.own_cards.clone();
    let text = match &cards.path {
        None => cx.t("card-file-none"),
        Some(path) => {
            let written = cards.file.cards.iter().filter(|owned| owned.card.effect.is_some()).count();
            let facts = [
                ("file", harmless(&cx.path(path)).into()),
                ("count", cards.file.cards.len().into()),
                ("written", written.into()),
            ];
            cx.words.with("card-file-is", &facts)
        }
    };
    ui.label(RichText::new(text).color(cx.theme.text));
    if let Some(trouble) = &cards.trouble {
        ui.label(RichText::new(harmless(&cx.say(trouble))).color(cx.theme.bad));
    }
    for fault in cards.file.faults.iter().take(FAULTS) {
        let code = fault.code.map_or_else(|| fault.number.to_string(), |code| code.to_string());
        let what = harmless(&cx.say(&fault.what));
        ui.label(RichText::new(format!("{code}: {what}")).color(cx.theme.bad));
    }
    ui.horizontal_wrapped(|ui| {
        let id = ui.scope_id().with("card-file-path");
        let mut path: String = ui.data_mut(|data| data.get_temp(id)).unwrap_or_default();
        crate::widgets::field_below(ui, &cx.t("card-file-path"), &mut path, cx.sizes.px(240.0));
        let typed = path.trim().to_owned();
        ui.data_mut(|data| data.insert_temp(id, path));
        if button(ui, &cx.t("card-file-use"), !typed.is_empty()).clicked() {
            cx.with_file(FileUse::Cards, &typed, true);
        }
        if cx.chooser && button(ui, &cx.t("choose-card-file"), true).clicked() {
            cx.questions.push((FileUse::Cards, String::new()));
        }
        if cards.path.is_some() && button(ui, &cx.t("card-file-leave"), true).clicked() {
            cx.wish(Wish::UseCards(None));
        }
    });
    if cards.path.is_none() {
        hint(ui, &cx.t("card-file-hint"));
    }
}
