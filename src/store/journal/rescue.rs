//! Writes what was found in a damaged journal into a new one.

use std::collections::BTreeMap;
use std::path::Path;

use super::error::JournalError;
use super::form::{MatchId, NewEntry, Store as _};
use super::salvage::{SalvagedLine, SalvagedMatch, salvage_all};
use super::{Journal, heads};

/// A saved moment is believed if it is at most so much later than the last line, in ms: a day. The chain does not cover it.
const LONGEST_THOUGHT: u64 = 86_400_000;

/// The result of writing what was salvaged into a new journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rescue {
    /// The matches that were found.
    pub matches: Vec<Rescued>,
    /// How many pages the damaged file should have beyond its end: it was cut.
    pub cut_pages: usize,
}

impl Rescue {
    /// Whether everything was saved without any known loss or change.
    pub fn is_whole(&self) -> bool {
        self.cut_pages == 0 && self.matches.iter().all(Rescued::is_whole)
    }
}

/// The result of writing one salvaged match into a new journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rescued {
    /// The match's number in the damaged file.
    pub id: i64,
    /// Whether the match's header was unreadable. Its lines were then written under an empty header.
    pub header_lost: bool,
    /// How many lines were written into the new journal.
    pub lines: usize,
    /// How many lines are missing before the last line that was found.
    pub lost: usize,
    /// The number of the last line before the first missing line; the header is line 1.
    pub first_gap: Option<u64>,
    /// How many lines were changed. A line counts as changed if no line is missing before it, but its hash does not
    /// fit, or if several versions of it fit.
    pub changed: usize,
    /// How many lines were found, but not written, because the new journal refused them.
    pub left_out: usize,
}

impl Rescued {
    /// Whether the match was saved without any known loss or change.
    pub fn is_whole(&self) -> bool {
        !self.header_lost && self.lost == 0 && self.changed == 0 && self.left_out == 0
    }
}

/// Writes what [`salvage_all`] finds in these copies of a journal into a new journal at `out`; sealed cards stay sealed. A
/// match without losses keeps its head hash.
pub fn rescue(copies: &[impl AsRef<Path>], out: &Path) -> Result<Rescue, JournalError> {
    let found = salvage_all(copies)?;
    let heads = heads::all_of(copies);
    let signed = heads::signed_moments(&heads);
    if !heads.is_empty() {
        let beside = heads::file_of(out);
        heads::may_be_written(&beside).map_err(|error| JournalError::io(&beside, "written", error))?;
    }
    let mut journal = Journal::create(out)?;
    let written = found.matches.iter().map(|one| write(&mut journal, one, &signed));
    let matches = written.collect::<Result<_, _>>()?;
    journal.close()?;
    heads::write_beside(out, &heads).map_err(|error| JournalError::io(out, "written", error))?;
    Ok(Rescue { matches, cut_pages: found.cut_pages })
}

/// The header of a match whose own header is lost. Its lines are kept, but cannot be replayed.
const EMPTY_HEADER: &str = r#"{"tabiya":1,"x-lost":"the header could not be read"}"#;

/// Begins the match, with its header if it was found. With its name it keeps its signatures.
fn begin(journal: &mut Journal, one: &SalvagedMatch) -> Result<MatchId, JournalError> {
    let header = one.header.as_deref().unwrap_or(EMPTY_HEADER);
    match journal.insert_match(header, one.uid.as_deref()) {
        Err(JournalError::Refused { .. }) => journal.begin_match(header),
        begun => begun,
    }
}

fn write(
    journal: &mut Journal,
    one: &SalvagedMatch,
    signed: &BTreeMap<String, u64>,
) -> Result<Rescued, JournalError> {
    let mut rescued = Rescued {
        id: one.id,
        header_lost: one.header.is_none(),
        lines: 0,
        lost: usize::try_from(one.lost).unwrap_or(usize::MAX),
        first_gap: None,
        changed: 0,
        left_out: 0,
    };
    let id = match begin(journal, one) {
        Err(JournalError::Refused { .. }) => {
            rescued.header_lost = true;
            journal.begin_match(EMPTY_HEADER)
        }
        begun => begun,
    }?;
    let mut before = 0;
    for line in &one.lines {
        let follows = line.seq == before + 1;
        if !follows && rescued.first_gap.is_none() {
            rescued.first_gap = Some(before + 1);
        }
        rescued.changed += usize::from(line.contested || follows && !line.fits);
        before = line.seq;
    }
    let entry = |line: &SalvagedLine| NewEntry { t: line.t, line: line.line.clone() };
    let all: Vec<NewEntry> = one.lines.iter().map(entry).collect();
    match journal.append(id, &all) {
        Ok(_) => rescued.lines = all.len(),
        // Because of one bad line the journal refuses the whole batch, so the lines are now added one by one.
        Err(JournalError::Refused { .. }) => {
            for one in &all {
                match journal.append(id, std::slice::from_ref(one)) {
                    Ok(_) => rescued.lines += 1,
                    Err(JournalError::Refused { .. }) => rescued.left_out += 1,
                    Err(error) => return Err(error),
                }
            }
        }
        Err(error) => return Err(error),
    }
    let last = one.lines.last().map_or(0, |line| line.t);
    let found = one.moment.filter(|moment| (last..=last + LONGEST_THOUGHT).contains(moment));
    let signed = one.uid.as_ref().and_then(|uid| signed.get(uid)).copied();
    if let Some(moment) = found.max(signed) {
        journal.moment(id, moment)?;
    }
    Ok(rescued)
}
