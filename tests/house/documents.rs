//! The examples in the documents are true: each record is replayed, and gives the result that the page shows.

use serde_json::Value;
use tabiya_engine::record::{Replay, Stop, header};
use tabiya_engine::rules::{Datum, GAMES, TermKind, TermSpec, WholeNumber, YesNo};

const RECORD: &str = include_str!("../../docs/record.md");
const POKER_CHESS: &str = include_str!("../../docs/record-poker-chess.md");
const POKERDREZ: &str = include_str!("../../docs/record-pokerdrez.md");
const CHESS_JOKER: &str = include_str!("../../docs/record-chess-joker.md");
const CHESS_JOKER_RULES: &str = include_str!("../../docs/rules-chess-joker.md");
const RULES: &str = include_str!("../../docs/rules.md");
const POKER_CHESS_RULES: &str = include_str!("../../docs/rules-poker-chess.md");
const POKERDREZ_RULES: &str = include_str!("../../docs/rules-pokerdrez.md");

/// The code blocks of a Markdown page: for each block, the word after the opening fence (three backticks), and the
/// content of the block.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks: Vec<(&str, String)> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match (line.strip_prefix("```"), open) {
            (Some(_), true) => open = false,
            (Some(word), false) => {
                blocks.push((word, String::new()));
                open = true;
            }
            (None, true) => {
                let (_, text) = blocks.last_mut().unwrap();
                text.push_str(line);
                text.push('\n');
            }
            (None, false) => {}
        }
    }
    blocks
}

#[test]
fn the_examples_of_the_record_come_out_as_the_page_says() {
    let mut report = Value::Null;
    let (mut records, mut results) = (0, 0);
    let pages = [RECORD, POKER_CHESS, POKERDREZ, CHESS_JOKER];
    for (word, text) in pages.into_iter().flat_map(blocks) {
        match word {
            "jsonl" => {
                let mut lines = text.lines();
                let mut replay = Replay::begin(lines.next().unwrap(), GAMES).unwrap();
                for (number, line) in (2..).zip(lines) {
                    replay.feed(number, line).unwrap_or_else(|stop| panic!("{line}: {stop}"));
                }
                report = replay.report();
                records += 1;
            }
            "json" => {
                let wanted: Value = serde_json::from_str(&text).unwrap();
                for (name, value) in wanted.as_object().unwrap() {
                    assert_eq!(&report[name], value, "{name} of\n{text}");
                }
                results += 1;
            }
            other => panic!("unexpected block of `{other}`"),
        }
    }
    assert_eq!((records, results), (8, 8));
}

#[test]
fn the_page_names_every_term() {
    for term in header::term_names(GAMES) {
        assert!(RECORD.contains(&format!("`{term}`")), "docs/record.md does not name the term `{term}`");
    }
}

/// What a page says a plain term may say, and what is usual; `None` for what follows from other terms.
fn in_words(term: &TermSpec) -> (String, Option<String>) {
    let shown = |value: &Datum| match value {
        Datum::Number(number) => number.to_string(),
        Datum::Flag(flag) => format!("`{flag}`"),
        value => format!("`\"{}\"`", value.as_text().unwrap()),
    };
    let usual = term.kind.usual();
    let values = match term.kind {
        TermKind::YesNo(YesNo { usual, .. }) => shown(&Datum::Flag(!usual)),
        TermKind::Number(WholeNumber { least, most, .. }) => format!("{least} to {most}"),
        kind => kind.choices().iter().map(shown).collect::<Vec<_>>().join(" or "),
    };
    (values, usual.as_ref().map(shown))
}

#[test]
fn the_tables_of_terms_say_what_is_declared() {
    let mut seen = 0;
    for (game, page) in [("poker-chess", POKER_CHESS), ("pokerdrez", POKERDREZ), ("chess-joker", CHESS_JOKER)]
    {
        let kind = GAMES.iter().find(|kind| kind.name() == game).unwrap();
        for term in kind.terms() {
            // What is as in another game is said in a sentence.
            let Some(row) = page.lines().find(|line| line.starts_with(&format!("| `{}` | ", term.name)))
            else {
                assert!(page.contains(&format!("`{}`", term.name)), "{game} has no `{}`", term.name);
                assert!(["stacks", "dealer"].contains(&term.name), "{game} has no row for `{}`", term.name);
                continue;
            };
            if term.kind.is_plain() {
                let (values, usual) = in_words(term);
                assert!(row.starts_with(&format!("| `{}` | {values}", term.name)), "{row}: {values}");
                assert!(usual.is_none_or(|usual| row.ends_with(&format!(" | {usual} |"))), "{row}");
                seen += 1;
            }
        }
    }
    assert!(seen >= 8, "{seen}");
}

#[test]
fn the_page_names_every_input() {
    let header = r#"{"tabiya":1,"game":"choker","players":{"A":"a","B":"b"},"white":"A","terms":{"stacks":{"A":1,"B":1},"small_blind":1}}"#;
    let words = [
        "deal",
        "bet",
        "reveal",
        "place",
        "move",
        "press",
        "stands",
        "correct",
        "resign",
        "offer-draw",
        "accept-draw",
        "decline-draw",
        "claim-draw",
        "claim-flag",
        "pause",
        "resume",
        "tick",
        "next",
        "fouled",
        "rule",
        "undo",
        "redo",
        "end-match",
        "consent",
        "clock-reads",
        "sees",
        "button",
    ];
    for word in words {
        assert!(RECORD.contains(&format!("`{word}`")), "docs/record.md does not name `{word}`");
        let line = format!(r#"{{"t":0,"do":"{word}"}}"#);
        if let Err(Stop::Unusable(error)) = Replay::begin(header, GAMES).unwrap().feed(2, &line) {
            assert!(!error.to_string().contains("is no input"), "{error}");
        }
    }
}

#[test]
fn the_rules_page_names_every_printed_rule() {
    let numbers =
        "0 1 2 4 5 6 7 8a 8b 8c 8d 8e 9 10 11 12 13 14a 14b 15 16 17 18 19 20 21 22 23 24 B1 B2 B3 B4–B6 B7";
    for number in numbers.split(' ') {
        assert!(RULES.contains(&format!("\n| {number} | ")), "docs/rules.md lacks rule {number}");
    }
    for number in 1..=29 {
        let row = format!("\n| {number} | ");
        assert!(POKER_CHESS_RULES.contains(&row), "docs/rules-poker-chess.md lacks rule {number}");
    }
    for number in 1..=31 {
        let row = format!("\n| {number} | ");
        assert!(POKERDREZ_RULES.contains(&row), "docs/rules-pokerdrez.md lacks rule {number}");
    }
    for number in 1..=30 {
        let row = format!("\n| J{number} | ");
        assert!(CHESS_JOKER_RULES.contains(&row), "docs/rules-chess-joker.md lacks rule J{number}");
    }
    for ruling in 1..=16 {
        assert!(RULES.contains(&format!("\n{ruling}. **")), "docs/rules.md lacks ruling {ruling}");
    }
}

/// `docs/limits.md` names a constant and its value in each row; the code has it.
#[test]
fn the_limits_on_the_page_are_those_of_the_code() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/limits.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.ends_with("` |")).collect();
    assert!(rows.len() > 20, "{}", rows.len());
    for row in rows {
        let (_, place) = row.trim_end_matches(" |").rsplit_once(" | ").unwrap();
        let [file, stated] = place.split("`: `").collect::<Vec<_>>()[..] else { panic!("{row}") };
        let (name, value) = stated.trim_end_matches('`').split_once(" = ").unwrap();
        let code = std::fs::read_to_string(root.join(file.trim_matches('`'))).unwrap();
        let has = code
            .lines()
            .any(|line| line.contains(&format!("const {name}: ")) && line.ends_with(&format!(" = {value};")));
        assert!(has, "{row}");
    }
}

/// The repository stays small: at most 300 blessed pictures with at most 30 MB together.
#[test]
fn the_blessed_pictures_are_few_and_small() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let entries = std::fs::read_dir(folder).unwrap();
    let sizes: Vec<u64> = entries.map(|entry| entry.unwrap().metadata().unwrap().len()).collect();
    assert!((50..=300).contains(&sizes.len()), "{} pictures", sizes.len());
    let bytes: u64 = sizes.iter().sum();
    assert!(bytes <= 30_000_000, "{bytes} bytes; recompress the pictures with `optipng -o2`");
}
