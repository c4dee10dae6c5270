//! The result of a game, as declared with signal pieces. The drivers for single boards and for the tournament bus
//! both use it.

use tabiya_types::Color;

use super::codec::Signal;
use crate::event::Declaration;

/// The result that a signal piece on the board declares now; `None` without a signal piece.
#[derive(Default)]
pub(crate) struct DeclarationFilter(Option<Declaration>);

impl DeclarationFilter {
    /// Returns the result that the signal piece on the board declares, but only when it changes, because a board may
    /// report the same signal repeatedly.
    pub(crate) fn update(&mut self, signal: Option<Signal>) -> Option<Declaration> {
        let declared = signal.map(|signal| match signal {
            Signal::Draw => Declaration::Draw,
            Signal::WhiteWins => Declaration::Wins(Color::White),
            Signal::BlackWins => Declaration::Wins(Color::Black),
        });
        let news = declared != self.0;
        self.0 = declared;
        declared.filter(|_| news)
    }
}
