//! What the watch says about a board that fits nothing, and what it asks.

use std::fmt;

use tabiya_types::{Board, Color, Fact, Piece, Sentence, Square, say};

use crate::rules::Action;
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

    /// How to put it right: `take the white rook off a3, put the white rook on a1`.
    pub fn sentence(&self) -> Sentence {
        const MOST: usize = 6;
        let squares = Fact::list(self.squares.iter().take(MOST).copied().filter_map(put_right));
        match self.squares.len().checked_sub(MOST) {
            None | Some(0) => say!("trouble", "{squares}", squares),
            Some(more) => say!("trouble-and-more", "{squares} and {more} squares more", squares, more),
        }
    }
}

/// What is to be done on one square: what is seen there, what should be.
fn put_right((at, seen, expected): (Square, Option<Piece>, Option<Piece>)) -> Option<Sentence> {
    Some(match (seen, expected) {
        (Some(seen), None) => say!("take-off", "take the {seen} off {at}", seen, at),
        (None, Some(expected)) => say!("put-on", "put the {expected} on {at}", expected, at),
        (Some(seen), Some(expected)) => {
            say!("put-instead", "{at}: the {expected} instead of the {seen}", at, expected, seen)
        }
        (None, None) => return None,
    })
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence().fmt(f)
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

impl Question {
    /// The question as it is asked.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::Which(ways) => ask_which(ways),
            Self::TakeBack { actions: 1, .. } => {
                say!(
                    "ask-take-back",
                    "the position before the last action stands again: take it back with `undo`?"
                )
            }
            Self::TakeBack { actions, undos } => {
                say!(
                    "ask-take-back-many",
                    "the position of {actions} actions ago stands again: take back with `undo {undos}`?",
                    actions = *actions,
                    undos = *undos
                )
            }
            Self::NewGame => say!("ask-new-game", "the start position stands again: a new game?"),
            Self::Result(Some(color)) => {
                say!("ask-won", "the kings say that {color} has won: is that so?", color = *color)
            }
            Self::Result(None) => {
                say!("ask-drawn", "the kings say that the game is drawn: is that so?")
            }
            Self::Changed { inputs, .. } => {
                let actions = Fact::all(inputs.iter().filter_map(|input| match input {
                    Input::Game(action) => Some(action.tell()),
                    Input::Common(_) => None,
                }));
                say!(
                    "ask-changed",
                    "the board now shows otherwise: {actions}; shall it count? (arbiter)",
                    actions
                )
            }
        }
    }
}

fn ask_which(ways: &[Vec<Action>]) -> Sentence {
    let told = || Fact::ways(ways.iter().map(|way| Fact::all(way.iter().map(Action::tell))));
    match ways {
        [] => say!("ask-what", "the board does not tell what was played; enter it"),
        [_] => say!(
            "ask-this",
            "the board does not tell for certain what was played; was it this: {way}",
            way = told()
        ),
        _ => say!(
            "ask-which",
            "the board can mean more than one thing; enter what was played: {ways}",
            ways = told()
        ),
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence().fmt(f)
    }
}

/// What kings in the centre say (`docs/record.md`, "What was seen, and what was understood" 8): both on light squares White won, both on
/// dark squares Black won, one on each a draw. `None` if they do not stand so.
pub(super) fn kings_say(seen: &Board) -> Option<Question> {
    use tabiya_types::Role;
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
