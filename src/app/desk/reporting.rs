//! Writes a report of a fault at a desk: what the desk knows about devices and match, with the last bytes of the board, which
//! the loop has kept (`devices.rs`).

use std::path::{Path, PathBuf};

use tabiya_boards::address::LiveAddress;
use tabiya_boards::capture::Capture;
use tabiya_boards::maker::Maker;
use tabiya_engine::record::nameless::nameless_match;
use tabiya_types::Instant;

use super::boards::DeskOrder;
use super::files::with_ending;
use super::{Desk, plain};
use crate::fault_report::{
    FaultReport, ReportedBoard, USUAL_NAME, reader_model, stays_here, written as written_to,
};

/// A report that is to be written once the board's last bytes are there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportRequest {
    /// The file.
    pub path: PathBuf,
    /// Whether people typed the word for it, and read what is in the report as an answer.
    pub typed: bool,
}

impl Desk {
    /// Asks for the board's last bytes, with which the report is written.
    pub(super) fn report(&mut self, path: &Path) {
        let request = ReportRequest { path: path.to_owned(), typed: false };
        self.table.boards.order(DeskOrder::Report(request));
    }

    /// The same for a typed word: the file has its usual name.
    pub(super) fn typed_report(&mut self) {
        let request = ReportRequest { path: USUAL_NAME.into(), typed: true };
        self.table.boards.order(DeskOrder::Report(request));
    }

    /// Writes the report, and tells what is in it and where it is.
    pub(super) fn write_report(&mut self, request: &ReportRequest, bytes: Option<Capture>, now: Instant) {
        self.table.version += 1;
        let report = self.fault_report(bytes);
        let written = self.write(&with_ending(&request.path, "jsonl"), report.text().as_bytes());
        if !request.typed {
            self.table.talk.notice_file(now, written);
            return;
        }
        self.table.talk.answer(match written {
            Ok(path) => [vec![written_to(&path)], report.summary(), vec![stays_here()]].concat(),
            Err(sentence) => vec![plain(sentence)],
        });
    }

    fn fault_report(&self, bytes: Option<Capture>) -> FaultReport {
        let boards = &self.table.boards;
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
        let record = match (&self.table.sitting, &self.shelf) {
            (Some(sitting), _) => Some(nameless_match(sitting.session.replay(), sitting.session.lines())),
            (None, Some(taken)) => Some(nameless_match(&taken.replay, &taken.lines)),
            (None, None) => None,
        };
        FaultReport {
            boards: connected.into_iter().chain(found).collect(),
            readers: self.table.cards.reader_names().map(|name| reader_model(&name)).collect(),
            record,
            ..FaultReport::new(self.environment.features)
        }
        .with_bytes(bytes)
    }
}
