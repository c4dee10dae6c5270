//! The evening's record files at a desk, and the summary of all of them for the screens.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_engine::record::Header;
use tabiya_types::{Millis, Sentence, say};

use tabiya_store::evening::{self, EveningView, Unfinished};
use tabiya_store::journal;
use tabiya_store::keeper::{JournalKeeper, Keeper};
use tabiya_store::keys::Keyring;
use tabiya_store::trust;

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

    /// The keys that open sealed cards. They are kept in a folder next to the records.
    pub(super) fn keys(&self) -> Keyring {
        Keyring::beside_records(&self.folder)
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

    /// Returns a notice if the evening's last match is unfinished. The notice is for people who begin another match
    /// without having seen the first screen, for example with `tabiya clock` after a crash.
    pub(super) fn left_unfinished(&self) -> Option<Sentence> {
        let last = self.view.matches.last()?;
        let is_last = |left: &&Unfinished| left.path == self.record && left.id == last.id;
        let left = self.view.unfinished.iter().find(is_last)?;
        let (a, b) = (left.players.a.clone(), left.players.b.clone());
        let stopped = Millis(left.stopped.millis()).to_string();
        Some(say!(
            "last-unfinished",
            "the last match ({a} – {b}) is unfinished: it was stopped at {stopped}; to carry it on, leave the new match and choose the unfinished match on the first screen",
            a,
            b,
            stopped
        ))
    }

    /// Begins a match in the evening's file, and copies it into the folder `copy`, if one is named. If that file is damaged
    /// or open in another program, uses another file for the same evening; the returned sentence reports that. A file whose name somebody chose is never replaced: in
    /// that case the result is `Err`.
    pub(super) fn begin(
        &mut self,
        header: &mut Header,
        copy: Option<&Path>,
    ) -> Result<(Box<dyn Keeper>, Option<String>), String> {
        if let Some(folder) = self.record.parent() {
            std::fs::create_dir_all(folder).map_err(|error| {
                let folder = tabiya_types::shown(folder);
                format!("{folder}: no record can be kept in this folder ({error}); set TABIYA_DATA to another folder and start Tabiya again")
            })?;
        }
        let first = self.record.clone();
        let mut failed = match keep_in(&first, header, self.keys(), copy) {
            Ok(begun) => return Ok(begun),
            Err(sentence) => sentence,
        };
        for number in 2..10 {
            if self.named || !(first.exists() || journal::left_log(&first).is_some()) {
                break;
            }
            let stem = first.file_stem().unwrap_or_default().to_string_lossy();
            let other = first.with_file_name(format!("{stem}-{number}.tabiya"));
            match keep_in(&other, header, self.keys(), copy) {
                Ok((keeping, _)) => {
                    let sentence = format!(
                        "{failed}; the new match is recorded in {} instead",
                        tabiya_types::shown(&other)
                    );
                    self.record = other;
                    return Ok((keeping, Some(sentence)));
                }
                Err(sentence) => failed = sentence,
            }
        }
        Err(failed)
    }
}

/// Begins a match in this file, which is created if it does not exist, and copies it into the folder `copy`. Also returns
/// what should be told of the file.
fn keep_in(
    path: &Path,
    header: &mut Header,
    keys: Keyring,
    copy: Option<&Path>,
) -> Result<(Box<dyn Keeper>, Option<String>), String> {
    let begun = JournalKeeper::open(path, &keys).and_then(|journal| {
        let removed = trust::match_removed(journal.reader());
        JournalKeeper::begin(journal, header, keys).map(|keeping| (keeping, removed))
    });
    match begun {
        Ok((keeping, removed)) => {
            Ok((Box::new(keeping.with_copy(path, copy)), removed.map(|said| said.to_string())))
        }
        Err(error) => Err(format!("{}: {error}", tabiya_types::shown(path))),
    }
}
