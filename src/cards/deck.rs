//! A deck: which card has which face. The deck is secret. A card itself contains only its chip's UID and an id, not its
//! face.
//!
//! The file is one JSON object (`docs/cards.md`, "The deck's file"): `deck`, `name`, `made`, `pack` (which kind of deck it
//! is; left out for the 44 cards of Choker), and its `cards` with `id` (`null` for an adopted card, on which nothing was
//! written), `uid`, `face` and `copy`. To keep faces out of logs, the `Debug` output of a deck, of a card and of a
//! look-up's result omits them. This module does no IO; the source of randomness is an argument.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tabiya_types::{CardFace, Pack, Sentence, say};

use super::ndef::{CardId, ID, TagContent};
use super::tag::Uid;

/// The longest name of a deck, in characters.
const LONGEST_NAME: usize = 60;
/// The length of the longest deck file that is read, in bytes.
pub const LONGEST_FILE: u64 = 64 * 1024;

/// A source of randomness: fills the slice with random bytes.
pub type RandomBytes<'a> = &'a mut dyn FnMut(&mut [u8]);

/// A card's face and its copy number, as in "the second rook". The `Debug` output hides both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Face {
    shows: CardFace,
    copy: u8,
}

impl Face {
    /// Makes the face of the `copy`-th card that shows `face`, counted from 1; `None` if such a deck has fewer of them.
    pub fn new(pack: Pack, face: impl Into<CardFace>, copy: u8) -> Option<Self> {
        let shows = face.into();
        (1..=pack.count(shows)).contains(&copy).then_some(Self { shows, copy })
    }

    /// What is printed on the card's front.
    pub fn shows(self) -> CardFace {
        self.shows
    }

    /// The copy number: which of the deck's equal cards this is, counted from 1. The second rook has 2.
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
    /// The UID of the card's chip.
    pub uid: Uid,
    /// The id that was written on the card; `None` for an adopted card.
    pub id: Option<CardId>,
    /// The card's face and copy number.
    pub face: Face,
}

impl fmt::Debug for DeckCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DeckCard").field("uid", &self.uid).field("id", &self.id).finish_non_exhaustive()
    }
}

/// A complete deck: all cards of its pack, with distinct chips, ids and faces. The constructors check this.
#[derive(Clone, PartialEq, Eq)]
pub struct Deck {
    pack: Pack,
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

/// Why a file or a list of cards is not a deck. No message names a card's face.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidDeck {
    /// The text is not a deck file.
    #[error("this is not a deck file: {0}; name a file that `tabiya deck export` has written")]
    Form(String),
    /// The text is not the file of a deck draft.
    #[error(
        "this is not the draft of a deck: {0}; begin the deck again with `tabiya deck enrol NAME --anew`"
    )]
    NoDraft(String),
    /// The deck has too few or too many cards.
    #[error("a deck has {all} cards, but this deck has {there}; enrol it again, or import a complete deck", all = pack.size())]
    Count {
        /// The kind of deck.
        pack: Pack,
        /// The number of cards.
        there: usize,
    },
    /// The deck has the right number of cards, but not of each face.
    #[error("a deck has {}, but this deck has other numbers; enrol it again", numbers(*.0))]
    Faces(Pack),
    /// Two cards have the same chip number, id, or face and copy; the text says what is the same.
    #[error("two cards of this deck have the same {0}; enrol the deck again")]
    Duplicate(&'static str),
    /// A card's chip sends another, random UID at every tap. The value is one of these UIDs.
    #[error(
        "a card of this deck has a chip number that changes at every tap ({0}); enrol the deck again without this card"
    )]
    Random(Uid),
    /// The sum in the file is not that of its content.
    #[error(
        "this deck's file was changed or damaged: its sum does not fit; restore the file from a backup, or remove it and read the deck anew with `tabiya deck enrol NAME`"
    )]
    Sum,
    /// The deck's name is empty, too long, or has control characters.
    #[error("a deck's name has 1 to 60 characters on one line; choose another name")]
    Name,
}

/// A deck as it is stored in its file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    deck: String,
    name: String,
    made: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pack: Option<String>,
    cards: Vec<FileCard>,
    /// The sum of the rest; older files have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sum: Option<String>,
}

/// The sum of a file's content, written without white space and without the sum: the first 16 digits of its SHA-256. It
/// finds accidents, and protects against nobody who changes it too.
pub(super) fn sum_of(file: &impl Serialize) -> String {
    // Cannot fail: the file has only strings and numbers.
    let text = serde_json::to_string(file).unwrap_or_default();
    let start =
        Sha256::digest(text.as_bytes()).iter().take(8).fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    format!("{start:016x}")
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FileCard {
    // For an adopted card the file contains `"id": null`. A card without the field `id` is refused, because the field
    // may have been lost.
    #[serde(deserialize_with = "Option::deserialize")]
    id: Option<String>,
    uid: String,
    face: String,
    copy: u8,
}

impl FileCard {
    /// Returns the card in the form of the file.
    pub(super) fn of(card: &DeckCard) -> Self {
        Self {
            id: card.id.map(|id| id.to_string()),
            uid: card.uid.to_string(),
            face: card.face.shows.letter().to_string(),
            copy: card.face.copy,
        }
    }

    /// Parses all cards of a file; `Err` names the number of the first bad card.
    pub(super) fn read_all(pack: Pack, cards: &[Self]) -> Result<Vec<DeckCard>, InvalidDeck> {
        let read = |(nth, card): (usize, &Self)| {
            card.read(pack).map_err(|what| InvalidDeck::Form(format!("card {} has {what}", nth + 1)))
        };
        cards.iter().enumerate().map(read).collect()
    }

    fn read(&self, pack: Pack) -> Result<DeckCard, &'static str> {
        let id = self.id.as_deref().map(|id| CardId::parse(id).ok_or("an id that does not have 32 digits"));
        let mut letters = self.face.chars();
        let face = letters.next().filter(|_| letters.next().is_none()).and_then(CardFace::from_letter);
        let face = face.and_then(|face| Face::new(pack, face, self.copy));
        Ok(DeckCard {
            uid: Uid::parse(&self.uid).map_err(|_| "a chip number of the wrong length")?,
            id: id.transpose()?,
            face: face.ok_or("a face or copy that no deck has")?,
        })
    }
}

/// Parses a text that is one JSON object; `Err` says which line is wrong.
pub(super) fn parse_object<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    // Without this check, Serde would also accept an array with the fields' values in order.
    if !text.trim_start().starts_with('{') {
        return Err("it is not a JSON object".to_owned());
    }
    serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => format!("line {} has a wrong or missing field", error.line()),
        _ => format!("line {} is not JSON", error.line()),
    })
}

/// Checks that all UIDs and ids differ, and that no UID is random at every tap.
pub(super) fn check_chips(cards: &[DeckCard]) -> Result<(), InvalidDeck> {
    if let Some(card) = cards.iter().find(|card| card.uid.is_random()) {
        return Err(InvalidDeck::Random(card.uid));
    }
    all_differ("chip number", cards.iter().map(|card| card.uid))?;
    all_differ("id", cards.iter().filter_map(|card| card.id))
}

/// Checks that no two cards have the same face and copy number.
pub(super) fn check_copies(cards: &[DeckCard]) -> Result<(), InvalidDeck> {
    all_differ("face and copy", cards.iter().map(|card| card.face))
}

fn all_differ<T: Ord>(what: &'static str, mut values: impl Iterator<Item = T>) -> Result<(), InvalidDeck> {
    let mut seen = BTreeSet::new();
    if values.all(|value| seen.insert(value)) { Ok(()) } else { Err(InvalidDeck::Duplicate(what)) }
}

impl Deck {
    /// Makes a deck of these cards; `made` is the date. `Err` if the deck is incomplete or the name invalid.
    pub fn new(
        pack: Pack,
        number: CardId,
        name: &str,
        made: &str,
        cards: Vec<DeckCard>,
    ) -> Result<Self, InvalidDeck> {
        check_name(name)?;
        if cards.len() != pack.size() {
            return Err(InvalidDeck::Count { pack, there: cards.len() });
        }
        check_chips(&cards)?;
        if !has_all_faces(pack, cards.iter().map(|card| card.face.shows)) {
            return Err(InvalidDeck::Faces(pack));
        }
        check_copies(&cards)?;
        Ok(Self { pack, number, name: name.to_owned(), made: made.to_owned(), cards })
    }

    /// Parses the text of a deck's file.
    pub fn parse(text: &str) -> Result<Self, InvalidDeck> {
        let form = |what: String| InvalidDeck::Form(what);
        let mut file: File = parse_object(text).map_err(InvalidDeck::Form)?;
        let sum = file.sum.take();
        let number =
            CardId::parse(&file.deck).ok_or_else(|| form("its number does not have 32 digits".to_owned()))?;
        let pack = parse_pack(file.pack.as_deref()).map_err(form)?;
        let deck = Self::new(pack, number, &file.name, &file.made, FileCard::read_all(pack, &file.cards)?)?;
        if sum.is_none_or(|sum| sum == sum_of(&file)) { Ok(deck) } else { Err(InvalidDeck::Sum) }
    }

    /// Returns the text of the deck's file.
    pub fn file(&self) -> String {
        let mut file = File {
            deck: self.number.to_string(),
            name: self.name.clone(),
            made: self.made.clone(),
            pack: pack_word(self.pack),
            cards: self.cards.iter().map(FileCard::of).collect(),
            sum: None,
        };
        file.sum = Some(sum_of(&file));
        // Cannot fail: the file has only strings and numbers.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }

    /// Which cards the deck has.
    pub fn pack(&self) -> Pack {
        self.pack
    }

    /// The deck's random number, which identifies it.
    pub fn number(&self) -> CardId {
        self.number
    }

    /// The name that people gave the deck.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The date on which the deck was enrolled.
    pub fn made(&self) -> &str {
        &self.made
    }

    /// The deck's cards, with their faces: keep them secret.
    pub fn cards(&self) -> &[DeckCard] {
        &self.cards
    }

    /// The number of adopted cards, on which nothing was written.
    pub fn adopted(&self) -> usize {
        self.cards.iter().filter(|card| card.id.is_none()).count()
    }

    /// Looks up a tapped card and returns its face. UID and id must both match the same card of the deck; for an
    /// adopted card, on which nothing was written, the UID alone decides.
    pub fn check(&self, uid: Uid, content: &TagContent) -> Result<Face, CardFault> {
        let id = content.id();
        let by_uid = self.cards.iter().find(|card| card.uid == uid);
        match by_uid {
            Some(card) if card.id.is_none() || card.id == id => return Ok(card.face),
            _ => {}
        }
        // Ids are random, so two cards never have the same id by chance. If another chip has the id of a card, the id
        // was copied.
        if id.is_some_and(|id| self.cards.iter().any(|card| card.id == Some(id))) {
            return Err(CardFault::Copied);
        }
        match (by_uid, content) {
            (Some(_), TagContent::Closed) => Err(CardFault::Closed),
            (Some(card), _) => Err(CardFault::Rewritten(card.face)),
            (None, _) if uid.is_random() => Err(CardFault::RandomUid),
            (None, _) => Err(CardFault::Foreign),
        }
    }

    /// Returns this deck with a new card in place of the card that has this face and copy number.
    pub fn replaced(&self, face: Face, uid: Uid, id: Option<CardId>) -> Result<Self, InvalidDeck> {
        let mut cards = self.cards.clone();
        if let Some(card) = cards.iter_mut().find(|card| card.face == face) {
            *card = DeckCard { uid, id, face };
        }
        Self::new(self.pack, self.number, &self.name, &self.made, cards)
    }
}

/// Whether these are the faces of a whole deck, in any order.
pub(super) fn has_all_faces(pack: Pack, faces: impl Iterator<Item = CardFace>) -> bool {
    let mut faces: Vec<CardFace> = faces.collect();
    faces.sort_unstable();
    faces.into_iter().eq(pack.cards())
}

/// The word of a deck's kind in its file; `None` for the usual kind, which a file does not name.
pub(super) fn pack_word(pack: Pack) -> Option<String> {
    (pack != Pack::default()).then(|| pack.word().to_owned())
}

/// The kind of deck that a file names. `Err` says what is wrong.
pub(super) fn parse_pack(word: Option<&str>) -> Result<Pack, String> {
    word.map_or(Some(Pack::default()), Pack::from_word)
        .ok_or_else(|| "its `pack` is no kind of deck that this program knows".to_owned())
}

/// How many cards of each face such a deck has, in words.
fn numbers(pack: Pack) -> String {
    let faces: Vec<String> = pack
        .faces()
        .map(|face| format!("{} × {}", pack.count(face), tabiya_types::Fact::from(face)))
        .collect();
    faces.join(", ")
}

/// Checks a deck's name: 1 to 60 characters, not only spaces, no control characters.
pub fn check_name(name: &str) -> Result<(), InvalidDeck> {
    let fits = !name.trim().is_empty()
        && name.chars().count() <= LONGEST_NAME
        && !name.chars().any(char::is_control);
    if fits { Ok(()) } else { Err(InvalidDeck::Name) }
}

/// What is wrong with a tapped card. Neither its `Debug` text nor its sentence for people reveals a face.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CardFault {
    /// The card has the id of a card of this deck, but another chip. So one of these two cards is a copy, and the deck
    /// can no longer be trusted (it is fouled).
    Copied,
    /// The chip belongs to this deck, but its id is missing or wrong. The face is known from the UID.
    Rewritten(Face),
    /// The chip's UID belongs to this deck, but the chip's content cannot be read.
    Closed,
    /// The UID is random at every tap: a telephone, or a card that hides its serial number.
    RandomUid,
    /// The card does not belong to this deck.
    Foreign,
}

impl CardFault {
    /// The sentence that players see.
    pub fn sentence(self) -> Sentence {
        match self {
            Self::Copied => say!(
                "card-copied",
                "this card is a copy of a card of the deck, so the deck is fouled; stop the game and look for the genuine card"
            ),
            Self::Rewritten(_) => say!(
                "card-rewritten",
                "this card of the deck was rewritten; show it to the arbiter, and replace it after the game"
            ),
            Self::Closed => say!(
                "card-closed",
                "this card of the deck cannot be read; lay it down again, or type its face and replace the card after the game"
            ),
            Self::RandomUid => say!(
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
            Self::RandomUid => "RandomUid",
            Self::Foreign => "Foreign",
        })
    }
}

/// Returns the faces of all cards of such a deck in random order. The chips of one roll have consecutive UIDs, which would
/// reveal the faces of cards that are enrolled in order. A random order prevents that.
pub fn shuffled(pack: Pack, chance: RandomBytes<'_>) -> Vec<CardFace> {
    let mut faces: Vec<CardFace> = pack.cards().collect();
    for last in (1..faces.len()).rev() {
        faces.swap(last, below(last + 1, chance));
    }
    faces
}

/// Returns a random number below `bound` (1 to 256), each with the same probability.
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

/// Returns a new random id for a card or a deck.
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
        let copies =
            |face| (1..=Pack::Choker.count(face)).filter_map(move |copy| Face::new(Pack::Choker, face, copy));
        Pack::Choker
            .faces()
            .flat_map(copies)
            .zip(0..)
            .map(|(face, nth)| DeckCard { uid: uid(nth), id: Some(id(nth)), face })
            .collect()
    }

    pub(crate) fn deck() -> Deck {
        Deck::new(Pack::Choker, id(200), "Club", "2026-11-22", cards()).expect("a deck")
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
        let adopted = Deck::new(Pack::Choker, id(1), "Tickets", "2026-11-22", adopted).expect("a deck");
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
            ("\"Club\"", "\"\"", "1 to 60 characters"),
            ("\"made\"", "\"mode\"", "line 4 has a wrong or missing field"),
            ("\"name\"", "\"deck\"", "line 3 has a wrong or missing field"),
            ("{", "[", "not a JSON object"),
            ("\n}\n", "", "is not JSON"),
            (&*uid(1).to_string(), &*uid(0).to_string(), "the same chip number"),
            (&*id(1).to_string(), &*id_of_first, "the same id"),
            ("\"Q\"", "\"R\"", "other numbers"),
            ("\"made\": \"2026-11-22\"", "\"made\": \"\", \"pack\": \"tarot\"", "no kind of deck"),
            (
                "\"made\": \"2026-11-22\"",
                "\"made\": \"\", \"pack\": \"pokerdrez\"",
                "a face or copy that no deck has",
            ),
            ("\"Q\"", "\"K\"", "card 1 has a face or copy that no deck has"),
            ("\"copy\": 2", "\"copy\": 1", "the same face and copy"),
            ("\"copy\": 4", "\"copy\": 5", "a face or copy that no deck has"),
            (&*uid(3).to_string(), "0801020A", "changes at every tap"),
            (&*uid(3).to_string(), "0401", "card 4 has a chip number of the wrong length"),
            (&*format!("\"id\": \"{id_of_first}\","), "", "has a wrong or missing field"),
        ] {
            let said = refused(from, to);
            assert!(said.contains(wanted), "{said}");
            assert!(
                !["queen", "rook"].iter().any(|face| wanted != "other numbers" && said.contains(face)),
                "{said}"
            );
        }
        assert_eq!(
            Deck::new(Pack::Choker, id(1), "x", "", cards()[1..].to_vec()),
            Err(InvalidDeck::Count { pack: Pack::Choker, there: 43 })
        );
    }

    #[test]
    fn a_flipped_chip_number_does_not_pass_and_a_file_without_a_sum_opens() {
        let file = deck().file();
        let (first, another) = (uid(0).to_string(), uid(99).to_string());
        assert_eq!(Deck::parse(&file.replacen(&first, &another, 1)), Err(InvalidDeck::Sum));
        let mut passed = Vec::new();
        for bit in 0..file.len() * 8 {
            let mut bytes = file.clone().into_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            if String::from_utf8(bytes).is_ok_and(|text| Deck::parse(&text).is_ok_and(|read| read != deck()))
            {
                passed.push(bit);
            }
        }
        assert!(passed.is_empty(), "{passed:?}");
        let (before, _) = file.rsplit_once(",\n  \"sum\"").expect("a sum");
        assert_eq!(Deck::parse(&format!("{before}\n}}")), Ok(deck()), "as an older version wrote it");
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
        assert_eq!(deck.check(phone, &TagContent::Closed), Err(CardFault::RandomUid));
    }

    #[test]
    fn an_adopted_card_is_known_by_its_number_alone() {
        let mut cards = cards();
        cards[7].id = None;
        let deck = Deck::new(Pack::Choker, id(1), "Mixed", "", cards).expect("a deck");
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
        let (one, other) = (shuffled(Pack::Choker, &mut chance), shuffled(Pack::Choker, &mut chance));
        assert_ne!(one, other);
        for mut faces in [one, other] {
            faces.sort_unstable();
            let letters: String = faces.into_iter().map(CardFace::letter).collect();
            assert_eq!(letters, "QQQQRRRRRRRRBBBBBBBBNNNNNNNNPPPPPPPPPPPPPPPP");
        }
    }
}
