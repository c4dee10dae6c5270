//! Commands to card readers and their answers, as bytes (PC/SC part 3). Every reader supports these commands, except
//! [`ReaderCommand::Beep`].
//!
//! A command succeeded only if its answer ends in `90 00`. All other answers count as the same failure: a reader gives
//! the same answer whether the tag refused the command, was removed, or wants a password.

use super::tag::{CAPABILITY_PAGE, LOCK, LOCK_PAGE, PAGE, PAGES_A_READ, Uid};

/// The longest accepted answer, in bytes. A READ needs 18 (16 data bytes and the status word); some readers send more.
pub const LONGEST_ANSWER: usize = 258;

/// A command to a reader, mostly about the card that lies on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReaderCommand {
    /// Get the card's UID.
    Uid,
    /// Read four pages (16 bytes), beginning with this one.
    Read(u8),
    /// Write one page: its number, and its new bytes.
    Write(u8, [u8; PAGE]),
    /// Turn the reader's beep at each card on or off. Only the ACR122U supports this command; unplugging the reader
    /// turns the beep on again.
    Beep(bool),
}

impl ReaderCommand {
    /// Returns the command's bytes.
    pub fn to_bytes(self) -> Vec<u8> {
        match self {
            Self::Uid => vec![0xFF, 0xCA, 0x00, 0x00, 0x00],
            // 16 bytes: some readers cannot read more at once, and reading fewer bytes saves no time.
            Self::Read(page) => vec![0xFF, 0xB0, 0x00, page, 0x10],
            Self::Write(page, [a, b, c, d]) => vec![0xFF, 0xD6, 0x00, page, 0x04, a, b, c, d],
            Self::Beep(on) => vec![0xFF, 0x00, 0x52, if on { 0xFF } else { 0x00 }, 0x00],
        }
    }

    /// Parses the bytes of one of these commands; `None` for any other bytes.
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

/// Returns the data before the status word `90 00`; `None` if the command failed.
pub fn done(answer: &[u8]) -> Option<&[u8]> {
    match answer {
        [data @ .., 0x90, 0x00] => Some(data),
        _ => None,
    }
}

/// Returns the UID in an answer to [`ReaderCommand::Uid`]; `None` if the answer has no valid UID.
pub fn uid(answer: &[u8]) -> Option<Uid> {
    Uid::new(done(answer)?).ok()
}

/// Returns the four pages in an answer to [`ReaderCommand::Read`]; `None` if the answer has more or fewer than 16 bytes
/// of data.
pub fn pages(answer: &[u8]) -> Option<[u8; PAGE * PAGES_A_READ as usize]> {
    done(answer)?.try_into().ok()
}

/// Takes pages 0 to 3 and returns page 3, the capability container.
pub fn capability(pages: [u8; PAGE * PAGES_A_READ as usize]) -> [u8; PAGE] {
    page(pages, CAPABILITY_PAGE)
}

/// Takes pages 0 to 3 and returns whether their lock bits make all pages that Tabiya writes read-only.
pub fn is_locked(pages: [u8; PAGE * PAGES_A_READ as usize]) -> bool {
    let bits = page(pages, LOCK_PAGE).into_iter().zip(LOCK);
    bits.fold(true, |locked, (set, wanted)| locked && set & wanted == wanted)
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
        assert_eq!(uid(&bytes("90 00")), None, "an empty UID");
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
