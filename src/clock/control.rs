//! Time controls: what each side has, stage by stage, and how that is written.
//!
//! Source: record, "The clock as text"; defined method by method in `docs/clock.md`. Whole seconds.

use std::fmt;

use tabiya_types::Millis;

/// How much time a player has.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum TimeControl {
    /// `-`: no clock.
    #[default]
    Untimed,
    /// At least one stage, and at most 99, the first one first. All but [`Stage::Time`] come last, and an
    /// hourglass stands alone.
    Stages(Vec<Stage>),
}

/// One stage of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// `300`, `40/5400+30`, `300d5`, `300b5`: time for the whole stage.
    Time {
        /// How many moves it has; `None` until the time is used up.
        moves: Option<u32>,
        /// Time for the whole stage.
        base: Millis,
        /// What each turn has beside it.
        bonus: Bonus,
    },
    /// `5x30`: periods, each of which a move within it leaves whole.
    Byoyomi {
        /// How many, from 1.
        periods: u32,
        /// How long each is.
        period: Millis,
    },
    /// `c15/300`: a block of time for so many moves, again and again.
    Canadian {
        /// How many moves a block is for, from 1.
        moves: u32,
        /// How long it is.
        block: Millis,
    },
    /// `=30`: so long for each move, unused time lost.
    PerMove(Millis),
    /// `*60`: what one uses the other gains.
    Hourglass(Millis),
    /// `^`: counts the time used, without an end.
    CountUp,
}

/// What each turn has beside a stage's time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bonus {
    /// Nothing.
    None,
    /// `+3`, Fischer: added for each move.
    Increment(Millis),
    /// `d5`, US delay: the first part of a turn is free.
    Delay(Millis),
    /// `b5`, Bronstein: what was used is given back, at most so much.
    Bronstein(Millis),
}

impl Bonus {
    /// What a press adds under Fischer's method.
    pub(super) fn increment(self) -> Millis {
        match self {
            Self::Increment(increment) => increment,
            Self::None | Self::Delay(_) | Self::Bronstein(_) => Millis::ZERO,
        }
    }

    /// The free part of each turn.
    pub(super) fn delay(self) -> Millis {
        match self {
            Self::Delay(delay) => delay,
            Self::None | Self::Increment(_) | Self::Bronstein(_) => Millis::ZERO,
        }
    }

    fn length(self) -> Millis {
        match self {
            Self::None => Millis::ZERO,
            Self::Increment(span) | Self::Delay(span) | Self::Bronstein(span) => span,
        }
    }
}

impl Stage {
    /// What a turn of this stage has beside the time.
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
    /// Whether a press ever adds an increment.
    pub fn has_increment(&self) -> bool {
        self.stages().iter().any(|stage| stage.bonus().increment() > Millis::ZERO)
    }

    /// The stages, the first one first; none without a clock.
    pub fn stages(&self) -> &[Stage] {
        match self {
            Self::Untimed => &[],
            Self::Stages(stages) => stages,
        }
    }

    /// Whether what this side uses the other gains, so that both must have it.
    pub fn is_hourglass(&self) -> bool {
        matches!(self.stages(), [Stage::Hourglass(_)])
    }

    /// What it gives for sixty moves, as FIDE's Laws tell standard play, rapid and blitz apart (Laws of
    /// Chess 2023, A.1 and B.1); `None` where there is no end to it. A stage that ends by time is taken to
    /// last for an equal share of the moves.
    pub fn for_sixty_moves(&self) -> Option<Millis> {
        let stages = self.stages();
        let (mut rest, mut whole): (u64, u64) = (60, 0);
        for (nth, stage) in stages.iter().enumerate() {
            let share = rest / u64::try_from(stages.len() - nth).unwrap_or(1);
            let times = |moves: u64, span: Millis| moves.saturating_mul(span.0);
            let (moves, gives) = match *stage {
                Stage::Time { moves: Some(moves), base, bonus } => {
                    let moves = u64::from(moves).max(1);
                    // The last one repeats.
                    let blocks = if nth + 1 == stages.len() { rest.div_ceil(moves) } else { 1 };
                    let made = rest.min(moves.saturating_mul(blocks));
                    (made, times(blocks, base).saturating_add(times(made, bonus.length())))
                }
                Stage::Time { moves: None, base, bonus } => {
                    (share, base.0.saturating_add(times(share, bonus.length())))
                }
                Stage::Byoyomi { period: span, .. } | Stage::PerMove(span) => (share, times(share, span)),
                Stage::Canadian { moves, block } => {
                    (share, times(share.div_ceil(u64::from(moves).max(1)), block))
                }
                Stage::Hourglass(base) => (share, base.0),
                Stage::CountUp => return None,
            };
            (rest, whole) = (rest - moves, whole.saturating_add(gives));
        }
        (!stages.is_empty()).then_some(Millis(whole))
    }
}

/// The record's text, which reads back to the same control.
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
                match bonus {
                    Bonus::None => Ok(()),
                    Bonus::Increment(span) => write!(f, "+{}", secs(span)),
                    Bonus::Delay(span) => write!(f, "d{}", secs(span)),
                    Bonus::Bronstein(span) => write!(f, "b{}", secs(span)),
                }
            }
            Self::Byoyomi { periods, period } => write!(f, "{periods}x{}", secs(period)),
            Self::Canadian { moves, block } => write!(f, "c{moves}/{}", secs(block)),
            Self::PerMove(span) => write!(f, "={}", secs(span)),
            Self::Hourglass(base) => write!(f, "*{}", secs(base)),
            Self::CountUp => f.write_str("^"),
        }
    }
}
