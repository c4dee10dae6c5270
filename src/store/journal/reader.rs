//! Reads a journal: its matches, their lines, and what is checked of them.
#![warn(clippy::indexing_slicing)]

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};
use serde_json::Value;
use tabiya_engine::record::chain::{self, Broken, Head, Verified};
use tabiya_engine::record::json;

use super::error::JournalError;
use super::form::{
    APPLICATION, FORM, JournalEntry, MatchId, MatchInfo, PATIENCE, PER_MATCH, TABLES, Tip, signed,
};
use super::held::Held;
use super::lock::beside;
use super::salvage::OnPages;
use crate::heads::Compared;

/// A journal opened for reading. Reading changes nothing in the file, not even in a damaged one, and does not disturb a
/// program that is writing the file. Each query sees the lines added so far. There is one exception: if no program was
/// writing the file when the reader opened it, the reader never sees lines that are added later. To see them, open the
/// file again.
#[derive(Debug)]
pub struct JournalReader {
    pub(super) conn: Connection,
    pub(super) path: PathBuf,
    /// Dropped after the connection, whose locks it protects.
    pub(super) held: Held,
}

impl JournalReader {
    /// Opens a journal for reading; another program may be writing it.
    pub(crate) fn open(path: &Path) -> Result<Self, JournalError> {
        must_exist(path)?;
        // If no write-ahead log is beside the file, no program is writing the file. SQLite must not create a log then.
        let quiet = !beside(path, "-wal").exists();
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let held = Held::note(path);
        let opened = if quiet {
            Connection::open_with_flags(untouched(path), flags | OpenFlags::SQLITE_OPEN_URI)
        } else {
            Connection::open_with_flags(path, flags)
        };
        let conn = opened.map_err(|error| JournalError::sqlite(path, error))?;
        let reader = Self { conn, path: path.to_owned(), held };
        match reader.prepare() {
            Err(JournalError::Sqlite { source, .. })
                if source.sqlite_error_code() == Some(ErrorCode::CannotOpen) =>
            {
                Err(JournalError::Unclosed { path: path.to_owned() })
            }
            other => other.map(|()| reader),
        }
    }

    pub(super) fn prepare(&self) -> Result<(), JournalError> {
        self.run(|conn| {
            conn.busy_timeout(PATIENCE)?;
            conn.execute_batch(
                "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON;",
            )
        })?;
        must_be_ours(&self.conn, &self.path)
    }

    pub(super) fn run<T>(
        &self,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        ask(&self.conn).map_err(|error| JournalError::sqlite(&self.path, error))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All matches, in the order in which they began.
    pub fn matches(&self) -> Result<Vec<MatchInfo>, JournalError> {
        self.run(|conn| {
            let mut query = conn.prepare_cached(
                r#"SELECT m.id, m.uid, m.header, m.begun, coalesce(e.seq, 0), coalesce(e.t, 0), o.t,
                     coalesce(e.hash, m.hash), m.hash
                   FROM "match" m LEFT JOIN moment o ON o."match" = m.id LEFT JOIN entry e ON e.id =
                     (SELECT max(id) FROM entry WHERE id BETWEEN m.id * 4294967296 AND m.id * 4294967296 + 4294967295)
                   ORDER BY m.id"#,
            )?;
            query.query_map([], match_info)?.collect()
        })
    }

    /// The end of each match's chain. All rows are read, so that a page that is not the one that was written is noticed.
    pub(super) fn tips(&self) -> Result<BTreeMap<MatchId, Tip>, JournalError> {
        let mut tips: BTreeMap<MatchId, Tip> =
            self.matches()?.iter().map(|info| (info.id, Tip::of(info))).collect();
        self.run(|conn| {
            let mut query = conn.prepare(r#"SELECT "match", hash FROM entry ORDER BY id"#)?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                if let Some(tip) = tips.get_mut(&MatchId(row.get(0)?)) {
                    tip.trail = tip.trail.then(head(row, 1)?);
                }
            }
            Ok(())
        })?;
        Ok(tips)
    }

    /// A match's lines with their moments, in ms since the match began.
    pub fn lines(&self, id: MatchId) -> Result<Vec<(u64, String)>, JournalError> {
        Ok(self.entries(id)?.into_iter().map(|entry| (entry.t, entry.line)).collect())
    }

    /// A match's lines with place, moment and hash.
    pub fn entries(&self, id: MatchId) -> Result<Vec<JournalEntry>, JournalError> {
        self.header(id)?;
        self.rows(id, 0, u32::MAX)
    }

    /// Calls `each` with a match's lines, one after the other, until it returns an `Err`. So a long match need not be in memory
    /// as text. The inner `Err` is that of `each`.
    pub fn each_entry<E>(
        &self,
        id: MatchId,
        each: impl FnMut(JournalEntry) -> Result<(), E>,
    ) -> Result<Result<(), E>, JournalError> {
        self.header(id)?;
        self.each_row(id, 0, u32::MAX, each)
    }

    /// A match's lines after the line with the number `seq` (0: after the header), at most `most` of them, with place,
    /// moment and hash.
    pub fn entries_after(&self, id: MatchId, seq: u64, most: u32) -> Result<Vec<JournalEntry>, JournalError> {
        self.rows(id, signed(seq) + 1, most)
    }

    /// The places of the lines of a match that have this member, from 1.
    pub fn places_of(&self, id: MatchId, member: &str) -> Result<Vec<u64>, JournalError> {
        self.run(|conn| {
            let mut query = conn.prepare_cached(
                "SELECT seq FROM entry WHERE id BETWEEN ?1 AND ?2 AND instr(line, ?3) > 0 ORDER BY id",
            )?;
            let named = format!("\"{member}\"");
            query.query_map(params![id.key(0), id.key(PER_MATCH - 1), named], |row| whole(row, 0))?.collect()
        })
    }

    /// The hash of a match after its line with the number `seq` (0: after the header); `None` if it has no such line.
    pub fn head_after(&self, id: MatchId, seq: u64) -> Result<Option<Head>, JournalError> {
        match seq.checked_sub(1) {
            None => self.header(id).map(|(_, begins)| Some(begins)),
            Some(before) => Ok(self.entries_after(id, before, 1)?.pop().map(|entry| entry.head)),
        }
    }

    /// A match's rows from this place on, at most `most` of them.
    fn rows(&self, id: MatchId, from: i64, most: u32) -> Result<Vec<JournalEntry>, JournalError> {
        let mut rows = Vec::new();
        let Ok(()) = self.each_row::<Infallible>(id, from, most, |entry| {
            rows.push(entry);
            Ok(())
        })?;
        Ok(rows)
    }

    fn each_row<E>(
        &self,
        id: MatchId,
        from: i64,
        most: u32,
        mut each: impl FnMut(JournalEntry) -> Result<(), E>,
    ) -> Result<Result<(), E>, JournalError> {
        self.run(|conn| {
            let mut query = conn.prepare_cached(
                "SELECT seq, t, line, hash FROM entry WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3",
            )?;
            let mut rows = query.query(params![id.key(from), id.key(PER_MATCH - 1), most])?;
            while let Some(row) = rows.next()? {
                let entry = JournalEntry {
                    seq: whole(row, 0)?,
                    t: whole(row, 1)?,
                    line: row.get(2)?,
                    head: head(row, 3)?,
                };
                if let Err(stopped) = each(entry) {
                    return Ok(Err(stopped));
                }
            }
            Ok(Ok(()))
        })
    }

    /// A match as text: its header and lines, each with its `x-hash`. Sealed cards stay encrypted ([`vault::open`]
    /// opens them).
    pub fn chained(&self, id: MatchId) -> Result<Vec<String>, JournalError> {
        let (header, head) = self.header(id)?;
        let first = std::iter::once((header, head));
        let rest = self.entries(id)?.into_iter().map(|entry| (entry.line, entry.head));
        // A line that is not JSON is returned unchanged. Verifying the match reports this damage.
        Ok(first
            .chain(rest)
            .map(|(text, head)| match json::parse(&text) {
                Ok(line) => chain::with_hash(line, head).to_string(),
                Err(_) => text,
            })
            .collect())
    }

    /// Whether the file passes this check of SQLite's.
    pub(super) fn passes(&self, check: &str) -> Result<bool, JournalError> {
        self.run(|conn| conn.query_row(check, [], |row| row.get::<_, String>(0))).map(|said| said == "ok")
    }

    /// Checks the structure of the whole file: SQLite's own check, and whether a reader that looks at every page finds
    /// lines that no query returns. `found` is what that reader has found before this file was opened.
    pub fn check_structure(&self, found: &OnPages) -> Result<(), JournalError> {
        let damaged = || JournalError::Damaged { path: self.path.clone() };
        let is_sound = self.passes("PRAGMA integrity_check(1)")?;
        let known: BTreeMap<i64, u64> =
            self.matches()?.into_iter().map(|info| (info.id.number(), info.entries)).collect();
        let all_known =
            found.last.iter().all(|(id, last)| known.get(id).is_some_and(|entries| last <= entries));
        if is_sound && all_known && !found.log_is_damaged { Ok(()) } else { Err(damaged()) }
    }

    /// Computes a match's hash chain again, and compares the last hash with `head`, if that is given. The inner `Err`
    /// says where the chain is broken.
    pub fn verify(&self, id: MatchId, head: Option<&str>) -> Result<Result<Verified, Broken>, JournalError> {
        // A line that is added in between is in all of these queries, or in none.
        let _moment =
            self.conn.unchecked_transaction().map_err(|error| JournalError::sqlite(&self.path, error))?;
        let lines = self.chained(id)?;
        self.check_names(id)?;
        // Every line has its place. A damaged tree of pages can hide lines from one query and show them to another.
        let entries = self.entries(id)?;
        if entries.iter().zip(1..).any(|(entry, place)| entry.seq != place)
            || self.last_place(id)? != entries.len() as u64
        {
            return Err(JournalError::Damaged { path: self.path.clone() });
        }
        // The column `t` of the database table is not covered by the hashes, so compare it with the `t` in the line.
        let moments = entries.into_iter().map(|entry| Some(entry.t));
        let own = |line: &str| json::parse(line).ok()?.get("t")?.as_u64();
        let strange = lines.iter().skip(1).zip(moments).position(|(line, beside)| own(line) != beside);
        let verified =
            chain::verify(lines.iter().enumerate().map(|(nth, line)| (nth + 1, line.as_str())), head);
        Ok(match strange {
            Some(nth) if verified.is_ok() => Err(Broken::Unfit { line: nth + 2, after: Some(nth + 1) }),
            _ => verified,
        })
    }

    /// The parts of a match with which its signed heads are compared.
    pub fn compared(&self, info: &MatchInfo) -> Result<Compared, JournalError> {
        self.compared_among(info, &Arc::new(self.names()?))
    }

    /// The same, if the unique names of the file's matches are known.
    pub fn compared_among(
        &self,
        info: &MatchInfo,
        names: &Arc<BTreeSet<String>>,
    ) -> Result<Compared, JournalError> {
        let heads = self.run(|conn| {
            let mut query =
                conn.prepare_cached("SELECT hash FROM entry WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
            let heads = query.query_map([info.id.key(0), info.id.key(PER_MATCH - 1)], |row| head(row, 0))?;
            std::iter::once(Ok(info.begins)).chain(heads).collect()
        })?;
        Ok(Compared {
            uid: Some(info.uid.clone()),
            names: Arc::clone(names),
            heads,
            last_t: info.last_t,
            moment: Some(info.moment.unwrap_or(0)),
        })
    }

    /// The unique names of all matches.
    fn names(&self) -> Result<BTreeSet<String>, JournalError> {
        self.run(|conn| {
            conn.prepare_cached(r#"SELECT uid FROM "match""#)?.query_map([], |row| row.get(0))?.collect()
        })
    }

    /// Checks that a match's name and its beginning are those of its header.
    fn check_names(&self, id: MatchId) -> Result<(), JournalError> {
        let known = self.run(|conn| {
            conn.prepare_cached(r#"SELECT header, begun, uid FROM "match" WHERE id = ?1"#)?
                .query_row([id.0], |row| {
                    Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?, row.get::<_, String>(2)?))
                })
                .optional()
        })?;
        let agrees = known.is_none_or(|(header, begun, name)| {
            let header = json::parse(&header).unwrap_or_default();
            let text = |key| header.get(key).and_then(Value::as_str);
            text("start") == begun.as_deref() && text("id").is_none_or(|uid| uid == name)
        });
        if agrees { Ok(()) } else { Err(JournalError::Damaged { path: self.path.clone() }) }
    }

    /// The largest place of a line in a match; 0 without lines.
    fn last_place(&self, id: MatchId) -> Result<u64, JournalError> {
        self.run(|conn| {
            conn.query_row(
                "SELECT coalesce(max(seq), 0) FROM entry WHERE id BETWEEN ?1 AND ?2",
                [id.key(0), id.key(PER_MATCH - 1)],
                |row| whole(row, 0),
            )
        })
    }

    pub(super) fn header(&self, id: MatchId) -> Result<(String, Head), JournalError> {
        let found = self.run(|conn| {
            conn.query_row(r#"SELECT header, hash FROM "match" WHERE id = ?1"#, [id.0], |row| {
                Ok((row.get(0)?, head(row, 1)?))
            })
            .optional()
        })?;
        found.ok_or_else(|| JournalError::NoMatch { path: self.path.clone(), id })
    }
}

fn match_info(row: &Row<'_>) -> rusqlite::Result<MatchInfo> {
    let moment: Option<i64> = row.get(6)?;
    Ok(MatchInfo {
        id: MatchId(row.get(0)?),
        uid: row.get(1)?,
        header: row.get(2)?,
        begun: row.get(3)?,
        entries: whole(row, 4)?,
        last_t: whole(row, 5)?,
        moment: moment.and_then(|t| u64::try_from(t).ok()),
        head: head(row, 7)?,
        begins: head(row, 8)?,
    })
}

pub(super) fn whole(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

pub(super) fn head(row: &Row<'_>, column: usize) -> rusqlite::Result<Head> {
    row.get(column).map(Head::from_bytes)
}

/// The URI with which SQLite reads a file as immutable.
pub(super) fn untouched(path: &Path) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let escaped = path.as_os_str().as_encoded_bytes().iter().fold(String::new(), |mut name, byte| {
        if plain(byte) {
            name.push(char::from(*byte));
        } else {
            let _ = write!(name, "%{byte:02x}");
        }
        name
    });
    format!("file:{escaped}?immutable=1")
}

/// Checks that the file exists and is not empty, without opening the file. This process may be the writer of the file and hold
/// locks on it; opening and closing the file would release these locks. SQLite deletes the log beside an empty file.
pub(super) fn must_exist(path: &Path) -> Result<(), JournalError> {
    let found = fs::metadata(path).map_err(|error| JournalError::io(path, "read", error))?;
    match found.len() {
        0 if beside(path, "-wal").exists() => Err(JournalError::Damaged { path: path.to_owned() }),
        0 => Err(JournalError::NotARecord { path: path.to_owned() }),
        _ => Ok(()),
    }
}

fn must_be_ours(conn: &Connection, path: &Path) -> Result<(), JournalError> {
    let ask = |name| {
        conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(|error| {
            match error.sqlite_error_code() {
                Some(ErrorCode::NotADatabase) => JournalError::NotARecord { path: path.to_owned() },
                _ => JournalError::sqlite(path, error),
            }
        })
    };
    let (application, form) = (ask("application_id")?, ask("user_version")?);
    match form {
        _ if application != APPLICATION => Err(JournalError::NotARecord { path: path.to_owned() }),
        FORM => {
            let there = schema(conn).map_err(|error| JournalError::sqlite(path, error))?;
            // A file without a trigger can be read: the chain shows what was changed.
            let can_be_read = there.iter().all(|one| own_schema().contains(one))
                && own_schema().iter().all(|one| one.0 == "trigger" || there.contains(one));
            if can_be_read { Ok(()) } else { Err(JournalError::OtherTables { path: path.to_owned() }) }
        }
        newer if newer > FORM => Err(JournalError::Newer { path: path.to_owned(), form }),
        _ => Err(JournalError::Damaged { path: path.to_owned() }),
    }
}

/// The tables and triggers of a file, each with the text that made it. Somebody could have replaced a table by a view
/// that keeps nothing.
pub(super) type Schema = Vec<(String, String, Option<String>)>;

pub(super) fn schema(conn: &Connection) -> rusqlite::Result<Schema> {
    let mut query = conn.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name")?;
    query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?.collect()
}

/// The schema of every journal.
pub(super) fn own_schema() -> &'static Schema {
    static OWN: OnceLock<Schema> = OnceLock::new();
    OWN.get_or_init(|| {
        let made = Connection::open_in_memory().and_then(|conn| {
            conn.execute_batch(TABLES)?;
            schema(&conn)
        });
        // Without memory for an empty database no file equals it, and none is opened.
        made.unwrap_or_default()
    })
}
