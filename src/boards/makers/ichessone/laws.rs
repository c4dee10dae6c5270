//! What must hold for any bytes whatever: ordinary tests and the fuzz targets call the same functions. Each
//! panics, with the values in the message, when its law is broken.

use tabiya_types::Board;

use super::codec::{IChessOneCommand, IChessOneDecoder, IChessOneMessage};

/// From a board: every message understood is written and read again as the same, and after any bytes and a pause
/// the next whole message is understood.
pub(crate) fn decoder_law(bytes: &[u8]) {
    let mut decoder = IChessOneDecoder::default();
    let next = IChessOneMessage::Position(Board::EMPTY);
    for message in decoder.push(bytes).into_iter().flatten() {
        // A text ends where the next message begins.
        let written = [message.to_bytes(), next.to_bytes()].concat();
        let read = IChessOneDecoder::default().push(&written);
        assert_eq!(read, [Ok(message), Ok(next.clone())], "written and read again");
    }
    decoder.give_up_half();
    assert_eq!(decoder.push(&next.to_bytes()), [Ok(next)], "the message after any bytes");
}

/// To a board: every command understood is written and read again as the same.
pub(crate) fn command_law(bytes: &[u8]) {
    if let Some(command) = IChessOneCommand::of(bytes) {
        assert_eq!(IChessOneCommand::of(&command.to_bytes()), Some(command), "written and read again");
    }
}
