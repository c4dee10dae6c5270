//! What people are told about the record's files: that it went on in another file, that its copy cannot be written, that it is not
//! signed. Each is told once, when it begins, and once more when it is over.

use std::path::Path;

use tabiya_engine::table::Audience;
use tabiya_types::{Instant, Millis, harmless, say};

use super::ledger::Ledger;
use super::speech::Speech;
use tabiya_store::follow::CopyState;

/// How often a copy of the record that lags behind is looked at.
const COPY_CHECK: Millis = Millis(1_000);

/// What people were told about the record's files.
#[derive(Debug, Default)]
pub(super) struct RecordNews {
    /// Whether people were told that the copy of the record cannot be written.
    copy_fails: bool,
    /// Whether it was announced that the record is not signed.
    unsigned: bool,
    /// The name of the file in which the record was kept before it had to go on in another one, until the record says so.
    moved_from: Option<String>,
    /// When the copy of the record was last looked at.
    copy_checked: Instant,
}

impl RecordNews {
    /// Notes that the record, which was kept in this file, goes on in another one.
    pub(super) fn moved(&mut self, from: &Path) {
        self.moved_from = from.file_name().map(|name| harmless(&name.to_string_lossy()));
    }

    /// Takes the name of the old file, for the line of the record that names it; `None` if no line has to.
    pub(super) fn take_old_file(&mut self) -> Option<String> {
        self.moved_from.take()
    }

    /// The line that was to name this old file could not be written: it still has to be.
    pub(super) fn owes_old_file(&mut self, old: String) {
        self.moved_from = Some(old);
    }

    /// When a copy of the record that lags behind is looked at next; `None` if none lags.
    pub(super) fn copy_due(&self, ledger: &Ledger) -> Option<Instant> {
        let lags = |copy: &CopyState| copy.behind > 0 || copy.trouble.is_some() || self.copy_fails;
        ledger.copy().filter(lags).map(|_| self.copy_checked + COPY_CHECK)
    }

    /// Announces that the copy of the record cannot be written, and that it can be written again.
    pub(super) fn tell_copy(&mut self, ledger: &Ledger, speech: &mut Speech, now: Instant) {
        let Some(CopyState { folder, trouble, .. }) = ledger.copy() else { return };
        self.copy_checked = now;
        if trouble.is_some() != self.copy_fails {
            self.copy_fails = trouble.is_some();
            let folder = tabiya_types::shown(&folder);
            speech.say(match trouble {
                Some(error) => say!(
                    "copy-fails",
                    "the copy of the record in {folder} cannot be written: {error}; the match goes on, and Tabiya tries again",
                    folder,
                    error
                ),
                None => say!("copy-again", "the copy of the record in {folder} is written again", folder),
            });
        }
    }

    /// Announces that the record's heads cannot be signed, and that they can be signed again.
    pub(super) fn tell_signing(&mut self, ledger: &Ledger, speech: &mut Speech) {
        let told = self.unsigned;
        self.follow_signing(ledger);
        match ledger.unsigned() {
            Some(error) if !told => speech.alert(
                Audience::Players,
                say!(
                    "signing-fails",
                    "the record is written but not signed: {error}; the match goes on",
                    error = error.to_owned()
                ),
            ),
            None if told => speech.say(say!("signing-again", "the record is signed again")),
            Some(_) | None => {}
        }
    }

    /// Takes whether the record is signed now as told: somebody tells it otherwise.
    pub(super) fn follow_signing(&mut self, ledger: &Ledger) {
        self.unsigned = ledger.unsigned().is_some();
    }
}
