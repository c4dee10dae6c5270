//! `tabiya event --simulate`: a hall of simulated tables with a real console, for a demonstration, for training and as a load.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tabiya_event::console::{ConsoleSettings, EventDates, EventFolder, OpenEvent, start};
use tabiya_event::simulate::{DrillIncident, DrillPlan, HallPlan, SimulatedHall, begin, prepare};
use tabiya_store::keys::Keyring;

use super::super::output::{ExitFailure, print_line, unusable};
use super::{failed, show, today};

/// How many times as fast as real people simulated ones play with `--fast`.
const FAST: u32 = 20;
/// The most simulated tables.
const MOST: u16 = 1_000;

/// The time between two incidents of a drill, in the hall's own time.
const DRILL: Duration = Duration::from_secs(25);

/// How a simulated hall is played.
#[derive(Debug, Args)]
pub(super) struct SimulateArguments {
    /// The seed of players and incidents.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Twenty times as fast as real people.
    #[arg(long)]
    fast: bool,
    /// A drill: ten incidents, one after the other, each at a table of its own; the terminal says what you hear there.
    #[arg(long)]
    drill: bool,
    /// End after so many seconds, and say how it stands.
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u64>,
}

/// A folder that is removed at the end.
struct Passing(PathBuf);

impl Drop for Passing {
    fn drop(&mut self) {
        // What cannot be removed lies in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Plays a simulated hall of so many tables until people end it.
pub(super) fn run(
    tables: u16,
    (arguments, phones): (&SimulateArguments, &super::phones::PhoneArguments),
    headless: bool,
) -> Result<(), ExitFailure> {
    if !(1..=MOST).contains(&tables) {
        return Err(ExitFailure::unusable(format!(
            "a simulated hall has 1 to {MOST} tables; write such a number: tabiya event simulate 40"
        )));
    }
    let least = DrillIncident::ALL.len();
    if arguments.drill && usize::from(tables) < least {
        return Err(ExitFailure::unusable(format!("a drill needs at least {least} tables")));
    }
    let folder = Passing(std::env::temp_dir().join(format!("tabiya-hall-{}", std::process::id())));
    let drill = arguments.drill.then_some(DrillPlan { every: DRILL });
    let plan = HallPlan { tables, seed: arguments.seed, speed: if arguments.fast { FAST } else { 1 }, drill };
    let (date, unix_ms) = today();
    let now = EventDates { date: &date, unix_ms };
    let event_folder = EventFolder::find(Some(&folder.0.join("event")), &folder.0, "").map_err(failed)?;
    let keys = Keyring::in_folder(&folder.0.join("keys"));
    let mut event =
        OpenEvent::make(&event_folder, ("Simulated hall", "desk-1"), &keys, &now).map_err(failed)?;
    let files = prepare(&mut event, &plan, "").map_err(failed)?;
    let bind = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);
    let settings =
        ConsoleSettings { bind, announces: false, phones: phones.settings(bind.ip()), date: today };
    let (console, news) = start(event, &settings).map_err(unusable)?;
    print_line(&format!(
        "a simulated hall of {tables} tables, seed {}; `help` shows what can be typed",
        plan.seed
    ))?;
    print_line(&format!("listening on {}", console.listens))?;
    super::phones::tell(&console.phone_desk())?;
    let mut hall = begin(&plan, &files, (console.listens, &folder.0.join("tables"))).map_err(unusable)?;
    if arguments.drill {
        tell_incidents(&mut hall);
    }
    let seconds = arguments.seconds.map(Duration::from_secs);
    let console = show(console, news, ("desk-1", None), (headless, seconds))?;
    let lines: u64 = console
        .hall()
        .tables
        .values()
        .flat_map(|table| table.matches.values())
        .filter_map(|of_match| Some(of_match.reached()?.seq + 1))
        .sum();
    let ended = hall.ended.load(std::sync::atomic::Ordering::Relaxed);
    let here = console.hall().tables.values().filter(|table| table.is_here()).count();
    drop(hall);
    print_line(&format!(
        "{here} of {tables} tables are connected, {ended} matches have ended, {lines} lines are kept"
    ))
}

/// Tells in the terminal what an arbiter hears when he comes to a table.
fn tell_incidents(hall: &mut SimulatedHall) {
    let Some(incidents) = hall.incidents.take() else { return };
    std::thread::spawn(move || {
        for incident in incidents {
            if print_line(&format!("drill: table {}: {}", incident.table(), incident.told())).is_err() {
                return;
            }
        }
    });
}
