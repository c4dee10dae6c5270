//! The lines of a record and the lawful order of things (`docs/record-chess-joker.md`).

use serde_json::{Value, json};
use tabiya_engine::record::Replay;
use tabiya_engine::rules::GAMES;

use super::{at, cards, game, legal, line, moves, play, rule, score, tries, usual, with_terms};
use crate::support::form_error;

#[track_caller]
fn unusable(text: &str) {
    assert!(form_error("chess-joker", text).is_some(), "{text} was read");
}

#[track_caller]
fn readable(text: &str) {
    assert_eq!(form_error("chess-joker", text), None, "{text}");
}

#[test]
fn the_fields_of_a_draw() {
    for (fields, reads) in [
        (r#""card":"VY""#, true),
        (r#""card":"?""#, true),
        (r#""card":"VY","elo":0,"star":false,"effect":"move king","how":"read","when":0"#, true),
        (r#""card":"VY","elo":1000,"how":"typed""#, true),
        (r#""card":"VY","star":true"#, true),
        ("", false),
        (r#""card":"vy""#, false),
        (r#""card":"VYX""#, false),
        (r#""card":"VY","elo":1001"#, false),
        (r#""card":"VY","elo":"25""#, false),
        (r#""card":"VY","effect":"move king""#, false),
        (r#""card":"VY","elo":25,"effect":"move"#, false),
        (r#""card":"VY","elo":25,"effect":"jump""#, false),
        (r#""card":"?","elo":25"#, false),
        (r#""card":"?","star":true"#, false),
        (r#""card":"VY","how":"guessed""#, false),
        (r#""card":"VY","copy":1"#, false),
        (r#""card":"VY","star":1"#, false),
    ] {
        let comma = if fields.is_empty() { "" } else { "," };
        let text = format!(r#"{{"t":0,"do":"draw","by":"white"{comma}{fields}}}"#);
        if reads { readable(&text) } else { unusable(&text) }
    }
    unusable(r#"{"t":0,"do":"draw","by":"arbiter","card":"VY"}"#);
}

#[test]
fn the_fields_of_a_play() {
    let play = |fields: &str| format!(r#"{{"t":0,"do":"play","by":"white",{fields}}}"#);
    for fields in [
        r#""steps":[]"#,
        r#""steps":["c8f5","+Nb3","-d5","d6=B","a1<>h8"]"#,
        r#""steps":["c8f5"],"as":{"N":"P","Q":"K"},"card":"VY","elo":0,"when":0"#,
    ] {
        readable(&play(fields));
    }
    for fields in [
        r#""elo":3"#,
        r#""steps":"c8f5""#,
        r#""steps":["c8c8"]"#,
        r#""steps":["+Kb3"]"#,
        r#""steps":["d6=K"]"#,
        r#""steps":["a1<>a1"]"#,
        r#""steps":["e7e8q"]"#,
        r#""steps":[5]"#,
        r#""steps":[],"as":{}"#,
        r#""steps":[],"as":{"N":"N"}"#,
        r#""steps":[],"as":{"n":"P"}"#,
        r#""steps":[],"as":{"X":"P"}"#,
        r#""steps":[],"as":{"N":"p"}"#,
        r#""steps":[],"as":"N=P""#,
        r#""steps":[],"card":"?""#,
        r#""steps":[],"elo":1001"#,
        r#""steps":[],"star":true"#,
    ] {
        unusable(&play(fields));
    }
    let steps = |count: usize| play(&format!(r#""steps":[{}]"#, vec![r#""c8f5""#; count].join(",")));
    readable(&steps(40));
    unusable(&steps(41));
}

#[test]
fn the_fields_of_answers_and_claims() {
    for text in [
        r#"{"t":0,"do":"confirm","by":"arbiter"}"#,
        r#"{"t":0,"do":"reject","by":"black"}"#,
        r#"{"t":0,"do":"check","by":"white"}"#,
        r#"{"t":0,"do":"check","by":"arbiter","mate":true}"#,
        r#"{"t":0,"do":"check","by":"white","mate":false}"#,
    ] {
        readable(text);
    }
    for text in [
        r#"{"t":0,"do":"confirm"}"#,
        r#"{"t":0,"do":"confirm","by":"white","when":0}"#,
        r#"{"t":0,"do":"check","by":"white","when":0}"#,
        r#"{"t":0,"do":"check","by":"white","mate":1}"#,
        r#"{"t":0,"do":"reject","by":"both"}"#,
        r#"{"t":0,"do":"deal"}"#,
        r#"{"t":0,"do":"bet","by":"white","action":"fold"}"#,
        r#"{"t":0,"do":"reveal","by":"white","card":"Q"}"#,
        r#"{"t":0,"do":"place","by":"white","piece":"Q","at":"d1"}"#,
        r#"{"t":0,"do":"correct","by":"white","piece":"Q","at":"d1"}"#,
        r#"{"t":0,"do":"fouled","by":"white","reason":"?"}"#,
        r#"{"t":0,"do":"next","deck":9}"#,
    ] {
        unusable(text);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the terms stand where they are tried")]
fn begins(terms: Value) -> bool {
    let header = json!({"tabiya": 1, "game": "chess-joker", "players": {"A": "Ann", "B": "Bo"}, "white": "A", "terms": terms});
    Replay::begin(&header.to_string(), GAMES).is_ok()
}

#[test]
fn the_terms() {
    let sha = "5b3f".repeat(16);
    for terms in [
        json!({}),
        json!({"deck": 1}),
        json!({"deck": 1000, "simple": false, "confirm": "other"}),
        json!({"cards": {"sha256": sha}}),
        json!({"cards": {"sha256": sha, "name": "ours.toml"}, "time": "1500+10"}),
        json!({"fen": "4k3/8/8/8/8/8/8/4K3 w - -"}),
    ] {
        assert!(begins(terms.clone()), "{terms}");
    }
    for terms in [
        json!({"deck": 0}),
        json!({"deck": 1001}),
        json!({"deck": "256"}),
        json!({"simple": 1}),
        json!({"confirm": "arbiter"}),
        json!({"cards": {}}),
        json!({"cards": {"sha256": sha.to_uppercase()}}),
        json!({"cards": {"sha256": sha[1..]}}),
        json!({"cards": {"sha256": sha, "url": "x"}}),
        json!({"cards": sha}),
        json!({"chess960": false}),
        json!({"empress": true}),
        json!({"castling": true}),
        json!({"fen": 3}),
    ] {
        assert!(!begins(terms.clone()), "{terms}");
    }
}

#[test]
fn a_fen() {
    let begins = |fen: &str| begins(json!({"fen": fen}));
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/4K3 b - - 0",
        "4k3/8/8/8/8/8/8/4K3 w qKkQ e6 007 9",
        "p3k3/8/8/8/8/8/8/P3K3 w - -",
        "QQQQkQQQ/8/8/8/8/8/8/4K3 b - - 3 40",
    ] {
        assert!(begins(fen), "{fen}");
    }
    for fen in [
        "",
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4K3 w -",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 2",
        "4k3/8/8/8/8/8/8/4K3 w - - -1",
        "4k3/8/8/8/8/8/8/4K3 w - - x",
        "4k3/8/8/8/8/8/8/4K3 x - -",
        "4k3/8/8/8/8/8/8/4K3 w KK -",
        "4k3/8/8/8/8/8/8/4K3 w HA -",
        "4k3/8/8/8/8/8/8/4K3 w - e4",
        "4k3/8/8/8/8/8/8/4K3 w - e9",
        "8/8/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/3KK3 w - -",
        "4k2P/8/8/8/8/8/8/4K3 w - -",
        "4k3/8/8/8/8/8/8/4K2p w - -",
        "4k3/8/8/8/8/8/8/4K2R b - -4",
        "4k3/8/8/8/8/8/8/4R1K1 w - -",
        "4k3/8/8/8/8/8/8/4K3/8 w - -",
    ] {
        assert!(!begins(fen), "{fen}");
    }
}

#[test]
fn a_start_position_is_written_as_far_as_it_counts() {
    let start = |fen: &str| game(&at(fen), "start_fen").as_str().unwrap().to_owned();
    assert_eq!(start("r3k2r/8/8/8/8/8/8/R3K1R1 w qkKQ - 3 9"), "r3k2r/8/8/8/8/8/8/R3K1R1 w Qkq - 0 1");
    assert_eq!(start("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9"), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    assert_eq!(
        start("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6"),
        "4k3/3p4/8/3pP3/8/8/8/4K3 w - - 0 1",
        "nothing may stand one back"
    );
    assert_eq!(start("4k3/8/8/3pP3/8/8/8/4K3 w - d3"), "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1");
    assert_eq!(start("4k3/8/8/4P3/8/8/8/4K3 w - d6"), "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1");
    let run = at("4k3/8/8/3pP3/8/8/8/4K3 w - d6");
    assert_eq!(game(&run, "en_passant"), json!(["d6"]));
    assert!(moves(&run).contains("e5d6"));
}

#[test]
fn a_ruling_sets_points_deck_and_cards() {
    let set = |set: &str| format!(r#"{{"t":0,"do":"rule","by":"arbiter","reason":"?","set":{set}}}"#);
    for good in [
        r#"{"score":{}}"#,
        r#"{"score":{"A":799}}"#,
        r#"{"deck":0}"#,
        r#"{"deck":1000}"#,
        r#"{"cards":{"white":null,"black":{"card":"?"}}}"#,
        r#"{"cards":{"white":{"card":"VY","elo":25,"effect":"move king"}}}"#,
    ] {
        readable(&set(good));
    }
    for bad in [
        r#"{"score":{"A":800}}"#,
        r#"{"score":{"white":1}}"#,
        r#"{"deck":1001}"#,
        r#"{"cards":{"A":null}}"#,
        r#"{"cards":{"white":"VY"}}"#,
        r#"{"cards":{"white":{"card":"VY","how":"read"}}}"#,
        r#"{"cards":{"white":{"card":"VY","effect":"move king"}}}"#,
        r#"{"fen":"4k3/8/8/8/8/8/8/8 w - -"}"#,
    ] {
        unusable(&set(bad));
    }
    let mut run = usual();
    assert_eq!(rule(&mut run, json!({"score": {"A": 10, "B": 799}, "deck": 7})), "");
    assert_eq!((score(&run), game(&run, "deck"), run.outcome()), ((10, 799), json!(7), "-".to_owned()));
    for chips in [json!({"stacks": {"A": 1}}), json!({"contributed": {"A": 1}}), json!({"chips": "added"})] {
        assert!(!rule(&mut run, chips.clone()).is_empty(), "{chips}");
    }
}

#[test]
fn k13_codes_that_are_replaced_count_as_not_told() {
    let mut run = usual();
    cards(&mut run, "AB 25", "AC 25");
    assert_eq!(rule(&mut run, json!({"cards": {"white": {"card": "AC"}}})), "told-already");
    cards(&mut run, "AC 25", "AB 25");
    assert_eq!(
        rule(&mut run, json!({"cards": {"white": {"card": "AD"}, "black": {"card": "AD"}}})),
        "told-already"
    );
    assert_eq!(rule(&mut run, json!({"cards": {"white": null}})), "");
    assert_eq!(rule(&mut run, json!({"cards": {"black": {"card": "AC"}}})), "");
    assert_eq!(game(&run, "cards"), json!({"white": null, "black": "AC"}));
}

#[test]
fn k13_position_card_and_turn_drop_what_waits_and_what_was_claimed() {
    let waiting = || {
        let mut run = usual();
        play(
            &mut run,
            "white e2e4; black e7e5; black draw QX 25; white d2d4; white draw QY; black play b8c6",
        );
        assert_eq!(run.get("/phase"), "confirm");
        run
    };
    for set in [
        json!({"cards": {"black": {"card": "QX"}}}),
        json!({"to_act": "black"}),
        json!({"to_act": "white"}),
        json!({"fen": "4k3/8/8/8/8/8/8/4K3 w - -"}),
    ] {
        let mut run = waiting();
        assert_eq!(rule(&mut run, set.clone()), "");
        assert_eq!(run.get("/phase"), "play", "{set}");
        assert!(!legal(&run, "confirm", "white"));
    }
    let mut run = waiting();
    assert_eq!(rule(&mut run, json!({"score": {"A": 4}, "deck": 3})), "");
    assert_eq!(run.get("/phase"), "confirm");
    // A claim stays if the turn is only said again.
    let mut run = usual();
    play(&mut run, "white e2e4; black e7e5; black draw QX; black press; arbiter check");
    assert_eq!(rule(&mut run, json!({"to_act": "white"})), "");
    assert_eq!(game(&run, "check"), "white");
    assert_eq!(rule(&mut run, json!({"cards": {"white": null}})), "");
    assert_eq!(game(&run, "check"), Value::Null);
}

#[test]
fn k13_a_ruling_looks_for_mate_and_an_empty_deck() {
    let mut run = usual();
    assert_eq!(rule(&mut run, json!({"fen": "R5k1/5ppp/8/8/8/8/8/4K3 b - -"})), "");
    assert_eq!(run.outcome(), "A checkmate");
    assert_eq!(score(&run), (0, 0), "no Last Stand");
    let mut run = usual();
    assert_eq!(rule(&mut run, json!({"fen": "R5k1/5ppp/8/8/8/8/8/4K3 b - -", "winner": null})), "");
    assert_eq!(run.outcome(), "nobody ruling");
    let mut run = usual();
    assert_eq!(rule(&mut run, json!({"to_act": "black"})), "");
    assert_eq!(run.get("/to_act"), "black");
    let mut run = at("4k3/8/8/8/8/8/8/4K2R w - -");
    play(&mut run, "white h1h7");
    assert_eq!(rule(&mut run, json!({"fen": "4k3/8/8/8/8/8/8/4K2R w - -"})), "");
    let mut run = at("4k3/8/8/8/8/8/8/4K2R w - -");
    play(&mut run, "white h1h8");
    assert_eq!(rule(&mut run, json!({"to_act": "white"})), "bad-position");
    let mut run = usual();
    play(&mut run, "white e2e4; black e7e5");
    assert_eq!(rule(&mut run, json!({"deck": 0})), "");
    assert_eq!(run.outcome(), "nobody deck-out");
    for set in [
        json!({"deck": 3}),
        json!({"score": {"A": 1}}),
        json!({"cards": {"white": null}}),
        json!({"to_act": "white"}),
    ] {
        assert_eq!(rule(&mut run, set), "game-over");
    }
    assert_eq!(rule(&mut run, json!({"winner": "A"})), "");
    assert_eq!(run.outcome(), "A ruling");
}

#[test]
fn k15_a_turn_ends_when_the_card_was_drawn() {
    let mut run = usual();
    play(&mut run, "white e2e4");
    // Black's move counts as the press that White did not give.
    assert!(legal(&run, "press", "white") && legal(&run, "move", "black"));
    play(&mut run, "black e7e5");
    assert_eq!(run.get("/to_act"), "black");
    assert_eq!(tries(&mut run, "white d2d4"), "draw-first");
    assert_eq!(tries(&mut run, "white draw AB"), "not-your-turn");
    assert_eq!(tries(&mut run, "black d7d5"), "draw-first");
    assert!(legal(&run, "draw", "black") && !legal(&run, "move", "white"));
    play(&mut run, "black draw AB; white d2d4");
}

#[test]
fn k15_with_press_auto_the_line_that_completes_the_turn_presses() {
    let auto = |terms: Value| {
        let mut terms = terms;
        terms["press"] = "auto".into();
        terms["time"] = "60+2".into();
        with_terms("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", terms)
    };
    let mut run = auto(json!({}));
    play(&mut run, "white e2e4");
    assert_eq!(run.get("/moves/white"), 1);
    play(&mut run, "black e7e5");
    assert_eq!(run.get("/moves/black"), 0);
    play(&mut run, "black draw AB");
    assert_eq!(run.get("/moves/black"), 1);
    // An answer completes the turn if no card is drawn after it.
    let mut run = auto(json!({}));
    cards(&mut run, "QX 25", "-");
    play(&mut run, "white play e2e4");
    assert_eq!(run.get("/moves/white"), 0);
    play(&mut run, "black confirm");
    assert_eq!((run.get("/moves/white"), run.get("/to_act")), (json!(1), json!("black")));
    play(&mut run, "{\"do\":\"undo\"}");
    assert_eq!(game(&run, "cards")["white"], "QX");
    assert_eq!(run.get("/phase"), "play");
}

#[test]
fn k15_while_paused_move_play_and_draw_wait() {
    let mut run = usual();
    play(&mut run, "white e2e4; black e7e5; arbiter pause");
    assert_eq!(tries(&mut run, "black draw AB"), "paused");
    assert!(!legal(&run, "draw", "black"));
    play(&mut run, "black resume; black draw QX 25; white d2d4; white draw ?; white press; white pause");
    assert_eq!(tries(&mut run, "black play b8c6"), "paused");
    assert_eq!(tries(&mut run, "black b8c6"), "paused");
    play(&mut run, "white check mate; black confirm");
    assert_eq!(run.outcome(), "A checkmate");
}

#[test]
fn k16_undo_takes_a_pressed_turn_back_and_the_told_codes_with_it() {
    let mut run = usual();
    play(&mut run, "white e2e4; white press; black e7e5; black offer-draw; black draw AB; black press");
    play(&mut run, r#"{"do":"undo"}"#);
    assert_eq!((game(&run, "moves"), game(&run, "deck")), (json!(["e2e4"]), json!(256)));
    play(&mut run, "black d7d5; black draw AB");
    play(&mut run, r#"{"do":"undo"}"#);
    assert_eq!(run.get("/phase"), "draw", "in an unfinished turn its last line");
    play(&mut run, r#"{"do":"undo"}"#);
    assert_eq!(game(&run, "moves"), json!(["e2e4"]));
    play(&mut run, r#"{"do":"redo"}; {"do":"redo"}"#);
    assert_eq!(game(&run, "cards")["black"], "AB");
}

#[test]
fn k16_a_play_that_was_rejected_goes_back_with_its_turn() {
    let mut run = usual();
    play(
        &mut run,
        "white e2e4; white press; black e7e5; black draw QX 25; black press; white d2d4; white draw ?; white press",
    );
    play(
        &mut run,
        "black play b8c6; white reject; black play b8a6; white confirm; black draw ?; black press",
    );
    play(&mut run, r#"{"do":"undo"}"#);
    assert_eq!(game(&run, "cards")["black"], "QX");
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("play"), json!("black")));
}

#[test]
fn k16_a_ruling_that_ends_an_unfinished_turn_ends_it_for_undo() {
    let mut run = usual();
    play(&mut run, "white e2e4; white press; black e7e5");
    let ruled = json!({"fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"});
    assert_eq!(rule(&mut run, ruled), "");
    play(&mut run, "black d7d5; black draw AB; black press");
    play(&mut run, r#"{"do":"undo"}"#);
    assert_eq!(game(&run, "moves"), json!(["e2e4", "e7e5"]), "the ruling stays");
    play(&mut run, r#"{"do":"undo"}"#);
    assert_eq!(run.get("/phase"), "draw", "the ruling goes, and the turn that it ended goes on");
}

#[test]
fn k17_next_has_a_new_deck_and_colours_swapped() {
    let mut run = usual();
    play(&mut run, r#"white e2e4; black e7e5; black draw AB; white resign; {"do":"next"}"#);
    let games = run.get("/games");
    assert_eq!(games[1]["white"], "B");
    assert_eq!(
        (games[1]["deck"].clone(), games[1]["cards"].clone()),
        (json!(256), json!({"white": null, "black": null}))
    );
    play(&mut run, "white e2e4; black e7e5; black draw AB");
}

#[test]
fn a_card_that_is_not_known_is_told_when_it_is_played() {
    let mut run = with_terms("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - -", json!({"confirm": "none"}));
    cards(&mut run, "?", "AC 50");
    assert_eq!(tries(&mut run, "white play a2a5"), "points-missing");
    assert_eq!(tries(&mut run, "white play a2a5 card AC elo 50"), "told-already");
    assert_eq!(tries(&mut run, "white play a2a5 as N=P elo 50"), "points-not-needed");
    play(&mut run, "white play a2a5 card AB elo 50");
    assert_eq!(game(&run, "moves"), json!(["AB:a2a5"]));
    assert_eq!(game(&run, "piles")["A"]["up"], json!(["AB"]));
    assert_eq!(tries(&mut run, "black play d7d5 card AB"), "another-card");
    assert_eq!(tries(&mut run, "black play d7d5 elo 50"), "points-not-needed");
    play(&mut run, "black play d7d5 card AC");
    let mut run = with_terms("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - -", json!({"confirm": "none"}));
    cards(&mut run, "?", "-");
    play(&mut run, "white play elo 30");
    assert_eq!((game(&run, "moves"), game(&run, "piles")["A"]["up"].clone()), (json!(["?:"]), json!(["?"])));
}

#[test]
fn a_move_carries_a_stand_in_only_if_it_promotes() {
    let mut run = at("6k1/P7/8/8/8/8/8/4K3 w - -");
    assert_eq!(
        line(&mut run, json!({"do": "move", "by": "white", "uci": "e1e2", "stands": "R"})),
        "nothing-stands-in"
    );
    assert_eq!(tries(&mut run, "white a7a8"), "illegal-move");
    assert_eq!(line(&mut run, json!({"do": "move", "by": "white", "uci": "a7a8n", "stands": "R"})), "");
}

#[test]
fn the_turn_after_a_drawn_card_is_understood_from_the_board() {
    let lines = [
        r#"{"t":0,"do":"press","by":"black"}"#,
        r#"{"t":8000,"do":"sees","board":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"}"#,
        r#"{"t":9400,"do":"press","by":"white"}"#,
        r#"{"t":15000,"do":"sees","board":"r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/RNBQKBNR"}"#,
        r#"{"t":23000,"do":"draw","by":"black","card":"VY"}"#,
        r#"{"t":24000,"do":"press","by":"black"}"#,
        r#"{"t":35000,"do":"sees","board":"r1bqkbnr/pppppppp/2n5/8/4P3/5N2/PPPP1PPP/RNBQKB1R"}"#,
        r#"{"t":44000,"do":"press","by":"white"}"#,
    ];
    let header =
        r#"{"tabiya":1,"game":"chess-joker","players":{"A":"x","B":"y"},"white":"A","terms":{"time":"600"}}"#;
    let header = tabiya_engine::record::Header::parse(header, tabiya_engine::rules::GAMES).unwrap();
    let mut infer = tabiya_engine::record::Infer::new(header);
    for (number, line) in (2..).zip(lines) {
        infer.feed(number, line).unwrap();
    }
    let inferred = infer.finish();
    assert!(inferred.understood);
    let written: Vec<String> = inferred.lines.iter().map(ToString::to_string).collect();
    assert!(written.iter().any(|line| line.contains("g1f3")), "{written:?}");
}

#[test]
fn a_use_and_a_move_that_leave_the_same_board_are_the_use() {
    let lines = [
        r#"{"t":0,"do":"rule","by":"arbiter","set":{"cards":{"white":{"card":"AA","elo":50,"effect":"move pawn"}}},"reason":"a test"}"#,
        r#"{"t":100,"do":"sees","board":"4k3/8/8/8/8/8/4P3/4K3"}"#,
        r#"{"t":200,"do":"press","by":"black"}"#,
        r#"{"t":8000,"do":"sees","board":"4k3/8/8/8/4P3/8/8/4K3"}"#,
        r#"{"t":9400,"do":"press","by":"white"}"#,
    ];
    let header = r#"{"tabiya":1,"game":"chess-joker","players":{"A":"x","B":"y"},"white":"A","terms":{"time":"600","fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}}"#;
    let header = tabiya_engine::record::Header::parse(header, tabiya_engine::rules::GAMES).unwrap();
    let mut infer = tabiya_engine::record::Infer::new(header);
    for (number, line) in (2..).zip(lines) {
        infer.feed(number, line).unwrap();
    }
    let written: Vec<String> = infer.finish().lines.iter().map(ToString::to_string).collect();
    assert!(written.iter().any(|line| line.contains(r#""do":"play""#)), "{written:?}");
}
