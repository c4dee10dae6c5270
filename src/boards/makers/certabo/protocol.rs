//! Drives a Certabo board: what its frames mean, and how its lights are set. The board sends frames without being
//! asked.

use std::collections::VecDeque;

use tabiya_types::{Board, Millis, Square, say};

use super::ABILITIES;
use super::calibration::{TagLearner, TagTable, white_squares};
use super::codec::{CertaboDecoder, CertaboMessage, Tags, colors, lamps, plain};
use crate::brand::{Abilities, LampLayout, Sees};
use crate::event::BoardEvent;
use crate::lights::{Glow, Lights};
use crate::maker::NoteForm;
use crate::notes::Notes;
use crate::steady::{MakerTiming, Protocol, Report};

/// The note (a stored value about a board) that contains the tag table.
pub(super) const NOTE: NoteForm = NoteForm {
    name: "calibration",
    format: "the text that Tabiya has stored, or an empty text to learn the pieces again",
    is_valid: |table| table.is_empty() || TagTable::parse(table).is_some(),
};
/// The number of latest frames that are compared. A piece counts if most of them show it on the same square, because
/// single frames contain noise and miss pieces.
const FRAMES: usize = 3;
/// If a frame contains at least this many tags and none of them is in the table, the pieces belong to another set.
const STRANGERS: usize = 20;
/// If the board has lights of one colour: the longest time until it acknowledges a light pattern.
const PLAIN_ANSWER: Millis = Millis(500);
/// If the board has coloured lights: the longest time until it acknowledges a light pattern.
const COLORS_ANSWER: Millis = Millis(1_300);

/// The state of one connection.
#[derive(Debug)]
pub(super) struct Certabo {
    decoder: CertaboDecoder,
    pieces: Pieces,
    lights: Style,
    /// The light pattern that the board should show.
    picture: Lights,
}

/// What the driver knows about the tags of the pieces.
#[derive(Debug)]
enum Pieces {
    /// Nothing is known yet. The first frame shows whether the board reads tags.
    Unknown,
    /// The tags are being learned. The table contains the tags of sets that were learned before.
    Learning(TagLearner, TagTable),
    /// The tags are known. The queue contains the latest frames.
    Known(TagTable, VecDeque<Board>),
    /// The board detects only which squares are occupied.
    Felt,
}

/// Which kind of lights the board has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    /// The kind of lights is unknown. Lights of one colour are tried first.
    Untried,
    /// A pattern in one colour was sent and is not acknowledged yet.
    TriedPlain,
    /// A coloured pattern was sent and is not acknowledged yet.
    TriedColors,
    /// Lights of one colour, one in each square.
    Plain,
    /// Coloured lights at the corners of the squares.
    Colors,
}

impl Certabo {
    /// Starts with the tag table that an earlier connection stored in `notes`, if there is one.
    pub(super) fn new(notes: &Notes) -> Self {
        let known = notes.get(NOTE.name).and_then(TagTable::parse);
        let pieces = known.map_or(Pieces::Unknown, |table| Pieces::Known(table, VecDeque::new()));
        Self { decoder: CertaboDecoder::default(), pieces, lights: Style::Untried, picture: Lights::DARK }
    }

    fn tags(&mut self, tags: &Tags, heard: &mut Vec<Report>) {
        match &mut self.pieces {
            Pieces::Known(table, frames) => {
                let board = table.board(tags);
                let strange = tags.0.iter().flatten().count() >= STRANGERS && board == Board::EMPTY;
                if strange {
                    let others = std::mem::take(table);
                    return self.begin_to_learn(others, heard);
                }
                if frames.len() == FRAMES {
                    frames.pop_front();
                }
                frames.push_back(board);
                heard.push(match most(frames) {
                    Some(board) => Report::Board(board),
                    None => Report::Nothing,
                });
            }
            Pieces::Learning(lesson, others) => match lesson.add_frame(tags) {
                Some(table) => {
                    let table = std::mem::take(others).with(table);
                    let value = table.to_text();
                    heard.push(Report::Event(BoardEvent::Remember { name: NOTE.name, value }));
                    // During learning, lights showed where White's pieces belong. Switch these lights off, then send
                    // the wanted light pattern again.
                    heard.extend([Report::Answer(lamps([]).to_vec()), Report::Darkened]);
                    self.pieces = Pieces::Known(table, VecDeque::new());
                }
                None => heard.push(Report::Nothing),
            },
            Pieces::Unknown => self.begin_to_learn(TagTable::default(), heard),
            // A board never changes its kind of frames, so this frame is damaged.
            Pieces::Felt => heard.push(Report::Nothing),
        }
    }

    fn begin_to_learn(&mut self, others: TagTable, heard: &mut Vec<Report>) {
        self.pieces = Pieces::Learning(TagLearner::default(), others);
        let what = say!(
            "board-learns-pieces",
            "Tabiya has to learn the chips of the pieces: set up the start position of chess, with White on ranks 1 and 2 (these squares are lit), and put spare queens, if there are any, on d3 (white) and d6 (black)"
        );
        heard.extend([Report::Here, Report::Event(BoardEvent::Wants(what))]);
        heard.push(Report::Answer(lamps(white_squares()).to_vec()));
    }

    fn understand(&mut self, message: CertaboMessage, heard: &mut Vec<Report>) {
        match message {
            CertaboMessage::Tags(tags) => self.tags(&tags, heard),
            CertaboMessage::Occupied(squares) => match self.pieces {
                Pieces::Felt => heard.push(Report::Occupied(squares)),
                Pieces::Unknown => {
                    self.pieces = Pieces::Felt;
                    heard.extend([self.abilities(), Report::Occupied(squares)]);
                }
                // A stored table alone does not show that this board reads tags: the table may be from another board.
                Pieces::Known(_, ref frames) if frames.is_empty() => {
                    self.pieces = Pieces::Felt;
                    heard.extend([self.abilities(), Report::Occupied(squares)]);
                }
                Pieces::Learning(..) | Pieces::Known(..) => heard.push(Report::Nothing),
            },
            CertaboMessage::Lit => {
                self.lights = Style::Plain;
                heard.push(Report::Nothing);
            }
            CertaboMessage::LitInColors => {
                self.lights = Style::Colors;
                heard.push(self.abilities());
            }
        }
    }

    fn abilities(&self) -> Report {
        let sees = if matches!(self.pieces, Pieces::Felt) { Sees::Occupancy } else { Sees::Pieces };
        let lights = if self.lights == Style::Colors { LampLayout::Corners } else { LampLayout::Squares };
        Report::Abilities(Abilities { sees, lights, ..ABILITIES })
    }

    fn in_colors(&self) -> Vec<u8> {
        colors(self.picture.lit().map(|(square, glow)| (square, color(glow))))
    }
}

/// Returns, for each square, the piece that most of the frames show; `None` if there are fewer than `FRAMES` frames.
fn most(frames: &VecDeque<Board>) -> Option<Board> {
    if frames.len() < FRAMES {
        return None;
    }
    let mut board = Board::EMPTY;
    for square in Square::all() {
        let here = || frames.iter().filter_map(|frame| frame[square]);
        board[square] = here().find(|piece| here().filter(|other| other == piece).count() * 2 > FRAMES);
    }
    Some(board)
}

/// Returns the colour (red, green, blue) that shows why a square is lit.
fn color(glow: Glow) -> [u8; 3] {
    match glow {
        Glow::May => [0, 0x60, 0],
        Glow::Last => [0, 0, 0x60],
        Glow::Missing => [0x50, 0x40, 0],
        Glow::Wrong => [0x70, 0, 0],
        Glow::Check => [0x70, 0, 0x30],
    }
}

impl Protocol for Certabo {
    /// Some boards send only one frame a second. A board garbles light patterns that follow each other within 600 ms.
    fn timing(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(300),
            between: Millis(700),
            answer: Millis(3_000),
            tries: 2,
            poll_after: Millis(2_000),
            dead_after: Millis(4_500),
            lights: Millis(1_300),
            partial_timeout: Millis(500),
        }
    }

    fn greeting(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn ask(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn light(&mut self, lights: &Lights) -> Vec<Vec<u8>> {
        self.picture = *lights;
        if self.lights == Style::Colors {
            return vec![self.in_colors()];
        }
        if self.lights != Style::Plain {
            self.lights = Style::TriedPlain;
        }
        vec![plain(lights).to_vec()]
    }

    fn farewell(&mut self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn hear(&mut self, bytes: &[u8], heard: &mut Vec<Report>) {
        for found in self.decoder.push(bytes) {
            match found {
                Ok(message) => self.understand(message, heard),
                Err(what) => heard.push(Report::Damage(what)),
            }
        }
    }

    fn discard_partial(&mut self) {
        self.decoder.drop_incomplete();
    }

    fn answer_timeout(&self) -> Option<Millis> {
        match self.lights {
            Style::TriedPlain => Some(PLAIN_ANSWER),
            Style::TriedColors => Some(COLORS_ANSWER),
            Style::Untried | Style::Plain | Style::Colors => None,
        }
    }

    /// Handles a light pattern that was not acknowledged in time. If the pattern had one colour, a coloured pattern is
    /// sent next. If the pattern was coloured, the board has lights of one colour that never acknowledge. These lights
    /// have misread the coloured pattern, so the pattern in one colour is sent again.
    fn answer_timed_out(&mut self, heard: &mut Vec<Report>) {
        let (next, bytes) = match self.lights {
            Style::TriedPlain => (Style::TriedColors, self.in_colors()),
            _ => (Style::Plain, plain(&self.picture).to_vec()),
        };
        self.lights = next;
        heard.push(Report::Answer(bytes));
    }
}

#[cfg(test)]
mod tests;
