//! Simulated firmware of a Pegasus. It is locked until it gets its key. It loses commands that follow each other too
//! quickly.

use tabiya_types::{Board, Instant, Millis, Piece, Square, Squares};

use super::codec::{Lit, UnlockKey, dump, field, locked};
use crate::makers::dgt::codec::{Battery, DgtCommand, DgtCommandDecoder, DgtMessage, Version};
use crate::notes::Notes;
use crate::sim::Firmware;

/// The key that simulated boards accept. No real board accepts it.
const KEY: UnlockKey = UnlockKey(*b"TABIYA");
/// A command is ignored if it follows another command within this time.
const BURST: Millis = Millis(100);

/// The simulated firmware and its state.
#[derive(Default)]
pub(crate) struct PegasusFirmware {
    commands: DgtCommandDecoder,
    open: bool,
    streams: bool,
    greeted: bool,
    felt: Squares,
    lit: Squares,
    last: Option<Instant>,
}

impl PegasusFirmware {
    fn answer(&mut self, command: &DgtCommand) -> Option<DgtMessage> {
        let version = Version { main: 1, sub: 0 };
        Some(match command {
            DgtCommand::SendBoard if self.open => dump(self.felt),
            DgtCommand::SendBoard => locked(),
            DgtCommand::UpdateBoard => {
                self.streams = true;
                return None;
            }
            DgtCommand::Serial => DgtMessage::Serial("00000".to_owned()),
            DgtCommand::LongSerial => DgtMessage::LongSerial("P000012345".to_owned()),
            DgtCommand::BusAddress => DgtMessage::BusAddress(0),
            DgtCommand::Trademark => {
                DgtMessage::Trademark("A simulated board.\r\nserial no: P00012345".to_owned())
            }
            DgtCommand::Version => DgtMessage::Version(version),
            DgtCommand::HardwareVersion => DgtMessage::HardwareVersion(version),
            DgtCommand::Log => DgtMessage::Log { len: 0 },
            DgtCommand::Battery => {
                DgtMessage::Battery(Battery { percent: 88, status: 2, ..Battery::default() })
            }
            other => {
                self.open |= UnlockKey::of(other) == Some(KEY);
                if let Some(lit) = Lit::of(other).filter(|_| self.open) {
                    self.lit = lit.squares.into_iter().collect();
                }
                return None;
            }
        })
    }
}

impl Firmware for PegasusFirmware {
    fn obey(&mut self, bytes: &[u8], squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        let hurried = self.last.replace(now).is_some_and(|last| now.since(last) < BURST);
        self.greeted = true;
        self.felt = squares.occupied();
        let commands: Vec<DgtCommand> = bytes.iter().filter_map(|byte| self.commands.push(*byte)).collect();
        for command in commands.iter().filter(|_| !hurried) {
            say.extend(self.answer(command).map(|message| message.to_bytes()));
        }
    }

    fn notice(&mut self, square: Square, what: Option<Piece>, _: &Board, _: Instant, say: &mut Vec<Vec<u8>>) {
        // The board does not notice when one piece replaces another.
        if self.felt.has(square) == what.is_some() {
            return;
        }
        self.felt.set(square, what.is_some());
        self.lit = Squares::NONE;
        if self.open && self.streams {
            say.push(field(square, what.is_some()).to_bytes());
        }
    }

    fn wake(&mut self, _: Instant) {
        *self = Self { felt: self.felt, ..Self::default() };
    }

    fn tells(&self) -> bool {
        self.greeted && self.streams
    }

    fn lit(&self) -> Squares {
        self.lit
    }

    fn notes(&self) -> Notes {
        let key = KEY.0.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        [("developer-key", key)].into_iter().collect()
    }
}
