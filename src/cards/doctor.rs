//! Whether card readers can be used on this computer: found out by the same thread that keeps them.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use tabiya_types::{Finding, Millis, Timeline};

use crate::quirks::is_held_by_the_system;
use crate::{CardError, CardEvent, CardSink, Options, ReaderName};

/// How long it takes at most, on a busy computer too, until the service, its readers, and one that the system's own
/// driver holds are told.
const PATIENCE: Millis = Millis(5_000);
/// What is told until then, with room to spare: at most 16 readers and their cards.
const LONGEST_QUEUE: usize = 64;
/// The settings of the driver that most readers use.
const DRIVER: &str = "/etc/libccid_Info.plist";

/// What is found out about card readers. Takes about a second, two if one is plugged in that the service does not know,
/// and five at most.
pub fn card_readers(timeline: Arc<dyn Timeline>, options: Options) -> Vec<Finding> {
    let (told, events) = sync_channel(LONGEST_QUEUE);
    let sink: CardSink = Box::new(move |_, event| drop(told.try_send(event)));
    let plugged = options.plugged.clone();
    let time = Arc::clone(&timeline);
    let until = time.now() + PATIENCE;
    let left = || Duration::from_millis(until.since(time.now()).0);
    let _readers = crate::spawn_with(timeline, sink, options);
    let mut served: Vec<ReaderName> = Vec::new();
    let mut findings = Vec::new();
    while let Ok(event) = events.recv_timeout(left()) {
        match event {
            CardEvent::Came(reader) => {
                findings.push(Finding::good(format!("card reader: {reader}")));
                served.push(reader);
            }
            CardEvent::Trouble(error) => {
                findings.push(trouble(&error, is_held_by_the_system(served.iter(), &plugged)));
                break;
            }
            CardEvent::Unreadable { reader, why } => findings.push(Finding::bad(format!("{reader}: {why}"))),
            // Of one that the system holds it is told a moment later, whatever other readers are there.
            CardEvent::Ready if is_held_by_the_system(served.iter(), &plugged) => {}
            CardEvent::Ready => break,
            CardEvent::Gone(_)
            | CardEvent::Tapped(_)
            | CardEvent::Lying(_)
            | CardEvent::Lifted(_)
            | CardEvent::Written(_)
            | CardEvent::Locked(_)
            | CardEvent::NotWritten { .. }
            | CardEvent::TroubleOver(_) => {}
        }
    }
    if findings.is_empty() {
        findings
            .push(Finding::good("no card reader is there: plug one in and look again, or type the cards"));
    }
    findings.extend(own_commands(Path::new(DRIVER)));
    findings
}

/// Who has no reader needs no service; everything else is to be put right. `plugged` if a reader waits for the service.
fn trouble(error: &CardError, plugged: bool) -> Finding {
    match error {
        CardError::NoService if plugged => {
            Finding::bad(format!("a card reader (ACR122U) is plugged in, but {error}"))
        }
        CardError::NoService | CardError::NotBuilt => Finding::good(format!("cards are typed: {error}")),
        CardError::ServiceStopped
        | CardError::Refused
        | CardError::HeldBySystem
        | CardError::NotAnswering { .. }
        | CardError::Failed { .. } => Finding::bad(error.to_string()),
    }
}

/// Whether the driver lets a reader's own commands through; nothing if it is not there.
fn own_commands(settings: &Path) -> Option<Finding> {
    let text = std::fs::read_to_string(settings).ok()?;
    let (_, after) = text.split_once("<key>ifdDriverOptions</key>")?;
    let value = after.trim_start().strip_prefix("<string>0x")?.split('<').next()?;
    let options = u32::from_str_radix(value, 16).ok()?;
    // Debian's way; nothing of ours needs them.
    let through = if options & 1 == 1 {
        "lets readers' own commands through"
    } else {
        "keeps readers' own commands back"
    };
    Some(Finding::good(format!(
        "the driver of card readers (libccid) {through}; either will do: a reader is asked not to beep (--quiet) while a card lies on it"
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
        for (value, wanted) in
            [("0x0000", Some("keeps")), ("0x0001", Some("lets")), ("0x0005", Some("lets")), ("zero", None)]
        {
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
