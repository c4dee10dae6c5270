//! Tests of the codec against the worked vectors of the DGT protocol notes, and against its laws.

use proptest::prelude::*;

use super::*;
use crate::makers::dgt::laws;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace()
        .flat_map(|word| {
            let (byte, times) = word.split_once('*').unwrap_or((word, "1"));
            let byte = u8::from_str_radix(byte, 16).expect(word);
            vec![byte; times.parse().expect(word)]
        })
        .collect()
}

fn told(bytes: &[u8]) -> Vec<Result<DgtMessage, DgtDamage>> {
    let mut decoder = DgtDecoder::new();
    bytes.iter().filter_map(|byte| decoder.push(*byte)).collect()
}

/// Describes a message in one line, so that the table of vectors below is easy to read.
fn line(told: &Result<DgtMessage, DgtDamage>) -> String {
    let piece = |piece: &Option<Piece>| piece.map_or('-', Piece::letter);
    match told {
        Err(damage) => format!("damage: {damage}"),
        Ok(DgtMessage::Dump(board)) => board.to_string(),
        Ok(DgtMessage::Field { square, piece: now }) => format!("{square} {}", piece(now)),
        Ok(DgtMessage::Clock(ClockFrame { left, right, status })) => {
            let side = |time: &SideTime| {
                let marks = [(time.blocked, " blocked"), (time.bonus, " bonus"), (time.flag, " flag")];
                let marks: String = marks.iter().filter(|(on, _)| *on).map(|(_, mark)| *mark).collect();
                format!("{}{marks}", time.millis())
            };
            if !status.connected() {
                return "no clock".to_owned();
            }
            let up = if status.right_up() { "right" } else { "left" };
            let state = if status.running() { "runs" } else { "stands" };
            format!("left {}, right {}, {up} up, {state}", side(left), side(right))
        }
        Ok(DgtMessage::Ack(ack)) => format!("ack {ack:02x?}"),
        Ok(message) => format!("{message:?}"),
    }
}

#[test]
fn the_table_of_frames_from_a_board_is_understood() {
    let trademark = format!("92 01 08 {}", "41*133");
    let table: &[(&str, &str, &[&str])] = &[
        ("V01", "86 00 43 08 09 0A 0C 0B 0A 09 08 07*8 00*32 01*8 02 03 04 06 05 04 03 02", &[START]),
        (
            "V02",
            "86 00 43 02 03 04 05 06 04 03 02 01*8 00*32 07*8 08 09 0A 0B 0C 0A 09 08",
            &["RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr"],
        ),
        ("V03", "8E 00 05 34 00 8E 00 05 24 01", &["e2 -", "e4 P"]),
        ("V04", "8E 00 05 12 00 8E 00 05 19 00 8E 00 05 12 04", &["c6 -", "b5 -", "c6 B"]),
        ("V05", "8E 00 05 2D 00 8E 00 05 1C 03", &["f3 -", "e5 N"]),
        (
            "V06",
            "8E 00 05 3C 00 8E 00 05 3E 05 8E 00 05 3F 00 8E 00 05 3D 02",
            &["e1 -", "g1 K", "h1 -", "f1 R"],
        ),
        ("V07", "8E 00 05 1F 00 8E 00 05 16 01 8E 00 05 1E 00", &["h5 -", "g6 P", "g5 -"]),
        ("V08", "8E 00 05 08 00 8E 00 05 00 06", &["a7 -", "a8 Q"]),
        ("V09", "8E 00 05 12 07 8E 00 05 0A 00", &["c6 p", "c7 -"]),
        (
            "V10",
            "8E 00 05 38 00 8E 00 05 3B 02 8E 00 05 3B 00 8E 00 05 3C 02 8E 00 05 3C 00 8E 00 05 3D 02",
            &["a1 -", "d1 R", "d1 -", "e1 R", "e1 -", "f1 R"],
        ),
        ("V11", "93 00 05 03 0A", &["Version(Version { main: 3, sub: 10 })"]),
        ("V12", "91 00 08 32 33 39 34 36", &["Serial(\"23946\")"]),
        ("V13", "90 00 05 08 01", &["BusAddress(1025)"]),
        ("V14", "A2 00 0D 33 30 30 30 34 34 38 32 37 38", &["LongSerial(\"3000448278\")"]),
        (
            "V15",
            "A0 00 0C 54 7F 7F 01 1E 00 02 0F 02",
            &["Battery(Battery { percent: 84, hours_left: 127, minutes_left: 127, hours_on: 1, \
               minutes_on: 30, days_standby: 0, hours_standby: 2, minutes_standby: 15, status: 2 })"],
        ),
        ("V16", &trademark, &[&format!("Trademark(\"{}\")", "A".repeat(133))]),
        ("V17", "12 34 8E 00 05 00 00", &["damage: bytes outside any message", "a8 -"]),
        (
            "V18",
            "86 00 43 08 09 8E 00 05 34 00",
            &["damage: message 86 was cut short by the next message; missing bytes: 62", "e2 -"],
        ),
        ("V19", "8F 00 17 7F 7F 7F 6A 6F 40 34 41 24 71 29 58 40 0C 57 1C 61 30 00 6B", &["Log { len: 20 }"]),
        ("V20", "8D 00 0A 20 05 05 20 05 04 09", &["left 5:04 bonus, right 5:05 bonus, left up, runs"]),
        ("V21", "8D 00 0A 00 03 01 00 02 59 13", &["left 2:59, right 3:01, right up, runs"]),
        ("V22", "8D 00 0A 01 59 58 02 00 00 12", &["left 2:00:00, right 1:59:58, right up, stands"]),
        ("V23", "8D 00 0A 00 00 00 00 00 00 20", &["no clock"]),
        (
            "V24",
            "8D 00 0A 30 00 00 20 00 16 12",
            &["left 0:16 bonus, right 0:00 blocked bonus, right up, stands"],
        ),
        (
            "V25",
            "8D 00 0A 20 02 59 20 02 59 09 8D 00 0A 20 02 59 20 03 01 13",
            &[
                "left 2:59 bonus, right 2:59 bonus, left up, runs",
                "left 3:01 bonus, right 2:59 bonus, right up, runs",
            ],
        ),
        ("V26", "8D 00 0A 0A 10 01 0A 00 00 00", &["ack [10, 01, 00, 00]"]),
        ("V27", "8D 00 0A 0A 10 0C 0A 00 00 00", &["ack [10, 0c, 00, 00]"]),
        ("V28", "8D 00 0A 0A 10 09 0A 20 00 00", &["ack [10, 09, 20, 00]"]),
        ("V29", "8D 00 0A 0A 10 09 0A 1E 00 00", &["ack [10, 09, 1e, 00]"]),
        ("V30", "8D 00 0A 0A 40 0A 0A 00 00 00", &["ack [40, 0a, 00, 00]"]),
        ("V31", "8D 00 0A 0A 10 08 2A 05 31 00", &["ack [10, 88, 05, 31]"]),
        ("V32", "8D 00 0A 0A 10 08 2A 11 33 00", &["ack [10, 88, 11, 33]"]),
        ("V33", "8D 00 0A 0A 10 01 2A 00 00 00", &["ack [10, 81, 00, 00]"]),
        ("V34", "8D 00 0A 0A 10 0A 2A 00 17 00", &["ack [10, 8a, 00, 17]"]),
        ("V35", "8D 00 0A 3A 10 08 3A 25 35 00", &["ack [90, 88, a5, b5]"]),
    ];
    for (name, hex, lines) in table {
        let wire = bytes(hex);
        let understood = told(&wire);
        assert_eq!(understood.iter().map(line).collect::<Vec<_>>(), *lines, "{name}");
        let written: Vec<u8> = understood.iter().flatten().flat_map(DgtMessage::to_bytes).collect();
        // Damaged messages and the content of a log are not stored, so they cannot be encoded again.
        if !matches!(*name, "V17" | "V18" | "V19") {
            assert_eq!(written, wire, "{name} written again");
        }
    }
}

#[test]
fn the_table_of_commands_is_written_and_read() {
    let xl =
        |icons, beep| DgtCommand::Clock(ClockCommand::Xl(XlText { icons, ..XlText::new("  e2e4", beep) }));
    let set = |left, right, flags| {
        let (left, right) = (SideSetting::from_secs(left), SideSetting::from_secs(right));
        DgtCommand::Clock(ClockCommand::SetAndRun(SetAndRun { left, right, flags }))
    };
    let table = [
        ("V40", "2B 03 03 09 00", DgtCommand::Clock(ClockCommand::Version)),
        ("V41", "2B 0B 03 01 7B 00 00 66 7B 5B 00 03 00", xl(0, true)),
        ("V42", "2B 0B 03 01 7B 00 00 66 7B 5B 08 01 00", xl(0x08, false)),
        (
            "V43",
            "2B 0C 03 0C 65 32 2D 65 34 20 20 20 03 00",
            DgtCommand::Clock(ClockCommand::text_3000("e2-e4", 3)),
        ),
        (
            "V44",
            "2B 0F 03 0D 4E 66 33 20 64 35 20 20 20 20 20 03 00",
            DgtCommand::Clock(ClockCommand::TextRevelation { text: *b"Nf3 d5     ", beep: 3 }),
        ),
        ("V45", "2B 0A 03 0A 00 05 00 00 04 3B 01 00", set(300, 299, SetAndRun::LEFT_RUNS)),
        ("V46", "2B 0A 03 0A 01 1E 00 01 1D 1E 02 00", set(5400, 5370, SetAndRun::RIGHT_RUNS)),
        ("V47", "2B 0A 03 0A 00 05 00 00 05 00 04 00", set(300, 300, SetAndRun::PAUSE)),
        ("V48", "2B 04 03 0B 10 00", DgtCommand::Clock(ClockCommand::Beep(16))),
        ("V49", "2B 03 03 03 00", DgtCommand::Clock(ClockCommand::End)),
        (
            "icons",
            "2B 0B 03 02 01 02 03 04 10 00 00 00 00",
            DgtCommand::Clock(ClockCommand::Icons([1, 2, 3, 4, 0x10])),
        ),
        ("V50", "60 04 01 34 24 00", DgtCommand::Argued { id: 0x60, body: vec![1, 0x34, 0x24, 0] }),
        ("V60", "81 10 06 17", DgtCommand::Bus { id: 0x81, address: 2054 }),
        ("V61", "87 00 00 07", DgtCommand::Bus { id: 0x87, address: 0 }),
        ("V63", "8B 08 01 14", DgtCommand::Bus { id: 0x8B, address: 1025 }),
    ];
    for (name, hex, command) in table {
        let wire = bytes(hex);
        assert_eq!(command.to_bytes(), wire, "{name}");
        let mut decoder = DgtCommandDecoder::new();
        let read: Vec<DgtCommand> = wire.iter().filter_map(|byte| decoder.push(*byte)).collect();
        assert_eq!(read, [command], "{name}");
    }
}

#[test]
fn arguments_are_not_taken_for_commands_and_unknown_bytes_are_ignored() {
    let wire = bytes("65 02 42 42 01 7F 63 07 42 42 42 42 42 42 00 4D 81 10 06 18 45");
    let mut decoder = DgtCommandDecoder::new();
    let read: Vec<DgtCommand> = wire.iter().filter_map(|byte| decoder.push(*byte)).collect();
    let argued = |id, body: &[u8]| DgtCommand::Argued { id, body: body.to_vec() };
    let key = argued(0x63, &[0x42, 0x42, 0x42, 0x42, 0x42, 0x42, 0]);
    assert_eq!(read, [argued(0x65, &[0x42, 0x42]), key, DgtCommand::Version, DgtCommand::Serial]);
}

#[test]
fn one_low_nibble_a_is_enough_for_an_ack() {
    assert_eq!(told(&bytes("8D 00 0A 00 10 09 0A 20 00 00")), [Ok(DgtMessage::Ack([0x10, 0x09, 0x20, 0]))]);
    assert_eq!(told(&bytes("8D 00 0A 0A 10 09 00 20 00 00")), [Ok(DgtMessage::Ack([0x10, 0x09, 0x20, 0]))]);
}

#[test]
fn a_clock_of_seven_zeros_says_nothing() {
    assert_eq!(told(&bytes("8D 00 0A 00*7")), [Ok(DgtMessage::ClockBlank)]);
}

#[test]
fn a_time_that_no_clock_shows_is_damage() {
    for hex in
        ["00 60 00 00 00 00 09", "00 00 0B 00 00 00 09", "0C 00 00 00 00 00 09", "00 00 00 00 5A 00 09"]
    {
        let told = told(&bytes(&format!("8D 00 0A {hex}")));
        assert!(matches!(told.as_slice(), [Err(DgtDamage::Time { .. })]), "{hex}: {told:?}");
    }
}

#[test]
fn signal_pieces_are_signals_and_unknown_pieces_are_damage() {
    let square = square_from_wire(0x1B).expect("a square");
    for (code, signal) in [(13, Signal::Draw), (14, Signal::WhiteWins), (15, Signal::BlackWins)] {
        let wire = [ID_FIELD, 0, 5, 0x1B, code];
        assert_eq!(told(&wire), [Ok(DgtMessage::Signal { square, signal })]);
    }
    assert_eq!(told(&[ID_FIELD, 0, 5, 0x1B, 16]), [Err(DgtDamage::Piece { code: 16 })]);
    assert_eq!(told(&[ID_FIELD, 0, 5, 64, 1]), [Err(DgtDamage::Square { number: 64 })]);
    // A locked Pegasus reports all squares with 0x7F, which is not a piece code.
    assert_eq!(told(&bytes("86 00 43 7F*64")), [Err(DgtDamage::Piece { code: 0x7F })]);
    let whole = told(&bytes("86 00 43 00*27 0D 00*36"));
    let mut signals = Signals::NONE;
    signals.put(square, Signal::Draw);
    assert_eq!(whole, [Ok(DgtMessage::SignalDump(Board::EMPTY, Box::new(signals)))]);
}

#[test]
fn a_whole_log_is_skipped_by_its_length() {
    let mut wire = bytes("8F 3E 03 40*7936");
    wire.extend(bytes("8E 00 05 34 00"));
    assert_eq!(told(&wire).iter().map(line).collect::<Vec<_>>(), ["Log { len: 7936 }", "e2 -"]);
}

#[test]
fn unknown_messages_are_news_and_impossible_lengths_are_damage() {
    assert_eq!(told(&bytes("A5 00 04 01")), [Ok(DgtMessage::Other { id: 0xA5, body: vec![1] })]);
    assert_eq!(told(&bytes("B0 00 03")), [Ok(DgtMessage::Other { id: 0xB0, body: vec![] })]);
    // Tabiya cannot use a board with 10×10 squares, but its messages do not count as damage.
    assert!(matches!(told(&bytes("86 00 67 00*100")).as_slice(), [Ok(DgtMessage::Other { id: 0x86, .. })]));
    // The bytes after an impossible length belong to the same damage and are not reported again.
    assert_eq!(told(&bytes("8E 00 02 11 22 33")), [Err(DgtDamage::Length { id: 0x8E, total: 2 })]);
    assert_eq!(told(&bytes("8E 00 06 11 22 33")), [Err(DgtDamage::Length { id: 0x8E, total: 6 })]);
    assert_eq!(told(&bytes("B0 7F 7F")), [Err(DgtDamage::Length { id: 0xB0, total: 16383 })]);
}

#[test]
fn a_message_whose_rest_is_overdue_is_dropped() {
    let mut decoder = DgtDecoder::new();
    assert_eq!(decoder.patience(), None);
    for byte in bytes("86 00 43 00 00") {
        assert_eq!(decoder.push(byte), None);
    }
    // 62 bytes are missing, so the remaining bytes may take 1 s and 68 ms.
    assert_eq!(decoder.patience(), Some(Millis(1068)));
    assert_eq!(decoder.stale(Millis(1068)), None);
    assert_eq!(decoder.stale(Millis(1069)), Some(DgtDamage::Overdue { id: 0x86, missing: 62 }));
    assert_eq!(decoder.abandon(), None);
}

#[test]
fn every_letter_of_the_display_can_be_read_back() {
    assert_eq!(XlText::new("white 1", false).text(), "white ");
    assert_eq!(XlText::new("0:59", false).text(), "0 59  ");
    for letter in ('0'..='9').chain("abcdefghijklmnopqrtuvwy".chars()) {
        assert_eq!(shown_as(segments(letter)), letter);
    }
}

fn piece() -> impl Strategy<Value = Option<Piece>> {
    (0_u8..=12).prop_map(|code| match Content::from_code(code) {
        Ok(Content::Piece(piece)) => piece,
        _ => None,
    })
}

fn board() -> impl Strategy<Value = Board> {
    proptest::collection::vec(piece(), 64).prop_map(|pieces| {
        let mut board = Board::EMPTY;
        for (square, piece) in Square::all().zip(pieces) {
            board[square] = piece;
        }
        board
    })
}

fn square() -> impl Strategy<Value = Square> {
    (0_u8..64).prop_filter_map("a square", square_from_wire)
}

fn text(len: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = String> {
    proptest::collection::vec(0_u8..128, len).prop_map(|bytes| ascii(&bytes))
}

fn side_time() -> impl Strategy<Value = SideTime> {
    (0_u32..36_000, any::<(bool, bool, bool)>()).prop_map(|(secs, (blocked, bonus, flag))| SideTime {
        blocked,
        bonus,
        flag,
        ..SideTime::from_secs(secs)
    })
}

fn message() -> impl Strategy<Value = DgtMessage> {
    let two = || (0_u8..128, 0_u8..128).prop_map(|(main, sub)| Version { main, sub });
    let signal = prop_oneof![Just(Signal::Draw), Just(Signal::WhiteWins), Just(Signal::BlackWins)];
    let clock = (side_time(), side_time(), any::<(bool, bool)>()).prop_map(|(left, right, (runs, up))| {
        DgtMessage::Clock(ClockFrame { left, right, status: ClockStatus::new(runs, up) })
    });
    prop_oneof![
        board().prop_map(DgtMessage::Dump),
        (board(), square(), signal.clone()).prop_map(|(mut board, square, signal)| {
            let mut signals = Signals::NONE;
            signals.put(square, signal);
            board[square] = None;
            DgtMessage::SignalDump(board, Box::new(signals))
        }),
        (square(), piece()).prop_map(|(square, piece)| DgtMessage::Field { square, piece }),
        (square(), signal).prop_map(|(square, signal)| DgtMessage::Signal { square, signal }),
        clock,
        Just(DgtMessage::Clock(ClockFrame::ABSENT)),
        Just(DgtMessage::ClockBlank),
        any::<[u8; 4]>().prop_map(DgtMessage::Ack),
        (0_u16..16384).prop_map(DgtMessage::BusAddress),
        prop_oneof![text(5..=5), text(9..=9)].prop_map(DgtMessage::Serial),
        text(10..=10).prop_map(DgtMessage::LongSerial),
        text(0..=256).prop_map(DgtMessage::Trademark),
        two().prop_map(DgtMessage::Version),
        two().prop_map(DgtMessage::HardwareVersion),
        any::<[u8; 9]>().prop_map(|body| DgtMessage::Battery(Battery::decode(body.map(|byte| byte & 0x7F)))),
        (0_u16..=7936).prop_map(|len| DgtMessage::Log { len }),
        (0xA6_u8..=0xFF, proptest::collection::vec(0_u8..128, 0..=256))
            .prop_map(|(id, body)| DgtMessage::Other { id, body }),
        (0xA6_u8..=0xFF, 257_u16..=7936).prop_map(|(id, len)| DgtMessage::Skipped { id, len }),
    ]
}

/// Generates byte streams from a board: valid messages, messages with a lost byte, and random bytes.
fn wire() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        message().prop_map(|message| message.to_bytes()),
        message().prop_flat_map(|message| {
            let bytes = message.to_bytes();
            (0..bytes.len()).prop_map(move |lost| {
                let keep = |(at, byte): (usize, &u8)| (at != lost).then_some(*byte);
                bytes.iter().enumerate().filter_map(keep).collect::<Vec<u8>>()
            })
        }),
        proptest::collection::vec(any::<u8>(), 0..20),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// Generates byte streams from a host: clock commands with any number and length, and random bytes.
fn commands() -> impl Strategy<Value = Vec<u8>> {
    let clock = (0_u8..0x10, proptest::collection::vec(0_u8..128, 0..14)).prop_map(|(number, arguments)| {
        let size = u8::try_from(arguments.len() + 3).expect("short");
        [&[0x2B, size, 0x03, number], arguments.as_slice(), &[0]].concat()
    });
    let icons = any::<[u8; 5]>()
        .prop_map(|icons| DgtCommand::Clock(ClockCommand::Icons(icons.map(|byte| byte & 0x7F))).to_bytes());
    let piece = prop_oneof![clock, icons, proptest::collection::vec(any::<u8>(), 0..20)];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_message_that_is_written_is_read_as_the_same(message in message()) {
        let wire = message.to_bytes();
        let (first, rest) = wire.split_first().expect("a message has a first byte");
        prop_assert!(*first >= 0x80 && rest.iter().all(|byte| *byte < 0x80));
        prop_assert_eq!(told(&wire), [Ok(message)]);
    }

    #[test]
    fn whatever_arrives_the_next_message_is_understood(wire in wire()) {
        laws::decoder_law(&wire);
    }

    #[test]
    fn whatever_is_sent_the_next_command_is_understood(wire in commands()) {
        laws::command_law(&wire);
    }

    #[test]
    fn a_lost_byte_costs_one_message_at_most(messages in proptest::collection::vec(message(), 1..5), lost in any::<usize>()) {
        let mut wire: Vec<u8> = messages.iter().flat_map(DgtMessage::to_bytes).collect();
        wire.remove(lost % wire.len());
        let read: Vec<DgtMessage> = told(&wire).into_iter().flatten().collect();
        let missed = messages.iter().filter(|message| !read.contains(message)).count();
        prop_assert!(missed <= 1, "{} of {} missed", missed, messages.len());
    }
}
