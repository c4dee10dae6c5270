//! `tabiya devices`: finds and identifies boards, shows their bytes, and checks permissions.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use tabiya_app::board_notes::BoardNotes;
use tabiya_app::doctor;
use tabiya_app::time::RealTime;
use tabiya_boards::address::{BoardAddress, LiveAddress};
use tabiya_boards::capture::{CaptureHeader, Direction, to_hex};
use tabiya_boards::link::LinkError;
use tabiya_boards::maker::Maker;
use tabiya_boards::makers::CATALOG;
use tabiya_boards::probe::Probed;
use tabiya_boards::{BoardEvent, near, ports, probe, supervisor};
use tabiya_cards::Options;
use tabiya_cards::doctor::card_readers;
use tabiya_types::Instant;

use super::output::{ExitFailure, print_line, unusable};

/// Arguments of `tabiya devices`.
#[derive(Debug, clap::Args)]
pub(super) struct DevicesArguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the serial ports, each with the boards that may be behind it, and the boards in reach over Bluetooth.
    /// `tabiya devices` alone does the same.
    List,
    /// Check whether a board answers at an address.
    Probe {
        /// The board's address: dgt:/dev/ttyACM0, dgt:tcp:HOST:PORT, or auto.
        board: BoardAddress,
    },
    /// Find out why a board or a card reader cannot be reached: permissions, other programs, Bluetooth, the system's
    /// card service.
    Doctor {
        /// Print udev rules that let the user at this computer open the boards' ports.
        #[arg(long)]
        udev: bool,
    },
    /// Save a value that a board's driver needs, such as a developer key:
    /// `tabiya devices note pegasus developer-key 010203040506`.
    Note {
        /// The kind of board: pegasus, certabo …
        board: String,
        /// The name of the value. If a board's driver misses a value, `tabiya play` shows its name.
        name: String,
        /// The value.
        value: String,
    },
    /// Show every byte that a board and this program exchange, until Ctrl-C.
    Monitor {
        /// The board's address: dgt:/dev/ttyACM0, dgt:tcp:HOST:PORT, or auto.
        board: BoardAddress,
        /// Also save the bytes as a capture; `play --board capture:FILE` plays it.
        #[arg(long, value_name = "FILE")]
        save: Option<PathBuf>,
        /// Stop after this number of seconds.
        #[arg(long, value_name = "SECONDS")]
        seconds: Option<u64>,
    },
}

pub(super) fn run(arguments: DevicesArguments) -> Result<(), ExitFailure> {
    match arguments.command {
        None | Some(Command::List) => list(),
        Some(Command::Probe { board }) => probe(&live(board)?),
        Some(Command::Doctor { udev: true }) => print_line(doctor::udev_rules().trim_end()),
        Some(Command::Doctor { udev: false }) => {
            let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
            [doctor::examine(), card_readers(timeline, Options::default())]
                .concat()
                .iter()
                .try_for_each(|finding| print_line(&finding.to_string()))
        }
        Some(Command::Note { board, name, value }) => note(&board, &name, &value),
        Some(Command::Monitor { board, save, seconds }) => monitor(&live(board)?, save.as_deref(), seconds),
    }
}

fn live(board: BoardAddress) -> Result<LiveAddress, ExitFailure> {
    match board {
        BoardAddress::Live(address) => Ok(address),
        BoardAddress::Only => {
            let timeline = RealTime::starting_at(Instant::ZERO);
            near::find_only_board(None, &|maker| BoardNotes::usual().of(maker), &timeline).map_err(unusable)
        }
        BoardAddress::Capture(_) | BoardAddress::Sim(_) => Err(ExitFailure::unusable(format!(
            "`{board}` is not the address of a device; write a port, for example dgt:/dev/ttyACM0"
        ))),
    }
}

fn list() -> Result<(), ExitFailure> {
    let found = ports::discover();
    if found.is_empty() {
        print_line(
            "no serial port was found: plug a board in, or name a port, for example dgt:/dev/ttyACM0",
        )?;
    }
    for candidate in found {
        print_line(&candidate.to_string())?;
    }
    for near in near::search_programs() {
        print_line(&near.to_string())?;
    }
    match near::search_ble() {
        Ok(near) if near.is_empty() => print_line("no board was found over Bluetooth: switch the board on")?,
        Ok(near) => near.iter().try_for_each(|near| print_line(&near.to_string()))?,
        Err(fault) => print_line(&format!("over Bluetooth: {fault}"))?,
    }
    let makers: Vec<String> =
        CATALOG.iter().map(|maker| format!("{} ({})", maker.name(), maker.prefix())).collect();
    print_line(&format!("supported boards: {}", makers.join(", ")))?;
    print_line("`tabiya devices probe ADDRESS` checks whether a board answers there")
}

fn note(board: &str, name: &str, value: &str) -> Result<(), ExitFailure> {
    let maker = Maker::from_prefix(board).ok_or_else(|| {
        ExitFailure::unusable(format!("`{board}` is not a board; write one of {}", Maker::prefixes()))
    })?;
    let forms = maker.entry().notes;
    let Some(form) = forms.iter().find(|form| form.name == name) else {
        let names = forms.iter().map(|form| form.name).collect::<Vec<_>>().join(", ");
        let names = if names.is_empty() {
            "their drivers need no values".to_owned()
        } else {
            format!("write {names}")
        };
        return Err(ExitFailure::unusable(format!(
            "`{}` is not a value that {} boards need; {names}",
            tabiya_types::harmless(name),
            maker.name()
        )));
    };
    if !(form.is_valid)(value) {
        return Err(ExitFailure::unusable(format!("that is not a valid {name}; write {}", form.format)));
    }
    let kept = BoardNotes::usual();
    if let Some(trouble) = kept.read_error() {
        return Err(ExitFailure::unusable(trouble.to_string()));
    }
    kept.keep(maker, name, value).map_err(|error| {
        ExitFailure::unusable(format!("the value cannot be saved: {error}; check the folder of the settings"))
    })?;
    print_line(&format!("saved for {} boards: {name}", maker.name()))
}

fn probe(address: &LiveAddress) -> Result<(), ExitFailure> {
    let timeline = RealTime::starting_at(Instant::ZERO);
    let notes = BoardNotes::usual().of(address.maker);
    let Probed { info, wants } = probe::probe(address, notes, &timeline).map_err(unusable)?;
    let mut lines = vec![format!("a {} board answers", info.maker.name)];
    let facts = [
        ("serial number", &info.serial),
        ("long serial number", &info.long_serial),
        ("version", &info.version),
        ("hardware", &info.hardware),
    ];
    lines.extend(
        facts.iter().filter_map(|(name, value)| value.as_ref().map(|value| format!("{name}: {value}"))),
    );
    lines.extend(wants.map(|what| what.to_string()));
    print_line(&lines.join("\n"))
}

fn monitor(address: &LiveAddress, save: Option<&Path>, seconds: Option<u64>) -> Result<(), ExitFailure> {
    let mut writer = match save {
        Some(path) => {
            let header = CaptureHeader {
                capture: address.maker.prefix().to_owned(),
                device: Some(address.to_string()),
            };
            Some(super::play::capture_file(path, &header)?)
        }
        None => None,
    };
    let (sender, lines) = sync_channel::<String>(1024);
    let tap_sender = sender.clone();
    let tap: supervisor::ByteTap = Box::new(move |at, direction, bytes| {
        let arrow = match direction {
            Direction::FromDevice => "<",
            Direction::ToDevice => ">",
        };
        // If the terminal is too slow to show these bytes, they are not shown, so that the terminal never delays the
        // board.
        drop(tap_sender.try_send(format!("{:>9} {arrow} {}", at.millis(), to_hex(bytes))));
        if let Some(open) = &mut writer
            && let Err(error) = open.write(at, direction, bytes)
        {
            drop(
                tap_sender.try_send(format!("the file with the raw bytes can no longer be written: {error}")),
            );
            writer = None;
        }
    });
    let (lost, first_loss) = sync_channel(1);
    let mut reached = false;
    let sink: supervisor::EventSink = Box::new(move |at, event| {
        match &event {
            BoardEvent::Lost(error) if !reached => drop(lost.try_send(error.clone())),
            _ => reached = true,
        }
        drop(sender.try_send(format!("{:>9}   {event:?}", at.millis())));
    });
    let timeline = RealTime::starting_at(Instant::ZERO);
    let notes = BoardNotes::usual().of(address.maker);
    let handle =
        supervisor::spawn(address, notes, Arc::new(timeline.clone()), sink, Some(tap)).map_err(unusable)?;
    let shown = show(&lines, &first_loss, &timeline, seconds);
    handle.stop();
    shown
}

fn show(
    lines: &Receiver<String>,
    first_loss: &Receiver<LinkError>,
    timeline: &RealTime,
    seconds: Option<u64>,
) -> Result<(), ExitFailure> {
    use tabiya_types::Timeline as _;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ExitFailure::unusable)?;
    runtime.block_on(async {
        let ended = tokio::signal::ctrl_c();
        tokio::pin!(ended);
        loop {
            tokio::select! {
                _ = &mut ended => return Ok(()),
                () = tokio::time::sleep(std::time::Duration::from_millis(20)) => {}
            }
            // If the port could never be opened, that is an error. If the port is lost later, that is only shown.
            if let Ok(error) = first_loss.try_recv() {
                return Err(unusable(error));
            }
            for line in lines.try_iter() {
                print_line(&line)?;
            }
            if seconds.is_some_and(|seconds| timeline.now().millis() >= seconds.saturating_mul(1000)) {
                return Ok(());
            }
        }
    })
}
