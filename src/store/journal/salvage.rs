//! Salvage: reads what is still intact in a damaged journal.
//!
//! SQLite stops at the first damaged page. This module reads every page by itself, first those in the write-ahead log,
//! and takes each intact row, which contains the number of its match and its place in the match. The module does not
//! open the database and changes nothing in it. The rows that it finds can be written into a new journal.
//!
//! Source: sqlite.org, `fileformat2.html`: sections 1.5, 1.6 (pages, cells), 2.1 (records), 4 (log).
#![warn(clippy::indexing_slicing)]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;

use crate::disk::read_bounded;
use tabiya_engine::record::chain::Head;
use tabiya_engine::record::json;

use super::error::JournalError;
use super::form::{APPLICATION, LAST_MATCH, PER_MATCH, SQLITE_MAGIC};
use super::held::is_held;
use super::lock::beside;
use super::reader::JournalReader;
use super::wal;

/// The page size to assume if the head of the file is damaged: SQLite's default.
const USUAL_PAGE: usize = 4096;
/// The first byte of a page that is a leaf of a table's tree.
const TABLE_LEAF: u8 = 0x0d;
/// The length of the file's head on the first page, in bytes.
const FILE_HEAD: usize = 100;
const LOG_HEAD: usize = 32;
const FRAME_HEAD: usize = 24;
/// The length of the longest header or line that is put right by its hash, in bytes; longer ones would take minutes.
const LONGEST_REPAIRED: usize = 4096;
/// The most work of putting lines right, as the sum of the squares of their lengths: two thousand usual lines, or one of
/// 2,896 bytes. In a file that is damaged more, the other lines are saved as they are.
const MOST_REPAIRS: usize = 1 << 23;
/// The length of the longest row that a record can have, in bytes. A row that claims to be longer is treated as
/// damaged.
const LONGEST_ROW: usize = 1 << 24;
/// The longest journal that is salvaged, and the longest log, in bytes.
const LONGEST_JOURNAL: u64 = 1 << 32;

/// Everything that could be read from a damaged journal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Salvaged {
    /// The matches of which a header or a line was found.
    pub matches: Vec<SalvagedMatch>,
    /// How many lines are certainly lost: the lines that are missing before the last line that was found. Lines that
    /// were lost after the last found line cannot be counted.
    pub lost: u64,
    /// How many pages the file should have beyond its end: it was cut.
    pub cut_pages: usize,
}

/// What could be read of one match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SalvagedMatch {
    /// The match's number in the file.
    pub id: i64,
    /// The match's header, if it was found.
    pub header: Option<String>,
    /// The match's unique name, if it was found.
    pub uid: Option<String>,
    /// The moment that was saved apart from the lines, in ms since the match began, if it was found.
    pub moment: Option<u64>,
    /// The lines that were found, in order.
    pub lines: Vec<SalvagedLine>,
    /// How many lines are missing before the last line that was found.
    pub lost: u64,
}

/// A line that could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SalvagedLine {
    /// The line's place in the match, counted from 1.
    pub seq: u64,
    /// The line's moment, in ms since the match began.
    pub t: u64,
    /// The line, a JSON object.
    pub line: String,
    /// Whether the line's hash follows from the line before it. After a missing line this is always `false`; elsewhere
    /// `false` means that the line or its hash was changed.
    pub fits: bool,
    /// Whether several versions of the line fit, so that its sealed cards may be the damaged ones: the chain does not cover
    /// them.
    pub contested: bool,
}

impl SalvagedMatch {
    /// A match of which nothing but its number is known.
    fn without_header(id: i64) -> Self {
        Self { id, header: None, uid: None, moment: None, lines: Vec::new(), lost: 0 }
    }
}

/// Reads what can be read of the journal at `path`, and of the log beside it. `Err` only if the file itself cannot be
/// read, if nothing in it looks like a record, or if this process has the journal open.
pub fn salvage(path: &Path) -> Result<Salvaged, JournalError> {
    salvage_all(&[path])
}

/// What a reader that looks at every page of a journal finds, without asking SQLite.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OnPages {
    /// For each match, by its number, the place of the last line that was found.
    pub(super) last: BTreeMap<i64, u64>,
    /// Whether SQLite reads less of the log beside the file than was synced.
    pub(super) log_is_damaged: bool,
}

/// Reads the pages of a journal as SQLite reads them, to be compared with what queries return: a page that a committed
/// transaction of the log has is not read from the file, where a power cut may have left anything. Nothing is found in a
/// file that cannot be read. Beside a table that writes the journal the pages may belong to several moments: see
/// [`settled`](super::settled()). Do not call this function for a journal that this process has open, as for [`salvage`].
pub fn on_pages(path: &Path) -> OnPages {
    // What is not published yet, because it is still being synced, is returned by no query.
    let index = read_bounded(&beside(path, "-shm"), LONGEST_JOURNAL).unwrap_or_default();
    // The log is read before the file: what is merged into the file in between is then in both.
    let log = read_bounded(&beside(path, "-wal"), LONGEST_JOURNAL).unwrap_or_default();
    let file = read_bounded(path, LONGEST_JOURNAL).unwrap_or_default();
    let committed =
        wal::committed(&log, page_size(&file), wal::published(&index, &log).unwrap_or(usize::MAX));
    let log_is_damaged = committed.is_damaged;
    let found = Found::of_pages(&Pages::new(&file, committed.pages), false).sorted();
    let last = |one: &SalvagedMatch| (one.id, one.lines.last().map_or(0, |line| line.seq));
    OnPages { last: found.matches.iter().map(last).collect(), log_is_damaged }
}

/// Reads what can be read of several copies of a journal together: a row is taken from the copy in which it is intact. A
/// copy in which nothing looks like a record is passed over, unless no copy has anything. A copy may have other matches,
/// too. `Err` as for [`salvage`].
pub(super) fn salvage_all(paths: &[impl AsRef<Path>]) -> Result<Salvaged, JournalError> {
    let (mut all, mut cut, mut failed) = (None::<Found>, usize::MAX, None);
    for path in paths {
        match Found::of_file(path.as_ref()) {
            Ok((found, cut_pages)) => {
                cut = cut.min(cut_pages);
                all = Some(match all {
                    Some(first) => first.with(found),
                    None => found,
                });
            }
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    match (all, failed) {
        (Some(found), _) => Ok(Salvaged { cut_pages: cut, ..found.sorted() }),
        (None, Some(error)) => Err(error),
        (None, None) => Ok(Salvaged::default()),
    }
}

/// A property of any bytes as the content of a journal, which the fuzz target `salvage` tries: whatever is found is a row
/// that a journal can have, and two equal copies give what one gives.
#[expect(clippy::missing_panics_doc, reason = "panicking is what a law is for")]
pub fn salvage_law(bytes: &[u8]) {
    // The log begins where the last byte says, in sixteenths of the file.
    let parts = usize::from(bytes.last().copied().unwrap_or(0) % 16);
    let (file, log) = bytes.split_at(bytes.len() - bytes.len() / 16 * parts);
    let found = || Found::of_bytes(file, log).0;
    let once = found().sorted();
    for line in once.matches.iter().flat_map(|one| &one.lines) {
        let parsed = json::parse(&line.line);
        let t = parsed.as_ref().ok().and_then(|parsed| parsed.get("t")?.as_u64());
        assert!(!line.fits || t == Some(line.t), "a line that fits was written by a journal: {line:?}");
    }
    assert_eq!(found().with(found()).sorted(), once, "two equal copies give what one gives");
}

/// Whether SQLite finds no damage in a file.
fn is_intact(path: &Path) -> bool {
    let checked = JournalReader::open(path).and_then(|reader| reader.check_structure(&OnPages::default()));
    checked.is_ok()
}

fn page_size(file: &[u8]) -> usize {
    let stated = number(file, 16, 2).map(|size| if size == 1 { 65_536 } else { size });
    match stated {
        Some(size) if file.starts_with(SQLITE_MAGIC) && size.is_power_of_two() && size >= 512 => size,
        _ => USUAL_PAGE,
    }
}

struct Pages<'a> {
    size: usize,
    file: &'a [u8],
    log: BTreeMap<usize, &'a [u8]>,
    /// How many more bytes of long rows are read: rows that share their pages must not take memory and time without end.
    budget: Cell<usize>,
}

impl<'a> Pages<'a> {
    fn new(file: &'a [u8], log: BTreeMap<usize, &'a [u8]>) -> Self {
        let in_log: usize = log.values().map(|page| page.len()).sum();
        let budget = Cell::new(LONGEST_ROW + 4 * (file.len() + in_log));
        Self { size: page_size(file), file, log, budget }
    }

    fn get(&self, number: usize) -> Option<&'a [u8]> {
        let start = number.checked_sub(1)?.checked_mul(self.size)?;
        self.log.get(&number).copied().or_else(|| self.file.get(start..start.checked_add(self.size)?))
    }
}

/// The pages of committed transactions in the log, each in its last version.
fn logged(log: &[u8], size: usize) -> BTreeMap<usize, &[u8]> {
    let (mut pages, mut open) = (BTreeMap::new(), Vec::new());
    let salts = log.get(16..24);
    for frame in log.get(LOG_HEAD..).unwrap_or_default().chunks_exact(FRAME_HEAD + size) {
        let Some((head, page)) = frame.split_at_checked(FRAME_HEAD) else { break };
        if head.get(8..16) != salts {
            break; // left over from before the log was restarted
        }
        open.push((number(head, 0, 4).unwrap_or(0), page));
        if number(head, 4, 4).is_some_and(|size_after| size_after > 0) {
            pages.extend(open.drain(..));
        }
    }
    pages
}

/// The rows of one file or of several copies. A row that was found in several places may have several versions.
#[derive(Default)]
struct Found {
    /// For each match the versions of its header, even if they are damaged, with its hash and its unique name.
    headers: BTreeMap<i64, Vec<HeaderRow>>,
    moments: BTreeMap<i64, u64>,
    entries: BTreeMap<(i64, i64), Vec<Row>>,
    /// Rows whose key and whose columns disagree on their match and place, with both.
    strays: Vec<([(i64, i64); 2], Row)>,
}

/// A header, the hash after it, and the match's unique name.
#[derive(Clone, PartialEq)]
struct HeaderRow {
    text: Vec<u8>,
    head: Head,
    uid: String,
}

/// A line's moment, its text even if that is damaged, and the hash after it.
#[derive(Clone, PartialEq)]
struct Row {
    t: u64,
    line: Vec<u8>,
    head: Head,
}

impl Row {
    /// Whether its hash follows from this one.
    fn follows(&self, head: Head) -> bool {
        self.after(head) == Some(self.head)
    }

    /// The hash that this line gives after this one; `None` if the line is damaged.
    fn after(&self, head: Head) -> Option<Head> {
        let line = json::parse(std::str::from_utf8(&self.line).ok()?).ok()?;
        line.is_object().then(|| head.then(&line))
    }

    /// The row as it was written, if one changed byte, in the line or in its hash, makes it follow from this hash. The
    /// second value says whether several lines do, because the byte is in a part that the chain does not cover.
    fn put_right(&self, head: Head, work: &mut usize) -> Option<(Self, bool)> {
        if let Some(proven) = self.after(head).filter(|proven| differ_by_one(*proven, self.head)) {
            return Some((Self { head: proven, ..self.clone() }, false));
        }
        *work = work.checked_sub(self.line.len().checked_pow(2)?)?;
        let fits = |text: &str| json::parse(text).is_ok_and(|line| head.then(&line) == self.head);
        let (line, several) = put_right(&self.line, fits)?;
        let t = json::parse(&line).ok()?.get("t")?.as_u64()?;
        Some((Self { t, line: line.into_bytes(), head: self.head }, several))
    }
}

/// Whether one byte differs between two hashes: then the one that was computed proves the stored one damaged.
fn differ_by_one(one: Head, other: Head) -> bool {
    one.bytes().iter().zip(other.bytes()).filter(|(one, other)| one != other).count() == 1
}

/// Adds a version that is not there yet.
fn add<T: PartialEq>(versions: &mut Vec<T>, one: T) {
    if !versions.contains(&one) {
        versions.push(one);
    }
}

impl Found {
    /// The rows of a file and of the log beside it, and how many pages the file should have beyond its end.
    fn of_file(path: &Path) -> Result<(Self, usize), JournalError> {
        if is_held(path) {
            return Err(JournalError::Busy { path: path.to_owned(), process: Some(std::process::id()) });
        }
        // The log first, as in `on_pages`.
        let log = read_bounded(&beside(path, "-wal"), LONGEST_JOURNAL).unwrap_or_default();
        let file =
            read_bounded(path, LONGEST_JOURNAL).map_err(|error| JournalError::io(path, "read", error))?;
        let (found, cut_pages) = Self::of_bytes(&file, &log);
        let has_line = found.entries.values().flatten().any(|row| whole_line(&row.line).is_some());
        if !has_line && found.headers.is_empty() {
            let is_empty =
                file.starts_with(SQLITE_MAGIC) && number(&file, 68, 4) == usize::try_from(APPLICATION).ok();
            return Err(if is_empty && cut_pages == 0 && log.is_empty() && is_intact(path) {
                JournalError::Alone { path: path.to_owned() }
            } else if file.starts_with(SQLITE_MAGIC) {
                JournalError::Damaged { path: path.to_owned() }
            } else {
                JournalError::NotARecord { path: path.to_owned() }
            });
        }
        Ok((found, cut_pages))
    }

    /// The same for the content of a file and of its log.
    fn of_bytes(file: &[u8], log: &[u8]) -> (Self, usize) {
        let size = page_size(file);
        let pages = Pages::new(file, logged(log, size));
        let found = Self::of_pages(&pages, true);
        // What a log that was written later holds is in no file yet; a file cannot be longer than it says before that.
        let stated = number(file, 28, 4).filter(|_| pages.log.is_empty()).unwrap_or(0);
        let cut_pages = stated.saturating_sub(file.len() / size);
        (found, cut_pages)
    }

    /// The rows of these pages. The log is newer than the file; rows never change, so the copies of a row in both are equal
    /// unless one of them is damaged. With `both`, a page that the log has is read from the file, too.
    fn of_pages(pages: &Pages<'_>, both: bool) -> Self {
        let mut found = Self::default();
        for (number, page) in pages.log.iter().map(|(number, page)| (*number, *page)) {
            found.leaf(pages, page, number);
        }
        for (number, page) in (1..).zip(pages.file.chunks(pages.size)) {
            if both || !pages.log.contains_key(&number) {
                found.leaf(pages, page, number);
            }
        }
        found
    }

    /// These rows and those of another copy. A match has the same hash of its header in every copy, but perhaps another
    /// number. A match whose header is lost is taken for the one with its number, if that is not another one.
    fn with(mut self, other: Self) -> Self {
        let mut next = self.numbers().chain(other.numbers()).max().unwrap_or(0);
        let mut number_of = BTreeMap::new();
        for id in other.numbers() {
            let heads = |found: &Self, id: i64| -> Vec<Head> {
                found.headers.get(&id).into_iter().flatten().map(|row| row.head).collect()
            };
            let begins = heads(&other, id);
            let same = self
                .headers
                .keys()
                .copied()
                .find(|here| heads(&self, *here).iter().any(|head| begins.contains(head)));
            let free = begins.is_empty() || heads(&self, id).is_empty();
            let number = same.or(free.then_some(id)).unwrap_or_else(|| {
                next += 1;
                next
            });
            number_of.insert(id, number);
        }
        let number = |id: i64| number_of.get(&id).copied().unwrap_or(id);
        for (id, versions) in other.headers {
            let here = self.headers.entry(number(id)).or_default();
            for version in versions {
                add(here, version);
            }
        }
        for (places, row) in other.strays {
            add(&mut self.strays, (places.map(|(id, seq)| (number(id), seq)), row));
        }
        for (id, moment) in other.moments {
            let here = self.moments.entry(number(id)).or_default();
            *here = moment.max(*here);
        }
        for ((id, seq), versions) in other.entries {
            let here = self.entries.entry((number(id), seq)).or_default();
            for version in versions {
                add(here, version);
            }
        }
        self
    }

    /// The numbers of the matches of which anything was found; some more than once.
    fn numbers(&self) -> impl Iterator<Item = i64> {
        self.headers.keys().copied().chain(self.entries.keys().map(|(id, _)| *id))
    }

    /// Collects all rows of a page, if the page is a leaf of a table's tree.
    fn leaf(&mut self, pages: &Pages<'_>, page: &[u8], page_number: usize) {
        let start = if page_number == 1 { FILE_HEAD } else { 0 };
        if page.get(start) != Some(&TABLE_LEAF) {
            return;
        }
        let cells = number(page, start + 3, 2).unwrap_or(0);
        for nth in 0..cells {
            let Some(at) = number(page, start + 8 + 2 * nth, 2) else { break };
            let _ = self.cell(pages, page.get(at..).unwrap_or_default());
        }
    }

    /// Takes one row, if it contains a line or a header.
    fn cell(&mut self, pages: &Pages<'_>, cell: &[u8]) -> Option<()> {
        let (length, rest) = varint(cell)?;
        let (key, rest) = varint(rest)?;
        let payload = payload(pages, usize::try_from(length).ok()?, rest)?;
        match record(&payload)?.as_slice() {
            [
                Field::Null,
                Field::Whole(id),
                Field::Whole(seq),
                Field::Whole(t),
                Field::Bytes(line),
                Field::Bytes(hash),
            ] => {
                // The line has its moment inside, where its hash covers it.
                let whole = whole_line(line).and_then(|line| json::parse(&line).ok());
                let own = whole.as_ref().and_then(|line| line.get("t")?.as_u64());
                let beside = u64::try_from(*t).ok();
                let t = if whole.is_some() { own.or(beside)? } else { beside.unwrap_or(0) };
                let row = Row { t, line: line.to_vec(), head: Head::from_bytes((*hash).try_into().ok()?) };
                let places = [(*id, *seq), (key / PER_MATCH, key % PER_MATCH)];
                let [place, other] = places;
                if place == other && is_place(place) {
                    add(self.entries.entry(place).or_default(), row);
                } else {
                    add(&mut self.strays, (places, row));
                }
            }
            [Field::Null, Field::Bytes(uid), Field::Bytes(header), _, Field::Bytes(hash)]
                if (1..=LAST_MATCH).contains(&key) =>
            {
                let (text, uid) = (header.to_vec(), String::from_utf8_lossy(uid).into_owned());
                let row = HeaderRow { text, head: Head::from_bytes((*hash).try_into().ok()?), uid };
                add(self.headers.entry(key).or_default(), row);
            }
            [Field::Null, Field::Whole(t)] if (1..=LAST_MATCH).contains(&key) => {
                let here = self.moments.entry(key).or_default();
                *here = u64::try_from(*t).ok()?.max(*here);
            }
            _ => {}
        }
        Some(())
    }

    /// Adds the rows whose place is in doubt where a row is missing, or else where one version more may fit.
    fn place_strays(&mut self) {
        let mut ends: BTreeMap<i64, i64> = BTreeMap::new();
        for (id, seq) in self.entries.keys() {
            ends.insert(*id, *seq);
        }
        for (places, row) in std::mem::take(&mut self.strays) {
            let doubt = |place: &(i64, i64)| {
                let beyond = ends.get(&place.0).is_none_or(|end| place.1 > end + 1);
                (self.entries.contains_key(place), beyond)
            };
            let best = places.into_iter().filter(|place| is_place(*place)).min_by_key(doubt);
            if let Some(place) = best {
                add(self.entries.entry(place).or_default(), row);
            }
        }
    }

    fn sorted(mut self) -> Salvaged {
        self.place_strays();
        let mut all: BTreeMap<i64, SalvagedMatch> = BTreeMap::new();
        let mut last: BTreeMap<i64, (u64, Head)> = BTreeMap::new();
        for (id, versions) in std::mem::take(&mut self.headers) {
            let intact = versions
                .iter()
                .find(|row| whole_line(&row.text).is_some_and(|text| is_header(&text, row.head)));
            let Some(HeaderRow { text, head, uid }) = intact.or_else(|| versions.first()) else { continue };
            last.insert(id, (0, *head));
            let (header, uid) = (whole_header(text, *head), Some(uid.clone()));
            all.insert(id, SalvagedMatch { header, uid, ..SalvagedMatch::without_header(id) });
        }
        let mut work = MOST_REPAIRS;
        for ((id, seq), versions) in &self.entries {
            let (id, next) = (*id, self.entries.get(&(*id, seq + 1)));
            let seq = seq.unsigned_abs();
            let before = last.get(&id).copied();
            // After a missing line no hash can be checked.
            let known = before.filter(|(place, _)| place + 1 == seq).map(|(_, head)| head);
            let fits = |row: &&Row| known.is_some_and(|head| row.follows(head));
            let fitting: Vec<&Row> = versions.iter().filter(fits).collect();
            // Of several that fit, one that goes on is of the longer chain.
            let goes_on =
                |row: &&&Row| next.is_some_and(|next| next.iter().any(|after| after.follows(row.head)));
            let intact = fitting.iter().find(goes_on).or(fitting.first()).copied();
            let mut put_right = || versions.iter().find_map(|row| row.put_right(known?, &mut work));
            let repaired = if intact.is_none() { put_right() } else { None };
            let contested = fitting.len() > 1 || repaired.as_ref().is_some_and(|(_, several)| *several);
            let intact = intact.or(repaired.as_ref().map(|(row, _)| row));
            let first_whole = || versions.iter().find(|row| whole_line(&row.line).is_some());
            let Some(row) = intact.or_else(first_whole) else { continue };
            let Some(line) = whole_line(&row.line) else { continue };
            let fits = intact.is_some();
            last.insert(id, (seq, row.head));
            let one = all.entry(id).or_insert_with(|| SalvagedMatch::without_header(id));
            one.lost += seq - 1 - before.map_or(0, |(place, _)| place);
            one.lines.push(SalvagedLine { seq, t: row.t, line, fits, contested });
        }
        for (id, moment) in self.moments {
            if let Some(one) = all.get_mut(&id) {
                one.moment = Some(moment);
            }
        }
        let matches: Vec<SalvagedMatch> = all.into_values().collect();
        Salvaged { lost: matches.iter().map(|one| one.lost).sum(), matches, cut_pages: 0 }
    }
}

/// A header as it was written. If its hash does not fit, one byte may have changed: the byte that fits puts it right.
/// `None` if it is damaged more.
fn whole_header(bytes: &[u8], head: Head) -> Option<String> {
    let fits = |text: &str| is_header(text, head);
    let as_it_is = whole_line(bytes);
    if as_it_is.as_deref().is_some_and(fits) {
        return as_it_is;
    }
    put_right(bytes, fits).map(|(text, _)| text).or(as_it_is)
}

/// The text that fits after one changed byte, and whether other bytes at that place fit as well. `None` if no single byte
/// puts it right, or if the text is too long to try.
fn put_right(bytes: &[u8], fits: impl Fn(&str) -> bool) -> Option<(String, bool)> {
    if bytes.len() > LONGEST_REPAIRED {
        return None;
    }
    let with = |at: usize, byte: u8| {
        let mut tried = bytes.to_vec();
        *tried.get_mut(at)? = byte;
        String::from_utf8(tried).ok().filter(|text| fits(text))
    };
    // JSON without white space has no byte below the space.
    let others = |written: u8| (b' '..=u8::MAX).filter(move |byte| *byte != written);
    let flipped = |written: u8, byte: u8| (written ^ byte).is_power_of_two();
    let places = || bytes.iter().copied().enumerate();
    let found_among = |flips: bool| {
        places().find_map(|(at, written)| {
            let bytes = others(written).filter(|byte| flipped(written, *byte) == flips);
            Some((at, bytes.into_iter().find_map(|byte| with(at, byte))?))
        })
    };
    // A flipped bit is the usual damage, and found soon.
    let (at, text) = found_among(true).or_else(|| found_among(false))?;
    let fitting = (0..=u8::MAX).filter_map(|byte| with(at, byte)).take(2).count();
    Some((text, fitting > 1))
}

/// Whether a line can have this match and this place.
fn is_place((id, seq): (i64, i64)) -> bool {
    (1..=LAST_MATCH).contains(&id) && (1..PER_MATCH).contains(&seq)
}

/// Whether this is the header with this hash.
fn is_header(text: &str, head: Head) -> bool {
    json::parse(text).is_ok_and(|line| Head::of_header(&line) == head)
}

fn whole_line(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    json::parse(text).is_ok_and(|line| line.is_object()).then(|| text.to_owned())
}

/// The bytes of a row, with the overflow pages of a long row.
fn payload(pages: &Pages<'_>, length: usize, cell: &[u8]) -> Option<Vec<u8>> {
    if length > LONGEST_ROW {
        return None;
    }
    let most = pages.size - 35;
    if length <= most {
        return cell.get(..length).map(<[u8]>::to_vec);
    }
    let least = (pages.size - 12) * 32 / 255 - 23;
    pages.budget.set(pages.budget.get().checked_sub(length)?);
    let fitting = least + (length - least) % (pages.size - 4);
    let here = if fitting <= most { fitting } else { least };
    let mut bytes = cell.get(..here)?.to_vec();
    let mut next = number(cell, here, 4)?;
    while bytes.len() < length {
        let page = pages.get(next)?;
        let body = page.get(4..)?;
        bytes.extend_from_slice(body.get(..body.len().min(length - bytes.len()))?);
        next = number(page, 0, 4)?;
    }
    Some(bytes)
}

enum Field<'a> {
    Null,
    Whole(i64),
    /// A text or a blob: one flipped bit makes one of the other.
    Bytes(&'a [u8]),
}

/// Splits a row into its fields; `None` if the row is damaged or has a field of a type that the journal never writes.
fn record(payload: &[u8]) -> Option<Vec<Field<'_>>> {
    let (length, _) = varint(payload)?;
    let (head, mut body) = payload.split_at_checked(usize::try_from(length).ok()?)?;
    let (_, mut kinds) = varint(head)?;
    let mut fields = Vec::new();
    while !kinds.is_empty() {
        let (kind, rest) = varint(kinds)?;
        kinds = rest;
        let size = match kind {
            0 | 8 | 9 => 0,
            1..=4 => usize::try_from(kind).ok()?,
            5 => 6,
            6 => 8,
            12.. => usize::try_from((kind - 12) / 2).ok()?,
            _ => return None,
        };
        let (bytes, rest) = body.split_at_checked(size)?;
        body = rest;
        fields.push(match kind {
            0 => Field::Null,
            8 | 9 => Field::Whole(kind - 8),
            1..=6 => Field::Whole(signed(bytes)),
            _ => Field::Bytes(bytes),
        });
    }
    Some(fields)
}

/// A big-endian number in two's complement.
fn signed(bytes: &[u8]) -> i64 {
    let sign = if bytes.first().is_some_and(|byte| byte & 0x80 != 0) { -1 } else { 0 };
    bytes.iter().fold(sign, |number, byte| number << 8 | i64::from(*byte))
}

/// A big-endian number of `size` bytes, without a sign.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let digits = bytes.get(at..at.checked_add(size)?)?;
    Some(digits.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

/// Reads SQLite's variable-length number of one to nine bytes. Returns the number and the bytes after it.
fn varint(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let mut number = 0_i64;
    for (nth, byte) in bytes.iter().enumerate().take(9) {
        if nth == 8 {
            return Some((number << 8 | i64::from(*byte), bytes.get(9..)?));
        }
        number = number << 7 | i64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((number, bytes.get(nth + 1..)?));
        }
    }
    None
}
