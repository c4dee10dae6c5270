//! Files that people choose: with the desktop's own dialog where there is one, by a typed path elsewhere, or by dropping
//! a file on the window.

use std::collections::BTreeMap;
use std::path::PathBuf;

use egui::{Align2, Context, CornerRadius, Id, LayerId, Order, Ui};
use tabiya_app::desk::Wish;

use super::cx::Cx;
use super::desktop::{FileAsk, Purpose};
use super::file_use::FileUse;
use super::keys::Command;
use super::kit::write;
use super::widgets::{button, field, translucent};

/// The questions that dialogs ask now.
#[derive(Debug, Default)]
pub(super) struct Choosing {
    /// The number of the last question.
    number: u64,
    /// What the chosen files will be for, by the number of the question.
    open: BTreeMap<u64, FileUse>,
    /// The questions that no dialog asks yet.
    new: Vec<(u64, FileAsk)>,
    /// What is to be done with the chosen file.
    answered: Vec<Wish>,
    /// The file whose tables are to be opened.
    tables: Option<PathBuf>,
}

impl Choosing {
    /// Takes the frame's questions.
    pub(super) fn ask(&mut self, cx: &mut Cx<'_>) {
        for (what, name) in std::mem::take(&mut cx.questions) {
            self.number += 1;
            self.new.push((self.number, cx.file_ask(&what, &name)));
            self.open.insert(self.number, what);
        }
    }

    /// Removes and returns the questions that no dialog asks yet.
    pub(super) fn take(&mut self) -> Vec<(u64, FileAsk)> {
        std::mem::take(&mut self.new)
    }

    /// Takes an answer.
    pub(super) fn answer(&mut self, number: u64, path: Option<PathBuf>) {
        let Some(what) = self.open.remove(&number) else { return };
        if what == FileUse::Tables {
            self.tables = path;
            return;
        }
        self.answered.extend(path.map(|path| what.chosen(path)).unwrap_or_default());
    }

    /// Removes and returns the file whose tables are to be opened.
    pub(super) fn tables(&mut self) -> Option<PathBuf> {
        self.tables.take()
    }

    /// Removes and returns what is to be done with the chosen file.
    pub(super) fn answered(&mut self) -> Vec<Wish> {
        std::mem::take(&mut self.answered)
    }
}

impl Cx<'_> {
    /// Writes to a file, or reads it. The desktop's dialog suggests `name`; where there is no dialog, or if people have
    /// typed the name themselves, it is taken as it is.
    pub(super) fn with_file(&mut self, what: FileUse, name: &str, typed: bool) {
        if self.chooser && !typed {
            self.questions.push((what, name.to_owned()));
        } else if !name.is_empty() {
            self.wishes.extend(what.wish(name.into()));
        }
    }

    /// The question to the desktop's dialog about a file for this purpose.
    pub(super) fn file_ask(&self, what: &FileUse, name: &str) -> FileAsk {
        let (ending, text) = what.kind();
        let opens = matches!(what, FileUse::OpenRecord | FileUse::Cards | FileUse::Tables);
        let endings: &[&str] = match what {
            FileUse::OpenRecord => &["tabiya", "jsonl"],
            FileUse::Cards => &["toml", "json", "csv"],
            _ => &[ending],
        };
        let ended = PathBuf::from(name);
        let name = if ended.extension().is_some() { ended } else { ended.with_extension(ending) };
        FileAsk {
            purpose: if opens { Purpose::Open } else { Purpose::Save },
            title: self.t(text),
            name: if opens { String::new() } else { name.display().to_string() },
            folder: self.snapshot.evening.path.parent().filter(|_| opens).map(PathBuf::from),
            kinds: vec![(self.t(text), endings.iter().map(|&ending| ending.to_owned()).collect())],
        }
    }

    /// Asks which record to show.
    pub(super) fn open_record(&mut self) {
        self.questions.push((FileUse::OpenRecord, String::new()));
    }
}

/// Draws the field for the name of a record to look at, and the button for the desktop's dialog. Returns whether the
/// typed record is to be shown.
pub(super) fn open_record_ui(ui: &mut Ui, cx: &mut Cx<'_>, path: &mut String) -> bool {
    let mut asked = false;
    ui.horizontal_wrapped(|ui| {
        field(ui, &cx.t("record-file"), path, cx.sizes.px(280.0));
        let name = path.trim().to_owned();
        if button(ui, &cx.t("look-at-record"), !name.is_empty()).clicked() {
            cx.with_file(FileUse::OpenRecord, &name, true);
            asked = true;
        }
        if cx.chooser && button(ui, &(cx.t("open-record") + &cx.hint(Command::Open)), true).clicked() {
            cx.open_record();
        }
    });
    asked
}

/// The file that was dropped on the window in this frame; a record before others.
pub(super) fn dropped(ctx: &Context) -> Option<PathBuf> {
    let dropped = ctx.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
    let paths: Vec<PathBuf> = dropped.iter().map(|file| file.path().to_owned()).collect();
    let record = |path: &&PathBuf| path.extension().is_some_and(|end| end == "tabiya" || end == "jsonl");
    paths.iter().find(record).or(paths.first()).cloned()
}

/// Says what happens to a file that is held over the window.
pub(super) fn hovering_ui(ui: &Ui, cx: &Cx<'_>) {
    if ui.input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("dropping")));
    let area = ui.ctx().content_rect();
    painter.rect_filled(area, CornerRadius::ZERO, translucent(cx.theme.ground, 220));
    let font = (cx.bold(28.0), cx.theme.text);
    let room = area.width() - cx.sizes.px(32.0);
    write(&painter, area.center(), Align2::CENTER_CENTER, &cx.t("drop-here"), font, room);
}
