//! Simulated firmware of a Certabo board. It sends frames all the time, with noise. Its lights ignore patterns that
//! follow each other too quickly.

use tabiya_types::{Board, Color, Instant, Millis, Piece, Role, Square, Squares};

use super::calibration::TagTable;
use super::codec::{COLORS, CertaboMessage, PieceTag, Tags, cell, corners, square};
use crate::human::{Dice, PerMille};
use crate::notes::Notes;
use crate::sim::Firmware;

/// The time between two frames.
const EVERY: Millis = Millis(300);
/// The probability that an empty cell of a frame shows a random tag.
const NOISE: PerMille = PerMille(50);
/// The probability that a frame misses the tag of a piece.
const DROPPED: PerMille = PerMille(10);
/// How long after a light pattern the lights ignore further patterns.
const DEAF: Millis = Millis(500);
/// The number of characters between two line feeds, on boards that insert them in the middle of a frame.
const LINE: usize = 64;
/// The number of spare pieces of each kind; kings have none.
const SPARES: u8 = 7;

/// The model of the simulated board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Model {
    /// Reads tags; has lights of one colour.
    Tags,
    /// Detects occupancy; has lights of one colour.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the simulated ones have colours; tests meet this one, too")
    )]
    Occupancy,
    /// Detects occupancy; has coloured lights.
    OccupancyInColors,
    /// Detects occupancy; has lights of one colour. A light pattern is never acknowledged.
    Mute,
}

/// The simulated firmware with its state and its pieces.
#[derive(Debug)]
pub(crate) struct CertaboFirmware {
    model: Model,
    dice: Dice,
    /// Whether the board inserts line feeds in the middle of its frames.
    broken_lines: bool,
    /// The piece on each cell, with its tag.
    lying: [Option<(Piece, PieceTag)>; 64],
    /// The pieces that are not on the board. The piece that was taken off last is at the end.
    beside: Vec<(Piece, PieceTag)>,
    lit: Squares,
    deaf_until: Instant,
    next: Instant,
    on: bool,
}

/// Returns all pieces: first the spare pieces, then the pieces of the start position. The tag of a piece of the
/// start position contains the number of its cell.
fn all_pieces() -> Vec<(Piece, PieceTag)> {
    let tag = |number: u8| PieceTag([3, 0, 84, number, 255 - number]);
    let start: Board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap_or_default();
    let kinds = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Piece { color, role }));
    let spares = kinds.filter(|piece| piece.role != Role::King);
    let spares = spares.flat_map(|piece| std::iter::repeat_n(piece, usize::from(SPARES)));
    let mut pieces: Vec<_> = (64..).zip(spares).map(|(number, piece)| (piece, tag(number))).collect();
    let cells = (0..64_u8).rev().filter_map(|number| {
        let at = square(usize::from(number))?;
        Some((start[at]?, tag(number)))
    });
    pieces.extend(cells);
    pieces
}

impl CertaboFirmware {
    /// Creates a board that reads tags. The seed decides its noise and whether it inserts line feeds.
    pub(crate) fn new(seed: u64) -> Self {
        Self::with(Model::Tags, seed)
    }

    /// Creates a board of this model.
    pub(crate) fn with(model: Model, seed: u64) -> Self {
        Self {
            model,
            dice: Dice::new(seed),
            broken_lines: seed % 2 == 1,
            lying: [None; 64],
            beside: all_pieces(),
            lit: Squares::NONE,
            deaf_until: Instant::ZERO,
            next: Instant::ZERO,
            on: false,
        }
    }

    /// Moves the tagged pieces so that they match `squares`. If several equal pieces are beside the board, the one
    /// that was taken off last is put down first.
    fn carry(&mut self, squares: &Board) {
        for at in Square::all() {
            if let Some(lies) = self.lying.get_mut(cell(at))
                && lies.map(|(piece, _)| piece) != squares[at]
            {
                self.beside.extend(lies.take());
            }
        }
        for (at, piece) in squares.pieces() {
            if let Some(lies) = self.lying.get_mut(cell(at))
                && lies.is_none()
                && let Some(nth) = self.beside.iter().rposition(|(other, _)| *other == piece)
            {
                *lies = Some(self.beside.remove(nth));
            }
        }
    }

    fn frame(&mut self, squares: &Board) -> Vec<u8> {
        if self.model != Model::Tags {
            return CertaboMessage::Occupied(squares.occupied()).to_bytes();
        }
        self.carry(squares);
        let mut tags = Tags([None; 64]);
        for (tag, lies) in tags.0.iter_mut().zip(self.lying) {
            *tag = match lies {
                Some((_, tag)) => Some(tag).filter(|_| !self.dice.chance(DROPPED)),
                None if self.dice.chance(NOISE) => {
                    let mut number = || u8::try_from(self.dice.below(255) + 1).unwrap_or(1);
                    Some(PieceTag([number(), number(), number(), number(), number()]))
                }
                None => None,
            };
        }
        let bytes = CertaboMessage::Tags(Box::new(tags)).to_bytes();
        if self.broken_lines { bytes.chunks(LINE).collect::<Vec<_>>().join(&b'\n') } else { bytes }
    }
}

impl Firmware for CertaboFirmware {
    fn obey(&mut self, bytes: &[u8], _: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        if now < self.deaf_until {
            return;
        }
        match bytes {
            [0xFF, 0x55, lights @ .., b'\r', b'\n']
                if bytes.len() == COLORS && self.model == Model::OccupancyInColors =>
            {
                let shines =
                    |light: usize| lights.as_chunks::<3>().0.get(light).is_some_and(|color| *color != [0; 3]);
                self.lit = Square::all().filter(|at| corners(*at).into_iter().all(shines)).collect();
                say.push(CertaboMessage::LitInColors.to_bytes());
            }
            [_, _, _, _, _, _, _, _] if self.model != Model::OccupancyInColors => {
                let shines = |at: &Square| {
                    let rank = bytes.get(usize::from(7 - at.rank())).copied().unwrap_or(0);
                    rank >> at.file() & 1 == 1
                };
                self.lit = Square::all().filter(shines).collect();
                self.deaf_until = now + DEAF;
                if self.model != Model::Mute {
                    say.push(CertaboMessage::Lit.to_bytes());
                }
            }
            _ => {}
        }
    }

    fn notice(&mut self, _: Square, _: Option<Piece>, _: &Board, _: Instant, _: &mut Vec<Vec<u8>>) {}

    fn on_time(&mut self, squares: &Board, now: Instant, say: &mut Vec<Vec<u8>>) {
        if self.next <= now {
            self.next = now + EVERY;
            self.on = true;
            let frame = self.frame(squares);
            say.push(frame);
        }
    }

    fn deadline(&self) -> Option<Instant> {
        Some(self.next)
    }

    fn wake(&mut self, now: Instant) {
        (self.lit, self.on, self.deaf_until) = (Squares::NONE, false, now);
        self.next = now + EVERY;
    }

    fn tells(&self) -> bool {
        self.on
    }

    fn lit(&self) -> Squares {
        self.lit
    }

    fn notes(&self) -> Notes {
        let table: TagTable = all_pieces().into_iter().map(|(piece, tag)| (tag, piece)).collect();
        [("calibration", table.to_text())].into_iter().collect()
    }
}
