//! Time controls: the time that each side has, stage by stage, and how a control is written.
//!
//! Source: `docs/clock.md`, "Time controls". Times are whole seconds.

use std::fmt;

use tabiya_types::Millis;

/// A time control: how much time a player has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum TimeControl {
    /// No clock, written `-`.
    #[default]
    Untimed,
    /// One to 99 stages in their order. A stage other than [`Stage::Time`] can only be the last, and an hourglass
    /// must be the only stage.
    Stages(Vec<Stage>),
}

/// One stage of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// Time for a whole stage, written `300`, `40/5400+30`, `300d5` or `300b5`.
    Time {
        /// How many moves the stage has; `None` if it lasts until its time is used up.
        moves: Option<u32>,
        /// The time for the whole stage.
        base: Millis,
        /// The bonus for each turn.
        bonus: Bonus,
    },
    /// Byo-yomi, written `5x30`: a period starts again with its full length if the move is made within it; otherwise
    /// the period is lost.
    Byoyomi {
        /// How many periods there are, at least 1.
        periods: u32,
        /// The length of each period.
        period: Millis,
    },
    /// Canadian byo-yomi, written `c15/300`: a block of time in which several moves must be made. When they are made,
    /// the player gets a full block again.
    Canadian {
        /// How many moves must be made in a block, at least 1.
        moves: u32,
        /// The length of a block.
        block: Millis,
    },
    /// A time for each move, written `=30`; unused time is lost.
    PerMove(Millis),
    /// An hourglass, written `*60`: the time that one side uses is given to the other.
    Hourglass(Millis),
    /// Counting up, written `^`: the used time is counted without a limit.
    CountUp,
}

/// The bonus that each turn has in addition to a stage's time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bonus {
    /// No bonus.
    None,
    /// Fischer's increment, written `+3`: the time is added for each move.
    Increment(Millis),
    /// US delay, written `d5`: at the beginning of each turn, the player's time does not run for this long.
    Delay(Millis),
    /// Bronstein's method, written `b5`: at the end of each turn, the player gets back the time used in the turn, but
    /// at most this time.
    Bronstein(Millis),
}

impl Bonus {
    /// The increment that a press adds; zero if this bonus is not Fischer's increment.
    pub fn increment(self) -> Millis {
        match self {
            Self::Increment(increment) => increment,
            Self::None | Self::Delay(_) | Self::Bronstein(_) => Millis::ZERO,
        }
    }

    /// The delay at the beginning of each turn; zero if this bonus is not a US delay.
    pub fn delay(self) -> Millis {
        match self {
            Self::Delay(delay) => delay,
            Self::None | Self::Increment(_) | Self::Bronstein(_) => Millis::ZERO,
        }
    }

    /// How long the bonus is; zero without one.
    pub fn span(self) -> Millis {
        match self {
            Self::None => Millis::ZERO,
            Self::Increment(span) | Self::Delay(span) | Self::Bronstein(span) => span,
        }
    }

    /// The same bonus with another length.
    #[must_use]
    pub fn with_span(self, span: Millis) -> Self {
        match self {
            Self::None => Self::None,
            Self::Increment(_) => Self::Increment(span),
            Self::Delay(_) => Self::Delay(span),
            Self::Bronstein(_) => Self::Bronstein(span),
        }
    }

    /// The sign that stands before its length in a written control; `None` without a bonus.
    pub fn sign(self) -> Option<char> {
        match self {
            Self::None => None,
            Self::Increment(_) => Some('+'),
            Self::Delay(_) => Some('d'),
            Self::Bronstein(_) => Some('b'),
        }
    }
}

impl Stage {
    /// The bonus of each turn in this stage.
    pub(super) fn bonus(&self) -> Bonus {
        match self {
            Self::Time { bonus, .. } => *bonus,
            Self::Byoyomi { .. }
            | Self::Canadian { .. }
            | Self::PerMove(_)
            | Self::Hourglass(_)
            | Self::CountUp => Bonus::None,
        }
    }
}

impl TimeControl {
    /// Whether a press ever adds an increment under this control.
    pub fn has_increment(&self) -> bool {
        self.stages().iter().any(|stage| stage.bonus().increment() > Millis::ZERO)
    }

    /// The stages in their order; empty for a control without a clock.
    pub fn stages(&self) -> &[Stage] {
        match self {
            Self::Untimed => &[],
            Self::Stages(stages) => stages,
        }
    }

    /// Whether this control is an hourglass. A clock with an hourglass must have one for each side.
    pub fn is_hourglass(&self) -> bool {
        matches!(self.stages(), [Stage::Hourglass(_)])
    }

    /// The time that the control gives for 60 moves; `None` for a control without a time limit. FIDE's Laws use this
    /// time to distinguish standard play, rapid and blitz (Laws of Chess 2023, A.1 and B.1). If a stage has no number
    /// of moves, this function assumes one: the part of the 60 moves that earlier stages leave over, divided equally
    /// among this stage and the stages after it.
    pub fn for_sixty_moves(&self) -> Option<Millis> {
        let shares = self.sixty_moves_by_stage()?;
        let whole = shares.iter().fold(0_u64, |sum, share| sum.saturating_add(share.whole().0));
        Some(Millis(whole))
    }

    /// The same stage by stage: the moves that each stage has, and what it gives.
    pub fn sixty_moves_by_stage(&self) -> Option<Vec<StageShare>> {
        let stages = self.stages();
        let (mut rest, mut shares): (u64, _) = (60, Vec::new());
        for (nth, stage) in stages.iter().enumerate() {
            let share = rest / u64::try_from(stages.len() - nth).unwrap_or(1);
            let times = |moves: u64, span: Millis| Millis(moves.saturating_mul(span.0));
            let (moves, base, bonus) = match *stage {
                Stage::Time { moves: Some(moves), base, bonus } => {
                    let moves = u64::from(moves).max(1);
                    // The last stage repeats until all 60 moves are made.
                    let blocks = if nth + 1 == stages.len() { rest.div_ceil(moves) } else { 1 };
                    let made = rest.min(moves.saturating_mul(blocks));
                    (made, times(blocks, base), times(made, bonus.span()))
                }
                Stage::Time { moves: None, base, bonus } => (share, base, times(share, bonus.span())),
                Stage::Byoyomi { period: span, .. } | Stage::PerMove(span) => {
                    (share, Millis::ZERO, times(share, span))
                }
                Stage::Canadian { moves, block } => {
                    (share, times(share.div_ceil(u64::from(moves).max(1)), block), Millis::ZERO)
                }
                Stage::Hourglass(base) => (share, base, Millis::ZERO),
                Stage::CountUp => return None,
            };
            rest -= moves;
            shares.push(StageShare { moves, base, bonus });
        }
        (!stages.is_empty()).then_some(shares)
    }
}

/// What a stage gives to a player in a game of 60 moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StageShare {
    /// How many of the moves are made in the stage.
    pub moves: u64,
    /// The stage's own time.
    pub base: Millis,
    /// What the moves give in addition: increments, delays or periods.
    pub bonus: Millis,
}

impl StageShare {
    /// Both together.
    fn whole(self) -> Millis {
        Millis(self.base.0.saturating_add(self.bonus.0))
    }
}

/// Writes the control in the record's notation, which parses back to an equal control.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Stages(stages) = self else { return f.write_str("-") };
        for (nth, stage) in stages.iter().enumerate() {
            if nth > 0 {
                f.write_str(":")?;
            }
            stage.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = |span: &Millis| span.0 / 1000;
        match self {
            Self::Time { moves, base, bonus } => {
                if let Some(moves) = moves {
                    write!(f, "{moves}/")?;
                }
                write!(f, "{}", secs(base))?;
                bonus.sign().map_or(Ok(()), |sign| write!(f, "{sign}{}", secs(&bonus.span())))
            }
            Self::Byoyomi { periods, period } => write!(f, "{periods}x{}", secs(period)),
            Self::Canadian { moves, block } => write!(f, "c{moves}/{}", secs(block)),
            Self::PerMove(span) => write!(f, "={}", secs(span)),
            Self::Hourglass(base) => write!(f, "*{}", secs(base)),
            Self::CountUp => f.write_str("^"),
        }
    }
}
