//! Laws of the Millennium codec: properties that hold for every input. Unit tests and fuzz targets call these
//! functions with arbitrary input; a function panics, with the values in its message, if its law is broken.

use tabiya_types::Board;

use super::codec::{MillenniumCommand, MillenniumCommandDecoder, MillenniumDecoder, MillenniumMessage};

/// Messages from a board: decoding an encoded message gives the same message. After arbitrary bytes and a pause, the
/// next complete message is decoded correctly.
pub(crate) fn decoder_law(bytes: &[u8]) {
    let mut decoder = MillenniumDecoder::default();
    for message in decoder.push(bytes).into_iter().flatten() {
        assert_eq!(
            MillenniumDecoder::default().push(&message.to_bytes()),
            [Ok(message)],
            "written and read again"
        );
    }
    decoder.drop_incomplete();
    let next = MillenniumMessage::Position(Board::EMPTY);
    assert_eq!(decoder.push(&next.to_bytes()), [Ok(next)], "the message after any bytes");
}

/// Commands to a board: decoding an encoded command gives the same command. After arbitrary bytes and a pause, the
/// next command is decoded correctly.
pub(crate) fn command_law(bytes: &[u8]) {
    let mut decoder = MillenniumCommandDecoder::default();
    for command in decoder.push(bytes) {
        assert_eq!(
            MillenniumCommandDecoder::default().push(&command.to_bytes()),
            [command],
            "written and read again"
        );
    }
    decoder.give_up_half();
    assert_eq!(
        decoder.push(&MillenniumCommand::Position.to_bytes()),
        [MillenniumCommand::Position],
        "the command after a pause"
    );
}
