//! Drives one board on DGT's bus: finds it, reads it whole, then asks it for what its log has noted, again and again. No
//! IO and no time of its own.
//!
//! Others may be on the same wire, each with a driver of its own: what they say is passed over, and one question at a time
//! is on its way (`link/shared.rs` sees to whose turn it is). A board of the bus says nothing unasked, so that a change is
//! known when the next question comes: up to [`POLL`] late, and the clock's times up to a second more.
//!
//! Source: the DGT notes, "Bus mode". Checked by: the own simulator, collisions and lost answers among it. Not seen on
//! hardware.

mod reader;
mod search;

use std::collections::VecDeque;

use tabiya_types::{Instant, Millis, Sentence, say};

use self::reader::{BoardReader, Read};
use self::search::{Search, SearchStep, SearchTarget};
use super::codec::{ALL, Answer, AnswerContent, Ask, BusDamage, BusDecoder, address_of};
use crate::driver::{BoardCommand, Connection, Driver, DriverFailure};
use crate::event::{BoardEvent, BoardInfo, ClockRefusal, ClockTask};
use crate::makers::dgt::codec::{DgtCommand, DgtCommandDecoder, DgtMessage};

/// How often the log is asked for. A board looks at all its squares once in 200 to 250 ms, so that more often brings
/// nothing; LiveChess asks once a second. A question and its answer take about 20 ms of the line: with more than a dozen
/// boards on one wire each waits for its turn, and is asked as often as there is room for.
pub(super) const POLL: Millis = Millis(250);
/// How often the clock is asked for: what it tells is up to a second old anyway.
pub(super) const CLOCK: Millis = Millis(1000);
/// So long after the last change the whole board is read: a board may write over the last entry of its log.
pub(super) const QUIET: Millis = Millis(500);
/// So long after it was read the whole board is read again, whatever the log says.
pub(super) const RELOOK: Millis = Millis(5000);
/// So long after a repeat was asked for, or had, the packet may still come once more.
const REPEATED: Millis = Millis(1000);
/// A packet within so long after an equal one is the same: a square is looked at once in 200 ms, so that it cannot come and
/// go again sooner.
const TWICE: Millis = Millis(150);
/// How often something is asked before it is given up.
const TRIES: u8 = 3;
/// The longest that one answer may take, whatever still comes: a full log has 8.3 s of bytes.
const LONGEST_ANSWER: Millis = Millis(10_000);
/// After so long without an answer, and so many questions in vain, the board is gone: people are to see it within three
/// seconds, but a board whose turn did not come is not.
pub(super) const DEAD_AFTER: Millis = Millis(2700);
const DEAD_QUESTIONS: u8 = 8;
/// How often a board is called while people have to do something.
const CALL: Millis = Millis(1000);

/// One connection to one board on a bus.
pub(super) struct BusDriver {
    decoder: BusDecoder,
    phase: Phase,
    /// Which board is meant, as people wrote it.
    unit: Option<String>,
    /// What is on its way.
    asked: Option<Asked>,
    out: VecDeque<Vec<u8>>,
    events: VecDeque<BoardEvent>,
    last_byte: Instant,
    last_heard: Instant,
    /// When a repeat was asked for last, or had.
    repeated: Option<Instant>,
    /// When the last piece of the log came.
    changes_came: Option<Instant>,
    /// Questions in a row that nobody answered.
    unanswered: u8,
    info: BoardInfo,
    /// `info` knows more than was told.
    info_news: bool,
    reader: BoardReader,
}

/// A question that was sent.
#[derive(Clone, Copy, Debug)]
struct Asked {
    ask: Ask,
    address: u16,
    /// When it went out.
    at: Instant,
    /// How long nothing may be heard.
    wait: Millis,
    /// When it is given up, if nothing more is heard.
    until: Instant,
    /// How often it was asked, with this time.
    times: u8,
    /// Whether it is on the line: until then nothing that is heard is its answer, and no time runs.
    sent: bool,
}

/// How far the connection is.
enum Phase {
    /// Only listens, to the board that was asked, or where no question is known to the first that tells its squares.
    Passive { address: Option<u16> },
    /// Looks for the board.
    Searching(Search),
    /// People have to say which board is meant, or to switch it on. This one is called meanwhile: it is the wanted one, or
    /// one of several, which shows that the line lives.
    Waiting { address: u16, wanted: bool, call_at: Instant },
    /// The board is known and asked.
    Running(Running),
    /// Nothing more is sent or understood.
    Ended { failure: Option<DriverFailure> },
}

/// What is asked next of the board.
struct Running {
    address: u16,
    /// What comes before all else, in its order.
    first: VecDeque<Ask>,
    changes_at: Instant,
    clock_at: Instant,
    /// When the whole board is read: after a rest, and at the latest at `relook_at`.
    board_at: Instant,
    relook_at: Instant,
}

impl Running {
    fn new(address: u16, now: Instant) -> Self {
        // What lies in the log is from before: it is read and passed over, with the game's begin at its end, and the whole
        // board at once after it, so that what comes next in the log is later than the board.
        let first = [Ask::Version, Ask::StartGame, Ask::Changes, Ask::Board, Ask::Clock].into();
        let relook_at = now + RELOOK;
        Self { address, first, changes_at: now, clock_at: now, board_at: relook_at, relook_at }
    }

    /// The next question that is due.
    fn next(&mut self, now: Instant) -> Option<Ask> {
        if self.first.is_empty() && now >= self.board_at {
            self.board_at = now + RELOOK;
            self.look();
        }
        let ask = match self.first.pop_front() {
            Some(ask) => ask,
            // The one that has waited longer: on a full wire neither may starve the other.
            None if now >= self.clock_at && self.clock_at <= self.changes_at => Ask::Clock,
            None if now >= self.changes_at => Ask::Changes,
            None => return None,
        };
        match ask {
            Ask::Changes | Ask::Repeat => self.changes_at = now + POLL,
            Ask::Clock => self.clock_at = now + CLOCK,
            Ask::Board => self.look_at(now + RELOOK),
            _ => {}
        }
        Some(ask)
    }

    /// The whole board is read at this moment at the latest.
    fn look_at(&mut self, at: Instant) {
        (self.board_at, self.relook_at) = (at, at);
    }

    /// Reads the log up to now, and the whole board at once after it.
    fn look(&mut self) {
        if !self.first.contains(&Ask::Board) {
            self.first.extend([Ask::Changes, Ask::Board]);
        }
    }

    /// Asks this before what is asked by turns, once.
    fn also(&mut self, ask: Ask) {
        if !self.first.contains(&ask) {
            self.first.push_back(ask);
        }
    }

    fn due(&self) -> Instant {
        self.changes_at.min(self.clock_at).min(self.board_at)
    }
}

impl BusDriver {
    /// Begins a connection: looks for the board first.
    pub(super) fn new(connection: &Connection, now: Instant) -> Self {
        let phase = if connection.passive {
            Phase::Passive { address: None }
        } else {
            Phase::Searching(Search::new(match connection.unit {
                None => SearchTarget::Any,
                Some(unit) => SearchTarget::One(address_of(unit)),
            }))
        };
        let mut driver = Self {
            decoder: BusDecoder::new(),
            phase,
            unit: connection.unit.map(str::to_owned),
            asked: None,
            out: VecDeque::new(),
            events: VecDeque::new(),
            last_byte: now,
            last_heard: now,
            repeated: None,
            changes_came: None,
            unanswered: 0,
            info: BoardInfo::new(connection.brand),
            info_news: true,
            reader: BoardReader::default(),
        };
        driver.on_time(now);
        driver
    }

    /// The board that this is about, if it is known.
    fn address(&self) -> Option<u16> {
        match &self.phase {
            Phase::Passive { address } => *address,
            Phase::Running(Running { address, .. }) | Phase::Waiting { address, .. } => Some(*address),
            Phase::Searching(_) | Phase::Ended { .. } => None,
        }
    }

    fn ask(&mut self, ask: Ask, address: u16, times: u8, now: Instant) {
        self.out.push_back(ask.to_bytes(address));
        let wait = ask.wait(address);
        self.asked = Some(Asked { ask, address, at: now, wait, until: now + wait, times, sent: false });
    }

    /// Asks what is due, if nothing is on its way.
    fn pump(&mut self, now: Instant) {
        if self.asked.is_some() {
            return;
        }
        match &mut self.phase {
            Phase::Searching(search) => match search.next() {
                SearchStep::Ask(ask, address) => self.ask(ask, address, 1, now),
                SearchStep::Found(address) => self.begin(address, now),
                SearchStep::Which(found) => self.wait_for_people(&found, now),
                SearchStep::Nobody => self.end(Some(DriverFailure::NotABoard)),
            },
            Phase::Waiting { address, call_at, .. } if now >= *call_at => {
                *call_at = now + CALL;
                let address = *address;
                self.ask(Ask::Ping, address, 1, now);
            }
            Phase::Running(running) => {
                let address = running.address;
                if let Some(ask) = running.next(now) {
                    self.ask(ask, address, 1, now);
                }
            }
            Phase::Waiting { .. } | Phase::Passive { .. } | Phase::Ended { .. } => {}
        }
    }

    fn begin(&mut self, address: u16, now: Instant) {
        self.info.serial = Some(address.to_string());
        self.phase = Phase::Running(Running::new(address, now));
        self.heard(now);
        self.pump(now);
    }

    /// Several boards are on the wire, or others than the wanted one.
    fn wait_for_people(&mut self, found: &[u16], now: Instant) {
        let Some(first) = found.first().copied() else { return };
        let numbers = found.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let what: Sentence = match &self.unit {
            None => say!(
                "bus-which",
                "several boards are on this wire ({numbers}): name one of them, as in dgtbus:PORT#{first}",
                numbers,
                first = first.to_string()
            ),
            Some(unit) => say!(
                "bus-absent",
                "board {unit} does not answer on this wire, only {numbers}: switch it on, or name one of these",
                unit = unit.clone(),
                numbers
            ),
        };
        self.events.push_back(BoardEvent::Wants(what));
        let wanted = self.unit.as_deref().and_then(address_of);
        let address = wanted.unwrap_or(first);
        self.phase = Phase::Waiting { address, wanted: wanted.is_some(), call_at: now + CALL };
        self.heard(now);
    }

    fn end(&mut self, failure: Option<DriverFailure>) {
        self.asked = None;
        self.phase = Phase::Ended { failure };
    }

    fn heard(&mut self, now: Instant) {
        self.last_heard = now;
        self.unanswered = 0;
    }

    /// Nothing came in time, or nothing that could be understood: asks once more, or gives it up.
    fn ask_again(&mut self, asked: Asked, now: Instant) {
        self.asked = None;
        let Phase::Running(running) = &mut self.phase else {
            // A search asks often enough by itself.
            return;
        };
        // The changes were told and are gone, as far as the board knows.
        let again = if asked.ask == Ask::Changes { Ask::Repeat } else { asked.ask };
        if asked.times < TRIES {
            self.ask(again, asked.address, asked.times + 1, now);
            return;
        }
        match asked.ask {
            Ask::Repeat => {
                // The packet is lost. The game's log has it too, as its end as long as nothing newer was told; and the whole
                // board is the truth.
                if self.reader.knows_game() {
                    running.first.push_front(Ask::FromStart);
                } else {
                    running.also(Ask::StartGame);
                }
                running.look();
            }
            Ask::FromStart => {
                self.reader.forget_game();
                running.also(Ask::StartGame);
            }
            Ask::Board => running.look_at(now + POLL),
            _ => {}
        }
    }

    /// What is on its way has had its time.
    fn give_up_waiting(&mut self, now: Instant) {
        let over = |asked: &Asked| now >= asked.until || now.since(asked.at) > LONGEST_ANSWER;
        if let Some(asked) = self.asked.filter(|asked| asked.sent && over(asked)) {
            self.decoder.abandon();
            if asked.address != ALL {
                self.unanswered = self.unanswered.saturating_add(1);
            }
            self.ask_again(asked, now);
        }
    }

    /// Bytes that are no answer.
    fn damaged(&mut self, what: String) {
        // Pings that collide, and what others were asked, are nobody's fault.
        let ours = matches!(self.phase, Phase::Passive { .. })
            || (matches!(self.phase, Phase::Running(_)) && self.asked.is_some_and(|asked| asked.sent));
        if ours {
            self.events.push_back(BoardEvent::Damage { what });
            if let Phase::Running(running) = &mut self.phase {
                running.look();
            }
        }
    }

    fn understand(&mut self, answer: Answer, now: Instant) {
        let Answer { address, said } = answer;
        if let (Phase::Passive { address: known @ None }, AnswerContent::Told(_)) = (&mut self.phase, &said) {
            *known = Some(address);
        }
        if let (Phase::Searching(search), AnswerContent::Ping) = (&mut self.phase, &said) {
            search.heard(address);
        }
        let answered = self
            .asked
            .take_if(|asked| asked.sent && asked.address == address && asked.ask.is_answered(&said));
        if self.address() != Some(address) {
            return;
        }
        self.heard(now);
        match (&mut self.phase, said) {
            (Phase::Waiting { wanted: true, .. }, AnswerContent::Ping) => self.begin(address, now),
            (Phase::Running(_) | Phase::Passive { .. }, said) => {
                self.tell(said, answered.map(|asked| asked.ask), now);
            }
            _ => {}
        }
    }

    /// Whether a piece of the log, an answer to this, may be the one before once more.
    fn comes_again(&mut self, answered: Option<Ask>, now: Instant) -> bool {
        let before = self.changes_came.replace(now);
        let within = |span| move |then: Instant| now.since(then) < span;
        let recent = before.is_some_and(within(TWICE)) || self.repeated.is_some_and(within(REPEATED));
        match answered {
            Some(Ask::Repeat) => {
                self.repeated = Some(now);
                true
            }
            Some(_) => recent,
            // Nobody has asked for it, as far as one who asks knows.
            None => recent || matches!(self.phase, Phase::Running(_)),
        }
    }

    /// The board that this is about has spoken, if this was asked, in answer to it.
    fn tell(&mut self, said: AnswerContent, answered: Option<Ask>, now: Instant) {
        match said {
            AnswerContent::Told(message) => {
                let whole = matches!(message, DgtMessage::Dump(_) | DgtMessage::SignalDump(..));
                if whole && std::mem::take(&mut self.info_news) {
                    self.events.push_back(BoardEvent::Identified(self.info.clone()));
                }
                self.reader.told(message, now, &mut self.events);
            }
            AnswerContent::Changes(log) => {
                let again = self.comes_again(answered, now);
                let read = self.reader.changes(log, again, &mut self.events);
                self.plan(read, now);
            }
            AnswerContent::FromStart(log) => {
                let read = self.reader.game_log(&log, &mut self.events);
                self.plan(read, now);
            }
            AnswerContent::Version(version) => {
                let version = version.map(|version| version.to_string());
                self.info_news |= version != self.info.version;
                self.info.version = version;
            }
            AnswerContent::Ping | AnswerContent::Started => {}
            AnswerContent::Other { id, data } => {
                let len = u16::try_from(data.len()).unwrap_or(u16::MAX);
                self.events.push_back(BoardEvent::Unknown { id, len });
            }
        }
    }

    /// What follows from a piece of the log.
    fn plan(&mut self, read: Read, now: Instant) {
        let Phase::Running(running) = &mut self.phase else { return };
        // Without the game's begin in its log a lost packet could not be had again.
        let begins = read.restarted || (read.doubtful && !self.reader.knows_game());
        if begins && self.reader.based() {
            running.also(Ask::StartGame);
        }
        if read.doubtful && self.reader.based() {
            running.look();
        } else if read.changed {
            // Each change puts it off, but not for ever: a square may flicker all the time.
            running.board_at = running.relook_at.min(now + QUIET);
        }
    }
}

impl Driver for BusDriver {
    fn on_bytes(&mut self, bytes: &[u8], now: Instant) {
        if bytes.is_empty() || matches!(self.phase, Phase::Ended { .. }) {
            return;
        }
        if self.decoder.patience().is_some_and(|patience| now.since(self.last_byte) > patience) {
            self.decoder.abandon();
        }
        self.last_byte = now;
        let mut spoilt = false;
        for &byte in bytes {
            match self.decoder.push(byte) {
                None => {}
                Some(Ok(answer)) => self.understand(answer, now),
                Some(Err(damage)) => {
                    // With a wrong sum nothing more of it will come.
                    spoilt |= matches!(damage, BusDamage::Sum { .. });
                    self.damaged(damage.to_string());
                }
            }
        }
        // Once, however much of this was spoilt, and not if the answer stood beside it.
        let answerless = self.asked.filter(|asked| asked.sent && asked.address != ALL);
        if let Some(asked) = answerless.filter(|_| spoilt) {
            self.ask_again(asked, now);
        }
        // A long answer is a sign of life before it is whole.
        if let (Phase::Running(_), Some(asked), Some(_)) =
            (&self.phase, &mut self.asked, self.decoder.patience())
        {
            asked.until = asked.until.max(now + asked.wait);
            self.last_heard = now;
        }
        self.on_time(now);
    }

    fn on_time(&mut self, now: Instant) {
        self.give_up_waiting(now);
        let silent = now.since(self.last_heard) > DEAD_AFTER && self.unanswered >= DEAD_QUESTIONS;
        match &self.phase {
            Phase::Passive { .. } | Phase::Ended { .. } => return,
            Phase::Running(_) if silent => return self.end(Some(DriverFailure::Silent)),
            // Called once a second, it has had half as many questions.
            Phase::Waiting { wanted: false, .. } if self.unanswered > DEAD_QUESTIONS / 2 => {
                return self.end(Some(DriverFailure::Silent));
            }
            Phase::Running(_) | Phase::Waiting { .. } | Phase::Searching(_) => {}
        }
        self.pump(now);
    }

    fn deadline(&self) -> Option<Instant> {
        match (&self.phase, &self.asked) {
            (Phase::Passive { .. } | Phase::Ended { .. }, _) => None,
            (_, Some(asked)) => Some(asked.until.min(asked.at + LONGEST_ANSWER + Millis(1))),
            (Phase::Waiting { call_at, .. }, None) => Some(*call_at),
            (Phase::Running(running), None) => Some(running.due()),
            (Phase::Searching(_), None) => Some(self.last_byte),
        }
    }

    fn next_write(&mut self) -> Option<Vec<u8>> {
        self.out.pop_front()
    }

    fn wrote(&mut self, now: Instant) {
        if let Some(asked) = &mut self.asked {
            (asked.at, asked.until, asked.sent) = (now, now + asked.wait, true);
            if asked.ask == Ask::Repeat {
                self.repeated = Some(now);
            }
        }
    }

    /// The board that a capture is about is the one that was asked for more than whether it is there.
    fn overheard(&mut self, bytes: &[u8], now: Instant) {
        let mut decoder = DgtCommandDecoder::new();
        for command in bytes.iter().filter_map(|byte| decoder.push(*byte)) {
            let (Phase::Passive { address: known }, DgtCommand::Bus { id, address }) =
                (&mut self.phase, command)
            else {
                continue;
            };
            match Ask::from_id(id) {
                None | Some(Ask::Ping | Ask::IgnorePing | Ask::EndBus | Ask::Reset) => continue,
                Some(Ask::Repeat) => self.repeated = Some(now),
                Some(_) => {}
            }
            if address != ALL && known.replace(address) != Some(address) {
                self.reader = BoardReader::default();
            }
        }
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
        self.reader.based() && matches!(self.phase, Phase::Running(_))
    }

    fn info(&self) -> &BoardInfo {
        &self.info
    }

    fn order(&mut self, order: &BoardCommand, now: Instant) {
        match order {
            BoardCommand::AskDump => {
                if let Phase::Running(running) = &mut self.phase {
                    running.look();
                }
            }
            BoardCommand::Show(_) if self.reader.has_clock() => {
                let (task, why) = (ClockTask::Show, ClockRefusal::CannotShow);
                self.events.push_back(BoardEvent::ClockRefused { task, why });
            }
            // The bus has no words for these, and its boards have no lamps.
            BoardCommand::Show(_)
            | BoardCommand::AskBattery
            | BoardCommand::Beep(_)
            | BoardCommand::EndDisplay
            | BoardCommand::SetClock(_)
            | BoardCommand::Light(_)
            | BoardCommand::Wake => {}
        }
        self.on_time(now);
    }

    /// The board becomes a single board again, as it is for programs that know of no bus. Never all boards: a line with
    /// several would jam.
    fn stop(&mut self, _: Instant) -> Millis {
        let only = match &self.phase {
            Phase::Running(running) => Some(running.address),
            Phase::Searching(search) => match search.found() {
                [only] => Some(*only),
                _ => None,
            },
            Phase::Waiting { .. } => None,
            Phase::Passive { .. } | Phase::Ended { .. } => return Millis(0),
        };
        self.end(None);
        self.out.clear();
        self.out.extend(only.map(|address| Ask::EndBus.to_bytes(address)));
        Millis(0)
    }
}

#[cfg(test)]
mod tests;
