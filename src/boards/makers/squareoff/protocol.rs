//! Drives a Square Off board: which commands it gets and when, and what its messages mean.
//!
//! The board reports lifts and placements immediately, in the order in which they happen. After each silence the
//! driver asks for all occupied squares, which repairs lost messages.

use tabiya_types::{Millis, Square, Squares};

use super::codec::{SquareOffCommand, SquareOffDecoder, SquareOffMessage};
use crate::event::BoardEvent;
use crate::lights::Lights;
use crate::steady::{MakerTiming, Protocol, Report};

/// The limit between two units of the reported battery state: a number up to this limit is a voltage in volts, a larger
/// number is a charge in percent.
const MOST_VOLTS: f32 = 5.0;
/// The voltage of an empty lithium cell.
const EMPTY_VOLTS: f32 = 3.3;
/// The voltage of a full lithium cell.
const FULL_VOLTS: f32 = 4.2;

/// The state of one connection.
#[derive(Debug, Default)]
pub(super) struct SquareOff {
    decoder: SquareOffDecoder,
    /// The occupied squares; `None` until the board has reported all of them.
    felt: Option<Squares>,
}

impl SquareOff {
    /// Handles a changed square. The change is ignored until all occupied squares are known.
    fn change(&mut self, square: Square, full: bool) -> Report {
        match &mut self.felt {
            Some(felt) => {
                felt.set(square, full);
                Report::Occupied(*felt)
            }
            None => Report::Nothing,
        }
    }
}

/// Converts the reported battery state to percent; `None` if the text is not a number.
fn percent(number: &str) -> Option<u8> {
    let number: f32 = number.parse().ok()?;
    let percent = if number <= MOST_VOLTS {
        (number - EMPTY_VOLTS) / (FULL_VOLTS - EMPTY_VOLTS) * 100.0
    } else {
        number
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is held within 0..=100")]
    let percent = percent.clamp(0.0, 100.0).round() as u8;
    Some(percent)
}

impl Protocol for SquareOff {
    fn timing(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(300),
            between: Millis(100),
            // Other programs request the squares three times, one second apart.
            answer: Millis(1_000),
            tries: 4,
            poll_after: Millis(1_500),
            dead_after: Millis(8_000),
            lights: Millis(200),
            partial_timeout: Millis(200),
        }
    }

    fn greeting(&mut self) -> Vec<Vec<u8>> {
        self.ask()
    }

    fn ask(&mut self) -> Vec<Vec<u8>> {
        vec![SquareOffCommand::Ask.to_bytes()]
    }

    fn ask_battery(&mut self) -> Vec<Vec<u8>> {
        vec![SquareOffCommand::Battery.to_bytes()]
    }

    fn light(&mut self, lights: &Lights) -> Vec<Vec<u8>> {
        vec![SquareOffCommand::Light(lights.lit().map(|(square, _)| square).collect()).to_bytes()]
    }

    /// Sends nothing: no command stops the reports of changes.
    fn farewell(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        for found in self.decoder.push(bytes) {
            let what = match found {
                Ok(SquareOffMessage::Occupied(squares)) => {
                    self.felt = Some(squares);
                    Report::Occupied(squares)
                }
                Ok(SquareOffMessage::Lifted(square)) => self.change(square, false),
                Ok(SquareOffMessage::Put(square)) => self.change(square, true),
                Ok(SquareOffMessage::Battery(number)) => match percent(&number) {
                    Some(percent) => {
                        Report::Event(BoardEvent::Battery { percent, charging: false, low: percent < 10 })
                    }
                    None => Report::Damage(format!("the battery state `{number}` is not a number")),
                },
                Ok(SquareOffMessage::Go) => Report::Nothing,
                Err(what) => {
                    // The lost bytes may have contained a change, so request all squares.
                    heard.push(Report::Damage(what));
                    Report::Answer(SquareOffCommand::Ask.to_bytes())
                }
            };
            heard.push(what);
        }
    }

    fn discard_partial(&mut self) {
        self.decoder.drop_incomplete();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_battery_may_be_told_in_volts_or_in_percent() {
        assert_eq!(percent("4.2"), Some(100));
        assert_eq!(percent("3.75"), Some(50));
        assert_eq!(percent("88"), Some(88));
        assert_eq!(percent("250"), Some(100));
        assert_eq!(percent("1.2.3"), None);
    }

    #[test]
    fn a_lift_before_the_first_picture_tells_nothing_and_a_poll_repairs_what_was_lost() {
        let mut board = SquareOff::default();
        let mut hear = |bytes: &[u8]| {
            let mut heard = Vec::new();
            board.hear(bytes, &mut heard);
            heard.into_iter().find_map(|heard| match heard {
                Report::Occupied(squares) => Some(squares.len()),
                _ => None,
            })
        };
        let start = format!("30#{}*", "11000011".repeat(8));
        assert_eq!(hear(b"0#e2u*"), None);
        assert_eq!(hear(start.as_bytes()), Some(32));
        assert_eq!(hear(b"0#e2u*"), Some(31));
        // The board's report that the piece was placed again was lost. The next report of all occupied squares repairs
        // this.
        assert_eq!(hear(start.as_bytes()), Some(32));
    }
}
