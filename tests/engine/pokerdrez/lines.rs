//! Its lines in the record: `docs/record-pokerdrez.md`, paragraph by paragraph.

use serde_json::{Value, json};
use tabiya_engine::record::secrets::{Exported, GameCards};
use tabiya_engine::record::{Line, Replay};
use tabiya_engine::rules::GAMES;
use tabiya_types::Color;

use super::{DEAL, cards, game, layable, legal, made_with, moves, refused, set, text, try_game, value};
use crate::support::{Run, begin, feed, form_error, header, play, try_play};

const BETS: &str = r#"bets {"least":5,"most":20}, stacks {"A":30,"B":30}"#;

// ---- 1. Header ----

/// What is wrong with a header; `None` if it can be used.
fn unusable(terms: &str) -> Option<String> {
    Replay::begin(&header(&format!("pokerdrez, {terms}")), GAMES).err().map(|error| error.to_string())
}

#[test]
fn a_header_needs_no_terms() {
    let run = begin(r#"{"tabiya":1,"game":"pokerdrez","players":{"A":"Ann","B":"Bo"},"white":"B"}"#);
    assert_eq!(
        (run.get("/phase"), run.get("/to_act"), value(&run, "stock")),
        (json!("pawns"), json!("black"), json!(56))
    );
    assert_eq!(cards(&run), "- - - - 56 black");
    assert_eq!(
        (value(&run, "start_fen"), value(&run, "raised_by"), value(&run, "hands")),
        (Value::Null, Value::Null, json!({}))
    );
}

#[test]
fn terms_that_cannot_be_are_unusable() {
    for terms in [
        "decks 0",
        "decks 3",
        "decks 1.5",
        r#"decks "1""#,
        "decks null",
        r#"bets {"least":1,"most":2}"#,
        r#"bets {"least":0,"most":2}, stacks {"A":5,"B":5}"#,
        r#"bets {"least":3,"most":2}, stacks {"A":5,"B":5}"#,
        r#"bets {"least":1}, stacks {"A":5,"B":5}"#,
        r#"bets {"most":1}, stacks {"A":5,"B":5}"#,
        r#"bets {"least":1,"most":2,"x":3}, stacks {"A":5,"B":5}"#,
        r#"bets {"least":1,"most":2}, stacks {"A":5}"#,
        r#"bets {"least":1,"most":2}, stacks {"A":5,"B":0}"#,
        r#"bets 5, stacks {"A":5,"B":5}"#,
        r#"bets null, stacks {"A":5,"B":5}"#,
        "stuck never",
        "stuck true",
        "dealer white",
        "unheard 1",
    ] {
        assert!(unusable(terms).is_some(), "{terms}");
    }
    for terms in [
        "decks 1",
        "decks 2",
        "stuck redraw",
        "stuck draw",
        "dealer arbiter",
        r#"stacks {"A":5,"B":5}"#,
        r#"bets {"least":2,"most":2}, stacks {"A":1,"B":9}"#,
        // The contract bounds no stake; the stacks bound what is played for.
        r#"bets {"least":2,"most":18446744073709551615}, stacks {"A":7,"B":9}"#,
        r#"bets {"least":4000000000,"most":4000000000}, stacks {"A":7,"B":9}"#,
    ] {
        assert_eq!(unusable(terms), None, "{terms}");
    }
}

#[test]
fn fen_chess960_and_the_terms_of_choker_say_nothing() {
    let terms = r#"fen "8/8/8/8/8/8/8/8", chess960 true, stacks {"A":5,"B":5}, small_blind 0"#;
    let run = game(terms, "white own P; white e2e4");
    assert_eq!((run.get("/stacks"), value(&run, "moves")), (json!({"A": 0, "B": 0}), json!(["e2e4"])));
}

// ---- 2. Lines ----

/// Whether the form of a line is right.
fn formed(line: &str) -> bool {
    form_error("pokerdrez", &format!(r#"{{"t":9,{line}}}"#)).is_none()
}

#[test]
fn lines_of_the_right_form() {
    for line in [
        r#""do":"remove","by":"black""#,
        r#""do":"remove","by":"white","at":"h8""#,
        r#""do":"deal""#,
        r#""do":"deal","cards":{}"#,
        r#""do":"deal","cards":{"common":["J","X"],"white":["?"],"black":[]}"#,
        r#""do":"reveal","by":"white","card":"X","from":"own","how":"read","copy":9,"when":5"#,
        r#""do":"reveal","by":"white","card":"J","from":"common""#,
        r#""do":"return","by":"white","card":"P","how":"typed","copy":0,"when":5"#,
        r#""do":"roll","by":"white","pips":6,"when":9"#,
        r#""do":"swap","by":"white","from":"own","with":"stock","when":5"#,
        r#""do":"swap","by":"white","from":"own","with":"opponent""#,
        r#""do":"swap","by":"white","from":"own","with":"common","card":"X""#,
        r#""do":"swap","by":"white","from":"common","with":"stock","card":"Q""#,
        r#""do":"swap","by":"white","from":"common","with":"opponent","card":"Q""#,
        r#""do":"show","by":"white","cards":["Q","Q"],"when":5"#,
        r#""do":"bet","by":"white","action":"raise","to":5"#,
        r#""do":"bet","by":"white","action":"check""#,
        r#""do":"fouled","by":"arbiter","reason":"?""#,
        r#""do":"rule","by":"arbiter","reason":"?","set":{"common":["Q","R","B","N","P"],"stock":103,"die":"white"}"#,
    ] {
        assert!(formed(line), "{line}");
    }
}

#[test]
fn lines_of_a_wrong_form_are_unusable() {
    for line in [
        r#""do":"remove","by":"arbiter""#,
        r#""do":"remove","by":"white","at":"i1""#,
        r#""do":"remove","by":"white","when":5"#,
        r#""do":"deal","when":5"#,
        r#""do":"deal","cards":["Q"]"#,
        r#""do":"deal","cards":{"common":["?","Q","Q","Q","Q"]}"#,
        r#""do":"deal","cards":{"common":["K"]}"#,
        r#""do":"deal","cards":{"white":["q"]}"#,
        r#""do":"deal","cards":{"row":["Q"]}"#,
        r#""do":"reveal","by":"white","card":"P""#,
        r#""do":"reveal","by":"white","from":"own""#,
        r#""do":"reveal","by":"white","card":"?","from":"own""#,
        r#""do":"reveal","by":"white","card":"K","from":"own""#,
        r#""do":"reveal","by":"white","card":"P","from":"stock""#,
        r#""do":"return","by":"white","card":"P","from":"own""#,
        r#""do":"return","by":"white","card":"?""#,
        r#""do":"roll","by":"white""#,
        r#""do":"roll","by":"white","pips":0"#,
        r#""do":"roll","by":"white","pips":7"#,
        r#""do":"roll","by":"white","pips":"3""#,
        r#""do":"swap","by":"white","from":"own","with":"stock","card":"Q""#,
        r#""do":"swap","by":"white","from":"own","with":"opponent","card":"Q""#,
        r#""do":"swap","by":"white","from":"own","with":"common""#,
        r#""do":"swap","by":"white","from":"common","with":"stock""#,
        r#""do":"swap","by":"white","from":"common","with":"opponent""#,
        r#""do":"swap","by":"white","from":"common","with":"common","card":"Q""#,
        r#""do":"swap","by":"white","from":"common","with":"common""#,
        r#""do":"swap","by":"white","from":"stock","with":"own""#,
        r#""do":"swap","by":"white","with":"stock""#,
        r#""do":"show","by":"white""#,
        r#""do":"show","by":"white","cards":["Q"]"#,
        r#""do":"show","by":"white","cards":["Q","Q","Q"]"#,
        r#""do":"show","by":"white","cards":["Q","?"]"#,
        r#""do":"show","by":"white","cards":"QQ""#,
        r#""do":"bet","by":"white","action":"raise""#,
        r#""do":"bet","by":"white","action":"call","to":5"#,
        r#""do":"bet","by":"white","action":"rise""#,
        r#""do":"fouled","by":"white""#,
        r#""do":"rule","by":"arbiter","reason":"?","set":{"common":["Q","R","B","N"]}"#,
        r#""do":"rule","by":"arbiter","reason":"?","set":{"common":["Q","R","B","N","?"]}"#,
        r#""do":"rule","by":"arbiter","reason":"?","set":{"stock":104}"#,
        r#""do":"rule","by":"arbiter","reason":"?","set":{"stock":-1}"#,
        r#""do":"rule","by":"arbiter","reason":"?","set":{"die":"nobody"}"#,
        r#""do":"rule","by":"arbiter","reason":"?","set":{"used":["Q"]}"#,
        r#""do":"next","decks":2"#,
        r#""do":"reveal","by":"white","card":"P","from":"own","when":10"#,
    ] {
        assert!(!formed(line), "{line}");
    }
}

#[test]
fn the_cards_of_a_ruling_say_nothing_in_other_games() {
    let line = r#"{"t":0,"do":"rule","by":"arbiter","reason":"?","set":{"stock":3}}"#;
    assert!(form_error("chess", line).is_some());
    assert!(form_error("choker", r#"{"t":0,"do":"roll","by":"white","pips":3}"#).is_some());
}

// ---- 3. How lines act ----

#[test]
fn point_1_the_choice_of_pawns_in_legal() {
    let run = play("pokerdrez", "tick");
    let all = r#"{"at":["a7","b7","c7","d7","e7","f7","g7","h7"]}"#;
    assert_eq!(legal(&run, "remove", "black"), [all, "{}"]);
    assert_eq!(legal(&run, "remove", "white"), [""; 0]);
    assert_eq!(legal(&run, "deal", "white"), ["{}"]);
    let run = play("pokerdrez", "black remove c7");
    assert_eq!(run.get("/to_act"), "white");
    assert_eq!(legal(&run, "remove", "white"), [r#"{"at":["a2","b2","d2","e2","f2","g2","h2"]}"#, "{}"]);
    let run = play("pokerdrez", "black remove; white remove");
    assert_eq!((run.get("/phase"), run.legal()), (json!("deal"), vec![r#"{"do":"deal"}"#.to_owned()]));
    assert_eq!(play("pokerdrez", DEAL).get("/phase"), "chess");
}

#[test]
fn point_2_the_deal_starts_no_clock() {
    let clocks = |script: &str| play("pokerdrez, time 60", script).clocks();
    assert_eq!(clocks("0:00 black remove; 0:05 deal common:PPPPP; 0:30 tick"), (60_000, 60_000));
    assert_eq!(clocks("0:05 deal common:PPPPP; 0:06 black press; 0:30 tick"), (36_000, 60_000));
    assert_eq!(clocks("0:05 deal common:PPPPP; 0:10 white own P; 0:30 tick"), (40_000, 60_000));
    assert_eq!(clocks("0:04 black press; 0:05 deal common:PPPPP; 0:30 tick"), (60_000, 60_000));
}

#[test]
fn point_4_lines_out_of_turn_are_refused() {
    let outs = "black own P; black roll 1; black swap own stock; black show PP; black e7e5; black return P";
    let rules = refused("", outs);
    assert_eq!(rules, [["not-your-move"; 5].as_slice(), &["nothing-owed"]].concat());
    let moved =
        "white own P; white e2e4; white own P; white roll 1; white swap own stock; white show PP; white d2d4";
    assert_eq!(refused("", moved), ["moved-already"; 5]);
    let laid = "white own P; white own P; white common P; white swap own stock; white show PP; white roll 1";
    assert_eq!(refused("", laid), ["card-laid-already"; 5]);
    let over = "white resign; black own P; white e2e4; white return P; white roll 1; white raise 5";
    assert_eq!(refused("", over), ["game-over"; 5]);
}

#[test]
fn point_5_a_known_card_goes_before_an_unknown_one() {
    let known = "white swap own common N";
    assert_eq!(cards(&game("", known)), "BPPXX - N? ?? 47 black");
    assert_eq!(cards(&game("", &format!("{known}; white own N"))), "BPPXX N ? ?? 47 black");
    assert_eq!(cards(&game("", &format!("{known}; white own P"))), "BPPXX P N ?? 47 black");
}

#[test]
fn point_6_moves_need_the_card_or_the_throw() {
    assert_eq!(moves(&game("", "tick")), "");
    assert_eq!(moves(&game("", "white own N")), "b1a3 b1c3 g1f3 g1h3");
    let black = "white own P; white e2e4!";
    assert_eq!(moves(&game("", &format!("{black}; black roll 2"))), "b8a6 b8c6 g8f6 g8h6");
    // A mate ends the game: nothing is drawn and nothing is owed.
    let mate = "white own P; white f2f3!; black own P; black e7e5!; white own P; white g2g4!";
    let run = try_play(
        "pokerdrez",
        &format!("deal common:QPNBX; {mate}; black common Q; black d8h4; black return P"),
    );
    assert_eq!((run.rules(), cards(&run)), (vec!["game-over"], "BNPX QPPP ?? ?? 44 black".to_owned()));
    // The other side's lines wait until the card is put back.
    let owed = "white common P; white e2e4; black own P; black e7e5; black roll 1; black swap own stock; black show PP; \
        black return P; white own P; white e2e4";
    let run = try_game("", owed);
    let rules = run.rules();
    assert_eq!(
        rules,
        [
            "card-owed",
            "card-owed",
            "card-owed",
            "card-owed",
            "card-owed",
            "nothing-owed",
            "card-owed",
            "card-owed"
        ]
    );
    assert_eq!(refused(BETS, "white common P; white e2e4; black raise 8"), ["card-owed"]);
    // Three own cards: a known one, and two unknown ones.
    let three = game("", "white swap own common N; white common P; white e2e4");
    assert_eq!((text(&three, "own/white"), legal(&three, "return", "white").len()), ("N??".to_owned(), 6));
}

#[test]
fn point_6_the_last_card_of_the_stock_leaves_nothing_owed() {
    let run = game("", r#"rule {"stock":1}; white common P; white e2e4; white press"#);
    assert_eq!((cards(&run), run.get("/to_act")), ("BNPX P ??? ?? 0 black".to_owned(), json!("black")));
    let run = game("", r#"rule {"stock":2}; white common P; white e2e4"#);
    assert_eq!((cards(&run), run.get("/to_act")), ("BNPX P ??? ?? 1 black".to_owned(), json!("white")));
}

#[test]
fn point_7_the_stock_empties_within_a_turn_too() {
    let run = game("", r#"rule {"stock":1}; white swap own stock; white e2e4!"#);
    assert_eq!((cards(&run), made_with(&run)), ("BNPPX X ?? ?? 0 black".to_owned(), "none".to_owned()));
    // The throw is laid aside with the cards.
    let black =
        r#"white own P; white e2e4!; rule {"stock":1}; black roll 1; black swap own stock; black g8f6"#;
    assert_eq!(made_with(&game("", black)), "own:P none");
    let row = game("", r#"rule {"stock":1}; white swap common stock Q"#);
    assert_eq!(cards(&row), "QBNPP X ?? ?? 0 black");
    assert_eq!(
        refused("", r#"rule {"stock":0}; white return P; white own P"#),
        ["nothing-owed", "cards-aside"]
    );
}

#[test]
fn point_8_the_throw_counts_in_this_turn_only() {
    let next = "white own P; white e2e4!; black roll 1; black e7e5!; white own P; white d2d4!; black d7d5";
    assert_eq!(refused("", next), ["no-card-laid"]);
    assert_eq!(refused("", "white own P; white e2e4!; black roll 1; black g8f6"), ["not-woken"]);
}

#[test]
fn point_9_what_the_opponent_has_is_unknown_after_a_blind_exchange() {
    // Black knows nothing of White's hand, but White's knight is known; a blind exchange makes it unknown.
    let known = "white swap own common N; white own P; white e2e4!; black swap own opponent";
    assert_eq!(cards(&game("decks 2", known)), "BPPXX P X? ?? 102 black");
    // With the row nothing becomes unknown: the card that turned up is known to be gone.
    let row = "white swap own common N; white own P; white e2e4!; black swap common opponent N";
    assert_eq!(cards(&game("", row)), "BNPPX P X? ?? 46 black");
    let other = "white swap own common N; white own P; white e2e4!; black swap common opponent Q";
    assert_eq!(cards(&game("", other)), "QBPPX P NX ?? 46 black");
}

#[test]
fn point_9_legal_lists_each_exchange() {
    let run = game("", "tick");
    let all = r#"["J","Q","R","B","N","P","X"]"#;
    assert_eq!(
        legal(&run, "swap", "white"),
        [
            r#"{"from":"own","with":"stock"}"#.to_owned(),
            r#"{"from":"own","with":"common","card":["B","N","P"]}"#.to_owned(),
            r#"{"from":"own","with":"opponent"}"#.to_owned(),
            format!(r#"{{"from":"common","with":"stock","card":{all}}}"#),
            format!(r#"{{"from":"common","with":"opponent","card":{all}}}"#),
        ]
    );
}

#[test]
fn point_10_shown_cards_must_be_possible_together() {
    let stuck = set("r3k2b/8/8/B6p/3R3P/1q6/8/K6N w - - 0 1");
    let row = r#"rule {"common":["P","P","P","P","P"]}"#;
    // Five pawns of nine lie in the row: four are left, but of neutral cards only two.
    assert_eq!(
        refused("", &format!("{stuck}; {row}; white show PP; white show PP; white show PP")),
        ["not-in-hand"]
    );
    let neutral = r#"rule {"common":["X","P","P","P","P"]}"#;
    assert_eq!(refused("", &format!("{stuck}; {neutral}; white show XX; white show XP")), ["not-in-hand"]);
    let run = game("", &format!("{stuck}; {row}"));
    assert_eq!(legal(&run, "show", "white"), ["{}"]);
    assert_eq!(legal(&game("", "tick"), "show", "white"), [""; 0]);
}

#[test]
fn point_11_a_claim_needs_a_move_that_would_be_accepted() {
    let out = "white own N; white g1f3!; black own N; black g8f6!; white own N; white f3g1!; black own N";
    let again = "black f6g8!; white own N; white g1f3!; black own N; black g8f6!; white own N; white f3g1!";
    let run = |then: &str| try_game("decks 2, voice event", &format!("{out}; {again}; {then}"));
    assert_eq!(run("black claim-draw f6g8").rules(), ["no-card-laid"]);
    assert_eq!(run("black own P; black claim-draw f6g8").rules(), ["not-woken"]);
    let claimed = run("black own N; black claim-draw f6g8");
    assert_eq!((claimed.rules(), claimed.outcome()), (vec![""; 0], "nobody repetition".to_owned()));
    // With the other's turn taken as ended, nothing lies for the claimant.
    let unpressed = try_game(
        "decks 2, voice event",
        &format!("{out}; {}; black claim-draw f6g8", again.trim_end_matches('!')),
    );
    assert_eq!(unpressed.rules(), ["no-card-laid"]);
    let empty = run(r#"rule {"stock":0}; black claim-draw f6g8"#);
    assert_eq!(empty.outcome(), "nobody repetition");
}

#[test]
fn point_12_later_deals_tell_drawn_cards_and_change_nothing() {
    assert_eq!(
        refused("", "deal white:Q; deal white:; deal; deal common:PPPPP; deal common:PPPPP white:"),
        ["too-many-told", "nothing-told", "row-lies", "row-lies"]
    );
    let drew = "white own P; white e2e4";
    assert_eq!(
        refused("", &format!("{drew}; deal white:QQ; deal black:Q; deal white:Q; deal white:Q")),
        ["too-many-told"; 3]
    );
    let before = game("", drew);
    let after = game("", &format!("{drew}; deal white:Q"));
    assert_eq!(before.get("/games"), after.get("/games"));
    assert_eq!(refused("", &format!("{drew}; deal white:? black:")), [""; 0]);
    // An exchange with the stock and shown cards draw too.
    assert_eq!(refused("", "white swap own stock; deal white:QQ; deal white:Q"), ["too-many-told"]);
    assert_eq!(refused("", "white swap common stock Q; deal white:Q"), ["too-many-told"]);
    assert_eq!(refused("", "white swap own opponent; deal white:Q"), ["too-many-told"]);
    let stuck = set("r3k2b/8/8/B6p/3R3P/1q6/8/K6N w - - 0 1");
    let row = r#"rule {"common":["P","P","P","P","P"]}"#;
    assert_eq!(
        refused("", &format!("{stuck}; {row}; white show PP; deal white:QQQ; deal white:QQ")),
        ["too-many-told"]
    );
    // A move by the die draws nothing. In the phase `bet` faces may be told.
    assert_eq!(
        refused("", "white own P; white e2e4!; black roll 1; black e7e5; deal black:Q"),
        ["too-many-told"]
    );
    assert_eq!(refused(BETS, "white own P; white e2e4!; black raise 7; deal white:Q"), [""; 0]);
    // What a reader knew decides nothing: this pawn was not dealt.
    let other = try_play("pokerdrez", "deal common:BNPPX white:QQ; white own P; white e2e4");
    assert_eq!(other.rules(), [""; 0]);
}

#[test]
fn point_13_while_a_raise_waits_only_its_answer_counts() {
    let waits = "white raise 8";
    for line in [
        "black own P",
        "white own P",
        "white e2e4",
        "black roll 1",
        "white swap own stock",
        "white show PP",
        "black offer-draw",
        "white claim-draw",
        "white resign",
        r#"rule {"fen":"4k3/8/8/8/8/8/8/4K3\u0020w\u0020-\u0020-\u00200\u00201"}"#,
        r#"rule {"to_act":"black"}"#,
        r#"rule {"stock":3}"#,
    ] {
        assert_eq!(refused(BETS, &format!("{waits}; {line}")), ["raise-waits"], "{line}");
    }
    for line in ["white call", "white fold", "white raise 9"] {
        assert_eq!(refused(BETS, &format!("{waits}; {line}")), ["not-your-bet"], "{line}");
    }
    assert_eq!(
        refused(
            BETS,
            "white raise 8; black check; black all-in; black call; black call; white fold; white all-in"
        ),
        ["no-such-bet", "no-such-bet", "nothing-to-answer", "nothing-to-answer", "no-such-bet"]
    );
    assert_eq!(refused("", "white raise 8; black call"), ["no-bets"; 2]);
    let run = game(BETS, waits);
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("bet"), json!("black")));
    assert_eq!(
        run.legal(),
        [
            r#"{"do":"bet","by":"black","action":"call"}"#,
            r#"{"do":"bet","by":"black","action":"fold"}"#,
            r#"{"do":"bet","by":"black","action":"raise","to":[9,20]}"#,
            r#"{"do":"resign","by":"black"}"#,
        ]
    );
    assert_eq!(legal(&game(BETS, "white own P"), "bet", "white"), [r#"{"action":"raise","to":[6,20]}"#]);
    // A turn with a card goes on after the answer.
    assert_eq!(made_with(&game(BETS, "white own P; white raise 8; black call; white e2e4")), "own:P");
}

#[test]
fn point_13_bet_ms_runs_from_each_raise_and_then_folds() {
    let terms = format!("{BETS}, bet_ms 5000");
    assert_eq!(game(&terms, "0:10 white raise 8; 0:14 tick").outcome(), "-");
    assert_eq!(game(&terms, "0:10 white raise 8; 0:15 tick").outcome(), "A fold");
    assert_eq!(game(&terms, "0:10 white raise 8; 0:14 black raise 9; 0:18 tick").outcome(), "-");
    assert_eq!(game(&terms, "0:10 white raise 8; 0:14 black raise 9; 0:19 tick").outcome(), "B fold");
}

#[test]
fn point_14_rulings_wait_for_the_end_of_a_half_done_turn() {
    let half = ["white own P", "white own P; white e2e4", "white common P; white e2e4"];
    for half in half {
        for ruling in [r#"rule {"stock":9}"#, r#"rule {"die":"white"}"#, r#"rule {"to_act":"white"}"#] {
            assert_eq!(refused("", &format!("{half}; {ruling}")), ["turn-unfinished"], "{half}; {ruling}");
        }
    }
    let rolled = r#"white own P; white e2e4!; black roll 1; rule {"stock":9}"#;
    assert_eq!(refused("", rolled), ["turn-unfinished"]);
    // An exchange leaves nothing half done.
    assert_eq!(refused("", r#"white swap own stock; rule {"stock":9}"#), [""; 0]);
    let none = |script: &str| try_play("pokerdrez", script).rules();
    assert_eq!(
        none(r#"rule {"stock":9}; rule {"die":"white"}; rule {"to_act":"white"}"#),
        ["no-deal-yet"; 3]
    );
    let many = r#"rule {"common":["X","X","X","P","P"]}; rule {"stock":48}; rule {"stock":47}"#;
    assert_eq!(refused("", many), ["card-too-often", "stock-too-large"]);
    assert_eq!(refused("decks 2", r#"rule {"stock":103}"#), [""; 0]);
    let empty = r#"rule {"stock":0}; rule {"stock":5}; rule {"die":"white"}; rule {"common":["P","P","P","P","P"]}; rule {"to_act":"black"}"#;
    assert_eq!(refused("", empty), ["cards-aside"; 3]);
    assert_eq!(refused("", "white resign; rule {\"die\":\"white\"}"), ["game-over"]);
    // A used card counts: two neutral cards of one deck lie, one is used.
    let used = r#"white swap own stock; rule {"common":["X","X","P","P","P"]}"#;
    assert_eq!(refused("", used), ["card-too-often"]);
    assert_eq!(refused("", r#"rule {"stacks":{"A":5}}"#), ["chips-do-not-add-up"]);
    assert_eq!(refused("", r#"rule {"stacks":{"A":0}}"#), ["no-chips"]);
    let chips = game(BETS, r#"rule {"stacks":{"A":20,"B":30}}"#);
    assert_eq!(chips.get("/stacks"), json!({"A": 20, "B": 30}));
}

#[test]
fn point_15_lines_of_a_turn_count_as_the_press_that_was_not_given() {
    let terms = "pokerdrez, time 60+2, first_increment false";
    let start = "0:00 deal common:BNPPX; 0:00 black press; 0:05 white own P; 0:08 white e2e4";
    for reply in ["black own P", "black roll 1", "black swap own stock"] {
        let run = play(terms, &format!("{start}; 0:10 {reply}; 0:15 tick"));
        assert_eq!(run.clocks(), (52_000, 55_000), "{reply}");
    }
    let event = play(
        &format!("{terms}, press auto"),
        "0:00 deal common:BNPPX; 0:01 white own P; 0:05 white e2e4; 0:06 tick",
    );
    assert_eq!((event.clocks(), event.get("/moves/white")), ((58_000, 59_000), json!(1)));
    let owed = "0:00 deal common:BNPPX; 0:01 white common P; 0:05 white e2e4; 0:07 white return P; 0:08 tick";
    let run = play(&format!("{terms}, press auto"), owed);
    assert_eq!(run.clocks(), (56_000, 59_000));
    // `when` belongs to the turn.
    let when = play(
        "pokerdrez, time 60",
        "0:00 deal common:BNPPX; 0:00 black press; 0:09 white own P when 0:03; 0:20 white e2e4 when 0:10; 0:20 white press when 0:11; 0:21 tick",
    );
    assert_eq!(when.clocks(), (49_000, 50_000));
    // A raise and its answer lie in the turn, so that a line may happen before them.
    let before = "0:00 deal common:BNPPX; 0:00 black press; 0:05 white raise 8; 0:08 black call; 0:20 white own P when 0:03; 0:20 white e2e4 when 0:04; 0:20 white press when 0:04; 0:21 tick";
    let before = play(&format!("pokerdrez, {BETS}, time 60"), before);
    // Both clocks stood while the raise waited.
    assert_eq!(before.clocks(), (56_000, 46_000));
    let first = "0:00 deal common:BNPPX; 0:05 white raise 8; 0:08 black call; 0:20 white own P when 0:03";
    assert_eq!(play(&format!("pokerdrez, {BETS}, time 60"), first).get("/phase"), "chess");
    let paused = "arbiter pause; white own P; white e2e4; white roll 1; white swap own stock; white show PP; white return P; white raise 8; deal white:Q";
    assert_eq!(refused(BETS, paused), ["paused"; 8]);
    assert_eq!(
        try_play("pokerdrez", "arbiter pause; black remove; deal common:PPPPP").rules(),
        ["paused"; 2]
    );
}

#[test]
fn point_15_a_press_waits_for_the_card_that_is_owed() {
    let run = try_play(
        "pokerdrez, time 60",
        "0:00 deal common:BNPPX; 0:01 white common P; 0:02 white e2e4; 0:03 white press; 0:04 white return P; 0:05 white press; 0:06 tick",
    );
    assert_eq!((run.rules(), run.clocks()), (vec!["card-owed"], (56_000, 59_000)));
    assert_eq!(refused("", "white own P; white press"), ["press-too-early"]);
    assert_eq!(legal(&game("", "white common P; white e2e4"), "press", "white"), [""; 0]);
}

#[test]
fn point_16_undo_takes_a_turn_back_to_its_beginning_or_to_its_last_bet() {
    let undone = |script: &str, undos: usize| {
        let run = game(BETS, &format!("{script}; {}", vec!["undo"; undos].join("; ")));
        (cards(&run), made_with(&run), run.get("/phase"))
    };
    let fresh = ("BNPPX - ?? ?? 47 black".to_owned(), String::new(), json!("chess"));
    let turn =
        "white swap own common N; white common P; white e2e4; deal white:Q; white return N; white press";
    assert_eq!(undone(turn, 1), fresh);
    // In an unfinished turn the last line.
    assert_eq!(undone("white swap own common N; white common P; white e2e4", 1).0, "BPXX P N? ?? 47 black");
    assert_eq!(undone("white swap own common N; white common P; white e2e4", 3), fresh);
    let bet = "white own P; white raise 8; black call; white e2e4!";
    let at_the_call = undone(bet, 1);
    assert_eq!(at_the_call, ("BNPPX P ? ?? 47 black".to_owned(), String::new(), json!("chess")));
    assert_eq!(undone(bet, 2).2, "bet");
    assert_eq!(undone(bet, 4), fresh);
    // A move that ends the game ends the turn without a press, and undo takes both its lines.
    let mate = format!("{}; white own Q; white f1f8", set("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"));
    let auto = |undo: &str| game("press auto", &format!("{mate}; {undo}"));
    assert_eq!(game("press auto", &mate).get("/games/0/outcome/reason"), "checkmate");
    assert_eq!(cards(&auto("undo")), "BNPPX - ?? ?? 47 black");
    assert_eq!(cards(&auto("undo game")), "BNPPX - ?? ?? 47 black");
    // The action of the game, whatever came after it.
    let run = game(BETS, "white own P; white e2e4!; arbiter pause; undo game");
    assert_eq!(cards(&run), "BNPPX - ?? ?? 47 black");
    // A first deal that is taken back takes the pause after it along; a later deal does not.
    let paused = |script: &str| play("pokerdrez", script).replay.table().clock().paused();
    assert!(!paused("black remove; deal common:PPPPP; arbiter pause; undo game"));
    assert!(paused("black remove; arbiter pause; undo game"));
}

#[test]
fn point_17_before_the_deal_nobody_resigns_or_draws() {
    let script = "white resign; black offer-draw; black accept-draw; white claim-draw; white fouled; arbiter fouled; white raise 5; white e2e4; white own P";
    assert_eq!(try_play(&format!("pokerdrez, {BETS}"), script).rules(), ["no-deal-yet"; 9]);
    let late = r#"rule {"stock":0}; white fouled; arbiter fouled"#;
    let run = try_game("", late);
    assert_eq!((run.rules(), run.outcome()), (vec!["too-late-fouled"], "nobody fouled-deck".to_owned()));
    // A flag is that of chess.
    let bare = format!("{}; 0:10 white own P; 0:20 tick", set("7k/8/8/8/8/8/P7/K7 w - - 0 1"));
    assert_eq!(game("time 5", &bare).outcome(), "nobody timeout-vs-insufficient-material");
}

// ---- 4. Results ----

#[test]
fn reveal_is_offered_letter_by_letter_and_place_by_place() {
    let run = game("", "white own P; white e2e4!");
    assert_eq!(
        (layable(&run, "black", "own"), layable(&run, "black", "common")),
        ("JNP".to_owned(), "NP".to_owned())
    );
    assert_eq!(
        (layable(&run, "white", "own"), legal(&run, "roll", "black")),
        (String::new(), vec![r#"{"pips":[1,6]}"#.to_owned()])
    );
    // Before the press the replies are offered too, but not while a card is owed.
    let unpressed = game("time 60", "white own P; white e2e4");
    assert_eq!(
        (layable(&unpressed, "black", "own"), legal(&unpressed, "press", "white").len()),
        ("JNP".to_owned(), 1)
    );
    assert_eq!(layable(&game("time 60", "white common P; white e2e4"), "black", "own"), "");
}

#[test]
fn a_match_goes_on_with_colours_swapped_and_everything_dealt_anew() {
    let run = game(BETS, "white own P; white e2e4!; black raise 8; white fold; next");
    assert_eq!(
        (run.get("/games/1/white"), run.get("/phase"), run.get("/stacks")),
        (json!("B"), json!("pawns"), json!({"A": 25, "B": 35}))
    );
    assert_eq!((cards(&run), value(&run, "raised_by")), ("- - - - 56 black".to_owned(), Value::Null));
    let armageddon = game(
        &format!("{BETS}, draw_wins black"),
        "white own P; white e2e4!; black own P; black e7e5!; white raise 8; black call; white offer-draw; black accept-draw",
    );
    assert_eq!(
        (armageddon.outcome(), armageddon.get("/stacks")),
        ("B agreement".to_owned(), json!({"A": 22, "B": 38}))
    );
}

// ---- Secrets ----

/// The export of a record.
fn exported(run: &Run) -> String {
    let lines: Vec<Line> =
        run.lines.iter().map(|line| Line::parse(line, run.replay.header()).unwrap()).collect();
    Exported::of(&run.replay, &lines).into_text()
}

#[test]
fn own_cards_are_hidden_in_an_export_and_the_row_is_open() {
    let deal = "deal common:BNPPX white:QP black:RJ";
    let text = exported(&play("pokerdrez", deal));
    assert!(text.contains(r#""common":["B","N","P","P","X"]"#), "{text}");
    assert!(text.contains(r#""white":["?","?"]"#) && text.contains(r#""black":["?","?"]"#), "{text}");
    // What was laid is public.
    let laid = exported(&play("pokerdrez", &format!("{deal}; white own P; white e2e4; deal white:N")));
    assert!(laid.contains(r#""white":["?","P"]"#) && laid.contains(r#""white":["?"]"#), "{laid}");
    // What was put back, shown, or exchanged in sight too.
    let back = exported(&play("pokerdrez", &format!("{deal}; white common P; white e2e4; white return Q")));
    assert!(back.contains(r#""white":["Q","?"]"#), "{back}");
    let turned = exported(&play("pokerdrez", &format!("{deal}; white swap common opponent J")));
    assert!(turned.contains(r#""black":["?","J"]"#), "{turned}");
    let over = "white resign; white consent; black consent; black end-match";
    let opened = exported(&play("pokerdrez", &format!("{deal}; {over}")));
    assert!(opened.contains(r#""white":["Q","P"]"#), "{opened}");
}

#[test]
fn a_card_that_a_reader_did_not_tell_contradicts_the_deal() {
    let wrong = |script: &str| {
        let run = play("pokerdrez", &format!("deal common:BNPPX white:QP; {script}"));
        GameCards::of_last(run.replay.table()).contradictions()
    };
    assert_eq!(wrong("white own N"), [(3, Color::White)]);
    assert_eq!(wrong("white own P"), []);
    // What was drawn and not told can be any card.
    let turn = "white own P; white e2e4!; black own N; black g8f6!";
    assert_eq!(wrong(&format!("{turn}; white own N")), []);
    let told = turn.replace("black own N", "deal white:B; black own N");
    assert_eq!(wrong(&format!("{told}; white own B")), []);
    assert_eq!(wrong(&format!("{told}; white own N")), [(10, Color::White)]);
    // Nothing is known of Black's cards.
    assert_eq!(wrong("white swap common opponent J"), []);
}

#[test]
fn a_refused_line_changes_nothing() {
    let mut run = game(BETS, "white common P");
    for line in [
        r#"{"t":9000,"do":"move","by":"white","uci":"g1f3"}"#,
        r#"{"t":9000,"do":"return","by":"white","card":"P"}"#,
        r#"{"t":9000,"do":"swap","by":"white","from":"own","with":"stock"}"#,
        r#"{"t":9000,"do":"bet","by":"white","action":"raise","to":21}"#,
        r#"{"t":9000,"do":"deal","cards":{"white":["Q"],"black":[]}}"#,
    ] {
        let before = (run.get("/games"), run.get("/legal"));
        assert!(!feed(&mut run, line.to_owned()), "{line}");
        assert_eq!((run.get("/games"), run.get("/legal")), before, "{line}");
    }
}
