//! Cards on readers, through the system's real card service with virtual readers.
//!
//! What the service and the library do when something goes wrong, and which test shows what comes of it:
//!
//! | situation | test |
//! | --- | --- |
//! | no service | `a_service_that_is_not_there_is_told_once_until_it_is_there` |
//! | the service refuses | `a_service_that_refuses_is_told_as_that` |
//! | a service without readers | `a_service_without_readers_is_ready_and_tells_of_none` |
//! | no reader in the service, but one is plugged in | `a_reader_that_the_system_holds_is_told_until_it_is_let_go` |
//! | a reader without a card is asked to write | `a_card_is_written_and_reads_as_it_was_meant`, its end |
//! | a reader of this name is not there, or not any more | the same; `a_reader_unplugged_in_a_match_is_gone_and_comes_back` |
//! | nothing happens | `is_quiet` in most tests |
//! | the waiting ends | `a_handle_that_goes_lets_its_sink_go` |
//! | a card at the first look | `what_lay_there_before_was_not_tapped` |
//! | a card goes while it is asked, by an error | `a_card_lifted_while_it_is_read_tells_no_half`, `…_while_it_is_written_…` |
//! | the same by an answer of no bytes, and an old state for a while | `a_driver_that_others_wrote_tells_the_same` |
//! | a tag refuses; a slow one | `a_tag_that_refuses_now_and_then_is_tried_again_and_a_slow_one_is_waited_for` |
//! | a tag never answers | `a_reader_that_does_not_answer_is_told_once_and_holds_no_other_up` |
//! | lifted and another laid, the client busy meanwhile | `tests/decks.rs`: `a_card_swapped_while_the_program_slept_is_told_as_another` |
//! | lifted and another laid within one look | `a_card_swapped_unseen_never_lends_its_number_to_the_other` |
//! | no card is told twice, with the old count first | `readers.rs`: `two_taps_between_two_looks_are_told_by_the_count` |
//! | another program has the card for itself | `a_card_that_another_program_uses_is_told_once_and_read_when_it_is_free` |
//! | an answer longer than there is room | `an_answer_that_is_too_long_is_a_card_that_was_not_read` |
//! | an answer to the reset of one byte | `a_tag_that_refuses_now_and_then_…`, its end |
//! | a card is changed while the service is away | `a_card_changed_while_the_service_was_away_was_not_tapped` |
//! | the program stalls | `a_stall_does_not_make_a_held_reader_of_one_that_is_listed_late` |
//! | too much waits for a reader | `readers.rs`: `a_reader_with_too_much_before_it_is_told_as_busy_and_not_as_gone` |
//! | the service ends: waiting, in mid-read; is back with the same readers or others | `what_lay_there_before_…`, `a_service_that_ends_in_mid_read_…`, `a_reader_unplugged_…` |
//!
//! Nothing of ours connects directly or by escape commands, and every card is left as it is; a list of readers that is
//! reread while the service stands, and a card that is reset, cannot be seen here.
#![cfg(all(target_os = "linux", feature = "pcsc"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

#[path = "support/child.rs"]
mod child;
#[path = "support/pcscd.rs"]
mod pcscd;
#[path = "support/virtual_reader.rs"]
mod virtual_reader;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::time::Duration;

use child::{PATIENCE, wait_until};
use pcscd::{Pcscd, alone};
use tabiya_app::time::RealTime;
use tabiya_cards::doctor::card_readers;
use tabiya_cards::sim::{SimulatedTag, TagFaults, TagKind};
use tabiya_cards::{
    CardEvent, CardReaders, Options, ReaderName, Record, TagContent, Uid, WriteError, spawn_with,
};
use tabiya_types::{Instant, Millis, Timeline};
use virtual_reader::{blank, id, lay, lay_faulty, lay_vpcd, uid, written};

/// What the readers tell.
struct Told {
    events: Receiver<(Instant, CardEvent)>,
    handle: CardReaders,
}

fn listen() -> Told {
    listen_with(Options::default())
}

fn listen_with(options: Options) -> Told {
    let (told, events) = channel();
    let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
    // Who has left does not want to know.
    let sink = Box::new(move |at, event| drop(told.send((at, event))));
    Told { events, handle: spawn_with(timeline, sink, options) }
}

/// The same, and who tells waits until it is heard: a test can hold the readers' threads back.
fn listen_in_step() -> Told {
    let (told, events) = sync_channel(0);
    let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
    let sink = Box::new(move |at, event| drop(told.send((at, event))));
    Told { events, handle: spawn_with(timeline, sink, Options::default()) }
}

/// An ACR122U, as the system lists it.
fn plug_in_acr122(folder: &Path) {
    let device = folder.join("usb/1-2");
    std::fs::create_dir_all(&device).unwrap();
    std::fs::write(device.join("idVendor"), "072f\n").unwrap();
    std::fs::write(device.join("idProduct"), "2200\n").unwrap();
}

impl Told {
    /// The next event, in a form that a test can name.
    fn next(&self) -> String {
        let (_, event) = self.events.recv_timeout(PATIENCE).expect("something is told");
        say(&event)
    }

    /// The next events are these.
    #[track_caller]
    fn hear(&self, wanted: &[&str]) {
        for wanted in wanted {
            let next = self.next();
            assert!(next.starts_with(wanted), "wanted: {wanted}\n  told: {next}");
        }
    }

    /// Nothing more is told for a while.
    #[track_caller]
    fn is_quiet(&self) {
        if let Ok((_, event)) = self.events.recv_timeout(Duration::from_millis(600)) {
            panic!("told: {}", say(&event));
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
        CardEvent::Came(reader) => format!("came {reader}"),
        CardEvent::Gone(reader) => format!("gone {reader}"),
        CardEvent::Ready => "ready".to_owned(),
        CardEvent::Tapped(tap) => {
            format!("{}: tapped {} {}", tap.reader, nth(&tap.uid), content(&tap.content))
        }
        CardEvent::Lying(tap) => format!("{}: lying {} {}", tap.reader, nth(&tap.uid), content(&tap.content)),
        CardEvent::Lifted(reader) => format!("{reader}: lifted"),
        CardEvent::Unreadable { reader, why } => format!("{reader}: unreadable {why:?}"),
        CardEvent::Written(tap) => {
            format!("{}: written {} {}", tap.reader, nth(&tap.uid), content(&tap.content))
        }
        CardEvent::Locked(tap) => format!("{}: locked {}", tap.reader, nth(&tap.uid)),
        CardEvent::NotWritten { reader, why } => format!("{reader}: not written {why:?}"),
        CardEvent::Trouble(error) => format!("trouble: {error}"),
        CardEvent::TroubleOver(Some(reader)) => format!("over: {reader}"),
        CardEvent::TroubleOver(None) => "over".to_owned(),
    }
}

#[test]
fn cards_on_two_readers_are_told_each_with_what_is_written_on_it() {
    alone("cards_on_two_readers_are_told_each_with_what_is_written_on_it", |folder| {
        let _service = Pcscd::start(folder, &["White", "Black"]);
        let told = listen();
        told.hear(&["came Black 01 00", "came White 00 00", "ready"]);
        let one = lay(folder, "White", written(1));
        told.hear(&["White 00 00: tapped 1 id 1"]);
        let two = lay(folder, "Black", blank(2));
        told.hear(&["Black 01 00: tapped 2 empty"]);
        one.lift();
        told.hear(&["White 00 00: lifted"]);
        two.lift();
        told.hear(&["Black 01 00: lifted"]);
        told.is_quiet();
    });
}

#[test]
fn numbers_of_every_length_and_cards_that_do_not_let_themselves_be_read_are_told() {
    alone("numbers_of_every_length_and_cards_that_do_not_let_themselves_be_read_are_told", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
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
            told.hear(&[wanted]);
            card.lift();
            told.hear(&["R 00 00: lifted"]);
        }
    });
}

#[test]
fn what_lay_there_before_was_not_tapped() {
    alone("what_lay_there_before_was_not_tapped", |folder| {
        let service = Pcscd::start(folder, &["R"]);
        let card = lay(folder, "R", written(3));
        let told = listen();
        told.hear(&["came R", "R 00 00: lying 3 id 3", "ready"]);
        service.kill();
        told.hear(&["trouble: the system's card service has stopped"]);
        card.lift();
        let service = Pcscd::start(folder, &["R"]);
        told.hear(&["over", "R 00 00: lifted", "ready"]);
        told.is_quiet();
        let card = lay(folder, "R", written(3));
        told.hear(&["R 00 00: tapped 3 id 3"]);
        card.lift();
        told.hear(&["R 00 00: lifted"]);
        service.kill();
        told.hear(&["trouble: the system's card service has stopped"]);
    });
}

#[test]
fn a_card_is_written_and_reads_as_it_was_meant() {
    alone("a_card_is_written_and_reads_as_it_was_meant", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        let reader = ReaderName::from("R 00 00");
        let write = |nth, uid| told.handle.write(&reader, uid, Record::new(id(nth))).unwrap();
        let card = lay(folder, "R", blank(1));
        told.hear(&["R 00 00: tapped 1 empty"]);
        write(9, uid(1));
        told.hear(&["R 00 00: written 1 id 9"]);
        let card = card.lift();
        told.hear(&["R 00 00: lifted"]);
        assert_eq!(card.page(4), Some([0x03, 0x27, 0xD4, 0x13]));
        let card = lay(folder, "R", card);
        told.hear(&["R 00 00: tapped 1 id 9"]);
        write(8, uid(2));
        told.hear(&["R 00 00: not written OtherCard"]);
        let mut card = card.lift();
        told.hear(&["R 00 00: lifted"]);
        assert!(card.write(2, [0, 0, 0xF8, 0xFF]).is_some());
        let card = lay(folder, "R", card);
        told.hear(&["R 00 00: tapped 1 id 9"]);
        write(8, uid(1));
        told.hear(&["R 00 00: not written Locked"]);
        card.lift();
        told.hear(&["R 00 00: lifted"]);
        write(8, uid(1));
        told.hear(&["R 00 00: not written Lifted"]);
        let mut plain = blank(5);
        plain.set(3, [0; 4]);
        let card = lay(folder, "R", plain);
        told.hear(&["R 00 00: tapped 5 empty"]);
        write(8, uid(5));
        told.hear(&["R 00 00: not written NotPrepared"]);
        card.lift();
        let nowhere = told.handle.write(&"S 00 00".into(), uid(1), Record::new(id(1)));
        assert_eq!(nowhere, Err(WriteError::NoReader));
    });
}

#[test]
fn a_card_lifted_while_it_is_written_reads_as_empty() {
    alone("a_card_lifted_while_it_is_written_reads_as_empty", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        for at in [1, 2, 7, 12] {
            let faults = TagFaults { vanish_at_write: Some(at), ..TagFaults::default() };
            let card = lay_faulty(folder, "R", written(1), faults);
            told.hear(&["R 00 00: tapped 1 id 1"]);
            told.handle.write(&"R 00 00".into(), uid(1), Record::new(id(2))).unwrap();
            let mut next = [told.next(), told.next()];
            next.sort();
            assert_eq!(next, ["R 00 00: lifted", "R 00 00: not written Lifted"], "at {at}");
            let torn = lay(folder, "R", card.lift());
            let wanted = if at == 1 { "R 00 00: tapped 1 id 1" } else { "R 00 00: tapped 1 empty" };
            told.hear(&[wanted]);
            torn.lift();
            told.hear(&["R 00 00: lifted"]);
        }
    });
}

#[test]
fn a_card_lifted_while_it_is_read_tells_no_half() {
    alone("a_card_lifted_while_it_is_read_tells_no_half", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        for at in [1, 2, 3] {
            let faults = TagFaults { vanish_at_read: Some(at), ..TagFaults::default() };
            let card = lay_faulty(folder, "R", written(1), faults);
            // Once, also when a busy service counts late and the card is looked at again.
            told.hear(&["R 00 00: unreadable Lifted", "R 00 00: lifted"]);
            card.lift();
        }
        told.is_quiet();
    });
}

#[test]
fn a_card_swapped_unseen_never_lends_its_number_to_the_other() {
    alone("a_card_swapped_unseen_never_lends_its_number_to_the_other", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        // Questions: UID, three READs, UID.
        for at in 2..=5 {
            let faults = TagFaults { swap_at: Some((at, Box::new(written(2)))), ..TagFaults::default() };
            let card = lay_faulty(folder, "R", written(1), faults);
            told.hear(&["R 00 00: tapped 2 id 2"]);
            card.lift();
            told.hear(&["R 00 00: lifted"]);
        }
    });
}

/// The service lets a card's power go after half a second, and looks at the reader for that, too.
#[test]
#[expect(clippy::disallowed_methods, reason = "how long the card lies is what is tried")]
fn a_card_laid_the_moment_another_is_lifted_is_told_however_long_that_one_lay() {
    alone("a_card_laid_the_moment_another_is_lifted_is_told_however_long_that_one_lay", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        let mut lies = lay(folder, "R", written(1));
        told.hear(&["R 00 00: tapped 1 id 1"]);
        for nth in 2..=6 {
            std::thread::sleep(Duration::from_millis(500 + 100 * u64::from(nth)));
            let next = lay(folder, "R", written(nth));
            lies.lift();
            told.hear(&["R 00 00: lifted", &format!("R 00 00: tapped {nth} id {nth}")]);
            lies = next;
        }
    });
}

#[test]
fn a_tag_that_refuses_now_and_then_is_tried_again_and_a_slow_one_is_waited_for() {
    alone("a_tag_that_refuses_now_and_then_is_tried_again_and_a_slow_one_is_waited_for", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        for faults in [
            TagFaults { refused_reads: 2, ..TagFaults::default() },
            TagFaults { slow: Duration::from_millis(900), ..TagFaults::default() },
        ] {
            let card = lay_faulty(folder, "R", written(1), faults);
            told.hear(&["R 00 00: tapped 1 id 1"]);
            card.lift();
            told.hear(&["R 00 00: lifted"]);
        }
        let card = lay_faulty(folder, "R", written(1), TagFaults { mute: true, ..TagFaults::default() });
        told.hear(&["R 00 00: unreadable"]);
        card.lift();
    });
}

#[test]
fn a_reader_that_does_not_answer_is_told_once_and_holds_no_other_up() {
    alone("a_reader_that_does_not_answer_is_told_once_and_holds_no_other_up", |folder| {
        let _service = Pcscd::start(folder, &["White", "Black"]);
        let told = listen();
        told.hear(&["came Black", "came White", "ready"]);
        let faults = TagFaults { silent_at_read: Some(2), ..TagFaults::default() };
        let card = lay_faulty(folder, "White", written(1), faults);
        told.hear(&["trouble: the card reader White 00 00 does not answer; unplug it"]);
        let other = lay(folder, "Black", written(2));
        told.hear(&["Black 01 00: tapped 2 id 2"]);
        other.lift();
        told.hear(&["Black 01 00: lifted"]);
        card.lift();
        let mut rest = [told.next(), told.next(), told.next()];
        rest.sort();
        assert_eq!(rest[0], "White 00 00: lifted");
        assert!(rest[1].starts_with("White 00 00: unreadable"), "{rest:?}");
        assert_eq!(rest[2], "over: White 00 00");
    });
}

#[test]
fn a_service_that_is_not_there_is_told_once_until_it_is_there() {
    alone("a_service_that_is_not_there_is_told_once_until_it_is_there", |folder| {
        let told = listen();
        told.hear(&["trouble: the system's card service is not running; install and start it"]);
        told.is_quiet();
        let _service = Pcscd::start(folder, &["R"]);
        told.hear(&["came R", "over", "ready"]);
    });
}

#[test]
fn a_service_without_readers_is_ready_and_tells_of_none() {
    alone("a_service_without_readers_is_ready_and_tells_of_none", |folder| {
        let _service = Pcscd::start(folder, &[]);
        let told = listen();
        told.hear(&["ready"]);
        told.is_quiet();
    });
}

#[test]
fn a_handle_that_goes_lets_its_sink_go() {
    alone("a_handle_that_goes_lets_its_sink_go", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let Told { events, handle } = listen();
        let next = || events.recv_timeout(PATIENCE).map(|(_, event)| say(&event));
        assert_eq!(next().as_deref(), Ok("came R 00 00"));
        drop(handle);
        // The channel ends when the last thread has let its end go.
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
    alone("a_reader_that_the_system_holds_is_told_until_it_is_let_go", |folder| {
        let service = Pcscd::start(folder, &[]);
        plug_in_acr122(folder);
        let told = listen_with(Options { plugged: folder.join("usb"), ..Options::default() });
        told.hear(&[
            "ready",
            "trouble: a card reader (ACR122U) is plugged in, but the system's own NFC driver",
        ]);
        told.is_quiet();
        // A service that comes anew ends what was told, and what still holds is told again.
        service.kill();
        told.hear(&["trouble: the system's card service has stopped"]);
        let service = Pcscd::start(folder, &[]);
        told.hear(&["over", "ready", "trouble: a card reader (ACR122U) is plugged in"]);
        service.kill();
        told.hear(&["trouble: the system's card service has stopped"]);
        let _service = Pcscd::start(folder, &["ACR122U"]);
        told.hear(&["came ACR122U 00 00", "over", "ready"]);
        told.is_quiet();
    });
}

#[test]
fn the_doctor_tells_of_the_service_its_readers_and_what_keeps_them() {
    alone("the_doctor_tells_of_the_service_its_readers_and_what_keeps_them", |folder| {
        let look = |plugged: &str| -> Vec<String> {
            let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
            let options = Options { plugged: folder.join(plugged), ..Options::default() };
            let found = card_readers(timeline, options);
            // What the driver's settings say is this computer's matter.
            let found = found.iter().map(ToString::to_string);
            found.filter(|line| !line.contains("libccid")).collect()
        };
        let told = look("none");
        let wanted = "ok  cards are typed: the system's card service is not running; install and start it";
        assert!(told.len() == 1 && told[0].starts_with(wanted), "{told:?}");
        plug_in_acr122(folder);
        let told = look("usb");
        let wanted = "!!  a card reader (ACR122U) is plugged in, but the system's card service is not running; install";
        assert!(told.len() == 1 && told[0].starts_with(wanted), "{told:?}");
        let service = Pcscd::start(folder, &[]);
        let nothing = ["ok  no card reader is there: plug one in and look again, or type the cards"];
        assert_eq!(look("none"), nothing);
        let told = look("usb");
        let wanted = "!!  a card reader (ACR122U) is plugged in, but the system's own NFC driver holds it";
        assert!(told.len() == 1 && told[0].starts_with(wanted), "{told:?}");
        service.kill();
        let service = Pcscd::start(folder, &["White", "Black"]);
        assert_eq!(look("none"), ["ok  card reader: Black 01 00", "ok  card reader: White 00 00"]);
        // Readers that can be used do not hide one that cannot.
        let told = look("usb");
        assert!(told.len() == 3 && told[1].starts_with("ok  card reader: White"), "{told:?}");
        assert!(told[2].starts_with("!!  a card reader (ACR122U) is plugged in"), "{told:?}");
        // Of the whole, as people see it.
        let whole = child::printed(&["devices", "doctor"], 0);
        assert!(whole.contains("ok  card reader: White 00 00\n"), "{whole}");
        service.kill();
        let list = "FRIENDLYNAME \"X\"\nDEVICENAME /dev/nowhere\nLIBPATH /nowhere.so\nCHANNELID 1\n";
        let _service = Pcscd::start_with(folder, list);
        let told = look("none");
        let wanted =
            "!!  the system's card service refuses this program; start Tabiya at the computer itself";
        assert!(told.len() == 1 && told[0].starts_with(wanted), "{told:?}");
    });
}

#[test]
fn a_card_that_another_program_uses_is_told_once_and_read_when_it_is_free() {
    alone("a_card_that_another_program_uses_is_told_once_and_read_when_it_is_free", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        let card = lay(folder, "R", written(1));
        told.hear(&["R 00 00: tapped 1 id 1"]);
        // To the service a connection of its own is another program.
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
        let write = |nth| told.handle.write(&"R 00 00".into(), uid(1), Record::new(id(nth))).unwrap();
        write(2);
        told.hear(&["R 00 00: not written InUse"]);
        held.disconnect(pcsc::Disposition::LeaveCard).map_err(|(_, error)| error).unwrap();
        write(3);
        told.hear(&["R 00 00: written 1 id 3"]);
        card.lift();
        told.hear(&["R 00 00: lifted"]);
        // The other program was there first.
        drop(told);
        let card = lay(folder, "R", written(4));
        let held = connect(pcsc::ShareMode::Exclusive);
        let told = listen();
        told.hear(&["came R", "R 00 00: unreadable InUse", "ready"]);
        told.is_quiet();
        held.disconnect(pcsc::Disposition::LeaveCard).map_err(|(_, error)| error).unwrap();
        told.hear(&["R 00 00: lying 4 id 4"]);
        card.lift();
        told.hear(&["R 00 00: lifted"]);
    });
}

#[test]
fn a_card_is_locked_for_good_only_with_what_is_expected_on_it() {
    alone("a_card_is_locked_for_good_only_with_what_is_expected_on_it", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        let reader = ReaderName::from("R 00 00");
        let lock = |of, nth| told.handle.lock(&reader, uid(of), id(nth)).unwrap();
        let card = lay(folder, "R", written(1));
        told.hear(&["R 00 00: tapped 1 id 1"]);
        for (of, nth) in [(2, 1), (1, 2)] {
            lock(of, nth);
            told.hear(&["R 00 00: not written OtherCard"]);
        }
        let card = card.lift();
        told.hear(&["R 00 00: lifted"]);
        assert_eq!(card.page(2).map(|page| [page[2], page[3]]), Some([0, 0]), "nothing was locked");
        let card = lay(folder, "R", card);
        told.hear(&["R 00 00: tapped 1 id 1"]);
        // A second time it is locked already.
        for _ in 0..2 {
            lock(1, 1);
            told.hear(&["R 00 00: locked 1"]);
        }
        told.handle.write(&reader, uid(1), Record::new(id(9))).unwrap();
        told.hear(&["R 00 00: not written Locked"]);
        let mut card = card.lift();
        told.hear(&["R 00 00: lifted"]);
        assert_eq!(card.page(2).map(|page| [page[2], page[3]]), Some([0xF8, 0xFF]));
        assert!((3..16).all(|page| card.write(page, [0; 4]).is_none()), "pages 3 to 15");
        assert!(card.write(16, [0; 4]).is_some(), "and no more");
        // One that vanishes at the lock is told, and one that takes it and does nothing.
        let vanishes = TagFaults { vanish_at_write: Some(1), ..TagFaults::default() };
        let card = lay_faulty(folder, "R", written(3), vanishes);
        told.hear(&["R 00 00: tapped 3 id 3"]);
        lock(3, 3);
        let mut next = [told.next(), told.next()];
        next.sort();
        assert_eq!(next, ["R 00 00: lifted", "R 00 00: not written Lifted"]);
        card.lift();
        let card = lay(folder, "R", written(4).closed());
        told.hear(&["R 00 00: tapped 4 closed"]);
        lock(4, 4);
        told.hear(&["R 00 00: not written Locked"]);
        card.lift();
    });
}

#[test]
fn a_reader_is_asked_once_not_to_beep_if_that_is_wanted() {
    alone("a_reader_is_asked_once_not_to_beep_if_that_is_wanted", |folder| {
        let _service = Pcscd::start(folder, &["ACR122U", "Other"]);
        // How often a reader is asked at each of two cards.
        let hushes = |options: Options, reader: &str| {
            let told = listen_with(options);
            told.hear(&["came ACR122U", "came Other", "ready"]);
            [1, 2].map(|nth| {
                let faults = TagFaults { hush_refused: true, ..TagFaults::default() };
                let card = lay_faulty(folder, reader, written(nth), faults);
                assert!(told.next().ends_with(&format!("tapped {nth} id {nth}")), "the card is read");
                let asked = card.hushes();
                card.lift();
                assert!(told.next().ends_with("lifted"));
                asked
            })
        };
        let quiet = || Options { quiet: true, ..Options::default() };
        assert_eq!(hushes(Options::default(), "ACR122U"), [0, 0]);
        assert_eq!(hushes(quiet(), "ACR122U"), [1, 0]);
        assert_eq!(hushes(quiet(), "Other"), [0, 0], "others do not know it");
    });
}

#[test]
fn an_answer_that_is_too_long_is_a_card_that_was_not_read() {
    alone("an_answer_that_is_too_long_is_a_card_that_was_not_read", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        let card = lay_faulty(folder, "R", written(1), TagFaults { overlong: true, ..TagFaults::default() });
        told.hear(&["R 00 00: unreadable Failed"]);
        card.lift();
        told.hear(&["R 00 00: lifted"]);
        let card = lay(folder, "R", written(1));
        told.hear(&["R 00 00: tapped 1 id 1"]);
        card.lift();
    });
}

#[test]
fn a_service_that_ends_in_mid_read_is_told_and_the_card_is_read_by_the_next() {
    alone("a_service_that_ends_in_mid_read_is_told_and_the_card_is_read_by_the_next", |folder| {
        let service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        let slow = TagFaults { slow: Duration::from_secs(1), ..TagFaults::default() };
        let card = lay_faulty(folder, "R", written(1), slow);
        wait_until(|| if card.reads() > 0 { Ok(()) } else { Err("no READ yet".to_owned()) });
        service.kill();
        told.hear(&["trouble: the system's card service has stopped"]);
        card.lift();
        let _service = Pcscd::start(folder, &["R"]);
        told.hear(&["over"]);
        let mut next = told.next();
        while next != "ready" {
            assert!(["R 00 00: lifted", "R 00 00: unreadable Lifted"].contains(&&*next), "{next}");
            next = told.next();
        }
        let card = lay(folder, "R", written(1));
        told.hear(&["R 00 00: tapped 1 id 1"]);
        card.lift();
    });
}

#[test]
fn a_card_changed_while_the_service_was_away_was_not_tapped() {
    alone("a_card_changed_while_the_service_was_away_was_not_tapped", |folder| {
        let mut service = Pcscd::start(folder, &["R"]);
        let told = listen_in_step();
        told.hear(&["came R", "ready"]);
        let mut card = lay(folder, "R", written(1));
        told.hear(&["R 00 00: tapped 1 id 1"]);
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
            // Nobody looks for the new service before this is heard.
            told.hear(&["trouble: the system's card service has stopped", "over"]);
            told.hear(wanted);
            told.hear(&["ready"]);
        }
        card.lift();
        told.hear(&["R 00 00: lifted"]);
        drop(service);
    });
}

#[test]
fn a_stall_does_not_make_a_held_reader_of_one_that_is_listed_late() {
    /// Real time, and what is added to it.
    struct Jumping(RealTime, AtomicU64);
    impl Timeline for Jumping {
        fn now(&self) -> Instant {
            self.0.now() + Millis(self.1.load(Ordering::Acquire))
        }
    }
    alone("a_stall_does_not_make_a_held_reader_of_one_that_is_listed_late", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        plug_in_acr122(folder);
        let (told, events) = channel();
        let timeline = Arc::new(Jumping(RealTime::starting_at(Instant::ZERO), AtomicU64::new(0)));
        let sink = Box::new(move |at, event| drop(told.send((at, event))));
        let options = Options { plugged: folder.join("usb"), ..Options::default() };
        let told = Told { events, handle: spawn_with(timeline.clone(), sink, options) };
        told.hear(&["came R"]);
        // In the middle of the first look, which takes a quarter of a second.
        let early = told.events.recv_timeout(Duration::from_millis(100));
        timeline.1.store(5_000, Ordering::Release);
        let next = early.map_or_else(|_| told.next(), |(_, event)| say(&event));
        assert_eq!(next, "ready");
        told.hear(&["trouble: a card reader (ACR122U) is plugged in"]);
    });
}

#[test]
fn a_service_that_refuses_is_told_as_that() {
    alone("a_service_that_refuses_is_told_as_that", |folder| {
        // A service that ends with a question unanswered says to the library what one with a policy says.
        let list = "FRIENDLYNAME \"X\"\nDEVICENAME /dev/nowhere\nLIBPATH /nowhere.so\nCHANNELID 1\n";
        let _service = Pcscd::start_with(folder, list);
        listen().hear(&["trouble: the system's card service refuses this program"]);
    });
}

#[test]
fn a_reader_unplugged_in_a_match_is_gone_and_comes_back() {
    alone("a_reader_unplugged_in_a_match_is_gone_and_comes_back", |folder| {
        let service = Pcscd::start(folder, &["White", "Black"]);
        let told = listen();
        told.hear(&["came Black", "came White", "ready"]);
        // This service lists its readers anew only when it starts.
        service.kill();
        told.hear(&["trouble: the system's card service has stopped"]);
        let service = Pcscd::start(folder, &["White"]);
        told.hear(&["gone Black 01 00", "over", "ready"]);
        let card = lay(folder, "White", written(1));
        told.hear(&["White 00 00: tapped 1 id 1"]);
        service.kill();
        told.hear(&["trouble: the system's card service has stopped"]);
        card.lift();
        let _service = Pcscd::start(folder, &["White", "Black"]);
        told.hear(&["came Black 01 00", "over", "White 00 00: lifted", "ready"]);
        let card = lay(folder, "Black", written(2));
        told.hear(&["Black 01 00: tapped 2 id 2"]);
        card.lift();
    });
}

#[test]
fn a_whole_deck_is_tapped_one_card_after_the_other() {
    alone("a_whole_deck_is_tapped_one_card_after_the_other", |folder| {
        let _service = Pcscd::start(folder, &["R"]);
        let told = listen();
        told.hear(&["came R", "ready"]);
        for nth in 1..=44 {
            let card = lay(folder, "R", written(nth));
            told.hear(&[&format!("R 00 00: tapped {nth} id {nth}")]);
            card.lift();
            told.hear(&["R 00 00: lifted"]);
        }
    });
}

#[test]
fn a_driver_that_others_wrote_tells_the_same() {
    alone("a_driver_that_others_wrote_tells_the_same", |folder| {
        let port = loop {
            let free = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
            if std::net::TcpListener::bind(("127.0.0.1", free + 1)).is_ok() {
                break free;
            }
        };
        let _service = Pcscd::start_vpcd(folder, port);
        let told = listen();
        told.hear(&["came Vpcd 00 00", "came Vpcd 00 01", "ready"]);
        let card = lay_vpcd(port, written(1), TagFaults::default());
        told.hear(&["Vpcd 00 00: tapped 1 id 1"]);
        let other = lay_vpcd(port + 1, blank(2), TagFaults::default());
        told.hear(&["Vpcd 00 01: tapped 2 empty"]);
        card.lift();
        told.hear(&["Vpcd 00 00: lifted"]);
        other.lift();
        told.hear(&["Vpcd 00 01: lifted"]);
        // Its first sign that a card went in mid-read is an answer of no bytes, and the state says for a while that it
        // lies there. It takes no other card after that.
        let faults = TagFaults { vanish_at_read: Some(2), ..TagFaults::default() };
        let card = lay_vpcd(port, written(1), faults);
        told.hear(&["Vpcd 00 00: unreadable", "Vpcd 00 00: lifted"]);
        card.lift();
    });
}
