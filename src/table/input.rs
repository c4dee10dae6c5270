//! Everything that can happen to a table. Nothing else changes it.

use tabiya_types::{Board, ByColor, BySeat, Card, Color, Instant, Role, Seat, Sentence, say};

use crate::rules::{Action, Group, Offer, OwnChange, PlayAction, Verb};

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
#[derive(Clone, PartialEq, Debug, Default)]
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
    /// What only this game has.
    pub own: Option<OwnChange>,
    /// Who has won; `Some(None)` is a draw.
    pub winner: Option<Option<Seat>>,
}

impl Ruling {
    /// A ruling that sets nothing yet.
    pub fn because(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..Self::default() }
    }
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
    Next(Group),
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

/// Something that the table would accept now. What is always possible (undo, pause, rulings …) is not among it.
#[derive(Clone, PartialEq, Debug)]
pub enum Legal {
    /// The game's own.
    Game(Offer),
    /// The clock's button.
    Press(Color),
    /// A fallen flag is claimed.
    ClaimFlag(Color),
    /// The next game.
    Next,
}

impl Legal {
    /// The record's word, for the sentences that quote it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Game(offer) => offer.word(),
            Self::Press(_) => "press",
            Self::ClaimFlag(_) => "claim-flag",
            Self::Next => "next",
        }
    }

    /// The shared action that it is, or is a range of.
    pub fn verb(&self) -> Option<Verb> {
        match self {
            Self::Game(offer) => offer.verb(),
            Self::Press(_) | Self::ClaimFlag(_) | Self::Next => None,
        }
    }

    /// Whose it would be, where it is one player's.
    pub fn by(&self) -> Option<Color> {
        match self {
            Self::Game(offer) => offer.by(),
            Self::Press(by) | Self::ClaimFlag(by) => Some(*by),
            Self::Next => None,
        }
    }

    /// Whether it is part of a timed turn, so that it counts as the press that the other did not give.
    pub fn takes_turn(&self) -> bool {
        matches!(self, Self::Game(offer) if offer.takes_turn())
    }

    /// Whether it has to wait while the game is paused.
    pub fn waits_while_paused(&self) -> bool {
        match self {
            Self::Game(offer) => offer.waits_while_paused(),
            Self::Press(_) => true,
            Self::ClaimFlag(_) | Self::Next => false,
        }
    }

    /// The game's action that it is, where it is just one.
    pub fn action(&self) -> Option<&Action> {
        match self {
            Self::Game(Offer::Do(action)) => Some(action),
            Self::Game(Offer::Raise { .. } | Offer::Place { .. } | Offer::Own(_))
            | Self::Press(_)
            | Self::ClaimFlag(_)
            | Self::Next => None,
        }
    }

    /// The input that it is, where it is just one.
    pub fn input(&self) -> Option<Input> {
        match self {
            Self::Game(_) => self.action().cloned().map(Input::Game),
            Self::Press(by) => Some(Input::Common(Common::Press(*by))),
            Self::ClaimFlag(by) => Some(Input::Common(Common::ClaimFlag(By::Player(*by)))),
            Self::Next => Some(Input::Common(Common::Next(Group::new()))),
        }
    }
}
