//! A journal keeps its place: before each line it is asked whether the file still has its name and its content. If not, all
//! lines are saved under another name, and both files say so.
#![warn(clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use serde_json::{Value, json};

use super::creating::clear;
use super::form::{QUICK_CHECK, Tip, name};
use super::held::is_held;
use super::place::{self, PlaceChange};
use super::reader::untouched;
use super::{Batch, Journal, JournalError, JournalReader, MatchId, MatchInfo, NewEntry};
use crate::heads::{Point, Signer};
use crate::verbs::{CONTINUES, GOES_ON, PLACE, place_of};

impl Journal {
    /// Checks that the file still has its name. If somebody has removed or replaced the file, saves all lines in a new
    /// file, goes on there, and returns [`JournalError::Moved`]. The caller has written nothing yet.
    pub(super) fn keep_place(&mut self) -> Result<(), JournalError> {
        let in_place = match self.place.change() {
            PlaceChange::None => return Ok(()),
            PlaceChange::Written if self.is_there()? => {
                self.place.note_both();
                return Ok(());
            }
            PlaceChange::Written => true,
            PlaceChange::Gone => false,
        };
        let path = self.reader.path.clone();
        let new = place::save_under_new_name(&self.reader.conn, &path).map_err(|error| match error {
            error if !in_place || matches!(error, JournalError::Full { .. }) => error,
            _ => self.overwritten(),
        })?;
        let mut there = match Self::open(&new) {
            Ok(there) if there.has_all_of(self) => there,
            // What could be read of the open file is not what was written.
            _ => {
                clear(&new);
                return Err(self.overwritten());
            }
        };
        there.keys = self.keys.take();
        // Nothing is signed or noted yet for the new file.
        there.signer = self.signer.as_ref().map(Signer::anew);
        there.touched = std::mem::take(&mut self.touched);
        there.doubted.clone_from(&self.doubted);
        let written = self.points(&there.touched);
        if in_place {
            let _ = self.overwritten();
        } else {
            self.say_goes_on(&there.touched, &new);
        }
        let elsewhere = !is_held(&path);
        *self = there;
        if in_place {
            say_elsewhere(&path, &written, &new);
        } else if elsewhere {
            place::clear_empty_log(&path);
        }
        for id in self.touched.clone() {
            self.note_here(id, false);
        }
        Err(JournalError::Moved { path, new })
    }

    /// How far these matches have come.
    fn points(&self, matches: &BTreeSet<MatchId>) -> Vec<Point> {
        matches.iter().filter_map(|id| Some(self.point(*id).ok()??.0)).collect()
    }

    /// Says in the old file, wherever it is now, that these matches go on in a file with another name. The log stays under the
    /// old name, so it is merged into the file. What cannot be written there is no matter: the new file names the old one, too.
    pub(super) fn say_goes_on(&mut self, matches: &BTreeSet<MatchId>, new: &Path) {
        let name = name(new);
        for id in matches {
            let reason = format!("the record goes on in {name}");
            self.say_in_record(*id, &reason, json!({GOES_ON: name}));
        }
        let _ = self.reader.run(|conn| conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
    }

    /// Says in this file that its matches were kept in another one before. While a match is played its table says so.
    pub(super) fn say_continues(&mut self, old: &Path) {
        let name = name(old);
        for id in self.touched.clone() {
            let Ok((_, begins)) = self.reader.header(id) else { continue };
            let reason = format!("the record goes on here; before, it was kept in {name}");
            let place = place_of(&self.reader.path, begins);
            self.say_in_record(id, &reason, json!({CONTINUES: name, PLACE: place}));
        }
    }

    /// Adds a ruling of the table itself to a match, with these members.
    pub(super) fn say_in_record(&mut self, id: MatchId, reason: &str, members: Value) {
        let Some(t) = self.tips.get(&id).map(|tip| tip.t) else { return };
        let mut line = json!({"t": t, "do": "rule", "by": "arbiter", "reason": reason, "set": {}});
        if let (Value::Object(line), Value::Object(members)) = (&mut line, members) {
            line.extend(members);
        }
        let batch = Batch { id, after: None, entries: vec![NewEntry { t, line: line.to_string() }] };
        let mut tips = BTreeMap::new();
        if let Ok(ready) = self.ready(&batch, &mut tips)
            && self.write(&ready).is_ok()
        {
            self.tips.extend(tips);
            let _ = self.sign_head(id, false);
        }
    }

    /// Whether everybody who opens the file by its name finds all lines: another program may have merged the log, which
    /// changes the file and loses nothing. `Err` if another program's lock is in the way, so that nobody can know now.
    pub(super) fn is_there(&self) -> Result<bool, JournalError> {
        let found = Self::open_read(&self.reader.path).and_then(|reader| {
            let is_ours = || Ok(reader.tips()? == self.tips && !self.reader.has_another_record()?);
            Ok(reader.passes(QUICK_CHECK)? && is_ours()?)
        });
        match found {
            Err(error @ JournalError::Busy { .. }) => Err(error),
            found => Ok(found.unwrap_or(false)),
        }
    }

    /// Whether this journal has all lines of another one, by its chain of hashes.
    pub(super) fn has_all_of(&self, other: &Self) -> bool {
        let same = |(id, tip): (&MatchId, &Tip)| {
            let verified = self.reader.verify(*id, Some(&tip.head.to_string()));
            verified.is_ok_and(|verified| verified.is_ok_and(|found| found.entries as u64 == tip.entries))
        };
        other.tips.iter().all(same)
    }

    /// The file has other content. Closing must not write this journal's log into it.
    pub(super) fn overwritten(&self) -> JournalError {
        let _ = self.reader.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
        JournalError::Overwritten { path: self.reader.path.clone() }
    }
}

impl JournalReader {
    /// Whether the file without its log holds another record, or nothing: somebody has copied something over it. While another
    /// program merges the log, the file alone may be torn; that says nothing.
    pub(super) fn has_another_record(&self) -> Result<bool, JournalError> {
        let path = &self.path;
        if fs::metadata(path).is_ok_and(|found| found.len() == 0) {
            return Ok(true);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let alone = Connection::open_with_flags(untouched(path), flags | OpenFlags::SQLITE_OPEN_URI);
        let names = alone.and_then(|conn| {
            let mut query = conn.prepare(r#"SELECT uid FROM "match""#)?;
            query.query_map([], |row| row.get::<_, String>(0))?.collect::<rusqlite::Result<Vec<_>>>()
        });
        let own: BTreeSet<String> = self.matches()?.into_iter().map(|info| info.uid).collect();
        Ok(match names {
            Ok(names) => names.iter().any(|name| !own.contains(name)),
            Err(error) => error.sqlite_error_code() == Some(ErrorCode::NotADatabase),
        })
    }

    /// Whether the file is still the record in which these matches came so far, whatever somebody has added to it.
    fn has_all(&self, written: &[Point]) -> Result<bool, JournalError> {
        if written.is_empty() || !self.passes(QUICK_CHECK)? || self.has_another_record()? {
            return Ok(false);
        }
        let matches = self.matches()?;
        for point in written {
            let Some(info) = matches.iter().find(|info| info.is_at(point)) else { return Ok(false) };
            if self.head_after(info.id, point.seq)? != Some(point.head) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl MatchInfo {
    fn is_at(&self, point: &Point) -> bool {
        self.uid == point.uid && self.begins == point.begins
    }
}

/// Says in the file at `path`, which this process no longer has open, that these matches go on in the file `new`: somebody has
/// added something to it, and it is their record up to there. If it is another record by now, the log beside it is removed, so
/// that nobody reads it into that one.
pub(crate) fn say_elsewhere(path: &Path, written: &[Point], new: &Path) {
    let is_theirs = Journal::open_read(path).and_then(|reader| reader.has_all(written));
    if !is_theirs.unwrap_or(false) {
        place::clear_log(path);
        return;
    }
    // If another program holds the file, the new one alone says it.
    let Ok(mut journal) = Journal::open(path) else { return };
    let matches = journal.matches().unwrap_or_default();
    let ids = matches.iter().filter(|info| written.iter().any(|point| info.is_at(point)));
    journal.say_goes_on(&ids.map(|info| info.id).collect(), new);
    let _ = journal.close();
}
