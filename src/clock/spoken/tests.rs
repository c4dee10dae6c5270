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

/// What is understood by a text: the record's notation, or what people are asked.
fn understood(text: &str) -> String {
    match parse_spoken(text) {
        Ok(control) => control.to_string(),
        Err(ParseControlError::Unsure { readings, .. }) => {
            readings.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
        }
        Err(wrong) => wrong.to_string(),
    }
}

#[test]
fn clubs_of_four_languages_write_their_times_as_they_are_used_to() {
    let cases = [
        ("90 minutes +30 seconds increment", "5400+30"),
        ("90 minutes + 30 seconds increment per move from move 1", "5400+30"),
        ("90 min with a 30 second increment", "5400+30"),
        ("15 minutes with an additional 10 seconds per move", "900+10"),
        ("15 min, 10 s increment", "900+10"),
        ("15 min, increment 10 s", "900+10"),
        ("3 mins +2 secs/mv", "180+2"),
        ("60+60/move", "3600+60"),
        ("2 hrs + 30 secs", "7200+30"),
        ("25 min 10 s/move", "1500+10"),
        ("5 min 3 sec per move", "300+3"),
        ("15 min (+ 10 sec)", "900+10"),
        ("1.5 h + 30 s", "5400+30"),
        ("1½ hours", "5400"),
        ("15 min per player", "900"),
        ("15 minutes a side", "900"),
        ("30 min + 5 s delay", "1800d5"),
        ("30 min, 5 second delay", "1800d5"),
        ("rapid 15+10", "900+10"),
        ("30 min + 5 periods of 30 s", "1800:5x30"),
        // Several stages, in whole sentences.
        ("90 min/40 moves + 30 min + 30 s/move", "40/5400+30:1800+30"),
        ("90min/40moves+30min+30sec/move from move 1", "40/5400+30:1800+30"),
        ("100 min/40 moves + 50 min/20 moves + 15 min + 30 s/move", "40/6000+30:20/3000+30:900+30"),
        (
            "90 minutes for the first 40 moves followed by 30 minutes for the rest of the game with an addition of 30 \
             seconds per move starting from move one",
            "40/5400+30:1800+30",
        ),
        ("90 min for 40 moves, then 30 min, with 30 s per move from move 1", "40/5400+30:1800+30"),
        ("40 moves in 2 h, then 20 moves in 1 h, then 30 min", "40/7200:20/3600:1800"),
        ("40/90 + 30 min", "40/5400:1800"),
        ("40/90 min + 30 min + 30 s", "40/5400+30:1800+30"),
        // US Chess, 5B.
        ("40/120, SD/60", "40/7200:3600"),
        ("40/120 SD/60", "40/7200:3600"),
        ("40/120, SD/60; d5", "40/7200d5:3600d5"),
        ("40/120, SD/60 d5", "40/7200d5:3600d5"),
        ("40/90, SD/30; +30", "40/5400+30:1800+30"),
        ("40/90, SD/30 inc30", "40/5400+30:1800+30"),
        ("30/90, SD/1hr; +5", "30/5400+5:3600+5"),
        ("40/120, 20/60, SD/30", "40/7200:20/3600:1800"),
        ("SD/60", "3600"),
        ("G60", "3600"),
        ("G/60/d5", "3600d5"),
        ("G/90;inc30", "5400+30"),
        ("G/75; inc/30", "4500+30"),
        ("Game in 60", "3600"),
        ("Game/90 +30", "5400+30"),
        // German.
        ("90 Min + 30 Sek/Zug", "5400+30"),
        ("90 Min. + 30 Sek. pro Zug", "5400+30"),
        ("1 Std. 30 Min. + 30 Sek. je Zug", "5400+30"),
        ("1,5 Std + 30 s", "5400+30"),
        ("10 Minuten mit 5 Sekunden Zuschlag pro Zug ab Zug 1", "600+5"),
        ("10 Minuten zuzüglich 5 Sekunden Inkrement", "600+5"),
        (
            "90 Minuten für 40 Züge, danach 30 Minuten für den Rest der Partie, 30 Sekunden pro Zug ab dem 1. Zug",
            "40/5400+30:1800+30",
        ),
        ("90 Min/40 Züge + 30 Min + 30 Sek/Zug", "40/5400+30:1800+30"),
        ("40 Züge in 100 Min, 50 Min + 30 Sek/Zug", "40/6000:3000+30"),
        ("15 Min je Spieler", "900"),
        // Spanish.
        ("90 min + 30 seg/jugada", "5400+30"),
        ("90 minutos con incremento de 30 segundos por jugada", "5400+30"),
        ("1 hora y 30 seg. por movimiento", "3600+30"),
        ("10 minutos + 5 segundos de incremento", "600+5"),
        (
            "90 minutos para 40 jugadas más 30 minutos para el resto de la partida, más 30 segundos por jugada desde la jugada 1",
            "40/5400+30:1800+30",
        ),
        ("5 min por jugador", "300"),
        // French.
        ("50 min + 10 s/coup", "3000+10"),
        ("1h30 + 30s/coup", "5400+30"),
        ("1 h 30 mn + 30 sec par coup", "5400+30"),
        ("1h KO", "3600"),
        ("15 minutes avec 5 secondes d'incrément", "900+5"),
        ("1h40 pour 40 coups puis 50 min + 30 s/coup", "40/6000:3000+30"),
        ("90 min/40 coups + 30 min KO + 30 s/coup", "40/5400+30:1800+30"),
        // Typographic marks.
        ("3’ + 2’’", "180+2"),
        ("3’+2”", "180+2"),
        ("3′ + 2″", "180+2"),
        ("3´ + 2´´", "180+2"),
        ("90’ + 30” / move", "5400+30"),
        ("90'/40 moves + 30' + 30''", "40/5400+30:1800+30"),
        ("90’/40 coups + 30’ + 30’’/coup", "40/5400+30:1800+30"),
    ];
    for (text, wanted) in cases {
        assert_eq!(understood(text), wanted, "{text}");
    }
}

#[test]
fn what_can_mean_two_usual_things_is_asked() {
    let cases = [
        ("5/3", "300+3 or 5/180"),
        ("3/2", "180+2 or 3/120"),
        ("15/10", "900+10 or 15/600"),
        ("90/30", "5400+30 or 30/5400"),
        ("5 min/3", "300+3 or 3/300"),
        ("5 min / 3 s", "300+3"),
        ("40/90", "40/5400"),
        ("40/60", "40/3600"),
        (
            "40/90/30",
            "`40/90/30` is not a time control: at character 6, expected `+`, `d` or `b` and seconds, `,` and another stage, or the end",
        ),
        ("90min + 30min/40 moves + 30s/move", "40/5400+30:1800+30 or 5400+30:40/1800+30"),
        ("90 Min + 30 Min/40 Züge + 30 Sek/Zug", "40/5400+30:1800+30 or 5400+30:40/1800+30"),
        ("90 min + 30 min", "40/5400:1800 or 5400:1800"),
        ("90 min + 15 min + 30 s/move", "40/5400+30:900+30 or 5400+30:900+30"),
        ("60 min, 10 s per move", "3600+10 or 3600:=10"),
        ("5 min each", "300 or =300"),
        ("40/2, SD/1", "40/7200:3600 or 40/120:60"),
        (
            "30 s increment",
            "`30 s increment` is not a time control: at character 1, expected the time before the bonus, as in `25 + 10`",
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(understood(text), wanted, "{text}");
    }
    for text in ["1:30+30", "G/1:30", "40/1:30", "40/2:00, SD/1:00", "90 min + 30 s from move 61"] {
        assert!(
            matches!(parse_spoken(text), Err(ParseControlError::Wrong { .. })),
            "{text}: {}",
            understood(text)
        );
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
                "/move", "/40 moves", "SD/", "increment", "delay", "per player", "from move 1", "½", "’",
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
