//! The initial state of a simulated board's clock. Its behaviour is simulated by the maker's own module.

use tabiya_types::Millis;

/// The model of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockModel {
    /// An old clock that reports its times and accepts no commands.
    TopMatch,
    /// DGT XL, versions 1.x: six characters; mode 23 obeys a computer.
    Xl,
    /// DGT 3000, versions 2.x: eight characters; mode 25 obeys a computer.
    Dgt3000,
}

/// The initial state of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockConfig {
    /// The model of the clock.
    pub model: ClockModel,
    /// Its version, main and sub number; drivers recognise the model by the main number.
    pub version: (u8, u8),
    /// The mode, 1..=25. In mode 23 (XL) or 25 (DGT 3000) the clock obeys a computer; in the others it counts by
    /// itself.
    pub mode: u8,
    /// The initial time of both sides.
    pub time: Millis,
    /// The time that a press adds in modes in which the clock counts by itself.
    pub bonus: Millis,
    /// Whether the clock reports a low battery; the course of the warning is not simulated.
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
