//! Simulated firmware of a Square Off board. It reports lifts and placements when they happen, and all occupied
//! squares on request.

use tabiya_types::{Board, Instant, Piece, Square, Squares};

use super::codec::{SquareOffCommand, SquareOffCommandDecoder, SquareOffMessage};
use crate::human::{Dice, PerMille};
use crate::sim::Firmware;

/// The probability that the report of a lift or placement is lost.
const LOST: PerMille = PerMille(10);
/// The occupied squares in the start position of chess.
const START: Squares = Squares::from_bits(0xFFFF_0000_0000_FFFF);

/// The simulated firmware and its state.
#[derive(Debug)]
pub(crate) struct SquareOffFirmware {
    commands: SquareOffCommandDecoder,
    dice: Dice,
    felt: Squares,
    lit: Squares,
    /// Whether a new game was requested but the start position is not set up yet.
    waits: bool,
    greeted: bool,
}

impl SquareOffFirmware {
    /// Creates a board. The seed decides which reports are lost.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            commands: SquareOffCommandDecoder::default(),
            dice: Dice::new(seed),
            felt: Squares::NONE,
            lit: Squares::NONE,
            waits: false,
            greeted: false,
        }
    }

    fn go(&mut self, say: &mut Vec<Vec<u8>>) {
        if self.waits && self.felt == START {
            self.waits = false;
            say.push(SquareOffMessage::Go.to_bytes());
        }
    }
}

impl Firmware for SquareOffFirmware {
    fn obey(&mut self, bytes: &[u8], squares: &Board, _: Instant, say: &mut Vec<Vec<u8>>) {
        self.greeted = true;
        self.felt = squares.occupied();
        for command in self.commands.push(bytes) {
            match command {
                SquareOffCommand::NewGame => {
                    self.waits = true;
                    self.go(say);
                }
                SquareOffCommand::Ask => say.push(SquareOffMessage::Occupied(self.felt).to_bytes()),
                SquareOffCommand::Light(squares) => self.lit = squares,
                SquareOffCommand::Battery => {
                    say.push(SquareOffMessage::Battery("4.02".to_owned()).to_bytes());
                }
                SquareOffCommand::Show(_) => {}
            }
        }
    }

    fn notice(&mut self, square: Square, what: Option<Piece>, _: &Board, _: Instant, say: &mut Vec<Vec<u8>>) {
        // The board does not notice when one piece replaces another.
        if self.felt.has(square) == what.is_some() {
            return;
        }
        self.felt.set(square, what.is_some());
        let message =
            if what.is_some() { SquareOffMessage::Put(square) } else { SquareOffMessage::Lifted(square) };
        if !self.dice.chance(LOST) {
            say.push(message.to_bytes());
        }
        self.go(say);
    }

    fn wake(&mut self, _: Instant) {
        (self.lit, self.waits, self.greeted) = (Squares::NONE, false, false);
    }

    fn tells(&self) -> bool {
        self.greeted
    }

    fn lit(&self) -> Squares {
        self.lit
    }
}
