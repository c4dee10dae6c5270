//! Drives the clock that is connected to a board: its lever, its times and its commands. Only one command at a time
//! may be unacknowledged.
//!
//! An acknowledgement names the command that it answers. A clock may repeat an old acknowledgement for a second, so
//! an acknowledgement counts only if it names the pending command.

use std::collections::VecDeque;

use tabiya_types::{Instant, Millis, Observation};

use crate::event::{BoardEvent, ClockButton, ClockInfo, ClockKind, ClockRefusal, ClockTask, Side};
use crate::makers::dgt::codec::{ClockCommand, ClockFrame, SetAndRun, XlText};
use crate::makers::dgt::dial::TimesFilter;

/// How long the driver waits for an acknowledgement before it sends the command again.
pub(super) const ACK_WAIT: Millis = Millis(2000);
/// How many times an unacknowledged command is sent again.
pub(super) const RESENDS: u8 = 3;
/// The time after which an unacknowledged command is given up, even if it could be sent again.
pub(super) const GIVE_UP: Millis = Millis(6000);
/// The largest number of commands that wait for the clock.
const LONGEST_QUEUE: usize = 8;

/// The state of the clock, and the commands for it.
#[derive(Default)]
pub(super) struct ClockLink {
    connected: bool,
    /// Whether the right side of the lever was up in the last report; `None` before the first report. The first report
    /// never counts as a press, because there is no earlier report to compare it with.
    right_up: Option<bool>,
    info: Option<ClockInfo>,
    queue: VecDeque<ClockCommand>,
    /// The text to show once the clock has reported its version.
    text: Option<String>,
    pending: Option<Pending>,
    dial: TimesFilter,
    last_ack: Option<[u8; 4]>,
}

/// A command that was sent and is not acknowledged yet.
struct Pending {
    command: ClockCommand,
    first_sent: Instant,
    /// The time at which the command is sent again.
    again_at: Instant,
    resends: u8,
}

impl ClockLink {
    /// Handles a report of the clock's times and lever.
    pub(super) fn on_frame(&mut self, frame: ClockFrame, events: &mut VecDeque<BoardEvent>) {
        self.last_ack = None;
        if !frame.status.connected() {
            self.gone(events);
            return;
        }
        if !self.connected {
            self.connected = true;
            self.ask(ClockCommand::Version);
        }
        let right_up = frame.status.right_up();
        if self.right_up.replace(right_up).is_some_and(|before| before != right_up) {
            // The lever changed: the player on the side that is now down has pressed the clock.
            let pressed = if right_up { Side::Left } else { Side::Right };
            events.push_back(BoardEvent::Observed(Observation::Press(pressed.color())));
        }
        self.times(frame, events);
    }

    fn times(&mut self, frame: ClockFrame, events: &mut VecDeque<BoardEvent>) {
        // Until the clock acknowledges a set-and-run command, it reports its old times.
        if self.waits_for_set_and_run() {
            return;
        }
        events.extend(self.dial.accept(frame).map(BoardEvent::ClockTimes));
    }

    fn waits_for_set_and_run(&self) -> bool {
        let pending = self.pending.as_ref().map(|pending| &pending.command);
        pending.into_iter().chain(&self.queue).any(|command| task(command) == ClockTask::SetAndRun)
    }

    fn gone(&mut self, events: &mut VecDeque<BoardEvent>) {
        if self.connected {
            // Keep the waiting text for the next clock that is connected.
            *self = Self { text: self.text.take(), ..Self::default() };
            events.push_back(BoardEvent::ClockGone);
        }
    }

    /// Queues a command for the clock. The command is dropped if the queue is full.
    fn ask(&mut self, command: ClockCommand) {
        if self.queue.len() < LONGEST_QUEUE {
            self.queue.push_back(command);
        }
    }

    /// Sets the clock. The new setting replaces a setting that was not sent yet.
    pub(super) fn set(&mut self, setting: SetAndRun, events: &mut VecDeque<BoardEvent>) {
        self.queue.retain(|command| task(command) != ClockTask::SetAndRun);
        self.order(ClockCommand::SetAndRun(setting), events);
    }

    /// Beeps for `times` units of 64 ms.
    pub(super) fn beep(&mut self, times: u8, events: &mut VecDeque<BoardEvent>) {
        self.order(ClockCommand::Beep(times), events);
    }

    /// Queues a command for the connected clock. Without a clock the command is refused and not kept for later.
    fn order(&mut self, command: ClockCommand, events: &mut VecDeque<BoardEvent>) {
        if self.connected {
            self.ask(command);
        } else {
            self.refuse(&command, ClockRefusal::NoClock, events);
        }
    }

    /// Shows a text with the command that this clock supports. Keeps the text while the clock's version is unknown.
    pub(super) fn show(&mut self, text: &str, events: &mut VecDeque<BoardEvent>) {
        self.drop_texts();
        match self.info.map(|info| info.kind) {
            None => self.text = Some(text.to_owned()),
            Some(ClockKind::Xl) => self.ask(ClockCommand::Xl(XlText::new(text, false))),
            Some(ClockKind::Dgt3000) => self.ask(ClockCommand::text_3000(text, 0)),
            Some(ClockKind::TimesOnly) => events
                .push_back(BoardEvent::ClockRefused { task: ClockTask::Show, why: ClockRefusal::CannotShow }),
        }
    }

    /// Makes the clock show its times again, and drops waiting texts.
    pub(super) fn end_display(&mut self) {
        self.drop_texts();
        if self.connected {
            self.ask(ClockCommand::End);
        }
    }

    fn drop_texts(&mut self) {
        self.text = None;
        self.queue.retain(|command| !matches!(task(command), ClockTask::Show | ClockTask::EndDisplay));
    }

    /// Returns the command to send now: the next queued command, or the pending command again. `None` if nothing is
    /// due.
    pub(super) fn next(&mut self, now: Instant, events: &mut VecDeque<BoardEvent>) -> Option<ClockCommand> {
        if !self.connected {
            return None;
        }
        if let Some(pending) = &mut self.pending {
            if now < pending.again_at {
                return None;
            }
            if pending.resends < RESENDS && now.since(pending.first_sent) < GIVE_UP {
                pending.resends += 1;
                pending.again_at = now + ACK_WAIT;
                return Some(pending.command.clone());
            }
            let given_up = pending.command.clone();
            self.pending = None;
            self.refuse(&given_up, ClockRefusal::NoAnswer, events);
        }
        let command = self.queue.pop_front()?;
        self.pending =
            Some(Pending { command: command.clone(), first_sent: now, again_at: now + ACK_WAIT, resends: 0 });
        Some(command)
    }

    /// Returns the time at which [`next`](Self::next) returns a command or gives up the pending one; `None` if
    /// nothing waits.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match &self.pending {
            Some(pending) => Some(pending.again_at),
            None if self.connected && !self.queue.is_empty() => Some(Instant::ZERO),
            None => None,
        }
    }

    /// Handles an acknowledgement, which may answer the pending command, report an event such as a pressed button, or
    /// repeat an old acknowledgement.
    pub(super) fn on_ack(&mut self, ack: [u8; 4], now: Instant, events: &mut VecDeque<BoardEvent>) {
        let repeat = self.last_ack.replace(ack) == Some(ack);
        let [ack0, ack1, ack2, ack3] = ack;
        if ack1 & 0x80 != 0 {
            if !repeat {
                self.unasked(ack1, ack3, events);
            }
            return;
        }
        if (ack0, ack1) == (0x10, 0x09) && self.info.is_none() {
            self.found(ack2, events);
        }
        let Some(pending) = &mut self.pending else { return };
        let named = pending.command.number() == ack1;
        match ack0 {
            0x10 if named => self.pending = None,
            // The clock repeats an old acknowledgement.
            0x10 => {}
            0x40 if named => {
                let refused = pending.command.clone();
                self.pending = None;
                self.refuse(&refused, ClockRefusal::WrongMode, events);
            }
            // The clock reports an error without naming a command. Sending the pending command again helps; `next`
            // limits how often.
            _ if !repeat => pending.again_at = now,
            _ => {}
        }
    }

    fn unasked(&mut self, ack1: u8, ack3: u8, events: &mut VecDeque<BoardEvent>) {
        let button = match (ack1, ack3) {
            (0x88, 0x31) => ClockButton::Back,
            (0x88, 0x32) => ClockButton::Plus,
            (0x88, 0x33) => ClockButton::Run,
            (0x88, 0x34) => ClockButton::Minus,
            (0x88, 0x35) => ClockButton::Ok,
            (0x90, _) => {
                // The clock is not in its mode for computers, which matters only for set-and-run commands.
                if let Some(pending) = self.pending.take_if(|p| task(&p.command) == ClockTask::SetAndRun) {
                    self.refuse(&pending.command, ClockRefusal::WrongMode, events);
                }
                return;
            }
            _ => return,
        };
        events.push_back(BoardEvent::ClockButton(button));
    }

    /// Handles the clock's version. The high four bits are the part before the point.
    fn found(&mut self, version: u8, events: &mut VecDeque<BoardEvent>) {
        let version = (version >> 4, version & 0x0F);
        let kind = match version.0 {
            1 => ClockKind::Xl,
            2 => ClockKind::Dgt3000,
            _ => ClockKind::TimesOnly,
        };
        self.know(ClockInfo { kind, version: Some(version) }, events);
    }

    fn know(&mut self, info: ClockInfo, events: &mut VecDeque<BoardEvent>) {
        self.info = Some(info);
        events.push_back(BoardEvent::ClockFound(info));
        if let Some(text) = self.text.take() {
            self.show(&text, events);
        }
    }

    fn refuse(&mut self, command: &ClockCommand, why: ClockRefusal, events: &mut VecDeque<BoardEvent>) {
        if *command == ClockCommand::Version {
            // A clock that does not report its version can show no texts; Tabiya only reads its times.
            self.know(ClockInfo { kind: ClockKind::TimesOnly, version: None }, events);
        } else {
            events.push_back(BoardEvent::ClockRefused { task: task(command), why });
        }
    }
}

fn task(command: &ClockCommand) -> ClockTask {
    match command {
        ClockCommand::Xl(_)
        | ClockCommand::Icons(_)
        | ClockCommand::Text3000 { .. }
        | ClockCommand::TextRevelation { .. } => ClockTask::Show,
        ClockCommand::Beep(_) => ClockTask::Beep,
        ClockCommand::End => ClockTask::EndDisplay,
        ClockCommand::SetAndRun(_) => ClockTask::SetAndRun,
        ClockCommand::Button | ClockCommand::Version => ClockTask::Query,
    }
}
