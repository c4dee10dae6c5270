//! Fuzzes the protocol of boards that people build themselves. A frame or message is the same after it was written and
//! decoded again. After any bytes, the next valid frame is decoded. After any bytes, a hello message restores the
//! link.
#![no_main]

use firmware_protocol::laws;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    laws::frame_law(bytes);
    laws::link_law(bytes);
});
