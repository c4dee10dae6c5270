//! The chess pieces at hand: written with `--set`, counted on the board, or asked for before the match. A set that is
//! short of rooks gets the rule Becket offered.

use std::fmt::Display;
use std::io::{BufRead as _, IsTerminal as _, Write as _};

use tabiya_app::presets;
use tabiya_boards::address::BoardAddress;
use tabiya_engine::rules::{Datum, Group};
use tabiya_text::Words;
use tabiya_types::{Board, ByColor, Role, say};

use super::terms::header;
use super::{ExitFailure, PlayArguments, print_line};

/// The word for a set that is counted on the board.
pub(super) const COUNTED: &str = "board";

/// How many pieces of each kind a usual set has besides the king.
const USUAL: [(Role, u32); 5] =
    [(Role::Queen, 1), (Role::Rook, 2), (Role::Bishop, 2), (Role::Knight, 2), (Role::Pawn, 8)];

/// Adds the pieces at hand to the terms, if the game places pieces. Without `--set` asks for them. Nobody is asked if
/// standard input is not a terminal, or if no people play. `seen` is what the connected board shows.
pub(super) fn agree(
    arguments: &PlayArguments,
    terms: &mut Group,
    seen: Option<Board>,
) -> Result<(), ExitFailure> {
    if arguments.set.as_deref() == Some(COUNTED) {
        let sets = counted(seen).map_err(ExitFailure::unusable)?;
        tell(&sets, &arguments.language.words())?;
        terms.set("sets", term(sets));
        return Ok(());
    }
    let places = presets::kind(&arguments.game).is_some_and(|kind| kind.terms().contains(&"becket"));
    let plays_alone = matches!(arguments.board, Some(BoardAddress::Sim(_) | BoardAddress::Capture(_)));
    if !places || plays_alone || terms.has("sets") || !std::io::stdin().is_terminal() {
        return Ok(());
    }
    terms.set("sets", asked(&arguments.language.words(), seen)?);
    offer_becket(arguments, terms)
}

/// Parses the pieces of a set in the letters of the language or in English ones: `Q1R2B2N2P8`, `K1 Q2 R2`. The set is
/// the same for both players, with one king each.
pub(super) fn parsed(text: &str, words: &Words) -> Result<Datum, String> {
    let usual = || in_letters(USUAL, words);
    let wrong = || format!("`--set {text}`: write the pieces of one player, as in {}", usual());
    let role = |letter: char| {
        let letter = letter.to_uppercase().to_string();
        let own = Role::ALL.into_iter().find(|role| words.letter(*role) == letter);
        own.or_else(|| Role::ALL.into_iter().find(|role| role.letter().to_string() == letter))
    };
    let mut letters = Role::King.letter().to_string();
    let mut rest = text.chars().filter(|letter| !letter.is_whitespace()).peekable();
    while let Some(letter) = rest.next() {
        let role = role(letter).ok_or_else(wrong)?;
        let count = rest.next_if(char::is_ascii_digit).and_then(|digit| digit.to_digit(10)).unwrap_or(1);
        if role != Role::King {
            letters.extend((0..count).map(|_| role.letter()));
        }
    }
    Ok(term(ByColor::new(|_| letters.clone())))
}

/// Asks for the pieces until the answer can be used. An empty answer is a usual set.
fn asked(words: &Words, seen: Option<Board>) -> Result<Datum, ExitFailure> {
    let usual = in_letters(USUAL, words);
    let question = match seen {
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
    loop {
        let answer = prompted(&words.said(&question))?;
        let sets = match answer.as_str() {
            "" => parsed(&usual, words),
            COUNTED => match counted(seen) {
                Ok(sets) => {
                    tell(&sets, words)?;
                    Ok(term(sets))
                }
                Err(fault) => Err(fault.to_owned()),
            },
            pieces => parsed(pieces, words),
        };
        match sets {
            Ok(sets) => return Ok(sets),
            Err(fault) => print_line(&fault)?,
        }
    }
}

/// Counts the pieces on the board.
fn counted(seen: Option<Board>) -> Result<ByColor<String>, &'static str> {
    let board = seen.ok_or(
        "`--set board`: no connected board knows its pieces; write the pieces of one player, as in Q1R2B2N2P8",
    )?;
    if board == Board::EMPTY {
        return Err("`--set board`: the board is empty; put all pieces of both sets on it");
    }
    Ok(ByColor::new(|color| board.letters_of(color)))
}

/// Prints the sets that were counted.
fn tell(sets: &ByColor<String>, words: &Words) -> Result<(), ExitFailure> {
    for (color, letters) in sets.iter() {
        let count = |role: Role| (role, letters.matches(role.letter()).count());
        let pieces = in_letters(Role::ALL.into_iter().rev().map(count), words);
        print_line(&words.said(&say!("set-counted", "{color}'s set: {pieces}", color, pieces)))?;
    }
    Ok(())
}

/// The sets as the term `sets`.
fn term(sets: ByColor<String>) -> Datum {
    Group::new().with("white", sets.white).with("black", sets.black).into()
}

/// Writes a set in the letters of the language: `Q1 R2 B2 N2 P8`.
fn in_letters<N: Display>(pieces: impl IntoIterator<Item = (Role, N)>, words: &Words) -> String {
    let pieces = pieces.into_iter().map(|(role, count)| format!("{}{count}", words.letter(role)));
    pieces.collect::<Vec<_>>().join(" ")
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
