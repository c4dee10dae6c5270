//! Replacing a damaged card of a deck by a new card. The input is taps; the output is the next step.
//!
//! This module knows neither readers nor files nor the time. If only the face of the damaged card is known, people lay
//! down all other cards with this face. The card that was not laid down is the damaged one.

use std::collections::BTreeSet;
use std::fmt;

use tabiya_types::{CardFace, Sentence, say};

use super::deck::{CardFault, Deck, Face, InvalidDeck};
use super::enrol::EnrolRefusal;
use super::ndef::{CardId, TagContent};
use super::tag::Uid;

/// The replacement of one card of a deck.
#[derive(Clone)]
pub struct Replacement {
    deck: Deck,
    stage: Stage,
}

#[derive(Clone)]
enum Stage {
    /// People lay down the undamaged cards with this face. `left` contains the cards that were not laid down yet.
    Finding { face: CardFace, left: BTreeSet<Face> },
    /// The damaged card is known, and people lay down the new card. `writing` is the new card's UID and the id to write
    /// on it.
    New { damaged: Face, writing: Option<(Uid, CardId)> },
}

/// The next step of a replacement.
#[derive(Clone, PartialEq, Eq)]
pub enum ReplaceStep {
    /// Lay down the other cards with this face. The numbers say how many of these cards were laid down so far, and how
    /// many of them the deck has.
    Others(CardFace, (usize, usize)),
    /// Lay down the new card.
    New,
    /// Write this id on the card with this UID.
    Write(Uid, CardId),
    /// Done: the deck with the new card.
    Done(Box<Deck>),
}

impl fmt::Debug for ReplaceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Others(..) => "Others",
            Self::New => "New",
            Self::Write(..) => "Write",
            Self::Done(_) => "Done",
        })
    }
}

/// Why a card was not accepted. The replacement is unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplaceRefusal {
    /// The card is not a valid card of the deck.
    Fault(CardFault),
    /// The card cannot be added to the deck.
    Refused(EnrolRefusal),
    /// The card was laid down before.
    AlreadySeen,
    /// The card's face differs from the damaged card's.
    OtherFace,
    /// The result would not be a valid deck.
    NoDeck(InvalidDeck),
}

impl ReplaceRefusal {
    /// The sentence that people see.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::Fault(fault) => fault.sentence(),
            Self::Refused(refusal) => refusal.sentence(),
            Self::AlreadySeen => {
                say!("replace-before", "this card was laid down before; lay down another card")
            }
            Self::OtherFace => {
                say!(
                    "replace-other",
                    "this card has another face; lay down cards with the same face as the damaged card"
                )
            }
            Self::NoDeck(error) => say!("replace-no-deck", "{error}", error = error.to_string()),
        }
    }
}

impl Replacement {
    /// Begins the replacement of a card with the face `face`. `copy` says which card with this face is damaged; `None`
    /// if that is not known yet.
    pub fn new(deck: Deck, face: impl Into<CardFace>, copy: Option<Face>) -> Self {
        let face = face.into();
        let stage = if let Some(damaged) = copy {
            Stage::New { damaged, writing: None }
        } else {
            let faces = deck.cards().iter().map(|card| card.face);
            Stage::Finding { face, left: faces.filter(|known| known.shows() == face).collect() }
        };
        Self { deck, stage }
    }

    /// Returns the step that is due.
    pub fn next(&self) -> ReplaceStep {
        match &self.stage {
            Stage::Finding { face, left } => {
                let all = usize::from(self.deck.pack().count(*face));
                ReplaceStep::Others(*face, (all - left.len(), all - 1))
            }
            Stage::New { writing: Some((uid, id)), .. } => ReplaceStep::Write(*uid, *id),
            Stage::New { writing: None, .. } => ReplaceStep::New,
        }
    }

    /// Whether an id is written on the new card. It is written if the damaged card had an id.
    pub fn writes(&self) -> bool {
        match &self.stage {
            Stage::Finding { .. } => false,
            Stage::New { damaged, .. } => {
                self.deck.cards().iter().any(|card| card.face == *damaged && card.id.is_some())
            }
        }
    }

    /// Takes a card that was laid down and returns the next step. `id` is a new random id for the new card; it is
    /// unused if nothing is written on that card.
    pub fn tapped(
        &mut self,
        uid: Uid,
        content: &TagContent,
        id: CardId,
    ) -> Result<ReplaceStep, ReplaceRefusal> {
        let writes = self.writes();
        match &mut self.stage {
            Stage::Finding { face, left } => {
                let known = self.deck.check(uid, content).map_err(ReplaceRefusal::Fault)?;
                if known.shows() != *face {
                    return Err(ReplaceRefusal::OtherFace);
                }
                if !left.remove(&known) {
                    return Err(ReplaceRefusal::AlreadySeen);
                }
                if let (1, Some(damaged)) = (left.len(), left.first()) {
                    self.stage = Stage::New { damaged: *damaged, writing: None };
                }
                Ok(self.next())
            }
            Stage::New { damaged, writing } => {
                if uid.is_random() {
                    return Err(ReplaceRefusal::Refused(EnrolRefusal::RandomUid));
                }
                if self.deck.cards().iter().any(|card| card.uid == uid) {
                    return Err(ReplaceRefusal::Refused(EnrolRefusal::AlreadyEnrolled));
                }
                if writes {
                    // A card that is laid down again keeps its id, because the id may have been written already.
                    if writing.is_none_or(|(asked, _)| asked != uid) {
                        *writing = Some((uid, id));
                    }
                    return Ok(self.next());
                }
                replaced(&self.deck, *damaged, uid, None)
            }
        }
    }

    /// Takes the content that was written on the new card; returns the finished deck if the content has the right id.
    pub fn written(&self, uid: Uid, content: &TagContent) -> Result<ReplaceStep, ReplaceRefusal> {
        match (&self.stage, content) {
            (Stage::New { damaged, writing: Some((asked, id)) }, TagContent::Ours(record))
                if *asked == uid && record.id == *id =>
            {
                replaced(&self.deck, *damaged, uid, Some(*id))
            }
            (Stage::New { .. } | Stage::Finding { .. }, _) => {
                Err(ReplaceRefusal::Refused(EnrolRefusal::NotNow))
            }
        }
    }

    /// The deck before the replacement.
    pub fn deck(&self) -> &Deck {
        &self.deck
    }
}

fn replaced(deck: &Deck, face: Face, uid: Uid, id: Option<CardId>) -> Result<ReplaceStep, ReplaceRefusal> {
    deck.replaced(face, uid, id).map(|deck| ReplaceStep::Done(Box::new(deck))).map_err(ReplaceRefusal::NoDeck)
}

impl fmt::Debug for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replacement").field("deck", &self.deck).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may stop at the first surprise")]
mod tests {
    use super::super::deck::tests::{cards, deck, id, uid};
    use super::super::ndef::Record;
    use super::*;
    use tabiya_types::{Card, Pack};

    fn ours(nth: u8) -> TagContent {
        TagContent::Ours(Record::new(id(nth)))
    }

    #[test]
    fn the_damaged_one_of_equal_cards_is_the_one_that_is_not_laid_down() {
        let mut replacement = Replacement::new(deck(), Card::Queen, None);
        assert_eq!(replacement.next(), ReplaceStep::Others(Card::Queen.into(), (0, 3)));
        assert_eq!(replacement.tapped(uid(4), &ours(4), id(90)), Err(ReplaceRefusal::OtherFace));
        assert_eq!(
            replacement.tapped(uid(0), &ours(0), id(90)),
            Ok(ReplaceStep::Others(Card::Queen.into(), (1, 3)))
        );
        assert_eq!(replacement.tapped(uid(0), &ours(0), id(90)), Err(ReplaceRefusal::AlreadySeen));
        assert_eq!(
            replacement.tapped(uid(99), &TagContent::Empty, id(90)),
            Err(ReplaceRefusal::Fault(CardFault::Foreign))
        );
        replacement.tapped(uid(1), &ours(1), id(90)).expect("a queen");
        assert_eq!(replacement.tapped(uid(3), &ours(3), id(90)), Ok(ReplaceStep::New));
        assert_eq!(
            replacement.tapped(uid(1), &ours(1), id(90)),
            Err(ReplaceRefusal::Refused(EnrolRefusal::AlreadyEnrolled)),
            "a card of the deck is not a new one"
        );
        assert_eq!(
            replacement.tapped(uid(70), &TagContent::Empty, id(70)),
            Ok(ReplaceStep::Write(uid(70), id(70)))
        );
        assert_eq!(
            replacement.written(uid(71), &ours(70)),
            Err(ReplaceRefusal::Refused(EnrolRefusal::NotNow))
        );
        let Ok(ReplaceStep::Done(whole)) = replacement.written(uid(70), &ours(70)) else { panic!("written") };
        assert_eq!(whole.check(uid(70), &ours(70)).map(Face::copy), Ok(3));
        assert_eq!(whole.check(uid(2), &ours(2)), Err(CardFault::Foreign));
    }

    #[test]
    fn a_new_card_laid_down_twice_is_kept_with_the_id_that_is_on_it() {
        let deck = deck();
        let damaged = deck.cards()[5].face;
        let mut replacement = Replacement::new(deck, damaged.shows(), Some(damaged));
        let mut tapped = |nth, drawn| replacement.tapped(uid(nth), &TagContent::Empty, id(drawn));
        assert_eq!(tapped(70, 71), Ok(ReplaceStep::Write(uid(70), id(71))));
        assert_eq!(tapped(70, 72), Ok(ReplaceStep::Write(uid(70), id(71))), "the same id as before");
        // A second new card is laid on the reader before the first one was written. The request to write on the first
        // card may still be carried out later.
        assert_eq!(tapped(80, 73), Ok(ReplaceStep::Write(uid(80), id(73))));
        assert_eq!(tapped(70, 74), Ok(ReplaceStep::Write(uid(70), id(74))));
        for other in [ours(71), TagContent::Empty] {
            assert_eq!(
                replacement.written(uid(70), &other),
                Err(ReplaceRefusal::Refused(EnrolRefusal::NotNow))
            );
        }
        let Ok(ReplaceStep::Done(whole)) = replacement.written(uid(70), &ours(74)) else { panic!("written") };
        assert_eq!(whole.check(uid(70), &ours(74)), Ok(damaged));
    }

    #[test]
    fn an_adopted_card_is_replaced_by_any_chip_without_writing() {
        let mut adopted = cards();
        for card in &mut adopted {
            card.id = None;
        }
        let deck = Deck::new(Pack::Choker, id(9), "Tickets", "2026-11-22", adopted).expect("a deck");
        let damaged = deck.cards()[5].face;
        let mut replacement = Replacement::new(deck, damaged.shows(), Some(damaged));
        let phone = Uid::parse("08112233").expect("a number");
        assert_eq!(
            replacement.tapped(phone, &TagContent::Closed, id(0)),
            Err(ReplaceRefusal::Refused(EnrolRefusal::RandomUid))
        );
        let Ok(ReplaceStep::Done(whole)) = replacement.tapped(uid(80), &TagContent::Other, id(0)) else {
            panic!("nothing is written")
        };
        assert_eq!(whole.check(uid(80), &TagContent::Empty), Ok(damaged));
    }

    #[test]
    fn a_replacement_prints_no_face() {
        let mut replacement = Replacement::new(deck(), Card::Queen, None);
        let next = replacement.tapped(uid(0), &ours(0), id(1));
        let printed = format!("{replacement:?} {next:?}").to_lowercase();
        assert!(!printed.contains("queen"), "{printed}");
    }
}
