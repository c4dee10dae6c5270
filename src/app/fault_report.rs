//! A report of a fault: one file that people can give away, so that a fault at a table becomes a test.
//!
//! It says which program and system it was and which devices were there, and holds the record of the match and the last
//! minutes of the board's bytes. `tabiya infer` and `--board capture:` find their parts in it (`boards/report_parts.rs`).
//! Nothing in it identifies a person, a card, a board or a computer: `record/nameless.rs` and `boards/numberless.rs` see to
//! that, and here no path, address or name of a device is written. `docs/exports.md` specifies the file.
//!
//! This file writes no file and asks no device.

use std::path::Path;

use serde_json::{Value, json};
use tabiya_boards::address::{BoardPort, LiveAddress};
use tabiya_boards::capture::Capture;
use tabiya_boards::maker::Maker;
use tabiya_boards::ports::{Likely, PortInfo};
use tabiya_boards::report_parts::ReportPart;
use tabiya_types::{Millis, Sentence, harmless, say, shown};

use crate::platform::system_name;

/// The version of the file's form.
const FORM: u64 = 1;
/// The version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The usual name of the file.
pub const USUAL_NAME: &str = "tabiya-report.jsonl";
/// The longest run of digits in the name of a card reader's model.
const MODEL_DIGITS: usize = 4;

/// Everything that a report tells.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FaultReport {
    /// The features with which the program was built.
    pub features: Vec<&'static str>,
    /// The boards that are connected, or that a port may have.
    pub boards: Vec<ReportedBoard>,
    /// The models of the card readers.
    pub readers: Vec<String>,
    /// The record of the match, made by [`nameless`](tabiya_engine::record::nameless::nameless).
    pub record: Option<String>,
    /// The last minutes of the board's bytes.
    pub capture: Option<Capture>,
}

/// A board, without what tells it from others of its kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedBoard {
    /// The makers whose board it may be.
    makers: Vec<&'static str>,
    /// How the board is reached: `serial`, `tcp`, `bluetooth`, `program` or `simulated`.
    link: &'static str,
    /// Whether the table uses the board.
    connected: bool,
}

impl ReportedBoard {
    /// The board of this maker that the table uses, at this address.
    pub fn connected(address: &LiveAddress) -> Self {
        Self { makers: vec![address.maker.name()], link: link(&address.place), connected: true }
    }

    /// A simulated board that the table uses.
    pub fn simulated(maker: Maker) -> Self {
        Self { makers: vec![maker.name()], link: "simulated", connected: true }
    }

    /// A board that was found at this address.
    pub fn found(address: &LiveAddress) -> Self {
        Self { connected: false, ..Self::connected(address) }
    }

    /// The board that a port may have; `None` for a port that is built in.
    pub fn at_port(port: &PortInfo) -> Option<Self> {
        let link = match port.likely {
            Likely::Known | Likely::Vendor | Likely::Usb => "serial",
            Likely::Bluetooth => "bluetooth",
            Likely::Other => return None,
        };
        Some(Self { makers: port.makers.iter().map(|maker| maker.name()).collect(), link, connected: false })
    }

    fn value(&self) -> Value {
        json!({"makers": self.makers, "link": self.link, "connected": self.connected})
    }

    fn in_words(&self) -> String {
        let makers = if self.makers.is_empty() { "?".to_owned() } else { self.makers.join("/") };
        format!("{makers} ({})", self.link)
    }
}

fn link(place: &BoardPort) -> &'static str {
    match place {
        BoardPort::Ble(_) => "bluetooth",
        BoardPort::Tcp { .. } => "tcp",
        BoardPort::Web { .. } => "program",
        BoardPort::Serial(_) | BoardPort::Auto => "serial",
    }
}

/// The model of a card reader, of the name that the system gives it. Some names contain the reader's serial number: what
/// stands in brackets is left out, and every word with a long number.
pub fn reader_model(name: &str) -> String {
    let outside = name.split(['(', '[']).enumerate().map(|(nth, part)| match nth {
        0 => part,
        _ => part.split_once([')', ']']).map_or("", |(_, after)| after),
    });
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).count();
    let words: Vec<String> = outside
        .flat_map(str::split_whitespace)
        .filter(|word| digits(word) <= MODEL_DIGITS && !word.chars().all(|sign| sign.is_ascii_digit()))
        .map(harmless)
        .collect();
    words.join(" ")
}

impl FaultReport {
    /// The report of this program on this computer, without devices, record and capture.
    pub fn new(features: &[&'static str]) -> Self {
        Self { features: features.to_vec(), ..Self::default() }
    }

    /// Adds the board's bytes, without what identifies anything.
    #[must_use]
    pub fn with_bytes(self, capture: Option<Capture>) -> Self {
        Self { capture: capture.map(Capture::without_numbers), ..self }
    }

    /// The report as JSON Lines.
    pub fn text(&self) -> String {
        let header = json!({
            "report": FORM,
            "tabiya": VERSION,
            "system": std::env::consts::OS,
            "processor": std::env::consts::ARCH,
            "distribution": system_name(),
            "features": self.features,
            "boards": self.boards.iter().map(ReportedBoard::value).collect::<Vec<_>>(),
            "readers": self.readers,
        });
        let mut text = format!("{header}\n");
        let capture = self.capture.as_ref().map(Capture::to_text);
        for (part, content) in [(ReportPart::Record, &self.record), (ReportPart::Capture, &capture)] {
            if let Some(content) = content {
                text.push_str(part.heading());
                text.push('\n');
                text.push_str(content);
            }
        }
        text
    }

    /// What is in the report and what is not, in sentences.
    pub fn summary(&self) -> Vec<Sentence> {
        let system = system_name().unwrap_or_else(|| std::env::consts::OS.to_owned());
        let (version, features) = (VERSION.to_owned(), self.features.join(", "));
        let mut told = vec![if features.is_empty() {
            say!(
                "report-program",
                "the version of Tabiya ({version}) and the system ({system})",
                version,
                system
            )
        } else {
            say!(
                "report-program-with",
                "the version of Tabiya ({version}, with {features}) and the system ({system})",
                version,
                features,
                system
            )
        }];
        let boards: Vec<String> = self.boards.iter().map(ReportedBoard::in_words).collect();
        told.push(match boards.join(", ") {
            none if none.is_empty() => say!("report-no-boards", "that no board was found"),
            boards => say!("report-boards", "the kinds of the boards that were found: {boards}", boards),
        });
        told.push(match self.readers.join(", ") {
            none if none.is_empty() => say!("report-no-readers", "that no card reader was found"),
            readers => say!("report-readers", "the models of the card readers: {readers}", readers),
        });
        told.push(match &self.record {
            Some(record) => {
                let lines = record.lines().count();
                say!(
                    "report-record",
                    "the record of the match ({lines} lines), with A and B for the names and … for each reason",
                    lines
                )
            }
            None => say!("report-no-record", "no record of a match"),
        });
        told.push(match self.capture.as_ref().and_then(span) {
            Some(time) => say!(
                "report-bytes",
                "what the board and Tabiya have sent to each other in the last {time}",
                time = time.to_string()
            ),
            None => say!("report-no-bytes", "no bytes of a board"),
        });
        told.push(never());
        told
    }
}

/// The time from the first to the last bytes; `None` without any.
fn span(capture: &Capture) -> Option<Millis> {
    let (first, last) = (capture.chunks.first()?, capture.chunks.last()?);
    Some(Millis(last.at.since(first.at).0.max(1_000)))
}

/// What is in no report.
pub fn never() -> Sentence {
    say!(
        "report-never",
        "not in it: names, reasons, dates, codes, keys, cards that were not turned over, numbers of boards and cards, names of files and computers"
    )
}

/// Says where the report is. The sentences of [`FaultReport::summary`] follow.
pub fn written(path: &Path) -> Sentence {
    say!("report-written", "the report is in {path}, with:", path = shown(path))
}

/// Says that the file stays where it is.
pub fn stays_here() -> Sentence {
    say!("report-stays-here", "nothing was sent: read the file, and give it to whom you like")
}

#[cfg(test)]
mod tests;
