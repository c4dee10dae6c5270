//! Looking back: shows the state of a match after any line of its record. The match is the one being played or one
//! from a file.

use std::path::Path;
use std::sync::Arc;

use tabiya_engine::record::proof::{HeadSignature, Proof};
use tabiya_engine::record::{Line, Replay};

use super::Desk;
use super::sitting::Sitting;
use crate::past::Past;
use crate::snapshot::PastView;
use crate::store::evening::{StoredMatch, read_match};

/// A match that is viewed from a file, not played.
#[derive(Debug)]
pub(super) struct ViewedMatch {
    pub(super) replay: Replay,
    pub(super) lines: Vec<Line>,
    pub(super) past: Past,
    /// The hash of the last line of the match's record.
    head: String,
    /// The table's signature of that hash, if there is one beside the record.
    signed: Option<HeadSignature>,
}

impl ViewedMatch {
    pub(super) fn proof(&self) -> Proof<'_> {
        Proof { head: Some(&self.head), signed: self.signed.as_ref() }
    }
}

impl Desk {
    /// Shows the state of the match after this many lines of its record. `None` returns to the present, or to the end
    /// of a match that is viewed from a file.
    pub(super) fn look_back(&mut self, line: Option<usize>) {
        let (past, replay, lines, line) = match (&self.shelf, &self.table.sitting) {
            (Some(taken), _) => {
                (&taken.past, &taken.replay, &taken.lines[..], Some(line.unwrap_or(taken.lines.len())))
            }
            (None, Some(Sitting { session, .. })) => {
                (session.past(), session.replay(), session.lines(), line)
            }
            (None, None) => return self.past = None,
        };
        let past = line.and_then(|line| {
            let (table, at) = past.after(lines, line)?;
            Some(PastView::of(&table, replay.header(), (line, at)))
        });
        self.past = past.map(Arc::new);
    }

    /// Opens a match from a file for viewing. `Err` is a sentence that says why the match cannot be read.
    pub(super) fn look_at(&mut self, path: &Path, id: i64) -> Result<(), String> {
        let (StoredMatch { header, lines, closed: _ }, head, signed) = read_match(path, id, &self.keys())?;
        let mut replay = Replay::new(header);
        let mut past = Past::new(replay.table());
        for (line, number) in lines.iter().zip(2..) {
            let taken = replay.take_before(number, line, &mut past);
            taken.map_err(|stop| format!("line {number}: {stop}"))?;
        }
        self.shelf = Some(ViewedMatch { replay, lines, past, head, signed });
        self.look_back(None);
        Ok(())
    }
}
