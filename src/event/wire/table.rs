//! What a table tells a console (`docs/hall.md`, §4).

use serde_json::{Map, Value, json};
use tabiya_engine::record::chain::Head;
use tabiya_types::{Color, Sentence, ToldSentence};

use super::facts;
use super::fields::{MessageFields, WireFault, person, text, whole};
use super::{GREATEST, LONGEST, LONGEST_SENTENCE, LONGEST_UID, MOST_ALERTS, MOST_MATCHES, named};

/// A message from a table.
#[derive(Clone, PartialEq, Debug)]
pub enum FromTable {
    /// Who speaks, and which matches it has: the first message.
    Hello(TableHello),
    /// A line of a record.
    Line(SentLine),
    /// What the table shows now: its heartbeat.
    State(Box<StateNote>),
    /// A signed head, as it stands in the file of heads.
    Head(String),
    /// An order has become the line at this place.
    Did {
        /// The order's id.
        order: String,
        /// The match's unique name.
        uid: String,
        /// The line's place.
        seq: u64,
    },
    /// An order was not carried out.
    Refused(RefusedNote),
}

/// Who speaks, and which matches it has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableHello {
    /// The event, 16 hexadecimal digits.
    pub event: String,
    /// The table's number.
    pub table: u16,
    /// This start of the program, 16 hexadecimal digits.
    pub boot: String,
    /// Whole ms since then, sleep counted.
    pub up: u64,
    /// The program and its version, for people.
    pub program: String,
    /// The newest matches of the event, at most 64, the oldest first.
    pub matches: Vec<MatchNote>,
}

/// How far a match has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchNote {
    /// The match's unique name.
    pub uid: String,
    /// The hash of its header.
    pub begins: Head,
    /// The place of its last line; the header is 0.
    pub seq: u64,
    /// The hash there.
    pub head: Head,
}

/// A line of a record.
#[derive(Clone, PartialEq, Debug)]
pub struct SentLine {
    /// The match's unique name.
    pub uid: String,
    /// The line's place; the header is 0.
    pub seq: u64,
    /// The line, or the header, without boxes and salts.
    pub line: Value,
    /// The hash of the chain after it.
    pub hash: Head,
}

/// What a table shows now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateNote {
    /// Counts the states of this boot.
    pub n: u64,
    /// Whole ms since the program's start.
    pub up: u64,
    /// The match on the table, the ms since its header, and its clock; `None` without a match.
    pub on: Option<(String, u64, Option<ClockNote>)>,
    /// The board.
    pub board: DeviceNote,
    /// The card reader; `None` at a table without one.
    pub reader: Option<DeviceNote>,
    /// Whether lines cannot be made durable now.
    pub failing: bool,
    /// The open alerts, at most 32, the most urgent first.
    pub alerts: Vec<AlertNote>,
}

/// What a clock shows, in ms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockNote {
    /// White's side.
    pub white: u64,
    /// Black's side.
    pub black: u64,
    /// What runs: `white`, `black`, `bet`.
    pub runs: Option<&'static str>,
}

/// Whether a device is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeviceNote {
    /// `here`, `lost` or `none`.
    pub link: &'static str,
    /// The charge of its battery in percent.
    pub battery: Option<u8>,
}

/// An open alert.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AlertNote {
    /// The boot, a hyphen, and the alert's number.
    pub id: String,
    /// 1: now, 2: soon, 3: look, 4: note.
    pub rank: u8,
    /// The kind, such as `illegal`.
    pub kind: String,
    /// The side that it is about.
    pub by: Option<Color>,
    /// When it opened, in `up`.
    pub since: u64,
    /// How often it happened.
    pub count: u64,
    /// What has happened.
    pub says: SentWords,
    /// What the Laws propose, if they do.
    pub proposes: Option<SentWords>,
    /// Who looks after it.
    pub taken: Option<String>,
}

/// A sentence: its id, its English text of at most 300 characters, and its facts if they have room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SentWords(pub ToldSentence);

/// An order was not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedNote {
    /// The order's id.
    pub order: String,
    /// Why, as one word: `form`, `key`, `sig`, `table`, `role`, `late`, `match`, `stale`, `rules`, `disk`.
    pub code: String,
    /// Why, for people.
    pub says: SentWords,
}

const CODES: [&str; 10] = ["form", "key", "sig", "table", "role", "late", "match", "stale", "rules", "disk"];
const RUNS: [&str; 3] = ["white", "black", "bet"];
const LINKS: [&str; 3] = ["here", "lost", "none"];

impl SentWords {
    /// A sentence, cut to the length of the contract.
    pub fn of(sentence: &Sentence) -> Self {
        let told = ToldSentence::from(sentence);
        let english = told.english.chars().take(LONGEST_SENTENCE).collect();
        Self(ToldSentence { english, facts: facts::that_fit(told.facts), ..told })
    }

    fn read(mut fields: MessageFields) -> Result<Self, WireFault> {
        let id = fields.text("id", LONGEST_UID)?;
        let en = fields.text("en", 4 * LONGEST_SENTENCE)?;
        if en.chars().count() > LONGEST_SENTENCE {
            return Err(WireFault::new("en", format!("has more than {LONGEST_SENTENCE} characters")));
        }
        // Facts that are not understood here leave the sentence in English.
        let facts = fields.optional("with").and_then(|with| facts::read(&with)).unwrap_or_default();
        Ok(Self(ToldSentence { id, english: en, facts }))
    }

    fn value(&self) -> Value {
        let Self(ToldSentence { id, english, facts }) = self;
        let mut value = json!({"id": id, "en": english});
        if let (Some(members), false) = (value.as_object_mut(), facts.is_empty()) {
            members.insert("with".to_owned(), facts::value(facts));
        }
        value
    }
}

impl FromTable {
    /// Reads a message; `None` for one that is passed over. `Err` for one that is known and wrong.
    pub fn read(message: &str) -> Result<Option<Self>, WireFault> {
        let Some((name, mut fields)) = named(message)? else { return Ok(None) };
        Ok(Some(match name.as_str() {
            "hello" => Self::Hello(hello(fields)?),
            "line" => Self::Line(line(fields)?),
            "state" => Self::State(Box::new(state(fields)?)),
            "head" => Self::Head(fields.text("line", LONGEST)?),
            "did" => Self::Did {
                order: fields.text("order", LONGEST_UID)?,
                uid: fields.uid()?,
                seq: fields.seq()?,
            },
            "refused" => Self::Refused(refused(fields)?),
            _ => return Ok(None),
        }))
    }

    /// The message as a JSON text.
    pub fn to_text(&self) -> String {
        match self {
            Self::Hello(hello) => hello.value(),
            Self::Line(SentLine { uid, seq, line, hash }) => {
                json!({"m": "line", "match": uid, "seq": seq, "line": line, "hash": hash.to_string()})
            }
            Self::State(state) => state.value(),
            Self::Head(line) => json!({"m": "head", "line": line}),
            Self::Did { order, uid, seq } => json!({"m": "did", "order": order, "match": uid, "seq": seq}),
            Self::Refused(RefusedNote { order, code, says }) => {
                json!({"m": "refused", "order": order, "code": code, "say": says.value()})
            }
        }
        .to_string()
    }
}

impl TableHello {
    fn value(&self) -> Value {
        let one = |note: &MatchNote| {
            json!({
                "match": note.uid, "begins": note.begins.to_string(), "seq": note.seq, "head": note.head.to_string(),
            })
        };
        json!({
            "m": "hello", "event": self.event, "table": self.table, "boot": self.boot, "up": self.up,
            "program": self.program, "matches": self.matches.iter().map(one).collect::<Vec<_>>(),
        })
    }
}

fn hello(mut fields: MessageFields) -> Result<TableHello, WireFault> {
    Ok(TableHello {
        event: fields.hex("event", 8)?,
        table: fields.table()?,
        boot: fields.hex("boot", 8)?,
        up: fields.millis("up")?,
        program: fields.text("program", LONGEST_UID)?,
        matches: fields.list("matches", MOST_MATCHES, |mut fields| {
            Ok(MatchNote {
                uid: fields.uid()?,
                begins: fields.head("begins")?,
                seq: fields.seq()?,
                head: fields.head("head")?,
            })
        })?,
    })
}

fn line(mut fields: MessageFields) -> Result<SentLine, WireFault> {
    let (uid, seq, line, hash) = (fields.uid()?, fields.seq()?, fields.take("line")?, fields.head("hash")?);
    if !line.is_object() {
        return Err(WireFault::new("line", "is no object"));
    }
    Ok(SentLine { uid, seq, line, hash })
}

fn refused(mut fields: MessageFields) -> Result<RefusedNote, WireFault> {
    let order = fields.text("order", LONGEST_UID)?;
    let code = fields.text("code", LONGEST_UID)?;
    if !CODES.contains(&code.as_str()) {
        return Err(WireFault::new("code", format!("is none of {}", CODES.join(", "))));
    }
    Ok(RefusedNote { order, code, says: SentWords::read(MessageFields::of("say", fields.take("say")?)?)? })
}

impl StateNote {
    fn value(&self) -> Value {
        let (uid, t, clock) = match &self.on {
            None => (Value::Null, Value::Null, Value::Null),
            Some((uid, t, clock)) => {
                (uid.clone().into(), (*t).into(), clock.map_or(Value::Null, clock_value))
            }
        };
        json!({
            "m": "state", "n": self.n, "up": self.up, "match": uid, "t": t, "clock": clock,
            "board": device_value(self.board), "reader": self.reader.map_or(Value::Null, device_value),
            "record": if self.failing { "failing" } else { "ok" },
            "alerts": self.alerts.iter().map(alert_value).collect::<Vec<_>>(),
        })
    }
}

fn state(mut fields: MessageFields) -> Result<StateNote, WireFault> {
    let (n, up) = (fields.millis("n")?, fields.millis("up")?);
    let (uid, t, clock) = (fields.nullable("match")?, fields.nullable("t")?, fields.nullable("clock")?);
    let on = match (uid, t) {
        (None, None) if clock.is_none() => None,
        (Some(uid), Some(t)) => Some((
            text("match", uid, LONGEST_UID)?,
            whole("t", &t, GREATEST)?,
            clock.map(|clock| clock_note(MessageFields::of("clock", clock)?)).transpose()?,
        )),
        _ => return Err(WireFault::new("match", "is there without its `t`, or the other way round")),
    };
    let board = device_note(MessageFields::of("board", fields.take("board")?)?)?;
    let reader = fields.nullable("reader")?.map(|reader| device_note(MessageFields::of("reader", reader)?));
    let record = fields.text("record", LONGEST_UID)?;
    let failing = match record.as_str() {
        "ok" => false,
        "failing" => true,
        _ => return Err(WireFault::new("record", "is neither `ok` nor `failing`")),
    };
    let alerts = fields.list("alerts", MOST_ALERTS, alert_note)?;
    Ok(StateNote { n, up, on, board, reader: reader.transpose()?, failing, alerts })
}

fn clock_value(clock: ClockNote) -> Value {
    json!({"white": clock.white, "black": clock.black, "runs": clock.runs})
}

fn clock_note(mut fields: MessageFields) -> Result<ClockNote, WireFault> {
    let (white, black) = (fields.millis("white")?, fields.millis("black")?);
    let runs = fields.nullable("runs")?.map(|runs| word("runs", &runs, &RUNS)).transpose()?;
    Ok(ClockNote { white, black, runs })
}

fn device_value(device: DeviceNote) -> Value {
    json!({"link": device.link, "battery": device.battery})
}

fn device_note(mut fields: MessageFields) -> Result<DeviceNote, WireFault> {
    let link = word("link", &fields.take("link")?, &LINKS)?;
    let battery = fields.nullable("battery")?.map(|percent| whole("battery", &percent, 100)).transpose()?;
    Ok(DeviceNote { link, battery: battery.and_then(|percent| u8::try_from(percent).ok()) })
}

/// One of these words.
fn word(name: &'static str, value: &Value, words: &[&'static str]) -> Result<&'static str, WireFault> {
    let found = words.iter().find(|word| value.as_str() == Some(word));
    found.copied().ok_or_else(|| WireFault::new(name, format!("is none of {}", words.join(", "))))
}

fn alert_value(alert: &AlertNote) -> Value {
    let mut value = Map::new();
    value.insert("id".to_owned(), alert.id.clone().into());
    value.insert("rank".to_owned(), alert.rank.into());
    value.insert("kind".to_owned(), alert.kind.clone().into());
    value.insert("by".to_owned(), alert.by.map(Color::word).into());
    value.insert("since".to_owned(), alert.since.into());
    value.insert("count".to_owned(), alert.count.into());
    value.insert("say".to_owned(), alert.says.value());
    if let Some(proposes) = &alert.proposes {
        value.insert("proposes".to_owned(), proposes.value());
    }
    value.insert("taken".to_owned(), alert.taken.clone().into());
    Value::Object(value)
}

fn alert_note(mut fields: MessageFields) -> Result<AlertNote, WireFault> {
    let id = fields.text("id", LONGEST_UID)?;
    let rank = fields.whole("rank", 4)?;
    let kind = fields.text("kind", 24)?;
    if !kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
        return Err(WireFault::new("kind", "has other signs than small letters and hyphens"));
    }
    let by = match fields.nullable("by")? {
        None => None,
        Some(by) => Some(
            Color::ALL
                .into_iter()
                .find(|color| by.as_str() == Some(color.word()))
                .ok_or_else(|| WireFault::new("by", "is neither `white` nor `black`"))?,
        ),
    };
    let (since, count) = (fields.millis("since")?, fields.millis("count")?);
    let says = SentWords::read(MessageFields::of("say", fields.take("say")?)?)?;
    let proposes = fields.optional("proposes").map(|sent| MessageFields::of("proposes", sent));
    let proposes = proposes.transpose()?.map(SentWords::read).transpose()?;
    let taken = fields.nullable("taken")?.map(|taken| person("taken", taken)).transpose()?;
    match u8::try_from(rank) {
        Ok(rank) if rank > 0 => Ok(AlertNote { id, rank, kind, by, since, count, says, proposes, taken }),
        _ => Err(WireFault::new("rank", "is no number from 1 to 4")),
    }
}
