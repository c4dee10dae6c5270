//! What a Certabo's frames mean, and how it is lit. Nothing has to be asked of it: it talks by itself.

use std::collections::VecDeque;

use tabiya_types::{Board, Millis, Square, say};

use super::ABILITIES;
use super::calibration::{Lesson, TagTable, whites};
use super::codec::{CertaboDecoder, CertaboMessage, Tags, colors, lamps, plain};
use crate::brand::{Abilities, LampLayout, Sees};
use crate::event::BoardEvent;
use crate::lights::{Glow, Lights};
use crate::maker::NoteForm;
use crate::notes::Notes;
use crate::steady::{MakerTiming, Protocol, Report};

/// Under which name the table of its pieces is kept.
pub(super) const NOTE: NoteForm = NoteForm {
    name: "calibration",
    looks: "what the table has kept there, or nothing to learn the pieces again",
    fits: |table| table.is_empty() || TagTable::parse(table).is_some(),
};
/// A piece stands where most of so many frames show it: each frame has noise, and drops pieces now and then.
const FRAMES: usize = 3;
/// So many tags and none of them known: these are other pieces than the table's.
const STRANGERS: usize = 20;
/// How long plain lights may take to answer, and lights in colours.
const PLAIN_ANSWER: Millis = Millis(500);
const COLORS_ANSWER: Millis = Millis(1_300);

/// One connection.
#[derive(Debug)]
pub(super) struct Certabo {
    decoder: CertaboDecoder,
    pieces: Pieces,
    lights: Style,
    /// What is to shine.
    picture: Lights,
}

/// What is known of the pieces.
#[derive(Debug)]
enum Pieces {
    /// Nothing: the first frame will tell.
    Unknown,
    /// They have to be learned; others were before.
    Learning(Lesson, TagTable),
    /// They are known; the last frames.
    Known(TagTable, VecDeque<Board>),
    /// The board only feels that something stands there.
    Felt,
}

/// Which lights it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    /// Plain ones, unless they do not answer.
    Untried,
    /// A plain picture was sent; its answer is waited for.
    TriedPlain,
    /// A picture in colours was sent; its answer is waited for.
    TriedColors,
    /// One colour, a light in each square.
    Plain,
    /// Colours, lights at the corners.
    Colors,
}

impl Certabo {
    /// Knows what earlier connections have learned.
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
            Pieces::Learning(lesson, others) => match lesson.see(tags) {
                Some(table) => {
                    let table = std::mem::take(others).with(table);
                    let value = table.to_text();
                    heard.push(Report::Event(BoardEvent::Remember { name: NOTE.name, value }));
                    // The squares that asked for pieces go dark; what is to shine now shines again.
                    heard.extend([Report::Answer(lamps([]).to_vec()), Report::Darkened]);
                    self.pieces = Pieces::Known(table, VecDeque::new());
                }
                None => heard.push(Report::Nothing),
            },
            Pieces::Unknown => self.begin_to_learn(TagTable::default(), heard),
            // One connection is one board: a frame of the other kind is a damaged one.
            Pieces::Felt => heard.push(Report::Nothing),
        }
    }

    fn begin_to_learn(&mut self, others: TagTable, heard: &mut Vec<Report>) {
        self.pieces = Pieces::Learning(Lesson::default(), others);
        let what = say!(
            "board-learns-pieces",
            "the board has to learn its pieces: set all of them up as for chess, White's on ranks 1 and 2, where lamps shine, and spare queens, if there are any, on d3 (white) and d6 (black)"
        );
        heard.extend([Report::Here, Report::Event(BoardEvent::Wants(what))]);
        heard.push(Report::Answer(lamps(whites()).to_vec()));
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
                // The table is another board's: a table alone does not make this one tell tags.
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

/// What most of the frames show on each square; `None` as long as they are too few.
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

/// The colour of a glow.
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
    /// Some boards tell a frame a second. Pictures sent faster than every 600 ms are garbled.
    fn pace(&self) -> MakerTiming {
        MakerTiming {
            before_first: Millis(300),
            between: Millis(700),
            answer: Millis(3_000),
            tries: 2,
            still: Millis(2_000),
            dead: Millis(4_500),
            lights: Millis(1_300),
            half: Millis(500),
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

    fn give_up_half(&mut self) {
        self.decoder.give_up_half();
    }

    fn patience(&self) -> Option<Millis> {
        match self.lights {
            Style::TriedPlain => Some(PLAIN_ANSWER),
            Style::TriedColors => Some(COLORS_ANSWER),
            Style::Untried | Style::Plain | Style::Colors => None,
        }
    }

    /// Lights that do not answer are tried in colours; if those are silent too they are plain ones of the silent kind,
    /// and what they took for pictures is put right.
    fn waited(&mut self, heard: &mut Vec<Report>) {
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
