//! Stories: what people do at the window, and what follows.

use egui::Key;
use tabiya_app::desk::{DeskOrder, SimulatedMove, Wish};
use tabiya_engine::rules::{Phase, Reason};

use tabiya_types::{Color, Seat, Squares};
use tabiya_window::Page;

use crate::harness::Screens;

const WINDOW: [f32; 2] = [1280.0, 800.0];

/// Begins a match of Choker. The players only call and check until the first placement is due.
pub(crate) fn at_the_placement(mut screens: Screens) -> Screens {
    screens.click("Begin the match");
    screens.click("Cards are dealt");
    screens.click("Call 1");
    screens.click("Check");
    for _ in 0..2 {
        screens.click("Cards are dealt");
        screens.click("Check");
        screens.click("Check");
    }
    screens
}

/// Turns a card over and places its piece by keys and mouse, then presses.
pub(crate) fn place(screens: &mut Screens, card: Key, square: &str) {
    screens.key(card);
    screens.click(square);
    screens.key(Key::Space);
}

/// Plays a match up to the chess phase. Each card is placed as the piece that it shows. White's rook and king then
/// stand on their home squares.
pub(crate) fn at_chess(screens: Screens) -> Screens {
    let mut screens = at_the_placement(screens);
    let cards = [
        (Key::R, "h1", "a8"),
        (Key::N, "g1", "g8"),
        (Key::B, "f1", "f8"),
        (Key::N, "b1", "b8"),
        (Key::P, "d2", "d7"),
    ];
    for (card, white, black) in cards {
        place(&mut screens, card, white);
        place(&mut screens, card, black);
    }
    screens
}

#[cfg(feature = "snapshots")]
/// Plays a few moves for each player. Some time passes before each move.
pub(crate) fn playing(screens: &mut Screens) {
    for uci in ["d2d4", "d7d5", "g1f3", "g8f6", "e2e3"] {
        screens.wait(4_000);
        screens.line(uci);
        screens.key(Key::Escape);
        let by = screens.table().presser();
        screens.line(&format!("press {}", by.map_or("white", |by| by.word())));
    }
}

#[test]
fn a_whole_match_is_played_by_names_and_keys() {
    let mut screens = at_chess(Screens::open(WINDOW));
    assert_eq!(screens.table().phase, Phase::Chess);
    // Two clicks move a piece; a drag would do the same.
    screens.click("d2 white pawn");
    screens.click("d4");
    screens.key(Key::Space);
    screens.line("d7d5");
    screens.key(Key::Space);
    screens.click("Resign …");
    screens.click("Ann resigns");
    assert!(screens.shows("does Ann (White) resign?"), "{:?}", screens.labels());
    // The answers say what they do.
    assert!(screens.shows("Play on") && !screens.shows("Yes"), "{:?}", screens.labels());
    screens.click("Ann resigns");
    let table = screens.table();
    assert_eq!(
        table.outcome.map(|outcome| (outcome.winner, outcome.reason)),
        Some((Some(Color::Black), Reason::Resignation))
    );
    assert!(screens.shows("Bo wins"));
    assert!(screens.shows("Bo takes 4 chips"));
    screens.click("Next game");
    let table = screens.table();
    assert_eq!((table.number, table.seats.white), (2, Seat::B));
    assert_eq!(table.stakes.stacks.white.0, 202);
}

#[test]
fn betting_is_all_on_keys() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.key(Key::Num3);
    screens.key(Key::R);
    assert_eq!(
        screens.table().bet.map(|bet| bet.put.white.0),
        Some(6),
        "calling makes 2, and the pot is 4 then"
    );
    screens.key(Key::Num4);
    screens.key(Key::R);
    screens.key(Key::Y);
    screens.key(Key::F);
    assert!(screens.table().outcome.is_none(), "a key alone does not fold");
    screens.key(Key::Y);
    let outcome = screens.table().outcome.expect("folded");
    assert_eq!((outcome.winner, outcome.reason), (Some(Color::Black), Reason::Fold));
}

#[test]
fn folding_with_nothing_to_call_is_asked_once() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.key(Key::C);
    screens.key(Key::F);
    assert!(screens.table().outcome.is_none());
    assert!(
        screens.shows("there is nothing to call, and a check is free: does Black fold?"),
        "{:?}",
        screens.labels()
    );
    screens.key(Key::Escape);
    screens.key(Key::F);
    screens.key(Key::Y);
    assert_eq!(screens.table().outcome.map(|outcome| outcome.reason), Some(Reason::Fold));
}

#[test]
fn an_amount_is_typed_or_refused_by_a_grey_button() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.fill("Amount", "25");
    screens.click("Raise to 25 24 more");
    assert_eq!(screens.table().bet.map(|bet| bet.put.white.0), Some(25));
    screens.fill("Amount", "26");
    screens.click("Raise to 26 24 more");
    assert_eq!(screens.table().bet.map(|bet| bet.by), Some(Color::Black), "too small a raise does nothing");
    screens.fill("Amount", "60");
    screens.key(Key::Enter);
    screens.wait(50);
    assert_eq!(screens.table().bet.map(|bet| bet.put.black.0), Some(60), "Enter ends the amount and raises");
}

#[test]
fn a_wrong_zone_is_shown_with_the_reason_and_the_way_back() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    screens.key(Key::R);
    screens.click("a4");
    assert!(screens.shows("White must place a rook on ranks 1 to 2, not on a4"));
    assert!(screens.shows("a4 white rook"), "the piece is shown where it was put: {:?}", screens.labels());
    screens.click("a1");
    assert!(!screens.shows("not on a4") && !screens.shows("a4 white rook"));
    screens.key(Key::Space);
    assert_eq!(screens.table().to_act, tabiya_engine::rules::Actor::Player(Color::Black));
}

#[test]
fn a_second_bishop_on_the_same_colour_is_refused_by_both_squares() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    place(&mut screens, Key::B, "c1");
    place(&mut screens, Key::P, "a7");
    screens.key(Key::B);
    screens.click("a1");
    assert!(screens.shows("bishops must stand on squares of different colours"));
}

#[test]
fn what_changes_is_announced_in_big_type_and_in_the_record() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    screens.key(Key::P);
    screens.click("queen");
    screens.click("d1");
    assert!(screens.shows("Promoted: queen"), "{:?}", screens.labels());
    let folder = screens.close();
    let record = folder.path().join("2026-10-03.tabiya");
    let journal = tabiya_store::journal::Journal::open_read(&record).unwrap();
    let lines = journal.lines(journal.matches().unwrap()[0].id).unwrap();
    assert!(lines.iter().any(|(_, line)| line.contains("\"says\":\"promoted\"")), "{lines:?}");
}

#[test]
fn the_next_start_offers_the_match_with_clocks_as_they_stood() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    screens.key(Key::R);
    screens.wait(20_000);
    // This closes the window. `tests/screens/window/ends.rs` kills the program instead.
    let folder = screens.close();
    let mut again = Screens::over(WINDOW, folder);
    let offer = again.labels().into_iter().find(|name| name.starts_with("Ann – Bo")).expect("offered");
    again.click(&offer);
    let table = again.table();
    assert!(table.clock.paused());
    let left = table.clock.reading(Color::White, tabiya_types::Instant::from_millis(u64::MAX / 2));
    assert!(left.is_some_and(|left| (99_000..=101_000).contains(&left.0)), "{left:?}");
}

/// Four matches are left: the newest has the row, the others are behind one button. What is put aside is not offered again.
#[test]
fn matches_that_can_be_carried_on_do_not_pile_up_and_can_be_put_aside() {
    let mut screens = Screens::open(WINDOW);
    for _ in 0..4 {
        screens.click("Chess");
        screens.click("Begin the match");
        screens.line("e4");
        screens.line("press");
        screens.wish(Wish::Leave);
        screens.wish(Wish::Yes);
        screens.harness.run();
    }
    assert!(screens.shows("3 more"), "{:?}", screens.labels());
    for left in ["2 more", "1 more"] {
        screens.click("Do not offer this match again; it stays in the records");
        assert!(screens.shows(left), "{left}: {:?}", screens.labels());
    }
    screens.click("Do not offer this match again; it stays in the records");
    let folder = screens.close();
    let mut again = Screens::over(WINDOW, folder);
    assert!(!again.shows("more matches") && again.shows("Carry on"), "{:?}", again.labels());
    again.click("Do not offer this match again; it stays in the records");
    assert!(!again.shows("Carry on") && again.shows("Watch a game"), "{:?}", again.labels());
    again.click("Record");
    again.click("Records");
    assert!(again.shows("3 October 2026, 19:30"), "they stay in the records: {:?}", again.labels());
}

#[test]
fn after_five_cards_nothing_is_still_possible_and_an_illegal_move_is_called_so() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    assert!(screens.shows("Can come"), "{:?}", screens.labels());
    screens = at_chess(Screens::open(WINDOW));
    assert!(!screens.shows("Can come"), "{:?}", screens.labels());
    screens.line("Ka5");
    assert!(screens.shows("no legal move"), "{:?}", screens.labels());
}

#[test]
fn one_key_jumps_from_the_board_to_the_middle_and_to_the_bar() {
    use egui_kittest::kittest::{NodeT as _, Queryable as _};
    let mut screens = at_a_game_of_chess();
    screens.line("e4");
    screens.key(Key::Escape);
    let focused = |screens: &Screens| {
        let mut all = screens.harness.query_all_by_label_contains("");
        all.find(|node| node.accesskit_node().is_focused())
            .and_then(|node| node.accesskit_node().label())
            .unwrap_or_default()
    };
    for part in ["Board, cursor on e1", "Ann: press the clock", "Menu", "Board, cursor on e1"] {
        screens.key(Key::F6);
        screens.harness.run();
        assert!(focused(&screens).starts_with(part), "{part}: {}", focused(&screens));
    }
}

#[test]
fn a_match_begins_from_any_field_with_one_key() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Custom …");
    screens.focus("Time for each");
    screens.ctrl(Key::Enter);
    assert!(screens.shows("Menu"), "{:?}", screens.labels());
}

/// What changes by itself is read aloud by screen readers: the prompt politely, refusals and questions at once.
#[test]
fn the_prompt_and_what_is_wrong_are_live_regions() {
    use egui::accesskit::Live;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};
    let mut screens = at_a_game_of_chess();
    let read = |screens: &Screens, text: &str, live: Live| {
        let mut found = screens.harness.query_all_by_label_contains(text);
        found.any(|node| node.accesskit_node().live() == live)
    };
    assert!(read(&screens, "Ann: make a move", Live::Polite));
    assert!(!read(&screens, "Ann: make a move", Live::Assertive));
    screens.line("e9");
    assert!(read(&screens, "e9", Live::Assertive), "{:?}", screens.labels());
}

#[test]
fn the_arbiter_gives_time_at_once_and_the_reason_if_there_is_one() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    screens.key(Key::F4);
    let left = |screens: &Screens| screens.table().clock.reading(Color::Black, tabiya_types::Instant::ZERO);
    screens.scroll_to("Black +10 s");
    screens.click("Black +10 s");
    assert_eq!(left(&screens).map(|left| left.0), Some(130_000), "no clock waits for a reason");
    screens.fill("Reason, may be left out", "a false piece");
    screens.click("Black +1 min");
    assert_eq!(left(&screens).map(|left| left.0), Some(190_000));
    screens.click("Black −1 min");
    assert_eq!(left(&screens).map(|left| left.0), Some(130_000));
    for reason in ["time given by the arbiter", "a false piece"] {
        assert!(screens.shows(reason), "{:?}", screens.labels());
    }
}

#[test]
fn why_the_clocks_were_stopped_and_a_piece_corrected_is_in_the_record() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    screens.line("reveal P");
    screens.line("P a2");
    screens.line("press");
    screens.key(Key::F4);
    screens.fill("Reason, may be left out", "the lights went out");
    screens.click_last("Stop the clocks");
    assert!(screens.table().clock.paused());
    screens.click_last("Go on");
    assert!(!screens.table().clock.paused());
    screens.click("Cards");
    screens.fill("Wrong piece on", "a2");
    screens.fill("Reason, may be left out", "it is a queen");
    screens.scroll_to("Correct the piece");
    screens.click("Correct the piece");
    screens.key(Key::F4);
    screens.harness.state_mut().shell.page = Page::Record;
    screens.harness.run();
    screens.click("Everything");
    for told in ["the arbiter rules: the lights went out", "becomes a queen on a2: it is a queen"] {
        assert!(screens.shows(told), "{:?}", screens.labels());
    }
}

#[test]
fn any_moment_of_the_match_can_be_looked_at() {
    let mut screens = at_chess(Screens::open(WINDOW));
    screens.harness.state_mut().shell.page = Page::Record;
    screens.harness.run();
    screens.scroll_to("0:01  White turns a knight over");
    screens.click("0:01  White turns a knight over");
    assert!(screens.shows("Game 1: place"), "{:?}", screens.labels());
    screens.click("Back to now");
    assert!(screens.shows("Game 1: chess"));
}

#[test]
fn the_clock_alone_is_pressed_by_its_halves() {
    let mut screens = Screens::open([800.0, 480.0]);
    screens.click("Clock only");
    screens.click("Begin the match");
    // The key Q presses for Black, whose clock is on the far half of the screen. This starts White's clock.
    screens.key(Key::Q);
    screens.wait(3_000);
    screens.key(Key::Enter);
    let table = screens.table();
    assert_eq!(table.clock.turn(), Some(Color::Black));
    assert_eq!(table.clock.moves(Color::White), 1);
}

#[test]
fn the_coin_decides_who_has_white() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Toss a coin");
    assert!(screens.shows("The coin says: Bo has White"));
    screens.click("Begin the match");
    assert_eq!(screens.table().seats.white, Seat::B);
}

#[test]
fn every_screen_has_names_for_all_that_can_be_pressed() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    for page in [Page::Table, Page::Record, Page::Devices, Page::Learn, Page::Settings] {
        screens.harness.state_mut().shell.page = page;
        // The harness panics if a control has no name, or if a text contains a letter that is in no font.
        screens.harness.run();
        assert!(screens.labels().len() > 10, "{page:?} shows something");
        for _ in 0..12 {
            screens.key(Key::Tab);
            assert!(screens.rings() > 0, "{page:?}: Tab must focus something visible");
        }
    }
}

#[test]
fn a_key_can_be_changed_but_not_to_one_that_is_taken() {
    let mut screens = Screens::open(WINDOW);
    screens.harness.state_mut().shell.page = Page::Settings;
    screens.harness.run();
    screens.click("Change Fold");
    screens.key(Key::C);
    assert!(screens.shows("C is already used for “Check or call”; choose another key."));
    screens.click("Change Fold");
    screens.key(Key::G);
    assert_eq!(screens.settings().keys.get("fold").map(String::as_str), Some("G"));
}

/// A game of chess, about to begin.
fn at_a_game_of_chess() -> Screens {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    screens
}

#[test]
fn what_was_done_is_taken_back_and_restored_by_keys() {
    let mut screens = at_a_game_of_chess();
    screens.line("e4");
    screens.key(Key::Escape);
    screens.ctrl(Key::Z);
    screens.key(Key::Enter);
    assert!(screens.table().moves.is_empty());
    screens.ctrl(Key::Y);
    assert_eq!(screens.table().moves, ["e4"]);
}

#[test]
fn a_piece_is_dragged_to_where_it_goes() {
    let mut screens = at_a_game_of_chess();
    screens.drag("g1 white knight", "f3");
    assert_eq!(screens.table().moves, ["Nf3"]);
}

#[test]
fn the_board_is_played_with_arrows_and_enter() {
    let mut screens = at_a_game_of_chess();
    screens.focus("Board, cursor on e1 white king");
    for key in [Key::ArrowUp, Key::Enter, Key::ArrowUp, Key::ArrowUp, Key::Enter] {
        screens.key(key);
    }
    assert_eq!(screens.table().moves, ["e4"]);
}

#[test]
fn a_pawn_on_the_last_rank_is_asked_what_it_becomes() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("More rules");
    screens.click("from a FEN");
    screens.fill("FEN", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    screens.click("Begin the match");
    screens.click("a7 white pawn");
    screens.click("a8");
    assert!(screens.table().moves.is_empty());
    screens.click("rook");
    assert_eq!(screens.table().moves, ["a8=R+"]);
    assert_eq!(screens.table().check.map(|square| square.to_string()), Some("e8".to_owned()));
}

#[test]
fn a_board_is_connected_simulated_set_up_pressed_and_let_go_without_leaving_the_table() {
    let mut screens = at_a_game_of_chess();
    let orders = |screens: &mut Screens| format!("{:?}", screens.harness.state_mut().desk.take_orders());
    screens.click("No board");
    screens.click("Find boards");
    assert!(orders(&mut screens).contains("Discover"));
    screens.click("No board");
    screens.click("Try a simulated one");
    let told = orders(&mut screens);
    assert!(told.contains("Simulate(Maker(dgt)"), "{told}");
    let view = tabiya_app::snapshot::SimulatedView {
        board: tabiya_types::Board::default(),
        lit: Squares::default(),
        lever: true,
    };
    screens.harness.state_mut().desk.simulated(view);
    screens.harness.run();
    for (button, order) in [("Set up as the table expects", "Set("), ("Ann: press the clock", "Press(White)")]
    {
        screens.click("Looking for the board");
        screens.click(button);
        let told = orders(&mut screens);
        assert!(told.contains(order), "{button}: {told}");
    }
    screens.harness.state_mut().desk.simulated(tabiya_app::snapshot::SimulatedView { lever: false, ..view });
    screens.click("Looking for the board");
    let presses = screens.labels().iter().any(|label| label == "Ann: press the clock");
    assert!(!presses, "a board without a lever offers no press: {:?}", screens.labels());
    screens.click("Let go");
    assert!(screens.shows("No board"), "{:?}", screens.labels());
    screens.click("No board");
    screens.click("Devices and sensor test …");
    assert!(screens.shows("Find boards"), "{:?}", screens.labels());
}

#[test]
fn the_first_match_is_learned_step_by_step_at_the_tables_own_screens() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Learn");
    screens.click("Play a first match, step by step");
    for says in ["(1 of 24)", "now you bet chips", "(3 of 24)"] {
        assert!(screens.shows(says), "{says}: {:?}", screens.labels());
        screens.key(Key::Enter);
    }
    for _ in 3..19 {
        screens.click("Next step");
    }
    assert!(screens.shows("from here on it is chess"), "{:?}", screens.labels());
    assert!(screens.shows("d2 white queen"), "the pawn became a queen: {:?}", screens.labels());
    for _ in 19..24 {
        screens.click("Next step");
    }
    assert!(
        screens.shows("Ann wins") && screens.shows("That was a match of Choker"),
        "{:?}",
        screens.labels()
    );
    screens.click("Back to Learn");
    assert!(screens.shows("Play a first match, step by step"));
}

#[test]
fn a_finished_game_leads_to_its_record_and_to_the_arbiter() {
    let mut screens = at_a_game_of_chess();
    screens.line("e4");
    screens.line("press");
    screens.line("black resigns");
    screens.line("yes");
    screens.key(Key::Escape);
    screens.click("Change it …");
    assert!(screens.shows("Result"), "the arbiter's drawer: {:?}", screens.labels());
    screens.key(Key::F4);
    screens.click("Record");
    assert!(screens.shows("Export"), "{:?}", screens.labels());
}

#[test]
fn a_draw_is_offered_and_accepted_after_a_move_each() {
    let mut screens = at_a_game_of_chess();
    for uci in ["e2e4", "e7e5"] {
        screens.line(uci);
    }
    screens.key(Key::Escape);
    screens.ctrl(Key::D);
    screens.key(Key::Y);
    assert!(screens.shows("accepts the draw"));
    screens.click("Ann accepts the draw");
    assert!(screens.shows("by agreement"));
}

#[test]
fn at_events_players_see_no_claims_and_the_arbiter_does() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.rule("event: only the arbiter sees claims and faults");
    screens.click("Begin the match");
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for uci in shuffle.iter().chain(&shuffle) {
        screens.line(uci);
    }
    assert!(!screens.shows("a draw can be claimed"));
    screens.key(Key::Escape);
    screens.key(Key::F4);
    assert!(screens.shows("a draw can be claimed"));
}

#[test]
fn the_spectators_window_has_nothing_to_press() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    let before = screens.pressables();
    screens.key(Key::F9);
    assert!(screens.shows("Ann: White’s clock"), "{:?}", screens.labels());
    let new: Vec<String> = screens.pressables().into_iter().filter(|name| !before.contains(name)).collect();
    // In this test the spectators' window is embedded in the main window, which adds a button to close it.
    assert!(new.iter().all(|name| name.contains("Close")), "{new:?}");
}

#[test]
fn the_language_changes_at_once_and_is_kept() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    screens.harness.state_mut().shell.page = Page::Settings;
    screens.harness.run();
    screens.click("Deutsch");
    screens.click("Tisch");
    assert!(screens.shows("Weiß"), "{:?}", screens.labels());
    assert_eq!(screens.settings().language, tabiya_text::Language::German);
}

#[test]
fn own_terms_are_named_and_kept() {
    let mut screens = Screens::open(WINDOW);
    screens.click("More rules");
    screens.fill("Chips of A", "50");
    screens.fill("Chips of B", "70");
    screens.fill("Name for these terms", "handicap");
    screens.scroll_to("Keep");
    screens.click("Keep");
    let folder = screens.close();
    let mut again = Screens::over(WINDOW, folder);
    again.click("handicap");
    again.click("Begin the match");
    let table = again.table();
    assert_eq!((table.stakes.stacks.white.0, table.stakes.stacks.black.0), (50, 70));
}

#[test]
fn a_set_without_three_rooks_brings_up_becket_and_never_sets_it() {
    let mut screens = Screens::open([1280.0, 1200.0]);
    screens.click("More rules");
    screens.click("Empress");
    screens.click("The pieces in your set");
    screens.click("Agree on the number of pieces");
    assert!(screens.shows("the hand RRPPP needs a third rook"), "{:?}", screens.labels());
    screens.click("Begin the match");
    assert!(!screens.table().sheet.iter().any(|line| line.to_string().contains("Becket on")));
}

#[test]
fn the_set_is_counted_from_a_board_on_which_all_pieces_stand() {
    let mut screens = Screens::open([1280.0, 1200.0]);
    screens.click("More rules");
    screens.click("The pieces in your set");
    assert!(!screens.shows("Count the pieces on the board"), "no board is connected");
    let board = "2bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap();
    screens.board_shows(board);
    screens.click("Count the pieces on the board (all stand on it)");
    screens.click("Begin the match");
    let sheet: Vec<String> = screens.table().sheet.iter().map(ToString::to_string).collect();
    assert!(sheet.iter().any(|line| line.starts_with("rooks in White's set: 2;")), "{sheet:?}");
    assert!(sheet.iter().any(|line| line.starts_with("rooks in Black's set: 1;")), "{sheet:?}");
}

#[test]
fn hands_are_found_by_their_letters_and_by_their_rule() {
    let mut screens = Screens::open(WINDOW);
    screens.harness.state_mut().shell.page = Page::Learn;
    screens.harness.run();
    screens.fill("Find hands by card letters or rule name", "rrrqq");
    assert!(screens.shows("1 hand"));
    assert!(screens.shows("QQRRR = QQRRP"), "{:?}", screens.labels());
}

#[test]
fn each_game_has_its_rules_in_short() {
    for size in [[800.0, 600.0], WINDOW, [1920.0, 1080.0]] {
        let mut screens = Screens::open(size);
        screens.harness.state_mut().shell.page = Page::Learn;
        screens.harness.run();
        for (game, words) in [
            ("Poker Chess", "each turn also a hand of poker"),
            ("PokerDrez", "every move uses up a card"),
            ("Chess Joker", "chess with a card before each player"),
            ("Choker", "Choker is poker with chess cards"),
        ] {
            screens.click(game);
            assert!(screens.shows(words), "{game}: {:?}", screens.labels());
            assert_eq!(screens.faults(), Vec::<String>::new(), "{game} at {size:?}");
        }
    }
    // The game at the table comes first.
    let mut screens = Screens::open(WINDOW);
    screens.click("PokerDrez");
    screens.click("Begin the match");
    screens.harness.state_mut().shell.page = Page::Learn;
    screens.harness.run();
    assert!(screens.shows("every move uses up a card"), "{:?}", screens.labels());
}

#[test]
fn letters_that_are_typed_into_a_field_press_nothing() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.open_line();
    screens.fill("Type a move or a word", "fcra");
    let table = screens.table();
    assert!(table.outcome.is_none());
    assert_eq!(table.bet.map(|bet| bet.put.white.0), Some(1));
}

#[test]
fn large_words_lose_nothing_that_can_be_pressed() {
    let settings = tabiya_store::settings::Settings {
        text_percent: 200,
        names: vec!["Ann".to_owned(), "Bo".to_owned()],
        ..tabiya_store::settings::Settings::default()
    };
    let mut screens = Screens::with([1024.0, 640.0], &settings);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.scroll_to("Call 1");
    screens.click("Call 1");
    assert_eq!(screens.table().bet.map(|bet| bet.by), Some(Color::Black));
}

#[test]
fn a_running_clock_asks_for_one_frame_a_second_and_a_standing_one_for_none() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.wait(3_000);
    assert_eq!(screens.next_frame(), None, "no clock runs during the betting");
    let mut screens = at_the_placement(Screens::open(WINDOW));
    screens.key(Key::R);
    screens.wait(1_000);
    let wait = screens.next_frame().expect("a clock runs");
    // The harness expects a frame to take a quarter of a second.
    assert!((1..=1_251).contains(&wait.as_millis()), "{wait:?}");
    screens.wait(112_000);
    let wait = screens.next_frame().expect("a clock runs");
    assert!((1..=351).contains(&wait.as_millis()), "tenths are shown in the last seconds: {wait:?}");
}

#[test]
fn whatever_has_the_keyboard_has_a_ring_around_it() {
    let mut screens = Screens::open(WINDOW);
    for _ in 0..6 {
        screens.key(Key::Tab);
        assert!(screens.rings() > 0);
    }
    screens.harness.ctx.memory_mut(|memory| {
        let focused = memory.focused().expect("something has it");
        memory.surrender_focus(focused);
    });
    screens.harness.run();
    assert_eq!(screens.rings(), 0, "nothing has the keyboard");
}

#[test]
fn keys_in_a_field_take_nothing_back() {
    let mut screens = at_a_game_of_chess();
    screens.line("e4");
    screens.open_line();
    screens.fill("Type a move or a word", "d5");
    screens.ctrl(Key::Z);
    assert_eq!(screens.table().moves, ["e4"]);
}

#[test]
fn the_space_bar_presses_the_clock_even_if_a_button_has_the_keyboard() {
    let mut screens = at_the_placement(Screens::open(WINDOW));
    place(&mut screens, Key::R, "h1");
    screens.key(Key::R);
    screens.click("a8");
    screens.focus("Resign …");
    assert_eq!(screens.table().mover(), Some(Color::Black));
    screens.key(Key::Space);
    assert_eq!(screens.table().mover(), Some(Color::White), "the clock was pressed");
    assert!(!screens.shows("Bo resigns"), "the button was not");
}

#[test]
fn a_question_about_one_moment_is_gone_at_the_next() {
    let mut screens = at_a_game_of_chess();
    screens.line("e4");
    screens.key(Key::Escape);
    screens.click("Resign …");
    screens.click("Ann resigns");
    assert!(screens.shows("does Ann (White) resign?"), "{:?}", screens.labels());
    screens.line("e7e5");
    assert!(!screens.shows("does Ann (White) resign?"));
}

#[test]
fn a_clock_at_zero_asks_for_no_more_frames() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.rule("event: only the arbiter sees claims and faults");
    screens.set_time("5 s");
    screens.click("Begin the match");
    screens.key(Key::Space);
    screens.wait(8_000);
    screens.wait(500);
    assert!(screens.table().outcome.is_none(), "at events a flag must be claimed");
    assert!(!screens.shows("flag"), "players must not see it: {:?}", screens.labels());
    assert_eq!(screens.next_frame(), None);
}

#[test]
fn what_is_said_is_seen_during_chess_too() {
    let mut screens = at_a_game_of_chess();
    screens.line("e4");
    screens.line("legal");
    assert!(screens.shows("redo"), "{:?}", screens.labels());
}

#[test]
fn a_refused_ruling_keeps_its_reason_and_is_no_players_business() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.rule("event: only the arbiter sees claims and faults");
    screens.click("Begin the match");
    screens.key(Key::F4);
    screens.fill("Reason, may be left out", "a wrong position");
    screens.click("Position");
    screens.scroll_to("FEN");
    screens.fill("FEN", "8/8/8/8/8/8/8/8 w - - 0 1");
    screens.scroll_to("Set the position");
    screens.click("Set the position");
    assert!(screens.table().fen.is_some_and(|fen| fen.starts_with("rnbqkbnr")));
    let state = screens.harness.state();
    let refused = state.desk.snapshot(state.now).refused;
    assert_eq!(refused.map(|refused| refused.to), Some(tabiya_engine::table::Audience::Arbiter));
    assert_eq!(screens.value("Reason, may be left out"), "a wrong position");
}

#[test]
fn a_result_by_ruling_is_said_twice() {
    let mut screens = at_a_game_of_chess();
    screens.key(Key::F4);
    screens.fill("Reason, may be left out", "Bo has left");
    screens.click("Result");
    screens.scroll_to("Ann wins");
    screens.click("Ann wins");
    assert!(screens.table().outcome.is_none());
    screens.scroll_to("Yes");
    screens.click("Yes");
    assert_eq!(screens.table().outcome.map(|outcome| outcome.reason), Some(Reason::Ruling));
}

#[test]
fn the_amount_of_a_bet_that_is_over_is_not_the_next_ones() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.key(Key::Num3);
    assert!(screens.shows("Raise to 6"));
    screens.key(Key::F);
    screens.key(Key::Y);
    screens.ctrl(Key::N);
    screens.key(Key::D);
    assert!(screens.shows("Raise to 4"), "{:?}", screens.labels());
}

#[test]
fn a_time_is_typed_as_people_say_it_and_told_in_words() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Clock only");
    screens.set_time("90 plus 30");
    assert!(screens.shows("1:30:00 and 30 s for each move"), "{:?}", screens.labels());
    screens.click("Custom …");
    screens.fill("Time for each", "5 apples");
    assert!(screens.shows("“apples” is not understood"), "{:?}", screens.labels());
    screens.fill("Time for each", "600:3x30");
    screens.click("Use this time");
    screens.click("Begin the match");
    screens.key(Key::Q);
    screens.wait(615_000);
    let table = screens.table();
    let standing = table.clock.standing(Color::White, tabiya_types::Instant::from_millis(615_050)).unwrap();
    assert_eq!((standing.overtime, standing.periods), (true, Some(3)));
}

#[test]
fn moves_are_typed_with_the_letters_of_the_language_that_is_shown() {
    let mut screens = Screens::open(WINDOW);
    screens.harness.state_mut().shell.page = Page::Settings;
    screens.harness.run();
    screens.click("Español");
    screens.click("Jugar");
    screens.click("Ajedrez");
    screens.click("Empezar el encuentro");
    screens.key(Key::E);
    let field = screens.labels().into_iter().find(|name| name.starts_with("Escribir jugada")).unwrap();
    screens.fill(&field, "Cf3");
    screens.harness.key_press(Key::Enter);
    screens.harness.run();
    screens.wait(50);
    assert_eq!(screens.table().moves, ["Nf3"]);
}

#[test]
fn the_clock_face_is_left_by_a_click() {
    let mut screens = at_a_game_of_chess();
    screens.key(Key::F8);
    assert!(!screens.shows("Menu"));
    screens.click("Table");
    assert!(screens.shows("Menu"));
}

/// Leaves the match by the menu, which asks if a game is running.
fn leave(screens: &mut Screens) {
    screens.click("Menu");
    screens.click("Leave the match …");
}

#[test]
fn chips_in_a_pot_that_is_left_are_nobodys_loss() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.line("all-in");
    screens.line("yes");
    screens.line("call");
    leave(&mut screens);
    leave(&mut screens);
    screens.harness.state_mut().shell.page = Page::Record;
    screens.harness.run();
    screens.click("This evening");
    let labels = screens.labels();
    assert!(
        labels.iter().any(|label| label == "200 : 200") && !labels.iter().any(|label| label == "−200"),
        "{labels:?}"
    );
    assert!(screens.shows("200 : 200"), "{labels:?}");
}

#[test]
fn a_match_that_was_left_can_be_looked_at_and_written() {
    let mut screens = at_a_game_of_chess();
    screens.line("e4");
    screens.line("e5");
    screens.key(Key::Escape);
    leave(&mut screens);
    screens.line("yes");
    screens.harness.state_mut().shell.page = Page::Record;
    screens.harness.run();
    let name = screens.labels().into_iter().find(|name| name.starts_with("Look at it")).unwrap();
    screens.click(&name);
    assert!(screens.shows("1. e4") && screens.shows("e4 white pawn"), "{:?}", screens.labels());
    screens.click("Export");
    screens.fill("File", "left");
    screens.click("Write PGN");
    let pgn = std::fs::read_to_string(screens.folder.path().join("left.pgn")).unwrap();
    assert!(pgn.contains("1. e4"), "{pgn}");
    screens.click("Write match sheet");
    let sheet = std::fs::read_to_string(screens.folder.path().join("left.txt")).unwrap();
    assert!(sheet.contains("head of the record: "), "{sheet}");
    screens.click("Close this match");
    assert!(screens.shows("Look at it"), "{:?}", screens.labels());
}

#[test]
fn chips_that_were_counted_are_held_against_the_stacks_in_the_drawer() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.line("fold");
    screens.key(Key::F4);
    screens.click("Chips");
    screens.scroll_to("Compare the counted chips with the stacks");
    screens.click("Compare the counted chips with the stacks");
    assert!(screens.shows("the chips are right"), "{:?}", screens.labels());
    screens.key(Key::F4);
    screens.line("count A 190");
    assert!(screens.shows("has 190 instead of 199"), "{:?}", screens.labels());
}

#[test]
fn who_owes_whom_is_told_in_money_too() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Begin the match");
    screens.key(Key::D);
    screens.line("fold");
    screens.line("end enough for tonight");
    screens.line("yes");
    screens.harness.state_mut().shell.page = Page::Record;
    screens.harness.run();
    screens.click("This evening");
    let owes = |screens: &Screens| screens.labels().into_iter().find(|label| label.contains(" owes "));
    let before = owes(&screens).unwrap_or_else(|| panic!("{:?}", screens.labels()));
    assert!(before.ends_with(" owes Bo 1 in chips"), "{before}");
    screens.fill("What a chip is worth", "a lot");
    assert!(screens.shows("write an amount such as 0.10"));
    screens.fill("What a chip is worth", "0.25");
    assert!(!screens.shows("write an amount such as 0.10"));
    assert_eq!(owes(&screens), Some(before + ", 0.25"));
}

#[test]
fn the_board_stays_and_the_last_actions_are_listed_beside_it_for_the_arbiter() {
    let mut screens = at_a_game_of_chess();
    for line in ["e4", "press", "e5"] {
        screens.line(line);
    }
    screens.key(Key::Escape);
    let before = screens.middle_of("e4 white pawn");
    screens.key(Key::F4);
    assert_eq!(screens.middle_of("e4 white pawn"), before, "the drawer does not move the board");
    let (newest, oldest) = ("1… e5", "1. e4");
    assert!(screens.shows(newest) && screens.shows(oldest), "{:?}", screens.labels());
    let first = screens.labels().into_iter().find(|label| label.starts_with(oldest)).unwrap();
    screens.click(&first);
    screens.click("Illegal move");
    screens.click("Take back 2");
    assert_eq!(screens.table().moves.len(), 2, "that is asked first");
    screens.click("Yes");
    assert!(screens.table().moves.is_empty(), "{:?}", screens.labels());
    assert!(screens.shows("Nothing can be taken back now."));
    screens.harness.state_mut().shell.page = Page::Record;
    screens.key(Key::F4);
    screens.key(Key::F4);
    assert!(screens.shows("Stop the clocks"), "the drawer opens beside the board, wherever one was");
}

#[test]
fn a_game_plays_itself_and_leaves_nothing_behind() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Watch a game");
    screens.wait(70_000);
    let table = screens.table();
    assert_eq!(table.outcome.map(|outcome| outcome.reason), Some(Reason::Checkmate));
    assert_eq!(table.moves.last().map(String::as_str), Some("Qxf7#"));
    screens.click("Another match");
    assert!(screens.shows("Watch a game"), "{:?}", screens.labels());
    assert!(!screens.shows("Anna"), "no match is offered, and no name is remembered");
}

#[test]
fn whoever_acts_at_a_game_that_plays_itself_takes_over() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Watch a game");
    screens.wait(3_500);
    screens.key(Key::C);
    screens.wait(60_000);
    let table = screens.table();
    assert_eq!((table.stakes.pot().0, table.moves.len()), (12, 0), "the game waits for people now");
    screens.line("quit");
    assert!(screens.shows("Watch a game"), "nothing is asked: {:?}", screens.labels());
}

#[test]
fn a_simulated_board_is_moved_by_the_mouse_at_the_table_itself() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess");
    screens.click("Begin the match");
    let start = screens.table().physical;
    let simulated = |screens: &mut Screens, board| {
        let view = tabiya_app::snapshot::SimulatedView { board, lit: Squares::default(), lever: true };
        screens.harness.state_mut().desk.simulated(view);
        screens.harness.run();
    };
    simulated(&mut screens, start);
    screens.drag("e2 white pawn", "e4");
    assert!(screens.table().moves.is_empty(), "the table waits for what the board tells");
    let orders = screens.harness.state_mut().desk.take_orders();
    let moved = SimulatedMove::Carry("e2".parse().unwrap(), "e4".parse().unwrap());
    assert!(
        orders.iter().any(|order| matches!(order, DeskOrder::Move(what) if *what == moved)),
        "{orders:?}"
    );
}

/// An arbiter found the drawer's buttons grey without a word, until a reason was typed.
#[test]
fn the_arbiters_drawer_works_without_a_reason_and_says_beside_a_button_why_it_is_off() {
    let mut screens = at_chess(Screens::open(WINDOW));
    playing(&mut screens);
    screens.key(Key::F4);
    screens.click("Clocks");
    assert!(screens.is_written("Write a time first, such as 1:30"), "{:?}", screens.labels());
    let field = screens.labels().into_iter().find(|label| label.starts_with("Bo 1:5")).unwrap();
    screens.fill(&field, "0:45");
    screens.click("Set Bo’s clock");
    let left = screens.table().clock.reading(Color::Black, screens.at()).unwrap();
    assert!((44_000..=45_000).contains(&left.0), "{left}");
    screens.click("Chips");
    assert!(screens.is_written("No chips were changed"), "{:?}", screens.labels());
    screens.click("Position");
    screens.click("Result");
    screens.click("Ann wins");
    screens.click("Yes");
    assert_eq!(screens.table().outcome.map(|outcome| outcome.reason), Some(Reason::Ruling));
    assert!(screens.shows("Set Bo’s clock"), "the record names the act: {:?}", screens.labels());
    screens.key(Key::Escape);
    assert!(!screens.shows("Close  [F4]"), "Escape closes the drawer: {:?}", screens.labels());
}
