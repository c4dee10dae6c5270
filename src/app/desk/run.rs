//! The loop of a table: what people want, devices and time in one inbox, one place that waits. Every front has this one
//! (`front.rs`).

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tabiya_boards::BoardEvent;
use tabiya_boards::address::LiveAddress;
use tabiya_boards::capture::CaptureWriter;
use tabiya_boards::link::LinkError;
use tabiya_types::{Instant, Timeline};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::devices::{Devices, World};
use super::front::{Front, Latest};
use super::{Desk, Parting, Wish};
use crate::signals::StopSignals;
use crate::sleep::{ClockPair, SleepWatch};
use crate::time::RealTime;

/// How many events are taken before the table is shown again.
const BATCH: usize = 256;
/// How often it is looked at what shines on a simulated board.
const LAMPS: Duration = Duration::from_millis(200);
/// How long nothing at all may happen.
const LONGEST: Duration = Duration::from_hours(1);

/// Why a table could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum LoopError {
    /// The system gave no thread, no signal or no terminal.
    #[error("the table cannot run here: {0}")]
    System(#[from] io::Error),
    /// The board could not be reached at the start.
    #[error("{0}")]
    NoBoard(LinkError),
}

/// Everything that wakes the table.
#[derive(Debug)]
enum Event<I> {
    /// Something that people did.
    Front(Instant, I),
    /// Something that a device or a helper told.
    World(World),
    /// People can do nothing more.
    InputEnded,
    /// The front is gone.
    Close,
}

/// Where a front puts what people do.
#[derive(Debug)]
pub struct Inbox<I>(UnboundedSender<Event<I>>);

impl<I> Clone for Inbox<I> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<I> Inbox<I> {
    /// Something that people did at that moment. Whether the loop still runs.
    pub fn send(&self, at: Instant, input: I) -> bool {
        self.0.send(Event::Front(at, input)).is_ok()
    }

    /// People can do nothing more. The loop goes on as long as a device can tell something.
    pub fn input_ended(&self) {
        // A loop that has ended needs no end.
        let _ = self.0.send(Event::InputEnded);
    }

    /// Ends the loop.
    pub fn close(&self) {
        let _ = self.0.send(Event::Close);
    }
}

/// How an inbox was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taken {
    Empty,
    MoreWaits,
    /// The loop is to end.
    Ended,
}

/// A loop that does not run yet: devices can be waited for before anything begins.
pub struct Loop<I> {
    runtime: tokio::runtime::Runtime,
    events: UnboundedReceiver<Event<I>>,
    inbox: Inbox<I>,
    timeline: RealTime,
    devices: Devices,
    /// What came in before the loop runs.
    early: Vec<Event<I>>,
    /// The board that was waited for.
    reached: Option<LiveAddress>,
}

impl<I: Send + 'static> Loop<I> {
    /// A loop without devices. Its time begins now, at zero.
    pub fn new() -> io::Result<Self> {
        Self::starting_at(Instant::ZERO)
    }

    fn starting_at(now: Instant) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let timeline = RealTime::starting_at(now);
        let (sender, events) = unbounded_channel();
        let inbox = Inbox(sender);
        let told = inbox.clone();
        let tell = Arc::new(move |event| {
            // An inbox that is gone means that the table has ended.
            drop(told.0.send(Event::World(event)));
        });
        let devices = Devices::new(timeline.clone(), tell);
        Ok(Self { runtime, events, inbox, timeline, devices, early: Vec::new(), reached: None })
    }

    /// Where the front puts what people do.
    pub fn inbox(&self) -> Inbox<I> {
        self.inbox.clone()
    }

    /// The program's own time.
    pub fn timeline(&self) -> RealTime {
        self.timeline.clone()
    }

    /// Connects to a board and waits until it has shown its position. That it cannot be reached is told at once; once it
    /// was, a lost board is looked for again and play goes on meanwhile. `capture` gets its bytes from the first on.
    pub fn reach_board(
        &mut self,
        address: &LiveAddress,
        capture: Option<CaptureWriter<std::fs::File>>,
    ) -> Result<(), LoopError> {
        self.devices.connect(address, capture)?;
        self.reached = Some(address.clone());
        self.wait(|event| match event {
            World::Board(_, _, event) => Some(event),
            _ => None,
        })
    }

    /// Connects likewise to a box beside the board, whose cards, presses and buttons count.
    pub fn reach_box(&mut self, address: &LiveAddress) -> Result<(), LoopError> {
        self.devices.connect_box(address)?;
        self.wait(|event| match event {
            World::Beside(_, _, event) => Some(event),
            _ => None,
        })
    }

    /// Waits until the device whose events `of` knows is there; keeps what comes meanwhile.
    fn wait(&mut self, of: impl Fn(&World) -> Option<&BoardEvent>) -> Result<(), LoopError> {
        while let Some(event) = self.events.blocking_recv() {
            let there = match &event {
                Event::World(event) => match of(event) {
                    Some(BoardEvent::Lost(error)) => return Err(LoopError::NoBoard(error.clone())),
                    // What wants something first is there, too.
                    Some(event) => event.shows_all() || matches!(event, BoardEvent::Wants(_)),
                    None => false,
                },
                Event::Front(..) | Event::InputEnded | Event::Close => false,
            };
            self.early.push(event);
            if there {
                break;
            }
        }
        Ok(())
    }

    /// Runs until the front closes. What is left of the desk's table says how it ended.
    pub fn run<F: Front<Input = I>>(self, desk: Desk, front: F) -> io::Result<Option<Parting>> {
        let Self { runtime, events, inbox: _, timeline, devices, early, reached } = self;
        let mut work = Work { desk, front, events, timeline, devices, shown: None };
        if let Some(address) = reached {
            work.desk.table().reached(&address);
        }
        let ended = runtime.block_on(async {
            // Who cannot be asked to end is ended as the system does it: what is on record is safe.
            let stop = StopSignals::listen().ok();
            work.desk.look();
            for event in early {
                work.handle(event)?;
            }
            work.turn(stop).await
        });
        let Work { mut desk, front, timeline, devices, .. } = work;
        // Nothing holds a device's thread up: the inbox has no bound.
        devices.stop();
        let parting = desk.end(timeline.now());
        drop(front);
        ended.map(|()| parting)
    }
}

/// A loop at work.
struct Work<F: Front> {
    desk: Desk,
    front: F,
    events: UnboundedReceiver<Event<F::Input>>,
    timeline: RealTime,
    devices: Devices,
    /// The version of the desk that the front has.
    shown: Option<u64>,
}

impl<F: Front> Work<F> {
    async fn turn(&mut self, mut stop: Option<StopSignals>) -> io::Result<()> {
        let mut sleep = SleepWatch::default();
        let mut open = self.show()?;
        while open {
            // Read before the inbox: what is due at this moment comes after all that was stamped before it.
            let now = self.timeline.now();
            let taken = self.take_waiting()?;
            if taken == Taken::Empty && self.desk.deadline().is_some_and(|due| due <= now) {
                self.desk.time(now);
            }
            self.obey_orders();
            self.devices.steer(self.desk.table());
            open = taken != Taken::Ended;
            open &= self.show()?;
            // Nobody waits for the evening's files to be read.
            self.desk.catch_up();
            open &= self.show()?;
            self.front.draw(self.timeline.now())?;
            if !open {
                break;
            }
            let due = self.desk.deadline();
            if due.is_some_and(|due| self.timeline.nap_until(due)) {
                continue;
            }
            let wait = self.longest_wait(due);
            let event = tokio::select! {
                biased;
                () = asked(&mut stop) => {
                    self.desk.close();
                    // A window closes itself and then says so.
                    stop = None;
                    continue;
                }
                event = self.events.recv() => Some(event),
                () = tokio::time::sleep(wait) => None,
            };
            // What had come in before was taken; whatever comes now comes after the sleep.
            if let Some(slept) = sleep.look(ClockPair::now()) {
                self.desk.slept(slept, self.timeline.now());
            }
            match event {
                Some(Some(event)) => open = self.handle(event)?,
                Some(None) => open = false,
                None => {}
            }
        }
        self.show().map(drop)
    }

    /// How long nothing has to be looked at.
    fn longest_wait(&self, due: Option<Instant>) -> Duration {
        let due = due.map(|due| self.timeline.roughly_until(due));
        // Nobody tells when the lamps of a simulated board change.
        let lamps = self.devices.simulates().then_some(LAMPS);
        let waits = due.into_iter().chain(lamps).chain(self.front.refresh());
        waits.min().unwrap_or(LONGEST).min(LONGEST)
    }

    /// Takes what has come in already, each at its own moment: it may have happened before something that
    /// is due, and then it comes first.
    fn take_waiting(&mut self) -> io::Result<Taken> {
        for _ in 0..BATCH {
            let Ok(event) = self.events.try_recv() else { return Ok(Taken::Empty) };
            if !self.handle(event)? {
                return Ok(Taken::Ended);
            }
        }
        Ok(Taken::MoreWaits)
    }

    /// Whether the loop goes on. What a wish asks of the world is done before the next event: what an old
    /// board still tells then counts no more.
    fn handle(&mut self, event: Event<F::Input>) -> io::Result<bool> {
        match event {
            Event::Front(at, input) => {
                let Some(wish) = self.front.understand(input, at) else { return Ok(true) };
                let typed = matches!(wish, Wish::Typed(_) | Wish::Leave);
                self.desk.wish(wish, at);
                self.obey_orders();
                // What is answered to a line stands behind it, however many lines wait; after a leaving nothing counts.
                if typed { self.show() } else { Ok(true) }
            }
            Event::World(event) => {
                self.hear(event);
                Ok(true)
            }
            // Without a device nothing can come any more.
            Event::InputEnded => Ok(self.devices.any()),
            Event::Close => Ok(false),
        }
    }

    /// Something that a device or a helper told.
    fn hear(&mut self, event: World) {
        if !self.devices.counts(&event) {
            return;
        }
        let now = self.timeline.now();
        match event {
            World::Board(_, at, event) => self.desk.board(&event, at),
            World::Beside(_, at, event) => self.desk.table().beside(&event, at),
            World::Bytes(_, at, direction, bytes) => self.desk.table().bytes(direction, &bytes, at),
            World::Card(_, at, event) => {
                self.desk.cards(&event, at);
                self.obey_orders();
            }
            World::Found(found) => self.desk.table().found(found),
            World::Only(_, Ok(address)) => {
                for told in self.devices.connect_found(&address) {
                    self.hear(told);
                }
            }
            World::Only(_, Err(sentence)) => {
                self.desk.table().board_failed(sentence);
                if let Some(told) = self.devices.found_none() {
                    self.hear(told);
                }
            }
            World::BoardFailed(sentence) => self.desk.table().board_failed(sentence),
            World::BoxFailed(sentence) => self.desk.table().box_failed(sentence, now),
            World::Printed(done) => self.desk.table().printed(done, now),
            World::Captures(done) => self.desk.table().capturing(done, now),
            World::Simulates(view) => self.desk.table().simulated(view),
        }
    }

    fn obey_orders(&mut self) {
        for order in self.desk.take_orders() {
            for told in self.devices.obey(order) {
                self.hear(told);
            }
        }
    }

    /// Shows the front what has changed, if anything has. Whether it stays.
    fn show(&mut self) -> io::Result<bool> {
        if self.shown.replace(self.desk.version()) == Some(self.desk.version()) {
            return Ok(true);
        }
        let news = self.desk.take_news();
        let now = self.timeline.now();
        let latest = Latest { closing: self.desk.is_closing(), make: &|| self.desk.snapshot(now) };
        Ok(self.front.show(&latest, news, now)? == ControlFlow::Continue(()))
    }
}

async fn asked(stop: &mut Option<StopSignals>) {
    match stop {
        Some(stop) => stop.asked().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tabiya_engine::record::Header;
    use tabiya_engine::rules::GAMES;
    use tabiya_types::Seat;

    use super::*;
    use crate::desk::{News, Seated, Surroundings};
    use crate::session::Session;
    use crate::snapshot::{Snapshot, TableView};

    /// A front that only keeps the newest snapshot.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Option<Arc<Snapshot>>>>);

    impl Front for Kept {
        type Input = &'static str;

        fn understand(&mut self, line: &'static str, _: Instant) -> Option<Wish> {
            Some(Wish::Typed(line.to_owned()))
        }

        fn show(&mut self, latest: &Latest<'_>, _: Vec<News>, _: Instant) -> io::Result<ControlFlow<()>> {
            *self.0.lock().expect("one thread") = Some(latest.snapshot());
            Ok(ControlFlow::Continue(()))
        }
    }

    /// Runs a table of chess with ten seconds each over an inbox whose typed lines were held up until `now`.
    fn held_up_until(now: u64, typed: &[(u64, &'static str)]) -> Arc<TableView> {
        let header =
            r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"10"}}"#;
        let session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
        let around = Surroundings {
            date: Box::new(String::new),
            coin: Box::new(|| Ok(Seat::A)),
            chance: Box::new(|_| Err("no chance is needed here".to_owned())),
            evenings: "/nowhere".into(),
            settings: "/nowhere".into(),
            home: None,
            locale: String::new(),
        };
        let seated = Seated { session, at: Instant::ZERO, record: None, deck: None, read_deals: false };
        let (table, front) = (Loop::starting_at(Instant::from_millis(now)).expect("a loop"), Kept::default());
        for (at, text) in typed {
            assert!(table.inbox().send(Instant::from_millis(*at), *text), "the loop is there");
        }
        table.inbox().input_ended();
        let parting = table.run(Desk::for_table(around, seated), front.clone()).expect("it ends");
        assert!(parting.is_some());
        let kept = front.0.lock().expect("one thread").take().expect("it was shown");
        kept.table.clone().expect("a table")
    }

    #[test]
    fn a_press_that_waits_in_the_inbox_comes_before_the_flag_that_it_forestalled() {
        let typed = [(100, "e2e4"), (9_000, "press white"), (9_500, "e7e5"), (9_600, "press black")];
        let table = held_up_until(60_000, &typed);
        assert_eq!(table.clock.flag(), None);
        assert_eq!(table.moves, ["e4", "e5"]);
    }

    #[test]
    fn more_than_a_batch_in_the_inbox_comes_before_the_flag_too() {
        let mut typed = vec![(100, "e2e4")];
        typed.extend((0..3 * BATCH as u64).map(|nth| (200 + nth, "no")));
        typed.push((9_000, "press white"));
        let table = held_up_until(15_000, &typed);
        assert_eq!(table.clock.flag(), None);
    }
}
