//! Reading record files for the commands that only look at them.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tabiya_app::store::evening;
use tabiya_app::store::journal::vault::KeyError;
use tabiya_app::store::journal::{self, FileKind, Journal, MatchId, MatchInfo};
use tabiya_app::store::keys::Keyring;
use tabiya_boards::capture::read_bounded;
use tabiya_engine::record::{Header, Infer, Replay, Stop, json};
use tabiya_engine::rules::GAMES;
use tabiya_types::harmless;

use super::ExitFailure;
use super::progress::Progress;

/// The longest file read as text, in bytes; an evening has a few hundred thousand.
const LONGEST: u64 = 1 << 30;

/// The numbered lines of a record, the header being the first that is not blank.
#[derive(Debug)]
pub(super) struct Lines {
    /// What to call the file in a sentence.
    pub(super) name: String,
    text: Vec<u8>,
    /// The hash after the last line, where the file keeps it.
    pub(super) head: Option<String>,
    /// Why sealed cards of a journal are closed in its lines; where this user has the match's key they are open.
    pub(super) closed: Option<KeyError>,
}

impl Lines {
    /// Reads a record: JSON Lines, or one match of a journal (the last one, unless named).
    pub(super) fn read(path: &Path, id: Option<&str>) -> Result<Self, ExitFailure> {
        match check(path)? {
            FileKind::Journal => Self::of_journal(path, id),
            FileKind::Lines => Self::of_text(path, id),
        }
    }

    /// Reads JSON Lines.
    pub(super) fn of_text(path: &Path, id: Option<&str>) -> Result<Self, ExitFailure> {
        let name = path.display().to_string();
        if let Some(id) = id {
            let what =
                format!("{name}: JSON Lines hold one match, so that `--match {id}` names nothing in it");
            return Err(ExitFailure::unusable(what));
        }
        let text = read_bounded(path, LONGEST).map_err(|error| unreadable(path, &error))?;
        Ok(Self { name, text, head: None, closed: None })
    }

    fn of_journal(path: &Path, id: Option<&str>) -> Result<Self, ExitFailure> {
        let name = path.display().to_string();
        let reader = Journal::open_read(path).map_err(ExitFailure::unusable)?;
        let matches = reader.matches().map_err(ExitFailure::unusable)?;
        let info = choose(matches, id).map_err(|what| ExitFailure::unusable(format!("{name}: {what}")))?;
        let (lines, closed) =
            evening::opened(&reader, &info, &Keyring::usual()).map_err(ExitFailure::unusable)?;
        let mut text = info.header.clone();
        for line in &lines {
            text.push('\n');
            text.push_str(line);
        }
        Ok(Self { name, text: text.into_bytes(), head: Some(info.head.to_string()), closed })
    }

    /// Each line with its number from 1; an error where a line is not UTF-8.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u32, Result<&str, ExitFailure>)> {
        let text = self.text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.text);
        text.split(|byte| *byte == b'\n').zip(1..).map(|(line, number)| {
            let line = std::str::from_utf8(line).map_err(|_| self.unusable(number, "not UTF-8 text"));
            (number, line.map(|line| line.strip_suffix('\r').unwrap_or(line)))
        })
    }

    /// The lines as JSON with their numbers, blank ones left out.
    pub(super) fn values(&self) -> Result<Vec<(u32, Value)>, ExitFailure> {
        let lines =
            self.numbered().filter(|(_, line)| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
        lines
            .map(|(number, line)| {
                Ok((number, json::parse(line?).map_err(|error| self.unusable(number, error))?))
            })
            .collect()
    }

    /// `FILE:LINE: what is wrong`.
    pub(super) fn unusable(&self, number: u32, what: impl std::fmt::Display) -> ExitFailure {
        ExitFailure::unusable(harmless(&format!("{}:{number}: {what}", self.name)))
    }
}

/// What a record's file is; an error where it cannot be one. A device is never read: it may have no end.
pub(super) fn check(path: &Path) -> Result<FileKind, ExitFailure> {
    let name = path.display();
    let file = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if file.is_dir() {
        return Err(ExitFailure::unusable(format!("{name}: this is a folder; name a record file in it")));
    }
    if !file.is_file() {
        return Err(ExitFailure::unusable(format!("{name}: this is no file; name a record file")));
    }
    if file.len() > LONGEST {
        return Err(ExitFailure::unusable(format!("{name}: too long for a record ({} bytes)", file.len())));
    }
    journal::sniff(path).map_err(ExitFailure::unusable)
}

/// Says on the way what people should know, though it stops nothing.
pub(super) fn remark(what: &str) {
    eprintln!("{}", harmless(what));
}

/// Whether a file may be written beside those in use.
pub(super) fn may_write(path: &Path, used: &[&Path]) -> Result<(), ExitFailure> {
    tabiya_app::store::files::may_write(path, used).map_err(ExitFailure::unusable)
}

fn unreadable(path: &Path, error: &std::io::Error) -> ExitFailure {
    ExitFailure::unusable(format!("{}: {}", path.display(), plain(error)))
}

/// What came of replaying a file.
pub(super) struct Replayed {
    pub(super) replay: Replay,
    /// The refusals, a sentence each with file and line.
    pub(super) refused: Vec<String>,
}

/// Replays a JSON Lines file; stops at the first refused line unless told to go on.
pub(super) fn replay(lines: &Lines, keep_going: bool) -> Result<Replayed, ExitFailure> {
    let mut replay: Option<Replay> = None;
    let mut refused = Vec::new();
    let mut progress = Progress::new("replaying");
    for (number, line) in lines.numbered() {
        progress.step();
        let line = line?;
        let Some(replay) = &mut replay else {
            if !line.trim().is_empty() {
                replay = Some(Replay::begin(line, GAMES).map_err(|error| lines.unusable(number, error))?);
            }
            continue;
        };
        match replay.feed(number, line) {
            Ok(()) => {}
            Err(Stop::Unusable(error)) => return Err(lines.unusable(number, error)),
            Err(Stop::Refused(violation)) => {
                let legal = replay.legal_words();
                let what = format!("{}:{number}: {violation} (accepted now: {legal})", lines.name);
                refused.push(harmless(&what));
                if !keep_going {
                    break;
                }
            }
        }
    }
    match replay {
        Some(replay) => Ok(Replayed { replay, refused }),
        None => Err(lines.unusable(1, "there is no header: the file is empty")),
    }
}

/// What came of inferring a file.
pub(super) struct InferredFile {
    pub(super) inferred: tabiya_engine::record::infer::Inferred,
    pub(super) header: String,
    /// The first refusal, as a sentence with file and line.
    pub(super) refused: Option<String>,
}

/// Feeds a JSON Lines file to the live table.
pub(super) fn infer(lines: &Lines) -> Result<InferredFile, ExitFailure> {
    let mut infer: Option<(Infer, String)> = None;
    let mut refused = None;
    let mut progress = Progress::new("understanding");
    for (number, line) in lines.numbered() {
        progress.step();
        let line = line?;
        let Some((infer, _)) = &mut infer else {
            if !line.trim().is_empty() {
                let header = Header::parse(line, GAMES).map_err(|error| lines.unusable(number, error))?;
                let written = header.line();
                infer = Some((Infer::new(header), written));
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
        format!("{}:{number}: {violation} (accepted now: {})", lines.name, inferred.replay.legal_words())
    });
    Ok(InferredFile { inferred, header, refused })
}

/// An IO error in words that say what to do.
pub(super) fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file; check the name".to_owned(),
        std::io::ErrorKind::PermissionDenied => "this file may not be read; check its permissions".to_owned(),
        _ => error.to_string(),
    }
}

/// For `--match`: the match of that id, or the last one.
pub(super) fn choose(matches: Vec<MatchInfo>, id: Option<&str>) -> Result<MatchInfo, String> {
    match id {
        None => matches.into_iter().next_back().ok_or_else(|| "there is no match in it".to_owned()),
        Some(id) => {
            let number = id.parse().ok().and_then(MatchId::new);
            matches
                .into_iter()
                .find(|info| info.uid == id || Some(info.id) == number)
                .ok_or_else(|| format!("there is no match `{id}` in it"))
        }
    }
}
