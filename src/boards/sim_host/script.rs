//! The script language of simulated boards: one command per line, from a person or a file.
//!
//! `#` begins a comment; empty lines are ignored. This module knows no port and no time: the host carries the commands
//! out.

use tabiya_types::{Board, Color, Millis, ParseBoardError, ParseSquareError, Piece, Role, Square};

use crate::event::ClockButton;
use crate::sim::SimCard;

/// The text that `help` prints and `docs/simulator.md` explains.
pub const HELP: &str = "\
lift e2                     take the piece there off the board
put e4 P                    put a piece there (PNBRQK white, pnbrqk black)
slide a1 a5                 push a piece over the squares between
move e2e4 [white presses]   move by hand, as the profile does; e7e8q promotes
press white|black           press the clock
flicker e4 [TIMES]          a bad contact: opens and closes, three times by default
unplug [MS]                 pull the plug, until `plug` or for MS milliseconds
plug                        put the plug back
board FEN                   set all squares at once (the placement field)
setup start|choker          the chess start position, or kings and e-pawns alone
wait MS                     do nothing for MS milliseconds
wait host                   do nothing until a program listens to the board
clock 5:00 4:30             set the left and the right time, as h:mm:ss, m:ss or seconds
clock run|stop              start or pause the clock
clock off|on                take the clock away, put it back
button back|minus|run|plus|ok
battery 84                  set the battery's charge in percent
card UID [NDEF]             lay a card on the reader: its number, what is written on it, in hex
card off                    take the card away
show                        print the board
help                        print this
quit                        end";

/// A command of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptCommand {
    /// Take the piece on this square off the board.
    Lift(Square),
    /// Put a piece on this square.
    Put(Square, Piece),
    /// Push a piece from one square to another over the squares between.
    Slide(Square, Square),
    /// Move a piece with the speed and the mistakes of the simulated hand in the chosen profile.
    Move {
        /// The square that the piece leaves.
        from: Square,
        /// The square that the piece reaches.
        to: Square,
        /// The role to which a pawn promotes.
        promotion: Option<Role>,
        /// The side that presses the clock afterwards, if any.
        press: Option<Color>,
    },
    /// Press the clock for this side.
    Press(Color),
    /// Open and close a square's contact this many times, as a bad contact does.
    Flicker(Square, u8),
    /// Pull the plug for this long; with `None`, until the command `plug`.
    Unplug(Option<Millis>),
    /// Put the plug back.
    Plug,
    /// Put all these pieces on the board at once, and remove all others.
    Board(Board),
    /// Do nothing for this long.
    Wait(Millis),
    /// Do nothing until a program listens to the board.
    WaitForHost,
    /// Set the clock's left and right time.
    Clock(Millis, Millis),
    /// Start the clock (`true`) or pause it (`false`).
    RunClock(bool),
    /// Connect the clock (`true`) or disconnect it (`false`).
    ConnectClock(bool),
    /// Press one of the clock's buttons.
    Button(ClockButton),
    /// Set the battery's charge to this percentage, 0..=100.
    Battery(u8),
    /// Lay a card on the reader; `None` takes all cards away.
    Card(Option<SimCard>),
    /// Print the board.
    Show,
    /// Print the commands.
    Help,
    /// End the simulated board.
    Quit,
}

/// Why a line is not a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScriptError {
    /// The first word is unknown.
    #[error("`{0}` is not a command; `help` lists the commands")]
    Unknown(String),
    /// The words after the command's name are not what the command needs.
    #[error("`{command}` takes {arguments}")]
    Usage {
        /// The name of the command.
        command: &'static str,
        /// What the command needs after its name.
        arguments: &'static str,
    },
    /// A word is not a square.
    #[error(transparent)]
    Square(#[from] ParseSquareError),
    /// A word is not a board.
    #[error(transparent)]
    Board(#[from] ParseBoardError),
    /// A letter is not a piece.
    #[error("`{0}` is not a piece; write PNBRQK for White, pnbrqk for Black")]
    Piece(String),
    /// A word is not a number or a time, or it is too large.
    #[error("`{0}` is not a valid number here")]
    Number(String),
    /// A word is not a colour.
    #[error("`{0}` is not a side; write white or black")]
    Side(String),
    /// A word is not a move.
    #[error(
        "`{0}` is not a move; write two squares, as in e2e4, and for a promotion its letter, as in e7e8q"
    )]
    Move(String),
}

/// The parser of scripts.
pub struct Script;

/// The longest wait that a script can ask for, in ms: a day.
const LONGEST_WAIT: u64 = 86_400_000;

impl Script {
    /// Parses one line; `Ok(None)` for an empty line or a comment.
    pub fn parse(line: &str) -> Result<Option<ScriptCommand>, ScriptError> {
        let line = line.split('#').next().unwrap_or("");
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { return Ok(None) };
        command(first, rest).map(Some)
    }

    /// Parses all lines of a text. `Err` contains the number of the wrong line, counted from 1.
    pub fn parse_all(text: &str) -> Result<Vec<ScriptCommand>, (usize, ScriptError)> {
        let mut commands = Vec::new();
        for (at, line) in text.lines().enumerate() {
            commands.extend(Self::parse(line).map_err(|error| (at + 1, error))?);
        }
        Ok(commands)
    }
}

fn usage<T>(command: &'static str, arguments: &'static str) -> Result<T, ScriptError> {
    Err(ScriptError::Usage { command, arguments })
}

fn command(first: &str, rest: &[&str]) -> Result<ScriptCommand, ScriptError> {
    Ok(match (first, rest) {
        ("lift", [at]) => ScriptCommand::Lift(at.parse()?),
        ("lift", _) => return usage("lift", "a square, as in `lift e2`"),
        ("put", [at, what]) => ScriptCommand::Put(at.parse()?, piece(what)?),
        ("put", _) => return usage("put", "a square and a piece, as in `put e4 P`"),
        ("slide", [from, to]) => ScriptCommand::Slide(from.parse()?, to.parse()?),
        ("slide", _) => return usage("slide", "two squares, as in `slide a1 a5`"),
        ("move", [way]) => moved(way, None)?,
        ("move", [way, by, "presses"]) => moved(way, Some(side(by)?))?,
        ("move", _) => {
            return usage("move", "a move and perhaps who presses, as in `move e2e4 white presses`");
        }
        ("press", [by]) => ScriptCommand::Press(side(by)?),
        ("press", _) => return usage("press", "a side, as in `press white`"),
        ("flicker", [at]) => ScriptCommand::Flicker(at.parse()?, 3),
        ("flicker", [at, times]) => ScriptCommand::Flicker(at.parse()?, number(times)?),
        ("flicker", _) => return usage("flicker", "a square and perhaps how often, as in `flicker e4 3`"),
        ("unplug", []) => ScriptCommand::Unplug(None),
        ("unplug", [out]) => ScriptCommand::Unplug(Some(wait(out)?)),
        ("unplug", _) => return usage("unplug", "no arguments, or a time in ms, as in `unplug 2000`"),
        ("plug", []) => ScriptCommand::Plug,
        ("plug", _) => return usage("plug", "no arguments"),
        ("board", [fen, ..]) => ScriptCommand::Board(fen.parse()?),
        ("board", []) => return usage("board", "the placement field of a FEN"),
        ("setup", ["start"]) => ScriptCommand::Board(START.parse()?),
        ("setup", ["choker"]) => ScriptCommand::Board(CHOKER.parse()?),
        ("setup", _) => return usage("setup", "`start` or `choker`"),
        ("wait", ["host"]) => ScriptCommand::WaitForHost,
        ("wait", [long]) => ScriptCommand::Wait(wait(long)?),
        ("wait", _) => return usage("wait", "a time in ms, or `host`"),
        ("clock", ["run"]) => ScriptCommand::RunClock(true),
        ("clock", ["stop"]) => ScriptCommand::RunClock(false),
        ("clock", ["on"]) => ScriptCommand::ConnectClock(true),
        ("clock", ["off"]) => ScriptCommand::ConnectClock(false),
        ("clock", [left, right]) => ScriptCommand::Clock(time(left)?, time(right)?),
        ("clock", _) => return usage("clock", "two times, as in `clock 5:00 4:30`, or run, stop, on, off"),
        ("button", rest) => pushed(rest)?,
        ("battery", rest) => charged(rest)?,
        ("card", rest) => laid(rest)?,
        ("show", []) => ScriptCommand::Show,
        ("help", []) => ScriptCommand::Help,
        ("quit", []) => ScriptCommand::Quit,
        ("show", _) => return usage("show", "no arguments"),
        ("help", _) => return usage("help", "no arguments"),
        ("quit", _) => return usage("quit", "no arguments"),
        _ => return Err(ScriptError::Unknown(first.to_owned())),
    })
}

/// Parses the words after `button`.
fn pushed(rest: &[&str]) -> Result<ScriptCommand, ScriptError> {
    match rest {
        [name] if let Some(button) = button(name) => Ok(ScriptCommand::Button(button)),
        _ => usage("button", "back, minus, run, plus or ok"),
    }
}

/// Parses the words after `battery`.
fn charged(rest: &[&str]) -> Result<ScriptCommand, ScriptError> {
    match rest {
        [percent] if let percent @ 0..=100 = number(percent)? => Ok(ScriptCommand::Battery(percent)),
        _ => usage("battery", "a number from 0 to 100"),
    }
}

/// Parses the words after `card`.
fn laid(rest: &[&str]) -> Result<ScriptCommand, ScriptError> {
    match rest {
        ["off"] => Ok(ScriptCommand::Card(None)),
        [uid] | [uid, _] => {
            let (uid, ndef) = (hex(uid)?, hex(rest.get(1).unwrap_or(&""))?);
            if !matches!(uid.len(), 4 | 7 | 10) || ndef.len() > LONGEST_NDEF {
                return usage("card", CARD);
            }
            Ok(ScriptCommand::Card(Some(SimCard { uid, ndef })))
        }
        _ => usage("card", CARD),
    }
}

/// The start position of chess.
pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/// The start position of Choker.
const CHOKER: &str = "4k3/4p3/8/8/8/8/4P3/4K3";

/// The arguments of the command `card`, for its error message.
const CARD: &str = "a card's number of 4, 7 or 10 bytes, perhaps with the bytes on the card, as in `card 04A1B2C3D48001`, or `off`";
/// The longest NDEF message that a card can hold, in bytes: the capacity of an NTAG216 chip.
const LONGEST_NDEF: usize = 888;

/// Parses bytes of two hexadecimal digits each.
fn hex(word: &str) -> Result<Vec<u8>, ScriptError> {
    let wrong = || ScriptError::Number(word.to_owned());
    let byte = |pair: &[u8]| {
        let digits = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?;
        u8::from_str_radix(digits, 16).ok()
    };
    word.as_bytes().chunks(2).map(|pair| byte(pair).ok_or_else(wrong)).collect()
}

/// The clock's button with this name; `None` if there is none.
fn button(word: &str) -> Option<ClockButton> {
    Some(match word {
        "back" => ClockButton::Back,
        "minus" => ClockButton::Minus,
        "run" => ClockButton::Run,
        "plus" => ClockButton::Plus,
        "ok" => ClockButton::Ok,
        _ => return None,
    })
}

fn piece(word: &str) -> Result<Piece, ScriptError> {
    let mut letters = word.chars();
    match (letters.next().and_then(Piece::from_letter), letters.next()) {
        (Some(piece), None) => Ok(piece),
        _ => Err(ScriptError::Piece(word.to_owned())),
    }
}

fn side(word: &str) -> Result<Color, ScriptError> {
    Color::from_word(word).ok_or_else(|| ScriptError::Side(word.to_owned()))
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, ScriptError> {
    word.parse().map_err(|_| ScriptError::Number(word.to_owned()))
}

fn wait(word: &str) -> Result<Millis, ScriptError> {
    match number(word)? {
        millis @ 0..=LONGEST_WAIT => Ok(Millis(millis)),
        _ => Err(ScriptError::Number(word.to_owned())),
    }
}

/// Parses a time as `h:mm:ss`, `m:ss` or seconds, at most 9:59:59.
fn time(word: &str) -> Result<Millis, ScriptError> {
    let mut secs = 0_u64;
    for part in word.split(':') {
        let part: u16 = number(part)?;
        secs = secs * 60 + u64::from(part);
    }
    let shown = word.split(':').count() <= 3 && secs < 36_000;
    if shown { Ok(Millis::from_secs(secs)) } else { Err(ScriptError::Number(word.to_owned())) }
}

fn moved(word: &str, press: Option<Color>) -> Result<ScriptCommand, ScriptError> {
    let wrong = || ScriptError::Move(word.to_owned());
    let (from, rest) = word.split_at_checked(2).ok_or_else(wrong)?;
    let (to, letter) = rest.split_at_checked(2).ok_or_else(wrong)?;
    let square = |text: &str| text.parse::<Square>().map_err(|_| wrong());
    let promotion = match letter {
        "" => None,
        "q" => Some(Role::Queen),
        "r" => Some(Role::Rook),
        "b" => Some(Role::Bishop),
        "n" => Some(Role::Knight),
        _ => return Err(wrong()),
    };
    Ok(ScriptCommand::Move { from: square(from)?, to: square(to)?, promotion, press })
}

/// The board after the piece on `from` has moved to `to`. The rules are not checked. If a king moves two files along
/// its rank, this is castling: the piece in the corner on that side moves to the square that the king crossed. If a
/// pawn moves diagonally to an empty square, it captures en passant.
pub fn after_move(before: &Board, from: Square, to: Square, promotion: Option<Role>) -> Board {
    let mut after = *before;
    let Some(piece) = before[from] else { return after };
    after[from] = None;
    after[to] = Some(Piece { role: promotion.unwrap_or(piece.role), ..piece });
    match piece.role {
        Role::Pawn if from.file() != to.file() && before[to].is_none() => {
            if let Some(beside) = Square::from_coords(to.file(), from.rank()) {
                after[beside] = None;
            }
        }
        Role::King if from.rank() == to.rank() && from.file().abs_diff(to.file()) == 2 => {
            let (corner, inner) = if to.file() > from.file() { (7, 5) } else { (0, 3) };
            if let (Some(corner), Some(inner)) =
                (Square::from_coords(corner, to.rank()), Square::from_coords(inner, to.rank()))
            {
                after[inner] = before[corner];
                after[corner] = None;
            }
        }
        Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {}
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> ScriptCommand {
        Script::parse(line).expect("a command").expect("not empty")
    }

    fn refused(line: &str) -> String {
        Script::parse(line).expect_err("no command").to_string()
    }

    fn square(text: &str) -> Square {
        text.parse().expect("a square")
    }

    #[test]
    fn each_command_is_understood() {
        let pawn = Piece { color: Color::White, role: Role::Pawn };
        assert_eq!(parse("lift e2"), ScriptCommand::Lift(square("e2")));
        assert_eq!(parse("put e4 P"), ScriptCommand::Put(square("e4"), pawn));
        assert_eq!(parse("slide a1 a5"), ScriptCommand::Slide(square("a1"), square("a5")));
        assert_eq!(parse("press black"), ScriptCommand::Press(Color::Black));
        assert_eq!(parse("flicker e4"), ScriptCommand::Flicker(square("e4"), 3));
        assert_eq!(parse("flicker e4 7"), ScriptCommand::Flicker(square("e4"), 7));
        assert_eq!(parse("unplug"), ScriptCommand::Unplug(None));
        assert_eq!(parse("unplug 500"), ScriptCommand::Unplug(Some(Millis(500))));
        assert_eq!(parse("wait 250   # a breath"), ScriptCommand::Wait(Millis(250)));
        assert_eq!(parse("wait host"), ScriptCommand::WaitForHost);
        assert_eq!(parse("clock 5:00 1:00:01"), ScriptCommand::Clock(Millis(300_000), Millis(3_601_000)));
        assert_eq!(parse("battery 84"), ScriptCommand::Battery(84));
        let card = SimCard { uid: vec![0xDE, 0xAD, 0xBE, 0xEF], ndef: vec![0xD0, 0, 0] };
        assert_eq!(parse("card deadBEEF d00000"), ScriptCommand::Card(Some(card)));
        assert_eq!(parse("card off"), ScriptCommand::Card(None));
        assert!(refused("card deadbeef00").contains("4, 7 or 10 bytes"));
        assert_eq!(refused("card deadbee"), "`deadbee` is not a valid number here");
        assert_eq!(parse("board 8/8/8/8/8/8/8/8 w - - 0 1"), ScriptCommand::Board(Board::EMPTY));
        assert!(matches!(parse("setup choker"), ScriptCommand::Board(board) if board.pieces().count() == 4));
        let press = Some(Color::White);
        let (from, to) = (square("e7"), square("e8"));
        let promotion = Some(Role::Queen);
        assert_eq!(parse("move e7e8q white presses"), ScriptCommand::Move { from, to, promotion, press });
    }

    #[test]
    fn empty_lines_and_comments_say_nothing() {
        assert_eq!(Script::parse("   "), Ok(None));
        assert_eq!(Script::parse("# lift e2"), Ok(None));
    }

    #[test]
    fn a_wrong_line_is_told_what_is_missing() {
        assert_eq!(refused("lft e2"), "`lft` is not a command; `help` lists the commands");
        assert_eq!(refused("lift"), "`lift` takes a square, as in `lift e2`");
        assert_eq!(
            refused("lift e9"),
            "`e9` is not a square: write a letter from a to h and a digit from 1 to 8"
        );
        assert_eq!(refused("put e4 X"), "`X` is not a piece; write PNBRQK for White, pnbrqk for Black");
        assert_eq!(refused("press red"), "`red` is not a side; write white or black");
        assert_eq!(refused("battery 101"), "`battery` takes a number from 0 to 100");
        assert_eq!(refused("clock 10:00:00 5:00"), "`10:00:00` is not a valid number here");
        assert_eq!(refused("wait 99999999999"), "`99999999999` is not a valid number here");
        assert!(refused("move e2é4").starts_with("`e2é4` is not a move"));
        assert_eq!(Script::parse_all("show\n\nhop").map_err(|(line, _)| line), Err(3));
    }

    #[test]
    fn every_line_of_the_help_names_a_command() {
        for line in HELP.lines() {
            let word = line.split_whitespace().next().unwrap_or("");
            assert!(!refused_as_unknown(word), "{word}");
        }
    }

    #[test]
    fn the_document_lists_the_same_commands() {
        assert!(include_str!("../../../docs/simulator.md").contains(HELP));
    }

    fn refused_as_unknown(word: &str) -> bool {
        matches!(Script::parse(word), Err(ScriptError::Unknown(_)))
    }

    #[test]
    fn a_move_takes_along_what_its_looks_say() {
        let after = |fen: &str, from: &str, to: &str| {
            after_move(&fen.parse().expect("a board"), square(from), square(to), None).to_string()
        };
        assert_eq!(after("8/8/8/8/8/8/8/4K2R", "e1", "g1"), "8/8/8/8/8/8/8/5RK1");
        assert_eq!(after("r3k3/8/8/8/8/8/8/8", "e8", "c8"), "2kr4/8/8/8/8/8/8/8");
        assert_eq!(after("8/8/8/3pP3/8/8/8/8", "e5", "d6"), "8/8/3P4/8/8/8/8/8");
        assert_eq!(after("8/8/3p4/4P3/8/8/8/8", "e5", "d6"), "8/8/3P4/8/8/8/8/8");
    }
}
