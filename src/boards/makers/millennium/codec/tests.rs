//! Tests of the codec against the worked vectors of the protocol notes, section 3.6, and against its laws.

use proptest::prelude::*;

use super::*;
use crate::makers::millennium::laws::{command_law, decoder_law};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const A: &str = "7r/8/8/3Q4/8/8/n7/B6k";

fn of(fen: &str) -> Board {
    fen.parse().expect("a board")
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect()
}

fn read(bytes: &[u8]) -> Vec<Result<MillenniumMessage, String>> {
    MillenniumDecoder::default().push(bytes)
}

/// Returns the text without parity bits.
fn plain(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(byte & 0x7F)).collect()
}

#[test]
fn the_version_is_the_worked_vector() {
    assert_eq!(MillenniumCommand::Version.to_bytes(), hex("D6 B5 B6"));
    let answer = hex("76 B0 31 B0 B3 37 34");
    assert_eq!(read(&answer), [Ok(MillenniumMessage::Version(0x0103))]);
    assert_eq!(MillenniumMessage::Version(0x0103).to_bytes(), answer);
}

#[test]
fn short_commands_and_their_answers_are_the_worked_vectors() {
    let commands = [
        (MillenniumCommand::Position, "D3 B5 B3"),
        (MillenniumCommand::Dark, "58 B5 38"),
        (MillenniumCommand::Write(0x02, 0x03), "57 B0 32 B0 B3 B5 B6"),
        (MillenniumCommand::Write(0x01, 0x1E), "57 B0 31 31 45 32 32"),
        (MillenniumCommand::Read(0x02), "52 B0 32 B5 B0"),
    ];
    for (command, bytes) in commands {
        assert_eq!(command.to_bytes(), hex(bytes), "{command:?}");
        assert_eq!(MillenniumCommandDecoder::default().push(&hex(bytes)), [command]);
    }
    let messages = [
        (MillenniumMessage::Written(0x02, 0x03), "F7 B0 32 B0 B3 37 B6"),
        (MillenniumMessage::Dark, "F8 37 38"),
        (MillenniumMessage::Lit, "EC B6 43"),
    ];
    for (message, bytes) in messages {
        assert_eq!(message.to_bytes(), hex(bytes), "{message:?}");
        assert_eq!(read(&hex(bytes)), [Ok(message)]);
    }
}

#[test]
fn the_start_position_is_the_worked_vector() {
    let bytes = [
        hex("73 52 CE C2 CB 51 C2 CE 52"),
        vec![0xD0; 8],
        vec![0xAE; 32],
        vec![0x70; 8],
        hex("F2 6E 62 6B F1 62 6E F2 37 B3"),
    ]
    .concat();
    assert_eq!(MillenniumMessage::Position(of(START)).to_bytes(), bytes);
    assert_eq!(read(&bytes), [Ok(MillenniumMessage::Position(of(START)))]);
}

#[test]
fn a_position_without_symmetry_is_the_worked_vector_both_ways_round() {
    let low_first = "sk......B.......n....................Q...................r.......39";
    let turned = "s.......r...................Q....................n.......B......k39";
    assert_eq!(plain(&MillenniumMessage::Position(of(A)).to_bytes()), low_first);
    assert_eq!(read(low_first.as_bytes()), [Ok(MillenniumMessage::Position(of(A)))]);
    assert_eq!(read(turned.as_bytes()), [Ok(MillenniumMessage::Position(of(A).rotated()))]);
}

#[test]
fn lights_are_the_worked_vectors() {
    let lit = |squares: &[&str]| {
        let leds = picture(squares.iter().map(|square| (square.parse().expect("a square"), 0xFF)));
        (0..LEDS).filter(|led| leds.get(*led) == Some(&0xFF)).collect::<Vec<_>>()
    };
    assert_eq!(lit(&["e2", "e4"]), [28, 29, 30, 31, 37, 38, 39, 40]);
    assert_eq!(lit(&["a1"]), [63, 64, 72, 73]);
    assert_eq!(lit(&["h8"]), [7, 8, 16, 17]);
    let leds = picture(["e2", "e4"].map(|square| (square.parse().expect("a square"), 0xFF)));
    let command = MillenniumCommand::Light(0x32, Box::new(leds));
    let bytes = command.to_bytes();
    assert_eq!(bytes.len(), 167);
    assert!(bytes.starts_with(&hex("4C B3 32 B0 B0")) && bytes.ends_with(&hex("34 C4")), "{bytes:02x?}");
    assert!(plain(&bytes).ends_with("4D"));
    let mut halves = MillenniumCommandDecoder::default();
    assert_eq!(halves.push(bytes.get(..157).expect("it is longer")), []);
    assert_eq!(halves.push(bytes.get(157..).expect("it is longer")), [command]);
}

#[test]
fn parity_is_never_asked_for_and_small_checks_are_read() {
    assert_eq!(read(b"l6C"), [Ok(MillenniumMessage::Lit)]);
    assert_eq!(read(b"l6c"), [Ok(MillenniumMessage::Lit)]);
    assert_eq!(read(b"ie-one 1.2\r\n"), [Ok(MillenniumMessage::Model("e-one 1.2".to_owned()))]);
    assert!(is_eone("e-one 1.2") && !is_eone("supreme"));
}

#[test]
fn a_frame_with_a_wrong_check_or_a_wrong_letter_is_dropped() {
    assert_eq!(read(b"l6D").len(), 1);
    assert!(matches!(read(b"l6Dl6C").as_slice(), [Err(_), Ok(MillenniumMessage::Lit)]));
    let torn = MillenniumMessage::Position(of(START)).to_bytes();
    let mut decoder = MillenniumDecoder::default();
    assert_eq!(decoder.push(torn.get(..30).expect("it is longer")), []);
    let found = decoder.push(&torn);
    assert!(matches!(found.as_slice(), [Err(_), Ok(MillenniumMessage::Position(_))]), "{found:?}");
}

#[test]
fn messages_are_read_from_pieces_of_any_size() {
    let messages = [
        MillenniumMessage::Version(0x0103),
        MillenniumMessage::Position(of(A)),
        MillenniumMessage::Model("supreme".to_owned()),
        MillenniumMessage::Lit,
        MillenniumMessage::Setting(2, 5),
        MillenniumMessage::Guessed(of(START)),
    ];
    let bytes = messages.each_ref().map(MillenniumMessage::to_bytes).concat();
    for size in 1..=bytes.len() {
        let mut decoder = MillenniumDecoder::default();
        let found: Vec<_> = bytes.chunks(size).flat_map(|piece| decoder.push(piece)).collect();
        assert_eq!(found, messages.clone().map(Ok), "{size}");
    }
}

proptest! {
    #[test]
    fn any_bytes_keep_the_laws(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        decoder_law(&bytes);
        command_law(&bytes);
    }

    #[test]
    fn any_likely_characters_keep_the_laws(text in "[svlxwrgiSVLXWRGIT0-9A-F.pPkK\n]{0,200}") {
        decoder_law(text.as_bytes());
        command_law(text.as_bytes());
    }
}
