//! Electronic chess boards: what stands on them, read by any program.
//!
//! [`watch()`] opens a board by its address, keeps it connected and gives what it tells. That is all most programs need:
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
//! 1. An **address** says whose board it is and where: `dgt:/dev/ttyACM0`, `millennium:auto`, `chessnut:ble`
//!    ([`address`]). Its first word names a [`Maker`](maker::Maker) of the catalogue ([`makers`]), and the maker says in
//!    [`Transports`](transports::Transports) how such boards are reached.
//! 2. A **link** carries bytes ([`link`]): a serial port, TCP, Bluetooth LE, a WebSocket. It knows no protocol. A stream
//!    and a link of whole messages differ in their [`Carrier`](link::Carrier).
//! 3. A **driver** knows what to say to the board, when, and what its answers mean ([`driver`]). It does no IO and has no
//!    time of its own: bytes and moments go in, bytes and events come out. It lives as long as one connection. For most
//!    makers it is [`Steady`](steady::Steady) with the maker's own [`Protocol`](steady::Protocol).
//! 4. An **event** is what a board tells, whoever made it ([`BoardEvent`]): what board it is, its battery, its clock, and
//!    above all what its squares show.
//! 5. An **observation** is that ([`Observation`](types::Observation)): the whole board, one square, the press of a
//!    lever. What it means in a game is for others to say: nothing here knows a rule of chess.
//!
//! The [`supervisor`] holds the chain together: it opens the link, has the driver speak, and begins anew after a break.
//! [`probe`](mod@probe) asks once who is there, `near` (features `serial`, `ble`, `livechess`) looks for boards.
//!
//! The same chain without a link, for a program that has bytes already: one driver, as it hears a DGT board say that a
//! pawn now stands on e4.
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
//! // It only listens, as to bytes that were saved.
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
//! | `tcp` (default) | boards behind a TCP port | – |
//! | `ble` | Bluetooth LE | btleplug, tokio |
//! | `livechess` | DGT's LiveChess, over its WebSocket | tungstenite |
//! | `simulators` | each maker's board simulated down to its bytes, and hands that move its pieces | rand_chacha, tokio; on Unix nix |
//! | `all` | all of it | |
//!
//! Each only adds. An address whose link is not built in is understood all the same; opening it says which feature is
//! missing ([`LinkError::NotBuilt`](link::LinkError::NotBuilt)).
#![warn(clippy::indexing_slicing)]
#![forbid(unsafe_code)]

pub mod address;
pub mod brand;
pub mod capture;
pub mod driver;
mod event;
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
mod open;
#[cfg(feature = "serial")]
pub mod ports;
pub mod probe;
#[cfg(feature = "simulators")]
pub mod sim;
// Pseudo-terminals are Unix's.
#[cfg(all(unix, feature = "simulators"))]
pub mod sim_host;
pub mod steady;
pub mod supervisor;
pub mod time;
pub mod transports;
#[doc(hidden)]
pub mod typed;
mod watch;

pub use event::{
    BoardEvent, BoardInfo, ClockButton, ClockInfo, ClockKind, ClockRefusal, ClockSetting, ClockTask,
    ClockTimes, Declaration, Side, TagNews,
};
/// The words that boards share with whoever reads them: squares, pieces, moments, observations.
pub use tabiya_types as types;
pub use watch::{BoardEvents, watch};

/// The crate's own page has the example.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
