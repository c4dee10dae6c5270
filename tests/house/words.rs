//! Tests of the texts that people read: every sentence of the code is in every language, and each translation contains
//! the same facts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use tabiya_engine::rules::Reason;
use tabiya_types::{Card, Color, Fact, Sentence, say};

/// The languages that have files. The English texts are in the code.
const TRANSLATED: [&str; 2] = ["es", "de"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

// ---- the code ----

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Reads the string literal at the beginning of `code`. Returns its text without escapes, and the code after it.
fn literal(code: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut letters = code.strip_prefix('"')?.chars();
    loop {
        match letters.next()? {
            '"' => return Some((text, letters.as_str())),
            '\\' => match letters.next()? {
                // The literal continues on the next line.
                '\n' => letters = letters.as_str().trim_start().chars(),
                escaped @ ('"' | '\\') => text.push(escaped),
                other => panic!("`\\{other}` in a sentence"),
            },
            letter => text.push(letter),
        }
    }
}

/// The sentences in a source file: their ids and English texts.
fn sentences(code: &str) -> Vec<(String, String)> {
    let no_comment = |line: &&str| !line.trim_start().starts_with("//");
    let code: Vec<&str> = code.lines().filter(no_comment).collect();
    let code = code.join("\n");
    let made = code.split("say!(").skip(1).filter_map(|call| {
        let (id, rest) = literal(call.trim_start())?;
        let (english, _) = literal(rest.trim_start().strip_prefix(',')?.trim_start())?;
        Some((id, english))
    });
    made.collect()
}

/// All sentences of the code by their ids. Panics if an id occurs twice.
fn code() -> BTreeMap<String, String> {
    let mut paths = Vec::new();
    sources(&root(), &mut paths);
    let mut all = BTreeMap::new();
    for path in paths {
        for (id, english) in sentences(&fs::read_to_string(&path).unwrap()) {
            let again = all.insert(id.clone(), english);
            assert_eq!(again, None, "{}: `{id}` occurs elsewhere too", path.display());
        }
    }
    all
}

/// Converts a sentence to Fluent's syntax: `a {piece} of {by}` becomes `a { $piece } of { $by }`.
fn fluent(english: &str) -> String {
    english.replace('{', "{ $").replace('}', " }")
}

// ---- the files ----

/// The messages in the file of a language. The singular and the plural of a message stand on lines of their own, which
/// are indented.
fn messages(language: &str) -> BTreeMap<String, String> {
    let path = root().join("text").join(language).join("sentences.ftl");
    let (mut all, mut last) = (BTreeMap::new(), None);
    for line in fs::read_to_string(&path).unwrap().lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let (Some(id), true) = (&last, line.starts_with(' ')) {
            let text: &mut String = all.get_mut(id).unwrap();
            text.push_str(line);
            continue;
        }
        let (id, text) = line.split_once(" = ").unwrap_or_else(|| panic!("{language}: {line}"));
        let again = all.insert(id.to_owned(), text.to_owned());
        assert_eq!(again, None, "{language}: `{id}` occurs twice");
        last = Some(id.to_owned());
    }
    all
}

/// The names of the variables in a message: each name stands after `{ $`, and before ` }` or before ` ->` and the forms
/// for its numbers.
fn variables(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).map(|hole| hole.split(['}', '-']).next().unwrap().trim()).collect()
}

#[test]
fn every_language_has_the_sentences_of_the_code_with_the_same_facts() {
    let english = code();
    assert!(english.len() > 250, "too few sentences found: {}", english.len());
    for language in TRANSLATED {
        let own = messages(language);
        let missing: Vec<_> = english.keys().filter(|id| !own.contains_key(*id)).collect();
        let unused: Vec<_> = own.keys().filter(|id| !english.contains_key(*id)).collect();
        assert!(
            missing.is_empty() && unused.is_empty(),
            "{language}: missing {missing:?}, unused {unused:?}"
        );
        for (id, text) in &own {
            assert_eq!(variables(text), variables(&fluent(&english[id])), "{language}: {id}");
        }
    }
}

/// The hole with the player whom a text addresses: `{by}: make a move`.
fn addressee(text: &str) -> Option<&str> {
    let (hole, _) = text.strip_prefix('{')?.split_once("}: ")?;
    Some(hole.trim().trim_start_matches('$'))
}

#[test]
fn a_player_who_is_addressed_stands_first_in_every_language() {
    let (english, mut addressed) = (code(), 0);
    for language in TRANSLATED {
        for (id, text) in messages(language) {
            if let Some(player @ ("by" | "dealer")) = addressee(&english[&id]) {
                assert_eq!(addressee(&text), Some(player), "{language}: {id}");
                addressed += 1;
            }
        }
    }
    assert!(addressed > 30, "too few found: {addressed}");
}

#[test]
fn ids_and_texts_are_of_the_form_that_fluent_reads() {
    let english = code().into_iter().map(|(id, english)| (id, fluent(&english))).collect();
    let files = TRANSLATED.map(|language| (language, messages(language)));
    for (language, all) in files.into_iter().chain([("en", english)]) {
        for (id, text) in all {
            let plain =
                |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
            assert!(
                id.starts_with(|first: char| first.is_ascii_lowercase()) && id.chars().all(plain),
                "{id}"
            );
            assert_eq!(text.trim(), text, "{language}: {id}");
            for variable in variables(&text) {
                let name = variable.strip_prefix('$').unwrap_or_else(|| panic!("{language}: {id}"));
                let letters = |letter: char| letter.is_ascii_lowercase() || letter == '_';
                assert!(!name.is_empty() && name.chars().all(letters), "{language}: {id}: {name}");
            }
            assert_eq!(text.matches('{').count(), text.matches(" }").count(), "{language}: {id}");
        }
    }
}

#[test]
fn the_reader_of_sources_reads_every_sentence() {
    let code = "say!(\"a\", \"one {by}\", by) + say!(\n    \"b\",\n    \"two \\\"words\\\" \\\n     on\",\n)\n// say!(\"c\", \"no\")";
    let read = [("a", "one {by}"), ("b", "two \"words\" on")].map(|(id, text)| (id.into(), text.into()));
    assert_eq!(sentences(code), read);
}

// ---- the values ----

#[test]
fn a_sentence_says_its_facts_in_english() {
    let by = Color::White;
    let inner = say!("test-inner", "{by} said \"{word}\"", by, word = "so\u{1b}\n".to_owned());
    let outer = say!("test-outer", "{count} times: {inner}, {inner}", count = 2_u32, inner);
    assert_eq!(
        outer.to_string(),
        "2 times: White said \"so\u{1b}\n\", White said \"so\u{1b}\n\"",
        "free text is unchanged"
    );
    assert_eq!(outer.clone().harmless().to_string(), "2 times: White said \"so  \", White said \"so  \"");
    assert_eq!((outer.id(), outer.facts().len()), ("test-outer", 2));
    assert_eq!(outer.facts()[0], ("count", Fact::Number(2)));
}

#[test]
fn a_sentence_calls_the_player_whom_it_addresses_by_name() {
    let (by, other) = (Color::White, Color::Black);
    let inner = say!("test-addressed", "{by}: wait for {other}", by, other);
    let outer = say!("test-around", "{inner} ({other} presses)", inner, other);
    let named = outer.addressed(&|color| if color == by { "Ann".to_owned() } else { "Bo".to_owned() });
    assert_eq!(named.to_string(), "Ann: wait for Black (Black presses)");
}

#[test]
fn several_facts_are_joined_as_people_join_them() {
    let cards = [Card::Queen, Card::Rook, Card::Pawn];
    let words = |fact: Fact| fact.to_string();
    assert_eq!(words(Fact::list(cards)), "queen, rook, pawn");
    assert_eq!(words(Fact::either(cards)), "queen, rook or pawn");
    assert_eq!(words(Fact::either([Card::Queen])), "queen");
    assert_eq!(words(Fact::alternatives(cards)), "queen, or rook, or pawn");
    assert_eq!(words(Fact::all(cards)), "queen and rook and pawn");
    assert_eq!(words(Fact::all(Vec::<Sentence>::new())), "");
}

#[test]
fn a_reason_reads_like_the_record_s_word() {
    use Reason as R;
    for reason in [
        R::Fold,
        R::Checkmate,
        R::Timeout,
        R::Resignation,
        R::Stalemate,
        R::Repetition,
        R::FivefoldRepetition,
        R::InsufficientMaterial,
        R::TimeoutVsInsufficientMaterial,
        R::FiftyMoves,
        R::SeventyFiveMoves,
        R::Agreement,
        R::Ruling,
        R::FalseDeclaration,
        R::FouledDeck,
    ] {
        assert_eq!(reason.sentence().to_string(), reason.word().replace('-', " "));
        assert_eq!(reason.sentence().id(), format!("reason-{}", reason.word()));
    }
}
