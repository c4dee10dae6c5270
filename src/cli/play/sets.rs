//! The chess pieces at hand: written with `--set`, counted on the board, or asked for before the match. A set that is
//! short of rooks gets the rule Becket offered.
//!
//! Nothing is asked that does not matter: only without Empress can a hand need a third rook, and only then do people say
//! what they have, and whether they agree on Becket.

use std::io::IsTerminal as _;

use tabiya_app::piece_sets::{USUAL_SET, counted, parse, standing, term, written};
use tabiya_boards::address::BoardAddress;
use tabiya_engine::rules::{Datum, Group, presets};
use tabiya_text::Words;
use tabiya_types::{Board, ByColor, Color, say};

use super::PlayArguments;
use super::terms::header;
use crate::cli::asking::{agreed, prompted};
use crate::cli::output::{ExitFailure, print_line};

/// The rooks that one hand can need: RRPPP without Empress and Becket (`docs/rules.md`).
const MOST_ROOKS: usize = 3;

/// The word for a set that is counted on the board.
pub(super) const COUNTED: &str = "board";

/// Adds the pieces at hand to the terms, if the game places pieces: those of `--set`, or those that people answer with.
/// `seen` tells what the connected board shows now. Nobody is asked if standard input is not a terminal, if no people
/// play, or if the answer changes nothing.
pub(super) fn agree(
    arguments: &PlayArguments,
    terms: &mut Group,
    mut seen: impl FnMut() -> Option<Board>,
) -> Result<(), ExitFailure> {
    let words = arguments.language.words();
    let places = presets::kind(arguments.game()).is_some_and(|kind| kind.has_term("sets"));
    let plays_alone = matches!(arguments.board, Some(BoardAddress::Sim(_) | BoardAddress::Capture(_)));
    let is_on = |term: &str, usual: bool| match terms.get(term) {
        Some(Datum::Flag(on)) => *on,
        _ => usual,
    };
    let matters = !is_on("empress", true) && !is_on("becket", false);
    let hears = places && !plays_alone && std::io::stdin().is_terminal();
    let may_ask = hears && matters;
    if arguments.own_terms.set() == Some(COUNTED) {
        let sets = standing(seen().as_ref());
        let sets = sets.map_err(|why| ExitFailure::unusable(format!("`--set board`: {why}")))?;
        tell(&sets, &words)?;
        terms.set("sets", term(sets));
    } else if may_ask && !terms.has("sets") {
        terms.set("sets", term(asked(&words, &mut seen)?));
    }
    if hears && terms.has("sets") {
        for line in header(arguments, terms)?.agreement.inventory_advice() {
            print_line(&words.said(&line))?;
        }
    }
    if may_ask { offer_becket(terms, &words) } else { Ok(()) }
}

/// Asks for the pieces until the answer can be used. An empty answer is a usual set.
fn asked(words: &Words, seen: &mut impl FnMut() -> Option<Board>) -> Result<ByColor<String>, ExitFailure> {
    let usual = written(&USUAL_SET[1..], words);
    loop {
        let question = match seen() {
            Some(_) => say!(
                "ask-set-board",
                "which pieces has each player, besides the king? Enter for {usual}; `board` counts those on the board",
                usual = usual.clone()
            ),
            None => say!(
                "ask-set",
                "which pieces has each player, besides the king? Enter for {usual}",
                usual = usual.clone()
            ),
        };
        let answer = prompted(&words.said(&question))?.unwrap_or_default();
        let sets = match answer.as_str() {
            COUNTED => standing(seen().as_ref()),
            pieces => {
                let pieces = if pieces.is_empty() { &usual } else { pieces };
                parse(pieces, words).map(|letters| ByColor::new(|_| letters.clone()))
            }
        };
        match sets {
            Ok(sets) => {
                tell(&sets, words)?;
                return Ok(sets);
            }
            Err(why) => print_line(&words.said(&why))?,
        }
    }
}

/// Prints the sets.
fn tell(sets: &ByColor<String>, words: &Words) -> Result<(), ExitFailure> {
    for (color, letters) in sets.iter() {
        let roles = USUAL_SET.map(|(role, _)| role);
        let pieces: Vec<_> = roles.into_iter().zip(counted(letters)).collect();
        let pieces = written(&pieces, words);
        print_line(&words.said(&say!("set-counted", "{color}'s set: {pieces}", color, pieces)))?;
    }
    Ok(())
}

/// Offers Becket if one of the sets has fewer than three rooks.
fn offer_becket(terms: &mut Group, words: &Words) -> Result<(), ExitFailure> {
    let sets = terms.get("sets").and_then(Datum::as_group);
    let rooks = |color: Color| {
        let set = sets.and_then(|sets| sets.get(color.word())).and_then(Datum::as_text);
        set.unwrap_or_default().matches('R').count()
    };
    if Color::ALL.into_iter().any(|color| rooks(color) < MOST_ROOKS)
        && agreed(&say!("ask-becket", "agree on Becket for this match? yes or no"), words)?
    {
        terms.set("becket", true);
    }
    Ok(())
}
