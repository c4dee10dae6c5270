//! Hands that lay cards on virtual readers: `src/devices/cards/sim.rs` behind a real line.
#![allow(dead_code, reason = "each test file uses what it needs")]

use std::io;
use std::net::{Shutdown, TcpStream};
use std::os::linux::net::TcpStreamExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use tabiya_cards::sim::{Laid, SimulatedTag, TagFaults, TagKind, serve};
use tabiya_cards::{CardId, Record, Uid};

use super::child::wait_until;
use super::pcscd::line_of;

/// The nth blank card of a pack.
pub(crate) fn blank(nth: u8) -> SimulatedTag {
    SimulatedTag::new(TagKind::Ntag213, uid(nth))
}

/// The nth card with a record of ours.
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

/// vpcd writes length and body apart, and the kernel waits 40 ms in between unless told not to, each time.
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
    card: Arc<Mutex<Laid>>,
    answering: JoinHandle<()>,
}

/// Lays a card on a reader of our own.
pub(crate) fn lay(folder: &Path, reader: &str, tag: SimulatedTag) -> OnReader {
    lay_faulty(folder, reader, tag, TagFaults::default())
}

pub(crate) fn lay_faulty(folder: &Path, reader: &str, tag: SimulatedTag, faults: TagFaults) -> OnReader {
    let card = Arc::new(Mutex::new(Laid::new(tag, faults)));
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
            // Whoever lays and lifts cards ends it from either end.
            let _ = serve(&mut answers, &card);
            let _ = answers.shutdown(Shutdown::Both);
        }
    });
    OnReader { line: Line::Unix(line), card, answering }
}

/// Lays a card on one of Debian's virtual readers.
pub(crate) fn lay_vpcd(port: u16, tag: SimulatedTag, faults: TagFaults) -> OnReader {
    let card = Arc::new(Mutex::new(Laid::new(tag, faults)));
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
    /// Whether the service has seen it.
    pub(crate) fn powered(&self) -> bool {
        self.card.lock().expect("whole").powered()
    }

    /// How often its reader was asked not to beep.
    pub(crate) fn hushes(&self) -> u32 {
        self.card.lock().expect("whole").hushes()
    }

    /// How often it was asked for pages.
    pub(crate) fn reads(&self) -> u32 {
        self.card.lock().expect("whole").reads()
    }

    /// Takes it away; the tag as it is now.
    pub(crate) fn lift(self) -> SimulatedTag {
        let _ = match &self.line {
            Line::Unix(line) => line.shutdown(Shutdown::Both),
            Line::Tcp(line) => line.shutdown(Shutdown::Both),
        };
        self.answering.join().expect("the card");
        let card = self.card.lock().expect("whole");
        card.tag.clone()
    }
}
