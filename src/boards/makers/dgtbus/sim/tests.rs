//! Tests of the simulated bus against the protocol notes: which board answers when, and what happens if two answer at
//! the same time.
#![expect(clippy::indexing_slicing, reason = "a test may fail so")]

use tabiya_types::{Color, Piece, Square};

use super::*;
use crate::makers::dgt::codec::{DgtMessage, LogEntry, LogTag, entries};
use crate::makers::dgtbus::codec::{Answer, AnswerContent, BusDamage, BusDecoder, BusQuestion};

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

fn board(address: u16) -> UnitConfig {
    UnitConfig { address, board: START.parse().expect("a board"), ..UnitConfig::default() }
}

/// A host that writes commands and reads answers.
struct Host {
    wire: Wire,
    now: Instant,
    decoder: BusDecoder,
}

impl Host {
    fn new(boards: &[UnitConfig]) -> Self {
        let wire = Wire::new(&WireConfig { boards: boards.to_vec(), seed: 5, faults: LineFaults::default() });
        Self { wire, now: Instant::from_millis(1_000), decoder: BusDecoder::new() }
    }

    fn hear(&mut self, span: u64) -> Vec<(u64, Result<Answer, BusDamage>)> {
        let (begin, mut heard) = (self.now, Vec::new());
        for _ in 0..span {
            self.now = self.now + Millis(1);
            self.wire.on_time(self.now);
            for byte in self.wire.take_messages().concat() {
                heard.extend(self.decoder.push(byte).map(|told| (self.now.since(begin).0, told)));
            }
        }
        heard
    }

    fn write(&mut self, ask: BusQuestion, address: u16) {
        self.wire.on_host_bytes(&ask.to_bytes(address), self.now);
    }

    /// Returns the single answer to a question, if there is one.
    fn ask(&mut self, ask: BusQuestion, address: u16) -> Option<AnswerContent> {
        self.write(ask, address);
        let mut heard = self.hear(400);
        assert!(heard.len() <= 1, "{heard:?}");
        let (_, answer) = heard.pop()?;
        let answer = answer.expect("an answer");
        assert_eq!(answer.address, address);
        Some(answer.content)
    }

    fn changes(&mut self, address: u16) -> Vec<LogEntry> {
        match self.ask(BusQuestion::Changes, address) {
            Some(AnswerContent::Changes(log)) => {
                entries(&log).map(|entry| entry.expect("an entry")).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    fn set(&mut self, name: &str, letter: char) {
        let what = Physical::Set(square(name), Piece::from_letter(letter));
        self.wire.happen(what, self.now);
        self.now = self.now + Millis(300);
        self.wire.on_time(self.now);
    }
}

#[test]
fn each_question_has_its_answer_from_the_board_that_was_asked() {
    let mut host = Host::new(&[board(1025), board(2054)]);
    assert_eq!(host.ask(BusQuestion::Ping, 2054), Some(AnswerContent::Ping));
    assert_eq!(host.ask(BusQuestion::Ping, 3), None);
    assert_eq!(
        host.ask(BusQuestion::Version, 1025),
        Some(AnswerContent::Version(Some(crate::makers::dgt::codec::Version { main: 1, sub: 4 })))
    );
    assert_eq!(host.ask(BusQuestion::StartGame, 1025), Some(AnswerContent::Started));
    assert_eq!(
        host.ask(BusQuestion::Board, 1025),
        Some(AnswerContent::SingleMode(DgtMessage::Dump(START.parse().expect("a board"))))
    );
    assert!(matches!(
        host.ask(BusQuestion::Clock, 1025),
        Some(AnswerContent::SingleMode(DgtMessage::Clock(_)))
    ));
    host.write(BusQuestion::Everything, 1025);
    let said: Vec<_> =
        host.hear(500).into_iter().map(|(_, answer)| answer.expect("an answer").content).collect();
    let [
        AnswerContent::Changes(_),
        AnswerContent::SingleMode(DgtMessage::Clock(_)),
        AnswerContent::SingleMode(DgtMessage::Dump(_)),
    ] = said.as_slice()
    else {
        panic!("{said:?}");
    };
}

#[test]
fn firmware_up_to_1_2_answers_without_its_version() {
    let old = UnitConfig { version: crate::makers::dgt::codec::Version { main: 1, sub: 2 }, ..board(7) };
    assert_eq!(Host::new(&[old]).ask(BusQuestion::Version, 7), Some(AnswerContent::Version(None)));
}

#[test]
fn answers_come_within_milliseconds_and_take_their_time_on_the_line() {
    let mut host = Host::new(&[board(1025)]);
    host.write(BusQuestion::Ping, 1025);
    let heard = host.hear(100);
    assert!(heard.iter().all(|(after, _)| (9..=20).contains(after)), "{heard:?}");
    host.write(BusQuestion::Board, 1025);
    let heard = host.hear(200);
    assert!(heard.iter().all(|(after, _)| (75..=100).contains(after)), "{heard:?}");
}

#[test]
fn a_ping_of_all_is_answered_by_each_within_1100_ms_but_by_those_that_ignore_it() {
    let mut host = Host::new(&[board(1025), board(1026), board(2054)]);
    assert_eq!(host.ask(BusQuestion::IgnorePing, 1026), Some(AnswerContent::Ping));
    let mut found = std::collections::BTreeSet::new();
    host.write(BusQuestion::Ping, ALL);
    let heard = host.hear(1_150);
    found.extend(heard.iter().filter_map(|(_, answer)| Some(answer.as_ref().ok()?.address)));
    assert!(!found.contains(&1026), "{heard:?}");
    // The command to ignore a ping applies to one ping only.
    for _ in 0..5 {
        host.write(BusQuestion::Ping, ALL);
        found.extend(host.hear(1_150).iter().filter_map(|(_, answer)| Some(answer.as_ref().ok()?.address)));
    }
    assert!(found.into_iter().eq([1025, 1026, 2054]));
}

#[test]
fn two_answers_at_once_are_mixed_bit_by_bit() {
    let mut host = Host::new(&[board(1025), board(1026)]);
    let mut collisions = 0;
    // Both boards answer each of the 80 pings after at most 1.1 s, so some of their answers overlap.
    for _ in 0..80 {
        host.write(BusQuestion::Ping, ALL);
        for (_, answer) in host.hear(1_150) {
            match answer {
                Ok(answer) => assert!([1025, 1026].contains(&answer.address), "{answer:?}"),
                Err(_) => collisions += 1,
            }
        }
    }
    assert!(collisions > 0);
    // If two answers begin at the same time, they are mixed byte by byte: each bit is the logical "or" of both.
    let ping = |address| Answer { address, content: AnswerContent::Ping }.to_bytes();
    let (one, other) = (ping(1025), ping(1026));
    host.hear(50);
    host.wire.send(0, one.clone(), host.now);
    host.wire.send(1, other.clone(), host.now);
    host.wire.on_time(host.now + Millis(20));
    let mixed: Vec<u8> = one.iter().zip(&other).map(|(one, other)| one | other).collect();
    assert_eq!(host.wire.take_messages().concat(), mixed);
}

#[test]
fn the_log_begins_with_power_and_all_pieces_and_goes_on_with_what_happens() {
    let mut host = Host::new(&[board(1025)]);
    let begin = host.changes(1025);
    let filler = LogEntry::Tag(LogTag::Filler(0x7F));
    assert_eq!(begin.get(..4), Some(&[filler, filler, filler, LogEntry::Tag(LogTag::PowerUp)][..]));
    assert_eq!(begin.iter().filter(|entry| matches!(entry, LogEntry::Square { .. })).count(), 32);
    assert_eq!(begin.last(), Some(&LogEntry::Tag(LogTag::Start)));
    host.set("e2", '-');
    host.set("e4", 'P');
    host.wire.happen(Physical::Press(Color::White), host.now);
    let told = host.changes(1025);
    let [
        LogEntry::Square { piece: None, .. },
        LogEntry::Square { piece: Some(_), .. },
        LogEntry::Press { left: true, .. },
    ] = told.as_slice()
    else {
        panic!("{told:?}");
    };
    assert_eq!(host.changes(1025), []);
}

#[test]
fn a_repeat_tells_the_same_packet_and_the_game_all_of_them() {
    let mut host = Host::new(&[board(1025)]);
    host.ask(BusQuestion::StartGame, 1025);
    host.changes(1025);
    host.set("e2", '-');
    let first = host.ask(BusQuestion::Changes, 1025);
    assert_eq!(host.ask(BusQuestion::Repeat, 1025), first);
    host.set("e4", 'P');
    // An answer with the log since the start of the game contains only entries that were already sent as changes.
    let Some(AnswerContent::FromStart(log)) = host.ask(BusQuestion::FromStart, 1025) else {
        panic!("no log")
    };
    let told: Vec<_> = entries(&log).map(|entry| entry.expect("an entry")).collect();
    assert_eq!(told.first(), Some(&LogEntry::Tag(LogTag::Game)));
    assert_eq!(told.len(), 1 + 32 + 1);
    host.changes(1025);
    let Some(AnswerContent::FromStart(log)) = host.ask(BusQuestion::FromStart, 1025) else {
        panic!("no log")
    };
    assert_eq!(entries(&log).count(), 1 + 32 + 2);
}

#[test]
fn a_piece_that_comes_and_goes_unread_is_one_entry() {
    let mut host = Host::new(&[board(1025)]);
    host.changes(1025);
    host.set("e2", '-');
    host.set("e2", 'P');
    assert_eq!(host.changes(1025).len(), 1);
    // The host has already read the earlier entries, so the log keeps them, and each change becomes a new entry.
    host.set("e2", '-');
    assert_eq!(host.changes(1025).len(), 1);
    host.set("e2", 'P');
    assert_eq!(host.changes(1025).len(), 1);
}

#[test]
fn the_log_forgets_its_oldest_bytes_and_no_others() {
    let mut host = Host::new(&[board(1025)]);
    host.changes(1025);
    for nth in 0..2_200 {
        // Two knights move alternately. If one knight moved alone, the log would merge its consecutive entries on the
        // same square.
        let (from, to, knight) = match nth % 4 {
            0 => ("b1", "a3", 'N'),
            1 => ("b8", "a6", 'n'),
            2 => ("a3", "b1", 'N'),
            _ => ("a6", "b8", 'n'),
        };
        host.set(from, '-');
        host.set(to, knight);
    }
    let unit = &host.wire.units()[0];
    assert_eq!(unit.log().len(), 7_936);
    host.set("e2", '-');
    let Some(AnswerContent::Changes(log)) = ({
        host.write(BusQuestion::Changes, 1025);
        host.hear(9_000).pop().map(|(_, answer)| answer.expect("an answer").content)
    }) else {
        panic!("no log");
    };
    assert!(matches!(entries(&log).last(), Some(Ok(LogEntry::Square { piece: None, .. }))));
}

#[test]
fn a_single_boards_command_brings_all_boards_there_and_a_bus_command_back_unheard() {
    let mut host = Host::new(&[board(1025), board(1026)]);
    host.wire.on_host_bytes(&[0x40], host.now);
    assert!(host.wire.units().iter().all(|unit| !unit.on_bus()));
    assert_eq!(host.ask(BusQuestion::Ping, 1025), None);
    assert_eq!(host.ask(BusQuestion::Ping, 1025), Some(AnswerContent::Ping));
    // Only the board with this address is switched to single mode.
    host.write(BusQuestion::EndBus, 1026);
    assert_eq!(host.wire.units().iter().map(Unit::on_bus).collect::<Vec<_>>(), [true, false]);
    // Inside a frame, the byte 0x40 is not a separate command.
    host.wire.on_host_bytes(&[0x87, 0x40, 0x08], host.now);
    assert!(host.wire.units()[0].on_bus());
    // A board in single mode answers like a single board.
    let mut alone = Host::new(&[board(1025)]);
    alone.wire.on_host_bytes(&[0x46], alone.now);
    alone.wire.on_time(alone.now + Millis(50));
    assert_eq!(alone.wire.take_messages().concat(), [0x90, 0x00, 0x05, 0x08, 0x01], "V13");
}

#[test]
fn a_unit_that_is_off_is_silent_and_knows_nothing_when_it_comes_back() {
    let mut host = Host::new(&[board(1025), board(1026)]);
    host.changes(1025);
    host.wire.switch(0, false, host.now);
    assert_eq!(host.ask(BusQuestion::Ping, 1025), None);
    assert_eq!(host.ask(BusQuestion::Ping, 1026), Some(AnswerContent::Ping));
    host.wire.switch(0, true, host.now);
    assert_eq!(host.changes(1025).get(3), Some(&LogEntry::Tag(LogTag::PowerUp)));
}

#[test]
fn the_mark_of_the_end_comes_from_boards_that_have_it() {
    let marks = UnitConfig { marks_end: true, ..board(7) };
    let mut host = Host::new(&[marks]);
    host.changes(7);
    assert_eq!(host.changes(7), [LogEntry::Tag(LogTag::End)]);
}
