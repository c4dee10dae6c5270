//! Its lines in the record: `docs/record-poker-chess.md`, paragraph by paragraph.

use serde_json::{Value, json};
use tabiya_engine::record::Line;
use tabiya_engine::record::Replay;
use tabiya_engine::rules::{GAMES, Goal, Score};
use tabiya_types::ByColor;

use super::{ROUND, ended_by, game, hand, score, set, turn, turns};
use crate::support::{Run, begin, form_error, header, try_play};

/// Each player moves, and both have chosen their pieces.
const CHOSEN: &str = "white a2a3; black a7a6; black choose a8,h8,d8,e8,e7; white choose a1,h1,d1,e1,d2";

#[track_caller]
fn refused(terms: &str, script: &str) -> Vec<&'static str> {
    try_play(&format!("poker-chess, {terms}"), script).rules()
}

// ---- 1. Header ----

#[test]
fn a_header_needs_no_terms() {
    let header = r#"{"tabiya":1,"game":"poker-chess","players":{"A":"Ann","B":"Bo"},"white":"A"}"#;
    let run = begin(header);
    assert_eq!(run.get("/games/0/deal"), "corner-aces");
    let score = run.replay.table().game().score();
    let none = ByColor { white: 0, black: 0 };
    assert_eq!(score, Some(Score { points: none, wins: Some(Goal::Lead(5)) }));
}

/// What is wrong with a header; `None` if it can be used.
fn unusable(terms: &str) -> Option<String> {
    Replay::begin(&header(&format!("poker-chess, {terms}")), GAMES).err().map(|error| error.to_string())
}

#[test]
fn terms_that_cannot_be_are_unusable() {
    for terms in [
        "wipeout 0",
        "wipeout 1001",
        r#"wipeout "5""#,
        "wipeout 1.5",
        "wipeout -1",
        "mate_bonus 1001",
        "mate_bonus null",
        "choice worst",
        "choice true",
        "deal nobody",
        "deal Corner-Aces",
        "deal 7",
        "deal null",
        "deal []",
        r#"deal ["Ah"]"#,
        "unheard 1",
    ] {
        assert!(unusable(terms).is_some(), "{terms}");
    }
    for terms in
        ["wipeout 1", "wipeout 1000", "mate_bonus 0", "mate_bonus 1000", "choice best", "choice player"]
    {
        assert_eq!(unusable(terms), None, "{terms}");
    }
}

fn cards(suits: [char; 2]) -> Vec<String> {
    suits.iter().flat_map(|suit| "A23456789TJQK".chars().map(move |rank| format!("{rank}{suit}"))).collect()
}

#[test]
fn a_list_has_each_card_of_its_half_once() {
    let deal = |cards: &[String]| unusable(&format!("deal {}", Value::from(cards.to_vec())));
    let (red, black) = (cards(['h', 'd']), cards(['s', 'c']));
    let both: Vec<String> = red.iter().chain(&black).cloned().collect();
    assert_eq!((deal(&red), deal(&both)), (None, None));
    let with = |nth: usize, card: &str| {
        let mut cards = both.clone();
        card.clone_into(&mut cards[nth]);
        cards
    };
    for wrong in [
        black.clone(),
        black.iter().chain(&red).cloned().collect(),
        red[1..].to_vec(),
        both[..51].to_vec(),
        both[..27].to_vec(),
        both.iter().chain([&both[0]]).cloned().collect(),
        with(0, "2h"),
        with(0, "As"),
        with(30, "Ah"),
        with(0, "AH"),
        with(0, "ah"),
        with(0, "10h"),
        with(0, "A"),
        with(0, "Ahh"),
        with(0, ""),
        with(0, "?"),
    ] {
        assert!(deal(&wrong).is_some(), "{wrong:?}");
    }
}

#[test]
fn fen_chess960_and_stacks_say_nothing() {
    let terms = r#"fen "8/8/8/8/8/8/8/8", chess960 true, stacks {"A":5,"B":5}"#;
    let run = game(terms, "white e2e4");
    assert_eq!((run.get("/stacks"), run.get("/games/0/moves")), (json!({"A": 0, "B": 0}), json!(["e2e4"])));
}

// ---- 2. Lines ----

#[test]
fn choose_names_one_to_five_different_squares() {
    let choose = |squares: &str| {
        form_error("poker-chess", &format!(r#"{{"t":0,"do":"choose","by":"black","squares":{squares}}}"#))
    };
    for right in [r#"["a1"]"#, r#"["h8","a1","b2","c3","d4"]"#] {
        assert_eq!(choose(right), None, "{right}");
    }
    for wrong in [
        "[]",
        r#"["a1","a1"]"#,
        r#"["a1","b1","c1","d1","e1","f1"]"#,
        r#"["i1"]"#,
        r#"["A1"]"#,
        r#""a1""#,
        "[1]",
        "null",
        r#"{"a1":1}"#,
    ] {
        assert!(choose(wrong).is_some(), "{wrong}");
    }
    for line in [
        r#"{"t":0,"do":"choose","by":"black"}"#,
        r#"{"t":0,"do":"choose","squares":["a1"]}"#,
        r#"{"t":0,"do":"choose","by":"arbiter","squares":["a1"]}"#,
        r#"{"t":0,"do":"choose","by":"black","squares":["a1"],"at":"a1"}"#,
    ] {
        assert!(form_error("poker-chess", line).is_some(), "{line}");
    }
    assert!(form_error("chess", r#"{"t":0,"do":"choose","by":"black","squares":["a1"]}"#).is_some());
}

#[test]
fn its_lines_read_back_as_they_were_written() {
    let run = begin(&header("poker-chess"));
    let red = Value::from(cards(['h', 'd']));
    for line in [
        r#"{"t":5,"do":"choose","by":"white","squares":["h1","a1"],"when":3}"#.to_owned(),
        r#"{"t":5,"do":"next","deal":"royal-flush"}"#.to_owned(),
        format!(r#"{{"t":5,"do":"next","deal":{red}}}"#),
        r#"{"t":5,"do":"next"}"#.to_owned(),
    ] {
        assert_eq!(Line::parse(&line, run.replay.header()).unwrap().to_string(), line);
    }
}

#[test]
fn inputs_of_other_games_are_unusable() {
    for line in [
        r#"{"t":0,"do":"deal"}"#,
        r#"{"t":0,"do":"bet","by":"white","action":"fold"}"#,
        r#"{"t":0,"do":"reveal","by":"white","card":"Q"}"#,
        r#"{"t":0,"do":"place","by":"white","piece":"Q","at":"d1"}"#,
        r#"{"t":0,"do":"correct","by":"white","at":"d1","piece":"Q"}"#,
        r#"{"t":0,"do":"fouled","by":"white","reason":"x"}"#,
        r#"{"t":0,"do":"next","becket":true}"#,
        r#"{"t":0,"do":"next","deal":"nobody"}"#,
        r#"{"t":0,"do":"next","deal":["Ah"]}"#,
        r#"{"t":0,"do":"next","wipeout":3}"#,
        r#"{"t":0,"do":"rule","by":"arbiter","reason":"x","set":{"score":{"A":1}}}"#,
    ] {
        assert!(form_error("poker-chess", line).is_some(), "{line}");
    }
    assert!(
        form_error("poker-chess", r#"{"t":0,"do":"stands","by":"white","piece":"Q","as":"R"}"#).is_none()
    );
}

// ---- 3. How lines act ----

#[test]
fn a_hand_does_not_depend_on_the_press() {
    let forgot = game("", "white e2e4; black e7e5; white d1e2; black a7a6; white a2a3");
    let pressed = game("", "white e2e4!; black e7e5!; white d1e2!; black a7a6!; white a2a3");
    let without = |run: &Run| run.get("/games/0/hands");
    assert_eq!((without(&forgot), score(&forgot)), (without(&pressed), (1, 0)));
    assert_eq!(turns(&game("", "white e2e4; black e7e5")), ["1"], "it is decided before the press");
}

#[test]
fn of_equal_hands_the_squares_that_come_first_are_reported() {
    // d2 and e2 both have a king.
    assert_eq!(hand(&game("", "white a2a3; black a7a6"), 1, "white"), "AATTK two-pair a1 d1 e1 h1 d2");
    let run = game("", "white d2d3; black a7a6");
    assert_eq!(hand(&run, 1, "white"), "AATTK two-pair a1 d1 e1 h1 e2");
}

#[test]
fn the_count_of_turns_goes_on_after_a_ruling() {
    // Black moves twice, because the arbiter gives him the turn.
    let script = r#"white a2a3; black a7a6; rule {"to_act":"black"}; black b7b6; white b2b3; black c7c6"#;
    let run = game("", script);
    assert_eq!((turns(&run), score(&run)), (["1", "2", "3"].map(str::to_owned).to_vec(), (0, 0)));
}

#[test]
fn a_ruling_of_the_position_makes_no_hand_but_may_end_the_chess() {
    let run = game("", &set("7k/8/8/8/8/8/8/RK6 b - - 0 1"));
    assert_eq!((turns(&run).len(), run.outcome()), (0, "-".to_owned()));
    // Mate is given by the side that is not to move.
    let run = game("", &set("R6k/8/6K1/8/8/8/8/8 b - - 0 1"));
    assert_eq!((run.outcome(), ended_by(&run), score(&run)), ("A hands".into(), "checkmate".into(), (4, 0)));
    let run = game("", &set("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"));
    assert_eq!((run.outcome(), ended_by(&run)), ("nobody hands".into(), "stalemate".into()));
    let run = game("", &set("7k/8/6K1/8/8/8/8/8 b - - 0 1"));
    assert_eq!(ended_by(&run), "insufficient-material");
}

#[test]
fn a_winner_by_ruling_leaves_the_score_and_the_end_of_the_chess() {
    let mate = "white f2f3; black e7e5; white g2g4; black d8h4";
    let run = game("", &format!(r#"{mate}; rule {{"winner":"A"}}"#));
    assert_eq!((run.outcome(), ended_by(&run), score(&run)), ("A ruling".into(), "checkmate".into(), (0, 4)));
    let run = game("", r#"white e2e4; black e7e5; white d1e2; black a7a6; rule {"winner":null}"#);
    assert_eq!((run.outcome(), ended_by(&run), score(&run)), ("nobody ruling".into(), String::new(), (1, 0)));
}

#[test]
fn chips_cannot_be_ruled() {
    let rule = r#"rule {"stacks":{"A":1},"chips":"added"}"#;
    assert_eq!(refused("", rule), ["no-chips"]);
}

#[test]
fn the_draw_of_an_even_score_goes_to_who_wins_draws() {
    let run = game("draw_wins black", &[ROUND; 2].join("; "));
    assert_eq!((run.outcome(), ended_by(&run)), ("B hands".to_owned(), "repetition".to_owned()));
}

#[test]
fn first_black_chooses_and_then_white() {
    let run = game("choice player", "white a2a3; black a7a6");
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("hand"), json!("black")));
    assert_eq!(turns(&run), [""; 0]);
    let run = game("choice player", "white a2a3; black a7a6; black choose a8,h8,d8,e8,e7");
    assert_eq!(
        (run.get("/phase"), run.get("/to_act"), turns(&run).len()),
        (json!("hand"), json!("white"), 0)
    );
    let run = game("choice player", CHOSEN);
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("chess"), json!("white")));
    assert_eq!(
        (turn(&run, 1), hand(&run, 1, "black")),
        ("AATTK AATTK -".into(), "AATTK two-pair e7 a8 d8 e8 h8".into())
    );
    let run = game("choice player, wipeout 1", &CHOSEN.replace("e8,e7", "e8,b7"));
    assert_eq!((run.outcome(), run.get("/phase")), ("A wipeout".to_owned(), json!("over")));
}

#[test]
fn who_is_not_to_choose_is_refused() {
    let moved = "white a2a3; black a7a6";
    let (black, white) = ("black choose a8,h8,d8,e8,e7", "white choose a1,h1,d1,e1,d2");
    let player = |script: &str| refused("choice player", script);
    assert_eq!(player(white), ["not-to-choose"], "before the first turn");
    assert_eq!(player(&format!("white a2a3; {black}")), ["not-to-choose"]);
    assert_eq!(player(&format!("{moved}; {white}")), ["not-to-choose"], "Black is first");
    assert_eq!(player(&format!("{moved}; {black}; {black}")), ["not-to-choose"], "a second one");
    assert_eq!(player(&format!("{moved}; {black}; {white}; {white}")), ["not-to-choose"]);
    assert_eq!(player(&format!("{moved}; {black}; {white}; {black}")), ["not-to-choose"]);
    assert_eq!(refused("", &format!("{moved}; {black}; {white}")), ["not-to-choose"; 2]);
    assert_eq!(player(&format!("{moved}; {black}; white resign; {white}")), ["game-over"]);
}

#[test]
fn the_pieces_chosen_are_one_of_the_sets() {
    let choose =
        |squares: &str| refused("choice player", &format!("white a2a3; black a7a6; black choose {squares}"));
    assert_eq!(choose("a8,h8,d8,e8,a6"), [""; 0], "in any order");
    for squares in [
        "a8,h8,d8,e8",
        "a8,h8,d8,e7,d7",
        "a8,h8,d8,e8,b8",
        "a8,h8,d8,e8,a7",
        "a8,h8,d8,e8,a2",
        "a1,h1,d1,e1,d2",
        "e8",
    ] {
        assert_eq!(choose(squares), ["no-such-hand"], "{squares}");
    }
    let run = try_play("poker-chess, choice player", "white a2a3; black a7a6; black choose e8");
    assert_eq!(
        run.messages(),
        [
            "these pieces form no hand of Black; Black: name the pieces of the hand (a8, d8, e8, h8 and 1 of a6, b7, c7, \
          d7, e7, f7, g7, h7)"
        ]
    );
}

#[test]
fn a_piece_without_a_card_must_be_chosen_too() {
    let moved = "white e2e4; black e7e5; black choose a8,h8,d8,e8,d7; white choose a1,h1,d1,e1,e4; white d1g4; black b7b6; \
                 black choose a8,h8,d8,e8,e5";
    let run = game("choice player", moved);
    assert_eq!(turn(&run, 1), "AATT AATTK B");
    let run = game("choice player", &format!("{moved}; white choose a1,h1,g4,e1,e4"));
    assert_eq!(turn(&run, 2), "AAJT AATT B");
}

#[test]
fn while_hands_are_chosen_only_a_resignation_is_accepted() {
    let before = "white offer-draw; white a2a3; black offer-draw; black a7a6";
    for tail in ["", "; black choose a8,h8,d8,e8,e7", "; black choose a8,h8,d8,e8,e7; black press"] {
        for line in [
            "white b2b3",
            "black b7b6",
            "white claim-draw",
            "black claim-draw",
            "white offer-draw",
            "black offer-draw",
            "white accept-draw",
            "black accept-draw",
            "white decline-draw",
            "black decline-draw",
            r#"rule {"to_act":"white"}"#,
            r#"rule {"fen":"7k/8/8/8/8/8/8/RK6\u0020w\u0020-\u0020-\u00200\u00201"}"#,
        ] {
            assert_eq!(
                refused("choice player", &format!("{before}{tail}; {line}")),
                ["choose-first"],
                "{tail}; {line}"
            );
        }
        for (line, outcome) in [
            ("white resign", "B resignation"),
            ("black resign", "A resignation"),
            (r#"rule {"winner":"A"}"#, "A ruling"),
            (r#"rule {"winner":null}"#, "nobody ruling"),
        ] {
            assert_eq!(
                game("choice player", &format!("{before}{tail}; {line}")).outcome(),
                outcome,
                "{tail}; {line}"
            );
        }
    }
    // An offer that was open stays so.
    let run =
        game("choice player", &format!("white a2a3; black offer-draw; {}; white accept-draw", &CHOSEN[12..]));
    assert_eq!(run.outcome(), "nobody agreement");
}

#[test]
fn a_move_that_ends_the_chess_is_followed_by_the_best_hands() {
    let stalemate = format!("{}; black g3f2", set("8/8/8/8/8/5kq1/8/7K b - - 0 1"));
    let run = game("choice player", &stalemate);
    assert_eq!(
        (turn(&run, 1), ended_by(&run), run.outcome()),
        ("A Q9 A".into(), "stalemate".into(), "A hands".into())
    );
    let run = game(
        "choice player",
        "white f2f3; black e7e5; black choose a8,h8,d8,e8,d7; white choose a1,h1,d1,e1,d2; \
        white g2g4; black d8h4",
    );
    assert_eq!((run.outcome(), turns(&run)), ("B hands".to_owned(), vec!["1".to_owned()]));
}

#[test]
fn choosing_is_part_of_the_turn_on_the_clock() {
    let start = "0:00 black press; 0:05 white a2a3!; 0:08 black a7a6";
    // Black has not chosen, so he cannot press, and his clock runs.
    let run =
        try_play("poker-chess, choice player, time 60", &format!("{start}; 0:10 black press; 0:20 tick"));
    assert_eq!((run.rules(), run.clocks()), (vec!["choose-first"], (55_000, 45_000)));
    let black = "black choose a8,h8,d8,e8,e7";
    let run = game("choice player, time 60", &format!("{start}; 0:10 {black}; 0:12 black press; 0:20 tick"));
    assert_eq!(run.clocks(), (47_000, 53_000));
    // White's choice counts as the press that Black did not give.
    let white = "white choose a1,h1,d1,e1,d2";
    let run = game("choice player, time 60", &format!("{start}; 0:10 {black}; 0:12 {white}; 0:20 tick"));
    assert_eq!(run.clocks(), (47_000, 53_000));
    let run =
        game("choice player, time 60", &format!("{start}; 0:10 {black}; 0:15 {white} when 0:12; 0:20 tick"));
    assert_eq!(run.clocks(), (47_000, 53_000));
    // White has chosen, but not moved.
    let run = try_play(
        "poker-chess, choice player, time 60",
        &format!(
            "{start}; 0:10 {black}; 0:12 {white}; 0:13 white press; 0:14 white b2b3; 0:15 white press; 0:20 tick"
        ),
    );
    assert_eq!((run.rules(), run.clocks()), (vec!["press-too-early"], (52_000, 48_000)));
}

#[test]
fn without_a_press_black_s_choice_ends_his_turn() {
    let terms = "choice player, time 60, press auto";
    let start = "0:00 white a2a3; 0:05 black a7a6";
    let run = game(terms, &format!("{start}; 0:10 tick"));
    assert_eq!((run.clocks(), run.get("/to_act")), ((60_000, 50_000), json!("black")));
    let run = game(terms, &format!("{start}; 0:07 black choose a8,h8,d8,e8,e7; 0:10 tick"));
    assert_eq!(run.clocks(), (57_000, 53_000));
    // White's choice ends nothing; his move does.
    let white = "0:08 white choose a1,h1,d1,e1,d2";
    let run = game(terms, &format!("{start}; 0:07 black choose a8,h8,d8,e8,e7; {white}; 0:10 tick"));
    assert_eq!(run.clocks(), (57_000, 53_000));
    let run = game(
        terms,
        &format!("{start}; 0:07 black choose a8,h8,d8,e8,e7; {white}; 0:09 white b2b3; 0:11 tick"),
    );
    assert_eq!(run.clocks(), (58_000, 51_000));
}

#[test]
fn a_turn_is_taken_back_with_its_choice() {
    // Black's turn: the move, the choice and the press.
    let moved = "white a2a3!; black a7a6; black choose a8,h8,d8,e8,e7";
    let run = game("choice player", &format!("{moved}; black press; undo"));
    assert_eq!((run.get("/phase"), run.get("/games/0/moves")), (json!("chess"), json!(["a2a3"])));
    // In an unfinished turn, its last line.
    let run = game("choice player", &format!("{moved}; undo"));
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("hand"), json!("black")));
    // White's turn: the choice, the move and the press, and the hand with them.
    let white = "white choose a1,h1,d1,e1,b2";
    let run = game(
        "choice player",
        &format!("{moved}!; {white}; white b2b3; white press; undo").replace("e7!", "e7"),
    );
    assert_eq!((run.get("/phase"), turns(&run).len(), score(&run)), (json!("hand"), 0, (0, 0)));
    let run = game("choice player", &format!("{moved}; {white}; undo"));
    assert_eq!((run.get("/to_act"), turns(&run).len()), (json!("white"), 0));
    let run = game("choice player", &format!("{moved}; {white}; undo; redo"));
    assert_eq!((turn(&run, 1), score(&run)), ("AATT5 AATTK B".into(), (0, 1)));
    for what in ["undo", "undo game"] {
        let run =
            game("choice player", &format!("{moved}; {white}; white b2b3; white press; {what}; {what}"));
        assert_eq!(
            (run.get("/games/0/moves"), run.get("/phase")),
            (json!(["a2a3", "a7a6"]), json!("hand")),
            "{what}"
        );
    }
    // With best hands, the hand and the score go with the move.
    let run = game("", "white e2e4; black e7e5; white d1e2; black a7a6; undo");
    assert_eq!((turns(&run), score(&run)), (vec!["1".to_owned()], (0, 0)));
    let run = game("wipeout 1", "white e2e4; black e7e5; white d1e2; black a7a6; undo; black d8e7");
    assert_eq!((turn(&run, 2), run.outcome()), ("AAKKT AAKKT -".into(), "-".into()));
}

#[test]
fn while_paused_a_choice_has_to_wait() {
    let script = "white a2a3; black a7a6; black pause; black choose a8,h8,d8,e8,e7; black resume; black choose a8,h8,d8,e8,e7";
    assert_eq!(refused("choice player", script), ["paused"]);
    let run = game("choice player", "white a2a3; black a7a6; black pause");
    assert_eq!(run.legal(), [r#"{"do":"resign","by":"white"}"#, r#"{"do":"resign","by":"black"}"#]);
}

// ---- 4. Results ----

#[test]
fn the_report_lists_the_hands_and_the_score_by_seat() {
    let run = game("white B", "white e2e4; black e7e5; white d1e2; black a7a6");
    let game = run.get("/games/0");
    assert_eq!(
        game["hands"]["2"],
        json!({
            "white": {"cards": "AAKKT", "name": "two-pair", "squares": ["a1", "e1", "h1", "d2", "e2"]},
            "black": {"cards": "AATTK", "name": "two-pair", "squares": ["d7", "a8", "d8", "e8", "h8"]},
            "winner": "B",
        })
    );
    assert_eq!(game["hands"]["1"]["winner"], Value::Null);
    assert_eq!((&game["score"], &game["ended_by"]), (&json!({"A": 0, "B": 1}), &Value::Null));
    assert_eq!((&game["outcome"], &game["incidents"]), (&Value::Null, &json!([])));
    let before = begin(&header("poker-chess")).get("/games/0");
    let keys: Vec<&String> = before.as_object().unwrap().keys().collect();
    for key in ["hands", "score", "ended_by", "deal", "white", "outcome", "start_fen", "moves", "clock_ms"] {
        assert!(keys.contains(&&key.to_owned()), "{key}");
    }
    assert_eq!((&before["hands"], &before["score"]), (&json!({}), &json!({"A": 0, "B": 0})));
}

#[test]
fn each_game_has_its_own_hands_and_score() {
    let first = "white e2e4; black e7e5; white d1e2; black a7a6; white resign";
    let run = game("games 2", &format!("{first}; next; white a2a3; black a7a6; black resign"));
    assert_eq!(
        (run.get("/games/0/score"), run.get("/games/1/score")),
        (json!({"A": 1, "B": 0}), json!({"A": 0, "B": 0}))
    );
    assert_eq!(
        (run.get("/phase"), run.get("/legal"), run.get("/to_act")),
        (json!("over"), json!([]), Value::Null)
    );
}

#[test]
fn legal_lists_what_may_be_chosen() {
    let resign = [r#"{"do":"resign","by":"white"}"#, r#"{"do":"resign","by":"black"}"#];
    let black = r#"{"do":"choose","by":"black","all":["a8","d8","e8","h8"],"some":[{"count":1,"of":["a6","b7","c7","d7","e7","f7","g7","h7"]}]}"#;
    let white = r#"{"do":"choose","by":"white","all":["a1","d1","e1","h1"],"some":[{"count":1,"of":["b2","c2","d2","e2","f2","g2","h2","a3"]}]}"#;
    let press = r#"{"do":"press","by":"black"}"#;
    let moved = "white a2a3; black a7a6";
    assert_eq!(game("choice player", moved).legal(), [resign[0], resign[1], black]);
    let chosen = format!("{moved}; black choose a8,h8,d8,e8,e7");
    assert_eq!(game("choice player", &chosen).legal(), [resign[0], resign[1], press, white]);
    let pressed = format!("{chosen}; black press");
    assert_eq!(game("choice player", &pressed).legal(), [resign[0], resign[1], white]);
    assert!(!game("", moved).legal().iter().any(|line| line.contains("choose")));
    // Nothing to choose; and one group where the fourth piece's kind is also the lowest.
    let few = format!("{}; black h8g8", set("7k/8/8/8/8/8/8/KQ6 b - - 0 1"));
    assert!(
        game("choice player", &few)
            .legal()
            .contains(&r#"{"do":"choose","by":"black","all":["g8"],"some":[]}"#.to_owned())
    );
    let many = format!("{}; black h8g8", set("7k/pppppp2/8/8/8/8/8/K7 b - - 0 1"));
    let one = r#"{"do":"choose","by":"black","all":["g8"],"some":[{"count":4,"of":["a7","b7","c7","d7","e7","f7"]}]}"#;
    assert!(game("choice player", &many).legal().contains(&one.to_owned()));
}

#[test]
fn consent_changes_nothing_but_itself() {
    let (with, without) =
        (game("", "white consent; white e2e4").report(), game("", "0:01 white e2e4").report());
    assert_eq!(with["games"], without["games"]);
}
