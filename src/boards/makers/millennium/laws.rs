//! What must hold for any bytes whatever: ordinary tests and the fuzz targets call the same functions. Each
//! panics, with the values in the message, when its law is broken.

use tabiya_types::Board;

use super::codec::{MillenniumCommand, MillenniumCommandDecoder, MillenniumDecoder, MillenniumMessage};

/// From a board: every message understood is written and read again as the same, and after any bytes and a pause
/// the next whole message is understood.
pub(crate) fn decoder_law(bytes: &[u8]) {
    let mut decoder = MillenniumDecoder::default();
    for message in decoder.push(bytes).into_iter().flatten() {
        assert_eq!(
            MillenniumDecoder::default().push(&message.to_bytes()),
            [Ok(message)],
            "written and read again"
        );
    }
    decoder.give_up_half();
    let next = MillenniumMessage::Position(Board::EMPTY);
    assert_eq!(decoder.push(&next.to_bytes()), [Ok(next)], "the message after any bytes");
}

/// To a board: the same of commands.
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
