//! Lays simulated cards (`src/cards/sim.rs`) on virtual readers, over real sockets.
#![allow(dead_code, reason = "each test file uses what it needs")]

use std::io;
use std::net::{Shutdown, TcpStream};
use std::os::linux::net::TcpStreamExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use tabiya_cards::sim::{LaidCard, SimulatedTag, TagFaults, TagKind, serve};
use tabiya_cards::{CardId, Record, Uid};

use super::pcscd::line_of;
use crate::wait::wait_until;

/// A blank card whose UID ends with `nth`.
pub(crate) fn blank(nth: u8) -> SimulatedTag {
    SimulatedTag::new(TagKind::Ntag213, uid(nth))
}

/// A card whose UID ends with `nth`, with Tabiya's record of the id [`id`] on it.
pub(crate) fn written(nth: u8) -> SimulatedTag {
    blank(nth).with(&Record::new(id(nth)))
}

pub(crate) fn uid(nth: u8) -> Uid {
    Uid::new(&[0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0x80, nth]).expect("seven bytes")
}

pub(crate) fn id(nth: u8) -> CardId {
    CardId([nth; 16])
}

enum Line {
    Unix(UnixStream),
    Tcp(TcpStream),
}

/// A TCP stream that sets quick acknowledgement before each read. Without it the kernel would delay acknowledgements by
/// 40 ms between the length and the body of a message, which vpcd writes separately.
struct Quick(TcpStream);

impl io::Read for Quick {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.0.set_quickack(true)?;
        self.0.read(to)
    }
}

impl io::Write for Quick {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A card on a reader, until it is lifted.
pub(crate) struct OnReader {
    line: Line,
    card: Arc<Mutex<LaidCard>>,
    answering: JoinHandle<()>,
}

/// Lays a card on a virtual reader of `tests/ifd/`.
pub(crate) fn lay(folder: &Path, reader: &str, tag: SimulatedTag) -> OnReader {
    lay_faulty(folder, reader, tag, TagFaults::default())
}

pub(crate) fn lay_faulty(folder: &Path, reader: &str, tag: SimulatedTag, faults: TagFaults) -> OnReader {
    let card = Arc::new(Mutex::new(LaidCard::new(tag, faults)));
    let mut line = None;
    wait_until(|| {
        line = Some(UnixStream::connect(line_of(folder, reader)).map_err(|error| error.to_string())?);
        Ok(())
    });
    let line = line.expect("connected");
    let mut answers = line.try_clone().expect("the same line");
    let answering = thread::spawn({
        let card = Arc::clone(&card);
        move || {
            // Ignore the error: `serve` may end with one when the card is lifted or the card service ends.
            let _ = serve(&mut answers, &card);
            let _ = answers.shutdown(Shutdown::Both);
        }
    });
    OnReader { line: Line::Unix(line), card, answering }
}

/// Lays a card on one of Debian's virtual readers.
pub(crate) fn lay_vpcd(port: u16, tag: SimulatedTag, faults: TagFaults) -> OnReader {
    let card = Arc::new(Mutex::new(LaidCard::new(tag, faults)));
    let mut line = None;
    wait_until(|| {
        line = Some(TcpStream::connect(("127.0.0.1", port)).map_err(|error| error.to_string())?);
        Ok(())
    });
    let line = line.expect("connected");
    let mut answers = Quick(line.try_clone().expect("the same line"));
    let answering = thread::spawn({
        let card = Arc::clone(&card);
        move || {
            let _ = serve(&mut answers, &card);
            let _ = answers.0.shutdown(Shutdown::Both);
        }
    });
    OnReader { line: Line::Tcp(line), card, answering }
}

impl OnReader {
    /// Whether the service has switched the card on, which it does when it first sees the card.
    pub(crate) fn powered(&self) -> bool {
        self.card.lock().expect("no thread has panicked").powered()
    }

    /// How many times the card service has asked the card's reader not to beep.
    pub(crate) fn hushes(&self) -> u32 {
        self.card.lock().expect("no thread has panicked").hushes()
    }

    /// How often the service has read pages of the card.
    pub(crate) fn reads(&self) -> u32 {
        self.card.lock().expect("no thread has panicked").reads()
    }

    /// Lifts the card, and returns its tag as it is now.
    pub(crate) fn lift(self) -> SimulatedTag {
        let _ = match &self.line {
            Line::Unix(line) => line.shutdown(Shutdown::Both),
            Line::Tcp(line) => line.shutdown(Shutdown::Both),
        };
        self.answering.join().expect("the card's thread has not panicked");
        let card = self.card.lock().expect("no thread has panicked");
        card.tag.clone()
    }
}
