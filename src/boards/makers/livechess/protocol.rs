//! Drives a board that LiveChess reads: which calls are made to LiveChess, and what its answers mean. Each message is
//! one JSON text.

use serde_json::{Value, json};
use tabiya_types::{Board, Millis, Observation, say};

use super::field;
use crate::event::{BoardEvent, BoardInfo, ClockInfo, ClockKind, ClockTimes, Side};
use crate::steady::{MakerTiming, Protocol, Report};

/// The id of the call that lists the boards, which is made repeatedly.
const LIST: u64 = 1;
/// The id of the call that subscribes to a board.
const SUBSCRIBE: u64 = 2;
/// The longest age of a clock's reading that is believed. A reading that claims to be older has a broken time stamp.
const OLDEST: Millis = Millis::from_secs(60);
/// What a clock shows at least until it reports its flag.
const LAST_SECOND: Millis = Millis::from_secs(1);
/// The id of the feed, that is, of the stream of reports that LiveChess sends about the subscribed board.
const FEED: u64 = 1;

/// A connection to LiveChess, for one of its boards.
#[derive(Debug)]
pub(super) struct LiveChess {
    /// The serial number of the wanted board; `None` if the only active board is wanted.
    unit: Option<String>,
    /// The serial number of the board whose reports are subscribed.
    subscribed: Option<String>,
    /// What LiveChess has reported about the clock.
    clock: KnownClock,
    /// The last request that was shown to people.
    wanted: Option<String>,
}

impl LiveChess {
    /// Creates a connection for the board with this serial number, or for the only active board.
    pub(super) fn new(unit: Option<&str>) -> Self {
        Self { unit: unit.map(str::to_owned), subscribed: None, clock: KnownClock::default(), wanted: None }
    }

    /// Handles the list of boards and subscribes once to the wanted board. `now` is the time at which LiveChess sent it.
    fn boards(&mut self, boards: &[Value], now: Option<u64>, heard: &mut Vec<Report>) {
        let serial = |board: &Value| field(board, "serialnr").as_str().map(str::to_owned);
        let active = |board: &&Value| field(board, "state") == "ACTIVE";
        let meant = |board: &&Value| match self.subscribed.as_ref().or(self.unit.as_ref()) {
            Some(wanted) => serial(board).as_ref() == Some(wanted),
            None => active(board),
        };
        let mut found = boards.iter().filter(meant);
        let (first, more) = (found.next(), found.next());
        heard.push(Report::Here);
        match (first, more) {
            (Some(board), None) => {
                if field(board, "state") == "ACTIVE" {
                    self.wanted = None;
                }
                if let (None, Some(serial)) = (&self.subscribed, serial(board)) {
                    heard.push(Report::Answer(subscribe(&serial)));
                    heard.push(Report::Info(set_serial, serial.clone()));
                    self.subscribed = Some(serial);
                }
                heard.extend(battery(field(board, "battery")).map(Report::Event));
                self.state(board, now, heard);
            }
            (Some(_), Some(_)) => {
                let numbers: Vec<String> = boards.iter().filter(active).filter_map(serial).collect();
                let numbers = numbers.join(", ");
                let what = say!(
                    "livechess-which",
                    "LiveChess has several boards ({numbers}): choose one by its number, as in livechess:auto#{first}",
                    first = numbers.split(',').next().unwrap_or_default().to_owned(),
                    numbers
                );
                self.want(what, heard);
            }
            (None, _) => {
                let what = say!(
                    "livechess-none",
                    "LiveChess has no active board that matches: activate the board in LiveChess"
                );
                self.want(what, heard);
            }
        }
    }

    /// Asks people to do something, unless the request is the same as the last one.
    fn want(&mut self, what: tabiya_types::Sentence, heard: &mut Vec<Report>) {
        if self.wanted.replace(what.to_string()) != Some(what.to_string()) {
            heard.push(Report::Event(BoardEvent::Wants(what)));
        }
    }

    /// Reports the position and the clock of a board. LiveChess may leave out fields that did not change. `now` is the
    /// time at which LiveChess sent the report.
    fn state(&mut self, state: &Value, now: Option<u64>, heard: &mut Vec<Report>) {
        if let Some(board) = field(state, "board").as_str() {
            heard.push(match board.parse::<Board>() {
                Ok(board) => Report::Board(board),
                Err(error) => Report::Damage(error.to_string()),
            });
        }
        if let Some(reading) = ClockReading::of(field(state, "clock"), now) {
            self.clock.follow(reading, heard);
        }
    }
}

/// What is known about the clock in this connection. LiveChess reports no presses, but whose time runs.
#[derive(Clone, Copy, Debug, Default)]
struct KnownClock {
    found: bool,
    /// The side whose time ran last. A stopped clock does not change it.
    ran: Option<Side>,
    /// When LiveChess read the clock last, by its own time.
    read: Option<u64>,
}

impl KnownClock {
    /// Reports what follows from a reading: a press if the other side's time runs now, then the times.
    fn follow(&mut self, reading: ClockReading, heard: &mut Vec<Report>) {
        if reading.read.zip(self.read).is_some_and(|(read, newest)| read < newest) {
            return;
        }
        self.read = reading.read.or(self.read);
        let first = !std::mem::replace(&mut self.found, true);
        if first {
            let info = ClockInfo { kind: ClockKind::TimesOnly, version: None };
            heard.push(Report::Event(BoardEvent::ClockFound(info)));
        }
        let before = self.ran;
        self.ran = reading.running.or(before);
        let changed = reading.running.filter(|running| before != Some(*running));
        // What the first reading shows may have begun long ago. A clock that stood and now runs was started by the
        // player whose time does not run.
        if let Some(running) = changed.filter(|_| !first) {
            let press = Observation::Press(running.other().color());
            heard.push(Report::Event(BoardEvent::Observed(press)));
        }
        heard.push(Report::Event(BoardEvent::ClockTimes(self.times(reading))));
    }

    fn times(&self, reading: ClockReading) -> ClockTimes {
        let ClockReading { left, right, .. } = reading;
        // Before a clock has run, 0 is what nobody has set yet.
        let fallen = match (left <= 0, right <= 0) {
            _ if self.ran.is_none() => None,
            (false, false) => None,
            (true, false) => Some(Side::Left),
            (false, true) => Some(Side::Right),
            // The time that runs fell last.
            (true, true) => self.ran.map(Side::other),
        };
        let shown = |side: Side, left: i64| {
            let used = if reading.running == Some(side) { reading.age } else { Millis::ZERO };
            let left = Millis(u64::try_from(left).unwrap_or(0));
            // A flag falls when the clock says so, not before.
            left.saturating_sub(used).max(left.min(LAST_SECOND))
        };
        let (left, right) = (shown(Side::Left, left), shown(Side::Right, right));
        ClockTimes { left, right, running: reading.running, to_move: self.ran, fallen, battery_low: false }
    }
}

/// A reading of the clock: the time of each side in ms, which may be below zero, and the side whose time runs.
#[derive(Clone, Copy, Debug)]
struct ClockReading {
    left: i64,
    right: i64,
    running: Option<Side>,
    /// When LiveChess read it, by its own time, and how long ago that was when it sent it.
    read: Option<u64>,
    age: Millis,
}

impl ClockReading {
    /// Parses a clock that LiveChess sent at `now`, by its own time.
    fn of(clock: &Value, now: Option<u64>) -> Option<Self> {
        const LONGEST: f64 = 1_000_000.0;
        let side = |name: &str| {
            let seconds = field(clock, name).as_f64().filter(|seconds| seconds.abs() < LONGEST)?;
            #[expect(clippy::cast_possible_truncation, reason = "it was bounded above")]
            Some((seconds * 1_000.0) as i64)
        };
        let running = field(clock, "run").as_bool().map(|white| if white { Side::Left } else { Side::Right });
        let read = field(clock, "time").as_u64();
        let age = now.zip(read).and_then(|(now, read)| now.checked_sub(read)).map(Millis);
        let age = age.filter(|age| *age <= OLDEST).unwrap_or(Millis::ZERO);
        Some(Self { left: side("white")?, right: side("black")?, running, read, age })
    }
}

fn set_serial(info: &mut BoardInfo, serial: String) {
    info.serial = Some(serial);
}

fn call(id: u64, name: &str, param: &Value) -> Vec<u8> {
    let call = if param.is_null() {
        json!({"id": id, "call": name})
    } else {
        json!({"id": id, "call": name, "param": param})
    };
    call.to_string().into_bytes()
}

fn subscribe(serial: &str) -> Vec<u8> {
    let feed = json!({"feed": "eboardevent", "id": FEED, "param": {"serialnr": serial}});
    call(SUBSCRIBE, "subscribe", &feed)
}

/// Parses a charge in percent, such as `84%`. A battery reported in volts is ignored.
fn battery(text: &Value) -> Option<BoardEvent> {
    let percent = text.as_str()?.strip_suffix('%')?.trim().parse::<u8>().ok()?.min(100);
    Some(BoardEvent::Battery { percent, charging: false, low: percent < 10 })
}

impl Protocol for LiveChess {
    /// LiveChess answers each call immediately. Without calls, it sends nothing as long as the position does not
    /// change. A position that LiveChess reports is at most one second old.
    fn timing(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis::ZERO,
            between: Millis(20),
            answer: Millis(2_000),
            tries: 3,
            poll_after: Millis(2_000),
            dead_after: Millis(7_000),
            lights: Millis(1_000),
            partial_timeout: Millis(60_000),
        }
    }

    fn greeting(&mut self) -> Vec<Vec<u8>> {
        self.ask()
    }

    /// Asks for the list of boards, which also contains every position.
    fn ask(&mut self) -> Vec<Vec<u8>> {
        vec![call(LIST, "eboards", &Value::Null)]
    }

    fn farewell(&mut self) -> Vec<Vec<u8>> {
        match self.subscribed.take() {
            Some(_) => vec![call(3, "unsubscribe", &json!({"id": FEED}))],
            None => Vec::new(),
        }
    }

    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        let Ok(said) = serde_json::from_slice::<Value>(bytes) else {
            heard.push(Report::Damage("LiveChess sent a message that is not JSON".to_owned()));
            return;
        };
        let now = field(&said, "time").as_u64();
        match (field(&said, "response").as_str(), field(&said, "id").as_u64()) {
            (Some("call"), Some(LIST)) => {
                let boards = field(&said, "param").as_array().cloned().unwrap_or_default();
                self.boards(&boards, now, heard);
            }
            (Some("feed"), Some(FEED)) => self.state(field(&said, "param"), now, heard),
            (Some("error"), _) => {
                let what = field(field(&said, "param"), "message").as_str().unwrap_or("no reason given");
                heard.push(Report::Damage(format!("LiveChess reports an error: {what}")));
                // The subscribed board may be missing in LiveChess, so subscribe again after the next list of boards.
                self.subscribed = None;
            }
            (Some(_), _) => heard.push(Report::Nothing),
            (None, _) => {
                heard.push(Report::Damage("LiveChess sent a message that is not a response".to_owned()));
            }
        }
    }

    /// Does nothing, because every message of LiveChess arrives complete.
    fn discard_partial(&mut self) {}
}

#[cfg(test)]
mod tests;
