//! Tests of cards on readers in PokerDrez: each tapped card becomes the line that the table waits for.

use tabiya_boards::BoardEvent;
use tabiya_cards::deck::{Deck, DeckCard, Face};
use tabiya_cards::{CardEvent, CardId, CardTap, TagContent, Uid};
use tabiya_engine::record::{Body, Header, Line};
use tabiya_engine::rules::GAMES;
use tabiya_types::{Board, CardFace, Color, Instant, Observation, Pack, Seat};

use super::super::Session;
use crate::words;

/// A deck on whose cards nothing is written; their chips count from 1 in the order of the faces.
fn deck() -> Deck {
    let pack = Pack::PokerDrez;
    let copies = |face| (1..=pack.count(face)).filter_map(move |copy| Face::new(pack, face, copy));
    let cards = pack.faces().flat_map(copies).zip(1..);
    let cards = cards.map(|(face, chip)| DeckCard { uid: uid(chip), id: None, face }).collect();
    Deck::new(pack, CardId([1; 16]), "Drez", "2026-11-25", cards).expect("a deck")
}

fn uid(chip: u8) -> Uid {
    Uid::new(&[4, 0, 0, chip]).expect("four bytes")
}

/// The chip of the `copy`-th card with this letter.
fn chip(letter: char, copy: u8) -> u8 {
    let face = CardFace::from_letter(letter).expect("a face");
    let before: u8 = Pack::PokerDrez
        .faces()
        .take_while(|other| *other != face)
        .map(|face| Pack::PokerDrez.count(face))
        .sum();
    before + copy
}

/// A session, and how many milliseconds have passed: three seconds with each card.
struct Seated(Session, u64);

impl Seated {
    fn new() -> Self {
        let header = r#"{"tabiya":1,"game":"pokerdrez","players":{"A":"Ann","B":"Bo"},"white":"A"}"#;
        let mut session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
        session.use_deck(deck());
        session.cards(&CardEvent::Connected("reader".into()), Instant::ZERO);
        session.take_said();
        Self(session, 0)
    }

    fn now(&self) -> Instant {
        Instant::from_millis(self.1)
    }

    fn said(&mut self) -> String {
        self.0.take_said().into_iter().map(|said| said.text.to_string()).collect::<Vec<_>>().join("; ")
    }

    fn types(&mut self, text: &str) {
        let order = words::read(text, self.0.table(), None, None, self.now())
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        let words::TypedOrder::Do(inputs) = order else { panic!("{text} is no input") };
        for input in inputs {
            self.0.enter(&input, self.now()).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        }
        self.0.take_said();
    }

    /// Enters a line of a record.
    fn enters(&mut self, line: &str) {
        let header = self.0.replay().header().clone();
        let Body::Acted(input) = Line::parse(line, &header).expect("a line").body else { panic!("{line}") };
        self.0.enter(&input, self.now()).unwrap_or_else(|fault| panic!("{line}: {fault}"));
        self.0.take_said();
    }

    fn taps_on(&mut self, reader: &str, letter: char, copy: u8) -> String {
        let tap = CardTap { reader: reader.into(), uid: uid(chip(letter, copy)), content: TagContent::Empty };
        self.1 += 3_000;
        self.0.cards(&CardEvent::Tapped(tap), self.now());
        self.said()
    }

    fn taps(&mut self, letter: char, copy: u8) -> String {
        self.taps_on("reader", letter, copy)
    }

    /// The card that lies on the reader is read once more, because it is lifted slowly.
    fn reads_again(&mut self, letter: char, copy: u8) -> String {
        self.1 -= 2_900;
        self.refused(letter, copy)
    }

    fn deals(&mut self, row: &[(char, u8)]) {
        for (letter, copy) in row {
            self.taps(*letter, *copy);
        }
    }

    fn last(&self) -> String {
        self.0.lines().last().map(ToString::to_string).unwrap_or_default()
    }

    /// Taps a card that must not become a line, and returns what was said. It must not name the face.
    #[track_caller]
    fn refused(&mut self, letter: char, copy: u8) -> String {
        let before = self.0.lines().len();
        let said = self.taps(letter, copy);
        assert_eq!(self.0.lines().len(), before, "{said}");
        for face in ["joker", "queen", "rook", "bishop", "knight", "pawn", "neutral"] {
            assert!(!said.contains(face), "{said}");
        }
        said
    }
}

#[test]
fn the_open_cards_of_a_deal_are_tapped_one_by_one() {
    let mut seated = Seated::new();
    assert!(seated.taps('P', 1).contains("open card 1 of 5: pawn"));
    assert!(seated.refused('P', 1).contains("this card lies in this deal already"));
    seated.deals(&[('N', 2), ('B', 1), ('R', 9)]);
    assert_eq!(seated.0.lines().len(), 0);
    seated.taps('X', 1);
    assert!(
        seated.last().contains(r#""do":"deal","cards":{"common":["P","N","B","R","X"]}"#),
        "{}",
        seated.last()
    );
}

#[test]
fn a_deal_is_begun_again_after_a_wrong_card() {
    let mut seated = Seated::new();
    seated.taps('P', 1);
    seated.0.misdeal();
    assert!(seated.said().contains("deal the street again"));
    seated.deals(&[('P', 1), ('P', 2), ('P', 3), ('P', 4), ('Q', 1)]);
    assert!(seated.last().contains(r#"["P","P","P","P","Q"]"#), "{}", seated.last());
}

#[test]
fn tapped_cards_are_laid_from_where_they_lie_and_put_back() {
    let mut seated = Seated::new();
    seated.deals(&[('P', 1), ('N', 2), ('B', 1), ('R', 9), ('X', 1)]);
    seated.taps('P', 1);
    assert!(
        seated
            .last()
            .contains(r#""do":"reveal","by":"white","card":"P","from":"common","how":"read","copy":1"#),
        "{}",
        seated.last()
    );
    seated.types("e4");
    assert!(seated.refused('N', 2).contains("lies in the row already"));
    seated.taps('N', 7);
    assert!(seated.last().contains(r#""do":"return","by":"white","card":"N","how":"read","copy":7"#));
    seated.types("press white");
    // A knight that a reader saw go into the row comes from there; another one comes from the hand.
    seated.taps('N', 5);
    assert!(seated.last().contains(r#""by":"black","card":"N","from":"own""#), "{}", seated.last());
    seated.types("Nf6");
    seated.types("press black");
    assert!(seated.refused('P', 1).contains("was used before in this game"));
    seated.taps('N', 7);
    assert!(seated.last().contains(r#""by":"white","card":"N","from":"common""#), "{}", seated.last());
    assert!(seated.refused('P', 5).contains("no card is to be laid now"), "a card lies already");
    seated.types("undo");
    seated.taps('N', 7);
    assert!(seated.last().contains(r#""by":"white","card":"N","from":"common""#), "{}", seated.last());
}

#[test]
fn a_card_that_can_come_from_two_places_is_asked_about() {
    let mut seated = Seated::new();
    seated.types("deal N P P Q Q");
    assert!(seated.refused('N', 1).contains("can be an open card or an own one"));
    seated.types("row N");
    seated.types("Nf3");
    seated.types("return B");
    seated.types("press white");
    seated.taps('N', 4);
    assert!(seated.last().contains(r#""by":"black","card":"N","from":"own""#), "{}", seated.last());
}

#[test]
fn a_player_whose_cards_move_nothing_lays_both_down() {
    let mut seated = Seated::new();
    seated.deals(&[('Q', 1), ('R', 1), ('B', 1), ('B', 2), ('Q', 2)]);
    assert!(seated.refused('Q', 1).contains("cannot be laid now"), "a card of the row moves nothing");
    assert!(seated.refused('R', 3).contains("the other own card"));
    seated.taps('B', 3);
    assert!(seated.last().contains(r#""do":"show","by":"white","cards":["R","B"]"#), "{}", seated.last());
    assert!(seated.refused('R', 3).contains("was used before"));
}

#[test]
fn hidden_cards_are_read_while_they_are_dealt_and_drawn_and_never_named() {
    let mut seated = Seated::new();
    seated.0.read_deals();
    seated.said();
    assert!(seated.refused('N', 1).contains("card 1 of 9 is dealt, to White"));
    assert!(seated.refused('P', 9).contains("card 2 of 9 is dealt, to Black"));
    seated.refused('P', 8);
    seated.refused('J', 1);
    seated.deals(&[('P', 1), ('N', 2), ('B', 1), ('R', 9), ('X', 1)]);
    let deal = seated.last();
    assert!(deal.contains(r#""white":["N","P"]"#) && deal.contains(r#""black":["P","J"]"#), "{deal}");
    assert!(seated.refused('J', 1).contains("was dealt to Black"));
    seated.taps('P', 1);
    seated.types("e4");
    let said = seated.taps('Q', 4);
    assert!(!said.contains("queen"), "{said}");
    assert!(seated.last().contains(r#""do":"deal","cards":{"white":["Q"]}"#), "{}", seated.last());
    seated.taps('Q', 4);
    assert!(seated.last().contains(r#""do":"return","by":"white","card":"Q""#), "{}", seated.last());
    seated.types("press white");
    seated.taps('J', 1);
    assert!(seated.last().contains(r#""by":"black","card":"J","from":"own""#), "{}", seated.last());
}

#[test]
fn a_card_that_was_not_read_is_told_and_typed_open_cards_keep_the_hidden_ones() {
    let mut seated = Seated::new();
    seated.0.read_deals();
    seated.taps('N', 1);
    seated.0.dealt_unread(Instant::ZERO);
    seated.taps('P', 8);
    seated.taps('J', 1);
    seated.0.dealt_unread(Instant::ZERO);
    assert!(seated.said().contains("an open card has to be known"));
    seated.types("deal P N B R X");
    let deal = seated.last();
    assert!(deal.contains(r#""white":["N","P"]"#) && deal.contains(r#""black":["?","J"]"#), "{deal}");
}

#[test]
fn of_two_readers_each_becomes_a_players() {
    let mut seated = Seated::new();
    seated.0.cards(&CardEvent::Connected("other".into()), Instant::ZERO);
    seated.deals(&[('P', 1), ('N', 2), ('B', 1), ('R', 9), ('X', 1)]);
    seated.0.give_reader(&"reader".into(), Some(Seat::A));
    seated.said();
    let said = seated.taps_on("other", 'P', 1);
    assert!(said.contains("it is White's turn to lay a card"), "{said}");
    seated.taps('P', 1);
    assert!(seated.last().contains(r#""by":"white","card":"P""#), "{}", seated.last());
    assert_eq!(seated.0.table().seat_of(Color::White), Seat::A);
}

#[test]
fn a_card_that_is_read_twice_enters_one_line() {
    let mut seated = Seated::new();
    seated.0.read_deals();
    seated.deals(&[('N', 1), ('P', 9), ('P', 8), ('J', 1)]);
    seated.deals(&[('P', 1), ('N', 2), ('B', 1), ('R', 9), ('X', 1)]);
    assert!(seated.reads_again('X', 1).contains("once more"));
    seated.taps('P', 1);
    seated.types("e4");
    seated.taps('Q', 4);
    assert!(seated.reads_again('Q', 4).contains("once more"), "the drawn card is not put into the row");
}

#[test]
fn a_deck_that_is_put_away_takes_its_deal_along() {
    let mut seated = Seated::new();
    seated.0.read_deals();
    seated.deals(&[('N', 1), ('P', 9)]);
    seated.0.put_deck_away();
    seated.0.use_deck(deck());
    seated.0.cards(&CardEvent::Connected("reader".into()), Instant::ZERO);
    seated.said();
    assert!(seated.taps('R', 1).contains("open card 1 of 5"), "hidden cards never become open ones");
}

#[test]
fn a_card_that_the_other_may_have_drawn_is_never_laid() {
    let mut seated = Seated::new();
    seated.0.read_deals();
    seated.taps('N', 1);
    seated.0.dealt_unread(Instant::ZERO);
    seated.deals(&[('P', 8), ('J', 1), ('P', 1), ('N', 2), ('B', 1), ('R', 9), ('X', 1)]);
    seated.taps('P', 1);
    seated.types("e4");
    seated.types("return P");
    seated.types("press white");
    // White lays down what he has drawn only now. Black has a card that was not read.
    assert!(seated.refused('Q', 4).contains("may be one that Black lays or the one that White has drawn"));
}

#[test]
fn only_a_card_that_a_player_still_has_says_that_he_agrees() {
    let mut seated = Seated::new();
    seated.0.read_deals();
    seated.deals(&[('N', 1), ('P', 9), ('P', 8), ('J', 1)]);
    seated.deals(&[('Q', 1), ('N', 2), ('B', 1), ('R', 9), ('X', 1)]);
    seated.taps('P', 8);
    seated.types("e4");
    seated.types("press white");
    let table = seated.0.table().clone();
    let received = seated.0.course.cards.received(&table);
    let has = |face: char, copy: u8| {
        received.iter().any(|(_, known)| known.shows().letter() == face && known.copy() == copy)
    };
    assert!(has('N', 1) && has('P', 9) && !has('P', 8), "{received:?}");
}

/// The usual board without these squares, as a board reports it.
fn shows_without(session: &mut Session, squares: &[&str], at: Instant) {
    let mut board: Board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().expect("a board");
    for square in squares {
        board[square.parse().expect("a square")] = None;
    }
    session.board(&BoardEvent::Observed(Observation::Whole(board)), at);
}

#[test]
fn a_refused_card_leaves_nothing_behind() {
    let mut seated = Seated::new();
    seated.0.read_deals();
    seated.deals(&[('N', 1), ('P', 9), ('P', 8), ('J', 1), ('P', 1), ('N', 2), ('B', 1), ('R', 9), ('X', 1)]);
    seated.types("own P");
    seated.types("e4");
    // White has drawn a card, but the arbiter stops the game: the line that tells it is refused.
    seated.types("pause");
    let refused = seated.taps('Q', 4);
    assert!(!seated.last().contains(r#""do":"deal""#), "{refused}");
    seated.types("resume");
    // The same line, typed without a reader: nobody knows which queen it is.
    seated.enters(r#"{"t":0,"do":"deal","cards":{"white":["Q"]}}"#);
    let received = seated.0.course.cards.received(&seated.0.table().clone());
    assert!(!received.iter().any(|(_, face)| face.shows().letter() == 'Q'), "{received:?}");
}

#[test]
fn a_ruling_with_a_result_ends_the_deal_on_the_reader() {
    let mut seated = Seated::new();
    seated.deals(&[('P', 1), ('N', 2)]);
    seated.enters(r#"{"t":0,"do":"rule","by":"arbiter","reason":"late","set":{"winner":"A"}}"#);
    seated.types("next");
    assert!(seated.taps('P', 1).contains("open card 1 of 5"), "the next deal begins anew");
}

#[test]
fn a_tapped_deal_waits_for_the_board() {
    let mut seated = Seated::new();
    shows_without(&mut seated.0, &["d8"], Instant::ZERO);
    seated.said();
    seated.deals(&[('P', 1), ('N', 2), ('B', 1), ('R', 9)]);
    let said = seated.taps('X', 1);
    assert!(
        said.contains("the board is not ready") && said.contains("lay one of them down once more"),
        "{said}"
    );
    assert!(!seated.last().contains(r#""do":"deal""#), "{}", seated.last());
    assert!(seated.refused('Q', 1).contains("lay one of them down once more"));
    seated.taps('X', 1);
    assert!(seated.last().contains(r#""common":["P","N","B","R","X"]"#), "{}", seated.last());
}

#[test]
fn a_typed_card_of_the_row_makes_its_copies_there_unknown() {
    let mut seated = Seated::new();
    seated.deals(&[('P', 1), ('N', 2), ('B', 1), ('R', 9), ('X', 1)]);
    seated.types("row N");
    seated.types("Nf3");
    // Another knight lies in the row now. Nobody read it, and the one that was read is out of play.
    seated.types("return N");
    seated.types("press white");
    assert!(seated.refused('N', 2).contains("can be an open card or an own one"), "{}", seated.last());
}

#[test]
fn a_card_that_cannot_be_an_own_one_is_not_shown() {
    let mut seated = Seated::new();
    seated.deals(&[('Q', 1), ('R', 1), ('X', 1), ('X', 2), ('B', 1)]);
    seated.types("swap row stock Q");
    seated.types("swap row stock R");
    // Both neutral cards of the deck are out of play.
    let said = seated.refused('X', 1);
    assert!(said.contains("cannot be laid now"), "{said}");
}
