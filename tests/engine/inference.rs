//! Plays random games that the table knows only from the reports of a noisy board. The table must understand the games
//! as they were played.
//!
//! The normal run plays some two hundred moves of each game and profile; the slow run (README) sets
//! `TABIYA_INFER_MOVES` to 100000. A failure prints the seed that repeats it.

#![expect(clippy::print_stdout, reason = "the slow run is read by people")]

use std::fmt::Write as _;

use crate::support::hands::{Game, Played, Setting, Tells, play};
use crate::tries::{self, tries};
use tabiya_boards::human::Profile;

/// The number of moves and placements for each game and profile in the normal run.
const USUAL: u64 = 240;

fn wanted() -> u64 {
    tries("TABIYA_INFER_MOVES", USUAL)
}

/// Plays games with this setting until enough actions were played. Returns how many actions were played, and how many
/// questions the table asked.
fn many(setting: &Setting) -> (u64, u64) {
    let (mut actions, mut asked, mut wrong) = (0, 0, String::new());
    for seed in tries::seed(1).. {
        let Played { truth, understood, questions, trouble, .. } = play(&setting.told_as(seed), seed);
        actions += truth.len() as u64;
        asked += questions;
        if questions > 0 && setting.profile != Profile::HOSTILE {
            println!("seed {seed}: {questions} questions");
        }
        if truth != understood || trouble.is_some() {
            let at = truth
                .iter()
                .zip(&understood)
                .position(|(a, b)| a != b)
                .unwrap_or(truth.len().min(understood.len()));
            writeln!(
                wrong,
                "seed {seed}: action {at} of {}: played {:?}, understood {:?} {}",
                truth.len(),
                truth.get(at),
                understood.get(at),
                trouble.unwrap_or_default()
            )
            .expect("writing to a string cannot fail");
        }
        if actions >= wanted() {
            break;
        }
    }
    assert!(
        wrong.is_empty(),
        "{:?} {} auto {} ({actions} actions, {asked} questions):\n{wrong}",
        setting.game,
        setting.profile.name,
        setting.auto
    );
    println!(
        "{:?} {} auto {}: {actions} actions, {asked} questions",
        setting.game, setting.profile.name, setting.auto
    );
    (actions, asked)
}

fn none_wrong(game: Game, profile: &Profile, auto: bool) {
    let setting = Setting { game, profile: *profile, auto, tells: Tells::Squares };
    let hostile = setting.profile == Profile::HOSTILE;
    let (actions, asked) = many(&setting);
    if setting.game == Game::PokerDrez && hostile {
        // A wrong move takes cards with it, so people are asked sooner.
        assert!(asked * 50 <= actions.max(300), "asked {asked} times in {actions} actions");
    } else if hostile {
        assert!(asked * 100 <= actions.max(1_000), "asked {asked} times in {actions} actions");
    } else {
        // In blitz, pieces are still on their way at several presses in a row, and then nobody moves for a moment.
        let one_in = if setting.profile == Profile::BLITZ && !auto { 300 } else { 1_000 };
        assert!(asked <= 1 + actions / one_in, "asked {asked} times in {actions} actions");
    }
}

/// Games of simulated players with the profile `HOSTILE` that the table once misunderstood, each for another reason.
/// Each entry has the kind of game, the form of the board's reports, and the seeds of the games.
const MISUNDERSTOOD: [(Game, Tells, &[u64]); 5] = [
    (
        Game::Chess,
        Tells::Squares,
        &[
            1000, 1020, 1026, 1057, 1060, 1071, 1088, 1095, 1099, 1101, 2003, 2009, 2019, 2035, 2040, 2045,
            2096, 2100, 6030, 260, 761, 790, 1011, 20029, 20148, 20160, 20170, 30067, 30080, 50015, 70128,
            70161, 80079, 90021, 90063, 119, 475, 523, 619, 377, 1007,
        ],
    ),
    (
        Game::Choker,
        Tells::Squares,
        &[
            1, 5, 1013, 1018, 1020, 1029, 1031, 1037, 1044, 1055, 1056, 1057, 1065, 1067, 1069, 1075, 1079,
            1085, 1087, 1093, 1095, 2008, 2020, 2032, 2039, 2045, 2049, 2053, 2063, 2069, 2070, 2071, 2075,
            2079, 2086, 2088, 2090, 2092, 2096, 5029, 6049, 332, 494, 769, 816, 20017, 30042, 30071, 30080,
            30089, 30093, 50010, 50067, 60165, 80088, 80202, 80207, 285, 855, 1046, 208,
        ],
    ),
    (Game::Chess, Tells::Lines, &[300_038]),
    (Game::Choker, Tells::Lines, &[348, 542, 840]),
    (Game::PokerDrez, Tells::Lines, &[24, 100]),
];

#[test]
fn what_was_once_misunderstood_is_understood() {
    // The slow run plays all seeds; the normal run plays every twelfth seed.
    let step = if wanted() > USUAL { 1 } else { 12 };
    let mut wrong = Vec::new();
    for (game, tells, seeds) in MISUNDERSTOOD {
        for seed in seeds.iter().step_by(step) {
            let setting = Setting { game, profile: Profile::HOSTILE, auto: false, tells };
            let Played { truth, understood, trouble, .. } = play(&setting, *seed);
            let at = truth.iter().zip(&understood).position(|(played, read)| played != read);
            if understood != truth || trouble.is_some() {
                wrong.push(format!("{game:?}, seed {seed}, action {at:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_said_after_a_move_once_went_to_another_turn_or_kept_the_move_from_being_corrected() {
    for seed in [108, 146, 189, 299] {
        is_understood(Game::PokerDrez, &Profile::HOSTILE, false, Tells::Squares, seed);
    }
}

#[test]
fn an_action_that_the_board_hardly_showed_was_once_believed_too_soon() {
    for seed in [628, 657, 707] {
        is_understood(Game::PokerDrez, &Profile::HOSTILE, false, Tells::Squares, seed);
    }
    is_understood(Game::PokerDrez, &Profile::CASUAL, false, Tells::Occupancy, 228);
}

#[test]
fn what_all_near_readings_say_is_in_doubt_too() {
    is_understood(Game::Chess, &Profile::HOSTILE, false, Tells::Squares, 100_332);
    is_understood(Game::PokerDrez, &Profile::HOSTILE, false, Tells::Squares, 110);
    is_understood(Game::Chess, &Profile::BLITZ, false, Tells::Occupancy, 560);
}

#[test]
fn what_was_right_was_once_read_anew_after_people_had_dropped_the_presses_that_waited() {
    is_understood(Game::PokerDrez, &Profile::HOSTILE, false, Tells::Squares, 280);
}

#[test]
fn a_forgotten_press_was_once_believed_before_the_board_had_shown_what_followed() {
    for seed in [20_042, 30_029] {
        is_understood(Game::Choker, &Profile::HOSTILE, false, Tells::Squares, seed);
    }
}

#[test]
fn what_the_board_shows_in_a_players_next_turn_was_once_taken_for_proof() {
    is_understood(Game::Chess, &Profile::HOSTILE, false, Tells::Squares, 377);
}

#[test]
fn a_placement_that_no_report_showed_once_fell_out_of_the_search() {
    is_understood(Game::Choker, &Profile::HOSTILE, false, Tells::Squares, 208);
}

#[test]
fn an_action_that_was_corrected_after_its_press_once_made_two_later_actions_wrong() {
    is_understood(Game::Choker, &Profile::HOSTILE, false, Tells::Squares, 213);
}

#[test]
fn what_an_earlier_action_had_not_shown_yet_once_hid_the_end_of_an_action_whose_press_was_forgotten() {
    for seed in [154, 662] {
        is_understood(Game::Choker, &Profile::HOSTILE, false, Tells::Squares, seed);
    }
}

#[test]
fn what_is_written_was_once_taken_back_for_a_reading_in_doubt() {
    for seed in [513, 641] {
        is_understood(Game::Choker, &Profile::HOSTILE, false, Tells::Squares, seed);
    }
}

#[test]
fn a_piece_once_arrived_before_it_was_lifted_on_a_board_that_only_feels() {
    for seed in [25, 568] {
        is_understood(Game::Chess, &Profile::BLITZ, false, Tells::Occupancy, seed);
    }
    is_understood(Game::Choker, &Profile::BEGINNER, false, Tells::Occupancy, 665);
}

#[test]
fn a_captured_piece_on_the_square_that_its_captor_had_left_once_counted_as_the_captor() {
    is_understood(Game::Choker, &Profile::CLUMSY, false, Tells::Squares, 705);
}

#[test]
fn a_capture_that_was_not_felt_was_once_believed_too_soon() {
    is_understood(Game::Chess, &Profile::BLITZ, false, Tells::Occupancy, 210);
}

#[test]
fn the_piece_of_a_promotion_that_was_captured_soon_was_once_guessed_on_a_board_that_only_feels() {
    for seed in [640, 647] {
        is_understood(Game::Choker, &Profile::BULLET, false, Tells::Occupancy, seed);
    }
}

#[test]
fn what_was_written_was_once_kept_although_another_reading_was_cheaper() {
    is_understood(Game::Choker, &Profile::BLITZ, false, Tells::Squares, 443);
}

fn is_understood(game: Game, profile: &Profile, auto: bool, tells: Tells, seed: u64) {
    let setting = Setting { game, profile: *profile, auto, tells }.told_as(seed);
    let Played { truth, understood, trouble, .. } = play(&setting, seed);
    assert_eq!((understood, trouble), (truth, None), "{game:?}, seed {seed}");
}

#[test]
fn a_last_action_that_is_corrected_at_rest_was_once_misunderstood() {
    is_understood(Game::Chess, &Profile::CLUMSY, false, Tells::Occupancy, 615);
    is_understood(Game::Chess, &Profile::CLUMSY, true, Tells::Occupancy, 622);
}

#[test]
fn the_use_of_a_card_was_once_taken_for_a_move_on_a_board_that_only_feels() {
    is_understood(Game::ChessJoker, &Profile::CASUAL, false, Tells::Occupancy, 569);
}

#[test]
fn the_use_of_a_card_was_once_taken_for_a_move_because_the_board_showed_a_wrong_square() {
    for seed in [291, 569, 820] {
        is_understood(Game::ChessJoker, &Profile::HOSTILE, false, Tells::Squares, seed);
    }
}

#[test]
fn what_the_board_showed_after_a_press_that_seemed_to_end_nothing_was_once_taken_for_proof() {
    is_understood(Game::ChessJoker, &Profile::HOSTILE, false, Tells::Squares, 552);
}

#[test]
fn a_move_after_a_card_that_no_press_carried_was_once_not_corrected() {
    is_understood(Game::ChessJoker, &Profile::HOSTILE, false, Tells::Squares, 71);
}

/// Asserts that the table understands nothing wrongly on a board that senses occupancy only, and that the table asks at
/// most one question per `one_in` actions. Some questions are necessary, because different actions look the same on
/// this board: promotions to different pieces, and captures on different squares if a hand swaps the two pieces so fast
/// that the square of the capture is never seen empty.
fn none_wrong_by_touch(game: Game, profile: &Profile, auto: bool, one_in: u64) {
    let setting = Setting { game, profile: *profile, auto, tells: Tells::Occupancy };
    let (actions, asked) = many(&setting);
    assert!(asked * one_in <= actions, "asked {asked} times in {actions} actions");
}

macro_rules! by_touch {
    ($($name:ident: $game:expr, $profile:expr, $auto:expr, one in $one_in:expr;)*) => {
        $(#[test] fn $name() { none_wrong_by_touch($game, &$profile, $auto, $one_in); })*
    };
}

by_touch! {
    clean_chess_by_touch: Game::Chess, Profile::CLEAN, false, one in 10;
    casual_chess_by_touch: Game::Chess, Profile::CASUAL, false, one in 10;
    clumsy_chess_by_touch: Game::Chess, Profile::CLUMSY, false, one in 10;
    beginner_chess_by_touch: Game::Chess, Profile::BEGINNER, false, one in 10;
    blitz_chess_by_touch: Game::Chess, Profile::BLITZ, false, one in 10;
    bullet_chess_by_touch: Game::Chess, Profile::BULLET, false, one in 10;
    casual_poker_chess_by_touch: Game::PokerChess, Profile::CASUAL, false, one in 10;
    casual_pokerdrez_by_touch: Game::PokerDrez, Profile::CASUAL, false, one in 10;
    casual_chess_joker_by_touch: Game::ChessJoker, Profile::CASUAL, false, one in 10;
    clean_choker_by_touch: Game::Choker, Profile::CLEAN, false, one in 6;
    casual_choker_by_touch: Game::Choker, Profile::CASUAL, false, one in 6;
    clumsy_choker_by_touch: Game::Choker, Profile::CLUMSY, false, one in 6;
    beginner_choker_by_touch: Game::Choker, Profile::BEGINNER, false, one in 6;
    blitz_choker_by_touch: Game::Choker, Profile::BLITZ, false, one in 6;
    bullet_choker_by_touch: Game::Choker, Profile::BULLET, false, one in 6;
    clean_chess_by_touch_alone: Game::Chess, Profile::CLEAN, true, one in 10;
    casual_chess_by_touch_alone: Game::Chess, Profile::CASUAL, true, one in 10;
    clumsy_chess_by_touch_alone: Game::Chess, Profile::CLUMSY, true, one in 10;
    // Beginners hold a piece for longer than it takes until a capture that was not felt is asked about.
    beginner_chess_by_touch_alone: Game::Chess, Profile::BEGINNER, true, one in 3;
    blitz_chess_by_touch_alone: Game::Chess, Profile::BLITZ, true, one in 6;
    bullet_chess_by_touch_alone: Game::Chess, Profile::BULLET, true, one in 10;
    clean_choker_by_touch_alone: Game::Choker, Profile::CLEAN, true, one in 6;
    casual_choker_by_touch_alone: Game::Choker, Profile::CASUAL, true, one in 6;
    clumsy_choker_by_touch_alone: Game::Choker, Profile::CLUMSY, true, one in 6;
    beginner_choker_by_touch_alone: Game::Choker, Profile::BEGINNER, true, one in 3;
    blitz_choker_by_touch_alone: Game::Choker, Profile::BLITZ, true, one in 6;
    bullet_choker_by_touch_alone: Game::Choker, Profile::BULLET, true, one in 6;
}

macro_rules! profiles {
    ($($name:ident: $game:expr, $profile:expr, $auto:expr;)*) => {
        $(#[test] fn $name() { none_wrong($game, &$profile, $auto); })*
    };
}

profiles! {
    clean_chess_with_presses: Game::Chess, Profile::CLEAN, false;
    casual_chess_with_presses: Game::Chess, Profile::CASUAL, false;
    beginner_chess_with_presses: Game::Chess, Profile::BEGINNER, false;
    blitz_chess_with_presses: Game::Chess, Profile::BLITZ, false;
    bullet_chess_with_presses: Game::Chess, Profile::BULLET, false;
    clumsy_chess_with_presses: Game::Chess, Profile::CLUMSY, false;
    hostile_chess_with_presses: Game::Chess, Profile::HOSTILE, false;
    clean_choker_with_presses: Game::Choker, Profile::CLEAN, false;
    casual_choker_with_presses: Game::Choker, Profile::CASUAL, false;
    beginner_choker_with_presses: Game::Choker, Profile::BEGINNER, false;
    blitz_choker_with_presses: Game::Choker, Profile::BLITZ, false;
    bullet_choker_with_presses: Game::Choker, Profile::BULLET, false;
    clumsy_choker_with_presses: Game::Choker, Profile::CLUMSY, false;
    hostile_choker_with_presses: Game::Choker, Profile::HOSTILE, false;
    clean_chess_by_itself: Game::Chess, Profile::CLEAN, true;
    casual_chess_by_itself: Game::Chess, Profile::CASUAL, true;
    clumsy_chess_by_itself: Game::Chess, Profile::CLUMSY, true;
    beginner_chess_by_itself: Game::Chess, Profile::BEGINNER, true;
    blitz_chess_by_itself: Game::Chess, Profile::BLITZ, true;
    bullet_chess_by_itself: Game::Chess, Profile::BULLET, true;
    clean_choker_by_itself: Game::Choker, Profile::CLEAN, true;
    casual_choker_by_itself: Game::Choker, Profile::CASUAL, true;
    beginner_choker_by_itself: Game::Choker, Profile::BEGINNER, true;
    blitz_choker_by_itself: Game::Choker, Profile::BLITZ, true;
    bullet_choker_by_itself: Game::Choker, Profile::BULLET, true;
    clean_poker_chess_with_presses: Game::PokerChess, Profile::CLEAN, false;
    casual_poker_chess_with_presses: Game::PokerChess, Profile::CASUAL, false;
    clumsy_poker_chess_with_presses: Game::PokerChess, Profile::CLUMSY, false;
    hostile_poker_chess_with_presses: Game::PokerChess, Profile::HOSTILE, false;
    casual_poker_chess_by_itself: Game::PokerChess, Profile::CASUAL, true;
    clean_pokerdrez_with_presses: Game::PokerDrez, Profile::CLEAN, false;
    casual_pokerdrez_with_presses: Game::PokerDrez, Profile::CASUAL, false;
    clumsy_pokerdrez_with_presses: Game::PokerDrez, Profile::CLUMSY, false;
    hostile_pokerdrez_with_presses: Game::PokerDrez, Profile::HOSTILE, false;
    casual_pokerdrez_by_itself: Game::PokerDrez, Profile::CASUAL, true;
    clean_chess_joker_with_presses: Game::ChessJoker, Profile::CLEAN, false;
    casual_chess_joker_with_presses: Game::ChessJoker, Profile::CASUAL, false;
    clumsy_chess_joker_with_presses: Game::ChessJoker, Profile::CLUMSY, false;
    hostile_chess_joker_with_presses: Game::ChessJoker, Profile::HOSTILE, false;
    casual_chess_joker_by_itself: Game::ChessJoker, Profile::CASUAL, true;
    clumsy_choker_by_itself: Game::Choker, Profile::CLUMSY, true;
}
