//! Orders that a console gives: what people typed becomes a signed order with the age and the place of what they saw.
//!
//! Source: `docs/hall.md`, §6.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};
use tabiya_app::words::{TypedOrder, read};
use tabiya_engine::record::chain::hex;
use tabiya_engine::record::replica::Reached;
use tabiya_engine::record::{Body, Line};
use tabiya_engine::table::{QuestionBefore, Table, question_about};
use tabiya_types::{Color, Instant, Sentence, say};

use super::hall::Hall;
use super::link::ToLink;
use crate::orders::{ANY_TIME, GRAVE, ILLEGAL, Order, WORDS};
use crate::wire::{FromConsole, LONGEST};

/// An order that was given and not answered yet.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct GivenOrder {
    pub(super) table: u16,
    /// What was typed.
    pub(super) words: String,
    pub(super) arbiter: String,
    /// When, in ms of the console's own time.
    pub(super) at: u64,
    /// The lines that are ordered after it.
    pub(super) rest: Vec<Map<String, Value>>,
}

/// Why an order cannot be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrderFault {
    /// The table has no link.
    NotHere(u16),
    /// The table has told nothing of itself yet.
    NoState(u16),
    /// No match is on the table.
    NoMatch(u16),
    /// The match is not understood here.
    Newer(u16),
    /// What was typed is not understood, or cannot be ordered.
    Words(Sentence),
    /// The system provides no random numbers.
    NoChance,
}

/// What is to be ordered at a table.
#[derive(Clone, PartialEq, Debug)]
pub struct WantedOrder {
    /// The lines, each without a moment, one after the other; or a header to begin a match.
    pub lines: Vec<Map<String, Value>>,
    /// What was typed.
    pub words: String,
    /// What is asked at the console before it is ordered, because it is grave.
    pub question: Option<Sentence>,
    /// How many ms ago the round began, for a match that begins.
    pub ago: Option<u64>,
    /// What its giver had seen; `None` to begin a match.
    pub bound: Option<BoundOrder>,
}

/// What the giver of an order had seen of the table: it acts on that, or not at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundOrder {
    uid: String,
    boot: String,
    seen: u64,
    after: Option<Reached>,
}

impl Hall {
    /// What these typed words order at this table: the table's own grammar, read with the console's copy of its match.
    pub fn wanted(&self, number: u16, words: &str, now: u64) -> Result<WantedOrder, OrderFault> {
        let table =
            self.tables.get(&number).filter(|table| table.is_here()).ok_or(OrderFault::NotHere(number))?;
        let (state, came) = table.state.as_ref().ok_or(OrderFault::NoState(number))?;
        let (uid, t, _) = state.on.as_ref().ok_or(OrderFault::NoMatch(number))?;
        let after = table.matches.get(uid).and_then(super::hall::MatchSeen::reached);
        let bound = Some(BoundOrder { uid: uid.clone(), boot: table.boot.clone(), seen: state.up, after });
        let first = words.split_whitespace().next().unwrap_or_default().to_lowercase();
        if let Some(line) = plain_word(&first, words) {
            return Ok(WantedOrder {
                lines: vec![line?],
                words: words.to_owned(),
                question: None,
                ago: None,
                bound,
            });
        }
        let (_, of_match) = table.on().ok_or(OrderFault::NoMatch(number))?;
        if of_match.newer {
            return Err(OrderFault::Newer(number));
        }
        if let Some(line) = added_time(words) {
            return Ok(WantedOrder {
                lines: vec![line?],
                words: words.to_owned(),
                question: None,
                ago: None,
                bound,
            });
        }
        let replay = of_match.replay().ok_or(OrderFault::Newer(number))?;
        let at = Instant::from_millis(t + now.saturating_sub(*came));
        let (lines, question) = read_words(words, replay.table(), at)?;
        Ok(WantedOrder { lines, words: words.to_owned(), question, ago: None, bound })
    }

    /// An order whose question was answered just now: for the match and the line that its giver had seen when it was asked, with the
    /// state that this console has now (`seen`). Reading a question takes longer than an order may be under way.
    pub fn answered_now(&self, number: u16, wanted: WantedOrder) -> WantedOrder {
        let state =
            self.tables.get(&number).and_then(|table| table.state.as_ref().map(|(state, _)| (table, state)));
        let bound = wanted.bound.map(|bound| match state {
            Some((table, state)) if table.boot == bound.boot => BoundOrder { seen: state.up, ..bound },
            _ => bound,
        });
        WantedOrder { bound, ..wanted }
    }

    /// Signs the order of the first line and sends it; each further one follows once the line before is written. Returns its id.
    pub fn give(
        &mut self,
        number: u16,
        wanted: WantedOrder,
        arbiter: &str,
        now: u64,
    ) -> Result<String, OrderFault> {
        let WantedOrder { lines, words, ago, bound, .. } = wanted;
        let mut lines: VecDeque<Map<String, Value>> = lines.into();
        let nothing = || OrderFault::Words(say!("order-becomes-nothing", "this becomes no line"));
        let line = lines.pop_front().ok_or_else(nothing)?;
        let table = self.tables.get(&number).ok_or(OrderFault::NotHere(number))?;
        let to = table.link.as_ref().ok_or(OrderFault::NotHere(number))?;
        let (state, _) = table.state.as_ref().ok_or(OrderFault::NoState(number))?;
        let word = line.get("do").and_then(Value::as_str).unwrap_or_default();
        let any_time = ANY_TIME.contains(&word);
        let id: [u8; 16] = crate::boot::chance().map_err(|_| OrderFault::NoChance)?;
        let (boot, seen) =
            bound.as_ref().map_or((table.boot.clone(), state.up), |bound| (bound.boot.clone(), bound.seen));
        let mut order = Order {
            id: format!("o-{}", hex(&id)),
            table: number,
            after: bound.as_ref().and_then(|bound| bound.after).filter(|_| !any_time),
            uid: bound.map(|bound| bound.uid),
            boot,
            seen,
            arbiter: arbiter.to_owned(),
            line,
            ago,
            key: self.key.public().to_string(),
            sig: String::new(),
        };
        order.sig = self.key.sign(&order.signed_text(&self.event));
        let message = FromConsole::Order(order.value());
        if message.to_text().len() > LONGEST {
            return Err(OrderFault::Words(say!(
                "order-too-long",
                "this order is longer than a message may be; give a shorter reason"
            )));
        }
        let _ = to.send.send(ToLink::Say(Box::new(message)));
        let given =
            GivenOrder { table: number, words, arbiter: arbiter.to_owned(), at: now, rest: lines.into() };
        self.orders.insert(order.id.clone(), given);
        Ok(order.id)
    }
}

impl Hall {
    /// What a console has seen of a table whose line at this place is an order that it gave.
    pub(super) fn bound_after(&self, number: u16, seq: u64) -> Option<BoundOrder> {
        let table = self.tables.get(&number)?;
        let (state, _) = table.state.as_ref()?;
        let (uid, of_match) = table.on()?;
        let after = of_match.hash_at(seq).map(|head| Reached { seq, head });
        Some(BoundOrder { uid: uid.to_owned(), boot: table.boot.clone(), seen: state.up, after })
    }
}

/// `pause` and `resume`, which need no copy of the match, and stand alone. `None` for other words.
fn plain_word(first: &str, words: &str) -> Option<Result<Map<String, Value>, OrderFault>> {
    if !ANY_TIME.contains(&first) {
        return None;
    }
    if words.split_whitespace().count() > 1 {
        let word = first.to_owned();
        let what = say!(
            "order-stands-alone",
            "`{word}` stands alone: write {word}, and the reason in a ruling",
            word
        );
        return Some(Err(OrderFault::Words(what)));
    }
    json!({"do": first, "by": "arbiter"}).as_object().cloned().map(Ok)
}

/// `rule clock COLOUR ±SECONDS REASON`: time that is added at the table, whatever its clock reads when the order comes. `None` for
/// other words.
fn added_time(words: &str) -> Option<Result<Map<String, Value>, OrderFault>> {
    let mut parts = words.split_whitespace();
    let lower = |word: Option<&str>| word.map(str::to_lowercase);
    if lower(parts.next()).as_deref() != Some("rule") || lower(parts.next()).as_deref() != Some("clock") {
        return None;
    }
    let color = lower(parts.next())?;
    let color = Color::ALL
        .into_iter()
        .find(|known| known.word() == color || known.word().starts_with(&*color) && color.len() == 1)?;
    let gain = parts.next()?;
    if !gain.starts_with(['+', '-']) {
        return None;
    }
    let seconds: Option<f64> = gain.parse().ok().filter(|seconds: &f64| seconds.abs() <= 86_400.0);
    let reason = parts.collect::<Vec<_>>().join(" ");
    let Some(seconds) = seconds else {
        let gain = gain.to_owned();
        let what = say!("order-no-seconds", "`{gain}` is no number of seconds; write +60 or -30", gain);
        return Some(Err(OrderFault::Words(what)));
    };
    if reason.is_empty() {
        let what = say!("order-reason", "a ruling needs its reason: rule clock white +60 Laws 7.5.5");
        return Some(Err(OrderFault::Words(what)));
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most a day in ms")]
    let millis = (seconds * 1_000.0).round() as i64;
    let line =
        json!({"do": "rule", "by": "arbiter", "reason": reason, "set": {"add_ms": {color.word(): millis}}});
    line.as_object().cloned().map(Ok)
}

/// Lines to order, and what is asked before.
type LinesAndQuestion = (Vec<Map<String, Value>>, Option<Sentence>);

/// The lines that typed words become, and what is asked before they are ordered.
fn read_words(words: &str, table: &Table, at: Instant) -> Result<LinesAndQuestion, OrderFault> {
    let typed = read(words, table, None, None, at).map_err(OrderFault::Words)?;
    let (inputs, asked) = match typed {
        TypedOrder::Do(inputs) => (inputs, None),
        TypedOrder::Ask(QuestionBefore { text, mut answers, .. }) if answers.len() == 1 => {
            (answers.pop().map(|(_, inputs)| inputs).unwrap_or_default(), Some(text))
        }
        TypedOrder::IllegalMoves(by, count, reason) => {
            let set = json!({ILLEGAL: {by.word(): count}});
            let line = json!({"do": "rule", "by": "arbiter", "reason": reason, "set": set});
            return Ok((line.as_object().cloned().into_iter().collect(), None));
        }
        _ => return Err(not_to_order()),
    };
    let mut lines = Vec::new();
    let mut question = asked;
    for input in inputs {
        let Value::Object(mut line) = Line::new(at, None, Body::Acted(input.clone())).to_value() else {
            continue;
        };
        line.shift_remove("t");
        let by = line.get("by").is_none_or(|by| by == "arbiter");
        if !by || !line.get("do").and_then(Value::as_str).is_some_and(|word| WORDS.contains(&word)) {
            return Err(not_to_order());
        }
        if question.is_none() && is_grave(&line) {
            // What takes back or goes on has no words of its own before it is done.
            let what = question_about(table, input).text;
            let plain = || say!("order-words", "order `{words}`?", words = words.to_owned());
            question = Some(if what.to_string().trim() == "?" { plain() } else { what });
        }
        lines.push(line);
    }
    Ok((lines, question))
}

fn not_to_order() -> OrderFault {
    OrderFault::Words(say!("order-nothing", "this is nothing that a console can order"))
}

/// Whether the console asks before it orders this, because it takes back or decides.
fn is_grave(line: &Map<String, Value>) -> bool {
    let sets = |name: &&str| line.get("set").is_some_and(|set| set.get(*name).is_some());
    match line.get("do").and_then(Value::as_str) {
        Some("undo" | "redo" | "end-match" | "fouled" | "claim-flag") => true,
        Some("rule") => GRAVE.iter().any(sets),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_pauses_with_a_reason_is_told_that_pause_stands_alone() {
        assert!(matches!(plain_word("pause", "17 pause"), Some(Err(_))));
        let line = plain_word("pause", "pause").expect("this word").expect("a line");
        assert_eq!(Value::Object(line), json!({"do": "pause", "by": "arbiter"}));
        assert!(matches!(plain_word("pause", "pause he is ill"), Some(Err(OrderFault::Words(_)))));
        assert!(plain_word("rule", "rule clock white +60 x").is_none());
    }

    #[test]
    fn time_is_added_at_the_table_and_needs_a_reason() {
        let line = added_time("rule clock black +60 Laws 7.5.5").expect("these words").expect("a line");
        let wanted = json!({"do": "rule", "by": "arbiter", "reason": "Laws 7.5.5", "set": {"add_ms": {"black": 60_000}}});
        assert_eq!(Value::Object(line), wanted);
        assert!(added_time("rule clock black +60").expect("these words").is_err());
        assert!(added_time("rule clock black +x why").expect("these words").is_err());
        assert_eq!(added_time("rule clock black 600 why"), None, "a reading is the table's own grammar");
        assert_eq!(added_time("pause"), None);
    }
}
