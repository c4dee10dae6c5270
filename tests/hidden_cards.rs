//! Cards that were dealt and not turned over show nowhere: two tables that differ in nothing but the hidden faces
//! look the same to everybody, in everything that can be shown, said, logged or exported.
#![cfg(feature = "headless")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

use proptest::prelude::*;
use tabiya::app::snapshot::TableView;
use tabiya::app::words::{self, Order};
use tabiya::app::{Session, view};
use tabiya::clock::Instant;
use tabiya::devices::cards::deck::{Deck, DeckCard, Face};
use tabiya::devices::cards::{CardEvent, CardId, Content, Tap, Uid};
use tabiya::record::secrets::Exported;
use tabiya::record::{Header, json, pgn, sheet};
use tabiya::rules::{Card, GAMES};

const HEADER: &str = r#"{"tabiya":1,"game":"choker","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"stacks":{"A":200,"B":200},"small_blind":1,"time":"600"}}"#;
/// What is typed after each street of the first game's deal, which ends in the placement, and in the second, which
/// ends with a fold.
const STREETS: [&[&str]; 6] = [
    &["raise 8", "call"],
    &["check", "check"],
    &["check", "raise 4", "call", "legal", "resign white", "next"],
    &["call", "check", "undo", "check"],
    &["check", "check"],
    &["raise 6", "fold"],
];

fn uid(nth: u8) -> Uid {
    Uid::new(&[4, 0, 0, 0, 0, 0, nth]).unwrap()
}

/// A deck in which the chip of that number has the face of that place.
fn deck(order: &[usize]) -> Deck {
    let faces = Card::ALL.into_iter().flat_map(|card| (1..=card.in_deck()).map(move |copy| (card, copy)));
    let faces: Vec<Face> = faces.map(|(card, copy)| Face::new(card, copy).unwrap()).collect();
    let card = |(nth, face): (u8, &usize)| DeckCard { uid: uid(nth), id: None, face: faces[*face] };
    Deck::new(CardId([1; 16]), "Club", "2026-11-22", (1..).zip(order).map(card).collect()).unwrap()
}

/// All that anybody can see of a table, as text.
fn seen(session: &mut Session) -> Vec<String> {
    let now = Instant::ZERO;
    let header = session.replay().header().line();
    let lines = std::iter::once(header).chain(session.lines().iter().map(ToString::to_string));
    let values = (1..).zip(lines).map(|(number, line)| (number, json::parse(&line).unwrap())).collect();
    let said: Vec<String> =
        session.take_said().into_iter().map(|said| format!("{said:?} {}", said.text)).collect();
    vec![
        said.join("\n"),
        view::lines(session, now).join("\n"),
        format!("{:?}", TableView::of_session(session, now)),
        words::completions("", session).join(" "),
        session.table().prompt().to_string(),
        session.replay().report().to_string(),
        Exported::new(session.replay(), values).to_text(),
        pgn::text(session.replay(), None),
        sheet::text(session.replay().header(), None),
        // What a log or a crash report would print.
        format!("{session:?}"),
        format!("{:?}", session.replay()),
        format!("{:?}", session.lines()),
    ]
}

/// Two games whose 44 chips have these faces, looked at after everything that happens.
fn played(faces: &[usize]) -> Vec<Vec<String>> {
    let mut session = Session::new(Header::parse(HEADER, GAMES).unwrap(), None, None);
    session.use_deck(deck(faces));
    session.read_deals();
    let (mut all, mut chip) = (Vec::new(), 0);
    for (street, typed) in STREETS.into_iter().enumerate() {
        let count = if street % 3 == 2 { 2 } else { 4 };
        for _ in 0..count {
            chip += 1;
            let tap = Tap { reader: "spot".into(), uid: uid(chip), content: Content::Empty };
            session.cards(&CardEvent::Tapped(tap), Instant::ZERO);
            all.push(seen(&mut session));
        }
        for text in typed {
            match words::read(text, &session, Instant::ZERO).unwrap() {
                Order::Do(inputs) => {
                    for input in &inputs {
                        session.enter(input, Instant::ZERO).unwrap();
                    }
                }
                Order::Legal => {}
                other => panic!("{text} is no input: {other:?}"),
            }
            all.push(seen(&mut session));
        }
    }
    assert_eq!(session.table().past_games().len(), 1, "two games were played");
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn tables_that_differ_in_hidden_faces_alone_look_the_same(
        one in Just((0..44).collect::<Vec<usize>>()).prop_shuffle(),
        other in Just((0..44).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        for (step, (one, other)) in played(&one).iter().zip(&played(&other)).enumerate() {
            for (view, (one, other)) in one.iter().zip(other).enumerate() {
                prop_assert_eq!(one, other, "step {}, view {}", step, view);
            }
        }
    }
}

/// The test above can fail: a card that is turned over does show.
#[test]
fn a_card_that_is_turned_over_is_seen() {
    let order: Vec<usize> = (0..44).collect();
    let mut session = Session::new(Header::parse(HEADER, GAMES).unwrap(), None, None);
    session.use_deck(deck(&order));
    session.read_deals();
    for nth in 1..=10 {
        let tap = Tap { reader: "spot".into(), uid: uid(nth), content: Content::Empty };
        session.cards(&CardEvent::Tapped(tap), Instant::ZERO);
        let typed: &[&str] = match nth {
            4 => &["call", "check"],
            8 | 10 => &["check", "check"],
            _ => &[],
        };
        for text in typed {
            let Order::Do(inputs) = words::read(text, &session, Instant::ZERO).unwrap() else {
                panic!("{text} is no input")
            };
            for input in &inputs {
                session.enter(input, Instant::ZERO).unwrap();
            }
        }
    }
    seen(&mut session);
    let tap = Tap { reader: "spot".into(), uid: uid(1), content: Content::Empty };
    session.cards(&CardEvent::Tapped(tap), Instant::ZERO);
    let views = seen(&mut session);
    assert!(views[0].contains("queen"), "{}", views[0]);
    assert!(views[6].contains(r#""cards":{"white":["Q","?"]"#), "{}", views[6]);
}
