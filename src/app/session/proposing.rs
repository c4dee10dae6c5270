//! What the Laws propose to the arbiter, as values: each proposed ruling becomes inputs when it is entered, and has a line that
//! does the same when it is typed.

use tabiya_engine::clock::TimeControl;
use tabiya_engine::rules::PlayAction;
use tabiya_engine::table::{Author, Common, Input, RuledResult, Ruling, Table, TimeTerm};
use tabiya_text::Words;
use tabiya_types::{Color, Instant, LAST_MOMENT, Seat, Sentence, say};

/// For what the Laws of Chess propose a ruling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Infringement {
    /// An illegal move: which one of the game it was, from 1.
    IllegalMove(u32),
    /// A draw was claimed, and the claim is wrong.
    WrongClaim,
    /// The default time is over, and the player has not come.
    Absence,
    /// The sealed move is illegal, or not clear.
    SealedMove,
    /// A player with less than two minutes has claimed what a guideline allows him in a game without increments.
    FinishClaimed,
    /// The player's flag has fallen in a position in which perhaps nobody can mate.
    DoubtfulFlag,
}

/// What the Laws of Chess propose, until the arbiter rules or lets it be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// Whose infringement it is.
    pub by: Color,
    /// What he did.
    pub of: Infringement,
    /// What the arbiter can decide; the first one is proposed, and there is always one.
    pub choices: Vec<ProposedRuling>,
}

/// Something that the arbiter can decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProposedRuling {
    /// What the ruling does.
    pub told: Sentence,
    /// The articles of the Laws.
    pub articles: String,
    /// The ruling.
    pub decision: ArbiterDecision,
}

impl ProposedRuling {
    pub(super) fn new(told: Sentence, articles: impl Into<String>, decision: ArbiterDecision) -> Self {
        Self { told: told.harmless(), articles: articles.into(), decision }
    }

    /// The line that does the same when it is typed.
    pub fn line(&self) -> Sentence {
        self.decision.line()
    }
}

/// What an arbiter decides. Reasons go into the record in the language of the people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArbiterDecision {
    /// This side gains so many minutes.
    Gain(Color, u32, Sentence),
    /// This seat wins.
    Win(Seat, Sentence),
    /// The game is drawn.
    Draw(Sentence),
    /// This seat loses without having played.
    Forfeit(Seat, Sentence),
    /// Both players play on with this time control, and this side gains so many minutes.
    Increment(TimeControl, Color, u32, Sentence),
    /// The offered draw is accepted by this side.
    AcceptDraw(Color),
    /// Play goes on.
    Resume,
}

impl ArbiterDecision {
    /// The line that does the same when it is typed.
    pub fn line(&self) -> Sentence {
        match self.clone() {
            Self::Gain(by, minutes, reason) => {
                let (color, seconds) = (by.word().to_owned(), minutes * 60);
                say!("line-gain", "rule clock {color} +{seconds} {reason}", color, seconds, reason)
            }
            Self::Win(seat, reason) => say!("line-loss", "rule winner {seat} {reason}", seat, reason),
            Self::Draw(reason) => say!("line-draw", "rule draw {reason}", reason),
            Self::Forfeit(seat, reason) => say!("line-forfeit", "rule forfeit {seat} {reason}", seat, reason),
            Self::Increment(control, by, minutes, reason) => {
                let (control, color, seconds) = (control.to_string(), by.word().to_owned(), minutes * 60);
                say!(
                    "line-increment",
                    "rule time {control} clock {color} +{seconds} {reason}",
                    control,
                    color,
                    seconds,
                    reason
                )
            }
            Self::AcceptDraw(_) => say!("line-accept", "accept"),
            Self::Resume => say!("line-resume", "resume"),
        }
    }

    /// The reason that the record keeps.
    pub(super) fn reason(&self) -> Option<&Sentence> {
        match self {
            Self::Gain(.., reason)
            | Self::Win(_, reason)
            | Self::Draw(reason)
            | Self::Forfeit(_, reason)
            | Self::Increment(.., reason) => Some(reason),
            Self::AcceptDraw(_) | Self::Resume => None,
        }
    }

    /// The input that does it at this moment, with its reason in these words.
    pub fn input(&self, table: &Table, at: Instant, words: &Words) -> Input {
        let mut ruling = Ruling::because(self.reason().map(|reason| words.said(reason)).unwrap_or_default());
        let mut gain = |by: Color, minutes: u32| {
            let left = table.reading(by, at).map_or(0, |left| left.0);
            ruling.clock_ms[by] = Some(left.saturating_add(u64::from(minutes) * 60_000).min(LAST_MOMENT));
        };
        match self {
            Self::Gain(by, minutes, _) => gain(*by, *minutes),
            Self::Increment(control, by, minutes, _) => {
                gain(*by, *minutes);
                ruling.time = Some(TimeTerm::Both(control.clone()));
            }
            Self::Win(seat, _) => ruling.result = Some(RuledResult::Winner(Some(*seat))),
            Self::Draw(_) => ruling.result = Some(RuledResult::Winner(None)),
            Self::Forfeit(seat, _) => ruling.result = Some(RuledResult::Forfeit(Some(*seat))),
            Self::AcceptDraw(by) => return PlayAction::AcceptDraw(*by).into(),
            Self::Resume => return Common::Resume(Author::Arbiter).into(),
        }
        ruling.into()
    }
}
