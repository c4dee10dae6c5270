//! What is shown of the keypads: on the table's own screens, and to who serves their pages.

use std::sync::Arc;

use qrcodegen::{QrCode, QrCodeEcc};
use tabiya_types::Instant;

use super::{KeypadOf, KeypadVisitor, Keypads, TurnMark};
use crate::snapshot::MatchTime;
use crate::view::TableView;

/// Where telephones reach a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeypadDoor {
    /// The addresses that people type, such as `https://192.168.1.5:44066`; at least one.
    pub addresses: Vec<String>,
    /// The six words of the certificate.
    pub words: Vec<String>,
}

/// The keypads as the table's own screens show them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeypadsView {
    /// Where telephones reach the table; `None` while keypads are off.
    pub door: Option<KeypadDoor>,
    /// The four digits; `None` while none can be typed.
    pub code: Option<String>,
    /// Whether the rules of the event keep keypads off: the arbiter has not admitted them.
    pub waits_for_arbiter: bool,
    /// The keypads that there are.
    pub pads: Vec<(KeypadOf, KeypadVisitor)>,
}

impl KeypadsView {
    /// The view of these keypads at a moment of the program's own time.
    pub(crate) fn of(keypads: &Keypads, admitted: bool, now: Instant) -> Self {
        let pads = keypads.visitors().iter().filter_map(|one| Some((one.is()?, one.clone())));
        Self {
            door: keypads.door().cloned(),
            code: keypads.code(now).filter(|_| admitted).map(str::to_owned),
            waits_for_arbiter: !admitted,
            pads: pads.collect(),
        }
    }

    /// The telephone that is this keypad.
    pub fn pad(&self, of: KeypadOf) -> Option<&KeypadVisitor> {
        self.pads.iter().find(|(is, _)| *is == of).map(|(_, visitor)| visitor)
    }
}

/// What who serves the pages knows of the table. It changes with every change there.
#[derive(Clone, Debug, Default)]
pub struct KeypadReport {
    /// Counts the changes.
    pub version: u64,
    /// The match on the table, without what only its own screens show; `None` without one.
    pub table: Option<Arc<TableView>>,
    /// Converts the program's own time to the time of the match.
    pub time: MatchTime,
    /// What the match shows.
    pub mark: TurnMark,
    /// The number that the table has in an event.
    pub number: Option<u16>,
    /// Whether the arbiter has not admitted keypads.
    pub waits_for_arbiter: bool,
    /// All telephones that are known.
    pub visitors: Vec<KeypadVisitor>,
}

impl KeypadReport {
    /// The telephone with this number.
    pub fn visitor(&self, ticket: u64) -> Option<&KeypadVisitor> {
        self.visitors.iter().find(|visitor| visitor.ticket == ticket)
    }
}

/// A square that a camera reads, with this text: its rows, where dark is `true`. Empty if the text is too long for one.
pub fn square_of(text: &str) -> Vec<Vec<bool>> {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else { return Vec::new() };
    (0..code.size()).map(|y| (0..code.size()).map(|x| code.get_module(x, y)).collect()).collect()
}
