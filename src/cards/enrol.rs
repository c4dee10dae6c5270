//! Making a deck of cards, and looking whether one is whole: what was tapped and said goes in, what is next comes out.
//!
//! Pure: no reader, no file, no time; ids are given from outside. Nothing printed by accident names a face.

use std::collections::BTreeSet;
use std::fmt;

use tabiya_types::{Card, Sentence, say};

use super::deck::{CARDS, CardFault, Deck, DeckCard, Face, NoDeck};
use super::ndef::{CardId, TagContent};
use super::tag::Uid;

/// How a deck is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnrolMethod {
    /// Each card gets an id of its own written into it.
    Write,
    /// Cards stay as they are; only their numbers are noted. Any chip will do.
    Adopt,
}

/// What is to be done next.
#[derive(Clone, PartialEq, Eq)]
pub enum Next {
    /// Lay down a card: any, or one of this face if they are asked for in an order.
    Tap(Option<Card>),
    /// Write this id into the card that lies there.
    Write(Uid, CardId),
    /// Say which face the card that lies there has.
    Face,
    /// All 44 are there: tap them all again, in any order.
    Check,
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tap(_) => "Tap",
            Self::Write(..) => "Write",
            Self::Face => "Face",
            Self::Check => "Check",
        })
    }
}

/// Why a card or a face is not taken. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EnrolRefusal {
    /// A telephone, or a card that hides its number.
    MadeUp,
    /// It is in this deck already.
    Again,
    /// All cards of this face are there.
    Full(Card),
    /// Something else is due.
    NotNow,
    /// There is nothing to take back.
    Nothing,
}

impl EnrolRefusal {
    /// What is said about it.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::MadeUp => CardFault::MadeUp.sentence(),
            Self::Again => say!("enrol-again", "this card is in the deck already; lay down another one"),
            Self::Full(card) => say!(
                "enrol-full",
                "the deck has all its {count} cards of this face ({card}); look at the card again",
                count = card.in_deck(),
                card = *card
            ),
            Self::NotNow => {
                say!(
                    "enrol-not-now",
                    "this is not asked for now; do what is asked, or take the last card back (`undo`)"
                )
            }
            Self::Nothing => say!("enrol-nothing", "there is nothing to take back"),
        }
    }
}

/// A deck in the making.
#[derive(Clone)]
pub struct Enrolment {
    way: EnrolMethod,
    /// The faces in the order in which they are asked for; none if people say them.
    asked: Option<Vec<Card>>,
    cards: Vec<DeckCard>,
    /// The card that lies there and is not in the deck yet.
    pending: Option<Pending>,
}

#[derive(Clone, Copy)]
struct Pending {
    uid: Uid,
    /// What is written into it, or is to be.
    id: Option<CardId>,
    written: bool,
}

impl Enrolment {
    /// Begins. With `asked`, the faces of [`super::deck::shuffled`], cards are asked for by face; without, people say
    /// each card's face.
    pub fn new(way: EnrolMethod, asked: Option<Vec<Card>>) -> Self {
        Self { way, asked, cards: Vec::new(), pending: None }
    }

    /// Goes on with cards that are in the deck already; they must be different ones.
    pub(super) fn going_on(way: EnrolMethod, asked: Option<Vec<Card>>, cards: Vec<DeckCard>) -> Self {
        Self { way, asked, cards, pending: None }
    }

    /// How the deck is made.
    pub fn method(&self) -> EnrolMethod {
        self.way
    }

    /// The order in which faces are asked for, if they are.
    pub fn asked(&self) -> Option<&[Card]> {
        self.asked.as_deref()
    }

    /// The cards that are in the deck so far. Whoever asks a card for its face means it.
    pub fn cards(&self) -> &[DeckCard] {
        &self.cards
    }

    /// What is to be done now.
    pub fn next(&self) -> Next {
        match self.pending {
            Some(Pending { uid, id: Some(id), written: false }) => Next::Write(uid, id),
            Some(_) => Next::Face,
            None if self.cards.len() == CARDS => Next::Check,
            None => Next::Tap(self.asked_now()),
        }
    }

    fn asked_now(&self) -> Option<Card> {
        self.asked.as_ref().and_then(|faces| faces.get(self.cards.len())).copied()
    }

    /// A card was laid down; `id` is a new random number, used if one is to be written.
    pub fn tapped(&mut self, uid: Uid, id: CardId) -> Result<Next, EnrolRefusal> {
        if uid.is_random() {
            return Err(EnrolRefusal::MadeUp);
        }
        if self.cards.iter().any(|card| card.uid == uid) {
            return Err(EnrolRefusal::Again);
        }
        match self.pending {
            // The same card once more, after it was lifted too soon: what was begun goes on.
            Some(pending) if pending.uid == uid => return Ok(self.next()),
            Some(Pending { written: true, .. }) => return Err(EnrolRefusal::NotNow),
            // A card that was never written is left for another.
            Some(_) | None => {}
        }
        if self.cards.len() == CARDS {
            return Err(EnrolRefusal::NotNow);
        }
        self.pending = Some(match self.way {
            EnrolMethod::Write => Pending { uid, id: Some(id), written: false },
            EnrolMethod::Adopt => Pending { uid, id: None, written: true },
        });
        Ok(self.go_on())
    }

    /// The card was written as asked.
    pub fn written(&mut self, uid: Uid) -> Result<Next, EnrolRefusal> {
        match &mut self.pending {
            Some(pending) if pending.uid == uid && !pending.written => pending.written = true,
            _ => return Err(EnrolRefusal::NotNow),
        }
        Ok(self.go_on())
    }

    /// Takes the face that was asked for, if it was.
    fn go_on(&mut self) -> Next {
        if self.next() == Next::Face
            && let Some(card) = self.asked_now()
        {
            // The order asks for no face more often than the deck has it.
            let _ = self.face(card);
        }
        self.next()
    }

    /// The card that lies there has this face.
    pub fn face(&mut self, card: Card) -> Result<Next, EnrolRefusal> {
        let Some(Pending { uid, id, written: true }) = self.pending else { return Err(EnrolRefusal::NotNow) };
        // After an undo the free copy may be in the middle.
        let taken: BTreeSet<u8> = self
            .cards
            .iter()
            .filter(|known| known.face.card() == card)
            .map(|known| known.face.copy())
            .collect();
        let face =
            (1..=card.in_deck()).find(|copy| !taken.contains(copy)).and_then(|copy| Face::new(card, copy));
        let face = face.ok_or(EnrolRefusal::Full(card))?;
        self.pending = None;
        self.cards.push(DeckCard { uid, id, face });
        Ok(self.next())
    }

    /// Takes the card that lies there back, or the last one.
    pub fn undo(&mut self) -> Result<Next, EnrolRefusal> {
        if self.pending.take().is_none() {
            self.cards.pop().ok_or(EnrolRefusal::Nothing)?;
        }
        Ok(self.next())
    }

    /// How many cards are in the deck, of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.cards.len(), CARDS)
    }

    /// How many cards of each face are still to come.
    pub fn missing(&self) -> Vec<(Card, u8)> {
        let left = |face: Card| {
            let there = self.cards.iter().filter(|card| card.face.card() == face);
            there.fold(face.in_deck(), |left, _| left.saturating_sub(1))
        };
        Card::ALL.into_iter().map(|face| (face, left(face))).filter(|(_, left)| *left > 0).collect()
    }

    /// The face of the card that came into the deck last.
    pub fn last(&self) -> Option<Card> {
        self.cards.last().map(|card| card.face.card())
    }

    /// The deck, when all cards are there.
    pub fn deck(&self, number: CardId, name: &str, made: &str) -> Result<Deck, NoDeck> {
        Deck::new(number, name, made, self.cards.clone())
    }
}

impl fmt::Debug for Enrolment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Enrolment")
            .field("way", &self.way)
            .field("cards", &self.cards.len())
            .finish_non_exhaustive()
    }
}

/// A look at a whole deck, tapped in any order.
#[derive(Clone)]
pub struct Audit {
    deck: Deck,
    seen: BTreeSet<Uid>,
}

/// What a tapped card is to the audit.
#[derive(Clone, PartialEq, Eq)]
pub enum Audited {
    /// A card of the deck, for the first time.
    New(Face),
    /// One that was there before.
    Again,
    /// Something is wrong with it.
    Fault(CardFault),
}

impl fmt::Debug for Audited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New(_) => f.write_str("New"),
            Self::Again => f.write_str("Again"),
            Self::Fault(fault) => write!(f, "Fault({fault:?})"),
        }
    }
}

impl Audit {
    /// Begins.
    pub fn new(deck: Deck) -> Self {
        Self { deck, seen: BTreeSet::new() }
    }

    /// A card was laid down.
    pub fn tapped(&mut self, uid: Uid, content: &TagContent) -> Audited {
        match self.deck.check(uid, content) {
            Err(fault) => Audited::Fault(fault),
            Ok(face) if self.seen.insert(uid) => Audited::New(face),
            Ok(_) => Audited::Again,
        }
    }

    /// How many cards were seen, of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.seen.len(), CARDS)
    }

    /// The cards that were not seen, by face and copy: for whoever looks for them.
    pub fn missing(&self) -> Vec<Face> {
        let missing = self.deck.cards().iter().filter(|card| !self.seen.contains(&card.uid));
        let mut missing: Vec<Face> = missing.map(|card| card.face).collect();
        missing.sort();
        missing
    }

    /// The deck that is looked at.
    pub fn deck(&self) -> &Deck {
        &self.deck
    }
}

impl fmt::Debug for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Audit").field("deck", &self.deck).field("seen", &self.seen.len()).finish()
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may stop at the first surprise")]
mod tests {
    use super::super::deck::tests::{deck, id, uid};
    use super::super::ndef::Record;
    use super::*;

    fn faces() -> Vec<Card> {
        Card::ALL.into_iter().flat_map(|card| std::iter::repeat_n(card, card.in_deck().into())).collect()
    }

    #[test]
    fn a_deck_is_written_card_by_card_and_each_face_is_said() {
        let mut enrolment = Enrolment::new(EnrolMethod::Write, None);
        for (nth, face) in (0..).zip(faces()) {
            assert_eq!(enrolment.progress(), (usize::from(nth), 44));
            assert_eq!(enrolment.next(), Next::Tap(None));
            assert_eq!(enrolment.tapped(uid(nth), id(nth)), Ok(Next::Write(uid(nth), id(nth))));
            assert_eq!(enrolment.face(face), Err(EnrolRefusal::NotNow), "it is not written yet");
            assert_eq!(enrolment.written(uid(nth)), Ok(Next::Face));
            enrolment.face(face).expect("there is room");
        }
        assert_eq!(enrolment.next(), Next::Check);
        assert_eq!(enrolment.tapped(uid(100), id(100)), Err(EnrolRefusal::NotNow));
        let made = enrolment.deck(id(200), "Club", "2026-11-22").expect("whole");
        assert_eq!(made, deck());
    }

    #[test]
    fn faces_that_are_asked_for_are_taken_without_a_word() {
        let mut enrolment = Enrolment::new(EnrolMethod::Adopt, Some(faces()));
        for nth in 0..44 {
            assert!(matches!(enrolment.next(), Next::Tap(Some(_))));
            enrolment.tapped(uid(nth), id(0)).expect("a new card");
        }
        assert_eq!(enrolment.next(), Next::Check);
        assert_eq!(enrolment.deck(id(1), "Tickets", "").expect("whole").adopted(), 44);
    }

    #[test]
    fn telephones_cards_twice_and_a_fifth_queen_are_refused() {
        let mut enrolment = Enrolment::new(EnrolMethod::Adopt, None);
        let phone = Uid::parse("08112233").expect("a number");
        assert_eq!(enrolment.tapped(phone, id(0)), Err(EnrolRefusal::MadeUp));
        for nth in 0..4 {
            assert_eq!(enrolment.tapped(uid(nth), id(0)), Ok(Next::Face));
            assert_eq!(enrolment.face(Card::Queen), Ok(Next::Tap(None)));
        }
        assert_eq!(enrolment.tapped(uid(2), id(0)), Err(EnrolRefusal::Again));
        assert_eq!(enrolment.tapped(uid(9), id(0)), Ok(Next::Face));
        assert_eq!(enrolment.face(Card::Queen), Err(EnrolRefusal::Full(Card::Queen)));
        assert_eq!(enrolment.tapped(uid(10), id(0)), Err(EnrolRefusal::NotNow), "the face comes first");
        assert_eq!(enrolment.face(Card::Rook), Ok(Next::Tap(None)));
        assert_eq!(enrolment.progress(), (5, 44));
    }

    #[test]
    fn a_card_that_was_not_written_is_laid_down_again_or_left() {
        let mut enrolment = Enrolment::new(EnrolMethod::Write, None);
        assert_eq!(enrolment.tapped(uid(1), id(1)), Ok(Next::Write(uid(1), id(1))));
        assert_eq!(enrolment.tapped(uid(1), id(2)), Ok(Next::Write(uid(1), id(1))), "the same id as before");
        assert_eq!(enrolment.tapped(uid(2), id(3)), Ok(Next::Write(uid(2), id(3))));
        assert_eq!(enrolment.written(uid(1)), Err(EnrolRefusal::NotNow));
        assert_eq!(enrolment.written(uid(2)), Ok(Next::Face));
    }

    #[test]
    fn undo_takes_back_the_card_that_lies_there_and_then_the_last() {
        let mut enrolment = Enrolment::new(EnrolMethod::Adopt, None);
        assert_eq!(enrolment.undo(), Err(EnrolRefusal::Nothing));
        for nth in 0..2 {
            enrolment.tapped(uid(nth), id(0)).expect("a new card");
            enrolment.face(Card::Rook).expect("room");
        }
        enrolment.tapped(uid(3), id(0)).expect("a new card");
        assert_eq!(enrolment.undo(), Ok(Next::Tap(None)));
        assert_eq!(enrolment.progress(), (2, 44));
        assert_eq!(enrolment.missing().iter().find(|(card, _)| *card == Card::Rook), Some(&(Card::Rook, 6)));
        assert_eq!(enrolment.undo(), Ok(Next::Tap(None)));
        assert_eq!((enrolment.progress(), enrolment.last()), ((1, 44), Some(Card::Rook)));
        assert_eq!(enrolment.missing().iter().find(|(card, _)| *card == Card::Rook), Some(&(Card::Rook, 7)));
        assert_eq!(enrolment.tapped(uid(1), id(0)), Ok(Next::Face), "it may come again");
    }

    #[test]
    fn an_audit_tells_what_is_missing_and_what_does_not_belong() {
        let mut audit = Audit::new(deck());
        let ours = |nth| TagContent::Ours(Record::new(id(nth)));
        for nth in (0..44).filter(|nth| ![3, 20].contains(nth)).rev() {
            assert!(matches!(audit.tapped(uid(nth), &ours(nth)), Audited::New(_)));
        }
        assert_eq!(audit.tapped(uid(7), &ours(7)), Audited::Again);
        assert_eq!(audit.tapped(uid(99), &ours(3)), Audited::Fault(CardFault::Copied));
        assert_eq!(audit.tapped(uid(99), &TagContent::Empty), Audited::Fault(CardFault::Foreign));
        assert_eq!(audit.progress(), (42, 44));
        let missing: Vec<String> =
            audit.missing().iter().map(|face| format!("{}{}", face.card().letter(), face.copy())).collect();
        assert_eq!(missing, ["Q4", "N1"]);
        let whole = deck().replaced(audit.missing()[0], uid(50), Some(id(50))).expect("another card");
        assert!(whole.check(uid(3), &ours(3)).is_err());
        assert_eq!(whole.check(uid(50), &ours(50)).map(Face::copy), Ok(4));
        assert!(deck().replaced(audit.missing()[0], uid(5), None).is_err(), "a card that is in the deck");
    }
}
