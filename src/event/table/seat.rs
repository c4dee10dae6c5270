//! What a table keeps of its event once it has joined: the authority, its own certificate and number, the newest list of consoles and
//! where they are. One file for each table of a computer, locked while a program plays there.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use rustls::pki_types::CertificateDer;
use serde_json::{Value, json};
use tabiya_engine::record::json;
use tabiya_store::disk::{read_bounded, write_whole};
use tabiya_store::signing::{PublicKey, TableKey};

use crate::certs::key_of_certificate;
use crate::digits::event_of;
use crate::lists::{Check, Staff};
use crate::tls::Identity;
use crate::wire::{DEEPEST, MessageFields, WireFault};

/// The longest file that is read, in bytes.
const LONGEST: u64 = 64 << 10;
/// The most addresses of consoles that are kept.
const MOST_ADDRESSES: usize = 16;

/// Why what a console gave, or what was kept, is no seat.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeatFault {
    /// A member is missing or wrong.
    #[error("the event's answer is wrong ({0}); update the older of the two programs, or join again")]
    Form(String),
    /// The certificates or the lists do not belong together.
    #[error("the event's answer does not hold together: {0}; join again")]
    Unfit(&'static str),
}

impl From<WireFault> for SeatFault {
    fn from(fault: WireFault) -> Self {
        Self::Form(fault.to_string())
    }
}

/// A table's seat in an event.
#[derive(Clone, Debug)]
pub struct TableSeat {
    /// The event, 16 hexadecimal digits.
    pub event: String,
    /// The event's name for people.
    pub name: String,
    /// The table's number.
    pub table: u16,
    /// The authority's certificate.
    pub authority: CertificateDer<'static>,
    /// The authority's key, 64 hexadecimal digits.
    pub authority_key: String,
    /// The table's own certificate.
    pub certificate: CertificateDer<'static>,
    /// The newest list of consoles.
    pub staff: Staff,
    /// Where consoles were reached, the newest first.
    pub consoles: Vec<String>,
}

/// A certificate's bytes from their text.
pub(crate) fn certificate_of(text: &str) -> Result<CertificateDer<'static>, SeatFault> {
    let bytes = BASE64.decode(text).map_err(|error| SeatFault::Form(error.to_string()))?;
    Ok(CertificateDer::from(bytes))
}

/// A certificate's bytes as text.
pub(crate) fn text_of(certificate: &CertificateDer<'_>) -> String {
    BASE64.encode(certificate)
}

/// What a console gives to each computer that it admits, as far as it holds together.
struct GivenPlace {
    event: String,
    name: String,
    authority_key: String,
    certificate: CertificateDer<'static>,
    staff: Staff,
}

impl GivenPlace {
    /// Reads what was given to the computer with this key, with the authority that the console named before, and checks it.
    fn read(
        fields: &mut MessageFields,
        authority: &CertificateDer<'static>,
        own: &PublicKey,
        check: &Check,
    ) -> Result<Self, SeatFault> {
        let event = fields.hex("event", 8)?;
        let certificate = certificate_of(&fields.text("certificate", 16 << 10)?)?;
        let list = fields.take("staff")?;
        let name = match fields.optional("name") {
            Some(Value::String(name)) => name.chars().take(60).collect(),
            _ => event.clone(),
        };
        let key = key_of_certificate(authority)
            .ok_or(SeatFault::Unfit("the authority's certificate has no key of an event"))?;
        if event_of(&key.to_bytes()) != event {
            return Err(SeatFault::Unfit("the event is not that of its authority"));
        }
        if !crate::tls::is_signed_by(authority, authority) {
            return Err(SeatFault::Unfit("the authority's certificate is not signed by itself"));
        }
        if !crate::tls::is_signed_by(&certificate, authority) {
            return Err(SeatFault::Unfit("this computer's certificate is not signed by the authority"));
        }
        if key_of_certificate(&certificate).as_ref() != Some(own) {
            return Err(SeatFault::Unfit("the certificate is for another key than this computer's"));
        }
        let authority_key = key.to_string();
        let staff = Staff::read(&list, &event, &authority_key, check)
            .map_err(|fault| SeatFault::Form(fault.to_string()))?;
        Ok(Self { event, name, authority_key, certificate, staff })
    }
}

/// What a computer has that has joined an event as a console.
#[derive(Clone, Debug)]
pub struct ConsoleSeat {
    /// The event, 16 hexadecimal digits.
    pub event: String,
    /// The event's name for people.
    pub name: String,
    /// What the arbiter has called this console.
    pub console: String,
    /// The authority's certificate.
    pub authority: CertificateDer<'static>,
    /// This console's key with its certificate.
    pub own: Identity,
    /// The newest list of consoles.
    pub staff: Staff,
    /// The address of the console that has admitted it.
    pub address: String,
}

impl ConsoleSeat {
    /// What a console gave to the computer with this key, with the authority that it named before.
    pub(crate) fn given(
        answer: &Value,
        authority: CertificateDer<'static>,
        own: &Arc<TableKey>,
        check: &Check,
    ) -> Result<Self, SeatFault> {
        let mut fields = MessageFields::of("answer", answer.clone())?;
        let public = own.public();
        let GivenPlace { event, name, certificate, staff, .. } =
            GivenPlace::read(&mut fields, &authority, &public, check)?;
        let listed = staff.console(&public.to_string()).map(|console| console.name.clone());
        let console = listed.ok_or(SeatFault::Unfit("this computer is not in the list of consoles"))?;
        let own = Identity { key: Arc::clone(own), certificate };
        Ok(Self { event, name, console, authority, own, staff, address: String::new() })
    }
}

impl TableSeat {
    /// The seat that a console gave to the computer with this key, with the authority that it named before.
    pub fn given(
        answer: &Value,
        authority: CertificateDer<'static>,
        own: &PublicKey,
        check: &Check,
    ) -> Result<Self, SeatFault> {
        let mut fields = MessageFields::of("answer", answer.clone())?;
        let GivenPlace { event, name, authority_key, certificate, staff } =
            GivenPlace::read(&mut fields, &authority, own, check)?;
        let table = fields.table()?;
        let consoles = addresses(fields.optional("consoles"));
        Ok(Self { event, name, table, authority, authority_key, certificate, staff, consoles })
    }

    /// The table's key with its certificate.
    pub fn identity(&self, key: Arc<TableKey>) -> Identity {
        Identity { key, certificate: self.certificate.clone() }
    }

    /// Notes where a console was reached.
    pub fn note_address(&mut self, address: &str) {
        self.consoles.retain(|known| known != address);
        self.consoles.insert(0, address.to_owned());
        self.consoles.truncate(MOST_ADDRESSES);
    }

    fn value(&self, record: Option<&Path>) -> Value {
        json!({
            "tabiya-seat": 1, "event": self.event, "name": self.name, "table": self.table,
            "authority": text_of(&self.authority), "certificate": text_of(&self.certificate),
            "staff": self.staff.signed(), "consoles": self.consoles,
            "record": record.map(|path| path.to_string_lossy()),
        })
    }
}

fn addresses(list: Option<Value>) -> Vec<String> {
    let Some(Value::Array(list)) = list else { return Vec::new() };
    let texts = list.into_iter().filter_map(|address| match address {
        Value::String(address) if address.len() <= 256 => Some(address),
        _ => None,
    });
    texts.take(MOST_ADDRESSES).collect()
}

/// The file of a seat. While it is open, no other program plays at this table on this computer.
#[derive(Debug)]
pub struct SeatFile {
    path: PathBuf,
    record: Option<PathBuf>,
    _lock: File,
}

impl SeatFile {
    /// The seat that was kept for this record, or else any seat that no other program has; only those of `event`, if it is named.
    /// `None` if there is none.
    pub fn find(
        folder: &Path,
        event: Option<&str>,
        record: Option<&Path>,
        own: &PublicKey,
        check: &Check,
    ) -> Option<(Self, TableSeat)> {
        let files = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
        let mut seats: Vec<(PathBuf, TableSeat, Option<PathBuf>)> = files
            .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
            .filter_map(|path| {
                let (seat, record) = read(&path, own, check)?;
                Some((path, seat, record))
            })
            .filter(|(_, seat, _)| event.is_none_or(|event| seat.event == event))
            .collect();
        let other = |of: &Option<PathBuf>| record.is_none() || of.as_deref() != record;
        seats.sort_by_key(|(path, _, of)| (other(of), path.clone()));
        seats.into_iter().find_map(|(path, seat, of)| {
            // A seat of another record that is still there belongs to that one.
            if record.is_some() && of.as_deref().is_some_and(|of| Some(of) != record && of.exists()) {
                return None;
            }
            Some((Self::open(path, record)?, seat))
        })
    }

    fn open(path: PathBuf, record: Option<&Path>) -> Option<Self> {
        let lock = File::options().create(true).append(true).open(path.with_extension("lock")).ok()?;
        lock.try_lock().ok()?;
        Some(Self { path, record: record.map(Path::to_owned), _lock: lock })
    }

    /// Keeps a new seat.
    pub fn make(folder: &Path, seat: &TableSeat, record: Option<&Path>) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("{}-{}.json", seat.event, seat.table));
        let taken = || std::io::Error::other("another program on this computer plays at this table");
        let file = Self::open(path, record).ok_or_else(taken)?;
        file.keep(seat)?;
        Ok(file)
    }

    /// Gives the seat up: the event does not know it any more.
    pub fn give_up(self) -> std::io::Result<()> {
        std::fs::remove_file(&self.path)
    }

    /// Keeps what has changed.
    pub fn keep(&self, seat: &TableSeat) -> std::io::Result<()> {
        write_whole(&self.path, seat.value(self.record.as_deref()).to_string() + "\n")
    }
}

fn read(path: &Path, own: &PublicKey, check: &Check) -> Option<(TableSeat, Option<PathBuf>)> {
    let bytes = read_bounded(path, LONGEST).ok()?;
    let value = json::parse_within(std::str::from_utf8(&bytes).ok()?, DEEPEST).ok()?;
    if value.get("tabiya-seat")?.as_u64() != Some(1) {
        return None;
    }
    let authority = certificate_of(value.get("authority")?.as_str()?).ok()?;
    let seat = TableSeat::given(&value, authority, own, check).ok()?;
    let record = value.get("record").and_then(Value::as_str).map(PathBuf::from);
    Some((seat, record))
}
