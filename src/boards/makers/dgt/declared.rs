//! The result of a game, as declared with signal pieces. The drivers for single boards and for the tournament bus
//! both use it.

use tabiya_types::Color;

use super::codec::Signal;
use crate::event::Declaration;

/// The declaration that is on the board now.
#[derive(Default)]
pub(crate) struct DeclarationFilter(Option<Declaration>);

impl DeclarationFilter {
    /// Returns the declaration of the signal piece that is on the board, but only when it changes: a board may repeat
    /// the same signal.
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
