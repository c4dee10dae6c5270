//! Tests of card readers and decks at a desk, in simulated time.

use std::path::Path;

use tabiya_cards::deck::{Deck, DeckCard, Face};
use tabiya_cards::{CardError, CardEvent, CardId, CardTap, TagContent, Uid};
use tabiya_engine::rules::{Group, Phase};
use tabiya_types::{Card, CardFace, Pack, Seat};

use super::*;
use crate::snapshot::TableView;
use crate::view::{CardsView, DeckAudit, Owner, WorkStep};
use tabiya_store::decks::Decks;

/// The inputs of the betting. After these inputs, the first card is turned over.
const BETTING: [&str; 9] = ["deal", "raise 6", "call", "deal", "check", "check", "deal", "check", "check"];

fn choker(deck: Option<&str>) -> Wish {
    let stacks = Group::new().with("A", 200_u32).with("B", 200_u32);
    let terms = Group::new().with("stacks", stacks).with("small_blind", 1_u32);
    let players = BySeat { a: "Ann".to_owned(), b: "Bo".to_owned() };
    let usual = NewMatch::usual("choker", players, Seat::A, terms);
    Wish::Begin(Box::new(NewMatch { deck: deck.map(str::to_owned), ..usual }))
}

fn uid(chip: u8) -> Uid {
    Uid::new(&[4, 0, 0, chip]).expect("four bytes")
}

/// The faces of the test deck's 44 cards. The index is the number of the card's chip: 0 to 3 are queens, 4 to 11
/// rooks, and so on.
fn faces() -> Vec<CardFace> {
    Pack::Choker.cards().collect()
}

/// Saves a complete deck next to the records in that folder. Nothing is written on the deck's cards; the deck knows
/// only the numbers of their chips.
fn keep_deck(folder: &tempfile::TempDir, name: &str) -> Decks {
    let faces = Card::ALL.into_iter().flat_map(|card| (1..=card.in_deck()).map(move |copy| (card, copy)));
    let card = |(chip, (card, copy)): (u8, (Card, u8))| DeckCard {
        uid: uid(chip),
        id: None,
        face: Face::new(Pack::Choker, card, copy).expect("a face"),
    };
    let cards = (0..).zip(faces).map(card).collect();
    let decks = Decks::beside_records(&folder.path().join("evenings"));
    decks
        .add(&Deck::new(Pack::Choker, CardId([1; 16]), name, "2026-10-03", cards).expect("a deck"))
        .expect("kept");
    decks
}

fn came(desk: &mut Desk, readers: &[&str]) {
    for reader in readers {
        desk.cards(&CardEvent::Connected((*reader).into()), at(0));
    }
    desk.cards(&CardEvent::Ready, at(0));
}

fn tap_as(desk: &mut Desk, reader: &str, chip: u8, content: TagContent, now: u64) {
    desk.cards(&CardEvent::Tapped(CardTap { reader: reader.into(), uid: uid(chip), content }), at(now));
}

fn tap(desk: &mut Desk, reader: &str, chip: u8, now: u64) {
    tap_as(desk, reader, chip, TagContent::Empty, now);
}

fn wish(desk: &mut Desk, wish: CardWish) {
    desk.wish(Wish::Cards(wish), at(0));
}

fn cards(desk: &Desk) -> Arc<CardsView> {
    desk.snapshot(at(0)).cards
}

fn step(desk: &Desk) -> Option<WorkStep> {
    cards(desk).work.as_ref().map(|work| work.step.clone())
}

fn told(desk: &Desk) -> Option<String> {
    cards(desk).work.as_ref().and_then(|work| work.problem.as_ref().map(ToString::to_string))
}

fn noticed(desk: &Desk) -> String {
    desk.snapshot(at(0)).notices.last().map(|notice| notice.text.to_string()).unwrap_or_default()
}

/// The last order about the readers' thread: start (`true`), stop (`false`), or no order (`None`).
fn readers_order(desk: &mut Desk) -> Option<bool> {
    desk.take_orders().into_iter().rev().find_map(|order| match order {
        DeskOrder::Readers(on) => Some(on),
        _ => None,
    })
}

fn to_the_placement(desk: &mut Desk) {
    for line in BETTING {
        typed(desk, 0, line);
    }
}

fn shown(desk: &Desk) -> Vec<(Card, Color)> {
    let view = desk.snapshot(at(0)).table.expect("a match is played");
    let of = |color: Color| view.cards[color].iter().map(move |shown| (shown.card, color));
    Color::ALL.into_iter().flat_map(of).collect()
}

// ---- at the table ----

#[test]
fn a_card_that_is_tapped_in_the_window_is_turned_over_and_recorded_at_its_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    keep_deck(&folder, "Club");
    let mut desk = desk(&folder);
    assert_eq!(readers_order(&mut desk), None);
    desk.wish(choker(Some("Club")), at(0));
    assert_eq!(readers_order(&mut desk), Some(true));
    assert_eq!(cards(&desk).in_play.as_deref(), Some("Club"));
    came(&mut desk, &["reader"]);
    to_the_placement(&mut desk);
    tap(&mut desk, "reader", 2, 7_300);
    assert_eq!(shown(&desk), [(Card::Queen, Color::White)]);
    let moment = desk.snapshot(at(8_000)).moments.last().map(|moment| moment.at);
    assert_eq!(moment, Some(at(7_300)));
    desk.wish(Wish::Leave, at(9_000));
    desk.wish(Wish::Yes, at(9_000));
    assert_eq!(readers_order(&mut desk), Some(false));
    assert_eq!(desk.snapshot(at(9_000)).settings.deck.as_deref(), Some("Club"), "it is chosen again");
    assert!(cards(&desk).readers.is_empty());
}

#[test]
fn a_deck_that_is_not_there_or_damaged_is_one_sentence_and_nothing_is_begun() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    desk.wish(choker(Some("Club")), at(0));
    assert!(desk.snapshot(at(0)).table.is_none());
    assert!(noticed(&desk).starts_with("no deck is called `Club`"), "{}", noticed(&desk));
    let decks = folder.path().join("evenings/decks");
    std::fs::create_dir_all(&decks).expect("a folder");
    std::fs::write(decks.join("00.json"), "{}").expect("written");
    desk.wish(choker(Some("Club")), at(0));
    assert!(desk.snapshot(at(0)).table.is_none());
    assert!(noticed(&desk).contains("this is not a deck file"), "{}", noticed(&desk));
    assert!(!folder.path().join("evenings/2026-10-03.tabiya").exists());
    assert_eq!(readers_order(&mut desk), None);
}

#[test]
fn a_game_without_cards_takes_no_deck() {
    let folder = tempfile::tempdir().expect("a folder");
    keep_deck(&folder, "Club");
    let mut desk = desk(&folder);
    let Wish::Begin(mut new) = chess("300") else { panic!("a match") };
    new.deck = Some("Club".to_owned());
    desk.wish(Wish::Begin(new), at(0));
    assert!(desk.snapshot(at(0)).table.is_none());
    assert!(noticed(&desk).contains("chess is played without cards"), "{}", noticed(&desk));
    desk.wish(chess("300"), at(0));
    wish(&mut desk, CardWish::Play(Some("Club".to_owned())));
    assert_eq!((cards(&desk).in_play.clone(), readers_order(&mut desk)), (None, None));
}

#[test]
fn a_match_that_is_carried_on_takes_a_deck_then_or_later() {
    let folder = tempfile::tempdir().expect("a folder");
    keep_deck(&folder, "Club");
    let mut first = desk(&folder);
    first.wish(choker(None), at(0));
    to_the_placement(&mut first);
    first.end(at(1_000));
    let mut second = desk(&folder);
    let left = second.snapshot(at(0)).evening.unfinished.first().cloned().expect("offered");
    let carry_on = |deck: &str| Wish::CarryOn {
        path: left.path.clone(),
        id: left.id,
        deck: Some(deck.to_owned()),
        pgn: None,
    };
    second.wish(carry_on("Pub"), at(0));
    assert!(second.snapshot(at(0)).table.is_none() && noticed(&second).contains("`Pub`"));
    second.wish(carry_on("Club"), at(0));
    came(&mut second, &["reader"]);
    tap(&mut second, "reader", 5, 100);
    assert_eq!(shown(&second), [(Card::Rook, Color::White)]);
    assert_eq!(second.snapshot(at(100)).settings.deck.as_deref(), Some("Club"));
    wish(&mut second, CardWish::Play(None));
    assert_eq!(readers_order(&mut second), Some(false));
    assert_eq!(cards(&second).in_play, None);
    wish(&mut second, CardWish::Play(Some("Club".to_owned())));
    assert_eq!(readers_order(&mut second), Some(true));
}

#[test]
fn readers_that_were_there_before_the_table_are_known_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    keep_deck(&folder, "Club");
    let mut desk = desk(&folder);
    wish(&mut desk, CardWish::Listen(true));
    assert_eq!(readers_order(&mut desk), Some(true));
    came(&mut desk, &["left", "right"]);
    assert!(cards(&desk).readers.iter().all(|reader| reader.owner.is_none()));
    desk.wish(choker(Some("Club")), at(0));
    assert_eq!(readers_order(&mut desk), None, "they go on");
    let owners = |desk: &Desk| -> Vec<Option<Owner>> {
        cards(desk).readers.iter().map(|reader| reader.owner).collect()
    };
    assert_eq!(owners(&desk), [Some(Owner::Nobody); 2]);
    wish(&mut desk, CardWish::Give("right".to_owned(), Some(Seat::A)));
    assert_eq!(owners(&desk), [Some(Owner::Seat(Seat::B)), Some(Owner::Seat(Seat::A))]);
    to_the_placement(&mut desk);
    tap(&mut desk, "left", 0, 100);
    assert!(shown(&desk).is_empty(), "it is White's turn, who is Ann");
    tap(&mut desk, "right", 0, 200);
    assert_eq!(shown(&desk), [(Card::Queen, Color::White)]);
    desk.cards(&CardEvent::Disconnected("left".into()), at(300));
    assert_eq!(owners(&desk), [Some(Owner::Both)]);
    wish(&mut desk, CardWish::Listen(false));
    assert_eq!(readers_order(&mut desk), None, "the table needs them");
}

#[test]
fn what_keeps_cards_from_being_read_is_told_until_it_is_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    wish(&mut desk, CardWish::Listen(true));
    assert!(cards(&desk).listening && !cards(&desk).ready);
    for error in [CardError::NoService, CardError::Refused] {
        let sentence = error.to_string();
        desk.cards(&CardEvent::Problem(error), at(0));
        assert_eq!(cards(&desk).trouble, Some(sentence));
    }
    desk.cards(&CardEvent::ProblemOver(None), at(0));
    came(&mut desk, &["slow"]);
    let silent = CardError::NotAnswering { reader: "slow".into() };
    desk.cards(&CardEvent::Problem(silent.clone()), at(0));
    let reader = || cards(&desk).readers.first().and_then(|reader| reader.trouble.clone());
    assert_eq!((cards(&desk).trouble.clone(), reader()), (None, Some(silent.to_string())));
    desk.cards(&CardEvent::ProblemOver(Some("slow".into())), at(0));
    assert_eq!(cards(&desk).readers.first().and_then(|reader| reader.trouble.clone()), None);
}

#[test]
fn a_card_that_stays_hidden_changes_nothing_that_a_screen_is_given() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [queen, pawn] = [(0, &folders[0]), (43, &folders[1])].map(|(chip, folder)| {
        keep_deck(folder, "Club");
        let mut desk = desk(folder);
        desk.wish(choker(Some("Club")), at(0));
        came(&mut desk, &["reader"]);
        typed(&mut desk, 0, "deal");
        tap(&mut desk, "reader", chip, 500);
        let snapshot = desk.snapshot(at(600));
        assert!(snapshot.announcements.iter().any(|said| said.text.id() == "card-not-now"));
        // The paths of the records and the salts of their hashes are not compared: they differ from match to match.
        let table = snapshot.table.expect("a match is played");
        format!(
            "{:?} {:?} {:?}",
            snapshot.announcements,
            snapshot.cards,
            TableView { head: None, ..(*table).clone() }
        )
    });
    assert_eq!(queen, pawn);
}

#[test]
fn cards_that_are_dealt_over_a_reader_are_recorded_and_no_screen_is_given_them() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let [queens, pawns] =
        [([0, 1, 2, 3], &folders[0]), ([40, 41, 42, 43], &folders[1])].map(|(chips, folder)| {
            keep_deck(folder, "Club");
            let mut desk = desk(folder);
            wish(&mut desk, CardWish::ReadDeals);
            assert!(noticed(&desk).contains("choose a deck first"), "{}", noticed(&desk));
            desk.wish(choker(Some("Club")), at(0));
            wish(&mut desk, CardWish::ReadDeals);
            assert!(cards(&desk).deals);
            came(&mut desk, &["spot"]);
            let mut shown = Vec::new();
            for (chip, now) in chips.into_iter().zip([100, 200, 300, 400]) {
                tap(&mut desk, "spot", chip, now);
                // A second request does not discard the cards that were already read.
                wish(&mut desk, CardWish::ReadDeals);
                let snapshot = desk.snapshot(at(now));
                let table = snapshot.table.expect("a match is played");
                let table = TableView { head: None, ..(*table).clone() };
                shown.push(format!(
                    "{:?} {:?} {:?} {table:?}",
                    snapshot.announcements, snapshot.cards, snapshot.moments
                ));
            }
            assert_eq!(
                desk.snapshot(at(400)).table.map(|table| table.phase),
                Some(Phase::Bet),
                "the street is dealt"
            );
            shown
        });
    assert_eq!(queens, pawns);
}

// ---- decks ----

/// Lays a blank card on the reader, and lets the desk write it. Returns the written content.
fn write(desk: &mut Desk, chip: u8) -> TagContent {
    tap(desk, "reader", chip, 0);
    assert_eq!(step(desk), Some(WorkStep::Write));
    let order = desk.take_orders().into_iter().find_map(|order| match order {
        DeskOrder::WriteCard(reader, uid, record) => Some((reader, uid, record)),
        _ => None,
    });
    let (reader, uid, record) = order.expect("it is to be written");
    let content = TagContent::Ours(record);
    desk.cards(&CardEvent::Written(CardTap { reader, uid, content }), at(0));
    content
}

#[test]
fn a_deck_of_44_is_written_with_undo_kept_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    wish(
        &mut desk,
        CardWish::Enrol { pack: Pack::Choker, name: " Club ".to_owned(), adopt: false, asked: false },
    );
    assert_eq!(readers_order(&mut desk), Some(true));
    came(&mut desk, &["reader"]);
    let mut written = Vec::new();
    for (chip, face) in (0..).zip(faces()) {
        assert_eq!(step(&desk), Some(WorkStep::Tap(None)));
        if chip == 6 {
            // The card gets a wrong face by mistake. This step is undone, and the card is laid down again.
            write(&mut desk, chip);
            wish(&mut desk, CardWish::Face(Card::Pawn.into()));
            assert_eq!(
                cards(&desk).work.as_ref().map(|work| (work.progress, work.last)),
                Some(((7, 44), Some(Card::Pawn.into())))
            );
            wish(&mut desk, CardWish::Undo);
        }
        let content = write(&mut desk, chip);
        assert_eq!(step(&desk), Some(WorkStep::Face));
        wish(&mut desk, CardWish::Face(face));
        written.push(content);
        if chip == 0 {
            tap_as(&mut desk, "reader", 0, content, 0);
            assert_eq!(
                told(&desk).as_deref(),
                Some("this card is in the deck already; lay down another card")
            );
        }
    }
    // The deck is saved before it is checked.
    assert_eq!(step(&desk), Some(WorkStep::Check));
    let decks = Decks::beside_records(&folder.path().join("evenings"));
    let club = decks.find("Club").expect("kept");
    assert_eq!((club.adopted(), club.made()), (0, "2026-10-03"));
    // A card that is lifted too soon, and is then read at the second attempt, does not count as wrong.
    tap_as(&mut desk, "reader", 20, TagContent::Closed, 0);
    assert!(told(&desk).is_some_and(|told| told.contains("cannot be read")));
    for (chip, content) in (0..44).zip(&written).rev() {
        tap_as(&mut desk, "reader", chip, *content, 0);
        assert_eq!(told(&desk), None);
    }
    wish(&mut desk, CardWish::Finish);
    let whole = DeckAudit { missing: Vec::new(), wrong: 0 };
    assert_eq!(step(&desk), Some(WorkStep::Over(whole)));
    assert_eq!(readers_order(&mut desk), Some(false));
    // A card of one deck is not overwritten for another deck.
    wish(
        &mut desk,
        CardWish::Enrol { pack: Pack::Choker, name: "Pub".to_owned(), adopt: false, asked: false },
    );
    came(&mut desk, &["reader"]);
    tap_as(&mut desk, "reader", 3, written[3], 0);
    assert!(told(&desk).is_some_and(|told| told.contains("belongs to the deck Club")), "{:?}", told(&desk));
    wish(&mut desk, CardWish::Stop);
    assert_eq!(cards(&desk).decks.len(), 1, "a deck that is left is not kept");
}

#[test]
fn a_deck_that_was_left_goes_on_where_it_stood() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut first = desk(&folder);
    let enrol = || CardWish::Enrol { pack: Pack::Choker, name: "Home".to_owned(), adopt: true, asked: false };
    wish(&mut first, enrol());
    for (chip, face) in (0..3).zip(faces()) {
        tap(&mut first, "reader", chip, 0);
        wish(&mut first, CardWish::Face(face));
    }
    wish(&mut first, CardWish::Undo);
    // Simulates that the computer is switched off.
    drop(first);
    let mut again = desk(&folder);
    wish(&mut again, CardWish::Look);
    assert_eq!(cards(&again).drafts, [("Home".to_owned(), (2, 44))]);
    wish(
        &mut again,
        CardWish::Enrol { pack: Pack::Choker, name: "Home".to_owned(), adopt: false, asked: false },
    );
    let work = cards(&again).work.clone().expect("it is made");
    assert_eq!((work.progress, work.last), ((2, 44), Some(Card::Queen.into())));
    for (chip, face) in (0..44).zip(faces()).skip(2) {
        tap(&mut again, "reader", chip, 0);
        wish(&mut again, CardWish::Face(face));
    }
    assert_eq!(step(&again), Some(WorkStep::Check));
    assert!(cards(&again).drafts.is_empty(), "the whole deck has taken its place");
    assert_eq!(
        Decks::beside_records(&folder.path().join("evenings")).find("Home").expect("kept").adopted(),
        44
    );
}

#[test]
fn faces_are_asked_for_in_a_random_order_and_cards_adopted() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    wish(
        &mut desk,
        CardWish::Enrol { pack: Pack::Choker, name: "Tickets".to_owned(), adopt: true, asked: true },
    );
    let mut asked = Vec::new();
    for chip in 0..44 {
        let Some(WorkStep::Tap(Some(card))) = step(&desk) else { panic!("{:?}", step(&desk)) };
        asked.push(card);
        tap(&mut desk, "reader", chip, 0);
    }
    assert_eq!(step(&desk), Some(WorkStep::Check));
    assert_ne!(asked, faces());
    assert!(cards(&desk).decks.iter().any(|deck| deck.name == "Tickets" && deck.adopted == 44));
}

#[test]
fn a_name_that_cannot_be_or_is_taken_is_told_before_a_card_is_laid_down() {
    let folder = tempfile::tempdir().expect("a folder");
    keep_deck(&folder, "Club");
    let mut desk = desk(&folder);
    for (name, wanted) in [("", "1 to 60 characters"), ("Club", "a deck is called `Club` already")] {
        wish(
            &mut desk,
            CardWish::Enrol { pack: Pack::Choker, name: name.to_owned(), adopt: true, asked: false },
        );
        assert!(noticed(&desk).contains(wanted), "{}", noticed(&desk));
        assert_eq!((step(&desk), readers_order(&mut desk)), (None, None));
    }
}

#[test]
fn a_deck_that_could_not_be_kept_is_not_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut desk = desk(&folder);
    let in_the_way = folder.path().join("evenings/decks");
    std::fs::create_dir_all(folder.path().join("evenings")).expect("a folder");
    std::fs::write(&in_the_way, "no folder").expect("written");
    wish(
        &mut desk,
        CardWish::Enrol { pack: Pack::Choker, name: "Club".to_owned(), adopt: true, asked: true },
    );
    (0..44).for_each(|chip| tap(&mut desk, "reader", chip, 0));
    assert_eq!(step(&desk), Some(WorkStep::Keep));
    assert!(told(&desk).is_some_and(|told| told.contains("cannot be written")), "{:?}", told(&desk));
    std::fs::remove_file(&in_the_way).expect("removed");
    wish(&mut desk, CardWish::Keep);
    assert_eq!((step(&desk), told(&desk)), (Some(WorkStep::Check), None));
    assert_eq!(cards(&desk).decks.len(), 1);
}

#[test]
fn an_audit_tells_what_is_missing_and_surplus_and_a_card_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let decks = keep_deck(&folder, "Club");
    let mut desk = desk(&folder);
    wish(&mut desk, CardWish::Audit("Club".to_owned()));
    came(&mut desk, &["reader"]);
    for chip in (0..44).rev().filter(|chip| *chip != 5) {
        tap(&mut desk, "reader", chip, 0);
    }
    tap(&mut desk, "reader", 7, 0);
    assert_eq!(told(&desk).as_deref(), Some("this card was laid down before"));
    tap(&mut desk, "reader", 90, 0);
    tap(&mut desk, "reader", 90, 0);
    assert!(told(&desk).is_some_and(|told| told.contains("not a card of this deck")));
    // Until the end of the audit, nothing shows which card has which face.
    let printed = format!("{:?}", cards(&desk));
    assert!(!printed.contains("Rook") && !printed.contains("Queen"), "{printed}");
    wish(&mut desk, CardWish::Finish);
    let verdict = DeckAudit { missing: vec![(Card::Rook.into(), 2)], wrong: 1 };
    assert_eq!(step(&desk), Some(WorkStep::Over(verdict)));

    let replace = |copy| CardWish::Replace { name: "Club".to_owned(), card: Card::Rook.into(), copy };
    wish(&mut desk, replace(Some(2)));
    assert_eq!(step(&desk), Some(WorkStep::New));
    tap(&mut desk, "reader", 7, 0);
    assert!(told(&desk).is_some_and(|told| told.contains("in the deck already")));
    tap(&mut desk, "reader", 90, 0);
    assert_eq!(step(&desk), None);
    assert!(noticed(&desk).contains("the new card belongs to the deck now"), "{}", noticed(&desk));
    let mended = decks.find("Club").expect("there");
    assert_eq!(
        mended.check(uid(90), &TagContent::Empty).map(|face| (face.shows(), face.copy())),
        Ok((Card::Rook.into(), 2))
    );

    // All other rooks are laid down on the reader. The one that is missing is the damaged rook.
    wish(&mut desk, replace(None));
    for chip in [4, 90, 6, 7, 8, 9, 10] {
        assert!(matches!(step(&desk), Some(WorkStep::Others(CardFace::Piece(Card::Rook)))));
        tap(&mut desk, "reader", chip, 0);
    }
    assert_eq!(step(&desk), Some(WorkStep::New));
    tap(&mut desk, "reader", 91, 0);
    let mended = decks.find("Club").expect("there");
    assert!(
        mended.check(uid(11), &TagContent::Empty).is_err()
            && mended.check(uid(91), &TagContent::Empty).is_ok()
    );
}

#[test]
fn cards_of_a_deck_that_is_looked_through_are_not_the_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    keep_deck(&folder, "Club");
    let mut desk = desk(&folder);
    desk.wish(choker(Some("Club")), at(0));
    came(&mut desk, &["reader"]);
    to_the_placement(&mut desk);
    wish(&mut desk, CardWish::Audit("Club".to_owned()));
    tap(&mut desk, "reader", 0, 100);
    assert!(shown(&desk).is_empty());
    assert!(noticed(&desk).contains("the deck Club"), "who waits for the card is told: {}", noticed(&desk));
    wish(&mut desk, CardWish::Stop);
    tap(&mut desk, "reader", 0, 200);
    assert_eq!(shown(&desk), [(Card::Queen, Color::White)]);
}

#[test]
fn a_deck_is_written_for_its_owner_alone_taken_over_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    keep_deck(&folder, "Club");
    let mut desk = desk(&folder);
    let file = folder.path().join("club");
    let export = |path: &Path| CardWish::Export("Club".to_owned(), path.to_owned());
    wish(&mut desk, export(&file));
    let written = file.with_extension("json");
    assert!(noticed(&desk).contains("keep it secret"), "{}", noticed(&desk));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&written).expect("written").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    wish(&mut desk, export(&file));
    assert!(noticed(&desk).contains("already exists"), "{}", noticed(&desk));
    wish(&mut desk, CardWish::Import(written.clone()));
    assert!(noticed(&desk).contains("this deck already exists"), "{}", noticed(&desk));

    desk.wish(choker(Some("Club")), at(0));
    wish(&mut desk, CardWish::Remove("Club".to_owned()));
    assert!(noticed(&desk).contains("is in use"), "{}", noticed(&desk));
    desk.wish(Wish::Leave, at(0));
    wish(&mut desk, CardWish::Remove("Club".to_owned()));
    assert!(cards(&desk).decks.is_empty());
    assert_eq!(desk.snapshot(at(0)).settings.deck, None, "it is not chosen again");
    wish(&mut desk, CardWish::Import(written));
    assert_eq!(cards(&desk).decks.first().map(|deck| deck.name.clone()), Some("Club".to_owned()));
}
