//! What people are shown if no action explains the board: how to correct the board, and questions about what
//! was played.

use std::fmt;

use tabiya_types::{Board, Card, Color, Fact, Piece, Role, Sentence, Square, say};

use super::input::Input;
use super::value::Table;
use crate::rules::{Action, Articles, Context, Phase, Place, PlayAction, Uci, Violation};

/// The squares on which the board differs from the expected board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// Each differing square with the piece that is seen there and the piece that is expected there; `None`
    /// means no piece.
    pub squares: Vec<(Square, Option<Piece>, Option<Piece>)>,
}

/// What people have to correct on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Correction {
    /// What to do, after what is wrong.
    pub text: Sentence,
    /// The articles of the Laws of Chess that rule on it.
    pub articles: Articles,
    /// Whether the text begins with why the rules refuse what the board shows.
    pub gives_reason: bool,
}

impl Trouble {
    /// How `seen` differs from `expected`; `None` if the boards are equal.
    pub fn between(seen: &Board, expected: &Board) -> Option<Self> {
        let squares: Vec<_> =
            seen.differences(expected).map(|square| (square, seen[square], expected[square])).collect();
        (!squares.is_empty()).then_some(Self { squares })
    }

    /// Why the rules refuse what the board seems to show, as they refuse a typed action. `None` if the board does not show a
    /// single placement or move.
    fn refusal(&self, table: &Table) -> Option<Violation> {
        let mut came = self.squares.iter().filter_map(|(at, seen, _)| seen.map(|piece| (*at, piece)));
        let (to, piece) = came.next().filter(|_| came.clone().next().is_none())?;
        let left: Vec<Square> =
            self.squares.iter().filter(|(_, seen, _)| seen.is_none()).map(|(at, ..)| *at).collect();
        let by = piece.color;
        let action = match left.as_slice() {
            [] if table.phase() != Phase::Chess => Action::Place(Place::new(
                by,
                Card::from_letter(piece.role.letter().to_ascii_uppercase())?,
                to,
            )),
            [from] => {
                let uci = Uci { from: *from, to, promotion: None };
                Action::Play(PlayAction::Move { by, uci, stands: None })
            }
            _ => return None,
        };
        table.game().boxed().apply(&action, Context::default()).err()
    }

    /// The square on which a pawn has reached the last rank and was not replaced, or was replaced by a piece that it cannot
    /// become, with what stands there; `None` if that is not all that is wrong. The pawn becomes a queen (Laws of Chess, 7.5.2
    /// and 3.7.3).
    pub fn promotion(&self, table: &Table) -> Option<(Square, Piece)> {
        let pawn = |(_, seen, expected): &&(Square, Option<Piece>, Option<Piece>)| {
            seen.is_none() && expected.is_some_and(|piece| piece.role == Role::Pawn)
        };
        let (from, _, expected) = self.squares.iter().find(pawn)?;
        let (to, seen, _) =
            self.squares.iter().find(|(at, ..)| at != from).filter(|_| self.squares.len() == 2)?;
        let (by, seen) = (expected.as_ref()?.color, (*seen)?);
        let uci = Uci { from: *from, to: *to, promotion: Some(Role::Queen) };
        let promotes = Action::Play(PlayAction::Move { by, uci, stands: None });
        let queen = table.game().boxed().apply(&promotes, Context::default()).is_ok();
        let right = seen.color == by && !matches!(seen.role, Role::Pawn | Role::King);
        (queen && !right).then_some((*to, seen))
    }

    /// What to do about that pawn.
    fn promotion_owed(at: Square, seen: Piece, by: Color) -> Correction {
        let queen = Piece { color: by, role: Role::Queen };
        if seen.role == Role::Pawn {
            let text = say!(
                "pawn-left",
                "the pawn on {at} was not replaced: put a {queen} in its place (Laws 7.5.2)",
                at,
                queen
            );
            Correction { text, articles: Articles::PawnLeft, gives_reason: false }
        } else {
            let text = say!(
                "promoted-to-nothing",
                "put a {queen} on {at} instead of the {seen}: a pawn becomes a piece of its own colour (Laws 3.7.3)",
                queen,
                at,
                seen
            );
            Correction { text, articles: Articles::WrongPromotion, gives_reason: false }
        }
    }

    /// What to correct on the board, after the reason why the rules refuse what it shows.
    pub fn correction(&self, table: &Table) -> Correction {
        if let (Some((at, seen)), Some(by)) = (self.promotion(table), table.mover()) {
            return Self::promotion_owed(at, seen, by);
        }
        let (squares, refusal) = (self.sentence(), self.refusal(table));
        let articles = refusal.as_ref().and_then(|refusal| refusal.articles).unwrap_or(Articles::Displaced);
        let gives_reason = refusal.is_some();
        let text = match refusal {
            Some(refusal) => say!("board-refused", "{reason}: {squares}", reason = refusal.what, squares),
            None => squares,
        };
        Correction { text, articles, gives_reason }
    }

    /// The instructions for correcting the board, such as `take the white rook off a3, put the white rook on
    /// a1`. They name at most six squares.
    pub fn sentence(&self) -> Sentence {
        const MOST: usize = 6;
        let squares = Fact::list(self.squares.iter().take(MOST).copied().filter_map(put_right));
        match self.squares.len().checked_sub(MOST) {
            None | Some(0) => say!("trouble", "{squares}", squares),
            Some(more) => {
                say!("trouble-and-more", "{squares}; further squares to correct: {more}", squares, more)
            }
        }
    }
}

/// The instruction for correcting one square, given the piece seen there and the piece expected there.
fn put_right((at, seen, expected): (Square, Option<Piece>, Option<Piece>)) -> Option<Sentence> {
    Some(match (seen, expected) {
        (Some(seen), None) => say!("take-off", "take the {seen} off {at}", seen, at),
        (None, Some(expected)) => say!("put-on", "put the {expected} on {at}", expected, at),
        (Some(seen), Some(expected)) => {
            say!("put-instead", "replace the {seen} on {at} with the {expected}", seen, at, expected)
        }
        (None, None) => return None,
    })
}

/// A question that the people at the table have to answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Question {
    /// Which of these explanations is right? Each explanation is the list of its actions. If the list of explanations
    /// is empty, people are asked what was played.
    Which(Vec<Vec<Action>>),
    /// An earlier position was set up again: should the actions since then be taken back?
    TakeBack {
        /// How many actions would be taken back.
        actions: usize,
        /// How many undos are needed: one for each action, and one for each card turned over in the current
        /// turn.
        undos: usize,
    },
    /// The start position was set up again: should a new game begin?
    NewGame,
    /// The kings stand on centre squares, which is how players show a result: is this the result? The value is
    /// the winner; `None` means a draw.
    Result(Option<Color>),
    /// The match is played at an event, and the board now shows other actions than the last settled ones.
    /// Should the settled actions be replaced?
    Changed {
        /// How many undos are needed to take the settled actions back.
        undos: usize,
        /// The inputs that replace the settled actions.
        inputs: Vec<Input>,
    },
}

impl Question {
    /// The question about the result that the kings show if both stand on centre squares (`docs/record.md`, "What was
    /// seen, and what was understood", rule 8). If both squares are light, White has won; if both are dark, Black has
    /// won; otherwise it is a draw. `None` unless there is one king of each colour and both stand on centre squares.
    pub(crate) fn of_kings(seen: &Board) -> Option<Self> {
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
        Some(Self::Result(match (white.is_light(), black.is_light()) {
            (true, true) => Some(Color::White),
            (false, false) => Some(Color::Black),
            _ => None,
        }))
    }

    /// The question as it is shown to people.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::Which(explanations) => ask_which(explanations),
            Self::TakeBack { actions: 1, .. } => {
                say!(
                    "ask-take-back",
                    "the position before the last action is on the board again: take that action back with `undo`?"
                )
            }
            Self::TakeBack { actions, undos } => {
                say!(
                    "ask-take-back-many",
                    "the position before the last {actions} actions is on the board again: take these actions back with `undo {undos}`?",
                    actions = *actions,
                    undos = *undos
                )
            }
            Self::NewGame => {
                say!("ask-new-game", "the start position is on the board again: start a new game?")
            }
            Self::Result(Some(color)) => {
                say!(
                    "ask-won",
                    "the kings in the centre mean that {color} has won: is that right?",
                    color = *color
                )
            }
            Self::Result(None) => {
                say!("ask-drawn", "the kings in the centre mean that the game is drawn: is that right?")
            }
            Self::Changed { inputs, .. } => {
                let actions = Fact::all(inputs.iter().filter_map(|input| match input {
                    Input::Game(action) => Some(action.describe()),
                    Input::Common(_) => None,
                }));
                say!(
                    "ask-changed",
                    "the board no longer matches the record but shows: {actions}; arbiter, should the record be changed to this?",
                    actions
                )
            }
        }
    }

    /// The readings among which people choose, as the actions of each; empty for another question.
    pub fn offered(&self) -> Vec<Sentence> {
        let Self::Which(readings) = self else { return Vec::new() };
        let actions = |reading: &Vec<Action>| Fact::all(reading.iter().map(Action::describe));
        readings
            .iter()
            .map(|reading| say!("offered-reading", "{actions}", actions = actions(reading)))
            .collect()
    }
}

fn ask_which(explanations: &[Vec<Action>]) -> Sentence {
    let listed = || {
        Fact::alternatives(explanations.iter().map(|actions| Fact::all(actions.iter().map(Action::describe))))
    };
    match explanations {
        [] => say!(
            "ask-what",
            "the board does not show what was played: enter the action, or take the press back with `undo`"
        ),
        [_] => say!(
            "ask-this",
            "the board does not show for certain what was played; was it this: {way}",
            way = listed()
        ),
        _ => say!(
            "ask-which",
            "the board fits more than one explanation; enter what was played: {ways}",
            ways = listed()
        ),
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence().fmt(f)
    }
}
