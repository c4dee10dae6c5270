//! Links, which carry bytes to and from boards, and the errors of links that break or cannot be opened. This module
//! knows no protocol.
//!
//! Each kind of link is a feature of the crate: `serial`, `tcp`, `ble`, and `livechess` for WebSockets.

#[cfg(feature = "ble")]
pub mod ble;
mod error;
mod line;
#[cfg(feature = "serial")]
mod serial;
#[cfg(any(feature = "serial", feature = "tcp"))]
mod shared;
#[cfg(feature = "tcp")]
mod tcp;
#[cfg(feature = "livechess")]
pub(crate) mod web;

pub use error::LinkError;
pub use line::{Carrier, LATE_CONNECT_TIMEOUT, Link};
#[cfg(feature = "serial")]
pub use serial::{SerialLink, is_bluetooth};
#[cfg(any(feature = "serial", feature = "tcp"))]
pub(crate) use shared::join;
#[cfg(feature = "tcp")]
pub use tcp::TcpLink;
#[cfg(feature = "livechess")]
pub use web::WebLink;
