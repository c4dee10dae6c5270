//! The [`Link`] trait: an open connection that carries bytes to and from a device.

use std::time::Duration;

use tabiya_types::Millis;

use super::error::LinkError;

#[cfg(any(feature = "serial", feature = "tcp"))]
/// The largest number of bytes that one read of a stream returns.
pub(super) const READ_SIZE: usize = 1024;

/// An open connection to a device.
pub trait Link: Send {
    /// Whether the link carries a byte stream or whole messages.
    fn carrier(&self) -> Carrier {
        Carrier::Stream
    }
    /// Waits at most `patience` for bytes and returns them: part of a stream, or one whole message. Returns no bytes if
    /// none arrived in time. The link stays usable after `Ok`, but not after `Err`.
    fn read(&mut self, patience: Duration) -> Result<Vec<u8>, LinkError>;
    /// Writes all of `bytes`.
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), LinkError>;
    /// Writes all of `bytes`, as [`write_all`](Self::write_all) does. If other connections share the link, this first
    /// waits for its turn to write. If `give_up` returns true during that wait, nothing is written, the result is
    /// `Ok(false)`, and the link stays usable. A link that is not shared never has to wait.
    fn write_unless(&mut self, bytes: &[u8], _give_up: &dyn Fn() -> bool) -> Result<bool, LinkError> {
        self.write_all(bytes).map(|()| true)
    }
    /// Returns the unread bytes that arrived before the last write. These bytes cannot be the answer to that write.
    /// Always empty on a link that is not shared.
    fn received_before_write(&mut self) -> Vec<u8> {
        Vec::new()
    }
}

/// The longest time that Bluetooth's serial profile takes to connect a board after its port was opened.
pub const LATE_CONNECT_TIMEOUT: Millis = Millis(20_000);

/// How a link carries bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Carrier {
    /// A byte stream: a serial port, TCP. A read may end in the middle of a message.
    Stream,
    /// A byte stream over Bluetooth's serial profile. The board may take up to [`LATE_CONNECT_TIMEOUT`] to connect;
    /// until then, writes wait.
    LateStream,
    /// Whole messages: notifications of Bluetooth LE, or texts of a WebSocket. Each read and each write is one message.
    #[default]
    Messages,
}
