//! A driver and a simulated board that speak to each other in pretended time, for tests.

use tabiya_types::{Board, Instant, Millis, Observation, Piece, Square};

use crate::driver::{Connection, Driver};
use crate::event::BoardEvent;
use crate::human::Physical;
use crate::link::Carrier;
use crate::maker::Maker;
use crate::notes::Notes;
use crate::sim::{Firmware, SimBoard, SimSetup, Simulated};

/// One connection.
pub(super) struct Meeting {
    pub(super) sim: Box<dyn SimBoard>,
    pub(super) driver: Box<dyn Driver>,
    pub(super) now: Instant,
    /// All that the board told.
    pub(super) events: Vec<BoardEvent>,
    /// All that was written to it.
    pub(super) written: Vec<Vec<u8>>,
}

impl Meeting {
    /// The maker's driver meets a board with this firmware, on which `board` stands.
    pub(super) fn new<F: Firmware + 'static>(
        maker: Maker,
        firmware: F,
        board: &Board,
        notes: &Notes,
    ) -> Self {
        let setup = SimSetup { board: *board, seed: 1, ..SimSetup::default() };
        Self::of(maker, Box::new(Simulated::new(firmware, &setup)), notes, Carrier::Messages)
    }

    /// The maker's driver meets this board.
    pub(super) fn of(maker: Maker, sim: Box<dyn SimBoard>, notes: &Notes, carrier: Carrier) -> Self {
        let now = Instant::ZERO;
        let unit = sim.unit();
        let connection =
            Connection { brand: maker.brand(), carrier, unit: unit.as_deref(), notes, passive: false };
        let driver = (maker.entry().driver)(&connection, now);
        Self { sim, driver, now, events: Vec::new(), written: Vec::new() }
    }

    /// So much time goes by.
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

    /// From now on this stands on a square, and the board has time to notice.
    pub(super) fn set(&mut self, square: &str, piece: Option<char>) {
        let square: Square = square.parse().expect("a square");
        self.sim.happen(Physical::Set(square, piece.and_then(Piece::from_letter)), self.now);
        self.pass(Millis(1_500));
    }

    /// What was told of the squares last.
    pub(super) fn seen(&self) -> Option<Observation> {
        let squares = |event: &BoardEvent| match event {
            BoardEvent::Observed(seen) => Some(*seen),
            _ => None,
        };
        self.events.iter().rev().find_map(squares)
    }
}
