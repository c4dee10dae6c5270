//! What FIDE's Laws have the arbiter count: illegal moves and their penalties.
//!
//! Source: Laws of Chess 2023, Art. 7.5 (what is illegal), 7.5.5 (first: two minutes for the opponent;
//! second: the game), A.3 (rapid and blitz: one minute). What was refused is no line of the record, so
//! that the next line that is written carries a mark of it, in a field of its own; a start after a crash
//! counts the marks.

use tabiya_engine::record::secrets::OPENS;
use tabiya_engine::record::{Body, Line};
use tabiya_engine::rules::{Datum, Phase, Violation};
use tabiya_engine::table::{Common, Evidence, Input, Table, Voice};
use tabiya_types::{ByColor, Color, Millis, Sentence, say};

/// The field of a line before which illegal moves were counted: whose they were, in their order. It
/// means nothing to the table, and folding a record never reads it.
const MARK: &str = "x-illegal";

/// A game in which each player has less than this for sixty moves is rapid or blitz.
const STANDARD: Millis = Millis(3_600_000);

/// Illegal moves of the present game, as the Laws count them.
#[derive(Debug, Default)]
pub(super) struct Illegal {
    counts: ByColor<u32>,
    /// Those of them that no line on record tells of yet.
    unmarked: Vec<Color>,
}

impl Illegal {
    /// One more illegal move by this side, and what the Laws make of it, for the arbiter. Casually it is just put right.
    pub(super) fn count(&mut self, by: Color, table: &Table) -> Option<Sentence> {
        if table.terms().voice != Voice::Event || table.phase() != Phase::Chess {
            return None;
        }
        self.counts[by] += 1;
        self.unmarked.push(by);
        let (count, other) = (self.counts[by], by.other());
        Some(if count == 1 {
            let minutes: u32 = if is_standard(table, by) { 2 } else { 1 };
            say!(
                "first-illegal-move",
                "{by}'s illegal move number 1 of this game, if it was one: put it right, and {other} gains \
                 {minutes} min (Laws 7.5.5): `rule clock {side} +{seconds} illegal move`",
                by,
                other,
                minutes,
                side = other.word().to_owned(),
                seconds = minutes * 60
            )
        } else {
            say!(
                "next-illegal-move",
                "{by}'s illegal move number {count} of this game, if it was one: {by} loses, or draws if \
                 {other} cannot mate (Laws 7.5.5): `rule winner {seat} second illegal move`",
                by,
                count,
                other,
                seat = table.seat_of(other)
            )
        })
    }

    /// Marks the illegal moves that were counted and not written down yet on the first of these lines.
    pub(super) fn mark(&self, lines: &mut [Line]) {
        if let Some(first) = lines.first_mut().filter(|_| !self.unmarked.is_empty()) {
            let marks: Vec<&str> = self.unmarked.iter().map(|by| by.word()).collect();
            first.set_own(MARK, marks);
        }
    }

    /// The marks are durable.
    pub(super) fn marked(&mut self) {
        self.unmarked.clear();
    }

    /// Another game begins.
    pub(super) fn next_game(&mut self) {
        self.counts = ByColor::default();
    }

    /// Counts again what these lines and the next one know of the present game.
    pub(super) fn count_again(&mut self, lines: &[Line]) {
        let mut counts = ByColor::default();
        for line in lines {
            let marks = line.own(MARK);
            let marks = marks.iter().filter_map(Datum::as_list).flatten();
            let marks = marks.filter_map(|mark| Color::from_word(mark.as_text()?));
            marks.for_each(|by| counts[by] += 1);
            if matches!(line.body, Body::Acted(Input::Common(Common::Next(_)))) {
                counts = ByColor::default();
            }
        }
        self.unmarked.iter().for_each(|by| counts[*by] += 1);
        self.counts = counts;
    }
}

/// Whether the press that these lines leave waiting was counted: it is complained about again, but counted once.
pub(super) fn press_was_counted(lines: &[Line]) -> bool {
    let button = |line: &Line| matches!(line.body, Body::Evidence(Evidence::Button(_)));
    let since = lines.iter().rposition(button).map_or(lines.len(), |last| last + 1);
    lines.iter().skip(since).any(|line| line.own(MARK).is_some())
}

/// Whose illegal move it is that this input was refused, if the Laws count it.
pub(super) fn illegal_by(input: &Input, violation: &Violation) -> Option<Color> {
    let by = match input {
        Input::Game(action) if action.takes_turn() => action.by(),
        Input::Common(Common::Press(by)) => Some(*by),
        Input::Game(_) | Input::Common(_) => None,
    };
    by.filter(|_| violation.illegal_move)
}

/// Marks the ruling that opens sealed cards of that game.
pub(super) fn mark_opening(game: Option<u64>, lines: &mut [Line]) {
    let is_ruling = |line: &&mut Line| matches!(line.body, Body::Acted(Input::Common(Common::Rule(_))));
    if let Some(game) = game
        && let Some(ruling) = lines.iter_mut().rfind(is_ruling)
    {
        ruling.set_own(OPENS, game);
    }
}

/// Whether this is neither rapid nor blitz.
fn is_standard(table: &Table, side: Color) -> bool {
    let setting = table.terms().setting(table.white());
    setting.controls[side].for_sixty_moves().is_none_or(|whole| whole >= STANDARD)
}
