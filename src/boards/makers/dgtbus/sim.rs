//! Simulates a bus with several boards. All boards hear every command, and their answers form one byte stream. If two
//! boards answer at the same time, their bytes are mixed.
//!
//! The simulated bus takes bytes and times and returns bytes. Players use the first board; nothing changes on the
//! other boards unless a test moves their pieces. Not simulated: boards with 50 squares, and other devices on the
//! bus.
//!
//! Source: the project's DGT protocol notes, section "Bus mode" with its paragraph "Simulator".

mod unit;

use std::collections::BTreeMap;

use tabiya_types::{Board, Instant, Millis};
pub use unit::{Unit, UnitConfig};

use super::codec::ALL;
use crate::human::{Dice, Physical};
use crate::makers::dgt::codec::{DgtCommand, DgtCommandDecoder};
use crate::sim::{ClockAction, ClockConfig, LineFaults, Plug, Plugged, SimBoard, SimSetup};

/// Bytes per second at 9600 baud, with ten bits for each byte.
const BYTES_A_SECOND: u64 = 960;
/// The most bytes that a USB adapter passes to the host at once. The adapter passes bytes on every 16 ms.
const TOGETHER: u64 = 16;
/// The transmission time of a command's four bytes.
const COMMAND: Millis = Millis(4);
/// The addresses of three boards: the board that players use, and its two neighbours. The addresses differ in only a
/// few bits. So if answers are mixed on the bus, they look like answers of other boards.
const ADDRESSES: [u16; 3] = [1025, 1026, 2054];
/// The position on the boards that players do not use.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// The configuration of a simulated bus.
#[derive(Clone, Debug, Default)]
pub struct WireConfig {
    /// The boards; the first one is used by players.
    pub boards: Vec<UnitConfig>,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The faults of the line.
    pub faults: LineFaults,
}

/// A simulated bus with its boards.
pub struct Wire {
    units: Vec<Unit>,
    decoder: DgtCommandDecoder,
    /// The bytes on the bus cable, by time slot. One slot is the time in which one byte is transmitted. Answers that
    /// overlap in time share slots.
    line: BTreeMap<u64, u8>,
    faults: LineFaults,
    dice: Dice,
    plug: Plug,
    out: Vec<Vec<u8>>,
}

/// Returns the slot of the byte that is complete at this time.
fn place(at: Instant) -> u64 {
    at.millis() * BYTES_A_SECOND / 1000
}

/// Returns the time at which the byte in this slot is complete.
fn moment(place: u64) -> Instant {
    Instant::from_millis((place * 1000).div_ceil(BYTES_A_SECOND))
}

impl Wire {
    /// Creates boards that were just switched on.
    pub fn new(config: &WireConfig) -> Self {
        let mut dice = Dice::new(config.seed);
        let units = config.boards.iter().map(|board| Unit::new(board, &mut dice)).collect();
        Self {
            units,
            decoder: DgtCommandDecoder::new(),
            line: BTreeMap::new(),
            faults: config.faults.clone(),
            dice,
            plug: Plug::new(&config.faults.unplug_at),
            out: Vec::new(),
        }
    }

    /// Creates a typical bus of a playing hall: the board that players use, and two neighbours.
    pub fn of(setup: &SimSetup) -> Self {
        let start = START.parse().unwrap_or_default();
        let mut boards =
            ADDRESSES.map(|address| UnitConfig { address, board: start, ..UnitConfig::default() });
        if let Some(played) = boards.first_mut() {
            // Boards of different ages share a bus, and only some of them send an end mark after log entries.
            played.marks_end = setup.seed % 2 == 1;
            (played.board, played.turned) = (setup.board, setup.turned);
            played.white_right = setup.white_right();
            played.clock = setup.clock.or(played.clock);
        }
        Self::new(&WireConfig { boards: boards.into(), seed: setup.seed, faults: setup.faults.clone() })
    }

    /// Returns the boards on the bus.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Carries out what people physically do at the board with index `nth`.
    pub fn happen_at(&mut self, nth: usize, what: Physical, at: Instant) {
        self.on_time(at);
        if let Physical::Unplug(out) = what {
            self.pull(Some(at + out));
        } else if let Some(unit) = self.units.get_mut(nth) {
            unit.happen(what, at);
        }
    }

    /// Switches the board with index `nth` off or on; the others are not affected.
    pub fn switch(&mut self, nth: usize, on: bool, now: Instant) {
        self.on_time(now);
        if let Some(unit) = self.units.get_mut(nth) {
            unit.switch(on, now);
        }
    }

    fn hear(&mut self, command: &DgtCommand, now: Instant) {
        let mut said = Vec::new();
        for (nth, unit) in self.units.iter_mut().enumerate() {
            let mut say = Vec::new();
            unit.obey(command, now, &mut self.dice, &mut say);
            said.extend(say.into_iter().map(|(after, bytes)| (nth, after, bytes)));
        }
        for (nth, after, bytes) in said {
            self.send(nth, bytes, now + COMMAND + after);
        }
    }

    /// Sends an answer of the board with index `nth` over the bus, beginning at the time `at`. If the board is still
    /// sending earlier answers at that time, the new answer begins after them.
    fn send(&mut self, nth: usize, mut bytes: Vec<u8>, at: Instant) {
        if self.dice.chance(self.faults.lost) {
            // In half of the cases one byte is lost, in the other half the complete answer.
            let lost = usize::try_from(self.dice.below(2 * bytes.len() as u64)).unwrap_or(0);
            if lost >= bytes.len() {
                return;
            }
            bytes.remove(lost);
        }
        if self.dice.chance(self.faults.doubled) {
            bytes.extend(bytes.clone());
        }
        let Some(unit) = self.units.get_mut(nth) else { return };
        let first = unit.takes_line(place(at) + 1, bytes.len() as u64);
        for (place, byte) in (first..).zip(bytes) {
            // If several boards send at the same time, each bit on the line is a one if any of them sends a one.
            *self.line.entry(place).or_insert(0) |= byte;
        }
    }

    /// Finds the bytes that the host receives together: consecutive bytes, beginning with the first waiting byte.
    /// Returns the slot of the last of these bytes.
    fn burst(&self) -> Option<u64> {
        let (first, _) = self.line.first_key_value()?;
        let run = self.line.keys().zip(*first..).take_while(|(place, expected)| *place == expected);
        run.map(|(place, _)| *place).take(usize::try_from(TOGETHER).unwrap_or(1)).last()
    }

    fn deliver(&mut self, due: Instant) {
        while let Some(last) = self.burst().filter(|last| moment(*last) <= due) {
            let rest = self.line.split_off(&(last + 1));
            let bytes: Vec<u8> = std::mem::replace(&mut self.line, rest).into_values().collect();
            self.out.extend(self.faults.pieces(&bytes));
        }
    }
}

impl Plugged for Wire {
    fn socket(&self) -> &Plug {
        &self.plug
    }

    fn socket_mut(&mut self) -> &mut Plug {
        &mut self.plug
    }

    fn work_due(&self) -> Option<Instant> {
        let looks = self.units.iter().filter_map(Unit::next_look);
        looks.chain(self.burst().map(moment)).min()
    }

    fn work(&mut self, due: Instant) {
        self.deliver(due);
        self.units.iter_mut().for_each(|unit| unit.look(due));
    }

    fn lose_power(&mut self) {
        self.line.clear();
        self.out.clear();
        self.decoder.abandon();
    }

    /// The line also supplies the boards with power.
    fn start_up(&mut self, now: Instant) {
        for unit in &mut self.units {
            unit.switch(false, now);
            unit.switch(true, now);
        }
    }
}

impl SimBoard for Wire {
    fn has_lever(&self) -> bool {
        true
    }

    fn happen(&mut self, what: Physical, at: Instant) {
        self.happen_at(0, what, at);
    }

    fn on_host_bytes(&mut self, bytes: &[u8], now: Instant) {
        self.on_time(now);
        if !self.plugged() {
            return;
        }
        for byte in bytes {
            if let Some(command) = self.decoder.push(*byte) {
                self.hear(&command, now);
            }
        }
    }

    fn on_time(&mut self, now: Instant) {
        self.run_until(now);
    }

    fn deadline(&self) -> Option<Instant> {
        self.due()
    }

    fn take_messages(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.out)
    }

    fn board(&self) -> Board {
        self.units.first().map(Unit::board).unwrap_or_default()
    }

    fn plugged(&self) -> bool {
        self.plug.is_in()
    }

    fn unplug(&mut self, now: Instant) {
        self.on_time(now);
        self.pull(None);
    }

    fn plug(&mut self, now: Instant) {
        self.put(now);
    }

    fn is_started(&self) -> bool {
        self.units.first().is_some_and(Unit::tells)
    }

    fn clock(&mut self, what: ClockAction, now: Instant) {
        self.on_time(now);
        if let Some(unit) = self.units.first_mut() {
            unit.clock_deed(what, now);
        }
    }

    fn display_text(&self) -> Option<String> {
        self.units.first().and_then(Unit::display_text)
    }

    fn unit(&self) -> Option<String> {
        self.units.first().map(|unit| unit.address().to_string())
    }
}

/// Returns the configuration of a clock that counts by itself, as in playing halls.
pub(super) fn hall_clock() -> ClockConfig {
    ClockConfig { mode: 1, time: Millis::from_secs(2 * 3600), ..ClockConfig::default() }
}

/// Returns whether a command to the address `to` is meant for the board at `address`.
fn is_for(address: u16, to: u16) -> bool {
    to == address || to == ALL
}

#[cfg(test)]
mod tests;
