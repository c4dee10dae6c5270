//! Tests of cards on readers: cards that are turned over in the placement phase, cards that are dealt, and the
//! announcements about them.

use tabiya_boards::link::LinkError;
use tabiya_boards::{BoardEvent, TagChange};
use tabiya_cards::deck::{Deck, DeckCard, Face};
use tabiya_cards::{CardEvent, CardId, CardTap, ReaderName, TagContent, Uid};
use tabiya_engine::record::Header;
use tabiya_engine::rules::{GAMES, Phase};
use tabiya_engine::table::{Common, Input, Ruling};
use tabiya_types::{Board, Card, Color, Instant, Observation, Pack, Seat};

use super::super::cards::CardAction;
use super::super::{Owner, Session, turns_over};
use crate::words;

const HEADER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":200,"B":200},"small_blind":1}}"#;
/// The inputs of the betting. After these inputs, the first card is turned over.
const BETTING: [&str; 9] = ["deal", "raise 6", "call", "deal", "check", "check", "deal", "check", "check"];

fn typed(session: &mut Session, text: &str) {
    let order = words::read(text, session.table(), None, None, Instant::ZERO)
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let words::TypedOrder::Do(inputs) = order else { panic!("{text} is no input") };
    for input in inputs {
        session.enter(&input, Instant::ZERO).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    }
    session.take_said();
}

fn placing() -> Session {
    let mut session = Session::new(Header::parse(HEADER, GAMES).expect("a header"), None, None);
    for text in BETTING {
        typed(&mut session, text);
    }
    session
}

fn laid(session: &mut Session, seat: Option<Seat>, card: Card, copy: u8) -> String {
    session.take_said();
    let (face, turn) = (Face::new(Pack::Choker, card, copy).expect("a face"), turns_over(session.table()));
    let of = seat.map_or(Owner::Both, Owner::Seat);
    let (table, speech) = (session.course.ledger.table(), &mut session.course.speech);
    match session.course.cards.turned_over(of, face, turn, table, speech) {
        Some(CardAction::Enter(input)) => drop(session.enter(&input, Instant::ZERO).expect("it is taken")),
        Some(other) => panic!("no card is turned over: {other:?}"),
        None => {}
    }
    session.take_said().into_iter().map(|said| said.text.to_string()).collect::<Vec<_>>().join("; ")
}

fn last(session: &Session) -> String {
    session.lines().last().expect("a line").to_string()
}

#[test]
fn a_card_that_is_laid_down_is_turned_over_by_whose_turn_it_is() {
    let mut session = placing();
    laid(&mut session, None, Card::Queen, 3);
    assert!(last(&session).contains(r#""do":"reveal","by":"white","card":"Q","how":"read","copy":3"#));
    typed(&mut session, "Q d1");
    typed(&mut session, "press white");
    laid(&mut session, Some(Seat::B), Card::Rook, 1);
    assert!(last(&session).contains(r#""by":"black","card":"R","how":"read","copy":1"#));
}

#[test]
fn a_card_at_another_time_stays_hidden() {
    let mut session = Session::new(Header::parse(HEADER, GAMES).expect("a header"), None, None);
    let told = laid(&mut session, None, Card::Queen, 1);
    assert!(told.contains("nothing was logged") && !told.to_lowercase().contains("queen"), "{told}");
    assert!(session.lines().is_empty());
    let mut session = placing();
    let before = last(&session);
    let told = laid(&mut session, Some(Seat::B), Card::Queen, 1);
    assert!(told.contains("White's turn") && !told.to_lowercase().contains("queen"), "{told}");
    assert_eq!(last(&session), before);
}

#[test]
fn the_same_card_twice_in_a_game_is_told_and_not_logged() {
    let mut session = placing();
    laid(&mut session, None, Card::Queen, 3);
    typed(&mut session, "Q d1");
    typed(&mut session, "press white");
    let before = last(&session);
    let told = laid(&mut session, None, Card::Queen, 3);
    assert!(told.contains("was turned over before"), "{told}");
    assert_eq!(last(&session), before);
    laid(&mut session, None, Card::Queen, 4);
    assert!(last(&session).contains(r#""by":"black","card":"Q","how":"read","copy":4"#));
}

/// A deck whose cards are not written; only the numbers of their chips are known. Queen 1 has chip 1, queen 2 has chip
/// 2, and so on.
fn adopted() -> Deck {
    let faces = Card::ALL.into_iter().flat_map(|card| (1..=card.in_deck()).map(move |copy| (card, copy)));
    let card = |(nth, (card, copy)): (u8, (Card, u8))| DeckCard {
        uid: Uid::new(&[4, 0, 0, nth]).expect("four bytes"),
        id: None,
        face: Face::new(Pack::Choker, card, copy).expect("a face"),
    };
    let cards = (1..).zip(faces).map(card).collect();
    Deck::new(Pack::Choker, CardId([1; 16]), "Club", "2026-10-03", cards).expect("a deck")
}

fn tap(reader: &str, nth: u8) -> CardEvent {
    let uid = Uid::new(&[4, 0, 0, nth]).expect("four bytes");
    CardEvent::Tapped(CardTap { reader: reader.into(), uid, content: TagContent::Empty })
}

#[test]
fn of_two_readers_each_becomes_a_players_by_his_first_card() {
    let mut session = placing();
    session.use_deck(adopted());
    for reader in ["left", "right"] {
        session.cards(&CardEvent::Connected(reader.into()), Instant::ZERO);
    }
    session.take_said();
    session.cards(&tap("right", 1), Instant::ZERO);
    assert!(last(&session).contains(r#""by":"white","card":"Q","how":"read","copy":1"#));
    typed(&mut session, "Q d1");
    typed(&mut session, "press white");
    let before = last(&session);
    session.cards(&tap("right", 2), Instant::ZERO);
    let told: Vec<_> = session.take_said().into_iter().map(|said| said.text.to_string()).collect();
    assert!(told.concat().contains("it is Black's turn") && last(&session) == before, "{told:?}");
    session.cards(&tap("left", 2), Instant::ZERO);
    assert!(last(&session).contains(r#""by":"black","card":"Q","how":"read","copy":2"#));
}

#[test]
fn a_reader_that_was_given_to_the_wrong_player_is_given_to_the_other() {
    let mut session = placing();
    session.use_deck(adopted());
    let [left, right] = ["left", "right"].map(ReaderName::from);
    session.cards(&CardEvent::Connected(left.clone()), Instant::ZERO);
    assert_eq!(session.owner_of(&left), Owner::Both, "one alone is shared");
    session.cards(&CardEvent::Connected(right.clone()), Instant::ZERO);
    let owners = |session: &Session| [session.owner_of(&left), session.owner_of(&right)];
    assert_eq!(owners(&session), [Owner::Nobody; 2]);
    session.give_reader(&left, Some(Seat::B));
    assert_eq!(owners(&session), [Owner::Seat(Seat::B), Owner::Seat(Seat::A)]);
    session.give_reader(&left, Some(Seat::A));
    assert_eq!(owners(&session), [Owner::Seat(Seat::A), Owner::Seat(Seat::B)]);
    session.give_reader(&"third".into(), Some(Seat::A));
    assert_eq!(owners(&session), [Owner::Seat(Seat::A), Owner::Seat(Seat::B)], "there is no such reader");
    // White, the player of seat A, must turn a card over. The right reader belongs to seat B, so a card on it has no
    // effect.
    let before = session.lines().len();
    session.cards(&tap("right", 1), Instant::ZERO);
    assert_eq!(session.lines().len(), before);
    session.give_reader(&left, None);
    session.give_reader(&right, None);
    assert_eq!(owners(&session), [Owner::Nobody; 2]);
    session.cards(&tap("right", 1), Instant::ZERO);
    assert!(last(&session).contains(r#""by":"white","card":"Q","how":"read","copy":1"#));
    assert_eq!(owners(&session), [Owner::Seat(Seat::B), Owner::Seat(Seat::A)]);
}

#[test]
fn the_dealers_reader_is_shown_as_such_and_can_be_given_away() {
    let mut session = Session::new(Header::parse(HEADER, GAMES).expect("a header"), None, None);
    session.use_deck(adopted());
    session.read_deals();
    let [left, right, spot] = ["left", "right", "spot"].map(ReaderName::from);
    for reader in [&left, &right, &spot] {
        session.cards(&CardEvent::Connected(reader.clone()), Instant::ZERO);
    }
    for chip in [1, 2] {
        session.cards(&tap("spot", chip), Instant::ZERO);
    }
    let owners = |session: &Session| [&left, &right, &spot].map(|reader| session.owner_of(reader));
    assert_eq!(owners(&session), [Owner::Nobody, Owner::Nobody, Owner::Dealer]);
    session.give_reader(&left, Some(Seat::A));
    assert_eq!(owners(&session), [Owner::Seat(Seat::A), Owner::Seat(Seat::B), Owner::Dealer]);
    session.give_reader(&spot, None);
    assert_eq!(owners(&session), [Owner::Seat(Seat::A), Owner::Seat(Seat::B), Owner::Both]);
}

#[test]
fn a_card_on_a_reader_behind_a_board_is_turned_over_once() {
    let mut session = placing();
    session.use_deck(adopted());
    let here = BoardEvent::Tag {
        antenna: 0,
        tag: TagChange::Here { uid: vec![4, 0, 0, 5], ndef: Some(Vec::new()) },
    };
    session.board(&here, Instant::ZERO);
    assert!(
        last(&session).contains(r#""by":"white","card":"R","how":"read","copy":1"#),
        "{}",
        last(&session)
    );
    typed(&mut session, "R a1");
    typed(&mut session, "press white");
    // The board reports the same card again, as it does after a reconnection.
    let lines = session.lines().len();
    session.board(&here, Instant::ZERO);
    assert_eq!(session.lines().len(), lines);
}

#[test]
fn a_card_that_is_laid_down_again_after_a_box_was_lost_counts() {
    use tabiya_boards::BoardInfo;
    use tabiya_boards::maker::Maker;
    let mut session = dealing();
    let info = BoardInfo::new(Maker::from_prefix("diy").expect("a maker").brand());
    let tag = |tag| BoardEvent::Tag { antenna: 0, tag };
    let here = || tag(TagChange::Here { uid: vec![4, 0, 0, 1], ndef: Some(Vec::new()) });
    session.beside(&BoardEvent::Identified(info.clone()), Instant::ZERO);
    session.beside(&here(), Instant::from_millis(1_000));
    assert!(told(&mut session).contains("card 1 of 4"));
    // The box is unplugged while the card is lifted.
    session.misdeal();
    session.beside(&BoardEvent::Identified(info), Instant::from_millis(5_000));
    told(&mut session);
    session.beside(&here(), Instant::from_millis(9_000));
    assert!(told(&mut session).contains("card 1 of 4"));
}

// ---- cards that are dealt over a reader ----

fn dealing() -> Session {
    let mut session = Session::new(Header::parse(HEADER, GAMES).expect("a header"), None, None);
    session.use_deck(adopted());
    session.read_deals();
    session
}

fn tapped(session: &mut Session, reader: &str, nth: u8) -> String {
    session.take_said();
    session.cards(&tap(reader, nth), Instant::ZERO);
    told(session)
}

fn told(session: &mut Session) -> String {
    session.take_said().into_iter().map(|said| said.text.to_string()).collect::<Vec<_>>().join("; ")
}

#[test]
fn cards_dealt_over_one_reader_go_to_the_players_in_the_rules_order() {
    let mut session = dealing();
    session.cards(&CardEvent::Connected("spot".into()), Instant::ZERO);
    // The cards are dealt in the order queen 1, rook 1, queen 2, bishop 1. White gets the queens, Black the rook and
    // the bishop.
    assert_eq!(tapped(&mut session, "spot", 1), "card 1 of 4 is dealt, to White");
    assert_eq!(tapped(&mut session, "spot", 5), "card 2 of 4 is dealt, to Black");
    tapped(&mut session, "spot", 2);
    tapped(&mut session, "spot", 13);
    assert!(last(&session).contains(r#""do":"deal","cards":{"white":["Q","Q"],"black":["R","B"]}"#));
    typed(&mut session, "call");
    typed(&mut session, "check");
    // On the second street the first card is Black's.
    assert_eq!(tapped(&mut session, "spot", 21), "card 1 of 4 is dealt, to Black");
    for nth in [29, 22, 30] {
        tapped(&mut session, "spot", nth);
    }
    assert!(
        last(&session).contains(r#""cards":{"white":["P","P"],"black":["N","N"]}"#),
        "{}",
        last(&session)
    );
}

#[test]
fn the_deal_goes_into_the_record_with_the_cards_that_were_read_and_no_others() {
    let mut session = dealing();
    tapped(&mut session, "spot", 1);
    session.dealt_unread(Instant::ZERO);
    tapped(&mut session, "spot", 2);
    typed(&mut session, "deal");
    assert!(
        last(&session).contains(r#""cards":{"white":["Q","Q"],"black":["?","?"]}"#),
        "{}",
        last(&session)
    );
    typed(&mut session, "undo");
    typed(&mut session, "deal");
    assert!(!last(&session).contains("cards"), "{}", last(&session));
}

#[test]
fn a_card_that_is_dealt_twice_or_too_late_is_told_without_its_face() {
    let mut session = dealing();
    tapped(&mut session, "spot", 1);
    let twice = tapped(&mut session, "spot", 1);
    assert!(twice.contains("dealt before") && !twice.to_lowercase().contains("queen"), "{twice}");
    for nth in [5, 2, 13] {
        tapped(&mut session, "spot", nth);
    }
    let late = tapped(&mut session, "spot", 3);
    assert!(late.contains("`fouled`") && !late.to_lowercase().contains("queen"), "{late}");
    typed(&mut session, "call");
    typed(&mut session, "check");
    assert!(tapped(&mut session, "spot", 2).contains("dealt before"));
    // After a fouled deal, all cards may be dealt again.
    typed(&mut session, "fouled a card too many");
    assert_eq!(tapped(&mut session, "spot", 2), "card 1 of 4 is dealt, to White");
}

#[test]
fn a_misdealt_street_is_dealt_anew() {
    let mut session = dealing();
    session.misdeal();
    assert!(told(&mut session).contains("no card of this street"));
    tapped(&mut session, "spot", 1);
    tapped(&mut session, "spot", 2);
    session.misdeal();
    assert!(told(&mut session).contains("deal the street again"));
    assert_eq!(tapped(&mut session, "spot", 2), "card 1 of 4 is dealt, to White");
}

#[test]
fn cards_dealt_to_two_readers_must_come_in_order() {
    let mut session = dealing();
    for reader in ["left", "right"] {
        session.cards(&CardEvent::Connected(reader.into()), Instant::ZERO);
    }
    tapped(&mut session, "left", 1);
    tapped(&mut session, "right", 5);
    let wrong = tapped(&mut session, "right", 6);
    assert!(wrong.contains("the next card is White's"), "{wrong}");
    tapped(&mut session, "left", 2);
    tapped(&mut session, "right", 13);
    assert!(
        last(&session).contains(r#""cards":{"white":["Q","Q"],"black":["R","B"]}"#),
        "{}",
        last(&session)
    );
}

#[test]
fn the_dealers_reader_is_no_players() {
    let mut session = dealing();
    for reader in ["left", "right", "spot"] {
        session.cards(&CardEvent::Connected(reader.into()), Instant::ZERO);
    }
    tapped(&mut session, "spot", 1);
    tapped(&mut session, "spot", 5);
    assert!(tapped(&mut session, "left", 2).contains("a reader that is not the dealer's"));
    for nth in [2, 13] {
        tapped(&mut session, "spot", nth);
    }
    for text in ["call", "check", "deal", "check", "check", "deal", "check", "check"] {
        typed(&mut session, text);
    }
    // The cards that were not dealt may be put down on the dealer's reader.
    let before = last(&session);
    let stub = tapped(&mut session, "spot", 3);
    assert!(stub.contains("no card is to be turned over now") && !stub.contains("queen"), "{stub}");
    assert_eq!(last(&session), before);
    // A card that was read on the dealer's reader may be turned over on a player's reader.
    tapped(&mut session, "left", 1);
    assert!(
        last(&session).contains(r#""by":"white","card":"Q","how":"read","copy":1"#),
        "{}",
        last(&session)
    );
}

#[test]
fn a_card_that_was_not_dealt_is_told_to_the_arbiter_at_once_and_casually_after_the_game() {
    for voice in ["event", "casual"] {
        let header = HEADER.replace(r#""small_blind":1"#, &format!(r#""small_blind":1,"voice":"{voice}""#));
        let mut session = Session::new(Header::parse(&header, GAMES).expect("a header"), None, None);
        session.use_deck(adopted());
        session.read_deals();
        // White is dealt Q Q P P P, Black R B N N B.
        for (cards, bets) in [
            ([1, 5, 2, 13].as_slice(), ["call", "check"]),
            (&[21, 29, 22, 30], ["check", "check"]),
            (&[31, 14], ["check", "check"]),
        ] {
            for nth in cards {
                tapped(&mut session, "spot", *nth);
            }
            for bet in bets {
                typed(&mut session, bet);
            }
        }
        session.cards(&tap("spot", 6), Instant::ZERO);
        assert!(last(&session).contains(r#""by":"white","card":"R""#), "{}", last(&session));
        let wrong = |said: &crate::Announcement| said.text.to_string().contains("was not dealt to");
        let said = session.take_said();
        let at_once: Vec<_> = said.iter().filter(|said| wrong(said)).collect();
        assert_eq!(at_once.len(), usize::from(voice == "event"), "{said:?}");
        assert!(at_once.iter().all(|said| said.to == tabiya_engine::table::Audience::Arbiter));
        let resign = words::read("resign white", session.table(), None, None, Instant::ZERO).expect("a word");
        let words::TypedOrder::Do(inputs) = resign else { panic!("an input") };
        session.enter(&inputs[0], Instant::ZERO).expect("it is taken");
        let after = session.take_said().iter().filter(|said| wrong(said)).count();
        assert_eq!(after, usize::from(voice == "casual"));
    }
}

#[test]
fn the_arbiter_opens_a_deal_by_a_ruling_that_is_recorded() {
    let mut session = dealing();
    session.open_sealed(None, "a dispute", Instant::ZERO);
    assert!(told(&mut session).contains("no sealed cards that match") && session.lines().is_empty());
    for nth in [1, 5, 2, 13] {
        tapped(&mut session, "spot", nth);
    }
    session.open_sealed(None, "a dispute", Instant::ZERO);
    assert!(last(&session).contains(r#""reason":"a dispute","set":{},"x-opens":1"#), "{}", last(&session));
    assert!(!told(&mut session).contains('Q'));
    let ruling = Input::from(Ruling::because("another one"));
    session.enter(&ruling, Instant::ZERO).expect("it is taken");
    assert!(!last(&session).contains("x-opens"), "{}", last(&session));
}

#[test]
fn a_box_beside_the_board_tells_cards_and_presses_and_no_squares() {
    let mut session = placing();
    session.use_deck(adopted());
    let here = BoardEvent::Tag {
        antenna: 0,
        tag: TagChange::Here { uid: vec![4, 0, 0, 1], ndef: Some(Vec::new()) },
    };
    session.beside(&here, Instant::ZERO);
    assert!(last(&session).contains(r#""by":"white","card":"Q","how":"read","copy":1"#));
    // Squares that the box reports are ignored.
    let lines = session.lines().len();
    session.beside(&BoardEvent::Observed(Observation::Whole(Board::EMPTY)), Instant::ZERO);
    assert!(session.watch().seen().is_none());
    assert_eq!(session.lines().len(), lines);
    typed(&mut session, "Q d1");
    session.beside(&BoardEvent::Observed(Observation::Press(Color::White)), Instant::ZERO);
    assert!(last(&session).contains(r#""do":"press","by":"white""#), "{}", last(&session));
    session.take_said();
    let lost = LinkError::Silent { port: "/dev/ttyACM1".to_owned() };
    session.beside(&BoardEvent::Lost(lost), Instant::ZERO);
    let told = session.take_said();
    assert_eq!(told.len(), 1);
    assert!(told[0].text.to_string().starts_with("the box beside the board is gone: "), "{told:?}");
    typed(&mut session, "R");
    assert!(last(&session).contains(r#""do":"reveal","by":"black","card":"R""#), "{}", last(&session));
}

#[test]
fn a_misdeal_takes_back_what_it_told_of_the_readers() {
    let mut session = dealing();
    for reader in ["left", "right"] {
        session.cards(&CardEvent::Connected(reader.into()), Instant::ZERO);
    }
    // By mistake, the first two cards are laid on the same reader, although it is not the dealer's.
    tapped(&mut session, "left", 1);
    tapped(&mut session, "left", 5);
    assert_eq!(session.owner_of(&"left".into()), Owner::Dealer);
    session.misdeal();
    assert_eq!(session.owner_of(&"left".into()), Owner::Nobody);
    tapped(&mut session, "left", 1);
    assert!(tapped(&mut session, "right", 5).contains("card 2 of 4"));
    assert_eq!(session.owner_of(&"left".into()), Owner::Seat(Seat::A));
}

#[test]
fn undo_and_redo_of_a_deal_forget_no_card() {
    let mut session = dealing();
    for nth in [1, 5, 2, 13] {
        tapped(&mut session, "spot", nth);
    }
    typed(&mut session, "undo");
    assert!(tapped(&mut session, "spot", 1).contains("card 1 of 4"));
    typed(&mut session, "redo");
    typed(&mut session, "call");
    typed(&mut session, "check");
    for nth in [1, 5, 2, 13] {
        assert!(tapped(&mut session, "spot", nth).contains("dealt before"), "{nth}");
    }
}

#[test]
fn the_last_card_of_the_deal_read_once_more_is_not_turned_over() {
    let mut session = dealing();
    for nth in [1, 5, 2, 13] {
        tapped(&mut session, "spot", nth);
    }
    typed(&mut session, "all-in");
    typed(&mut session, "call");
    for nth in [21, 29, 22, 30, 31, 32] {
        tapped(&mut session, "spot", nth);
    }
    assert_eq!(session.table().phase(), Phase::Place);
    let again = tapped(&mut session, "spot", 32);
    assert!(again.contains("once more") && last(&session).contains(r#""do":"deal""#), "{again}");
    // White turns over a card that he was dealt.
    assert!(tapped(&mut session, "spot", 31).contains("turns"), "{}", last(&session));
}

#[test]
fn a_card_that_lay_there_when_the_board_was_connected_counts_for_nothing() {
    use tabiya_boards::BoardInfo;
    use tabiya_boards::maker::Maker;
    let mut session = placing();
    session.use_deck(adopted());
    let info = BoardInfo::new(Maker::from_prefix("diy").expect("a maker").brand());
    let here = |nth: u8| BoardEvent::Tag {
        antenna: 0,
        tag: TagChange::Here { uid: vec![4, 0, 0, nth], ndef: Some(Vec::new()) },
    };
    session.board(&BoardEvent::Identified(info), Instant::from_millis(1_000));
    let lines = session.lines().len();
    session.board(&here(5), Instant::from_millis(1_100));
    assert_eq!(session.lines().len(), lines);
    assert!(told(&mut session).contains("a card is already on the reader"));
    let gone = BoardEvent::Tag { antenna: 0, tag: TagChange::Gone { uid: vec![4, 0, 0, 5] } };
    session.board(&gone, Instant::from_millis(1_200));
    session.board(&here(5), Instant::from_millis(1_300));
    assert!(last(&session).contains(r#""card":"R","how":"read""#), "{}", last(&session));
}

#[test]
fn a_ruling_opens_what_was_dealt_before_it() {
    use tabiya_engine::record::secrets::{GameCards, opened_by_ruling};
    let mut session = dealing();
    for nth in [1, 5, 2, 13] {
        tapped(&mut session, "spot", nth);
    }
    session.open_sealed(None, "the first street", Instant::ZERO);
    typed(&mut session, "call");
    typed(&mut session, "check");
    for nth in [21, 29, 22, 30] {
        tapped(&mut session, "spot", nth);
    }
    let lines: Vec<_> = (2..).zip(session.lines()).map(|(number, line)| (number, line.to_value())).collect();
    let until = opened_by_ruling(&lines)[&1];
    let cards = GameCards::of_last(session.table());
    assert_eq!(cards.dealt(Color::White).concat(), "QQPP");
    assert_eq!(cards.until(until).dealt(Color::White).concat(), "QQ");
}

/// A match that ended after White was dealt queens 1 and 2, and Black rook 1 and bishop 1.
fn ended(mut session: Session) -> Session {
    for nth in [1, 5, 2, 13] {
        tapped(&mut session, "spot", nth);
    }
    for text in ["fold", "end it is late"] {
        typed(&mut session, text);
    }
    assert!(session.table().match_over());
    session
}

fn agrees(session: &mut Session, by: Color) -> Result<(), String> {
    let entered = session.enter(Input::Common(Common::Consent(by)), Instant::ZERO);
    entered.map(drop).map_err(|fault| fault.to_string())
}

fn agreed(session: &Session) -> (bool, bool) {
    (session.table().consented(Seat::A), session.table().consented(Seat::B))
}

#[test]
fn one_keyboard_cannot_agree_for_both_and_each_player_agrees_with_his_own_card() {
    let mut session = ended(dealing());
    for by in Color::ALL {
        let refused = agrees(&mut session, by).expect_err("no card was laid down");
        assert!(refused.contains("lay a card that was dealt to"), "{refused}");
    }
    assert_eq!(agreed(&session), (false, false));
    // Black's consent is awaited: White's queen, and cards that were not dealt, do not count, whatever they show.
    for nth in [1, 2, 3, 6, 14] {
        assert!(tapped(&mut session, "spot", nth).contains("does not show that Black agrees"));
    }
    assert_eq!(agreed(&session), (false, false));
    assert!(tapped(&mut session, "spot", 13).contains("Black agrees that the cards may be shown"));
    // No card counts before it is asked for.
    tapped(&mut session, "spot", 1);
    assert_eq!(agreed(&session), (false, true));
    agrees(&mut session, Color::White).expect_err("no card was laid down");
    tapped(&mut session, "spot", 1);
    assert_eq!(agreed(&session), (true, true));
}

#[test]
fn nobody_agrees_by_keyboard_before_cards_are_dealt_over_a_reader() {
    let mut session = dealing();
    for by in Color::ALL {
        agrees(&mut session, by).expect_err("cards are read from now on");
    }
    assert_eq!(agreed(&session), (false, false));
}

#[test]
fn taking_the_deal_back_lets_nobody_agree_for_both() {
    let mut session = dealing();
    for nth in [1, 5, 2, 13] {
        tapped(&mut session, "spot", nth);
    }
    typed(&mut session, "undo");
    assert!(session.choose_code(Color::Black, "0815", Instant::ZERO).is_err(), "cards were dealt once");
    typed(&mut session, "end it is late");
    assert!(session.table().match_over(), "{}", last(&session));
    for by in Color::ALL {
        agrees(&mut session, by).expect_err("the cards that were dealt would be shown");
    }
    assert_eq!(agreed(&session), (false, false));
}

#[test]
fn a_player_agrees_with_the_code_that_he_chose_before_the_first_deal() {
    let mut session = dealing();
    session.put_deck_away();
    session.use_deck(adopted());
    session.read_deals();
    assert!(
        session.choose_code(Color::White, "abcde", Instant::ZERO).is_err(),
        "five characters are too few"
    );
    session.choose_code(Color::White, "471147", Instant::ZERO).expect("a code");
    assert!(session.choose_code(Color::White, "123456", Instant::ZERO).is_err(), "he has one already");
    assert!(
        !last(&session).contains("471147") && last(&session).contains(r#""x-code-A":""#),
        "{}",
        last(&session)
    );
    typed(&mut session, "undo ruling a slip");
    let mut session = ended(session);
    assert!(session.choose_code(Color::Black, "081508", Instant::ZERO).is_err(), "the cards are dealt");
    let both = agrees(&mut session, Color::White).expect_err("neither card nor code");
    assert!(both.contains("or type `consent white` and the code after it"), "{both}");
    for wrong in ["471247", "", "4711470"] {
        assert!(session.consent_with(Color::White, wrong, Instant::ZERO).is_err(), "{wrong}");
    }
    assert!(session.consent_with(Color::Black, "471147", Instant::ZERO).is_err(), "the code is White's");
    let waits = session.consent_with(Color::White, "471147", Instant::ZERO).expect_err("three wrong codes");
    assert!(waits.to_string().contains("can be typed in 0:30"), "{waits}");
    session.consent_with(Color::White, "471147", Instant::from_millis(30_000)).expect("the code");
    assert_eq!(agreed(&session), (true, false));
}

#[test]
fn that_the_sealed_cards_could_be_seen_stays_known_after_undo() {
    let mut session = ended(dealing());
    for (by, nth) in [(Color::White, 2), (Color::Black, 5)] {
        agrees(&mut session, by).expect_err("no card was laid down");
        tapped(&mut session, "spot", nth);
    }
    let line = session.lines().len() + 1;
    assert_eq!(session.replay().opened(), u32::try_from(line).ok());
    session.take_said();
    session.enter(Input::Common(Common::TAKE_BACK), Instant::ZERO).expect("it is taken");
    let said = told(&mut session);
    assert!(said.contains(&format!("this stays in the record, on line {line}")), "{said}");
    assert_eq!(session.replay().opened(), u32::try_from(line).ok());
}
