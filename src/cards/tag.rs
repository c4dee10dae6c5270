//! Tags: their UIDs, and the memory pages that a card reader reads and writes.
//!
//! Source: data sheets of the NTAG21x family, as summarised in `docs/cards.md`. Nothing here was tested on hardware.

use std::fmt;

/// The length of a page in bytes. A tag is written page by page.
pub const PAGE: usize = 4;
/// The number of pages that a tag returns for one READ command.
pub const PAGES_A_READ: u8 = 4;
/// The first page of the user memory.
pub const FIRST_PAGE: u8 = 4;
/// The page that contains the capability container. It says whether the tag is formatted for NDEF, how large its memory
/// is, and whether the memory may be read and written.
pub const CAPABILITY_PAGE: u8 = 3;
/// The page whose bytes 2 and 3 are the static lock bits. A lock bit that is set can never be cleared.
pub const LOCK_PAGE: u8 = 2;
/// The bytes written to [`LOCK_PAGE`] to lock pages 3 to 15, which include Tabiya's whole record. The other lock bits
/// can still be changed afterwards. Bytes 0 and 1 of this page are fixed by the maker, so writing them has no effect.
pub const LOCK: [u8; PAGE] = [0x00, 0x00, 0xF8, 0xFF];
/// The longest UID, in bytes.
const LONGEST: usize = 10;

/// A tag's serial number of 4, 7 or 10 bytes, first byte first. Every reader can read it; it is no secret.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uid {
    bytes: [u8; LONGEST],
    len: u8,
}

/// The error for bytes or digits that are not a UID.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a tag's serial number has 4, 7 or 10 bytes, written as 8, 14 or 20 digits 0-9 A-F")]
pub struct UidError;

impl Uid {
    /// Makes a UID of these bytes; `Err` unless there are 4, 7 or 10 of them.
    pub fn new(from: &[u8]) -> Result<Self, UidError> {
        let len @ (4 | 7 | LONGEST) = from.len() else { return Err(UidError) };
        let mut bytes = [0; LONGEST];
        bytes.iter_mut().zip(from).for_each(|(byte, from)| *byte = *from);
        Ok(Self { bytes, len: u8::try_from(len).map_err(|_| UidError)? })
    }

    /// Parses a UID written as hexadecimal digits in upper or lower case, without spaces.
    pub fn parse(digits: &str) -> Result<Self, UidError> {
        Self::new(&from_hex(digits).ok_or(UidError)?)
    }

    /// Returns the UID's bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len.into()).unwrap_or_default()
    }

    /// Whether this is a random UID, which changes at every tap. Telephones send random UIDs, and so do cards that hide
    /// their serial number.
    pub fn is_random(&self) -> bool {
        self.len == 4 && self.bytes.first() == Some(&0x08)
    }
}

/// Writes the UID as upper-case hexadecimal digits without spaces.
impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(f, self.bytes())
    }
}

impl fmt::Debug for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The capability container (page 3) of a tag that is formatted for NDEF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capability {
    /// The number of bytes available for TLV blocks.
    pub size: u16,
    /// Whether the access byte allows writing. Lock bits can still forbid it.
    pub writable: bool,
}

impl Capability {
    /// Parses the four bytes of page 3; `None` if the tag is not formatted for NDEF.
    pub fn parse(page: [u8; PAGE]) -> Option<Self> {
        let [0xE1, version, size, access] = page else { return None };
        (version >> 4 == 1).then(|| Self { size: u16::from(size) * 8, writable: access.is_multiple_of(0x10) })
    }
}

pub(super) fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
}

/// Parses hexadecimal digits in upper or lower case, without spaces; `None` for anything else.
pub(super) fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let nibbles = digits.chars().map(|digit| digit.to_digit(16).and_then(|nibble| u8::try_from(nibble).ok()));
    let nibbles: Vec<u8> = nibbles.collect::<Option<_>>()?;
    let pairs = nibbles.chunks_exact(2);
    pairs
        .remainder()
        .is_empty()
        .then(|| pairs.map(|pair| pair.iter().fold(0, |byte, nibble| byte << 4 | nibble)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_serial_number_has_four_seven_or_ten_bytes() {
        for len in 0..12 {
            let bytes: Vec<u8> = (0..len).collect();
            let uid = Uid::new(&bytes);
            assert_eq!(uid.is_ok(), [4, 7, 10].contains(&len), "{len}");
            if let Ok(uid) = uid {
                assert_eq!(uid.bytes(), bytes);
                assert_eq!(Uid::parse(&uid.to_string()), Ok(uid));
                assert_eq!(Uid::parse(&uid.to_string().to_lowercase()), Ok(uid));
            }
        }
        assert_eq!(Uid::parse("04A1B2C3D48001").map(|uid| uid.to_string()).as_deref(), Ok("04A1B2C3D48001"));
        for wrong in
            ["", "04A1B2C3D4800", "04A1B2C3D480", "04 A1B2C3D48001", "é4A1B2C3D48001", "+4A1B2C3D48001"]
        {
            assert_eq!(Uid::parse(wrong), Err(UidError), "{wrong}");
        }
    }

    #[test]
    fn a_telephone_makes_its_number_up_each_time() {
        let random = |digits| Uid::parse(digits).map(|uid| uid.is_random());
        assert_eq!(random("08A1B2C3"), Ok(true));
        assert_eq!(random("04A1B2C3"), Ok(false));
        assert_eq!(random("08A1B2C3D48001"), Ok(false));
    }

    #[test]
    fn page_three_says_what_a_tag_holds() {
        let of = |page| Capability::parse(page);
        assert_eq!(of([0xE1, 0x10, 0x12, 0]), Some(Capability { size: 144, writable: true }));
        assert_eq!(of([0xE1, 0x10, 0x3E, 0]), Some(Capability { size: 496, writable: true }));
        assert_eq!(of([0xE1, 0x10, 0x6D, 0x0F]), Some(Capability { size: 872, writable: false }));
        assert_eq!(of([0xE1, 0x10, 0x06, 0]), Some(Capability { size: 48, writable: true }));
        assert_eq!(of([0; 4]), None);
        assert_eq!(of([0xE1, 0x20, 0x12, 0]), None);
    }
}
