//! The internal log of a DGT board: changes of squares and presses of the clock, in their true order, since the board
//! was switched on.
//!
//! In single mode, a board sends its full log at once. On the tournament bus, each answer contains the new entries.
//! Changes of squares have no times, only a mark if the previous change was less than about 250 ms before.
//!
//! Source: the project's DGT protocol notes, section "EE_MOVES: the board's own log". Checked by: the example in the
//! notes and the laws in `laws.rs`. Not tested with hardware.

use tabiya_types::{Piece, Square};

use super::{Content, DgtDamage, SideTime, Signal, piece_code, square_from_wire, wire_square};

/// Flag: less than about 250 ms passed since the previous change.
const SOON: u8 = 0x10;
/// Flag: the entry contains the time of the left display.
const LEFT: u8 = 0x10;
/// The first byte of an entry for a square that became empty. If a piece was put on the square, the first byte also
/// contains the piece's code.
const CHANGE: u8 = 0x40;
/// The first byte of an entry with a time of 0 hours on the right display. For any other time, the first byte also
/// contains the hours, the flag [`LEFT`], or both.
const TIME: u8 = 0x60;

/// An entry of the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogEntry {
    /// A square changed.
    Square {
        /// The square.
        square: Square,
        /// The piece that is now on the square; `None` if the square is empty.
        piece: Option<Piece>,
        /// Whether the previous change of a square was less than about 250 ms before.
        soon: bool,
    },
    /// A signal piece was put on a square.
    Signal {
        /// The square.
        square: Square,
        /// The meaning of the signal piece.
        signal: Signal,
        /// Whether the previous change of a square was less than about 250 ms before.
        soon: bool,
    },
    /// A player pressed the clock, which stopped the player's own time.
    Press {
        /// Whether the left side was pressed, as seen from the front of the clock.
        left: bool,
        /// The time on the display of the pressed side at the moment when that side's clock stops. The display's
        /// indicators are not included.
        time: SideTime,
    },
    /// An entry of one byte, which marks an event.
    Tag(LogTag),
}

/// The meaning of a log entry of one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogTag {
    /// The board was switched on. An entry for each piece on the board follows.
    PowerUp,
    /// The end of the log.
    End,
    /// Four ranks are full, but the position is not the start position of chess.
    FourRanksFull,
    /// The board is empty.
    Empty,
    /// The log was downloaded.
    Read,
    /// The board shows the start position of chess.
    Start,
    /// The board shows the start position of chess with the connector on White's right.
    TurnedStart,
    /// The host announced a new game. An entry for each piece on the board follows.
    Game,
    /// The board had stopped working and was restarted by its watchdog.
    Watchdog,
    /// A reserved byte: 0x7D or 0x7E.
    Reserved(u8),
    /// Filler without a meaning: 0x7F, or 0x00 between entries.
    Filler(u8),
}

impl LogTag {
    fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0x6A => Self::PowerUp,
            0x6B => Self::End,
            0x6C => Self::FourRanksFull,
            0x6D => Self::Empty,
            0x6E => Self::Read,
            0x6F => Self::Start,
            0x7A => Self::TurnedStart,
            0x7B => Self::Game,
            0x7C => Self::Watchdog,
            0x7D | 0x7E => Self::Reserved(byte),
            0x7F | 0x00 => Self::Filler(byte),
            _ => return None,
        })
    }

    fn byte(self) -> u8 {
        match self {
            Self::PowerUp => 0x6A,
            Self::End => 0x6B,
            Self::FourRanksFull => 0x6C,
            Self::Empty => 0x6D,
            Self::Read => 0x6E,
            Self::Start => 0x6F,
            Self::TurnedStart => 0x7A,
            Self::Game => 0x7B,
            Self::Watchdog => 0x7C,
            Self::Reserved(byte) | Self::Filler(byte) => byte,
        }
    }
}

impl LogEntry {
    /// Appends the bytes of the entry: one for a [`LogTag`], two for a changed square, three for a press.
    pub fn encode(self, out: &mut Vec<u8>) {
        let change = |code: u8, soon: bool| CHANGE | code | if soon { SOON } else { 0 };
        match self {
            Self::Square { square, piece, soon } => {
                out.extend([change(piece_code(piece), soon), wire_square(square)]);
            }
            Self::Signal { square, signal, soon } => {
                out.extend([change(Content::Signal(signal).code(), soon), wire_square(square)]);
            }
            Self::Press { left, time } => {
                let [hours, minutes, seconds] = SideTime::from_secs(time.secs().into()).encode();
                out.extend([TIME | if left { LEFT } else { 0 } | hours, minutes, seconds]);
            }
            Self::Tag(tag) => out.push(tag.byte()),
        }
    }

    /// Returns the length of the entry in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::Tag(_) => 1,
            Self::Square { .. } | Self::Signal { .. } => 2,
            Self::Press { .. } => 3,
        }
    }

    /// Decodes the entry at the beginning of `bytes`. Returns the entry and its length in bytes.
    fn first(bytes: &[u8]) -> Result<(Self, usize), DgtDamage> {
        let &[byte, ref rest @ ..] = bytes else { return Err(DgtDamage::EntryCut) };
        if let Some(tag) = LogTag::from_byte(byte) {
            return Ok((Self::Tag(tag), 1));
        }
        match (byte, rest) {
            (0x40..=0x5F, &[number, ..]) => {
                let square = square_from_wire(number).ok_or(DgtDamage::Square { number })?;
                let soon = byte & SOON != 0;
                let entry = match Content::from_code(byte & 0x0F)? {
                    Content::Piece(piece) => Self::Square { square, piece, soon },
                    Content::Signal(signal) => Self::Signal { square, signal, soon },
                };
                Ok((entry, 2))
            }
            (0x60..=0x69 | 0x70..=0x79, &[minutes, seconds, ..]) => {
                let time = SideTime::decode(byte & 0x0F, minutes, seconds)?;
                Ok((Self::Press { left: byte & LEFT != 0, time }, 3))
            }
            (0x40..=0x79, _) => Err(DgtDamage::EntryCut),
            _ => Err(DgtDamage::Entry { byte }),
        }
    }
}

/// Decodes a log, or a part of a log that starts with an entry. Bytes that are no entry are skipped one by one, and a
/// run of such bytes is reported once. A full log overwrites its oldest bytes, so it may start in the middle of an
/// entry.
pub fn entries(log: &[u8]) -> impl Iterator<Item = Result<LogEntry, DgtDamage>> + '_ {
    let (mut left, mut lost) = (log, false);
    std::iter::from_fn(move || {
        while !left.is_empty() {
            match LogEntry::first(left) {
                Ok((entry, length)) => {
                    left = left.get(length..).unwrap_or_default();
                    lost = false;
                    return Some(Ok(entry));
                }
                Err(damage) => {
                    left = left.get(1..).unwrap_or_default();
                    if !std::mem::replace(&mut lost, true) {
                        return Some(Err(damage));
                    }
                }
            }
        }
        None
    })
}

/// Encodes these entries.
pub fn write_entries(entries: impl IntoIterator<Item = LogEntry>) -> Vec<u8> {
    let mut out = Vec::new();
    entries.into_iter().for_each(|entry| entry.encode(&mut out));
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tabiya_types::Board;

    use super::*;
    use crate::makers::dgt::laws::log_law;

    /// The example log of the DGT protocol notes (vector V19), without its frame.
    const LOG: [u8; 20] = [
        0x7F, 0x7F, 0x7F, 0x6A, 0x6F, 0x40, 0x34, 0x41, 0x24, 0x71, 0x29, 0x58, 0x40, 0x0C, 0x57, 0x1C, 0x61,
        0x30, 0x00, 0x6B,
    ];

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    #[test]
    fn the_notes_own_log_is_understood_and_written_back() {
        let change = |name: &str, letter: char, soon| LogEntry::Square {
            square: square(name),
            piece: Piece::from_letter(letter),
            soon,
        };
        let press = |left, secs| LogEntry::Press { left, time: SideTime::from_secs(secs) };
        let wanted = [
            LogEntry::Tag(LogTag::Filler(0x7F)),
            LogEntry::Tag(LogTag::Filler(0x7F)),
            LogEntry::Tag(LogTag::Filler(0x7F)),
            LogEntry::Tag(LogTag::PowerUp),
            LogEntry::Tag(LogTag::Start),
            change("e2", '-', false),
            change("e4", 'P', false),
            press(true, 5_398),
            change("e7", '-', false),
            change("e5", 'p', true),
            press(false, 5_400),
            LogEntry::Tag(LogTag::End),
        ];
        let read: Vec<_> = entries(&LOG).collect();
        assert_eq!(read, wanted.map(Ok));
        assert_eq!(write_entries(wanted), LOG);
    }

    #[test]
    fn every_tag_and_both_kinds_of_filler_keep_their_byte() {
        for byte in [0x00].into_iter().chain(0x6A..=0x6F).chain(0x7A..=0x7F) {
            let read: Vec<_> = entries(&[byte]).collect();
            let [Ok(LogEntry::Tag(tag))] = read.as_slice() else { panic!("{byte:02x}: {read:?}") };
            assert_eq!(tag.byte(), byte);
        }
    }

    #[test]
    fn signal_pieces_are_noted_too() {
        let read: Vec<_> = entries(&[0x4E, 0x24]).collect();
        let signal = Signal::WhiteWins;
        assert_eq!(read, [Ok(LogEntry::Signal { square: square("e4"), signal, soon: false })]);
    }

    #[test]
    fn the_rest_of_an_overwritten_entry_is_skipped_and_told_once() {
        let read: Vec<_> = entries(&[0x29, 0x38, 0x40, 0x34, 0x6B]).collect();
        let lifted = LogEntry::Square { square: square("e2"), piece: None, soon: false };
        assert_eq!(read, [Err(DgtDamage::Entry { byte: 0x29 }), Ok(lifted), Ok(LogEntry::Tag(LogTag::End))]);
    }

    #[test]
    fn an_entry_that_ends_too_soon_is_told() {
        for cut in [&[0x40][..], &[0x71, 0x29], &[0x60]] {
            let first = entries(cut).next();
            assert_eq!(first, Some(Err(DgtDamage::EntryCut)), "{cut:02x?}");
        }
    }

    #[test]
    fn a_time_that_no_clock_shows_and_a_square_that_no_board_has_are_told() {
        let time = entries(&[0x61, 0x60, 0x00]).next();
        assert_eq!(time, Some(Err(DgtDamage::Time { hours: 1, minutes: 0x60, seconds: 0 })));
        assert_eq!(entries(&[0x41, 0x40]).next(), Some(Err(DgtDamage::Square { number: 64 })));
    }

    #[test]
    fn all_pieces_of_a_board_are_written_and_read_as_the_same_board() {
        let start: Board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().expect("a board");
        let changes =
            start.pieces().map(|(square, piece)| LogEntry::Square { square, piece: Some(piece), soon: true });
        let mut read = Board::EMPTY;
        for entry in entries(&write_entries(changes)) {
            let Ok(LogEntry::Square { square, piece, .. }) = entry else { panic!("{entry:?}") };
            read[square] = piece;
        }
        assert_eq!(read, start);
    }

    proptest! {
        #[test]
        fn any_bytes_keep_the_law_of_the_log(log in proptest::collection::vec(0_u8..128, 0..80)) {
            log_law(&log);
        }
    }
}
