//! The content of a card: one NDEF record of Tabiya's own type, in a TLV block of the tag. This module does no IO.
//!
//! The record holds an id of 16 random bytes and sometimes a signature. The card's face is not on it.
//! Source: `docs/cards.md`, "What is on a card"; the tests assert the example there.

use std::fmt;

use super::tag::{self, FIRST_PAGE, PAGE};

/// The name of the type of Tabiya's record. In NDEF, the name of an external type begins with an internet domain that
/// belongs to the owner of the type. Such a name means the same in upper and in lower case.
const TYPE: &[u8] = b"tabiya.example:card";
/// The version of the payload, which is the payload's first byte.
const VERSION: u8 = 1;
/// The length of a card's id, in bytes.
pub const ID: usize = 16;
/// The length of an Ed25519 signature, in bytes.
pub const SIGNATURE: usize = 64;
/// The length of the longest NDEF message that is parsed, in bytes: Tabiya's record with a signature.
const LONGEST_MESSAGE: usize = 3 + TYPE.len() + 1 + ID + SIGNATURE;
/// The greatest number of bytes that are read from page 4 on: the size of the user memory of an NTAG213.
pub const LONGEST_AREA: usize = 144;

/// The prefix of the signed message. It keeps a card's signature from being valid for any other purpose.
const SIGNED: &[u8] = b"tabiya card v1\0";

/// The random number that is written on a card to identify the card. Each deck has such a number, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardId(pub [u8; ID]);

impl CardId {
    /// Parses an id from 32 hexadecimal digits in upper or lower case; `None` for anything else.
    pub fn parse(digits: &str) -> Option<Self> {
        tag::from_hex(digits)?.try_into().ok().map(Self)
    }
}

/// Writes the id as upper-case hexadecimal digits without spaces.
impl fmt::Display for CardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        tag::write_hex(f, &self.0)
    }
}

impl fmt::Debug for CardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Tabiya's record on a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// The card's random id, different for every card.
    pub id: CardId,
    /// The issuer's signature over UID and id, if the card has one. Tabiya does not verify the signature, because the
    /// deck's file proves more.
    pub signature: Option<[u8; SIGNATURE]>,
}

impl Record {
    /// Makes a record without a signature, as `tabiya deck enrol` writes it.
    pub fn new(id: CardId) -> Self {
        Self { id, signature: None }
    }

    /// Returns the bytes of the user memory from page 4 on: the TLV block with the message, then the terminator.
    pub fn area(&self) -> Vec<u8> {
        let signature = self.signature.as_ref().map_or(&[][..], |signature| signature);
        let payload = 1 + ID + signature.len();
        let message = 3 + TYPE.len() + payload;
        let one = |len: usize| u8::try_from(len).unwrap_or(u8::MAX);
        // 0xD4: first and last record of the message, short record, external type.
        let head = [0x03, one(message), 0xD4, one(TYPE.len()), one(payload)];
        [&head, TYPE, &[VERSION], &self.id.0, signature, &[0xFE]].concat()
    }

    /// Returns the pages to write, with their numbers, in the order of writing. The first write makes the card's
    /// content empty, and only the last write makes the record valid. So a card that is lifted before the last write is
    /// read as empty, never as a damaged record.
    pub fn writes(&self) -> Vec<(u8, [u8; PAGE])> {
        let area = self.area();
        let mut pages = (FIRST_PAGE..).zip(area.chunks(PAGE).map(|chunk| {
            let mut page = [0; PAGE];
            page.iter_mut().zip(chunk).for_each(|(byte, from)| *byte = *from);
            page
        }));
        let first = pages.next();
        let empty = (FIRST_PAGE, [0x03, 0x00, 0xFE, 0x00]);
        std::iter::once(empty).chain(pages).chain(first).collect()
    }
}

/// Returns the message that an issuer signs for one card.
pub fn signed_message(uid: &tag::Uid, id: &CardId) -> Vec<u8> {
    [SIGNED, uid.bytes(), &id.0].concat()
}

/// The content of a card besides its UID.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagContent {
    /// Tabiya's record.
    Ours(Record),
    /// No content: a blank card, or a card that was lifted while it was being written.
    Empty,
    /// Other content: data of another program, or an unknown version of Tabiya's record.
    Other,
    /// The content cannot be read: the card wants a password, or is of another kind.
    Closed,
}

impl TagContent {
    /// Returns the id; `None` unless the card has Tabiya's record.
    pub fn id(&self) -> Option<CardId> {
        match self {
            Self::Ours(record) => Some(record.id),
            Self::Empty | Self::Other | Self::Closed => None,
        }
    }
}

/// Parses an NDEF message that is not wrapped in a TLV block, as a reader behind a board sends it.
pub fn content_of_message(message: &[u8]) -> TagContent {
    let Ok(len) = u16::try_from(message.len()) else { return TagContent::Other };
    // The length is written in the form with three bytes, because this form is valid for messages of any length.
    let [high, low] = len.to_be_bytes();
    let area = [&[0x03, 0xFF, high, low], message, &[0xFE]].concat();
    match scan(&area) {
        Scan::Is(content) => content,
        Scan::More => TagContent::Other,
    }
}

/// The result of [`scan`] on the bytes read so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scan {
    /// More bytes are needed.
    More,
    /// The bytes are enough to know the content.
    Is(TagContent),
}

/// Parses the TLV blocks of the bytes from page 4 on. Returns [`Scan::More`] only while the content is still unknown
/// and there are fewer than [`LONGEST_AREA`] bytes.
pub fn scan(area: &[u8]) -> Scan {
    let enough = area.len() >= LONGEST_AREA;
    let more = if enough { Scan::Is(TagContent::Other) } else { Scan::More };
    let mut rest = area;
    loop {
        let (kind, after) = match rest {
            // The memory ends without a terminator and without a message.
            [] if enough => return Scan::Is(TagContent::Empty),
            [] => return Scan::More,
            [kind, after @ ..] => (*kind, after),
        };
        match kind {
            0x00 => {
                rest = after;
                continue;
            }
            0xFE => return Scan::Is(TagContent::Empty),
            _ => {}
        }
        let (len, after) = match after {
            [0xFF, high, low, after @ ..] => (usize::from(u16::from_be_bytes([*high, *low])), after),
            [] | [0xFF, ..] => return more,
            [len, after @ ..] => (usize::from(*len), after),
        };
        match kind {
            0x03 if len == 0 => return Scan::Is(TagContent::Empty),
            0x03 if len > LONGEST_MESSAGE => return Scan::Is(TagContent::Other),
            0x03 => return after.get(..len).map_or(more, |message| Scan::Is(message_of(message))),
            // Lock control, memory control and proprietary blocks are skipped.
            0x01 | 0x02 | 0xFD => match after.get(len..) {
                Some(next) => rest = next,
                None => return more,
            },
            _ => return Scan::Is(TagContent::Other),
        }
    }
}

/// Parses one complete NDEF message.
fn message_of(message: &[u8]) -> TagContent {
    match message {
        // Some programs clear a tag by writing one empty record.
        [0xD0, 0x00, 0x00] => TagContent::Empty,
        // 0xD4: first and last record of the message, not chunked, short record, no record id, external type.
        [0xD4, type_len, payload_len, rest @ ..] => {
            ours(*type_len, *payload_len, rest).unwrap_or(TagContent::Other)
        }
        _ => TagContent::Other,
    }
}

fn ours(type_len: u8, payload_len: u8, rest: &[u8]) -> Option<TagContent> {
    let (name, payload) = rest.split_at_checked(type_len.into())?;
    let whole = payload.len() == usize::from(payload_len) && name.eq_ignore_ascii_case(TYPE);
    let [VERSION, body @ ..] = payload else { return None };
    let (id, signature) = body.split_first_chunk::<ID>()?;
    let signature = match signature {
        [] => None,
        signature => Some(signature.try_into().ok()?),
    };
    whole.then_some(TagContent::Ours(Record { id: CardId(*id), signature }))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may stop at the first surprise")]
mod tests;
