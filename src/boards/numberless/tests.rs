//! Tests of captures without numbers: what identifies anything is gone, and the squares are read as before.
#![expect(clippy::indexing_slicing, reason = "a test may fail so")]

use firmware_protocol::{AntennaTag, Can, Frame, Hello, LONGEST_FRAME, Message, SquareContent, encode};
use proptest::prelude::*;
use tabiya_types::{Board, Color, Instant, Observation, Piece, Role};

use super::*;
use crate::chunk::Direction;
use crate::event::BoardEvent;
use crate::laws;
use crate::makers::CATALOG;
use crate::makers::certabo::codec::{CertaboMessage, PieceTag, Tags};
use crate::makers::dgt::codec::{DgtCommand, DgtMessage};
use crate::makers::dgtbus::codec::{Answer, AnswerContent, BusQuestion};
use crate::makers::pegasus::codec::UnlockKey;

/// A capture of these bytes from and to a board, one chunk a second.
fn capture(maker: &str, chunks: &[(Direction, Vec<u8>)]) -> Capture {
    let header = crate::capture::CaptureHeader { capture: maker.to_owned(), device: Some("COM3".to_owned()) };
    let chunks = (1..).zip(chunks).map(|(second, (direction, bytes))| Chunk {
        at: Instant::from_millis(second * 1_000),
        direction: *direction,
        channel: None,
        bytes: bytes.clone(),
    });
    Capture { header: Some(header), chunks: chunks.collect() }
}

fn from_board(bytes: &[u8]) -> (Direction, Vec<u8>) {
    (Direction::FromDevice, bytes.to_vec())
}

fn to_board(bytes: Vec<u8>) -> (Direction, Vec<u8>) {
    (Direction::ToDevice, bytes)
}

/// Everything that went over the link, as one text.
fn all(capture: &Capture) -> String {
    let bytes = capture.chunks.iter().flat_map(|chunk| chunk.bytes.clone()).collect::<Vec<u8>>();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn seen(capture: &Capture) -> Vec<(Instant, Observation)> {
    let seen = capture.play().filter_map(|(at, event)| match event {
        BoardEvent::Observed(seen) => Some((at, seen)),
        _ => None,
    });
    seen.collect()
}

#[test]
fn a_dgt_board_keeps_its_squares_and_loses_its_numbers() {
    let numbers = [
        DgtMessage::Serial("24958".to_owned()),
        DgtMessage::LongSerial("3000448278".to_owned()),
        DgtMessage::Trademark("serial no: 3000448278".to_owned()),
        DgtMessage::BusAddress(4_711),
    ];
    let numbers: Vec<u8> = numbers.iter().flat_map(DgtMessage::to_bytes).collect();
    let squares =
        DgtMessage::Dump("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().expect("a board")).to_bytes();
    // The messages come in pieces, and the capture begins with the end of a serial number.
    let (first, rest) = numbers.split_at(5);
    let before = capture(
        "dgt",
        &[
            from_board(b"48278"),
            to_board(DgtCommand::Serial.to_bytes()),
            from_board(first),
            from_board(&[rest, squares.as_slice()].concat()),
        ],
    );
    let after = before.clone().without_numbers();
    let text = all(&after);
    assert!(!["24958", "48278", "serial"].iter().any(|told| text.contains(told)), "{text}");
    assert_eq!((seen(&after), seen(&after).len()), (seen(&before), 1));
    assert_eq!(after.header.and_then(|header| header.device), None);
}

#[test]
fn boards_on_a_bus_become_one_and_two_and_their_sums_are_right() {
    let answer = |address, square: &str| {
        let mut board = Board::EMPTY;
        board[square.parse().expect("a square")] = Some(Piece { color: Color::White, role: Role::Rook });
        Answer { address, content: AnswerContent::SingleMode(DgtMessage::Dump(board)) }.to_bytes()
    };
    let before = capture(
        "dgtbus",
        &[
            to_board(BusQuestion::Board.to_bytes(4_711)),
            from_board(&answer(4_711, "a1")),
            to_board(BusQuestion::Board.to_bytes(815)),
            from_board(&answer(815, "h8")),
        ],
    );
    let after = before.clone().without_numbers();
    let bytes: Vec<_> = after.chunks.iter().map(|chunk| chunk.bytes.clone()).collect();
    let wanted =
        [BusQuestion::Board.to_bytes(1), answer(1, "a1"), BusQuestion::Board.to_bytes(2), answer(2, "h8")];
    assert_eq!(bytes, wanted);
    assert_eq!(seen(&after), seen(&before));
}

#[test]
fn the_key_of_a_developer_never_leaves_the_house() {
    let key = UnlockKey([0x11, 0x22, 0x33, 0x44, 0x55, 0x66]).command().to_bytes();
    let after = capture("pegasus", &[to_board(key.clone())]).without_numbers();
    assert_eq!(after.chunks[0].bytes[..2], key[..2]);
    assert!(after.chunks[0].bytes[2..].iter().all(|byte| *byte == 0));
}

#[test]
fn each_piece_with_a_chip_is_told_from_the_others_by_another_number() {
    let (ann, bo) = (PieceTag([59, 128, 0, 12, 250]), PieceTag([59, 128, 0, 13, 250]));
    let frame = |on: &[(usize, PieceTag)]| {
        let mut tags = [None; 64];
        for (at, tag) in on {
            tags[*at] = Some(*tag);
        }
        CertaboMessage::Tags(Box::new(Tags(tags))).to_bytes()
    };
    let before =
        capture("certabo", &[from_board(&frame(&[(3, ann)])), from_board(&frame(&[(4, ann), (9, bo)]))]);
    let after = before.clone().without_numbers();
    let text = all(&after);
    assert!(!text.contains("59 128") && !text.contains("250"), "{text}");
    let mut decoder = crate::makers::certabo::codec::CertaboDecoder::default();
    let told = decoder.push(text.as_bytes()).into_iter().map(|told| match told {
        Ok(CertaboMessage::Tags(tags)) => tags.0,
        other => panic!("{other:?}"),
    });
    let [first, second] = told.collect::<Vec<_>>().try_into().expect("two frames");
    assert!(first[3].is_some() && first[3] == second[4] && second[9].is_some() && second[9] != second[4]);
    assert_eq!((first.iter().flatten().count(), second.iter().flatten().count()), (1, 2));
}

fn wire(frame: Option<Frame>) -> Vec<u8> {
    let mut bytes = [0; LONGEST_FRAME];
    let length = encode(&frame.expect("a frame"), &mut bytes).expect("room");
    bytes[..length].to_vec()
}

#[test]
fn a_self_built_reader_says_that_there_is_a_card_and_not_which() {
    let uid = [4, 1, 2, 3, 4, 5, 6];
    let hello = Hello { messages: 1, asks: false, takes: 64, can: Can(0), name: "Anns Brett" };
    let messages = [
        wire(Message::Hello(hello).frame(0)),
        wire(Message::Tag { antenna: 0, tag: AntennaTag::There { uid: &uid, ndef: Some(5) } }.frame(1)),
        wire(Message::Ndef { antenna: 0, offset: 0, bytes: b"Queen" }.frame(2)),
        wire(Message::Square { square: 28, content: SquareContent::Empty }.frame(3)),
    ];
    let display = wire(Message::Display { line: 0, text: "Ann 1:30" }.frame(1));
    let bytes = messages.concat();
    // The end of a frame that was cut is no frame.
    let before = capture("diy", &[from_board(&bytes[20..]), from_board(&bytes), to_board(display)]);
    let after = before.clone().without_numbers();
    let text = all(&after);
    assert!(!["Ann", "Queen"].iter().any(|told| text.contains(told)), "{text}");
    let whole: Vec<u8> = after.chunks.iter().flat_map(|chunk| chunk.bytes.clone()).collect();
    assert!(!whole.windows(4).any(|window| window == &uid[..4]), "{whole:?}");
    let square = messages[3].as_slice();
    assert!(after.chunks[1].bytes.ends_with(square), "{after:?}");
}

#[test]
fn a_session_with_livechess_keeps_its_positions_and_loses_number_port_and_day() {
    let lines = include_str!("../../../fixtures/livechess/session-2020-04-27.jsonl");
    let chunks: Vec<_> = lines
        .lines()
        .map(|line| {
            if line.contains("\"call\":\"") {
                to_board(line.as_bytes().to_vec())
            } else {
                from_board(line.as_bytes())
            }
        })
        .collect();
    let before = capture("livechess", &chunks);
    let after = before.clone().without_numbers();
    let text = all(&after);
    assert!(!["23946", "COM3", "15879"].iter().any(|told| text.contains(told)), "{text}");
    assert!(text.contains(r#""serialnr":"00001""#), "{text}");
    assert_eq!((seen(&after).len() > 5, seen(&after)), (true, seen(&before)));
}

#[test]
fn the_names_of_channels_become_numbers() {
    let mut before = capture("dgt", &[from_board(&[0x8E, 0, 5, 0x24, 1]), from_board(&[])]);
    before.chunks[0].channel = Some(Channel::Name("Anns Brett".to_owned()));
    let after = before.without_numbers();
    assert_eq!(after.chunks[0].channel, Some(Channel::Number(2)));
    assert_eq!(after.chunks[1].channel, None);
}

#[test]
fn the_last_minutes_of_a_capture_are_cut_by_its_end() {
    let chunks: Vec<_> = (0..10).map(|nth| from_board(&[nth])).collect();
    let last = capture("dgt", &chunks).last(tabiya_types::Millis(2_500));
    assert_eq!(last.chunks.iter().map(|chunk| chunk.bytes[0]).collect::<Vec<_>>(), [7, 8, 9]);
}

proptest! {
    /// Whatever the bytes are, hiding changes no length and never panics; a report is read as its capture alone.
    #[test]
    fn any_bytes_of_any_maker_keep_their_lengths(
        nth in 0..CATALOG.len(),
        chunks in proptest::collection::vec((any::<bool>(), proptest::collection::vec(any::<u8>(), 0..40)), 0..8),
    ) {
        let direction = |from: &bool| if *from { Direction::FromDevice } else { Direction::ToDevice };
        let chunks: Vec<_> = chunks.iter().map(|(from, bytes)| (direction(from), bytes.clone())).collect();
        let capture = capture(CATALOG[nth].prefix(), &chunks);
        laws::capture_law(capture.to_text().as_bytes());
        let report = format!("{{\"report\":1}}\n{{\"part\":\"capture\"}}\n{}", capture.to_text());
        prop_assert_eq!(Capture::parse(report.as_bytes(), "report").ok(), Some(capture));
    }
}
