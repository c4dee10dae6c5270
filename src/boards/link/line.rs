//! A line to a device, whatever it is made of: bytes in and out.

use std::time::Duration;

use tabiya_types::Millis;

use super::error::LinkError;

#[cfg(any(feature = "serial", feature = "tcp"))]
/// One read of a stream takes at most so many bytes.
pub(super) const READ_SIZE: usize = 1024;

/// An open line to a device.
pub trait Link: Send {
    /// How it carries bytes.
    fn carrier(&self) -> Carrier {
        Carrier::Stream
    }
    /// Waits at most `patience` for bytes: what came of a stream, or one whole message; nothing if none came. The
    /// line stays usable after `Ok`, never after `Err`.
    fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError>;
    /// Writes all of `bytes`.
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError>;
    /// Like [`write_all`](Self::write_all), but a line that others use too is waited for only until `give_up` says so:
    /// then nothing is written, what comes back is `false`, and the line stays usable. A line of one's own is always free.
    fn write_unless(&mut self, bytes: &[u8], _give_up: &dyn Fn() -> bool) -> Result<bool, LinkError> {
        self.write_all(bytes).map(|()| true)
    }
    /// What came before the last write went out and was not read yet: no answer to it. Only a line that was waited for has
    /// such.
    fn heard_before(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

/// How long Bluetooth's serial profile may take from the opening of its port until the board is connected.
pub const WAKES_WITHIN: Millis = Millis(20_000);

/// How a line carries bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Carrier {
    /// As a stream: a serial port, TCP. Where a read ends means nothing.
    Stream,
    /// As a stream whose other end may take [`WAKES_WITHIN`] to be there, while what is written waits: Bluetooth's
    /// serial profile.
    LateStream,
    /// As messages: a Bluetooth LE notification, a WebSocket text. Each read is one, and each write.
    #[default]
    Messages,
}
