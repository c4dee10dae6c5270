//! Tests of the codec against the worked vectors of the protocol notes, section "iChessOne", and against its laws.

use proptest::prelude::*;

use super::*;
use crate::makers::ichessone::laws::{command_law, decoder_law};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const A: &str = "7r/8/8/3Q4/8/8/n7/B6k";

fn of(fen: &str) -> Board {
    fen.parse().expect("a board")
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect()
}

fn on(names: &[&str]) -> [u8; 8] {
    ranks(names.iter().map(|name| name.parse().expect("a square")))
}

#[test]
fn the_start_position_is_the_worked_vector() {
    let bytes = [hex("3D 70 A8 9B C9 8A 77 77 77 77"), vec![0; 16], hex("11 11 11 11 42 35 63 24")].concat();
    assert_eq!(IChessOneMessage::Position(of(START)).to_bytes(), bytes);
    assert_eq!(IChessOneDecoder::default().push(&bytes), [Ok(IChessOneMessage::Position(of(START)))]);
}

#[test]
fn other_positions_are_the_worked_vectors() {
    let e4 = squares(&of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"));
    assert_eq!(e4.get(16..20), Some(hex("00 00 10 00").as_slice()));
    assert_eq!(e4.get(24..28), Some(hex("11 11 01 11").as_slice()));
    let a = hex(
        "00 00 00 0A 00 00 00 00 00 00 00 00 00 05 00 00 00 00 00 00 00 00 00 00 80 00 00 00 30 00 00 0C",
    );
    assert_eq!(squares(&of(A)).to_vec(), a);
    assert_eq!(board(&a), Some(of(A)));
    let turned = squares(&of(START).rotated());
    assert!(turned.starts_with(&hex("42 36 53 24")) && turned.ends_with(&hex("A8 9C B9 8A")));
}

#[test]
fn lights_are_the_worked_vectors() {
    let cases = [
        (
            ColoredSquares { color: [0, 0, 15], dim: 8, ranks: on(&["e2", "e4"]), flash: 0, alone: true },
            "45 4C 80 0F 00 00 00 00 00 10 00 10 00 00 01 FF",
        ),
        (
            ColoredSquares { color: [15, 0, 0], dim: 8, ranks: on(&["a1"]), flash: 0, alone: true },
            "45 4C 8F 00 00 00 00 00 00 00 00 00 01 00 01 FF",
        ),
        (ColoredSquares::DARK, "45 4C 00 00 00 00 00 00 00 00 00 00 00 00 01 FF"),
    ];
    for (picture, bytes) in cases {
        assert_eq!(IChessOneCommand::Light(picture).to_bytes(), hex(bytes));
        assert_eq!(IChessOneCommand::of(&hex(bytes)), Some(IChessOneCommand::Light(picture)));
    }
}

#[test]
fn the_battery_is_the_worked_vector() {
    assert_eq!(
        IChessOneDecoder::default().push(&hex("3D 62 01 64")),
        [Ok(IChessOneMessage::Battery(true, 100))]
    );
    assert_eq!(
        IChessOneDecoder::default().push(&hex("3D 62 00 58")),
        [Ok(IChessOneMessage::Battery(false, 88))]
    );
    assert_eq!(IChessOneMessage::Battery(true, 100).to_bytes(), hex("3D 62 01 64"));
}

#[test]
fn commands_are_the_written_words() {
    let words = [
        (IChessOneCommand::OnChange, "43 50 49 52 51"),
        (IChessOneCommand::Position, "52 50"),
        (IChessOneCommand::Battery, "52 42"),
        (IChessOneCommand::Hardware, "52 48"),
    ];
    for (command, bytes) in words {
        assert_eq!(command.to_bytes(), hex(bytes));
    }
    assert_eq!(IChessOneCommand::of(b"CPM250"), Some(IChessOneCommand::Every(250)));
    assert_eq!(IChessOneCommand::of(b"CPOFF"), Some(IChessOneCommand::Off));
}

#[test]
fn messages_are_read_from_pieces_of_any_size_with_junk_before_them() {
    let messages = [
        IChessOneMessage::Hardware("1.0".to_owned()),
        IChessOneMessage::Position(of(A)),
        // The percentage, 61, has the same byte value as `=`, the first byte of every message.
        IChessOneMessage::Battery(false, 0x3D),
        IChessOneMessage::Position(of(START)),
    ];
    let bytes = messages.each_ref().map(IChessOneMessage::to_bytes).concat();
    for size in 1..=bytes.len() {
        let mut decoder = IChessOneDecoder::default();
        let found: Vec<_> = bytes.chunks(size).flat_map(|piece| decoder.push(piece)).collect();
        assert_eq!(found, messages.clone().map(Ok), "{size}");
    }
    let junk = [&[0x00, 0x3D, 0xFF], bytes.as_slice()].concat();
    let understood: Vec<_> = IChessOneDecoder::default().push(&junk).into_iter().flatten().collect();
    assert_eq!(understood, messages);
}

#[test]
fn a_position_that_was_cut_off_does_not_spoil_the_next() {
    let position = IChessOneMessage::Position(of(START)).to_bytes();
    let mut decoder = IChessOneDecoder::default();
    assert_eq!(decoder.push(position.get(..20).expect("it is longer")), []);
    let found = decoder.push(&position);
    assert!(matches!(found.as_slice(), [Err(_), Ok(IChessOneMessage::Position(_))]), "{found:?}");
}

proptest! {
    #[test]
    fn any_bytes_keep_the_laws(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        decoder_law(&bytes);
        command_law(&bytes);
    }

    #[test]
    fn any_likely_bytes_keep_the_laws(text in "(=p|=b|=h|EL|CPM|[\u{0}-\u{c}]|.){0,60}") {
        decoder_law(text.as_bytes());
        command_law(text.as_bytes());
    }
}
