//! An outage of the record: while it cannot be written, no input is accepted, the clocks are stopped, and the write
//! is retried.

use tabiya_types::{Instant, Millis, Observation, Sentence, say};

/// The time from a failed write to the next attempt.
const RETRY: Millis = Millis(1_000);
/// How many observations are kept during an outage. A report of the whole board replaces all earlier ones.
const HELD: usize = 1_024;

/// Whether the record can be written, and what happened since it could not.
#[derive(Debug, Default)]
pub(super) struct Outage {
    failing: Option<Failing>,
}

/// A record that cannot be written.
#[derive(Debug)]
struct Failing {
    /// The moment of the first failure, at which the clocks are stopped.
    since: Instant,
    /// The moment of the next attempt.
    again: Instant,
    /// The failure that was announced last.
    announced: Option<Sentence>,
    /// What the board showed during the outage.
    kept: Vec<Observation>,
    /// Whether a press was dropped; only the first one is announced.
    pressed: bool,
}

impl Outage {
    /// The moment of the first failure; `None` if the record can be written.
    pub(super) fn since(&self) -> Option<Instant> {
        self.failing.as_ref().map(|failing| failing.since)
    }

    /// The moment of the next attempt; `None` if the record can be written.
    pub(super) fn retry_at(&self) -> Option<Instant> {
        self.failing.as_ref().map(|failing| failing.again)
    }

    /// Notes a failed write, and sets the moment of the next attempt.
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

    /// Keeps an observation until the outage ends. A press is dropped instead; for the first one the returned
    /// sentence says so.
    pub(super) fn keep_for_later(&mut self, observation: &Observation) -> Option<Sentence> {
        let failing = self.failing.as_mut()?;
        match observation {
            Observation::Press(_) if failing.pressed => {}
            Observation::Press(_) => {
                failing.pressed = true;
                return Some(say!(
                    "press-not-taken",
                    "that press was not accepted: press again when the record can be written"
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

    /// Whether this failure is the one announced last; remembers it as announced.
    pub(super) fn already_announced(&mut self, fault: &Sentence) -> bool {
        let announced = self.failing.as_mut().and_then(|failing| failing.announced.replace(fault.clone()));
        announced.as_ref() == Some(fault)
    }
}
