//! Tests of the codec against the worked vectors of the protocol notes, sections 5.5 and 6.4, and against its laws.

use proptest::prelude::*;
use tabiya_types::Board;

use super::*;
use crate::lights::Glow;
use crate::makers::certabo::laws::{decoder_law, table_law};

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect()
}

fn at(name: &str) -> Square {
    name.parse().expect("a square")
}

fn occupied(fen: &str) -> CertaboMessage {
    CertaboMessage::Occupied(fen.parse::<Board>().expect("a board").occupied())
}

fn read(bytes: &[u8]) -> Vec<Result<CertaboMessage, String>> {
    CertaboDecoder::default().push(bytes)
}

/// Computes the CRC-32 of IEEE 802.3, least significant bit first.
fn crc32(bytes: &[u8]) -> u32 {
    let bit = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| bit(crc)))
}

/// Returns the tag of a cell in the synthetic start position.
fn tag(cell: usize) -> PieceTag {
    let number = u8::try_from(cell).expect("a cell");
    PieceTag([3, 0, 84, number, 255 - number])
}

fn synthetic_start() -> Tags {
    Tags(std::array::from_fn(|cell| if (16..48).contains(&cell) { None } else { Some(tag(cell)) }))
}

#[test]
fn synthetic_frames_are_the_worked_vectors() {
    assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    let bytes = CertaboMessage::Tags(Box::new(synthetic_start())).to_bytes();
    assert!(bytes.starts_with(b":3 0 84 0 255 3 0 84 1 254 3 0 84 2 253"));
    assert!(bytes.ends_with(b"3 0 84 63 192 \r\n"));
    assert_eq!((bytes.len(), crc32(&bytes)), (761, 0x71D3_8809));
    assert_eq!(read(&bytes), [Ok(CertaboMessage::Tags(Box::new(synthetic_start())))]);
    let mut e4 = synthetic_start();
    e4.0.swap(52, 36);
    let bytes = CertaboMessage::Tags(Box::new(e4)).to_bytes();
    assert_eq!((bytes.len(), crc32(&bytes)), (761, 0xFAB7_7FC1));
    assert_eq!((e4.at(at("e4")), e4.at(at("e2"))), (Some(tag(52)), None));
}

#[test]
fn line_ends_within_a_frame_are_left_out_even_within_numbers() {
    let frame = CertaboMessage::Tags(Box::new(synthetic_start())).to_bytes();
    let broken = frame.chunks(64).collect::<Vec<_>>().join(&b'\n');
    assert_eq!(read(&broken), [Ok(CertaboMessage::Tags(Box::new(synthetic_start())))]);
    // The end of a recorded frame: a line feed splits the number 170 into `17` and `0`.
    let captured = format!(":{}3 0 84 252 17\n0 \r\n", "0 0 0 0 0 ".repeat(63));
    let found = read(captured.as_bytes());
    let [Ok(CertaboMessage::Tags(tags))] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(tags.at(at("h1")), Some(PieceTag([3, 0, 84, 252, 170])));
    // A frame whose last number is followed directly by the acknowledgement of the lights.
    let glued = format!(":{}3 0 84 252 153 {}3 0 84 252 15\nL:", "", "0 0 0 0 0 ".repeat(62));
    let found = read(glued.as_bytes());
    let [Ok(CertaboMessage::Lit), Ok(CertaboMessage::Tags(tags))] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(tags.at(at("a8")), Some(PieceTag([3, 0, 84, 252, 153])));
    assert_eq!(tags.at(at("h1")), Some(PieceTag([3, 0, 84, 252, 15])));
}

#[test]
fn a_cell_with_three_zeros_is_empty_and_filler_is_left_out() {
    let frame = format!("\0:\u{0}0 0 56 0 0 14 142 7 225 207 {}\r\n", "0 0 0 0 0 ".repeat(62));
    let found = read(frame.as_bytes());
    let [Ok(CertaboMessage::Tags(tags))] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((tags.at(at("a8")), tags.at(at("b8"))), (None, Some(PieceTag([14, 142, 7, 225, 207]))));
    assert_eq!(read(b"\xFF:1 0 0 16 0 0 128 129 \r\n"), [Ok(occupied("7r/8/8/3Q4/8/8/n7/B6k"))]);
}

#[test]
fn lights_are_the_worked_vectors() {
    let lit = |names: &[&str]| lamps(names.iter().map(|name| at(name))).to_vec();
    assert_eq!(lit(&["e2", "e4"]), hex("00 00 00 00 10 00 10 00"));
    assert_eq!(lit(&["a1", "h8"]), hex("80 00 00 00 00 00 00 01"));
    assert_eq!(lit(&["a1"]), hex("00 00 00 00 00 00 00 01"));
    assert_eq!(lit(&["h1"]), hex("00 00 00 00 00 00 00 80"));
    let pieces: Board = "rnbqkbnr/pppppppp/3q4/8/8/3Q4/PPPPPPPP/RNBQKBNR".parse().expect("a board");
    assert_eq!(lamps(pieces.pieces().map(|(square, _)| square)).to_vec(), hex("FF FF 08 00 00 08 FF FF"));
    let one = Lights::of([(at("a1"), Glow::May)]);
    assert_eq!(plain(&one).to_vec(), hex("00 00 00 00 00 00 00 01"));
}

#[test]
fn occupied_squares_are_the_worked_vectors() {
    let cases = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", ":255 255 0 0 0 0 255 255 \r\n"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", ":255 255 0 0 8 0 247 255 \r\n"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR", ":255 255 0 0 0 0 247 255 \r\n"),
        ("7r/8/8/3Q4/8/8/n7/B6k", ":1 0 0 16 0 0 128 129 \r\n"),
        ("4k3/4p3/8/8/8/8/4P3/4K3", ":8 8 0 0 0 0 8 8 \r\n"),
    ];
    for (fen, text) in cases {
        assert_eq!(String::from_utf8_lossy(&occupied(fen).to_bytes()), text);
        assert_eq!(read(text.as_bytes()), [Ok(occupied(fen))]);
    }
    let turned = "7r/8/8/3Q4/8/8/n7/B6k".parse::<Board>().expect("a board").rotated().occupied();
    assert_eq!(read(b":129 1 0 0 8 0 0 128 \r\n"), [Ok(CertaboMessage::Occupied(turned))]);
}

#[test]
fn lights_in_colors_are_the_worked_vectors() {
    let lit = |name: &str| corners(at(name));
    assert_eq!(lit("e4"), [30, 31, 39, 40]);
    assert_eq!(lit("h1"), [0, 1, 9, 10]);
    assert_eq!(lit("a1"), [7, 8, 16, 17]);
    assert_eq!(lit("a8"), [70, 71, 79, 80]);
    assert_eq!(lit("h8"), [63, 64, 72, 73]);
    let blue = colors([(at("e4"), [0, 0, 0x40])]);
    assert_eq!((blue.len(), crc32(&blue)), (COLORS, 0xC937_9E30));
    let red = colors([(at("h1"), [0x7D, 0, 0])]);
    assert!(red.starts_with(&hex("FF 55 7D 00 00 7D 00 00 00")));
}

#[test]
fn frames_are_read_from_pieces_of_any_size() {
    let messages = [
        CertaboMessage::Tags(Box::new(synthetic_start())),
        CertaboMessage::Lit,
        occupied("7r/8/8/3Q4/8/8/n7/B6k"),
        CertaboMessage::LitInColors,
    ];
    let bytes = messages.each_ref().map(CertaboMessage::to_bytes).concat();
    for size in (1..80).chain([400, bytes.len()]) {
        let mut decoder = CertaboDecoder::default();
        let found: Vec<_> = bytes.chunks(size).flat_map(|piece| decoder.push(piece)).collect();
        assert_eq!(found, messages.clone().map(Ok), "{size}");
    }
}

#[test]
fn a_torn_frame_is_told_and_does_not_spoil_the_next() {
    let frame = CertaboMessage::Tags(Box::new(synthetic_start())).to_bytes();
    let mut decoder = CertaboDecoder::default();
    assert_eq!(decoder.push(frame.get(..300).expect("it is longer")), []);
    let found = decoder.push(&frame);
    assert!(matches!(found.as_slice(), [Err(_), Ok(CertaboMessage::Tags(_))]), "{found:?}");
    assert_eq!(read(b":256 1 \r\n").len(), 1);
    assert_eq!(read(b":1 2 x 3 \r\n").len(), 1);
}

proptest! {
    #[test]
    fn any_bytes_keep_the_laws(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        decoder_law(&bytes);
    }

    #[test]
    fn any_likely_text_keeps_the_laws(text in "(:|[0-9]{1,3} |\r\n|\n|L|D|.|:([0-9]{1,2} ){8}){0,40}") {
        decoder_law(text.as_bytes());
    }

    #[test]
    fn any_table_keeps_its_law(text in "([pnbrqkPNBRQK][0-9a-f]{10}|[ -~]{0,12})( [pnbrqkPNBRQK][0-9a-f]{10}){0,5}") {
        table_law(&text);
    }
}
