//! Properties that hold for any bytes and for every maker's boards. Unit tests and fuzz targets call the same
//! functions. Each function panics with the offending values if its property does not hold.

use tabiya_types::{Instant, LAST_MOMENT, Millis, Square};

use crate::capture::Capture;
use crate::driver::{BoardCommand, Connection};
use crate::lights::{Glow, Lights};
use crate::link::Carrier;
use crate::makers::CATALOG;
#[cfg(feature = "livechess")]
use crate::makers::livechess;
use crate::makers::{certabo, cpp, dgt, dgtbus, diy, ichessone, millennium, pegasus, squareoff};
use crate::notes::Notes;

/// The largest number of events that a driver may produce for each byte that it has read so far. The limit is above
/// one, because all entries of a board's log become events at once, when the log's checksum arrives.
const EVENTS: usize = 8;

/// Checks one maker's decoder with bytes from a board. The first byte chooses the maker.
pub fn decoders_law(bytes: &[u8]) {
    const LAWS: [fn(&[u8]); 10] = [
        dgt::laws::decoder_law,
        dgt::laws::log_law,
        dgtbus::laws::decoder_law,
        // This law builds complete answers itself, because random bytes would hardly ever have a valid checksum.
        dgtbus::laws::driver_law,
        millennium::laws::decoder_law,
        ichessone::laws::decoder_law,
        squareoff::laws::decoder_law,
        certabo::laws::decoder_law,
        cpp::laws::decoder_law,
        diy::laws::decoder_law,
    ];
    chosen(&LAWS, bytes);
}

/// Checks one maker's encoder of commands, or its parser of notes. The first byte chooses the maker.
pub fn commands_law(bytes: &[u8]) {
    const LAWS: [fn(&[u8]); 9] = [
        dgt::laws::command_law,
        dgtbus::laws::command_law,
        millennium::laws::command_law,
        ichessone::laws::command_law,
        squareoff::laws::command_law,
        cpp::laws::command_law,
        pegasus::laws::command_law,
        |bytes| pegasus::laws::key_law(&String::from_utf8_lossy(bytes)),
        |bytes| certabo::laws::table_law(&String::from_utf8_lossy(bytes)),
    ];
    chosen(&LAWS, bytes);
}

fn chosen(laws: &[fn(&[u8])], bytes: &[u8]) {
    if let Some((first, rest)) = bytes.split_first()
        && let Some(law) = laws.get(usize::from(*first) % laws.len())
    {
        law(rest);
    }
}

/// Feeds a driver with any bytes at any pace. No driver may panic or exceed its limits. Until a driver gives up, it
/// must always have a deadline. The first byte chooses the maker and the carrier. The remaining bytes are the input, in
/// pieces of seven bytes; the first byte of a piece also determines the pause before the piece.
pub fn drivers_law(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let Some(maker) = CATALOG.get(usize::from(first & 0x7F) % CATALOG.len()) else { return };
    let who = maker.name();
    let carrier = if first & 0x80 == 0 { Carrier::Stream } else { Carrier::Messages };
    let mut now = Instant::ZERO;
    let connection =
        Connection { brand: maker.brand(), carrier, unit: None, notes: &Notes::NONE, passive: false };
    let mut driver = (maker.entry().driver)(&connection, now);
    let (mut read, mut told) = (0, 0);
    for (nth, piece) in rest.chunks(7).enumerate() {
        let low = piece.first().map_or(0, |byte| u64::from(byte & 0x3F));
        now = now + Millis(low * low);
        driver.on_time(now);
        driver.on_bytes(piece, now);
        if low % 8 == 3 {
            let lit = Square::from_index(nth % 64).map(|square| (square, Glow::Wrong));
            driver.order(&BoardCommand::Light(Lights::of(lit)), now);
        }
        let writes = std::iter::from_fn(|| driver.next_write()).count();
        (0..writes).for_each(|_| driver.wrote(now));
        assert!(writes <= 2, "{who} writes {writes} commands in one moment");
        read += piece.len();
        told += std::iter::from_fn(|| driver.next_event()).count();
        assert!(
            told <= EVENTS * read,
            "{who} makes {told} events of {read} bytes, the last of them {piece:02x?}"
        );
        if driver.failure().is_none() {
            assert!(driver.deadline().is_some(), "{who} always has a deadline");
        }
    }
    driver.stop(now);
    driver.on_bytes(rest, now);
    assert!(std::iter::from_fn(|| driver.next_write()).count() <= 8, "{who} is silent once stopped");
}

/// Feeds the reader of LiveChess's WebSocket and its driver with any bytes from a server. Each message keeps the bound, and
/// the driver neither panics nor exceeds its limits.
#[cfg(feature = "livechess")]
pub fn livechess_law(bytes: &[u8]) {
    let connection = Connection {
        brand: livechess::MAKER.brand(),
        carrier: Carrier::Messages,
        unit: None,
        notes: &Notes::NONE,
        passive: false,
    };
    let mut driver = (livechess::MAKER.entry().driver)(&connection, Instant::ZERO);
    let (mut now, mut read, mut told) = (Instant::ZERO, 0, 0);
    for message in crate::link::web::messages_law(bytes) {
        now = now + Millis(10);
        driver.on_bytes(&message, now);
        read += message.len();
        let writes = std::iter::from_fn(|| driver.next_write()).count();
        (0..writes).for_each(|_| driver.wrote(now));
        told += std::iter::from_fn(|| driver.next_event()).count();
        assert!(told <= EVENTS * read.max(1), "{told} events of {read} bytes");
    }
}

/// Checks a capture. Written and read again, it must be unchanged. Its playback must never panic, and the times of its
/// events must never decrease. Without numbers, it has the same moments and lengths.
pub fn capture_law(bytes: &[u8]) {
    let Ok(capture) = Capture::parse(bytes, "capture") else { return };
    let again = Capture::parse(capture.to_text().as_bytes(), "capture");
    assert_eq!(again.ok().as_ref(), Some(&capture), "written and read again");
    let mut before = Instant::ZERO;
    for (at, _) in capture.play() {
        assert!(at >= before && at.millis() <= LAST_MOMENT, "{at:?} after {before:?}");
        before = at;
    }
    let plain = capture.clone().without_numbers();
    let shape = |capture: &Capture| -> Vec<_> {
        capture.chunks.iter().map(|chunk| (chunk.at, chunk.direction, chunk.bytes.len())).collect()
    };
    assert_eq!(shape(&plain), shape(&capture), "without numbers");
}
