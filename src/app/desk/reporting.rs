//! Writes a report of a fault at a desk: what the desk knows about devices and match, with the last bytes of the board, which
//! the loop has kept (`devices.rs`).

use std::path::{Path, PathBuf};

use tabiya_boards::address::LiveAddress;
use tabiya_boards::capture::Capture;
use tabiya_boards::maker::Maker;
use tabiya_engine::record::nameless::nameless_match;
use tabiya_types::Instant;

use super::boards::{Boards, DeskOrder, ReportRequest};
use super::looking::Viewing;
use super::table::TableSide;
use super::talk::{Talk, plain};
use crate::fault_report::{
    FaultReport, ReportedBoard, USUAL_NAME, reader_model, stays_here, written as written_to,
};

/// Asks for the board's last bytes, with which the report is written to this file.
pub(super) fn ask(path: &Path, boards: &mut Boards) {
    let request = ReportRequest { path: path.to_owned(), typed: false };
    boards.order(DeskOrder::Report(request));
}

/// The same for a typed word: the file has its usual name.
pub(super) fn ask_typed(boards: &mut Boards) {
    let request = ReportRequest { path: USUAL_NAME.into(), typed: true };
    boards.order(DeskOrder::Report(request));
}

/// Tells what is in a report that was `written`, and where it is; or why it was not.
pub(super) fn tell(
    report: &FaultReport,
    written: Result<PathBuf, String>,
    typed: bool,
    (talk, now): (&mut Talk, Instant),
) {
    if !typed {
        talk.notice_file(now, written);
        return;
    }
    talk.answer(match written {
        Ok(path) => [vec![written_to(&path)], report.summary(), vec![stays_here()]].concat(),
        Err(sentence) => vec![plain(sentence)],
    });
}

/// What the desk knows, as a report.
pub(super) fn fault_report(
    table: &TableSide,
    viewing: &Viewing,
    features: &'static [&'static str],
    bytes: Option<Capture>,
) -> FaultReport {
    let boards = &table.boards;
    let address = boards.address.as_deref();
    let connected = match address.and_then(|address| address.parse::<LiveAddress>().ok()) {
        Some(address) => Some(ReportedBoard::connected(&address)),
        None => boards
            .info
            .as_ref()
            .and_then(|info| Maker::from_prefix(info.maker.prefix).map(ReportedBoard::simulated)),
    };
    let found = boards.found.iter().filter(|board| Some(board.address.as_str()) != address);
    let found = found.filter_map(|board| Some(ReportedBoard::found(&board.address.parse().ok()?)));
    let record = match (&table.sitting, viewing.shelf()) {
        (Some(sitting), _) => Some(nameless_match(sitting.session.replay(), sitting.session.lines())),
        (None, Some(taken)) => Some(nameless_match(taken.replay(), taken.lines())),
        (None, None) => None,
    };
    FaultReport {
        boards: connected.into_iter().chain(found).collect(),
        readers: table.cards.reader_names().map(|name| reader_model(&name)).collect(),
        record,
        ..FaultReport::new(features)
    }
    .with_bytes(bytes)
}
