//! What the pages show, as plain values: cards of alerts, rows of tables, one table. Made from the same values as the desk's window.
//!
//! Source: `docs/hall.md`, §4.

use tabiya_app::hall::{HallAlert, HallRow, RowLink};
use tabiya_app::view::{TableView, reading_with_tenths};
use tabiya_engine::rules::{Decision, Phase};
use tabiya_engine::table::points_in_words;
use tabiya_text::Words;
use tabiya_types::{ByColor, Color, Millis};

use super::board;
use super::visit::{PhoneVisit, act_word};

/// The most rulings of a card.
const MOST_RULINGS: usize = 4;
/// How long an answer to an order stays in sight, in ms.
const ANSWER_TIME: u64 = 15_000;
/// The most answers in sight.
const MOST_ANSWERS: usize = 2;
/// How many moves are listed, with their numbers.
const MOST_MOVES: usize = 8;

/// A button of a ruling.
pub(super) struct RulingButton {
    pub(super) label: String,
    /// What it sends.
    pub(super) what: String,
    /// Whether it is grave.
    pub(super) asks: bool,
}

/// The card of an alert.
pub(super) struct AlertCard {
    pub(super) table: Option<u16>,
    pub(super) id: String,
    pub(super) title: String,
    pub(super) says: String,
    pub(super) articles: String,
    pub(super) age: String,
    pub(super) taken: Option<String>,
    /// Whether nobody looks after something that cannot wait.
    pub(super) trouble: bool,
    /// Whether it is urgent enough to be read aloud.
    pub(super) urgent: bool,
    pub(super) rulings: Vec<RulingButton>,
}

/// One side of a table.
pub(super) struct SideShown {
    pub(super) name: String,
    pub(super) black: bool,
    pub(super) color: String,
    pub(super) clock: String,
    /// What the clock has left in ms, and whether it runs.
    pub(super) left: u64,
    pub(super) runs: bool,
    pub(super) chips: Option<u32>,
}

/// A table in the list, and the head of its own page.
pub(super) struct TableShown {
    pub(super) table: u16,
    pub(super) stage: String,
    /// Game, pot, last result.
    pub(super) more: String,
    pub(super) sides: Vec<SideShown>,
    pub(super) stopped: bool,
    pub(super) here: bool,
    pub(super) alert: bool,
    /// Why nothing can be ordered there now; empty if something can.
    pub(super) off: String,
}

/// The board of a table.
pub(super) struct BoardShown {
    pub(super) address: String,
    /// What it shows, for who cannot see it.
    pub(super) says: String,
    pub(super) moves: Vec<String>,
}

/// A text with a capital letter at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A time in minutes and seconds.
fn reading(ms: u64) -> String {
    reading_with_tenths(Some(Millis(ms)), Millis::ZERO)
}

impl AlertCard {
    fn of(alert: &HallAlert, words: &Words) -> Self {
        let ruling = |ruling: &tabiya_app::hall::HallRuling| RulingButton {
            label: words.said(&ruling.label),
            what: act_word(&ruling.does, words),
            asks: ruling.asks,
        };
        let articles = alert.rulings.first().and_then(|ruling| ruling.articles.clone());
        let articles = articles.map(|articles| words.with("hall-laws", &[("articles", articles.into())]));
        Self {
            table: alert.key.table,
            id: alert.key.id.clone(),
            title: words.said(&alert.title),
            says: says(alert, words),
            articles: articles.unwrap_or_default(),
            age: reading(alert.age),
            taken: alert.taken.as_deref().map(tabiya_types::harmless),
            trouble: alert.taken.is_none() && alert.rank <= 2,
            urgent: alert.taken.is_none() && alert.rank == 1,
            rulings: alert.rulings.iter().take(MOST_RULINGS).map(ruling).collect(),
        }
    }
}

/// What has happened, and what the Laws propose for it.
fn says(alert: &HallAlert, words: &Words) -> String {
    let said = |sentence| capital(&words.sentence(sentence));
    let proposes = alert.proposes.as_ref().map(|proposes| format!(". {}", said(proposes)));
    said(&alert.says) + &proposes.unwrap_or_default()
}

/// The stage of a table in a word or two.
fn stage(words: &Words, row: &HallRow) -> String {
    let Some(playing) = &row.playing else {
        return words.t(if row.newer { "hall-newer" } else { "hall-no-match" });
    };
    if playing.is_done() {
        return words.t("hall-done-word-one");
    }
    match playing.phase {
        Phase::Bet | Phase::Deal if playing.street > 0 => {
            format!("{} {}", words.t("hall-bets"), playing.street)
        }
        Phase::Place => words.t("hall-placing"),
        Phase::Chess if playing.street > 0 => words.t("hall-chess"),
        _ => words.word("game", playing.game),
    }
}

/// The number of the game, the pot, the last result.
fn more(words: &Words, row: &HallRow) -> String {
    let Some(playing) = &row.playing else { return String::new() };
    let mut parts = vec![words.with("game-number", &[("number", playing.number.into())])];
    if row.runs() && playing.turn > 0 {
        parts.push(words.with("hall-move", &[("number", playing.turn.into())]));
    }
    if let Some((pot, _)) = playing.chips.filter(|_| row.runs()) {
        parts.push(format!("{} {pot}", words.t("hall-column-pot")));
    }
    if let Some(outcome) = playing.result {
        let score = if outcome.decision() == Decision::NoResult {
            words.t("no-result")
        } else {
            let ByColor { white, black } = outcome.half_points().map(|half| points_in_words(half.into()));
            format!("{white}–{black}")
        };
        parts.push(words.with("hall-last-result", &[("result", score.into())]));
    }
    parts.join(" · ")
}

fn sides(words: &Words, row: &HallRow, now: u64) -> Vec<SideShown> {
    let Some(playing) = &row.playing else { return Vec::new() };
    // As at the board of an arbiter who stands at White's side.
    let side = |color: Color| {
        let left = row.clock.map_or(0, |clock| clock.left(color, now));
        SideShown {
            name: playing.names[color].clone(),
            black: color == Color::Black,
            color: words.color(color),
            clock: row.clock.map_or_else(String::new, |_| reading(left)),
            left,
            runs: row.clock.is_some_and(|clock| clock.runs == Some(color)),
            chips: playing.chips.map(|(_, stacks)| stacks[color]),
        }
    };
    vec![side(Color::Black), side(Color::White)]
}

fn table_shown(words: &Words, row: &HallRow, now: u64) -> TableShown {
    let here = row.link == RowLink::Here;
    let off = if !here {
        words.t("hall-off-link")
    } else if row.playing.is_none() && !row.newer {
        words.t("hall-off-match")
    } else {
        String::new()
    };
    TableShown {
        table: row.table,
        stage: stage(words, row),
        more: more(words, row),
        sides: sides(words, row, now),
        stopped: row.is_stopped(),
        here,
        alert: row.taken.is_none() && row.rank.is_some_and(|rank| rank <= 2),
        off,
    }
}

/// What the picture of a board shows, in words: `White: Ke1, Qd4. Black: …`.
fn in_words(words: &Words, view: &TableView) -> String {
    let side = |color: Color| {
        let pieces = view.board.pieces().filter(|(_, piece)| piece.color == color);
        let pieces: Vec<String> =
            pieces.map(|(square, piece)| format!("{} {square}", words.role(piece.role))).collect();
        format!("{}: {}", capital(&words.color(color)), pieces.join(", "))
    };
    Color::ALL.map(side).join(". ")
}

fn board_shown(words: &Words, view: &TableView) -> Option<BoardShown> {
    if !view.has_board {
        return None;
    }
    let before = usize::from(view.first_mover == Color::Black);
    let first = usize::try_from(view.first_number).unwrap_or(1);
    let skipped = view.moves.len().saturating_sub(MOST_MOVES);
    let named = |(nth, san): (usize, &String)| {
        let place = nth + before;
        match (place % 2, nth == skipped) {
            (0, _) => format!("{}. {}", first + place / 2, words.san(san)),
            (_, true) => format!("{}. … {}", first + place / 2, words.san(san)),
            _ => words.san(san),
        }
    };
    let moves = view.moves.iter().enumerate().skip(skipped).map(named).collect();
    Some(BoardShown {
        address: board::address(&view.board, &view.last_move),
        says: in_words(words, view),
        moves,
    })
}

impl PhoneVisit<'_> {
    /// The queue, as far as it is this arbiter's.
    pub(super) fn queue(&self) -> Vec<AlertCard> {
        let hall = self.shared.hall();
        let mut queue = hall.queue(self.now);
        queue.retain(|alert| match alert.table {
            Some(table) => self.rights.has_table(table),
            None => self.rights.may_take(None),
        });
        queue.iter().map(|alert| AlertCard::of(&hall.alert_shown(alert), self.words)).collect()
    }

    /// The tables that are this arbiter's.
    pub(super) fn tables(&self) -> Vec<TableShown> {
        let hall = self.shared.hall();
        let rows = hall.rows(&hall.queue(self.now));
        drop(hall);
        let own = rows.iter().filter(|row| self.rights.has_table(row.table));
        own.map(|row| table_shown(self.words, row, self.now)).collect()
    }

    /// One table, with its board.
    pub(super) fn one(&self, number: u16) -> Option<(TableShown, Option<BoardShown>)> {
        let hall = self.shared.hall();
        let rows = hall.rows(&hall.queue(self.now));
        let row = rows.iter().find(|row| row.table == number)?;
        let seen = hall.tables.get(&number).and_then(|table| table.on().or_else(|| table.newest()));
        let replay = seen.and_then(|(_, of)| of.replay());
        let view = replay.map(|replay| TableView::of(replay.table(), replay.header()));
        drop(hall);
        Some((table_shown(self.words, row, self.now), view.and_then(|view| board_shown(self.words, &view))))
    }

    /// What is said above a page: the notice of what was done, and what became of this arbiter's last orders.
    pub(super) fn notices(&self) -> Vec<(String, bool)> {
        let notice = self.session(|session| session.notice.take()).flatten();
        let hall = self.shared.hall();
        let own = hall.answered.iter().rev().filter(|answered| {
            answered.arbiter == self.name && self.now.saturating_sub(answered.at) < ANSWER_TIME
        });
        let said = |says: &tabiya_types::Sentence| capital(&self.words.sentence(says));
        let answers =
            own.take(MOST_ANSWERS).map(|answered| (said(&answered.news.in_words()), answered.news.about().1));
        notice.iter().map(|(says, failed)| (said(says), *failed)).chain(answers).collect()
    }
}
