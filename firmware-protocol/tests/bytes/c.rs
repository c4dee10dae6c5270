//! Compares the implementations in C and in Rust, byte for byte. The inputs are the test vectors, random frames,
//! damaged streams, and random events on a link. The tests need a C compiler named `cc`, like the rest of the build.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::support::{lines, numbers, told, vectors, wire, words};
use firmware_protocol::{
    AntennaTag, Can, Frame, FrameDamage, FrameKind, FrameLink, Hello, LeverSide, Message, Received,
    SquareContent,
};

/// Builds `tests/check.c`, sends these lines to the program, and returns its answer to each line.
fn c_says(name: &str, lines: &[String]) -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let library = folder.join("src");
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("check-{name}"));
    let built = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1"])
        .arg("-o")
        .arg(&program)
        .arg("-I")
        .arg(&library)
        .args([folder.join("tests/check.c"), library.join("tabiya.c")])
        .status();
    assert!(built.expect("a C compiler is there").success());
    let mut child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = lines.join("\n") + "\n";
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    writer.join().unwrap().unwrap();
    let answers: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), lines.len());
    answers
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        write!(text, "{byte:02X}").unwrap();
    }
    text
}

/// The answer that `check.c` must give to a `decode` line with these bytes.
fn in_words(bytes: &[u8]) -> String {
    let mut words = String::new();
    for one in told(bytes) {
        match one {
            Ok(frame) => {
                let (sequence, kind) = (frame.sequence(), frame.kind().byte());
                write!(words, "frame {sequence:02X} {kind:02X} {};", hex(frame.payload())).unwrap();
            }
            Err(FrameDamage::Noise) => words.push_str("noise;"),
            Err(FrameDamage::Version(version)) => write!(words, "version {version};").unwrap(),
            Err(FrameDamage::Length(length)) => write!(words, "length {length};").unwrap(),
            Err(FrameDamage::Checksum) => words.push_str("checksum;"),
        }
    }
    words
}

fn random_frame(seed: u32) -> Frame {
    let mut bytes = numbers(seed);
    let (sequence, kind) = (bytes.next().unwrap(), bytes.next().unwrap());
    let length = usize::from(bytes.next().unwrap()) % 65;
    let payload: Vec<u8> = bytes.take(length).collect();
    Frame::new(sequence, FrameKind::from_byte(kind), &payload).unwrap()
}

#[test]
fn both_write_and_read_the_same_frames() {
    let frames: Vec<Frame> =
        vectors().into_iter().map(|vector| vector.frame).chain((0..2_000).map(random_frame)).collect();
    let encode = |frame: &Frame| {
        let (sequence, kind) = (frame.sequence(), frame.kind().byte());
        format!("encode {sequence:02X} {kind:02X} {}", hex(frame.payload()))
    };
    let decode = |frame: &Frame| format!("decode {}", hex(&wire(frame)));
    let questions: Vec<String> = frames.iter().flat_map(|frame| [encode(frame), decode(frame)]).collect();
    for (frame, answers) in frames.iter().zip(c_says("frames", &questions).chunks(2)) {
        assert_eq!(answers, [hex(&wire(frame)), in_words(&wire(frame))]);
    }
}

/// The first part of the answer that `check.c` must give to a `read` line with this message: its kind and fields.
fn fields(message: &Message) -> String {
    let flag = |yes: bool| u8::from(yes);
    match *message {
        Message::Hello(hello) => {
            let Hello { messages, asks, takes, can, name } = hello;
            format!("hello {messages} {} {takes} {:X} {}", flag(asks), can.0, hex(name.as_bytes()))
        }
        Message::Heartbeat => "heartbeat".to_owned(),
        Message::Ack(number) => format!("ack {number}"),
        Message::Square { square, content } => format!("square {square} {}", content.byte()),
        Message::Board(contents) => format!("board {}", hex(&contents.map(SquareContent::byte))),
        Message::Press(side) => format!("press {}", flag(side == LeverSide::Right)),
        Message::Button { number, down } => format!("button {number} {}", flag(down)),
        Message::Tag { antenna, tag: AntennaTag::Gone } => format!("tag {antenna} 0"),
        Message::Tag { antenna, tag: AntennaTag::There { uid, ndef } } => {
            format!("tag {antenna} 1 {} {}", hex(uid), ndef.unwrap_or(0xFFFF))
        }
        Message::Tag { antenna, tag: AntennaTag::Several } => format!("tag {antenna} 2"),
        Message::Tag { antenna, tag: AntennaTag::NoReader } => format!("tag {antenna} 3"),
        Message::Ndef { antenna, offset, bytes } => format!("ndef {antenna} {offset} {}", hex(bytes)),
        Message::Battery { percent, charging, low } => {
            format!("battery {} {} {}", percent.unwrap_or(255), flag(charging), flag(low))
        }
        Message::Lamps(lamps) => {
            let glows = (0..64).map(|square| format!("{:X}", lamps.at(square).bits()));
            format!("lamps {}", glows.collect::<String>())
        }
        Message::Display { line, text } => format!("display {line} {}", hex(text.as_bytes())),
        Message::Beep(millis) => format!("beep {millis}"),
        Message::Refresh(what) => format!("refresh {}", what.0),
        Message::Other { kind, payload } => format!("other {kind} {}", hex(payload)),
    }
}

/// A random frame of a known kind. Its payload is often valid and often invalid.
fn likely_frame(seed: u32) -> Frame {
    let mut dice = words(seed * 2 + 1);
    let mut roll = |below: u32| u8::try_from(dice.next().unwrap() % below).unwrap();
    let kinds = vectors();
    let vector = &kinds[usize::from(roll(32)) % kinds.len()];
    let mut payload = vector.frame.payload().to_vec();
    for _ in 0..roll(4) {
        match (roll(4), payload.len()) {
            (0, _) => payload.truncate(usize::from(roll(65))),
            (1, 0..64) => payload.push(roll(256)),
            (_, 0) => {}
            (_, length) => payload[usize::from(roll(256)) % length] = roll(256),
        }
    }
    Frame::new(roll(256), vector.frame.kind(), &payload).unwrap()
}

#[test]
fn both_write_and_read_the_same_messages() {
    let all: Vec<Frame> = vectors()
        .into_iter()
        .map(|vector| vector.frame)
        .chain((0..2_000).map(random_frame))
        .chain((0..20_000).map(likely_frame))
        .collect();
    let question = |frame: &Frame| format!("read {:02X} {}", frame.kind().byte(), hex(frame.payload()));
    let questions: Vec<String> = all.iter().map(question).collect();
    let (mut said, mut nothing) = (0, 0);
    for (frame, answer) in all.iter().zip(c_says("messages", &questions)) {
        let wanted = if let Some(message) = Message::read(frame) {
            said += 1;
            let again = message.frame(0).map_or("-".to_owned(), |frame| hex(frame.payload()));
            format!("{};{again}", fields(&message))
        } else {
            nothing += 1;
            "-".to_owned()
        };
        assert_eq!(answer, wanted, "{frame:?}");
    }
    assert!(said > 5_000 && nothing > 1_000, "{said} say something, {nothing} nothing");
}

#[test]
fn both_tell_the_same_of_damaged_streams() {
    let mut streams: Vec<Vec<u8>> = lines(include_str!("../../vectors/streams.txt"))
        .into_iter()
        .map(|columns| crate::support::hex(columns[1]))
        .collect();
    let all: Vec<u8> = vectors().into_iter().flat_map(|vector| vector.bytes).collect();
    for seed in 0..500 {
        let mut stream = all.clone();
        let mut dice = words(seed * 2 + 1);
        for _ in 0..dice.next().unwrap() % 40 {
            let at = usize::try_from(dice.next().unwrap()).unwrap() % stream.len();
            match dice.next().unwrap() % 3 {
                0 => drop(stream.remove(at)),
                1 => stream.insert(at, stream[at]),
                _ => stream[at] ^= 1 << (dice.next().unwrap() % 8),
            }
        }
        streams.push(stream);
    }
    let questions: Vec<String> = streams.iter().map(|stream| format!("decode {}", hex(stream))).collect();
    for (stream, answer) in streams.iter().zip(c_says("streams", &questions)) {
        assert_eq!(answer, in_words(stream));
    }
}

/// Performs a random event on `link`. Appends to `questions` the line that makes `check.c` perform the same event, and
/// to `wanted` the answer of the Rust code.
fn happens(link: &mut FrameLink<4>, roll: u32, questions: &mut Vec<String>, wanted: &mut Vec<String>) {
    let sent = |frame: Option<Frame>| frame.map_or("-".to_owned(), |frame| hex(&wire(&frame)));
    let byte = roll.to_le_bytes()[3];
    let (question, answer) = match roll % 16 {
        0 => {
            let hello = Hello { messages: 1, asks: byte % 2 == 1, takes: 64, can: Can(roll), name: "demo" };
            (format!("hello {} {roll:X} demo", byte % 2), sent(link.hello(&hello)))
        }
        1..=4 => {
            let message = Message::Other { kind: 0x70, payload: &[byte] };
            (format!("send 70 {byte:02X}"), sent(link.send(&message).ok()))
        }
        5 => ("beat".to_owned(), sent(link.heartbeat())),
        6 => {
            let again = link.resend();
            let all: String = link.waiting().iter().map(|frame| hex(&wire(frame))).collect();
            ("resend".to_owned(), if again { all } else { "-".to_owned() })
        }
        heard => {
            let near = link.waiting().first().map_or(byte, Frame::sequence).wrapping_add(byte % 5);
            let hello = Hello { messages: 1, asks: byte % 2 == 1, takes: 64, can: Can(0), name: "h\u{e9}" };
            let frame = match heard {
                7 => Message::Hello(hello).frame(byte % 8),
                8 => Message::Heartbeat.frame(byte % 8),
                9 | 10 => Message::Ack(near).frame(0),
                11 => Frame::new(byte % 8, FrameKind::Hello, &[1, 1, 31, 0, 0, 0, 0, 0]),
                _ => Message::Other { kind: 0x20, payload: &[] }.frame(byte % 8),
            };
            let frame = frame.unwrap();
            let (heard, ack) = link.hear(&frame);
            let word = match heard {
                Received::Nothing => "nothing",
                Received::Take => "take",
                Received::Hello { asks: true } => "asked",
                Received::Hello { asks: false } => "answered",
                Received::Lost => "lost",
            };
            (format!("hear {}", hex(&wire(&frame))), format!("{word} {}", sent(ack)))
        }
    };
    questions.push(question);
    wanted.push(answer);
}

#[test]
fn both_keep_the_same_numbers_whatever_happens() {
    let (mut questions, mut wanted) = (Vec::new(), Vec::new());
    for seed in 0..200 {
        let mut link = FrameLink::<4>::new();
        questions.push("meet".to_owned());
        wanted.push(String::new());
        for roll in words(seed * 2 + 1).take(100) {
            happens(&mut link, roll, &mut questions, &mut wanted);
        }
    }
    let takes = wanted.iter().filter(|answer| answer.starts_with("take")).count();
    assert!(takes > 200, "{takes}");
    for (nth, (answer, wanted)) in c_says("numbers", &questions).iter().zip(&wanted).enumerate() {
        assert_eq!(answer, wanted, "line {nth}: {}", questions[nth]);
    }
}
