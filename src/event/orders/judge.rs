//! Whether a table takes an order: the questions of the contract, in its order.

use std::collections::BTreeMap;

use serde_json::Value;
use tabiya_engine::record::chain::Head;
use tabiya_types::{Sentence, say};

use super::{FRESH, Order, OrderRefusal, RefusalCode, id_of, is_id};
use crate::lists::{Check, Staff};

/// The most refusals that a table remembers.
const MOST_REMEMBERED: usize = 1_024;

/// What a table knows of itself when an order comes.
pub struct TableNow<'a> {
    /// The event, 16 hexadecimal digits.
    pub event: &'a str,
    /// The table's number.
    pub table: u16,
    /// This start of the program.
    pub boot: &'a str,
    /// Whole ms since then.
    pub up: u64,
    /// The unique name of the match on the table, and whether it is over; `None` without a match.
    pub on: Option<(&'a str, bool)>,
    /// The newest list of consoles.
    pub staff: &'a Staff,
    /// The check of signatures.
    pub check: &'a Check,
    /// The hash of the match on the table at this place; `Err` if its record cannot be read.
    pub head_at: &'a dyn Fn(u64) -> Result<Option<Head>, Sentence>,
    /// What the lines after this place are, for who had seen it last.
    pub later: &'a dyn Fn(u64) -> Later,
}

/// What has come after a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Later {
    /// Anything but what a board or a clock reports: any line but `sees`, `button` and `tick`.
    pub acts: bool,
    /// A line by the arbiter, or another game.
    pub rules: bool,
}

/// The refusals of this boot, so that the same order gets the same answer again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OrderBook {
    /// For each id: until when it is remembered, in `up`, and why it was refused.
    refused: BTreeMap<String, (u64, OrderRefusal)>,
}

impl OrderBook {
    /// Why the order of this id was refused before, if that is still remembered at this moment of the table.
    pub fn refused(&self, id: &str, up: u64) -> Option<&OrderRefusal> {
        self.refused.get(id).filter(|(until, _)| *until >= up).map(|(_, refusal)| refusal)
    }

    /// Remembers a refusal until `up` is so far that the order would be too late anyway.
    pub fn remember(&mut self, order: &Value, refusal: &OrderRefusal, up: u64) {
        let Some(id) = id_of(order).filter(|id| is_id(id)) else { return };
        // The order has not been read, so it may say anything; it was not given later than now.
        let seen = order.get("seen").and_then(Value::as_u64).map_or(up, |seen| seen.min(up));
        self.refused.retain(|_, (until, _)| *until >= up);
        while self.refused.len() >= MOST_REMEMBERED {
            let oldest = self.refused.iter().min_by_key(|(_, (until, _))| *until).map(|(id, _)| id.clone());
            let Some(oldest) = oldest else { break };
            self.refused.remove(&oldest);
        }
        self.refused.insert(id.to_owned(), (seen.saturating_add(FRESH), refusal.clone()));
    }
}

impl TableNow<'_> {
    /// Judges an order that has not come before. `Ok` is an order that may be entered, if the rules allow it.
    pub fn judge(&self, order: &Value) -> Result<Order, OrderRefusal> {
        let order = Order::read(order).map_err(|fault| OrderRefusal::form(&fault))?;
        order.check_line()?;
        let Some(console) = self.staff.console(&order.key) else {
            let says = say!("order-key", "this console is not in the event's list");
            return Err(OrderRefusal { code: RefusalCode::Key, says });
        };
        if !(self.check)(&order.key, &order.signed_text(self.event), &order.sig) {
            let says = say!("order-signature", "the signature of the order is wrong");
            return Err(OrderRefusal { code: RefusalCode::Sig, says });
        }
        if order.table != self.table {
            let (table, other) = (u64::from(self.table), u64::from(order.table));
            let says = say!(
                "order-table",
                "this is table {table}, and the order is for table {other}",
                table,
                other
            );
            return Err(OrderRefusal { code: RefusalCode::Table, says });
        }
        order.check_word()?;
        if !console.role.is_some_and(|role| order.is_allowed(role, console.has_table(self.table))) {
            let console = console.name.clone();
            let says = say!("order-role", "the role of {console} does not allow this at this table", console);
            return Err(OrderRefusal { code: RefusalCode::StaffRole, says });
        }
        self.in_time(&order)?;
        self.on_the_table(&order)?;
        self.not_stale(&order)?;
        Ok(order)
    }

    fn in_time(&self, order: &Order) -> Result<(), OrderRefusal> {
        let fresh = order.seen <= self.up && self.up - order.seen <= FRESH;
        if order.boot == self.boot && fresh {
            return Ok(());
        }
        let says = say!("order-late", "the order came too late");
        Err(OrderRefusal { code: RefusalCode::Late, says })
    }

    fn on_the_table(&self, order: &Order) -> Result<(), OrderRefusal> {
        let fits = match (&order.uid, self.on) {
            (Some(uid), Some((on, _))) => uid == on,
            (None, Some((_, over))) => over,
            (None, None) => true,
            (Some(_), None) => false,
        };
        if fits {
            return Ok(());
        }
        let says = if order.begins() {
            say!("order-match-runs", "the last match is not over")
        } else {
            say!("order-match", "this is not the match on the table")
        };
        Err(OrderRefusal { code: RefusalCode::Match, says })
    }

    /// Whether the giver had seen the table as it is, as far as it matters for this order.
    fn not_stale(&self, order: &Order) -> Result<(), OrderRefusal> {
        let Some(after) = order.after.filter(|_| !order.begins()) else { return Ok(()) };
        let later = (self.later)(after.seq);
        let gone_on = if order.is_any_time() {
            false
        } else if order.is_grave() {
            later.acts
        } else {
            later.rules
        };
        let head =
            (self.head_at)(after.seq).map_err(|says| OrderRefusal { code: RefusalCode::Disk, says })?;
        if head == Some(after.head) && !gone_on {
            return Ok(());
        }
        let says = say!("order-stale", "the table has gone on");
        Err(OrderRefusal { code: RefusalCode::Stale, says })
    }
}
