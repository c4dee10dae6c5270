//! "What a line may be" and "Results and errors" of `docs/record.md`: which lines are unusable because of their form,
//! and how the program reports it.

use std::io::Write as _;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tabiya_engine::record::Replay;
use tabiya_engine::rules::GAMES;

use crate::support::{form_error, header, lines, play, to_chess};

fn run(text: &[u8], arguments: &[&str]) -> (Output, String) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text).unwrap();
    let name = file.path().display().to_string();
    let output =
        Command::new(env!("CARGO_BIN_EXE_tabiya")).arg("replay").arg(&name).args(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr.clone()).unwrap().replace(&name, "FILE");
    (output, said)
}

fn text(terms: &str, script: &str) -> String {
    format!("{}\n{}\n", header(terms), lines(script).join("\n"))
}

#[test]
fn status_0_where_every_line_was_accepted() {
    let (output, said) = run(text("", "deal; white call").as_bytes(), &["--json"]);
    assert_eq!((output.status.code(), said.as_str()), (Some(0), ""));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["phase"], "bet");
}

#[test]
fn status_1_where_the_rules_refused_a_line() {
    let (output, said) = run(text("", "deal; white raise 3; white call").as_bytes(), &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        said.trim_end(),
        "FILE:3: a raise to 3 is too small: the minimum is 4; call 1, raise to 4 or more, or fold \
         (possible here: bet by white)"
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["to_act"], "white", "the state before the refused line");
    assert_eq!(report["violations"][0]["line"], 3);
    assert_eq!(report["violations"][0]["rule"], "raise-too-small");
}

#[test]
fn keep_going_skips_what_is_refused_and_reads_the_rest() {
    let (output, said) =
        run(text("", "deal; white raise 3; white call; white call").as_bytes(), &["--json", "--keep-going"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said.lines().count(), 2);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["to_act"], "black");
    assert_eq!(report["violations"].as_array().unwrap().len(), 2);
}

#[test]
fn status_2_prints_no_json_and_keep_going_does_not_help() {
    let text = format!("{}not json\n", text("", "deal"));
    let (output, said) = run(text.as_bytes(), &["--json", "--keep-going"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(said.starts_with("FILE:3: not JSON"), "{said}");
}

#[test]
fn nothing_after_a_refused_line_is_read() {
    let text = format!("{}not json\n", text("", "white call"));
    assert_eq!(run(text.as_bytes(), &[]).0.status.code(), Some(1));
}

#[test]
fn status_2_where_there_is_no_file_or_no_header() {
    let missing =
        Command::new(env!("CARGO_BIN_EXE_tabiya")).args(["replay", "/no/such/file"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    for text in ["", "\n\n", "{\"t\":0,\"do\":\"deal\"}\n", "{\"tabiya\":2}\n", "[]\n"] {
        assert_eq!(run(text.as_bytes(), &[]).0.status.code(), Some(2), "{text}");
    }
    assert_eq!(run(b"\xff\xfe\n", &[]).0.status.code(), Some(2));
}

#[test]
fn blank_lines_crlf_and_a_byte_order_mark_pass() {
    let plain = text("", "deal; white call");
    let crlf = format!("\u{feff}{}", plain.replace('\n', "\r\n\r\n"));
    let (plain, crlf) = (run(plain.as_bytes(), &["--json"]).0, run(crlf.as_bytes(), &["--json"]).0);
    assert_eq!((crlf.status.code(), plain.stdout), (Some(0), crlf.stdout));
}

#[test]
fn line_numbers_count_blank_lines() {
    let text = text("", "deal").replace('\n', "\n\n")
        + "{\"t\":0,\"do\":\"bet\",\"by\":\"black\",\"action\":\"call\"}\n";
    assert!(run(text.as_bytes(), &[]).1.starts_with("FILE:5: it is White's turn to bet"));
}

#[test]
fn time_never_goes_back() {
    let text = text("", "0:05 deal; 0:04 white call");
    let (output, said) = run(text.as_bytes(), &["--keep-going"]);
    assert_eq!(
        (output.status.code(), said.trim_end()),
        (Some(2), "FILE:3: time goes back: `t` is 4000, but an earlier line has 5000")
    );
}

#[test]
fn what_is_wrong_by_form_is_unusable() {
    let wrong = [
        r#"{"do":"deal"}"#,
        r#"{"t":-1,"do":"deal"}"#,
        r#"{"t":1.5,"do":"deal"}"#,
        r#"{"t":"1","do":"deal"}"#,
        r#"{"t":0}"#,
        r#"{"t":0,"do":"dance"}"#,
        r#"{"t":0,"do":"deal","colour":"red"}"#,
        r#"{"t":0,"do":"deal","t":0}"#,
        r#"{"t":0,"do":"deal","id":7}"#,
        r#"{"t":0,"do":"deal","cards":{"white":["X"]}}"#,
        r#"{"t":0,"do":"deal","cards":{"red":["Q"]}}"#,
        r#"{"t":0,"do":"deal","when":0}"#,
        r#"{"t":0,"do":"bet","by":"arbiter","action":"call"}"#,
        r#"{"t":0,"do":"bet","by":"white","action":"raise"}"#,
        r#"{"t":0,"do":"bet","by":"white","action":"call","to":4}"#,
        r#"{"t":0,"do":"bet","by":"white","action":"all-in","to":4}"#,
        r#"{"t":0,"do":"bet","by":"white","action":"bluff"}"#,
        r#"{"t":0,"do":"reveal","by":"white","card":"K"}"#,
        r#"{"t":0,"do":"reveal","by":"white","card":"q"}"#,
        r#"{"t":0,"do":"reveal","by":"white","card":"Q","how":"guessed"}"#,
        r#"{"t":0,"do":"place","by":"white","piece":"Q","at":"i9"}"#,
        r#"{"t":0,"do":"place","by":"white","piece":"Q"}"#,
        r#"{"t":0,"do":"place","by":"white","piece":"Q","at":"a1","says":"hello"}"#,
        r#"{"t":0,"do":"place","by":"white","piece":"Q","at":"a1","stands":"X"}"#,
        r#"{"t":0,"do":"move","by":"white","uci":"e2"}"#,
        r#"{"t":0,"do":"move","by":"white","uci":"O-O"}"#,
        r#"{"t":0,"do":"move","by":"white","uci":"e7e8Q"}"#,
        r#"{"t":0,"do":"move","by":"white","uci":"0000"}"#,
        r#"{"t":0,"do":"press"}"#,
        r#"{"t":0,"do":"press","by":"white","when":1}"#,
        r#"{"t":0,"do":"resign","by":"arbiter"}"#,
        r#"{"t":0,"do":"pause"}"#,
        r#"{"t":0,"do":"sees","board":"8/8"}"#,
        r#"{"t":0,"do":"rule","by":"white","reason":"x","set":{}}"#,
        r#"{"t":0,"do":"rule","by":"arbiter","set":{}}"#,
        r#"{"t":0,"do":"rule","by":"arbiter","reason":"x","set":{"moon":1}}"#,
        r#"{"t":0,"do":"rule","by":"arbiter","reason":"x","set":{"winner":"C"}}"#,
        r#"{"t":0,"do":"rule","by":"arbiter","reason":"x","set":{"fen":"nonsense"}}"#,
        r#"{"t":0,"do":"correct","by":"white","at":"a1"}"#,
        r#"{"t":0,"do":"fouled","by":"white"}"#,
        r#"{"t":0,"do":"end-match","by":"white"}"#,
        r#"{"t":0,"do":"next","empress":false}"#,
        r#"{"t":0,"do":"next","becket":1}"#,
        r#"{"t":0,"do":"clock-reads","white":1}"#,
        r#"{"t":0,"do":"tick","by":"white"}"#,
        r#"{"t":0,"do":"undo","by":"nobody"}"#,
        "[]",
        "{}",
        r#"{"t":0,"do":"deal"} {}"#,
    ];
    for line in wrong {
        assert!(form_error("", line).is_some(), "{line} was accepted");
    }
}

#[test]
fn fields_of_ones_own_are_kept_and_never_read() {
    let line = r#"{"t":0,"do":"deal","x-mood":{"a":[1]}}"#;
    assert_eq!(form_error("", line), None);
    let replay = Replay::begin(&header(""), GAMES).unwrap();
    let read = tabiya_engine::record::Line::parse(line, replay.header()).unwrap();
    assert_eq!(read.to_string(), line);
}

#[test]
fn a_header_holds_what_the_record_names_and_nothing_else() {
    let good: Value = serde_json::from_str(&header("time 60")).unwrap();
    let mut all = good.clone();
    for (name, value) in [
        ("start", json!("2026-01-02T03:04:05Z")),
        ("id", json!("m1")),
        ("tags", json!({"Event": "X"})),
        ("x-a", json!(1)),
    ] {
        all[name] = value;
    }
    assert!(Replay::begin(&all.to_string(), GAMES).is_ok());
    let mut bad = Vec::new();
    for name in ["tabiya", "game", "players", "white"] {
        let mut without = good.clone();
        without.as_object_mut().unwrap().remove(name);
        bad.push(without);
    }
    for name in ["stacks", "small_blind"] {
        let mut without = good.clone();
        without["terms"].as_object_mut().unwrap().remove(name);
        bad.push(without);
    }
    for (pointer, value) in [
        ("game", json!("whist")),
        ("white", json!("C")),
        ("start", json!("yesterday")),
        ("moon", json!(1)),
        ("tags", json!({"Event": 1})),
    ] {
        let mut wrong = good.clone();
        wrong[pointer] = value;
        bad.push(wrong);
    }
    for (name, value) in [
        ("time", json!("soon")),
        ("time", json!(60)),
        ("stacks", json!({"A": 1})),
        ("stacks", json!({"A": 0, "B": 1})),
        ("small_blind", json!(0)),
        ("small_blind", json!(0.5)),
        ("structure", json!("half-limit")),
        ("structure", json!({"limit": {"bet": 2}})),
        ("blinds", json!({"every": "day", "levels": [1]})),
        ("blinds", json!({"every": "game", "levels": []})),
        ("first_increment", json!("yes")),
        ("clock", json!("sun")),
        ("press", json!("never")),
        ("settle_ms", json!(-1)),
        ("empress", json!(1)),
        ("becket", json!("on")),
        ("castling", json!(0)),
        ("voice", json!("loud")),
        ("freeze", json!(2)),
        ("penalty_ms", json!("60")),
        ("bet_ms", json!(0)),
        ("games", json!(0)),
        ("sets", json!({"white": "KX", "black": "K"})),
        ("dealer", json!("white")),
        ("preset", json!(1)),
        ("moon", json!(1)),
    ] {
        let mut wrong = good.clone();
        wrong["terms"][name] = value;
        bad.push(wrong);
    }
    for header in bad {
        assert!(Replay::begin(&header.to_string(), GAMES).is_err(), "{header} was accepted");
    }
}

#[test]
fn every_term_of_the_record_may_stand_in_the_terms() {
    let terms = r#"structure {"limit":{"bet":2,"raises":3}}, blinds {"every":60,"levels":[1,2]}, time {"white":"60","black":"5400:900"}, first_increment false, clock tabiya, press auto, settle_ms 400, empress false, becket true, castling false, voice event, freeze false, penalty_ms 120000, bet_ms 9000, games 4, sets {"white":"KQRRBBNNPPPPPPPP","black":"KQRRBBNNPPPPPPPP"}, dealer arbiter, preset club"#;
    assert_eq!(play(terms, "deal").get("/phase"), "bet");
    assert_eq!(
        play("chess, chess960 true, fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1", "tick").get("/phase"),
        "chess"
    );
}

#[test]
fn a_term_that_a_game_adds_belongs_to_that_game_alone() {
    for (game, term) in [
        ("poker-chess", "wipeout 5"),
        ("pokerdrez", "decks 2"),
        ("chess-joker", "simple true"),
        ("chess-joker", "deck 77"),
    ] {
        assert!(Replay::begin(&header(&format!("{game}, {term}")), GAMES).is_ok(), "{game}, {term}");
        for other in GAMES.iter().map(|kind| kind.name()).filter(|other| *other != game) {
            let read = Replay::begin(&header(&format!("{other}, stacks {{\"A\":9,\"B\":9}}, {term}")), GAMES);
            assert!(read.is_err(), "{other}, {term}");
        }
    }
}

#[test]
fn a_chess_or_clock_header_needs_no_terms() {
    for game in ["chess", "clock"] {
        let header = format!(r#"{{"tabiya":1,"game":"{game}","players":{{"A":"a","B":"b"}},"white":"A"}}"#);
        assert!(Replay::begin(&header, GAMES).is_ok());
    }
}

#[test]
fn a_report_has_the_keys_of_the_record() {
    let report = play("time 60", &to_chess()).report();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        keys(&report),
        [
            "games",
            "stacks",
            "phase",
            "to_act",
            "clock_ms",
            "flag",
            "moves",
            "periods",
            "legal",
            "violations",
            "notes"
        ]
    );
    assert_eq!(
        keys(&report["games"][0]),
        [
            "white",
            "outcome",
            "contributed",
            "awarded",
            "hands",
            "start_fen",
            "moves",
            "clock_ms",
            "incidents"
        ]
    );
    assert_eq!(
        report["games"][0]["hands"]["white"],
        json!({"cards": "QRBNP", "name": "palace", "pieces": "QQRBN"})
    );
    assert_eq!(
        report["games"][0]["hands"]["black"],
        json!({"cards": "RRBBN", "name": "plain", "pieces": "RRBBN"})
    );
    assert_eq!(report["periods"], json!({}));
}

#[test]
fn before_the_first_deal_there_is_one_game() {
    let run = play("", "tick");
    assert_eq!(run.get("/games").as_array().unwrap().len(), 1);
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("deal"), json!("dealer")));
    assert_eq!(run.get("/games/0/outcome"), Value::Null);
    assert_eq!(run.legal(), [r#"{"do":"deal"}"#]);
}

// ---- evidence ----

fn sees(board: &str) -> String {
    json!({"do": "sees", "board": board}).to_string()
}

#[test]
fn a_board_that_differs_is_noted_only_where_it_stands_at_a_press() {
    let (right, wrong) =
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR");
    let run = play("chess", &format!("{}; white e2e4; {}; white press", sees(wrong), sees(right)));
    assert_eq!(run.notes(), Vec::<String>::new());
    let run = play("chess", &format!("white e2e4; {}; white press", sees(wrong)));
    assert_eq!(run.notes(), ["the board seen differs from the expected one on e4"]);
    assert_eq!(run.get("/notes/0/line"), 3);
}

#[test]
fn with_auto_presses_a_board_that_differs_is_noted_once_it_stood_too_long() {
    let wrong = sees("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR");
    let run = play("chess, press auto", &format!("0:00 white e2e4; 0:01 {wrong}; 0:01.350 tick"));
    assert!(run.notes().is_empty());
    let run = play("chess, press auto", &format!("0:00 white e2e4; 0:01 {wrong}; 0:01.351 tick; 0:05 tick"));
    assert_eq!(run.notes().len(), 1);
}

#[test]
fn a_board_that_differs_is_noted_once() {
    let wrong = sees("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR");
    let run = play("chess", &format!("white e2e4; {wrong}; white press; black e7e5!; white d2d4!"));
    assert_eq!(run.notes().len(), 1);
}
