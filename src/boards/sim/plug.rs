//! The plug of a simulated board: pulled by hand or by a planned fault, put back by hand or after a time.

use tabiya_types::{Instant, Millis};

/// The state of a plug, and its planned faults.
#[derive(Clone, Debug)]
pub(crate) struct Plug {
    state: State,
    /// When the plug comes out by itself, and for how long, in order of time.
    planned: Vec<(Instant, Millis)>,
    /// The number of planned faults that have already happened.
    happened: usize,
}

#[derive(Clone, Copy, Debug)]
enum State {
    In,
    Out { back: Option<Instant> },
}

impl Plug {
    /// A plug that is plugged in.
    pub(crate) fn new(planned: &[(Instant, Millis)]) -> Self {
        Self { state: State::In, planned: planned.to_vec(), happened: 0 }
    }

    pub(crate) fn is_in(&self) -> bool {
        matches!(self.state, State::In)
    }

    /// Pulls the plug until `back`; with `None` until [`put`](Self::put) is called.
    pub(crate) fn pull(&mut self, back: Option<Instant>) {
        self.state = State::Out { back };
    }

    /// Puts the plug in. Returns whether it was out.
    pub(crate) fn put(&mut self) -> bool {
        let was_out = !self.is_in();
        self.state = State::In;
        was_out
    }

    /// Takes the next planned fault if it is due by `now`. Returns when the plug then goes in again.
    pub(crate) fn fails(&mut self, now: Instant) -> Option<Instant> {
        let (_, out) = self.planned.get(self.happened).filter(|(at, _)| *at <= now)?;
        self.happened += 1;
        Some(now + *out)
    }

    /// When the plug next goes in or comes out by itself.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::In => self.planned.get(self.happened).map(|(at, _)| *at),
            State::Out { back } => back,
        }
    }
}

/// A simulated board behind a plug. While the plug is out, the board does nothing.
pub(crate) trait Plugged {
    /// The board's plug.
    fn socket(&self) -> &Plug;
    /// The board's plug, to pull it or to put it in.
    fn socket_mut(&mut self) -> &mut Plug;
    /// When the board next does something by itself, with the plug in.
    fn work_due(&self) -> Option<Instant>;
    /// Does what is due by `due`, with the plug in.
    fn work(&mut self, due: Instant);
    /// The plug came out: drops the bytes on the line.
    fn lose_power(&mut self);
    /// The plug went in: starts again.
    fn start_up(&mut self, now: Instant);

    /// Pulls the plug until `back`; with `None` until it is put in by hand.
    fn pull(&mut self, back: Option<Instant>) {
        self.socket_mut().pull(back);
        self.lose_power();
    }

    /// Puts the plug in, if it is out.
    fn put(&mut self, now: Instant) {
        if self.socket_mut().put() {
            self.start_up(now);
        }
    }

    /// When the board or its plug next does something by itself.
    fn due(&self) -> Option<Instant> {
        let plug = self.socket().deadline();
        if self.socket().is_in() { [plug, self.work_due()].into_iter().flatten().min() } else { plug }
    }

    /// Does everything that is due by `now`, in chronological order.
    fn run_until(&mut self, now: Instant) {
        while let Some(due) = self.due().filter(|due| *due <= now) {
            if !self.socket().is_in() {
                self.put(due);
            } else if let Some(back) = self.socket_mut().fails(due) {
                self.pull(Some(back));
            } else {
                self.work(due);
            }
        }
    }
}
