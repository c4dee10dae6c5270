//! Tests of [`FrameLink`], also over a connection that loses, flips and doubles bytes. Every message must arrive
//! exactly once, and in order.

use std::collections::VecDeque;

use crate::support::{hear, wire, words};
use firmware_protocol::{
    Can, Frame, FrameDecoder, FrameLink, Hello, LeverSide, Message, NoRoom, Received, SquareContent,
};

const HELLO: Hello<'static> = Hello { messages: 1, asks: true, takes: 64, can: Can(0), name: "x" };

fn answer() -> Hello<'static> {
    Hello { asks: false, ..HELLO }
}

/// Two links that have exchanged hellos.
fn met() -> (FrameLink<4>, FrameLink<4>) {
    let (mut host, mut device) = (FrameLink::new(), FrameLink::new());
    let asked = device.hear(&host.hello(&HELLO).unwrap());
    assert_eq!(asked, (Received::Hello { asks: true }, None));
    assert_eq!(host.hear(&device.hello(&answer()).unwrap()), (Received::Hello { asks: false }, None));
    (host, device)
}

fn press() -> Message<'static> {
    Message::Press(LeverSide::Left)
}

#[test]
fn what_comes_in_its_turn_is_taken_once_and_acked() {
    let (mut host, mut device) = met();
    let sent = device.send(&press()).unwrap();
    let (heard, ack) = host.hear(&sent);
    assert_eq!(heard, Received::Take);
    // The ack is lost, so the frame is sent again.
    let (heard, again) = host.hear(&device.waiting()[0]);
    assert_eq!((heard, again), (Received::Nothing, ack));
    device.hear(&ack.unwrap());
    assert_eq!(device.waiting(), []);
}

#[test]
fn nothing_is_taken_out_of_turn_and_an_ack_stands_for_all_before_it() {
    let (mut host, mut device) = met();
    let sent: Vec<Frame> = (0..4).map(|_| device.send(&press()).unwrap()).collect();
    assert_eq!(device.send(&press()), Err(NoRoom));
    assert_eq!(host.hear(&sent[1]).0, Received::Nothing);
    let acks: Vec<_> = sent.iter().map(|frame| host.hear(frame)).collect();
    assert!(acks.iter().all(|(heard, _)| *heard == Received::Take));
    device.hear(&acks[2].1.unwrap());
    assert_eq!(device.waiting().len(), 1);
    device.hear(&acks[3].1.unwrap());
    assert_eq!(device.waiting().len(), 0);
}

#[test]
fn nothing_is_taken_before_the_hello_and_after_a_question_until_its_answer() {
    let (mut host, mut device) = (FrameLink::<4>::new(), FrameLink::<4>::new());
    assert_eq!(host.hear(&device.send(&press()).unwrap()), (Received::Nothing, None));
    let (mut host, mut device) = met();
    host.hello(&HELLO).unwrap();
    assert_eq!(host.hear(&device.send(&press()).unwrap()), (Received::Nothing, None));
    host.hear(&device.hello(&answer()).unwrap());
    assert_eq!(host.hear(&device.send(&press()).unwrap()).0, Received::Take);
}

#[test]
fn a_heartbeat_with_another_number_tells_of_a_loss() {
    let (mut host, mut device) = met();
    let lost = device.send(&press()).unwrap();
    assert_eq!(device.heartbeat(), None, "something waits");
    device.hear(&Message::Ack(lost.sequence()).frame(0).unwrap());
    assert_eq!(host.hear(&device.heartbeat().unwrap()), (Received::Lost, None));
}

#[test]
fn resending_ends_in_a_hello() {
    let (_, mut device) = met();
    device.send(&press()).unwrap();
    assert_eq!((0..6).filter(|_| device.resend()).count(), 5);
}

#[test]
fn numbers_go_round() {
    let (mut host, mut device) = met();
    for _ in 0..1000 {
        let (heard, ack) = host.hear(&device.send(&press()).unwrap());
        assert_eq!(heard, Received::Take);
        device.hear(&ack.unwrap());
    }
}

#[test]
fn a_kind_that_nobody_knows_is_acked() {
    let (mut host, mut device) = met();
    let sent = device.send(&Message::Other { kind: 0x7F, payload: &[1] }).unwrap();
    assert_eq!(host.hear(&sent), (Received::Take, Message::Ack(1).frame(0)));
    assert_eq!(device.send(&Message::Heartbeat), Err(NoRoom), "that is not counted");
}

/// Loses, doubles or flips about one byte in twenty.
fn damage(bytes: &[u8], dice: &mut impl Iterator<Item = u32>) -> Vec<u8> {
    let mut out = Vec::new();
    for byte in bytes {
        let roll = dice.next().unwrap();
        match roll % 400 {
            0..=5 => {}
            6..=12 => out.extend([*byte, *byte]),
            13..=19 => out.push(byte ^ (1 << ((roll >> 16) % 8))),
            _ => out.push(*byte),
        }
    }
    out
}

#[test]
fn all_that_was_sent_over_a_bad_line_is_taken_once_and_in_order() {
    let mut dice = words(77);
    let (mut host, mut device) = met();
    let (mut to_host, mut to_device) = (FrameDecoder::new(), FrameDecoder::new());
    let mut wanted: VecDeque<u8> = (0..2_000_u32).map(|n| n.to_le_bytes()[0] & 63).collect();
    let (mut taken, mut rounds) = (Vec::new(), 0);
    let all: Vec<u8> = wanted.iter().copied().collect();
    while taken.len() < all.len() {
        rounds += 1;
        assert!(rounds < 20_000, "{} taken", taken.len());
        let mut line = Vec::new();
        for frame in device.waiting() {
            line.extend(wire(frame));
        }
        while let Some(&square) = wanted.front() {
            let Ok(frame) = device.send(&Message::Square { square, content: SquareContent::Empty }) else {
                break;
            };
            line.extend(wire(&frame));
            wanted.pop_front();
        }
        let mut acks = Vec::new();
        for frame in hear(&mut to_host, &damage(&line, &mut dice)).into_iter().flatten() {
            let (heard, ack) = host.hear(&frame);
            if let (Received::Take, Some(Message::Square { square, .. })) = (heard, Message::read(&frame)) {
                taken.push(square);
            }
            acks.extend(ack.iter().flat_map(wire));
        }
        for frame in hear(&mut to_device, &damage(&acks, &mut dice)).into_iter().flatten() {
            device.hear(&frame);
        }
        // This simulates a pause in the stream: the decoders of the host and of the device drop incomplete frames.
        to_host.abandon();
        to_device.abandon();
    }
    assert_eq!(taken, all);
}
