//! Checks that the Rust implementation passes the test vectors in `vectors/`.

use crate::support::{in_words, lines, told, vectors, wire};
use firmware_protocol::laws::round_trip;
use firmware_protocol::{
    AntennaTag, Can, Frame, FrameKind, Hello, LONGEST_PAYLOAD, LampReason, Lamps, LeverSide, Message,
    PieceRole, Refresh, SquareContent,
};

/// The NDEF message of a card: “tabiya.example:card”, version 1, and the id 00112233445566778899AABBCCDDEEFF.
const NDEF: [u8; 39] =
    *b"\xD4\x13\x11tabiya.example:card\x01\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xAA\xBB\xCC\xDD\xEE\xFF";

fn start() -> [SquareContent; 64] {
    use PieceRole::{Bishop, King, Knight, Pawn, Queen, Rook};
    let mut squares = [SquareContent::Empty; 64];
    for (file, role) in [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook].into_iter().enumerate() {
        squares[file] = SquareContent::White(role);
        squares[8 + file] = SquareContent::White(Pawn);
        squares[48 + file] = SquareContent::Black(Pawn);
        squares[56 + file] = SquareContent::Black(role);
    }
    squares
}

fn lamps() -> Lamps {
    let mut lamps = Lamps::default();
    let lit = [
        (0, LampReason::May),
        (1, LampReason::Missing),
        (12, LampReason::Last),
        (28, LampReason::Last),
        (60, LampReason::Check),
        (63, LampReason::Wrong),
    ];
    for (square, glow) in lit {
        lamps.set(square, glow);
    }
    lamps
}

/// The messages in the frames of `vectors/frames.txt`, each with its name and sequence.
fn meanings() -> Vec<(&'static str, u8, Message<'static>)> {
    let hello = Hello { messages: 1, asks: true, takes: 64, can: Can(0), name: "Tabiya" };
    let demo = Can::FEELS_SQUARES.and(Can::LEVER).and(Can::TAGS).and(Can::LAMPS);
    let can = demo.and(Can::DISPLAY).and(Can::BATTERY);
    let tag = |antenna, tag| Message::Tag { antenna, tag };
    let there = |antenna, uid, ndef| tag(antenna, AntennaTag::There { uid, ndef });
    vec![
        ("hello-ask", 0, Message::Hello(hello)),
        ("hello-answer", 7, Message::Hello(Hello { asks: false, takes: 48, can, name: "demo", ..hello })),
        (
            "hello-later",
            7,
            Message::Hello(Hello { messages: 9, asks: false, can: Can(0x8000_0001), name: "x", ..hello }),
        ),
        ("heartbeat", 1, Message::Heartbeat),
        ("ack", 2, Message::Ack(7)),
        ("square-empty", 3, Message::Square { square: 12, content: SquareContent::Empty }),
        ("square-pawn", 4, Message::Square { square: 28, content: SquareContent::White(PieceRole::Pawn) }),
        ("square-something", 5, Message::Square { square: 63, content: SquareContent::Something }),
        ("board-start", 6, Message::Board(start())),
        ("press-left", 254, Message::Press(LeverSide::Left)),
        ("press-right", 255, Message::Press(LeverSide::Right)),
        ("button-down", 0, Message::Button { number: 2, down: true }),
        ("button-up", 1, Message::Button { number: 2, down: false }),
        ("tag-gone", 2, tag(0, AntennaTag::Gone)),
        ("tag-4", 3, there(0, &[0xDE, 0xAD, 0xBE, 0xEF], None)),
        ("tag-7", 4, there(0, &[0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0x80, 0x01], Some(39))),
        ("tag-10", 5, there(15, b"\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99", Some(0))),
        ("tag-several", 6, tag(1, AntennaTag::Several)),
        ("tag-no-reader", 7, tag(1, AntennaTag::NoReader)),
        ("ndef-first", 8, Message::Ndef { antenna: 0, offset: 0, bytes: &NDEF[..28] }),
        ("ndef-rest", 9, Message::Ndef { antenna: 0, offset: 28, bytes: &NDEF[28..] }),
        ("ndef-far", 10, Message::Ndef { antenna: 0, offset: 888, bytes: &[0xA5, 0xA5] }),
        ("battery", 11, Message::Battery { percent: Some(85), charging: true, low: false }),
        ("battery-low", 12, Message::Battery { percent: None, charging: false, low: true }),
        ("lamps", 13, Message::Lamps(lamps())),
        ("lamps-dark", 14, Message::Lamps(Lamps::default())),
        ("display", 15, Message::Display { line: 0, text: "ruhe, Ümit" }),
        ("display-clear", 16, Message::Display { line: 1, text: "" }),
        ("beep", 17, Message::Beep(500)),
        ("refresh", 18, Message::Refresh(Refresh(3))),
        ("unknown-counted", 19, Message::Other { kind: 0x7F, payload: &[0xA5, 0xA5] }),
        ("unknown-uncounted", 19, Message::Other { kind: 0x0F, payload: &[] }),
    ]
}

#[test]
fn every_frame_of_the_vectors_is_written_and_read() {
    let vectors = vectors();
    assert_eq!(vectors.len(), meanings().len());
    for (vector, (name, sequence, message)) in vectors.iter().zip(meanings()) {
        assert_eq!(vector.name, name);
        assert_eq!(wire(&vector.frame), vector.bytes, "{name}");
        assert_eq!(told(&vector.bytes), [Ok(vector.frame)], "{name}");
        assert_eq!(vector.frame.sequence(), sequence, "{name}");
        assert_eq!(Message::read(&vector.frame), Some(message), "{name}");
        // The frame `hello-later` has additional bytes of a later version, which this version cannot write.
        if name != "hello-later" {
            assert_eq!(message.frame(sequence), Some(vector.frame), "{name}");
        }
        round_trip(&vector.frame);
    }
}

#[test]
fn every_stream_of_the_vectors_is_told_as_it_says() {
    let streams = lines(include_str!("../../vectors/streams.txt"));
    assert!(streams.len() > 8);
    for stream in streams {
        let [name, bytes, words] = stream[..] else { panic!("{stream:?}") };
        assert_eq!(in_words(&told(&crate::support::hex(bytes))), words, "{name}");
    }
}

#[test]
fn the_page_has_every_kind_that_is_known() {
    let page = include_str!("../../README.md");
    for byte in 0..=255 {
        let known = !matches!(FrameKind::from_byte(byte), FrameKind::Other(_));
        assert_eq!(page.contains(&format!("\n| `{byte:02X}` | ")), known, "kind {byte:02X}");
    }
}

#[test]
fn a_payload_that_ends_too_soon_says_nothing_and_a_longer_one_says_the_same() {
    for vector in vectors() {
        let payload = vector.frame.payload();
        let said = Message::read(&vector.frame);
        if let Some(Message::Other { .. }) = said {
            continue;
        }
        for len in 0..payload.len() {
            let cut = Frame::new(0, vector.frame.kind(), &payload[..len]).unwrap();
            let read = Message::read(&cut);
            // The frame `hello-later` ends with additional bytes of a later protocol version. If only these bytes are
            // cut off, the message is still complete.
            assert!(read.is_none() || (vector.name == "hello-later" && read == said), "{}", vector.name);
        }
        if payload.len() < LONGEST_PAYLOAD {
            let longer = [payload, &[0x5A]].concat();
            let longer = Frame::new(0, vector.frame.kind(), &longer).unwrap();
            assert_eq!(Message::read(&longer), said, "{}", vector.name);
        }
    }
}

#[test]
fn what_has_no_meaning_is_not_understood() {
    let read = |kind, payload: &[u8]| Message::read(&Frame::new(0, kind, payload).unwrap()).is_some();
    assert!(!read(FrameKind::Square, &[64, 0]), "there are 64 squares");
    assert!(!read(FrameKind::Square, &[0, 13]), "there are twelve pieces");
    assert!(!read(FrameKind::Board, &[99; 64]), "99 is no content of a square");
    assert!(!read(FrameKind::Press, &[2]), "a lever has two sides");
    assert!(!read(FrameKind::Tag, &[0, 1, 5, 1, 2, 3, 4, 5, 0, 0]), "no UID has five bytes");
    assert!(!read(FrameKind::Tag, &[0, 4]), "the tag states are 0 to 3");
    assert!(!read(FrameKind::Battery, &[101, 0]), "more than 100 percent");
    assert!(!read(FrameKind::Display, &[0, 1, 0xFF]), "the text is not UTF-8");
    assert!(!read(FrameKind::Hello, &[1, 0, 31, 0, 0, 0, 0, 0]), "31 bytes are too few for a lamps message");
}

#[test]
fn texts_that_are_too_long_make_no_frame() {
    let long = "x".repeat(63);
    assert!(Message::Display { line: 0, text: &long[..62] }.frame(0).is_some());
    assert_eq!(Message::Display { line: 0, text: &long }.frame(0), None);
    assert!(Message::Ndef { antenna: 0, offset: 0, bytes: &[0; 60] }.frame(0).is_some());
    assert_eq!(Message::Ndef { antenna: 0, offset: 0, bytes: &[0; 61] }.frame(0), None);
    let hello = Hello { messages: 1, asks: true, takes: 64, can: Can(0), name: &long[..56] };
    assert!(Message::Hello(hello).frame(0).is_some());
    assert_eq!(Message::Hello(Hello { name: &long[..57], ..hello }).frame(0), None);
}
