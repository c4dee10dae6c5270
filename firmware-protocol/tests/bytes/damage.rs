//! Tests the decoder with a million damaged frames. No damaged frame may be read as a different frame, and every
//! frame that follows a damaged one must be read.
//!
//! The test takes only seconds, because the workspace's `Cargo.toml` optimises this crate in test builds too.

use crate::support::{hear, wire, words};
use firmware_protocol::{Frame, FrameDecoder, FrameKind, LONGEST_FRAME, LeverSide, Message};

const DAMAGED: u32 = 1_000_000;

/// A random frame of any kind and length. About half of its payload bytes equal one of the two bytes with which every
/// frame begins.
fn any_frame(dice: &mut impl Iterator<Item = u32>) -> Frame {
    let mut roll = || dice.next().unwrap().to_le_bytes();
    let [sequence, kind, length, _] = roll();
    let payload: Vec<u8> = (0..length % 65)
        .map(|_| match roll() {
            [0..=63, ..] => 0xA5,
            [64..=127, ..] => 1,
            [_, byte, ..] => byte,
        })
        .collect();
    Frame::new(sequence, FrameKind::from_byte(kind), &payload).unwrap()
}

/// Damages a frame one to four times: flips a bit, or loses or doubles a byte.
fn damaged(bytes: &[u8], dice: &mut impl Iterator<Item = u32>) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let times = dice.next().unwrap() >> 8 & 3;
    for _ in 0..=times {
        let roll = dice.next().unwrap();
        let at = usize::try_from(roll >> 8).unwrap() % bytes.len();
        match roll % 4 {
            0 => drop(bytes.remove(at)),
            1 => bytes.insert(at, bytes[at]),
            _ => bytes[at] ^= 1 << (roll >> 4 & 7),
        }
    }
    bytes
}

#[test]
fn no_damaged_frame_of_a_million_is_taken_for_another_and_none_behind_it_is_lost() {
    let mut dice = words(20_261_122);
    let mut decoder = FrameDecoder::new();
    let (mut whole, mut most) = (0_u32, 0);
    for number in 0..DAMAGED {
        let frame = any_frame(&mut dice);
        let good = wire(&frame);
        let bytes = damaged(&good, &mut dice);
        let next = Message::Press(LeverSide::Left).frame(number.to_le_bytes()[0]).unwrap();
        // The bytes may still contain the whole frame: its first byte was doubled, or its last byte was lost and
        // the next frame begins with the same byte.
        if [&bytes[..], &wire(&next)].concat().windows(good.len()).any(|part| part == good) {
            whole += 1;
            continue;
        }
        let mut told: Vec<Frame> = hear(&mut decoder, &bytes).into_iter().flatten().collect();
        // Sends undamaged frames until the decoder holds no more bytes.
        let mut sent = 0;
        while sent == 0 || decoder.in_frame() {
            told.extend(hear(&mut decoder, &wire(&next)).into_iter().flatten());
            sent += 1;
            assert!(sent <= LONGEST_FRAME, "{bytes:02X?} is never done with");
        }
        most = most.max(sent);
        assert_eq!(told, vec![next; sent], "{number}: {good:02X?} became {bytes:02X?}");
    }
    assert!(whole < DAMAGED / 20, "{whole} were not damaged at all");
    assert!(most <= 1 + LONGEST_FRAME / 10, "{most} frames came after the damage before all were read");
}
