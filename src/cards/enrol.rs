//! Enrols the cards of a deck, and checks a finished deck. The input is the cards that people lay down (taps) and the
//! faces that they name; the output is the next step.
//!
//! This module knows neither readers nor files nor the time; random ids are arguments. `Debug` output contains no face.

use std::collections::BTreeSet;
use std::fmt;

use tabiya_types::{CardFace, Pack, Sentence, say};

use super::deck::{CardFault, Deck, DeckCard, Face, InvalidDeck};
use super::ndef::{CardId, TagContent};
use super::tag::Uid;

/// How the cards of a deck are enrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EnrolMethod {
    /// A random id is written on each card.
    Write,
    /// Nothing is written on the cards; only the UIDs of their chips are saved. So NFC chips of any type can be used.
    Adopt,
}

/// The next step of an enrolment.
#[derive(Clone, PartialEq, Eq)]
pub enum EnrolStep {
    /// Lay down a card: a card with this face, or any card if people name the faces.
    Tap(Option<CardFace>),
    /// Write this id on the card with this UID, which lies on the reader.
    Write(Uid, CardId),
    /// Name the face of the card that lies on the reader.
    Face,
    /// All cards are enrolled: lay all of them down again as a check, in any order.
    Check,
}

impl fmt::Debug for EnrolStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tap(_) => "Tap",
            Self::Write(..) => "Write",
            Self::Face => "Face",
            Self::Check => "Check",
        })
    }
}

/// Why a card or a face was not accepted. The enrolment is unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EnrolRefusal {
    /// The UID is different at every tap. What was laid down is a telephone, or a card that hides its serial number.
    RandomUid,
    /// The card is in this deck already.
    AlreadyEnrolled,
    /// All cards of this face are enrolled already.
    Full(CardFace, u8),
    /// The card or the face does not fit the step that is due.
    NotNow,
    /// There is no card to take back.
    Nothing,
}

impl EnrolRefusal {
    /// The sentence that people see.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::RandomUid => CardFault::RandomUid.sentence(),
            Self::AlreadyEnrolled => {
                say!("enrol-again", "this card is in the deck already; lay down another card")
            }
            Self::Full(card, count) => say!(
                "enrol-full",
                "the deck has all its {count} cards of this face ({card}); check the card's face",
                count = *count,
                card = *card
            ),
            Self::NotNow => {
                say!(
                    "enrol-not-now",
                    "Tabiya does not ask for this now; do what it asks for, or take the last card back (`undo`)"
                )
            }
            Self::Nothing => say!("enrol-nothing", "there is nothing to take back"),
        }
    }
}

/// A deck that is being enrolled.
#[derive(Clone)]
pub struct Enrolment {
    pack: Pack,
    method: EnrolMethod,
    /// The faces in the order in which the program asks for them; `None` if people name each card's face.
    asked: Option<Vec<CardFace>>,
    cards: Vec<DeckCard>,
    /// The card that was laid down and is not in the deck yet.
    pending: Option<Pending>,
}

#[derive(Clone, Copy)]
struct Pending {
    uid: Uid,
    /// The id that is or will be written on the card; `None` if nothing is written on the card.
    id: Option<CardId>,
    written: bool,
}

impl Enrolment {
    /// Begins an enrolment of such a deck. With `asked`, from [`super::deck::shuffled`], the program asks for each card by its face;
    /// without it, people name each card's face.
    pub fn new(pack: Pack, method: EnrolMethod, asked: Option<Vec<CardFace>>) -> Self {
        Self::resume(pack, method, asked, Vec::new())
    }

    /// Continues an enrolment that has these cards already. No two cards may have the same chip or the same id, and no
    /// two cards with the same face may have the same copy number.
    pub(super) fn resume(
        pack: Pack,
        method: EnrolMethod,
        asked: Option<Vec<CardFace>>,
        cards: Vec<DeckCard>,
    ) -> Self {
        Self { pack, method, asked, cards, pending: None }
    }

    /// Which cards the deck will have.
    pub fn pack(&self) -> Pack {
        self.pack
    }

    /// How the cards are enrolled: with an id written on each card, or with nothing written.
    pub fn method(&self) -> EnrolMethod {
        self.method
    }

    /// The order in which the program asks for faces; `None` if people name them.
    pub fn asked(&self) -> Option<&[CardFace]> {
        self.asked.as_deref()
    }

    /// The cards that are in the deck so far, with their faces: keep them secret.
    pub fn cards(&self) -> &[DeckCard] {
        &self.cards
    }

    /// Returns the step that is due.
    pub fn next(&self) -> EnrolStep {
        match self.pending {
            Some(Pending { uid, id: Some(id), written: false }) => EnrolStep::Write(uid, id),
            Some(_) => EnrolStep::Face,
            None if self.cards.len() == self.pack.size() => EnrolStep::Check,
            None => EnrolStep::Tap(self.asked_now()),
        }
    }

    fn asked_now(&self) -> Option<CardFace> {
        self.asked.as_ref().and_then(|faces| faces.get(self.cards.len())).copied()
    }

    /// Takes a card that was laid down and returns the next step. `id` is a new random id for the card; it is unused if
    /// nothing is written on the cards.
    pub fn tapped(&mut self, uid: Uid, id: CardId) -> Result<EnrolStep, EnrolRefusal> {
        if uid.is_random() {
            return Err(EnrolRefusal::RandomUid);
        }
        if self.cards.iter().any(|card| card.uid == uid) {
            return Err(EnrolRefusal::AlreadyEnrolled);
        }
        match self.pending {
            // The pending card was lifted too soon and laid down again. It keeps its id, which may already be on the
            // chip.
            Some(pending) if pending.uid == uid => return Ok(self.next()),
            Some(Pending { written: true, .. }) => return Err(EnrolRefusal::NotNow),
            // A new card replaces a pending card that was never written.
            Some(_) | None => {}
        }
        if self.cards.len() == self.pack.size() {
            return Err(EnrolRefusal::NotNow);
        }
        self.pending = Some(match self.method {
            EnrolMethod::Write => Pending { uid, id: Some(id), written: false },
            EnrolMethod::Adopt => Pending { uid, id: None, written: true },
        });
        Ok(self.go_on())
    }

    /// Notes that the pending card was written, and returns the next step.
    pub fn written(&mut self, uid: Uid) -> Result<EnrolStep, EnrolRefusal> {
        match &mut self.pending {
            Some(pending) if pending.uid == uid && !pending.written => pending.written = true,
            _ => return Err(EnrolRefusal::NotNow),
        }
        Ok(self.go_on())
    }

    /// Gives the pending card the face that the program asked for, if it asked for one. Returns the next step.
    fn go_on(&mut self) -> EnrolStep {
        if self.next() == EnrolStep::Face
            && let Some(card) = self.asked_now()
        {
            // Cannot fail: the order contains each face exactly as often as a deck does.
            let _ = self.face(card);
        }
        self.next()
    }

    /// Gives the pending card this face, adds it to the deck, and returns the next step.
    pub fn face(&mut self, shows: impl Into<CardFace>) -> Result<EnrolStep, EnrolRefusal> {
        let shows = shows.into();
        let Some(Pending { uid, id, written: true }) = self.pending else { return Err(EnrolRefusal::NotNow) };
        // An undo frees a copy number. So the lowest free number may be smaller than a number that another card already
        // has.
        let taken: BTreeSet<u8> = self
            .cards
            .iter()
            .filter(|known| known.face.shows() == shows)
            .map(|known| known.face.copy())
            .collect();
        let count = self.pack.count(shows);
        let free = (1..=count).find(|copy| !taken.contains(copy));
        let face = free.and_then(|copy| Face::new(self.pack, shows, copy));
        let face = face.ok_or(EnrolRefusal::Full(shows, count))?;
        self.pending = None;
        self.cards.push(DeckCard { uid, id, face });
        Ok(self.next())
    }

    /// Takes back the pending card, or else the last card of the deck. Returns the next step.
    pub fn undo(&mut self) -> Result<EnrolStep, EnrolRefusal> {
        if self.pending.take().is_none() {
            self.cards.pop().ok_or(EnrolRefusal::Nothing)?;
        }
        Ok(self.next())
    }

    /// The number of enrolled cards, and the number of cards in a complete deck.
    pub fn progress(&self) -> (usize, usize) {
        (self.cards.len(), self.pack.size())
    }

    /// The number of cards that are still missing, for each face that is incomplete.
    pub fn missing(&self) -> Vec<(CardFace, u8)> {
        let left = |face: CardFace| {
            let there = self.cards.iter().filter(|card| card.face.shows() == face);
            there.fold(self.pack.count(face), |left, _| left.saturating_sub(1))
        };
        self.pack.faces().map(|face| (face, left(face))).filter(|(_, left)| *left > 0).collect()
    }

    /// The face of the card that was enrolled last; `None` before the first card.
    pub fn last(&self) -> Option<CardFace> {
        self.cards.last().map(|card| card.face.shows())
    }

    /// Makes the deck; `Err` unless all cards are enrolled and the name is valid.
    pub fn deck(&self, number: CardId, name: &str, made: &str) -> Result<Deck, InvalidDeck> {
        Deck::new(self.pack, number, name, made, self.cards.clone())
    }
}

impl fmt::Debug for Enrolment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Enrolment")
            .field("method", &self.method)
            .field("cards", &self.cards.len())
            .finish_non_exhaustive()
    }
}

/// An audit of a deck: its cards are laid down in any order to find what is missing or wrong.
#[derive(Clone)]
pub struct Audit {
    deck: Deck,
    seen: BTreeSet<Uid>,
}

/// The audit's result for one card.
#[derive(Clone, PartialEq, Eq)]
pub enum AuditResult {
    /// A card of the deck that was not seen before.
    New(Face),
    /// A card of the deck that was seen before.
    Again,
    /// Something is wrong with the card.
    Fault(CardFault),
}

impl fmt::Debug for AuditResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::New(_) => f.write_str("New"),
            Self::Again => f.write_str("Again"),
            Self::Fault(fault) => write!(f, "Fault({fault:?})"),
        }
    }
}

impl Audit {
    /// Begins an audit of this deck.
    pub fn new(deck: Deck) -> Self {
        Self { deck, seen: BTreeSet::new() }
    }

    /// Checks a card that was laid down.
    pub fn tapped(&mut self, uid: Uid, content: &TagContent) -> AuditResult {
        match self.deck.check(uid, content) {
            Err(fault) => AuditResult::Fault(fault),
            Ok(face) if self.seen.insert(uid) => AuditResult::New(face),
            Ok(_) => AuditResult::Again,
        }
    }

    /// The number of cards seen so far, and the number of cards in a complete deck.
    pub fn progress(&self) -> (usize, usize) {
        (self.seen.len(), self.deck.pack().size())
    }

    /// The cards that were not seen, sorted by face and copy.
    pub fn missing(&self) -> Vec<Face> {
        let missing = self.deck.cards().iter().filter(|card| !self.seen.contains(&card.uid));
        let mut missing: Vec<Face> = missing.map(|card| card.face).collect();
        missing.sort();
        missing
    }

    /// The deck that is audited.
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
    use tabiya_types::Card;

    fn faces() -> Vec<CardFace> {
        Pack::Choker.cards().collect()
    }

    #[test]
    fn a_deck_is_written_card_by_card_and_each_face_is_said() {
        let mut enrolment = Enrolment::new(Pack::Choker, EnrolMethod::Write, None);
        for (nth, face) in (0..).zip(faces()) {
            assert_eq!(enrolment.progress(), (usize::from(nth), 44));
            assert_eq!(enrolment.next(), EnrolStep::Tap(None));
            assert_eq!(enrolment.tapped(uid(nth), id(nth)), Ok(EnrolStep::Write(uid(nth), id(nth))));
            assert_eq!(enrolment.face(face), Err(EnrolRefusal::NotNow), "it is not written yet");
            assert_eq!(enrolment.written(uid(nth)), Ok(EnrolStep::Face));
            enrolment.face(face).expect("there is room");
        }
        assert_eq!(enrolment.next(), EnrolStep::Check);
        assert_eq!(enrolment.tapped(uid(100), id(100)), Err(EnrolRefusal::NotNow));
        let made = enrolment.deck(id(200), "Club", "2026-11-22").expect("whole");
        assert_eq!(made, deck());
    }

    #[test]
    fn faces_that_are_asked_for_are_taken_without_a_word() {
        let mut enrolment = Enrolment::new(Pack::Choker, EnrolMethod::Adopt, Some(faces()));
        for nth in 0..44 {
            assert!(matches!(enrolment.next(), EnrolStep::Tap(Some(_))));
            enrolment.tapped(uid(nth), id(0)).expect("a new card");
        }
        assert_eq!(enrolment.next(), EnrolStep::Check);
        assert_eq!(enrolment.deck(id(1), "Tickets", "").expect("whole").adopted(), 44);
    }

    #[test]
    fn telephones_cards_twice_and_a_fifth_queen_are_refused() {
        let mut enrolment = Enrolment::new(Pack::Choker, EnrolMethod::Adopt, None);
        let phone = Uid::parse("08112233").expect("a number");
        assert_eq!(enrolment.tapped(phone, id(0)), Err(EnrolRefusal::RandomUid));
        for nth in 0..4 {
            assert_eq!(enrolment.tapped(uid(nth), id(0)), Ok(EnrolStep::Face));
            assert_eq!(enrolment.face(Card::Queen), Ok(EnrolStep::Tap(None)));
        }
        assert_eq!(enrolment.tapped(uid(2), id(0)), Err(EnrolRefusal::AlreadyEnrolled));
        assert_eq!(enrolment.tapped(uid(9), id(0)), Ok(EnrolStep::Face));
        assert_eq!(enrolment.face(Card::Queen), Err(EnrolRefusal::Full(Card::Queen.into(), 4)));
        assert_eq!(enrolment.tapped(uid(10), id(0)), Err(EnrolRefusal::NotNow), "the face comes first");
        assert_eq!(enrolment.face(Card::Rook), Ok(EnrolStep::Tap(None)));
        assert_eq!(enrolment.progress(), (5, 44));
    }

    #[test]
    fn a_card_that_was_not_written_is_laid_down_again_or_left() {
        let mut enrolment = Enrolment::new(Pack::Choker, EnrolMethod::Write, None);
        assert_eq!(enrolment.tapped(uid(1), id(1)), Ok(EnrolStep::Write(uid(1), id(1))));
        assert_eq!(
            enrolment.tapped(uid(1), id(2)),
            Ok(EnrolStep::Write(uid(1), id(1))),
            "the same id as before"
        );
        assert_eq!(enrolment.tapped(uid(2), id(3)), Ok(EnrolStep::Write(uid(2), id(3))));
        assert_eq!(enrolment.written(uid(1)), Err(EnrolRefusal::NotNow));
        assert_eq!(enrolment.written(uid(2)), Ok(EnrolStep::Face));
    }

    #[test]
    fn undo_takes_back_the_card_that_lies_there_and_then_the_last() {
        let mut enrolment = Enrolment::new(Pack::Choker, EnrolMethod::Adopt, None);
        assert_eq!(enrolment.undo(), Err(EnrolRefusal::Nothing));
        for nth in 0..2 {
            enrolment.tapped(uid(nth), id(0)).expect("a new card");
            enrolment.face(Card::Rook).expect("room");
        }
        enrolment.tapped(uid(3), id(0)).expect("a new card");
        assert_eq!(enrolment.undo(), Ok(EnrolStep::Tap(None)));
        assert_eq!(enrolment.progress(), (2, 44));
        assert_eq!(
            enrolment.missing().iter().find(|(card, _)| *card == Card::Rook.into()),
            Some(&(Card::Rook.into(), 6))
        );
        assert_eq!(enrolment.undo(), Ok(EnrolStep::Tap(None)));
        assert_eq!((enrolment.progress(), enrolment.last()), ((1, 44), Some(Card::Rook.into())));
        assert_eq!(
            enrolment.missing().iter().find(|(card, _)| *card == Card::Rook.into()),
            Some(&(Card::Rook.into(), 7))
        );
        assert_eq!(enrolment.tapped(uid(1), id(0)), Ok(EnrolStep::Face), "it may come again");
    }

    #[test]
    fn an_audit_tells_what_is_missing_and_what_does_not_belong() {
        let mut audit = Audit::new(deck());
        let ours = |nth| TagContent::Ours(Record::new(id(nth)));
        for nth in (0..44).filter(|nth| ![3, 20].contains(nth)).rev() {
            assert!(matches!(audit.tapped(uid(nth), &ours(nth)), AuditResult::New(_)));
        }
        assert_eq!(audit.tapped(uid(7), &ours(7)), AuditResult::Again);
        assert_eq!(audit.tapped(uid(99), &ours(3)), AuditResult::Fault(CardFault::Copied));
        assert_eq!(audit.tapped(uid(99), &TagContent::Empty), AuditResult::Fault(CardFault::Foreign));
        assert_eq!(audit.progress(), (42, 44));
        let missing: Vec<String> =
            audit.missing().iter().map(|face| format!("{}{}", face.shows().letter(), face.copy())).collect();
        assert_eq!(missing, ["Q4", "N1"]);
        let whole = deck().replaced(audit.missing()[0], uid(50), Some(id(50))).expect("another card");
        assert!(whole.check(uid(3), &ours(3)).is_err());
        assert_eq!(whole.check(uid(50), &ours(50)).map(Face::copy), Ok(4));
        assert!(deck().replaced(audit.missing()[0], uid(5), None).is_err(), "a card that is in the deck");
    }

    #[test]
    fn a_deck_of_pokerdrez_has_jokers_and_two_neutral_cards() {
        let mut enrolment = Enrolment::new(Pack::PokerDrez, EnrolMethod::Adopt, None);
        for (nth, face) in (0..).zip(Pack::PokerDrez.cards()) {
            enrolment.tapped(uid(nth), id(0)).expect("a new card");
            enrolment.face(face).expect("there is room");
            if nth == 46 {
                enrolment.tapped(uid(200), id(0)).expect("a new card");
                assert_eq!(enrolment.face(Card::Pawn), Err(EnrolRefusal::Full(Card::Pawn.into(), 9)));
                enrolment.undo().expect("the card that lies there");
            }
        }
        assert_eq!((enrolment.next(), enrolment.missing()), (EnrolStep::Check, Vec::new()));
        let deck = enrolment.deck(id(1), "Drez", "").expect("whole");
        assert_eq!((deck.pack(), deck.cards().len()), (Pack::PokerDrez, 56));
        assert_eq!(Deck::parse(&deck.file()), Ok(deck));
    }
}
