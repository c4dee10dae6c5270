//! Cards from their own side, as simulators: a tag's memory with its locks, a reader's answers, faults as data, and the
//! line to a virtual reader of the system's card service (vpcd's framing: two bytes of length, then the body).
//!
//! A connection is a card that lies there, hanging up is lifting it. `docs/cards.md` says how to try it by hand.

use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::apdu::ReaderCommand;
use super::ndef::Record;
use super::tag::{CAPABILITY_PAGE, FIRST_PAGE, LOCK_PAGE, PAGE, PAGES_A_READ, Uid};

/// What a card of pages answers to its reset, as every reader makes it up.
const ATR: [u8; 20] = [
    0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06, 0x03, 0x00, 0x03, 0x00, 0x00,
    0x00, 0x00, 0x68,
];
const DONE: [u8; 2] = [0x90, 0x00];
const FAILED: [u8; 2] = [0x63, 0x00];
const NOT_KNOWN: [u8; 2] = [0x6A, 0x81];
/// More bytes than an answer can have.
const OVERLONG: usize = 300;
/// The first page that the lock bytes do not rule.
const FIRST_DYNAMIC: u8 = 16;

/// Which tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagKind {
    /// 144 bytes.
    Ntag213,
    /// 504 bytes.
    Ntag215,
}

impl TagKind {
    fn pages(self) -> u8 {
        match self {
            Self::Ntag213 => 45,
            Self::Ntag215 => 135,
        }
    }

    /// The page behind those for anyone: dynamic locks, then the configuration.
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

    /// Pages that one dynamic lock bit rules.
    fn pages_a_bit(self) -> u8 {
        match self {
            Self::Ntag213 => 2,
            Self::Ntag215 => 16,
        }
    }
}

/// A tag's memory. Lock bits and page 3 only ever gain bits.
#[derive(Clone, Debug)]
pub struct SimulatedTag {
    kind: TagKind,
    uid: Uid,
    pages: Vec<[u8; PAGE]>,
    /// The first page that wants a password for reading too.
    closed_from: Option<u8>,
}

impl SimulatedTag {
    /// As it comes from the maker: prepared and empty.
    pub fn new(kind: TagKind, uid: Uid) -> Self {
        let mut pages = vec![[0; PAGE]; kind.pages().into()];
        let mut set = |page: u8, bytes| {
            if let Some(place) = pages.get_mut(usize::from(page)) {
                *place = bytes;
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

    /// With a record of ours on it.
    #[must_use]
    pub fn with(mut self, record: &Record) -> Self {
        for (page, bytes) in record.writes() {
            self.set(page, bytes);
        }
        self
    }

    /// Protected with a password from page 4 on, as some shops sell them.
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.closed_from = Some(FIRST_PAGE);
        self
    }

    /// Its number.
    pub fn uid(&self) -> Uid {
        self.uid
    }

    /// A page as it is, for tests and for the curious.
    pub fn page(&self, page: u8) -> Option<[u8; PAGE]> {
        self.pages.get(usize::from(page)).copied()
    }

    /// Puts bytes into a page, whatever its locks say.
    pub fn set(&mut self, page: u8, bytes: [u8; PAGE]) {
        if let Some(place) = self.pages.get_mut(usize::from(page)) {
            *place = bytes;
        }
    }

    /// Four pages, going on at page 0 after the last; `None` is a refusal.
    pub fn read(&self, from: u8) -> Option<Vec<u8>> {
        if from >= self.kind.pages() || self.closed_from.is_some_and(|closed| from + PAGES_A_READ > closed) {
            return None;
        }
        let pages = self.pages.iter().cycle().skip(from.into()).take(PAGES_A_READ.into());
        Some(pages.flatten().copied().collect())
    }

    /// One page; `None` is a refusal.
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

/// What goes wrong while a card lies there. Questions are counted from 1 for as long as it lies.
#[derive(Clone, Debug, Default)]
pub struct TagFaults {
    /// So many READs are refused before one is answered.
    pub refused_reads: u32,
    /// It is lifted at this READ, without an answer.
    pub vanish_at_read: Option<u32>,
    /// It is lifted at this WRITE, without an answer.
    pub vanish_at_write: Option<u32>,
    /// Before this question another tag takes its place, and nobody sees it.
    pub swap_at: Option<(u32, Box<SimulatedTag>)>,
    /// How long each READ takes.
    pub slow: Duration,
    /// From this READ on nothing is answered any more, though it still lies there.
    pub silent_at_read: Option<u32>,
    /// Its answer to the reset makes no sense.
    pub mute: bool,
    /// The reader does not let itself be asked not to beep.
    pub hush_refused: bool,
    /// Each READ is answered with more bytes than a card can say at once.
    pub overlong: bool,
}

/// A card that lies on a reader.
#[derive(Clone, Debug)]
pub struct Laid {
    /// Its memory.
    pub tag: SimulatedTag,
    /// What goes wrong.
    pub faults: TagFaults,
    asked: u32,
    reads: u32,
    writes: u32,
    hushes: u32,
    powered: bool,
}

/// What comes of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TagAnswer {
    /// An answer, after so long.
    Answer(Vec<u8>, Duration),
    /// The card is gone.
    Gone,
    /// Nothing, though the card lies there.
    Nothing,
}

impl Laid {
    /// A card, just laid down.
    pub fn new(tag: SimulatedTag, faults: TagFaults) -> Self {
        Self { tag, faults, asked: 0, reads: 0, writes: 0, hushes: 0, powered: false }
    }

    /// Whether the service has seen it: then it was given power.
    pub fn powered(&self) -> bool {
        self.powered
    }

    /// How often it was asked for pages.
    pub fn reads(&self) -> u32 {
        self.reads
    }

    /// How often its reader was asked not to beep.
    pub fn hushes(&self) -> u32 {
        self.hushes
    }

    /// A reader's answer to an APDU.
    pub fn answer(&mut self, apdu: &[u8]) -> TagAnswer {
        self.asked += 1;
        if let Some((_, tag)) = self.faults.swap_at.take_if(|(at, _)| *at <= self.asked) {
            self.tag = *tag;
        }
        let (answer, took) = match ReaderCommand::parse(apdu) {
            None => (NOT_KNOWN.to_vec(), Duration::ZERO),
            Some(ReaderCommand::Beep(on)) => {
                self.hushes += u32::from(!on);
                let answer = if self.faults.hush_refused { FAILED } else { DONE };
                (answer.to_vec(), Duration::ZERO)
            }
            Some(ReaderCommand::Uid) => ([self.tag.uid.bytes(), &DONE].concat(), Duration::ZERO),
            Some(ReaderCommand::Read(page)) => {
                self.reads += 1;
                if self.faults.vanish_at_read == Some(self.reads) {
                    return TagAnswer::Gone;
                }
                if self.faults.silent_at_read.is_some_and(|at| at <= self.reads) {
                    return TagAnswer::Nothing;
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

/// Is the card at the far end of a virtual reader's line, until either end hangs up.
#[expect(clippy::disallowed_methods, reason = "a slow card takes its time")]
pub fn serve(line: &mut (impl Read + Write), card: &Arc<Mutex<Laid>>) -> io::Result<()> {
    loop {
        let mut len = [0; 2];
        line.read_exact(&mut len)?;
        let mut body = vec![0; usize::from(u16::from_be_bytes(len))];
        line.read_exact(&mut body)?;
        let said = {
            let mut card = card.lock().unwrap_or_else(PoisonError::into_inner);
            match *body {
                // Power off, power on and reset are not answered.
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
            TagAnswer::Nothing => {}
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
        assert!(tag.write(16, [2; 4]).is_some(), "behind the static locks");
        assert!(tag.write(2, [0; 4]).is_some());
        assert!(tag.write(4, [2; 4]).is_none(), "a lock is never taken back");
        assert!(tag.write(0x82, [1, 0, 0, 0]).is_some());
        assert!(tag.write(31, [2; 4]).is_none() && tag.write(32, [2; 4]).is_some(), "sixteen pages a bit");
    }

    #[test]
    fn a_card_is_seen_when_it_gets_power_and_not_when_it_loses_it() {
        let powered_by = |commands: &[u8]| {
            let sent: Vec<u8> = commands.iter().flat_map(|command| [0, 1, *command]).collect();
            let card = Arc::new(Mutex::new(Laid::new(tag(TagKind::Ntag213), TagFaults::default())));
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
        let mut laid = Laid::new(tag(TagKind::Ntag213).with(&record), faults);
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
