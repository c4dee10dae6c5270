//! The Chess Peripheral Protocol's words: a command, and after a blank what it is about. As messages each is one
//! command; as a stream each ends with a line feed. Source: the notes on other boards, "CPP", 13.1 to 13.3.

use tabiya_types::{Board, Square, Squares};

use crate::link::Carrier;
use crate::makers::stream::{FrameStart, cut};

/// The longest command, in bytes: the usual firmware has room for a hundred.
const LONGEST: usize = 256;

/// What a board sees, as its FEN tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CppPosition {
    /// Pieces, each known.
    Pieces(Board),
    /// Something, of which at most the colour is known.
    Occupied(Squares),
    /// Nothing at all, which both kinds of boards tell alike.
    Empty,
}

impl CppPosition {
    /// What the first word of a FEN tells: eight ranks, with `?`, `U` and `u` for what is not known. `None` for what is
    /// no such FEN.
    pub fn parse(fen: &str) -> Option<Self> {
        let placement = fen.split(' ').next()?;
        let unknown = |letter: char| matches!(letter, '?' | 'u' | 'U');
        // Any letter of a piece serves where only the squares count.
        let board: Board = placement.replace(unknown, "P").parse().ok()?;
        Some(match board {
            Board::EMPTY => Self::Empty,
            board if placement.contains(unknown) => Self::Occupied(board.occupied()),
            board => Self::Pieces(board),
        })
    }

    /// Its placement as a FEN.
    pub fn to_fen(self) -> String {
        match self {
            Self::Pieces(board) => board.to_string(),
            Self::Empty => Board::EMPTY.to_string(),
            Self::Occupied(squares) => {
                let pawn = tabiya_types::Piece::from_letter('P');
                let mut board = Board::EMPTY;
                for square in Square::all().filter(|square| squares.has(*square)) {
                    board[square] = pawn;
                }
                board.to_string().replace('P', "?")
            }
        }
    }
}

/// What a board says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CppMessage {
    /// Yes, to what was asked or moved.
    Ok,
    /// No, likewise.
    Nok,
    /// The round's position stands on it.
    Sync(CppPosition),
    /// It does not; `settable` if it could set it up by itself.
    Unsync {
        /// What does.
        seen: CppPosition,
        /// Whether it could.
        settable: bool,
    },
    /// What it sees now.
    State(CppPosition),
    /// A move was made on it, in UCI's words; it waits for an answer.
    Move(String),
    /// Something else: the word, and what follows it.
    Other(String, String),
}

/// What a host says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CppCommand {
    /// Does it have this feature?
    Feature(String),
    /// Does it know this variant of chess?
    Variant(String),
    /// A round begins from this FEN.
    Begin(String),
    /// The other side moves, in UCI's words.
    Move(String),
    /// Its move counts, and the pawn became this, in UCI's words.
    Promote(String),
    /// Its move counts, or yes.
    Ok,
    /// Its move does not count, or no.
    Nok,
    /// Tell what it sees, now and from now on.
    GetState,
    /// Something else: the word, and what follows it.
    Other(String, String),
}

/// The word of a command and what follows it. Words are compared whole: one is the beginning of another.
fn split(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or((text, ""))
}

fn join(word: &str, rest: &str) -> String {
    if rest.is_empty() { word.to_owned() } else { format!("{word} {rest}") }
}

impl CppMessage {
    /// The command's text, without an end.
    pub fn to_text(&self) -> String {
        match self {
            Self::Ok => "ok".to_owned(),
            Self::Nok => "nok".to_owned(),
            Self::Sync(seen) => format!("sync {}", seen.to_fen()),
            Self::Unsync { seen, settable: false } => format!("unsync {}", seen.to_fen()),
            Self::Unsync { seen, settable: true } => format!("unsync_settable {}", seen.to_fen()),
            Self::State(seen) => format!("state {}", seen.to_fen()),
            Self::Move(uci) => format!("move {uci}"),
            Self::Other(word, rest) => join(word, rest),
        }
    }

    /// The message of a text; `None` if it is none at all.
    pub fn parse(text: &str) -> Option<Self> {
        let (word, rest) = split(text);
        Some(match word {
            "" => return None,
            "ok" => Self::Ok,
            "nok" => Self::Nok,
            "sync" => Self::Sync(CppPosition::parse(rest)?),
            "unsync" => Self::Unsync { seen: CppPosition::parse(rest)?, settable: false },
            // As it was called before, too.
            "unsync_settable" | "unsync_setible" => {
                Self::Unsync { seen: CppPosition::parse(rest)?, settable: true }
            }
            "state" => Self::State(CppPosition::parse(rest)?),
            "move" if !rest.is_empty() => Self::Move(rest.to_owned()),
            _ => Self::Other(word.to_owned(), rest.to_owned()),
        })
    }
}

impl CppCommand {
    /// The command's text, without an end.
    pub fn to_text(&self) -> String {
        match self {
            Self::Feature(name) => join("feature", name),
            Self::Variant(name) => join("variant", name),
            Self::Begin(fen) => join("begin", fen),
            Self::Move(uci) => join("move", uci),
            Self::Promote(uci) => join("promote", uci),
            Self::Ok => "ok".to_owned(),
            Self::Nok => "nok".to_owned(),
            Self::GetState => "get_state".to_owned(),
            Self::Other(word, rest) => join(word, rest),
        }
    }

    /// The command of a text; `None` if it is none at all.
    pub fn parse(text: &str) -> Option<Self> {
        let (word, rest) = split(text);
        let about = || rest.to_owned();
        Some(match word {
            "" => return None,
            "feature" => Self::Feature(about()),
            "variant" => Self::Variant(about()),
            "begin" => Self::Begin(about()),
            "move" => Self::Move(about()),
            "promote" => Self::Promote(about()),
            "ok" => Self::Ok,
            "nok" => Self::Nok,
            "get_state" => Self::GetState,
            _ => Self::Other(word.to_owned(), about()),
        })
    }
}

/// The bytes of a command's text on such a line.
pub fn framed(text: &str, carrier: Carrier) -> Vec<u8> {
    let end = match carrier {
        Carrier::Messages => "",
        Carrier::Stream | Carrier::LateStream => "\n",
    };
    [text.as_bytes(), end.as_bytes()].concat()
}

/// Takes texts out of what a line carries: messages as they come, or a stream of any pieces.
#[derive(Clone, Debug)]
pub struct CppDecoder {
    carrier: Carrier,
    held: Vec<u8>,
}

impl CppDecoder {
    /// Nothing has come yet.
    pub fn new(carrier: Carrier) -> Self {
        Self { carrier, held: Vec::new() }
    }

    /// Takes bytes in; the messages that they complete come out.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<CppMessage, String>> {
        let read = |text: String| CppMessage::parse(&text).ok_or_else(|| format!("no command: {text}"));
        self.texts(bytes).into_iter().map(|text| text.and_then(read)).collect()
    }

    /// Takes bytes in; the texts that they complete come out, blanks at their ends left out.
    pub fn texts(&mut self, bytes: &[u8]) -> Vec<Result<String, String>> {
        let mut texts = match self.carrier {
            // There is no rule for going on in the next message.
            Carrier::Messages => vec![text(bytes)],
            Carrier::Stream | Carrier::LateStream => {
                self.held.extend_from_slice(bytes);
                let lines = cut(&mut self.held, line);
                lines.into_iter().map(|line| line.and_then(|line| text(&line))).collect()
            }
        };
        texts.retain(|text| !text.as_ref().is_ok_and(String::is_empty));
        texts
    }

    /// The rest of a half line will not come.
    pub fn give_up_half(&mut self) {
        self.held.clear();
    }
}

/// A line without its end.
fn line(held: &[u8]) -> FrameStart<Vec<u8>> {
    match held.iter().position(|byte| *byte == b'\n') {
        Some(end) if end <= LONGEST => {
            FrameStart::Whole(end + 1, held.get(..end).unwrap_or_default().to_vec())
        }
        None if held.len() <= LONGEST => FrameStart::Half,
        _ => FrameStart::Noise,
    }
}

fn text(bytes: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "a command that is no text".to_owned())?;
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests;
