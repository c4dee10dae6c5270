//! A view of the board for the parts of a session: the position that the table expects, and the position that the
//! board shows.

use tabiya_engine::rules::Turn;
use tabiya_engine::sense::Watch;
use tabiya_engine::table::{Correction, LegalInput, PressMode, Table};
use tabiya_types::{Board, Color, Sentence};

use crate::view::SeenAction;

/// A read-only view of the board and the table.
#[derive(Clone, Copy)]
pub(super) struct BoardSight<'a> {
    pub(super) watch: &'a Watch,
    /// Whether the connection to the board is lost. In that case the board's last position is not used to guide
    /// people.
    pub(super) gone: bool,
}

impl BoardSight<'_> {
    pub(super) fn table(&self) -> &Table {
        self.watch.table()
    }

    /// Whether a board is connected and has shown a position.
    pub(super) fn is_there(&self) -> bool {
        self.watch.seen().is_some() && !self.gone
    }

    /// What people have to correct on the board. `None` if the position is the expected one, shows a legal next
    /// action, or is unknown. Also `None` while a clock press waits for an explanation, and after the match.
    pub(super) fn guidance(&self) -> Option<Sentence> {
        self.correction().map(|correction| correction.text)
    }

    /// The same, with the articles of the Laws that rule on it.
    pub(super) fn correction(&self) -> Option<Correction> {
        if !self.table().game().has_board() {
            return None;
        }
        let trouble = self.watch.trouble().filter(|_| !self.gone)?;
        let guides = self.seen_action().is_none() && !self.watch.press_waits() && !self.table().match_over();
        guides.then(|| trouble.correction(self.table()))
    }

    /// The next action that the board shows already, although it is not entered yet, and the squares that it changes.
    pub(super) fn seen_action(&self) -> Option<SeenAction> {
        let trouble = self.watch.trouble().filter(|_| !self.gone && self.table().mover().is_some())?;
        let seen = self.watch.seen()?;
        let next = self.table().probe().candidates().into_iter().find(|next| next.after == seen)?;
        let squares = trouble.squares.iter().map(|(square, ..)| *square).collect();
        Some(SeenAction { text: next.action.describe(), squares })
    }

    /// The board, if no action explains how it differs from the expected position. Unlike [`Self::guidance`] also while a
    /// press waits for the board.
    pub(super) fn unexplained(&self) -> Option<Board> {
        let asks = self.table().game().has_board() && !self.gone && !self.table().match_over();
        let differs = asks && self.watch.trouble().is_some() && self.seen_action().is_none();
        self.watch.seen().filter(|_| differs)
    }

    /// Whether a piece stands on a square where it should not be, in games without clock presses. A missing piece does
    /// not count, because it may be in somebody's hand.
    pub(super) fn has_misplaced_piece(&self) -> bool {
        let surplus = || {
            let trouble = self.watch.trouble();
            trouble.is_some_and(|trouble| trouble.squares.iter().any(|(_, seen, _)| seen.is_some()))
        };
        self.table().terms().press == PressMode::Auto && surplus() && self.guidance().is_some()
    }

    /// The side whose clock press would end the current turn. `None` if no connected board can show what was played, and
    /// while no clock runs, unless the board shows that the first move was made before anybody started the clock.
    pub(super) fn board_press(&self) -> Option<Color> {
        let clock = self.table().clock();
        let Turn::Timed { by, .. } = self.table().turn() else { return None };
        let timed = match clock.turn() {
            Some(running) => running == by,
            None => self.seen_action().is_some(),
        };
        (self.is_there() && timed && !clock.paused()).then_some(by)
    }

    /// Returns the side whose clock press would have an effect; `None` if no side has such a press. If `by` names a
    /// side, only that side is considered.
    pub(super) fn presser(&self, by: Option<Color>) -> Option<Color> {
        let legal = self.table().legal();
        let may =
            legal.iter().filter(|legal| matches!(legal, LegalInput::Press(_))).filter_map(LegalInput::by);
        // A first move on the board comes before the press that would only start its player's clock.
        self.board_press().into_iter().chain(may).find(|may| by.is_none_or(|by| by == *may))
    }
}
