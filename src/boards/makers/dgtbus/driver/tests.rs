//! Tests of the driver with the simulated bus in simulated time, and with answers that no real board should send.
#![expect(clippy::indexing_slicing, reason = "a test may fail so")]

use proptest::prelude::*;
use tabiya_types::{Board, Color, Observation, Piece, Square};

use super::*;
use crate::human::{HumanHands, PerMille, Physical, Profile, Task};
use crate::link::Carrier;
use crate::makers::dgt::codec::{ClockFrame, ClockStatus, LogEntry, LogTag, SideTime, write_entries};
use crate::makers::dgtbus::sim::{UnitConfig, Wire, WireConfig};
use crate::makers::dgtbus::{MAKER, laws};
use crate::notes::Notes;
use crate::sim::{LineFaults, SimBoard};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn at(millis: u64) -> Instant {
    Instant::from_millis(millis)
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

fn driver(unit: Option<&str>) -> BusDriver {
    let connection = Connection {
        brand: MAKER.brand(),
        carrier: Carrier::Stream,
        unit,
        notes: &Notes::NONE,
        passive: false,
    };
    BusDriver::new(&connection, Instant::ZERO)
}

/// A driver and a simulated bus at one point in time.
struct Meeting {
    wire: Wire,
    driver: BusDriver,
    now: Instant,
    events: Vec<(Instant, BoardEvent)>,
    written: Vec<Vec<u8>>,
}

impl Meeting {
    fn new(unit: Option<&str>, boards: &[UnitConfig], faults: LineFaults) -> Self {
        let wire = Wire::new(&WireConfig { boards: boards.to_vec(), seed: 3, faults });
        Self { wire, driver: driver(unit), now: Instant::ZERO, events: Vec::new(), written: Vec::new() }
    }

    /// Creates a bus without faults and with boards at these addresses.
    fn on(unit: Option<&str>, addresses: &[u16]) -> Self {
        Self::new(
            unit,
            &addresses.iter().map(|address| board(*address)).collect::<Vec<_>>(),
            LineFaults::default(),
        )
    }

    fn pass(&mut self, span: u64) {
        let end = self.now + Millis(span);
        self.talk();
        while self.now < end {
            let due = [self.wire.deadline(), self.driver.deadline()].into_iter().flatten().min();
            self.now = due.unwrap_or(end).clamp(self.now + Millis(1), end);
            self.talk();
        }
    }

    fn talk(&mut self) {
        self.wire.on_time(self.now);
        for bytes in self.wire.take_messages() {
            self.driver.on_bytes(&bytes, self.now);
        }
        self.driver.on_time(self.now);
        while let Some(bytes) = self.driver.next_write() {
            self.driver.wrote(self.now);
            self.wire.on_host_bytes(&bytes, self.now);
            self.written.push(bytes);
        }
        while let Some(event) = self.driver.next_event() {
            self.events.push((self.now, event));
        }
    }

    fn set(&mut self, nth: usize, name: &str, letter: char) {
        self.wire.happen_at(nth, Physical::Set(square(name), Piece::from_letter(letter)), self.now);
    }

    /// Returns the squares and presses that were reported since the last call.
    fn seen(&mut self) -> Vec<String> {
        let told = std::mem::take(&mut self.events);
        told.iter().filter_map(|(_, event)| seen(event)).collect()
    }

    fn wants(&self) -> Vec<String> {
        let wants = |(_, event): &(Instant, BoardEvent)| match event {
            BoardEvent::Wants(what) => Some(what.to_string()),
            _ => None,
        };
        self.events.iter().filter_map(wants).collect()
    }

    fn asked(&self, ask: BusQuestion) -> usize {
        self.written.iter().filter(|bytes| bytes.first() == Some(&ask.id())).count()
    }
}

fn seen(event: &BoardEvent) -> Option<String> {
    match event {
        BoardEvent::Observed(Observation::Square(square, None)) => Some(format!("{square}-")),
        BoardEvent::Observed(Observation::Square(square, Some(piece))) => {
            Some(format!("{}{square}", piece.letter()))
        }
        BoardEvent::Observed(Observation::Press(color)) => Some(format!("{color:?}")),
        BoardEvent::Observed(Observation::Whole(board)) => Some(board.to_string()),
        _ => None,
    }
}

fn board(address: u16) -> UnitConfig {
    UnitConfig { address, board: START.parse().expect("a board"), ..UnitConfig::default() }
}

#[test]
fn the_only_board_on_a_wire_is_found_by_itself() {
    let mut meeting = Meeting::on(None, &[1025]);
    meeting.pass(4_500);
    assert!(meeting.driver.ready());
    assert_eq!(meeting.driver.info().number(), Some("1025"));
    assert_eq!(meeting.driver.info().version.as_deref(), Some("1.4"));
    assert_eq!(meeting.seen().first().map(String::as_str), Some(START));
    assert_eq!(meeting.asked(BusQuestion::IgnorePing), 2, "two more rounds");
}

#[test]
fn of_several_boards_one_has_to_be_named() {
    let mut meeting = Meeting::on(None, &[2054, 1025, 1026]);
    meeting.pass(12_000);
    let asked = "several boards are on this line (1025, 1026, 2054): choose one by its number, as in dgtbus:PORT#1025";
    assert_eq!(meeting.wants(), [asked]);
    assert!(!meeting.driver.ready() && meeting.driver.failure().is_none());
    let rounds = |meeting: &Meeting| {
        meeting.written.iter().filter(|bytes| **bytes == BusQuestion::Ping.to_bytes(ALL)).count()
    };
    let before = rounds(&meeting);
    meeting.pass(10_000);
    assert_eq!(rounds(&meeting), before, "games on the wire are not disturbed any more");
    // No board on the line answers any more. So the driver fails, and the line is opened again.
    (0..3).for_each(|nth| meeting.wire.switch(nth, false, meeting.now));
    meeting.pass(7_000);
    assert_eq!(meeting.driver.failure(), Some(DriverFailure::Silent));
}

#[test]
fn the_named_board_is_asked_alone() {
    let mut meeting = Meeting::on(Some("1026"), &[2054, 1025, 1026]);
    meeting.pass(1_000);
    assert!(meeting.driver.ready());
    let to = |bytes: &Vec<u8>| u16::from(bytes[1]) << 7 | u16::from(bytes[2]);
    assert!(meeting.written.iter().all(|bytes| to(bytes) == 1026));
    meeting.seen();
    meeting.set(1, "e2", '-');
    meeting.pass(1_000);
    assert_eq!(meeting.seen(), Vec::<String>::new(), "a neighbour's piece");
    meeting.set(2, "e2", '-');
    meeting.pass(490);
    assert_eq!(meeting.seen(), ["e2-"]);
}

#[test]
fn a_board_that_is_named_and_not_there_is_waited_for() {
    let mut meeting = Meeting::on(Some("01025"), &[1025, 2054]);
    meeting.wire.switch(0, false, meeting.now);
    meeting.pass(5_000);
    let asked = "board 01025 does not answer on this line (boards that answer: 2054): switch this board on, or choose another number";
    assert_eq!(meeting.wants(), [asked]);
    meeting.wire.switch(0, true, meeting.now);
    meeting.pass(2_000);
    assert!(meeting.driver.ready());
}

#[test]
fn a_name_that_no_board_can_have_says_which_there_are() {
    for unit in ["0", "16384", "a4"] {
        let mut meeting = Meeting::on(Some(unit), &[2054]);
        meeting.pass(2_000);
        let wants = meeting.wants();
        assert!(
            wants.iter().any(|what| what.contains(&format!("board {unit} does not answer"))),
            "{wants:?}"
        );
        assert!(meeting.driver.failure().is_none());
    }
}

#[test]
fn on_a_wire_without_boards_nothing_answers() {
    for unit in [None, Some("1025")] {
        let mut meeting = Meeting::on(unit, &[]);
        meeting.pass(4_000);
        assert_eq!(meeting.driver.failure(), Some(DriverFailure::NotABoard));
    }
}

#[test]
fn boards_in_single_mode_are_brought_to_the_bus_and_let_go_again() {
    let alone = UnitConfig { single: true, ..board(1025) };
    for unit in [None, Some("1025")] {
        let mut meeting = Meeting::new(unit, std::slice::from_ref(&alone), LineFaults::default());
        meeting.pass(6_000);
        assert!(meeting.driver.ready() && meeting.wire.units()[0].on_bus());
        meeting.driver.stop(meeting.now);
        assert_eq!(meeting.driver.next_write(), Some(BusQuestion::EndBus.to_bytes(1025)));
        assert_eq!(meeting.driver.next_write(), None);
        meeting.wire.on_host_bytes(&BusQuestion::EndBus.to_bytes(1025), meeting.now);
        assert!(!meeting.wire.units()[0].on_bus());
    }
}

#[test]
fn nobody_ever_ends_the_bus_for_all() {
    for after in (0..6_000).step_by(400) {
        let mut meeting = Meeting::on(None, &[1025, 1026]);
        meeting.pass(after);
        meeting.driver.stop(meeting.now);
        let last: Vec<_> = std::iter::from_fn(|| meeting.driver.next_write()).collect();
        assert!(!last.contains(&BusQuestion::EndBus.to_bytes(ALL)));
    }
}

#[test]
fn lifts_and_places_come_in_their_order_although_they_are_asked_for_later() {
    let mut meeting = Meeting::on(Some("1025"), &[1025]);
    meeting.pass(1_000);
    meeting.seen();
    // Within one poll interval the attacker is lifted, the captured piece removed and the attacker placed.
    for (name, letter) in [("g1", '-'), ("e7", '-'), ("e7", 'N')] {
        meeting.set(0, name, letter);
        meeting.pass(260);
    }
    meeting.pass(200);
    assert_eq!(meeting.seen(), ["g1-", "e7-", "Ne7"]);
    // After a quiet period the driver reads all squares, which adds one report.
    meeting.pass(600);
    assert_eq!(meeting.seen().len(), 1);
}

#[test]
fn a_press_is_told_by_the_log_in_its_place_between_the_pieces() {
    let mut meeting = Meeting::on(Some("1025"), &[1025]);
    meeting.pass(1_500);
    meeting.seen();
    meeting.set(0, "e2", '-');
    meeting.pass(240);
    meeting.set(0, "e4", 'P');
    meeting.pass(240);
    meeting.wire.happen_at(0, Physical::Press(Color::White), meeting.now);
    meeting.set(0, "e7", '-');
    meeting.pass(240);
    meeting.wire.happen_at(0, Physical::Press(Color::Black), meeting.now);
    meeting.pass(400);
    assert_eq!(meeting.seen(), ["e2-", "Pe4", "White", "e7-", "Black"]);
    // The clock's reports agree with the log, so they lead to no further press.
    meeting.pass(5_000);
    let told = meeting.seen();
    assert!(told.iter().all(|seen| seen != "White" && seen != "Black"), "{told:?}");
}

#[test]
fn a_press_of_a_clock_that_stands_is_told_by_its_lever_a_little_later() {
    let mut meeting = Meeting::on(Some("1025"), &[1025]);
    meeting.pass(1_500);
    meeting.wire.clock(crate::sim::ClockAction::Run(false), meeting.now);
    meeting.pass(1_500);
    meeting.seen();
    meeting.wire.happen_at(0, Physical::Press(Color::White), meeting.now);
    meeting.pass(2_200);
    assert_eq!(meeting.seen().iter().filter(|seen| *seen == "White").count(), 1);
}

#[test]
fn the_clock_only_tells_its_times() {
    let mut meeting = Meeting::on(Some("1025"), &[1025]);
    meeting.pass(1_500);
    let found = meeting.events.iter().any(|(_, event)| {
        matches!(event, BoardEvent::ClockFound(info) if info.kind == crate::ClockKind::TimesOnly)
    });
    let times = meeting.events.iter().any(|(_, event)| matches!(event, BoardEvent::ClockTimes(_)));
    assert!(found && times);
    meeting.driver.order(&BoardCommand::Show("Nf3".to_owned()), meeting.now);
    assert!(matches!(
        meeting.driver.next_event(),
        Some(BoardEvent::ClockRefused { task: ClockTask::Show, why: ClockRefusal::CannotShow })
    ));
    meeting.wire.clock(crate::sim::ClockAction::Connect(false), meeting.now);
    meeting.pass(1_500);
    assert!(meeting.events.iter().any(|(_, event)| matches!(event, BoardEvent::ClockGone)));
}

#[test]
fn lost_and_broken_answers_lose_no_move() {
    let faults =
        LineFaults { lost: PerMille(150), doubled: PerMille(100), split: Some(7), ..LineFaults::default() };
    let mut meeting = Meeting::new(Some("1025"), &[board(1025), board(1026)], faults);
    meeting.pass(2_000);
    meeting.events.clear();
    let walk = ["b1", "a3", "c4", "e5", "g4", "e3", "c2", "b4"];
    for step in walk.windows(2) {
        meeting.set(0, step[0], '-');
        meeting.pass(300);
        meeting.set(0, step[1], 'N');
        meeting.pass(300);
    }
    meeting.pass(3_000);
    assert!(meeting.asked(BusQuestion::Repeat) > 0, "the line was not that bad");
    // The driver may read all squares before the log reports a change. Then the position that it reads already contains
    // the change.
    let mut known: Board = START.parse().expect("a board");
    let mut moves = Vec::new();
    for (_, event) in &meeting.events {
        let BoardEvent::Observed(seen) = event else { continue };
        let now = match seen {
            Observation::Whole(board) => *board,
            Observation::Square(square, piece) => {
                let mut board = known;
                board[*square] = *piece;
                board
            }
            _ => known,
        };
        let news = known.differences(&now).map(|square| Observation::Square(square, now[square]));
        moves.extend(news.filter_map(|news| self::seen(&BoardEvent::Observed(news))));
        known = now;
    }
    let wanted = walk.windows(2).flat_map(|step| [format!("{}-", step[0]), format!("N{}", step[1])]);
    assert_eq!(moves, wanted.collect::<Vec<_>>());
}

#[test]
fn what_the_log_never_tells_is_seen_when_the_whole_board_is_read() {
    let mut meeting = Meeting::new(
        Some("1025"),
        &[UnitConfig { overwrites_sent: true, ..board(1025) }],
        LineFaults::default(),
    );
    meeting.pass(1_000);
    meeting.set(0, "e2", '-');
    meeting.pass(1_500);
    meeting.seen();
    meeting.set(0, "e2", 'P');
    meeting.pass(RELOOK.0 + 500);
    assert_eq!(meeting.seen().last().map(String::as_str), Some(START));
}

#[test]
fn a_board_that_was_off_for_a_moment_is_read_whole_again() {
    let mut meeting = Meeting::on(Some("1025"), &[1025]);
    meeting.pass(1_000);
    meeting.wire.switch(0, false, meeting.now);
    meeting.set(0, "e2", '-');
    meeting.pass(600);
    meeting.wire.switch(0, true, meeting.now);
    meeting.seen();
    let before = meeting.asked(BusQuestion::StartGame);
    meeting.pass(1_500);
    let told = meeting.seen();
    assert!(told.iter().any(|seen| seen == "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"), "{told:?}");
    assert!(meeting.asked(BusQuestion::StartGame) > before, "its log begins anew");
}

#[test]
fn a_board_that_falls_silent_is_gone_within_three_seconds() {
    let mut meeting = Meeting::on(Some("1025"), &[1025, 1026]);
    meeting.pass(1_000);
    meeting.wire.switch(0, false, meeting.now);
    meeting.pass(3_000);
    assert_eq!(meeting.driver.failure(), Some(DriverFailure::Silent));
}

#[test]
fn a_board_whose_turn_does_not_come_is_not_gone() {
    let mut meeting = Meeting::on(Some("1025"), &[1025]);
    meeting.pass(1_000);
    // Other drivers occupy the line, so this driver's question is sent much later.
    for _ in 0..4 {
        while meeting.driver.next_write().is_none() {
            meeting.now = meeting.now + Millis(1);
            meeting.driver.on_time(meeting.now);
        }
        meeting.now = meeting.now + Millis(1_200);
        meeting.driver.wrote(meeting.now);
    }
    assert_eq!(meeting.driver.failure(), None);
}

#[test]
fn a_bad_sum_is_asked_for_again_at_once_and_changes_as_a_repeat() {
    let mut driver = driver(Some("1025"));
    let answer = |said| Answer { address: 1025, content: said }.to_bytes();
    let mut now = at(0);
    let mut ask = |driver: &mut BusDriver, reply: Option<Vec<u8>>| {
        let asked = driver.next_write().expect("a question");
        driver.wrote(now);
        now = now + Millis(5);
        if let Some(reply) = reply {
            driver.on_bytes(&reply, now);
        }
        BusQuestion::from_id(asked[0]).expect("a question")
    };
    assert_eq!(ask(&mut driver, Some(answer(AnswerContent::Ping))), BusQuestion::Ping);
    assert_eq!(ask(&mut driver, Some(answer(AnswerContent::Version(None)))), BusQuestion::Version);
    assert_eq!(ask(&mut driver, Some(answer(AnswerContent::Started))), BusQuestion::StartGame);
    let mut broken = answer(AnswerContent::Changes(write_entries([LogEntry::Tag(LogTag::Game)])));
    *broken.last_mut().expect("a sum") ^= 1;
    assert_eq!(ask(&mut driver, Some(broken)), BusQuestion::Changes);
    assert_eq!(ask(&mut driver, Some(answer(AnswerContent::Changes(vec![0x7B])))), BusQuestion::Repeat);
    let mut broken = answer(AnswerContent::SingleMode(DgtMessage::Dump(Board::EMPTY)));
    *broken.last_mut().expect("a sum") ^= 1;
    assert_eq!(ask(&mut driver, Some(broken)), BusQuestion::Board);
    assert_eq!(
        ask(&mut driver, Some(answer(AnswerContent::SingleMode(DgtMessage::Dump(Board::EMPTY))))),
        BusQuestion::Board
    );
    assert!(driver.ready());
}

/// Returns a driver that has just read all squares and has no pending question, and the current time.
fn running() -> (BusDriver, Instant) {
    let mut driver = driver(Some("1025"));
    let mut now = at(0);
    let answers = [
        AnswerContent::Ping,
        AnswerContent::Version(None),
        AnswerContent::Started,
        AnswerContent::Changes(write_entries([LogEntry::Tag(LogTag::Game)])),
        AnswerContent::SingleMode(DgtMessage::Dump(START.parse().expect("a board"))),
        AnswerContent::SingleMode(DgtMessage::Clock(ClockFrame::ABSENT)),
    ];
    for said in answers {
        assert!(driver.next_write().is_some(), "no question for {said:?}");
        driver.wrote(now);
        now = now + Millis(5);
        driver.on_bytes(&Answer { address: 1025, content: said }.to_bytes(), now);
    }
    assert!(driver.ready() && driver.next_write().is_none());
    while driver.next_event().is_some() {}
    (driver, now)
}

/// Lets time pass until the next question is due, and returns this question.
fn next_ask(driver: &mut BusDriver, now: &mut Instant) -> BusQuestion {
    for _ in 0..10_000 {
        if let Some(bytes) = driver.next_write() {
            return BusQuestion::from_id(bytes[0]).expect("a question");
        }
        *now = *now + Millis(1);
        driver.on_time(*now);
    }
    panic!("nothing more is asked")
}

fn broken(said: AnswerContent) -> Vec<u8> {
    let mut bytes = Answer { address: 1025, content: said }.to_bytes();
    *bytes.last_mut().expect("a sum") ^= 1;
    bytes
}

#[test]
fn what_is_heard_before_a_question_is_on_the_line_is_no_answer_to_it() {
    let (mut driver, mut now) = running();
    assert_eq!(next_ask(&mut driver, &mut now), BusQuestion::Changes);
    // This driver's question still waits for the line when another board sends a damaged answer. The question waits
    // longer than an answer may take.
    driver.on_bytes(&broken(AnswerContent::Ping), now);
    driver.on_bytes(&Answer { address: 1025, content: AnswerContent::Changes(Vec::new()) }.to_bytes(), now);
    now = now + Millis(1_000);
    driver.on_time(now);
    assert_eq!(driver.next_write(), None);
    assert!(driver.next_event().is_none(), "a neighbour's collision is nobody's damage");
    driver.wrote(now);
    now = now + Millis(5);
    driver.on_bytes(&broken(AnswerContent::Changes(Vec::new())), now);
    assert_eq!(next_ask(&mut driver, &mut now), BusQuestion::Repeat);
}

#[test]
fn however_much_is_spoilt_at_once_one_question_is_repeated_and_none_that_was_answered() {
    let (mut driver, mut now) = running();
    assert_eq!(next_ask(&mut driver, &mut now), BusQuestion::Changes);
    driver.wrote(now);
    driver.on_bytes(&broken(AnswerContent::Changes(Vec::new())).repeat(5), now);
    let writes: Vec<_> = std::iter::from_fn(|| driver.next_write()).collect();
    assert_eq!(writes, [BusQuestion::Repeat.to_bytes(1025)]);
    driver.wrote(now);
    let answer = Answer { address: 1025, content: AnswerContent::Changes(Vec::new()) }.to_bytes();
    driver.on_bytes(&[broken(AnswerContent::Ping), answer, broken(AnswerContent::Ping)].concat(), now);
    assert_eq!(
        next_ask(&mut driver, &mut now),
        BusQuestion::Changes,
        "what is due next, before the whole board"
    );
}

#[test]
fn a_square_that_flickers_all_the_time_does_not_put_off_the_whole_board_for_ever() {
    let mut meeting = Meeting::on(Some("1025"), &[1025]);
    meeting.pass(1_000);
    meeting.written.clear();
    for nth in 0..40 {
        meeting.set(0, "e2", if nth % 2 == 0 { '-' } else { 'P' });
        meeting.pass(300);
    }
    let read = meeting.asked(BusQuestion::Board);
    assert!((2..=3).contains(&read), "twelve seconds, {read} times");
}

#[test]
fn a_game_whose_begin_the_board_never_heard_is_begun_when_it_would_be_needed() {
    let (mut driver, mut now) = running();
    // A log entry is damaged, so the place where the game starts in the log is unknown.
    assert_eq!(next_ask(&mut driver, &mut now), BusQuestion::Changes);
    driver.wrote(now);
    driver.on_bytes(&Answer { address: 1025, content: AnswerContent::Changes(vec![0x41]) }.to_bytes(), now);
    assert_eq!(next_ask(&mut driver, &mut now), BusQuestion::StartGame);
    driver.wrote(now);
    // The question is never answered, however often it is asked.
    for _ in 1..TRIES {
        assert_eq!(next_ask(&mut driver, &mut now), BusQuestion::StartGame);
        driver.wrote(now);
    }
    assert_eq!(next_ask(&mut driver, &mut now), BusQuestion::Changes);
    driver.wrote(now);
    // A packet is lost, and its repetitions are damaged.
    for _ in 0..TRIES {
        driver.on_bytes(&broken(AnswerContent::Changes(Vec::new())), now);
        if driver.asked.is_none() {
            break;
        }
        next_ask(&mut driver, &mut now);
        driver.wrote(now);
    }
    let mut asked = Vec::new();
    for _ in 0..6 {
        asked.push(next_ask(&mut driver, &mut now));
        driver.wrote(now);
        now = now + Millis(200);
        driver.on_time(now);
    }
    assert!(asked.contains(&BusQuestion::StartGame) && !asked.contains(&BusQuestion::FromStart), "{asked:?}");
}

#[test]
fn a_packet_that_is_lost_for_good_is_looked_for_in_the_games_log_before_anything_newer() {
    let mut meeting = Meeting::on(Some("1025"), &[1025]);
    meeting.pass(1_000);
    meeting.set(0, "e2", '-');
    meeting.set(0, "e4", 'P');
    meeting.seen();
    meeting.written.clear();
    // Every answer to a question for changes, and every repetition, is damaged.
    let mut broken = 0;
    while broken < 3 {
        meeting.now = meeting.now + Millis(1);
        meeting.wire.on_time(meeting.now);
        let mut heard = meeting.wire.take_messages().concat();
        if heard.first() == Some(&0x85) {
            broken += 1;
            let last = heard.len() - 1;
            heard[last] ^= 1;
        }
        meeting.driver.on_bytes(&heard, meeting.now);
        meeting.driver.on_time(meeting.now);
        while let Some(bytes) = meeting.driver.next_write() {
            meeting.driver.wrote(meeting.now);
            meeting.wire.on_host_bytes(&bytes, meeting.now);
            meeting.written.push(bytes);
        }
    }
    meeting.pass(200);
    let asked: Vec<_> = meeting.written.iter().filter_map(|bytes| BusQuestion::from_id(bytes[0])).collect();
    let repeats = asked.iter().rposition(|ask| *ask == BusQuestion::Repeat).expect("a repeat");
    assert_eq!(
        asked.get(repeats + 1..repeats + 4),
        Some(&[BusQuestion::FromStart, BusQuestion::Changes, BusQuestion::Board][..]),
        "{asked:?}"
    );
    // The board scans the fourth rank before the second rank, so it reports e4 before e2.
    assert_eq!(meeting.seen().get(..2), Some(&["Pe4".to_owned(), "e2-".to_owned()][..]));
}

#[test]
fn what_a_lost_packet_held_is_taken_from_the_games_log() {
    let mut reader = BoardReader::default();
    let mut events = VecDeque::new();
    let change = |name: &str, letter: char| LogEntry::Square {
        square: square(name),
        piece: Piece::from_letter(letter),
        soon: false,
    };
    reader.changes(write_entries([LogEntry::Tag(LogTag::Game), change("e1", 'K')]), false, &mut events);
    let board: Board = "8/8/8/8/8/8/8/4K3".parse().expect("a board");
    reader.on_message(DgtMessage::Dump(board), at(0), &mut events);
    reader.changes(write_entries([change("e1", '-'), LogEntry::Tag(LogTag::End)]), false, &mut events);
    events.clear();
    // The packet starts with the mark for the start of the game, as in a real log.
    let log = [
        LogEntry::Tag(LogTag::Game),
        change("e1", 'K'),
        change("e1", '-'),
        change("e2", 'K'),
        change("e2", '-'),
    ];
    let read = reader.game_log(&write_entries(log), &mut events);
    assert!(read.changed && read.doubtful);
    let told: Vec<_> = events.drain(..).filter_map(|event| seen(&event)).collect();
    assert_eq!(told, ["Ke2", "e2-"]);
    // The oldest entries of this log were overwritten, so the log is shorter than the part that was decoded before. The
    // reader stays in doubt and reports nothing.
    let read = reader.game_log(&write_entries([change("e3", 'K')]), &mut events);
    assert!(read.doubtful && events.is_empty());
    assert!(!reader.knows_game(), "where the next one would begin is not known");
}

#[test]
fn a_repeated_packet_tells_nothing_twice() {
    let mut reader = BoardReader::default();
    let mut events = VecDeque::new();
    reader.on_message(DgtMessage::Dump(START.parse().expect("a board")), at(0), &mut events);
    let moved = |name: &str, piece| LogEntry::Square { square: square(name), piece, soon: false };
    let packet = write_entries([moved("e2", None), moved("e4", Piece::from_letter('P'))]);
    events.clear();
    reader.changes(packet.clone(), false, &mut events);
    assert_eq!(events.len(), 2);
    // Between the packet and its repetition comes the empty answer to the next question. The repetition is ignored all
    // the same.
    reader.changes(Vec::new(), false, &mut events);
    reader.changes(packet, true, &mut events);
    assert_eq!(events.len(), 2);
    let pressed = write_entries([LogEntry::Press { left: true, time: SideTime::from_secs(60) }]);
    reader.changes(pressed.clone(), false, &mut events);
    reader.changes(pressed, true, &mut events);
    assert_eq!(events.len(), 3);
}

#[test]
fn a_piece_that_is_lifted_and_put_back_twice_is_told_twice() {
    let (mut driver, mut now) = running();
    let moved = |piece| LogEntry::Square { square: square("e2"), piece, soon: false };
    let packet = write_entries([moved(None), moved(Piece::from_letter('P'))]);
    let answer = Answer { address: 1025, content: AnswerContent::Changes(packet) }.to_bytes();
    let mut told = Vec::new();
    for _ in 0..2 {
        assert_eq!(next_ask(&mut driver, &mut now), BusQuestion::Changes);
        driver.wrote(now);
        // The simulated serial line delivers every message twice.
        driver.on_bytes(&answer.repeat(2), now);
        told.extend(std::iter::from_fn(|| driver.next_event()).filter_map(|event| seen(&event)));
    }
    assert_eq!(told, ["e2-", "Pe2", "e2-", "Pe2"]);
    // The driver requests a repetition, because an answer is late. The answer that comes then contains only changes
    // that were reported before.
    now = now + Millis(300);
    while next_ask(&mut driver, &mut now) != BusQuestion::Repeat {
        driver.wrote(now);
    }
    driver.wrote(now);
    driver.on_bytes(&answer, now);
    assert!(driver.next_event().is_none(), "it was told before");
}

#[test]
fn a_stale_lever_is_no_press_and_two_presses_of_a_side_have_one_between() {
    let mut reader = BoardReader::default();
    let mut events = VecDeque::new();
    reader.on_message(DgtMessage::Dump(Board::EMPTY), at(0), &mut events);
    let frame = |right_up| {
        let time = SideTime::from_secs(60);
        DgtMessage::Clock(ClockFrame { left: time, right: time, status: ClockStatus::new(true, right_up) })
    };
    let press = |left| write_entries([LogEntry::Press { left, time: SideTime::from_secs(60) }]);
    let told = |events: &mut VecDeque<BoardEvent>| -> Vec<String> {
        events.drain(..).filter_map(|event| seen(&event)).collect()
    };
    reader.on_message(frame(false), at(0), &mut events);
    told(&mut events);
    reader.changes(press(true), false, &mut events);
    assert_eq!(told(&mut events), ["White"]);
    // This report of the clock shows the lever as it was before the press.
    reader.on_message(frame(false), at(300), &mut events);
    reader.on_message(frame(true), at(1_300), &mut events);
    assert_eq!(told(&mut events), Vec::<String>::new());
    // The log misses a quick press by Black: it reports two presses by White in a row.
    reader.changes(
        write_entries([LogEntry::Press { left: true, time: SideTime::from_secs(58) }]),
        false,
        &mut events,
    );
    assert_eq!(told(&mut events), ["Black", "White"]);
    // The log does not report Black's next press in time. The press is detected from the lever, after the clock reports
    // have shown the lever's new position for a while.
    reader.on_message(frame(false), at(2_300), &mut events);
    assert_eq!(told(&mut events), Vec::<String>::new());
    reader.on_message(frame(false), at(3_300), &mut events);
    assert_eq!(told(&mut events), ["Black"]);
    // Later the log reports the same press, which is ignored.
    reader.changes(press(false), false, &mut events);
    assert_eq!(told(&mut events), Vec::<String>::new());
}

#[test]
fn a_capture_is_heard_for_the_first_board_that_tells_its_squares() {
    let connection = Connection {
        brand: MAKER.brand(),
        carrier: Carrier::Stream,
        unit: None,
        notes: &Notes::NONE,
        passive: true,
    };
    let mut driver = BusDriver::new(&connection, Instant::ZERO);
    let board: Board = START.parse().expect("a board");
    let lifted = write_entries([LogEntry::Square { square: square("e2"), piece: None, soon: false }]);
    for address in [1025, 1026] {
        let ping = Answer { address: 9, content: AnswerContent::Ping };
        let whole = Answer { address, content: AnswerContent::SingleMode(DgtMessage::Dump(board)) };
        let changes = Answer { address, content: AnswerContent::Changes(lifted.clone()) };
        for answer in [ping, whole, changes] {
            driver.on_bytes(&answer.to_bytes(), at(0));
        }
    }
    assert_eq!(driver.next_write(), None);
    let told: Vec<_> = std::iter::from_fn(|| driver.next_event()).filter_map(|event| seen(&event)).collect();
    assert_eq!(told, [START, "e2-"]);
    assert_eq!(driver.deadline(), None);
}

proptest! {
    #[test]
    fn a_wire_that_says_anything_keeps_the_drivers_law(said in proptest::collection::vec(any::<u8>(), 0..400)) {
        laws::driver_law(&said);
    }
}

/// A game with captures and a castling move. The moves need not all be legal.
const GAME: &str =
    "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 d2d4 c8f5 f1d3 f5d3 d1d3 b8c6 c1f4 e8c8 c3b5 c6b4 f4c7 a5b5 d3b5 b4c2";

/// Returns the positions of the game, beginning with the start position.
fn boards() -> Vec<Board> {
    let mut boards: Vec<Board> = vec![START.parse().expect("a board")];
    for word in GAME.split_whitespace() {
        let mut board = *boards.last().expect("the start");
        let mut carry = |from: &str, to: &str| {
            let piece = board[square(from)].take();
            assert!(piece.is_some(), "{word}: nothing stands on {from}");
            board[square(to)] = piece;
        };
        carry(&word[..2], &word[2..]);
        if word == "e8c8" {
            carry("a8", "d8");
        }
        boards.push(board);
    }
    boards
}

#[test]
fn whatever_people_and_the_line_do_the_board_is_known_in_the_end_and_presses_are_told_once() {
    let boards = boards();
    for profile in Profile::ALL {
        for seed in 0..6 {
            let faults = LineFaults { lost: PerMille(120), doubled: PerMille(80), ..LineFaults::default() };
            let mut meeting = Meeting::new(Some("1025"), &[board(1025), board(1026)], faults);
            let mut hand = HumanHands::new(&Profile { forget: PerMille::NEVER, ..profile }, seed);
            let (mut start, mut by, mut by_hand) = (at(2_000), Color::White, 0);
            for (before, after) in boards.iter().zip(boards.iter().skip(1)) {
                let done = hand.perform(&Task::new(*before, *after, by, start));
                // Leave out unplug events, because the supervisor would create another driver after them.
                let stays = |(_, what): &(Instant, Physical)| !matches!(what, Physical::Unplug(_));
                for (moment, what) in done.events.into_iter().filter(stays) {
                    meeting.pass(moment.since(meeting.now).0);
                    by_hand += usize::from(matches!(what, Physical::Press(_)));
                    meeting.wire.happen(what, meeting.now);
                }
                (start, by) = (done.ends, by.other());
            }
            meeting.pass(8_000);
            let who = format!("{} {seed}", profile.name);
            assert_eq!(Some(meeting.wire.board()), boards.last().copied(), "{who}");
            let (mut known, mut presses) = (Board::EMPTY, 0);
            for (_, event) in &meeting.events {
                match event {
                    BoardEvent::Observed(Observation::Whole(board)) => known = *board,
                    BoardEvent::Observed(Observation::Square(square, piece)) => known[*square] = *piece,
                    BoardEvent::Observed(Observation::Press(_)) => presses += 1,
                    _ => {}
                }
            }
            assert_eq!((known, presses), (meeting.wire.board(), by_hand), "{who}");
            assert_eq!(meeting.driver.failure(), None, "{who}");
        }
    }
}
