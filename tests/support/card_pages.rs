//! The printed cards for the table, `docs/cards-for-the-table/`: what stands on them, read from their HTML.
#![allow(dead_code, reason = "each test file uses what it needs")]

use std::path::Path;

/// The languages of the cards, as their files are named.
pub(crate) const LANGUAGES: [&str; 3] = ["en", "de", "es"];

/// The HTML of the card in a language.
pub(crate) fn card(language: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cards-for-the-table");
    std::fs::read_to_string(folder.join(format!("{language}.html"))).expect("a card")
}

/// What is marked with this attribute: for each mark its value and its text. `<kbd data-key="deal">D</kbd>` is marked
/// `data-key` with the value `deal` and the text `D`.
pub(crate) fn marked<'a>(card: &'a str, attribute: &str) -> Vec<(&'a str, &'a str)> {
    let begin = format!(" {attribute}=\"");
    let mark = |rest: &'a str| {
        let (value, rest) = rest.split_once("\">").expect("the end of the mark");
        (value, rest.split('<').next().expect("a text"))
    };
    card.split(begin.as_str()).skip(1).map(mark).collect()
}
