//! The illegal moves that a record counts, for the match sheet: whose they were, and what the arbiter gave for them.
//!
//! A refused move is no line of the record. The next line carries a mark of it, which changes nothing in the match
//! (`docs/organisers-guide.md`, "Illegal moves").

use tabiya_types::{ByColor, Color, Millis};

use super::observer::Observer;
use super::text::{Body, Line};
use crate::rules::Datum;
use crate::table::{Common, Effect, Input, RuledResult, Ruling, Table};

/// The field that marks illegal moves on the first line written after them. It lists the colours that made the moves, in
/// order.
pub const ILLEGAL: &str = "x-illegal";

/// The field that marks illegal moves that the arbiter did not confirm, in the same way.
pub const ILLEGAL_WITHDRAWN: &str = "x-illegal-withdrawn";

/// The field of a ruling that answers an illegal move: the colour that made the move. Rulings have it whatever language their
/// reason is in; the reasons in English are enough without it.
pub const PENALTY: &str = "x-penalty";

/// The reasons of the rulings that the table proposes for illegal moves.
const REASONS: [&str; 2] = ["illegal move", "second illegal move"];

/// An illegal move that counts.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct IllegalMove {
    /// The game of the match, from 0.
    pub(super) game: usize,
    pub(super) by: Color,
    /// Which one of this player it was in the game, from 1.
    pub(super) number: usize,
    /// The first ruling after it, for this reason, that gives the opponent more time or ends the game. It counts only if it was
    /// not taken back.
    pub(super) ruling: Option<Ruling>,
}

/// The illegal moves of a match that count.
#[derive(Clone, Debug, Default)]
pub(super) struct IllegalMoves {
    found: Vec<IllegalMove>,
    /// The game that the newest line met, from 0.
    game: usize,
    /// The times that the newest line met.
    met: ByColor<Option<Millis>>,
}

impl IllegalMoves {
    /// The illegal moves of the game with this number, from 0, in order.
    pub(super) fn of_game(&self, game: usize) -> impl Iterator<Item = &IllegalMove> {
        self.found.iter().filter(move |illegal| illegal.game == game)
    }

    fn add(&mut self, by: Color) {
        let (game, number) = (self.game, self.of_game(self.game).filter(|of| of.by == by).count() + 1);
        self.found.push(IllegalMove { game, by, number, ruling: None });
    }

    fn withdraw(&mut self, by: Color) {
        let game = self.game;
        if let Some(last) = self.found.iter().rposition(|illegal| illegal.game == game && illegal.by == by) {
            self.found.remove(last);
        }
    }
}

impl Observer for IllegalMoves {
    fn before(&mut self, _: u32, line: &Line, table: &Table) {
        self.game = table.past_games().len();
        self.met = ByColor::new(|side| table.reading(side, line.moment()));
    }

    fn after(&mut self, _: u32, line: &Line, _: &[Effect], _: &Table) {
        for by in marked(line, ILLEGAL) {
            self.add(by);
        }
        for by in marked(line, ILLEGAL_WITHDRAWN) {
            self.withdraw(by);
        }
        let Body::Acted(Input::Common(Common::Rule(ruling))) = &line.body else { return };
        let (game, met) = (self.game, self.met);
        let answers = line.extension(PENALTY).and_then(|by| Color::from_word(by.as_text()?));
        let named = REASONS.contains(&ruling.reason.as_str());
        let penalized = |illegal: &&mut IllegalMove| {
            let other = illegal.by.other();
            let gains = ruling.clock_ms[other].is_some_and(|set| met[other].is_some_and(|met| set > met.0));
            illegal.game == game
                && illegal.ruling.is_none()
                && (named || answers == Some(illegal.by))
                && (gains || ruling.result.is_some())
        };
        if let Some(illegal) = self.found.iter_mut().rfind(penalized) {
            illegal.ruling = Some(Ruling::clone(ruling));
        }
    }
}

/// The colours that a line has marked under this name.
pub fn marked(line: &Line, name: &str) -> Vec<Color> {
    let marks = line.extension(name);
    let marks = marks.iter().filter_map(Datum::as_list).flatten();
    marks.filter_map(|mark| Color::from_word(mark.as_text()?)).collect()
}

/// How many illegal moves each player has made in the present game, line by line, as [`illegal_counts`] counts them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IllegalCounts(pub ByColor<u32>);

impl IllegalCounts {
    fn count(&mut self, line: &Line) {
        let Self(counts) = self;
        for by in marked(line, ILLEGAL) {
            counts[by] += 1;
        }
        for by in marked(line, ILLEGAL_WITHDRAWN) {
            counts[by] = counts[by].saturating_sub(1);
        }
        if matches!(line.body, Body::Acted(Input::Common(Common::Next(_)))) {
            *counts = ByColor::default();
        }
    }
}

impl Observer for IllegalCounts {
    fn after(&mut self, _: u32, line: &Line, _: &[Effect], _: &Table) {
        self.count(line);
    }
}

/// How many illegal moves each player has made in the game that the last of these lines belongs to, by the marks on the lines: those
/// that were withdrawn do not count.
pub fn illegal_counts(lines: &[Line]) -> ByColor<u32> {
    let mut counts = IllegalCounts::default();
    for line in lines {
        counts.count(line);
    }
    counts.0
}

/// Whose last illegal move no ruling has answered yet, in the game that the last of these lines belongs to: for each of them a
/// ruling is proposed.
pub fn unanswered(lines: &[Line]) -> ByColor<bool> {
    let mut open = ByColor::<bool>::default();
    for line in lines {
        for by in marked(line, ILLEGAL) {
            open[by] = true;
        }
        for by in marked(line, ILLEGAL_WITHDRAWN) {
            open[by] = false;
        }
        let Body::Acted(Input::Common(common)) = &line.body else { continue };
        match common {
            Common::Rule(ruling) => {
                if let Some(by) = line.extension(PENALTY).and_then(|by| Color::from_word(by.as_text()?)) {
                    open[by] = false;
                }
                if ruling.result.is_some_and(|result| result != RuledResult::GoesOn) {
                    open = ByColor::default();
                }
            }
            Common::Next(_) | Common::EndMatch { .. } => open = ByColor::default(),
            _ => {}
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::super::header::Header;
    use super::*;
    use crate::rules::GAMES;

    #[test]
    fn illegal_moves_count_in_their_game_unless_they_were_withdrawn() {
        let header = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A"}"#;
        let header = Header::parse(header, GAMES).expect("a header");
        let line = |text: &str| Line::parse(text, &header).expect("a line");
        let mut lines = vec![
            line(r#"{"t":0,"do":"pause","by":"arbiter","x-illegal":["white","black"]}"#),
            line(
                r#"{"t":1,"do":"resume","by":"arbiter","x-illegal":["white"],"x-illegal-withdrawn":["black"]}"#,
            ),
        ];
        assert_eq!(illegal_counts(&lines), ByColor { white: 2, black: 0 });
        assert_eq!(unanswered(&lines), ByColor { white: true, black: false });
        let mut answered = lines.clone();
        answered.push(line(
            r#"{"t":2,"do":"rule","by":"arbiter","reason":"a warning","set":{},"x-penalty":"white"}"#,
        ));
        assert_eq!(unanswered(&answered), ByColor::default());
        lines.push(line(r#"{"t":2,"do":"next"}"#));
        assert_eq!(illegal_counts(&lines), ByColor::default());
        assert_eq!(unanswered(&lines), ByColor::default());
    }
}
