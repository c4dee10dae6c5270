//! Counts illegal moves, and suggests their penalties to the arbiter, as FIDE's Laws of Chess require.
//!
//! Source: Laws of Chess 2023, Art. 7.5 (which moves are illegal), 7.5.5 (first illegal move: two minutes for the
//! opponent; second one: the game is lost), A.3 (rapid and blitz: one minute). A refused move is not a line of the
//! record. Instead, the next line that is written carries a mark of the illegal move in a separate field. After a
//! restart, the marks are counted again.

use tabiya_engine::record::proof::SIGNED_FROM;
use tabiya_engine::record::{Body, Line};
use tabiya_engine::rules::{Datum, Phase, Violation};
use tabiya_engine::table::{Common, Evidence, Input, Table, Voice};
use tabiya_types::{ByColor, Color, Millis, Sentence, Square, say};

/// The field that marks illegal moves on the first line written after them. It lists the colours that made the moves,
/// in order. The field has no effect on the table, and replaying a record ignores it.
const MARK: &str = "x-illegal";

/// The time limit for rapid and blitz: a player with less time than this for sixty moves plays rapid or blitz.
const STANDARD: Millis = Millis(3_600_000);

/// What the Laws of Chess propose after an illegal move, until the arbiter rules or lets it be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// Who made the illegal move.
    pub by: Color,
    /// Which illegal move of the game it was, from 1.
    pub number: u32,
    /// What the ruling does.
    pub told: Sentence,
    /// The articles of the Laws.
    pub articles: &'static str,
    /// The line that does it when it is typed.
    pub line: String,
}

/// The illegal moves of the current game, as the Laws count them.
#[derive(Debug, Default)]
pub(super) struct Illegal {
    counts: ByColor<u32>,
    /// The sides of the illegal moves that were counted, but are not marked on a written line yet.
    unmarked: Vec<Color>,
    /// What is proposed for the last one.
    proposal: Option<Proposal>,
}

impl Illegal {
    /// What is proposed for the last illegal move; `None` once the arbiter has ruled or let it be.
    pub(super) fn proposal(&self) -> Option<&Proposal> {
        self.proposal.as_ref()
    }

    /// Drops the proposal: the arbiter has ruled, or lets it be.
    pub(super) fn drop_proposal(&mut self) {
        self.proposal = None;
    }

    /// Follows a line: a ruling, an undo and the end of the match settle what was proposed.
    pub(super) fn follow(&mut self, body: &Body) {
        let Body::Acted(Input::Common(common)) = body else { return };
        if matches!(common, Common::Rule(_) | Common::Undo { .. } | Common::Next(_) | Common::EndMatch { .. })
        {
            self.proposal = None;
        }
    }

    /// Counts an illegal move by this side. `pawn` is where it has left a pawn on the last rank. Returns a sentence for the
    /// arbiter that names the penalty under the Laws. `None` in casual play and outside the chess phase, where illegal moves
    /// are not counted.
    pub(super) fn count(&mut self, by: Color, pawn: Option<Square>, table: &Table) -> Option<Sentence> {
        if table.terms().voice != Voice::Event || table.phase() != Phase::Chess {
            return None;
        }
        self.counts[by] += 1;
        self.unmarked.push(by);
        let (count, other) = (self.counts[by], by.other());
        let proposal = proposal(by, count, pawn, table);
        let line = proposal.line.clone();
        self.proposal = Some(proposal);
        let minutes = minutes(table, by);
        Some(if let (1, Some(at)) = (count, pawn) {
            say!(
                "first-illegal-promotion",
                "{by}'s illegal move number 1 of this game, if you confirm it: the pawn on {at} becomes a queen, and \
                 {other} gains {minutes} min (Laws 7.5.2, 7.5.5): `{line}`",
                by,
                at,
                other,
                minutes,
                line
            )
        } else if count == 1 {
            say!(
                "first-illegal-move",
                "{by}'s illegal move number 1 of this game, if you confirm it: restore the position, and \
                 {other} gains {minutes} min (Laws 7.5.5): `{line}`",
                by,
                other,
                minutes,
                line
            )
        } else {
            say!(
                "next-illegal-move",
                "{by}'s illegal move number {count} of this game, if you confirm it: {by} loses, or the game is \
                 drawn if {other} cannot mate (Laws 7.5.5): `{line}`",
                by,
                count,
                other,
                line
            )
        })
    }

    /// Puts marks on the first of these lines, one for each illegal move that is not marked on any line yet.
    pub(super) fn mark(&self, lines: &mut [Line]) {
        if let Some(first) = lines.first_mut().filter(|_| !self.unmarked.is_empty()) {
            let marks: Vec<&str> = self.unmarked.iter().map(|by| by.word()).collect();
            first.set_extension(MARK, marks);
        }
    }

    /// Called once the line with the marks is durable: from now on no illegal move is waiting to be marked.
    pub(super) fn marked(&mut self) {
        self.unmarked.clear();
    }

    /// Starts a new count, because another game begins.
    pub(super) fn next_game(&mut self) {
        self.counts = ByColor::default();
    }

    /// Restores the number of illegal moves in the current game. It is the number of `x-illegal` marks on these lines of
    /// the record, plus the marks that are not written yet.
    pub(super) fn count_again(&mut self, lines: &[Line]) {
        let mut counts = ByColor::default();
        for line in lines {
            let marks = line.extension(MARK);
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

/// What the Laws propose for this side's illegal move with this number.
fn proposal(by: Color, number: u32, pawn: Option<Square>, table: &Table) -> Proposal {
    let other = by.other();
    let name = table.name_of(other).to_owned();
    if number == 1 {
        let minutes = minutes(table, by);
        let line = format!("rule clock {} +{} illegal move", other.word(), minutes * 60);
        let told = match pawn {
            Some(at) => say!(
                "proposed-queen",
                "the pawn on {at} becomes a queen, and {name} gains {minutes} min",
                at,
                name,
                minutes
            ),
            None => {
                say!("proposed-gain", "{name} gains {minutes} min, and {by} moves again", name, minutes, by)
            }
        };
        let articles = match (pawn, is_standard(table, by)) {
            (None, true) => "7.5.5",
            (None, false) => "7.5.5, A.3",
            (Some(_), true) => "7.5.2, 7.5.5",
            (Some(_), false) => "7.5.2, 7.5.5, A.3",
        };
        return Proposal { by, number, told: told.harmless(), articles, line };
    }
    let (line, told) = match table.game().flag_outcome(by).winner {
        Some(_) => (
            format!("rule winner {} second illegal move", table.seat_of(other)),
            say!("proposed-loss", "{by} loses, because {name} could mate", by, name),
        ),
        None => (
            "rule draw second illegal move".to_owned(),
            say!("proposed-draw", "a draw, because {name} cannot mate", name),
        ),
    };
    Proposal { by, number, told: told.harmless(), articles: "7.5.5", line }
}

/// How many minutes the opponent gains after a first illegal move.
fn minutes(table: &Table, by: Color) -> u32 {
    if is_standard(table, by) { 2 } else { 1 }
}

/// Returns whether the clock press that waits for an explanation was already counted as an illegal move before a
/// restart. Such a press is announced again, but not counted again. `lines` are all lines of the record; the waiting
/// press, if there is one, came after them.
pub(super) fn press_was_counted(lines: &[Line]) -> bool {
    let button = |line: &Line| matches!(line.body, Body::Evidence(Evidence::Button(_)));
    let since = lines.iter().rposition(button).map_or(lines.len(), |last| last + 1);
    lines.iter().skip(since).any(|line| line.extension(MARK).is_some())
}

/// The side that made an illegal move with this refused input; `None` if the Laws do not count the input as an illegal
/// move.
pub(super) fn illegal_by(input: &Input, violation: &Violation) -> Option<Color> {
    let by = match input {
        Input::Game(action) if action.takes_turn() => action.by(),
        Input::Common(Common::Press(by)) => Some(*by),
        Input::Game(_) | Input::Common(_) => None,
    };
    by.filter(|_| violation.illegal_move)
}

/// Adds these members to the ruling among these lines, of which the first has the number `first` in the record: their names and
/// values. A ruling that vouches for the record gets its own number.
pub(super) fn mark_ruling(marks: &[(&'static str, Datum)], first: u64, lines: &mut [Line]) {
    let is_ruling = |line: &&mut Line| matches!(line.body, Body::Acted(Input::Common(Common::Rule(_))));
    let Some((nth, ruling)) = (first..).zip(lines.iter_mut()).filter(|(_, line)| is_ruling(line)).last()
    else {
        return;
    };
    for (name, value) in marks {
        let value = if *name == SIGNED_FROM { nth.into() } else { value.clone() };
        ruling.set_extension(name, value);
    }
}

/// Whether this side's time control is standard: neither rapid nor blitz.
fn is_standard(table: &Table, side: Color) -> bool {
    let setting = table.terms().setting(table.white());
    setting.controls[side].for_sixty_moves().is_none_or(|whole| whole >= STANDARD)
}
