//! Named time controls, and how fast the game of a control is. `spoken.rs` reads what people write.

use super::control::TimeControl;

/// The speed of a game, as FIDE's Laws divide games by their length (Laws of Chess 2023, A.1, B.1). "Bullet" is not
/// in the Laws, but it is in general use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameSpeed {
    /// At least 60 minutes for 60 moves.
    Standard,
    /// More than 10 and less than 60 minutes for 60 moves.
    Rapid,
    /// At least 3 and at most 10 minutes for 60 moves.
    Blitz,
    /// Less than 3 minutes for 60 moves.
    Bullet,
}

impl GameSpeed {
    /// All speeds, the slowest first.
    pub const ALL: [Self; 4] = [Self::Standard, Self::Rapid, Self::Blitz, Self::Bullet];

    /// The English name of the speed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Rapid => "rapid",
            Self::Blitz => "blitz",
            Self::Bullet => "bullet",
        }
    }

    /// The speed of a control; `None` for a control without a time limit.
    pub fn of(control: &TimeControl) -> Option<Self> {
        const MINUTE: u64 = 60_000;
        Some(match control.for_sixty_moves()?.0 {
            whole if whole >= 60 * MINUTE => Self::Standard,
            whole if whole > 10 * MINUTE => Self::Rapid,
            whole if whole >= 3 * MINUTE => Self::Blitz,
            _ => Self::Bullet,
        })
    }
}

/// A time control with a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedControl {
    /// The name that people use.
    pub name: &'static str,
    /// The control in the record's notation.
    pub text: &'static str,
}

/// The common time controls, slowest first. The first control of each speed has the name of the speed, such as
/// `blitz`.
pub static NAMED: [NamedControl; 21] = [
    NamedControl { name: "standard", text: "40/5400+30:1800+30" },
    NamedControl { name: "40/90+30, 30+30", text: "40/5400+30:1800+30" },
    NamedControl { name: "40/100+30, 20/50+30, 15+30", text: "40/6000+30:20/3000+30:900+30" },
    NamedControl { name: "40/120, 20/60, 15+30", text: "40/7200:20/3600:900+30" },
    NamedControl { name: "90+30", text: "5400+30" },
    NamedControl { name: "60+30", text: "3600+30" },
    NamedControl { name: "45+15", text: "2700+15" },
    NamedControl { name: "rapid", text: "900+10" },
    NamedControl { name: "25+10", text: "1500+10" },
    NamedControl { name: "15+10", text: "900+10" },
    NamedControl { name: "10+5", text: "600+5" },
    NamedControl { name: "blitz", text: "180+2" },
    NamedControl { name: "10+0", text: "600" },
    NamedControl { name: "5+3", text: "300+3" },
    NamedControl { name: "5+0", text: "300" },
    NamedControl { name: "3+2", text: "180+2" },
    NamedControl { name: "3+0", text: "180" },
    NamedControl { name: "2+1", text: "120+1" },
    NamedControl { name: "bullet", text: "60" },
    NamedControl { name: "1+1", text: "60+1" },
    NamedControl { name: "1+0", text: "60" },
];

#[cfg(test)]
mod tests {
    use tabiya_types::Millis;

    use super::*;
    use crate::clock::parse_spoken;

    #[test]
    fn the_pace_of_a_control_is_that_of_its_first_sixty_moves() {
        let cases = [
            ("40/5400+30:1800+30", 5400 + 40 * 30 + 1800 + 20 * 30),
            ("900+10", 900 + 600),
            ("40/7200", 14_400),
            ("5400:900", 6300),
            ("600:5x30", 600 + 900),
            ("=30", 1800),
            ("300d5", 600),
        ];
        for (text, seconds) in cases {
            let control: TimeControl = text.parse().expect("a control");
            assert_eq!(control.for_sixty_moves(), Some(Millis::from_secs(seconds)), "{text}");
        }
        assert_eq!("1500:^".parse::<TimeControl>().expect("a control").for_sixty_moves(), None);
        assert_eq!(TimeControl::Untimed.for_sixty_moves(), None);
    }

    #[test]
    fn every_named_control_is_one_and_has_its_pace() {
        for named in NAMED {
            let control: TimeControl = named.text.parse().expect(named.name);
            assert_eq!(parse_spoken(named.name), Ok(control.clone()), "{}", named.name);
            if let Some(pace) = GameSpeed::ALL.into_iter().find(|pace| pace.word() == named.name) {
                assert_eq!(GameSpeed::of(&control), Some(pace));
            }
        }
        let order = |named: &NamedControl| {
            let pace = GameSpeed::of(&named.text.parse().expect("a control")).expect("an end");
            GameSpeed::ALL.into_iter().position(|other| other == pace)
        };
        assert!(NAMED.windows(2).all(|pair| order(&pair[0]) <= order(&pair[1])));
    }
}
