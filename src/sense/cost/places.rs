//! Pieces that stood where no position of the way has them.

use tabiya_types::{Board, Instant, Millis, Piece, Role, Square};

use super::newcomers::{Newcomer, Newcomers};
use super::{HARDLY, Marks, PASS, ShownPath, UNLIKELY};
use crate::sense::sight::Picture;

/// A picture that stood so long is no glimpse of a hand's way.
const REST: Millis = Millis(350);
/// A piece seen so long on a square did not just brush it: it may be 260 ms, told a pass late, and some more.
const STOOD: Millis = Millis(550);
/// A piece that stood so long on a square was not merely thought better of there.
const RETHOUGHT: Millis = Millis(2_500);
/// A piece that stood so long on a square was put there for good.
const LEFT_THERE: Millis = Millis(5_000);
/// What it costs that a piece stood somewhere else when its own action was pressed for.
const AT_ITS_PRESS: usize = 3;

/// A turn: in it a player may try his piece on many squares.
struct TurnOf {
    moved: Piece,
    /// Where it puts its piece.
    put: Square,
    pressed: Option<Instant>,
    /// Whether it is the only one, so that he may have put up other pieces of his too.
    alone: bool,
    began: Option<Instant>,
    ended: Option<Instant>,
    /// Whether its press was forgotten: nobody knows when it was over.
    forgotten: bool,
}

impl TurnOf {
    fn may_try(&self, piece: Piece) -> bool {
        piece == self.moved || (self.alone && piece.color == self.moved.color)
    }

    /// Whether its press came while this picture was shown; of a turn without one, whether it is the newest.
    fn ends_on(&self, picture: &Picture) -> bool {
        match self.pressed {
            Some(at) => picture.shown_at(at),
            None => !self.forgotten && picture.until.is_none(),
        }
    }

    /// Whether what it put is only what stayed behind of a piece that went on.
    fn put_what_stayed(&self, newcomers: &[Newcomer]) -> bool {
        newcomers
            .iter()
            .any(|newcomer| newcomer.at == self.put && newcomer.piece == self.moved && newcomer.behind)
    }

    fn has(&self, since: Instant, until: Instant) -> bool {
        self.began.is_none_or(|began| since >= began)
            && self.ended.is_none_or(|ended| until <= ended)
            && !(self.forgotten && until.since(since) >= RETHOUGHT)
    }
}

impl ShownPath<'_> {
    /// What it costs that pieces stood for a while on squares where no position has them; where something
    /// settled is doubted, after its press only.
    pub(super) fn elsewhere(&self) -> usize {
        let Some(pressed) = self.way.iter().find_map(|stood| stood.pressed) else { return 0 };
        let doubted = self.settled.is_some();
        let mistake = self.mistake();
        let known = |at: Square, piece: Piece| {
            let boards = self.way.iter().map(|stood| &stood.board).chain([self.root]).chain(mistake);
            // A pawn stands on the last rank before it is exchanged.
            let promotes = |there: Piece| piece.role == Role::Pawn && there.color == piece.color;
            boards.into_iter().any(|board| board[at].is_some_and(|there| there == piece || promotes(there)))
        };
        let turns = self.turns();
        let tried = |newcomer: &Newcomer, until: Instant| {
            turns.iter().any(|turn| turn.may_try(newcomer.piece) && turn.has(newcomer.since, until))
        };
        let cost = |newcomer: &Newcomer, until: Instant| match until.since(newcomer.since) {
            _ if known(newcomer.at, newcomer.piece) || newcomer.has_gone_on() || tried(newcomer, until) => 0,
            long if long >= LEFT_THERE => HARDLY,
            long if long >= RETHOUGHT => 2 * UNLIKELY,
            long if long >= STOOD => UNLIKELY,
            _ => 0,
        };
        let mut newcomers = Newcomers::between(self.root, self.board(self.way.len()).unwrap_or(self.root));
        let (mut most, mut stale) = (0, 0);
        for picture in self.pictures.iter().filter(|picture| !doubted || picture.from >= pressed) {
            newcomers.see(picture);
            let list = &newcomers.list;
            stale += turns.iter().filter(|turn| turn.ends_on(picture) && turn.put_what_stayed(list)).count();
            if let Some(until) = picture.until {
                most = most.max(list.iter().map(|newcomer| cost(newcomer, until)).sum());
            }
        }
        most + HARDLY * stale
    }

    /// Whether one action is all there is to it, and nothing settled is doubted.
    fn is_alone(&self) -> bool {
        self.settled.is_none() && self.way.len() == 1
    }

    /// The turns of the way, as far as they are known.
    fn turns(&self) -> Vec<TurnOf> {
        let alone = self.is_alone();
        let turn = |nth: usize| {
            let began = nth.checked_sub(1).and_then(|nth| self.way.get(nth)?.pressed);
            let pressed = self.way.get(nth)?.pressed;
            // Who pressed for what fits nothing puts it right, however late, and nobody answers meanwhile.
            let ended = pressed.filter(|_| !alone).map(|pressed| pressed + PASS);
            let forgotten = pressed.is_none() && nth + 1 < self.way.len();
            let (put, moved) = Marks::of(self.board(nth)?, self.board(nth + 1)?).0.first().copied()?;
            Some(TurnOf { moved, put, pressed, alone, began, ended, forgotten })
        };
        (0..self.way.len()).filter_map(turn).collect()
    }

    /// What it costs that a piece stood elsewhere at the press of an action, and long enough after it that
    /// the board must have looked there. A press that fitted nothing is put right.
    pub(super) fn pressed_elsewhere(&self) -> usize {
        let stood_elsewhere = |nth: &usize| {
            let pressed = self.way.get(*nth)?.pressed?;
            let then = self.pictures.iter().position(|picture| {
                picture.from <= pressed && picture.until.is_none_or(|until| until > pressed + PASS)
            })?;
            let (before, after) = (self.board(*nth)?, self.board(nth + 1)?);
            let known = [before, after, self.board(nth + 2).unwrap_or(after), self.settled.unwrap_or(after)];
            let mut newcomers = Newcomers::between(before, after);
            self.pictures.get(..=then)?.iter().for_each(|picture| newcomers.see(picture));
            let strange = |newcomer: &Newcomer| {
                !newcomer.has_gone_on()
                    && !known.iter().any(|board| board[newcomer.at] == Some(newcomer.piece))
            };
            Some(newcomers.list.iter().any(strange))
        };
        if self.is_alone() {
            return 0;
        }
        AT_ITS_PRESS * (0..self.way.len()).filter(|nth| stood_elsewhere(nth) == Some(true)).count()
    }

    /// What was pressed for by mistake stood there too, until it was put right. If it still stood there at
    /// the next press it was no mistake.
    fn mistake(&self) -> Option<&Board> {
        let next = self.way.iter().filter_map(|stood| stood.pressed).nth(1);
        let shown_then = |picture: &&Picture| next.is_some_and(|next| picture.shown_at(next));
        let (settled, other) = (self.settled?, self.board(1)?);
        let stays = |picture: &Picture| other.differences(settled).all(|at| picture.board[at] == settled[at]);
        (!self.pictures.iter().filter(shown_then).any(stays)).then_some(settled)
    }

    /// How far the pictures that stood for a while are from every position.
    pub(crate) fn unexplained(&self) -> usize {
        let nearest = |picture: &Picture| {
            let after = self.way.iter().map(|stood| stood.board.distance(&picture.board));
            after.chain([self.root.distance(&picture.board)]).min().unwrap_or(0)
        };
        self.pictures.iter().filter(|picture| picture.stood(REST)).map(nearest).sum()
    }
}
