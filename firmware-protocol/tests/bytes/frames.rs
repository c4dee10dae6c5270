//! Tests of the frame layer: damage, lengths and the checksum. `tests/bytes/vectors.rs` checks the test
//! vectors.

use crate::support::{numbers, told, wire};
use firmware_protocol::laws::{frame_law, link_law, round_trip};
use firmware_protocol::{
    Frame, FrameDamage, FrameKind, LONGEST_FRAME, LONGEST_PAYLOAD, TooShort, crc32, encode,
};

fn bytes_of(sequence: u8, kind: FrameKind, payload: &[u8]) -> Vec<u8> {
    wire(&Frame::new(sequence, kind, payload).unwrap())
}

#[test]
fn the_checksum_is_the_common_one() {
    assert_eq!(crc32(*b"123456789"), 0xCBF4_3926);
    assert_eq!(crc32([]), 0);
}

#[test]
fn every_length_and_every_kind_comes_back() {
    let payload: Vec<u8> = numbers(3).take(LONGEST_PAYLOAD).collect();
    for len in 0..=LONGEST_PAYLOAD {
        for kind in 0..=255 {
            let frame = Frame::new(kind, FrameKind::from_byte(kind), &payload[..len]).unwrap();
            assert_eq!(frame.kind().byte(), kind);
            round_trip(&frame);
        }
    }
    assert_eq!(Frame::new(0, FrameKind::Board, &[0; LONGEST_PAYLOAD + 1]), None);
}

#[test]
fn a_short_buffer_is_left_as_it_was() {
    let frame = Frame::new(0, FrameKind::Heartbeat, &[]).unwrap();
    let mut out = [7; 8];
    assert_eq!(encode(&frame, &mut out), Err(TooShort { need: 9 }));
    assert_eq!(out, [7; 8]);
}

#[test]
fn noise_is_told_once_and_the_frame_behind_it_is_read() {
    let mut bytes = vec![1, 2, 3];
    bytes.extend(bytes_of(5, FrameKind::Press, &[0]));
    assert_eq!(told(&bytes), [Err(FrameDamage::Noise), Ok(Frame::new(5, FrameKind::Press, &[0]).unwrap())]);
}

#[test]
fn another_version_and_an_impossible_length_are_damage() {
    assert_eq!(told(&[0xA5, 2]), [Err(FrameDamage::Version(2))]);
    assert_eq!(told(&[0xA5, 1, 65]), [Err(FrameDamage::Length(65))]);
}

#[test]
fn one_flipped_bit_anywhere_is_noticed() {
    let good = bytes_of(9, FrameKind::Square, &[28, 1]);
    for bit in 0..good.len() * 8 {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes.extend([0; LONGEST_FRAME]);
        assert!(told(&bytes).iter().all(Result::is_err), "bit {bit}");
    }
}

#[test]
fn a_lost_byte_does_not_hide_the_frames_behind_it() {
    let first = bytes_of(1, FrameKind::Board, &[0xA5; LONGEST_PAYLOAD]);
    let second = bytes_of(2, FrameKind::Square, &[28, 1]);
    for lost in 0..first.len() {
        let mut bytes = first.clone();
        bytes.remove(lost);
        bytes.extend(&second);
        bytes.extend([0; LONGEST_FRAME]);
        let frames: Vec<Frame> = told(&bytes).into_iter().flatten().collect();
        assert_eq!(frames, [Frame::new(2, FrameKind::Square, &[28, 1]).unwrap()], "byte {lost}");
    }
}

#[test]
fn after_any_bytes_a_whole_frame_is_read() {
    for seed in 0..2000 {
        let mut bytes: Vec<u8> = numbers(seed * 7 + 1).take(usize::try_from(seed % 200).unwrap()).collect();
        // Adds bytes that look like frames, because random bytes rarely look like frames.
        let at = bytes.len() / 2;
        bytes.splice(at..at, bytes_of(1, FrameKind::Press, &[1]));
        bytes.extend([0xA5, 1, u8::try_from(seed % 70).unwrap()]);
        frame_law(&bytes);
        link_law(&bytes);
    }
}
