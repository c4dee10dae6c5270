//! What a clock's displays say, as far as it is believed: on a line of its own and on the bus.
//!
//! Source: the DGT notes, "BWTIME with times".

use super::codec::{ClockFrame, SideTime};
use crate::event::{ClockTimes, Side};

/// A time that rises by more than this is stale or junk.
const LARGEST_RISE_SECS: u16 = 3600;

/// Both displays of one clock.
#[derive(Default)]
pub(crate) struct Dial {
    times: Option<Shown>,
    /// A rise that was not believed yet.
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

impl Dial {
    /// The times of a clock that is connected, unless they are to be doubted.
    pub(crate) fn read(&mut self, frame: ClockFrame) -> Option<ClockTimes> {
        let shown = Shown { left: frame.left, right: frame.right };
        let rise = self.times.is_some_and(|before| shown.rises_too_far(before));
        // One report that leaps is a stale one; a second that says the same is the truth.
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
            // Both: the one that counted last fell last.
            (true, true) => Some(if to_move == Side::Left { Side::Right } else { Side::Left }),
        };
        Some(ClockTimes {
            left: frame.left.millis(),
            right: frame.right.millis(),
            running: frame.status.running().then_some(to_move),
            to_move,
            fallen,
            battery_low: frame.status.battery_low(),
        })
    }
}
