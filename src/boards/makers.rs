//! The makers of boards, as data. Other code asks what a board can do, never who made the board.
//!
//! Each maker has a folder with its codec, its protocol and a simulator; its [`Maker`] is an entry of the [`CATALOG`].
//! `docs/adding-a-board.md` explains how to add a maker.

pub mod certabo;
pub mod chessnut;
pub mod cpp;
pub mod dgt;
pub mod dgtbus;
pub mod diy;
pub mod ichessone;
pub mod livechess;
#[cfg(test)]
mod meeting;
pub mod millennium;
mod nus;
pub mod pegasus;
pub mod squareoff;
mod stream;

use crate::maker::Maker;

/// Every supported maker. The first one is [`USUAL`].
pub const CATALOG: &[Maker] = &[
    dgt::MAKER,
    dgtbus::MAKER,
    chessnut::MAKER,
    millennium::MAKER,
    ichessone::MAKER,
    squareoff::MAKER,
    certabo::MAKER,
    pegasus::MAKER,
    cpp::MAKER,
    diy::MAKER,
    livechess::MAKER,
];

/// The maker that is assumed if an address names no maker.
pub const USUAL: Maker = dgt::MAKER;

impl Maker {
    /// Finds a maker by its prefix in addresses. Upper and lower case are equal.
    pub fn from_prefix(prefix: &str) -> Option<Self> {
        CATALOG.iter().copied().find(|maker| maker.prefix().eq_ignore_ascii_case(prefix))
    }

    /// The prefixes of all makers, separated by commas, for error messages.
    pub fn prefixes() -> String {
        CATALOG.iter().map(|maker| maker.prefix()).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::laws;

    proptest! {
        #[test]
        fn any_bytes_keep_every_makers_laws(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            laws::decoders_law(&bytes);
            laws::commands_law(&bytes);
            laws::drivers_law(&bytes);
            laws::livechess_law(&bytes);
        }

        /// Whole frames of text, so that the driver hears something.
        #[test]
        fn any_messages_keep_the_law_of_livechess(
            texts in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..125), 0..8),
        ) {
            let frame = |text: &Vec<u8>| [&[0x81, u8::try_from(text.len()).unwrap_or(0)], text.as_slice()].concat();
            laws::livechess_law(&texts.iter().flat_map(frame).collect::<Vec<u8>>());
        }
    }

    #[test]
    fn each_maker_is_found_by_its_own_word() {
        for &maker in CATALOG {
            assert_eq!(Maker::from_prefix(maker.prefix()), Some(maker));
        }
        assert_eq!(Maker::from_prefix("DGT"), Some(dgt::MAKER));
        assert_eq!(Maker::from_prefix("chess"), None);
    }
}
