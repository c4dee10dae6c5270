//! How a game ended, as signal pieces tell it: on a line of its own and on the bus.

use tabiya_types::Color;

use super::codec::Signal;
use crate::event::Declaration;

/// What was declared last.
#[derive(Default)]
pub(crate) struct Declared(Option<Declaration>);

impl Declared {
    /// The declaration of the signal that now stands on the board, once, however often the board repeats it.
    pub(crate) fn tell(&mut self, signal: Option<Signal>) -> Option<Declaration> {
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
