//! Every message of the contract's page is read, and written again as it stands there.

use proptest::prelude::*;

use super::*;

/// The messages in the examples of the contract's page: lines that begin with `{"m":`.
fn examples() -> Vec<String> {
    let page = include_str!("../../../docs/hall.md");
    let lines = page.lines().map(str::trim).filter(|line| line.starts_with(r#"{"m":"#));
    lines.map(str::to_owned).collect()
}

#[test]
fn every_example_of_the_page_is_read_and_written_as_it_stands() {
    let mut names = Vec::new();
    for example in examples() {
        let read = match (FromTable::read(&example), FromConsole::read(&example)) {
            (Ok(Some(message)), Ok(None)) => message.to_text(),
            (Ok(None), Ok(Some(message))) => message.to_text(),
            other => panic!("{example}: {other:?}"),
        };
        assert_eq!(read, example);
        let value: Value = serde_json::from_str(&example).expect("JSON");
        names.push(value["m"].as_str().unwrap_or_default().to_owned());
    }
    names.sort();
    names.dedup();
    let all = [
        "did", "head", "hello", "here", "kept", "line", "order", "refused", "staff", "state", "take",
        "welcome",
    ];
    assert_eq!(names, all);
}

#[test]
fn what_nobody_knows_is_passed_over_and_what_is_wrong_is_told() {
    assert_eq!(FromTable::read(r#"{"m":"later","x":1}"#), Ok(None));
    assert_eq!(FromConsole::read(r#"{"n":1}"#), Ok(None));
    let kept = r#"{"m":"kept","match":"r1-17","seq":4,"later":[1]}"#;
    assert_eq!(FromConsole::read(kept), Ok(Some(FromConsole::Kept { uid: "r1-17".to_owned(), seq: 4 })));
    for (wrong, told) in [
        (r#"{"m":"kept","match":"r1-17"}"#, "`seq` is missing"),
        (r#"{"m":"kept","match":"r1-17","seq":4.5}"#, "`seq` is no whole number from 0 to 4294967295"),
        (r#"{"m":"kept","match":"","seq":4}"#, "`match` is empty"),
        (r#"{"m":"kept","m":"here"}"#, "`message` is not JSON"),
        ("[]", "`message` is no object"),
        (r#"{"m":"order","id":7}"#, "`id` is missing or no text"),
    ] {
        let fault = FromConsole::read(wrong).expect_err(wrong).to_string();
        assert!(fault.starts_with(told), "{wrong}: {fault}");
    }
    let deep = format!(r#"{{"m":"later","x":{}{}}}"#, "[".repeat(63), "]".repeat(63));
    assert_eq!(FromTable::read(&deep), Ok(None));
    let deeper = format!(r#"{{"m":"later","x":{}{}}}"#, "[".repeat(64), "]".repeat(64));
    assert!(FromTable::read(&deeper).is_err());
}

proptest! {
    #[test]
    fn any_text_is_read_or_told(text in ".{0,200}") {
        crate::laws::message_law(text.as_bytes());
        crate::laws::list_law(text.as_bytes());
    }

    #[test]
    fn a_changed_example_is_read_passed_over_or_told(nth in 0_usize..20, at in 0_usize..400, letter in any::<char>()) {
        let examples = examples();
        let mut letters: Vec<char> = examples[nth % examples.len()].chars().collect();
        let at = at % letters.len();
        letters[at] = letter;
        let text: String = letters.into_iter().collect();
        crate::laws::message_law(text.as_bytes());
    }
}
