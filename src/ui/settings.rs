//! The screen for settings: language, look, board, sounds, speech, warnings, keys.

use std::path::PathBuf;

use egui::{DragValue, Event, Grid, RichText, ScrollArea, Slider, Ui};
use tabiya_app::store::settings::{Appearance, BoardColors, Settings};
use tabiya_text::Language;
use tabiya_types::Color;

use super::cx::Cx;
use super::keys::{Command, KeyName};
use super::widgets::{button, choice, columns, field, field_below, heading, hint, name};

/// What the screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct SettingsState {
    /// The command for which the user is about to press a new key.
    waits: Option<Command>,
    /// Why the last key was refused.
    refusal: Option<String>,
    warnings: Option<String>,
}

impl SettingsState {
    /// Whether the next pressed key becomes the new key of a command. That key press must have no other effect.
    pub(super) fn takes_keys(&self) -> bool {
        self.waits.is_some()
    }

    /// Stops waiting for a key, because another screen is shown.
    pub(super) fn forget_keys(&mut self) {
        (self.waits, self.refusal) = (None, None);
    }
}

/// Draws the screen.
pub(super) fn settings_ui(ui: &mut Ui, cx: &mut Cx<'_>, state: &mut SettingsState) {
    let before = cx.settings.clone();
    let mut settings = before.clone();
    columns(
        ui,
        0.46,
        &mut (&mut *state, &mut settings),
        |ui, (state, settings)| look_ui(ui, cx, state, settings),
        |ui, (state, settings)| keys_ui(ui, cx, state, settings),
    );
    if settings != before {
        cx.set(|kept| *kept = settings);
    }
}

fn look_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut SettingsState, settings: &mut Settings) {
    ScrollArea::vertical().id_salt("settings").auto_shrink(false).show(ui, |ui| {
        heading(ui, &cx.t("look"));
        // The name of each language is written in that language, so that its speakers find it.
        let languages = Language::ALL.map(|language| {
            let name = match language {
                Language::English => "English",
                Language::Spanish => "Español",
                Language::German => "Deutsch",
            };
            (language, name.to_owned())
        });
        choice(ui, &mut settings.language, &languages);
        let looks = Appearance::ALL.map(|look| {
            let name = match look {
                Appearance::Dark => "look-dark",
                Appearance::Light => "look-light",
                Appearance::Contrast => "look-contrast",
            };
            (look, cx.t(name))
        });
        choice(ui, &mut settings.look, &looks);
        let colors = BoardColors::ALL.map(|colors| {
            let name = match colors {
                BoardColors::Brown => "board-brown",
                BoardColors::Green => "board-green",
                BoardColors::Blue => "board-blue",
                BoardColors::Grey => "board-grey",
            };
            (colors, cx.t(name))
        });
        choice(ui, &mut settings.board_colors, &colors);
        let sides = [(false, Color::White), (true, Color::Black)].map(|(black, color)| {
            (black, cx.words.with("below", &[("color", cx.words.color(color).into())]))
        });
        choice(ui, &mut settings.black_below, &sides);
        ui.horizontal(|ui| {
            let label = ui.label(cx.t("text-size"));
            ui.add(Slider::new(&mut settings.text_percent, 80..=200).step_by(10.0).suffix(" %"))
                .labelled_by(label.id);
        });
        ui.separator();
        heading(ui, &cx.t("sounds"));
        ui.checkbox(&mut settings.sounds, cx.t("sounds-on"));
        ui.horizontal(|ui| {
            let label = ui.label(cx.t("volume"));
            ui.add_enabled(settings.sounds, Slider::new(&mut settings.volume, 0..=100).suffix(" %"))
                .labelled_by(label.id);
        });
        ui.checkbox(&mut settings.speech, cx.t("speech-on"));
        hint(ui, &cx.t("speech-line"));
        warnings_ui(ui, cx, state, settings);
        ui.separator();
        copy_ui(ui, cx, settings);
    });
}

/// Draws the field for the folder into which records are copied, and how far the copy of the running match has come.
fn copy_ui(ui: &mut Ui, cx: &Cx<'_>, settings: &mut Settings) {
    heading(ui, &cx.t("second-copy"));
    let folder = settings.copy.as_ref().map(|folder| folder.display().to_string());
    let mut text = folder.unwrap_or_default();
    if field_below(ui, &cx.t("copy-folder"), &mut text, 320.0).changed() {
        settings.copy = Some(text).filter(|text| !text.trim().is_empty()).map(PathBuf::from);
    }
    hint(ui, &cx.t("copy-line"));
    if let Some(copy) = &cx.snapshot.copy {
        let behind = || cx.words.with("copy-behind", &[("lines", copy.behind.into())]);
        match &copy.trouble {
            Some(why) => drop(ui.label(RichText::new(format!("{}: {why}", behind())).color(cx.theme.bad))),
            None if copy.behind > 0 => hint(ui, &behind()),
            None => hint(ui, &cx.t("copy-complete")),
        }
    }
}

fn warnings_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut SettingsState, settings: &mut Settings) {
    ui.horizontal(|ui| {
        let written = || settings.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let mut text = state.warnings.clone().unwrap_or_else(written);
        let response = field(ui, &cx.t("warnings"), &mut text, 120.0);
        if response.changed() {
            let seconds: Vec<u32> =
                text.split([' ', ',']).filter_map(|part| part.parse().ok()).take(5).collect();
            settings.warnings = seconds;
            state.warnings = Some(text);
        }
    });
    hint(ui, &cx.t("warnings-line"));
    ui.horizontal(|ui| {
        let label = ui.label(cx.t("tenths-below"));
        ui.add(DragValue::new(&mut settings.tenths_below).range(0..=60)).labelled_by(label.id);
    });
}

fn keys_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut SettingsState, settings: &mut Settings) {
    heading(ui, &cx.t("keys"));
    hint(ui, &cx.t("keys-line"));
    hint(ui, &cx.t("keys-clock-line"));
    if let Some(command) = state.waits {
        take_key(ui, cx, state, settings, command);
    }
    if let Some(refusal) = &state.refusal {
        ui.label(RichText::new(refusal).color(cx.theme.bad));
    }
    ScrollArea::vertical()
        .id_salt("keys")
        .auto_shrink(false)
        .show(ui, |ui| keys_table_ui(ui, cx, state, settings));
}

fn keys_table_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut SettingsState, settings: &mut Settings) {
    Grid::new("keys").striped(true).num_columns(3).spacing([24.0, 4.0]).show(ui, |ui| {
        for (command, key) in cx.keys.iter() {
            let what = cx.words.word("command", command.word());
            ui.label(&what);
            ui.label(RichText::new(key.to_string()).strong());
            let waits = state.waits == Some(command);
            let response = button(ui, &cx.t(if waits { "press-a-key" } else { "change" }), true);
            let said = cx.words.with("change-key", &[("what", what.into())]);
            name(&response, egui::Role::Button, true, &said);
            if response.clicked() {
                (state.waits, state.refusal) = (Some(command), None);
            }
            ui.end_row();
        }
    });
    if button(ui, &cx.t("usual-keys"), !settings.keys.is_empty()).clicked() {
        settings.keys.clear();
    }
}

/// Makes the next pressed key the key of a command. The key is refused if another command that can be used at the same
/// time already has it.
fn take_key(ui: &Ui, cx: &Cx<'_>, state: &mut SettingsState, settings: &mut Settings, command: Command) {
    let pressed = ui.input(|input| {
        input.events.iter().find_map(|event| match event {
            Event::Key { key, pressed: true, modifiers, .. } => Some((KeyName::of(*modifiers, *key), *key)),
            _ => None,
        })
    });
    let Some((key, letter)) = pressed else { return };
    state.waits = None;
    if letter == egui::Key::Escape {
        return;
    }
    match cx.keys.clash(command, key) {
        Some(other) => {
            let facts =
                [("key", key.to_string().into()), ("what", cx.words.word("command", other.word()).into())];
            state.refusal = Some(cx.words.with("key-taken", &facts));
        }
        None => drop(settings.keys.insert(command.word().to_owned(), key.to_string())),
    }
}
