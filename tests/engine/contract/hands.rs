//! The hands: printed rules 8a–8e and rulings 1, 6, 7, 8, 9 (`docs/rules.md`); points 7 and 8 of "How lines act", and
//! `hands` of the report (`docs/record.md`).

use serde_json::json;
use tabiya_engine::rules::{Hand, HandRules};

use crate::support::{TO_PLACEMENT, play, try_play};

/// Compares all hands with `fixtures/hands.csv`, which was derived from the printed rules independently of this
/// program.
#[test]
fn every_hand_becomes_what_the_printed_rules_say() {
    let table = std::fs::read_to_string("fixtures/hands.csv").unwrap();
    let rules = [(true, false), (true, true), (false, false), (false, true)];
    let mut hands = 0;
    for (number, line) in table.lines().enumerate().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let hand = Hand::parse(cells[0]).unwrap();
        for (nth, (empress, becket)) in rules.into_iter().enumerate() {
            let rules = HandRules { empress, becket };
            let is = (hand.name(rules).word(), hand.pieces(rules).to_string());
            let wanted = (cells[1 + 2 * nth], cells[2 + 2 * nth].to_owned());
            assert_eq!(is, wanted, "fixtures/hands.csv:{}: {} {rules:?}", number + 1, cells[0]);
        }
        hands += 1;
    }
    assert_eq!(hands, 125);
    assert_eq!(Hand::all().len(), 125);
}

#[track_caller]
fn check_hand(cards: &str, rules: HandRules, name: &str, pieces: &str) {
    let hand = Hand::parse(cards).unwrap();
    assert_eq!((hand.name(rules).word(), hand.pieces(rules).to_string().as_str()), (name, pieces), "{cards}");
}

const USUAL: HandRules = HandRules { empress: true, becket: false };
const PLAIN: HandRules = HandRules { empress: false, becket: false };

#[test]
fn rule_8a_extra_pieces_become_pawns() {
    check_hand("QQRBN", USUAL, "plain", "QRBNP");
    check_hand("RRRRB", USUAL, "plain", "RRBPP");
    check_hand("BBBQP", USUAL, "plain", "QBBPP");
}

#[test]
fn rule_8b_the_third_pawn_is_a_rook_and_the_next_ones_are_queens() {
    check_hand("PPPQB", USUAL, "plain", "QRBPP");
    check_hand("PPPPB", USUAL, "plain", "QRBPP");
    check_hand("PPPPP", USUAL, "plain", "QQRPP");
}

#[test]
fn rule_8b_promoted_pawns_may_exceed_what_8a_allows() {
    check_hand("QPPPP", USUAL, "plain", "QQRPP");
}

#[test]
fn rule_8b_demoted_pawns_never_count() {
    check_hand("QQQPP", PLAIN, "plain", "QPPPP");
}

#[test]
fn rule_8c_becket_touches_two_rooks_and_three_pawns_only() {
    let becket = HandRules { empress: true, becket: true };
    check_hand("RRPPP", becket, "becket", "RRBPP");
    check_hand("QQPPP", becket, "empress", "QQPPP");
    check_hand("BBPPP", becket, "empress", "QBBPP");
    check_hand("RRPPP", PLAIN, "plain", "RRRPP");
}

#[test]
fn rule_8d_palace_makes_the_pawn_a_second_queen() {
    check_hand("QRBNP", USUAL, "palace", "QQRBN");
}

#[test]
fn rule_8e_empress_makes_the_third_of_three_a_queen() {
    check_hand("QQQRR", USUAL, "empress", "QQRRP");
    check_hand("RRRBB", USUAL, "empress", "QRRBB");
}

#[test]
fn ruling_6_the_printed_demotion_example_holds_with_empress_off_only() {
    check_hand("QQRRR", USUAL, "empress", "QQRRP");
    check_hand("QQRRR", PLAIN, "plain", "QRRPP");
}

#[test]
fn ruling_1_a_hand_that_no_deck_deals_is_none() {
    assert!(Hand::parse("QQQQQ").is_err());
    assert!(Hand::parse("QQQQK").is_err());
    assert!(Hand::parse("QQQQ").is_err());
}

// ---- hands whose cards are revealed one by one ----

fn placing(script: &str) -> String {
    format!("{TO_PLACEMENT}; {script}")
}

#[test]
fn a_hand_that_shows_five_unchanged_cards_where_one_must_change_is_refused() {
    // Under the rule Empress, one queen of the hand Q Q P P P is placed as a pawn, and one pawn as a queen. White has
    // placed Q Q P P unchanged, so White cannot have a third pawn, and it is refused. But these four cards can still
    // belong to the hand Q Q Q P P.
    let run = try_play(
        "",
        &placing(
            "white Q@d1; black R@a8; white P@a2; black R@h8; white P@b2; black B@c8; \
            white Q@c1; black B@f8; white reveal P; white reveal Q; white place Q b1; white place P c2",
        ),
    );
    assert_eq!(run.rules(), ["card-unexplained", "wrong-piece"]);
    assert_eq!(run.messages()[1], "this queen cannot be placed as a queen; place the card as a pawn");
}

#[test]
fn any_of_the_equal_cards_may_be_the_one_that_changes() {
    play("", &placing("white Q=P@a2; black R@a8; white Q@d1; black R@h8"));
}

#[test]
fn a_fifth_queen_over_both_hands_is_a_fouled_deck() {
    let run = try_play("", &placing("white Q@d1; black Q@d8; white Q=P@a2; black Q=P@a7; white reveal Q"));
    assert_eq!(run.rules(), ["fouled-deck"]);
    assert_eq!(
        run.messages(),
        [
            "with this card, 5 queens would be shown, but the deck has only 4; check the card, or declare the deck fouled (`fouled`)"
        ]
    );
}

#[test]
fn a_card_that_no_hand_explains_beside_what_was_placed_is_refused() {
    // White placed the third pawn as a rook. That is right if the other two cards of the hand are no pair. A second
    // queen makes them a pair, so the rule Empress applies, and the third pawn should have been placed as a queen.
    let run = try_play(
        "",
        &placing(
            "white Q@d1; black R@a8; white P@a2; black R@h8; white P@b2; black B@c8; \
            white P=R@a1; black B@f8; white reveal Q",
        ),
    );
    assert_eq!(run.rules(), ["card-unexplained"]);
    assert_eq!(
        run.messages(),
        ["no possible hand contains this queen and the cards that White placed before; \
          check the card, or have the false piece corrected (`correct`)"]
    );
}

#[test]
fn the_third_queen_of_three_says_nothing() {
    let run = play("", &placing("white Q@d1; black B@c8; white Q=P@a2 demoted; black B@f8; white Q@c1"));
    assert!(run.notes().is_empty());
}

#[test]
fn a_missing_or_wrong_word_is_noted_and_no_more() {
    let run = play("", &placing("white Q=P@a2; black R@a8"));
    assert_eq!(run.notes().len(), 1);
    assert_eq!(run.get("/notes/0/rule"), "announcement");
    assert_eq!(play("", &placing("white Q=P@a2 promoted")).notes().len(), 1);
    assert_eq!(play("", &placing("white Q=P@a2 demoted")).notes().len(), 0);
    assert_eq!(
        play("", &placing("white P=Q@a2 palace; black tick").replace("; black tick", "").replace("a2", "a1"))
            .notes()
            .len(),
        0
    );
    assert_eq!(play("", &placing("white P=Q@a1 promoted")).notes().len(), 0);
    assert_eq!(play("", &placing("white R=Q@a1 empress")).notes().len(), 0);
    assert_eq!(play("", &placing("white R@a1 promoted")).notes().len(), 1);
}

#[test]
fn a_hand_shows_once_its_fifth_card_was_turned_over() {
    let four = placing(
        "white P@a2; black R@a8; white P@b2; black R@h8; white P=R@a1; black B@c8; white P=Q@d1; black B@f8",
    );
    assert_eq!(play("", &four).get("/games/0/hands"), json!({}));
    let run = play("", &format!("{four}; white reveal B"));
    let hands = json!({"white": {"cards": "BPPPP", "name": "plain", "pieces": "QRBPP"}});
    assert_eq!(run.get("/games/0/hands"), hands);
}

#[test]
fn next_may_agree_on_becket() {
    let script = format!("deal; white fold; next becket; {}", placing("white P=B@c1"));
    let run = play("empress false", &script.replace("0:00 ", ""));
    assert_eq!(run.get("/phase"), "place");
    let without = script.replace("next becket", "next").replace("0:00 ", "");
    assert_eq!(try_play("empress false", &without).rules()[0], "wrong-piece");
}
