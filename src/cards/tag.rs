//! Tags: their serial numbers and the pages that a card reader reads and writes.
//!
//! Source: data sheets of the NTAG21x family as `docs/cards.md` tells them. Not seen on hardware: anything.

use std::fmt;

/// Bytes of a page, which is what a tag writes at once.
pub const PAGE: usize = 4;
/// Pages that one READ answers.
pub const PAGES_A_READ: u8 = 4;
/// The first page of the part that anyone may write.
pub const FIRST_PAGE: u8 = 4;
/// The page that says what the tag is prepared for.
pub const CAPABILITY_PAGE: u8 = 3;
/// The page whose bytes 2 and 3 lock pages: a bit once set stays set.
pub const LOCK_PAGE: u8 = 2;
/// What locks pages 3 to 15, and so all that is ours on a card, without freezing the other locks. Bytes 0 and 1 of that
/// page are the maker's and stay.
pub const LOCK: [u8; PAGE] = [0x00, 0x00, 0xF8, 0xFF];
/// The longest serial number.
const LONGEST: usize = 10;

/// A tag's serial number, told to anyone who asks: 4, 7 or 10 bytes, first byte first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uid {
    bytes: [u8; LONGEST],
    len: u8,
}

/// Bytes that are no serial number.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a tag's serial number has 4, 7 or 10 bytes, written as 8, 14 or 20 digits 0-9 A-F")]
pub struct NoUid;

impl Uid {
    /// A serial number of these bytes, if it has a length that there is.
    pub fn new(from: &[u8]) -> Result<Self, NoUid> {
        let len @ (4 | 7 | LONGEST) = from.len() else { return Err(NoUid) };
        let mut bytes = [0; LONGEST];
        bytes.iter_mut().zip(from).for_each(|(byte, from)| *byte = *from);
        Ok(Self { bytes, len: u8::try_from(len).map_err(|_| NoUid)? })
    }

    /// The number as hexadecimal digits, of either case.
    pub fn parse(digits: &str) -> Result<Self, NoUid> {
        Self::new(&from_hex(digits).ok_or(NoUid)?)
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len.into()).unwrap_or_default()
    }

    /// Whether it is made up anew each time: a telephone's, or a card's that hides its own.
    pub fn is_random(&self) -> bool {
        self.len == 4 && self.bytes.first() == Some(&0x08)
    }
}

/// Capital hexadecimal digits without spaces.
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

/// What page 3 says of a tag: whether it is prepared for NDEF, how much it holds, whether it may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Capability {
    /// Bytes for TLVs.
    pub size: u16,
    /// Whether it says that it may be written.
    pub writable: bool,
}

impl Capability {
    /// The four bytes of page 3; `None` if the tag is not prepared for NDEF.
    pub fn parse(page: [u8; PAGE]) -> Option<Self> {
        let [0xE1, version, size, access] = page else { return None };
        (version >> 4 == 1).then(|| Self { size: u16::from(size) * 8, writable: access.is_multiple_of(0x10) })
    }
}

pub(super) fn write_hex(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
}

/// Bytes from hexadecimal digits without spaces, of either case.
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
            assert_eq!(Uid::parse(wrong), Err(NoUid), "{wrong}");
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
