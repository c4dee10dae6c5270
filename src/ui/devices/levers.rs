//! The levers of the clock: for each side, and for whoever's clock runs, the key that presses, and the way to choose another.

use egui::{Event, RichText, Role, Ui};
use tabiya_store::settings::Settings;

use super::DevicesState;
use crate::cx::Cx;
use crate::keys::KeyName;
use crate::levers::{Lever, TakenKey, check};
use crate::widgets::{button, heading, hint, name, panel};

/// Draws the levers.
pub(super) fn levers_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState) {
    if let Some(lever) = state.lever {
        take_key(ui, cx, state, lever);
    }
    heading(ui, &cx.t("levers"));
    hint(ui, &cx.t("levers-line"));
    if let Some(refusal) = &state.lever_refused {
        ui.label(RichText::new(refusal).color(cx.theme.bad));
    }
    panel(cx.theme).show(ui, |ui| {
        ui.set_width(ui.available_width());
        for lever in Lever::ALL {
            lever_ui(ui, cx, state, lever);
        }
    });
}

/// Draws one lever with its key.
fn lever_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut DevicesState, lever: Lever) {
    let what = cx.words.word("lever-of", lever.word());
    let waits = state.lever == Some(lever);
    let key = lever.key(&cx.settings.levers);
    ui.horizontal_wrapped(|ui| {
        let shown = match (waits, key) {
            (true, _) => cx.t("lever-press-now"),
            (_, Some(key)) => cx.key_name(key),
            (_, None) => cx.t("lever-none"),
        };
        ui.label(format!("{what}: {shown}"));
        let text = cx.t("lever-choose");
        let response = button(ui, &text, !waits);
        name(&response, Role::Button, !waits, &format!("{text}: {what}"));
        if response.clicked() {
            (state.lever, state.lever_refused) = (Some(lever), None);
        }
        if key.is_some() {
            let text = cx.t("lever-forget");
            let response = button(ui, &text, true);
            name(&response, Role::Button, true, &format!("{text}: {what}"));
            if response.clicked() {
                cx.set(|settings| drop(settings.levers.remove(lever.word())));
            }
        }
    });
}

/// Makes the next pressed key the key of this lever, unless it is somebody else's already.
fn take_key(ui: &Ui, cx: &mut Cx<'_>, state: &mut DevicesState, lever: Lever) {
    let pressed = ui.input(|input| {
        input.events.iter().find_map(|event| match event {
            Event::Key { key, pressed: true, modifiers, .. } => Some((KeyName::of(*modifiers, *key), *key)),
            _ => None,
        })
    });
    let Some((key, letter)) = pressed else { return };
    state.lever = None;
    if letter == egui::Key::Escape {
        return;
    }
    match check(lever, key, &cx.settings.levers, cx.keys) {
        Ok(()) => cx.set(|settings: &mut Settings| {
            settings.levers.insert(lever.word().to_owned(), key.to_string());
        }),
        Err(taken) => {
            let what = match taken {
                TakenKey::Command(command) => cx.words.word("command", command.word()),
                TakenKey::Lever(other) => cx.words.word("lever-of", other.word()),
            };
            let facts = [("key", cx.key_name(key).into()), ("what", what.into())];
            state.lever_refused = Some(cx.words.with("key-taken", &facts));
        }
    }
}
