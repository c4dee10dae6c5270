//! The chess pieces at hand: a usual set, a set as people write it, and the sets that stand on a board.

use std::fmt::Display;

use tabiya_engine::rules::{Datum, Group};
use tabiya_text::Words;
use tabiya_types::{Board, ByColor, Role, Sentence, say};

/// The kinds of pieces, and how many of each kind a usual set has.
pub const USUAL_SET: [(Role, u32); 6] = [
    (Role::King, 1),
    (Role::Queen, 1),
    (Role::Rook, 2),
    (Role::Bishop, 2),
    (Role::Knight, 2),
    (Role::Pawn, 8),
];

/// Parses the pieces of one player: `Q1R2B2N2P8`, `Q2 R2`. All letters are those of the language, or all are English
/// ones. There is always one king. Returns the letters of the record; `Err` says how to write a set.
pub fn parse(text: &str, words: &Words) -> Result<String, Sentence> {
    let own = |letter: &str| Role::ALL.into_iter().find(|role| words.letter(*role) == letter);
    let english = |letter: &str| Role::ALL.into_iter().find(|role| role.letter().to_string() == letter);
    with_letters(text, own).or_else(|| with_letters(text, english)).ok_or_else(|| {
        let (text, usual) = (text.to_owned(), written(&USUAL_SET[1..], words));
        say!("set-what", "`{text}` is no set; write the pieces of one player, as in {usual}", text, usual)
    })
}

fn with_letters(text: &str, role: impl Fn(&str) -> Option<Role>) -> Option<String> {
    let mut letters = Role::King.letter().to_string();
    let mut rest = text.chars().filter(|letter| !letter.is_whitespace()).peekable();
    while let Some(letter) = rest.next() {
        let role = role(&letter.to_uppercase().to_string())?;
        let count = rest.next_if(char::is_ascii_digit).and_then(|digit| digit.to_digit(10)).unwrap_or(1);
        if role != Role::King {
            letters.extend((0..count).map(|_| role.letter()));
        }
    }
    Some(letters)
}

/// The sets that stand on a board, in the letters of the record. `Err` if `seen` is `None`, because no connected board
/// knows its pieces, or if each colour does not have one king there.
pub fn standing(seen: Option<&Board>) -> Result<ByColor<String>, Sentence> {
    let board = seen.ok_or_else(|| {
        say!("set-no-board", "no connected board knows its pieces; write the pieces of one player")
    })?;
    let sets = ByColor::new(|color| board.letters_of(color));
    if sets.iter().all(|(_, letters)| letters.matches(Role::King.letter()).count() == 1) {
        Ok(sets)
    } else {
        Err(say!("set-not-standing", "put all pieces of both sets on the board; each colour has one king"))
    }
}

/// How often each kind of piece occurs in a set that is written in the letters of the record.
pub fn counted(letters: &str) -> [u32; 6] {
    USUAL_SET.map(|(role, _)| u32::try_from(letters.matches(role.letter()).count()).unwrap_or(0))
}

/// Writes a set in the letters of the language: `Q1 R2 B2 N2 P8`.
pub fn written<N: Display>(pieces: &[(Role, N)], words: &Words) -> String {
    let pieces = pieces.iter().map(|(role, count)| format!("{}{count}", words.letter(*role)));
    pieces.collect::<Vec<_>>().join(" ")
}

/// The sets as the term `sets`.
pub fn term(sets: ByColor<String>) -> Datum {
    Group::new().with("white", sets.white).with("black", sets.black).into()
}

#[cfg(test)]
mod tests {
    use tabiya_text::Language;

    use super::*;

    #[test]
    fn a_set_is_written_in_one_alphabet() {
        for language in Language::ALL {
            let words = Words::of(language);
            let read = |text: &str| parse(text, &words);
            assert_eq!(read("Q1R2B2N2P8").as_deref(), Ok("KQRRBBNNPPPPPPPP"), "{language:?}");
            let usual = written(&USUAL_SET[1..], &words);
            assert_eq!(read(&usual).as_deref(), Ok("KQRRBBNNPPPPPPPP"), "{usual}");
            assert!(read("X1").is_err() && read("Q1T2L2").is_err(), "{language:?}");
        }
        assert_eq!(parse("B8", &Words::of(Language::German)).as_deref(), Ok("KPPPPPPPP"));
    }

    #[test]
    fn sets_are_counted_only_where_both_kings_stand() {
        let start: Board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().expect("a board");
        let sets = standing(Some(&start)).expect("both sets");
        assert_eq!((sets.white.len(), counted(&sets.black)), (16, [1, 1, 2, 2, 2, 8]));
        let cleared: Board = "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().expect("a board");
        assert!(standing(Some(&Board::EMPTY)).is_err() && standing(Some(&cleared)).is_err());
        assert!(standing(None).is_err());
    }
}
