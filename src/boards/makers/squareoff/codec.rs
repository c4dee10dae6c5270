//! Codec for Square Off boards. Messages and commands are text of the form `code#body*` with a decimal code. The
//! squares are in the order a1 a2 … a8, b1 … h8.
//!
//! Source: the project's protocol notes on non-DGT boards, "Square Off", 8.1.

use tabiya_types::{Color, Square, Squares};

use crate::makers::stream::{self, FrameStart, Framed, cut};

/// The longest body, in characters: 64 squares, or the names of 64 squares.
const LONGEST_BODY: usize = 128;
/// The largest number of digits in a code.
const DIGITS: usize = 2;

/// A message from the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SquareOffMessage {
    /// The start position is set up, so a new game may begin.
    Go,
    /// The occupied squares.
    Occupied(Squares),
    /// A piece was lifted from this square.
    Lifted(Square),
    /// A piece was placed on this square.
    Put(Square),
    /// The battery state as the board sends it: a number of up to 8 characters, perhaps with a decimal point.
    Battery(String),
}

/// A command to the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SquareOffCommand {
    /// Start a new game; the board answers when the start position is set up.
    NewGame,
    /// Ask for the occupied squares.
    Ask,
    /// Light these squares and switch off all others.
    Light(Squares),
    /// Ask for the battery state.
    Battery,
    /// Show the status of the game.
    Show(GameStatus),
}

/// The status of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameStatus {
    /// A king is in check.
    Check,
    /// This player has won.
    Wins(Color),
    /// The game is drawn.
    Draw,
}

impl GameStatus {
    const ALL: [Self; 4] = [Self::Check, Self::Wins(Color::Black), Self::Wins(Color::White), Self::Draw];

    fn word(self) -> &'static str {
        match self {
            Self::Check => "ck",
            Self::Wins(Color::Black) => "bl",
            Self::Wins(Color::White) => "wt",
            Self::Draw => "dw",
        }
    }
}

/// Returns all squares, file by file.
fn by_files() -> impl Iterator<Item = Square> {
    (0..64).filter_map(|nth| Square::from_coords(nth / 8, nth % 8))
}

impl SquareOffMessage {
    /// Returns the bytes of the message.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Go => "14#GO*".to_owned(),
            Self::Occupied(squares) => {
                let digits = by_files().map(|square| if squares.has(square) { '1' } else { '0' });
                format!("30#{}*", digits.collect::<String>())
            }
            Self::Lifted(square) => format!("0#{square}u*"),
            Self::Put(square) => format!("0#{square}d*"),
            Self::Battery(number) => format!("22#{number}*"),
        }
        .into_bytes()
    }

    /// Decodes a message from its code and body; `None` if it is unknown or malformed.
    fn of(code: &str, body: &str) -> Option<Self> {
        Some(match (code, body) {
            ("14", "GO") => Self::Go,
            ("30", squares)
                if squares.len() == 64 && squares.bytes().all(|digit| matches!(digit, b'0' | b'1')) =>
            {
                let full = by_files().zip(squares.bytes()).filter(|(_, digit)| *digit == b'1');
                Self::Occupied(full.map(|(square, _)| square).collect())
            }
            ("0", change) => match change.split_at_checked(2)? {
                (square, "u") => Self::Lifted(square.parse().ok()?),
                (square, "d") => Self::Put(square.parse().ok()?),
                _ => return None,
            },
            ("22", number) if (1..=8).contains(&number.len()) && number.bytes().all(is_of_number) => {
                Self::Battery(number.to_owned())
            }
            _ => return None,
        })
    }
}

fn is_of_number(letter: u8) -> bool {
    letter.is_ascii_digit() || letter == b'.'
}

impl SquareOffCommand {
    /// Returns the bytes of the command.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::NewGame => "14#1*".to_owned(),
            Self::Ask => "30#R*".to_owned(),
            Self::Light(squares) => {
                let names = squares.iter().map(|square| square.to_string()).collect::<String>();
                format!("25#{names}*")
            }
            Self::Battery => "4#*".to_owned(),
            Self::Show(shown) => format!("27#{}*", shown.word()),
        }
        .into_bytes()
    }

    /// Decodes a command from its code and body; `None` if it is unknown or malformed.
    fn of(code: &str, body: &str) -> Option<Self> {
        Some(match (code, body) {
            ("14", "1") => Self::NewGame,
            ("30", "R") => Self::Ask,
            ("4", "") => Self::Battery,
            ("25", names) => {
                let name = |pair: &[u8]| std::str::from_utf8(pair).ok()?.parse().ok();
                Self::Light(names.as_bytes().chunks(2).map(name).collect::<Option<_>>()?)
            }
            ("27", word) => Self::Show(GameStatus::ALL.into_iter().find(|shown| shown.word() == word)?),
            _ => return None,
        })
    }
}

/// Extracts messages from a byte stream that arrives in chunks of any size.
pub type SquareOffDecoder = stream::StreamDecoder<SquareOffMessage>;

impl Framed for SquareOffMessage {
    fn first_frame(bytes: &[u8]) -> FrameStart<Self> {
        front(bytes, Self::of)
    }
}

/// Extracts commands from a byte stream that arrives in chunks of any size, as a board does.
#[derive(Clone, Debug, Default)]
pub struct SquareOffCommandDecoder {
    held: Vec<u8>,
}

impl SquareOffCommandDecoder {
    /// Appends received bytes and returns the commands that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<SquareOffCommand> {
        self.held.extend_from_slice(bytes);
        cut(&mut self.held, |held| front(held, SquareOffCommand::of)).into_iter().flatten().collect()
    }

    /// Drops an incomplete command whose remaining bytes did not arrive in time.
    pub fn drop_incomplete(&mut self) {
        self.held.clear();
    }
}

/// Finds the message or command at the beginning of the received bytes.
fn front<T>(held: &[u8], of: fn(&str, &str) -> Option<T>) -> FrameStart<T> {
    let digits = held.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (code, rest) = match held.split_at_checked(digits) {
        Some((_, [])) if digits <= DIGITS => return FrameStart::Incomplete,
        Some((code, [b'#', rest @ ..])) if (1..=DIGITS).contains(&digits) => (code, rest),
        _ => return FrameStart::Noise,
    };
    let end = rest.iter().position(|byte| *byte == b'*');
    let body = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    if body.len() > LONGEST_BODY || !body.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'.') {
        return FrameStart::Noise;
    }
    let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
    match (end, of(text(code), text(body))) {
        (None, _) => FrameStart::Incomplete,
        (Some(end), Some(message)) => FrameStart::Complete(digits + 1 + end + 1, message),
        (Some(_), None) => FrameStart::Noise,
    }
}

#[cfg(test)]
mod tests;
