//! Damaged copies of a record: `tabiya salvage` finds every line that a plain reader of the file's pages finds, and
//! `tabiya verify` notices every change.
//!
//! The plain reader knows nothing of Tabiya: it takes each page for a leaf of a table and prints the rows that it can
//! decode. Source: sqlite.org, `fileformat2.html`, sections 1.6 and 2.1.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;
use tabiya_store::heads::Signer;
use tabiya_store::journal::{self, Journal, NewEntry, Store as _};
use tabiya_store::keys::Keyring;

use crate::child::{config, name, printed, simulated, tabiya, text};
use crate::tries::{report, seed, tries};

/// The seed of the damage.
pub(crate) const SEED: u64 = 0x5a1_7a6e;
/// The number of damaged copies, unless `TABIYA_DAMAGED_COPIES` says another one.
const COPIES: u64 = 1_000;
/// The number of flipped bits, half of them beside the records (`flipped_files.rs`), unless `TABIYA_FLIPS` says another one.
pub(crate) const FLIPS: u64 = 200;
const PAGE: usize = 4096;

/// A field of a row, as far as the journal has such fields.
#[derive(Debug)]
enum Field {
    Null,
    Whole(i64),
    Bytes(Vec<u8>),
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut value = 0_u64;
    for nth in 0..9 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if nth == 8 {
            return Some(value << 8 | u64::from(byte));
        }
        value = value << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// The content of the row that begins at this place of a page, with its overflow pages.
fn content(file: &[u8], page: &[u8], mut at: usize) -> Option<Vec<u8>> {
    let length = usize::try_from(varint(page, &mut at)?).ok().filter(|length| *length <= 1 << 24)?;
    varint(page, &mut at)?;
    let (most, least) = (PAGE - 35, (PAGE - 12) * 32 / 255 - 23);
    if length <= most {
        return Some(page.get(at..at + length)?.to_vec());
    }
    let fitting = least + (length - least) % (PAGE - 4);
    let here = if fitting <= most { fitting } else { least };
    let mut all = page.get(at..at + here)?.to_vec();
    let mut next = number(page.get(at + here..at + here + 4)?);
    while all.len() < length {
        let start = next.checked_sub(1)? * PAGE;
        let page = file.get(start..start + PAGE)?;
        all.extend_from_slice(&page[4..PAGE.min(4 + length - all.len())]);
        next = number(&page[..4]);
    }
    Some(all)
}

fn fields(row: &[u8]) -> Option<Vec<Field>> {
    let mut at = 0;
    let end = usize::try_from(varint(row, &mut at)?).ok()?;
    let (mut body, mut fields) = (end, Vec::new());
    while at < end {
        let kind = usize::try_from(varint(row, &mut at)?).ok()?;
        let size = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind,
            5 => 6,
            6 => 8,
            12.. => (kind - 12) / 2,
            _ => return None,
        };
        let bytes = row.get(body..body.checked_add(size)?)?;
        body += size;
        let negative = bytes.first().is_some_and(|byte| *byte >= 0x80);
        fields.push(match kind {
            0 => Field::Null,
            8 => Field::Whole(0),
            9 => Field::Whole(1),
            1..=6 => {
                Field::Whole(bytes.iter().fold(-i64::from(negative), |n, byte| n << 8 | i64::from(*byte)))
            }
            _ => Field::Bytes(bytes.to_vec()),
        });
    }
    Some(fields)
}

/// The texts of all lines in the file: rows with a match, a place, a moment, a JSON object and a hash of 32 bytes.
fn plain_lines(file: &[u8]) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for (nth, page) in file.chunks(PAGE).enumerate() {
        let head = if nth == 0 { 100 } else { 0 };
        if page.get(head) != Some(&13) {
            continue;
        }
        for cell in 0..page.get(head + 3..head + 5).map_or(0, number) {
            let pointer = head + 8 + 2 * cell;
            let Some(at) = page.get(pointer..pointer + 2).map(number) else { break };
            let row = content(file, page, at).and_then(|row| fields(&row));
            if let Some(
                [
                    Field::Null,
                    Field::Whole(1..),
                    Field::Whole(1..),
                    Field::Whole(0..),
                    Field::Bytes(line),
                    Field::Bytes(hash),
                ],
            ) = row.as_deref()
                && hash.len() == 32
                && let Ok(text) = String::from_utf8(line.clone())
                && serde_json::from_str::<Value>(&text).is_ok_and(|line| line.is_object())
            {
                lines.insert(text);
            }
        }
    }
    lines
}

/// Damages a file as disks and programs do: bits, sectors, pages, the end.
fn damage(bytes: &mut Vec<u8>, random: &mut ChaCha8Rng) {
    let mut below = |limit: usize| usize::try_from(random.next_u64() % limit.max(1) as u64).unwrap();
    match below(6) {
        0 | 1 => {
            for _ in 0..=below(40) {
                let at = below(bytes.len());
                bytes[at] ^= 1 << below(8);
            }
        }
        2 => {
            let (at, length) = (below(bytes.len()), 1 + below(2 * PAGE));
            let end = bytes.len().min(at + length);
            bytes[at..end].fill(0);
        }
        3 => {
            for _ in 0..=below(6) {
                let at = below(bytes.len() / 512) * 512;
                let value = u8::try_from(below(256)).unwrap();
                bytes[at..at + 512].fill(value);
            }
        }
        4 => {
            let (one, other) = (below(bytes.len() / PAGE) * PAGE, below(bytes.len() / PAGE) * PAGE);
            for nth in 0..PAGE {
                bytes.swap(one + nth, other + nth);
            }
        }
        _ => bytes.truncate(PAGE + below(bytes.len() - PAGE)),
    }
}

fn differ_by_one(one: &str, other: &str) -> bool {
    let differences = || one.bytes().zip(other.bytes()).filter(|(one, other)| one != other).count();
    one.len() == other.len() && differences() == 1
}

#[test]
fn salvage_finds_every_line_that_a_plain_reader_finds() {
    let folder = tempfile::tempdir().unwrap();
    let (record, copy) = (folder.path().join("o.tabiya"), folder.path().join("copy.tabiya"));
    simulated(&record, 1, &[]);
    let whole = fs::read(&record).unwrap();
    let all = plain_lines(&whole);
    let lines = printed(&["export", name(&record)], 0).lines().count() - 1;
    assert_eq!(all.len(), lines, "the plain reader finds every line of the whole file");
    let (copies, seed) = (tries("TABIYA_DAMAGED_COPIES", COPIES), seed(SEED));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut found, mut damaged) = (0, 0);
    for nth in 0..copies {
        let mut bytes = whole.clone();
        damage(&mut bytes, &mut random);
        fs::write(&copy, &bytes).unwrap();
        let plain = plain_lines(&bytes);
        let salvaged = journal::salvage(&copy).unwrap_or_default();
        let salvaged: BTreeSet<&str> =
            salvaged.matches.iter().flat_map(|one| &one.lines).map(|line| line.line.as_str()).collect();
        // A line with one changed byte is put right.
        let is_there =
            |line: &str| salvaged.contains(line) || salvaged.iter().any(|one| differ_by_one(one, line));
        let missed: Vec<&String> = plain.iter().filter(|line| !is_there(line)).collect();
        assert!(
            missed.is_empty(),
            "copy {nth} of seed {seed:#x}: {} of {} missed: {missed:?}",
            missed.len(),
            plain.len()
        );
        found += plain.len();
        damaged += usize::from(plain.len() < lines);
    }
    report(&format!(
        "salvage of damaged copies (seed {seed:#x}) | {copies} | {found} lines that a plain reader finds, 0 missed; {damaged} copies had lost lines"
    ));
    assert!(damaged > 0, "no copy was damaged");
}

/// Everything that people read of a record: the lines with their hashes, the saved moments, the signatures.
fn read(record: &Path) -> (String, Vec<(i64, i64)>, String) {
    let lines = text(&tabiya(&["export", name(record)]).stdout);
    let moments = rusqlite::Connection::open(record).and_then(|conn| {
        let mut query = conn.prepare("SELECT \"match\", t FROM moment ORDER BY 1")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    });
    (lines, moments.unwrap_or_default(), text(&fs::read(record.with_extension("heads")).unwrap_or_default()))
}

/// A record with two matches whose dealt cards are sealed, signed, with the key at hand.
pub(crate) fn sealed(record: &Path, keys: &Keyring) {
    let signer = Signer::new(keys.table_key().unwrap());
    let mut journal = Journal::create(record).unwrap().with_keys(keys.clone()).with_signer(signer);
    for match_name in ["one", "two"] {
        let header = format!(
            r#"{{"tabiya":1,"id":"{match_name}","game":"choker","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"stacks":{{"A":100,"B":100}},"small_blind":1}}}}"#
        );
        let id = journal.begin_match(&header).unwrap();
        let deal = r#""do":"deal","cards":{"white":["Q","R"],"black":["B","N"]}"#;
        let game = [
            deal,
            r#""do":"bet","by":"white","action":"call""#,
            r#""do":"bet","by":"black","action":"check""#,
        ];
        let ticks = std::iter::repeat_n(r#""do":"tick""#, 40);
        for (t, line) in (0..).step_by(100).zip(game.into_iter().chain(ticks)) {
            journal.append(id, &[NewEntry { t, line: format!(r#"{{"t":{t},{line}}}"#) }]).unwrap();
        }
        journal.moment(id, 5_000).unwrap();
    }
    journal.close().unwrap();
}

#[test]
fn verify_notices_every_flipped_bit_that_changes_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let (played, cards) = (folder.path().join("o.tabiya"), folder.path().join("s.tabiya"));
    simulated(&played, 1, &[]);
    sealed(&cards, &Keyring::in_folder(&config().join("keys")));
    let (flips, seed) = (tries("TABIYA_FLIPS", FLIPS) / 2, seed(SEED));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let noticed = [&played, &cards].map(|record| noticed_flips(record, flips / 2, &mut random));
    report(&format!(
        "flipped bits of records and their heads, half of them with sealed cards (seed {seed:#x}) | {flips} | {} noticed, 0 unnoticed; the others change nothing that is read",
        noticed.iter().sum::<u64>()
    ));
    assert!(noticed.iter().all(|noticed| *noticed > 0), "verify notices nothing: {noticed:?}");
}

/// Flips bits of a record in its own place, where its sealed cards open. Returns how many `verify` noticed; it notices each
/// that changes what is read.
fn noticed_flips(record: &Path, flips: u64, random: &mut ChaCha8Rng) -> u64 {
    let beside = record.with_extension("heads");
    let (file, heads) = (fs::read(record).unwrap(), fs::read(&beside).unwrap());
    let said = printed(&["verify", name(record)], 0);
    assert!(!said.contains("not checked"), "{said}");
    let before = read(record);
    let mut below = |limit: usize| usize::try_from(random.next_u64() % limit as u64).unwrap();
    let (mut noticed, mut unnoticed) = (0, Vec::new());
    for nth in 0..flips {
        let (mut file, mut heads) = (file.clone(), heads.clone());
        // Every twentieth flip is in the signatures, which are much shorter than the record.
        let bytes = if nth % 20 == 0 { &mut heads } else { &mut file };
        let (at, bit) = (below(bytes.len()), below(8));
        bytes[at] ^= 1 << bit;
        fs::write(record, &file).unwrap();
        fs::write(&beside, &heads).unwrap();
        if !tabiya(&["verify", name(record)]).status.success() {
            noticed += 1;
        } else if read(record) != before {
            unnoticed.push((nth, at, bit));
        }
    }
    assert_eq!(unnoticed, [], "{}: flips that verify did not notice: number, byte, bit", record.display());
    noticed
}
