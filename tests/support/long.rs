//! Long generated records: up to a hundred thousand lines, of which up to half are undos, in several orders.
//!
//! They need no random numbers and no files. The tests check the result of such a record; `benches/fold.rs` measures
//! the time.

/// The order of actions, undos and redos.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Nothing is undone.
    Plain,
    /// All actions first, then all of them are undone.
    Row,
    /// Each action is undone at once, so the game makes no progress.
    Alternating,
    /// All actions first, then the last one is undone and redone again and again.
    Wavering,
    /// Actions first, then half of them are undone, then these are redone.
    ThereAndBack,
}

impl Shape {
    /// All orders of actions, undos and redos that this type has.
    pub const ALL: [Self; 5] =
        [Self::Plain, Self::Row, Self::Alternating, Self::Wavering, Self::ThereAndBack];

    /// The name of the shape in a bench.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Row => "undone in a row",
            Self::Alternating => "undone at once",
            Self::Wavering => "undone and redone",
            Self::ThereAndBack => "all undone, all redone",
        }
    }
}

/// A game that supplies any number of actions.
#[derive(Clone, Copy, Debug)]
pub enum Play {
    /// Presses of a clock without a game.
    Presses,
    /// Games of chess, one after the other: twelve moves without a press, a resignation, `next`.
    Chess,
    /// Games of Choker, one after the other: a deal, a fold, `next`.
    Folds,
}

impl Play {
    /// All games.
    pub const ALL: [Self; 3] = [Self::Presses, Self::Chess, Self::Folds];

    /// The name of the game in a bench.
    pub fn name(self) -> &'static str {
        match self {
            Self::Presses => "clock",
            Self::Chess => "chess",
            Self::Folds => "choker",
        }
    }

    fn header(self) -> String {
        let (game, terms) = match self {
            Self::Presses => ("clock", r#"{"time":"900000"}"#),
            Self::Chess => ("chess", r#"{"time":"900000"}"#),
            Self::Folds => ("choker", r#"{"time":"120","stacks":{"A":1000,"B":1000},"small_blind":1}"#),
        };
        format!(
            r#"{{"tabiya":1,"game":"{game}","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{terms}}}"#
        )
    }

    /// The record's line for the `nth` action: its JSON fields without the time.
    fn action(self, nth: usize) -> String {
        const MOVES: [&str; 12] =
            ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5"];
        let side = |even: bool| if even { "white" } else { "black" };
        match self {
            // Black's first press starts White's clock.
            Self::Presses => format!(r#""do":"press","by":"{}""#, side(nth % 2 == 1)),
            Self::Chess => match nth % 14 {
                12 => r#""do":"resign","by":"white""#.to_owned(),
                13 => r#""do":"next""#.to_owned(),
                ply => format!(r#""do":"move","by":"{}","uci":"{}""#, side(ply % 2 == 0), MOVES[ply]),
            },
            Self::Folds => match nth % 3 {
                0 => r#""do":"deal""#.to_owned(),
                1 => r#""do":"bet","by":"white","action":"fold""#.to_owned(),
                _ => r#""do":"next""#.to_owned(),
            },
        }
    }
}

/// How many actions come before the first undo in [`Shape::Alternating`]. They are enough to start a clock.
pub const BEGUN: usize = 3;

/// A record of `lines` lines, its header included, with a line every 100 ms.
pub fn record(play: Play, shape: Shape, lines: usize) -> Vec<String> {
    let (undo, redo) = (r#""do":"undo""#, r#""do":"redo""#);
    let half = lines / 2;
    let what = |nth: usize| match shape {
        Shape::Plain => play.action(nth),
        Shape::Row if nth < half => play.action(nth),
        Shape::Row => undo.to_owned(),
        Shape::Alternating if nth < BEGUN => play.action(nth),
        Shape::Alternating if (nth - BEGUN).is_multiple_of(2) => play.action(BEGUN),
        Shape::Alternating => undo.to_owned(),
        Shape::Wavering if nth < half => play.action(nth),
        Shape::Wavering => [undo, redo][nth % 2].to_owned(),
        Shape::ThereAndBack if nth < half => play.action(nth),
        Shape::ThereAndBack if nth < half + half / 2 => undo.to_owned(),
        Shape::ThereAndBack => redo.to_owned(),
    };
    let timed = |nth: usize| format!(r#"{{"t":{},{}}}"#, (nth + 1) * 100, what(nth));
    std::iter::once(play.header()).chain((0..lines.saturating_sub(1)).map(timed)).collect()
}
