//! Drives a board that speaks the Chess Peripheral Protocol: which commands it gets and when, and what its messages
//! mean.

use tabiya_types::{Board, Millis, Squares};

use super::ABILITIES;
use super::codec::{CppCommand, CppDecoder, CppMessage, CppPosition, framed};
use crate::brand::{Abilities, Sees};
use crate::link::Carrier;
use crate::steady::{MakerTiming, Protocol, Report};

/// How long a board may take to answer whether it has a feature. Old boards never answer this question.
const ANSWER: Millis = Millis(1_000);

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Cpp {
    decoder: CppDecoder,
    carrier: Carrier,
    asked: Asked,
    /// What the board can sense, according to the positions that it has reported; `None` if still unknown.
    sees: Option<Sees>,
}

/// The pending question: which feature the board was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Nothing,
    /// Whether the board reports its position when asked.
    GetState,
    /// Whether the board reports each lift and placement.
    SubmoveState,
    /// The same feature as `SubmoveState`, under its older name.
    StateStream,
}

impl Asked {
    /// Returns the protocol's name of the feature; `None` without a pending question.
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::GetState => Some("get_state"),
            Self::SubmoveState => Some("submove_state"),
            Self::StateStream => Some("state_stream"),
        }
    }

    /// Returns the next question. `has` is the answer to the current question: whether the board has that feature.
    /// After the last question, Tabiya requests the position even from a board that has none of the features, because
    /// old boards have other names for these features.
    fn next(self, has: bool) -> Self {
        match (self, has) {
            (Self::GetState, _) => Self::SubmoveState,
            (Self::SubmoveState, false) => Self::StateStream,
            (Self::SubmoveState, true) | (Self::StateStream | Self::Nothing, _) => Self::Nothing,
        }
    }
}

impl Cpp {
    /// Creates the state of a new connection over this kind of link. Nothing is known about the board yet.
    pub(super) fn new(carrier: Carrier) -> Self {
        Self { decoder: CppDecoder::new(carrier), carrier, asked: Asked::Nothing, sees: None }
    }

    fn bytes(&self, command: &CppCommand) -> Vec<u8> {
        framed(&command.to_text(), self.carrier)
    }

    fn question(&self) -> Option<Vec<u8>> {
        self.asked.name().map(|name| self.bytes(&CppCommand::Feature(name.to_owned())))
    }

    /// Handles the answer to the pending question, or its timeout. Then sends the next question. If there are no more
    /// questions, requests the position.
    fn answered(&mut self, has: bool, heard: &mut Vec<Report>) {
        if self.asked == Asked::Nothing {
            return heard.push(Report::Nothing);
        }
        self.asked = self.asked.next(has);
        let next = self.question().unwrap_or_else(|| self.bytes(&CppCommand::GetState));
        heard.extend([Report::Nothing, Report::Answer(next)]);
    }

    fn show(&mut self, shown: CppPosition, heard: &mut Vec<Report>) {
        let sees = match shown {
            CppPosition::Pieces(_) => Some(Sees::Pieces),
            CppPosition::Occupied(_) => Some(Sees::Occupancy),
            CppPosition::Empty => self.sees,
        };
        if let Some(sees) = sees.filter(|_| self.sees != sees) {
            self.sees = Some(sees);
            heard.push(Report::Abilities(Abilities { sees, ..ABILITIES }));
        }
        heard.push(match (shown, sees) {
            (CppPosition::Pieces(board), _) => Report::Board(board),
            (CppPosition::Occupied(squares), _) => Report::Occupied(squares),
            (CppPosition::Empty, Some(Sees::Occupancy)) => Report::Occupied(Squares::NONE),
            (CppPosition::Empty, _) => Report::Board(Board::EMPTY),
        });
    }

    fn understand(&mut self, message: CppMessage, heard: &mut Vec<Report>) {
        match message {
            CppMessage::State(seen) | CppMessage::Sync(seen) | CppMessage::Unsync { seen, .. } => {
                self.show(seen, heard);
            }
            CppMessage::Ok => self.answered(true, heard),
            CppMessage::Nok => self.answered(false, heard),
            // The board reports a whole move. Tabiya has begun no round of this protocol, so it does not check the
            // move: it accepts the move and requests the position.
            CppMessage::Move(_) => {
                heard.extend([Report::Nothing, Report::Answer(self.bytes(&CppCommand::Ok))]);
                heard.push(Report::Answer(self.bytes(&CppCommand::GetState)));
            }
            CppMessage::Other(word, rest) => heard.push(match word.as_str() {
                "draw_offer" | "undo_offer" => Report::Answer(self.bytes(&CppCommand::Nok)),
                "err" => Report::Damage(format!("the board reports an error: {rest}")),
                _ => Report::Nothing,
            }),
        }
    }
}

impl Protocol for Cpp {
    fn timing(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(400),
            between: Millis(100),
            // This is long enough for three feature questions without an answer, after which the board reports its
            // first position.
            answer: Millis(7_000),
            tries: 3,
            poll_after: Millis(3_000),
            dead_after: Millis(10_000),
            lights: Millis(200),
            partial_timeout: Millis(1_000),
        }
    }

    fn greeting(&mut self) -> Vec<Vec<u8>> {
        self.asked = Asked::GetState;
        self.question().into_iter().collect()
    }

    fn ask(&mut self) -> Vec<Vec<u8>> {
        vec![self.bytes(&CppCommand::GetState)]
    }

    /// Sends nothing: Tabiya has begun no round, so there is no round to end.
    fn farewell(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        for found in self.decoder.push(bytes) {
            match found {
                Ok(message) => self.understand(message, heard),
                Err(what) => {
                    // The lost bytes may have contained a change, so request the position.
                    heard.extend([Report::Damage(what), Report::Answer(self.bytes(&CppCommand::GetState))]);
                }
            }
        }
    }

    fn discard_partial(&mut self) {
        self.decoder.drop_incomplete();
    }

    fn answer_timeout(&self) -> Option<Millis> {
        self.asked.name().map(|_| ANSWER)
    }

    fn answer_timed_out(&mut self, heard: &mut Vec<Report>) {
        self.answered(false, heard);
    }
}

#[cfg(test)]
mod tests {
    use tabiya_types::Observation;

    use super::*;
    use crate::makers::cpp::MAKER;
    use crate::makers::cpp::sim::{CppFirmware, CppModel};
    use crate::makers::meeting::TestBench;
    use crate::notes::Notes;
    use crate::sim::{SimSetup, Simulated};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    fn meet(kind: CppModel, carrier: Carrier) -> TestBench {
        let board = START.parse().expect("a board");
        let setup = SimSetup { board, seed: 1, ..SimSetup::default() };
        let sim = Box::new(Simulated::new(CppFirmware::with(kind), &setup));
        let mut meeting = TestBench::of(MAKER, sim, &Notes::NONE, carrier);
        meeting.pass(Millis(6_000));
        meeting
    }

    #[test]
    fn a_board_tells_what_it_is_by_what_it_shows_over_any_line() {
        for carrier in [Carrier::Messages, Carrier::Stream] {
            for (kind, sees) in [
                (CppModel::Pieces, Sees::Pieces),
                (CppModel::Occupancy, Sees::Occupancy),
                (CppModel::Mute, Sees::Pieces),
            ] {
                let mut meeting = meet(kind, carrier);
                assert_eq!(meeting.driver.info().abilities.sees, sees, "{kind:?} {carrier:?}");
                meeting.set("e2", None);
                meeting.pass(Millis(3_000));
                let left = match meeting.last_observation() {
                    Some(Observation::Whole(board)) => board.occupied().len(),
                    Some(Observation::Occupied(squares)) => squares.len(),
                    _ => 0,
                };
                assert_eq!(left, 31, "{kind:?} {carrier:?}");
            }
        }
    }

    #[test]
    fn a_feature_that_is_not_answered_is_one_that_it_lacks() {
        let meeting = meet(CppModel::Mute, Carrier::Messages);
        let texts: Vec<_> = meeting.written.iter().map(|write| String::from_utf8_lossy(write)).collect();
        let asked = ["feature get_state", "feature submove_state", "feature state_stream", "get_state"];
        assert_eq!(texts.get(..4).unwrap_or_default(), asked);
        let meeting = meet(CppModel::Pieces, Carrier::Stream);
        assert!(meeting.written.iter().all(|write| write.ends_with(b"\n")));
    }

    #[test]
    fn a_move_is_answered_so_that_the_board_does_not_wait() {
        let mut cpp = Cpp::new(Carrier::Messages);
        let mut heard = Vec::new();
        cpp.hear(b"move e2e4", &mut heard);
        assert!(heard.iter().any(|heard| matches!(heard, Report::Answer(bytes) if bytes == b"ok")));
    }
}
