//! Square Off's text: `code#body*` both ways, the code a number. Squares run by files: a1 a2 … a8, b1 … h8.
//! Source: the notes on other boards, "Square Off", 8.1.

use tabiya_types::{Color, Square, Squares};

use crate::makers::stream::{self, FrameStart, Framed, cut};

/// The longest body: 64 squares, or 64 names of squares.
const LONGEST_BODY: usize = 128;
/// The most digits of a code.
const DIGITS: usize = 2;

/// What a board says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SquareOffMessage {
    /// A new game may begin: the pieces stand.
    Go,
    /// Where something stands.
    Occupied(Squares),
    /// A piece was lifted off this square.
    Lifted(Square),
    /// A piece was put on this square.
    Put(Square),
    /// The battery, as the number that it sends: up to 8 digits, among them perhaps a point.
    Battery(String),
}

/// What a host says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SquareOffCommand {
    /// A new game: say when the pieces stand.
    NewGame,
    /// Tell where something stands.
    Ask,
    /// Light these squares and no others.
    Light(Squares),
    /// Tell the battery.
    Battery,
    /// Show how the game stands.
    Show(GameStatus),
}

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameStatus {
    /// A king is in check.
    Check,
    /// This side has won.
    Wins(Color),
    /// Nobody has.
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

/// All squares, file by file.
fn by_files() -> impl Iterator<Item = Square> {
    (0..64).filter_map(|nth| Square::from_coords(nth / 8, nth % 8))
}

impl SquareOffMessage {
    /// The message's bytes.
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

    /// The message of a code and its body; `None` if it is none that is known.
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
    /// The command's bytes.
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

    /// The command of a code and its body; `None` if it is none that is known.
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

/// Takes messages out of a stream of any pieces.
pub type SquareOffDecoder = stream::StreamDecoder<SquareOffMessage>;

impl Framed for SquareOffMessage {
    fn front(bytes: &[u8]) -> FrameStart<Self> {
        front(bytes, Self::of)
    }
}

/// Takes commands out of a stream of any pieces, as a board does.
#[derive(Clone, Debug, Default)]
pub struct SquareOffCommandDecoder {
    held: Vec<u8>,
}

impl SquareOffCommandDecoder {
    /// Takes bytes in; what they complete comes out.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<SquareOffCommand> {
        self.held.extend_from_slice(bytes);
        cut(&mut self.held, |held| front(held, SquareOffCommand::of)).into_iter().flatten().collect()
    }

    /// The rest of a half command will not come.
    pub fn give_up_half(&mut self) {
        self.held.clear();
    }
}

/// What the bytes at hand begin with.
fn front<T>(held: &[u8], of: fn(&str, &str) -> Option<T>) -> FrameStart<T> {
    let digits = held.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (code, rest) = match held.split_at_checked(digits) {
        Some((_, [])) if digits <= DIGITS => return FrameStart::Half,
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
        (None, _) => FrameStart::Half,
        (Some(end), Some(message)) => FrameStart::Whole(digits + 1 + end + 1, message),
        (Some(_), None) => FrameStart::Noise,
    }
}

#[cfg(test)]
mod tests;
