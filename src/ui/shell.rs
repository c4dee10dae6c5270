//! The window's frame: which screen is shown, the row above it, keys, notices, and the look of it all.

use std::collections::BTreeMap;
use std::time::Duration;

use eframe::egui::{
    Align, Button, CentralPanel, Context, Event, Frame, Layout, Margin, Panel, RichText, Ui, vec2,
};

use super::art::Art;
use super::cx::Cx;
use super::keys::{Command, Keys};
use super::start::{StartState, start_ui};
use super::table::{TableState, table_ui};
use super::text::Words;
use super::theme::{Theme, bold_font, load_fonts};
use super::widgets::button;
use crate::app::desk::Wish;
use crate::app::settings::{Language, Look, Settings};
use crate::app::snapshot::{LinkState, Snapshot, TableView};
use crate::clock::{Instant, Millis};
use crate::rules::Color;

/// How long a notice stays.
const NOTICE: Millis = Millis(8_000);
/// Below this the clocks show tenths, and are drawn as often.
const TENTHS: u64 = 10_000;

/// The screens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Page {
    /// The table, or the first screen where nothing is played.
    #[default]
    Table,
}

impl Page {
    const ALL: [(Self, &'static str); 1] = [(Self::Table, "page-table")];
}

/// The screens and what they remember. Draws snapshots, returns wishes.
#[derive(Debug)]
pub struct Shell {
    /// Which screen is shown.
    pub page: Page,
    /// Whether the two-sided clock fills the window.
    pub face: bool,
    /// Whether the table behind the screens has broken down.
    pub broken: bool,
    words: Words,
    keys: Keys,
    changed_keys: BTreeMap<String, String>,
    look: Option<(Look, u16)>,
    art: Art,
    start: StartState,
    table: TableState,
}

impl Default for Shell {
    fn default() -> Self {
        Self {
            page: Page::default(),
            face: false,
            broken: false,
            words: Words::of(Language::English),
            keys: Keys::new(&BTreeMap::new()),
            changed_keys: BTreeMap::new(),
            look: None,
            art: Art::default(),
            start: StartState::default(),
            table: TableState::default(),
        }
    }
}

impl Shell {
    /// Draws one frame of a snapshot at a moment of the program's own time; returns what people want.
    pub fn ui(&mut self, ui: &mut Ui, snapshot: &Snapshot, now: Instant) -> Vec<Wish> {
        self.follow(ui.ctx(), &snapshot.settings);
        let theme = Theme::of(snapshot.settings.look);
        let at = snapshot.time.of(now);
        let view = snapshot.past.as_ref().map(|past| &past.table);
        let view = view.or(snapshot.table.as_deref());
        let at = snapshot.past.as_ref().map_or(at, |past| past.at);
        let mut cx = Cx {
            words: &self.words,
            theme: &theme,
            art: &self.art,
            snapshot,
            settings: &snapshot.settings,
            keys: &self.keys,
            now,
            at,
            pressed: pressed(ui.ctx(), &self.keys, self.face || view.is_some_and(|view| view.clock_alone)),
            wishes: Vec::new(),
        };
        if cx.takes(Command::Face) && view.is_some() {
            self.face = !self.face;
        }
        if self.face && cx.pressed.contains(&Command::No) && snapshot.question.is_none() {
            cx.takes(Command::No);
            self.face = false;
        }
        let face = self.face && view.is_some();
        if !face {
            Panel::top("top").frame(bar(&theme)).show(ui, |ui| top_ui(ui, &mut cx, &mut self.page, &mut self.face));
        }
        if self.broken {
            Panel::bottom("broken").frame(bar(&theme)).show(ui, |ui| {
                ui.label(RichText::new(cx.t("broken")).font(bold_font(16.0)).color(theme.bad));
            });
        }
        notices_ui(ui, &cx);
        let margin = if face { Margin::same(4) } else { Margin::same(8) };
        CentralPanel::default().frame(Frame::new().fill(theme.ground).inner_margin(margin)).show(ui, |ui| {
            match (self.page, view) {
                (Page::Table, Some(view)) if face => super::face::face_ui(ui, &mut cx, view),
                (Page::Table, Some(view)) => table_ui(ui, &mut cx, view, &mut self.table),
                (Page::Table, None) => start_ui(ui, &mut cx, &mut self.start),
            }
        });
        let wishes = cx.wishes;
        if let Some(wait) = view.and_then(|view| next_change(view, at)) {
            ui.ctx().request_repaint_after(wait);
        }
        wishes
    }

    /// Takes over settings that have changed since the last frame.
    fn follow(&mut self, ctx: &Context, settings: &Settings) {
        let look = (settings.look, settings.text_percent);
        if self.look != Some(look) {
            if self.look.is_none() {
                load_fonts(ctx);
            }
            Theme::of(settings.look).apply(ctx, settings.text_percent);
            self.look = Some(look);
        }
        if self.words.language != settings.language {
            self.words = Words::of(settings.language);
        }
        if self.changed_keys != settings.keys {
            self.keys = Keys::new(&settings.keys);
            self.changed_keys.clone_from(&settings.keys);
        }
    }
}

/// The commands whose keys were pressed. Their keys are taken out, so that they press nothing else; while
/// somebody types they are left alone, and so are plain letters where any key is a press of the clock.
fn pressed(ctx: &Context, keys: &Keys, clock_keys: bool) -> Vec<Command> {
    let typing = ctx.text_edit_focused();
    let mut found = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return true };
            let bound = keys.iter().filter(|(_, name)| {
                name.0.logical_key == *key && modifiers.matches_exact(name.0.modifiers)
            });
            let plain = !modifiers.command && !modifiers.alt && !is_function_key(*key);
            if plain && (typing || (clock_keys && !is_clock_command(*key))) {
                return true;
            }
            let before = found.len();
            found.extend(bound.map(|(command, _)| command));
            let taken = found.len() > before;
            if *repeat {
                found.truncate(before);
            }
            !taken
        });
        if !typing && found.contains(&Command::Press) {
            // Space also comes as text.
            input.events.retain(|event| !matches!(event, Event::Text(text) if text == " "));
        }
    });
    found
}

fn is_function_key(key: eframe::egui::Key) -> bool {
    let name = key.name();
    name.len() > 1 && name.starts_with('F') && name.bytes().skip(1).all(|byte| byte.is_ascii_digit())
}

fn is_clock_command(key: eframe::egui::Key) -> bool {
    matches!(key, eframe::egui::Key::Space | eframe::egui::Key::Escape)
}

fn bar(theme: &Theme) -> Frame {
    Frame::new().fill(theme.panel).inner_margin(Margin::symmetric(10, 5))
}

fn top_ui(ui: &mut Ui, cx: &mut Cx<'_>, page: &mut Page, face: &mut bool) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Tabiya").font(bold_font(18.0)).color(cx.theme.accent));
        for (of, name) in Page::ALL {
            let text = cx.t(name);
            if ui.add(Button::selectable(*page == of, text).min_size(vec2(0.0, 30.0))).clicked() {
                *page = of;
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if cx.snapshot.table.is_some() {
                let text = cx.t("clock-face") + &cx.hint(Command::Face);
                if button(ui, &text, true).clicked() {
                    *face = true;
                }
            }
            board_light_ui(ui, cx);
        });
    });
}

/// One word on how the board's connection stands.
fn board_light_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let (word, color) = match &cx.snapshot.board.link {
        LinkState::None => ("board-none", cx.theme.muted),
        LinkState::Connecting => ("board-connecting", cx.theme.accent),
        LinkState::Connected => ("board-connected", cx.theme.good),
        LinkState::Lost(_) => ("board-lost", cx.theme.bad),
    };
    let response = ui.label(RichText::new(cx.t(word)).color(color));
    if let LinkState::Lost(why) = &cx.snapshot.board.link {
        response.on_hover_text(why);
    }
}

/// Files that were written, and what failed, for a few seconds.
fn notices_ui(ui: &mut Ui, cx: &Cx<'_>) {
    let shown: Vec<_> =
        cx.snapshot.notices.iter().filter(|notice| cx.now.since(notice.at) < NOTICE || notice.failed).collect();
    let newest = shown.last();
    if let Some(notice) = newest.filter(|notice| cx.now.since(notice.at) < Millis(4 * NOTICE.0)) {
        let color = if notice.failed { cx.theme.bad } else { cx.theme.good };
        Panel::bottom("notices").frame(bar(cx.theme)).show(ui, |ui| {
            ui.label(RichText::new(&notice.text).color(color));
        });
    }
}

/// How long until what the clocks show changes.
fn next_change(view: &TableView, at: Instant) -> Option<Duration> {
    let clock = &view.clock;
    if clock.paused() {
        return None;
    }
    let turn: Color = clock.turn()?;
    let left = clock.reading(turn, at)?.0;
    let step = if left <= TENTHS { 100 } else { 1000 };
    let rest = left % step;
    Some(Duration::from_millis(if rest == 0 { 1 } else { rest + 1 }))
}

#[cfg(test)]
mod tests;
