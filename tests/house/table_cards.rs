//! The cards for the table have the same keys and as many words in each language.
//! `tests/run package` prints them, each on one page.

use crate::card_pages::{LANGUAGES, card, marked};

#[test]
fn the_cards_say_the_same_in_each_language() {
    let english = card("en");
    let values = |card: &str, attribute: &str| -> Vec<String> {
        marked(card, attribute).into_iter().map(|(value, _)| value.to_owned()).collect()
    };
    for language in LANGUAGES {
        let card = card(language);
        for attribute in ["data-key", "data-half", "data-at"] {
            assert_eq!(values(&card, attribute), values(&english, attribute), "{language}: {attribute}");
        }
    }
}
