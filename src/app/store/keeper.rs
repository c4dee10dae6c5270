//! The interface through which a session writes its record, and its implementation for a match in a journal.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tabiya_engine::record::chain::Head;
use tabiya_engine::record::proof::HeadSignature;
use tabiya_engine::record::{Body, Line};
use tabiya_engine::rules::Action;
use tabiya_engine::table::Input;
use tabiya_types::{Instant, Sentence};

use super::copy::{CopyState, RecordCopy};
use super::heads::Signer;
use super::keys::Keyring;
use crate::store::journal::{
    self, Batch, Journal, JournalError, JournalWriter, MatchId, MatchInfo, NewEntry, Ticket,
};

/// How long closing a record waits for its copy.
const COPY_PATIENCE: Duration = Duration::from_secs(2);

/// The operations by which a session writes its record.
pub trait Keeper: fmt::Debug + Send {
    /// Writes lines. After `Ok` they are durable; after `Err` none of them was written. If a line is a deal with known
    /// cards, the seals that the record contains for this deal are also added to the line in `lines`.
    fn append(&mut self, lines: &mut [Line]) -> Result<(), JournalError>;
    /// Saves the current moment of the match, so that the match can continue there after a crash. Does not wait for the
    /// disk. `Err` if the record has had to go on in another file since the last call.
    fn moment(&mut self, now: Instant) -> Result<(), JournalError>;
    /// Signs the newest line's hash, and waits until the signature is durable. `None` if this computer has no key to sign
    /// with, or if the signature cannot be kept.
    fn sign(&mut self) -> Option<HeadSignature>;
    /// The hash of the newest line; `None` before the first line.
    fn head(&self) -> Option<Head>;
    /// The file in which the record goes on, because its own file was removed or replaced; `None` if it was not.
    fn moved(&self) -> Option<&Path>;
    /// How far the copy of the record in another folder has come; `None` if there is none.
    fn copy(&self) -> Option<CopyState>;
    /// Closes the record.
    fn close(self: Box<Self>) -> Result<(), JournalError>;
}

/// The operation by which a session writes the PGN of its running match.
pub trait PgnKeeper: fmt::Debug + Send {
    /// Writes the whole PGN again. The error says what could not be written, and why; the session tries again at the
    /// next move.
    fn write(&mut self, text: &str) -> Result<(), Sentence>;
}

/// A match in a journal that is open for writing.
#[derive(Debug)]
pub struct JournalKeeper {
    writer: JournalWriter<Journal>,
    id: MatchId,
    head: Option<Head>,
    /// The answer to the last saved moment.
    saved: Option<Ticket<()>>,
    moved: Option<PathBuf>,
    copy: Option<RecordCopy>,
}

impl JournalKeeper {
    /// Opens the journal file, or creates it.
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        // If `path` is a symbolic link to a missing file, `exists` returns `false`. So `create` is called, and returns
        // an error.
        if path.exists() { Journal::open(path) } else { Journal::create(path) }
    }

    /// Begins a match in an open journal. The known cards of its deals will be encrypted with a key from `keys`.
    pub fn begin(journal: Journal, header: &str, keys: Keyring) -> Result<Self, JournalError> {
        let writer = start(journal, keys);
        let id = writer.begin_match(header)?;
        Ok(Self { writer, id, head: None, saved: None, moved: None, copy: None })
    }

    /// Carries on a match of an open journal. The known cards of its deals will be encrypted with a key from `keys`.
    pub fn carry_on(journal: Journal, info: &MatchInfo, keys: Keyring) -> Self {
        let writer = start(journal, keys);
        Self { writer, id: info.id, head: Some(info.head), saved: None, moved: None, copy: None }
    }

    /// Copies the record `path` into this folder from now on, if one is named.
    #[must_use]
    pub fn with_copy(mut self, path: &Path, folder: Option<&Path>) -> Self {
        self.copy = folder.map(|folder| RecordCopy::start(path, folder));
        self
    }

    /// Notes the file in which the record goes on, if this error says so.
    fn note_move<T>(&mut self, done: Result<T, JournalError>) -> Result<T, JournalError> {
        if let Err(JournalError::Moved { new, .. }) = &done {
            self.moved = Some(new.clone());
            if let Some(copy) = &self.copy {
                copy.follow(new);
            }
        }
        done
    }
}

/// Starts the writer of a journal. Without a key to sign with, as on a computer that has no folder for keys, the record is
/// kept all the same; `tabiya verify` says then that it is not signed.
fn start(journal: Journal, keys: Keyring) -> JournalWriter<Journal> {
    let signer = keys.table_key().ok().map(Signer::new);
    let journal = journal.with_keys(keys);
    JournalWriter::start(match signer {
        Some(signer) => journal.with_signer(signer),
        None => journal,
    })
}

impl Keeper for JournalKeeper {
    fn append(&mut self, lines: &mut [Line]) -> Result<(), JournalError> {
        lines.iter_mut().try_for_each(seal)?;
        let entries =
            lines.iter().map(|line| NewEntry { t: line.t.millis(), line: line.to_string() }).collect();
        let written = self.writer.append_wait(Batch { id: self.id, after: None, entries });
        self.head = Some(self.note_move(written)?);
        if let Some(copy) = &self.copy {
            copy.written(lines.len() as u64);
        }
        Ok(())
    }

    fn moment(&mut self, now: Instant) -> Result<(), JournalError> {
        let next = self.writer.moment(self.id, now.millis());
        // A moment that could not be saved is saved by the next one. Only a move is news.
        match self.saved.replace(next).and_then(Ticket::answered) {
            Some(moved @ Err(JournalError::Moved { .. })) => self.note_move(moved),
            _ => Ok(()),
        }
    }

    fn sign(&mut self) -> Option<HeadSignature> {
        self.writer.sign_wait(self.id)
    }

    fn moved(&self) -> Option<&Path> {
        self.moved.as_deref()
    }

    fn head(&self) -> Option<Head> {
        self.head
    }

    fn copy(&self) -> Option<CopyState> {
        self.copy.as_ref().map(RecordCopy::state)
    }

    /// Gives the copy a moment to catch up. Merges the write-ahead log into the journal file and closes it.
    fn close(mut self: Box<Self>) -> Result<(), JournalError> {
        self.copy.take().map(|copy| copy.finish(COPY_PATIENCE));
        self.writer.stop().map_or(Ok(()), Journal::close)
    }
}

/// Adds the seals of a deal to the session's copy of the line, so that an export of that copy has the same hashes as
/// the journal.
fn seal(line: &mut Line) -> Result<(), JournalError> {
    // Only deals have seals; no other line needs to be converted to JSON.
    if matches!(&line.body, Body::Acted(Input::Game(Action::Deal(_)))) {
        line.take_own(journal::sealed(line.to_value())?);
    }
    Ok(())
}
