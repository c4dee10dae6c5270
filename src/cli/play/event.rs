//! `tabiya play --event`: the table joins an event, or comes back to its seat, and its consoles are told.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_app::desk::{HallReport, Loop};
use tabiya_app::seating::EventPlace;
use tabiya_event::boot::Boot;
use tabiya_event::discover;
use tabiya_event::join::{ASK_AGAIN, JoinFault, Joining, TableFile};
use tabiya_event::lists::Check;
use tabiya_event::table::{SeatFile, TableHub, TableSeat, is_revoked, sit_down};
use tabiya_store::folders;
use tabiya_store::keys::Keyring;
use tabiya_store::signing::{PublicKey, TableKey};
use tokio::sync::watch;

use super::PlayArguments;
use crate::cli::asking::prompted;
use crate::cli::output::{ExitFailure, print_line, unusable};
use crate::cli::qr::qr;

/// The folder of the seats that this computer's tables have in events.
const SEATS: &str = "seats";

/// A table's seat in an event, before its program is ready.
pub(super) struct Joined {
    key: Arc<TableKey>,
    seat: TableSeat,
    file: SeatFile,
    /// Addresses that people have given.
    named: Vec<String>,
}

/// It tells the consoles of the table as long as it lives.
pub(super) use tabiya_event::table::TableInEvent as Told;

fn has_signed(key: &str, text: &str, signature: &str) -> bool {
    PublicKey::from_digits(key).is_some_and(|key| key.has_signed(text, signature))
}

const CHECK: &Check = &has_signed;

/// Joins the event that the arguments name, or finds the seat that was kept; `None` without `--event`.
pub(super) fn join(arguments: &PlayArguments) -> Result<Option<Joined>, ExitFailure> {
    let Some(address) = &arguments.event else { return Ok(None) };
    // Without an address the network is asked.
    let address = Some(address.as_str()).filter(|address| !address.is_empty());
    let key = Arc::new(Keyring::usual().table_key().map_err(unusable)?);
    let folder = folders::data().map_err(unusable)?.join(SEATS);
    let record = arguments.record.as_deref().and_then(|path| std::path::absolute(path).ok());
    let prepared = arguments.table_file.as_deref().map(read_file).transpose()?;
    let event = prepared.as_ref().map(|prepared| prepared.event.as_str());
    let named: Vec<String> = address.map(str::to_owned).into_iter().collect();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ExitFailure::unusable)?;
    if let Some((file, seat)) = SeatFile::find(&folder, event, record.as_deref(), &key.public(), CHECK) {
        let addresses: Vec<String> = named.iter().chain(&seat.consoles).cloned().collect();
        if !runtime.block_on(is_revoked(&seat, &key, &addresses)) {
            print_line(&tabiya_types::harmless(&format!("event {}, table {}", seat.name, seat.table)))?;
            return Ok(Some(Joined { key, seat, file, named }));
        }
        print_line("the event does not know this computer as its table any more, so it joins anew")?;
        file.give_up().map_err(ExitFailure::unusable)?;
    }
    let seat = match prepared {
        Some(prepared) => runtime.block_on(with_file(&prepared, address, &key))?,
        None => runtime.block_on(with_digits(address, &key))?,
    };
    let file = SeatFile::make(&folder, &seat, record.as_deref()).map_err(ExitFailure::unusable)?;
    print_line(&tabiya_types::harmless(&format!("this is table {} of event {}", seat.table, seat.name)))?;
    Ok(Some(Joined { key, seat, file, named }))
}

fn read_file(path: &Path) -> Result<TableFile, ExitFailure> {
    let shown = tabiya_types::shown(path);
    let bytes = tabiya_store::disk::read_bounded(path, 64 << 10)
        .map_err(|error| ExitFailure::unusable(format!("--table-file {shown}: {error}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|error| ExitFailure::unusable(format!("--table-file {shown}: {error}")))?;
    TableFile::read(&text).map_err(|fault| ExitFailure::unusable(format!("--table-file {shown}: {fault}")))
}

async fn with_file(
    file: &TableFile,
    address: Option<&str>,
    key: &TableKey,
) -> Result<TableSeat, ExitFailure> {
    let found = if address.is_some() { None } else { discover::watch(&file.event) };
    if found.is_some() {
        tokio::time::sleep(discover::LISTEN).await;
    }
    let near = found.map(|found| found.addresses()).unwrap_or_default();
    let addresses = address.map(str::to_owned).into_iter().chain(file.consoles().iter().cloned()).chain(near);
    let mut last = None;
    for address in addresses {
        match file.take(&address, key, CHECK).await {
            Ok(seat) => return Ok(seat),
            Err(fault) => last = Some(fault),
        }
    }
    Err(last.map_or_else(nobody, |fault: JoinFault| unusable(fault)))
}

fn nobody() -> ExitFailure {
    ExitFailure::unusable(
        "no console of an event was found in this network; name its address: --event 192.168.1.5 (`tabiya event` shows it)",
    )
}

/// The address of the one event in the network; with several, people choose.
async fn found() -> Result<String, ExitFailure> {
    print_line("looking for an event in this network (3 s)")?;
    let Some(found) = discover::watch_all() else { return Err(nobody()) };
    tokio::time::sleep(discover::LISTEN).await;
    let mut consoles = found.consoles();
    consoles.retain(|console| !console.addresses.is_empty());
    consoles.sort_by(|one, other| one.event.cmp(&other.event));
    consoles.dedup_by(|one, other| one.event == other.event);
    let first = |console: &discover::FoundConsole| console.addresses.first().cloned().unwrap_or_default();
    match consoles.as_slice() {
        [] => Err(nobody()),
        [one] => Ok(first(one)),
        several => {
            for (nth, console) in several.iter().enumerate() {
                print_line(&tabiya_types::harmless(&format!(
                    "{}: {} ({})",
                    nth + 1,
                    console.name,
                    first(console)
                )))?;
            }
            loop {
                let Some(answer) = prompted("Which event? >")? else { return Err(nobody()) };
                let chosen =
                    answer.parse::<usize>().ok().and_then(|number| several.get(number.checked_sub(1)?));
                if let Some(chosen) = chosen {
                    return Ok(first(chosen));
                }
            }
        }
    }
}

/// Joins with six digits: they stand here alone, the arbiter types them, and the person here says yes.
async fn with_digits(address: Option<&str>, key: &Arc<TableKey>) -> Result<TableSeat, ExitFailure> {
    let address = match address {
        Some(address) => address.to_owned(),
        None => found().await?,
    };
    let name = computer_name();
    let joining = Joining::begin(&address, Arc::clone(key), &name).await.map_err(unusable)?;
    print_line(&format!("tell the arbiter these digits: {}", joining.digits))?;
    print_line(&qr(&joining.digits))?;
    loop {
        let question = format!(
            "Does the arbiter have {} before him, and shall this computer join? Type Y:",
            joining.digits
        );
        match prompted(&question)? {
            Some(answer) if matches!(answer.as_str(), "Y" | "y" | "yes") => break,
            Some(answer) if matches!(answer.to_lowercase().as_str(), "n" | "no") => {
                return Err(ExitFailure::refused("this computer has not joined"));
            }
            Some(_) => {}
            None => return Err(ExitFailure::refused("nobody has said yes, so this computer has not joined")),
        }
    }
    print_line("waiting for the arbiter")?;
    loop {
        match joining.ask(CHECK).await {
            Ok(Some(seat)) => return Ok(seat),
            Ok(None) => tokio::time::sleep(ASK_AGAIN).await,
            Err(fault) => return Err(unusable(fault)),
        }
    }
}

/// What this computer is called.
fn computer_name() -> String {
    let name = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let name = name.trim().chars().take(60).collect::<String>();
    if name.is_empty() { std::env::var("COMPUTERNAME").unwrap_or_else(|_| "table".to_owned()) } else { name }
}

/// The record of a table of this event, if none is named.
pub(super) fn usual_record(joined: &Joined) -> Result<PathBuf, ExitFailure> {
    let folder = folders::data().map_err(unusable)?;
    Ok(folder.join(format!("event-{}-table-{}.tabiya", joined.seat.event, joined.seat.table)))
}

/// Connects the table's loop with its consoles. They are told as long as the second value lives.
pub(super) fn sit<I: Send + 'static>(
    joined: Joined,
    table: &mut Loop<I>,
) -> Result<(EventPlace, Told), ExitFailure> {
    let Joined { key, seat, file, named } = joined;
    let (tell, report) = watch::channel(Arc::new(HallReport::default()));
    table.tell_hall(tell);
    let inbox = table.inbox();
    let send = Box::new(move |at, order| inbox.order(at, order));
    let boot = Boot::now()
        .map_err(|_| ExitFailure::unusable("the system provides no random numbers; restart the computer"))?;
    let hub = TableHub::new((key, boot), (seat, Some(file)), Box::new(table.timeline()), report, send);
    let place = hub.place();
    let told = sit_down(hub, named).map_err(ExitFailure::unusable)?;
    Ok((place, told))
}
