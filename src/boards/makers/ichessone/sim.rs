//! Simulated firmware of an iChessOne board. It sends positions at each change, at intervals, or on request.

use tabiya_types::{Board, Instant, Millis, Piece, Square, Squares};

use super::codec::{IChessOneCommand, IChessOneMessage};
use crate::human::{Dice, PerMille};
use crate::sim::Firmware;

/// The probability that meaningless bytes precede a position.
const JUNK: PerMille = PerMille(20);

/// The simulated firmware and its state.
#[derive(Debug)]
pub(crate) struct IChessOneFirmware {
    dice: Dice,
    tells: Tells,
    lamps: [u8; 8],
    greeted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tells {
    Nothing,
    Changes,
    Periods { every: Millis, next: Instant },
}

impl IChessOneFirmware {
    /// Creates a board. The seed decides which positions are preceded by meaningless bytes.
    pub(crate) fn new(seed: u64) -> Self {
        Self { dice: Dice::new(seed), tells: Tells::Nothing, lamps: [0; 8], greeted: false }
    }

    fn position(&mut self, squares: &Board) -> Vec<u8> {
        let mut bytes = IChessOneMessage::Position(*squares).to_bytes();
        if self.dice.chance(JUNK) {
            bytes.splice(0..0, [0x00, 0x3D, 0xFF]);
        }
        bytes
    }
}

impl Firmware for IChessOneFirmware {
    fn obey(&mut self, bytes: &[u8], squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        let Some(command) = IChessOneCommand::of(bytes) else { return };
        self.greeted = true;
        match command {
            IChessOneCommand::OnChange => self.tells = Tells::Changes,
            IChessOneCommand::Every(millis) => {
                let every = Millis(u64::from(millis).max(20));
                self.tells = Tells::Periods { every, next: now + every };
            }
            IChessOneCommand::Off => self.tells = Tells::Nothing,
            IChessOneCommand::Position => {
                let position = self.position(squares);
                say.push(position);
            }
            IChessOneCommand::Battery => say.push(IChessOneMessage::Battery(false, 88).to_bytes()),
            IChessOneCommand::Hardware => {
                say.push(IChessOneMessage::Hardware("iChessOne simulated 1.0".to_owned()).to_bytes());
            }
            IChessOneCommand::Light(picture) => {
                if picture.alone {
                    self.lamps = [0; 8];
                }
                for (lamps, more) in self.lamps.iter_mut().zip(picture.ranks) {
                    *lamps |= more;
                }
            }
        }
    }

    fn notice(&mut self, _: Square, _: Option<Piece>, squares: &Board, _: Instant, say: &mut Vec<Vec<u8>>) {
        if self.tells == Tells::Changes {
            let position = self.position(squares);
            say.push(position);
        }
    }

    fn on_time(&mut self, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        if let Tells::Periods { every, next } = &mut self.tells
            && *next <= now
        {
            *next = now + *every;
            let position = self.position(squares);
            say.push(position);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        match self.tells {
            Tells::Periods { next, .. } => Some(next),
            Tells::Nothing | Tells::Changes => None,
        }
    }

    fn wake(&mut self, _: Instant) {
        (self.tells, self.lamps, self.greeted) = (Tells::Nothing, [0; 8], false);
    }

    fn tells(&self) -> bool {
        self.greeted
    }

    fn lit(&self) -> Squares {
        let shines = |square: &Square| {
            let rank = self.lamps.get(usize::from(7 - square.rank())).copied().unwrap_or(0);
            rank >> square.file() & 1 == 1
        };
        Square::all().filter(shines).collect()
    }
}
