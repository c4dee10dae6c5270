//! Sheets of a round for the wall and the tables: pairs by board and by name, standings, crosstable, cards and result slips, each a page
//! that a browser prints. Pure: a book and words come in.
//!
//! Source: `docs/rounds.md`, "On paper".

use askama::Template as _;
use tabiya_app::hall::PlaceRow;
use tabiya_text::Words;
use tabiya_types::{Color, harmless};

use super::boards::KnownBook;
use crate::rounds::book::RoundBook;

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundSheet {
    /// The pairs, by board.
    Pairs,
    /// Who plays where, by name.
    Names,
    /// The standings.
    Standings,
    /// Who met whom.
    Crosstable,
    /// A card for each table: its number and who plays there.
    Cards,
    /// A slip for each board, with room for the result and three signatures.
    Slips,
}

impl RoundSheet {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Pairs, Self::Names, Self::Standings, Self::Crosstable, Self::Cards, Self::Slips];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pairs => "pairs",
            Self::Names => "names",
            Self::Standings => "standings",
            Self::Crosstable => "crosstable",
            Self::Cards => "cards",
            Self::Slips => "slips",
        }
    }

    /// Reads its word.
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sheet| sheet.word() == word)
    }
}

/// A cell, or the head of a column: its words, and how they are set.
struct SheetCell {
    text: String,
    class: &'static str,
}

/// Who plays at a board.
struct SheetBoard {
    board: usize,
    white: String,
    black: String,
}

#[derive(askama::Template)]
#[template(path = "sheet.html")]
struct SheetPage {
    language: &'static str,
    kind: &'static str,
    title: String,
    event: String,
    note: String,
    large: bool,
    columns: Vec<SheetCell>,
    rows: Vec<Vec<SheetCell>>,
    slips: Vec<SheetBoard>,
    board_word: String,
    white_word: String,
    black_word: String,
    drawn_word: String,
    signature_word: String,
    arbiter_word: String,
}

/// A sheet of the last round of this book as a page.
pub fn round_sheet(book: RoundBook, sheet: RoundSheet, words: &Words) -> String {
    let known = KnownBook::of(book);
    let (columns, rows) = match sheet {
        RoundSheet::Pairs => known.pairs(words),
        RoundSheet::Names => known.names(words),
        RoundSheet::Standings => known.places(words),
        RoundSheet::Crosstable => known.crosstable_rows(words),
        RoundSheet::Cards | RoundSheet::Slips => (Vec::new(), Vec::new()),
    };
    // Cells are set as the heads of their columns.
    let rows: Vec<Vec<SheetCell>> = rows
        .into_iter()
        .map(|row: Vec<String>| {
            row.into_iter().zip(&columns).map(|(text, of)| SheetCell { text, class: of.class }).collect()
        })
        .collect();
    let (round, planned) = (known.book.paired(), known.book.plan().rounds);
    let of_places = matches!(sheet, RoundSheet::Standings | RoundSheet::Crosstable);
    let facts = [("round", round.into()), ("rounds", planned.into())];
    let note = if of_places { known.note(words) } else { words.with("round-of", &facts) };
    let page = SheetPage {
        language: words.language.tag(),
        kind: sheet.word(),
        title: words.word("sheet", sheet.word()),
        event: harmless(&known.book.name()),
        note,
        large: matches!(sheet, RoundSheet::Pairs | RoundSheet::Names) && rows.len() <= 60,
        columns,
        rows,
        slips: known.seated(),
        board_word: words.t("sheet-board"),
        white_word: words.color(Color::White),
        black_word: words.color(Color::Black),
        drawn_word: words.t("drawn"),
        signature_word: words.t("sheet-signature"),
        arbiter_word: words.t("sheet-arbiter"),
    };
    page.render().unwrap_or_default()
}

fn columns<const N: usize>(words: &Words, heads: [(&str, &'static str); N]) -> Vec<SheetCell> {
    heads
        .into_iter()
        .map(|(id, class)| SheetCell { text: if id.is_empty() { String::new() } else { words.t(id) }, class })
        .collect()
}

/// Heads and rows of a sheet.
type SheetTable = (Vec<SheetCell>, Vec<Vec<String>>);

impl KnownBook {
    /// Who plays at each board of the last round.
    fn seated(&self) -> Vec<SheetBoard> {
        let boards = (1..).zip(self.book.boards(self.book.paired()));
        let of = |(board, pair): (usize, &crate::rounds::book::PairedBoard)| SheetBoard {
            board,
            white: self.contender(pair.white).name,
            black: self.contender(pair.black).name,
        };
        boards.map(of).collect()
    }

    fn pairs(&self, words: &Words) -> SheetTable {
        let round = self.book.paired();
        let rows = (1..).zip(self.book.boards(round)).map(|(number, board)| {
            let [white, black] = [board.white, board.black].map(|number| self.contender(number));
            let score = self.score(board, round);
            let number: usize = number;
            vec![number.to_string(), white.name, white.points, score, black.points, black.name]
        });
        let heads = [
            ("sheet-board", "strong"),
            ("white", ""),
            ("", "right"),
            ("", "middle strong"),
            ("", ""),
            ("black", ""),
        ];
        let mut rows: Vec<Vec<String>> = rows.collect();
        for away in self.unpaired.iter() {
            let why = words.t(away.why());
            rows.push(vec![
                "–".to_owned(),
                away.name.clone(),
                String::new(),
                String::new(),
                String::new(),
                why,
            ]);
        }
        (columns(words, heads), rows)
    }

    fn names(&self, words: &Words) -> SheetTable {
        let mut rows = Vec::new();
        for (number, board) in (1..).zip(self.book.boards(self.book.paired())) {
            let number: usize = number;
            for (own, color) in [(board.white, Color::White), (board.black, Color::Black)] {
                let own = self.contender(own).name;
                rows.push(vec![own, number.to_string(), words.color(color)]);
            }
        }
        rows.extend(self.unpaired.iter().map(|away| vec![away.name.clone(), "–".to_owned(), String::new()]));
        rows.sort_by_key(|row| row.first().map(|name| name.to_lowercase()));
        (columns(words, [("standings-column-name", ""), ("sheet-board", ""), ("sheet-colour", "")]), rows)
    }

    fn places(&self, words: &Words) -> SheetTable {
        let heads = [
            ("standings-column-place", "right strong"),
            ("standings-column-number", "right"),
            ("standings-column-name", "strong"),
            ("standings-column-rating", "right"),
            ("standings-column-points", "right strong"),
        ];
        let mut heads = columns(words, heads);
        let values = if self.tiebreaks.is_empty() {
            vec![words.t("standings-column-chips")]
        } else {
            self.tiebreaks.clone()
        };
        heads.extend(values.into_iter().map(|head| SheetCell { text: head, class: "right" }));
        let rows = self.standings.iter().map(|row| {
            let mut cells = begin_of(row);
            cells.push(row.rating.map(|rating| rating.to_string()).unwrap_or_default());
            cells.push(row.points.clone());
            let value = |value: &String| if value.is_empty() { "–".to_owned() } else { value.clone() };
            cells.extend(row.values.iter().map(value));
            cells
        });
        (heads, rows.collect())
    }

    fn crosstable_rows(&self, words: &Words) -> SheetTable {
        let heads = [
            ("standings-column-place", "right strong"),
            ("standings-column-number", "right"),
            ("standings-column-name", "strong"),
        ];
        let mut heads = columns(words, heads);
        heads.extend(
            (1..=self.book.paired()).map(|round| SheetCell { text: round.to_string(), class: "middle" }),
        );
        heads.push(SheetCell { text: words.t("standings-column-points"), class: "right strong" });
        let rows = self.standings.iter().map(|row| {
            let mut cells = begin_of(row);
            cells.extend(row.course.iter().map(|round| {
                let color = match round.color {
                    Some(Color::White) => words.t("sheet-white-letter"),
                    Some(Color::Black) => words.t("sheet-black-letter"),
                    None => String::new(),
                };
                let opponent = round.opponent.map(|opponent| opponent.to_string()).unwrap_or_default();
                format!("{opponent}{color} {}", round.sign).trim().to_owned()
            }));
            cells.push(row.points.clone());
            cells
        });
        (heads, rows.collect())
    }
}

/// Place, number and name.
fn begin_of(row: &PlaceRow) -> Vec<String> {
    vec![
        format!("{}{}", row.rank, if row.shared { "=" } else { "" }),
        row.number.to_string(),
        row.name.clone(),
    ]
}
