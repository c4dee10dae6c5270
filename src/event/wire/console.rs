//! What a console tells a table (`docs/hall.md`, §5 and §6).

use serde_json::{Value, json};
use tabiya_engine::record::replica::Reached;

use super::fields::{MessageFields, WireFault, person};
use super::{LONGEST_UID, MOST_MATCHES, named};

/// A message from a console.
#[derive(Clone, PartialEq, Debug)]
pub enum FromConsole {
    /// Who speaks, and which copies it has: the answer to `hello`.
    Welcome(Welcome),
    /// Lines of a match are durable up to this place.
    Kept {
        /// The match's unique name.
        uid: String,
        /// The place.
        seq: u64,
    },
    /// The heartbeat.
    Here,
    /// Somebody looks after an alert, or no longer.
    Take(Take),
    /// The list of consoles, as it was signed.
    Staff(Value),
    /// An order, as it was signed. What is wrong with it is answered, and does not end the link.
    Order(Value),
}

/// Who speaks, and which copies it has.
#[derive(Clone, PartialEq, Debug)]
pub struct Welcome {
    /// The console's name.
    pub console: String,
    /// The table's number.
    pub table: u16,
    /// For each match of the `hello` of which the console has a copy: how far the copy has come.
    pub have: Vec<Have>,
    /// The list of consoles, as it was signed.
    pub staff: Value,
}

/// How far a console's copy has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Have {
    /// The match's unique name.
    pub uid: String,
    /// The place and the hash of its last line.
    pub reached: Reached,
}

/// Somebody looks after an alert, or no longer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Take {
    /// The alert's id.
    pub alert: String,
    /// Who looks after it; `None`: nobody.
    pub arbiter: Option<String>,
    /// Whether it is closed without a ruling.
    pub done: bool,
}

impl FromConsole {
    /// Reads a message; `None` for one that is passed over. `Err` for one that is known and wrong.
    pub fn read(message: &str) -> Result<Option<Self>, WireFault> {
        let Some((name, mut fields)) = named(message)? else { return Ok(None) };
        Ok(Some(match name.as_str() {
            "welcome" => Self::Welcome(welcome(fields)?),
            "kept" => Self::Kept { uid: fields.uid()?, seq: fields.seq()? },
            "here" => Self::Here,
            "take" => Self::Take(take(fields)?),
            "staff" => Self::Staff(Value::Object(fields.into_map())),
            "order" => {
                if !fields.get("id").is_some_and(Value::is_string) {
                    return Err(WireFault::new(
                        "id",
                        "is missing or no text, so that nobody could be answered",
                    ));
                }
                Self::Order(Value::Object(fields.into_map()))
            }
            _ => return Ok(None),
        }))
    }

    /// The message as a JSON text.
    pub fn to_text(&self) -> String {
        match self {
            Self::Welcome(Welcome { console, table, have, staff }) => {
                let one = |have: &Have| {
                    let Have { uid, reached } = have;
                    json!({"match": uid, "seq": reached.seq, "head": reached.head.to_string()})
                };
                let have: Vec<Value> = have.iter().map(one).collect();
                json!({"m": "welcome", "console": console, "table": table, "have": have, "staff": staff})
                    .to_string()
            }
            Self::Kept { uid, seq } => json!({"m": "kept", "match": uid, "seq": seq}).to_string(),
            Self::Here => r#"{"m":"here"}"#.to_owned(),
            Self::Take(Take { alert, arbiter, done }) => {
                let mut value = json!({"m": "take", "alert": alert, "arbiter": arbiter});
                if *done && let Some(members) = value.as_object_mut() {
                    members.insert("done".to_owned(), true.into());
                }
                value.to_string()
            }
            Self::Staff(list) | Self::Order(list) => list.to_string(),
        }
    }
}

fn welcome(mut fields: MessageFields) -> Result<Welcome, WireFault> {
    let console = person("console", fields.take("console")?)?;
    let table = fields.table()?;
    let have = fields.list("have", MOST_MATCHES, |mut fields| {
        let uid = fields.uid()?;
        Ok(Have { uid, reached: Reached { seq: fields.seq()?, head: fields.head("head")? } })
    })?;
    let staff = fields.take("staff")?;
    if !staff.is_object() {
        return Err(WireFault::new("staff", "is no object"));
    }
    Ok(Welcome { console, table, have, staff })
}

fn take(mut fields: MessageFields) -> Result<Take, WireFault> {
    let alert = fields.text("alert", LONGEST_UID)?;
    let arbiter = fields.nullable("arbiter")?.map(|arbiter| person("arbiter", arbiter)).transpose()?;
    let done = match fields.get("done") {
        None => false,
        Some(Value::Bool(done)) => *done,
        Some(_) => return Err(WireFault::new("done", "is neither true nor false")),
    };
    Ok(Take { alert, arbiter, done })
}
