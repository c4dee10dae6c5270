//! What people found who used the window for the first time, as stories that must not happen again.

use egui::Key;
use egui_kittest::kittest::{NodeT, Queryable};
use tabiya_app::desk::Wish;
use tabiya_types::{ByColor, Color};
use tabiya_window::Page;

use crate::clock::at_the_clock;
use crate::findings::at_chess;
use crate::harness::Screens;
use crate::pages::turn_to;

const WINDOW: [f32; 2] = [1280.0, 800.0];

#[test]
fn a_game_of_five_minutes_is_one_click_away_in_every_window() {
    for size in [[800.0, 600.0], [1024.0, 640.0], WINDOW] {
        let mut screens = Screens::open(size);
        screens.click("Chess");
        screens.click("5 Blitz");
        screens.click("Begin the match");
        let five = Some(tabiya_types::Millis::from_secs(300));
        let table = screens.table();
        assert_eq!(table.clock.reading(Color::White, tabiya_types::Instant::ZERO), five);
    }
}

#[test]
fn clocks_that_stop_at_a_casual_table_were_stopped_by_no_arbiter() {
    let mut screens = at_chess();
    screens.ctrl(Key::P);
    assert!(screens.shows("  paused") && !screens.shows("by arbiter"), "{:?}", screens.labels());
    screens.ctrl(Key::P);
    assert!(screens.shows("  resumed") && !screens.shows("by arbiter"), "{:?}", screens.labels());
}

#[test]
fn only_a_connected_board_is_to_be_set_back() {
    let take_back = |screens: &mut Screens| {
        screens.ctrl(Key::Z);
        screens.key(Key::Enter);
        assert!(screens.table().moves.is_empty(), "{:?}", screens.labels());
    };
    let mut screens = at_chess();
    take_back(&mut screens);
    assert!(!screens.shows("set the board back"), "{:?}", screens.labels());
    let mut screens = at_chess();
    screens.board_shows(screens.table().physical);
    take_back(&mut screens);
    assert!(screens.shows("set the board back"), "{:?}", screens.labels());
}

#[test]
fn a_bet_that_is_taken_back_moves_no_piece() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.board_shows(screens.table().physical);
    screens.key(Key::D);
    screens.line("raise 10");
    screens.key(Key::Escape);
    screens.ctrl(Key::Z);
    screens.key(Key::Enter);
    assert!(!screens.shows("set the board back"), "{:?}", screens.labels());
    assert!(screens.shows("raise"), "the bet was taken back: {:?}", screens.labels());
}

#[test]
fn what_nobody_confirms_in_time_was_not_answered_with_no() {
    let mut screens = at_chess();
    screens.click("Bo offers a draw");
    assert!(screens.shows("offers a draw: again"), "{:?}", screens.labels());
    screens.wait(4_000);
    screens.wait(50);
    assert!(
        !screens.shows("offers a draw: again") && !screens.shows("you answered no"),
        "{:?}",
        screens.labels()
    );
    assert!(screens.shows("nobody confirmed it: nothing is changed"), "{:?}", screens.labels());
}

#[test]
fn the_slider_for_the_size_of_text_stands_still_while_it_is_dragged() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Settings");
    let slider = *screens.sliders().first().expect("a slider");
    let button = |pos, pressed| {
        let modifiers = egui::Modifiers::NONE;
        egui::Event::PointerButton { pos, button: egui::PointerButton::Primary, pressed, modifiers }
    };
    let (middle, end) = (slider.center(), slider.right_center() - egui::vec2(1.0, 0.0));
    screens.frame(vec![egui::Event::PointerMoved(middle)]);
    screens.frame(vec![button(middle, true)]);
    for _ in 0..3 {
        screens.frame(vec![egui::Event::PointerMoved(end)]);
        assert_eq!(screens.sliders().first(), Some(&slider), "it moved under the pointer");
        assert_eq!(screens.settings().text_percent, 100);
    }
    screens.frame(vec![button(end, false)]);
    screens.wait(100);
    assert_eq!(screens.settings().text_percent, 200);
}

#[test]
fn leaving_a_match_says_what_becomes_of_it_and_who_owes_whom() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.line("fold");
    screens.key(Key::Escape);
    screens.click("Menu");
    assert!(screens.shows("so far Ann owes Bo 1 in chips"), "{:?}", screens.labels());
    screens.key(Key::Escape);
    screens.ctrl(Key::N);
    screens.key(Key::D);
    screens.line("quit");
    assert!(screens.shows("leave the match? It can be carried on later"), "{:?}", screens.labels());
    assert!(screens.shows("chips in the pot stay with those who put them in"), "{:?}", screens.labels());
    assert!(screens.shows("so far Ann owes Bo 1 in chips"), "{:?}", screens.labels());
}

#[test]
fn a_clock_without_a_game_is_no_match_and_has_no_next_game() {
    let mut screens = at_the_clock();
    screens.key(Key::Space);
    screens.click("Another clock");
    assert!(screens.shows("the clocks are in use; leave them?"), "{:?}", screens.labels());
    screens.key(Key::Escape);
    screens.wait(60 * 60 * 1000);
    let told = screens.table().prompts.first().map(|prompt| prompt.text.to_string());
    assert!(
        told.as_deref().is_some_and(|told| told.ends_with("set both clocks anew with `next`")),
        "{told:?}"
    );
}

#[test]
fn one_step_in_the_record_leads_to_what_can_be_seen() {
    let mut screens = at_chess();
    screens.ctrl(Key::P);
    screens.ctrl(Key::P);
    screens.line("e5");
    screens.key(Key::Escape);
    turn_to(&mut screens, Page::Record);
    screens.click("1. e4");
    screens.key(Key::ArrowRight);
    assert!(screens.shows("e5 black pawn"), "the stopped clocks are no step: {:?}", screens.labels());
    screens.key(Key::ArrowLeft);
    assert!(screens.shows("e7 black pawn") && screens.shows("e4 white pawn"), "{:?}", screens.labels());
}

#[test]
fn the_pots_of_the_record_have_no_chips_that_were_taken_back() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    for line in ["raise 40", "undo", "call"] {
        screens.line(line);
    }
    screens.key(Key::Escape);
    turn_to(&mut screens, Page::Record);
    assert!(screens.shows("Pot after the 1st bets: 4"), "{:?}", screens.labels());
}

#[test]
fn a_long_answer_is_shown_from_its_first_line_until_it_is_closed() {
    let mut screens = at_chess();
    screens.line("help");
    let at = |screens: &Screens, text: &str| {
        let nodes = screens.harness.query_all_by_label_contains(text);
        nodes.map(|node| node.rect().top()).fold(f32::INFINITY, f32::min)
    };
    let (first, close) = (at(&screens, "e2e4, Nf3, 0-0"), screens.middle_of("Close the answer"));
    assert!((at(&screens, "make a move")..close.y).contains(&first), "the first line is in sight: {first}");
    screens.key(Key::Escape);
    screens.key(Key::Escape);
    assert!(!screens.shows("Close the answer") && screens.shows("Resign …"), "{:?}", screens.labels());
    screens.line("help");
    screens.line("e5");
    assert!(!screens.shows("Close the answer") && screens.table().moves == ["e4", "e5"]);
}

#[test]
fn a_long_answer_gives_way_as_soon_as_people_play_by_clicks() {
    let mut screens = at_chess();
    screens.line("help");
    screens.click("e7 black pawn");
    assert!(screens.shows("Close the answer"), "a chosen piece is no action yet: {:?}", screens.labels());
    screens.click("e5");
    assert_eq!(screens.table().moves, ["e4", "e5"]);
    assert!(!screens.shows("Close the answer") && screens.shows("Resign …"), "{:?}", screens.labels());
    // The next answer is shown again, until the clock is pressed.
    screens.line("help");
    assert!(screens.shows("Close the answer"), "{:?}", screens.labels());
    let plate = screens.pressables().into_iter().find(|name| name.starts_with("Black’s clock")).unwrap();
    screens.click(&plate);
    assert!(!screens.shows("Close the answer"), "{:?}", screens.labels());
}

#[test]
fn every_button_that_is_off_says_why() {
    let all = |screens: &Screens, place: &str| {
        assert_eq!(screens.unexplained(), [""; 0], "{place}");
    };
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    all(&screens, "before the deal");
    screens.key(Key::D);
    all(&screens, "the least raise");
    screens.fill("Amount", "9999");
    all(&screens, "a raise that is too high");
    let raise = screens.harness.get_by_label_contains("Raise to 9999").accesskit_node().description();
    assert_eq!(raise.as_deref(), Some("The amount must be from 4 to 200"));
    screens.ctrl(Key::P);
    all(&screens, "stopped");
    screens.key(Key::F4);
    for page in ["Take back", "Clocks", "Chips", "Cards", "Position", "Result"] {
        screens.click(page);
        all(&screens, page);
    }
    let mut screens = at_chess();
    screens.line("resign white");
    screens.line("yes");
    all(&screens, "after the game");
    turn_to(&mut screens, Page::Record);
    all(&screens, "at the end of the record");
    screens.key(Key::Home);
    all(&screens, "at its beginning");
    for (game, then) in [("PokerDrez", Key::Escape), ("Chess Joker", Key::D), ("Poker Chess", Key::Escape)] {
        let mut screens = Screens::open(WINDOW);
        screens.click(game);
        screens.click("Begin the match");
        screens.key(then);
        all(&screens, game);
    }
}

#[test]
fn the_pages_of_rulings_stay_in_their_place_whatever_is_said() {
    for size in [[1024.0, 640.0], WINDOW] {
        let mut screens = Screens::open(size);
        screens.click("Chess");
        screens.click("Begin the match");
        screens.key(Key::F4);
        let before = ["Clocks", "Position", "Result"].map(|page| screens.middle_of(page));
        screens.wish(Wish::Typed("e4".to_owned()));
        screens.wish(Wish::Typed("Ke7".to_owned()));
        screens.wish(Wish::Typed("quit".to_owned()));
        assert!(screens.shows("leave the match?"), "{:?}", screens.labels());
        assert_eq!(["Clocks", "Position", "Result"].map(|page| screens.middle_of(page)), before);
    }
}

#[test]
fn keys_that_go_into_a_field_are_no_keys_of_buttons_meanwhile() {
    let mut screens = at_chess();
    let has = |screens: &Screens, key: &str| screens.labels().iter().any(|label| label.ends_with(key));
    assert!(has(&screens, "[Ctrl+P]") && has(&screens, "[Ctrl+Z]"), "{:?}", screens.labels());
    let before = screens.middle_of("Stop the clocks");
    screens.key(Key::T);
    assert!(!has(&screens, "[Ctrl+Z]"), "{:?}", screens.labels());
    assert!(has(&screens, "[F4]"), "function keys work in fields: {:?}", screens.labels());
    assert_eq!(screens.middle_of("Stop the clocks"), before);
    assert!(has(&screens, "[Ctrl+P]"), "the clocks stop at once, always: {:?}", screens.labels());
    screens.ctrl(Key::P);
    assert!(screens.table().clock.paused());
    screens.ctrl(Key::P);
    screens.key(Key::Escape);
    assert!(!screens.table().clock.paused() && has(&screens, "[Ctrl+Z]"), "{:?}", screens.labels());
}

#[test]
fn the_space_bar_ends_a_first_move_that_was_made_before_any_clock_ran() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    screens.board_shows(screens.table().physical);
    screens.board_shows("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR".parse().unwrap());
    assert!(screens.shows("Ann: press the clock"), "{:?}", screens.labels());
    screens.key(Key::Space);
    let table = screens.table();
    assert_eq!((table.moves, table.clock.turn()), (vec!["e4".to_owned()], Some(Color::Black)));
}

#[test]
fn the_space_bar_right_after_a_move_waits_for_what_the_board_tells() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    screens.board_shows(screens.table().physical);
    screens.key(Key::Space);
    screens.key(Key::Space);
    screens.board_shows("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR".parse().unwrap());
    let table = screens.table();
    assert_eq!((table.moves, table.clock.turn()), (vec!["e4".to_owned()], Some(Color::Black)));
}

#[test]
fn a_grave_action_is_done_at_once_by_holding_its_key_or_its_button() {
    let dealt = || {
        let mut screens = Screens::open(WINDOW);
        screens.click("Begin the match");
        screens.key(Key::D);
        screens
    };
    let key = |pressed| {
        let modifiers = egui::Modifiers::NONE;
        egui::Event::Key { key: Key::F, physical_key: None, pressed, repeat: false, modifiers }
    };
    let folded = |screens: &Screens| screens.table().outcome.is_some();
    let mut screens = dealt();
    screens.frame(vec![key(true)]);
    screens.wait(500);
    assert!(!folded(&screens) && screens.shows("Fold: again"), "{:?}", screens.labels());
    screens.wait(300);
    assert!(folded(&screens), "the key was held: {:?}", screens.labels());
    let mut screens = dealt();
    screens.frame(vec![key(true), key(false)]);
    screens.wait(900);
    assert!(!folded(&screens), "the key was let go");
    let button = |screens: &Screens, pressed| {
        let (pos, modifiers) = (screens.middle_of("Fold"), egui::Modifiers::NONE);
        egui::Event::PointerButton { pos, button: egui::PointerButton::Primary, pressed, modifiers }
    };
    let mut screens = dealt();
    let (down, up) = (button(&screens, true), button(&screens, false));
    screens.frame(vec![egui::Event::PointerMoved(screens.middle_of("Fold"))]);
    screens.frame(vec![down]);
    screens.wait(500);
    assert!(!folded(&screens));
    screens.wait(300);
    assert!(folded(&screens), "the button was held: {:?}", screens.labels());
    screens.frame(vec![up]);
    assert_eq!(screens.table().number, 1, "letting go clicks nothing");
}

/// How many arrows are on the board.
fn arrows(screens: &Screens) -> usize {
    let arrow = |shape: &&egui::epaint::ClippedShape| matches!(&shape.shape, egui::Shape::Path(path) if path.fill == tabiya_window::theme::PUT_HERE);
    screens.harness.output().shapes.iter().filter(arrow).count()
}

#[test]
fn the_arbiters_page_for_taking_back_shows_the_same_arrows_as_the_table() {
    let mut screens = at_chess();
    screens.line("e5");
    screens.key(Key::Escape);
    screens.key(Key::F4);
    assert_eq!(arrows(&screens), 0, "nobody has asked for anything yet");
    screens.click_last("1… e5");
    assert_eq!(arrows(&screens), 1, "the last action is chosen");
    screens.click("1. e4");
    assert_eq!(arrows(&screens), 2, "two moves go back");
    screens.click("Clocks");
    assert_eq!(arrows(&screens), 0, "another page is about something else");
    screens.click("Take back");
    assert_eq!(arrows(&screens), 2);
    screens.key(Key::F4);
    assert_eq!(arrows(&screens), 0);
}

#[test]
fn an_arrow_shows_what_goes_back_before_it_is_taken_back() {
    let mut screens = at_chess();
    screens.line("e5");
    screens.key(Key::Escape);
    assert_eq!(arrows(&screens), 0);
    screens.ctrl(Key::Z);
    assert_eq!(arrows(&screens), 1);
    screens.ctrl(Key::Z);
    assert_eq!(arrows(&screens), 2, "two moves go back");
    screens.key(Key::Escape);
    assert_eq!(arrows(&screens), 0);
}

#[test]
fn a_press_that_waits_for_the_board_says_from_when_it_counts() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    screens.board_shows(screens.table().physical);
    screens.key(Key::Space);
    screens.wait(10_000);
    screens.board_shows("rnbqkbnr/ppp1pppp/8/8/8/7N/PPPPPPPP/RNBQKB1R".parse().unwrap());
    screens.key(Key::Space);
    screens.wait(20_000);
    assert!(screens.shows("was it this: White plays g1h3"), "{:?}", screens.labels());
    assert!(screens.shows("Ann pressed at 1:50; it counts once this is done"), "{:?}", screens.labels());
    screens.key(Key::Escape);
    assert!(screens.shows("Put the board right"), "{:?}", screens.labels());
    assert!(screens.shows("Ann pressed at 1:50; it counts once this is done"), "{:?}", screens.labels());
}

#[test]
fn a_bar_shows_how_long_a_game_may_last() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Custom …");
    screens.fill("Time for each", "40/90, 30, +30");
    for text in ["takes at most 5:00:00", "40 moves: 90 min each", "their seconds: 20 min"] {
        assert!(screens.shows(text), "{text}: {:?}", screens.labels());
    }
    for text in ["20 more moves: 30 min each", "their seconds: 10 min"] {
        assert!(screens.shows(text), "{text}: {:?}", screens.labels());
    }
    screens.fill("Time for each", "upcount");
    assert!(!screens.shows("takes at most"), "{:?}", screens.labels());
}

#[test]
fn an_alert_to_the_arbiter_names_the_article_of_the_laws() {
    let event = |time: Option<&str>| {
        let mut screens = Screens::open(WINDOW);
        screens.click("Chess");
        screens.rule("event: only the arbiter sees claims and faults");
        if let Some(time) = time {
            screens.set_time(time);
        }
        screens.click("Begin the match");
        screens.line("press");
        screens
    };
    let drawer = |screens: &mut Screens| {
        screens.key(Key::Escape);
        screens.key(Key::F4);
    };
    let mut screens = event(None);
    screens.line("claim");
    drawer(&mut screens);
    assert!(
        screens.shows("the claim is wrong") && screens.shows("Laws of Chess, 9.5.3"),
        "{:?}",
        screens.labels()
    );
    screens.key(Key::F4);
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for uci in shuffle.iter().chain(&shuffle) {
        screens.line(uci);
    }
    drawer(&mut screens);
    assert!(screens.shows("a draw can be claimed"), "{:?}", screens.labels());
    assert!(screens.shows("Laws of Chess, 9.2, 9.3"), "{:?}", screens.labels());
    let mut screens = event(Some("5 s"));
    screens.line("e4");
    screens.line("press");
    screens.wait(6_000);
    assert!(!screens.shows("Laws of Chess"), "players are told nothing: {:?}", screens.labels());
    drawer(&mut screens);
    assert!(screens.shows("Black's flag has fallen"), "{:?}", screens.labels());
    assert!(screens.shows("Laws of Chess, 6.8"), "{:?}", screens.labels());
    let mut screens = event(None);
    slipped(&mut screens);
    drawer(&mut screens);
    assert!(screens.shows("Laws of Chess, 7.4.1"), "{:?}", screens.labels());
}

/// A knight and a pawn have slipped on the board.
fn slipped(screens: &mut Screens) {
    for board in
        ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "rnbqkbnr/ppp1pppp/8/8/8/7N/PPPPPPPP/RNBQKB1R"]
    {
        screens.board_shows(board.parse().unwrap());
    }
    screens.wait(3_000);
}

#[test]
fn an_illegal_move_brings_its_ruling_with_article_and_typed_line() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.rule("event: only the arbiter sees claims and faults");
    screens.click("Begin the match");
    screens.line("press");
    screens.line("e2e5");
    screens.key(Key::Escape);
    assert!(!screens.shows("White's illegal move"), "players are told nothing: {:?}", screens.labels());
    screens.key(Key::F4);
    assert!(screens.shows("White's illegal move number 1 of this game"), "{:?}", screens.labels());
    assert!(screens.shows("Laws of Chess, 7.5.5, A.3"), "{:?}", screens.labels());
    assert!(screens.shows("Typed: rule clock black +60 illegal move"), "{:?}", screens.labels());
    screens.click("Bo gains 1 min, and White moves again");
    let left = screens.table().clock.reading(Color::Black, tabiya_types::Instant::ZERO);
    assert_eq!(left, Some(tabiya_types::Millis::from_secs(180)));
    assert!(!screens.shows("Typed: rule clock black +60 illegal move"), "{:?}", screens.labels());
    screens.key(Key::F4);
    screens.line("e2e5");
    screens.key(Key::Escape);
    screens.key(Key::F4);
    screens.wait(500);
    assert!(screens.shows("Typed: rule winner B second illegal move"), "{:?}", screens.labels());
    assert!(screens.faults().is_empty(), "{:?}", screens.faults());
    screens.click("No ruling");
    assert!(!screens.shows("Typed: rule winner B second illegal move") && screens.table().outcome.is_none());
}

#[test]
fn two_proposed_rulings_stand_in_the_drawer_and_each_is_decided_alone() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.rule("event: only the arbiter sees claims and faults");
    screens.click("Begin the match");
    screens.line("press");
    screens.line("claim Nf3");
    screens.line("e2e5");
    screens.key(Key::Escape);
    screens.key(Key::F4);
    let (illegal, claim) =
        ("Bo gains 1 min, and White moves again", "Bo gains 1 min, and White must play Nf3");
    assert!(screens.shows(illegal) && screens.shows(claim), "{:?}", screens.labels());
    screens.click(illegal);
    assert!(!screens.shows(illegal) && screens.shows(claim), "{:?}", screens.labels());
    let left = |screens: &Screens| screens.table().clock.reading(Color::Black, tabiya_types::Instant::ZERO);
    assert_eq!(left(&screens), Some(tabiya_types::Millis::from_secs(180)));
    screens.click(claim);
    assert!(!screens.shows("Typed: rule clock"), "{:?}", screens.labels());
    assert_eq!(left(&screens), Some(tabiya_types::Millis::from_secs(240)));
    assert!(screens.faults().is_empty(), "{:?}", screens.faults());
}

#[test]
fn two_friends_end_a_match_from_the_menu_and_take_their_chips_back() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.key(Key::C);
    screens.click("Menu");
    screens.click("End the match …");
    assert!(screens.shows("who gets the pot of 4, if both players agree?"), "{:?}", screens.labels());
    screens.click("1: each takes his own back: the game is drawn");
    let table = screens.table();
    assert!(table.match_over, "{:?}", screens.labels());
    assert_eq!(ByColor::new(|color| table.stakes.stacks[color].0), ByColor::new(|_| 200));
    assert!(screens.shows("everybody takes his bets back"), "{:?}", screens.labels());
}

#[test]
fn a_raise_says_what_it_adds_and_a_first_bet_is_no_raise() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.key(Key::C);
    screens.fill("Amount", "10");
    assert!(screens.shows("Raise to 10 8 more"), "two of the ten lie there already: {:?}", screens.labels());
    screens.click("Check");
    screens.key(Key::D);
    assert!(screens.shows("Bet 2"), "{:?}", screens.labels());
}
