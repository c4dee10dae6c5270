//! Laws of the CPP codec: properties that hold for every input. Unit tests and fuzz targets call these functions with
//! arbitrary input; a function panics, with the values in its message, if its law is broken.

use tabiya_types::Squares;

use super::codec::{CppCommand, CppDecoder, CppMessage, CppPosition, framed};
use crate::link::Carrier;

/// Messages from a board, both as a stream and as single messages: decoding an encoded message gives the same
/// message. After arbitrary bytes and a pause, the next complete message is decoded correctly.
pub(crate) fn decoder_law(bytes: &[u8]) {
    for carrier in [Carrier::Stream, Carrier::Messages] {
        let mut decoder = CppDecoder::new(carrier);
        for message in decoder.push(bytes).into_iter().flatten() {
            let written = framed(&message.to_text(), carrier);
            assert_eq!(CppDecoder::new(carrier).push(&written), [Ok(message)], "written and read again");
        }
        decoder.drop_incomplete();
        let next = CppMessage::State(CppPosition::Occupied(Squares::from_bits(1)));
        assert_eq!(
            decoder.push(&framed(&next.to_text(), carrier)),
            [Ok(next)],
            "the message after any bytes"
        );
    }
}

/// Commands to a board: parsing the text of a parsed command gives the same command.
pub(crate) fn command_law(bytes: &[u8]) {
    let mut decoder = CppDecoder::new(Carrier::Stream);
    for text in decoder.texts(bytes).into_iter().flatten() {
        let command = CppCommand::parse(&text);
        let again = command.as_ref().and_then(|command| CppCommand::parse(command.to_text().trim()));
        assert_eq!(again, command, "written and read again");
    }
}
