//! The screen for settings, in groups: language and look, board and words, sounds and voice, the clock, the second copy
//! of the records, and the keys.

use std::path::PathBuf;

use egui::{DragValue, Event, Frame, Rect, RichText, ScrollArea, Sense, Slider, Ui, UiBuilder, pos2, vec2};
use tabiya_engine::clock::ClockSide;
use tabiya_store::settings::{Appearance, BoardColors, Settings};
use tabiya_text::Language;
use tabiya_types::Color;

use super::aloud::Sound;
use super::cx::Cx;
use super::keys::{Command, KeyName};
use super::kit::button::{ButtonFace, CHOICE, Kind, button_at, choices};
use super::sounds::hear_ui;
use super::theme::bold_font;
use super::widgets::{button, field_below, hint, panel};

/// A page that is narrower than this, in rem, has one column.
const ONE_COLUMN: f32 = 46.0;

/// What the screen remembers between frames.
#[derive(Clone, Debug, Default)]
pub(super) struct SettingsState {
    /// The command for which the user is about to press a new key.
    waits: Option<Command>,
    /// Why the last key was refused.
    refusal: Option<String>,
    warnings: Option<String>,
    /// The size of text that the slider shows while it is dragged: the slider stands still under the pointer.
    text_percent: Option<u16>,
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
    let mut heard = None;
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    if let Some(command) = state.waits {
        take_key(ui, cx, state, &mut settings, command);
    }
    if area.width() / cx.sizes.rem < ONE_COLUMN {
        column(ui, area, "settings", |ui| {
            usual_ui(ui, cx, state, &mut settings, &mut heard);
            keys_ui(ui, cx, state, &mut settings);
        });
    } else {
        let (middle, gap) = (area.center().x, cx.sizes.px(6.0));
        let left = area.with_max_x(middle - gap);
        column(ui, left, "settings", |ui| usual_ui(ui, cx, state, &mut settings, &mut heard));
        let right = area.with_min_x(middle + gap);
        column(ui, right, "keys", |ui| keys_ui(ui, cx, state, &mut settings));
    }
    cx.heard = heard;
    if settings != before {
        cx.set(|kept| *kept = settings);
    }
}

/// Draws a column that scrolls if it has to.
fn column(ui: &mut Ui, area: Rect, id: &str, draw: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
        ScrollArea::vertical().id_salt(id).auto_shrink(false).show(ui, draw);
    });
}

/// Draws a group of settings under its heading.
fn group(ui: &mut Ui, cx: &Cx<'_>, title: &str, draw: impl FnOnce(&mut Ui)) {
    let frame: Frame = panel(cx.theme);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(cx.t(title)).font(bold_font(cx.sizes.lead())));
        ui.add_space(cx.sizes.px(2.0));
        draw(ui);
    });
    ui.add_space(cx.sizes.px(6.0));
}

/// Draws all groups but the keys.
fn usual_ui(
    ui: &mut Ui,
    cx: &Cx<'_>,
    state: &mut SettingsState,
    settings: &mut Settings,
    heard: &mut Option<Sound>,
) {
    group(ui, cx, "look", |ui| look_ui(ui, cx, settings));
    group(ui, cx, "settings-board", |ui| board_ui(ui, cx, state, settings));
    group(ui, cx, "sounds", |ui| {
        sounds_ui(ui, cx, settings);
        *heard = hear_ui(ui, cx);
    });
    group(ui, cx, "settings-clock", |ui| clock_ui(ui, cx, state, settings));
    group(ui, cx, "second-copy", |ui| copy_ui(ui, cx, settings));
}

fn look_ui(ui: &mut Ui, cx: &Cx<'_>, settings: &mut Settings) {
    // The name of each language is written in that language, so that its speakers find it.
    let languages = Language::ALL.map(|language| {
        let name = match language {
            Language::English => "English",
            Language::Spanish => "Español",
            Language::German => "Deutsch",
        };
        (language, name.to_owned())
    });
    choices(ui, cx, &mut settings.language, &languages);
    let looks = Appearance::ALL.map(|look| {
        let name = match look {
            Appearance::System => "look-system",
            Appearance::Dark => "look-dark",
            Appearance::Light => "look-light",
            Appearance::Contrast => "look-contrast",
        };
        (look, cx.t(name))
    });
    choices(ui, cx, &mut settings.look, &looks);
    // Until it is switched here, it is as the desktop says.
    let mut still = settings.reduced_motion.or(cx.still_by_system).unwrap_or(false);
    if ui.checkbox(&mut still, cx.t("reduced-motion")).changed() {
        settings.reduced_motion = Some(still);
    }
}

fn board_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut SettingsState, settings: &mut Settings) {
    let colors = BoardColors::ALL.map(|colors| {
        let name = match colors {
            BoardColors::Brown => "board-brown",
            BoardColors::Green => "board-green",
            BoardColors::Blue => "board-blue",
            BoardColors::Grey => "board-grey",
        };
        (colors, cx.t(name))
    });
    choices(ui, cx, &mut settings.board_colors, &colors);
    let sides = [(false, Color::White), (true, Color::Black)]
        .map(|(black, color)| (black, cx.words.with("below", &[("color", cx.words.color(color).into())])));
    choices(ui, cx, &mut settings.black_below, &sides);
    ui.vertical(|ui| {
        let label = ui.label(cx.t("text-size"));
        let mut percent = state.text_percent.take().unwrap_or(settings.text_percent);
        let slider = ui.add(Slider::new(&mut percent, 80..=200).step_by(10.0).suffix(" %"));
        if slider.labelled_by(label.id).dragged() {
            state.text_percent = Some(percent);
        } else {
            settings.text_percent = percent;
        }
    });
}

fn sounds_ui(ui: &mut Ui, cx: &Cx<'_>, settings: &mut Settings) {
    ui.checkbox(&mut settings.sounds, cx.t("sounds-on"));
    ui.vertical(|ui| {
        let label = ui.label(cx.t("volume"));
        ui.add_enabled(settings.sounds, Slider::new(&mut settings.volume, 0..=100).suffix(" %"))
            .labelled_by(label.id);
    });
    ui.checkbox(&mut settings.speech, cx.t("speech-on"));
    hint(ui, &cx.t("speech-line"));
}

/// Draws the field for the folder into which records are copied, and how far the copy of the running match has come.
fn copy_ui(ui: &mut Ui, cx: &Cx<'_>, settings: &mut Settings) {
    let folder = settings.copy.as_ref().map(|folder| folder.display().to_string());
    let mut text = folder.unwrap_or_default();
    if field_below(ui, &cx.t("copy-folder"), &mut text, cx.sizes.px(320.0)).changed() {
        settings.copy = Some(text).filter(|text| !text.trim().is_empty()).map(PathBuf::from);
    }
    hint(ui, &cx.t("copy-line"));
    if let Some(copy) = &cx.snapshot.devices.record.copy {
        let behind = || cx.words.with("copy-behind", &[("lines", copy.behind.into())]);
        match &copy.trouble {
            Some(why) => drop(ui.label(RichText::new(format!("{}: {why}", behind())).color(cx.theme.bad))),
            None if copy.behind > 0 => hint(ui, &behind()),
            None => hint(ui, &cx.t("copy-complete")),
        }
    }
}

fn clock_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut SettingsState, settings: &mut Settings) {
    let written = || settings.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut text = state.warnings.clone().unwrap_or_else(written);
    if field_below(ui, &cx.t("warnings"), &mut text, cx.sizes.px(160.0)).changed() {
        let seconds: Vec<u32> = text.split([' ', ',']).filter_map(|part| part.parse().ok()).take(5).collect();
        settings.warnings = seconds;
        state.warnings = Some(text);
    }
    hint(ui, &cx.t("warnings-line"));
    ui.label(cx.t("lever-side"));
    let sides = [None, Some(ClockSide::WhiteLeft), Some(ClockSide::WhiteRight)].map(|side| {
        let name = match side {
            None => "lever-guess",
            Some(ClockSide::WhiteLeft) => "lever-left",
            Some(ClockSide::WhiteRight) => "lever-right",
        };
        (side, cx.t(name))
    });
    choices(ui, cx, &mut settings.clock_side, &sides);
    hint(ui, &cx.t("lever-line"));
    ui.horizontal_wrapped(|ui| {
        let label = ui.label(cx.t("tenths-below"));
        ui.add(DragValue::new(&mut settings.tenths_below).range(0..=60)).labelled_by(label.id);
    });
}

fn keys_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut SettingsState, settings: &mut Settings) {
    group(ui, cx, "keys", |ui| {
        hint(ui, &cx.t("keys-line"));
        hint(ui, &cx.t("keys-clock-line"));
        if let Some(refusal) = &state.refusal {
            ui.label(RichText::new(refusal).color(cx.theme.bad));
        }
        for (command, key) in cx.keys.iter() {
            key_ui(ui, cx, state, command, key);
        }
        if button(ui, &cx.t("usual-keys"), !settings.keys.is_empty()).clicked() {
            settings.keys.clear();
        }
    });
}

/// Draws one command with its key, which is a button: the next key that is pressed becomes the new one.
fn key_ui(ui: &mut Ui, cx: &Cx<'_>, state: &mut SettingsState, command: Command, key: KeyName) {
    let sizes = cx.sizes;
    let what = cx.words.word("command", command.word());
    let waits = state.waits == Some(command);
    let text = if waits { cx.t("press-a-key") } else { cx.key_name(key) };
    let width = (ui.available_width() * 0.4).min(sizes.px(170.0));
    let font = egui::FontId::proportional(sizes.rem);
    let room = ui.available_width() - width - sizes.px(10.0);
    let words = super::kit::rows(ui.painter(), &what, (font, cx.theme.text), room, 3);
    let height = sizes.px(CHOICE).max(words.size().y + sizes.px(6.0));
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let at = pos2(row.left(), row.center().y - words.size().y / 2.0);
    ui.painter().galley(at, words, cx.theme.text);
    super::widgets::label(ui, row, command.word(), &format!("{what}: {text}"));
    let place = Rect::from_min_max(pos2(row.right() - width, row.top() + 1.0), row.max - vec2(0.0, 1.0));
    let said = cx.words.with("change-key", &[("what", what.into())]);
    let face = ButtonFace::new(Kind::Choice(waits), &text).said(said);
    if button_at(ui, cx, place, ("key", command.word()), &face).clicked() {
        (state.waits, state.refusal) = (Some(command), None);
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
                [("key", cx.key_name(key).into()), ("what", cx.words.word("command", other.word()).into())];
            state.refusal = Some(cx.words.with("key-taken", &facts));
        }
        None => drop(settings.keys.insert(command.word().to_owned(), key.to_string())),
    }
}
