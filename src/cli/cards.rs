//! `tabiya cards`: lists the card readers and the cards on them, and watches for taps.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use tabiya_app::time::RealTime;
use tabiya_cards::{self as cards, CardError, CardEvent, CardTap, Options, TagContent};
use tabiya_types::Instant;

use super::output::{ExitFailure, print_line, unusable};

/// Arguments of `tabiya cards`.
#[derive(Debug, clap::Args)]
pub(super) struct CardsArguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the card readers and the cards on them. `tabiya cards` alone does the same.
    List,
    /// Show every card that is laid down or lifted, until Ctrl-C.
    Watch {
        /// Stop after this number of seconds.
        #[arg(long, value_name = "SECONDS")]
        seconds: Option<u64>,
        /// Turn off the beep of readers that support this (ACR122U). Unplugging the reader turns its beep on again.
        #[arg(long)]
        quiet: bool,
    },
}

/// The size of the event queue. People are too slow to fill it.
const LONGEST_QUEUE: usize = 256;
/// How long to wait for the first card of a reader after the reader was found.
const SOON: Duration = Duration::from_millis(300);

pub(super) fn run(arguments: &CardsArguments) -> Result<(), ExitFailure> {
    match arguments.command {
        None | Some(Command::List) => list(),
        Some(Command::Watch { seconds, quiet }) => watch(seconds.map(Duration::from_secs), quiet),
    }
}

/// Starts watching the readers. Events arrive until the returned handle is dropped.
fn listen(quiet: bool) -> (cards::CardReaders, Receiver<CardEvent>) {
    let (sender, events) = sync_channel(LONGEST_QUEUE);
    let sink: cards::CardSink = Box::new(move |_, event| drop(sender.send(event)));
    let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
    (cards::spawn_with(timeline, sink, Options { quiet, ..Options::default() }), events)
}

fn list() -> Result<(), ExitFailure> {
    let (_handle, events) = listen(false);
    let (mut readers, mut ready) = (0, false);
    // Waits without a limit until all readers are reported. Then waits only briefly for cards that already lie on the
    // readers.
    while let Ok(event) = if ready {
        events.recv_timeout(SOON)
    } else {
        events.recv().map_err(|_| RecvTimeoutError::Disconnected)
    } {
        match event {
            CardEvent::Connected(reader) => {
                readers += 1;
                print_line(&reader.to_string())?;
            }
            CardEvent::Present(tap) | CardEvent::Tapped(tap) => print_line(&describe(&tap))?,
            CardEvent::Unreadable { reader, why } => print_line(&format!("{reader}: {why}"))?,
            CardEvent::Problem(error) => return Err(unusable(error)),
            CardEvent::Ready if readers == 0 => {
                // If the kernel's NFC driver uses a reader, this problem is reported only after a second check. So
                // the program waits for that report.
                if let Ok(CardEvent::Problem(error)) = events.recv_timeout(Duration::from_secs(2)) {
                    return Err(unusable(error));
                }
                return print_line("no card reader is connected: plug one in");
            }
            CardEvent::Ready => ready = true,
            _ => {}
        }
    }
    print_line("`tabiya cards watch` shows every card that is laid down")
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
            CardEvent::Connected(reader) => print_line(&format!("reader: {reader}"))?,
            CardEvent::Disconnected(reader) => print_line(&format!("disconnected: {reader}"))?,
            CardEvent::Ready => print_line("lay cards down")?,
            CardEvent::Tapped(tap) | CardEvent::Present(tap) => print_line(&describe(&tap))?,
            CardEvent::Lifted(reader) => print_line(&format!("{reader}: lifted"))?,
            CardEvent::Unreadable { reader, why } => print_line(&format!("{reader}: {why}"))?,
            CardEvent::Problem(error @ CardError::NotBuilt) => return Err(unusable(error)),
            CardEvent::Problem(error) => print_line(&error.to_string())?,
            CardEvent::ProblemOver(None) => print_line("the card service is running again")?,
            CardEvent::ProblemOver(Some(reader)) => print_line(&format!("{reader} answers again"))?,
            CardEvent::Written(_) | CardEvent::Locked(_) | CardEvent::NotWritten { .. } => {}
        }
    }
}

fn describe(CardTap { reader, uid, content }: &CardTap) -> String {
    let what = match content {
        TagContent::Ours(record) if record.signature.is_some() => format!("a signed card, id {}", record.id),
        TagContent::Ours(record) => format!("a card, id {}", record.id),
        TagContent::Empty => "a blank card".to_owned(),
        TagContent::Other => "a card with something else on it".to_owned(),
        TagContent::Closed => "a card that cannot be read".to_owned(),
    };
    format!("{reader}: {what}, chip {uid}")
}
