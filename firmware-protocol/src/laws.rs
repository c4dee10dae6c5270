//! Properties that must hold for any input bytes. Tests and the fuzz target call the same functions.
#![expect(clippy::missing_panics_doc, reason = "panicking is what a law is for")]

use crate::{Frame, FrameDecoder, FrameLink, LONGEST_FRAME, LeverSide, Message, encode};

/// Checks the decoder: every frame that it finds, and the message in it, is the same after writing and reading it
/// again; and after any bytes, followed by zeros for one longest frame at most, it finds the next whole frame. Panics,
/// with the values in the message, if this is violated.
pub fn frame_law(bytes: &[u8]) {
    let mut decoder = FrameDecoder::new();
    for &byte in bytes {
        let mut result = decoder.push(byte);
        while let Some(one) = result {
            if let Ok(frame) = one {
                round_trip(&frame);
            }
            result = decoder.more();
        }
    }
    let next = Message::Press(LeverSide::Right).frame(9).expect("one byte fits");
    // The decoder may still wait for bytes of a broken frame. Zeros complete it, and do not begin another frame.
    for _ in 0..LONGEST_FRAME {
        if !decoder.in_frame() {
            break;
        }
        decoder.push(0);
        while decoder.more().is_some() {}
    }
    assert!(!decoder.in_frame(), "the longest frame of zeros ends every frame");
    assert_eq!(send(&mut decoder, &next), Some(next), "the frame after any bytes");
}

/// Panics unless `frame`, and the message in it, is the same after writing and reading it again.
pub fn round_trip(frame: &Frame) {
    assert_eq!(send(&mut FrameDecoder::new(), frame), Some(*frame), "written and read again");
    let Some(message) = Message::read(frame) else { return };
    let again = message.frame(frame.sequence()).expect("what fitted fits again");
    assert_eq!(Message::read(&again), Some(message), "said and understood again");
    assert_eq!(again.kind(), frame.kind());
}

/// Checks the link: whatever frames it receives, it refuses to send only when it is full, and after a hello both sides
/// exchange frames again. Panics if this is violated.
pub fn link_law(bytes: &[u8]) {
    let (mut decoder, mut link) = (FrameDecoder::new(), FrameLink::<4>::new());
    for &byte in bytes {
        let mut result = decoder.push(byte);
        while let Some(one) = result {
            if let Ok(frame) = one {
                link.hear(&frame);
            }
            if byte % 3 == 0 && link.send(&Message::Beep(1)).is_err() {
                assert_eq!(link.waiting().len(), 4, "only a full link refuses");
            }
            result = decoder.more();
        }
    }
    let mut other = FrameLink::<4>::new();
    let hello = crate::Hello { messages: 1, asks: true, takes: 64, can: crate::Can(0), name: "" };
    let heard = link.hear(&other.hello(&hello).expect("no name fits"));
    assert_eq!(heard.0, crate::Received::Hello { asks: true });
    other.hear(&link.hello(&crate::Hello { asks: false, ..hello }).expect("no name fits"));
    for _ in 0..9 {
        let sent = link.send(&Message::Press(LeverSide::Left)).expect("room after a hello");
        let (heard, ack) = other.hear(&sent);
        assert_eq!(heard, crate::Received::Take, "the frame after a hello");
        link.hear(&ack.expect("a counted frame is acked"));
        assert_eq!(link.waiting(), [], "acked");
    }
}

/// Writes `frame` into `decoder` and returns what its last byte completes.
fn send(decoder: &mut FrameDecoder, frame: &Frame) -> Option<Frame> {
    let mut wire = [0; LONGEST_FRAME];
    let len = encode(frame, &mut wire).expect("the longest frame fits");
    let mut last = None;
    for &byte in wire.iter().take(len) {
        last = decoder.push(byte);
        while let Some(more) = decoder.more() {
            last = Some(more);
        }
    }
    last.and_then(Result::ok)
}
