//! Looking back: shows the state of a match after any line of its record. The match is the one being played or one
//! from a file. The file may be any record that people name, a journal or JSON Lines.

use std::path::Path;
use std::sync::Arc;

use tabiya_store::disk::read_bounded;

use tabiya_engine::record::proof::{HeadSignature, Proof, signed_from};
use tabiya_engine::record::{Header, Line, Past, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_text::Words;
use tabiya_types::{Sentence, harmless};

use super::export::Format;
use crate::session::Session;
use crate::snapshot::{PastView, RecordView};
use tabiya_store::evening::{ReadMatch, StoredMatch, read_match};
use tabiya_store::journal::{FileKind, Journal, sniff};
use tabiya_store::keys::Keyring;

/// The length of the longest text that is read as a record, in bytes. A usual evening has a few hundred thousand.
const LONGEST: u64 = 1 << 25;

/// A match that is viewed from a file, not played.
#[derive(Debug)]
pub(super) struct ViewedMatch {
    replay: Replay,
    lines: Vec<Line>,
    past: Past,
    /// The hash of the last line of the match's record; `None` for JSON Lines, which need not have hashes.
    head: Option<String>,
    /// The table's signature of that hash, if there is one beside the record.
    signed: Option<HeadSignature>,
    /// What the sheet tells besides.
    told: Vec<Sentence>,
}

impl ViewedMatch {
    /// The replay of its record.
    pub(super) fn replay(&self) -> &Replay {
        &self.replay
    }

    /// The lines of its record.
    pub(super) fn lines(&self) -> &[Line] {
        &self.lines
    }

    fn proof(&self) -> Proof<'_> {
        Proof {
            head: self.head.as_deref(),
            signed: self.signed.as_ref(),
            from: signed_from(self.lines.iter()),
            told: &self.told,
        }
    }
}

/// What is shown instead of the present of the match that is played.
///
/// A match from a file is always shown at a moment of its past, so `past` is there with it.
#[derive(Debug, Default)]
pub(super) struct Viewing {
    past: Option<Arc<PastView>>,
    /// The match that somebody is viewing from a file, if any.
    shelf: Option<ViewedMatch>,
}

impl Viewing {
    /// Shows the present again.
    pub(super) fn stop(&mut self) {
        (self.shelf, self.past) = (None, None);
    }

    /// The state that is shown; `None` for the present.
    pub(super) fn past(&self) -> Option<Arc<PastView>> {
        self.past.clone()
    }

    /// The match that somebody is viewing from a file, if any.
    pub(super) fn shelf(&self) -> Option<&ViewedMatch> {
        self.shelf.as_ref()
    }

    /// Shows the state of the match after this many lines of its record. `None` returns to the present, or to the end
    /// of a match that is viewed from a file. `session`: the match being played.
    pub(super) fn look_back(&mut self, line: Option<usize>, session: Option<&Session>) {
        let (past, replay, lines, line) = match (&self.shelf, session) {
            (Some(taken), _) => {
                (&taken.past, &taken.replay, &taken.lines[..], Some(line.unwrap_or(taken.lines.len())))
            }
            (None, Some(session)) => (session.past(), session.replay(), session.lines(), line),
            (None, None) => return self.past = None,
        };
        let past = line.and_then(|line| {
            let (table, at) = past.after(lines, line)?;
            Some(PastView::of(&table, replay.header(), (line, at)))
        });
        self.past = past.map(Arc::new);
    }

    /// Opens a match from a file for viewing. `Err` is a sentence that says why the match cannot be read.
    pub(super) fn look_at(&mut self, path: &Path, id: i64, keys: &Keyring) -> Result<(), String> {
        let ReadMatch { kept, head, signed, told } = read_match(path, id, keys)?;
        let StoredMatch { header, lines, closed: _ } = kept;
        self.view(header, lines, (Some(head), signed, told))
    }

    /// Opens the last match of the record file at this full path for viewing. `Err` is a sentence that says why it cannot be read.
    pub(super) fn open_record(&mut self, path: &Path, keys: &Keyring) -> Result<(), String> {
        let name = tabiya_types::shown(path);
        match kind(path).map_err(|why| format!("{name}: {why}"))? {
            FileKind::Journal => {
                let last = last_match(path).map_err(|why| format!("{name}: {why}"))?;
                self.look_at(path, last, keys).map_err(|why| format!("{name}: {why}"))
            }
            FileKind::Lines => {
                let read = read_lines(path)
                    .and_then(|(header, lines)| self.view(header, lines, (None, None, Vec::new())));
                read.map_err(|why| {
                    format!("{name}: this is no record that can be shown ({}); choose a file of the kind .tabiya or .jsonl", harmless(&why))
                })
            }
        }
    }

    /// Shows the end of this match.
    fn view(
        &mut self,
        header: Header,
        lines: Vec<Line>,
        (head, signed, told): (Option<String>, Option<HeadSignature>, Vec<Sentence>),
    ) -> Result<(), String> {
        let mut replay = Replay::new(header);
        let mut past = Past::new(replay.table());
        for (line, number) in lines.iter().zip(2..) {
            let taken = replay.take_before(number, line, &mut past);
            taken.map_err(|stop| format!("line {number}: {stop}"))?;
        }
        self.shelf = Some(ViewedMatch { replay, lines, past, head, signed, told });
        self.look_back(None, None);
        Ok(())
    }

    // ---- the match on the screen: the one from a file, or else the one that is played ----

    /// The match on the screen as text in this format. `Err` is a sentence that says that there is none.
    pub(super) fn exported(
        &self,
        format: Format,
        session: Option<&mut Session>,
        words: &Words,
    ) -> Result<String, String> {
        Ok(match (&self.shelf, session) {
            (Some(taken), _) => format.text(&taken.replay, &taken.lines, taken.proof(), words),
            (None, Some(session)) => {
                session.signed(|session, proof| format.text(session.replay(), session.lines(), proof, words))
            }
            (None, None) => return Err("there is no match to export".to_owned()),
        })
    }

    /// The past of the match on the screen, if there is one.
    pub(super) fn past_of<'a>(&'a self, session: Option<&'a Session>) -> Option<&'a Past> {
        self.shelf.as_ref().map(|taken| &taken.past).or(session.map(Session::past))
    }

    /// The record of the match on the screen, if there is one.
    pub(super) fn record_of(&self, session: Option<&Session>) -> Option<RecordView> {
        match (&self.shelf, session) {
            (Some(taken), _) => Some(RecordView::of(taken.replay.header(), taken.replay.table())),
            (None, Some(session)) => Some(RecordView::of(session.replay().header(), session.table())),
            (None, None) => None,
        }
    }
}

/// What kind of record a file may be. `Err` for what cannot be read as a file.
fn kind(path: &Path) -> Result<FileKind, String> {
    let file = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "you may not read this file".to_owned(),
        _ => error.to_string(),
    })?;
    if !file.is_file() {
        return Err("this is not a file; choose a file of the kind .tabiya or .jsonl".to_owned());
    }
    sniff(path).map_err(|error| error.to_string())
}

/// The number of a journal's last match.
fn last_match(path: &Path) -> Result<i64, String> {
    let matches = Journal::open_read(path).and_then(|journal| journal.matches());
    let last = matches.map_err(|error| error.to_string())?.pop();
    last.map(|info| info.id.number()).ok_or_else(|| "the record has no match".to_owned())
}

/// The header and the lines of a record in JSON Lines.
fn read_lines(path: &Path) -> Result<(Header, Vec<Line>), String> {
    let bytes = read_bounded(path, LONGEST).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not text".to_owned())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut numbered = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let (first, _) = numbered.next().ok_or("it is empty")?;
    let header = Header::parse(first, GAMES).map_err(|error| format!("line 1: {error}"))?;
    let lines: Result<Vec<Line>, String> = numbered
        .map(|(line, number)| Line::parse(line, &header).map_err(|error| format!("line {number}: {error}")))
        .collect();
    Ok((header, lines?))
}
