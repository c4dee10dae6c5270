//! A new card in the place of a damaged one: what was tapped goes in, what is next comes out.
//!
//! Pure, as `enrol.rs` is. Which of several equal cards is damaged is found out by laying down all the others.

use std::collections::BTreeSet;
use std::fmt;

use tabiya_types::{Card, Sentence, say};

use super::deck::{CardFault, Deck, Face, NoDeck};
use super::enrol::EnrolRefusal;
use super::ndef::{CardId, TagContent};
use super::tag::Uid;

/// A card that is being replaced.
#[derive(Clone)]
pub struct Replacement {
    deck: Deck,
    stage: Stage,
}

#[derive(Clone)]
enum Stage {
    /// Those of this face that were not laid down yet.
    Finding { face: Card, left: BTreeSet<Face> },
    /// The new card: what is written into it.
    New { damaged: Face, writing: Option<(Uid, CardId)> },
}

/// What is to be done next.
#[derive(Clone, PartialEq, Eq)]
pub enum ReplaceStep {
    /// Lay down the other cards of this face; so many of so many are there.
    Others(Card, (usize, usize)),
    /// Lay down the new card.
    New,
    /// Write this id into it.
    Write(Uid, CardId),
    /// This is the deck with the new card.
    Whole(Box<Deck>),
}

impl fmt::Debug for ReplaceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Others(..) => "Others",
            Self::New => "New",
            Self::Write(..) => "Write",
            Self::Whole(_) => "Whole",
        })
    }
}

/// Why a card is not taken. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotTaken {
    /// It is no good card of the deck.
    Fault(CardFault),
    /// It cannot come into the deck.
    Refused(EnrolRefusal),
    /// It was laid down before.
    Before,
    /// It has another face than the damaged one.
    OtherFace,
    /// The deck would be none.
    NoDeck(NoDeck),
}

impl NotTaken {
    /// What is said about it.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::Fault(fault) => fault.sentence(),
            Self::Refused(refusal) => refusal.sentence(),
            Self::Before => say!("replace-before", "this one was there before; lay down another one"),
            Self::OtherFace => {
                say!("replace-other", "this card has another face; lay down those of the damaged one's")
            }
            Self::NoDeck(error) => say!("replace-no-deck", "{error}", error = error.to_string()),
        }
    }
}

impl Replacement {
    /// Begins. With a copy the damaged card is known; without, it is found out by its face.
    pub fn new(deck: Deck, face: Card, copy: Option<Face>) -> Self {
        let stage = if let Some(damaged) = copy {
            Stage::New { damaged, writing: None }
        } else {
            let faces = deck.cards().iter().map(|card| card.face);
            Stage::Finding { face, left: faces.filter(|known| known.card() == face).collect() }
        };
        Self { deck, stage }
    }

    /// What is to be done now.
    pub fn next(&self) -> ReplaceStep {
        match &self.stage {
            Stage::Finding { face, left } => {
                let all = usize::from(face.in_deck());
                ReplaceStep::Others(*face, (all - left.len(), all - 1))
            }
            Stage::New { writing: Some((uid, id)), .. } => ReplaceStep::Write(*uid, *id),
            Stage::New { writing: None, .. } => ReplaceStep::New,
        }
    }

    /// Whether the new card is written: the damaged one was.
    pub fn writes(&self) -> bool {
        match &self.stage {
            Stage::Finding { .. } => false,
            Stage::New { damaged, .. } => {
                self.deck.cards().iter().any(|card| card.face == *damaged && card.id.is_some())
            }
        }
    }

    /// A card was laid down; `id` is a new random number, used if one is to be written.
    pub fn tapped(&mut self, uid: Uid, content: &TagContent, id: CardId) -> Result<ReplaceStep, NotTaken> {
        let writes = self.writes();
        match &mut self.stage {
            Stage::Finding { face, left } => {
                let known = self.deck.check(uid, content).map_err(NotTaken::Fault)?;
                if known.card() != *face {
                    return Err(NotTaken::OtherFace);
                }
                if !left.remove(&known) {
                    return Err(NotTaken::Before);
                }
                if let (1, Some(damaged)) = (left.len(), left.first()) {
                    self.stage = Stage::New { damaged: *damaged, writing: None };
                }
                Ok(self.next())
            }
            Stage::New { damaged, writing } => {
                if uid.is_random() {
                    return Err(NotTaken::Refused(EnrolRefusal::MadeUp));
                }
                if self.deck.cards().iter().any(|card| card.uid == uid) {
                    return Err(NotTaken::Refused(EnrolRefusal::Again));
                }
                if writes {
                    // The same card once more, after it was lifted too soon, may have got its id already.
                    if writing.is_none_or(|(asked, _)| asked != uid) {
                        *writing = Some((uid, id));
                    }
                    return Ok(self.next());
                }
                replaced(&self.deck, *damaged, uid, None)
            }
        }
    }

    /// A card was written, and this is on it now.
    pub fn written(&self, uid: Uid, content: &TagContent) -> Result<ReplaceStep, NotTaken> {
        match (&self.stage, content) {
            (Stage::New { damaged, writing: Some((asked, id)) }, TagContent::Ours(record))
                if *asked == uid && record.id == *id =>
            {
                replaced(&self.deck, *damaged, uid, Some(*id))
            }
            (Stage::New { .. } | Stage::Finding { .. }, _) => Err(NotTaken::Refused(EnrolRefusal::NotNow)),
        }
    }

    /// The deck as it was.
    pub fn deck(&self) -> &Deck {
        &self.deck
    }
}

fn replaced(deck: &Deck, face: Face, uid: Uid, id: Option<CardId>) -> Result<ReplaceStep, NotTaken> {
    deck.replaced(face, uid, id).map(|deck| ReplaceStep::Whole(Box::new(deck))).map_err(NotTaken::NoDeck)
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

    fn ours(nth: u8) -> TagContent {
        TagContent::Ours(Record::new(id(nth)))
    }

    #[test]
    fn the_damaged_one_of_equal_cards_is_the_one_that_is_not_laid_down() {
        let mut replacement = Replacement::new(deck(), Card::Queen, None);
        assert_eq!(replacement.next(), ReplaceStep::Others(Card::Queen, (0, 3)));
        assert_eq!(replacement.tapped(uid(4), &ours(4), id(90)), Err(NotTaken::OtherFace));
        assert_eq!(
            replacement.tapped(uid(0), &ours(0), id(90)),
            Ok(ReplaceStep::Others(Card::Queen, (1, 3)))
        );
        assert_eq!(replacement.tapped(uid(0), &ours(0), id(90)), Err(NotTaken::Before));
        assert_eq!(
            replacement.tapped(uid(99), &TagContent::Empty, id(90)),
            Err(NotTaken::Fault(CardFault::Foreign))
        );
        replacement.tapped(uid(1), &ours(1), id(90)).expect("a queen");
        assert_eq!(replacement.tapped(uid(3), &ours(3), id(90)), Ok(ReplaceStep::New));
        assert_eq!(
            replacement.tapped(uid(1), &ours(1), id(90)),
            Err(NotTaken::Refused(EnrolRefusal::Again)),
            "a card of the deck is no new one"
        );
        assert_eq!(
            replacement.tapped(uid(70), &TagContent::Empty, id(70)),
            Ok(ReplaceStep::Write(uid(70), id(70)))
        );
        assert_eq!(replacement.written(uid(71), &ours(70)), Err(NotTaken::Refused(EnrolRefusal::NotNow)));
        let Ok(ReplaceStep::Whole(whole)) = replacement.written(uid(70), &ours(70)) else {
            panic!("written")
        };
        assert_eq!(whole.check(uid(70), &ours(70)).map(Face::copy), Ok(3));
        assert_eq!(whole.check(uid(2), &ours(2)), Err(CardFault::Foreign));
    }

    #[test]
    fn a_new_card_laid_down_twice_is_kept_with_the_id_that_is_on_it() {
        let deck = deck();
        let damaged = deck.cards()[5].face;
        let mut replacement = Replacement::new(deck, damaged.card(), Some(damaged));
        let mut tapped = |nth, drawn| replacement.tapped(uid(nth), &TagContent::Empty, id(drawn));
        assert_eq!(tapped(70, 71), Ok(ReplaceStep::Write(uid(70), id(71))));
        assert_eq!(tapped(70, 72), Ok(ReplaceStep::Write(uid(70), id(71))), "the same id as before");
        // Another card between the two: what was asked for first may be written all the same.
        assert_eq!(tapped(80, 73), Ok(ReplaceStep::Write(uid(80), id(73))));
        assert_eq!(tapped(70, 74), Ok(ReplaceStep::Write(uid(70), id(74))));
        for other in [ours(71), TagContent::Empty] {
            assert_eq!(replacement.written(uid(70), &other), Err(NotTaken::Refused(EnrolRefusal::NotNow)));
        }
        let Ok(ReplaceStep::Whole(whole)) = replacement.written(uid(70), &ours(74)) else {
            panic!("written")
        };
        assert_eq!(whole.check(uid(70), &ours(74)), Ok(damaged));
    }

    #[test]
    fn an_adopted_card_is_replaced_by_any_chip_without_writing() {
        let mut adopted = cards();
        for card in &mut adopted {
            card.id = None;
        }
        let deck = Deck::new(id(9), "Tickets", "2026-11-22", adopted).expect("a deck");
        let damaged = deck.cards()[5].face;
        let mut replacement = Replacement::new(deck, damaged.card(), Some(damaged));
        let phone = Uid::parse("08112233").expect("a number");
        assert_eq!(
            replacement.tapped(phone, &TagContent::Closed, id(0)),
            Err(NotTaken::Refused(EnrolRefusal::MadeUp))
        );
        let Ok(ReplaceStep::Whole(whole)) = replacement.tapped(uid(80), &TagContent::Other, id(0)) else {
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
