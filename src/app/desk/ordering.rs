//! Orders that come from outside this table, such as from an event's console. Whoever gives one has asked his own questions, so
//! the table asks none. Each order has an identity, the id of its note, and an answer, which goes to who gave it and not to the
//! table's own screen.

use std::fmt;

use tabiya_types::{Sentence, say};

use crate::session::{Entered, InputFault};

/// What an order came to.
pub type OrderAnswer = Result<Entered, RefusedOrder>;

/// Why an order was not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefusedOrder {
    /// No match is on the table.
    NoMatch,
    /// The rules do not allow it; the sentence says why.
    Rules(Sentence),
    /// Its line could not be made durable; the sentence says why.
    Record(Sentence),
}

impl RefusedOrder {
    /// The reason as a sentence for who gave the order.
    pub fn sentence(&self) -> Sentence {
        match self {
            Self::NoMatch => say!("order-no-match", "no match is on the table"),
            Self::Rules(why) | Self::Record(why) => why.clone(),
        }
    }
}

impl From<InputFault> for RefusedOrder {
    fn from(fault: InputFault) -> Self {
        let why = fault.sentence();
        match fault {
            InputFault::NotWritten(_) | InputFault::NotSealed(_) => Self::Record(why),
            InputFault::Refused(_) | InputFault::NoConsent(_) | InputFault::Guideline(_) => Self::Rules(why),
        }
    }
}

/// The way back to who gave an order.
pub struct Reply(Box<dyn FnOnce(OrderAnswer) + Send>);

impl Reply {
    /// The answer is passed to this function, on the thread of the table: it must not wait.
    pub fn to(tell: impl FnOnce(OrderAnswer) + Send + 'static) -> Self {
        Self(Box::new(tell))
    }

    pub(super) fn send(self, answer: OrderAnswer) {
        (self.0)(answer);
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}
