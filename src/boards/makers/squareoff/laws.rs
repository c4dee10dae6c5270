//! Laws of the Square Off codec: properties that hold for every input. Unit tests and fuzz targets call these
//! functions with arbitrary input; a function panics, with the values in its message, if its law is broken.

use tabiya_types::Squares;

use super::codec::{SquareOffCommand, SquareOffCommandDecoder, SquareOffDecoder, SquareOffMessage};

/// Messages from a board: decoding an encoded message gives the same message. After arbitrary bytes and a pause, the
/// next complete message is decoded correctly.
pub(crate) fn decoder_law(bytes: &[u8]) {
    let mut decoder = SquareOffDecoder::default();
    for message in decoder.push(bytes).into_iter().flatten() {
        assert_eq!(
            SquareOffDecoder::default().push(&message.to_bytes()),
            [Ok(message)],
            "written and read again"
        );
    }
    decoder.drop_incomplete();
    let next = SquareOffMessage::Occupied(Squares::from_bits(0x8000_0000_0000_0001));
    assert_eq!(decoder.push(&next.to_bytes()), [Ok(next)], "the message after any bytes");
}

/// Commands to a board: decoding an encoded command gives the same command. After arbitrary bytes and a pause, the
/// next command is decoded correctly.
pub(crate) fn command_law(bytes: &[u8]) {
    let mut decoder = SquareOffCommandDecoder::default();
    for command in decoder.push(bytes) {
        assert_eq!(
            SquareOffCommandDecoder::default().push(&command.to_bytes()),
            [command],
            "written and read again"
        );
    }
    decoder.drop_incomplete();
    assert_eq!(
        decoder.push(&SquareOffCommand::Ask.to_bytes()),
        [SquareOffCommand::Ask],
        "the command after a pause"
    );
}
