//! `tabiya play` in a window: the arguments become what is wished for when it opens.
//!
//! What is wrong with the arguments is told before a window is there, as in the terminal.

use tabiya_app::desk::{BoardWish, CardWish, NewMatch, Position, Wish};
use tabiya_boards::address::BoardAddress;

use super::terms::{players, terms, white};
use super::{Book, ExitFailure, PlayArguments, book, box_address, deck, profile};
use crate::cli::window;

/// Whether these arguments ask for a window. The simulator's evenings and captures run by themselves.
pub(super) fn wanted(arguments: &PlayArguments) -> bool {
    let by_itself = matches!(arguments.board, Some(BoardAddress::Sim(_) | BoardAddress::Capture(_)));
    !arguments.headless && !arguments.plain && !by_itself
}

/// Opens the window with the match begun, or carried on, and the board connected.
pub(super) fn open(arguments: &PlayArguments) -> Result<(), ExitFailure> {
    let beside = box_address(arguments)?.cloned();
    let new = new_match(arguments)?;
    let record =
        arguments.record.as_deref().map(std::path::absolute).transpose().map_err(ExitFailure::unusable)?;
    // The journal that is looked into is let go before the window takes it.
    let unfinished = match book(arguments)? {
        Book::Unfinished(_, info) => Some(info.id.number()),
        Book::New | Book::Old(_) => None,
    };
    let mut wishes = vec![match (unfinished, &record) {
        (Some(id), Some(path)) => Wish::CarryOn { path: path.clone(), id, deck: new.deck, pgn: new.pgn },
        _ => Wish::Begin(Box::new(new)),
    }];
    if arguments.read_deals {
        wishes.push(Wish::Cards(CardWish::ReadDeals));
    }
    if let Some(beside) = beside {
        wishes.push(Wish::Board(BoardWish::Beside(beside)));
    }
    if let Some(board @ (BoardAddress::Live(_) | BoardAddress::Only)) = &arguments.board {
        wishes.push(Wish::Board(BoardWish::Connect(board.to_string())));
    }
    // Bytes are some board's: they are saved from the moment on at which it is known whose.
    if let Some(path) = &arguments.capture {
        let path = std::path::absolute(path).map_err(ExitFailure::unusable)?;
        wishes.push(Wish::Board(BoardWish::Capture(Some(path))));
    }
    window::open(record, wishes)
}

/// The match as its terms were given; what is wrong with them is told as in the terminal.
fn new_match(arguments: &PlayArguments) -> Result<NewMatch, ExitFailure> {
    profile(&arguments.profile)?;
    // A deck that is not there or is damaged is told before a window is.
    let deck = arguments.deck.as_deref().map(deck).transpose()?.map(|deck| deck.name().to_owned());
    let new = NewMatch {
        game: arguments.game.clone(),
        players: players(arguments)?,
        white: white(arguments)?,
        position: Position::Usual,
        terms: terms(arguments)?,
        deck,
        start: arguments.start.clone(),
        pgn: arguments.pgn.as_deref().map(std::path::absolute).transpose().map_err(ExitFailure::unusable)?,
    };
    new.header(new.start.as_deref()).map_err(ExitFailure::unusable)?;
    Ok(new)
}
