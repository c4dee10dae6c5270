//! A deck: which card has which face. A secret of the table; the cards themselves tell only who they are.
//!
//! The file is one JSON object (`docs/cards.md`, "The deck's file"): `deck`, `name`, `made`, and 44 `cards` with `id`
//! (`null` on a card that was adopted as it is), `uid`, `face` and `copy`. Nothing here prints a face by accident:
//! `Debug` of a deck, of a card in it and of what a look-up found leaves it out. No IO; chance is an argument.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use tabiya_types::{Card, Counts, Sentence, say};

use super::ndef::{CardId, ID, TagContent};
use super::tag::Uid;

/// Cards of a deck.
pub const CARDS: usize = 44;
/// The longest name, in letters.
const LONGEST_NAME: usize = 60;
/// The longest file that is read, in bytes.
pub const LONGEST_FILE: u64 = 64 * 1024;

/// A source of chance: fills bytes.
pub type RandomBytes<'a> = &'a mut dyn FnMut(&mut [u8]);

/// Which of the deck's equal cards: the second rook. Prints no face but by [`Face::card`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Face {
    card: Card,
    copy: u8,
}

impl Face {
    /// A face with its number among its equals, from 1; `None` if the deck has no such card.
    pub fn new(card: Card, copy: u8) -> Option<Self> {
        (1..=card.in_deck()).contains(&copy).then_some(Self { card, copy })
    }

    /// What is on its front.
    pub fn card(self) -> Card {
        self.card
    }

    /// Its number among its equals, from 1.
    pub fn copy(self) -> u8 {
        self.copy
    }
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Face(hidden)")
    }
}

/// A card of a deck.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DeckCard {
    /// Its chip's number.
    pub uid: Uid,
    /// What was written into it; nothing on an adopted card.
    pub id: Option<CardId>,
    /// Its face.
    pub face: Face,
}

impl fmt::Debug for DeckCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeckCard").field("uid", &self.uid).field("id", &self.id).finish_non_exhaustive()
    }
}

/// 44 cards, all different: having a `Deck` is the proof.
#[derive(Clone, PartialEq, Eq)]
pub struct Deck {
    number: CardId,
    name: String,
    made: String,
    cards: Vec<DeckCard>,
}

impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deck").field("number", &self.number).field("name", &self.name).finish_non_exhaustive()
    }
}

/// Why a file or a list of cards is no deck. Names no face.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoDeck {
    /// It is no such file.
    #[error("this is no deck's file: {0}; name a file that `tabiya deck export` has written")]
    Form(String),
    /// It is no draft of a deck.
    #[error("this is no deck that was begun: {0}; begin it again with `tabiya deck enrol NAME --anew`")]
    NoDraft(String),
    /// Too few or too many cards.
    #[error("a deck has 44 cards, and these are {0}; enrol the deck anew, or import a whole one")]
    Count(usize),
    /// Not so many of each face.
    #[error(
        "a deck has 4 queens, 8 rooks, 8 bishops, 8 knights and 16 pawns, and this one has not; enrol it anew"
    )]
    Faces,
    /// Equal chips, ids or copies.
    #[error("two cards of this deck have the same {0}; enrol the deck anew")]
    Twice(&'static str),
    /// A number that is made up each time.
    #[error(
        "a card of this deck has a number that is made up each time ({0}); enrol the deck anew without it"
    )]
    Random(Uid),
    /// A name that cannot be used.
    #[error("a deck's name has 1 to 60 letters on one line; choose another one")]
    Name,
}

/// The form in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    deck: String,
    name: String,
    made: String,
    cards: Vec<FileCard>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileCard {
    // `null` must be there: a card without the word is a card whose id was lost.
    #[serde(deserialize_with = "Option::deserialize")]
    id: Option<String>,
    uid: String,
    face: String,
    copy: u8,
}

impl FileCard {
    /// How a card is written.
    pub(super) fn of(card: &DeckCard) -> Self {
        Self {
            id: card.id.map(|id| id.to_string()),
            uid: card.uid.to_string(),
            face: card.face.card.letter().to_string(),
            copy: card.face.copy,
        }
    }

    /// The cards that were written.
    pub(super) fn read_all(cards: &[Self]) -> Result<Vec<DeckCard>, NoDeck> {
        let read = |(nth, card): (usize, &Self)| {
            card.read().map_err(|what| NoDeck::Form(format!("card {} has {what}", nth + 1)))
        };
        cards.iter().enumerate().map(read).collect()
    }

    fn read(&self) -> Result<DeckCard, &'static str> {
        let id = self.id.as_deref().map(|id| CardId::parse(id).ok_or("an id without 32 digits"));
        let mut letters = self.face.chars();
        let face = letters.next().filter(|_| letters.next().is_none()).and_then(Card::from_letter);
        let face = face.and_then(|face| Face::new(face, self.copy));
        Ok(DeckCard {
            uid: Uid::parse(&self.uid).map_err(|_| "a chip number of another length")?,
            id: id.transpose()?,
            face: face.ok_or("a face or copy that no deck has")?,
        })
    }
}

/// Reads a file of one object; what is wrong with it otherwise.
pub(super) fn parse_object<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    // A list of values would be taken for an object whose names were left out.
    if !text.trim_start().starts_with('{') {
        return Err("it is no JSON object".to_owned());
    }
    serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => format!("line {} has something else", error.line()),
        _ => format!("line {} is no JSON", error.line()),
    })
}

/// Whether chips and ids are all different, and no number is made up each time.
pub(super) fn check_chips(cards: &[DeckCard]) -> Result<(), NoDeck> {
    if let Some(card) = cards.iter().find(|card| card.uid.is_random()) {
        return Err(NoDeck::Random(card.uid));
    }
    all_differ("chip number", cards.iter().map(|card| card.uid))?;
    all_differ("id", cards.iter().filter_map(|card| card.id))
}

/// Whether no face is there twice with the same copy.
pub(super) fn check_copies(cards: &[DeckCard]) -> Result<(), NoDeck> {
    all_differ("face and copy", cards.iter().map(|card| card.face))
}

fn all_differ<T: Ord>(what: &'static str, mut of: impl Iterator<Item = T>) -> Result<(), NoDeck> {
    let mut seen = BTreeSet::new();
    if of.all(|one| seen.insert(one)) { Ok(()) } else { Err(NoDeck::Twice(what)) }
}

impl Deck {
    /// A deck of these cards; `made` is a date.
    pub fn new(number: CardId, name: &str, made: &str, cards: Vec<DeckCard>) -> Result<Self, NoDeck> {
        check_name(name)?;
        if cards.len() != CARDS {
            return Err(NoDeck::Count(cards.len()));
        }
        check_chips(&cards)?;
        let counts: Counts = cards.iter().map(|card| card.face.card).collect();
        if Card::ALL.into_iter().any(|card| counts.of(card) != card.in_deck()) {
            return Err(NoDeck::Faces);
        }
        check_copies(&cards)?;
        Ok(Self { number, name: name.to_owned(), made: made.to_owned(), cards })
    }

    /// Reads a deck's file.
    pub fn parse(text: &str) -> Result<Self, NoDeck> {
        let form = |what: String| NoDeck::Form(what);
        let file: File = parse_object(text).map_err(NoDeck::Form)?;
        let number =
            CardId::parse(&file.deck).ok_or_else(|| form("its number has not 32 digits".to_owned()))?;
        Self::new(number, &file.name, &file.made, FileCard::read_all(&file.cards)?)
    }

    /// The deck's file.
    pub fn file(&self) -> String {
        let file = File {
            deck: self.number.to_string(),
            name: self.name.clone(),
            made: self.made.clone(),
            cards: self.cards.iter().map(FileCard::of).collect(),
        };
        // Texts and numbers alone: there is nothing that JSON has no form for.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }

    /// Its random number.
    pub fn number(&self) -> CardId {
        self.number
    }

    /// What people call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The date on which it was enrolled.
    pub fn made(&self) -> &str {
        &self.made
    }

    /// Its cards. Whoever asks a card for its face means it.
    pub fn cards(&self) -> &[DeckCard] {
        &self.cards
    }

    /// How many of its cards were adopted as they are.
    pub fn adopted(&self) -> usize {
        self.cards.iter().filter(|card| card.id.is_none()).count()
    }

    /// What a tapped card is to this deck. UID and id must be of the same card; nothing else is believed.
    pub fn check(&self, uid: Uid, content: &TagContent) -> Result<Face, CardFault> {
        let id = content.id();
        let by_uid = self.cards.iter().find(|card| card.uid == uid);
        match by_uid {
            Some(card) if card.id.is_none() || card.id == id => return Ok(card.face),
            _ => {}
        }
        // A random number is on no two cards: whoever has it otherwise has copied it.
        if id.is_some_and(|id| self.cards.iter().any(|card| card.id == Some(id))) {
            return Err(CardFault::Copied);
        }
        match (by_uid, content) {
            (Some(_), TagContent::Closed) => Err(CardFault::Closed),
            (Some(card), _) => Err(CardFault::Rewritten(card.face)),
            (None, _) if uid.is_random() => Err(CardFault::MadeUp),
            (None, _) => Err(CardFault::Foreign),
        }
    }

    /// The same deck with another card in one's place.
    pub fn replaced(&self, face: Face, uid: Uid, id: Option<CardId>) -> Result<Self, NoDeck> {
        let mut cards = self.cards.clone();
        if let Some(card) = cards.iter_mut().find(|card| card.face == face) {
            *card = DeckCard { uid, id, face };
        }
        Self::new(self.number, &self.name, &self.made, cards)
    }
}

/// Whether a deck can be called so.
pub fn check_name(name: &str) -> Result<(), NoDeck> {
    let fits = !name.trim().is_empty()
        && name.chars().count() <= LONGEST_NAME
        && !name.chars().any(char::is_control);
    if fits { Ok(()) } else { Err(NoDeck::Name) }
}

/// What is wrong with a tapped card. `Debug` and the sentence name no face.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CardFault {
    /// It carries the id of a card of this deck, and is another card: a fouled deck.
    Copied,
    /// It is a card of this deck, but something else is written on it now. Its number still tells the face.
    Rewritten(Face),
    /// It is a card of this deck by its number, but what is written on it cannot be read.
    Closed,
    /// A telephone, or a card that hides its number.
    MadeUp,
    /// It is of no concern to this deck.
    Foreign,
}

impl CardFault {
    /// What is said at the table.
    pub fn sentence(self) -> Sentence {
        match self {
            Self::Copied => say!(
                "card-copied",
                "this is a copy of a card of the deck: the deck is fouled; stop the game and look for the true card"
            ),
            Self::Rewritten(_) => say!(
                "card-rewritten",
                "this card of the deck was rewritten; show it to the arbiter, and replace it after the game"
            ),
            Self::Closed => say!(
                "card-closed",
                "this card of the deck cannot be read; lay it down again, or type it and replace it after the game"
            ),
            Self::MadeUp => say!(
                "card-made-up",
                "this is a telephone or a card that hides its number; keep telephones away and lay down a card of the deck"
            ),
            Self::Foreign => {
                say!(
                    "card-foreign",
                    "this is not a card of this deck; lay down a card of the deck, or choose the right deck"
                )
            }
        }
    }
}

impl fmt::Debug for CardFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Copied => "Copied",
            Self::Rewritten(_) => "Rewritten",
            Self::Closed => "Closed",
            Self::MadeUp => "MadeUp",
            Self::Foreign => "Foreign",
        })
    }
}

/// All 44 faces in random order: enrolled so, the chips' numbers, which rise along a roll, say nothing of the faces.
pub fn shuffled(chance: RandomBytes<'_>) -> Vec<Card> {
    let mut faces: Vec<Card> =
        Card::ALL.into_iter().flat_map(|card| std::iter::repeat_n(card, card.in_deck().into())).collect();
    for last in (1..faces.len()).rev() {
        faces.swap(last, below(last + 1, chance));
    }
    faces
}

/// A number below `bound`, each as likely.
fn below(bound: usize, chance: RandomBytes<'_>) -> usize {
    loop {
        let mut byte = [0];
        chance(&mut byte);
        let [byte] = byte.map(usize::from);
        if byte < 256 - 256 % bound {
            return byte % bound;
        }
    }
}

/// A new random number for a card or a deck.
pub fn new_id(chance: RandomBytes<'_>) -> CardId {
    let mut id = [0; ID];
    chance(&mut id);
    CardId(id)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may stop at the first surprise")]
pub(super) mod tests {
    use super::*;
    use crate::ndef::Record;

    pub(crate) fn uid(nth: u8) -> Uid {
        Uid::new(&[4, 1, 2, 3, 4, 5, nth]).expect("seven bytes")
    }

    pub(crate) fn id(nth: u8) -> CardId {
        CardId([nth; ID])
    }

    pub(crate) fn cards() -> Vec<DeckCard> {
        let faces = Card::ALL
            .into_iter()
            .flat_map(|card| (1..=card.in_deck()).filter_map(move |copy| Face::new(card, copy)));
        faces.zip(0..).map(|(face, nth)| DeckCard { uid: uid(nth), id: Some(id(nth)), face }).collect()
    }

    pub(crate) fn deck() -> Deck {
        Deck::new(id(200), "Club", "2026-11-22", cards()).expect("a deck")
    }

    fn with(id: CardId) -> TagContent {
        TagContent::Ours(Record::new(id))
    }

    #[test]
    fn a_deck_is_written_and_read_again_as_it_was() {
        assert_eq!(Deck::parse(&deck().file()), Ok(deck()));
        let mut adopted = cards();
        for card in &mut adopted {
            card.id = None;
        }
        let adopted = Deck::new(id(1), "Tickets", "2026-11-22", adopted).expect("a deck");
        assert_eq!(Deck::parse(&adopted.file()), Ok(adopted.clone()));
        assert_eq!(adopted.adopted(), 44);
    }

    #[test]
    fn what_is_no_deck_is_refused_with_a_sentence() {
        let file = deck().file();
        let refused = |from: &str, to: &str| {
            assert!(file.contains(from), "{from}");
            Deck::parse(&file.replacen(from, to, 1)).expect_err(to).to_string()
        };
        let id_of_first = id(0).to_string();
        for (from, to, wanted) in [
            ("\"Club\"", "\"\"", "1 to 60 letters"),
            ("\"made\"", "\"mode\"", "line 4 has something else"),
            ("\"name\"", "\"deck\"", "line 3 has something else"),
            ("{", "[", "no JSON object"),
            ("]", "", "is no JSON"),
            (&*uid(1).to_string(), &*uid(0).to_string(), "the same chip number"),
            (&*id(1).to_string(), &*id_of_first, "the same id"),
            ("\"Q\"", "\"R\"", "has not"),
            ("\"Q\"", "\"K\"", "card 1 has a face or copy that no deck has"),
            ("\"copy\": 2", "\"copy\": 1", "the same face and copy"),
            ("\"copy\": 4", "\"copy\": 5", "a face or copy that no deck has"),
            (&*uid(3).to_string(), "0801020A", "made up each time"),
            (&*uid(3).to_string(), "0401", "card 4 has a chip number of another length"),
            (&*format!("\"id\": \"{id_of_first}\","), "", "has something else"),
        ] {
            let said = refused(from, to);
            assert!(said.contains(wanted), "{said}");
            assert!(
                !["queen", "rook"].iter().any(|face| wanted != "has not" && said.contains(face)),
                "{said}"
            );
        }
        assert_eq!(Deck::new(id(1), "x", "", cards()[1..].to_vec()), Err(NoDeck::Count(43)));
    }

    #[test]
    fn a_card_is_believed_only_with_number_and_id_together() {
        let deck = deck();
        let check = |uid_of, content| deck.check(uid(uid_of), &content);
        assert_eq!(check(5, with(id(5))), Ok(deck.cards()[5].face));
        assert_eq!(check(99, with(id(5))), Err(CardFault::Copied));
        assert_eq!(check(6, with(id(5))), Err(CardFault::Copied), "even on another card of the deck");
        assert_eq!(check(5, TagContent::Empty), Err(CardFault::Rewritten(deck.cards()[5].face)));
        assert_eq!(check(5, with(id(99))), Err(CardFault::Rewritten(deck.cards()[5].face)));
        assert_eq!(check(5, TagContent::Closed), Err(CardFault::Closed));
        assert_eq!(check(99, with(id(99))), Err(CardFault::Foreign));
        assert_eq!(check(99, TagContent::Empty), Err(CardFault::Foreign));
        let phone = Uid::parse("08112233").expect("a number");
        assert_eq!(deck.check(phone, &TagContent::Closed), Err(CardFault::MadeUp));
    }

    #[test]
    fn an_adopted_card_is_known_by_its_number_alone() {
        let mut cards = cards();
        cards[7].id = None;
        let deck = Deck::new(id(1), "Mixed", "", cards).expect("a deck");
        for content in [TagContent::Empty, TagContent::Other, TagContent::Closed, with(id(99))] {
            assert_eq!(deck.check(uid(7), &content), Ok(deck.cards()[7].face));
        }
        assert_eq!(
            deck.check(uid(8), &TagContent::Empty).map_err(|fault| format!("{fault:?}")),
            Err("Rewritten".to_owned())
        );
    }

    #[test]
    fn nothing_prints_a_face_by_accident() {
        let deck = deck();
        let found = deck.check(uid(0), &with(id(0)));
        let fault = deck.check(uid(0), &TagContent::Empty);
        let printed = format!("{deck:?} {:?} {found:?} {fault:?}", deck.cards());
        for face in ["Queen", "Rook", "queen", "\"Q\""] {
            assert!(!printed.contains(face), "{face} in {printed}");
        }
    }

    #[test]
    fn faces_come_in_any_order_and_all_of_them() {
        let mut seed = 1_u32;
        let mut chance = |bytes: &mut [u8]| {
            for byte in bytes {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *byte = u8::try_from(seed >> 24).unwrap_or_default();
            }
        };
        let (one, other) = (shuffled(&mut chance), shuffled(&mut chance));
        assert_ne!(one, other);
        for faces in [one, other] {
            assert_eq!(
                faces.into_iter().collect::<Counts>().to_string(),
                "QQQQRRRRRRRRBBBBBBBBNNNNNNNNPPPPPPPPPPPPPPPP"
            );
        }
    }
}
