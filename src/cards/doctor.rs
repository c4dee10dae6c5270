//! Checks whether card readers can be used on this computer. The check runs the same threads as a game.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use tabiya_types::{Finding, Millis, Timeline};

use crate::quirks::is_held_by_the_system;
use crate::{CardError, CardEvent, CardSink, Options, ReaderName};

/// The longest time that the check lasts. Even on a busy computer this is enough to report the state of the card
/// service, the service's readers, and whether the kernel's NFC driver holds a reader.
const PATIENCE: Millis = Millis(5_000);
/// The size of the event queue. The card service has at most 16 readers, so the events of one check fit.
const LONGEST_QUEUE: usize = 64;
/// The configuration file of libccid, the driver that most readers use.
const DRIVER: &str = "/etc/libccid_Info.plist";

/// The readers that the card service lists now; none if there is no card service. Takes about one second, five at most.
pub fn connected_readers(timeline: Arc<dyn Timeline>, options: Options) -> Vec<ReaderName> {
    let (sender, events) = sync_channel(LONGEST_QUEUE);
    let sink: CardSink = Box::new(move |_, event| drop(sender.try_send(event)));
    let time = Arc::clone(&timeline);
    let until = time.now() + PATIENCE;
    let _readers = crate::spawn_with(timeline, sink, options);
    let mut served = Vec::new();
    while let Ok(event) = events.recv_timeout(Duration::from_millis(until.since(time.now()).0)) {
        match event {
            CardEvent::Connected(reader) => served.push(reader),
            CardEvent::Ready | CardEvent::Problem(_) => break,
            _ => {}
        }
    }
    served
}

/// Checks the card readers and returns the findings. The check takes about one second. If a reader is plugged in but
/// the card service does not list it, the check takes two seconds. It never takes more than five seconds.
pub fn card_readers(timeline: Arc<dyn Timeline>, options: Options) -> Vec<Finding> {
    let (sender, events) = sync_channel(LONGEST_QUEUE);
    let sink: CardSink = Box::new(move |_, event| drop(sender.try_send(event)));
    let plugged = options.usb_devices.clone();
    let time = Arc::clone(&timeline);
    let until = time.now() + PATIENCE;
    let left = || Duration::from_millis(until.since(time.now()).0);
    let _readers = crate::spawn_with(timeline, sink, options);
    let mut served: Vec<ReaderName> = Vec::new();
    let mut findings = Vec::new();
    while let Ok(event) = events.recv_timeout(left()) {
        match event {
            CardEvent::Connected(reader) => {
                findings.push(Finding::good(format!("card reader: {reader}")));
                served.push(reader);
            }
            CardEvent::Problem(error) => {
                findings.push(trouble(&error, is_held_by_the_system(served.iter(), &plugged)));
                break;
            }
            CardEvent::Unreadable { reader, why } => findings.push(Finding::bad(format!("{reader}: {why}"))),
            // The kernel's driver holds a reader. The event about that comes a moment after `Ready`, so the check goes
            // on.
            CardEvent::Ready if is_held_by_the_system(served.iter(), &plugged) => {}
            CardEvent::Ready => break,
            CardEvent::Disconnected(_)
            | CardEvent::Tapped(_)
            | CardEvent::Present(_)
            | CardEvent::Lifted(_)
            | CardEvent::Written(_)
            | CardEvent::Locked(_)
            | CardEvent::NotWritten { .. }
            | CardEvent::ProblemOver(_) => {}
        }
    }
    if findings.is_empty() {
        findings.push(Finding::good(
            "no card reader is connected: plug one in and look again, or type the cards",
        ));
    }
    findings.extend(own_commands(Path::new(DRIVER)));
    findings
}

/// Turns a problem into a finding. A missing card service is fine unless a reader is plugged in (`plugged`). All other
/// problems must be fixed.
fn trouble(error: &CardError, plugged: bool) -> Finding {
    match error {
        CardError::NoService if plugged => {
            Finding::bad(format!("a card reader (ACR122U) is plugged in, but {error}"))
        }
        CardError::NoService | CardError::NotBuilt => Finding::good(format!("cards must be typed: {error}")),
        CardError::ServiceStopped
        | CardError::Refused
        | CardError::HeldBySystem
        | CardError::NotAnswering { .. }
        | CardError::Failed { .. } => Finding::bad(error.to_string()),
    }
}

/// Reports whether libccid passes reader-specific commands; `None` if its configuration cannot be read.
fn own_commands(settings: &Path) -> Option<Finding> {
    let text = std::fs::read_to_string(settings).ok()?;
    let (_, after) = text.split_once("<key>ifdDriverOptions</key>")?;
    let value = after.trim_start().strip_prefix("<string>0x")?.split('<').next()?;
    let options = u32::from_str_radix(value, 16).ok()?;
    // Bit 0 of this option allows reader-specific commands. Tabiya works with either value.
    let through =
        if options & 1 == 1 { "passes reader-specific commands" } else { "blocks reader-specific commands" };
    Some(Finding::good(format!(
        "the card reader driver (libccid) {through}; Tabiya works whether these commands are passed or blocked, because it turns a reader's beep off (--quiet) only while a card lies on the reader"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_no_reader_misses_no_service_and_everything_else_is_to_be_put_right() {
        assert!(trouble(&CardError::NoService, false).good && trouble(&CardError::NotBuilt, true).good);
        let waits = trouble(&CardError::NoService, true);
        assert!(!waits.good && waits.text.starts_with("a card reader (ACR122U) is plugged in"), "{waits}");
        for error in [
            CardError::ServiceStopped,
            CardError::Refused,
            CardError::HeldBySystem,
            CardError::NotAnswering { reader: "R".into() },
            CardError::Failed { source: Arc::new(std::io::Error::other("broken")) },
        ] {
            let finding = trouble(&error, true);
            assert!(!finding.good && finding.text == error.to_string(), "{finding}");
        }
    }

    #[test]
    fn the_driver_s_settings_are_told_as_a_note() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("Info.plist");
        assert_eq!(own_commands(&file), None);
        for (value, wanted) in [
            ("0x0000", Some("blocks")),
            ("0x0001", Some("passes")),
            ("0x0005", Some("passes")),
            ("zero", None),
        ] {
            let text = format!("<dict>\n\t<key>ifdDriverOptions</key>\n\t<string>{value}</string>\n</dict>");
            std::fs::write(&file, text).expect("written");
            let found = own_commands(&file);
            assert_eq!(found.is_some(), wanted.is_some(), "{value}");
            for (finding, wanted) in found.iter().zip(wanted) {
                assert!(finding.good && finding.text.contains(wanted), "{finding}");
            }
        }
    }
}
