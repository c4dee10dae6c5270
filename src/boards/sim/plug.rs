//! The plug of a simulated board: pulled by hand or by a fault that was planned, put back by hand or by itself.

use tabiya_types::{Instant, Millis};

/// A plug, and when it comes out.
#[derive(Clone, Debug)]
pub(crate) struct Plug {
    state: State,
    /// When it comes out by itself, and for how long; earlier moments first.
    planned: Vec<(Instant, Millis)>,
    /// How many of those have been.
    been: usize,
}

#[derive(Clone, Copy, Debug)]
enum State {
    In,
    Out { back: Option<Instant> },
}

impl Plug {
    /// A plug that is in.
    pub(crate) fn new(planned: &[(Instant, Millis)]) -> Self {
        Self { state: State::In, planned: planned.to_vec(), been: 0 }
    }

    pub(crate) fn is_in(&self) -> bool {
        matches!(self.state, State::In)
    }

    /// Comes out until `back`, or until somebody puts it back.
    pub(crate) fn pull(&mut self, back: Option<Instant>) {
        self.state = State::Out { back };
    }

    /// Goes in; whether it was out.
    pub(crate) fn put(&mut self) -> bool {
        let was_out = !self.is_in();
        self.state = State::In;
        was_out
    }

    /// Whether it is to come out now by itself, and until when it then stays out. Asked once for each time.
    pub(crate) fn fails(&mut self, now: Instant) -> Option<Instant> {
        let (_, out) = self.planned.get(self.been).filter(|(at, _)| *at <= now)?;
        self.been += 1;
        Some(now + *out)
    }

    /// When it goes in or comes out by itself.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::In => self.planned.get(self.been).map(|(at, _)| *at),
            State::Out { back } => back,
        }
    }
}
