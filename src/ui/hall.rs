//! The window of an event's console: the desk with what cannot wait, all tables, and the one that is chosen, for reading only. It
//! draws a [`HallView`] and returns wishes.
//!
//! Source: `docs/event.md`, "The desk".

mod bar;
mod detail;
mod keys;
mod queue;
mod round;
mod rows;
mod sheets;
mod standings;
mod state;
mod tables;
mod tiles;
mod window;

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{CentralPanel, Frame, Margin, Panel, Rect, Ui, UiBuilder};
use tabiya_app::hall::{AlertKey, HallView, HallWish};
use tabiya_app::snapshot::Snapshot;
use tabiya_store::settings::{Appearance, Settings};
use tabiya_text::{Language, Words};
use tabiya_types::Instant;

use self::state::{DeskPage, DeskState};
pub(super) use self::window::HallWindow;
pub use self::window::{AskForFrame, BeginDesk, HallOpening};
use super::aloud::{Aloud, Sound};
use super::art::Art;
use super::cx::Cx;
use super::keys::KeyBindings;
use super::motion::{Motion, frame_after};
use super::theme::{Sizes, Theme, load_fonts, rem};
use super::widgets::live_label;

/// The widths of the columns of the desk, at a rem of 16 points.
const ALERTS: f32 = 298.0;
const DETAIL: f32 = 291.0;
const GAP: f32 = 12.0;
/// A window that is narrower than this, in rem, has no column for the chosen table; one that is narrower than that shows alerts or
/// tables.
const WITH_DETAIL: f32 = 78.0;
const WITH_ALERTS: f32 = 60.0;

/// The desk of a console, and what it remembers between frames.
#[derive(Debug)]
pub struct HallShell {
    /// Whether the system's look is dark; `None` if it does not say.
    pub system_dark: Option<bool>,
    /// Whether the system asks for reduced motion; `None` if it does not say.
    pub system_still: Option<bool>,
    words: Words,
    keys: KeyBindings,
    look: Option<(Appearance, Sizes, bool)>,
    art: Art,
    motion: Motion,
    aloud: Aloud,
    snapshot: Snapshot,
    state: DeskState,
    /// The alerts of rank 1 for which the bell has rung, or which were there at the start.
    rung: Option<BTreeSet<AlertKey>>,
}

impl Default for HallShell {
    fn default() -> Self {
        let words = Words::of(Language::English);
        Self {
            system_dark: None,
            system_still: None,
            keys: KeyBindings::new(&BTreeMap::new(), &words),
            words,
            look: None,
            art: Art::default(),
            motion: Motion::default(),
            aloud: Aloud::silent(),
            snapshot: Snapshot::default(),
            state: DeskState::default(),
            rung: None,
        }
    }
}

impl HallShell {
    /// A desk with these settings, whose bell can be heard, as it was kept: `kept` is what [`HallShell::kept`] returned.
    pub fn opened(settings: Settings, kept: Option<&str>) -> Self {
        let mut shell = Self { aloud: Aloud::start(), ..Self::with(settings) };
        // What cannot be read is what a newer program kept: then the desk begins anew.
        shell.state.kept = kept.and_then(|kept| serde_json::from_str(kept).ok()).unwrap_or_default();
        if let Some(table) = shell.state.kept.chosen {
            shell.state.wishes.push(HallWish::Choose(Some(table)));
        }
        shell
    }

    /// A silent desk with these settings.
    pub fn with(settings: Settings) -> Self {
        let words = Words::of(settings.language);
        let keys = KeyBindings::new(&settings.keys, &words);
        let snapshot = Snapshot { settings: Arc::new(settings), ..Snapshot::default() };
        Self { words, keys, snapshot, ..Self::default() }
    }

    /// What is kept over a closed window.
    pub fn kept(&self) -> String {
        serde_json::to_string(&self.state.kept).unwrap_or_default()
    }

    /// The ground of the window.
    pub(super) fn theme(&self) -> Theme {
        Theme::of(self.snapshot.settings.look.drawn(self.system_dark))
    }

    /// The alerts that are new, of rank 1 and nobody's: the bell rings once for them. Call it for every view, whether it is drawn or
    /// not. Returns whether it rings.
    pub fn listen(&mut self, view: &HallView) -> bool {
        let urgent = view.queue.iter().filter(|alert| alert.rank == 1);
        let open: BTreeSet<AlertKey> = urgent.clone().map(|alert| alert.key.clone()).collect();
        let rings = self.rung.as_ref().is_some_and(|rung| {
            urgent.clone().any(|alert| alert.taken.is_none() && !rung.contains(&alert.key))
        });
        self.rung = Some(open);
        if rings && !self.state.kept.mute {
            self.aloud.play(Sound::Bell, &self.snapshot.settings);
        }
        rings
    }

    /// What is urgent and nobody looks after, in words that name tables and nothing that only arbiters may know.
    pub fn urgent(&self, view: &HallView) -> Vec<(AlertKey, String)> {
        let urgent = view.queue.iter().filter(|alert| alert.rank == 1 && alert.taken.is_none());
        let words = |table: Option<u16>| match table {
            Some(table) => self.words.with("hall-table-waits", &[("table", u32::from(table).into())]),
            None => self.words.t("hall-console-waits"),
        };
        urgent.map(|alert| (alert.key.clone(), words(alert.key.table))).collect()
    }

    /// Draws one frame, and returns what the users asked for in it.
    pub fn ui(&mut self, ui: &mut Ui, view: &HallView) -> Vec<HallWish> {
        self.follow(ui, view);
        let theme = self.theme();
        let now = Instant::from_millis(view.now);
        let parts = (&self.words, &self.art, &self.keys, &self.motion);
        let mut cx = Cx::new(ui.ctx(), parts, &theme, &self.snapshot, now);
        cx.at = view.chosen.as_ref().map_or(now, |chosen| chosen.at);
        self.state.follow(view);
        keys::keys(&cx, view, &mut self.state);
        let bar = Frame::new().fill(theme.ground).inner_margin(Margin::symmetric(12, 6));
        Panel::top("hall-bar").frame(bar).show(ui, |ui| bar::bar_ui(ui, &cx, view, &mut self.state));
        let ground = Frame::new().fill(theme.ground).inner_margin(Margin::same(12));
        CentralPanel::default().frame(ground).show(ui, |ui| desk_ui(ui, &cx, view, &mut self.state));
        sheets::sheet_ui(ui, &cx, view, &mut self.state);
        super::shell::focus_ring(ui.ctx(), &theme);
        if let Some(wait) = self.motion.next_frame() {
            frame_after(ui.ctx(), wait);
        }
        std::mem::take(&mut self.state.wishes)
    }

    fn follow(&mut self, ui: &mut Ui, view: &HallView) {
        let settings = &self.snapshot.settings;
        let sizes = Sizes { rem: rem(ui.ctx().content_rect().size(), settings.text_percent) };
        let still = settings.reduced_motion.or(self.system_still).unwrap_or(false);
        self.motion.begin(still);
        let theme = self.theme();
        let look = (theme.look, sizes, still);
        if self.look != Some(look) {
            if self.look.is_none() {
                load_fonts(ui.ctx());
            }
            theme.apply(ui, sizes, still);
            self.look = Some(look);
        }
        self.snapshot.table = view.chosen.as_ref().and_then(|chosen| chosen.view.clone());
    }
}

/// Draws alerts, tables and the chosen table beside each other, as many as there is room for.
fn desk_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState) {
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    announce_ui(ui, cx, view, area);
    match state.kept.page {
        DeskPage::Desk => {}
        DeskPage::Round => return round::round_ui(ui, cx, view, state, area),
        DeskPage::Standings => return standings::standings_ui(ui, cx, view, state, area),
    }
    let px = |points: f32| cx.sizes.px(points);
    let wide = cx.ctx.content_rect().width() / cx.sizes.rem;
    if wide < WITH_ALERTS {
        return narrow_ui(ui, cx, view, state, area);
    }
    let left = area.with_max_x(area.left() + px(ALERTS));
    inside(ui, left, |ui| queue::queue_ui(ui, cx, view, state, left));
    let mut middle = area.with_min_x(left.right() + px(GAP));
    if state.open {
        inside(ui, middle, |ui| detail::whole_ui(ui, cx, view, state, middle));
        return;
    }
    let mut right = None;
    if wide >= WITH_DETAIL {
        let column = middle.with_min_x(middle.right() - px(DETAIL));
        middle.max.x = column.left() - px(GAP);
        right = Some(column);
    }
    // The Tab key goes from left to right, too.
    inside(ui, middle, |ui| tables::tables_ui(ui, cx, view, state, middle));
    if let Some(right) = right {
        inside(ui, right, |ui| detail::detail_ui(ui, cx, view, state, right));
    }
}

/// The same in a small window: alerts or tables.
fn narrow_ui(ui: &mut Ui, cx: &Cx<'_>, view: &HallView, state: &mut DeskState, area: Rect) {
    if state.open {
        inside(ui, area, |ui| detail::whole_ui(ui, cx, view, state, area));
    } else if state.tables_shown {
        inside(ui, area, |ui| tables::tables_ui(ui, cx, view, state, area));
    } else {
        inside(ui, area, |ui| queue::queue_ui(ui, cx, view, state, area));
    }
}

fn inside(ui: &mut Ui, area: Rect, draw: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
        ui.shrink_clip_rect(area.expand(4.0));
        draw(ui);
    });
}

/// Announces the most urgent alert that nobody looks after.
fn announce_ui(ui: &Ui, cx: &Cx<'_>, view: &HallView, area: Rect) {
    let first = view.queue.iter().find(|alert| alert.taken.is_none());
    let text = first.map_or_else(String::new, |alert| queue::in_words(cx, alert));
    let place = Rect::from_min_size(area.min, egui::Vec2::ZERO);
    live_label(ui, place, "hall-announced", &text, first.is_some_and(|alert| alert.rank == 1));
}
