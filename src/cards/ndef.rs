//! What is written on a card: one NDEF record of our own type in the tag's TLVs. Pure: bytes in, bytes out.
//!
//! The record holds an id, sixteen random bytes, and sometimes a signature. The face is not on the card.
//! Source: `docs/cards.md`; checked by the worked example there, which is asserted below.

use std::fmt;

use super::tag::{self, FIRST_PAGE, PAGE};

/// Whose record it is. An external type is named by a domain of its makers; readers compare it without case.
const TYPE: &[u8] = b"tabiya.example:card";
/// The version of the payload that is written.
const VERSION: u8 = 1;
/// Bytes of an id.
pub const ID: usize = 16;
/// Bytes of an Ed25519 signature.
pub const SIGNATURE: usize = 64;
/// The longest message that is looked into: our own with a signature.
const LONGEST_MESSAGE: usize = 3 + TYPE.len() + 1 + ID + SIGNATURE;
/// How many bytes from page 4 on are read at most: a tag of the default kind holds no more.
pub const LONGEST_AREA: usize = 144;

/// Before a signed card's UID and id, so that a signature is good for nothing else.
const SIGNED: &[u8] = b"tabiya card v1\0";

/// The random number that is written into a card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardId(pub [u8; ID]);

impl CardId {
    /// The id as hexadecimal digits, of either case.
    pub fn parse(digits: &str) -> Option<Self> {
        tag::from_hex(digits)?.try_into().ok().map(Self)
    }
}

/// Capital hexadecimal digits without spaces.
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

/// A card's own record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// Which card it is, anywhere.
    pub id: CardId,
    /// Its issuer's signature over UID and id, if it carries one. Whoever has the deck's file needs none.
    pub signature: Option<[u8; SIGNATURE]>,
}

impl Record {
    /// One without a signature, as the deck tool writes it.
    pub fn new(id: CardId) -> Self {
        Self { id, signature: None }
    }

    /// The whole area from page 4 on: the TLV with its message, then its end.
    pub fn area(&self) -> Vec<u8> {
        let signature = self.signature.as_ref().map_or(&[][..], |signature| signature);
        let payload = 1 + ID + signature.len();
        let message = 3 + TYPE.len() + payload;
        let one = |len: usize| u8::try_from(len).unwrap_or(u8::MAX);
        // Begin and end of the message, short record, external type.
        let head = [0x03, one(message), 0xD4, one(TYPE.len()), one(payload)];
        [&head, TYPE, &[VERSION], &self.id.0, signature, &[0xFE]].concat()
    }

    /// The pages to be written, in this order: a card that is lifted half-way then reads as empty, never as rubbish.
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

/// What an issuer signs for one card.
pub fn signed_message(uid: &tag::Uid, id: &CardId) -> Vec<u8> {
    [SIGNED, uid.bytes(), &id.0].concat()
}

/// What a card holds besides its UID.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagContent {
    /// A record of ours.
    Ours(Record),
    /// Nothing: a blank card, or one that was lifted while it was written.
    Empty,
    /// Something else: another program's, or a version that is not known here.
    Other,
    /// It does not let itself be read: it wants a password, or is another kind of card.
    Closed,
}

impl TagContent {
    /// The id, on a card of ours.
    pub fn id(&self) -> Option<CardId> {
        match self {
            Self::Ours(record) => Some(record.id),
            Self::Empty | Self::Other | Self::Closed => None,
        }
    }
}

/// What an NDEF message says that came without the tag's own TLV around it.
pub fn content_of_message(message: &[u8]) -> TagContent {
    let Ok(len) = u16::try_from(message.len()) else { return TagContent::Other };
    // The long form of a length holds short ones, too.
    let [high, low] = len.to_be_bytes();
    let area = [&[0x03, 0xFF, high, low], message, &[0xFE]].concat();
    match scan(&area) {
        Scan::Is(content) => content,
        Scan::More => TagContent::Other,
    }
}

/// What the bytes from page 4 on say so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scan {
    /// It needs bytes beyond these.
    More,
    /// Enough.
    Is(TagContent),
}

/// Looks through the TLVs. Asks for no more bytes than it takes to know, and never for more than
/// [`LONGEST_AREA`].
pub fn scan(area: &[u8]) -> Scan {
    let enough = area.len() >= LONGEST_AREA;
    let more = if enough { Scan::Is(TagContent::Other) } else { Scan::More };
    let mut rest = area;
    loop {
        let (kind, after) = match rest {
            // The tag ends without an end mark: nothing was in it.
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
            // Lock control, memory control, proprietary: not ours to read.
            0x01 | 0x02 | 0xFD => match after.get(len..) {
                Some(next) => rest = next,
                None => return more,
            },
            _ => return Scan::Is(TagContent::Other),
        }
    }
}

/// One whole NDEF message.
fn message_of(message: &[u8]) -> TagContent {
    match message {
        // An NDEF message with one empty record is how some programs write nothing.
        [0xD0, 0x00, 0x00] => TagContent::Empty,
        // Begin and end of the message, not in parts, short, no id of its own, external type.
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
