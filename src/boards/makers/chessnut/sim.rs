//! Simulated firmware of a Chessnut board: after the command to stream, it sends a position every 200 ms.

use tabiya_types::{Board, Instant, Millis, Piece, Square, Squares};

use super::codec::{ChessnutCommand, ChessnutMessage};
use crate::sim::Firmware;

/// The time between two positions.
const EVERY: Millis = Millis(200);

/// The simulated firmware and its state.
#[derive(Debug, Default)]
pub(crate) struct ChessnutFirmware {
    /// The time at which the next position is sent; `None` while the board does not stream positions.
    next: Option<Instant>,
    lamps: [u8; 8],
}

impl Firmware for ChessnutFirmware {
    fn obey(&mut self, bytes: &[u8], _: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        match ChessnutCommand::of(bytes) {
            Some(ChessnutCommand::Stream) => {
                self.next = self.next.or(Some(now + EVERY));
                say.push(ChessnutMessage::Streams(true).to_bytes());
            }
            Some(ChessnutCommand::Upload) => self.next = None,
            Some(ChessnutCommand::Light(lamps)) => {
                self.lamps = lamps;
                say.push(ChessnutMessage::Streams(true).to_bytes());
            }
            Some(ChessnutCommand::Battery) => say.push(ChessnutMessage::Battery(88, false).to_bytes()),
            Some(ChessnutCommand::Beep(..)) | None => {}
        }
    }

    fn notice(&mut self, _: Square, _: Option<Piece>, _: &Board, _: Instant, _: &mut Vec<Vec<u8>>) {}

    fn on_time(&mut self, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        if self.next.is_some_and(|next| next <= now) {
            self.next = Some(now + EVERY);
            say.push(ChessnutMessage::Position(*squares).to_bytes());
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.next
    }

    fn wake(&mut self, _: Instant) {
        *self = Self::default();
    }

    fn tells(&self) -> bool {
        self.next.is_some()
    }

    fn lit(&self) -> Squares {
        let shines = |square: &Square| {
            let rank = self.lamps.get(usize::from(7 - square.rank())).copied().unwrap_or(0);
            rank & 0x80 >> square.file() != 0
        };
        Square::all().filter(shines).collect()
    }
}
