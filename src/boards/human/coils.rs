//! The sensor coils under a board, which are scanned one after another.
//!
//! A real board scans square by square, a8 to h1; one pass takes 200-250 ms (the maker's figure). A change is reported
//! when its square is scanned. Three effects of real boards therefore need no extra code: the placement of a piece may
//! be reported before its lift, a quick capture shows no empty square, and a press may be reported before the last
//! change of a square.
//!
//! This module knows no driver and no protocol. [`super::Sensor`] and the simulated boards use it.

use tabiya_types::{Board, Instant, Millis, Piece, Square};

use super::dice::{Dice, Span};

/// The pieces on a board, and what the board's scan has seen of them.
#[derive(Clone, Debug)]
pub struct Coils {
    pass: u64,
    phase: u64,
    actual: Board,
    seen: Board,
    now: Instant,
    /// Until then, no square is scanned.
    blind_until: Instant,
    flickers: Vec<Flicker>,
}

#[derive(Clone, Copy, Debug)]
struct Flicker {
    square: Square,
    /// How often the contact will still change its state, from open to closed or back. While this number is odd, the
    /// contact is open.
    left: u16,
    not_before: Instant,
}

impl Coils {
    /// The time of one pass over all squares of a DGT board, in ms (maker's figure).
    pub const SCAN: Span = Span::new(200, 250);

    /// Creates the coils of a board on which the pieces of `board` stand and were already scanned. A pass over the
    /// squares takes a time from `scan`. `dice` determines this time, and when passes begin.
    pub fn new(board: Board, scan: Span, dice: &mut Dice) -> Self {
        let pass = dice.span(scan).0.max(1);
        let phase = dice.below(pass);
        let (now, blind_until) = (Instant::ZERO, Instant::ZERO);
        Self { pass, phase, actual: board, seen: board, now, blind_until, flickers: Vec::new() }
    }

    /// Scans no square before the time `until`.
    pub fn blind(&mut self, until: Instant) {
        self.blind_until = self.blind_until.max(until);
    }

    /// The board as the last scan of each square saw it, which is what a dump reports.
    pub fn seen(&self) -> &Board {
        &self.seen
    }

    /// The pieces that really stand on the board.
    pub fn actual(&self) -> &Board {
        &self.actual
    }

    /// Puts the piece `what` on the square at the time `at`; `None` empties the square. The caller must already have
    /// done all scans that were due before `at`.
    pub fn set(&mut self, at: Instant, square: Square, what: Option<Piece>) {
        self.now = self.now.max(at);
        self.actual[square] = what;
    }

    /// Opens and closes the square's contact `times` times. Each time takes two passes: the first pass sees the
    /// contact open, and the second pass sees it closed.
    pub fn flicker(&mut self, at: Instant, square: Square, times: u8) {
        self.now = self.now.max(at);
        self.flickers.push(Flicker { square, left: u16::from(times) * 2, not_before: at });
    }

    /// Scans all squares at once, as a board does when it is switched on.
    pub fn wake(&mut self, at: Instant) {
        self.now = self.now.max(at);
        self.flickers.clear();
        self.seen = self.actual;
    }

    /// The next scan that may find a change: its time and its square. `None` if no square has changed since its last
    /// scan and no contact flickers.
    pub fn next(&self) -> Option<(Instant, Square)> {
        let changed = self
            .seen
            .differences(&self.actual)
            .filter(|square| self.flickers.iter().all(|flicker| flicker.square != *square))
            .map(|square| (square, self.now.max(self.blind_until)));
        let flickering = self
            .flickers
            .iter()
            .map(|flicker| (flicker.square, self.now.max(self.blind_until).max(flicker.not_before)));
        let looks = changed.chain(flickering);
        let (at, _, square) =
            looks.map(|(square, from)| (self.turn(square, from), place(square), square)).min()?;
        Some((at, square))
    }

    /// Does the scan that [`Coils::next`] returned. Returns the new content of the square if it changed, otherwise
    /// `None`.
    pub fn look(&mut self, at: Instant, square: Square) -> Option<Option<Piece>> {
        self.now = self.now.max(at);
        let what = self.contact(at, square);
        let new = self.seen[square] != what;
        self.seen[square] = what;
        new.then_some(what)
    }

    /// The first moment at or after `from` at which this square is scanned.
    fn turn(&self, square: Square, from: Instant) -> Instant {
        let first = (self.phase + place(square) * self.pass / 64) % self.pass;
        let passes = from.millis().saturating_sub(first).div_ceil(self.pass);
        Instant::from_millis(first + passes * self.pass)
    }

    fn contact(&mut self, at: Instant, square: Square) -> Option<Piece> {
        let actual = self.actual[square];
        let Some(flicker) = self.flickers.iter_mut().find(|flicker| flicker.square == square) else {
            return actual;
        };
        // The contact stops flickering when the square is empty or no toggles are left.
        flicker.left = if actual.is_none() { 0 } else { flicker.left.saturating_sub(1) };
        flicker.not_before = at + Millis(1);
        let away = flicker.left % 2 == 1;
        self.flickers.retain(|flicker| flicker.left > 0);
        if away { None } else { actual }
    }
}

/// The position of a square in a pass: a8 is the first, h1 the last.
fn place(square: Square) -> u64 {
    u64::from(7 - square.rank()) * 8 + u64::from(square.file())
}
