//! What a key may do in an event: the two lists that its authority signs. `staff` names the consoles with their roles, `roster`
//! the tables with their keys. The higher number counts.
//!
//! Source: `docs/hall.md`, §1 and §6.

use std::collections::BTreeMap;

use serde_json::Value;
use tabiya_engine::record::chain::{canonical, unhex};

use crate::wire::{
    GREATEST, LAST_TABLE, LONGEST_UID, MessageFields, WireFault, person, table_number, text_of,
};

/// The most consoles in `staff`.
pub const MOST_CONSOLES: usize = 16;

/// Whether a signature of a text was made with this key: the key's 64 hexadecimal digits, the text, the signature's 128 digits.
pub type Check = dyn Fn(&str, &str, &str) -> bool + Send + Sync;

/// Why a list does not count.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ListFault {
    /// It has not the form of the contract.
    #[error("the list is wrong: {0}")]
    Form(#[from] WireFault),
    /// It belongs to another event.
    #[error("the list belongs to another event")]
    Event,
    /// The authority has not signed it.
    #[error("the event's authority has not signed this list")]
    Signature,
}

/// What a person or a console may do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StaffRole {
    /// All.
    Chief,
    /// All.
    Deputy,
    /// All, at its tables.
    Sector,
    /// Begin matches, and rule on results.
    Results,
}

impl StaffRole {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Chief, Self::Deputy, Self::Sector, Self::Results];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Chief => "chief",
            Self::Deputy => "deputy",
            Self::Sector => "sector",
            Self::Results => "results",
        }
    }

    /// Reads the word; `None` for any other word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.word() == word)
    }

    /// Whether it may look after alerts, which is an arbiter's work.
    pub fn is_arbiter(self) -> bool {
        self != Self::Results
    }
}

/// A console in the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StaffConsole {
    /// Its name.
    pub name: String,
    /// Its key, 64 hexadecimal digits.
    pub key: String,
    /// What it may do; `None` for a role that this program does not know, which may do nothing.
    pub role: Option<StaffRole>,
    /// Its first and its last table.
    pub tables: (u16, u16),
}

impl StaffConsole {
    /// Whether this table is one of the console's own.
    pub fn has_table(&self, table: u16) -> bool {
        (self.tables.0..=self.tables.1).contains(&table)
    }
}

/// The consoles with their roles.
#[derive(Clone, PartialEq, Debug)]
pub struct Staff {
    /// The number of the list.
    pub n: u64,
    /// The consoles.
    pub consoles: Vec<StaffConsole>,
    /// The key of the one console that broadcasts, if it is named.
    pub gate: Option<String>,
    /// The least delay of a broadcast, if one is named: a number of seconds, or a word.
    pub delay: Option<Value>,
    signed: Value,
}

/// The tables with their keys.
#[derive(Clone, PartialEq, Debug)]
pub struct Roster {
    /// The number of the list.
    pub n: u64,
    /// The key of each table.
    pub tables: BTreeMap<u16, String>,
    /// The former keys of tables. Their heads are kept.
    pub was: BTreeMap<u16, Vec<String>>,
    signed: Value,
}

/// The text that the authority or a console signs: the canonical object without `sig`.
pub fn signed_text(object: &Value) -> String {
    let mut object = object.clone();
    if let Some(members) = object.as_object_mut() {
        members.shift_remove("sig");
    }
    canonical(&object)
}

/// Checks name, event and signature of a list, and returns its members.
fn signed_list(
    list: &Value,
    name: &str,
    (event, authority): (&str, &str),
    check: &Check,
) -> Result<MessageFields, ListFault> {
    let mut fields = MessageFields::of("list", list.clone())?;
    if fields.text("m", LONGEST_UID)? != name {
        return Err(WireFault::new("m", format!("is not `{name}`")).into());
    }
    if fields.hex("event", 8)? != event {
        return Err(ListFault::Event);
    }
    let signature = fields.hex("sig", 64)?;
    if !check(authority, &signed_text(list), &signature) {
        return Err(ListFault::Signature);
    }
    Ok(fields)
}

impl Staff {
    /// Reads a list that this authority, 64 hexadecimal digits, has signed for this event.
    pub fn read(list: &Value, event: &str, authority: &str, check: &Check) -> Result<Self, ListFault> {
        let mut fields = signed_list(list, "staff", (event, authority), check)?;
        let n = fields.whole("n", GREATEST)?;
        let consoles = fields.list("consoles", MOST_CONSOLES, |mut fields| {
            let name = person("name", fields.take("name")?)?;
            let key = fields.hex("key", 32)?;
            let role = StaffRole::from_word(&fields.text("role", LONGEST_UID)?);
            let tables = fields.take("tables")?;
            let range = match tables.as_array().map(Vec::as_slice) {
                Some([from, to]) => (table_number(from)?, table_number(to)?),
                _ => return Err(WireFault::new("tables", "is no pair of a first and a last table")),
            };
            Ok(StaffConsole { name, key, role, tables: range })
        })?;
        let gate = fields.get("gate").is_some().then(|| fields.hex("gate", 32)).transpose()?;
        Ok(Self { n, consoles, gate, delay: fields.get("delay").cloned(), signed: list.clone() })
    }

    /// The console with this key, if it is in the list.
    pub fn console(&self, key: &str) -> Option<&StaffConsole> {
        self.consoles.iter().find(|console| console.key == key)
    }

    /// The list as it was signed.
    pub fn signed(&self) -> &Value {
        &self.signed
    }
}

impl Roster {
    /// Reads a list that this authority, 64 hexadecimal digits, has signed for this event.
    pub fn read(list: &Value, event: &str, authority: &str, check: &Check) -> Result<Self, ListFault> {
        let mut fields = signed_list(list, "roster", (event, authority), check)?;
        let n = fields.whole("n", GREATEST)?;
        let mut tables = BTreeMap::new();
        for (table, key) in MessageFields::of("tables", fields.take("tables")?)?.into_map() {
            tables.insert(table_name(&table)?, key_of(key)?);
        }
        let mut was: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        if fields.get("was").is_some() {
            for (table, keys) in MessageFields::of("was", fields.take("was")?)?.into_map() {
                let Value::Array(keys) = keys else {
                    return Err(WireFault::new("was", "has no array").into());
                };
                was.insert(table_name(&table)?, keys.into_iter().map(key_of).collect::<Result<_, _>>()?);
            }
        }
        Ok(Self { n, tables, was, signed: list.clone() })
    }

    /// Whether a computer with this key may be a table of the event.
    pub fn has_key(&self, key: &str) -> bool {
        self.tables.values().any(|of| of == key)
    }

    /// Whether this key is, or was, the key of this table.
    pub fn knew(&self, table: u16, key: &str) -> bool {
        self.tables.get(&table).is_some_and(|of| of == key)
            || self.was.get(&table).is_some_and(|keys| keys.iter().any(|of| of == key))
    }

    /// The list as it was signed.
    pub fn signed(&self) -> &Value {
        &self.signed
    }
}

fn key_of(value: Value) -> Result<String, WireFault> {
    let key = text_of("tables", value, 64)?;
    match unhex(&key).filter(|bytes| bytes.len() == 32) {
        Some(_) => Ok(key),
        None => Err(WireFault::new("tables", "has a key that is not 64 hexadecimal digits")),
    }
}

/// The number of a table that is the name of a member: `"17"`, not `"017"`.
fn table_name(name: &str) -> Result<u16, WireFault> {
    let number = name.parse::<u16>().ok().filter(|number| number.to_string() == name && *number > 0);
    number
        .filter(|number| u64::from(*number) <= LAST_TABLE)
        .ok_or_else(|| WireFault::new("tables", "has a name that is no number from 1 to 9999"))
}

/// Which of two lists of one kind counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Newer {
    /// The one that came: its number is higher.
    Came,
    /// The one that is known: its number is higher, or both are the same.
    Known,
    /// Both have the same number and different texts, which must not be; `came` says whether the one that came counts: the
    /// greater hash does.
    Both {
        /// Whether the one that came counts.
        came: bool,
    },
}

/// Which of these two signed lists counts: the known one, with its number, or the one that came.
pub fn newer((known, known_n): (&Value, u64), (came, came_n): (&Value, u64)) -> Newer {
    use sha2::{Digest as _, Sha256};
    let hash = |list: &Value| Sha256::digest(signed_text(list));
    match came_n.cmp(&known_n) {
        std::cmp::Ordering::Greater => Newer::Came,
        std::cmp::Ordering::Less => Newer::Known,
        std::cmp::Ordering::Equal if signed_text(known) == signed_text(came) => Newer::Known,
        std::cmp::Ordering::Equal => Newer::Both { came: hash(came) > hash(known) },
    }
}

/// The number of the list after this one: the greater of the last one plus 1 and the Unix time in ms.
pub fn next_number(last: u64, unix_ms: u64) -> u64 {
    (last + 1).max(unix_ms).min(GREATEST)
}
