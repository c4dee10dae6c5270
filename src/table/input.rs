//! Everything that can happen to a table. Nothing else changes it.

use serde_json::{Map, Value};

use crate::rules::Action;
use tabiya_types::{Board, ByColor, BySeat, Card, Color, Instant, Role, Seat, Sentence, say};

/// Who did something that the arbiter may do as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// A player.
    Player(Color),
    /// The arbiter.
    Arbiter,
}

impl By {
    /// The record's word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Player(color) => color.word(),
            Self::Arbiter => "arbiter",
        }
    }

    /// The same for people.
    pub fn sentence(self) -> Sentence {
        match self {
            Self::Player(Color::White) => say!("by-white", "white"),
            Self::Player(Color::Black) => say!("by-black", "black"),
            Self::Arbiter => say!("by-arbiter", "arbiter"),
        }
    }
}

/// An arbiter's ruling: what it sets, and why.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ruling {
    /// Why; always recorded.
    pub reason: String,
    /// Time left, in ms.
    pub clock_ms: ByColor<Option<u64>>,
    /// Byo-yomi periods left.
    pub periods: ByColor<Option<u32>>,
    /// Moves made, as the clock counts them.
    pub moves: ByColor<Option<u32>>,
    /// Chips behind.
    pub stacks: BySeat<Option<u32>>,
    /// Chips put in.
    pub contributed: BySeat<Option<u32>>,
    /// Whether chips were added to or taken from the table.
    pub chips_added: bool,
    /// A position, as a whole FEN.
    pub fen: Option<String>,
    /// Who is to act.
    pub to_act: Option<Color>,
    /// Who has won; `Some(None)` is a draw.
    pub winner: Option<Option<Seat>>,
}

/// An input that every game has.
#[derive(Clone, PartialEq, Debug)]
pub enum Common {
    /// The clock's button.
    Press(Color),
    /// Stops the clocks.
    Pause(By),
    /// Lets them run again.
    Resume(By),
    /// An arbiter's ruling.
    Rule(Box<Ruling>),
    /// Takes back the last action.
    Undo {
        /// Who asked, if anybody said.
        by: Option<By>,
        /// Why, if anybody said.
        reason: Option<String>,
    },
    /// Restores what was undone last.
    Redo {
        /// Who asked, if anybody said.
        by: Option<By>,
    },
    /// Nothing but time passing.
    Tick,
    /// The next game, with the terms that it changes.
    Next(Map<String, Value>),
    /// The players stop early.
    EndMatch {
        /// Who said so.
        by: By,
        /// Why.
        reason: String,
    },
    /// A fallen flag is claimed.
    ClaimFlag(By),
    /// This player's next such piece will be shown by another one.
    Stands {
        /// Who.
        by: Color,
        /// The piece.
        piece: Card,
        /// What will be seen.
        shown_by: Role,
    },
    /// What a physical clock showed, in ms.
    ClockReads(ByColor<u64>),
    /// This player agrees that his sealed cards may be shown.
    Consent(Color),
}

/// Anything that acts on a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Input {
    /// What every game has.
    Common(Common),
    /// This game's own.
    Game(Action),
}

/// What was only seen. It never acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evidence {
    /// The board as seen.
    Sees(Board),
    /// A press that the table could not yet understand.
    Button(Color),
}

/// A line of the record: what acted, or what was only seen.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// It acts on the table.
    Acted(Input),
    /// It never acts.
    Evidence(Evidence),
}

/// When an input acts, and which line of the record it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stamp {
    /// The moment at which it acts: the line's `when`, else its `t`.
    pub at: Instant,
    /// The record's line, from 1.
    pub line: u32,
}

impl Stamp {
    /// A moment on a line.
    pub fn new(at: Instant, line: u32) -> Self {
        Self { at, line }
    }
}
