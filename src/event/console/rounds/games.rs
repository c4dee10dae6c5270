//! The games of an event as PGN: from the copies of its tables, and for boards without a record from their results alone.
//!
//! Source: `docs/exports.md`, `docs/rounds.md`.

use std::collections::BTreeMap;

use tabiya_engine::record::pgn;
use tabiya_engine::record::proof::Proof;
use tabiya_engine::record::{Header, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_store::journal::{Journal, JournalReader, MatchInfo};

use super::boards::{BOARD_TAG, ROUND_TAG};
use crate::console::folder::{EventFolder, FolderFault};
use crate::console::keeper::COPIES;
use crate::rounds::book::RoundBook;
use crate::rounds::crosstable::RoundResult;

impl EventFolder {
    /// The games of all tables, by rounds and boards; games that belong to no round come last. Boards of the book that have a result and
    /// no record are games without moves. Birth dates and FIDE ids are in no game.
    pub fn games(&self, book: Option<&RoundBook>) -> Result<String, FolderFault> {
        let path = self.path().join(COPIES);
        let mut found: BTreeMap<(usize, usize, usize), String> = BTreeMap::new();
        if path.exists() {
            let reader = Journal::open_read(&path)?;
            for (nth, info) in reader.matches()?.into_iter().enumerate() {
                let Some(replay) = replayed(&reader, &info)? else { continue };
                let (round, board) = place_of(replay.header());
                found.insert((round, board, nth), pgn::text(&replay, Proof::default()));
            }
        }
        if let Some(book) = book {
            for round in 1..=book.paired() {
                for (board, paired) in (1..).zip(book.boards(round)) {
                    let has_record = found.keys().any(|(one, other, _)| (*one, *other) == (round, board));
                    let result = book.result_of(paired.white, round).and_then(word);
                    let names = [paired.white, paired.black].map(|number| name_of(book, number));
                    if let Some(result) = result.filter(|_| !has_record) {
                        found.insert((round, board, 0), result_alone((round, board), &names, result, book));
                    }
                }
            }
        }
        Ok(found.into_values().collect::<Vec<_>>().join("\n"))
    }
}

/// What a match folds to; `None` if it is not understood here.
fn replayed(reader: &JournalReader, info: &MatchInfo) -> Result<Option<Replay>, FolderFault> {
    let Ok(mut replay) = Replay::begin(&info.header, GAMES) else { return Ok(None) };
    for (line, place) in reader.entries(info.id)?.into_iter().zip(2..) {
        if replay.feed(place, &line.line).is_err() {
            break;
        }
    }
    Ok(Some(replay))
}

/// Round and board of a match, as its tags say; those without come last.
fn place_of(header: &Header) -> (usize, usize) {
    let number = |wanted: &str| {
        let tag = header.tags.iter().find(|(name, _)| name == wanted);
        tag.and_then(|(_, value)| value.parse().ok()).unwrap_or(usize::MAX)
    };
    (number(ROUND_TAG), number(BOARD_TAG))
}

fn name_of(book: &RoundBook, number: u32) -> String {
    let player = book.players().iter().find(|player| player.number == number);
    player.map(|player| player.name.clone()).unwrap_or_default()
}

/// The word of a result in PGN, and how it came about.
fn word(white: RoundResult) -> Option<(&'static str, &'static str)> {
    Some(match white {
        RoundResult::Won => ("1-0", "unterminated"),
        RoundResult::Drawn => ("1/2-1/2", "unterminated"),
        RoundResult::Lost => ("0-1", "unterminated"),
        RoundResult::WonByForfeit => ("1-0", "forfeit"),
        RoundResult::LostByForfeit => ("0-1", "forfeit"),
        _ => return None,
    })
}

/// A game of which only the result is known.
fn result_alone(
    (round, board): (usize, usize),
    [white, black]: &[String; 2],
    (result, how): (&str, &str),
    book: &RoundBook,
) -> String {
    let mut tags = BTreeMap::from([
        ("Event".to_owned(), book.name()),
        ("Site".to_owned(), "?".to_owned()),
        ("Date".to_owned(), book.begins().unwrap_or_else(|| "????.??.??".to_owned()).replace('-', ".")),
        ("Round".to_owned(), round.to_string()),
        ("White".to_owned(), white.clone()),
        ("Black".to_owned(), black.clone()),
        ("Result".to_owned(), result.to_owned()),
        (BOARD_TAG.to_owned(), board.to_string()),
    ]);
    if how == "forfeit" {
        tags.insert("Termination".to_owned(), "forfeit".to_owned());
    }
    pgn::without_moves(&tags, result)
}
