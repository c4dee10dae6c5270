//! A deck that is not whole yet, as a file: an enrolment that was interrupted goes on where it stood.
//!
//! One JSON object: `draft` (the number that the deck will have), `name`, `way` (`write` or `adopt`), `asked` (the faces
//! in the order in which they are asked for, or `null`), and the `cards` so far as a deck's file has them. A secret like
//! the deck itself. No IO.

use std::fmt;

use serde::{Deserialize, Serialize};
use tabiya_types::{Card, Counts};

use super::deck::{CARDS, Deck, FileCard, NoDeck, check_chips, check_copies, check_name, parse_object};
use super::enrol::{EnrolMethod, Enrolment};
use super::ndef::CardId;

/// An enrolment with the number and the name of the deck that it makes.
#[derive(Clone)]
pub struct Draft {
    /// The deck's random number.
    pub number: CardId,
    /// What people will call it.
    pub name: String,
    /// How far it is.
    pub enrolment: Enrolment,
}

/// Names no face.
impl fmt::Debug for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft")
            .field("number", &self.number)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    draft: String,
    name: String,
    way: FileWay,
    // `null` must be there, as in a deck's file.
    #[serde(deserialize_with = "Option::deserialize")]
    asked: Option<String>,
    cards: Vec<FileCard>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FileWay {
    Write,
    Adopt,
}

impl Draft {
    /// Reads a draft's file. `Err` as for a deck, but for how many cards there are.
    pub fn parse(text: &str) -> Result<Self, NoDeck> {
        let form = |what: &str| NoDeck::NoDraft(what.to_owned());
        let file: File = parse_object(text).map_err(NoDeck::NoDraft)?;
        check_name(&file.name)?;
        let number = CardId::parse(&file.draft).ok_or_else(|| form("its number has not 32 digits"))?;
        let way = match file.way {
            FileWay::Write => EnrolMethod::Write,
            FileWay::Adopt => EnrolMethod::Adopt,
        };
        let asked =
            file.asked.map(|letters| letters.chars().map(Card::from_letter).collect::<Option<Vec<_>>>());
        let asked = asked.map(|faces| faces.ok_or_else(|| form("it asks for another letter"))).transpose()?;
        let whole = |faces: &Vec<Card>| {
            let counts: Counts = faces.iter().copied().collect();
            Card::ALL.into_iter().all(|card| counts.of(card) == card.in_deck())
        };
        if !asked.as_ref().is_none_or(whole) {
            return Err(form("it does not ask for a whole deck"));
        }
        let cards = FileCard::read_all(&file.cards)?;
        if cards.len() > CARDS {
            return Err(NoDeck::Count(cards.len()));
        }
        check_chips(&cards)?;
        check_copies(&cards)?;
        Ok(Self { number, name: file.name, enrolment: Enrolment::going_on(way, asked, cards) })
    }

    /// The draft's file. A card that lies there and is not in the deck yet is left out: it is laid down again.
    pub fn file(&self) -> String {
        let file = File {
            draft: self.number.to_string(),
            name: self.name.clone(),
            way: match self.enrolment.method() {
                EnrolMethod::Write => FileWay::Write,
                EnrolMethod::Adopt => FileWay::Adopt,
            },
            asked: self.enrolment.asked().map(|faces| faces.iter().map(|face| face.letter()).collect()),
            cards: self.enrolment.cards().iter().map(FileCard::of).collect(),
        };
        // Texts and numbers alone: there is nothing that JSON has no form for.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }

    /// The deck, when all cards are there; `made` is a date.
    pub fn deck(&self, made: &str) -> Result<Deck, NoDeck> {
        self.enrolment.deck(self.number, &self.name, made)
    }
}

#[cfg(test)]
mod tests {
    use super::super::deck::tests::{deck, id, uid};
    use super::super::enrol::Next;
    use super::*;

    fn draft(cards: u8, asked: Option<&[Card]>) -> Draft {
        let mut enrolment = Enrolment::new(EnrolMethod::Write, asked.map(<[Card]>::to_vec));
        for nth in 0..cards {
            enrolment.tapped(uid(nth), id(nth)).expect("a new card");
            enrolment.written(uid(nth)).expect("as asked");
            if asked.is_none() {
                enrolment.face(Card::Pawn).expect("there is room");
            }
        }
        Draft { number: id(200), name: "Club".to_owned(), enrolment }
    }

    fn faces() -> Vec<Card> {
        deck().cards().iter().map(|card| card.face.card()).collect()
    }

    #[test]
    fn an_enrolment_goes_on_where_it_stood() {
        for asked in [None, Some(faces())] {
            for cards in [0, 1, 16] {
                let draft = draft(cards, asked.as_deref());
                let again = Draft::parse(&draft.file()).expect("a draft");
                assert_eq!(again.file(), draft.file());
                assert_eq!((again.number, &*again.name), (id(200), "Club"));
                assert_eq!(again.enrolment.progress(), (usize::from(cards), 44));
                assert_eq!(again.enrolment.next(), draft.enrolment.next());
            }
        }
        let mut whole = draft(43, Some(&faces()));
        // A card that was written and has no face yet is laid down again.
        whole.enrolment.tapped(uid(43), id(43)).expect("the last one");
        let mut again = Draft::parse(&whole.file()).expect("a draft");
        assert!(matches!(again.enrolment.next(), Next::Tap(Some(_))));
        again.enrolment.tapped(uid(43), id(43)).expect("the last one");
        assert_eq!(again.enrolment.written(uid(43)), Ok(Next::Check));
        assert_eq!(again.deck("2026-11-22"), Ok(deck()));
    }

    #[test]
    fn what_is_no_draft_is_refused_with_a_sentence() {
        let file = draft(3, Some(&faces())).file();
        for (from, to, wanted) in [
            ("{", "[", "no JSON object"),
            ("\"write\"", "\"burn\"", "something else"),
            ("\"asked\"", "\"sked\"", "something else"),
            ("QQQQ", "QQQK", "another letter"),
            ("QQQQ", "QQQR", "a whole deck"),
            ("\"Club\"", "\"\"", "1 to 60 letters"),
            (&*id(200).to_string(), "1", "32 digits"),
            (&*uid(1).to_string(), &*uid(0).to_string(), "the same chip number"),
            (&*id(1).to_string(), &*id(0).to_string(), "the same id"),
            ("\"copy\": 2", "\"copy\": 1", "the same face and copy"),
        ] {
            assert!(file.contains(from), "{from}");
            let said = Draft::parse(&file.replacen(from, to, 1)).expect_err(to).to_string();
            assert!(said.contains(wanted), "{said}");
        }
    }
}
