//! Hidden cards leak nowhere: two tables that differ only in the faces of cards that were not turned over are equal in
//! everything that the program shows, says, logs or exports.

use proptest::prelude::*;
use tabiya_app::Session;
use tabiya_app::snapshot::{Snapshot, TableView};
use tabiya_app::words::{self, TypedOrder};
use tabiya_cards::deck::{Deck, DeckCard, Face};
use tabiya_cards::{CardEvent, CardId, CardTap, TagContent, Uid};
use tabiya_engine::record::nameless::nameless_match;
use tabiya_engine::record::secrets::{Exported, GameCards};
use tabiya_engine::record::{Header, Replay, json, pgn, sheet};
use tabiya_engine::rules::{GAMES, Offer};
use tabiya_engine::table::LegalInput;
use tabiya_text::{Language, Words};
use tabiya_types::{Card, Color, Instant, Pack};

/// The inputs that are typed after the cards of each street are dealt. The first three entries belong to the first
/// game. The last three belong to the second game, which ends with a fold.
const STREETS: [&[&str]; 6] = [
    &["raise 8", "call"],
    &["check", "check"],
    &["check", "raise 4", "call"],
    &["call", "check", "undo a slip", "check", "open a dispute"],
    &["misdeal", "check", "check"],
    &["raise 6", "fold"],
];
/// The cards that are turned over in the first game: the first two cards that each player was dealt. White and Black
/// take turns, and White begins.
const TURNED_OVER: [u8; 4] = [1, 2, 3, 4];

fn header(voice: &str) -> Header {
    let text = format!(
        r#"{{"tabiya":1,"game":"choker","players":{{"A":"Ann","B":"Bo"}},"white":"A","terms":{{"stacks":{{"A":200,"B":200}},"small_blind":1,"time":"600","voice":"{voice}"}}}}"#
    );
    Header::parse(&text, GAMES).unwrap()
}

fn uid(nth: u8) -> Uid {
    Uid::new(&[4, 0, 0, 0, 0, 0, nth]).unwrap()
}

/// A deck in which the card with the chip number `n` has the face with the number `order[n - 1]`.
fn deck(order: &[usize]) -> Deck {
    let faces = Card::ALL.into_iter().flat_map(|card| (1..=card.in_deck()).map(move |copy| (card, copy)));
    let faces: Vec<Face> = faces.map(|(card, copy)| Face::new(Pack::Choker, card, copy).unwrap()).collect();
    let card = |(nth, face): (u8, &usize)| DeckCard { uid: uid(nth), id: None, face: faces[*face] };
    Deck::new(Pack::Choker, CardId([1; 16]), "Club", "2026-11-22", (1..).zip(order).map(card).collect())
        .unwrap()
}

/// All that the program shows, says, logs or exports about a table, as text.
fn seen(session: &mut Session) -> Vec<String> {
    let now = Instant::ZERO;
    let header = session.replay().header().line();
    let lines = std::iter::once(header).chain(session.lines().iter().map(ToString::to_string));
    let mut exported = Exported::begin(session.replay());
    (1..).zip(lines).for_each(|(number, line)| exported.add(number, json::parse(&line).unwrap()));
    let said: Vec<String> =
        session.take_said().into_iter().map(|said| format!("{said:?} {}", said.text)).collect();
    vec![
        said.join("\n"),
        tabiya_terminal::lines(&Snapshot::of_session(session, now), &Words::of(Language::English), now)
            .join("\n"),
        format!("{:?}", TableView::of_session(session, now)),
        words::completions("", &session.table().legal(), session.table().clock().paused()).join(" "),
        session.table().prompt().to_string(),
        session.replay().report().to_string(),
        exported.into_text(),
        nameless_match(session.replay(), session.lines()),
        pgn::text(session.replay(), None),
        sheet::lines(session.replay(), None).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        // These texts could appear in a log or in a crash report.
        format!("{session:?}"),
        format!("{:?}", session.replay()),
        format!("{:?}", session.lines()),
    ]
}

fn tap(session: &mut Session, chip: u8) {
    let tap = CardTap { reader: "spot".into(), uid: uid(chip), content: TagContent::Empty };
    session.cards(&CardEvent::Tapped(tap), Instant::ZERO);
}

fn enter(session: &mut Session, text: &str) {
    match words::read(text, session.table(), None, None, Instant::ZERO)
        .unwrap_or_else(|told| panic!("{text}: {told}"))
    {
        TypedOrder::Do(inputs) => {
            for input in &inputs {
                session.enter(input, Instant::ZERO).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            }
        }
        TypedOrder::Misdeal => session.misdeal(),
        TypedOrder::Open(game, reason) => session.open_sealed(game, &reason, Instant::ZERO),
        other => panic!("{text} is not an input: {other:?}"),
    }
}

/// Plays two games with chips that have these faces, and returns what can be seen after each step.
fn played(faces: &[usize], voice: &str) -> Vec<Vec<String>> {
    let mut session = Session::new(header(voice), None, None);
    session.use_deck(deck(faces));
    session.read_deals();
    let (mut all, mut chip) = (Vec::new(), 0);
    for (street, typed) in STREETS.into_iter().enumerate() {
        let count = if street % 3 == 2 { 2 } else { 4 };
        for nth in 0..count {
            // One card cannot be read by its reader. Each of the other cards is tapped twice on the reader.
            if street == 4 && nth == 1 {
                session.dealt_unread(Instant::ZERO);
                continue;
            }
            chip += 1;
            tap(&mut session, chip);
            all.push(seen(&mut session));
            tap(&mut session, chip);
            all.push(seen(&mut session));
        }
        for text in typed {
            enter(&mut session, text);
            all.push(seen(&mut session));
        }
        if street == 2 {
            for chip in TURNED_OVER {
                tap(&mut session, chip);
                all.push(seen(&mut session));
                // The list of legal placements depends only on what everybody sees, not on cards that are still
                // hidden.
                let mut legal = session.table().legal().into_iter();
                let place = legal.find_map(|legal| match legal {
                    LegalInput::Game(Offer::Place { by, piece, at }) => Some((by, piece.letter(), at[0])),
                    _ => None,
                });
                let (by, piece, at) = place.unwrap();
                enter(&mut session, &format!("{piece} {at}"));
                enter(&mut session, &format!("press {}", by.word()));
                all.push(seen(&mut session));
            }
            for text in ["resign white", "next"] {
                enter(&mut session, text);
                all.push(seen(&mut session));
            }
        }
    }
    assert_eq!(session.table().past_games().len(), 1, "two games were played");
    all
}

/// Two random orders of the deck. The cards that will be turned over have the same faces in both orders.
fn decks() -> impl Strategy<Value = (Vec<usize>, Vec<usize>)> {
    let any = Just((0..44).collect::<Vec<usize>>()).prop_shuffle();
    any.prop_flat_map(|one| {
        let (turned_over, hidden) = one.split_at(TURNED_OVER.len());
        let turned_over = turned_over.to_vec();
        let other = Just(hidden.to_vec()).prop_shuffle();
        (Just(one.clone()), other.prop_map(move |hidden| [turned_over.clone(), hidden].concat()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn tables_that_differ_in_hidden_faces_alone_look_the_same((one, other) in decks(), event in any::<bool>()) {
        let voice = if event { "event" } else { "casual" };
        let (one, other) = (played(&one, voice), played(&other, voice));
        for (step, (one, other)) in one.iter().zip(&other).enumerate() {
            for (view, (one, other)) in one.iter().zip(other).enumerate() {
                prop_assert_eq!(one, other, "step {}, view {}", step, view);
            }
        }
    }
}

/// Shows that the test above would notice a leak: the face of a card that is turned over does appear in what can be
/// seen.
#[test]
fn a_card_that_is_turned_over_is_seen() {
    let order: Vec<usize> = (0..44).collect();
    let mut session = Session::new(header("casual"), None, None);
    session.use_deck(deck(&order));
    session.read_deals();
    for (chips, bets) in
        [(1..=4, ["call", "check"]), (5..=8, ["check", "check"]), (9..=10, ["check", "check"])]
    {
        chips.for_each(|chip| tap(&mut session, chip));
        for bet in bets {
            enter(&mut session, bet);
        }
    }
    seen(&mut session);
    tap(&mut session, 1);
    let views = seen(&mut session);
    assert!(views[0].contains("queen"), "{}", views[0]);
    assert!(views[6].contains(r#""cards":{"white":["Q","?"]"#), "{}", views[6]);
}

/// An event at a table whose cards are dealt over readers.
#[derive(Clone, Copy, Debug)]
enum Happens {
    Tapped(&'static str, u8),
    Came(&'static str),
    Gone(&'static str),
    Typed(&'static str),
    Unread,
    Misdeal,
}

fn happens() -> impl Strategy<Value = Happens> {
    let reader = || prop::sample::select(vec!["left", "right", "spot"]);
    let word = prop::sample::select(vec![
        "deal",
        "check",
        "call",
        "fold",
        "raise 8",
        "all-in",
        "undo",
        "redo",
        "next",
        "fouled a torn card",
        "Q",
        "P",
        "pause",
        "resume",
        "press white",
        "press black",
        "Q d1",
        "resign white",
        "consent white",
    ]);
    prop_oneof![
        // Only four cards are tapped, the deck's four queens. If a queen could be dealt twice, the game could have a
        // fifth queen, which the test would notice.
        8 => (reader(), 1..=4_u8).prop_map(|(reader, nth)| Happens::Tapped(reader, nth)),
        1 => reader().prop_map(Happens::Came),
        1 => reader().prop_map(Happens::Gone),
        6 => word.prop_map(Happens::Typed),
        4 => Just(Happens::Unread),
        1 => Just(Happens::Misdeal),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// No card is dealt twice in a game, each street has the right number of cards, and replaying the record's lines
    /// gives the same table.
    #[test]
    fn whatever_is_tapped_and_typed_the_record_holds(happened in prop::collection::vec(happens(), 0..160)) {
        let order: Vec<usize> = (0..44).collect();
        let mut session = Session::new(header("casual"), None, None);
        session.use_deck(deck(&order));
        session.read_deals();
        for happens in happened {
            match happens {
                Happens::Tapped(reader, nth) => {
                    let tap = CardTap { reader: reader.into(), uid: uid(nth), content: TagContent::Empty };
                    session.cards(&CardEvent::Tapped(tap), Instant::ZERO);
                }
                Happens::Came(reader) => session.cards(&CardEvent::Connected(reader.into()), Instant::ZERO),
                Happens::Gone(reader) => session.cards(&CardEvent::Disconnected(reader.into()), Instant::ZERO),
                Happens::Unread => session.dealt_unread(Instant::ZERO),
                Happens::Misdeal => session.misdeal(),
                Happens::Typed(text) => {
                    if let Ok(TypedOrder::Do(inputs)) = words::read(text, session.table(), None, None, Instant::ZERO) {
                        // The table refuses many of these typed inputs. That is no failure of the test.
                        let _ = inputs.iter().try_for_each(|input| session.enter(input, Instant::ZERO).map(drop));
                    }
                }
            }
        }
        let mut again = Replay::new(header("casual"));
        for (line, number) in session.lines().iter().zip(2..) {
            let fed = again.feed(number, &line.to_string());
            prop_assert!(fed.is_ok(), "line {number}, {line}: {fed:?}");
        }
        prop_assert_eq!(again.report().to_string(), session.replay().report().to_string());
        for game in GameCards::of_games(session.table()) {
            let faces = Color::ALL.into_iter().flat_map(|color| game.dealt(color)).filter(|face| *face != "?");
            let mut counts = std::collections::BTreeMap::<&str, u8>::new();
            faces.for_each(|face| *counts.entry(face).or_default() += 1);
            for (face, count) in counts {
                let card = Card::from_letter(face.chars().next().unwrap()).unwrap();
                prop_assert!(count <= card.in_deck(), "{count} of {face}");
            }
        }
    }
}
