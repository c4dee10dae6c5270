//! Drives a Chessnut board: which commands it gets and when, and what its messages mean.

use tabiya_types::Millis;

use super::codec::{ChessnutCommand, ChessnutDecoder, ChessnutMessage, lamps};
use crate::event::BoardEvent;
use crate::lights::Lights;
use crate::link::Carrier;
use crate::steady::{MakerTiming, Protocol, Report};

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Chessnut {
    decoder: ChessnutDecoder,
    carrier: Carrier,
}

impl Chessnut {
    /// Creates the state of a new connection over this kind of link.
    pub(super) fn new(carrier: Carrier) -> Self {
        Self { decoder: ChessnutDecoder::default(), carrier }
    }
}

impl Protocol for Chessnut {
    /// The maker's software waits 200 ms between writes. The board sends a position every 200 ms, even without a
    /// change.
    fn timing(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(400),
            between: Millis(200),
            answer: Millis(1_500),
            tries: 3,
            poll_after: Millis(1_000),
            dead_after: Millis(3_000),
            lights: Millis(200),
            partial_timeout: Millis(150),
        }
    }

    fn greeting(&mut self) -> Vec<Vec<u8>> {
        self.ask()
    }

    fn ask(&mut self) -> Vec<Vec<u8>> {
        vec![ChessnutCommand::Stream.to_bytes()]
    }

    fn ask_battery(&mut self) -> Vec<Vec<u8>> {
        vec![ChessnutCommand::Battery.to_bytes()]
    }

    fn light(&mut self, lights: &Lights) -> Vec<Vec<u8>> {
        vec![ChessnutCommand::Light(lamps(lights)).to_bytes()]
    }

    fn beep(&mut self, length: Millis) -> Vec<Vec<u8>> {
        vec![ChessnutCommand::Beep(1_000, u16::try_from(length.0).unwrap_or(u16::MAX)).to_bytes()]
    }

    /// Switches to the mode for stored games, in which the board sends no positions.
    fn farewell(&mut self) -> Vec<Vec<u8>> {
        vec![ChessnutCommand::Upload.to_bytes()]
    }

    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        // This message begins a new position. If the previous position is incomplete, its rest never comes, because a
        // link with small packets cut it short.
        if self.carrier == Carrier::Messages && bytes.starts_with(&[0x01, 0x24]) {
            self.decoder.drop_incomplete();
        }
        heard.extend(self.decoder.push(bytes).into_iter().map(|found| match found {
            Ok(ChessnutMessage::Position(board)) => Report::Board(board),
            Ok(ChessnutMessage::Battery(percent, charging)) if percent > 0 => {
                Report::Event(BoardEvent::Battery { percent, charging, low: percent < 10 && !charging })
            }
            Ok(ChessnutMessage::Streams(_) | ChessnutMessage::Battery(..) | ChessnutMessage::Other(_)) => {
                Report::Nothing
            }
            Err(what) => Report::Damage(what),
        }));
    }

    fn discard_partial(&mut self) {
        self.decoder.drop_incomplete();
    }
}
