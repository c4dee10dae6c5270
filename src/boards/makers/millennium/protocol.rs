//! Drives a Millennium board: which commands it gets and when, and what its messages mean.

use tabiya_types::{Board, Millis};

use super::ABILITIES;
use super::codec::{MillenniumCommand, MillenniumDecoder, MillenniumMessage, is_eone, may_be_eone, picture};
use crate::brand::{Abilities, Sees};
use crate::lights::{Glow, Lights};
use crate::link::Carrier;
use crate::steady::{MakerTiming, Protocol, Report};

/// The number of the setting that decides when positions are sent.
const REPORTS: u8 = 0x02;
/// The value of the setting `REPORTS` that makes the board send a position after a change, as soon as three successive
/// scans are equal. With other values a board may send 24 positions a second.
const ON_CHANGE: u8 = 0x05;
/// The number of a setting that only the eONE has.
const EONE_RULES: u8 = 0x06;
/// The bit of `EONE_RULES` that makes the eONE apply the rules of chess when it guesses the pieces.
const CHESS_RULES: u8 = 0x20;
/// If this many positions have arrived and the setting `REPORTS` is still unknown, the driver writes the setting
/// without having read it.
const FLOOD: u8 = 12;
/// The length of an LED's time slot in units of 4.096 ms. Eight slots take about 1.6 s.
const SLOT: u8 = 0x32;
/// The largest number of bytes in one write over Bluetooth LE.
const LONGEST_WRITE: usize = 157;

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Millennium {
    decoder: MillenniumDecoder,
    carrier: Carrier,
    reports: Reports,
    sight: Sight,
    /// The last position that arrived. A position counts only if it arrives twice in a row. Otherwise an error that
    /// exchanges two squares could stay unnoticed, because the checksum does not detect it.
    last: Option<Board>,
    greeted: bool,
}

/// What the driver knows about the setting `REPORTS`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reports {
    /// The value of the setting is unknown; this many positions have arrived since the connection began.
    Unknown(u8),
    /// The setting has the wanted value, or this value was written.
    Set,
}

/// What the board can detect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sight {
    Pieces,
    /// The driver does not know yet what the board can detect. It has requested the board's version, and perhaps its
    /// model. Until the answer arrives, positions are ignored.
    Asked,
    Occupancy,
}

impl Millennium {
    /// Creates the state of a new connection over this kind of link. Nothing is known about the board yet.
    pub(super) fn new(carrier: Carrier) -> Self {
        Self {
            decoder: MillenniumDecoder::default(),
            carrier,
            reports: Reports::Unknown(0),
            sight: Sight::Asked,
            last: None,
            greeted: false,
        }
    }

    /// If the board has not reported its version or model, assumes that it identifies its pieces.
    fn wait_no_longer(&mut self) {
        if self.sight == Sight::Asked {
            self.sight = Sight::Pieces;
        }
    }

    fn position(&mut self, board: Board, heard: &mut Vec<Report>) {
        if let Reports::Unknown(times) = self.reports {
            self.reports = Reports::Unknown(times.saturating_add(1));
            if times >= FLOOD {
                heard.push(self.set_reports());
            }
        }
        let again = self.last.replace(board) == Some(board);
        heard.push(match self.sight {
            _ if !again => Report::Answer(MillenniumCommand::Position.to_bytes()),
            Sight::Pieces => Report::Board(board),
            Sight::Occupancy => Report::Occupied(board.occupied()),
            Sight::Asked => Report::Nothing,
        });
    }

    fn set_reports(&mut self) -> Report {
        self.reports = Reports::Set;
        Report::Answer(MillenniumCommand::Write(REPORTS, ON_CHANGE).to_bytes())
    }

    fn understand(&mut self, message: MillenniumMessage, heard: &mut Vec<Report>) {
        match message {
            MillenniumMessage::Position(board) => self.position(board, heard),
            MillenniumMessage::Version(version) => {
                let [main, sub] = version.to_be_bytes();
                heard.push(Report::Info(|info, text| info.version = Some(text), format!("{main}.{sub}")));
                if self.sight == Sight::Asked {
                    if may_be_eone(version) {
                        heard.push(Report::Answer(MillenniumCommand::Model.to_bytes()));
                    } else {
                        self.sight = Sight::Pieces;
                    }
                }
            }
            MillenniumMessage::Model(text) => {
                self.sight = if is_eone(&text) { Sight::Occupancy } else { Sight::Pieces };
                let sees = if self.sight == Sight::Occupancy { Sees::Occupancy } else { Sees::Pieces };
                heard.push(Report::Abilities(Abilities { sees, ..ABILITIES }));
                heard.push(Report::Info(|info, text| info.text = Some(text), text));
                if self.sight == Sight::Occupancy {
                    heard.push(Report::Answer(MillenniumCommand::Read(EONE_RULES).to_bytes()));
                }
                heard.push(Report::Answer(MillenniumCommand::Position.to_bytes()));
            }
            // Make the eONE ignore the rules of chess, because people may play other games on it.
            MillenniumMessage::Setting(EONE_RULES, value)
                if self.sight == Sight::Occupancy && value & CHESS_RULES != 0 =>
            {
                heard.push(Report::Answer(
                    MillenniumCommand::Write(EONE_RULES, value & !CHESS_RULES).to_bytes(),
                ));
            }
            // The setting already has the wanted value, so do not write it again: settings survive a power cut.
            MillenniumMessage::Setting(REPORTS, ON_CHANGE) => {
                self.reports = Reports::Set;
                heard.push(Report::Nothing);
            }
            MillenniumMessage::Setting(REPORTS, _) => heard.push(self.set_reports()),
            MillenniumMessage::Guessed(_)
            | MillenniumMessage::Lit
            | MillenniumMessage::Dark
            | MillenniumMessage::Written(..)
            | MillenniumMessage::Setting(..) => heard.push(Report::Nothing),
        }
    }
}

/// Returns the time slots in which the LEDs of a square are on, depending on why the square is lit. So people can
/// distinguish neighbouring squares that share an LED.
fn slots(glow: Glow) -> u8 {
    match glow {
        Glow::Last => 0xFF,
        Glow::May => 0xCC,
        Glow::Missing => 0x33,
        Glow::Wrong => 0xAA,
        Glow::Check => 0xF0,
    }
}

impl Protocol for Millennium {
    /// The board needs 100 ms between writes. It sends positions only after changes, so the driver asks for the
    /// position after a silence.
    fn timing(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(300),
            between: Millis(100),
            answer: Millis(1_500),
            tries: 3,
            poll_after: Millis(2_500),
            dead_after: Millis(9_000),
            lights: Millis(300),
            partial_timeout: Millis(250),
        }
    }

    fn greeting(&mut self) -> Vec<Vec<u8>> {
        if std::mem::replace(&mut self.greeted, true) {
            self.wait_no_longer();
        }
        let asked =
            [MillenniumCommand::Read(REPORTS), MillenniumCommand::Version, MillenniumCommand::Position];
        asked.iter().map(MillenniumCommand::to_bytes).collect()
    }

    fn ask(&mut self) -> Vec<Vec<u8>> {
        self.wait_no_longer();
        let mut asked = vec![MillenniumCommand::Position.to_bytes()];
        if let Reports::Unknown(_) = self.reports {
            // The board did not report this setting, so write it without knowing its value.
            self.reports = Reports::Set;
            asked.insert(0, MillenniumCommand::Write(REPORTS, ON_CHANGE).to_bytes());
        }
        asked
    }

    fn light(&mut self, lights: &Lights) -> Vec<Vec<u8>> {
        if lights.is_dark() {
            return vec![MillenniumCommand::Dark.to_bytes()];
        }
        let leds = picture(lights.lit().map(|(square, glow)| (square, slots(glow))));
        let bytes = MillenniumCommand::Light(SLOT, Box::new(leds)).to_bytes();
        match self.carrier {
            Carrier::Stream | Carrier::LateStream => vec![bytes],
            Carrier::Messages => bytes.chunks(LONGEST_WRITE).map(<[u8]>::to_vec).collect(),
        }
    }

    fn farewell(&mut self) -> Vec<Vec<u8>> {
        vec![MillenniumCommand::Dark.to_bytes()]
    }

    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        for found in self.decoder.push(bytes) {
            match found {
                Ok(message) => self.understand(message, heard),
                Err(what) => {
                    // The lost bytes may have contained a change, so request the position.
                    heard.extend([
                        Report::Damage(what),
                        Report::Answer(MillenniumCommand::Position.to_bytes()),
                    ]);
                }
            }
        }
    }

    fn discard_partial(&mut self) {
        self.decoder.drop_incomplete();
    }
}

#[cfg(test)]
mod tests {
    use tabiya_types::{Observation, Squares};

    use super::*;
    use crate::driver::BoardCommand;
    use crate::event::BoardEvent;
    use crate::makers::meeting::TestBench;
    use crate::makers::millennium::MAKER;
    use crate::makers::millennium::sim::{Habits, MillenniumFirmware};
    use crate::notes::Notes;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";

    fn of(fen: &str) -> Board {
        fen.parse().expect("a board")
    }

    fn meet(habits: Habits) -> TestBench {
        let firmware = MillenniumFirmware::with(habits);
        let mut meeting = TestBench::new(MAKER, firmware, &of(START), &Notes::NONE);
        meeting.pass(Millis(3_000));
        meeting
    }

    fn tells_moves(habits: Habits) {
        let mut meeting = meet(habits);
        assert!(
            matches!(meeting.last_observation(), Some(Observation::Whole(board)) if board == of(START)),
            "{habits:?}"
        );
        meeting.set("e2", None);
        meeting.set("e4", Some('P'));
        assert!(
            matches!(meeting.last_observation(), Some(Observation::Whole(board)) if board == of(E4)),
            "{habits:?}"
        );
        // The driver wrote the setting exactly once. This stopped the constant stream of positions.
        let set = MillenniumCommand::Write(REPORTS, ON_CHANGE).to_bytes();
        assert_eq!(meeting.written.iter().filter(|write| **write == set).count(), 1, "{habits:?}");
    }

    #[test]
    fn a_board_is_told_to_report_settled_changes_whatever_its_habits() {
        tells_moves(Habits::default());
        tells_moves(Habits { plain: true, small: true, ..Habits::default() });
        tells_moves(Habits { drowsy: true, eager: true, ..Habits::default() });
    }

    #[test]
    fn an_e_one_only_feels_its_pieces_and_says_so() {
        let mut meeting = meet(Habits { feels: true, ..Habits::default() });
        let feels = meeting.driver.info().abilities.sees == Sees::Occupancy;
        assert!(feels && meeting.driver.info().text.as_deref() == Some("e-one 1"));
        assert!(matches!(meeting.last_observation(), Some(Observation::Occupied(_))));
        meeting.set("e2", None);
        let felt: Squares = of(START).occupied().iter().filter(|square| square.to_string() != "e2").collect();
        assert!(
            matches!(meeting.last_observation(), Some(Observation::Occupied(squares)) if squares == felt)
        );
        let free = MillenniumCommand::Write(EONE_RULES, 0x02).to_bytes();
        assert!(meeting.written.contains(&free), "the rules of chess are off, the rest is left");
        let whole = |event: &BoardEvent| matches!(event, BoardEvent::Observed(Observation::Whole(_)));
        assert!(!meeting.events.iter().any(whole), "its guesses are never told");
    }

    #[test]
    fn a_long_picture_is_written_in_two_parts_over_bluetooth() {
        let mut meeting = meet(Habits::default());
        let e4 = "e4".parse().expect("a square");
        meeting.driver.order(&BoardCommand::Light(Lights::of([(e4, Glow::May)])), meeting.now);
        meeting.pass(Millis(1_000));
        assert!(meeting.sim.lit().has(e4));
        assert_eq!(meeting.written.iter().map(Vec::len).max(), Some(LONGEST_WRITE));
        meeting.driver.order(&BoardCommand::Light(Lights::DARK), meeting.now);
        meeting.pass(Millis(1_000));
        assert!(meeting.sim.lit().is_empty());
    }
}
