//! Ports: bytes in and out, and what to tell people when a port fails. Knows no protocol.

pub mod ble;
mod error;
mod line;
mod serial;
mod shared;
mod tcp;
mod web;

pub use error::LinkError;
pub use line::{Carrier, Link, WAKES_WITHIN};
pub use serial::{SerialLink, is_bluetooth};
pub(crate) use shared::join;
pub use tcp::TcpLink;
pub use web::WebLink;
