//! Levels of the blinds, together for all tables of a round: each lasts a number of seconds, the last one for good.
//!
//! Source: `docs/rounds.md`, "Choker".

/// A level, or a break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Blinds.
    Blinds {
        /// How long, in seconds.
        seconds: u64,
        /// The small blind in chips.
        small: u32,
        /// The big blind in chips.
        big: u32,
    },
    /// A break: no game begins.
    Break {
        /// How long, in seconds.
        seconds: u64,
    },
}

impl Level {
    fn seconds(self) -> u64 {
        match self {
            Self::Blinds { seconds, .. } | Self::Break { seconds } => seconds,
        }
    }
}

/// Reads levels as they are written: `600/1/2,600/2/4,break/300`, seconds, small and big blind of each; `None` if they are none.
pub fn read(text: &str) -> Option<Vec<Level>> {
    let one = |part: &str| {
        let fields: Vec<&str> = part.trim().split('/').collect();
        match fields.as_slice() {
            ["break", seconds] => Some(Level::Break { seconds: seconds.parse().ok()? }),
            [seconds, small, big] => {
                let (small, big): (u32, u32) = (small.parse().ok()?, big.parse().ok()?);
                let level = Level::Blinds { seconds: seconds.parse().ok()?, small, big };
                (small > 0 && big >= small).then_some(level)
            }
            _ => None,
        }
    };
    let levels: Option<Vec<Level>> = text.split(',').map(one).collect();
    levels.filter(|levels| matches!(levels.first(), Some(Level::Blinds { .. })))
}

/// Levels as they are written.
pub fn text(levels: &[Level]) -> String {
    let one = |level: &Level| match level {
        Level::Blinds { seconds, small, big } => format!("{seconds}/{small}/{big}"),
        Level::Break { seconds } => format!("break/{seconds}"),
    };
    levels.iter().map(one).collect::<Vec<_>>().join(",")
}

/// Which level is in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InForce {
    /// Its number, from 1 on; breaks have none, so that this is the level before the break.
    pub level: usize,
    /// The small blind in chips.
    pub small: u32,
    /// The big blind in chips.
    pub big: u32,
    /// How many seconds are left; `None` in the last level.
    pub left: Option<u64>,
    /// Whether there is a break.
    pub is_break: bool,
}

/// The level in force after so many seconds of the levels' clock; `None` without levels. What stands last, lasts.
pub fn in_force(levels: &[Level], at: u64) -> Option<InForce> {
    let mut number = 0;
    let mut blinds = (0, 0);
    let mut end: u64 = 0;
    for (nth, level) in levels.iter().enumerate() {
        if let Level::Blinds { small, big, .. } = level {
            number += 1;
            blinds = (*small, *big);
        }
        end = end.saturating_add(level.seconds());
        let last = nth + 1 == levels.len();
        if at < end || last {
            let left = (!last).then(|| end - at);
            let is_break = matches!(level, Level::Break { .. });
            return Some(InForce { level: number, small: blinds.0, big: blinds.1, left, is_break });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_ends_with_its_last_second_and_the_last_one_never() {
        let level = |seconds, small| Level::Blinds { seconds, small, big: 2 * small };
        let levels = [level(600, 1), level(600, 2), Level::Break { seconds: 300 }, level(600, 4)];
        let at = |second| in_force(&levels, second).expect("a level");
        assert_eq!(at(0), InForce { level: 1, small: 1, big: 2, left: Some(600), is_break: false });
        assert_eq!(at(599).left, Some(1));
        assert_eq!((at(600).level, at(600).left), (2, Some(600)));
        assert_eq!(at(1300), InForce { level: 2, small: 2, big: 4, left: Some(200), is_break: true });
        assert_eq!(at(9999), InForce { level: 3, small: 4, big: 8, left: None, is_break: false });
        assert_eq!(in_force(&[], 0), None);
        assert_eq!(read(&text(&levels)).as_deref(), Some(levels.as_slice()));
        for wrong in ["", "600", "break/60", "600/2/1", "600/0/0", "x/1/2"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
