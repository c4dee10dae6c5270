//! The [`Driver`] trait: runs one connection to one board of any maker. A driver decides which commands to send and
//! when, and interprets the board's reports. It does no IO and reads no clock: bytes and moments go in, bytes and
//! [`BoardEvent`]s come out.
//!
//! A driver serves one connection. The supervisor creates a new driver for the next connection, so no state of a dead
//! connection remains.

use std::collections::VecDeque;

use tabiya_types::{Instant, Millis};

use crate::brand::Brand;
use crate::event::{BoardEvent, BoardInfo, ClockSetting};
use crate::lights::Lights;
use crate::link::Carrier;
use crate::notes::Notes;

/// The connection that a driver is created for.
#[derive(Clone, Copy, Debug)]
pub struct Connection<'a> {
    /// The brand of the board.
    pub brand: Brand,
    /// How the link carries bytes.
    pub carrier: Carrier,
    /// If several boards share one port: the number of the wanted board, as people write it. `None` means the only
    /// board on the port.
    pub unit: Option<&'a str>,
    /// The notes that earlier connections kept, or that the board's owner entered.
    pub notes: &'a Notes,
    /// Whether the driver only listens, as for captures: it accepts every report from the first byte on and writes
    /// nothing.
    pub passive: bool,
}

/// A command from the program to a board. A command that the board cannot carry out is ignored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardCommand {
    /// Read the position of the whole board.
    AskDump,
    /// Report the battery level.
    AskBattery,
    /// Show a text on the clock or the board's display. The text replaces an earlier text that was not shown yet.
    Show(String),
    /// Beep for about this long.
    Beep(Millis),
    /// Remove the text, so that the clock shows its times again.
    EndDisplay,
    /// Set the times of the clock and which side's time runs.
    SetClock(ClockSetting),
    /// Light these squares and no others.
    Light(Lights),
    /// Do nothing. The command only wakes the board's thread, which then notices that it should stop.
    Wake,
}

/// Why a driver gave up. The port must then be opened again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DriverFailure {
    /// Nothing on the link answers with the maker's protocol.
    NotABoard,
    /// The board has stopped answering.
    Silent,
}

/// The output of a driver: commands to write, events, what is known of the board, and why the driver gave up.
#[derive(Debug)]
pub struct DriverOutput {
    /// The commands to write now, oldest first.
    pub(crate) writes: VecDeque<Vec<u8>>,
    /// The events, oldest first.
    pub(crate) events: VecDeque<BoardEvent>,
    /// The information about the board that is known so far.
    pub(crate) info: BoardInfo,
    /// Whether `info` must be reported: it has changed since the last report, or it was never reported.
    pub(crate) info_changed: bool,
    /// Why the driver gave up; `None` while it works, and after it was stopped.
    pub(crate) failure: Option<DriverFailure>,
}

impl DriverOutput {
    /// The output of a driver that has done nothing yet.
    pub(crate) fn new(brand: Brand) -> Self {
        Self {
            writes: VecDeque::new(),
            events: VecDeque::new(),
            info: BoardInfo::new(brand),
            info_changed: true,
            failure: None,
        }
    }

    /// Changes the information about the board, and notes whether it differs from before.
    pub(crate) fn learn(&mut self, change: impl FnOnce(&mut BoardInfo)) {
        let before = self.info.clone();
        change(&mut self.info);
        self.info_changed |= before != self.info;
    }

    /// Reports the information about the board, if it has changed since the last report.
    pub(crate) fn report_info(&mut self) {
        if std::mem::take(&mut self.info_changed) {
            self.events.push_back(BoardEvent::Identified(self.info.clone()));
        }
    }
}

/// Runs one connection to one board.
pub trait Driver: Send {
    /// The output: the commands to write and the events to report.
    fn output(&self) -> &DriverOutput;
    /// The output, from which commands and events can be taken.
    fn output_mut(&mut self) -> &mut DriverOutput;
    /// Takes in bytes that arrived at `now`: any part of the stream, or one message.
    fn on_bytes(&mut self, bytes: &[u8], now: Instant);
    /// Tells the driver that the time is now `now`. The driver does all timed work that is due by then, such as
    /// reacting to a timeout.
    fn on_time(&mut self, now: Instant);
    /// When to call [`on_time`](Self::on_time) next; `None` if nothing is due.
    fn deadline(&self) -> Option<Instant>;
    /// Returns the next command if it may be written now, otherwise `None`.
    fn next_write(&mut self) -> Option<Vec<u8>> {
        self.output_mut().writes.pop_front()
    }
    /// Tells the driver that the command returned by [`next_write`](Self::next_write) was written at `now`. Called
    /// after every write. On a port that several boards share, a write may have to wait until the port is free. So
    /// `now` may be later than the call of `next_write`. The timeout for the board's answer starts at `now`; bytes
    /// received before `now` cannot be that answer.
    fn wrote(&mut self, _now: Instant) {}
    /// Tells the driver which bytes the recording program wrote to the board at `now`. Called only for passive drivers,
    /// which only listen. Before a capture is played back, this function is called for every write in the capture, the
    /// last write first. So when the playback begins, the driver knows for which board the first command was meant.
    fn on_recorded_write(&mut self, _bytes: &[u8], _now: Instant) {}
    /// Returns the next event, oldest first.
    fn next_event(&mut self) -> Option<BoardEvent> {
        self.output_mut().events.pop_front()
    }
    /// Why the driver gave up; `None` while it works.
    fn failure(&self) -> Option<DriverFailure> {
        self.output().failure
    }
    /// Whether the board's position was read and is kept up to date.
    fn ready(&self) -> bool;
    /// The information about the board that is known so far.
    fn info(&self) -> &BoardInfo {
        &self.output().info
    }
    /// Takes in a command from the program.
    fn order(&mut self, order: &BoardCommand, now: Instant);
    /// Queues the commands that silence the board and switch its lights off. Afterwards the driver ignores all input,
    /// and the caller only writes the remaining commands of [`next_write`](Self::next_write). Returns how long the
    /// caller must wait before the first of these commands.
    fn stop(&mut self, now: Instant) -> Millis;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::makers::dgt;

    #[test]
    fn what_is_known_of_a_board_is_reported_once_for_each_change() {
        let mut output = DriverOutput::new(dgt::MAKER.brand());
        output.report_info();
        output.learn(|info| info.serial = Some("01025".to_owned()));
        output.report_info();
        output.learn(|info| info.serial = Some("01025".to_owned()));
        output.report_info();
        let serials: Vec<Option<String>> = output
            .events
            .iter()
            .map(|event| match event {
                BoardEvent::Identified(info) => info.serial.clone(),
                event => panic!("{event:?}"),
            })
            .collect();
        assert_eq!(serials, [None, Some("01025".to_owned())], "the same serial number is no news");
    }
}
