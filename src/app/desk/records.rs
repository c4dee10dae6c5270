//! The records of a desk: the evening's file in which matches begin, and the files from which unfinished ones are carried on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_engine::record::Header;
use tabiya_types::{Sentence, shown};

use super::book::{self, Book};
use crate::seating::{self, Keeping, Seated};
use tabiya_store::evening::EveningView;
use tabiya_store::journal::Journal;
use tabiya_store::keeper::{JournalKeeper, Keeper};
use tabiya_store::keys::Keyring;

/// The records of a desk.
#[derive(Debug)]
pub(super) struct DeskRecords {
    /// The folder of the records.
    folder: PathBuf,
    /// The evening's records. The value is `None` for a desk that is used for one match only; leaving that match
    /// closes the desk.
    book: Option<Book>,
    /// At a desk that is used for one match only: the file in which matches begin that somebody outside orders, and with what they
    /// are kept.
    next: Option<(PathBuf, Keeping)>,
    /// The files from which a match went on elsewhere, and which people take all the same.
    old_taken: Vec<PathBuf>,
}

impl DeskRecords {
    /// The records in this folder; without a book, for a desk that is used for one match only.
    pub(super) fn new(folder: PathBuf, book: Option<Book>) -> Self {
        Self { folder, book, next: None, old_taken: Vec::new() }
    }

    /// Further matches may begin in this file, and are kept so, although this desk has no evening's records.
    pub(super) fn go_on_in(&mut self, next: Option<(PathBuf, Keeping)>) {
        self.next = next;
    }

    /// Whether a match can begin here.
    pub(super) fn can_begin(&self) -> bool {
        self.book.is_some() || self.next.is_some()
    }

    /// The evening's records. `Err` if this desk is used for one match only and has no evening's records.
    pub(super) fn book(&mut self) -> Result<&mut Book, String> {
        let none =
            "this program was started for one match only; quit it, then begin or carry on another match";
        self.book.as_mut().ok_or_else(|| none.to_owned())
    }

    /// Whether other matches can follow the present one.
    pub(super) fn has_book(&self) -> bool {
        self.book.is_some()
    }

    /// The evening's file; `None` for a desk that is used for one match only.
    pub(super) fn evening(&self) -> Option<&Path> {
        self.book.as_ref().map(Book::record)
    }

    /// What the screens show of the evening.
    pub(super) fn view(&self) -> Arc<EveningView> {
        self.book.as_ref().map(Book::view).unwrap_or_default()
    }

    /// A notice if the evening's last match is unfinished, with that match.
    pub(super) fn left_unfinished(&self) -> Option<(Sentence, (PathBuf, i64))> {
        self.book.as_ref().and_then(Book::left_unfinished)
    }

    /// Reads all record files. The calling thread waits for the disk.
    pub(super) fn read(&mut self) {
        if let Some(book) = &mut self.book {
            book.read();
        }
    }

    /// Reads the record file that has changed, if any: `ended` is one in which a game has just ended. Returns whether a file was
    /// read.
    pub(super) fn catch_up(&mut self, ended: Option<PathBuf>) -> bool {
        let Some(book) = &mut self.book else { return false };
        if let Some(record) = ended {
            book.changed(record);
        }
        book.catch_up()
    }

    /// The keys that open sealed cards. They are kept in a folder next to the records.
    pub(super) fn keys(&self) -> Keyring {
        Keyring::beside_records(&self.folder)
    }

    /// Begins a match in the evening's file, or in the file of this desk's only match. Returns it with the file of its record.
    pub(super) fn begin(&mut self, header: &Header, with: &Keeping) -> Result<(Seated, PathBuf), String> {
        if let Some((path, with)) = &self.next {
            return Ok((book::begin_in(path, header, with)?, path.clone()));
        }
        let book = self.book()?;
        let seated = book.begin(header, with)?;
        let record = book.record().to_owned();
        // Marks the record's file as changed, so that the evening's list contains the new match at once.
        book.changed(record.clone());
        Ok((seated, record))
    }

    /// Carries on the match of this number in this file.
    pub(super) fn carry_on(&mut self, path: &Path, id: i64, with: Keeping) -> Result<Seated, String> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", shown(path));
        let journal = JournalKeeper::open(path, &with.keys).map_err(|error| named(&error))?;
        self.ask_about_old(&journal, id).map_err(|error| named(&error))?;
        seating::carry_on(journal, id, with).map_err(|error| named(&error))
    }

    /// The keeper of a match in this file that was laid down and is on the table again.
    pub(super) fn keep_again(path: &Path, uid: &str, with: &Keeping) -> Result<Box<dyn Keeper>, String> {
        let journal =
            JournalKeeper::open(path, &with.keys).map_err(|error| format!("{}: {error}", shown(path)))?;
        seating::kept_again(journal, uid, with)
    }

    /// Refuses once to carry on a match in a file from which it went on elsewhere. Whoever asks again means it.
    fn ask_about_old(&mut self, journal: &Journal, id: i64) -> Result<(), String> {
        let matches = journal.matches().map_err(|error| error.to_string())?;
        let Some(info) = matches.into_iter().find(|info| info.id.number() == id) else { return Ok(()) };
        let other = seating::goes_on(journal.reader(), &info, &self.keys());
        let Some(other) = other.map_err(|error| error.to_string())? else { return Ok(()) };
        let path = journal.path().to_owned();
        if self.old_taken.contains(&path) {
            return Ok(());
        }
        self.old_taken.push(path);
        let other = shown(&other);
        Err(format!(
            "this match goes on in {other}: choose that one, or carry this one on once more to take it all the same"
        ))
    }

    /// Carries on the match in this file by the next request for it, although it went on in another file: people have agreed
    /// already.
    pub(super) fn take_old(&mut self, path: PathBuf) {
        self.old_taken.push(path);
    }
}
