//! A match as its record names it, and its table at an earlier moment.

use tabiya_engine::record::Header;
use tabiya_engine::table::{MatchResults, Table};
use tabiya_types::{BySeat, Instant, Seat, harmless};

use super::table::{TableView, shortened};

/// A match as its record names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordView {
    /// The game's name in the record.
    pub game: String,
    /// The players' names, safe to show.
    pub players: BySeat<String>,
    /// When the match began, if that is known.
    pub begun: Option<String>,
    /// The chips that each player brought; zero in games without chips.
    pub brought: BySeat<u32>,
    /// The results of its games; the last one may be running.
    pub results: MatchResults,
}

impl RecordView {
    /// The view of a match with this header and this table.
    pub fn of(header: &Header, table: &Table) -> Self {
        let agreement = table.agreement();
        let name = |seat: Seat| shortened(&harmless(&agreement.players[seat]));
        let [a, b] = agreement.agreed.stacks();
        Self {
            game: agreement.game.to_owned(),
            players: BySeat { a: name(Seat::A), b: name(Seat::B) },
            begun: header.start.as_deref().map(harmless),
            brought: BySeat { a: a.0, b: b.0 },
            results: table.results(),
        }
    }
}

/// The table at an earlier moment of the match.
#[derive(Clone, Debug)]
pub struct PastView {
    /// How many lines of the record the shown table includes.
    pub line: usize,
    /// The moment of the match that is shown.
    pub at: Instant,
    /// The table at that moment.
    pub table: TableView,
}

impl PastView {
    /// The view of a table after `line` lines of the record, at the moment `at`.
    pub fn of(table: &Table, header: &Header, (line, at): (usize, Instant)) -> Self {
        Self { line, at, table: TableView { lines: line, ..TableView::of(table, header) } }
    }
}
