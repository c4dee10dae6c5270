//! Captures: the raw bytes of a link with their times, as JSON Lines.
//!
//! `{"t":ms,"rx":"8e00053400"}` came from the device, `{"t":ms,"tx":"42"}` went to it. If the link has several
//! channels, `"ch"` names the channel. The first line may be `{"capture":"dgt","device":"…"}`. `docs/format.md`
//! specifies the format.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabiya_types::{Instant, LAST_MOMENT, Millis};

pub use crate::chunk::{Channel, Chunk, Direction};
use crate::driver::{Connection, Driver};
use crate::event::BoardEvent;
use crate::link::Carrier;
use crate::maker::Maker;
use crate::makers::USUAL;
use crate::notes::Notes;
use crate::platform::owner_only;
use crate::report_parts::ReportPart;

/// The header of a capture: its first line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaptureHeader {
    /// The prefix of the maker whose protocol the bytes use, such as `dgt`.
    pub capture: String,
    /// A description of the device; free text.
    pub device: Option<String>,
}

/// A complete capture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Capture {
    /// The header, if the file has one.
    pub header: Option<CaptureHeader>,
    /// All bytes that went over the link, in order of time.
    pub chunks: Vec<Chunk>,
}

/// Why a file is not a valid capture.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CaptureError {
    /// The file cannot be read.
    #[error("{file} cannot be read; check its name and who may read it")]
    Unreadable {
        /// The name of the file.
        file: String,
        /// The operating system's error.
        source: Arc<io::Error>,
    },
    /// A line is invalid.
    #[error("{file}:{line}: {flaw}")]
    Line {
        /// The name of the file.
        file: String,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with the line.
        flaw: Flaw,
    },
}

/// What is wrong with a line of a capture.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// The line is not a JSON object of the right form.
    #[error(
        "not a line of a capture file ({0}); write {{\"t\":ms,\"rx\":\"hex\"}} or {{\"t\":ms,\"tx\":\"hex\"}}"
    )]
    Form(String),
    /// The file is not text.
    #[error("this is not text; a capture file must be UTF-8 text")]
    NotText,
    /// The file is a report of a fault without a capture.
    #[error("this report has no bytes of a board, because none was connected")]
    NotInReport,
    /// A header is not on the first line.
    #[error("only the first line of a capture file may be a header; remove this line")]
    LateHeader,
    /// No maker in the catalogue has the prefix that the header names.
    #[error("a capture file of a `{0}` board cannot be played back: no maker with this prefix is known")]
    UnknownMaker(String),
    /// The line has both `rx` and `tx`, or neither.
    #[error("a line must have either `rx` or `tx`, not both")]
    Way,
    /// The line has no time.
    #[error("the time `t` is missing")]
    NoTime,
    /// The time is too large for a record.
    #[error("the time `t` is {0}, but the largest possible time is 9007199254740991")]
    TooLate(u64),
    /// The time is before the time of the previous line.
    #[error("the time `t` is {now}, but the line above has {before}; times must not decrease")]
    TimeBack {
        /// The time of this line in ms.
        now: u64,
        /// The time of the previous line in ms.
        before: u64,
    },
    /// The bytes are not pairs of hexadecimal digits.
    #[error("`{0}` is not hexadecimal; write two digits 0-9a-f per byte")]
    Hex(String),
}

/// A line of the file, as JSON.
#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    capture: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    device: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    t: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rx: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tx: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ch: Option<Channel>,
}

impl Capture {
    /// Reads a whole file. Nothing is repaired: an invalid line is an error.
    pub fn read(path: &Path) -> Result<Self, CaptureError> {
        let file = path.display().to_string();
        let bytes = read_bounded(path, LONGEST)
            .map_err(|source| CaptureError::Unreadable { file: file.clone(), source: Arc::new(source) })?;
        Self::parse(&bytes, &file)
    }

    /// Parses the bytes of a capture, or the capture in a report of a fault; `file` is its name in error messages.
    pub fn parse(bytes: &[u8], file: &str) -> Result<Self, CaptureError> {
        let wrong = |line, flaw| CaptureError::Line { file: file.to_owned(), line, flaw };
        let part = ReportPart::Capture.find(bytes).ok_or_else(|| wrong(1, Flaw::NotInReport))?;
        let (bytes, before_part) = (part.bytes, part.before);
        let wrong = |line, flaw| wrong(before_part + line, flaw);
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
            wrong(good.split(|byte| *byte == b'\n').count(), Flaw::NotText)
        })?;
        let mut capture = Self::default();
        let mut before = Instant::ZERO;
        for (index, text) in text.lines().enumerate() {
            let line = parse_line(text).map_err(|flaw| wrong(index + 1, flaw))?;
            match line {
                Parsed::Header(header) if index == 0 => capture.header = Some(header),
                Parsed::Header(_) => return Err(wrong(index + 1, Flaw::LateHeader)),
                Parsed::Chunk(chunk) if chunk.at < before => {
                    let (now, before) = (chunk.at.millis(), before.millis());
                    return Err(wrong(index + 1, Flaw::TimeBack { now, before }));
                }
                Parsed::Chunk(chunk) => {
                    before = chunk.at;
                    capture.chunks.push(chunk);
                }
            }
        }
        Ok(capture)
    }

    /// The capture as text, exactly as [`CaptureWriter`] would write it.
    pub fn to_text(&self) -> String {
        let header = self.header.iter().map(header_line);
        header.chain(self.chunks.iter().map(chunk_line)).collect()
    }

    /// Plays the capture: returns the boards' events with the times of the capture. Each channel has its own passive
    /// driver. Bytes to the device only show which board received a command. If the capture has no header, its bytes
    /// are read as those of a DGT board.
    pub fn play(&self) -> CapturePlayback<'_> {
        let maker = self.header.as_ref().and_then(|header| Maker::from_prefix(&header.capture));
        CapturePlayback {
            maker: maker.unwrap_or(USUAL),
            all: &self.chunks,
            chunks: self.chunks.iter(),
            boards: BTreeMap::new(),
            events: VecDeque::new(),
        }
    }
}

/// The size in bytes of the largest capture that is read. A capture of one evening has about ten million bytes.
const LONGEST: u64 = 1 << 30;

/// Reads a whole file of at most `most` bytes. `Err` for a device, which may be endless, and for a pipe, which may
/// never send anything.
pub fn read_bounded(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let no_file = || io::Error::new(io::ErrorKind::InvalidInput, "this is not an ordinary file");
    // Checked before the file is opened, because opening a pipe without a writer would wait for ever.
    if !std::fs::metadata(path)?.is_file() {
        return Err(no_file());
    }
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(no_file());
    }
    let mut bytes = Vec::new();
    // The file may grow while it is read, so the number of bytes is limited.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|len| len > most) {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("the file is longer than {most} bytes"),
        ));
    }
    Ok(bytes)
}

enum Parsed {
    Header(CaptureHeader),
    Chunk(Chunk),
}

fn parse_line(text: &str) -> Result<Parsed, Flaw> {
    // Without this check, the JSON parser would also accept a list. It would take the list's elements as the values of
    // the object's fields, in the order of the fields.
    if !text.trim_start().starts_with('{') {
        return Err(Flaw::Form("it is not a JSON object".to_owned()));
    }
    let line: Line = serde_json::from_str(text).map_err(|error| Flaw::Form(error.to_string()))?;
    match line {
        Line { capture: Some(capture), device, t: None, rx: None, tx: None, ch: None } => {
            if Maker::from_prefix(&capture).is_none() {
                return Err(Flaw::UnknownMaker(capture));
            }
            Ok(Parsed::Header(CaptureHeader { capture, device }))
        }
        Line { capture: None, device: None, t, rx, tx, ch } => {
            let (direction, hex) = match (rx, tx) {
                (Some(hex), None) => (Direction::FromDevice, hex),
                (None, Some(hex)) => (Direction::ToDevice, hex),
                _ => return Err(Flaw::Way),
            };
            let at = t.ok_or(Flaw::NoTime)?;
            if at > LAST_MOMENT {
                return Err(Flaw::TooLate(at));
            }
            let bytes = from_hex(&hex).ok_or(Flaw::Hex(hex))?;
            Ok(Parsed::Chunk(Chunk { at: Instant::from_millis(at), direction, channel: ch, bytes }))
        }
        _ => Err(Flaw::Form("`capture` and `device` belong in the header, and nothing else does".to_owned())),
    }
}

/// Decodes hexadecimal text in upper or lower case; `None` if it is invalid.
fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect()
}

/// Encodes bytes as hexadecimal text, with two lower-case digits each.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn header_line(header: &CaptureHeader) -> String {
    json_line(&Line {
        capture: Some(header.capture.clone()),
        device: header.device.clone(),
        ..Line::default()
    })
}

fn chunk_line(chunk: &Chunk) -> String {
    let hex = Some(to_hex(&chunk.bytes));
    let (rx, tx) = match chunk.direction {
        Direction::FromDevice => (hex, None),
        Direction::ToDevice => (None, hex),
    };
    json_line(&Line { t: Some(chunk.at.millis()), rx, tx, ch: chunk.channel.clone(), ..Line::default() })
}

fn json_line(line: &Line) -> String {
    let mut text = serde_json::to_string(line).expect("a line holds numbers and texts only, which are JSON");
    text.push('\n');
    text
}

/// Appends to a capture, one whole line at a time, so that a power cut loses at most the last line.
pub struct CaptureWriter<W: Write> {
    out: W,
    /// The time of the file's last line when the file was opened. This time is added to the time of each chunk that is
    /// written.
    base: Instant,
    last: Instant,
}

impl CaptureWriter<File> {
    /// Opens `path` for appending. A new or empty file first gets `header`. The times of new bytes are added to the
    /// last time in the file. `Err` of kind `InvalidData` if the file is not a valid capture, for example because its
    /// last line is incomplete.
    pub fn append(path: &Path, header: &CaptureHeader) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        // A capture may contain the numbers of cards, so only the owner of the file may read it.
        owner_only(&mut options);
        let file = options.open(path)?;
        let before = read_bounded(path, LONGEST)?;
        let invalid = |error: CaptureError| io::Error::new(io::ErrorKind::InvalidData, error);
        let capture = Capture::parse(&before, &path.display().to_string()).map_err(invalid)?;
        let base = capture.chunks.last().map_or(Instant::ZERO, |chunk| chunk.at);
        let mut writer = Self { out: file, base, last: base };
        if before.is_empty() {
            writer.line(&header_line(header))?;
        } else if !before.ends_with(b"\n") {
            writer.line("\n")?;
        }
        Ok(writer)
    }
}

impl<W: Write> CaptureWriter<W> {
    /// Starts a new capture and writes its header.
    pub fn new(out: W, header: &CaptureHeader) -> io::Result<Self> {
        let mut writer = Self { out, base: Instant::ZERO, last: Instant::ZERO };
        writer.line(&header_line(header))?;
        Ok(writer)
    }

    /// Appends bytes that went over the link at `at`. If `at` is earlier than the time written last, the
    /// time written last is used instead of `at`.
    pub fn write(&mut self, at: Instant, direction: Direction, bytes: &[u8]) -> io::Result<()> {
        self.last = self.last.max(self.base + Millis(at.millis()));
        self.line(&chunk_line(&Chunk { at: self.last, direction, channel: None, bytes: bytes.to_vec() }))
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

/// Creates a passive driver for the board to which the first command in these chunks was sent. The first report does
/// not identify this board, because on a shared wire the report may come from another board.
fn listener<'a>(maker: Maker, chunks: impl DoubleEndedIterator<Item = &'a Chunk>) -> Box<dyn Driver> {
    let connection = Connection {
        brand: maker.brand(),
        carrier: Carrier::Messages,
        unit: None,
        notes: &Notes::NONE,
        passive: true,
    };
    let mut driver = (maker.entry().driver)(&connection, Instant::ZERO);
    // The driver follows the board of the last command that it receives. So the commands are passed in reverse order,
    // and the first command comes last.
    for chunk in chunks.rev().filter(|chunk| chunk.direction == Direction::ToDevice) {
        driver.on_recorded_write(&chunk.bytes, Instant::ZERO);
    }
    driver
}

/// The iterator that [`Capture::play`] returns.
pub struct CapturePlayback<'a> {
    maker: Maker,
    all: &'a [Chunk],
    chunks: std::slice::Iter<'a, Chunk>,
    boards: BTreeMap<Option<&'a Channel>, Box<dyn Driver>>,
    events: VecDeque<(Instant, BoardEvent)>,
}

impl Iterator for CapturePlayback<'_> {
    type Item = (Instant, BoardEvent);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(event);
            }
            let chunk = self.chunks.next()?;
            let board = self.boards.entry(chunk.channel.as_ref()).or_insert_with(|| {
                listener(self.maker, self.all.iter().filter(|other| other.channel == chunk.channel))
            });
            match chunk.direction {
                Direction::FromDevice => board.on_bytes(&chunk.bytes, chunk.at),
                Direction::ToDevice => board.on_recorded_write(&chunk.bytes, chunk.at),
            }
            while let Some(event) = board.next_event() {
                self.events.push_back((chunk.at, event));
            }
        }
    }
}

#[cfg(test)]
mod tests;
