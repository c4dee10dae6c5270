//! The plug of a simulated board. It is pulled out by a person or by a planned fault. It is put back in by a person, or
//! goes in by itself after a while.

use tabiya_types::{Instant, Millis};

/// The state of a plug, and its planned faults.
#[derive(Clone, Debug)]
pub(crate) struct Plug {
    state: State,
    /// The planned faults: when the plug comes out by itself, and for how long. In order of time.
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
    /// Creates a plug that is in.
    pub(crate) fn new(planned: &[(Instant, Millis)]) -> Self {
        Self { state: State::In, planned: planned.to_vec(), happened: 0 }
    }

    pub(crate) fn is_in(&self) -> bool {
        matches!(self.state, State::In)
    }

    /// Pulls the plug until `back`. With `None`, it stays out until [`put`](Self::put) is called.
    pub(crate) fn pull(&mut self, back: Option<Instant>) {
        self.state = State::Out { back };
    }

    /// Puts the plug in. Returns whether the plug was out.
    pub(crate) fn put(&mut self) -> bool {
        let was_out = !self.is_in();
        self.state = State::In;
        was_out
    }

    /// If the next planned fault is due by `now`, counts it as happened and returns the time at which the plug goes in
    /// again. Otherwise returns `None`. The caller pulls the plug.
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

/// A simulated board with a plug. While the plug is out, the board does nothing.
pub(crate) trait Plugged {
    /// The board's plug.
    fn socket(&self) -> &Plug;
    /// The board's plug, for pulling it or putting it in.
    fn socket_mut(&mut self) -> &mut Plug;
    /// When the board next does something by itself, if its plug is in.
    fn work_due(&self) -> Option<Instant>;
    /// Does the board's work that is due by `due`. It is called only while the plug is in.
    fn work(&mut self, due: Instant);
    /// Handles the loss of power: drops the bytes that were not sent yet.
    fn lose_power(&mut self);
    /// Handles the return of power: starts the board again.
    fn start_up(&mut self, now: Instant);

    /// Pulls the plug until `back`. With `None`, it stays out until somebody puts it in.
    fn pull(&mut self, back: Option<Instant>) {
        self.socket_mut().pull(back);
        self.lose_power();
    }

    /// Puts the plug in, if it is out, and starts the board.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A board that has something to do exactly once per second.
    struct Ticking {
        plug: Plug,
        worked: Vec<u64>,
        lost: usize,
        started: Vec<u64>,
        next: u64,
    }

    impl Plugged for Ticking {
        fn socket(&self) -> &Plug {
            &self.plug
        }

        fn socket_mut(&mut self) -> &mut Plug {
            &mut self.plug
        }

        fn work_due(&self) -> Option<Instant> {
            Some(Instant::from_millis(self.next))
        }

        fn work(&mut self, due: Instant) {
            self.worked.push(due.millis());
            self.next += 1000;
        }

        fn lose_power(&mut self) {
            self.lost += 1;
        }

        fn start_up(&mut self, now: Instant) {
            self.started.push(now.millis());
            self.next = now.millis() + 1000;
        }
    }

    fn ticking(planned: &[(Instant, Millis)]) -> Ticking {
        Ticking { plug: Plug::new(planned), worked: Vec::new(), lost: 0, started: Vec::new(), next: 1000 }
    }

    #[test]
    fn a_planned_fault_pulls_the_plug_and_puts_it_back() {
        let mut board = ticking(&[(Instant::from_millis(2_500), Millis(1_200))]);
        board.run_until(Instant::from_millis(5_000));
        assert_eq!(board.worked, [1000, 2000, 4700], "no work while the plug is out");
        assert_eq!((board.lost, &board.started[..]), (1, &[3_700][..]));
    }

    #[test]
    fn a_plug_pulled_by_hand_stays_out_until_it_is_put_in_by_hand() {
        let mut board = ticking(&[]);
        board.pull(None);
        assert_eq!(board.due(), None, "nothing is due without power");
        board.run_until(Instant::from_millis(9_000));
        assert!(board.worked.is_empty());
        board.put(Instant::from_millis(9_000));
        board.put(Instant::from_millis(9_500));
        assert_eq!(board.started, [9_000], "a plug that is in is not put in again");
        assert_eq!(board.due(), Some(Instant::from_millis(10_000)));
    }
}
