//! `tabiya play` in a window: the arguments become what is wished for when it opens.
//!
//! What is wrong with the arguments is told before a window is there, as in the terminal.

use super::{Book, Failure, PlayArguments, book, deck, players, profile, terms, white};
use crate::cli::window;
use tabiya_app::desk::{BoardWish, CardWish, NewMatch, Position, Wish};
use tabiya_boards::address::BoardAddress;

/// Whether these arguments ask for a window. The simulator's evenings and captures run by themselves.
pub(super) fn wanted(arguments: &PlayArguments) -> bool {
    let by_itself = matches!(arguments.board, Some(BoardAddress::Sim(_) | BoardAddress::Capture(_)));
    !arguments.headless && !arguments.plain && !by_itself
}

/// Opens the window with the match begun, or carried on, and the board connected.
pub(super) fn open(arguments: &PlayArguments) -> Result<(), Failure> {
    for (given, option, instead) in [
        (arguments.pgn.is_some(), "--pgn", ", or export a PGN from the window's Record page"),
        (arguments.start.is_some(), "--start", ""),
        (arguments.beside.is_some(), "--box", ""),
    ] {
        if given {
            let what = format!("`{option}` is for a table in the terminal: add --headless{instead}");
            return Err(Failure::unusable(what));
        }
    }
    let new = new_match(arguments)?;
    let record =
        arguments.record.as_deref().map(std::path::absolute).transpose().map_err(Failure::unusable)?;
    if let Some(path) = record.as_deref().filter(|path| path.parent().is_some_and(|folder| !folder.is_dir()))
    {
        return Err(Failure::unusable(format!(
            "{}: its folder does not exist; check the name",
            path.display()
        )));
    }
    // The journal that is looked into is let go before the window takes it.
    let unfinished = match book(arguments)? {
        Book::Unfinished(_, info) => Some(info.id.number()),
        Book::New | Book::Old(_) => None,
    };
    let mut wishes = vec![match (unfinished, &record) {
        (Some(id), Some(path)) => Wish::CarryOn { path: path.clone(), id, deck: new.deck },
        _ => Wish::Begin(Box::new(new)),
    }];
    if arguments.read_deals {
        wishes.push(Wish::Cards(CardWish::ReadDeals));
    }
    if let Some(path) = &arguments.capture {
        let path = std::path::absolute(path).map_err(Failure::unusable)?;
        wishes.push(Wish::Board(BoardWish::Capture(Some(path))));
    }
    if let Some(board @ (BoardAddress::Live(_) | BoardAddress::Only)) = &arguments.board {
        wishes.push(Wish::Board(BoardWish::Connect(board.to_string())));
    }
    window::open(record, wishes)
}

/// The match as its terms were given; what is wrong with them is told as in the terminal.
fn new_match(arguments: &PlayArguments) -> Result<NewMatch, Failure> {
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
    };
    new.header(None).map_err(Failure::unusable)?;
    Ok(new)
}
