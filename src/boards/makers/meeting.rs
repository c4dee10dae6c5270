//! A test bench that connects a driver to a simulated board in simulated time.

use tabiya_types::{Board, Instant, Millis, Observation, Piece, Square};

use crate::driver::{Connection, Driver};
use crate::event::BoardEvent;
use crate::human::Physical;
use crate::link::Carrier;
use crate::maker::Maker;
use crate::notes::Notes;
use crate::sim::{Firmware, SimBoard, SimSetup, Simulated};

/// A connected driver and board.
pub(super) struct TestBench {
    pub(super) sim: Box<dyn SimBoard>,
    pub(super) driver: Box<dyn Driver>,
    pub(super) now: Instant,
    /// All events that the driver reported.
    pub(super) events: Vec<BoardEvent>,
    /// All bytes that the driver wrote, one entry for each write.
    pub(super) written: Vec<Vec<u8>>,
}

impl TestBench {
    /// Connects the maker's driver to a board with this firmware and position, over a link that carries messages.
    pub(super) fn new<F: Firmware + 'static>(
        maker: Maker,
        firmware: F,
        board: &Board,
        notes: &Notes,
    ) -> Self {
        let setup = SimSetup { board: *board, seed: 1, ..SimSetup::default() };
        Self::of(maker, Box::new(Simulated::new(firmware, &setup)), notes, Carrier::Messages)
    }

    /// Connects the maker's driver to this simulated board.
    pub(super) fn of(maker: Maker, sim: Box<dyn SimBoard>, notes: &Notes, carrier: Carrier) -> Self {
        let now = Instant::ZERO;
        let unit = sim.unit();
        let connection =
            Connection { brand: maker.brand(), carrier, unit: unit.as_deref(), notes, passive: false };
        let driver = (maker.entry().driver)(&connection, now);
        Self { sim, driver, now, events: Vec::new(), written: Vec::new() }
    }

    /// Lets this much simulated time pass.
    pub(super) fn pass(&mut self, time: Millis) {
        let end = self.now + time;
        loop {
            self.sim.on_time(self.now);
            for heard in self.sim.take_messages() {
                self.driver.on_bytes(&heard, self.now);
            }
            self.driver.on_time(self.now);
            while let Some(bytes) = self.driver.next_write() {
                self.driver.wrote(self.now);
                self.sim.on_host_bytes(&bytes, self.now);
                self.written.push(bytes);
            }
            self.events.extend(std::iter::from_fn(|| self.driver.next_event()));
            if self.now >= end {
                return;
            }
            self.now = (self.now + Millis(10)).min(end);
        }
    }

    /// Puts a piece on a square; with `None`, removes the piece from that square. Then lets 1.5 s of simulated time
    /// pass.
    pub(super) fn set(&mut self, square: &str, piece: Option<char>) {
        let square: Square = square.parse().expect("a square");
        self.sim.happen(Physical::Set(square, piece.and_then(Piece::from_letter)), self.now);
        self.pass(Millis(1_500));
    }

    /// Returns the last observation that the driver reported.
    pub(super) fn last_observation(&self) -> Option<Observation> {
        let squares = |event: &BoardEvent| match event {
            BoardEvent::Observed(seen) => Some(*seen),
            _ => None,
        };
        self.events.iter().rev().find_map(squares)
    }
}
