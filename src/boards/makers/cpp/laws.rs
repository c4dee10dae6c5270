//! What must hold for any bytes whatever: ordinary tests and the fuzz targets call the same functions. Each
//! panics, with the values in the message, when its law is broken.

use tabiya_types::Squares;

use super::codec::{CppCommand, CppDecoder, CppMessage, CppPosition, framed};
use crate::link::Carrier;

/// From a board, as a stream and as messages: every message understood is written and read again as the same, and
/// after any bytes and a pause the next whole message is understood.
pub(crate) fn decoder_law(bytes: &[u8]) {
    for carrier in [Carrier::Stream, Carrier::Messages] {
        let mut decoder = CppDecoder::new(carrier);
        for message in decoder.push(bytes).into_iter().flatten() {
            let written = framed(&message.to_text(), carrier);
            assert_eq!(CppDecoder::new(carrier).push(&written), [Ok(message)], "written and read again");
        }
        decoder.give_up_half();
        let next = CppMessage::State(CppPosition::Occupied(Squares::from_bits(1)));
        assert_eq!(
            decoder.push(&framed(&next.to_text(), carrier)),
            [Ok(next)],
            "the message after any bytes"
        );
    }
}

/// To a board: every command understood is written and read again as the same.
pub(crate) fn command_law(bytes: &[u8]) {
    let mut decoder = CppDecoder::new(Carrier::Stream);
    for text in decoder.texts(bytes).into_iter().flatten() {
        let command = CppCommand::parse(&text);
        let again = command.as_ref().and_then(|command| CppCommand::parse(command.to_text().trim()));
        assert_eq!(again, command, "written and read again");
    }
}
