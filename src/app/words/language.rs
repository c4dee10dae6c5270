//! A typed line in the words and letters of a language becomes one in the words of the grammar and the letters of the record.
//!
//! What is refused is quoted as it was typed.

use tabiya_text::{Language, Words};
use tabiya_types::{Role, Sentence};

use super::local::in_english;
use crate::desk::Wish;

/// The wish to enter this line, which was typed in this language.
pub fn typed_wish(line: String, language: &Words) -> Wish {
    let meant = in_record(&line, language);
    if meant == line { Wish::Typed(line) } else { Wish::TypedIn { typed: line, meant } }
}

/// The sentence about the line `meant`, with its words as people typed them: in their language, and with their capitals.
pub fn quoted(sentence: Sentence, meant: &str, typed: &str) -> Sentence {
    let (read, said): (Vec<&str>, Vec<&str>) =
        (meant.split_whitespace().collect(), typed.split_whitespace().collect());
    let as_typed = |word: &str| {
        let nth = read.iter().position(|read| read.to_lowercase() == word.to_lowercase())?;
        said.get(nth).filter(|_| read.len() == said.len()).copied()
    };
    sentence.with_names(&|name| {
        let words: Vec<&str> = name.split_whitespace().collect();
        if words == read {
            return typed.to_owned();
        }
        let quoted: Vec<&str> = words.iter().map(|word| as_typed(word).unwrap_or(word)).collect();
        if quoted == words { name } else { quoted.join(" ") }
    })
}

/// Words after which letters of cards stand.
const CARD_WORDS: [&str; 8] = ["lay", "own", "hand", "row", "return", "swap", "show", "deal"];

/// Translates the piece letters and names in a typed line from the user's language to the record's: Spanish `Cf3`
/// becomes `Nf3`, German `Dame d1` becomes `queen d1`. The letters of the language win over the English ones.
pub fn in_record(line: &str, language: &Words) -> String {
    if language.language == Language::English {
        return line.to_owned();
    }
    let english = in_english(line, language.language);
    let line = english.as_deref().unwrap_or(line);
    let mut words = line.split(' ').peekable();
    let first = words.peek().copied().unwrap_or_default().to_lowercase();
    // A single letter means a piece if the line begins with a single letter or with one of these words.
    // Otherwise it may mean a seat.
    let letters_are_pieces = first.chars().count() == 1
        || ["reveal", "stands", "correct", "place", "card"].contains(&first.as_str())
        || CARD_WORDS.contains(&first.as_str())
        || named(&first, language).is_some();
    // Names and reasons are nobody's pieces: only these verbs have a piece among their first words.
    let claim = line.split(' ').take(4).position(|word| word.to_lowercase().starts_with("claim"));
    let pieces_until = match first.as_str() {
        "reveal" | "card" | "move" | "sealed" => 2,
        "place" => usize::MAX,
        word if CARD_WORDS.contains(&word) => usize::MAX,
        "stands" => 4,
        "correct" => 3,
        // A name may stand before or after it.
        _ if claim.is_some() => usize::MAX,
        _ if letters_are_pieces || first.bytes().any(|byte| byte.is_ascii_digit()) => usize::MAX,
        _ => 0,
    };
    // A letter that only English has says that the line has English letters: Spanish `stands Q as R` is no king.
    let english_letters = line.split(' ').take(pieces_until).any(|word| {
        let single = word.chars().count() == 1 && letters_are_pieces;
        let moved = word.starts_with(|letter: char| letter.is_ascii_uppercase()) && has_square(word);
        (single || moved) && word.chars().next().is_some_and(|letter| is_english_alone(letter, language))
    });
    let mut typed = Vec::new();
    for (nth, word) in words.enumerate() {
        let single = word.chars().count() == 1;
        let is_move = !single && word.bytes().any(|byte| byte.is_ascii_digit());
        typed.push(match named(&word.to_lowercase(), language) {
            _ if nth >= pieces_until => word.to_owned(),
            Some(role) => role.word().to_owned(),
            None if is_move || (single && letters_are_pieces) => {
                let kept = |letter: char| english_letters && Role::from_letter(letter).is_some();
                with_letters_of_the_record(word, single, language, kept)
            }
            None => word.to_owned(),
        });
    }
    typed.join(" ")
}

fn has_square(word: &str) -> bool {
    word.chars().count() > 1 && word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether this letter names a piece in English and none in this language.
fn is_english_alone(letter: char, language: &Words) -> bool {
    let letter = letter.to_ascii_uppercase();
    let own = Role::ALL.into_iter().any(|role| language.letter(role) == letter.to_string());
    Role::from_letter(letter).is_some() && !own
}

/// The piece that a word names. In Spanish the queen is called dama, as on the cards, and reina as well.
fn named(word: &str, language: &Words) -> Option<Role> {
    if language.language == Language::Spanish && word == "reina" {
        return Some(Role::Queen);
    }
    Role::ALL.into_iter().find(|role| language.role(*role).to_lowercase() == word)
}

/// Translates the piece letters of a move or of a card to the letters of the record, except those that are `kept`. A
/// card's letter may be small.
fn with_letters_of_the_record(
    word: &str,
    card: bool,
    language: &Words,
    kept: impl Fn(char) -> bool,
) -> String {
    let role = |letter: char| {
        let own = |role: &Role| {
            let of = language.letter(*role);
            of == letter.to_string() || (card && of == letter.to_uppercase().to_string())
        };
        Role::ALL.into_iter().find(own)
    };
    word.chars()
        .map(|letter| {
            role(letter).filter(|_| !kept(letter)).map_or(letter, |role| role.letter().to_ascii_uppercase())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use tabiya_engine::rules::PieceAnnouncement;

    use super::*;

    #[test]
    fn letters_of_a_language_are_read_where_a_piece_can_stand() {
        let spanish = Words::of(Language::Spanish);
        let read = |line: &str| in_record(line, &spanish);
        assert_eq!(read("Cf3"), "Nf3");
        assert_eq!(read("T a1"), "R a1");
        assert_eq!(read("reveal D"), "reveal Q");
        assert_eq!((read("dama d1"), read("reina d1")), ("queen d1".to_owned(), "queen d1".to_owned()));
        assert_eq!(read("rule winner A won"), "rule winner A won", "a seat is no piece");
        assert_eq!(read("pause la torre cayó"), "pause la torre cayó", "a reason stays as it is");
        assert_eq!(read("correct a1 T la torre"), "correct a1 R la torre");
        assert_eq!(read("move Cf3"), "move Nf3");
        for (typed, wanted) in
            [("white claims Cf3", "white claims Nf3"), ("claim black Cb8", "claim black Nb8")]
        {
            assert_eq!(read(typed), wanted);
        }
        assert_eq!(in_record("Sf3", &Words::of(Language::German)), "Nf3");
        assert_eq!(in_record("Bd2", &Words::of(Language::German)), "Pd2", "a German pawn, no English bishop");
        assert_eq!(in_record("Cf3", &Words::of(Language::English)), "Cf3");
    }

    #[test]
    fn a_line_with_english_letters_keeps_them() {
        let spanish = Words::of(Language::Spanish);
        assert_eq!(in_record("stands Q as R", &spanish), "stands Q as R", "no king stands for the queen");
        assert_eq!(in_record("stands D as T", &spanish), "stands Q as R");
        assert_eq!(in_record("Qd1 as R", &spanish), "Qd1 as R");
        assert_eq!(
            in_record("q d1 as T", &spanish),
            "q d1 as R",
            "a letter that English lacks is no English one"
        );
        let german = Words::of(Language::German);
        assert_eq!(in_record("stands Q as R", &german), "stands Q as R");
        assert_eq!(in_record("stands D as T", &german), "stands Q as R");
    }

    #[test]
    fn what_is_refused_is_quoted_as_it_was_typed() {
        let german = Words::of(Language::German);
        let refused = |typed: &str, word: &str| {
            let meant = in_record(typed, &german);
            let sentence = super::super::typed::must(PieceAnnouncement::Promoted.sentence(), word);
            quoted(sentence, &meant, typed).to_string()
        };
        assert_eq!(refused("T", "R"), "`T` cannot be used here: say promoted");
        assert_eq!(refused("T z9", "r"), "`T` cannot be used here: say promoted");
        assert_eq!(
            refused("erhöhen auf viel", "raise to viel"),
            "`erhöhen auf viel` cannot be used here: say promoted"
        );
    }
}
