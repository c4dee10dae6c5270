//! The file of a deck draft, a deck that is not complete yet. An interrupted enrolment continues from this file.
//!
//! One JSON object: `draft` (the number that the deck will have), `name`, `way` (`write`, or `adopt` if nothing is
//! written on the cards), `asked` (the faces in the order in which the program asks for them, or `null`), `pack` as in a
//! deck's file, and the `cards` enrolled so far, in the form of a deck's file. A draft is as secret as the deck. This
//! module does no IO.

use std::fmt;

use serde::{Deserialize, Serialize};
use tabiya_types::CardFace;

use super::deck::{
    Deck, FileCard, InvalidDeck, check_chips, check_copies, check_name, has_all_faces, pack_word,
    parse_object, parse_pack, sum_of,
};
use super::enrol::{EnrolMethod, Enrolment};
use super::ndef::CardId;

/// An unfinished enrolment, with the number and the name of the future deck.
#[derive(Clone)]
pub struct Draft {
    /// The deck's random number.
    pub number: CardId,
    /// The deck's name.
    pub name: String,
    /// The cards enrolled so far, and the next step.
    pub enrolment: Enrolment,
}

/// Writes the draft without its cards' faces.
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
    // The file must contain this field. The field is `null` if people name the faces and the program does not ask for
    // them in an order.
    #[serde(deserialize_with = "Option::deserialize")]
    asked: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pack: Option<String>,
    cards: Vec<FileCard>,
    /// The sum of the rest; older files have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sum: Option<String>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FileWay {
    Write,
    Adopt,
}

impl Draft {
    /// Parses a draft's file. `Err` for the same reasons as for a deck's file, except that cards may be missing.
    pub fn parse(text: &str) -> Result<Self, InvalidDeck> {
        let form = |what: &str| InvalidDeck::NoDraft(what.to_owned());
        let mut file: File = parse_object(text).map_err(InvalidDeck::NoDraft)?;
        let written = file.sum.take();
        let has_sum = written.is_none_or(|sum| sum == sum_of(&file));
        check_name(&file.name)?;
        let number = CardId::parse(&file.draft).ok_or_else(|| form("its number does not have 32 digits"))?;
        let way = match file.way {
            FileWay::Write => EnrolMethod::Write,
            FileWay::Adopt => EnrolMethod::Adopt,
        };
        let pack = parse_pack(file.pack.as_deref()).map_err(|what| form(&what))?;
        let asked =
            file.asked.map(|letters| letters.chars().map(CardFace::from_letter).collect::<Option<Vec<_>>>());
        let asked = asked.map(|faces| faces.ok_or_else(|| form("`asked` has a wrong letter"))).transpose()?;
        let whole = |faces: &Vec<CardFace>| has_all_faces(pack, faces.iter().copied());
        if !asked.as_ref().is_none_or(whole) {
            return Err(form("`asked` does not name the faces of a whole deck"));
        }
        let cards = FileCard::read_all(pack, &file.cards)?;
        if cards.len() > pack.size() {
            return Err(InvalidDeck::Count { pack, there: cards.len() });
        }
        check_chips(&cards)?;
        check_copies(&cards)?;
        if !has_sum {
            return Err(form("its sum does not fit"));
        }
        Ok(Self { number, name: file.name, enrolment: Enrolment::resume(pack, way, asked, cards) })
    }

    /// Returns the text of the draft's file. A card that lies on the reader but is not in the deck yet is omitted;
    /// people lay it down again later.
    pub fn file(&self) -> String {
        let mut file = File {
            draft: self.number.to_string(),
            name: self.name.clone(),
            way: match self.enrolment.method() {
                EnrolMethod::Write => FileWay::Write,
                EnrolMethod::Adopt => FileWay::Adopt,
            },
            pack: pack_word(self.enrolment.pack()),
            asked: self.enrolment.asked().map(|faces| faces.iter().map(|face| face.letter()).collect()),
            cards: self.enrolment.cards().iter().map(FileCard::of).collect(),
            sum: None,
        };
        file.sum = Some(sum_of(&file));
        // Cannot fail: the file has only strings and numbers.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }

    /// Makes the finished deck; `made` is the date for its file. `Err` as long as cards are missing.
    pub fn deck(&self, made: &str) -> Result<Deck, InvalidDeck> {
        self.enrolment.deck(self.number, &self.name, made)
    }
}

#[cfg(test)]
mod tests {
    use super::super::deck::tests::{deck, id, uid};
    use super::super::enrol::EnrolStep;
    use super::*;
    use tabiya_types::{Card, Pack};

    fn draft(cards: u8, asked: Option<&[CardFace]>) -> Draft {
        let mut enrolment = Enrolment::new(Pack::Choker, EnrolMethod::Write, asked.map(<[CardFace]>::to_vec));
        for nth in 0..cards {
            enrolment.tapped(uid(nth), id(nth)).expect("a new card");
            enrolment.written(uid(nth)).expect("as asked");
            if asked.is_none() {
                enrolment.face(Card::Pawn).expect("there is room");
            }
        }
        Draft { number: id(200), name: "Club".to_owned(), enrolment }
    }

    fn faces() -> Vec<CardFace> {
        deck().cards().iter().map(|card| card.face.shows()).collect()
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
        // The draft does not keep a card that has no face yet. People lay this card down again.
        whole.enrolment.tapped(uid(43), id(43)).expect("the last one");
        let mut again = Draft::parse(&whole.file()).expect("a draft");
        assert!(matches!(again.enrolment.next(), EnrolStep::Tap(Some(_))));
        again.enrolment.tapped(uid(43), id(43)).expect("the last one");
        assert_eq!(again.enrolment.written(uid(43)), Ok(EnrolStep::Check));
        assert_eq!(again.deck("2026-11-22"), Ok(deck()));
    }

    #[test]
    fn what_is_no_draft_is_refused_with_a_sentence() {
        let file = draft(3, Some(&faces())).file();
        for (from, to, wanted) in [
            ("{", "[", "not a JSON object"),
            ("\"write\"", "\"burn\"", "a wrong or missing field"),
            ("\"asked\"", "\"sked\"", "a wrong or missing field"),
            ("QQQQ", "QQQK", "a wrong letter"),
            ("QQQQ", "QQQR", "a whole deck"),
            ("\"Club\"", "\"\"", "1 to 60 characters"),
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
