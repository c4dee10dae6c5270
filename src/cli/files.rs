//! Reads record files, for commands that only read.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tabiya_app::desk::Format;
use tabiya_boards::report_parts::{PartLines, ReportPart, is_report};
use tabiya_engine::record::proof::HeadSignature;
use tabiya_engine::record::{Header, Infer, Line, MatchLog, Observer, Replay, Stop, json};
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::{LogLine, Table};
use tabiya_store::disk::read_bounded;
use tabiya_store::evening;
use tabiya_store::journal::vault::KeyError;
use tabiya_store::journal::{self, FileKind, Journal, MatchId, MatchInfo};
use tabiya_store::keys::Keyring;
use tabiya_types::{Sentence, harmless};

use super::output::ExitFailure;
use super::progress::Progress;

/// The length of the longest file that is read as text, in bytes. A usual evening has a few hundred thousand bytes.
const LONGEST: u64 = 1 << 30;

/// The length of the longest line that is read, in bytes; a longer one would need many times its length in memory.
const LONGEST_LINE: usize = 1 << 24;

/// The lines of a record. The first line that is not blank is the header.
#[derive(Debug)]
pub(super) struct Lines {
    /// The file's name for messages.
    pub(super) name: String,
    text: Vec<u8>,
    /// The number of lines before the record, if it is the part of a report of a fault.
    before: u32,
    /// Whether the record is the part of a report of a fault.
    pub(super) of_report: bool,
    /// The head hash, that is, the hash after the last line; `None` for JSON Lines, because their lines need not have
    /// hashes.
    pub(super) head: Option<String>,
    /// The newest signature of the last line beside a journal; `None` for JSON Lines.
    pub(super) signed: Option<HeadSignature>,
    /// What the sheet tells besides about sealed cards.
    pub(super) told: Vec<Sentence>,
    /// Why sealed cards of a journal could not be decrypted. `None` if all of them were decrypted. Always `None` for
    /// JSON Lines.
    pub(super) closed: Option<KeyError>,
}

/// A file's name in one line: a name with a line feed must not look like a verdict of its own.
pub(super) fn shown(path: &Path) -> String {
    tabiya_types::shown(path)
}

impl Lines {
    /// Reads a record: JSON Lines, or one match of a journal (by default the last one).
    pub(super) fn read(path: &Path, id: Option<&str>) -> Result<Self, ExitFailure> {
        match check(path)? {
            FileKind::Journal => Self::of_journal(path, id),
            FileKind::Lines => Self::of_text(path, id),
        }
    }

    /// Reads a record, and leaves the sealed cards of a journal sealed. The match's key is not looked for.
    pub(super) fn read_sealed(path: &Path, id: Option<&str>) -> Result<Self, ExitFailure> {
        if check(path)? == FileKind::Lines {
            return Self::of_text(path, id);
        }
        let reader = Journal::open_read(path).map_err(ExitFailure::unusable)?;
        let matches = reader.matches().map_err(ExitFailure::unusable)?;
        let info = choose(path, matches, id)?;
        let lines = reader.lines(info.id).map_err(ExitFailure::unusable)?;
        let mut text = info.header.clone();
        for (_, line) in &lines {
            text.push('\n');
            text.push_str(line);
        }
        Ok(Self::alone(shown(path), text.into_bytes()))
    }

    /// The lines of a whole file, without what a journal tells besides.
    fn alone(name: String, text: Vec<u8>) -> Self {
        Self {
            name,
            text,
            before: 0,
            of_report: false,
            head: None,
            signed: None,
            told: Vec::new(),
            closed: None,
        }
    }

    /// Reads JSON Lines, or the record in a report of a fault.
    pub(super) fn of_text(path: &Path, id: Option<&str>) -> Result<Self, ExitFailure> {
        let name = shown(path);
        if let Some(id) = id {
            let what = format!("{name}: JSON Lines hold one match, so `--match {id}` cannot be used");
            return Err(ExitFailure::unusable(what));
        }
        let text = read_bounded(path, LONGEST).map_err(|error| unreadable(path, &error))?;
        let part = ReportPart::Record.find(&text);
        let Some(PartLines { before, bytes }) = part else {
            return Err(ExitFailure::unusable(format!("{name}: this report has no record of a match")));
        };
        let before = u32::try_from(before).unwrap_or(u32::MAX);
        let of_report = is_report(&text);
        let record = bytes.to_vec();
        Ok(Self { before, of_report, ..Self::alone(name, record) })
    }

    fn of_journal(path: &Path, id: Option<&str>) -> Result<Self, ExitFailure> {
        let name = shown(path);
        let reader = Journal::open_read(path).map_err(ExitFailure::unusable)?;
        let matches = reader.matches().map_err(ExitFailure::unusable)?;
        let info = choose(path, matches, id)?;
        let (lines, closed) =
            evening::opened_lines(&reader, &info, &Keyring::usual()).map_err(ExitFailure::unusable)?;
        let mut text = info.header.clone();
        for line in &lines {
            text.push('\n');
            text.push_str(line);
        }
        let signed = evening::signature(path, &reader, &info);
        let told =
            evening::missing_openings(&reader, &info, &Keyring::usual()).map_err(ExitFailure::unusable)?;
        let head = Some(info.head.to_string());
        Ok(Self { head, signed, told, closed, ..Self::alone(name, text.into_bytes()) })
    }

    /// Returns each line with its number, counted from 1. A line that is not UTF-8 is an error.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u32, Result<&str, ExitFailure>)> {
        let text = self.text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.text);
        text.split(|byte| *byte == b'\n').zip(self.before.saturating_add(1)..).map(|(line, number)| {
            let line = match std::str::from_utf8(line) {
                _ if line.len() > LONGEST_LINE => Err(self.unusable(number, "longer than 16 MiB")),
                text => text.map_err(|_| self.unusable(number, "not UTF-8 text")),
            };
            (number, line.map(|line| line.strip_suffix('\r').unwrap_or(line)))
        })
    }

    /// Parses each line that is not blank as JSON, and returns it with its number.
    pub(super) fn values(&self) -> impl Iterator<Item = Result<(u32, Value), ExitFailure>> {
        let lines =
            self.numbered().filter(|(_, line)| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
        lines.map(|(number, line)| {
            Ok((number, json::parse(line?).map_err(|error| self.unusable(number, error))?))
        })
    }

    /// The rulings among the lines, each with its number. They say what a sheet tells besides.
    pub(super) fn rulings(&self, header: &Header) -> Vec<(u32, Line)> {
        let ruling = |(number, text): (u32, Result<&str, ExitFailure>)| {
            let text = text.ok().filter(|text| json::may_have(text, "rule"))?;
            Some((number, Line::parse(text, header).ok()?))
        };
        self.numbered().filter_map(ruling).collect()
    }

    /// Makes the failure `FILE:LINE: what is wrong`.
    pub(super) fn unusable(&self, number: u32, what: impl std::fmt::Display) -> ExitFailure {
        ExitFailure::unusable(harmless(&format!("{}:{number}: {what}", self.name)))
    }
}

/// Determines the kind of a record's file. `Err` if the file cannot be a record. Devices are refused, since reading a
/// device might never end.
pub(super) fn check(path: &Path) -> Result<FileKind, ExitFailure> {
    let name = tabiya_types::shown(path);
    let file = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if file.is_dir() {
        return Err(ExitFailure::unusable(format!("{name}: this is a folder; name a record file in it")));
    }
    if !file.is_file() {
        return Err(ExitFailure::unusable(format!(
            "{name}: this is no file that can be read; name a record file"
        )));
    }
    if file.len() > LONGEST {
        return Err(ExitFailure::unusable(format!(
            "{name}: this file is too long for a record ({} bytes)",
            file.len()
        )));
    }
    journal::sniff(path).map_err(ExitFailure::unusable)
}

/// Prints a warning to standard error. The command then goes on.
pub(super) fn remark(what: &str) {
    super::output::complain(&harmless(what));
}

/// Checks that writing the file `path` would overwrite neither a record, nor a file of the program, nor one of the files in
/// `used`, which this command uses for something else.
pub(super) fn may_write(path: &Path, used: &[&Path]) -> Result<(), ExitFailure> {
    tabiya_store::files::may_write(path, used).map_err(ExitFailure::unusable)
}

/// Whether a file is somebody's own: it has something in it, and is no earlier export in this format.
pub(super) fn is_somebodys(path: &Path, format: Format) -> bool {
    let has_content = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0);
    has_content && !format.is_of(path)
}

fn unreadable(path: &Path, error: &std::io::Error) -> ExitFailure {
    ExitFailure::unusable(format!("{}: {}", tabiya_types::shown(path), plain(error)))
}

/// The result of replaying a file.
pub(super) struct Replayed {
    pub(super) replay: Replay,
    /// The refused lines, each as a sentence with file and line number.
    pub(super) refused: Vec<String>,
}

/// Replays a record. Stops at the first refused line, unless `keep_going` is set.
pub(super) fn replay(lines: &Lines, keep_going: bool) -> Result<Replayed, ExitFailure> {
    replay_before(lines, keep_going, |_| ()).map(|(replayed, ())| replayed)
}

/// Replays a record as [`replay`] does, and collects the events of its match.
pub(super) fn replay_and_log(
    lines: &Lines,
    keep_going: bool,
) -> Result<(Replayed, Vec<LogLine>), ExitFailure> {
    replay_before(lines, keep_going, MatchLog::new).map(|(replayed, log)| (replayed, log.into_entries()))
}

/// Replays a record before the observer that `observer` makes of the table before the first line.
fn replay_before<O: Observer>(
    lines: &Lines,
    keep_going: bool,
    observer: impl Fn(&Table) -> O,
) -> Result<(Replayed, O), ExitFailure> {
    let mut replay: Option<(Replay, O)> = None;
    let mut refused = Vec::new();
    let mut progress = Progress::new("replaying");
    for (number, line) in lines.numbered() {
        progress.step();
        let line = line?;
        let Some((replay, log)) = &mut replay else {
            if !line.trim().is_empty() {
                let begun = Replay::begin(line, GAMES).map_err(|error| lines.unusable(number, error))?;
                let log = observer(begun.table());
                replay = Some((begun, log));
            }
            continue;
        };
        match replay.feed_before(number, line, log) {
            Ok(()) => {}
            Err(Stop::Unusable(error)) => return Err(lines.unusable(number, error)),
            Err(Stop::Refused(violation)) => {
                let legal = replay.legal_words();
                let what = format!("{}:{number}: {violation} (possible here: {legal})", lines.name);
                refused.push(harmless(&what));
                if !keep_going {
                    break;
                }
            }
        }
    }
    match replay {
        Some((replay, log)) => Ok((Replayed { replay, refused }, log)),
        None => Err(lines.unusable(1, "there is no header: the file is empty")),
    }
}

/// The result of inferring the actions of a record's file.
pub(super) struct InferredFile {
    pub(super) inferred: tabiya_engine::record::infer::Inferred,
    pub(super) header: String,
    /// The first refused line, as a sentence with file and line number.
    pub(super) refused: Option<String>,
}

/// Whether a line of a record says again what the table understood from the board: an action on the board, or a press that was
/// written late. A press that people made stands in the record when it was made, at the latest as `button`.
fn is_repeated(line: &str) -> bool {
    let Ok(line) = json::parse(line) else { return false };
    match line.get("do").and_then(Value::as_str) {
        Some("place" | "move" | "remove") => true,
        Some("press") => line.get("when").is_some(),
        _ => false,
    }
}

/// Feeds a record to a live table, which infers the actions and, if wanted, explains them. Stops at the first refused
/// line.
pub(super) fn infer(lines: &Lines, explain: bool) -> Result<InferredFile, ExitFailure> {
    let mut infer: Option<(Infer, String)> = None;
    let mut refused = None;
    let skipped = lines.of_report
        && lines.numbered().any(|(_, line)| line.is_ok_and(|line| json::may_have(line, "sees")));
    let mut progress = Progress::new("understanding");
    for (number, line) in lines.numbered() {
        progress.step();
        let line = line?;
        if skipped && number > lines.before + 1 && is_repeated(line) {
            continue;
        }
        let Some((infer, _)) = &mut infer else {
            if !line.trim().is_empty() {
                let header = Header::parse(line, GAMES).map_err(|error| lines.unusable(number, error))?;
                let written = header.line();
                let mut new = Infer::new(header);
                if explain {
                    new.explain();
                }
                infer = Some((new, written));
            }
            continue;
        };
        match infer.feed(number, line) {
            Ok(()) => {}
            Err(Stop::Unusable(error)) => return Err(lines.unusable(number, error)),
            Err(Stop::Refused(violation)) => {
                refused = Some((number, violation));
                break;
            }
        }
    }
    let Some((infer, header)) = infer else {
        return Err(lines.unusable(1, "there is no header: the file is empty"));
    };
    let mut inferred = infer.finish();
    let refused = refused.map(|(number, violation)| {
        inferred.replay.add_violation(number, &violation);
        format!("{}:{number}: {violation} (possible here: {})", lines.name, inferred.replay.legal_words())
    });
    Ok(InferredFile { inferred, header, refused })
}

/// Describes an IO error for people. For the usual errors, the text also says what to do.
pub(super) fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file; check the name".to_owned(),
        std::io::ErrorKind::PermissionDenied => {
            "you may not read this file; check its permissions".to_owned()
        }
        _ => error.to_string(),
    }
}

/// Chooses the match of this journal for `--match`: the match with this id or number, or without an id the last match.
pub(super) fn choose(
    path: &Path,
    matches: Vec<MatchInfo>,
    id: Option<&str>,
) -> Result<MatchInfo, ExitFailure> {
    if matches.is_empty()
        && let Some(alone) = journal::without_log(path)
    {
        return Err(ExitFailure::unusable(harmless(&alone.to_string())));
    }
    let number = id.and_then(|id| id.parse().ok()).and_then(MatchId::new);
    let found = match id {
        None => matches.into_iter().next_back().ok_or_else(|| "the record has no match".to_owned()),
        Some(id) => matches
            .into_iter()
            .find(|info| info.uid == id || Some(info.id) == number)
            .ok_or_else(|| format!("the record has no match `{id}`")),
    };
    found.map_err(|what| ExitFailure::unusable(format!("{}: {what}", shown(path))))
}
