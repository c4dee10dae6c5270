//! The clock behind a simulated board, as it comes out of its box. What it does then is its maker's business.

use tabiya_types::Millis;

/// What kind of clock it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockModel {
    /// An old clock that tells its times and obeys nothing.
    TopMatch,
    /// DGT XL, versions 1.x: six characters, run-in mode 23.
    Xl,
    /// DGT 3000, versions 2.x: eight characters, run-in mode 25.
    Dgt3000,
}

/// A clock as it comes out of its box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockConfig {
    /// What kind.
    pub model: ClockModel,
    /// Its version, main and sub; the main number tells drivers the model.
    pub version: (u8, u8),
    /// 1..=25. 23 (XL) and 25 (DGT 3000) obey a computer, the others count by themselves.
    pub mode: u8,
    /// Both sides' first time.
    pub time: Millis,
    /// What a press earns, outside the run-in mode.
    pub bonus: Millis,
    /// Seconds of the battery warning and the like are not simulated; this lights its bit.
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
