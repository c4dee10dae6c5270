//! `tabiya event`: the arbiter's console of an event in a window or in the terminal, and what prepares and mends an event.

mod console;
mod phones;
mod prepare;
mod rounds;
mod simulate;
#[cfg(feature = "window")]
mod window;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};
use tabiya_event::console::{
    Console, ConsoleNews, ConsoleSettings, EventDates, EventFolder, FolderFault, OpenEvent, join_event, start,
};
use tabiya_event::dial::{PORT, is_address};
use tabiya_event::discover;
use tabiya_event::join::ASK_AGAIN;
use tabiya_event::joining::JoinAs;
use tabiya_store::folders;
use tabiya_store::keys::Keyring;
use tokio::sync::mpsc::UnboundedReceiver;

use super::joining::{self, CHECK};
use super::output::{ExitFailure, print_line, unusable};
use super::surroundings::date;

/// The file in an event's folder that keeps how the desk of this computer was.
const DESK: &str = "desk.json";
/// The folder of this user's events, in the folder for records.
const EVENTS: &str = "events";

/// Arguments of `tabiya event`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct EventArguments {
    #[command(flatten)]
    console: ConsoleArguments,
    #[command(subcommand)]
    command: Option<EventCommand>,
}

/// How a console runs.
#[derive(Debug, Args)]
struct ConsoleArguments {
    /// The event's folder. Without it: the one event in the folder for records, or a new one.
    #[arg(long, value_name = "FOLDER")]
    event: Option<PathBuf>,
    /// What a new event is called.
    #[arg(long, value_name = "NAME", default_value = "Event")]
    name: String,
    /// What this console of a new event is called.
    #[arg(long, value_name = "NAME", default_value = "desk-1")]
    console: String,
    /// The arbiter who gives the orders; this console's name if not said.
    #[arg(long, value_name = "NAME")]
    arbiter: Option<String>,
    /// Join an event as a further console: the one at this address, or the one in the local network. Its arbiter types the digits that
    /// are shown here.
    #[arg(long, value_name = "ADDRESS", num_args = 0..=1, default_missing_value = "", conflicts_with = "simulate")]
    join: Option<String>,
    /// In the terminal, without a window: what happens is printed, and typed lines are carried out.
    #[arg(long)]
    headless: bool,
    /// The address at which the console listens; all of this computer's if not said.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    bind: IpAddr,
    /// The port.
    #[arg(long, default_value_t = PORT)]
    port: u16,
    /// A whole hall of so many simulated tables, with people and incidents: to look at, to train, as a load.
    #[arg(long, value_name = "TABLES", conflicts_with = "event")]
    simulate: Option<u16>,
    #[command(flatten)]
    simulated: simulate::SimulateArguments,
    #[command(flatten)]
    phones: phones::PhoneArguments,
    /// Do not let tables find this console in the local network; they need its address.
    #[arg(long)]
    hidden: bool,
}

/// Arguments of `tabiya event simulate`.
#[derive(Debug, Args)]
struct HallArguments {
    /// How many tables.
    tables: u16,
    /// In the terminal, without a window.
    #[arg(long)]
    headless: bool,
    #[command(flatten)]
    phones: phones::PhoneArguments,
    #[command(flatten)]
    how: simulate::SimulateArguments,
}

#[derive(Debug, Subcommand)]
enum EventCommand {
    /// A whole hall of simulated tables, with people and incidents.
    ///
    /// Example: tabiya event simulate 40 --fast
    Simulate(HallArguments),
    /// Write files with which tables join without digits, each with a token for one computer.
    ///
    /// Example: tabiya event tables 1-200 --out sticks
    Tables(prepare::TablesArguments),
    /// Show the consoles of the event, or change who is one.
    ///
    /// Example: tabiya event staff --add desk-2 KEY deputy
    Staff(prepare::StaffArguments),
    /// Write journal and signed heads of a table from the console's copies, to carry its match on at another computer.
    ///
    /// Example: tabiya event hand-over 17 --to /media/stick
    HandOver(prepare::HandOverArguments),
    /// Save the event's authority under a passphrase, or restore it at another computer.
    ///
    /// Example: tabiya event authority --save chief.authority
    Authority(prepare::AuthorityArguments),
    #[command(flatten)]
    Rounds(rounds::RoundCommand),
}

/// Runs `tabiya event`.
pub(super) fn run(arguments: &EventArguments) -> Result<(), ExitFailure> {
    match &arguments.command {
        None => match arguments.console.simulate {
            Some(tables) => {
                let ConsoleArguments { simulated, phones, headless, .. } = &arguments.console;
                simulate::run(tables, (simulated, phones), *headless)
            }
            None => serve(&arguments.console),
        },
        Some(EventCommand::Simulate(hall)) => {
            simulate::run(hall.tables, (&hall.how, &hall.phones), hall.headless)
        }
        Some(EventCommand::Tables(tables)) => prepare::tables(tables),
        Some(EventCommand::Staff(staff)) => prepare::staff(staff),
        Some(EventCommand::HandOver(to)) => prepare::hand_over(to),
        Some(EventCommand::Authority(authority)) => prepare::authority(authority),
        Some(EventCommand::Rounds(command)) => rounds::run(command),
    }
}

/// The present date (RFC 3339) and the ms since 1970.
#[expect(clippy::disallowed_methods, reason = "lists are numbered by the date")]
pub(super) fn today() -> (String, u64) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (date().unwrap_or_default(), u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

/// The folder of this user's events.
fn events() -> Result<PathBuf, ExitFailure> {
    Ok(folders::data().map_err(unusable)?.join(EVENTS))
}

/// The folder of the event that was named, or of the one event of this user.
fn find(named: Option<&PathBuf>) -> Result<EventFolder, ExitFailure> {
    let folder = EventFolder::find(named.map(PathBuf::as_path), &events()?, "").map_err(failed)?;
    if folder.has_event() {
        return Ok(folder);
    }
    let shown = tabiya_types::shown(folder.path());
    Err(ExitFailure::unusable(format!("{shown}: there is no event; `tabiya event` makes one")))
}

/// Opens the event in this folder, or the one event of this user. `make` names a new one and its console.
fn open(named: Option<&PathBuf>, make: Option<(&str, &str)>) -> Result<OpenEvent, ExitFailure> {
    let (date, unix_ms) = today();
    let now = EventDates { date: &date, unix_ms };
    let day: String = date.chars().take(10).collect();
    let folder = EventFolder::find(named.map(PathBuf::as_path), &events()?, &day).map_err(failed)?;
    let keys = Keyring::usual();
    if folder.has_event() {
        ask_first(&folder, &keys)?;
        return OpenEvent::open(&folder, &keys, &now).map_err(failed);
    }
    match make {
        Some(called) => {
            let new = OpenEvent::make(&folder, called, &keys, &now).map_err(failed)?;
            print_line(&format!("a new event was made in {}", tabiya_types::shown(folder.path())))?;
            Ok(new)
        }
        None => Err(ExitFailure::unusable(format!(
            "{}: there is no event; `tabiya event` makes one",
            tabiya_types::shown(folder.path())
        ))),
    }
}

/// Joins the event at this address as a further console, or finds the folder of it that was made before. An empty address: the one
/// event in the network.
fn join(named: Option<&PathBuf>, address: &str) -> Result<OpenEvent, ExitFailure> {
    let address = Some(address).filter(|address| !address.is_empty());
    if let Some(address) = address.filter(|address| !is_address(address)) {
        let address = tabiya_types::harmless(address);
        return Err(ExitFailure::unusable(format!(
            "--join {address}: this is no address; write one as the console there prints it: 192.168.1.5 or 192.168.1.5:44064"
        )));
    }
    let taken = |folder: &EventFolder| failed(FolderFault::Taken(tabiya_types::shown(folder.path())));
    if let Some(named) = named {
        let folder = EventFolder::find(Some(named), named, "").map_err(failed)?;
        if folder.has_event() {
            return Err(taken(&folder));
        }
    }
    let (date, unix_ms) = today();
    let now = EventDates { date: &date, unix_ms };
    let keys = Keyring::usual();
    let key = Arc::new(keys.table_key().map_err(unusable)?);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ExitFailure::unusable)?;
    let seat = runtime.block_on(async {
        let joining = joining::begin(address, &key, JoinAs::Console).await?;
        loop {
            match joining.ask_as_console(CHECK).await {
                Ok(Some(seat)) => return Ok(seat),
                Ok(None) => tokio::time::sleep(ASK_AGAIN).await,
                Err(fault) => return Err(unusable(fault)),
            }
        }
    })?;
    let folder = match named {
        Some(named) => named.clone(),
        None => events()?.join(&seat.event),
    };
    let folder = EventFolder::find(Some(&folder), &folder, "").map_err(failed)?;
    join_event(&folder, &seat, (&keys, &now)).map_err(failed)?;
    print_line(&tabiya_types::harmless(&format!(
        "this is the console {} of event {}, in {}; `tabiya event --event FOLDER` opens it again",
        seat.console,
        seat.name,
        tabiya_types::shown(folder.path())
    )))?;
    OpenEvent::open(&folder, &keys, &now).map_err(failed)
}

/// Before an authority that was restored here signs anything: what other consoles have signed in the meantime counts.
fn ask_first(folder: &EventFolder, keys: &Keyring) -> Result<(), ExitFailure> {
    if !tabiya_event::console::is_restored(folder, keys).map_err(failed)? {
        return Ok(());
    }
    print_line("the authority was restored here; asking the event's other consoles for their lists (3 s)")?;
    let (event, _) = folder.about().map_err(failed)?;
    let found = discover::watch(&event);
    let answered = tabiya_event::console::ask_first(folder, keys, (&[], found.as_ref())).map_err(failed)?;
    print_line(&format!("consoles that have answered: {answered}"))
}

fn failed(fault: FolderFault) -> ExitFailure {
    unusable(fault)
}

fn serve(arguments: &ConsoleArguments) -> Result<(), ExitFailure> {
    let named = [("--name", &arguments.name), ("--console", &arguments.console)];
    let arbiter = arguments.arbiter.iter().map(|arbiter| ("--arbiter", arbiter));
    for (option, name) in named.into_iter().chain(arbiter) {
        if !(1..=60).contains(&name.chars().count()) {
            return Err(ExitFailure::unusable(format!(
                "{option}: a name has 1 to 60 characters; write another one"
            )));
        }
    }
    let event = match &arguments.join {
        Some(address) => join(arguments.event.as_ref(), address)?,
        None => open(arguments.event.as_ref(), Some((&arguments.name, &arguments.console)))?,
    };
    let kept = event.folder().join(DESK);
    let arbiter = arguments.arbiter.clone().unwrap_or_else(|| event.console.clone());
    let title = format!("event {} ({})", event.name, event.event);
    let settings = ConsoleSettings {
        bind: SocketAddr::new(arguments.bind, arguments.port),
        announces: !arguments.hidden,
        phones: arguments.phones.settings(arguments.bind),
        date: today,
    };
    let (console, news) = start(event, &settings).map_err(unusable)?;
    print_line(&tabiya_types::harmless(&title))?;
    print_line(&format!("listening on {}", console.listens))?;
    for address in console.addresses() {
        print_line(&format!("tables reach it with: tabiya play --event {address}"))?;
    }
    phones::tell(&console.phone_desk())?;
    if let Some(why) = &console.unannounced {
        print_line(&format!("it cannot be found in the local network ({why}); tables need its address"))?;
    }
    show(console, news, (&arbiter, Some(kept)), (arguments.headless, None)).map(drop)
}

/// Shows a console until people end it: in a window, if there is one and nobody wants the terminal. A console that ends by itself
/// after so long has no window. Returns the console.
fn show(
    console: Console,
    news: UnboundedReceiver<ConsoleNews>,
    (arbiter, kept): (&str, Option<PathBuf>),
    (headless, ends_after): (bool, Option<Duration>),
) -> Result<Console, ExitFailure> {
    #[cfg(feature = "window")]
    if !headless && ends_after.is_none() && crate::platform::has_display() {
        return window::run(console, news, arbiter, kept);
    }
    // Without a window nothing is kept, and nothing else is meant.
    let _ = (kept, headless);
    console::run(&console, news, arbiter, ends_after)?;
    Ok(console)
}
