//! Bytes that went over a link: when, in which direction, and on which channel.

use serde::{Deserialize, Serialize};
use tabiya_types::Instant;

/// The direction of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the device: `rx`.
    FromDevice,
    /// To the device: `tx`.
    ToDevice,
}

/// One channel of a link that has several channels.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Channel {
    /// A channel with a number.
    Number(u64),
    /// A channel with a name.
    Name(String),
}

/// Bytes that went over the link together, in one direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The time of the bytes in ms; at least the time of the previous chunk.
    pub at: Instant,
    /// The direction of the bytes.
    pub direction: Direction,
    /// The channel of the bytes, if the link has several channels.
    pub channel: Option<Channel>,
    /// The bytes.
    pub bytes: Vec<u8>,
}
