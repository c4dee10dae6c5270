//! `tabiya event import` and `tabiya event export`: a tournament from and into the files of other programs.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use tabiya_event::console::RoundsFault;
use tabiya_event::rounds::csv;
use tabiya_event::rounds::csv::pairings::{self, ListedRound};
use tabiya_event::rounds::trf::TrfFile;
use tabiya_store::evening::{csv_text, inert};

use super::super::super::output::{ExitFailure, print_line, unusable};
use super::super::find;
use super::{Source, book, bytes_of, print_json};

/// Arguments of `tabiya event import`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct ImportArguments {
    /// A tournament report file, a table of players, or one of a round's pairs.
    file: PathBuf,
    /// The folder of the event into which it is read.
    #[arg(long, value_name = "FOLDER")]
    event: Option<PathBuf>,
    /// Who reads it.
    #[arg(long, value_name = "NAME", default_value = "")]
    by: String,
    /// Only say what the file has and what is wrong in it.
    #[arg(long)]
    check: bool,
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
}

/// Reads a file and tells what it has. A tournament that contradicts itself ends with status 1.
pub(super) fn import(arguments: &ImportArguments) -> Result<(), ExitFailure> {
    let bytes = bytes_of(&arguments.file)?;
    let name = tabiya_types::shown(&arguments.file);
    let extension = arguments.file.extension().and_then(|extension| extension.to_str());
    if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
        if let Some(list) = pairings::read(&bytes) {
            let list = list.map_err(|fault| ExitFailure::unusable(format!("{name}: {fault}")))?;
            return import_pairs(arguments, &list);
        }
        let list = csv::read(&bytes).map_err(|fault| ExitFailure::unusable(format!("{name}: {fault}")))?;
        let document = json!({
            "format": "csv", "players": list.players.len(), "teams": list.teams(), "rounds": 0, "planned": 0,
            "encoding": list.encoding.word(), "ends": list.ends, "faults": [], "kept": list.unknown,
        });
        tell(arguments, &document, &[])?;
        return if arguments.check {
            Ok(())
        } else {
            book::add_all(arguments.event.as_ref(), &list, &arguments.by)
        };
    }
    let file = TrfFile::read(&bytes).map_err(|fault| ExitFailure::unusable(format!("{name}: {fault}")))?;
    let faults = file.faults();
    let table = file.crosstable();
    let document = json!({
        "format": file.format(), "players": file.players().len(), "teams": file.header().teams,
        "rounds": table.rounds, "planned": table.planned, "encoding": file.encoding().word(),
        "ends": file.ends(), "faults": faults, "kept": file.kept(),
    });
    tell(arguments, &document, &faults)?;
    if arguments.check {
        return Ok(());
    }
    book::import(arguments.event.as_ref(), &bytes, &arguments.by)
}

/// Takes the pairs of one round, as another program made them.
fn import_pairs(arguments: &ImportArguments, list: &ListedRound) -> Result<(), ExitFailure> {
    let document = json!({
        "format": "pairings", "players": 2 * list.pairs.len() + usize::from(list.bye.is_some()), "teams": 0,
        "rounds": 1, "planned": list.round, "encoding": list.encoding.word(), "ends": list.ends,
        "faults": [], "kept": [],
    });
    tell(arguments, &document, &[])?;
    if arguments.check { Ok(()) } else { book::pair_listed(arguments.event.as_ref(), list, &arguments.by) }
}

fn tell(
    arguments: &ImportArguments,
    document: &serde_json::Value,
    faults: &[String],
) -> Result<(), ExitFailure> {
    if arguments.json || arguments.check {
        print_json(document)?;
    } else {
        let text = |name: &str| document.get(name).map(ToString::to_string).unwrap_or_default();
        let facts = [text("players"), text("rounds"), text("planned"), text("format").replace('"', "")];
        let [players, rounds, planned, format] = facts;
        print_line(&format!("{format}: {players} players, {rounds} of {planned} rounds"))?;
    }
    match faults {
        [] => Ok(()),
        [first, ..] => Err(ExitFailure::refused(format!(
            "{}: {first}{}; correct the file and read it again",
            tabiya_types::shown(&arguments.file),
            match faults.len() {
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            }
        ))),
    }
}

/// Arguments of `tabiya event export`.
#[derive(Debug, Args)]
#[group(id = "format", required = true, multiple = false)]
#[expect(clippy::struct_excessive_bools, reason = "one of these options is given")]
pub(super) struct ExportFormat {
    /// A tournament report file of 2016.
    #[arg(long)]
    trf16: bool,
    /// A tournament report file of 2026.
    #[arg(long)]
    trf26: bool,
    /// The players as a table for spreadsheets.
    #[arg(long)]
    csv: bool,
    /// The games of an event: those that were recorded at its tables, and results alone of the others.
    #[arg(long, conflicts_with = "file")]
    pgn: bool,
    /// What was done at an event: who, when, why, and the line that each order became.
    #[arg(long, conflicts_with = "file")]
    audit: bool,
}

/// Arguments of `tabiya event export`.
#[derive(Debug, Args)]
pub(in crate::cli::event) struct RoundExportArguments {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    format: ExportFormat,
    /// The file that is written; what is there stays, unless it is this command's own result. Without it: standard output.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn bytes_to_export(arguments: &RoundExportArguments) -> Result<Vec<u8>, ExitFailure> {
    if arguments.format.pgn {
        let folder = find(arguments.source.event.as_ref())?;
        let book = match folder.rounds() {
            Ok(book) => Some(book),
            Err(RoundsFault::NoPlan) => None,
            Err(fault) => return Err(unusable(fault)),
        };
        return Ok(folder.games(book.as_ref()).map_err(unusable)?.into_bytes());
    }
    if arguments.format.audit {
        let acts = find(arguments.source.event.as_ref())?.audit().map_err(unusable)?;
        let heading = ["when", "who", "what", "facts", "why", "line"].map(str::to_owned);
        let rows = acts
            .into_iter()
            .map(|act| [act.when, act.who, act.what, act.facts, act.why, act.line].map(|cell| inert(&cell)));
        return Ok(csv_text(std::iter::once(heading).chain(rows)).into_bytes());
    }
    let file = arguments.source.tournament()?.file;
    if arguments.format.csv {
        return Ok(csv::write(&file).into_bytes());
    }
    let edition = if arguments.format.trf26 { file } else { file.without_newer() };
    edition.to_bytes().map_err(ExitFailure::unusable)
}

/// Writes the tournament in another form. Of the same edition, an unchanged file gives the same bytes.
pub(super) fn export(arguments: &RoundExportArguments) -> Result<(), ExitFailure> {
    let bytes = bytes_to_export(arguments)?;
    if let Some(path) = &arguments.out {
        let shown = tabiya_types::shown(path);
        let failed = |error| ExitFailure::unusable(format!("{shown}: this file cannot be written: {error}"));
        return std::fs::write(path, bytes).map_err(failed);
    }
    let failed = |error| ExitFailure::unusable(format!("standard output: {error}"));
    std::io::stdout().write_all(&bytes).map_err(failed)
}
