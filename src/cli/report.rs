//! `tabiya report`: writes one file for a report of a fault, from a record and a capture.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_app::fault_report::{FaultReport, ReportedBoard, USUAL_NAME, reader_model, stays_here};
use tabiya_app::time::RealTime;
use tabiya_boards::capture::Capture;
use tabiya_boards::ports;
use tabiya_boards::recent::RECENT_TIME;
use tabiya_boards::report_parts::{REPORT_START, is_report};
use tabiya_cards::Options;
use tabiya_cards::doctor::connected_readers;
use tabiya_engine::record::nameless::nameless;
use tabiya_store::disk::write_whole;
use tabiya_types::{Instant, shown};

use super::files::{self, Lines};
use super::language::LanguageArgument;
use super::output::{ExitFailure, print_line, unusable};
use super::surroundings::FEATURES;

/// Arguments of `tabiya report`.
#[derive(Debug, clap::Args)]
pub(super) struct ReportArguments {
    /// The record of the match in which something went wrong: a journal, or JSON Lines.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Which match of a journal; by default the last one.
    #[arg(long = "match", value_name = "ID", requires = "record")]
    id: Option<String>,
    /// The board's raw bytes, as `play --capture` saves them. The last five minutes go into the report.
    #[arg(long, value_name = "FILE")]
    capture: Option<PathBuf>,
    #[command(flatten)]
    language: LanguageArgument,
    /// Write the report to this file.
    #[arg(long, value_name = "FILE", default_value = USUAL_NAME)]
    out: PathBuf,
}

pub(super) fn run(arguments: &ReportArguments) -> Result<(), ExitFailure> {
    let used: Vec<&Path> =
        [&arguments.record, &arguments.capture].into_iter().flatten().map(PathBuf::as_path).collect();
    files::may_write(&arguments.out, &used)?;
    check_earlier(&arguments.out)?;
    let record = arguments.record.as_deref().map(|path| record(path, arguments.id.as_deref())).transpose()?;
    let bytes = arguments.capture.as_deref().map(Capture::read).transpose().map_err(unusable)?;
    let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
    let readers = connected_readers(timeline, Options::default());
    let report = FaultReport {
        boards: ports::discover().iter().filter_map(ReportedBoard::at_port).collect(),
        readers: readers.iter().map(|reader| reader_model(&reader.to_string())).collect(),
        record,
        ..FaultReport::new(FEATURES)
    }
    .with_bytes(bytes.map(|bytes| bytes.last(RECENT_TIME)));
    let name = shown(&arguments.out);
    write_whole(&arguments.out, report.text())
        .map_err(|error| ExitFailure::unusable(format!("{name}: cannot be written: {error}")))?;
    let words = arguments.language.words();
    print_line(&words.said(&tabiya_app::fault_report::written(&arguments.out)))?;
    for sentence in report.summary() {
        print_line(&format!("- {}", words.said(&sentence)))?;
    }
    print_line(&words.said(&stays_here()))
}

/// The record without names. Sealed cards are not opened for it: the key is not even looked for.
fn record(path: &Path, id: Option<&str>) -> Result<String, ExitFailure> {
    let lines = Lines::read_sealed(path, id)?;
    // Lines that the rules refuse may be the very fault. They are in the report, and so are those after them.
    let replayed = files::replay(&lines, true)?;
    let values = lines.values().collect::<Result<Vec<_>, _>>()?;
    Ok(nameless(&replayed.replay, values.into_iter()))
}

/// Checks that the file may be replaced, if it exists: it is an earlier report, or it is empty.
fn check_earlier(path: &Path) -> Result<(), ExitFailure> {
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    let mut start = Vec::new();
    let mut read = || File::open(path)?.take(REPORT_START.len() as u64).read_to_end(&mut start);
    if !path.exists() || (is_file && read().is_ok() && (start.is_empty() || is_report(&start))) {
        return Ok(());
    }
    Err(ExitFailure::unusable(format!(
        "{}: this file exists and is no earlier report; name another file with `--out`",
        shown(path)
    )))
}
