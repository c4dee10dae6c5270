//! The chess pieces at hand: written with `--set`, counted on the board, or asked for before the match. A set that is
//! short of rooks gets the rule Becket offered.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use tabiya_app::piece_sets::{USUAL_SET, counted, parse, standing, term, written};
use tabiya_app::presets;
use tabiya_boards::address::BoardAddress;
use tabiya_engine::rules::Group;
use tabiya_text::Words;
use tabiya_types::{Board, ByColor, say};

use super::terms::header;
use super::{ExitFailure, PlayArguments, print_line};

/// The word for a set that is counted on the board.
pub(super) const COUNTED: &str = "board";

/// Adds the pieces at hand to the terms, if the game places pieces: those of `--set`, or those that people answer with.
/// `seen` tells what the connected board shows now. Nobody is asked if standard input is not a terminal, or if no people
/// play.
pub(super) fn agree(
    arguments: &PlayArguments,
    terms: &mut Group,
    mut seen: impl FnMut() -> Option<Board>,
) -> Result<(), ExitFailure> {
    let words = arguments.language.words();
    let places = presets::kind(arguments.game()).is_some_and(|kind| kind.terms().contains(&"becket"));
    let plays_alone = matches!(arguments.board, Some(BoardAddress::Sim(_) | BoardAddress::Capture(_)));
    let may_ask = places && !plays_alone && std::io::stdin().is_terminal();
    if arguments.set.as_deref() == Some(COUNTED) {
        let sets = standing(seen().as_ref());
        let sets = sets.map_err(|why| ExitFailure::unusable(format!("`--set board`: {why}")))?;
        tell(&sets, &words)?;
        terms.set("sets", term(sets));
    } else if may_ask && !terms.has("sets") {
        terms.set("sets", term(asked(&words, &mut seen)?));
    }
    if may_ask { offer_becket(arguments, terms) } else { Ok(()) }
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
        let answer = prompted(&words.said(&question))?;
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

/// Says what the sets lack, and offers Becket if it is not agreed yet.
fn offer_becket(arguments: &PlayArguments, terms: &mut Group) -> Result<(), ExitFailure> {
    let words = arguments.language.words();
    let advice = header(arguments, terms)?.agreement.inventory_advice();
    for line in &advice {
        print_line(&words.said(line))?;
    }
    if advice.is_empty() || terms.has("becket") {
        return Ok(());
    }
    let offer = say!("ask-becket", "agree on Becket for this match? yes or no");
    let answer = prompted(&words.said(&offer))?.to_lowercase();
    if matches!(answer.as_str(), "y" | "yes" | "j" | "ja" | "s" | "si" | "sí") {
        terms.set("becket", true);
    }
    Ok(())
}

/// Prints a question and reads the answer; empty at the end of the input.
fn prompted(question: &str) -> Result<String, ExitFailure> {
    let mut out = std::io::stdout().lock();
    write!(out, "{question} ").and_then(|()| out.flush()).map_err(ExitFailure::unusable)?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(ExitFailure::unusable)?;
    Ok(answer.trim().to_owned())
}
