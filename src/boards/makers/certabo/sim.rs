//! A Certabo's own program: frames without end, with their noise; lights that are deaf when hurried.

use tabiya_types::{Board, Color, Instant, Millis, Piece, Role, Square, Squares};

use super::calibration::TagTable;
use super::codec::{COLORS, CertaboMessage, PieceTag, Tags, cell, corners, square};
use crate::human::{Dice, PerMille};
use crate::notes::Notes;
use crate::sim::Firmware;

/// Between two frames.
const EVERY: Millis = Millis(300);
/// How often an empty cell shows something that is no piece, and a full one nothing.
const NOISE: PerMille = PerMille(50);
const DROPPED: PerMille = PerMille(10);
/// Lights are deaf for so long after a picture.
const DEAF: Millis = Millis(500);
/// Characters between two line ends, on boards that put them in the midst of a frame.
const LINE: usize = 64;
/// Spare pieces of each kind, kings but one.
const SPARES: u8 = 7;

/// Which of the boards it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Model {
    /// It reads tags; its lights have one colour.
    Tags,
    /// It feels; its lights have one colour.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the simulated ones have colours; tests meet this one, too")
    )]
    Feels,
    /// It feels; its lights have colours.
    FeelsInColors,
    /// It feels; its lights have one colour and do not answer.
    Mute,
}

/// The program, its pieces, and what it was told.
#[derive(Debug)]
pub(crate) struct CertaboFirmware {
    model: Model,
    dice: Dice,
    /// Whether it puts line ends in the midst of its frames.
    broken_lines: bool,
    /// Which piece lies on each cell.
    lying: [Option<(Piece, PieceTag)>; 64],
    /// The pieces beside the board, the one taken off last at the end.
    beside: Vec<(Piece, PieceTag)>,
    lit: Squares,
    deaf_until: Instant,
    next: Instant,
    on: bool,
}

/// All pieces there are, those of the start position with the numbers of their cells.
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
    /// A board that reads tags; the seed decides its noise, and how it ends its lines.
    pub(crate) fn new(seed: u64) -> Self {
        Self::with(Model::Tags, seed)
    }

    /// A board of this model.
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

    /// Puts real pieces where pieces stand: what was taken off last is put down first.
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
                if bytes.len() == COLORS && self.model == Model::FeelsInColors =>
            {
                let shines =
                    |light: usize| lights.as_chunks::<3>().0.get(light).is_some_and(|color| *color != [0; 3]);
                self.lit = Square::all().filter(|at| corners(*at).into_iter().all(shines)).collect();
                say.push(CertaboMessage::LitInColors.to_bytes());
            }
            [_, _, _, _, _, _, _, _] if self.model != Model::FeelsInColors => {
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
