//! Simulated cards: a tag's memory with its locks, a reader's answers, injected faults, and the connection to a virtual
//! reader of the system's card service (vpcd's framing: two bytes of length, then the body).
//!
//! A card lies on the reader as long as its connection is open; closing the connection lifts the card. `docs/cards.md`,
//! "Trying it without a reader", says how people can use the simulation.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::apdu::ReaderCommand;
use super::ndef::Record;
use super::tag::{CAPABILITY_PAGE, FIRST_PAGE, LOCK_PAGE, PAGE, PAGES_A_READ, Uid};

/// The answer to reset (ATR) that real readers generate for an NTAG.
const ATR: [u8; 20] = [
    0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, 0x03, 0x00, 0x03, 0x00, 0x00,
    0x00, 0x00, 0x68,
];
const DONE: [u8; 2] = [0x90, 0x00];
const FAILED: [u8; 2] = [0x63, 0x00];
const NOT_KNOWN: [u8; 2] = [0x6A, 0x81];
/// The length of an answer that is too long, in bytes.
const OVERLONG: usize = 300;
/// The first page that the static lock bits do not cover.
const FIRST_DYNAMIC: u8 = 16;

/// The kind of a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagKind {
    /// 144 bytes of user memory.
    Ntag213,
    /// 504 bytes of user memory.
    Ntag215,
}

impl TagKind {
    fn pages(self) -> u8 {
        match self {
            Self::Ntag213 => 45,
            Self::Ntag215 => 135,
        }
    }

    /// The number of the page with the dynamic lock bits. It is the first page after the user memory; the configuration
    /// pages follow.
    fn dynamic_locks(self) -> u8 {
        self.pages() - 5
    }

    fn capability(self) -> [u8; PAGE] {
        let size = match self {
            Self::Ntag213 => 0x12,
            Self::Ntag215 => 0x3E,
        };
        [0xE1, 0x10, size, 0x00]
    }

    /// The number of pages that one dynamic lock bit locks.
    fn pages_a_bit(self) -> u8 {
        match self {
            Self::Ntag213 => 2,
            Self::Ntag215 => 16,
        }
    }
}

/// A tag's memory. Writes to the lock bits and to page 3 can set bits, never clear them.
#[derive(Clone, Debug)]
pub struct SimulatedTag {
    kind: TagKind,
    uid: Uid,
    pages: Vec<[u8; PAGE]>,
    /// The first page that a password protects against reading and writing; `None` if the tag has no password.
    closed_from: Option<u8>,
}

impl SimulatedTag {
    /// Makes a tag as it comes from the factory: formatted for NDEF and empty.
    pub fn new(kind: TagKind, uid: Uid) -> Self {
        let mut pages = vec![[0; PAGE]; kind.pages().into()];
        let mut set = |page: u8, bytes| {
            if let Some(target) = pages.get_mut(usize::from(page)) {
                *target = bytes;
            }
        };
        if let [a, b, c, d, e, f, g] = *uid.bytes() {
            set(0, [a, b, c, 0x88 ^ a ^ b ^ c]);
            set(1, [d, e, f, g]);
            set(2, [d ^ e ^ f ^ g, 0x48, 0, 0]);
        }
        set(CAPABILITY_PAGE, kind.capability());
        set(FIRST_PAGE, [0x03, 0x00, 0xFE, 0x00]);
        Self { kind, uid, pages, closed_from: None }
    }

    /// Writes Tabiya's record on the tag.
    #[must_use]
    pub fn with(mut self, record: &Record) -> Self {
        for (page, bytes) in record.writes() {
            self.set(page, bytes);
        }
        self
    }

    /// Protects the tag with a password from page 4 on. Some shops sell such tags.
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.closed_from = Some(FIRST_PAGE);
        self
    }

    /// The tag's UID.
    pub fn uid(&self) -> Uid {
        self.uid
    }

    /// Returns a page as it is, ignoring a password; `None` if there is no such page.
    pub fn page(&self, page: u8) -> Option<[u8; PAGE]> {
        self.pages.get(usize::from(page)).copied()
    }

    /// Sets the bytes of a page, ignoring locks and password.
    pub fn set(&mut self, page: u8, bytes: [u8; PAGE]) {
        if let Some(place) = self.pages.get_mut(usize::from(page)) {
            *place = bytes;
        }
    }

    /// Answers a READ: four pages, continuing with page 0 after the last one; `None` if the tag refuses.
    pub fn read(&self, from: u8) -> Option<Vec<u8>> {
        if from >= self.kind.pages() || self.closed_from.is_some_and(|closed| from + PAGES_A_READ > closed) {
            return None;
        }
        let pages = self.pages.iter().cycle().skip(from.into()).take(PAGES_A_READ.into());
        Some(pages.flatten().copied().collect())
    }

    /// Answers a WRITE of one page; `None` if the tag refuses.
    pub fn write(&mut self, page: u8, bytes: [u8; PAGE]) -> Option<()> {
        let closed = self.closed_from.is_some_and(|closed| page >= closed);
        if !(LOCK_PAGE..self.kind.pages()).contains(&page) || closed || self.is_locked(page) {
            return None;
        }
        let gains = page == CAPABILITY_PAGE || page == self.kind.dynamic_locks();
        let place = self.pages.get_mut(usize::from(page))?;
        if page == LOCK_PAGE {
            place.iter_mut().zip(bytes).skip(2).for_each(|(old, new)| *old |= new);
        } else if gains {
            place.iter_mut().zip(bytes).for_each(|(old, new)| *old |= new);
        } else {
            *place = bytes;
        }
        Some(())
    }

    fn is_locked(&self, page: u8) -> bool {
        let bits = |at: u8| self.page(at).map_or(0, u32::from_le_bytes);
        if (CAPABILITY_PAGE..FIRST_DYNAMIC).contains(&page) {
            return bits(LOCK_PAGE) >> (16 + u32::from(page)) & 1 == 1;
        }
        let dynamic = (FIRST_DYNAMIC..self.kind.dynamic_locks()).contains(&page);
        let bit = page.saturating_sub(FIRST_DYNAMIC) / self.kind.pages_a_bit();
        dynamic && bits(self.kind.dynamic_locks()) >> bit & 1 == 1
    }
}

/// Injected faults of a card. Commands are counted from 1, beginning when the card is laid down.
#[derive(Clone, Debug, Default)]
pub struct TagFaults {
    /// How many READs are refused before the first one is answered.
    pub refused_reads: u32,
    /// The number of the READ at which the card is lifted; this READ gets no answer.
    pub vanish_at_read: Option<u32>,
    /// The number of the WRITE at which the card is lifted; this WRITE gets no answer.
    pub vanish_at_write: Option<u32>,
    /// Before the command with this number, the given tag replaces the card. The card service does not notice it.
    pub swap_at: Option<(u32, Box<SimulatedTag>)>,
    /// How long each READ takes.
    pub slow: Duration,
    /// The number of the first READ that the card does not answer. It answers no later READ either, although it lies on
    /// the reader.
    pub silent_at_read: Option<u32>,
    /// The card's answer to reset is invalid.
    pub mute: bool,
    /// The reader refuses the command that turns off its beep.
    pub beep_off_refused: bool,
    /// Each READ gets an answer that is longer than any valid one.
    pub overlong: bool,
}

/// A card that lies on a reader.
#[derive(Clone, Debug)]
pub struct LaidCard {
    /// The card's memory.
    pub tag: SimulatedTag,
    /// The faults to inject.
    pub faults: TagFaults,
    asked: u32,
    reads: u32,
    writes: u32,
    hushes: u32,
    powered: bool,
}

/// The result of a command to a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TagAnswer {
    /// An answer, and how long it takes.
    Answer(Vec<u8>, Duration),
    /// The card has been lifted.
    Gone,
    /// No answer, although the card lies on the reader.
    NoAnswer,
}

impl LaidCard {
    /// Makes a card that has just been laid down.
    pub fn new(tag: SimulatedTag, faults: TagFaults) -> Self {
        Self { tag, faults, asked: 0, reads: 0, writes: 0, hushes: 0, powered: false }
    }

    /// Whether the card service has noticed the card and powered it.
    pub fn powered(&self) -> bool {
        self.powered
    }

    /// The number of READs so far.
    pub fn reads(&self) -> u32 {
        self.reads
    }

    /// The number of commands so far that turn off the reader's beep.
    pub fn hushes(&self) -> u32 {
        self.hushes
    }

    /// Answers a command (APDU) as the reader would.
    pub fn answer(&mut self, apdu: &[u8]) -> TagAnswer {
        self.asked += 1;
        if let Some((_, tag)) = self.faults.swap_at.take_if(|(at, _)| *at <= self.asked) {
            self.tag = *tag;
        }
        let (answer, took) = match ReaderCommand::parse(apdu) {
            None => (NOT_KNOWN.to_vec(), Duration::ZERO),
            Some(ReaderCommand::Beep(on)) => {
                self.hushes += u32::from(!on);
                let answer = if self.faults.beep_off_refused { FAILED } else { DONE };
                (answer.to_vec(), Duration::ZERO)
            }
            Some(ReaderCommand::Uid) => ([self.tag.uid.bytes(), &DONE].concat(), Duration::ZERO),
            Some(ReaderCommand::Read(page)) => {
                self.reads += 1;
                if self.faults.vanish_at_read == Some(self.reads) {
                    return TagAnswer::Gone;
                }
                if self.faults.silent_at_read.is_some_and(|at| at <= self.reads) {
                    return TagAnswer::NoAnswer;
                }
                if self.faults.overlong {
                    return TagAnswer::Answer(vec![0; OVERLONG], self.faults.slow);
                }
                let read = if self.reads <= self.faults.refused_reads { None } else { self.tag.read(page) };
                (read.map_or(FAILED.to_vec(), |pages| [&pages[..], &DONE].concat()), self.faults.slow)
            }
            Some(ReaderCommand::Write(page, bytes)) => {
                self.writes += 1;
                if self.faults.vanish_at_write == Some(self.writes) {
                    return TagAnswer::Gone;
                }
                let written = self.tag.write(page, bytes);
                (written.map_or(FAILED, |()| DONE).to_vec(), Duration::ZERO)
            }
        };
        TagAnswer::Answer(answer, took)
    }
}

/// Answers a virtual reader for the card until either side closes the connection. Returns `Ok` when a fault lifts the
/// card, and `Err` when the connection ends or fails.
#[expect(clippy::disallowed_methods, reason = "a slow card answers late")]
pub fn serve(line: &mut (impl Read + Write), card: &Arc<Mutex<LaidCard>>) -> io::Result<()> {
    loop {
        let mut len = [0; 2];
        line.read_exact(&mut len)?;
        let mut body = vec![0; usize::from(u16::from_be_bytes(len))];
        line.read_exact(&mut body)?;
        let said = {
            let mut card = card.lock().unwrap_or_else(PoisonError::into_inner);
            match *body {
                // 0 to 3 are control codes (power off, power on, reset), which get no answer.
                [command @ 0..=3] => {
                    card.powered |= matches!(command, 1 | 2);
                    continue;
                }
                [4] if card.faults.mute => TagAnswer::Answer(vec![0x3B], Duration::ZERO),
                [4] => TagAnswer::Answer(ATR.to_vec(), Duration::ZERO),
                ref apdu => card.answer(apdu),
            }
        };
        match said {
            TagAnswer::Answer(answer, took) => {
                thread::sleep(took);
                let len = u16::try_from(answer.len()).map_err(io::Error::other)?;
                line.write_all(&[&len.to_be_bytes(), &answer[..]].concat())?;
            }
            TagAnswer::Gone => return Ok(()),
            TagAnswer::NoAnswer => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ndef::{CardId, ID};
    use super::super::tag::LOCK;
    use super::*;

    fn tag(kind: TagKind) -> SimulatedTag {
        SimulatedTag::new(kind, Uid::parse("04A1B2C3D48001").expect("a number"))
    }

    #[test]
    fn a_new_tag_reads_as_the_reference_says() {
        let read = tag(TagKind::Ntag215).read(0).expect("pages");
        let wanted = [4, 0xA1, 0xB2, 0x9F, 0xC3, 0xD4, 0x80, 1, 0x96, 0x48, 0, 0, 0xE1, 0x10, 0x3E, 0];
        assert_eq!(read, wanted);
        assert_eq!(tag(TagKind::Ntag215).read(0x87), None, "there is no page 135");
        assert_eq!(tag(TagKind::Ntag213).read(44).expect("rolls over").get(4..7), Some(&[4, 0xA1, 0xB2][..]));
        assert_eq!(ATR[1..].iter().fold(0, |sum, byte| sum ^ byte), 0, "the check byte");
    }

    #[test]
    fn a_locked_card_refuses_for_good() {
        let mut tag = tag(TagKind::Ntag215);
        assert!(tag.write(4, [1; 4]).is_some());
        assert!(tag.write(LOCK_PAGE, LOCK).is_some());
        assert!((3..16).all(|page| tag.write(page, [2; 4]).is_none()));
        assert_eq!(tag.page(4), Some([1; 4]));
        assert!(tag.write(16, [2; 4]).is_some(), "a page that the static lock bits do not cover");
        assert!(tag.write(2, [0; 4]).is_some());
        assert!(tag.write(4, [2; 4]).is_none(), "a lock bit cannot be cleared");
        assert!(tag.write(0x82, [1, 0, 0, 0]).is_some());
        assert!(
            tag.write(31, [2; 4]).is_none() && tag.write(32, [2; 4]).is_some(),
            "one bit locks sixteen pages"
        );
    }

    #[test]
    fn a_card_is_seen_when_it_gets_power_and_not_when_it_loses_it() {
        let powered_by = |commands: &[u8]| {
            let sent: Vec<u8> = commands.iter().flat_map(|command| [0, 1, *command]).collect();
            let card = Arc::new(Mutex::new(LaidCard::new(tag(TagKind::Ntag213), TagFaults::default())));
            serve(&mut io::Cursor::new(sent), &card).expect_err("the line ends");
            let card = card.lock().expect("whole");
            card.powered()
        };
        assert!(!powered_by(&[0]) && powered_by(&[1]) && powered_by(&[2]));
        assert!(powered_by(&[1, 0]), "it was seen");
    }

    #[test]
    fn what_is_known_of_a_card_before_it_is_seen_is_refused_or_vanishes_as_asked() {
        let record = Record::new(CardId([5; ID]));
        let faults = TagFaults { refused_reads: 1, vanish_at_read: Some(3), ..TagFaults::default() };
        let mut laid = LaidCard::new(tag(TagKind::Ntag213).with(&record), faults);
        let read = ReaderCommand::Read(4).to_bytes();
        assert_eq!(laid.answer(&read), TagAnswer::Answer(FAILED.to_vec(), Duration::ZERO));
        assert!(matches!(laid.answer(&read), TagAnswer::Answer(bytes, _) if bytes.len() == 18));
        assert_eq!(laid.answer(&read), TagAnswer::Gone);
        assert_eq!(
            laid.answer(&[0xFF, 0, 0x48, 0, 0]),
            TagAnswer::Answer(NOT_KNOWN.to_vec(), Duration::ZERO)
        );
    }
}
