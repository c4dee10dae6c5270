//! When an iChessOne is told what, and what its messages mean.

use tabiya_types::Millis;

use super::codec::{ColoredSquares, IChessOneCommand, IChessOneDecoder, IChessOneMessage, ranks};
use crate::event::BoardEvent;
use crate::lights::{Glow, Lights};
use crate::steady::{MakerTiming, Protocol, Report};

/// How bright its lights are, 0..=15.
const DIM: u8 = 8;
/// A blinking light.
const BLINKS: u8 = 14;
/// Its battery is asked for whenever it was asked for its position so often.
const BATTERY_EVERY: u8 = 20;

/// One connection.
#[derive(Debug, Default)]
pub(super) struct IChessOne {
    decoder: IChessOneDecoder,
    asked: u8,
}

/// The colour of a glow, and whether it blinks.
fn look(glow: Glow) -> ([u8; 3], u8) {
    match glow {
        Glow::May => ([0, 15, 0], 0),
        Glow::Last => ([0, 0, 15], 0),
        Glow::Missing => ([15, 15, 0], BLINKS),
        Glow::Wrong => ([15, 0, 0], BLINKS),
        Glow::Check => ([15, 0, 0], 0),
    }
}

impl Protocol for IChessOne {
    /// It tells changes only, so it is asked when it has grown still.
    fn pace(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(300),
            between: Millis(100),
            answer: Millis(1_500),
            tries: 3,
            still: Millis(3_000),
            dead: Millis(10_000),
            lights: Millis(200),
            half: Millis(200),
        }
    }

    /// The text of the hardware ends where the position begins.
    fn greeting(&mut self) -> Vec<Vec<u8>> {
        [IChessOneCommand::OnChange, IChessOneCommand::Hardware, IChessOneCommand::Position]
            .map(IChessOneCommand::to_bytes)
            .to_vec()
    }

    fn ask(&mut self) -> Vec<Vec<u8>> {
        self.asked = (self.asked + 1) % BATTERY_EVERY;
        let battery = (self.asked == 1).then_some(IChessOneCommand::Battery);
        [IChessOneCommand::Position].into_iter().chain(battery).map(IChessOneCommand::to_bytes).collect()
    }

    fn ask_battery(&mut self) -> Vec<Vec<u8>> {
        vec![IChessOneCommand::Battery.to_bytes()]
    }

    /// One picture for each colour; the first of them ends what shone before.
    fn light(&mut self, lights: &Lights) -> Vec<Vec<u8>> {
        let mut pictures: Vec<ColoredSquares> = Vec::new();
        for glow in Glow::ALL {
            let ranks = ranks(lights.lit().filter(|(_, why)| *why == glow).map(|(square, _)| square));
            let (color, flash) = look(glow);
            if ranks != [0; 8] {
                pictures.push(ColoredSquares { color, dim: DIM, ranks, flash, alone: pictures.is_empty() });
            }
        }
        if pictures.is_empty() {
            pictures.push(ColoredSquares::DARK);
        }
        pictures.into_iter().map(|picture| IChessOneCommand::Light(picture).to_bytes()).collect()
    }

    fn farewell(&mut self) -> Vec<Vec<u8>> {
        vec![IChessOneCommand::Off.to_bytes()]
    }

    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        for found in self.decoder.push(bytes) {
            match found {
                Ok(IChessOneMessage::Position(board)) => heard.push(Report::Board(board)),
                Ok(IChessOneMessage::Battery(charging, percent)) => {
                    let low = percent < 10 && !charging;
                    heard.push(Report::Event(BoardEvent::Battery { percent, charging, low }));
                }
                Ok(IChessOneMessage::Hardware(text)) => {
                    heard.push(Report::Info(|info, text| info.hardware = Some(text), text));
                }
                // What was lost may have been a change.
                Err(what) => {
                    heard.extend([
                        Report::Damage(what),
                        Report::Answer(IChessOneCommand::Position.to_bytes()),
                    ]);
                }
            }
        }
    }

    fn give_up_half(&mut self) {
        self.decoder.give_up_half();
    }
}
