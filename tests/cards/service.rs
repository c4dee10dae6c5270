//! Cards on readers, through the system's real card service with virtual readers.
//!
//! The table shows what the service and its library do when something goes wrong, and which test covers it:
//!
//! | situation | test |
//! | --- | --- |
//! | no service | `a_service_that_is_not_there_is_told_once_until_it_is_there` |
//! | the service refuses | `a_service_that_refuses_is_told_as_that` |
//! | a service without readers | `a_service_without_readers_is_ready_and_tells_of_none` |
//! | no reader in the service, but one is plugged in | `a_reader_that_the_system_holds_is_told_until_it_is_let_go` |
//! | a reader without a card is asked to write | `a_card_is_written_and_reads_as_it_was_meant`, its end |
//! | a reader of this name is not there, or not any more | `a_card_is_written_and_reads_as_it_was_meant`; `a_reader_unplugged_in_a_match_is_gone_and_comes_back` |
//! | nothing happens | `is_quiet` in most tests |
//! | the waiting ends | `a_handle_that_goes_lets_its_sink_go` |
//! | a card lies there from the beginning | `what_lay_there_before_was_not_tapped` |
//! | a card is lifted during a read or write, and the driver returns an error | `a_card_lifted_while_it_is_read_tells_no_half`, `…_while_it_is_written_…` |
//! | a card is lifted during a read, and the driver returns no bytes and an outdated state | `a_driver_that_others_wrote_tells_the_same` |
//! | a tag refuses, or is slow | `a_tag_that_refuses_now_and_then_is_tried_again_and_a_slow_one_is_waited_for` |
//! | a tag never answers | `a_reader_that_does_not_answer_is_told_once_and_holds_no_other_up` |
//! | a card is replaced by another while the client is busy | `tests/cards/decks.rs`: `a_card_swapped_while_the_program_slept_is_told_as_another` |
//! | a card is replaced by another during one read | `a_card_swapped_unseen_never_lends_its_number_to_the_other` |
//! | "no card" is reported twice, first with an outdated count | `readers.rs`: `two_taps_between_two_looks_are_told_by_the_count` |
//! | another program uses the card exclusively | `a_card_that_another_program_uses_is_told_once_and_read_when_it_is_free` |
//! | an answer is longer than the buffer | `an_answer_that_is_too_long_is_a_card_that_was_not_read` |
//! | the answer to reset has one byte | `a_tag_that_refuses_now_and_then_…`, its end |
//! | a card is changed while the service is away | `a_card_changed_while_the_service_was_away_was_not_tapped` |
//! | the program stalls | `a_stall_does_not_make_a_held_reader_of_one_that_is_listed_late` |
//! | too many orders wait for a reader | `readers.rs`: `a_reader_with_too_much_before_it_is_told_as_busy_and_not_as_gone` |
//! | the service ends while it waits or during a read, and comes back with the same or other readers | `what_lay_there_before_…`, `a_service_that_ends_in_mid_read_…`, `a_reader_unplugged_…` |
//!
//! Not tested: direct connections, escape commands, and actions on a card when its connection ends, because the
//! program uses none of them; a list of readers that is reread while the service runs, and a reset of a card, because
//! these virtual readers cannot produce them.
#![cfg(all(target_os = "linux", feature = "pcsc"))]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::time::Duration;

use crate::pcscd::{Pcscd, alone, socket};
use crate::virtual_reader::{blank, id, lay, lay_faulty, lay_vpcd, uid, written};
use crate::wait::{PATIENCE, let_pass, wait_for, wait_until};
use tabiya_app::time::RealTime;
use tabiya_cards::doctor::card_readers;
use tabiya_cards::sim::{SimulatedTag, TagFaults, TagKind};
use tabiya_cards::{
    CardEvent, CardReaders, Options, ReaderName, Record, TagContent, Uid, WriteError, spawn_with,
};
use tabiya_types::{Instant, Millis, Timeline};

/// The readers' events, and the handle of their threads.
struct ReaderEvents {
    events: Receiver<(Instant, CardEvent)>,
    handle: CardReaders,
}

fn listen() -> ReaderEvents {
    listen_with(Options::default())
}

fn listen_with(options: Options) -> ReaderEvents {
    let (sender, events) = channel();
    let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
    // Sending fails if the test has ended.
    let sink = Box::new(move |at, event| drop(sender.send((at, event))));
    ReaderEvents { events, handle: spawn_with(timeline, sink, options) }
}

/// Like [`listen`], but the thread that sends an event waits until the test takes the event. So a test can hold the
/// readers' threads back.
fn listen_in_step() -> ReaderEvents {
    let (sender, events) = sync_channel(0);
    let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
    let sink = Box::new(move |at, event| drop(sender.send((at, event))));
    ReaderEvents { events, handle: spawn_with(timeline, sink, Options::default()) }
}

/// Creates the files by which the system lists an ACR122U on USB.
fn plug_in_acr122(folder: &Path) {
    let device = folder.join("usb/1-2");
    std::fs::create_dir_all(&device).unwrap();
    std::fs::write(device.join("idVendor"), "072f\n").unwrap();
    std::fs::write(device.join("idProduct"), "2200\n").unwrap();
}

impl ReaderEvents {
    /// Waits for the next event, and returns it as a short text.
    fn next(&self) -> String {
        let (_, event) = self.events.recv_timeout(PATIENCE).expect("an event comes");
        say(&event)
    }

    /// Asserts that the next events begin with these texts.
    #[track_caller]
    fn hear(&self, wanted: &[&str]) {
        for wanted in wanted {
            let next = self.next();
            assert!(next.starts_with(wanted), "expected: {wanted}\n     got: {next}");
        }
    }

    /// Asserts that no event comes for 600 ms.
    #[track_caller]
    fn is_quiet(&self) {
        if let Ok((_, event)) = self.events.recv_timeout(Duration::from_millis(600)) {
            panic!("unexpected event: {}", say(&event));
        }
    }
}

fn say(event: &CardEvent) -> String {
    let content = |content: &TagContent| match content {
        TagContent::Ours(record) => format!("id {}", record.id.0[0]),
        TagContent::Empty => "empty".to_owned(),
        TagContent::Other => "other".to_owned(),
        TagContent::Closed => "closed".to_owned(),
    };
    let nth = |uid: &Uid| uid.bytes().last().copied().unwrap_or_default();
    match event {
        CardEvent::Connected(reader) => format!("came {reader}"),
        CardEvent::Disconnected(reader) => format!("gone {reader}"),
        CardEvent::Ready => "ready".to_owned(),
        CardEvent::Tapped(tap) => {
            format!("{}: tapped {} {}", tap.reader, nth(&tap.uid), content(&tap.content))
        }
        CardEvent::Present(tap) => {
            format!("{}: lying {} {}", tap.reader, nth(&tap.uid), content(&tap.content))
        }
        CardEvent::Lifted(reader) => format!("{reader}: lifted"),
        CardEvent::Unreadable { reader, why } => format!("{reader}: unreadable {why:?}"),
        CardEvent::Written(tap) => {
            format!("{}: written {} {}", tap.reader, nth(&tap.uid), content(&tap.content))
        }
        CardEvent::Locked(tap) => format!("{}: locked {}", tap.reader, nth(&tap.uid)),
        CardEvent::NotWritten { reader, why } => format!("{reader}: not written {why:?}"),
        CardEvent::Problem(error) => format!("trouble: {error}"),
        CardEvent::ProblemOver(Some(reader)) => format!("over: {reader}"),
        CardEvent::ProblemOver(None) => "over".to_owned(),
    }
}

#[test]
fn cards_on_two_readers_are_told_each_with_what_is_written_on_it() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["White", "Black"]);
        let readers = listen();
        readers.hear(&["came Black 01 00", "came White 00 00", "ready"]);
        let one = lay(folder, "White", written(1));
        readers.hear(&["White 00 00: tapped 1 id 1"]);
        let two = lay(folder, "Black", blank(2));
        readers.hear(&["Black 01 00: tapped 2 empty"]);
        one.lift();
        readers.hear(&["White 00 00: lifted"]);
        two.lift();
        readers.hear(&["Black 01 00: lifted"]);
        readers.is_quiet();
    });
}

#[test]
fn numbers_of_every_length_and_cards_that_do_not_let_themselves_be_read_are_told() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        let ten = Uid::new(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).unwrap();
        let four = Uid::new(&[0x08, 2, 3, 44]).unwrap();
        let mut other = blank(7);
        other.set(4, [0x03, 0x08, 0xD1, 0x01]);
        for (tag, wanted) in [
            (SimulatedTag::new(TagKind::Ntag215, ten), "R 00 00: tapped 10 empty"),
            (SimulatedTag::new(TagKind::Ntag213, four).closed(), "R 00 00: tapped 44 closed"),
            (other, "R 00 00: tapped 7 other"),
            (written(8).closed(), "R 00 00: tapped 8 closed"),
        ] {
            let card = lay(folder, "R", tag);
            readers.hear(&[wanted]);
            card.lift();
            readers.hear(&["R 00 00: lifted"]);
        }
    });
}

#[test]
fn what_lay_there_before_was_not_tapped() {
    alone(|folder| {
        let service = Pcscd::start(folder, &["R"]);
        let card = lay(folder, "R", written(3));
        let readers = listen();
        readers.hear(&["came R", "R 00 00: lying 3 id 3", "ready"]);
        service.kill();
        readers.hear(&["trouble: the system's card service has stopped"]);
        card.lift();
        let service = Pcscd::start(folder, &["R"]);
        readers.hear(&["over", "R 00 00: lifted", "ready"]);
        readers.is_quiet();
        let card = lay(folder, "R", written(3));
        readers.hear(&["R 00 00: tapped 3 id 3"]);
        card.lift();
        readers.hear(&["R 00 00: lifted"]);
        service.kill();
        readers.hear(&["trouble: the system's card service has stopped"]);
    });
}

#[test]
fn a_card_is_written_and_reads_as_it_was_meant() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        let reader = ReaderName::from("R 00 00");
        let write = |nth, uid| readers.handle.write(&reader, uid, Record::new(id(nth))).unwrap();
        let card = lay(folder, "R", blank(1));
        readers.hear(&["R 00 00: tapped 1 empty"]);
        write(9, uid(1));
        readers.hear(&["R 00 00: written 1 id 9"]);
        let card = card.lift();
        readers.hear(&["R 00 00: lifted"]);
        assert_eq!(card.page(4), Some([0x03, 0x27, 0xD4, 0x13]));
        let card = lay(folder, "R", card);
        readers.hear(&["R 00 00: tapped 1 id 9"]);
        write(8, uid(2));
        readers.hear(&["R 00 00: not written OtherCard"]);
        let mut card = card.lift();
        readers.hear(&["R 00 00: lifted"]);
        assert!(card.write(2, [0, 0, 0xF8, 0xFF]).is_some());
        let card = lay(folder, "R", card);
        readers.hear(&["R 00 00: tapped 1 id 9"]);
        write(8, uid(1));
        readers.hear(&["R 00 00: not written Locked"]);
        card.lift();
        readers.hear(&["R 00 00: lifted"]);
        write(8, uid(1));
        readers.hear(&["R 00 00: not written Lifted"]);
        let mut plain = blank(5);
        plain.set(3, [0; 4]);
        let card = lay(folder, "R", plain);
        readers.hear(&["R 00 00: tapped 5 empty"]);
        write(8, uid(5));
        readers.hear(&["R 00 00: not written NotPrepared"]);
        card.lift();
        let nowhere = readers.handle.write(&"S 00 00".into(), uid(1), Record::new(id(1)));
        assert_eq!(nowhere, Err(WriteError::NoReader));
    });
}

#[test]
fn a_card_lifted_while_it_is_written_reads_as_empty() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        for at in [1, 2, 7, 12] {
            let faults = TagFaults { vanish_at_write: Some(at), ..TagFaults::default() };
            let card = lay_faulty(folder, "R", written(1), faults);
            readers.hear(&["R 00 00: tapped 1 id 1"]);
            readers.handle.write(&"R 00 00".into(), uid(1), Record::new(id(2))).unwrap();
            let mut next = [readers.next(), readers.next()];
            next.sort();
            assert_eq!(next, ["R 00 00: lifted", "R 00 00: not written Lifted"], "at {at}");
            let torn = lay(folder, "R", card.lift());
            let wanted = if at == 1 { "R 00 00: tapped 1 id 1" } else { "R 00 00: tapped 1 empty" };
            readers.hear(&[wanted]);
            torn.lift();
            readers.hear(&["R 00 00: lifted"]);
        }
    });
}

#[test]
fn a_card_lifted_while_it_is_read_tells_no_half() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        for at in [1, 2, 3] {
            let faults = TagFaults { vanish_at_read: Some(at), ..TagFaults::default() };
            let card = lay_faulty(folder, "R", written(1), faults);
            // A busy service may increment its event count late. Then the program reads the same card again, but must
            // report it only once.
            readers.hear(&["R 00 00: unreadable Lifted", "R 00 00: lifted"]);
            card.lift();
        }
        readers.is_quiet();
    });
}

#[test]
fn a_card_swapped_unseen_never_lends_its_number_to_the_other() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        // Reading a card takes five commands: UID, three READs, UID. Another card replaces the first one before the
        // second, third, fourth or fifth command.
        for at in 2..=5 {
            let faults = TagFaults { swap_at: Some((at, Box::new(written(2)))), ..TagFaults::default() };
            let card = lay_faulty(folder, "R", written(1), faults);
            readers.hear(&["R 00 00: tapped 2 id 2"]);
            card.lift();
            readers.hear(&["R 00 00: lifted"]);
        }
    });
}

/// The service switches a card's power off after half a second. This step, too, includes a query to the reader.
#[test]
fn a_card_laid_the_moment_another_is_lifted_is_told_however_long_that_one_lay() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        let mut lies = lay(folder, "R", written(1));
        readers.hear(&["R 00 00: tapped 1 id 1"]);
        for nth in 2..=6 {
            let_pass(Duration::from_millis(500 + 100 * u64::from(nth)));
            let next = lay(folder, "R", written(nth));
            lies.lift();
            readers.hear(&["R 00 00: lifted", &format!("R 00 00: tapped {nth} id {nth}")]);
            lies = next;
        }
    });
}

#[test]
fn a_tag_that_refuses_now_and_then_is_tried_again_and_a_slow_one_is_waited_for() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        for faults in [
            TagFaults { refused_reads: 2, ..TagFaults::default() },
            TagFaults { slow: Duration::from_millis(900), ..TagFaults::default() },
        ] {
            let card = lay_faulty(folder, "R", written(1), faults);
            readers.hear(&["R 00 00: tapped 1 id 1"]);
            card.lift();
            readers.hear(&["R 00 00: lifted"]);
        }
        let card = lay_faulty(folder, "R", written(1), TagFaults { mute: true, ..TagFaults::default() });
        readers.hear(&["R 00 00: unreadable"]);
        card.lift();
    });
}

#[test]
fn a_reader_that_does_not_answer_is_told_once_and_holds_no_other_up() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["White", "Black"]);
        let readers = listen();
        readers.hear(&["came Black", "came White", "ready"]);
        let faults = TagFaults { silent_at_read: Some(2), ..TagFaults::default() };
        let card = lay_faulty(folder, "White", written(1), faults);
        readers.hear(&["trouble: the card reader White 00 00 does not answer; unplug it"]);
        let other = lay(folder, "Black", written(2));
        readers.hear(&["Black 01 00: tapped 2 id 2"]);
        other.lift();
        readers.hear(&["Black 01 00: lifted"]);
        card.lift();
        let mut rest = [readers.next(), readers.next(), readers.next()];
        rest.sort();
        assert_eq!(rest[0], "White 00 00: lifted");
        assert!(rest[1].starts_with("White 00 00: unreadable"), "{rest:?}");
        assert_eq!(rest[2], "over: White 00 00");
    });
}

#[test]
fn a_service_that_is_not_there_is_told_once_until_it_is_there() {
    alone(|folder| {
        let readers = listen();
        readers.hear(&["trouble: the system's card service is not running; install and start it"]);
        readers.is_quiet();
        let _service = Pcscd::start(folder, &["R"]);
        readers.hear(&["came R", "over", "ready"]);
    });
}

#[test]
fn a_service_without_readers_is_ready_and_tells_of_none() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &[]);
        let readers = listen();
        readers.hear(&["ready"]);
        readers.is_quiet();
    });
}

#[test]
fn a_handle_that_goes_lets_its_sink_go() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let ReaderEvents { events, handle } = listen();
        let next = || events.recv_timeout(PATIENCE).map(|(_, event)| say(&event));
        assert_eq!(next().as_deref(), Ok("came R 00 00"));
        drop(handle);
        // The channel of the events closes when the last of the readers' threads has dropped its sender.
        let end = loop {
            match next() {
                Ok(word) => assert_eq!(word, "ready"),
                Err(end) => break end,
            }
        };
        assert_eq!(end, RecvTimeoutError::Disconnected);
    });
}

#[test]
fn a_reader_that_the_system_holds_is_told_until_it_is_let_go() {
    alone(|folder| {
        let service = Pcscd::start(folder, &[]);
        plug_in_acr122(folder);
        let readers = listen_with(Options { usb_devices: folder.join("usb"), ..Options::default() });
        readers.hear(&[
            "ready",
            "trouble: a card reader (ACR122U) is plugged in, but the system's own NFC driver",
        ]);
        readers.is_quiet();
        // When a new service starts, the program first reports that the earlier trouble is over. If the cause
        // persists, the program then reports the trouble again.
        service.kill();
        readers.hear(&["trouble: the system's card service has stopped"]);
        let service = Pcscd::start(folder, &[]);
        readers.hear(&["over", "ready", "trouble: a card reader (ACR122U) is plugged in"]);
        service.kill();
        readers.hear(&["trouble: the system's card service has stopped"]);
        let _service = Pcscd::start(folder, &["ACR122U"]);
        readers.hear(&["came ACR122U 00 00", "over", "ready"]);
        readers.is_quiet();
    });
}

#[test]
fn the_doctor_tells_of_the_service_its_readers_and_what_keeps_them() {
    alone(|folder| {
        let look = |plugged: &str| -> Vec<String> {
            let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
            let options = Options { usb_devices: folder.join(plugged), ..Options::default() };
            let found = card_readers(timeline, options);
            // The list also has findings about the driver's settings (libccid). They depend on this computer, so they
            // are left out.
            let found = found.iter().map(ToString::to_string);
            found.filter(|line| !line.contains("libccid")).collect()
        };
        let findings = look("none");
        let wanted =
            "ok  cards must be typed: the system's card service is not running; install and start it";
        assert!(findings.len() == 1 && findings[0].starts_with(wanted), "{findings:?}");
        plug_in_acr122(folder);
        let findings = look("usb");
        let wanted = "!!  a card reader (ACR122U) is plugged in, but the system's card service is not running; install";
        assert!(findings.len() == 1 && findings[0].starts_with(wanted), "{findings:?}");
        let service = Pcscd::start(folder, &[]);
        let nothing = ["ok  no card reader is connected: plug one in and look again, or type the cards"];
        assert_eq!(look("none"), nothing);
        let findings = look("usb");
        let wanted = "!!  a card reader (ACR122U) is plugged in, but the system's own NFC driver holds it";
        assert!(findings.len() == 1 && findings[0].starts_with(wanted), "{findings:?}");
        service.kill();
        let service = Pcscd::start(folder, &["White", "Black"]);
        assert_eq!(look("none"), ["ok  card reader: Black 01 00", "ok  card reader: White 00 00"]);
        // An unusable reader is reported even if other readers are usable.
        let findings = look("usb");
        assert!(findings.len() == 3 && findings[1].starts_with("ok  card reader: White"), "{findings:?}");
        assert!(findings[2].starts_with("!!  a card reader (ACR122U) is plugged in"), "{findings:?}");
        // The complete output, as people see it.
        let whole = crate::child::printed(&["devices", "doctor"], 0);
        assert!(whole.contains("ok  card reader: White 00 00\n"), "{whole}");
        service.kill();
        let list = "FRIENDLYNAME \"X\"\nDEVICENAME /dev/nowhere\nLIBPATH /nowhere.so\nCHANNELID 1\n";
        let wanted =
            "!!  the system's card service refuses this program; start Tabiya at the computer itself";
        // With this list the service closes every connection and ends. If it has ended before the first connection,
        // the finding is that it is not running, so it starts again.
        wait_until(|| {
            let _service = Pcscd::start_with(folder, list);
            let findings = look("none");
            let refused = findings.len() == 1 && findings[0].starts_with(wanted);
            if refused { Ok(()) } else { Err(format!("{findings:?}")) }
        });
    });
}

#[test]
fn a_card_that_another_program_uses_is_told_once_and_read_when_it_is_free() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        let card = lay(folder, "R", written(1));
        readers.hear(&["R 00 00: tapped 1 id 1"]);
        // The service treats this second connection like another program.
        let other = pcsc::Context::establish(pcsc::Scope::User).unwrap();
        let connect = |mode| {
            let mut held = None;
            wait_until(|| {
                let made = other.connect(c"R 00 00", mode, pcsc::Protocols::ANY);
                held = Some(made.map_err(|error| error.to_string())?);
                Ok(())
            });
            held.unwrap()
        };
        let held = connect(pcsc::ShareMode::Exclusive);
        let write = |nth| readers.handle.write(&"R 00 00".into(), uid(1), Record::new(id(nth))).unwrap();
        write(2);
        readers.hear(&["R 00 00: not written InUse"]);
        held.disconnect(pcsc::Disposition::LeaveCard).map_err(|(_, error)| error).unwrap();
        write(3);
        readers.hear(&["R 00 00: written 1 id 3"]);
        card.lift();
        readers.hear(&["R 00 00: lifted"]);
        // Now the other program connects to the card first.
        drop(readers);
        let card = lay(folder, "R", written(4));
        let held = connect(pcsc::ShareMode::Exclusive);
        let readers = listen();
        readers.hear(&["came R", "R 00 00: unreadable InUse", "ready"]);
        readers.is_quiet();
        held.disconnect(pcsc::Disposition::LeaveCard).map_err(|(_, error)| error).unwrap();
        readers.hear(&["R 00 00: lying 4 id 4"]);
        card.lift();
        readers.hear(&["R 00 00: lifted"]);
    });
}

#[test]
fn a_card_is_locked_for_good_only_with_what_is_expected_on_it() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        let reader = ReaderName::from("R 00 00");
        let lock = |of, nth| readers.handle.lock(&reader, uid(of), id(nth)).unwrap();
        let card = lay(folder, "R", written(1));
        readers.hear(&["R 00 00: tapped 1 id 1"]);
        for (of, nth) in [(2, 1), (1, 2)] {
            lock(of, nth);
            readers.hear(&["R 00 00: not written OtherCard"]);
        }
        let card = card.lift();
        readers.hear(&["R 00 00: lifted"]);
        assert_eq!(card.page(2).map(|page| [page[2], page[3]]), Some([0, 0]), "nothing was locked");
        let card = lay(folder, "R", card);
        readers.hear(&["R 00 00: tapped 1 id 1"]);
        // Locking a locked card succeeds, too.
        for _ in 0..2 {
            lock(1, 1);
            readers.hear(&["R 00 00: locked 1"]);
        }
        readers.handle.write(&reader, uid(1), Record::new(id(9))).unwrap();
        readers.hear(&["R 00 00: not written Locked"]);
        let mut card = card.lift();
        readers.hear(&["R 00 00: lifted"]);
        assert_eq!(card.page(2).map(|page| [page[2], page[3]]), Some([0xF8, 0xFF]));
        assert!((3..16).all(|page| card.write(page, [0; 4]).is_none()), "pages 3 to 15");
        assert!(card.write(16, [0; 4]).is_some(), "only these pages");
        // Two locks that fail are reported: of a card that is lifted during the locking, and of a card that is
        // protected.
        let vanishes = TagFaults { vanish_at_write: Some(1), ..TagFaults::default() };
        let card = lay_faulty(folder, "R", written(3), vanishes);
        readers.hear(&["R 00 00: tapped 3 id 3"]);
        lock(3, 3);
        let mut next = [readers.next(), readers.next()];
        next.sort();
        assert_eq!(next, ["R 00 00: lifted", "R 00 00: not written Lifted"]);
        card.lift();
        let card = lay(folder, "R", written(4).closed());
        readers.hear(&["R 00 00: tapped 4 closed"]);
        lock(4, 4);
        readers.hear(&["R 00 00: not written Locked"]);
        card.lift();
    });
}

#[test]
fn a_reader_is_asked_once_not_to_beep_if_that_is_wanted() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["ACR122U", "Other"]);
        // Lays two cards on a reader, one after the other. Returns for each card how often the reader was asked not to
        // beep.
        let hushes = |options: Options, reader: &str| {
            let readers = listen_with(options);
            readers.hear(&["came ACR122U", "came Other", "ready"]);
            [1, 2].map(|nth| {
                let faults = TagFaults { beep_off_refused: true, ..TagFaults::default() };
                let card = lay_faulty(folder, reader, written(nth), faults);
                assert!(readers.next().ends_with(&format!("tapped {nth} id {nth}")), "the card is read");
                let asked = card.hushes();
                card.lift();
                assert!(readers.next().ends_with("lifted"));
                asked
            })
        };
        let quiet = || Options { quiet: true, ..Options::default() };
        assert_eq!(hushes(Options::default(), "ACR122U"), [0, 0]);
        assert_eq!(hushes(quiet(), "ACR122U"), [1, 0]);
        assert_eq!(hushes(quiet(), "Other"), [0, 0], "other readers do not know the command");
    });
}

#[test]
fn an_answer_that_is_too_long_is_a_card_that_was_not_read() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        let card = lay_faulty(folder, "R", written(1), TagFaults { overlong: true, ..TagFaults::default() });
        readers.hear(&["R 00 00: unreadable Failed"]);
        card.lift();
        readers.hear(&["R 00 00: lifted"]);
        let card = lay(folder, "R", written(1));
        readers.hear(&["R 00 00: tapped 1 id 1"]);
        card.lift();
    });
}

#[test]
fn a_service_that_ends_in_mid_read_is_told_and_the_card_is_read_by_the_next() {
    alone(|folder| {
        let service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        let slow = TagFaults { slow: Duration::from_secs(1), ..TagFaults::default() };
        let card = lay_faulty(folder, "R", written(1), slow);
        wait_until(|| if card.reads() > 0 { Ok(()) } else { Err("no READ yet".to_owned()) });
        service.kill();
        readers.hear(&["trouble: the system's card service has stopped"]);
        card.lift();
        let _service = Pcscd::start(folder, &["R"]);
        readers.hear(&["over"]);
        let mut next = readers.next();
        while next != "ready" {
            assert!(["R 00 00: lifted", "R 00 00: unreadable Lifted"].contains(&&*next), "{next}");
            next = readers.next();
        }
        let card = lay(folder, "R", written(1));
        readers.hear(&["R 00 00: tapped 1 id 1"]);
        card.lift();
    });
}

#[test]
fn a_card_changed_while_the_service_was_away_was_not_tapped() {
    alone(|folder| {
        let mut service = Pcscd::start(folder, &["R"]);
        let readers = listen_in_step();
        readers.hear(&["came R", "ready"]);
        let mut card = lay(folder, "R", written(1));
        readers.hear(&["R 00 00: tapped 1 id 1"]);
        let unreadable = TagFaults { overlong: true, ..TagFaults::default() };
        for (nth, faults, wanted) in [
            (1, TagFaults::default(), &[][..]),
            (2, TagFaults::default(), &["R 00 00: lifted", "R 00 00: lying 2 id 2"]),
            (3, unreadable, &["R 00 00: lifted", "R 00 00: unreadable Failed"]),
        ] {
            service.kill();
            card.lift();
            service = Pcscd::start(folder, &["R"]);
            card = lay_faulty(folder, "R", written(nth), faults);
            wait_until(|| if card.powered() { Ok(()) } else { Err("the card is not seen yet".to_owned()) });
            // The thread looks for the new service only after the test has taken this event.
            readers.hear(&["trouble: the system's card service has stopped", "over"]);
            readers.hear(wanted);
            readers.hear(&["ready"]);
        }
        card.lift();
        readers.hear(&["R 00 00: lifted"]);
        drop(service);
    });
}

#[test]
fn a_stall_does_not_make_a_held_reader_of_one_that_is_listed_late() {
    /// A timeline for this test: real time plus an offset in milliseconds, which the test can change.
    struct Jumping(RealTime, AtomicU64);
    impl Timeline for Jumping {
        fn now(&self) -> Instant {
            self.0.now() + Millis(self.1.load(Ordering::Acquire))
        }
    }
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        plug_in_acr122(folder);
        let (sender, events) = channel();
        let timeline = Arc::new(Jumping(RealTime::starting_at(Instant::ZERO), AtomicU64::new(0)));
        let sink = Box::new(move |at, event| drop(sender.send((at, event))));
        let options = Options { usb_devices: folder.join("usb"), ..Options::default() };
        let readers = ReaderEvents { events, handle: spawn_with(timeline.clone(), sink, options) };
        readers.hear(&["came R"]);
        // The thread's first search for readers takes 250 ms. During this search the test moves the thread's clock 5
        // s ahead.
        let early = readers.events.recv_timeout(Duration::from_millis(100));
        timeline.1.store(5_000, Ordering::Release);
        let next = early.map_or_else(|_| readers.next(), |(_, event)| say(&event));
        assert_eq!(next, "ready");
        readers.hear(&["trouble: a card reader (ACR122U) is plugged in"]);
    });
}

#[test]
fn a_service_that_refuses_is_told_as_that() {
    alone(|folder| {
        // As a service whose policy refuses the program: it drops the connection without an answer. If it is gone before
        // the program has come, the program rightly says that none is running; then it is tried again.
        wait_for("to be refused", || {
            let service = std::os::unix::net::UnixListener::bind(socket(folder)).unwrap();
            let readers = listen();
            let_pass(Duration::from_millis(200));
            drop(service);
            std::fs::remove_file(socket(folder)).unwrap();
            readers
                .next()
                .starts_with("trouble: the system's card service refuses this program")
                .then_some(())
        });
    });
}

#[test]
fn a_reader_unplugged_in_a_match_is_gone_and_comes_back() {
    alone(|folder| {
        let service = Pcscd::start(folder, &["White", "Black"]);
        let readers = listen();
        readers.hear(&["came Black", "came White", "ready"]);
        // The service reads its list of virtual readers only when it starts.
        service.kill();
        readers.hear(&["trouble: the system's card service has stopped"]);
        let service = Pcscd::start(folder, &["White"]);
        readers.hear(&["gone Black 01 00", "over", "ready"]);
        let card = lay(folder, "White", written(1));
        readers.hear(&["White 00 00: tapped 1 id 1"]);
        service.kill();
        readers.hear(&["trouble: the system's card service has stopped"]);
        card.lift();
        let _service = Pcscd::start(folder, &["White", "Black"]);
        readers.hear(&["came Black 01 00", "over", "White 00 00: lifted", "ready"]);
        let card = lay(folder, "Black", written(2));
        readers.hear(&["Black 01 00: tapped 2 id 2"]);
        card.lift();
    });
}

#[test]
fn a_whole_deck_is_tapped_one_card_after_the_other() {
    alone(|folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let readers = listen();
        readers.hear(&["came R", "ready"]);
        for nth in 1..=44 {
            let card = lay(folder, "R", written(nth));
            readers.hear(&[&format!("R 00 00: tapped {nth} id {nth}")]);
            card.lift();
            readers.hear(&["R 00 00: lifted"]);
        }
    });
}

#[test]
fn a_driver_that_others_wrote_tells_the_same() {
    alone(|folder| {
        let port = loop {
            let free = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
            if std::net::TcpListener::bind(("127.0.0.1", free + 1)).is_ok() {
                break free;
            }
        };
        let _service = Pcscd::start_vpcd(folder, port);
        let readers = listen();
        readers.hear(&["came Vpcd 00 00", "came Vpcd 00 01", "ready"]);
        let card = lay_vpcd(port, written(1), TagFaults::default());
        readers.hear(&["Vpcd 00 00: tapped 1 id 1"]);
        let other = lay_vpcd(port + 1, blank(2), TagFaults::default());
        readers.hear(&["Vpcd 00 01: tapped 2 empty"]);
        card.lift();
        readers.hear(&["Vpcd 00 00: lifted"]);
        other.lift();
        readers.hear(&["Vpcd 00 01: lifted"]);
        // When a card is lifted during a read, this driver first returns an answer of no bytes, and reports for a
        // while that the card is still there. After that it accepts no other card.
        let faults = TagFaults { vanish_at_read: Some(2), ..TagFaults::default() };
        let card = lay_vpcd(port, written(1), faults);
        readers.hear(&["Vpcd 00 00: unreadable", "Vpcd 00 00: lifted"]);
        card.lift();
    });
}
