use super::*;

#[test]
fn what_people_say_becomes_the_records_text() {
    let cases = [
        ("5+3", "300+3"),
        ("5", "300"),
        ("90 plus 30", "5400+30"),
        ("90 min + 30 s", "5400+30"),
        ("90'+30''", "5400+30"),
        ("1 hour and 30 seconds", "3600+30"),
        ("G/60;d5", "3600d5"),
        ("g/90 +30", "5400+30"),
        ("25 delay 5", "1500d5"),
        ("15|10", "900+10"),
        ("1 h 30 min", "5400"),
        ("1h30", "5400"),
        ("1 hour 30 minutes plus 30 seconds", "5400+30"),
        ("1 min 30 s", "90"),
        ("15 Minuten", "900"),
        ("90 minutos más 30 segundos", "5400+30"),
        ("G/90; +30", "5400+30"),
        ("Blitz", "180+2"),
        ("standard", "40/5400+30:1800+30"),
        ("180s+2", "180+2"),
        ("300+3", "300+3"),
        ("40/5400+30:1800+30", "40/5400+30:1800+30"),
        ("600:5x30", "600:5x30"),
        ("10:5x30", "600:5x30"),
        ("40/90+30", "40/5400+30"),
        ("40/90+30 then 30+30", "40/5400+30:1800+30"),
        ("40/2 h, 1 h, 15 min + 30 s", "40/7200:3600:900+30"),
        ("2:30:00", "9000"),
        ("1:00:00+30", "3600+30"),
        (" 0:45:00 plus 10 s ", "2700+10"),
        ("40/1:30:00+30, 0:30:00+30", "40/5400+30:1800+30"),
        ("5:10:75", "300:600:4500"),
        ("=30", "=30"),
        ("*60", "*60"),
        ("^", "^"),
        ("-", "-"),
    ];
    for (text, wanted) in cases {
        assert_eq!(parse_spoken(text).map(|control| control.to_string()), Ok(wanted.to_owned()), "{text}");
    }
    for text in ["300", "90", "7200", "300+3", "0+30", "300d5", "95b2", "40/5400+30:1800+30", "*60", "-", "^"]
    {
        let control: TimeControl = text.parse().expect("a control");
        assert_eq!(parse_spoken(&to_spoken(&control)), Ok(control.clone()), "{text}");
    }
    assert_eq!(to_spoken(&"900+10".parse().expect("a control")), "15 min + 10 s");
    for text in ["", "five", "5+", "5 + 3 + 2", "3 h + 2 h", "5 3", "30 s 5 min", "18446744073709551615 h"] {
        assert!(parse_spoken(text).is_err(), "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_about_the_text_as_it_was_written() {
    let cases = [
        ("5s:2x3s4", 8),
        ("5 min, 2x3 apples", 12),
        ("5+3 then 0x30", 10),
        ("90 min, 30 apples", 12),
        ("  5 apples", 5),
        ("40/90+30:", 10),
        ("15 min : *60", 10),
        ("90 plus 99999999", 9),
        ("1:30", 2),
        ("0", 1),
    ];
    for (text, at) in cases {
        let error = parse_spoken(text).expect_err(text);
        assert_eq!(error.at(), at, "{error}");
        assert!(error.to_string().starts_with(&format!("`{text}` is no")), "{error}");
    }
}

proptest::proptest! {
    /// Any text, and any words and signs that the reader knows, give a control that is said back, or an error inside the text.
    #[test]
    fn whatever_is_written_is_understood_or_refused(
        text in ".{0,20}",
        parts in proptest::collection::vec(
            proptest::sample::select(&[
                "5", "40", "90", "180", "30", "0", "1:30:00", "x", "c", "d", "+", "|", ";", "/", ",", ":", "*", "=", "^", "-",
                " ", "g/", "h", "min", "s", "moves", "in", "per", "move", "hourglass", "then", "más", "byo-yomi",
            ][..]),
            0..10,
        ),
    ) {
        for text in [text, parts.concat(), parts.join(" ")] {
            match parse_spoken(&text) {
                Ok(control) => proptest::prop_assert_eq!(parse_spoken(&to_spoken(&control)), Ok(control), "{}", text),
                Err(error) => proptest::prop_assert!(
                    (1..=text.chars().count() + 1).contains(&error.at()) && error.to_string().contains(&text), "{}", error
                ),
            }
        }
    }
}
