//! Checks the times that a clock reports. The drivers for single boards and for the tournament bus both use it.
//!
//! Source: the project's DGT protocol notes, section "BWTIME with times".

use super::codec::{ClockFrame, SideTime};
use crate::event::{ClockTimes, Side};

/// If a reported time is more than this number of seconds above the previous time, the report is outdated or damaged.
const LARGEST_RISE_SECS: u16 = 3600;

/// The state of both displays of a clock.
#[derive(Default)]
pub(crate) struct TimesFilter {
    times: Option<Shown>,
    /// The latest report, if its times jumped up so much that a second report must confirm them; otherwise `None`.
    doubted: Option<Shown>,
}

#[derive(Clone, Copy)]
struct Shown {
    left: SideTime,
    right: SideTime,
}

impl Shown {
    fn rises_too_far(self, before: Self) -> bool {
        let rise = |now: SideTime, before: SideTime| now.secs().saturating_sub(before.secs());
        rise(self.left, before.left) > LARGEST_RISE_SECS || rise(self.right, before.right) > LARGEST_RISE_SECS
    }
}

impl TimesFilter {
    /// Returns the times of a connected clock; `None` if they are doubtful and the next report must confirm them.
    pub(crate) fn accept(&mut self, frame: ClockFrame) -> Option<ClockTimes> {
        let shown = Shown { left: frame.left, right: frame.right };
        let rise = self.times.is_some_and(|before| shown.rises_too_far(before));
        // A single report whose times rose too far is outdated. If the next report agrees with it, the times are
        // real.
        let confirmed = self.doubted.is_some_and(|before| !shown.rises_too_far(before));
        if rise && !confirmed {
            self.doubted = Some(shown);
            return None;
        }
        self.doubted = None;
        self.times = Some(shown);
        let to_move = if frame.status.right_up() { Side::Right } else { Side::Left };
        let fell = |time: SideTime| time.blocked || time.flag;
        let fallen = match (fell(frame.left), fell(frame.right)) {
            (false, false) => None,
            (true, false) => Some(Side::Left),
            (false, true) => Some(Side::Right),
            // Both flags fell. The time of the side to move ran last, so the flag of the opponent fell first.
            (true, true) => Some(to_move.other()),
        };
        Some(ClockTimes {
            left: frame.left.millis(),
            right: frame.right.millis(),
            running: frame.status.running().then_some(to_move),
            to_move: Some(to_move),
            fallen,
            battery_low: frame.status.battery_low(),
        })
    }
}
