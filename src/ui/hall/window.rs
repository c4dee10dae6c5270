//! The desk of a console in its window: passes views to the screens and wishes to the desk, calls for attention, and keeps how the
//! desk was.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use egui::{Context, Ui, UserAttentionType, ViewportCommand};
use tabiya_app::hall::{AlertKey, HallLink, HallView};
use tabiya_store::settings::Settings;

use super::HallShell;
use crate::desktop::{DesktopLink, DesktopReport};

/// Asks for a frame.
pub type AskForFrame = Box<dyn Fn() + Send>;
/// Begins a desk, which asks for a frame whenever it shows something new.
pub type BeginDesk = Box<dyn FnOnce(AskForFrame) -> std::io::Result<HallLink>>;

/// What a window for a console needs at the start.
pub struct HallOpening {
    /// The user's settings.
    pub settings: Settings,
    /// Begins the desk.
    pub begin: BeginDesk,
    /// The command that runs [`crate::desktop::serve`] in a process of its own; with `None` nobody is notified.
    pub desktop: Option<Command>,
    /// The file that keeps how the desk was; `None` if it is not kept.
    pub kept: Option<PathBuf>,
}

impl std::fmt::Debug for HallOpening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HallOpening").field("kept", &self.kept).finish_non_exhaustive()
    }
}

/// The desk in its window.
pub(crate) struct HallWindow {
    shell: HallShell,
    link: HallLink,
    /// The newest view, and when it came, in seconds of the window's own time.
    newest: (Arc<HallView>, f64),
    desktop: DesktopLink,
    /// What starts the desktop's process, until it is started.
    desktop_command: Option<Command>,
    /// Whether the desktop's look is dark, if it says.
    desktop_dark: Option<bool>,
    /// The numbers of the notifications.
    numbers: BTreeMap<AlertKey, u64>,
    kept: Option<PathBuf>,
    /// What the file says.
    written: String,
}

impl HallWindow {
    /// Begins the desk, as it was kept.
    pub(crate) fn begin(ctx: &Context, opening: HallOpening) -> std::io::Result<Self> {
        let repaint = ctx.clone();
        let link = (opening.begin)(Box::new(move || repaint.request_repaint()))?;
        // A desk that was never kept begins anew.
        let written = opening.kept.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
        let shell = HallShell::opened(opening.settings, written.as_deref());
        Ok(Self {
            shell,
            newest: (link.view(), 0.0),
            link,
            desktop: DesktopLink::default(),
            desktop_command: opening.desktop,
            desktop_dark: None,
            numbers: BTreeMap::new(),
            kept: opening.kept,
            written: written.unwrap_or_default(),
        })
    }

    /// What happens whether the window is seen or not.
    pub(crate) fn logic(&mut self, ctx: &Context) {
        // After the first frames, which it would compete with.
        if let Some(command) = self.desktop_command.take_if(|_| ctx.cumulative_frame_nr() > 1) {
            let repaint = ctx.clone();
            self.desktop = DesktopLink::start(command, move || repaint.request_repaint());
        }
        for report in self.desktop.take_reports() {
            match report {
                DesktopReport::Dark(dark) => self.desktop_dark = dark,
                DesktopReport::Still(still) => self.shell.system_still = Some(still),
                DesktopReport::Chooser(_) | DesktopReport::Chosen(..) => {}
            }
        }
        let system = ctx.system_theme().map(|theme| theme == egui::Theme::Dark);
        self.shell.system_dark = self.desktop_dark.or(system);
        let in_front = ctx.input(|input| input.viewport().focused.unwrap_or(true));
        let view = self.link.view();
        if self.shell.listen(&view) && !in_front {
            ctx.send_viewport_cmd(ViewportCommand::RequestUserAttention(UserAttentionType::Critical));
        }
        self.numbers.retain(|key, _| view.alert(key).is_some());
        let mut waiting = Vec::new();
        for (key, words) in self.shell.urgent(&view) {
            let next = self.numbers.values().max().map_or(1, |most| most + 1);
            waiting.push((*self.numbers.entry(key).or_insert(next), words));
        }
        self.desktop.notify(&waiting, in_front);
    }

    /// Draws one frame.
    pub(crate) fn ui(&mut self, ui: &mut Ui) {
        let view = self.view(ui.input(|input| input.time));
        for wish in self.shell.ui(ui, &view) {
            if self.link.wish(wish).is_err() {
                // The desk has ended: the window has nothing to show any more.
                ui.ctx().send_viewport_cmd(ViewportCommand::Close);
            }
        }
        self.keep();
    }

    /// The newest view at this moment: the console's time has gone on since it came, so that what is to stand still for a while
    /// before a key acts on it has done so.
    fn view(&mut self, time: f64) -> HallView {
        let newest = self.link.view();
        if !Arc::ptr_eq(&newest, &self.newest.0) {
            self.newest = (newest, time);
        }
        let (view, came) = &self.newest;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "less than a second")]
        let passed = ((time - came).max(0.0) * 1_000.0) as u64;
        HallView { now: view.now + passed, ..HallView::clone(view) }
    }

    /// The colour behind everything.
    pub(crate) fn ground(&self) -> [f32; 4] {
        self.shell.theme().ground.to_normalized_gamma_f32()
    }

    /// Keeps how the desk is, if that has changed.
    fn keep(&mut self) {
        let now = self.shell.kept();
        if let Some(path) = self.kept.as_ref().filter(|_| now != self.written) {
            // What cannot be kept is not there the next time; the desk goes on.
            let _ = std::fs::write(path, &now);
            self.written = now;
        }
    }
}
