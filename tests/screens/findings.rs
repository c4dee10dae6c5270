//! What a club organiser and a designer found in version 0.1.0, as stories that must not happen again.

use egui::{Key, ViewportCommand};
use tabiya_engine::rules::Actor;
use tabiya_store::settings::Settings;
use tabiya_text::Language;
use tabiya_types::{Card, Color};

use crate::clock::plain;
use crate::harness::Screens;
use crate::stories::{at_the_placement, playing};

const WINDOW: [f32; 2] = [1280.0, 800.0];

/// A game of chess after White's first move and press.
pub(crate) fn at_chess() -> Screens {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    for line in ["e4", "press"] {
        screens.line(line);
    }
    screens.key(Key::Escape);
    screens
}

#[test]
fn a_match_left_between_games_can_be_carried_on() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.line("fold");
    screens.key(Key::Escape);
    screens.ctrl(Key::N);
    assert!(!screens.table().begun, "the second game has not begun");
    screens.line("quit");
    let offered = |screens: &Screens| screens.labels().into_iter().find(|name| name.starts_with("Ann – Bo"));
    assert!(offered(&screens).is_some(), "offered at once: {:?}", screens.labels());
    let mut again = Screens::over(WINDOW, screens.close());
    let offer = offered(&again).expect("offered after a restart");
    again.click(&offer);
    let table = again.table();
    assert_eq!((table.number, table.stakes.stacks.white.0 + table.stakes.stacks.black.0), (2, 400));
}

#[test]
fn the_space_bar_never_leaves_a_match() {
    let mut screens = at_chess();
    for button in screens.pressables() {
        let mut screens = at_chess();
        // Some buttons are further down on a page that scrolls; those cannot have the focus by the arrow keys either.
        screens.focus(&button);
        screens.key(Key::Space);
        assert_eq!(screens.table().moves, ["e4"], "{button}");
        assert!(!screens.shows("leave the match?"), "{button}");
    }
    screens.line("quit");
    assert!(screens.shows("a game is running; leave the match?"));
}

#[test]
fn closing_the_window_asks_while_a_game_is_running() {
    let mut screens = at_chess();
    screens.wish(tabiya_app::desk::Wish::Close);
    assert!(screens.shows("a game is running; close Tabiya?"), "{:?}", screens.labels());
    assert!(!screens.harness.state().desk.is_closing());
    screens.key(Key::Escape);
    assert!(!screens.shows("close Tabiya?"));
    screens.wish(tabiya_app::desk::Wish::Close);
    screens.key(Key::Y);
    assert!(screens.harness.state().desk.is_closing());
    let mut screens = Screens::open(WINDOW);
    screens.wish(tabiya_app::desk::Wish::Close);
    assert!(screens.harness.state().desk.is_closing(), "without a game nothing is asked");
}

#[test]
fn in_german_the_key_b_turns_a_pawn_over_because_that_is_the_cards_letter() {
    let german = Settings {
        language: Language::German,
        names: vec!["Ann".to_owned(), "Bo".to_owned()],
        ..Settings::default()
    };
    let mut screens = at_the_placement(Screens::open(WINDOW));
    screens.wish(tabiya_app::desk::Wish::Change(Box::default(), Box::new(german)));
    screens.key(Key::B);
    assert_eq!(screens.table().cards.white.last().map(|card| card.card), Some(Card::Pawn));
}

#[test]
fn a_key_that_would_bet_a_stack_only_sets_the_amount() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.key(Key::Num4);
    let put = |screens: &Screens| screens.table().bet.map(|bet| bet.put.white.0);
    assert_eq!(put(&screens), Some(1));
    screens.key(Key::R);
    assert_eq!(put(&screens), Some(1), "the whole stack is asked about once");
    screens.key(Key::R);
    assert_eq!(put(&screens), Some(200), "the same key does it");
}

#[test]
fn a_fold_is_armed_and_only_the_same_key_or_click_folds() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.key(Key::F);
    assert!(screens.shows("Fold: again"), "{:?}", screens.labels());
    screens.key(Key::Num2);
    screens.wait(3_100);
    screens.wait(50);
    assert!(!screens.shows("Fold: again"), "three seconds disarm it: {:?}", screens.labels());
    screens.key(Key::F);
    screens.key(Key::C);
    assert!(screens.table().outcome.is_none() && !screens.shows("Fold: again"), "anything else disarms it");
    screens.click("Fold");
    assert!(screens.table().outcome.is_none());
    screens.click("Fold: again");
    assert!(screens.table().outcome.is_some());
}

#[test]
fn the_key_for_a_draw_never_accepts_one() {
    let mut screens = at_chess();
    screens.line("e5");
    screens.key(Key::Escape);
    for _ in 0..6 {
        screens.ctrl(Key::D);
    }
    assert!(screens.table().outcome.is_none(), "{:?}", screens.labels());
    assert!(screens.shows("accepts the draw"), "{:?}", screens.labels());
}

#[test]
fn what_is_taken_back_is_named_before_it_goes() {
    let mut screens = at_chess();
    screens.line("e5");
    screens.key(Key::Escape);
    screens.ctrl(Key::Z);
    assert!(screens.shows("this is taken back: 1… e5?"), "{:?}", screens.labels());
    assert_eq!(screens.table().moves, ["e4", "e5"]);
    screens.ctrl(Key::Z);
    assert!(screens.shows("2 actions are taken back: "), "one further back: {:?}", screens.labels());
    screens.key(Key::Escape);
    assert_eq!(screens.table().moves, ["e4", "e5"], "Escape leaves it");
    screens.ctrl(Key::Z);
    screens.ctrl(Key::Z);
    screens.key(Key::Enter);
    assert!(screens.table().moves.is_empty());
}

#[test]
fn between_a_move_and_the_press_the_mover_has_the_turn() {
    let mut screens = at_chess();
    screens.line("e5");
    screens.key(Key::Escape);
    let has = |screens: &Screens, who: &str| {
        screens.labels().iter().any(|label| label.starts_with(who) && label.contains(", to act"))
    };
    assert_eq!(screens.table().to_act, Actor::Player(Color::White));
    assert!(has(&screens, "Black: Bo") && !has(&screens, "White: Ann"), "{:?}", screens.labels());
    screens.key(Key::Space);
    assert!(has(&screens, "White: Ann") && !has(&screens, "Black: Bo"), "{:?}", screens.labels());
}

#[test]
fn a_key_fills_the_screen() {
    let mut screens = at_chess();
    let (key, modifiers) = (Key::F11, egui::Modifiers::NONE);
    let event = egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    screens.harness.input_mut().events.push(event);
    screens.harness.step();
    let output = &screens.harness.output().viewport_output[&egui::ViewportId::ROOT];
    assert!(output.commands.contains(&ViewportCommand::Fullscreen(true)), "{:?}", output.commands);
}

/// A game of chess on a board in the start position.
fn on_a_board() -> Screens {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    screens.board_shows("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap());
    screens
}

#[test]
fn the_table_shows_what_to_put_where() {
    let mut screens = on_a_board();
    screens.board_shows("rnbqkbnr/ppp1pppp/8/8/8/7N/PPPPPPPP/RNBQKB1R".parse().unwrap());
    screens.wait(3_000);
    assert!(screens.shows("Put the board right"), "{:?}", screens.labels());
    assert!(screens.shows("1: white knight, from h3 to g1"), "{:?}", screens.labels());
    assert!(screens.shows("2: black pawn, put it on d7"), "{:?}", screens.labels());
    assert!(screens.shows("h3 white knight"), "the board shows what stands");
    assert!(screens.shows("Board differs"), "the bar says so too");
    screens.board_shows("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap());
    assert!(screens.shows("1: white knight, from h3 to g1 – done"), "{:?}", screens.labels());
    assert!(screens.shows("2: black pawn, put it on d7"), "the number stays: {:?}", screens.labels());
    screens.board_shows("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap());
    assert!(!screens.shows("Put the board right"));
}

#[test]
fn a_move_on_the_board_is_seen_before_it_is_pressed() {
    let mut screens = on_a_board();
    screens.key(Key::Space);
    screens.board_shows("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR".parse().unwrap());
    assert!(screens.shows("seen: White plays e2e4"), "{:?}", screens.labels());
    assert!(screens.shows("not pressed yet"));
    assert!(screens.table().moves.is_empty());
    screens.key(Key::Space);
    assert_eq!(screens.table().moves, ["e4"]);
    assert!(!screens.shows("not pressed yet"), "{:?}", screens.labels());
}

#[test]
fn nothing_moves_under_the_pointer_when_something_is_refused() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    screens.key(Key::P);
    let before = ["queen", "rook", "pawn", "Resign …"].map(|label| screens.middle_of(label));
    screens.click("a5");
    assert!(screens.shows("not on a5"), "{:?}", screens.labels());
    assert_eq!(["queen", "rook", "pawn", "Resign …"].map(|label| screens.middle_of(label)), before);
}

#[test]
fn a_click_on_the_plate_presses_the_clock() {
    let mut screens = at_chess();
    screens.line("e5");
    screens.key(Key::Escape);
    let plate = screens.pressables().into_iter().find(|name| name.starts_with("Black’s clock")).unwrap();
    screens.click(&plate);
    assert_eq!(screens.table().mover(), Some(Color::White));
}

#[test]
fn enter_begins_the_match_at_once_and_the_space_bar_ticks_boxes_in_the_form() {
    let mut screens = Screens::open(WINDOW);
    screens.click("More rules");
    screens.focus("Becket");
    screens.key(Key::Space);
    screens.click("Done");
    assert!(screens.shows("Becket on"), "{:?}", screens.labels());
    let mut screens = Screens::open(WINDOW);
    screens.key(Key::Enter);
    assert_eq!(screens.table().number, 1);
}

/// Both keys may come with one frame of the screen.
#[test]
fn an_amount_and_a_raise_typed_at_once_mean_that_amount() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.frame(plain(&[Key::Num4, Key::R]));
    assert!(screens.table().stakes.pot().0 < 10, "the whole stack is asked about first");
    screens.key(Key::R);
    assert_eq!(screens.table().stakes.pot().0, 202, "{:?}", screens.labels());
}

#[test]
fn an_amount_that_is_typed_replaces_the_one_that_stood_there() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.focus("Amount");
    screens.frame(vec![egui::Event::Text("10".to_owned())]);
    assert!(screens.shows("Raise to 10"), "{:?}", screens.labels());
}

#[test]
fn a_reason_that_was_typed_for_no_ruling_is_forgotten_with_the_drawer() {
    let mut screens = Screens::open([1280.0, 800.0]);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.key(Key::F4);
    screens.fill("Reason, may be left out", "too loud");
    screens.key(Key::Escape);
    screens.key(Key::F4);
    if !screens.labels().iter().any(|label| label == "Reason, may be left out") {
        screens.key(Key::F4);
    }
    assert_eq!(screens.value("Reason, may be left out"), "");
}

#[test]
fn an_arbiter_takes_the_position_from_the_board() {
    let mut screens = at_chess();
    let mut board = screens.table().physical;
    let at = |name: &str| name.parse::<tabiya_types::Square>().unwrap();
    (board[at("a7")], board[at("a3")]) = (None, board[at("a7")]);
    screens.board_shows(board);
    screens.wait(2_000);
    screens.key(Key::F4);
    screens.click("Position");
    screens.click("As the board stands");
    screens.fill("Reason, may be left out", "played without the clock");
    screens.click("Set the position");
    assert_eq!(screens.table().board, board);
}

#[test]
fn a_clock_that_is_stopped_before_the_press_says_who_has_to_press() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    screens.line("press");
    screens.line("e4");
    screens.click("Stop the clocks");
    assert!(screens.shows("Ann is to press the clock"), "{:?}", screens.labels());
}

#[test]
fn the_start_of_a_match_can_be_looked_at() {
    let mut screens = at_chess();
    screens.harness.state_mut().shell.page = tabiya_window::Page::Record;
    screens.harness.run();
    screens.key(Key::Home);
    assert!(screens.shows("e2 white pawn"), "{:?}", screens.labels());
    screens.key(Key::ArrowRight);
    assert!(screens.shows("e4 white pawn"), "{:?}", screens.labels());
}

#[test]
fn the_log_beside_the_score_sheet_tells_moves_in_notation() {
    let mut screens = crate::stories::at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    let log = |screens: &Screens, what: &str| screens.labels().iter().any(|label| label.ends_with(what));
    assert!(log(&screens, "  3. e3"), "{:?}", screens.labels());
    assert!(!screens.shows("e2e3"), "no squares beside the notation: {:?}", screens.labels());
}

#[test]
fn the_tab_key_goes_through_a_new_match_in_few_stops_and_what_has_the_focus_is_seen() {
    for size in [WINDOW, [800.0, 600.0]] {
        let mut screens = Screens::open(size);
        let (first, _) = screens.focused().expect("the main button has the focus at the beginning");
        assert!(first.starts_with("Begin the match"), "{first}");
        let mut stops = vec![first.clone()];
        loop {
            screens.key(Key::Tab);
            let Some((stop, place)) = screens.focused() else { continue };
            if stop == first {
                break;
            }
            let window = screens.harness.ctx.content_rect().expand(1.0);
            assert!(window.contains_rect(place), "{stop} has the focus out of sight at {place:?}");
            assert!(stops.len() < 40, "{stops:?}");
            stops.push(stop);
        }
        let pages = ["Play", "Menu", "No board", "Full screen"];
        let beside = stops.iter().filter(|stop| pages.iter().any(|page| stop.starts_with(page))).count();
        assert!(stops.len() - beside <= 14, "{stops:?}");
    }
}

#[test]
fn the_arrow_keys_lead_through_a_group_of_choices() {
    let mut screens = Screens::open(WINDOW);
    screens.focus("Choker");
    screens.key(Key::ArrowRight);
    screens.key(Key::Enter);
    assert!(screens.shows("from the usual position"), "{:?}", screens.labels());
    screens.key(Key::ArrowLeft);
    screens.key(Key::ArrowLeft);
    screens.key(Key::Enter);
    assert!(!screens.shows("from the usual position"), "round the end: the clock alone");
    assert_eq!(screens.focused().map(|(name, _)| name), Some("Clock only".to_owned()));
}

#[test]
fn stopped_clocks_are_set_by_one_click_from_there() {
    let mut screens = crate::stories::at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    screens.ctrl(Key::P);
    screens.click("Set the clocks …");
    assert!(screens.shows("Set Ann’s clock") && screens.shows("Set Bo’s clock"), "{:?}", screens.labels());
}
