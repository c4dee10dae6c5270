//! Tests of captures: reading, writing, invalid lines, and playback.

use proptest::prelude::*;
use tabiya_types::Observation;

use super::*;
use crate::laws;

const GOOD: &str = "{\"capture\":\"dgt\",\"device\":\"DGT 3000448278\"}\n\
{\"t\":0,\"tx\":\"42\"}\n\
{\"t\":120,\"rx\":\"8e0005\"}\n\
{\"t\":121,\"rx\":\"3400\"}\n\
{\"t\":500,\"rx\":\"8e00052401\",\"ch\":\"2\"}\n\
{\"t\":500,\"rx\":\"\",\"ch\":2}\n";

#[test]
fn a_capture_is_read_and_written_the_same() {
    let capture = Capture::parse(GOOD.as_bytes(), "good").expect("a good capture");
    assert_eq!(capture.header.as_ref().and_then(|header| header.device.as_deref()), Some("DGT 3000448278"));
    assert_eq!(capture.chunks.len(), 5);
    assert_eq!(capture.to_text(), GOOD);
}

#[test]
fn a_message_in_two_reads_is_told_when_it_is_whole() {
    let capture = Capture::parse(GOOD.as_bytes(), "good").expect("a good capture");
    let told: Vec<(u64, String)> = capture
        .play()
        .filter_map(|(at, event)| match event {
            BoardEvent::Observed(Observation::Square(square, piece)) => {
                Some((at.millis(), format!("{square} {}", piece.map_or('-', tabiya_types::Piece::letter))))
            }
            _ => None,
        })
        .collect();
    assert_eq!(told, [(121, "e2 -".to_owned()), (500, "e4 P".to_owned())]);
}

#[test]
fn a_wrong_line_is_named_with_its_file_and_what_is_wrong() {
    let cases: &[(&str, &str)] = &[
        ("{\"t\":1,\"rx\":\"8\"}", "cap:1: `8` is not hexadecimal"),
        ("{\"t\":1,\"rx\":\"8g\"}", "cap:1: `8g` is not hexadecimal"),
        ("{\"t\":1,\"rx\":\"+8\"}", "cap:1: `+8` is not hexadecimal"),
        ("{\"t\":1,\"rx\":\"é\"}", "cap:1: `é` is not hexadecimal"),
        (
            "{\"t\":5,\"rx\":\"\"}\n{\"t\":4,\"rx\":\"\"}",
            "cap:2: the time `t` is 4, but the line above has 5",
        ),
        ("{\"rx\":\"40\"}", "cap:1: the time `t` is missing"),
        ("{\"t\":1}", "cap:1: a line must have either"),
        ("{\"t\":1,\"rx\":\"\",\"tx\":\"\"}", "cap:1: a line must have either"),
        ("{\"t\":-1,\"rx\":\"\"}", "cap:1: not a line of a capture file"),
        ("{\"t\":1,\"rx\":\"\",\"note\":1}", "cap:1: not a line of a capture file"),
        ("{\"t\":1,\"t\":2,\"rx\":\"\"}", "cap:1: not a line of a capture file"),
        ("{\"t\":9007199254740992,\"rx\":\"\"}", "cap:1: the time `t` is 9007199254740992"),
        ("{\"t\":1,\"rx\":\"\"}\n\n", "cap:2: not a line of a capture file"),
        (
            "{\"t\":1,\"rx\":\"\"}\n{\"capture\":\"dgt\"}",
            "cap:2: only the first line of a capture file may be a header",
        ),
        ("{\"capture\":\"x\"}", "cap:1: a capture file of a `x` board cannot be played back"),
        ("{\"capture\":\"dgt\",\"t\":1,\"rx\":\"\"}", "cap:1: not a line of a capture file"),
        ("[]", "cap:1: not a line of a capture file"),
        ("play", "cap:1: not a line of a capture file"),
    ];
    for (text, start) in cases {
        let error = Capture::parse(text.as_bytes(), "cap").expect_err(text).to_string();
        assert!(error.starts_with(start), "{text}: {error}");
    }
    let error = Capture::parse(b"{\"t\":1,\"rx\":\"\"}\n\xFF", "cap").expect_err("no text");
    assert!(error.to_string().starts_with("cap:2: this is not text"));
    assert!(
        Capture::read(Path::new("/no/such/file")).expect_err("no file").to_string().contains("/no/such/file")
    );
}

#[test]
fn a_writer_appends_and_gives_a_new_file_its_header() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.jsonl");
    let header = CaptureHeader { capture: "dgt".to_owned(), device: None };
    for at in [7, 3] {
        let mut writer = CaptureWriter::append(&path, &header).expect("a file");
        writer.write(Instant::from_millis(at), Direction::FromDevice, &[0x8E, 0x0A]).expect("a line");
        writer.write(Instant::from_millis(at - 1), Direction::ToDevice, b"B").expect("a line");
    }
    let text = std::fs::read_to_string(&path).expect("the file");
    let first = "{\"capture\":\"dgt\"}\n{\"t\":7,\"rx\":\"8e0a\"}\n{\"t\":7,\"tx\":\"42\"}\n";
    // The times of the second recording continue from the last time of the first recording.
    let second = "{\"t\":10,\"rx\":\"8e0a\"}\n{\"t\":10,\"tx\":\"42\"}\n";
    assert_eq!(text, format!("{first}{second}"));
    std::fs::write(&path, "{\"t\":1,\"rx\":\"8e").expect("a torn file");
    let error = CaptureWriter::append(&path, &header).err().expect("no capture");
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
}

fn chunk() -> impl Strategy<Value = Chunk> {
    let channel = prop_oneof![
        3 => Just(None),
        1 => any::<u64>().prop_map(|number| Some(Channel::Number(number))),
        1 => "\\PC{0,5}".prop_map(|name| Some(Channel::Name(name))),
    ];
    (any::<bool>(), channel, proptest::collection::vec(any::<u8>(), 0..20)).prop_map(
        |(from, channel, bytes)| {
            let direction = if from { Direction::FromDevice } else { Direction::ToDevice };
            Chunk { at: Instant::ZERO, direction, channel, bytes }
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_as_the_same(chunks in proptest::collection::vec((chunk(), 0_u64..3000), 0..20)) {
        let mut at = Instant::ZERO;
        let mut capture = Capture::default();
        for (chunk, pause) in chunks {
            at = at + tabiya_types::Millis(pause);
            capture.chunks.push(Chunk { at, ..chunk });
        }
        let text = capture.to_text();
        prop_assert_eq!(Capture::parse(text.as_bytes(), "x").ok(), Some(capture));
        laws::capture_law(text.as_bytes());
    }
}

#[test]
fn a_capture_from_a_wire_with_several_boards_is_about_the_one_that_was_asked() {
    use tabiya_types::Board;

    use crate::makers::dgt::codec::DgtMessage;
    use crate::makers::dgtbus::codec::{Answer, AnswerContent, BusQuestion};
    let whole = |address, board: &str| {
        let board = board.parse().expect("a board");
        Answer { address, content: AnswerContent::SingleMode(DgtMessage::Dump(board)) }.to_bytes()
    };
    let (own, others) = ("8/8/8/8/8/8/8/K7", "8/8/8/8/8/8/8/7k");
    let chunks = [
        (Direction::ToDevice, BusQuestion::Ping.to_bytes(1026)),
        (Direction::FromDevice, whole(1026, others)),
        (Direction::ToDevice, BusQuestion::Board.to_bytes(1025)),
        (Direction::FromDevice, whole(1026, others)),
        (Direction::FromDevice, whole(1025, own)),
    ];
    let chunk = |(direction, bytes)| Chunk { at: Instant::ZERO, direction, channel: None, bytes };
    let header = Some(CaptureHeader { capture: "dgtbus".to_owned(), device: None });
    let capture = Capture { header, chunks: chunks.into_iter().map(chunk).collect() };
    let boards: Vec<Board> = capture
        .play()
        .filter_map(|(_, event)| match event {
            BoardEvent::Observed(tabiya_types::Observation::Whole(board)) => Some(board),
            _ => None,
        })
        .collect();
    assert_eq!(boards, [own.parse().expect("a board")]);
}
