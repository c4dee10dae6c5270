//! The window itself: eframe runs the shell, and the desk has its own thread.
//!
//! The window's thread never blocks: it draws the newest snapshot and passes on what users ask for. When the desk has a
//! new snapshot, the desk requests another frame.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{self, Context, IconData, ViewportBuilder, ViewportCommand};
use tabiya_app::desk::{self, Desk, Environment, Running, Wish};

use super::Shell;
use super::theme::Theme;

/// The smallest size of the window in which everything fits.
const SMALLEST: [f32; 2] = [800.0, 480.0];
/// The size of the window when it opens.
const USUAL: [f32; 2] = [1280.0, 800.0];

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
#[derive(Debug)]
pub struct Opening {
    /// The sources of dates and random numbers, and the folders.
    pub surroundings: Environment,
    /// The record's file, if the user named one.
    pub record: Option<PathBuf>,
    /// The wishes to carry out at the start, in order.
    pub wishes: Vec<Wish>,
}

/// Opens the window and returns when it is closed.
pub fn open(opening: Opening) -> Result<(), WindowError> {
    let viewport = ViewportBuilder::default()
        .with_title("Tabiya")
        .with_app_id("org.tabiya.Tabiya")
        .with_icon(icon())
        .with_inner_size(USUAL)
        .with_min_inner_size(SMALLEST);
    // Without a graphics card dithering is slow, and plain colours do not need it.
    let options = eframe::NativeOptions { viewport, dithering: false, ..eframe::NativeOptions::default() };
    let no_screen = |error: eframe::Error| WindowError::NoScreen(why(&error.to_string()));
    eframe::run_native(
        "Tabiya",
        options,
        Box::new(move |cc| Ok(Box::new(Window::begin(&cc.egui_ctx, opening)?))),
    )
    .map_err(no_screen)
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

struct Window {
    shell: Shell,
    desk: Running,
}

impl Window {
    fn begin(ctx: &Context, opening: Opening) -> std::io::Result<Self> {
        let repaint = ctx.clone();
        let desk = Desk::new(opening.surroundings, opening.record);
        // Requests the frame after a millisecond, because requesting it at once would draw two frames.
        let desk = desk::start(desk, move || repaint.request_repaint_after(Duration::from_millis(1)))?;
        opening.wishes.into_iter().for_each(|wish| desk.wish(wish));
        let mut shell = Shell::aloud();
        shell.background_cleared = true;
        Ok(Self { shell, desk })
    }
}

impl eframe::App for Window {
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        let snapshot = self.desk.snapshot();
        // A minimised window draws no frames, but still plays sounds.
        self.shell.listen(&snapshot, self.desk.now());
        if snapshot.closing {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let snapshot = self.desk.snapshot();
        self.shell.broken = !self.desk.alive();
        for wish in self.shell.ui(ui, &snapshot, self.desk.now()) {
            self.desk.wish(wish);
        }
    }

    /// The colour with which the renderer fills the window, so that no panel has to paint the background again. Without
    /// a graphics card, painting pixels takes most of a frame's time.
    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        Theme::of(self.desk.snapshot().settings.look).background.to_normalized_gamma_f32()
    }

    fn on_exit(&mut self, _: Option<&eframe::glow::Context>) {
        self.desk.end();
    }
}
