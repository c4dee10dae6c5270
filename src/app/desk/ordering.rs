//! Orders that come from outside this table, such as from an event's console. Whoever gives one has asked his own questions, so
//! the table asks none. An order looks at the table before it acts, on the table's own thread, so that nothing happens in
//! between; and its answer goes to who gave it, not to the table's own screen.

use std::fmt;

use tabiya_engine::record::chain::Head;
use tabiya_engine::record::{Body, Header, Line};
use tabiya_engine::rules::FormError;
use tabiya_engine::table::Entry;
use tabiya_store::evening;
use tabiya_store::journal::JournalError;
use tabiya_types::{Color, Instant, Millis, Sentence, say};

use crate::session::{Entered, InputFault, Session};

/// What an order came to.
pub type OrderAnswer = Result<Entered, RefusedOrder>;

/// What somebody orders. It comes through the inbox of the loop and is carried out on the table's thread, so neither of these
/// calls may wait. It acts at once or is refused. If the loop ends first, the order is dropped, and says so itself to who gave it.
pub trait TableOrder: Send {
    /// Looks at the table, and says what is to be done. `None` if nothing is: then who gave the order has been answered already.
    fn judge(&mut self, sight: &OrderSight<'_>) -> Option<OrderedAct>;
    /// Takes the answer to what was to be done.
    fn answer(self: Box<Self>, answer: OrderAnswer);
}

impl fmt::Debug for dyn TableOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TableOrder")
    }
}

/// What an order wants to be done.
#[derive(Debug)]
pub enum OrderedAct {
    /// This is entered into the match on the table.
    Enter(Box<Entry>),
    /// A side has made so many illegal moves in this game; the ruling with the reason is entered.
    Count(Box<Entry>, Color, u32),
    /// A match with this header begins in the record of the match before. It has begun so many ms ago.
    Begin(Box<Header>, Millis),
    /// Somebody looks after an alert.
    Look {
        /// The number of the alert.
        alert: u64,
        /// Who looks after it; `None`: nobody any more.
        by: Option<String>,
        /// Whether it is closed without a ruling.
        done: bool,
    },
}

/// What an order sees of the table.
#[derive(Debug)]
pub struct OrderSight<'a> {
    session: Option<(&'a Session, Instant)>,
}

impl<'a> OrderSight<'a> {
    /// The match on the table with the moment of it; `None` without a match.
    pub(super) fn new(session: Option<(&'a Session, Instant)>) -> Self {
        Self { session }
    }

    fn session(&self) -> Option<&'a Session> {
        self.session.map(|(session, _)| session)
    }

    /// The unique name of the match on the table, and whether it is over; `None` without a match that is recorded.
    pub fn on_the_table(&self) -> Option<(&'a str, bool)> {
        let session = self.session()?;
        Some((session.uid()?, evening::is_over(session.replay())))
    }

    /// The place of the line with this id, if the match on the table has one.
    pub fn place_of(&self, id: &str) -> Option<u64> {
        self.session()?.place_of(id)
    }

    /// The hash of the match on the table at this place, where the header is 0; `None` if there is no such line. `Err` if the record
    /// cannot be read.
    pub fn head_at(&self, place: u64) -> Result<Option<Head>, JournalError> {
        self.session().map_or(Ok(None), |session| session.head_at(place))
    }

    /// The lines of the match on the table after this place, where the header is 0.
    pub fn lines_after(&self, place: u64) -> &'a [Line] {
        let lines = self.session().map_or(&[][..], Session::lines);
        usize::try_from(place).ok().and_then(|place| lines.get(place..)).unwrap_or_default()
    }

    /// What a side's clock reads now; `None` for a side without a clock.
    pub fn reading(&self, side: Color) -> Option<Millis> {
        let (session, at) = self.session?;
        session.table().reading(side, at)
    }

    /// Reads a line of the match on the table that is to be entered now: an object without `t`. Its note has the line's `id` and
    /// its extension fields.
    pub fn entry(&self, mut line: serde_json::Map<String, serde_json::Value>) -> Result<Entry, FormError> {
        let no_match = || FormError("no match is on the table".to_owned());
        let (session, at) = self.session.ok_or_else(no_match)?;
        line.insert("t".to_owned(), at.millis().into());
        let read = Line::parse(&serde_json::Value::Object(line).to_string(), session.replay().header())?;
        let (body, note) = read.into_noted();
        match body {
            Body::Acted(input) => Ok(Entry { input, note }),
            Body::Evidence(_) => Err(FormError("only what people do can be ordered".to_owned())),
        }
    }
}

/// Why an order was not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefusedOrder {
    /// No match is on the table, or one is, and cannot be left.
    NoMatch(Sentence),
    /// The rules do not allow it; the sentence says why.
    Rules(Sentence),
    /// Its line could not be made durable; the sentence says why.
    Record(Sentence),
}

impl RefusedOrder {
    pub(crate) fn no_match() -> Self {
        Self::NoMatch(say!("order-no-match", "no match is on the table"))
    }

    /// The reason as a sentence for who gave the order.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::NoMatch(why) | Self::Rules(why) | Self::Record(why) => why.clone(),
        }
    }
}

impl From<InputFault> for RefusedOrder {
    fn from(fault: InputFault) -> Self {
        let why = fault.sentence();
        match fault {
            InputFault::NotWritten(_) | InputFault::NotSealed(_) => Self::Record(why),
            InputFault::Refused(_)
            | InputFault::NoConsent(_)
            | InputFault::Guideline(_)
            | InputFault::TooLong => Self::Rules(why),
        }
    }
}
