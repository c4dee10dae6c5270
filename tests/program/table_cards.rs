//! Every word on the printed cards for the table (`docs/cards-for-the-table/`) is understood at a table in its language.

use crate::card_pages::{LANGUAGES, card, marked};
use crate::exam::Situation;

/// What is typed before a word, so that it can mean something: the options of the table, and the lines.
fn before(moment: &str) -> (&'static str, &'static str) {
    match moment {
        "start" => ("play", ""),
        "bet" => ("play", "deal; call"),
        "place" => ("play", "deal; call; check; deal; check; check; deal; check; check"),
        "placed" => ("play", "deal; call; check; deal; check; check; deal; check; check; Q d1; press"),
        "chess" => ("play --game chess", ""),
        "moved" => ("play --game chess", "e4; press; e5; press; d4; press; undo"),
        "offered" => ("play --game chess", "e4; press; e5; draw; press"),
        "paused" => ("play --game chess", "e4; press; pause"),
        "over" => ("play --game chess", "e4; press; resign black; yes"),
        "event" => ("play --game chess --voice event", "e4; press; e5; press"),
        "eventpaused" => ("play --game chess --voice event", "e4; press; pause noise"),
        other => panic!("no moment is called {other}"),
    }
}

/// The words with which a line is told not to be understood.
fn not_understood(language: &str) -> &'static str {
    match language {
        "de" => "ist nicht verstanden",
        "es" => "no se entiende",
        _ => "is not understood",
    }
}

/// What the table says to this word on a card.
fn answer(language: &str, moment: &str, word: &str) -> String {
    let (table, lines) = before(moment);
    let command = format!("{table} --language {language}");
    let typed = lines.split("; ").filter(|line| !line.is_empty()).chain([word]).collect();
    Situation::of(&command, typed).play()
}

#[test]
fn every_word_on_the_cards_for_the_table_is_understood_in_its_language() {
    for language in LANGUAGES {
        let card = card(language);
        let words = marked(&card, "data-at");
        assert!(words.len() > 50, "{}", words.len());
        for (moment, word) in words {
            let said = answer(language, moment, word);
            assert!(!said.contains(not_understood(language)), "{language}, `{word}`: {said}");
        }
        let said = answer(language, "chess", "xyzzy");
        assert!(said.contains(not_understood(language)), "{language}: {said}");
    }
}
