//! When a Square Off is told what, and what its messages mean.
//!
//! Its lifts and puts tell the order of things at once; its whole picture, asked for whenever it has grown still,
//! puts right what was lost of them.

use tabiya_types::{Millis, Square, Squares};

use super::codec::{SquareOffCommand, SquareOffDecoder, SquareOffMessage};
use crate::event::BoardEvent;
use crate::lights::Lights;
use crate::steady::{MakerTiming, Protocol, Report};

/// A number up to this is the battery's volts, a larger one percent.
const MOST_VOLTS: f32 = 5.0;
/// One lithium cell, empty and full, in volts.
const EMPTY_VOLTS: f32 = 3.3;
const FULL_VOLTS: f32 = 4.2;

/// One connection.
#[derive(Debug, Default)]
pub(super) struct SquareOff {
    decoder: SquareOffDecoder,
    /// Where something stands, once it was told.
    felt: Option<Squares>,
}

impl SquareOff {
    /// Without a whole picture a single square says nothing.
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

/// Percent of the battery's number.
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
    fn pace(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(300),
            between: Millis(100),
            // Other programs try three times, a second apart.
            answer: Millis(1_000),
            tries: 4,
            still: Millis(1_500),
            dead: Millis(8_000),
            lights: Millis(200),
            half: Millis(200),
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

    /// Nothing stops it from telling its changes.
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
                    None => Report::Damage(format!("`{number}` is no number")),
                },
                Ok(SquareOffMessage::Go) => Report::Nothing,
                Err(what) => {
                    // What was lost may have been a change.
                    heard.push(Report::Damage(what));
                    Report::Answer(SquareOffCommand::Ask.to_bytes())
                }
            };
            heard.push(what);
        }
    }

    fn give_up_half(&mut self) {
        self.decoder.give_up_half();
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
        // The put was lost.
        assert_eq!(hear(start.as_bytes()), Some(32));
    }
}
