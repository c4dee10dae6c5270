//! Joining an event from the side of the computer that joins: with six digits that both people confirm, or, as a table, with a prepared
//! file.
//!
//! Source: `docs/hall.md`, §2.

use std::sync::Arc;
use std::time::Duration;

use hyper::Method;
use rustls::pki_types::CertificateDer;
use serde_json::{Value, json};
use tabiya_engine::record::chain::{hex, unhex};
use tabiya_engine::record::json as read_json;
use tabiya_store::signing::TableKey;

use crate::boot::chance;
use crate::certs::{console_name, key_of_certificate};
use crate::dial::{DialFault, ask, connect};
use crate::digits::{console_commit, digits, event_of, joiner_commit};
use crate::joining::JoinAs;
use crate::lists::Check;
use crate::table::{ConsoleSeat, SeatFault, TableSeat};
use crate::tls;
use crate::wire::{DEEPEST, MessageFields, WireFault};

/// The path of joining.
pub const PATH: &str = "/v1/join";
/// The name by which a console is greeted whose event is not known yet. Nothing is checked by it.
const ANY_CONSOLE: &str = "console.tabiya.internal";
/// The pause between two questions whether the arbiter has admitted the table.
pub const ASK_AGAIN: Duration = Duration::from_secs(1);

/// Why a computer has not joined.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JoinFault {
    /// The console could not be reached.
    #[error(transparent)]
    Dial(#[from] DialFault),
    /// What the console answers does not fit.
    #[error(
        "the console's answer does not fit ({0}); somebody may stand in between: join again, and tell the arbiter"
    )]
    Unfit(String),
    /// The console has refused.
    #[error("the console refuses this computer; ask the arbiter, then join again")]
    Refused,
    /// It took too long.
    #[error("this joining is over, after two minutes at most; join again")]
    Over,
    /// Too many computers join at once.
    #[error(
        "too many computers join at this moment; wait two minutes, or ask the arbiter for a prepared file"
    )]
    TooMany,
    /// The system provides no random numbers.
    #[error("the system provides no random numbers; restart the computer")]
    NoChance,
    /// The prepared file cannot be used.
    #[error("the prepared file cannot be used: {0}; ask the arbiter for another one")]
    File(String),
}

impl From<SeatFault> for JoinFault {
    fn from(fault: SeatFault) -> Self {
        Self::Unfit(fault.to_string())
    }
}

impl From<WireFault> for JoinFault {
    fn from(fault: WireFault) -> Self {
        Self::Unfit(fault.to_string())
    }
}

/// A joining with its digits, which the people at the table compare and confirm.
#[derive(Debug)]
pub struct Joining {
    address: String,
    join: String,
    authority: CertificateDer<'static>,
    own: Arc<TableKey>,
    /// The six digits.
    pub digits: String,
    /// The event, 16 hexadecimal digits.
    pub event: String,
}

fn status(status: u16, wanted: u16) -> Result<(), JoinFault> {
    match status {
        status if status == wanted => Ok(()),
        403 => Err(JoinFault::Refused),
        410 => Err(JoinFault::Over),
        429 => Err(JoinFault::TooMany),
        other => Err(JoinFault::Unfit(format!("its status is {other}"))),
    }
}

async fn step(address: &str, body: &Value) -> Result<(u16, Value), JoinFault> {
    let config = tls::to_join().map_err(|error| JoinFault::Unfit(error.to_string()))?;
    let (stream, _) = connect(address, Arc::new(config), ANY_CONSOLE).await?;
    Ok(ask(address, stream, (Method::POST, PATH, Some(body))).await?)
}

impl Joining {
    /// Begins to join the event of the console at this address. `name` is what the computer calls itself.
    pub async fn begin(
        address: &str,
        own: Arc<TableKey>,
        (joins, name): (JoinAs, &str),
    ) -> Result<Self, JoinFault> {
        let nonce: [u8; 32] = chance().map_err(|_| JoinFault::NoChance)?;
        let key = own.public().to_bytes();
        let first = json!({"step": 1, "commit": hex(&joiner_commit(&key, &nonce)), "as": joins.word()});
        let (answered, body) = step(address, &first).await?;
        status(answered, 200)?;
        let mut fields = MessageFields::of("answer", body)?;
        let (join, event) = (fields.hex("join", 16)?, fields.hex("event", 8)?);
        let authority = crate::table::certificate_of(&fields.text("authority", 16 << 10)?)?;
        let commit = fields.hex("commit", 32)?;
        let of = key_of_certificate(&authority)
            .ok_or_else(|| JoinFault::Unfit("no key of an event".to_owned()))?;
        if event_of(&of.to_bytes()) != event {
            return Err(JoinFault::Unfit("the event is not that of its authority".to_owned()));
        }
        let second = json!({
            "step": 2, "join": join, "key": hex(&key), "nonce": hex(&nonce), "name": name,
        });
        let (answered, body) = step(address, &second).await?;
        status(answered, 202)?;
        let told = MessageFields::of("answer", body)?.hex("nonce", 32)?;
        let console: [u8; 32] = unhex(&told)
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| JoinFault::Unfit("no number".to_owned()))?;
        if hex(&console_commit(&console)) != commit {
            return Err(JoinFault::Unfit("its number is not the one that it had committed to".to_owned()));
        }
        let digits = digits(&of.to_bytes(), &key, &nonce, &console);
        Ok(Self { address: address.to_owned(), join, authority, own, digits, event })
    }

    /// Asks once whether the arbiter has admitted the table, after the people at the table have said yes. `None`: not yet.
    pub async fn ask(&self, check: &Check) -> Result<Option<TableSeat>, JoinFault> {
        let Some(body) = self.answer().await? else { return Ok(None) };
        let mut seat = TableSeat::given(&body, self.authority.clone(), &self.own.public(), check)?;
        seat.note_address(&self.address);
        Ok(Some(seat))
    }

    /// The same of a computer that joins as a console.
    pub async fn ask_as_console(&self, check: &Check) -> Result<Option<ConsoleSeat>, JoinFault> {
        let Some(body) = self.answer().await? else { return Ok(None) };
        let seat = ConsoleSeat::given(&body, self.authority.clone(), &self.own, check)?;
        Ok(Some(ConsoleSeat { address: self.address.clone(), ..seat }))
    }

    /// What the console answers; `None` if the arbiter has not admitted anybody yet.
    async fn answer(&self) -> Result<Option<Value>, JoinFault> {
        let (answered, body) = step(&self.address, &json!({"step": 3, "join": self.join})).await?;
        if answered == 202 {
            return Ok(None);
        }
        status(answered, 200)?;
        // Who answers now may be another one than before: the event is that of the digits.
        let event = MessageFields::of("answer", body.clone())?.hex("event", 8)?;
        if event != self.event {
            return Err(JoinFault::Unfit("the event is not that of the digits".to_owned()));
        }
        Ok(Some(body))
    }
}

/// A prepared file: an event's table with a token, which serves one key.
pub struct TableFile {
    /// The event, 16 hexadecimal digits.
    pub event: String,
    /// The table's number.
    pub table: u16,
    authority: CertificateDer<'static>,
    token: String,
    consoles: Vec<String>,
}

/// The token is not shown.
impl std::fmt::Debug for TableFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableFile")
            .field("event", &self.event)
            .field("table", &self.table)
            .finish_non_exhaustive()
    }
}

impl TableFile {
    /// Reads a prepared file.
    pub fn read(text: &str) -> Result<Self, JoinFault> {
        let file = |what: String| JoinFault::File(what);
        let value = read_json::parse_within(text, DEEPEST).map_err(|error| file(error.to_string()))?;
        let read = |value: Value| -> Result<Self, WireFault> {
            let mut fields = MessageFields::of("file", value)?;
            if fields.whole("tabiya-table", 1)? != 1 {
                return Err(WireFault::new("tabiya-table", "is no version of such a file"));
            }
            let consoles = fields.take("consoles")?;
            let list = consoles.as_array().map(Vec::as_slice).unwrap_or_default();
            let consoles = list.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            let authority = crate::table::certificate_of(&fields.text("authority", 16 << 10)?)
                .map_err(|fault| WireFault::new("authority", fault.to_string()))?;
            Ok(Self {
                event: fields.hex("event", 8)?,
                table: fields.table()?,
                authority,
                token: fields.hex("token", 32)?,
                consoles,
            })
        };
        let read = read(value).map_err(|fault| file(fault.to_string()))?;
        let key = key_of_certificate(&read.authority);
        if key.is_none_or(|key| event_of(&key.to_bytes()) != read.event) {
            return Err(file("the event is not that of its authority".to_owned()));
        }
        Ok(read)
    }

    /// Where its consoles are.
    pub fn consoles(&self) -> &[String] {
        &self.consoles
    }

    /// Takes the table at the console at this address.
    pub async fn take(&self, address: &str, own: &TableKey, check: &Check) -> Result<TableSeat, JoinFault> {
        let config =
            tls::to_console_unknown(&self.authority).map_err(|error| JoinFault::Unfit(error.to_string()))?;
        let (stream, _) = connect(address, Arc::new(config), &console_name(&self.event)).await?;
        let body = json!({"step": 0, "token": self.token, "key": own.public().to_string()});
        let (answered, body) = ask(address, stream, (Method::POST, PATH, Some(&body))).await?;
        status(answered, 200)?;
        let mut seat = TableSeat::given(&body, self.authority.clone(), &own.public(), check)?;
        seat.note_address(address);
        Ok(seat)
    }
}
