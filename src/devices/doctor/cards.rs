//! Whether card readers can be used on this computer: found out by the same thread that keeps them.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use super::Finding;
use crate::devices::Timeline;
use crate::devices::cards::{self, CardError, CardEvent, Options, Sink};

/// How long it takes at most until the service, its readers, and one that the system's own driver holds are told.
const PATIENCE: Duration = Duration::from_secs(3);
/// What is told until then, with room to spare: at most 16 readers and their cards.
const LONGEST_QUEUE: usize = 64;
/// The settings of the driver that most readers use.
const DRIVER: &str = "/etc/libccid_Info.plist";

/// What is found out about card readers. Takes up to three seconds if none is there.
pub fn card_readers(timeline: Arc<dyn Timeline>, options: Options) -> Vec<Finding> {
    let (told, events) = sync_channel(LONGEST_QUEUE);
    let sink: Sink = Box::new(move |_, event| drop(told.try_send(event)));
    let _readers = cards::spawn_with(timeline, sink, options);
    let mut findings = Vec::new();
    while let Ok(event) = events.recv_timeout(PATIENCE) {
        match event {
            CardEvent::Came(reader) => findings.push(Finding::good(format!("card reader: {reader}"))),
            CardEvent::Trouble(error) => {
                findings.push(trouble(&error));
                break;
            }
            CardEvent::Unreadable { reader, why } => findings.push(Finding::bad(format!("{reader}: {why}"))),
            // Where none is there, it takes another moment until one is found that the system holds.
            CardEvent::Ready if !findings.is_empty() => break,
            _ => {}
        }
    }
    if findings.is_empty() {
        findings
            .push(Finding::good("no card reader is there: plug one in and look again, or type the cards"));
    }
    findings.extend(own_commands(Path::new(DRIVER)));
    findings
}

/// Who has no reader needs no service; everything else is to be put right.
fn trouble(error: &CardError) -> Finding {
    match error {
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
        assert!(trouble(&CardError::NoService).good && trouble(&CardError::NotBuilt).good);
        for error in [
            CardError::ServiceStopped,
            CardError::Refused,
            CardError::HeldBySystem,
            CardError::NotAnswering { reader: "R".into() },
            CardError::Failed { source: Arc::new(std::io::Error::other("broken")) },
        ] {
            let finding = trouble(&error);
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
