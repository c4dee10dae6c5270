//! Codec for the Chess Peripheral Protocol. A command is a word, optionally followed by a space and an argument. On a
//! link that carries messages, each message is one command; on a byte stream, each command ends with a line feed.
//!
//! Source: the project's protocol notes on non-DGT boards, "CPP", 13.1 to 13.3.

use tabiya_types::{Board, Square, Squares};

use crate::link::Carrier;
use crate::makers::stream::{FrameStart, cut};

/// The longest accepted command, in bytes. The usual firmware has a buffer for 100.
const LONGEST: usize = 256;

/// What a board senses, as reported in a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CppPosition {
    /// A position in which every piece is identified.
    Pieces(Board),
    /// The occupied squares. At least one piece is not identified, or only by its colour.
    Occupied(Squares),
    /// An empty board. Boards with and without piece identification report it in the same way.
    Empty,
}

impl CppPosition {
    /// Parses the first field of a FEN: eight ranks of pieces, with `?`, `U` and `u` for unidentified pieces. `None`
    /// if it is malformed.
    pub fn parse(fen: &str) -> Option<Self> {
        let placement = fen.split(' ').next()?;
        let unknown = |letter: char| matches!(letter, '?' | 'u' | 'U');
        // If a piece is unknown, only the occupied squares are used. So any piece letter can replace the sign for an
        // unknown piece.
        let board: Board = placement.replace(unknown, "P").parse().ok()?;
        Some(match board {
            Board::EMPTY => Self::Empty,
            board if placement.contains(unknown) => Self::Occupied(board.occupied()),
            board => Self::Pieces(board),
        })
    }

    /// Returns the piece placement field of a FEN.
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

/// A message from the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CppMessage {
    /// Yes: a feature is supported, or a move is accepted.
    Ok,
    /// No: a feature is not supported, or a move is rejected.
    Nok,
    /// The position on the board is the position of the round.
    Sync(CppPosition),
    /// The position on the board differs from the position of the round.
    Unsync {
        /// The position on the board.
        seen: CppPosition,
        /// Whether the board could set up the round's position by moving its pieces itself.
        settable: bool,
    },
    /// The position on the board: the answer to `get_state`, or a report after a change.
    State(CppPosition),
    /// A move was made on the board, in UCI notation; the board waits for an answer.
    Move(String),
    /// Any other message, with its word and its argument.
    Other(String, String),
}

/// A command to the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CppCommand {
    /// Asks whether the board has this feature.
    Feature(String),
    /// Asks whether the board knows this variant of chess.
    Variant(String),
    /// Begins a round from this FEN.
    Begin(String),
    /// Announces the opponent's move, in UCI notation.
    Move(String),
    /// Accepts the board's move and names the promotion piece, in UCI notation.
    Promote(String),
    /// Accepts the board's move, or answers yes.
    Ok,
    /// Rejects the board's move, or answers no.
    Nok,
    /// Asks for the position, now and after each change.
    GetState,
    /// Any other command, with its word and its argument.
    Other(String, String),
}

/// Splits a command into its word and its argument. The caller must compare the complete word, because a longer word
/// can begin with a shorter one, as `unsync_settable` with `unsync`.
fn split(text: &str) -> (&str, &str) {
    text.split_once(' ').unwrap_or((text, ""))
}

fn join(word: &str, rest: &str) -> String {
    if rest.is_empty() { word.to_owned() } else { format!("{word} {rest}") }
}

impl CppMessage {
    /// Returns the text of the message, without a line feed.
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

    /// Parses a message; `None` if the text is empty or an argument is invalid.
    pub fn parse(text: &str) -> Option<Self> {
        let (word, rest) = split(text);
        Some(match word {
            "" => return None,
            "ok" => Self::Ok,
            "nok" => Self::Nok,
            "sync" => Self::Sync(CppPosition::parse(rest)?),
            "unsync" => Self::Unsync { seen: CppPosition::parse(rest)?, settable: false },
            // Older versions of the protocol spell this word `unsync_setible`.
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
    /// Returns the text of the command, without a line feed.
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

    /// Parses a command; `None` if the text is empty.
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

/// Returns the bytes of a command for this kind of link.
pub fn framed(text: &str, carrier: Carrier) -> Vec<u8> {
    let end = match carrier {
        Carrier::Messages => "",
        Carrier::Stream | Carrier::LateStream => "\n",
    };
    [text.as_bytes(), end.as_bytes()].concat()
}

/// Extracts commands from a link. On a link that carries messages, each message is one command; a byte stream arrives
/// in chunks of any size.
#[derive(Clone, Debug)]
pub struct CppDecoder {
    carrier: Carrier,
    held: Vec<u8>,
}

impl CppDecoder {
    /// Creates a decoder for this kind of link, with an empty buffer.
    pub fn new(carrier: Carrier) -> Self {
        Self { carrier, held: Vec::new() }
    }

    /// Appends received bytes and returns the messages that they complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<CppMessage, String>> {
        let read =
            |text: String| CppMessage::parse(&text).ok_or_else(|| format!("not a valid message: {text}"));
        self.texts(bytes).into_iter().map(|text| text.and_then(read)).collect()
    }

    /// Appends received bytes and returns the messages or commands that they complete, as text. Spaces at both ends of
    /// a text are removed, and empty texts are left out.
    pub fn texts(&mut self, bytes: &[u8]) -> Vec<Result<String, String>> {
        let mut texts = match self.carrier {
            // Each message is a complete command: the protocol has no rule for continuing a command in the next
            // message.
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

    /// Drops an incomplete line whose remaining bytes did not arrive in time.
    pub fn drop_incomplete(&mut self) {
        self.held.clear();
    }
}

/// Extracts the first line of the received bytes, without its line feed.
fn line(held: &[u8]) -> FrameStart<Vec<u8>> {
    match held.iter().position(|byte| *byte == b'\n') {
        Some(end) if end <= LONGEST => {
            FrameStart::Complete(end + 1, held.get(..end).unwrap_or_default().to_vec())
        }
        None if held.len() <= LONGEST => FrameStart::Incomplete,
        _ => FrameStart::Noise,
    }
}

fn text(bytes: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "a message is not valid UTF-8".to_owned())?;
    Ok(text.trim().to_owned())
}

#[cfg(test)]
mod tests;
