//! An outage of the record: a time in which the record cannot be written. During an outage no input is accepted, the
//! clocks are stopped, and the write is retried.

use tabiya_types::{Instant, Millis, Observation, Sentence, say};

/// The time from a failed write to the next attempt.
const RETRY: Millis = Millis(1_000);
/// The number of observations that are kept at most during an outage. A report of the whole board replaces all earlier
/// observations.
const HELD: usize = 1_024;

/// The current outage, if there is one, and what happened during the outage.
#[derive(Debug, Default)]
pub(super) struct Outage {
    failing: Option<Failing>,
}

/// An outage that has not ended yet.
#[derive(Debug)]
struct Failing {
    /// The time of the first failed write, at which the clocks were stopped.
    since: Instant,
    /// The time of the next attempt to write.
    again: Instant,
    /// The failure that was announced last.
    announced: Option<Sentence>,
    /// The observations from the board that arrived during the outage.
    kept: Vec<Observation>,
    /// Whether a clock press was dropped. Only the first dropped press is announced.
    pressed: bool,
}

impl Outage {
    /// The time of the first failed write; `None` if the record can be written.
    pub(super) fn since(&self) -> Option<Instant> {
        self.failing.as_ref().map(|failing| failing.since)
    }

    /// The time of the next attempt to write; `None` if the record can be written.
    pub(super) fn retry_at(&self) -> Option<Instant> {
        self.failing.as_ref().map(|failing| failing.again)
    }

    /// Notes a failed write, and sets the time of the next attempt.
    pub(super) fn failed(&mut self, at: Instant) {
        let again = at + RETRY;
        match &mut self.failing {
            Some(failing) => failing.again = again,
            None => {
                self.failing =
                    Some(Failing { since: at, again, announced: None, kept: Vec::new(), pressed: false });
            }
        }
    }

    /// Keeps an observation until the outage ends. A clock press is dropped instead; for the first dropped press, the
    /// result is a sentence that says so.
    pub(super) fn keep_for_later(&mut self, observation: &Observation) -> Option<Sentence> {
        let failing = self.failing.as_mut()?;
        match observation {
            Observation::Press(_) if failing.pressed => {}
            Observation::Press(_) => {
                failing.pressed = true;
                return Some(say!(
                    "press-not-taken",
                    "the clock press was not accepted: press again when the record can be written again"
                ));
            }
            Observation::Whole(_) | Observation::Occupied(_) => failing.kept = vec![*observation],
            Observation::Square(..) if failing.kept.len() < HELD => failing.kept.push(*observation),
            Observation::Square(..) => {}
        }
        None
    }

    /// Ends the outage. Returns the observations that were kept.
    pub(super) fn end(&mut self) -> Vec<Observation> {
        self.failing.take().map(|failing| failing.kept).unwrap_or_default()
    }

    /// Returns whether `fault` equals the failure that was announced last. From now on `fault` counts as the failure
    /// that was announced last.
    pub(super) fn already_announced(&mut self, fault: &Sentence) -> bool {
        let announced = self.failing.as_mut().and_then(|failing| failing.announced.replace(fault.clone()));
        announced.as_ref() == Some(fault)
    }
}
