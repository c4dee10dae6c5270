//! Simulated firmware of a board that speaks the Chess Peripheral Protocol. It reports the positions that it senses.
//! Only the beginning of a round is simulated: the board answers whether it shows the round's position.

use tabiya_types::{Board, Instant, Piece, Square};

use super::codec::{CppCommand, CppDecoder, CppMessage, CppPosition, framed};
use crate::link::Carrier;
use crate::sim::Firmware;

/// The kind of simulated board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CppModel {
    /// Identifies its pieces.
    Pieces,
    /// Detects only which squares are occupied.
    Occupancy,
    /// Identifies its pieces, but is so old that it answers no questions and reports nothing without being asked.
    Mute,
}

/// The simulated firmware and its state.
#[derive(Debug)]
pub(crate) struct CppFirmware {
    kind: CppModel,
    /// How the host frames its commands. The board frames its messages in the same way.
    carrier: Carrier,
    /// Whether the board reports each lift and placement.
    streams: bool,
    /// The position that the host sent when it began the current round; `None` while there is no round.
    round: Option<CppPosition>,
    greeted: bool,
    reported: Option<CppPosition>,
}

impl CppFirmware {
    /// Creates a board that identifies its pieces or one that detects occupancy, depending on the seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self::with(if seed.is_multiple_of(2) { CppModel::Occupancy } else { CppModel::Pieces })
    }

    /// Creates a board of this kind.
    pub(crate) fn with(kind: CppModel) -> Self {
        let carrier = Carrier::Messages;
        Self { kind, carrier, streams: false, round: None, greeted: false, reported: None }
    }

    fn seen(&self, squares: &Board) -> CppPosition {
        match self.kind {
            _ if *squares == Board::EMPTY => CppPosition::Empty,
            CppModel::Occupancy => CppPosition::Occupied(squares.occupied()),
            CppModel::Pieces | CppModel::Mute => CppPosition::Pieces(*squares),
        }
    }

    fn state(&mut self, squares: &Board) -> CppMessage {
        let seen = self.seen(squares);
        self.reported = Some(seen);
        CppMessage::State(seen)
    }

    /// Compares the sensed position with the round's position; `None` without a round. A board that detects occupancy
    /// compares only the occupied squares.
    fn compare(&self, squares: &Board) -> Option<CppMessage> {
        let (seen, round) = (self.seen(squares), self.round?);
        let stands = match (seen, round) {
            (CppPosition::Occupied(felt), CppPosition::Pieces(board)) => felt == board.occupied(),
            _ => seen == round,
        };
        Some(if stands { CppMessage::Sync(seen) } else { CppMessage::Unsync { seen, settable: false } })
    }

    fn answer(&mut self, command: &CppCommand, squares: &Board) -> Option<CppMessage> {
        match command {
            CppCommand::Feature(_) | CppCommand::Variant(_) if self.kind == CppModel::Mute => None,
            CppCommand::Feature(name) => {
                let has = matches!(name.as_str(), "get_state" | "submove_state");
                self.streams |= name == "submove_state";
                Some(if has { CppMessage::Ok } else { CppMessage::Nok })
            }
            CppCommand::Variant(name) => {
                Some(if name == "standard" { CppMessage::Ok } else { CppMessage::Nok })
            }
            CppCommand::GetState => {
                self.round = None;
                Some(self.state(squares))
            }
            CppCommand::Begin(fen) => {
                self.round = CppPosition::parse(fen);
                self.compare(squares)
            }
            CppCommand::Move(_)
            | CppCommand::Promote(_)
            | CppCommand::Ok
            | CppCommand::Nok
            | CppCommand::Other(..) => None,
        }
    }
}

impl Firmware for CppFirmware {
    fn obey(&mut self, bytes: &[u8], squares: &Board, _: Instant, say: &mut Vec<Vec<u8>>) {
        self.greeted = true;
        self.carrier = if bytes.ends_with(b"\n") { Carrier::Stream } else { Carrier::Messages };
        for text in CppDecoder::new(self.carrier).texts(bytes).into_iter().flatten() {
            let answer = CppCommand::parse(&text).and_then(|command| self.answer(&command, squares));
            say.extend(answer.map(|message| framed(&message.to_text(), self.carrier)));
        }
    }

    fn notice(&mut self, _: Square, _: Option<Piece>, squares: &Board, _: Instant, say: &mut Vec<Vec<u8>>) {
        // A board that detects occupancy does not notice when one piece replaces another.
        if self.streams && self.reported != Some(self.seen(squares)) {
            let message = self.state(squares);
            say.push(framed(&message.to_text(), self.carrier));
        }
    }

    fn wake(&mut self, _: Instant) {
        *self = Self::with(self.kind);
    }

    fn tells(&self) -> bool {
        self.greeted
    }
}
