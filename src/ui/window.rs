//! The window itself: eframe runs the shell, and the desk has its own thread.
//!
//! The window's thread never blocks: it draws the newest snapshot and passes on what users ask for. When the desk has a
//! new snapshot, the desk requests another frame.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use eframe::CreationContext;
use eframe::egui::{
    self, Context, IconData, Plugin, RawInput, Rect, ViewportBuilder, ViewportCommand, pos2, vec2,
};
use tabiya_app::desk::{self, Desk, Environment, Preparation, Running, Wish};
use tabiya_app::snapshot::Snapshot;
use tabiya_store::settings::{Appearance, Settings, WindowPlace};

use super::desktop::{DesktopLink, DesktopReport};
use super::hall::{HallOpening, HallWindow};
use super::placing::{PlaceKeeper, on_screens};
use super::several::{SeveralOpening, SeveralWindow};
use super::theme::load_fonts;
use super::{Gallery, Page, SeveralAsk, Shell};

/// The smallest size of the window in which everything fits.
const SMALLEST: [f32; 2] = [800.0, 480.0];
/// The size of the window when it opens.
const USUAL: [f32; 2] = [1280.0, 800.0];

/// The width of the picture that holds all letters in use, in pixels. egui takes the widest that the system draws, and
/// doubles its height when it is full: 16,384 pixels a row are 16 MB for the letters of one screen.
const LETTERS_WIDTH: usize = 4096;

/// Why no window can be opened.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no usable display.
    #[error(
        "no screen can be used ({0}): start Tabiya from a desktop, or play in the terminal with `tabiya play --headless`"
    )]
    NoScreen(String),
}

/// What a window needs at the start.
pub struct Opening {
    /// The sources of dates and random numbers, and the folders.
    pub surroundings: Environment,
    /// The record's file, if the user named one.
    pub record: Option<PathBuf>,
    /// The wishes to carry out at the start, in order.
    pub wishes: Vec<Wish>,
    /// The command that runs [`super::desktop::serve`] in a process of its own; with `None` the window does without the
    /// desktop.
    pub desktop: Option<Command>,
    /// Where the window stood when it was used last.
    pub place: Option<WindowPlace>,
    /// Whether the window fills the screen, has no bar, and cannot be left by accident.
    pub kiosk: bool,
    /// What is done to the desk before it runs, such as joining an event.
    pub prepare: Option<Preparation>,
    /// Makes ready the several tables that people ask for in the window; with `None` it opens none.
    pub several: Option<MakeSeveral>,
}

/// Makes ready the several tables that people ask for. `Err` is a sentence for them.
pub type MakeSeveral = Box<dyn Fn(&SeveralAsk) -> Result<SeveralOpening, String>>;

impl std::fmt::Debug for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opening")
            .field("record", &self.record)
            .field("kiosk", &self.kiosk)
            .finish_non_exhaustive()
    }
}

/// Opens the window and returns when it is closed.
pub fn open(opening: Opening) -> Result<(), WindowError> {
    let viewport = viewport(opening.place.filter(|_| !opening.kiosk), opening.kiosk);
    // Without a graphics card dithering is slow, and plain colours do not need it.
    let options = eframe::NativeOptions { viewport, dithering: false, ..eframe::NativeOptions::default() };
    let no_screen = |error: eframe::Error| WindowError::NoScreen(why(&error.to_string()));
    eframe::run_native("Tabiya", options, Box::new(move |cc| Ok(Box::new(Window::begin(cc, opening)?))))
        .map_err(no_screen)
}

/// The window as it is made: where it stood, or filling the screen.
fn viewport(place: Option<WindowPlace>, kiosk: bool) -> ViewportBuilder {
    let viewport = ViewportBuilder::default()
        .with_title("Tabiya")
        .with_app_id("org.tabiya.Tabiya")
        .with_icon(icon())
        .with_inner_size(place.map_or(USUAL, |place| place.size))
        .with_min_inner_size(SMALLEST)
        .with_fullscreen(kiosk)
        .with_maximized(place.is_some_and(|place| place.maximised));
    match place.and_then(|place| place.at) {
        Some(at) => viewport.with_position(at),
        None => viewport,
    }
}

/// Moves the window onto a screen, if it would stand on none.
fn keep_on_screen(cc: &CreationContext<'_>, place: WindowPlace) {
    let Some(window) = cc.winit_window() else { return };
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "sizes of screens")]
    let screens: Vec<Rect> = window
        .available_monitors()
        .map(|screen| {
            let (at, size) = (screen.position(), screen.size());
            let pixels = Rect::from_min_size(
                pos2(at.x as f32, at.y as f32),
                vec2(size.width as f32, size.height as f32),
            );
            pixels / window.scale_factor() as f32
        })
        .collect();
    let seen = on_screens(place, &screens);
    if let Some(at) = seen.at.filter(|_| seen != place) {
        cc.egui_ctx.send_viewport_cmd(ViewportCommand::OuterPosition(at.into()));
    }
}

/// Opens the gallery of parts in this look, for people who change a part.
pub fn open_gallery(look: Appearance) -> Result<(), WindowError> {
    let viewport = ViewportBuilder::default().with_title("Tabiya: gallery").with_inner_size(USUAL);
    let options = eframe::NativeOptions { viewport, dithering: false, ..eframe::NativeOptions::default() };
    let no_screen = |error: eframe::Error| WindowError::NoScreen(why(&error.to_string()));
    let app = GalleryWindow(Gallery::new(look));
    eframe::run_native("Tabiya", options, Box::new(|_| Ok(Box::new(app)))).map_err(no_screen)
}

struct GalleryWindow(Gallery);

impl eframe::App for GalleryWindow {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        self.0.ui(ui);
    }
}

/// Opens the desk of an event's console and returns when it is closed.
pub fn open_hall(opening: HallOpening) -> Result<(), WindowError> {
    open_whole(move |ctx| HallWindow::begin(ctx, opening))
}

/// Opens a window of several tables and returns when it is closed.
pub fn open_several(opening: SeveralOpening) -> Result<(), WindowError> {
    open_whole(move |ctx| SeveralWindow::begin(ctx, opening))
}

/// Opens a window that `begin` fills, and returns when it is closed.
fn open_whole<W: eframe::App + 'static>(
    begin: impl FnOnce(&Context) -> std::io::Result<W>,
) -> Result<(), WindowError> {
    let options = eframe::NativeOptions {
        viewport: viewport(None, false),
        dithering: false,
        ..eframe::NativeOptions::default()
    };
    let begin = move |cc: &CreationContext<'_>| {
        load_fonts(&cc.egui_ctx);
        cc.egui_ctx.add_plugin(BoundedLetters);
        begin(&cc.egui_ctx)
    };
    let no_screen = |error: eframe::Error| WindowError::NoScreen(why(&error.to_string()));
    eframe::run_native("Tabiya", options, Box::new(|cc| Ok(Box::new(begin(cc)?)))).map_err(no_screen)
}

impl eframe::App for SeveralWindow {
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        SeveralWindow::logic(self, ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        SeveralWindow::ui(self, ui);
    }

    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        self.ground()
    }

    fn on_exit(&mut self, _: Option<&eframe::glow::Context>) {
        self.end();
    }
}

impl eframe::App for HallWindow {
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        HallWindow::logic(self, ctx);
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        HallWindow::ui(self, ui);
    }

    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        self.ground()
    }
}

/// Removes the source file and line of a library from the text of an error.
fn why(error: &str) -> String {
    let after = error.rsplit_once(".rs:").and_then(|(_, rest)| rest.split_once(": "));
    after.map_or(error, |(_, why)| why).trim_end_matches('.').to_owned()
}

/// The window's icon: a white rook on the accent colour.
fn icon() -> Arc<IconData> {
    Arc::new(super::art::icon(64))
}

/// Bounds the picture of letters in all windows: they share it, and it is made anew when its bound changes.
struct BoundedLetters;

impl Plugin for BoundedLetters {
    fn debug_name(&self) -> &'static str {
        "bounded letters"
    }

    fn input_hook(&mut self, _: &Context, input: &mut RawInput) {
        input.max_texture_side = input.max_texture_side.map(|side| side.min(LETTERS_WIDTH));
    }
}

struct Window {
    shell: Shell,
    desk: Running,
    desktop: DesktopLink,
    /// What starts the desktop's process, until it is started.
    desktop_command: Option<Command>,
    keeper: PlaceKeeper,
    /// Where the window stands now, unless it fills the screen.
    place: Option<WindowPlace>,
    /// Whether the window filled the screen in the last frame.
    filled: bool,
    kiosk: bool,
    /// Whether the desktop's look is dark, if it says.
    desktop_dark: Option<bool>,
    make_several: Option<MakeSeveral>,
    /// The several tables that have taken the place of this one.
    several: Option<SeveralWindow>,
}

impl Window {
    fn begin(cc: &CreationContext<'_>, opening: Opening) -> std::io::Result<Self> {
        let (ctx, kiosk) = (&cc.egui_ctx, opening.kiosk);
        if let Some(place) = opening.place.filter(|_| !kiosk) {
            keep_on_screen(cc, place);
        }
        // Before the first frame, which would otherwise be laid out with egui's own fonts.
        load_fonts(ctx);
        ctx.add_plugin(BoundedLetters);
        let repaint = ctx.clone();
        let desk = Desk::new(opening.surroundings, opening.record);
        // Requests the frame after a millisecond, because requesting it at once would draw two frames.
        let desk = desk::start(desk, opening.prepare, move || {
            repaint.request_repaint_after(Duration::from_millis(1));
        })?;
        opening.wishes.into_iter().for_each(|wish| desk.wish(wish));
        let mut shell = Shell::aloud();
        shell.background_cleared = true;
        shell.several = opening.several.is_some() && !kiosk;
        if kiosk {
            shell = shell.in_kiosk();
        }
        Ok(Self {
            shell,
            desk,
            desktop: DesktopLink::default(),
            desktop_command: opening.desktop,
            keeper: PlaceKeeper::default(),
            place: None,
            filled: false,
            kiosk,
            desktop_dark: None,
            make_several: opening.several,
            several: None,
        })
    }

    /// Opens the several tables that people have asked for, in place of this one.
    fn open_several(&mut self, ctx: &Context) {
        let Some(ask) = self.shell.take_several() else { return };
        let Some(make) = &self.make_several else { return };
        // This desk lets go of its board, which may belong to one of the tables.
        let begun = make(&ask).and_then(|mut opening| {
            opening.desktop = None;
            self.desk.end();
            SeveralWindow::begin(ctx, opening).map_err(|error| error.to_string())
        });
        match begun {
            Ok(several) => self.several = Some(several.with_desktop(std::mem::take(&mut self.desktop))),
            Err(why) => self.shell.several_refused = Some(why),
        }
    }
}

impl Window {
    /// Remembers where the window stands. A window that is to fill the screen does so again if something else has changed
    /// that.
    fn follow_place(&mut self, ctx: &Context, snapshot: &Snapshot) {
        if self.kiosk {
            let fills = ctx.input(|input| input.viewport().fullscreen.unwrap_or(true));
            // Once only: a system that cannot fill the screen is not asked again and again.
            if std::mem::replace(&mut self.filled, fills) && !fills {
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(true));
            }
            return;
        }
        let known = snapshot.settings.window;
        self.place = PlaceKeeper::look(ctx, known).or(self.place);
        if let Some(place) = self.keeper.follow(ctx, known, self.desk.now()) {
            self.remember(snapshot, place);
        }
    }

    fn remember(&self, snapshot: &Snapshot, place: WindowPlace) {
        let before = Settings::clone(&snapshot.settings);
        let after = Settings { window: Some(place), ..before.clone() };
        self.desk.wish(Wish::Change(Box::new(before), Box::new(after)));
    }

    /// Starts the desktop's process after the first two frames ([`Window::opens`]), which would otherwise compete with it.
    fn start_desktop(&mut self, ctx: &Context) {
        if let Some(command) = self.desktop_command.take_if(|_| ctx.cumulative_frame_nr() > 1) {
            let repaint = ctx.clone();
            self.desktop = DesktopLink::start(command, move || repaint.request_repaint());
        }
    }

    /// Whether this frame shows the bare ground. The first one does: without a graphics card the renderer needs 20 ms for
    /// whatever is drawn first, and until then there would be no window. The second shows the whole screen. It is laid out
    /// twice, because only then does egui know which lists need a scroll bar; showing that later would cost a frame.
    fn opens(ctx: &Context) -> bool {
        let frame = ctx.cumulative_frame_nr();
        if frame == 1 && ctx.current_pass_index() == 0 {
            ctx.request_discard("the sizes of lists are known after the first layout");
        }
        if frame < 2 {
            ctx.request_repaint();
        }
        frame == 0
    }

    /// Takes what the desktop reports.
    fn hear_desktop(&mut self) {
        for report in self.desktop.take_reports() {
            match report {
                DesktopReport::Dark(dark) => self.desktop_dark = dark,
                DesktopReport::Still(still) => self.shell.system_still = Some(still),
                DesktopReport::Chooser(there) => self.shell.chooser = there,
                DesktopReport::Chosen(number, path) => self.shell.chosen(number, path),
            }
        }
    }

    /// Whether a game is running. A desk that has ended answers no question, so then the window closes.
    fn asks_before_closing(&self, snapshot: &Snapshot) -> bool {
        self.desk.alive() && snapshot.table.as_deref().is_some_and(|view| view.in_use)
    }
}

impl eframe::App for Window {
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        if let Some(several) = &mut self.several {
            return several.logic(ctx);
        }
        let snapshot = self.desk.snapshot();
        // A minimised window draws no frames, but still plays sounds.
        self.shell.listen(&snapshot, self.desk.now());
        self.start_desktop(ctx);
        let in_front = ctx.input(|input| input.viewport().focused.unwrap_or(true));
        self.desktop.follow(&snapshot, in_front, self.shell.words());
        self.hear_desktop();
        let system = ctx.system_theme().map(|theme| theme == egui::Theme::Dark);
        self.shell.system_dark = self.desktop_dark.or(system);
        self.follow_place(ctx, &snapshot);
        let asked = ctx.input(|input| input.viewport().close_requested());
        if snapshot.closing {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        } else if asked && self.kiosk && self.desk.alive() {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.shell.tell_kiosk(self.desk.now());
        } else if asked && self.asks_before_closing(&snapshot) {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.shell.page = Page::Table;
            self.desk.wish(Wish::Close);
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        if Self::opens(ui.ctx()) {
            return;
        }
        if let Some(several) = &mut self.several {
            return several.ui(ui);
        }
        let snapshot = self.desk.snapshot();
        self.shell.broken = !self.desk.alive();
        for wish in self.shell.ui(ui, &snapshot, self.desk.now()) {
            self.desk.wish(wish);
        }
        for (number, ask) in self.shell.take_questions() {
            if !self.desktop.choose(number, ask) {
                self.shell.chosen(number, None);
            }
        }
        self.open_several(ui.ctx());
    }

    /// The colour with which the renderer fills the window, so that no panel has to paint the background again. Without
    /// a graphics card, painting pixels takes most of a frame's time.
    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        self.shell.theme(&self.desk.snapshot().settings).ground.to_normalized_gamma_f32()
    }

    fn on_exit(&mut self, _: Option<&eframe::glow::Context>) {
        if let Some(several) = &mut self.several {
            return several.end();
        }
        let snapshot = self.desk.snapshot();
        if let Some(place) = self.place.filter(|place| Some(*place) != snapshot.settings.window) {
            self.remember(&snapshot, place);
        }
        self.desk.end();
    }
}
