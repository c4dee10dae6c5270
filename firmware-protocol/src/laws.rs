//! Properties that must hold for any input bytes. Tests and the fuzz target call the same functions.
#![expect(clippy::missing_panics_doc, reason = "panicking is what a law is for")]

use crate::{Frame, FrameDecoder, FrameLink, LONGEST_FRAME, LeverSide, Message, encode};

/// Checks two properties of [`FrameDecoder`] with any input bytes. Every frame that the decoder finds, and the message
/// in that frame, stays the same when written and read again. After the input and at most [`LONGEST_FRAME`] zero
/// bytes, the decoder finds the next undamaged frame. Panics with the differing values if a property is violated.
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
    // The input may end in the middle of a frame. Zero bytes complete that frame and cannot begin another one.
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

/// Panics unless `frame` and the message in it stay the same when written and read again.
pub fn round_trip(frame: &Frame) {
    assert_eq!(send(&mut FrameDecoder::new(), frame), Some(*frame), "written and read again");
    let Some(message) = Message::read(frame) else { return };
    let again = message.frame(frame.sequence()).expect("what fitted fits again");
    assert_eq!(Message::read(&again), Some(message), "said and understood again");
    assert_eq!(again.kind(), frame.kind());
}

/// Checks two properties of [`FrameLink`] with any received frames. The link refuses to send only if the greatest
/// allowed number of frames already waits for an ack. After both sides have exchanged hellos, they accept each other's
/// frames again. Panics if a property is violated.
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

/// Passes the bytes of `frame` to `decoder`. Returns the frame that the last byte completes; `None` if it completes no
/// frame.
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
