//! Orders: what a console asks of a table, signed; whether the table takes it; and how anybody who has the record puts an order
//! together again from its line.
//!
//! An order acts now or never: the table's own time and the last line that its giver had seen decide whether it is too late.
//!
//! Source: `docs/hall.md`, §6.

use serde_json::{Map, Value, json};
use tabiya_engine::record::replica::Reached;
use tabiya_types::{Color, Sentence, say};

use crate::lists::{Check, StaffRole, signed_text};
use crate::wire::{GREATEST, LONGEST_UID, MessageFields, WireFault, person};

mod judge;

pub use judge::{Later, OrderBook, TableNow};

pub use tabiya_app::seating::ORDER;
/// How long after the state that its giver had last an order is taken, in ms of the table's own time.
pub const FRESH: u64 = 10_000;
/// The longest time ago at which a round may have begun, in ms: a day.
pub const LONGEST_AGO: u64 = 86_400_000;
/// The most that a correction adds to a clock or takes from it, in ms: a day, as in the words of a table.
const LONGEST_GAIN: u64 = 86_400_000;
/// The greatest reading that is ordered, in ms: that of a clock of a day, and a day more.
const GREATEST_READING: u64 = 2 * LONGEST_GAIN;
/// The words that may be ordered.
pub const WORDS: [&str; 9] =
    ["pause", "resume", "rule", "undo", "redo", "correct", "fouled", "claim-flag", "end-match"];
/// The words that are taken whatever was played since.
pub const ANY_TIME: [&str; 2] = ["pause", "resume"];
/// What a ruling sets that must not meet a game that has gone on.
pub const GRAVE: [&str; 6] = ["fen", "to_act", "winner", "points", "game", "forfeit"];
/// The member of a ruling's `set` that corrects how many illegal moves a side has made. Only orders have it.
pub(crate) const ILLEGAL: &str = "illegal";
/// The most illegal moves of a side in a game that can be ruled.
const MOST_ILLEGAL: u64 = 99;
/// What an arbiter of results may set.
const OF_RESULTS: [&str; 3] = ["winner", "points", "forfeit"];

/// Why an order is refused, as one word of the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusalCode {
    /// It has not the form of the contract.
    Form,
    /// The key is not in the newest list of consoles.
    Key,
    /// The signature is wrong.
    Sig,
    /// It is for another table.
    Table,
    /// The console's role does not allow it.
    StaffRole,
    /// The time for it is over.
    Late,
    /// It is for another match.
    Match,
    /// The table has gone on.
    Stale,
    /// The rules refuse it.
    Rules,
    /// Its line could not be made durable.
    Disk,
}

impl RefusalCode {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Key => "key",
            Self::Sig => "sig",
            Self::Table => "table",
            Self::StaffRole => "role",
            Self::Late => "late",
            Self::Match => "match",
            Self::Stale => "stale",
            Self::Rules => "rules",
            Self::Disk => "disk",
        }
    }
}

/// A refused order: why, as a word and as a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderRefusal {
    /// The word.
    pub code: RefusalCode,
    /// The sentence.
    pub says: Sentence,
}

impl OrderRefusal {
    pub(crate) fn form(what: &impl ToString) -> Self {
        let what = what.to_string();
        Self { code: RefusalCode::Form, says: say!("order-form", "the order is wrong: {what}", what) }
    }
}

/// An order as it was signed.
#[derive(Clone, PartialEq, Debug)]
pub struct Order {
    /// Its id: `o-` and 32 hexadecimal digits.
    pub id: String,
    /// The table's number.
    pub table: u16,
    /// The match's unique name; `None` to begin one.
    pub uid: Option<String>,
    /// The table's boot.
    pub boot: String,
    /// The table's `up` in the last state that the console had.
    pub seen: u64,
    /// The last line that the console had.
    pub after: Option<Reached>,
    /// Who gives it.
    pub arbiter: String,
    /// The line, or the header of a match to begin.
    pub line: Map<String, Value>,
    /// How many ms ago the round began.
    pub ago: Option<u64>,
    /// The console's key.
    pub key: String,
    /// The console's signature.
    pub sig: String,
}

/// What a ruling sets.
fn sets(line: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let set = line.get("set").and_then(Value::as_object);
    set.into_iter().flat_map(|set| set.keys().map(String::as_str))
}

/// Whether this role may order this line at a table, which may be one of its own.
pub(crate) fn allows(role: StaffRole, own_table: bool, line: &Map<String, Value>) -> bool {
    match role {
        StaffRole::Chief | StaffRole::Deputy => true,
        StaffRole::Sector => own_table,
        StaffRole::Results => {
            let mut sets = sets(line).peekable();
            line.get("do").and_then(Value::as_str) == Some("rule")
                && sets.peek().is_some()
                && sets.all(|name| OF_RESULTS.contains(&name))
        }
    }
}

/// Whether this is the id of an order: `o-` and 32 hexadecimal digits.
fn is_id(id: &str) -> bool {
    let digits = id.strip_prefix("o-").filter(|digits| digits.len() == 32);
    digits.is_some_and(|digits| digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
}

/// The id of an order, if it has one.
pub fn id_of(order: &Value) -> Option<&str> {
    order.get("id").and_then(Value::as_str)
}

impl Order {
    /// Reads an order: all of its members are there, and no other.
    pub fn read(order: &Value) -> Result<Self, WireFault> {
        let mut fields = MessageFields::of("order", order.clone())?;
        let known =
            ["m", "id", "table", "match", "boot", "seen", "after", "arbiter", "line", "ago", "key", "sig"];
        if let Some(name) = fields.names().find(|name| !known.contains(name)) {
            let shown: String = name.chars().take(40).flat_map(char::escape_default).collect();
            return Err(WireFault::new("order", format!("has a member `{shown}` that no order has")));
        }
        let id = fields.text("id", LONGEST_UID)?;
        if !is_id(&id) {
            return Err(WireFault::new("id", "is not `o-` and 32 hexadecimal digits"));
        }
        let after = match fields.optional("after") {
            None => None,
            Some(after) => {
                let mut after = MessageFields::of("after", after)?;
                Some(Reached { seq: after.seq()?, head: after.head("head")? })
            }
        };
        let ago = fields.get("ago").is_some().then(|| fields.whole("ago", LONGEST_AGO)).transpose()?;
        let line = MessageFields::of("line", fields.take("line")?)?.into_map();
        Ok(Self {
            id,
            table: fields.table()?,
            uid: fields
                .nullable("match")?
                .map(|uid| crate::wire::text_of("match", uid, LONGEST_UID))
                .transpose()?,
            boot: fields.hex("boot", 8)?,
            seen: fields.whole("seen", GREATEST)?,
            after,
            arbiter: person("arbiter", fields.take("arbiter")?)?,
            line,
            ago,
            key: fields.hex("key", 32)?,
            sig: fields.hex("sig", 64)?,
        })
    }

    /// The order as a message, without a signature if `sig` is empty.
    pub fn value(&self) -> Value {
        let mut value = json!({"m": "order", "id": self.id, "table": self.table, "match": self.uid});
        if let Some(members) = value.as_object_mut() {
            let mut put = |name: &str, value: Value| members.insert(name.to_owned(), value);
            put("boot", self.boot.clone().into());
            put("seen", self.seen.into());
            if let Some(after) = self.after {
                put("after", after_value(after));
            }
            put("arbiter", self.arbiter.clone().into());
            put("line", self.line.clone().into());
            if let Some(ago) = self.ago {
                put("ago", ago.into());
            }
            put("key", self.key.clone().into());
            if !self.sig.is_empty() {
                put("sig", self.sig.clone().into());
            }
        }
        value
    }

    /// The text that the console signs: the canonical order without `sig`, with the event.
    pub fn signed_text(&self, event: &str) -> String {
        let mut value = self.value();
        if let Some(members) = value.as_object_mut() {
            members.insert("event".to_owned(), event.into());
        }
        signed_text(&value)
    }

    /// The side whose number of illegal moves it corrects, and the number; `None` for another order.
    pub fn illegal(&self) -> Result<Option<(Color, u32)>, OrderRefusal> {
        let Some(illegal) = self.line.get("set").and_then(|set| set.get(ILLEGAL)) else { return Ok(None) };
        let one =
            illegal.as_object().filter(|counts| counts.len() == 1).and_then(|counts| counts.iter().next());
        let read = one.and_then(|(side, count)| {
            let count = count.as_u64().filter(|count| *count <= MOST_ILLEGAL)?;
            Some((Color::from_word(side)?, u32::try_from(count).ok()?))
        });
        let wrong = || OrderRefusal::form(&"`illegal` has something else than a colour and its number");
        read.map(Some).ok_or_else(wrong)
    }

    /// Whether this order begins a match.
    pub fn begins(&self) -> bool {
        self.uid.is_none()
    }

    /// The word of its line; `None` for one that begins a match.
    pub fn word(&self) -> Option<&str> {
        self.line.get("do").and_then(Value::as_str)
    }

    /// Whether it is taken whatever was played since.
    fn is_any_time(&self) -> bool {
        self.word().is_some_and(|word| ANY_TIME.contains(&word))
    }

    /// What a ruling sets.
    fn sets(&self) -> impl Iterator<Item = &str> {
        sets(&self.line)
    }

    /// Whether it must not meet a game that has gone on, because it takes back or decides.
    pub(crate) fn is_grave(&self) -> bool {
        match self.word() {
            Some("undo" | "redo") => true,
            Some("rule") => self.sets().any(|name| GRAVE.contains(&name)),
            _ => false,
        }
    }

    /// Whether this role may give it at a table, which may be one of the console's own.
    pub(crate) fn is_allowed(&self, role: StaffRole, own_table: bool) -> bool {
        (role == StaffRole::Results && self.begins()) || allows(role, own_table, &self.line)
    }

    /// Whether its line may be ordered at all, and has the members that an order of this word needs.
    fn check_line(&self) -> Result<(), OrderRefusal> {
        let own = |name: &str| name.starts_with("x-") || name == "id";
        if let Some(name) = self.line.keys().find(|name| own(name)) {
            return Err(OrderRefusal::form(&format_args!("its line has `{name}`, which the table sets")));
        }
        if self.begins() {
            return Ok(());
        }
        if self.ago.is_some() {
            return Err(OrderRefusal::form(&"only an order that begins a match has `ago`"));
        }
        if let Some(name) = ["t", "when"].into_iter().find(|name| self.line.contains_key(*name)) {
            return Err(OrderRefusal::form(&format_args!("its line has `{name}`, which the table sets")));
        }
        Ok(())
    }

    /// Whether its word may be ordered, by the arbiter alone, after the line that it needs.
    fn check_word(&self) -> Result<(), OrderRefusal> {
        if self.begins() {
            return Ok(());
        }
        let word = self.word().filter(|word| WORDS.contains(word));
        let Some(word) = word else {
            return Err(OrderRefusal::form(&format_args!("`do` is none of {}", WORDS.join(", "))));
        };
        if self.line.get("by").is_some_and(|by| by != "arbiter") {
            return Err(OrderRefusal::form(&"only what the arbiter does can be ordered"));
        }
        if self.after.is_none() && !ANY_TIME.contains(&word) {
            return Err(OrderRefusal::form(&format_args!(
                "`{word}` needs `after`, the last line that its giver had"
            )));
        }
        Ok(())
    }

    /// The line's own copy of this order, which stands in its `x-order`. `added` is what `add_ms` said.
    pub fn kept(&self) -> Value {
        let mut kept = Map::new();
        let mut put = |name: &str, value: Value| kept.insert(name.to_owned(), value);
        if let Some(after) = self.after {
            put("after", after_value(after));
        }
        put("arbiter", self.arbiter.clone().into());
        put("boot", self.boot.clone().into());
        put("key", self.key.clone().into());
        put("seen", self.seen.into());
        put("sig", self.sig.clone().into());
        if let Some(ago) = self.ago {
            put("ago", ago.into());
        }
        if let Some(added) = self.line.get("set").and_then(|set| set.get("add_ms")) {
            put("add_ms", added.clone());
        }
        if let Some(illegal) = self.line.get("set").and_then(|set| set.get(ILLEGAL)) {
            put(ILLEGAL, illegal.clone());
        }
        Value::Object(kept)
    }

    /// The line that is entered: as ordered, but with the clocks' readings in the place of what is added to them. `reading` tells
    /// a side's clock at the line's moment, in ms; `None` for a side without a clock.
    pub fn entered_line(
        &self,
        reading: impl Fn(Color) -> Option<u64>,
    ) -> Result<Map<String, Value>, OrderRefusal> {
        let mut line = self.line.clone();
        let Some(set) = line.get_mut("set").and_then(Value::as_object_mut) else { return Ok(line) };
        let readings = set.get("clock_ms").and_then(Value::as_object);
        let too_great = |reading: &Value| reading.as_u64().is_some_and(|reading| reading > GREATEST_READING);
        if readings.is_some_and(|readings| readings.values().any(too_great)) {
            return Err(OrderRefusal::form(&format_args!(
                "`clock_ms` is more than {GREATEST_READING} ms, two days"
            )));
        }
        // The number stands in fields of the table's own; the ruling keeps the reason.
        set.shift_remove(ILLEGAL);
        let Some(added) = set.shift_remove("add_ms") else { return Ok(line) };
        if set.contains_key("clock_ms") {
            return Err(OrderRefusal::form(&"`add_ms` stands beside `clock_ms`"));
        }
        let Value::Object(added) = added else { return Err(OrderRefusal::form(&"`add_ms` is no object")) };
        let mut clocks = Map::new();
        for (side, gain) in added {
            let color = Color::ALL.into_iter().find(|color| color.word() == side);
            let gain = gain.as_i64().filter(|gain| gain.unsigned_abs() <= LONGEST_GAIN);
            let (Some(color), Some(gain)) = (color, gain) else {
                return Err(OrderRefusal::form(
                    &"`add_ms` has something else than whole ms of `white` and `black`, a day at most",
                ));
            };
            let Some(now) = reading(color) else {
                let says = say!("order-no-clock", "{color} has no clock to which time could be added", color);
                return Err(OrderRefusal { code: RefusalCode::Rules, says });
            };
            let then = i64::try_from(now).unwrap_or(i64::MAX).saturating_add(gain).max(0);
            clocks.insert(side, then.into());
        }
        set.insert("clock_ms".to_owned(), Value::Object(clocks));
        Ok(line)
    }
}

fn after_value(after: Reached) -> Value {
    json!({"seq": after.seq, "head": after.head.to_string()})
}

/// Puts the order together again from which a line of a record came; `None` if the line came from none. `header` is the match's
/// header, `uid` its unique name; `line` may be the header itself.
pub fn from_line(header: &Value, uid: &str, line: &Value) -> Option<Result<Order, WireFault>> {
    let kept = line.get(ORDER)?.clone();
    Some(order_of(header, uid, line, kept))
}

fn order_of(header: &Value, uid: &str, line: &Value, kept: Value) -> Result<Order, WireFault> {
    let begins = line.get("tabiya").is_some();
    let mut kept = MessageFields::of(ORDER, kept)?;
    let mut line = MessageFields::of("line", line.clone())?.into_map();
    let id = line.shift_remove("id").unwrap_or_default();
    let own: Vec<String> = line.keys().filter(|name| name.starts_with("x-")).cloned().collect();
    for name in own {
        line.shift_remove(&name);
    }
    if !begins {
        line.shift_remove("t");
    }
    if let (Some(added), Some(set)) =
        (kept.optional("add_ms"), line.get_mut("set").and_then(Value::as_object_mut))
    {
        set.shift_remove("clock_ms");
        set.insert("add_ms".to_owned(), added);
    }
    if let Some(illegal) = kept.optional(ILLEGAL) {
        let set = line.entry("set").or_insert_with(|| json!({}));
        if let Some(set) = set.as_object_mut() {
            set.insert(ILLEGAL.to_owned(), illegal);
        }
    }
    let mut order = Map::new();
    let mut put = |name: &str, value: Value| order.insert(name.to_owned(), value);
    put("m", "order".into());
    put("id", id);
    put("table", header.get("x-table").cloned().unwrap_or_default());
    put("match", if begins { Value::Null } else { uid.into() });
    put("line", Value::Object(line));
    for name in ["boot", "seen", "after", "arbiter", "ago", "key", "sig"] {
        if let Some(value) = kept.optional(name) {
            put(name, value);
        }
    }
    Order::read(&Value::Object(order))
}

/// Whether this order, which stands in a record of this event, was signed by the console that it names.
pub fn is_signed(order: &Order, event: &str, check: &Check) -> bool {
    check(&order.key, &order.signed_text(event), &order.sig)
}

#[cfg(test)]
mod tests;
