//! Compares the three languages with each other, and the English texts with the sentences of the table.

use std::collections::{BTreeMap, BTreeSet};

use tabiya_engine::record::{Header, Replay};
use tabiya_engine::rules::GAMES;

use super::*;

/// The names of the holes in a text.
fn holes(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for part in text.split('{').skip(1) {
        if let Some(name) = part.trim_start().strip_prefix('$') {
            found.insert(
                name.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect(),
            );
        }
    }
    found
}

/// The texts of a Fluent file by their ids.
fn texts(file: &str) -> BTreeMap<String, String> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut last = None;
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(" = ").or_else(|| line.split_once(" =")) {
            Some((name, text)) if !line.starts_with(' ') => {
                assert!(texts.insert(name.to_owned(), text.to_owned()).is_none(), "`{name}` stands twice");
                last = Some(name.to_owned());
            }
            _ => {
                if let Some(text) = last.as_ref().and_then(|last| texts.get_mut(last)) {
                    text.push_str(line);
                }
            }
        }
    }
    texts
}

#[test]
fn every_language_has_the_same_texts_with_the_same_holes() {
    let same = |language: Language, english: &str, own: &str| {
        let (english, own) = (texts(english), texts(own));
        for (name, text) in &english {
            let translated = own.get(name).unwrap_or_else(|| panic!("{language:?} lacks `{name}`"));
            assert_eq!(holes(translated), holes(text), "{language:?}: `{name}`");
        }
        let more: Vec<_> = own.keys().filter(|name| !english.contains_key(*name)).collect();
        assert!(more.is_empty(), "{language:?} has texts that the other lacks: {more:?}");
    };
    let german = sentences(Language::German).expect("a file");
    for language in Language::ALL {
        same(language, screens(Language::English), screens(language));
        same(language, german, sentences(language).unwrap_or(german));
    }
}

#[test]
fn every_file_is_read_without_a_remark() {
    for language in Language::ALL {
        for text in std::iter::once(screens(language)).chain(sentences(language)) {
            let read = FluentResource::try_new(text.to_owned());
            assert!(read.is_ok(), "{language:?}: {:?}", read.err().map(|(_, errors)| errors));
        }
    }
}

#[test]
fn a_text_that_is_not_translated_is_the_same_on_purpose() {
    let english = texts(screens(Language::English));
    for language in [Language::Spanish, Language::German] {
        let own = texts(screens(language));
        // What consists of facts alone has nothing to translate.
        let has_words =
            |text: &str| text.split(['{', '}']).step_by(2).any(|part| part.contains(char::is_alphabetic));
        let same = english.iter().filter(|(_, text)| text.len() > 12 && has_words(text));
        let same = same.filter(|(name, text)| own.get(*name) == Some(*text));
        let same: Vec<_> = same.map(|(name, _)| name).collect();
        assert!(same.len() <= 6, "{language:?} has English texts: {same:?}");
    }
}

/// All sentences that the table produces in a short match of Choker.
fn match_sentences() -> Vec<Sentence> {
    let header = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":20,"B":20},"small_blind":1,"time":"120"}}"#;
    let mut replay = Replay::new(Header::parse(header, GAMES).expect("a header"));
    let lines = [
        r#"{"t":0,"do":"deal"}"#,
        r#"{"t":1,"do":"bet","by":"white","action":"raise","to":3}"#,
        r#"{"t":1,"do":"bet","by":"white","action":"raise","to":4}"#,
        r#"{"t":2,"do":"bet","by":"black","action":"call"}"#,
        r#"{"t":3,"do":"deal"}"#,
        r#"{"t":4,"do":"bet","by":"black","action":"check"}"#,
        r#"{"t":5,"do":"bet","by":"white","action":"check"}"#,
        r#"{"t":6,"do":"deal"}"#,
        r#"{"t":7,"do":"bet","by":"white","action":"check"}"#,
        r#"{"t":8,"do":"bet","by":"black","action":"check"}"#,
        r#"{"t":9,"do":"reveal","by":"white","card":"B"}"#,
        r#"{"t":10,"do":"place","by":"white","piece":"B","at":"c5"}"#,
        r#"{"t":10,"do":"place","by":"white","piece":"B","at":"c1"}"#,
        r#"{"t":11,"do":"press","by":"white"}"#,
    ];
    let mut all = replay.table().agreement().sheet();
    for (line, number) in lines.iter().zip(2..) {
        if let Err(tabiya_engine::record::Stop::Refused(violation)) = replay.feed(number, line) {
            all.push(violation.sentence());
        }
        all.extend(replay.table().prompts().into_iter().map(|prompt| prompt.text));
    }
    all
}

#[test]
fn what_the_table_says_is_said_in_every_language() {
    let all = match_sentences();
    assert!(all.len() > 30, "{}", all.len());
    let english = Words::of(Language::English);
    for language in [Language::Spanish, Language::German] {
        let words = Words::of(language);
        for sentence in &all {
            let own = words.sentence(sentence);
            assert!(!own.contains("{$"), "{own}");
            assert_ne!(own, sentence.to_string(), "{language:?}: {}", sentence.id());
        }
    }
    for sentence in &all {
        assert_eq!(english.sentence(sentence), sentence.to_string());
    }
}

/// The sentence with which the last of these lines is refused, in German and in Spanish.
fn refused(header: &str, lines: &[&str]) -> [String; 2] {
    let mut replay = Replay::new(Header::parse(header, GAMES).expect("a header"));
    let mut last = None;
    for (line, number) in lines.iter().zip(2..) {
        last = replay.feed(number, line).err();
    }
    let Some(tabiya_engine::record::Stop::Refused(violation)) = last else { panic!("nothing was refused") };
    [Language::German, Language::Spanish].map(|language| Words::of(language).said(&violation.sentence()))
}

#[test]
fn one_chip_and_one_time_are_told_in_the_singular() {
    let choker = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":20,"B":20},"small_blind":1}}"#;
    let deal = r#"{"t":0,"do":"deal"}"#;
    let check = |by: &str| format!(r#"{{"t":2,"do":"bet","by":"{by}","action":"check"}}"#);
    let [german, spanish] = refused(choker, &[deal, &check("white")]);
    assert!(german.starts_with("es ist 1 mitzugehen, daher ist Schieben nicht möglich"), "{german}");
    assert!(spanish.starts_with("hay que igualar una apuesta de 1, así que no se puede pasar"), "{spanish}");
    let raise = r#"{"t":1,"do":"bet","by":"white","action":"raise","to":5}"#;
    let [german, _] = refused(choker, &[deal, raise, &check("black")]);
    assert!(german.starts_with("es sind 3 mitzugehen, "), "{german}");

    let chess = r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A"}"#;
    let claim = r#"{"t":0,"do":"claim-draw","by":"white"}"#;
    let [german, spanish] = refused(chess, &[claim]);
    assert!(german.contains("die Reklamation ist unberechtigt: die Stellung stand 1-mal"), "{german}");
    assert!(spanish.contains("la posición se ha dado 1 vez y van 0 movimientos sin captura"), "{spanish}");
    let claim = r#"{"t":3,"do":"claim-draw","by":"white"}"#;
    let [german, spanish] = refused(choker, &[deal, claim]);
    assert!(german.starts_with("jetzt nicht möglich: Remis reklamieren; "), "{german}");
    assert!(spanish.starts_with("reclamar tablas no es posible ahora: "), "{spanish}");
}

#[test]
fn moves_have_the_letters_of_the_language() {
    let german = Words::of(Language::German);
    let spanish = Words::of(Language::Spanish);
    assert_eq!(german.san("Nbd7"), "Sbd7");
    assert_eq!(german.san("Qxe8=R+"), "Dxe8=T+");
    assert_eq!(spanish.san("O-O"), "O-O");
    assert_eq!(spanish.san("Bxb5"), "Axb5");
}
