//! When the record cannot be written: nothing is taken, the clocks stand, it is tried again.

use tabiya_types::{Instant, Millis, Observation, Sentence, say};

/// How long after a failed write it is tried again.
const RETRY: Millis = Millis(1_000);
/// How many observations are kept meanwhile; a whole board makes all before it needless.
const HELD: usize = 1_024;

/// Whether the record can be written.
#[derive(Debug, Default)]
pub(super) struct Outage {
    failing: Option<Failing>,
}

/// A record that cannot be written.
#[derive(Debug)]
struct Failing {
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

impl Outage {
    /// Whether it lasts, and since when.
    pub(super) fn since(&self) -> Option<Instant> {
        self.failing.as_ref().map(|failing| failing.since)
    }

    /// When it is tried again.
    pub(super) fn again(&self) -> Option<Instant> {
        self.failing.as_ref().map(|failing| failing.again)
    }

    /// It could not be written now.
    pub(super) fn failed(&mut self, at: Instant) {
        let again = at + RETRY;
        match &mut self.failing {
            Some(failing) => failing.again = again,
            None => {
                self.failing =
                    Some(Failing { since: at, again, told: None, held: Vec::new(), pressed: false });
            }
        }
    }

    /// Keeps what the board shows meanwhile. A press is not taken, which is to be said once.
    pub(super) fn hold(&mut self, observation: &Observation) -> Option<Sentence> {
        let failing = self.failing.as_mut()?;
        match observation {
            Observation::Press(_) if failing.pressed => {}
            Observation::Press(_) => {
                failing.pressed = true;
                return Some(say!(
                    "press-not-taken",
                    "that press was not taken: press again when the record can be written"
                ));
            }
            Observation::Whole(_) | Observation::Occupied(_) => failing.held = vec![*observation],
            Observation::Square(..) if failing.held.len() < HELD => failing.held.push(*observation),
            Observation::Square(..) => {}
        }
        None
    }

    /// Nothing fails any more; what the board showed meanwhile.
    pub(super) fn end(&mut self) -> Vec<Observation> {
        self.failing.take().map(|failing| failing.held).unwrap_or_default()
    }

    /// Whether this was told already; it is told once for each cause.
    pub(super) fn knows(&mut self, fault: &Sentence) -> bool {
        let told = self.failing.as_mut().and_then(|failing| failing.told.replace(fault.clone()));
        told.as_ref() == Some(fault)
    }
}
