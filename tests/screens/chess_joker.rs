//! Chess Joker in the window: its terms, the cards before the players, draws, uses on the board and from the list,
//! declarations, and the form in which a card is written.

use egui::Key;
use tabiya_app::desk::{NewMatch, Wish};
use tabiya_engine::record::card_file::OwnedCard;
use tabiya_engine::rules::chess_joker::{JokerCard, JokerSight};
use tabiya_engine::rules::{Goal, HeapPlace, Score, presets};
use tabiya_text::Language;
use tabiya_types::{BySeat, Seat};
use tabiya_window::Page;

use crate::harness::Screens;
use crate::pages::{looked_at_everywhere, resize, set, turn_to};

const WINDOW: [f32; 2] = [1280.0, 800.0];
const PRINTED: &str = include_str!("../../fixtures/chess-joker/cards/printed.toml");

/// The first screen with the game chosen and the printed cards in a file beside the records.
fn with_a_file(mut screens: Screens) -> Screens {
    std::fs::write(screens.folder.path().join("ours.toml"), PRINTED).unwrap();
    let path = screens.folder.path().join("ours.toml");
    screens.wish(Wish::UseCards(Some(path)));
    screens
}

/// A match that has begun, with a deck of this many cards.
fn begun(deck: u32) -> Screens {
    let mut screens = with_a_file(Screens::open(WINDOW));
    screens.click("Chess Joker");
    screens.click("More rules");
    assert!(screens.shows("(6 cards, 6 with an effect)"), "{:?}", screens.labels());
    screens.scroll_to("Cards in the deck (0: as many as the game has)");
    screens.fill("Cards in the deck (0: as many as the game has)", &deck.to_string());
    screens.key(Key::Enter);
    screens.click("Done");
    screens.click("Begin the match");
    screens
}

fn sight(screens: &Screens) -> JokerSight {
    screens.table().sight.unwrap().of::<JokerSight>().unwrap().clone()
}

fn points(screens: &Screens) -> [u32; 2] {
    let Some(Score { points, wins: Some(Goal::Total(800)) }) = screens.table().score else {
        panic!("no score")
    };
    [points.white, points.black]
}

/// Moves a piece by two clicks, as its square is called.
fn go(screens: &mut Screens, from: &str, to: &str) {
    screens.click(from);
    screens.click(to);
}

fn draw(screens: &mut Screens, code: &str) {
    screens.fill("Code", code);
    screens.click(&format!("Draw {code}"));
}

/// The example of the contract up to Black's second turn: `VY` lies before Black, `QX` before White.
pub(crate) fn example(deck: u32) -> Screens {
    let mut screens = begun(deck);
    go(&mut screens, "e2 white pawn", "e4");
    screens.line("press white");
    go(&mut screens, "b8 black knight", "c6");
    screens.fill("Code", "vy");
    assert!(screens.shows("VY ★ · 25 Elo"), "{:?}", screens.labels());
    screens.click("Draw VY");
    screens.line("press black");
    go(&mut screens, "g1 white knight", "f3");
    screens.fill("Code", "QX");
    assert!(screens.shows("This card is not in your file"), "{:?}", screens.labels());
    screens.click("Draw QX");
    screens.line("press white");
    screens
}

#[test]
fn a_whole_game_is_played_by_clicks() {
    let mut screens = example(3);
    assert!(screens.shows("One card left in the deck."), "{:?}", screens.labels());
    // The card shows what is printed, for the owner's eyes, and where it could be used.
    assert!(screens.shows("Warp your knight to a square directly beside an enemy pawn."));
    assert!(screens.shows("c6 black knight, the card could use it"), "{:?}", screens.labels());
    screens.click("Play the card VY");
    screens.click("c6 black knight");
    screens.click("d2 white pawn");
    screens.click("Play VY: c6–d2");
    assert_eq!(
        (points(&screens), screens.table().moves.last().map(String::as_str)),
        ([0, 25], Some("VY:c6d2"))
    );
    assert!(screens.shows("Bo scored: VY · face-down: 0"), "{:?}", screens.labels());
    screens.click("A card that nobody read");
    screens.line("press black");
    // White's card is not written: he says what it does, and Black confirms it.
    screens.click("Play the card QX: say what it does");
    go(&mut screens, "f3 white knight", "e5");
    screens.fill("Elo", "75");
    screens.key(Key::Enter);
    assert!(screens.shows("f3–e5"), "{:?}", screens.labels());
    screens.click("This is what the card does");
    assert!(screens.shows("e5 white knight, "), "{:?}", screens.labels());
    screens.click("Bo: yes, the card says so");
    // The deck is empty where a card would be drawn.
    assert_eq!(points(&screens), [75, 25]);
    assert!(screens.shows("75 to 25 points"), "{:?}", screens.labels());
    assert!(screens.table().outcome.is_some_and(|outcome| outcome.winner.is_none()));
    let stock = screens.table().heaps.into_iter().find(|heap| heap.place == HeapPlace::Stock);
    assert_eq!(stock.map(|heap| heap.down), Some(0));
    turn_to(&mut screens, Page::Record);
    assert!(screens.shows("75–25"), "{:?}", screens.labels());
    assert!(screens.shows("VY:c6d2"), "{:?}", screens.labels());
    assert!(screens.shows("White Ann   5:00   75 / 800"), "{:?}", screens.labels());
}

#[test]
fn spectators_see_the_points() {
    let mut screens = example(20);
    screens.click("Play the card VY");
    screens.click("c6 black knight");
    screens.click("d2 white pawn");
    screens.click("Play VY: c6–d2");
    turn_to(&mut screens, Page::Learn);
    assert!(!screens.shows("Black: 25 of 800 points"));
    screens.harness.state_mut().shell.public = true;
    screens.harness.run();
    assert!(screens.shows("Black: 25 of 800 points"), "{:?}", screens.labels());
}

#[test]
fn a_use_is_chosen_from_the_list_and_taken_back() {
    let mut screens = example(20);
    screens.click("Play the card VY");
    // First the piece, then its goal.
    assert!(!screens.shows("g8–e2"), "{:?}", screens.labels());
    screens.scroll_to("g8 black knight");
    screens.click_last("g8 black knight");
    screens.scroll_to("g8–e2");
    screens.click("g8–e2");
    assert!(screens.shows("e2 black knight, used by the card"), "{:?}", screens.labels());
    screens.scroll_to("Back");
    screens.click("Back");
    assert!(!screens.shows("e2 black knight"));
    screens.click("Back");
    assert!(screens.shows("Play the card VY"));
    // A click on a square means a move again.
    go(&mut screens, "a7 black pawn", "a6");
    assert_eq!(screens.table().moves.last().map(String::as_str), Some("a6"));
    assert!(sight(&screens).cards.black.is_none());
}

#[test]
fn a_declaration_is_refused_and_a_check_is_claimed() {
    let mut screens = example(20);
    // White's card is not written, so White may say that it gives check.
    screens.click("Ann claims …");
    screens.click("check by the card");
    screens.click("Bo: no");
    assert!(sight(&screens).check.is_none());
    screens.click("Ann claims …");
    screens.click("check by the card");
    screens.click("Bo: yes, the card says so");
    assert!(sight(&screens).check.is_some_and(|check| check.claimed));
    assert!(screens.shows("Check to Bo by the card"), "{:?}", screens.labels());
    assert_eq!(points(&screens), [0, 25]);
}

#[test]
fn a_card_threatens_a_king_and_the_board_shows_how() {
    let mut screens = with_a_file(Screens::open(WINDOW));
    screens.click("Chess Joker");
    screens.click("More rules");
    screens.click("from a FEN");
    screens.fill("FEN", "1n2k3/p6p/8/8/8/8/P4KP1/7R b - -");
    screens.click("Done");
    screens.click("Begin the match");
    go(&mut screens, "a7 black pawn", "a6");
    draw(&mut screens, "VY");
    screens.line("press black");
    // The knight could warp onto the king's square, which is beside White's pawn.
    assert!(screens.shows("Check to Ann by the card"), "{:?}", screens.labels());
    assert!(screens.shows("f2 white king, in check, the card threatens the king"), "{:?}", screens.labels());
    assert!(screens.shows("White: 25 of 800 points"), "{:?}", screens.labels());
    go(&mut screens, "f2 white king", "f3");
    assert!(!screens.shows("Check to Ann"), "{:?}", screens.labels());
}

#[test]
fn a_card_is_written_in_the_form_while_it_is_drawn() {
    let mut screens = begun(20);
    go(&mut screens, "e2 white pawn", "e4");
    screens.line("press white");
    go(&mut screens, "e7 black pawn", "e5");
    screens.fill("Code", "ZA");
    screens.click("Write a card …");
    assert_eq!(screens.value("Code"), "ZA");
    screens.fill("Elo", "50");
    let effect = "What it does, in the words of the card; a star before what is printed bold";
    screens.fill(effect, "warp *knite to empty center");
    assert!(screens.shows("“*” stands right before the name of a piece"), "{:?}", screens.labels());
    screens.fill(effect, "warp *knight to empty");
    screens.click("played by Black");
    assert!(screens.shows("On this board it can begin in"), "{:?}", screens.labels());
    screens.fill(effect, "warp *knight to empty center");
    screens.click("Save the card");
    let text = std::fs::read_to_string(screens.folder.path().join("ours.toml")).unwrap();
    assert!(
        text.starts_with(PRINTED) && text.contains("effect = \"warp *knight to empty center\""),
        "{text}"
    );
    screens.click("Close");
    draw(&mut screens, "ZA");
    let card = sight(&screens).cards.black.unwrap();
    assert_eq!((card.word(), card.elo, card.effect.is_some()), ("ZA".to_owned(), Some(50), true));
}

#[test]
fn a_first_card_begins_a_file_beside_the_records() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess Joker");
    screens.click("More rules");
    screens.scroll_to("Write a card …");
    screens.click("Write a card …");
    screens.fill("Code", "ZF");
    screens.fill("Elo", "25");
    screens.click("Save the card");
    assert!(screens.folder.path().join("cards.toml").is_file());
    assert_eq!(screens.settings().cards, Some(screens.folder.path().join("cards.toml")));
    screens.click("Close");
    screens.click("Done");
    assert!(screens.shows("Begin the match"));
}

#[test]
fn the_terms_and_the_card_file_can_be_read_in_every_window() {
    let mut screens = with_a_file(Screens::open(WINDOW));
    screens.click("Chess Joker");
    screens.click("More rules");
    for language in Language::ALL {
        set(&mut screens, |settings| settings.language = language);
        for size in [[800.0, 600.0], WINDOW, [3840.0, 2160.0]] {
            resize(&mut screens, size);
            // A narrow window has three rows for the terms, and an ellipsis for the rest.
            let faults =
                screens.faults().into_iter().filter(|fault| !fault.starts_with("cut off: Chess Joker"));
            assert_eq!(faults.collect::<Vec<_>>(), Vec::<String>::new(), "{language:?} at {size:?}");
        }
    }
    set(&mut screens, |settings| settings.language = Language::English);
    screens.wish(Wish::UseCards(Some("nobody.toml".into())));
    assert!(screens.shows("(6 cards, 6 with an effect)"), "a file that cannot be read is not used");
}

/// Looks at a page in every window, beginning with words of the usual size.
fn everywhere(screens: &mut Screens, page: Page) {
    set(screens, |settings| settings.text_percent = 100);
    looked_at_everywhere(screens, page);
    set(screens, |settings| settings.text_percent = 100);
    resize(screens, [3840.0, 2160.0]);
    assert_eq!(screens.faults(), Vec::<String>::new());
    resize(screens, WINDOW);
}

/// Enters lines as if they were typed, in any language of the screens.
fn enter(screens: &mut Screens, lines: &[&str]) {
    for line in lines {
        screens.wish(Wish::Typed((*line).to_owned()));
        screens.wait(50);
    }
}

#[test]
fn everything_can_be_read_in_every_window() {
    let mut screens = example(20);
    everywhere(&mut screens, Page::Table);
    screens.click("Play the card VY");
    everywhere(&mut screens, Page::Table);
    enter(&mut screens, &["play c6d2"]);
    everywhere(&mut screens, Page::Table);
    enter(&mut screens, &["card ?", "press black"]);
    everywhere(&mut screens, Page::Table);
    enter(&mut screens, &["play f3e5 elo 75"]);
    everywhere(&mut screens, Page::Table);
    everywhere(&mut screens, Page::Record);
}

#[test]
fn the_form_can_be_read_in_every_window() {
    let mut screens = example(20);
    enter(&mut screens, &["play c6d2"]);
    screens.fill("Code", "ZB");
    screens.click("Write a card …");
    screens.fill(
        "What it does, in the words of the card; a star before what is printed bold",
        "warp *rook to knight",
    );
    everywhere(&mut screens, Page::Table);
}

#[test]
fn what_is_wrong_with_the_card_file_is_said_in_the_users_language_where_a_match_begins() {
    let usual = || {
        let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
        let terms = presets::terms(None, "chess-joker").unwrap();
        Wish::Begin(Box::new(NewMatch::usual("chess-joker", players, Seat::A, terms)))
    };
    for (language, no_list, no_toml) in [
        (Language::English, "the cards must be a list of “[[card]]”", "a file that ends in .toml"),
        (Language::German, "die Karten müssen eine Liste von „[[card]]“ sein", "die auf .toml endet"),
        (Language::Spanish, "las cartas tienen que ser una lista de «[[card]]»", "que termina en .toml"),
    ] {
        let mut screens = with_a_file(Screens::open(WINDOW));
        set(&mut screens, |settings| settings.language = language);
        std::fs::write(screens.folder.path().join("ours.toml"), "card = 1\n").unwrap();
        screens.wish(usual());
        assert!(screens.shows(no_list), "{:?}", screens.labels());
        // A card is typed into no file of another kind.
        let rows = screens.folder.path().join("rows.csv");
        std::fs::write(&rows, "code\nVY\n").unwrap();
        screens.wish(Wish::UseCards(Some(rows)));
        let code = Some("ZA".parse().unwrap());
        let card = JokerCard { code, elo: Some(50), star: None, effect: None };
        screens.wish(Wish::KeepCard(Box::new(OwnedCard { card, featured: None, text: None })));
        assert!(screens.shows(no_toml), "{:?}", screens.labels());
    }
}

#[test]
fn the_line_of_a_preset_names_no_other_time_than_the_chosen_one() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Chess Joker");
    assert!(!screens.shows("2 minutes"), "{:?}", screens.labels());
}
