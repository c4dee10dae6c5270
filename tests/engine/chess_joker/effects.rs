//! The effect language: what can be read, what each word means, and what a use does.

use serde_json::{Value, json};
use tabiya_engine::rules::chess_joker::CardEffect;

use super::{at, cards, game, offered, play, tries, uses, uses_as};

#[track_caller]
fn reads(text: &str) -> String {
    text.parse::<CardEffect>().unwrap_or_else(|error| panic!("{text}: {error}")).words().to_owned()
}

#[test]
fn small_words_and_marks_are_passed_over() {
    assert_eq!(
        reads("Warp your *knight to a square directly beside an enemy pawn."),
        "warp *knight to beside enemy pawn"
    );
    assert_eq!(
        reads("warp light-square *bishop, to threaten the enemy knight;"),
        reads("warp light *bishop to threaten enemy knight")
    );
    assert_eq!(
        reads("move pawn then move *another pawn same way"),
        "move pawn then move another pawn same way"
    );
    assert_eq!(
        reads("warp queen/rook to threatened by (*knight)"),
        "warp queen / rook to threatened by ( *knight )"
    );
    assert_eq!(reads("warp a-*pawn to file a"), "warp a-*pawn to file a");
    assert_eq!(reads("move c-pawn"), "move c-pawn");
}

#[test]
fn an_effect_that_can_be_typed_can_be_recorded() {
    let officers = "queen/rook/bishop/knight/pawn";
    let text = format!(
        "warp {officers} to by ({officers}) or move {officers} to by ({officers}) or warp king/rook to by (king/rook)"
    );
    assert!(text.len() <= 200);
    let words = reads(&text);
    assert!(words.len() <= 200, "{words}");
    assert_eq!(reads(&words), words);
    // Found by the fuzzer: marks need no spaces on either side.
    let text = format!("warp rook {}", "behind(rook behind pawn)behind(pawn)".repeat(5));
    assert!(text.len() <= 200, "{}", text.len());
    let words = reads(&text);
    assert!(words.len() <= 200, "{words}");
    assert_eq!(reads(&words), words);
}

#[test]
fn what_the_words_do_not_allow_is_no_effect() {
    let wrong = [
        "",
        "warp",
        "a the your",
        "jump knight",
        "warp knights",
        "warp *piece",
        "warp * knight",
        "warp **knight",
        "warp *your knight",
        "warp knight*",
        "warp knight\tto empty",
        "warp knight to\nempty",
        "warp knight to empty \u{e9}",
        "warp *a-pawn",
        "warp knight to file the a",
        "warp knight or",
        "warp knight then",
        "warp knight to",
        "warp knight to not",
        "warp knight to rank 9",
        "warp knight to file i",
        "warp piece/knight",
        "warp knight/piece",
        "warp a-pawn/knight",
        "warp knight/a-pawn",
        "add a-pawn to empty",
        "move knight like piece",
        "move knight like a-pawn",
        "promote pawn to piece",
        "promote pawn to b-pawn",
        "warp another",
        "warp another by king",
        "move another",
        "promote another",
        "move knight then warp it by another",
        "add knight/bishop by another",
        "add piece to by another",
        "move pawn then warp it to by another",
        "warp it",
        "warp knight to by it",
        "warp knight to threaten it",
        "move knight capturing it",
        "move knight capturing another pawn",
        "move knight capturing any pawn",
        "move pawn then move knight capturing it",
        "warp knight to threatened by empty",
        "warp knight threatening empty",
        "warp knight to threatening pawn",
        "warp knight to doubled",
        "warp knight to pinned",
        "warp knight to immobile",
        "warp knight to threatened",
        "add knight to in its file",
        "warp knight in its file",
        "warp knight to by (pawn in its rank)",
        "add knight same way",
        "move knight same way",
        "promote pawn then move knight same way",
        "add pawn then move knight same way",
        "move knight capturing without capturing",
        "move knight without capturing without capturing",
        "move knight capturing capturing",
        "move knight twice same way same way",
        "move knight to threaten pawn to threaten rook",
        "move knight to empty to light",
        "move knight without capturing to empty",
        "move knight or move knight or move knight or move knight or move knight",
        "warp knight then warp knight then warp knight",
        "move knight twice then move knight twice",
        "warp enemy any pawn",
        "warp knight by rook by (pawn",
        "warp knight to by another light",
        "warp another light by pawn",
        "promote pawn without capturing",
        "move knight twice like bishop",
        "add not light pawn",
        "warp knight threatened by no",
        "warp not knight",
    ];
    for text in wrong {
        assert!(text.parse::<CardEffect>().is_err(), "`{text}` was read");
    }
    let long = format!("warp knight to empty{}", " ".repeat(181));
    assert!(long.parse::<CardEffect>().is_err(), "201 characters");
    assert!(long[..200].parse::<CardEffect>().is_ok(), "200 characters");
}

#[test]
fn an_error_points_at_the_word_that_is_wrong() {
    let wrong = |text: &str| {
        let error = text.parse::<CardEffect>().unwrap_err();
        (error.at.clone(), error.to_string())
    };
    assert_eq!(wrong("warp knite to empty").0, 5..10);
    assert_eq!(wrong("warp your knight to pinned").0, 20..26);
    assert_eq!(wrong("warp knight to").0, 14..14);
    assert!(wrong("warp knite to empty").1.contains("`knite`"));
}

#[test]
fn the_cards_of_the_examples_can_all_be_read_and_written_again() {
    let invented: Value =
        serde_json::from_str(include_str!("../../../fixtures/chess-joker/cards/invented.json")).unwrap();
    let effects: Vec<&str> =
        invented["cards"].as_array().unwrap().iter().map(|card| card["effect"].as_str().unwrap()).collect();
    assert_eq!(effects.len(), 40);
    for effect in effects {
        let read: CardEffect = effect.parse().unwrap();
        assert_eq!(reads(read.words()), read.words());
        assert_eq!(read.text(), effect);
    }
}

const KNIGHT: &str = "4k3/8/8/8/8/8/8/1N2K3 w - -";

#[test]
fn a_warp_goes_to_any_other_square_that_fits() {
    assert_eq!(uses(KNIGHT, "warp knight to center"), "b1d4 b1d5 b1e4 b1e5");
    assert_eq!(uses("4k3/8/8/3N4/8/8/8/4K3 w - -", "warp knight to center"), "d5d4 d5e4 d5e5");
    assert_eq!(
        uses("4k3/8/8/3pP3/8/8/8/1N2K3 w - -", "warp knight to center"),
        "b1d4 b1d5 b1e4",
        "own pieces are in the way"
    );
    assert_eq!(
        uses("4k3/8/8/3pP3/8/8/8/1N2K3 w - -", "warp knight to center without capturing"),
        "b1d4 b1e4"
    );
    assert_eq!(uses("4k3/8/8/3pP3/8/8/8/1N2K3 w - -", "warp knight to center capturing"), "b1d5");
    assert_eq!(uses(KNIGHT, "warp knight to e8"), "", "J16a: a king is never captured");
    assert_eq!(uses(KNIGHT, "warp bishop"), "");
    assert_eq!(uses(KNIGHT, "warp king to b2"), "e1b2");
}

#[test]
fn attributes_of_squares_are_seen_by_the_player_of_the_card() {
    assert_eq!(uses(KNIGHT, "warp knight to rank 3 file a"), "b1a3");
    assert_eq!(uses("1n2k3/8/8/8/8/8/8/4K3 b - -", "warp knight to rank 3 file a"), "b8a6");
    assert_eq!(uses(KNIGHT, "warp knight to light edge queenside rank 8"), "b1a8 b1c8");
    assert_eq!(uses(KNIGHT, "warp knight to dark edge kingside rank 1"), "b1g1");
    assert_eq!(uses(KNIGHT, "warp knight to not light not dark"), "");
    assert_eq!(uses(KNIGHT, "warp knight to empty a8 not b2"), "b1a8");
    assert_eq!(uses("4k3/8/8/8/8/2P5/2P5/1N2K3 w - -", "move doubled pawn"), "c3c4");
    assert_eq!(uses("4k3/8/8/8/8/2P5/2P5/1N2K3 w - -", "warp c-pawn to a8"), "c2a8 c3a8");
}

#[test]
fn relations_hold_between_different_squares() {
    let fen = "4k3/8/8/3p4/8/8/8/1N2K3 w - -";
    assert_eq!(uses(fen, "warp knight to by enemy pawn rank 4"), "b1c4 b1d4 b1e4");
    assert_eq!(uses(fen, "warp knight to beside enemy pawn"), "b1c5 b1e5");
    assert_eq!(uses(fen, "warp knight to in front of enemy pawn"), "b1d6 b1d7 b1d8");
    assert_eq!(uses(fen, "warp knight to behind enemy pawn"), "b1d1 b1d2 b1d3 b1d4");
    assert_eq!(uses(fen, "warp knight to in rank of enemy pawn file h"), "b1h5");
    assert_eq!(uses(fen, "warp knight to in file of enemy pawn rank 8"), "b1d8");
    assert_eq!(uses(fen, "warp knight to threatened by enemy pawn"), "b1c4 b1e4");
    let black = "1n2k3/8/8/3P4/8/8/8/4K3 b - -";
    assert_eq!(
        uses(black, "warp knight to in front of enemy pawn"),
        "b8d1 b8d2 b8d3 b8d4",
        "J17a: seen by the player of the card"
    );
    assert_eq!(uses(black, "warp knight to behind enemy pawn"), "b8d6 b8d7 b8d8");
}

#[test]
fn numbers_of_things_are_counted_and_empty_is_a_thing() {
    let fen = "4k3/8/8/2p1p3/8/8/8/1N2K3 w - -";
    assert_eq!(uses(fen, "warp knight to by 2 enemy pawn"), "b1d4 b1d5 b1d6");
    assert_eq!(uses(fen, "warp knight to rank 4 file d by 3 enemy pawn"), "");
    assert_eq!(
        uses(fen, "warp knight to rank 5 by no enemy piece"),
        "b1a5 b1c5 b1e5 b1g5 b1h5",
        "the captured pawn is gone"
    );
    assert_eq!(uses(fen, "warp king to a1 by 3 empty"), "", "the knight on b1 leaves two");
    assert_eq!(uses(fen, "warp king to a2 by 4 empty"), "e1a2");
    assert_eq!(uses(fen, "warp king to a2 by 5 empty"), "");
}

#[test]
fn j16b_the_place_is_asked_with_the_piece_in_the_hand_and_the_goal_cleared() {
    // Its own square counts as empty, and a piece captured is no neighbour.
    assert_eq!(uses("4k3/8/8/8/8/8/PP6/KR6 w - -", "warp king to by no empty"), "");
    assert_eq!(
        uses("4k3/8/8/8/8/PPP5/PpP5/RB5K w - -", "warp king to by no empty"),
        "",
        "b2 is by c1, which is empty"
    );
    assert_eq!(uses("4k3/8/8/8/8/PPP5/PpP5/RBB4K w - -", "warp king to by no empty"), "h1b2");
    // A rook no longer shields the square behind it.
    assert_eq!(
        uses("r3k3/8/8/8/R7/8/8/4K3 w - -", "warp rook to threatened by enemy rook file a"),
        "a4a1 a4a2 a4a3 a4a5 a4a6 a4a7"
    );
    // The square stays as it is for `empty` alone.
    assert_eq!(uses("4k3/8/8/8/8/8/2p5/1N2K3 w - -", "warp knight to not empty"), "b1c2");
}

#[test]
fn a_move_goes_as_the_pieces_go() {
    assert_eq!(uses(KNIGHT, "move knight"), "b1a3 b1c3 b1d2");
    assert_eq!(uses("4k3/8/8/8/8/2p5/1P6/4K3 w - -", "move pawn"), "b2b3 b2b4 b2c3");
    assert_eq!(uses("4k3/8/8/8/8/8/8/1P2K3 w - -", "move pawn"), "b1b2 b1b3", "J22");
    assert_eq!(uses("4k3/8/8/8/8/8/8/1B2K3 w - -", "move bishop like knight"), "b1a3 b1c3 b1d2", "J18");
    assert_eq!(uses("4k3/8/8/8/8/8/1B6/4K3 w - -", "move bishop like pawn"), "b2b3 b2b4", "J18a");
    assert_eq!(
        uses("4k3/8/8/8/1p6/8/8/1B2K3 w - -", "move bishop like king/knight to rank 2"),
        "b1a2 b1b2 b1c2 b1d2"
    );
    assert_eq!(
        uses("r3k3/8/8/8/8/8/8/R3K2R w KQ -", "move king"),
        "e1d1 e1d2 e1e2 e1f1 e1f2",
        "J16a: no castling"
    );
    assert_eq!(uses("4k3/8/8/8/8/8/8/R3K3 w - -", "move piece like knight to center"), "", "too far");
}

#[test]
fn enemy_pieces_land_on_empty_squares_and_take_nothing() {
    assert_eq!(
        uses("4k3/8/8/8/8/2P5/1p6/4K3 w - -", "move enemy pawn"),
        "b2b1",
        "neither c1 nor a piece of mine"
    );
    assert_eq!(
        uses("4k3/8/8/8/3p4/2P5/8/4K3 w - -", "warp enemy pawn to rank 3"),
        "d4a3 d4b3 d4d3 d4e3 d4f3 d4g3 d4h3"
    );
    assert_eq!(uses("4k3/8/8/8/3p4/2P5/8/4K3 w - -", "warp any pawn to d4"), "c3d4");
}

#[test]
fn twice_is_the_same_piece_and_its_goal_is_the_second() {
    let fen = "4k3/8/8/8/8/8/8/1N2K3 w - -";
    let mut run = at(fen);
    cards(&mut run, "AB 50 move knight twice to d5", "-");
    assert_eq!(offered(&run, ""), "b1c3");
    assert_eq!(tries(&mut run, "white play b1c3"), "not-the-card");
    assert_eq!(tries(&mut run, "white play b1c3 c3e4"), "not-the-card");
    play(&mut run, "white play b1c3 c3d5");
    assert_eq!(game(&run, "moves"), json!(["AB:b1c3,c3d5"]));
    assert_eq!(uses("4k3/8/8/8/8/8/8/R3K3 w - -", "move rook twice to a7 same way"), "a1a4");
    // J19: there and back is allowed.
    assert_eq!(
        uses("4k3/8/8/8/8/8/8/R3K3 w - -", "move rook twice to file a rank 1"),
        "a1a2 a1a3 a1a4 a1a5 a1a6 a1a7 a1a8 a1b1 a1c1 a1d1"
    );
}

#[test]
fn j19_without_capturing_means_both_moves_and_capturing_the_second() {
    let fen = "4k3/8/8/p7/8/8/8/R3K3 w - -";
    assert!(uses(fen, "move rook twice").contains("a1a5"));
    assert!(!uses(fen, "move rook twice without capturing").contains("a1a5"));
    assert_eq!(uses(fen, "move rook twice capturing"), "a1a2 a1a3 a1a4");
}

#[test]
fn same_way_is_the_same_step_on_the_board() {
    let fen = "4k3/8/8/8/8/2p5/1P1P4/4K3 w - -";
    let mut run = at(fen);
    cards(&mut run, "AB 50 move pawn then move another pawn same way", "-");
    assert_eq!(offered(&run, ""), "b2b3 b2b4 d2d3 d2d4", "only one of them can take");
    assert_eq!(tries(&mut run, "white play b2b3 d2d4"), "not-the-card");
    play(&mut run, "white play b2b4 d2d4");
    assert_eq!(game(&run, "en_passant"), json!(["b3", "d3"]), "J24a: several may be open");
}

#[test]
fn an_added_piece_is_never_a_king() {
    assert_eq!(uses(KNIGHT, "add piece to a8"), "+Ba8 +Na8 +Pa8 +Qa8 +Ra8", "a pawn promotes at once");
    assert_eq!(uses(KNIGHT, "add king to empty"), "");
    assert_eq!(uses(KNIGHT, "add enemy knight/rook to h2"), "+nh2 +rh2");
    assert_eq!(uses("4k3/8/8/8/8/8/p7/1N2K3 w - -", "add bishop to file a not empty"), "+Ba2");
    assert_eq!(uses("4k3/8/8/8/8/8/p7/1N2K3 w - -", "add enemy bishop to file a rank 2"), "");
    assert_eq!(uses(KNIGHT, "add knight to empty by another"), "+Na1 +Na2 +Nb2 +Nc1 +Nc2");
}

#[test]
fn a_king_never_promotes_and_nothing_becomes_one() {
    assert_eq!(uses(KNIGHT, "promote piece"), "b1=B b1=N b1=Q b1=R");
    assert_eq!(uses(KNIGHT, "promote knight to king"), "");
    assert_eq!(uses(KNIGHT, "promote knight to pawn/queen"), "b1=P b1=Q");
    assert_eq!(uses("n3k3/8/8/8/8/8/8/4K3 w - -", "promote enemy knight to rook"), "a8=R");
}

#[test]
fn it_is_the_piece_that_the_step_before_took() {
    let mut run = at(KNIGHT);
    cards(&mut run, "AB 50 add pawn to empty beside king then add bishop to empty by it", "-");
    assert_eq!(offered(&run, ""), "+Pd1 +Pf1");
    assert_eq!(tries(&mut run, "white play +Pd1 +Bf1"), "not-the-card");
    play(&mut run, "white play +Pd1 +Bc2");
    let mut run = at("4k3/8/8/3p4/8/8/8/1N2K3 w - -");
    cards(&mut run, "AB 50 warp enemy pawn to rank 5 then warp knight to threaten enemy king by it", "-");
    assert_eq!(offered(&run, ""), "", "the pawn is nowhere beside the king");
    cards(&mut run, "AC 50 warp enemy pawn to rank 7 then warp it to rank 5", "-");
    assert!(offered(&run, "").contains("d5a7"));
    play(&mut run, "white play d5a7 a7h5");
}

#[test]
fn j21a_another_is_a_piece_that_no_earlier_step_took() {
    let fen = "4k3/8/8/8/8/8/PP6/4K3 w - -";
    let mut run = at(fen);
    cards(&mut run, "AB 50 move pawn then move another pawn", "-");
    assert_eq!(tries(&mut run, "white play a2a3 a3a4"), "not-the-card");
    play(&mut run, "white play a2a3 b2b4");
    assert_eq!(uses("4k3/8/8/8/8/8/P7/4K3 w - -", "move pawn then move another pawn"), "");
    // Two knights, each by the other; the one in the hand is not `another`.
    assert_eq!(uses("4k3/8/8/8/8/8/8/N3K3 w - -", "warp knight to by another"), "");
    assert_eq!(uses("4k3/8/8/8/8/8/8/N3K2N w - -", "warp knight to rank 1 by another"), "a1g1 h1b1");
}

#[test]
fn to_threaten_is_asked_after_the_step() {
    assert_eq!(
        uses("4k3/8/8/8/8/8/3r4/1N2K3 w - -", "warp knight to rank 3 to threaten enemy rook"),
        "b1b3 b1f3"
    );
    // A piece discovered by the step does not count: the piece itself has to threaten.
    assert_eq!(uses("4k3/8/r7/8/8/8/N7/R3K3 w - -", "move knight to threaten enemy rook"), "a2b4");
    assert_eq!(uses("4k3/8/8/8/8/8/8/1N2K3 w - -", "move knight to threaten pawn"), "");
}

#[test]
fn pinned_immobile_and_threatened_are_asked_of_pieces() {
    // The bishop stands between its king and a rook.
    let pinned = "4r1k1/8/8/8/8/8/4B3/4K3 w - -";
    assert_eq!(uses(pinned, "promote pinned piece to rook"), "e2=R");
    assert_eq!(uses("6k1/8/8/8/8/8/4B3/4K3 w - -", "promote pinned piece to rook"), "");
    // J15: it cannot leave the file, and a bishop never moves along it.
    assert_eq!(uses(pinned, "promote immobile piece to knight"), "e2=N");
    assert_eq!(uses("4r1k1/8/8/8/8/8/4B3/4K3 w - -", "promote immobile bishop to queen"), "e2=Q");
    assert_eq!(uses("6k1/8/8/8/1p6/1P6/8/4K3 w - -", "promote immobile pawn to queen"), "b3=Q");
    assert_eq!(uses("6k1/8/8/2p5/1P6/8/8/4K3 w - -", "promote threatened pawn to queen"), "b4=Q");
    assert_eq!(uses("6k1/8/8/8/1P6/2p5/8/4K3 w - -", "promote threatened pawn to queen"), "");
    assert_eq!(
        uses("6k1/8/8/2p5/1P6/8/8/4K3 w - -", "warp king to not threatened by enemy piece rank 4"),
        "e1a4 e1c4 e1e4 e1f4 e1g4 e1h4"
    );
}

#[test]
fn conditions_in_brackets_belong_to_the_thing() {
    let fen = "4k3/8/8/1P6/8/8/3P4/R3K3 w - -";
    assert_eq!(uses(fen, "warp rook to empty behind (pawn rank 5)"), "a1b1 a1b2 a1b3 a1b4");
    assert_eq!(uses(fen, "warp rook to empty behind pawn rank 1"), "a1b1 a1d1", "the rank is the goal's");
}

#[test]
fn capturing_asks_what_is_captured() {
    assert_eq!(
        uses("4k3/8/1r6/2P5/8/8/8/1N2K3 w - -", "warp knight capturing enemy rook threatened by pawn"),
        "b1b6"
    );
    assert_eq!(uses("4k3/8/1r6/2P5/8/8/8/1N2K3 w - -", "warp knight capturing pawn"), "");
}

#[test]
fn en_passant_by_a_card_captures_the_pawn_that_passed() {
    let mut run = at("4k3/3p4/8/4P3/8/8/8/4K3 b - -");
    play(&mut run, "black d7d5; black draw ?");
    cards(&mut run, "AB 50 move pawn capturing enemy pawn", "-");
    assert_eq!(offered(&run, ""), "e5d6");
    play(&mut run, "white play e5d6");
    assert_eq!(game(&run, "board"), "4k3/8/3P4/8/8/8/8/4K3");
    // J24a: `without capturing` forbids it, and so does a move like another piece.
    let mut run = at("4k3/8/8/3pP3/8/8/8/4K3 w - d6");
    cards(&mut run, "AB 50 move pawn without capturing", "-");
    assert_eq!(offered(&run, ""), "e5e6");
    cards(&mut run, "AC 50 move pawn like bishop to rank 6", "-");
    play(&mut run, "white play e5d6");
    assert_eq!(game(&run, "board"), "4k3/8/3P4/3p4/8/8/8/4K3");
}

#[test]
fn pawns_of_both_colours_promote_at_the_end_of_the_entire_effect() {
    let mut run = at("6k1/8/8/8/3p4/8/8/6K1 w - -");
    cards(&mut run, "AB 50 warp enemy pawn to empty rank 1 not kingside", "-");
    assert_eq!(tries(&mut run, "white play d4a1"), "not-the-card", "J23a: it is chosen by whoever plays");
    assert_eq!(tries(&mut run, "white play d4a1 a1=Q"), "not-the-card", "a queen would give check");
    play(&mut run, "white play d4a1 a1=N");
    let mut run = at("6k1/P7/8/8/8/8/8/6K1 w - -");
    cards(&mut run, "AB 50 move pawn then warp it to empty dark rank 8", "-");
    play(&mut run, "white play a7a8 a8b8 b8=R");
    assert_eq!(game(&run, "board"), "1R4k1/8/8/8/8/8/8/6K1", "J23a: until then it is a pawn");
}

#[test]
fn j20a_every_bold_place_of_the_kind_changes_alike() {
    let fen = "4k3/8/8/8/8/8/P7/4K2B w - -";
    // Both places change, and `another` follows them; a name without a star stays.
    assert_eq!(uses_as(fen, "warp *knight to file b rank 3 by no *knight", "N=P"), "a2b3");
    assert_eq!(uses_as(fen, "warp *knight to rank 1 by *knight", "N=B"), "", "it is in the hand");
    assert_eq!(uses_as(fen, "warp king to rank 3 by *knight", "N=P"), "e1a3 e1b3");
    assert_eq!(
        uses_as(fen, "warp king to rank 3 by knight or warp *knight to a8 without capturing", "N=P"),
        "a2a8"
    );
    assert_eq!(
        uses_as("4k3/8/8/8/8/8/P1P5/4K3 w - -", "warp *knight to rank 3 file b by another", "N=P"),
        "a2b3 c2b3"
    );
    assert_eq!(uses_as("4k3/8/8/8/8/8/P7/4K3 w - -", "warp *knight to rank 3 file b by another", "N=P"), "");
    // A pawn of a file: another piece of that file.
    assert_eq!(uses_as("4k3/8/8/8/8/8/8/N3K2N w - -", "warp a-*pawn to b8", "P=N"), "a1b8");
}
