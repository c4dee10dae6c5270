//! Tests of the codec against the worked vectors of the protocol notes, section 8.1, and against its laws.

use proptest::prelude::*;
use tabiya_types::Board;

use super::*;
use crate::makers::squareoff::laws::{command_law, decoder_law};

fn occupied(fen: &str) -> Squares {
    fen.parse::<Board>().expect("a board").occupied()
}

fn at(name: &str) -> Square {
    name.parse().expect("a square")
}

#[test]
fn positions_are_the_worked_vectors() {
    let start = format!("30#{}*", "11000011".repeat(8));
    let k = format!("30#{}11000011{}*", "0".repeat(32), "0".repeat(24));
    let cases = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", start.as_str()),
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
            "30#1100001111000011110000111100001110010011110000111100001111000011*",
        ),
        ("4k3/4p3/8/8/8/8/4P3/4K3", k.as_str()),
        ("7r/8/8/3Q4/8/8/n7/B6k", "30#1100000000000000000000000000100000000000000000000000000010000001*"),
    ];
    for (fen, text) in cases {
        let message = SquareOffMessage::Occupied(occupied(fen));
        assert_eq!(String::from_utf8_lossy(&message.to_bytes()), text, "{fen}");
        assert_eq!(SquareOffDecoder::default().push(text.as_bytes()), [Ok(message)], "{fen}");
    }
}

#[test]
fn a_move_by_hand_is_the_worked_vector() {
    let found = SquareOffDecoder::default().push(b"0#e2u*0#e4d*");
    assert_eq!(found, [Ok(SquareOffMessage::Lifted(at("e2"))), Ok(SquareOffMessage::Put(at("e4")))]);
    assert_eq!(SquareOffMessage::Lifted(at("e2")).to_bytes(), b"0#e2u*");
    assert_eq!(SquareOffMessage::Put(at("e4")).to_bytes(), b"0#e4d*");
}

#[test]
fn commands_are_the_written_words() {
    let cases = [
        (SquareOffCommand::NewGame, "14#1*"),
        (SquareOffCommand::Ask, "30#R*"),
        (SquareOffCommand::Light(["e2", "e4"].into_iter().map(at).collect()), "25#e2e4*"),
        (SquareOffCommand::Light(Squares::NONE), "25#*"),
        (SquareOffCommand::Battery, "4#*"),
        (SquareOffCommand::Show(GameStatus::Check), "27#ck*"),
        (SquareOffCommand::Show(GameStatus::Wins(Color::Black)), "27#bl*"),
        (SquareOffCommand::Show(GameStatus::Wins(Color::White)), "27#wt*"),
        (SquareOffCommand::Show(GameStatus::Draw), "27#dw*"),
    ];
    for (command, text) in cases {
        assert_eq!(String::from_utf8_lossy(&command.to_bytes()), text);
        assert_eq!(SquareOffCommandDecoder::default().push(text.as_bytes()), [command]);
    }
    assert_eq!(
        SquareOffDecoder::default().push(b"22#4.02*"),
        [Ok(SquareOffMessage::Battery("4.02".to_owned()))]
    );
    assert_eq!(SquareOffDecoder::default().push(b"14#GO*"), [Ok(SquareOffMessage::Go)]);
}

#[test]
fn messages_are_read_from_pieces_of_any_size() {
    let messages = [
        SquareOffMessage::Occupied(occupied("7r/8/8/3Q4/8/8/n7/B6k")),
        SquareOffMessage::Lifted(at("a2")),
        SquareOffMessage::Go,
        SquareOffMessage::Battery("88".to_owned()),
    ];
    let bytes = messages.each_ref().map(SquareOffMessage::to_bytes).concat();
    for size in 1..=bytes.len() {
        let mut decoder = SquareOffDecoder::default();
        let found: Vec<_> = bytes.chunks(size).flat_map(|piece| decoder.push(piece)).collect();
        assert_eq!(found, messages.clone().map(Ok), "{size}");
    }
}

#[test]
fn a_message_that_was_cut_off_does_not_spoil_the_next() {
    for torn in ["30#0101", "30#", "30", "3", "0#e", "0#e2u", "22#4.", "*", "#", "12345"] {
        let mut decoder = SquareOffDecoder::default();
        decoder.push(torn.as_bytes());
        let found = decoder.push(b"0#e4d*");
        assert_eq!(found.last(), Some(&Ok(SquareOffMessage::Put(at("e4")))), "{torn}");
    }
}

proptest! {
    #[test]
    fn any_bytes_keep_the_laws(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        decoder_law(&bytes);
        command_law(&bytes);
    }

    #[test]
    fn any_likely_text_keeps_the_laws(text in "(0#|30#|14#|25#|22#|[a-h][1-8]|[01]{8}|[ud]|GO|R|[*]|.){0,60}") {
        decoder_law(text.as_bytes());
        command_law(text.as_bytes());
    }
}
