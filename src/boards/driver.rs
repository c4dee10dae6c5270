//! What drives one connection to one board, whoever made it: what to say to it and when, and what its
//! answers mean. No IO and no time of its own: bytes and moments come in, bytes and
//! [`BoardEvent`]s go out.
//!
//! A driver lives as long as one connection; the supervisor makes a new one for the next, so
//! nothing of a dead connection lingers.

use tabiya_types::{Instant, Millis};

use crate::brand::Brand;
use crate::event::{BoardEvent, BoardInfo, ClockSetting};
use crate::lights::Lights;
use crate::link::Carrier;
use crate::notes::Notes;

/// What a driver is made for.
#[derive(Clone, Copy, Debug)]
pub struct Connection<'a> {
    /// Whose board it is.
    pub brand: Brand,
    /// How bytes arrive.
    pub carrier: Carrier,
    /// Which board of several behind one port, as its number is written; `None` takes the only one.
    pub unit: Option<&'a str>,
    /// What earlier connections have left to be known.
    pub notes: &'a Notes,
    /// Only listen: everything that arrives counts, from the first byte on, and nothing is written. For
    /// captures.
    pub passive: bool,
}

/// What a program wants of a board. What a board cannot do it does not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardCommand {
    /// Read the whole board.
    AskDump,
    /// Say how full the battery is.
    AskBattery,
    /// Show a text on the clock; the newest replaces one that was not shown yet.
    Show(String),
    /// Beep for about so long.
    Beep(Millis),
    /// The clock shows its times again.
    EndDisplay,
    /// Set the clock's times and what runs.
    SetClock(ClockSetting),
    /// Light these squares and no others.
    Light(Lights),
    /// Only looks at the flag that says stop.
    Wake,
}

/// Why a driver gave up. The link must be made again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DriverFailure {
    /// Nothing on the line answers as such a board does.
    NotABoard,
    /// The board has stopped answering.
    Silent,
}

/// One connection to one board.
pub trait Driver: Send {
    /// Bytes that arrived at `now`: any part of the stream, or one message.
    fn on_bytes(&mut self, bytes: &[u8], now: Instant);
    /// Time has come to `now`.
    fn on_time(&mut self, now: Instant);
    /// When time alone will do something: call [`on_time`](Self::on_time) then.
    fn deadline(&self) -> Option<Instant>;
    /// Bytes to write now, one command at a time.
    fn next_write(&mut self) -> Option<Vec<u8>>;
    /// What [`next_write`](Self::next_write) gave is on the line at `now`: later than it was given where a line is
    /// shared and others had their turn first. Told of every write; whoever counts the time until an answer counts from
    /// here, and what was heard before is no answer.
    fn wrote(&mut self, _now: Instant) {}
    /// What whoever made a capture has written at `now`: only drivers that only listen are told, and first of all of the
    /// capture's begin.
    fn overheard(&mut self, _bytes: &[u8], _now: Instant) {}
    /// What the board told, in its order.
    fn next_event(&mut self) -> Option<BoardEvent>;
    /// Why the driver gave up, if it did.
    fn failure(&self) -> Option<DriverFailure>;
    /// Whether the board's position was read and is kept up to date.
    fn ready(&self) -> bool;
    /// What is known of the board so far.
    fn info(&self) -> &BoardInfo;
    /// Something that the program wants of the board.
    fn order(&mut self, order: &BoardCommand, now: Instant);
    /// Leaves the board silent and dark. Nothing is sent or understood afterwards, but for what
    /// [`next_write`](Self::next_write) still has; what comes back is how long the first of that has to wait.
    fn stop(&mut self, now: Instant) -> Millis;
}
