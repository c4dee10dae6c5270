//! Drives a Pegasus: which commands it gets and when, and what its messages mean.

use tabiya_types::{Millis, Square, Squares, say};

use super::codec::{Lit, UnlockKey, is_locked, read};
use crate::event::BoardEvent;
use crate::lights::Lights;
use crate::maker::NoteForm;
use crate::makers::dgt::codec::{DgtCommand, DgtDecoder, DgtMessage};
use crate::notes::Notes;
use crate::steady::{MakerTiming, Protocol, Report};

/// The note (a stored value about a board) that contains the owner's developer key.
pub(super) const NOTE: NoteForm = NoteForm {
    name: "developer-key",
    format: "six bytes in hex, each below 80, as in 01 23 45 67 09 1B",
    is_valid: |key| UnlockKey::parse(key).is_some(),
};
/// The speed at which the squares light up: nearly all at once.
const SPEED: u8 = 0x40;
/// The brightness of the lights, as in other programs; 1 is the brightest.
const BRIGHT: u8 = 3;
/// How long to wait after a command to which the board never sends an answer.
const UNANSWERED: Millis = Millis(300);
/// How long the board may take to answer a command, except for commands that it never answers.
const ANSWER: Millis = Millis(1_500);
/// A report of this many occupied squares means that the board is not calibrated and detects nothing.
const EVERYWHERE: usize = 64;

/// The state of one connection.
pub(super) struct Pegasus {
    decoder: DgtDecoder,
    key: Option<UnlockKey>,
    /// The current step of the start-up. The commands are sent one by one, because a board stops answering if it gets
    /// too many commands at once.
    start: Start,
    /// The occupied squares; `None` until the board has reported them.
    felt: Option<Squares>,
    /// Whether people were asked to do something during this connection.
    wanted: bool,
    asked: bool,
}

/// The steps of the start-up. Each command waits for the answer to the previous command. The stream of changes starts
/// before the squares are requested, so that no change is missed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    Reset,
    Key,
    LongSerial,
    Version,
    Battery,
    Stream,
    Board,
    Done,
}

impl Start {
    fn next(self) -> Self {
        match self {
            Self::Reset => Self::Key,
            Self::Key => Self::LongSerial,
            Self::LongSerial => Self::Version,
            Self::Version => Self::Battery,
            Self::Battery => Self::Stream,
            Self::Stream => Self::Board,
            Self::Board | Self::Done => Self::Done,
        }
    }

    /// Returns whether `message` answers this step.
    fn is_answered_by(self, message: &DgtMessage) -> bool {
        match self {
            Self::LongSerial => matches!(message, DgtMessage::LongSerial(_)),
            Self::Version => matches!(message, DgtMessage::Version(_)),
            Self::Battery => matches!(message, DgtMessage::Battery(_)),
            Self::Board => matches!(message, DgtMessage::Dump(_)),
            Self::Reset | Self::Key | Self::Stream | Self::Done => false,
        }
    }

    fn is_answered(self) -> bool {
        matches!(self, Self::LongSerial | Self::Version | Self::Battery | Self::Board)
    }
}

impl Pegasus {
    /// Creates a connection with the owner's key, if `notes` contain one.
    pub(super) fn new(notes: &Notes) -> Self {
        let key = notes.get(NOTE.name).and_then(UnlockKey::parse);
        let decoder = DgtDecoder::new();
        Self { decoder, key, start: Start::Done, felt: None, wanted: false, asked: false }
    }

    /// Returns the command of a step; `None` for the last step, and for the step `Key` without a key.
    fn command(&self, step: Start) -> Option<DgtCommand> {
        Some(match step {
            Start::Reset => DgtCommand::Reset,
            Start::Key => self.key?.command(),
            Start::LongSerial => DgtCommand::LongSerial,
            Start::Version => DgtCommand::Version,
            Start::Battery => DgtCommand::Battery,
            Start::Stream => DgtCommand::UpdateBoard,
            Start::Board => DgtCommand::SendBoard,
            Start::Done => return None,
        })
    }

    /// Continues with the next step of the start-up.
    fn go_on(&mut self, heard: &mut Vec<Report>) {
        self.start = self.start.next();
        if self.start == Start::Key && self.key.is_none() {
            self.start = self.start.next();
        }
        heard.extend(self.command(self.start).map(|command| Report::Answer(command.to_bytes())));
    }

    /// Asks people to do something, but only once per connection.
    fn want(&mut self, what: tabiya_types::Sentence, heard: &mut Vec<Report>) {
        heard.push(Report::Here);
        if !std::mem::replace(&mut self.wanted, true) {
            heard.push(Report::Event(BoardEvent::Wants(what)));
        }
    }

    fn locked(&mut self, heard: &mut Vec<Report>) {
        let what = match self.key {
            None => say!(
                "board-wants-key",
                "this board reports its squares only to programs with a developer key: ask DGT for a key (digitalgametechnology.com) and store its six bytes with `tabiya devices note pegasus developer-key HEX`"
            ),
            Some(_) => say!(
                "board-refuses-key",
                "the board does not accept the stored developer key: compare it with the key that you got from DGT"
            ),
        };
        self.want(what, heard);
    }

    fn all(&mut self, felt: Squares, heard: &mut Vec<Report>) {
        if felt.len() == EVERYWHERE {
            let what = say!(
                "board-wants-calibration",
                "the board is not calibrated yet: take all pieces off and hold its button until d4, e4, d5 and e5 flash"
            );
            return self.want(what, heard);
        }
        self.felt = Some(felt);
        heard.push(Report::Occupied(felt));
    }

    /// Handles a changed square. The board switches its lights off at every change.
    fn change(&mut self, square: Square, full: bool, heard: &mut Vec<Report>) {
        heard.push(Report::Darkened);
        heard.push(match &mut self.felt {
            Some(felt) => {
                felt.set(square, full);
                Report::Occupied(*felt)
            }
            None => Report::Nothing,
        });
    }

    fn understand(&mut self, message: DgtMessage, heard: &mut Vec<Report>) {
        if self.start.is_answered_by(&message) {
            self.go_on(heard);
        }
        match message {
            DgtMessage::Dump(board) => self.all(board.occupied(), heard),
            DgtMessage::Field { square, piece } => self.change(square, piece.is_some(), heard),
            DgtMessage::Battery(battery) => heard.push(Report::Event(BoardEvent::Battery {
                percent: battery.percent.min(100),
                charging: battery.charging(),
                low: battery.low(),
            })),
            DgtMessage::LongSerial(text) => {
                heard.push(Report::Info(|info, text| info.long_serial = Some(text), text));
            }
            DgtMessage::Version(version) => {
                heard.push(Report::Info(|info, text| info.version = Some(text), version.to_string()));
            }
            DgtMessage::HardwareVersion(version) => {
                heard.push(Report::Info(|info, text| info.hardware = Some(text), version.to_string()));
            }
            DgtMessage::Trademark(text) => {
                heard.push(Report::Info(|info, text| info.text = Some(text), text));
            }
            DgtMessage::Serial(_)
            | DgtMessage::BusAddress(_)
            | DgtMessage::Clock(_)
            | DgtMessage::Ack(_)
            | DgtMessage::ClockBlank
            | DgtMessage::SignalDump(..)
            | DgtMessage::Signal { .. }
            | DgtMessage::Log { .. }
            | DgtMessage::Other { .. }
            | DgtMessage::Skipped { .. } => heard.push(Report::Nothing),
        }
    }
}

impl Protocol for Pegasus {
    /// The board disconnects after a minute of silence. DGT's own program polls every second.
    fn timing(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(400),
            between: Millis(120),
            answer: Millis(8_000),
            tries: 2,
            poll_after: Millis(2_000),
            dead_after: Millis(8_000),
            lights: Millis(400),
            partial_timeout: Millis(1_000),
        }
    }

    fn greeting(&mut self) -> Vec<Vec<u8>> {
        self.start = Start::Reset;
        vec![DgtCommand::Reset.to_bytes()]
    }

    /// Keeps the board awake by asking alternately for the squares and for the serial number.
    fn ask(&mut self) -> Vec<Vec<u8>> {
        self.asked = !self.asked;
        vec![if self.asked { DgtCommand::SendBoard } else { DgtCommand::Serial }.to_bytes()]
    }

    fn ask_battery(&mut self) -> Vec<Vec<u8>> {
        vec![DgtCommand::Battery.to_bytes()]
    }

    fn light(&mut self, lights: &Lights) -> Vec<Vec<u8>> {
        let squares = lights.lit().map(|(square, _)| square).collect();
        vec![Lit { speed: SPEED, repeat: 0, bright: BRIGHT, squares }.command().to_bytes()]
    }

    fn farewell(&mut self) -> Vec<Vec<u8>> {
        vec![DgtCommand::Reset.to_bytes()]
    }

    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        for found in read(&mut self.decoder, bytes) {
            match found {
                Ok(message) => self.understand(message, heard),
                Err(damage) if is_locked(&damage) => {
                    if self.start == Start::Board {
                        self.go_on(heard);
                    }
                    self.locked(heard);
                }
                // The lost bytes may have contained a change, so request all squares.
                Err(damage) => {
                    heard.push(Report::Damage(damage.to_string()));
                    heard.push(Report::Answer(DgtCommand::SendBoard.to_bytes()));
                }
            }
        }
    }

    fn discard_partial(&mut self) {
        // Do not report the damage: the driver regularly requests all squares anyway.
        let _ = self.decoder.abandon();
    }

    fn answer_timeout(&self) -> Option<Millis> {
        match self.start {
            Start::Done => None,
            step if step.is_answered() => Some(ANSWER),
            _ => Some(UNANSWERED),
        }
    }

    fn answer_timed_out(&mut self, heard: &mut Vec<Report>) {
        self.go_on(heard);
    }
}

#[cfg(test)]
mod tests {
    use tabiya_types::{Board, Observation};

    use super::*;
    use crate::driver::BoardCommand;
    use crate::lights::Glow;
    use crate::makers::meeting::TestBench;
    use crate::makers::pegasus::MAKER;
    use crate::makers::pegasus::sim::PegasusFirmware;
    use crate::sim::Firmware as _;

    fn start() -> Board {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().expect("a board")
    }

    fn meet(notes: &Notes) -> TestBench {
        let mut meeting = TestBench::new(MAKER, PegasusFirmware::default(), &start(), notes);
        meeting.pass(Millis(6_000));
        meeting
    }

    fn wanted(meeting: &TestBench) -> Vec<&'static str> {
        let sentence = |event: &BoardEvent| match event {
            BoardEvent::Wants(what) => Some(what.id()),
            _ => None,
        };
        meeting.events.iter().filter_map(sentence).collect()
    }

    #[test]
    fn with_its_key_it_tells_its_squares() {
        let mut meeting = meet(&PegasusFirmware::default().notes());
        assert!(
            matches!(meeting.last_observation(), Some(Observation::Occupied(squares)) if squares == start().occupied())
        );
        meeting.set("e2", None);
        assert!(
            matches!(meeting.last_observation(), Some(Observation::Occupied(squares)) if squares.len() == 31)
        );
        assert_eq!((wanted(&meeting).len(), meeting.driver.ready()), (0, true));
        assert!(meeting.driver.info().number().is_some());
    }

    #[test]
    fn without_a_key_it_says_once_how_to_get_one_and_stays_connected() {
        let mut meeting = meet(&Notes::NONE);
        meeting.pass(Millis(20_000));
        assert_eq!(wanted(&meeting), ["board-wants-key"]);
        assert!(
            meeting.last_observation().is_none()
                && meeting.driver.failure().is_none()
                && !meeting.driver.ready()
        );
        assert!(meeting.events.iter().any(|event| matches!(event, BoardEvent::Battery { percent: 88, .. })));
        let refused = [(NOTE.name, "11 22 33 44 55 66")].into_iter().collect();
        assert_eq!(wanted(&meet(&refused)), ["board-refuses-key"]);
    }

    #[test]
    fn a_board_that_feels_something_everywhere_wants_to_be_calibrated() {
        let full: Board = ["pppppppp"; 8].join("/").parse().expect("a board");
        let notes = PegasusFirmware::default().notes();
        let mut meeting = TestBench::new(MAKER, PegasusFirmware::default(), &full, &notes);
        meeting.pass(Millis(12_000));
        assert_eq!(wanted(&meeting), ["board-wants-calibration"]);
        assert!(meeting.last_observation().is_none());
    }

    #[test]
    fn lights_that_a_change_has_put_out_are_lit_again() {
        let mut meeting = meet(&PegasusFirmware::default().notes());
        let e4 = "e4".parse().expect("a square");
        meeting.driver.order(&BoardCommand::Light(Lights::of([(e4, Glow::May)])), meeting.now);
        meeting.pass(Millis(1_000));
        assert!(meeting.sim.lit().has(e4));
        meeting.set("e2", None);
        assert!(meeting.sim.lit().has(e4));
        meeting.driver.order(&BoardCommand::Light(Lights::DARK), meeting.now);
        meeting.pass(Millis(1_000));
        assert!(meeting.sim.lit().is_empty());
    }
}
