//! The violation of a rule, as people read it, and the violations that several games share.

use tabiya_types::{Color, Sentence, Square, say};

/// The violation of a rule: what was wrong, why, and what to do instead. A violation leaves the table unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Violation {
    /// The name of the rule in lower case, its words joined by `-`: `illegal-move`.
    pub rule: &'static str,
    /// What was wrong and why.
    pub what: Sentence,
    /// What to do instead.
    pub next: Sentence,
    /// The squares that the violation concerns.
    pub squares: Vec<Square>,
    /// Whether the violation counts as an illegal move (FIDE 7.5): a move against the rules, or a press without a move.
    pub illegal_move: bool,
    /// The articles of FIDE's Laws of Chess (2023) that rule on it; `None` if the Laws have none for it.
    pub articles: Option<Articles>,
}

/// Articles of FIDE's Laws of Chess (2023).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Articles {
    /// When a draw may be agreed first.
    DrawAgreed,
    /// Who may accept which offer of a draw.
    DrawOffered,
    /// Who may claim a draw, and when.
    DrawClaimed,
    /// A claim that is wrong.
    WrongClaim,
    /// A flag counts from when the arbiter sees it, or a player claims it.
    Flag,
    /// A move that no rule allows.
    IllegalMove,
    /// A king would be captured.
    KingTaken,
    /// The own king would be in check.
    KingExposed,
    /// A press without a move.
    EarlyPress,
    /// A pawn that was left on the last rank.
    PawnLeft,
    /// A piece of the wrong colour in the place of a pawn.
    WrongPromotion,
    /// Pieces that were displaced, which their player puts back on his own time.
    Displaced,
}

impl Articles {
    /// The numbers of the articles.
    pub const fn numbers(self) -> &'static str {
        match self {
            Self::DrawAgreed => "5.2.3",
            Self::DrawOffered => "9.1.2",
            Self::DrawClaimed => "9.2, 9.3",
            Self::WrongClaim => "9.5.3",
            Self::Flag => "6.8",
            Self::IllegalMove => "7.5.1",
            Self::KingTaken => "1.4.1, 7.5.1",
            Self::KingExposed => "3.9.2, 7.5.1",
            Self::EarlyPress => "7.5.3",
            Self::PawnLeft => "7.5.2",
            Self::WrongPromotion => "3.7.3, 7.5.1",
            Self::Displaced => "7.4.1",
        }
    }
}

impl Violation {
    /// A violation that concerns no square and is not an illegal move.
    pub fn new(rule: &'static str, what: Sentence, next: Sentence) -> Self {
        Self { rule, what, next, squares: Vec::new(), illegal_move: false, articles: None }
    }

    /// Adds squares that the violation concerns.
    #[must_use]
    pub fn at(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.squares.extend(squares);
        self
    }

    /// Marks the violation as an illegal move under FIDE's Laws.
    #[must_use]
    pub fn as_illegal_move(mut self) -> Self {
        self.illegal_move = true;
        self
    }

    /// Names the articles of the Laws of Chess that rule on it.
    #[must_use]
    pub fn under(mut self, articles: impl Into<Option<Articles>>) -> Self {
        self.articles = articles.into();
        self
    }

    /// What was wrong and what to do instead, in one sentence.
    pub fn sentence(&self) -> Sentence {
        say!("violation", "{what}; {next}", what = self.what.clone(), next = self.next.clone())
    }
}

/// The sentence "the game is over", which refusals and prompts use.
pub(crate) fn game_over() -> Sentence {
    say!("game-over", "the game is over")
}

/// The advice to begin the next game after a result.
pub(crate) fn begin_next() -> Sentence {
    say!("game-over-next", "begin the next game with `next`")
}

/// The prompt for a player who has acted and must press the clock.
pub(super) fn press_the_clock(by: Color) -> Sentence {
    say!("press-the-clock", "{by}: press the clock", by)
}

/// The violation if this kind of game does not have the action, or the change that a ruling makes. `what` is the
/// sentence that tells people so.
pub(super) fn not_of_this_game(what: Sentence) -> Violation {
    Violation::new("not-of-this-game", what, say!("not-of-this-game-next", "leave this entry out"))
}

/// The violation for a ruling that sets chips in a game without chips. `what` is the sentence that tells people so.
pub(super) fn no_chips(what: Sentence) -> Violation {
    Violation::new("no-chips", what, say!("no-chips-next", "leave the chips out of the ruling"))
}

/// The violation for a ruling that sets something which this game does not have.
pub(super) fn no_such_change() -> Violation {
    not_of_this_game(say!("no-such-change", "the ruling sets something that this game does not have"))
}
