//! The messages and commands that only the Pegasus uses, expressed as DGT messages and commands.
//!
//! Source: the project's DGT protocol notes, sections 4.2 to 4.5.

use tabiya_types::{Board, Color, Piece, Role, Square, Squares};

use crate::makers::dgt::codec::{
    DgtCommand, DgtDamage, DgtDecoder, DgtMessage, ID_DUMP, square_from_wire, wire_square,
};

/// The code that a locked board reports for every square. It is not a piece code.
const LOCKED: u8 = 0x7F;
/// The id of the command for the lights.
const ID_LIGHTS: u8 = 0x60;
/// The id of the command with the developer key.
pub(super) const ID_KEY: u8 = 0x63;
/// A Pegasus cannot tell pieces apart: it reports this piece, with the code 1, on every occupied square.
const SOMETHING: Piece = Piece { color: Color::White, role: Role::Pawn };

/// A developer key: six bytes below 128.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnlockKey(pub [u8; 6]);

impl UnlockKey {
    /// Parses a key of twelve hex digits. Spaces and punctuation are ignored. Returns `None` if the key is malformed.
    pub fn parse(text: &str) -> Option<Self> {
        let digits: Vec<u8> = text
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|digit| digit.to_digit(16))
            .map(small)
            .collect::<Option<_>>()?;
        let bytes: Vec<u8> =
            digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect();
        let whole = digits.len() == 12 && bytes.iter().all(|byte| *byte < 0x80);
        Some(Self(bytes.try_into().ok().filter(|_| whole)?))
    }

    /// Returns the command that gives the board this key. The board does not answer it.
    pub fn command(self) -> DgtCommand {
        DgtCommand::Argued { id: ID_KEY, body: [self.0.as_slice(), &[0]].concat() }
    }

    /// Returns the key in a command; `None` if the command contains no key.
    pub fn of(command: &DgtCommand) -> Option<Self> {
        match command {
            DgtCommand::Argued { id: ID_KEY, body } => match body.as_slice() {
                [key @ .., 0] => Some(Self(key.try_into().ok()?)),
                _ => None,
            },
            _ => None,
        }
    }
}

fn small(digit: Option<u32>) -> Option<u8> {
    digit.and_then(|digit| u8::try_from(digit).ok())
}

/// The lit squares, and how they light up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lit {
    /// The speed: 1..=7 lights one square after the other, 64 nearly all at once.
    pub speed: u8,
    /// The number of flashes. With 0, the squares flash until something changes on the board.
    pub repeat: u8,
    /// The brightness: 1 is the brightest, and larger numbers are dimmer. 0 must not be used.
    pub bright: u8,
    /// The squares, in the order in which they light up.
    pub squares: Vec<Square>,
}

impl Lit {
    /// No lit squares.
    pub const DARK: Self = Self { speed: 0, repeat: 0, bright: 0, squares: Vec::new() };

    /// Returns the command that sets these lights.
    pub fn command(&self) -> DgtCommand {
        if self.squares.is_empty() {
            return DgtCommand::Argued { id: ID_LIGHTS, body: vec![0, 0] };
        }
        let squares = self.squares.iter().map(|square| wire_square(*square));
        let body = [5, self.speed, self.repeat, self.bright].into_iter().chain(squares).chain([0]).collect();
        DgtCommand::Argued { id: ID_LIGHTS, body }
    }

    /// Returns the lights that a command sets; `None` if the command sets no lights.
    pub fn of(command: &DgtCommand) -> Option<Self> {
        let DgtCommand::Argued { id: ID_LIGHTS, body } = command else { return None };
        match body.as_slice() {
            [0, 0] => Some(Self::DARK),
            [5, speed, repeat, bright, squares @ .., 0] => {
                let squares =
                    squares.iter().map(|number| square_from_wire(*number)).collect::<Option<_>>()?;
                Some(Self { speed: *speed, repeat: *repeat, bright: *bright, squares })
            }
            _ => None,
        }
    }
}

/// Returns the message that reports all squares, with these squares occupied.
pub fn dump(squares: Squares) -> DgtMessage {
    let mut board = Board::EMPTY;
    squares.iter().for_each(|square| board[square] = Some(SOMETHING));
    DgtMessage::Dump(board)
}

/// Returns the message that a square became occupied or empty.
pub fn field(square: Square, full: bool) -> DgtMessage {
    DgtMessage::Field { square, piece: full.then_some(SOMETHING) }
}

/// Returns the message with which a locked board reports all squares.
pub fn locked() -> DgtMessage {
    DgtMessage::Other { id: ID_DUMP, body: vec![LOCKED; 64] }
}

/// Returns whether the decoder reported this damage because a locked board sent its report of all squares. In that case
/// the bytes were not damaged.
pub fn is_locked(damage: &DgtDamage) -> bool {
    *damage == DgtDamage::Piece { code: LOCKED }
}

/// Returns all messages that these bytes complete.
pub fn read(decoder: &mut DgtDecoder, bytes: &[u8]) -> Vec<Result<DgtMessage, DgtDamage>> {
    bytes.iter().filter_map(|byte| decoder.push(*byte)).collect()
}

#[cfg(test)]
mod tests {
    //! Tests against the worked vectors of the DGT protocol notes, section 8.5, and against the laws.

    use proptest::prelude::*;

    use super::*;
    use crate::makers::dgt::codec::{Battery, Version};
    use crate::makers::dgt::laws::decoder_law;
    use crate::makers::pegasus::laws::{command_law, key_law};

    const START: Squares = Squares::from_bits(0xFFFF_0000_0000_FFFF);

    fn hex(text: &str) -> Vec<u8> {
        text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect()
    }

    fn at(name: &str) -> Square {
        name.parse().expect("a square")
    }

    fn all(bytes: &[u8]) -> Vec<Result<DgtMessage, DgtDamage>> {
        read(&mut DgtDecoder::new(), bytes)
    }

    fn start() -> Vec<u8> {
        [hex("86 00 43"), vec![1; 16], vec![0; 32], vec![1; 16]].concat()
    }

    #[test]
    fn dumps_and_changes_are_the_worked_vectors() {
        assert_eq!(dump(START).to_bytes(), start());
        assert_eq!(all(&start()), [Ok(dump(START))]);
        let locked_dump = [hex("86 00 43"), vec![0x7F; 64]].concat();
        assert_eq!(locked().to_bytes(), locked_dump);
        let found = all(&locked_dump);
        assert!(matches!(found.as_slice(), [Err(damage)] if is_locked(damage)), "{found:?}");
        let moved = hex("8E 00 05 34 00 8E 00 05 24 01");
        assert_eq!(all(&moved), [Ok(field(at("e2"), false)), Ok(field(at("e4"), true))]);
        assert_eq!(
            [field(at("e2"), false), field(at("e4"), true)].map(|message| message.to_bytes()).concat(),
            moved
        );
    }

    #[test]
    fn what_it_says_of_itself_is_the_worked_vectors() {
        assert_eq!(all(&hex("A5 00 04 01")), [Ok(DgtMessage::Other { id: 0xA5, body: vec![1] })]);
        let found = all(&hex("A0 00 0C 58 00 00 00 00 00 00 00 02"));
        let [Ok(DgtMessage::Battery(Battery { percent: 88, status: 2, .. }))] = found.as_slice() else {
            panic!("{found:?}")
        };
        let version = Version { main: 1, sub: 0 };
        assert_eq!(
            all(&hex("93 00 05 01 00 96 00 05 01 00 8F 00 03")),
            [
                Ok(DgtMessage::Version(version)),
                Ok(DgtMessage::HardwareVersion(version)),
                Ok(DgtMessage::Log { len: 0 })
            ]
        );
    }

    #[test]
    fn lights_and_keys_are_the_worked_vectors() {
        let walk = Lit { speed: 2, repeat: 0, bright: 5, squares: vec![at("e2"), at("e4")] };
        let flash = Lit { speed: 7, repeat: 1, bright: 1, squares: vec![at("c8")] };
        let cases = [
            (walk, "60 07 05 02 00 05 34 24 00"),
            (flash, "60 06 05 07 01 01 02 00"),
            (Lit::DARK, "60 02 00 00"),
        ];
        for (lit, bytes) in cases {
            assert_eq!(lit.command().to_bytes(), hex(bytes));
            assert_eq!(Lit::of(&lit.command()), Some(lit));
        }
        let key = UnlockKey::parse("11 22 33 44 55 66").expect("a key");
        assert_eq!(key.command().to_bytes(), hex("63 07 11 22 33 44 55 66 00"));
        assert_eq!(UnlockKey::of(&key.command()), Some(key));
        assert_eq!(UnlockKey::parse("112233445566"), Some(key));
        for wrong in ["", "11 22 33 44 55", "11 22 33 44 55 6", "11 22 33 44 55 86", "11 22 33 44 55 6g"] {
            assert_eq!(UnlockKey::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn notifications_and_messages_are_independent() {
        let cut = [20, 40, 60];
        let bytes = [start(), hex("8E 00 05 34 00 8E 00 05 24 01")].concat();
        let expected = [Ok(dump(START)), Ok(field(at("e2"), false)), Ok(field(at("e4"), true))];
        let mut decoder = DgtDecoder::new();
        let ends = cut.into_iter().chain([bytes.len()]);
        let starts = [0].into_iter().chain(cut);
        let found: Vec<_> = starts
            .zip(ends)
            .flat_map(|(from, to)| read(&mut decoder, bytes.get(from..to).expect("it is long enough")))
            .collect();
        assert_eq!(found, expected);
        for size in 1..=bytes.len() {
            let mut decoder = DgtDecoder::new();
            let found: Vec<_> = bytes.chunks(size).flat_map(|piece| read(&mut decoder, piece)).collect();
            assert_eq!(found, expected, "{size}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_keep_the_laws(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            command_law(&bytes);
            decoder_law(&bytes);
        }

        #[test]
        fn any_likely_commands_keep_the_laws(
            bytes in proptest::collection::vec(prop_oneof![Just(0x60_u8), Just(0x63), 0_u8..9, any::<u8>()], 0..200)
        ) {
            command_law(&bytes);
        }

        #[test]
        fn any_key_keeps_its_law(text in "[0-9a-fA-F :-]{0,24}") {
            key_law(&text);
        }
    }
}
