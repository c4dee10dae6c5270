//! Laws of the iChessOne codec: properties that hold for every input. Unit tests and fuzz targets call these
//! functions with arbitrary input; a function panics, with the values in its message, if its law is broken.

use tabiya_types::Board;

use super::codec::{IChessOneCommand, IChessOneDecoder, IChessOneMessage};

/// Messages from a board: decoding an encoded message gives the same message. After arbitrary bytes and a pause, the
/// next complete message is decoded correctly.
pub(crate) fn decoder_law(bytes: &[u8]) {
    let mut decoder = IChessOneDecoder::default();
    let next = IChessOneMessage::Position(Board::EMPTY);
    for message in decoder.push(bytes).into_iter().flatten() {
        // The end of a text about the hardware is known only when the next message begins, so another message follows
        // it here.
        let written = [message.to_bytes(), next.to_bytes()].concat();
        let read = IChessOneDecoder::default().push(&written);
        assert_eq!(read, [Ok(message), Ok(next.clone())], "written and read again");
    }
    decoder.drop_incomplete();
    assert_eq!(decoder.push(&next.to_bytes()), [Ok(next)], "the message after any bytes");
}

/// Commands to a board: decoding an encoded command gives the same command.
pub(crate) fn command_law(bytes: &[u8]) {
    if let Some(command) = IChessOneCommand::of(bytes) {
        assert_eq!(IChessOneCommand::of(&command.to_bytes()), Some(command), "written and read again");
    }
}
