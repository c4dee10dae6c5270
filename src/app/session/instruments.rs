//! The devices of a match: the board with its clock and lamps, and the card-reader box beside the board. This file
//! keeps what the devices reported about themselves, and makes the commands for them.

use tabiya_boards::driver::BoardCommand;
use tabiya_boards::lights::Lights;
use tabiya_boards::{BoardEvent, ClockRefusal};
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Audience, ClockSource, Common, Table};
use tabiya_types::{Instant, say};

use super::clock_pilot::ClockPilot;
use super::lamps;
use super::sight::BoardSight;
use super::speech::Speech;
use super::tell::{board_name, tell_declaration};
use tabiya_engine::clock::ClockSide;

/// What is known about the board's clock. This matters only if the players agreed to use the clock's times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum ClockBehind {
    /// No clock was reported yet.
    #[default]
    Unheard,
    /// A clock was reported.
    Heard,
    /// A clock was reported, and does not answer any more.
    Lost,
    /// No clock was reported, and people were warned about that.
    Missed,
}

/// A device of the match: the board or the box.
#[derive(Debug, Default)]
struct Device {
    /// The name that the device reported when it was connected; `None` before.
    name: Option<String>,
    /// The control of the device's clock or display.
    pilot: ClockPilot,
}

/// The board, and the card-reader box beside the board.
#[derive(Debug)]
pub(super) struct Instruments {
    board: Device,
    beside: Device,
    /// Whether the connection to the board is lost. In that case the board's last position is not used to guide
    /// people.
    pub(super) gone: bool,
    /// The lamps that the last command to the board has lit.
    lit: Lights,
    clock_behind: ClockBehind,
}

impl Default for Instruments {
    fn default() -> Self {
        let (board, beside) = (Device::default(), Device::default());
        Self { board, beside, gone: false, lit: Lights::DARK, clock_behind: ClockBehind::default() }
    }
}

impl Instruments {
    /// Handles an event from the board. Returns whether to start guiding people to the expected position, because a
    /// board was connected or is connected again.
    pub(super) fn board(&mut self, event: &BoardEvent, speech: &mut Speech) -> bool {
        self.board.pilot.hear(event);
        match event {
            BoardEvent::Observed(_) => self.gone = false,
            BoardEvent::Identified(info) => {
                // A board that was just connected has no lamps lit, so the lamps must be sent again.
                self.lit = Lights::DARK;
                let name = board_name(info);
                if self.board.name.as_ref() != Some(&name) {
                    speech.say(say!("board-connected", "connected: {name}", name = name.clone()));
                    self.board.name = Some(name);
                    return true;
                }
            }
            BoardEvent::Wants(what) => speech.say(what.clone()),
            BoardEvent::Declared(declaration) => speech.say(tell_declaration(*declaration)),
            BoardEvent::Battery { percent, low: true, .. } => speech.say(say!(
                "battery-low",
                "the board's battery is low ({percent} %): charge it soon",
                percent = *percent
            )),
            BoardEvent::Lost(error) => {
                self.gone = true;
                let error = error.to_string();
                speech.say(say!(
                    "board-gone",
                    "the board is gone: {error}; play goes on, type the moves meanwhile",
                    error
                ));
            }
            BoardEvent::Back => {
                self.gone = false;
                speech.say(say!("board-back", "the board is back, and its position was read"));
                return true;
            }
            BoardEvent::ClockFound(_) => {
                self.clock_behind = ClockBehind::Heard;
                speech.say(say!("clock-found", "a clock is connected to the board"));
            }
            BoardEvent::ClockGone => {
                self.clock_behind = ClockBehind::Lost;
                speech.say(say!("clock-gone", "the clock is not connected any more"));
            }
            BoardEvent::ClockRefused { why, .. } => {
                if *why == ClockRefusal::NoAnswer {
                    self.clock_behind = ClockBehind::Lost;
                }
                tell_clock_refusal(*why, speech);
            }
            BoardEvent::ClockTimes(_) => self.clock_behind = ClockBehind::Heard,
            BoardEvent::Tag { .. }
            | BoardEvent::Battery { .. }
            | BoardEvent::ClockButton(_)
            | BoardEvent::Remember { .. }
            | BoardEvent::Damage { .. }
            | BoardEvent::Unknown { .. } => {}
        }
        false
    }

    /// Handles an event from the card-reader box beside the board.
    pub(super) fn beside(&mut self, event: &BoardEvent, speech: &mut Speech) {
        self.beside.pilot.hear(event);
        match event {
            BoardEvent::Identified(info) => {
                let name = board_name(info);
                if self.beside.name.as_ref() != Some(&name) {
                    speech.say(say!(
                        "box-connected",
                        "the box beside the board is connected: {name}",
                        name = name.clone()
                    ));
                    self.beside.name = Some(name);
                }
            }
            BoardEvent::Wants(what) => speech.say(what.clone()),
            BoardEvent::Battery { percent, low: true, .. } => speech.say(say!(
                "box-battery-low",
                "the battery of the box beside the board is low ({percent} %): charge it soon",
                percent = *percent
            )),
            BoardEvent::Lost(error) => speech.say(say!(
                "box-gone",
                "the box beside the board is gone: {error}; play goes on, type the cards meanwhile",
                error = error.to_string()
            )),
            BoardEvent::Back => speech.say(say!("box-back", "the box beside the board is back")),
            BoardEvent::Observed(_)
            | BoardEvent::Tag { .. }
            | BoardEvent::Declared(_)
            | BoardEvent::Battery { .. }
            | BoardEvent::ClockFound(_)
            | BoardEvent::ClockGone
            | BoardEvent::ClockTimes(_)
            | BoardEvent::ClockButton(_)
            | BoardEvent::ClockRefused { .. }
            | BoardEvent::Remember { .. }
            | BoardEvent::Damage { .. }
            | BoardEvent::Unknown { .. } => {}
        }
    }

    /// Notes that people disconnected the board on purpose; play goes on without it.
    pub(super) fn leave_board(&mut self) {
        (self.gone, self.board.name) = (true, None);
    }

    /// Returns the commands that are due for the board and its clock: lamps, display, clock setting.
    pub(super) fn board_orders(&mut self, watch: &Watch, seat: ClockSide, now: Instant) -> Vec<BoardCommand> {
        let mut orders = self.board.pilot.orders(watch, seat, now);
        let guides = BoardSight { watch, gone: self.gone }.guidance().is_some();
        let lights = lamps::lights(watch, guides);
        if self.lit != lights {
            self.lit = lights;
            orders.push(BoardCommand::Light(lights));
        }
        orders
    }

    /// Returns the commands that are due for the display of the card-reader box beside the board.
    pub(super) fn box_orders(&mut self, watch: &Watch, seat: ClockSide, now: Instant) -> Vec<BoardCommand> {
        self.beside.pilot.orders(watch, seat, now)
    }

    /// Whether a physical clock does not report, although it did, or although its times were to be used.
    pub(super) fn clock_is_silent(&self) -> bool {
        matches!(self.clock_behind, ClockBehind::Lost | ClockBehind::Missed)
    }

    /// Returns the inputs that follow from the physical clock's last report, if the match uses the clock's times.
    pub(super) fn clock_news(&mut self, watch: &Watch, seat: ClockSide, at: Instant) -> Vec<Common> {
        self.board.pilot.news(watch, seat, at)
    }

    /// The next time at which a display may change although no event arrives.
    pub(super) fn wakes(&self) -> Option<Instant> {
        self.board.pilot.wakes().into_iter().chain(self.beside.pilot.wakes()).min()
    }

    /// Notes that time has reached `now`, and drops wake-up times that have passed.
    pub(super) fn woken(&mut self, now: Instant) {
        self.board.pilot.woken(now);
        self.beside.pilot.woken(now);
    }

    /// Warns once if no clock reports times, although the players agreed to use the times of a physical clock.
    pub(super) fn warn_missing_clock(&mut self, table: &Table, speech: &mut Speech) {
        let counts = table.terms().clock == ClockSource::Device && table.time_runs();
        if counts && self.clock_behind == ClockBehind::Unheard {
            self.clock_behind = ClockBehind::Missed;
            speech.alert(Audience::Players, say!(
                "clock-missing",
                "no physical clock reports its times, although the players agreed to use them: Tabiya's own clock runs until a physical clock reports"
            ));
        }
    }
}

fn tell_clock_refusal(why: ClockRefusal, speech: &mut Speech) {
    match why {
        ClockRefusal::WrongMode => speech.say(say!(
            "clock-wrong-mode",
            "the clock cannot be set: switch it to its computer mode (mode 25 on a DGT 3000, mode 23 on a DGT XL)"
        )),
        ClockRefusal::NoAnswer => {
            speech.say(say!("clock-no-answer", "the clock does not answer; the times that Tabiya shows are right"));
        }
        // People can do nothing about these two refusals, so they are not announced.
        ClockRefusal::NoClock | ClockRefusal::CannotShow => {}
    }
}
