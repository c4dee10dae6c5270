//! The rules of `docs/rules-pokerdrez.md` by their numbers.

use serde_json::{Value, json};
use tabiya_engine::rules::{HeapPlace, Score};

use super::{DEAL, cards, game, layable, legal, made_with, moves, refused, set, text, try_game, value};
use crate::support::{Run, form_error, play, try_play};

#[test]
fn rule_1_a_move_uses_up_a_card_of_its_piece() {
    assert_eq!(refused("", "white e2e4"), ["no-card-laid"]);
    assert_eq!(refused("", "white own N; white e2e4; white g1f3"), ["not-woken"]);
    let run = game("", "white own P; white e2e4!");
    assert_eq!((text(&run, "used"), made_with(&run)), ("P".to_owned(), "own:P".to_owned()));
}

#[test]
fn rule_2_a_deck_has_nine_of_each_card_and_two_neutral_ones() {
    assert_eq!(value(&game("", "tick"), "stock"), 47);
    assert_eq!(value(&game("decks 2", "tick"), "stock"), 103);
    // Five knights of the row and four used ones are nine: a tenth is refused, but not with two decks.
    let knights = "deal common:NNNNN; white common N; white g1f3; white return N; white press; \
        black common N; black g8f6; black return N; black press; white common N; white f3g1; white return N; \
        white press; black common N; black f6g8; black return N; black press";
    let nine = |terms: &str| try_play(&format!("pokerdrez, {terms}"), &format!("{knights}; white own N"));
    assert_eq!(nine("").rules(), ["not-in-hand"]);
    assert_eq!(nine("decks 2").rules(), [""; 0]);
    let neutral =
        |terms: &str, row: &str| try_play(&format!("pokerdrez, {terms}"), &format!("deal common:{row}"));
    assert_eq!(neutral("", "XXPPP").rules(), [""; 0]);
    assert_eq!(neutral("", "XXXPP").rules(), ["too-many-neutral"]);
    assert_eq!(neutral("decks 2", "XXXXP").rules(), [""; 0]);
    assert_eq!(neutral("decks 2", "XXXXX").rules(), ["too-many-neutral"]);
}

#[test]
fn rule_3_each_player_may_take_a_pawn_off_black_first_and_white_not_on_the_same_file() {
    let before = |script: &str| try_play("pokerdrez", script);
    assert_eq!(before("white remove a2").rules(), ["black-first"]);
    assert_eq!(before("black remove e2; black remove e8; black remove e5").rules(), ["no-own-pawn"; 3]);
    assert_eq!(before("black remove d7; white remove d2").rules(), ["same-file"]);
    assert_eq!(before("black remove d7; black remove e7").rules(), ["chosen-already"]);
    assert_eq!(before("black remove; black remove e7").rules(), ["chosen-already"]);
    let run = before("black remove d7; white remove e2; deal common:PNBRQ");
    assert_eq!(text(&run, "start_fen"), "rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(value(&run, "pawns"), json!({"white": "e2", "black": "d7"}));
}

#[test]
fn rule_4_before_the_deal_and_who_says_nothing_keeps_all() {
    let run = play("pokerdrez", "black remove b7; deal common:PNBRQ");
    assert_eq!(value(&run, "pawns"), json!({"white": null, "black": "b7"}));
    let run = play("pokerdrez", DEAL);
    assert_eq!(value(&run, "pawns"), json!({"white": null, "black": null}));
    assert_eq!(text(&run, "start_fen"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(refused("", "black remove b7; white remove"), ["pawns-too-late"; 2]);
}

#[test]
fn rule_5_two_own_cards_each_and_five_open_ones() {
    assert_eq!(cards(&game("", "tick")), "BNPPX - ?? ?? 47 black");
    let run = play("pokerdrez", "deal common:BNPPX white:QJ black:?R");
    assert_eq!(cards(&run), "BNPPX - ?? ?? 47 black");
    for (deal, rule) in [
        ("deal", "row-of-five"),
        ("deal common:PPPP", "row-of-five"),
        ("deal common:PPPPPP", "row-of-five"),
        ("deal white:QJ", "row-of-five"),
        ("deal common:BNPPX white:Q", "hand-of-two"),
        ("deal common:BNPPX black:QRR", "hand-of-two"),
    ] {
        assert_eq!(try_play("pokerdrez", deal).rules(), [rule], "{deal}");
    }
    assert_eq!(try_play("pokerdrez", "tick").get("/to_act"), "black");
    assert_eq!(play("pokerdrez", "black remove; white remove").get("/to_act"), "dealer");
    let dealer = |terms: &str| {
        let run = play(terms, "black remove; white remove");
        run.replay.table().prompt().to_string()
    };
    assert!(dealer("pokerdrez").starts_with("Black: deal"), "{}", dealer("pokerdrez"));
    assert!(dealer("pokerdrez, dealer arbiter").starts_with("Arbiter: deal"));
}

/// The kinds of piece that may move, as letters of the squares' pieces, after White laid this card.
fn woken(fen: &str, card: &str) -> String {
    let run = game("", &format!("{}; white own {card}", set(fen)));
    moves(&run)
}

#[test]
fn rule_6_a_card_wakes_its_piece_the_joker_any_and_every_card_the_king() {
    const FEN: &str = "4k3/8/8/8/8/7p/P6P/RNBQK2R w - - 0 1";
    let from = |card: &str| {
        let mut from: Vec<String> = woken(FEN, card).split(' ').map(|uci| uci[..2].to_owned()).collect();
        from.sort();
        from.dedup();
        from.join(" ")
    };
    assert_eq!(from("P"), "a2 e1");
    assert_eq!(from("N"), "b1 e1");
    assert_eq!(from("B"), "c1 e1");
    assert_eq!(from("R"), "e1 h1");
    assert_eq!(from("Q"), "d1 e1");
    assert_eq!(from("X"), "e1");
    assert_eq!(from("J"), "a2 b1 c1 d1 e1 h1");
}

/// Both players castle here, and have all kinds of pieces.
const CASTLES: &str = "r3k2r/pppqbn2/8/8/8/8/PPPQBN2/R3K2R w KQkq - 0 1";

#[test]
fn rule_7_castling_is_a_move_of_the_rook() {
    for card in ["R", "J"] {
        assert!(woken(CASTLES, card).contains("e1g1") && woken(CASTLES, card).contains("e1c1"), "{card}");
    }
    for card in ["Q", "B", "N", "P", "X"] {
        assert!(!woken(CASTLES, card).contains("e1g1") && woken(CASTLES, card).contains("e1d1"), "{card}");
    }
    // A card of a lost kind stands for a rook too.
    assert!(woken("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "N").contains("e1g1"));
}

#[test]
fn rule_8_en_passant_is_a_move_of_the_pawn_and_a_pawn_may_become_anything() {
    const FEN: &str = "4k3/P7/8/3pP3/8/8/8/NBRQK3 w - d6 0 1";
    assert!(woken(FEN, "P").contains("e5d6"));
    assert!(!woken(FEN, "Q").contains("e5d6"));
    for role in ["q", "r", "b", "n"] {
        assert!(woken(FEN, "P").contains(&format!("a7a8{role}")), "{role}");
        assert!(!woken(FEN, "Q").contains("a7a8"));
    }
}

#[test]
fn rule_9_cards_of_a_lost_kind_are_jokers_until_the_kind_is_back() {
    const FEN: &str = "4k3/P7/8/8/8/8/8/R3K3 w - - 0 1";
    assert!(woken(FEN, "N").contains("a7a8n") && woken(FEN, "N").contains("a1a2"));
    assert!(!woken("4k3/P7/8/8/8/8/8/R3K1N1 w - - 0 1", "N").contains("a1a2"));
    let run =
        game("", &format!("{}; white own N; white a7a8n!; black own X; black e8e7!; white own N", set(FEN)));
    assert_eq!(moves(&run).split(' ').filter(|uci| uci.starts_with("a1")).count(), 0);
    // The neutral card is of no kind, and what the other side has lost does not matter.
    assert_eq!(
        woken("6k1/8/8/8/8/8/8/R3K3 w - - 0 1", "R").split(' ').filter(|uci| uci.starts_with("e1")).count(),
        5
    );
}

#[test]
fn rule_10_a_turn_lays_a_card_moves_draws_and_fills_the_row() {
    let laid = game("", "white own P");
    assert_eq!(cards(&laid), "BNPPX P ? ?? 47 black");
    let moved = game("", "white own P; white e2e4");
    assert_eq!(cards(&moved), "BNPPX P ?? ?? 46 black");
    let open = game("", "white common P; white e2e4");
    assert_eq!(cards(&open), "BNPX P ??? ?? 46 black");
    assert_eq!(open.get("/to_act"), "white");
    assert_eq!(refused("", "white common P; white e2e4; white press; black own P"), ["card-owed"; 2]);
    let filled = game("", "white common P; white e2e4; white return Q; white press");
    assert_eq!(cards(&filled), "QBNPX P ?? ?? 46 black");
    assert_eq!(made_with(&filled), "common:P");
}

#[test]
fn rule_11_a_card_is_laid_only_if_it_can_move_something() {
    assert_eq!(
        refused("", "white own Q; white own R; white own B; white common B; white own X"),
        ["moves-nothing"; 5]
    );
    assert_eq!(layable(&game("", "tick"), "white", "own"), "JNP");
    assert_eq!(layable(&game("", "tick"), "white", "common"), "NP");
}

#[test]
fn rule_12_an_own_card_must_be_one_that_he_can_have() {
    assert_eq!(refused("", "white common Q; white common R"), ["not-in-row"; 2]);
    // White took the open bishop and knight for the neutral cards: everybody knows both of his cards.
    let known = "white swap own common B; white swap own common N";
    let run = game("decks 2", known);
    assert_eq!(cards(&run), "PPXXX - BN ?? 103 black");
    assert_eq!(
        refused("decks 2", &format!("{known}; white own P; white own J; white own N")),
        ["not-in-hand"; 2]
    );
}

#[test]
fn rule_13_a_neutral_card_is_exchanged_with_the_stock_the_row_or_the_opponent() {
    assert_eq!(cards(&game("", "white swap own stock")), "BNPPX X ?? ?? 46 black");
    assert_eq!(cards(&game("", "white swap own common N")), "BPPXX - N? ?? 47 black");
    assert_eq!(cards(&game("", "white swap own opponent")), "BNPPX - ?? X? 47 black");
    assert_eq!(cards(&game("", "white swap common stock Q")), "QBNPP X ?? ?? 46 black");
    assert_eq!(cards(&game("", "white swap common opponent R")), "RBNPP - ?? X? 47 black");
    let none = "deal common:PPNBR; white swap common stock Q; white swap common opponent Q";
    assert_eq!(try_play("pokerdrez", none).rules(), ["no-neutral"; 2]);
}

#[test]
fn rule_14_in_ones_own_turn_before_a_card_is_laid() {
    assert_eq!(
        refused("", "black swap own stock; white own P; white swap own stock"),
        ["not-your-move", "card-laid-already"]
    );
    assert_eq!(refused("", "white own P; white e2e4; white swap own stock"), ["moved-already"]);
    // Several exchanges are one turn, and the turn's card is still to be laid.
    let run = game("", "white swap own stock; white swap common stock N; white own P; white e2e4!");
    assert_eq!(cards(&run), "BNNPP PXX ?? ?? 44 black");
    assert_eq!(refused("", "white swap own stock; white e2e4"), ["no-card-laid"]);
    // The neutral card as it is moves the king.
    let king = game("", &format!("{}; white common X; white e1d1; white return P", set(CASTLES)));
    assert_eq!(made_with(&king), "common:X");
    // Both neutral cards of the deck have been seen: nobody has another one.
    assert_eq!(refused("", "white swap own stock; white swap own stock"), ["no-neutral"]);
    assert_eq!(
        refused("", "white swap own common X; white swap own common Q"),
        ["neutral-for-neutral", "not-in-row"]
    );
}

#[test]
fn rule_15_the_die_is_blacks_first_and_goes_over_with_each_throw() {
    assert_eq!(refused("", "white roll 3"), ["no-die"]);
    let run = game("", "white own P; white e2e4!; black roll 3");
    assert_eq!(text(&run, "die"), "white");
    assert_eq!(refused("", "white own P; white e2e4!; black roll 3; black roll 3"), ["no-die"]);
    assert_eq!(refused("", "white own P; white e2e4!; black own P; black roll 1"), ["card-laid-already"]);
}

#[test]
fn rule_16_the_numbers_count_as_the_cards() {
    let from = |pips: u32| {
        let script = format!("{}; black roll {pips}", set(&CASTLES.replace(" w ", " b ")));
        let run = game("", &script);
        let mut from: Vec<String> = moves(&run).split(' ').map(|uci| uci[..2].to_owned()).collect();
        from.sort();
        from.dedup();
        (from.join(" "), moves(&run).contains("e8g8"))
    };
    assert_eq!(from(1), ("a7 b7 c7 e8".to_owned(), false));
    assert_eq!(from(2), ("e8 f7".to_owned(), false));
    assert_eq!(from(3), ("e7 e8".to_owned(), false));
    assert_eq!(from(4), ("a8 e8 h8".to_owned(), true));
    assert_eq!(from(5), ("d7 e8".to_owned(), false));
    assert_eq!(from(6), ("a7 a8 b7 c7 d7 e7 e8 f7 h8".to_owned(), true));
    // The number of a lost kind moves anything. Nothing is used up, drawn or put back.
    let run = game("", &format!("{}; black roll 5; black a7a5!", set("4k3/p7/8/8/8/8/P7/4K3 b - - 0 1")));
    assert_eq!((cards(&run), made_with(&run)), ("BNPPX - ?? ?? 47 white".to_owned(), "die:5".to_owned()));
}

#[test]
fn rule_17_the_throw_need_not_be_used() {
    let run = game("", "white own P; white e2e4!; black roll 3; black own N; black g8f6!");
    assert_eq!(
        (cards(&run), made_with(&run)),
        ("BNPPX NP ?? ?? 45 white".to_owned(), "own:P own:N".to_owned())
    );
    assert_eq!(refused("", "white own P; white e2e4!; black roll 2; black own P; black g8f6"), ["not-woken"]);
}

/// White is not in check, and only the knight can move: the king's squares are attacked, bishop and rook are pinned,
/// and the pawn is blocked. White has no queen.
const KNIGHT_ONLY: &str = "r3k2b/8/8/B6p/3R3P/1q6/8/K6N w - - 0 1";

#[test]
fn rule_18_who_cannot_move_shows_his_cards_and_draws_two() {
    let stuck = format!("{}; {}", set(KNIGHT_ONLY), row("RBPPX"));
    let run = game("", &format!("{stuck}; white show RB"));
    assert_eq!(cards(&run), "RBPPX RB ?? ?? 45 black");
    assert_eq!((run.get("/to_act"), run.outcome()), (json!("white"), "-".to_owned()));
    // A knight, a joker or a card of the lost kind helps, shown or in the row.
    for letter in ["N", "J", "Q"] {
        assert_eq!(show("RBPPX", &format!("R{letter}")), ["row-moves"], "{letter}");
        assert_eq!(show(&format!("RBP{letter}X"), "RB"), ["row-moves"], "{letter}");
    }
    // After two new cards it is still his move.
    let then = game("", &format!("{stuck}; white show RB; white own N; white h1g3!"));
    assert_eq!(made_with(&then), "own:N");
}

/// A ruling that sets the row.
fn row(letters: &str) -> String {
    let cards: Vec<String> = letters.chars().map(String::from).collect();
    format!("rule {}", json!({"common": cards}))
}

fn show(letters: &str, shown: &str) -> Vec<&'static str> {
    refused("", &format!("{}; {}; white show {shown}", set(KNIGHT_ONLY), row(letters)))
}

#[test]
fn rule_19_the_die_is_thrown_before_cards_are_shown() {
    let with_die =
        |then: &str| format!(r#"{}; {}; rule {{"die":"white"}}; {then}"#, set(KNIGHT_ONLY), row("RBPPX"));
    assert_eq!(refused("", &with_die("white show RB")), ["die-first"]);
    assert_eq!(refused("", &with_die("white roll 2; white show RB")), ["row-moves"]);
    assert_eq!(refused("", &with_die("white roll 1; white show RB")), [""; 0]);
    // Neutral cards need not be exchanged first.
    assert_eq!(show("RBPPX", "BX"), [""; 0]);
}

#[test]
fn rule_20_new_cards_again_and_again_or_once() {
    let twice = format!("{}; {}; white show RB; white show RP", set(KNIGHT_ONLY), row("RBPPX"));
    let run = game("", &twice);
    assert_eq!((cards(&run), run.outcome()), ("RBPPX RRBP ?? ?? 43 black".to_owned(), "-".to_owned()));
    let run = game("stuck draw", &twice);
    let drawn = ("RBPPX RB RP ?? 45 black".to_owned(), "nobody stalemate".to_owned());
    assert_eq!((cards(&run), run.outcome()), drawn);
    // Until the stock is empty: then plain chess is played.
    let stuck = format!(r#"{}; {}; rule {{"stock":1}}"#, set(KNIGHT_ONLY), row("RBPPX"));
    let run = game("", &format!("{stuck}; white show RB; white h1g3!"));
    assert_eq!((cards(&run), made_with(&run)), ("RBPPX RB ? ?? 0 black".to_owned(), "none".to_owned()));
    // A position without any legal move is stalemate at once.
    let position = set("k7/8/2K5/1Q6/8/8/8/8 w - - 0 1");
    assert_eq!(game("", &format!("{position}; white own Q; white b5b6!")).outcome(), "nobody stalemate");
}

/// White is in check, and only the knight can parry.
const KNIGHT_PARRIES: &str = "B5Q1/7R/8/8/8/k2N4/5PPP/r5K1 w - - 0 1";

#[test]
fn rule_21_mate_is_a_check_that_no_card_parries() {
    // No move at all: the table sees it.
    let fools = "white own P; white f2f3!; black own P; black e7e5!; white own P; white g2g4!; black own Q; black d8h4";
    assert_eq!(game("", fools).outcome(), "B checkmate");
    // Only the player in check knows that he has no knight.
    let script = |then: &str| format!("{}; {}; {then}", set(KNIGHT_PARRIES), row("QRBPX"));
    let run = game("", &script("white show QX"));
    let mate = ("B checkmate".to_owned(), "QX".to_owned(), "47".to_owned());
    assert_eq!((run.outcome(), text(&run, "own/white"), value(&run, "stock").to_string()), mate);
    assert_eq!(
        refused("", &script("white show QN; white show QJ; white own N; white d3e1")),
        ["row-moves"; 2]
    );
    // The die comes first.
    let die = |then: &str| script(&format!(r#"rule {{"die":"white"}}; {then}"#));
    assert_eq!(refused("", &die("white show QX; white roll 3; white show QX")), ["die-first"]);
    assert_eq!(refused("", &die("white roll 6; white show QX")), ["row-moves"]);
}

#[test]
fn rule_22_the_king_never_goes_into_check() {
    let run = try_game(
        "",
        &format!("{}; white own J; white e1d1; white e1f1", set("3rk3/8/8/8/8/8/8/4K3 w - - 0 1")),
    );
    assert_eq!(run.rules(), ["illegal-move"]);
    assert!(value(&run, "moves").as_array().unwrap().contains(&json!("e1f1")));
}

#[test]
fn rule_23_when_the_stock_is_empty_plain_chess_is_played() {
    let run = game("", "rule {\"stock\":1}; white common P; white e2e4!; black e7e5!; white g1f3");
    assert_eq!(
        (cards(&run), made_with(&run)),
        ("BNPX P ??? ?? 0 black".to_owned(), "common:P none none".to_owned())
    );
    let lines = "rule {\"stock\":1}; white own P; white e2e4!; black roll 1; black own P; black swap own stock; black show PP";
    assert_eq!(refused("", lines), ["cards-aside"; 4]);
}

#[test]
fn rule_24_a_position_repeats_by_the_board_alone() {
    let out = "white own N; white g1f3!; black own N; black g8f6!; white own N; white f3g1!; black own N; black f6g8!";
    let run = game("decks 2", &format!("{out}; {out}"));
    assert_eq!(run.outcome(), "nobody repetition");
    assert_eq!(value(&run, "moves").as_array().unwrap().len(), 8);
}

const BETS: &str = r#"bets {"least":5,"most":20}, stacks {"A":30,"B":12}"#;

fn chips(run: &Run) -> (Value, Value, Value) {
    (value(run, "contributed"), value(run, "awarded"), run.get("/stacks"))
}

#[test]
fn rule_25_each_player_puts_in_the_least_and_the_winner_takes_all() {
    let run = game(BETS, "tick");
    assert_eq!(chips(&run), (json!({"A": 5, "B": 5}), json!({"A": 0, "B": 0}), json!({"A": 25, "B": 7})));
    let run = game(BETS, "black resign");
    assert_eq!(chips(&run), (json!({"A": 5, "B": 5}), json!({"A": 10, "B": 0}), json!({"A": 35, "B": 7})));
    let small = game(r#"bets {"least":5,"most":20}, stacks {"A":30,"B":3}"#, "tick");
    assert_eq!(chips(&small).0, json!({"A": 3, "B": 3}));
    assert_eq!(game("", "black resign").get("/stacks"), json!({"A": 0, "B": 0}));
    let over = game(r#"bets {"least":5,"most":20}, stacks {"A":30,"B":3}"#, "black resign");
    assert_eq!(over.get("/phase"), "match-over");
}

#[test]
fn rule_26_a_raise_is_accepted_raised_or_lost() {
    let run = game(BETS, "white raise 8; black raise 10; white call");
    assert_eq!((chips(&run).0, text(&run, "raised_by")), (json!({"A": 10, "B": 10}), "B".to_owned()));
    let run = game(BETS, "white raise 8; black fold");
    assert_eq!(run.outcome(), "A fold");
    assert_eq!(chips(&run), (json!({"A": 5, "B": 5}), json!({"A": 10, "B": 0}), json!({"A": 35, "B": 7})));
    assert_eq!(game(BETS, "white raise 8; black resign").outcome(), "A fold");
    assert_eq!(refused(BETS, "white raise 8; white resign; white call"), ["raise-waits", "not-your-bet"]);
    let high = r#"bets {"least":5,"most":9}, stacks {"A":30,"B":30}"#;
    assert_eq!(
        refused(high, "white raise 10; white raise 5; white raise 9; black raise 9"),
        ["raise-out-of-range", "raise-out-of-range", "no-raise"]
    );
}

#[test]
fn rule_27_before_the_move_any_amount_that_both_can_pay_and_the_clocks_stand() {
    assert_eq!(refused(BETS, "white raise 13; white raise 12"), ["raise-out-of-range"]);
    assert_eq!(refused(BETS, "white own P; white e2e4; white raise 8"), ["moved-already"]);
    // While the other's turn is not ended, a raise is too early; a reply is not.
    assert_eq!(refused(BETS, "white own P; white e2e4; black raise 8; black own P"), ["not-your-move"]);
    let clocks = |script: &str| play(&format!("pokerdrez, {BETS}, time 60"), script).clocks();
    let to_raise = "0:00 deal common:BNPPX; 0:00 black press; 0:10 white raise 8";
    assert_eq!(clocks(&format!("{to_raise}; 0:40 tick")), (50_000, 60_000));
    assert_eq!(clocks(&format!("{to_raise}; 0:40 black call; 0:45 tick")), (45_000, 60_000));
    assert_eq!(
        clocks(&format!("{to_raise}; 0:20 black raise 9; 0:30 white call; 0:31 tick")),
        (49_000, 60_000)
    );
    let paused = format!("{to_raise}; 0:20 arbiter pause; 0:30 arbiter resume; 0:40 black call; 0:42 tick");
    assert_eq!(clocks(&paused), (48_000, 60_000));
}

#[test]
fn rule_28_who_raised_loses_his_stake_on_a_draw() {
    let out = "white own N; white g1f3!; black own N; black g8f6!; white own N; white f3g1!; black own N; black f6g8!";
    let drawn = |before: &str| game(&format!("{BETS}, decks 2"), &format!("{before}{out}; {out}"));
    let run = drawn("white raise 8; black call; ");
    assert_eq!(run.outcome(), "nobody repetition");
    assert_eq!(chips(&run), (json!({"A": 8, "B": 8}), json!({"A": 0, "B": 16}), json!({"A": 22, "B": 20})));
    assert_eq!(chips(&drawn("")).1, json!({"A": 5, "B": 5}));
    // A ruled draw and a fouled deal give everybody his own back.
    assert_eq!(
        chips(&game(BETS, "white raise 8; black call; rule {\"winner\":null}")).1,
        json!({"A": 8, "B": 8})
    );
    assert_eq!(chips(&game(BETS, "white raise 8; black call; white fouled")).1, json!({"A": 8, "B": 8}));
}

#[test]
fn rule_29_the_last_raise_counts() {
    let out = "white own N; white g1f3!; black own N; black g8f6!; white own N; white f3g1!; black own N; black f6g8!";
    let run =
        game(&format!("{BETS}, decks 2"), &format!("white raise 8; black raise 9; white call; {out}; {out}"));
    assert_eq!((text(&run, "raised_by"), chips(&run).1), ("B".to_owned(), json!({"A": 18, "B": 0})));
}

#[test]
fn rule_30_resigning_gives_the_stake_and_a_fouled_deal_gives_it_back() {
    assert_eq!(game(BETS, "white resign").outcome(), "B resignation");
    let fouled = game(BETS, "white own P; black fouled");
    assert_eq!(
        (fouled.outcome(), fouled.get("/stacks")),
        ("nobody fouled-deck".to_owned(), json!({"A": 30, "B": 12}))
    );
    let again =
        play(&format!("pokerdrez, {BETS}"), &format!("{DEAL}; black fouled; black remove a7; {DEAL}"));
    assert_eq!(
        (again.get("/games/1/white"), value(&again, "pawns")),
        (json!("A"), json!({"white": null, "black": "a7"}))
    );
    assert_eq!(again.get("/stacks"), json!({"A": 25, "B": 7}));
    assert_eq!(game("time 60", "0:10 black press; 1:20 tick").outcome(), "B timeout");
}

#[test]
fn rule_31_used_cards_are_not_shown_before_the_result() {
    let used = |run: &Run| {
        let heaps = run.replay.table().game().cards().unwrap().heaps();
        let used = heaps.into_iter().find(|heap| heap.place == HeapPlace::Used).unwrap();
        (used.up.concat(), used.down)
    };
    let turn = "white own P; white e2e4!; black own N; black g8f6!";
    assert_eq!(used(&game("", turn)), (String::new(), 2));
    assert_eq!(used(&game("", &format!("{turn}; white resign"))), ("NP".to_owned(), 0));
    assert_eq!(game("", turn).replay.table().game().score(), None::<Score>);
}

#[test]
fn what_does_not_belong_to_the_game_is_unusable() {
    for line in [
        r#"{"t":0,"do":"place","by":"white","piece":"Q","at":"d1"}"#,
        r#"{"t":0,"do":"correct","by":"white","at":"d1","piece":"Q"}"#,
        r#"{"t":0,"do":"choose","by":"white","squares":["a1"]}"#,
    ] {
        assert!(form_error("pokerdrez", line).is_some(), "{line}");
    }
    assert_eq!(legal(&game("", "tick"), "roll", "black"), [""; 0]);
}
