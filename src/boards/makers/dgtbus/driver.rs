//! Drives one board on DGT's bus: finds the board, reads all its squares, then regularly asks for its new log
//! entries. It does no IO and does not read the system time.
//!
//! Other boards may be on the same bus, each with its own driver. This driver ignores their answers and has at most one
//! question on the line (`link/shared.rs` decides which driver may send). A board on the bus sends nothing without
//! being asked. So the driver learns of a change up to [`POLL`] after it happened. The times of the clock may be older
//! by up to another second.
//!
//! Source: the project's DGT protocol notes, section "Bus mode". Checked by: our own simulator, including collisions
//! and lost answers. Not tested with hardware.

mod reader;
mod search;

use std::collections::VecDeque;

use tabiya_types::{Instant, Millis, Sentence, say};

use self::reader::{BoardReader, LogOutcome};
use self::search::{Search, SearchStep, SearchTarget};
use super::codec::{ALL, Answer, AnswerContent, BusDamage, BusDecoder, BusQuestion, address_of};
use crate::driver::{BoardCommand, Connection, Driver, DriverFailure, DriverOutput};
use crate::event::{BoardEvent, ClockRefusal, ClockTask};
use crate::makers::dgt::codec::{DgtCommand, DgtCommandDecoder, DgtMessage};

/// The time between two questions for the log. A board scans all its squares once in 200 to 250 ms, so asking more
/// often gains nothing; LiveChess asks once a second. A question and its answer occupy the line for about 20 ms. With
/// more than a dozen boards on one bus, each board waits for its turn and is asked less often.
pub(super) const POLL: Millis = Millis(250);
/// The time between two questions for the clock. The answer is up to a second old anyway.
pub(super) const CLOCK: Millis = Millis(1000);
/// All squares are read when the board has reported no change for this long. The read is necessary because a board may
/// overwrite the last entry of its log.
pub(super) const QUIET: Millis = Millis(500);
/// The longest time between two reads of all squares, even if the log reports nothing.
pub(super) const RELOOK: Millis = Millis(5000);
/// After the driver has requested or received a repetition of a log packet, another copy of this packet may still
/// arrive for this long.
const REPEATED: Millis = Millis(1000);
/// A packet that is equal to the previous one and follows within this time is a repetition. A board scans a square
/// only every 200 ms, so no piece can leave and return in between.
const TWICE: Millis = Millis(150);
/// How many times a question is asked before the driver gives up.
const TRIES: u8 = 3;
/// The longest time for one answer, even if further bytes arrive. A full log takes 8.3 s.
const LONGEST_ANSWER: Millis = Millis(10_000);
/// The driver gives up the connection if the board has not answered for this long and has also left `DEAD_QUESTIONS`
/// questions unanswered. People thus see the failure within three seconds. Questions that still wait for the line do
/// not count as unanswered.
pub(super) const DEAD_AFTER: Millis = Millis(2700);
/// The number of consecutive unanswered questions after which a board may count as disconnected.
const DEAD_QUESTIONS: u8 = 8;
/// The time between two pings while people choose a board or switch one on.
const CALL: Millis = Millis(1000);

/// A connection to one board on a bus.
pub(super) struct BusDriver {
    decoder: BusDecoder,
    phase: Phase,
    /// The number of the wanted board, as people wrote it; `None` if the only board is wanted.
    unit: Option<String>,
    /// The question that has no answer yet.
    asked: Option<Asked>,
    output: DriverOutput,
    last_byte: Instant,
    last_heard: Instant,
    /// The time at which a repetition was last requested or received.
    repeated: Option<Instant>,
    /// The time at which the last log packet arrived.
    changes_came: Option<Instant>,
    /// The number of consecutive questions without an answer.
    unanswered: u8,
    reader: BoardReader,
}

/// A question without an answer.
#[derive(Clone, Copy, Debug)]
struct Asked {
    ask: BusQuestion,
    address: u16,
    /// The time at which the question was sent, or queued if it is not on the line yet.
    at: Instant,
    /// How long the line may stay silent before the question counts as unanswered.
    wait: Millis,
    /// The time at which the question counts as unanswered if nothing more arrives.
    until: Instant,
    /// How many times the question was asked, including this time.
    times: u8,
    /// Whether the question is on the line. Before that, no bytes can be its answer, and its timeout does not run.
    sent: bool,
}

/// The phase of the connection.
enum Phase {
    /// The driver only listens, because its bytes come from a capture file. `address` is the board that the captured
    /// commands asked for data. If they asked no board, it is the first board that reports its squares or its clock.
    Passive { address: Option<u16> },
    /// The driver searches for the board.
    Searching(Search),
    /// People must choose a board or switch one on. Meanwhile the driver pings the board at `address`, to see whether
    /// the line still works. This is the wanted board, or else the first board that was found.
    Waiting { address: u16, wanted: bool, call_at: Instant },
    /// The board is known and is asked regularly.
    Running(Running),
    /// The connection ended: nothing more is sent or decoded.
    Ended,
}

/// The schedule of questions to the board.
struct Running {
    address: u16,
    /// Questions to ask before all others, in this order.
    first: VecDeque<BusQuestion>,
    changes_at: Instant,
    clock_at: Instant,
    /// The time of the next read of all squares: after a quiet period, and no later than `relook_at`.
    board_at: Instant,
    relook_at: Instant,
}

impl Running {
    fn new(address: u16, now: Instant) -> Self {
        // `StartGame` marks the place in the log where the old entries end. `Changes` reads these old entries, and the
        // driver ignores them. `Board` follows directly, so that every later entry is newer than the known position.
        let first = [
            BusQuestion::Version,
            BusQuestion::StartGame,
            BusQuestion::Changes,
            BusQuestion::Board,
            BusQuestion::Clock,
        ]
        .into();
        let relook_at = now + RELOOK;
        Self { address, first, changes_at: now, clock_at: now, board_at: relook_at, relook_at }
    }

    /// Returns the next question that is due, if there is one.
    fn next(&mut self, now: Instant) -> Option<BusQuestion> {
        if self.first.is_empty() && now >= self.board_at {
            self.board_at = now + RELOOK;
            self.look();
        }
        let ask = match self.first.pop_front() {
            Some(ask) => ask,
            // The question that is overdue for longer comes first, so that on a crowded bus neither question is
            // postponed forever.
            None if now >= self.clock_at && self.clock_at <= self.changes_at => BusQuestion::Clock,
            None if now >= self.changes_at => BusQuestion::Changes,
            None => return None,
        };
        match ask {
            BusQuestion::Changes | BusQuestion::Repeat => self.changes_at = now + POLL,
            BusQuestion::Clock => self.clock_at = now + CLOCK,
            BusQuestion::Board => self.look_at(now + RELOOK),
            _ => {}
        }
        Some(ask)
    }

    /// Schedules the next read of all squares for this time.
    fn look_at(&mut self, at: Instant) {
        (self.board_at, self.relook_at) = (at, at);
    }

    /// Queues a read of the log and, directly after it, of all squares.
    fn look(&mut self) {
        if !self.first.contains(&BusQuestion::Board) {
            self.first.extend([BusQuestion::Changes, BusQuestion::Board]);
        }
    }

    /// Queues this question before the regular questions, unless it is queued already.
    fn also(&mut self, ask: BusQuestion) {
        if !self.first.contains(&ask) {
            self.first.push_back(ask);
        }
    }

    fn due(&self) -> Instant {
        self.changes_at.min(self.clock_at).min(self.board_at)
    }
}

impl BusDriver {
    /// Starts a connection. The driver first searches for the board.
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
            output: DriverOutput::new(connection.brand),
            last_byte: now,
            last_heard: now,
            repeated: None,
            changes_came: None,
            unanswered: 0,
            reader: BoardReader::default(),
        };
        driver.on_time(now);
        driver
    }

    /// Returns the address of this driver's board, if it is known.
    fn address(&self) -> Option<u16> {
        match &self.phase {
            Phase::Passive { address } => *address,
            Phase::Running(Running { address, .. }) | Phase::Waiting { address, .. } => Some(*address),
            Phase::Searching(_) | Phase::Ended => None,
        }
    }

    fn ask(&mut self, ask: BusQuestion, address: u16, times: u8, now: Instant) {
        self.output.writes.push_back(ask.to_bytes(address));
        let wait = ask.wait(address);
        self.asked = Some(Asked { ask, address, at: now, wait, until: now + wait, times, sent: false });
    }

    /// Asks the next question that is due, unless another question has no answer yet.
    fn pump(&mut self, now: Instant) {
        if self.asked.is_some() {
            return;
        }
        match &mut self.phase {
            Phase::Searching(search) => match search.next() {
                SearchStep::Ask(ask, address) => self.ask(ask, address, 1, now),
                SearchStep::Found(address) => self.begin(address, now),
                SearchStep::Several(found) => self.wait_for_people(&found, now),
                SearchStep::NoBoard => self.end(Some(DriverFailure::NotABoard)),
            },
            Phase::Waiting { address, call_at, .. } if now >= *call_at => {
                *call_at = now + CALL;
                let address = *address;
                self.ask(BusQuestion::Ping, address, 1, now);
            }
            Phase::Running(running) => {
                let address = running.address;
                if let Some(ask) = running.next(now) {
                    self.ask(ask, address, 1, now);
                }
            }
            Phase::Waiting { .. } | Phase::Passive { .. } | Phase::Ended => {}
        }
    }

    fn begin(&mut self, address: u16, now: Instant) {
        self.output.info.serial = Some(address.to_string());
        self.phase = Phase::Running(Running::new(address, now));
        self.heard(now);
        self.pump(now);
    }

    /// Asks people to act, because several boards are on the bus or the wanted board is missing. Then waits.
    fn wait_for_people(&mut self, found: &[u16], now: Instant) {
        let Some(first) = found.first().copied() else { return };
        let numbers = found.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let what: Sentence = match &self.unit {
            None => say!(
                "bus-which",
                "several boards are on this line ({numbers}): choose one by its number, as in dgtbus:PORT#{first}",
                numbers,
                first = first.to_string()
            ),
            Some(unit) => say!(
                "bus-absent",
                "board {unit} does not answer on this line (boards that answer: {numbers}): switch this board on, or choose another number",
                unit = unit.clone(),
                numbers
            ),
        };
        self.output.events.push_back(BoardEvent::Wants(what));
        let wanted = self.unit.as_deref().and_then(address_of);
        let address = wanted.unwrap_or(first);
        self.phase = Phase::Waiting { address, wanted: wanted.is_some(), call_at: now + CALL };
        self.heard(now);
    }

    fn end(&mut self, failure: Option<DriverFailure>) {
        self.asked = None;
        self.phase = Phase::Ended;
        self.output.failure = failure;
    }

    fn heard(&mut self, now: Instant) {
        self.last_heard = now;
        self.unanswered = 0;
    }

    /// Repeats a question that was not answered in time, or whose answer was damaged. After the last try, continues
    /// without the answer.
    fn ask_again(&mut self, asked: Asked, now: Instant) {
        self.asked = None;
        let Phase::Running(running) = &mut self.phase else {
            // Do nothing, because the search itself repeats its questions.
            return;
        };
        // The board sends each change only once in answer to `Changes`, so ask it to repeat its last answer.
        let again = if asked.ask == BusQuestion::Changes { BusQuestion::Repeat } else { asked.ask };
        if asked.times < TRIES {
            self.ask(again, asked.address, asked.times + 1, now);
            return;
        }
        match asked.ask {
            BusQuestion::Repeat => {
                // The packet is lost. But the board has sent nothing newer, so the packet's entries are also at the end
                // of the log since the start of the game. If the driver knows that start, ask for this log. A read of
                // all squares then gives the certain position.
                if self.reader.knows_game() {
                    running.first.push_front(BusQuestion::FromStart);
                } else {
                    running.also(BusQuestion::StartGame);
                }
                running.look();
            }
            BusQuestion::FromStart => {
                self.reader.forget_game();
                running.also(BusQuestion::StartGame);
            }
            BusQuestion::Board => running.look_at(now + POLL),
            _ => {}
        }
    }

    /// Ends the wait for an answer if its time has run out.
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

    /// Handles bytes that are not a valid answer.
    fn damaged(&mut self, what: String) {
        // Do not report colliding answers to pings, or damaged answers to the questions of other drivers.
        let ours = matches!(self.phase, Phase::Passive { .. })
            || (matches!(self.phase, Phase::Running(_)) && self.asked.is_some_and(|asked| asked.sent));
        if ours {
            self.output.events.push_back(BoardEvent::Damage { what });
            if let Phase::Running(running) = &mut self.phase {
                running.look();
            }
        }
    }

    fn understand(&mut self, answer: Answer, now: Instant) {
        let Answer { address, content: said } = answer;
        if let (Phase::Passive { address: known @ None }, AnswerContent::SingleMode(_)) =
            (&mut self.phase, &said)
        {
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

    /// Returns whether a log packet may be a repetition of the previous one. `answered` is the question that the
    /// packet answers, if any.
    fn comes_again(&mut self, answered: Option<BusQuestion>, now: Instant) -> bool {
        let before = self.changes_came.replace(now);
        let within = |span| move |then: Instant| now.since(then) < span;
        let recent = before.is_some_and(within(TWICE)) || self.repeated.is_some_and(within(REPEATED));
        match answered {
            Some(BusQuestion::Repeat) => {
                self.repeated = Some(now);
                true
            }
            Some(_) => recent,
            // This packet answers no question of this driver. So it is a repetition, unless the driver only listens and
            // asks no questions.
            None => recent || matches!(self.phase, Phase::Running(_)),
        }
    }

    /// Handles an answer of this driver's board. `answered` is the question that it answers, if one was pending.
    fn tell(&mut self, said: AnswerContent, answered: Option<BusQuestion>, now: Instant) {
        match said {
            AnswerContent::SingleMode(message) => {
                let whole = matches!(message, DgtMessage::Dump(_) | DgtMessage::SignalDump(..));
                if whole {
                    self.output.report_info();
                }
                self.reader.on_message(message, now, &mut self.output.events);
            }
            AnswerContent::Changes(log) => {
                let again = self.comes_again(answered, now);
                let read = self.reader.changes(log, again, &mut self.output.events);
                self.plan(read, now);
            }
            AnswerContent::FromStart(log) => {
                let read = self.reader.game_log(&log, &mut self.output.events);
                self.plan(read, now);
            }
            AnswerContent::Version(version) => {
                self.output.learn(|info| info.version = version.map(|version| version.to_string()));
            }
            AnswerContent::Ping | AnswerContent::Started => {}
            AnswerContent::Other { id, data } => {
                let len = u16::try_from(data.len()).unwrap_or(u16::MAX);
                self.output.events.push_back(BoardEvent::Unknown { id, len });
            }
        }
    }

    /// Plans the next questions after a log packet.
    fn plan(&mut self, read: LogOutcome, now: Instant) {
        let Phase::Running(running) = &mut self.phase else { return };
        // A lost packet can be recovered only if the log contains the start of a game.
        let begins = read.restarted || (read.doubtful && !self.reader.knows_game());
        if begins && self.reader.has_board() {
            running.also(BusQuestion::StartGame);
        }
        if read.doubtful && self.reader.has_board() {
            running.look();
        } else if read.changed {
            // Each change postpones the read of all squares. The read is not postponed beyond `relook_at`, because a
            // square may flicker all the time.
            running.board_at = running.relook_at.min(now + QUIET);
        }
    }
}

impl Driver for BusDriver {
    fn output(&self) -> &DriverOutput {
        &self.output
    }

    fn output_mut(&mut self) -> &mut DriverOutput {
        &mut self.output
    }

    fn on_bytes(&mut self, bytes: &[u8], now: Instant) {
        if bytes.is_empty() || matches!(self.phase, Phase::Ended) {
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
                    // If the answer to a question has a wrong checksum, no other answer to this question will come.
                    spoilt |= matches!(damage, BusDamage::Sum { .. });
                    self.damaged(damage.to_string());
                }
            }
        }
        // Ask again if an answer was damaged and the expected answer is still missing. Ask only once, even if several
        // answers in these bytes were damaged.
        let answerless = self.asked.filter(|asked| asked.sent && asked.address != ALL);
        if let Some(asked) = answerless.filter(|_| spoilt) {
            self.ask_again(asked, now);
        }
        // While a long answer is still arriving, it already shows that the board is alive.
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
            Phase::Passive { .. } | Phase::Ended => return,
            Phase::Running(_) if silent => return self.end(Some(DriverFailure::Silent)),
            // While the driver waits for people, it sends only one ping a second, so unanswered questions add up
            // slowly. To show the failure soon enough, the connection then ends after about half the usual number of
            // unanswered questions.
            Phase::Waiting { wanted: false, .. } if self.unanswered > DEAD_QUESTIONS / 2 => {
                return self.end(Some(DriverFailure::Silent));
            }
            Phase::Running(_) | Phase::Waiting { .. } | Phase::Searching(_) => {}
        }
        self.pump(now);
    }

    fn deadline(&self) -> Option<Instant> {
        match (&self.phase, &self.asked) {
            (Phase::Passive { .. } | Phase::Ended, _) => None,
            (_, Some(asked)) => Some(asked.until.min(asked.at + LONGEST_ANSWER + Millis(1))),
            (Phase::Waiting { call_at, .. }, None) => Some(*call_at),
            (Phase::Running(running), None) => Some(running.due()),
            (Phase::Searching(_), None) => Some(self.last_byte),
        }
    }

    fn wrote(&mut self, now: Instant) {
        if let Some(asked) = &mut self.asked {
            (asked.at, asked.until, asked.sent) = (now, now + asked.wait, true);
            if asked.ask == BusQuestion::Repeat {
                self.repeated = Some(now);
            }
        }
    }

    /// Handles bytes that were written to the bus, as a capture file contains them. The driver follows the board that
    /// was asked for data, not a board that was only pinged.
    fn on_recorded_write(&mut self, bytes: &[u8], now: Instant) {
        let mut decoder = DgtCommandDecoder::new();
        for command in bytes.iter().filter_map(|byte| decoder.push(*byte)) {
            let (Phase::Passive { address: known }, DgtCommand::Bus { id, address }) =
                (&mut self.phase, command)
            else {
                continue;
            };
            match BusQuestion::from_id(id) {
                None
                | Some(
                    BusQuestion::Ping | BusQuestion::IgnorePing | BusQuestion::EndBus | BusQuestion::Reset,
                ) => continue,
                Some(BusQuestion::Repeat) => self.repeated = Some(now),
                Some(_) => {}
            }
            if address != ALL && known.replace(address) != Some(address) {
                self.reader = BoardReader::default();
            }
        }
    }

    fn ready(&self) -> bool {
        self.reader.has_board() && matches!(self.phase, Phase::Running(_))
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
                self.output.events.push_back(BoardEvent::ClockRefused { task, why });
            }
            // The bus has no commands for the battery, the clock or a display, and its boards have no lights.
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

    /// Switches the board back to single mode, which other programs expect if they do not support the bus. The
    /// command never goes to all boards, because several single boards on one line would disturb each other.
    fn stop(&mut self, _: Instant) -> Millis {
        let only = match &self.phase {
            Phase::Running(running) => Some(running.address),
            Phase::Searching(search) => match search.found() {
                [only] => Some(*only),
                _ => None,
            },
            Phase::Waiting { .. } => None,
            Phase::Passive { .. } | Phase::Ended => return Millis(0),
        };
        self.end(None);
        self.output.writes.clear();
        self.output.writes.extend(only.map(|address| BusQuestion::EndBus.to_bytes(address)));
        Millis(0)
    }
}

#[cfg(test)]
mod tests;
