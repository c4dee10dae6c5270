//! The placement: printed rules 9–16 and rulings 2, 8, 9, 10, 13, 15 (`docs/rules.md`); points 6, 9 and 12 of "How
//! lines act" (`docs/record.md`).

use serde_json::json;
use tabiya_engine::rules::PieceAnnouncement;
use tabiya_types::{Card, Color, Square};

use crate::support::{PLACED, Run, TO_PLACEMENT, begin, header, play, to_chess, try_play};

fn placing(script: &str) -> String {
    format!("{TO_PLACEMENT}; {script}")
}

#[test]
fn ruling_2_kings_and_their_pawns_stand_before_the_deal() {
    let run = begin(&header(""));
    assert_eq!(run.replay.table().board().to_string(), "4k3/4p3/8/8/8/8/4P3/4K3");
}

#[test]
fn rule_9_white_places_first_and_then_in_turn() {
    let run = try_play("", &placing("black reveal R; white R@a1; white reveal R"));
    assert_eq!(run.rules(), ["not-your-placement"; 2]);
}

#[test]
fn rule_10_a_card_is_turned_over_before_its_piece_is_placed() {
    assert_eq!(try_play("", &placing("white place R a1")).rules(), ["no-card"]);
}

#[test]
fn rule_11_the_press_hands_the_turn_over() {
    let run = play(
        "time 60",
        &placing("0:00 black press; 0:05 white reveal R; 0:07 white place R a1; 0:10 white press; 0:11 tick"),
    );
    assert_eq!((run.clocks(), run.get("/to_act")), ((50_000, 59_000), json!("black")));
}

#[test]
fn rule_12_all_five_of_each_stand_before_chess_begins() {
    let run = play("", &to_chess());
    assert_eq!(run.get("/phase"), "chess");
    assert_eq!(run.get("/games/0/start_fen"), "rnb1kb1r/4p3/8/8/8/8/4P3/RNBQKQ2 w Qkq - 0 1");
}

#[test]
fn rule_13_the_order_of_cards_is_free_but_a_card_once_turned_stays() {
    let run = try_play("", &placing("white reveal N; white reveal Q; undo; white reveal Q"));
    assert_eq!(run.rules(), ["card-open"]);
}

#[test]
fn rule_14a_pawns_stand_on_three_ranks() {
    let run = try_play(
        "",
        &placing(
            "white reveal P; white place P a1; white place P a5; white place P a4; white press; \
        black reveal P; black place P a4; black place P a8; black place P a5; black press",
        ),
    );
    assert_eq!(run.rules(), ["outside-zone"; 4]);
}

#[test]
fn rule_14b_other_pieces_stand_on_two_ranks() {
    let run = try_play(
        "",
        &placing(
            "white reveal N; white place N a3; white place N a2; white press; \
        black reveal N; black place N a6; black place N a7; black press",
        ),
    );
    assert_eq!(run.rules(), ["outside-zone"; 2]);
}

#[test]
fn ruling_8_the_zone_follows_the_piece_and_not_the_card() {
    let run = try_play("", &placing("white reveal P; white place Q a3; white place Q a1; white press"));
    assert_eq!(run.rules(), ["outside-zone"]);
}

#[test]
fn rule_15_the_second_bishop_stands_on_the_other_colour() {
    let run = try_play(
        "",
        &placing("white B@c1; black B@c8; white reveal B; white place B a1; white place B f1; white press"),
    );
    assert_eq!(run.rules(), ["bishops-alike"]);
    assert_eq!(
        run.messages(),
        [
            "a player's bishops must stand on squares of different colours; a1 has the same colour as c1; choose a light square"
        ]
    );
}

#[test]
fn an_occupied_square_is_refused() {
    let run = try_play(
        "",
        &placing(
            "white reveal P; white place P e2; white place P e3; white press; black P@e6; white reveal R; white place R e1",
        ),
    );
    assert_eq!(run.rules(), ["occupied", "occupied"]);
}

#[test]
fn rule_16_resigning_gives_the_pot() {
    for (by, winner) in [("white", "B resignation"), ("black", "A resignation")] {
        let run = play("", &placing(&format!("white R@a1; {by} resign")));
        assert_eq!(run.outcome(), winner);
        assert_eq!(run.get("/games/0/start_fen"), json!(null));
    }
}

#[test]
fn running_out_of_time_in_placement_loses() {
    let run = play("time 60", &placing("0:00 black press; 1:00 tick"));
    assert_eq!((run.outcome(), run.get("/flag")), ("B timeout".to_owned(), json!("white")));
}

#[test]
fn until_the_press_a_piece_may_be_placed_again_and_the_last_counts() {
    let run = play("", &placing("white reveal R; white place R a1; white place R h1; white press"));
    assert_eq!(run.replay.table().board().to_string(), "4k3/4p3/8/8/8/8/4P3/4K2R");
}

#[test]
fn the_opponents_reveal_counts_as_the_press_at_its_own_moment() {
    let run = play(
        "time 60",
        &placing(
            "0:00 black press; 0:05 white reveal R; 0:07 white place R a1; 0:20 black reveal N; 0:21 tick",
        ),
    );
    assert_eq!((run.clocks(), run.get("/to_act")), ((40_000, 59_000), json!("black")));
}

#[test]
fn a_place_without_a_card_does_not_press_for_the_other() {
    let run = try_play(
        "time 60",
        &placing(
            "0:00 black press; 0:05 white reveal R; 0:07 white place R a1; 0:09 black place N b8; 0:10 white press",
        ),
    );
    assert_eq!((run.rules(), run.clocks()), (vec!["no-card"], (50_000, 60_000)));
}

#[test]
fn whites_first_move_presses_for_the_tenth_placement() {
    let placed = PLACED.rsplit_once(';').unwrap().0;
    let script = placing(&format!(
        "0:00 black press; {placed}; 0:30 black reveal N; 0:30 black place N b8; 0:40 white e2e4"
    ));
    let run = play("time 90", &script);
    assert_eq!(run.get("/games/0/moves"), json!(["e2e4"]));
    assert_eq!(run.clocks().0 + run.clocks().1, 180_000 - 40_000);
}

#[test]
fn a_press_before_having_acted_is_refused() {
    let run = try_play("", &placing("black press; white press; white reveal R; white press"));
    assert_eq!(run.rules(), ["press-too-early"; 2]);
}

#[test]
fn with_auto_presses_a_placement_ends_the_turn_itself() {
    let run = play(
        "time 60, press auto",
        &placing(
            "0:00 white press; 0:05 white reveal R; 0:15 white place R a1; 0:16 white press; 0:17 black reveal R",
        ),
    );
    assert_eq!((run.clocks(), run.get("/to_act")), ((50_000, 58_000), json!("black")));
}

// ---- castling and the start position ----

fn start_fen(terms: &str, white: &str) -> String {
    let script = placing(&format!(
        "black press; white R@{white}; black N@b8; white R@a2; black N@g8; white B@c1; black B@c8; white B@f1; black B@f8; white N@b1; black R@a8"
    ));
    let script = if white == "a2" {
        script.replace("white R@a2; black N@g8", "white R@b2; black N@g8")
    } else {
        script
    };
    let fen = play(terms, &script).get("/games/0/start_fen");
    fen.as_str().unwrap().split(' ').nth(2).unwrap().to_owned()
}

#[test]
fn ruling_10_a_rook_placed_at_home_may_castle() {
    assert_eq!(start_fen("", "h1"), "Kq");
    assert_eq!(start_fen("", "a1"), "Qq");
    assert_eq!(start_fen("", "g1"), "q");
    assert_eq!(start_fen("castling false", "h1"), "-");
}

#[test]
fn ruling_10_no_placement_gives_check() {
    // Tries each kind of piece on each square on which it may be placed. Pawns may be placed on the second to fourth
    // rank, other pieces on the two ranks nearest to their own king. In front of each king stands a pawn.
    let zones =
        [("P", 1..4, 4..7), ("N", 0..2, 6..8), ("B", 0..2, 6..8), ("R", 0..2, 6..8), ("Q", 0..2, 6..8)];
    let mut tried = 0;
    for (piece, white, black) in zones {
        for (color, ranks) in [(Color::White, white), (Color::Black, black)] {
            for at in Square::all().filter(|at| ranks.contains(&at.rank())) {
                let (letter, turn) = match color {
                    Color::White => (piece.to_owned(), "b"),
                    Color::Black => (piece.to_lowercase(), "w"),
                };
                let mut board: tabiya_types::Board = "4k3/4p3/8/8/8/8/4P3/4K3".parse().unwrap();
                if board[at].is_some() {
                    continue;
                }
                board[at] = tabiya_types::Piece::from_letter(letter.chars().next().unwrap());
                // In this position it is the opponent's turn, so `is_check` tells whether the placed piece gives check
                // to the opponent.
                let fen: shakmaty::fen::Fen = format!("{board} {turn} - - 0 1").parse().unwrap();
                let position: shakmaty::Chess = fen.into_position(shakmaty::CastlingMode::Standard).unwrap();
                assert!(!shakmaty::Position::is_check(&position), "{board}");
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 2 * (23 + 4 * 14));
}

// ---- stand-ins ----

#[test]
fn ruling_15_a_piece_may_stand_for_another() {
    let run = play(
        "",
        &placing(
            r#"white reveal P; {"do":"place","by":"white","piece":"Q","at":"a1","stands":"R"}; white press"#,
        ),
    );
    let table = run.replay.table();
    assert_eq!(table.board().to_string(), "4k3/4p3/8/8/8/8/4P3/Q3K3");
    assert_eq!(table.physical().to_string(), "4k3/4p3/8/8/8/8/4P3/R3K3");
}

#[test]
fn a_stand_in_may_be_declared_before_the_board_shows_it() {
    let run = play("", &placing("white stands Q R; white Q@a1"));
    assert_eq!(run.replay.table().physical().to_string(), "4k3/4p3/8/8/8/8/4P3/R3K3");
}

// ---- corrections ----

/// White has placed its third pawn card as a rook, which is right only in a hand without a pair. Then White turns over
/// a second queen, so the hand has a pair.
const FALSE_ROOK: &str = "white Q@d1; black R@a8; white P@a2; black R@h8; white P@b2; black B@c8; \
    white P=R@a1; black B@f8; white reveal Q";

#[track_caller]
fn falsely(more: &str) -> Run {
    let run = try_play("time 300", &placing(&format!("black press; {FALSE_ROOK}; {more}")));
    assert_eq!(run.rules()[0], "card-unexplained");
    run
}

#[test]
fn ruling_9_a_false_piece_is_put_right_and_the_opponent_gains_a_minute() {
    let before = falsely("tick");
    let run = falsely("black correct a1 Q; white reveal Q; white place P c2; white press");
    assert_eq!(run.rules().len(), 1);
    assert_eq!(run.replay.table().board().to_string(), "r1b1kb1r/4p3/8/8/8/8/PPP1P3/Q2QK3");
    assert_eq!(run.clocks().1, before.clocks().1 + 60_000);
    assert_eq!(run.get("/games/0/incidents/0/by"), "white");
    let line = run.get("/games/0/incidents/0/line").as_u64().unwrap();
    assert!(run.lines[usize::try_from(line).unwrap() - 2].contains("correct"));
}

#[test]
fn a_correction_may_move_the_piece_to_a_legal_square() {
    let run = falsely("black correct a1 Q h1; black correct d1 Q a5");
    assert!(run.replay.table().board().to_string().ends_with("3QK2Q"));
}

#[test]
fn a_correction_is_refused_where_it_cannot_be() {
    let run = falsely(
        "white correct a1 Q; black correct a1 N; black correct a1 R; black correct c3 Q; black correct a1 Q a3",
    );
    assert_eq!(
        run.rules()[1..],
        ["own-piece", "wrong-piece", "nothing-false", "nothing-placed", "outside-zone"]
    );
}

#[test]
fn a_correction_puts_no_fallen_flag_up_again() {
    let script = placing("black press; white Q=P@a2; 6:00 tick; black correct a2 Q a1; white claim-flag");
    let run = try_play("time 300, voice event", &script);
    assert_eq!((run.get("/flag"), run.outcome().as_str()), (serde_json::Value::from("black"), "A timeout"));
}

#[test]
fn a_second_incident_of_one_seat_loses_the_game() {
    // White has placed a queen card as a pawn. Black has this corrected to a queen, and then back to a pawn: two
    // incidents of White.
    let script = placing("white Q=P@a2; black R@a8; black correct a2 Q a1; black correct a1 P a2");
    let run = play("time 300", &script);
    assert_eq!(run.outcome(), "B false-declaration");
    assert_eq!(run.get("/games/0/incidents").as_array().unwrap().len(), 2);
}

#[test]
fn corrections_are_closed_once_white_has_made_a_chess_move() {
    let chess = to_chess();
    let run = try_play("", &format!("{chess}; white e2e4; white correct a8 R; black correct f1 P f2"));
    assert_eq!(run.rules(), ["too-late-to-correct"; 2]);
}

#[test]
fn a_correction_before_whites_first_move_changes_the_start_position() {
    // White's hand is a Palace, so White placed its pawn card as a queen. Black demands a pawn in place of this
    // queen. The demand is refused, because in this hand the pawn card must not be placed as a pawn.
    let run = try_play("", &format!("{}; black correct f1 P f2", to_chess()));
    assert_eq!(run.rules(), ["wrong-piece"]);
}

#[test]
fn players_may_declare_the_deck_fouled_until_the_tenth_placement_is_pressed() {
    assert_eq!(play("", &placing("white R@a1; black fouled")).get("/games/0/outcome/reason"), "fouled-deck");
    assert_eq!(try_play("", &format!("{}; black fouled", to_chess())).rules(), ["wrong-stage"]);
    assert_eq!(play("", &format!("{}; arbiter fouled", to_chess())).outcome(), "nobody fouled-deck");
}

#[test]
fn a_ruling_on_the_turn_lets_both_place_all_five() {
    let run = play(
        "",
        &placing(
            r#"white Q@d1; rule {"to_act":"white"}; white R@a1; black R@a8; white B@c1; black R@h8; white N@b1; black B@c8; white P=Q@f1 palace; black B@f8; black N@b8"#,
        ),
    );
    assert_eq!(run.get("/phase"), "chess");
}

/// The cards that a player has turned over, as text. `R=Q@a1`: a rook card whose piece was placed on a1 as a queen.
/// `R`: a rook card whose piece is not placed yet.
fn cards(run: &Run, of: Color) -> String {
    let shown = run.replay.table().game().cards().map(|cards| cards.shown(of)).unwrap_or_default();
    let cards = shown.into_iter().map(|shown| match (shown.piece, shown.at) {
        (Some(piece), Some(at)) => format!("{}={}@{at}", shown.card.letter(), piece.letter()),
        _ => shown.card.letter().to_string(),
    });
    cards.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_cards_turned_over_are_told_in_order_with_what_they_became() {
    let after = |script: &str| {
        let run = play("", &placing(script));
        (cards(&run, Color::White), cards(&run, Color::Black))
    };
    let both = |white: &str, black: &str| (white.to_owned(), black.to_owned());
    assert_eq!(after("white reveal P"), both("P", ""));
    assert_eq!(after("white reveal P; white place R a1 promoted"), both("P=R@a1", ""));
    assert_eq!(after("white P=R@a1 promoted; black B@c8; white reveal N"), both("P=R@a1 N", "B=B@c8"));
    assert_eq!(
        after(r#"white P=R@a1; {"do":"correct","by":"arbiter","at":"a1","piece":"Q","on":"b1"}"#),
        both("P=Q@b1", "")
    );
    // The cards stay known after their pieces have moved.
    let before = play("", &to_chess());
    let moved = play("", &format!("{}; white b1c3!", to_chess()));
    assert_eq!(cards(&before, Color::White), cards(&moved, Color::White));
    assert_eq!(cards(&moved, Color::White).split(' ').count(), 5);
    let chess = play("chess", "white e2e4!");
    assert_eq!(cards(&chess, Color::White), "");
}

#[test]
fn the_stages_are_the_printed_ones_and_a_game_that_is_over_keeps_the_last() {
    let at = |script: &str| play("", script).replay.table().game().stages().unwrap().now;
    let names = play("", "deal").replay.table().game().stages().unwrap().names;
    assert_eq!(names, ["deal-2", "bet", "deal-2", "bet", "deal-1", "bet", "placement", "chess"]);
    let steps: Vec<&str> = TO_PLACEMENT.split(';').collect();
    let mut reached: Vec<usize> = (0..=steps.len()).map(|count| at(&steps[..count].join(";"))).collect();
    reached.dedup();
    assert_eq!(reached, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(at(&to_chess()), 7);
    assert_eq!(at("deal; white fold"), 1);
    assert_eq!(at(&placing("white resign")), 6);
    assert!(play("chess", "").replay.table().game().stages().is_none());
}

#[test]
fn a_piece_that_is_not_its_card_is_announced_until_the_press() {
    let announced = |script: &str| {
        play("", &placing(script))
            .replay
            .table()
            .game()
            .placement()
            .and_then(tabiya_engine::rules::Placement::announced)
    };
    assert_eq!(
        announced("white reveal P; white place Q d1"),
        Some((Color::White, Card::Queen, PieceAnnouncement::Promoted))
    );
    assert_eq!(announced("white P=Q@d1"), None);
    assert_eq!(announced("white reveal P; white place P d2"), None);
    assert_eq!(
        announced("white reveal Q; white place P d2"),
        Some((Color::White, Card::Pawn, PieceAnnouncement::Demoted))
    );
    // The first four cards are different and unchanged, so only Palace makes the pawn a queen.
    let palace = "white Q@d1; black P@a7; white R@a1; black P@b7; white B@c1; black P=R@h8; white N@b1; black Q@d8; white reveal P; white place Q f1";
    assert_eq!(announced(palace), Some((Color::White, Card::Queen, PieceAnnouncement::Palace)));
}
