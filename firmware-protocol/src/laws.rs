//! What must hold for any bytes whatever: tests and the fuzz target call the same function.
#![expect(clippy::missing_panics_doc, reason = "panicking is what a law is for")]

use crate::{Decoder, Frame, Kind, LONGEST_FRAME, encode};

/// Every frame understood is written and read again as the same, and after any bytes, at most one
/// longest frame of silence later, a whole frame is understood. Panics, with the values in the
/// message, when that is broken.
pub fn frame_law(bytes: &[u8]) {
    let mut decoder = Decoder::new();
    for &byte in bytes {
        if let Some(Ok(frame)) = decoder.push(byte) {
            round_trip(&frame);
        }
    }
    let next = Frame::new(9, Kind::Press, &[1]).expect("one byte fits");
    // A broken frame may wait for more bytes: zeros fill it, and are no start of another.
    for _ in 0..LONGEST_FRAME {
        if !decoder.in_frame() {
            break;
        }
        decoder.push(0);
    }
    assert!(!decoder.in_frame(), "the longest frame of zeros ends every frame");
    assert_eq!(send(&mut decoder, &next), Some(next), "the frame after any bytes");
}

/// Panics unless `frame` is read as it was written.
pub fn round_trip(frame: &Frame) {
    assert_eq!(send(&mut Decoder::new(), frame), Some(*frame), "written and read again");
}

/// Writes `frame` into `decoder` and returns what its last byte completes.
fn send(decoder: &mut Decoder, frame: &Frame) -> Option<Frame> {
    let mut wire = [0; LONGEST_FRAME];
    let len = encode(frame, &mut wire).expect("the longest frame fits");
    let told = wire.iter().take(len).filter_map(|byte| decoder.push(*byte)).last();
    told.and_then(Result::ok)
}
