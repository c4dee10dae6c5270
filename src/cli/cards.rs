//! `tabiya cards`: which card readers are there, and what lies on them.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use tabiya_app::time::RealTime;
use tabiya_cards::{self as cards, CardError, CardEvent, CardTap, Options, TagContent};
use tabiya_types::Instant;

use super::{ExitFailure, tell, unusable};

/// Arguments of `tabiya cards`.
#[derive(Debug, clap::Args)]
pub(super) struct CardsArguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the card readers and what lies on them. The same as `tabiya cards` alone.
    List,
    /// Tell of every card that is laid down or lifted, until Ctrl-C.
    Watch {
        /// Stop by itself after so many seconds.
        #[arg(long, value_name = "SECONDS")]
        seconds: Option<u64>,
        /// Ask readers not to beep at each card (ACR122U). They forget it when they are unplugged.
        #[arg(long)]
        quiet: bool,
    },
}

/// What waits to be told: more than anybody lays down.
const LONGEST_QUEUE: usize = 256;
/// How long a card may take to be read after its reader was found.
const SOON: Duration = Duration::from_millis(300);

pub(super) fn run(arguments: &CardsArguments) -> Result<(), ExitFailure> {
    match arguments.command {
        None | Some(Command::List) => list(),
        Some(Command::Watch { seconds, quiet }) => watch(seconds.map(Duration::from_secs), quiet),
    }
}

/// Starts the readers; their events until the handle goes.
fn listen(quiet: bool) -> (cards::CardReaders, Receiver<CardEvent>) {
    let (told, events) = sync_channel(LONGEST_QUEUE);
    let sink: cards::CardSink = Box::new(move |_, event| drop(told.send(event)));
    let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
    (cards::spawn_with(timeline, sink, Options { quiet, ..Options::default() }), events)
}

fn list() -> Result<(), ExitFailure> {
    let (_handle, events) = listen(false);
    let (mut readers, mut ready) = (0, false);
    // Before all readers are told it may take as long as it takes; a card that lies there follows at once.
    while let Ok(event) = if ready {
        events.recv_timeout(SOON)
    } else {
        events.recv().map_err(|_| RecvTimeoutError::Disconnected)
    } {
        match event {
            CardEvent::Came(reader) => {
                readers += 1;
                tell(&reader.to_string())?;
            }
            CardEvent::Lying(tap) | CardEvent::Tapped(tap) => tell(&lies(&tap))?,
            CardEvent::Unreadable { reader, why } => tell(&format!("{reader}: {why}"))?,
            CardEvent::Trouble(error) => return Err(unusable(error)),
            CardEvent::Ready if readers == 0 => {
                // The system's own driver is found to hold one only after a second look.
                if let Ok(CardEvent::Trouble(error)) = events.recv_timeout(Duration::from_secs(2)) {
                    return Err(unusable(error));
                }
                return tell("no card reader is there: plug one in");
            }
            CardEvent::Ready => ready = true,
            _ => {}
        }
    }
    tell("`tabiya cards watch` tells of every card that is laid down")
}

fn watch(length: Option<Duration>, quiet: bool) -> Result<(), ExitFailure> {
    let (_handle, events) = listen(quiet);
    let until = length.map(|length| (RealTime::starting_at(Instant::ZERO), length));
    loop {
        let event = match &until {
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some((time, length)) => {
                let end = Instant::ZERO
                    + tabiya_types::Millis(u64::try_from(length.as_millis()).unwrap_or(u64::MAX));
                events.recv_timeout(time.until(end))
            }
        };
        let Ok(event) = event else { return Ok(()) };
        match event {
            CardEvent::Came(reader) => tell(&format!("reader: {reader}"))?,
            CardEvent::Gone(reader) => tell(&format!("gone: {reader}"))?,
            CardEvent::Ready => tell("lay cards down")?,
            CardEvent::Tapped(tap) | CardEvent::Lying(tap) => tell(&lies(&tap))?,
            CardEvent::Lifted(reader) => tell(&format!("{reader}: lifted"))?,
            CardEvent::Unreadable { reader, why } => tell(&format!("{reader}: {why}"))?,
            CardEvent::Trouble(error @ CardError::NotBuilt) => return Err(unusable(error)),
            CardEvent::Trouble(error) => tell(&error.to_string())?,
            CardEvent::TroubleOver(None) => tell("the card service is there again")?,
            CardEvent::TroubleOver(Some(reader)) => tell(&format!("{reader} answers again"))?,
            CardEvent::Written(_) | CardEvent::Locked(_) | CardEvent::NotWritten { .. } => {}
        }
    }
}

fn lies(CardTap { reader, uid, content }: &CardTap) -> String {
    let what = match content {
        TagContent::Ours(record) if record.signature.is_some() => format!("a signed card, id {}", record.id),
        TagContent::Ours(record) => format!("a card, id {}", record.id),
        TagContent::Empty => "a blank card".to_owned(),
        TagContent::Other => "a card with something else on it".to_owned(),
        TagContent::Closed => "a card that does not let itself be read".to_owned(),
    };
    format!("{reader}: {what}, chip {uid}")
}
