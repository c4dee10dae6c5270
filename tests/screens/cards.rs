//! Cards with chips at the window: making, choosing, checking and using a deck, and assigning readers to players.

use egui::Key;
use tabiya_cards::deck::{Deck, DeckCard, Face};
use tabiya_cards::{CardError, CardEvent, CardId, Uid};
use tabiya_engine::rules::Phase;
use tabiya_store::decks::Decks;
use tabiya_store::settings::Settings;
use tabiya_types::{Card, Color, Pack};
use tabiya_window::Page;
use tempfile::TempDir;

use crate::harness::Screens;
use crate::stories::at_the_placement;

const WINDOW: [f32; 2] = [1280.0, 800.0];

/// The faces of a deck in order: chips 0 to 3 are queens, 4 to 11 rooks, 28 to 43 pawns.
fn faces() -> impl Iterator<Item = (u8, Card, u8)> {
    let faces = Card::ALL.into_iter().flat_map(|card| (1..=card.in_deck()).map(move |copy| (card, copy)));
    (0..).zip(faces).map(|(chip, (card, copy))| (chip, card, copy))
}

/// A folder with these settings and with a deck. Tabiya has written nothing on the deck's cards and knows only their
/// numbers.
pub(crate) fn folder_with_a_deck(settings: &Settings) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    settings.save(&folder.path().join("settings.json")).unwrap();
    let card = |(chip, card, copy)| DeckCard {
        uid: Uid::new(&[4, 0, 0, chip]).unwrap(),
        id: None,
        face: Face::new(Pack::Choker, card, copy).unwrap(),
    };
    let deck =
        Deck::new(Pack::Choker, CardId([1; 16]), "Blue cards", "2026-10-03", faces().map(card).collect())
            .unwrap();
    Decks::beside_records(folder.path()).add(&deck).unwrap();
    folder
}

pub(crate) fn with_a_deck(size: [f32; 2], settings: &Settings) -> Screens {
    Screens::over(size, folder_with_a_deck(settings))
}

fn ann_and_bo() -> Settings {
    Settings { names: vec!["Ann".to_owned(), "Bo".to_owned()], ..Settings::default() }
}

fn page(screens: &mut Screens, page: Page) {
    screens.harness.state_mut().shell.page = page;
    screens.harness.run();
}

#[test]
fn a_deck_is_chosen_on_the_first_screen_and_its_cards_are_turned_over_by_a_tap() {
    let mut screens = with_a_deck(WINDOW, &ann_and_bo());
    screens.scroll_to("Blue cards");
    screens.click("Blue cards");
    let mut screens = at_the_placement(screens);
    screens.plug_in("reader");
    assert!(screens.shows("cards are read from now on"));
    screens.tap("reader", 30);
    let table = screens.table();
    assert_eq!(table.cards[Color::White].first().map(|shown| shown.card), Some(Card::Pawn));
    screens.click("a2");
    screens.key(Key::Space);
    screens.tap("reader", 30);
    assert!(screens.shows("was turned over before"), "{:?}", screens.labels());
    screens.tap("reader", 31);
    assert_eq!(screens.table().cards[Color::Black].first().map(|shown| shown.card), Some(Card::Pawn));
    // After a restart this deck is still the chosen one. The program offers to carry on the match, which uses this
    // deck.
    let mut again = Screens::over(WINDOW, screens.close());
    assert_eq!(again.settings().deck.as_deref(), Some("Blue cards"));
    let offer = again.labels().into_iter().find(|name| name.starts_with("Ann – Bo")).expect("offered");
    again.click(&offer);
    page(&mut again, Page::Devices);
    assert!(again.shows("Looking for card readers"), "{:?}", again.labels());
}

#[test]
fn a_deck_that_is_gone_is_told_and_another_choice_begins() {
    let mut screens = with_a_deck(WINDOW, &Settings { deck: Some("Red cards".to_owned()), ..ann_and_bo() });
    screens.click("Begin the match");
    assert!(screens.shows("no deck is called “Red cards”"));
    screens.click("none");
    screens.click("Begin the match");
    assert_eq!(screens.table().phase, Phase::Deal);
    assert_eq!(screens.settings().deck, None);
}

#[test]
fn games_without_cards_ask_for_no_deck() {
    let mut screens = with_a_deck(WINDOW, &ann_and_bo());
    assert!(screens.shows("Blue cards"));
    screens.click("Chess");
    assert!(!screens.shows("Blue cards"));
}

#[test]
fn a_whole_deck_is_made_by_clicks_and_keys_with_undo_and_checked() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Decks");
    assert!(screens.shows("There is no deck yet"));
    screens.fill("Name of the new deck", "Club");
    screens.click("Begin the new deck");
    assert!(screens.shows("Looking for card readers"));
    screens.plug_in("reader");
    for (chip, card, copy) in faces() {
        assert!(screens.shows("Lay down the next card"), "{:?}", screens.labels());
        screens.tap("reader", chip);
        assert!(screens.shows("Which card is it?"));
        if chip == 9 {
            // A wrong face is entered and taken back.
            screens.key(Key::N);
            assert!(screens.shows("Last card: knight") && screens.shows("10 of 44"));
            screens.click("Take the last card back");
            assert!(screens.shows("Last card: rook") && screens.shows("9 of 44"));
            screens.tap("reader", chip);
        }
        match (card, copy) {
            (Card::Queen, _) => screens.click("queen"),
            (Card::Rook, _) => screens.key(Key::R),
            (Card::Bishop, _) => screens.key(Key::B),
            (Card::Knight, _) => screens.key(Key::N),
            (Card::Pawn, 1) => screens.click("pawn"),
            (Card::Pawn, _) => screens.key(Key::P),
        }
        if chip == 3 {
            // A fifth queen is refused.
            screens.tap("reader", 50);
            screens.key(Key::Q);
            assert!(screens.shows("the deck has all its 4 cards of this face"), "{:?}", screens.labels());
            screens.ctrl(Key::Z);
        }
    }
    assert!(screens.shows("The deck is saved. Lay all cards down once more"), "{:?}", screens.labels());
    for (chip, ..) in faces() {
        screens.tap("reader", chip);
    }
    assert!(screens.shows("44 of 44") && screens.shows("All 44 cards are there"));
    screens.click("Finish");
    assert!(screens.shows("The deck is complete"));
    screens.click("Close");
    assert!(screens.shows("44 cards with written chips, made 2026-10-03"));
    // The new deck can be chosen for a match.
    screens.click("Play");
    assert!(screens.shows("Club"));
    assert!(Decks::beside_records(screens.folder.path()).find("Club").is_ok());
}

#[test]
fn leaving_a_deck_that_is_half_made_is_asked_and_it_is_gone_on_with() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Decks");
    screens.fill("Name of the new deck", "Club");
    screens
        .click("Only note the chips’ own numbers: any chip will do, but a copied card is harder to notice");
    screens.click("Begin the new deck");
    screens.plug_in("reader");
    screens.tap("reader", 1);
    screens.key(Key::Q);
    screens.click("Leave this");
    assert!(screens.shows("You can go on with it later. Leave it now?"));
    screens.click("No");
    assert!(screens.shows("1 of 44"));
    screens.click("Leave this");
    screens.click("Yes");
    assert!(screens.shows("There is no deck yet") && screens.shows("Club: not finished, 1 of 44 cards"));
    screens.click("Go on with Club");
    assert!(screens.shows("1 of 44"));
}

#[test]
fn a_missing_card_is_replaced_from_the_list_of_what_is_missing() {
    let mut screens = with_a_deck(WINDOW, &ann_and_bo());
    screens.click("Decks");
    screens.click("Blue cards");
    screens.click("Check the deck");
    screens.plug_in("reader");
    for (chip, ..) in faces().filter(|(chip, ..)| *chip != 2) {
        screens.tap("reader", chip);
    }
    screens.tap("reader", 77);
    assert!(screens.shows("this is not a card of this deck"));
    screens.click("Finish");
    assert!(screens.shows("One card does not belong to the deck"), "{:?}", screens.labels());
    screens.click("Replace queen 3");
    screens.plug_in("reader");
    assert!(screens.shows("Lay down the new card"));
    screens.tap("reader", 77);
    assert!(screens.shows("the new card belongs to the deck now"));
    // The bent rook is found by elimination: it is the only rook that is not laid down.
    screens.click("Replace a rook");
    screens.plug_in("reader");
    for chip in 4..11 {
        assert!(screens.shows("Lay down the other cards with this face (rook)"));
        screens.tap("reader", chip);
    }
    assert!(screens.shows("Lay down the new card"));
    screens.click("Leave this");
    assert!(!screens.shows("Lay down the new card"));
}

#[test]
fn a_deck_is_taken_along_and_removed_when_it_is_asked_for_twice() {
    let mut screens = with_a_deck(WINDOW, &ann_and_bo());
    screens.click("Decks");
    screens.click("Blue cards");
    screens.fill("New file for the export", "blue");
    screens.click("Export");
    assert!(screens.shows("shows every card's face, so keep it secret"));
    assert!(screens.folder.path().join("blue.json").exists());
    screens.click("Remove …");
    screens.click("No");
    assert!(screens.shows("44 cards, no chip written"));
    screens.click("Remove …");
    screens.click("Yes");
    assert!(screens.shows("There is no deck yet"));
    screens.fill("Deck file to import", "blue.json");
    screens.click("Import");
    assert!(screens.shows("44 cards, no chip written"));
}

#[test]
fn readers_are_given_to_players_by_hand_and_forgotten() {
    let mut screens = with_a_deck(WINDOW, &Settings { deck: Some("Blue cards".to_owned()), ..ann_and_bo() });
    screens.click("Begin the match");
    page(&mut screens, Page::Devices);
    screens.plug_in("reader 00");
    assert!(screens.shows("Shared: both players lay their cards on this reader."));
    screens.plug_in("reader 01");
    screens.scroll_to("Ann’s: reader 01");
    screens.click("Ann’s: reader 01");
    assert!(
        screens.shows("This reader belongs to Ann") && screens.shows("This reader belongs to Bo"),
        "{:?}",
        screens.labels()
    );
    screens.click("Nobody’s: reader 00");
    assert!(!screens.shows("This reader belongs to Bo") && screens.shows("Nobody’s reader yet: it will"));
    screens.click("none");
    assert!(!screens.shows("reader 00"), "without a deck no reader is watched");
}

#[test]
fn dealing_over_a_reader_is_switched_on_at_the_table_and_shows_no_hand() {
    let mut screens = with_a_deck(WINDOW, &Settings { deck: Some("Blue cards".to_owned()), ..ann_and_bo() });
    screens.click("Begin the match");
    page(&mut screens, Page::Devices);
    screens.plug_in("spot");
    screens.click("Cards are also read while they are dealt: the record contains the sealed hands");
    page(&mut screens, Page::Table);
    for chip in 0..4 {
        assert_eq!(screens.table().phase, Phase::Deal);
        screens.tap("spot", chip);
    }
    assert_eq!(screens.table().phase, Phase::Bet);
    assert!(!screens.shows("queen"), "{:?}", screens.labels());
    // When the match is over, each player may agree that all cards are shown.
    screens.line("fold");
    assert!(!screens.shows("all cards may be shown"));
    screens.line("end late");
    screens.line("yes");
    screens.click("Ann agrees: all cards may be shown");
    // The button alone is not enough: each player lays down one of his own cards.
    assert!(screens.shows("Ann agrees: all cards may be shown"));
    screens.tap("spot", 1);
    assert!(screens.shows("Ann agrees: all cards may be shown"), "the card is Bo's");
    screens.tap("spot", 0);
    assert!(!screens.shows("Ann agrees: all cards may be shown"));
    screens.click("Bo agrees: all cards may be shown");
    screens.tap("spot", 3);
    assert!(
        screens.shows("Both players agree: an export of the match shows all cards"),
        "{:?}",
        screens.labels()
    );
}

#[test]
fn what_keeps_cards_from_being_read_stands_on_the_devices_page() {
    let mut screens = Screens::open(WINDOW);
    screens.click("Devices");
    screens.scroll_to("Look for card readers");
    screens.click("Look for card readers");
    screens.cards(&CardEvent::Problem(CardError::NoService));
    assert!(screens.shows("card service is not running"));
    screens.cards(&CardEvent::ProblemOver(None));
    screens.cards(&CardEvent::Ready);
    assert!(screens.shows("No card reader is plugged in"));
    screens.plug_in("reader 00");
    assert!(!screens.shows("No card reader is plugged in") && screens.shows("reader 00"));
    screens.click("Look for card readers");
    assert!(!screens.shows("reader 00"));
}

#[test]
fn the_cards_of_a_deck_are_written_for_the_printer() {
    let mut screens = with_a_deck(WINDOW, &ann_and_bo());
    screens.click("Decks");
    screens.click("PokerDrez, 56 cards");
    screens.click("Print PokerDrez, 56 cards on A4");
    let file = screens.folder.path().join("cards-pokerdrez-a4.pdf");
    let sheets = std::fs::read(&file).unwrap();
    assert!(sheets.starts_with(b"%PDF"));
    // Seven sheets of nine cards, each with its backs.
    let pages = sheets.windows(11).filter(|at| *at == b"/Type /Page").count();
    assert_eq!(pages - 1, 14, "the tree of the pages counts once");
    assert!(screens.shows("cards-pokerdrez-a4.pdf"), "{:?}", screens.labels());
    screens.click("Choker, 44 cards");
    screens.click("Print Choker, 44 cards on Letter");
    assert!(screens.folder.path().join("cards-choker-letter.pdf").exists());
}
