//! Tests of the bus codec: the worked examples (vectors) of the protocol notes, and the codec's laws, which hold for
//! any bytes.
#![expect(clippy::indexing_slicing, reason = "a test may fail so")]

use proptest::prelude::*;
use tabiya_types::Board;

use super::*;
use crate::makers::dgt::codec::{ClockFrame, ClockStatus, DgtCommandDecoder, LogEntry, SideTime, entries};
use crate::makers::dgtbus::laws;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
/// The address of the board in the vectors.
const BOARD: u16 = 1025;

fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect(byte)).collect()
}

fn told(bytes: &[u8]) -> Vec<Result<Answer, BusDamage>> {
    let mut decoder = BusDecoder::new();
    bytes.iter().filter_map(|byte| decoder.push(*byte)).collect()
}

#[test]
fn the_notes_commands_are_written_and_read_as_they_stand() {
    let table = [
        ("V60", "81 10 06 17", BusQuestion::Clock, 2054),
        ("V61", "87 00 00 07", BusQuestion::Ping, ALL),
        ("V62", "8A 08 01 13", BusQuestion::IgnorePing, BOARD),
        ("V63", "8B 08 01 14", BusQuestion::Version, BOARD),
        ("V64", "85 08 01 0E", BusQuestion::StartGame, BOARD),
        ("V65", "83 08 01 0C", BusQuestion::Changes, BOARD),
        ("V67", "84 08 01 0D", BusQuestion::Repeat, BOARD),
        ("V68", "81 08 01 0A", BusQuestion::Clock, BOARD),
        ("V69", "82 08 01 0B", BusQuestion::Board, BOARD),
        ("V70, from start", "86 08 01 0F", BusQuestion::FromStart, BOARD),
        ("V70, end", "88 00 00 08", BusQuestion::EndBus, ALL),
        ("V70, everything", "8D 08 01 16", BusQuestion::Everything, BOARD),
    ];
    for (name, hex, ask, address) in table {
        assert_eq!(ask.to_bytes(address), bytes(hex), "{name}");
        let mut decoder = DgtCommandDecoder::new();
        let read = bytes(hex).into_iter().find_map(|byte| decoder.push(byte));
        assert_eq!(read, Some(DgtCommand::Bus { id: ask.id(), address }), "{name}");
        assert_eq!(BusQuestion::from_id(ask.id()), Some(ask), "{name}");
    }
}

#[test]
fn the_notes_answers_are_read_and_written_as_they_stand() {
    let times = ClockFrame {
        right: SideTime::from_secs(301),
        left: SideTime::from_secs(299),
        status: ClockStatus::new(true, true),
    };
    let table = [
        ("V61, V62", "87 00 06 08 01 16", AnswerContent::Ping),
        ("V63", "89 00 08 08 01 01 02 1D", AnswerContent::Version(Some(Version { main: 1, sub: 2 }))),
        ("V64", "88 00 06 08 01 17", AnswerContent::Started),
        ("V65", "85 00 06 08 01 14", AnswerContent::Changes(Vec::new())),
        ("V66", "85 00 0A 08 01 40 34 41 24 71", AnswerContent::Changes(bytes("40 34 41 24"))),
        (
            "V68",
            "84 00 0D 08 01 00 05 01 00 04 59 13 10",
            AnswerContent::SingleMode(DgtMessage::Clock(times)),
        ),
    ];
    for (name, hex, said) in table {
        let answer = Answer { address: BOARD, content: said };
        assert_eq!(told(&bytes(hex)), [Ok(answer.clone())], "{name}");
        assert_eq!(answer.to_bytes(), bytes(hex), "{name}");
    }
}

#[test]
fn a_whole_board_has_seventy_bytes_and_the_notes_sum() {
    let board: Board = START.parse().expect("a board");
    let answer = Answer { address: BOARD, content: AnswerContent::SingleMode(DgtMessage::Dump(board)) };
    let written = answer.to_bytes();
    assert_eq!((written.len(), written.last()), (70, Some(&0x7C)), "V69");
    assert_eq!(written.get(..9), Some(&bytes("83 00 46 08 01 08 09 0A 0C")[..]));
    assert_eq!(told(&written), [Ok(answer)]);
}

#[test]
fn the_notes_changes_are_a_pawn_lifted_and_put() {
    let read: Vec<_> = entries(&bytes("40 34 41 24")).map(|entry| entry.expect("an entry")).collect();
    let squares = read.iter().map(|entry| match entry {
        LogEntry::Square { square, piece, .. } => {
            (square.to_string(), piece.map(tabiya_types::Piece::letter))
        }
        other => panic!("{other:?}"),
    });
    assert!(squares.eq([("e2".to_owned(), None), ("e4".to_owned(), Some('P'))]));
}

#[test]
fn changes_are_understood_with_and_without_the_mark_of_the_end() {
    for log in ["40 34 41 24", "40 34 41 24 6B"].map(bytes) {
        let answer = Answer { address: BOARD, content: AnswerContent::Changes(log.clone()) };
        assert_eq!(told(&answer.to_bytes()), [Ok(answer)]);
        let moved = entries(&log).filter(|entry| matches!(entry, Ok(LogEntry::Square { .. })));
        assert_eq!(moved.count(), 2);
    }
}

#[test]
fn firmware_up_to_1_2_answers_for_its_version_without_one() {
    let answer = Answer { address: BOARD, content: AnswerContent::Version(None) };
    assert_eq!(answer.to_bytes().len(), 6);
    assert_eq!(told(&answer.to_bytes()), [Ok(answer)]);
}

#[test]
fn two_answers_at_once_are_a_wrong_sum_and_the_next_answer_is_understood() {
    let ping = |address| Answer { address, content: AnswerContent::Ping };
    let both: Vec<u8> =
        ping(BOARD).to_bytes().iter().zip(ping(2050).to_bytes()).map(|(one, other)| one | other).collect();
    let heard = [both, ping(2050).to_bytes()].concat();
    assert_eq!(told(&heard), [Err(BusDamage::Sum { id: 0x87 }), Ok(ping(2050))]);
}

#[test]
fn an_answer_that_is_cut_short_costs_itself_alone() {
    let whole = Answer { address: BOARD, content: AnswerContent::Changes(bytes("40 34")) };
    let heard = [bytes("85 00 0A 08 01 40"), whole.to_bytes()].concat();
    let cut = single::DgtDamage::CutShort { id: 0x85, missing: 4 };
    assert_eq!(told(&heard), [Err(BusDamage::Frame(cut)), Ok(whole)]);
}

#[test]
fn a_length_that_an_answer_cannot_have_is_told() {
    let found = told(&bytes("87 00 05 08 01"));
    assert_eq!(found, [Err(BusDamage::Frame(single::DgtDamage::Length { id: 0x87, total: 5 }))]);
}

#[test]
fn the_whole_log_of_a_board_is_one_answer() {
    let log: Vec<u8> = [0x40, 0x34].repeat(3968);
    let answer = Answer { address: LAST_ADDRESS, content: AnswerContent::FromStart(log) };
    assert_eq!(told(&answer.to_bytes()), [Ok(answer)]);
}

proptest! {
    #[test]
    fn any_bytes_keep_the_law_of_answers(heard in proptest::collection::vec(any::<u8>(), 0..200)) {
        laws::decoder_law(&heard);
    }

    #[test]
    fn any_log_comes_back_whole_in_pieces_of_any_size(
        address in 0..=LAST_ADDRESS,
        log in proptest::collection::vec(0_u8..128, 0..400),
        noise in proptest::collection::vec(0_u8..128, 0..5),
    ) {
        let answer = Answer { address, content: AnswerContent::Changes(log) };
        let mut heard = noise;
        answer.encode(&mut heard);
        prop_assert!(told(&heard).ends_with(&[Ok(answer)]));
    }

    #[test]
    fn one_changed_bit_is_never_taken_for_an_answer_to_the_same_question(
        log in proptest::collection::vec(0_u8..128, 0..40),
        at in 0_usize..46,
        bit in 0_u32..7,
    ) {
        let answer = Answer { address: BOARD, content: AnswerContent::Changes(log) };
        let mut heard = answer.to_bytes();
        let at = at % heard.len();
        heard[at] ^= 1 << bit;
        prop_assert!(!told(&heard).contains(&Ok(answer)));
    }
}
