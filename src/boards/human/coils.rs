//! The coils under a board, looked at one after another.
//!
//! A real board samples square by square, a8 to h1; one pass takes 200-250 ms (the maker's
//! figure). Each square tells its change when its turn comes. So a put is sometimes told before
//! its lift, a quick capture never shows its square empty, and a press overtakes the last change,
//! all without a rule for any of them here.
//!
//! Knows no driver and no bytes: [`super::Sensor`] and the simulated boards stand on it.

use tabiya_types::{Board, Instant, Millis, Piece, Square};

use super::dice::{Dice, Span};

/// One pass over all squares, in ms (maker's figure).
const PASS: Span = Span::new(200, 250);

/// What stands on the board, and what the board knows of it.
#[derive(Clone, Debug)]
pub struct Coils {
    pass: u64,
    phase: u64,
    actual: Board,
    seen: Board,
    now: Instant,
    flickers: Vec<Flicker>,
}

#[derive(Clone, Copy, Debug)]
struct Flicker {
    square: Square,
    /// Toggles still to come; the contact is away while this is odd.
    left: u16,
    not_before: Instant,
}

impl Coils {
    /// Coils that have seen `board`; `dice` decides the pass's length and phase.
    pub fn new(board: Board, dice: &mut Dice) -> Self {
        let pass = dice.span(PASS).0;
        let phase = dice.below(pass);
        Self { pass, phase, actual: board, seen: board, now: Instant::ZERO, flickers: Vec::new() }
    }

    /// What the board knows from its last passes: what a dump tells.
    pub fn seen(&self) -> &Board {
        &self.seen
    }

    /// What really stands there.
    pub fn actual(&self) -> &Board {
        &self.actual
    }

    /// From `at` on this stands on the square. Looks due before `at` were taken before this call.
    pub fn set(&mut self, at: Instant, square: Square, what: Option<Piece>) {
        self.now = self.now.max(at);
        self.actual[square] = what;
    }

    /// The square's contact comes and goes `times` times, once in two passes.
    pub fn flicker(&mut self, at: Instant, square: Square, times: u8) {
        self.now = self.now.max(at);
        self.flickers.push(Flicker { square, left: u16::from(times) * 2, not_before: at });
    }

    /// Sees everything at once, as a board does that is switched on.
    pub fn wake(&mut self, at: Instant) {
        self.now = self.now.max(at);
        self.flickers.clear();
        self.seen = self.actual;
    }

    /// The next look that may find a change, and where.
    pub fn next(&self) -> Option<(Instant, Square)> {
        let changed = self
            .seen
            .differences(&self.actual)
            .filter(|square| self.flickers.iter().all(|flicker| flicker.square != *square))
            .map(|square| (square, self.now));
        let flickering =
            self.flickers.iter().map(|flicker| (flicker.square, self.now.max(flicker.not_before)));
        let looks = changed.chain(flickering);
        let (at, _, square) =
            looks.map(|(square, from)| (self.turn(square, from), place(square), square)).min()?;
        Some((at, square))
    }

    /// Takes the look that [`Coils::next`] named: what stands there now, if that is new.
    pub fn look(&mut self, at: Instant, square: Square) -> Option<Option<Piece>> {
        self.now = self.now.max(at);
        let what = self.contact(at, square);
        let new = self.seen[square] != what;
        self.seen[square] = what;
        new.then_some(what)
    }

    /// The first moment from `from` on at which this square has its turn.
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
        // Nothing to come and go, or all told: the coil is good again.
        flicker.left = if actual.is_none() { 0 } else { flicker.left.saturating_sub(1) };
        flicker.not_before = at + Millis(1);
        let away = flicker.left % 2 == 1;
        self.flickers.retain(|flicker| flicker.left > 0);
        if away { None } else { actual }
    }
}

/// The place of a square in a pass: a8 is the first, h1 the last.
fn place(square: Square) -> u64 {
    u64::from(7 - square.rank()) * 8 + u64::from(square.file())
}
