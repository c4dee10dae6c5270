//! What this computer's store of keys remembers of each match: how far its record has come, and in which file. A record that
//! was rewritten, shortened or copied does not fit its note; whoever can write the record's folder alone cannot change it.
//!
//! A note is a file `keys/BEGINS-NAME.seen`, readable by its owner alone. Its first line has a fixed length and is written
//! in place after each durable line; it fits into one sector of a disk, so a power cut leaves one note or the other. The
//! second line changes only when the record goes on in another file, and is then written whole. Each line has a sum, so that
//! a damaged note is told, and is never taken for another one; notes of older versions have none.
//!
//! Source: `docs/record-chain.md`, "What the table remembers".
#![warn(clippy::indexing_slicing)]

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::disk::read_bounded;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tabiya_engine::record::chain::{self, Head};

use super::disk::replace_private;
use super::sums::{sum_of, sum_of_text};
use crate::platform::{CAN_TELL_FILES, identity, sync_folder, write_at_start};

/// The longest note that is read, in bytes: a path and a match's name have at most 4096 bytes each, of which JSON may make
/// six each.
const LONGEST_NOTE: u64 = 1 << 16;
/// The length of the first line with its end, in bytes: less than a sector.
const PROGRESS_BYTES: usize = 256;
/// How often a note that cannot be read is read.
const READINGS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(2);

/// What distinguishes a match from all others: the hash of its header, and its unique name. Two matches that began within
/// one second with the same terms have the same header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchName {
    /// The hash of the header.
    pub begins: Head,
    /// The unique name.
    pub uid: String,
}

impl MatchName {
    /// The name of the match's note.
    fn file(&self) -> String {
        let uid: [u8; 32] = Sha256::digest(self.uid.as_bytes()).into();
        let short: String = chain::hex(&uid).chars().take(16).collect();
        format!("{}-{short}.seen", self.begins)
    }
}

/// How far a match's record has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordProgress {
    /// The hash after the newest line.
    pub head: Head,
    /// The number of lines after the header.
    pub seq: u64,
    /// The newest moment that was written or saved, in ms since the match began.
    pub t: u64,
    /// The hash after lines that are just being written, if they decide something: after a kill they count as this table's.
    pub next: Option<Head>,
}

/// What the store remembers of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// How far the record has come.
    pub progress: RecordProgress,
    /// The record's file.
    pub record: PathBuf,
    /// Whether the note was made by this very store: the folder of keys may be a copy of another one.
    pub is_own: bool,
    /// Whether this store took the match on although it had no note of its own: cards that were sealed before that open with
    /// the keys of the first store alone.
    pub taken: bool,
}

impl Seen {
    /// Whether the note names this file, by whatever path.
    pub(super) fn is_in(&self, file: &Path) -> bool {
        real(&self.record) == real(file)
    }
}

/// The first line of a note.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgressLine {
    head: String,
    seq: u64,
    t: u64,
    #[serde(default)]
    next: Option<String>,
    #[serde(default)]
    sum: Option<String>,
}

/// The second line of a note.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceLine {
    uid: String,
    record: PathBuf,
    /// The folder of keys.
    store: PathBuf,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    taken: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sum: Option<String>,
}

/// A note as versions before this one kept it, for matches with sealed cards alone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OldNote {
    head: String,
    seq: u64,
    record: PathBuf,
}

impl RecordProgress {
    fn to_line(self) -> String {
        // Numbers of one width, so that the line has always the same length.
        let line = format!("{}\"sum\":\"{}\"}}", self.members(20) + ",", self.sum());
        format!("{line:<width$}\n", width = PROGRESS_BYTES - 1)
    }

    /// The members of the line without its sum and its end, with numbers of at least this width.
    fn members(self, width: usize) -> String {
        let Self { head, seq, t, next } = self;
        let next = next.map(|next| format!(",\"next\":\"{next}\"")).unwrap_or_default();
        format!("{{\"head\":\"{head}\",\"seq\":{seq:>width$},\"t\":{t:>width$}{next}")
    }

    fn sum(self) -> String {
        sum_of_text(&(self.members(0) + "}"))
    }

    fn parse(line: &str) -> Option<Self> {
        let ProgressLine { head, seq, t, next, sum } = serde_json::from_str(line).ok()?;
        let next = match next {
            Some(digits) => Some(head_of(&digits)?),
            None => None,
        };
        let read = Self { head: head_of(&head)?, seq, t, next };
        sum.is_none_or(|sum| sum == read.sum()).then_some(read)
    }
}

impl PlaceLine {
    fn parse(line: &str) -> Option<Self> {
        let mut read: Self = serde_json::from_str(line).ok()?;
        let sum = read.sum.take();
        sum.is_none_or(|sum| sum == sum_of(&read)).then_some(read)
    }
}

fn head_of(digits: &str) -> Option<Head> {
    chain::unhex(digits)?.try_into().ok().map(Head::from_bytes)
}

/// The file of a match's note in this folder of keys.
pub(super) fn file_in(folder: &Path, of: &MatchName) -> PathBuf {
    folder.join(of.file())
}

/// Reads a match's note; `None` if there is none. An error of the kind `InvalidData` says that the file is no note. A note that
/// a table is just writing is read again.
pub(super) fn read(folder: &Path, of: &MatchName) -> io::Result<Option<Seen>> {
    again_if_torn(|| read_once(folder, of))
}

/// Reads again what a table may be just writing.
#[expect(clippy::disallowed_methods, reason = "a writer tells nobody when it has written")]
fn again_if_torn<T>(read: impl Fn() -> io::Result<T>) -> io::Result<T> {
    for _ in 1..READINGS {
        match read() {
            Err(error) if error.kind() == io::ErrorKind::InvalidData => thread::sleep(PAUSE),
            read => return read,
        }
    }
    read()
}

fn read_once(folder: &Path, of: &MatchName) -> io::Result<Option<Seen>> {
    let text = match read_bounded(&file_in(folder, of), LONGEST_NOTE) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return read_old(folder, of.begins),
        Err(error) => return Err(error),
    };
    let text = String::from_utf8_lossy(&text);
    let parsed = text
        .split_once('\n')
        .and_then(|(progress, place)| Some((RecordProgress::parse(progress)?, PlaceLine::parse(place)?)));
    match parsed {
        Some((progress, place)) if place.uid == of.uid => {
            let is_own = real(&place.store) == real(folder);
            Ok(Some(Seen { progress, record: place.record, is_own, taken: place.taken }))
        }
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

/// Whether a note of this very store names this file as the record of a match.
pub(super) fn has_one_in(folder: &Path, record: &Path) -> bool {
    let notes = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let notes = notes.filter(|path| path.extension().is_some_and(|ending| ending == "seen"));
    let places = notes.filter_map(|path| {
        let text = read_bounded(&path, LONGEST_NOTE).ok()?;
        PlaceLine::parse(String::from_utf8_lossy(&text).lines().nth(1)?)
    });
    let record = real(record);
    places.into_iter().any(|place| real(&place.record) == record && real(&place.store) == real(folder))
}

fn read_old(folder: &Path, begins: Head) -> io::Result<Option<Seen>> {
    let text = match read_bounded(&folder.join(format!("{begins}.seen")), LONGEST_NOTE) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let old: Option<OldNote> = serde_json::from_slice(&text).ok();
    let read = old.and_then(|old| {
        // It did not keep the moment.
        let progress = RecordProgress { head: head_of(&old.head)?, seq: old.seq, t: 0, next: None };
        // It did not say in which folder of keys it was made, so it opens nothing that was sealed since.
        Some(Seen { progress, record: old.record, is_own: false, taken: false })
    });
    read.map(Some).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Writes a match's note whole: `record` is the file in which it goes on. With `carried_on`, a store that has no note of its own
/// has taken the match on from another store, and says so from then on.
pub(super) fn write(
    folder: &Path,
    of: &MatchName,
    record: &Path,
    progress: RecordProgress,
    carried_on: bool,
) -> io::Result<()> {
    let taken = match read(folder, of) {
        Ok(Some(before)) => before.taken || !before.is_own,
        Ok(None) => carried_on,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => carried_on,
        Err(error) => return Err(error),
    };
    let (record, store) = (real(record), real(folder));
    let mut place = PlaceLine { uid: of.uid.clone(), record, store, taken, sum: None };
    place.sum = Some(sum_of(&place));
    let place = serde_json::to_string(&place).map_err(io::Error::other)?;
    let file = file_in(folder, of);
    replace_private(&file, format!("{}{place}\n", progress.to_line()))?;
    sync_folder(&file)
}

/// A note that stays open from line to line: to open it again takes longer than to write it. Nobody can replace an open file on
/// Windows, so there it does not stay open.
#[derive(Debug)]
pub(super) struct OpenNote {
    path: PathBuf,
    file: File,
    identity: Option<(u64, u64)>,
}

impl OpenNote {
    /// Opens a note; `None` if there is none.
    fn open(path: PathBuf) -> io::Result<Option<Self>> {
        match path.metadata() {
            Ok(found) if found.is_file() => {}
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        }
        let file = File::options().read(true).write(true).open(&path)?;
        let identity = identity(&file.metadata()?);
        Ok(Some(Self { path, file, identity }))
    }

    /// Whether it is still the file with this path.
    fn is_at(&self, path: &Path) -> bool {
        CAN_TELL_FILES
            && self.path == path
            && path.metadata().is_ok_and(|there| identity(&there) == self.identity)
    }
}

/// Writes how far the record has come, in place. `Ok(false)` if the note no longer says `before`: somebody else has written
/// it, because the match is carried on in another file too. With `durable` the note is on the disk afterwards; otherwise it
/// may lag behind after a power cut. The note that was written last stays open in `last`.
pub(super) fn go_on(
    last: &mut Option<OpenNote>,
    folder: &Path,
    of: &MatchName,
    before: Head,
    progress: RecordProgress,
    durable: bool,
) -> io::Result<bool> {
    let path = file_in(folder, of);
    let kept = last.take().filter(|note| note.is_at(&path));
    let note = match kept {
        Some(note) => note,
        None => match OpenNote::open(path)? {
            Some(note) => note,
            None => return Ok(false),
        },
    };
    let mut file = &note.file;
    let mut known = [0; PROGRESS_BYTES];
    file.rewind()?;
    file.read_exact(&mut known)?;
    let said = format!("{{\"head\":\"{before}\"");
    if !known.starts_with(said.as_bytes()) {
        return Ok(false);
    }
    write_at_start(file, progress.to_line().as_bytes())?;
    if durable {
        file.sync_data()?;
    }
    if CAN_TELL_FILES {
        *last = Some(note);
    }
    Ok(true)
}

/// A path without links, as far as it exists.
pub(super) fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(nth: u8) -> Head {
        Head::from_bytes([nth; 32])
    }

    fn name(uid: &str) -> MatchName {
        MatchName { begins: head(1), uid: uid.to_owned() }
    }

    #[test]
    fn a_note_goes_on_in_place_and_its_first_line_keeps_its_length() {
        let folder = tempfile::tempdir().expect("a folder");
        for (uid, record) in [("a", "e.tabiya"), ("b", "Jörg spielt.tabiya"), ("\"\n", "Люба.tabiya")] {
            let (of, record) = (name(uid), folder.path().join(record));
            assert_eq!(read(folder.path(), &of).expect("no trouble"), None);
            let first = RecordProgress { head: head(2), seq: 9, t: 10, next: None };
            write(folder.path(), &of, &record, first, false).expect("written");
            let length = std::fs::metadata(file_in(folder.path(), &of)).expect("there").len();
            let last = RecordProgress { head: head(3), seq: u64::MAX, t: u64::MAX, next: None };
            assert!(go_on(&mut None, folder.path(), &of, head(2), last, true).expect("written"), "{uid}");
            assert!(
                !go_on(&mut None, folder.path(), &of, head(2), first, false).expect("read"),
                "{uid}: another head"
            );
            let seen = read(folder.path(), &of).expect("read").expect("there");
            assert_eq!((seen.progress, seen.is_own), (last, true));
            assert_eq!(std::fs::metadata(file_in(folder.path(), &of)).expect("there").len(), length);
        }
        let away = name("elsewhere");
        assert!(
            !go_on(
                &mut None,
                folder.path(),
                &away,
                head(2),
                RecordProgress { head: head(3), seq: 1, t: 1, next: None },
                false
            )
            .expect("none")
        );
    }

    #[test]
    fn a_note_that_was_replaced_while_it_was_open_is_opened_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let (folder, of, record) = (folder.path(), name("a"), folder.path().join("e.tabiya"));
        let at = |nth: u8| RecordProgress { head: head(nth), seq: nth.into(), t: 0, next: None };
        let there = || read(folder, &of).expect("read").expect("there").progress;
        let mut last = None;
        write(folder, &of, &record, at(1), false).expect("written");
        assert!(go_on(&mut last, folder, &of, head(1), at(2), false).expect("written"));
        // Another table has carried the match on.
        write(folder, &of, &record, at(7), false).expect("written");
        assert!(!go_on(&mut last, folder, &of, head(2), at(3), false).expect("read"));
        assert_eq!(there(), at(7));
        assert!(go_on(&mut last, folder, &of, head(7), at(8), true).expect("written"));
        assert_eq!(there(), at(8));
        std::fs::remove_file(file_in(folder, &of)).expect("removed");
        assert!(!go_on(&mut last, folder, &of, head(8), at(9), false).expect("none"));
    }

    #[test]
    fn a_note_is_read_right_while_its_table_writes_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (folder, of) = (folder.path(), name("a"));
        let at = |nth: u8| RecordProgress { head: head(nth), seq: nth.into(), t: 0, next: None };
        write(folder, &of, &folder.join("e.tabiya"), at(0), false).expect("written");
        let file = file_in(folder, &of);
        let whole = std::fs::read(&file).expect("read");
        let torn = [&b"{\"head\":\"00"[..], &vec![b' '; PROGRESS_BYTES - 20]].concat();
        let open = File::options().write(true).open(&file).expect("opened");
        write_at_start(&open, &torn).expect("written");
        let seen = again_if_torn(|| {
            let found = read_once(folder, &of);
            // The rest is written after the first reading.
            write_at_start(&open, &whole)?;
            found
        });
        assert_eq!(seen.expect("read").expect("there").progress, at(0));
        write_at_start(&open, &torn).expect("written");
        assert!(read(folder, &of).is_err(), "what stays damaged is told");
    }

    #[test]
    fn a_copied_folder_of_keys_knows_that_it_is_a_copy() {
        let (one, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let of = name("a");
        write(
            one.path(),
            &of,
            Path::new("e.tabiya"),
            RecordProgress { head: head(2), seq: 9, t: 10, next: None },
            false,
        )
        .expect("written");
        std::fs::copy(file_in(one.path(), &of), file_in(other.path(), &of)).expect("copied");
        assert!(read(one.path(), &of).expect("read").is_some_and(|seen| seen.is_own));
        assert!(read(other.path(), &of).expect("read").is_some_and(|seen| !seen.is_own));
    }

    #[test]
    fn a_flipped_bit_of_a_note_is_told_and_a_note_without_sums_opens() {
        let folder = tempfile::tempdir().expect("a folder");
        let (of, record) = (name("a"), folder.path().join("e.tabiya"));
        let progress = RecordProgress { head: head(0xAB), seq: 9, t: 10, next: Some(head(0xCD)) };
        write(folder.path(), &of, &record, progress, false).expect("written");
        let (file, kept) = (file_in(folder.path(), &of), read_once(folder.path(), &of).expect("read"));
        assert_eq!(kept.as_ref().map(|seen| seen.progress), Some(progress));
        let whole = std::fs::read(&file).expect("read");
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            if let Some(byte) = bytes.get_mut(bit / 8) {
                *byte ^= 1 << (bit % 8);
            }
            std::fs::write(&file, &bytes).expect("written");
            let told = read_once(folder.path(), &of).is_err();
            assert!(told || read_once(folder.path(), &of).expect("read") == kept, "bit {bit}");
        }
        // As today's version wrote it before it had sums.
        let members = progress.members(20);
        let (_, place) = std::str::from_utf8(&whole).expect("text").split_once('\n').expect("two lines");
        let (place, _) = place.split_once(",\"sum\"").expect("a sum");
        std::fs::write(&file, format!("{:<255}\n{place}}}\n", members + "}")).expect("written");
        assert_eq!(read_once(folder.path(), &of).expect("read"), kept);
        assert!(go_on(&mut None, folder.path(), &of, progress.head, progress, true).expect("written"));
        assert_eq!(read_once(folder.path(), &of).expect("read"), kept);
        // As version 0.1.0 wrote it.
        std::fs::remove_file(&file).expect("removed");
        let old = format!("{{\"head\":\"{}\",\"seq\":9,\"record\":\"e.tabiya\"}}\n", head(2));
        std::fs::write(folder.path().join(format!("{}.seen", of.begins)), old).expect("written");
        assert!(read_once(folder.path(), &of).expect("read").is_some_and(|seen| seen.progress.seq == 9));
    }

    #[test]
    fn what_is_no_note_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        for text in ["", "{}", "{\"head\":\"\",\"seq\":1,\"t\":1}\n{}"] {
            std::fs::write(file_in(folder.path(), &name("a")), text).expect("written");
            let error = read(folder.path(), &name("a")).expect_err("no note");
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{text}");
        }
    }
}
