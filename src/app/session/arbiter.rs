//! What FIDE's Laws have the arbiter count: illegal moves and their penalties.
//!
//! Source: Laws of Chess 2023, Art. 7.5 (what is illegal), 7.5.5 (first: two minutes for the opponent;
//! second: the game), A.3 (rapid and blitz: one minute). What was refused is no line of the record, so
//! that the next line that is written carries a mark of it, in a field of its own; a start after a crash
//! counts the marks.

use super::Session;
use tabiya_engine::record::secrets::OPENS;
use tabiya_engine::record::{Body, Line};
use tabiya_engine::rules::{Phase, Violation};
use tabiya_engine::table::{Audience, Common, Evidence, Input, Voice};
use tabiya_types::{ByColor, Color, Instant, Millis, say};

/// The field of a line before which illegal moves were counted: whose they were, in their order. It
/// means nothing to the table, and folding a record never reads it.
const MARK: &str = "x-illegal";

/// A game in which each player has less than this for sixty moves is rapid or blitz.
const STANDARD: Millis = Millis(3_600_000);

impl Session {
    /// A typed line was refused: if the Laws count it, the arbiter is told.
    pub(super) fn count_refusal(&mut self, input: &Input, violation: &Violation, at: Instant) {
        let by = match input {
            Input::Game(action) if action.takes_turn() => action.by(),
            Input::Common(Common::Press(by)) => Some(*by),
            Input::Game(_) | Input::Common(_) => None,
        };
        if let Some(by) = by
            && violation.illegal_move
        {
            self.count_illegal(by, at);
        }
    }

    /// Marks the illegal moves that were counted and not written down yet on the first of these lines.
    pub(super) fn mark_illegal(&self, lines: &mut [Line]) {
        if let Some(first) = lines.first_mut().filter(|_| !self.unmarked.is_empty()) {
            let marks: Vec<&str> = self.unmarked.iter().map(|by| by.word()).collect();
            first.own.insert(MARK.to_owned(), marks.into());
        }
    }

    /// Marks the ruling that opens sealed cards.
    pub(super) fn mark_opening(&self, lines: &mut [Line]) {
        let is_ruling = |line: &&mut Line| matches!(line.body, Body::Acted(Input::Common(Common::Rule(_))));
        if let Some(game) = self.opening
            && let Some(ruling) = lines.iter_mut().rfind(is_ruling)
        {
            ruling.own.insert(OPENS.to_owned(), game.into());
        }
    }

    /// Counts again what these lines and the next one know of the present game.
    pub(super) fn count_again(&mut self) {
        let (lines, mut counts) = (&self.lines, ByColor::default());
        for line in lines {
            let marks = line.own.get(MARK).and_then(|marks| marks.as_array());
            let marks = marks.into_iter().flatten().filter_map(|mark| Color::from_word(mark.as_str()?));
            marks.for_each(|by| counts[by] += 1);
            if matches!(line.body, Body::Acted(Input::Common(Common::Next(_)))) {
                counts = ByColor::default();
            }
        }
        self.unmarked.iter().for_each(|by| counts[*by] += 1);
        self.illegal = counts;
        // A press that waits again is complained about again, but counted once.
        let button = |line: &Line| matches!(line.body, Body::Evidence(Evidence::Button(_)));
        let since = lines.iter().rposition(button).map_or(lines.len(), |last| last + 1);
        self.press_counted = lines.iter().skip(since).any(|line| line.own.contains_key(MARK));
    }

    /// One more illegal move by this side, and what the Laws make of it. Casually it is just put right.
    pub(super) fn count_illegal(&mut self, by: Color, at: Instant) {
        if self.table().terms().voice != Voice::Event || self.table().phase() != Phase::Chess {
            return;
        }
        self.illegal[by] += 1;
        self.unmarked.push(by);
        let (count, other) = (self.illegal[by], by.other());
        let text = if count == 1 {
            let minutes: u32 = if self.is_standard(by) { 2 } else { 1 };
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
                seat = self.table().seat_of(other)
            )
        };
        self.say_to(Audience::Arbiter, text);
        // A line for the mark, so that it is safe at once. While a press waits there must be none that
        // reads the clock on: then the mark goes with whatever the board shows next.
        if self.watch.enter(&Input::Common(Common::Tick), at).is_ok() {
            self.absorb(at);
        }
    }

    /// Whether this is neither rapid nor blitz.
    fn is_standard(&self, side: Color) -> bool {
        let setting = self.table().terms().setting(self.table().white());
        setting.controls[side].for_sixty_moves().is_none_or(|whole| whole >= STANDARD)
    }
}
