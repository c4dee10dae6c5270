//! A broken rule, as people hear it, and the refusals that games share.

use tabiya_types::{Color, Sentence, Square, say};

/// A broken rule: what was done, why it cannot be, and what to do. The table is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct Violation {
    /// The variant's name, in words joined by `-`.
    pub rule: &'static str,
    /// What was done and why it cannot be.
    pub what: Sentence,
    /// What to do instead.
    pub next: Sentence,
    /// The squares involved.
    pub squares: Vec<Square>,
    /// Whether the Laws count it as an illegal move (FIDE 7.5): a move against the rules, or a press without one.
    pub illegal_move: bool,
}

impl Violation {
    /// A broken rule that involves no square.
    pub fn new(rule: &'static str, what: Sentence, next: Sentence) -> Self {
        Self { rule, what, next, squares: Vec::new(), illegal_move: false }
    }

    /// The same, with the squares involved.
    #[must_use]
    pub fn at(mut self, squares: impl IntoIterator<Item = Square>) -> Self {
        self.squares.extend(squares);
        self
    }

    /// The same, as one that the Laws count as an illegal move.
    #[must_use]
    pub fn counted(mut self) -> Self {
        self.illegal_move = true;
        self
    }

    /// What, and what to do, as one sentence.
    pub fn sentence(&self) -> Sentence {
        say!("violation", "{what}; {next}", what = self.what.clone(), next = self.next.clone())
    }
}

/// What many refusals, and the prompts of most games, have to say.
pub(crate) fn game_over() -> Sentence {
    say!("game-over", "the game is over")
}

/// What is to be done after a result.
pub(crate) fn begin_next() -> Sentence {
    say!("game-over-next", "begin the next game with `next`")
}

/// What is to be done by a player who has acted.
pub(super) fn press_the_clock(by: Color) -> Sentence {
    say!("press-the-clock", "{by}: press the clock", by)
}

/// A line of another game; `what` says so.
pub(super) fn not_of_this_game(what: Sentence) -> Violation {
    Violation::new("not-of-this-game", what, say!("not-of-this-game-next", "leave it out"))
}

/// A ruling of another game.
pub(super) fn no_such_change() -> Violation {
    not_of_this_game(say!("no-such-change", "the ruling sets something that this game does not have"))
}
