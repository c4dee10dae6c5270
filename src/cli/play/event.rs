//! `tabiya play --event`: the table joins an event, or comes back to its seat, and its consoles are told.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabiya_app::desk::{HallReport, Loop};
use tabiya_app::seating::EventPlace;
use tabiya_event::boot::Boot;
use tabiya_event::discover;
use tabiya_event::join::{ASK_AGAIN, JoinFault, TableFile};
use tabiya_event::joining::JoinAs;
use tabiya_event::table::{SeatFile, TableHub, TableSeat, is_revoked, sit_down};
use tabiya_store::folders;
use tabiya_store::keys::Keyring;
use tabiya_store::signing::TableKey;
use tokio::sync::watch;

use super::PlayArguments;
use crate::cli::joining::{self, CHECK};
use crate::cli::output::{ExitFailure, print_line, unusable};

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
    Err(last.map_or_else(joining::nobody, |fault: JoinFault| unusable(fault)))
}

/// Joins with six digits: they stand here alone, the arbiter types them, and the person here says yes.
async fn with_digits(address: Option<&str>, key: &Arc<TableKey>) -> Result<TableSeat, ExitFailure> {
    let joining = joining::begin(address, key, JoinAs::Table).await?;
    loop {
        match joining.ask(CHECK).await {
            Ok(Some(seat)) => return Ok(seat),
            Ok(None) => tokio::time::sleep(ASK_AGAIN).await,
            Err(fault) => return Err(unusable(fault)),
        }
    }
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
