//! The window itself: eframe around the shell, the desk on a thread of its own.
//!
//! The screen's thread waits for nothing: it draws the newest snapshot, hands wishes over, and asks for
//! another frame when the desk has news.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{self, Context, IconData, ViewportBuilder, ViewportCommand};
use tabiya_app::desk::{self, Desk, Running, Surroundings, Wish};

use super::Shell;
use super::theme::Theme;

/// The smallest window that everything has room in.
const SMALLEST: [f32; 2] = [800.0, 480.0];
/// The window as it opens the first time.
const USUAL: [f32; 2] = [1280.0, 800.0];

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// No display.
    #[error(
        "no screen can be used: start Tabiya from a desktop, or play in the terminal with `tabiya play --headless`; {0}"
    )]
    NoScreen(String),
}

/// What a window begins with.
#[derive(Debug)]
pub struct Opening {
    /// Dates, chance and places.
    pub around: Surroundings,
    /// The record's file, where it is named.
    pub record: Option<PathBuf>,
    /// What is wished for at the start, in its order.
    pub wishes: Vec<Wish>,
}

/// Opens the window and stays until it is closed.
pub fn open(opening: Opening) -> Result<(), WindowError> {
    let viewport = ViewportBuilder::default()
        .with_title("Tabiya")
        .with_app_id("org.tabiya.Tabiya")
        .with_icon(icon())
        .with_inner_size(USUAL)
        .with_min_inner_size(SMALLEST);
    // Dithering costs each pixel something where there is no graphics card, and plain colours need none.
    let options = eframe::NativeOptions { viewport, dithering: false, ..eframe::NativeOptions::default() };
    let no_screen = |error: eframe::Error| WindowError::NoScreen(why(&error.to_string()));
    eframe::run_native(
        "Tabiya",
        options,
        Box::new(move |cc| Ok(Box::new(Window::begin(&cc.egui_ctx, opening)?))),
    )
    .map_err(no_screen)
}

/// The cause without the place in a library's source that it comes with.
fn why(error: &str) -> String {
    let after = error.rsplit_once(".rs:").and_then(|(_, rest)| rest.split_once(": "));
    after.map_or(error, |(_, why)| why).trim_end_matches('.').to_owned()
}

/// The window's icon: a white rook on the accent.
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
        let desk = Desk::new(opening.around, opening.record);
        // Once, and after a moment: asking at once would draw two frames.
        let desk = desk::start(desk, move || repaint.request_repaint_after(Duration::from_millis(1)))?;
        opening.wishes.into_iter().for_each(|wish| desk.wish(wish));
        let mut shell = Shell::aloud();
        shell.on_ground = true;
        Ok(Self { shell, desk })
    }
}

impl eframe::App for Window {
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        let snapshot = self.desk.snapshot();
        // A minimised window draws nothing, but is heard.
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

    /// The ground behind everything, so that no panel has to paint it once more: without a graphics card a
    /// painted pixel is what a frame costs.
    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        Theme::of(self.desk.snapshot().settings.look).ground.to_normalized_gamma_f32()
    }

    fn on_exit(&mut self, _: Option<&eframe::glow::Context>) {
        self.desk.end();
    }
}
