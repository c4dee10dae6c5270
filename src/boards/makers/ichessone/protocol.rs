//! Drives an iChessOne board: which commands it gets and when, and what its messages mean.

use tabiya_types::Millis;

use super::codec::{ColoredSquares, IChessOneCommand, IChessOneDecoder, IChessOneMessage, ranks};
use crate::event::BoardEvent;
use crate::lights::{Glow, Lights};
use crate::steady::{MakerTiming, Protocol, Report};

/// The brightness of the lights, 0..=15.
const DIM: u8 = 8;
/// The code for blinking lights.
const BLINKS: u8 = 14;
/// Once in this number of requests for the position, the driver also asks for the battery state.
const BATTERY_EVERY: u8 = 20;

/// The state of one connection.
#[derive(Debug, Default)]
pub(super) struct IChessOne {
    decoder: IChessOneDecoder,
    asked: u8,
}

/// Returns the colour (red, green, blue) and the blinking of a lit square, which show why the square is lit.
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
    /// The board reports only changes, so the driver asks for the position after a silence.
    fn timing(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(300),
            between: Millis(100),
            answer: Millis(1_500),
            tries: 3,
            poll_after: Millis(3_000),
            dead_after: Millis(10_000),
            lights: Millis(200),
            partial_timeout: Millis(200),
        }
    }

    /// The position is requested last, because the text about the hardware is complete only when the next message
    /// begins.
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

    /// Sends one command for each colour. The first command switches off all squares that were lit before.
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
                // The lost bytes may have contained a change, so request the position.
                Err(what) => {
                    heard.extend([
                        Report::Damage(what),
                        Report::Answer(IChessOneCommand::Position.to_bytes()),
                    ]);
                }
            }
        }
    }

    fn discard_partial(&mut self) {
        self.decoder.drop_incomplete();
    }
}
