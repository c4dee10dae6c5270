//! Helpers of this crate's tests: bytes, random numbers and vectors.
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses what it needs")]

use firmware_protocol::{Frame, FrameDamage, FrameDecoder, FrameKind, LONGEST_FRAME, encode};

/// The bytes of a frame.
pub(crate) fn wire(frame: &Frame) -> Vec<u8> {
    let mut out = [0; LONGEST_FRAME];
    let len = encode(frame, &mut out).unwrap();
    out[..len].to_vec()
}

/// All frames and all damage that a new decoder finds in these bytes.
pub(crate) fn told(bytes: &[u8]) -> Vec<Result<Frame, FrameDamage>> {
    hear(&mut FrameDecoder::new(), bytes)
}

/// All frames and all damage that this decoder finds in these bytes.
pub(crate) fn hear(decoder: &mut FrameDecoder, bytes: &[u8]) -> Vec<Result<Frame, FrameDamage>> {
    let mut told = Vec::new();
    for byte in bytes {
        told.extend(decoder.push(*byte));
        told.extend(std::iter::from_fn(|| decoder.more()));
    }
    told
}

/// Pseudo-random bytes, the same on every machine.
pub(crate) fn numbers(seed: u32) -> impl Iterator<Item = u8> {
    words(seed).map(|n| n.to_le_bytes()[1])
}

/// Pseudo-random 32-bit numbers, the same on every machine.
pub(crate) fn words(seed: u32) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(seed | 1), |n| {
        let n = n ^ n << 13;
        let n = n ^ n >> 17;
        Some(n ^ n << 5)
    })
    .skip(8)
}

/// A line of `vectors/frames.txt`.
pub(crate) struct Vector {
    pub(crate) name: String,
    pub(crate) frame: Frame,
    pub(crate) bytes: Vec<u8>,
}

/// The lines of a file in `vectors/`, split into columns.
pub(crate) fn lines(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('|').map(str::trim).collect()).collect()
}

/// Parses bytes in the notation of the files in `vectors/`.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// Writes bytes in the notation of the files in `vectors/`.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// All frames of `vectors/frames.txt`.
pub(crate) fn vectors() -> Vec<Vector> {
    let line = |columns: Vec<&str>| {
        let [name, sequence, kind, payload, bytes, _] = columns[..] else { panic!("{columns:?}") };
        let kind = FrameKind::from_byte(u8::from_str_radix(kind, 16).unwrap());
        let frame = Frame::new(sequence.parse().unwrap(), kind, &hex(payload)).unwrap();
        Vector { name: name.to_owned(), frame, bytes: hex(bytes) }
    };
    lines(include_str!("../../vectors/frames.txt")).into_iter().map(line).collect()
}

/// Writes frames and damage in the notation of `vectors/streams.txt`.
pub(crate) fn in_words(told: &[Result<Frame, FrameDamage>]) -> String {
    let vectors = vectors();
    let word = |told: &Result<Frame, FrameDamage>| match told {
        Ok(frame) => {
            let name = vectors.iter().find(|vector| vector.frame == *frame).map(|vector| &*vector.name);
            format!("frame {}", name.unwrap_or("unknown"))
        }
        Err(FrameDamage::Noise) => "noise".to_owned(),
        Err(FrameDamage::Version(version)) => format!("version {version}"),
        Err(FrameDamage::Length(length)) => format!("length {length}"),
        Err(FrameDamage::Checksum) => "checksum".to_owned(),
    };
    told.iter().map(word).collect::<Vec<_>>().join(", ")
}
