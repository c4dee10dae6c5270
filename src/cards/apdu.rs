//! What a reader is asked and what it answers, byte for byte (PC/SC part 3): no more than every reader knows.
//!
//! Whatever does not end in `90 00` was not done, whatever else it says: a tag that refuses, one that has gone and one
//! that wants a password look alike.

use super::tag::{CAPABILITY_PAGE, LOCK, LOCK_PAGE, PAGE, PAGES_A_READ, Uid};

/// The longest answer: a READ's sixteen bytes and the status word, with room for readers that say more.
pub const LONGEST_ANSWER: usize = 258;

/// What a reader is asked to do with the card on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReaderCommand {
    /// The serial number.
    Uid,
    /// Four pages from this one on, sixteen bytes.
    Read(u8),
    /// One page.
    Write(u8, [u8; PAGE]),
    /// Whether the reader beeps at each card until it is unplugged. Only ACR122U know it.
    Beep(bool),
}

impl ReaderCommand {
    /// Its bytes.
    pub fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::Uid => vec![0xFF, 0xCA, 0x00, 0x00, 0x00],
            // More than sixteen bytes at once fails on some readers, fewer cost the same.
            Self::Read(page) => vec![0xFF, 0xB0, 0x00, page, 0x10],
            Self::Write(page, [a, b, c, d]) => vec![0xFF, 0xD6, 0x00, page, 0x04, a, b, c, d],
            Self::Beep(on) => vec![0xFF, 0x00, 0x52, if on { 0xFF } else { 0x00 }, 0x00],
        }
    }

    /// A command of ours; anything else is `None`.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        match *bytes {
            [0xFF, 0xCA, 0x00, 0x00, 0x00] => Some(Self::Uid),
            [0xFF, 0xB0, 0x00, page, 0x10] => Some(Self::Read(page)),
            [0xFF, 0xD6, 0x00, page, 0x04, a, b, c, d] => Some(Self::Write(page, [a, b, c, d])),
            [0xFF, 0x00, 0x52, 0xFF, 0x00] => Some(Self::Beep(true)),
            [0xFF, 0x00, 0x52, 0x00, 0x00] => Some(Self::Beep(false)),
            _ => None,
        }
    }
}

/// What was answered before `90 00`; `None` if it was not done.
pub fn done(answer: &[u8]) -> Option<&[u8]> {
    match answer {
        [data @ .., 0x90, 0x00] => Some(data),
        _ => None,
    }
}

/// The serial number that was answered.
pub fn uid(answer: &[u8]) -> Option<Uid> {
    Uid::new(done(answer)?).ok()
}

/// The four pages that were answered: no fewer and no more.
pub fn pages(answer: &[u8]) -> Option<[u8; PAGE * PAGES_A_READ as usize]> {
    done(answer)?.try_into().ok()
}

/// Page 3 out of the four pages from 0 on.
pub fn capability(pages: [u8; PAGE * PAGES_A_READ as usize]) -> [u8; PAGE] {
    page(pages, CAPABILITY_PAGE)
}

/// Whether all that is ours on a card is locked, out of the four pages from 0 on.
pub fn is_locked(pages: [u8; PAGE * PAGES_A_READ as usize]) -> bool {
    let bits = page(pages, LOCK_PAGE).into_iter().zip(LOCK);
    bits.fold(true, |locked, (is, wanted)| locked && is & wanted == wanted)
}

fn page(pages: [u8; PAGE * PAGES_A_READ as usize], nth: u8) -> [u8; PAGE] {
    let from = PAGE * usize::from(nth);
    pages.get(from..from + PAGE).and_then(|page| page.try_into().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tag::{Capability, from_hex};
    use super::*;

    fn bytes(hex: &str) -> Vec<u8> {
        from_hex(&hex.replace(' ', "")).expect("digits")
    }

    #[test]
    fn an_ntag_215_is_asked_and_answers_as_the_reference_says() {
        assert_eq!(ReaderCommand::Uid.to_bytes(), bytes("FF CA 00 00 00"));
        assert_eq!(uid(&bytes("04 A1 B2 C3 D4 80 01 90 00")), Uid::parse("04A1B2C3D48001").ok());
        assert_eq!(ReaderCommand::Read(0).to_bytes(), bytes("FF B0 00 00 10"));
        let read =
            pages(&bytes("04 A1 B2 9F C3 D4 80 01 96 48 00 00 E1 10 3E 00 90 00")).expect("four pages");
        assert_eq!(Capability::parse(capability(read)), Some(Capability { size: 496, writable: true }));
        let page = [0x03, 0x27, 0xD4, 0x13];
        assert_eq!(ReaderCommand::Write(4, page).to_bytes(), bytes("FF D6 00 04 04 03 27 D4 13"));
        assert_eq!(done(&bytes("90 00")), Some(&[][..]));
        assert_eq!(ReaderCommand::Read(0x87).to_bytes(), bytes("FF B0 00 87 10"));
        assert_eq!(pages(&bytes("63 00")), None);
        assert!(!is_locked(read));
        let read =
            pages(&bytes("04 A1 B2 9F C3 D4 80 01 96 48 F8 FF E1 10 3E 00 90 00")).expect("four pages");
        assert!(is_locked(read));
        let read =
            pages(&bytes("04 A1 B2 9F C3 D4 80 01 96 48 F8 7F E1 10 3E 00 90 00")).expect("four pages");
        assert!(!is_locked(read), "page 15 is free");
    }

    #[test]
    fn whatever_does_not_end_in_90_00_was_not_done() {
        for answer in
            ["", "90", "00", "63 00", "6A 81", "6A 82", "6C 10", "67 00", "04 A1 B2 C3 D4 80 01 62 82"]
        {
            let answer = bytes(answer);
            assert_eq!(done(&answer), None, "{answer:02X?}");
            assert_eq!(uid(&answer), None);
            assert_eq!(pages(&answer), None);
        }
        assert_eq!(uid(&bytes("90 00")), None, "a number of no bytes");
        assert_eq!(pages(&bytes("03 27 D4 13 90 00")), None, "one page instead of four");
    }

    #[test]
    fn each_command_is_read_again_as_it_was() {
        for command in [
            ReaderCommand::Uid,
            ReaderCommand::Read(7),
            ReaderCommand::Write(9, [1, 2, 3, 4]),
            ReaderCommand::Beep(true),
            ReaderCommand::Beep(false),
        ] {
            assert_eq!(ReaderCommand::parse(&command.to_bytes()), Some(command));
        }
        assert_eq!(ReaderCommand::parse(&bytes("FF 00 48 00 00")), None);
    }
}
