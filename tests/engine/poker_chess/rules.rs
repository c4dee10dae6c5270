//! The rules of `docs/rules-poker-chess.md` by their numbers, and the lines that the inventor printed.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};
use tabiya_engine::rules::HeapPlace;
use tabiya_types::{Color, Square};

use super::{ROUND, ended_by, game, hand, score, set, turn, turns};
use crate::support::{Run, begin, header, try_play};

/// The card under each square, as `a1 Ad`.
fn laid(run: &Run) -> Vec<(Square, String)> {
    let heaps = run.replay.table().game().cards().unwrap().heaps();
    let under = heaps.into_iter().map(|heap| match heap.place {
        HeapPlace::Under(at) => (at, heap.up.concat()),
        place => panic!("a heap lies at {place:?}"),
    });
    under.collect()
}

fn card(run: &Run, at: &str) -> String {
    let at: Square = at.parse().unwrap();
    laid(run).into_iter().find(|(square, _)| *square == at).map(|(_, card)| card).unwrap_or_default()
}

#[test]
fn rule_1_it_is_chess_from_the_usual_position() {
    let run = try_play("poker-chess", "white e2e5; white e2e4");
    assert_eq!(run.rules(), ["illegal-move"]);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!((run.get("/games/0/start_fen"), run.get("/games/0/moves")), (json!(start), json!(["e2e4"])));
}

#[test]
fn rule_2_each_card_of_the_deck_lies_under_one_square_all_game() {
    for name in ["corner-aces", "rande-schande", "twisted-corner-aces", "royal-flush"] {
        let before = game(&format!("deal {name}"), "tick");
        let cards = laid(&before);
        let different: BTreeSet<&String> = cards.iter().map(|(_, card)| card).collect();
        assert_eq!((cards.len(), different.len()), (52, 52), "{name}");
        for (at, card) in &cards {
            let red = card.ends_with(['h', 'd']);
            assert_eq!(red, at.rank() < 4, "{name}: {card} under {at}");
        }
        let after = game(&format!("deal {name}"), "white a2a4; black h7h5; white a1a3; black h8h6");
        assert_eq!(laid(&after), cards);
    }
    let taken = game("", "white a2a4; black b7b5; white a4b5; black h7h6");
    assert_eq!(laid(&taken), laid(&game("", "tick")));
}

#[test]
fn rule_3_twelve_squares_have_no_card() {
    let cards = laid(&game("", "tick"));
    let without: Vec<String> = Square::all()
        .filter(|square| !cards.iter().any(|(at, _)| at == square))
        .map(|square| square.to_string())
        .collect();
    assert_eq!(without.join(" "), "d3 e3 c4 d4 e4 f4 c5 d5 e5 f5 d6 e6");
}

#[test]
fn rule_4_black_s_half_mirrors_white_s() {
    let run = game("deal twisted-corner-aces", "tick");
    for (at, red) in laid(&run).iter().filter(|(at, _)| at.rank() < 4) {
        let across = Square::from_coords(at.file(), 7 - at.rank()).unwrap();
        let black = red.replace('h', "s").replace('d', "c");
        assert_eq!(card(&run, &across.to_string()), black, "{at}");
    }
}

#[test]
fn rule_5_four_deals_have_names() {
    for (name, cards) in [
        ("corner-aces", "a1 Ad, d1 Td, e1 Th, h1 Ah, d2 Kd, c3 Qd, f3 Qh, a4 7d, g4 Jh, a8 Ac, h8 As, e7 Ks"),
        ("rande-schande", "a1 5d, d1 2d, e1 2h, h1 5h, a4 Ad, b4 Kd, g4 Kh, h4 Ah, h5 As, c6 Tc"),
        ("twisted-corner-aces", "a1 Ad, e1 Ah, h1 Th, e2 2h, h2 Kh, f3 4h, h3 Qh, g4 7h, h4 Jh, e8 As"),
        ("royal-flush", "a1 Jd, d1 Ad, e1 Ah, f1 Kh, d2 7d, e2 7h, a4 3d, h4 3h"),
    ] {
        let run = game(&format!("deal {name}"), "tick");
        for pair in cards.split(", ") {
            let (at, wanted) = pair.split_once(' ').unwrap();
            assert_eq!(card(&run, at), wanted, "{name}: {at}");
        }
        // Hearts lie right and diamonds left on White's half; each quarter has one suit of thirteen.
        for (at, card) in laid(&run) {
            let suit = match (at.file() < 4, at.rank() < 4) {
                (true, true) => 'd',
                (false, true) => 'h',
                (true, false) => 'c',
                (false, false) => 's',
            };
            assert!(card.ends_with(suit), "{name}: {card} under {at}");
        }
    }
}

#[test]
fn rule_6_black_s_half_of_royal_flush_mirrors_white_s() {
    let run = game("deal royal-flush", "tick");
    let row = |rank: u8| -> String {
        let squares = (0..8).map(|file| Square::from_coords(file, rank).unwrap().to_string());
        squares.map(|at| card(&run, &at).chars().next().unwrap_or('.')).collect()
    };
    assert_eq!([7, 6, 5, 4].map(row), ["JQKAAKQJ", "T987789T", "654..456", "32....23"].map(str::to_owned));
}

/// The 26 red cards in some order.
fn red() -> Vec<String> {
    let letters = "A23456789TJQK".chars();
    letters.flat_map(|rank| [format!("{rank}h"), format!("{rank}d")]).collect()
}

fn listed(cards: &[String]) -> String {
    format!("deal {}", Value::from(cards.to_vec()))
}

#[test]
fn rule_7_a_random_deal_is_a_list() {
    let run = game(&listed(&red()), "tick");
    assert_eq!(card(&run, "a1"), "Ah");
    assert_eq!(
        (card(&run, "b1"), card(&run, "a8"), card(&run, "b8")),
        ("Ad".into(), "As".into(), "Ac".into())
    );
    assert_eq!((card(&run, "g4"), card(&run, "h4")), ("Kh".into(), "Kd".into()));
    assert_eq!(run.get("/games/0/deal"), json!(red()));
    // A list of 52 need not mirror the red cards.
    let mut all = red();
    all.extend(red().into_iter().rev().map(|card| card.replace('h', "c").replace('d', "s")));
    let run = game(&listed(&all), "tick");
    assert_eq!(
        (card(&run, "a1"), card(&run, "a8"), card(&run, "h5")),
        ("Ah".into(), "Ks".into(), "Ac".into())
    );
    assert_eq!(run.get("/games/0/deal"), json!(all));
}

#[test]
fn rule_8_the_next_game_keeps_the_deal_or_changes_it() {
    let run = game(
        "deal rande-schande",
        "white resign; next; white resign; next deal royal-flush; white resign; next; tick",
    );
    let deals = |nth: usize| run.get(&format!("/games/{nth}/deal"));
    assert_eq!([deals(0), deals(1)], ["rande-schande", "rande-schande"].map(Value::from));
    assert_eq!([deals(2), deals(3)], ["royal-flush", "royal-flush"].map(Value::from));
    assert_eq!(card(&run, "a1"), "Jd");
}

#[test]
fn rule_9_a_hand_is_formed_after_each_move_of_black_s() {
    assert_eq!(turns(&game("", "tick")), [""; 0]);
    assert_eq!(turns(&game("", "white e2e4")), [""; 0]);
    assert_eq!(turns(&game("", "white e2e4; black e7e5; white d2d4")), ["1"]);
    assert_eq!(turns(&game("", ROUND)), ["1", "2"]);
}

#[test]
fn rule_10_the_hand_is_that_of_the_four_highest_pieces_and_a_lowest() {
    // The king, the queen, both rooks and a pawn.
    let run = game("", "white a2a3; black a7a6");
    assert_eq!(hand(&run, 1, "white"), "AATTK two-pair a1 d1 e1 h1 d2");
    assert_eq!(hand(&run, 1, "black"), "AATTK two-pair d7 a8 d8 e8 h8");
}

/// What White may choose after Black's next move in this position: the squares of every set, then the groups.
fn choices(fen: &str, black: &str, black_set: &str) -> String {
    let script = format!("{}; black {black}; black choose {black_set}", set(fen));
    let run = game("choice player", &script);
    let legal = run.report()["legal"].as_array().unwrap().clone();
    let choose = legal.into_iter().find(|line| line["do"] == "choose").unwrap();
    let list = |value: &Value| -> String {
        value.as_array().unwrap().iter().map(|at| at.as_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    let mut text = list(&choose["all"]);
    for group in choose["some"].as_array().unwrap() {
        write!(text, " | {} of {}", group["count"], list(&group["of"])).unwrap();
    }
    text
}

#[test]
fn rule_11_the_order_of_the_pieces() {
    let choices = |rank_1: &str, rank_2: &str| {
        choices(&format!("7k/8/8/8/8/8/{rank_2}/{rank_1} b - - 0 1"), "h8g8", "g8")
    };
    assert_eq!(choices("KQRBNN2", "P7"), "a1 b1 c1 d1 a2");
    assert_eq!(choices("KRBNN3", "P7"), "a1 b1 c1 a2 | 1 of d1 e1");
    // Without a queen bishops come before knights.
    assert_eq!(choices("RNB1KBNR", "PP6"), "a1 e1 h1 | 1 of c1 f1 | 1 of a2 b2");
    // King before queen matters only with several queens.
    assert_eq!(choices("KQQQQ3", "P7"), "a1 a2 | 3 of b1 c1 d1 e1");
}

#[test]
fn rule_12_among_pieces_of_a_kind_the_best_is_taken() {
    // d2 has a king, which makes a second pair with e2; a2, b2 and c2 do not.
    let run = game("", "white e2e4; black e7e5; white d1e2; black d8e7");
    assert_eq!(turn(&run, 2), "AAKKT AAKKT -");
    assert_eq!(hand(&run, 2, "white"), "AAKKT two-pair a1 e1 h1 d2 e2");
}

#[test]
fn rule_13_the_lowest_is_of_the_lowest_kind_that_is_there() {
    let choices = |rank_1: &str| choices(&format!("7k/8/8/8/8/8/8/{rank_1} b - - 0 1"), "h8g8", "g8");
    assert_eq!(choices("KQRRBNN1"), "a1 b1 c1 d1 | 1 of f1 g1");
    assert_eq!(choices("KQRRBB2"), "a1 b1 c1 d1 | 1 of e1 f1");
    assert_eq!(choices("KRRRRR2"), "a1 | 4 of b1 c1 d1 e1 f1");
    // Five pieces or fewer: all of them.
    assert_eq!(choices("KQRRB3"), "a1 b1 c1 d1 e1");
    assert_eq!(choices("KQ6"), "a1 b1");
}

#[test]
fn rule_14_a_piece_without_a_card_keeps_its_place_and_brings_nothing() {
    let run = game("", "white e2e4; black e7e5; white d1g4; black a7a6; white g4f4; black a6a5");
    assert_eq!(hand(&run, 2, "white"), "AAKJT pair a1 e1 h1 d2 g4");
    assert_eq!(hand(&run, 3, "white"), "AAKT pair a1 e1 h1 d2");
}

#[test]
fn rule_15_a_promoted_pawn_is_what_it_became() {
    let before = set("7k/P7/8/8/8/8/8/K1BNN3 w - - 0 1");
    let run = game("choice player", &format!("{before}; white a7a8q; black h8h7; black choose h7"));
    let choose = run.legal().into_iter().find(|line| line.contains("choose")).unwrap();
    assert!(choose.contains(r#""all":["a1","c1","d1","e1","a8"]"#), "{choose}");
    let run = game("", &format!("{before}; white a7a8q; black h8h7"));
    assert_eq!(hand(&run, 1, "white"), "AATT6 two-pair a1 c1 d1 e1 a8");
}

#[test]
fn rule_16_fewer_than_five_cards_may_win() {
    // White's two aces win against five different cards.
    let run = game("", &format!("{}; black h7g6", set("8/ppp4k/8/1p6/8/8/8/R6K b - - 0 1")));
    assert_eq!(turn(&run, 1), "AA J9852 A");
}

#[test]
fn rule_17_a_missing_card_is_lower_than_any() {
    let run = game("", &format!("{}; black g8h8", set("6k1/p7/8/8/8/8/8/7K b - - 0 1")));
    assert_eq!(turn(&run, 1), "A A2 B");
    // Four cards of a suit in a row are neither a straight nor a flush.
    let run =
        game("deal rande-schande", &format!("{}; black e5e6", set("8/8/8/4k3/8/8/8/K1RB1N2 b - - 0 1")));
    assert_eq!(hand(&run, 1, "white"), "3352 pair a1 c1 d1 f1");
    let run = game("deal rande-schande", &format!("{}; black e5e6", set("8/8/8/4k3/8/8/8/KRRB4 b - - 0 1")));
    assert_eq!(hand(&run, 1, "white"), "5432 high-card a1 b1 c1 d1");
    assert_eq!(hand(&run, 1, "black"), "none");
}

#[test]
fn rule_18_the_ace_is_high_or_low_in_a_straight() {
    let low = set("8/8/8/4k3/R7/8/8/KRRB4 b - - 0 1");
    let run = game("deal rande-schande", &format!("{low}; black e5e6"));
    assert_eq!(hand(&run, 1, "white"), "5432A straight-flush a1 b1 c1 d1 a4");
    let mixed = set("8/8/8/4k3/7R/8/8/KRRB4 b - - 0 1");
    let run = game("deal rande-schande", &format!("{mixed}; black e5e6"));
    assert_eq!(hand(&run, 1, "white"), "5432A straight a1 b1 c1 d1 h4");
}

#[test]
fn rule_19_equal_hands_score_nothing() {
    let run = game("", ROUND);
    assert_eq!(
        (turn(&run, 1), turn(&run, 2), score(&run)),
        ("AATTK AATTK -".into(), "AATTK AATTK -".into(), (0, 0))
    );
}

#[test]
fn rule_20_each_player_may_name_his_pieces() {
    // Black forgets his better pair.
    let script = "white a2a3; black a7a6; black choose a8,h8,d8,e8,b7; white choose a1,h1,d1,e1,d2";
    let run = game("choice player", script);
    assert_eq!((turn(&run, 1), score(&run)), ("AATTK AATT5 A".to_owned(), (1, 0)));
    assert_eq!(try_play("poker-chess", script).rules(), ["not-to-choose"; 2]);
}

/// White has the better hand in each turn: his queen goes to e2 and back.
fn ahead(turns: usize) -> String {
    let there =
        "white d1e2; black g8f6; white e2e3; black f6g8; white e3e2; black g8f6; white e2e3; black f6g8";
    let steps: Vec<&str> = there.split("; ").collect();
    let mut script = vec!["white e2e4", "black e7e5"];
    script.extend(&steps[..2 * turns]);
    script.join("; ")
}

#[test]
fn rule_21_who_is_ahead_by_the_limit_wins_at_once() {
    let run = game("wipeout 1", &ahead(1));
    assert_eq!(
        (turn(&run, 2), run.outcome(), score(&run)),
        ("AAKKT AATTK A".into(), "A wipeout".into(), (1, 0))
    );
    assert_eq!((ended_by(&run), run.get("/phase")), (String::new(), json!("over")));
    assert_eq!(game("wipeout 2", &ahead(1)).outcome(), "-");
    // Five is the usual limit; the lead counts and not the number of hands.
    let lead = |limit: u32| game(&format!("wipeout {limit}"), &ahead(3));
    assert_eq!((score(&lead(5)), lead(5).outcome()), ((2, 1), "-".to_owned()));
}

#[test]
fn rule_22_mate_ends_the_game_has_no_hand_and_may_lose() {
    let mate = "white f2f3; black e7e5; white g2g4; black d8h4";
    let run = game("", mate);
    assert_eq!((run.outcome(), ended_by(&run), score(&run)), ("B hands".into(), "checkmate".into(), (0, 4)));
    assert_eq!(turns(&run), ["1"]);
    let run = game("mate_bonus 0", mate);
    assert_eq!((run.outcome(), ended_by(&run)), ("nobody hands".into(), "checkmate".into()));
}

#[test]
fn rule_22_who_mates_may_still_lose() {
    let script = format!("{}; {}; black b2b1", ahead(1), set("6k1/8/8/8/8/8/rr6/6K1 b - - 0 1"));
    let run = game("mate_bonus 0", &script);
    assert_eq!((run.outcome(), ended_by(&run), score(&run)), ("A hands".into(), "checkmate".into(), (1, 0)));
    let run = game("mate_bonus 1", &script);
    assert_eq!((run.outcome(), score(&run)), ("nobody hands".to_owned(), (1, 1)));
    assert_eq!(
        (game("", &script).outcome(), turns(&run)),
        ("B hands".to_owned(), vec!["1".to_owned(), "2".to_owned()])
    );
}

#[test]
fn rule_23_the_bonus_follows_the_limit_unless_it_is_agreed() {
    let mate = "white f2f3; black e7e5; white g2g4; black d8h4";
    for (limit, bonus) in [(1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (7, 5), (13, 10), (1000, 750)] {
        assert_eq!(score(&game(&format!("wipeout {limit}"), mate)), (0, bonus), "{limit}");
    }
    assert_eq!(score(&game("wipeout 3, mate_bonus 7", mate)), (0, 7));
}

#[test]
fn rule_24_the_other_endings_end_the_chess_too() {
    let ended = |terms: &str, script: &str| {
        let run = game(terms, script);
        (ended_by(&run), run.outcome())
    };
    let stalemate = format!("{}; white g6f7", set("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"));
    assert_eq!(ended("", &stalemate), ("stalemate".into(), "nobody hands".into()));
    let bare = format!("{}; white a1a2", set("7k/8/8/8/8/8/p7/K7 w - - 0 1"));
    assert_eq!(ended("", &bare), ("insufficient-material".into(), "nobody hands".into()));
    assert_eq!(ended("", &[ROUND; 2].join("; ")), ("repetition".into(), "nobody hands".into()));
    let rook = "7k/8/8/8/8/8/8/RK6 w - - 149 90";
    assert_eq!(
        ended("", &format!("{}; white a1a2", set(rook))),
        ("seventy-five-moves".into(), "nobody hands".into())
    );
    let fifty = format!("{}; white claim-draw", set("7k/8/8/8/8/8/8/RK6 w - - 100 90"));
    assert_eq!(ended("", &fifty), ("fifty-moves".into(), "nobody hands".into()));
}

#[test]
fn rule_25_the_higher_score_wins_and_an_even_score_is_a_draw() {
    let stalemate = set("7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    let run = game("", &format!("{}; {stalemate}; white g6f7", ahead(1)));
    assert_eq!((run.outcome(), score(&run)), ("A hands".into(), (1, 0)));
}

#[test]
fn rule_26_a_claim_ends_the_chess_and_the_hands_decide() {
    let event = format!("{}; white claim-draw", [ROUND; 2].join("; "));
    let run = game("voice event", &event);
    assert_eq!((run.outcome(), ended_by(&run)), ("nobody hands".into(), "repetition".into()));
    assert_eq!(ended_by(&game("voice event", &[ROUND; 4].join("; "))), "fivefold-repetition");
    // A claim with an intended move does not play it: the fourth turn has no hand.
    let before = format!("{ROUND}; white g1f3; black g8f6; white f3g1; black claim-draw f6g8");
    let run = game("voice event", &before);
    assert_eq!(
        (turns(&run), ended_by(&run)),
        (["1", "2", "3"].map(str::to_owned).to_vec(), "repetition".into())
    );
    // The claimant wins if he is ahead.
    let lead = set("7k/8/8/8/8/8/8/RK6 w - - 100 90");
    let run = game("", &format!("{}; {lead}; white claim-draw", ahead(1)));
    assert_eq!((run.outcome(), ended_by(&run)), ("A hands".into(), "fifty-moves".into()));
}

#[test]
fn rule_27_a_move_of_black_s_that_ends_the_chess_is_followed_by_its_hand() {
    let stalemate = set("8/8/8/8/8/5kq1/8/7K b - - 0 1");
    let run = game("", &format!("{stalemate}; black g3f2"));
    assert_eq!((turn(&run, 1), ended_by(&run), score(&run)), ("A Q9 A".into(), "stalemate".into(), (1, 0)));
    assert_eq!(run.outcome(), "A hands");
    // The hand may be a wipeout; then it does not matter that the chess ended.
    let run = game("wipeout 1", &format!("{stalemate}; black g3f2"));
    assert_eq!((run.outcome(), ended_by(&run)), ("A wipeout".to_owned(), String::new()));
    // A move of White's that ends the chess has no hand.
    let run = game("", &format!("{}; white g6f7", set("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")));
    assert_eq!((turns(&run).len(), ended_by(&run)), (0, "stalemate".to_owned()));
}

#[test]
fn rule_28_resignations_and_flags_lose_and_agreed_draws_are_draws() {
    let lead = ahead(1);
    assert_eq!(game("", &format!("{lead}; white resign")).outcome(), "B resignation");
    let agreed = format!("{lead}; white offer-draw; black accept-draw");
    let run = game("", &agreed);
    assert_eq!(
        (run.outcome(), ended_by(&run), score(&run)),
        ("nobody agreement".into(), String::new(), (1, 0))
    );
    let run = game("time 60", &format!("0:00 {lead}; black press; 5:00 tick"));
    assert_eq!((run.outcome(), score(&run)), ("B timeout".into(), (1, 0)));
    // A bare king wins on time too.
    let bare = set("7k/8/8/8/8/8/8/RK6 w - - 0 1");
    assert_eq!(game("time 60", &format!("0:00 {bare}; 0:01 white a1a2; 5:00 tick")).outcome(), "B timeout");
}

// ---- the inventor's lines (Corner Aces) ----

#[test]
fn line_both_start_with_aces_and_tens_and_the_queen_on_e2_leads_until_black_answers() {
    let start = begin(&header("poker-chess"));
    let now = start.replay.table().game().poker_hands().unwrap().now();
    assert_eq!((now.hands.white.cards.as_str(), now.winner), ("AATTK", None));
    let run = game("", "white e2e4; black e7e5; white d1e2");
    let now = run.replay.table().game().poker_hands().unwrap().now();
    assert_eq!((now.hands.white.cards.as_str(), now.winner), ("AAKKT", Some(Color::White)));
    let run = game("", "white e2e4; black e7e5; white d1e2; black d8e7");
    assert_eq!((turn(&run, 2), score(&run)), ("AAKKT AAKKT -".to_owned(), (0, 0)));
}

/// The hands after Black's move in a position that has the pieces which his lines name.
#[track_caller]
fn after(fen: &str, black: &str) -> String {
    turn(&game("wipeout 2", &format!("{}; black {black}", set(fen))), 1)
}

#[test]
fn line_a_queen_on_c4_has_no_card_and_loses_the_hand() {
    let fen = "rnb1kbnr/ppppqppp/8/4p3/2Q1P3/8/PP1P1PPP/RNB1KBNR b KQkq - 0 8";
    assert_eq!(after(fen, "b8a6"), "AAKT AAKKT B");
    // With the king on e2 it is still one card too few.
    let fen = "rnb1kbnr/ppppqppp/8/4p3/2Q1P3/8/PP1PKPPP/RNB2BNR b kq - 0 9";
    assert_eq!(after(fen, "b8a6"), "AAKK AAKKT B");
}

#[test]
fn line_two_pair_beat_his_pair_of_aces() {
    // Kc1, Bf1, Qe2 and d2: White has two pair, against a pair of aces.
    let fen = "r3kbnr/p1p1pppp/8/8/8/8/3PQPPP/2K2B1R b - - 0 14";
    let run = game("", &format!("{}; black a7a6", set(fen)));
    assert_eq!(hand(&run, 1, "white"), "KK66A two-pair c1 f1 h1 d2 e2");
    assert_eq!(run.get("/games/0/hands/1/black/name"), "pair");
    assert_eq!(score(&run), (1, 0));
}

#[test]
fn line_five_hearts_are_a_flush() {
    // Rh1, Qe2, Ke1, Bf1 and f2.
    let fen = "r1b1k1nr/pppp1ppp/8/8/8/b7/4QP2/4KB1R b - - 0 9";
    let run = game("", &format!("{}; black g8e7", set(fen)));
    assert_eq!(run.get("/games/0/hands/1/white/name"), "flush");
    assert_eq!(run.get("/games/0/hands/1/white/squares"), json!(["e1", "f1", "h1", "e2", "f2"]));
    assert_eq!(score(&run), (1, 0));
}

#[test]
fn line_castling_in_royal_flush_makes_the_highest_straight() {
    let castle =
        "white g1f3; black a7a6; white g2g3; black a6a5; white f1g2; black a5a4; white e1g1; black b7b6";
    let run = game("deal royal-flush", castle);
    assert_eq!(run.get("/games/0/hands/4/white/cards"), "AKQJT");
    assert_eq!(run.get("/games/0/hands/4/white/name"), "straight");
}
