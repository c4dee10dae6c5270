//! The evening's record files at a desk, and the summary of all of them for the screens.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_engine::record::Header;
use tabiya_types::{Millis, Sentence, say};

use crate::seating::{self, Keeping, Seated};
use tabiya_store::evening::{self, EveningView, Unfinished};
use tabiya_store::journal;
use tabiya_store::keeper::JournalKeeper;

/// The evening's record file, and the other records in its folder.
#[derive(Debug)]
pub(super) struct Book {
    /// The folder of the records.
    folder: PathBuf,
    /// The record file of this evening.
    record: PathBuf,
    /// Whether somebody chose the file's name. Otherwise the file is named after the date.
    named: bool,
    view: Arc<EveningView>,
    /// The record file that has changed since it was last read, if any.
    stale: Option<PathBuf>,
}

impl Book {
    /// Uses `record` as the evening's file; with `None`, uses a file that is named after `date`.
    pub(super) fn new(folder: PathBuf, record: Option<PathBuf>, date: &str) -> Self {
        let named = record.is_some();
        let record = record.unwrap_or_else(|| folder.join(format!("{date}.tabiya")));
        Self { folder, record, named, view: Arc::default(), stale: None }
    }

    pub(super) fn record(&self) -> &Path {
        &self.record
    }

    pub(super) fn view(&self) -> Arc<EveningView> {
        self.view.clone()
    }

    /// Reads all record files. The calling thread waits for the disk.
    pub(super) fn read(&mut self) {
        self.stale = None;
        self.view = Arc::new(evening::read_evening(&self.folder, &self.record));
    }

    /// Notes that this record file has changed and must be read again.
    pub(super) fn changed(&mut self, record: PathBuf) {
        self.stale = Some(record);
    }

    /// Reads the record file that was noted as changed, if any. Returns whether a file was read.
    pub(super) fn catch_up(&mut self) -> bool {
        let stale = self.stale.take();
        if let Some(record) = &stale {
            evening::update_from_file(Arc::make_mut(&mut self.view), record);
        }
        stale.is_some()
    }

    /// Returns a notice if the evening's last match is unfinished, with its file and its number there. The notice is for people who begin another match
    /// without having seen the first screen, for example with `tabiya clock` after a crash.
    pub(super) fn left_unfinished(&self) -> Option<(Sentence, (PathBuf, i64))> {
        let last = self.view.matches.last()?;
        let is_last = |left: &&Unfinished| left.path == self.record && left.id == last.id;
        let left = self.view.unfinished.iter().find(is_last)?;
        let (a, b) = (left.players.a.clone(), left.players.b.clone());
        let stopped = Millis(left.stopped.millis()).to_string();
        let told = say!(
            "last-unfinished",
            "the last match ({a} – {b}) is unfinished: it was stopped at {stopped}",
            a,
            b,
            stopped
        );
        Some((told, (left.path.clone(), left.id)))
    }

    /// Begins a match in the evening's file. If that file is damaged or open in another program, uses another file for the
    /// same evening; what is told says so. A file whose name somebody chose is never replaced: in that case the result is
    /// `Err`.
    pub(super) fn begin(&mut self, header: &Header, with: &Keeping) -> Result<Seated, String> {
        if let Some(folder) = self.record.parent() {
            std::fs::create_dir_all(folder).map_err(|error| {
                let folder = tabiya_types::shown(folder);
                format!("{folder}: no record can be kept in this folder ({error}); set TABIYA_DATA to another folder and start Tabiya again")
            })?;
        }
        let first = self.record.clone();
        let mut failed = match begin_in(&first, header, with) {
            Ok(begun) => return Ok(begun),
            Err(sentence) => sentence,
        };
        for number in 2..10 {
            if self.named || !(first.exists() || journal::left_log(&first).is_some()) {
                break;
            }
            let stem = first.file_stem().unwrap_or_default().to_string_lossy();
            let other = first.with_file_name(format!("{stem}-{number}.tabiya"));
            match begin_in(&other, header, with) {
                Ok(seated) => {
                    let told = format!(
                        "{failed}; the new match is recorded in {} instead",
                        tabiya_types::shown(&other)
                    );
                    self.record = other;
                    return Ok(Seated { told: Some(told), ..seated });
                }
                Err(sentence) => failed = sentence,
            }
        }
        Err(failed)
    }
}

/// Begins a match in this file, which is created if it does not exist.
pub(super) fn begin_in(path: &Path, header: &Header, with: &Keeping) -> Result<Seated, String> {
    JournalKeeper::open(path, &with.keys)
        .and_then(|journal| seating::begin(Some(journal), header.clone(), with.clone()))
        .map_err(|error| format!("{}: {error}", tabiya_types::shown(path)))
}
