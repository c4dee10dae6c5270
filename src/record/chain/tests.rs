#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop at the first surprise")]

use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A source of salts that gives the same salts in every run.
fn counted() -> impl FnMut() -> [u8; SALT_BYTES] {
    let mut next = 0_u8;
    move || {
        next += 1;
        [next; SALT_BYTES]
    }
}

fn evening() -> Vec<Value> {
    let mut salts = counted();
    let lines = [
        json!({"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A",
            "terms":{"stacks":{"A":100,"B":100},"small_blind":1,"time":"120"}}),
        json!({"t":0,"do":"deal","cards":{"white":["Q","P"],"black":["?","R"]}}),
        json!({"t":4000,"do":"bet","by":"white","action":"raise","to":6}),
        json!({"t":5000,"do":"bet","by":"black","action":"call"}),
        json!({"t":6000,"do":"deal","cards":{"black":["N","P"]}}),
        json!({"t":9000,"do":"bet","by":"black","action":"check","x-note":"sé"}),
    ];
    lines.into_iter().map(|line| seal(line, &mut salts)).collect()
}

/// The lines as an export writes them, and the head hash after the last line.
fn export(lines: &[Value]) -> (Vec<String>, Head) {
    let mut head = Head::of_header(&lines[0]);
    let mut out = vec![with_hash(lines[0].clone(), head).to_string()];
    for line in &lines[1..] {
        head = head.then(line);
        out.push(with_hash(line.clone(), head).to_string());
    }
    (out, head)
}

fn check(lines: &[String], head: Option<&str>) -> Result<Verified, Broken> {
    verify(lines.iter().enumerate().map(|(nth, line)| (nth + 1, line.as_str())), head)
}

fn said(lines: &[String], head: Option<&str>) -> String {
    let broken = check(lines, head).unwrap_err();
    let cause = std::error::Error::source(&broken).map(|cause| format!(": {cause}"));
    format!("{broken}{}", cause.unwrap_or_default())
}

#[test]
fn a_whole_record_verifies() {
    let (lines, head) = export(&evening());
    let found = check(&lines, Some(&head.to_string())).unwrap();
    assert_eq!(found, Verified { head, entries: 5, marked: 6, sealed: 0, opened: 5 });
    assert_eq!(check(&lines, Some(&head.short().to_uppercase())), Ok(found));
}

#[test]
fn blank_lines_and_crlf_change_nothing() {
    let (lines, head) = export(&evening());
    let loose: Vec<String> = lines.iter().flat_map(|line| [format!("{line}\r"), String::new()]).collect();
    assert_eq!(check(&loose, None).unwrap().head, head);
}

#[test]
fn a_record_without_hashes_has_the_same_head() {
    let plain: Vec<String> = evening().iter().map(Value::to_string).collect();
    let found = check(&plain, None).unwrap();
    assert_eq!((found.head, found.marked), (export(&evening()).1, 0));
}

#[test]
fn the_canonical_text_does_not_depend_on_who_wrote_it() {
    let one =
        json::parse(r#"{"t":1,"x-a":{"b":1,"a":[1.0,10e1,0.5e-7,1e21,123456.75,-0,18446744073709551615]}}"#);
    let other = r#" { "x-a" : {"a":[1,100,5e-8,1000000000000000000000,1.2345675e5,0.0,18446744073709551615],"b":1.0},"t":1 }"#;
    let text = r#"{"t":1,"x-a":{"a":[1,100,5e-8,1e+21,123456.75,0,18446744073709551615],"b":1}}"#;
    assert_eq!(canonical(&one.unwrap()), text);
    assert_eq!(canonical(&json::parse(other).unwrap()), text);
    // Keys are sorted by UTF-16 units, not by UTF-8 bytes; strings have the escapes of RFC 8785.
    let keys = json!({"\u{ff61}": 1, "\u{1f600}": "\u{8}\u{1f}\u{7f}\"/\\é", "a": 0.000_001});
    let text = "{\"a\":0.000001,\"\u{1f600}\":\"\\b\\u001f\u{7f}\\\"/\\\\é\",\"\u{ff61}\":1}";
    assert_eq!(canonical(&keys), text);
}

#[test]
fn the_first_line_that_does_not_fit_is_told() {
    let (mut lines, _) = export(&evening());
    lines[3] = lines[3].replace("call", "fold");
    assert_eq!(said(&lines, None), "line 4 was changed, or a line before it was removed or added");
    for unmarked in &mut lines[2..4] {
        let at = unmarked.find(",\"x-hash\"").unwrap();
        unmarked.replace_range(at..unmarked.len() - 1, "");
    }
    assert_eq!(
        said(&lines, None),
        "after line 2, up to and including line 5, a line was changed, removed or added"
    );
}

#[test]
fn a_head_tells_a_record_that_was_cut_or_went_on() {
    let (lines, head) = export(&evening());
    let digits = head.to_string();
    assert_eq!(
        said(&lines[..5], Some(&digits[..8])),
        format!(
            "the head of this record is {}, not {}: lines at its end are missing, or this is another record",
            export(&evening()[..5]).1.short(),
            &digits[..8]
        )
    );
    let earlier = export(&evening()[..3]).1.short();
    assert_eq!(
        said(&lines, Some(&earlier)),
        format!("the record had the head {earlier} after line 3; the lines after that were added later")
    );
    assert_eq!(
        said(&lines, Some("1234 567")),
        "`1234 567` is not the head of a record: copy at least 8 of its digits 0-9 and a-f"
    );
    assert_eq!(said(&[], None), "the record is empty");
}

#[test]
fn lines_that_are_no_lines_are_told() {
    assert_eq!(
        said(&["{}".into(), "{\"t\":".into()], None),
        "line 2 cannot be read: column 5: EOF while parsing a value"
    );
    assert_eq!(said(&["{}".into(), "7".into()], None), "line 2 is not a JSON object");
}

#[test]
fn a_shown_card_keeps_its_salt_and_a_hidden_one_loses_it() {
    let deal = &evening()[1];
    let shown = ShownCards { white: [1].into(), ..ShownCards::default() };
    let hidden = redact(deal, &shown);
    assert_eq!(hidden["cards"], json!({"white":["?","P"],"black":["?","?"]}));
    assert_eq!(hidden["x-salts"], json!({"white":["?","02".repeat(16)],"black":["","?"]}));
    assert_eq!(hidden["x-seals"], deal["x-seals"]);
    assert_eq!(public_form(&hidden), public_form(deal));
    assert_eq!(check_seals(&hidden), Ok(Seals { sealed: 2, opened: 1 }));
}

#[test]
fn an_unsealed_card_is_hidden_all_the_same() {
    let bare = json!({"t":0,"do":"deal","cards":{"white":["Q"],"green":["R"],"x":"N"},"x-salts":"ab"});
    let hidden = redact(&bare, &ShownCards::default());
    assert_eq!(hidden["cards"], json!({"white":["?"],"green":["?"],"x":"?"}));
    assert_eq!(hidden.get("x-salts"), None);
}

#[test]
fn a_card_that_was_not_sealed_stands_in_the_chain_itself() {
    let card = |face| public_form(&json!({"t":0,"do":"deal","cards":{"white":[face]}}));
    assert_ne!(card("Q"), card("R"));
}

#[test]
fn sealing_twice_changes_nothing() {
    let once = evening();
    let twice: Vec<Value> = once.iter().map(|line| seal(line.clone(), &mut || [99; 16])).collect();
    assert_eq!(once, twice);
}

type Change<'a> = (&'a dyn Fn(&mut Value), &'a str);

#[test]
fn cards_that_do_not_fit_their_seals_are_told() {
    let told = |change: &dyn Fn(&mut Value)| {
        let mut lines = evening();
        change(&mut lines[1]);
        said(&export(&lines).0, None)
    };
    let open = "the cards of line 2 do not fit their seals: ";
    let changes: [Change<'_>; 9] = [
        (&|line| line["cards"]["white"][0] = "R".into(), "white's card 1 is not the card that was sealed"),
        (&|line| line["x-salts"]["black"][1] = "AB".into(), "black's card 2 is not the card that was sealed"),
        (
            &|line| line["x-salts"]["white"][0] = "?".into(),
            "white's card 1 is shown, but the salt that proves its face is missing",
        ),
        (&|line| line["cards"]["white"][1] = "?".into(), "white's card 2 is hidden, but its salt is shown"),
        (&|line| line["x-salts"]["black"][0] = "aa".into(), "there is a salt for a card that was not sealed"),
        (&|line| line["x-salts"]["note"] = json!([]), "there is a salt for a card that was not sealed"),
        (
            &|line| line["x-seals"]["white"] = json!(["?"]),
            "the list of seals does not fit the list of cards, or a seal is malformed",
        ),
        (
            &|line| line["x-seals"]["white"][0] = "?".into(),
            "the list of seals does not fit the list of cards, or a seal is malformed",
        ),
        (&|line| line["do"] = "tick".into(), "there is a salt for a card that was not sealed"),
    ];
    for (change, what) in changes {
        assert_eq!(told(change), format!("{open}{what}"));
    }
}

/// Changes the lines of a record. `what` chooses one of five changes: remove a line, swap two lines, copy a line,
/// insert a `tick` line, or change one letter or digit of a line.
fn tamper(lines: &mut Vec<String>, what: u8, at: usize, other: usize, byte: usize) {
    let (at, other) = (at % lines.len(), other % lines.len());
    match what {
        0 => drop(lines.remove(at)),
        1 => lines.swap(at, other),
        2 => lines.insert(at, lines[other].clone()),
        3 => lines.insert(at, r#"{"t":0,"do":"tick"}"#.to_owned()),
        _ => {
            let line = &mut lines[at];
            let digits: Vec<usize> =
                line.match_indices(|sign: char| sign.is_ascii_alphanumeric()).map(|(at, _)| at).collect();
            let at = digits[byte % digits.len()];
            let new = if line.as_bytes()[at] == b'7' { "8" } else { "7" };
            line.replace_range(at..=at, new);
        }
    }
}

/// Another program computed the lines and hashes in `docs/record-chain.md`. This program must compute the same
/// ones.
#[test]
fn the_example_on_the_page_is_right() {
    let page = include_str!("../../../docs/record-chain.md");
    let example = page.split("\n## ").find(|part| part.starts_with("5. ")).unwrap();
    let code: Vec<&str> = example.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    let [open, steps, hidden] = [&code[..3], &code[3..9], &code[9..]];
    let texts = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let head = steps[5];
    let found = check(&texts(open), Some(head)).unwrap();
    assert_eq!((found.entries, found.marked, found.opened, found.sealed), (2, 3, 4, 0));
    let found = check(&texts(hidden), Some(head)).unwrap();
    assert_eq!((found.entries, found.marked, found.opened, found.sealed), (2, 3, 1, 3));
    for (line, step) in open.iter().zip(steps.chunks(2)) {
        let line = json::parse(line).unwrap();
        assert_eq!((public_form(&line).as_str(), line["x-hash"].as_str()), (step[0], Some(step[1])));
    }
    let first = json::parse(open[1]).unwrap()["x-seals"]["white"][0].as_str().unwrap().to_owned();
    assert_eq!(first, commitment(&[0x11; SALT_BYTES], "Q"));
    assert!(example.contains(&first) && example.contains(&found.head.short()));
    let shown = ShownCards { white: [1].into(), ..ShownCards::default() };
    assert_eq!(redact(&json::parse(open[1]).unwrap(), &shown).to_string(), hidden[1]);
}

proptest! {
    /// Every change of the lines is detected if the lines are checked against the head from the match sheet.
    #[test]
    fn whatever_is_done_to_the_lines_is_noticed(what in 0_u8..5, at: usize, other: usize, byte: usize) {
        let (lines, head) = export(&evening());
        let mut changed = lines.clone();
        tamper(&mut changed, what, at, other, byte);
        let same = |a: &[String], b: &[String]| {
            // The check need not detect a change of a field that the chain of hashes does not cover. Such fields are
            // not part of the record.
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| {
                public_form(&json::parse(a).unwrap()) == json::parse(b).map_or_else(|_| String::new(), |b| public_form(&b))
            })
        };
        prop_assume!(changed != lines);
        match check(&changed, Some(&head.to_string())) {
            Err(_) => {}
            Ok(found) => prop_assert!(same(&lines, &changed) && found.marked + found.opened < 11, "{changed:?}"),
        }
        // Without the head, the removal of the last line is not detected. Every other removal, swap or copy of
        // a line is detected.
        if what < 3 && check(&changed, None).is_ok() {
            prop_assert_eq!(&changed[..], &lines[..lines.len() - 1]);
        }
    }

    #[test]
    fn hiding_cards_keeps_the_head(shown in proptest::collection::vec((any::<bool>(), 0_usize..2), 0..6)) {
        let mut cards = ShownCards::default();
        for (white, nth) in shown {
            if white { cards.white.insert(nth) } else { cards.black.insert(nth) };
        }
        let hidden: Vec<Value> = evening().iter().map(|line| redact(line, &cards)).collect();
        let (lines, head) = export(&evening());
        let (hidden, same) = export(&hidden);
        prop_assert_eq!(head, same);
        let found = check(&hidden, Some(&head.short())).unwrap();
        prop_assert_eq!(found.sealed + found.opened, check(&lines, None).unwrap().opened);
    }

    #[test]
    fn a_float_has_one_canonical_text(bits: u64) {
        let float = f64::from_bits(bits);
        prop_assume!(float.is_finite());
        let text = canonical(&json!(float));
        let again = json::parse(&text).unwrap();
        prop_assert_eq!(canonical(&again), text);
        prop_assert!(again.as_f64() == Some(float));
    }
}
