//! What the watch says about a board that fits nothing, and what it asks.

use std::fmt;

use crate::rules::{Action, Board, Color, Piece, Square};
use crate::table::Input;

/// The board as it is and as it should be, square by square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// Squares where something stands that should not, or is missing: what is seen, what should be.
    pub squares: Vec<(Square, Option<Piece>, Option<Piece>)>,
}

impl Trouble {
    /// How `seen` differs from `expected`; nothing if it does not.
    pub fn between(seen: &Board, expected: &Board) -> Option<Self> {
        let squares: Vec<_> =
            seen.differences(expected).map(|square| (square, seen[square], expected[square])).collect();
        (!squares.is_empty()).then_some(Self { squares })
    }
}

/// How to put it right: `take the white rook off a3, put the white rook on a1`.
impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 6;
        for (nth, (square, seen, expected)) in self.squares.iter().take(MOST).enumerate() {
            if nth > 0 {
                f.write_str(", ")?;
            }
            match (seen, expected) {
                (Some(seen), None) => write!(f, "take the {seen} off {square}")?,
                (None, Some(expected)) => write!(f, "put the {expected} on {square}")?,
                (Some(seen), Some(expected)) => write!(f, "{square}: the {expected} instead of the {seen}")?,
                (None, None) => {}
            }
        }
        if self.squares.len() > MOST {
            write!(f, " and {} squares more", self.squares.len() - MOST)?;
        }
        Ok(())
    }
}

/// Something that the people at the table have to answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// The board can mean more than one thing: each way, as the actions it consists of.
    Which(Vec<Vec<Action>>),
    /// An earlier position was set up again: take back so many actions?
    TakeBack {
        /// How many actions.
        actions: usize,
        /// And how many lines an undo takes back for them: a card that was turned over since is one more.
        undos: usize,
    },
    /// The start position was set up again: a new game?
    NewGame,
    /// The kings stand on centre squares as players show a result: has this colour won, or nobody?
    Result(Option<Color>),
    /// At an event the last actions look different now: shall they be changed?
    Changed {
        /// How many lines have to be taken back.
        undos: usize,
        /// What is entered instead.
        inputs: Vec<Input>,
    },
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Which(ways) if ways.is_empty() => {
                f.write_str("the board does not tell what was played; enter it")
            }
            Self::Which(ways) if ways.len() == 1 => {
                f.write_str("the board does not tell for certain what was played; was it this: ")?;
                write_ways(f, ways)
            }
            Self::Which(ways) => {
                f.write_str("the board can mean more than one thing; enter what was played: ")?;
                write_ways(f, ways)
            }
            Self::TakeBack { actions: 1, .. } => {
                f.write_str("the position before the last action stands again: take it back with `undo`?")
            }
            Self::TakeBack { actions, undos } => {
                write!(
                    f,
                    "the position of {actions} actions ago stands again: take back with `undo {undos}`?"
                )
            }
            Self::NewGame => f.write_str("the start position stands again: a new game?"),
            Self::Result(Some(color)) => write!(f, "the kings say that {color} has won: is that so?"),
            Self::Result(None) => f.write_str("the kings say that the game is drawn: is that so?"),
            Self::Changed { inputs, .. } => {
                let actions = inputs.iter().filter_map(|input| match input {
                    Input::Game(action) => Some(action.tell()),
                    Input::Common(_) => None,
                });
                let actions: Vec<String> = actions.collect();
                write!(
                    f,
                    "the board now shows otherwise: {}; shall it count? (arbiter)",
                    actions.join(" and ")
                )
            }
        }
    }
}

fn write_ways(f: &mut fmt::Formatter<'_>, ways: &[Vec<Action>]) -> fmt::Result {
    for (nth, way) in ways.iter().enumerate() {
        let way: Vec<String> = way.iter().map(|action| action.tell()).collect();
        write!(f, "{}{}", if nth > 0 { ", or " } else { "" }, way.join(" and "))?;
    }
    Ok(())
}

/// What kings in the centre say (`docs/record.md`, "What was seen, and what was understood" 8): both on light squares White won, both on
/// dark squares Black won, one on each a draw. `None` if they do not stand so.
pub(super) fn kings_say(seen: &Board) -> Option<Question> {
    use crate::rules::Role;
    let king = |color| {
        let mut kings = seen.pieces().filter(|(_, piece)| *piece == Piece { color, role: Role::King });
        match (kings.next(), kings.next()) {
            (Some((square, _)), None) => Some(square),
            _ => None,
        }
    };
    let centre = |square: Square| (3..=4).contains(&square.file()) && (3..=4).contains(&square.rank());
    let (white, black) = (king(Color::White)?, king(Color::Black)?);
    if !centre(white) || !centre(black) {
        return None;
    }
    Some(Question::Result(match (white.is_light(), black.is_light()) {
        (true, true) => Some(Color::White),
        (false, false) => Some(Color::Black),
        _ => None,
    }))
}
