//! What must hold for any bytes whatever: ordinary tests and the fuzz targets call the same
//! functions. Each panics, with the values in the message, when its law is broken.

use tabiya_types::{Color, Instant, Millis, Piece, Role};

use super::codec::{
    DgtCommand, DgtCommandDecoder, DgtDecoder, DgtMessage, LogEntry, entries, square_from_wire, write_entries,
};
use super::driver::DgtDriver;
use crate::driver::Driver as _;
use crate::link::Carrier;

/// From a board: every message understood is written and read again as the same, and after any
/// bytes the very next whole message is understood.
pub fn decoder_law(bytes: &[u8]) {
    let mut decoder = DgtDecoder::new();
    for &byte in bytes {
        if let Some(Ok(message)) = decoder.push(byte) {
            assert_eq!(decode(&message.to_bytes()).as_ref(), Some(&message), "written and read again");
        }
    }
    let next = DgtMessage::Field {
        square: square_from_wire(0x24).expect("there are 64 squares"),
        piece: Some(Piece { color: Color::White, role: Role::Pawn }),
    };
    // Written out, so that the fuzzer's shortest round asks for no memory.
    let last = [0x8E, 0x00, 0x05, 0x24, 0x01].into_iter().filter_map(|byte| decoder.push(byte)).last();
    assert_eq!(last, Some(Ok(next)), "the message after any bytes");
}

/// The board's log: what is understood is written and read again as the same, and no byte tells more than one entry.
pub fn log_law(bytes: &[u8]) {
    let mut told = 0;
    let understood: Vec<LogEntry> = entries(bytes).inspect(|_| told += 1).flatten().collect();
    assert!(told <= bytes.len(), "{told} entries of {} bytes", bytes.len());
    let again: Vec<_> = entries(&write_entries(understood.iter().copied())).collect();
    assert_eq!(again, understood.into_iter().map(Ok).collect::<Vec<_>>(), "written and read again");
}

/// The one message of `bytes`, if they are that and nothing else.
pub fn decode(bytes: &[u8]) -> Option<DgtMessage> {
    let mut decoder = DgtDecoder::new();
    let mut told = bytes.iter().filter_map(|byte| decoder.push(*byte));
    match (told.next(), told.next()) {
        (Some(Ok(message)), None) => Some(message),
        _ => None,
    }
}

/// To a board: every command understood is written and read again as the same, and after any
/// bytes and a pause the next command is understood.
pub fn command_law(bytes: &[u8]) {
    let mut decoder = DgtCommandDecoder::new();
    for &byte in bytes {
        if let Some(command) = decoder.push(byte) {
            let mut again = DgtCommandDecoder::new();
            let written = command.to_bytes();
            let mut told = written.iter().filter_map(|byte| again.push(*byte));
            assert_eq!((told.next(), told.next()), (Some(command), None), "written and read again");
        }
    }
    decoder.abandon();
    assert_eq!(decoder.push(0x42), Some(DgtCommand::SendBoard), "the command after a pause");
}

/// A board that says anything at any pace: the driver never panics, writes only what it may, and
/// stays within its bounds. Each byte of `bytes` is both said and, by its low bits, the pause
/// before it.
pub fn driver_law(bytes: &[u8]) {
    let mut now = Instant::ZERO;
    let mut driver = DgtDriver::new(super::MAKER.brand(), Carrier::Stream, now);
    for &byte in bytes {
        now = now + Millis(u64::from(byte & 0x3F) * u64::from(byte & 0x3F));
        driver.on_time(now);
        driver.on_bytes(&[byte], now);
        while let Some(written) = driver.next_write() {
            assert!(
                written.iter().all(|byte| byte & 0x80 == 0),
                "{written:02x?} would end single-board mode"
            );
            // The boot loader and the settings that outlive a power cut.
            assert!(
                !matches!(written.first(), Some(0x4E | 0x51 | 0x53 | 0x54)),
                "{written:02x?} is dangerous"
            );
        }
        while driver.next_event().is_some() {}
        if driver.failure().is_none() {
            assert!(driver.deadline().is_some(), "a live driver always waits for something");
        }
    }
}
