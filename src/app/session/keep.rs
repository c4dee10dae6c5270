//! When the record cannot be written: nothing is taken, the clocks stand, it is tried again.

use super::{Fault, Session};
use crate::store::journal::JournalError;
use tabiya_engine::table::{By, Common, Input};
use tabiya_types::{Instant, Millis, Observation, Sentence, say};

/// How long after a failed write it is tried again.
const RETRY: Millis = Millis(1_000);
/// How many observations are kept meanwhile; a whole board makes all before it needless.
const HELD: usize = 1_024;

/// A record that cannot be written.
#[derive(Debug)]
pub(super) struct Failing {
    /// The moment of the first failure: the clocks stand there.
    since: Instant,
    /// When it is tried again.
    again: Instant,
    /// What was told of it.
    told: Option<Sentence>,
    /// What the board showed meanwhile.
    held: Vec<Observation>,
    /// Whether a press was not taken.
    pressed: bool,
}

impl Session {
    /// Something that the board shows, or a press.
    pub(super) fn observe(&mut self, observation: &Observation, at: Instant) {
        let stopped = self.stopped();
        if let Some(failing) = &mut self.failing
            && stopped
        {
            match observation {
                Observation::Press(_) if failing.pressed => {}
                Observation::Press(_) => {
                    failing.pressed = true;
                    self.say(say!(
                        "press-not-taken",
                        "that press was not taken: press again when the record can be written"
                    ));
                }
                Observation::Whole(_) | Observation::Occupied(_) => failing.held = vec![*observation],
                Observation::Square(..) if failing.held.len() < HELD => failing.held.push(*observation),
                Observation::Square(..) => {}
            }
            return;
        }
        self.turn_as_left(observation);
        self.watch.observe(observation, at);
        self.look(at);
        self.absorb(at);
    }

    /// Whether everything stands because time would run against somebody unrecorded.
    fn stopped(&self) -> bool {
        self.failing.is_some() && self.watch.table().time_runs()
    }

    /// The moment that clocks are read at: while everything stands, the moment where it stopped.
    pub fn moment_shown(&self, now: Instant) -> Instant {
        match &self.failing {
            Some(failing) if self.stopped() => failing.since.min(now),
            Some(_) | None => now,
        }
    }

    /// The next attempt to write. Nothing is due before it, whatever else would be: an attempt that
    /// failed is due again at once, and would be made for ever.
    pub(super) fn held_until(&self, due: Option<Instant>) -> Option<Instant> {
        match &self.failing {
            Some(failing) if self.stopped() => Some(failing.again),
            Some(failing) => due.map(|due| due.max(failing.again)),
            None => due,
        }
    }

    /// It could not be written: back to what is safe.
    pub(super) fn not_written(&mut self, error: JournalError, at: Instant) -> Fault {
        let again = at + RETRY;
        match &mut self.failing {
            Some(failing) => failing.again = again,
            None => {
                self.failing =
                    Some(Failing { since: at, again, told: None, held: Vec::new(), pressed: false });
            }
        }
        self.stand_as_recorded(at);
        Fault::NotWritten(error)
    }

    /// Cards could not be sealed: nothing of what should be written is taken, and nothing else fails.
    pub(super) fn not_sealed(&mut self, error: JournalError, at: Instant) -> Fault {
        self.stand_as_recorded(at);
        Fault::NotSealed(error)
    }

    /// Something was written: whatever failed before works again.
    pub(super) fn written(&mut self, at: Instant) {
        let Some(failing) = &self.failing else { return };
        if self.watch.table().clock().paused() {
            let since = Millis(failing.since.millis()).to_string();
            self.say(say!(
                "record-again-paused",
                "the record can be written again; the clocks stand as at {since}: go on with `resume`",
                since
            ));
        } else {
            self.say(say!("record-again", "the record can be written again"));
        }
        self.hear_again(at);
    }

    /// Nothing fails any more: what the board showed meanwhile is looked at.
    fn hear_again(&mut self, at: Instant) {
        let Some(failing) = self.failing.take() else { return };
        for observation in failing.held {
            self.watch.observe(&observation, at);
        }
    }

    /// Before anything is taken: if everything stands, a pause must be written first.
    pub(super) fn recover(&mut self, at: Instant) -> Result<(), Fault> {
        let Some(since) = self.failing.as_ref().filter(|_| self.stopped()).map(|failing| failing.since)
        else {
            return Ok(());
        };
        self.watch.enter(&Input::Common(Common::Pause(By::Arbiter)), since.max(self.last_t))?;
        self.try_absorb(at)?;
        // What the board showed meanwhile was looked at when the pause was written.
        self.try_absorb(at)?;
        if self.stopped() {
            // The pause waits behind a press that may have forestalled a flag: the board has to tell first.
            self.hear_again(at);
            self.try_absorb(at)?;
        }
        Ok(())
    }

    /// Whether time may go on: everything works, or works again.
    pub(super) fn try_again(&mut self, now: Instant) -> bool {
        if self.failing.as_ref().is_some_and(|failing| now < failing.again) {
            return false;
        }
        match self.recover(now) {
            Ok(()) => true,
            Err(fault) => {
                self.tell_failure(&fault);
                false
            }
        }
    }

    /// Says what failed, once for each cause.
    pub(super) fn tell_failure(&mut self, fault: &Fault) {
        let fault = fault.sentence();
        let known = self.failing.as_ref().is_some_and(|failing| failing.told.as_ref() == Some(&fault));
        if let Some(failing) = &mut self.failing {
            failing.told = Some(fault.clone());
        }
        if !known {
            self.say(if self.stopped() {
                say!("clocks-stand", "{fault}; the clocks stand, and it is tried again", fault)
            } else {
                fault
            });
        }
    }
}
