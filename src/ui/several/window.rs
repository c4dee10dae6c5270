//! Several tables in their window: begins their desks, passes snapshots to the screens and wishes to the desks.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use egui::{Context, Ui, ViewportCommand};
use tabiya_app::desk::{self, Desk, Environment, Preparation, Running, Wish};
use tabiya_app::snapshot::Snapshot;
use tabiya_store::settings::Settings;

use super::{SeveralShell, TileNow};
use crate::aloud::Aloud;
use crate::desktop::{DesktopLink, DesktopReport};
use crate::shell::Shell;

/// What one of several tables needs at the start.
pub struct TableOpening {
    /// The sources of dates and random numbers, and the folders.
    pub surroundings: Environment,
    /// The record's file.
    pub record: Option<PathBuf>,
    /// The wishes to carry out at the start, in order.
    pub wishes: Vec<Wish>,
    /// What is done to the desk before it runs, such as joining an event.
    pub prepare: Preparation,
}

/// What a window of several tables needs at the start.
pub struct SeveralOpening {
    /// The name of the whole.
    pub title: String,
    /// The tables, at least one.
    pub tables: Vec<TableOpening>,
    /// The command that runs [`crate::desktop::serve`] in a process of its own; with `None` the window does without the desktop.
    pub desktop: Option<Command>,
}

impl std::fmt::Debug for SeveralOpening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tables: Vec<_> = self.tables.iter().map(|table| &table.record).collect();
        f.debug_struct("SeveralOpening")
            .field("title", &self.title)
            .field("tables", &tables)
            .finish_non_exhaustive()
    }
}

/// Several tables in their window.
pub(crate) struct SeveralWindow {
    shell: SeveralShell,
    desks: Vec<Running>,
    /// The settings of each desk when they were last looked at.
    settings: Vec<Settings>,
    desktop: DesktopLink,
    /// What starts the desktop's process, until it is started.
    desktop_command: Option<Command>,
    /// Whether the desktop's look is dark, if it says.
    desktop_dark: Option<bool>,
    /// The open questions for files: the table that asked, and the number that its question has there. The place in this list is the
    /// number that the desktop knows.
    asked: Vec<(usize, u64)>,
}

impl SeveralWindow {
    /// Begins the desks.
    pub(crate) fn begin(ctx: &Context, opening: SeveralOpening) -> std::io::Result<Self> {
        let mut desks: Vec<Running> = Vec::new();
        for TableOpening { surroundings, record, wishes, prepare } in opening.tables {
            let repaint = ctx.clone();
            let begun = desk::start(Desk::new(surroundings, record), Some(prepare), move || {
                repaint.request_repaint_after(Duration::from_millis(1));
            });
            match begun {
                Ok(desk) => {
                    for wish in wishes {
                        desk.wish(wish);
                    }
                    desks.push(desk);
                }
                Err(error) => {
                    desks.iter_mut().for_each(Running::end);
                    return Err(error);
                }
            }
        }
        let aloud = Aloud::start();
        let shells = desks.iter().map(|_| Shell::heard_by(&aloud)).collect();
        Ok(Self {
            shell: SeveralShell::of(shells, &opening.title),
            settings: desks.iter().map(|desk| Settings::clone(&desk.snapshot().settings)).collect(),
            desks,
            desktop: DesktopLink::default(),
            desktop_command: opening.desktop,
            desktop_dark: None,
            asked: Vec::new(),
        })
    }

    /// The same with a desktop that runs already.
    pub(crate) fn with_desktop(self, desktop: DesktopLink) -> Self {
        Self { desktop, desktop_command: None, ..self }
    }

    fn tables(&self) -> Vec<TileNow> {
        let now =
            |desk: &Running| TileNow { snapshot: desk.snapshot(), now: desk.now(), alive: desk.alive() };
        self.desks.iter().map(now).collect()
    }

    /// What happens whether the window is seen or not.
    pub(crate) fn logic(&mut self, ctx: &Context) {
        // After the first frames, which it would compete with.
        if let Some(command) = self.desktop_command.take_if(|_| ctx.cumulative_frame_nr() > 1) {
            let repaint = ctx.clone();
            self.desktop = DesktopLink::start(command, move || repaint.request_repaint());
        }
        let tables = self.tables();
        self.shell.listen(&tables);
        let in_front = ctx.input(|input| input.viewport().focused.unwrap_or(true));
        let snapshots: Vec<&Snapshot> = tables.iter().map(|table| &*table.snapshot).collect();
        self.desktop.follow_all(&snapshots, in_front, self.shell.words());
        self.hear_desktop();
        let system = ctx.system_theme().map(|theme| theme == egui::Theme::Dark);
        self.shell.look_of_the_system(self.desktop_dark.or(system));
        self.share_settings(&tables);
        let ended = tables.iter().all(|table| table.snapshot.closing || !table.alive);
        let asked = ctx.input(|input| input.viewport().close_requested());
        if ended || self.shell.closes() {
            ctx.send_viewport_cmd(ViewportCommand::Close);
        } else if asked && !self.shell.may_close(&tables) {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
        }
    }

    fn hear_desktop(&mut self) {
        for report in self.desktop.take_reports() {
            match report {
                DesktopReport::Dark(dark) => self.desktop_dark = dark,
                DesktopReport::Still(still) => self.shell.still_by_system(Some(still)),
                DesktopReport::Chooser(there) => self.shell.each(|shell| shell.chooser = there),
                DesktopReport::Chosen(number, path) => {
                    let asked = usize::try_from(number).ok().and_then(|number| self.asked.get(number));
                    if let Some((table, number)) = asked.copied() {
                        self.shell.chosen_file(table, number, path);
                    }
                }
            }
        }
    }

    /// Changes the settings at all tables when they were changed at one.
    fn share_settings(&mut self, tables: &[TileNow]) {
        let differs = |(before, table): &(&mut Settings, &TileNow)| **before != *table.snapshot.settings;
        let changed = self.settings.iter_mut().zip(tables).find(differs);
        let Some((before, table)) = changed else { return };
        let after = Settings::clone(&table.snapshot.settings);
        *before = after.clone();
        for (desk, kept) in self.desks.iter().zip(&mut self.settings) {
            let own = desk.snapshot().settings.clone();
            if *own != after {
                desk.wish(Wish::Change(Box::new(Settings::clone(&own)), Box::new(after.clone())));
                kept.clone_from(&after);
            }
        }
    }

    /// Draws one frame.
    pub(crate) fn ui(&mut self, ui: &mut Ui) {
        let tables = self.tables();
        for (table, wish) in self.shell.ui(ui, &tables) {
            if let Some(desk) = self.desks.get(table) {
                desk.wish(wish);
            }
        }
        for (table, number, ask) in self.shell.take_questions() {
            let known = self.asked.len() as u64;
            self.asked.push((table, number));
            if !self.desktop.choose(known, ask) {
                self.shell.chosen_file(table, number, None);
            }
        }
    }

    /// The colour behind everything.
    pub(crate) fn ground(&self) -> [f32; 4] {
        let settings = self.settings.first().cloned().unwrap_or_default();
        self.shell.theme(&settings).ground.to_normalized_gamma_f32()
    }

    /// Ends the desks, and waits until everything is safely written.
    pub(crate) fn end(&mut self) {
        self.desks.iter_mut().for_each(Running::end);
    }
}
