//! Tests of the codec against the worked vectors of the protocol notes, section 13.5, and against its laws.

use proptest::prelude::*;
use tabiya_types::Instant;

use super::*;
use crate::makers::cpp::laws::{command_law, decoder_law};
use crate::makers::cpp::sim::{CppFirmware, CppModel};
use crate::sim::Firmware as _;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn of(fen: &str) -> Board {
    fen.parse().expect("a board")
}

fn read(text: &str) -> CppMessage {
    CppMessage::parse(text).expect("a message")
}

#[test]
fn short_words_are_the_worked_vectors() {
    assert_eq!(
        framed("move e2e4", Carrier::Messages),
        [0x6D, 0x6F, 0x76, 0x65, 0x20, 0x65, 0x32, 0x65, 0x34]
    );
    let mut decoder = CppDecoder::new(Carrier::Messages);
    assert_eq!(
        decoder.push(&[0x6D, 0x6F, 0x76, 0x65, 0x20, 0x65, 0x32, 0x65, 0x34]),
        [Ok(CppMessage::Move("e2e4".to_owned()))]
    );
    assert_eq!(decoder.push(&[0x6F, 0x6B]), [Ok(CppMessage::Ok)]);
    assert_eq!(decoder.push(&[0x6E, 0x6F, 0x6B]), [Ok(CppMessage::Nok)]);
    assert_eq!(framed(&CppMessage::Nok.to_text(), Carrier::Stream), b"nok\n");
}

#[test]
fn a_round_is_the_worked_vector() {
    let begin = format!("{START} w");
    let host = [
        ("feature submove_state", CppCommand::Feature("submove_state".to_owned())),
        ("variant standard", CppCommand::Variant("standard".to_owned())),
        (&format!("begin {begin}"), CppCommand::Begin(begin.clone())),
        ("ok", CppCommand::Ok),
        ("move e7e5", CppCommand::Move("e7e5".to_owned())),
        ("promote a7a8n", CppCommand::Promote("a7a8n".to_owned())),
        ("nok", CppCommand::Nok),
    ];
    for (text, command) in host {
        assert_eq!(CppCommand::parse(text), Some(command.clone()), "{text}");
        assert_eq!(command.to_text(), text);
    }
    let seen = |fen: &str| CppPosition::Pieces(of(fen));
    // In this FEN, the pieces are followed by the side to move. The side to move does not change the decoded position.
    assert_eq!(read(&format!("sync {begin}")), CppMessage::Sync(seen(START)));
    let lifted = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
    assert_eq!(read(&format!("state {lifted}")), CppMessage::State(seen(lifted)));
    assert_eq!(CppMessage::State(seen(lifted)).to_text(), format!("state {lifted}"));
    assert_eq!(read("move a7a8"), CppMessage::Move("a7a8".to_owned()));
}

#[test]
fn a_simulated_board_answers_as_in_the_round() {
    let mut firmware = CppFirmware::with(CppModel::Pieces);
    let mut tell = |text: &str| {
        let mut say = Vec::new();
        firmware.obey(text.as_bytes(), &of(START), Instant::ZERO, &mut say);
        say.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect::<Vec<_>>()
    };
    assert_eq!(tell("feature submove_state"), ["ok"]);
    assert_eq!(tell("feature moved"), ["nok"]);
    assert_eq!(tell("variant standard"), ["ok"]);
    assert_eq!(tell(&format!("begin {START} w")), [format!("sync {START}")]);
    assert_eq!(tell("begin 8/8/8/8/8/8/8/8 w"), [format!("unsync {START}")]);
    assert_eq!(tell("get_state"), [format!("state {START}")]);
}

#[test]
fn a_board_that_only_feels_is_the_worked_vector() {
    let message = read("unsync ????????/????????/8/8/8/8/????????/???????1");
    let felt = Squares::from_bits(0xFFFF_0000_0000_FF7F);
    assert_eq!(message, CppMessage::Unsync { seen: CppPosition::Occupied(felt), settable: false });
    assert_eq!(message.to_text(), "unsync ????????/????????/8/8/8/8/????????/???????1");
    assert_eq!(
        read("state uuuuuuuu/uuuuuuuu/8/8/8/8/UUUUUUUU/UUUUUUU1"),
        CppMessage::State(CppPosition::Occupied(felt))
    );
    assert_eq!(read("state 8/8/8/8/8/8/8/8"), CppMessage::State(CppPosition::Empty));
    assert_eq!(CppMessage::parse("state 8/8"), None);
}

#[test]
fn words_are_compared_whole() {
    assert_eq!(read("moved"), CppMessage::Other("moved".to_owned(), String::new()));
    assert_eq!(read("ok_then"), CppMessage::Other("ok_then".to_owned(), String::new()));
    let settable = CppMessage::Unsync { seen: CppPosition::Pieces(of(START)), settable: true };
    assert_eq!(read(&format!("unsync_settable {START}")), settable);
    assert_eq!(read(&format!("unsync_setible {START}")), settable);
    assert_eq!(
        read("err unknown command"),
        CppMessage::Other("err".to_owned(), "unknown command".to_owned())
    );
}

#[test]
fn lines_are_read_from_pieces_of_any_size() {
    let bytes = format!("ok\r\nstate {START}\n\nmove e2e4\n");
    let expected = [
        Ok(CppMessage::Ok),
        Ok(CppMessage::State(CppPosition::Pieces(of(START)))),
        Ok(CppMessage::Move("e2e4".to_owned())),
    ];
    for size in 1..=bytes.len() {
        let mut decoder = CppDecoder::new(Carrier::Stream);
        let found: Vec<_> = bytes.as_bytes().chunks(size).flat_map(|piece| decoder.push(piece)).collect();
        assert_eq!(found, expected, "{size}");
    }
}

#[test]
fn a_line_that_never_ends_is_dropped() {
    let mut decoder = CppDecoder::new(Carrier::Stream);
    let found = decoder.push(&[b'x'; 1_000]);
    assert!(matches!(found.as_slice(), [Err(_)]), "{found:?}");
    let found = decoder.push(b"\nok\n");
    assert_eq!(found.last(), Some(&Ok(CppMessage::Ok)));
    assert_eq!(CppDecoder::new(Carrier::Messages).push(&[0xFF]).len(), 1);
}

proptest! {
    #[test]
    fn any_bytes_keep_the_laws(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        decoder_law(&bytes);
        command_law(&bytes);
    }

    #[test]
    fn any_likely_text_keeps_the_laws(
        text in "(ok|nok|state|sync|unsync|move|feature|begin| |\n|[?uUPk1-8/]{1,20}|(8/){7}8|.){0,40}"
    ) {
        decoder_law(text.as_bytes());
        command_law(text.as_bytes());
    }
}
