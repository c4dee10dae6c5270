//! The cost of misplaced pieces: the board showed them on squares where no position of the explanation has
//! them.

use tabiya_types::{Board, Instant, Millis, Piece, Role, Square};

use super::newcomers::{Newcomer, Newcomers};
use super::{IMPLAUSIBLE, Marks, SCAN_TIME, ShownPath, UNLIKELY};
use crate::sense::sight::Picture;

/// A picture that was shown for at least this long shows a position at rest, not a piece in passing.
const REST: Millis = Millis(350);
/// A piece shown on a square for at least this long was put down there. A piece that is only moved over a
/// square is shown there for up to 260 ms, plus the time of one scan.
const PUT_DOWN: Millis = Millis(550);
/// A player who changes his mind leaves the piece on the wrong square for less time than this.
const RETHOUGHT: Millis = Millis(2_500);
/// A player who leaves a piece on a square for at least this long wants it to stay there.
const LEFT_THERE: Millis = Millis(5_000);
/// The cost, in squares, of a piece that was still on a wrong square when its player pressed.
const AT_ITS_PRESS: usize = 3;

/// One turn of an explanation. During the turn the player may put a piece on several squares before he decides.
struct TurnOf {
    moved: Piece,
    /// The square to which the action puts its piece.
    put: Square,
    pressed: Option<Instant>,
    /// Whether this is the only turn of the explanation. If so, the player may also have moved other pieces of
    /// his side.
    alone: bool,
    began: Option<Instant>,
    ended: Option<Instant>,
    /// Whether the press of the turn was forgotten, so that the end of the turn is unknown.
    forgotten: bool,
}

impl TurnOf {
    /// Whether the player may have put this piece on wrong squares during the turn.
    fn may_try(&self, piece: Piece) -> bool {
        piece == self.moved || (self.alone && piece.color == self.moved.color)
    }

    /// Whether the board showed this picture at the moment of the press that ended the turn. For a turn that has no
    /// press yet: whether this picture is the newest one.
    fn ends_on(&self, picture: &Picture) -> bool {
        match self.pressed {
            Some(at) => picture.shown_at(at),
            None => !self.forgotten && picture.until.is_none(),
        }
    }

    /// Whether the piece that the action put on its square has really left that square again. The board still shows the
    /// piece there, because it failed to report the lift.
    fn put_what_stayed(&self, newcomers: &[Newcomer]) -> bool {
        newcomers
            .iter()
            .any(|newcomer| newcomer.at == self.put && newcomer.piece == self.moved && newcomer.lift_lost)
    }

    /// Whether the time from `since` to `until` lies within this turn.
    fn has(&self, since: Instant, until: Instant) -> bool {
        self.began.is_none_or(|began| since >= began)
            && self.ended.is_none_or(|ended| until <= ended)
            && !(self.forgotten && until.since(since) >= RETHOUGHT)
    }
}

impl ShownPath<'_> {
    /// The cost of pieces that stood for some time on squares where no position of the explanation has them. If
    /// the explanation replaces a settled action, only the time after the press of that action counts.
    pub(super) fn misplaced_pieces(&self) -> usize {
        let Some(pressed) = self.positions.iter().find_map(|reached| reached.pressed) else { return 0 };
        let doubted = self.settled.is_some();
        let mistake = self.mistake();
        let known = |at: Square, piece: Piece| {
            let mut boards =
                self.positions.iter().map(|reached| &reached.board).chain([self.root]).chain(mistake);
            // A pawn may be on the last rank for a moment before it is replaced by the promoted piece.
            let promotes = |there: Piece| piece.role == Role::Pawn && there.color == piece.color;
            boards.any(|board| board[at].is_some_and(|there| there == piece || promotes(there)))
        };
        let turns = self.turns();
        let tried = |newcomer: &Newcomer, until: Instant| {
            turns.iter().any(|turn| turn.may_try(newcomer.piece) && turn.has(newcomer.since, until))
        };
        let cost = |newcomer: &Newcomer, until: Instant| match until.since(newcomer.since) {
            _ if known(newcomer.at, newcomer.piece) || newcomer.has_moved_on() || tried(newcomer, until) => 0,
            long if long >= LEFT_THERE => IMPLAUSIBLE,
            long if long >= RETHOUGHT => 2 * UNLIKELY,
            long if long >= PUT_DOWN => UNLIKELY,
            _ => 0,
        };
        let mut newcomers =
            Newcomers::between(self.root, self.board(self.positions.len()).unwrap_or(self.root));
        let (mut most, mut stale) = (0, 0);
        for picture in self.pictures.iter().filter(|picture| !doubted || picture.from >= pressed) {
            newcomers.see(picture);
            let list = &newcomers.list;
            stale += turns.iter().filter(|turn| turn.ends_on(picture) && turn.put_what_stayed(list)).count();
            if let Some(until) = picture.until {
                most = most.max(list.iter().map(|newcomer| cost(newcomer, until)).sum());
            }
        }
        most + IMPLAUSIBLE * stale
    }

    /// Whether the explanation has only one action and replaces no settled action.
    fn is_alone(&self) -> bool {
        self.settled.is_none() && self.positions.len() == 1
    }

    /// The turns of the explanation in which a piece was put on a square.
    fn turns(&self) -> Vec<TurnOf> {
        let alone = self.is_alone();
        let turn = |nth: usize| {
            let began = nth.checked_sub(1).and_then(|nth| self.positions.get(nth)?.pressed);
            let pressed = self.positions.get(nth)?.pressed;
            // If the explanation has only one action and replaces no settled action, the turn stays open after its
            // press. If the board does not explain the press, the player may correct the board at any later moment.
            // The opponent does not reply before that correction.
            let ended = pressed.filter(|_| !alone).map(|pressed| pressed + SCAN_TIME);
            let forgotten = pressed.is_none() && nth + 1 < self.positions.len();
            let (put, moved) = Marks::of(self.board(nth)?, self.board(nth + 1)?).0.first().copied()?;
            Some(TurnOf { moved, put, pressed, alone, began, ended, forgotten })
        };
        (0..self.positions.len()).filter_map(turn).collect()
    }

    /// The cost of pieces on wrong squares at the time of a press. A piece counts if it was on a wrong square when its
    /// action was pressed, and stayed there for one more scan of the board. An explanation with a single action has no
    /// such cost, because its player can still correct the board.
    pub(super) fn pressed_elsewhere(&self) -> usize {
        let was_elsewhere = |nth: &usize| {
            let pressed = self.positions.get(*nth)?.pressed?;
            let then = self.pictures.iter().position(|picture| {
                picture.from <= pressed && picture.until.is_none_or(|until| until > pressed + SCAN_TIME)
            })?;
            let (before, after) = (self.board(*nth)?, self.board(nth + 1)?);
            let known = [before, after, self.board(nth + 2).unwrap_or(after), self.settled.unwrap_or(after)];
            let mut newcomers = Newcomers::between(before, after);
            self.pictures.get(..=then)?.iter().for_each(|picture| newcomers.see(picture));
            let strange = |newcomer: &Newcomer| {
                !newcomer.has_moved_on()
                    && !known.iter().any(|board| board[newcomer.at] == Some(newcomer.piece))
            };
            Some(newcomers.list.iter().any(strange))
        };
        if self.is_alone() {
            return 0;
        }
        AT_ITS_PRESS * (0..self.positions.len()).filter(|nth| was_elsewhere(nth) == Some(true)).count()
    }

    /// The board after the settled action that the explanation replaces, if the player may have made that action by
    /// mistake and then corrected it. `None` in two cases: the explanation replaces no settled action, or the board
    /// still showed the settled action at the next press, so that it was no mistake.
    fn mistake(&self) -> Option<&Board> {
        let next = self.positions.iter().filter_map(|reached| reached.pressed).nth(1);
        let shown_then = |picture: &&Picture| next.is_some_and(|next| picture.shown_at(next));
        let (settled, other) = (self.settled?, self.board(1)?);
        let stays = |picture: &Picture| other.differences(settled).all(|at| picture.board[at] == settled[at]);
        (!self.pictures.iter().filter(shown_then).any(stays)).then_some(settled)
    }

    /// For each picture that lasted for at least [`REST`], counts the squares on which the picture differs from the
    /// most similar position of the explanation. Returns the sum of these counts.
    pub(crate) fn unexplained(&self) -> usize {
        let nearest = |picture: &Picture| {
            let after = self.positions.iter().map(|reached| reached.board.distance(&picture.board));
            after.chain([self.root.distance(&picture.board)]).min().unwrap_or(0)
        };
        self.pictures.iter().filter(|picture| picture.lasted(REST)).map(nearest).sum()
    }
}
