//! The rules by their numbers (`docs/rules-chess-joker.md`).

use serde_json::{Value, json};

use super::{
    at, cards, game, legal, line, moves, offered, play, rule, score, tries, uses, uses_as, usual, with_terms,
};

/// A card that does nothing on a usual board.
const IDLE: &str = "AA 25 warp queen to e1 capturing enemy pawn";

#[test]
fn j1_the_deck_has_256_cards_and_the_simple_one_128() {
    assert_eq!(game(&usual(), "deck"), 256);
    assert_eq!(game(&with_terms(START, json!({"simple": true})), "deck"), 128);
    assert_eq!(game(&with_terms(START, json!({"simple": true, "deck": 77})), "deck"), 77);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn j1a_a_code_told_before_and_a_star_in_the_simple_game_are_refused() {
    let mut run = with_terms(START, json!({"simple": true}));
    play(&mut run, "white e2e4; black e7e5");
    assert_eq!(tries(&mut run, "black draw AB* 25"), "starred-card");
    play(&mut run, "black draw AB 25; white d2d4");
    assert_eq!(tries(&mut run, "white draw AB 25"), "told-already");
    play(&mut run, "white draw ?; black d7d5; black draw ?");
    let mut run = usual();
    play(&mut run, "white e2e4; black e7e5; black draw AB* 25");
}

#[test]
fn j2_white_draws_no_card_in_his_very_first_turn() {
    let mut run = usual();
    play(&mut run, "white e2e4");
    assert_eq!(run.get("/phase"), "play");
    assert_eq!(run.get("/to_act"), "black");
    play(&mut run, "white press; black e7e5");
    assert_eq!(run.get("/phase"), "draw");
    assert_eq!(tries(&mut run, "black press"), "turn-not-complete");
    play(&mut run, "black draw QX; black press; white d2d4");
    assert_eq!(run.get("/phase"), "draw");
}

#[test]
fn j2a_nothing_is_skipped_if_black_begins() {
    let mut run = at("4k3/pppp4/8/8/8/8/4PPPP/4K3 b - -");
    play(&mut run, "black a7a6");
    assert_eq!(run.get("/phase"), "draw");
    play(&mut run, "black draw ?; white e2e4");
    assert_eq!(run.get("/phase"), "draw");
}

#[test]
fn j3_a_turn_is_last_stand_play_draw_and_check_for_check() {
    // White makes his last stand: Black has scored before he plays. His check scores only after he has drawn.
    let mut run = at("4k3/pppp4/8/8/8/8/8/Q3K2N w - -");
    assert_eq!((score(&run), run.get("/phase")), ((0, 25), json!("play")));
    play(&mut run, "white a1a7; white press; black d7d6; black draw ?; black press");
    assert_eq!(score(&run), (0, 50), "the last stand of the next turn");
    play(&mut run, "white a7a8");
    assert_eq!((score(&run), run.get("/phase")), ((0, 50), json!("draw")));
    play(&mut run, "white draw ?");
    assert_eq!((score(&run), run.get("/phase")), ((0, 75), json!("play")), "Black scores for the check");
}

#[test]
fn j4_three_pieces_or_fewer_let_the_opponent_score() {
    let run = at("4k3/8/8/8/8/8/P7/4K2R w - -");
    assert_eq!((score(&run), game(&run, "deck")), ((0, 25), json!(255)));
    assert_eq!(game(&run, "piles"), json!({"A": {"up": [], "down": 0}, "B": {"up": [], "down": 1}}));
    assert_eq!(score(&at("4k3/8/8/8/8/8/PP6/4K2R w - -")), (0, 0), "four are enough");
}

#[test]
fn j4a_last_stand_may_win_and_needs_a_card() {
    let mut run = at("4k3/pppp4/8/8/8/8/4PPPP/4K3 w - -");
    assert_eq!(rule(&mut run, json!({"score": {"B": 780}})), "");
    assert_eq!(rule(&mut run, json!({"fen": "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - -"})), "");
    play(&mut run, "white e2e4; black a7a6; black draw ?");
    assert_eq!(run.outcome(), "-");
    // Black captures down to three pieces.
    let mut run = at("4k3/pppp4/8/8/8/5n2/6PP/K7 b - -");
    assert_eq!(rule(&mut run, json!({"score": {"B": 775}})), "");
    play(&mut run, "black f3h2; black draw ?");
    assert_eq!(run.outcome(), "B elo");
    assert_eq!(score(&run), (0, 800));
    let mut run = with_terms("4k3/pppp4/8/8/8/5n2/6PP/K7 b - -", json!({"deck": 1}));
    assert_eq!(rule(&mut run, json!({"score": {"B": 775}})), "");
    play(&mut run, "black f3h2; black draw ?");
    assert_eq!((run.outcome(), score(&run)), ("-".to_owned(), (0, 775)));
}

#[test]
fn j5_a_move_discards_the_card_and_its_effect_scores_it() {
    let mut run = usual();
    play(
        &mut run,
        "white e2e4; black e7e5; black draw AB 75 move knight; white d2d4; white draw QX; black d7d5; black draw QY 50",
    );
    assert_eq!((score(&run), game(&run, "cards")), ((0, 0), json!({"white": "QX", "black": "QY"})));
    let mut run = usual();
    play(
        &mut run,
        "white e2e4; black e7e5; black draw AB 75 move knight; white d2d4; white draw QX; black play b8c6",
    );
    assert_eq!(score(&run), (0, 75));
    assert_eq!(game(&run, "piles")["B"], json!({"up": ["AB"], "down": 0}));
    assert_eq!(game(&run, "moves"), json!(["e2e4", "e7e5", "d2d4", "AB:b8c6"]));
}

#[test]
fn j5a_there_is_no_passing() {
    let mut run = usual();
    assert_eq!(tries(&mut run, "white press"), "");
    assert_eq!(tries(&mut run, "white draw AB"), "no-draw-now");
    assert_eq!(tries(&mut run, "white play e2e4"), "no-card");
    assert_eq!(tries(&mut run, "black e7e5"), "not-your-turn");
}

#[test]
fn j6_an_empty_deck_where_a_card_is_drawn_is_a_draw() {
    let mut run = with_terms(START, json!({"deck": 1}));
    play(&mut run, "white e2e4; black e7e5; black draw AB; white d2d4");
    assert_eq!(run.outcome(), "nobody deck-out");
    assert_eq!(game(&run, "deck"), 0);
}

#[test]
fn j6a_a_mate_with_an_empty_deck_is_a_draw() {
    let mut run = with_terms("6k1/5ppp/8/8/8/8/1PPP4/R3K2R w - -", json!({"deck": 1}));
    play(&mut run, "white h1h2; black h7h6; black draw AB; white a1a8");
    assert_eq!(run.outcome(), "nobody deck-out");
}

#[test]
fn j7_a_check_scores_for_the_one_in_check_once_a_turn() {
    let mut run = at("4k3/pppp4/8/8/8/8/PPPP4/R3K2R b - -");
    play(&mut run, "black a7a6; black draw ?; white h1h8; white draw ?");
    assert_eq!((score(&run), game(&run, "check")), ((0, 25), json!("black")));
    assert_eq!(game(&run, "deck"), 253);
    // Not if it would bring him to 800.
    let mut run = at("4k3/pppp4/8/8/8/8/PPPP4/R3K2R b - -");
    assert_eq!(rule(&mut run, json!({"score": {"B": 775}})), "");
    play(&mut run, "black a7a6; black draw ?; white h1h8; white draw ?");
    assert_eq!(score(&run), (0, 775));
    assert_eq!(run.outcome(), "-");
}

#[test]
fn j8_mate_wins_and_so_do_800_points() {
    let mut run = at("6k1/5ppp/8/8/8/8/PPP5/R3K3 w - -");
    play(&mut run, "white a1d1; black h7h6; black draw ?");
    assert_eq!(run.outcome(), "-");
    let mut run = at("6k1/5ppp/8/8/8/8/1PPP4/R3K3 w - -");
    play(&mut run, "white a1a8");
    assert_eq!(run.outcome(), "A checkmate");
    let mut run = usual();
    assert_eq!(rule(&mut run, json!({"score": {"A": 799}})), "");
    cards(&mut run, "AB 1 move knight", "-");
    play(&mut run, "white play g1f3");
    assert_eq!((run.outcome(), score(&run)), ("A elo".to_owned(), (800, 0)));
}

#[test]
fn j8a_a_draw_may_be_agreed_from_the_start_and_none_can_be_claimed() {
    let mut run = usual();
    play(&mut run, "white offer-draw; black accept-draw");
    assert_eq!(run.outcome(), "nobody agreement");
    let mut run = usual();
    assert_eq!(tries(&mut run, "white claim-draw"), "claim-fails");
    assert_eq!(tries(&mut run, "white accept-draw"), "no-offer");
    assert_eq!(tries(&mut run, "white decline-draw"), "no-offer");
    // An offer dies when the opponent plays.
    play(&mut run, "black offer-draw; white e2e4");
    assert_eq!(tries(&mut run, "white accept-draw"), "no-offer");
    let round = "black g8f6; black draw ?; white f3g1; white draw ?; black f6g8; black draw ?; white g1f3; white draw ?;";
    let mut run = usual();
    play(&mut run, "white g1f3");
    for _ in 0..5 {
        play(&mut run, round);
    }
    assert_eq!(run.outcome(), "-", "no repetition");
    // A fallen flag loses, whatever the material.
    let mut run = with_terms("4k3/8/8/8/8/8/8/4K3 w - -", json!({"time": "5"}));
    play(
        &mut run,
        "black press; {\"do\":\"tick\"}; {\"do\":\"tick\"}; {\"do\":\"tick\"}; {\"do\":\"tick\"}; {\"do\":\"tick\"}",
    );
    assert_eq!(run.outcome(), "B timeout");
}

#[test]
fn j9_no_legal_play_is_stalemate_the_card_included() {
    let fen = "7k/8/8/8/8/6q1/pp6/7K b - -";
    let mut run = at(fen);
    play(&mut run, "black g3f2; black draw AA 25 move pawn");
    assert_eq!(run.outcome(), "nobody stalemate");
    let mut run = at(fen);
    cards(&mut run, "AB 50 add pawn to a7", "-");
    play(&mut run, "black g3f2; black draw AA 25 move pawn");
    assert_eq!(run.outcome(), "-", "the card helps");
    // An unwritten card of either leaves it open.
    let mut run = at(fen);
    play(&mut run, "black g3f2; black draw QX");
    assert_eq!(run.outcome(), "-");
    let mut run = at(fen);
    cards(&mut run, "QY 25", "-");
    play(&mut run, "black g3f2; black draw AA 25 move pawn");
    assert_eq!(run.outcome(), "-");
}

#[test]
fn j9a_last_stand_comes_before_stalemate() {
    let mut run = at("7k/8/8/8/8/6q1/pp6/7K b - -");
    assert_eq!(rule(&mut run, json!({"score": {"B": 775}})), "");
    play(&mut run, "black g3f2; black draw AA 25 move pawn");
    assert_eq!(run.outcome(), "B elo");
}

#[test]
fn j10_face_up_cards_count_their_points_and_masqueraded_ones_25() {
    let mut run = at("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - -");
    cards(&mut run, "AB 150 warp *knight to empty rank 4", "-");
    play(&mut run, "white play a2a4 as N=P");
    assert_eq!(score(&run), (25, 0));
    assert_eq!(game(&run, "piles")["A"], json!({"up": [], "down": 1}));
    assert_eq!(game(&run, "moves"), json!(["AB(N=P):a2a4"]));
}

#[test]
fn j11_you_may_never_end_your_play_in_check_pins_do_not_weaken_a_threat() {
    let run = at("4k3/4n3/8/3K4/8/8/8/4R3 w - -");
    assert!(!moves(&run).contains("d5c6"), "the knight on e7 is pinned and threatens c6");
    // The card threatens too: beside a pawn of his the king could be captured, and no other move helps where he is.
    let mut run = at("4k3/8/8/8/8/8/PPP5/3K4 w - -");
    cards(&mut run, "-", "AB 25 warp *knight to beside enemy pawn");
    assert_eq!(tries(&mut run, "white d1d2"), "illegal-move");
    play(&mut run, "white d1e1");
}

#[test]
fn j11a_a_card_threatens_if_its_full_effect_captures_the_king() {
    let fen = "4k3/pp6/8/8/8/8/PPP5/3K4 b - -";
    // d1 stands beside no pawn; on d2 the king would stand beside c2.
    let mut run = at(fen);
    play(&mut run, "black a7a6; black draw VY 25 warp *knight to beside enemy pawn");
    assert_eq!(game(&run, "check"), Value::Null);
    assert!(!moves(&run).contains("d1d2"));
    // The second step has to be possible without the king.
    let capture_then = |then: &str| {
        let mut run = at("1n2k3/pp6/8/8/8/8/PPP5/3K4 b - -");
        play(
            &mut run,
            &format!("black a7a6; black draw AB 25 warp knight to rank 8 then warp it to d1{then}"),
        );
        game(&run, "check")
    };
    assert_eq!(capture_then(""), "white");
    assert_eq!(capture_then(" then promote it"), "white");
    assert_eq!(capture_then(" to threaten enemy king"), Value::Null, "he is captured already");
    // Adding a piece captures too; without capturing never.
    let effect = |text: &str| {
        let mut run = at("4k3/pp6/8/8/8/8/PPP5/3K4 b - -");
        play(&mut run, &format!("black a7a6; black draw AB 25 {text}"));
        game(&run, "check")
    };
    assert_eq!(effect("add queen to d1"), "white");
    assert_eq!(effect("add queen to d1 without capturing"), Value::Null);
    assert_eq!(effect("add queen to empty d1"), Value::Null);
    assert_eq!(effect("add enemy queen to d1"), Value::Null);
    assert_eq!(effect("add queen to d1 capturing enemy king"), "white");
    assert_eq!(effect("add queen to d1 capturing enemy pawn"), Value::Null);
}

#[test]
fn j11b_in_the_middle_of_an_effect_your_king_may_stand_in_check() {
    let mut run = at("4r1k1/8/8/8/8/8/PP6/4K3 w - -");
    cards(&mut run, "AB 50 move pawn then move king", "-");
    play(&mut run, "white play a2a3 e1d1");
}

#[test]
fn j12_mate_only_if_the_mated_players_card_is_written() {
    let fen = "6k1/5ppp/8/8/8/8/1PPP4/R3K3 w - -";
    let mated = |card: &str| {
        let mut run = at(fen);
        cards(&mut run, "-", card);
        play(&mut run, "white a1a8");
        run.outcome()
    };
    assert_eq!(mated("-"), "A checkmate");
    assert_eq!(
        mated("AB 50 move pawn like knight to f8"),
        "-",
        "the card interposes: it cannot, but h7f8 can"
    );
    assert_eq!(mated("AB 50 move pawn like bishop to h1"), "A checkmate");
    assert_eq!(mated("QX 50"), "-");
    assert_eq!(mated("?"), "-");
}

#[test]
fn j12a_an_unwritten_card_of_the_attacker_does_not_stand_in_the_way_of_mate() {
    let outcome = |card: &str| {
        let mut run = at("6k1/1p3ppp/8/8/8/8/1PPP4/R3K3 b - -");
        play(&mut run, &format!("black b7b6; black draw {card}; white a1a8; white draw AC"));
        run.outcome()
    };
    assert_eq!(outcome(IDLE), "A checkmate", "White has drawn a card that nobody wrote");
    assert_eq!(outcome("QX 50"), "-", "the mated player's own card is not written");
}

/// However many uses two free steps have: each of them is tried.
#[test]
fn j12a_mate_is_found_however_many_uses_there_are() {
    let pawns = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -";
    let few = "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - -";
    for (fen, own, enemy) in [
        (pawns, "warp pawn then warp pawn", "warp pawn then warp *rook"),
        (pawns, "warp pawn then warp pawn", "warp *queen then warp *rook"),
        (few, "warp *knight then warp *bishop", "warp *knight then warp *bishop"),
    ] {
        let mut run = at(fen);
        cards(&mut run, &format!("AB 25 {own}"), &format!("AA 25 {enemy}"));
        assert_eq!(run.outcome(), "B checkmate", "{own} against {enemy}");
    }
}

#[test]
fn j13a_a_pawn_threatens_the_squares_on_which_it_captures() {
    // f1 is threatened by the pawn on g2 though nothing stands there; the squares straight ahead are not.
    assert!(!moves(&at("4k3/8/8/8/8/8/6p1/4K2R w K -")).contains("e1g1"));
    assert!(moves(&at("4k3/8/8/8/8/5p2/8/4K2R w K -")).contains("e1g1"));
}

#[test]
fn j14a_kings_are_never_pinned_and_only_new_threats_count() {
    assert_eq!(uses("4r1k1/8/8/8/8/8/4B3/4K3 w - -", "warp pinned king"), "");
    // The king is in check along the file already; the bishop beside it is not pinned by that rook.
    assert_eq!(uses("4r1k1/8/8/8/8/8/3B4/4K3 w - -", "warp pinned bishop to e2"), "");
}

#[test]
fn j15a_its_kings_safety_counts_for_immobile() {
    // The rook may move along the file, so it is mobile; the knight may not move at all.
    assert_eq!(uses("4r1k1/8/8/8/8/8/4R3/4K3 w - -", "promote immobile rook to queen"), "");
    assert_eq!(uses("4r1k1/8/8/8/8/8/4N3/4K3 w - -", "promote immobile knight to rook"), "e2=R");
}

#[test]
fn j16_warp_goes_anywhere_move_by_the_rules_of_chess_and_add_from_the_supply() {
    let fen = "4k3/3p4/8/8/8/8/8/N3K3 w - -";
    assert_eq!(uses(fen, "warp knight to h8"), "a1h8");
    assert_eq!(uses(fen, "warp knight to d7"), "a1d7", "a warp may capture");
    assert_eq!(uses(fen, "move knight"), "a1b3 a1c2");
    assert_eq!(uses(fen, "add rook to d7"), "+Rd7", "what is added may capture");
}

#[test]
fn j17_words_of_place_mean_what_they_print() {
    let goals = |place: &str| uses("4k3/8/8/8/8/8/8/N3K3 w - -", &format!("warp knight to {place}"));
    assert_eq!(goals("center"), "a1d4 a1d5 a1e4 a1e5");
    assert_eq!(goals("beside king"), "a1d1 a1f1");
    assert_eq!(goals("rank 1 kingside"), "a1f1 a1g1 a1h1", "the king stands on e1");
    assert_eq!(goals("queenside rank 8"), "a1a8 a1b8 a1c8 a1d8");
    assert_eq!(goals("behind enemy king file e edge"), "", "e1 is taken, e8 is the king's");
    assert_eq!(goals("in front of king rank 2"), "a1e2");
}

#[test]
fn j18_moved_like_another_the_piece_stays_what_it_is() {
    let mut run = at("4k3/8/8/8/8/8/P3P3/4K3 w - -");
    cards(&mut run, "AB 50 move pawn like knight", "-");
    play(&mut run, "white play a2b4");
    assert_eq!(game(&run, "board"), "4k3/8/8/8/1P6/8/4P3/4K3");
}

#[test]
fn j20_a_masquerade_is_for_pieces_of_which_you_have_none() {
    let fen = "4k3/8/8/8/8/8/P7/1N2K3 w - -";
    let mut run = at(fen);
    cards(&mut run, "AB 50 warp *knight/*bishop to a8", "-");
    assert_eq!(offered(&run, ""), "b1a8");
    assert_eq!(offered(&run, "B=P"), "a2a8 b1a8");
    assert_eq!(offered(&run, "B=K"), "b1a8 e1a8");
    assert_eq!(offered(&run, "N=P"), "");
    assert_eq!(tries(&mut run, "white play a2a8 as N=P"), "no-masquerade");
    assert_eq!(tries(&mut run, "white play a2a8 as R=P"), "no-masquerade");
    play(&mut run, "white play a2a8 a8=Q as B=P");
}

#[test]
fn j20a_two_bold_kinds_are_replaced_each_or_not() {
    let fen = "4k3/8/8/8/8/8/P7/4K3 w - -";
    let effect = "warp *knight/*bishop to rank 3 file a";
    assert_eq!(uses(fen, effect), "");
    assert_eq!(uses_as(fen, effect, "N=P"), "a2a3");
    assert_eq!(uses_as(fen, effect, "B=K,N=P"), "a2a3 e1a3");
    assert_eq!(uses_as(fen, effect, "B=P,N=P"), "a2a3");
    assert_eq!(uses_as(fen, "add *knight to rank 3 file a", "N=K"), "", "a king is never added");
    assert_eq!(uses_as(fen, "add *knight to rank 3 file a", "N=R"), "+Ra3");
}

#[test]
fn j21_another_is_another_piece_of_the_kind_named() {
    let card = "warp knight to empty by another";
    assert_eq!(uses("4k3/8/8/8/8/8/8/N3K3 w - -", card), "", "there is no other knight");
    let beside_a1 = uses("4k3/8/8/8/8/8/8/N3K2N w - -", card);
    assert_eq!(beside_a1, "a1g1 a1g2 a1h2 h1a2 h1b1 h1b2");
}

#[test]
fn j23_a_pawn_on_its_last_rank_promotes_at_the_end_of_the_entire_effect() {
    let mut run = at("7k/P7/8/8/8/8/8/4K3 w - -");
    assert_eq!(tries(&mut run, "white a7a8"), "illegal-move");
    cards(&mut run, "AB 50 move pawn then warp it to h1", "-");
    assert_eq!(tries(&mut run, "white play a7a8 a8=Q a8h1"), "not-the-card");
    play(&mut run, "white play a7a8 a8h1");
    assert_eq!(game(&run, "board"), "7k/8/8/8/8/8/8/4K2P");
}

#[test]
fn j22_and_j24a_a_pawn_on_its_first_rank_may_go_two_and_be_taken() {
    let mut run = at("4k3/8/8/8/8/3p4/8/P3K2P w - -");
    assert!(moves(&run).contains("a1a3"));
    play(&mut run, "white h1h3");
    let mut run = at("4k3/8/8/8/8/1p6/8/P3K3 w - -");
    play(&mut run, "white a1a3");
    assert_eq!(game(&run, "en_passant"), json!(["a2"]));
    play(&mut run, "black b3a2");
    assert_eq!(game(&run, "board"), "4k3/8/8/8/8/8/p7/4K3");
}

#[test]
fn j24_en_passant_only_in_the_next_turn() {
    let mut run = at("4k3/3p4/8/4P3/8/8/8/4K3 b - -");
    play(&mut run, "black d7d5; black draw ?");
    assert!(moves(&run).contains("e5d6"));
    play(&mut run, "white e1e2; white draw ?; black e8e7; black draw ?");
    assert!(!moves(&run).contains("e5d6"));
    // After an unwritten card nothing is open; a warp of two squares opens nothing.
    let mut run = with_terms("4k3/3p4/8/4P3/8/8/8/4K3 b - -", json!({"confirm": "none"}));
    cards(&mut run, "-", "QX 25");
    play(&mut run, "black play d7d5; black draw ?");
    assert_eq!(game(&run, "en_passant"), json!([]));
    let mut run = at("4k3/3p4/8/4P3/8/8/8/4K3 b - -");
    cards(&mut run, "-", "AB 25 warp pawn to d5");
    play(&mut run, "black play d7d5; black draw ?");
    assert_eq!(game(&run, "en_passant"), json!([]));
}

#[test]
fn j25_castling_needs_an_unmoved_king_and_rook_and_no_threat() {
    let both = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -";
    let run = at(both);
    assert!(moves(&run).contains("e1g1") && moves(&run).contains("e1c1"));
    assert_eq!(game(&run, "castling"), "KQkq");
    let mut run = at(both);
    play(
        &mut run,
        "white h1g1; black a7a6; black draw ?; white g1h1; white draw ?; black a6a5; black draw ?",
    );
    assert_eq!(game(&run, "castling"), "Qkq");
    assert!(!moves(&run).contains("e1g1"));
    // Not through a threatened square, nor out of check; b1 may be threatened.
    assert!(!moves(&at("4k3/8/8/8/8/8/8/R3K2r w Q -")).contains("e1c1"));
    assert!(!moves(&at("3rk3/8/8/8/8/8/8/R3K3 w Q -")).contains("e1c1"));
    assert!(moves(&at("1r2k3/8/8/8/8/8/8/R3K3 w Q -")).contains("e1c1"));
    assert!(!moves(&at("4k3/8/8/8/8/8/8/RN2K3 w Q -")).contains("e1c1"));
}

#[test]
fn j25a_the_enemys_written_card_counts_for_castling_and_a_new_rook_has_not_moved() {
    let fen = "4k2r/8/8/8/8/8/8/R3K3 w Q -";
    let castles = |card: &str| {
        let mut run = at(fen);
        cards(&mut run, "-", card);
        moves(&run).contains("e1c1")
    };
    assert!(castles("-"));
    assert!(!castles("AB 50 warp rook to d1"), "the square that he passes");
    assert!(!castles("AB 50 warp rook to c1"));
    assert!(!castles("AB 50 warp rook to e1"));
    assert!(castles("AB 50 warp rook to b1"));
    let mut run = at("4k3/8/8/8/8/8/8/R3K3 w Q -");
    cards(&mut run, "AB 50 add rook to h1", "-");
    play(&mut run, "white play +Rh1");
    assert_eq!(game(&run, "castling"), "KQ");
    let mut run = at("4k3/8/8/8/8/8/8/R3K2N w Q -");
    cards(&mut run, "AB 50 promote knight to rook", "-");
    play(&mut run, "white play h1=R");
    assert_eq!(game(&run, "castling"), "KQ");
    // There and back: it has moved.
    let mut run = at("4k3/8/8/8/8/8/8/R3K3 w Q -");
    cards(&mut run, "AB 50 move rook twice", "-");
    play(&mut run, "white play a1a2 a2a1");
    assert_eq!(game(&run, "castling"), "-");
}

#[test]
fn j26_any_number_of_each_piece_but_one_king() {
    let nine_queens = at("4k3/pppppppp/8/8/8/8/QQQQQQQQ/Q3K3 w - -");
    assert_eq!(nine_queens.outcome(), "-");
    let added = uses("4k3/8/8/8/8/8/QQQQ4/QQQQK3 w - -", "add queen to h1");
    assert_eq!(added, "+Qh1");
}

#[test]
fn j27_and_j29_what_needs_no_card_is_refused_after_an_unwritten_one_too() {
    let mut run = at("4k3/P6p/8/8/8/8/4r2P/4K3 w - -");
    cards(&mut run, "QX 50", "-");
    assert_eq!(tries(&mut run, "white play -e8"), "not-the-card", "a king is never captured");
    assert_eq!(tries(&mut run, "white play e1e8"), "not-the-card");
    assert_eq!(tries(&mut run, "white play +Qe8"), "not-the-card");
    assert_eq!(tries(&mut run, "white play e8=Q"), "not-the-card");
    assert_eq!(tries(&mut run, "white play h2h3"), "not-the-card", "the king would stand in check");
    assert_eq!(tries(&mut run, "white play -e2 a7a8"), "not-the-card", "a pawn is left at its end");
    assert_eq!(tries(&mut run, "white play -e3"), "not-the-card", "nothing stands there");
    play(&mut run, "white play -e2 a7a8 a8=Q e1<>e8");
    assert_eq!(game(&run, "board"), "Q3K3/7p/8/8/8/8/7P/4k3", "kings may change places");
}

#[test]
fn j28_what_an_unwritten_card_does_is_confirmed() {
    let mut run = usual();
    play(&mut run, "white e2e4; black e7e5; black draw QX; white d2d4; white draw ?");
    assert_eq!(tries(&mut run, "black play b8d4"), "points-missing");
    play(&mut run, "black play b8d4 elo 75");
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("confirm"), json!("white")));
    assert_eq!(game(&run, "board"), "r1bqkbnr/pppp1ppp/8/4p3/3nP3/8/PPP2PPP/RNBQKBNR", "shown as done");
    assert_eq!(game(&run, "moves"), json!(["e2e4", "e7e5", "d2d4"]));
    assert!(
        legal(&run, "confirm", "white") && legal(&run, "reject", "white") && !legal(&run, "confirm", "black")
    );
    assert_eq!(tries(&mut run, "black confirm"), "not-your-answer");
    assert_eq!(tries(&mut run, "black d7d5"), "confirm-first");
    assert_eq!(tries(&mut run, "black draw ?"), "confirm-first");
    play(&mut run, "white reject");
    assert_eq!(run.get("/phase"), "play");
    play(&mut run, "black play b8d4 elo 75; arbiter confirm");
    assert_eq!((run.get("/phase"), score(&run)), (json!("draw"), (0, 75)));
    assert_eq!(game(&run, "moves")[3], "QX:b8d4");
    // The term `confirm: none` leaves the yes out.
    let mut run = with_terms(START, json!({"confirm": "none"}));
    play(
        &mut run,
        "white e2e4; black e7e5; black draw ?; white d2d4; white draw ?; black play card QX elo 50",
    );
    assert_eq!((run.get("/phase"), score(&run)), (json!("draw"), (0, 50)));
    assert_eq!(game(&run, "moves")[3], "QX:");
    assert_eq!(line(&mut run, json!({"do": "draw", "by": "black", "card": "QX"})), "told-already");
}

#[test]
fn j30_a_check_from_an_unwritten_card_is_claimed() {
    let mut run = usual();
    play(&mut run, "white e2e4; black e7e5; black draw QX; black press");
    assert_eq!(tries(&mut run, "black check mate"), "", "a mate may be claimed from his card");
    play(&mut run, "white reject; black check");
    assert_eq!((run.get("/phase"), run.get("/to_act")), (json!("confirm"), json!("white")));
    play(&mut run, "white confirm");
    assert_eq!((score(&run), game(&run, "check")), ((25, 0), json!("white")));
    assert_eq!(tries(&mut run, "white check"), "nothing-to-claim", "he is known to be in check");
    play(&mut run, "white check mate; black confirm");
    assert_eq!(run.outcome(), "B checkmate");
    // A written card leaves nothing to claim.
    let mut run = usual();
    play(&mut run, &format!("white e2e4; black e7e5; black draw {IDLE}"));
    assert_eq!(tries(&mut run, "black check"), "nothing-to-claim");
    assert_eq!(tries(&mut run, "arbiter check"), "nothing-to-claim");
}
