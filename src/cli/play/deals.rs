//! The options `--deal` and `--chess960` of `tabiya play`: named, listed and random deals of cards under squares, and the start position
//! of Chess960.

use tabiya_app::deals;
use tabiya_boards::human::Dice;
use tabiya_engine::rules::{Datum, Group, chess960};
use tabiya_types::Square;

use crate::cli::output::{ExitFailure, print_line};
use crate::cli::surroundings::random_source;

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

/// Puts the start position of Chess960 into the terms, if Chess960 is agreed: the one with this number, or one that is drawn;
/// with a seed always the same one. A FEN that is agreed stays. `Err` if both a number and a FEN are.
pub(super) fn set_up_960(
    terms: &mut Group,
    number: Option<u16>,
    seed: Option<u64>,
) -> Result<(), ExitFailure> {
    if terms.get("chess960") != Some(&Datum::Flag(true)) {
        return Ok(());
    }
    if terms.has("fen") {
        return match number {
            Some(number) => Err(ExitFailure::unusable(format!(
                "--chess960 {number}: the FEN is the position already; leave the number or the FEN out"
            ))),
            None => Ok(()),
        };
    }
    let drawn = || match seed {
        Some(seed) => {
            let below = u64::from(chess960::POSITIONS);
            Ok(u16::try_from(Dice::new(seed).below(below)).unwrap_or_default())
        }
        None => deals::chess960(&random_source()).map_err(ExitFailure::unusable),
    };
    let number = number.map_or_else(drawn, Ok)?;
    let fen = chess960::start_fen(number).ok_or_else(|| {
        ExitFailure::unusable(format!("--chess960 {number}: the positions have the numbers 0 to 959"))
    })?;
    terms.set("fen", fen);
    Ok(())
}

/// Prints the named deals: White's half of each, as one sees it from White's side.
pub(super) fn list() -> Result<(), ExitFailure> {
    let Some(deals) = deals::under_squares() else { return Ok(()) };
    for name in deals.names() {
        let Some(deal) = deals.cards(name) else { continue };
        print_line(name)?;
        for rank in (0..4).rev() {
            let squares = (0..8).filter_map(|file| Square::from_coords(file, rank));
            let lies =
                |at: Square| deal.iter().find(|(under, _)| *under == at).map(|(_, card)| card.as_str());
            let cards = squares.map(|at| lies(at).unwrap_or("--"));
            print_line(&format!("  {}", cards.collect::<Vec<_>>().join(" ")))?;
        }
    }
    let first: Vec<String> = deals.order().iter().take(2).map(Square::to_string).collect();
    print_line(&format!(
        "Black's half mirrors it, with spades for hearts and clubs for diamonds. A list names the cards of {}, … in this order.",
        first.join(", ")
    ))
}
