//! The inputs of a table. Only an input changes a table.

use tabiya_types::{Board, ByColor, BySeat, Card, Color, Instant, Role, Seat, Sentence, say};

use super::agreement::TimeTerm;
use crate::rules::{Action, Group, Offer, OwnChange, PlayAction, Verb};

/// The person who gave an input: a player or the arbiter. This is used for the kinds of input that both can give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Author {
    /// A player, by colour.
    Player(Color),
    /// The arbiter.
    Arbiter,
}

impl Author {
    /// The record's word for the author.
    pub fn word(self) -> &'static str {
        match self {
            Self::Player(color) => color.word(),
            Self::Arbiter => "arbiter",
        }
    }

    /// The author as a word for people.
    pub fn sentence(self) -> Sentence {
        match self {
            Self::Player(Color::White) => say!("by-white", "white"),
            Self::Player(Color::Black) => say!("by-black", "black"),
            Self::Arbiter => say!("by-arbiter", "arbiter"),
        }
    }
}

/// An arbiter's ruling: the values that it sets, and the reason.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ruling {
    /// The reason for the ruling, which is always recorded.
    pub reason: String,
    /// The time left for each side, in ms.
    pub clock_ms: ByColor<Option<u64>>,
    /// The byo-yomi periods left for each side.
    pub periods: ByColor<Option<u32>>,
    /// The number of moves that the clock counts for each side.
    pub moves: ByColor<Option<u32>>,
    /// The chips in each seat's stack.
    pub stacks: BySeat<Option<u32>>,
    /// The chips that each seat has put into the pot.
    pub contributed: BySeat<Option<u32>>,
    /// Whether the ruling may change the total number of chips, because chips were added to the table or taken from it.
    pub chips_added: bool,
    /// The position as a complete FEN.
    pub fen: Option<String>,
    /// The player who has to act next.
    pub to_act: Option<Color>,
    /// A change that only one kind of game supports.
    pub own: Option<OwnChange>,
    /// The time control from this moment on, if the wrong one was agreed or set (Laws of Chess, 6.10.2).
    pub time: Option<TimeTerm>,
    /// What becomes of the game; `None` if the ruling says nothing about its result.
    pub result: Option<RuledResult>,
}

/// What a ruling makes of a game: it ends the game, or changes the result of an ended one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RuledResult {
    /// This player wins; `None`: the game is drawn.
    Winner(Option<Seat>),
    /// The players have these half points, which are no win, loss or draw (Laws of Chess, 12.9).
    Points(BySeat<u8>),
    /// This player did not play, so the other one wins; `None`: neither played (Laws of Chess, 6.7 and 11.7).
    Forfeit(Option<Seat>),
    /// The game counts nothing, and is begun again with the same colours (Laws of Chess, 7.2 and 7.3).
    Void,
    /// An ended game goes on as before its end.
    GoesOn,
}

impl RuledResult {
    /// These half points as the result; `None` if they are a win, a loss or a draw, or more than a win.
    pub fn of_half_points(half_points: BySeat<u8>) -> Option<Self> {
        // A win, a loss and a draw are two half points together.
        let usual = half_points.a + half_points.b == 2;
        (!usual && half_points.a.max(half_points.b) <= 2).then_some(Self::Points(half_points))
    }
}

impl Ruling {
    /// A ruling with this reason and this result.
    pub fn on_result(reason: impl Into<String>, result: RuledResult) -> Self {
        Self { result: Some(result), ..Self::because(reason) }
    }

    /// A ruling with this reason that sets nothing yet.
    pub fn because(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..Self::default() }
    }
}

/// What an undo takes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum UndoWhat {
    /// The last turn, or in an unfinished turn its last line; otherwise the last line that acted.
    #[default]
    LastLine,
    /// The last action of the game, whatever else has happened since.
    Game,
    /// The last ruling or correction.
    Ruling,
}

/// An input that every game has.
#[derive(Clone, PartialEq, Debug)]
pub enum Common {
    /// This player presses the clock.
    Press(Color),
    /// A player or the arbiter stops the clocks.
    Pause(Author),
    /// A player or the arbiter lets the clocks run again.
    Resume(Author),
    /// The arbiter gives a ruling.
    Rule(Box<Ruling>),
    /// Takes something back.
    Undo {
        /// What is taken back.
        what: UndoWhat,
        /// Who asked for the undo, if that was recorded.
        by: Option<Author>,
        /// The reason for the undo, if one was recorded.
        reason: Option<String>,
    },
    /// Restores the action that was undone last.
    Redo {
        /// Who asked for the redo, if that was recorded.
        by: Option<Author>,
    },
    /// Only lets time pass.
    Tick,
    /// Begins the next game. The fields are the terms that change with the next game.
    Next(Group),
    /// The players end the match early.
    EndMatch {
        /// Who ended the match.
        by: Author,
        /// The reason why the match ended early.
        reason: String,
    },
    /// A player or the arbiter claims that a flag has fallen.
    ClaimFlag(Author),
    /// A player declares a stand-in for the next piece that he will place or get by a promotion.
    Stands {
        /// The player who declares the stand-in.
        by: Color,
        /// The piece that the stand-in represents.
        piece: Card,
        /// The physical piece that will be on the board.
        shown_by: Role,
    },
    /// The times that a physical clock reported, in ms.
    ClockReads(ByColor<u64>),
    /// This player agrees that his sealed cards may be shown.
    Consent(Color),
    /// This player confirms the result and the chips of the game that has just ended (Laws of Chess, 8.7).
    Signs(Color),
}

impl Common {
    /// Takes back the last action of the game, without an author or a reason.
    pub const TAKE_BACK: Self = Self::Undo { what: UndoWhat::Game, by: None, reason: None };
}

/// An input that acts on a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    /// An input that every game has.
    Common(Common),
    /// An action of the game that is played.
    Game(Action),
}

impl From<Common> for Input {
    fn from(common: Common) -> Self {
        Self::Common(common)
    }
}

impl From<Action> for Input {
    fn from(action: Action) -> Self {
        Self::Game(action)
    }
}

impl From<PlayAction> for Input {
    fn from(play: PlayAction) -> Self {
        Self::Game(Action::Play(play))
    }
}

impl From<Ruling> for Input {
    fn from(ruling: Ruling) -> Self {
        Self::Common(Common::Rule(Box::new(ruling)))
    }
}

/// A report of a sensor, or a press that nobody could interpret yet. The record keeps it, but it never changes the
/// state of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The board that a sensor reported. Boxed, so that the other lines of a long match are not as large as a board.
    Sees(Box<Board>),
    /// A press that the table could not interpret yet.
    Button(Color),
}

/// The content of one line of the record.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// An input that acts on the table.
    Acted(Input),
    /// What a sensor reported (evidence). It is recorded only, and never changes the state of the table.
    Evidence(Evidence),
}

/// When an input acts, and on which line of the record it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stamp {
    /// The moment at which the input acts: the line's `when` if it has one, otherwise its `t`.
    pub at: Instant,
    /// The number of the line in the record, from 1.
    pub line: u32,
}

impl Stamp {
    /// A stamp with this moment and this line.
    pub fn new(at: Instant, line: u32) -> Self {
        Self { at, line }
    }
}

/// An input that the table would accept now. Inputs that are always possible (undo, pause, rulings) are not included.
#[derive(Clone, PartialEq, Debug)]
pub enum LegalInput {
    /// One action of the game, or several actions of one kind, such as all legal raises.
    Game(Offer),
    /// A press of the clock by this player.
    Press(Color),
    /// A claim by this player that the opponent's flag has fallen.
    ClaimFlag(Color),
    /// The beginning of the next game.
    Next,
}

impl LegalInput {
    /// The record's word for the input, for sentences that quote it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Game(offer) => offer.word(),
            Self::Press(_) => "press",
            Self::ClaimFlag(_) => "claim-flag",
            Self::Next => "next",
        }
    }

    /// The kind of the offered action; `None` if the input is no action, or an action that only one kind of game has.
    pub fn verb(&self) -> Option<Verb> {
        match self {
            Self::Game(offer) => offer.verb(),
            Self::Press(_) | Self::ClaimFlag(_) | Self::Next => None,
        }
    }

    /// The player who may make the input; `None` if it belongs to no single player.
    pub fn by(&self) -> Option<Color> {
        match self {
            Self::Game(offer) => offer.by(),
            Self::Press(by) | Self::ClaimFlag(by) => Some(*by),
            Self::Next => None,
        }
    }

    /// Whether the input is part of a timed turn. If the opponent has forgotten to press the clock, such an input
    /// also counts as the opponent's press.
    pub fn takes_turn(&self) -> bool {
        matches!(self, Self::Game(offer) if offer.takes_turn())
    }

    /// Whether the input is refused while the game is paused.
    pub fn waits_while_paused(&self) -> bool {
        match self {
            Self::Game(offer) => offer.waits_while_paused(),
            Self::Press(_) => true,
            Self::ClaimFlag(_) | Self::Next => false,
        }
    }

    /// The game action, if exactly one action is offered; `None` for a range of actions and for other inputs.
    pub fn action(&self) -> Option<&Action> {
        match self {
            Self::Game(Offer::Do(action)) => Some(action),
            Self::Game(Offer::Raise { .. } | Offer::Place { .. } | Offer::Own(_))
            | Self::Press(_)
            | Self::ClaimFlag(_)
            | Self::Next => None,
        }
    }

    /// The input as a value that a table can apply; `None` for a range of actions.
    pub fn input(&self) -> Option<Input> {
        match self {
            Self::Game(_) => self.action().cloned().map(Input::Game),
            Self::Press(by) => Some(Input::Common(Common::Press(*by))),
            Self::ClaimFlag(by) => Some(Input::Common(Common::ClaimFlag(Author::Player(*by)))),
            Self::Next => Some(Input::Common(Common::Next(Group::new()))),
        }
    }
}
