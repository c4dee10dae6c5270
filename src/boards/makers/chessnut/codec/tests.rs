//! Tests of the codec against the worked vectors of the protocol notes, section 4.8.

use super::*;
use crate::lights::Glow;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn of(fen: &str) -> Board {
    fen.parse().expect("a board")
}

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("hex")).collect()
}

fn lit(squares: &[&str]) -> Lights {
    Lights::of(squares.iter().map(|square| (square.parse().expect("a square"), Glow::May)))
}

#[test]
fn the_start_position_is_the_worked_vector() {
    let bytes = [hex("58 23 31 85 44 44 44 44"), vec![0; 16], hex("77 77 77 77 A6 C9 9B 6A")].concat();
    assert_eq!(squares(&of(START)).to_vec(), bytes);
    assert_eq!(board(&bytes), Some(of(START)));
}

#[test]
fn positions_without_symmetry_are_the_worked_vectors() {
    let k = [hex("00 20 00 00 00 40 00 00"), vec![0; 16], hex("00 70 00 00 00 C0 00 00")].concat();
    assert_eq!(squares(&of("4k3/4p3/8/8/8/8/4P3/4K3")).to_vec(), k);
    let a = hex(
        "08 00 00 00 00 00 00 00 00 00 00 00 00 00 0B 00 00 00 00 00 00 00 00 00 00 00 00 50 02 00 00 90",
    );
    assert_eq!(squares(&of("7r/8/8/3Q4/8/8/n7/B6k")).to_vec(), a);
    assert_eq!(board(&a), Some(of("7r/8/8/3Q4/8/8/n7/B6k")));
    let e4 = squares(&of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"));
    assert_eq!(e4.get(16..20), Some(hex("00 70 00 00").as_slice()));
    assert_eq!(e4.get(24..28), Some(hex("77 07 77 77").as_slice()));
}

#[test]
fn a_board_that_stands_turned_is_the_worked_vector() {
    let bytes = [hex("A6 B9 9C 6A 77 77 77 77"), vec![0; 16], hex("44 44 44 44 58 13 32 85")].concat();
    assert_eq!(board(&bytes), Some(of(START).rotated()));
}

#[test]
fn lights_are_the_worked_vectors() {
    let light = |squares| ChessnutCommand::Light(lamps(&lit(squares))).to_bytes();
    assert_eq!(light(&["e2", "e4"]), hex("0A 08 00 00 00 00 08 00 08 00"));
    assert_eq!(light(&["a1"]), hex("0A 08 00 00 00 00 00 00 00 80"));
    assert_eq!(light(&["h8"]), hex("0A 08 01 00 00 00 00 00 00 00"));
}

#[test]
fn the_battery_and_the_beep_are_the_worked_vectors() {
    assert_eq!(
        ChessnutDecoder::default().push(&hex("2A 02 58 00")),
        [Ok(ChessnutMessage::Battery(88, false))]
    );
    assert_eq!(
        ChessnutDecoder::default().push(&hex("2A 02 E4 00")),
        [Ok(ChessnutMessage::Battery(100, true))]
    );
    assert_eq!(ChessnutCommand::Beep(1000, 200).to_bytes(), hex("0B 04 03 E8 00 C8"));
}

#[test]
fn a_position_is_read_from_pieces_of_any_size() {
    let bytes =
        [ChessnutMessage::Streams(true).to_bytes(), ChessnutMessage::Position(of(START)).to_bytes()].concat();
    for size in 1..=bytes.len() {
        let mut decoder = ChessnutDecoder::default();
        let found: Vec<_> = bytes.chunks(size).flat_map(|piece| decoder.push(piece)).collect();
        assert_eq!(
            found,
            [Ok(ChessnutMessage::Streams(true)), Ok(ChessnutMessage::Position(of(START)))],
            "{size}"
        );
    }
}

#[test]
fn a_position_that_was_cut_off_does_not_spoil_the_next() {
    let position = ChessnutMessage::Position(of(START)).to_bytes();
    let mut decoder = ChessnutDecoder::default();
    assert_eq!(decoder.push(position.get(..20).expect("it is longer")), []);
    decoder.drop_incomplete();
    assert_eq!(decoder.push(&position), [Ok(ChessnutMessage::Position(of(START)))]);
}

#[test]
fn two_positions_that_a_small_link_cut_off_are_no_position() {
    use crate::link::Carrier;
    use crate::makers::chessnut::Chessnut;
    use crate::steady::{Protocol as _, Report};
    let position = ChessnutMessage::Position(of(START)).to_bytes();
    let cut = position.get(..20).expect("it is longer");
    let mut protocol = Chessnut::new(Carrier::Messages);
    let mut heard = Vec::new();
    protocol.hear(cut, &mut heard);
    protocol.hear(cut, &mut heard);
    assert!(!heard.iter().any(|heard| matches!(heard, Report::Board(_))), "{heard:?}");
    protocol.hear(&position, &mut heard);
    assert!(matches!(heard.last(), Some(Report::Board(board)) if *board == of(START)));
}
