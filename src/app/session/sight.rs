//! The board as the parts of a session look at it: what the table expects, and what is seen.

use tabiya_engine::rules::Turn;
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Legal, PressMode, Table};
use tabiya_types::{Color, Sentence};

/// A look at the board.
#[derive(Clone, Copy)]
pub(super) struct BoardSight<'a> {
    pub(super) watch: &'a Watch,
    /// Whether the board is gone: what it showed last is no guide then.
    pub(super) gone: bool,
}

impl BoardSight<'_> {
    pub(super) fn table(&self) -> &Table {
        self.watch.table()
    }

    /// What has to be put right on the board; nothing if it stands as expected, is not seen, or shows
    /// what could be played next.
    pub(super) fn guidance(&self) -> Option<Sentence> {
        if !self.table().game().has_board() {
            return None;
        }
        let trouble = self.watch.trouble().filter(|_| !self.gone)?;
        let seen = self.watch.seen()?;
        let playing = self.table().mover().is_some();
        let could = playing && self.table().probe().candidates().iter().any(|next| next.after == seen);
        (!could && !self.watch.press_waits() && !self.table().match_over()).then(|| trouble.sentence())
    }

    /// Whether, where no press tells that somebody believes he has moved, something stands on the board that should
    /// not stand there. A piece that is missing may be in a hand.
    pub(super) fn stands_wrong(&self) -> bool {
        let surplus = || {
            let trouble = self.watch.trouble();
            trouble.is_some_and(|trouble| trouble.squares.iter().any(|(_, seen, _)| seen.is_some()))
        };
        self.table().terms().press == PressMode::Auto && surplus() && self.guidance().is_some()
    }

    /// Whose press ends the running turn, where a board is there to tell what was done in it.
    pub(super) fn board_press(&self) -> Option<Color> {
        let clock = self.table().clock();
        let watched = self.watch.seen().is_some() && !self.gone;
        match self.table().turn() {
            Turn::Timed { by, .. } if watched && clock.turn() == Some(by) && !clock.paused() => Some(by),
            Turn::Timed { .. } | Turn::Untimed => None,
        }
    }

    /// Whose press would do anything: that side's, or without one whoever's may.
    pub(super) fn presser(&self, by: Option<Color>) -> Option<Color> {
        let legal = self.table().legal();
        let may = legal.iter().filter(|legal| matches!(legal, Legal::Press(_))).filter_map(Legal::by);
        may.chain(self.board_press()).find(|may| by.is_none_or(|by| by == *may))
    }
}
