//! Carrying on a match from its record: reads it, asks signatures and notes whether it is the one that the table wrote, and
//! makes the session. Window and terminal do it in this one way.

use std::path::{Path, PathBuf};

use crate::session::Session;
use tabiya_store::evening;
use tabiya_store::journal::{Journal, JournalError, JournalReader, MatchInfo};
use tabiya_store::keeper::JournalKeeper;
use tabiya_store::keys::Keyring;
use tabiya_store::pgn_file::PgnFile;
use tabiya_store::trust;
use tabiya_types::Instant;

/// A match that is carried on.
#[derive(Debug)]
pub struct Carried {
    /// Its session.
    pub session: Session,
    /// The moment of the match at which play goes on.
    pub at: Instant,
}

/// The file in which this match goes on, if it does: its record had to go on under another name, or it was carried on in a
/// copy. Whoever carries on the older file is asked first.
pub fn goes_on(
    journal: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<Option<PathBuf>, JournalError> {
    let of = info.name();
    trust::goes_on(journal, info, keys.noted(&of).as_ref())
}

/// Carries on the match of this number, and copies its record into the folder `copy`, if one is named. The error is a sentence.
pub fn carry_on(
    journal: Journal,
    id: i64,
    keys: &Keyring,
    copy: Option<&Path>,
    pgn: Option<PathBuf>,
) -> Result<Carried, String> {
    let plain = |error: JournalError| error.to_string();
    let (info, kept) = evening::open(journal.reader(), id, keys)?;
    let mut resumed = trust::resume_point(journal.reader(), &info, keys).map_err(plain)?;
    resumed.remarks.extend(trust::match_removed(journal.reader()));
    let path = journal.path().to_owned();
    let keeping =
        JournalKeeper::carry_on(journal, &info, keys.clone(), (resumed.stopped, resumed.doubt.is_some()));
    let keeping = Box::new(keeping.with_copy(&path, copy));
    let pgn = pgn.map(PgnFile::keeper);
    let at = resumed.stopped;
    let mut session = Session::carry_on(kept.header, kept.lines, at, Some(keeping), pgn)
        .map_err(|fault| format!("the match cannot be carried on: {fault}"))?;
    session.tell_doubts(kept.closed.as_ref(), resumed.doubt.as_ref(), resumed.remarks);
    Ok(Carried { session, at })
}
