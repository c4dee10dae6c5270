//! A test that nothing above the rules asks which game is played: no product code outside `src/rules` and `src/text` names
//! one, except where games are registered, and where a file exists for one game's cards or words alone.

use std::fs;
use std::path::Path;

use crate::rust_files::rust_files;

/// The games by their modules, their names in records, and their types. Plain chess is a part of most games, and a clock
/// of all, so their names say nothing.
const NAMES: [&str; 12] = [
    "pokerdrez",
    "PokerDrez",
    "Drez",
    "chess_joker",
    "chess-joker",
    "ChessJoker",
    "Joker",
    "poker_chess",
    "poker-chess",
    "PokerChess",
    "choker",
    "Choker",
];

/// The files, or folders, that may name games, and why.
const EXCEPTIONS: [(&str, &str); 20] = [
    ("types/pack.rs", "the kinds of deck are named after their games, also in the decks' files"),
    ("ui/start/tiles.rs", "the pictures of the games, by name"),
    ("ui/learn.rs", "the games that have rules in short, by name"),
    ("ui/gallery.rs", "the picture of one game, as a sample"),
    ("ui/table/laid.rs", "the view of a row, a die and a stock, chosen by `own_cards.rs`"),
    ("ui/table/laid/", "the same"),
    ("ui/table/joker.rs", "the view of the cards before the players, chosen by `own_cards.rs`"),
    ("ui/table/joker/", "the same"),
    ("ui/board/cards.rs", "the steps of such a card over the squares"),
    ("ui/card_form.rs", "the form in which such a card is typed"),
    ("record/card_file.rs", "the file with such cards, which only one game has"),
    ("app/words/joker.rs", "the words for such cards: the code, the points and the effect of one"),
    ("cli/joker.rs", "the command that checks a file with such cards"),
    ("cli.rs", "the list of commands"),
    ("app/lesson.rs", "the first match that people are led through"),
    ("app/desk/laws.rs", "headers for random wishes"),
    ("record/laws.rs", "headers for random records, and the text of a card"),
    ("ui/start/form.rs", "the rising blinds that the form proposes are those of a preset"),
    ("cli/play.rs", "the game that is played if none is named"),
    ("boards/sim_host/script.rs", "a word for a start position of simulated boards"),
];

/// The code of a file without comments and without the tests at its end.
fn code(text: &str) -> String {
    let is_tests = |(at, _): &(usize, &str)| {
        let mut below = text[*at..].lines().skip_while(|line| line.is_empty() || line.starts_with("#["));
        below.next().is_some_and(|line| line.contains("mod tests {"))
    };
    let end = text.match_indices("\n#[cfg(test)]").find(is_tests).map_or(text.len(), |(at, _)| at);
    let product = &text[..end];
    product.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Whether code names a game. `Joker` and `Drez` begin the names of a game's types: a joker alone is a card.
fn names_a_game(code: &str) -> bool {
    NAMES.iter().any(|name| {
        code.match_indices(name).any(|(at, _)| {
            let next = code[at + name.len()..].chars().next();
            !["Drez", "Joker"].contains(name) || next.is_some_and(char::is_uppercase)
        })
    })
}

#[test]
fn no_code_above_the_rules_asks_which_game_is_played() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    rust_files(&source, &mut found);
    found.sort();
    let mut wrong = Vec::new();
    let mut used = Vec::new();
    for path in found {
        let inside = path.strip_prefix(&source).unwrap().to_string_lossy().replace('\\', "/");
        let room = inside.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        let is_test = inside.ends_with("tests.rs") || inside.contains("/tests/");
        if ["rules", "text"].contains(&room) || is_test {
            continue;
        }
        if names_a_game(&code(&fs::read_to_string(&path).unwrap())) {
            let allowed = |(place, _): &&(&str, &str)| {
                inside == *place || place.ends_with('/') && inside.starts_with(place)
            };
            match EXCEPTIONS.iter().find(allowed) {
                Some((place, _)) => used.push(*place),
                None => wrong.push(format!("src/{inside} names a game: ask the game, through a capability")),
            }
        }
    }
    let idle = EXCEPTIONS.iter().filter(|(place, _)| !used.contains(place));
    wrong.extend(idle.map(|(place, _)| format!("src/{place} names no game any more: take it off the list")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
