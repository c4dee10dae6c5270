//! What drives most boards: greet, listen, ask when it has grown still, light what is to shine, say good-bye.
//!
//! A maker's [`Protocol`] knows the bytes; [`Steady`] knows when. No IO and no time of its own.

use std::collections::VecDeque;

use tabiya_types::{Board, Instant, Millis, Observation, Squares};

use crate::brand::Abilities;
use crate::driver::{BoardCommand, Connection, Driver, DriverFailure};
use crate::event::{BoardEvent, BoardInfo};
use crate::lights::Lights;
use crate::link::{Carrier, WAKES_WITHIN};

/// Commands that wait to be sent. More are not needed: each is cheap to ask for again.
const LONGEST_QUEUE: usize = 32;

/// Before the first write over Bluetooth's serial profile.
const LATE_FIRST: Millis = Millis(500);

/// A maker's figures, in ms. Each is from the maker's own words or from drivers in the field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MakerTiming {
    /// From the opening of the line to the first write: some boards lose what is written at once.
    pub before_first: Millis,
    /// Between two writes.
    pub between: Millis,
    /// How long the board may take to tell its first position before it is greeted again.
    pub answer: Millis,
    /// How often it is greeted.
    pub tries: u8,
    /// After so long without a word the board is asked for its position.
    pub still: Millis,
    /// After so long without a word the link is dead.
    pub dead: Millis,
    /// Between two pictures of lights.
    pub lights: Millis,
    /// Half a message is given up after so long without its next byte.
    pub half: Millis,
}

/// What a board said.
#[derive(Clone, Debug)]
pub enum Report {
    /// All squares, White below as the maker means it.
    Board(Board),
    /// All squares, of a board that only feels that something stands there.
    Occupied(Squares),
    /// Something else that the app is to know.
    Event(BoardEvent),
    /// More is known of the board.
    Info(fn(&mut BoardInfo, String), String),
    /// What this one can do is now known.
    Abilities(Abilities),
    /// It wants this answered.
    Answer(Vec<u8>),
    /// It has no squares to tell: what it has said of itself is all.
    NoSquares,
    /// It is such a board, but cannot tell its position yet: people have to do something first.
    Here,
    /// Its lights went out by themselves, or show something else: what is wanted is to be sent again.
    Darkened,
    /// A sign of life that tells nothing.
    Nothing,
    /// Bytes that made no sense, as a sentence for whoever looks for the fault.
    Damage(String),
}

/// The bytes of a maker's boards, both ways. A value of one connection.
pub trait Protocol: Send {
    /// The maker's figures.
    fn pace(&self) -> MakerTiming;
    /// What starts the board; may be said again and again.
    fn greeting(&mut self) -> Vec<Vec<u8>>;
    /// What has the board tell its position again.
    fn ask(&mut self) -> Vec<Vec<u8>>;
    /// What has the board tell how full its battery is.
    fn ask_battery(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }
    /// What lights these squares and no others.
    fn light(&mut self, _lights: &Lights) -> Vec<Vec<u8>> {
        Vec::new()
    }
    /// What beeps for about so long.
    fn beep(&mut self, _length: Millis) -> Vec<Vec<u8>> {
        Vec::new()
    }
    /// What shows a text, or with `None` no text any more.
    fn show(&mut self, _text: Option<&str>) -> Vec<Vec<u8>> {
        Vec::new()
    }
    /// What leaves the board silent.
    fn farewell(&mut self) -> Vec<Vec<u8>>;
    /// Takes bytes in: any part of the stream, or one message.
    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>);
    /// The rest of a half message will not come.
    fn give_up_half(&mut self);
    /// How long after the last write what is waited for may take; `None` waits for nothing.
    fn patience(&self) -> Option<Millis> {
        None
    }
    /// What was waited for did not come.
    fn waited(&mut self, _heard: &mut Vec<Report>) {}
}

/// Drives one connection to one board.
pub struct Steady<P> {
    protocol: P,
    pace: MakerTiming,
    phase: Phase,
    waiting: VecDeque<Vec<u8>>,
    /// When the next write may go.
    free_at: Instant,
    /// When the last write went, or was waited for in vain.
    wrote: Instant,
    out: VecDeque<Vec<u8>>,
    events: VecDeque<BoardEvent>,
    last_byte: Instant,
    last_heard: Instant,
    info: BoardInfo,
    /// `info` knows more than was told.
    info_news: bool,
    /// What was told last; a board that repeats itself is told once.
    told: Option<Observation>,
    /// Its position was read.
    read: bool,
    lamps: Lamplighter,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Only listens.
    Passive,
    /// The line is open, nothing may be written yet.
    Waking {
        until: Instant,
    },
    /// Greeted so many times.
    Greeting {
        times: u8,
        until: Instant,
    },
    /// The board tells its position.
    Running {
        ask_at: Instant,
    },
    Ended {
        failure: Option<DriverFailure>,
    },
}

/// Sends only the newest picture, none twice, and none too soon after another.
struct Lamplighter {
    wanted: Lights,
    /// Nothing is known of them before the first picture: a board whose link was lost still shows the last one.
    shown: Option<Lights>,
    free_at: Instant,
}

impl<P: Protocol> Steady<P> {
    /// Begins a connection.
    pub fn new(protocol: P, connection: &Connection, now: Instant) -> Self {
        let mut pace = protocol.pace();
        if connection.carrier == Carrier::LateStream {
            pace.before_first = pace.before_first.max(LATE_FIRST);
            let tries = WAKES_WITHIN.0.div_ceil(pace.answer.0.max(1));
            pace.tries = pace.tries.max(u8::try_from(tries).unwrap_or(u8::MAX));
        }
        let phase = if connection.passive {
            Phase::Passive
        } else {
            Phase::Waking { until: now + pace.before_first }
        };
        Self {
            protocol,
            pace,
            phase,
            waiting: VecDeque::new(),
            free_at: now + pace.before_first,
            wrote: now,
            out: VecDeque::new(),
            events: VecDeque::new(),
            last_byte: now,
            last_heard: now,
            info: BoardInfo::new(connection.brand),
            info_news: true,
            told: None,
            read: false,
            lamps: Lamplighter { wanted: Lights::DARK, shown: None, free_at: now },
        }
    }

    fn greet(&mut self, times: u8, now: Instant) {
        let greeting = self.protocol.greeting();
        let turns = u64::try_from(greeting.len()).unwrap_or(0);
        self.send(greeting);
        let until = now + Millis(self.pace.between.0 * turns) + self.pace.answer;
        self.phase = Phase::Greeting { times, until };
    }

    fn send(&mut self, writes: Vec<Vec<u8>>) {
        if self.waiting.len() + writes.len() <= LONGEST_QUEUE {
            self.waiting.extend(writes);
        }
    }

    /// Lets the next write go when the board has had time for the last.
    fn pump(&mut self, now: Instant) {
        // Only the newest picture may wait: it is made when everything before it has gone.
        if self.lamps_at().is_some_and(|at| at <= now) {
            let picture = self.protocol.light(&self.lamps.wanted);
            self.lamps.shown = Some(self.lamps.wanted);
            self.lamps.free_at = now + self.pace.lights;
            self.send(picture);
        }
        self.write_one(now);
    }

    fn write_one(&mut self, now: Instant) {
        if now >= self.free_at
            && let Some(bytes) = self.waiting.pop_front()
        {
            self.out.push_back(bytes);
            self.wrote = now;
            self.free_at = now + self.pace.between;
        }
    }

    /// Until when something that was asked may be answered, once all is written.
    fn patient_until(&self) -> Option<Instant> {
        self.protocol.patience().filter(|_| self.waiting.is_empty()).map(|long| self.wrote + long)
    }

    /// Gives up what was waited for in vain.
    fn give_up_waiting(&mut self, now: Instant) {
        if self.patient_until().is_some_and(|until| now >= until) {
            self.wrote = now;
            let mut all = Vec::new();
            self.protocol.waited(&mut all);
            for heard in all {
                self.react(heard, now);
            }
        }
    }

    /// When the lamps may be set, if they should show something else and nothing is before them.
    fn lamps_at(&self) -> Option<Instant> {
        let ready = matches!(self.phase, Phase::Running { .. }) && self.waiting.is_empty();
        (ready && self.lamps.shown != Some(self.lamps.wanted)).then_some(self.lamps.free_at)
    }

    /// The board said something.
    fn take(&mut self, heard: Report, now: Instant) {
        let alive = !matches!(heard, Report::Damage(_) | Report::Answer(_));
        self.react(heard, now);
        if alive {
            self.heard(now);
        }
    }

    fn react(&mut self, heard: Report, now: Instant) {
        match heard {
            Report::Damage(what) => self.events.push_back(BoardEvent::Damage { what }),
            // What waits already need not be said twice.
            Report::Answer(bytes) if self.waiting.contains(&bytes) => {}
            Report::Answer(bytes) => self.send(vec![bytes]),
            Report::Board(board) => self.show(Observation::Whole(board), now),
            Report::Occupied(squares) => self.show(Observation::Occupied(squares), now),
            Report::Here => self.run(now),
            Report::NoSquares => {
                self.run(now);
                self.identify();
            }
            Report::Darkened => {
                self.lamps.shown = Some(Lights::DARK);
                // A picture in the same moment might go out again.
                self.lamps.free_at = self.lamps.free_at.max(now + self.pace.lights);
            }
            Report::Event(event) => self.events.push_back(event),
            Report::Info(learn, text) => {
                let before = self.info.clone();
                learn(&mut self.info, text);
                self.info_news |= before != self.info;
            }
            Report::Abilities(abilities) => {
                self.info_news |= self.info.abilities != abilities;
                self.info.abilities = abilities;
            }
            Report::Nothing => {}
        }
        if self.read && self.info_news {
            self.info_news = false;
            self.events.push_back(BoardEvent::Identified(self.info.clone()));
        }
    }

    fn run(&mut self, now: Instant) {
        if let Phase::Waking { .. } | Phase::Greeting { .. } = self.phase {
            self.phase = Phase::Running { ask_at: now + self.pace.still };
        }
    }

    fn show(&mut self, seen: Observation, now: Instant) {
        self.run(now);
        if self.told == Some(seen) {
            return;
        }
        self.told = Some(seen);
        self.identify();
        self.events.push_back(BoardEvent::Observed(seen));
    }

    /// All was read; once, what is known of the board is told.
    fn identify(&mut self) {
        if !std::mem::replace(&mut self.read, true) {
            self.info_news = false;
            self.events.push_back(BoardEvent::Identified(self.info.clone()));
        }
    }

    fn heard(&mut self, now: Instant) {
        self.last_heard = now;
        if let Phase::Running { ask_at } = &mut self.phase {
            *ask_at = now + self.pace.still;
        }
    }

    fn has_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended { .. })
    }

    fn end(&mut self, failure: Option<DriverFailure>) {
        self.waiting.clear();
        self.phase = Phase::Ended { failure };
    }
}

impl<P: Protocol> Driver for Steady<P> {
    fn on_bytes(&mut self, bytes: &[u8], now: Instant) {
        if bytes.is_empty() || self.has_ended() {
            return;
        }
        if now.since(self.last_byte) > self.pace.half {
            self.protocol.give_up_half();
        }
        self.last_byte = now;
        let mut all = Vec::new();
        self.protocol.hear(bytes, &mut all);
        for heard in all {
            self.take(heard, now);
        }
        self.on_time(now);
    }

    fn on_time(&mut self, now: Instant) {
        match self.phase {
            Phase::Passive | Phase::Ended { .. } => return,
            Phase::Waking { until } if now >= until => self.greet(1, now),
            Phase::Waking { .. } => {}
            Phase::Greeting { times, until } if now >= until => {
                if times >= self.pace.tries {
                    return self.end(Some(DriverFailure::NotABoard));
                }
                self.greet(times + 1, now);
            }
            Phase::Greeting { .. } => {}
            Phase::Running { ask_at } => {
                if now.since(self.last_heard) > self.pace.dead {
                    return self.end(Some(DriverFailure::Silent));
                }
                if now >= ask_at {
                    self.phase = Phase::Running { ask_at: now + self.pace.still };
                    let ask = self.protocol.ask();
                    self.send(ask);
                }
            }
        }
        self.give_up_waiting(now);
        self.pump(now);
    }

    fn deadline(&self) -> Option<Instant> {
        let write = (!self.waiting.is_empty()).then_some(self.free_at);
        let patient = self.patient_until();
        match self.phase {
            Phase::Passive | Phase::Ended { .. } => None,
            Phase::Waking { until } | Phase::Greeting { until, .. } => {
                [Some(until), write, patient].into_iter().flatten().min()
            }
            Phase::Running { ask_at } => {
                let dead = self.last_heard + self.pace.dead + Millis(1);
                [Some(ask_at), Some(dead), write, self.lamps_at(), patient].into_iter().flatten().min()
            }
        }
    }

    fn next_write(&mut self) -> Option<Vec<u8>> {
        self.out.pop_front()
    }

    fn next_event(&mut self) -> Option<BoardEvent> {
        self.events.pop_front()
    }

    fn failure(&self) -> Option<DriverFailure> {
        match self.phase {
            Phase::Ended { failure } => failure,
            _ => None,
        }
    }

    fn ready(&self) -> bool {
        self.read && matches!(self.phase, Phase::Running { .. })
    }

    fn info(&self) -> &BoardInfo {
        &self.info
    }

    fn order(&mut self, order: &BoardCommand, now: Instant) {
        match order {
            BoardCommand::AskDump => {
                // Whoever asks wants to be told, changed or not.
                self.told = None;
                let ask = self.protocol.ask();
                self.send(ask);
            }
            BoardCommand::AskBattery => {
                let ask = self.protocol.ask_battery();
                self.send(ask);
            }
            BoardCommand::Beep(length) => {
                let beep = self.protocol.beep(*length);
                self.send(beep);
            }
            BoardCommand::Light(lights) => self.lamps.wanted = *lights,
            BoardCommand::Show(text) => {
                let show = self.protocol.show(Some(text));
                self.send(show);
            }
            BoardCommand::EndDisplay => {
                let clear = self.protocol.show(None);
                self.send(clear);
            }
            // There is no clock behind these boards.
            BoardCommand::SetClock(_) | BoardCommand::Wake => {}
        }
        self.on_time(now);
    }

    fn stop(&mut self, now: Instant) -> Millis {
        if self.has_ended() || self.phase == Phase::Passive {
            return Millis(0);
        }
        let began = !matches!(self.phase, Phase::Waking { .. });
        // A picture that still waits was not seen by anybody.
        let lit = began && (self.lamps.shown != Some(Lights::DARK) || !self.waiting.is_empty());
        let free_at = if lit { self.free_at.max(self.lamps.free_at) } else { self.free_at };
        self.end(None);
        if lit {
            self.out.extend(self.protocol.light(&Lights::DARK));
        }
        if began {
            self.out.extend(self.protocol.farewell());
        }
        free_at.since(now)
    }
}
