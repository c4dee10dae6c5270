//! The option `--deal` of `tabiya play`: named, listed and random deals of Poker Chess.

use tabiya_app::deals;
use tabiya_engine::rules::Datum;
use tabiya_engine::rules::poker_chess::{Deal, carded_squares};
use tabiya_types::{Color, Square};

use crate::cli::surroundings::random_source;
use crate::cli::{ExitFailure, print_line};

/// The term `deal` for this word. A random deal becomes the list of its cards, which the record keeps.
pub(super) fn term(word: &str) -> Result<Datum, ExitFailure> {
    match word {
        "random" => Ok(deals::random(&random_source()).map_err(ExitFailure::unusable)?.into()),
        cards if cards.contains(',') => {
            let cards: Vec<&str> = cards.split(',').map(str::trim).collect();
            Ok(cards.into())
        }
        name => Ok(name.into()),
    }
}

/// Prints the named deals: White's half of each, as one sees it from White's side.
pub(super) fn list() -> Result<(), ExitFailure> {
    for name in Deal::names() {
        let Some(deal) = Deal::named(name) else { continue };
        print_line(name)?;
        for rank in (0..4).rev() {
            let squares = (0..8).filter_map(|file| Square::from_coords(file, rank));
            let cards = squares.map(|at| deal.card(at).map_or("--".to_owned(), |card| card.to_string()));
            print_line(&format!("  {}", cards.collect::<Vec<_>>().join(" ")))?;
        }
    }
    let first: Vec<String> = carded_squares(Color::White).take(2).map(|at| at.to_string()).collect();
    print_line(&format!(
        "Black's half mirrors it, with spades for hearts and clubs for diamonds. A list names the cards of {}, … in this order.",
        first.join(", ")
    ))
}
