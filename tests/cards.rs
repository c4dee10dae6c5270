//! Cards on readers, through the system's real card service with virtual readers.
#![cfg(all(target_os = "linux", feature = "pcsc"))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on says so by failing")]

#[path = "support/child.rs"]
mod child;
#[path = "support/pcscd.rs"]
mod pcscd;
#[path = "support/virtual_reader.rs"]
mod virtual_reader;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use child::PATIENCE;
use pcscd::{Pcscd, alone};
use tabiya::app::time::RealTime;
use tabiya::clock::Instant;
use tabiya::devices::cards::sim::{Faults, Kind, Tag};
use tabiya::devices::cards::{CardEvent, Content, Handle, ReaderName, Record, Uid, WriteError, spawn};
use virtual_reader::{blank, id, lay, lay_faulty, lay_vpcd, uid, written};

/// What the readers tell.
struct Told {
    events: Receiver<(Instant, CardEvent)>,
    handle: Handle,
}

fn listen() -> Told {
    let (told, events) = channel();
    let timeline = Arc::new(RealTime::starting_at(Instant::ZERO));
    // Who has left does not want to know.
    let sink = Box::new(move |at, event| drop(told.send((at, event))));
    Told { events, handle: spawn(timeline, sink) }
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
    let content = |content: &Content| match content {
        Content::Ours(record) => format!("id {}", record.id.0[0]),
        Content::Empty => "empty".to_owned(),
        Content::Other => "other".to_owned(),
        Content::Closed => "closed".to_owned(),
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
            (Tag::new(Kind::Ntag215, ten), "R 00 00: tapped 10 empty"),
            (Tag::new(Kind::Ntag213, four).closed(), "R 00 00: tapped 44 closed"),
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
            let faults = Faults { vanish_at_write: Some(at), ..Faults::default() };
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
            let faults = Faults { vanish_at_read: Some(at), ..Faults::default() };
            let card = lay_faulty(folder, "R", written(1), faults);
            told.hear(&["R 00 00: unreadable Lifted"]);
            // A busy service may have the card looked at once more before it knows that it is gone.
            let mut next = told.next();
            while next == "R 00 00: unreadable Lifted" {
                next = told.next();
            }
            assert_eq!(next, "R 00 00: lifted");
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
            let faults = Faults { swap_at: Some((at, Box::new(written(2)))), ..Faults::default() };
            let card = lay_faulty(folder, "R", written(1), faults);
            told.hear(&["R 00 00: tapped 2 id 2"]);
            card.lift();
            told.hear(&["R 00 00: lifted"]);
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
            Faults { refused_reads: 2, ..Faults::default() },
            Faults { slow: Duration::from_millis(900), ..Faults::default() },
        ] {
            let card = lay_faulty(folder, "R", written(1), faults);
            told.hear(&["R 00 00: tapped 1 id 1"]);
            card.lift();
            told.hear(&["R 00 00: lifted"]);
        }
        let card = lay_faulty(folder, "R", written(1), Faults { mute: true, ..Faults::default() });
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
        let faults = Faults { silent_at_read: Some(2), ..Faults::default() };
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
        let card = lay_vpcd(port, written(1));
        told.hear(&["Vpcd 00 00: tapped 1 id 1"]);
        let other = lay_vpcd(port + 1, blank(2));
        told.hear(&["Vpcd 00 01: tapped 2 empty"]);
        card.lift();
        told.hear(&["Vpcd 00 00: lifted"]);
        other.lift();
        told.hear(&["Vpcd 00 01: lifted"]);
    });
}
