//! A whole wire from its boards' side: several boards, all of which hear every command, and their answers, which become one
//! stream of bytes. Where two answer at once their bytes are mixed.
//!
//! Bytes and moments in, bytes out; what is done by hand is done at the first board, the others stand still unless a test
//! moves their pieces. Not simulated: 50-square boards, a wire with something else than boards on it.
//!
//! Source: the DGT notes, "Bus mode" with its paragraph "Simulator".

mod unit;

use std::collections::BTreeMap;

use tabiya_types::{Board, Instant, Millis};
pub use unit::{Unit, UnitConfig};

use super::codec::ALL;
use crate::human::{Dice, Physical};
use crate::makers::dgt::codec::{DgtCommand, DgtCommandDecoder};
use crate::sim::{ClockConfig, ClockDeed, LineFaults, Plug, SimBoard, SimSetup};

/// Bytes a second at 9600 baud, ten bits each.
const BYTES_A_SECOND: u64 = 960;
/// Bytes that a USB adapter hands on together at most, as it does every 16 ms.
const TOGETHER: u64 = 16;
/// The time of a command's four bytes.
const COMMAND: Millis = Millis(4);
/// The address of the board that is played on, and those of its neighbours. They differ in few bits, so that collisions
/// look like other boards.
const ADDRESSES: [u16; 3] = [1025, 1026, 2054];
/// What the neighbours' boards show.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// What hangs on the wire, and what goes wrong.
#[derive(Clone, Debug, Default)]
pub struct WireConfig {
    /// The boards, the one that is played on first.
    pub boards: Vec<UnitConfig>,
    /// Decides everything that chance decides.
    pub seed: u64,
    /// What goes wrong on the line.
    pub faults: LineFaults,
}

/// The wire with its boards.
pub struct Wire {
    units: Vec<Unit>,
    decoder: DgtCommandDecoder,
    /// Bytes on their way, each at its place in time: answers that overlap share their places.
    line: BTreeMap<u64, u8>,
    faults: LineFaults,
    dice: Dice,
    plug: Plug,
    out: Vec<Vec<u8>>,
}

/// The place of the byte that is whole at that moment.
fn place(at: Instant) -> u64 {
    at.millis() * BYTES_A_SECOND / 1000
}

/// When the byte of a place is whole.
fn moment(place: u64) -> Instant {
    Instant::from_millis((place * 1000).div_ceil(BYTES_A_SECOND))
}

impl Wire {
    /// Boards that were just switched on.
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

    /// A hall's usual wire: the board that is played on, and two neighbours.
    pub fn of(setup: &SimSetup) -> Self {
        let start = START.parse().unwrap_or_default();
        let mut boards =
            ADDRESSES.map(|address| UnitConfig { address, board: start, ..UnitConfig::default() });
        if let Some(played) = boards.first_mut() {
            // Boards of different ages hang on one wire: some mark the end of what they tell.
            played.marks_end = setup.seed % 2 == 1;
            (played.board, played.turned) = (setup.board, setup.turned);
            played.clock = setup.clock.or(played.clock);
        }
        Self::new(&WireConfig { boards: boards.into(), seed: setup.seed, faults: setup.faults.clone() })
    }

    /// The boards on it.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Something really happens at the `nth` board.
    pub fn happen_at(&mut self, nth: usize, what: Physical, at: Instant) {
        self.on_time(at);
        if let Physical::Unplug(out) = what {
            self.pull(Some(at + out));
        } else if let Some(unit) = self.units.get_mut(nth) {
            unit.happen(what, at);
        }
    }

    /// Switches the `nth` board off or on; the others stay as they are.
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

    /// Puts an answer on the wire from that moment on, after what the same board says already.
    fn send(&mut self, nth: usize, mut bytes: Vec<u8>, at: Instant) {
        if self.dice.chance(self.faults.lost) {
            // Half of what goes wrong loses a byte, the other half all of them.
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
            // Each board pulls the line where it has a one.
            *self.line.entry(place).or_insert(0) |= byte;
        }
    }

    /// The place of the last byte that the host gets together with the first that waits.
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

    fn step(&mut self, due: Instant) {
        if !self.plug.is_in() {
            self.plug(due);
            return;
        }
        if let Some(back) = self.plug.fails(due) {
            self.pull(Some(back));
            return;
        }
        self.deliver(due);
        self.units.iter_mut().for_each(|unit| unit.look(due));
    }

    fn pull(&mut self, back: Option<Instant>) {
        self.plug.pull(back);
        self.line.clear();
        self.out.clear();
        self.decoder.abandon();
    }
}

impl SimBoard for Wire {
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
        while let Some(due) = self.deadline().filter(|due| *due <= now) {
            self.step(due);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        if !self.plug.is_in() {
            return self.plug.deadline();
        }
        let line = self.burst().map(moment);
        let look = self.units.iter().filter_map(Unit::next_look).min();
        [self.plug.deadline(), line, look].into_iter().flatten().min()
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

    /// The boards' power comes back with the line.
    fn plug(&mut self, now: Instant) {
        if self.plug.put() {
            for unit in &mut self.units {
                unit.switch(false, now);
                unit.switch(true, now);
            }
        }
    }

    fn tells(&self) -> bool {
        self.units.first().is_some_and(Unit::tells)
    }

    fn clock(&mut self, what: ClockDeed, now: Instant) {
        self.on_time(now);
        if let Some(unit) = self.units.first_mut() {
            unit.clock_deed(what, now);
        }
    }

    fn clock_told(&self) -> Option<String> {
        self.units.first().and_then(Unit::clock_told)
    }

    fn unit(&self) -> Option<String> {
        self.units.first().map(|unit| unit.address().to_string())
    }
}

/// A clock that counts by itself, as those in halls do.
pub(super) fn hall_clock() -> ClockConfig {
    ClockConfig { mode: 1, time: Millis::from_secs(2 * 3600), ..ClockConfig::default() }
}

/// Whether a command is for the board of this address.
fn is_for(address: u16, to: u16) -> bool {
    to == address || to == ALL
}

#[cfg(test)]
mod tests;
