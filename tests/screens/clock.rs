//! Stories at the two-sided clock: all ways to press it, and what must not hinder a press.

use egui::{Event, Key, Modifiers, PointerButton, Pos2, TouchDeviceId, TouchId, TouchPhase, pos2};
use tabiya_store::settings::FaceHalves;
use tabiya_types::Color;
use tabiya_window::Page;

use crate::harness::Screens;

/// Points on the two halves of the clock: the far half is Black's, the near half is White's.
const FAR: Pos2 = pos2(400.0, 150.0);
const NEAR: Pos2 = pos2(400.0, 400.0);

/// Opens the screen of a clock without a game. Nobody has pressed the clock yet.
pub(crate) fn at_the_clock() -> Screens {
    let mut screens = Screens::open([800.0, 480.0]);
    screens.click("Clock only");
    screens.click("Begin the match");
    screens
}

/// How many presses of White and of Black have ended a move.
pub(crate) fn moves(screens: &Screens) -> (u32, u32) {
    let clock = screens.table().clock;
    (clock.moves(Color::White), clock.moves(Color::Black))
}

/// The events of pressing and releasing keys, one after the other.
fn keys(keys: &[Key], modifiers: Modifiers) -> Vec<Event> {
    let event =
        |key: Key, pressed| Event::Key { key, physical_key: Some(key), pressed, repeat: false, modifiers };
    keys.iter().flat_map(|key| [event(*key, true), event(*key, false)]).collect()
}

pub(crate) fn plain(of: &[Key]) -> Vec<Event> {
    keys(of, Modifiers::NONE)
}

fn pointer(pos: Pos2, pressed: bool) -> Event {
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    Event::PointerButton { pos, button, pressed, modifiers }
}

fn finger(id: u64, pos: Pos2) -> Event {
    let phase = TouchPhase::Start;
    Event::Touch { device_id: TouchDeviceId(0), id: TouchId(id), phase, pos, force: None }
}

#[test]
fn five_presses_in_one_frame_are_five_presses() {
    let mut screens = at_the_clock();
    screens.frame(plain(&[Key::A, Key::L, Key::A, Key::L, Key::A]));
    // The first press starts White's clock and ends no move.
    assert_eq!((moves(&screens), screens.table().clock.turn()), ((2, 2), Some(Color::White)));
    screens.frame(plain(&[Key::Space, Key::A, Key::L]));
    assert_eq!((moves(&screens), screens.table().clock.turn()), ((4, 3), Some(Color::Black)));
}

#[test]
fn a_press_by_the_side_whose_clock_stands_writes_nothing() {
    let mut screens = at_the_clock();
    screens.frame(plain(&[Key::L, Key::A, Key::A, Key::A]));
    assert_eq!(screens.table().lines, 1);
    screens.key(Key::A);
    assert_eq!(screens.table().lines, 1);
}

#[test]
fn enter_that_ends_a_field_presses_nothing() {
    let mut screens = at_the_clock();
    screens.key(Key::A);
    screens.key(Key::F4);
    screens.fill("Reason, may be left out", "too loud");
    screens.key(Key::Enter);
    assert_eq!(moves(&screens), (0, 0));
    screens.key(Key::Enter);
    assert_eq!(moves(&screens), (1, 0), "outside a field, Enter presses the near half");
}

#[test]
fn a_half_is_pressed_when_the_button_goes_down_however_long_and_far_it_then_goes() {
    let mut screens = at_the_clock();
    screens.frame(vec![Event::PointerMoved(FAR), pointer(FAR, true)]);
    assert_eq!(screens.table().clock.turn(), Some(Color::White), "before the button is released");
    screens.wait(2_000);
    let slipped = FAR + egui::vec2(80.0, 0.0);
    screens.frame(vec![Event::PointerMoved(slipped)]);
    screens.frame(vec![pointer(slipped, false)]);
    assert_eq!(screens.table().lines, 1);
    screens.frame(vec![Event::PointerMoved(NEAR), pointer(NEAR, true)]);
    screens.frame(vec![pointer(NEAR, false)]);
    assert_eq!((moves(&screens), screens.table().lines), ((1, 0), 2));
}

#[test]
fn two_fingers_in_one_frame_are_two_presses() {
    let mut screens = at_the_clock();
    // The system reports the first finger twice: as a touch, and as a press of the pointer.
    screens.frame(vec![finger(1, FAR), Event::PointerMoved(FAR), pointer(FAR, true), finger(2, NEAR)]);
    assert_eq!((moves(&screens), screens.table().clock.turn()), ((1, 0), Some(Color::Black)));
}

#[test]
fn the_halves_stand_side_by_side_if_the_players_want_it() {
    let (left, right) = (pos2(200.0, 200.0), pos2(600.0, 200.0));
    let mut screens = at_the_clock();
    screens.click("Put the halves side by side");
    assert_eq!(screens.settings().face, FaceHalves::Beside);
    screens.frame(vec![Event::PointerMoved(left), pointer(left, true), pointer(left, false)]);
    assert_eq!(screens.table().clock.turn(), Some(Color::White), "Black's half is the left one");
    screens.frame(vec![Event::PointerMoved(right), pointer(right, true), pointer(right, false)]);
    assert_eq!((moves(&screens), screens.table().clock.turn()), ((1, 0), Some(Color::Black)));
    screens.frame(plain(&[Key::A, Key::L]));
    assert_eq!(moves(&screens), (2, 1), "the left keys belong to the left half");
    assert_eq!(screens.faults(), Vec::<String>::new());
    screens.click("Put the halves face to face");
    screens.frame(vec![Event::PointerMoved(FAR), pointer(FAR, true), pointer(FAR, false)]);
    assert_eq!(moves(&screens), (2, 2));
}

#[test]
fn the_clock_tells_its_moves_and_what_it_does() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Clock only");
    screens.set_time("2/60:30+5");
    screens.click("Begin the match");
    screens.frame(plain(&[Key::A, Key::L]));
    assert!(screens.shows("1:00 for 2 moves, then 0:30 and 5 s for each move"), "{:?}", screens.labels());
}

#[test]
fn who_uses_no_pointer_presses_by_name() {
    let mut screens = at_the_clock();
    let half = screens.labels().into_iter().find(|name| name.starts_with("Bo: ")).unwrap();
    screens.click_by_name(&half);
    assert_eq!(screens.table().clock.turn(), Some(Color::White));
    let half = screens.labels().into_iter().find(|name| name.starts_with("Ann: ")).unwrap();
    screens.focus(&half);
    screens.key(Key::Space);
    assert_eq!(moves(&screens), (1, 0));
}

#[test]
fn a_button_that_has_the_keyboard_leaves_the_players_their_keys() {
    let mut screens = at_the_clock();
    screens.focus("Swap sides");
    screens.frame(plain(&[Key::A, Key::L]));
    assert_eq!((moves(&screens), screens.table().clock.turn()), ((1, 0), Some(Color::Black)));
    let below = screens.settings().black_below;
    screens.key(Key::Enter);
    assert_eq!(moves(&screens), (1, 0), "Enter belongs to the button");
    assert_ne!(screens.settings().black_below, below);
}

#[test]
fn keys_that_are_held_down_beside_do_not_stop_the_clock() {
    let mut screens = at_the_clock();
    for held in [Modifiers::SHIFT, Modifiers::COMMAND, Modifiers::ALT] {
        screens.frame(keys(&[Key::A, Key::L], held));
    }
    assert_eq!(moves(&screens), (3, 2));
    screens.frame(keys(&[Key::P], Modifiers::COMMAND));
    assert!(screens.table().clock.paused(), "Ctrl+P is still a command");
}

#[test]
fn escape_leads_back_from_the_settings_to_the_clock_that_runs() {
    let mut screens = at_the_clock();
    screens.key(Key::A);
    screens.key(Key::F1);
    assert_eq!(screens.harness.state().shell.page, Page::Settings);
    screens.key(Key::Escape);
    assert_eq!(screens.harness.state().shell.page, Page::Table);
    screens.key(Key::L);
    assert_eq!(moves(&screens), (1, 0));
    // Escape also leads from the settings back to the full clock face, which has no row of pages.
    screens.key(Key::F8);
    screens.key(Key::F1);
    assert!(screens.shows("Text size"), "{:?}", screens.labels());
    screens.key(Key::Escape);
    assert!(screens.harness.state().shell.clock_face && !screens.shows("Settings"));
}

#[test]
fn escape_in_a_field_of_the_settings_only_leaves_the_field() {
    let mut screens = at_the_clock();
    screens.key(Key::F1);
    let field = screens.labels().into_iter().find(|name| name.contains("enths")).unwrap();
    screens.fill(&field, "7");
    screens.key(Key::Escape);
    assert_eq!(screens.harness.state().shell.page, Page::Settings);
    screens.key(Key::Escape);
    assert_eq!(screens.harness.state().shell.page, Page::Table);
}

#[test]
fn the_spectators_window_passes_keys_on() {
    let mut screens = at_the_clock();
    let typed = screens.in_a_second_window();
    screens.key(Key::F9);
    screens.type_there(&typed, plain(&[Key::A, Key::L]));
    assert_eq!((moves(&screens), screens.table().clock.turn()), ((1, 0), Some(Color::Black)));
    screens.type_there(&typed, plain(&[Key::Space]));
    assert_eq!(moves(&screens), (1, 1));
    screens.type_there(&typed, keys(&[Key::P], Modifiers::COMMAND));
    assert!(screens.table().clock.paused());
}

#[test]
fn at_events_the_clocks_stop_at_once_and_the_reason_follows() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Clock only");
    screens.rule("event: only the arbiter sees claims and faults");
    screens.click("Begin the match");
    screens.frame(plain(&[Key::A, Key::L]));
    screens.ctrl(Key::P);
    assert!(screens.table().clock.paused(), "a key stops the clocks, without a reason");
    screens.ctrl(Key::P);
    screens.key(Key::F4);
    screens.click_last("Stop the clocks");
    assert!(screens.table().clock.paused(), "so does the button in the drawer");
    screens.fill("Reason, may be left out", "a phone rang");
    let lines = screens.table().lines;
    screens.click_last("Go on");
    assert!(!screens.table().clock.paused());
    assert_eq!(screens.table().lines, lines + 2, "the record has the reason, and then the clocks go on");
}

#[test]
fn at_events_the_key_that_takes_back_opens_the_drawer_alone() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Clock only");
    screens.rule("event: only the arbiter sees claims and faults");
    screens.click("Begin the match");
    screens.frame(plain(&[Key::A, Key::L]));
    assert!(!screens.shows("Reason, may be left out"));
    screens.ctrl(Key::Z);
    assert_eq!(screens.table().lines, 2);
    assert!(screens.shows("Reason, may be left out"), "the arbiter's drawer is open");
}

#[test]
fn one_reason_serves_all_rulings_while_the_clocks_stand() {
    let mut screens = set_to("5+3");
    screens.frame(plain(&[Key::A]));
    screens.key(Key::F4);
    screens.click_last("Stop the clocks");
    screens.click("Phone");
    for ruling in ["Black +1 min", "White +10 s"] {
        screens.scroll_to(ruling);
        screens.click(ruling);
    }
    let left = |screens: &Screens, color| screens.table().clock.reading(color, tabiya_types::Instant::ZERO);
    assert_eq!(left(&screens, Color::Black).map(|left| left.0), Some(363_000), "one typing, two rulings");
    assert_eq!(screens.value("Reason, may be left out"), "Phone");
    screens.click_last("Go on");
    assert_eq!(screens.value("Reason, may be left out"), "", "the next incident has its own reason");
}

/// A clock without a game, with a time control as people write it.
fn set_to(time: &str) -> Screens {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Clock only");
    screens.set_time(time);
    screens.click("Begin the match");
    screens
}

#[test]
fn how_many_moves_a_block_of_canadian_byo_yomi_still_wants_is_seen() {
    let mut screens = set_to("10 s:c3/60");
    screens.frame(plain(&[Key::A]));
    screens.wait(12_000);
    assert!(screens.shows("moves left in this block: 3"), "{:?}", screens.labels());
    screens.frame(plain(&[Key::L, Key::A]));
    assert!(screens.shows("moves left in this block: 2"), "{:?}", screens.labels());
}

#[test]
fn time_that_is_counted_up_is_told_and_warned_of_nothing() {
    let mut screens = set_to("^");
    screens.frame(plain(&[Key::A]));
    screens.wait(2_550);
    let white = screens.labels().into_iter().find(|label| label.starts_with("Ann: ")).unwrap();
    assert!(white.contains(": 0:03, counts up"), "whole seconds: {white}");
}

#[test]
fn the_drawer_has_its_buttons_before_they_can_be_pressed() {
    let mut screens = set_to("5+3");
    screens.frame(plain(&[Key::A]));
    screens.key(Key::F4);
    screens.click("Clocks");
    let before = screens.middle_of("White +1 min");
    screens.fill("moves", "12");
    screens.key(Key::Enter);
    assert_eq!(screens.middle_of("White +1 min"), before, "the button must not move");
    screens.fill("Reason, may be left out", "counted again");
    screens.click("Set White’s counters");
    assert_eq!(moves(&screens).0, 12);
}

#[test]
fn the_sheet_that_players_sign_has_the_first_increment_and_whose_clock_counts() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Clock only");
    screens.set_time("5+3");
    let lines = ["nothing is added before the first move", "the times of the physical clock count"];
    assert!(lines.iter().all(|line| !screens.shows(line)));
    screens.rule("The clocks start with the first increment added");
    screens.rule("The physical clock at the board keeps the time");
    assert!(lines.iter().all(|line| screens.shows(line)), "{:?}", screens.labels());
    screens.click("Begin the match");
    let clock = screens.table().clock;
    let left = clock.reading(Color::White, tabiya_types::Instant::ZERO);
    assert_eq!(left.map(|left| left.0), Some(300_000));
    screens.frame(plain(&[Key::A]));
    assert!(screens.shows("no physical clock reports its times"), "{:?}", screens.labels());
}

#[test]
fn a_time_that_cannot_be_read_is_told_alike_on_both_sides_of_the_form() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Clock only");
    screens.click("Custom …");
    screens.fill("Time for each", "5s:2x3s4");
    let told = screens.labels().iter().filter(|label| label.starts_with("“4” is not understood")).count();
    assert_eq!(told, 2, "{:?}", screens.labels());
    screens.fill("Time for each", "delay 5");
    assert!(screens.shows("25 min d 5 s"), "the base time is asked for: {:?}", screens.labels());
}

#[test]
fn a_time_that_can_mean_two_things_is_asked_about() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Clock only");
    screens.click("Custom …");
    screens.fill("Time for each", "60");
    assert!(screens.shows("This can mean several things"), "{:?}", screens.labels());
    screens.click("1 min");
    assert_eq!(screens.value("Time for each"), "1 min");
    screens.click("Begin the match");
    let left = screens.table().clock.reading(Color::White, tabiya_types::Instant::ZERO);
    assert_eq!(left.map(|left| left.0), Some(60_000));
}

#[test]
fn the_record_of_a_clock_alone_shows_no_board() {
    let mut screens = set_to("5+3");
    screens.frame(plain(&[Key::A, Key::L]));
    screens.harness.state_mut().shell.page = Page::Record;
    screens.harness.run();
    assert!(screens.shows("Game 1: clock"), "{:?}", screens.labels());
    assert!(!screens.labels().iter().any(|label| label.starts_with("e4") || label.contains("Board, cursor")));
}

#[test]
fn a_time_is_put_together_with_buttons_and_read_as_it_is_written() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Clock only");
    screens.click("Custom …");
    screens.fill("Time for each", "5+3");
    screens.click("Byo-yomi 30 + 5×30 s");
    assert_eq!(screens.value("Time for each"), "5 min, 5x30");
    screens.click("Stage 1, time: more");
    screens.click("Stage 2, periods: less");
    assert_eq!(screens.value("Time for each"), "6 min, 4x30");
    assert!(screens.shows("Each has 6:00, then byo-yomi: 4 × 30 s."), "{:?}", screens.labels());
    screens.click("Use this time");
    screens.click("Begin the match");
    let sheet = screens.table().sheet;
    assert!(sheet.iter().any(|line| line.to_string().contains("360:4x30")), "{sheet:?}");
}

#[test]
fn a_time_that_is_left_stays_as_it_was() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Chess");
    screens.click("3+2 Blitz");
    screens.click("Custom …");
    screens.fill("Time for each", "90+30");
    screens.key(Key::Escape);
    assert!(screens.shows("Each has 3:00 and 2 s for each move."), "{:?}", screens.labels());
}
