//! Simulates the clock that is connected to a DGT board.
//!
//! Source: the project's DGT protocol notes, section "Clocks": the bits of the display, the lever, the modes 23 and
//! 25 for set-and-run commands, and which commands a model obeys. Our own choice: the clock rounds up to whole
//! seconds.

use tabiya_types::{Instant, Millis};

pub(crate) use crate::event::Side as ClockSide;
use crate::makers::dgt::codec::{ClockCommand, ClockFrame, ClockStatus, SetAndRun, SideTime};
use crate::sim::{ClockConfig, ClockModel};

/// Returns the mode in which this model obeys set-and-run commands; `None` if it has no such mode.
fn run_in(model: ClockModel) -> Option<u8> {
    match model {
        ClockModel::TopMatch => None,
        ClockModel::Xl => Some(23),
        ClockModel::Dgt3000 => Some(25),
    }
}

/// The state of one side.
#[derive(Clone, Copy, Debug)]
struct Side {
    shown: Millis,
    up: bool,
    blocked: bool,
}

/// The simulated clock.
#[derive(Clone, Debug)]
pub(crate) struct SimClock {
    config: ClockConfig,
    left: Side,
    right: Side,
    right_up: bool,
    running: Option<ClockSide>,
    /// The moment of the last update of the running side. The time used since then is not yet counted.
    counted: Instant,
    /// Whether moving the lever changes the side that counts. It matters only in the mode for set-and-run commands.
    lever_changes: bool,
    text: Option<String>,
}

impl SimClock {
    /// Creates a stopped clock whose left side is up.
    pub(crate) fn new(config: ClockConfig) -> Self {
        let side = Side { shown: config.time, up: false, blocked: false };
        Self {
            config,
            left: side,
            right: side,
            right_up: false,
            running: None,
            counted: Instant::ZERO,
            lever_changes: false,
            text: None,
        }
    }

    /// Returns the text that the display shows instead of the times.
    #[cfg(test)]
    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Describes both times for people, with a mark at the side that counts. If the clock shows a text instead of the
    /// times, the description also contains this text.
    pub(crate) fn describe(&self) -> String {
        let side = |side: ClockSide, of: &Side| {
            let mark = if self.running == Some(side) { ">" } else { "" };
            format!("{mark}{}", of.shown)
        };
        let (left, right) = (side(ClockSide::Left, &self.left), side(ClockSide::Right, &self.right));
        let text =
            self.text.as_ref().map(|text| format!("  shows \"{}\"", text.trim_end())).unwrap_or_default();
        format!("clock: {left}  {right}{text}")
    }

    /// Returns the side that counts.
    pub(crate) fn running(&self) -> Option<ClockSide> {
        self.running
    }

    fn side(&mut self, side: ClockSide) -> &mut Side {
        match side {
            ClockSide::Left => &mut self.left,
            ClockSide::Right => &mut self.right,
        }
    }

    /// Updates the running side up to `now`. A side that reaches zero is blocked, and the clock stops.
    pub(crate) fn count(&mut self, now: Instant) {
        let used = now.since(self.counted);
        self.counted = self.counted.max(now);
        let Some(running) = self.running else { return };
        let side = self.side(running);
        if side.up {
            side.shown = side.shown + used;
            return;
        }
        side.shown = side.shown.saturating_sub(used);
        if side.shown == Millis::ZERO {
            side.blocked = true;
            self.running = None;
        }
    }

    /// Returns the state of the clock, as a board reports it.
    pub(crate) fn frame(&self) -> ClockFrame {
        let bonus = self.config.bonus > Millis::ZERO && !self.runs_in();
        let time = |side: &Side| {
            let secs = u32::try_from(side.shown.0.div_ceil(1000)).unwrap_or(u32::MAX);
            let mut time = SideTime::from_secs(secs);
            (time.blocked, time.bonus) = (side.blocked, bonus);
            time
        };
        let status = ClockStatus::new(self.running.is_some(), self.right_up);
        let low = if self.config.battery_low { 0x04 } else { 0 };
        let status = ClockStatus::from_byte(status.byte() | low);
        ClockFrame { left: time(&self.left), right: time(&self.right), status }
    }

    fn runs_in(&self) -> bool {
        run_in(self.config.model) == Some(self.config.mode)
    }

    /// Returns the side whose lever is up. The player of this side is to move.
    fn to_move(&self) -> ClockSide {
        if self.right_up { ClockSide::Right } else { ClockSide::Left }
    }

    /// Presses the lever down on this side. Nothing happens if this side is down already.
    pub(crate) fn press(&mut self, side: ClockSide, now: Instant) {
        self.count(now);
        if self.to_move() != side {
            return;
        }
        self.right_up = side == ClockSide::Left;
        let counting = self.running == Some(side);
        if !counting || (self.runs_in() && !self.lever_changes) {
            return;
        }
        if !self.runs_in() {
            let bonus = self.config.bonus;
            let presser = self.side(side);
            presser.shown = presser.shown + bonus;
        }
        self.running = Some(side.other());
    }

    /// Presses the start button: the side whose lever is up counts.
    pub(crate) fn start(&mut self, now: Instant) {
        self.count(now);
        let side = self.to_move();
        if !self.side(side).blocked {
            self.running = Some(side);
        }
    }

    /// Presses the pause button: neither side counts.
    pub(crate) fn stop(&mut self, now: Instant) {
        self.count(now);
        self.running = None;
    }

    /// Sets both displays, as people do with the clock's buttons, and stops the clock.
    pub(crate) fn set(&mut self, left: Millis, right: Millis, now: Instant) {
        self.stop(now);
        self.left = Side { shown: left, up: false, blocked: false };
        self.right = Side { shown: right, up: false, blocked: false };
    }

    /// Executes a command and returns the four bytes of the acknowledgement; `None` if this model does not answer.
    pub(crate) fn obey(&mut self, command: &ClockCommand, now: Instant) -> Option<[u8; 4]> {
        const DONE: u8 = 0x10;
        const REFUSED: u8 = 0x40;
        if self.config.model == ClockModel::TopMatch {
            return None;
        }
        self.count(now);
        let done = Some([DONE, command.number(), 0, 0]);
        match command {
            ClockCommand::Xl(text) => {
                self.text = Some(text.text());
                done
            }
            ClockCommand::Text3000 { text, .. } => {
                (self.config.model == ClockModel::Dgt3000).then(|| {
                    self.text = Some(text.iter().map(|byte| char::from(*byte)).collect());
                })?;
                done
            }
            ClockCommand::TextRevelation { .. } => None,
            ClockCommand::End => {
                self.text = None;
                done
            }
            ClockCommand::Icons(_) | ClockCommand::Button | ClockCommand::Beep(_) => done,
            ClockCommand::Version => {
                let (main, sub) = self.config.version;
                Some([DONE, command.number(), main << 4 | sub & 0x0F, 0])
            }
            ClockCommand::SetAndRun(settings) => {
                if !self.runs_in() {
                    return Some([REFUSED, command.number(), 0, 0]);
                }
                self.set_and_run(settings, now);
                done
            }
        }
    }

    fn set_and_run(&mut self, settings: &SetAndRun, now: Instant) {
        let time = |secs: u32| Millis::from_secs(u64::from(secs));
        self.set(time(settings.left.secs()), time(settings.right.secs()), now);
        (self.left.up, self.right.up) = (settings.left.up, settings.right.up);
        self.lever_changes = settings.flags & SetAndRun::LEVER != 0;
        let paused = settings.flags & SetAndRun::PAUSE != 0;
        self.running = if paused {
            None
        } else if settings.flags & SetAndRun::LEFT_RUNS != 0 {
            Some(ClockSide::Left)
        } else if settings.flags & SetAndRun::RIGHT_RUNS != 0 {
            Some(ClockSide::Right)
        } else {
            None
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    fn own_time() -> SimClock {
        let config = ClockConfig { mode: 1, bonus: Millis::from_secs(2), ..ClockConfig::default() };
        SimClock::new(config)
    }

    #[test]
    fn a_press_turns_the_lever_and_earns_the_bonus() {
        let mut clock = own_time();
        clock.start(at(0));
        clock.count(at(10_000));
        assert_eq!(clock.frame().left.secs(), 290);
        assert_eq!(clock.frame().status.byte(), 0x09);
        clock.press(ClockSide::Left, at(10_500));
        assert_eq!(clock.frame().left.secs(), 292);
        assert_eq!(clock.frame().status.byte(), 0x13);
        assert_eq!(clock.running(), Some(ClockSide::Right));
    }

    #[test]
    fn a_side_at_zero_is_blocked_and_the_clock_stands() {
        let mut clock = own_time();
        clock.set(Millis(1_000), Millis(16_000), at(0));
        clock.start(at(0));
        clock.count(at(1_200));
        let frame = clock.frame();
        assert!(frame.left.blocked && !frame.status.running());
        assert_eq!(frame.status.byte(), 0x08);
    }

    #[test]
    fn in_the_run_in_mode_the_lever_alone_changes_no_side() {
        let mut clock = SimClock::new(ClockConfig::default());
        let flags = SetAndRun::LEFT_RUNS;
        let settings = SetAndRun { flags, ..SetAndRun::default() };
        let left = crate::makers::dgt::codec::SideSetting::from_secs(100);
        let command = ClockCommand::SetAndRun(SetAndRun { left, right: left, ..settings });
        assert_eq!(clock.obey(&command, at(0)), Some([0x10, 0x0A, 0, 0]));
        clock.press(ClockSide::Left, at(1_000));
        assert!(clock.frame().status.right_up());
        assert_eq!(clock.running(), Some(ClockSide::Left));
    }
}
