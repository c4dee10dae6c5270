//! Laws of the DGT codec and driver: properties that hold for every input. Unit tests and fuzz targets call these
//! functions with arbitrary input; a function panics, with the values in its message, if its law is broken.

use tabiya_types::{Color, Instant, Millis, Piece, Role};

use super::codec::{
    DgtCommand, DgtCommandDecoder, DgtDecoder, DgtMessage, LogEntry, entries, square_from_wire, write_entries,
};
use super::driver::DgtDriver;
use crate::driver::Driver as _;
use crate::link::Carrier;

/// Messages from a board: decoding an encoded message gives the same message. After arbitrary bytes, the next
/// complete message is decoded correctly.
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
    // These literals are the bytes of the message `next`. Calling the encoder here would allocate memory, and with the
    // fuzzer's smallest input this function must not allocate any.
    let last = [0x8E, 0x00, 0x05, 0x24, 0x01].into_iter().filter_map(|byte| decoder.push(byte)).last();
    assert_eq!(last, Some(Ok(next)), "the message after any bytes");
}

/// The board's log: decoding encoded entries gives the same entries, and there are never more entries than bytes.
pub fn log_law(bytes: &[u8]) {
    let mut count = 0;
    let understood: Vec<LogEntry> = entries(bytes).inspect(|_| count += 1).flatten().collect();
    assert!(count <= bytes.len(), "{count} entries of {} bytes", bytes.len());
    let again: Vec<_> = entries(&write_entries(understood.iter().copied())).collect();
    assert_eq!(again, understood.into_iter().map(Ok).collect::<Vec<_>>(), "written and read again");
}

/// Decodes `bytes` if they are exactly one message; otherwise `None`.
pub fn decode(bytes: &[u8]) -> Option<DgtMessage> {
    let mut decoder = DgtDecoder::new();
    let mut messages = bytes.iter().filter_map(|byte| decoder.push(*byte));
    match (messages.next(), messages.next()) {
        (Some(Ok(message)), None) => Some(message),
        _ => None,
    }
}

/// Commands to a board: decoding an encoded command gives the same command. After arbitrary bytes and a pause, the
/// next command is decoded correctly.
pub fn command_law(bytes: &[u8]) {
    let mut decoder = DgtCommandDecoder::new();
    for &byte in bytes {
        if let Some(command) = decoder.push(byte) {
            let mut again = DgtCommandDecoder::new();
            let written = command.to_bytes();
            let mut commands = written.iter().filter_map(|byte| again.push(*byte));
            assert_eq!((commands.next(), commands.next()), (Some(command), None), "written and read again");
        }
    }
    decoder.abandon();
    assert_eq!(decoder.push(0x42), Some(DgtCommand::SendBoard), "the command after a pause");
}

/// Checks a driver that receives arbitrary bytes at arbitrary times. It never panics and never writes a forbidden
/// command. While it is running, it always has a deadline. Each byte of `bytes` is passed to the driver; the low six
/// bits of the byte also determine the pause before it.
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
            // Forbidden: the commands of the boot loader, and settings that survive a power cut.
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
