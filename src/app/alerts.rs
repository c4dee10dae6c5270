//! What people have to look after at a table, as values. An alert opens when its cause arises, may be taken by somebody who looks
//! after it, and closes with its cause. The drawer, the bell, the desktop's notifications, the sign in the bar and the terminal's
//! screen read this one list.
//!
//! Ranks and words of the kinds: the table of alerts in the contract of a hall (1 now, 2 soon, 3 look, 4 note).

use tabiya_engine::table::{Audience, Matter, Prompt};
use tabiya_types::{Color, Instant, Sentence};

use crate::session::{Infringement, Proposal};

/// What an alert is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AlertKind {
    /// An illegal move, for which the Laws propose a ruling.
    Illegal,
    /// A flag has fallen.
    Flag,
    /// The record cannot be written.
    Record,
    /// A claim that the arbiter decides.
    Claim,
    /// A question about what was played, or before something is entered.
    Question,
    /// The board differs from the position.
    Piece,
    /// A deal was fouled, and has to be repeated.
    Deal,
    /// The default time is over.
    Default,
    /// An input was refused.
    Refused,
    /// A draw can be claimed.
    Claimable,
    /// A player has stopped the clocks, and waits for the arbiter.
    Call,
    /// The board does not answer.
    Board,
    /// A card reader does not answer.
    Reader,
    /// The clock at the board does not report.
    Clock,
    /// The board's battery is nearly empty.
    Battery,
    /// Both players have not confirmed a result.
    Unsigned,
}

impl AlertKind {
    /// The word of the kind, as other programs read it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Illegal => "illegal",
            Self::Flag => "flag",
            Self::Record => "record",
            Self::Claim => "claim",
            Self::Question => "question",
            Self::Piece => "piece",
            Self::Deal => "deal",
            Self::Default => "default",
            Self::Refused => "refused",
            Self::Claimable => "claimable",
            Self::Call => "call",
            Self::Board => "board",
            Self::Reader => "reader",
            Self::Clock => "clock",
            Self::Battery => "battery",
            Self::Unsigned => "unsigned",
        }
    }

    /// How urgent it is, from 1 (now) to 4 (a note).
    pub const fn rank(self) -> u8 {
        match self {
            Self::Illegal | Self::Flag | Self::Record | Self::Call => 1,
            Self::Claim | Self::Question | Self::Piece | Self::Deal | Self::Default => 2,
            Self::Refused | Self::Board | Self::Reader | Self::Clock => 3,
            Self::Claimable | Self::Battery | Self::Unsigned => 4,
        }
    }

    /// The kind of alert that a prompt is; `None` for one that only says what comes next.
    pub const fn of_prompt(prompt: &Prompt) -> Option<Self> {
        match prompt.matter {
            Some(Matter::Flag(_)) => Some(Self::Flag),
            Some(Matter::Claimable) => Some(Self::Claimable),
            None => None,
        }
    }

    /// The kind of alert that a proposed ruling belongs to.
    pub(crate) const fn of(infringement: Infringement) -> Self {
        match infringement {
            Infringement::IllegalMove(_) => Self::Illegal,
            Infringement::DoubtfulFlag => Self::Flag,
            Infringement::Absence => Self::Default,
            Infringement::WrongClaim | Infringement::SealedMove | Infringement::FinishClaimed => Self::Claim,
        }
    }
}

/// A cause of an alert, as it stands now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    /// What it is about.
    pub kind: AlertKind,
    /// Who may know of it.
    pub to: Audience,
    /// The side that it is about, if it is about one.
    pub by: Option<Color>,
    /// What has happened.
    pub says: Sentence,
    /// The articles of the Laws of Chess that rule on it.
    pub articles: Option<String>,
    /// Whether `says` gives a reason of the rules beside what is to be put right.
    pub gives_reason: bool,
    /// What the Laws propose, if they do: rulings that become inputs.
    pub proposal: Option<Proposal>,
    /// How often it has happened, at least 1.
    pub count: u32,
}

impl Cause {
    /// A cause that has happened once, without articles and proposals.
    pub fn new(kind: AlertKind, to: Audience, by: Option<Color>, says: Sentence) -> Self {
        Self {
            kind,
            to,
            by,
            says: says.harmless(),
            articles: None,
            gives_reason: false,
            proposal: None,
            count: 1,
        }
    }

    /// Names the articles that rule on it.
    #[must_use]
    pub fn under(self, articles: Option<impl Into<String>>) -> Self {
        Self { articles: articles.map(Into::into), ..self }
    }

    /// Whether this is the cause of an alert that is open already. What is wrong on the board may change in detail, and so does the
    /// charge of its battery; everything else that says something new is something new.
    fn continues(&self, open: &Self) -> bool {
        let changes = matches!(self.kind, AlertKind::Piece | AlertKind::Battery);
        (self.kind, self.by) == (open.kind, open.by)
            && (changes || self.says == open.says)
            && self.proposal.as_ref().map(|now| now.of) == open.proposal.as_ref().map(|before| before.of)
    }
}

/// An alert that is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alert {
    /// Its number; no other alert of this program's run has it.
    pub number: u64,
    /// When it opened, in the program's own time.
    pub since: Instant,
    /// Its cause as it stands now.
    pub cause: Cause,
    /// Who looks after it; `None` if nobody has said so.
    pub taken: Option<String>,
}

impl Alert {
    /// Whether it waits for the arbiter and nobody else has heard of it, so that he is told if he does not look. What is
    /// proposed, and what is wrong on the board, stands in the drawer with something else that he is told.
    pub fn calls_arbiter(&self) -> bool {
        self.cause.to == Audience::Arbiter
            && self.cause.proposal.is_none()
            && self.cause.kind != AlertKind::Piece
    }
}

/// The open alerts of a table, the most urgent first.
#[derive(Clone, Debug, Default)]
pub struct AlertBook {
    open: Vec<Alert>,
    /// The causes of alerts that somebody has closed, as long as they last.
    closed: Vec<Cause>,
    opened: u64,
}

impl AlertBook {
    /// A further book of the same table: its numbers are others.
    pub(crate) fn further() -> Self {
        Self { opened: 1 << 32, ..Self::default() }
    }

    /// The open alerts: by rank, then by age.
    pub fn open(&self) -> &[Alert] {
        &self.open
    }

    /// Closes all alerts, because another match begins. Their numbers are not used again.
    pub fn begin_anew(&mut self) {
        self.open.clear();
        self.closed.clear();
    }

    /// Compares with the causes that there are at this moment: a new one opens an alert, and one that is gone closes its alert.
    pub fn follow(&mut self, causes: Vec<Cause>, now: Instant) {
        self.open.retain(|alert| causes.iter().any(|cause| cause.continues(&alert.cause)));
        self.closed.retain(|closed| {
            causes.iter().any(|cause| cause.continues(closed) && cause.count == closed.count)
        });
        for cause in causes {
            // What has happened once more since it was closed is something new.
            if self.closed.iter().any(|closed| cause.continues(closed)) {
                continue;
            }
            if let Some(alert) = self.open.iter_mut().find(|alert| cause.continues(&alert.cause)) {
                alert.cause = cause;
            } else {
                self.opened += 1;
                self.open.push(Alert { number: self.opened, since: now, cause, taken: None });
            }
        }
        self.open.sort_by_key(|alert| (alert.cause.kind.rank(), alert.number));
    }

    /// Somebody looks after this alert, or with `None` nobody does any more. Returns whether it is open.
    pub fn take(&mut self, number: u64, by: Option<String>) -> bool {
        let alert = self.open.iter_mut().find(|alert| alert.number == number);
        alert.map(|alert| alert.taken = by).is_some()
    }

    /// Closes this alert although its cause lasts. One of rank 1 closes only with its cause. Returns whether it is closed.
    pub fn close(&mut self, number: u64) -> bool {
        let closes = |alert: &Alert| alert.number == number && alert.cause.kind.rank() > 1;
        let Some(nth) = self.open.iter().position(closes) else { return false };
        self.closed.push(self.open.remove(nth).cause);
        true
    }
}

#[cfg(test)]
mod tests {
    use tabiya_engine::rules::Reason;
    use tabiya_engine::table::flag_fallen;

    use super::*;

    fn at(millis: u64) -> Instant {
        Instant::from_millis(millis)
    }

    fn flag(by: Color) -> Cause {
        Cause::new(AlertKind::Flag, Audience::Arbiter, Some(by), flag_fallen(by)).under(Some("6.8"))
    }

    fn refused(reason: Reason) -> Cause {
        Cause::new(AlertKind::Refused, Audience::Arbiter, None, reason.ending_sentence())
    }

    fn numbers(book: &AlertBook) -> Vec<u64> {
        book.open().iter().map(|alert| alert.number).collect()
    }

    #[test]
    fn an_alert_is_open_as_long_as_its_cause_and_the_same_later_is_another_one() {
        let mut book = AlertBook::default();
        book.follow(vec![refused(Reason::Stalemate)], at(1));
        book.follow(vec![refused(Reason::Stalemate), flag(Color::White)], at(2));
        assert_eq!(numbers(&book), [2, 1], "a flag is more urgent");
        assert_eq!(book.open()[0].since, at(2));
        book.follow(vec![refused(Reason::Timeout), flag(Color::White)], at(3));
        assert_eq!(numbers(&book), [2, 3], "another refusal");
        book.follow(Vec::new(), at(4));
        assert!(book.open().is_empty());
        book.follow(vec![flag(Color::White)], at(5));
        assert_eq!((numbers(&book), book.open()[0].since), (vec![4], at(5)));
    }

    #[test]
    fn what_is_wrong_on_the_board_stays_one_alert_while_it_is_put_right() {
        let piece =
            |reason: Reason| Cause::new(AlertKind::Piece, Audience::Arbiter, None, reason.ending_sentence());
        let mut book = AlertBook::default();
        book.follow(vec![piece(Reason::Stalemate)], at(1));
        book.follow(vec![piece(Reason::Timeout)], at(2));
        assert_eq!((numbers(&book), book.open()[0].since), (vec![1], at(1)));
        assert_eq!(book.open()[0].cause.says, Reason::Timeout.ending_sentence(), "as it stands now");
    }

    #[test]
    fn what_is_taken_stays_and_what_is_closed_stays_closed_but_never_rank_one() {
        let mut book = AlertBook::default();
        let causes = || vec![flag(Color::Black), refused(Reason::Stalemate)];
        book.follow(causes(), at(1));
        assert!(book.take(1, Some("Rossi".to_owned())) && !book.take(9, None));
        assert!(!book.close(1) && book.close(2) && !book.close(2));
        book.follow(causes(), at(2));
        assert_eq!(numbers(&book), [1]);
        assert_eq!(book.open()[0].taken.as_deref(), Some("Rossi"));
        book.follow(vec![flag(Color::Black)], at(3));
        book.follow(causes(), at(4));
        assert_eq!(numbers(&book), [1, 3], "its cause has come again");
    }
}
