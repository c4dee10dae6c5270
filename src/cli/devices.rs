//! `tabiya devices`: which boards are there, and what one says.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use tabiya_app::doctor;
use tabiya_app::store::board_notes::BoardNotes;
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

use super::{ExitFailure, tell, unusable};

/// Arguments of `tabiya devices`.
#[derive(Debug, clap::Args)]
pub(super) struct DevicesArguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the serial ports and who may sit there, and the boards that are seen over Bluetooth. The same as
    /// `tabiya devices` alone.
    List,
    /// Ask whether a board answers at an address.
    Probe {
        /// dgt:/dev/ttyACM0, dgt:tcp:HOST:PORT, or auto.
        board: BoardAddress,
    },
    /// Look for what keeps boards and card readers from being reached: permissions, other programs, Bluetooth, the
    /// system's card service.
    Doctor {
        /// Print rules for udev that give the boards' ports to whoever sits at the computer.
        #[arg(long)]
        udev: bool,
    },
    /// Keep something that a board's driver has to know, such as a developer key:
    /// `tabiya devices note pegasus developer-key 010203040506`.
    Note {
        /// Whose board: pegasus, certabo …
        board: String,
        /// Under which name; the table says which it misses.
        name: String,
        /// What is to be known.
        value: String,
    },
    /// Show every byte that a board and this program exchange, until Ctrl-C.
    Monitor {
        /// dgt:/dev/ttyACM0, dgt:tcp:HOST:PORT, or auto.
        board: BoardAddress,
        /// Save the bytes as a capture, which `play --board capture:FILE` plays.
        #[arg(long, value_name = "FILE")]
        save: Option<PathBuf>,
        /// Stop by itself after so many seconds.
        #[arg(long, value_name = "SECONDS")]
        seconds: Option<u64>,
    },
}

pub(super) fn run(arguments: DevicesArguments) -> Result<(), ExitFailure> {
    match arguments.command {
        None | Some(Command::List) => list(),
        Some(Command::Probe { board }) => probe(&live(board)?),
        Some(Command::Doctor { udev: true }) => tell(doctor::udev_rules().trim_end()),
        Some(Command::Doctor { udev: false }) => {
            let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
            [doctor::examine(), card_readers(timeline, Options::default())]
                .concat()
                .iter()
                .try_for_each(|finding| tell(&finding.to_string()))
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
            near::only(None, &|maker| BoardNotes::usual().of(maker), &timeline).map_err(unusable)
        }
        BoardAddress::Capture(_) | BoardAddress::Sim(_) => Err(ExitFailure::unusable(format!(
            "`{board}` is no device; name a port, for example dgt:/dev/ttyACM0"
        ))),
    }
}

fn list() -> Result<(), ExitFailure> {
    let found = ports::discover();
    if found.is_empty() {
        tell("no serial port is there: plug a board in, or name one, for example dgt:/dev/ttyACM0")?;
    }
    for candidate in found {
        tell(&candidate.to_string())?;
    }
    for near in near::in_programs() {
        tell(&near.to_string())?;
    }
    match near::over_the_air() {
        Ok(near) if near.is_empty() => tell("no board is to be seen over Bluetooth: switch it on")?,
        Ok(near) => near.iter().try_for_each(|near| tell(&near.to_string()))?,
        Err(fault) => tell(&format!("over Bluetooth: {fault}"))?,
    }
    let makers: Vec<String> =
        CATALOG.iter().map(|maker| format!("{} ({})", maker.name(), maker.prefix())).collect();
    tell(&format!("boards that are known: {}", makers.join(", ")))?;
    tell("`tabiya devices probe ADDRESS` asks whether a board answers there")
}

fn note(board: &str, name: &str, value: &str) -> Result<(), ExitFailure> {
    let maker = Maker::from_prefix(board).ok_or_else(|| {
        ExitFailure::unusable(format!("`{board}` is no board; write one of {}", Maker::prefixes()))
    })?;
    let forms = maker.entry().notes;
    let Some(form) = forms.iter().find(|form| form.name == name) else {
        let names = forms.iter().map(|form| form.name).collect::<Vec<_>>().join(", ");
        let names = if names.is_empty() { "nothing is kept".to_owned() } else { format!("write {names}") };
        return Err(ExitFailure::unusable(format!(
            "`{}` is nothing that is kept of {} boards; {names}",
            tabiya_types::harmless(name),
            maker.name()
        )));
    };
    if !(form.fits)(value) {
        return Err(ExitFailure::unusable(format!("that is no {name}; write {}", form.looks)));
    }
    let kept = BoardNotes::usual();
    if let Some(trouble) = kept.trouble() {
        return Err(ExitFailure::unusable(trouble.to_string()));
    }
    kept.keep(maker, name, value).map_err(|error| {
        ExitFailure::unusable(format!("it cannot be kept: {error}; check the settings' folder"))
    })?;
    tell(&format!("kept for {} boards: {name}", maker.name()))
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
    tell(&lines.join("\n"))
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
    let (told, lines) = sync_channel::<String>(1024);
    let tap_told = told.clone();
    let tap: supervisor::ByteTap = Box::new(move |at, direction, bytes| {
        let arrow = match direction {
            Direction::FromDevice => "<",
            Direction::ToDevice => ">",
        };
        // A terminal that does not keep up must not hold the board up.
        drop(tap_told.try_send(format!("{:>9} {arrow} {}", at.millis(), to_hex(bytes))));
        if let Some(open) = &mut writer
            && let Err(error) = open.write(at, direction, bytes)
        {
            drop(tap_told.try_send(format!("the capture cannot be written any more: {error}")));
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
        drop(told.try_send(format!("{:>9}   {event:?}", at.millis())));
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
            // A port that never was there is an error; one that goes away is news.
            if let Ok(error) = first_loss.try_recv() {
                return Err(unusable(error));
            }
            for line in lines.try_iter() {
                tell(&line)?;
            }
            if seconds.is_some_and(|seconds| timeline.now().millis() >= seconds.saturating_mul(1000)) {
                return Ok(());
            }
        }
    })
}
