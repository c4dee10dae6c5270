//! Plays each table of examples in `docs/clock.md` as a record of a clock without a game, and compares the readings.

use serde_json::{Value, json};
use tabiya_engine::clock::{ParseControlError, parse_spoken, to_spoken};
use tabiya_engine::record::Replay;
use tabiya_engine::rules::GAMES;

/// A row of a table of examples: a moment, what happens then, and the readings of both sides.
#[derive(Debug)]
struct Row {
    millis: u64,
    what: String,
    readings: [String; 2],
}

struct Section {
    control: String,
    first_increment: bool,
    rows: Vec<Row>,
}

fn millis(text: &str) -> u64 {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let whole: u64 = whole.parse().unwrap_or_else(|_| panic!("{text} is not a number of seconds"));
    whole * 1000 + format!("{part:0<3}").parse::<u64>().expect("milliseconds")
}

fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("### `") {
            let control = title.split('`').next().unwrap_or_default().to_owned();
            let first_increment = !title.contains("`first_increment` off");
            sections.push(Section { control, first_increment, rows: Vec::new() });
        } else if line.starts_with("## ") && !sections.is_empty() {
            break;
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let ([at, what, white, black], Some(section)) = (cells.as_slice(), sections.last_mut()) else {
            continue;
        };
        if at.starts_with(|first: char| first.is_ascii_digit()) {
            let readings = [(*white).to_owned(), (*black).to_owned()];
            section.rows.push(Row { millis: millis(at), what: (*what).to_owned(), readings });
        }
    }
    sections
}

fn line(at: u64, what: &str) -> Value {
    match what {
        "Black presses" => json!({"t": at, "do": "press", "by": "black"}),
        "White presses" => json!({"t": at, "do": "press", "by": "white"}),
        "pause" | "resume" => json!({"t": at, "do": what, "by": "arbiter"}),
        "–" => json!({"t": at, "do": "tick"}),
        other => panic!("unknown action in the table: `{other}`"),
    }
}

/// One side's reading in the form of the tables: `12.5 (3) flag` is seconds, periods and a fallen flag.
fn shown(report: &Value, side: &str) -> String {
    let left = report["clock_ms"][side].as_u64().expect("a reading");
    let mut text = format!("{}.{:03}", left / 1000, left % 1000);
    text = text.trim_end_matches('0').trim_end_matches('.').to_owned();
    if let Some(periods) = report["periods"].get(side) {
        text = format!("{text} ({periods})");
    }
    if report["flag"] == *side {
        text += " flag";
    }
    text
}

#[test]
fn every_table_of_the_clocks_document_holds() {
    let text = std::fs::read_to_string("docs/clock.md").expect("docs/clock.md");
    let (mut played, mut rows) = (0, 0);
    for section in sections(&text) {
        let header = json!({
            "tabiya": 1, "game": "clock", "players": {"A": "Ann", "B": "Bo"}, "white": "A",
            "terms": {"time": section.control, "first_increment": section.first_increment}
        });
        let mut replay = Replay::begin(&header.to_string(), GAMES).expect("a header");
        played += usize::from(!section.rows.is_empty());
        for (row, number) in section.rows.iter().zip(2..) {
            let line = line(row.millis, &row.what).to_string();
            assert!(replay.feed(number, &line).is_ok(), "`{}`: {row:?}", section.control);
            let report = replay.report();
            let readings = ["white", "black"].map(|side| shown(&report, side));
            assert_eq!(readings, row.readings, "`{}`: {row:?}", section.control);
            rows += 1;
        }
    }
    assert!(played >= 18 && rows >= 90, "{played} tables with {rows} rows");
}

/// What is understood by a text, in the words of the document's last column.
fn understood(text: &str) -> String {
    match parse_spoken(text) {
        Ok(control) => format!("`{control}`"),
        Err(ParseControlError::Wrong { at, wanted, .. }) => format!("wrong at {at}: {wanted}"),
        Err(ParseControlError::Unsure { readings, .. }) => {
            let readings: Vec<String> =
                readings.iter().map(|reading| format!("`{}`", to_spoken(reading))).collect();
            format!("asks: {}", readings.join(" or "))
        }
    }
}

#[test]
fn every_spelling_of_the_clocks_document_is_understood_as_it_says() {
    let text = std::fs::read_to_string("docs/clock.md").expect("docs/clock.md");
    let (_, table) = text.split_once("| people write | the record has |").expect("the table of spellings");
    let mut rows = 0;
    for line in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [said, wanted] = cells.as_slice() else { panic!("{line}") };
        let said = said.trim_matches('`').replace('\u{1}', "|");
        let found = understood(&said);
        // Of a mistake the document has the beginning.
        let same = if wanted.starts_with("wrong") { found.starts_with(wanted) } else { found == *wanted };
        assert!(same, "`{said}` is {found}, not {wanted}");
        if let Ok(control) = parse_spoken(&said) {
            assert_eq!(parse_spoken(&to_spoken(&control)), Ok(control), "`{said}` said back");
        }
        rows += 1;
    }
    assert!(rows >= 50, "{rows} spellings");
}
