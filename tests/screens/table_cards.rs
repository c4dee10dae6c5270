//! The keys on the printed cards for the table (`docs/cards-for-the-table/`) are those of the window in each language.

use std::collections::BTreeMap;

use egui::Key;
use tabiya_text::{Language, Words};
use tabiya_window::keys::{Command, KeyBindings};

use crate::card_pages::{LANGUAGES, card, marked};
use crate::clock::{at_the_clock, moves};

/// The keys that a card may leave out: they are for the arrangement of the screen.
const NOT_FOR_THE_TABLE: [Command; 5] =
    [Command::Jump, Command::Turn, Command::Public, Command::FullScreen, Command::Open];

fn words(tag: &str) -> Words {
    let language = Language::ALL.into_iter().find(|language| language.tag() == tag);
    Words::of(language.expect("a language of the program"))
}

/// The name of a key as it stands on keyboards, such as `Strg+Z`.
fn on_keyboards(written: &str, words: &Words) -> String {
    let name = |part: &str| match part {
        "Space" | "Escape" | "Enter" | "Ctrl" => words.word("key", &part.to_lowercase()),
        letter => letter.to_owned(),
    };
    written.split('+').map(name).collect::<Vec<_>>().join("+")
}

#[test]
fn the_keys_on_the_cards_for_the_table_are_those_of_the_window() {
    for language in LANGUAGES {
        let (words, card) = (words(language), card(language));
        let keys = KeyBindings::new(&BTreeMap::new(), &words);
        let printed: BTreeMap<&str, &str> = marked(&card, "data-key").into_iter().collect();
        let mut wanted = BTreeMap::new();
        for command in Command::ALL.into_iter().filter(|command| !NOT_FOR_THE_TABLE.contains(command)) {
            let key = keys.of(command).expect("every command has a key").to_string();
            wanted.insert(command.word(), on_keyboards(&key, &words));
        }
        let wanted: BTreeMap<&str, &str> = wanted.iter().map(|(word, key)| (*word, key.as_str())).collect();
        assert_eq!(printed, wanted, "{language}");
    }
}

#[test]
fn the_halves_of_the_keyboard_on_the_cards_press_for_the_players_that_they_name() {
    for language in LANGUAGES {
        let (words, card) = (words(language), card(language));
        for (half, name) in marked(&card, "data-half") {
            let key = if name == words.t("key-enter") { Key::Enter } else { Key::from_name(name).unwrap() };
            let mut screens = at_the_clock();
            // Black sits at the far half. The first press starts White's clock and ends no move.
            let pressed = match half {
                "near" => [Key::A, key, Key::A],
                "far" => [key, Key::L, key],
                other => panic!("{other} is no half"),
            };
            for key in pressed {
                screens.key(key);
            }
            assert_eq!(moves(&screens), (1, 1), "{language}: {name}");
        }
    }
}
