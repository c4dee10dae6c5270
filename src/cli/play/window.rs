//! `tabiya play` in a window: turns the arguments into wishes that the desk carries out when the window opens.
//!
//! As in the terminal, faults in the arguments are reported first, before the window opens.

use tabiya_app::desk::{BoardWish, CardWish, NewMatch, Position, Wish};
use tabiya_boards::address::BoardAddress;

use super::terms::{players, terms, white};
use super::{ExitFailure, PlayArguments, RecordFile, box_address, deck_for, open_record, profile};
use crate::cli::window;

/// Whether these arguments ask for a window. Simulated evenings and captures run in the terminal.
pub(super) fn wanted(arguments: &PlayArguments) -> bool {
    let by_itself = matches!(arguments.board, Some(BoardAddress::Sim(_) | BoardAddress::Capture(_)));
    !arguments.headless && !arguments.plain && !by_itself
}

/// Opens the window, begins or continues the match there, and connects the board.
pub(super) fn open(arguments: &PlayArguments) -> Result<(), ExitFailure> {
    let beside = box_address(arguments)?.cloned();
    let new = new_match(arguments)?;
    let record =
        arguments.record.as_deref().map(std::path::absolute).transpose().map_err(ExitFailure::unusable)?;
    // `open_record` locks the journal. The lock ends with this statement, before the window opens the journal.
    let unfinished = match open_record(arguments)? {
        RecordFile::Unfinished(_, info) => Some(info.id.number()),
        RecordFile::New | RecordFile::Old(_) => None,
    };
    let mut wishes = vec![match (unfinished, &record) {
        (Some(id), Some(path)) => Wish::CarryOn { path: path.clone(), id, deck: new.deck, pgn: new.pgn },
        _ => Wish::Begin(Box::new(new)),
    }];
    // `open_record` has asked already.
    wishes.splice(0..0, record.clone().filter(|_| unfinished.is_some()).map(Wish::TakeOld));
    if let Some(folder) = &arguments.copy {
        let folder = std::path::absolute(folder).map_err(ExitFailure::unusable)?;
        wishes.insert(0, Wish::Copy(folder));
    }
    if let Some(cards) = &arguments.cards {
        let cards = std::path::absolute(cards).map_err(ExitFailure::unusable)?;
        wishes.insert(0, Wish::UseCards(Some(cards)));
    }
    if arguments.read_deals {
        wishes.push(Wish::Cards(CardWish::ReadDeals));
    }
    if let Some(beside) = beside {
        wishes.push(Wish::Board(BoardWish::Beside(beside)));
    }
    if let Some(board @ (BoardAddress::Live(_) | BoardAddress::Only)) = &arguments.board {
        wishes.push(Wish::Board(BoardWish::Connect(board.to_string())));
    }
    // The header of a capture names the board's maker. Therefore bytes are saved only from the moment at which the
    // board is known.
    if let Some(path) = &arguments.capture {
        let path = std::path::absolute(path).map_err(ExitFailure::unusable)?;
        wishes.push(Wish::Board(BoardWish::Capture(Some(path))));
    }
    window::open(record, wishes, arguments.kiosk)
}

/// Makes the match from the arguments. `Err` has the same reasons as for a match in the terminal.
fn new_match(arguments: &PlayArguments) -> Result<NewMatch, ExitFailure> {
    profile(&arguments.profile)?;
    let new = NewMatch {
        game: arguments.game.clone(),
        players: players(arguments)?,
        white: white(arguments)?,
        position: Position::Usual,
        terms: terms(arguments)?,
        deck: arguments.deck.clone(),
        start: arguments.start.clone(),
        pgn: arguments.pgn.as_deref().map(std::path::absolute).transpose().map_err(ExitFailure::unusable)?,
    };
    let header = new.header(new.start.as_deref()).map_err(ExitFailure::unusable)?;
    // A missing, damaged or wrong deck is reported before the window opens.
    deck_for(arguments, &header.agreement)?;
    Ok(new)
}
