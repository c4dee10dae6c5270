//! The frame around the screens. It chooses the screen that is shown, draws the row above the screen, the notices and
//! the spectators' window, and handles the keys.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use egui::{
    CentralPanel, Context, Event, Frame, Id, Key, LayerId, Margin, Order, Panel, Popup, RichText, Stroke, Ui,
    ViewportBuilder, ViewportClass, ViewportId,
};
use tabiya_app::desk::Wish;
use tabiya_app::snapshot::{Snapshot, TableView};
use tabiya_store::settings::{Appearance, Settings};
use tabiya_text::{Language, Words};
use tabiya_types::{Color, Instant, Millis};

use super::aloud::Aloud;
use super::arbiter::ArbiterState;
use super::art::Art;
use super::bar::BAR;
use super::card_form::{CardFormState, card_form_ui};
use super::choosing::{Choosing, hovering_ui};
use super::chrome::Chrome;
use super::cx::{Cx, tenths_below};
use super::decks::DecksState;
use super::desktop::FileAsk;
use super::devices::DevicesState;
use super::fault::fault_ui;
use super::focus::Focus;
use super::keys::{Command, KeyBindings, KeyName, is_function_key};
use super::kiosk::Kiosk;
use super::kit::panel;
use super::learn::LearnState;
use super::levers::Lever;
use super::listen::Listener;
use super::motion::{Motion, frame_after};
use super::notices::notices_ui;
use super::page::Page;
use super::presses::{HeldKeys, presses};
use super::record::RecordState;
use super::settings::SettingsState;
use super::start::{SeveralAsk, StartState, start_ui};
use super::table::state::TableState;
use super::table::table_ui;
use super::theme::{Sizes, Theme, bold_font, load_fonts, rem};

/// All screens and what they remember between frames. The shell draws snapshots and returns what users ask for.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is open or not")]
pub struct Shell {
    /// The screen that is shown.
    pub page: Page,
    /// Whether the two-sided clock fills the window.
    pub clock_face: bool,
    /// Whether the desk's thread has ended unexpectedly.
    pub broken: bool,
    /// Whether the arbiter's drawer is open.
    pub drawer: bool,
    /// Whether the spectators' window is open.
    pub public: bool,
    /// Whether the renderer has already filled the window with the background colour.
    pub background_cleared: bool,
    /// Whether the desktop has a dialog for files.
    pub chooser: bool,
    /// Whether the window can open several tables.
    pub several: bool,
    /// Why the several tables that were asked for last were not opened.
    pub several_refused: Option<String>,
    /// Whether the system's look is dark; `None` if it does not say.
    pub system_dark: Option<bool>,
    /// Whether the system asks for reduced motion; `None` if it does not say.
    pub system_still: Option<bool>,
    /// The several tables that are to be opened.
    ask_several: Option<SeveralAsk>,
    /// This table among several in the window, if it is one of them.
    among: Option<Among>,
    kiosk: Kiosk,
    choosing: Choosing,
    words: Words,
    keys: KeyBindings,
    changed_keys: BTreeMap<String, String>,
    look: Option<(Appearance, Sizes, bool)>,
    art: Art,
    motion: Motion,
    aloud: Aloud,
    listener: Listener,
    /// The time at which the match on the screen began, in the program's own time. If this value changes, another match
    /// is on the screen.
    sitting: Instant,
    /// The page from which the settings were opened, and whether the two-sided clock was shown at that moment.
    left: Option<(Page, bool)>,
    /// Whether a text field had the focus or a list was open in the last frame. In that case Escape leaves the field or
    /// closes the list, and does not close the settings.
    escapes: bool,
    /// Commands whose keys were pressed in the spectators' window.
    passed_on: Vec<Command>,
    /// The keys that are held down, in this window and in the spectators' window.
    held: [HeldKeys; 2],
    pages: Pages,
}

impl Default for Shell {
    fn default() -> Self {
        let words = Words::of(Language::English);
        Self {
            page: Page::default(),
            clock_face: false,
            broken: false,
            drawer: false,
            public: false,
            background_cleared: false,
            chooser: false,
            several: false,
            several_refused: None,
            ask_several: None,
            system_dark: None,
            system_still: None,
            among: None,
            kiosk: Kiosk::default(),
            choosing: Choosing::default(),
            keys: KeyBindings::new(&BTreeMap::new(), &words),
            words,
            changed_keys: BTreeMap::new(),
            look: None,
            art: Art::default(),
            motion: Motion::default(),
            aloud: Aloud::silent(),
            listener: Listener::default(),
            sitting: Instant::ZERO,
            left: None,
            escapes: false,
            passed_on: Vec::new(),
            held: Default::default(),
            pages: Pages::default(),
        }
    }
}

/// A table among several in one window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Among {
    /// Its number, from 1.
    pub(super) number: usize,
    /// Whether people want to see all tables again.
    pub(super) back: bool,
}

/// What each page remembers between frames.
#[derive(Debug, Default)]
struct Pages {
    start: StartState,
    table: TableState,
    arbiter: ArbiterState,
    record: RecordState,
    devices: DevicesState,
    decks: DecksState,
    learn: LearnState,
    settings: SettingsState,
    card_form: CardFormState,
    /// Whether the page for something that is wrong covers the page.
    fault: bool,
}

impl Pages {
    /// Opens the form for a card, if one is to be written: the one with this code, or a new one.
    fn write_card(&mut self, code: Option<String>) {
        if let Some(code) = code {
            self.card_form.open(&code);
        }
    }

    /// Draws one page.
    fn ui(&mut self, page: Page, ui: &mut Ui, cx: &mut Cx<'_>, view: Option<&TableView>) {
        if self.fault {
            fault_ui(ui, cx, &mut self.fault);
            return;
        }
        if self.card_form.open {
            card_form_ui(ui, cx, view, &mut self.card_form);
            return;
        }
        match (page, view) {
            (Page::Table, Some(view)) => table_ui(ui, cx, view, &mut self.table, &mut self.arbiter),
            (Page::Table, None) => start_ui(ui, cx, &mut self.start),
            (Page::Record, _) => {
                let past = cx.snapshot.past.as_deref();
                let shown = past.map(|past| &past.table).or(view);
                let now = cx.at;
                cx.at = past.map_or(now, |past| past.at);
                super::record::record_ui(ui, cx, shown, &mut self.record);
                cx.at = now;
            }
            (Page::Devices, _) => super::devices::devices_ui(ui, cx, &mut self.devices),
            (Page::Decks, _) => super::decks::decks_ui(ui, cx, &mut self.decks),
            (Page::Learn, _) => super::learn::learn_ui(ui, cx, &mut self.learn),
            (Page::Settings, _) => super::settings::settings_ui(ui, cx, &mut self.settings),
        }
    }
}

/// The background of the pages. It gets no colour here if the renderer has already filled the window with the
/// background colour.
fn ground(theme: &Theme, face: bool, cleared: bool) -> Frame {
    let ground = Frame::new().inner_margin(if face { Margin::same(8) } else { Margin::same(12) });
    if cleared { ground } else { ground.fill(theme.ground) }
}

/// Draws below the pages that the desk's thread has ended, if it has.
fn broken_ui(ui: &mut Ui, cx: &Cx<'_>, broken: bool) {
    if broken {
        Panel::bottom("broken").frame(bar(cx.theme)).show(ui, |ui| {
            ui.label(RichText::new(cx.t("broken")).font(bold_font(16.0)).color(cx.theme.bad));
        });
    }
}

impl Shell {
    /// A shell that plays sounds and speaks, if the system has programs for that.
    pub fn aloud() -> Self {
        Self { aloud: Aloud::start(), ..Self::default() }
    }

    /// Plays and speaks what is new. Call it for every snapshot, whether it is drawn or not.
    pub fn listen(&mut self, snapshot: &Snapshot, now: Instant) {
        self.listener.follow(snapshot, (snapshot.time.of(now), self.drawer), &self.words, &self.aloud);
    }

    /// A shell that shares its sounds and its voice with others.
    pub(super) fn heard_by(aloud: &Aloud) -> Self {
        Self { aloud: aloud.clone(), ..Self::default() }
    }

    /// Forgets what was heard last, so that what has happened meanwhile is not played now.
    pub(super) fn forget_heard(&mut self) {
        self.listener = Listener::default();
    }

    /// The same for the table of this number among several.
    pub(super) fn among_others(self, number: usize) -> Self {
        Self { among: Some(Among { number, back: false }), ..self }
    }

    /// Whether people wanted to see all tables again since this was asked last.
    pub(super) fn take_back_to_all(&mut self) -> bool {
        self.among.as_mut().is_some_and(|among| std::mem::take(&mut among.back))
    }

    /// Does in the next frame what this command's key does.
    pub(super) fn press(&mut self, command: Command) {
        self.passed_on.push(command);
    }

    /// What screens are drawn with: the words, the pictures, the keys, what moves.
    pub(super) fn parts(&self) -> (&Words, &Art, &KeyBindings, &Motion) {
        (&self.words, &self.art, &self.keys, &self.motion)
    }

    /// The commands whose keys were pressed, as at a table.
    pub(super) fn table_commands(&mut self, ui: &Ui) -> Vec<Command> {
        self.pressed(ui, Where::Table)
    }

    /// The same for a window that fills the screen and has no bar.
    #[must_use]
    pub fn in_kiosk(mut self) -> Self {
        self.kiosk.on = true;
        self
    }

    /// Tells people how to leave a window that fills the screen. Returns false if it is no such window.
    pub fn tell_kiosk(&mut self, now: Instant) -> bool {
        self.kiosk.tell(now);
        self.kiosk.on
    }

    /// The colours that these settings have on this system.
    pub(super) fn theme(&self, settings: &Settings) -> Theme {
        Theme::of(settings.look.drawn(self.system_dark))
    }

    /// Whether these settings reduce motion on this system.
    fn is_still(&self, settings: &Settings) -> bool {
        settings.reduced_motion.or(self.system_still).unwrap_or(false)
    }

    /// The words in the language of the screens.
    pub(super) fn words(&self) -> &Words {
        &self.words
    }

    /// Takes the questions to the desktop's dialog for files, each with its number.
    pub fn take_questions(&mut self) -> Vec<(u64, FileAsk)> {
        self.choosing.take()
    }

    /// Takes the dialog's answer to the question with this number: the chosen file, if one was chosen. What is to be done
    /// with it is asked for in the next frame.
    pub fn chosen(&mut self, number: u64, path: Option<PathBuf>) {
        self.choosing.answer(number, path);
    }

    /// Takes which several tables are to be opened, if that was asked for.
    pub fn take_several(&mut self) -> Option<SeveralAsk> {
        self.ask_several.take()
    }

    /// Draws one frame: a snapshot at the moment `now` of the program's own time. Returns what the users asked for in
    /// this frame.
    pub fn ui(&mut self, ui: &mut Ui, snapshot: &Snapshot, now: Instant) -> Vec<Wish> {
        self.follow(ui, &snapshot.settings);
        let theme = self.theme(&snapshot.settings);
        let view = snapshot.table.as_deref();
        self.sit(snapshot.time.base);
        let place = self.place(view);
        let levers = self.levers(ui, &snapshot.settings);
        let pressed = self.pressed(ui, place);
        let drawer_before = self.drawer;
        let mut cx = Cx {
            pressed,
            drawer: self.drawer,
            chooser: self.chooser,
            several: self.several,
            several_refused: self.several_refused.clone(),
            mute: self.aloud.is_mute(),
            still_by_system: self.system_still,
            ..Cx::new(ui.ctx(), (&self.words, &self.art, &self.keys, &self.motion), &theme, snapshot, now)
        };
        let mut frame = Chrome {
            page: &mut self.page,
            face: &mut self.clock_face,
            drawer: &mut self.drawer,
            public: &mut self.public,
            card_form: &mut self.pages.card_form.open,
            fault: &mut self.pages.fault,
            left: &mut self.left,
            escapes: self.escapes,
            among: &mut self.among,
        };
        cx.wishes.extend(levers.into_iter().map(|lever| Wish::Press(lever.side())));
        self.kiosk.keys(&mut cx);
        frame.keys(&mut cx);
        if frame.take_files(&mut cx, self.choosing.answered()) {
            self.pages.record.show_match();
        }
        let face = *frame.face && view.is_some();
        if !face && !self.kiosk.on {
            // Told in advance, the height, with the line below the bar, is right in the first frame after a change of the
            // window's size too.
            let (bar, high) = (bar(&theme), cx.sizes.px(BAR) + 1.0);
            let top = Panel::top("top").exact_size(high + bar.total_margin().sum().y).frame(bar);
            top.show(ui, |ui| super::bar::bar_ui(ui, &mut cx, &mut frame));
        }
        broken_ui(ui, &cx, self.broken);
        let ground = ground(&theme, face, self.background_cleared);
        CentralPanel::default().frame(ground).show(ui, |ui| match view.filter(|_| face) {
            Some(view) => super::face::face_ui(ui, &mut cx, view),
            None => self.pages.ui(self.page, ui, &mut cx, view),
        });
        if let Some(view) = view.filter(|_| self.public) {
            let held = &mut self.held[1];
            (self.public, self.passed_on) = second_window(ui.ctx(), &mut cx, view, place, held);
        }
        notices_ui(&mut cx);
        self.escapes = ui.ctx().text_edit_focused() || Popup::is_any_open(ui.ctx());
        focus_ring(ui.ctx(), &theme);
        hovering_ui(ui, &cx);
        // Escape that nothing else has taken leads back to all tables.
        if let Some(among) = self.among.as_mut().filter(|_| !self.escapes && !self.drawer) {
            among.back |= cx.takes(Command::No);
        }
        self.kiosk.ui(ui, &cx);
        self.choosing.ask(&mut cx);
        cx.heard.into_iter().for_each(|sound| self.aloud.try_out(sound, snapshot.settings.volume));
        self.ask_several = self.choosing.tables().map(SeveralAsk::File).or(cx.ask_several.take());
        let Cx { wishes, at, close_face, close_drawer, open_drawer, page, write_card, .. } = cx;
        self.pages.write_card(write_card);
        self.clock_face &= !close_face && !open_drawer;
        self.drawer = (self.drawer && !close_drawer) || open_drawer;
        self.page = page.unwrap_or(self.page);
        self.follow_drawer(drawer_before);
        self.ask_for_frames(ui, snapshot, at);
        wishes
    }

    /// Closes what belongs to a drawer that was closed in this frame, and shows the table beside one that was opened.
    fn follow_drawer(&mut self, before: bool) {
        if before && !self.drawer {
            self.pages.arbiter.close();
        }
        if self.drawer && !before {
            // The drawer stands beside the board.
            (self.page, self.clock_face) = (Page::Table, false);
        }
    }

    /// Asks for the frames in which something that is drawn will have changed.
    pub(super) fn ask_for_frames(&self, ui: &Ui, snapshot: &Snapshot, at: Instant) {
        if let Some(wait) = self.motion.next_frame() {
            frame_after(ui.ctx(), wait);
        }
        if let Some(view) = snapshot.table.as_deref().filter(|_| snapshot.time.stopped_at.is_none()) {
            ask_for_the_next_frame(ui, view, at, tenths_below(&snapshot.settings));
        }
    }

    /// Draws the spectators' view alone into the whole area.
    pub fn spectators(&mut self, ui: &mut Ui, snapshot: &Snapshot, now: Instant) {
        self.follow(ui, &snapshot.settings);
        let Some(view) = snapshot.table.as_deref() else { return };
        let theme = Theme::of(snapshot.settings.look);
        let parts = (&self.words, &self.art, &self.keys, &self.motion);
        let mut cx = Cx::new(ui.ctx(), parts, &theme, snapshot, now);
        spectators_ui(ui, &mut cx, view);
    }

    /// The levers that were pressed in this frame.
    fn levers(&mut self, ui: &Ui, settings: &Settings) -> Vec<Lever> {
        ui.input_mut(|input| self.held[0].mark(&mut input.events));
        if self.pages.settings.takes_keys() || self.pages.devices.takes_keys() {
            return Vec::new();
        }
        super::levers::pressed(ui.ctx(), &settings.levers, Focus::of(ui.ctx()))
    }

    /// The commands whose keys were pressed in this frame, here or in the spectators' window.
    fn pressed(&mut self, ui: &Ui, place: Where) -> Vec<Command> {
        let mut commands = std::mem::take(&mut self.passed_on);
        if !self.pages.settings.takes_keys() && !self.pages.devices.takes_keys() {
            let here = pressed(ui.ctx(), &self.keys, place, Focus::of(ui.ctx()));
            commands.splice(0..0, here);
        }
        commands
    }

    /// Forgets unfinished input: for the former match as soon as another match is shown, and for keys as soon as another page is.
    fn sit(&mut self, base: Instant) {
        if self.page != Page::Settings {
            self.pages.settings.forget_keys();
        }
        if self.page != Page::Devices {
            self.pages.devices.forget_keys();
        }
        if self.sitting != base {
            self.sitting = base;
            (self.pages.table, self.pages.arbiter) = (TableState::default(), ArbiterState::default());
            (self.clock_face, self.left) = (false, None);
        }
    }

    /// The part of the window to which the keys apply now.
    fn place(&self, view: Option<&TableView>) -> Where {
        let alone = view.is_some_and(|view| view.clock_alone) && self.page == Page::Table;
        match self.page {
            _ if view.is_none() => Where::Elsewhere,
            _ if (self.clock_face || alone) && view.is_some() => Where::Clock,
            Page::Table if self.pages.card_form.open || self.pages.fault => Where::Elsewhere,
            Page::Table => Where::Table,
            Page::Record | Page::Devices | Page::Decks | Page::Learn | Page::Settings => Where::Elsewhere,
        }
    }

    /// Applies settings that have changed since the last frame.
    pub(super) fn follow(&mut self, ui: &mut Ui, settings: &Settings) {
        let sizes = Sizes { rem: rem(ui.ctx().content_rect().size(), settings.text_percent) };
        let theme = self.theme(settings);
        let still = self.is_still(settings);
        self.motion.begin(still);
        let look = (theme.look, sizes, still);
        if self.look != Some(look) {
            if self.look.is_none() {
                load_fonts(ui.ctx());
            }
            theme.apply(ui, sizes, still);
            self.look = Some(look);
        }
        let other_language = self.words.language != settings.language;
        if other_language {
            self.words = Words::of(settings.language);
        }
        if other_language || self.changed_keys != settings.keys {
            self.keys = KeyBindings::new(&settings.keys, &self.words);
            self.changed_keys.clone_from(&settings.keys);
        }
    }
}

/// The commands whose keys were pressed. The key events are removed, so that the keys have no other effect. While a
/// text field has the focus, only function keys are commands. At the table and at the clock the space bar belongs to the
/// clock and never activates the control that has the focus. At the two-sided clock, where any letter presses the clock,
/// plain letters are not commands.
fn pressed(ctx: &Context, keys: &KeyBindings, place: Where, focus: Focus) -> Vec<Command> {
    let typing = focus == Focus::Field;
    let mut found = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key { key, pressed: true, repeat, modifiers, .. } = event else { return true };
            let named = KeyName::of(*modifiers, *key);
            // At the two-sided clock, `presses.rs` handles all presses in the order of their events.
            let presses = named.presses_a_half() || keys.of(Command::Press) == Some(named);
            // The clocks stop at once, even while somebody types.
            let stops = modifiers.command && keys.of(Command::Pause) == Some(named);
            let left_alone = (typing && !is_function_key(*key) && !stops)
                || (*key == Key::Space && place == Where::Elsewhere)
                || (place == Where::Clock && presses);
            if left_alone {
                return true;
            }
            let before = found.len();
            found.extend(keys.iter().filter(|(_, name)| *name == named).map(|(command, _)| command));
            let taken = found.len() > before;
            if *repeat {
                found.truncate(before);
            }
            // Escape also closes menus, so its event stays.
            !(taken || *key == Key::Space) || *key == Key::Escape
        });
        if found.contains(&Command::Press) {
            // The space bar also arrives as a text event, which is removed as well.
            input.events.retain(|event| !matches!(event, Event::Text(text) if text == " "));
        }
    });
    found
}

/// The part of the window to which the keys apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Where {
    /// The table.
    Table,
    /// The two-sided clock.
    Clock,
    /// Any other screen.
    Elsewhere,
}

fn bar(theme: &Theme) -> Frame {
    Frame::new()
        .fill(theme.ground)
        .stroke(Stroke::new(1.0, theme.line))
        .inner_margin(Margin::symmetric(12, 6))
}

/// Draws a ring around the control that has the keyboard focus. All kinds of controls get the same ring.
pub(super) fn focus_ring(ctx: &Context, theme: &Theme) {
    let focused = ctx.memory(egui::Memory::focused).and_then(|id| ctx.read_response(id));
    if let Some(response) = focused {
        let layer = LayerId::new(Order::Foreground, Id::unique("focus"));
        panel::ring(&ctx.layer_painter(layer), theme, response.rect);
    }
}

/// Draws the spectators' window. Returns whether the window stays open, and the commands whose keys were pressed in it.
/// The window has no controls of its own, so keys that are pressed while it is in front are meant for the table.
fn second_window(
    ctx: &Context,
    cx: &mut Cx<'_>,
    view: &TableView,
    place: Where,
    held: &mut HeldKeys,
) -> (bool, Vec<Command>) {
    let id = ViewportId::from_hash_of("public");
    let title = cx.t("second-window");
    let builder =
        ViewportBuilder::default().with_title(format!("Tabiya: {title}")).with_inner_size([1024.0, 640.0]);
    ctx.show_viewport_immediate(id, builder, |ui, class| {
        let mut heard = Vec::new();
        // If the spectators' window is embedded in the main window, the main window handles the keys.
        if class == ViewportClass::Immediate {
            ui.input_mut(|input| held.mark(&mut input.events));
            heard = pressed(ui.ctx(), cx.keys, place, Focus::Nothing);
            if place == Where::Clock {
                let events = ui.input(|input| input.events.clone());
                for presser in presses(&events, Focus::Nothing, cx.keys, |_| None) {
                    super::face::press(cx, view, presser);
                }
            }
        }
        spectators_ui(ui, cx, view);
        if !heard.is_empty() {
            ctx.request_repaint();
        }
        (!ui.input(|input| input.viewport().close_requested()), heard)
    })
}

/// Draws the spectators' view with the sizes of its own window.
fn spectators_ui(ui: &mut Ui, cx: &mut Cx<'_>, view: &TableView) {
    let ground = Frame::new().fill(cx.theme.ground).inner_margin(Margin::same(12));
    CentralPanel::default().frame(ground).show(ui, |ui| {
        let own = super::public::sizes(ui.ctx().content_rect().size());
        let sizes = std::mem::replace(&mut cx.sizes, own);
        super::public::public_ui(ui, cx, view);
        cx.sizes = sizes;
    });
}

/// Asks for the next frame at the moment when a clock will show something else.
fn ask_for_the_next_frame(ui: &Ui, view: &TableView, at: Instant, tenths: Millis) {
    if let Some(wait) = next_change(view, at, tenths) {
        frame_after(ui.ctx(), wait);
    }
}

/// How long until the clocks show something else; `None` if they do not change.
fn next_change(view: &TableView, at: Instant, tenths: Millis) -> Option<Duration> {
    let clock = &view.clock;
    if clock.paused() {
        return None;
    }
    if let Some(bet) = view.bet_clock {
        let left = bet.left(at).0;
        return (left > 0).then(|| Duration::from_millis((left - 1) % 1000 + 1));
    }
    let turn: Color = clock.turn()?;
    let left = clock.reading(turn, at)?.0;
    // During a delay only the delay counts down; the reading does not change.
    let free = clock.standing(turn, at).map_or(0, |standing| standing.delay.0);
    if free > 0 {
        return Some(Duration::from_millis((free - 1) % 1000 + 1));
    }
    let step = if left <= tenths.0 { 100 } else { 1000 };
    if clock.counts_up(turn, at) {
        return Some(Duration::from_millis(1000 - left % 1000 + 1));
    }
    // At zero the clock does not change any more, even if the flag has yet to be claimed.
    if left == 0 {
        return None;
    }
    let rest = left % step;
    Some(Duration::from_millis(if rest == 0 { 1 } else { rest + 1 }))
}
