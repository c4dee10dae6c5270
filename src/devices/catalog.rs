//! The makers of boards, as data: one line each. Nobody asks *which* board it is, only what it
//! can do.

/// Whose protocol a board speaks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Maker {
    /// Digital Game Technology.
    Dgt,
}

/// What a board's squares tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// Which piece stands there.
    Pieces,
    /// Only that something stands there.
    Occupancy,
}

/// What a maker's boards can do at most. A board tells itself what it lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The maker.
    pub maker: Maker,
    /// The word before the colon of an address: `dgt:/dev/ttyACM0`.
    pub prefix: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What its squares tell.
    pub sees: Sees,
    /// Whether squares can be lit.
    pub leds: bool,
    /// Whether a clock can stand behind it.
    pub clock: bool,
    /// USB vendor and product seen on its boards. Some are shared with other gadgets, so a match
    /// is a reason to ask first, never a proof.
    pub usb: &'static [(u16, u16)],
    /// USB vendors of which any product may be a board.
    pub vendors: &'static [u16],
}

/// Every maker that this program can speak to.
pub const CATALOG: [Entry; 1] = [Entry {
    maker: Maker::Dgt,
    prefix: "dgt",
    name: "DGT",
    sees: Sees::Pieces,
    leds: false,
    clock: true,
    usb: &[(0x045B, 0x8111), (0x04D8, 0x000A)],
    // DGT's own, and FTDI, whose chips sit in older USB boards.
    vendors: &[0x2D80, 0x0403],
}];

impl Maker {
    /// The maker of an address's prefix, in any case.
    pub fn from_prefix(prefix: &str) -> Option<Self> {
        CATALOG.iter().find(|entry| entry.prefix.eq_ignore_ascii_case(prefix)).map(|entry| entry.maker)
    }

    /// What is known of the maker's boards.
    pub fn entry(self) -> &'static Entry {
        let [dgt] = &CATALOG;
        match self {
            Self::Dgt => dgt,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_maker_finds_its_own_line() {
        for entry in &CATALOG {
            assert_eq!(entry.maker.entry(), entry);
            assert_eq!(Maker::from_prefix(entry.prefix), Some(entry.maker));
        }
        assert_eq!(Maker::from_prefix("DGT"), Some(Maker::Dgt));
        assert_eq!(Maker::from_prefix("chess"), None);
    }
}
