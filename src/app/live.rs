//! The loop of a live table: board, keyboard and time in one inbox, one place that waits.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;

use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::board_notes::BoardNotes;
use super::screen::{Pressed, Screen};
use super::session::{Said, Session};
use super::signals::StopSignals;
use super::sleep::{ClockPair, SleepWatch};
use super::time::RealTime;
use super::view;
use super::words::{self, Order};
use tabiya_boards::address::LiveAddress;
use tabiya_boards::link::LinkError;
use tabiya_boards::supervisor::{self, Handle, Tap};
use tabiya_boards::{BoardEvent, typed};
use tabiya_cards::deck::Deck;
use tabiya_cards::{self as cards, CardEvent};
use tabiya_types::{Instant, Timeline, harmless, harmless_lines};

/// How many events may wait. A board sends at most a few hundred a second.
const INBOX: usize = 4096;
/// How many events are taken before the table is shown again.
const BATCH: usize = 64;

/// Everything that can wake the table.
enum Event {
    Board(Instant, BoardEvent),
    /// From the box beside the board.
    Box(Instant, BoardEvent),
    Card(Instant, CardEvent),
    Typed(Instant, String),
    Key(Instant, ratatui::crossterm::event::Event),
    InputEnded,
}

/// Why a live table could not start or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The system gave no thread, no signal or no terminal.
    #[error("the table cannot run here: {0}")]
    System(#[from] std::io::Error),
    /// The board could not be reached at the start.
    #[error("{0}")]
    NoBoard(LinkError),
}

/// The devices at a table that answer, and what they have said so far.
pub struct Connected {
    inbox: Receiver<Event>,
    sender: Sender<Event>,
    early: Vec<Event>,
    /// They go last: their threads may be waiting for room in the inbox.
    handles: Handles,
}

/// What tells the devices.
#[derive(Default)]
struct Handles {
    board: Option<Handle>,
    beside: Option<Handle>,
}

impl Default for Connected {
    /// No device at all.
    fn default() -> Self {
        let (sender, inbox) = channel(INBOX);
        Self { inbox, sender, early: Vec::new(), handles: Handles::default() }
    }
}

impl Connected {
    /// Connects to a board and waits until it has shown its position. That it cannot be reached is told
    /// at once; once it was, a lost board is looked for again and play goes on meanwhile.
    pub fn board(
        &mut self,
        address: &LiveAddress,
        timeline: &RealTime,
        tap: Option<Tap>,
    ) -> Result<(), LiveError> {
        self.handles.board = Some(watch_device(address, timeline, self.sender.clone(), tap, Event::Board)?);
        self.wait(|event| match event {
            Event::Board(_, event) => Some(event),
            Event::Box(..) | Event::Card(..) | Event::Typed(..) | Event::Key(..) | Event::InputEnded => None,
        })
    }

    /// Connects likewise to a box beside the board, whose cards, presses and buttons count.
    pub fn beside(&mut self, address: &LiveAddress, timeline: &RealTime) -> Result<(), LiveError> {
        self.handles.beside = Some(watch_device(address, timeline, self.sender.clone(), None, Event::Box)?);
        self.wait(|event| match event {
            Event::Box(_, event) => Some(event),
            Event::Board(..) | Event::Card(..) | Event::Typed(..) | Event::Key(..) | Event::InputEnded => {
                None
            }
        })
    }

    /// Waits until the device whose events `of` knows is there; keeps what comes meanwhile.
    fn wait(&mut self, of: impl Fn(&Event) -> Option<&BoardEvent>) -> Result<(), LiveError> {
        while let Some(event) = self.inbox.blocking_recv() {
            let there = match of(&event) {
                Some(BoardEvent::Lost(error)) => return Err(LiveError::NoBoard(error.clone())),
                // What wants something first is there, too.
                Some(event) => event.shows_all() || matches!(event, BoardEvent::Wants(_)),
                None => false,
            };
            self.early.push(event);
            if there {
                break;
            }
        }
        Ok(())
    }
}

/// How a live table is run.
pub struct Live {
    /// The board and what stands beside it, as far as they are there.
    pub devices: Connected,
    /// The deck whose cards are read, if one is in play.
    pub deck: Option<Deck>,
    /// Whether cards are dealt over a reader, too.
    pub read_deals: bool,
    /// Lines instead of a screen, even in a terminal.
    pub plain: bool,
}

/// Runs a table until its people leave. The session comes back whole.
pub fn run(mut session: Session, timeline: &RealTime, live: Live) -> Result<Session, LiveError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let screen = !live.plain && std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    let Connected { inbox, sender, early, handles } = live.devices;
    let readers = live.deck.map(|deck| {
        session.use_deck(deck);
        if live.read_deals {
            session.read_deals();
        }
        watch_cards(sender.clone(), timeline)
    });
    let mut front = if screen { Front::Screen(Box::new(Screen::open()?)) } else { Front::Plain };
    if screen {
        read_keys(sender, timeline.clone());
    } else {
        read_lines(sender, timeline.clone());
    }
    for event in early {
        handle_event(&mut session, event, &mut front, &handles)?;
    }
    let ended = runtime.block_on(turn(&mut session, timeline, inbox, &mut front, &handles));
    drop(readers);
    // The inbox is gone by now, so that nothing a device sends can hold its thread up.
    drop(handles);
    drop(front);
    // Leaving waits for nothing: what cannot be written now is told when the record is let go.
    drop(session.leave(timeline.now()));
    ended.map(|()| session)
}

async fn turn(
    session: &mut Session,
    timeline: &RealTime,
    mut inbox: Receiver<Event>,
    front: &mut Front,
    devices: &Handles,
) -> Result<(), LiveError> {
    let mut stop = StopSignals::listen()?;
    front.show(session, timeline.now())?;
    let mut sleep = SleepWatch::default();
    loop {
        let now = timeline.now();
        match take_waiting(session, &mut inbox, front, devices)? {
            Inbox::Ended => return front.say_all(session),
            // What waits may have happened before the deadline, and then it comes first.
            Inbox::MoreWaits => {}
            Inbox::Empty => {
                if session.deadline().is_some_and(|at| at <= now) {
                    session.time(now);
                }
            }
        }
        if let Some(board) = &devices.board {
            for order in session.board_orders(timeline.now()) {
                board.tell(order);
            }
        }
        if let Some(beside) = &devices.beside {
            for order in session.box_orders(timeline.now()) {
                beside.tell(order);
            }
        }
        front.say_all(session)?;
        front.draw(session, timeline.now())?;
        if session.deadline().is_some_and(|due| timeline.nap_until(due)) {
            continue;
        }
        let due = session.deadline().map(|at| timeline.roughly_until(at));
        let due = front.refresh().into_iter().chain(due).min().unwrap_or(std::time::Duration::from_hours(1));
        let event = tokio::select! {
            biased;
            () = stop.asked() => return front.say_all(session),
            event = inbox.recv() => Some(event),
            () = tokio::time::sleep(due) => None,
        };
        // What had come in before was taken; whatever comes now comes after the sleep.
        if let Some(slept) = sleep.look(ClockPair::now()) {
            session.slept(slept, timeline.now());
        }
        let Some(event) = event else { continue };
        // An inbox that nobody can write to any more is the end, too.
        let Some(event) = event else { return front.say_all(session) };
        if !handle_event(session, event, front, devices)? {
            return front.say_all(session);
        }
    }
}

/// How an inbox was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inbox {
    Empty,
    MoreWaits,
    /// Somebody left the table.
    Ended,
}

/// Takes what has come in already, each at its own moment.
fn take_waiting(
    session: &mut Session,
    inbox: &mut Receiver<Event>,
    front: &mut Front,
    devices: &Handles,
) -> Result<Inbox, LiveError> {
    for _ in 0..BATCH {
        let Ok(event) = inbox.try_recv() else { return Ok(Inbox::Empty) };
        if !handle_event(session, event, front, devices)? {
            return Ok(Inbox::Ended);
        }
    }
    Ok(Inbox::MoreWaits)
}

/// Returns whether the table goes on.
fn handle_event(
    session: &mut Session,
    event: Event,
    front: &mut Front,
    devices: &Handles,
) -> Result<bool, LiveError> {
    match event {
        Event::Board(at, event) => session.board(&event, at),
        Event::Box(at, event) => session.beside(&event, at),
        Event::Card(at, event) => session.cards(&event, at),
        Event::Typed(at, text) => return obey(session, &text, at, front, devices),
        Event::Key(at, key) => match front.key(&key, at, session) {
            Pressed::Nothing => {}
            Pressed::Line(text) => return obey(session, &text, at, front, devices),
            Pressed::Clock(by) => {
                if let Some(press) = session.press_of(by)
                    && let Err(fault) = session.enter(&press, at)
                {
                    front.say_all(session)?;
                    front.tell(&view::addressed(session.audience_of(&fault), &fault.to_string()))?;
                }
            }
            Pressed::Leave => return Ok(false),
        },
        // Without a device nothing can come any more.
        Event::InputEnded => return Ok(devices.board.is_some() || devices.beside.is_some()),
    }
    Ok(true)
}

fn obey(
    session: &mut Session,
    text: &str,
    at: Instant,
    front: &mut Front,
    devices: &Handles,
) -> Result<bool, LiveError> {
    match words::read(text, session, at) {
        Ok(Order::Do(inputs)) => {
            if let Some(wait) = session.hold(&inputs) {
                front.tell(&view::addressed(session.table().audience_of_faults(), &wait.to_string()))?;
                return Ok(true);
            }
            for input in &inputs {
                if let Err(fault) = session.enter(input, at) {
                    front.say_all(session)?;
                    front.tell(&view::addressed(session.audience_of(&fault), &fault.to_string()))?;
                    return Ok(true);
                }
            }
            front.say_all(session)?;
            front.prompt(session)?;
        }
        Ok(Order::No) => {
            let text = if session.no() { "as you say: nothing is changed" } else { "nothing was asked" };
            front.tell(text)?;
        }
        Ok(Order::Unread) => session.dealt_unread(at),
        Ok(Order::Misdeal) => session.misdeal(),
        Ok(Order::Open(game, reason)) => session.open_sealed(game, &reason, at),
        Ok(Order::Show) => front.show_again(session, at)?,
        Ok(Order::Legal) => front.tell(&words::completions("", session).join(", "))?,
        Ok(Order::Sheet) => {
            let sheet =
                tabiya_engine::record::sheet::text(session.replay().header(), session.head().as_deref());
            front.tell(&sheet)?;
        }
        Ok(Order::ReadBoard) => match &devices.board {
            Some(board) => board.ask_dump(),
            None => front.tell("no board is connected; start with `--board`")?,
        },
        Ok(Order::Help) => front.tell(words::HELP)?,
        Ok(Order::Quit) => return Ok(false),
        Ok(Order::Nothing) => {}
        Err(sentence) => front.tell(&sentence)?,
    }
    Ok(true)
}

fn watch_device(
    address: &LiveAddress,
    timeline: &RealTime,
    sender: Sender<Event>,
    tap: Option<Tap>,
    event_of: fn(Instant, BoardEvent) -> Event,
) -> Result<Handle, LiveError> {
    let (maker, kept) = (address.maker, BoardNotes::usual());
    let notes = kept.of(maker);
    if let Some(trouble) = kept.trouble() {
        drop(sender.try_send(event_of(timeline.now(), BoardEvent::Wants(trouble))));
    }
    let sink = Box::new(move |at, event| {
        // An inbox that is gone means that the table has ended.
        drop(sender.blocking_send(event_of(at, kept.hear(maker, event))));
    });
    Ok(supervisor::spawn(address, notes, Arc::new(timeline.clone()), sink, tap)?)
}

fn watch_cards(sender: Sender<Event>, timeline: &RealTime) -> cards::Handle {
    let sink = Box::new(move |at, event| {
        // An inbox that is gone means that the table has ended.
        drop(sender.blocking_send(Event::Card(at, event)));
    });
    cards::spawn(Arc::new(timeline.clone()), sink)
}

fn read_lines(sender: Sender<Event>, timeline: RealTime) {
    std::thread::spawn(move || {
        for line in typed::lines(std::io::stdin().lock()) {
            if sender.blocking_send(Event::Typed(timeline.now(), line)).is_err() {
                return;
            }
        }
        drop(sender.blocking_send(Event::InputEnded));
    });
}

fn read_keys(sender: Sender<Event>, timeline: RealTime) {
    std::thread::spawn(move || {
        while let Ok(event) = ratatui::crossterm::event::read() {
            if sender.blocking_send(Event::Key(timeline.now(), event)).is_err() {
                return;
            }
        }
        drop(sender.blocking_send(Event::InputEnded));
    });
}

/// Where the table is shown: lines, or a screen.
enum Front {
    Plain,
    Screen(Box<Screen>),
}

impl Front {
    fn say_all(&mut self, session: &mut Session) -> Result<(), LiveError> {
        for Said { to, text } in session.take_said() {
            self.tell(&view::addressed(to, &text.to_string()))?;
        }
        Ok(())
    }

    fn tell(&mut self, text: &str) -> Result<(), LiveError> {
        let text = harmless_lines(text);
        match self {
            Self::Plain => line(&text)?,
            Self::Screen(screen) => screen.log(&text),
        }
        Ok(())
    }

    /// After each input lines say what comes next; a screen shows it anyway.
    fn prompt(&mut self, session: &Session) -> Result<(), LiveError> {
        match self {
            Self::Plain => line(&harmless(&format!("> {}", session.table().prompt())))?,
            Self::Screen(_) => {}
        }
        Ok(())
    }

    /// Shows the whole table once.
    fn show(&mut self, session: &Session, now: Instant) -> Result<(), LiveError> {
        match self {
            Self::Plain => line(&view::lines(session, now).join("\n"))?,
            Self::Screen(screen) => screen.draw(session, now)?,
        }
        Ok(())
    }

    /// The same where somebody asks for it: a screen with large digits has no room for the rest of it.
    fn show_again(&mut self, session: &Session, now: Instant) -> Result<(), LiveError> {
        if matches!(self, Self::Screen(_)) && session.table().game().plays_on_after_flag() {
            return self.tell(&view::lines(session, now).join("\n"));
        }
        self.show(session, now)
    }

    fn draw(&mut self, session: &Session, now: Instant) -> Result<(), LiveError> {
        match self {
            Self::Plain => {}
            Self::Screen(screen) => screen.draw(session, now)?,
        }
        Ok(())
    }

    /// How soon it has to be drawn again.
    fn refresh(&self) -> Option<std::time::Duration> {
        match self {
            Self::Plain => None,
            Self::Screen(_) => Some(super::screen::REFRESH),
        }
    }

    fn key(&mut self, key: &ratatui::crossterm::event::Event, at: Instant, session: &Session) -> Pressed {
        match self {
            Self::Plain => Pressed::Nothing,
            Self::Screen(screen) => screen.key(key, at, session),
        }
    }
}

/// Prints a line; a reader that went away is no failure of the table.
fn line(text: &str) -> Result<(), LiveError> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_engine::record::Header;
    use tabiya_engine::rules::GAMES;

    /// A table of chess with ten seconds each, and an inbox with these typed lines in it.
    fn table(typed: &[(u64, &str)]) -> (Session, Receiver<Event>) {
        let header =
            r#"{"tabiya":1,"game":"chess","players":{"A":"Ann","B":"Bo"},"white":"A","terms":{"time":"10"}}"#;
        let session = Session::new(Header::parse(header, GAMES).expect("a header"), None, None);
        let (sender, inbox) = channel(INBOX);
        for (at, text) in typed {
            let typed = Event::Typed(Instant::from_millis(*at), (*text).to_owned());
            assert!(sender.try_send(typed).is_ok(), "there is room");
        }
        assert!(sender.try_send(Event::InputEnded).is_ok(), "there is room");
        (session, inbox)
    }

    /// Runs the loop over an inbox whose events were held up until `now`.
    fn held_up_until(now: u64, typed: &[(u64, &str)]) -> Session {
        let (mut session, inbox) = table(typed);
        let timeline = RealTime::starting_at(Instant::from_millis(now));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let ended =
            runtime.block_on(turn(&mut session, &timeline, inbox, &mut Front::Plain, &Handles::default()));
        assert!(ended.is_ok());
        session
    }

    #[test]
    fn a_press_that_waits_in_the_inbox_comes_before_the_flag_that_it_forestalled() {
        let typed = [(100, "e2e4"), (9_000, "press white"), (9_500, "e7e5"), (9_600, "press black")];
        let session = held_up_until(60_000, &typed);
        assert_eq!(session.table().clock().flag(), None);
        assert_eq!(session.replay().report()["games"][0]["moves"], serde_json::json!(["e2e4", "e7e5"]));
    }

    #[test]
    fn more_than_a_batch_in_the_inbox_comes_before_the_flag_too() {
        let mut typed = vec![(100, "e2e4")];
        typed.extend((0..3 * BATCH as u64).map(|nth| (200 + nth, "no")));
        typed.push((9_000, "press white"));
        let session = held_up_until(15_000, &typed);
        assert_eq!(session.table().clock().flag(), None);
    }
}
