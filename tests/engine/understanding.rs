//! How a live table understands a board, rule by rule (docs/record.md, "What was seen, and what was understood").
//! Each story is a small record with `sees` and `press`. The lines that the table writes must replay to the same
//! result.

use std::fmt::Write as _;

use crate::support::hands::action_text;
use crate::support::story::{BET, Told, chess, choker, tell};
use tabiya_engine::record::Header;
use tabiya_engine::rules::GAMES;
use tabiya_engine::sense::Watch;
use tabiya_engine::table::Question;
use tabiya_types::{Color, Instant, Observation, Square};

fn plain(story: &str) -> Told {
    tell(&chess(""), story)
}

fn auto(story: &str) -> Told {
    tell(&chess(r#""press":"auto""#), story)
}

fn event(story: &str) -> Told {
    tell(&chess(r#""voice":"event""#), story)
}

fn placed(terms: &str, story: &str) -> Told {
    tell(&choker(terms), &format!("{BET}{story}"))
}

// ---- rule 1 ----

#[test]
fn rule_1_a_press_settles_the_action_that_the_board_shows() {
    let told = plain(
        "0 show\n0 press black\n4000 -e2\n4300 +e4P\n5000 press white\n8000 -e7\n8200 +e5p\n9000 press black",
    );
    assert_eq!(
        told.lines(),
        ["0 press black", "5000 move e2e4", "5000 press white", "9000 move e7e5", "9000 press black"]
    );
    assert_eq!(told.clocks(), (295_000, 296_000));
    assert!(told.understood);
}

#[test]
fn rule_1_what_the_board_showed_on_the_way_does_not_matter() {
    // A piece slides to its square, another is adjusted, and a third is lifted and put back.
    let told = plain(
        "0 show\n0 press black\n1000 -g1\n1200 +g1N\n2000 -e2 +e3P\n2900 -e3 +e4P\n3000 -d2\n3300 +d2P\n5000 press white",
    );
    assert_eq!(told.moves(), "e2e4");
    assert_eq!(told.clocks(), (295_000, 300_000));
}

#[test]
fn rule_1_a_mate_settles_without_a_press_at_its_last_change() {
    let mate = "0 show\n0 press black\n1000 -f2 +f3P\n2000 press white\n3000 -e7 +e5p\n4000 press black\n5000 -g2 +g4P\n6000 press white\n8000 -d8\n9000 +h4q";
    let told = plain(&format!("{mate}\n20000 show"));
    assert_eq!(told.outcome(), "B checkmate");
    assert_eq!(told.lines().last(), Some(&"9350 move d8h4 when 9000"));
    assert_eq!(told.clocks(), (296_000, 295_000));
    // If the board reports nothing more, the mating move settles at the end of the input.
    assert_eq!(plain(mate).outcome(), "B checkmate");
}

#[test]
fn rule_1_an_action_that_stands_at_a_pause_or_the_end_settles() {
    let told = plain("0 show\n0 press black\n1000 -e2 +e4P\n3000 {\"do\":\"pause\",\"by\":\"white\"}");
    assert_eq!(told.lines(), ["0 press black", "3000 move e2e4 when 1000", "3000 pause white"]);
    let told = plain("0 show\n0 press black\n1000 -e2 +e4P");
    assert_eq!(told.lines(), ["0 press black", "1350 move e2e4 when 1000"]);
    assert!(told.understood);
}

#[test]
fn rule_1_mate_on_the_board_stands_above_a_later_flag() {
    let header = chess("").replace("300", "10");
    let told = tell(
        &header,
        "0 show\n0 press black\n1000 -f2 +f3P\n1000 press white\n2000 -e7 +e5p\n2000 press black\n3000 -g2 +g4P\n3000 press white\n11900 -d8 +h4q\n20000 show",
    );
    assert_eq!(told.outcome(), "B checkmate");
    let told = tell(&header, "0 show\n0 press black\n1000 -f2\n20000 show");
    assert_eq!(told.outcome(), "B timeout");
}

// ---- rule 2 ----

#[test]
fn rule_2_a_press_that_overtakes_the_last_update_is_understood_late() {
    let told = plain(
        "0 show\n0 press black\n4000 -e2\n5000 press white\n5120 +e4P\n8000 -e7 +e5p\n9000 press black",
    );
    assert_eq!(
        told.lines(),
        [
            "0 press black",
            "5000 button white",
            "5120 move e2e4 when 5000",
            "5120 press white when 5000",
            "9000 move e7e5",
            "9000 press black"
        ]
    );
    assert_eq!(told.clocks(), (295_000, 296_000));
}

#[test]
fn rule_2_no_change_counts_as_nothing() {
    let told = plain("0 show\n0 press black\n5000 press white\n6000 -e2 +e4P\n9000 show");
    let lines = told.lines();
    assert_eq!(lines[..2], ["0 press black", "5000 button white"]);
    assert!(lines[2].ends_with(" move e2e4 when 5000"), "{lines:?}");
    assert!(lines[3].ends_with(" press white when 5000"), "{lines:?}");
    assert_eq!(told.clocks().0, 295_000);
    let told = plain("0 show\n0 press black\n5000 press white");
    assert!(!told.understood);
    assert_eq!(told.report["violations"].as_array().map(Vec::len), Some(1));
}

#[test]
fn rule_2_all_presses_that_wait_are_explained_together() {
    // The board reported the pawn's lift from e2 and lost its placing on e4. It reports e4 only at 7 s.
    let told = plain(
        "0 show\n0 press black\n1000 -e2\n2000 press white\n3000 -e7\n3200 +e5p\n4000 press black\n5000 -g1\n5200 +f3N\n6000 press white\n7000 +e4P",
    );
    assert_eq!(
        told.lines()[4..],
        [
            "7000 move e2e4 when 2000",
            "7000 press white when 2000",
            "7000 move e7e5 when 4000",
            "7000 press black when 4000",
            "7000 move g1f3 when 6000",
            "7000 press white when 6000"
        ]
    );
    assert_eq!(told.clocks(), (296_000, 298_000));
}

#[test]
fn rule_2_two_moves_may_arrive_in_one_report() {
    let told =
        plain("0 show\n0 press black\n1900 -e2\n2000 press white\n4000 press black\n4100 +e4P -e7 +e5p");
    assert_eq!(told.moves(), "e2e4 e7e5");
    assert_eq!(told.clocks(), (298_000, 298_000));
}

#[test]
fn rule_2_a_card_turned_over_while_a_press_waits_is_written_after_it() {
    let told = placed(
        "",
        "0 show\n1000 press black\n1500 reveal white R\n3000 press white\n3100 reveal black N\n3200 +a1R\n5000 +b8n\n6000 press black",
    );
    assert_eq!(
        told.lines()[10..],
        [
            "1500 reveal white R",
            "3000 button white",
            "3200 place R a1 when 3000",
            "3200 press white when 3000",
            "3200 reveal black N when 3100",
            "6000 place N b8",
            "6000 press black"
        ]
    );
    assert_eq!(told.clocks(), (298_000, 297_000));
    assert_eq!(told.phase(), "place");
}

#[test]
fn rule_2_at_an_event_the_lines_are_the_same() {
    let told = event(
        "0 show\n0 press black\n4000 -e2\n5000 press white\n7120 +e4P\n8000 -e7 +e5p\n9000 press black",
    );
    assert_eq!(told.moves(), "e2e4 e7e5");
    assert_eq!(told.clocks(), (295_000, 296_000));
}

// ---- rule 3 ----

#[test]
fn rule_3_of_two_ways_the_one_shown_last_is_taken() {
    // The pawn slid from a7 over a6 to a5 and was then captured there. Black had pressed before the board reported the
    // pawn on a6 and on a5.
    let story = "0 show\n0 press black\n1000 -b2 +b4P\n2000 press white\n4000 -a7\n4010 press black\n4050 +a6p\n4300 -a6 +a5p\n4500 -b4\n4800 -a5 +a5P\n5000 press white";
    let told = plain(story);
    assert_eq!(told.moves(), "b2b4 a7a5 b4a5");
    assert!(told.understood);
}

#[test]
fn rule_3_two_ways_that_were_never_seen_are_asked_about() {
    // The board looks the same after a2a3 b4a3 (an ordinary capture) and after a2a4 b4a3 (a capture en passant).
    let header = chess(r#""fen":"4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1""#);
    let told =
        tell(&header, "0 show\n0 press black\n1000 -a2\n2000 press white\n3000 press black\n4000 -b4 +a3p");
    assert!(!told.understood);
    assert_eq!(told.report["violations"].as_array().map(Vec::len), Some(2));
    // A typed move answers the question.
    let told = tell(
        &header,
        "0 show\n0 press black\n1000 -a2\n2000 press white\n3000 press black\n4000 -b4 +a3p\n9000 move white a2a4",
    );
    assert_eq!(told.moves(), "a2a4 b4a3");
    assert_eq!(told.clocks(), (298_000, 299_000));
    // If the board has shown the pawn on a4, there is no question.
    let told = tell(
        &header,
        "0 show\n0 press black\n1000 -a2\n2000 press white\n2200 +a4P\n2300 -a4\n3000 press black\n4000 -b4 +a3p",
    );
    assert_eq!(told.moves(), "a2a4 b4a3");
}

// ---- rule 4 ----

#[test]
fn rule_4_two_presses_cancel_each_other() {
    let told =
        plain("0 show\n0 press black\n2000 press white\n3000 press black\n4000 -e2 +e4P\n5000 press white");
    assert_eq!(
        told.lines(),
        ["0 press black", "2000 button white", "3000 button black", "5000 move e2e4", "5000 press white"]
    );
    assert_eq!(told.clocks(), (295_000, 300_000));
    assert!(told.understood);
}

// ---- rule 5 ----

#[test]
fn rule_5_a_forgotten_press_ends_at_the_others_press() {
    let told = plain(
        "0 show\n0 press black\n1000 -e2 +e4P\n4000 -e7\n4200 +e5p\n4300 press black\n6000 -g1 +f3N\n7000 press white",
    );
    assert_eq!(
        told.lines(),
        [
            "0 press black",
            "4300 move e2e4",
            "4300 press white",
            "4300 move e7e5",
            "4300 press black",
            "7000 move g1f3",
            "7000 press white"
        ]
    );
    assert_eq!(told.clocks(), (293_000, 300_000));
}

#[test]
fn rule_5_the_opponents_card_counts_as_the_press() {
    let told = placed(
        "",
        "0 show\n1000 press black\n1500 reveal white R\n3000 +a1R\n5000 reveal black N\n6000 +b8n\n7000 press black",
    );
    assert_eq!(
        told.lines()[10..],
        [
            "1500 reveal white R",
            "5000 place R a1",
            "5000 reveal black N",
            "7000 place N b8",
            "7000 press black"
        ]
    );
    assert_eq!(told.clocks(), (296_000, 298_000));
}

// ---- rule 6 ----

#[test]
fn rule_6_two_actions_stand_and_the_lever_is_as_before() {
    let told = plain("0 show\n0 press black\n1000 -e2 +e4P\n2000 -e7 +e5p\n9000 show");
    assert_eq!(
        told.lines(),
        [
            "0 press black",
            "2350 move e2e4 when 2000",
            "2350 press white when 2000",
            "2350 move e7e5 when 2000",
            "2350 press black when 2000"
        ]
    );
    let told = plain("0 show\n0 press black\n2000 -e2 +e4P -e7 +e5p\n9000 show");
    assert_eq!(told.moves(), "e2e4 e7e5");
}

// ---- rule 7 ----

#[test]
fn rule_7_by_itself_an_action_settles_at_its_last_change() {
    let told =
        auto("0 show\n0 move white e2e4\n1000 -e2 +e4P\n3000 -e7\n3100 +e6p\n3300 -e6 +e5p\n9000 show");
    assert_eq!(told.lines(), ["0 move e2e4", "3650 move e7e5 when 3300"]);
    let told = placed(
        r#""press":"auto""#,
        "0 show\n1000 reveal white R\n2000 +a1R\n4000 reveal black N\n5000 +b8n\n9000 show",
    );
    assert_eq!(
        told.lines()[9..],
        [
            "1000 reveal white R",
            "2350 place R a1 when 2000",
            "4000 reveal black N",
            "5350 place N b8 when 5000"
        ]
    );
    assert_eq!(told.clocks(), (299_000, 297_000));
}

// ---- rule 8 ----

#[test]
fn rule_8_a_corrected_action_is_undone_and_written_anew() {
    let told = plain(
        "0 show\n0 press black\n1000 -e2 +e3P\n2000 press white\n3000 -e3 +e4P\n8000 -e7 +e5p\n9000 press black",
    );
    assert_eq!(told.moves(), "e2e4 e7e5");
    let lines = told.lines();
    let undo = lines.iter().find_map(|line| line.strip_suffix(" undo")).expect("an undo");
    let undo: u64 = undo.parse().expect("a time");
    assert!((3_350..8_000).contains(&undo), "{lines:?}");
    // White's clock counted until White's press at 2 s, and Black's clock from the undo.
    assert_eq!(told.clocks(), (298_000, 300_000 - (9_000 - undo)));
    let told = placed(
        "",
        "0 show\n1000 press black\n1500 reveal white R\n2000 +a1R\n3000 press white\n4000 -a1 +b1R\n6000 reveal black N\n7000 +b8n\n8000 press black",
    );
    assert_eq!(
        told.lines()[13..18],
        ["4350 undo", "4350 reveal white R", "4350 place R b1", "4350 press white", "6000 reveal black N"]
    );
}

#[test]
fn rule_8_the_correction_may_come_with_the_reply() {
    // White pressed when the bishop was seen on g5, but the bishop slid on to h6. Black replied at once.
    let fen = r#""fen":"4k3/8/8/8/8/8/7p/2B1K3 w - - 0 1""#;
    let told = tell(
        &chess(fen),
        "0 show\n0 press black\n1000 -c1 +g5B\n1050 press white\n1200 -g5 +h6B\n1300 -e8\n1500 +e7k\n1600 press black",
    );
    assert_eq!(told.moves(), "c1h6 e8e7");
    assert!(told.understood);
}

#[test]
fn rule_8_at_an_event_the_arbiter_is_asked() {
    let told = event("0 show\n0 press black\n1000 -e2 +e3P\n2000 press white\n5000 -e3 +e4P\n6000 show");
    assert_eq!(told.moves(), "e2e3");
    assert!(!told.lines().iter().any(|line| line.contains("undo")));
}

// ---- rule 9 ----

#[test]
fn rule_9_a_typed_move_settles_the_earliest_press() {
    let told = plain("0 show\n0 press black\n1000 -e2\n2000 press white\n8000 move white e2e4\n9000 +e4P");
    assert_eq!(
        told.lines(),
        ["0 press black", "2000 button white", "8000 move e2e4 when 2000", "8000 press white when 2000"]
    );
    assert_eq!(told.clocks().0, 298_000);
}

#[test]
fn rule_9_an_undo_drops_the_press_that_waits() {
    let told = plain(
        "0 show\n0 press black\n2000 press white\n3000 {\"do\":\"undo\"}\n4000 -e2 +e4P\n5000 press white",
    );
    assert_eq!(told.lines(), ["0 press black", "2000 button white", "5000 move e2e4", "5000 press white"]);
    assert!(told.understood);
}

#[test]
fn rule_9_a_ruled_position_drops_all_presses() {
    let told = plain(
        "0 show\n0 press black\n2000 -a2 -b2\n2000 press white\n3000 {\"do\":\"rule\",\"by\":\"arbiter\",\"reason\":\"set up\",\"set\":{\"fen\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"}}",
    );
    assert!(told.understood);
}

// ---- rule 10 ----

#[test]
fn rule_10_a_button_of_an_earlier_run_waits_again() {
    let told = plain(
        "0 show\n0 press black\n1000 -e2\n2000 {\"do\":\"button\",\"by\":\"white\"}\n2100 +e4P\n4000 show",
    );
    assert_eq!(told.moves(), "e2e4");
    assert_eq!(told.clocks().0, 298_000);
}

// ---- the order in which hands move pieces ----

#[test]
fn a_capture_is_understood_whichever_piece_leaves_first() {
    let start = "0 show\n0 press black\n1000 -e2 +e4P\n1100 press white\n2000 -d7 +d5p\n2100 press black\n";
    for capture in [
        "3000 -d5\n3200 -e4\n3400 +d5P",
        "3000 -e4\n3200 -d5\n3400 +d5P",
        "3000 -e4\n3200 -d5 +d5P",
        "3000 -d5 +d5P\n3400 -e4",
        "3000 -d5\n3100 +d5p\n3200 -e4 -d5\n3400 +d5P",
    ] {
        let told = plain(&format!("{start}{capture}\n4000 press white"));
        assert_eq!(told.moves(), "e2e4 d7d5 e4d5", "{capture}");
    }
}

#[test]
fn castling_is_understood_in_any_order() {
    let header = chess(r#""fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1""#);
    for castling in [
        "1000 -e1\n1300 +g1K\n2500 -h1\n3000 +f1R",
        "1000 -h1\n1300 +f1R\n2500 -e1\n3000 +g1K",
        "1000 -h1\n1300 -e1\n2500 +f1R\n3000 +g1K",
    ] {
        let told = tell(&header, &format!("0 show\n0 press black\n{castling}\n4000 press white"));
        assert_eq!(told.lines(), ["0 press black", "4000 move e1g1", "4000 press white"], "{castling}");
    }
}

#[test]
fn a_pawn_taken_in_passing_may_leave_late() {
    let header = chess(r#""fen":"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1""#);
    let told = tell(&header, "0 show\n0 press black\n1000 -e5 +d6P\n3500 -d5\n4000 press white");
    assert_eq!(told.moves(), "e5d6");
    let told = tell(&header, "0 show\n0 press black\n1000 -e5 +d6P\n2000 press white\n3500 -d5");
    assert_eq!(
        told.lines()[1..],
        ["2000 button white", "3500 move e5d6 when 2000", "3500 press white when 2000"]
    );
}

#[test]
fn a_promotion_waits_for_its_piece() {
    let header = chess(r#""fen":"4k3/P7/8/8/8/8/8/4K3 w - - 0 1""#);
    let told = tell(&header, "0 show\n0 press black\n1000 -a7 +a8P\n3000 -a8\n3500 +a8Q\n4000 press white");
    assert_eq!(told.moves(), "a7a8q");
    let told = tell(&header, "0 show\n0 press black\n1000 -a7 +a8P\n2000 press white\n3500 -a8 +a8N");
    assert_eq!(told.moves(), "a7a8n");
    assert_eq!(told.clocks().0, 298_000);
}

#[test]
fn a_declared_stand_in_counts_for_what_it_stands_for() {
    let header = chess(r#""fen":"4k3/P7/8/8/8/8/8/4K3 w - - 0 1""#);
    let told = tell(
        &header,
        "0 show\n0 press black\n500 {\"do\":\"stands\",\"by\":\"white\",\"piece\":\"Q\",\"as\":\"R\"}\n1000 -a7 +a8R\n2000 press white\n3000 -e8 +e7k\n4000 press black\n5000 -a8 +a7R\n6000 press white",
    );
    assert_eq!(told.moves(), "a7a8q e8e7 a8a7");
    let told = placed(
        "",
        "0 show\n1000 press black\n1200 {\"do\":\"stands\",\"by\":\"white\",\"piece\":\"N\",\"as\":\"B\"}\n1500 reveal white N\n3000 +b1B\n4000 press white",
    );
    assert_eq!(told.lines().last(), Some(&"4000 press white"));
    assert!(told.lines().contains(&"4000 place N b1"), "{:?}", told.lines());
}

#[test]
fn knocked_pieces_are_put_right_by_way_of_wrong_squares() {
    let told = plain(
        "0 show\n0 press black\n1000 -e2 +e4P\n1500 -a2 -b2\n1800 +a3P\n2600 -a3\n2700 +a2P\n3200 +b3P\n3600 -b3\n3700 +b2P\n4000 press white",
    );
    assert_eq!(told.moves(), "e2e4");
    // After White's press a black pawn is knocked over and put back. This does not count as Black's move, because the
    // pawn stands on its old square again when Black presses.
    let told = plain(
        "0 show\n0 press black\n1000 -e2 +e4P\n2000 press white\n2500 -a7 +a6p\n4500 -a6 +a7p\n5000 -e7 +e5p\n6000 press black",
    );
    assert_eq!(told.moves(), "e2e4 e7e5");
    assert_eq!(told.clocks(), (298_000, 296_000));
}

#[test]
fn a_square_that_flickers_does_not_matter() {
    let mut story = "0 show\n0 press black\n".to_owned();
    for nth in 0..12 {
        let what = if nth % 2 == 0 { "-h8" } else { "+h8r" };
        writeln!(story, "{} {what}", 1000 + nth * 200).expect("writing to a string cannot fail");
    }
    story.push_str("3300 -h8 -e2 +e4P\n3400 press white\n3500 +h8r\n3700 -h8\n");
    let told = plain(&story);
    assert_eq!(told.moves(), "e2e4");
    assert_eq!(told.clocks().0, 296_600);
}

#[test]
fn bullet_replies_are_understood() {
    let told = plain(
        "0 show\n0 press black\n1000 -e2\n1010 press white\n1015 -e7\n1050 +e4P\n1060 +e5p\n1070 press black\n1080 -g1\n1100 +f3N\n1110 press white",
    );
    assert_eq!(told.moves(), "e2e4 e7e5 g1f3");
    assert_eq!(told.clocks(), (298_950, 299_940));
}

fn no_press_waited(told: &Told) {
    assert!(!told.lines().iter().any(|line| line.contains("button")), "{:?}", told.lines());
}

#[test]
fn what_stood_there_while_the_board_was_set_up_means_nothing() {
    let told = plain(
        "0 fen rnbqkbnr/pppppppp/8/4Q3/8/5q2/PPPPPPPP/RNB1KBNR\n9000 show -e5 +d1Q\n9500 -f3\n12000 show\n13000 press black\n14000 -e2 +e4P\n14500 press white\n15000 -e7 +e5p\n15500 press black",
    );
    assert_eq!(told.moves(), "e2e4 e7e5");
    no_press_waited(&told);
}

#[test]
fn an_offer_between_two_moves_does_not_make_the_next_one_doubtful() {
    let told = plain(
        "0 show\n0 press black\n5000 -e2 +e4P\n5500 press white\n9000 {\"do\":\"offer-draw\",\"by\":\"white\"}\n9500 -e7 +e5p\n9900 press black\n15000 -g1 +f3N\n15500 press white",
    );
    assert_eq!(told.moves(), "e2e4 e7e5 g1f3");
    no_press_waited(&told);
}

#[test]
fn rule_5_the_first_press_of_a_game_may_be_forgotten() {
    let told =
        plain("0 show\n1000 -a2 +a3P\n2000 -a7 +a6p\n2050 press black\n2100 -d2 +d4P\n3000 press white");
    assert_eq!(told.moves(), "a2a3 a7a6 d2d4");
}

#[test]
fn a_promoted_piece_that_was_captured_before_it_was_shown_is_asked_about_although_nobody_pauses() {
    let header = chess(r#""fen":"2brk3/1P6/8/8/8/8/4P3/4K3 w - - 0 1""#);
    let mut watch = Watch::new(Header::parse(&header, GAMES).unwrap().agreement);
    let (mut board, mut now) = (watch.table().physical(), 0);
    watch.observe(&Observation::Whole(board), Instant::ZERO);
    watch.observe(&Observation::Press(Color::Black), Instant::ZERO);
    // The pawn goes to c8, which no report shows, and a rook is there next. Then the kings go to and fro.
    let kings = ["e1f2", "e8f7", "f2e1", "f7e8"].into_iter().cycle().take(8);
    for (nth, way) in ["b7", "d8c8"].into_iter().chain(kings).enumerate() {
        let square = |at: usize| way.get(at..at + 2).map(|name| name.parse::<Square>().unwrap());
        let (from, to) = (square(0).unwrap(), square(2));
        let piece = board[from].take();
        watch.observe(&Observation::Square(from, None), Instant::from_millis(now + 150));
        if let Some(to) = to {
            board[to] = piece;
            watch.observe(&Observation::Square(to, piece), Instant::from_millis(now + 250));
        }
        now += 400;
        let by = if nth % 2 == 0 { Color::White } else { Color::Black };
        watch.observe(&Observation::Press(by), Instant::from_millis(now));
        if watch.question().is_some() {
            break;
        }
    }
    // Only people know which piece it was, and nothing that follows will tell.
    let Some(Question::Which(answers)) = watch.question() else { panic!("{:?}", watch.question()) };
    let first: Vec<String> = answers.iter().map(|answer| action_text(&answer[0])).collect();
    let promotes = |name: &String| name.contains("b7c8");
    assert!(first.len() == 4 && first.iter().all(promotes), "{first:?}");
    assert!(watch.choose(1, Instant::from_millis(now)));
    assert_eq!(watch.table().physical(), board);
}

#[test]
fn nobody_presses_is_said_once_and_again_after_a_press() {
    let header = Header::parse(&chess(r#""voice":"event""#), GAMES).expect("a header");
    let mut watch = Watch::new(header.agreement);
    let (mut board, mut t) = (watch.table().physical(), 0);
    watch.observe(&Observation::Whole(board), Instant::ZERO);
    watch.observe(&Observation::Press(Color::Black), Instant::from_millis(500));
    let mut said = Vec::new();
    let mut play = |watch: &mut Watch, from: &str, to: &str, pressed: Option<Color>| {
        let [from, to] = [from, to].map(|name| name.parse::<Square>().expect("a square"));
        board[to] = board[from].take();
        t += 3_000;
        watch.observe(&Observation::Whole(board), Instant::from_millis(t));
        if let Some(by) = pressed {
            watch.observe(&Observation::Press(by), Instant::from_millis(t + 300));
        }
        watch.time(Instant::from_millis(t + 2_000));
        said.extend(watch.take_remarks().into_iter().map(|remark| remark.says.id().to_owned()));
    };
    for (from, to) in [("e2", "e4"), ("e7", "e5"), ("g1", "f3"), ("b8", "c6"), ("f1", "b5"), ("a7", "a6")] {
        play(&mut watch, from, to, None);
    }
    play(&mut watch, "b5", "a4", Some(Color::White));
    for (from, to) in [("g8", "f6"), ("d2", "d3"), ("f8", "e7"), ("b1", "c3")] {
        play(&mut watch, from, to, None);
    }
    assert_eq!(said.iter().filter(|id| *id == "remark-nobody-presses").count(), 2, "{said:?}");
    assert!(!said.contains(&"remark-forgotten".to_owned()), "nobody pressed: {said:?}");
}

#[test]
fn a_board_set_up_the_other_way_round_is_read_so() {
    let told = plain("0 turned\n0 press black\n1000 turned");
    assert!(told.understood);
    let header = chess("");
    let told = tell(&header, "0 turned\n0 press white\n1000 -e2 +e4P");
    // The board was set up turned by 180 degrees, so all its reports in this game are read as turned. Therefore the
    // reported change from e2 to e4 is not the move e2e4.
    assert_eq!(told.moves(), "");
}

#[test]
fn a_flag_is_not_stopped_by_a_piece_in_the_air() {
    let header = chess("").replace("300", "5");
    let told = tell(&header, "0 show\n0 press black\n4900 -e2\n9000 show");
    assert_eq!(told.outcome(), "B timeout");
    assert_eq!(told.lines()[1..], ["5250 tick"]);
    assert_eq!(told.clocks().0, 0);
}

#[test]
fn a_typed_move_carried_out_late_on_the_board_does_not_hold_up_the_next_one() {
    let told = plain(
        "0 show\n792 -e2\n1414 +e4P\n1870 press white\n2392 {\"do\":\"move\",\"by\":\"black\",\"uci\":\"e7e5\"}\n2503 {\"do\":\"press\",\"by\":\"black\"}\n6414 -e7 +e5p\n8500 -g1\n9121 +f3N\n10006 press white\n20000 show",
    );
    assert_eq!(told.moves(), "e2e4 e7e5 g1f3");
    let knight = told.lines().into_iter().find(|line| line.contains("g1f3")).expect("the knight's move");
    assert!(knight.starts_with("10006"), "{:?}", told.lines());
}

// ---- what went wrong once ----

#[test]
fn a_press_after_a_typed_reply_was_not_understood() {
    let told = plain(
        "0 show\n0 press black\n1000 -e2 +e4P\n3000 {\"do\":\"move\",\"by\":\"black\",\"uci\":\"e7e5\"}\n3500 -e7 +e5p\n4000 press black\n6000 -g1 +f3N\n7000 press white\n8000 -b8 +c6n\n9000 press black",
    );
    assert_eq!(told.moves(), "e2e4 e7e5 g1f3 b8c6");
    assert!(told.understood);
}

#[test]
fn an_action_put_back_for_another_was_not_corrected_before_the_reply() {
    let correction = "0 show\n0 press black\n2000 -e2\n2300 +e4P\n2750 press white\n4300 -e4\n4600 +e2P\n4900 -d2\n5200 +d4P\n60000 show";
    let told = plain(correction);
    assert_eq!(told.moves(), "d2d4");
    let told = event(&format!("{correction}\n61000 -e7\n61200 +e5p\n62000 press black"));
    assert_eq!(told.moves(), "e2e4", "the arbiter is asked");
}

#[test]
fn a_piece_touched_five_times_before_its_move_stopped_the_game() {
    let mut story = "0 show\n0 press black".to_owned();
    for nth in 1..=5 {
        write!(story, "\n{} -e2\n{} +e2P", nth * 1_200, nth * 1_200 + 500).unwrap();
    }
    let told = plain(&format!(
        "{story}\n7500 -e2\n7800 +e4P\n8250 press white\n9300 -e7\n9600 +e5p\n10050 press black"
    ));
    assert_eq!(told.moves(), "e2e4 e7e5");
}

#[test]
fn presses_by_the_side_whose_clock_stands_stopped_the_game() {
    let mut story = "0 show\n0 press black\n1000 -e2 +e4P\n2000 press white".to_owned();
    for nth in 1..=6 {
        write!(story, "\n{} press white", 2_000 + nth * 300).unwrap();
    }
    let told = plain(&format!("{story}\n6000 -e7 +e5p\n7000 press black\n8000 -g1 +f3N\n9000 press white"));
    assert_eq!(told.moves(), "e2e4 e7e5 g1f3");
}

#[test]
fn a_press_after_the_end_was_a_violation() {
    let mate = "0 show\n0 press black\n1000 -f2 +f3P\n2000 press white\n3000 -e7 +e5p\n4000 press black\n5000 -g2 +g4P\n6000 press white\n8000 -d8\n8200 +h4q\n8500 press black";
    let told = plain(&format!("{mate}\n9500 -e1\n10000 press white\n15000 show"));
    assert_eq!(told.outcome(), "B checkmate");
    assert!(told.understood);
}

#[test]
fn a_piece_lifted_and_put_back_without_presses_stopped_the_game() {
    let told = auto(
        "0 show\n0 press black\n1000 -a7\n1150 +a7p\n3000 -e2\n3200 +e4P\n6000 -e7\n6200 +e5p\n9000 -g1\n9200 +f3N\n12000 -b8\n12200 +c6n\n15000 -f1\n15200 +b5B\n18000 -a7\n18200 +a6p\n21000 show",
    );
    assert_eq!(told.moves(), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
}

#[test]
fn a_held_resignation_was_written_into_the_next_game() {
    let header = chess("").replace("300", "10");
    let told = tell(
        &header,
        "0 show\n0 press black\n1000 -e2 +e5P\n2000 press white\n15000 {\"do\":\"resign\",\"by\":\"white\"}\n16000 {\"do\":\"next\"}\n16500 show\n17000 press black\n18000 -e2 +e4P\n19000 press white\n20000 -e7 +e5p\n21000 press black\n22000 show",
    );
    assert_eq!(told.lines().iter().filter(|line| line.contains("resign")).count(), 0, "{:?}", told.lines());
}

// ---- after an illegal move ----

/// Two moves, then White puts his knight on g3 and presses.
const KNIGHT_TO_G3: &str = "0 show\n0 press black\n2700 -e2 +e4P\n3400 press white\n4700 -e7 +e5p\n5400 press black\n6700 -g1\n7000 +g3N\n7400 press white";
/// Then he plays another move with it, and presses.
const KNIGHT_TO_F3: &str = "13700 -g1\n14000 +f3N\n14400 press white\n20000 show";

#[test]
fn a_move_that_was_put_back_and_a_press_that_was_pressed_back_count_for_nothing_in_either_order() {
    for between in [
        "10700 -g3\n11000 +g1N\n11900 press black",
        "9000 press black\n10700 -g3\n11000 +g1N",
        // Nobody presses back: White's second press ends his turn.
        "10700 -g3\n11000 +g1N",
        // The knight goes to another wrong square, too.
        "9000 press black\n9500 -g3 +h4N\n10700 -h4\n11000 +g1N",
    ] {
        let told = plain(&format!("{KNIGHT_TO_G3}\n{between}\n{KNIGHT_TO_F3}"));
        assert_eq!(told.moves(), "e2e4 e7e5 g1f3", "{between}");
        assert!(told.understood, "{between}");
        let last = told.lines().last().map(ToString::to_string);
        assert_eq!(last.as_deref(), Some("14400 press white"), "{between}");
    }
}

#[test]
fn two_illegal_moves_in_a_row_that_were_put_back_count_for_nothing() {
    let told = plain(&format!(
        "{KNIGHT_TO_G3}\n8000 -g3 +g1N\n8500 press black\n9000 -g1 +g4N\n9500 press white\n11000 -g4 +g1N\n11900 press black\n{KNIGHT_TO_F3}"
    ));
    assert_eq!(told.moves(), "e2e4 e7e5 g1f3");
    assert!(told.understood);
}

#[test]
fn no_answer_contradicts_a_piece_that_stands_where_no_move_leads() {
    for replies in [false, true] {
        let header = Header::parse(&chess(""), GAMES).expect("a header");
        let mut watch = Watch::new(header.agreement);
        let mut board = watch.table().physical();
        let at = Instant::from_millis;
        watch.observe(&Observation::Whole(board), at(0));
        watch.observe(&Observation::Press(Color::Black), at(100));
        let moves = [("g1", "g3", Color::White, 2_000), ("e7", "e5", Color::Black, 4_000)];
        for (from, to, by, t) in moves.into_iter().take(if replies { 2 } else { 1 }) {
            let [from, to] = [from, to].map(|name: &str| name.parse::<Square>().expect("a square"));
            board[to] = board[from].take();
            watch.observe(&Observation::Whole(board), at(t));
            watch.observe(&Observation::Press(by), at(t + 400));
        }
        for second in 5..40 {
            watch.time(at(second * 1_000));
            assert_eq!(watch.question(), None, "{replies}, after {second} s");
        }
        assert!(watch.press_waits(), "{replies}");
    }
}

/// A board that only feels its pieces, without presses. Each entry is a time and a square that changes then.
fn felt(changes: &[(u64, &str)]) -> Watch {
    felt_with(r#""press":"auto""#, changes)
}

/// The same with these terms. An entry may also be a player who presses.
fn felt_with(terms: &str, changes: &[(u64, &str)]) -> Watch {
    let header = Header::parse(&chess(terms), GAMES).expect("a header");
    let mut watch = Watch::new(header.agreement);
    let mut occupied = watch.table().physical().occupied();
    watch.observe(&Observation::Occupied(occupied), Instant::ZERO);
    for (at, what) in changes {
        let observation = match *what {
            "white" => Observation::Press(Color::White),
            "black" => Observation::Press(Color::Black),
            square => {
                let square: Square = square.parse().expect("a square or a player");
                occupied.set(square, !occupied.has(square));
                Observation::Occupied(occupied)
            }
        };
        watch.observe(&observation, Instant::from_millis(*at));
    }
    watch
}

#[test]
fn a_piece_in_the_air_does_not_say_which_piece_was_captured() {
    let mut story = vec![(0, "black"), (1_000, "d2"), (1_200, "d3"), (1_300, "white")];
    story.extend([(2_000, "h7"), (2_200, "h6"), (2_300, "black"), (3_000, "c1"), (3_200, "f4")]);
    story.extend([(3_300, "white"), (4_000, "a7"), (4_200, "a6"), (4_300, "black")]);
    // The bishop captures on c7 or on h6. White lifts what stands on c7, and puts it back.
    story.extend([(6_000, "f4"), (6_300, "white"), (8_000, "b7"), (8_200, "b6"), (8_300, "black")]);
    story.extend([(10_000, "c7")]);
    assert!(felt_with("", &story).press_waits(), "it may be put back");
    story.extend([(10_120, "c7")]);
    assert!(felt_with("", &story).press_waits(), "it was put back");
    // White moves it: it is the bishop that captured.
    story.extend([(12_000, "c7"), (12_200, "d6"), (12_300, "white")]);
    let watch = felt_with("", &story);
    assert!(!watch.press_waits());
    assert_eq!(watch.seen().expect("a known board"), watch.table().physical());
}

#[test]
fn a_piece_that_somebody_held_for_long_was_asked_about_on_a_board_that_only_feels() {
    let mut watch = felt(&[(1_000, "e2")]);
    watch.time(Instant::from_millis(9_000));
    assert_eq!(watch.question(), None, "nothing that the e-pawn can do is shown");
    watch = felt(&[(1_000, "e2"), (9_000, "e4")]);
    watch.time(Instant::from_millis(10_000));
    assert_eq!(watch.table().probe().mover(), Some(Color::Black));
}

#[test]
fn a_capture_that_is_not_felt_is_asked_about_when_its_piece_is_gone_for_long() {
    let moves = [(1_000, "e2"), (1_300, "e4"), (4_000, "d7"), (4_300, "d5"), (7_000, "e4")];
    let mut watch = felt(&moves);
    watch.time(Instant::from_millis(9_900));
    assert_eq!(watch.question(), None, "the pawn may still be in the air");
    watch.time(Instant::from_millis(10_100));
    let Some(Question::Which(answers)) = watch.question() else { panic!("{:?}", watch.question()) };
    assert_eq!(answers.len(), 1);
    assert!(watch.choose(1, Instant::from_millis(11_000)));
    let shown = watch.seen().expect("a known board");
    assert_eq!(shown, watch.table().physical(), "the pawn stands on d5");
}
