//! Connects to electronic chess boards and reports what stands on their squares.
//!
//! [`watch()`] opens a board by its address, keeps it connected and returns its events. Most programs need nothing
//! else:
//!
//! ```no_run
//! use tabiya_boards::address::LiveAddress;
//! use tabiya_boards::{BoardEvent, watch};
//!
//! let address: LiveAddress = "dgt:/dev/ttyACM0".parse()?;
//! for (at, event) in watch(&address)? {
//!     if let BoardEvent::Observed(seen) = event {
//!         println!("{} ms: {seen:?}", at.millis());
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # From an address to an observation
//!
//! 1. An **address** names a maker and a port: `dgt:/dev/ttyACM0`, `millennium:auto`, `chessnut:ble` ([`address`]). Its
//!    first word selects a [`Maker`](maker::Maker) of the catalogue ([`makers`]); the maker's
//!    [`Transports`](transports::Transports) describe how its boards are reached.
//! 2. A **link** carries bytes ([`link`]): a serial port, TCP, Bluetooth LE, a WebSocket. It knows no protocol. Its
//!    [`Carrier`](link::Carrier) says whether it carries a byte stream or whole messages.
//! 3. A **driver** decides which commands to send to a board and when, and interprets its reports ([`driver`]). It does
//!    no IO and reads no clock: bytes and moments go in, bytes and events come out. It serves one connection. Most
//!    makers use [`Steady`](steady::Steady) with their own [`Protocol`](steady::Protocol).
//! 4. An **event** is anything that a board reports, in the same form for every maker ([`BoardEvent`]): which board it
//!    is, its battery, its clock, and above all the pieces on its squares.
//! 5. An **observation** is what a sensor saw ([`Observation`](types::Observation)): the whole board, the change of one
//!    square, or the press of a lever. Other crates decide what an observation means in a game: this crate contains no
//!    rules of chess.
//!
//! The [`supervisor`] connects these parts: it opens the link, runs the driver, and reconnects after a break.
//! [`probe`](mod@probe) identifies the board at an address once; `near` (features `serial`, `ble`, `livechess`)
//! searches for boards.
//!
//! A program that already has the bytes can use a driver without a link. Here a DGT board reports a pawn on e4.
//!
//! ```
//! use tabiya_boards::BoardEvent;
//! use tabiya_boards::driver::Connection;
//! use tabiya_boards::link::Carrier;
//! use tabiya_boards::maker::Maker;
//! use tabiya_boards::notes::Notes;
//! use tabiya_boards::types::{Instant, Observation};
//!
//! let dgt = Maker::from_prefix("dgt").expect("a maker of the catalogue");
//! // `passive`: the driver only listens and writes nothing, as for saved bytes.
//! let brand = dgt.brand();
//! let connection = Connection { brand, carrier: Carrier::Stream, unit: None, notes: &Notes::NONE, passive: true };
//! let mut driver = (dgt.entry().driver)(&connection, Instant::ZERO);
//! driver.on_bytes(&[0x8E, 0x00, 0x05, 0x24, 0x01], Instant::from_millis(120));
//! let Some(BoardEvent::Observed(Observation::Square(square, Some(piece)))) = driver.next_event() else {
//!     panic!("one square has changed");
//! };
//! assert_eq!((square.to_string(), piece.letter()), ("e4".to_owned(), 'P'));
//! ```
//!
//! # Features
//!
//! | feature | gives | needs |
//! | --- | --- | --- |
//! | none | codecs, drivers, the catalogue, captures, the supervisor | serde_json, thiserror |
//! | `serial` (default) | serial ports: USB, RS-232, Bluetooth's serial profile | serialport |
//! | `tcp` (default) | boards that are reached over TCP | – |
//! | `ble` | Bluetooth LE | btleplug, tokio |
//! | `livechess` | DGT's LiveChess, over its WebSocket | tungstenite |
//! | `simulators` | each maker's board simulated down to its bytes, and hands that move its pieces | rand_chacha, tokio; on Unix nix |
//! | `all` | all features above | |
//!
//! Features are additive. An address is parsed even if the feature for its link is not enabled. Opening such an address
//! returns [`LinkError::NotBuilt`](link::LinkError::NotBuilt), which names the missing feature.
#![warn(clippy::indexing_slicing)]
#![forbid(unsafe_code)]

pub mod address;
pub mod brand;
pub mod capture;
mod chunk;
pub mod driver;
mod event;
pub mod hiding;
#[cfg(feature = "simulators")]
pub mod human;
#[doc(hidden)]
pub mod laws;
pub mod lights;
pub mod link;
pub mod maker;
pub mod makers;
#[cfg(any(feature = "serial", feature = "ble", feature = "livechess"))]
pub mod near;
pub mod notes;
mod numberless;
mod open;
#[doc(hidden)]
pub mod platform;
#[cfg(feature = "serial")]
pub mod ports;
pub mod probe;
pub mod recent;
pub mod report_parts;
#[cfg(feature = "simulators")]
pub mod sim;
#[cfg(feature = "simulators")]
pub mod sim_host;
pub mod steady;
pub mod supervisor;
pub mod time;
pub mod transports;
#[doc(hidden)]
pub mod typed;
#[cfg(test)]
mod waiting;
mod watch;

pub use event::{
    BoardEvent, BoardInfo, ClockButton, ClockInfo, ClockKind, ClockRefusal, ClockSetting, ClockTask,
    ClockTimes, Declaration, Side, TagChange,
};
/// The vocabulary shared with the rest of Tabiya: squares, pieces, moments, observations.
pub use tabiya_types as types;
pub use watch::{BoardEvents, watch};

/// Runs the example of `README.md` as a doctest.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
