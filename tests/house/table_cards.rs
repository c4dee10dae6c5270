//! The cards for the table fit on one page each, and have the same keys and as many words in each language.
//!
//! No browser prints here: the height of each card is estimated from above. Every letter counts 0.57 em of 9 points. No forty
//! letters in a row of a card are wider in DejaVu Sans, the widest typeface that the card's look names (0.56 em, measured with
//! its file), and the letters of a typewriter are as wide in their 8.5 points.

use crate::card_pages::{LANGUAGES, card, marked, plain};

/// From `card.css`: the page without its margins, the type, and the columns, in millimetres.
const PAGE_HEIGHT: f64 = 297.0 - 2.0 * 11.0;
const PAGE_WIDTH: f64 = 184.0;
const LIST_WIDTH: f64 = PAGE_WIDTH - 6.0;
const HALF_WIDTH: f64 = 89.0;
const POINT: f64 = 25.4 / 72.0;
const LINE: f64 = 9.0 * POINT * 1.25;
const LETTER: f64 = 9.0 * POINT * 0.57;
/// What a row has besides its lines: two paddings and a rule.
const ROW: f64 = 1.1;
/// A heading of a part, with its margins and its rule.
const HEADING: f64 = 11.0 * POINT * 1.25 + 4.4;
const TITLE: f64 = 15.0 * POINT * 1.25 + 2.0;

/// The height of a text in a column.
fn height(text: &str, width: f64) -> f64 {
    let (mut lines, mut at) = (1.0, 0.0);
    for word in text.split_whitespace() {
        let long = LETTER * f64::from(u32::try_from(word.chars().count()).unwrap());
        if at > 0.0 && at + LETTER + long > width {
            lines += 1.0;
            at = 0.0;
        }
        at += long + LETTER;
    }
    lines * LINE
}

/// The parts of `html` between `begin` and `end`.
fn between<'a>(html: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    html.split(begin).skip(1).map(|rest| rest.split(end).next().unwrap()).collect()
}

/// The height of all rows of a table, whose columns have these widths.
fn table(html: &str, columns: &[f64]) -> f64 {
    let row = |row: &str| {
        let cells = between(row, "<td>", "</td>");
        assert_eq!(cells.len(), columns.len(), "{row}");
        let cells = cells.iter().zip(columns);
        ROW + cells.map(|(cell, width)| height(&plain(cell), *width)).fold(0.0, f64::max)
    };
    between(html, "<tr>", "</tr>").into_iter().map(row).sum()
}

fn paragraphs(html: &str) -> Vec<&str> {
    between(html, "<p>", "</p>")
}

fn estimated(card: &str) -> f64 {
    let steps = between(card, "<li>", "</li>").into_iter().map(|step| height(&plain(step), LIST_WIDTH));
    let halves = between(card, "<section>", "</section>").into_iter().map(|half| {
        let columns = [0.46 * HALF_WIDTH - 1.0, 0.54 * HALF_WIDTH - 1.0];
        let below = paragraphs(half).into_iter().map(|text| 1.0 + height(&plain(text), HALF_WIDTH));
        HEADING + table(half, &columns) + below.sum::<f64>()
    });
    let arbiter = card.split("<table class=\"arbiter\">").nth(1).unwrap();
    let columns = [0.18, 0.52, 0.30].map(|share| share * PAGE_WIDTH - 1.0);
    let below = paragraphs(arbiter).into_iter().map(|text| 1.0 + height(&plain(text), PAGE_WIDTH));
    let halves = halves.fold(0.0, f64::max);
    TITLE
        + HEADING
        + 1.0
        + steps.sum::<f64>()
        + halves
        + HEADING
        + table(arbiter, &columns)
        + below.sum::<f64>()
}

#[test]
fn each_card_for_the_table_fits_on_one_page() {
    for language in LANGUAGES {
        let height = estimated(&card(language));
        assert!((150.0..PAGE_HEIGHT).contains(&height), "{language}: {height:.0} of {PAGE_HEIGHT} mm");
    }
}

#[test]
fn the_look_of_the_cards_is_the_one_that_is_measured() {
    let look = include_str!("../../docs/cards-for-the-table/card.css");
    for measure in [
        "margin: 11mm 13mm;",
        "max-width: 184mm;",
        "font: 9pt/1.25 ",
        "font: bold 8.5pt/1.2 ",
        "font-size: 15pt;",
        "font-size: 11pt;",
        "padding-left: 6mm;",
        "width: 89mm;",
        "padding: 0.5mm 1mm 0.5mm 0;",
        "width: 46%;",
        "width: 18%;",
        "width: 30%;",
    ] {
        assert!(look.contains(measure), "card.css has no `{measure}`, so the estimate is wrong");
    }
}

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
