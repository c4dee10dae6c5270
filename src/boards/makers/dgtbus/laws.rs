//! Laws of the bus codec and driver: properties that hold for every input. Unit tests and fuzz targets call these
//! functions with arbitrary input; a function panics, with the values in its message, if its law is broken.

use tabiya_types::{Board, Instant, Millis};

use super::codec::{ALL, Answer, AnswerContent, BusDecoder, BusQuestion};
use super::driver::BusDriver;
use crate::driver::{BoardCommand, Connection, Driver as _};
use crate::link::Carrier;
use crate::makers::dgt::codec::{DgtCommand, DgtCommandDecoder, DgtMessage, ID_CLOCK, Version, decode_body};
use crate::makers::dgt::laws::log_law;
use crate::notes::Notes;

/// Answers from boards: decoding an encoded answer gives the same answer. If the answer contains a log, the law for
/// logs holds for it, too. After arbitrary bytes, the next complete answer is decoded correctly.
pub(crate) fn decoder_law(bytes: &[u8]) {
    let mut decoder = BusDecoder::new();
    for &byte in bytes {
        if let Some(Ok(answer)) = decoder.push(byte) {
            assert_eq!(decode(&answer.to_bytes()).as_ref(), Some(&answer), "written and read again");
            if let AnswerContent::Changes(log) | AnswerContent::FromStart(log) = &answer.content {
                log_law(log);
            }
        }
    }
    // An example answer from the protocol notes: board 1025 reports no changes.
    let last = [0x85, 0x00, 0x06, 0x08, 0x01, 0x14].into_iter().filter_map(|byte| decoder.push(byte)).last();
    let next = Answer { address: 1025, content: AnswerContent::Changes(Vec::new()) };
    assert_eq!(last, Some(Ok(next)), "the answer after any bytes");
}

/// Decodes `bytes` if they are exactly one answer; otherwise `None`.
fn decode(bytes: &[u8]) -> Option<Answer> {
    let mut decoder = BusDecoder::new();
    let mut answers = bytes.iter().filter_map(|byte| decoder.push(*byte));
    match (answers.next(), answers.next()) {
        (Some(Ok(answer)), None) => Some(answer),
        _ => None,
    }
}

/// Commands to boards: a question that follows arbitrary bytes is decoded correctly. The first two bytes of `bytes`
/// determine the question and the address of the asked board; the others precede the question.
pub(crate) fn command_law(bytes: &[u8]) {
    let Some((&[which, low], before)) = bytes.split_first_chunk() else { return };
    let mut decoder = DgtCommandDecoder::new();
    for byte in before {
        drop(decoder.push(*byte));
    }
    let (ask, address) =
        (BusQuestion::from_id(0x80 | which & 0x0F), u16::from(which >> 4) << 8 | u16::from(low));
    let Some(ask) = ask else { return };
    let last = ask.to_bytes(address).into_iter().filter_map(|byte| decoder.push(byte)).last();
    assert_eq!(last, Some(DgtCommand::Bus { id: ask.id(), address }), "asked after any bytes");
}

/// A driver on a bus that delivers arbitrary answers at arbitrary times, mostly complete answers with correct
/// checksums. The driver never panics, has at most one question on the line, never switches all boards to single mode,
/// and always has a deadline while it is running.
///
/// The first byte of `bytes` decides whether the driver gets a board number and whether it only listens. Each further
/// group of eight bytes is one answer; the second byte of the group is the pause before the answer. If the highest bit
/// of the pause byte is set, the answer is held back and arrives together with the next answer. If the second highest
/// bit of the pause byte is set, the shared line is busy, and the driver's question is not written yet.
pub(crate) fn driver_law(bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    let unit = if first & 1 == 0 { None } else { Some("1") };
    let connection = Connection {
        brand: super::MAKER.brand(),
        carrier: Carrier::Stream,
        unit,
        notes: &Notes::NONE,
        passive: first & 0xF0 == 0xF0,
    };
    let mut now = Instant::ZERO;
    let mut driver = BusDriver::new(&connection, now);
    let (mut waiting, mut heard) = (0, Vec::new());
    writes_of_one_moment(&mut driver, &mut waiting);
    for piece in rest.chunks(8) {
        let &[kind, pause, ref data @ ..] = piece else { break };
        now = now + Millis(u64::from(pause & 0x3F) * u64::from(pause & 0x3F));
        if pause & 0x40 == 0 {
            (0..std::mem::take(&mut waiting)).for_each(|_| driver.wrote(now));
        }
        driver.on_time(now);
        writes_of_one_moment(&mut driver, &mut waiting);
        heard.extend(say(kind, data));
        if pause & 0x80 == 0 {
            driver.on_bytes(&std::mem::take(&mut heard), now);
        }
        writes_of_one_moment(&mut driver, &mut waiting);
        if kind & 0xC0 == 0xC0 {
            driver.order(&BoardCommand::AskDump, now);
            writes_of_one_moment(&mut driver, &mut waiting);
        }
        while driver.next_event().is_some() {}
        if driver.failure().is_none() && !connection.passive {
            assert!(driver.deadline().is_some(), "a live driver always waits for something");
        }
    }
    driver.stop(now);
    waiting = 0;
    writes_of_one_moment(&mut driver, &mut waiting);
}

/// Encodes an answer of board 1 or 2, or returns bytes that are not an answer.
fn say(kind: u8, data: &[u8]) -> Vec<u8> {
    let seven: Vec<u8> = data.iter().map(|byte| byte & 0x7F).collect();
    let said = match kind & 0x0F {
        0 | 1 => AnswerContent::Ping,
        2..=4 => AnswerContent::Changes(seven),
        5 => AnswerContent::FromStart(seven),
        6 => AnswerContent::Started,
        7 => AnswerContent::Version(Some(Version { main: 1, sub: 4 })),
        8 => AnswerContent::SingleMode(DgtMessage::Dump(Board::EMPTY)),
        9 => {
            match decode_body(ID_CLOCK, &[seven, vec![0; 7]].concat().into_iter().take(7).collect::<Vec<_>>())
            {
                Ok(message) => AnswerContent::SingleMode(message),
                Err(_) => AnswerContent::Ping,
            }
        }
        10 => AnswerContent::Other { id: 0x8F, data: seven },
        _ => return data.to_vec(),
    };
    Answer { address: 1 + u16::from(kind >> 4 & 1), content: said }.to_bytes()
}

/// Checks the bytes that the driver wants to write now. `waiting` counts the writes that wait for the line.
fn writes_of_one_moment(driver: &mut BusDriver, waiting: &mut usize) {
    let writes: Vec<Vec<u8>> = std::iter::from_fn(|| driver.next_write()).collect();
    *waiting += writes.len();
    assert!(*waiting <= 1, "{writes:02x?} at once");
    for write in writes {
        let mut decoder = DgtCommandDecoder::new();
        let commands: Vec<_> = write.iter().filter_map(|byte| decoder.push(*byte)).collect();
        let [DgtCommand::Bus { id, address }] = commands.as_slice() else {
            panic!("{write:02x?} is not a bus command")
        };
        let ask = BusQuestion::from_id(*id);
        assert!(*address != ALL || ask == Some(BusQuestion::Ping), "{write:02x?} is for all boards");
        assert!(ask.is_some_and(|ask| ask != BusQuestion::Reset), "{write:02x?} is never wanted");
    }
}
