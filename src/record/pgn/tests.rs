#![expect(clippy::indexing_slicing, reason = "a test may stop at the first surprise")]

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::*;
use crate::rules::GAMES;

const CHOKER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","id":"m1",
    "start":"2026-03-07T23:59:00+01:00","tags":{"Event":"Club \"evening\"","Site":"Here","WhiteElo":"1500"},
    "terms":{"stacks":{"A":100,"B":100},"small_blind":1,"time":"120"}}"#;
const CHESS: &str =
    r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"180+2"}}"#;

/// The lines of the ten turns in which the players place pieces, as words for [`line`]. The first turn begins 100 s
/// after the start of the record; each turn takes two seconds.
const PLACED: &str = "100 reveal white P; 101 place white P d2; 102 press white
    102 reveal black R; 103 place black R a8; 104 press black
    104 reveal white N; 105 place white N g1; 106 press white
    106 reveal black N; 107 place black N b8; 108 press black
    108 reveal white Q; 109 place white Q d1; 110 press white
    110 reveal black P; 111 place black P d7; 112 press black
    112 reveal white P; 113 place white P f2; 114 press white
    114 reveal black P; 115 place black P f7; 116 press black
    116 reveal white P; 117 place white R h1 promoted; 118 press white
    118 reveal black B; 119 place black B c8; 120 press black";
const BET: &str =
    "0 deal; 1 bet white raise 6; 2 bet black call; 3 deal; 4 bet black check; 5 bet white check
    6 deal; 7 bet white all-in; 8 bet black call";

/// Converts words into a line of a record. The words are the time in seconds, the input, the player, and the
/// other fields of the input.
fn line(words: &str) -> Value {
    let words: Vec<&str> = words.split_whitespace().collect();
    let [time, verb, rest @ ..] = &words[..] else { panic!("`{words:?}` is no line") };
    let secs: f64 = time.parse().expect("seconds");
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small positive seconds")]
    let mut line = json!({"t": (secs * 1000.0) as u64, "do": verb});
    if let Some(by) = rest.first() {
        line["by"] = (*by).into();
    }
    let names: &[&str] = match *verb {
        "bet" => &["action", "to"],
        "reveal" => &["card"],
        "place" => &["piece", "at", "says"],
        "move" => &["uci"],
        "correct" => &["at", "piece"],
        "fouled" | "end-match" => &["reason"],
        _ => &[],
    };
    for (name, word) in names.iter().zip(rest.iter().skip(1)) {
        line[*name] = word.parse::<u64>().map_or_else(|_| (*word).into(), Value::from);
    }
    line
}

fn replayed(header: &str, script: &[&str]) -> Replay {
    let mut replay = Replay::begin(header, GAMES).expect("a header");
    let lines = script.iter().flat_map(|part| part.split([';', '\n']));
    for (text, number) in lines.map(str::trim).filter(|text| !text.is_empty()).zip(2..) {
        let text = if text.starts_with('{') { text.to_owned() } else { line(text).to_string() };
        if let Err(stop) = replay.feed(number, &text) {
            panic!("{text}: {stop}");
        }
    }
    replay
}

fn pgn(header: &str, script: &[&str]) -> String {
    text(&replayed(header, script), None)
}

/// The movetext of the last game, without its tags.
fn moves(header: &str, script: &[&str]) -> String {
    let text = pgn(header, script);
    text.rsplit("\n\n").next().expect("movetext").to_owned()
}

fn with_terms(terms: &str) -> String {
    format!(r#"{{"tabiya":1,"game":"chess","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{terms}}}"#)
}

#[test]
fn a_game_of_choker_tells_its_betting_and_placement_before_the_first_move() {
    let play = "121 move white d2d4; 122.5 press white; 124 move black d7d5; 125 press black
        126 move white h1h8; 126.1 press white; 130 resign black";
    let replay = replayed(CHOKER, &[BET, PLACED, play]);
    assert_snapshot!(text(&replay, Some("9f2c")), @r#"
    [Event "Club \"evening\""]
    [Site "Here"]
    [Date "2026.03.07"]
    [Round "?"]
    [White "Ann"]
    [Black "Bo"]
    [Result "1-0"]
    [FEN "rnb1k3/3ppp2/8/8/8/8/3PPP2/3QK1NR w Kq - 0 1"]
    [SetUp "1"]
    [TabiyaGame "choker"]
    [TabiyaHead "9f2c"]
    [TabiyaMatch "m1"]
    [Termination "normal"]
    [TimeControl "120"]
    [UTCDate "2026.03.07"]
    [UTCTime "22:59:00"]
    [WhiteElo "1500"]

    { Stacks: Ann 100, Bo 100. Deal 1: White posts 1, Black posts 2, White raises
    to 6, Black calls 4. Pot 12. Deal 2: Black checks, White checks. Pot 12. Deal
    3: White is all-in with 94, Black calls 94. Pot 200. Placement: White P d2,
    Black R a8, White N g1, Black N b8, White Q d1, Black P d7, White P f2, Black P
    f7, White P→R h1 promoted, Black B c8. } 1. d4 { [%clk 0:01:48] } 1... d5
    { [%clk 0:01:48] } 2. Rh8+ { [%clk 0:01:47] Black resigns. White wins by
    resignation and takes the pot of 200. Stacks: Ann 200, Bo 0. } 1-0
    "#);
}

#[test]
fn each_move_has_the_movers_reading_after_the_press() {
    let play = "0 press black; 10 move white e2e4; 11 press white; 12.2 move black e7e5
        15 move white d1h5; 16 press white; 17 move black b8c6; 18 press black; 19 move white f1c4; 20 press white
        21 move black g8f6; 22 press black; 23.4 move white h5f7";
    assert_snapshot!(pgn(CHESS, &[play]), @r#"
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Ann"]
    [Black "Bo"]
    [Result "1-0"]
    [TabiyaGame "chess"]
    [Termination "normal"]
    [TimeControl "180+2"]

    1. e4 { [%clk 0:02:53] } 1... e5 { [%clk 0:03:00] } 2. Qh5 { [%clk 0:02:54] }
    2... Nc6 { [%clk 0:03:00] } 3. Bc4 { [%clk 0:02:54] } 3... Nf6
    { [%clk 0:03:00] } 4. Qxf7# { [%clk 0:02:53] White wins by checkmate. } 1-0
    "#);
}

#[test]
fn chess960_names_its_variant_and_its_start() {
    let header =
        with_terms(r#"{"chess960":true,"fen":"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"}"#);
    let play =
        "1 move white f2f4; 2 move black d7d5; 3 move white c1d3; 4 move black c8d6; 5 offer-draw white";
    assert_snapshot!(pgn(&header, &[play]), @r#"
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Ann"]
    [Black "Bo"]
    [Result "*"]
    [FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"]
    [SetUp "1"]
    [TabiyaGame "chess"]
    [Termination "unterminated"]
    [TimeControl "-"]
    [Variant "Chess960"]

    1. f4 d5 2. Nd3 Nd6 { White offers a draw. } *
    "#);
}

#[test]
fn chess960_castles_king_and_rook() {
    let header = with_terms(r#"{"chess960":true,"fen":"4k3/8/8/8/8/8/8/1R3KR1 w BG - 0 1"}"#);
    assert_snapshot!(moves(&header, &["1 move white f1g1"]), @"1. O-O *");
}

#[test]
fn a_fold_is_a_game_without_moves_and_shows_no_card() {
    let deal = r#"{"t":0,"do":"deal","cards":{"white":["Q","Q"],"black":["N","?"]}}"#;
    let text = pgn(CHOKER, &[deal, "1 bet white raise 6; 2 bet black fold"]);
    assert_snapshot!(text, @r#"
    [Event "Club \"evening\""]
    [Site "Here"]
    [Date "2026.03.07"]
    [Round "?"]
    [White "Ann"]
    [Black "Bo"]
    [Result "1-0"]
    [FEN "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"]
    [SetUp "1"]
    [TabiyaGame "choker"]
    [TabiyaMatch "m1"]
    [Termination "normal"]
    [TimeControl "120"]
    [UTCDate "2026.03.07"]
    [UTCTime "22:59:00"]
    [WhiteElo "1500"]

    { Stacks: Ann 100, Bo 100. Deal 1: White posts 1, Black posts 2, White raises
    to 6, Black folds, 4 go back to White. Pot 4. White wins by fold and takes the
    pot of 4. Stacks: Ann 102, Bo 98. } 1-0
    "#);
    assert!(!text.contains('Q'), "a card that was never shown");
}

#[test]
fn the_next_game_swaps_colours_and_what_was_said_of_them() {
    let text = pgn(CHOKER, &["0 deal; 1 bet white fold; 70 next; 71 deal; 72 bet white fold"]);
    assert_snapshot!(text, @r#"
    [Event "Club \"evening\""]
    [Site "Here"]
    [Date "2026.03.07"]
    [Round "1"]
    [White "Ann"]
    [Black "Bo"]
    [Result "0-1"]
    [FEN "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"]
    [SetUp "1"]
    [TabiyaGame "choker"]
    [TabiyaMatch "m1"]
    [Termination "normal"]
    [TimeControl "120"]
    [UTCDate "2026.03.07"]
    [UTCTime "22:59:00"]
    [WhiteElo "1500"]

    { Stacks: Ann 100, Bo 100. Deal 1: White posts 1, Black posts 2, White folds, 1
    goes back to Black. Pot 2. Black wins by fold and takes the pot of 2. Stacks:
    Ann 99, Bo 101. } 0-1

    [Event "Club \"evening\""]
    [Site "Here"]
    [Date "2026.03.08"]
    [Round "2"]
    [White "Bo"]
    [Black "Ann"]
    [Result "0-1"]
    [BlackElo "1500"]
    [FEN "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"]
    [SetUp "1"]
    [TabiyaGame "choker"]
    [TabiyaMatch "m1"]
    [Termination "normal"]
    [TimeControl "120"]
    [UTCDate "2026.03.07"]
    [UTCTime "23:00:11"]

    { Stacks: Bo 101, Ann 99. Deal 1: White posts 1, Black posts 2, White folds, 1
    goes back to Black. Pot 2. Black wins by fold and takes the pot of 2. Stacks:
    Bo 100, Ann 100. } 0-1
    "#);
}

#[test]
fn a_draw_gives_back_what_was_put_in() {
    let play = "121 move white d2d4; 122 press white; 124 move black d7d5; 125 press black
        126 offer-draw white; 127 accept-draw black";
    assert_snapshot!(moves(CHOKER, &[BET, PLACED, play]), @"
    { Stacks: Ann 100, Bo 100. Deal 1: White posts 1, Black posts 2, White raises
    to 6, Black calls 4. Pot 12. Deal 2: Black checks, White checks. Pot 12. Deal
    3: White is all-in with 94, Black calls 94. Pot 200. Placement: White P d2,
    Black R a8, White N g1, Black N b8, White Q d1, Black P d7, White P f2, Black P
    f7, White P→R h1 promoted, Black B c8. } 1. d4 { [%clk 0:01:48] } 1... d5
    { [%clk 0:01:47] White offers a draw. Drawn by agreement, each takes back 100.
    Stacks: Ann 100, Bo 100. } 1/2-1/2
    ");
}

#[test]
fn what_was_undone_is_not_told() {
    let with =
        "1 bet white raise 9; 1 undo white; 1 bet white raise 6; 2 bet black call; 3 deal; 3 undo; 3 deal
        4 bet black check; 4.5 bet white raise 4; 4.6 bet black fold; 4.7 undo; 4.8 undo; 5 bet white check
        6 deal; 7 bet white all-in; 8 bet black call; 9 reveal white N; 10 undo
        11 reveal white N; 12 place white N a1; 13 press white; 14 undo";
    let play = "121 move white d2d4; 122 press white; 123 undo; 124 move white d2d3; 124 press white
        125 move black d7d6; 125.5 undo; 125.6 redo; 126 press black; 126.5 undo; 127 move black d7d5; 128 press black";
    let once = "121 move white d2d3; 122 press white; 124 move black d7d5; 124.5 press black";
    assert_eq!(moves(CHOKER, &["0 deal", with, PLACED, play]), moves(CHOKER, &[BET, PLACED, once]));
}

#[test]
fn a_result_can_be_undone_with_the_game_that_followed() {
    let one = pgn(CHOKER, &["0 deal; 1 bet white call; 2 bet black check"]);
    let undone =
        "0 deal; 1 bet white call; 2 bet black check; 3 resign black; 4 next; 5 deal; 6 undo; 7 undo; 8 undo";
    assert_eq!(pgn(CHOKER, &[undone]), one);
}

#[test]
fn a_bet_that_ran_out_of_time_is_told() {
    let header = CHOKER.replace("\"time\"", "\"bet_ms\":20000,\"time\"");
    let script = "0 deal; 1 bet white call; 30 deal; 80 deal; 81 bet white raise 4; 200 tick";
    assert_snapshot!(moves(&header, &[script]), @"
    { Stacks: Ann 100, Bo 100. Deal 1: White posts 1, Black posts 2, White calls 1,
    Black checks (out of time). Pot 4. Deal 2: Black checks (out of time), White
    checks (out of time). Pot 4. Deal 3: White bets 4, Black folds (out of time), 4
    go back to White. Pot 4. White wins by fold and takes the pot of 4. Stacks: Ann
    102, Bo 98. } 1-0
    ");
    let undone = "0 deal; 1 bet white call; 30 deal; 80 deal; 80 undo";
    assert_snapshot!(moves(&header, &[undone]), @"
    { Stacks: Ann 100, Bo 100. Deal 1: White posts 1, Black posts 2, White calls 1,
    Black checks (out of time). Pot 4. Deal 2: Black checks (out of time), White
    checks (out of time). Pot 4. } *
    ");
}

#[test]
fn a_flag_leaves_nothing_on_the_clock_of_an_unpressed_move() {
    let play = "0 press black; 10 move white e2e4; 300 tick";
    assert_snapshot!(pgn(CHESS, &[play]), @r#"
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Ann"]
    [Black "Bo"]
    [Result "0-1"]
    [TabiyaGame "chess"]
    [Termination "time forfeit"]
    [TimeControl "180+2"]

    1. e4 { [%clk 0:00:00] Black wins by timeout. } 0-1
    "#);
}

#[test]
fn an_arbiters_position_begins_a_second_game() {
    let rule = r#"{"t":9000,"do":"rule","by":"arbiter","reason":"illegal moves found: Q dealt","set":{"fen":"4k3/8/8/8/8/8/4P3/4K3 b - - 0 12","clock_ms":{"white":60000}}}"#;
    let text = pgn(
        CHESS,
        &[
            "1 move white e2e4; 2 move black e7e5; 3 move white g1f3",
            rule,
            "10 move black e8e7; 11 resign white",
        ],
    );
    assert_snapshot!(text, @r#"
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Ann"]
    [Black "Bo"]
    [Result "*"]
    [TabiyaGame "chess"]
    [Termination "unterminated"]
    [TimeControl "180+2"]

    1. e4 { [%clk 0:03:03] } 1... e5 { [%clk 0:03:03] } 2. Nf3 { The arbiter sets
    the clock: White 1:00. The arbiter sets another position. The next PGN game
    continues from the position that the arbiter set. } *

    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Ann"]
    [Black "Bo"]
    [Result "1/2-1/2"]
    [FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 12"]
    [SetUp "1"]
    [TabiyaGame "chess"]
    [Termination "normal"]
    [TimeControl "180+2"]

    { The arbiter set this position. } 12... Ke7 { [%clk 0:03:01] White resigns.
    Drawn by resignation vs insufficient material. } 1/2-1/2
    "#);
}

#[test]
fn a_game_that_ended_in_placement_shows_the_board_so_far() {
    let placing =
        "9 reveal white P; 10 place white Q d1 palace; 11 press white; 12 reveal black N; 13 resign black";
    assert_snapshot!(pgn(CHOKER, &[BET, placing]), @r#"
    [Event "Club \"evening\""]
    [Site "Here"]
    [Date "2026.03.07"]
    [Round "?"]
    [White "Ann"]
    [Black "Bo"]
    [Result "1-0"]
    [FEN "4k3/4p3/8/8/8/8/4P3/3QK3 w - - 0 1"]
    [SetUp "1"]
    [TabiyaGame "choker"]
    [TabiyaMatch "m1"]
    [Termination "normal"]
    [TimeControl "120"]
    [UTCDate "2026.03.07"]
    [UTCTime "22:59:00"]
    [WhiteElo "1500"]

    { Stacks: Ann 100, Bo 100. Deal 1: White posts 1, Black posts 2, White raises
    to 6, Black calls 4. Pot 12. Deal 2: Black checks, White checks. Pot 12. Deal
    3: White is all-in with 94, Black calls 94. Pot 200. Placement: White P→Q d1
    palace, Black N not placed. Black resigns. White wins by resignation and takes
    the pot of 200. Stacks: Ann 200, Bo 0. } 1-0
    "#);
}

#[test]
fn a_fouled_deal_has_no_result() {
    let text = pgn(CHOKER, &["0 deal; 1 fouled white five-queens; 2 deal; 3 bet white fold"]);
    assert_snapshot!(text, @r#"
    [Event "Club \"evening\""]
    [Site "Here"]
    [Date "2026.03.07"]
    [Round "1"]
    [White "Ann"]
    [Black "Bo"]
    [Result "*"]
    [FEN "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"]
    [SetUp "1"]
    [TabiyaGame "choker"]
    [TabiyaMatch "m1"]
    [Termination "abandoned"]
    [TimeControl "120"]
    [UTCDate "2026.03.07"]
    [UTCTime "22:59:00"]
    [WhiteElo "1500"]

    { Stacks: Ann 100, Bo 100. Deal 1: White posts 1, Black posts 2. Pot 3. The
    deal is fouled. No result, all bets go back. Stacks: Ann 100, Bo 100. } *

    [Event "Club \"evening\""]
    [Site "Here"]
    [Date "2026.03.07"]
    [Round "2"]
    [White "Ann"]
    [Black "Bo"]
    [Result "0-1"]
    [FEN "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"]
    [SetUp "1"]
    [TabiyaGame "choker"]
    [TabiyaMatch "m1"]
    [Termination "normal"]
    [TimeControl "120"]
    [UTCDate "2026.03.07"]
    [UTCTime "22:59:02"]
    [WhiteElo "1500"]

    { Stacks: Ann 100, Bo 100. Deal 1: White posts 1, Black posts 2, White folds, 1
    goes back to Black. Pot 2. Black wins by fold and takes the pot of 2. Stacks:
    Ann 99, Bo 101. } 0-1
    "#);
}

#[test]
fn a_match_ended_early_leaves_its_game_abandoned() {
    let text = pgn(CHESS, &["1 move white e2e4; 2 end-match arbiter fire"]);
    assert!(text.contains("[Termination \"abandoned\"]"), "{text}");
    assert!(text.contains("[Result \"*\"]"), "{text}");
}

#[test]
fn a_time_that_pgn_has_no_word_for_is_told_apart() {
    for (time, known) in [
        ("-", true),
        ("300", true),
        ("40/5400+30:1800+30", true),
        ("40/5400", true),
        ("*60", true),
        ("5400:900", false),
        ("300d5", false),
        ("600:5x30", false),
        ("=30", false),
        ("^", false),
        ("", false),
        ("40/:30", false),
    ] {
        assert_eq!(in_pgn(time), known, "{time}");
    }
    let header = with_terms(r#"{"time":{"A":"300","B":"180+2"}}"#);
    let text = pgn(&header, &["1 move white e2e4"]);
    for tag in ["TimeControl \"?\"", "WhiteTimeControl \"300\"", "BlackTimeControl \"180+2\""] {
        assert!(text.contains(&format!("[{tag}]")), "{tag} in {text}");
    }
}

#[test]
fn names_cannot_break_the_text() {
    let header = CHOKER
        .replace("\"Ann\"", r#""A\\n\"n} [%clk 9] %; \n{""#)
        .replace("\"Bo\"", &format!("\"{}\"", "x".repeat(200)));
    let text = pgn(&header, &["0 deal; 1 bet white fold"]);
    assert!(text.contains(r#"[White "A\\n\"n} [%clk 9] %;  {"]"#), "{text}");
    let movetext = text.rsplit("\n\n").next().expect("movetext");
    assert_eq!((movetext.matches('{').count(), movetext.matches('}').count()), (1, 1), "{movetext}");
    assert!(movetext.lines().all(|line| line.chars().count() < COLUMNS), "{movetext}");
    assert!(!movetext.contains('['), "{movetext}");
}

#[test]
fn a_clock_alone_has_no_pgn() {
    let header =
        r#"{"tabiya":1,"game":"clock","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"300"}}"#;
    assert_eq!(pgn(header, &["0 press black; 1 press white"]), "");
}

#[test]
fn a_match_that_has_not_begun_is_a_game_without_moves() {
    assert_snapshot!(pgn(CHESS, &[]), @r#"
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Ann"]
    [Black "Bo"]
    [Result "*"]
    [TabiyaGame "chess"]
    [Termination "unterminated"]
    [TimeControl "180+2"]

    *
    "#);
}

#[test]
fn the_match_sheet_names_the_record() {
    let header = Header::parse(CHOKER, GAMES).expect("a header");
    let sheet = crate::record::sheet::lines(&Replay::new(header), Some("9f2c"));
    assert_snapshot!(sheet.iter().map(|line| line.to_string() + "\n").collect::<String>(), @"
    match: m1
    begun: 2026-03-07T23:59:00+01:00
    Choker: Ann (A) against Bo (B)
    White in the first game: Ann
    stacks: A 100, B 100
    blinds: 1 and 2, fixed
    betting: no limit
    hands: Palace on, Empress on, Becket off
    castling with a king and a rook placed at home: on
    dealer: Black
    time: 120 each
    120 is 2:00
    a turn ends when its player presses
    players are told everything at once
    head of the record: 9f2c
    ");
}
