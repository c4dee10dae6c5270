//! The driver for most boards: greets the board, listens, polls a silent board, sets the lights, says goodbye.
//!
//! A maker's [`Protocol`] knows the bytes; [`Steady`] knows when to send them. This module does no IO and reads no
//! clock.

use std::collections::VecDeque;

use tabiya_types::{Board, Instant, Millis, Observation, Squares};

use crate::brand::Abilities;
use crate::driver::{BoardCommand, Connection, Driver, DriverFailure, DriverOutput};
use crate::event::{BoardEvent, BoardInfo};
use crate::lights::Lights;
use crate::link::{Carrier, LATE_CONNECT_TIMEOUT};

/// The most commands that wait to be sent. Further commands are dropped, because the caller can give them again.
const LONGEST_QUEUE: usize = 32;

/// The delay before the first write over Bluetooth's serial profile.
const LATE_FIRST: Millis = Millis(500);

/// A maker's timings. Each value comes from the maker's documents or from other drivers for the maker's boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MakerTiming {
    /// The time from opening the port to the first write. Some boards lose bytes that are written at once.
    pub before_first: Millis,
    /// The pause between two writes.
    pub between: Millis,
    /// How long the driver waits for the board's first position before it greets the board again.
    pub answer: Millis,
    /// How often the driver greets the board before it gives up.
    pub tries: u8,
    /// The time without a report after which the driver polls the board for its position.
    pub poll_after: Millis,
    /// The time without a report after which the link counts as dead.
    pub dead_after: Millis,
    /// The pause between two commands that set the lights.
    pub lights: Millis,
    /// The time without a further byte after which an incomplete message is discarded.
    pub partial_timeout: Millis,
}

/// A report from a board.
#[derive(Clone, Debug)]
pub enum Report {
    /// All squares with their pieces. White's side is below; the maker defines which side of the board is White's.
    Board(Board),
    /// The occupied squares, from a board that does not identify pieces.
    Occupied(Squares),
    /// An event that is passed on to the program.
    Event(BoardEvent),
    /// A detail about the board became known. The second field is the detail; the first field is the function that
    /// stores it in the information about the board.
    Info(fn(&mut BoardInfo, String), String),
    /// The abilities of this board became known.
    Abilities(Abilities),
    /// The board expects these bytes as an answer to its message.
    Answer(Vec<u8>),
    /// The device has no squares, and everything that it reports about itself is known.
    NoSquares,
    /// The device has proved that it is a board with this protocol. It cannot report its position until people do
    /// something.
    Here,
    /// The board's lights went out or changed by themselves, so the wanted lights must be sent again.
    Darkened,
    /// The board is alive and has nothing to report.
    Nothing,
    /// Invalid bytes, described in a sentence for troubleshooting.
    Damage(String),
}

/// A maker's protocol in both directions. Each connection has its own instance.
pub trait Protocol: Send {
    /// The maker's timings.
    fn timing(&self) -> MakerTiming;
    /// The commands that start the board. The driver may send them several times.
    fn greeting(&mut self) -> Vec<Vec<u8>>;
    /// The commands that make the board report its position again.
    fn ask(&mut self) -> Vec<Vec<u8>>;
    /// The commands that make the board report its battery level.
    fn ask_battery(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }
    /// The commands that light these squares and no others.
    fn light(&mut self, _lights: &Lights) -> Vec<Vec<u8>> {
        Vec::new()
    }
    /// The commands that beep for about this long.
    fn beep(&mut self, _length: Millis) -> Vec<Vec<u8>> {
        Vec::new()
    }
    /// The commands that show a text; with `None`, the commands that remove it.
    fn show(&mut self, _text: Option<&str>) -> Vec<Vec<u8>> {
        Vec::new()
    }
    /// The commands that silence the board.
    fn farewell(&mut self) -> Vec<Vec<u8>>;
    /// Takes in bytes, any part of the stream or one message. Adds the board's reports to `heard`.
    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>);
    /// Discards an incomplete message, because the rest of the message will not arrive.
    fn discard_partial(&mut self);
    /// How long after the last write a pending answer times out; `None` if no answer is pending.
    fn answer_timeout(&self) -> Option<Millis> {
        None
    }
    /// Handles the timeout of the pending answer.
    fn answer_timed_out(&mut self, _heard: &mut Vec<Report>) {}
}

/// Drives one connection to one board.
pub struct Steady<P> {
    protocol: P,
    pace: MakerTiming,
    phase: Phase,
    waiting: VecDeque<Vec<u8>>,
    /// When the next write may be sent.
    free_at: Instant,
    /// When the last write was sent or its answer timed out, whichever is later.
    wrote: Instant,
    output: DriverOutput,
    last_byte: Instant,
    last_heard: Instant,
    /// The last observation that was reported. An observation equal to it is not reported again.
    reported: Option<Observation>,
    /// Whether the board's position has been read.
    read: bool,
    lamps: Lamplighter,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The driver only listens.
    Passive,
    /// The port is open, but nothing may be written yet.
    Waking {
        until: Instant,
    },
    /// The driver has greeted the board `times` times, and the board has not answered yet.
    Greeting {
        times: u8,
        until: Instant,
    },
    /// The board reports its position. If it is silent, it is polled at `ask_at`.
    Running {
        ask_at: Instant,
    },
    Ended,
}

/// Sends only the newest lights, never the same lights twice in a row, and leaves a pause between two commands.
struct Lamplighter {
    wanted: Lights,
    /// The lights that the board shows. `None` before the first command: they are unknown, because the board may show
    /// the lights from before a lost link.
    shown: Option<Lights>,
    free_at: Instant,
}

impl<P: Protocol> Steady<P> {
    /// Starts the driver of a connection.
    pub fn new(protocol: P, connection: &Connection, now: Instant) -> Self {
        let mut pace = protocol.timing();
        if connection.carrier == Carrier::LateStream {
            pace.before_first = pace.before_first.max(LATE_FIRST);
            let tries = LATE_CONNECT_TIMEOUT.0.div_ceil(pace.answer.0.max(1));
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
            output: DriverOutput::new(connection.brand),
            last_byte: now,
            last_heard: now,
            reported: None,
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

    /// Sends the next write if the pause after the last write is over.
    fn pump(&mut self, now: Instant) {
        // The command for the lights is created only when no other command waits, so that it contains the newest
        // lights.
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
            self.output.writes.push_back(bytes);
            self.wrote = now;
            self.free_at = now + self.pace.between;
        }
    }

    /// When the pending answer times out; `None` while commands still wait to be sent.
    fn patient_until(&self) -> Option<Instant> {
        self.protocol.answer_timeout().filter(|_| self.waiting.is_empty()).map(|long| self.wrote + long)
    }

    /// Handles the pending answer if it has timed out.
    fn give_up_waiting(&mut self, now: Instant) {
        if self.patient_until().is_some_and(|until| now >= until) {
            self.wrote = now;
            let mut all = Vec::new();
            self.protocol.answer_timed_out(&mut all);
            for heard in all {
                self.react(heard, now);
            }
        }
    }

    /// When the lights may be set, if they must change and no other command waits.
    fn lamps_at(&self) -> Option<Instant> {
        let ready = matches!(self.phase, Phase::Running { .. }) && self.waiting.is_empty();
        (ready && self.lamps.shown != Some(self.lamps.wanted)).then_some(self.lamps.free_at)
    }

    /// Handles a report from the board.
    fn take(&mut self, heard: Report, now: Instant) {
        let alive = !matches!(heard, Report::Damage(_) | Report::Answer(_));
        self.react(heard, now);
        if alive {
            self.heard(now);
        }
    }

    fn react(&mut self, heard: Report, now: Instant) {
        match heard {
            Report::Damage(what) => self.output.events.push_back(BoardEvent::Damage { what }),
            // The same answer already waits to be sent, so it is not added a second time.
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
                // If the lights were sent again at once, they might go out again. So the driver waits for the usual
                // pause before it sends them.
                self.lamps.free_at = self.lamps.free_at.max(now + self.pace.lights);
            }
            Report::Event(event) => self.output.events.push_back(event),
            Report::Info(learn, text) => self.output.learn(|info| learn(info, text)),
            Report::Abilities(abilities) => self.output.learn(|info| info.abilities = abilities),
            Report::Nothing => {}
        }
        if self.read {
            self.output.report_info();
        }
    }

    fn run(&mut self, now: Instant) {
        if let Phase::Waking { .. } | Phase::Greeting { .. } = self.phase {
            self.phase = Phase::Running { ask_at: now + self.pace.poll_after };
        }
    }

    fn show(&mut self, seen: Observation, now: Instant) {
        self.run(now);
        if self.reported == Some(seen) {
            return;
        }
        self.reported = Some(seen);
        self.identify();
        self.output.events.push_back(BoardEvent::Observed(seen));
    }

    /// Notes that the board's position has been read. Reports the information about the board if it has changed.
    fn identify(&mut self) {
        self.read = true;
        self.output.report_info();
    }

    fn heard(&mut self, now: Instant) {
        self.last_heard = now;
        if let Phase::Running { ask_at } = &mut self.phase {
            *ask_at = now + self.pace.poll_after;
        }
    }

    fn has_ended(&self) -> bool {
        matches!(self.phase, Phase::Ended)
    }

    fn end(&mut self, failure: Option<DriverFailure>) {
        self.waiting.clear();
        self.phase = Phase::Ended;
        self.output.failure = failure;
    }
}

impl<P: Protocol> Driver for Steady<P> {
    fn output(&self) -> &DriverOutput {
        &self.output
    }

    fn output_mut(&mut self) -> &mut DriverOutput {
        &mut self.output
    }

    fn on_bytes(&mut self, bytes: &[u8], now: Instant) {
        if bytes.is_empty() || self.has_ended() {
            return;
        }
        if now.since(self.last_byte) > self.pace.partial_timeout {
            self.protocol.discard_partial();
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
            Phase::Passive | Phase::Ended => return,
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
                if now.since(self.last_heard) > self.pace.dead_after {
                    return self.end(Some(DriverFailure::Silent));
                }
                if now >= ask_at {
                    self.phase = Phase::Running { ask_at: now + self.pace.poll_after };
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
            Phase::Passive | Phase::Ended => None,
            Phase::Waking { until } | Phase::Greeting { until, .. } => {
                [Some(until), write, patient].into_iter().flatten().min()
            }
            Phase::Running { ask_at } => {
                let dead = self.last_heard + self.pace.dead_after + Millis(1);
                [Some(ask_at), Some(dead), write, self.lamps_at(), patient].into_iter().flatten().min()
            }
        }
    }

    fn ready(&self) -> bool {
        self.read && matches!(self.phase, Phase::Running { .. })
    }

    fn order(&mut self, order: &BoardCommand, now: Instant) {
        match order {
            BoardCommand::AskDump => {
                // The next position must be reported even if it equals the last one, because the caller has asked for
                // it.
                self.reported = None;
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
            // The boards of this driver have no clock.
            BoardCommand::SetClock(_) | BoardCommand::Wake => {}
        }
        self.on_time(now);
    }

    fn stop(&mut self, now: Instant) -> Millis {
        if self.has_ended() || self.phase == Phase::Passive {
            return Millis(0);
        }
        let began = !matches!(self.phase, Phase::Waking { .. });
        // The lights are certainly off only if `shown` says so and no command waits to be sent. In all other cases they
        // may be on.
        let lit = began && (self.lamps.shown != Some(Lights::DARK) || !self.waiting.is_empty());
        let free_at = if lit { self.free_at.max(self.lamps.free_at) } else { self.free_at };
        self.end(None);
        if lit {
            self.output.writes.extend(self.protocol.light(&Lights::DARK));
        }
        if began {
            self.output.writes.extend(self.protocol.farewell());
        }
        free_at.since(now)
    }
}
