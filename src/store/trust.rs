//! Whether a record that is carried on is the one that the table wrote. Its signed heads and the note in this computer's
//! store of keys say so. What contradicts them, or lacks them, is told, and nothing of it is signed until the arbiter rules:
//! otherwise an honest table would put its signature under what somebody else has written.
//!
//! Source: `docs/record-chain.md`, "What the table remembers".
#![warn(clippy::indexing_slicing)]

use std::path::{Path, PathBuf};

use tabiya_engine::record::json;
use tabiya_engine::record::proof::SIGNED_FROM;
use tabiya_engine::record::{Header, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_types::{Instant, Millis, Sentence, say};

use super::evening::{last_moment, signed_until};
use super::heads::{Compared, Contradiction, Heads};
use super::journal::vault::{KeyError, KeyStore as _};
use super::journal::{self, Journal, JournalEntry, JournalError, JournalReader, MatchInfo};
use super::keys::Keyring;
use super::notes::{MatchName, Seen};
use super::signing::PublicKey;
use super::verbs::{GOES_ON, decides};

/// By how much the saved moment may be later than the noted one, in ms: two heartbeats, and the time of writing.
const BEATS: u64 = 2_500;
/// From here on a moment is not believed, in ms: the pace of signatures, and two heartbeats.
const FAR: u64 = 62_000;
/// The most lines beyond the note that are looked at.
const MOST_AHEAD: u32 = 10_000;

/// Why a record is perhaps not the one that the table wrote. The sentences follow "the record".
#[derive(Clone, Debug, thiserror::Error)]
pub enum Doubt {
    /// Its signed heads contradict it.
    #[error("{0}")]
    Heads(Contradiction),
    /// Nothing beside it is signed by this computer's table.
    #[error("has no signed heads of this table beside it")]
    NoHeads,
    /// It lacks lines that this table has written.
    #[error("lacks line {line}, which this table wrote in {}: it was cut, or the -wal file beside it was lost", tabiya_types::shown(.record))]
    Behind {
        /// The number of the first missing line; the header is line 1.
        line: u64,
        /// The file in which it was written.
        record: PathBuf,
    },
    /// It has another line than the one that this table has written.
    #[error("was changed: its line {line} is not the one that this table wrote, or a line before it")]
    Other {
        /// The number of the line; the header is line 1.
        line: u64,
    },
    /// It has a line that opens cards or rules, which this table has not written.
    #[error("has a line {line} that this table has not written")]
    Foreign {
        /// The number of the line; the header is line 1.
        line: u64,
    },
    /// Its saved moment is not the one that this table has saved.
    #[error("has a saved moment that was changed: it is {there}, and this table saved {noted}")]
    Moment {
        /// The moment in the file.
        there: Millis,
        /// The moment in the note.
        noted: Millis,
    },
    /// The note in the store of keys cannot be read.
    #[error("cannot be compared with what this table remembers of it: {0}")]
    Store(KeyError),
}

/// Where a match is carried on.
#[derive(Debug)]
pub struct ResumePoint {
    /// The moment at which the match stopped, as far as signatures and notes allow it.
    pub stopped: Instant,
    /// Why the record is perhaps not the one that the table wrote. The match can be carried on all the same.
    pub doubt: Option<Doubt>,
    /// That somebody saw sealed cards and put the record back: the arbiter should know, and the match sheet says it.
    pub opened: Vec<Sentence>,
    /// What the arbiter should know besides.
    pub remarks: Vec<Sentence>,
    /// The file in which this match goes on, if it does.
    pub goes_on: Option<PathBuf>,
}

/// Finds out where a match is carried on, and whether its signed heads and its note agree with it.
pub fn resume_point(
    journal: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<ResumePoint, JournalError> {
    let record = journal.compared(info)?;
    let of = info.name();
    // Anybody can sign with a key of his own; only this table's signatures say when it stopped.
    let own = keys.own_key();
    let heads = Heads::beside(journal.path()).unwrap_or_default();
    let heads = heads.since(&record, own, vouched_from(journal, info, &heads, &record, own)?);
    let (seen, unread) = match keys.seen(&of) {
        Ok(seen) => (seen.filter(|seen| seen.is_own), None),
        Err(error) => (None, Some(Doubt::Store(error))),
    };
    let opened = openings_missing(keys, journal.path(), &of, &record);
    let mut remarks: Vec<Sentence> = openings_damaged(keys, &of).into_iter().collect();
    let noted = match &seen {
        Some(seen) => {
            let signed = own.and_then(|own| heads.signed_until(&record, own)).unwrap_or(0);
            against_note(journal, info, &record, (seen, signed), &mut remarks)?
        }
        None => None,
    };
    let doubt = against_heads(&heads, &record, own, seen.is_some() && noted.is_none());
    let (stopped, moment) = stopped_at(info, &heads, &record, own, seen.as_ref(), &mut remarks);
    Ok(ResumePoint {
        stopped,
        doubt: noted.or(unread).or(doubt).or(moment),
        opened,
        remarks,
        goes_on: goes_on(journal, info, seen.as_ref())?,
    })
}

/// Whether this table wrote the match to its last line as it stands in this file: its own note says so, and nothing else
/// contradicts it. Then it may be signed without a question.
pub fn is_proved(journal: &JournalReader, info: &MatchInfo, keys: &Keyring) -> Result<bool, JournalError> {
    let noted = keys.noted(&info.name()).filter(|seen| seen.is_own && seen.is_in(journal.path()));
    let ends = |seen: Seen| seen.progress.head == info.head || seen.progress.next == Some(info.head);
    if !noted.is_some_and(ends) {
        return Ok(false);
    }
    let found = resume_point(journal, info, keys)?;
    Ok(found.doubt.is_none() && found.opened.is_empty() && found.remarks.is_empty())
}

/// The place of the last ruling by which an arbiter vouched for this record, from 1, if the table has signed it; otherwise 0.
fn vouched_from(
    journal: &JournalReader,
    info: &MatchInfo,
    heads: &Heads,
    record: &Compared,
    own: Option<PublicKey>,
) -> Result<u64, JournalError> {
    let signed = own.and_then(|own| heads.signed_until(record, own)).unwrap_or(0);
    let rulings = journal.places_of(info.id, SIGNED_FROM)?;
    Ok(rulings.into_iter().filter(|seq| *seq <= signed).max().unwrap_or(0))
}

/// What contradicts the record among the heads beside it. `fits_note` says that the record continues what this computer's
/// store has noted: then another table's signatures are enough, for this table may have got a new key.
fn against_heads(heads: &Heads, record: &Compared, own: Option<PublicKey>, fits_note: bool) -> Option<Doubt> {
    // A kill just after the header was written and noted leaves nothing that could have been forged.
    let is_bare = fits_note && record.heads.len() == 1;
    let own = own.map_or(Err(None), |own| heads.check(record, Some(own)).map_err(Some));
    match own {
        // Without a key of its own this table has signed nothing.
        Err(None | Some(Contradiction::Unsigned { .. })) => match heads.check(record, None) {
            Err(why) => Some(Doubt::Heads(why)),
            Ok(others) => (others.is_empty() && !is_bare || !fits_note).then_some(Doubt::NoHeads),
        },
        Err(Some(why)) => Some(Doubt::Heads(why)),
        Ok(signed) => (signed.is_empty() && !is_bare).then_some(Doubt::NoHeads),
    }
}

/// What contradicts the record in the note of this computer's store.
fn against_note(
    journal: &JournalReader,
    info: &MatchInfo,
    record: &Compared,
    (seen, signed): (&Seen, u64),
    remarks: &mut Vec<Sentence>,
) -> Result<Option<Doubt>, JournalError> {
    let seq = seen.progress.seq;
    let there = record.head_after(seq);
    if there.is_none() {
        return Ok(Some(Doubt::Behind { line: info.entries + 2, record: seen.record.clone() }));
    }
    if there != Some(&seen.progress.head) {
        return Ok(Some(Doubt::Other { line: seq + 1 }));
    }
    // What this table has signed it has written, even if a power cut took the note.
    let after_note = journal.entries_after(info.id, seq, MOST_AHEAD)?;
    let begun = after_note.iter().find(|entry| Some(entry.head) == seen.progress.next);
    let known = seq.max(signed).max(begun.map_or(0, |entry| entry.seq));
    let ahead = journal.entries_after(info.id, known, MOST_AHEAD)?;
    // A note of an older version has no moment.
    let latest = Some(seen.progress.t).filter(|t| *t > 0).map(|t| t.saturating_add(FAR));
    let is_late = |entry: &JournalEntry| latest.is_some_and(|latest| entry.t > latest);
    let too_many = (ahead.len() as u64 == u64::from(MOST_AHEAD)).then_some(known + 1);
    let foreign = ahead.iter().find(|entry| decides(&entry.line) || is_late(entry)).map(|entry| entry.seq);
    let ended = if ahead.is_empty() { None } else { ends_a_game(journal, info, known)? };
    if let Some(seq) = foreign.into_iter().chain(too_many).chain(ended).min() {
        return Ok(Some(Doubt::Foreign { line: seq + 1 }));
    }
    if !ahead.is_empty() {
        remarks.push(say!(
            "record-ahead",
            "this table has no note of the record's lines from {line} on: they were written just before a power cut, or by another program",
            line = known + 2
        ));
    }
    Ok(None)
}

/// The first line after `known` that ends a game, such as a mating move, which no word in it says.
fn ends_a_game(journal: &JournalReader, info: &MatchInfo, known: u64) -> Result<Option<u64>, JournalError> {
    let Ok(header) = Header::parse(&info.header, GAMES) else { return Ok(None) };
    let (mut replay, mut number, mut ended) = (Replay::new(header), 1, None);
    let fed: Result<(), ()> = journal.each_entry(info.id, |entry| {
        number += 1;
        let was_over = replay.table().game().outcome().is_some();
        replay.feed(number, &entry.line).map_err(|_| ())?;
        if entry.seq > known && !was_over && replay.table().game().outcome().is_some() {
            ended.get_or_insert(entry.seq);
        }
        Ok(())
    })?;
    // What cannot be replayed is told by whoever replays it.
    Ok(ended.filter(|_| fed == Ok(())))
}

/// The moment at which the match stopped, and what contradicts the saved one.
fn stopped_at(
    info: &MatchInfo,
    heads: &Heads,
    record: &Compared,
    own: Option<PublicKey>,
    seen: Option<&Seen>,
    remarks: &mut Vec<Sentence>,
) -> (Instant, Option<Doubt>) {
    let saved = last_moment(info);
    let signed = own.and_then(|own| heads.moment_check(record, Some(own)).err());
    if let Some(why @ Contradiction::Moment { signed, .. }) = signed {
        return (Instant::from_millis(info.last_t.max(signed)), Some(Doubt::Heads(why)));
    }
    let late = |from: u64| saved.millis().saturating_sub(from.max(info.last_t));
    // A note of an older version has no moment.
    match seen.map(|seen| seen.progress.t).filter(|noted| *noted > 0) {
        Some(noted) if saved.millis() < noted || late(noted) > FAR => {
            let doubt = Doubt::Moment { there: Millis(saved.millis()), noted: Millis(noted) };
            (Instant::from_millis(info.last_t.max(noted)), Some(doubt))
        }
        Some(noted) => {
            if late(noted) > BEATS {
                remarks.push(say!(
                    "moment-late",
                    "the saved moment is {span} later than the one that this table noted: after a power cut it may be right, but check the clocks",
                    span = Millis(late(noted)).to_string()
                ));
            }
            (saved, None)
        }
        None => {
            if late(0) > FAR && heads.signed_moment(record).is_none() {
                remarks.push(say!(
                    "moment-far",
                    "the saved moment is {span} later than the record's last line, and nothing signed says so: check the clocks",
                    span = Millis(late(0)).to_string()
                ));
            }
            (saved, None)
        }
    }
}

/// Checks that a record without a match has not lost it with the log beside it: its signed heads, or this computer's notes,
/// know a match in it then. What else is wrong with the file is told when it is opened.
pub fn must_have_its_log(path: &Path, keys: &Keyring) -> Result<(), JournalError> {
    let Some(alone) = journal::without_log(path) else { return Ok(()) };
    let is_empty =
        Journal::open_read(path).and_then(|reader| reader.matches()).is_ok_and(|all| all.is_empty());
    let is_known = || Heads::beside(path).is_ok_and(|heads| heads.know_a_match()) || keys.has_note_in(path);
    if is_empty && is_known() { Err(alone) } else { Ok(()) }
}

/// Says that signed heads beside the record are of a match that is not in it, while it has others of theirs.
pub fn match_removed(journal: &JournalReader) -> Option<Sentence> {
    let names = journal.matches().ok()?.into_iter().map(|info| info.uid).collect();
    let why = Heads::beside(journal.path()).ok()?.removed(&names, None).err()?;
    Some(say!("match-removed", "the record {why}", why = why.to_string()))
}

/// What this computer's note of a match has against the record, if this is the file that the note names.
pub fn noted_doubt(
    journal: &JournalReader,
    info: &MatchInfo,
    keys: &Keyring,
) -> Result<Option<Doubt>, JournalError> {
    let of = info.name();
    let seen = match keys.seen(&of) {
        Ok(seen) => seen.filter(|seen| seen.is_own && seen.is_in(journal.path())),
        // It may be the note of this very file.
        Err(error) => return Ok(Some(Doubt::Store(error))),
    };
    let Some(seen) = seen else { return Ok(None) };
    let signed = signed_until(journal, info, keys)?.unwrap_or(0);
    against_note(journal, info, &journal.compared(info)?, (&seen, signed), &mut Vec::new())
}

/// The file in which this match goes on: its last line says so, or this computer's store has noted later lines there.
pub fn goes_on(
    journal: &JournalReader,
    info: &MatchInfo,
    seen: Option<&Seen>,
) -> Result<Option<PathBuf>, JournalError> {
    let last = match info.entries.checked_sub(1) {
        Some(before) => journal.entries_after(info.id, before, 1)?.pop(),
        None => None,
    };
    let named = last.and_then(|last| {
        let line = json::may_have(&last.line, GOES_ON).then(|| json::parse(&last.line).ok()).flatten()?;
        let name = line.get(GOES_ON)?.as_str()?.to_owned();
        // A name beside the record; what is a path is not this program's.
        (Path::new(&name).file_name()?.to_str() == Some(&name)).then(|| journal.path().with_file_name(name))
    });
    let noted = seen.filter(|seen| {
        seen.progress.seq > info.entries && !seen.is_in(journal.path()) && seen.record.exists()
    });
    Ok(named.or_else(|| noted.map(|seen| seen.record.clone())))
}

/// Says of each time at which sealed cards of this match were shown, that the record has not what opened them: it was put
/// back afterwards.
/// Only the match's own record is told so: a copy that was made before has not what came later.
pub fn openings_missing(keys: &Keyring, path: &Path, of: &MatchName, record: &Compared) -> Vec<Sentence> {
    let is_own = keys.noted(of).is_some_and(|seen| seen.is_in(path));
    if !is_own {
        return Vec::new();
    }
    let has = |seq: u64, head: &str| record.head_after(seq).is_some_and(|there| there.to_string() == head);
    let openings = keys.openings_of(of).into_iter().filter(|opening| !has(opening.seq, &opening.head));
    openings
        .map(|opening| {
            say!(
                "opened-elsewhere",
                "sealed cards of this match were shown on {at} ({why}), and the record lacks the line {line} that allowed it: it was put back afterwards",
                at = opening.at,
                why = opening.why,
                line = opening.seq + 1
            )
        })
        .collect()
}

/// Says that not all of the list of openings can be read, if this store has a key to cards of this match.
pub fn openings_damaged(keys: &Keyring, of: &MatchName) -> Option<Sentence> {
    keys.damaged_openings(of).map(|list| {
        say!(
            "openings-damaged",
            "{file}, the list of the times at which sealed cards were shown, cannot be read as a whole: it was damaged, or a power cut has torn its last line; cards may have been shown at a time that it does not say",
            file = tabiya_types::shown(&list)
        )
    })
}
