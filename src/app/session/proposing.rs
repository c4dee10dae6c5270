//! What the Laws propose to the arbiter, as values: each proposed ruling becomes inputs when it is entered, and has a line that
//! does the same when it is typed.

use tabiya_engine::clock::TimeControl;
use tabiya_engine::rules::PlayAction;
use tabiya_engine::table::{Author, Common, Input, RuledResult, Ruling, Table, TimeTerm};
use tabiya_text::{Language, Words};
use tabiya_types::{Color, Instant, LAST_MOMENT, Seat, Sentence, say};

use crate::alerts::AlertKind;

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

impl Proposal {
    /// What it is proposed for. A player has one proposal of each kind: that for his second illegal move takes the place of that for
    /// his first.
    fn is_instead_of(&self, other: &Self) -> bool {
        self.by == other.by && std::mem::discriminant(&self.of) == std::mem::discriminant(&other.of)
    }

    /// Whether this ruling gives the reason of a proposed one, perhaps with more words, and decides something for it. The reason of
    /// a pause may be the same, and the position is set up again beside the penalty.
    fn is_named_by(&self, ruling: &Ruling) -> bool {
        let gives_time =
            ruling.time.is_some() || Color::ALL.into_iter().any(|by| ruling.clock_ms[by].is_some());
        (gives_time || ruling.result.is_some())
            && self.choices.iter().any(|choice| has_reason(&choice.decision, &ruling.reason))
    }

    /// Whether this ruling gives the proposed time. `before`: the table that it meets, at its moment.
    fn is_done_by(&self, ruling: &Ruling, (before, at): (&Table, Instant)) -> bool {
        self.choices.iter().any(|choice| match &choice.decision {
            ArbiterDecision::Gain(by, minutes, _) | ArbiterDecision::Increment(_, by, minutes, _) => {
                let gained =
                    |set: u64| set.saturating_sub(before.reading(*by, at).map_or(set, |left| left.0));
                ruling.clock_ms[*by].map(gained) == Some(u64::from(*minutes) * 60_000)
            }
            ArbiterDecision::Win(..)
            | ArbiterDecision::Draw(_)
            | ArbiterDecision::Forfeit(..)
            | ArbiterDecision::AcceptDraw(_)
            | ArbiterDecision::Resume => false,
        })
    }

    /// Whether this ruling gives something to the side that a proposed ruling favours.
    fn is_for_side_of(&self, ruling: &Ruling) -> bool {
        self.choices.iter().any(|choice| match &choice.decision {
            ArbiterDecision::Gain(by, ..) | ArbiterDecision::Increment(_, by, ..) => {
                ruling.clock_ms[*by].is_some()
            }
            ArbiterDecision::Win(..) | ArbiterDecision::Draw(_) | ArbiterDecision::Forfeit(..) => {
                ruling.result.is_some()
            }
            ArbiterDecision::AcceptDraw(_) | ArbiterDecision::Resume => false,
        })
    }
}

/// The open proposals, the most urgent first; of equally urgent ones, the older one first.
#[derive(Debug, Default)]
pub(super) struct Proposals {
    open: Vec<Proposal>,
}

impl Proposals {
    /// The open proposals, the most urgent first.
    pub(super) fn open(&self) -> &[Proposal] {
        &self.open
    }

    /// Proposes this to the arbiter. Everything else that is proposed stays so.
    pub(super) fn propose(&mut self, proposal: Proposal) {
        self.open.retain(|open| !proposal.is_instead_of(open));
        self.open.push(proposal);
        self.open.sort_by_key(|open| AlertKind::of(open.of).rank());
    }

    /// Takes away the proposal for this infringement. Returns whether it was open.
    pub(super) fn close(&mut self, by: Color, of: Infringement) -> bool {
        let before = self.open.len();
        self.open.retain(|open| (open.by, open.of) != (by, of));
        self.open.len() < before
    }

    /// Closes all proposals.
    pub(super) fn clear(&mut self) {
        self.open.clear();
    }

    /// Keeps the proposals of which this is true.
    pub(super) fn retain(&mut self, keeps: impl FnMut(&Proposal) -> bool) {
        self.open.retain(keeps);
    }

    /// What this ruling answers; empty if it is about something else, as one that only keeps the reason of a pause is. An arbiter
    /// may have his own words: then the time that he gives says which proposal he means. A reason that is proposed for both players
    /// is for the one whose opponent the ruling favours. `met`: the table that the ruling meets, at its moment.
    pub(super) fn answered(&self, ruling: &Ruling, met: (&Table, Instant)) -> Vec<(Color, Infringement)> {
        let mut answered: Vec<&Proposal> = self.open.iter().filter(|open| open.is_named_by(ruling)).collect();
        if answered.iter().any(|open| open.is_for_side_of(ruling)) {
            answered.retain(|open| open.is_for_side_of(ruling));
        }
        if answered.is_empty() {
            answered.extend(self.open.iter().find(|open| open.is_done_by(ruling, met)));
        }
        answered.into_iter().map(|open| (open.by, open.of)).collect()
    }
}

/// Whether this reason of a ruling has that of a decision in it, in any language.
fn has_reason(decision: &ArbiterDecision, reason: &str) -> bool {
    let reason = reason.to_lowercase();
    let is_in = |own: &Sentence| {
        let said = |language| Words::of(language).said(own).to_lowercase();
        Language::ALL.into_iter().any(|language| reason.contains(&said(language)))
    };
    decision.reason().is_some_and(is_in)
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
    fn reason(&self) -> Option<&Sentence> {
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
