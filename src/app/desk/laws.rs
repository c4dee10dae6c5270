//! A property that must hold for any typed lines. Ordinary tests and the fuzz target `words` call the same function.
//! It panics with the differing values if the property is violated.
//!
//! Source: `docs/record.md`, "How lines act".
#![expect(clippy::missing_panics_doc, reason = "panicking is what a law is for")]

use tabiya_engine::record::{Header, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_text::{Language, Words};
use tabiya_types::{Instant, Seat, Sentence};

use super::{Desk, Environment, News, SingleTable, Wish};
use crate::session::Session;
use crate::words::in_record;

/// The matches at which lines are typed; the first byte chooses one.
const HEADERS: [&str; 4] = [
    r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":100,"B":80},"small_blind":1,"time":"120"}}"#,
    r#"{"tabiya":1,"game":"choker","players":{"A":"white","B":"deal"},"white":"B","terms":{"stacks":{"A":100,"B":80},"small_blind":1,"time":"120","voice":"event","bet_ms":20000}}"#,
    r#"{"tabiya":1,"game":"chess","players":{"A":"Ann Lee","B":"Ann"},"white":"A","terms":{"time":"180+2"}}"#,
    r#"{"tabiya":1,"game":"clock","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"40/60+1:30"}}"#,
];
/// How many lines are typed at most, each of them half a second after the one before.
const LINES: usize = 200;
const BETWEEN: u64 = 500;

/// Types the lines of a text at a table. Nothing panics, every answer says something in every language, and the record
/// that follows is accepted by a replay with the same results.
pub fn typed_law(bytes: &[u8]) {
    let (choice, text) = bytes.split_first().map_or((0, bytes), |(first, rest)| (usize::from(*first), rest));
    let Some(header) = HEADERS.get(choice % HEADERS.len()) else { return };
    let header = Header::parse(header, GAMES).expect("these headers are whole");
    let language = Language::ALL.get(choice / HEADERS.len() % Language::ALL.len()).copied();
    let words = Words::of(language.unwrap_or_default());
    let session = Session::new(header.clone(), None, None);
    let seated = SingleTable::unrecorded(session);
    let mut desk = Desk::for_table(nowhere(), seated);
    let text = String::from_utf8_lossy(text);
    for (line, nth) in text.lines().take(LINES).zip(1..) {
        let now = Instant::from_millis(nth * BETWEEN);
        desk.time(now);
        desk.wish(Wish::Typed(in_record(line, &words)), now);
        for news in desk.take_news() {
            each_sentence(&news, |sentence| {
                assert!(!words.said(sentence).trim().is_empty(), "{line:?}: {news:?}");
            });
        }
    }
    let Some(sitting) = &desk.table.sitting else { return };
    let mut again = Replay::new(header);
    for (line, number) in sitting.session.lines().iter().zip(2..) {
        again.feed(number, &line.to_string()).unwrap_or_else(|stop| panic!("line {number}, {line}: {stop}"));
    }
    assert_eq!(again.report(), sitting.session.replay().report(), "the record says what the table says");
}

fn each_sentence(news: &News, mut check: impl FnMut(&Sentence)) {
    match news {
        News::Said(said) | News::Refused(said) => check(&said.text),
        News::Answer(lines) => lines.iter().for_each(check),
        News::Failed(sentence) | News::Next(sentence) => check(sentence),
        News::Show(_) => {}
    }
}

/// Surroundings without files, dates and chance.
fn nowhere() -> Environment {
    Environment {
        date: Box::new(|| Ok(String::new())),
        coin: Box::new(|| Ok(Seat::A)),
        chance: Box::new(|_| Err("there is no chance here".to_owned())),
        evenings: "/nowhere".into(),
        settings: "/nowhere".into(),
        documents: None,
        home: None,
        locale: String::new(),
        features: &[],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Words and pieces of words that people type.
    const SAID: [&str; 48] = [
        "deal", "call", "check", "fold", "raise", "bet", "pot", "half pot", "all in", "8", "+4", "to", "by",
        "yes", "no", "1", "2", "undo", "redo", "ruling", "rule", "stacks", "Ann", "Bo", "white", "black",
        "winner", "draw", "claim", "flag", "press", "", "pause", "resume", "Q", "d1", "Ra8", "e4", "e5",
        "as", "R", "correct", "next", "becket", "end", "count", "added", "resign",
    ];

    proptest! {
        #[test]
        fn whatever_is_typed_makes_a_record_that_can_be_replayed(
            choice in any::<u8>(),
            lines in proptest::collection::vec(
                proptest::collection::vec(proptest::sample::select(&SAID[..]), 1..5), 0..40),
        ) {
            let lines: Vec<String> = lines.into_iter().map(|words| words.join(" ")).collect();
            let mut bytes = vec![choice];
            bytes.extend(lines.join("\n").bytes());
            typed_law(&bytes);
        }
    }
}
