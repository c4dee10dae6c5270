//! An order of a console on the table's own thread: it is judged where nothing can happen in between, entered, and answered.
//!
//! Source: `docs/hall.md`, §6.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::{Map, Value};
use tabiya_app::desk::{OrderAnswer, OrderSight, OrderedAct, RefusedOrder, TableOrder};
use tabiya_app::seating::{EVENT, TABLE};
use tabiya_app::session::Entered;
use tabiya_engine::record::{Body, Header, Line};
use tabiya_engine::rules::GAMES;
use tabiya_engine::table::{Common, Input};
use tabiya_types::{Instant, Millis, say};
use tokio::sync::mpsc::UnboundedSender;

use super::hub::{TableHub, has_signed, locked};
use crate::orders::{Later, ORDER, Order, OrderRefusal, RefusalCode, TableNow, from_line, id_of};
use crate::wire::{LONGEST, SentLine};

/// The most orders that wait for a table's loop.
const MOST_WAITING: usize = 16;

/// What an order came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answered {
    /// It stands on the line at this place of this match.
    Did { order: String, uid: String, seq: u64 },
    /// It was refused.
    Refused { order: String, refusal: OrderRefusal },
}

/// An order on its way through the table's loop.
pub(super) struct HallOrder {
    hub: Arc<TableHub>,
    order: Value,
    id: String,
    reply: UnboundedSender<Answered>,
    /// The match that the order acts on, once it is judged.
    uid: Option<String>,
    answered: bool,
}

impl HallOrder {
    /// Sends an order into the table's loop. It is answered in any case.
    pub(super) fn send(hub: &Arc<TableHub>, order: Value, reply: &UnboundedSender<Answered>) {
        let id = id_of(&order).unwrap_or_default().to_owned();
        let waits = hub.waiting.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING;
        let mut asked = Box::new(Self {
            hub: Arc::clone(hub),
            order,
            id,
            reply: reply.clone(),
            uid: None,
            answered: false,
        });
        if waits {
            let says = say!("order-queue", "too many orders wait at the table");
            asked.refuse(OrderRefusal { code: RefusalCode::Late, says });
            return;
        }
        // If the loop has ended, the order is dropped, and is answered by that.
        let _ = hub.send(asked);
    }

    fn did(&mut self, uid: &str, seq: u64) {
        self.answer_with(Answered::Did { order: self.id.clone(), uid: uid.to_owned(), seq });
    }

    fn refuse(&mut self, refusal: OrderRefusal) {
        locked(&self.hub.book).remember(&self.order, &refusal, self.hub.boot.up());
        self.answer_with(Answered::Refused { order: self.id.clone(), refusal });
    }

    fn answer_with(&mut self, answer: Answered) {
        self.answered = true;
        // If the link is gone, the console asks again over the next one.
        let _ = self.reply.send(answer);
    }

    /// What this order came to before, if it has come before.
    fn known(&self, sight: &OrderSight<'_>) -> Option<Answered> {
        let on = sight.on_the_table();
        if let Some((uid, _)) = on {
            if uid == self.id {
                return Some(Answered::Did { order: self.id.clone(), uid: uid.to_owned(), seq: 0 });
            }
            if let Some(seq) = sight.place_of(&self.id) {
                return Some(Answered::Did { order: self.id.clone(), uid: uid.to_owned(), seq });
            }
        }
        // An order of a match that is not on the table any more stands in its record.
        let of = self.order.get("match").and_then(Value::as_str);
        if let Some(uid) = of.filter(|of| on.is_none_or(|(uid, _)| uid != *of))
            && let Some(seq) = self.hub.place_in(uid, &self.id)
        {
            return Some(Answered::Did { order: self.id.clone(), uid: uid.to_owned(), seq });
        }
        let book = locked(&self.hub.book);
        let refusal = book.refused(&self.id, self.hub.boot.up())?.clone();
        Some(Answered::Refused { order: self.id.clone(), refusal })
    }

    /// What is to be done, if the order is taken.
    fn wanted(&mut self, sight: &OrderSight<'_>) -> Result<OrderedAct, OrderRefusal> {
        let hub = Arc::clone(&self.hub);
        // What slept since the order was read is another start.
        hub.boot.wake();
        let (boot, up) = hub.boot.moment();
        let order = hub.with_seat(|seat| {
            let head_at = |seq| {
                let why = |error: tabiya_store::journal::JournalError| error.to_string();
                sight
                    .head_at(seq)
                    .map_err(why)
                    .map_err(|why| say!("order-record", "the record cannot be read: {why}", why))
            };
            let later = |seq| later(sight, seq);
            let now = TableNow {
                event: &seat.event,
                table: seat.table,
                boot: &boot,
                up,
                on: sight.on_the_table(),
                staff: &seat.staff,
                check: &has_signed,
                head_at: &head_at,
                later: &later,
            };
            now.judge(&self.order)
        })?;
        let (event, table) = hub.event_and_table();
        if order.begins() {
            return begins(&order, &event, table);
        }
        self.uid.clone_from(&order.uid);
        enters(&order, sight, &event, table)
    }
}

/// The header of the match that an order begins.
fn begins(order: &Order, event: &str, table: u16) -> Result<OrderedAct, OrderRefusal> {
    let mut header = order.line.clone();
    header.insert("id".to_owned(), order.id.as_str().into());
    header.insert(EVENT.to_owned(), event.into());
    header.insert(TABLE.to_owned(), table.into());
    header.insert(ORDER.to_owned(), order.kept());
    let header = Header::from_value(Value::Object(header), GAMES).map_err(|error| {
        let why = error.to_string();
        let says = say!("order-header", "no match can begin with this header: {why}", why);
        OrderRefusal { code: RefusalCode::Rules, says }
    })?;
    let ago = Millis(order.ago.unwrap_or(0));
    Ok(OrderedAct::Begin(Box::new(header), ago))
}

/// The line that an order becomes, with what it needs so that anybody can put the order together again from it.
fn enters(
    order: &Order,
    sight: &OrderSight<'_>,
    event: &str,
    table: u16,
) -> Result<OrderedAct, OrderRefusal> {
    let mut line = order.entered_line(|side| sight.reading(side).map(|left| left.0))?;
    line.insert("id".to_owned(), order.id.as_str().into());
    line.insert(ORDER.to_owned(), order.kept());
    let entry = sight.entry(line).map_err(|error| OrderRefusal::form(&error))?;
    let as_written =
        Line::new(Instant::ZERO, None, Body::Acted(entry.input.clone())).noted(entry.note.clone());
    let written = as_written.to_value();
    // What the record would say in another way could not be checked against the signature.
    let mut header = Map::new();
    header.insert(EVENT.to_owned(), event.into());
    header.insert(TABLE.to_owned(), table.into());
    let uid = order.uid.clone().unwrap_or_default();
    let again = from_line(&Value::Object(header), &uid, &written);
    if !again
        .is_some_and(|again| again.is_ok_and(|again| again.signed_text(event) == order.signed_text(event)))
    {
        return Err(OrderRefusal::form(&"its line is not written as the record writes it"));
    }
    let sent = SentLine {
        uid,
        seq: u64::from(u32::MAX),
        line: written,
        hash: tabiya_engine::record::chain::Head::from_bytes([0; 32]),
    };
    if crate::wire::FromTable::Line(sent).to_text().len() > LONGEST {
        return Err(OrderRefusal::form(&format_args!("its line is longer than {LONGEST} bytes")));
    }
    Ok(match order.illegal()? {
        Some((by, count)) => OrderedAct::Count(Box::new(entry), by, count),
        None => OrderedAct::Enter(Box::new(entry)),
    })
}

/// What the lines after this place are.
fn later(sight: &OrderSight<'_>, seq: u64) -> Later {
    let mut later = Later::default();
    for line in sight.lines_after(seq) {
        let Body::Acted(input) = &line.body else { continue };
        if *input == Input::Common(Common::Tick) {
            continue;
        }
        later.acts = true;
        let by_arbiter = line.to_value().get("by").is_some_and(|by| by == "arbiter");
        later.rules |= by_arbiter || matches!(input, Input::Common(Common::Next(_) | Common::Rule(_)));
    }
    later
}

impl TableOrder for HallOrder {
    fn judge(&mut self, sight: &OrderSight<'_>) -> Option<OrderedAct> {
        if let Some(known) = self.known(sight) {
            self.answer_with(known);
            return None;
        }
        match self.wanted(sight) {
            Ok(act) => Some(act),
            Err(refusal) => {
                self.refuse(refusal);
                None
            }
        }
    }

    fn answer(mut self: Box<Self>, answer: OrderAnswer) {
        match answer {
            Ok(Entered { own: Some(seq), .. }) => {
                let uid = self.uid.clone().unwrap_or_else(|| self.id.clone());
                self.did(&uid, seq);
            }
            Ok(Entered { own: None, .. }) => {
                let says = say!("order-no-line", "the order has become no line of the record");
                self.refuse(OrderRefusal { code: RefusalCode::Rules, says });
            }
            Err(refused) => {
                let code = match &refused {
                    RefusedOrder::NoMatch(_) => RefusalCode::Match,
                    RefusedOrder::Rules(_) => RefusalCode::Rules,
                    RefusedOrder::Record(_) => RefusalCode::Disk,
                };
                self.refuse(OrderRefusal { code, says: refused.sentence() });
            }
        }
    }
}

impl Drop for HallOrder {
    fn drop(&mut self) {
        self.hub.waiting.fetch_sub(1, Ordering::Relaxed);
        if !self.answered {
            let says = say!("order-table-ended", "the table's program has ended");
            self.answer_with(Answered::Refused {
                order: self.id.clone(),
                refusal: OrderRefusal { code: RefusalCode::Late, says },
            });
        }
    }
}

/// Somebody looks after an alert.
pub(super) struct LookAfter {
    pub(super) alert: u64,
    pub(super) by: Option<String>,
    pub(super) done: bool,
}

impl TableOrder for LookAfter {
    fn judge(&mut self, _: &OrderSight<'_>) -> Option<OrderedAct> {
        Some(OrderedAct::Look { alert: self.alert, by: self.by.take(), done: self.done })
    }

    fn answer(self: Box<Self>, _: OrderAnswer) {}
}
