//! The event loop of a desk: wishes and device events arrive in one inbox, and the loop waits in one place for the
//! next event or the next deadline. All front ends (`front.rs`) use this loop.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use tabiya_boards::BoardEvent;
use tabiya_boards::address::LiveAddress;
use tabiya_boards::capture::CaptureWriter;
use tabiya_boards::link::LinkError;
use tabiya_boards::platform::StopSignals;
use tabiya_types::{Board, Instant, Millis, Observation, Timeline};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

use super::devices::{DeviceReport, Devices};
use super::front::{Front, Latest};
use super::hall::HallReport;
use super::ordering::TableOrder;
use super::{Desk, TableEnd, Wish};
use crate::keypads::{KeypadAct, KeypadAnswer, KeypadReport};
use crate::platform::ServiceManager;
use crate::sleep::{Absence, ClockPair, SleepWatch, stopped, work_done};
use crate::time::RealTime;

/// The number of events that are handled at most before the front end is updated again.
const BATCH: usize = 256;
/// The time between two polls of a simulated board's lamps.
const LAMP_POLL: Duration = Duration::from_millis(200);
/// The longest wait for an event while a clock runs.
const BEAT: Duration = Duration::from_secs(1);
/// The longest wait for an event.
const LONGEST_WAIT: Duration = Duration::from_hours(1);

/// The reason why the loop could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum LoopError {
    /// The system did not provide a thread, signals or a terminal.
    #[error("Tabiya cannot run here: {0}")]
    System(#[from] io::Error),
    /// The board or the box could not be connected at the start.
    #[error("{0}")]
    NoBoard(LinkError),
}

/// Takes what became of a keypad's act.
pub struct KeypadReply(pub Box<dyn FnOnce(KeypadAnswer) + Send>);

impl fmt::Debug for KeypadReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeypadReply")
    }
}

/// An event that wakes the loop.
#[derive(Debug)]
enum Event<I> {
    /// An input from people, with the time at which they made it.
    Front(Instant, I),
    /// A report from a device or a background thread.
    World(DeviceReport),
    /// An order from outside this table, with the time at which it came.
    Order(Instant, Box<dyn TableOrder>),
    /// What a keypad sends, with the time at which it came, and who is told what became of it.
    Keypad(Instant, KeypadAct, KeypadReply),
    /// The end of people's input: no further input will arrive.
    InputEnded,
    /// The front end was closed.
    Close,
}

/// The sending end of the loop's inbox, for a front end.
#[derive(Debug)]
pub struct Inbox<I>(UnboundedSender<Event<I>>);

impl<I> Clone for Inbox<I> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<I> Inbox<I> {
    /// Sends an input from people, with the time at which they made it. Returns whether the loop still runs.
    pub fn send(&self, at: Instant, input: I) -> bool {
        self.0.send(Event::Front(at, input)).is_ok()
    }

    /// Sends an order from outside this table, with the time at which it came. Returns whether the loop still runs.
    pub fn order(&self, at: Instant, order: Box<dyn TableOrder>) -> bool {
        self.0.send(Event::Order(at, order)).is_ok()
    }

    /// Sends what a keypad does, with the time at which it came. `reply` is called on the table's thread, and must not wait. Returns
    /// whether the loop still runs.
    pub fn keypad(&self, at: Instant, act: KeypadAct, reply: KeypadReply) -> bool {
        self.0.send(Event::Keypad(at, act, reply)).is_ok()
    }

    /// Reports the end of people's input. The loop goes on as long as a device can still send events.
    pub fn input_ended(&self) {
        // Sending fails only if the loop has already ended.
        let _ = self.0.send(Event::InputEnded);
    }

    /// Ends the loop.
    pub fn close(&self) {
        let _ = self.0.send(Event::Close);
    }
}

/// The state of the inbox after some events were handled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taken {
    Empty,
    MoreWaits,
    /// The last event has ended the loop.
    Ended,
}

/// A loop that has not been started yet. Before the start, it can connect to devices and wait for them.
pub struct Loop<I> {
    runtime: tokio::runtime::Runtime,
    events: UnboundedReceiver<Event<I>>,
    inbox: Inbox<I>,
    timeline: RealTime,
    devices: Devices,
    /// The events that arrived before the loop was started.
    early: Vec<Event<I>>,
    /// The address of the board that was connected before the loop was started, if any.
    reached: Option<LiveAddress>,
    /// Who tells an event's consoles of the table, at a table of an event.
    hall: Option<watch::Sender<Arc<HallReport>>>,
    /// Who serves the keypads' pages.
    keypads: Option<watch::Sender<Arc<KeypadReport>>>,
}

impl<I: Send + 'static> Loop<I> {
    /// Makes a loop without devices. The loop's time begins now, at zero. `Err` if the system lacks the resources for
    /// a loop.
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
            // Sending fails only after the loop has ended.
            drop(told.0.send(Event::World(event)));
        });
        let devices = Devices::new(timeline.clone(), tell);
        let (early, reached, hall, keypads) = (Vec::new(), None, None, None);
        Ok(Self { runtime, events, inbox, timeline, devices, early, reached, hall, keypads })
    }

    /// Returns the sending end of the inbox, for the front end.
    pub fn inbox(&self) -> Inbox<I> {
        self.inbox.clone()
    }

    /// Tells an event's consoles of the table from now on: of each change of what they see, at most once in a pass of the loop.
    pub fn tell_hall(&mut self, hall: watch::Sender<Arc<HallReport>>) {
        self.hall = Some(hall);
    }

    /// Tells who serves the keypads' pages of each change of the table from now on, at most once in a pass of the loop.
    pub fn tell_keypads(&mut self, keypads: watch::Sender<Arc<KeypadReport>>) {
        self.keypads = Some(keypads);
    }

    /// The program's own time, which begins when the loop is made.
    pub fn timeline(&self) -> RealTime {
        self.timeline.clone()
    }

    /// This table is one of several in this program: its board keeps it, if it is plugged in again elsewhere.
    pub fn among_others(&mut self) {
        self.devices.roams = true;
    }

    /// Connects to a board, and waits until the board has reported its position. Returns `Err` if the first attempt to
    /// connect fails. If the board is lost later, the loop connects again while play goes on. `capture` saves the
    /// board's raw bytes from the first byte on.
    pub fn reach_board(
        &mut self,
        address: &LiveAddress,
        capture: Option<CaptureWriter<std::fs::File>>,
    ) -> Result<(), LoopError> {
        self.await_board(address, capture)?;
        self.wait(|event| match event {
            DeviceReport::Board(_, _, event) => Some(event),
            _ => None,
        })
    }

    /// The same as [`reach_board`](Self::reach_board) without waiting: the table begins, and the board joins it when it is there.
    pub fn await_board(
        &mut self,
        address: &LiveAddress,
        capture: Option<CaptureWriter<std::fs::File>>,
    ) -> io::Result<()> {
        self.devices.connect(address, capture)?;
        self.reached = Some(address.clone());
        Ok(())
    }

    /// Connects to a card-reader box beside the board, and waits until the box is ready. Returns `Err` if the first
    /// attempt to connect fails. The box's card readings, clock presses and buttons are used.
    pub fn reach_box(&mut self, address: &LiveAddress) -> Result<(), LoopError> {
        self.devices.connect_box(address)?;
        self.wait(|event| match event {
            DeviceReport::Beside(_, _, event) => Some(event),
            _ => None,
        })
    }

    /// The pieces that the connected board shows now, before the loop is started; `None` without a board, and if the
    /// board does not know its pieces.
    pub fn seen(&mut self) -> Option<Board> {
        while let Ok(event) = self.events.try_recv() {
            self.early.push(event);
        }
        self.early.iter().fold(None, |seen, event| match event {
            Event::World(DeviceReport::Board(_, _, BoardEvent::Observed(observation))) => match observation {
                Observation::Whole(board) => Some(*board),
                Observation::Square(at, piece) => seen.map(|mut board: Board| {
                    board[*at] = *piece;
                    board
                }),
                Observation::Occupied(_) | Observation::Press(_) => seen,
            },
            _ => seen,
        })
    }

    /// Waits until a device is ready. `of` returns the event in a report, or `None` if the report is not from this
    /// device. All events that arrive during the wait are kept for the loop.
    fn wait(&mut self, of: impl Fn(&DeviceReport) -> Option<&BoardEvent>) -> Result<(), LoopError> {
        while let Some(event) = self.events.blocking_recv() {
            let there = match &event {
                Event::World(event) => match of(event) {
                    Some(BoardEvent::Lost(error)) => return Err(LoopError::NoBoard(error.clone())),
                    // A device that asks people for something before it is ready counts as connected, too.
                    Some(event) => event.completes_reading() || matches!(event, BoardEvent::Wants(_)),
                    None => false,
                },
                Event::Front(..)
                | Event::Order(..)
                | Event::Keypad(..)
                | Event::InputEnded
                | Event::Close => false,
            };
            self.early.push(event);
            if there {
                break;
            }
        }
        Ok(())
    }

    /// Runs until the front end closes. Returns the final state of the match, if one was being played.
    pub fn run<F: Front<Input = I>>(self, desk: Desk, front: F) -> io::Result<Option<TableEnd>> {
        let Self { runtime, events, inbox: _, timeline, devices, early, reached, hall, keypads } = self;
        let awake = (timeline.now(), work_done());
        let manager = ServiceManager::tell_ready(timeline.now());
        let mut work =
            Work { desk, front, events, timeline, devices, hall, keypads, shown: None, awake, manager };
        if let Some(address) = reached {
            work.desk.table().reached(&address);
        }
        let ended = runtime.block_on(async {
            // If the program cannot handle signals, a signal ends it at once. Lines that are already in the record are
            // safe in this case, too.
            let stop = StopSignals::listen().ok();
            work.desk.look();
            for event in early {
                work.handle(event)?;
            }
            work.turn(stop).await
        });
        let Work { mut desk, front, timeline, devices, .. } = work;
        // Stopping cannot deadlock: the inbox is unbounded, so no device's thread blocks on it.
        devices.stop();
        let parting = desk.end(timeline.now());
        drop(front);
        ended.map(|()| parting)
    }
}

/// A running loop.
struct Work<F: Front> {
    desk: Desk,
    front: F,
    events: UnboundedReceiver<Event<F::Input>>,
    timeline: RealTime,
    devices: Devices,
    hall: Option<watch::Sender<Arc<HallReport>>>,
    keypads: Option<watch::Sender<Arc<KeypadReport>>>,
    /// The desk's change counter at the time when the front end was last updated.
    shown: Option<u64>,
    /// The last moment at which the loop is known to have run, and how long its thread had worked by then.
    awake: (Instant, Millis),
    /// The service manager that watches the loop.
    manager: Option<ServiceManager>,
}

impl<F: Front> Work<F> {
    async fn turn(&mut self, mut stop: Option<StopSignals>) -> io::Result<()> {
        let mut sleep = SleepWatch::default();
        let mut open = self.show()?;
        while open {
            // `now` is read before the inbox is emptied. So work that is due at `now` is done after all events with
            // earlier times.
            let now = self.attend(Duration::ZERO);
            if let Some(manager) = &mut self.manager {
                manager.hear(now);
            }
            let taken = self.take_waiting()?;
            if taken == Taken::Empty && self.desk.deadline().is_some_and(|due| due <= now) {
                self.desk.time(now);
            }
            self.obey_orders();
            self.devices.steer(self.desk.table());
            open = taken != Taken::Ended;
            open &= self.show()?;
            // The evening's files are read only after the front end was updated, so that nobody waits for a slow disk.
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
                () = stop_signal(&mut stop) => {
                    self.desk.close();
                    // If the front end is a window, it now closes itself, and then sends the event that ends the loop.
                    stop = None;
                    continue;
                }
                event = self.events.recv() => Some(event),
                () = tokio::time::sleep(wait) => None,
            };
            // The events that arrived before the computer slept were handled already. So the sleep is reported before
            // `event`, which arrived after it.
            if let Some(slept) = sleep.sample(ClockPair::now()) {
                self.desk.absent(Absence::Slept, slept, self.timeline.now());
            }
            self.attend(wait);
            match event {
                Some(Some(event)) => open = self.handle(event)?,
                Some(None) => open = false,
                None => {}
            }
        }
        self.show().map(drop)
    }

    /// Notices whether the program was stopped since the last call, in which the loop was to wait for `planned` at most.
    /// A stop may also come while the loop works, so this is called before anything is done at a new moment. A time
    /// for which the program was stopped is left out of the timeline. Returns the present moment.
    fn attend(&mut self, planned: Duration) -> Instant {
        let planned = Millis(u64::try_from(planned.as_millis()).unwrap_or(u64::MAX));
        let ((from, worked), work) = (self.awake, work_done());
        let busy = work.saturating_sub(worked);
        if let Some(late) = stopped(from, self.timeline.now(), busy, planned) {
            self.timeline.hold_back(late);
            let now = self.timeline.now();
            if let Some(manager) = &mut self.manager {
                manager.hear_after_stop(now);
            }
            self.desk.absent(Absence::Stopped, late, now);
        }
        let now = self.timeline.now();
        self.awake = (now, work);
        now
    }

    /// The longest time that the loop may wait for an event.
    fn longest_wait(&self, due: Option<Instant>) -> Duration {
        let due = due.map(|due| self.timeline.roughly_until(due));
        // No event reports a change of the simulated board's lamps, so they are polled.
        let lamps = self.devices.simulates().then_some(LAMP_POLL);
        // While a clock runs, the loop wakes so often that it notices when it was stopped.
        let beat = self.desk.time_runs().then_some(BEAT);
        let watched = self.manager.as_ref().map(ServiceManager::longest_wait);
        let waits = due.into_iter().chain(lamps).chain(beat).chain(watched).chain(self.front.refresh());
        waits.min().unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT)
    }

    /// Handles the events that have already arrived, each with its own time. This must happen before work that is due,
    /// because an event may be earlier than that work.
    fn take_waiting(&mut self) -> io::Result<Taken> {
        for _ in 0..BATCH {
            let Ok(event) = self.events.try_recv() else { return Ok(Taken::Empty) };
            if !self.handle(event)? {
                return Ok(Taken::Ended);
            }
        }
        Ok(Taken::MoreWaits)
    }

    /// Handles an event. Returns whether the loop goes on. What people wish can cause orders to devices. These orders
    /// are carried out before the next event is handled, so that late reports from a replaced board are ignored.
    fn handle(&mut self, event: Event<F::Input>) -> io::Result<bool> {
        match event {
            Event::Front(at, input) => {
                let at = at.min(self.attend(Duration::ZERO));
                let Some(wish) = self.front.understand(input, at) else { return Ok(true) };
                let typed = matches!(wish, Wish::Typed(_) | Wish::TypedIn { .. } | Wish::Leave);
                self.desk.wish(wish, at);
                self.obey_orders();
                // The answer to each typed line is shown before the next line is handled. After people have left the
                // match, further lines are ignored.
                if typed { self.show() } else { Ok(true) }
            }
            Event::World(event) => {
                self.hear(event);
                Ok(!self.desk.table().is_done())
            }
            Event::Order(at, order) => {
                let at = at.min(self.attend(Duration::ZERO));
                self.desk.order(order, at);
                self.obey_orders();
                Ok(!self.desk.table().is_done())
            }
            Event::Keypad(at, act, KeypadReply(reply)) => {
                let at = at.min(self.attend(Duration::ZERO));
                let answer = self.desk.keypad(act, at);
                self.obey_orders();
                // Whoever asks for a page after the answer sees what has come of it.
                self.tell_keypads();
                reply(answer);
                Ok(!self.desk.table().is_done())
            }
            // People make no further inputs, so the loop goes on only if a device can still send events.
            Event::InputEnded => Ok(self.devices.any()),
            Event::Close => Ok(false),
        }
    }

    /// Handles a report from a device or a background thread.
    fn hear(&mut self, event: DeviceReport) {
        if !self.devices.is_current(&event) {
            return;
        }
        let now = self.attend(Duration::ZERO);
        match event {
            // After a stop, a report may have a moment from before the timeline was set back.
            DeviceReport::Board(_, at, event) => self.desk.board(&event, at.min(now)),
            DeviceReport::Beside(_, at, event) => self.desk.table().beside(&event, at.min(now)),
            DeviceReport::Bytes(_, at, direction, bytes) => {
                self.desk.table().bytes(direction, &bytes, at.min(now));
            }
            DeviceReport::Card(_, at, event) => {
                self.desk.cards(&event, at.min(now));
                self.obey_orders();
            }
            DeviceReport::Found(found, ended) => self.desk.found(found, ended.then_some(now)),
            DeviceReport::Only(_, Ok(address)) => {
                for told in self.devices.connect_found(&address) {
                    self.hear(told);
                }
            }
            DeviceReport::Only(_, Err(error)) => {
                self.desk.table().search_failed(&error, now);
                if let Some(told) = self.devices.found_none() {
                    self.hear(told);
                }
            }
            DeviceReport::BoardFailed(sentence) => self.desk.table().board_failed(sentence),
            DeviceReport::BoxFailed(sentence) => self.desk.table().failed(sentence, now),
            DeviceReport::Report(request, bytes) => self.desk.write_report(&request, bytes, now),
            DeviceReport::Printed(done) => self.desk.table().printed(done, now),
            DeviceReport::NotOpened(sentence) => self.desk.table().failed(sentence, now),
            DeviceReport::Captures(done) => self.desk.table().capturing(done, now),
            DeviceReport::Simulates(view) => self.desk.simulated(view),
        }
    }

    fn obey_orders(&mut self) {
        for order in self.desk.take_orders() {
            for told in self.devices.obey(order) {
                self.hear(told);
            }
        }
    }

    /// Tells who serves the keypads' pages how the table is.
    fn tell_keypads(&self) {
        if let Some(keypads) = &self.keypads {
            keypads.send_replace(Arc::new(self.desk.keypad_report(self.timeline.now())));
        }
    }

    /// Passes changes to the front end, if there are any. Returns whether the front end stays open.
    fn show(&mut self) -> io::Result<bool> {
        if self.shown.replace(self.desk.version()) == Some(self.desk.version()) {
            return Ok(true);
        }
        let news = self.desk.take_news();
        let now = self.timeline.now();
        if let Some(hall) = &self.hall {
            hall.send_replace(Arc::new(self.desk.hall_report(now)));
        }
        self.tell_keypads();
        let latest = Latest { closing: self.desk.is_closing(), make: &|| self.desk.snapshot(now) };
        Ok(self.front.show(&latest, news, now)? == ControlFlow::Continue(()))
    }
}

async fn stop_signal(stop: &mut Option<StopSignals>) {
    match stop {
        Some(stop) => stop.received().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tabiya_engine::record::Header;
    use tabiya_engine::rules::GAMES;
    use tabiya_engine::table::{Author, Common};
    use tabiya_types::Seat;

    use super::*;
    use crate::desk::{
        Environment, News, OrderAnswer, OrderSight, OrderedAct, RefusedOrder, SingleTable, TableOrder,
    };
    use crate::session::Session;
    use crate::snapshot::{Snapshot, TableView};

    /// A front end that only keeps the newest snapshot. `held_up` is for how long it stops the loop when it shows
    /// the first move.
    #[derive(Clone, Default)]
    struct Kept {
        newest: Arc<Mutex<Option<Arc<Snapshot>>>>,
        held_up: Duration,
    }

    impl Front for Kept {
        type Input = &'static str;

        fn understand(&mut self, line: &'static str, _: Instant) -> Option<Wish> {
            Some(Wish::Typed(line.to_owned()))
        }

        fn show(&mut self, latest: &Latest<'_>, _: Vec<News>, _: Instant) -> io::Result<ControlFlow<()>> {
            let shown = latest.snapshot();
            if shown.table.as_ref().is_some_and(|table| !table.moves.is_empty()) {
                let (_silent, never) = std::sync::mpsc::channel::<()>();
                assert!(never.recv_timeout(std::mem::take(&mut self.held_up)).is_err());
            }
            *self.newest.lock().expect("one thread") = Some(shown);
            Ok(ControlFlow::Continue(()))
        }
    }

    /// Runs a chess match with ten seconds for each player. Each typed line has its own time, but the loop handles the
    /// lines only from the time `now` on.
    fn held_up_until(now: u64, typed: &[(u64, &'static str)]) -> Arc<TableView> {
        table_of(now, typed, &Kept::default())
    }

    /// The same, in this front end.
    fn table_of(now: u64, typed: &[(u64, &'static str)], front: &Kept) -> Arc<TableView> {
        let shown = after_messages(now, front, |inbox| {
            for (at, text) in typed {
                assert!(inbox.send(Instant::from_millis(*at), *text), "the loop is there");
            }
        });
        shown.table.clone().expect("a table")
    }

    /// The same with whatever `send` puts into the inbox.
    fn after_messages(now: u64, front: &Kept, send: impl FnOnce(&Inbox<&'static str>)) -> Arc<Snapshot> {
        let header =
            r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"10"}}"#;
        let session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
        let around = Environment {
            date: Box::new(|| Ok(String::new())),
            coin: Box::new(|| Ok(Seat::A)),
            chance: Box::new(|_| Err("no chance is needed here".to_owned())),
            evenings: "/nowhere".into(),
            settings: "/nowhere".into(),
            documents: None,
            home: None,
            locale: String::new(),
            features: &[],
        };
        let seated = SingleTable::unrecorded(session);
        let table = Loop::starting_at(Instant::from_millis(now)).expect("a loop");
        send(&table.inbox());
        table.inbox().input_ended();
        let parting = table.run(Desk::for_table(around, seated), front.clone()).expect("it ends");
        assert!(parting.is_some());
        front.newest.lock().expect("one thread").take().expect("it was shown")
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

    /// An order that enters its input whatever the table looks like.
    struct Plain {
        input: Option<Common>,
        answers: std::sync::mpsc::Sender<OrderAnswer>,
    }

    impl TableOrder for Plain {
        fn judge(&mut self, sight: &OrderSight<'_>) -> Option<OrderedAct> {
            assert_eq!(sight.on_the_table(), None, "no record is kept");
            Some(OrderedAct::Enter(Box::new(self.input.take()?.into())))
        }

        fn answer(self: Box<Self>, answer: OrderAnswer) {
            self.answers.send(answer).expect("the test listens");
        }
    }

    #[test]
    fn an_order_is_answered_to_who_gave_it_and_a_refusal_is_not_said_at_the_table() {
        let (answers, heard) = std::sync::mpsc::channel();
        let shown = after_messages(60_000, &Kept::default(), |inbox| {
            let order = |millis, input: Common| {
                let order = Box::new(Plain { input: Some(input), answers: answers.clone() });
                assert!(inbox.order(Instant::from_millis(millis), order), "the loop is there");
            };
            inbox.send(Instant::from_millis(100), "e2e4");
            order(200, Common::Pause(Author::Arbiter));
            order(300, Common::Pause(Author::Arbiter));
        });
        assert!(shown.table.as_ref().is_some_and(|table| table.clock.paused()));
        let first = heard.recv().expect("an answer").expect("the arbiter may pause");
        assert_eq!(first.own, Some(2));
        let second = heard.recv().expect("an answer").expect_err("they are paused");
        assert!(
            matches!(&second, RefusedOrder::Rules(why) if why.to_string().contains("paused")),
            "{second:?}"
        );
        assert!(shown.refused.is_none(), "{:?}", shown.refused);
    }

    /// The stop may come while the loop works, not only while it waits.
    #[test]
    fn a_stop_in_the_midst_of_work_is_charged_to_nobody() {
        let typed = [(0, "press black"), (9_000, "e2e4"), (9_001, "e7e5")];
        let running = held_up_until(9_000, &typed);
        assert!(running.clock.flag().is_none() && !running.clock.paused());
        let stopped = table_of(9_000, &typed, &Kept { held_up: Duration::from_secs(4), ..Kept::default() });
        assert_eq!((stopped.clock.flag(), stopped.clock.paused()), (None, true));
        assert_eq!(stopped.moves, ["e4"]);
    }
}
