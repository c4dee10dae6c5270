//! A hall of tables as the fronts of a console show it: values without a link, a file or a clock of their own. Who keeps the copies
//! makes them; window and terminal draw them and answer with wishes.
//!
//! Source: `docs/hall.md`, §4 to §6, and `docs/event.md`.

mod label;
mod link;
mod other;
mod proposing;
mod rounds;
mod row;

use std::net::IpAddr;
use std::sync::Arc;

use tabiya_types::{Color, Instant, Sentence};

pub use self::label::{console_title, title};
pub use self::link::{HallEnd, HallHeard, HallLink, link};
pub use self::other::{OtherRuling, ReasonedOrder, take_back};
pub use self::proposing::{AlertOf, HallAct, HallRuling, as_told, rulings};
pub use self::rounds::{
    BoardScore, BoardStage, Contender, NotReady, PlaceRow, RoundBoard, RoundPlayed, RoundWish, RoundsView,
    Unpaired, default_seconds,
};
pub use self::row::{HallRow, RowClock, RowLink, RowMatch, called};
use crate::snapshot::TableView;

/// Everything that the desk of a console shows at one moment.
#[derive(Clone, Debug, Default)]
pub struct HallView {
    /// The event's name.
    pub event: String,
    /// This console's name.
    pub console: String,
    /// Who gives the orders here.
    pub arbiter: String,
    /// The console's own time of this view, in ms.
    pub now: u64,
    /// What has to be looked after, the most urgent first.
    pub queue: Vec<HallAlert>,
    /// The tables, by their numbers.
    pub rows: Arc<Vec<HallRow>>,
    /// The table that was asked for.
    pub chosen: Option<Arc<ChosenTable>>,
    /// Who waits to be admitted, and what became of the digits that were typed last.
    pub joining: JoiningView,
    /// An order that waits for a yes.
    pub question: Option<HallQuestion>,
    /// What has happened, the newest last.
    pub told: Vec<HallTold>,
    /// The arbiters' telephones; `None` if the console lets none in.
    pub phones: Option<PhonesView>,
    /// The rounds; `None` if the event has no plan of them.
    pub rounds: Option<Arc<RoundsView>>,
    /// Why the last wish about the rounds was not carried out.
    pub round_fault: Option<Sentence>,
}

/// For how long after something has happened the desk is drawn again and again, in ms: what is told goes after a while.
const LIVELY: u64 = 60_000;

impl HallView {
    /// Whether this view shows nothing else than the one before, and nothing in it goes on by itself: then it is not drawn again.
    pub fn stands_still_since(&self, before: &Self) -> bool {
        let counts = !self.queue.is_empty()
            || self.chosen.is_some()
            || self.told.last().is_some_and(|told| self.now.saturating_sub(told.at) < LIVELY)
            || self.rows.iter().any(|row| row.clock.as_ref().is_some_and(|clock| clock.runs.is_some()));
        let same = self.rows == before.rows
            && before.queue.is_empty()
            && before.chosen.is_none()
            && self.joining == before.joining
            && self.question == before.question
            && self.told == before.told
            && self.phones == before.phones
            && self.rounds == before.rounds
            && self.round_fault == before.round_fault;
        !counts && same
    }
}

/// What an alert is of, as long as it is open: its table, and the table's own id for it, or the kind of one of the console's.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AlertKey {
    /// The table; `None` for the console itself.
    pub table: Option<u16>,
    /// The id or the kind.
    pub id: String,
}

/// An alert at the desk.
#[derive(Clone, PartialEq, Debug)]
pub struct HallAlert {
    /// What it is of.
    pub key: AlertKey,
    /// How urgent: 1 now, 2 soon, 3 look, 4 a note.
    pub rank: u8,
    /// What it is about, in a few words, with the player's name.
    pub title: Sentence,
    /// What has happened; in English, if it is not known here.
    pub says: Sentence,
    /// What the Laws propose, as the table says it; in English, if it is not known here.
    pub proposes: Option<Sentence>,
    /// For how long, in ms.
    pub age: u64,
    /// How often.
    pub count: u64,
    /// Who looks after it.
    pub taken: Option<String>,
    /// What can be decided, the proposed ruling first; there is always one.
    pub rulings: Vec<HallRuling>,
}

/// The table that was asked for, as it stands.
#[derive(Clone, Debug)]
pub struct ChosenTable {
    /// Its number.
    pub table: u16,
    /// Its screen; `None` without a match that is understood here.
    pub view: Option<Arc<TableView>>,
    /// The moment of the match at the moment of the hall's view.
    pub at: Instant,
    /// What has happened there: its own account, the newest last.
    pub story: Arc<Vec<(Instant, Sentence)>>,
    /// The orders that it got from this desk, the newest last.
    pub orders: Vec<HallTold>,
}

/// What is told at the desk.
#[derive(Clone, PartialEq, Debug)]
pub struct HallTold {
    /// The table; `None` for the console itself.
    pub table: Option<u16>,
    /// When, in ms of the console's own time.
    pub at: u64,
    /// What.
    pub says: Sentence,
    /// Whether something went wrong.
    pub failed: bool,
}

/// An order that waits for a yes.
#[derive(Clone, PartialEq, Debug)]
pub struct HallQuestion {
    /// Its number: an answer is to this question and to no later one.
    pub number: u64,
    /// The table; `None` for all of them.
    pub table: Option<u16>,
    /// What is asked.
    pub text: Sentence,
    /// What a yes does.
    pub yes: HallYes,
}

/// What a yes to a question of the desk does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HallYes {
    /// The order is given.
    Order,
    /// All tables stop.
    StopAll,
    /// Another computer takes the place of a table that is here.
    Replace,
}

/// Who waits to be admitted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct JoiningView {
    /// The computers that wait, without the digits that they show: who typed them from a list would compare nothing.
    pub waiting: Vec<WaitingComputer>,
    /// Whether this console may admit.
    pub may_admit: bool,
    /// How often wrong digits were typed.
    pub wrong: u32,
    /// What became of the digits that were typed last, and whether they did not fit.
    pub answer: Option<(Sentence, bool)>,
}

/// A computer that waits to be admitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingComputer {
    /// The name of its joining, by which it is refused.
    pub join: String,
    /// How long its digits still hold, in ms.
    pub left: u64,
    /// What it calls itself.
    pub name: String,
    /// Its address.
    pub from: IpAddr,
    /// Whether its own people have said yes.
    pub agreed: bool,
}

/// The arbiters' telephones, as far as the chief sees them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PhonesView {
    /// The addresses of their page.
    pub addresses: Vec<String>,
    /// The six words of its certificate.
    pub words: Vec<String>,
    /// Who is signed in.
    pub signed_in: Vec<String>,
    /// The code that was given last: for whom, its digits, and how long it still holds, in ms.
    pub code: Option<(String, String, u64)>,
}

/// What people at the desk want.
#[derive(Clone, PartialEq, Debug)]
pub enum HallWish {
    /// Look at this table.
    Choose(Option<u16>),
    /// Order this at a table, in the table's own words.
    Order(u16, String),
    /// The answer to the question with this number.
    Answer(u64, bool),
    /// This arbiter looks after an alert.
    Take(AlertKey),
    /// Close an alert of the console's own.
    Close(AlertKey),
    /// Ask whether all clocks are to be stopped.
    StopAll,
    /// Admit the computer that shows these digits, as this table.
    Admit(String, u16),
    /// Ask whether the computer that shows these digits takes the place of this table's.
    Replace(String, u16),
    /// Refuse the computer that waits with this joining.
    Refuse(String),
    /// Give a code to a telephone: for this arbiter, who may do all, `results`, or all at `1-20`.
    Phone(String, String),
    /// Something about the rounds.
    Round(RoundWish),
}

impl HallView {
    /// The row of a table.
    pub fn row(&self, table: u16) -> Option<&HallRow> {
        let at = self.rows.binary_search_by_key(&table, |row| row.table).ok()?;
        self.rows.get(at)
    }

    /// The alert with this key.
    pub fn alert(&self, key: &AlertKey) -> Option<&HallAlert> {
        self.queue.iter().find(|alert| alert.key == *key)
    }

    /// The name of the player with this colour at a table; the colour's word if it is not known.
    pub fn player(&self, table: u16, color: Color) -> Option<&str> {
        Some(self.row(table)?.playing.as_ref()?.names[color].as_str())
    }
}

#[cfg(test)]
mod tests {
    use tabiya_engine::rules::Reason;

    use super::*;

    /// The desk of a hall without tables was drawn twice a second: 6 % of a processor without a graphics card.
    #[test]
    fn a_desk_at_which_nothing_happens_is_not_drawn_again() {
        let told = |at| HallTold { table: None, at, says: Reason::Resignation.sentence(), failed: false };
        let at = |now| HallView { now, told: vec![told(1_000)], ..HallView::default() };
        assert!(at(70_000).stands_still_since(&at(69_500)));
        assert!(!at(9_000).stands_still_since(&at(8_500)), "what is told goes after a while");
        let other = HallView { told: vec![told(1_000), told(2_000)], ..at(70_000) };
        assert!(!at(70_000).stands_still_since(&other));
        let arbiter_asked = HallView {
            question: Some(HallQuestion {
                number: 1,
                table: None,
                text: Reason::Resignation.sentence(),
                yes: HallYes::StopAll,
            }),
            ..at(70_000)
        };
        assert!(!arbiter_asked.stands_still_since(&at(69_500)));
    }
}
