//! The initial state of a simulated board's clock. The maker's own module simulates the clock's behaviour.

use tabiya_types::Millis;

/// The model of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockModel {
    /// An old clock that reports its times and obeys no commands.
    TopMatch,
    /// DGT XL, versions 1.x: a display of six characters. The clock obeys a computer in mode 23.
    Xl,
    /// DGT 3000, versions 2.x: a display of eight characters. The clock obeys a computer in mode 25.
    Dgt3000,
}

/// The initial state of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockConfig {
    /// The model of the clock.
    pub model: ClockModel,
    /// The clock's version, main and sub number. Drivers recognise the model by the main number.
    pub version: (u8, u8),
    /// The clock's mode, 1..=25. In mode 23 (XL) or 25 (DGT 3000) the clock obeys a computer. In the other modes it
    /// counts the times by itself.
    pub mode: u8,
    /// The initial time of both sides.
    pub time: Millis,
    /// The time that a press adds, in the modes in which the clock counts the times by itself.
    pub bonus: Millis,
    /// Whether the clock reports a low battery. The warning does not change during the simulation.
    pub battery_low: bool,
}

impl Default for ClockConfig {
    /// A DGT 3000 that obeys a computer.
    fn default() -> Self {
        Self {
            model: ClockModel::Dgt3000,
            version: (2, 0),
            mode: 25,
            time: Millis::from_secs(300),
            bonus: Millis::ZERO,
            battery_low: false,
        }
    }
}
